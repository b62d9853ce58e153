/* scene/instance_budget.c - total size of the instances of meshes. */
#include "base/budget.h"
#include "base/error.h"
#include "scene/scene.h"

/* Minimum memory of a node and of a stream. */
#define NODE_BYTES 64
#define STREAM_BYTES 64

static uint64_t mesh_bytes(const facet_mesh *mesh)
{
    uint64_t bytes = (uint64_t)mesh->face_count * 2 * sizeof(uint32_t) +
                     (uint64_t)mesh->line_count * 3 * sizeof(uint32_t) +
                     (uint64_t)mesh->point_count * 2 * sizeof(uint32_t);
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        bool shared = i > 0 && stream->indices == mesh->streams[i - 1].indices;
        bytes += STREAM_BYTES + (uint64_t)stream->count * facet_stream_element_size(stream);
        bytes += shared || !stream->indices ? 0 : (uint64_t)mesh->corner_count * sizeof(uint32_t);
    }
    return bytes;
}

facet_status facet_scene_check_growth(const facet_scene *scene, const bool *seen,
                                      const facet_options *options, facet_error *error)
{
    uint64_t stored = (uint64_t)scene->node_count * NODE_BYTES;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        stored += mesh_bytes(scene->meshes[i]);
    facet_budget budget = facet_budget_of(options, stored, FACET_BUDGET_WORK);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t mesh = scene->nodes[i]->mesh;
        if (mesh != FACET_NONE && seen[i])
            TRY(facet_budget_spend(&budget, mesh_bytes(scene->meshes[mesh]), "instances of meshes",
                                   error));
    }
    return FACET_OK;
}
