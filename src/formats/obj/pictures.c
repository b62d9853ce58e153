/* formats/obj/pictures.c - embedded images of a scene, written to files next to the OBJ. */
#include "base/arena.h"
#include "base/error.h"
#include "base/output.h"
#include "base/unique.h"
#include "formats/obj/obj.h"

#include <facet/image.h>
#include <string.h>

static const char *extension_of(const char *media_type)
{
    static const char *const types[][2] = {
        {"image/png", "png"},   {"image/jpeg", "jpg"}, {"image/webp", "webp"},
        {"image/avif", "avif"}, {"image/bmp", "bmp"},  {"image/vnd.radiance", "hdr"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(media_type, types[i][0]) == 0)
            return types[i][1];
    }
    return NULL;
}

void facet_obj_mark_images(const facet_scene *scene, bool has_path, bool *marked)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            const facet_texture *texture = scene->materials[i]->maps[map];
            if (texture && texture->has_image && !*texture->path == !has_path &&
                facet_obj_has_map(map))
                marked[texture->image] = true;
        }
    }
}

/* "_" and the name of an image, in characters that every system and MTL accept. */
static const char *suffix_of(facet_arena *arena, facet_unique *known, const facet_image *image,
                             const char *extension)
{
    char *stem = facet_arena_stem(arena, image->name);
    for (char *at = stem; at && *at; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                     (*at >= '0' && *at <= '9') || *at == '-' || *at == '_' || *at == '.';
        if (!plain)
            *at = '_';
    }
    const char *named = stem ? facet_arena_format(arena, "_%.80s", *stem ? stem : "image") : NULL;
    return named ? facet_unique_file(known, named, extension) : NULL;
}

/* Write an image: PNG and JPEG unchanged, other known formats as PNG, the rest unchanged. */
static facet_status write_image(const facet_image *image, const facet_options *options,
                                facet_output *output, bool encodes, facet_error *error)
{
    if (encodes)
        return facet_image_encode(image, "image/png", 0, options, output, error);
    facet_output_write(output, image->data, image->size);
    return FACET_OK;
}

static facet_status write_one(const facet_scene *scene, uint32_t number, facet_unique *known,
                              const facet_options *options, facet_output *output,
                              facet_arena *scratch, const char **name, facet_error *error)
{
    facet_image image = *scene->images[number];
    facet_output *file = NULL;
    facet_error ignored;
    facet_options quiet = options ? *options : (facet_options){0};
    quiet.report = NULL;
    const char *extension = image.data ? extension_of(image.media_type) : NULL;
    bool usual = image.data && (strcmp(image.media_type, "image/png") == 0 ||
                                strcmp(image.media_type, "image/jpeg") == 0);
    if (!image.data && !image.pixels)
        return FACET_OK;
    facet_status decoded = FACET_OK;
    if (!usual && !image.pixels)
        decoded = facet_image_decode(scratch, &image, &quiet, &ignored);
    if (facet_lacks_memory(decoded)) {
        *error = ignored;
        return decoded;
    }
    bool encodes = !usual && image.pixels;
    if (encodes)
        extension = "png";
    const char *suffix = suffix_of(scratch, known, &image, extension ? extension : "image");
    if (!suffix)
        return facet_fail_arena(scratch, error);
    TRY(facet_output_open_sibling(output, suffix, &file, error));
    if (!*facet_output_name(file)) /* a memory output without a name */
        TRY(facet_output_set_name(file, suffix + 1, error));
    *name = facet_arena_string(scratch, facet_output_name(file), strlen(facet_output_name(file)));
    if (!*name)
        return facet_fail_arena(scratch, error);
    return write_image(&image, options, file, encodes, error);
}

facet_status facet_obj_write_pictures(const facet_scene *scene, const facet_options *options,
                                      facet_output *output, facet_arena *scratch,
                                      const char ***names, facet_error *error)
{
    facet_unique known = facet_unique_make(scratch);
    bool *shown = facet_arena_allocate_zeroed(scratch, scene->image_count, sizeof *shown);
    *names = facet_arena_allocate_zeroed(scratch, scene->image_count, sizeof **names);
    if (!shown || !*names)
        return facet_fail_arena(scratch, error);
    facet_obj_mark_images(scene, false, shown);
    for (uint32_t i = 0; i < scene->image_count; i++) {
        if (shown[i])
            TRY(write_one(scene, i, &known, options, output, scratch, &(*names)[i], error));
    }
    return FACET_OK;
}
