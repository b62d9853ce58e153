/* formats/bti/check.c - rules of BTI files. Those of the header are in gx/bti_check.c, because
 * models have the same headers. */
#include "formats/bti/describe.h"
#include <facet/bti.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "gx/bti_texture.h"

/* Find texels whose index has no palette entry, by decoding them. */
static facet_status check_indices(const facet_gx_texture *texture, const facet_options *options,
                                  facet_report *report, facet_error *error)
{
    facet_arena *scratch = NULL;
    facet_options reporting = options ? *options : (facet_options){0};
    reporting.report = report;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = FACET_OK;
    size_t stride = (size_t)texture->width * 4;
    uint8_t *rgba = facet_arena_allocate(scratch, texture->height, stride);
    if (!rgba)
        status = facet_fail_arena(scratch, error);
    for (uint32_t level = 0; level < texture->levels && !status; level++)
        status = facet_gx_decode(texture, level, &reporting, rgba, stride, error);
    facet_arena_free(scratch);
    return status;
}

facet_status facet_bti_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_bti_header header;
    facet_gx_texture texture;
    facet_bti *document = NULL;
    facet_error fault;
    facet_status status = facet_bti_read(source, options, &document, &fault);
    if (facet_lacks_memory(status))
        return facet_fail(error, status, fault.rule, fault.offset, "%s", fault.message);
    if (source->size < FACET_BTI_HEADER_SIZE) {
        facet_report_add(report, fault.rule, FACET_SEVERITY_ERROR, fault.offset, "%s",
                         fault.message);
        return FACET_OK;
    }
    facet_bti_header_load(source->data, &header);
    facet_bti_check_header(&header, source->size, 0, report);
    if (status) /* already reported */
        return FACET_OK;
    status = facet_bti_get_texture(document, &texture, error);
    if (!status && facet_gx_palette_limit(texture.format) > 0)
        status = check_indices(&texture, options, report, error);
    facet_bti_free(document);
    return status;
}
