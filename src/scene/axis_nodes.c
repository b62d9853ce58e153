/* scene/axis_nodes.c - removal of nodes above skeletons that only convert axes and units. */
#include "scene/axis_nodes.h"

#include "base/arena.h"
#include "base/error.h"
#include "scene/matrix.h"
#include "scene/scene.h"
#include "scene/transform.h"

#include <math.h>
#include <string.h>

/* A rotation after one scale along all axes, and a translation. */
typedef struct similarity {
    double turn[9]; /* columns of unit length, stored one after the other */
    float quaternion[4];
    double scale, move[3];
} similarity;

typedef struct folding {
    const facet_scene *scene;
    const bool *is_joint;
    const uint32_t *order;
    facet_arena *arena;
    bool *above;           /* per node: a joint is below it */
    bool *shows;           /* per node: it or a descendant shows more than a skeleton */
    bool *moves;           /* per node: a channel changes its transform */
    bool *is_axis;         /* per node: it is an axis node */
    similarity *transform; /* per axis node: the product of its transform and those above it */
    double *grown;         /* per node: scale of its ancestors that its own transform now includes;
                              1: none */
    facet_scene *made;
    facet_error *error;
} folding;

/* -- Selection ---------------------------------------------------------- */

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(1, fabs(b));
}

/* Round rotations by almost a quarter turn to exact ones. */
static void snap(double turn[9])
{
    for (int i = 0; i < 9; i++) {
        double whole = nearbyint(turn[i]);
        if (fabs(turn[i] - whole) > 2e-5)
            return;
    }
    for (int i = 0; i < 9; i++)
        turn[i] = nearbyint(turn[i]);
}

static bool read_similarity(const facet_node *node, similarity *s)
{
    facet_decomposition parts;
    const float *place = node->has_matrix ? node->matrix + 12 : node->transform.translation;
    s->scale = facet_decompose_node(node, &parts);
    if (s->scale == 0)
        return false;
    if (near(s->scale, 1))
        s->scale = 1;
    memcpy(s->turn, parts.axes, sizeof s->turn);
    snap(s->turn);
    for (int i = 0; i < 3; i++)
        s->move[i] = (double)place[i];
    return true;
}

static bool is_identity(const similarity *s)
{
    return s->scale == 1 && s->turn[0] == 1 && s->turn[4] == 1 && s->turn[8] == 1 &&
           s->move[0] == 0 && s->move[1] == 0 && s->move[2] == 0;
}

/* Remove the scale that the unit's node keeps. It is outside of the rest, so the translation is
 * divided by it: T R S = S (S^-1 T S) R. */
static void leave_scale(similarity *s)
{
    for (int i = 0; i < 3; i++)
        s->move[i] /= s->scale;
    s->scale = 1;
}

/* True if the channel ever differs from the node's own transform. */
static bool leaves_rest(const facet_channel *channel, const facet_node *node)
{
    const float *rest = channel->target == FACET_TARGET_TRANSLATION ? node->transform.translation
                        : channel->target == FACET_TARGET_ROTATION  ? node->transform.rotation
                                                                    : node->transform.scale;
    if (channel->interpolation == FACET_INTERPOLATION_CUBIC || node->has_matrix)
        return true;
    for (uint32_t key = 0; key < channel->key_count; key++) {
        const float *value = channel->values + (size_t)key * channel->width;
        double sign = 1, dot = 0;
        for (uint32_t i = 0; i < 4 && channel->target == FACET_TARGET_ROTATION; i++)
            dot += (double)value[i] * (double)rest[i];
        if (dot < 0)
            sign = -1;
        for (uint32_t i = 0; i < channel->width; i++) {
            if (!near(sign * (double)value[i], (double)rest[i]))
                return true;
        }
    }
    return false;
}

static void mark_moves(const folding *f)
{
    for (uint32_t i = 0; i < f->scene->animation_count; i++) {
        const facet_animation *animation = f->scene->animations[i];
        for (uint32_t k = 0; k < animation->channel_count; k++) {
            const facet_channel *channel = &animation->channels[k];
            if (channel->node < f->scene->node_count)
                f->moves[channel->node] |= !facet_channel_target_is_place(channel->target) ||
                                           leaves_rest(channel, f->scene->nodes[channel->node]);
        }
    }
}

static void mark_below(const folding *f)
{
    for (uint32_t i = f->scene->node_count; i-- > 0;) {
        uint32_t node = f->order[i];
        const facet_node *n = f->scene->nodes[node];
        bool skinned = n->mesh != FACET_NONE && n->skin != FACET_NONE;
        f->shows[node] |= (n->mesh != FACET_NONE && !skinned) || n->camera != FACET_NONE ||
                          n->light != FACET_NONE;
        if (n->parent == FACET_NONE)
            continue;
        f->above[n->parent] |= f->above[node] || f->is_joint[node];
        f->shows[n->parent] |= f->shows[node];
    }
}

static void multiply(const similarity *a, const similarity *b, similarity *out)
{
    similarity made = {.scale = a->scale * b->scale};
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            for (int k = 0; k < 3; k++)
                made.turn[column * 3 + row] += a->turn[k * 3 + row] * b->turn[column * 3 + k];
        }
    }
    for (int row = 0; row < 3; row++) {
        made.move[row] = a->move[row];
        for (int k = 0; k < 3; k++)
            made.move[row] += a->scale * a->turn[k * 3 + row] * b->move[k];
    }
    *out = made;
}

/* Mark the axis nodes, and compute `grown` of all other nodes. True if an axis node has a transform
 * to remove. */
static bool choose(const folding *f, uint32_t unit)
{
    bool any = false;
    for (uint32_t i = 0; i < f->scene->node_count; i++) {
        uint32_t node = f->order[i], parent = f->scene->nodes[node]->parent;
        const facet_node *n = f->scene->nodes[node];
        similarity own, *all = &f->transform[node];
        bool top = parent == FACET_NONE || f->is_axis[parent];
        f->is_axis[node] = top && f->above[node] && !f->is_joint[node] && !f->moves[node] &&
                           n->mesh == FACET_NONE && n->camera == FACET_NONE &&
                           n->light == FACET_NONE && read_similarity(n, &own);
        if (f->is_axis[node]) {
            if (node == unit)
                leave_scale(&own);
            any |= !is_identity(&own);
            if (parent == FACET_NONE)
                *all = own;
            else
                multiply(&f->transform[parent], &own, all);
            facet_quaternion_of_axes(all->turn, all->quaternion);
            f->grown[node] = all->scale;
            continue;
        }
        bool of_skeleton = f->is_joint[node] || f->above[node] || !f->shows[node];
        f->grown[node] = parent != FACET_NONE && of_skeleton ? f->grown[parent] : 1;
    }
    return any;
}

/* -- Transforms --------------------------------------------------------- */

static void turn_vector(const similarity *s, const double move[3], float v[3])
{
    double made[3];
    for (int row = 0; row < 3; row++) {
        made[row] = move ? move[row] : 0;
        for (int k = 0; k < 3; k++)
            made[row] += s->scale * s->turn[k * 3 + row] * (double)v[k];
    }
    for (int i = 0; i < 3; i++)
        v[i] = (float)made[i];
}

static void scale_floats(float *values, size_t count, double factor)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((double)values[i] * factor);
}

/* Transform before a node's own one: the axis nodes directly above it, or the scale that its
 * parent's transform now includes. */
static similarity before(const folding *f, uint32_t node)
{
    uint32_t parent = f->scene->nodes[node]->parent;
    similarity s = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .quaternion = {0, 0, 0, 1}, .scale = 1};
    if (parent != FACET_NONE && f->is_axis[parent])
        return f->transform[parent];
    if (parent != FACET_NONE)
        s.scale = f->grown[parent];
    return s;
}

static void fold_node(const folding *f, uint32_t index, facet_node *node)
{
    similarity s = before(f, index);
    double left = s.scale / f->grown[index]; /* the part of the scale that the transform does not
                                                include */
    turn_vector(&s, s.move, node->transform.translation);
    facet_quaternion_multiply(s.quaternion, node->transform.rotation, node->transform.rotation);
    scale_floats(node->transform.scale, 3, left);
    for (int column = 0; column < 4; column++) {
        turn_vector(&s, column == 3 ? s.move : NULL, node->matrix + (size_t)column * 4);
        if (column < 3)
            scale_floats(node->matrix + (size_t)column * 4, 3, 1 / f->grown[index]);
    }
}

static void fold_channel(const folding *f, const facet_channel *channel, float *values)
{
    similarity s = before(f, channel->node);
    bool cubic = channel->interpolation == FACET_INTERPOLATION_CUBIC;
    size_t per_key = cubic ? 3 : 1;
    for (size_t i = 0; i < channel->key_count * per_key; i++) {
        float *value = values + i * channel->width;
        bool tangent = cubic && i % 3 != 1;
        if (channel->target == FACET_TARGET_TRANSLATION)
            turn_vector(&s, tangent ? NULL : s.move, value);
        else if (channel->target == FACET_TARGET_ROTATION)
            facet_quaternion_multiply(s.quaternion, value, value);
        else
            scale_floats(value, 3, s.scale / f->grown[channel->node]);
    }
}

/* -- Creating the copy -------------------------------------------------- */

static bool changes(const folding *f, uint32_t node)
{
    uint32_t parent = f->scene->nodes[node]->parent;
    if (parent == FACET_NONE)
        return f->is_axis[node];
    return f->is_axis[node] || f->grown[node] != 1 || f->is_axis[parent] || f->grown[parent] != 1;
}

static facet_status fold_nodes(const folding *f, uint32_t unit)
{
    uint32_t count = f->scene->node_count;
    facet_node *copies = facet_arena_allocate(f->arena, count, sizeof *copies);
    f->made->nodes = facet_arena_allocate(f->arena, count, sizeof *f->made->nodes);
    if (!copies || !f->made->nodes)
        return facet_fail_arena(f->arena, f->error);
    for (uint32_t i = 0; i < count; i++) {
        static const facet_transform origin = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
        copies[i] = *f->scene->nodes[i];
        f->made->nodes[i] = &copies[i];
        if (f->is_axis[i]) {
            facet_decomposition parts;
            double scale = i == unit ? facet_decompose_node(&copies[i], &parts) : 1;
            copies[i].transform = origin;
            scale_floats(copies[i].transform.scale, 3, scale);
            copies[i].has_matrix = false;
        } else if (!f->is_axis[i] && changes(f, i)) {
            fold_node(f, i, &copies[i]);
        }
    }
    return FACET_OK;
}

static facet_status fold_animation(const folding *f, facet_animation *animation)
{
    const facet_channel *from = animation->channels;
    uint32_t count = animation->channel_count;
    animation->channel_count = 0;
    animation->channels = facet_arena_allocate(f->arena, count, sizeof *from);
    if (!animation->channels)
        return facet_fail_arena(f->arena, f->error);
    for (uint32_t i = 0; i < count; i++) {
        facet_channel *to = &animation->channels[animation->channel_count];
        *to = from[i];
        bool place = from[i].node != FACET_NONE && facet_channel_target_is_place(from[i].target);
        if (place && f->is_axis[from[i].node])
            continue; /* its values never differ from those at rest */
        animation->channel_count++;
        if (!place || !changes(f, from[i].node))
            continue;
        bool cubic = from[i].interpolation == FACET_INTERPOLATION_CUBIC;
        size_t values = (size_t)from[i].key_count * from[i].width * (cubic ? 3 : 1);
        to->values = facet_arena_allocate(f->arena, values, sizeof *to->values);
        if (!to->values)
            return facet_fail_arena(f->arena, f->error);
        memcpy(to->values, from[i].values, values * sizeof *to->values);
        fold_channel(f, to, to->values);
    }
    return FACET_OK;
}

static facet_status fold_animations(const folding *f)
{
    uint32_t count = f->scene->animation_count;
    facet_animation *copies = facet_arena_allocate(f->arena, count, sizeof *copies);
    f->made->animations = facet_arena_allocate(f->arena, count, sizeof *f->made->animations);
    if (!copies || !f->made->animations)
        return facet_fail_arena(f->arena, f->error);
    for (uint32_t i = 0; i < count; i++) {
        copies[i] = *f->scene->animations[i];
        f->made->animations[i] = &copies[i];
        TRY(fold_animation(f, &copies[i]));
    }
    return FACET_OK;
}

/* If a joint loses a scale, its inverse bind matrix gets that scale: vertices do not move. */
static facet_status fold_skins(const folding *f)
{
    uint32_t count = f->scene->skin_count;
    facet_skin *copies = facet_arena_allocate(f->arena, count, sizeof *copies);
    f->made->skins = facet_arena_allocate(f->arena, count, sizeof *f->made->skins);
    if (!copies || !f->made->skins)
        return facet_fail_arena(f->arena, f->error);
    for (uint32_t i = 0; i < count; i++) {
        const facet_skin *from = f->scene->skins[i];
        facet_skin *to = &copies[i];
        *to = *from;
        f->made->skins[i] = to;
        to->inverse_bind = facet_arena_allocate(f->arena, from->joint_count, 16 * sizeof(float));
        if (!to->inverse_bind)
            return facet_fail_arena(f->arena, f->error);
        for (uint32_t j = 0; j < from->joint_count; j++) {
            static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
            float *m = to->inverse_bind + (size_t)j * 16;
            memcpy(m, from->inverse_bind ? from->inverse_bind + (size_t)j * 16 : identity,
                   sizeof identity);
            uint32_t node = from->joints[j];
            for (int column = 0; column < 4 && node != FACET_NONE; column++)
                scale_floats(m + (size_t)column * 4, 3, f->grown[node]);
        }
    }
    return FACET_OK;
}

static facet_status make(folding *f, uint32_t unit)
{
    f->made = facet_arena_allocate(f->arena, 1, sizeof *f->made);
    if (!f->made)
        return facet_fail_arena(f->arena, f->error);
    *f->made = *f->scene;
    TRY(fold_nodes(f, unit));
    TRY(fold_animations(f));
    return fold_skins(f);
}

facet_status facet_scene_fold_axis_nodes(const facet_scene *scene, const bool *is_joint,
                                         const uint32_t *order, uint32_t unit, facet_arena *arena,
                                         const facet_scene **folded, facet_error *error)
{
    folding f = {
        .scene = scene, .is_joint = is_joint, .order = order, .arena = arena, .error = error};
    uint32_t count = scene->node_count;
    f.above = facet_arena_allocate_zeroed(arena, count, sizeof *f.above);
    f.shows = facet_arena_allocate_zeroed(arena, count, sizeof *f.shows);
    f.moves = facet_arena_allocate_zeroed(arena, count, sizeof *f.moves);
    f.is_axis = facet_arena_allocate_zeroed(arena, count, sizeof *f.is_axis);
    f.transform = facet_arena_allocate_zeroed(arena, count, sizeof *f.transform);
    f.grown = facet_arena_allocate(arena, count, sizeof *f.grown);
    if (!f.above || !f.shows || !f.moves || !f.is_axis || !f.transform || !f.grown)
        return facet_fail_arena(arena, error);
    mark_moves(&f);
    mark_below(&f);
    *folded = scene;
    if (!choose(&f, unit))
        return FACET_OK;
    TRY(make(&f, unit));
    *folded = f.made;
    return FACET_OK;
}
