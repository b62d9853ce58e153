/* image/extract.c - extraction of a scene's images as files. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "image/image.h"

#include <facet/image.h>
#include <string.h>

static const char *extension_of(const char *media_type)
{
    static const char *const table[][2] = {
        {"image/png", ".png"},   {"image/jpeg", ".jpg"},         {"image/bmp", ".bmp"},
        {"image/x-tga", ".tga"}, {"image/vnd.radiance", ".hdr"}, {"image/webp", ".webp"},
        {"image/ktx2", ".ktx2"}, {"image/vnd-ms.dds", ".dds"},   {"image/avif", ".avif"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i][0], media_type) == 0)
            return table[i][1];
    }
    return ".bin";
}

static facet_status put_pixels(const facet_image *image, const char *name, const char *media_type,
                               const facet_options *options, const facet_extractor *extractor,
                               facet_error *error)
{
    facet_output *output = NULL;
    facet_status status =
        facet_output_open_memory(options ? options->allocator : NULL, &output, error);
    if (!status)
        status = facet_image_encode(image, media_type, 0, options, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    if (!status)
        status = extractor->put(extractor->user, name, facet_output_data(output),
                                (size_t)facet_output_size(output), error);
    facet_output_free(output);
    return status;
}

static facet_status put_image(facet_arena *arena, const facet_image *image, uint32_t index,
                              const facet_options *options, const facet_extractor *extractor,
                              facet_error *error)
{
    const char *media_type = image->data       ? image->media_type
                             : image->is_float ? "image/vnd.radiance"
                                               : "image/png";
    const char *extension = extension_of(media_type), *base = image->name;
    size_t length = strlen(base), tail = strlen(extension);
    if (length > tail && strcmp(base + length - tail, extension) == 0)
        length -= tail;
    char *name = length > 0 ? facet_arena_format(arena, "%.*s%s", (int)length, base, extension)
                            : facet_arena_format(arena, "image-%u%s", index + 1, extension);
    if (!name)
        return facet_fail_arena(arena, error);
    if (image->data)
        return extractor->put(extractor->user, name, image->data, image->size, error);
    return put_pixels(image, name, media_type, options, extractor, error);
}

facet_status facet_extract_images(const facet_scene *scene, const facet_options *options,
                                  const facet_extractor *extractor, facet_error *error)
{
    facet_arena *arena = NULL;
    facet_status status = facet_arena_create(options, &arena, error);
    for (uint32_t i = 0; i < scene->image_count && !status; i++) {
        const facet_image *image = scene->images[i];
        if (image->data || image->pixels)
            status = put_image(arena, image, i, options, extractor, error);
        else
            facet_report_add(options ? options->report : NULL, "EXTRACT-EXTERNAL",
                             FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                             "image '%s' is a separate file, '%s'", image->name,
                             image->path ? image->path : "");
    }
    facet_arena_free(arena);
    return status;
}
