/* scene/scene.h - internal functions of scenes for passes and formats. */
#ifndef FACET_SCENE_SCENE_H
#define FACET_SCENE_SCENE_H

#include <assert.h>
#include <facet/format.h>
#include <facet/gx_material.h>
#include <facet/pose.h>
#include <facet/scene.h>

/* Bytes of one component: 1, 2, 4 or 8. */
size_t facet_component_size(facet_component component);

/* Bytes of one element of a stream. */
static inline size_t facet_stream_element_size(const facet_stream *stream)
{
    return facet_component_size(stream->component) * stream->components;
}

/* True if element i of both streams belongs to the same vertex, for every i. The same index array
 * is not enough: a stream may have additional elements that no corner uses. */
static inline bool facet_streams_share_vertices(const facet_stream *a, const facet_stream *b)
{
    return a->indices == b->indices && a->count == b->count;
}

/* True if an item has data of its file that the scene does not represent, as text (extras) or typed
 * (gx_file). */
static inline bool facet_has_extras(const char *extras, const facet_gx_file_part *file)
{
    return extras || (file && !file->extras);
}
static inline bool facet_material_has_extras(const facet_material *m)
{
    return m->extras || (m->gx_file && !m->gx_file->extras);
}
static inline bool facet_image_has_extras(const facet_image *image)
{
    return image->extras || (image->gx_file && !image->gx_file->extras);
}

/* Check that a scene is one image, for files that hold nothing else: `file` is "an image file". */
facet_status facet_scene_check_image(const facet_scene *scene, const char *file,
                                     facet_error *error);

/* True for a custom stream with this name and type. In glTF, such names begin with _. */
bool facet_stream_is_custom(const facet_stream *stream, const char *name, facet_component component,
                            uint32_t components);
const facet_stream *facet_mesh_find_custom(const facet_mesh *mesh, const char *name,
                                           facet_component component, uint32_t components);

/* Compute the bytes of this number of levels in image->smaller. False if a full chain has fewer, or
 * memory cannot hold them. */
bool facet_image_size_of_smaller(uint32_t width, uint32_t height, uint32_t count, size_t *bytes);

/* Check a mesh as facet_scene_check does, except the indices of materials. */
facet_status facet_mesh_check(const facet_mesh *mesh, facet_error *error);
/* Used at the beginning of each pass. In debug builds, a mesh that breaks the invariants ends the
 * program here, before an access beyond its arrays. */
#ifdef NDEBUG
#define FACET_EXPECT_MESH(mesh) ((void)0)
#else
#define FACET_EXPECT_MESH(mesh) assert(facet_mesh_check(mesh, NULL) == FACET_OK)
#endif

/* True for targets of nodes, false for those of materials. */
static inline bool facet_channel_target_is_of_node(facet_channel_target target)
{
    return target <= FACET_TARGET_VISIBILITY;
}
/* True for translation, rotation and scale of a node. */
static inline bool facet_channel_target_is_place(facet_channel_target target)
{
    return target <= FACET_TARGET_SCALE;
}

/* Number of values of a key; 0 if the node does not have the animated property. The target must
 * exist. */
uint32_t facet_channel_width(const facet_scene *scene, const facet_channel *channel);

/* Like facet_channel_sample, for times that do not decrease from call to call. *key is the last key
 * before the time; it is 0 before the first call. */
void facet_channel_sample_next(const facet_channel *channel, double time, uint32_t *key,
                               float *values);

/* First face after `face` with another material; face_count without such a face. */
static inline uint32_t facet_mesh_end_of_material(const facet_mesh *mesh, uint32_t face)
{
    enum { BLOCK = 16 };
    const uint32_t *materials = mesh->face_materials;
    uint32_t count = materials ? mesh->face_count : 0, material = materials ? materials[face] : 0;
    /* The loop over a block has no branches. */
    for (uint32_t others = 0; face < count && count - face >= BLOCK; face += BLOCK) {
        for (uint32_t i = 0; i < BLOCK; i++)
            others |= materials[face + i] ^ material;
        if (others)
            break;
    }
    while (face < count && materials[face] == material)
        face++;
    return materials ? face : mesh->face_count;
}

/* Vertex indices of lines (kind 0) and points (kind 1). */
typedef struct facet_ends {
    uint32_t *indices;
    size_t count;
} facet_ends;
enum { FACET_END_KINDS = 2 };
static inline facet_ends facet_mesh_ends(const facet_mesh *mesh, int kind)
{
    return kind == 0 ? (facet_ends){mesh->lines, (size_t)mesh->line_count * 2}
                     : (facet_ends){mesh->points, mesh->point_count};
}

/* Indices of the materials of faces (kind 0), lines (1) and points (2). */
typedef struct facet_material_uses {
    uint32_t *indices; /* one per face, line or point; NULL: none has a material */
    uint32_t count;    /* of faces, lines or points */
} facet_material_uses;
enum { FACET_USE_KINDS = 3 };
static inline facet_material_uses facet_mesh_material_uses(const facet_mesh *mesh, int kind)
{
    return kind == 0   ? (facet_material_uses){mesh->face_materials, mesh->face_count}
           : kind == 1 ? (facet_material_uses){mesh->line_materials, mesh->line_count}
                       : (facet_material_uses){mesh->point_materials, mesh->point_count};
}
static inline uint32_t facet_material_of(facet_material_uses uses, uint32_t i)
{
    return uses.indices ? uses.indices[i] : FACET_NONE;
}

/* Convert the vertices of a mesh without faces, lines and points to points, so that they are
 * visible. FACET_ERROR_MEMORY and FACET_ERROR_MEMORY_LIMIT. */
facet_status facet_mesh_show_vertices(facet_mesh *mesh, facet_error *error);

/* True if some faces are smoothed with others. */
static inline bool facet_mesh_has_smoothing(const facet_mesh *mesh)
{
    for (uint32_t face = 0; mesh->face_smoothing && face < mesh->face_count; face++) {
        if (mesh->face_smoothing[face] != 0)
            return true;
    }
    return false;
}

/* Replace every end by numbers[end]. */
static inline void facet_mesh_number_ends(const facet_mesh *mesh, const uint32_t *numbers)
{
    for (int kind = 0; kind < FACET_END_KINDS; kind++) {
        facet_ends ends = facet_mesh_ends(mesh, kind);
        for (size_t i = 0; i < ends.count; i++)
            ends.indices[i] = numbers[ends.indices[i]];
    }
}

/* Append a pointer to an array of the scene. `array` points to the array, and *count is increased.
 * An array of the caller is copied first and is not changed. */
facet_status facet_scene_append(facet_scene *scene, facet_growth *growth, void *array,
                                uint32_t *count, void *item, facet_error *error);

/* Make space for `more` items of `size` bytes after `count`, with the same rule for arrays of the
 * caller. */
facet_status facet_scene_reserve(facet_scene *scene, facet_growth *growth, void *array,
                                 uint32_t count, uint32_t more, size_t size, facet_error *error);

/* Copy the content of a scene into the cleared struct *to. All its arrays are allocated in
 * `arena`. */
facet_status facet_scene_copy_into(const facet_scene *scene, facet_arena *arena, facet_scene *to,
                                   facet_error *error);

/* Remove a stream's indices, and free them if no other stream shares them. */
void facet_stream_release_indices(facet_mesh *mesh, facet_stream *stream);

/* Remove collision and occlusion objects from the meshes. An object is a part, or a mesh without
 * parts. If its name or group begins with load->hull_prefix, it becomes a hull of its distinct
 * points; consecutive parts of one name become one hull. If its name is load->occluder_name, it
 * becomes the occluder, with its polygons. A mesh without faces left is removed; in others,
 * elements that only those faces used stay. load may be NULL. Readers call this last. Linear. */
facet_status facet_scene_extract_collision(facet_scene *scene, const facet_load_options *load,
                                           const facet_options *options, facet_error *error);

/* Convert every part, and every mesh without parts, to hulls. */
facet_status facet_scene_make_hulls(facet_scene *scene, const facet_options *options,
                                    facet_error *error);

/* Fail with `failure` and SCENE-NONFINITE if a number of an otherwise valid scene is infinite or
 * NaN. Linear. */
facet_status facet_scene_expect_finite(const facet_scene *scene, facet_status failure,
                                       facet_error *error);
/* Handle such numbers at the end of a reader whose format stores floats directly. In streams except
 * positions, they become 0, with a warning. Elsewhere they are FACET_ERROR_MALFORMED. */
facet_status facet_scene_replace_nonfinite(facet_scene *scene, const facet_options *options,
                                           facet_error *error);

/* Report LOSS-PRECISION for meshes far from the origin, where floats round their positions by more
 * than a thousandth of a face. `source` is the text that they come from. It is searched for a
 * number that is not exactly a float. NULL: the positions were doubles. Linear. */
void facet_scene_report_rounding(const facet_scene *scene, const facet_source *source,
                                 const facet_options *options);

/* Report LOSS-PRECISION for meshes that their nodes move far from the origin, for formats whose
 * vertices get the transforms of nodes. Linear. */
void facet_scene_report_moved(const facet_scene *scene, const facet_pose *pose,
                              facet_report *report);

/* List the nodes, parents before children; FACET_ERROR_ARGUMENT for a cycle. `depth` (scratch) and
 * `order` have space for every node. */
facet_status facet_scene_order(const facet_scene *scene, uint32_t *depth, uint32_t *order,
                               facet_error *error);
/* Mark the roots of the scene: those of its list, or without one all nodes without parent that are
 * not levels of detail. */
void facet_scene_mark_roots(const facet_scene *scene, bool *is_root);
/* Mark the nodes that are roots of the scene or below one. */
void facet_scene_mark_reached(const facet_scene *scene, const uint32_t *order, bool *reached);
/* Mark the same nodes, except those that are hidden at rest and their descendants. */
void facet_scene_mark_visible(const facet_scene *scene, const uint32_t *order, bool *seen);

/* Report the meshes that are dropped because nodes are hidden. `seen` is from
 * facet_scene_mark_visible. Without hidden nodes, nothing is reported. */
void facet_scene_report_hidden(const facet_scene *scene, const bool *seen, facet_report *report);

/* Check the size of the instances of meshes before they are created, for nodes where `seen` is
 * true. FACET_ERROR_LIMIT (GROWTH-LIMIT) if it exceeds facet_options.growth_limit relative to the
 * size of the meshes (instance_budget.c). */
facet_status facet_scene_check_growth(const facet_scene *scene, const bool *seen,
                                      const facet_options *options, facet_error *error);

/* Merge all meshes into one, whose parts are the meshes (or their parts). Streams that only some
 * meshes have are FACET_NONE elsewhere. If all meshes are indexed and have the same streams, the
 * result is indexed. Linear. */
facet_status facet_scene_merge(facet_scene *scene, const facet_options *options,
                               facet_error *error);

/* Add the morph targets, weighted by `weights` (NULL: none), to `values`, a copy of the elements of
 * positions, normals or tangents. */
facet_status facet_mesh_apply_morphs(const facet_mesh *mesh, const float *weights,
                                     const facet_stream *base, float *values, facet_arena *scratch,
                                     facet_error *error);
/* Reverse the order of each face's corners, except the first. */
void facet_mesh_reverse_faces(facet_mesh *mesh);
/* Matrix of an element of `base`, blended by its joints and weights. */
void facet_mesh_blend(const facet_mesh *mesh, const facet_stream *base, uint32_t element,
                      const float *matrices, uint32_t joint_count, float *out);
/* Get the matrices of a skinned node's joints, *count of them; NULL if the node's mesh is not
 * skinned. Nodes can share a skin, so `skins` keeps the matrices of each in `scratch`: one pointer
 * per skin of the scene, NULL at first. */
facet_status facet_node_matrices(const facet_scene *scene, const facet_pose *pose, uint32_t node,
                                 facet_arena *scratch, float **skins, const float **matrices,
                                 uint32_t *count, facet_error *error);
/* Compute the elements of `base`, positions or normals of the node's mesh, in the pose. `scratch`
 * and `skins` are those of facet_node_matrices. */
facet_status facet_node_values(const facet_scene *scene, const facet_pose *pose, uint32_t node,
                               const facet_stream *base, facet_arena *scratch, float **skins,
                               float *values, facet_error *error);

#endif
