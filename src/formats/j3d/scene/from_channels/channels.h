/* formats/j3d/scene/from_channels/channels.h - state of the conversion of channels to animations of
 * materials and shapes. */
#ifndef FACET_J3D_FROM_CHANNELS_CHANNELS_H
#define FACET_J3D_FROM_CHANNELS_CHANNELS_H

#include "base/report.h"
#include "base/vec.h"
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/animation/share.h"

#include <facet/scene.h>

/* The appearance of a material at a frame: base color 0 to 3, texture offset 4 and 5, rotation 6,
 * scale 7 and 8. Index 9 is the image in the model's scene; -1: none of them. */
enum { FACET_J3D_LOOK = 10 };

/* Channels of a material slot or shape: those of the scene, and of the reference. Indexed by path,
 * from FACET_TARGET_BASE_COLOR on. */
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
    facet_scene *reference;        /* scene of the model */
    facet_j3d_animation *stored;   /* the file in the extras, or NULL */
    facet_j3d_animation *document; /* the result */
    double rate, distance, angle;
    double begin; /* time of frame 0 in the scene's animation */
    uint32_t frames;
    uint32_t *images;        /* per image of the scene: the reference's image, or FACET_NONE */
    facet_j3d_woven *tracks; /* per material slot */
    facet_j3d_woven_shape *shapes;
    bool *kept;                /* per slot: it moves like the stored file */
    double *column, *elements; /* scratch for fitting */
    facet_tally lost, unsolved;
    const char *lost_name; /* of the first lost material or node */
} facet_j3d_weaving;

/* Make a document of a kind that animates materials or shapes. Errors: those of
 * facet_j3d_animation_from_scene. */
facet_status facet_j3d_animation_from_channels(const facet_scene *scene,
                                               facet_j3d_animation_kind kind,
                                               const facet_options *options,
                                               facet_j3d_animation **document, facet_error *error);

/* The time of a frame in the scene's animation or in the reference. */
double facet_j3d_time_of(const facet_j3d_weaving *w, bool reference, uint32_t frame);

/* Get the appearance of a material at a frame, in the scene or in the reference (look.c). */
void facet_j3d_get_appearance(const facet_j3d_weaving *w, uint32_t slot, bool reference,
                              uint32_t frame, float look[FACET_J3D_LOOK]);

/* Fill in the entries of a BTK, BRK, BPK, BPA or BTP (solve.c). */
facet_status facet_j3d_weave_materials(facet_j3d_weaving *w);

#endif
