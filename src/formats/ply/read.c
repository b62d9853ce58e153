/* formats/ply/read.c - bytes to a PLY document. */
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/ply/ply.h"

#include <inttypes.h>
#include <string.h>

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Report bytes after the last record; text can end with white space. */
static void look_behind(const facet_ply_body *body, const facet_ply *ply, facet_report *report)
{
    const facet_source *source = body->source;
    size_t at = body->position;
    while (ply->encoding == FACET_PLY_ASCII && at < source->size && is_space(source->data[at]))
        at++;
    if (at < source->size)
        facet_report_add(report, "PLY-TRAILING", FACET_SEVERITY_WARNING, at,
                         "%zu byte%s the last record, and %s not read", source->size - at,
                         facet_plural(source->size - at, " follows", "s follow"),
                         facet_plural(source->size - at, "is", "are"));
}

static facet_status read_body(const facet_source *source, const facet_options *options,
                              facet_ply *ply, facet_error *error)
{
    facet_report *report = options ? options->report : NULL;
    facet_ply_body body = {.source = source, .options = options, .error = error};
    uint64_t line = 0;
    facet_status status = facet_ply_read_header(source, report, ply, &body.position, &line, error);
    bool text = ply->encoding == FACET_PLY_ASCII;
    body.line = text ? line : 0;
    for (uint32_t i = 0; i < ply->element_count && !status; i++) {
        double share = (double)body.position / (double)source->size;
        body.told = share > body.told ? share : body.told;
        status = facet_step(options, "read", body.told, error);
        if (!status)
            status = text ? facet_ply_read_ascii(&body, ply, &ply->elements[i])
                          : facet_ply_read_binary(&body, ply, &ply->elements[i]);
    }
    if (!status)
        look_behind(&body, ply, report);
    return status;
}

facet_status facet_ply_read(const facet_source *source, const facet_options *options,
                            facet_ply **document, facet_error *error)
{
    facet_ply *ply = NULL;
    facet_status status = facet_check_options(options, error);
    if (!status)
        status = facet_ply_create(options, &ply, error);
    if (status)
        return status;
    status = read_body(source, options, ply, error);
    if (status) {
        facet_ply_free(ply);
        return status;
    }
    *document = ply;
    return FACET_OK;
}
