/* convert/images.c - the images that a scene only names, taken into it. */
#include "convert/images.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"

#include <facet/image.h>
#include <inttypes.h>
#include <string.h>

typedef struct collector {
    facet_scene *scene;
    const facet_source *source;
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
    if (!status) {
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

/* The image of this path, a new one when there is none yet. */
static facet_status image_of_path(const collector *c, const char *path, uint32_t *index)
{
    for (uint32_t i = 0; i < c->scene->image_count; i++) {
        const char *other = c->scene->images[i].path;
        if (other && strcmp(other, path) == 0) {
            *index = i;
            return FACET_OK;
        }
    }
    facet_image *image = NULL;
    const char *slash = strrchr(path, '/');
    facet_status status =
        facet_scene_add_image(c->scene, slash ? slash + 1 : path, &image, c->error);
    if (status)
        return status;
    image->path = path;
    *index = c->scene->image_count - 1;
    return FACET_OK;
}

static facet_status link_textures(const collector *c)
{
    for (uint32_t m = 0; m < c->scene->material_count; m++) {
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            facet_texture *texture = &c->scene->materials[m].maps[map];
            if (!texture->path || !*texture->path || texture->has_image)
                continue;
            facet_status status = image_of_path(c, texture->path, &texture->image);
            if (status)
                return status;
            texture->has_image = true;
        }
    }
    return FACET_OK;
}

/* A texture without its image is no texture. */
static void unlink_textures(const collector *c, const bool *usable)
{
    for (uint32_t m = 0; m < c->scene->material_count; m++) {
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            facet_texture *texture = &c->scene->materials[m].maps[map];
            if (texture->has_image && !usable[texture->image])
                memset(texture, 0, sizeof *texture);
        }
    }
}

/* Only the usable images stay. */
static void drop_images(const collector *c, const bool *usable)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->scene->image_count; i++) {
        for (uint32_t m = 0; m < c->scene->material_count && usable[i]; m++) {
            for (int map = 0; map < FACET_MAP_COUNT; map++) {
                facet_texture *texture = &c->scene->materials[m].maps[map];
                if (texture->has_image && texture->image == i)
                    texture->image = kept; /* never larger than i: seen once */
            }
        }
        if (usable[i])
            c->scene->images[kept++] = c->scene->images[i];
    }
    c->scene->image_count = kept;
}

facet_status facet_scene_embed_images(facet_scene *scene, const facet_source *source,
                                      const facet_options *options, facet_error *error)
{
    collector c = {scene, source, options, error};
    facet_status status = link_textures(&c);
    uint32_t count = scene->image_count;
    if (status || count == 0)
        return status;
    bool *usable = facet_arena_allocate(scene->arena, count, sizeof *usable);
    if (!usable)
        return facet_fail_memory(error, count * sizeof *usable);
    for (uint32_t i = 0; i < count && !status; i++)
        status = collect(&c, &scene->images[i], &usable[i]);
    if (!status) {
        unlink_textures(&c, usable);
        drop_images(&c, usable);
    }
    facet_arena_release(scene->arena, usable, count, sizeof *usable);
    return status;
}
