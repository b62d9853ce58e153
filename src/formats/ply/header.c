/* formats/ply/header.c - the lines of a PLY header.
 *
 * All lines end like the first: LF, CR LF or CR. This decides where the data begin: after
 * "end_header" and LF, a byte 0x0A belongs to the data. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "formats/ply/ply.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

typedef struct word {
    const char *at;
    size_t length;
} word;

typedef struct reader {
    const char *at, *end; /* the rest of the file */
    const char *begin;
    char newline; /* the last byte of a line end */
    const char *line_at, *line_end;
    uint64_t line;
    facet_report *report;
    facet_error *error;
    facet_ply *ply;
    bool has_format;
    facet_tally unknown, surplus, duplicates; /* counts of lines, and the first of each kind */
    facet_quoted unknown_word, surplus_word, duplicate_name;
    facet_names elements, properties; /* names so far; properties: of the last element */
    uint32_t element_capacity, property_capacity, comment_capacity, info_capacity;
} reader;

/* -- Lines and words ---------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* False if the file ends before the line ends. */
static bool next_line(reader *r)
{
    r->line_at = r->at;
    r->line++;
    const char *stop = memchr(r->at, r->newline, (size_t)(r->end - r->at));
    r->line_end = stop ? stop : r->end;
    r->at = stop ? stop + 1 : r->end;
    if (r->newline == '\n' && r->line_end > r->line_at && r->line_end[-1] == '\r')
        r->line_end--;
    return stop != NULL;
}

/* The next word of the line; its length is 0 at the end. */
static word next_word(reader *r)
{
    while (r->line_at < r->line_end && is_blank(*r->line_at))
        r->line_at++;
    word found = {r->line_at, 0};
    while (r->line_at < r->line_end && !is_blank(*r->line_at))
        r->line_at++;
    found.length = (size_t)(r->line_at - found.at);
    return found;
}

/* Skip and count the words after a statement: they have no meaning. */
static void skip_surplus(reader *r)
{
    word surplus = next_word(r);
    if (surplus.length == 0)
        return;
    if (r->surplus.count == 0)
        facet_quote(&r->surplus_word, surplus.at, surplus.length);
    facet_tally_hit(&r->surplus, r->line);
}

static bool is(word w, const char *text)
{
    return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

static facet_status fail(const reader *r, facet_status status, const char *rule, const char *format,
                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(r->error, status, rule, FACET_NO_OFFSET, r->line, format, arguments);
    va_end(arguments);
    return status;
}

static facet_status expected(const reader *r, const char *rule, word found, const char *what)
{
    facet_quoted quoted;
    return fail(r, FACET_ERROR_MALFORMED, rule, "found '%s', expected %s",
                facet_quote(&quoted, found.at, found.length), what);
}

/* Reserve space for one more item of a growing array. */
static facet_status reserve(reader *r, void **items, uint32_t count, uint32_t *capacity,
                            size_t size)
{
    return facet_arena_grow(r->ply->arena, items, count, capacity, size)
               ? FACET_OK
               : facet_fail_arena(r->ply->arena, r->error);
}

/* -- Statements --------------------------------------------------------- */

static facet_status read_format(reader *r)
{
    word encoding = next_word(r), version = next_word(r);
    facet_ply_encoding *to = &r->ply->encoding;
    r->has_format = true;
    if (is(encoding, "ascii"))
        *to = FACET_PLY_ASCII;
    else if (is(encoding, "binary_little_endian"))
        *to = FACET_PLY_LITTLE_ENDIAN;
    else if (is(encoding, "binary_big_endian"))
        *to = FACET_PLY_BIG_ENDIAN;
    else
        return expected(r, "PLY-FORMAT", encoding,
                        "ascii, binary_little_endian or binary_big_endian");
    if (!is(version, "1.0"))
        facet_report_add_line(r->report, "PLY-VERSION", FACET_SEVERITY_WARNING, r->line,
                              "the version is not 1.0, it is read as if it were");
    return FACET_OK;
}

/* Keep the rest of the line, after one blank. */
static facet_status read_text(reader *r, const char ***texts, uint32_t *count, uint32_t *capacity)
{
    if (r->line_at < r->line_end && is_blank(*r->line_at))
        r->line_at++;
    TRY(reserve(r, (void **)texts, *count, capacity, sizeof **texts));
    const char *text =
        facet_arena_utf8(r->ply->arena, r->line_at, (size_t)(r->line_end - r->line_at));
    if (!text)
        return facet_fail_arena(r->ply->arena, r->error);
    /* If lines end with LF, a CR is a blank. */
    for (char *c = (char *)(uintptr_t)text; *c; c++)
        *c = *c == '\r' || *c == '\n' ? ' ' : *c;
    (*texts)[(*count)++] = text;
    return FACET_OK;
}

/* Keep a name. A duplicate in the same list gets a warning. */
static facet_status read_name(reader *r, word name, facet_names *names, const char **kept)
{
    *kept = facet_arena_utf8(r->ply->arena, name.at, name.length);
    if (!*kept)
        return facet_fail_arena(r->ply->arena, r->error);
    uint32_t count = names->count;
    uint32_t number = facet_names_put(names, *kept, strlen(*kept));
    if (number == FACET_NONE)
        return facet_fail_arena(r->ply->arena, r->error);
    if (names->count == count) {
        if (r->duplicates.count == 0)
            facet_quote(&r->duplicate_name, name.at, name.length);
        facet_tally_hit(&r->duplicates, r->line);
    }
    return FACET_OK;
}

static facet_status read_element(reader *r)
{
    facet_ply *ply = r->ply;
    word name = next_word(r), number = next_word(r);
    uint64_t count = 0;
    if (!facet_ply_is_word(name.at, name.length))
        return expected(r, "PLY-ELEMENT", name, "the name of an element");
    for (size_t i = 0; i < number.length; i++) {
        if (number.at[i] < '0' || number.at[i] > '9')
            return expected(r, "PLY-ELEMENT", number, "a number of records");
        count = count > UINT32_MAX ? count : count * 10 + (uint64_t)(number.at[i] - '0');
    }
    if (number.length == 0)
        return expected(r, "PLY-ELEMENT", number, "a number of records");
    if (count >= UINT32_MAX)
        return fail(r, FACET_ERROR_LIMIT, "PLY-LIMIT",
                    "an element has more than 4294967294 records");
    TRY(reserve(r, (void **)&ply->elements, ply->element_count, &r->element_capacity,
                sizeof *ply->elements));
    facet_ply_element *element = &ply->elements[ply->element_count++];
    *element = (facet_ply_element){.count = (uint32_t)count};
    r->property_capacity = 0;
    facet_names_free(&r->properties);
    return read_name(r, name, &r->elements, &element->name);
}

static facet_status read_property(reader *r)
{
    facet_ply *ply = r->ply;
    facet_ply_property property = {.length = 1};
    if (ply->element_count == 0)
        return fail(r, FACET_ERROR_MALFORMED, "PLY-PROPERTY",
                    "a property is before the first element");
    facet_ply_element *element = &ply->elements[ply->element_count - 1];
    word type = next_word(r);
    if (is(type, "list")) {
        word count = next_word(r);
        property.is_list = true;
        if (!facet_ply_type_named(count.at, count.length, &property.count_type) ||
            property.count_type > FACET_PLY_UINT32)
            return expected(r, "PLY-TYPE", count, "a whole type of a list's length");
        type = next_word(r);
    }
    if (!facet_ply_type_named(type.at, type.length, &property.type))
        return expected(r, "PLY-TYPE", type,
                        "a type: char, uchar, short, ushort, int, uint, "
                        "float, double, or int8 ... float64");
    word name = next_word(r);
    if (!facet_ply_is_word(name.at, name.length))
        return expected(r, "PLY-PROPERTY", name, "the name of a property");
    facet_status status = reserve(r, (void **)&element->properties, element->property_count,
                                  &r->property_capacity, sizeof property);
    if (!status)
        status = read_name(r, name, &r->properties, &property.name);
    if (!status)
        element->properties[element->property_count++] = property;
    return status;
}

static facet_status read_line(reader *r, bool *done)
{
    facet_status status = FACET_OK;
    word keyword = next_word(r);
    if (is(keyword, "comment"))
        return read_text(r, &r->ply->comments, &r->ply->comment_count, &r->comment_capacity);
    if (is(keyword, "obj_info"))
        return read_text(r, &r->ply->infos, &r->ply->info_count, &r->info_capacity);
    *done = is(keyword, "end_header");
    if (is(keyword, "property")) {
        status = read_property(r);
    } else if (is(keyword, "element")) {
        status = read_element(r);
    } else if (is(keyword, "format")) {
        status = read_format(r);
    } else if (!*done) {
        if (keyword.length > 0 && r->unknown.count == 0)
            facet_quote(&r->unknown_word, keyword.at, keyword.length);
        if (keyword.length > 0)
            facet_tally_hit(&r->unknown, r->line);
        return FACET_OK;
    }
    if (!status)
        skip_surplus(r);
    return status;
}

/* -- The header --------------------------------------------------------- */

static facet_status read_magic(reader *r)
{
    size_t size = (size_t)(r->end - r->at);
    const char *after = r->at + 3;
    if (size < 4 || memcmp(r->at, "ply", 3) != 0 ||
        (!is_blank(*after) && *after != '\r' && *after != '\n'))
        return facet_fail_line(r->error, FACET_ERROR_MALFORMED, "PLY-MAGIC", 1,
                               "the file does not begin with a line 'ply'");
    while (after < r->end && is_blank(*after))
        after++;
    bool alone = after < r->end && *after == '\r' && !(after + 1 < r->end && after[1] == '\n');
    r->newline = alone ? '\r' : '\n';
    next_line(r);
    next_word(r); /* the magic "ply" */
    skip_surplus(r);
    return FACET_OK;
}

static facet_status read_lines(reader *r)
{
    bool done = false;
    facet_status status = read_magic(r);
    while (!status && !done) {
        bool whole = next_line(r);
        status = read_line(r, &done);
        if (!status && !done && !whole)
            return fail(r, FACET_ERROR_MALFORMED, "PLY-HEADER",
                        "the header of the PLY has no end, expected 'end_header'");
    }
    if (!status && !r->has_format)
        return fail(r, FACET_ERROR_MALFORMED, "PLY-FORMAT", "the header has no line 'format'");
    return status;
}

facet_status facet_ply_read_header(const facet_source *source, facet_report *report, facet_ply *ply,
                                   size_t *body, uint64_t *line, facet_error *error)
{
    const char *begin = (const char *)source->data;
    reader r = {.at = begin,
                .begin = begin,
                .end = begin + source->size,
                .report = report,
                .error = error,
                .ply = ply,
                .elements = facet_names_make(ply->arena),
                .properties = facet_names_make(ply->arena)};
    facet_status status = read_lines(&r);
    facet_report_add_tally_line(report, "PLY-LINE", FACET_SEVERITY_WARNING, r.unknown.first,
                                &r.unknown, "unknown header line '%s' is ignored",
                                r.unknown_word.text);
    facet_report_add_tally_line(
        report, "PLY-SURPLUS", FACET_SEVERITY_WARNING, r.surplus.first, &r.surplus,
        "'%s' is after the last word of the line, expected its end", r.surplus_word.text);
    facet_report_add_tally_line(
        report, "PLY-DUPLICATE", FACET_SEVERITY_WARNING, r.duplicates.first, &r.duplicates,
        "a second element or property '%s'; the first is used", r.duplicate_name.text);
    *body = (size_t)(r.at - begin);
    *line = r.line + 1;
    facet_names_free(&r.properties);
    facet_names_free(&r.elements);
    return status;
}
