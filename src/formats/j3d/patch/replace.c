/* formats/j3d/patch/replace.c - replacement of textures by images and BTI files. */
#include "formats/j3d/patch/replace.h"
#include "base/file.h"
#include "formats/j3d/file/sections.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/json/tables.h"
#include "formats/j3d/patch/packets.h"
#include "gx/bti_settings.h"
#include "gx/bti_texture.h"
#include "gx/equal_image.h"
#include "image/image.h"

#include <facet/image.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIDE 1024

typedef struct replacing {
    facet_j3d *document;
    const facet_options *options;
    facet_error *error;
    facet_arena *scratch;
    bool any; /* the tables of textures are copies */
} replacing;

/* -- Names -------------------------------------------------------------- */

const char *facet_j3d_texture_file(const facet_j3d *document, uint32_t texture, uint32_t before,
                                   const char *ending, facet_arena *arena)
{
    const facet_j3d_names *names = &document->textures.names;
    if (texture >= names->count || !*names->items[texture].bytes)
        return facet_arena_format(arena, "texture-%" PRIu32 "%s", texture, ending);
    size_t length = facet_j3d_name_text(names->items[texture].bytes, NULL, 0);
    char *text = facet_arena_allocate(arena, length + 1, 1);
    if (!text)
        return NULL;
    facet_j3d_name_text(names->items[texture].bytes, text, length + 1);
    if (before == 0)
        return facet_arena_format(arena, "%s%s", text, ending);
    return facet_arena_format(arena, "%s-%" PRIu32 "%s", text, before, ending);
}

static const char *name_of(const replacing *r, uint32_t texture)
{
    const char *name = facet_j3d_texture_file(r->document, texture, 0, "", r->scratch);
    return name ? name : "";
}

static facet_status refuse(const replacing *r, const char *name, const char *what)
{
    char known[200];
    facet_quoted quoted, quoted_list;
    facet_j3d_json_list_names(&r->document->textures.names, known, sizeof known);
    return facet_fail(r->error, FACET_ERROR_ARGUMENT, "J3D-TEXTURE", FACET_NO_OFFSET,
                      "%s '%s'; "
                      "the model has %s",
                      what, facet_quote(&quoted, name, strlen(name)),
                      *known ? facet_quote(&quoted_list, known, strlen(known)) : "none");
}

/* -- Texels ------------------------------------------------------------- */

static facet_status begin(replacing *r)
{
    facet_j3d_textures *t = &r->document->textures;
    if (r->any)
        return FACET_OK;
    r->any = true;
    facet_j3d_texture *items = facet_arena_allocate(r->document->arena, t->count, sizeof *items);
    facet_j3d_texels *texels =
        facet_arena_allocate(r->document->arena, t->texels_count, sizeof *texels);
    if (!items || !texels)
        return facet_fail_arena(r->document->arena, r->error);
    if (t->count > 0)
        memcpy(items, t->items, t->count * sizeof *items);
    if (t->texels_count > 0)
        memcpy(texels, t->texels, t->texels_count * sizeof *texels);
    t->items = items;
    t->texels = texels;
    return FACET_OK;
}

/* True if no other texture uses a run of texels. */
static bool is_alone(const facet_j3d_textures *t, uint32_t texels, uint32_t texture)
{
    for (uint32_t i = 0; i < t->count; i++) {
        if (i != texture && (t->items[i].image == texels || t->items[i].palette == texels))
            return false;
    }
    return texels < t->texels_count;
}

/* Replace a run that only this texture uses, or append the bytes after all others. */
static facet_status put_texels(const replacing *r, uint32_t texture, uint32_t *index,
                               const void *bytes, size_t size, size_t whole)
{
    facet_j3d_textures *t = &r->document->textures;
    if (size == 0) {
        *index = FACET_J3D_NO_TEXELS;
        return FACET_OK;
    }
    uint8_t *kept = facet_arena_allocate_zeroed(r->document->arena, whole, 1);
    if (!kept)
        return facet_fail_arena(r->document->arena, r->error);
    memcpy(kept, bytes, size);
    facet_j3d_texels made = {kept, whole};
    if (is_alone(t, *index, texture)) {
        t->texels[*index] = made;
        return FACET_OK;
    }
    facet_j3d_texels *grown =
        facet_arena_allocate(r->document->arena, (size_t)t->texels_count + 1, sizeof *grown);
    if (!grown)
        return facet_fail_arena(r->document->arena, r->error);
    if (t->texels_count > 0)
        memcpy(grown, t->texels, t->texels_count * sizeof *grown);
    grown[t->texels_count] = made;
    t->texels = grown;
    *index = t->texels_count++;
    return FACET_OK;
}

static facet_status put(replacing *r, uint32_t index, const facet_gx_texture *made,
                        const facet_bti_header *header)
{
    facet_status status = begin(r);
    facet_j3d_texture *texture = &r->document->textures.items[index];
    facet_bti_report_palette(&made->palette, name_of(r, index), "J3D-TEX1-PALETTE-COUNT",
                             r->options);
    if (!status)
        status = put_texels(r, index, &texture->palette, made->palette.entries,
                            (size_t)made->palette.count * 2,
                            facet_align_up((size_t)made->palette.count * 2, 32));
    if (!status)
        status = put_texels(r, index, &texture->image, made->data, made->size, made->size);
    if (!status) {
        /* Some exporters store a palette offset even for textures without palette. */
        uint32_t points = texture->header.palette_offset;
        texture->header = *header;
        texture->header.palette_offset = points;
    }
    return status;
}

/* -- Images ------------------------------------------------------------- */

static bool shows(const replacing *r, uint32_t index, uint32_t level, const facet_image *image)
{
    facet_gx_texture texture;
    facet_error why;
    return !facet_j3d_get_texture(r->document, index, &texture, &why) &&
           facet_gx_texture_equals(r->scratch, &texture, level, image);
}

/* Report an error in a file next to the model: offsets are those of that file. */
static facet_status refuse_file(const replacing *r, const facet_source *source, facet_status status)
{
    const facet_error why = *r->error;
    facet_quoted quoted;
    if (!status || facet_lacks_memory(status))
        return status;
    const char *name = source->name ? source->name : "";
    return facet_fail(r->error, status, "J3D-TEXTURE-FILE", FACET_NO_OFFSET,
                      "the texture file '%s' cannot be used [%s]: %s",
                      facet_quote(&quoted, name, strlen(name)), why.rule, why.message);
}

static facet_status read_picture(const replacing *r, const facet_source *source, facet_image *image)
{
    *image = (facet_image){.name = source->name ? source->name : "",
                           .media_type = "",
                           .data = source->data,
                           .size = source->size};
    return refuse_file(r, source, facet_image_decode(r->scratch, image, r->options, r->error));
}

/* Store an image, with the texture's old format and levels unless the options set them. */
static facet_status put_picture(replacing *r, uint32_t index, const facet_image *image)
{
    const facet_bti_header known = r->document->textures.items[index].header;
    facet_gx_texture_options how;
    facet_gx_texture made;
    facet_bti_header header;
    facet_bti_wanted wanted;
    const char *name = name_of(r, index);
    TRY(facet_bti_encoding(r->options, name, &known, &how, r->error));
    TRY(facet_bti_find_wanted(r->options, name, &wanted, r->error));
    TRY(facet_gx_encode_image(r->scratch, image, &how, r->options, &made, r->error));
    facet_bti_header_for(&made, &known, &header);
    facet_bti_set_sampler(&wanted, &header);
    facet_bti_report_sides(&header, name, "TEX1-SIDES", r->options);
    return put(r, index, &made, &header);
}

/* Store one mip level from a separate image. */
static facet_status put_level(replacing *r, uint32_t index, uint32_t level,
                              const facet_image *image)
{
    facet_gx_texture texture;
    size_t begin_at = 0, end_at = 0;
    TRY(facet_j3d_get_texture(r->document, index, &texture, r->error));
    uint32_t width = texture.width >> level, height = texture.height >> level;
    width = width ? width : 1;
    height = height ? height : 1;
    if (level >= texture.levels || image->width != width || image->height != height)
        return facet_fail(r->error, FACET_ERROR_ARGUMENT, "J3D-TEXTURE", FACET_NO_OFFSET,
                          "level %" PRIu32 " of texture '%s' must have %" PRIu32 " x %" PRIu32
                          " texels, but the picture has %" PRIu32 " x %" PRIu32
                          "; the texture has %" PRIu32 " levels (--mips)",
                          level, name_of(r, index), width, height, image->width, image->height,
                          texture.levels);
    facet_status status = facet_gx_texture_size(texture.format, texture.width, texture.height,
                                                level, &begin_at, r->error);
    if (!status)
        status = facet_gx_texture_size(texture.format, texture.width, texture.height, level + 1,
                                       &end_at, r->error);
    uint8_t *bytes = facet_arena_allocate(r->scratch, texture.size, 1);
    uint8_t *rgba = facet_arena_allocate(r->scratch, (size_t)width * height, 4);
    if (status || !bytes || !rgba)
        return status ? status : facet_fail_arena(r->scratch, r->error);
    for (size_t i = 0; i < (size_t)width * height; i++)
        facet_gx_texel_of(image, i, rgba + i * 4);
    memcpy(bytes, texture.data, texture.size);
    const facet_gx_pixels pixels = {rgba, (size_t)width * 4, width, height};
    const facet_gx_target target = {texture.format, &texture.palette, bytes + begin_at,
                                    end_at - begin_at};
    TRY(facet_gx_encode(&pixels, NULL, r->options, &target, r->error));
    texture.data = bytes;
    const facet_bti_header header = r->document->textures.items[index].header;
    return put(r, index, &texture, &header);
}

/* -- Texture files ------------------------------------------------------ */

static bool is_bti(const facet_source *source)
{
    size_t length = source->name ? strlen(source->name) : 0;
    return length > 4 && strcmp(source->name + length - 4, ".bti") == 0;
}

/* Read a file without changes: its format, sampler and levels. */
static facet_status parse_bti(const replacing *r, const facet_source *source,
                              facet_bti_header *header, facet_gx_texture *texture)
{
    if (source->size < FACET_BTI_HEADER_SIZE)
        return facet_fail(r->error, FACET_ERROR_MALFORMED, "BTI-HEADER", source->size,
                          "the file has %zu bytes, expected at least %d for its header",
                          source->size, FACET_BTI_HEADER_SIZE);
    facet_bti_header_load(source->data, header);
    uint32_t image = header->image_offset, palette = header->palette_offset;
    bool has_palette = palette >= FACET_BTI_HEADER_SIZE && palette < source->size;
    if (image < FACET_BTI_HEADER_SIZE || image >= source->size)
        return facet_fail(r->error, FACET_ERROR_MALFORMED, "BTI-IMAGE", 0x1C,
                          "the image is at 0x%" PRIX32 ", outside of the file", image);
    return facet_bti_texture(header, source->data + image, source->size - image,
                             has_palette ? source->data + palette : NULL,
                             has_palette ? source->size - palette : 0, texture, r->error);
}

static facet_status read_bti(const replacing *r, const facet_source *source,
                             facet_bti_header *header, facet_gx_texture *texture)
{
    return refuse_file(r, source, parse_bti(r, source, header, texture));
}

static bool is_same_bti(const replacing *r, uint32_t index, const facet_bti_header *header,
                        const facet_gx_texture *made)
{
    facet_gx_texture known;
    facet_error why;
    facet_bti_header a = r->document->textures.items[index].header, b = *header;
    uint8_t one[FACET_BTI_HEADER_SIZE], other[FACET_BTI_HEADER_SIZE];
    a.image_offset = a.palette_offset = b.image_offset = b.palette_offset = 0;
    facet_bti_header_store(&a, one);
    facet_bti_header_store(&b, other);
    return memcmp(one, other, sizeof one) == 0 &&
           !facet_j3d_get_texture(r->document, index, &known, &why) && known.size == made->size &&
           memcmp(known.data, made->data, known.size) == 0 &&
           known.palette.count == made->palette.count &&
           (known.palette.count == 0 || memcmp(known.palette.entries, made->palette.entries,
                                               (size_t)known.palette.count * 2) == 0);
}

/* -- One change --------------------------------------------------------- */

static facet_status put_bti(replacing *r, uint32_t index, const facet_source *source, bool *changed)
{
    facet_bti_header header;
    facet_gx_texture texture;
    facet_bti_wanted wanted;
    *changed = false;
    TRY(read_bti(r, source, &header, &texture));
    TRY(facet_bti_find_wanted(r->options, name_of(r, index), &wanted, r->error));
    facet_bti_set_sampler(&wanted, &header);
    *changed = !is_same_bti(r, index, &header, &texture);
    return *changed ? put(r, index, &texture, &header) : FACET_OK;
}

/* Store a file. *changed is true if it differs. `twin` is the encoded form of an image, or NULL. If
 * both show the same, use its bytes, sampler and levels instead of encoding again. */
static facet_status put_file(replacing *r, uint32_t index, uint32_t level,
                             const facet_source *source, const facet_source *twin, bool *changed)
{
    facet_bti_header header;
    facet_gx_texture texture;
    facet_image image;
    facet_error why;
    *changed = false;
    if (is_bti(source) && level == 0)
        return put_bti(r, index, source, changed);
    facet_status status = read_picture(r, source, &image);
    const facet_bti_options *asked = r->options ? r->options->bti : NULL;
    bool is_set =
        asked && level == 0 && (asked->format || asked->levels || asked->wrap || asked->filter);
    *changed = !status && (is_set || !shows(r, index, level, &image));
    if (status || !*changed)
        return status;
    if (level > 0)
        return put_level(r, index, level, &image);
    replacing quiet = *r;
    quiet.error = &why;
    if (twin && !is_set && !read_bti(&quiet, twin, &header, &texture) &&
        facet_gx_texture_equals(r->scratch, &texture, 0, &image))
        return put(r, index, &texture, &header);
    return put_picture(r, index, &image);
}

/* Append a texture. */
static facet_status add(replacing *r, const char *name, uint32_t *index)
{
    facet_j3d_textures *t = &r->document->textures;
    facet_status status = begin(r);
    size_t size = facet_j3d_name_bytes(name, NULL, 0, NULL) + 1;
    facet_j3d_texture *items =
        facet_arena_allocate(r->document->arena, (size_t)t->count + 1, sizeof *items);
    facet_j3d_name *names =
        facet_arena_allocate_zeroed(r->document->arena, (size_t)t->count + 1, sizeof *names);
    char *bytes = facet_arena_allocate(r->document->arena, size, 1);
    if (status || !items || !names || !bytes)
        return status ? status : facet_fail_arena(r->document->arena, r->error);
    if (t->count >= UINT16_MAX - 1)
        return refuse(r, name, "no space for the texture");
    if (t->count > 0)
        memcpy(items, t->items, t->count * sizeof *items);
    for (uint32_t i = 0; i < t->count; i++)
        names[i] = i < t->names.count ? t->names.items[i] : (facet_j3d_name){.bytes = ""};
    facet_j3d_name_bytes(name, bytes, size, NULL);
    names[t->count] = (facet_j3d_name){.bytes = bytes, .hash = facet_j3d_hash(bytes)};
    items[t->count] = (facet_j3d_texture){.header = {.format = 0xFF, .level_count = 1},
                                          .image = FACET_J3D_NO_TEXELS,
                                          .palette = FACET_J3D_NO_TEXELS};
    t->items = items;
    t->names.items = names;
    *index = t->count++;
    t->names.count = t->count;
    r->document->has_textures = true;
    return FACET_OK;
}

/* The size of a new texture determines its sampler. */
static facet_status put_new(replacing *r, uint32_t index, const facet_source *source)
{
    facet_bti_header header;
    facet_gx_texture made;
    facet_gx_texture_options how;
    facet_bti_wanted wanted;
    facet_image image;
    const char *name = name_of(r, index);
    bool changed;
    if (is_bti(source))
        return put_bti(r, index, source, &changed);
    TRY(read_picture(r, source, &image));
    TRY(facet_bti_encoding(r->options, name, NULL, &how, r->error));
    TRY(facet_bti_find_wanted(r->options, name, &wanted, r->error));
    TRY(facet_gx_encode_image(r->scratch, &image, &how, r->options, &made, r->error));
    facet_bti_header_for(&made, NULL, &header);
    facet_bti_set_sampler(&wanted, &header);
    return put(r, index, &made, &header);
}

static facet_status apply(replacing *r, const facet_j3d_texture_change *change)
{
    uint32_t index = facet_j3d_json_find(&r->document->textures.names, change->name);
    bool known = index < r->document->textures.count, changed;
    if (known == change->is_new)
        return refuse(r, change->name,
                      known ? "there is already a texture" : "there is no texture");
    if (!change->is_new)
        return put_file(r, index, change->level, &change->source, NULL, &changed);
    TRY(add(r, change->name, &index));
    return put_new(r, index, &change->source);
}

facet_status facet_j3d_make_texture(facet_j3d *document, const facet_j3d_made_texture *how,
                                    const facet_options *options, uint32_t *index,
                                    facet_error *error)
{
    static const facet_bti_options plain = {0};
    replacing r = {.document = document, .options = options, .error = error};
    facet_options by_header = options ? *options : (facet_options){0};
    facet_bti_options left = by_header.bti ? *by_header.bti : plain;
    facet_bti_header known = how->header ? *how->header : (facet_bti_header){0};
    TRY(facet_arena_create(options, &r.scratch, error));
    facet_status status = FACET_OK;
    if (*index >= document->textures.count)
        status = add(&r, how->name, index);
    if (!status && !how->picture.data) {
        facet_arena_free(r.scratch);
        return status;
    }
    if (!status && !how->header)
        status = put_new(&r, *index, &how->picture);
    if (!status && how->header) {
        /* The header decides; only dithering comes from the options. */
        facet_image image;
        left.format = left.wrap = left.filter = NULL;
        left.setting_count = 0;
        left.levels = how->level_count > 0 ? how->level_count + 1 : known.level_count;
        known.level_count = (uint8_t)left.levels;
        by_header.bti = &left;
        r.options = &by_header;
        status = read_picture(&r, &how->picture, &image);
        if (!status)
            status = begin(&r);
        document->textures.items[*index].header = known;
        if (!status)
            status = put_picture(&r, *index, &image);
    }
    for (uint32_t i = 0; i < how->level_count && !status && how->header; i++) {
        facet_image image;
        status = read_picture(&r, &how->levels[i], &image);
        if (!status)
            status = put_level(&r, *index, i + 1, &image);
    }
    facet_arena_free(r.scratch);
    return status;
}

/* -- A folder ----------------------------------------------------------- */

/* Open a file of the folder; its name is NULL if missing. */
static facet_status open_file(const replacing *r, uint32_t index, uint32_t before,
                              const char *ending, facet_source *file)
{
    const char *name = facet_j3d_texture_file(r->document, index, before, ending, r->scratch);
    facet_error why;
    memset(file, 0, sizeof *file);
    if (!name)
        return facet_fail_arena(r->scratch, r->error);
    if (!facet_source_open_sibling(r->options->j3d->texture_folder, name, file, &why))
        file->name = name;
    else
        memset(file, 0, sizeof *file);
    return FACET_OK;
}

static facet_status put_found(replacing *r, uint32_t index, uint32_t level,
                              const facet_source *file, const facet_source *twin, bool *changed)
{
    facet_status status = put_file(r, index, level, file, twin, changed);
    if (status && r->error) {
        facet_error copy = *r->error;
        status = facet_fail(r->error, copy.status, copy.rule, FACET_NO_OFFSET, "%s: %s", file->name,
                            copy.message);
    }
    return status;
}

/* If an image and a BTI have one name, use the one that differs from the texture. If both differ,
 * use the image, unless it shows the same as the BTI. */
static facet_status apply_files(replacing *r, uint32_t index, uint32_t before, uint32_t *found)
{
    facet_source picture, encoded = {0};
    bool changed = false;
    facet_status status = open_file(r, index, before, ".png", &picture);
    if (!status)
        status = open_file(r, index, before, ".bti", &encoded);
    *found += (picture.name != NULL) + (encoded.name != NULL);
    if (!status && picture.name)
        status = put_found(r, index, 0, &picture, encoded.name ? &encoded : NULL, &changed);
    if (!status && !changed && encoded.name)
        status = put_found(r, index, 0, &encoded, NULL, &changed);
    facet_source_close(&picture);
    facet_source_close(&encoded);
    for (uint32_t level = 1; level < 11 && !status; level++) {
        char ending[24];
        snprintf(ending, sizeof ending, "_mip%" PRIu32 ".png", level);
        status = open_file(r, index, before, ending, &picture);
        if (status || !picture.name)
            break;
        ++*found;
        status = put_found(r, index, level, &picture, NULL, &changed);
        facet_source_close(&picture);
    }
    return status;
}

static facet_status apply_folder(replacing *r, uint32_t *found)
{
    const uint32_t *before = facet_j3d_json_occurrences(&r->document->textures.names, r->scratch);
    facet_status status = before ? FACET_OK : facet_fail_arena(r->scratch, r->error);
    for (uint32_t i = 0; i < r->document->textures.count && !status; i++)
        status = apply_files(r, i, i < r->document->textures.names.count ? before[i] : 0, found);
    return status;
}

/* -- Settings ----------------------------------------------------------- */

static bool has_sampler(const facet_bti_header *a, const facet_bti_header *b)
{
    return a->wrap_s == b->wrap_s && a->wrap_t == b->wrap_t && a->min_filter == b->min_filter &&
           a->mag_filter == b->mag_filter;
}

/* Apply settings to one texture. Encode it again only for another format or other levels. */
static facet_status set_texture(replacing *r, uint32_t index)
{
    const facet_bti_header *known = &r->document->textures.items[index].header;
    facet_bti_header header = *known;
    facet_bti_wanted wanted;
    const char *name = name_of(r, index);
    TRY(facet_bti_find_wanted(r->options, name, &wanted, r->error));
    if (!facet_bti_has_texels(known, &wanted)) {
        facet_gx_texture texture;
        facet_image image = {.name = name};
        TRY(facet_j3d_get_texture(r->document, index, &texture, r->error));
        TRY(facet_gx_decode_image(r->scratch, &texture, r->options, &image, r->error));
        return put_picture(r, index, &image);
    }
    facet_bti_set_sampler(&wanted, &header);
    if (has_sampler(known, &header))
        return FACET_OK;
    facet_bti_report_sides(&header, name, "TEX1-SIDES", r->options);
    TRY(begin(r));
    r->document->textures.items[index].header = header;
    return FACET_OK;
}

/* Apply settings, and wrap modes and filters for all textures. If textures are replaced, the
 * options for all textures are only for those. */
static facet_status apply_settings(replacing *r, bool replaces)
{
    const facet_options *all = r->options;
    facet_bti_options settings = *all->bti;
    facet_options left = *all;
    const facet_j3d_textures *textures = &r->document->textures;
    const char **names = facet_arena_allocate(r->scratch, textures->count, sizeof *names);
    if (!names)
        return facet_fail_arena(r->scratch, r->error);
    settings.format = NULL;
    settings.levels = 0;
    if (replaces)
        settings.wrap = settings.filter = NULL;
    left.bti = &settings;
    r->options = &left;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < textures->count && !status; i++) {
        names[i] = name_of(r, i);
        status = set_texture(r, i);
    }
    r->options = all;
    if (!status)
        facet_bti_report_unused(all, names, textures->count);
    return status;
}

/* -- All changes -------------------------------------------------------- */

static bool has_settings(const facet_options *options)
{
    const facet_bti_options *bti = options ? options->bti : NULL;
    return bti && (bti->wrap || bti->filter || bti->setting_count > 0);
}

facet_status facet_j3d_replace_textures(facet_j3d *document, const facet_options *options,
                                        facet_error *error)
{
    const facet_j3d_options *j3d = options ? options->j3d : NULL;
    replacing r = {.document = document, .options = options, .error = error};
    const facet_j3d before = *document;
    uint32_t found = 0;
    bool has_changes = j3d && (j3d->texture_change_count > 0 || j3d->texture_folder);
    if (!has_settings(options) && !has_changes)
        return FACET_OK;
    TRY(facet_arena_create(options, &r.scratch, error));
    facet_status status = FACET_OK;
    if (j3d && j3d->texture_folder)
        status = apply_folder(&r, &found);
    if (!status && j3d && j3d->texture_folder && found == 0)
        facet_report_add(
            options->report, "J3D-TEXTURE-DIR", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "the folder has no file with the name of a texture of the model, such as '%s.png'",
            document->textures.count > 0 ? name_of(&r, 0) : "NAME");
    for (uint32_t i = 0; j3d && i < j3d->texture_change_count && !status; i++)
        status = apply(&r, &j3d->texture_changes[i]);
    if (!status && has_settings(options))
        status = apply_settings(&r, has_changes);
    if (!status && r.any && document->has_packets)
        status = facet_j3d_patch_packets(document, &before, error);
    facet_arena_free(r.scratch);
    return status;
}
