/* formats/j3d/scene/from_channels/joints.h - state of the conversion of node animations to a BCK.
 *
 *   - the node of each joint              joints.c, joints_tree.c
 *   - its numbers at each frame           joints_sample.c, joints_axes.c
 *   - the keys                            joints_keys.c
 *   - channels that do not fit            joints_losses.c */
#ifndef FACET_J3D_FROM_CHANNELS_JOINTS_H
#define FACET_J3D_FROM_CHANNELS_JOINTS_H

#include "base/arena.h"
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/gpu/skeleton.h"
#include "scene/units.h"

#include <facet/scene.h>

/* The nine numbers of a joint at a frame, in the order of tracks: scale, angle in degrees and
 * translation of x, then of y, then of z. */
typedef double facet_j3d_joint_numbers[9];

typedef struct facet_j3d_joint_weaving {
    const facet_scene *scene;
    const facet_animation *animation;
    facet_j3d *model;
    const facet_options *options;
    facet_arena *scratch;
    facet_j3d_skeleton skeleton;   /* for the order of joints */
    facet_j3d_animation_kind kind; /* kind of the result: BCK or BCA */
    facet_j3d_animation *document;
    facet_j3d_animation *stored; /* the file of that kind in the extras, or NULL */
    double rate, distance, angle;
    double begin;                        /* time of frame 0 in seconds */
    uint32_t joints, frames;             /* there are frames + 1 samples */
    facet_units units;                   /* of the scene */
    uint32_t *nodes;                     /* node of each joint, or FACET_NONE */
    uint32_t *joint_of_node;             /* joint of each node, or FACET_NONE */
    const facet_channel *(*channels)[3]; /* channels of each node */
    facet_j3d_matrix *axes;              /* per joint: from its axes to those of its node */
    bool *has_axes;                      /* per joint: these differ */
    facet_j3d_joint_numbers *samples;    /* all frames of joint 0, then of joint 1, and so on */
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

/* Fill in `axes` and `has_axes`, and report joints that differ (joints_axes.c). */
facet_status facet_j3d_find_joint_axes(facet_j3d_joint_weaving *w);
/* Convert the transform of a node, relative to the joint above, to that of its joint. Returns the
 * shear, which the transform leaves out. */
double facet_j3d_turn_joint(const facet_j3d_joint_weaving *w, uint32_t joint,
                            facet_transform *place);
/* Size of the text of a joint's name. */
#define FACET_J3D_JOINT_NAME 3072

/* Convert the name of a joint, which is empty if the model has none. */
static inline void facet_j3d_joint_name(const facet_j3d *model, uint32_t joint,
                                        char name[FACET_J3D_JOINT_NAME])
{
    *name = '\0';
    if (joint < model->joints.names.count)
        facet_j3d_name_text(model->joints.names.items[joint].bytes, name, FACET_J3D_JOINT_NAME);
}

/* Assign nodes to joints if the parent's node, the name and preferably the descendants agree. */
facet_status facet_j3d_match_joint_tree(facet_j3d_joint_weaving *w);

/* Report channels that do not move a joint. */
facet_status facet_j3d_report_joint_losses(const facet_j3d_joint_weaving *w);

/* Fill in `samples`. */
facet_status facet_j3d_sample_joints(facet_j3d_joint_weaving *w);

/* The angle in degrees between two rotations. Both are given by angles in degrees. */
double facet_j3d_angle_between(const double *a, const double *b);
/* Find which of scale, rotation and translation of each joint equal the stored file's. */
facet_status facet_j3d_compare_joints(const facet_j3d_joint_weaving *w, bool (*kept)[3]);
/* Add those that equal `reference`, the stored file as a scene shows it. */
void facet_j3d_compare_samples(const facet_j3d_joint_weaving *w,
                               const facet_j3d_joint_weaving *reference, bool (*kept)[3]);
/* The smallest shift that fits all angles except kept ones; `kept` can be NULL. */
uint32_t facet_j3d_find_rotation_shift(const facet_j3d_joint_weaving *w, bool (*kept)[3]);
/* Make the tracks of all numbers: those of the stored file if kept, else fitted ones. */
facet_status facet_j3d_fit_joints(const facet_j3d_joint_weaving *w, bool (*kept)[3]);

#endif
