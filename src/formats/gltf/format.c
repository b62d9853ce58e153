/* formats/gltf/format.c - the two lines of the format table: the text and the binary
 * container. Either reader reads both. */
#include "scene/format.h"
#include "formats/gltf/file/file.h"
#include "formats/gltf/format.h"

#include <facet/gltf.h>
#include <string.h>

/* Text is a glTF when it is an object that speaks of an "asset" early on, or a
 * small one that does anywhere. */
static int probe_text(const facet_source *source)
{
    static const char word[] = "\"asset\"";
    size_t at = 0, size = source->size;
    if (size >= 3 && memcmp(source->data, "\xEF\xBB\xBF", 3) == 0)
        at = 3;
    while (at < size && strchr(" \t\r\n", source->data[at]) && source->data[at])
        at++;
    if (at == size || source->data[at] != '{')
        return 0;
    size_t most = size < 1 << 16 ? size : 1 << 16;
    for (; at + sizeof word - 1 <= most; at++) {
        if (memcmp(source->data + at, word, sizeof word - 1) == 0)
            return 60;
    }
    return 20;
}

static int probe_binary(const facet_source *source)
{
    return facet_gltf_is_binary(source->data, source->size) ? 100 : 0;
}

static facet_status write_text(const facet_scene *scene, const facet_options *options,
                               facet_output *output, facet_counts *counts, facet_error *error)
{
    (void)counts;
    return facet_gltf_write_text(scene, options, output, error);
}

static facet_status write_binary(const facet_scene *scene, const facet_options *options,
                                 facet_output *output, facet_counts *counts, facet_error *error)
{
    (void)counts;
    return facet_gltf_write_binary(scene, options, output, error);
}

/* Those of the extensions of textures: facet_gltf_pictures. */
static const char *const image_types[] = {"image/webp", "image/avif", "image/vnd-ms.dds",
                                          "image/ktx2", NULL};

static const char *const text_extensions[] = {".gltf", NULL};
static const char *const binary_extensions[] = {".glb", NULL};

const facet_format facet_format_gltf = {
    .name = "gltf",
    .title = "glTF 2.0, JSON text",
    .extensions = text_extensions,
    .levels = true,
    .image_types = image_types,
    .needs = FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX | FACET_NEED_IMAGES |
             FACET_NEED_METERS | FACET_NEED_ALPHA | FACET_NEED_PHYSICAL_MAPS,
    .probe = probe_text,
    .read = facet_gltf_read,
    .write = write_text,
    .check = facet_gltf_check,
    .describe = facet_gltf_fill_description,
};

const facet_format facet_format_glb = {
    .name = "glb",
    .title = "glTF 2.0, binary container",
    .extensions = binary_extensions,
    .levels = true,
    .image_types = image_types,
    .needs = FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX | FACET_NEED_IMAGES |
             FACET_NEED_METERS | FACET_NEED_ALPHA | FACET_NEED_PHYSICAL_MAPS,
    .probe = probe_binary,
    .read = facet_gltf_read,
    .write = write_binary,
    .check = facet_gltf_check,
    .describe = facet_gltf_fill_description,
};
