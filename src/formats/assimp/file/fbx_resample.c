/* formats/assimp/file/fbx_resample.c - the curves of an FBX with more keys, before assimp reads it.
 * Only times and values are replaced: assimp does not read what else belongs to keys. */
#include "base/report.h"
#include "formats/assimp/file/fbx_movers.h"

#include <math.h>
#include <string.h>

/* -- Records ------------------------------------------------------------ */

/* Replace an array of a curve. The arena records a lack of memory. */
static void put(facet_fbx_edits *edits, uint32_t curve, const facet_fbx_keys *keys, bool is_time)
{
    const facet_fbx *fbx = edits->fbx;
    facet_fbx_record record;
    size_t size;
    uint8_t *bytes =
        is_time ? facet_fbx_make_array(fbx, "KeyTime", 'l', keys->times, keys->count, &size)
                : facet_fbx_make_array(fbx, "KeyValueFloat", 'd', keys->values, keys->count, &size);
    if (bytes && facet_fbx_find(fbx, fbx->objects[curve].list,
                                is_time ? "KeyTime" : "KeyValueFloat", &record))
        facet_fbx_replace(edits, &record, bytes, size);
}

/* Remove a connection. */
static void disconnect(facet_fbx_edits *edits, uint32_t link)
{
    const facet_fbx *fbx = edits->fbx;
    facet_fbx_record record;
    facet_fbx_span list = {fbx->links[link].begin, fbx->data + fbx->size};
    if (facet_fbx_next(fbx, &list, &record))
        facet_fbx_replace(edits, &record, fbx->data, 0);
}

/* -- Curves ------------------------------------------------------------- */

typedef struct resampler {
    facet_fbx_edits *edits;
    facet_fbx_movers movers;
    bool *done;       /* for each object: a curve or node of curves that was examined */
    uint64_t next_id; /* of an object that is added */
    facet_tally damaged, kept, steps, cut, mixed;
} resampler;

static uint64_t where(const facet_fbx *fbx, uint32_t object)
{
    const uint8_t *begin = fbx->objects[object].begin;
    return fbx->is_binary ? (uint64_t)(begin - fbx->data) : facet_fbx_line(fbx, begin);
}

static void hit(facet_tally *tally, const facet_fbx *fbx, uint32_t object)
{
    facet_tally_hit(tally, tally->count == 0 ? where(fbx, object) : tally->first);
}

/* Read a curve in the range of its animation. False if it stays as it is: it is damaged, or would
 * get too many keys. *changed: it is not that of the file. */
static bool read_curve(resampler *r, uint32_t curve, const facet_fbx_layer *layer,
                       facet_fbx_keys *keys, bool *changed)
{
    const facet_fbx *fbx = r->edits->fbx;
    if (!facet_fbx_read_keys(fbx, curve, keys)) {
        if (keys->count > 0)
            hit(&r->damaged, fbx, curve);
        return false;
    }
    const double *times = keys->times;
    if (!facet_fbx_fit_range(fbx, curve, layer->start, layer->stop, keys))
        hit(&r->cut, fbx, curve);
    *changed = times != keys->times;
    return true;
}

static void resample(resampler *r, uint32_t curve, facet_fbx_keys keys, bool changed,
                     const facet_fbx_keys *const *others, size_t other_count)
{
    bool failed;
    if (facet_fbx_resample(r->edits->fbx, &keys, others, other_count, true, &failed) || changed) {
        put(r->edits, curve, &keys, true);
        put(r->edits, curve, &keys, false);
        if (keys.has_steps)
            hit(&r->steps, r->edits->fbx, curve);
    }
    if (failed)
        hit(&r->kept, r->edits->fbx, curve);
}

/* -- Nodes of curves ---------------------------------------------------- */

enum { AXES = 3 };
static const char *const axes[AXES] = {"d|X", "d|Y", "d|Z"};

/* Add a curve of an axis to a node of curves. */
static void add_curve(resampler *r, uint32_t node, size_t axis, const double *times,
                      const double *values, size_t count)
{
    const facet_fbx *fbx = r->edits->fbx;
    const facet_fbx_object *object = &fbx->objects[node];
    size_t curve_size, link_size;
    uint64_t id = r->next_id++;
    const uint8_t *at = fbx->links[fbx->from[object->first_from]].begin;
    uint8_t *curve = facet_fbx_make_curve(fbx, id, times, values, count, &curve_size);
    uint8_t *link = facet_fbx_make_link(fbx, id, object->id, axes[axis], &link_size);
    if (curve && link && facet_fbx_insert(r->edits, object->begin, curve, curve_size))
        facet_fbx_insert(r->edits, at, link, link_size);
}

/* Add a curve for each axis that has none. Its value is that of the node of curves, where assimp
 * takes `otherwise`. */
static void add_missing(resampler *r, uint32_t node, double time, double otherwise)
{
    const facet_fbx *fbx = r->edits->fbx;
    for (uint32_t axis = 0; axis < AXES; axis++) {
        double value = facet_fbx_number(fbx, node, axes[axis], otherwise);
        if (facet_fbx_curve_of(fbx, node, axis) == FACET_NONE && value != otherwise &&
            isfinite(value))
            add_curve(r, node, axis, &time, &value, 1);
    }
}

/* Resample the curves of a node of curves. */
static void resample_node(resampler *r, const facet_fbx_mover *mover)
{
    const facet_fbx *fbx = r->edits->fbx;
    facet_fbx_keys keys[AXES];
    uint32_t curves[AXES];
    bool changed[AXES];
    size_t count = 0;
    for (uint32_t axis = 0; axis < AXES; axis++) {
        uint32_t curve = facet_fbx_curve_of(fbx, mover->node, axis);
        if (curve == FACET_NONE || r->done[curve])
            continue;
        r->done[curve] = true;
        if (!read_curve(r, curve, &r->movers.layers[mover->layer], &keys[count], &changed[count]))
            continue;
        keys[count].is_angle = mover->kind == FACET_FBX_ROTATION;
        curves[count++] = curve;
    }
    for (size_t i = 0; i < count; i++) {
        const facet_fbx_keys *others[AXES];
        size_t other_count = 0;
        for (size_t j = 0; j < count; j++) {
            if (j != i)
                others[other_count++] = &keys[j];
        }
        resample(r, curves[i], keys[i], changed[i], others, other_count);
    }
    if (count > 0 && !r->done[mover->node])
        add_missing(r, mover->node, keys[0].times[0], mover->kind == FACET_FBX_SCALING ? 1 : 0);
    r->done[mover->node] = true;
}

/* Report damaged curves, and those that get too many keys. fbx_animations.c reads the curves that
 * assimp does not. */
static void check_curves(resampler *r, const facet_fbx_mover *mover)
{
    for (uint32_t axis = 0; axis <= AXES; axis++) {
        facet_fbx_keys keys;
        bool changed;
        uint32_t curve = facet_fbx_curve_of(r->edits->fbx, mover->node, axis);
        if (curve == FACET_NONE || r->done[curve])
            continue;
        r->done[curve] = true;
        read_curve(r, curve, &r->movers.layers[mover->layer], &keys, &changed);
    }
}

/* -- Layers ------------------------------------------------------------- */

/* Give the first node of curves those of all layers, and disconnect the others. */
static void put_blended(resampler *r, uint32_t first, uint32_t count, facet_fbx_keys keys[AXES])
{
    const facet_fbx *fbx = r->edits->fbx;
    const facet_fbx_mover *movers = r->movers.items + first;
    for (uint32_t i = keys[0].count > 0; i < count; i++)
        disconnect(r->edits, movers[i].link);
    const facet_fbx_object *node = &fbx->objects[movers[0].node];
    for (uint32_t i = 0; i < node->link_count && keys[0].count > 0; i++) {
        if (facet_fbx_is(fbx->objects[fbx->links[node->first_link + i].from].kind,
                         "AnimationCurve"))
            disconnect(r->edits, node->first_link + i);
    }
    for (size_t axis = 0; axis < AXES && keys[0].count > 0; axis++) {
        const facet_fbx_keys *others[2] = {&keys[(axis + 1) % AXES], &keys[(axis + 2) % AXES]};
        facet_fbx_keys own = keys[axis];
        bool failed;
        facet_fbx_resample(fbx, &own, others, 2, true, &failed);
        if (failed)
            hit(&r->kept, fbx, movers[0].node);
        if (own.has_steps)
            hit(&r->steps, fbx, movers[0].node);
        add_curve(r, movers[0].node, axis, own.times, own.values, own.count);
    }
}

/* True if the nodes of curves of a property move only this one. */
static bool is_separate(const facet_fbx *fbx, const facet_fbx_mover *movers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const facet_fbx_object *node = &fbx->objects[movers[i].node];
        for (uint32_t k = 0; k < node->from_count; k++) {
            uint32_t link = fbx->from[node->first_from + k];
            if (facet_fbx_size(fbx->links[link].property) > 0 && link != movers[i].link)
                return false;
        }
    }
    return true;
}

/* Read the movers of one property in one animation. */
static void read_property(resampler *r, uint32_t first, uint32_t count)
{
    const facet_fbx *fbx = r->edits->fbx;
    const facet_fbx_mover *movers = r->movers.items + first;
    bool is_read = movers->kind <= FACET_FBX_SCALING;
    bool is_blended = is_read && facet_fbx_needs_blending(&r->movers, first, count);
    facet_fbx_keys keys[AXES];
    if (is_blended && is_separate(fbx, movers, count) &&
        facet_fbx_blend(fbx, &r->movers, first, count, keys)) {
        for (uint32_t i = 0; i < count; i++)
            check_curves(r, &movers[i]);
        put_blended(r, first, count, keys);
        return;
    }
    if (is_blended)
        hit(&r->mixed, fbx, movers->node);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_read)
            check_curves(r, &movers[i]);
        else if (i == 0)
            resample_node(r, &movers[0]);
        else
            disconnect(r->edits, movers[i].link);
    }
}

/* -- Animations --------------------------------------------------------- */

static void report_tally(const facet_fbx *fbx, facet_report *report, const facet_tally *tally,
                         facet_severity severity, const char *sentence)
{
    if (fbx->is_binary)
        facet_report_add_tally(report, "LOSS-ANIMATIONS", severity, tally->first, tally, "%s",
                               sentence);
    else
        facet_report_add_tally_line(report, "LOSS-ANIMATIONS", severity, tally->first, tally, "%s",
                                    sentence);
}

/* True if a curve has keys of different values. */
static bool changes(const facet_fbx *fbx, uint32_t curve)
{
    facet_fbx_record record;
    double *values;
    size_t count;
    bool differs = false;
    if (!facet_fbx_find(fbx, fbx->objects[curve].list, "KeyValueFloat", &record) ||
        !facet_fbx_numbers(fbx, &record, &values, &count))
        return false; /* the arena records a lack of memory */
    for (size_t i = 1; i < count; i++)
        differs |= values[i] != values[0];
    facet_arena_release(fbx->arena, values, count, sizeof *values);
    return differs;
}

static bool moves_others(const facet_fbx *fbx, const facet_fbx_object *node)
{
    for (uint32_t i = 0; i < node->from_count; i++) {
        const facet_fbx_link *link = &fbx->links[fbx->from[node->first_from + i]];
        if (facet_fbx_size(link->property) > 0 &&
            facet_fbx_kind_of(link->property) == FACET_FBX_KIND_COUNT)
            return true;
    }
    return false;
}

/* Report animations of properties that are not read, such as colors of materials. */
static void check_others(resampler *r, facet_report *report)
{
    const facet_fbx *fbx = r->edits->fbx;
    facet_tally tally = {0, 0};
    for (uint32_t i = 1; i < fbx->object_count; i++) {
        const facet_fbx_object *node = &fbx->objects[i];
        bool moves = false;
        if (!facet_fbx_is(node->kind, "AnimationCurveNode") || !moves_others(fbx, node))
            continue;
        for (uint32_t k = 0; k < node->link_count && !moves; k++) {
            uint32_t curve = fbx->links[node->first_link + k].from;
            if (!facet_fbx_is(fbx->objects[curve].kind, "AnimationCurve") || r->done[curve])
                continue;
            r->done[curve] = true;
            moves = changes(fbx, curve);
        }
        if (moves)
            hit(&tally, fbx, i);
    }
    report_tally(fbx, report, &tally, FACET_SEVERITY_WARNING,
                 "an animation of a property of a material, light, camera or constraint, or of a "
                 "custom one, is not read");
}

facet_status facet_fbx_resample_curves(facet_fbx_edits *edits, facet_report *report,
                                       facet_error *error)
{
    const facet_fbx *fbx = edits->fbx;
    resampler r = {.edits = edits};
    TRY(facet_fbx_list_movers(fbx, &r.movers, error));
    r.done = facet_arena_allocate_zeroed(fbx->arena, fbx->object_count, sizeof *r.done);
    if (!r.done && fbx->object_count > 0)
        return facet_fail_arena(fbx->arena, error);
    r.next_id = facet_fbx_next_id(fbx);
    for (uint32_t i = 0, count; i < r.movers.count; i += count) {
        count = facet_fbx_count_alike(&r.movers, i);
        read_property(&r, i, count);
    }
    check_others(&r, report);
    TRY(facet_arena_status(fbx->arena, error));
    report_tally(fbx, report, &r.steps, FACET_SEVERITY_NOTE,
                 "steps between keys become ramps of a millisecond");
    report_tally(fbx, report, &r.damaged, FACET_SEVERITY_WARNING,
                 "a damaged curve has straight lines between its keys");
    report_tally(fbx, report, &r.kept, FACET_SEVERITY_WARNING,
                 "a curve with too many keys has straight lines between them");
    report_tally(fbx, report, &r.cut, FACET_SEVERITY_WARNING,
                 "a curve that repeats too often is read as constant before and after its keys");
    report_tally(fbx, report, &r.mixed, FACET_SEVERITY_WARNING,
                 "layers of an animation that have too many keys, or a node of curves for several "
                 "properties, are not blended: the first is used");
    return FACET_OK;
}
