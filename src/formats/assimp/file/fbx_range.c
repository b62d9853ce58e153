/* formats/assimp/file/fbx_range.c - limits a curve of an FBX to the time range of its animation.
 *
 * The curve gets keys for the parts before and after its keys. Keys outside of the range are cut
 * off: assimp drops them, together with the parts of the curve that reach into the range. */
#include "formats/assimp/file/fbx_curves.h"

#include <math.h>
#include <string.h>

/* Steps at the end of a repetition become ramps of a millisecond. */
static const double ramp = FACET_FBX_TICKS / 1000;

/* The part of a curve before its first key, or after its last one. */
typedef struct extrapolation {
    char type;    /* C: constant, R: repeat, A: repeat from the last value, M: mirror, K: slope */
    double most;  /* repetitions */
    double slope; /* per tick */
} extrapolation;

static extrapolation read_extrapolation(const facet_fbx *fbx, uint32_t curve,
                                        const facet_fbx_keys *keys, bool is_post)
{
    extrapolation e = {'C', INFINITY, facet_fbx_end_slope(keys, is_post) / FACET_FBX_TICKS};
    facet_fbx_record part, record;
    facet_fbx_value value;
    if (!facet_fbx_find(fbx, fbx->objects[curve].list,
                        is_post ? "Post-Extrapolation" : "Pre-Extrapolation", &part))
        return e;
    if (facet_fbx_find(fbx, part.list, "Type", &record) &&
        facet_fbx_next_value(fbx, &record.values, &value)) {
        if (value.is_text && facet_fbx_size(value.text) == 1)
            e.type = (char)*value.text.at;
        else if (!value.is_text && value.number > 0 && value.number < 128)
            e.type = (char)value.number;
    }
    if (facet_fbx_find(fbx, part.list, "Repetition", &record) &&
        facet_fbx_next_value(fbx, &record.values, &value) && value.number >= 0)
        e.most = value.number;
    bool repeats = e.type == 'R' || e.type == 'A' || e.type == 'M';
    if (!(repeats && e.most > 0) && !(e.type == 'K' && e.slope != 0))
        e.type = 'C';
    return e;
}

/* The keys under construction. */
typedef struct range_writer {
    const facet_fbx_keys *from;
    double first, last, start, stop;
    facet_fbx_keys to;
} range_writer;

static void add(range_writer *w, double time, double value, uint32_t flags)
{
    facet_fbx_keys *to = &w->to;
    if (to->count > 0 && time == to->times[to->count - 1])
        to->flags[to->count - 1] = flags; /* the end of a repetition, and the start of the next */
    if (to->count > 0 && time <= to->times[to->count - 1])
        return;
    to->times[to->count] = time;
    to->values[to->count] = value;
    to->flags[to->count++] = flags;
}

/* Repetitions that reach over `span`. */
static double repetitions(const range_writer *w, const extrapolation *e, double span)
{
    if (e->type == 'C' || e->type == 'K' || span <= 0 || w->last - w->first < 1)
        return 0;
    return fmin(ceil(span / (w->last - w->first)), e->most);
}

/* Add repetition `number`: 0 is the keys themselves, -1 the last one before them. With `jumps`, its
 * last key moves back a little, for a step to the value at which the next repetition starts. */
static void add_repetition(range_writer *w, const extrapolation *e, double number, bool jumps)
{
    const uint32_t kept = FACET_FBX_CONSTANT | FACET_FBX_NEXT;
    const facet_fbx_keys *k = w->from;
    bool is_mirrored = e->type == 'M' && fmod(fabs(number), 2) == 1;
    double rise = e->type == 'A' ? number * (k->values[k->count - 1] - k->values[0]) : 0;
    for (size_t i = 0; i < k->count; i++) {
        bool is_last = i + 1 == k->count;
        size_t key = is_mirrored ? k->count - 1 - i : i;
        double time = is_mirrored ? w->last - k->times[key] + w->first : k->times[key];
        double value = k->values[key];
        if (is_last && i > 0 && jumps) {
            time -= fmin(ramp, (k->times[i] - k->times[i - 1]) / 2);
            value = facet_fbx_value_at(k, i - 1, time);
        }
        add(w, rint(time + number * (w->last - w->first)), value + rise,
            is_mirrored || is_last ? 0 : k->flags[key] & kept);
    }
}

/* Cut off what is outside of the range. Keys at its ends get the values of the curve. */
static void cut(range_writer *w)
{
    facet_fbx_keys *k = &w->to;
    size_t first = 0, used = 0;
    while (first + 1 < k->count && k->times[first + 1] <= w->start)
        first++;
    for (size_t i = first; i < k->count; i++) {
        double time = k->times[i], value = k->values[i];
        uint32_t flags = k->flags[i];
        if (time < w->start) {
            value = facet_fbx_value_at(k, i, w->start);
            time = w->start;
        } else if (time > w->stop) {
            value = used > 0 ? facet_fbx_value_at(k, i - 1, w->stop) : value;
            time = w->stop;
        }
        k->times[used] = time;
        k->values[used] = value;
        k->flags[used++] = flags;
        if (time == w->stop)
            break;
    }
    k->count = used;
}

static bool allocate(const facet_fbx *fbx, range_writer *w, double count)
{
    if (!(count < 1e9) || !fbx->key_budget ||
        facet_budget_spend(fbx->key_budget, (uint64_t)count * 16, "keys", NULL) != FACET_OK)
        return false;
    w->to.times = facet_arena_allocate(fbx->arena, (size_t)count, sizeof *w->to.times);
    w->to.values = facet_arena_allocate(fbx->arena, (size_t)count, sizeof *w->to.values);
    w->to.flags = facet_arena_allocate(fbx->arena, (size_t)count, sizeof *w->to.flags);
    return w->to.times && w->to.values && w->to.flags;
}

bool facet_fbx_fit_range(const facet_fbx *fbx, uint32_t curve, double start, double stop,
                         facet_fbx_keys *keys)
{
    if (keys->count == 0 || !(start < stop))
        return true;
    range_writer w = {.from = keys, .start = start, .stop = stop, .to = *keys};
    w.first = keys->times[0];
    w.last = keys->times[keys->count - 1];
    extrapolation pre = read_extrapolation(fbx, curve, keys, false);
    extrapolation post = read_extrapolation(fbx, curve, keys, true);
    pre.type = w.first > start ? pre.type : 'C';
    post.type = w.last < stop ? post.type : 'C';
    if (pre.type == 'C' && post.type == 'C' && w.first >= start && w.last <= stop)
        return true;
    bool failed, is_mirrored = pre.type == 'M' || post.type == 'M';
    facet_fbx_resample(fbx, keys, NULL, 0, is_mirrored, &failed);
    double before = repetitions(&w, &pre, w.first - start);
    double after = repetitions(&w, &post, stop - w.last);
    /* Repetitions, a key for each slope, and one for each end of the range. */
    if (failed || !allocate(fbx, &w, (before + after + 1) * (double)keys->count + 4))
        return false;
    w.to.count = 0;
    bool differs = keys->values[0] != keys->values[keys->count - 1];
    bool jumps = differs && post.type == 'R';
    if (pre.type == 'K')
        add(&w, start, keys->values[0] + pre.slope * (start - w.first), 0);
    for (double i = before; i >= 1; i--)
        add_repetition(&w, &pre, -i, differs && pre.type == 'R');
    for (double i = 0; i <= after; i++)
        add_repetition(&w, &post, i, jumps && i < after);
    if (post.type == 'K')
        add(&w, stop, keys->values[keys->count - 1] + post.slope * (stop - w.last), 0);
    cut(&w);
    *keys = w.to;
    return true;
}
