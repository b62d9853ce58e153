/* formats/assimp/file/fbx_resample.c - the curves of an FBX with more keys, before assimp reads it.
 * Only times and values are replaced: assimp does not read what else belongs to keys. */
#include "base/report.h"
#include "formats/assimp/file/fbx_curves.h"

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

/* -- Curves ------------------------------------------------------------- */

typedef struct resampler {
    facet_fbx_edits *edits;
    bool *done;         /* for each object: a curve that was examined */
    double start, stop; /* bounds of all animations */
    uint64_t next_id;   /* of an object that is added */
    facet_tally kept, steps, cut;
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

/* True if a curve repeats or slopes before or after its keys. */
static bool continues(const facet_fbx *fbx, uint32_t curve, const char *name)
{
    facet_fbx_record part, type;
    facet_fbx_value value;
    if (!facet_fbx_find(fbx, fbx->objects[curve].list, name, &part) ||
        !facet_fbx_find(fbx, part.list, "Type", &type) ||
        !facet_fbx_next_value(fbx, &type.values, &value))
        return false;
    return value.is_text ? !facet_fbx_is(value.text, "C") : value.number != 'C';
}

/* Report a curve that is damaged, or continues before or after its keys. */
static void check_curve(resampler *r, uint32_t curve, const facet_fbx_keys *keys, bool known)
{
    const facet_fbx *fbx = r->edits->fbx;
    if (!known && keys->count > 0)
        hit(&r->kept, fbx, curve);
    else if (known && ((continues(fbx, curve, "Pre-Extrapolation") && keys->times[0] > r->start) ||
                       (continues(fbx, curve, "Post-Extrapolation") &&
                        keys->times[keys->count - 1] < r->stop)))
        hit(&r->cut, fbx, curve);
}

static void resample(resampler *r, uint32_t curve, facet_fbx_keys keys,
                     const facet_fbx_keys *const *others, size_t other_count)
{
    bool failed;
    if (facet_fbx_resample(r->edits->fbx, &keys, others, other_count, true, &failed)) {
        put(r->edits, curve, &keys, true);
        put(r->edits, curve, &keys, false);
        if (keys.has_steps)
            hit(&r->steps, r->edits->fbx, curve);
    } else if (failed) {
        hit(&r->kept, r->edits->fbx, curve);
    }
}

/* Add a curve for each axis that has none. Its value is that of the node of curves, where assimp
 * takes `otherwise`. */
static void add_missing(resampler *r, uint32_t node, double time, double otherwise)
{
    static const char *const axes[] = {"d|X", "d|Y", "d|Z"};
    const facet_fbx *fbx = r->edits->fbx;
    const facet_fbx_object *object = &fbx->objects[node];
    for (size_t axis = 0; axis < sizeof axes / sizeof *axes; axis++) {
        double value = facet_fbx_number(fbx, node, axes[axis], otherwise);
        const facet_fbx_link *last = NULL;
        bool has_curve = false;
        for (uint32_t i = 0; i < object->link_count; i++) {
            last = &fbx->links[object->first_link + i];
            has_curve |= facet_fbx_is(last->property, axes[axis]);
        }
        if (has_curve || !last || value == otherwise || !isfinite(value))
            continue;
        size_t curve_size, link_size;
        uint64_t id = r->next_id++;
        uint8_t *curve = facet_fbx_make_curve(fbx, id, time, value, &curve_size);
        uint8_t *link = facet_fbx_make_link(fbx, id, object->id, axes[axis], &link_size);
        if (curve && link && facet_fbx_insert(r->edits, object->begin, curve, curve_size))
            facet_fbx_insert(r->edits, last->begin, link, link_size);
    }
}

/* Resample the curves of a node of curves; `is_angle`: they are angles of one rotation. `otherwise`
 * is the value of assimp for an axis without a curve. */
static void resample_node(resampler *r, uint32_t node, bool is_angle, double otherwise)
{
    enum { MOST = 3 };
    const facet_fbx *fbx = r->edits->fbx;
    const facet_fbx_object *object = &fbx->objects[node];
    facet_fbx_keys keys[MOST];
    uint32_t curves[MOST];
    size_t count = 0;
    for (uint32_t i = 0; i < object->link_count; i++) {
        uint32_t curve = fbx->links[object->first_link + i].from;
        facet_fbx_keys own;
        if (!facet_fbx_is(fbx->objects[curve].kind, "AnimationCurve") || r->done[curve])
            continue;
        r->done[curve] = true;
        bool known = facet_fbx_read_keys(fbx, curve, &own);
        check_curve(r, curve, &own, known);
        own.is_angle = is_angle;
        if (known && count < MOST) {
            curves[count] = curve;
            keys[count++] = own;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const facet_fbx_keys *others[MOST];
        size_t other_count = 0;
        for (size_t j = 0; j < count; j++) {
            if (j != i)
                others[other_count++] = &keys[j];
        }
        resample(r, curves[i], keys[i], others, other_count);
    }
    if (count > 0)
        add_missing(r, node, keys[0].times[0], otherwise);
}

/* Check the curves of a node of curves that assimp does not read. */
static void check_node(resampler *r, uint32_t node)
{
    const facet_fbx *fbx = r->edits->fbx;
    const facet_fbx_object *object = &fbx->objects[node];
    for (uint32_t i = 0; i < object->link_count; i++) {
        uint32_t curve = fbx->links[object->first_link + i].from;
        facet_fbx_keys keys;
        if (!facet_fbx_is(fbx->objects[curve].kind, "AnimationCurve") || r->done[curve])
            continue;
        r->done[curve] = true;
        bool known = facet_fbx_read_keys(fbx, curve, &keys);
        check_curve(r, curve, &keys, known);
    }
}

/* -- Animations --------------------------------------------------------- */

/* The property of a model that a node of curves moves; empty: none. */
static facet_fbx_span property_of(const facet_fbx *fbx, uint32_t node)
{
    const facet_fbx_object *object = &fbx->objects[node];
    for (uint32_t i = 0; i < object->from_count; i++) {
        const facet_fbx_link *link = &fbx->links[fbx->from[object->first_from + i]];
        if (facet_fbx_size(link->property) > 0)
            return link->property;
    }
    return (facet_fbx_span){fbx->data, fbx->data};
}

/* Find the bounds of all animations. Report layers, unless each animation uses one. */
static void read_stacks(resampler *r, facet_report *report)
{
    const facet_fbx *fbx = r->edits->fbx;
    uint32_t stacks = 0, layers = 0;
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        if (facet_fbx_is(fbx->objects[i].kind, "AnimationStack")) {
            double start = facet_fbx_number(fbx, i, "LocalStart", 0);
            double stop = facet_fbx_number(fbx, i, "LocalStop", 0);
            r->start = start < r->start ? start : r->start;
            r->stop = stop > r->stop ? stop : r->stop;
            stacks++;
        }
        layers += facet_fbx_is(fbx->objects[i].kind, "AnimationLayer") &&
                  facet_fbx_next_link(fbx, i, "AnimationCurveNode", 0) != FACET_NONE;
    }
    if (layers > stacks)
        facet_report_add(report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the layers of an animation are read without their blending: %u layers in "
                         "%u animations",
                         (unsigned)layers, (unsigned)stacks);
}

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

facet_status facet_fbx_resample_curves(facet_fbx_edits *edits, facet_report *report,
                                       facet_error *error)
{
    const facet_fbx *fbx = edits->fbx;
    resampler r = {.edits = edits};
    r.done = facet_arena_allocate_zeroed(fbx->arena, fbx->object_count, sizeof *r.done);
    if (!r.done && fbx->object_count > 0)
        return facet_fail_arena(fbx->arena, error);
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        uint64_t id = fbx->objects[i].id;
        r.next_id = id >= r.next_id && id < INT64_MAX ? id + 1 : r.next_id;
    }
    read_stacks(&r, report);
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        if (!facet_fbx_is(fbx->objects[i].kind, "AnimationCurveNode"))
            continue;
        facet_fbx_span property = property_of(fbx, i);
        if (facet_fbx_is(property, "Lcl Rotation"))
            resample_node(&r, i, true, 0);
        else if (facet_fbx_is(property, "Lcl Translation"))
            resample_node(&r, i, false, 0);
        else if (facet_fbx_is(property, "Lcl Scaling"))
            resample_node(&r, i, false, 1);
        else if (facet_fbx_is(property, "DeformPercent") || facet_fbx_is(property, "Visibility"))
            check_node(&r, i);
    }
    TRY(facet_arena_status(fbx->arena, error));
    report_tally(fbx, report, &r.steps, FACET_SEVERITY_NOTE,
                 "steps between keys become ramps of a millisecond");
    report_tally(fbx, report, &r.kept, FACET_SEVERITY_WARNING,
                 "a curve with damaged or too many keys has straight lines between them");
    report_tally(fbx, report, &r.cut, FACET_SEVERITY_WARNING,
                 "a curve that continues before or after its keys is read as constant there");
    return FACET_OK;
}
