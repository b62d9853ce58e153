/* formats/gltf/format.c - glTF's two lines of the format table: text and binary container. Both
 * have the same reader. */
#include "scene/format.h"
#include "formats/gltf/file/file.h"
#include "formats/gltf/format.h"

#include <facet/gltf.h>
#include <string.h>
#include <strings.h>

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_blanks(const facet_source *source, size_t at)
{
    while (at < source->size && is_blank(source->data[at]))
        at++;
    return at;
}

/* True for a key "asset" whose value is an object. */
static bool is_asset(const facet_source *source, size_t at)
{
    static const char key[] = "\"asset\"";
    const size_t length = sizeof key - 1;
    if (source->size - at < length || memcmp(source->data + at, key, length) != 0)
        return false;
    at = skip_blanks(source, at + length);
    if (at == source->size || source->data[at] != ':')
        return false;
    at = skip_blanks(source, at + 1);
    return at < source->size && source->data[at] == '{';
}

/* Text is a glTF if it is an object with an asset. A text of 64 KiB or more whose name has an
 * extension other than .gltf must have the asset in its first 64 KiB. */
static int probe_text(const facet_source *source)
{
    size_t size = source->size;
    bool marked = size >= 3 && memcmp(source->data, "\xEF\xBB\xBF", 3) == 0;
    size_t at = skip_blanks(source, marked ? 3 : 0);
    if (at == size || source->data[at] != '{')
        return 0;
    const char *dot = source->name ? strrchr(source->name, '.') : NULL;
    bool named = dot && strcasecmp(dot, ".gltf") == 0;
    size_t most = size < 1 << 16 || named || !dot ? size : 1 << 16;
    while (at < most) {
        if (is_asset(source, at))
            return 60;
        const uint8_t *next = memchr(source->data + at + 1, '"', most - at - 1);
        at = next ? (size_t)(next - source->data) : most;
    }
    return named ? 20 : 0;
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

/* The media types of facet_gltf_pictures. */
static const char *const image_types[] = {"image/webp", "image/avif", "image/vnd-ms.dds",
                                          "image/ktx2", NULL};

static const char *const text_extensions[] = {".gltf", NULL};
static const char *const binary_extensions[] = {".glb", NULL};

static const char *const sets[] = {"extensions", "extensions_required", NULL};

const facet_format facet_format_gltf = {
    .name = "gltf",
    .title = "glTF 2.0, JSON text",
    .extensions = text_extensions,
    .levels = true,
    .image_types = image_types,
    .sets = sets,
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
    .sets = sets,
    .needs = FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX | FACET_NEED_IMAGES |
             FACET_NEED_METERS | FACET_NEED_ALPHA | FACET_NEED_PHYSICAL_MAPS,
    .probe = probe_binary,
    .read = facet_gltf_read,
    .write = write_binary,
    .check = facet_gltf_check,
    .describe = facet_gltf_fill_description,
};
