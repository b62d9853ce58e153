/* convert/compare_names.c - pairs of equal names, values and texts, and reports of differences. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "convert/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void facet_compare_add(const facet_comparing *c, facet_compare_part part, const char *rule,
                       uint64_t offset, const char *format, ...)
{
    char sentence[sizeof(facet_error){0}.message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    facet_report_add(c->report, rule, c->ignore & part ? FACET_SEVERITY_NOTE : FACET_SEVERITY_ERROR,
                     offset, "%s", sentence);
}

void facet_compare_add_absent(const facet_comparing *c, facet_compare_part part, const char *rule,
                              const char *format, ...)
{
    char sentence[sizeof(facet_error){0}.message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    facet_report_add(c->report, rule,
                     c->ignore & part ? FACET_SEVERITY_NOTE : FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET, "%s", sentence);
}

/* -- Names -------------------------------------------------------------- */

/* Queues of items with the same name: the first free item of each name, and the next of each item.
 */
typedef struct queues {
    facet_names names;
    uint32_t *first; /* per name */
    uint32_t *next;  /* per item */
} queues;

static bool fill_queues(queues *q, const char **names, uint32_t count, facet_arena *arena)
{
    q->names = facet_names_make(arena);
    q->first = facet_arena_allocate(arena, count, sizeof *q->first);
    q->next = facet_arena_allocate(arena, count, sizeof *q->next);
    if (!q->first || !q->next)
        return false;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t before = q->names.count;
        uint32_t name = facet_names_put(&q->names, names[i], strlen(names[i]));
        if (name == UINT32_MAX)
            return false;
        q->next[i] = name < before ? q->first[name] : FACET_NONE;
        q->first[name] = i;
    }
    return true;
}

/* A text such as "'a', 'b', 'c' and 4 more". */
typedef struct listing {
    char text[256];
    size_t used;
    uint32_t count;
} listing;

/* Add a name to the text; after 5 names, they are only counted. Items without a name are
 * ignored. */
static void list(listing *l, const char *name)
{
    if (!*name)
        return;
    facet_quoted quoted;
    if (l->count++ >= 5)
        return;
    int wrote = snprintf(l->text + l->used, sizeof l->text - l->used, "%s'%.40s'",
                         l->used > 0 ? ", " : "", facet_quote(&quoted, name, strlen(name)));
    l->used += wrote > 0 ? (size_t)wrote : 0;
    l->used = l->used < sizeof l->text ? l->used : sizeof l->text - 1;
}

static void report_lone(const facet_comparing *c, const char *kind, const char *side,
                        const listing *lone)
{
    char more[32] = "";
    if (lone->count > 5)
        snprintf(more, sizeof more, " and %" PRIu32 " more", lone->count - 5);
    if (lone->count > 0)
        facet_compare_add(c, FACET_COMPARE_NAMES, "COMPARE-NAMES", FACET_NO_OFFSET,
                          "%s that only the %s file has: %s%s", kind, side, lone->text, more);
}

facet_status facet_compare_names(const facet_comparing *c, const char *kind, const char **a,
                                 uint32_t a_count, const char **b, uint32_t b_count,
                                 uint32_t *pairs, facet_error *error)
{
    queues q;
    listing here = {0}, there = {0};
    if (!fill_queues(&q, b, b_count, c->arena))
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < a_count; i++) {
        uint32_t name = *a[i] ? facet_names_find(&q.names, a[i], strlen(a[i])) : UINT32_MAX;
        pairs[i] = name == UINT32_MAX ? FACET_NONE : q.first[name];
        if (pairs[i] == FACET_NONE) {
            list(&here, a[i]);
            continue;
        }
        q.first[name] = q.next[pairs[i]];
    }
    for (uint32_t i = 0; i < q.names.count; i++) {
        for (uint32_t lone = q.first[i]; lone != FACET_NONE; lone = q.next[lone])
            list(&there, b[lone]);
    }
    report_lone(c, kind, "first", &here);
    report_lone(c, kind, "second", &there);
    return FACET_OK;
}

/* -- Items without a partner of their name ------------------------------ */

/* List the items of b that are in no pair, in order. */
static uint32_t list_left(const uint32_t *pairs, uint32_t a_count, uint32_t b_count, bool *taken,
                          uint32_t *left)
{
    uint32_t count = 0;
    memset(taken, 0, b_count * sizeof *taken);
    for (uint32_t i = 0; i < a_count; i++) {
        if (pairs[i] != FACET_NONE)
            taken[pairs[i]] = true;
    }
    for (uint32_t i = 0; i < b_count; i++) {
        if (!taken[i])
            left[count++] = i;
    }
    return count;
}

static facet_status pair_contents(const facet_comparing *c, const uint64_t *a, uint32_t a_count,
                                  const uint64_t *b, const uint32_t *left, uint32_t left_count,
                                  uint32_t *pairs, facet_error *error)
{
    facet_records records = facet_records_make(c->arena, sizeof *a);
    uint32_t *first = facet_arena_allocate(c->arena, left_count, sizeof *first);
    uint32_t *next = facet_arena_allocate(c->arena, left_count, sizeof *next);
    if (!first || !next)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = left_count; i-- > 0;) {
        uint32_t before = records.count, number = facet_records_put(&records, &b[left[i]]);
        if (number == UINT32_MAX)
            return facet_fail_arena(c->arena, error);
        next[i] = number < before ? first[number] : FACET_NONE;
        first[number] = i;
    }
    for (uint32_t i = 0; i < a_count; i++) {
        uint32_t number = pairs[i] == FACET_NONE ? facet_records_find(&records, &a[i]) : UINT32_MAX;
        if (number == UINT32_MAX || first[number] == FACET_NONE)
            continue;
        pairs[i] = left[first[number]];
        first[number] = next[first[number]];
    }
    return FACET_OK;
}

facet_status facet_compare_pair_contents(const facet_comparing *c, const uint64_t *a,
                                         uint32_t a_count, const uint64_t *b, uint32_t b_count,
                                         uint32_t *pairs, facet_error *error)
{
    uint32_t *left = facet_arena_allocate(c->arena, b_count, sizeof *left);
    bool *taken = facet_arena_allocate(c->arena, b_count, sizeof *taken);
    if (!left || !taken)
        return facet_fail_arena(c->arena, error);
    uint32_t count = list_left(pairs, a_count, b_count, taken, left);
    return pair_contents(c, a, a_count, b, left, count, pairs, error);
}

facet_status facet_compare_pair_rest(const facet_comparing *c, const uint64_t *a, uint32_t a_count,
                                     const uint64_t *b, uint32_t b_count, uint32_t *pairs,
                                     facet_error *error)
{
    uint32_t *left = facet_arena_allocate(c->arena, b_count, sizeof *left), at = 0;
    bool *taken = facet_arena_allocate(c->arena, b_count, sizeof *taken);
    if (!left || !taken)
        return facet_fail_arena(c->arena, error);
    if (a && b)
        TRY(facet_compare_pair_contents(c, a, a_count, b, b_count, pairs, error));
    uint32_t count = list_left(pairs, a_count, b_count, taken, left);
    for (uint32_t i = 0; i < a_count && at < count; i++) {
        if (pairs[i] == FACET_NONE)
            pairs[i] = left[at++];
    }
    return FACET_OK;
}

facet_status facet_compare_pair(const facet_comparing *c, const char *kind, const void *a,
                                uint32_t a_count, const void *b, uint32_t b_count, size_t offset,
                                facet_content_of content, uint32_t **pairs, facet_error *error)
{
    const char **names = facet_arena_allocate(c->arena, (size_t)a_count + b_count, sizeof *names);
    uint32_t *made = facet_arena_allocate(c->arena, a_count, sizeof *made);
    uint64_t *contents =
        facet_arena_allocate_zeroed(c->arena, (size_t)a_count + b_count, sizeof *contents);
    if (!names || !made || !contents)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < a_count + b_count; i++) {
        const char *item, *name;
        const char *at = i < a_count ? (const char *)a + i * sizeof item
                                     : (const char *)b + (i - a_count) * sizeof item;
        memcpy(&item, at, sizeof item);
        memcpy(&name, item + offset, sizeof name);
        names[i] = name ? name : "";
        if (content)
            contents[i] = content(item);
    }
    *pairs = made;
    TRY(facet_compare_names(c, kind, names, a_count, names + a_count, b_count, made, error));
    return facet_compare_pair_rest(c, content ? contents : NULL, a_count, contents + a_count,
                                   b_count, made, error);
}

/* -- Values and texts ---------------------------------------------------- */

bool facet_compare_texts_differ(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") != 0;
}

bool facet_compare_numbers(const facet_compare_number *table, size_t rows, const void *a,
                           const void *b, char *text, size_t space)
{
    for (size_t i = 0; i < rows; i++) {
        const float *x = (const float *)((const char *)a + table[i].offset);
        const float *y = (const float *)((const char *)b + table[i].offset);
        for (int k = 0; k < table[i].count; k++) {
            if (fabsf(x[k] - y[k]) > 1e-5F * fmaxf(1, fabsf(x[k]))) {
                snprintf(text, space, "%s %g, in the second file %g", table[i].name, (double)x[k],
                         (double)y[k]);
                return true;
            }
        }
    }
    return false;
}
