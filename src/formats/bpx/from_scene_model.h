/* formats/bpx/from_scene_model.h - a model that is written. */
#ifndef FACET_BPX_FROM_SCENE_MODEL_H
#define FACET_BPX_FROM_SCENE_MODEL_H

#include "base/arena.h"
#include "base/table.h"
#include "formats/bpx/scene.h"

#include <facet/pose.h>

/* A visible mesh with its transform. */
typedef struct facet_bpx_instance {
    const facet_mesh *mesh;
    const uint32_t *bones; /* one per joint if skinned, else one for the node it follows */
    uint32_t bone_count;   /* number of bones */
    bool skinned;
    bool placed;     /* `place` is not the identity */
    float place[16]; /* from its vertices to the model */
} facet_bpx_instance;

/* The skin's vertices and joints in the model. */
typedef struct facet_bpx_body {
    uint32_t *bones; /* one per joint */
    float stand[16]; /* from the space of its vertices to the model's */
} facet_bpx_body;

typedef struct facet_bpx_bone {
    uint32_t node;
    float bind[16]; /* its transform in the bind pose */
} facet_bpx_bone;

typedef struct facet_bpx_writer {
    const facet_scene *scene;
    const facet_options *options;
    facet_error *error;
    facet_arena *arena;
    facet_pose pose;
    facet_bpx_instance *instances;
    uint32_t instance_count;
    facet_bpx_body *bodies; /* one per skin */
    facet_bpx_bone *bones;
    uint32_t bone_count;
    float turn[9]; /* rows: from the scene's axes to BPX's */
    float unit;
    bool mirrored, flip_v;
    uint32_t texcoords; /* number of sets */
    bool normals, tangents, colors, skin;
    uint32_t vertex_size;
    uint8_t format[16];
    size_t format_size;
    uint32_t slot_count; /* one per material, plus one for no material */
    uint32_t *counts;    /* vertices per slot */
    uint32_t *order;     /* slots in the order of first use */
    uint32_t used;
    uint8_t **arrays;
    uint8_t *strings;
    size_t string_size, string_capacity;
    facet_names names; /* the strings, with their offsets */
    uint32_t *offsets, offset_capacity;
    facet_bpx *document;
} facet_bpx_writer;

/* Find the visible meshes and their bones (from_scene_bones.c). */
facet_status facet_bpx_find_instances(facet_bpx_writer *w);

#endif
