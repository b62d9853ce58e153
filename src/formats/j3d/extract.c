/* formats/j3d/extract.c - extraction of files from a model or material file: every texture as PNG
 * and BTI, and materials, textures and hierarchy as JSON. */
#include "formats/j3d/format.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/patch/replace.h"
#include "formats/j3d/scene/to_scene/texture.h"

#include <facet/image.h>
#include <inttypes.h>
#include <string.h>

typedef struct extraction {
    const facet_j3d *document;
    const facet_options *options;
    const facet_extractor *to;
    facet_error *error;
    facet_scene *scene; /* owns the images */
    facet_j3d_naming naming;
    uint32_t *image_of;
    facet_output **pngs; /* per image, once a texture has used it */
    uint64_t space;      /* bytes of texture files that can still be written */
    facet_tally left_out;
} extraction;

static facet_status put(const extraction *x, const char *name, const void *data, size_t size)
{
    return x->to->put(x->to->user, name, data, size, x->error);
}

/* -- Names -------------------------------------------------------------- */

static const char *file_name(const extraction *x, uint32_t texture, const char *extension)
{
    uint32_t before = texture < x->document->textures.names.count ? x->naming.textures[texture] : 0;
    return facet_j3d_texture_file(x->document, texture, before, extension, x->scene->arena);
}

/* -- Textures ----------------------------------------------------------- */

/* Textures that share texels become separate files, up to a limit. */
static bool takes(extraction *x, uint32_t texture, uint64_t size)
{
    if (size > x->space) {
        facet_tally_hit(&x->left_out, texture);
        return false;
    }
    x->space -= size;
    return true;
}

static facet_status put_png(extraction *x, uint32_t texture)
{
    const facet_allocator *allocator = x->options ? x->options->allocator : NULL;
    uint32_t image = x->image_of[texture];
    const char *name = file_name(x, texture, ".png");
    facet_status status = name ? FACET_OK : facet_fail_arena(x->scene->arena, x->error);
    if (!status && !x->pngs[image]) {
        status = facet_output_open_memory(allocator, &x->pngs[image], x->error);
        if (!status)
            status = facet_image_encode(x->scene->images[image], "image/png", 0, x->options,
                                        x->pngs[image], x->error);
        if (!status)
            status = facet_output_commit(x->pngs[image], x->error);
    }
    if (status || !takes(x, texture, facet_output_size(x->pngs[image])))
        return status;
    return put(x, name, facet_output_data(x->pngs[image]),
               (size_t)facet_output_size(x->pngs[image]));
}

static facet_j3d_texels texels_at(const facet_j3d_textures *textures, uint32_t index)
{
    facet_j3d_texels none = {0};
    return index < textures->texels_count ? textures->texels[index] : none;
}

/* Write header, palette and image, each at a multiple of 32 bytes. */
static facet_status put_bti(extraction *x, uint32_t texture)
{
    const facet_j3d_texture *t = &x->document->textures.items[texture];
    facet_j3d_texels image = texels_at(&x->document->textures, t->image);
    facet_j3d_texels palette = texels_at(&x->document->textures, t->palette);
    facet_bti_header header = t->header;
    size_t at = FACET_BTI_HEADER_SIZE + facet_align_up(palette.size, 32);
    size_t size = at + image.size;
    if (!takes(x, texture, size))
        return FACET_OK;
    const char *name = file_name(x, texture, ".bti");
    uint8_t *bytes = facet_arena_allocate_zeroed(x->scene->arena, size, 1);
    if (!name || !bytes)
        return facet_fail_arena(x->scene->arena, x->error);
    header.palette_offset = palette.size ? FACET_BTI_HEADER_SIZE : 0;
    header.image_offset = image.size ? (uint32_t)at : 0;
    facet_bti_header_store(&header, bytes);
    if (palette.size)
        memcpy(bytes + FACET_BTI_HEADER_SIZE, palette.bytes, palette.size);
    if (image.size)
        memcpy(bytes + at, image.bytes, image.size);
    facet_status status = put(x, name, bytes, size);
    facet_arena_release(x->scene->arena, bytes, size, 1);
    return status;
}

static facet_status put_textures(extraction *x)
{
    uint32_t count = x->document->textures.count;
    facet_arena *arena = x->scene->arena;
    facet_status status = facet_j3d_naming_make(x->document, arena, &x->naming)
                              ? facet_j3d_scene_images(x->document, &x->naming, x->scene, arena,
                                                       &x->image_of, x->options, x->error)
                              : facet_fail_arena(arena, x->error);
    if (status)
        return status;
    x->pngs = facet_arena_allocate_zeroed(arena, x->scene->image_count, sizeof *x->pngs);
    if (!x->pngs)
        return facet_fail_arena(arena, x->error);
    x->space = facet_j3d_texture_capacity(&x->document->textures);
    for (uint32_t i = 0; i < count && !status; i++) {
        status = put_png(x, i);
        if (!status)
            status = put_bti(x, i);
    }
    for (uint32_t i = 0; i < x->scene->image_count; i++)
        facet_output_free(x->pngs[i]);
    facet_report_add_tally(x->options ? x->options->report : NULL, "LOSS-IMAGES",
                           FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &x->left_out,
                           "texture %" PRIu64
                           " is left out: headers share texels; all files together are too large",
                           x->left_out.first);
    return status;
}

/* -- JSON --------------------------------------------------------------- */

static facet_status put_text(const extraction *x, const char *name, const char *text)
{
    return text ? put(x, name, text, strlen(text)) : facet_fail_arena(x->scene->arena, x->error);
}

/* Write the materials. Slots with one entry become separate text, a hundred times larger than in
 * the file. Real files have up to 66 slots, and up to 33 per entry. */
static facet_status put_materials(const extraction *x)
{
    const facet_j3d_materials *materials = &x->document->materials;
    if (materials->slot_count > 2048 + (uint64_t)materials->entry_count * 64) {
        facet_report_add(x->options ? x->options->report : NULL, "LOSS-MATERIALS",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "materials.json is left out: %" PRIu32 " materials share %" PRIu32
                         " entries",
                         materials->slot_count, materials->entry_count);
        return FACET_OK;
    }
    return put_text(x, "materials.json", facet_j3d_materials_json(x->document, x->scene->arena));
}

static facet_status put_all(extraction *x)
{
    facet_arena *arena = x->scene->arena;
    const facet_j3d *document = x->document;
    facet_status status = FACET_OK;
    if (document->has_textures)
        status = put_textures(x);
    if (!status && document->has_textures)
        status = put_text(x, "textures.json", facet_j3d_textures_json(document, arena));
    if (!status && document->has_materials)
        status = put_materials(x);
    if (!status && document->has_hierarchy)
        status = put_text(x, "hierarchy.json", facet_j3d_hierarchy_json(document, arena));
    return status;
}

facet_status facet_j3d_extract(const facet_source *source, const facet_options *options,
                               const facet_extractor *extractor, facet_error *error)
{
    facet_j3d *document;
    TRY(facet_j3d_read(source, options, &document, error));
    extraction x = {.document = document, .options = options, .to = extractor, .error = error};
    facet_status status = facet_scene_create(options, &x.scene, error);
    if (!status)
        status = put_all(&x);
    facet_scene_free(x.scene);
    facet_j3d_free(document);
    return status;
}
