/* formats/ply/to_scene_names.c - the table of property names. */
#include "formats/ply/to_scene_names.h"

#include "base/color.h"
#include "base/report.h"
#include "formats/ply/ply.h"

const facet_ply_stream_names facet_ply_streams[] = {
    {FACET_POSITION, {"x", "y", "z"}, 3, 3},
    {FACET_NORMAL, {"nx", "ny", "nz"}, 3, 3},
    {FACET_NORMAL, {"normal_x", "normal_y", "normal_z"}, 3, 3},
    {FACET_NORMAL, {"normalx", "normaly", "normalz"}, 3, 3},
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

static void divide(float *values, size_t count, uint32_t width, uint32_t used, float unit)
{
    for (size_t i = 0; i < count && unit != 1; i++) {
        for (uint32_t c = 0; c < used; c++)
            values[i * width + c] /= unit;
    }
}

static void report_bytes(facet_report *report, float most)
{
    if (most > 0)
        facet_report_add(report, "PLY-COLOR-BYTES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "colors are whole numbers up to %g in a type that is wider than a byte; "
                         "they are divided by 255",
                         (double)most);
}

/* Divisor of alpha in a wide type. Values up to 1 are opacities in any type, because as bytes they
 * would be invisible. Larger values are bytes if the colors are bytes, even if few are large. */
static float alpha_unit(facet_ply_type type, const float *alpha, size_t count, uint32_t width,
                        bool near_bytes)
{
    float least = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        least = alpha[i * width] < least ? alpha[i * width] : least;
        most = alpha[i * width] > most ? alpha[i * width] : most;
    }
    if (most <= 1)
        return 1;
    bool is_byte = facet_color_bytes(alpha, count, width, 1) > 0;
    return is_byte || (near_bytes && least >= 0 && most <= 255) ? 255 : facet_ply_unit(type);
}

void facet_ply_scale_colors(const facet_ply_property *const *found, float *values, size_t count,
                            uint32_t width, facet_report *report)
{
    enum { ALPHA = 3 };
    facet_ply_type type = found[0]->type;
    bool near_bytes = type == FACET_PLY_UINT8;
    if (type >= FACET_PLY_INT32) {
        float most = facet_color_bytes(values, count, width, ALPHA);
        near_bytes = most > 0;
        report_bytes(report, most);
        divide(values, count, width, ALPHA, near_bytes ? 255 : facet_ply_unit(type));
    }
    if (width > ALPHA && found[ALPHA]->type >= FACET_PLY_INT32) {
        float *alpha = values + ALPHA;
        float unit = alpha_unit(found[ALPHA]->type, alpha, count, width, near_bytes);
        if (unit == 255 && !near_bytes)
            report_bytes(report, facet_color_bytes(alpha, count, width, 1));
        divide(alpha, count, width, 1, unit);
    }
}
