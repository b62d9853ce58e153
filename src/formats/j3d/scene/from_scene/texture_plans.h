/* formats/j3d/scene/from_scene/texture_plans.h - which textures a model gets: images with their
 * sampling. */
#ifndef FACET_J3D_SCENE_FROM_SCENE_TEXTURE_PLANS_H
#define FACET_J3D_SCENE_FROM_SCENE_TEXTURE_PLANS_H

#include "formats/j3d/scene/from_scene/builder.h"
#include "gx/bti_settings.h"

/* A texture of the document: an image and its sampling. */
typedef struct facet_j3d_texture_plan {
    uint32_t number; /* in the order of discovery */
    uint32_t image;
    bool is_known; /* it comes from a J3D file */
    bool is_kept;  /* it stays as in the original */
    bool needs_alpha;
    uint32_t order; /* its index in that file; UINT32_MAX: not from a file */
    const char *name;
    const char *label; /* its name in extras */
    facet_bti_header known;
    facet_bti_wanted wanted; /* options for this texture */
    facet_wrap wrap_u, wrap_v;
    facet_filter minify, magnify;
} facet_j3d_texture_plan;

typedef struct facet_j3d_texture_plans {
    facet_j3d_texture_plan *items;
    uint32_t count, space;
} facet_j3d_texture_plans;

/* Plan the textures of the scene's materials, and set texture_of of the builder. */
facet_status facet_j3d_plan_textures(facet_j3d_builder *b, facet_j3d_texture_plans *plans);
/* The code of a wrap mode in files. */
uint8_t facet_j3d_wrap_code(facet_wrap wrap);

#endif
