/* formats/j3d/scene/from_channels/joints_keys.c - keys of sampled joints: those of the stored file
 * if the joint moves the same way, else fitted keys. */
#include "formats/j3d/scene/from_channels/joints.h"

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"
#include "formats/j3d/animation/fit.h"
#include "formats/j3d/animation/share.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Unchanged tracks --------------------------------------------------- */

/* The angle in degrees between two rotations. Both are given by angles in degrees. */
double facet_j3d_angle_between(const double *a, const double *b)
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

/* Find which of scale, rotation and translation of each joint equal the stored file's. */
facet_status facet_j3d_compare_joints(const facet_j3d_joint_weaving *b, bool (*kept)[3])
{
    facet_j3d_joint_pose *poses =
        facet_arena_allocate(b->scratch, b->stored->sets[0].count, sizeof *poses);
    if (!poses)
        return facet_j3d_joints_no_memory(b);
    memset(kept, 1, b->joints * sizeof *kept);
    for (uint32_t frame = 0; frame <= b->frames; frame++) {
        facet_j3d_moment moment = {.frame = frame};
        facet_j3d_animation_joints(b->stored, &moment, poses);
        for (uint32_t j = 0; j < b->joints; j++) {
            const double *n = facet_j3d_joint_samples(b, j)[frame];
            const double angles[3] = {n[1], n[4], n[7]};
            kept[j][1] &= facet_j3d_angle_between(angles, poses[j].angles) <= b->angle;
            for (int i = 0; i < 3; i++) {
                kept[j][0] &= fabs(n[3 * i] - (double)poses[j].scale[i]) <= b->distance / 10;
                kept[j][2] &= fabs(n[3 * i + 2] - (double)poses[j].translation[i]) <= b->distance;
            }
        }
    }
    return FACET_OK;
}

void facet_j3d_compare_samples(const facet_j3d_joint_weaving *b,
                               const facet_j3d_joint_weaving *reference, bool (*kept)[3])
{
    for (uint32_t j = 0; j < b->joints; j++) {
        bool same[3] = {true, true, true};
        for (uint32_t frame = 0; frame <= b->frames; frame++) {
            const double *n = facet_j3d_joint_samples(b, j)[frame],
                         *m = facet_j3d_joint_samples(reference, j)[frame];
            const double angles[3] = {n[1], n[4], n[7]}, others[3] = {m[1], m[4], m[7]};
            same[1] &= facet_j3d_angle_between(angles, others) <= b->angle;
            for (int i = 0; i < 3; i++) {
                same[0] &= fabs(n[3 * i] - m[3 * i]) <= b->distance / 10;
                same[2] &= fabs(n[3 * i + 2] - m[3 * i + 2]) <= b->distance;
            }
        }
        for (int i = 0; i < 3; i++)
            kept[j][i] |= same[i];
    }
}

/* -- Keys --------------------------------------------------------------- */

/* Convert an angle to the exporters' units before the shift. */
static double units(double degrees)
{
    return degrees * 32767 / 180;
}

uint32_t facet_j3d_find_rotation_shift(const facet_j3d_joint_weaving *b, bool (*kept)[3])
{
    double most = 0;
    for (uint32_t j = 0; j < b->joints; j++) {
        for (uint32_t frame = 0; frame <= b->frames && !(kept && kept[j][1]); frame++) {
            for (int i = 0; i < 3; i++)
                most = fmax(most, fabs(units(facet_j3d_joint_samples(b, j)[frame][3 * i + 1])));
        }
    }
    /* The same as the exporters' up to 540 degrees. Beyond, theirs drops more bits than
     * necessary. */
    uint32_t shift = 0;
    while (shift < 15 && most >= ldexp(32768, (int)shift))
        shift++;
    return shift;
}

/* Copy the elements of a stored track unchanged. */
static facet_status keep_track(const facet_j3d_joint_weaving *b, facet_j3d_sharing *sharing,
                               uint32_t index, facet_j3d_track *track)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(FACET_J3D_BCK);
    const facet_j3d_track *from = &b->stored->sets[0].tracks[index];
    const facet_j3d_elements *elements = &b->stored->sets[0].elements[index % 3];
    uint32_t size = facet_j3d_track_size(format, from);
    double *copy = facet_arena_allocate(b->scratch, size, sizeof *copy);
    if (!copy)
        return facet_j3d_joints_no_memory(b);
    for (uint32_t i = 0; i < size; i++)
        copy[i] = elements->reals ? (double)elements->reals[from->first + i]
                                  : elements->integers[from->first + i];
    facet_status status =
        facet_j3d_sharing_put(sharing, copy, from->count, from->type, track, b->error);
    facet_arena_release(b->scratch, copy, size, sizeof *copy);
    return status;
}

static facet_status fit_track(const facet_j3d_joint_weaving *b, facet_j3d_sharing *sharing,
                              uint32_t index, facet_j3d_track *track)
{
    uint32_t component = index % 3;
    double tolerance = component == 0 ? b->distance / 10 : b->distance;
    const facet_j3d_joint_numbers *samples =
        (const facet_j3d_joint_numbers *)facet_j3d_joint_samples(b, index / 9);
    for (uint32_t i = 0; i <= b->frames; i++) {
        double value = samples[i][index % 9];
        b->column[i] = component == 1 ? ldexp(units(value), -b->document->rotation_shift) : value;
    }
    if (component == 1) /* three angles share the error, and consoles truncate one step */
        tolerance = ldexp(units(b->angle) / sqrt(3), -b->document->rotation_shift);
    uint16_t type;
    uint32_t keys =
        facet_j3d_fit_keys(b->column, b->frames + 1, tolerance, component == 1, b->elements, &type);
    return facet_j3d_sharing_put(sharing, b->elements, keys, type, track, b->error);
}

/* Add the joint to the message about a number that does not fit. */
static facet_status name_track(const facet_j3d_joint_weaving *b, facet_status status,
                               uint32_t index)
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

facet_status facet_j3d_fit_joints(const facet_j3d_joint_weaving *b, bool (*kept)[3])
{
    facet_j3d_animation_set *set = &b->document->sets[0];
    facet_j3d_sharing sharing[3];
    facet_status status = FACET_OK;
    set->count = b->joints;
    set->tracks =
        facet_arena_allocate_zeroed(b->document->arena, (size_t)b->joints * 9, sizeof *set->tracks);
    if (!set->tracks)
        return facet_j3d_joints_no_memory(b);
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
