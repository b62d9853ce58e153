/* j3d/scene_material.c - materials of the texture environment as materials of a
 * scene: what the stages compute is brought to "texture times vertex colour times
 * constant", and where it is more, computed into an image of its own. */
#include "j3d/scene_material.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "j3d/json.h"
#include "j3d/scene_bake.h"
#include "j3d/scene_texture.h"
#include "j3d/texture_matrix.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* All images that are computed take at most so many texels. */
#define MOST_BAKED_TEXELS ((uint64_t)1 << 24)

/* How a stage's texture lies on the surface. */
typedef struct mapping {
    bool is_uv;       /* on texture coordinates of the vertices */
    bool from_light;  /* on the colours of a channel: a ramp from dark to light */
    uint8_t texcoord; /* of the document */
    float rows[2][4]; /* u' and v' of (u, v, 1, 1) */
} mapping;

/* A texture as stages sample it. */
typedef struct sampled {
    uint16_t texture; /* of the document */
    mapping map;
} sampled;

/* An image that was computed. */
typedef struct baked {
    uint64_t hash;
    uint32_t image;
} baked;

typedef struct painter {
    const facet_j3d *document;
    facet_scene *scene;
    const facet_options *options;
    facet_error *error;
    facet_arena *scratch;
    facet_j3d_naming naming;
    uint32_t *image_of;
    uint32_t first_material; /* of the scene: slot 0 */
    uint64_t baked_texels;
    baked *baked;
    uint32_t baked_count;
    facet_tally approximated, unbaked;
} painter;

/* One material on its way. */
typedef struct work {
    facet_j3d_material m;
    sampled textures[FACET_J3D_TEV_TEXTURES];
    uint32_t texture_count;
    int texture_of[16]; /* of each stage, or -1 */
    facet_j3d_tev_leaf leaves[16];
    int base;   /* the texture that the scene's material shows, or -1 */
    bool exact; /* nothing had to be left out */
    facet_j3d_vertex_wants *wants;
    facet_material *out;
} work;

static float to_linear(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

/* -- Texture coordinates ------------------------------------------------ */

enum { FIRST_TEXTURE_MATRIX = 30, IDENTITY_MATRIX = 60, FIRST_TEXCOORD_SOURCE = 4 };

/* Modes whose input is what is seen, from where it is seen. */
static bool follows_view(unsigned mode)
{
    return mode == 1 || mode == 3 || mode == 6 || mode == 7 || mode == 9;
}

static mapping mapping_of(const facet_j3d_material *m, uint8_t texcoord)
{
    mapping map = {.rows = {{1, 0, 0, 0}, {0, 1, 0, 0}}};
    if (texcoord >= 8 || texcoord >= m->texgen_count)
        return map;
    const facet_j3d_texgen *gen = &m->texgens[texcoord];
    map.from_light = gen->type == 10;
    if (gen->type > 1 || gen->source < FIRST_TEXCOORD_SOURCE ||
        gen->source >= FIRST_TEXCOORD_SOURCE + 8)
        return map;
    map.texcoord = (uint8_t)(gen->source - FIRST_TEXCOORD_SOURCE);
    map.is_uv = true;
    if (gen->matrix < FIRST_TEXTURE_MATRIX || gen->matrix >= IDENTITY_MATRIX)
        return map;
    const facet_j3d_texture_matrix *record =
        &m->texture_matrices[(gen->matrix - FIRST_TEXTURE_MATRIX) / 3];
    float rows[3][4];
    map.is_uv = !follows_view(record->mode & 0x3F);
    facet_j3d_texture_matrix_rows(record, facet_j3d_turn_of(record->rotation), rows);
    /* Divided by a third coordinate that is the same everywhere. */
    float q = rows[2][2] + rows[2][3];
    bool divides =
        gen->type == 0 && record->projection == 0 && rows[2][0] == 0 && rows[2][1] == 0 && q != 0;
    for (int i = 0; i < 8; i++) {
        map.rows[i / 4][i % 4] = rows[i / 4][i % 4] / (divides ? q : 1);
        map.is_uv &= isfinite(map.rows[i / 4][i % 4]);
    }
    return map;
}

static bool same_mapping(const mapping *a, const mapping *b)
{
    return a->is_uv == b->is_uv && a->from_light == b->from_light && a->texcoord == b->texcoord &&
           memcmp(a->rows, b->rows, sizeof a->rows) == 0;
}

/* -- What comes into the stages ----------------------------------------- */

static uint8_t raster_channel(uint8_t channel)
{
    return channel == 0 || channel == 2 || channel == 4   ? 0
           : channel == 1 || channel == 3 || channel == 5 ? 1
                                                          : 0xFF;
}

static int find_texture(work *w, uint16_t texture, const mapping *map)
{
    for (uint32_t i = 0; i < w->texture_count; i++) {
        if (w->textures[i].texture == texture && same_mapping(&w->textures[i].map, map))
            return (int)i;
    }
    w->textures[w->texture_count].texture = texture;
    w->textures[w->texture_count].map = *map;
    return (int)w->texture_count++;
}

/* The colour of a channel's register. */
static void register_color(const facet_j3d_material *m, unsigned channel, uint8_t out[4])
{
    const facet_j3d_rgba8 *c = &m->material_colors[channel];
    out[0] = c->r, out[1] = c->g, out[2] = c->b, out[3] = c->a;
}

static void find_leaves(const painter *p, work *w)
{
    uint32_t stages = facet_j3d_tev_stages(&w->m);
    for (uint32_t i = 0; i < 16; i++) {
        const facet_j3d_tev_order *order = &w->m.tev_orders[i];
        facet_j3d_tev_leaf *leaf = &w->leaves[i];
        memset(leaf, 0, sizeof *leaf);
        /* Without a texture a stage sees white, without a channel black. */
        memset(leaf->texel, 0xFF, 4);
        leaf->texture = leaf->raster = w->texture_of[i] = -1;
        if (i >= stages)
            continue;
        uint16_t texture = order->texmap < 8 ? w->m.textures[order->texmap] : FACET_J3D_NONE;
        if (texture < p->document->textures.count) {
            mapping map = mapping_of(&w->m, order->texcoord);
            leaf->texture = w->texture_of[i] = find_texture(w, texture, &map);
        }
        uint8_t channel = raster_channel(order->channel);
        if (channel == 0xFF)
            continue;
        leaf->raster = channel;
        register_color(&w->m, channel, leaf->color);
    }
}

/* -- Textures that no material of a scene can have ---------------------- */

static const facet_image *image_of(const painter *p, const sampled *texture)
{
    return &p->scene->images[p->image_of[texture->texture]];
}

static void average(const facet_image *image, uint8_t out[4])
{
    uint64_t sums[4] = {0}, count = (uint64_t)image->width * image->height;
    const uint8_t *pixel = image->pixels;
    for (uint64_t i = 0; i < count; i++, pixel += image->channels) {
        for (uint32_t c = 0; c < image->channels; c++)
            sums[c] += pixel[c];
    }
    out[3] = 255;
    for (uint32_t c = 0; c < image->channels; c++)
        out[c] = (uint8_t)(sums[c] / count);
}

/* True when something of the colour is left without the texture. */
static bool is_addition(const facet_j3d_tev_formula formulas[4], uint32_t texture)
{
    for (unsigned c = 0; c < 3; c++) {
        if (formulas[c].complex)
            return false;
        for (uint32_t i = 0; i < formulas[c].count; i++) {
            bool without = true;
            for (unsigned k = 0; k < formulas[c].terms[i].count; k++)
                without &= formulas[c].terms[i].variables[k] / 4 != texture;
            if (without)
                return true;
        }
    }
    return false;
}

/* A ramp is looked up by red in s, the light that shades: its right end is lit.
 * Green, in t, is that of a second light, which is off, and so is what a stage sees
 * that takes nothing but green of the ramp. */
static void light_end(const work *w, uint32_t stage, const facet_image *image, uint8_t out[4])
{
    const facet_j3d_swap_table *swap = &w->m.swap_tables[w->m.swap_modes[stage].texture_table & 3];
    const uint8_t *pixels = image->pixels;
    size_t last = (size_t)image->width - 1;
    memset(out, 0, 4);
    if (swap->r == 1 && swap->g == 1 && swap->b == 1)
        return;
    out[3] = 255;
    memcpy(out, pixels + last * image->channels, image->channels);
}

/* Put one colour in place of a texture: nothing where it is added, as reflections
 * are; the light end of a ramp that follows the light; else its average. */
static void replace_texture(const painter *p, work *w, const facet_j3d_tev_formula formulas[4],
                            uint32_t texture)
{
    uint8_t texel[4] = {0, 0, 0, 0};
    const sampled *s = &w->textures[texture];
    const facet_image *image = image_of(p, s);
    if (!s->map.from_light && (s->map.is_uv || !is_addition(formulas, texture)))
        average(image, texel);
    for (uint32_t i = 0; i < 16; i++) {
        if (w->leaves[i].texture != (int)texture)
            continue;
        if (s->map.from_light)
            light_end(w, i, image, texel);
        w->leaves[i].texture = -1;
        memcpy(w->leaves[i].texel, texel, 4);
    }
    w->exact = false;
}

static bool is_lit(const facet_j3d_material *m, const facet_j3d_tev_formula formulas[4])
{
    uint32_t rasters = formulas[0].rasters | formulas[1].rasters | formulas[2].rasters;
    return ((rasters & 1) && m->channels[0].lighting) || ((rasters & 2) && m->channels[2].lighting);
}

/* What does not lie on texture coordinates goes first: without it, vertex colours
 * may be a factor of all that is left. */
static void settle_reflections(const painter *p, work *w)
{
    facet_j3d_tev_formula f[4];
    facet_j3d_tev_analyse(&w->m, w->leaves, f);
    w->out->unlit = !is_lit(&w->m, f);
    uint32_t used = f[0].textures | f[1].textures | f[2].textures | f[3].textures;
    for (uint32_t i = 0; i < w->texture_count; i++) {
        if (!(used >> i & 1) || w->textures[i].map.is_uv)
            continue;
        w->out->unlit &= !(w->textures[i].map.from_light && w->m.channels[0].lighting);
        replace_texture(p, w, f, i);
    }
}

/* -- Vertex colours and light ------------------------------------------- */

/* A raster colour that is not a vertex colour is the register's: alpha and the
 * rest may differ in that, and a stage has one leaf. */
static bool from_vertices(const facet_j3d_material *m, int raster, bool alpha)
{
    return m->channels[raster * 2 + alpha].material_source == 1;
}

/* A formula as (offset + R) * rest, R being component c of colours 0 of the vertices;
 * false when it is none such. */
static bool split_factor(const facet_j3d_tev_formula *f, unsigned component, float *offset)
{
    facet_j3d_tev_term with[FACET_J3D_TEV_TERMS]; /* R's terms, without R */
    uint32_t with_count = 0, matched = 0;
    *offset = 0;
    if (f->complex || f->rasters != 1)
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        facet_j3d_tev_term t = f->terms[i];
        if (t.count == 0 || t.variables[t.count - 1] < FACET_J3D_TEV_RASTER)
            continue;
        if (t.variables[--t.count] != FACET_J3D_TEV_RASTER + component ||
            (t.count && t.variables[t.count - 1] >= FACET_J3D_TEV_RASTER))
            return false;
        with[with_count++] = t;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        const facet_j3d_tev_term *t = &f->terms[i];
        if (t->count && t->variables[t->count - 1] >= FACET_J3D_TEV_RASTER)
            continue;
        uint32_t k = 0;
        while (k < with_count && (with[k].count != t->count ||
                                  memcmp(with[k].variables, t->variables, t->count) != 0))
            k++;
        if (k == with_count)
            return false;
        float ratio = t->factor / with[k].factor;
        if (matched++ > 0 && fabsf(ratio - *offset) > 1e-3f * (1 + fabsf(ratio)))
            return false;
        *offset = ratio;
    }
    return matched == 0 || matched == with_count;
}

/* What colour 0 of the vertices is to the colour: a factor of all three components,
 * by itself or after a linear function. What the stages then see in its place is
 * what makes that function 1: white, or where that is less, black. */
static bool find_vertex_color(const facet_j3d *document, const facet_j3d_tev_formula f[4],
                              facet_j3d_vertex_wants *wants, uint8_t seen[3])
{
    bool has_colors = document->vertices.arrays[FACET_J3D_ARRAY_COLOR0].bytes != NULL;
    uint32_t rasters = f[0].rasters | f[1].rasters | f[2].rasters;
    bool maps = false;
    for (unsigned c = 0; c < 3; c++) {
        float offset = 0;
        seen[c] = 255;
        wants->color_offset[c] = 0;
        wants->color_scale[c] = 1;
        if (!f[c].complex && f[c].count == 0)
            continue;
        if (f[c].rasters == 0) {
            maps = true;
            wants->color_offset[c] = 1;
            wants->color_scale[c] = 0;
            continue;
        }
        if (!split_factor(&f[c], c, &offset))
            return false;
        if (offset == 0)
            continue;
        maps = true;
        bool white = fabsf(offset + 1) >= fabsf(offset);
        float most = white ? offset + 1 : offset;
        seen[c] = white ? 255 : 0;
        wants->color_offset[c] = offset / most;
        wants->color_scale[c] = 1 / most;
    }
    wants->maps_color = maps;
    return rasters == 1 && (!maps || has_colors);
}

/* The same where alpha has a part in the colour, as a light's or as the vertices':
 * it is taken as if all of it were there. */
static bool find_without_alpha(const facet_j3d *document, work *w, uint8_t seen[3])
{
    facet_j3d_tev_formula f[4];
    facet_j3d_tev_leaf leaves[16];
    memcpy(leaves, w->leaves, sizeof leaves);
    for (uint32_t i = 0; i < 16; i++) {
        leaves[i].alpha_is_known = true;
        if (leaves[i].raster >= 0 && from_vertices(&w->m, leaves[i].raster, true))
            leaves[i].color[3] = 255;
    }
    facet_j3d_tev_analyse(&w->m, leaves, f);
    if (!find_vertex_color(document, f, w->wants, seen))
        return false;
    w->exact &= w->m.channels[1].lighting != 0;
    return true;
}

/* The formula is a multiple of alpha of colours 0 of the vertices. */
static bool has_alpha_factor(const facet_j3d_tev_formula *f)
{
    float offset;
    return f->count > 0 && split_factor(f, 3, &offset) && offset == 0;
}

/* Decide what comes from the vertices; what remains is computed with numbers: a
 * register's colour, or white in place of the vertices'. */
static void settle_rasters(const painter *p, work *w)
{
    facet_j3d_tev_formula f[4];
    uint8_t seen[3] = {255, 255, 255};
    facet_j3d_tev_analyse(&w->m, w->leaves, f);
    w->wants->color =
        from_vertices(&w->m, 0, false) && (find_vertex_color(p->document, f, w->wants, seen) ||
                                           find_without_alpha(p->document, w, seen));
    w->wants->maps_color &= w->wants->color;
    if (!w->wants->color)
        memset(seen, 0xFF, sizeof seen);
    w->wants->alpha = from_vertices(&w->m, 0, true) && has_alpha_factor(&f[3]);
    for (unsigned c = 0; c < 4; c++) {
        bool taken = c < 3 ? w->wants->color : w->wants->alpha;
        for (int v = 0; v < 2 && !taken; v++)
            w->exact &= !(f[c].rasters >> v & 1) || !from_vertices(&w->m, v, c == 3);
    }
    for (uint32_t i = 0; i < 16; i++) {
        facet_j3d_tev_leaf *leaf = &w->leaves[i];
        if (leaf->raster < 0)
            continue;
        if (from_vertices(&w->m, leaf->raster, false))
            memcpy(leaf->color, seen, 3);
        if (from_vertices(&w->m, leaf->raster, true))
            leaf->color[3] = 0xFF;
        leaf->raster = -1;
    }
}

/* -- The texture that is shown ------------------------------------------- */

/* Choose the texture whose coordinates the material takes: the first that the
 * colour depends on, else the alpha. Textures that lie otherwise become colours. */
static void settle_textures(const painter *p, work *w, bool with_alpha,
                            facet_j3d_tev_formula formulas[4])
{
    facet_j3d_tev_analyse(&w->m, w->leaves, formulas);
    uint32_t rgb = formulas[0].textures | formulas[1].textures | formulas[2].textures;
    uint32_t used = rgb | (with_alpha ? formulas[3].textures : 0);
    w->base = -1;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < w->texture_count && w->base < 0; i++) {
            if ((pass == 0 ? rgb : used) >> i & 1 && w->textures[i].map.is_uv)
                w->base = (int)i;
        }
    }
    bool replaced = false;
    for (uint32_t i = 0; i < w->texture_count; i++) {
        const mapping *map = &w->textures[i].map;
        if (!(used >> i & 1) || (w->base >= 0 && same_mapping(map, &w->textures[w->base].map)))
            continue;
        replace_texture(p, w, formulas, i);
        replaced = true;
    }
    if (replaced)
        facet_j3d_tev_analyse(&w->m, w->leaves, formulas);
}

/* -- Alpha -------------------------------------------------------------- */

static bool compare(uint8_t comparison, unsigned value, unsigned reference)
{
    switch (comparison & 7) {
    case 0:
        return false;
    case 1:
        return value < reference;
    case 2:
        return value == reference;
    case 3:
        return value <= reference;
    case 4:
        return value > reference;
    case 5:
        return value != reference;
    case 6:
        return value >= reference;
    default:
        return true;
    }
}

static bool passes(const facet_j3d_alpha_compare *test, unsigned alpha)
{
    bool a = compare(test->comparison0, alpha, test->reference0);
    bool b = compare(test->comparison1, alpha, test->reference1);
    switch (test->operation & 3) {
    case 0:
        return a && b;
    case 1:
        return a || b;
    case 2:
        return a != b;
    default:
        return a == b;
    }
}

/* The cut-off that comes nearest: the least alpha that passes, or one more than
 * the greatest that fails when that says the same of more values. */
static unsigned nearest_cutoff(const facet_j3d_alpha_compare *test, bool *exact)
{
    unsigned best = 0, least_wrong = 257, wrong = 0;
    for (unsigned alpha = 0; alpha < 256; alpha++)
        wrong += !passes(test, alpha); /* with a cut-off of 0 all pass */
    for (unsigned cutoff = 0; cutoff <= 256; cutoff++) {
        if (wrong < least_wrong) {
            least_wrong = wrong;
            best = cutoff;
        }
        if (cutoff < 256)
            wrong = passes(test, cutoff) ? wrong + 1 : wrong - 1;
    }
    *exact = least_wrong == 0;
    return best;
}

static void settle_alpha(work *w)
{
    bool exact = true;
    unsigned cutoff = nearest_cutoff(&w->m.alpha_compare, &exact);
    facet_material *out = w->out;
    out->given |= FACET_MATERIAL_ALPHA;
    out->alpha_cutoff = 0.5f;
    /* What is mixed one to none covers what was there. */
    bool covers = w->m.blend.type == 0 ||
                  (w->m.blend.type == 1 && w->m.blend.source == 1 && w->m.blend.destination == 0);
    if (!covers) {
        out->alpha_mode = FACET_ALPHA_BLEND;
        w->exact &= w->m.blend.type == 1 && w->m.blend.source == 4 && w->m.blend.destination == 5;
    } else if (!exact || cutoff > 0) {
        out->alpha_mode = FACET_ALPHA_MASK;
        out->alpha_cutoff = (float)cutoff / 255;
        w->exact &= exact;
    } else {
        out->alpha_mode = FACET_ALPHA_OPAQUE;
    }
}

/* -- The material ------------------------------------------------------- */

static bool is_constant(const facet_j3d_tev_formula *f, float *value)
{
    if (f->complex || f->count > 1 || (f->count == 1 && f->terms[0].count != 0))
        return false;
    *value = f->count ? f->terms[0].factor : 0;
    *value = *value < 0 ? 0 : *value > 1 ? 1 : *value;
    return true;
}

/* One component of the base texture times a number, which may be 0. */
static bool is_texture(const facet_j3d_tev_formula *f, int texture, unsigned component,
                       float *factor)
{
    *factor = 0;
    if (!f->complex && f->count == 0)
        return true;
    if (f->complex || f->clamps || f->count != 1 || f->terms[0].count != 1 ||
        f->terms[0].variables[0] != (unsigned)texture * 4 + component)
        return false;
    *factor = f->terms[0].factor;
    return *factor >= 0 && *factor <= 1.002f;
}

/* Take the formulas as they are: a texture, colours, or both. */
static bool is_plain(const painter *p, const work *w, const facet_j3d_tev_formula f[4],
                     bool with_alpha, float factor[4], bool *textured)
{
    bool constants = is_constant(&f[0], &factor[0]) && is_constant(&f[1], &factor[1]) &&
                     is_constant(&f[2], &factor[2]);
    bool texture = !constants && w->base >= 0 && is_texture(&f[0], w->base, 0, &factor[0]) &&
                   is_texture(&f[1], w->base, 1, &factor[1]) &&
                   is_texture(&f[2], w->base, 2, &factor[2]);
    factor[3] = 1;
    *textured = texture;
    if (!constants && !texture)
        return false;
    if (!with_alpha)
        return true;
    if (is_constant(&f[3], &factor[3]))
        return constants || image_of(p, &w->textures[w->base])->channels == 3;
    return texture && is_texture(&f[3], w->base, 3, &factor[3]);
}

/* The same image may come of several materials. */
static uint32_t find_baked(const painter *p, const facet_image *image, uint64_t hash)
{
    size_t bytes = (size_t)image->width * image->height * image->channels;
    for (uint32_t i = 0; i < p->baked_count; i++) {
        const facet_image *other = &p->scene->images[p->baked[i].image];
        if (p->baked[i].hash == hash && other->width == image->width &&
            other->height == image->height && other->channels == image->channels &&
            memcmp(other->pixels, image->pixels, bytes) == 0)
            return p->baked[i].image;
    }
    return FACET_NONE;
}

static facet_status add_baked(painter *p, const work *w, facet_image *image, uint32_t *index)
{
    size_t bytes = (size_t)image->width * image->height * image->channels;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const uint8_t *)image->pixels)[i]) * 1099511628211u;
    *index = find_baked(p, image, hash);
    if (*index != FACET_NONE) {
        facet_arena_release(p->scene->arena, image->pixels, bytes, 1);
        return FACET_OK;
    }
    facet_image *added;
    char *name = facet_arena_format(p->scratch, "%s computed", w->out->name);
    if (!name)
        return facet_fail_memory(p->error, strlen(w->out->name));
    facet_status status = facet_scene_add_image(p->scene, name, &added, p->error);
    if (status)
        return status;
    added->pixels = image->pixels;
    added->width = image->width;
    added->height = image->height;
    added->channels = image->channels;
    added->extras = facet_j3d_baked_image_extras(p->scene->arena);
    *index = p->scene->image_count - 1;
    p->baked[p->baked_count].hash = hash;
    p->baked[p->baked_count++].image = *index;
    return added->extras ? FACET_OK : facet_fail_memory(p->error, 64);
}

/* *index stays what it is when there is no more room. */
static facet_status bake(painter *p, work *w, bool with_alpha, uint32_t *index)
{
    facet_j3d_bake_stage stages[16];
    facet_image image = {0};
    for (uint32_t i = 0; i < 16; i++) {
        const facet_j3d_tev_leaf *leaf = &w->leaves[i];
        stages[i].image = leaf->texture >= 0 ? image_of(p, &w->textures[leaf->texture]) : NULL;
        memcpy(stages[i].texel, leaf->texel, 4);
        memcpy(stages[i].raster, leaf->color, 4);
        /* A texture that nothing shown depends on may lie otherwise. */
        if (stages[i].image &&
            !same_mapping(&w->textures[leaf->texture].map, &w->textures[w->base].map))
            stages[i].image = NULL;
    }
    uint32_t width, height;
    facet_j3d_bake_size(stages, &width, &height);
    if (p->baked_texels + (uint64_t)width * height > MOST_BAKED_TEXELS) {
        facet_tally_hit(&p->unbaked, 0);
        return FACET_OK;
    }
    p->baked_texels += (uint64_t)width * height;
    facet_status status =
        facet_j3d_bake(&w->m, stages, !with_alpha, p->scene->arena, &image, p->error);
    return status ? status : add_baked(p, w, &image, index);
}

/* -- Putting it down ---------------------------------------------------- */

static void set_coordinates(const painter *p, work *w, facet_texture *texture)
{
    const mapping *map = &w->textures[w->base].map;
    float offset[2] = {map->rows[0][2] + map->rows[0][3], map->rows[1][2] + map->rows[1][3]};
    texture->uv_set = map->texcoord;
    texture->scale[0] = texture->scale[1] = 1;
    if (map->rows[0][1] != 0 || map->rows[1][0] != 0) {
        facet_j3d_baked_uv *uv = &w->wants->baked[w->wants->baked_count];
        texture->uv_set = facet_j3d_first_baked_set(p->document) + w->wants->baked_count++;
        uv->texcoord = map->texcoord;
        memcpy(uv->matrix, map->rows, sizeof uv->matrix);
        return;
    }
    if (offset[0] == 0 && offset[1] == 0 && map->rows[0][0] == 1 && map->rows[1][1] == 1)
        return;
    texture->has_transform = true;
    memcpy(texture->offset, offset, sizeof offset);
    texture->scale[0] = map->rows[0][0];
    texture->scale[1] = map->rows[1][1];
}

static void set_texture(const painter *p, work *w, uint32_t image)
{
    static const facet_wrap wraps[] = {FACET_WRAP_CLAMP, FACET_WRAP_REPEAT, FACET_WRAP_MIRROR};
    const facet_bti_header *h = &p->document->textures.items[w->textures[w->base].texture].header;
    facet_texture *texture = &w->out->maps[FACET_MAP_DIFFUSE];
    texture->path = "";
    texture->options = "";
    texture->has_image = true;
    texture->image = image;
    texture->wrap_u = wraps[h->wrap_s <= 2 ? h->wrap_s : 1];
    texture->wrap_v = wraps[h->wrap_t <= 2 ? h->wrap_t : 1];
    /* Ours are theirs after "default". */
    texture->minify = h->min_filter <= 5 ? (facet_filter)(h->min_filter + 1) : FACET_FILTER_LINEAR;
    texture->magnify = h->mag_filter == 0 ? FACET_FILTER_NEAREST : FACET_FILTER_LINEAR;
    set_coordinates(p, w, texture);
}

static facet_status set_color(painter *p, work *w, bool with_alpha,
                              const facet_j3d_tev_formula formulas[4])
{
    float factor[4] = {1, 1, 1, 1};
    bool textured = false;
    facet_status status = FACET_OK;
    if (is_plain(p, w, formulas, with_alpha, factor, &textured)) {
        if (textured)
            set_texture(p, w, p->image_of[w->textures[w->base].texture]);
    } else if (w->base >= 0) {
        uint32_t index = p->image_of[w->textures[w->base].texture];
        factor[0] = factor[1] = factor[2] = factor[3] = 1;
        status = bake(p, w, with_alpha, &index);
        if (!status)
            set_texture(p, w, index);
    } else {
        /* No texture, and yet not constant: comparisons of constants. */
        facet_j3d_tev_inputs inputs;
        uint8_t color[4];
        for (uint32_t i = 0; i < 16; i++) {
            memcpy(inputs.texels[i], w->leaves[i].texel, 4);
            memcpy(inputs.rasters[i], w->leaves[i].color, 4);
        }
        facet_j3d_tev_evaluate(&w->m, &inputs, color);
        for (unsigned c = 0; c < 4; c++)
            factor[c] = (float)color[c] / 255;
    }
    for (unsigned c = 0; c < 3; c++)
        w->out->base_color[c] = to_linear(factor[c] > 1 ? 1 : factor[c]);
    w->out->base_color[3] = with_alpha && factor[3] < 1 ? factor[3] : 1;
    return status;
}

static facet_status paint(painter *p, uint32_t slot, facet_j3d_vertex_wants *wants,
                          facet_material *out)
{
    facet_j3d_tev_formula formulas[4];
    work w = {.base = -1, .exact = true, .wants = wants, .out = out};
    facet_status status = facet_j3d_get_material(p->document, slot, &w.m, p->error);
    if (status)
        return status;
    settle_alpha(&w);
    bool with_alpha = out->alpha_mode != FACET_ALPHA_OPAQUE;
    find_leaves(p, &w);
    settle_reflections(p, &w);
    settle_rasters(p, &w);
    wants->alpha &= with_alpha;
    wants->reverse = w.m.cull_mode == 1;
    out->double_sided = w.m.cull_mode == 0;
    out->metallic = 0;
    out->roughness = 1;
    out->given |= FACET_MATERIAL_BASE_COLOR | FACET_MATERIAL_METALLIC | FACET_MATERIAL_ROUGHNESS;
    settle_textures(p, &w, with_alpha, formulas);
    status = set_color(p, &w, with_alpha, formulas);
    if (!w.exact || w.m.indirect.enabled)
        facet_tally_hit(&p->approximated, slot);
    return status;
}

/* -- All materials ------------------------------------------------------ */

/* Extras of a slot; slots that share their entry and have the same indirect record
 * share the text, too. `first` is a slot that has it, by entry, plus 1. */
static facet_status add_extras(const painter *p, uint32_t slot, uint32_t *first,
                               facet_material *out)
{
    const facet_j3d_materials *m = &p->document->materials;
    uint32_t entry = m->remap[slot], known = first[entry];
    bool same = known && (slot < m->indirect_count) == (known - 1 < m->indirect_count) &&
                (slot >= m->indirect_count ||
                 memcmp(&m->indirects[slot], &m->indirects[known - 1], sizeof *m->indirects) == 0);
    if (same)
        out->extras = p->scene->materials[p->first_material + known - 1].extras;
    else
        out->extras = facet_j3d_material_extras(p->document, &p->naming, slot, p->scene->arena);
    first[entry] = slot + 1;
    return out->extras ? FACET_OK : facet_fail_memory(p->error, 4096);
}

static facet_status add_material(painter *p, uint32_t slot, uint32_t *first,
                                 facet_j3d_vertex_wants *wants)
{
    const facet_j3d_names *names = &p->document->materials.names;
    const char *bytes = slot < names->count ? names->items[slot].bytes : "";
    size_t length = facet_j3d_name_text(bytes, NULL, 0);
    char *name = facet_arena_allocate(p->scratch, length + 1, 1);
    facet_material *out;
    if (!name)
        return facet_fail_memory(p->error, length + 1);
    facet_j3d_name_text(bytes, name, length + 1);
    facet_status status = facet_scene_add_material(p->scene, name, &out, p->error);
    facet_arena_release(p->scratch, name, length + 1, 1);
    if (!status)
        status = paint(p, slot, wants, out);
    return status ? status : add_extras(p, slot, first, out);
}

static void report(const painter *p)
{
    facet_report *to = p->options ? p->options->report : NULL;
    facet_report_add_tally(to, "J3D-MATERIAL", FACET_NOTE, FACET_NO_OFFSET, &p->approximated,
                           "material %" PRIu64
                           " computes more than a scene's material can say; it looks a little "
                           "different, and its extras hold it whole",
                           p->approximated.first);
    facet_report_add_tally(to, "J3D-MATERIAL-BAKE", FACET_WARNING, FACET_NO_OFFSET, &p->unbaked,
                           "the images that materials compute are too large all together: a "
                           "material shows its first texture instead");
}

static facet_status add_all(painter *p, facet_j3d_vertex_wants *wants)
{
    uint32_t slots = p->document->materials.slot_count;
    uint32_t entries = p->document->materials.entry_count;
    uint32_t *first = facet_arena_allocate_zeroed(p->scratch, entries, sizeof *first);
    p->baked = facet_arena_allocate(p->scratch, slots, sizeof *p->baked);
    if (!first || !p->baked)
        return facet_fail_memory(p->error, slots * sizeof *p->baked);
    facet_status status =
        facet_j3d_naming_make(p->document, p->scratch, &p->naming)
            ? facet_j3d_scene_images(p->document, &p->naming, p->scene, p->scratch, &p->image_of,
                                     p->options, p->error)
            : facet_fail_memory(p->error, slots * sizeof *first);
    for (uint32_t i = 0; i < slots && !status; i++)
        status = add_material(p, i, first, &wants[i]);
    if (!status)
        report(p);
    return status;
}

facet_status facet_j3d_scene_materials(const facet_j3d *document, facet_scene *scene,
                                       facet_j3d_vertex_wants **wants, const facet_options *options,
                                       facet_error *error)
{
    painter p = {.document = document,
                 .scene = scene,
                 .options = options,
                 .error = error,
                 .first_material = scene->material_count};
    uint32_t slots = document->materials.slot_count;
    facet_j3d_vertex_wants *made = facet_arena_allocate_zeroed(scene->arena, slots, sizeof *made);
    if (!made)
        return facet_fail_memory(error, slots * sizeof *made);
    facet_status status = facet_arena_create(options, &p.scratch, error);
    if (status)
        return status;
    status = add_all(&p, made);
    facet_arena_free(p.scratch);
    if (!status)
        *wants = made;
    return status;
}
