/* convert/images.c - the images that a scene only names, taken into it. */
#include "convert/images.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"

#include <facet/gx_material.h>
#include <facet/image.h>
#include <inttypes.h>
#include <string.h>

typedef struct collector {
    facet_scene *scene;
    const facet_source *source;
    bool encodes; /* to PNG what is something else */
    const facet_options *options;
    facet_error *error;
} collector;

/* -- Bytes -------------------------------------------------------------- */

/* The file that an image names, copied into the scene. FACET_ERROR_IO when it
 * cannot be opened, which the caller forgives. */
static facet_status load_bytes(const collector *c, facet_image *image, facet_error *error)
{
    facet_source file = {0};
    facet_status status = facet_source_open_sibling(c->source, image->path, &file, error);
    if (status)
        return status;
    size_t size = file.size;
    uint8_t *data = facet_arena_allocate(c->scene->arena, size, 1);
    if (data) {
        memcpy(data, file.data, size);
        image->data = data;
        image->size = size;
        image->media_type = facet_image_media_type(data, size);
    } else {
        status = facet_fail_memory(error, size);
    }
    facet_source_close(&file);
    return status;
}

/* Whatever is neither PNG nor JPEG becomes a PNG. */
static facet_status encode_png(const collector *c, facet_image *image)
{
    if (image->data && (strcmp(image->media_type, "image/png") == 0 ||
                        strcmp(image->media_type, "image/jpeg") == 0))
        return FACET_OK;
    facet_output *output = NULL;
    facet_status status = facet_image_decode(c->scene->arena, image, c->options, c->error);
    if (!status)
        status =
            facet_output_open_memory(c->options ? c->options->allocator : NULL, &output, c->error);
    if (!status)
        status = facet_image_encode(image, "image/png", 0, c->options, output, c->error);
    if (!status)
        status = facet_output_commit(output, c->error);
    if (!status) {
        size_t size = (size_t)facet_output_size(output);
        uint8_t *data = facet_arena_allocate(c->scene->arena, size, 1);
        if (data) {
            memcpy(data, facet_output_data(output), size);
            image->data = data;
            image->size = size;
            image->media_type = "image/png";
        } else {
            status = facet_fail_memory(c->error, size);
        }
    }
    facet_output_free(output);
    return status;
}

/* Bytes for one image. *usable is false when there are none: that is said, and
 * no failure. */
static facet_status collect(const collector *c, facet_image *image, bool *usable)
{
    facet_error fault;
    facet_status status = FACET_OK;
    facet_quoted quoted;
    *usable = true;
    if (!image->data && !image->pixels)
        status = image->path ? load_bytes(c, image, &fault) : FACET_ERROR_IO;
    if (!status && c->encodes) {
        collector tolerant = *c;
        tolerant.error = &fault;
        status = encode_png(&tolerant, image);
    }
    if (!status)
        return FACET_OK;
    if (status == FACET_ERROR_MEMORY || status == FACET_ERROR_CANCELED) {
        if (c->error)
            *c->error = fault;
        return status;
    }
    *usable = false;
    const char *name = image->path ? image->path : image->name;
    facet_report_add(c->options ? c->options->report : NULL, "LOSS-IMAGES", FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET, "image '%s' is left out: %s",
                     facet_quote(&quoted, name, strlen(name)),
                     image->path ? fault.message : "it has neither bytes nor a file");
    return FACET_OK;
}

/* -- Textures ----------------------------------------------------------- */

/* Paths of images, and the first image of each. */
typedef struct paths {
    facet_names names;
    uint32_t *images;
} paths;

/* The number of a path, which is that of image `index` when it is new. */
static facet_status put_path(const collector *c, paths *known, const char *path, uint32_t index,
                             uint32_t *image)
{
    uint32_t count = known->names.count;
    uint32_t number = facet_names_put(&known->names, path, strlen(path));
    if (number == FACET_NONE)
        return facet_fail_memory(c->error, sizeof(facet_name));
    if (number == count)
        known->images[number] = index;
    *image = known->images[number];
    return FACET_OK;
}

/* The image of a texture's path, a new one when there is none yet. */
static facet_status link_texture(const collector *c, paths *known, facet_texture *texture)
{
    const char *path = texture->path, *slash = strrchr(path, '/');
    uint32_t next = c->scene->image_count;
    facet_image *image = NULL;
    facet_status status = put_path(c, known, path, next, &texture->image);
    if (!status && texture->image == next) {
        status = facet_scene_add_image(c->scene, slash ? slash + 1 : path, &image, c->error);
        if (!status)
            image->path = path;
    }
    if (!status)
        texture->has_image = true;
    return status;
}

static facet_status link_textures(const collector *c)
{
    facet_scene *scene = c->scene;
    size_t most = scene->image_count + (size_t)scene->material_count * FACET_MAP_COUNT;
    paths known = {facet_names_make(scene->arena),
                   facet_arena_allocate(scene->arena, most, sizeof(uint32_t))};
    if (!known.images)
        return facet_fail_memory(c->error, most * sizeof(uint32_t));
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->image_count && !status; i++) {
        uint32_t first;
        if (scene->images[i].path)
            status = put_path(c, &known, scene->images[i].path, i, &first);
    }
    for (uint32_t m = 0; m < scene->material_count; m++) {
        for (int map = 0; map < FACET_MAP_COUNT && !status; map++) {
            facet_texture *texture = &scene->materials[m].maps[map];
            if (texture->path && *texture->path && !texture->has_image)
                status = link_texture(c, &known, texture);
        }
    }
    facet_names_release(&known.names);
    facet_arena_release(scene->arena, known.images, most, sizeof(uint32_t));
    return status;
}

/* -- What cannot be used ------------------------------------------------ */

/* What chooses among images, by their new numbers: of an image that is gone no key is
 * left, and of a texture that is none no channel. */
static void renumber_channels(const facet_scene *scene, const uint32_t *numbers)
{
    for (uint32_t a = 0; a < scene->animation_count; a++) {
        facet_animation *animation = &scene->animations[a];
        uint32_t kept = 0;
        for (uint32_t c = 0; c < animation->channel_count; c++) {
            facet_channel channel = animation->channels[c];
            uint32_t keys = 0;
            for (uint32_t k = 0; channel.path == FACET_PATH_TEXTURE_IMAGE && k < channel.key_count;
                 k++) {
                uint32_t image = numbers[(uint32_t)channel.values[k]];
                if (image == FACET_NONE)
                    continue;
                channel.times[keys] = channel.times[k];
                channel.values[keys++] = (float)image;
            }
            if (channel.path == FACET_PATH_TEXTURE_IMAGE)
                channel.key_count = keys;
            bool mapped = channel.path >= FACET_PATH_TEXTURE_OFFSET;
            if (channel.key_count > 0 &&
                !(mapped && !scene->materials[channel.material].maps[channel.map].path))
                animation->channels[kept++] = channel;
        }
        animation->channel_count = kept;
    }
}

/* The same for the textures of a console's material, whose state may be shared. */
static facet_status renumber_gx(const collector *c, facet_material *material,
                                const uint32_t *numbers, uint32_t count)
{
    facet_gx_material *gx = facet_arena_allocate(c->scene->arena, 1, sizeof *gx);
    if (!gx)
        return facet_fail_memory(c->error, sizeof *gx);
    *gx = *material->gx;
    for (int i = 0; i < 8; i++) {
        uint32_t image = gx->textures[i] < count ? numbers[gx->textures[i]] : FACET_NONE;
        gx->textures[i] = (uint16_t)(image < FACET_GX_NO_TEXTURE ? image : FACET_GX_NO_TEXTURE);
    }
    material->gx = gx;
    return FACET_OK;
}

/* Only the usable images stay, and textures without their image are none. */
static facet_status drop_images(const collector *c, const bool *usable)
{
    facet_scene *scene = c->scene;
    uint32_t count = scene->image_count, kept = 0;
    uint32_t *numbers = facet_arena_allocate(scene->arena, count, sizeof *numbers);
    if (!numbers)
        return facet_fail_memory(c->error, count * sizeof *numbers);
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = usable[i] ? kept : FACET_NONE;
        if (usable[i])
            scene->images[kept++] = scene->images[i];
    }
    scene->image_count = kept;
    facet_status status = FACET_OK;
    for (uint32_t m = 0; m < scene->material_count && !status; m++) {
        if (scene->materials[m].gx && kept < count)
            status = renumber_gx(c, &scene->materials[m], numbers, count);
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            facet_texture *texture = &scene->materials[m].maps[map];
            if (texture->has_image && numbers[texture->image] == FACET_NONE)
                memset(texture, 0, sizeof *texture);
            else if (texture->has_image)
                texture->image = numbers[texture->image];
        }
    }
    renumber_channels(scene, numbers);
    facet_arena_release(scene->arena, numbers, count, sizeof *numbers);
    return status;
}

facet_status facet_scene_embed_images(facet_scene *scene, const facet_source *source, bool encodes,
                                      const facet_options *options, facet_error *error)
{
    collector c = {scene, source, encodes, options, error};
    facet_status status = link_textures(&c);
    uint32_t count = scene->image_count;
    if (status || count == 0)
        return status;
    bool *usable = facet_arena_allocate(scene->arena, count, sizeof *usable);
    if (!usable)
        return facet_fail_memory(error, count * sizeof *usable);
    for (uint32_t i = 0; i < count && !status; i++)
        status = collect(&c, &scene->images[i], &usable[i]);
    if (!status)
        status = drop_images(&c, usable);
    facet_arena_release(scene->arena, usable, count, sizeof *usable);
    return status;
}
