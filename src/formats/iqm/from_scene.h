/* formats/iqm/from_scene.h - the steps from a scene to a document. */
#ifndef FACET_IQM_FROM_SCENE_H
#define FACET_IQM_FROM_SCENE_H

#include "base/report.h"
#include "base/table.h"
#include "formats/iqm/file.h"
#include "scene/scene.h"

/* The text section, and the offsets of its strings. */
typedef struct facet_iqm_names {
    char *text;
    size_t size, capacity;
    uint32_t *offsets;
    uint32_t count;
    size_t offset_capacity;
    facet_table table;
} facet_iqm_names;

/* Joints of the document. */
typedef struct facet_iqm_skeleton {
    uint32_t count;
    uint32_t *nodes;       /* per joint */
    uint32_t *joint_of;    /* per node: its joint, or FACET_NONE */
    uint32_t *nearest;     /* per node: the joint that it is or is below, or FACET_NONE */
    float *bind;           /* 16 per joint: from the joint to the model in the base pose */
    float *undo;           /* 16 per joint: the inverse */
    facet_transform *rest; /* per joint: the node's transform */
    float **place;         /* per skin: 16 for each of its joints, from the mesh to the base pose.
                            * NULL: the vertices are in the base pose */
} facet_iqm_skeleton;

typedef struct facet_iqm_scene_writer {
    const facet_scene *scene; /* in the axes of the format */
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    facet_arena *arena;   /* owned by the document */
    facet_arena *scratch; /* freed after the conversion */
    facet_iqm *document;
    facet_pose pose; /* pose at rest; empty without nodes */
    facet_iqm_names names;
    facet_iqm_skeleton skeleton;
} facet_iqm_scene_writer;

/* Offset of a string in the text, which is added if it is new (scene_names.c). */
facet_status facet_iqm_intern(facet_iqm_scene_writer *w, const char *name, uint32_t *offset);

/* Store the text in the document: a multiple of 4 bytes, as in the files of other programs. */
facet_status facet_iqm_finish_text(facet_iqm_scene_writer *w);

/* Choose the joints among the nodes, and compute the base pose and the transforms of vertices to it
 * (from_scene_joints.c). */
facet_status facet_iqm_choose_joints(facet_iqm_scene_writer *w);

/* Create meshes, vertex arrays, triangles (from_scene_mesh.c). */
facet_status facet_iqm_make_meshes(facet_iqm_scene_writer *w);

/* Find the neighbors of each triangle (from_scene_adjacency.c). */
facet_status facet_iqm_make_adjacency(facet_iqm_scene_writer *w);

/* Compute the box and the radii of the vertices in every frame. `values` has the channels of every
 * joint, frame by frame (from_scene_bounds.c). */
facet_status facet_iqm_make_bounds(facet_iqm_scene_writer *w, const float *values,
                                   uint32_t frame_count);

/* Create poses, frames, animations and bounds (from_scene_motion.c). */
facet_status facet_iqm_make_motion(facet_iqm_scene_writer *w);

/* True for a channel that animates a node's transform. */
static inline bool facet_iqm_is_motion(const facet_channel *channel)
{
    return facet_channel_target_is_place(channel->target);
}

#endif
