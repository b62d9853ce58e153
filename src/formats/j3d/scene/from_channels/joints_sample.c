/* formats/j3d/scene/from_channels/joints_sample.c - samples of joints at every frame of an
 * animation.
 *
 * The transform of a joint becomes three angles, scale and translation, as the model's scaling mode
 * requires. */
#include "formats/j3d/scene/from_channels/joints.h"

#include "base/error.h"
#include "base/report.h"
#include "base/vec.h"
#include "scene/axes.h"
#include "scene/matrix.h"
#include "scene/scene.h"
#include "scene/transform.h"

#include <facet/pose.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SHEAR 1e-3 /* cosine between two axes */

/* Convert rows of R = Rz * Ry * Rx to angles in degrees. */
static void angles_of_axes(const double m[9], double angles[3])
{
    double level = hypot(m[0], m[3]); /* the cosine, which is precise where the sine is not */
    angles[1] = atan2(-m[6], level) * 180 / FACET_PI;
    if (level < 1e-9) { /* x and z rotate around the same axis, so use only x */
        angles[0] = atan2(-m[5], m[4]) * 180 / FACET_PI;
        angles[2] = 0;
    } else {
        angles[0] = atan2(m[7], m[8]) * 180 / FACET_PI;
        angles[2] = atan2(m[3], m[0]) * 180 / FACET_PI;
    }
}

/* Convert a quaternion to a row-major rotation, normalized in doubles. Rounding errors of floats
 * would have a large effect where the axes of two angles almost coincide. */
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

/* Choose the solution nearest to the previous angles: add full turns to each, or use the other
 * solution for all three. */
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

/* Set the rest state, which is the model's joint, not its node. */
static void rest(const facet_j3d_joint *joint, facet_j3d_joint_numbers n)
{
    for (int i = 0; i < 3; i++) {
        n[3 * i] = (double)joint->scale[i];
        n[3 * i + 1] = facet_j3d_angle(joint->rotation[i]) * 180 / FACET_PI;
        n[3 * i + 2] = (double)joint->translation[i];
    }
}

/* Compute the numbers of a joint from its transform relative to its parent. `above` is the factor
 * of each row in the model's scaling mode. With `divide`, the scale includes these factors. */
static void solve(const facet_transform *place, const double above[3], bool divide,
                  const double before[3], facet_j3d_joint_numbers n)
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

/* Convert a transform from the scene's frame to J3D's. Each axis of J3D gets the value of its
 * source axis. */
static void turn_place(const facet_axes *frame, double unit, facet_transform *transform)
{
    float *scale = transform->scale;
    facet_axes_turn(frame, transform->translation);
    facet_axes_turn(frame, transform->rotation);
    facet_axes_turn(frame, scale);
    for (int i = 0; i < 3; i++) {
        transform->translation[i] = (float)facet_units_length(unit, transform->translation[i]);
        if (frame->left_handed) /* mirroring an axis also reverses rotations around it */
            transform->rotation[i] = -transform->rotation[i];
    }
    if (frame->up == FACET_AXIS_Z)
        scale[2] = -scale[2];
    else if (frame->up == FACET_AXIS_X)
        scale[0] = -scale[0];
    if (frame->left_handed)
        scale[2] = -scale[2];
}

/* Get the node's transform relative to its parent at a time. */
static void local_at(const facet_j3d_joint_weaving *b, uint32_t node, double seconds,
                     facet_transform *local)
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

/* The node above if it has a transform and is not a joint of the model, else FACET_NONE. Transforms
 * of such nodes, up to the next joint, are part of the joint below. */
static uint32_t node_between(const facet_j3d_joint_weaving *b, uint32_t node)
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

/* Get the transform of a joint's node relative to the joint above, in J3D's frame. Returns the
 * shear, which the transform leaves out. */
static double place_at(const facet_j3d_joint_weaving *b, uint32_t joint, double seconds,
                       facet_transform *place)
{
    uint32_t node = b->nodes[joint];
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
    return facet_j3d_turn_joint(b, joint, place);
}

/* Find which of translation, rotation and scale of a joint the animation changes. */
static void find_moved(const facet_j3d_joint_weaving *b, uint32_t joint, bool moved[3])
{
    memset(moved, 0, 3 * sizeof *moved);
    if (b->nodes[joint] == FACET_NONE)
        return;
    for (int i = 0; i < 3; i++)
        moved[i] = b->channels[b->nodes[joint]][i] != NULL;
    /* A rotation or scale of a node between joints can change everything of the joint below. */
    for (uint32_t above = node_between(b, b->nodes[joint]); above != FACET_NONE;
         above = node_between(b, above)) {
        const facet_channel *const *channels = b->channels[above];
        bool turns = channels[FACET_TARGET_ROTATION] || channels[FACET_TARGET_SCALE];
        moved[FACET_TARGET_TRANSLATION] |= turns || channels[FACET_TARGET_TRANSLATION];
        moved[FACET_TARGET_ROTATION] |= turns;
        moved[FACET_TARGET_SCALE] |= turns;
    }
}

/* Get the factors of the rows of a joint's matrix, from the scales above it. */
static void find_above(const facet_j3d_joint_weaving *b, uint32_t joint, uint32_t frame,
                       double (*whole)[3], double above[3])
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
            above[i] = facet_j3d_joint_samples(b, of->parent)[frame][3 * i];
    }
}

/* Sample a joint at a frame. Returns the shear that the numbers leave out. */
static double sample_joint(const facet_j3d_joint_weaving *b, uint32_t joint, uint32_t frame,
                           double (*whole)[3])
{
    const facet_j3d_joint *of = &b->model->joints.items[joint];
    bool softimage = (b->model->hierarchy.flags & 15) == FACET_J3D_SCALING_SOFTIMAGE;
    double *n = facet_j3d_joint_samples(b, joint)[frame], above[3], before[3], at_rest[9];
    double shear = 0;
    bool moved[3];
    find_moved(b, joint, moved);
    rest(of, at_rest);
    memcpy(n, at_rest, sizeof at_rest);
    if (moved[0] || moved[1] || moved[2]) {
        facet_transform transform;
        for (int i = 0; i < 3; i++)
            before[i] = frame > 0 ? facet_j3d_joint_samples(b, joint)[frame - 1][3 * i + 1]
                                  : at_rest[3 * i + 1];
        find_above(b, joint, frame, whole, above);
        shear = place_at(b, joint, b->begin + frame / b->rate, &transform);
        solve(&transform, above, softimage, before, n);
    }
    bool plain = of->parent == FACET_J3D_NONE || !softimage;
    for (int i = 0; i < 3; i++) {
        /* Without animation, the values are exactly the model's. */
        if (!moved[FACET_TARGET_TRANSLATION])
            n[3 * i + 2] = at_rest[3 * i + 2];
        if (!moved[FACET_TARGET_ROTATION] && !moved[FACET_TARGET_SCALE])
            memcpy(&n[3 * i], &at_rest[3 * i], 2 * sizeof *n);
        whole[joint][i] = n[3 * i] * (plain ? 1 : whole[of->parent][i]);
    }
    return shear;
}

/* Move angles that wind beyond a turn to be centered around zero, where the shift drops the fewest
 * bits. */
static void center_angles(const facet_j3d_joint_weaving *b, uint32_t joint)
{
    facet_j3d_joint_numbers *samples = facet_j3d_joint_samples(b, joint);
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

facet_status facet_j3d_sample_joints(facet_j3d_joint_weaving *b)
{
    facet_tally sheared = {0, 0};
    double(*whole)[3] = facet_arena_allocate(b->scratch, b->joints, sizeof *whole);
    bool *is_sheared = facet_arena_allocate_zeroed(b->scratch, b->joints, sizeof *is_sheared);
    b->samples =
        facet_arena_allocate(b->scratch, (size_t)b->joints * (b->frames + 1), sizeof *b->samples);
    if (!whole || !is_sheared || !b->samples)
        return facet_j3d_joints_no_memory(b);
    TRY(facet_j3d_find_joint_axes(b));
    for (uint32_t frame = 0; frame <= b->frames; frame++) {
        for (uint32_t i = 0; i < b->joints; i++)
            is_sheared[b->skeleton.order[i]] |=
                sample_joint(b, b->skeleton.order[i], frame, whole) > SHEAR;
    }
    for (uint32_t i = 0; i < b->joints; i++) {
        center_angles(b, i);
        if (is_sheared[i])
            facet_tally_hit(&sheared, i);
    }
    facet_report_add_tally(b->options ? b->options->report : NULL, "LOSS-ANIMATIONS",
                           FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &sheared,
                           "joint %" PRIu64 " is scaled along other axes than the model's, which "
                           "a BCK cannot express: its shear is lost",
                           sheared.first);
    return FACET_OK;
}
