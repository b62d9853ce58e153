/* gx/format.c - names, blocks and sizes of the GX formats. */
#include "base/error.h"
#include "base/size.h"
#include "gx/texels.h"

#include <strings.h>

/* -- Names -------------------------------------------------------------- */

typedef struct format_line {
    const char *name, *other_name;
    uint32_t palette_limit;
    facet_gx_block block;
} format_line;

/* Sorted by number; 7 and 11 to 13 are invalid. */
static const format_line formats[] = {{"I4", NULL, 0, {8, 8, 32}},
                                      {"I8", NULL, 0, {8, 4, 32}},
                                      {"IA4", NULL, 0, {8, 4, 32}},
                                      {"IA8", NULL, 0, {4, 4, 32}},
                                      {"RGB565", NULL, 0, {4, 4, 32}},
                                      {"RGB5A3", NULL, 0, {4, 4, 32}},
                                      {"RGBA32", "RGBA8", 0, {4, 4, 64}},
                                      {NULL, NULL, 0, {0, 0, 0}},
                                      {"C4", "CI4", 16, {8, 8, 32}},
                                      {"C8", "CI8", 256, {8, 4, 32}},
                                      {"C14X2", "CI14X2", 16384, {4, 4, 32}},
                                      {NULL, NULL, 0, {0, 0, 0}},
                                      {NULL, NULL, 0, {0, 0, 0}},
                                      {NULL, NULL, 0, {0, 0, 0}},
                                      {"CMPR", NULL, 0, {8, 8, 32}}};
#define FORMAT_COUNT (sizeof formats / sizeof *formats)

static const char *const palette_names[] = {"IA8", "RGB565", "RGB5A3"};
#define PALETTE_FORMAT_COUNT (sizeof palette_names / sizeof *palette_names)

static const format_line *line_of(facet_gx_format format)
{
    return (size_t)format < FORMAT_COUNT && formats[format].name ? &formats[format] : NULL;
}

const char *facet_gx_format_name(facet_gx_format format)
{
    const format_line *line = line_of(format);
    return line ? line->name : NULL;
}

const char *facet_gx_palette_format_name(facet_gx_palette_format format)
{
    return (size_t)format < PALETTE_FORMAT_COUNT ? palette_names[format] : NULL;
}

uint32_t facet_gx_palette_limit(facet_gx_format format)
{
    const format_line *line = line_of(format);
    return line ? line->palette_limit : 0;
}

bool facet_gx_format_block(facet_gx_format format, facet_gx_block *block)
{
    const format_line *line = line_of(format);
    if (line)
        *block = line->block;
    return line != NULL;
}

/* -- Sizes -------------------------------------------------------------- */

uint32_t facet_gx_level_limit(uint32_t width, uint32_t height)
{
    uint32_t side = width > height ? width : height, count = 1;
    while (side >>= 1)
        count++;
    return count;
}

facet_status facet_gx_texture_size(facet_gx_format format, uint32_t width, uint32_t height,
                                   uint32_t levels, size_t *bytes, facet_error *error)
{
    const format_line *line = line_of(format);
    if (!line)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GX-FORMAT", FACET_NO_OFFSET,
                          "%u is not a texture format (valid: 0-6, 8-10, 14)", (unsigned)format);
    if (width == 0 || height == 0 || width > FACET_GX_LONGEST_SIDE ||
        height > FACET_GX_LONGEST_SIDE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GX-SIZE", FACET_NO_OFFSET,
                          "a texture of %u x %u texels, where each side is 1 to %u", width, height,
                          FACET_GX_LONGEST_SIDE);
    uint32_t limit = facet_gx_level_limit(width, height);
    if (levels > limit)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GX-LEVELS", FACET_NO_OFFSET,
                          "%u mip levels, but %u x %u texels have at most %u", levels, width,
                          height, limit);
    size_t total = 0;
    for (uint32_t i = 0; i < levels; i++) {
        size_t wide = width >> i ? width >> i : 1, high = height >> i ? height >> i : 1, level;
        wide = (wide + line->block.width - 1) / line->block.width;
        high = (high + line->block.height - 1) / line->block.height;
        if (!facet_size_multiply(wide, high, &level) ||
            !facet_size_multiply(level, line->block.bytes, &level) ||
            !facet_size_add(total, level, &total))
            return facet_fail(error, FACET_ERROR_LIMIT, "GX-SIZE", FACET_NO_OFFSET,
                              "a texture of %u x %u texels is too large for this machine", width,
                              height);
    }
    *bytes = total;
    return FACET_OK;
}

/* -- Numbers of names --------------------------------------------------- */

bool facet_gx_format_named(const char *name, facet_gx_format *format)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const format_line *line = &formats[i];
        if (line->name && (strcasecmp(name, line->name) == 0 ||
                           (line->other_name && strcasecmp(name, line->other_name) == 0))) {
            *format = (facet_gx_format)i;
            return true;
        }
    }
    return false;
}

bool facet_gx_palette_format_named(const char *name, facet_gx_palette_format *format)
{
    for (size_t i = 0; i < PALETTE_FORMAT_COUNT; i++) {
        if (strcasecmp(name, palette_names[i]) == 0) {
            *format = (facet_gx_palette_format)i;
            return true;
        }
    }
    return false;
}
