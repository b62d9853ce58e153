/* gx/tev.c - the texture environment in the hardware's integers. */
#include "gx/tev.h"

#include <string.h>

enum { OP_SUBTRACT = 1, OP_COMPARE = 8, BIAS_ADD = 1, BIAS_SUBTRACT = 2, SCALE_HALF = 3 };

uint32_t facet_gx_tev_stage_count(const facet_gx_material *material)
{
    uint32_t count = material->stage_count;
    return count == 0 ? 1 : count > 16 ? 16 : count;
}

/* -- Constants ---------------------------------------------------------- */

/* Selections 0 to 7 are eighths; 12 to 15 whole colors; from 16 on one component
 * of one of four colors. */
static uint8_t konst_component(const facet_gx_material *material, uint8_t selection,
                               unsigned component)
{
    const facet_gx_rgba8 *k = &material->konst_colors[selection & 3];
    const uint8_t parts[4] = {k->r, k->g, k->b, k->a};
    if (selection < 8)
        return (uint8_t)((8 - selection) * 255 / 8);
    if (selection >= 16 && selection < 32)
        return parts[(selection - 16) >> 2];
    return selection >= 12 && selection < 16 ? parts[component] : 0;
}

void facet_gx_tev_konst(const facet_gx_material *material, uint32_t stage, uint8_t out[4])
{
    uint8_t color = material->konst_color_selections[stage];
    uint8_t alpha = material->konst_alpha_selections[stage];
    color = color == 0xFF ? 0x0C : color;
    alpha = alpha == 0xFF ? 0x1C : alpha;
    for (unsigned i = 0; i < 3; i++)
        out[i] = konst_component(material, color, i);
    out[3] = konst_component(material, alpha, 3);
}

/* -- One stage ---------------------------------------------------------- */

typedef struct machine {
    int registers[4][4]; /* PREV, C0, C1, C2: r g b a */
    int texel[4], raster[4], konst[4];
} machine;

static int color_input(const machine *m, uint8_t input, unsigned c)
{
    if (input < 8)
        return m->registers[input >> 1][input & 1 ? 3 : c];
    switch (input) {
    case 8:
        return m->texel[c];
    case 9:
        return m->texel[3];
    case 10:
        return m->raster[c];
    case 11:
        return m->raster[3];
    case 12:
        return 255;
    case 13:
        return 128;
    case 14:
        return m->konst[c];
    default:
        return 0;
    }
}

static int alpha_input(const machine *m, uint8_t input)
{
    if (input < 4)
        return m->registers[input][3];
    return input == 4 ? m->texel[3] : input == 5 ? m->raster[3] : input == 6 ? m->konst[3] : 0;
}

static int clamp_to(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static int blend(const facet_gx_tev_combiner *how, int a, int b, int c, int d)
{
    static const int shifts[4] = {0, 1, 2, 0};
    int scale = how->scale & 3, shift = shifts[scale];
    int bias = how->bias == BIAS_ADD ? 128 : how->bias == BIAS_SUBTRACT ? -128 : 0;
    bool subtract = (how->operation & 7) == OP_SUBTRACT;
    a &= 255, b &= 255, c &= 255;
    c += c >> 7;
    int mix = ((a << 8) + (b - a) * c) * (1 << shift);
    mix += scale == SCALE_HALF ? 0 : subtract ? 127 : 128;
    mix >>= 8;
    int value = (d + bias) * (1 << shift) + (subtract ? -mix : mix);
    return scale == SCALE_HALF ? value >> 1 : value;
}

/* `a` and `b` are r, g, b, and alpha in 3. */
static bool compare(uint8_t operation, const int a[4], const int b[4], unsigned component)
{
    int x, y;
    switch ((operation >> 1) & 3) {
    case 0:
        x = a[0] & 255, y = b[0] & 255;
        break;
    case 1:
        x = (a[1] & 255) << 8 | (a[0] & 255), y = (b[1] & 255) << 8 | (b[0] & 255);
        break;
    case 2:
        x = (a[2] & 255) << 16 | (a[1] & 255) << 8 | (a[0] & 255);
        y = (b[2] & 255) << 16 | (b[1] & 255) << 8 | (b[0] & 255);
        break;
    default:
        x = a[component] & 255, y = b[component] & 255;
        break;
    }
    return operation & 1 ? x == y : x > y;
}

static int combine(const facet_gx_tev_combiner *how, const int in[4][4], unsigned component)
{
    int c = in[2][component], d = in[3][component];
    int value = how->operation >= OP_COMPARE
                    ? d + (compare(how->operation, in[0], in[1], component) ? c & 255 : 0)
                    : blend(how, in[0][component], in[1][component], c, d);
    return how->clamp ? clamp_to(value, 0, 255) : clamp_to(value, -1024, 1023);
}

static void run_stage(const facet_gx_tev_stage *stage, machine *m)
{
    int in[4][4], result[4];
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned c = 0; c < 3; c++)
            in[i][c] = color_input(m, stage->color.inputs[i], c);
        in[i][3] = alpha_input(m, stage->alpha.inputs[i]);
    }
    for (unsigned c = 0; c < 3; c++)
        result[c] = combine(&stage->color, in, c);
    result[3] = combine(&stage->alpha, in, 3);
    memcpy(m->registers[stage->color.destination & 3], result, 3 * sizeof *result);
    m->registers[stage->alpha.destination & 3][3] = result[3];
}

/* -- All stages --------------------------------------------------------- */

static void swizzle(const facet_gx_material *material, uint8_t table, const uint8_t in[4],
                    int out[4])
{
    const facet_gx_swap_table *swap = &material->swap_tables[table & 3];
    out[0] = in[swap->r & 3];
    out[1] = in[swap->g & 3];
    out[2] = in[swap->b & 3];
    out[3] = in[swap->a & 3];
}

void facet_gx_tev_evaluate(const facet_gx_material *material, const facet_gx_tev_inputs *inputs,
                           uint8_t out[4])
{
    uint32_t stages = facet_gx_tev_stage_count(material);
    machine m;
    for (unsigned i = 0; i < 4; i++) {
        /* The file has C0, C1, C2, PREV. */
        const facet_gx_rgba16 *r = &material->tev_registers[i];
        int *to = m.registers[(i + 1) & 3];
        to[0] = r->r, to[1] = r->g, to[2] = r->b, to[3] = r->a;
    }
    for (uint32_t i = 0; i < stages; i++) {
        uint8_t konst[4];
        const facet_gx_swap_mode *swap = &material->swap_modes[i];
        facet_gx_tev_konst(material, i, konst);
        for (unsigned c = 0; c < 4; c++)
            m.konst[c] = konst[c];
        swizzle(material, swap->texture_table, inputs->texels[i], m.texel);
        swizzle(material, swap->raster_table, inputs->rasters[i], m.raster);
        run_stage(&material->tev_stages[i], &m);
    }
    /* What the last stage wrote, wherever it went. */
    const facet_gx_tev_stage *last = &material->tev_stages[stages - 1];
    for (unsigned c = 0; c < 3; c++)
        out[c] = (uint8_t)m.registers[last->color.destination & 3][c];
    out[3] = (uint8_t)m.registers[last->alpha.destination & 3][3];
}
