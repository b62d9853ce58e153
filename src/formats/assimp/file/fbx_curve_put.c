/* formats/assimp/file/fbx_curve_put.c - an FBX whose curves have more keys. Only the times and
 * values of keys are replaced: assimp does not read what else belongs to them. */
#include "formats/assimp/file/fbx_curves.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/report.h"
#include "base/size.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes instead of a span of the file. */
typedef struct change {
    facet_fbx_span span;
    uint8_t *bytes;
    size_t size;
} change;

typedef struct putter {
    facet_fbx_curves curves;
    facet_budget budget;
    change *changes; /* two per curve at most, in the order of the file */
    size_t count;
    size_t *grown; /* bytes that the changes before each one add; wraps for those that shrink */
    facet_tally kept, steps, cut;
} putter;

/* -- Keys --------------------------------------------------------------- */

/* Give each key the flags and attributes of its run. */
static bool spread_runs(putter *p, const facet_fbx_curve_place *curve, facet_fbx_keys *keys)
{
    const facet_fbx_curves *c = &p->curves;
    size_t flag_count, attribute_count, run_count, at = 0;
    const int64_t *flags =
        facet_fbx_read_integers(c, curve->arrays[FACET_FBX_FLAGS], &p->budget, &flag_count);
    const int64_t *attributes = facet_fbx_read_attributes(c, curve->arrays[FACET_FBX_ATTRIBUTES],
                                                          &p->budget, &attribute_count);
    const int64_t *runs =
        facet_fbx_read_integers(c, curve->arrays[FACET_FBX_RUNS], &p->budget, &run_count);
    keys->flags = facet_arena_allocate(c->arena, keys->count, sizeof *keys->flags);
    keys->attributes = facet_arena_allocate(c->arena, keys->count, sizeof *keys->attributes);
    if (!keys->flags || !keys->attributes || run_count != flag_count ||
        attribute_count / 4 != run_count)
        return false;
    for (size_t run = 0; run < run_count; run++) {
        for (int64_t i = 0; i < runs[run] && at < keys->count; i++, at++) {
            keys->flags[at] = (uint32_t)flags[run];
            for (size_t k = 0; k < 4; k++) {
                uint32_t bits = (uint32_t)attributes[run * 4 + k];
                memcpy(&keys->attributes[at][k], &bits, sizeof bits);
            }
            for (size_t k = 0; k < 2; k++) { /* the others may be packed */
                if (!isfinite(keys->attributes[at][k]))
                    return false;
            }
        }
    }
    return at == keys->count;
}

/* Read the keys of a curve; false if they are missing or damaged. */
static bool read_keys(putter *p, const facet_fbx_curve_place *curve, facet_fbx_keys *keys)
{
    const int64_t most = INT64_MAX / 4; /* differences do not overflow */
    size_t value_count;
    *keys = (facet_fbx_keys){.is_angle = curve->is_angle};
    keys->times = facet_fbx_read_integers(&p->curves, curve->arrays[FACET_FBX_TIMES], &p->budget,
                                          &keys->count);
    keys->values = facet_fbx_read_numbers(&p->curves, curve->arrays[FACET_FBX_VALUES], &p->budget,
                                          &value_count);
    if (keys->count == 0 || value_count != keys->count || !spread_runs(p, curve, keys))
        return false;
    for (size_t i = 0; i < keys->count; i++) {
        if (!isfinite(keys->values[i]) || keys->times[i] < -most || keys->times[i] > most ||
            (i > 0 && keys->times[i] <= keys->times[i - 1]))
            return false;
    }
    return true;
}

/* -- Records ------------------------------------------------------------ */

static void add_change(putter *p, facet_fbx_span span, uint8_t *bytes, size_t size)
{
    p->curves.failed |= !bytes;
    p->changes[p->count++] = (change){span, bytes, size};
}

/* A record with an array of one type, 'l' or 'f'. The end of the record is set later. */
static void put_binary(putter *p, facet_fbx_span span, const facet_fbx_keys *keys, bool is_time)
{
    const char *name = is_time ? "KeyTime" : "KeyValueFloat";
    size_t word = p->curves.is_wide ? 8 : 4, name_size = strlen(name), item = is_time ? 8 : 4;
    size_t head = 3 * word + 1 + name_size, size = head + 13 + keys->count * item;
    uint8_t *bytes = facet_arena_allocate_zeroed(p->curves.arena, size, 1);
    add_change(p, span, bytes, size);
    if (!bytes)
        return;
    bytes[word] = 1;
    facet_store_u32le(bytes + 2 * word, (uint32_t)(size - head));
    bytes[3 * word] = (uint8_t)name_size;
    memcpy(bytes + 3 * word + 1, name, name_size);
    bytes[head] = is_time ? 'l' : 'f';
    facet_store_u32le(bytes + head + 1, (uint32_t)keys->count);
    facet_store_u32le(bytes + head + 9, (uint32_t)(keys->count * item));
    for (size_t i = 0; i < keys->count; i++) {
        uint8_t *to = bytes + head + 13 + i * item;
        float value = (float)keys->values[i];
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        if (is_time)
            facet_store_u64le(to, (uint64_t)keys->times[i]);
        else
            facet_store_u32le(to, bits);
    }
}

static void put_text(putter *p, facet_fbx_span span, const facet_fbx_keys *keys, bool is_time)
{
    enum { NUMBER = 32, HEAD = 64 };
    size_t space = HEAD + keys->count * NUMBER;
    char *text = facet_arena_allocate(p->curves.arena, space, 1);
    size_t used = 0;
    if (text) {
        used = (size_t)snprintf(
            text, space, "%s: *%zu {\na: ", is_time ? "KeyTime" : "KeyValueFloat", keys->count);
        for (size_t i = 0; i < keys->count; i++) {
            const char *comma = i + 1 < keys->count ? "," : "\n}";
            if (is_time)
                used += (size_t)snprintf(text + used, space - used, "%lld%s",
                                         (long long)keys->times[i], comma);
            else
                used +=
                    (size_t)snprintf(text + used, space - used, "%.9g%s", keys->values[i], comma);
        }
    }
    add_change(p, span, (uint8_t *)text, used);
}

/* -- The file ----------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const change *left = a, *right = b;
    return (left->span.begin > right->span.begin) - (left->span.begin < right->span.begin);
}

/* Bytes that the changes before an offset of the file add. */
static size_t grown_before(const putter *p, uint64_t offset)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->changes[middle].span.end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return p->grown[low];
}

/* Set the ends of all records of a copy; they are offsets from the start of the file. False if they
 * have too few bits. */
static bool move_ends(const putter *p, uint8_t *to, size_t size)
{
    const facet_fbx_curves *c = &p->curves;
    size_t word = c->is_wide ? 8 : 4, head = 3 * word + 1, at = 27, next = 0;
    while (at < c->size && c->size - at >= head) {
        const uint8_t *record = c->data + at;
        uint64_t end = c->is_wide ? facet_load_u64le(record) : facet_load_u32le(record);
        uint64_t bytes =
            c->is_wide ? facet_load_u64le(record + 2 * word) : facet_load_u32le(record + 2 * word);
        uint64_t values = (uint64_t)at + head + record[head - 1];
        while (next < p->count && p->changes[next].span.begin < at)
            next++;
        bool changed = next < p->count && p->changes[next].span.begin == at;
        size_t begin = at + grown_before(p, at);
        if (end > c->size || (end > 0 && (end < values || bytes > end - values)))
            return true; /* the footer; the curves are before it */
        if (end > 0) {
            uint64_t moved = end + grown_before(p, end);
            if (begin + head > size || (!c->is_wide && moved > UINT32_MAX))
                return false;
            if (c->is_wide)
                facet_store_u64le(to + begin, moved);
            else
                facet_store_u32le(to + begin, (uint32_t)moved);
        }
        at = changed ? (size_t)end : end > 0 ? (size_t)(values + bytes) : at + head;
    }
    return true;
}

/* Copy the file with all changes. NULL if out of memory or the offsets do not fit. */
static uint8_t *copy(putter *p, size_t *size)
{
    const facet_fbx_curves *c = &p->curves;
    qsort(p->changes, p->count, sizeof *p->changes, by_place);
    p->grown = facet_arena_allocate_zeroed(c->arena, p->count + 1, sizeof *p->grown);
    if (!p->grown)
        return NULL;
    for (size_t i = 0; i < p->count; i++) {
        const change *one = &p->changes[i];
        if (i > 0 && one->span.begin < p->changes[i - 1].span.end)
            return NULL; /* records that overlap: the file is damaged */
        p->grown[i + 1] = p->grown[i] + one->size - (one->span.end - one->span.begin);
    }
    *size = c->size + p->grown[p->count];
    uint8_t *to = facet_arena_allocate(c->arena, *size, 1);
    size_t from = 0, used = 0;
    if (!to)
        return NULL;
    for (size_t i = 0; i <= p->count; i++) {
        size_t until = i < p->count ? p->changes[i].span.begin : c->size;
        memcpy(to + used, c->data + from, until - from);
        used += until - from;
        if (i == p->count)
            break;
        memcpy(to + used, p->changes[i].bytes, p->changes[i].size);
        used += p->changes[i].size;
        from = p->changes[i].span.end;
    }
    return !c->is_binary || move_ends(p, to, *size) ? to : NULL;
}

/* Replace a curve by one with more keys. `others` are the other angles of its rotation. */
static void resample(putter *p, const facet_fbx_curve_place *curve, facet_fbx_keys keys, bool known,
                     const facet_fbx_keys *const *others, size_t other_count)
{
    bool failed = false;
    if (known && ((curve->before != 'C' && keys.times[0] > p->curves.start) ||
                  (curve->after != 'C' && keys.times[keys.count - 1] < p->curves.stop)))
        facet_tally_hit(&p->cut, curve->where);
    if (known &&
        facet_fbx_resample(&keys, others, other_count, p->curves.arena, &p->budget, &failed)) {
        void (*put)(putter *, facet_fbx_span, const facet_fbx_keys *, bool) =
            p->curves.is_binary ? put_binary : put_text;
        put(p, curve->arrays[FACET_FBX_TIMES], &keys, true);
        put(p, curve->arrays[FACET_FBX_VALUES], &keys, false);
        if (keys.has_steps)
            facet_tally_hit(&p->steps, curve->where);
    } else if (failed || (!known && curve->arrays[FACET_FBX_FLAGS].end > 0)) {
        facet_tally_hit(&p->kept, curve->where);
    }
}

static int by_node(const void *a, const void *b)
{
    const facet_fbx_curve_place *left = a, *right = b;
    if (left->is_angle != right->is_angle)
        return left->is_angle - right->is_angle;
    if (left->node != right->node)
        return left->node < right->node ? -1 : 1;
    return (left->where > right->where) - (left->where < right->where);
}

/* Resample curves that belong together: the angles of one rotation, or a single curve. */
static void resample_group(putter *p, const facet_fbx_curve_place *curves, size_t count)
{
    enum { MOST = 8 }; /* angles of a rotation are three */
    facet_fbx_keys keys[MOST];
    const facet_fbx_keys *others[MOST];
    bool known[MOST];
    for (size_t i = 0; i < count && i < MOST; i++)
        known[i] = read_keys(p, &curves[i], &keys[i]);
    for (size_t i = 0; i < count && i < MOST; i++) {
        size_t other_count = 0;
        for (size_t j = 0; j < count && j < MOST; j++) {
            if (j != i && known[j])
                others[other_count++] = &keys[j];
        }
        resample(p, &curves[i], keys[i], known[i], others, other_count);
    }
    for (size_t i = MOST; i < count; i++)
        facet_tally_hit(&p->kept, curves[i].where);
}

static void report(const putter *p, facet_report *to, const facet_tally *tally,
                   facet_severity severity, const char *sentence)
{
    if (p->curves.is_binary)
        facet_report_add_tally(to, "LOSS-ANIMATIONS", severity, tally->first, tally, "%s",
                               sentence);
    else
        facet_report_add_tally_line(to, "LOSS-ANIMATIONS", severity, tally->first, tally, "%s",
                                    sentence);
}

facet_status facet_assimp_resample_fbx(const uint8_t **data, size_t *size, facet_arena *scratch,
                                       const facet_options *options, facet_report *to,
                                       facet_error *error)
{
    putter p = {.curves = {.data = *data, .size = *size, .arena = scratch},
                .budget = facet_budget_of(options, *size, FACET_BUDGET_FILES)};
    facet_fbx_find_curves(&p.curves);
    p.changes = facet_arena_allocate(scratch, p.curves.count, 2 * sizeof *p.changes);
    TRY(facet_arena_status(scratch, error));
    facet_fbx_curve_place *items = p.curves.items;
    if (items)
        qsort(items, p.curves.count, sizeof *items, by_node);
    for (size_t i = 0, next; i < p.curves.count; i = next) {
        for (next = i + 1; next < p.curves.count && items[i].is_angle && items[next].is_angle &&
                           items[next].node == items[i].node;)
            next++;
        resample_group(&p, items + i, next - i);
    }
    size_t grown = 0;
    uint8_t *made = p.count > 0 && !p.curves.failed ? copy(&p, &grown) : NULL;
    TRY(facet_arena_status(scratch, error));
    if (made) {
        *data = made;
        *size = grown;
    }
    for (size_t i = 0; i < p.curves.count && p.count > 0 && !made; i++)
        facet_tally_hit(&p.kept, p.curves.items[i].where);
    report(&p, to, &p.steps, FACET_SEVERITY_NOTE,
           "steps between keys become ramps of a millisecond");
    report(&p, to, &p.kept, FACET_SEVERITY_WARNING,
           "the keys of a curve are read as they are, with straight lines between them");
    report(&p, to, &p.cut, FACET_SEVERITY_WARNING,
           "a curve that continues before or after its keys is read as constant there");
    if (p.curves.layers > p.curves.stacks)
        facet_report_add(
            to, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "the layers of an animation are read without their blending: %zu layers in "
            "%zu animations",
            p.curves.layers, p.curves.stacks);
    return FACET_OK;
}
