/* formats/stl/ascii.c - the statements of an ASCII STL.
 *
 *   solid NAME
 *     facet normal X Y Z
 *       outer loop
 *         vertex X Y Z        three of them
 *       endloop
 *     endfacet
 *   endsolid NAME
 *
 * Letter case and line ends are ignored, except in names, which end their line. The reader accepts
 * more that programs write: "end loop" in two words, "color R G B" in a facet, and comments from #
 * to the end of a line. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/report.h"
#include "formats/stl/stl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct reader {
    const facet_source *source;
    const uint8_t *at, *end;
    facet_report *report;
    facet_error *error;
    facet_stl *stl;
    uint8_t *triangles;
    uint32_t triangle_capacity, solid_capacity;
    facet_tally colors; /* facets with a color, by byte */
    bool inside;        /* inside a solid */
} reader;

/* -- Words -------------------------------------------------------------- */

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_line(reader *r)
{
    while (r->at < r->end && *r->at != '\n' && *r->at != '\r')
        r->at++;
}

static void skip_space(reader *r)
{
    for (;;) {
        while (r->at < r->end && is_space(*r->at))
            r->at++;
        if (r->at == r->end || *r->at != '#')
            return;
        skip_line(r);
    }
}

static uint64_t line_of(const reader *r, const uint8_t *at)
{
    uint64_t line = 1;
    for (const uint8_t *p = r->source->data; p < at; p++)
        line += *p == '\n' || (*p == '\r' && !(p + 1 < at && p[1] == '\n'));
    return line;
}

/* Take the next word if it equals `word`, which is in lower case. */
static bool take(reader *r, const char *word)
{
    skip_space(r);
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length)
        return false;
    for (size_t i = 0; i < length; i++) {
        if ((r->at[i] | 0x20) != (uint8_t)word[i])
            return false;
    }
    if (r->at + length < r->end && !is_space(r->at[length]))
        return false;
    r->at += length;
    return true;
}

/* Take "endloop" or "end loop". */
static bool take_end(reader *r, const char *word)
{
    const uint8_t *before = r->at;
    if (take(r, word) || (take(r, "end") && take(r, word + strlen("end"))))
        return true;
    r->at = before;
    return false;
}

static facet_status unexpected(reader *r, const char *rule, const char *expected)
{
    skip_space(r);
    const uint8_t *end = r->at;
    while (end < r->end && !is_space(*end))
        end++;
    facet_quoted quoted;
    return facet_fail_line(
        r->error, FACET_ERROR_MALFORMED, rule, line_of(r, r->at), "found '%s', expected %s",
        r->at == r->end ? "the end of the file"
                        : facet_quote(&quoted, (const char *)r->at, (size_t)(end - r->at)),
        expected);
}

/* -- Numbers ------------------------------------------------------------ */

/* Read NaN or infinity. */
static bool take_nonfinite(reader *r, float *value)
{
    double nonfinite;
    const uint8_t *end = r->at;
    while (end < r->end && !is_space(*end))
        end++;
    if (!facet_number_parse_nonfinite(r->at, end, &nonfinite))
        return false;
    *value = (float)nonfinite;
    r->at = end;
    return true;
}

static inline bool take_number(reader *r, float *value)
{
    skip_space(r);
    const uint8_t *next = NULL;
    if (r->end - r->at > FACET_NUMBER_REACH)
        next = facet_number_fast(r->at, value);
    if (!next || !is_space(*next))
        next = facet_number_parse(r->at, r->end, value);
    if (!next || (next < r->end && !is_space(*next)))
        return take_nonfinite(r, value);
    r->at = next;
    return true;
}

static facet_status take_numbers(reader *r, float values[3])
{
    for (int i = 0; i < 3; i++) {
        if (!take_number(r, &values[i]))
            return unexpected(r, "STL-NUMBER", "a number");
    }
    return FACET_OK;
}

/* -- Facets ------------------------------------------------------------- */

static facet_status add_triangle(reader *r, const facet_stl_triangle *triangle)
{
    facet_stl *stl = r->stl;
    if (stl->triangle_count == r->triangle_capacity) {
        /* A facet takes more bytes as text than as a record. */
        uint32_t more = r->triangle_capacity / 2 + 64;
        if (r->triangle_capacity > UINT32_MAX / 3 - more)
            return facet_fail_line(r->error, FACET_ERROR_LIMIT, "STL-LIMIT", line_of(r, r->at),
                                   "there are more than %" PRIu32 " triangles",
                                   r->triangle_capacity);
        uint8_t *grown = facet_arena_resize(stl->arena, r->triangles, r->triangle_capacity,
                                            r->triangle_capacity + more, FACET_STL_RECORD_SIZE);
        if (!grown)
            return facet_fail_arena(stl->arena, r->error);
        r->triangles = grown;
        r->triangle_capacity += more;
    }
    facet_stl_put(r->triangles + (size_t)stl->triangle_count * FACET_STL_RECORD_SIZE, triangle);
    stl->triangle_count++;
    stl->solids[stl->solid_count - 1].triangle_count++;
    return FACET_OK;
}

static facet_status skip_color(reader *r)
{
    float color[3];
    skip_space(r);
    const uint8_t *at = r->at;
    if (!take(r, "color"))
        return FACET_OK;
    facet_tally_hit(&r->colors, (uint64_t)(at - r->source->data));
    return take_numbers(r, color);
}

/* Read a facet after the word "facet". */
static facet_status read_facet(reader *r)
{
    facet_stl_triangle triangle = {0};
    if (!take(r, "normal"))
        return unexpected(r, "STL-STATEMENT", "'normal'");
    facet_status status = take_numbers(r, triangle.normal);
    if (!status)
        status = skip_color(r);
    if (!status && !(take(r, "outer") && take(r, "loop")))
        return unexpected(r, "STL-STATEMENT", "'outer loop'");
    for (int corner = 0; corner < 3 && !status; corner++) {
        if (!take(r, "vertex"))
            return unexpected(r, "STL-FACET", "three of 'vertex' in each facet");
        status = take_numbers(r, triangle.corners[corner]);
    }
    if (status)
        return status;
    if (!take_end(r, "endloop"))
        return unexpected(r, "STL-FACET", "'endloop' after three vertices");
    if (!take_end(r, "endfacet"))
        return unexpected(r, "STL-STATEMENT", "'endfacet'");
    return add_triangle(r, &triangle);
}

/* -- Solids ------------------------------------------------------------- */

/* The rest of the line, trimmed. */
static const char *take_name(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
    const uint8_t *start = r->at;
    skip_line(r);
    const uint8_t *end = r->at;
    while (end > start && is_space(end[-1]))
        end--;
    return facet_arena_utf8(r->stl->arena, (const char *)start, (size_t)(end - start));
}

static facet_status begin_solid(reader *r)
{
    facet_stl *stl = r->stl;
    if (stl->solid_count == r->solid_capacity) {
        uint32_t more = r->solid_capacity / 2 + 4;
        facet_stl_solid *grown =
            facet_arena_resize(stl->arena, stl->solids, r->solid_capacity,
                               (size_t)r->solid_capacity + more, sizeof *grown);
        if (!grown)
            return facet_fail_arena(stl->arena, r->error);
        stl->solids = grown;
        r->solid_capacity += more;
    }
    const char *name = take_name(r);
    if (!name)
        return facet_fail_arena(stl->arena, r->error);
    stl->solids[stl->solid_count++] = (facet_stl_solid){name, stl->triangle_count, 0};
    r->inside = true;
    return FACET_OK;
}

static facet_status read_statement(reader *r)
{
    if (r->inside && take(r, "facet"))
        return read_facet(r);
    if (r->inside && take_end(r, "endsolid")) {
        skip_line(r);
        r->inside = false;
        return FACET_OK;
    }
    if (!r->inside && take(r, "solid"))
        return begin_solid(r);
    return unexpected(r, "STL-STATEMENT", r->inside ? "'facet' or 'endsolid'" : "'solid'");
}

facet_status facet_stl_read_ascii(const facet_source *source, const facet_options *options,
                                  facet_stl *stl, facet_error *error)
{
    static const uint8_t mark[3] = {0xEF, 0xBB, 0xBF};
    reader r = {.source = source,
                .at = source->data,
                .end = source->data + source->size,
                .report = options ? options->report : NULL,
                .error = error,
                .stl = stl};
    if (source->size >= 3 && memcmp(source->data, mark, 3) == 0)
        r.at += 3;
    stl->encoding = FACET_STL_ASCII;
    facet_status status = FACET_OK;
    uint32_t reported = 0;
    for (skip_space(&r); r.at < r.end && !status; skip_space(&r)) {
        if (stl->triangle_count >= reported) {
            status = facet_step(options, "read",
                                (double)(r.at - source->data) / (double)source->size, error);
            reported = stl->triangle_count + 65536;
        }
        if (!status)
            status = read_statement(&r);
    }
    if (!status && r.inside)
        facet_report_add_line(r.report, "STL-END", FACET_SEVERITY_WARNING, line_of(&r, r.end),
                              "the file ends before its solid does, expected 'endsolid'");
    if (!status && r.colors.count > 0)
        facet_report_add_tally_line(r.report, "LOSS-COLORS", FACET_SEVERITY_WARNING,
                                    line_of(&r, source->data + r.colors.first), &r.colors,
                                    "the color of a facet is left out");
    stl->triangles = r.triangles;
    return status;
}
