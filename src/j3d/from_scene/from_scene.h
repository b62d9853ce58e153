/* j3d/from_scene/from_scene.h - what the files that make a document of a scene share.
 * They run in this order, and each fills in its part of the writer:
 *
 *   joints     nodes and skins            -> joints, and where meshes hang
 *   textures   images                     -> textures
 *   matrices   joints and weights         -> draw matrices, envelopes
 *   vertices   streams                    -> vertex arrays
 *   shapes     faces                      -> shapes by material and joint
 *   materials  materials                  -> material slots
 *   packets    a shape of many matrices   -> packets of at most ten
 *   strips     triangles                  -> display lists
 *   hierarchy  joints, shapes, materials  -> nodes, bounds
 *
 * Numbers are those of J3D's frame from `joints` on: +Y up, right-handed,
 * meters, v from the top. */
#ifndef FACET_J3D_FROM_SCENE_FROM_SCENE_H
#define FACET_J3D_FROM_SCENE_FROM_SCENE_H

#include "j3d/gpu/skeleton.h"

#include <facet/j3d.h>
#include <facet/scene.h>

/* -- The writer --------------------------------------------------------- */

/* A mesh where it stands. */
typedef struct j3d_instance {
    const facet_mesh *mesh;
    uint32_t skin;          /* FACET_NONE: rigid */
    uint32_t joint;         /* that it hangs on */
    facet_j3d_matrix place; /* rigid: to the joint's space; skinned: to the common bind space */
    bool flip;              /* triangles turn their other side */
    uint8_t billboard;      /* facet_j3d_shape_type, when it is a billboard */
    uint32_t first_vertex, vertex_count; /* among all vertices */
} j3d_instance;

/* Triangles that one shape draws. */
typedef struct j3d_shape_plan {
    uint32_t material;        /* of the scene; material_count: of faces without one */
    uint32_t joint;           /* owner */
    uint32_t slot;            /* material slot */
    uint8_t type;             /* facet_j3d_shape_type */
    bool skinned;             /* made of skinned instances */
    uint32_t arrays;          /* bit i: the vertices have FACET_J3D_ARRAY_* i */
    uint8_t texture_matrices; /* bit i: texgen i follows the vertex's matrix */
    uint32_t *triangles;      /* three vertices each, counter-clockwise */
    uint32_t triangle_count;
    uint32_t vertex_count; /* distinct ones, that `triangles` count */
    uint32_t *vertices;    /* to any of the vertices that are equal to it */
} j3d_shape_plan;

typedef struct j3d_build {
    const facet_scene *scene;
    const facet_options *options;
    facet_error *error;
    facet_arena *scratch;
    facet_j3d *document; /* whose arena the results come from */

    /* frame */
    double turn[9]; /* row-major: from the scene's axes to J3D's */
    double unit;
    bool flip_v;

    /* joints */
    uint32_t *joint_of_node;       /* FACET_NONE: none */
    uint32_t *node_of_joint;       /* FACET_NONE: made up */
    facet_j3d_matrix *node_local;  /* of each node, in its parent */
    facet_j3d_matrix *node_place;  /* and in the model */
    facet_j3d_matrix *joint_place; /* of each joint as it is written */
    facet_j3d_matrix *bind;        /* from the model to each joint, as it is written */
    bool *conflict;                /* per skin: its bind pose is not that of the others */
    facet_j3d_matrix *skin_bind;   /* per joint of each skin, from skin_first on */
    uint32_t *skin_first;
    j3d_instance *instances;
    uint32_t instance_count;
    bool is_j3d; /* the nodes were J3D's joints before */

    /* textures and materials of the scene */
    uint32_t *texture_of;     /* of each material's base color; FACET_NONE: none */
    uint32_t largest_texture; /* longest side; 0: unknown */
    bool *is_own;             /* per material: its extras say what it is in J3D */
    bool *is_reversed;        /* per material: it culls front faces */
    uint32_t *original_of;    /* per material: that which it is a copy of, or itself */
    uint32_t own_texcoords;   /* sets that such materials use, from 0 on */

    /* vertices of all instances, one after the other */
    uint32_t vertex_count;
    uint32_t *matrix;                         /* of each vertex; once all are known, draw matrix */
    float *positions;                         /* where the matrix wants them */
    float *normals;                           /* NULL when there are none */
    uint16_t *indices[FACET_J3D_ARRAY_COUNT]; /* into the vertex arrays; NULL: no such array */

    /* shapes */
    j3d_shape_plan *shapes;
    uint32_t shape_count;
    uint32_t *slots; /* material of the scene of each slot; material_count: none */
    uint32_t slot_count;
    facet_j3d_material *materials; /* one per slot */
} j3d_build;

/* -- Parts of the work -------------------------------------------------- */

facet_status facet_j3d_build_joints(j3d_build *w);
facet_status facet_j3d_build_textures(j3d_build *w);
facet_status facet_j3d_find_own_materials(j3d_build *w);
/* Fill in original_of; is_own is there. */
facet_status facet_j3d_find_copies(j3d_build *w);
facet_status facet_j3d_build_matrices(j3d_build *w);
facet_status facet_j3d_build_vertices(j3d_build *w);
facet_status facet_j3d_build_shapes(j3d_build *w);
/* The stream of a mesh that becomes colors 0 or 1, or NULL: those that were J3D's
 * and that no other program should show have the name J3D_COLOR_0 or _1, and
 * bytes as stored. */
const facet_stream *facet_j3d_color_stream(const facet_mesh *mesh, uint32_t set);
bool facet_j3d_is_color_stream(const facet_stream *stream, uint32_t set);
/* Elements of vertex arrays that no triangle draws are taken out. */
facet_status facet_j3d_drop_unused_elements(j3d_build *w);
facet_status facet_j3d_build_materials(j3d_build *w);
facet_status facet_j3d_build_display_lists(j3d_build *w);
facet_status facet_j3d_build_hierarchy(j3d_build *w);
facet_status facet_j3d_build_bounds(j3d_build *w);

/* -- Shared ------------------------------------------------------------- */

/* Memory of the document, or scratch, cleared; NULL with the error set. */
void *facet_j3d_writer_keep(const j3d_build *w, size_t count, size_t size);
void *facet_j3d_writer_scratch(const j3d_build *w, size_t count, size_t size);
facet_report *facet_j3d_writer_report(const j3d_build *w);
/* `value` items of something that the format counts up to `most`. */
facet_status facet_j3d_writer_limit(const j3d_build *w, const char *rule, uint64_t value,
                                    uint64_t most, const char *what, const char *advice);
/* A name as Shift-JIS, in the document; characters that it cannot hold are
 * counted in *lost. */
facet_status facet_j3d_writer_name(const j3d_build *w, const char *text, facet_j3d_name *name,
                                   size_t *lost);

/* What reading extras said: what is wrong with them is reported, and they are
 * done without; *found is false then. */
facet_status facet_j3d_writer_extras(const j3d_build *w, facet_status status, bool *found);

/* -- Packets (scene_write_packets.c) ------------------------------------ */

/* A run of triangles that ten matrices draw. */
typedef struct j3d_packet_plan {
    uint32_t first, count; /* of `order` */
    uint32_t matrix_count;
    uint32_t matrices[10]; /* by slot */
} j3d_packet_plan;

typedef struct j3d_packeting {
    uint32_t *order; /* all triangles, by packet */
    j3d_packet_plan *packets;
    uint32_t packet_count;
} j3d_packeting;

/* Cut triangles into packets. matrix_of[v] is the matrix of vertex v, below
 * `matrix_count`. Results come from `arena`. Greedy: a packet grows by the matrix
 * that completes most triangles. Expected linear time for meshes, whose matrices
 * have few neighbors. */
facet_status facet_j3d_make_packets(facet_arena *arena, const uint32_t *triangles, uint32_t count,
                                    const uint32_t *matrix_of, uint32_t matrix_count,
                                    j3d_packeting *packeting, facet_error *error);

#endif
