/* formats/bpx/read.c - bytes to a document, with the contents of all sections inflated. */
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "base/threads.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <string.h>
#ifdef FACET_HAVE_DEFLATE
#include <libdeflate.h>
#endif
#ifdef FACET_HAVE_LZMA
#include <lzma.h>
#endif
#ifdef FACET_HAVE_ZLIB
#include <zlib.h>
#endif

/* -- Expected sizes ---------------------------------------------------- */

/* Read up to the first `size` bytes of a section's contents; fewer if it is shorter or damaged.
 * Returns the number. */
static size_t peek(const facet_bpx_section *section, uint8_t *bytes, size_t size)
{
    if (section->compression == FACET_BPX_PLAIN) {
        size_t count = size < section->available ? size : section->available;
        memcpy(bytes, section->stored, count);
        return count;
    }
#ifdef FACET_HAVE_ZLIB
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (section->compression != FACET_BPX_ZLIB || inflateInit(&stream) != Z_OK)
        return 0;
    /* The tables of a dynamic block are within the first bytes, far below this. */
    size_t given = section->available < 65536 ? section->available : 65536;
    stream.next_in = (Bytef *)(uintptr_t)section->stored;
    stream.avail_in = (uInt)given;
    stream.next_out = bytes;
    stream.avail_out = (uInt)size;
    inflate(&stream, Z_SYNC_FLUSH);
    size_t count = size - stream.avail_out;
    inflateEnd(&stream);
    return count;
#else
    return 0;
#endif
}

/* Inflated size that a file of version 0 implies, or 0. It is only a hint, to avoid inflating
 * twice. */
static uint64_t expected_size(const facet_bpx_layout *layout, const facet_bpx_section *section)
{
    uint8_t head[8];
    if (layout->type == 'T' && section->type == FACET_BPX_PIXELS) {
        static const uint8_t bytes[16] = {0, 3, 4, 1, 4};
        const uint8_t *e = layout->extension;
        uint32_t images = e[3] >> 4 & 5 ? facet_load_u16le(e) : 1;
        return ((uint64_t)2 << (e[2] & 15)) * ((uint64_t)2 << (e[2] >> 4)) * bytes[e[3] & 15] *
               (images ? images : 1);
    }
    /* Files of Facet have the vertex format first. */
    facet_bpx_section format = facet_bpx_section_at(layout, 0);
    if (layout->type == 'M' && section->type == FACET_BPX_VERTEX_ARRAY &&
        format.type == FACET_BPX_VERTEX_FORMAT && format.available >= 2 &&
        peek(section, head, 8) == 8)
        return 8 + (uint64_t)facet_load_u32le(head + 4) * facet_load_u16le(format.stored);
    if (layout->type == 'M' && section->type == FACET_BPX_FRAMES && peek(section, head, 8) == 8)
        return 8 + (uint64_t)facet_load_u32le(head) * facet_load_u16le(head + 4) * 64;
    return 0;
}

/* Deflate's maximum ratio is 1032 to 1. */
static uint64_t most_size(const facet_bpx_section *section)
{
    return (uint64_t)section->available * 1032 + 64;
}

static uint64_t first_guess(const facet_bpx_layout *layout, const facet_bpx_section *section)
{
    uint64_t guess = section->size;
    if (layout->entry_size == FACET_BPX_ENTRY_SIZE) {
        guess = expected_size(layout, section);
        if (guess == 0)
            guess = (uint64_t)section->available * 4 + 256;
    }
    return guess < most_size(section) ? guess : most_size(section);
}

/* -- One section -------------------------------------------------------- */

typedef enum job_state { PENDING, DONE, TOO_SMALL, DAMAGED, NO_MEMORY } job_state;

/* Inflation of one section. Tasks do not allocate: they get a buffer and a decompressor, and repeat
 * with a larger buffer if it is too small. */
typedef struct job {
    const facet_bpx_layout *layout;
    facet_bpx_section section;
    struct libdeflate_decompressor *decompressor;
    uint8_t *buffer;
    size_t space, size, consumed;
    job_state state;
} job;

#ifdef FACET_HAVE_DEFLATE
static void inflate_zlib(job *j)
{
    const facet_bpx_section *s = &j->section;
    size_t left = (size_t)(j->layout->size - s->offset);
    /* In 0-A, the size can be the inflated one: the stream has its own end. */
    size_t given = j->layout->revision == FACET_BPX_0A ? left : s->available;
    enum libdeflate_result result = libdeflate_zlib_decompress_ex(
        j->decompressor, s->stored, given, j->buffer, j->space, &j->consumed, &j->size);
    j->state = result == LIBDEFLATE_SUCCESS              ? DONE
               : result == LIBDEFLATE_INSUFFICIENT_SPACE ? TOO_SMALL
                                                         : DAMAGED;
}
#endif

#ifdef FACET_HAVE_LZMA
/* xz's strongest preset needs 65 MiB to decode. */
#define XZ_MEMORY ((uint64_t)128 << 20)

static void inflate_xz(job *j)
{
    uint64_t limit = XZ_MEMORY;
    lzma_ret result =
        lzma_stream_buffer_decode(&limit, LZMA_CONCATENATED, NULL, j->section.stored, &j->consumed,
                                  j->section.available, j->buffer, &j->size, j->space);
    j->state = result == LZMA_OK          ? DONE
               : result == LZMA_BUF_ERROR ? TOO_SMALL
               : result == LZMA_MEM_ERROR ? NO_MEMORY
                                          : DAMAGED;
}
#endif

/* Check that this build can decompress the section. */
static facet_status check_method(const facet_bpx_section *section, facet_error *error)
{
#ifndef FACET_HAVE_DEFLATE
    if (section->compression == FACET_BPX_ZLIB)
        return facet_fail_absent(error, "sections in zlib's format need", "libdeflate",
                                 "FACET_DEFLATE");
#endif
#ifndef FACET_HAVE_LZMA
    if (section->compression == FACET_BPX_XZ)
        return facet_fail_absent(error, "sections in XZ's format need", "liblzma", "FACET_LZMA");
#endif
    (void)section;
    (void)error;
    return FACET_OK;
}

static void run_job(void *argument, size_t index)
{
    job *j = (job *)argument + index;
    if (j->state != PENDING)
        return;
    j->size = j->consumed = 0;
#ifdef FACET_HAVE_DEFLATE
    if (j->section.compression == FACET_BPX_ZLIB)
        inflate_zlib(j);
#endif
#ifdef FACET_HAVE_LZMA
    if (j->section.compression == FACET_BPX_XZ)
        inflate_xz(j);
#endif
}

static facet_status damaged(const job *j, facet_error *error)
{
    const facet_bpx_section *s = &j->section;
    const uint8_t *b = s->stored;
    bool xz = s->available >= 6 && memcmp(b,
                                          "\xFD"
                                          "7zXZ",
                                          5) == 0;
    if (s->compression == FACET_BPX_ZLIB &&
        (xz || (s->available >= 2 && b[0] == 31 && b[1] == 139)))
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-ZLIB-FOREIGN", s->offset,
                          "section %" PRIu32 " holds %s data, expected a zlib stream", s->index + 1,
                          xz ? "XZ" : "gzip");
    return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-ZLIB", s->offset,
                      "the compressed contents of section %" PRIu32 " are damaged", s->index + 1);
}

/* Enlarge the buffer for the next round, or fail. */
static facet_status grow(facet_arena *arena, job *j, facet_error *error)
{
    const facet_bpx_section *s = &j->section;
    if (j->layout->entry_size != FACET_BPX_ENTRY_SIZE && j->space >= s->size)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX2-USIZE", s->offset,
                          "section %" PRIu32 " inflates to more than the %" PRIu32
                          " bytes the table states",
                          s->index + 1, s->size);
    uint64_t most = most_size(s), space = (uint64_t)j->space * 4;
    space = space < most ? space : most;
    if (j->space >= most)
        return facet_fail(error, FACET_ERROR_LIMIT, "BPX-ZLIB-BOMB", s->offset,
                          "section %" PRIu32 " inflates to more than 1,032 times its %zu bytes",
                          s->index + 1, s->available);
    facet_arena_release(arena, j->buffer, j->space, 1);
    j->space = 0;
    j->buffer = space > SIZE_MAX ? NULL : (uint8_t *)facet_arena_allocate(arena, (size_t)space, 1);
    if (!j->buffer)
        return facet_fail(error, facet_fail_arena(arena, NULL), "BPX-ZLIB-BOMB", s->offset,
                          "section %" PRIu32 " inflates to more than %" PRIu64
                          " bytes, more than memory or its limit allow",
                          s->index + 1, space / 4);
    j->space = (size_t)space;
    j->state = PENDING;
    return FACET_OK;
}

/* False if out of memory. */
static bool create_decompressor(job *j)
{
#ifdef FACET_HAVE_DEFLATE
    if (j->section.compression == FACET_BPX_ZLIB)
        j->decompressor = libdeflate_alloc_decompressor();
#endif
    return j->section.compression != FACET_BPX_ZLIB || j->decompressor;
}

static void free_decompressor(job *j)
{
#ifdef FACET_HAVE_DEFLATE
    libdeflate_free_decompressor(j->decompressor);
#endif
    j->decompressor = NULL;
}

static facet_status begin(facet_arena *arena, const facet_bpx_layout *layout,
                          const facet_bpx_section *section, job *j, facet_error *error)
{
    memset(j, 0, sizeof *j);
    j->layout = layout;
    j->section = *section;
    j->state = DONE;
    if (section->compression == FACET_BPX_PLAIN)
        return FACET_OK;
    TRY(check_method(section, error));
    uint64_t space = first_guess(layout, section);
    bool created = create_decompressor(j);
    j->buffer = space > SIZE_MAX ? NULL : (uint8_t *)facet_arena_allocate(arena, (size_t)space, 1);
    if (!j->buffer || !created)
        return facet_fail_arena(arena, error);
    j->space = (size_t)space;
    j->state = PENDING;
    return FACET_OK;
}

/* After a run: finish, repeat with a larger buffer, or fail. */
static facet_status settle(facet_arena *arena, job *j, bool *again, facet_error *error)
{
    switch (j->state) {
    case TOO_SMALL:
        *again = true;
        return grow(arena, j, error);
    case DAMAGED:
        return damaged(j, error);
    case NO_MEMORY:
        return facet_fail_memory(error, j->space);
    case DONE:
    case PENDING:
        break;
    }
    return FACET_OK;
}

static facet_status finish(const job *j, facet_bpx_contents *contents, facet_error *error)
{
    const facet_bpx_section *s = &j->section;
    if (s->compression == FACET_BPX_PLAIN) {
        contents->data = s->stored;
        contents->size = s->available;
        return FACET_OK;
    }
    if (j->layout->entry_size != FACET_BPX_ENTRY_SIZE && j->size != s->size)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX2-USIZE", s->offset,
                          "section %" PRIu32 " inflates to %zu bytes, the table states %" PRIu32,
                          s->index + 1, j->size, s->size);
    /* The size can end outside the file, or differ from the stream's, only if it is the inflated
     * size. */
    if (j->layout->revision == FACET_BPX_0A && j->size != s->stored_size) {
        if (s->available < s->stored_size)
            return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SECTION-BOUNDS", s->offset,
                              "section %" PRIu32 " is stated to have %" PRIu32
                              " bytes, of which the file has %zu",
                              s->index + 1, s->stored_size, s->available);
        if (j->consumed > s->stored_size)
            return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-ZLIB", s->offset,
                              "section %" PRIu32 " is stated to have %" PRIu32
                              " bytes, but its stream has %zu and inflates to %zu",
                              s->index + 1, s->stored_size, j->consumed, j->size);
    }
    contents->data = j->buffer;
    contents->size = j->size;
    return FACET_OK;
}

/* Release the unused end of the buffer. */
static void trim(facet_arena *arena, job *j)
{
    if (j->space - j->size < j->space / 4)
        return;
    uint8_t *smaller = facet_arena_resize(arena, j->buffer, j->space, j->size, 1);
    if (smaller) {
        j->buffer = smaller;
        j->space = j->size;
    }
}

facet_status facet_bpx_inflate(facet_arena *arena, const facet_bpx_layout *layout,
                               const facet_bpx_section *section, facet_bpx_contents *contents,
                               size_t *consumed, facet_error *error)
{
    job j;
    bool again = true;
    facet_status status = begin(arena, layout, section, &j, error);
    while (!status && again) {
        again = false;
        run_job(&j, 0);
        status = settle(arena, &j, &again, error);
    }
    if (!status && section->compression != FACET_BPX_PLAIN)
        trim(arena, &j);
    if (!status)
        status = finish(&j, contents, error);
    if (!status && consumed)
        *consumed = section->compression == FACET_BPX_PLAIN ? section->available : j.consumed;
    if (status)
        facet_arena_release(arena, j.buffer, j.space, 1);
    free_decompressor(&j);
    return status;
}

/* -- All sections ------------------------------------------------------ */

/* Maximum number of sections in progress, to bound the buffers for malicious files. */
#define BATCH 16

static facet_status inflate_batch(facet_bpx *document, const facet_bpx_layout *layout,
                                  uint32_t first, uint32_t count, const facet_options *options,
                                  facet_error *error)
{
    const double all = layout->section_count, range[2] = {first / all, (first + count) / all};
    job jobs[BATCH];
    bool again = true;
    uint32_t begun = 0;
    facet_status status = FACET_OK;
    for (; begun < count && !status; begun++) {
        facet_bpx_section section = facet_bpx_section_at(layout, first + begun);
        status = begin(document->arena, layout, &section, &jobs[begun], error);
    }
    while (!status && again) {
        again = false;
        if ((status = facet_run_steps(options, run_job, jobs, count, "read", range, error)))
            break;
        for (uint32_t i = 0; i < count && !status; i++)
            status = settle(document->arena, &jobs[i], &again, error);
    }
    for (uint32_t i = 0; i < count && !status; i++) {
        if (jobs[i].section.compression != FACET_BPX_PLAIN)
            trim(document->arena, &jobs[i]);
        status = finish(&jobs[i], &document->sections[first + i], error);
    }
    for (uint32_t i = 0; i < begun; i++)
        free_decompressor(&jobs[i]);
    return status;
}

/* Check the total size. Sections can share bytes, so the whole file has the limit of one stream. */
static facet_status check_total(const facet_bpx *document, const facet_bpx_layout *layout,
                                uint32_t first, uint32_t count, uint64_t *total, facet_error *error)
{
    for (uint32_t i = first; i < first + count; i++)
        *total += document->sections[i].size;
    if (*total / 1032 <= layout->size)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_LIMIT, "BPX-ZLIB-BOMB", FACET_NO_OFFSET,
                      "the sections hold more than 1,032 times the file's %zu bytes", layout->size);
}

facet_status facet_bpx_begin(const facet_bpx_layout *layout, const facet_options *options,
                             facet_bpx **document, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_bpx *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    facet_bpx_contents *sections =
        facet_arena_allocate_zeroed(arena, layout->section_count, sizeof *sections);
    if (!made || !sections) {
        return facet_arena_abandon(arena, error);
    }
    for (uint32_t i = 0; i < layout->section_count; i++) {
        facet_bpx_section s = facet_bpx_section_at(layout, i);
        sections[i].type = s.type;
        sections[i].plain = s.compression == FACET_BPX_PLAIN;
        sections[i].offset = s.offset;
    }
    made->arena = arena;
    made->revision = layout->revision;
    made->type = layout->type;
    memcpy(made->extension, layout->extension, sizeof made->extension);
    made->section_count = layout->section_count;
    made->sections = sections;
    *document = made;
    return FACET_OK;
}

facet_status facet_bpx_read_layout(const facet_bpx_layout *layout, const facet_options *options,
                                   facet_bpx **document, facet_error *error)
{
    facet_bpx *made = NULL;
    uint64_t total = 0;
    facet_status status = facet_bpx_begin(layout, options, &made, error);
    for (uint32_t first = 0; !status && first < layout->section_count; first += BATCH) {
        uint32_t left = layout->section_count - first, count = left < BATCH ? left : BATCH;
        status = inflate_batch(made, layout, first, count, options, error);
        if (!status)
            status = check_total(made, layout, first, count, &total, error);
    }
    if (status)
        facet_bpx_free(made);
    else
        *document = made;
    return status;
}

facet_status facet_bpx_read(const facet_source *source, const facet_options *options,
                            facet_bpx **document, facet_error *error)
{
    facet_bpx_layout layout;
    TRY(facet_bpx_view(source->data, source->size, &layout, error));
    return facet_bpx_read_layout(&layout, options, document, error);
}

/* -- Checksums ---------------------------------------------------------- */

static facet_status verify_section(const facet_bpx_layout *layout, const facet_bpx_section *section,
                                   facet_error *error)
{
    facet_arena *arena = NULL;
    facet_bpx_contents contents = {0};
    facet_status status = facet_arena_create(NULL, &arena, error);
    if (!status)
        status = facet_bpx_inflate(arena, layout, section, &contents, NULL, error);
    if (!status &&
        facet_bpx_section_sum(layout, section, contents.data, contents.size) == FACET_BPX_SUM_WRONG)
        status = facet_fail(error, FACET_ERROR_MALFORMED, "BPX2-SECTION-SUM", section->offset,
                            "the checksum 0x%08" PRIX32 " of section %" PRIu32
                            " is not that of its contents",
                            section->checksum, section->index + 1);
    facet_arena_free(arena);
    return status;
}

facet_status facet_bpx_verify(const facet_bpx_layout *layout, facet_error *error)
{
    bool later = layout->revision >= FACET_BPX_1;
    if (layout->revision > FACET_BPX_0B && !later)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-VERSION-LATER", 4,
                          "how the checksum of revision %s is computed is not known",
                          facet_bpx_revision_name(layout->revision));
    facet_bpx_sum sum = facet_bpx_file_sum(layout);
    if (sum != FACET_BPX_SUM_RIGHT && later)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX2-SUM", 4,
                          "the checksum 0x%08" PRIX32 " is not the sum of header and table",
                          layout->checksum);
    if (sum == FACET_BPX_SUM_ABSENT)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-CRC-ABSENT", 4, "the checksum is 0");
    if (sum == FACET_BPX_SUM_WRONG)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-CRC", 4,
                          "the checksum 0x%08" PRIX32 " is not that of the file", layout->checksum);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < layout->section_count && later && !status; i++) {
        facet_bpx_section section = facet_bpx_section_at(layout, i);
        if (section.flags & 0x0C)
            status = verify_section(layout, &section, error);
    }
    return status;
}
