/* bpx/write.c - a container of version 0 out of its parts. */
#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "bpx/bpx.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <string.h>

/* Contents below this size are not worth a stream of their own. */
#define LEAST_COMPRESSED 256
#define LEVEL 9

/* One part on its way; tasks do not allocate. */
typedef struct packing {
    const facet_bpx_part *part;
    struct libdeflate_compressor *compressor; /* NULL: stays plain */
    uint8_t *buffer;
    size_t space, size; /* size 0: compressing gained nothing */
} packing;

static void compress_part(void *argument, size_t index)
{
    packing *p = (packing *)argument + index;
    if (p->compressor)
        p->size = libdeflate_zlib_compress(p->compressor, p->part->data, p->part->size, p->buffer,
                                           p->space);
}

static const uint8_t *stored_data(const packing *p)
{
    return p->size > 0 ? p->buffer : p->part->data;
}

static size_t stored_size(const packing *p)
{
    return p->size > 0 ? p->size : p->part->size;
}

/* Space for a result that is smaller, and no more: what does not fit stays plain. */
static facet_status compress_all(facet_arena *arena, packing *packings, size_t count,
                                 const facet_options *options, facet_error *error)
{
    facet_status status = FACET_OK;
    for (size_t i = 0; i < count && !status; i++) {
        packing *p = &packings[i];
        if (p->part->plain || p->part->size < LEAST_COMPRESSED)
            continue;
        p->space = p->part->size - 1;
        p->buffer = facet_arena_allocate(arena, p->space, 1);
        p->compressor = libdeflate_alloc_compressor(LEVEL);
        if (!p->buffer || !p->compressor)
            status = facet_fail_memory(error, p->space);
    }
    if (!status)
        facet_run(options, compress_part, packings, count);
    for (size_t i = 0; i < count; i++)
        libdeflate_free_compressor(packings[i].compressor);
    return status;
}

static facet_status check_parts(const facet_bpx_part *parts, size_t count, facet_error *error)
{
    if (count > 65535)
        return facet_fail(error, FACET_ERROR_LIMIT, "BPX-TABLE-BOUNDS", FACET_NO_OFFSET,
                          "a BPX file has at most 65,535 sections, not %zu", count);
    for (size_t i = 0; i < count; i++) {
        if (parts[i].size > UINT32_MAX)
            return facet_fail(error, FACET_ERROR_LIMIT, "BPX-SECTION-BOUNDS", FACET_NO_OFFSET,
                              "section %zu has %zu bytes, more than 4 GiB", i + 1, parts[i].size);
    }
    return FACET_OK;
}

/* Header and table of `packings`, and the checksum over all. */
static void write_file(char type, const uint8_t extension[5], const packing *packings, size_t count,
                       uint8_t *head, size_t head_size, facet_output *output)
{
    memset(head, 0, head_size);
    memcpy(head, "BPX", 3);
    head[3] = (uint8_t)type;
    uint64_t position = head_size;
    for (size_t i = 0; i < count; i++) {
        uint8_t *entry = head + FACET_BPX_HEADER_SIZE + i * FACET_BPX_ENTRY_SIZE;
        facet_store_u64le(entry, position);
        facet_store_u32le(entry + 8, (uint32_t)stored_size(&packings[i]));
        entry[12] = packings[i].part->type;
        entry[13] = packings[i].size > 0 ? FACET_BPX_FLAG_COMPRESSED : 0;
        position += stored_size(&packings[i]);
    }
    facet_store_u64le(head + 8, position - FACET_BPX_HEADER_SIZE);
    facet_store_u16le(head + 0x10, (uint16_t)count);
    memcpy(head + 0x13, extension, 5);
    uint32_t crc = libdeflate_crc32(0, head, 4);
    crc = libdeflate_crc32(crc, head + 8, head_size - 8);
    for (size_t i = 0; i < count; i++) {
        if (stored_size(&packings[i]) > 0)
            crc = libdeflate_crc32(crc, stored_data(&packings[i]), stored_size(&packings[i]));
    }
    facet_store_u32le(head + 4, crc);
    facet_output_write(output, head, head_size);
    for (size_t i = 0; i < count; i++)
        facet_output_write(output, stored_data(&packings[i]), stored_size(&packings[i]));
}

facet_status facet_bpx_write(char type, const uint8_t extension[5], const facet_bpx_part *parts,
                             size_t count, const facet_options *options, facet_output *output,
                             facet_error *error)
{
    facet_arena *arena = NULL;
    facet_status status = check_parts(parts, count, error);
    if (!status)
        status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    size_t head_size = FACET_BPX_HEADER_SIZE + count * FACET_BPX_ENTRY_SIZE;
    packing *packings = facet_arena_allocate_zeroed(arena, count, sizeof *packings);
    uint8_t *head = facet_arena_allocate(arena, head_size, 1);
    if (!packings || !head) {
        facet_arena_free(arena);
        return facet_fail_memory(error, head_size);
    }
    for (size_t i = 0; i < count; i++)
        packings[i].part = &parts[i];
    status = compress_all(arena, packings, count, options, error);
    if (!status)
        write_file(type, extension, packings, count, head, head_size, output);
    facet_arena_free(arena);
    return status;
}
