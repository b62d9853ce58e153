/* ply/ascii.c - records as text: numbers between blanks and line ends. Line ends tell
 * nothing, but for the place of errors. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/numbers.h"
#include "ply/ply.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What a property becomes: values tightly packed, and offsets of a list. */
typedef struct column {
    facet_ply_property *property;
    size_t size;
    uint8_t *values;
    uint32_t count, capacity; /* of values */
    uint32_t *offsets;
} column;

typedef struct reader {
    facet_ply_body *body;
    facet_arena *arena;
    facet_ply_element *element;
    const uint8_t *at, *end;
    column *columns;
} reader;

/* -- Words -------------------------------------------------------------- */

static inline bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Lines end with LF, CR LF or CR. Two plain loops, because a compiler can make vector
 * code of the first, and few files need the second. */
static uint64_t lines_between(const uint8_t *from, const uint8_t *to)
{
    size_t size = (size_t)(to - from);
    uint64_t lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += from[i] == '\n';
    if (size == 0 || !memchr(from, '\r', size))
        return lines;
    for (size_t i = 0; i < size; i++)
        lines += from[i] == '\r' && !(i + 1 < size && from[i + 1] == '\n');
    return lines;
}

/* False at the end of the file. */
static inline bool skip_space(reader *r)
{
    while (r->at < r->end && is_space(*r->at))
        r->at++;
    return r->at < r->end;
}

static uint64_t line_here(const reader *r)
{
    return r->body->line + lines_between(r->body->source->data + r->body->position, r->at);
}

static facet_status fail_number(const reader *r, const facet_ply_property *p, bool is_count)
{
    facet_quoted quoted, name;
    const uint8_t *end = r->at;
    while (end < r->end && !is_space(*end))
        end++;
    return facet_fail_line(r->body->error, FACET_ERROR_MALFORMED,
                           is_count ? "PLY-LIST" : "PLY-NUMBER", line_here(r),
                           "found '%s', expected %s%s of property '%s'",
                           facet_quote(&quoted, (const char *)r->at, (size_t)(end - r->at)),
                           is_count ? "the length, " : "a value, ",
                           facet_ply_type_name(is_count ? p->count_type : p->type),
                           facet_quote(&name, p->name, strlen(p->name)));
}

/* -- Numbers ------------------------------------------------------------ */

static inline bool ends(const reader *r, const uint8_t *at)
{
    return at == r->end || is_space(*at);
}

/* What programs write for a number that is none: nan, -nan(ind), inf, 1.#QNAN. */
static bool take_nonfinite(reader *r, double *value)
{
    const uint8_t *at = r->at, *end = at;
    while (end < r->end && !is_space(*end))
        end++;
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    bool nan = end - at >= 3 && (at[0] | 0x20) == 'n' && (at[1] | 0x20) == 'a';
    bool infinite = end - at >= 3 && (at[0] | 0x20) == 'i' && (at[1] | 0x20) == 'n';
    bool microsoft = end - at >= 4 && at[0] == '1' && at[1] == '.' && at[2] == '#';
    if (!nan && !infinite && !microsoft)
        return false;
    *value = infinite ? negative ? -(double)INFINITY : (double)INFINITY : (double)NAN;
    r->at = end;
    return true;
}

static inline bool take_float(reader *r, float *value)
{
    const uint8_t *next = NULL;
    if (r->end - r->at > FACET_NUMBER_REACH)
        next = facet_number_fast(r->at, value);
    if (!next || !is_space(*next))
        next = facet_number_parse(r->at, r->end, value);
    if (next && ends(r, next)) {
        r->at = next;
        return true;
    }
    double other;
    if (!take_nonfinite(r, &other))
        return false;
    *value = (float)other;
    return true;
}

static bool take_double(reader *r, double *value)
{
    const uint8_t *next = facet_number_parse_double(r->at, r->end, value);
    if (next && ends(r, next)) {
        r->at = next;
        return true;
    }
    return take_nonfinite(r, value);
}

/* A whole number, which some programs write with a point. */
static bool take_slow_integer(reader *r, int64_t *value)
{
    double number;
    const uint8_t *next = facet_number_parse_double(r->at, r->end, &number);
    if (!next || !ends(r, next) || number < -4294967296.0 || number > 4294967296.0 ||
        number != floor(number))
        return false;
    *value = (int64_t)number;
    r->at = next;
    return true;
}

static inline bool take_integer(reader *r, int64_t *value)
{
    if (r->end - r->at > 32) {
        uint64_t others = ~(uint64_t)facet_digits_mask(r->at);
        size_t count = facet_lowest_bit(others);
        if (count - 1 < 8 && is_space(r->at[count])) {
            *value = facet_digits_value(r->at, count);
            r->at += count;
            return true;
        }
    }
    return take_slow_integer(r, value);
}

/* True when a whole number is one of the type; it is stored. */
static inline bool store_integer(uint8_t *to, facet_ply_type type, int64_t value)
{
    switch (type) {
    case FACET_PLY_INT8:
        *to = (uint8_t)value;
        return value >= INT8_MIN && value <= INT8_MAX;
    case FACET_PLY_UINT8:
        *to = (uint8_t)value;
        return value >= 0 && value <= UINT8_MAX;
    case FACET_PLY_INT16: {
        int16_t number = (int16_t)value;
        memcpy(to, &number, sizeof number);
        return value >= INT16_MIN && value <= INT16_MAX;
    }
    case FACET_PLY_UINT16: {
        uint16_t number = (uint16_t)value;
        memcpy(to, &number, sizeof number);
        return value >= 0 && value <= UINT16_MAX;
    }
    default: {
        uint32_t number = (uint32_t)value;
        memcpy(to, &number, sizeof number);
        return type == FACET_PLY_INT32 ? value >= INT32_MIN && value <= INT32_MAX
                                       : value >= 0 && value <= UINT32_MAX;
    }
    }
}

static inline bool take_value(reader *r, facet_ply_type type, uint8_t *to)
{
    if (!skip_space(r))
        return false;
    if (type == FACET_PLY_FLOAT32) {
        float number;
        bool taken = take_float(r, &number);
        memcpy(to, &number, sizeof number);
        return taken;
    }
    if (type == FACET_PLY_FLOAT64) {
        double number = 0;
        bool taken = take_double(r, &number);
        memcpy(to, &number, sizeof number);
        return taken;
    }
    int64_t value = 0;
    const uint8_t *start = r->at;
    if (!take_integer(r, &value))
        return false;
    if (store_integer(to, type, value))
        return true;
    r->at = start;
    return false;
}

/* -- Records ------------------------------------------------------------ */

static facet_status ends_early(reader *r)
{
    r->body->line = line_here(r);
    return facet_ply_too_short(r->body, r->element);
}

static facet_status no_value(reader *r, const facet_ply_property *p, bool is_count)
{
    return r->at < r->end ? fail_number(r, p, is_count) : ends_early(r);
}

/* Space for `more` values of a list, which the rest of the file can hold. */
static facet_status reserve(reader *r, column *c, uint64_t more)
{
    if (more <= c->capacity - c->count)
        return FACET_OK;
    uint64_t grown = (uint64_t)c->capacity + c->capacity / 2 + more;
    if (c->count + more > UINT32_MAX)
        return facet_fail_line(r->body->error, FACET_ERROR_LIMIT, "PLY-LIMIT", line_here(r),
                               "lists have more than %" PRIu32 " values", UINT32_MAX);
    grown = grown > UINT32_MAX ? UINT32_MAX : grown;
    uint8_t *moved = facet_arena_resize(r->arena, c->values, c->capacity, (size_t)grown, c->size);
    if (!moved)
        return facet_fail_memory(r->body->error, (size_t)grown * c->size);
    c->values = moved;
    c->capacity = (uint32_t)grown;
    return FACET_OK;
}

static facet_status read_list(reader *r, column *c, uint32_t record)
{
    const facet_ply_property *p = c->property;
    int64_t length = 0;
    uint8_t ignored[4];
    if (!skip_space(r))
        return no_value(r, p, true);
    const uint8_t *start = r->at;
    if (!take_integer(r, &length) || length < 0 || !store_integer(ignored, p->count_type, length)) {
        r->at = start;
        return no_value(r, p, true);
    }
    /* Each value takes a blank and a digit at least. */
    if ((uint64_t)length > (uint64_t)(r->end - r->at + 1) / 2)
        return ends_early(r);
    facet_status status = reserve(r, c, (uint64_t)length);
    if (status)
        return status;
    uint8_t *to = c->values + (size_t)c->count * c->size;
    for (int64_t i = 0; i < length; i++, to += c->size) {
        if (!take_value(r, p->type, to))
            return no_value(r, p, false);
    }
    c->count += (uint32_t)length;
    c->offsets[record + 1] = c->count;
    return FACET_OK;
}

static facet_status read_record(reader *r, uint32_t record)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->element->property_count && !status; i++) {
        column *c = &r->columns[i];
        if (c->property->is_list)
            status = read_list(r, c, record);
        else if (!take_value(r, c->property->type, c->values + (size_t)record * c->size))
            status = no_value(r, c->property, false);
    }
    return status;
}

/* -- Columns ------------------------------------------------------------ */

static facet_status make_columns(reader *r)
{
    uint32_t records = r->element->count;
    r->columns =
        facet_arena_allocate_zeroed(r->arena, r->element->property_count, sizeof *r->columns);
    if (!r->columns)
        return facet_fail_memory(r->body->error, sizeof *r->columns);
    for (uint32_t i = 0; i < r->element->property_count; i++) {
        column *c = &r->columns[i];
        c->property = &r->element->properties[i];
        c->size = facet_ply_type_size(c->property->type);
        uint64_t guess = records, most = (uint64_t)(r->end - r->at + 1) / 2;
        if (c->property->is_list) {
            c->offsets = facet_arena_allocate(r->arena, (size_t)records + 1, sizeof *c->offsets);
            guess = guess * 3 < most ? guess * 3 : most;
        }
        c->capacity = guess > UINT32_MAX ? UINT32_MAX : (uint32_t)guess;
        c->values = facet_arena_allocate(r->arena, c->capacity, c->size);
        if (!c->values || (c->property->is_list && !c->offsets))
            return facet_fail_memory(r->body->error, (size_t)c->capacity * c->size);
        if (c->offsets)
            c->offsets[0] = 0;
    }
    return FACET_OK;
}

/* Lists of one length need no offsets. */
static void finish_column(const reader *r, column *c)
{
    facet_ply_property *p = c->property;
    uint32_t records = r->element->count;
    p->data = c->values;
    p->stride = c->size;
    if (!p->is_list)
        return;
    uint32_t length = c->offsets[1];
    bool equal = true;
    for (uint32_t i = 1; i < records && equal; i++)
        equal = c->offsets[i + 1] - c->offsets[i] == length;
    p->length = equal ? length : 0;
    p->stride = equal ? length * c->size : c->size;
    p->offsets = equal ? NULL : c->offsets;
    if (equal)
        facet_arena_release(r->arena, c->offsets, (size_t)records + 1, sizeof *c->offsets);
}

facet_status facet_ply_read_ascii(facet_ply_body *body, facet_ply *ply, facet_ply_element *element)
{
    const uint8_t *start = body->source->data + body->position;
    reader r = {.body = body,
                .arena = ply->arena,
                .element = element,
                .at = start,
                .end = body->source->data + body->source->size};
    skip_space(&r);
    body->line += lines_between(start, r.at);
    body->position += (size_t)(r.at - start);
    start = r.at;
    element->offset = body->position;
    element->line = body->line;
    if (element->count == 0 || element->property_count == 0)
        return FACET_OK;
    /* Each number takes a digit at least, and all but the last a blank. */
    uint64_t most = ((uint64_t)(r.end - r.at) + 1) / 2;
    if (element->count > most / element->property_count)
        return facet_ply_too_short(body, element);
    facet_status status = make_columns(&r);
    for (uint32_t record = 0; record < element->count && !status; record++) {
        if (record % 65536 == 65535)
            status = facet_step(body->options, "read",
                                (double)(r.at - body->source->data) / (double)body->source->size,
                                body->error);
        if (!status)
            status = read_record(&r, record);
    }
    if (status)
        return status;
    for (uint32_t i = 0; i < element->property_count; i++)
        finish_column(&r, &r.columns[i]);
    uint64_t lines = lines_between(start, r.at);
    element->one_per_line = lines + 1 == element->count;
    body->line += lines;
    body->position += (size_t)(r.at - start);
    return FACET_OK;
}
