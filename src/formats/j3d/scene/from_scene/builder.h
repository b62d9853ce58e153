/* formats/j3d/scene/from_scene/builder.h - the builder, which makes a document from a scene in
 * steps. They run in this order, and each sets its part of the builder:
 *
 * - joints: nodes -> joints and their names
 * - places: joints -> their transforms
 * - binds: skins -> one bind pose
 * - instances: nodes with meshes -> meshes on joints
 * - textures: images -> textures
 * - matrices: joints and weights -> draw matrices, envelopes
 * - vertices: streams -> vertex arrays
 * - shapes: faces -> shapes by material and joint
 * - materials: materials -> material slots
 * - strips: triangles, by packets -> display lists
 * - hierarchy: joints, shapes, materials -> nodes, bounds
 *
 * Each step is a file, and builder.c has their shared functions. From `joints` on, numbers are in
 * J3D's frame: +Y up, right-handed, FACET_J3D_UNIT, v from the top. */
#ifndef FACET_J3D_FROM_SCENE_BUILDER_H
#define FACET_J3D_FROM_SCENE_BUILDER_H

#include "formats/j3d/gpu/matrix.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/from_scene/material.h"
#include "scene/units.h"

#include <facet/j3d.h>
#include <facet/scene.h>

/* -- The builder -------------------------------------------------------- */

/* A mesh with its transform. */
typedef struct facet_j3d_instance {
    const facet_mesh *mesh;
    uint32_t node;          /* node of the mesh, or FACET_NONE */
    uint32_t skin;          /* FACET_NONE: rigid */
    uint32_t joint;         /* parent joint */
    facet_j3d_matrix place; /* rigid: to joint space; skinned: to the common bind space */
    bool flip;              /* its triangles must be reversed */
    uint8_t billboard;      /* facet_j3d_shape_type of a billboard */
    uint32_t first_vertex, vertex_count; /* range in all vertices */
} facet_j3d_instance;

/* Triangles of one shape. */
typedef struct facet_j3d_shape_plan {
    uint32_t material;        /* material of the scene; material_count: faces without one */
    uint32_t joint;           /* owner */
    uint32_t slot;            /* material slot */
    uint32_t like;            /* its shape in the original, or FACET_NONE */
    uint8_t type;             /* facet_j3d_shape_type */
    bool skinned;             /* from skinned instances */
    uint32_t arrays;          /* bit i: the vertices have FACET_J3D_ARRAY_* i */
    uint8_t texture_matrices; /* bit i: texgen i uses the vertex's matrix */
    uint32_t *triangles;      /* three vertices each, counter-clockwise */
    uint32_t triangle_count;
    uint32_t vertex_count; /* number of distinct vertices, which `triangles` refer to */
    uint32_t *vertices;    /* for each distinct vertex: an equal vertex of the builder */
} facet_j3d_shape_plan;

typedef struct facet_j3d_builder {
    const facet_scene *scene;
    const facet_options *options;
    facet_error *error;
    facet_arena *scratch;
    facet_j3d_extras *extras; /* of materials and images, and of an original's view */
    facet_gx_file_part **node_files, **mesh_files, *scene_file; /* NULL: no data of J3D */
    facet_j3d *document;                                        /* its arena owns the results */
    struct facet_j3d_like *like; /* the original to keep (j3d/patch); NULL: none */

    /* frame */
    double turn[9]; /* row-major: from the scene's axes to J3D's */
    bool is_flat;   /* the scene had no nodes, and got one for each mesh */
    facet_units units;
    bool flip_v;

    /* joints */
    bool is_j3d;                   /* the nodes come from J3D joints */
    bool *seen;                    /* per node: it is drawn, or is a joint that moves a drawn
                                      node */
    bool *is_neutral;              /* per node: a bone from Blender that is not a joint; NULL: no
                                      such bone */
    uint32_t *joint_of_node;       /* FACET_NONE: no joint */
    uint32_t *node_of_joint;       /* FACET_NONE: a root without node */
    uint32_t *joint_node_above;    /* per node: the nearest joint above it, or FACET_NONE */
    facet_j3d_matrix *node_local;  /* per node: relative to its parent */
    facet_j3d_matrix *node_place;  /* per node: relative to the model */
    facet_j3d_matrix *node_turn;   /* per node: from the axes of the scene's node to these */
    facet_j3d_matrix *joint_place; /* per joint: global transform as stored */
    facet_j3d_matrix *bind;        /* per joint: from the model to the joint as stored */

    /* skins */
    bool *conflict;              /* per skin: its bind pose differs from the common one */
    facet_j3d_matrix *skin_move; /* per skin: moves its vertices to the common bind pose */
    facet_j3d_matrix *skin_bind; /* per joint of each skin, starting at skin_first */
    uint32_t *skin_first;
    facet_j3d_matrix *skin_moves; /* with an original: from its bind space to the scene's */
    double *skin_factor;          /* scale of these matrices */
    double factor;                /* scale of the first such skin, used for the whole scene; 1
                                     without one */
    facet_j3d_instance *instances;
    uint32_t instance_count;

    /* textures and materials of the scene */
    uint32_t *texture_of;     /* per material: texture of its base color; FACET_NONE: none */
    const char **label_of;    /* per texture: its name in extras; NULL: all unknown */
    uint32_t largest_texture; /* longest side; 0: unknown */
    facet_j3d_extras_data
        *extras_data;       /* per material: data of its extras; unused with an original */
    bool *is_edited;        /* per material: it does not look as its extras state, so these are
                               ignored */
    bool *is_reversed;      /* per material: it culls front faces */
    uint32_t *original_of;  /* per material: the one it is a copy of, or itself */
    uint32_t own_texcoords; /* number of sets that such materials use */

    /* vertices of all instances, in sequence */
    uint32_t vertex_count;
    uint32_t *matrix;                         /* per vertex: its draw matrix */
    float *positions;                         /* in the space of that matrix */
    float *normals;                           /* NULL: no normals */
    uint16_t *indices[FACET_J3D_ARRAY_COUNT]; /* into the vertex arrays; NULL: no such array */
    bool *color_is_stored[2];                 /* the value is already in J3D's form; NULL: for no
                                                 vertex */

    /* shapes */
    facet_j3d_shape_plan *shapes;
    uint32_t shape_count;
    uint32_t *slots; /* per slot: material of the scene; material_count: none */
    uint32_t slot_count;
    facet_j3d_material *materials; /* one per slot */
} facet_j3d_builder;

/* -- Steps -------------------------------------------------------------- */

/* Remove neutral bones; part of the joints step, before the rest (neutral.c). */
facet_status facet_j3d_drop_neutral_bones(facet_j3d_builder *b);
facet_status facet_j3d_build_joints(facet_j3d_builder *b);
facet_status facet_j3d_build_places(facet_j3d_builder *b);
facet_status facet_j3d_build_binds(facet_j3d_builder *b);
facet_status facet_j3d_build_instances(facet_j3d_builder *b);
facet_status facet_j3d_build_textures(facet_j3d_builder *b);
/* Set is_edited, after the materials of an original are matched (look.c). */
facet_status facet_j3d_find_edited(facet_j3d_builder *b);
/* Set `extras_data`, is_reversed and own_texcoords (materials.c). */
facet_status facet_j3d_find_own_materials(facet_j3d_builder *b);
/* Set original_of (materials.c). */
facet_status facet_j3d_find_copies(facet_j3d_builder *b);
/* Set original_of again if materials must be merged (materials.c). */
facet_status facet_j3d_merge_materials(facet_j3d_builder *b);
facet_status facet_j3d_build_matrices(facet_j3d_builder *b);
facet_status facet_j3d_build_vertices(facet_j3d_builder *b);
facet_status facet_j3d_build_shapes(facet_j3d_builder *b);
/* Remove the elements of vertex arrays that no triangle uses (vertices.c). */
facet_status facet_j3d_drop_unused_elements(facet_j3d_builder *b);
facet_status facet_j3d_build_materials(facet_j3d_builder *b);
/* Read the extras of a material of the scene. The document must have its textures (materials.c). */
facet_status facet_j3d_read_extras(const facet_j3d_builder *b, uint32_t material,
                                   facet_j3d_extras_data *extras_data);
/* True if a material has no maps (materials.c). */
bool facet_j3d_is_bare(const facet_material *material);
/* Build one material of the scene (material_count: none) for a shape, without a name. `extras_data`
 * NULL: ignore its extras (materials.c). */
void facet_j3d_build_one_material(const facet_j3d_builder *b, uint32_t material,
                                  const facet_j3d_shape_plan *shape,
                                  const facet_j3d_extras_data *extras_data,
                                  facet_j3d_material *out);
facet_status facet_j3d_build_display_lists(facet_j3d_builder *b);
facet_status facet_j3d_build_hierarchy(facet_j3d_builder *b);
facet_status facet_j3d_build_bounds(facet_j3d_builder *b);

/* -- Shared functions (builder.c) --------------------------------------- */

/* Allocate cleared memory of the document, or scratch. NULL if out of memory; this function then
 * sets the error. */
void *facet_j3d_builder_keep(const facet_j3d_builder *b, size_t count, size_t size);
void *facet_j3d_builder_scratch(const facet_j3d_builder *b, size_t count, size_t size);
facet_status facet_j3d_builder_no_memory(const facet_j3d_builder *b);

facet_report *facet_j3d_builder_report(const facet_j3d_builder *b);
/* Fail with FACET_ERROR_LIMIT if `count` of `what` exceeds `most`. */
facet_status facet_j3d_builder_limit(const facet_j3d_builder *b, const char *rule, uint64_t count,
                                     uint64_t most, const char *what, const char *advice);

/* Allocate the joints of the document and the builder's arrays about them. Fails with
 * FACET_ERROR_LIMIT if J3D cannot count them; the error names them `what`. */
facet_status facet_j3d_builder_make_joints(facet_j3d_builder *b, uint32_t count, const char *what,
                                           const char *advice);

/* Convert a name to Shift-JIS, in the document. *lost counts the characters that it cannot
 * store. */
facet_status facet_j3d_builder_name(const facet_j3d_builder *b, const char *text,
                                    facet_j3d_name *name, size_t *lost);
/* Report names of a `what` that lost characters. */
void facet_j3d_builder_report_names(const facet_j3d_builder *b, const char *what, size_t lost);

/* The parsed extras. */
const facet_json *facet_j3d_builder_json(const facet_j3d_builder *b, const char *extras);
/* Set node_files, mesh_files and scene_file. */
facet_status facet_j3d_builder_find_files(facet_j3d_builder *b);
/* Get the file data of a material and of an image; NULL if missing. */
facet_status facet_j3d_builder_material_file(const facet_j3d_builder *b, uint32_t material,
                                             const facet_gx_file_material **file);
facet_status facet_j3d_builder_image_file(const facet_j3d_builder *b, const facet_image *image,
                                          const facet_gx_file_image **file);
/* True if the pixels of an image are known. */
static inline bool facet_j3d_has_bytes(const facet_image *image)
{
    return image->data || image->pixels;
}
/* True if the image was computed from a material. */
bool facet_j3d_builder_is_computed(const facet_j3d_builder *b, const facet_image *image);
/* Number of textures to use: 0 if they are invalid, which is reported. */
uint32_t facet_j3d_builder_texture_count(const facet_j3d_builder *b, uint32_t count,
                                         const char *wrong);
/* Report an error in extras; NULL: no error. */
void facet_j3d_builder_report_wrong(const facet_j3d_builder *b, const char *wrong);

/* True if a node was a joint of a J3D file. */
static inline bool facet_j3d_is_joint_file(const facet_gx_file_part *file)
{
    return file && (file->joint || file->wrong_joint);
}

/* Convert a matrix of the scene (column-major 4x4) to J3D's frame. */
void facet_j3d_builder_matrix(const facet_j3d_builder *b, const float m[16], double out[12]);
/* Convert a position of the scene to J3D's frame. */
void facet_j3d_builder_point(const facet_j3d_builder *b, const float *in, float out[3]);
/* True if joints move the mesh of a node. */
bool facet_j3d_is_skinned(const facet_scene *scene, const facet_node *node);
/* Compute node_place from node_local, parents first. The axes of a billboard by name whose z axis
 * points up are turned: its y axis points up (billboards.c). Nodes below it do not move. */
void facet_j3d_place_node(facet_j3d_builder *b, uint32_t node);
/* SuperBMD's marks in a name: "BillXY" turns to the camera, "BillX" keeps the y axis. A
 * facet_j3d_shape_type. */
uint8_t facet_j3d_billboard_of_name(const char *name);
/* The joint of the nearest ancestor that has one; FACET_NONE: none. */
uint32_t facet_j3d_joint_above(const facet_j3d_builder *b, uint32_t node);

/* The stream of a mesh for color 0 or 1, or NULL. Colors from J3D that other programs should not
 * show are in the custom streams J3D_COLOR_0 and J3D_COLOR_1, as stored bytes. */
const facet_stream *facet_j3d_color_stream(const facet_mesh *mesh, uint32_t set);
/* Convert a linear color to four gamma-encoded bytes, red first. */
uint32_t facet_j3d_color_of(const float *color, uint32_t components);
/* True for such a custom stream, and for the one with lengths of normals. */
bool facet_j3d_is_own_stream(const facet_stream *stream);

#endif
