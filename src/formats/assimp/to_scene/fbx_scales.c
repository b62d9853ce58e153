/* formats/assimp/to_scene/fbx_scales.c - inherited scales of an FBX.
 *
 * FBX SDK, FbxTransform::EInheritType. In RSrs (1), the scale of the parent follows the rotation of
 * the node, as usual. In Rrs (2), as joints of Maya have it, the node does not inherit that scale.
 * In RrSs (0), the node inherits it along its own axes. Both types scale the translation of the
 * node. The matrix is T * A^-1 * R * I * S. A is the scale of the parent. I is the inherited part:
 * A for RrSs, and for Rrs the part that the parent inherits. T * A^-1 becomes a node between both,
 * unless A is one number that is not animated. */
#include "base/error.h"
#include "formats/assimp/to_scene/fbx.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

enum { COMPONENTWISE = 0, NORMAL = 1, IGNORE = 2 };

/* Scales of a place. */
typedef struct inherited {
    double own[3], part[3], all[3]; /* own scale, inherited part, and their product */
    float factor[3];                /* for the scale of the node */
    bool is_animated, has_animated_part, is_changed;
    uint32_t between; /* node between it and its parent, or FACET_NONE */
    uint32_t next;    /* another place with a node between it and the same parent, or FACET_NONE */
    uint32_t first;   /* the first place below with a node between, or FACET_NONE */
} inherited;

typedef struct scale_reader {
    facet_assimp_reader *r;
    inherited *places;
    facet_tally lost;
} scale_reader;

/* -- At rest ------------------------------------------------------------ */

static int type_of(const scale_reader *s, uint32_t place)
{
    const facet_assimp_reader *r = s->r;
    uint32_t object = r->objects[place];
    /* Blender leaves the type to the template, and does not follow it. */
    if (object == FACET_NONE || object == 0 ||
        strncmp(facet_assimp_generator(r->from), "Blender", 7) == 0)
        return NORMAL;
    double type = facet_fbx_number(r->fbx, object, "InheritType", NORMAL);
    return type == COMPONENTWISE ? COMPONENTWISE : type == IGNORE ? IGNORE : NORMAL;
}

static void read_own(const scale_reader *s, uint32_t place)
{
    facet_fbx_value values[3];
    uint32_t object = s->r->objects[place];
    inherited *p = &s->places[place];
    bool is_known = object != FACET_NONE && object != 0 &&
                    facet_fbx_property(s->r->fbx, object, "Lcl Scaling", values, 3) == 3;
    for (int i = 0; i < 3; i++)
        p->own[i] = is_known ? values[i].number : 1;
}

static bool is_uniform(const double v[3])
{
    return fabs(v[0] - v[1]) <= 1e-6 * fabs(v[0]) && fabs(v[0] - v[2]) <= 1e-6 * fabs(v[0]);
}

/* Put a node between a place and its parent. */
static facet_status add_between(scale_reader *s, uint32_t place)
{
    facet_scene *scene = s->r->scene;
    inherited *p = &s->places[place];
    uint32_t parent = s->r->places[place].parent;
    const char *name = facet_arena_format(s->r->scratch, "%s scale", scene->nodes[place]->name);
    facet_node *between = NULL;
    if (!name)
        return facet_fail_arena(s->r->scratch, s->r->error);
    p->between = scene->node_count;
    TRY(facet_scene_add_node(scene, name, &between, s->r->error));
    facet_node *node = scene->nodes[place];
    float *from = node->has_matrix ? node->matrix + 12 : node->transform.translation;
    between->parent = parent;
    for (int i = 0; i < 3; i++) {
        between->transform.translation[i] = from[i];
        between->transform.scale[i] = (float)(1 / s->places[parent].all[i]);
        from[i] = 0;
    }
    node->parent = p->between;
    p->next = s->places[parent].first;
    s->places[parent].first = place;
    return FACET_OK;
}

/* Scale a node along its own axes. */
static void scale_node(facet_node *node, const float factor[3])
{
    for (int i = 0; i < 3; i++) {
        node->transform.scale[i] *= factor[i];
        for (int row = 0; row < 3; row++)
            node->matrix[i * 4 + row] *= factor[i];
    }
}

static facet_status read_place(scale_reader *s, uint32_t place)
{
    uint32_t parent = s->r->places[place].parent;
    inherited *p = &s->places[place];
    const inherited *above = parent == FACET_NONE ? NULL : &s->places[parent];
    int type = above ? type_of(s, place) : NORMAL;
    bool is_zero = false, is_one = true;
    read_own(s, place);
    p->has_animated_part = type == COMPONENTWISE ? above->is_animated
                           : type == IGNORE      ? above->has_animated_part
                                                 : false;
    p->is_animated |= p->has_animated_part;
    for (int i = 0; i < 3; i++) {
        p->part[i] = type == COMPONENTWISE ? above->all[i] : type == IGNORE ? above->part[i] : 1;
        p->all[i] = p->part[i] * p->own[i];
        p->factor[i] = 1;
        is_zero |= above && !(fabs(above->all[i]) > 1e-12);
    }
    if (type == NORMAL)
        return FACET_OK;
    if (is_zero || p->has_animated_part)
        facet_tally_hit(&s->lost, place);
    if (is_zero)
        return FACET_OK;
    bool is_plain = is_uniform(above->all) && !above->is_animated;
    for (int i = 0; i < 3; i++) {
        p->factor[i] = (float)(p->part[i] / (is_plain ? above->all[i] : 1));
        is_one &= fabsf(p->factor[i] - 1) <= 1e-6F;
    }
    p->is_changed = !is_plain || !is_one;
    if (!is_one)
        scale_node(s->r->scene->nodes[place], p->factor);
    return is_plain ? FACET_OK : add_between(s, place);
}

/* -- Animations --------------------------------------------------------- */

/* Steps between two keys of a scale, whose inverse is not linear. */
#define STEPS 16

/* The channel of a node between: the inverse of the parent's scale. NULL if out of memory. */
static bool invert(const scale_reader *s, uint32_t parent, const facet_channel *from,
                   facet_channel *to)
{
    facet_arena *arena = s->r->scene->arena;
    const inherited *above = &s->places[parent];
    const facet_transform *rest = &s->r->scene->nodes[parent]->transform;
    size_t count = from->key_count, steps = 1;
    for (size_t i = 3; i < count * 3; i++)
        steps = from->values[i] != from->values[i - 3] ? STEPS : steps;
    if (from->interpolation == FACET_INTERPOLATION_STEP)
        steps = 1;
    size_t all = (count - 1) * steps + 1;
    *to = *from;
    to->key_count = (uint32_t)all;
    to->times = facet_arena_allocate(arena, all, sizeof *to->times);
    to->values = facet_arena_allocate(arena, all, 3 * sizeof *to->values);
    if (!to->times || !to->values || all > UINT32_MAX)
        return false;
    for (size_t i = 0; i < all; i++) {
        size_t key = i / steps, next = key + 1 < count ? key + 1 : key;
        float share = (float)(i % steps) / (float)steps;
        to->times[i] = from->times[key] * (1 - share) + from->times[next] * share;
        for (size_t k = 0; k < 3; k++) {
            float value =
                from->values[key * 3 + k] * (1 - share) + from->values[next * 3 + k] * share;
            /* The node's scale can lack an inherited part, and mirror another axis. */
            double ratio = rest->scale[k] != 0 ? above->all[k] / (double)rest->scale[k] : 1;
            double scale = ratio * (double)value;
            to->values[i * 3 + k] = (float)(1 / (fabs(scale) > 1e-6 ? scale : 1e-6));
        }
    }
    return true;
}

/* Change the channels of an animation, and add those of nodes between. */
static facet_status change_animation(scale_reader *s, facet_animation *animation)
{
    facet_arena *arena = s->r->scene->arena;
    uint32_t count = animation->channel_count, more = 0, used;
    for (uint32_t i = 0; i < count; i++) {
        const facet_channel *c = &animation->channels[i];
        bool is_scale = c->target == FACET_TARGET_SCALE && c->node < s->r->place_count;
        for (uint32_t at = is_scale ? s->places[c->node].first : FACET_NONE; at != FACET_NONE;
             at = s->places[at].next)
            more++;
    }
    facet_channel *all = facet_arena_allocate(arena, (size_t)count + more, sizeof *all);
    if (!all)
        return facet_fail_arena(arena, s->r->error);
    if (count > 0)
        memcpy(all, animation->channels, count * sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        facet_channel *c = &all[i];
        const inherited *p = c->node < s->r->place_count ? &s->places[c->node] : NULL;
        for (size_t k = 0; p && c->target == FACET_TARGET_SCALE && k < (size_t)c->key_count * 3;
             k++)
            c->values[k] *= p->factor[k % 3];
    }
    used = count;
    for (uint32_t i = 0; i < count; i++) {
        facet_channel *c = &all[i];
        uint32_t node = c->node;
        if (node >= s->r->place_count)
            continue;
        if (c->target == FACET_TARGET_TRANSLATION && s->places[node].between != FACET_NONE)
            c->node = s->places[node].between;
        for (uint32_t at = c->target == FACET_TARGET_SCALE ? s->places[node].first : FACET_NONE;
             at != FACET_NONE; at = s->places[at].next) {
            if (!invert(s, node, c, &all[used]))
                return facet_fail_arena(arena, s->r->error);
            all[used++].node = s->places[at].between;
        }
    }
    animation->channels = all;
    animation->channel_count = used;
    return FACET_OK;
}

/* Find the places whose scale changes. */
static void find_animated(scale_reader *s)
{
    const facet_scene *scene = s->r->scene;
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        for (uint32_t k = 0; k < scene->animations[i]->channel_count; k++) {
            const facet_channel *c = &scene->animations[i]->channels[k];
            if (c->target != FACET_TARGET_SCALE || c->node >= s->r->place_count)
                continue;
            const float *rest = scene->nodes[c->node]->transform.scale;
            for (size_t n = 0; n < (size_t)c->key_count * 3; n++)
                s->places[c->node].is_animated |=
                    !(fabsf(c->values[n] - rest[n % 3]) <= 1e-5F * fabsf(rest[n % 3]));
        }
    }
}

facet_status facet_assimp_inherit_scales(facet_assimp_reader *r)
{
    scale_reader s = {.r = r};
    bool is_changed = false;
    if (!r->fbx || r->scene->node_count == 0)
        return FACET_OK;
    s.places = facet_arena_allocate_zeroed(r->scratch, r->place_count, sizeof *s.places);
    if (!s.places)
        return facet_fail_arena(r->scratch, r->error);
    for (uint32_t i = 0; i < r->place_count; i++)
        s.places[i].between = s.places[i].next = s.places[i].first = FACET_NONE;
    find_animated(&s);
    for (uint32_t i = 0; i < r->place_count; i++) {
        TRY(read_place(&s, i));
        is_changed |= s.places[i].is_changed;
    }
    for (uint32_t i = 0; is_changed && i < r->scene->animation_count; i++)
        TRY(change_animation(&s, r->scene->animations[i]));
    facet_report_add_tally(r->report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &s.lost,
                           "a node inherits a scale that is animated or 0 along its own axes: its "
                           "size is approximated");
    return FACET_OK;
}
