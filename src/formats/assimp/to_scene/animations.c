/* formats/assimp/to_scene/animations.c - keys in ticks become channels in seconds. */
#include "base/error.h"
#include "base/text.h"
#include "formats/assimp/to_scene/pivots.h"
#include "formats/assimp/to_scene/to_scene.h"
#include "scene/transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Default in assimp's documentation for files without a rate. */
#define TICKS_PER_SECOND 25.0

/* -- Animated nodes ---------------------------------------------------- */

/* Find the place with this name, or with a factor of this name. */
static facet_status place_of(facet_assimp_reader *r, const struct aiString *name, uint32_t *place)
{
    char *text = (char *)(uintptr_t)facet_assimp_text(r->scratch, name);
    if (!text)
        return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
    *place = facet_assimp_names_find(&r->place_names, text);
    char *factor = r->is_fbx ? strstr(text, FACET_ASSIMP_PIVOT) : NULL;
    if (*place == FACET_NONE && factor) {
        *factor = '\0';
        *place = facet_assimp_names_find(&r->place_names, text);
    }
    return FACET_OK;
}

facet_status facet_assimp_mark_animated(facet_assimp_reader *r)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->from->mNumAnimations; i++) {
        const struct aiAnimation *from = r->from->mAnimations[i];
        for (uint32_t k = 0; k < from->mNumChannels && !status; k++) {
            uint32_t place = FACET_NONE;
            status = place_of(r, &from->mChannels[k]->mNodeName, &place);
            if (!status && place != FACET_NONE)
                r->animated[place] = true;
        }
    }
    return status;
}

/* -- One channel -------------------------------------------------------- */

/* A track gives the time of key i, and its values in the layout of Facet's channels. */
typedef struct track {
    const struct aiNodeAnim *node; /* or `morph` */
    const struct aiMeshMorphAnim *morph;
    facet_channel_target path;
    uint32_t width, count;
    const float *repair; /* correction that follows a rotation, or NULL */
    const struct aiQuatKey *rotations;
    const struct aiVectorKey *scales;
} track;

static double key_of(const track *t, uint32_t i, float *values)
{
    if (t->path == FACET_TARGET_ROTATION) {
        const struct aiQuatKey *key = &t->rotations[i];
        float q[4] = {key->mValue.x, key->mValue.y, key->mValue.z, key->mValue.w};
        if (t->repair)
            facet_quaternion_multiply(q, t->repair, q);
        float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        bool good = isfinite(length) && length > 0;
        for (int k = 0; k < 4; k++)
            values[k] = good ? q[k] / length : k == 3;
        return key->mTime;
    }
    if (t->path == FACET_TARGET_WEIGHTS) {
        const struct aiMeshMorphKey *key = &t->morph->mKeys[i];
        memset(values, 0, t->width * sizeof *values);
        for (uint32_t k = 0; k < key->mNumValuesAndWeights; k++) {
            if (key->mValues[k] < t->width)
                values[key->mValues[k]] = (float)key->mWeights[k];
        }
        return key->mTime;
    }
    const struct aiVectorKey *key =
        t->path == FACET_TARGET_SCALE ? &t->scales[i] : &t->node->mPositionKeys[i];
    values[0] = key->mValue.x;
    values[1] = key->mValue.y;
    values[2] = key->mValue.z;
    return key->mTime;
}

/* Read a track. Keys with a decreasing time, or with NaN, are dropped. */
static facet_status read_track(facet_assimp_reader *r, const track *t, double ticks, uint32_t node,
                               facet_animation *animation)
{
    facet_arena *arena = r->scene->arena;
    float *times = facet_arena_allocate(arena, t->count, sizeof *times);
    float *values = facet_arena_allocate(arena, t->count, t->width * sizeof *values);
    if (!times || !values)
        return facet_assimp_no_memory(r->error, t->count, (t->width + 1) * sizeof *values);
    uint32_t used = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        float *to = values + (size_t)used * t->width;
        float time = (float)(key_of(t, i, to) / ticks);
        bool finite = isfinite(time);
        for (uint32_t k = 0; k < t->width; k++)
            finite &= isfinite(to[k]) != 0;
        if (!finite || (used > 0 && time < times[used - 1])) {
            facet_tally_hit(&r->keys_dropped, i);
            continue;
        }
        times[used++] = time;
    }
    if (used == 0)
        return FACET_OK;
    facet_channel channel = {.node = node,
                             .target = t->path,
                             .width = t->width,
                             .key_count = used,
                             .times = times,
                             .values = values};
    animation->channels[animation->channel_count++] = channel;
    return FACET_OK;
}

static bool is_flat(const struct aiVectorKey *scale)
{
    return scale->mValue.x == 0 || scale->mValue.y == 0 || scale->mValue.z == 0;
}

/* True if rotation and scale have keys at the same times. */
static bool has_common_times(const struct aiNodeAnim *from)
{
    if (!from->mRotationKeys || !from->mScalingKeys ||
        from->mNumRotationKeys != from->mNumScalingKeys)
        return false;
    for (uint32_t i = 0; i < from->mNumRotationKeys; i++) {
        if (from->mRotationKeys[i].mTime != from->mScalingKeys[i].mTime)
            return false;
    }
    return true;
}

/* Give a mirrored key the signs of the scale whose rotation is nearest to that of the key before.
 * One or all signs are negative; they differ by half a turn about an axis. */
static void align_mirror(const struct aiQuaternion *before, struct aiQuaternion *rotation,
                         struct aiVector3D *scale)
{
    const float from[4] = {before->x, before->y, before->z, before->w},
                q[4] = {rotation->x, rotation->y, rotation->z, rotation->w};
    /* The rotation without a half turn, where all signs are negative. */
    float best[4], all[4], nearest = -1;
    int chosen = 3;
    memcpy(all, q, sizeof all);
    for (int axis = 0; axis < 3; axis++) {
        const float half[4] = {axis == 0, axis == 1, axis == 2, 0};
        const float *s = &scale->x;
        if (s[axis] < 0 && s[(axis + 1) % 3] > 0 && s[(axis + 2) % 3] > 0)
            facet_quaternion_multiply(q, half, all);
    }
    memcpy(best, all, sizeof best);
    for (int axis = 0; axis < 4; axis++) {
        const float half[4] = {axis == 0, axis == 1, axis == 2, axis == 3};
        float turned[4], dot = 0;
        facet_quaternion_multiply(all, half, turned);
        for (int i = 0; i < 4; i++)
            dot += turned[i] * from[i];
        if (fabsf(dot) > nearest + 1e-4F) {
            nearest = fabsf(dot);
            chosen = axis;
            memcpy(best, turned, sizeof best);
        }
    }
    *rotation = (struct aiQuaternion){.w = best[3], .x = best[0], .y = best[1], .z = best[2]};
    scale->x = chosen == 0 || chosen == 3 ? -fabsf(scale->x) : fabsf(scale->x);
    scale->y = chosen == 1 || chosen == 3 ? -fabsf(scale->y) : fabsf(scale->y);
    scale->z = chosen == 2 || chosen == 3 ? -fabsf(scale->z) : fabsf(scale->z);
}

/* Align the mirrored keys of a node after one that is not mirrored. assimp decomposes matrices to
 * three negative scales. A scale that changes its sign then seems to turn. The result is in the
 * scratch arena, or is `from` itself. NULL if out of memory. */
static const struct aiNodeAnim *align_mirrors(facet_assimp_reader *r, const struct aiNodeAnim *from)
{
    uint32_t count = from->mNumRotationKeys, mirrored = 0;
    if (!has_common_times(from))
        return from;
    for (uint32_t i = 0; i < count; i++) {
        const struct aiVector3D *s = &from->mScalingKeys[i].mValue;
        mirrored += s->x * s->y * s->z < 0;
    }
    if (mirrored == 0 || mirrored == count)
        return from;
    struct aiNodeAnim *made = facet_arena_allocate(r->scratch, 1, sizeof *made);
    struct aiQuatKey *rotations = facet_arena_allocate(r->scratch, count, sizeof *rotations);
    struct aiVectorKey *scales = facet_arena_allocate(r->scratch, count, sizeof *scales);
    if (!made || !rotations || !scales)
        return NULL;
    *made = *from;
    memcpy(rotations, from->mRotationKeys, count * sizeof *rotations);
    memcpy(scales, from->mScalingKeys, count * sizeof *scales);
    for (uint32_t i = 1; i < count; i++) {
        const struct aiVector3D *s = &scales[i].mValue;
        if (s->x * s->y * s->z < 0)
            align_mirror(&rotations[i - 1].mValue, &rotations[i].mValue, &scales[i].mValue);
    }
    made->mRotationKeys = rotations;
    made->mScalingKeys = scales;
    return made;
}

/* Rotations of keys, with unknown ones replaced. assimp decomposes an FBX key's matrix, which has
 * no rotation where a scale is 0. Such a key gets the rotation of the nearest key before it, else
 * after it. This needs scale and rotation keys at the same times. NULL if out of memory. */
static const struct aiQuatKey *known_rotations(facet_assimp_reader *r,
                                               const struct aiNodeAnim *from, uint32_t place)
{
    uint32_t count = from->mNumRotationKeys, first = 0, known_count = 0;
    bool differ = false, any = false;
    if (!has_common_times(from))
        return from->mRotationKeys;
    for (uint32_t i = 0; i < count; i++)
        any |= is_flat(&from->mScalingKeys[i]);
    while (first < count && is_flat(&from->mScalingKeys[first]))
        first++;
    if (!any || first == count) /* no rotation is known: any is right */
        return from->mRotationKeys;
    struct aiQuatKey *keys = facet_arena_allocate(r->scratch, count, sizeof *keys);
    if (!keys)
        return NULL;
    const struct aiQuaternion *known = &from->mRotationKeys[first].mValue;
    for (uint32_t i = 0; i < count; i++) {
        const struct aiQuaternion *now = &from->mRotationKeys[i].mValue;
        if (!is_flat(&from->mScalingKeys[i])) {
            float dot =
                now->x * known->x + now->y * known->y + now->z * known->z + now->w * known->w;
            differ |= !(fabsf(dot) > 1 - 1e-6f);
            known = now;
            known_count++;
        }
        keys[i] = from->mRotationKeys[i];
        keys[i].mValue = *known;
    }
    facet_quoted quoted;
    if (differ || known_count < 2) /* else it does not rotate */
        facet_report_add(r->report, "ASSIMP-ZERO-SCALE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "node '%s' has a scale of 0 at a key, where its rotation is unknown: that "
                         "of the nearest key is used",
                         facet_quote(&quoted, r->node_names[place], strlen(r->node_names[place])));
    return keys;
}

/* Count the spans where the angles of an FBX take another path than a turn, by more than a degree.
 * assimp returns only the rotations of keys. The angles are assumed to be the nearest ones. */
static void find_bent(facet_assimp_reader *r, const struct aiQuatKey *keys, uint32_t count,
                      double ticks)
{
    double before[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const struct aiQuaternion *key = &keys[i].mValue;
        const float q[4] = {key->x, key->y, key->z, key->w};
        double now[3];
        facet_assimp_angles_of(q, now);
        facet_assimp_nearest_angles(before, now);
        const struct aiQuaternion *last = &keys[i > 0 ? i - 1 : 0].mValue;
        /* The middle of a turn is the sum of its ends, with the same sign. */
        double middle[3], made[4], dot = 0, length = 0;
        double sign =
            last->x * q[0] + last->y * q[1] + last->z * q[2] + last->w * q[3] < 0 ? -1 : 1;
        const double turn[4] = {
            (double)last->x + sign * (double)q[0], (double)last->y + sign * (double)q[1],
            (double)last->z + sign * (double)q[2], (double)last->w + sign * (double)q[3]};
        for (int k = 0; k < 3; k++)
            middle[k] = (before[k] + now[k]) / 2;
        facet_assimp_quaternion_of_angles(middle, made);
        for (int k = 0; k < 4; k++) {
            dot += turn[k] * made[k];
            length += turn[k] * turn[k];
        }
        /* 0.99996 is cos(0.5 degrees). A span shorter than a frame is not visible. */
        bool is_long = i > 0 && keys[i].mTime - keys[i - 1].mTime > ticks / 60;
        if (is_long && fabs(dot) < 0.99996 * sqrt(length))
            facet_tally_hit(&r->keys_bent, i);
        memcpy(before, now, sizeof before);
    }
}

/* Read a channel that animates a whole transform. */
static facet_status read_node_channel(facet_assimp_reader *r, const struct aiNodeAnim *given,
                                      uint32_t place, double ticks, facet_animation *animation)
{
    float repair[4];
    const struct aiNodeAnim *from = align_mirrors(r, given);
    if (!from)
        return facet_fail_arena(r->scratch, r->error);
    bool repaired = facet_assimp_rotation_repair(&r->places[place], repair);
    const struct aiQuatKey *rotations = known_rotations(r, from, place);
    if (!rotations && from->mRotationKeys)
        return facet_fail_arena(r->scratch, r->error);
    if (r->is_fbx && rotations)
        find_bent(r, rotations, from->mNumRotationKeys, ticks);
    const track tracks[3] = {
        {from, NULL, FACET_TARGET_TRANSLATION, 3, from->mPositionKeys ? from->mNumPositionKeys : 0,
         NULL, NULL, NULL},
        {from, NULL, FACET_TARGET_ROTATION, 4, rotations ? from->mNumRotationKeys : 0,
         repaired ? repair : NULL, rotations, NULL},
        {from, NULL, FACET_TARGET_SCALE, 3, from->mScalingKeys ? from->mNumScalingKeys : 0, NULL,
         NULL, from->mScalingKeys}};
    for (int i = 0; i < 3; i++) {
        if (tracks[i].count > 0)
            TRY(read_track(r, &tracks[i], ticks, place, animation));
    }
    return FACET_OK;
}

/* A channel that animates a factor of a transform. */
typedef struct channel_place {
    uint32_t place, channel;
} channel_place;

static int by_place(const void *a, const void *b)
{
    const channel_place *left = a, *right = b;
    if (left->place != right->place)
        return left->place < right->place ? -1 : 1;
    return (left->channel > right->channel) - (left->channel < right->channel);
}

/* Read the channels of transforms with several factors, one node at a time. */
static facet_status read_factors(facet_assimp_reader *r, const struct aiAnimation *from,
                                 const channel_place *list, uint32_t count, double ticks,
                                 facet_animation *animation)
{
    const struct aiNodeAnim **of_place = facet_arena_allocate(r->scratch, count, sizeof *of_place);
    if (!of_place)
        return facet_assimp_no_memory(r->error, count, sizeof *of_place);
    for (uint32_t i = 0; i < count;) {
        uint32_t first = i;
        for (; i < count && list[i].place == list[first].place; i++)
            of_place[i - first] = from->mChannels[list[i].channel];
        TRY(facet_assimp_pivots_to_channels(r, list[first].place, of_place, i - first, ticks,
                                            animation));
    }
    return FACET_OK;
}

static facet_status read_node_channels(facet_assimp_reader *r, const struct aiAnimation *from,
                                       double ticks, facet_animation *animation)
{
    uint32_t factors = 0;
    channel_place *list = facet_arena_allocate(r->scratch, from->mNumChannels, sizeof *list);
    if (!list)
        return facet_assimp_no_memory(r->error, from->mNumChannels, sizeof *list);
    for (uint32_t i = 0; i < from->mNumChannels; i++) {
        const struct aiNodeAnim *channel = from->mChannels[i];
        uint32_t place = FACET_NONE;
        TRY(place_of(r, &channel->mNodeName, &place));
        if (place == FACET_NONE)
            facet_tally_hit(&r->channels_lost, 0);
        else if (strcmp(channel->mNodeName.data, r->places[place].from->mName.data) == 0)
            TRY(read_node_channel(r, channel, place, ticks, animation));
        else
            list[factors++] = (channel_place){place, i};
    }
    if (factors > 0)
        qsort(list, factors, sizeof *list, by_place);
    return read_factors(r, from, list, factors, ticks, animation);
}

/* -- Morph targets ------------------------------------------------------ */

/* The node whose mesh a channel animates. An FBX has the node's name, followed by '*' and a number;
 * other files the node's or the mesh's name. */
static facet_status morphed_node(facet_assimp_reader *r, const struct aiString *name,
                                 uint32_t *found)
{
    *found = FACET_NONE;
    char *text = (char *)(uintptr_t)facet_assimp_text(r->scratch, name);
    if (!text)
        return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
    uint32_t place = facet_assimp_names_find(&r->place_names, text);
    char *star = strrchr(text, '*');
    if (place == FACET_NONE && star) {
        *star = '\0';
        place = facet_assimp_names_find(&r->place_names, text);
    }
    const facet_scene *scene = r->scene;
    for (uint32_t i = 0; i < scene->node_count && *found == FACET_NONE; i++) {
        const facet_node *node = scene->nodes[i];
        const facet_mesh *mesh = node->mesh == FACET_NONE ? NULL : scene->meshes[node->mesh];
        bool here = i == place || (place != FACET_NONE && node->parent == place) ||
                    (place == FACET_NONE && mesh && strcmp(mesh->name, text) == 0);
        if (here && mesh && mesh->morph_count > 0)
            *found = i;
    }
    return FACET_OK;
}

static bool has_weights(const facet_animation *animation, uint32_t node)
{
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        if (animation->channels[i].node == node &&
            animation->channels[i].target == FACET_TARGET_WEIGHTS)
            return true;
    }
    return false;
}

static facet_status read_morph_channel(facet_assimp_reader *r, const struct aiMeshMorphAnim *from,
                                       double ticks, facet_animation *animation)
{
    uint32_t node;
    TRY(morphed_node(r, &from->mName, &node));
    if (node == FACET_NONE || !from->mKeys) {
        facet_tally_hit(&r->channels_lost, 0);
        return FACET_OK;
    }
    /* Pieces that assimp cut from one mesh by material have the same weights. */
    if (from->mNumKeys == 0 || has_weights(animation, node))
        return FACET_OK;
    track weights = {NULL,
                     from,
                     FACET_TARGET_WEIGHTS,
                     r->scene->meshes[r->scene->nodes[node]->mesh]->morph_count,
                     from->mNumKeys,
                     NULL,
                     NULL,
                     NULL};
    return read_track(r, &weights, ticks, node, animation);
}

/* -- Animations --------------------------------------------------------- */

static facet_status read_animation(facet_assimp_reader *r, const struct aiAnimation *from)
{
    uint64_t space = (uint64_t)from->mNumChannels * 3 + from->mNumMorphMeshChannels;
    const char *name = facet_assimp_text(r->scratch, &from->mName);
    if (!name || space > UINT32_MAX)
        return facet_assimp_no_memory(r->error, space, sizeof(facet_channel));
    facet_animation *animation = NULL;
    facet_status status =
        facet_scene_add_animation(r->scene, name, (uint32_t)space, &animation, r->error);
    if (status)
        return status;
    animation->channel_count = 0;
    bool known = isfinite(from->mTicksPerSecond) && from->mTicksPerSecond > 0;
    if (!known)
        facet_report_add(r->report, "ASSIMP-TICKS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "an animation does not give its ticks per second; 25 is used");
    double ticks = known ? from->mTicksPerSecond : TICKS_PER_SECOND;
    status = read_node_channels(r, from, ticks, animation);
    bool is_read = r->fbx && !r->lacks_channels; /* from the file, by fbx_animations.c */
    for (uint32_t i = 0; i < from->mNumMorphMeshChannels && !status && !is_read; i++)
        status = read_morph_channel(r, from->mMorphMeshChannels[i], ticks, animation);
    if (from->mNumMeshChannels > 0)
        facet_tally_hit(&r->channels_lost, 0);
    return status;
}

facet_status facet_assimp_animations_to_scene(facet_assimp_reader *r)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->from->mNumAnimations && !status; i++)
        status = read_animation(r, r->from->mAnimations[i]);
    return status;
}
