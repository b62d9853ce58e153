/* facet/pose.h - poses of a scene: transforms of its nodes at a time or at rest, meshes deformed by
 * skins and morph targets, and flattening for formats without nodes.
 *
 * Matrices are 4x4, column-major (translation in 12, 13, 14). They map from a node to its parent
 * (local) or to the scene (global): global = parent's global times local. All functions except
 * facet_scene_flatten only read the scene, so any number of threads may call them at once. Results
 * have their own memory from options->allocator, within options->memory_limit (NULL: malloc, no
 * limit).
 *
 * Stability: stable.
 */
#ifndef FACET_POSE_H
#define FACET_POSE_H

#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Poses -------------------------------------------------------------- */

/* Transforms of all nodes at one time. It owns its arrays. */
typedef struct facet_pose {
    facet_arena *arena; /* owner of the arrays */
    const facet_scene *scene;
    uint32_t node_count;
    float *local;           /* 16 per node */
    float *global;          /* 16 per node */
    uint32_t *order;        /* indices of nodes, parents before children */
    bool *seen;             /* per node: it is a root of the scene or below one, and nothing
                               hides it */
    bool *hidden;           /* per node: it hides itself and its descendants */
    float **weights;        /* per node: weights of its mesh's morph targets; NULL: no targets */
    facet_transform *moved; /* working memory: transforms of animated nodes */
} facet_pose;

/* Compute the pose at `time` seconds of an animation (FACET_NONE: at rest). Set *pose to all zero
 * before the first call. A pose of the same scene with the same nodes and meshes is updated without
 * allocation, so a player keeps one per thread. FACET_ERROR_ARGUMENT for an unknown animation and
 * for cyclic nodes; then the pose is all zero. Linear in the nodes and channels, with a binary
 * search in each channel. Free it with facet_pose_free. */
FACET_API facet_status facet_scene_pose(const facet_scene *scene, uint32_t animation, double time,
                                        const facet_options *options, facet_pose *pose,
                                        facet_error *error);
/* Free the arrays of a pose and set it to zero. */
FACET_API void facet_pose_free(facet_pose *pose);

/* Time of the last key of any channel, in seconds from 0. */
FACET_API double facet_animation_duration(const facet_animation *animation);

/* Write the values of one channel at a time: `width` floats. */
FACET_API void facet_channel_sample(const facet_channel *channel, double time, float *values);

/* Write the matrices that map vertices from the mesh to the scene, one per joint of a skin of the
 * pose's scene: 16 * joint_count floats. */
FACET_API void facet_skin_matrices(const facet_skin *skin, const facet_pose *pose, float *matrices);

/* Write the positions of a node's mesh in the scene, with morph targets and then the skin (or the
 * node's transform) applied. `positions` holds 3 floats per element of the mesh's position stream.
 * All sets of joints and weights that share the positions' indices are used. FACET_ERROR_ARGUMENT
 * for a node without mesh. Linear in the positions, joints and morph targets. */
FACET_API facet_status facet_pose_positions(const facet_scene *scene, const facet_pose *pose,
                                            uint32_t node, const facet_options *options,
                                            float *positions, facet_error *error);

/* Write the unit normals of a node's mesh in the scene, with morph targets and then the skin (or
 * the node's transform) applied, by the inverse transpose of the matrix. `normals` holds 3 floats
 * per element of the mesh's normal stream. FACET_ERROR_ARGUMENT for a node without mesh and a mesh
 * without normals. Linear in the normals, joints and morph targets. */
FACET_API facet_status facet_pose_normals(const facet_scene *scene, const facet_pose *pose,
                                          uint32_t node, const facet_options *options,
                                          float *normals, facet_error *error);

/* Compute the box around everything visible in the scene at rest. Positions that no face, line or
 * point uses are not visible. If nothing is visible, *any is false and the box is zero. */
FACET_API facet_status facet_scene_bounds(const facet_scene *scene, const facet_options *options,
                                          double minimum[3], double maximum[3], bool *any,
                                          facet_error *error);

/* -- Baking ------------------------------------------------------------- */

/* An animation as one matrix per node and frame. It owns its array. */
typedef struct facet_baked {
    facet_arena *arena;   /* owner of the array */
    double rate;          /* frames per second */
    uint32_t frame_count; /* the last frame is at or after the end of the animation */
    uint32_t node_count;
    float *local; /* frame_count * node_count * 16 floats */
} facet_baked;

/* Sample an animation `rate` times per second, from 0 to its end, including both.
 * FACET_ERROR_ARGUMENT for an unknown animation and a rate that is not above 0; FACET_ERROR_LIMIT
 * for more than ten million frames. Free the result with facet_baked_free. */
FACET_API facet_status facet_animation_bake(const facet_scene *scene, uint32_t animation,
                                            double rate, const facet_options *options,
                                            facet_baked *baked, facet_error *error);
/* Free the array and set the struct to zero. */
FACET_API void facet_baked_free(facet_baked *baked);

/* -- Flattening --------------------------------------------------------- */

typedef struct facet_flatten_options {
    uint32_t struct_size; /* sizeof(facet_flatten_options), or 0: that of release 0.2 */
    bool merge;           /* merge all meshes into one, with one part per mesh */
    bool has_time;        /* use the pose of `animation` at `time`; otherwise the pose at rest */
    uint32_t animation;
    double time;
} facet_flatten_options;

/* Remove the nodes of a scene. Each visible mesh is copied once for each node that refers to it,
 * and its vertices are transformed into the scene. Morph targets and skins are applied. Mirroring
 * transforms reverse the winding and negate the tangents' w; normals are transformed by the inverse
 * transpose. Meshes that no node shows are dropped. Removed data is reported: LOSS-ANIMATIONS,
 * LOSS-SKIN and LOSS-MORPHS as warnings, SCENE-FLATTENED as a note. If the scene has no nodes, it
 * is only merged. flatten may be NULL. */
FACET_API facet_status facet_scene_flatten(facet_scene *scene, const facet_flatten_options *flatten,
                                           const facet_options *options, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
