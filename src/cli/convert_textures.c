/* cli/convert_textures.c - --resize for the pictures of --texture, --add-texture and --texture-dir.
 */
#include "base/arena.h"
#include "base/error.h"
#include "cli/convert.h"
#include "image/image.h"
#include "scene/scene.h"

#include <string.h>

/* Replace the source by a PNG of an image, in the memory of c->pictures. */
static facet_status store_png(const cli_conversion *c, const facet_image *image,
                              facet_source *source, facet_error *error)
{
    facet_output *output = NULL;
    TRY(facet_output_open_memory(c->options.allocator, &output, error));
    facet_status status = facet_image_encode(image, "image/png", 0, &c->options, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    size_t size = status ? 0 : (size_t)facet_output_size(output);
    uint8_t *bytes = facet_arena_allocate(c->pictures->arena, size, 1);
    if (!status && !bytes)
        status = facet_fail_arena(c->pictures->arena, error);
    if (!status) {
        memcpy(bytes, facet_output_data(output), size);
        *source = facet_source_from_memory(bytes, size, source->name);
    }
    facet_output_free(output);
    return status;
}

/* Replace a picture by a PNG with other sides, if they change. */
static facet_status resize(const cli_conversion *c, facet_source *source, facet_error *error)
{
    uint32_t most = facet_format_max_texture_side(c->to);
    facet_image image = {.name = source->name ? source->name : "",
                         .media_type = "",
                         .data = source->data,
                         .size = source->size};
    TRY(facet_image_decode(c->pictures->arena, &image, &c->options, error));
    image.data = NULL;
    image.size = 0;
    uint32_t width = image.width, height = image.height;
    TRY(cli_resize_to_power_of_two(c->pictures, &image, most ? most : UINT32_MAX, error));
    return width == image.width && height == image.height ? FACET_OK
                                                          : store_png(c, &image, source, error);
}

/* True for a file that is stored as it is, with its own size. */
static bool is_bti(const facet_source *source)
{
    size_t length = source->name ? strlen(source->name) : 0;
    return length > 4 && strcmp(source->name + length - 4, ".bti") == 0;
}

/* Open a picture of the folder, and resize it. One that cannot be resized stays; the library
 * reports what is wrong with it. */
static facet_status open_resized(const facet_source *folder, const char *name,
                                 facet_source *sibling, facet_error *error)
{
    const cli_conversion *c = folder->user;
    facet_error ignored;
    TRY(c->given_folder->open_sibling(c->given_folder, name, sibling, error));
    facet_source picture = *sibling;
    if (is_bti(&(facet_source){.name = name}) || resize(c, &picture, &ignored) ||
        picture.data == sibling->data)
        return FACET_OK;
    facet_source_close(sibling);
    *sibling = picture;
    return FACET_OK;
}

facet_status cli_resize_textures(cli_conversion *c, const char **blamed, facet_error *error)
{
    uint32_t count = c->j3d.texture_change_count;
    c->given_folder = c->j3d.texture_folder;
    if (!c->settings->resize || (count == 0 && !c->given_folder))
        return FACET_OK;
    TRY(facet_scene_create(&c->options, &c->pictures, error));
    if (c->given_folder) {
        c->folder = *c->given_folder;
        c->folder.open_sibling = open_resized;
        c->folder.user = c;
        c->j3d.texture_folder = &c->folder;
    }
    facet_j3d_texture_change *changes =
        facet_arena_allocate(c->pictures->arena, count, sizeof *changes);
    if (!changes)
        return facet_fail_arena(c->pictures->arena, error);
    if (count > 0)
        memcpy(changes, c->j3d.texture_changes, count * sizeof *changes);
    for (uint32_t i = 0; i < count; i++) {
        *blamed = changes[i].source.name;
        if (changes[i].level == 0 && !is_bti(&changes[i].source))
            TRY(resize(c, &changes[i].source, error));
    }
    c->j3d.texture_changes = changes;
    return FACET_OK;
}
