/* scene/copy.c - copy of a scene: every array is allocated in the arena of the copy. */
#include "base/arena.h"
#include "base/error.h"
#include "scene/scene.h"

#include <facet/gx_material.h>

#include <string.h>

/* Destination of the copy, and whether an allocation failed. That is checked once, at the end. */
typedef struct copier {
    facet_arena *arena;
    bool failed;
} copier;

static void *copy_array(copier *c, const void *items, size_t count, size_t size)
{
    if (!items)
        return NULL;
    void *made = facet_arena_allocate(c->arena, count, size);
    if (!made)
        c->failed = true;
    else if (count > 0)
        memcpy(made, items, count * size);
    return made;
}

static const char *copy_text(copier *c, const char *text)
{
    if (!text)
        return NULL;
    const char *made = facet_arena_string(c->arena, text, strlen(text));
    if (!made)
        c->failed = true;
    return made;
}

/* Replace an array by its copy. If out of memory, the copy is empty, so it is not read further. */
#define COPY(field, count) ((field) = copy_array(c, (field), (count), sizeof *(field)))
/* Likewise for an array of pointers, and the items that they point to. */
#define COPY_ITEMS(array, count)                             \
    do {                                                     \
        COPY(array, count);                                  \
        for (uint32_t i_ = 0; (array) && i_ < (count); i_++) \
            COPY((array)[i_], 1);                            \
    } while (0)
#define COPY_TEXT(field) ((field) = copy_text(c, (field)))
#define EACH(i, array, count) for (uint32_t i = 0; (array) && i < (count); i++)

/* -- Extras ------------------------------------------------------------- */

static facet_gx_file_animation *copy_files(copier *c, const facet_gx_file_animation *from,
                                           uint32_t count)
{
    facet_gx_file_animation *files = copy_array(c, from, count, sizeof *from);
    EACH(i, files, count)
    {
        COPY_TEXT(files[i].name);
        COPY_TEXT(files[i].kind);
        files[i].bytes = copy_array(c, files[i].bytes, files[i].size, 1);
    }
    return files;
}

/* Copy the text, and the data parsed from it or stored without it. */
static void copy_extras(copier *c, const char **extras, facet_gx_file_part **file)
{
    const facet_gx_file_part *old = *file;
    bool is_same = old && old->extras == *extras;
    COPY_TEXT(*extras);
    facet_gx_file_part *part = *file = is_same ? copy_array(c, old, 1, sizeof *old) : NULL;
    if (!part)
        return;
    part->extras = *extras;
    COPY(part->joint, 1);
    COPY(part->shape, 1);
    COPY(part->model, 1);
    part->motion = copy_files(c, part->motion, 1);
    part->carried = copy_files(c, part->carried, part->carried_count);
    COPY_TEXT(part->wrong_joint);
    COPY_TEXT(part->wrong_shape);
    COPY_TEXT(part->wrong_model);
}

/* -- Meshes ------------------------------------------------------------- */

/* Copy indices. Streams that share an index array share it in the copy. */
static uint32_t *copy_indices(copier *c, const facet_mesh *from, const facet_mesh *mesh, uint32_t i)
{
    for (uint32_t earlier = 0; earlier < i; earlier++) {
        if (from->streams[earlier].indices == from->streams[i].indices)
            return mesh->streams[earlier].indices;
    }
    return copy_array(c, from->streams[i].indices, from->corner_count, sizeof(uint32_t));
}

static void copy_streams(copier *c, const facet_mesh *from, facet_mesh *mesh)
{
    COPY(mesh->streams, mesh->stream_count);
    EACH(i, mesh->streams, mesh->stream_count)
    {
        facet_stream *stream = &mesh->streams[i];
        size_t element = facet_component_size(stream->component) * stream->components;
        COPY_TEXT(stream->name);
        stream->data = copy_array(c, stream->data, stream->count, element);
        stream->indices = copy_indices(c, from, mesh, i);
    }
}

static facet_mesh *copy_mesh(copier *c, const facet_mesh *from)
{
    facet_mesh *mesh = copy_array(c, from, 1, sizeof *from);
    if (!mesh)
        return NULL;
    mesh->arena = c->arena;
    mesh->stream_growth = (facet_growth){0};
    COPY_TEXT(mesh->name);
    copy_extras(c, &mesh->extras, &mesh->gx_file);
    COPY_TEXT(mesh->extensions);
    COPY(mesh->face_offsets, (size_t)mesh->face_count + 1);
    COPY(mesh->face_materials, mesh->face_count);
    COPY(mesh->face_smoothing, mesh->face_count);
    COPY(mesh->lines, (size_t)mesh->line_count * 2);
    COPY(mesh->line_materials, mesh->line_count);
    COPY(mesh->points, mesh->point_count);
    COPY(mesh->point_materials, mesh->point_count);
    copy_streams(c, from, mesh);
    COPY(mesh->parts, mesh->part_count);
    EACH(i, mesh->parts, mesh->part_count)
    {
        COPY_TEXT(mesh->parts[i].name);
        COPY_TEXT(mesh->parts[i].group);
    }
    COPY(mesh->morphs, mesh->morph_count);
    EACH(i, mesh->morphs, mesh->morph_count)
    COPY_TEXT(mesh->morphs[i].name);
    return mesh;
}

/* -- Materials and images ----------------------------------------------- */

static facet_gx_file_texture *copy_file_textures(copier *c, const facet_gx_file_texture *from,
                                                 uint32_t count)
{
    facet_gx_file_texture *textures = copy_array(c, from, count, sizeof *from);
    EACH(i, textures, count)
    COPY_TEXT(textures[i].name);
    return textures;
}

/* Copy the data parsed from the extras, unless the extras were replaced since. */
static void copy_material_file(copier *c, const facet_material *from, facet_material *material)
{
    const facet_gx_file_material *old = from->gx_file;
    material->gx_file = NULL;
    if (!old || old->extras != from->extras)
        return;
    facet_gx_file_material *file = copy_array(c, old, 1, sizeof *old);
    if (!file)
        return;
    file->extras = material->extras;
    file->textures = copy_file_textures(c, old->textures, old->texture_count);
    COPY_TEXT(file->wrong);
    COPY_TEXT(file->wrong_textures);
    COPY(file->shown, file->shown ? 1 : 0);
    if (file->shown)
        COPY_TEXT(file->shown->texture);
    material->gx_file = file;
}

static void copy_image_file(copier *c, const facet_image *from, facet_image *image)
{
    const facet_gx_file_image *old = from->gx_file;
    image->gx_file = NULL;
    if (!old || old->extras != from->extras)
        return;
    facet_gx_file_image *file = copy_array(c, old, 1, sizeof *old);
    if (!file)
        return;
    file->extras = image->extras;
    file->textures = copy_file_textures(c, old->textures, old->texture_count);
    COPY_TEXT(file->wrong_textures);
    image->gx_file = file;
}

static void copy_materials(copier *c, const facet_scene *from, facet_scene *scene)
{
    COPY_ITEMS(scene->materials, scene->material_count);
    EACH(i, scene->materials, scene->material_count)
    {
        facet_material *material = scene->materials[i];
        if (!material)
            continue;
        COPY_TEXT(material->name);
        COPY_TEXT(material->extras);
        COPY_TEXT(material->extensions);
        COPY(material->variants, material->variant_count);
        COPY(material->classic, 1);
        COPY(material->gx, 1);
        copy_material_file(c, from->materials[i], material);
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            COPY(material->maps[map], 1);
            if (material->maps[map])
                COPY_TEXT(material->maps[map]->path);
        }
    }
}

static void copy_images(copier *c, const facet_scene *from, facet_scene *scene)
{
    COPY_ITEMS(scene->images, scene->image_count);
    EACH(i, scene->images, scene->image_count)
    {
        facet_image *image = scene->images[i];
        if (!image)
            continue;
        size_t sample = image->is_float ? sizeof(float) : 1;
        size_t row = (size_t)image->width * image->channels * sample;
        COPY_TEXT(image->name);
        COPY_TEXT(image->media_type);
        COPY_TEXT(image->path);
        COPY_TEXT(image->extras);
        copy_image_file(c, from->images[i], image);
        image->data = copy_array(c, image->data, image->size, 1);
        image->pixels = copy_array(c, image->pixels, image->height, row);
        size_t smaller = 0;
        facet_image_size_of_smaller(image->width, image->height, image->smaller_count, &smaller);
        image->smaller = copy_array(c, image->smaller, smaller, 1);
    }
}

/* -- Nodes, skins, animations ------------------------------------------- */

static void copy_nodes(copier *c, facet_scene *scene)
{
    COPY(scene->roots, scene->root_count);
    COPY_ITEMS(scene->nodes, scene->node_count);
    EACH(i, scene->nodes, scene->node_count)
    {
        facet_node *node = scene->nodes[i];
        if (!node)
            continue;
        bool has_mesh = node->mesh < scene->mesh_count;
        COPY_TEXT(node->name);
        copy_extras(c, &node->extras, &node->gx_file);
        COPY_TEXT(node->extensions);
        COPY(node->lods, node->lod_count);
        if (has_mesh && scene->meshes && scene->meshes[node->mesh])
            COPY(node->weights, scene->meshes[node->mesh]->morph_count);
        else
            node->weights = NULL; /* without morph targets, weights have no meaning */
    }
}

static void copy_skins(copier *c, facet_scene *scene)
{
    COPY_ITEMS(scene->skins, scene->skin_count);
    EACH(i, scene->skins, scene->skin_count)
    {
        facet_skin *skin = scene->skins[i];
        if (!skin)
            continue;
        COPY_TEXT(skin->name);
        COPY_TEXT(skin->extras);
        COPY(skin->joints, skin->joint_count);
        skin->inverse_bind =
            copy_array(c, skin->inverse_bind, skin->joint_count, 16 * sizeof(float));
    }
}

static void copy_channel(copier *c, facet_channel *channel)
{
    size_t tangents = channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1;
    COPY(channel->times, channel->key_count);
    channel->values = copy_array(c, channel->values, channel->key_count,
                                 tangents * channel->width * sizeof(float));
}

static void copy_animations(copier *c, facet_scene *scene)
{
    COPY_ITEMS(scene->animations, scene->animation_count);
    EACH(i, scene->animations, scene->animation_count)
    {
        facet_animation *animation = scene->animations[i];
        if (!animation)
            continue;
        COPY_TEXT(animation->name);
        copy_extras(c, &animation->extras, &animation->gx_file);
        COPY(animation->channels, animation->channel_count);
        EACH(channel, animation->channels, animation->channel_count)
        copy_channel(c, &animation->channels[channel]);
    }
}

static void copy_cameras_and_lights(copier *c, facet_scene *scene)
{
    COPY_ITEMS(scene->cameras, scene->camera_count);
    EACH(i, scene->cameras, scene->camera_count)
    {
        facet_camera *camera = scene->cameras[i];
        if (!camera)
            continue;
        COPY_TEXT(camera->name);
        COPY_TEXT(camera->extras);
    }
    COPY_ITEMS(scene->lights, scene->light_count);
    EACH(i, scene->lights, scene->light_count)
    {
        facet_light *light = scene->lights[i];
        if (!light)
            continue;
        COPY_TEXT(light->name);
        COPY_TEXT(light->extras);
    }
}

/* -- The whole scene ---------------------------------------------------- */

static void copy_all(copier *c, const facet_scene *from, facet_scene *scene)
{
    COPY_TEXT(scene->name);
    COPY_TEXT(scene->generator);
    copy_extras(c, &scene->extras, &scene->gx_file);
    COPY_TEXT(scene->extensions);
    COPY_TEXT(scene->asset);
    COPY(scene->variants, scene->variant_count);
    EACH(i, scene->variants, scene->variant_count)
    {
        COPY_TEXT(scene->variants[i]);
    }
    COPY(scene->meshes, scene->mesh_count);
    EACH(i, scene->meshes, scene->mesh_count)
    scene->meshes[i] = copy_mesh(c, from->meshes[i]);
    scene->occluder = from->occluder ? copy_mesh(c, from->occluder) : NULL;
    COPY_ITEMS(scene->hulls, scene->hull_count);
    EACH(i, scene->hulls, scene->hull_count)
    {
        facet_hull *hull = scene->hulls[i];
        if (!hull)
            continue;
        COPY_TEXT(hull->name);
        hull->points = copy_array(c, hull->points, hull->point_count, 3 * sizeof(float));
    }
    copy_materials(c, from, scene);
    copy_images(c, from, scene);
    copy_nodes(c, scene);
    copy_skins(c, scene);
    copy_animations(c, scene);
    copy_cameras_and_lights(c, scene);
}

facet_status facet_scene_copy_into(const facet_scene *scene, facet_arena *arena, facet_scene *to,
                                   facet_error *error)
{
    copier c = {.arena = arena};
    *to = *scene;
    to->arena = arena;
    memset(&to->growth, 0, sizeof to->growth);
    copy_all(&c, scene, to);
    return c.failed ? facet_fail_arena(arena, error) : FACET_OK;
}

facet_status facet_scene_copy(const facet_scene *scene, const facet_options *options,
                              facet_scene **copy, facet_error *error)
{
    facet_scene *made = NULL;
    TRY(facet_scene_create(options, &made, error));
    facet_status status = facet_scene_copy_into(scene, made->arena, made, error);
    if (status) {
        facet_scene_free(made);
        return status;
    }
    *copy = made;
    return FACET_OK;
}
