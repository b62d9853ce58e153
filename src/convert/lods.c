/* convert/lods.c - levels of detail as nodes of the scene. */
#include "base/arena.h"
#include "base/error.h"
#include "scene/scene.h"

#include <facet/convert.h>
#include <inttypes.h>
#include <string.h>

/* -- Meshes ------------------------------------------------------------- */

static void *copy_array(facet_scene *scene, const void *from, size_t count, size_t size)
{
    void *copy = facet_arena_allocate(scene->arena, count, size);
    if (copy && count > 0)
        memcpy(copy, from, count * size);
    return copy;
}

/* Copy a mesh with a single index; data that is not one of its arrays is shared. */
static facet_status copy_mesh(facet_scene *scene, const facet_mesh *from, facet_mesh **made,
                              facet_error *error)
{
    facet_mesh *mesh = NULL;
    TRY(facet_scene_add_mesh(scene, &mesh, error));
    facet_status status = FACET_OK;
    mesh->name = from->name;
    mesh->extras = from->extras;
    mesh->gx_file = from->gx_file;
    mesh->extensions = from->extensions;
    mesh->face_count = from->face_count;
    mesh->corner_count = from->corner_count;
    mesh->morphs = from->morphs;
    mesh->morph_count = from->morph_count;
    for (uint32_t i = 0; i < from->stream_count && !status; i++) {
        const facet_stream *s = &from->streams[i];
        const uint32_t *indices = i == 0 ? s->indices : mesh->streams[0].indices;
        status = facet_mesh_add_stream_copy(mesh, s->semantic, s->set, s->name, s->component,
                                            s->components, s->count, s->data, indices, NULL, error);
    }
    if (status)
        return status;
    mesh->parts = copy_array(scene, from->parts, from->part_count, sizeof *mesh->parts);
    mesh->part_count = mesh->parts ? from->part_count : 0;
    if (from->face_materials)
        mesh->face_materials =
            copy_array(scene, from->face_materials, from->face_count, sizeof(uint32_t));
    if (!mesh->parts || (from->face_materials && !mesh->face_materials))
        return facet_fail_arena(scene->arena, error);
    *made = mesh;
    return FACET_OK;
}

/* Create level 1 of all meshes, then level 2, and so on. Each has half the triangles of the level
 * before. The new meshes follow the existing ones. */
static facet_status make_levels(facet_scene *scene, uint32_t levels,
                                const facet_reduce_options *how, const facet_options *options,
                                facet_error *error)
{
    uint32_t count = scene->mesh_count;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < levels * count && !status; i++) {
        facet_mesh *mesh = NULL;
        status = copy_mesh(scene, scene->meshes[i], &mesh, error);
        if (!status && mesh->stream_count > 0)
            status = facet_mesh_reduce(mesh, how, options, NULL, NULL, error);
        if (!status && mesh->stream_count > 0)
            status = facet_mesh_optimize(mesh, options, NULL, error);
    }
    return status;
}

/* -- Nodes -------------------------------------------------------------- */

/* In a scene without nodes each mesh is at the origin: add a node for it. */
static facet_status add_missing_nodes(facet_scene *scene, uint32_t meshes, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; scene->node_count < meshes && i < meshes && !status; i++) {
        facet_node *node = NULL;
        status = facet_scene_add_node(scene, scene->meshes[i]->name, &node, error);
        if (!status)
            node->mesh = i;
    }
    return status;
}

/* List the roots, for programs that take all nodes without parent as roots. */
static facet_status name_roots(facet_scene *scene, facet_error *error)
{
    if (scene->roots)
        return FACET_OK;
    uint32_t *roots = facet_arena_allocate(scene->arena, scene->node_count, sizeof *roots),
             count = 0;
    if (!roots)
        return facet_fail_arena(scene->arena, error);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->parent == FACET_NONE)
            roots[count++] = i;
    }
    scene->roots = roots;
    scene->root_count = count;
    return FACET_OK;
}

static facet_status add_levels(facet_scene *scene, uint32_t index, uint32_t levels, uint32_t meshes,
                               facet_error *error)
{
    facet_status status = FACET_OK;
    uint32_t *lods = facet_arena_allocate(scene->arena, levels, sizeof *lods);
    if (!lods)
        return facet_fail_arena(scene->arena, error);
    for (uint32_t level = 0; level < levels && !status; level++) {
        facet_node *made = NULL;
        const char *name = facet_arena_format(scene->arena, "%s-lod%" PRIu32,
                                              scene->nodes[index]->name, level + 1);
        status = name ? facet_scene_add_node(scene, name, &made, error)
                      : facet_fail_arena(scene->arena, error);
        if (status)
            return status;
        const facet_node *node = scene->nodes[index];
        made->mesh = node->mesh + (level + 1) * meshes;
        made->skin = node->skin;
        made->has_matrix = node->has_matrix;
        made->transform = node->transform;
        memcpy(made->matrix, node->matrix, sizeof made->matrix);
        made->weights = node->weights;
        lods[level] = scene->node_count - 1;
    }
    scene->nodes[index]->lods = lods;
    scene->nodes[index]->lod_count = levels;
    return status;
}

/* Animate the levels of a node like the node. */
static facet_status animate_levels(facet_scene *scene, facet_animation *animation,
                                   facet_error *error)
{
    size_t count = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++)
        count += 1 + (size_t)scene->nodes[animation->channels[i].node]->lod_count;
    if (count == animation->channel_count)
        return FACET_OK;
    facet_channel *channels = facet_arena_allocate(scene->arena, count, sizeof *channels);
    if (!channels)
        return facet_fail_arena(scene->arena, error);
    uint32_t used = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_channel *channel = &animation->channels[i];
        const facet_node *node = scene->nodes[channel->node];
        channels[used++] = *channel;
        for (uint32_t level = 0; level < node->lod_count; level++) {
            facet_channel *copy = &channels[used++];
            size_t values = (size_t)channel->key_count * channel->width *
                            (channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1);
            *copy = *channel;
            copy->node = node->lods[level];
            copy->values = copy_array(scene, channel->values, values, sizeof *copy->values);
            if (!copy->values)
                return facet_fail_arena(scene->arena, error);
        }
    }
    animation->channels = channels;
    animation->channel_count = used;
    return FACET_OK;
}

facet_status facet_scene_make_lods(facet_scene *scene, uint32_t levels, float max_error,
                                   const facet_options *options, facet_error *error)
{
    const facet_reduce_options how = {.ratio = 0.5F, .max_error = max_error};
    uint32_t meshes = scene->mesh_count, nodes;
    if (levels > FACET_MAX_LODS)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "%" PRIu32 " levels of detail, expected at most %d", levels,
                          FACET_MAX_LODS);
    if (levels == 0 || meshes == 0)
        return FACET_OK;
    facet_status status;
    if ((status = make_levels(scene, levels, &how, options, error)) ||
        (status = add_missing_nodes(scene, scene->node_count > 0 ? 0 : meshes, error)) ||
        (status = name_roots(scene, error)))
        return status;
    nodes = scene->node_count;
    for (uint32_t i = 0; i < nodes && !status; i++) {
        if (scene->nodes[i]->mesh != FACET_NONE && scene->nodes[i]->lod_count == 0)
            status = add_levels(scene, i, levels, meshes, error);
    }
    for (uint32_t i = 0; i < scene->animation_count && !status; i++)
        status = animate_levels(scene, scene->animations[i], error);
    return status;
}
