/* gx/tev.c - the texture environment in the hardware's integers. A material is prepared once: each
 * input of a stage becomes the number of a value. */
#include "gx/tev.h"

#include "base/processor.h"

#include <string.h>

enum { OP_SUBTRACT = 1, OP_COMPARE = 8, BIAS_ADD = 1, BIAS_SUBTRACT = 2, SCALE_HALF = 3 };

uint32_t facet_gx_tev_stage_count(const facet_gx_material *material)
{
    uint32_t count = material->stage_count;
    return count == 0 ? 1 : count > 16 ? 16 : count;
}

/* -- Constants ---------------------------------------------------------- */

/* Selections 0 to 7 are eighths, 12 to 15 are whole colors. From 16 on they are one component of
 * one of four colors. */
static uint8_t konst_component(const facet_gx_material *material, uint8_t selection,
                               unsigned component)
{
    static const uint8_t eighths[8] = {255, 223, 191, 159, 128, 96, 64, 32};
    const facet_gx_rgba8 *k = &material->konst_colors[selection & 3];
    const uint8_t parts[4] = {k->r, k->g, k->b, k->a};
    if (selection < 8)
        return eighths[selection];
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

/* -- Program of a material ---------------------------------------------- */

/* The number of the value that input `input` of a color combiner reads for component c. */
static uint8_t color_value(uint8_t input, unsigned c)
{
    static const uint8_t whole[16] = {0,
                                      0,
                                      4,
                                      4,
                                      8,
                                      8,
                                      12,
                                      12,
                                      FACET_GX_TEXEL,
                                      FACET_GX_TEXEL,
                                      FACET_GX_RASTER,
                                      FACET_GX_RASTER,
                                      FACET_GX_ONE,
                                      FACET_GX_HALF,
                                      FACET_GX_KONST,
                                      FACET_GX_ZERO};
    input = input < 16 ? input : 15;
    if (input == 12 || input == 13 || input == 15)
        return whole[input];
    bool is_alpha = input < 12 && (input & 1);
    return (uint8_t)(whole[input] + (is_alpha ? 3 : c));
}

static uint8_t alpha_value(uint8_t input)
{
    static const uint8_t values[8] = {
        3, 7, 11, 15, FACET_GX_TEXEL + 3, FACET_GX_RASTER + 3, FACET_GX_KONST + 3, FACET_GX_ZERO};
    return values[input < 8 ? input : 7];
}

static void set_combination(const facet_gx_tev_combiner *from, facet_gx_combination *to)
{
    static const uint8_t shifts[4] = {0, 1, 2, 0};
    uint8_t scale = from->scale & 3;
    to->operation = from->operation >= OP_COMPARE ? (from->operation & 7) | OP_COMPARE
                                                  : (from->operation & 7) == OP_SUBTRACT;
    to->shift = shifts[scale];
    to->half = scale == SCALE_HALF;
    to->clamp = from->clamp != 0;
    to->bias = from->bias == BIAS_ADD ? 128 : from->bias == BIAS_SUBTRACT ? -128 : 0;
    to->destination = (uint8_t)((from->destination & 3) * 4);
}

static void set_swap(const facet_gx_material *material, uint8_t table, uint8_t swap[4])
{
    const facet_gx_swap_table *from = &material->swap_tables[table & 3];
    swap[0] = from->r & 3;
    swap[1] = from->g & 3;
    swap[2] = from->b & 3;
    swap[3] = from->a & 3;
}

static uint8_t raster_of(uint8_t channel)
{
    static const uint8_t rasters[9] = {
        0, 1, 0, 1, 0, 1, FACET_GX_NO_RASTER, FACET_GX_BUMP, FACET_GX_BUMP_NORMAL};
    return channel < 9 ? rasters[channel] : FACET_GX_NO_RASTER;
}

static bool reads_texel(const facet_gx_program_stage *stage)
{
    for (unsigned i = 0; i < 16; i++) {
        uint8_t value = stage->inputs[i / 4][i % 4];
        if (value >= FACET_GX_TEXEL && value < FACET_GX_TEXEL + 4)
            return true;
    }
    return false;
}

static void set_indirect(const facet_gx_program *program, const facet_gx_indirect_stage *from,
                         facet_gx_program_stage *to)
{
    to->table = from->stage < program->indirect_count ? (int8_t)from->stage : -1;
    to->format = from->format & 3;
    to->bias = from->bias & 7;
    to->wrap[0] = from->wrap_s;
    to->wrap[1] = from->wrap_t;
    to->bump = to->table >= 0 ? from->bump_alpha & 3 : 0;
    to->add_previous = from->add_previous != 0;
    to->matrix = to->table >= 0 ? from->matrix & 3 : 0;
    to->matrix_kind = from->matrix >> 2 & 3;
    to->indirect = to->bump || to->matrix || to->add_previous || from->wrap_s || from->wrap_t;
}

/* Set the map whose size scales a coordinate: the map of the last order. Orders of coordinates
 * beyond the texgens sample coordinate 0. Their map scales it only if no other order does, because
 * the chip then uses the state of another model. */
static void size_coordinate(facet_gx_program *program, uint8_t texcoord, uint8_t map)
{
    if (map == FACET_GX_NO_MAP || texcoord >= 8)
        return;
    if (texcoord < program->texgen_count)
        program->coordinate_maps[texcoord] = map;
    else if (program->coordinate_maps[0] == FACET_GX_NO_MAP)
        program->coordinate_maps[0] = map;
}

static void set_stage(const facet_gx_material *material, uint32_t index, facet_gx_program *program)
{
    const facet_gx_tev_stage *from = &material->tev_stages[index];
    const facet_gx_tev_order *order = &material->tev_orders[index];
    facet_gx_program_stage *to = &program->stages[index];
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned c = 0; c < 3; c++)
            to->inputs[i][c] = color_value(from->color.inputs[i], c);
        to->inputs[i][3] = alpha_value(from->alpha.inputs[i]);
    }
    set_combination(&from->color, &to->color);
    set_combination(&from->alpha, &to->alpha);
    facet_gx_tev_konst(material, index, to->konst);
    set_swap(material, material->swap_modes[index].texture_table, to->texture_swap);
    set_swap(material, material->swap_modes[index].raster_table, to->raster_swap);
    /* Coordinates beyond the texgens sample the first. */
    to->texcoord = order->texcoord < program->texgen_count ? order->texcoord : 0;
    to->map = order->texmap < 8 ? order->texmap : FACET_GX_NO_MAP;
    to->raster = raster_of(order->channel);
    if (to->raster < 2 && to->raster >= material->channel_count)
        to->raster = FACET_GX_NO_RASTER;
    to->samples = reads_texel(to);
    if (material->indirect.enabled)
        set_indirect(program, &material->indirect.stages[index], to);
    else
        to->table = -1;
    size_coordinate(program, order->texcoord, to->map);
}

/* NaN becomes 0. */
static int mantissa(float value)
{
    float scaled = value * 1024;
    return scaled >= 1023 ? 1023 : scaled > -1024 ? (int)scaled : scaled <= -1024 ? -1024 : 0;
}

static void set_indirects(const facet_gx_material *material, facet_gx_program *program)
{
    const facet_gx_indirect *from = &material->indirect;
    program->indirect_count = from->enabled ? (from->stage_count < 4 ? from->stage_count : 4) : 0;
    for (unsigned i = 0; i < 4; i++) {
        program->indirects[i].texcoord =
            from->orders[i].texcoord < program->texgen_count ? from->orders[i].texcoord : 0;
        program->indirects[i].map =
            from->orders[i].texmap < 8 ? from->orders[i].texmap : FACET_GX_NO_MAP;
        program->indirects[i].shift[0] = from->scales[i].s < 9 ? from->scales[i].s : 0;
        program->indirects[i].shift[1] = from->scales[i].t < 9 ? from->scales[i].t : 0;
    }
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 6; k++)
            program->matrices[i].rows[k / 3][k % 3] =
                (int16_t)mantissa(from->matrices[i].rows[k / 3][k % 3]);
        program->matrices[i].exponent = from->matrices[i].exponent;
    }
}

/* Clamp to 11 bits with sign. */
static int16_t to_register(int value)
{
    return (int16_t)(((value + 1024) & 2047) - 1024);
}

void facet_gx_program_make(const facet_gx_material *material, facet_gx_program *program)
{
    memset(program, 0, sizeof *program);
    program->stage_count = facet_gx_tev_stage_count(material);
    program->texgen_count = material->texgen_count < 8 ? material->texgen_count : 8;
    memset(program->coordinate_maps, FACET_GX_NO_MAP, sizeof program->coordinate_maps);
    for (unsigned i = 0; i < 4; i++)
        program->registers[i] = 255;
    for (unsigned i = 0; i < 3; i++) {
        const facet_gx_rgba16 *r = &material->tev_registers[i];
        int16_t *to = &program->registers[(i + 1) * 4];
        to[0] = to_register(r->r), to[1] = to_register(r->g);
        to[2] = to_register(r->b), to[3] = to_register(r->a);
    }
    set_indirects(material, program);
    for (uint32_t i = 0; i < program->stage_count; i++)
        set_stage(material, i, program);
    for (uint32_t i = 0; i < program->indirect_count; i++)
        size_coordinate(program, material->indirect.orders[i].texcoord, program->indirects[i].map);
    /* The output of the last stage, in any register. */
    const facet_gx_program_stage *last = &program->stages[program->stage_count - 1];
    program->color_result = last->color.destination;
    program->alpha_result = (uint8_t)(last->alpha.destination + 3);
}

/* -- One stage ---------------------------------------------------------- */

static FACET_ALWAYS_INLINE int clamp_to(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* The mix of a and b by c, in 256ths. */
static FACET_ALWAYS_INLINE int mix_of(int a, int b, int c)
{
    a &= 255, b &= 255, c &= 255;
    return (a << 8) + (b - a) * (c + (c >> 7));
}

static int blend(const facet_gx_combination *how, int a, int b, int c, int d)
{
    int mix = mix_of(a, b, c) * (1 << how->shift);
    mix += how->half ? 0 : how->operation == OP_SUBTRACT ? 127 : 128;
    mix >>= 8;
    int value = (d + how->bias) * (1 << how->shift) + (how->operation ? -mix : mix);
    return how->half ? value >> 1 : value;
}

/* True if a combination only adds, as most do. */
static bool only_adds(const facet_gx_combination *how)
{
    return how->operation == 0 && how->shift == 0 && !how->half && how->bias == 0;
}

/* Red, green, blue and alpha (index 3) of `a` and `b`. */
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

static int combine(const facet_gx_combination *how, int in[4][4], unsigned component)
{
    int c = in[2][component], d = in[3][component];
    return how->operation >= OP_COMPARE
               ? d + (compare(how->operation, in[0], in[1], component) ? c & 255 : 0)
               : blend(how, in[0][component], in[1][component], c, d);
}

/* Combine the components `first` up to `end`. */
static FACET_ALWAYS_INLINE void combine_some(const facet_gx_combination *how, int in[4][4],
                                             unsigned first, unsigned end, int result[4])
{
    int least = how->clamp ? 0 : -1024, most = how->clamp ? 255 : 1023;
    bool adds = only_adds(how);
    for (unsigned c = first; c < end; c++) {
        int value = adds ? in[3][c] + ((mix_of(in[0][c], in[1][c], in[2][c]) + 128) >> 8)
                         : combine(how, in, c);
        result[c] = clamp_to(value, least, most);
    }
}

void facet_gx_stage_run(const facet_gx_program_stage *stage, int values[FACET_GX_VALUES])
{
    int in[4][4], result[4];
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned c = 0; c < 4; c++)
            in[i][c] = values[stage->inputs[i][c]];
    }
    combine_some(&stage->color, in, 0, 3, result);
    combine_some(&stage->alpha, in, 3, 4, result);
    memcpy(&values[stage->color.destination], result, 3 * sizeof *result);
    values[stage->alpha.destination + 3] = result[3];
}

/* -- Indirect textures -------------------------------------------------- */

/* Wrap to 24 bits with sign. */
static int32_t to_24_bits(int64_t value)
{
    return (int32_t)(((value + 0x800000) & 0xFFFFFF) - 0x800000);
}

static int64_t shift_by_exponent(int64_t value, int exponent)
{
    if (exponent < 0)
        return value >> (exponent < -63 ? 63 : -exponent);
    return value * ((int64_t)1 << (exponent > 31 ? 31 : exponent));
}

/* `wrap` 1 to 5 keeps 256 down to 16 texels, 6 keeps none. */
static int32_t wrapped(int32_t value, uint8_t wrap)
{
    return wrap == 0 ? value : wrap > 5 ? 0 : value & ((256 >> (wrap - 1) << 7) - 1);
}

void facet_gx_indirect_move(const facet_gx_program *program, const facet_gx_program_stage *stage,
                            const uint8_t texel[4], const int32_t at[2], const int32_t previous[2],
                            int32_t out[2], uint8_t *bump)
{
    static const uint8_t part_shifts[4] = {0, 3, 4, 5}, bump_shifts[4] = {0, 5, 4, 3};
    /* s, t and u are alpha, blue and green. */
    const int raw[3] = {texel[3], texel[2], texel[1]};
    int64_t offset[2] = {0, 0};
    if (stage->bump)
        *bump = (uint8_t)(raw[stage->bump - 1] << bump_shifts[stage->format] & 0xF8);
    if (stage->matrix) {
        int parts[3];
        int exponent = program->matrices[stage->matrix - 1].exponent;
        for (unsigned i = 0; i < 3; i++) {
            parts[i] = raw[i] >> part_shifts[stage->format];
            if (stage->bias >> i & 1)
                parts[i] += stage->format == 0 ? -128 : 1;
        }
        for (unsigned i = 0; i < 2; i++) {
            const int16_t *row = program->matrices[stage->matrix - 1].rows[i];
            offset[i] = stage->matrix_kind == 0
                            ? (row[0] * parts[0] + row[1] * parts[1] + row[2] * parts[2]) >> 3
                            : ((int64_t)at[i] * parts[stage->matrix_kind == 1 ? 0 : 1]) >> 8;
            offset[i] = shift_by_exponent(offset[i], exponent);
        }
    }
    for (unsigned i = 0; i < 2; i++)
        out[i] = to_24_bits(wrapped(at[i], stage->wrap[i]) + offset[i] +
                            (stage->add_previous ? previous[i] : 0));
}

/* -- All stages --------------------------------------------------------- */

static void swizzle(const uint8_t swap[4], const uint8_t in[4], int out[4])
{
    for (unsigned c = 0; c < 4; c++)
        out[c] = in[swap[c]];
}

static void start(const facet_gx_program *program, int values[FACET_GX_VALUES])
{
    for (unsigned i = 0; i < 16; i++)
        values[i] = program->registers[i];
    values[FACET_GX_ONE] = 255;
    values[FACET_GX_HALF] = 128;
    values[FACET_GX_ZERO] = 0;
}

static void finish(const facet_gx_program *program, const int values[FACET_GX_VALUES],
                   uint8_t out[4])
{
    for (unsigned c = 0; c < 3; c++)
        out[c] = (uint8_t)values[program->color_result + c];
    out[3] = (uint8_t)values[program->alpha_result];
}

static void look_up_indirects(const facet_gx_program *program, const facet_gx_fragment *fragment,
                              facet_gx_lookup *lookup, void *user, uint8_t texels[4][4])
{
    for (uint32_t i = 0; i < program->indirect_count; i++) {
        unsigned texcoord = program->indirects[i].texcoord;
        const int32_t *from = fragment->coordinates[texcoord];
        const int32_t at[2] = {from[0] >> program->indirects[i].shift[0],
                               from[1] >> program->indirects[i].shift[1]};
        memset(texels[i], 0xFF, 4);
        if (program->indirects[i].map != FACET_GX_NO_MAP)
            lookup(user, program->indirects[i].map, texcoord, at, texels[i]);
    }
}

static void get_raster(const facet_gx_program_stage *stage, const facet_gx_fragment *fragment,
                       uint8_t bump, uint8_t out[4])
{
    if (stage->raster < FACET_GX_NO_RASTER)
        memcpy(out, fragment->rasters[stage->raster], 4);
    else if (stage->raster == FACET_GX_NO_RASTER)
        memset(out, 0, 4);
    else
        memset(out, stage->raster == FACET_GX_BUMP ? bump : bump | bump >> 5, 4);
}

void facet_gx_program_run(const facet_gx_program *program, const facet_gx_fragment *fragment,
                          facet_gx_lookup *lookup, void *user, uint8_t out[4])
{
    int values[FACET_GX_VALUES];
    uint8_t indirect[4][4], color[4], bump = 0;
    int32_t at[2] = {0, 0};
    start(program, values);
    look_up_indirects(program, fragment, lookup, user, indirect);
    for (uint32_t i = 0; i < program->stage_count; i++) {
        const facet_gx_program_stage *stage = &program->stages[i];
        const int32_t *from = fragment->coordinates[stage->texcoord];
        if (stage->indirect) {
            static const uint8_t nothing[4] = {0, 0, 0, 0};
            int32_t moved[2];
            facet_gx_indirect_move(program, stage,
                                   stage->table >= 0 ? indirect[stage->table] : nothing, from, at,
                                   moved, &bump);
            memcpy(at, moved, sizeof at);
        } else {
            memcpy(at, from, sizeof at);
        }
        for (unsigned c = 0; c < 4; c++)
            values[FACET_GX_KONST + c] = stage->konst[c];
        if (stage->samples) {
            memset(color, 0xFF, 4);
            if (stage->map != FACET_GX_NO_MAP)
                lookup(user, stage->map, stage->texcoord, at, color);
            swizzle(stage->texture_swap, color, &values[FACET_GX_TEXEL]);
        }
        get_raster(stage, fragment, bump, color);
        swizzle(stage->raster_swap, color, &values[FACET_GX_RASTER]);
        facet_gx_stage_run(stage, values);
    }
    finish(program, values, out);
}

/* -- Known texels -------------------------------------------------------- */

void facet_gx_program_evaluate(const facet_gx_program *program, const facet_gx_tev_inputs *inputs,
                               uint8_t out[4])
{
    int values[FACET_GX_VALUES];
    start(program, values);
    for (uint32_t i = 0; i < program->stage_count; i++) {
        const facet_gx_program_stage *stage = &program->stages[i];
        for (unsigned c = 0; c < 4; c++)
            values[FACET_GX_KONST + c] = stage->konst[c];
        swizzle(stage->texture_swap, inputs->texels[i], &values[FACET_GX_TEXEL]);
        swizzle(stage->raster_swap, inputs->rasters[i], &values[FACET_GX_RASTER]);
        facet_gx_stage_run(stage, values);
    }
    finish(program, values, out);
}

void facet_gx_tev_evaluate(const facet_gx_material *material, const facet_gx_tev_inputs *inputs,
                           uint8_t out[4])
{
    facet_gx_program program;
    facet_gx_program_make(material, &program);
    facet_gx_program_evaluate(&program, inputs, out);
}
