/* formats/assimp/file/fbx_resample.c - the curves of an FBX with more keys, before assimp reads it.
 * Only times and values are replaced: assimp does not read what else belongs to keys. */
#include "base/bytes.h"
#include "base/report.h"
#include "formats/assimp/file/fbx_curves.h"

#include <stdio.h>
#include <string.h>

/* -- Records ------------------------------------------------------------ */

/* A record with an array of one type, 'l' or 'f'. NULL if out of memory. */
static uint8_t *make_binary(const facet_fbx *fbx, const facet_fbx_keys *keys, bool is_time,
                            size_t *made)
{
    const char *name = is_time ? "KeyTime" : "KeyValueFloat";
    size_t word = fbx->is_wide ? 8 : 4, name_size = strlen(name), item = is_time ? 8 : 4;
    size_t head = 3 * word + 1 + name_size, size = head + 13 + keys->count * item;
    uint8_t *bytes = facet_arena_allocate_zeroed(fbx->arena, size, 1);
    *made = size;
    if (!bytes)
        return NULL;
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
            facet_store_u64le(to, (uint64_t)(int64_t)keys->times[i]);
        else
            facet_store_u32le(to, bits);
    }
    return bytes;
}

static uint8_t *make_text(const facet_fbx *fbx, const facet_fbx_keys *keys, bool is_time,
                          size_t *made)
{
    enum { NUMBER = 32, HEAD = 64 };
    size_t space = HEAD + keys->count * NUMBER;
    char *text = facet_arena_allocate(fbx->arena, space, 1);
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
    *made = used;
    return (uint8_t *)text;
}

/* Replace an array of a curve. */
static bool put(facet_fbx_edits *edits, uint32_t curve, const facet_fbx_keys *keys, bool is_time)
{
    const facet_fbx *fbx = edits->fbx;
    facet_fbx_record record;
    size_t size;
    uint8_t *bytes = fbx->is_binary ? make_binary(fbx, keys, is_time, &size)
                                    : make_text(fbx, keys, is_time, &size);
    return bytes &&
           facet_fbx_find(fbx, fbx->objects[curve].list, is_time ? "KeyTime" : "KeyValueFloat",
                          &record) &&
           facet_fbx_replace(edits, &record, bytes, size);
}

/* -- Curves ------------------------------------------------------------- */

typedef struct resampler {
    facet_fbx_edits *edits;
    facet_budget budget;
    bool *done;         /* for each object: a curve that was examined */
    double start, stop; /* bounds of all animations */
    bool failed;        /* out of memory */
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

static void resample(resampler *r, uint32_t curve, facet_fbx_keys keys, bool known,
                     const facet_fbx_keys *const *others, size_t other_count)
{
    const facet_fbx *fbx = r->edits->fbx;
    facet_fbx_record flags;
    bool failed = false;
    if (known &&
        ((continues(fbx, curve, "Pre-Extrapolation") && keys.times[0] > r->start) ||
         (continues(fbx, curve, "Post-Extrapolation") && keys.times[keys.count - 1] < r->stop)))
        hit(&r->cut, fbx, curve);
    if (known &&
        facet_fbx_resample(&keys, others, other_count, true, fbx->arena, &r->budget, &failed)) {
        r->failed |= !put(r->edits, curve, &keys, true) || !put(r->edits, curve, &keys, false);
        if (keys.has_steps)
            hit(&r->steps, fbx, curve);
    } else if (failed ||
               (!known && facet_fbx_find(fbx, fbx->objects[curve].list, "KeyAttrFlags", &flags))) {
        hit(&r->kept, fbx, curve);
    }
}

/* Resample the curves of a node of curves; `is_angle`: they are angles of one rotation. */
static void resample_node(resampler *r, uint32_t node, bool is_angle)
{
    enum { MOST = 3 };
    const facet_fbx *fbx = r->edits->fbx;
    const facet_fbx_object *object = &fbx->objects[node];
    facet_fbx_keys keys[MOST];
    uint32_t curves[MOST];
    bool known[MOST];
    size_t count = 0;
    for (uint32_t i = 0; i < object->link_count; i++) {
        uint32_t curve = fbx->links[object->first_link + i].from;
        if (!facet_fbx_is(fbx->objects[curve].kind, "AnimationCurve") || r->done[curve])
            continue;
        r->done[curve] = true;
        if (count == MOST) {
            hit(&r->kept, fbx, curve);
            continue;
        }
        curves[count] = curve;
        known[count] = facet_fbx_read_keys(fbx, curve, &keys[count]);
        keys[count++].is_angle = is_angle;
    }
    for (size_t i = 0; i < count; i++) {
        const facet_fbx_keys *others[MOST];
        size_t other_count = 0;
        for (size_t j = 0; j < count; j++) {
            if (j != i && known[j])
                others[other_count++] = &keys[j];
        }
        resample(r, curves[i], keys[i], known[i], others, other_count);
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

facet_status facet_fbx_resample_curves(facet_fbx_edits *edits, const facet_options *options,
                                       facet_report *report, facet_error *error)
{
    const facet_fbx *fbx = edits->fbx;
    resampler r = {.edits = edits,
                   .budget = facet_budget_of(options, fbx->size, FACET_BUDGET_FILES)};
    r.done = facet_arena_allocate_zeroed(fbx->arena, fbx->object_count, sizeof *r.done);
    if (!r.done && fbx->object_count > 0)
        return facet_fail_arena(fbx->arena, error);
    read_stacks(&r, report);
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        facet_fbx_span property = property_of(fbx, i);
        bool is_angle = facet_fbx_is(property, "Lcl Rotation");
        if (facet_fbx_is(fbx->objects[i].kind, "AnimationCurveNode") &&
            (is_angle || facet_fbx_is(property, "Lcl Translation") ||
             facet_fbx_is(property, "Lcl Scaling")))
            resample_node(&r, i, is_angle);
    }
    TRY(facet_arena_status(fbx->arena, error));
    report_tally(fbx, report, &r.steps, FACET_SEVERITY_NOTE,
                 "steps between keys become ramps of a millisecond");
    report_tally(fbx, report, &r.kept, FACET_SEVERITY_WARNING,
                 "the keys of a curve are read as they are, with straight lines between them");
    report_tally(fbx, report, &r.cut, FACET_SEVERITY_WARNING,
                 "a curve that continues before or after its keys is read as constant there");
    return FACET_OK;
}
