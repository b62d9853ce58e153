/* formats/j3d/scene/from_channels/joints.c - an animation of nodes to a BCK.
 *
 * The joints are the model's, and so are the places of those that nothing moves. Each
 * joint is sampled at every frame, its place becomes the three angles, the scale and
 * the translation that the model's way of scaling asks for, and keys are fitted to
 * these numbers. What still moves as the file in the extras does keeps its keys. */
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/scene/from_channels/channels.h"
#include "formats/j3d/scene/from_channels/file.h"
#include "formats/j3d/scene/to_scene/animation.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"
#include "base/vec.h"
#include "formats/j3d/animation/fit.h"
#include "formats/j3d/animation/share.h"
#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/scene/from_channels/rate.h"
#include "scene/axes.h"
#include "scene/carriers.h"
#include "scene/loop.h"
#include "scene/matrix.h"
#include "scene/scene.h"
#include "scene/transform.h"
#include "scene/units.h"

#include <facet/pose.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_FRAMES 32767

/* The nine numbers of a joint at a frame, in the order of tracks: scale, angle in
 * degrees, translation of x, then of y, then of z. */
typedef double numbers[9];

typedef struct building {
    const facet_scene *scene;
    const facet_animation *animation;
    const facet_j3d *model;
    const facet_options *options;
    facet_arena *scratch;
    facet_j3d_skeleton skeleton;   /* for the order of joints */
    facet_j3d_animation_kind kind; /* that is wanted in the end: BCK or BCA */
    facet_j3d_animation *document;
    facet_j3d_animation *stored; /* the file of that kind in the extras, or NULL */
    double rate, distance, angle;
    double begin;                        /* the time of frame 0, in seconds */
    uint32_t joints, frames;             /* frames + 1 samples */
    facet_units units;                   /* of the scene */
    uint32_t *nodes;                     /* of each joint, or FACET_NONE */
    uint32_t *joint_of_node;             /* or FACET_NONE */
    const facet_channel *(*channels)[3]; /* of each node */
    numbers *samples;                    /* of joint 0 at all frames, then of joint 1 ... */
    double *column, *elements;
    facet_error *error;
} building;

static facet_status no_memory(const building *b)
{
    return facet_fail_arenas(b->scratch, b->document ? b->document->arena : NULL, b->error);
}

static numbers *samples_of(const building *b, uint32_t joint)
{
    return b->samples + (size_t)joint * (b->frames + 1);
}

/* -- Which animation ---------------------------------------------------- */

static const facet_animation *find_named(const facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        if (strcmp(scene->animations[i]->name, name) == 0)
            return scene->animations[i];
    }
    return NULL;
}

static facet_status find_clip(building *b, const char *clip)
{
    const facet_scene *scene = b->scene;
    char names[200] = "";
    facet_quoted quoted;
    b->animation = clip                          ? find_named(scene, clip)
                   : scene->animation_count == 1 ? scene->animations[0]
                                                 : NULL;
    if (b->animation)
        return FACET_OK;
    for (uint32_t i = 0; i < scene->animation_count && strlen(names) < 150; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s'%.40s'", i ? ", " : "",
                 scene->animations[i]->name);
    }
    return facet_fail(
        b->error, FACET_ERROR_ARGUMENT, "J3D-CLIP", FACET_NO_OFFSET, "%s; there are %s",
        clip ? "no animation has this name" : "it is not said which animation is meant",
        facet_quote(&quoted, names, strlen(names)));
}

/* -- Joints and nodes --------------------------------------------------- */

/* Nodes that no joint has taken, by name: those of one name in their order. */
typedef struct node_list {
    facet_names names;
    uint32_t *first; /* per name: the first node that no joint has taken yet */
    uint32_t *next;  /* per node: the next of its name */
} node_list;

/* `joints` is the joint of each node, or FACET_NONE; `bare`: by names without the ".001"
 * that Blender puts behind those that it has already. */
static bool list_nodes(const building *b, const uint32_t *joints, bool bare, node_list *list)
{
    uint32_t count = b->scene->node_count;
    list->names = facet_names_make(b->scratch);
    list->first = facet_arena_allocate(b->scratch, count, sizeof *list->first);
    list->next = facet_arena_allocate(b->scratch, count, sizeof *list->next);
    for (uint32_t i = count; i-- > 0 && list->first && list->next;) {
        const char *name = b->scene->nodes[i]->name;
        size_t length = bare ? facet_bare_length(name) : strlen(name);
        uint32_t before = list->names.count;
        if (joints[i] != FACET_NONE)
            continue;
        uint32_t number = facet_names_put(&list->names, name, length);
        if (number == UINT32_MAX)
            return false;
        list->next[i] = number == before ? FACET_NONE : list->first[number];
        list->first[number] = i;
    }
    return list->first && list->next;
}

/* Each joint that has no node takes the first of its name that is left; `missing` counts
 * those that find none. */
static bool take_nodes(building *b, uint32_t *joints, bool bare, facet_tally *missing)
{
    node_list list;
    *missing = (facet_tally){0};
    if (!list_nodes(b, joints, bare, &list))
        return false;
    for (uint32_t j = 0; j < b->joints; j++) {
        char name[3072] = "";
        if (b->nodes[j] != FACET_NONE)
            continue;
        if (j < b->model->joints.names.count)
            facet_j3d_name_text(b->model->joints.names.items[j].bytes, name, sizeof name);
        uint32_t number = facet_names_find(&list.names, name, strlen(name));
        b->nodes[j] = number == UINT32_MAX ? FACET_NONE : list.first[number];
        if (b->nodes[j] == FACET_NONE) {
            facet_tally_hit(missing, j);
            continue;
        }
        list.first[number] = list.next[b->nodes[j]];
        joints[b->nodes[j]] = j;
    }
    return true;
}

static facet_status find_nodes(building *b)
{
    facet_tally missing;
    uint32_t count = b->scene->node_count;
    b->joint_of_node = facet_arena_allocate(b->scratch, count, sizeof *b->joint_of_node);
    b->nodes = facet_arena_allocate(b->scratch, b->joints, sizeof *b->nodes);
    if (!b->nodes || !b->joint_of_node)
        return no_memory(b);
    for (uint32_t i = 0; i < count; i++)
        b->joint_of_node[i] = FACET_NONE;
    for (uint32_t j = 0; j < b->joints; j++)
        b->nodes[j] = FACET_NONE;
    if (!take_nodes(b, b->joint_of_node, false, &missing) ||
        (missing.count > 0 && !take_nodes(b, b->joint_of_node, true, &missing)))
        return no_memory(b);
    facet_report_add_tally(b->options ? b->options->report : NULL, "J3D-JOINT-MISSING",
                           FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &missing,
                           "no node is called like joint %" PRIu64 " of the model, which rests",
                           missing.first);
    return FACET_OK;
}

/* The scene as the model's writer sees it: nothing but joints above a joint, and its unit. */
static facet_status fold_carriers(building *b)
{
    size_t count = b->scene->node_count;
    uint32_t index = 0;
    uint32_t *below = facet_arena_allocate(b->scratch, count, sizeof *below);
    uint32_t *order = facet_arena_allocate(b->scratch, count, sizeof *order);
    bool *is_joint = facet_arena_allocate(b->scratch, count, sizeof *is_joint);
    if (!below || !order || !is_joint)
        return no_memory(b);
    for (size_t i = 0; i < count; i++)
        is_joint[i] = b->joint_of_node[i] != FACET_NONE;
    while (b->scene->animations[index] != b->animation)
        index++;
    TRY(facet_scene_order(b->scene, below, order, b->error));
    b->units = facet_units_of_scene(b->scene, FACET_J3D_UNIT, order, below);
    TRY(facet_scene_fold_carriers(b->scene, is_joint, order, b->units.top, b->scratch, &b->scene,
                                  b->error));
    b->units = facet_units_of_scene(b->scene, FACET_J3D_UNIT, order, below);
    b->animation = b->scene->animations[index];
    return FACET_OK;
}

static facet_status find_channels(building *b)
{
    b->channels =
        facet_arena_allocate_zeroed(b->scratch, b->scene->node_count, sizeof *b->channels);
    if (!b->channels)
        return no_memory(b);
    for (uint32_t i = 0; i < b->animation->channel_count; i++) {
        const facet_channel *channel = &b->animation->channels[i];
        if (facet_channel_target_is_place(channel->target) && channel->node < b->scene->node_count)
            b->channels[channel->node][channel->target] = channel;
    }
    return FACET_OK;
}

/* -- Samples ------------------------------------------------------------ */

/* Rows of R = Rz * Ry * Rx to angles in degrees. */
static void angles_of_axes(const double m[9], double angles[3])
{
    double level = hypot(m[0], m[3]); /* the cosine, which is exact where the sine is not */
    angles[1] = atan2(-m[6], level) * 180 / FACET_PI;
    if (level < 1e-9) { /* x and z turn around the same axis: all is x */
        angles[0] = atan2(-m[5], m[4]) * 180 / FACET_PI;
        angles[2] = 0;
    } else {
        angles[0] = atan2(m[7], m[8]) * 180 / FACET_PI;
        angles[2] = atan2(m[3], m[0]) * 180 / FACET_PI;
    }
}

/* Row-major rotation. Floats are no longer than 1 by their last bits alone, of which much
 * would be made where two angles turn around next to the same axis. */
static void axes_of_quaternion(const float q[4], double m[9])
{
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    double length = sqrt(x * x + y * y + z * z + w * w), factor = length > 0 ? 1 / length : 1;
    x *= factor, y *= factor, z *= factor, w *= factor;
    const double made[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(m, made, sizeof made);
}

/* The solution nearest to the angles before: each may be turned around, and all of
 * them to the other half. */
static void unwrap(const double before[3], double angles[3])
{
    double other[3] = {angles[0] + 180, 180 - angles[1], angles[2] + 180}, far[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
        angles[i] += 360 * nearbyint((before[i] - angles[i]) / 360);
        other[i] += 360 * nearbyint((before[i] - other[i]) / 360);
        far[0] += fabs(angles[i] - before[i]);
        far[1] += fabs(other[i] - before[i]);
    }
    if (far[1] < far[0])
        memcpy(angles, other, sizeof other);
}

/* At rest a joint of the model, whatever its node says. */
static void rest(const facet_j3d_joint *joint, numbers n)
{
    for (int i = 0; i < 3; i++) {
        n[3 * i] = (double)joint->scale[i];
        n[3 * i + 1] = facet_j3d_angle(joint->rotation[i]) * 180 / FACET_PI;
        n[3 * i + 2] = (double)joint->translation[i];
    }
}

/* The numbers of a joint of which the place in its parent is known. `above` is what
 * the model's way of scaling multiplies rows with, `divide` whether the scale contains
 * that, too. */
static void solve(const facet_transform *place, const double above[3], bool divide,
                  const double before[3], numbers n)
{
    double m[9], angles[3], scale[3];
    bool plain = above[0] == 1 && above[1] == 1 && above[2] == 1;
    axes_of_quaternion(place->rotation, m);
    for (int i = 0; i < 3; i++)
        scale[i] = (double)place->scale[i];
    if (!plain) {
        double columns[9];
        facet_decomposition parts;
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++)
                columns[column * 3 + row] = above[row] * m[row * 3 + column] * scale[column];
        }
        facet_axes_decompose(columns, FACET_MIRROR_X, &parts);
        for (int i = 0; i < 9; i++)
            m[i] = parts.axes[i % 3 * 3 + i / 3];
        for (int i = 0; i < 3; i++)
            scale[i] = divide && above[i] != 0 ? parts.scale[i] / above[i] : parts.scale[i];
    }
    angles_of_axes(m, angles);
    unwrap(before, angles);
    for (int i = 0; i < 3; i++) {
        n[3 * i] = scale[i];
        n[3 * i + 1] = angles[i];
        n[3 * i + 2] = (double)place->translation[i];
    }
}

/* A place in the frame of the scene as one in J3D's: along every axis of that what it is
 * along the axis of the scene that becomes it. */
static void turn_place(const facet_axes *frame, double unit, facet_transform *transform)
{
    float *scale = transform->scale;
    facet_axes_turn(frame, transform->translation);
    facet_axes_turn(frame, transform->rotation);
    facet_axes_turn(frame, scale);
    for (int i = 0; i < 3; i++) {
        transform->translation[i] = (float)facet_units_length(unit, transform->translation[i]);
        if (frame->left_handed) /* an axis to turn around is mirrored with its sense */
            transform->rotation[i] = -transform->rotation[i];
    }
    if (frame->up == FACET_AXIS_Z)
        scale[2] = -scale[2];
    else if (frame->up == FACET_AXIS_X)
        scale[0] = -scale[0];
    if (frame->left_handed)
        scale[2] = -scale[2];
}

/* The node's place in its parent at a time. */
static void local_at(const building *b, uint32_t node, double seconds, facet_transform *local)
{
    const facet_channel *const *channels = b->channels[node];
    const facet_node *n = b->scene->nodes[node];
    *local = n->transform;
    if (n->has_matrix)
        facet_transform_of_matrix(n->matrix, FACET_MIRROR_X, local);
    if (channels[FACET_TARGET_TRANSLATION])
        facet_channel_sample(channels[FACET_TARGET_TRANSLATION], seconds, local->translation);
    if (channels[FACET_TARGET_ROTATION])
        facet_channel_sample(channels[FACET_TARGET_ROTATION], seconds, local->rotation);
    if (channels[FACET_TARGET_SCALE])
        facet_channel_sample(channels[FACET_TARGET_SCALE], seconds, local->scale);
}

/* The node above that has a place and is no joint of the model, or FACET_NONE: its place
 * and those up to the next joint are part of the joint's below. */
static uint32_t node_between(const building *b, uint32_t node)
{
    static const facet_transform origin = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    uint32_t above = b->scene->nodes[node]->parent;
    for (; above != FACET_NONE && b->joint_of_node[above] == FACET_NONE;
         above = b->scene->nodes[above]->parent) {
        const facet_channel *const *channels = b->channels[above];
        const facet_node *n = b->scene->nodes[above];
        bool placed = n->has_matrix || channels[0] || channels[1] || channels[2] ||
                      memcmp(&n->transform, &origin, sizeof origin) != 0;
        if (placed && above != b->units.top)
            return above;
    }
    return FACET_NONE;
}

/* The place of a joint's node in that of the joint above, in J3D's frame. */
static void place_at(const building *b, uint32_t node, double seconds, facet_transform *place)
{
    local_at(b, node, seconds, place);
    uint32_t above = node_between(b, node);
    while (above != FACET_NONE) {
        facet_transform local;
        float outer[16], inner[16], whole[16];
        local_at(b, above, seconds, &local);
        facet_matrix_of_transform(&local, outer);
        facet_matrix_of_transform(place, inner);
        facet_matrix_multiply(outer, inner, whole);
        facet_transform_of_matrix(whole, FACET_MIRROR_X, place);
        above = node_between(b, above);
    }
    turn_place(&b->scene->axes, b->units.unit, place);
}

/* Which of translation, rotation and scale of a joint the animation moves. */
static void find_moved(const building *b, uint32_t joint, bool moved[3])
{
    memset(moved, 0, 3 * sizeof *moved);
    if (b->nodes[joint] == FACET_NONE)
        return;
    for (int i = 0; i < 3; i++)
        moved[i] = b->channels[b->nodes[joint]][i] != NULL;
    /* What turns or scales a node between joints may move all of the joint below. */
    for (uint32_t above = node_between(b, b->nodes[joint]); above != FACET_NONE;
         above = node_between(b, above)) {
        const facet_channel *const *channels = b->channels[above];
        bool turns = channels[FACET_TARGET_ROTATION] || channels[FACET_TARGET_SCALE];
        moved[FACET_TARGET_TRANSLATION] |= turns || channels[FACET_TARGET_TRANSLATION];
        moved[FACET_TARGET_ROTATION] |= turns;
        moved[FACET_TARGET_SCALE] |= turns;
    }
}

/* What rows of a joint's place are multiplied with, from the scales above it. */
static void find_above(const building *b, uint32_t joint, uint32_t frame, double (*whole)[3],
                       double above[3])
{
    const facet_j3d_joint *of = &b->model->joints.items[joint];
    uint32_t rule = b->model->hierarchy.flags & 15;
    for (int i = 0; i < 3; i++) {
        above[i] = 1;
        if (of->parent == FACET_J3D_NONE)
            continue;
        if (rule == FACET_J3D_SCALING_SOFTIMAGE)
            above[i] = whole[of->parent][i];
        else if (rule == FACET_J3D_SCALING_MAYA && of->scale_compensate == 1)
            above[i] = samples_of(b, of->parent)[frame][3 * i];
    }
}

static void sample_joint(const building *b, uint32_t joint, uint32_t frame, double (*whole)[3])
{
    const facet_j3d_joint *of = &b->model->joints.items[joint];
    bool softimage = (b->model->hierarchy.flags & 15) == FACET_J3D_SCALING_SOFTIMAGE;
    double *n = samples_of(b, joint)[frame], above[3], before[3], at_rest[9];
    bool moved[3];
    find_moved(b, joint, moved);
    rest(of, at_rest);
    memcpy(n, at_rest, sizeof at_rest);
    if (moved[0] || moved[1] || moved[2]) {
        facet_transform transform;
        for (int i = 0; i < 3; i++)
            before[i] = frame > 0 ? samples_of(b, joint)[frame - 1][3 * i + 1] : at_rest[3 * i + 1];
        find_above(b, joint, frame, whole, above);
        place_at(b, b->nodes[joint], b->begin + frame / b->rate, &transform);
        solve(&transform, above, softimage, before, n);
    }
    bool plain = of->parent == FACET_J3D_NONE || !softimage;
    for (int i = 0; i < 3; i++) {
        /* What nothing moves is the model's, to the bit. */
        if (!moved[FACET_TARGET_TRANSLATION])
            n[3 * i + 2] = at_rest[3 * i + 2];
        if (!moved[FACET_TARGET_ROTATION] && !moved[FACET_TARGET_SCALE])
            memcpy(&n[3 * i], &at_rest[3 * i], 2 * sizeof *n);
        whole[joint][i] = n[3 * i] * (plain ? 1 : whole[of->parent][i]);
    }
}

/* Angles that wind on are wound about zero, where fewest bits of them are cut off. */
static void center_angles(const building *b, uint32_t joint)
{
    numbers *samples = samples_of(b, joint);
    for (int column = 1; column < 9; column += 3) {
        double least = samples[0][column], most = least;
        for (uint32_t frame = 1; frame <= b->frames; frame++) {
            least = fmin(least, samples[frame][column]);
            most = fmax(most, samples[frame][column]);
        }
        if (fmax(-least, most) < 360)
            continue;
        double turns = nearbyint((least + most) / 720) * 360;
        for (uint32_t frame = 0; frame <= b->frames; frame++)
            samples[frame][column] -= turns;
    }
}

static facet_status sample(building *b)
{
    double(*whole)[3] = facet_arena_allocate(b->scratch, b->joints, sizeof *whole);
    b->samples =
        facet_arena_allocate(b->scratch, (size_t)b->joints * (b->frames + 1), sizeof *b->samples);
    if (!whole || !b->samples)
        return no_memory(b);
    for (uint32_t frame = 0; frame <= b->frames; frame++) {
        for (uint32_t i = 0; i < b->joints; i++)
            sample_joint(b, b->skeleton.order[i], frame, whole);
    }
    for (uint32_t i = 0; i < b->joints; i++)
        center_angles(b, i);
    return FACET_OK;
}

/* -- What is as it was -------------------------------------------------- */

/* How far apart two rotations by angles in degrees are, in degrees. */
static double turned(const double *a, const double *b)
{
    double q[2][4], dot = 0;
    for (int k = 0; k < 2; k++) {
        const double *angles = k ? b : a;
        double s[3], c[3];
        for (int i = 0; i < 3; i++) {
            s[i] = sin(angles[i] * FACET_PI / 360);
            c[i] = cos(angles[i] * FACET_PI / 360);
        }
        q[k][0] = s[0] * c[1] * c[2] - c[0] * s[1] * s[2];
        q[k][1] = c[0] * s[1] * c[2] + s[0] * c[1] * s[2];
        q[k][2] = c[0] * c[1] * s[2] - s[0] * s[1] * c[2];
        q[k][3] = c[0] * c[1] * c[2] + s[0] * s[1] * s[2];
    }
    for (int i = 0; i < 4; i++)
        dot += q[0][i] * q[1][i];
    double length = 0;
    for (int i = 0; i < 4; i++) {
        double d = q[0][i] - (dot < 0 ? -1 : 1) * q[1][i];
        length += d * d;
    }
    return 4 * asin(fmin(sqrt(length) / 2, 1)) * 180 / FACET_PI;
}

/* Which of scale, rotation and translation of each joint the stored file has. */
static facet_status compare_stored(const building *b, bool (*kept)[3])
{
    facet_j3d_joint_pose *poses =
        facet_arena_allocate(b->scratch, b->stored->sets[0].count, sizeof *poses);
    if (!poses)
        return no_memory(b);
    memset(kept, 1, b->joints * sizeof *kept);
    for (uint32_t frame = 0; frame <= b->frames; frame++) {
        facet_j3d_moment moment = {.frame = frame};
        facet_j3d_animation_joints(b->stored, &moment, poses);
        for (uint32_t j = 0; j < b->joints; j++) {
            const double *n = samples_of(b, j)[frame];
            const double angles[3] = {n[1], n[4], n[7]};
            kept[j][1] &= turned(angles, poses[j].angles) <= b->angle;
            for (int i = 0; i < 3; i++) {
                kept[j][0] &= fabs(n[3 * i] - (double)poses[j].scale[i]) <= b->distance / 10;
                kept[j][2] &= fabs(n[3 * i + 2] - (double)poses[j].translation[i]) <= b->distance;
            }
        }
    }
    return FACET_OK;
}

/* Whether the file says all of it. Joints that the model does not have are its own matter. */
static bool all_kept(const building *b, bool (*kept)[3])
{
    for (uint32_t j = 0; j < b->joints; j++) {
        if (!kept[j][0] || !kept[j][1] || !kept[j][2])
            return false;
    }
    return b->stored->frames == (int32_t)b->frames;
}

/* -- Keys --------------------------------------------------------------- */

/* Angles as exporters store them before the shift. */
static double units(double degrees)
{
    return degrees * 32767 / 180;
}

static uint32_t find_shift(const building *b, bool (*kept)[3])
{
    double most = 0;
    for (uint32_t j = 0; j < b->joints; j++) {
        for (uint32_t frame = 0; frame <= b->frames && !(kept && kept[j][1]); frame++) {
            for (int i = 0; i < 3; i++)
                most = fmax(most, fabs(units(samples_of(b, j)[frame][3 * i + 1])));
        }
    }
    /* As exporters have it up to 540 degrees; beyond, theirs cuts off more than there is to. */
    uint32_t shift = 0;
    while (shift < 15 && most >= ldexp(32768, (int)shift))
        shift++;
    return shift;
}

/* The elements of a stored track, as they are. */
static facet_status keep_track(const building *b, facet_j3d_sharing *sharing, uint32_t index,
                               facet_j3d_track *track)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(FACET_J3D_BCK);
    const facet_j3d_track *from = &b->stored->sets[0].tracks[index];
    const facet_j3d_elements *elements = &b->stored->sets[0].elements[index % 3];
    uint32_t size = facet_j3d_track_size(format, from);
    double *copy = facet_arena_allocate(b->scratch, size, sizeof *copy);
    if (!copy)
        return no_memory(b);
    for (uint32_t i = 0; i < size; i++)
        copy[i] = elements->reals ? (double)elements->reals[from->first + i]
                                  : elements->integers[from->first + i];
    facet_status status =
        facet_j3d_sharing_put(sharing, copy, from->count, from->type, track, b->error);
    facet_arena_release(b->scratch, copy, size, sizeof *copy);
    return status;
}

static facet_status fit_track(const building *b, facet_j3d_sharing *sharing, uint32_t index,
                              facet_j3d_track *track)
{
    uint32_t component = index % 3;
    double tolerance = component == 0 ? b->distance / 10 : b->distance;
    const numbers *samples = (const numbers *)samples_of(b, index / 9);
    for (uint32_t i = 0; i <= b->frames; i++) {
        double value = samples[i][index % 9];
        b->column[i] = component == 1 ? ldexp(units(value), -b->document->rotation_shift) : value;
    }
    if (component == 1) /* three angles share the error, and consoles cut one step off */
        tolerance = ldexp(units(b->angle) / sqrt(3), -b->document->rotation_shift);
    uint16_t type;
    uint32_t keys =
        facet_j3d_fit_keys(b->column, b->frames + 1, tolerance, component == 1, b->elements, &type);
    return facet_j3d_sharing_put(sharing, b->elements, keys, type, track, b->error);
}

/* Say in which joint the number stands that did not fit. */
static facet_status name_track(const building *b, facet_status status, uint32_t index)
{
    static const char *const components[3] = {"scale", "rotation", "translation"};
    const facet_j3d_names *names = &b->model->joints.names;
    char name[200] = "";
    facet_quoted quoted;
    if (index / 9 < names->count)
        facet_j3d_name_text(names->items[index / 9].bytes, name, sizeof name);
    facet_quote(&quoted, name, strlen(name));
    return facet_j3d_sharing_name(status, b->error, "joint %" PRIu32 " \"%s\", %s %c", index / 9,
                                  quoted.text, components[index % 3], "XYZ"[index / 3 % 3]);
}

static facet_status fit_all(const building *b, bool (*kept)[3])
{
    facet_j3d_animation_set *set = &b->document->sets[0];
    facet_j3d_sharing sharing[3];
    facet_status status = FACET_OK;
    set->count = b->joints;
    set->tracks =
        facet_arena_allocate_zeroed(b->document->arena, (size_t)b->joints * 9, sizeof *set->tracks);
    if (!set->tracks)
        return no_memory(b);
    for (uint32_t c = 0; c < 3; c++)
        sharing[c] = facet_j3d_sharing_make(FACET_J3D_BCK, c, b->document->arena, b->scratch);
    sharing[1].unit = ldexp(180.0 / 32767, b->document->rotation_shift);
    for (uint32_t i = 0; i < b->joints * 9 && !status; i++) {
        status = kept && kept[i / 9][i % 3] ? keep_track(b, &sharing[i % 3], i, &set->tracks[i])
                                            : fit_track(b, &sharing[i % 3], i, &set->tracks[i]);
        status = name_track(b, status, i);
    }
    for (uint32_t c = 0; c < 3 && !status; c++)
        status = facet_j3d_sharing_end(&sharing[c], &set->elements[c], b->error);
    return status;
}

/* -- The document ------------------------------------------------------- */

/* It ends where it began. */
static bool is_round(const building *b)
{
    for (uint32_t j = 0; j < b->joints; j++) {
        const double *first = samples_of(b, j)[0], *last = samples_of(b, j)[b->frames];
        const double begin[3] = {first[1], first[4], first[7]},
                     end[3] = {last[1], last[4], last[7]};
        if (turned(begin, end) > b->angle)
            return false;
        for (int i = 0; i < 9; i++) {
            if (i % 3 != 1 && fabs(first[i] - last[i]) > b->distance)
                return false;
        }
    }
    return true;
}

static facet_status build(building *b, int loop)
{
    bool(*kept)[3] = NULL;
    facet_status status = sample(b);
    b->column = facet_arena_allocate(b->scratch, b->frames + (size_t)1, sizeof *b->column);
    b->elements = facet_arena_allocate(b->scratch, b->frames + (size_t)2, 4 * sizeof(double));
    if (!status && (!b->column || !b->elements))
        status = no_memory(b);
    if (!status && b->stored) {
        kept = facet_arena_allocate(b->scratch, b->joints, sizeof *kept);
        status = kept ? compare_stored(b, kept) : no_memory(b);
    }
    if (status)
        return status;
    if (kept && all_kept(b, kept)) {
        facet_j3d_animation_free(b->document);
        b->document = b->stored;
        b->stored = NULL;
        if (loop >= 0)
            b->document->loop = (uint8_t)loop;
        return FACET_OK;
    }
    if (b->kind == FACET_J3D_BCA) /* keys are fitted first: it has none to keep */
        kept = NULL;
    uint32_t shift = find_shift(b, kept);
    /* Kept angles are stored with their own shift, if that is enough for the others. */
    if (kept && shift > b->stored->rotation_shift) {
        for (uint32_t j = 0; j < b->joints; j++)
            kept[j][1] = false;
        shift = find_shift(b, kept);
    } else if (kept && b->stored->rotation_shift <= 15) {
        shift = b->stored->rotation_shift;
    }
    b->document->frames = (int16_t)b->frames;
    b->document->rotation_shift = (uint8_t)shift;
    b->document->loop =
        (uint8_t)(loop >= 0                                          ? loop
                  : facet_animation_loops(b->animation, is_round(b)) ? FACET_J3D_LOOP_REPEAT
                                                                     : FACET_J3D_LOOP_ONCE);
    status = fit_all(b, kept);
    if (!status && kept) /* the rest of the file: sounds, signature; but not its layout */
        status = facet_j3d_animation_adopt(b->document, b->stored, b->error);
    memset(&b->document->layout, 0, sizeof b->document->layout);
    return status;
}

static facet_status begin(building *b, const facet_j3d_options *given, int *loop)
{
    facet_j3d_stored stored;
    TRY(facet_j3d_animation_read_stored(b->animation, b->kind, b->options, &stored, b->error));
    b->stored = stored.file;
    if (b->stored && b->stored->sets[0].count < b->joints) {
        facet_j3d_animation_free(b->stored);
        b->stored = NULL;
    }
    /* A rate in the extras: then Facet wrote the keys. */
    bool is_asked = given && given->rate > 0, is_own = stored.rate > 0;
    b->rate = is_asked ? given->rate : is_own ? stored.rate : 30;
    b->distance = given && given->distance > 0 ? given->distance : 0.01;
    b->angle = given && given->angle > 0 ? given->angle : 0.05;
    *loop = given && given->loop > 0 ? (int)given->loop - 1 : stored.loop;
    if (!is_own)
        b->begin = facet_j3d_look_at_rate(b->animation, b->rate, is_asked,
                                          b->options ? b->options->report : NULL);
    double frames = nearbyint((facet_animation_duration(b->animation) - b->begin) * b->rate);
    /* A file whose joints stand still has no keys to tell its length. */
    if (b->stored && frames < 1)
        frames = b->stored->frames;
    if (frames > MAX_FRAMES)
        return facet_fail(b->error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                          "the animation has %.0f frames; the format holds %d", frames, MAX_FRAMES);
    b->frames = frames < 1 ? 1 : (uint32_t)frames;
    TRY(find_nodes(b));
    TRY(fold_carriers(b));
    return find_channels(b);
}

static facet_status from_model(building *b, const facet_j3d_options *given)
{
    int loop = -1;
    b->joints = b->model->joints.count;
    TRY(facet_arena_create(b->options, &b->scratch, b->error));
    TRY(facet_j3d_skeleton_create(b->model, b->scratch, &b->skeleton, b->error));
    TRY(find_clip(b, given->clip));
    TRY(begin(b, given, &loop));
    TRY(facet_j3d_animation_create(FACET_J3D_BCK, b->animation->name, b->options, &b->document,
                                   b->error));
    return build(b, loop);
}

static facet_status from_motion(const facet_scene *scene, facet_j3d_animation_kind kind,
                                const facet_options *options, facet_j3d_animation **document,
                                facet_error *error)
{
    building b = {.scene = scene, .kind = kind, .options = options, .error = error};
    const facet_j3d_options *given = options ? options->j3d : NULL;
    facet_options quiet = options ? *options : (facet_options){0};
    facet_j3d *model = NULL;
    TRY(FACET_CHECK_STRUCT(given, facet_j3d_options, error));
    if (scene->animation_count == 0)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "J3D-CLIP", FACET_NO_OFFSET,
                          "the scene has no animation");
    if (!given || !given->like)
        return facet_fail(
            error, FACET_ERROR_ARGUMENT, "J3D-LIKE", FACET_NO_OFFSET,
            "joints of an animation are those of a model, and none is named (--like)");
    quiet.report = NULL;
    TRY(facet_j3d_read(given->like, &quiet, &model, error));
    b.model = model;
    facet_status status = from_model(&b, given);
    facet_j3d_animation_free(b.stored);
    facet_arena_free(b.scratch);
    facet_j3d_free(model);
    if (status)
        facet_j3d_animation_free(b.document);
    else
        *document = b.document;
    return status;
}

facet_status facet_j3d_animation_from_scene(const facet_scene *scene, facet_j3d_animation_kind kind,
                                            const facet_options *options,
                                            facet_j3d_animation **document, facet_error *error)
{
    facet_j3d_animation *keys = NULL;
    if (!facet_j3d_animation_kind_name(kind))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-KIND", FACET_NO_OFFSET,
                          "there is no such kind of animation");
    if (kind != FACET_J3D_BCK && kind != FACET_J3D_BCA)
        return facet_j3d_animation_has_channels(kind)
                   ? facet_j3d_animation_from_channels(scene, kind, options, document, error)
                   : facet_j3d_animation_take_file(scene, kind, options, document, error);
    facet_status status = from_motion(scene, kind, options, &keys, error);
    if (status || keys->kind == kind) {
        *document = keys;
        return status;
    }
    status = facet_j3d_animation_convert(keys, kind, 0, options, document, error);
    facet_j3d_animation_free(keys);
    return status;
}
