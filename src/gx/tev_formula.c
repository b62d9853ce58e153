/* gx/tev_formula.c - the texture environment as sums of products. */
#include "gx/tev.h"

#include <math.h>
#include <string.h>

typedef facet_gx_tev_formula formula;
typedef facet_gx_tev_term term;

/* -- Sums and products -------------------------------------------------- */

static formula constant(float value)
{
    formula f = {0};
    if (value != 0) {
        f.count = 1;
        f.terms[0].factor = value;
    }
    return f;
}

static formula variable(unsigned index)
{
    formula f = {0};
    f.count = 1;
    f.terms[0].factor = 1;
    f.terms[0].count = 1;
    f.terms[0].variables[0] = (uint8_t)index;
    if (index < FACET_GX_TEV_RASTER)
        f.textures = 1u << index / 4;
    else
        f.rasters = 1u << (index - FACET_GX_TEV_RASTER) / 4;
    return f;
}

static bool is_constant(const formula *f)
{
    return !f->complex && (f->count == 0 || (f->count == 1 && f->terms[0].count == 0));
}

static float constant_of(const formula *f)
{
    return f->count ? f->terms[0].factor : 0;
}

static bool is_value(const formula *f, float value)
{
    return is_constant(f) && constant_of(f) == value;
}

/* A complex formula with the dependencies of `a` and `b`. */
static formula complex_of(const formula *a, const formula *b)
{
    formula f = {0};
    f.complex = true;
    f.clamps = a->clamps || b->clamps;
    f.textures = a->textures | b->textures;
    f.rasters = a->rasters | b->rasters;
    return f;
}

/* Update the dependencies after terms were removed. */
static void find_variables(formula *f)
{
    f->textures = f->rasters = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        for (unsigned k = 0; k < f->terms[i].count; k++) {
            unsigned v = f->terms[i].variables[k];
            if (v < FACET_GX_TEV_RASTER)
                f->textures |= 1u << v / 4;
            else
                f->rasters |= 1u << (v - FACET_GX_TEV_RASTER) / 4;
        }
    }
}

static bool add_term(formula *f, const term *add)
{
    for (uint32_t i = 0; i < f->count; i++) {
        term *t = &f->terms[i];
        if (t->count != add->count || memcmp(t->variables, add->variables, t->count) != 0)
            continue;
        t->factor += add->factor;
        if (fabsf(t->factor) < 1e-6f)
            *t = f->terms[--f->count];
        return true;
    }
    if (f->count == FACET_GX_TEV_TERMS)
        return false;
    f->terms[f->count++] = *add;
    return true;
}

static formula sum(const formula *a, const formula *b, float factor)
{
    formula f = *a;
    bool ok = !a->complex && !b->complex;
    for (uint32_t i = 0; ok && i < b->count; i++) {
        term t = b->terms[i];
        t.factor *= factor;
        ok = add_term(&f, &t);
    }
    if (!ok)
        return complex_of(a, b);
    f.clamps |= b->clamps;
    find_variables(&f);
    return f;
}

static bool multiply_terms(const term *a, const term *b, term *out)
{
    unsigned i = 0, k = 0;
    if (a->count + b->count > FACET_GX_TEV_FACTORS)
        return false;
    memset(out, 0, sizeof *out);
    out->factor = a->factor * b->factor;
    while (i < a->count || k < b->count) {
        bool take_a = k >= b->count || (i < a->count && a->variables[i] <= b->variables[k]);
        out->variables[out->count++] = take_a ? a->variables[i++] : b->variables[k++];
    }
    return true;
}

static formula product(const formula *a, const formula *b)
{
    formula f = {0};
    bool ok = !a->complex && !b->complex;
    if (is_value(a, 0) || is_value(b, 0))
        return f;
    for (uint32_t i = 0; ok && i < a->count; i++) {
        for (uint32_t k = 0; ok && k < b->count; k++) {
            term t;
            ok = multiply_terms(&a->terms[i], &b->terms[k], &t) && add_term(&f, &t);
        }
    }
    if (!ok)
        return complex_of(a, b);
    f.clamps = a->clamps || b->clamps;
    find_variables(&f);
    return f;
}

static bool same(const formula *a, const formula *b)
{
    formula difference = sum(a, b, -1);
    return !difference.complex && difference.count == 0;
}

/* -- One stage ---------------------------------------------------------- */

typedef struct machine {
    formula registers[4][4];
    formula texel[4], raster[4], konst[4];
} machine;

/* A, B and C have 8 bits: wrap larger register values. */
static formula wrapped(const formula *f)
{
    if (!is_constant(f))
        return *f;
    int value = (int)lrintf(constant_of(f) * 255);
    return value >= 0 && value <= 255 ? *f : constant((float)(value & 255) / 255);
}

static formula color_input(const machine *m, uint8_t input, unsigned c)
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
        return constant(1);
    case 13:
        return constant(128.0f / 255);
    case 14:
        return m->konst[c];
    default:
        return constant(0);
    }
}

static formula alpha_input(const machine *m, uint8_t input)
{
    if (input < 4)
        return m->registers[input][3];
    return input == 4   ? m->texel[3]
           : input == 5 ? m->raster[3]
           : input == 6 ? m->konst[3]
                        : constant(0);
}

/* Set `clamps` from the minimum and maximum for variables from 0 to 1. */
static void note_clamp(formula *f)
{
    float least = 0, most = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->terms[i].factor < 0 && f->terms[i].count)
            least += f->terms[i].factor;
        else if (f->terms[i].factor < 0)
            least += f->terms[i].factor, most += f->terms[i].factor;
        else if (f->terms[i].count)
            most += f->terms[i].factor;
        else
            least += f->terms[i].factor, most += f->terms[i].factor;
    }
    if (is_constant(f))
        *f = constant(least < 0 ? 0 : least > 1 ? 1 : least);
    else if (least < -0.003f || most > 1.003f)
        f->clamps = true;
}

static formula lerp(const formula *a, const formula *b, const formula *c)
{
    if (is_value(c, 0) || same(a, b))
        return *a;
    if (is_value(c, 1))
        return *b;
    formula difference = sum(b, a, -1), scaled = product(&difference, c);
    return sum(a, &scaled, 1);
}

static formula combine(const facet_gx_tev_combiner *how, const formula in[4])
{
    static const float scales[4] = {1, 2, 4, 0.5f};
    if (how->operation >= 8) {
        formula ab = complex_of(&in[0], &in[1]), cd = complex_of(&in[2], &in[3]);
        return complex_of(&ab, &cd);
    }
    formula a = wrapped(&in[0]), b = wrapped(&in[1]), c = wrapped(&in[2]);
    formula mix = lerp(&a, &b, &c);
    formula value = sum(&in[3], &mix, (how->operation & 1) ? -1.0f : 1.0f);
    if (how->bias == 1 || how->bias == 2) {
        formula bias = constant(how->bias == 1 ? 128.0f / 255 : -128.0f / 255);
        value = sum(&value, &bias, 1);
    }
    if (how->scale & 3) {
        formula scale = constant(scales[how->scale & 3]);
        value = product(&value, &scale);
    }
    if (how->clamp && !value.complex)
        note_clamp(&value);
    return value;
}

/* Add dependencies of comparisons. Those of colors read three components; those of alpha also read
 * colors, except the last kind. */
static void spread_comparisons(const facet_gx_tev_stage *stage, const formula in[4][4],
                               formula result[4])
{
    for (unsigned c = 0; c < 4; c++) {
        const facet_gx_tev_combiner *how = c == 3 ? &stage->alpha : &stage->color;
        for (unsigned other = 0; how->operation >= 8 && how->operation < 14 && other < 3; other++) {
            formula ab = complex_of(&in[0][other], &in[1][other]);
            result[c] = complex_of(&result[c], &ab);
        }
    }
}

static void run_stage(const facet_gx_tev_stage *stage, machine *m)
{
    formula in[4][4], result[4]; /* by input, then component */
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned c = 0; c < 3; c++)
            in[i][c] = color_input(m, stage->color.inputs[i], c);
        in[i][3] = alpha_input(m, stage->alpha.inputs[i]);
    }
    for (unsigned c = 0; c < 4; c++) {
        const formula of[4] = {in[0][c], in[1][c], in[2][c], in[3][c]};
        result[c] = combine(c == 3 ? &stage->alpha : &stage->color, of);
    }
    spread_comparisons(stage, (const formula(*)[4])in, result);
    memcpy(m->registers[stage->color.destination & 3], result, 3 * sizeof *result);
    m->registers[stage->alpha.destination & 3][3] = result[3];
}

/* -- All stages --------------------------------------------------------- */

/* Components from `first_known` on are numbers. */
static void swizzle(const facet_gx_material *material, uint8_t table, unsigned base,
                    unsigned first_known, const uint8_t number[4], formula out[4])
{
    const facet_gx_swap_table *swap = &material->swap_tables[table & 3];
    const unsigned from[4] = {swap->r & 3u, swap->g & 3u, swap->b & 3u, swap->a & 3u};
    for (unsigned c = 0; c < 4; c++)
        out[c] = from[c] >= first_known ? constant((float)number[from[c]] / 255)
                                        : variable(base + from[c]);
}

void facet_gx_tev_analyze(const facet_gx_material *material, const facet_gx_tev_leaf leaves[16],
                          facet_gx_tev_formula out[4])
{
    uint32_t stages = facet_gx_tev_stage_count(material);
    machine m;
    for (unsigned i = 0; i < 4; i++) {
        static const facet_gx_rgba16 white = {255, 255, 255, 255}; /* PREV is not loaded */
        const facet_gx_rgba16 *r = i < 3 ? &material->tev_registers[i] : &white;
        const int16_t parts[4] = {r->r, r->g, r->b, r->a};
        for (unsigned c = 0; c < 4; c++)
            m.registers[(i + 1) & 3][c] = constant((float)parts[c] / 255);
    }
    for (uint32_t i = 0; i < stages; i++) {
        uint8_t konst[4];
        const facet_gx_swap_mode *swap = &material->swap_modes[i];
        facet_gx_tev_konst(material, i, konst);
        for (unsigned c = 0; c < 4; c++)
            m.konst[c] = constant((float)konst[c] / 255);
        const facet_gx_tev_leaf *leaf = &leaves[i];
        swizzle(material, swap->texture_table, leaf->texture < 0 ? 0 : (unsigned)leaf->texture * 4,
                leaf->texture < 0 ? 0 : 4, leaf->texel, m.texel);
        swizzle(material, swap->raster_table,
                FACET_GX_TEV_RASTER + (leaf->raster < 0 ? 0 : (unsigned)leaf->raster * 4),
                leaf->raster < 0       ? 0
                : leaf->alpha_is_known ? 3
                                       : 4,
                leaf->color, m.raster);
        run_stage(&material->tev_stages[i], &m);
    }
    const facet_gx_tev_stage *last = &material->tev_stages[stages - 1];
    memcpy(out, m.registers[last->color.destination & 3], 3 * sizeof *out);
    out[3] = m.registers[last->alpha.destination & 3][3];
}
