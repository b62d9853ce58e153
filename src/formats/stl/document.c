/* formats/stl/document.c - shared functions for STL documents, and the meaning of their bytes. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "base/text.h"
#include "formats/stl/stl.h"

#include <inttypes.h>
#include <string.h>

/* -- Encoding ---------------------------------------------------------- */

bool facet_stl_is_binary(const facet_source *source)
{
    if (source->size < FACET_STL_PREFIX_SIZE)
        return false;
    uint32_t count = facet_load_u32le(source->data + FACET_STL_HEADER_SIZE);
    uint64_t left = source->size - FACET_STL_PREFIX_SIZE;
    return left == (uint64_t)count * FACET_STL_RECORD_SIZE ||
           (!facet_stl_is_ascii(source) && facet_range_fits(0, count, FACET_STL_RECORD_SIZE, left));
}

bool facet_stl_is_ascii(const facet_source *source)
{
    static const uint8_t mark[3] = {0xEF, 0xBB, 0xBF};
    size_t at = source->size >= 3 && memcmp(source->data, mark, 3) == 0 ? 3 : 0;
    while (at < source->size && (source->data[at] == ' ' || source->data[at] == '\t' ||
                                 source->data[at] == '\r' || source->data[at] == '\n'))
        at++;
    if (source->size - at < 5)
        return false;
    for (size_t i = 0; i < 5; i++) {
        if ((source->data[at + i] | 0x20) != "solid"[i])
            return false;
    }
    /* A binary header is padded with zeros, or zeros follow it; text has no zeros. */
    return !facet_is_binary(source);
}

/* -- Triangles ---------------------------------------------------------- */

facet_stl_triangle facet_stl_get(const facet_stl *stl, uint32_t index)
{
    const uint8_t *at = stl->triangles + (size_t)index * FACET_STL_RECORD_SIZE;
    facet_stl_triangle triangle;
    for (size_t i = 0; i < 3; i++)
        triangle.normal[i] = facet_load_f32le(at + i * 4);
    for (size_t i = 0; i < 9; i++)
        triangle.corners[i / 3][i % 3] = facet_load_f32le(at + 12 + i * 4);
    triangle.attributes = facet_load_u16le(at + 48);
    return triangle;
}

void facet_stl_put(uint8_t record[FACET_STL_RECORD_SIZE], const facet_stl_triangle *triangle)
{
    for (size_t i = 0; i < 3; i++)
        facet_store_f32le(record + i * 4, triangle->normal[i]);
    for (size_t i = 0; i < 9; i++)
        facet_store_f32le(record + 12 + i * 4, triangle->corners[i / 3][i % 3]);
    facet_store_u16le(record + 48, triangle->attributes);
}

const uint8_t *facet_stl_header_value(const facet_stl *stl, const char *word, size_t size)
{
    size_t length = strlen(word);
    for (size_t at = 0; at + length + size <= FACET_STL_HEADER_SIZE; at++) {
        if (memcmp(stl->header + at, word, length) == 0)
            return stl->header + at + length;
    }
    return NULL;
}

const uint8_t *facet_stl_material(const facet_stl *stl)
{
    return facet_stl_header_value(stl, "MATERIAL=", 12);
}

bool facet_stl_color(const facet_stl *stl, uint16_t attributes, float rgb[3])
{
    bool marked = (attributes & 0x8000) != 0;
    if (stl->colors == FACET_STL_COLORS_NONE || (stl->colors == FACET_STL_COLORS_VISCAM && !marked))
        return false;
    if (stl->colors == FACET_STL_COLORS_MATERIALISE && marked) {
        for (int i = 0; i < 3; i++)
            rgb[i] = (float)stl->object_color[i] / 255;
        return true;
    }
    for (int i = 0; i < 3; i++) {
        int shift = stl->colors == FACET_STL_COLORS_VISCAM ? 10 - 5 * i : 5 * i;
        rgb[i] = (float)(attributes >> shift & 31) / 31;
    }
    return true;
}

/* -- Documents ---------------------------------------------------------- */

facet_status facet_stl_create(const facet_options *options, facet_stl **document,
                              facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_stl *stl = facet_arena_allocate_zeroed(arena, 1, sizeof *stl);
    if (!stl) {
        return facet_arena_abandon(arena, error);
    }
    stl->arena = arena;
    *document = stl;
    return FACET_OK;
}

void facet_stl_free(facet_stl *document)
{
    if (document)
        facet_arena_free(document->arena);
}

facet_status facet_stl_check_document(const facet_stl *stl, facet_error *error)
{
    const char *fault = NULL;
    if (stl->triangle_count > 0 && !stl->triangles)
        fault = "the triangles are missing";
    if (stl->encoding != FACET_STL_BINARY && stl->encoding != FACET_STL_ASCII)
        fault = "the encoding is unknown";
    if (stl->solid_count > 0 && !stl->solids)
        fault = "the solids are missing";
    uint32_t next = 0;
    for (uint32_t i = 0; i < stl->solid_count && !fault; i++) {
        const facet_stl_solid *solid = &stl->solids[i];
        if (!solid->name)
            fault = "a solid's name is NULL";
        else if (solid->first_triangle != next ||
                 solid->triangle_count > stl->triangle_count - next)
            fault = "a solid does not begin where the one before ends, or has too many triangles";
        next += solid->triangle_count;
    }
    if (!fault && stl->solid_count > 0 && next != stl->triangle_count)
        fault = "the solids have fewer triangles than there are";
    return fault ? facet_fail(error, FACET_ERROR_ARGUMENT, "STL-DOCUMENT", FACET_NO_OFFSET,
                              "invalid STL document: %s", fault)
                 : FACET_OK;
}
