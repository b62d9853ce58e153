/* formats/j3d/scene/from_channels/channels.h - animations of materials and shapes while they are
 * made of channels. */
#ifndef FACET_J3D_FROM_CHANNELS_CHANNELS_H
#define FACET_J3D_FROM_CHANNELS_CHANNELS_H

#include "base/report.h"
#include "base/vec.h"
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/animation/share.h"

#include <facet/scene.h>

/* How a material looks at a frame: base color 0 to 3, texture offset 4 and 5, rotation 6,
 * scale 7 and 8, image 9 (of the model's scene; -1: none of them). */
enum { FACET_J3D_LOOK = 10 };

/* Channels of a material slot or shape: of the scene, and of the model's with the stored
 * file. By path, from FACET_TARGET_BASE_COLOR on. */
typedef struct facet_j3d_woven {
    const facet_material *material; /* of the scene, or NULL */
    const facet_channel *channels[2][6];
} facet_j3d_woven;
typedef struct facet_j3d_woven_shape {
    const facet_channel *channels[2];
} facet_j3d_woven_shape;

typedef struct facet_j3d_weaving {
    const facet_scene *scene;
    facet_j3d_animation_kind kind;
    const facet_options *options;
    facet_error *error;
    const facet_animation *animation;
    facet_arena *scratch;
    facet_j3d *model;
    facet_scene *reference;        /* of the model */
    facet_j3d_animation *stored;   /* the file in the extras, or NULL */
    facet_j3d_animation *document; /* that is made */
    double rate, distance, angle;
    uint32_t frames;
    uint32_t *images;        /* the reference's image of each of the scene, or FACET_NONE */
    facet_j3d_woven *tracks; /* per material slot */
    facet_j3d_woven_shape *shapes;
    bool *kept;                /* per slot: it still moves as the stored file does */
    double *column, *elements; /* working memory for fitting */
    facet_tally lost, unsolved;
} facet_j3d_weaving;

/* A document of a kind that is not that of joints. Errors: those of
 * facet_j3d_animation_from_scene. */
facet_status facet_j3d_animation_from_channels(const facet_scene *scene,
                                               facet_j3d_animation_kind kind,
                                               const facet_options *options,
                                               facet_j3d_animation **document, facet_error *error);

/* look.c: how a material of the scene looks at a frame, or that of the reference. */
void facet_j3d_look_at(const facet_j3d_weaving *w, uint32_t slot, bool reference, uint32_t frame,
                       float look[FACET_J3D_LOOK]);

/* solve.c: fill in the entries of a btk, brk, bpk, bpa or btp. */
facet_status facet_j3d_weave_materials(facet_j3d_weaving *w);

#endif
