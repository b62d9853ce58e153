/* formats/assimp/file/keys_dae.c - steps and curves between the keys of a COLLADA's animations. */
#include "formats/assimp/file/keys_dae.h"

#include "base/numbers.h"
#include "base/table.h"
#include "formats/assimp/file/cubic.h"
#include "formats/assimp/file/edits_dae.h"
#include "formats/assimp/file/file.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NONE UINT32_MAX
#define STEP_TIME 0.001 /* seconds of the ramp that replaces a step */

/* Bytes of the arrays of all samplers, which can share them: a multiple of the file, and more for
 * small ones. */
#define MAX_GROWTH 4
#define MAX_SMALL ((size_t)1 << 20)

/* A <source> of an <animation>. Parts are of size 0 if they are missing. */
typedef struct source {
    facet_xml_part id, element;
    facet_xml_part array_id, array_count, words;     /* of its array */
    facet_xml_part accessed, accessor_count, stride; /* of its <accessor> */
    bool is_kept, is_expanded; /* some sampler keeps its kinds; some sampler got keys for them */
} source;

/* The first three are required. */
enum { INPUT, OUTPUT, INTERPOLATION, IN_TANGENT, OUT_TANGENT, ROLES, REQUIRED = IN_TANGENT };

/* A <sampler>: where it begins, and the URLs of its inputs. */
typedef struct sampler {
    const uint8_t *begin;
    facet_xml_part urls[ROLES]; /* without '#' */
} sampler;

typedef struct expander {
    facet_arena *arena;
    source *sources;
    sampler *samplers;
    uint32_t source_count, source_capacity, sampler_count, sampler_capacity;
    uint32_t animations; /* depth in <animation> */
    bool in_source, in_sampler;
    facet_names ids; /* of the sources */
    facet_dae_edits edits;
    size_t left; /* bytes of arrays that may still be read */
    facet_tally steps;
} expander;

/* -- Elements ----------------------------------------------------------- */

static void note_in_source(source *s, const facet_xml_tag *t)
{
    if (facet_xml_is(t->name, "float_array") || facet_xml_is(t->name, "Name_array")) {
        s->array_id = facet_xml_attribute(t->tag, "id");
        s->array_count = facet_xml_attribute(t->tag, "count");
        s->words = t->content;
    } else if (facet_xml_is(t->name, "accessor")) {
        s->accessed = facet_xml_attribute(t->tag, "source");
        s->accessor_count = facet_xml_attribute(t->tag, "count");
        s->stride = facet_xml_attribute(t->tag, "stride");
        if (facet_xml_attribute(t->tag, "offset").size > 0)
            s->accessor_count.size = 0; /* rare: the sampler stays as it is */
    }
}

static void note_input(sampler *s, facet_xml_part tag)
{
    static const char *const names[ROLES] = {"INPUT", "OUTPUT", "INTERPOLATION", "IN_TANGENT",
                                             "OUT_TANGENT"};
    facet_xml_part semantic = facet_xml_attribute(tag, "semantic"),
                   url = facet_xml_attribute(tag, "source");
    for (int i = 0; i < ROLES; i++) {
        if (facet_xml_is(semantic, names[i]) && url.size > 1 && *url.at == '#')
            s->urls[i] = (facet_xml_part){url.at + 1, url.size - 1};
    }
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    expander *e = user;
    if (facet_xml_is(t->name, "animation")) {
        e->animations += !t->closes && !t->is_empty;
        e->animations -= t->closes && e->animations > 0;
        e->in_source = e->in_sampler = false;
    } else if (e->animations == 0) {
        return true;
    } else if (facet_xml_is(t->name, "source")) {
        if (t->closes && e->in_source) {
            source *last = &e->sources[e->source_count - 1];
            last->element.size = (size_t)(t->end - last->element.at);
        }
        e->in_source = !t->closes && !t->is_empty;
        if (!e->in_source)
            return true;
        if (!FACET_GROW(e->arena, e->sources, e->source_count, e->source_capacity))
            return false;
        e->sources[e->source_count++] =
            (source){.id = facet_xml_attribute(t->tag, "id"), .element = {t->begin, 0}};
    } else if (facet_xml_is(t->name, "sampler")) {
        e->in_sampler = !t->closes && !t->is_empty;
        if (!e->in_sampler)
            return true;
        if (!FACET_GROW(e->arena, e->samplers, e->sampler_count, e->sampler_capacity))
            return false;
        e->samplers[e->sampler_count++] = (sampler){.begin = t->begin};
    } else if (!t->closes && e->in_source) {
        note_in_source(&e->sources[e->source_count - 1], t);
    } else if (!t->closes && e->in_sampler && facet_xml_is(t->name, "input")) {
        note_input(&e->samplers[e->sampler_count - 1], t->tag);
    }
    return true;
}

/* -- Arrays -------------------------------------------------------------- */

static bool read_count(facet_xml_part part, uint64_t *count)
{
    *count = 0;
    for (size_t i = 0; i < part.size; i++) {
        if (part.at[i] < '0' || part.at[i] > '9' || i == 9)
            return false;
        *count = *count * 10 + (uint64_t)(part.at[i] - '0');
    }
    return part.size > 0;
}

/* True if the array has as many words as its accessor needs. */
static bool is_whole(const source *s, uint64_t count, uint64_t *stride)
{
    uint64_t given;
    *stride = 1;
    if (s->stride.size > 0 && !read_count(s->stride, stride))
        return false;
    return s->element.size > 0 && s->array_id.size > 0 && s->array_count.size > 0 &&
           s->accessed.size > 0 && read_count(s->accessor_count, &given) && given == count &&
           *stride > 0 && facet_xml_count_words(s->words) == count * *stride;
}

/* A text under construction. */
typedef struct builder {
    uint8_t *at;
    size_t used;
} builder;

static void put(builder *b, facet_xml_part part)
{
    if (part.size > 0)
        memcpy(b->at + b->used, part.at, part.size);
    b->used += part.size;
    b->at[b->used++] = ' ';
}

/* -- Keys ---------------------------------------------------------------- */

enum { LINEAR, STEP, BEZIER, HERMITE, OTHER };

/* A key, and how the curve continues to the next one. */
typedef struct key {
    facet_xml_part time_word, row; /* row: its values */
    double time, value;            /* value: of curves */
    double in[2], out[2];          /* tangents of curves: time, value */
    int kind;
    uint32_t pieces; /* up to the next key */
} key;

static int kind_of(facet_xml_part word)
{
    static const char *const names[OTHER] = {"LINEAR", "STEP", "BEZIER", "HERMITE"};
    int kind = 0;
    while (kind < OTHER && !facet_xml_is(word, names[kind]))
        kind++;
    return kind;
}

static bool is_cubic(int kind)
{
    return kind == BEZIER || kind == HERMITE;
}

static bool read_number(facet_xml_part word, double *number)
{
    return facet_number_parse_double(word.at, word.at + word.size, number) == word.at + word.size &&
           isfinite(*number);
}

static bool read_pair(facet_xml_part *words, double pair[2])
{
    return read_number(facet_xml_next_word(words), &pair[0]) &&
           read_number(facet_xml_next_word(words), &pair[1]);
}

/* Read the keys of a sampler. False if a number that is needed is not one. */
static bool read_keys(source *const of[ROLES], uint64_t count, uint64_t stride, bool has_curves,
                      key *keys)
{
    facet_xml_part times = of[INPUT]->words, values = of[OUTPUT]->words,
                   kinds = of[INTERPOLATION]->words, in = {NULL, 0}, out = {NULL, 0};
    if (has_curves) {
        in = of[IN_TANGENT]->words;
        out = of[OUT_TANGENT]->words;
    }
    for (uint64_t i = 0; i < count; i++) {
        key *k = &keys[i];
        *k = (key){.time_word = facet_xml_next_word(&times), .pieces = 1};
        for (uint64_t n = 0; n < stride; n++) {
            facet_xml_part word = facet_xml_next_word(&values);
            k->row.at = n == 0 ? word.at : k->row.at;
            k->row.size = (size_t)(word.at + word.size - k->row.at);
        }
        k->kind = kind_of(facet_xml_next_word(&kinds));
        if (!read_number(k->time_word, &k->time) ||
            (has_curves && (!read_number(k->row, &k->value) || !read_pair(&in, k->in) ||
                            !read_pair(&out, k->out))))
            return false;
    }
    return true;
}

/* The distance of a control point from its key; its time is at most the span. */
static void handle_of(const key *of, const double tangent[2], int kind, double sign, double span,
                      double handle[2])
{
    /* COLLADA 1.4.1, 5: the points of BEZIER are in the plane of the curve; those of HERMITE are
     * three times the distance. */
    handle[0] = kind == BEZIER ? sign * (tangent[0] - of->time) : tangent[0] / 3;
    handle[1] = kind == BEZIER ? sign * (tangent[1] - of->value) : tangent[1] / 3;
    if (handle[0] > span) {
        handle[1] *= span / handle[0];
        handle[0] = span;
    }
    handle[0] = fmax(handle[0], 0);
}

/* The curve from a key to the next. */
static facet_cubic curve_of(const key *k)
{
    double span = k[1].time - k[0].time, out[2], in[2];
    handle_of(&k[0], k[0].out, k->kind, 1, span, out);
    handle_of(&k[1], k[1].in, k->kind, -1, span, in);
    return (facet_cubic){{0, out[0] / span, 1 - in[0] / span, 1},
                         {k[0].value, k[0].value + out[1], k[1].value - in[1], k[1].value}};
}

/* Set the numbers of pieces, and return the bytes of the added keys at most. */
static size_t plan_keys(key *keys, uint64_t count, uint64_t *added)
{
    double low = keys[0].value, high = low;
    size_t space = 0;
    *added = 0;
    for (uint64_t i = 1; i < count; i++) {
        low = fmin(low, keys[i].value);
        high = fmax(high, keys[i].value);
    }
    const double tolerance = fmax((high - low) * 5e-4, fmax(fabs(high), fabs(low)) * 1e-6 + 1e-9);
    for (uint64_t i = 0; i + 1 < count; i++) {
        key *k = &keys[i];
        if (k->kind == STEP)
            k->pieces = 2;
        else if (is_cubic(k->kind) && k[1].time > k->time) {
            const facet_cubic curve = curve_of(k);
            k->pieces = (uint32_t)facet_cubic_pieces(&curve, tolerance);
        }
        size_t value = k->kind == STEP ? k->row.size : FACET_NUMBER_DOUBLE_LENGTH;
        *added += k->pieces - 1;
        space += (k->pieces - 1) * (FACET_NUMBER_DOUBLE_LENGTH + value + 2);
    }
    return space;
}

static void put_number(builder *b, double number)
{
    char text[FACET_NUMBER_DOUBLE_LENGTH];
    put(b, (facet_xml_part){(uint8_t *)text, facet_number_print_double(number, text)});
}

/* Write the times and values with the added keys. */
static void put_keys(const key *keys, uint64_t count, builder *times, builder *values)
{
    for (uint64_t i = 0; i < count; i++) {
        const key *k = &keys[i];
        put(times, k->time_word);
        put(values, k->row);
        if (k->pieces == 1)
            continue;
        double span = k[1].time - k->time;
        if (k->kind == STEP) {
            put_number(times, span > 2 * STEP_TIME ? k[1].time - STEP_TIME : k[1].time - span / 2);
            put(values, k->row);
            continue;
        }
        const facet_cubic curve = curve_of(k);
        for (uint32_t j = 1; j < k->pieces; j++) {
            double t = (double)j / k->pieces;
            put_number(times, k->time + span * facet_cubic_point(curve.times, t));
            put_number(values, facet_cubic_point(curve.values, t));
        }
    }
}

/* -- Samplers ------------------------------------------------------------ */

/* Insert a copy of a source with other words before a sampler, and name it in the sampler. Line
 * ends become blanks. */
static bool replace_source(expander *e, const sampler *of, int role, const source *from,
                           const builder *words, uint64_t keys, uint64_t stride)
{
    facet_dae_edits made = {.arena = e->arena};
    facet_error ignored;
    uint32_t number = (uint32_t)(of - e->samplers) * 2 + (uint32_t)role;
    char *id = facet_arena_format(e->arena, FACET_ASSIMP_NUMBERED "k%" PRIu32, number);
    char *array = facet_arena_format(e->arena, FACET_ASSIMP_NUMBERED "n%" PRIu32, number);
    char *url = facet_arena_format(e->arena, "#" FACET_ASSIMP_NUMBERED "n%" PRIu32, number);
    char *count = facet_arena_format(e->arena, "%" PRIu64, keys);
    char *total = facet_arena_format(e->arena, "%" PRIu64, keys * stride);
    if (!id || !array || !url || !count || !total)
        return false;
    const struct {
        facet_xml_part old;
        const char *new;
    } changes[] = {{from->id, id},
                   {from->array_id, array},
                   {from->array_count, total},
                   {from->accessed, url},
                   {from->accessor_count, count}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const facet_xml_part new = {(const uint8_t *)changes[i].new, strlen(changes[i].new)};
        if (!facet_dae_add_edit(&made, changes[i].old, new))
            return false;
    }
    const uint8_t *text = from->element.at;
    size_t size = from->element.size;
    if (!facet_dae_add_edit(&made, from->words, (facet_xml_part){words->at, words->used}) ||
        facet_dae_apply(&made, &text, &size, &ignored))
        return false;
    uint8_t *own = (uint8_t *)(uintptr_t)text; /* a copy, because it has edits */
    for (size_t i = 0; i < size; i++)
        own[i] = own[i] == '\n' || own[i] == '\r' ? ' ' : own[i];
    return facet_dae_add_edit(&e->edits, (facet_xml_part){of->begin, 0},
                              (facet_xml_part){own, size}) &&
           facet_dae_add_edit(&e->edits, of->urls[role],
                              (facet_xml_part){(uint8_t *)id, strlen(id)});
}

static source *source_of(expander *e, facet_xml_part url)
{
    uint32_t number =
        url.size == 0 ? NONE : facet_names_find(&e->ids, (const char *)url.at, url.size);
    return number == NONE ? NULL : &e->sources[number];
}

/* Take bytes from the limit. */
static bool spend(expander *e, size_t size)
{
    if (size > e->left)
        return false;
    e->left -= size;
    return true;
}

static bool spend_arrays(expander *e, source *const of[ROLES])
{
    for (int i = 0; i < ROLES; i++) {
        if (of[i] && !spend(e, of[i]->element.size))
            return false;
    }
    return true;
}

/* The kinds between keys: *count of them; [kind] is true if there is one. */
static void find_kinds(facet_xml_part words, uint64_t *count, bool kinds[OTHER + 1])
{
    *count = 0;
    for (facet_xml_part word = facet_xml_next_word(&words); word.size > 0;
         word = facet_xml_next_word(&words)) {
        kinds[kind_of(word)] = true;
        ++*count;
    }
}

/* True if the arrays fit together. */
static bool is_complete(source *const of[ROLES], uint64_t count, bool has_curves, uint64_t *stride)
{
    uint64_t one, pairs[2];
    if (count == 0 || !is_whole(of[INPUT], count, &one) || one != 1 ||
        !is_whole(of[OUTPUT], count, stride))
        return false;
    return !has_curves || (*stride == 1 && of[IN_TANGENT] && of[OUT_TANGENT] &&
                           is_whole(of[IN_TANGENT], count, &pairs[0]) && pairs[0] == 2 &&
                           is_whole(of[OUT_TANGENT], count, &pairs[1]) && pairs[1] == 2);
}

/* Expand the steps and curves of a sampler. *kept is true if it has some that stay as they are.
 * False if out of memory. */
static bool expand_sampler(expander *e, const sampler *s, source *const of[ROLES], bool *kept)
{
    uint64_t stride, count, added;
    bool kinds[OTHER + 1] = {false};
    *kept = true;
    if (!spend_arrays(e, of))
        return true;
    find_kinds(of[INTERPOLATION]->words, &count, kinds);
    bool has_curves = kinds[BEZIER] || kinds[HERMITE];
    *kept = has_curves || kinds[STEP] || kinds[OTHER];
    if (!*kept || kinds[OTHER] || !is_complete(of, count, has_curves, &stride))
        return true;
    key *keys = facet_arena_allocate(e->arena, (size_t)count, sizeof *keys);
    if (!keys)
        return false;
    if (!read_keys(of, count, stride, has_curves, keys))
        return true;
    size_t space = plan_keys(keys, count, &added);
    if (!spend(e, space))
        return true;
    space += of[INPUT]->words.size + of[OUTPUT]->words.size + 4 * (size_t)count;
    builder times = {facet_arena_allocate(e->arena, space, 1), 0};
    builder values = {facet_arena_allocate(e->arena, space, 1), 0};
    if (!times.at || !values.at)
        return false;
    put_keys(keys, count, &times, &values);
    facet_arena_release(e->arena, keys, (size_t)count, sizeof *keys);
    *kept = false;
    of[INTERPOLATION]->is_expanded = true;
    if (kinds[STEP])
        facet_tally_hit(&e->steps, e->steps.count);
    return replace_source(e, s, INPUT, of[INPUT], &times, count + added, 1) &&
           replace_source(e, s, OUTPUT, of[OUTPUT], &values, count + added, stride);
}

/* Name the kinds of a source LINEAR, so that they are not reported as lost. */
static bool rename_kinds(expander *e, const source *s)
{
    facet_xml_part words = s->words;
    for (facet_xml_part word = facet_xml_next_word(&words); word.size > 0;
         word = facet_xml_next_word(&words)) {
        if (kind_of(word) != LINEAR &&
            !facet_dae_add_edit(&e->edits, word, (facet_xml_part){(const uint8_t *)"LINEAR", 6}))
            return false;
    }
    return true;
}

static bool expand_all(expander *e)
{
    for (uint32_t i = 0; i < e->source_count; i++) {
        uint32_t known = e->ids.count;
        const facet_xml_part id = e->sources[i].id;
        uint32_t number = facet_names_put(&e->ids, (const char *)id.at, id.size);
        if (number == NONE)
            return false;
        if (number == known)
            e->sources[number] = e->sources[i];
    }
    e->source_count = e->ids.count;
    for (uint32_t i = 0; i < e->sampler_count; i++) {
        source *of[ROLES];
        bool has_all = true, kept;
        for (int k = 0; k < ROLES; k++) {
            of[k] = source_of(e, e->samplers[i].urls[k]);
            has_all &= of[k] != NULL || k >= REQUIRED;
        }
        if (!has_all)
            continue;
        if (!expand_sampler(e, &e->samplers[i], of, &kept))
            return false;
        of[INTERPOLATION]->is_kept |= kept;
    }
    return true;
}

facet_status facet_dae_expand_keys(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   facet_report *report, facet_error *error)
{
    expander *e = facet_arena_allocate_zeroed(scratch, 1, sizeof *e);
    if (!e)
        return facet_fail_arena(scratch, error);
    e->arena = e->edits.arena = scratch;
    e->ids = facet_names_make(scratch);
    e->left = *size > SIZE_MAX / MAX_GROWTH - MAX_SMALL ? SIZE_MAX : *size * MAX_GROWTH + MAX_SMALL;
    bool done = facet_xml_each_tag(*data, *size, note_tag, e) && expand_all(e);
    for (uint32_t i = 0; i < e->source_count && done; i++) {
        const source *from = &e->sources[i];
        done = !from->is_expanded || from->is_kept || rename_kinds(e, from);
    }
    if (!done)
        return facet_fail_arena(scratch, error);
    facet_report_add_tally(report, "LOSS-ANIMATIONS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &e->steps, "steps between keys become ramps of a millisecond");
    return facet_dae_apply(&e->edits, data, size, error);
}
