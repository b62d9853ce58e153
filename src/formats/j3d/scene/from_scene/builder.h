/* formats/j3d/scene/from_scene/builder.h - the document while it is built from a scene, and the
 * steps of that. They run in this order, and each fills in its part of the
 * builder:
 *
 *   joints     nodes                      -> joints and their names
 *   places     joints                     -> where they stand
 *   binds      skins                      -> one bind pose
 *   instances  nodes with meshes          -> meshes that hang on joints
 *   textures   images                     -> textures
 *   matrices   joints and weights         -> draw matrices, envelopes
 *   vertices   streams                    -> vertex arrays
 *   shapes     faces                      -> shapes by material and joint
 *   materials  materials                  -> material slots
 *   strips     triangles, by packets      -> display lists
 *   hierarchy  joints, shapes, materials  -> nodes, bounds
 *
 * Each is a file. What several of them call is in builder.c. Numbers are those
 * of J3D's frame from `joints` on: +Y up, right-handed, FACET_J3D_UNIT, v from the
 * top. */
#ifndef FACET_J3D_FROM_SCENE_BUILDER_H
#define FACET_J3D_FROM_SCENE_BUILDER_H

#include "formats/j3d/gpu/matrix.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/from_scene/material.h"
#include "scene/units.h"

#include <facet/j3d.h>
#include <facet/scene.h>

/* -- The builder -------------------------------------------------------- */

/* A mesh where it stands. */
typedef struct facet_j3d_instance {
    const facet_mesh *mesh;
    uint32_t node;          /* that carries it, or FACET_NONE */
    uint32_t skin;          /* FACET_NONE: rigid */
    uint32_t joint;         /* that it hangs on */
    facet_j3d_matrix place; /* rigid: to the joint's space; skinned: to the common bind space */
    bool flip;              /* its triangles must be turned around */
    uint8_t billboard;      /* facet_j3d_shape_type, when it is a billboard */
    uint32_t first_vertex, vertex_count; /* among all vertices */
} facet_j3d_instance;

/* Triangles that one shape draws. */
typedef struct facet_j3d_shape_plan {
    uint32_t material;        /* of the scene; material_count: of faces without one */
    uint32_t joint;           /* owner */
    uint32_t slot;            /* material slot */
    uint32_t like;            /* shape of the original that it stands for, or FACET_NONE */
    uint8_t type;             /* facet_j3d_shape_type */
    bool skinned;             /* made of skinned instances */
    uint32_t arrays;          /* bit i: the vertices have FACET_J3D_ARRAY_* i */
    uint8_t texture_matrices; /* bit i: texgen i follows the vertex's matrix */
    uint32_t *triangles;      /* three vertices each, counter-clockwise */
    uint32_t triangle_count;
    uint32_t vertex_count; /* distinct ones, which `triangles` index */
    uint32_t *vertices;    /* of each: one of the builder's vertices that are equal to it */
} facet_j3d_shape_plan;

typedef struct facet_j3d_builder {
    const facet_scene *scene;
    const facet_options *options;
    facet_error *error;
    facet_arena *scratch;
    facet_j3d_extras *extras; /* of materials and images, and of what an original looks like */
    facet_gx_file_part **node_files, **mesh_files, *scene_file; /* NULL: nothing is said of it */
    facet_j3d *document;         /* whose arena the results come from */
    struct facet_j3d_like *like; /* the original that is to be kept (j3d/patch); NULL: none */

    /* frame */
    double turn[9]; /* row-major: from the scene's axes to J3D's */
    facet_units units;
    bool flip_v;

    /* joints */
    bool is_j3d;                   /* the nodes were J3D's joints before */
    bool *seen;                    /* per node: it is drawn, or a joint that moves what is */
    bool *is_neutral;              /* per node: Blender made it, it is no joint; NULL: none is */
    uint32_t *joint_of_node;       /* FACET_NONE: none */
    uint32_t *node_of_joint;       /* FACET_NONE: a root that no node stands for */
    uint32_t *joint_node_above;    /* per node: the nearest above that is a joint, or FACET_NONE */
    facet_j3d_matrix *node_local;  /* of each node, in its parent */
    facet_j3d_matrix *node_place;  /* and in the model */
    facet_j3d_matrix *joint_place; /* of each joint as it is stored */
    facet_j3d_matrix *bind;        /* from the model to each joint, as it is stored */

    /* skins */
    bool *conflict;              /* per skin: its bind pose is not that of the others */
    facet_j3d_matrix *skin_move; /* per skin: takes its vertices to the common bind pose */
    facet_j3d_matrix *skin_bind; /* per joint of each skin, from skin_first on */
    uint32_t *skin_first;
    facet_j3d_matrix *skin_moves; /* like an original: from its bind space to the scene's */
    double *skin_factor;          /* and how many times as large that is */
    double factor;                /* of the first such skin, and so of the scene; 1 without one */
    facet_j3d_instance *instances;
    uint32_t instance_count;

    /* textures and materials of the scene */
    uint32_t *texture_of;     /* of each material's base color; FACET_NONE: none */
    uint32_t largest_texture; /* longest side; 0: unknown */
    facet_j3d_told *told;     /* per material: by its extras; of an original nothing */
    bool *is_reversed;        /* per material: it culls front faces */
    uint32_t *original_of;    /* per material: that which it is a copy of, or itself */
    uint32_t own_texcoords;   /* sets that such materials use, from 0 on */

    /* vertices of all instances, one after the other */
    uint32_t vertex_count;
    uint32_t *matrix;                         /* of each vertex: its draw matrix */
    float *positions;                         /* where the matrix wants them */
    float *normals;                           /* NULL when there are none */
    uint16_t *indices[FACET_J3D_ARRAY_COUNT]; /* into the vertex arrays; NULL: no such array */
    bool *color_is_stored[2];                 /* it came as J3D stores it; NULL: none did */

    /* shapes */
    facet_j3d_shape_plan *shapes;
    uint32_t shape_count;
    uint32_t *slots; /* material of the scene of each slot; material_count: none */
    uint32_t slot_count;
    facet_j3d_material *materials; /* one per slot */
} facet_j3d_builder;

/* -- Steps -------------------------------------------------------------- */

/* Part of the joints' step: before them (neutral.c). */
facet_status facet_j3d_drop_neutral_bones(facet_j3d_builder *b);
facet_status facet_j3d_build_joints(facet_j3d_builder *b);
facet_status facet_j3d_build_places(facet_j3d_builder *b);
facet_status facet_j3d_build_binds(facet_j3d_builder *b);
facet_status facet_j3d_build_instances(facet_j3d_builder *b);
facet_status facet_j3d_build_textures(facet_j3d_builder *b);
/* told, is_reversed, own_texcoords (materials.c). */
facet_status facet_j3d_find_own_materials(facet_j3d_builder *b);
/* original_of (materials.c). */
facet_status facet_j3d_find_copies(facet_j3d_builder *b);
/* original_of again, when materials are to be merged (materials.c). */
facet_status facet_j3d_merge_materials(facet_j3d_builder *b);
facet_status facet_j3d_build_matrices(facet_j3d_builder *b);
facet_status facet_j3d_build_vertices(facet_j3d_builder *b);
facet_status facet_j3d_build_shapes(facet_j3d_builder *b);
/* Take out the elements of vertex arrays that no triangle draws (vertices.c). */
facet_status facet_j3d_drop_unused_elements(facet_j3d_builder *b);
facet_status facet_j3d_build_materials(facet_j3d_builder *b);
/* Read the extras of a material of the scene, once the document has its textures (materials.c). */
facet_status facet_j3d_read_told(const facet_j3d_builder *b, uint32_t material,
                                 facet_j3d_told *told);
/* One material of the scene (material_count: none) for what a shape draws, without
 * name; `told` NULL: whatever its extras say (materials.c). */
void facet_j3d_build_one_material(const facet_j3d_builder *b, uint32_t material,
                                  const facet_j3d_shape_plan *shape, const facet_j3d_told *told,
                                  facet_j3d_material *out);
facet_status facet_j3d_build_display_lists(facet_j3d_builder *b);
facet_status facet_j3d_build_hierarchy(facet_j3d_builder *b);
facet_status facet_j3d_build_bounds(facet_j3d_builder *b);

/* -- What several steps call: builder.c --------------------------------- */

/* Memory of the document, or scratch, cleared; without memory NULL, and then this fails. */
void *facet_j3d_builder_keep(const facet_j3d_builder *b, size_t count, size_t size);
void *facet_j3d_builder_scratch(const facet_j3d_builder *b, size_t count, size_t size);
facet_status facet_j3d_builder_no_memory(const facet_j3d_builder *b);

facet_report *facet_j3d_builder_report(const facet_j3d_builder *b);
/* FACET_ERROR_LIMIT when there are more `what` than the format can count. */
facet_status facet_j3d_builder_limit(const facet_j3d_builder *b, const char *rule, uint64_t count,
                                     uint64_t most, const char *what, const char *advice);

/* A name as Shift-JIS, in the document; *lost counts the characters that it
 * cannot hold. */
facet_status facet_j3d_builder_name(const facet_j3d_builder *b, const char *text,
                                    facet_j3d_name *name, size_t *lost);
/* Report the names of a `what` that lost characters. */
void facet_j3d_builder_report_names(const facet_j3d_builder *b, const char *what, size_t lost);

/* The extras of a thing, parsed. */
const facet_json *facet_j3d_builder_json(const facet_j3d_builder *b, const char *extras);
/* Find node_files, mesh_files and scene_file. */
facet_status facet_j3d_builder_find_files(facet_j3d_builder *b);
/* What files say of a material and of an image: NULL when they say nothing. */
facet_status facet_j3d_builder_material_file(const facet_j3d_builder *b, uint32_t material,
                                             const facet_gx_file_material **file);
facet_status facet_j3d_builder_image_file(const facet_j3d_builder *b, const facet_image *image,
                                          const facet_gx_file_image **file);
/* Whether the image was computed of a material. */
bool facet_j3d_builder_is_computed(const facet_j3d_builder *b, const facet_image *image);
/* How many textures there are to be used: none when they are wrong, which is reported. */
uint32_t facet_j3d_builder_texture_count(const facet_j3d_builder *b, uint32_t count,
                                         const char *wrong);
/* Report what is wrong in extras; NULL: nothing is. */
void facet_j3d_builder_report_wrong(const facet_j3d_builder *b, const char *wrong);

/* True when a node was a joint of a J3D file. */
static inline bool facet_j3d_is_joint_file(const facet_gx_file_part *file)
{
    return file && (file->joint || file->wrong_joint);
}

/* A matrix of the scene (column-major 4x4) in J3D's frame. */
void facet_j3d_builder_matrix(const facet_j3d_builder *b, const float m[16], double out[12]);
/* A position of the scene in J3D's frame. */
void facet_j3d_builder_point(const facet_j3d_builder *b, const float *in, float out[3]);
/* True when joints move the mesh of a node. */
bool facet_j3d_is_skinned(const facet_scene *scene, const facet_node *node);
/* The joint of the nearest node above that is one; FACET_NONE: none. */
uint32_t facet_j3d_joint_above(const facet_j3d_builder *b, uint32_t node);

/* The stream of a mesh that becomes colors 0 or 1, or NULL. Those that were
 * J3D's and that no other program should show are custom streams of bytes as
 * stored, J3D_COLOR_0 and J3D_COLOR_1. */
const facet_stream *facet_j3d_color_stream(const facet_mesh *mesh, uint32_t set);
/* A linear color as four bytes on the screen, red first. */
uint32_t facet_j3d_color_of(const float *color, uint32_t components);
/* True when a stream is such a custom one, or has the lengths of normals. */
bool facet_j3d_is_own_stream(const facet_stream *stream);

#endif
