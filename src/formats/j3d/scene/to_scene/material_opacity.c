/* formats/j3d/scene/to_scene/material_opacity.c - detection of blended or alpha-tested materials
 * that are fully opaque. Viewers that sort blended triangles need them as opaque. */
#include "formats/j3d/scene/to_scene/material_work.h"

/* True if blending replaces the frame where alpha is 1: by alpha, or by factor one for the
 * color. */
static bool covers_when_opaque(const facet_gx_blend *blend)
{
    return blend->type == 0 ||
           (blend->type == 1 && blend->destination == 5 &&
            (blend->source == 1 || blend->source == 4)) ||
           (blend->type == 1 && blend->source == 1 && blend->destination == 0);
}

static bool is_solid(const facet_image *image)
{
    if (!image->pixels || image->is_float)
        return false;
    if (image->channels == 1 || image->channels == 3)
        return true;
    const uint8_t *alpha = (const uint8_t *)image->pixels + image->channels - 1;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        if (alpha[i * image->channels] != 255)
            return false;
    }
    return true;
}

/* True if the shown image is solid. Images of textures are checked once; a computed image belongs
 * to one material. */
static bool shows_solid(const j3d_painter *p, const j3d_material_work *w)
{
    const facet_texture *map = w->out->maps[FACET_MAP_DIFFUSE];
    if (!map || !map->has_image)
        return true;
    const facet_image *image = p->scene->images[map->image];
    uint16_t texture = w->textures[w->base].texture;
    if (p->image_of[texture] != map->image)
        return is_solid(image);
    struct j3d_average *known = &p->averages[texture];
    if (!known->solid_is_known)
        known->is_solid = is_solid(image);
    known->solid_is_known = true;
    return known->is_solid;
}

facet_status facet_j3d_convert_opacity(j3d_painter *p, j3d_material_work *w)
{
    facet_material *out = w->out;
    if (out->alpha_mode == FACET_ALPHA_OPAQUE || out->base_color[3] < 1 ||
        !covers_when_opaque(&w->gx.blend) || !shows_solid(p, w))
        return FACET_OK;
    if (w->wants->alpha) {
        facet_status status = facet_j3d_find_mean_colors(p);
        if (status || p->least_alpha[w->slot] < 255)
            return status;
    }
    if (!facet_j3d_passes_alpha(&w->gx.alpha_compare, 255)) /* nothing is visible */
        return FACET_OK;
    out->alpha_mode = FACET_ALPHA_OPAQUE;
    out->alpha_cutoff = 0.5f;
    w->doubts &= ~(uint32_t)J3D_DOUBT_HOLES;
    w->wants->alpha = false;
    return FACET_OK;
}
