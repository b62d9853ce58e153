/* formats/obj/statements.c - the statements of an OBJ, line by line.
 *
 * formats/obj/fast.c parses plain lines. It stops before any other line, and
 * facet_obj_run_statement parses that line by the full grammar. */
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "base/size.h"
#include "formats/obj/reader.h"
#include "scene/material.h"

#include <inttypes.h>
#include <string.h>

static void tally(facet_obj_reader *r, int what, const uint8_t *at)
{
    facet_tally_hit(&r->tallies[what], (uint64_t)(at - r->source->data));
}

/* -- Elements ----------------------------------------------------------- */

/* Parse all numbers up to the end of the line, and store the first `most`. */
static facet_status parse_numbers(facet_obj_reader *r, const uint8_t *line, const uint8_t *at,
                                  facet_text word, float *values, int least, int most, int *count)
{
    facet_quoted quoted;
    *count = 0;
    for (;;) {
        at = facet_text_skip_blanks(at, r->end);
        if (facet_text_at_end(at, r->end))
            break;
        facet_text text = facet_text_word(at, r->end);
        float value;
        if (facet_number_parse(text.at, text.end, &value) != text.end)
            return facet_obj_fail(
                r, FACET_ERROR_MALFORMED, "OBJ-NUMBER", line,
                "found '%s', expected a finite number for %.*s",
                facet_quote(&quoted, (const char *)text.at, facet_text_length(text)),
                (int)facet_text_length(word), (const char *)word.at);
        if (*count < most)
            values[*count] = value;
        ++*count;
        at = text.end;
    }
    if (*count < least)
        return facet_obj_fail(r, FACET_ERROR_MALFORMED, "OBJ-NUMBER", line,
                              "%.*s has %d numbers, expected at least %d",
                              (int)facet_text_length(word), (const char *)word.at, *count, least);
    if (*count > most)
        tally(r, FACET_OBJ_EXTRA_NUMBERS, line);
    return FACET_OK;
}

/* Start colors: all earlier positions become white. */
static facet_status begin_colors(facet_obj_reader *r)
{
    facet_obj_elements *e = &r->elements[FACET_OBJ_POSITION];
    facet_status status =
        facet_obj_resize(r, r->arena, (void **)&r->colors, 0, e->capacity, 3 * sizeof(float));
    for (size_t i = 0; i < (size_t)e->count * 3 && !status; i++)
        r->colors[i] = 1;
    r->colorless = e->count;
    return status;
}

static facet_status read_position(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    float values[7];
    int count;
    facet_status status = parse_numbers(r, line, word.end, word, values, 3, 7, &count);
    if (!status)
        status = facet_obj_space_for_element(r, FACET_OBJ_POSITION, line);
    bool colored = count >= 6;
    if (!status && colored && !r->colors)
        status = begin_colors(r);
    if (status)
        return status;
    if (count == 5 || (count >= 7 && values[6] != 1)) /* alpha is dropped */
        tally(r, FACET_OBJ_EXTRA_NUMBERS, line);
    if (count == 4 && values[3] != 1)
        tally(r, FACET_OBJ_WEIGHTS, line);
    facet_obj_elements *e = &r->elements[FACET_OBJ_POSITION];
    memcpy(e->data + (size_t)e->count * 3, values, 3 * sizeof *values);
    static const float white[3] = {1, 1, 1};
    if (r->colors)
        memcpy(r->colors + (size_t)e->count * 3, colored ? values + 3 : white, sizeof white);
    r->colorless += r->colors && !colored;
    e->count++;
    return FACET_OK;
}

static facet_status read_texcoord(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    float values[3] = {0, 0, 0};
    int count;
    facet_status status = parse_numbers(r, line, word.end, word, values, 1, 3, &count);
    if (!status)
        status = facet_obj_space_for_element(r, FACET_OBJ_TEXCOORD, line);
    facet_obj_elements *e = &r->elements[FACET_OBJ_TEXCOORD];
    if (!status && values[2] != 0 && !r->depths) {
        status = facet_obj_resize(r, r->arena, (void **)&r->depths, 0, e->capacity, sizeof(float));
        if (!status)
            memset(r->depths, 0, e->count * sizeof(float));
    }
    if (status)
        return status;
    memcpy(e->data + (size_t)e->count * 2, values, 2 * sizeof *values);
    if (r->depths)
        r->depths[e->count] = values[2];
    e->count++;
    return FACET_OK;
}

static facet_status read_normal(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    float values[3];
    int count;
    TRY(parse_numbers(r, line, word.end, word, values, 3, 3, &count));
    TRY(facet_obj_space_for_element(r, FACET_OBJ_NORMAL, line));
    facet_obj_elements *e = &r->elements[FACET_OBJ_NORMAL];
    memcpy(e->data + (size_t)e->count++ * 3, values, sizeof values);
    return FACET_OK;
}

/* -- Faces -------------------------------------------------------------- */

/* Convert an index of the file to one from 0. A negative index must refer to an existing element.
 * Others can refer to later elements, and are checked at the end. */
static facet_status resolve(facet_obj_reader *r, const uint8_t *line, int kind, int64_t written,
                            uint32_t *index)
{
    uint32_t count = r->dropped[kind] + r->elements[kind].count;
    if (written == FACET_OBJ_ZERO) {
        *index = FACET_NONE; /* the same value as in formats/obj/fast.c; check_maxima finds it */
        return FACET_OK;
    }
    if (written < 0 ? -written > count : written > FACET_OBJ_MAX)
        return facet_obj_fail(r, FACET_ERROR_MALFORMED, "OBJ-INDEX", line,
                              "%s %" PRId64 " is named, but the file has %" PRIu32 " so far",
                              facet_obj_kind_names[kind], written, count);
    *index = (uint32_t)(written < 0 ? count + written : written - 1);
    return FACET_OK;
}

/* Start texcoord or normal indices: earlier corners have none. */
facet_status facet_obj_begin_indices(facet_obj_reader *r, int kind)
{
    facet_status status = facet_obj_resize(r, r->arena, (void **)&r->indices[kind], 0,
                                           r->corner_capacity, sizeof(uint32_t));
    if (!status && r->corner_count > 0) {
        memset(r->indices[kind], 0xFF, r->corner_count * sizeof(uint32_t));
        r->different[kind] = 1;
    }
    return status;
}

static facet_status read_corner(facet_obj_reader *r, const uint8_t *line,
                                const facet_obj_corner *corner)
{
    facet_status status = facet_obj_space_for_corner(r, line);
    for (int kind = 0; kind < FACET_OBJ_KINDS && !status; kind++) {
        if (corner->index[kind] == 0) {
            r->different[kind] = 1;
            if (r->indices[kind])
                r->indices[kind][r->corner_count] = FACET_NONE;
            continue;
        }
        uint32_t index = 0;
        status = resolve(r, line, kind, corner->index[kind], &index);
        if (!status && !r->indices[kind])
            status = facet_obj_begin_indices(r, kind);
        if (status)
            break;
        r->indices[kind][r->corner_count] = index;
        r->different[kind] |= index ^ r->indices[FACET_OBJ_POSITION][r->corner_count];
        if (index > r->maxima[kind])
            r->maxima[kind] = index;
    }
    r->corner_count += status == FACET_OK;
    return status;
}

/* Start offsets at the first face that is not a triangle. */
facet_status facet_obj_begin_offsets(facet_obj_reader *r)
{
    facet_status status = facet_obj_resize(r, r->arena, (void **)&r->offsets, 0,
                                           r->face_capacity + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i <= r->face_count && !status; i++)
        r->offsets[i] = i * 3;
    return status;
}

static facet_status read_corners(facet_obj_reader *r, const uint8_t *line, const uint8_t *at)
{
    facet_quoted quoted;
    facet_status status = FACET_OK;
    while (!status) {
        at = facet_text_skip_blanks(at, r->end);
        if (facet_text_at_end(at, r->end))
            break;
        facet_text word = facet_text_word(at, r->end);
        facet_obj_corner corner;
        at = facet_obj_parse_corner(at, r->end, &corner);
        if (!at)
            return facet_obj_fail(
                r, FACET_ERROR_MALFORMED, "OBJ-FACE", line,
                "'%s' is not a corner of a face, expected v, v/vt, v//vn or v/vt/vn",
                facet_quote(&quoted, (const char *)word.at, facet_text_length(word)));
        r->face_has_texcoord = corner.index[FACET_OBJ_TEXCOORD] != 0;
        r->face_has_normal = corner.index[FACET_OBJ_NORMAL] != 0;
        status = read_corner(r, line, &corner);
    }
    return status;
}

static facet_status read_face(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    uint32_t first = r->corner_count;
    facet_status status = facet_obj_space_for_face(r, line);
    if (!status)
        status = read_corners(r, line, word.end);
    uint32_t count = r->corner_count - first;
    if (!status && count != 3 && count >= 3 && !r->offsets)
        status = facet_obj_begin_offsets(r);
    if (status || count < 3) {
        r->corner_count = first;
        if (!status)
            tally(r, FACET_OBJ_FACE_SMALL, line);
        return status;
    }
    r->face_count++;
    if (r->offsets)
        r->offsets[r->face_count] = r->corner_count;
    return FACET_OK;
}

/* -- Runs ---------------------------------------------------------------- */

/* Set the value from a face, line or point on. */
static facet_status begin_run(facet_obj_reader *r, facet_obj_runs *list, uint32_t first,
                              uint32_t value, const uint8_t *line)
{
    facet_obj_run *last = list->count > 0 ? &list->items[list->count - 1] : NULL;
    if (last && (last->value == value || last->first_face == first)) {
        last->value = value;
        return FACET_OK;
    }
    TRY(facet_obj_space(r, (void **)&list->items, list->count, &list->capacity, sizeof *list->items,
                        line));
    list->items[list->count].first_face = first;
    list->items[list->count++].value = value;
    return FACET_OK;
}

/* Set the value for the next faces. */
static facet_status set_run(facet_obj_reader *r, facet_obj_runs *list, uint32_t value,
                            const uint8_t *line)
{
    return begin_run(r, list, r->face_count, value, line);
}

/* -- Lines and points ---------------------------------------------------- */

static facet_status add_end(facet_obj_reader *r, facet_obj_ends *ends, uint32_t position,
                            const uint8_t *line)
{
    TRY(facet_obj_space(r, (void **)&ends->items, ends->count, &ends->capacity, sizeof *ends->items,
                        line));
    ends->items[ends->count++] = position;
    if (position > ends->maximum || !ends->line) {
        ends->maximum = position;
        ends->line = line;
    }
    return FACET_OK;
}

/* Give the current material to the next lines of two ends, or points. */
static facet_status begin_material(facet_obj_reader *r, facet_obj_ends *ends, uint32_t size,
                                   const uint8_t *line)
{
    uint32_t count = r->materials.count;
    uint32_t material = count > 0 ? r->materials.items[count - 1].value : FACET_NONE;
    return begin_run(r, &ends->materials, ends->count / size, material, line);
}

/* Read the positions of a statement: all are points, or adjacent ones are lines. */
static facet_status read_ends(facet_obj_reader *r, const uint8_t *line, const uint8_t *at,
                              bool are_lines)
{
    facet_quoted quoted;
    bool has_texcoord = false;
    uint32_t before = 0;
    TRY(begin_material(r, are_lines ? &r->lines : &r->points, are_lines ? 2 : 1, line));
    for (uint32_t count = 0;; count++) {
        at = facet_text_skip_blanks(at, r->end);
        if (facet_text_at_end(at, r->end))
            break;
        facet_text word = facet_text_word(at, r->end);
        facet_obj_corner corner;
        at = facet_obj_parse_corner(at, r->end, &corner);
        if (!at)
            return facet_obj_fail(
                r, FACET_ERROR_MALFORMED, "OBJ-FACE", line,
                "'%s' is not a vertex of a %s, expected v%s",
                facet_quote(&quoted, (const char *)word.at, facet_text_length(word)),
                are_lines ? "line" : "point", are_lines ? " or v/vt" : "");
        uint32_t position = 0;
        TRY(resolve(r, line, FACET_OBJ_POSITION, corner.index[FACET_OBJ_POSITION], &position));
        if (position == FACET_NONE)
            return facet_obj_fail(r, FACET_ERROR_MALFORMED, "OBJ-INDEX", line,
                                  "vertex 0 is named, expected numbers from 1");
        has_texcoord |= corner.index[FACET_OBJ_TEXCOORD] != 0;
        if (!are_lines)
            TRY(add_end(r, &r->points, position, line));
        if (are_lines && count > 0) {
            TRY(add_end(r, &r->lines, before, line));
            TRY(add_end(r, &r->lines, position, line));
        }
        before = position;
    }
    if (has_texcoord)
        tally(r, FACET_OBJ_LINE_TEXCOORDS, line);
    if (r->line_object != r->object || r->line_group != r->group)
        tally(r, FACET_OBJ_LINE_NAMES, line);
    r->line_object = r->object;
    r->line_group = r->group;
    return FACET_OK;
}

static facet_status read_line(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    return read_ends(r, line, word.end, true);
}

static facet_status read_points(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    return read_ends(r, line, word.end, false);
}

/* -- Names and groups --------------------------------------------------- */

/* Store a name once, even if it occurs many times. */
static facet_status keep_name(facet_obj_reader *r, facet_text text, const char **name)
{
    bool changed = false;
    const char *string = facet_text_string(r->scratch, text, &changed);
    if (!string)
        return facet_obj_no_memory(r);
    if (changed)
        tally(r, FACET_OBJ_LATIN_NAMES, text.at);
    uint32_t known = facet_names_find(&r->strings, string, strlen(string));
    if (known != FACET_NONE) {
        *name = r->strings.items[known].text;
        return FACET_OK;
    }
    string = facet_scene_string(r->scene, string);
    if (!string || facet_names_put(&r->strings, string, strlen(string)) == FACET_NONE)
        return facet_obj_no_memory(r);
    *name = string;
    return FACET_OK;
}

/* `o` or `g`: the next faces are another part. */
static facet_status read_part(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    const char **name = *word.at == 'o' ? &r->object : &r->group;
    TRY(keep_name(r, facet_text_rest(word.end, r->end), name));
    TRY(facet_obj_space(r, (void **)&r->part_names, r->part_name_count, &r->part_name_capacity,
                        sizeof *r->part_names, line));
    TRY(set_run(r, &r->parts, r->part_name_count, line));
    facet_part part = {r->object, r->group, 0, 0};
    r->part_names[r->part_name_count++] = part;
    return FACET_OK;
}

static facet_status read_usemtl(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    facet_text rest = facet_text_rest(word.end, r->end);
    if (facet_text_length(rest) == 0)
        return set_run(r, &r->materials, FACET_NONE, line);
    bool changed = false;
    const char *string = facet_text_string(r->scratch, rest, &changed);
    if (!string)
        return facet_obj_no_memory(r);
    if (changed)
        tally(r, FACET_OBJ_LATIN_NAMES, line);
    uint32_t known = facet_names_find(&r->library.names, string, strlen(string));
    if (known != FACET_NONE)
        return set_run(r, &r->materials, known, line);
    facet_material *material;
    TRY(facet_scene_add_named_material(r->scene, string, &material, r->error));
    uint32_t index = facet_names_put(&r->library.names, material->name, strlen(material->name));
    if (index == FACET_NONE)
        return facet_obj_no_memory(r);
    return set_run(r, &r->materials, index, line);
}

static facet_status read_smoothing(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    facet_text rest = facet_text_rest(word.end, r->end);
    facet_text text = facet_text_word(rest.at, rest.end);
    int64_t group = 0;
    if (facet_text_is_any_case(text, "on"))
        group = 1;
    else if (!facet_text_is_any_case(text, "off") &&
             (facet_obj_parse_index(text.at, text.end, &group) != text.end || group < 0 ||
              group > UINT32_MAX)) {
        tally(r, FACET_OBJ_BAD_SMOOTHING, line);
        group = 0;
    }
    return set_run(r, &r->smoothing, (uint32_t)group, line);
}

static facet_status read_mtllib(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    facet_text rest = facet_text_rest(word.end, r->end);
    if (facet_text_length(rest) == 0)
        return FACET_OK;
    facet_status status = facet_obj_space(r, (void **)&r->libraries, r->library_count,
                                          &r->library_capacity, sizeof *r->libraries, line);
    if (!status)
        r->libraries[r->library_count++] = rest;
    return status;
}

/* -- Statements --------------------------------------------------------- */

/* Count statements that are valid but not read, by their kind. False for unknown ones. */
static bool count_known(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    static const struct {
        const char *word;
        int what;
    } known[] = {
        {"vp", FACET_OBJ_CURVES},         {"cstype", FACET_OBJ_CURVES},
        {"deg", FACET_OBJ_CURVES},        {"bmat", FACET_OBJ_CURVES},
        {"step", FACET_OBJ_CURVES},       {"curv", FACET_OBJ_CURVES},
        {"curv2", FACET_OBJ_CURVES},      {"surf", FACET_OBJ_CURVES},
        {"parm", FACET_OBJ_CURVES},       {"trim", FACET_OBJ_CURVES},
        {"hole", FACET_OBJ_CURVES},       {"scrv", FACET_OBJ_CURVES},
        {"sp", FACET_OBJ_CURVES},         {"end", FACET_OBJ_CURVES},
        {"con", FACET_OBJ_CURVES},        {"bsp", FACET_OBJ_CURVES},
        {"bzp", FACET_OBJ_CURVES},        {"cdc", FACET_OBJ_CURVES},
        {"cdp", FACET_OBJ_CURVES},        {"res", FACET_OBJ_CURVES},
        {"mg", FACET_OBJ_DISPLAY},        {"bevel", FACET_OBJ_DISPLAY},
        {"c_interp", FACET_OBJ_DISPLAY},  {"d_interp", FACET_OBJ_DISPLAY},
        {"lod", FACET_OBJ_DISPLAY},       {"usemap", FACET_OBJ_DISPLAY},
        {"maplib", FACET_OBJ_DISPLAY},    {"shadow_obj", FACET_OBJ_DISPLAY},
        {"trace_obj", FACET_OBJ_DISPLAY}, {"ctech", FACET_OBJ_DISPLAY},
        {"stech", FACET_OBJ_DISPLAY},     {"call", FACET_OBJ_DISPLAY},
        {"csh", FACET_OBJ_DISPLAY},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (facet_text_is(word, known[i].word)) {
            tally(r, known[i].what, line);
            return true;
        }
    }
    return false;
}

static facet_status dispatch(facet_obj_reader *r, const uint8_t *line, facet_text word)
{
    static const struct {
        const char *word;
        facet_status (*read)(facet_obj_reader *r, const uint8_t *line, facet_text word);
    } statements[] = {
        {"v", read_position},    {"vt", read_texcoord}, {"vn", read_normal},
        {"f", read_face},        {"fo", read_face},     {"o", read_part},
        {"g", read_part},        {"s", read_smoothing}, {"usemtl", read_usemtl},
        {"mtllib", read_mtllib}, {"l", read_line},      {"p", read_points},
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        if (facet_text_is(word, statements[i].word))
            return statements[i].read(r, line, word);
    }
    if (!count_known(r, line, word))
        tally(r, FACET_OBJ_UNKNOWN, line);
    return FACET_OK;
}

facet_status facet_obj_report_error(facet_obj_reader *r, facet_status status)
{
    if (!r->findings || status != FACET_ERROR_MALFORMED)
        return status;
    if (r->errors++ < FACET_OBJ_SINGLE_ERRORS)
        facet_report_add_fault(r->findings, r->error, "OBJ");
    return FACET_OK;
}

facet_status facet_obj_run_statement(facet_obj_reader *r, const uint8_t *line, const uint8_t **next)
{
    const uint8_t *at = facet_text_skip_blanks(line, r->end);
    facet_status status = FACET_OK;
    if (!facet_text_at_end(at, r->end))
        status = facet_obj_report_error(r, dispatch(r, at, facet_text_word(at, r->end)));
    else if (facet_obj_is_painted(at, r->end))
        status = facet_obj_read_painted(r, at);
    *next = facet_text_next_line(at, r->end);
    return status;
}

facet_status facet_obj_run_stretch(facet_obj_reader *r, const uint8_t **at, const uint8_t *end)
{
    const uint8_t *fast_end =
        r->end - r->start > FACET_OBJ_FAST_MARGIN ? r->end - FACET_OBJ_FAST_MARGIN : r->start;
    const uint8_t *from = *at,
                  *stop = end - from > FACET_OBJ_STRIDE ? from + FACET_OBJ_STRIDE : end;
    facet_status status = facet_step(
        r->options, "read", (double)(from - r->start) / (double)(r->end - r->start), r->error);
    while (*at < stop && !status) {
        *at = facet_obj_run_plain(r, *at, stop < fast_end ? stop : fast_end);
        if (*at < stop)
            status = facet_obj_run_statement(r, *at, at);
    }
    if (!status)
        facet_source_forget(r->source, from, stop);
    return status;
}

facet_status facet_obj_run_lines(facet_obj_reader *r, const uint8_t *at, const uint8_t *end)
{
    while (at < end)
        TRY(facet_obj_run_stretch(r, &at, end));
    return FACET_OK;
}
