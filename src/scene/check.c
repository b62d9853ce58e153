/* scene/check.c - does a scene keep its promise? */
#include "base/arena.h"
#include "base/error.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

static facet_status broken(facet_error *error, const char *format, ...) FACET_PRINTF(2, 3);

static facet_status broken(facet_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, FACET_ERROR_ARGUMENT, "SCENE", FACET_NO_OFFSET, 0, format, arguments);
    va_end(arguments);
    return FACET_ERROR_ARGUMENT;
}

/* What a semantic asks of its stream. */
static bool shape_is_right(const facet_stream *stream)
{
    switch (stream->semantic) {
    case FACET_POSITION:
    case FACET_NORMAL:
    case FACET_MORPH_POSITION:
    case FACET_MORPH_NORMAL:
    case FACET_MORPH_TANGENT:
        return stream->component == FACET_FLOAT32 && stream->components == 3;
    case FACET_TANGENT:
    case FACET_WEIGHTS:
        return stream->component == FACET_FLOAT32 && stream->components == 4;
    case FACET_TEXCOORD:
        return stream->component == FACET_FLOAT32 &&
               (stream->components == 2 || stream->components == 3);
    case FACET_COLOR:
        return stream->component == FACET_FLOAT32 &&
               (stream->components == 3 || stream->components == 4);
    case FACET_JOINTS:
        return stream->component == FACET_UINT16 && stream->components == 4;
    case FACET_CUSTOM:
        return stream->name && stream->components >= 1 && stream->components <= 16;
    }
    return false;
}

static facet_status check_faces(const facet_mesh *mesh, facet_error *error)
{
    if (!mesh->face_offsets) {
        if ((uint64_t)mesh->face_count * 3 != mesh->corner_count)
            return broken(error, "%" PRIu32 " triangles with %" PRIu32 " corners", mesh->face_count,
                          mesh->corner_count);
        return FACET_OK;
    }
    if (mesh->face_offsets[0] != 0 || mesh->face_offsets[mesh->face_count] != mesh->corner_count)
        return broken(error, "face offsets do not run from 0 to the %" PRIu32 " corners",
                      mesh->corner_count);
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        if (mesh->face_offsets[face] > mesh->face_offsets[face + 1])
            return broken(error, "face offset %" PRIu32 " is larger than the next", face);
    }
    return FACET_OK;
}

static facet_status check_stream(const facet_mesh *mesh, const facet_stream *stream,
                                 facet_error *error)
{
    size_t index = (size_t)(stream - mesh->streams);
    if (!shape_is_right(stream))
        return broken(error, "stream %zu has the wrong type for its semantic", index);
    if (stream->semantic >= FACET_MORPH_POSITION && stream->set >= mesh->morph_count)
        return broken(error, "stream %zu is of morph target %" PRIu32 " of %" PRIu32, index,
                      stream->set, mesh->morph_count);
    if ((stream->count > 0 && !stream->data) || (mesh->corner_count > 0 && !stream->indices))
        return broken(error, "stream %zu lacks data or indices", index);
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        uint32_t element = stream->indices[corner];
        bool absent = element == FACET_NONE && stream->semantic != FACET_POSITION;
        if (element >= stream->count && !absent)
            return broken(error,
                          "corner %" PRIu32 " of stream %zu uses element %" PRIu32 " of %" PRIu32,
                          corner, index, element, stream->count);
    }
    return FACET_OK;
}

static facet_status check_lines(const facet_mesh *mesh, facet_error *error)
{
    if (mesh->line_count == 0)
        return FACET_OK;
    if (!mesh->lines || mesh->stream_count == 0)
        return broken(error, "%" PRIu32 " lines without indices or positions", mesh->line_count);
    for (size_t i = 0; i < (size_t)mesh->line_count * 2; i++) {
        if (mesh->lines[i] >= mesh->streams[0].count)
            return broken(error, "line %zu uses vertex %" PRIu32 " of %" PRIu32, i / 2,
                          mesh->lines[i], mesh->streams[0].count);
    }
    return FACET_OK;
}

static facet_status check_mesh(const facet_scene *scene, const facet_mesh *mesh, facet_error *error)
{
    facet_status status = check_faces(mesh, error);
    if (status)
        return status;
    if (mesh->stream_count == 0 ? mesh->corner_count > 0
                                : mesh->streams[0].semantic != FACET_POSITION)
        return broken(error, "the first stream of a mesh is not its positions");
    for (uint32_t i = 0; i < mesh->stream_count && !status; i++)
        status = check_stream(mesh, &mesh->streams[i], error);
    for (uint32_t face = 0; mesh->face_materials && face < mesh->face_count && !status; face++) {
        uint32_t material = mesh->face_materials[face];
        if (material != FACET_NONE && material >= scene->material_count)
            status = broken(error, "face %" PRIu32 " has material %" PRIu32 " of %" PRIu32, face,
                            material, scene->material_count);
    }
    uint32_t end = 0;
    for (uint32_t i = 0; i < mesh->part_count && !status; i++) {
        const facet_part *part = &mesh->parts[i];
        if (!part->name || !part->group || part->first_face < end ||
            part->first_face > mesh->face_count ||
            part->face_count > mesh->face_count - part->first_face)
            return broken(error, "part %" PRIu32 " is not a run of faces after the one before", i);
        end = part->first_face + part->face_count;
    }
    return status ? status : check_lines(mesh, error);
}

/* -- What stands beside the meshes --------------------------------------- */

static facet_status check_materials(const facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const facet_material *material = &scene->materials[i];
        if (!material->name)
            return broken(error, "material %" PRIu32 " has no name", i);
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            const facet_texture *texture = &material->maps[map];
            if (texture->has_image && texture->image >= scene->image_count)
                return broken(error, "material %" PRIu32 " uses image %" PRIu32 " of %" PRIu32, i,
                              texture->image, scene->image_count);
            if (texture->has_image && !texture->path)
                return broken(error, "material %" PRIu32 " has a map with an image and no path", i);
        }
    }
    for (uint32_t i = 0; i < scene->image_count; i++) {
        const facet_image *image = &scene->images[i];
        if (!image->name || !image->media_type || (image->size > 0 && !image->data) ||
            (image->pixels && (image->channels < 1 || image->channels > 4)))
            return broken(error, "image %" PRIu32 " lacks a name, its bytes or its channels", i);
    }
    return FACET_OK;
}

static facet_status check_node(const facet_scene *scene, uint32_t index, facet_error *error)
{
    const facet_node *node = &scene->nodes[index];
    if (!node->name)
        return broken(error, "node %" PRIu32 " has no name", index);
    if (node->parent != FACET_NONE && node->parent >= scene->node_count)
        return broken(error, "node %" PRIu32 " has parent %" PRIu32 " of %" PRIu32, index,
                      node->parent, scene->node_count);
    if (node->mesh != FACET_NONE && node->mesh >= scene->mesh_count)
        return broken(error, "node %" PRIu32 " has mesh %" PRIu32 " of %" PRIu32, index, node->mesh,
                      scene->mesh_count);
    if (node->skin != FACET_NONE && node->skin >= scene->skin_count)
        return broken(error, "node %" PRIu32 " has skin %" PRIu32 " of %" PRIu32, index, node->skin,
                      scene->skin_count);
    if (node->weights && node->mesh == FACET_NONE)
        return broken(error, "node %" PRIu32 " has morph weights and no mesh", index);
    return FACET_OK;
}

/* No node may be its own ancestor: then there is an order of them. */
static facet_status check_ancestors(const facet_scene *scene, const facet_options *options,
                                    facet_error *error)
{
    if (scene->node_count == 0)
        return FACET_OK;
    facet_arena *scratch = NULL;
    facet_status status = facet_arena_create(options, &scratch, error);
    if (status)
        return status;
    uint32_t *depth = facet_arena_allocate(scratch, scene->node_count, sizeof *depth);
    uint32_t *order = facet_arena_allocate(scratch, scene->node_count, sizeof *order);
    status = depth && order ? facet_scene_order(scene, depth, order, error)
                            : facet_fail_memory(error, scene->node_count * sizeof *depth);
    facet_arena_free(scratch);
    return status;
}

static facet_status check_nodes(const facet_scene *scene, const facet_options *options,
                                facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->node_count && !status; i++)
        status = check_node(scene, i, error);
    for (uint32_t i = 0; i < scene->root_count && scene->roots && !status; i++) {
        uint32_t root = scene->roots[i];
        if (root >= scene->node_count || scene->nodes[root].parent != FACET_NONE)
            status = broken(error, "root %" PRIu32 " is not a node without parent", i);
    }
    return status ? status : check_ancestors(scene, options, error);
}

static facet_status check_skins(const facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        const facet_skin *skin = &scene->skins[i];
        if (!skin->name || (skin->joint_count > 0 && !skin->joints) ||
            (skin->skeleton != FACET_NONE && skin->skeleton >= scene->node_count))
            return broken(error, "skin %" PRIu32 " lacks a name, joints or its skeleton", i);
        for (uint32_t joint = 0; joint < skin->joint_count; joint++) {
            if (skin->joints[joint] >= scene->node_count)
                return broken(
                    error, "joint %" PRIu32 " of skin %" PRIu32 " is node %" PRIu32 " of %" PRIu32,
                    joint, i, skin->joints[joint], scene->node_count);
        }
    }
    return FACET_OK;
}

static bool channel_is_right(const facet_scene *scene, const facet_channel *channel)
{
    if (channel->node >= scene->node_count || channel->key_count == 0 || !channel->times ||
        (channel->width > 0 && !channel->values))
        return false;
    for (uint32_t key = 1; key < channel->key_count; key++) {
        if (!(channel->times[key - 1] <= channel->times[key]))
            return false;
    }
    uint32_t mesh = scene->nodes[channel->node].mesh;
    switch (channel->path) {
    case FACET_PATH_TRANSLATION:
    case FACET_PATH_SCALE:
        return channel->width == 3;
    case FACET_PATH_ROTATION:
        return channel->width == 4;
    case FACET_PATH_WEIGHTS:
        return channel->width == (mesh == FACET_NONE ? 0 : scene->meshes[mesh]->morph_count);
    }
    return false;
}

static facet_status check_animations(const facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = &scene->animations[i];
        if (!animation->name || (animation->channel_count > 0 && !animation->channels))
            return broken(error, "animation %" PRIu32 " lacks a name or its channels", i);
        for (uint32_t channel = 0; channel < animation->channel_count; channel++) {
            if (!channel_is_right(scene, &animation->channels[channel]))
                return broken(error,
                              "channel %" PRIu32 " of animation %" PRIu32
                              " has the wrong node, width or keys",
                              channel, i);
        }
    }
    return FACET_OK;
}

facet_status facet_scene_check(const facet_scene *scene, const facet_options *options,
                               facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++)
        status = check_mesh(scene, scene->meshes[i], error);
    if (!status && scene->occluder)
        status = check_mesh(scene, scene->occluder, error);
    if (!status)
        status = check_materials(scene, error);
    if (!status)
        status = check_nodes(scene, options, error);
    if (!status)
        status = check_skins(scene, error);
    return status ? status : check_animations(scene, error);
}
