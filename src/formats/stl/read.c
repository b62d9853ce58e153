/* formats/stl/read.c - bytes to an STL document. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/stl/stl.h"

#include <inttypes.h>
#include <string.h>

/* -- Binary ------------------------------------------------------------- */

/* Triangles after which the pages of a large file are released. */
#define FORGET 65536

/* Find the color convention. Magics writes the object's color into the header, and a material,
 * whose diffuse color has priority. The other convention marks each color with a bit. */
static void find_colors(const facet_source *source, facet_stl *stl)
{
    const uint8_t *color = facet_stl_material(stl);
    if (!color)
        color = facet_stl_header_value(stl, "COLOR=", 4);
    if (color) {
        stl->colors = FACET_STL_COLORS_MATERIALISE;
        memcpy(stl->object_color, color, 4);
        return;
    }
    const uint8_t *last_byte = stl->triangles + FACET_STL_RECORD_SIZE - 1;
    for (size_t i = 0; i < stl->triangle_count; i++) {
        if (last_byte[i * FACET_STL_RECORD_SIZE] & 0x80) {
            stl->colors = FACET_STL_COLORS_VISCAM;
            return;
        }
        if (i % FORGET == FORGET - 1)
            facet_source_forget(source, stl->triangles + (i - (FORGET - 1)) * FACET_STL_RECORD_SIZE,
                                stl->triangles + i * FACET_STL_RECORD_SIZE);
    }
}

static facet_status read_binary(const facet_source *source, const facet_options *options,
                                facet_stl *stl, facet_error *error)
{
    if (source->size < FACET_STL_PREFIX_SIZE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "STL-HEADER", source->size,
                          "the file has %zu bytes and does not begin with 'solid'; a binary STL "
                          "has at least %d",
                          source->size, FACET_STL_PREFIX_SIZE);
    uint64_t left = source->size - FACET_STL_PREFIX_SIZE;
    uint32_t count = facet_load_u32le(source->data + FACET_STL_HEADER_SIZE);
    if (count == 0 && left > 0 && left % FACET_STL_RECORD_SIZE == 0 &&
        left / FACET_STL_RECORD_SIZE <= UINT32_MAX) {
        count = (uint32_t)(left / FACET_STL_RECORD_SIZE);
        facet_report_add(options ? options->report : NULL, "STL-SIZE", FACET_SEVERITY_WARNING,
                         FACET_STL_HEADER_SIZE, "the count is 0, and %" PRIu32 " triangle%s read",
                         count, facet_plural(count, " follows and is", "s follow and are"));
    }
    if (count > left / FACET_STL_RECORD_SIZE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "STL-SIZE", FACET_STL_HEADER_SIZE,
                          "%" PRIu32 " triangles of %d bytes do not fit into the %" PRIu64
                          " bytes that follow",
                          count, FACET_STL_RECORD_SIZE, left);
    memcpy(stl->header, source->data, FACET_STL_HEADER_SIZE);
    stl->triangles = source->data + FACET_STL_PREFIX_SIZE;
    stl->triangle_count = count;
    find_colors(source, stl);
    uint64_t end = FACET_STL_PREFIX_SIZE + (uint64_t)count * FACET_STL_RECORD_SIZE;
    if (end < source->size)
        facet_report_add(options ? options->report : NULL, "STL-TRAILING", FACET_SEVERITY_WARNING,
                         end, "%" PRIu64 " byte%s the last triangle, and %s not read",
                         (uint64_t)source->size - end,
                         facet_plural(source->size - end, " follows", "s follow"),
                         facet_plural(source->size - end, "is", "are"));
    return FACET_OK;
}

/* -- Reading ------------------------------------------------------------ */

facet_status facet_stl_read(const facet_source *source, const facet_options *options,
                            facet_stl **document, facet_error *error)
{
    facet_stl *stl = NULL;
    facet_status status = facet_check_options(options, error);
    if (!status)
        status = facet_step(options, "read", 0, error);
    if (!status)
        status = facet_stl_create(options, &stl, error);
    if (status)
        return status;
    if (!facet_stl_is_binary(source) && facet_stl_is_ascii(source))
        status = facet_stl_read_ascii(source, options, stl, error);
    else
        status = read_binary(source, options, stl, error);
    if (!status && stl->triangle_count == 0)
        facet_report_add(options ? options->report : NULL, "STL-EMPTY", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "the file has no triangles");
    if (status) {
        facet_stl_free(stl);
        return status;
    }
    *document = stl;
    return FACET_OK;
}
