/* formats/assimp/to_scene/fbx_animations.c - curves of visibility and morph targets of an FBX
 * become channels. assimp drops the first, and mixes up the second if their keys differ. */
#include "base/error.h"
#include "formats/assimp/file/fbx_movers.h"
#include "formats/assimp/to_scene/fbx.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A use of a channel object by a mesh, in a list per object. */
typedef struct morph_use {
    uint32_t mesh, next;
} morph_use;

typedef struct curve_reader {
    facet_assimp_reader *r;
    const facet_fbx *fbx;
    facet_fbx_movers movers;
    uint32_t *curve_of;               /* per object: its first mover in the stack, or FACET_NONE */
    uint32_t *touched, touched_count; /* objects with a curve in the stack */
    uint32_t *first_place, *next_place; /* places by object */
    uint32_t *first_node, *next_node;   /* nodes of the scene by mesh */
    uint32_t *first_use;                /* per object: number of the first use, or FACET_NONE */
    morph_use *uses;
    uint32_t use_count, use_capacity;
    uint32_t *stamps, stamp; /* per mesh: the last stack with a channel for it */
    uint32_t next_mover;     /* of the next stack */
    facet_tally straight;
    facet_animation *animation;
    facet_channel *channels; /* of the stack */
    uint32_t channel_count, channel_capacity;
    double start, stop, origin; /* in ticks; keys are between `start` and `stop` */
} curve_reader;

/* -- Lists -------------------------------------------------------------- */

/* List items by their key, in ascending order. False if out of memory. */
static bool list_by(facet_arena *arena, uint32_t key_count, uint32_t item_count, uint32_t **first,
                    uint32_t **next)
{
    *first = facet_arena_allocate(arena, key_count, sizeof **first);
    *next = facet_arena_allocate(arena, item_count, sizeof **next);
    if (*first)
        memset(*first, 0xFF, key_count * sizeof **first);
    return *first && *next;
}

static bool make_lists(curve_reader *c)
{
    facet_assimp_reader *r = c->r;
    facet_arena *scratch = r->scratch;
    uint32_t objects = c->fbx->object_count, meshes = r->scene->mesh_count;
    if (!list_by(scratch, objects, r->place_count, &c->first_place, &c->next_place) ||
        !list_by(scratch, meshes, r->scene->node_count, &c->first_node, &c->next_node) ||
        !list_by(scratch, objects, objects, &c->curve_of, &c->touched) ||
        !list_by(scratch, objects, 0, &c->first_use, &c->stamps))
        return false;
    c->stamps = facet_arena_allocate_zeroed(scratch, meshes, sizeof *c->stamps);
    for (uint32_t i = r->place_count; i-- > 0;) {
        if (r->objects[i] == FACET_NONE)
            continue;
        c->next_place[i] = c->first_place[r->objects[i]];
        c->first_place[r->objects[i]] = i;
    }
    for (uint32_t i = r->scene->node_count; i-- > 0;) {
        uint32_t mesh = r->scene->nodes[i]->mesh;
        if (mesh == FACET_NONE)
            continue;
        c->next_node[i] = c->first_node[mesh];
        c->first_node[mesh] = i;
    }
    for (uint32_t mesh = 0; mesh < meshes; mesh++) {
        for (uint32_t i = 0; i < r->morphs[mesh].channel_count; i++) {
            uint32_t object = r->morphs[mesh].channels[i].object;
            if (!FACET_GROW(scratch, c->uses, c->use_count, c->use_capacity))
                return false;
            c->uses[c->use_count] = (morph_use){mesh, c->first_use[object]};
            c->first_use[object] = c->use_count++;
        }
    }
    return c->stamps != NULL;
}

/* -- Channels ----------------------------------------------------------- */

/* Add a channel with space for `count` keys. NULL if out of memory. */
static facet_channel *add_channel(curve_reader *c, uint32_t node, facet_channel_target target,
                                  uint32_t width, size_t count)
{
    facet_arena *arena = c->r->scene->arena;
    if (count > UINT32_MAX ||
        !FACET_GROW(c->r->scratch, c->channels, c->channel_count, c->channel_capacity))
        return NULL;
    facet_channel *channel = &c->channels[c->channel_count++];
    *channel = (facet_channel){.node = node, .target = target, .width = width};
    channel->times = facet_arena_allocate(arena, count, sizeof *channel->times);
    channel->values = facet_arena_allocate(arena, count, width * sizeof *channel->values);
    return channel->times && channel->values ? channel : NULL;
}

static float seconds(const curve_reader *c, double ticks)
{
    return (float)((ticks - c->origin) / FACET_FBX_TICKS);
}

static bool read_curve(curve_reader *c, uint32_t object, facet_fbx_curve *curve)
{
    if (!facet_fbx_read_curve(c->fbx, &c->movers, c->curve_of[object], curve))
        return false;
    if (curve->is_straight)
        facet_tally_hit(&c->straight, object);
    return true;
}

/* A node is visible at a value of at least 1. Between two keys, it is if it is at both. */
static bool is_visible(const facet_fbx_curve *curve, size_t key)
{
    bool is_last = key + 1 == curve->count || curve->holds[key];
    return fabs(curve->values[key]) >= 1 && (is_last || fabs(curve->values[key + 1]) >= 1);
}

static bool add_visibility(curve_reader *c, uint32_t model)
{
    facet_fbx_curve curve;
    if (!read_curve(c, model, &curve))
        return false;
    for (uint32_t i = c->first_place[model]; curve.count > 0 && i != FACET_NONE;
         i = c->next_place[i]) {
        facet_channel *channel = add_channel(c, i, FACET_TARGET_VISIBILITY, 1, curve.count);
        if (!channel)
            return false;
        channel->interpolation = FACET_INTERPOLATION_STEP;
        uint32_t used = 0;
        for (size_t k = 0; k < curve.count; k++) {
            bool is_before = k + 1 < curve.count && curve.times[k + 1] <= c->start;
            float value = is_visible(&curve, k) ? 1 : 0;
            if (is_before ||
                (used > 0 && (curve.times[k] > c->stop || channel->values[used - 1] == value)))
                continue;
            channel->times[used] = seconds(c, fmax(curve.times[k], c->start));
            channel->values[used++] = value;
        }
        channel->key_count = used;
    }
    return true;
}

/* -- Morph targets ------------------------------------------------------ */

/* Curves of the channels of a mesh. A channel without a curve keeps its weight at rest. */
typedef struct morph_motion {
    const facet_fbx_morphs *morphs;
    facet_fbx_curve *curves;
    size_t *at;
    double *times;
    size_t time_count, time_capacity;
} morph_motion;

static bool add_time(const curve_reader *c, morph_motion *m, double time)
{
    if (m->time_count == m->time_capacity) {
        size_t more = m->time_capacity * 2 + 64;
        double *grown =
            facet_arena_resize(c->r->scratch, m->times, m->time_capacity, more, sizeof *grown);
        if (!grown)
            return false;
        m->times = grown;
        m->time_capacity = more;
    }
    m->times[m->time_count++] = fmin(fmax(time, c->start), c->stop);
    return true;
}

/* Add the times of the keys of a curve, and those where it passes the weight of a shape, where the
 * weights of the targets bend. */
static bool add_times(const curve_reader *c, morph_motion *m, uint32_t number)
{
    const facet_fbx_curve *curve = &m->curves[number];
    const facet_fbx_channel *channel = &m->morphs->channels[number];
    for (size_t k = 0; k < curve->count; k++) {
        if (!add_time(c, m, curve->times[k]))
            return false;
        if (k + 1 == curve->count || curve->holds[k])
            continue;
        double from = curve->values[k], to = curve->values[k + 1];
        for (uint32_t i = 0; i <= channel->shape_count; i++) {
            double bend = i == channel->shape_count ? 0 : channel->shapes[i].full;
            if (channel->shape_count > 1 && (bend - from) * (bend - to) < 0 &&
                !add_time(c, m,
                          curve->times[k] + (curve->times[k + 1] - curve->times[k]) *
                                                (bend - from) / (to - from)))
                return false;
        }
    }
    return true;
}

static int by_time(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Fill the keys of a channel of weights. */
static void fill_weights(const curve_reader *c, morph_motion *m, facet_channel *to)
{
    uint32_t count = m->morphs->channel_count;
    memset(m->at, 0, count * sizeof *m->at);
    memset(to->values, 0, m->time_count * to->width * sizeof *to->values);
    for (size_t k = 0; k < m->time_count; k++) {
        to->times[k] = seconds(c, m->times[k]);
        for (uint32_t i = 0; i < count; i++) {
            const facet_fbx_channel *channel = &m->morphs->channels[i];
            double percent = m->curves[i].count > 0
                                 ? facet_fbx_curve_value(&m->curves[i], m->times[k], &m->at[i])
                                 : channel->percent;
            facet_fbx_add_weights(channel, percent, to->values + k * to->width);
        }
    }
    to->key_count = (uint32_t)m->time_count;
}

static bool add_weights(curve_reader *c, uint32_t mesh)
{
    facet_arena *scratch = c->r->scratch;
    morph_motion m = {.morphs = &c->r->morphs[mesh]};
    uint32_t count = m.morphs->channel_count;
    m.curves = facet_arena_allocate_zeroed(scratch, count, sizeof *m.curves);
    m.at = facet_arena_allocate(scratch, count, sizeof *m.at);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t object = m.morphs->channels[i].object;
        if (!m.curves || !m.at ||
            (c->curve_of[object] != FACET_NONE &&
             (!read_curve(c, object, &m.curves[i]) || !add_times(c, &m, i))))
            return false;
    }
    if (m.time_count == 0)
        return true;
    qsort(m.times, m.time_count, sizeof *m.times, by_time);
    size_t used = 1;
    for (size_t i = 1; i < m.time_count; i++) {
        if (m.times[i] > m.times[used - 1])
            m.times[used++] = m.times[i];
    }
    m.time_count = used;
    for (uint32_t i = c->first_node[mesh]; i != FACET_NONE; i = c->next_node[i]) {
        facet_channel *channel =
            add_channel(c, i, FACET_TARGET_WEIGHTS, c->r->scene->meshes[mesh]->morph_count, used);
        if (!channel)
            return false;
        fill_weights(c, &m, channel);
    }
    facet_arena_release(scratch, m.times, m.time_capacity, sizeof *m.times);
    return true;
}

/* -- Stacks ------------------------------------------------------------- */

/* The time of the first key that moves a node, which assimp subtracts from all keys of a stack
 * without times. */
static bool find_origin(curve_reader *c, const facet_fbx_mover *mover)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t curve = facet_fbx_curve_of(c->fbx, mover->node, axis);
        if (curve != FACET_NONE && !facet_fbx_curve_start(c->fbx, curve, &c->origin))
            return false;
    }
    return true;
}

/* Note the movers of a property, from number `first` on. */
static bool note_movers(curve_reader *c, uint32_t first, uint32_t count, bool is_open)
{
    const facet_fbx_mover *mover = &c->movers.items[first];
    if (mover->kind <= FACET_FBX_SCALING) {
        for (uint32_t i = 0; i < count && is_open; i++) {
            if (!c->movers.layers[mover[i].layer].is_off && !find_origin(c, &mover[i]))
                return false;
        }
    } else if (mover->kind == FACET_FBX_VISIBILITY ||
               (mover->kind == FACET_FBX_PERCENT && c->first_use[mover->object] != FACET_NONE)) {
        if (c->curve_of[mover->object] == FACET_NONE)
            c->touched[c->touched_count++] = mover->object;
        c->curve_of[mover->object] = first;
    }
    return true;
}

static bool read_stack(curve_reader *c, uint32_t stack)
{
    const facet_fbx *fbx = c->fbx;
    c->start = facet_fbx_number(fbx, stack, "LocalStart", 0);
    c->stop = facet_fbx_number(fbx, stack, "LocalStop", 0);
    c->origin = c->start;
    bool is_open = c->start == 0 && c->stop == 0;
    if (is_open)
        c->origin = INFINITY;
    for (uint32_t count; c->next_mover < c->movers.count; c->next_mover += count) {
        const facet_fbx_mover *mover = &c->movers.items[c->next_mover];
        if (c->movers.layers[mover->layer].stack != stack)
            break; /* they are sorted by stack */
        count = facet_fbx_count_alike(&c->movers, c->next_mover);
        if (!note_movers(c, c->next_mover, count, is_open))
            return false;
    }
    for (uint32_t i = 0; i < c->touched_count && isinf(c->origin); i++) {
        uint32_t node = c->movers.items[c->curve_of[c->touched[i]]].node;
        uint32_t curve = facet_fbx_curve_of(fbx, node, 3);
        if (curve != FACET_NONE && !facet_fbx_curve_start(fbx, curve, &c->origin))
            return false;
    }
    if (is_open) {
        c->start = -INFINITY;
        c->stop = INFINITY;
    }
    c->stamp++;
    c->channel_count = 0;
    for (uint32_t i = 0; i < c->touched_count; i++) {
        uint32_t object = c->touched[i], use = c->first_use[object];
        if (use == FACET_NONE && !add_visibility(c, object))
            return false;
        for (; use != FACET_NONE; use = c->uses[use].next) {
            uint32_t mesh = c->uses[use].mesh;
            if (c->stamps[mesh] != c->stamp && !add_weights(c, mesh))
                return false;
            c->stamps[mesh] = c->stamp;
        }
    }
    for (; c->touched_count > 0; c->touched_count--)
        c->curve_of[c->touched[c->touched_count - 1]] = FACET_NONE;
    return true;
}

/* -- Animations --------------------------------------------------------- */

/* Append the channels of a stack to an animation, which is new if `number` is FACET_NONE. */
static facet_status append(curve_reader *c, uint32_t stack, uint32_t number)
{
    facet_scene *scene = c->r->scene;
    facet_animation *animation = number == FACET_NONE ? NULL : scene->animations[number];
    if (c->channel_count == 0)
        return FACET_OK;
    if (!animation) {
        facet_fbx_span label = c->fbx->objects[stack].label;
        const char *name =
            facet_arena_utf8(c->r->scratch, (const char *)label.at, facet_fbx_size(label));
        if (!name)
            return facet_fail_arena(c->r->scratch, c->r->error);
        TRY(facet_scene_add_animation(scene, name, 0, &animation, c->r->error));
    }
    uint32_t had = animation->channel_count;
    facet_channel *all =
        facet_arena_allocate(scene->arena, (size_t)had + c->channel_count, sizeof *all);
    if (!all)
        return facet_fail_arena(scene->arena, c->r->error);
    if (had > 0)
        memcpy(all, animation->channels, had * sizeof *all);
    memcpy(all + had, c->channels, c->channel_count * sizeof *all);
    animation->channels = all;
    animation->channel_count = had + c->channel_count;
    return FACET_OK;
}

facet_status facet_assimp_curves_to_scene(facet_assimp_reader *r)
{
    curve_reader c = {.r = r, .fbx = r->fbx};
    uint32_t stacks = 0, next = 0, read = r->scene->animation_count;
    if (!r->fbx || r->scene->node_count == 0)
        return FACET_OK;
    TRY(facet_fbx_list_movers(r->fbx, &c.movers, r->error));
    if (!make_lists(&c))
        return facet_fail_arena(r->scratch, r->error);
    for (uint32_t i = 1; i < r->fbx->object_count; i++)
        stacks += facet_fbx_is(r->fbx->objects[i].kind, "AnimationStack");
    for (uint32_t i = 1; i < r->fbx->object_count; i++) {
        const facet_fbx_object *o = &r->fbx->objects[i];
        if (!facet_fbx_is(o->kind, "AnimationStack"))
            continue;
        if (!read_stack(&c, i))
            return facet_fail_arena(r->scratch, r->error);
        /* assimp drops stacks that move nothing. */
        const char *name = next < read ? r->scene->animations[next]->name : "";
        bool is_next =
            next < read && (stacks == read || (strlen(name) == facet_fbx_size(o->label) &&
                                               memcmp(name, o->label.at, strlen(name)) == 0));
        TRY(append(&c, i, is_next ? next : FACET_NONE));
        next += is_next;
    }
    facet_report_add_tally(r->report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &c.straight,
                           "a curve with too many keys has straight lines between them");
    return FACET_OK;
}
