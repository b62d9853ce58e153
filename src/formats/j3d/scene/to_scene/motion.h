/* formats/j3d/scene/to_scene/motion.h - which materials of a scene an animation moves, and what it
 * makes of their state. */
#ifndef FACET_J3D_TO_SCENE_MOTION_H
#define FACET_J3D_TO_SCENE_MOTION_H

#include "base/arena.h"

#include <facet/j3d_animation.h>
#include <facet/scene.h>

/* An image of the scene as a texture of the model shows it. */
typedef struct facet_j3d_shown_texture {
    bool is_known;
    uint16_t image;
    facet_bti_header header;
} facet_j3d_shown_texture;

typedef struct facet_j3d_motion {
    const facet_scene *scene;
    const facet_j3d_animation *document;
    uint32_t *first, *next; /* entries of a material, of both sets: number + 1, in their order */
    facet_j3d_shown_texture *textures; /* of a btp: by their numbers in the model, 65,536 */
    uint32_t frames;
} facet_j3d_motion;

/* True for what moves materials: btk, brk, bpk, bpa, btp. */
bool facet_j3d_moves_materials(facet_j3d_animation_kind kind);

/* Of such a document, whose sharing is checked; entries find materials by name, and of equal
 * names the first, as in games. All is in `arena`; false without memory. */
bool facet_j3d_motion_make(const facet_scene *scene, const facet_j3d_animation *document,
                           facet_arena *arena, facet_j3d_motion *motion);
/* What the entries of a material make of `gx` at a frame, textures included. */
void facet_j3d_motion_apply(const facet_j3d_motion *motion, uint32_t material, double frame,
                            facet_gx_material *gx);
/* Let a texture map show the texture of a number of the model. */
void facet_j3d_motion_choose(const facet_j3d_motion *motion, uint16_t number, uint8_t map,
                             facet_gx_material *gx);

#endif
