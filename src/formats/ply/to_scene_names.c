/* formats/ply/to_scene_names.c - the table of names. */
#include "formats/ply/to_scene_names.h"

#include "base/color.h"
#include "base/report.h"
#include "formats/ply/ply.h"

const facet_ply_stream_names facet_ply_streams[] = {
    {FACET_POSITION, {"x", "y", "z"}, 3, 3},
    {FACET_NORMAL, {"nx", "ny", "nz"}, 3, 3},
    {FACET_COLOR, {"red", "green", "blue", "alpha"}, 3, 4},
    {FACET_COLOR, {"r", "g", "b", "a"}, 3, 4},
    {FACET_COLOR, {"diffuse_red", "diffuse_green", "diffuse_blue", "diffuse_alpha"}, 3, 4},
    {FACET_TEXCOORD, {"s", "t"}, 2, 2},
    {FACET_TEXCOORD, {"u", "v"}, 2, 2},
    {FACET_TEXCOORD, {"texture_u", "texture_v"}, 2, 2},
    {FACET_TEXCOORD, {"texture_s", "texture_t"}, 2, 2},
};
const size_t facet_ply_stream_count = sizeof facet_ply_streams / sizeof *facet_ply_streams;

uint32_t facet_ply_match(const facet_ply_element *element, const facet_ply_stream_names *names,
                         const facet_ply_property *found[4])
{
    uint32_t count = 0;
    while (count < names->count) {
        const facet_ply_property *p = facet_ply_find(element, names->names[count]);
        if (!p || p->is_list)
            break;
        found[count++] = p;
    }
    return count >= names->required ? count : 0;
}

float facet_ply_unit(facet_ply_type type)
{
    static const float most[] = {INT8_MAX,   UINT8_MAX,        INT16_MAX,
                                 UINT16_MAX, (float)INT32_MAX, (float)UINT32_MAX};
    return type <= FACET_PLY_UINT32 ? most[type] : 1;
}

float facet_ply_color_unit(facet_ply_type type)
{
    return type < FACET_PLY_INT32 ? facet_ply_unit(type) : 1;
}

void facet_ply_settle_colors(facet_ply_type type, float *values, size_t count, facet_report *report)
{
    if (type < FACET_PLY_INT32)
        return;
    float most = facet_color_bytes(values, count), unit = most > 0 ? 255 : facet_ply_unit(type);
    if (most > 0)
        facet_report_add(report, "PLY-COLOR-BYTES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "colors are whole numbers up to %g in a type that is wider than a byte; "
                         "they are divided by 255",
                         (double)most);
    for (size_t i = 0; i < count && unit != 1; i++)
        values[i] /= unit;
}
