/* formats/j3d/patch/looks.c - edited images and materials: those that differ from the original's
 * appearance by more than other programs change them. */
#include "formats/j3d/patch/looks.h"

#include "base/arena.h"
#include "base/error.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/to_scene/material_work.h"
#include "gx/shows.h"
#include "image/image.h"

#include <facet/image.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_TOLERANCE 0.004
#define TEXEL_TOLERANCE 2

/* -- Images ------------------------------------------------------------- */

/* Compare texels. Colors are weighted by their alpha, because programs drop colors with alpha 0. */
static bool same_texels(const facet_image *a, const facet_image *b)
{
    if (a->is_float || b->is_float || a->width != b->width || a->height != b->height)
        return false;
    size_t count = (size_t)a->width * a->height;
    if (a->channels == b->channels && memcmp(a->pixels, b->pixels, count * a->channels) == 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        uint8_t x[4], y[4];
        facet_gx_texel_of(a, i, x);
        facet_gx_texel_of(b, i, y);
        if (abs(x[3] - y[3]) > TEXEL_TOLERANCE)
            return false;
        for (int c = 0; c < 3; c++) {
            if (abs(x[c] - y[c]) * x[3] > TEXEL_TOLERANCE * 255)
                return false;
        }
    }
    return true;
}

static facet_status compare_image(const facet_j3d_builder *b, uint32_t index, bool *repainted)
{
    facet_image image = *b->scene->images[index];
    const facet_image *known = b->like->scene->images[b->like->image_of[index]];
    if (!image.data && !image.pixels)
        return FACET_OK;
    TRY(facet_image_decode(b->scratch, &image, b->options, b->error));
    *repainted = !known->pixels || !same_texels(known, &image);
    if (image.pixels != b->scene->images[index]->pixels)
        facet_arena_release(b->scratch, image.pixels, facet_image_bytes(&image), 1);
    return FACET_OK;
}

/* -- Materials ---------------------------------------------------------- */

static bool near(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs((double)a[i] - (double)b[i]) <= VALUE_TOLERANCE))
            return false;
    }
    return true;
}

static bool same_transform(const facet_texture *a, const facet_texture *b)
{
    static const facet_texture none = {.scale = {1, 1}};
    const facet_texture *x = a->has_transform ? a : &none, *y = b->has_transform ? b : &none;
    return near(x->offset, y->offset, 2) && near(x->scale, y->scale, 2) &&
           near(&x->rotation, &y->rotation, 1);
}

static bool same_map(const facet_j3d_builder *b, const facet_texture *known,
                     const facet_texture *now)
{
    if (!known || !now)
        return !known == !now;
    if (known->has_image != now->has_image)
        return false;
    if (!known->has_image)
        return true;
    const facet_j3d_like *like = b->like;
    /* A repainted texture changes the texture, a repainted computed image the material. */
    bool computed = facet_j3d_builder_is_computed(b, like->scene->images[known->image]);
    return like->image_of[now->image] == known->image &&
           !(computed && like->is_repainted[now->image]) && known->uv_set == now->uv_set &&
           known->wrap_u == now->wrap_u && known->wrap_v == now->wrap_v &&
           same_transform(known, now);
}

static bool same_look(const facet_j3d_builder *b, const facet_material *known,
                      const facet_material *now)
{
    int components = known->alpha_mode == FACET_ALPHA_OPAQUE ? 3 : 4;
    float light[2][3];
    for (int i = 0; i < 3; i++) {
        light[0][i] = known->emissive[i] * known->emissive_strength;
        light[1][i] = now->emissive[i] * now->emissive_strength;
    }
    /* A material that is blended but opaque at rest can become transparent in an animation. */
    bool may_be = known->alpha_mode == FACET_ALPHA_OPAQUE && known->gx &&
                  (now->alpha_mode == FACET_ALPHA_BLEND
                       ? known->gx->blend.type != 0
                       : !facet_j3d_passes_alpha(&known->gx->alpha_compare, 0));
    bool same_alpha = known->alpha_mode == now->alpha_mode || may_be;
    bool same = same_alpha && known->double_sided == now->double_sided &&
                known->unlit == now->unlit && near(known->base_color, now->base_color, components);
    if (same && known->alpha_mode == FACET_ALPHA_MASK)
        same = near(&known->alpha_cutoff, &now->alpha_cutoff, 1);
    if (same && !known->unlit) /* J3D has neither roughness nor metallic */
        same = near(light[0], light[1], 3);
    for (int i = 0; i < FACET_MAP_COUNT && same; i++)
        same = same_map(b, known->maps[i], now->maps[i]);
    return same;
}

facet_status facet_j3d_like_find_edits(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    const facet_scene *scene = b->scene;
    facet_status status = FACET_OK;
    like->is_repainted = facet_j3d_builder_scratch(b, scene->image_count, sizeof(bool));
    like->is_edited = facet_j3d_builder_scratch(b, scene->material_count, sizeof(bool));
    if (!like->is_repainted || !like->is_edited)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->image_count && !status; i++) {
        if (like->image_of[i] != FACET_NONE)
            status = compare_image(b, i, &like->is_repainted[i]);
    }
    for (uint32_t m = 0; m < scene->material_count && !status; m++) {
        if (like->slot_of[m] != FACET_NONE)
            like->is_edited[m] =
                !same_look(b, like->scene->materials[like->slot_of[m]], scene->materials[m]);
    }
    return status;
}
