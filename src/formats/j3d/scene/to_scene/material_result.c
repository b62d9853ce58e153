/* formats/j3d/scene/to_scene/material_result.c - base color and texture from the remaining
 * formulas, or a computed image. */
#include "formats/j3d/scene/to_scene/material_work.h"

#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "formats/j3d/scene/to_scene/bake.h"

#include <math.h>
#include <string.h>

/* -- Formulas without an image ------------------------------------------ */

static bool is_constant(const facet_gx_tev_formula *f, float *value)
{
    if (f->complex || f->count > 1 || (f->count == 1 && f->terms[0].count != 0))
        return false;
    *value = f->count ? f->terms[0].factor : 0;
    *value = *value < 0 ? 0 : *value > 1 ? 1 : *value;
    return true;
}

/* True if a formula is one component of the base texture times a number, which can be 0. With
 * `bright`, it can exceed 1, even if values are clamped. */
static bool is_texture(const facet_gx_tev_formula *f, int texture, unsigned component, bool bright,
                       float *factor)
{
    *factor = 0;
    if (!f->complex && f->count == 0)
        return true;
    if (f->complex || (f->clamps && !bright) || f->count != 1 || f->terms[0].count != 1 ||
        f->terms[0].variables[0] != (unsigned)texture * 4 + component)
        return false;
    *factor = f->terms[0].factor;
    return *factor >= 0 && (bright || *factor <= 1.002f);
}

/* True if the factor can exceed 1. Stages double colors that lights or vertex colors darken. In a
 * scene these come last, so the factor moves to them: it is clamped after the vertex colors and
 * before the light. */
static bool may_be_bright(const j3d_painter *p, const j3d_material_work *w)
{
    if (w->wants->color)
        return p->document->vertices.arrays[FACET_J3D_ARRAY_COLOR0].bytes != NULL;
    return !w->out->unlit;
}

static void pass_on_brightness(j3d_material_work *w, float factor[4])
{
    facet_j3d_vertex_wants *wants = w->wants;
    for (unsigned c = 0; c < 3; c++) {
        if (factor[c] <= 1.002f)
            continue;
        if (wants->color) {
            wants->maps_color = true;
            wants->color_offset[c] *= factor[c];
            wants->color_scale[c] *= factor[c];
        }
        factor[c] = 1;
        w->doubts |= J3D_DOUBT_SCALE;
    }
}

/* True if the formulas are only a texture, colors, or both. */
static bool is_plain(const j3d_painter *p, const j3d_material_work *w,
                     const facet_gx_tev_formula f[4], float factor[4], bool *textured)
{
    bool with_alpha = w->out->alpha_mode != FACET_ALPHA_OPAQUE;
    bool constants = is_constant(&f[0], &factor[0]) && is_constant(&f[1], &factor[1]) &&
                     is_constant(&f[2], &factor[2]);
    bool bright = may_be_bright(p, w);
    bool texture = !constants && w->base >= 0 &&
                   is_texture(&f[0], w->base, 0, bright, &factor[0]) &&
                   is_texture(&f[1], w->base, 1, bright, &factor[1]) &&
                   is_texture(&f[2], w->base, 2, bright, &factor[2]);
    factor[3] = 1;
    *textured = texture;
    if ((!constants && !texture) || w->addition)
        return false;
    if (!with_alpha)
        return true;
    if (is_constant(&f[3], &factor[3]))
        return constants || facet_j3d_sampled_image(p, &w->textures[w->base])->channels == 3;
    return texture && is_texture(&f[3], w->base, 3, false, &factor[3]);
}

static void set_linear(const j3d_material_work *w, const float factor[4], float color[4])
{
    for (unsigned c = 0; c < 3; c++)
        color[c] = (float)facet_srgb_decode((double)(factor[c] > 1 ? 1 : factor[c]));
    color[3] = w->out->alpha_mode != FACET_ALPHA_OPAQUE && factor[3] < 1 ? factor[3] : 1;
}

bool facet_j3d_plain_color(const j3d_painter *p, j3d_material_work *w,
                           const facet_gx_tev_formula formulas[4], float color[4], bool *textured)
{
    float factor[4] = {1, 1, 1, 1};
    bool plain = is_plain(p, w, formulas, factor, textured);
    if (plain && *textured)
        pass_on_brightness(w, factor);
    set_linear(w, factor, color);
    return plain;
}

/* -- Additive materials ------------------------------------------------- */

/* Approximate addition by alpha blending. The brightest component of color times alpha becomes the
 * alpha, and colors are scaled to it. Subtraction becomes black with such an alpha. */
static void show_addition(const j3d_material_work *w, uint8_t color[4])
{
    unsigned alpha = w->ignores_alpha ? 255 : color[3], most = color[0];
    for (int c = 1; c < 3; c++)
        most = color[c] > most ? color[c] : most;
    bool is_black = w->addition == J3D_SUBTRACTS || most == 0;
    for (int c = 0; c < 3; c++)
        color[c] = (uint8_t)(is_black ? 0 : color[c] * 255U / most);
    color[3] = (uint8_t)((most * alpha + 127) / 255);
}

/* -- Computed images ---------------------------------------------------- */

/* Maximum number of texels of all computed images together. */
#define MAX_BAKED_TEXELS ((uint64_t)1 << 24)

static int compare_computed(const void *user, uint32_t a, uint32_t b)
{
    const j3d_painter *p = user;
    uint32_t next = p->scene->image_count;
    const facet_image *one = a == next ? p->candidate : p->scene->images[a];
    const facet_image *other = b == next ? p->candidate : p->scene->images[b];
    if (one->width != other->width)
        return one->width < other->width ? -1 : 1;
    if (one->height != other->height)
        return one->height < other->height ? -1 : 1;
    if (one->channels != other->channels)
        return one->channels < other->channels ? -1 : 1;
    return memcmp(one->pixels, other->pixels, (size_t)one->width * one->height * one->channels);
}

/* Add a computed image. Several materials can have the same one. */
static facet_status add_baked(j3d_painter *p, const j3d_material_work *w, facet_image *image,
                              uint32_t *index)
{
    size_t bytes = (size_t)image->width * image->height * image->channels;
    p->candidate = image;
    *index = facet_table_put(&p->computed, facet_hash_bytes(image->pixels, bytes),
                             p->scene->image_count, compare_computed, p);
    if (*index == FACET_NONE)
        return facet_fail_arena(p->scene->arena, p->error);
    if (*index < p->scene->image_count) {
        facet_arena_release(p->scene->arena, image->pixels, bytes, 1);
        return FACET_OK;
    }
    facet_image *added;
    char *name = facet_arena_format(p->scratch, "%s computed", w->out->name);
    if (!name)
        return facet_fail_arena(p->scratch, p->error);
    TRY(facet_scene_add_image(p->scene, name, &added, p->error));
    added->pixels = image->pixels;
    added->width = image->width;
    added->height = image->height;
    added->channels = image->channels;
    facet_gx_file_image *file = facet_arena_allocate_zeroed(p->scene->arena, 1, sizeof *file);
    if (!file)
        return facet_fail_arena(p->scene->arena, p->error);
    file->is_computed = true;
    added->gx_file = file;
    return FACET_OK;
}

/* Compute an image. *index is unchanged if the texel limit is reached. */
static facet_status bake(j3d_painter *p, j3d_material_work *w, uint32_t *index)
{
    bool with_alpha = w->out->alpha_mode != FACET_ALPHA_OPAQUE;
    facet_j3d_bake_stage stages[16];
    facet_image image = {0};
    for (uint32_t i = 0; i < 16; i++) {
        const facet_gx_tev_leaf *leaf = &w->leaves[i];
        stages[i].image =
            leaf->texture >= 0 ? facet_j3d_sampled_image(p, &w->textures[leaf->texture]) : NULL;
        memcpy(stages[i].texel, leaf->texel, 4);
        memcpy(stages[i].raster, leaf->color, 4);
        /* A texture that no shown formula depends on can have another mapping. */
        if (stages[i].image &&
            !facet_j3d_same_mapping(&w->textures[leaf->texture].map, &w->textures[w->base].map))
            stages[i].image = NULL;
    }
    uint32_t width, height;
    facet_j3d_bake_size(stages, &width, &height);
    if (p->baked_texels + (uint64_t)width * height > MAX_BAKED_TEXELS) {
        facet_tally_hit(&p->unbaked, 0);
        return FACET_OK;
    }
    p->baked_texels += (uint64_t)width * height;
    facet_status status =
        facet_j3d_bake(&w->gx, stages, !with_alpha, p->scene->arena, &image, p->error);
    uint8_t *pixels = image.pixels;
    for (size_t i = 0; i < (size_t)image.width * image.height && !status && w->addition; i++)
        show_addition(w, pixels + i * 4);
    return status ? status : add_baked(p, w, &image, index);
}

/* -- Material of the scene ---------------------------------------------- */

static void set_coordinates(const j3d_painter *p, j3d_material_work *w, facet_texture *texture)
{
    const j3d_mapping *map = &w->textures[w->base].map;
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

static facet_status set_texture(const j3d_painter *p, j3d_material_work *w, uint32_t image)
{
    static const facet_wrap wraps[] = {FACET_WRAP_CLAMP, FACET_WRAP_REPEAT, FACET_WRAP_MIRROR};
    const facet_bti_header *h = &p->document->textures.items[w->textures[w->base].texture].header;
    facet_texture *texture;
    TRY(facet_scene_add_map(p->scene, w->out, FACET_MAP_DIFFUSE, &texture, p->error));
    texture->has_image = true;
    texture->image = image;
    texture->wrap_u = wraps[h->wrap_s <= 2 ? h->wrap_s : 1];
    texture->wrap_v = wraps[h->wrap_t <= 2 ? h->wrap_t : 1];
    /* The values are the file's plus 1, after "default". */
    texture->minify = h->min_filter <= 5 ? (facet_filter)(h->min_filter + 1) : FACET_FILTER_LINEAR;
    texture->magnify = h->mag_filter == 0 ? FACET_FILTER_NEAREST : FACET_FILTER_LINEAR;
    set_coordinates(p, w, texture);
    return FACET_OK;
}

facet_status facet_j3d_set_color(j3d_painter *p, j3d_material_work *w,
                                 const facet_gx_tev_formula formulas[4])
{
    float factor[4] = {1, 1, 1, 1};
    bool textured = false;
    facet_status status = FACET_OK;
    if (is_plain(p, w, formulas, factor, &textured)) {
        if (textured)
            pass_on_brightness(w, factor);
        if (textured)
            status = set_texture(p, w, p->image_of[w->textures[w->base].texture]);
    } else if (w->base >= 0) {
        uint32_t index = p->image_of[w->textures[w->base].texture];
        factor[0] = factor[1] = factor[2] = factor[3] = 1;
        status = bake(p, w, &index);
        if (!status)
            status = set_texture(p, w, index);
    } else {
        /* Comparisons of constants: no texture, but also not a constant formula. */
        facet_gx_tev_inputs inputs;
        uint8_t color[4];
        for (uint32_t i = 0; i < 16; i++) {
            memcpy(inputs.texels[i], w->leaves[i].texel, 4);
            memcpy(inputs.rasters[i], w->leaves[i].color, 4);
        }
        facet_gx_tev_evaluate(&w->gx, &inputs, color);
        if (w->addition)
            show_addition(w, color);
        for (unsigned c = 0; c < 4; c++)
            factor[c] = (float)color[c] / 255;
    }
    set_linear(w, factor, w->out->base_color);
    return status;
}
