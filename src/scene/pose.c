/* scene/pose.c - transforms of nodes: at rest, animated, frame by frame. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "scene/matrix.h"
#include "scene/scene.h"
#include "scene/transform.h"

#include <facet/pose.h>
#include <math.h>
#include <string.h>

/* -- The order of the nodes --------------------------------------------- */

/* Compute depths: from each node, go up until a node whose depth is known. */
facet_status facet_scene_order(const facet_scene *scene, uint32_t *depth, uint32_t *order,
                               facet_error *error)
{
    uint32_t count = scene->node_count;
    memset(depth, 0, count * sizeof *depth); /* 0: unknown; otherwise depth + 1 */
    for (uint32_t start = 0; start < count; start++) {
        uint32_t length = 0, at = start;
        while (at != FACET_NONE && depth[at] == 0 && length <= count) {
            at = scene->nodes[at]->parent;
            length++;
        }
        if (length > count)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "SCENE", FACET_NO_OFFSET,
                              "the parents of node %u form a cycle", start);
        uint32_t value = length + (at == FACET_NONE ? 0 : depth[at]);
        for (at = start; at != FACET_NONE && depth[at] == 0; at = scene->nodes[at]->parent)
            depth[at] = value--;
    }
    /* A counting sort by depth; `order` first stores the number of nodes of each depth. */
    memset(order, 0, count * sizeof *order);
    for (uint32_t i = 0; i < count; i++)
        order[depth[i] - 1]++;
    uint32_t first = 0;
    for (uint32_t d = 0; d < count; d++) {
        uint32_t here = order[d];
        order[d] = first;
        first += here;
    }
    for (uint32_t i = 0; i < count; i++)
        depth[i] = order[depth[i] - 1]++;
    for (uint32_t i = 0; i < count; i++)
        order[depth[i]] = i;
    return FACET_OK;
}

void facet_scene_mark_roots(const facet_scene *scene, bool *is_root)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        is_root[i] = !scene->roots && scene->nodes[i]->parent == FACET_NONE;
    for (uint32_t i = 0; scene->roots && i < scene->root_count; i++)
        is_root[scene->roots[i]] = true;
    for (uint32_t i = 0; !scene->roots && i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        for (uint32_t level = 0; level < node->lod_count; level++)
            is_root[node->lods[level]] = false;
    }
}

void facet_scene_mark_reached(const facet_scene *scene, const uint32_t *order, bool *reached)
{
    facet_scene_mark_roots(scene, reached);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t parent = scene->nodes[order[i]]->parent;
        if (parent != FACET_NONE)
            reached[order[i]] = reached[parent];
    }
}

void facet_scene_mark_visible(const facet_scene *scene, const uint32_t *order, bool *seen)
{
    facet_scene_mark_reached(scene, order, seen);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[order[i]];
        seen[order[i]] &= !node->hidden && (node->parent == FACET_NONE || seen[node->parent]);
    }
}

void facet_scene_report_hidden(const facet_scene *scene, const bool *seen, facet_report *report)
{
    facet_tally dropped = {0};
    bool any = false;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        any |= scene->nodes[i]->hidden;
        if (!seen[i] && scene->nodes[i]->mesh != FACET_NONE)
            facet_tally_hit(&dropped, i);
    }
    if (any)
        facet_report_add_tally(report, "LOSS-MESHES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                               &dropped, "the mesh of node %u is dropped: the node is not visible",
                               (unsigned)dropped.first);
}

/* -- Poses -------------------------------------------------------------- */

static uint32_t morph_count(const facet_scene *scene, uint32_t node)
{
    uint32_t mesh = scene->nodes[node]->mesh;
    return mesh == FACET_NONE ? 0 : scene->meshes[mesh]->morph_count;
}

static facet_status allocate_weights(const facet_scene *scene, facet_pose *pose, facet_error *error)
{
    for (uint32_t i = 0; i < pose->node_count; i++) {
        uint32_t count = morph_count(scene, i);
        if (count == 0)
            continue;
        pose->weights[i] = facet_arena_allocate(pose->arena, count, sizeof(float));
        if (!pose->weights[i])
            return facet_fail_arena(pose->arena, error);
    }
    return FACET_OK;
}

static facet_status allocate(const facet_scene *scene, const facet_options *options,
                             facet_pose *pose, facet_error *error)
{
    TRY(facet_arena_create(options, &pose->arena, error));
    facet_arena *arena = pose->arena;
    uint32_t count = scene->node_count;
    pose->scene = scene;
    pose->node_count = count;
    pose->local = facet_arena_allocate(arena, count, 16 * sizeof(float));
    pose->global = facet_arena_allocate(arena, count, 16 * sizeof(float));
    pose->order = facet_arena_allocate(arena, count, sizeof(uint32_t));
    pose->seen = facet_arena_allocate(arena, count, sizeof(bool));
    pose->hidden = facet_arena_allocate(arena, count, sizeof(bool));
    pose->moved = facet_arena_allocate(arena, count, sizeof *pose->moved);
    pose->weights = facet_arena_allocate_zeroed(arena, count, sizeof(float *));
    uint32_t *depth = facet_arena_allocate(arena, count, sizeof *depth);
    if (!pose->local || !pose->global || !pose->order || !pose->seen || !pose->hidden ||
        !pose->moved || !pose->weights || !depth)
        return facet_fail_arena(arena, error);
    facet_status status = facet_scene_order(scene, depth, pose->order, error);
    facet_arena_release(arena, depth, count, sizeof *depth);
    if (status)
        return status;
    return allocate_weights(scene, pose, error);
}

void facet_pose_free(facet_pose *pose)
{
    facet_arena_free(pose->arena);
    memset(pose, 0, sizeof *pose);
}

static void rest(const facet_scene *scene, facet_pose *pose)
{
    facet_scene_mark_reached(scene, pose->order, pose->seen);
    for (uint32_t i = 0; i < pose->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        pose->hidden[i] = node->hidden;
        facet_matrix_of_node(node, pose->local + (size_t)i * 16);
        for (uint32_t m = 0; m < morph_count(scene, i); m++)
            pose->weights[i][m] =
                node->weights ? node->weights[m] : scene->meshes[node->mesh]->morphs[m].weight;
    }
}

/* Apply channels, each of which changes a part of a node's transform. The parts are collected in a
 * copy of the transform, which is converted to a matrix after each channel. */
static void move(const facet_scene *scene, const facet_animation *animation, double time,
                 facet_pose *pose)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        pose->moved[i] = node->transform;
        if (node->has_matrix)
            facet_transform_of_matrix(node->matrix, FACET_MIRROR_LEAST, &pose->moved[i]);
    }
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_channel *channel = &animation->channels[i];
        if (!facet_channel_target_is_of_node(channel->target))
            continue;
        facet_transform *transform = &pose->moved[channel->node];
        float visible = 1;
        switch (channel->target) {
        case FACET_TARGET_TRANSLATION:
            facet_channel_sample(channel, time, transform->translation);
            break;
        case FACET_TARGET_ROTATION:
            facet_channel_sample(channel, time, transform->rotation);
            break;
        case FACET_TARGET_SCALE:
            facet_channel_sample(channel, time, transform->scale);
            break;
        case FACET_TARGET_WEIGHTS:
            /* facet_scene_check rejects another width, but not all scenes are checked. */
            if (channel->width == morph_count(scene, channel->node))
                facet_channel_sample(channel, time, pose->weights[channel->node]);
            continue;
        default:
            facet_channel_sample(channel, time, &visible);
            pose->hidden[channel->node] = visible == 0;
            continue;
        }
        facet_matrix_of_transform(transform, pose->local + (size_t)channel->node * 16);
    }
}

static void chain(const facet_scene *scene, facet_pose *pose)
{
    for (uint32_t i = 0; i < pose->node_count; i++) {
        uint32_t node = pose->order[i], parent = scene->nodes[node]->parent;
        const float *local = pose->local + (size_t)node * 16;
        pose->seen[node] &= !pose->hidden[node] && (parent == FACET_NONE || pose->seen[parent]);
        float *global = pose->global + (size_t)node * 16;
        if (parent == FACET_NONE)
            memcpy(global, local, 16 * sizeof *global);
        else
            facet_matrix_multiply(pose->global + (size_t)parent * 16, local, global);
    }
}

facet_status facet_scene_pose(const facet_scene *scene, uint32_t animation, double time,
                              const facet_options *options, facet_pose *pose, facet_error *error)
{
    if (animation != FACET_NONE && animation >= scene->animation_count)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET, "animation %u of %u",
                          animation, scene->animation_count);
    if (pose->scene != scene || pose->node_count != scene->node_count)
        facet_pose_free(pose);
    if (!pose->arena) {
        facet_status status = allocate(scene, options, pose, error);
        if (status) {
            facet_pose_free(pose);
            return status;
        }
    }
    rest(scene, pose);
    if (animation != FACET_NONE)
        move(scene, scene->animations[animation], time, pose);
    chain(scene, pose);
    return FACET_OK;
}

/* -- Baking ------------------------------------------------------------- */

/* Maximum number of frames; more indicate a wrong rate. */
#define MAX_FRAMES 1e7
/* Maximum number of bytes: two keys of a small file may be days apart. */
#define MAX_BAKED ((double)((size_t)256 << 20))

facet_status facet_animation_bake(const facet_scene *scene, uint32_t animation, double rate,
                                  const facet_options *options, facet_baked *baked,
                                  facet_error *error)
{
    if (animation >= scene->animation_count || !(rate > 0) || !isfinite(rate))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "there is no animation %u, or %g frames a second is no rate", animation,
                          rate);
    double duration = facet_animation_duration(scene->animations[animation]);
    /* A last frame that is slightly after the end because of rounding does not count. */
    double frames = ceil(duration * rate - 1e-4) + 1;
    if (!(frames <= MAX_FRAMES))
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "%g seconds at %g frames a second are too many frames", duration, rate);
    double bytes = frames * scene->node_count * 16 * sizeof(float);
    if (bytes > MAX_BAKED)
        return facet_fail(
            error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
            "%.0f frames of %u nodes would take %.0f MiB, more than %.0f MiB: a lower "
            "rate has fewer",
            frames, scene->node_count, bytes / (1 << 20), MAX_BAKED / (1 << 20));
    facet_baked made = {NULL, rate, frames < 1 ? 1 : (uint32_t)frames, scene->node_count, NULL};
    size_t per_frame = (size_t)scene->node_count * 16;
    facet_pose pose = {0};
    TRY(facet_arena_create(options, &made.arena, error));
    facet_status status = FACET_OK;
    made.local = facet_arena_allocate(made.arena, made.frame_count, per_frame * sizeof(float));
    if (!made.local)
        status = facet_fail_arena(made.arena, error);
    for (uint32_t frame = 0; frame < made.frame_count && !status; frame++) {
        status = facet_scene_pose(scene, animation, frame / rate, options, &pose, error);
        if (!status && per_frame > 0)
            memcpy(made.local + frame * per_frame, pose.local, per_frame * sizeof(float));
    }
    facet_pose_free(&pose);
    if (status)
        facet_arena_free(made.arena);
    else
        *baked = made;
    return status;
}

void facet_baked_free(facet_baked *baked)
{
    facet_arena_free(baked->arena);
    memset(baked, 0, sizeof *baked);
}
