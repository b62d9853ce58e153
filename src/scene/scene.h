/* scene/scene.h - what passes and formats need of the scene beyond the public
 * header. */
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

/* True when element i of one stream and element i of the other belong to the same vertex. The
 * same index array is not enough: a stream may be longer by elements that no corner uses. */
static inline bool facet_streams_share_vertices(const facet_stream *a, const facet_stream *b)
{
    return a->indices == b->indices && a->count == b->count;
}

/* Whether a file says more of it than the scene does, as text or typed. */
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

/* The custom stream of that name and type, or NULL. glTF puts a _ before such names. */
bool facet_stream_is_custom(const facet_stream *stream, const char *name, facet_component component,
                            uint32_t components);
const facet_stream *facet_mesh_find_custom(const facet_mesh *mesh, const char *name,
                                           facet_component component, uint32_t components);

/* Bytes of that many levels in image->smaller. False when there are more than a full chain has, or
 * than memory can hold. */
bool facet_image_size_of_smaller(uint32_t width, uint32_t height, uint32_t count, size_t *bytes);

/* What facet_scene_check looks at in a mesh, but for the scene's materials. */
facet_status facet_mesh_check(const facet_mesh *mesh, facet_error *error);
/* At the entry of each pass: in debug builds a mesh that breaks the scene's promise ends the
 * program there, and not where it is read beyond its arrays. */
#ifdef NDEBUG
#define FACET_EXPECT_MESH(mesh) ((void)0)
#else
#define FACET_EXPECT_MESH(mesh) assert(facet_mesh_check(mesh, NULL) == FACET_OK)
#endif

/* True for paths of nodes, false for those of materials. */
static inline bool facet_channel_target_is_of_node(facet_channel_target target)
{
    return target <= FACET_TARGET_VISIBILITY;
}
/* True for what moves a node's place: translation, rotation, scale. */
static inline bool facet_channel_target_is_place(facet_channel_target target)
{
    return target <= FACET_TARGET_SCALE;
}

/* The first face behind `face` with another material than it; face_count when there is none. */
static inline uint32_t facet_mesh_end_of_material(const facet_mesh *mesh, uint32_t face)
{
    enum { BLOCK = 16 };
    const uint32_t *materials = mesh->face_materials;
    uint32_t count = materials ? mesh->face_count : 0, material = materials ? materials[face] : 0;
    /* Blocks have no branches within. */
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

/* The vertices that lines (kind 0) and points (kind 1) name. */
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

/* Where nothing is drawn between vertices, they are what is shown: those of a mesh without faces,
 * lines and points become points. FACET_ERROR_MEMORY and MEMORY_LIMIT. */
facet_status facet_mesh_show_vertices(facet_mesh *mesh, facet_error *error);

/* Whether some faces are to be smoothed with others. */
static inline bool facet_mesh_has_smoothing(const facet_mesh *mesh)
{
    for (uint32_t face = 0; mesh->face_smoothing && face < mesh->face_count; face++) {
        if (mesh->face_smoothing[face] != 0)
            return true;
    }
    return false;
}

/* Every end becomes numbers[end]. */
static inline void facet_mesh_number_ends(const facet_mesh *mesh, const uint32_t *numbers)
{
    for (int kind = 0; kind < FACET_END_KINDS; kind++) {
        facet_ends ends = facet_mesh_ends(mesh, kind);
        for (size_t i = 0; i < ends.count; i++)
            ends.indices[i] = numbers[ends.indices[i]];
    }
}

/* Append a pointer to an array of the scene: `array` points to it, *count grows. An array of
 * the caller is copied first, and stays as it is. */
facet_status facet_scene_append(facet_scene *scene, facet_growth *growth, void *array,
                                uint32_t *count, void *item, facet_error *error);

/* Let go of a stream's indices, and free them if no other stream shares them. */
void facet_stream_release_indices(facet_mesh *mesh, facet_stream *stream);

/* Take what is there for collision and occlusion out of the meshes: parts (and
 * meshes without parts) whose name, or group, begins with load->hull_prefix
 * become hulls of their distinct points, one per name in a row; those called
 * load->occluder_name become the occluder, its polygons kept. A mesh that has
 * no face left is removed; in others, elements that only those faces used stay.
 * load may be NULL. A reader calls this last. Linear. */
facet_status facet_scene_extract_collision(facet_scene *scene, const facet_load_options *load,
                                           const facet_options *options, facet_error *error);

/* The same for every part and every mesh without parts: all become hulls. */
facet_status facet_scene_make_hulls(facet_scene *scene, const facet_options *options,
                                    facet_error *error);

/* Fail with `failure` and SCENE-NONFINITE when a number of a scene, all right
 * otherwise, is infinite or not a number. Linear. */
facet_status facet_scene_expect_finite(const facet_scene *scene, facet_status failure,
                                       facet_error *error);
/* The same at the end of a reader whose format holds floats as they lie: 0 takes
 * the place of such a number in any stream but positions, with a warning;
 * elsewhere it is FACET_ERROR_MALFORMED. */
facet_status facet_scene_settle_numbers(facet_scene *scene, const facet_options *options,
                                        facet_error *error);

/* The nodes, parents before children; FACET_ERROR_ARGUMENT for a cycle. `depth`
 * (scratch) and `order` have space for every node. */
facet_status facet_scene_order(const facet_scene *scene, uint32_t *depth, uint32_t *order,
                               facet_error *error);
/* Which nodes are roots of the scene or below one. */
void facet_scene_mark_reached(const facet_scene *scene, const uint32_t *order, bool *reached);
/* The same without nodes that are hidden at rest, and what is below them. */
void facet_scene_mark_seen(const facet_scene *scene, const uint32_t *order, bool *seen);

/* Report the meshes that are dropped because nodes are hidden: `seen` is that of
 * facet_scene_mark_seen. Nothing is reported of a scene without hidden nodes. */
void facet_scene_report_hidden(const facet_scene *scene, const bool *seen, facet_report *report);

/* Count the instances of meshes before they are made, where `seen` is true of the node:
 * FACET_ERROR_LIMIT (GROWTH-LIMIT) when they come to more than facet_options.growth_limit
 * allows for what the meshes have (growth.c). */
facet_status facet_scene_check_growth(const facet_scene *scene, const bool *seen,
                                      const facet_options *options, facet_error *error);

/* All meshes into one, whose parts are the meshes (or their parts). Streams
 * that only some have are FACET_NONE elsewhere; when all meshes are indexed and
 * have the same streams, so is the result. Linear. */
facet_status facet_scene_merge(facet_scene *scene, const facet_options *options,
                               facet_error *error);

/* Add the morph targets, as much of each as `weights` (NULL: none) say, to a
 * copy `values` of the elements of positions, normals or tangents. */
facet_status facet_mesh_apply_morphs(const facet_mesh *mesh, const float *weights,
                                     const facet_stream *base, float *values, facet_arena *scratch,
                                     facet_error *error);
/* Reverse the order of each face's corners, except the first. */
void facet_mesh_reverse_faces(facet_mesh *mesh);
/* The matrix of an element of `base` by its joints and weights. */
void facet_mesh_blend(const facet_mesh *mesh, const facet_stream *base, uint32_t element,
                      const float *matrices, uint32_t joint_count, float *out);
/* The matrices of a skinned node's joints, *count of them, in `scratch`; NULL when
 * the node's mesh is not skinned. */
facet_status facet_node_matrices(const facet_scene *scene, const facet_pose *pose, uint32_t node,
                                 facet_arena *scratch, float **matrices, uint32_t *count,
                                 facet_error *error);

#endif
