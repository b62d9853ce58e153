/* formats/assimp/file/fbx_blend.c - blends the layers of an animation of an FBX.
 *
 * Layers that move one property become one curve per axis. assimp joins the keys of all layers as
 * if they were those of one.
 *
 * Layers have an effect in their order. The first layer of the animation gives the value, and each
 * further one is added to it, or overrides it, or is blended with it by its weight. Rotations and
 * scales are multiplied, unless the layer says otherwise. FbxAnimLayer of Autodesk's FBX SDK
 * (https://help.autodesk.com) describes the properties; ufbx (https://github.com/ufbx/ufbx) checked
 * their effect against Maya. */
#include "formats/assimp/file/fbx_movers.h"
#include "formats/assimp/file/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double radian = 0.017453292519943295, turn = 360;
/* Steps of one layer become ramps of a millisecond if another layer moves meanwhile. */
static const double ramp = FACET_FBX_TICKS / 1000;

/* The curves of one layer. */
typedef struct blended_layer {
    const facet_fbx_layer *layer;
    facet_fbx_keys keys[3]; /* no keys: the axis keeps its value */
    double value[3];
    facet_fbx_keys weight; /* no keys: that of the layer */
    size_t at[4];          /* keys before the current time, of the axes and the weight */
} blended_layer;

typedef struct blender {
    const facet_fbx *fbx;
    const facet_fbx_movers *movers;
    facet_fbx_property_kind kind;
    uint32_t object, axis_count;
    int order[3];   /* axes of a rotation in their order */
    double sign;    /* -1 if they are an odd permutation */
    double rest[3]; /* the value of the object */
    blended_layer *layers;
    uint32_t layer_count;
    double *times;
    size_t time_count, time_capacity;
} blender;

/* -- Curves ------------------------------------------------------------- */

uint32_t facet_fbx_curve_of(const facet_fbx *fbx, uint32_t node, uint32_t axis)
{
    static const char *const names[] = {"d|X", "d|Y", "d|Z"};
    const facet_fbx_object *o = &fbx->objects[node];
    for (uint32_t i = o->first_link; i < o->first_link + o->link_count; i++) {
        const facet_fbx_link *link = &fbx->links[i];
        if (facet_fbx_is(fbx->objects[link->from].kind, "AnimationCurve") &&
            (axis == 3 || facet_fbx_is(link->property, names[axis])))
            return link->from;
    }
    return FACET_NONE;
}

/* Read a curve with straight lines, or constant ones, between its keys. */
static bool read_curve(const blender *b, uint32_t curve, const facet_fbx_layer *layer,
                       facet_fbx_keys *keys)
{
    bool failed;
    *keys = (facet_fbx_keys){.count = 0};
    if (curve == FACET_NONE)
        return true;
    if (!facet_fbx_read_keys(b->fbx, curve, keys)) {
        keys->count = 0; /* damaged: the report has it */
        return true;
    }
    keys->is_angle = b->kind == FACET_FBX_ROTATION;
    if (facet_budget_spend(b->fbx->key_budget, (uint64_t)keys->count * 4, "keys", NULL))
        return false;
    if (!facet_fbx_fit_range(b->fbx, curve, layer->start, layer->stop, keys))
        return false;
    facet_fbx_resample(b->fbx, keys, NULL, 0, false, &failed);
    return !failed;
}

static bool add_time(blender *b, double time)
{
    if (b->time_count == b->time_capacity) {
        size_t more = b->time_capacity * 2 + 64;
        double *grown =
            facet_arena_resize(b->fbx->arena, b->times, b->time_capacity, more, sizeof *grown);
        if (!grown)
            return false;
        b->times = grown;
        b->time_capacity = more;
    }
    b->times[b->time_count++] = time;
    return true;
}

/* Add the times of keys, and those right before steps. */
static bool add_times(blender *b, const facet_fbx_keys *k)
{
    for (size_t i = 0; i < k->count; i++) {
        bool is_step = i + 1 < k->count && k->flags[i] & FACET_FBX_CONSTANT &&
                       k->times[i + 1] - k->times[i] > 2 * ramp;
        if (!add_time(b, k->times[i]) ||
            (is_step && b->kind != FACET_FBX_VISIBILITY && !add_time(b, k->times[i + 1] - ramp)))
            return false;
    }
    return true;
}

/* Read the curves of a node in a layer. */
static bool read_layer(blender *b, const facet_fbx_mover *mover, blended_layer *to)
{
    static const char *const names[] = {"d|X", "d|Y", "d|Z"};
    const facet_fbx_layer *layer = &b->movers->layers[mover->layer];
    to->layer = layer;
    for (uint32_t axis = 0; axis < b->axis_count; axis++) {
        uint32_t curve = facet_fbx_curve_of(b->fbx, mover->node, b->axis_count == 1 ? 3 : axis);
        double otherwise = b->kind == FACET_FBX_SCALING ? 1 : 0;
        to->value[axis] = b->axis_count == 1
                              ? b->rest[0]
                              : facet_fbx_number(b->fbx, mover->node, names[axis], otherwise);
        if (!read_curve(b, curve, layer, &to->keys[axis]) || !add_times(b, &to->keys[axis]))
            return false;
    }
    if (layer->order == 0 || layer->mode == FACET_FBX_OVERRIDE)
        return true; /* the weight has no effect */
    uint32_t weight =
        facet_fbx_find_mover(b->movers, layer->stack, layer->object, FACET_FBX_WEIGHT);
    if (weight == FACET_NONE)
        return true;
    uint32_t curve = facet_fbx_curve_of(b->fbx, b->movers->items[weight].node, 3);
    return read_curve(b, curve, layer, &to->weight) && add_times(b, &to->weight);
}

/* -- Values ------------------------------------------------------------- */

static double key_value(const facet_fbx_keys *k, size_t *at, double time)
{
    while (*at + 1 < k->count && k->times[*at + 1] <= time)
        ++*at;
    return facet_fbx_value_at(k, *at, time);
}

static double weight_at(blended_layer *l, double time)
{
    if (l->weight.count == 0)
        return l->layer->weight;
    return fmax(0, fmin(1, key_value(&l->weight, &l->at[3], time) / 100));
}

/* The quaternion of angles in degrees, in the rotation order. A mirror exchanges two axes of an odd
 * order, and reverses the angles. */
static void quaternion_of(const blender *b, const double angles[3], double q[4])
{
    double in_order[3], made[4];
    for (int i = 0; i < 3; i++)
        in_order[i] = angles[b->order[i]] * b->sign * radian;
    facet_assimp_quaternion_of_angles(in_order, made);
    for (int i = 0; i < 3; i++)
        q[b->order[i]] = made[i] * b->sign;
    q[3] = made[3];
}

/* The angles of a quaternion nearest to others. */
static void angles_of(const blender *b, const double q[4], double angles[3])
{
    float in_order[4];
    double made[3], near[3];
    for (int i = 0; i < 3; i++) {
        in_order[i] = (float)(q[b->order[i]] * b->sign);
        near[i] = angles[b->order[i]] * b->sign * radian;
    }
    in_order[3] = (float)q[3];
    facet_assimp_angles_of(in_order, made);
    facet_assimp_nearest_angles(near, made);
    for (int i = 0; i < 3; i++)
        angles[b->order[i]] = made[i] / radian * b->sign;
}

static void multiply(const double a[4], const double b[4], double q[4])
{
    q[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    q[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    q[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    q[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* Turn from `a` to `b` by a share of the shortest way. */
static void slerp(const double a[4], const double b[4], double share, double q[4])
{
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double sign = dot < 0 ? -1 : 1, angle = acos(fmin(1, fabs(dot)));
    double from = 1 - share, to = share;
    if (sin(angle) > 1e-6) {
        from = sin((1 - share) * angle) / sin(angle);
        to = sin(share * angle) / sin(angle);
    }
    for (int i = 0; i < 4; i++)
        q[i] = a[i] * from + b[i] * to * sign;
}

static void blend_rotation(const blender *b, bool adds, double weight, const double value[3],
                           double result[3])
{
    static const double none[4] = {0, 0, 0, 1};
    double before[4], own[4], share[4], q[4];
    quaternion_of(b, result, before);
    quaternion_of(b, value, own);
    if (adds) {
        slerp(none, own, weight, share);
        multiply(before, share, q);
    } else {
        slerp(before, own, weight, q);
    }
    angles_of(b, q, result);
}

static double power(double value, double exponent)
{
    return exponent == 1 ? value : copysign(pow(fabs(value), exponent), value);
}

/* Apply a layer to the result of those before it. */
static void blend(const blender *b, const facet_fbx_layer *layer, double weight,
                  const double value[3], double result[3])
{
    bool adds = layer->mode == FACET_FBX_ADDITIVE;
    if (layer->order == 0 || layer->mode == FACET_FBX_OVERRIDE) {
        memcpy(result, value, 3 * sizeof *result);
        return;
    }
    if (b->kind == FACET_FBX_ROTATION && !layer->by_channel) {
        blend_rotation(b, adds, weight, value, result);
        return;
    }
    bool multiplies = b->kind == FACET_FBX_SCALING && !layer->adds_scales;
    for (uint32_t axis = 0; axis < b->axis_count; axis++) {
        double before = adds ? 1 : 1 - weight;
        result[axis] = multiplies ? power(result[axis], before) * power(value[axis], weight)
                                  : result[axis] * before + value[axis] * weight;
    }
}

/* Set the angles of a rotation to those nearest to the angles of the previous time. */
static void evaluate(blender *b, double time, const double previous[3], double result[3])
{
    double value[3] = {0, 0, 0};
    bool turns = false;
    memcpy(result, b->rest, 3 * sizeof *result);
    for (uint32_t i = 0; i < b->layer_count; i++) {
        blended_layer *l = &b->layers[i];
        for (uint32_t axis = 0; axis < b->axis_count; axis++)
            value[axis] = l->keys[axis].count > 0 ? key_value(&l->keys[axis], &l->at[axis], time)
                                                  : l->value[axis];
        turns |= b->kind == FACET_FBX_ROTATION && l->layer->order > 0 && !l->layer->by_channel &&
                 l->layer->mode != FACET_FBX_OVERRIDE;
        blend(b, l->layer, weight_at(l, time), value, result);
    }
    if (turns && previous) {
        double q[4];
        quaternion_of(b, result, q);
        memcpy(result, previous, 3 * sizeof *result);
        angles_of(b, q, result);
    }
}

/* -- Times -------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void sort_times(blender *b)
{
    size_t used = 0;
    qsort(b->times, b->time_count, sizeof *b->times, by_time);
    for (size_t i = 0; i < b->time_count; i++) {
        if (used == 0 || b->times[i] > b->times[used - 1])
            b->times[used++] = b->times[i];
    }
    b->time_count = used;
}

static double change_of(const facet_fbx_keys *k, size_t *at, double from, double to)
{
    if (k->count == 0)
        return 0;
    double before = key_value(k, at, from); /* a step at `to` does not count */
    return k->flags[*at] & FACET_FBX_CONSTANT ? 0 : fabs(facet_fbx_value_at(k, *at, to) - before);
}

/* Pieces between two times such that the result is close to a straight line. */
static size_t pieces_of(blender *b, double from, double to)
{
    enum { MAX_PIECES = 64, WEIGHT_PIECES = 16 };
    double most = 1;
    bool is_curved = false;
    for (uint32_t i = 0; i < b->layer_count; i++) {
        blended_layer *l = &b->layers[i];
        bool multiplies = (b->kind == FACET_FBX_ROTATION && !l->layer->by_channel) ||
                          (b->kind == FACET_FBX_SCALING && !l->layer->adds_scales);
        is_curved |= multiplies && l->layer->order > 0 && l->layer->mode != FACET_FBX_OVERRIDE;
        if (change_of(&l->weight, &l->at[3], from, to) > 0)
            most = WEIGHT_PIECES;
    }
    for (uint32_t i = 0; i < b->layer_count && is_curved; i++) {
        for (uint32_t axis = 0; axis < b->axis_count; axis++) {
            blended_layer *l = &b->layers[i];
            double change = change_of(&l->keys[axis], &l->at[axis], from, to);
            if (change > 0)
                most = fmax(most, b->kind == FACET_FBX_ROTATION ? change / turn * 120 : 8);
        }
    }
    return (size_t)fmin(ceil(most), MAX_PIECES);
}

/* Add times where the result bends. False if out of memory, or of the budget. */
static bool divide(blender *b)
{
    size_t count = b->time_count;
    for (size_t i = 0; i + 1 < count; i++) {
        double from = b->times[i], to = b->times[i + 1];
        size_t pieces = to - from > 2 * ramp ? pieces_of(b, from, to) : 1;
        for (size_t k = 1; k < pieces; k++) {
            if (!add_time(b, rint(from + (to - from) * (double)k / (double)pieces)))
                return false;
        }
    }
    for (uint32_t i = 0; i < b->layer_count; i++)
        memset(b->layers[i].at, 0, sizeof b->layers[i].at);
    sort_times(b);
    uint64_t work = (uint64_t)b->time_count * (b->layer_count + 8);
    return facet_budget_spend(b->fbx->key_budget, work, "keys", NULL) == FACET_OK;
}

/* True if no layer changes up to the next time. */
static bool is_held(const blender *b)
{
    for (uint32_t i = 0; i < b->layer_count; i++) {
        const blended_layer *l = &b->layers[i];
        for (uint32_t axis = 0; axis < 4; axis++) {
            const facet_fbx_keys *k = axis == 3 ? &l->weight : &l->keys[axis];
            if (k->count > 0 && l->at[axis] + 1 < k->count &&
                !(k->flags[l->at[axis]] & FACET_FBX_CONSTANT))
                return false;
        }
    }
    return true;
}

/* -- Blending ----------------------------------------------------------- */

bool facet_fbx_needs_blending(const facet_fbx_movers *movers, uint32_t first, uint32_t count)
{
    const facet_fbx_layer *only = &movers->layers[movers->items[first].layer];
    return count > 1 || only->is_off || (only->order > 0 && only->mode != FACET_FBX_OVERRIDE);
}

static void set_object(blender *b, uint32_t object)
{
    static const char *const names[FACET_FBX_KIND_COUNT] = {
        "Lcl Translation", "Lcl Rotation", "Lcl Scaling", "Visibility", "DeformPercent", "Weight"};
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                     {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    facet_fbx_value values[3];
    b->object = object;
    for (int i = 0; i < 3; i++)
        b->rest[i] = b->kind == FACET_FBX_SCALING ? 1 : 0;
    uint32_t count = facet_fbx_property(b->fbx, object, names[b->kind], values, b->axis_count);
    for (uint32_t i = 0; i < count; i++)
        b->rest[i] = values[i].number;
    double order = facet_fbx_number(b->fbx, object, "RotationOrder", 0);
    bool is_active = facet_fbx_number(b->fbx, object, "RotationActive", 1) != 0;
    size_t number = is_active && order > 0 && order < 6 ? (size_t)order : 0;
    memcpy(b->order, orders[number], sizeof b->order);
    b->sign = number % 2 ? -1 : 1;
}

static bool read_layers(blender *b, uint32_t first, uint32_t count)
{
    uint32_t last = FACET_NONE;
    for (uint32_t i = first; i < first + count; i++) {
        const facet_fbx_mover *mover = &b->movers->items[i];
        if (mover->layer == last || b->movers->layers[mover->layer].is_off)
            continue; /* one node of a layer has an effect */
        last = mover->layer;
        if (!read_layer(b, mover, &b->layers[b->layer_count++]))
            return false;
    }
    return true;
}

/* Allocate and fill the keys. */
static bool fill(blender *b, facet_fbx_keys keys[3])
{
    facet_arena *arena = b->fbx->arena;
    size_t count = b->time_count;
    uint32_t *flags = facet_arena_allocate_zeroed(arena, count, sizeof *flags);
    double result[3], previous[3];
    for (uint32_t axis = 0; axis < b->axis_count; axis++) {
        keys[axis] = (facet_fbx_keys){.count = count,
                                      .times = b->times,
                                      .flags = flags,
                                      .is_angle = b->kind == FACET_FBX_ROTATION};
        keys[axis].values = facet_arena_allocate(arena, count, sizeof *keys[axis].values);
        if (!flags || !keys[axis].values)
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        evaluate(b, b->times[i], i > 0 ? previous : NULL, result);
        flags[i] = is_held(b) ? FACET_FBX_CONSTANT : 0;
        memcpy(previous, result, sizeof previous);
        for (uint32_t axis = 0; axis < b->axis_count; axis++)
            keys[axis].values[i] = result[axis];
    }
    return true;
}

bool facet_fbx_blend(const facet_fbx *fbx, const facet_fbx_movers *movers, uint32_t first,
                     uint32_t count, facet_fbx_keys keys[3])
{
    const facet_fbx_mover *mover = &movers->items[first];
    blender b = {.fbx = fbx, .movers = movers, .kind = mover->kind};
    b.axis_count = mover->kind <= FACET_FBX_SCALING ? 3 : 1;
    for (int i = 0; i < 3; i++)
        keys[i] = (facet_fbx_keys){.count = 0};
    size_t work = facet_fbx_size(fbx->objects[mover->object].list);
    if (!fbx->key_budget || facet_budget_spend(fbx->key_budget, work, "layers", NULL))
        return false;
    set_object(&b, mover->object);
    b.layers = facet_arena_allocate_zeroed(fbx->arena, count, sizeof *b.layers);
    if (!b.layers || !read_layers(&b, first, count))
        return false;
    if (b.time_count == 0)
        return true;
    sort_times(&b);
    return divide(&b) && fill(&b, keys);
}
