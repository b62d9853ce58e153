/* formats/assimp/file/steps_dae.c - steps between the keys of a COLLADA's animations. */
#include "formats/assimp/file/steps_dae.h"

#include "base/numbers.h"
#include "base/table.h"
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
    bool is_kept;                                    /* some sampler needs its steps */
} source;

enum { INPUT, OUTPUT, INTERPOLATION, ROLES };

/* A <sampler>: where it begins, and the URLs of its inputs. */
typedef struct sampler {
    const uint8_t *begin;
    facet_xml_part urls[ROLES]; /* without '#' */
    bool has_tangents;
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
    static const char *const names[ROLES] = {"INPUT", "OUTPUT", "INTERPOLATION"};
    facet_xml_part semantic = facet_xml_attribute(tag, "semantic"),
                   url = facet_xml_attribute(tag, "source");
    for (int i = 0; i < ROLES; i++) {
        if (facet_xml_is(semantic, names[i]) && url.size > 1 && *url.at == '#')
            s->urls[i] = (facet_xml_part){url.at + 1, url.size - 1};
    }
    s->has_tangents |=
        facet_xml_is(semantic, "IN_TANGENT") || facet_xml_is(semantic, "OUT_TANGENT");
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

static uint64_t count_words(facet_xml_part words)
{
    uint64_t count = 0;
    while (facet_xml_next_word(&words).size > 0)
        count++;
    return count;
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
           *stride > 0 && count_words(s->words) == count * *stride;
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

/* The time of the added key before a key; false if a time is not a number. */
static bool time_before(facet_xml_part from, facet_xml_part to, double *time)
{
    double first, last;
    if (facet_number_parse_double(from.at, from.at + from.size, &first) != from.at + from.size ||
        facet_number_parse_double(to.at, to.at + to.size, &last) != to.at + to.size)
        return false;
    double span = last - first;
    *time = span > 2 * STEP_TIME ? last - STEP_TIME : last - span / 2;
    return isfinite(*time);
}

/* Write the times and values with the added keys. *count is the new number of keys. False if a time
 * is not a number. */
static bool expand(const source *const of[ROLES], uint64_t keys, uint64_t stride, builder *times,
                   builder *values, uint64_t *count)
{
    facet_xml_part time_words = of[INPUT]->words, value_words = of[OUTPUT]->words,
                   kinds = of[INTERPOLATION]->words, before = {NULL, 0}, row = {NULL, 0};
    bool is_step = false;
    *count = keys;
    for (uint64_t i = 0; i < keys; i++) {
        facet_xml_part time = facet_xml_next_word(&time_words), next = {NULL, 0};
        for (uint64_t k = 0; k < stride; k++) {
            facet_xml_part word = facet_xml_next_word(&value_words);
            next.at = k == 0 ? word.at : next.at;
            next.size = (size_t)(word.at + word.size - next.at);
        }
        if (is_step) {
            char text[FACET_NUMBER_DOUBLE_LENGTH];
            double added;
            if (!time_before(before, time, &added))
                return false;
            put(times, (facet_xml_part){(uint8_t *)text, facet_number_print_double(added, text)});
            put(values, row);
            ++*count;
        }
        put(times, time);
        put(values, next);
        is_step = facet_xml_is(facet_xml_next_word(&kinds), "STEP");
        before = time;
        row = next;
    }
    return true;
}

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

static bool has_word(facet_xml_part words, const char *text)
{
    facet_xml_part word;
    do {
        word = facet_xml_next_word(&words);
    } while (word.size > 0 && !facet_xml_is(word, text));
    return word.size > 0;
}

/* Take the arrays of a sampler from the limit. */
static bool spend(expander *e, source *const of[ROLES])
{
    for (int i = 0; i < ROLES; i++) {
        size_t size = of[i]->element.size;
        if (size > e->left)
            return false;
        e->left -= size;
    }
    return true;
}

/* Expand the steps of a sampler. *kept is true if it has steps that stay as they are. False if out
 * of memory. */
static bool expand_sampler(expander *e, const sampler *s, source *const of[ROLES], bool *kept)
{
    uint64_t stride, one, count;
    *kept = true;
    if (!spend(e, of))
        return true;
    if (!has_word(of[INTERPOLATION]->words, "STEP")) {
        *kept = false;
        return true;
    }
    uint64_t keys = count_words(of[INTERPOLATION]->words);
    if (s->has_tangents || !is_whole(of[INPUT], keys, &one) || one != 1 ||
        !is_whole(of[OUTPUT], keys, &stride))
        return true;
    size_t time_space = of[INPUT]->words.size + (FACET_NUMBER_DOUBLE_LENGTH + 2) * (size_t)keys + 1;
    size_t value_space = of[OUTPUT]->words.size * 2 + 2 * (size_t)keys + 1;
    builder times = {facet_arena_allocate(e->arena, time_space, 1), 0};
    builder values = {facet_arena_allocate(e->arena, value_space, 1), 0};
    if (!times.at || !values.at)
        return false;
    if (!expand((const source *const *)of, keys, stride, &times, &values, &count))
        return true;
    *kept = false;
    facet_tally_hit(&e->steps, e->steps.count);
    return replace_source(e, s, INPUT, of[INPUT], &times, count, 1) &&
           replace_source(e, s, OUTPUT, of[OUTPUT], &values, count, stride);
}

/* Name the steps of a source LINEAR, so that they are not reported as lost. */
static bool rename_steps(expander *e, const source *s)
{
    facet_xml_part words = s->words;
    for (facet_xml_part word = facet_xml_next_word(&words); word.size > 0;
         word = facet_xml_next_word(&words)) {
        if (facet_xml_is(word, "STEP") &&
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
            has_all &= of[k] != NULL;
        }
        if (!has_all)
            continue;
        if (!expand_sampler(e, &e->samplers[i], of, &kept))
            return false;
        of[INTERPOLATION]->is_kept |= kept;
    }
    return true;
}

facet_status facet_dae_expand_steps(const uint8_t **data, size_t *size, facet_arena *scratch,
                                    facet_report *report, facet_error *error)
{
    expander *e = facet_arena_allocate_zeroed(scratch, 1, sizeof *e);
    if (!e)
        return facet_fail_arena(scratch, error);
    e->arena = e->edits.arena = scratch;
    e->ids = facet_names_make(scratch);
    e->left = *size > SIZE_MAX / MAX_GROWTH - MAX_SMALL ? SIZE_MAX : *size * MAX_GROWTH + MAX_SMALL;
    bool done = facet_xml_each_tag(*data, *size, note_tag, e) && expand_all(e);
    for (uint32_t i = 0; i < e->source_count && done && e->steps.count > 0; i++)
        done = e->sources[i].is_kept || rename_steps(e, &e->sources[i]);
    if (!done)
        return facet_fail_arena(scratch, error);
    facet_report_add_tally(report, "LOSS-ANIMATIONS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &e->steps, "steps between keys become ramps of a millisecond");
    return facet_dae_apply(&e->edits, data, size, error);
}
