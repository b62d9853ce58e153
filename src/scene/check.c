/* scene/check.c - checks of the invariants of a scene. */
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "scene/check_streams.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
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

/* -- Meshes ------------------------------------------------------------- */

/* True if the type and components of a stream are those that its semantic requires. */
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

static bool is_known(facet_component component)
{
    switch (component) {
    case FACET_FLOAT32:
    case FACET_FLOAT64:
    case FACET_INT8:
    case FACET_UINT8:
    case FACET_INT16:
    case FACET_UINT16:
    case FACET_INT32:
    case FACET_UINT32:
        return true;
    }
    return false;
}

static facet_status check_stream(const facet_mesh *mesh, const facet_stream *stream,
                                 facet_error *error)
{
    size_t index = (size_t)(stream - mesh->streams), bytes;
    if (!shape_is_right(stream) || !is_known(stream->component))
        return broken(error, "stream %zu has the wrong type for its semantic", index);
    if (index > 0 && stream->semantic == FACET_POSITION)
        return broken(error, "stream %zu is a second one of positions", index);
    if (!facet_size_multiply(stream->count, facet_stream_element_size(stream), &bytes))
        return broken(error, "stream %zu has more elements than memory can hold", index);
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

static facet_status check_points(const facet_mesh *mesh, facet_error *error)
{
    if (mesh->point_count > 0 && (!mesh->points || mesh->stream_count == 0))
        return broken(error, "%" PRIu32 " points without indices or positions", mesh->point_count);
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        if (mesh->points[i] >= mesh->streams[0].count)
            return broken(error, "point %" PRIu32 " uses vertex %" PRIu32 " of %" PRIu32, i,
                          mesh->points[i], mesh->streams[0].count);
    }
    return FACET_OK;
}

static facet_status check_parts(const facet_mesh *mesh, facet_error *error)
{
    uint32_t end = 0;
    if (mesh->part_count > 0 && !mesh->parts)
        return broken(error, "%" PRIu32 " parts without an array", mesh->part_count);
    for (uint32_t i = 0; i < mesh->part_count; i++) {
        const facet_part *part = &mesh->parts[i];
        if (!part->name || !part->group || part->first_face < end ||
            part->first_face > mesh->face_count ||
            part->face_count > mesh->face_count - part->first_face)
            return broken(error, "part %" PRIu32 " is not a run of faces after the one before", i);
        end = part->first_face + part->face_count;
    }
    return FACET_OK;
}

static facet_status check_morphs(const facet_mesh *mesh, facet_error *error)
{
    if (mesh->morph_count > 0 && !mesh->morphs)
        return broken(error, "%" PRIu32 " morph targets without an array", mesh->morph_count);
    for (uint32_t i = 0; i < mesh->morph_count; i++) {
        if (!mesh->morphs[i].name)
            return broken(error, "morph target %" PRIu32 " has no name", i);
    }
    return FACET_OK;
}

facet_status facet_mesh_check(const facet_mesh *mesh, facet_error *error)
{
    if (!mesh->name || !mesh->arena)
        return broken(error, "a mesh has no name or no arena");
    if (mesh->stream_count > 0 && !mesh->streams)
        return broken(error, "%" PRIu32 " streams without an array", mesh->stream_count);
    TRY(check_faces(mesh, error));
    if (mesh->stream_count == 0 ? mesh->corner_count > 0
                                : mesh->streams[0].semantic != FACET_POSITION)
        return broken(error, "the first stream of a mesh is not its positions");
    for (uint32_t i = 0; i < mesh->stream_count; i++)
        TRY(check_stream(mesh, &mesh->streams[i], error));
    TRY(check_parts(mesh, error));
    TRY(check_lines(mesh, error));
    TRY(check_points(mesh, error));
    return check_morphs(mesh, error);
}

static facet_status check_mesh(const facet_scene *scene, const facet_mesh *mesh, facet_error *error)
{
    static const char *const names[FACET_USE_KINDS] = {"face", "line", "point"};
    TRY(facet_mesh_check(mesh, error));
    for (int kind = 0; kind < FACET_USE_KINDS; kind++) {
        facet_material_uses uses = facet_mesh_material_uses(mesh, kind);
        for (uint32_t i = 0; uses.indices && i < uses.count; i++) {
            if (uses.indices[i] != FACET_NONE && uses.indices[i] >= scene->material_count)
                return broken(error, "%s %" PRIu32 " has material %" PRIu32 " of %" PRIu32,
                              names[kind], i, uses.indices[i], scene->material_count);
        }
    }
    return FACET_OK;
}

static facet_status check_meshes(const facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        TRY(check_mesh(scene, scene->meshes[i], error));
    return FACET_OK;
}

/* -- Collision ---------------------------------------------------------- */

static facet_status check_hulls(const facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->hull_count; i++) {
        const facet_hull *hull = scene->hulls[i];
        if (!hull->name || (hull->point_count > 0 && !hull->points))
            return broken(error, "hull %" PRIu32 " lacks a name or its points", i);
    }
    return FACET_OK;
}

static facet_status check_occluder(const facet_scene *scene, facet_error *error)
{
    if (!scene->occluder)
        return FACET_OK;
    if (scene->occluder->stream_count > 1 || scene->occluder->line_count > 0 ||
        scene->occluder->point_count > 0)
        return broken(error, "the occluder has more than positions and faces");
    return check_mesh(scene, scene->occluder, error);
}

/* -- Materials, images and others ---------------------------------------- */

static bool is_texture(const facet_texture *texture)
{
    return texture->wrap_u <= FACET_WRAP_MIRROR && texture->wrap_v <= FACET_WRAP_MIRROR &&
           texture->minify <= FACET_FILTER_LINEAR_MIPMAP_LINEAR &&
           texture->magnify <= FACET_FILTER_LINEAR_MIPMAP_LINEAR;
}

static facet_status check_variants(const facet_scene *scene, const facet_material *material,
                                   uint32_t index, facet_error *error)
{
    if (material->variant_count > 0 && !material->variants)
        return broken(error, "material %" PRIu32 " has a count of variants and no array", index);
    for (uint32_t i = 0; i < material->variant_count; i++) {
        const facet_variant_use *use = &material->variants[i];
        if (use->variant >= scene->variant_count || use->material >= scene->material_count)
            return broken(error,
                          "material %" PRIu32 " becomes material %" PRIu32 " of %" PRIu32
                          " in variant %" PRIu32 " of %" PRIu32,
                          index, use->material, scene->material_count, use->variant,
                          scene->variant_count);
    }
    return FACET_OK;
}

static facet_status check_materials(const facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const facet_material *material = scene->materials[i];
        if (!material->name || material->alpha_mode > FACET_ALPHA_BLEND)
            return broken(error, "material %" PRIu32 " has no name or an unknown alpha mode", i);
        TRY(check_variants(scene, material, i, error));
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            const facet_texture *texture = material->maps[map];
            if (!texture)
                continue;
            if (texture->has_image && texture->image >= scene->image_count)
                return broken(error, "material %" PRIu32 " uses image %" PRIu32 " of %" PRIu32, i,
                              texture->image, scene->image_count);
            if (!texture->path)
                return broken(error, "material %" PRIu32 " has a map without a path", i);
            if (!is_texture(texture))
                return broken(error, "a map of material %" PRIu32 " has an unknown wrap or filter",
                              i);
        }
    }
    return FACET_OK;
}

static facet_status check_pixels(const facet_image *image, uint32_t index, facet_error *error)
{
    size_t samples, bytes;
    if (image->width == 0 || image->height == 0 || image->channels < 1 || image->channels > 4)
        return broken(error,
                      "image %" PRIu32 " has pixels, and %" PRIu32 " x %" PRIu32 " of %" PRIu32
                      " channels",
                      index, image->width, image->height, image->channels);
    if (!facet_size_multiply(image->width, image->height, &samples) ||
        !facet_size_multiply(samples, image->channels, &samples) ||
        !facet_size_multiply(samples, image->is_float ? sizeof(float) : 1, &bytes))
        return broken(error, "image %" PRIu32 " has more pixels than memory can hold", index);
    if (image->smaller_count > 0 &&
        (!image->smaller || image->is_float ||
         !facet_image_size_of_smaller(image->width, image->height, image->smaller_count, &bytes)))
        return broken(error,
                      "image %" PRIu32 " has %" PRIu32 " smaller levels, which bytes of %" PRIu32
                      " x %" PRIu32 " pixels do not have",
                      index, image->smaller_count, image->width, image->height);
    return FACET_OK;
}

static facet_status check_images(const facet_scene *scene, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->image_count && !status; i++) {
        const facet_image *image = scene->images[i];
        if (!image->name || !image->media_type || (image->size > 0 && !image->data))
            return broken(error, "image %" PRIu32 " lacks a name, a media type or its bytes", i);
        if (image->pixels)
            status = check_pixels(image, i, error);
    }
    return status;
}

/* -- Nodes -------------------------------------------------------------- */

static facet_status check_node(const facet_scene *scene, uint32_t index, facet_error *error)
{
    const facet_node *node = scene->nodes[index];
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
    if (node->camera != FACET_NONE && node->camera >= scene->camera_count)
        return broken(error, "node %" PRIu32 " has camera %" PRIu32 " of %" PRIu32, index,
                      node->camera, scene->camera_count);
    if (node->light != FACET_NONE && node->light >= scene->light_count)
        return broken(error, "node %" PRIu32 " has light %" PRIu32 " of %" PRIu32, index,
                      node->light, scene->light_count);
    for (uint32_t i = 0; i < node->lod_count; i++) {
        if (!node->lods || node->lods[i] >= scene->node_count)
            return broken(error, "level %" PRIu32 " of node %" PRIu32 " is not a node", i + 1,
                          index);
    }
    if (node->weights && node->mesh == FACET_NONE)
        return broken(error, "node %" PRIu32 " has morph weights and no mesh", index);
    return FACET_OK;
}

/* Mark the roots: each is listed once, and none is below another. */
static facet_status check_roots(const facet_scene *scene, bool *is_root, facet_error *error)
{
    for (uint32_t i = 0; scene->roots && i < scene->root_count; i++) {
        uint32_t root = scene->roots[i];
        if (root >= scene->node_count || scene->nodes[root]->parent != FACET_NONE)
            return broken(error, "root %" PRIu32 " is not a node without parent", i);
        if (is_root[root])
            return broken(error, "root %" PRIu32 " occurs twice", i);
        is_root[root] = true;
    }
    return FACET_OK;
}

/* Check that no node is its own ancestor: then an order with parents first exists. */
static facet_status check_tree(const facet_scene *scene, facet_arena *scratch, facet_error *error)
{
    uint32_t count = scene->node_count;
    uint32_t *depth = facet_arena_allocate(scratch, count, sizeof *depth);
    uint32_t *order = facet_arena_allocate(scratch, count, sizeof *order);
    bool *is_root = facet_arena_allocate_zeroed(scratch, count, sizeof *is_root);
    if (!depth || !order || !is_root)
        return facet_fail_arena(scratch, error);
    TRY(check_roots(scene, is_root, error));
    return facet_scene_order(scene, depth, order, error);
}

static facet_status check_cameras_and_lights(const facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        if (!scene->cameras[i]->name)
            return broken(error, "camera %" PRIu32 " has no name", i);
    }
    for (uint32_t i = 0; i < scene->light_count; i++) {
        if (!scene->lights[i]->name || scene->lights[i]->kind > FACET_LIGHT_SPOT)
            return broken(error, "light %" PRIu32 " has no name or an unknown kind", i);
    }
    return FACET_OK;
}

static facet_status check_nodes(const facet_scene *scene, const facet_options *options,
                                facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->node_count && !status; i++)
        status = check_node(scene, i, error);
    if (!status && scene->roots && scene->root_count > scene->node_count)
        return broken(error, "%" PRIu32 " roots of %" PRIu32 " nodes", scene->root_count,
                      scene->node_count);
    if (status || scene->node_count == 0)
        return status;
    facet_arena *scratch = NULL;
    status = facet_arena_create(options, &scratch, error);
    if (!status)
        status = check_tree(scene, scratch, error);
    facet_arena_free(scratch);
    return status;
}

/* -- Skins and animations ----------------------------------------------- */

static facet_status check_skins(const facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        const facet_skin *skin = scene->skins[i];
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

/* True if the animated node, material or map exists. */
static bool target_is_right(const facet_scene *scene, const facet_channel *channel)
{
    if (channel->target > FACET_TARGET_TEXTURE_IMAGE)
        return false;
    if (facet_channel_target_is_of_node(channel->target))
        return channel->node < scene->node_count;
    if (channel->node != FACET_NONE || channel->material >= scene->material_count)
        return false;
    return channel->target < FACET_TARGET_TEXTURE_OFFSET ||
           (channel->map < FACET_MAP_COUNT &&
            scene->materials[channel->material]->maps[channel->map]);
}

/* Choices must step; images must be integers below their count. */
static bool choices_are_right(const facet_scene *scene, const facet_channel *channel)
{
    if (channel->target == FACET_TARGET_VISIBILITY)
        return channel->interpolation == FACET_INTERPOLATION_STEP;
    if (channel->target != FACET_TARGET_TEXTURE_IMAGE)
        return true;
    if (channel->interpolation != FACET_INTERPOLATION_STEP)
        return false;
    for (uint32_t key = 0; key < channel->key_count; key++) {
        double image = (double)channel->values[key];
        if (!(image >= 0 && image < scene->image_count) || image != (double)(uint32_t)image)
            return false;
    }
    return true;
}

static bool channel_is_right(const facet_scene *scene, const facet_channel *channel)
{
    if (!target_is_right(scene, channel) || channel->interpolation > FACET_INTERPOLATION_CUBIC ||
        channel->key_count == 0 || !channel->times || (channel->width > 0 && !channel->values) ||
        channel->width != facet_channel_width(scene, channel))
        return false;
    for (uint32_t key = 1; key < channel->key_count; key++) {
        if (!(channel->times[key - 1] <= channel->times[key]))
            return false;
    }
    size_t per_key = channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1, values;
    return facet_size_multiply(channel->key_count * per_key, channel->width, &values) &&
           choices_are_right(scene, channel);
}

static facet_status check_animations(const facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        if (!animation->name || (animation->channel_count > 0 && !animation->channels))
            return broken(error, "animation %" PRIu32 " lacks a name or its channels", i);
        for (uint32_t channel = 0; channel < animation->channel_count; channel++) {
            if (!channel_is_right(scene, &animation->channels[channel]))
                return broken(error,
                              "channel %" PRIu32 " of animation %" PRIu32
                              " has the wrong target, width or keys",
                              channel, i);
        }
    }
    return FACET_OK;
}

/* -- The whole scene ---------------------------------------------------- */

static facet_status check_arrays(const facet_scene *scene, facet_error *error)
{
    /* Each is an array of pointers; memcpy reads it for any pointer type. */
    const struct {
        const char *name;
        const void *items;
        uint32_t count;
    } arrays[] = {
        {"meshes", scene->meshes, scene->mesh_count},
        {"materials", scene->materials, scene->material_count},
        {"hulls", scene->hulls, scene->hull_count},
        {"images", scene->images, scene->image_count},
        {"nodes", scene->nodes, scene->node_count},
        {"skins", scene->skins, scene->skin_count},
        {"animations", scene->animations, scene->animation_count},
        {"cameras", scene->cameras, scene->camera_count},
        {"lights", scene->lights, scene->light_count},
        {"variants", scene->variants, scene->variant_count},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (arrays[i].count > 0 && !arrays[i].items)
            return broken(error, "%" PRIu32 " %s without an array", arrays[i].count,
                          arrays[i].name);
        for (uint32_t k = 0; k < arrays[i].count; k++) {
            const void *item;
            memcpy(&item, (const char *)arrays[i].items + k * sizeof item, sizeof item);
            if (!item)
                return broken(error, "item %" PRIu32 " of the %s is NULL", k, arrays[i].name);
        }
    }
    if (!scene->arena)
        return broken(error, "the scene has no arena");
    if (scene->axes.up > FACET_AXIS_X || !(scene->axes.unit >= 0) || !isfinite(scene->axes.unit))
        return broken(error, "the axes have an unknown up axis, or a unit of %g m",
                      scene->axes.unit);
    return FACET_OK;
}

facet_status facet_scene_check(const facet_scene *scene, const facet_options *options,
                               facet_error *error)
{
    TRY(facet_check_options(options, error));
    TRY(check_arrays(scene, error));
    TRY(check_meshes(scene, error));
    TRY(check_hulls(scene, error));
    TRY(check_occluder(scene, error));
    TRY(check_materials(scene, error));
    TRY(check_images(scene, error));
    TRY(check_nodes(scene, options, error));
    TRY(check_cameras_and_lights(scene, error));
    TRY(check_skins(scene, error));
    TRY(facet_scene_check_streams(scene, options, error));
    TRY(check_animations(scene, error));
    return facet_scene_expect_finite(scene, FACET_ERROR_ARGUMENT, error);
}
