/* formats/j3d/file/tex1.c - textures: headers, palettes and images. */
#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/writer.h"
#include "gx/bti_texture.h"
#include "gx/texels.h"

#include "base/arena.h"

#include <facet/gx.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEAD 0x14
#define TEXTURE FACET_BTI_HEADER_SIZE
/* Positions of fields in a texture header. */
#define PALETTE_OFFSET 0x0C
#define IMAGE_OFFSET 0x1C

/* Images can overlap, but a copy of all of them stays linear in the file size. */
#define MAX_SHARED 16

/* -- Runs of texels ----------------------------------------------------- */

/* The bytes of a palette or image that a header refers to. */
typedef struct run {
    uint64_t offset; /* in the section */
    uint64_t size;
    uint32_t texture;
    bool is_palette;
} run;

static int by_offset(const void *a, const void *b)
{
    const run *left = (const run *)a, *right = (const run *)b;
    if (left->offset != right->offset)
        return left->offset < right->offset ? -1 : 1;
    return 0;
}

/* Get the size of a header's image with all of its levels. */
static facet_status image_size(const facet_j3d_reader *reader, const facet_bti_header *header,
                               uint64_t at, uint64_t *size)
{
    facet_gx_block block;
    size_t bytes = 0;
    if (!facet_gx_format_block((facet_gx_format)header->format, &block))
        return facet_j3d_fault(reader, FACET_J3D_TEX1, at, "J3D-TEX1-FORMAT",
                               "%u is not a texture format", (unsigned)header->format);
    if (header->width == 0 || header->height == 0)
        return facet_j3d_fault(reader, FACET_J3D_TEX1, at + 2, "J3D-TEX1-SIZE",
                               "a texture has %u by %u texels", (unsigned)header->width,
                               (unsigned)header->height);
    uint32_t levels = header->level_count ? header->level_count : 1;
    uint32_t limit = facet_gx_level_limit(header->width, header->height);
    facet_status status =
        facet_gx_texture_size((facet_gx_format)header->format, header->width, header->height,
                              levels < limit ? levels : limit, &bytes, reader->error);
    *size = bytes;
    return status;
}

/* True if a header has an image. Some files have only headers: their offsets are 0, or point to the
 * headers or beyond the section. */
static bool has_image(const facet_j3d_reader *reader, uint64_t offset, uint64_t headers_end)
{
    return offset >= headers_end && offset < reader->sections[FACET_J3D_TEX1].size;
}

/* True if an image or palette overlaps the names. HD re-releases removed them, but kept the
 * offsets, which now point to the names or beyond the end. */
static bool is_in_names(const facet_j3d_section *section, uint64_t offset, uint64_t size)
{
    uint32_t names = facet_load_u32be(section->bytes + 0x10);
    return names != 0 && offset >= names && !facet_range_fits(offset, size, 1, section->size);
}

static facet_status add_run(const facet_j3d_reader *reader, uint64_t header, const run *add,
                            run *runs, size_t *run_count)
{
    size_t section_size = reader->sections[FACET_J3D_TEX1].size;
    if (!facet_range_fits(add->offset, add->size, 1, section_size))
        return facet_j3d_fault(
            reader, FACET_J3D_TEX1, header + (add->is_palette ? PALETTE_OFFSET : IMAGE_OFFSET),
            add->is_palette ? "J3D-TEX1-PALETTE" : "J3D-TEX1-DATA",
            "the %s of texture %" PRIu32 " of %" PRIu64
            " bytes runs over the end of the section of %zu bytes",
            add->is_palette ? "palette" : "image", add->texture, add->size, section_size);
    runs[(*run_count)++] = *add;
    return FACET_OK;
}

static facet_status find_runs(const facet_j3d_reader *reader, uint32_t headers, run *runs,
                              size_t *run_count)
{
    const facet_j3d_textures *textures = &reader->document->textures;
    uint64_t end = headers + (uint64_t)textures->count * TEXTURE;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; !status && i < textures->count; i++) {
        const facet_bti_header *header = &textures->items[i].header;
        uint64_t at = headers + (uint64_t)i * TEXTURE;
        run image = {at + header->image_offset, 0, i, false};
        if (header->image_offset == 0 || !has_image(reader, image.offset, end)) {
            facet_j3d_odd(reader, FACET_J3D_TEX1, at + IMAGE_OFFSET, "J3D-TEX1-NO-IMAGE",
                          "texture %" PRIu32 " has a header and no image", i);
            continue;
        }
        status = image_size(reader, header, at, &image.size);
        if (!status && is_in_names(&reader->sections[FACET_J3D_TEX1], image.offset, image.size)) {
            facet_j3d_odd(reader, FACET_J3D_TEX1, at + IMAGE_OFFSET, "J3D-TEX1-NO-IMAGE",
                          "the image of texture %" PRIu32 " would be in the table of names", i);
            continue;
        }
        if (!status)
            status = add_run(reader, at, &image, runs, run_count);
        if (status || facet_gx_palette_limit((facet_gx_format)header->format) == 0)
            continue;
        run palette = {at + header->palette_offset, header->palette_count * 2u, i, true};
        if (header->palette_offset == 0 || palette.size == 0 ||
            is_in_names(&reader->sections[FACET_J3D_TEX1], palette.offset, palette.size))
            facet_j3d_odd(reader, FACET_J3D_TEX1, at + PALETTE_OFFSET, "J3D-TEX1-PALETTE",
                          "texture %" PRIu32 " needs a palette and has none", i);
        else
            status = add_run(reader, at, &palette, runs, run_count);
    }
    return status;
}

/* Keep texels between other runs that no header refers to. SuperBMD writes texels twice if two
 * headers share them. */
static void add_gap(const facet_j3d_section *section, uint64_t begin, uint64_t end,
                    facet_j3d_texels *texels, uint32_t *made)
{
    begin = facet_align_up((size_t)begin, 32);
    if (end > section->size || end < begin + 32 || end % 32 != 0)
        return;
    texels[*made].bytes = section->bytes + begin;
    texels[(*made)++].size = (size_t)(end - begin);
}

/* Make the runs of texels. Headers with the same offset share a run. A run of a palette includes
 * its padding to 32 bytes. */
static facet_status make_texels(facet_j3d_reader *reader, const run *runs, size_t run_count,
                                uint64_t headers_end)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_TEX1];
    facet_j3d_textures *textures = &reader->document->textures;
    facet_status status =
        facet_j3d_make(reader, run_count * 2 + 1, sizeof *textures->texels, &textures->texels);
    uint32_t made = 0;
    uint64_t total = 0, reached = headers_end;
    for (size_t i = 0, next; !status && i < run_count; i = next) {
        uint64_t size = 0;
        add_gap(section, reached, runs[i].offset, textures->texels, &made);
        for (next = i; next < run_count && runs[next].offset == runs[i].offset; next++) {
            facet_j3d_texture *texture = &textures->items[runs[next].texture];
            *(runs[next].is_palette ? &texture->palette : &texture->image) = made;
            size = runs[next].size > size ? runs[next].size : size;
        }
        uint64_t padded = facet_align_up((size_t)size, 32);
        uint64_t end = next < run_count ? runs[next].offset : section->size;
        if (runs[i].offset + padded <= end)
            size = padded;
        textures->texels[made].bytes = section->bytes + runs[i].offset;
        textures->texels[made].size = (size_t)size;
        made++;
        total += size;
        if (runs[i].offset + size > reached)
            reached = runs[i].offset + size;
    }
    if (!status && run_count > 0)
        add_gap(section, reached, facet_load_u32be(section->bytes + 0x10), textures->texels, &made);
    textures->texels_count = made;
    if (!status && total > (uint64_t)section->size * MAX_SHARED)
        status = facet_j3d_fault(reader, FACET_J3D_TEX1, 0x0C, "J3D-TEX1-SHARED",
                                 "images overlap; all together they are more than %d times "
                                 "the section",
                                 MAX_SHARED);
    return status;
}

/* -- Reading ------------------------------------------------------------ */

facet_status facet_j3d_read_tex1(facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_TEX1];
    facet_j3d_textures *textures = &reader->document->textures;
    const uint8_t *headers;
    facet_status status = facet_j3d_need_head(reader, FACET_J3D_TEX1, HEAD, "J3D-TEX1-SIZE");
    if (status)
        return status;
    uint16_t count = facet_load_u16be(section->bytes + 0x08);
    uint32_t at = facet_load_u32be(section->bytes + 0x0C);
    status = facet_j3d_find_table(reader, FACET_J3D_TEX1, 0x0C, count, TEXTURE, "J3D-TEX1-HEADERS",
                                  "headers", &headers);
    if (!status)
        status = facet_j3d_make(reader, count, sizeof *textures->items, &textures->items);
    if (status)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        facet_bti_header_load(headers + (size_t)i * TEXTURE, &textures->items[i].header);
        textures->items[i].image = textures->items[i].palette = FACET_J3D_NO_TEXELS;
    }
    textures->count = count;
    size_t run_limit = (size_t)count * 2, run_count = 0;
    run *runs = facet_arena_allocate(reader->arena, run_limit, sizeof *runs);
    if (!runs)
        return facet_fail_arena(reader->arena, reader->error);
    status = find_runs(reader, at, runs, &run_count);
    if (!status) {
        qsort(runs, run_count, sizeof *runs, by_offset);
        status = make_texels(reader, runs, run_count, at + (uint64_t)count * TEXTURE);
    }
    facet_arena_release(reader->arena, runs, run_limit, sizeof *runs);
    if (!status)
        status = facet_j3d_read_names(reader, FACET_J3D_TEX1, 0x10, &textures->names);
    return status ? status : facet_j3d_check_textures(reader);
}

/* -- Writing ------------------------------------------------------------ */

static bool lies_in(const facet_j3d_stored_section *section, const facet_j3d_texels *texels)
{
    uintptr_t begin = (uintptr_t)section->bytes, at = (uintptr_t)texels->bytes;
    return section->bytes && at >= begin && at - begin <= section->size &&
           texels->size <= section->size - (at - begin);
}

/* Number of bytes of a run before the next one. A run that overlaps the next one, but does not pass
 * its end, was read that way. */
static size_t bytes_before_next(const facet_j3d_writer *writer, uint32_t index)
{
    const facet_j3d_textures *textures = &writer->document->textures;
    const facet_j3d_stored_section *stored = &writer->document->layout.sections[FACET_J3D_TEX1];
    const facet_j3d_texels *texels = &textures->texels[index], *next = texels + 1;
    if (index + 1 == textures->texels_count || !lies_in(stored, texels) || !lies_in(stored, next) ||
        next->bytes <= texels->bytes)
        return texels->size;
    size_t apart = (size_t)(next->bytes - texels->bytes);
    return apart < texels->size && apart % 32 == 0 && apart + next->size >= texels->size
               ? apart
               : texels->size;
}

/* The offset of each run of texels, from the start of the section. */
static uint64_t *place_texels(facet_j3d_writer *writer)
{
    const facet_j3d_textures *textures = &writer->document->textures;
    uint64_t *places = facet_arena_allocate(writer->arena, textures->texels_count, sizeof *places);
    uint64_t at = 0x20 + (uint64_t)textures->count * TEXTURE;
    for (uint32_t i = 0; places && i < textures->texels_count; i++) {
        places[i] = at;
        at += facet_align_up(bytes_before_next(writer, i), 32);
    }
    return places;
}

/* True if every image and palette has the offset of its header. */
static bool stands_as_before(const facet_j3d_textures *textures, const uint64_t *places)
{
    uint64_t at = 0x20;
    for (uint32_t i = 0; i < textures->count; i++, at += TEXTURE) {
        const facet_j3d_texture *t = &textures->items[i];
        if ((t->image != FACET_J3D_NO_TEXELS && places[t->image] - at != t->header.image_offset) ||
            (t->palette != FACET_J3D_NO_TEXELS &&
             places[t->palette] - at != t->header.palette_offset))
            return false;
    }
    return true;
}

/* Write a header; its offsets count from itself. Without a palette, most exporters write the end of
 * the palettes so far, `free`. Others write 0, and SuperBMD an offset in the order of the images.
 * The old offset stays if no texels moved. */
static void put_header(facet_j3d_writer *writer, const facet_j3d_texture *texture,
                       const uint64_t *places, bool as_before, uint64_t *free)
{
    const facet_j3d_texels *texels = writer->document->textures.texels;
    uint64_t at = facet_j3d_writer_position(writer);
    facet_bti_header header = texture->header;
    uint8_t bytes[TEXTURE];
    header.image_offset = 0;
    if (texture->image != FACET_J3D_NO_TEXELS)
        header.image_offset = (uint32_t)(places[texture->image] - at);
    if (texture->palette != FACET_J3D_NO_TEXELS) {
        uint64_t palette = places[texture->palette];
        uint64_t end = palette + facet_align_up(texels[texture->palette].size, 32);
        header.palette_offset = (uint32_t)(palette - at);
        *free = end > *free ? end : *free;
    } else if (header.palette_offset != 0 && !as_before) {
        header.palette_offset = (uint32_t)(*free - at);
    }
    facet_bti_header_store(&header, bytes);
    facet_j3d_put(writer, bytes, sizeof bytes);
}

facet_status facet_j3d_write_tex1(facet_j3d_writer *writer)
{
    const facet_j3d_textures *textures = &writer->document->textures;
    TRY(facet_j3d_fits_u16(writer, textures->count, "J3D-TEX1-HEADERS", "textures"));
    uint64_t *places = place_texels(writer);
    if (!places)
        return facet_fail_arena(writer->arena, writer->error);
    facet_j3d_put_u16(writer, (uint16_t)textures->count);
    facet_j3d_put_u16(writer, 0xFFFF);
    facet_j3d_put_zeros(writer, HEAD - 0x0C);
    facet_j3d_free_offset(writer, 0x0C, textures->count);
    facet_j3d_pad(writer, 32);
    if (textures->count > 0)
        facet_j3d_patch_to_position(writer, 0x0C);
    uint64_t free = 0x20 + (uint64_t)textures->count * TEXTURE;
    bool as_before = stands_as_before(textures, places);
    for (uint32_t i = 0; i < textures->count; i++)
        put_header(writer, &textures->items[i], places, as_before, &free);
    for (uint32_t i = 0; i < textures->texels_count; i++) {
        facet_j3d_put(writer, textures->texels[i].bytes, bytes_before_next(writer, i));
        facet_j3d_pad_zeros(writer, 32);
    }
    return facet_j3d_put_names(writer, &textures->names, 0x10);
}

/* -- One texture -------------------------------------------------------- */

static facet_j3d_texels texels_at(const facet_j3d_textures *textures, uint32_t index)
{
    facet_j3d_texels none = {0};
    return index < textures->texels_count ? textures->texels[index] : none;
}

facet_status facet_j3d_get_texture(const facet_j3d *document, uint32_t index,
                                   facet_gx_texture *texture, facet_error *error)
{
    const facet_j3d_textures *textures = &document->textures;
    if (index >= textures->count)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-TEX1-COUNT", FACET_NO_OFFSET,
                          "texture %" PRIu32 " does not exist; the document has %" PRIu32, index,
                          textures->count);
    const facet_j3d_texture *t = &textures->items[index];
    facet_j3d_texels image = texels_at(textures, t->image);
    facet_j3d_texels palette = texels_at(textures, t->palette);
    return facet_bti_texture(&t->header, image.bytes, image.size, palette.bytes, palette.size,
                             texture, error);
}
