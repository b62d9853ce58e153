/* formats/j3d/check/textures.c - TEX1: headers, palettes and images. */
#include "formats/j3d/check/check.h"
#include "gx/bti_settings.h"
#include "gx/enumerations.h"
#include "gx/texels.h"

#include <facet/gx.h>
#include <inttypes.h>

#define HEADER FACET_BTI_HEADER_SIZE
#define LOADED_COLORS 256 /* games load 16 or this many colors of a palette */

typedef struct textures {
    uint64_t headers_end; /* in the section */
    facet_tally formats, empty, large, no_image, data, palettes, long_palettes, not_loaded, lods,
        levels, filters, sides, numbers, images_apart, palettes_apart;
} textures;

static void look_at_sampler(const facet_bti_header *header, uint64_t at, textures *t)
{
    uint32_t levels = header->level_count ? header->level_count : 1;
    bool is_known = facet_gx_enumeration_name(&facet_gx_wraps, header->wrap_s) &&
                    facet_gx_enumeration_name(&facet_gx_wraps, header->wrap_t) &&
                    facet_gx_enumeration_name(&facet_gx_filters, header->min_filter) &&
                    header->mag_filter <= 1 &&
                    facet_gx_enumeration_name(&facet_gx_anisotropies, header->max_anisotropy);
    if (!is_known)
        facet_tally_hit(&t->numbers, at);
    if (header->max_lod != (int32_t)(levels - 1) * 8)
        facet_tally_hit(&t->lods, at + 0x17);
    if (levels > 1 && header->min_filter < 2)
        facet_tally_hit(&t->filters, at + 0x14);
    if (facet_bti_repeats_odd_side(header))
        facet_tally_hit(&t->sides, at + 2);
}

/* Bytes of an image with its levels; 0 if its header is invalid. */
static size_t size_of_image(const facet_bti_header *header)
{
    uint32_t levels = header->level_count ? header->level_count : 1;
    uint32_t limit = facet_gx_level_limit(header->width, header->height);
    size_t size;
    return facet_gx_texture_size((facet_gx_format)header->format, header->width, header->height,
                                 levels < limit ? levels : limit, &size, NULL)
               ? 0
               : size;
}

/* HD re-releases removed images and palettes, but kept the offsets, which now point to the names.
 */
static bool is_in_names(const facet_j3d_section *section, uint64_t offset, uint64_t size)
{
    uint32_t names = facet_load_u32be(section->bytes + 0x10);
    return names != 0 && offset >= names && !facet_range_fits(offset, size, 1, section->size);
}

static bool has_image(const facet_j3d_checker *c, const facet_bti_header *header, uint64_t at,
                      const textures *t)
{
    const facet_j3d_section *section = &c->sections[FACET_J3D_TEX1];
    uint64_t offset = at + header->image_offset;
    return header->image_offset != 0 && offset >= t->headers_end && offset < section->size &&
           !is_in_names(section, offset, size_of_image(header));
}

static void look_at_palette(facet_j3d_checker *c, const facet_bti_header *header, uint64_t at,
                            textures *t)
{
    uint64_t offset = at + header->palette_offset, size = header->palette_count * 2u;
    uint32_t limit = facet_gx_palette_limit((facet_gx_format)header->format);
    if (limit == 0)
        return;
    /* Without an image, a palette is not needed. */
    if (!has_image(c, header, at, t) && is_in_names(&c->sections[FACET_J3D_TEX1], offset, size))
        return;
    if (!facet_gx_enumeration_name(&facet_gx_palette_formats, header->palette_format))
        facet_tally_hit(&t->numbers, at + 9);
    if (header->palette_offset == 0 || size == 0 ||
        !facet_range_fits(offset, size, 1, c->sections[FACET_J3D_TEX1].size))
        facet_tally_hit(&t->palettes, at + 0x0C);
    else if (header->has_palette != 1)
        facet_tally_hit(&t->not_loaded, at + 8);
    else if (header->palette_count > LOADED_COLORS)
        facet_tally_hit(&t->long_palettes, at + 0x0A);
    if (header->palette_offset != 0 && size > 0)
        facet_j3d_look_at_alignment(c, FACET_J3D_TEX1, offset, &t->palettes_apart);
    if (offset < c->sections[FACET_J3D_TEX1].size && size > 0)
        facet_j3d_note_used(c, FACET_J3D_TEX1, offset, facet_align_up((size_t)size, 32));
}

static void look_at_image(facet_j3d_checker *c, const facet_bti_header *header, uint64_t at,
                          textures *t)
{
    const facet_j3d_section *section = &c->sections[FACET_J3D_TEX1];
    uint64_t offset = at + header->image_offset;
    uint32_t levels = header->level_count ? header->level_count : 1;
    size_t size = size_of_image(header);
    if (levels > facet_gx_level_limit(header->width, header->height))
        facet_tally_hit(&t->levels, at + 0x18);
    bool fits = size > 0 && facet_range_fits(offset, size, 1, section->size);
    if (!fits)
        facet_tally_hit(&t->data, at + 0x1C);
    else
        facet_j3d_note_used(c, FACET_J3D_TEX1, offset, size);
    if (fits)
        facet_j3d_look_at_alignment(c, FACET_J3D_TEX1, offset, &t->images_apart);
}

static void say_textures(facet_j3d_checker *c, const textures *t)
{
    const facet_j3d_section_kind kind = FACET_J3D_TEX1;
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &t->formats, "J3D-TEX1-FORMAT",
                        "a texture is of an unknown format");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &t->empty, "J3D-TEX1-SIZE",
                        "the width or height of a texture is 0");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t->large, "J3D-TEX1-SIZE",
                        "a texture has more than 1024 texels in a row or column");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t->no_image, "J3D-TEX1-NO-IMAGE",
                        "a texture has a header and no image");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &t->data, "J3D-TEX1-DATA",
                        "the image of a texture runs over the end of the section");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &t->palettes, "J3D-TEX1-PALETTE",
                        "a texture needs a palette, and has none inside the section");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t->not_loaded, "J3D-TEX1-PALETTE-FLAG",
                        "an indexed texture is marked as having no palette");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t->long_palettes,
                        "J3D-TEX1-PALETTE-COUNT",
                        "a texture has a palette of more than 256 colors");
    facet_j3d_say_alignment(c, FACET_SEVERITY_ERROR, kind, &t->palettes_apart,
                            "the palette of a texture");
    facet_j3d_say_alignment(c, FACET_SEVERITY_ERROR, kind, &t->images_apart,
                            "the image of a texture");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t->lods, "J3D-TEX1-LOD",
                        "the highest level of detail is not 8 times the levels after the first");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t->levels, "J3D-TEX1-LEVELS",
                        "a texture has more levels than its size has, down to 1 x 1");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t->filters, "J3D-TEX1-FILTER",
                        "a texture has several levels and a filter that uses only the first");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t->sides, "TEX1-SIDES",
                        "a texture repeats along a side that is not a power of two");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t->numbers, "J3D-TEX1-NUMBER",
                        "a wrap mode, filter, anisotropy or palette format is unknown");
}

void facet_j3d_check_tex1(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_TEX1;
    textures t = {0};
    if (!facet_j3d_has_head(c, kind, 0x14, "J3D-TEX1-SIZE"))
        return;
    const uint8_t *bytes = c->sections[kind].bytes;
    c->texture_count = facet_load_u16be(bytes + 0x08);
    facet_j3d_look_at_names(c, kind, 0x10, c->texture_count);
    const uint8_t *headers = facet_j3d_check_records(c, kind, 0x0C, c->texture_count, HEADER,
                                                     "J3D-TEX1-HEADERS", "headers");
    if (!headers)
        return;
    t.headers_end = facet_j3d_offset_of(c, kind, headers) + (uint64_t)c->texture_count * HEADER;
    for (uint32_t i = 0; i < c->texture_count; i++) {
        facet_bti_header header;
        facet_gx_block block;
        uint64_t at = facet_j3d_offset_of(c, kind, headers) + (uint64_t)i * HEADER;
        facet_bti_header_load(headers + (size_t)i * HEADER, &header);
        look_at_sampler(&header, at, &t);
        if (!has_image(c, &header, at, &t))
            facet_tally_hit(&t.no_image, at + 0x1C);
        if (!facet_gx_format_block((facet_gx_format)header.format, &block)) {
            facet_tally_hit(&t.formats, at);
            continue;
        }
        look_at_palette(c, &header, at, &t);
        if (header.width == 0 || header.height == 0) {
            facet_tally_hit(&t.empty, at + 2);
            continue;
        }
        if (header.width > 1024 || header.height > 1024)
            facet_tally_hit(&t.large, at + 2);
        if (has_image(c, &header, at, &t))
            look_at_image(c, &header, at, &t);
    }
    say_textures(c, &t);
}
