/* formats/j3d/gpu/skeleton.c - rest pose of joints for the three kinds of scaling, and the
 * envelopes. */
#include "formats/j3d/gpu/skeleton.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

/* -- One joint ---------------------------------------------------------- */

double facet_j3d_angle(int16_t stored)
{
    return stored * (FACET_PI / 32767);
}

/* out = T * Rz * Ry * Rx. */
static void rotate_and_translate(const facet_j3d_joint *joint, double out[12])
{
    double angles[3], s[3], c[3];
    for (int i = 0; i < 3; i++) {
        angles[i] = facet_j3d_angle(joint->rotation[i]);
        s[i] = sin(angles[i]);
        c[i] = cos(angles[i]);
    }
    const double m[12] = {
        c[1] * c[2],
        s[0] * s[1] * c[2] - c[0] * s[2],
        c[0] * s[1] * c[2] + s[0] * s[2],
        (double)joint->translation[0],
        c[1] * s[2],
        s[0] * s[1] * s[2] + c[0] * c[2],
        c[0] * s[1] * s[2] - s[0] * c[2],
        (double)joint->translation[1],
        -s[1],
        s[0] * c[1],
        c[0] * c[1],
        (double)joint->translation[2],
    };
    memcpy(out, m, sizeof m);
}

/* m = m * S(scale) */
static void scale_columns(double m[12], const double scale[3])
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            m[row * 4 + column] *= scale[column];
    }
}

static bool is_one(const double v[3])
{
    return v[0] == 1 && v[1] == 1 && v[2] == 1;
}

void facet_j3d_joint_local(const facet_j3d_joint *joint, double out[12])
{
    const double scale[3] = {(double)joint->scale[0], (double)joint->scale[1],
                             (double)joint->scale[2]};
    rotate_and_translate(joint, out);
    scale_columns(out, scale);
}

/* -- Three kinds of scaling --------------------------------------------- */

/* State of a joint that its children need. */
typedef struct inheritance {
    facet_j3d_matrix unscaled; /* Softimage: the global matrix without any scale */
    double accumulated[3];     /* product of the scales of the joint and its ancestors */
    double own[3];             /* scale of the joint */
} inheritance;

static const inheritance from_model = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {1, 1, 1}, {1, 1, 1}};

static void place_basic(const facet_j3d_joint *joint, const double *above, inheritance *here,
                        facet_j3d_skeleton *skeleton, uint32_t index)
{
    facet_j3d_matrix local;
    bool skipped = is_one(here->accumulated) && !is_one(here->own);
    rotate_and_translate(joint, local);
    /* The runtime tests the accumulated scale, but applies the joint's own scale. */
    if (!skipped)
        scale_columns(local, here->own);
    facet_j3d_matrix_multiply(above, local, skeleton->globals[index]);
    skeleton->is_plain[index] = !skipped;
}

static void place_softimage(const facet_j3d_joint *joint, const inheritance *parent,
                            inheritance *here, facet_j3d_skeleton *skeleton, uint32_t index)
{
    facet_j3d_matrix local;
    rotate_and_translate(joint, local);
    for (int row = 0; row < 3; row++)
        local[row * 4 + 3] *= parent->accumulated[row];
    facet_j3d_matrix_multiply(parent->unscaled, local, here->unscaled);
    memcpy(skeleton->globals[index], here->unscaled, sizeof here->unscaled);
    scale_columns(skeleton->globals[index], here->accumulated);
    /* A parent's scale is applied before this joint's rotation, but in a plain product after it.
     * Uniform scale has the same result in both. */
    bool uniform = parent->accumulated[0] == parent->accumulated[1] &&
                   parent->accumulated[1] == parent->accumulated[2];
    skeleton->is_plain[index] = uniform;
}

static void place_maya(const facet_j3d_joint *joint, const double *above, const inheritance *parent,
                       facet_j3d_skeleton *skeleton, uint32_t index)
{
    facet_j3d_matrix local;
    bool compensates = joint->scale_compensate == 1 && !is_one(parent->own);
    facet_j3d_joint_local(joint, local);
    for (int row = 0; row < 3 && compensates; row++) {
        for (int column = 0; column < 3; column++)
            local[row * 4 + column] /= parent->own[row];
    }
    facet_j3d_matrix_multiply(above, local, skeleton->globals[index]);
    skeleton->is_plain[index] = !compensates;
}

static void place_joint(const facet_j3d *document, const inheritance *all, inheritance *here,
                        uint32_t index, facet_j3d_skeleton *skeleton)
{
    const facet_j3d_joint *joint = &document->joints.items[index];
    uint32_t up = joint->parent < document->joints.count ? joint->parent : FACET_J3D_NONE;
    const inheritance *parent = up != FACET_J3D_NONE ? &all[up] : &from_model;
    const double *above = up != FACET_J3D_NONE ? skeleton->globals[up] : from_model.unscaled;
    *here = *parent;
    for (int i = 0; i < 3; i++) {
        here->own[i] = (double)joint->scale[i];
        /* In floats, like the runtime, because a test compares the product with 1. */
        here->accumulated[i] = (double)((float)parent->accumulated[i] * joint->scale[i]);
    }
    switch (document->hierarchy.flags & 15) {
    case FACET_J3D_SCALING_SOFTIMAGE:
        place_softimage(joint, parent, here, skeleton, index);
        break;
    case FACET_J3D_SCALING_MAYA:
        place_maya(joint, above, parent, skeleton, index);
        break;
    default:
        place_basic(joint, above, here, skeleton, index);
    }
}

/* -- All joints --------------------------------------------------------- */

enum { UNSEEN, ON_PATH, PLACED };

/* Order the joints, parents first. Go up from each joint to the first one in the order, then append
 * the joints passed, in reverse. `path` and `state` are scratch. False if parents form a cycle. */
static bool order_joints(const facet_j3d_joints *joints, uint16_t *path, uint8_t *state,
                         uint16_t *order)
{
    uint32_t placed = 0;
    memset(state, UNSEEN, joints->count);
    for (uint32_t i = 0; i < joints->count; i++) {
        uint32_t length = 0, at = i;
        while (at < joints->count && state[at] == UNSEEN) {
            state[at] = ON_PATH;
            path[length++] = (uint16_t)at;
            at = joints->items[at].parent;
        }
        if (at < joints->count && state[at] == ON_PATH)
            return false;
        while (length > 0) {
            at = path[--length];
            state[at] = PLACED;
            order[placed++] = (uint16_t)at;
        }
    }
    return true;
}

static facet_status place_joints(const facet_j3d *document, facet_arena *arena,
                                 facet_j3d_skeleton *skeleton, facet_error *error)
{
    uint32_t count = document->joints.count;
    inheritance *all = facet_arena_allocate(arena, count, sizeof *all);
    uint16_t *path = facet_arena_allocate(arena, count, sizeof *path);
    uint8_t *state = facet_arena_allocate(arena, count, sizeof *state);
    facet_status status = FACET_OK;
    if (!all || !path || !state)
        status = facet_fail_arena(arena, error);
    else if (!order_joints(&document->joints, path, state, skeleton->order))
        status = facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-JNT1-PARENT", FACET_NO_OFFSET,
                            "the parents of joints form a cycle");
    for (uint32_t i = 0; !status && i < count; i++)
        place_joint(document, all, &all[skeleton->order[i]], skeleton->order[i], skeleton);
    facet_arena_release(arena, state, count, sizeof *state);
    facet_arena_release(arena, path, count, sizeof *path);
    facet_arena_release(arena, all, count, sizeof *all);
    return status;
}

/* -- Envelopes ---------------------------------------------------------- */

static void place_envelope(const facet_j3d *document, const facet_j3d_skeleton *skeleton,
                           uint32_t index, double out[12])
{
    const facet_j3d_envelopes *envelopes = &document->envelopes;
    const facet_j3d_envelope *envelope = &envelopes->items[index];
    memset(out, 0, sizeof(facet_j3d_matrix));
    for (uint32_t i = 0; i < envelope->count; i++) {
        const facet_j3d_influence *influence = &envelopes->influences[envelope->first + i];
        facet_j3d_matrix bind, moved = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        if (influence->joint < envelopes->inverse_bind_count) {
            for (int k = 0; k < 12; k++)
                bind[k] = (double)envelopes->inverse_bind[influence->joint][k];
            facet_j3d_matrix_multiply(skeleton->globals[influence->joint], bind, moved);
        }
        for (int k = 0; k < 12; k++)
            out[k] += (double)influence->weight * moved[k];
    }
}

facet_status facet_j3d_skeleton_create(const facet_j3d *document, facet_arena *arena,
                                       facet_j3d_skeleton *skeleton, facet_error *error)
{
    facet_j3d_skeleton made = {0};
    memset(&made, 0, sizeof made);
    made.joint_count = document->joints.count;
    made.envelope_count = document->envelopes.count;
    made.order = facet_arena_allocate(arena, made.joint_count, sizeof *made.order);
    made.globals = facet_arena_allocate(arena, made.joint_count, sizeof *made.globals);
    made.is_plain = facet_arena_allocate(arena, made.joint_count, sizeof *made.is_plain);
    made.envelopes = facet_arena_allocate(arena, made.envelope_count, sizeof *made.envelopes);
    if (!made.order || !made.globals || !made.is_plain || !made.envelopes)
        return facet_fail_arena(arena, error);
    TRY(place_joints(document, arena, &made, error));
    for (uint32_t i = 0; i < made.envelope_count; i++)
        place_envelope(document, &made, i, made.envelopes[i]);
    *skeleton = made;
    return FACET_OK;
}

bool facet_j3d_skeleton_bind(const facet_j3d *document, const facet_j3d_skeleton *skeleton,
                             uint32_t joint, double bind[12], double inverse[12])
{
    const facet_j3d_envelopes *envelopes = &document->envelopes;
    bool has_own = joint < envelopes->inverse_bind_count;
    for (int k = 0; k < 12 && has_own; k++)
        inverse[k] = (double)envelopes->inverse_bind[joint][k];
    if (has_own && facet_j3d_matrix_invert(inverse, bind))
        return true;
    memcpy(bind, skeleton->globals[joint], sizeof(facet_j3d_matrix));
    if (!facet_j3d_matrix_invert(bind, inverse)) {
        facet_j3d_matrix_identity(bind);
        facet_j3d_matrix_identity(inverse);
    }
    return !has_own;
}

const double *facet_j3d_skeleton_draw_matrix(const facet_j3d *document,
                                             const facet_j3d_skeleton *skeleton, uint32_t index)
{
    const facet_j3d_draw_matrix *draw = &document->draw_matrices.items[index];
    return draw->is_envelope ? skeleton->envelopes[draw->index] : skeleton->globals[draw->index];
}
