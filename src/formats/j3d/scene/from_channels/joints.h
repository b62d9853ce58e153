/* formats/j3d/scene/from_channels/joints.h - an animation of nodes on its way to a BCK: what its
 * steps share. joints.c finds the nodes, joints_sample.c samples them, joints_keys.c fits keys. */
#ifndef FACET_J3D_FROM_CHANNELS_JOINTS_H
#define FACET_J3D_FROM_CHANNELS_JOINTS_H

#include "base/arena.h"
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/gpu/skeleton.h"
#include "scene/units.h"

#include <facet/scene.h>

/* The nine numbers of a joint at a frame, in the order of tracks: scale, angle in
 * degrees, translation of x, then of y, then of z. */
typedef double facet_j3d_joint_numbers[9];

typedef struct facet_j3d_joint_weaving {
    const facet_scene *scene;
    const facet_animation *animation;
    const facet_j3d *model;
    const facet_options *options;
    facet_arena *scratch;
    facet_j3d_skeleton skeleton;   /* for the order of joints */
    facet_j3d_animation_kind kind; /* that is wanted in the end: BCK or BCA */
    facet_j3d_animation *document;
    facet_j3d_animation *stored; /* the file of that kind in the extras, or NULL */
    double rate, distance, angle;
    double begin;                        /* the time of frame 0, in seconds */
    uint32_t joints, frames;             /* frames + 1 samples */
    facet_units units;                   /* of the scene */
    uint32_t *nodes;                     /* of each joint, or FACET_NONE */
    uint32_t *joint_of_node;             /* or FACET_NONE */
    const facet_channel *(*channels)[3]; /* of each node */
    facet_j3d_joint_numbers *samples;    /* of joint 0 at all frames, then of joint 1 ... */
    double *column, *elements;
    facet_error *error;
} facet_j3d_joint_weaving;

static inline facet_status facet_j3d_joints_no_memory(const facet_j3d_joint_weaving *w)
{
    return facet_fail_arenas(w->scratch, w->document ? w->document->arena : NULL, w->error);
}

static inline facet_j3d_joint_numbers *facet_j3d_joint_samples(const facet_j3d_joint_weaving *w,
                                                               uint32_t joint)
{
    return w->samples + (size_t)joint * (w->frames + 1);
}

/* Fill in `samples`. */
facet_status facet_j3d_sample_joints(facet_j3d_joint_weaving *w);

/* How far apart two rotations by angles in degrees are, in degrees. */
double facet_j3d_angle_between(const double *a, const double *b);
/* Which of scale, rotation and translation of each joint the stored file has. */
facet_status facet_j3d_compare_joints(const facet_j3d_joint_weaving *w, bool (*kept)[3]);
/* The least shift that holds all angles but those that are kept; `kept` may be NULL. */
uint32_t facet_j3d_find_rotation_shift(const facet_j3d_joint_weaving *w, bool (*kept)[3]);
/* Tracks for all numbers: those of the stored file where they are kept, else fitted. */
facet_status facet_j3d_fit_joints(const facet_j3d_joint_weaving *w, bool (*kept)[3]);

#endif
