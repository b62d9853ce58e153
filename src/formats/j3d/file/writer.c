/* formats/j3d/file/writer.c - shared code of the section writers: bytes, padding, and numbers that
 * are known later. */
#include "formats/j3d/file/writer.h"

#include <string.h>

uint8_t *facet_j3d_extend(facet_j3d_writer *writer, size_t size)
{
    if (writer->failed)
        return NULL;
    if (size > writer->space - writer->size) {
        size_t needed, space;
        uint8_t *grown = NULL;
        if (facet_size_add(writer->size, size, &needed) && needed <= SIZE_MAX / 2) {
            space = needed < writer->space * 2 ? writer->space * 2 : needed;
            grown = facet_arena_resize(writer->arena, writer->bytes, writer->space, space, 1);
        }
        if (!grown) {
            writer->failed = true;
            return NULL;
        }
        writer->bytes = grown;
        writer->space = space;
    }
    uint8_t *at = writer->bytes + writer->size;
    writer->size += size;
    return at;
}

void facet_j3d_put(facet_j3d_writer *writer, const void *bytes, size_t size)
{
    uint8_t *at = size > 0 ? facet_j3d_extend(writer, size) : NULL;
    if (at)
        memcpy(at, bytes, size);
}

void facet_j3d_put_zeros(facet_j3d_writer *writer, size_t size)
{
    uint8_t *at = facet_j3d_extend(writer, size);
    if (at)
        memset(at, 0, size);
}

static size_t missing(const facet_j3d_writer *writer, size_t alignment)
{
    size_t place = facet_j3d_writer_position(writer);
    return facet_align_up(place, alignment) - place;
}

/* Remember bytes of the section that nothing reads. */
static void open_gap_at(facet_j3d_writer *writer, size_t begin, size_t size)
{
    if (size == 0 || writer->failed)
        return;
    if (writer->gap_count == writer->gap_space) {
        size_t space = writer->gap_space > 0 ? writer->gap_space * 2 : 64;
        facet_j3d_gap *grown = facet_arena_resize(writer->arena, writer->gaps, writer->gap_space,
                                                  space, sizeof *grown);
        if (!grown) {
            writer->failed = true;
            return;
        }
        writer->gaps = grown;
        writer->gap_space = space;
    }
    writer->gaps[writer->gap_count].begin = begin;
    writer->gaps[writer->gap_count++].size = size;
}

static void open_gap(facet_j3d_writer *writer, size_t size)
{
    open_gap_at(writer, facet_j3d_writer_position(writer), size);
}

void facet_j3d_free_offset(facet_j3d_writer *writer, size_t field, size_t count)
{
    if (count == 0)
        open_gap_at(writer, field, 4);
}

void facet_j3d_pad(facet_j3d_writer *writer, size_t alignment)
{
    const facet_j3d_quirks *layout = &writer->document->layout;
    size_t size = missing(writer, alignment), known = layout->padding_size;
    open_gap(writer, size);
    if (known == 0) {
        facet_j3d_put(writer, FACET_J3D_PADDING, size);
        return;
    }
    /* Repeat a text that is shorter than the padding. */
    for (size_t part; size > 0; size -= part) {
        part = size < known ? size : known;
        facet_j3d_put(writer, layout->padding, part);
    }
}

void facet_j3d_pad_zeros(facet_j3d_writer *writer, size_t alignment)
{
    size_t size = missing(writer, alignment);
    open_gap(writer, size);
    facet_j3d_put_zeros(writer, size);
}

bool facet_j3d_keep_padding(facet_j3d_writer *writer, const facet_j3d_stored_section *stored)
{
    size_t size = facet_j3d_writer_position(writer), at = 0;
    uint8_t *made = writer->bytes + writer->section;
    if (writer->failed || !stored->bytes || stored->size != size)
        return false;
    for (size_t i = 0; i <= writer->gap_count; i++) {
        size_t end = i < writer->gap_count ? writer->gaps[i].begin : size;
        if (memcmp(made + at, stored->bytes + at, end - at) != 0)
            return false;
        at = i < writer->gap_count ? end + writer->gaps[i].size : size;
    }
    memcpy(made, stored->bytes, size);
    return true;
}

void facet_j3d_patch(facet_j3d_writer *writer, size_t at, uint32_t value)
{
    if (!writer->failed)
        facet_store_u32be(writer->bytes + writer->section + at, value);
}

void facet_j3d_patch_to_position(facet_j3d_writer *writer, size_t at)
{
    /* A complete section is checked for the limit of 4 GiB. */
    facet_j3d_patch(writer, at, (uint32_t)facet_j3d_writer_position(writer));
}

facet_status facet_j3d_fits_u16(const facet_j3d_writer *writer, size_t count, const char *rule,
                                const char *what)
{
    if (count <= UINT16_MAX)
        return FACET_OK;
    return facet_fail(writer->error, FACET_ERROR_LIMIT, rule, FACET_NO_OFFSET,
                      "there are %zu %s; the format holds 65,535", count, what);
}
