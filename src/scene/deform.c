/* scene/deform.c - vertices deformed by morph targets, skins and transforms. */
#include "base/arena.h"
#include "base/error.h"
#include "scene/matrix.h"
#include "scene/placement.h"
#include "scene/scene.h"

#include <facet/pose.h>
#include <math.h>
#include <string.h>

/* -- Skins -------------------------------------------------------------- */

void facet_skin_matrices(const facet_skin *skin, const facet_pose *pose, float *matrices)
{
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

/* Add a target's differences to `values`, a copy of the elements of stream `base`. If the indices
 * of target and base differ, the corners connect their elements; each element is moved once, by its
 * first corner. */
static facet_status add_target(const facet_mesh *mesh, const facet_stream *target, float weight,
                               const facet_stream *base, float *values, facet_arena *scratch,
                               facet_error *error)
{
    const float *delta = target->data;
    size_t width = base->components;
    if (facet_streams_share_vertices(target, base)) {
        for (size_t i = 0; i < base->count; i++) {
            for (int c = 0; c < 3; c++)
                values[i * width + c] += weight * delta[i * 3 + c];
        }
        return FACET_OK;
    }
    bool *done = facet_arena_allocate_zeroed(scratch, base->count, sizeof *done);
    if (!done)
        return facet_fail_arena(scratch, error);
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        size_t element = base->indices[corner], from = target->indices[corner];
        if (element == FACET_NONE || from == FACET_NONE || done[element])
            continue;
        done[element] = true;
        for (int c = 0; c < 3; c++)
            values[element * width + c] += weight * delta[from * 3 + c];
    }
    facet_arena_release(scratch, done, base->count, sizeof *done);
    return FACET_OK;
}

facet_status facet_mesh_apply_morphs(const facet_mesh *mesh, const float *weights,
                                     const facet_stream *base, float *values, facet_arena *scratch,
                                     facet_error *error)
{
    facet_semantic semantic = base->semantic == FACET_POSITION ? FACET_MORPH_POSITION
                              : base->semantic == FACET_NORMAL ? FACET_MORPH_NORMAL
                                                               : FACET_MORPH_TANGENT;
    facet_status status = FACET_OK;
    for (uint32_t s = 0; weights && s < mesh->stream_count && !status; s++) {
        const facet_stream *target = &mesh->streams[s];
        uint32_t m = target->set;
        if (target->semantic == semantic && m < mesh->morph_count && weights[m] != 0)
            status = add_target(mesh, target, weights[m], base, values, scratch, error);
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
    /* Normalize weights that do not sum to 1, as renderers do. */
    if (total > 0 && fabsf(total - 1) > 1e-6F) {
        for (int c = 0; c < 16; c++)
            out[c] /= total;
    }
    /* A vertex without weights is moved by the first joint, as in renderers that normalize
     * weights. */
    if (total == 0 && joint_count > 0)
        memcpy(out, matrices, 16 * sizeof *out);
}

static bool is_skinned(const facet_scene *scene, const facet_node *node)
{
    return node->skin != FACET_NONE && scene->skins[node->skin]->joint_count > 0 &&
           facet_mesh_find(scene->meshes[node->mesh], FACET_JOINTS, 0);
}

facet_status facet_node_matrices(const facet_scene *scene, const facet_pose *pose, uint32_t index,
                                 facet_arena *scratch, float **skins, const float **matrices,
                                 uint32_t *count, facet_error *error)
{
    const facet_node *node = scene->nodes[index];
    *matrices = NULL;
    *count = 0;
    if (!is_skinned(scene, node))
        return FACET_OK;
    const facet_skin *skin = scene->skins[node->skin];
    float **made = &skins[node->skin];
    if (!*made) {
        *made = facet_arena_allocate(scratch, skin->joint_count, 16 * sizeof(float));
        if (!*made)
            return facet_fail_arena(scratch, error);
        facet_skin_matrices(skin, pose, *made);
    }
    *matrices = *made;
    *count = skin->joint_count;
    return FACET_OK;
}

facet_status facet_node_values(const facet_scene *scene, const facet_pose *pose, uint32_t node,
                               const facet_stream *base, facet_arena *scratch, float **skins,
                               float *values, facet_error *error)
{
    const facet_mesh *mesh = scene->meshes[scene->nodes[node]->mesh];
    if (base->count > 0)
        memcpy(values, base->data, (size_t)base->count * 3 * sizeof *values);
    facet_status status =
        facet_mesh_apply_morphs(mesh, pose->weights[node], base, values, scratch, error);
    const float *matrices = NULL;
    uint32_t count = 0;
    if (!status)
        status = facet_node_matrices(scene, pose, node, scratch, skins, &matrices, &count, error);
    if (status)
        return status;
    facet_placement placement = facet_placement_of(pose->global + (size_t)node * 16);
    for (uint32_t i = 0; i < base->count; i++) {
        float blended[16];
        if (matrices) {
            facet_mesh_blend(mesh, base, i, matrices, count, blended);
            placement = facet_placement_of(blended);
        }
        facet_placement_apply(&placement, base->semantic, values + (size_t)i * 3);
    }
    return FACET_OK;
}

static facet_status pose_stream(const facet_scene *scene, const facet_pose *pose, uint32_t node,
                                facet_semantic semantic, const facet_options *options,
                                float *values, facet_error *error)
{
    if (node >= scene->node_count || scene->nodes[node]->mesh == FACET_NONE)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "node %u of %u has no mesh", node, scene->node_count);
    const facet_mesh *mesh = scene->meshes[scene->nodes[node]->mesh];
    const facet_stream *base = facet_mesh_find(mesh, semantic, 0);
    if (!base && semantic == FACET_POSITION)
        return FACET_OK; /* an empty mesh */
    if (!base)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the mesh of node %u has no %ss", node, facet_semantic_name(semantic));
    facet_arena *scratch = NULL;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = FACET_OK;
    float **skins = facet_arena_allocate_zeroed(scratch, scene->skin_count, sizeof *skins);
    if (!skins)
        status = facet_fail_arena(scratch, error);
    if (!status)
        status = facet_node_values(scene, pose, node, base, scratch, skins, values, error);
    facet_arena_free(scratch);
    return status;
}

facet_status facet_pose_positions(const facet_scene *scene, const facet_pose *pose, uint32_t node,
                                  const facet_options *options, float *positions,
                                  facet_error *error)
{
    return pose_stream(scene, pose, node, FACET_POSITION, options, positions, error);
}

facet_status facet_pose_normals(const facet_scene *scene, const facet_pose *pose, uint32_t node,
                                const facet_options *options, float *normals, facet_error *error)
{
    return pose_stream(scene, pose, node, FACET_NORMAL, options, normals, error);
}
