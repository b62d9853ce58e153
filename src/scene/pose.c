/* scene/pose.c - where nodes stand, and where that puts the vertices. */
#include "base/arena.h"
#include "base/error.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <facet/pose.h>
#include <math.h>
#include <string.h>

/* -- The order of the nodes --------------------------------------------- */

/* By counting depths: a node's depth is found by walking up until a node whose
 * depth is known. */
facet_status facet_scene_order(const facet_scene *scene, uint32_t *depth, uint32_t *order,
                               facet_error *error)
{
    uint32_t count = scene->node_count;
    memset(depth, 0, count * sizeof *depth); /* 0: unknown; else depth + 1 */
    for (uint32_t start = 0; start < count; start++) {
        uint32_t length = 0, at = start;
        while (at != FACET_NONE && depth[at] == 0 && length <= count) {
            at = scene->nodes[at].parent;
            length++;
        }
        if (length > count)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "SCENE", FACET_NO_OFFSET,
                              "the parents of node %u go round in a cycle", start);
        uint32_t value = length + (at == FACET_NONE ? 0 : depth[at]);
        for (at = start; at != FACET_NONE && depth[at] == 0; at = scene->nodes[at].parent)
            depth[at] = value--;
    }
    /* A counting sort by depth; `order` first holds how many have each depth. */
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

void facet_scene_mark_seen(const facet_scene *scene, const uint32_t *order, bool *seen)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        seen[i] = !scene->roots && scene->nodes[i].parent == FACET_NONE;
    for (uint32_t i = 0; scene->roots && i < scene->root_count; i++)
        seen[scene->roots[i]] = true;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t parent = scene->nodes[order[i]].parent;
        if (parent != FACET_NONE)
            seen[order[i]] = seen[parent];
    }
}

/* -- Making a pose ------------------------------------------------------ */

static uint32_t morph_count(const facet_scene *scene, uint32_t node)
{
    uint32_t mesh = scene->nodes[node].mesh;
    return mesh == FACET_NONE ? 0 : scene->meshes[mesh]->morph_count;
}

static facet_status allocate_weights(facet_scene *scene, facet_pose *pose, facet_error *error)
{
    for (uint32_t i = 0; i < pose->node_count; i++) {
        uint32_t count = morph_count(scene, i);
        if (count == 0)
            continue;
        pose->weights[i] = facet_arena_allocate(scene->arena, count, sizeof(float));
        if (!pose->weights[i])
            return facet_fail_memory(error, count * sizeof(float));
    }
    return FACET_OK;
}

static facet_status allocate(facet_scene *scene, facet_pose *pose, facet_error *error)
{
    facet_arena *arena = scene->arena;
    uint32_t count = scene->node_count;
    pose->node_count = count;
    pose->local = facet_arena_allocate(arena, count, 16 * sizeof(float));
    pose->global = facet_arena_allocate(arena, count, 16 * sizeof(float));
    pose->order = facet_arena_allocate(arena, count, sizeof(uint32_t));
    pose->seen = facet_arena_allocate(arena, count, sizeof(bool));
    pose->weights = facet_arena_allocate_zeroed(arena, count, sizeof(float *));
    uint32_t *depth = facet_arena_allocate(arena, count, sizeof *depth);
    if (!pose->local || !pose->global || !pose->order || !pose->seen || !pose->weights || !depth)
        return facet_fail_memory(error, (size_t)count * 150);
    facet_status status = facet_scene_order(scene, depth, pose->order, error);
    facet_arena_release(arena, depth, count, sizeof *depth);
    if (status)
        return status;
    facet_scene_mark_seen(scene, pose->order, pose->seen);
    return allocate_weights(scene, pose, error);
}

void facet_pose_release(facet_scene *scene, facet_pose *pose)
{
    uint32_t count = pose->node_count;
    for (uint32_t i = count; pose->weights && i-- > 0;)
        facet_arena_release(scene->arena, pose->weights[i], morph_count(scene, i), sizeof(float));
    facet_arena_release(scene->arena, pose->weights, count, sizeof(float *));
    facet_arena_release(scene->arena, pose->seen, count, sizeof(bool));
    facet_arena_release(scene->arena, pose->order, count, sizeof(uint32_t));
    facet_arena_release(scene->arena, pose->global, count, 16 * sizeof(float));
    facet_arena_release(scene->arena, pose->local, count, 16 * sizeof(float));
    memset(pose, 0, sizeof *pose);
}

static void rest(const facet_scene *scene, facet_pose *pose)
{
    for (uint32_t i = 0; i < pose->node_count; i++) {
        const facet_node *node = &scene->nodes[i];
        facet_matrix_of_node(node, pose->local + (size_t)i * 16);
        for (uint32_t m = 0; m < morph_count(scene, i); m++)
            pose->weights[i][m] =
                node->weights ? node->weights[m] : scene->meshes[node->mesh]->morphs[m].weight;
    }
}

/* Channels move parts of a node's transform: they are gathered in a copy of it,
 * which is a matrix once the last channel of that node has been seen. */
static facet_status move(facet_scene *scene, const facet_animation *animation, double time,
                         facet_pose *pose, facet_error *error)
{
    facet_transform *moved = facet_arena_allocate(scene->arena, scene->node_count, sizeof *moved);
    if (!moved)
        return facet_fail_memory(error, scene->node_count * sizeof *moved);
    for (uint32_t i = 0; i < scene->node_count; i++)
        moved[i] = scene->nodes[i].transform;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_channel *channel = &animation->channels[i];
        facet_transform *transform = &moved[channel->node];
        switch (channel->path) {
        case FACET_PATH_TRANSLATION:
            facet_channel_sample(channel, time, transform->translation);
            break;
        case FACET_PATH_ROTATION:
            facet_channel_sample(channel, time, transform->rotation);
            break;
        case FACET_PATH_SCALE:
            facet_channel_sample(channel, time, transform->scale);
            break;
        case FACET_PATH_WEIGHTS:
            facet_channel_sample(channel, time, pose->weights[channel->node]);
            continue;
        }
        facet_matrix_of_transform(transform, pose->local + (size_t)channel->node * 16);
    }
    facet_arena_release(scene->arena, moved, scene->node_count, sizeof *moved);
    return FACET_OK;
}

static void chain(const facet_scene *scene, facet_pose *pose)
{
    for (uint32_t i = 0; i < pose->node_count; i++) {
        uint32_t node = pose->order[i], parent = scene->nodes[node].parent;
        const float *local = pose->local + (size_t)node * 16;
        float *global = pose->global + (size_t)node * 16;
        if (parent == FACET_NONE)
            memcpy(global, local, 16 * sizeof *global);
        else
            facet_matrix_multiply(pose->global + (size_t)parent * 16, local, global);
    }
}

facet_status facet_scene_pose(facet_scene *scene, uint32_t animation, double time, facet_pose *pose,
                              facet_error *error)
{
    if (animation != FACET_NONE && animation >= scene->animation_count)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET, "animation %u of %u",
                          animation, scene->animation_count);
    facet_status status = pose->local ? FACET_OK : allocate(scene, pose, error);
    if (!status) {
        rest(scene, pose);
        if (animation != FACET_NONE)
            status = move(scene, &scene->animations[animation], time, pose, error);
    }
    if (status)
        facet_pose_release(scene, pose);
    else
        chain(scene, pose);
    return status;
}

/* -- Skins -------------------------------------------------------------- */

void facet_skin_matrices(const facet_scene *scene, const facet_skin *skin, const facet_pose *pose,
                         float *matrices)
{
    (void)scene;
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        const float *global = pose->global + (size_t)skin->joints[i] * 16;
        if (skin->inverse_bind)
            facet_matrix_multiply(global, skin->inverse_bind + (size_t)i * 16,
                                  matrices + (size_t)i * 16);
        else
            memcpy(matrices + (size_t)i * 16, global, 16 * sizeof *matrices);
    }
}

/* -- Vertices ----------------------------------------------------------- */

/* Add a target's differences to the elements of a stream of `width` floats.
 * Where indices differ, the corners say which belongs to which; each element
 * is moved once, by its first corner. */
static facet_status add_target(const facet_mesh *mesh, const facet_stream *target, float weight,
                               const facet_stream *base, uint32_t width, float *values,
                               facet_error *error)
{
    const float *delta = target->data;
    if (target->indices == base->indices && target->count == base->count) {
        for (size_t i = 0; i < base->count; i++) {
            for (int c = 0; c < 3; c++)
                values[i * width + c] += weight * delta[i * 3 + c];
        }
        return FACET_OK;
    }
    bool *done = facet_arena_allocate_zeroed(mesh->arena, base->count, sizeof *done);
    if (!done)
        return facet_fail_memory(error, base->count);
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        size_t element = base->indices[corner], from = target->indices[corner];
        if (element == FACET_NONE || from == FACET_NONE || done[element])
            continue;
        done[element] = true;
        for (int c = 0; c < 3; c++)
            values[element * width + c] += weight * delta[from * 3 + c];
    }
    facet_arena_release(mesh->arena, done, base->count, sizeof *done);
    return FACET_OK;
}

facet_status facet_mesh_apply_morphs(const facet_mesh *mesh, const float *weights,
                                     const facet_stream *base, float *values, facet_error *error)
{
    facet_semantic semantic = base->semantic == FACET_POSITION ? FACET_MORPH_POSITION
                              : base->semantic == FACET_NORMAL ? FACET_MORPH_NORMAL
                                                               : FACET_MORPH_TANGENT;
    facet_status status = FACET_OK;
    for (uint32_t m = 0; weights && m < mesh->morph_count && !status; m++) {
        const facet_stream *target = facet_mesh_find(mesh, semantic, m);
        if (target && weights[m] != 0)
            status = add_target(mesh, target, weights[m], base, base->components, values, error);
    }
    return status;
}

void facet_mesh_blend(const facet_mesh *mesh, const facet_stream *base, uint32_t element,
                      const float *matrices, uint32_t joint_count, float *out)
{
    float total = 0;
    memset(out, 0, 16 * sizeof *out);
    for (uint32_t s = 0; s < mesh->stream_count; s++) {
        const facet_stream *joints = &mesh->streams[s];
        if (joints->semantic != FACET_JOINTS || joints->indices != base->indices ||
            element >= joints->count)
            continue;
        const facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, joints->set);
        if (!weights || weights->indices != base->indices || element >= weights->count)
            continue;
        for (size_t i = (size_t)element * 4; i < (size_t)element * 4 + 4; i++) {
            uint32_t joint = ((const uint16_t *)joints->data)[i];
            float weight = ((const float *)weights->data)[i];
            if (weight == 0 || joint >= joint_count)
                continue;
            total += weight;
            for (int c = 0; c < 16; c++)
                out[c] += weight * matrices[(size_t)joint * 16 + c];
        }
    }
    /* A vertex that hangs on nothing stays with the first joint, as renderers
     * have it that normalize weights. */
    if (total == 0 && joint_count > 0)
        memcpy(out, matrices, 16 * sizeof *out);
}

static bool is_skinned(const facet_scene *scene, const facet_node *node)
{
    return node->skin != FACET_NONE && scene->skins[node->skin].joint_count > 0 &&
           facet_mesh_find(scene->meshes[node->mesh], FACET_JOINTS, 0);
}

facet_status facet_node_matrices(facet_scene *scene, const facet_pose *pose, uint32_t index,
                                 float **matrices, uint32_t *count, facet_error *error)
{
    const facet_node *node = &scene->nodes[index];
    *matrices = NULL;
    *count = 0;
    if (!is_skinned(scene, node))
        return FACET_OK;
    const facet_skin *skin = &scene->skins[node->skin];
    *matrices = facet_arena_allocate(scene->arena, skin->joint_count, 16 * sizeof(float));
    if (!*matrices)
        return facet_fail_memory(error, skin->joint_count * 16 * sizeof(float));
    *count = skin->joint_count;
    facet_skin_matrices(scene, skin, pose, *matrices);
    return FACET_OK;
}

facet_status facet_pose_positions(facet_scene *scene, const facet_pose *pose, uint32_t node,
                                  float *positions, facet_error *error)
{
    if (node >= scene->node_count || scene->nodes[node].mesh == FACET_NONE)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "node %u of %u has no mesh", node, scene->node_count);
    const facet_mesh *mesh = scene->meshes[scene->nodes[node].mesh];
    const facet_stream *base = facet_mesh_find(mesh, FACET_POSITION, 0);
    if (!base)
        return FACET_OK;
    memcpy(positions, base->data, (size_t)base->count * 3 * sizeof *positions);
    facet_status status =
        facet_mesh_apply_morphs(mesh, pose->weights[node], base, positions, error);
    float *matrices = NULL;
    uint32_t count = 0;
    if (!status)
        status = facet_node_matrices(scene, pose, node, &matrices, &count, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < base->count; i++) {
        float blended[16];
        const float *matrix = pose->global + (size_t)node * 16;
        if (matrices) {
            facet_mesh_blend(mesh, base, i, matrices, count, blended);
            matrix = blended;
        }
        facet_matrix_point(matrix, positions + (size_t)i * 3, positions + (size_t)i * 3);
    }
    facet_arena_release(scene->arena, matrices, count, 16 * sizeof(float));
    return FACET_OK;
}

/* -- Bounds ------------------------------------------------------------- */

static void grow(const float *points, uint32_t count, double minimum[3], double maximum[3],
                 bool *any)
{
    for (uint32_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            double value = (double)points[(size_t)i * 3 + c];
            if (!*any || value < minimum[c])
                minimum[c] = value;
            if (!*any || value > maximum[c])
                maximum[c] = value;
        }
        *any = true;
    }
}

static facet_status grow_by_node(facet_scene *scene, const facet_pose *pose, uint32_t node,
                                 double minimum[3], double maximum[3], bool *any,
                                 facet_error *error)
{
    const facet_stream *base =
        facet_mesh_find(scene->meshes[scene->nodes[node].mesh], FACET_POSITION, 0);
    if (!base)
        return FACET_OK;
    float *positions = facet_arena_allocate(scene->arena, base->count, 3 * sizeof *positions);
    if (!positions)
        return facet_fail_memory(error, (size_t)base->count * 3 * sizeof *positions);
    facet_status status = facet_pose_positions(scene, pose, node, positions, error);
    if (!status)
        grow(positions, base->count, minimum, maximum, any);
    facet_arena_release(scene->arena, positions, base->count, 3 * sizeof *positions);
    return status;
}

facet_status facet_scene_bounds(facet_scene *scene, double minimum[3], double maximum[3], bool *any,
                                facet_error *error)
{
    double low[3] = {0}, high[3] = {0};
    bool found = false;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; scene->node_count == 0 && i < scene->mesh_count; i++) {
        const facet_stream *base = facet_mesh_find(scene->meshes[i], FACET_POSITION, 0);
        if (base)
            grow(base->data, base->count, low, high, &found);
    }
    facet_pose pose = {0};
    if (scene->node_count > 0)
        status = facet_scene_pose(scene, FACET_NONE, 0, &pose, error);
    for (uint32_t i = 0; i < scene->node_count && !status; i++) {
        if (pose.seen[i] && scene->nodes[i].mesh != FACET_NONE)
            status = grow_by_node(scene, &pose, i, low, high, &found, error);
    }
    facet_pose_release(scene, &pose);
    if (status)
        return status;
    memcpy(minimum, low, sizeof low);
    memcpy(maximum, high, sizeof high);
    *any = found;
    return FACET_OK;
}
