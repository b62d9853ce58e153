/* scene/check_streams.c - checks that need all streams of a mesh: each semantic and set occurs
 * once, and the joints of vertices are joints of the skin. */
#include "scene/check_streams.h"

#include "base/arena.h"
#include "base/error.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <stdlib.h>

/* -- Sets --------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Custom streams are identified by name; they may share a set. */
static facet_status check_sets(const facet_mesh *mesh, uint32_t index, facet_arena *scratch,
                               facet_error *error)
{
    uint32_t count = 0;
    uint64_t *keys = facet_arena_allocate(scratch, mesh->stream_count, sizeof *keys);
    if (!keys)
        return facet_fail_arena(scratch, error);
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream->semantic != FACET_CUSTOM)
            keys[count++] = (uint64_t)stream->semantic << 32 | stream->set;
    }
    if (count > 1)
        qsort(keys, count, sizeof *keys, by_number);
    for (uint32_t i = 1; i < count; i++) {
        if (keys[i - 1] == keys[i])
            return facet_fail(error, FACET_ERROR_ARGUMENT, "SCENE", FACET_NO_OFFSET,
                              "mesh %" PRIu32 " has two %s streams of set %" PRIu32, index,
                              facet_semantic_name((facet_semantic)(keys[i] >> 32)),
                              (uint32_t)keys[i]);
    }
    return FACET_OK;
}

/* -- Joints ------------------------------------------------------------- */

/* Raise *end above each joint of an element that has a weight. */
static void raise_end(const facet_stream *joints, uint32_t joint, const facet_stream *weights,
                      uint32_t weight, uint32_t *end)
{
    if (joint >= joints->count || weight >= weights->count)
        return;
    const uint16_t *j = (const uint16_t *)joints->data + (size_t)joint * 4;
    const float *w = (const float *)weights->data + (size_t)weight * 4;
    for (int i = 0; i < 4; i++) {
        if (w[i] != 0 && j[i] >= *end)
            *end = j[i] + 1U;
    }
}

/* Smallest number of joints that a skin of the mesh must have. */
static uint32_t joints_of(const facet_mesh *mesh)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *joints = &mesh->streams[i];
        const facet_stream *weights = joints->semantic == FACET_JOINTS
                                          ? facet_mesh_find(mesh, FACET_WEIGHTS, joints->set)
                                          : NULL;
        if (!weights)
            continue;
        for (uint32_t corner = 0; corner < mesh->corner_count; corner++)
            raise_end(joints, joints->indices[corner], weights, weights->indices[corner], &end);
        for (size_t k = 0; k < (size_t)mesh->line_count * 2; k++)
            raise_end(joints, mesh->lines[k], weights, mesh->lines[k], &end);
        for (uint32_t k = 0; k < mesh->point_count; k++)
            raise_end(joints, mesh->points[k], weights, mesh->points[k], &end);
    }
    return end;
}

static facet_status check_joints(const facet_scene *scene, facet_arena *scratch, facet_error *error)
{
    uint32_t *ends = NULL; /* of each mesh, computed at the first node with a skin */
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        if (node->mesh == FACET_NONE || node->skin == FACET_NONE)
            continue;
        if (!ends) {
            ends = facet_arena_allocate(scratch, scene->mesh_count, sizeof *ends);
            if (!ends)
                return facet_fail_arena(scratch, error);
            for (uint32_t m = 0; m < scene->mesh_count; m++)
                ends[m] = joints_of(scene->meshes[m]);
        }
        if (ends[node->mesh] > scene->skins[node->skin]->joint_count)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "SCENE", FACET_NO_OFFSET,
                              "mesh %" PRIu32 " uses joint %" PRIu32 ", and skin %" PRIu32
                              " of node %" PRIu32 " has %" PRIu32 " joints",
                              node->mesh, ends[node->mesh] - 1, node->skin, i,
                              scene->skins[node->skin]->joint_count);
    }
    return FACET_OK;
}

facet_status facet_scene_check_streams(const facet_scene *scene, const facet_options *options,
                                       facet_error *error)
{
    facet_arena *scratch = NULL;
    facet_status status = facet_arena_create(options, &scratch, error);
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++)
        status = check_sets(scene->meshes[i], i, scratch, error);
    if (!status)
        status = check_joints(scene, scratch, error);
    facet_arena_free(scratch);
    return status;
}
