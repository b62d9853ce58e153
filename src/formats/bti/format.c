/* formats/bti/format.c - BTI's line in the format table. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/bti/describe.h"
#include "formats/bti/settings.h"
#include "gx/json/text.h"
#include "gx/json/texture.h"
#include "gx/texels.h"
#include "image/image.h"
#include "scene/document.h"

#include <facet/bti.h>
#include <facet/image.h>
#include <string.h>
#include <strings.h>

/* -- Detection ---------------------------------------------------------- */

static bool is_named(const facet_source *source)
{
    const char *dot = source->name ? strrchr(source->name, '.') : NULL;
    return dot && strcasecmp(dot, ".bti") == 0;
}

/* Detect a file without magic number: its texels are complete and every field of the header is
 * valid, or its name decides. */
static int probe(const facet_source *source)
{
    if (source->size < FACET_BTI_HEADER_SIZE)
        return 0;
    facet_bti document = {.data = source->data + FACET_BTI_HEADER_SIZE,
                          .size = source->size - FACET_BTI_HEADER_SIZE};
    facet_gx_texture texture;
    facet_bti_header_load(source->data, &document.header);
    const facet_bti_header *h = &document.header;
    bool possible =
        facet_gx_format_name((facet_gx_format)h->format) && h->width > 0 && h->height > 0;
    /* Accept a damaged file, so that its errors are reported. */
    if (facet_bti_get_texture(&document, &texture, NULL))
        return possible && is_named(source) ? 5 : 0;
    bool sane = h->wrap_s <= 2 && h->wrap_t <= 2 && h->has_palette <= 1 && h->has_mipmaps <= 1 &&
                h->edge_lod <= 1 && h->lod_bias_clamp <= 1 && h->max_anisotropy <= 2 &&
                h->min_filter <= 5 && h->mag_filter <= 1 && h->palette_format <= 2 &&
                texture.width <= FACET_GX_HARDWARE_SIDE && texture.height <= FACET_GX_HARDWARE_SIDE;
    bool whole = texture.levels == (h->level_count ? h->level_count : 1u);
    return sane && whole ? 40 : sane || is_named(source) ? 10 : 0;
}

/* -- Scenes and copies -------------------------------------------------- */

FACET_DOCUMENT_READ(bti)

FACET_DOCUMENT_WRITE(bti)

static facet_status copy(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error)
{
    facet_bti *document = NULL;
    TRY(facet_bti_read(source, options, &document, error));
    facet_status status = facet_bti_apply_settings(&document, options, error);
    if (!status)
        status = facet_bti_write(document, options, output, error);
    facet_bti_free(document);
    return status;
}

/* -- Extract ------------------------------------------------------------ */

/* Write the header as textures.json, as for models. */
static facet_status put_json(const facet_bti *document, facet_arena *arena,
                             const facet_extractor *extractor, facet_error *error)
{
    facet_json *list = facet_json_array();
    bool ok = facet_gx_json_append(
        list, facet_gx_json_texture(facet_json_string(document->name), &document->header));
    const char *text = facet_gx_textures_file(facet_gx_json_if(ok, list), arena);
    return text ? extractor->put(extractor->user, "textures.json", text, strlen(text), error)
                : facet_fail_arena(arena, error);
}

/* Write the image, and next to it the header. */
static facet_status extract(const facet_source *source, const facet_options *options,
                            const facet_extractor *extractor, facet_error *error)
{
    facet_scene *scene = NULL;
    facet_bti *document = NULL;
    TRY(facet_bti_read(source, options, &document, error));
    facet_status status = facet_bti_to_scene(document, NULL, options, &scene, error);
    if (!status)
        status = facet_extract_images(scene, options, extractor, error);
    if (!status)
        status = put_json(document, scene->arena, extractor, error);
    facet_scene_free(scene);
    facet_bti_free(document);
    return status;
}

/* -- Line of the table -------------------------------------------------- */

static const char *const extensions[] = {".bti", NULL};

const facet_format facet_format_bti = {
    .name = "bti",
    .title = "GameCube and Wii texture",
    .extensions = extensions,
    .max_texture_side = FACET_GX_HARDWARE_SIDE,
    .probe = probe,
    .image = true,
    .read = read,
    .write = FACET_WRITER(write),
    .check = facet_bti_check,
    .describe = facet_bti_fill_description,
    .copy = FACET_WRITER(copy),
    .extract = FACET_WRITER(extract),
};
