/* formats/ply/ascii.c - text records: numbers between blanks and line ends. Line ends have no
 * meaning, except for the lines of errors. */
#include "formats/ply/ascii.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "formats/ply/ply.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef facet_ply_text reader;
typedef facet_ply_column column;

/* -- Words -------------------------------------------------------------- */

static inline bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Count lines; they end with LF, CR LF or CR. There are two plain loops: a compiler can vectorize
 * the first, and few files need the second. */
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
    return r->body->line + r->lines + lines_between(r->mark, r->at);
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

/* Read NaN or infinity. */
static bool take_nonfinite(reader *r, double *value)
{
    const uint8_t *end = r->at;
    while (end < r->end && !is_space(*end))
        end++;
    if (!facet_number_parse_nonfinite(r->at, end, value))
        return false;
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

/* Read an integer, which some programs write with a decimal point. */
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
    if (facet_ply_store_whole(to, type, value))
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

/* Reserve space for `more` values of a list. The rest of the file can have that many. */
static facet_status reserve(reader *r, column *c, uint64_t more)
{
    if (more <= c->capacity - c->value_count)
        return FACET_OK;
    uint64_t grown = (uint64_t)c->capacity + c->capacity / 2 + more;
    if (c->value_count + more > UINT32_MAX)
        return facet_fail_line(r->body->error, FACET_ERROR_LIMIT, "PLY-LIMIT", line_here(r),
                               "lists have more than %" PRIu32 " values", UINT32_MAX);
    grown = grown > UINT32_MAX ? UINT32_MAX : grown;
    uint8_t *moved = facet_arena_resize(r->arena, c->values, c->capacity, (size_t)grown, c->size);
    if (!moved)
        return facet_fail_arena(r->arena, r->body->error);
    c->values = moved;
    c->capacity = (uint32_t)grown;
    return FACET_OK;
}

/* Create offsets, because this list has another length than the earlier ones. */
static facet_status make_offsets(reader *r, column *c)
{
    size_t count = (size_t)r->element->count + 1;
    c->offsets = facet_arena_allocate(r->arena, count, sizeof *c->offsets);
    if (!c->offsets)
        return facet_fail_arena(r->arena, r->body->error);
    for (uint32_t i = 0; i <= r->record; i++)
        c->offsets[i] = i * c->length;
    return FACET_OK;
}

static facet_status read_list(reader *r, column *c)
{
    const facet_ply_property *p = c->property;
    int64_t length = 0;
    uint8_t ignored[4];
    if (!skip_space(r))
        return no_value(r, p, true);
    const uint8_t *start = r->at;
    if (!take_integer(r, &length) || length < 0 ||
        !facet_ply_store_whole(ignored, p->count_type, length)) {
        r->at = start;
        return no_value(r, p, true);
    }
    /* Each value needs at least a blank and a digit. */
    if ((uint64_t)length > (uint64_t)(r->end - r->at + 1) / 2)
        return ends_early(r);
    facet_status status = reserve(r, c, (uint64_t)length);
    if (!status && r->record == 0)
        c->length = (uint32_t)length;
    if (!status && !c->offsets && (uint32_t)length != c->length)
        status = make_offsets(r, c);
    if (status)
        return status;
    uint8_t *to = c->values + (size_t)c->value_count * c->size;
    for (int64_t i = 0; i < length; i++, to += c->size) {
        if (!take_value(r, p->type, to))
            return no_value(r, p, false);
    }
    c->value_count += (uint32_t)length;
    if (c->offsets)
        c->offsets[r->record + 1] = c->value_count;
    return FACET_OK;
}

/* If a record ends its line, continue at the line feed, where the next line begins. */
static void end_line(reader *r)
{
    const uint8_t *at = r->at;
    while (at < r->end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    if (at < r->end && *at == '\n')
        r->at = at;
}

static facet_status read_record(reader *r)
{
    facet_status status = FACET_OK;
    uint8_t *row = r->rows + r->record * r->row_size;
    r->mark = r->at;
    for (uint32_t i = 0; i < r->element->property_count && !status; i++) {
        column *c = &r->columns[i];
        if (c->property->is_list)
            status = read_list(r, c);
        else if (!take_value(r, c->property->type, row + c->offset))
            status = no_value(r, c->property, false);
    }
    if (status)
        return status;
    r->lines += lines_between(r->mark, r->at);
    r->record++;
    end_line(r);
    return FACET_OK;
}

/* -- Columns ------------------------------------------------------------ */

/* Estimate the total number of values of a list: as many as the first value of each record, if the
 * list begins the record. */
static uint32_t guess_values(const reader *r, uint32_t property)
{
    uint64_t length = 3, most = (uint64_t)(r->end - r->at + 1) / 2;
    if (property == 0 && r->end - r->at > 1 && is_space(r->at[1]) && r->at[0] > '3' &&
        r->at[0] <= '9')
        length = (uint64_t)(r->at[0] - '0');
    uint64_t guess = r->element->count * length;
    guess = guess < most ? guess : most;
    return guess > UINT32_MAX ? UINT32_MAX : (uint32_t)guess;
}

static facet_status make_columns(reader *r)
{
    uint32_t count = r->element->property_count;
    r->columns = facet_arena_allocate_zeroed(r->arena, count, sizeof *r->columns);
    r->fours = facet_arena_allocate(r->arena, count, sizeof *r->fours);
    if (!r->columns || !r->fours)
        return facet_fail_arena(r->arena, r->body->error);
    for (uint32_t i = 0; i < count; i++) {
        column *c = &r->columns[i];
        c->property = &r->element->properties[i];
        c->size = facet_ply_type_size(c->property->type);
        c->offset = r->row_size;
        if (!c->property->is_list) {
            r->row_size += c->size;
            continue;
        }
        c->capacity = guess_values(r, i);
        c->values = facet_arena_allocate(r->arena, c->capacity, c->size);
        if (!c->values)
            return facet_fail_arena(r->arena, r->body->error);
    }
    r->rows = facet_arena_allocate(r->arena, r->element->count, r->row_size);
    return r->rows ? FACET_OK : facet_fail_arena(r->arena, r->body->error);
}

/* Store a column in the document. Lists of equal length need no offsets. */
static void finish_column(const reader *r, const column *c)
{
    facet_ply_property *p = c->property;
    p->data = p->is_list ? c->values : r->rows + c->offset;
    p->stride = p->is_list ? c->offsets ? c->size : c->length * c->size : r->row_size;
    if (!p->is_list)
        return;
    p->length = c->offsets ? 0 : c->length;
    p->offsets = c->offsets;
}

/* -- Elements ----------------------------------------------------------- */

/* Report progress. After pieces that had to be discarded, it does not decrease. */
static facet_status tell(const reader *r)
{
    const facet_source *source = r->body->source;
    double share = (double)(r->at - source->data) / (double)source->size;
    r->body->told = share > r->body->told ? share : r->body->told;
    return facet_step(r->body->options, "read", r->body->told, r->body->error);
}

/* Read records up to the first that begins at or after `limit`. */
static facet_status read_records(reader *r, const uint8_t *limit)
{
    facet_status status = FACET_OK;
    while (r->record < r->element->count && r->at < limit && !status) {
        uint32_t left = r->element->count - r->record, step = 65536 - r->record % 65536;
        facet_ply_run_lines(r, r->record + (step < left ? step : left), limit);
        if (r->record % 65536 == 0)
            status = tell(r);
        if (!status && r->record < r->element->count && r->at < limit)
            status = read_record(r);
    }
    return status;
}

/* Read all records from the second on. */
static facet_status read_rest(reader *r)
{
    facet_ply_piece *pieces = NULL;
    uint32_t count = 0;
    facet_status status = facet_ply_run_pieces(r, &pieces, &count);
    if (!status && count > 0)
        r->body->told = (double)(pieces[count - 1].begin - r->body->source->data) /
                        (double)r->body->source->size;
    for (uint32_t i = 0; i < count && !status; i++) {
        facet_ply_adopt(r, &pieces[i]);
        status = read_records(r, i + 1 < count ? pieces[i + 1].begin : r->end);
    }
    return status || count > 0 ? status : read_records(r, r->end);
}

/* Bytes of the file to copy at a time, for the thread that reads what others could not. */
#define BLOCK ((size_t)256 << 10)

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
    /* Each number needs at least a digit, and all except the last a blank. */
    uint64_t most = ((uint64_t)(r.end - r.at) + 1) / 2;
    if (element->count > most / element->property_count)
        return facet_ply_too_short(body, element);
    facet_status status = make_columns(&r);
    if (!status)
        status = read_record(&r);
    if (!status) {
        facet_ply_plan_lines(&r);
        uint8_t *bytes = NULL;
        if (facet_source_is_mapped(body->source))
            bytes = facet_arena_allocate(ply->arena, BLOCK, 1);
        r.block = facet_block_make(body->source, bytes, BLOCK);
        status = read_rest(&r);
        if (!status && r.record < element->count)
            status = ends_early(&r);
        facet_arena_release(ply->arena, bytes, BLOCK, 1);
    }
    if (status)
        return status;
    for (uint32_t i = 0; i < element->property_count; i++)
        finish_column(&r, &r.columns[i]);
    element->one_per_line = r.lines + 1 == element->count;
    body->line += r.lines;
    body->position += (size_t)(r.at - start);
    return FACET_OK;
}
