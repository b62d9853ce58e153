/* formats/bga/write.c - a document to bytes, as the reference recommends: one order of buffers for
 * attribute lines, count lines and data. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "formats/bga/bga.h"
#include "formats/bga/document.h"
#include "formats/bga/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -- The plan ----------------------------------------------------------- */

/* A buffer of the file: one of the document, or one attribute of it. */
typedef struct written_buffer {
    const facet_bga_buffer *buffer;
    const facet_bga_attribute *attributes;
    uint32_t attribute_count;
    bool derived; /* its name is that of the buffer, "_", and that of the attribute */
    uint32_t alignment;
    uint64_t stride;
} written_buffer;

#define MAX_WRITTEN (FACET_BGA_MAX_BUFFERS + FACET_BGA_MAX_ATTRIBUTES)

typedef struct writer {
    const facet_bga *bga;
    facet_output *output;
    uint64_t start; /* start of the file in the output */
    bool big_endian;
    bool swaps;
    written_buffer buffers[MAX_WRITTEN];
    uint32_t buffer_count;
    uint8_t tile[FACET_BGA_TILE], packed[FACET_BGA_TILE]; /* buffers for records */
} writer;

static uint64_t element_size(const facet_bga_attribute *attribute)
{
    return (uint64_t)attribute->components * facet_bga_base_size(attribute->base);
}

static void plan_buffer(writer *w, const facet_bga_buffer *buffer, uint32_t first, uint32_t count,
                        bool derived)
{
    written_buffer *made = &w->buffers[w->buffer_count++];
    made->buffer = buffer;
    made->attributes = w->bga->attributes + buffer->first_attribute + first;
    made->attribute_count = count;
    made->derived = derived;
    made->alignment = 1;
    made->stride = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t base_size = (uint32_t)facet_bga_base_size(made->attributes[i].base);
        made->alignment = base_size > made->alignment ? base_size : made->alignment;
        made->stride += element_size(&made->attributes[i]);
    }
}

static uint32_t name_length(const written_buffer *buffer)
{
    return buffer->buffer->name_length +
           (buffer->derived ? 1 + buffer->attributes->name_length : 0);
}

static char name_character(const written_buffer *buffer, uint32_t i)
{
    uint32_t stem = buffer->buffer->name_length;
    return i < stem    ? buffer->buffer->name[i]
           : i == stem ? '_'
                       : buffer->attributes->name[i - stem - 1];
}

static bool names_equal(const written_buffer *a, const written_buffer *b)
{
    uint32_t length = name_length(a);
    if (length != name_length(b))
        return false;
    for (uint32_t i = 0; i < length; i++) {
        if (name_character(a, i) != name_character(b, i))
            return false;
    }
    return true;
}

static facet_status make_plan(writer *w, bool separate, facet_error *error)
{
    const facet_bga *bga = w->bga;
    for (uint32_t i = 0; i < bga->buffer_count; i++) {
        const facet_bga_buffer *buffer = &bga->buffers[i];
        if (buffer->count > ((uint64_t)1 << 53) ||
            (buffer->stride > 0 && buffer->count > UINT64_MAX / 4 / buffer->stride))
            return facet_fail(error, FACET_ERROR_LIMIT, "BGA-COUNT-RANGE", FACET_NO_OFFSET,
                              "%" PRIu64 " records of %" PRIu64 " bytes are too many",
                              buffer->count, buffer->stride);
        if (!separate && buffer->attribute_count > 0)
            plan_buffer(w, buffer, 0, buffer->attribute_count, false);
        for (uint32_t k = 0; separate && k < buffer->attribute_count; k++)
            plan_buffer(w, buffer, k, 1, k > 0);
    }
    for (uint32_t i = 0; separate && i < w->buffer_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (names_equal(&w->buffers[i], &w->buffers[k]))
                return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BGA-NAMES", FACET_NO_OFFSET,
                                  "separate buffers need two of the name '%.60s_%.60s'",
                                  w->buffers[i].buffer->name, w->buffers[i].attributes->name);
        }
    }
    return FACET_OK;
}

/* -- The header --------------------------------------------------------- */

static void put(writer *w, const char *text, size_t length)
{
    facet_output_write(w->output, text, length);
}

static void put_text(writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void put_name(writer *w, const written_buffer *buffer)
{
    put(w, buffer->buffer->name, buffer->buffer->name_length);
    if (buffer->derived) {
        put_text(w, "_");
        put(w, buffer->attributes->name, buffer->attributes->name_length);
    }
}

static void put_attribute(writer *w, const written_buffer *buffer,
                          const facet_bga_attribute *attribute)
{
    char repeat[16];
    put_text(w, facet_bga_type_name(attribute->type));
    put_text(w, " ");
    put_name(w, buffer);
    put_text(w, ".");
    put(w, attribute->name, attribute->name_length);
    snprintf(repeat, sizeof repeat, "[%" PRIu32 "]\n", attribute->repeat);
    put_text(w, attribute->repeat > 1 ? repeat : "\n");
}

static void put_comment(writer *w, const char *comment)
{
    put_text(w, "// ");
    for (; *comment; comment++) {
        char c = (unsigned char)*comment < 0x20 || *comment == 0x7F ? ' ' : *comment;
        put(w, &c, 1);
    }
    put_text(w, "\n");
}

static bool is_directive(facet_bga_span line)
{
    bool big;
    facet_bga_attribute_line attribute;
    facet_bga_span digits, name;
    return facet_bga_scan_endianness(line, &big) || facet_bga_scan_attribute(line, &attribute) ||
           facet_bga_scan_count(line, &digits, &name);
}

/* Write unknown lines of a 2.x file that was viewed: other readers may know them ("Unrecognized
 * lines are ignored"). */
static void put_other_lines(writer *w)
{
    const facet_bga *bga = w->bga;
    size_t size = bga->data ? (size_t)bga->header_size : 0;
    const char *at = (const char *)bga->data, *end = size > 0 ? at + size : at;
    if (!at || bga->version_length == 0 || bga->version[0] != '2')
        return;
    for (bool first = true; at < end; first = false) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        facet_bga_span line = {at, (size_t)((line_end ? line_end : end) - at)};
        at = line_end ? line_end + 1 : end;
        while (line.length > 0 && facet_bga_is_space(line.at[line.length - 1]))
            line.length--;
        if (first || facet_bga_ends(line) || is_directive(line))
            continue;
        put(w, line.at, line.length);
        put_text(w, "\n");
    }
}

static void put_header(writer *w)
{
    put_text(w, "BGA 2.0\n");
    put_text(w, w->big_endian ? "big endian\n" : "little endian\n");
    for (uint32_t i = 0; i < w->buffer_count; i++) {
        for (uint32_t k = 0; k < w->buffers[i].attribute_count; k++)
            put_attribute(w, &w->buffers[i], &w->buffers[i].attributes[k]);
    }
    for (uint32_t i = 0; i < w->buffer_count; i++) {
        char count[32];
        snprintf(count, sizeof count, "%" PRIu64 " ", w->buffers[i].buffer->count);
        put_text(w, count);
        put_name(w, &w->buffers[i]);
        put_text(w, "\n");
    }
    for (size_t i = 0; i < w->bga->comment_count; i++)
        put_comment(w, w->bga->comments[i]);
    put_other_lines(w);
    put_text(w, "\n");
}

/* -- The data ----------------------------------------------------------- */

/* Write adjacent values of one size. */
static void put_values(writer *w, const uint8_t *from, uint64_t bytes, size_t base_size)
{
    if (!w->swaps || base_size == 1) {
        facet_output_write(w->output, from, (size_t)bytes);
        return;
    }
    while (bytes > 0) {
        size_t part = bytes < sizeof w->tile ? (size_t)bytes : sizeof w->tile;
        facet_bga_swap(w->tile, from, part / base_size, base_size);
        facet_output_write(w->output, w->tile, part);
        from += part;
        bytes -= part;
    }
}

/* Size of the values of a buffer whose source has the layout of the file, so that it is written as
 * one run; 0 for others. */
static size_t run_of_values(const writer *w, const written_buffer *buffer)
{
    const facet_bga_attribute *first = buffer->attributes;
    size_t base_size = w->swaps ? facet_bga_base_size(first->base) : 1;
    const uint8_t *expected = first->data;
    for (uint32_t i = 0; i < buffer->attribute_count; i++) {
        const facet_bga_attribute *attribute = &buffer->attributes[i];
        if (attribute->data != expected || attribute->stride != buffer->stride ||
            (w->swaps && facet_bga_base_size(attribute->base) != base_size))
            return 0;
        expected += element_size(attribute);
    }
    return base_size;
}

/* Write records in tiles, attribute by attribute. */
static void put_records(writer *w, const written_buffer *buffer)
{
    uint8_t *tile = w->tile, *packed = w->packed;
    size_t stride = (size_t)buffer->stride, space = sizeof w->tile / stride;
    uint64_t count = buffer->buffer->count;
    for (uint64_t record = 0; record < count; record += space) {
        size_t records = count - record < space ? (size_t)(count - record) : space;
        uint8_t *at = tile;
        for (uint32_t i = 0; i < buffer->attribute_count; i++) {
            const facet_bga_attribute *attribute = &buffer->attributes[i];
            size_t size = (size_t)element_size(attribute);
            size_t base_size = facet_bga_base_size(attribute->base);
            const uint8_t *from = attribute->data + (size_t)(record * attribute->stride);
            if (w->swaps && base_size > 1) {
                facet_bga_copy_elements(packed, size, from, (size_t)attribute->stride, records,
                                        size);
                facet_bga_swap(packed, packed, records * attribute->components, base_size);
                facet_bga_copy_elements(at, stride, packed, size, records, size);
            } else {
                facet_bga_copy_elements(at, stride, from, (size_t)attribute->stride, records, size);
            }
            at += size;
        }
        facet_output_write(w->output, tile, records * stride);
    }
}

/* Write records larger than a tile, value by value. */
static void put_large_records(writer *w, const written_buffer *buffer)
{
    for (uint64_t record = 0; record < buffer->buffer->count; record++) {
        for (uint32_t i = 0; i < buffer->attribute_count; i++) {
            const facet_bga_attribute *attribute = &buffer->attributes[i];
            put_values(w, attribute->data + (size_t)(record * attribute->stride),
                       element_size(attribute), facet_bga_base_size(attribute->base));
        }
    }
}

static void put_buffer(writer *w, const written_buffer *buffer)
{
    static const uint8_t padding[4];
    uint64_t position = facet_output_size(w->output) - w->start;
    facet_output_write(
        w->output, padding,
        (size_t)((buffer->alignment - position % buffer->alignment) % buffer->alignment));
    if (buffer->buffer->count == 0)
        return;
    size_t base_size = run_of_values(w, buffer);
    if (base_size > 0)
        put_values(w, buffer->attributes->data, buffer->buffer->count * buffer->stride, base_size);
    else if (buffer->stride <= FACET_BGA_TILE)
        put_records(w, buffer);
    else
        put_large_records(w, buffer);
}

/* -- Writing ------------------------------------------------------------ */

/* Report data that only some readers support. */
static void report_doubts(const facet_bga *bga, facet_report *report)
{
    static const char *const reserved[] = {"__proto__", "constructor", "hasOwnProperty"};
    for (uint32_t i = 0; i < bga->attribute_count; i++) {
        const facet_bga_attribute *attribute = &bga->attributes[i];
        const facet_bga_buffer *buffer = &bga->buffers[attribute->buffer];
        facet_quoted quoted;
        facet_quote(&quoted, attribute->name, attribute->name_length);
        if (attribute->base == FACET_BGA_BASE_INT8 || attribute->base == FACET_BGA_BASE_INT16 ||
            attribute->base == FACET_BGA_BASE_INT32)
            facet_report_add(report, "BGA-TYPE-SIGNED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "attribute '%s' is signed: the JavaScript parser can read neither it "
                             "nor the buffers after it",
                             quoted.text);
        for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++) {
            if (facet_bga_name_is(attribute->name, attribute->name_length, reserved[k]) ||
                facet_bga_name_is(buffer->name, buffer->name_length, reserved[k]))
                facet_report_add(report, "BGA-NAME-RESERVED", FACET_SEVERITY_WARNING,
                                 FACET_NO_OFFSET, "the name '%s' breaks the JavaScript parser",
                                 reserved[k]);
        }
    }
    for (uint32_t i = 0; i < bga->buffer_count; i++) {
        if (bga->buffers[i].attribute_count == 0)
            facet_report_add(report, "BGA-COUNT-ORPHAN", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                             "a buffer without attributes is left out");
    }
}

static facet_status write_document(writer *w, const facet_options *options, facet_error *error)
{
    TRY(make_plan(w, options && options->bga && options->bga->separate_buffers, error));
    report_doubts(w->bga, options ? options->report : NULL);
    put_header(w);
    uint64_t header = facet_output_size(w->output) - w->start;
    if (header > FACET_BGA_MAX_HEADER)
        return facet_fail(error, FACET_ERROR_LIMIT, "BGA-LIMIT", FACET_NO_OFFSET,
                          "the header takes %" PRIu64 " bytes, more than %d", header,
                          FACET_BGA_MAX_HEADER);
    for (uint32_t i = 0; i < w->buffer_count; i++) {
        put_buffer(w, &w->buffers[i]);
        TRY(facet_step(options, "write", (double)(i + 1) / w->buffer_count, error));
    }
    return FACET_OK;
}

facet_status facet_bga_write(const facet_bga *bga, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    const facet_bga_options *how = options ? options->bga : NULL;
    facet_arena *arena = NULL;
    TRY(FACET_CHECK_STRUCT(how, facet_bga_options, error));
    TRY(facet_bga_check_document(bga, error));
    TRY(facet_arena_create(options, &arena, error));
    writer *w = facet_arena_allocate_zeroed(arena, 1, sizeof *w); /* 36 KB: too large for a stack */
    if (!w)
        return facet_arena_abandon(arena, error);
    w->bga = bga;
    w->output = output;
    w->start = facet_output_size(output);
    w->big_endian = how && how->big_endian;
    w->swaps = w->big_endian != bga->big_endian;
    facet_status status = write_document(w, options, error);
    facet_arena_free(arena);
    return status;
}
