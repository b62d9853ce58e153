/* formats/gltf/to_scene/mesh_builder.h - a facet_mesh under construction from a mesh of a glTF. */
#ifndef FACET_GLTF_MESH_BUILDER_H
#define FACET_GLTF_MESH_BUILDER_H

#include "formats/gltf/to_scene/to_scene.h"

/* Vertices of one or more primitives. */
typedef struct facet_gltf_vertex_group {
    const facet_gltf_primitive *primitive; /* the first primitive that uses them */
    uint32_t count;
    uint32_t first; /* first vertex in the streams that all groups have */
} facet_gltf_vertex_group;

typedef struct facet_gltf_placed_primitive {
    uint32_t group;
    uint32_t index_count; /* number of drawn vertices */
    uint32_t first_corner, corner_count;
    uint32_t line_count, point_count;
    bool skipped;
} facet_gltf_placed_primitive;

/* The meaning of a stream, by attribute name. */
typedef struct facet_gltf_attribute_kind {
    const char *name; /* attribute name */
    uint32_t target;  /* morph target, or FACET_NONE for the mesh itself */
    facet_semantic semantic;
    uint32_t set;
    uint32_t components;
    facet_component component;
} facet_gltf_attribute_kind;

typedef struct facet_gltf_mesh_builder {
    facet_gltf_file *file;
    facet_scene *scene;
    const facet_gltf_mesh *from;
    uint32_t number; /* index of the mesh, for messages */
    facet_mesh *mesh;
    facet_gltf_placed_primitive *primitives;
    facet_gltf_vertex_group *groups;
    uint32_t group_count;
    uint32_t vertex_count; /* total over all groups */
    uint32_t *indices;     /* of the streams that all groups have */
} facet_gltf_mesh_builder;

static inline facet_report *facet_gltf_mesh_report(const facet_gltf_mesh_builder *b)
{
    return b->file->options ? b->file->options->report : NULL;
}

/* -- mesh_primitives.c -------------------------------------------------- */

/* Check primitive `index`, assign its vertices to a group, and count its shapes. */
facet_status facet_gltf_place_primitive(facet_gltf_mesh_builder *b, uint32_t index,
                                        facet_error *error);
/* Create the faces, lines and points of all placed primitives. */
facet_status facet_gltf_fill_corners(facet_gltf_mesh_builder *b, facet_error *error);

/* -- mesh_streams.c ----------------------------------------------------- */

/* The meaning of an attribute; `target` is its morph target, or FACET_NONE. */
facet_gltf_attribute_kind facet_gltf_get_attribute_kind(const char *name, uint32_t target,
                                                        const facet_gltf_accessor *accessor);
/* Create a stream for each kind of attribute. `firsts` has space for one number per group. */
facet_status facet_gltf_add_streams(facet_gltf_mesh_builder *b, uint32_t *firsts,
                                    facet_error *error);

#endif
