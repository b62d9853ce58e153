/* formats/bpx/write.c - a document to the bytes of a version 0 container. */
#include "base/arena.h"
#include "base/crc32.h"
#include "base/error.h"
#include "base/threads.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <string.h>

#ifdef FACET_HAVE_DEFLATE
#include <libdeflate.h>
#endif

/* Smaller contents are not worth compressing. */
#define LEAST_COMPRESSED 256
#define LEVEL 9

/* Compression of one section; tasks do not allocate. */
typedef struct packing {
    const facet_bpx_contents *contents;
    struct libdeflate_compressor *compressor; /* NULL: not compressed */
    uint8_t *buffer;
    size_t space, size; /* size 0: not smaller when compressed */
} packing;

static const uint8_t *stored_data(const packing *p)
{
    return p->size > 0 ? p->buffer : p->contents->data;
}

static size_t stored_size(const packing *p)
{
    return p->size > 0 ? p->size : p->contents->size;
}

#ifndef FACET_HAVE_DEFLATE
/* Without libdeflate every section is uncompressed, which all readers accept. */
static facet_status compress_all(facet_arena *arena, packing *packings, size_t count,
                                 const facet_options *options, facet_error *error)
{
    (void)arena, (void)packings, (void)count, (void)options, (void)error;
    return FACET_OK;
}
#else
static void compress_section(void *argument, size_t index)
{
    packing *p = (packing *)argument + index;
    if (p->compressor)
        p->size = libdeflate_zlib_compress(p->compressor, p->contents->data, p->contents->size,
                                           p->buffer, p->space);
}

/* Space only for a smaller result: if it does not fit, the section stays uncompressed. */
static facet_status compress_all(facet_arena *arena, packing *packings, size_t count,
                                 const facet_options *options, facet_error *error)
{
    facet_status status = FACET_OK;
    for (size_t i = 0; i < count && !status; i++) {
        packing *p = &packings[i];
        if (p->contents->plain || p->contents->size < LEAST_COMPRESSED)
            continue;
        p->space = p->contents->size - 1;
        p->buffer = facet_arena_allocate(arena, p->space, 1);
        p->compressor = libdeflate_alloc_compressor(LEVEL);
        if (!p->buffer || !p->compressor)
            status = facet_fail_arena(arena, error);
    }
    if (!status)
        facet_run(options, compress_section, packings, count);
    for (size_t i = 0; i < count; i++)
        libdeflate_free_compressor(packings[i].compressor);
    return status;
}
#endif

static facet_status check_document(const facet_bpx *document, facet_error *error)
{
    if (document->revision != FACET_BPX_0A)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-VERSION-LATER", 0x10,
                          "files of revision %s are read, but only 0-A is written",
                          facet_bpx_revision_name(document->revision));
    if (document->section_count > 65535)
        return facet_fail(error, FACET_ERROR_LIMIT, "BPX-TABLE-BOUNDS", FACET_NO_OFFSET,
                          "a BPX file has at most 65,535 sections, not %" PRIu32,
                          document->section_count);
    facet_status status = facet_bpx_check_sections(document, error);
    for (uint32_t i = 0; i < document->section_count && !status; i++) {
        if (document->sections[i].size > UINT32_MAX)
            status = facet_fail(error, FACET_ERROR_LIMIT, "BPX-SECTION-BOUNDS", FACET_NO_OFFSET,
                                "section %" PRIu32 " has %zu bytes, more than 4 GiB", i + 1,
                                document->sections[i].size);
    }
    return status;
}

/* Write the header and table of `packings`, and the checksum of everything. */
static void write_file(const facet_bpx *document, const packing *packings, uint8_t *head,
                       size_t head_size, facet_output *output)
{
    size_t count = document->section_count;
    memset(head, 0, head_size);
    memcpy(head, "BPX", 3);
    head[3] = (uint8_t)document->type;
    uint64_t position = head_size;
    for (size_t i = 0; i < count; i++) {
        uint8_t *entry = head + FACET_BPX_HEADER_SIZE + i * FACET_BPX_ENTRY_SIZE;
        facet_store_u64le(entry, position);
        facet_store_u32le(entry + 8, (uint32_t)stored_size(&packings[i]));
        entry[12] = packings[i].contents->type;
        entry[13] = packings[i].size > 0 ? FACET_BPX_FLAG_COMPRESSED : 0;
        position += stored_size(&packings[i]);
    }
    facet_store_u64le(head + 8, position - FACET_BPX_HEADER_SIZE);
    facet_store_u16le(head + 0x10, (uint16_t)count);
    memcpy(head + 0x13, document->extension, 5);
    uint32_t crc = facet_crc32(0, head, 4);
    crc = facet_crc32(crc, head + 8, head_size - 8);
    for (size_t i = 0; i < count; i++) {
        if (stored_size(&packings[i]) > 0)
            crc = facet_crc32(crc, stored_data(&packings[i]), stored_size(&packings[i]));
    }
    facet_store_u32le(head + 4, crc);
    facet_output_write(output, head, head_size);
    for (size_t i = 0; i < count; i++)
        facet_output_write(output, stored_data(&packings[i]), stored_size(&packings[i]));
}

facet_status facet_bpx_write(const facet_bpx *document, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    facet_arena *arena = NULL;
    facet_status status = check_document(document, error);
    if (!status)
        status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    size_t count = document->section_count;
    size_t head_size = FACET_BPX_HEADER_SIZE + count * FACET_BPX_ENTRY_SIZE;
    packing *packings = facet_arena_allocate_zeroed(arena, count, sizeof *packings);
    uint8_t *head = facet_arena_allocate(arena, head_size, 1);
    if (!packings || !head) {
        return facet_arena_abandon(arena, error);
    }
    for (size_t i = 0; i < count; i++)
        packings[i].contents = &document->sections[i];
    status = compress_all(arena, packings, count, options, error);
    if (!status)
        write_file(document, packings, head, head_size, output);
    facet_arena_free(arena);
    return status;
}
