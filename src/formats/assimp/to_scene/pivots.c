/* formats/assimp/to_scene/pivots.c - the factors of an FBX node's transform become one transform,
 * and their channels become its channels. */
#include "formats/assimp/to_scene/pivots.h"

#include "base/arena.h"
#include "base/error.h"
#include "scene/matrix.h"
#include "scene/transform.h"

#include <facet/pose.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Chains of nodes ---------------------------------------------------- */

static const char *factor_of(const struct aiNode *node)
{
    const char *at = strstr(node->mName.data, FACET_ASSIMP_PIVOT);
    return at ? at + strlen(FACET_ASSIMP_PIVOT) : NULL;
}

static bool is_geometric(const struct aiNode *node)
{
    const char *factor = factor_of(node);
    return factor && strncmp(factor, "Geometric", 9) == 0;
}

/* True if `node` is a factor of a node of this name. */
static bool is_factor_of(const struct aiNode *node, const struct aiString *name)
{
    size_t length = strlen(name->data);
    return strncmp(node->mName.data, name->data, length) == 0 &&
           strncmp(node->mName.data + length, FACET_ASSIMP_PIVOT, strlen(FACET_ASSIMP_PIVOT)) == 0;
}

/* assimp creates at most 17. */
#define MAX_FACTORS 20

facet_assimp_chain facet_assimp_chain_at(const struct aiNode *node)
{
    facet_assimp_chain place = {node, node, FACET_NONE};
    const struct aiNode *last = node;
    for (int i = 0; i < MAX_FACTORS && factor_of(last) && last->mNumChildren == 1 &&
                    last->mChildren[0] && last->mNumMeshes == 0;
         i++)
        last = last->mChildren[0];
    for (const struct aiNode *n = node; n != last; n = n->mChildren[0]) {
        if (!is_factor_of(n, &last->mName))
            return place;
    }
    if (!factor_of(last))
        place.from = last;
    return place;
}

const struct aiNode *facet_assimp_chain_end(const facet_assimp_chain *place)
{
    const struct aiNode *tail = place->from;
    while (tail->mNumChildren == 1 && tail->mChildren[0] && is_geometric(tail->mChildren[0]) &&
           is_factor_of(tail->mChildren[0], &place->from->mName))
        tail = tail->mChildren[0];
    return tail;
}

static const struct aiMatrix4x4 identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

void facet_assimp_chain_matrix(const facet_assimp_chain *place, struct aiMatrix4x4 *matrix)
{
    *matrix = place->from->mTransformation;
    if (place->first == place->from)
        return;
    *matrix = identity;
    for (const struct aiNode *n = place->first;; n = n->mChildren[0]) {
        if (!is_geometric(n))
            facet_assimp_multiply(matrix, &n->mTransformation);
        if (n == place->from)
            return;
    }
}

bool facet_assimp_geometry_matrix(const facet_assimp_chain *place, struct aiMatrix4x4 *matrix)
{
    *matrix = identity;
    for (const struct aiNode *n = place->first; n != place->from; n = n->mChildren[0]) {
        if (is_geometric(n))
            facet_assimp_multiply(matrix, &n->mTransformation);
    }
    return memcmp(matrix, &identity, sizeof identity) != 0;
}

bool facet_assimp_rotation_repair(const facet_assimp_chain *place, float repair[4])
{
    for (const struct aiNode *n = place->first; n != place->from; n = n->mChildren[0]) {
        float m[16];
        facet_transform back;
        if (strcmp(factor_of(n), "PostRotation") != 0)
            continue;
        facet_assimp_get_matrix(&n->mTransformation, m);
        facet_assimp_decompose(m, &back);
        /* Rpost^-1 twice, to cancel Rpost also. */
        facet_quaternion_multiply(back.rotation, back.rotation, repair);
        return true;
    }
    return false;
}

/* -- Motion ------------------------------------------------------------- */

/* Samples between two keys of a rotation about a pivot, which is not linear. */
#define STEPS_OF_A_PIVOT 16

/* A factor of a transform: its value at rest, and its channels. Times are in ticks. */
typedef struct factor {
    struct aiMatrix4x4 rest;
    const struct aiNodeAnim *from; /* NULL: not animated */
    facet_channel channels[3];     /* by facet_channel_target; without keys if missing */
} factor;

typedef struct motion {
    factor factors[MAX_FACTORS + 1];
    uint32_t factor_count;
    bool has_pivot;
    const struct aiNodeAnim *const *list;
    uint32_t count;
} motion;

static const struct aiNodeAnim *channel_of(const motion *m, const struct aiNode *node)
{
    for (uint32_t i = 0; i < m->count; i++) {
        if (strcmp(m->list[i]->mNodeName.data, node->mName.data) == 0)
            return m->list[i];
    }
    return NULL;
}

static bool read_vectors(facet_arena *arena, const struct aiVectorKey *keys, uint32_t count,
                         facet_channel *to)
{
    to->key_count = keys ? count : 0;
    to->width = 3;
    to->times = facet_arena_allocate(arena, to->key_count, sizeof *to->times);
    to->values = facet_arena_allocate(arena, to->key_count, 3 * sizeof *to->values);
    for (uint32_t i = 0; to->times && to->values && i < to->key_count; i++) {
        const float v[3] = {keys[i].mValue.x, keys[i].mValue.y, keys[i].mValue.z};
        to->times[i] = (float)keys[i].mTime;
        memcpy(to->values + (size_t)i * 3, v, sizeof v);
    }
    return to->times && to->values;
}

static bool read_rotations(facet_arena *arena, const struct aiQuatKey *keys, uint32_t count,
                           facet_channel *to)
{
    to->target = FACET_TARGET_ROTATION;
    to->key_count = keys ? count : 0;
    to->width = 4;
    to->times = facet_arena_allocate(arena, to->key_count, sizeof *to->times);
    to->values = facet_arena_allocate(arena, to->key_count, 4 * sizeof *to->values);
    for (uint32_t i = 0; to->times && to->values && i < to->key_count; i++) {
        const struct aiQuaternion *q = &keys[i].mValue;
        const float v[4] = {q->x, q->y, q->z, q->w};
        to->times[i] = (float)keys[i].mTime;
        memcpy(to->values + (size_t)i * 4, v, sizeof v);
    }
    return to->times && to->values;
}

static bool read_factor(facet_arena *arena, const struct aiNodeAnim *from, factor *to)
{
    to->from = from;
    to->channels[2].target = FACET_TARGET_SCALE;
    return !from ||
           (read_vectors(arena, from->mPositionKeys, from->mNumPositionKeys, &to->channels[0]) &&
            read_rotations(arena, from->mRotationKeys, from->mNumRotationKeys, &to->channels[1]) &&
            read_vectors(arena, from->mScalingKeys, from->mNumScalingKeys, &to->channels[2]));
}

/* Find the factors of a place. False if out of memory. */
static bool find_factors(motion *m, const facet_assimp_chain *place, facet_arena *arena)
{
    for (const struct aiNode *n = place->first;; n = n->mChildren[0]) {
        const char *name = factor_of(n);
        if (!is_geometric(n)) {
            factor *made = &m->factors[m->factor_count++];
            made->rest = n->mTransformation;
            if (!read_factor(arena, channel_of(m, n), made))
                return false;
            m->has_pivot |= name && (strstr(name, "Pivot") || strstr(name, "Offset"));
        }
        if (n == place->from)
            return true;
    }
}

/* Replaces a scale of 0, with which a matrix loses its rotation, and becomes 0 again at the end.
 * Its cube is a normal float. */
#define NO_SCALE 0x1p-30f

static void place_at(const motion *m, double time, facet_transform *transform)
{
    struct aiMatrix4x4 whole = identity;
    float matrix[16];
    for (uint32_t i = 0; i < m->factor_count; i++) {
        const factor *f = &m->factors[i];
        struct aiMatrix4x4 now = f->rest;
        if (f->from) {
            facet_transform t = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
            float *const parts[3] = {t.translation, t.rotation, t.scale};
            for (int k = 0; k < 3; k++) {
                if (f->channels[k].key_count > 0)
                    facet_channel_sample(&f->channels[k], time, parts[k]);
            }
            for (int k = 0; k < 3; k++)
                t.scale[k] = t.scale[k] == 0 ? NO_SCALE : t.scale[k];
            facet_matrix_of_transform(&t, matrix);
            facet_assimp_set_matrix(&now, matrix);
        }
        facet_assimp_multiply(&whole, &now);
    }
    facet_assimp_get_matrix(&whole, matrix);
    facet_transform_of_matrix(matrix, FACET_MIRROR_X, transform);
    for (int k = 0; k < 3; k++)
        transform->scale[k] = fabsf(transform->scale[k]) < 2 * NO_SCALE ? 0 : transform->scale[k];
}

static int by_time(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Steps between two keys: with a pivot at most STEPS_OF_A_PIVOT, each at least 1/60 s. */
static size_t steps_between(const motion *m, double seconds)
{
    double steps = floor(seconds * 60);
    return !m->has_pivot              ? 1
           : steps < 1                ? 1
           : steps < STEPS_OF_A_PIVOT ? (size_t)steps
                                      : STEPS_OF_A_PIVOT;
}

/* Times of all keys, ascending and unique, in ticks; NULL if out of memory. */
static double *times_of(const motion *m, facet_arena *arena, double ticks, uint32_t *count)
{
    size_t space = 0, used = 0, steps = m->has_pivot ? STEPS_OF_A_PIVOT : 1;
    for (uint32_t i = 0; i < m->count; i++)
        space += (size_t)m->list[i]->mNumPositionKeys + m->list[i]->mNumRotationKeys +
                 m->list[i]->mNumScalingKeys;
    double *times = space <= UINT32_MAX / steps
                        ? facet_arena_allocate(arena, space * steps, sizeof *times)
                        : NULL;
    if (!times)
        return NULL;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct aiNodeAnim *c = m->list[i];
        for (uint32_t k = 0; c->mPositionKeys && k < c->mNumPositionKeys; k++)
            times[used++] = c->mPositionKeys[k].mTime;
        for (uint32_t k = 0; c->mRotationKeys && k < c->mNumRotationKeys; k++)
            times[used++] = c->mRotationKeys[k].mTime;
        for (uint32_t k = 0; c->mScalingKeys && k < c->mNumScalingKeys; k++)
            times[used++] = c->mScalingKeys[k].mTime;
    }
    size_t finite = 0, kept = 0;
    for (size_t i = 0; i < used; i++) {
        if (isfinite(times[i]))
            times[finite++] = times[i];
    }
    qsort(times, finite, sizeof *times, by_time);
    for (size_t i = 0; i < finite; i++) {
        if (kept == 0 || times[i] > times[kept - 1])
            times[kept++] = times[i];
    }
    size_t all = kept > 0;
    for (size_t i = 0; i + 1 < kept; i++)
        all += steps_between(m, (times[i + 1] - times[i]) / ticks);
    /* Go backward, so that no value is overwritten before its use. */
    double next = kept > 0 ? times[kept - 1] : 0;
    size_t at = all;
    if (at > 0)
        times[--at] = next;
    for (size_t i = kept > 0 ? kept - 1 : 0; i-- > 0;) {
        double time = times[i];
        size_t count_of = steps_between(m, (next - time) / ticks);
        for (size_t step = count_of; step-- > 0;) {
            double share = (double)step / (double)count_of;
            times[--at] = step == 0 ? time : time * (1 - share) + next * share;
        }
        next = time;
    }
    *count = (uint32_t)all;
    return times;
}

facet_status facet_assimp_pivots_to_channels(facet_assimp_reader *r, uint32_t place,
                                             const struct aiNodeAnim *const *list, uint32_t count,
                                             double ticks, facet_animation *animation)
{
    static const uint32_t widths[3] = {3, 4, 3};
    facet_arena *arena = r->scene->arena;
    motion m = {.list = list, .count = count};
    uint32_t keys = 0;
    float *times[3], *values[3];
    if (!find_factors(&m, &r->places[place], r->scratch))
        return facet_fail_arena(r->scratch, r->error);
    double *at = times_of(&m, r->scratch, ticks, &keys);
    for (int k = 0; k < 3; k++) {
        times[k] = facet_arena_allocate(arena, keys, sizeof(float));
        values[k] = facet_arena_allocate(arena, keys, widths[k] * sizeof(float));
        if (!at || !times[k] || !values[k])
            return facet_assimp_no_memory(r->error, keys, widths[k] * sizeof(float));
    }
    facet_transform before = {.rotation = {0, 0, 0, 1}};
    for (uint32_t i = 0; i < keys; i++) {
        facet_transform now = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
        place_at(&m, at[i], &now);
        float dot = 0;
        for (int k = 0; k < 4; k++)
            dot += now.rotation[k] * before.rotation[k];
        for (int k = 0; k < 4 && dot < 0; k++)
            now.rotation[k] = -now.rotation[k];
        before = now;
        for (int k = 0; k < 3; k++)
            times[k][i] = (float)(at[i] / ticks);
        memcpy(values[0] + (size_t)i * 3, now.translation, sizeof now.translation);
        memcpy(values[1] + (size_t)i * 4, now.rotation, sizeof now.rotation);
        memcpy(values[2] + (size_t)i * 3, now.scale, sizeof now.scale);
    }
    for (int k = 0; k < 3 && keys > 0; k++)
        animation->channels[animation->channel_count++] =
            (facet_channel){.node = place,
                            .target = FACET_TARGET_TRANSLATION + (facet_channel_target)k,
                            .width = widths[k],
                            .key_count = keys,
                            .times = times[k],
                            .values = values[k]};
    return FACET_OK;
}
