/* formats/gltf/from_scene/mesh_writer.h - a mesh that is written, and the attributes of its
 * vertices. */
#ifndef FACET_GLTF_FROM_SCENE_MESH_WRITER_H
#define FACET_GLTF_FROM_SCENE_MESH_WRITER_H

#include "formats/gltf/from_scene/writer.h"
#include "scene/scene.h"

/* An attribute and the location of its values. */
typedef struct facet_gltf_placed_slot {
    facet_gltf_slot slot;
    char name[32];
    const char *custom; /* name of a custom stream, with leading underscore; else NULL */
    const char *shape;  /* accessor type, like "VEC3" */
    uint32_t view;
    uint32_t stride; /* bytes from one vertex to the next in the view */
    bool morph;      /* stored separately; the attribute belongs to morph target `stream->set` */
} facet_gltf_placed_slot;

typedef struct facet_gltf_mesh_writer {
    facet_gltf_writer *w;
    const facet_mesh *mesh;
    uint32_t number;
    facet_gltf_placed_slot *slots;
    uint32_t slot_count;
    uint32_t *orders[FACET_USE_KINDS]; /* faces, lines and points by section and material; NULL: in
                                        * their original order */
    uint32_t low, high;                /* vertex range of `accessors` */
    facet_json *attributes, *targets;  /* of that range, shared by primitives */
    uint64_t range_total;              /* vertices of all ranges so far */
    uint32_t without;                  /* semantics that the range does not write, as bits */
    uint32_t sets[FACET_CUSTOM + 1];   /* per semantic: number of sets from 0 without a gap */
} facet_gltf_mesh_writer;

/* These set the writer's `failed` if out of memory. */

/* Create a slot for each stream that glTF can store; the others are losses. */
void facet_gltf_collect_slots(facet_gltf_mesh_writer *m);
/* Place the slots in interleaved vertices. Slots beyond glTF's maximum stride go into additional
 * views. */
void facet_gltf_place_slots(facet_gltf_mesh_writer *m);
/* Place each slot of a morph target in a separate view. */
void facet_gltf_place_morphs(facet_gltf_mesh_writer *m);

#endif
