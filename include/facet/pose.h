/* facet/pose.h - a scene in motion and at rest: where its nodes stand at a
 * time, what its skins and morph targets make of a mesh, and the scene without
 * nodes for formats that know none.
 *
 * Matrices are 4x4, column-major (translation in 12, 13, 14), and map from a
 * node to its parent (local) or to the scene (global): global = parent's global
 * times local.
 *
 * All but facet_scene_flatten only look at the scene, which any number of
 * threads may do at once. What they make has memory of its own, from
 * options->allocator, within options->memory_limit (NULL: malloc, no limit).
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

/* Where every node stands at one time. It owns its arrays. */
typedef struct facet_pose {
    facet_arena *arena; /* holds the arrays */
    const facet_scene *scene;
    uint32_t node_count;
    float *local;           /* 16 per node */
    float *global;          /* 16 per node */
    uint32_t *order;        /* the nodes, parents before children */
    bool *seen;             /* node is a root of the scene or below one, and nothing hides it */
    bool *hidden;           /* node hides itself and what is below it */
    float **weights;        /* per node: weights of its mesh's morph targets, or NULL without any */
    facet_transform *moved; /* working memory: the transforms of moved nodes */
} facet_pose;

/* The pose at `time` seconds of an animation (FACET_NONE: at rest). *pose is
 * all zero at first. One that was filled before, from the same scene with the
 * same nodes and meshes, is filled again without allocating: a player keeps one
 * per thread. FACET_ERROR_ARGUMENT for an animation that is not there and for
 * nodes in a cycle; then the pose is all zero. Linear in the nodes and channels,
 * with a binary search in each. To be released with facet_pose_free. */
FACET_API facet_status facet_scene_pose(const facet_scene *scene, uint32_t animation, double time,
                                        const facet_options *options, facet_pose *pose,
                                        facet_error *error);
/* Free the arrays of a pose, which is all zero afterwards. */
FACET_API void facet_pose_free(facet_pose *pose);

/* Seconds from 0 to the last key of any channel. */
FACET_API double facet_animation_duration(const facet_animation *animation);

/* The values of one channel at a time: `width` floats. */
FACET_API void facet_channel_sample(const facet_channel *channel, double time, float *values);

/* Matrices that take a vertex from the mesh to the scene, one per joint of a skin
 * of the pose's scene: 16 * joint_count floats. */
FACET_API void facet_skin_matrices(const facet_skin *skin, const facet_pose *pose, float *matrices);

/* The positions of a node's mesh in the scene: morph targets, then the skin (or
 * the node's place) applied. `positions` holds 3 floats per element of the
 * mesh's position stream. Skinned by all sets of joints and weights that share
 * the positions' indices. FACET_ERROR_ARGUMENT for a node without mesh. Linear
 * in the positions, joints and morph targets. */
FACET_API facet_status facet_pose_positions(const facet_scene *scene, const facet_pose *pose,
                                            uint32_t node, const facet_options *options,
                                            float *positions, facet_error *error);

/* The normals of a node's mesh in the scene, of unit length: morph targets, then the skin (or the
 * node's place) applied, by the inverse transpose of its matrix. `normals` holds 3 floats per
 * element of the mesh's normal stream. FACET_ERROR_ARGUMENT for a node without mesh and a mesh
 * without normals. Linear in the normals, joints and morph targets. */
FACET_API facet_status facet_pose_normals(const facet_scene *scene, const facet_pose *pose,
                                          uint32_t node, const facet_options *options,
                                          float *normals, facet_error *error);

/* The box around all that is seen of the scene at rest. *any is false, and the
 * box zero, when that is nothing. */
FACET_API facet_status facet_scene_bounds(const facet_scene *scene, const facet_options *options,
                                          double minimum[3], double maximum[3], bool *any,
                                          facet_error *error);

/* -- Baking ------------------------------------------------------------- */

/* An animation as one matrix per node and frame. It owns its array. */
typedef struct facet_baked {
    facet_arena *arena;   /* holds the array */
    double rate;          /* frames per second */
    uint32_t frame_count; /* the last one stands at or after the end of the animation */
    uint32_t node_count;
    float *local; /* frame_count * node_count * 16 */
} facet_baked;

/* Sample an animation `rate` times a second, from 0 to its end, both included.
 * FACET_ERROR_ARGUMENT for an animation that is not there and a rate that is not
 * above 0, FACET_ERROR_LIMIT for more than ten million frames. To be released
 * with facet_baked_free. */
FACET_API facet_status facet_animation_bake(const facet_scene *scene, uint32_t animation,
                                            double rate, const facet_options *options,
                                            facet_baked *baked, facet_error *error);
/* Free the array, and set all to zero. */
FACET_API void facet_baked_free(facet_baked *baked);

/* -- Flattening --------------------------------------------------------- */

typedef struct facet_flatten_options {
    uint32_t struct_size; /* sizeof(facet_flatten_options), or 0: that of release 0.2 */
    bool merge;           /* all into one mesh, whose parts are the meshes there were */
    bool has_time;        /* in the pose of `animation` at `time`; otherwise at rest */
    uint32_t animation;
    double time;
} facet_flatten_options;

/* Take the nodes out of a scene: every mesh that is seen stands once for each
 * node that names it, its vertices where they are in the scene. Morph targets
 * and skins are applied; mirrored places turn the winding and negate the
 * tangents' w; normals go by the inverse transpose. Meshes that no node shows
 * are dropped. What goes is reported: LOSS-ANIMATIONS, LOSS-SKIN, LOSS-MORPHS as
 * warnings, SCENE-FLATTENED as a note. A scene without nodes is only merged.
 * flatten may be NULL. */
FACET_API facet_status facet_scene_flatten(facet_scene *scene, const facet_flatten_options *flatten,
                                           const facet_options *options, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
