/* formats/stl/write.c - an STL document to bytes. */
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text_output.h"
#include "formats/stl/stl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Triangles between two progress calls. */
#define STRIDE 65536

/* -- Binary ------------------------------------------------------------- */

static bool is_blank(const uint8_t *header)
{
    for (size_t i = 0; i < FACET_STL_HEADER_SIZE; i++) {
        if (header[i] != 0)
            return false;
    }
    return true;
}

static facet_status write_binary(const facet_stl *stl, const facet_options *options,
                                 facet_output *output, facet_error *error)
{
    uint8_t prefix[FACET_STL_PREFIX_SIZE] = "facet";
    if (!is_blank(stl->header))
        memcpy(prefix, stl->header, FACET_STL_HEADER_SIZE);
    facet_store_u32le(prefix + FACET_STL_HEADER_SIZE, stl->triangle_count);
    facet_output_write(output, prefix, sizeof prefix);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < stl->triangle_count && !status;) {
        uint32_t count = stl->triangle_count - i < STRIDE ? stl->triangle_count - i : STRIDE;
        status = facet_step(options, "write", (double)i / stl->triangle_count, error);
        if (!status)
            facet_output_write(output, stl->triangles + (size_t)i * FACET_STL_RECORD_SIZE,
                               (size_t)count * FACET_STL_RECORD_SIZE);
        i += count;
    }
    bool named = stl->solid_count > 1 || (stl->solid_count == 1 && *stl->solids[0].name);
    if (named)
        facet_report_add(
            options ? options->report : NULL, "LOSS-NAMES", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
            "a binary STL is one solid without a name (%" PRIu32 " solids)", stl->solid_count);
    return status;
}

/* -- ASCII -------------------------------------------------------------- */

/* Write a name on one line. */
static void put_name(facet_text_output *out, const char *name)
{
    char text[2] = " ";
    facet_put_text(out, *name ? text : "");
    for (; *name; name++) {
        text[0] = (unsigned char)*name < ' ' ? ' ' : *name;
        facet_put_text(out, text);
    }
    facet_put_text(out, "\n");
}

static facet_status put_triangle(facet_text_output *out, const facet_stl *stl, uint32_t index,
                                 facet_error *error)
{
    facet_stl_triangle t = facet_stl_get(stl, index);
    if (facet_find_nonfinite_float(t.corners, 9) < 9)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "STL-NONFINITE", FACET_NO_OFFSET,
                          "triangle %" PRIu32
                          " has a corner that is not finite, which ASCII STL cannot express",
                          index);
    for (int i = 0; i < 3; i++)
        t.normal[i] = isfinite(t.normal[i]) ? t.normal[i] : 0;
    facet_put_text(out, "facet normal");
    facet_put_numbers(out, t.normal, 3);
    facet_put_text(out, "\n outer loop\n");
    for (int corner = 0; corner < 3; corner++) {
        facet_put_text(out, "  vertex");
        facet_put_numbers(out, t.corners[corner], 3);
        facet_put_text(out, "\n");
    }
    facet_put_text(out, " endloop\nendfacet\n");
    return FACET_OK;
}

static facet_status write_ascii(const facet_stl *stl, const facet_options *options,
                                facet_output *output, facet_error *error)
{
    facet_stl_solid whole = {"", 0, stl->triangle_count};
    const facet_stl_solid *solids = stl->solid_count > 0 ? stl->solids : &whole;
    uint32_t solid_count = stl->solid_count > 0 ? stl->solid_count : 1;
    facet_text_output out = {.output = output};
    facet_tally lost = {0};
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < solid_count && !status; i++) {
        uint32_t end = solids[i].first_triangle + solids[i].triangle_count;
        facet_put_text(&out, "solid");
        put_name(&out, solids[i].name);
        for (uint32_t k = solids[i].first_triangle; k < end && !status; k++) {
            if (k % STRIDE == 0)
                status = facet_step(options, "write", (double)k / stl->triangle_count, error);
            if (!status)
                status = put_triangle(&out, stl, k, error);
            if (facet_load_u16le(stl->triangles + (size_t)k * FACET_STL_RECORD_SIZE + 48))
                facet_tally_hit(&lost, k);
        }
        facet_put_text(&out, "endsolid");
        put_name(&out, solids[i].name);
    }
    facet_put_flush(&out);
    facet_report_add_tally(options ? options->report : NULL, "LOSS-UNREAD", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &lost,
                           "ASCII STL cannot hold the attributes of triangle %" PRIu64, lost.first);
    return status;
}

facet_status facet_stl_write(const facet_stl *document, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    TRY(facet_check_options(options, error));
    TRY(FACET_CHECK_STRUCT(options ? options->stl : NULL, facet_stl_options, error));
    TRY(facet_stl_check_document(document, error));
    bool ascii = options && options->stl && options->stl->encoding == FACET_STL_ASCII;
    return ascii ? write_ascii(document, options, output, error)
                 : write_binary(document, options, output, error);
}
