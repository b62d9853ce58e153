/* formats/assimp/file/materials_x.c - meshes without a material in an X file. assimp gives them the
 * first material of the file. This one becomes FACET_ASSIMP_NO_MATERIAL. */
#include "base/bytes.h"
#include "formats/assimp/file/file.h"
#include "formats/assimp/file/scan.h"

#include <string.h>

/* Magic, version, format, and bits of a float, as in "xof 0303bin 0032". */
enum { HEADER = 16 };

/* A white material: the color with its alpha, the power, and two black colors. It has no line end,
 * because assimp names materials without a name by their lines. */
static const char text[] =
    "Material " FACET_ASSIMP_NO_MATERIAL " {1.0;1.0;1.0;1.0;;0.0;0.0;0.0;0.0;;0.0;0.0;0.0;;} ";

/* Tokens of the binary format: two bytes each. */
enum { TOKEN_NAME = 1, TOKEN_FLOATS = 7, TOKEN_OPEN = 10, TOKEN_CLOSE = 11 };

static uint8_t *put_name(uint8_t *to, const char *name)
{
    size_t size = strlen(name);
    facet_store_u16le(to, TOKEN_NAME);
    facet_store_u32le(to + 2, (uint32_t)size);
    memcpy(to + 6, name, size);
    return to + 6 + size;
}

/* Write the material in the binary format. Returns its size. */
static size_t put_binary(uint8_t *to, bool is_wide)
{
    const uint8_t *begin = to;
    to = put_name(to, "Material");
    to = put_name(to, FACET_ASSIMP_NO_MATERIAL);
    facet_store_u16le(to, TOKEN_OPEN);
    facet_store_u16le(to + 2, TOKEN_FLOATS);
    facet_store_u32le(to + 4, 11);
    to += 8;
    for (int i = 0; i < 11; i++) { /* 1 or 0, as a float or a double */
        if (is_wide)
            facet_store_u32le(to, 0);
        to += is_wide ? 4 : 0;
        facet_store_u32le(to, i >= 4 ? 0 : is_wide ? 0x3FF00000 : 0x3F800000);
        to += 4;
    }
    facet_store_u16le(to, TOKEN_CLOSE);
    return (size_t)(to + 2 - begin);
}

facet_status facet_assimp_add_x_material(const uint8_t **data, size_t *size, facet_arena *scratch,
                                         facet_error *error)
{
    const uint8_t *from = *data;
    uint8_t material[200];
    if (*size < HEADER || memcmp(from, "xof ", 4) != 0)
        return FACET_OK;
    bool is_text = memcmp(from + 8, "txt ", 4) == 0;
    if (!is_text && memcmp(from + 8, "bin ", 4) != 0)
        return FACET_OK;
    /* assimp skips the rest of the first line of a text. */
    const uint8_t *line = is_text ? memchr(from + HEADER, '\n', *size - HEADER) : NULL;
    if (is_text && !line)
        return FACET_OK;
    size_t before = is_text ? (size_t)(line + 1 - from) : HEADER;
    size_t added = sizeof text - 1;
    if (is_text)
        memcpy(material, text, added);
    else
        added = put_binary(material, memcmp(from + 12, "0064", 4) == 0);
    uint8_t *made = facet_arena_allocate(scratch, *size + added, 1);
    if (!made)
        return facet_fail_arena(scratch, error);
    memcpy(made, from, before);
    memcpy(made + before, material, added);
    if (*size > before)
        memcpy(made + before + added, from + before, *size - before);
    *data = made;
    *size += added;
    return FACET_OK;
}
