/* formats/bga/view.c - bytes of a file to a checked description. Plain C99 and C++11, without
 * allocation. */
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/bga/bga.h"
#include "formats/bga/lines.h"

#include <inttypes.h>
#include <string.h>

/* JavaScript has no larger exact integers. */
#define LARGEST_COUNT ((uint64_t)1 << 53)

bool facet_bga_name_is(const char *name, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(name, text, length) == 0;
}

/* -- The parser --------------------------------------------------------- */

/* Data of a buffer while the header is parsed. */
typedef struct buffer_lines {
    size_t first_offset;   /* offset of the first line that names it */
    uint32_t declared;     /* its index among the buffers, by that line */
    uint32_t rank;         /* index of its first count line among all, from 1; 0: no count line */
    uint32_t declarations; /* number of attribute lines, including skipped ones */
    uint32_t unknown_line; /* first attribute line of unknown type; 0: no such line */
    size_t unknown_offset;
} buffer_lines;

typedef struct parser {
    facet_bga *bga;
    facet_bga_view_options options;
    const facet_bga_listener *listener;
    facet_error *error;
    facet_status status; /* status of the first error */
    bool version_1;
    bool has_endianness;
    uint32_t line; /* from 1 */
    size_t offset; /* offset of that line */
    uint32_t count_lines;
    buffer_lines lines[FACET_BGA_MAX_BUFFERS];
} parser;

/* Report a broken rule that makes the file unusable. */
static void problem(parser *p, facet_status status, const char *rule, uint64_t offset,
                    const char *format, ...) FACET_PRINTF(5, 6);
static void problem(parser *p, facet_status status, const char *rule, uint64_t offset,
                    const char *format, ...)
{
    va_list arguments;
    if (p->status == FACET_OK) {
        va_start(arguments, format);
        p->status = facet_fail_v(p->error, status, rule, offset, p->line, format, arguments);
        va_end(arguments);
    }
    if (p->listener) {
        va_start(arguments, format);
        p->listener->hear(p->listener->user, rule, offset, format, arguments);
        va_end(arguments);
    }
}

/* Truncate names in messages, which can be very long. */
#define SHOWN(name, length) ((int)((length) < 60 ? (length) : 60)), (name)

/* True if parsing ends: at the first error, unless there is a listener. */
static bool stopped(const parser *p)
{
    return p->status != FACET_OK && !p->listener;
}

/* -- Buffers and attributes --------------------------------------------- */

/* The buffer of this name, which is added if it is new; NULL at the limit. */
static facet_bga_buffer *buffer_named(parser *p, facet_bga_span name)
{
    facet_bga *bga = p->bga;
    for (uint32_t i = 0; i < bga->buffer_count; i++) {
        if (facet_bga_same(bga->buffers[i].name, bga->buffers[i].name_length, name))
            return &bga->buffers[i];
    }
    if (bga->buffer_count == FACET_BGA_MAX_BUFFERS) {
        problem(p, FACET_ERROR_LIMIT, "BGA-LIMIT", p->offset, "more than %d buffers are named",
                FACET_BGA_MAX_BUFFERS);
        return NULL;
    }
    facet_bga_buffer *made = &bga->buffers[bga->buffer_count];
    memset(made, 0, sizeof *made);
    memset(&p->lines[bga->buffer_count], 0, sizeof p->lines[0]);
    p->lines[bga->buffer_count].first_offset = p->offset;
    p->lines[bga->buffer_count].declared = bga->buffer_count;
    bga->buffer_count++;
    made->name = name.at;
    made->name_length = (uint32_t)name.length;
    made->alignment = 1;
    return made;
}

static buffer_lines *lines_of(parser *p, const facet_bga_buffer *buffer)
{
    return &p->lines[buffer - p->bga->buffers];
}

static bool find_type(facet_bga_span name, facet_bga_type *type)
{
    for (int each = FACET_BGA_FLOAT; each <= FACET_BGA_INT32; each++) {
        const char *known = facet_bga_type_name((facet_bga_type)each);
        *type = (facet_bga_type)each;
        if (facet_bga_same(known, strlen(known), name))
            return true;
    }
    return false;
}

/* Append an attribute to a buffer's record. */
static void append_attribute(parser *p, facet_bga_buffer *buffer, facet_bga_span name,
                             facet_bga_type type, uint32_t repeat)
{
    facet_bga *bga = p->bga;
    uint32_t index = (uint32_t)(buffer - bga->buffers);
    facet_bga_base base = facet_bga_type_base(type);
    size_t base_size = facet_bga_base_size(base);
    for (uint32_t i = 0; i < bga->attribute_count; i++) {
        const facet_bga_attribute *other = &bga->attributes[i];
        if (other->buffer == index && facet_bga_same(other->name, other->name_length, name))
            problem(p, FACET_ERROR_MALFORMED, "BGA-ATTR-DUP", p->offset,
                    "attribute '%.*s' is declared a second time in its buffer",
                    SHOWN(name.at, name.length));
    }
    if (!p->version_1 && base_size > buffer->alignment)
        buffer->alignment = (uint32_t)base_size;
    if (repeat == 0)
        return;
    if (bga->attribute_count == FACET_BGA_MAX_ATTRIBUTES) {
        problem(p, FACET_ERROR_LIMIT, "BGA-LIMIT", p->offset, "more than %d attributes",
                FACET_BGA_MAX_ATTRIBUTES);
        return;
    }
    facet_bga_attribute *made = &bga->attributes[bga->attribute_count++];
    memset(made, 0, sizeof *made);
    made->name = name.at;
    made->name_length = (uint32_t)name.length;
    made->type = type;
    made->repeat = repeat;
    made->base = base;
    made->components = facet_bga_type_components(type) * repeat;
    made->buffer = index;
    buffer->stride += (uint64_t)made->components * base_size;
    buffer->attribute_count++;
}

static void handle_attribute(parser *p, const facet_bga_attribute_line *found)
{
    facet_bga_buffer *buffer = buffer_named(p, found->buffer);
    if (!buffer)
        return;
    buffer_lines *lines = lines_of(p, buffer);
    facet_bga_type type;
    if (!find_type(found->type, &type) ||
        (p->version_1 && facet_bga_type_base(type) != FACET_BGA_BASE_FLOAT32)) {
        if (lines->unknown_line == 0) {
            lines->unknown_offset = p->offset;
            lines->unknown_line = p->line;
        }
        return;
    }
    lines->declarations++;
    uint64_t repeat = 1;
    if (found->repeat.length > 0 &&
        !facet_bga_number_of(found->repeat, UINT32_MAX / facet_bga_type_components(type),
                             &repeat)) {
        problem(p, FACET_ERROR_MALFORMED, "BGA-COUNT-RANGE", p->offset,
                "a repeat count of %" PRIu32 " digits cannot be represented",
                (uint32_t)found->repeat.length);
        return;
    }
    append_attribute(p, buffer, found->name, type, (uint32_t)repeat);
}

/* Set the count of a buffer. Returns the buffer, or NULL. */
static facet_bga_buffer *handle_count(parser *p, facet_bga_span digits, facet_bga_span name)
{
    uint64_t count = 0;
    if (!facet_bga_number_of(digits, LARGEST_COUNT, &count)) {
        problem(p, FACET_ERROR_MALFORMED, "BGA-COUNT-RANGE", p->offset,
                "a count of %" PRIu32 " digits exceeds 2^53", (uint32_t)digits.length);
        return NULL;
    }
    facet_bga_buffer *buffer = buffer_named(p, name);
    if (!buffer)
        return NULL;
    buffer_lines *lines = lines_of(p, buffer);
    if (lines->rank == 0)
        lines->rank = ++p->count_lines;
    buffer->count = count;
    return buffer;
}

static void handle_endianness(parser *p, bool big)
{
    if (p->has_endianness && big != p->bga->big_endian)
        problem(p, FACET_ERROR_MALFORMED, "BGA-ENDIAN-DUP", p->offset,
                "line %" PRIu32 " contradicts the endianness given before", p->line);
    p->has_endianness = true;
    p->bga->big_endian = big;
}

/* -- Directives --------------------------------------------------------- */

static bool handle_line_2(parser *p, facet_bga_span line)
{
    bool big;
    facet_bga_attribute_line attribute;
    facet_bga_span digits, name;
    if (facet_bga_scan_endianness(line, &big)) {
        handle_endianness(p, big);
    } else if (facet_bga_scan_attribute(line, &attribute)) {
        handle_attribute(p, &attribute);
    } else if (facet_bga_scan_count(line, &digits, &name)) {
        handle_count(p, digits, name);
    } else {
        return false;
    }
    return true;
}

static bool handle_line_1(parser *p, facet_bga_span line)
{
    bool big;
    facet_bga_attribute_line attribute;
    facet_bga_span digits, name, type;
    if (facet_bga_scan_endianness(line, &big)) {
        handle_endianness(p, big);
        return true;
    }
    if (facet_bga_scan_attribute_1(line, &attribute)) {
        attribute.buffer.at = "vertex";
        attribute.buffer.length = 6;
        handle_attribute(p, &attribute);
        return true;
    }
    if (!facet_bga_scan_count_1(line, &digits, &name, &type))
        return false;
    uint32_t corners = facet_bga_same("vertex", 6, name)     ? 1
                       : facet_bga_same("edge", 4, name)     ? 2
                       : facet_bga_same("triangle", 8, name) ? 3
                                                             : 0;
    facet_bga_type index;
    bool has_index =
        find_type(type, &index) && (index == FACET_BGA_UINT16 || index == FACET_BGA_UINT32);
    if (corners == 0 || (corners == 1 ? type.length > 0 : !has_index))
        return false;
    facet_bga_buffer *buffer = handle_count(p, digits, name);
    if (buffer)
        lines_of(p, buffer)->rank = corners; /* vertices, edges, triangles, in any order of lines */
    if (buffer && corners > 1 && buffer->attribute_count == 0) {
        facet_bga_span cell_name = {"cell", 4};
        append_attribute(p, buffer, cell_name, index, corners);
    }
    return true;
}

/* True for an attribute of a known type whose name has characters that no reader accepts. */
static bool has_bad_name(facet_bga_span line)
{
    facet_bga_span word;
    facet_bga_type type;
    if (!facet_bga_scan_type(&line, &word) || !find_type(word, &type))
        return false;
    bool bad = false;
    size_t dots = 0, i = 0;
    for (; i < line.length && facet_bga_is_visible(line.at[i]) && line.at[i] != '['; i++) {
        facet_bga_span rest = {line.at + i, line.length - i};
        if (facet_bga_starts_with(rest, "//"))
            break;
        dots += line.at[i] == '.';
        bad |= !facet_bga_is_word(line.at[i]) && line.at[i] != '.';
    }
    return i > 0 && dots > 0 && (bad || dots > 1);
}

/* -- The header -------------------------------------------------------- */

/* Size of the header including its empty line; 0 and an error without an empty line. */
static size_t find_header_end(parser *p, const char *text, size_t size)
{
    size_t limit = size < FACET_BGA_MAX_HEADER ? size : FACET_BGA_MAX_HEADER;
    const char *at = text;
    while ((at = (const char *)memchr(at, '\n', limit - (size_t)(at - text))) != NULL) {
        size_t after = (size_t)(++at - text);
        if (after < limit && *at == '\n')
            return after + 1;
        if (limit - after >= 2 && at[0] == '\r' && at[1] == '\n') {
            /* The parser of the JavaScript package continues into the data. */
            if (!p->options.tolerant)
                problem(p, FACET_ERROR_MALFORMED, "BGA-HEADER-CRLF", after,
                        "the header ends with CR LF, not with an empty line of LF alone");
            return after + 2;
        }
    }
    problem(p, FACET_ERROR_MALFORMED, "BGA-HEADER-TERMINATOR", limit,
            "no empty line ends the header within %zu bytes", limit);
    return 0;
}

/* Parse the first line; *rest becomes the lines after it. */
static void parse_version(parser *p, facet_bga_span *rest)
{
    rest->at += 4;
    rest->length -= 4;
    facet_bga_span version = facet_bga_take(rest, facet_bga_is_visible), shown = version;
    shown = facet_bga_take(&shown, facet_bga_is_word);
    p->bga->version = version.at;
    p->bga->version_length = (uint32_t)version.length;
    p->version_1 = facet_bga_starts_with(version, "1.");
    if (!p->version_1 && !facet_bga_starts_with(version, "2."))
        problem(p, FACET_ERROR_UNSUPPORTED, "BGA-VERSION", 4,
                "the version begins with '%.*s', expected '2.' or '1.'",
                SHOWN(shown.at, shown.length));
    while (rest->length > 0 && rest->at[0] != '\n') {
        rest->at++;
        rest->length--;
    }
}

/* Group the attributes by buffer, stably. */
static void group_attributes(facet_bga *bga)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < bga->attribute_count; i++) {
        facet_bga_attribute attribute = bga->attributes[i];
        uint32_t at = i;
        for (; at > 0 && bga->attributes[at - 1].buffer > attribute.buffer; at--)
            bga->attributes[at] = bga->attributes[at - 1];
        bga->attributes[at] = attribute;
    }
    for (uint32_t i = 0; i < bga->buffer_count; i++) {
        bga->buffers[i].first_attribute = first;
        first += bga->buffers[i].attribute_count;
    }
}

/* Check rules that need all lines, and drop buffers that have a count but no attributes. */
static void finish_lines(parser *p)
{
    facet_bga *bga = p->bga;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bga->buffer_count; i++) {
        const facet_bga_buffer *buffer = &bga->buffers[i];
        const buffer_lines *lines = &p->lines[i];
        if (lines->unknown_line != 0 && buffer->count > 0) {
            p->line = lines->unknown_line;
            problem(p, FACET_ERROR_MALFORMED, "BGA-TYPE-UNKNOWN", lines->unknown_offset,
                    "buffer '%.*s' has an attribute of unknown type, so its records have no size",
                    SHOWN(buffer->name, buffer->name_length));
        }
        if (lines->declarations == 0 && buffer->attribute_count == 0)
            continue;
        bga->buffers[kept] = *buffer;
        p->lines[kept++] = *lines;
    }
    p->line = 0;
    bga->buffer_count = kept;
}

static void parse_header(parser *p, const char *text, size_t header_size)
{
    facet_bga_span rest = {text, header_size};
    p->line = 1;
    parse_version(p, &rest);
    while (rest.length > 1 && !stopped(p)) {
        rest.at++; /* skip the LF of the previous line */
        rest.length--;
        const char *end = (const char *)memchr(rest.at, '\n', rest.length);
        facet_bga_span line = {rest.at, end ? (size_t)(end - rest.at) : rest.length};
        p->line++;
        p->offset = (size_t)(rest.at - text);
        rest.at += line.length;
        rest.length -= line.length;
        if (line.length > 0 && line.at[line.length - 1] == '\r')
            line.length--;
        if (!(p->version_1 ? handle_line_1(p, line) : handle_line_2(p, line)) && has_bad_name(line))
            problem(p, FACET_ERROR_MALFORMED, "BGA-NAME-CHARS", p->offset,
                    "line %" PRIu32 " names an attribute with other characters than A-Z a-z 0-9 _",
                    p->line);
    }
    p->line = 0;
    if (stopped(p))
        return;
    if (!p->has_endianness && !p->options.tolerant)
        problem(p, FACET_ERROR_MALFORMED, "BGA-ENDIAN-MISSING", 0,
                "the header has neither 'little endian' nor 'big endian'");
    group_attributes(p->bga);
    finish_lines(p);
}

/* -- Layout ------------------------------------------------------------- */

/* Sort key of buffers: their count lines, with buffers without one at the end; or their first lines
 * of any kind. */
static uint32_t order_of(const buffer_lines *lines, bool by_count)
{
    return !by_count ? lines->declared : lines->rank != 0 ? lines->rank : UINT32_MAX;
}

static void sort_buffers(parser *p, bool by_count)
{
    for (uint32_t i = 1; i < p->bga->buffer_count; i++) {
        facet_bga_buffer buffer = p->bga->buffers[i];
        buffer_lines lines = p->lines[i];
        uint32_t at = i;
        for (; at > 0 && order_of(&p->lines[at - 1], by_count) > order_of(&lines, by_count); at--) {
            p->bga->buffers[at] = p->bga->buffers[at - 1];
            p->lines[at] = p->lines[at - 1];
        }
        p->bga->buffers[at] = buffer;
        p->lines[at] = lines;
    }
}

/* True if the order of count lines differs from that of first lines. */
static bool orders_differ(const parser *p)
{
    for (uint32_t i = 1; i < p->bga->buffer_count && p->lines[i].rank != 0; i++) {
        if (p->lines[i].declared < p->lines[i - 1].declared)
            return true;
    }
    return false;
}

static void place_attributes(facet_bga *bga, uint32_t index)
{
    const facet_bga_buffer *buffer = &bga->buffers[index];
    uint64_t offset = buffer->offset;
    for (uint32_t i = 0; i < buffer->attribute_count; i++) {
        facet_bga_attribute *attribute = &bga->attributes[buffer->first_attribute + i];
        attribute->buffer = index;
        attribute->offset = offset;
        attribute->stride = buffer->stride;
        attribute->count = buffer->count;
        attribute->data = buffer->count > 0 ? bga->data + (size_t)offset : NULL;
        offset += (uint64_t)attribute->components * facet_bga_base_size(attribute->base);
    }
}

/* Compute the offsets of the buffers. Returns the first that does not fit into the file, or
 * buffer_count. With `cut`, it is truncated instead, and all buffers get offsets. */
static uint32_t lay_out(facet_bga *bga, bool cut)
{
    uint64_t position = bga->header_size;
    for (uint32_t i = 0; i < bga->buffer_count; i++) {
        facet_bga_buffer *buffer = &bga->buffers[i];
        position = (position + buffer->alignment - 1) & ~(uint64_t)(buffer->alignment - 1);
        buffer->offset = position;
        if (buffer->stride > 0 && buffer->count > 0 &&
            !facet_range_fits(position, buffer->count, buffer->stride, bga->size)) {
            if (!cut)
                return i;
            buffer->count = position < bga->size ? (bga->size - position) / buffer->stride : 0;
        }
        if (buffer->stride > 0)
            position += buffer->count * buffer->stride;
        place_attributes(bga, i);
    }
    bga->data_end = position;
    return bga->buffer_count;
}

/* True if the buffers fit into the file in this order, and all cell indices are below the number of
 * vertices. */
static bool is_plausible(facet_bga *bga)
{
    if (lay_out(bga, false) < bga->buffer_count)
        return false;
    return !facet_bga_find_buffer(bga, "vertex") || facet_bga_verify(bga, NULL) == FACET_OK;
}

/* Choose the order of buffers for a file whose two orders differ. */
static void choose_order(parser *p)
{
    facet_bga *bga = p->bga;
    bool declared = p->options.order == FACET_BGA_ORDER_DECLARATION;
    if (p->options.order == FACET_BGA_ORDER_AUTO && !is_plausible(bga)) {
        sort_buffers(p, false);
        declared = is_plausible(bga);
    }
    sort_buffers(p, !declared);
    bga->order_differs = true;
    bga->declaration_order = declared;
}

static void place(parser *p)
{
    facet_bga *bga = p->bga;
    sort_buffers(p, true);
    if (!p->version_1 && orders_differ(p))
        choose_order(p);
    uint32_t bad = lay_out(bga, false);
    if (bad < bga->buffer_count) {
        const facet_bga_buffer *buffer = &bga->buffers[bad];
        bool absurd = buffer->count > bga->size / buffer->stride;
        problem(p, FACET_ERROR_MALFORMED, absurd ? "BGA-COUNT-RANGE" : "BGA-DATA-TRUNCATED",
                absurd ? p->lines[bad].first_offset : bga->size,
                "%" PRIu64 " records of %" PRIu64 " bytes in buffer '%.*s', from byte %" PRIu64
                " on, do not fit into the file's %zu",
                buffer->count, buffer->stride, SHOWN(buffer->name, buffer->name_length),
                buffer->offset, bga->size);
    }
    lay_out(bga, true);
    group_attributes(bga); /* in the order of the data */
}

/* -- Viewing ------------------------------------------------------------ */

static size_t parse_start(parser *p, const uint8_t *bytes, size_t size)
{
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        problem(p, FACET_ERROR_MALFORMED, "BGA-HEADER-BOM", 0,
                "the file begins with a UTF-8 byte order mark instead of 'BGA '");
    else if (size < 4 || memcmp(bytes, "BGA ", 4) != 0)
        problem(p, FACET_ERROR_MALFORMED, "BGA-MAGIC", 0, "the file does not begin with 'BGA '");
    else
        return find_header_end(p, (const char *)bytes, size);
    return 0;
}

facet_status facet_bga_parse(const uint8_t *data, size_t size,
                             const facet_bga_view_options *options,
                             const facet_bga_listener *listener, facet_bga *bga, facet_error *error)
{
    parser p;
    memset(&p, 0, offsetof(parser, lines));
    if (options)
        p.options = *options;
    p.bga = bga;
    p.listener = listener;
    p.error = error;
    memset(bga, 0, offsetof(facet_bga, buffers));
    bga->data = data;
    bga->size = size;
    bga->header_size = parse_start(&p, data, size);
    if (bga->header_size > 0 && !stopped(&p))
        parse_header(&p, (const char *)data, (size_t)bga->header_size);
    if (bga->header_size > 0 && !stopped(&p))
        place(&p);
    if (p.status && !listener)
        memset(bga, 0, offsetof(facet_bga, buffers));
    return p.status;
}

facet_status facet_bga_view(const uint8_t *data, size_t size, const facet_bga_view_options *options,
                            facet_bga *bga, facet_error *error)
{
    TRY(FACET_CHECK_STRUCT(options, facet_bga_view_options, error));
    return facet_bga_parse(data, size, options, NULL, bga, error);
}

/* -- Finding ------------------------------------------------------------ */

const facet_bga_buffer *facet_bga_find_buffer(const facet_bga *bga, const char *buffer)
{
    for (uint32_t i = 0; i < bga->buffer_count; i++) {
        if (facet_bga_name_is(bga->buffers[i].name, bga->buffers[i].name_length, buffer))
            return &bga->buffers[i];
    }
    return NULL;
}

const facet_bga_attribute *facet_bga_find(const facet_bga *bga, const char *buffer,
                                          const char *attribute)
{
    for (uint32_t i = 0; i < bga->attribute_count; i++) {
        const facet_bga_attribute *each = &bga->attributes[i];
        const facet_bga_buffer *holder = &bga->buffers[each->buffer];
        if (facet_bga_name_is(each->name, each->name_length, attribute) &&
            facet_bga_name_is(holder->name, holder->name_length, buffer))
            return each;
    }
    return NULL;
}

/* -- Cells -------------------------------------------------------------- */

bool facet_bga_is_cells(const facet_bga *bga, const facet_bga_buffer *buffer, uint32_t corners,
                        const facet_bga_attribute **cell)
{
    static const char *const names[] = {"point", "edge", "triangle", "quad"};
    size_t length = strlen(names[corners - 1]);
    if (buffer->name_length < length || memcmp(buffer->name, names[corners - 1], length) != 0 ||
        (buffer->name_length > length && buffer->name[length] != '_'))
        return false;
    for (uint32_t i = 0; i < buffer->attribute_count; i++) {
        const facet_bga_attribute *each = &bga->attributes[buffer->first_attribute + i];
        if (facet_bga_name_is(each->name, each->name_length, "cell") &&
            each->base != FACET_BGA_BASE_FLOAT32 && each->components == corners) {
            *cell = each;
            return true;
        }
    }
    return false;
}

int64_t facet_bga_bad_index(const facet_bga *bga, const facet_bga_attribute *cell, uint64_t record,
                            uint64_t limit)
{
    uint32_t values[4], i = 0;
    union {
        int8_t bytes[4];
        int16_t halves[4];
        int32_t words[4];
    } stored;
    facet_bga_read_values(bga, cell, record, 1, FACET_BGA_BASE_UINT32, values);
    while (i + 1 < cell->components && values[i] < limit)
        i++;
    if (cell->type != FACET_BGA_INT8 && cell->type != FACET_BGA_INT16 &&
        cell->type != FACET_BGA_INT32)
        return values[i];
    facet_bga_read_values(bga, cell, record, 1, cell->base, &stored);
    return cell->type == FACET_BGA_INT8    ? stored.bytes[i]
           : cell->type == FACET_BGA_INT16 ? stored.halves[i]
                                           : stored.words[i];
}

/* Find the first record with an index that is not below `limit`; false if all are valid. */
static bool find_beyond(const facet_bga *bga, const facet_bga_attribute *cell, uint64_t limit,
                        uint64_t *record)
{
    uint32_t tile[1024];
    uint64_t space = 1024 / cell->components, first;
    for (first = 0; first < cell->count; first += space) {
        size_t values =
            (size_t)facet_bga_read_values(bga, cell, first, space, FACET_BGA_BASE_UINT32, tile) *
            cell->components;
        size_t i = 0;
        uint32_t largest = 0;
        for (i = 0; i < values; i++)
            largest = tile[i] > largest ? tile[i] : largest;
        if (largest < limit)
            continue;
        for (i = 0; tile[i] < limit;)
            i++;
        *record = first + i / cell->components;
        return true;
    }
    return false;
}

facet_status facet_bga_verify(const facet_bga *bga, facet_error *error)
{
    const facet_bga_buffer *vertex = facet_bga_find_buffer(bga, "vertex");
    for (uint32_t i = 0; i < bga->buffer_count * 4; i++) {
        const facet_bga_buffer *buffer = &bga->buffers[i / 4];
        const facet_bga_attribute *cell;
        uint64_t record = 0;
        if (!facet_bga_is_cells(bga, buffer, 1 + i % 4, &cell) || cell->count == 0)
            continue;
        if (!vertex)
            return facet_fail(error, FACET_ERROR_MALFORMED, "BGA-VERTEX-MISSING", cell->offset,
                              "buffer '%.*s' has cells, but the buffer 'vertex' is missing",
                              SHOWN(buffer->name, buffer->name_length));
        if (find_beyond(bga, cell, vertex->count, &record))
            return facet_fail(error, FACET_ERROR_MALFORMED, "BGA-CELL-RANGE",
                              cell->offset + record * cell->stride,
                              "%.*s %" PRIu64 " uses vertex %" PRId64
                              ", expected at least 0 and less than %" PRIu64,
                              SHOWN(buffer->name, buffer->name_length), record,
                              facet_bga_bad_index(bga, cell, record, vertex->count), vertex->count);
    }
    return FACET_OK;
}
