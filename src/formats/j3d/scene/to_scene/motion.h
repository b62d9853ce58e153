/* formats/j3d/scene/to_scene/motion.h - materials of a scene that an animation changes, and their
 * state at a frame. */
#ifndef FACET_J3D_TO_SCENE_MOTION_H
#define FACET_J3D_TO_SCENE_MOTION_H

#include "base/arena.h"

#include <facet/j3d_animation.h>
#include <facet/scene.h>

/* An image of the scene, with the header of a texture of the model. */
typedef struct facet_j3d_shown_texture {
    bool is_known;
    uint16_t image;
    facet_bti_header header;
} facet_j3d_shown_texture;

typedef struct facet_j3d_motion {
    const facet_scene *scene;
    const facet_j3d_animation *document;
    uint32_t *first, *next; /* entries of a material, of both sets: number + 1, in their order */
    facet_j3d_shown_texture *textures; /* for a BTP: by texture number of the model, 65,536
                                          elements */
    uint32_t frames;
} facet_j3d_motion;

/* True for kinds that animate materials: BTK, BRK, BPK, BPA, BTP. */
bool facet_j3d_moves_materials(facet_j3d_animation_kind kind);

/* Prepare such a document, whose sharing is checked. Entries find materials by name, and the first
 * of equal names, as in games. All memory is from `arena`. False if out of memory. */
bool facet_j3d_motion_make(const facet_scene *scene, const facet_j3d_animation *document,
                           facet_arena *arena, facet_j3d_motion *motion);
/* Apply the entries of a material to `gx` at a frame, including textures. */
void facet_j3d_motion_apply(const facet_j3d_motion *motion, uint32_t material, double frame,
                            facet_gx_material *gx);
/* Set a texture map to the model's texture `number`. */
void facet_j3d_motion_choose(const facet_j3d_motion *motion, uint16_t number, uint8_t map,
                             facet_gx_material *gx);

#endif
