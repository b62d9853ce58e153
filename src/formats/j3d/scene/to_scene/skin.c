/* formats/j3d/scene/to_scene/skin.c - envelopes and rigid vertices to one skin.
 *
 * Vertices of envelopes are stored in bind space, those of a single joint in joint space. A skin
 * needs one space, so rigid vertices move to the bind pose of their joint. The skin's own formula,
 * joint matrix times inverse bind matrix, then moves them to the current position of the joint. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/scene/to_scene/to_scene.h"

#include <inttypes.h>
#include <math.h>

/* -- Influences --------------------------------------------------------- */

static void add_influence(facet_j3d_influences *to, double sums[], uint16_t joint, double weight,
                          bool *cut)
{
    uint32_t at = 0, least = 0;
    while (at < to->count && to->joints[at] != joint)
        at++;
    if (at == FACET_J3D_MAX_INFLUENCES) { /* replace the smallest weight if this one is larger */
        *cut = true;
        for (uint32_t i = 1; i < to->count; i++)
            least = sums[i] < sums[least] ? i : least;
        if (!(weight > sums[least]))
            return;
        sums[at = least] = 0;
    } else if (at == to->count) {
        sums[to->count++] = 0;
    }
    to->joints[at] = joint;
    sums[at] += weight;
}

/* Collect the joints of an envelope in their order, without duplicates. */
static void blend(const facet_j3d_envelopes *envelopes, uint32_t index, facet_j3d_influences *to,
                  facet_tally *cuts, facet_tally *wrong)
{
    const facet_j3d_envelope *envelope = &envelopes->items[index];
    double sums[FACET_J3D_MAX_INFLUENCES], total = 0;
    bool cut = false;
    to->count = 0;
    for (uint32_t i = 0; i < envelope->count; i++) {
        const facet_j3d_influence *influence = &envelopes->influences[envelope->first + i];
        double weight = (double)influence->weight;
        if (weight > 0 && isfinite(weight))
            add_influence(to, sums, influence->joint, weight, &cut);
    }
    for (uint32_t i = 0; i < to->count; i++)
        total += sums[i];
    if (cut)
        facet_tally_hit(cuts, index);
    if (!(fabs(total - 1) <= 0.01))
        facet_tally_hit(wrong, index);
    for (uint32_t i = 0; i < to->count; i++) /* a sum of 1 leaves weights unchanged */
        to->weights[i] = (float)(fabs(total - 1) <= 1e-6 ? sums[i] : sums[i] / total);
    if (to->count == 0) {
        to->count = 1;
        to->joints[0] = envelope->count > 0 ? envelopes->influences[envelope->first].joint : 0;
        to->weights[0] = 1;
    }
}

static void fill_influences(facet_j3d_reading *r)
{
    const facet_j3d *document = r->document;
    facet_tally cuts = {0, 0}, wrong = {0, 0};
    for (uint32_t i = 0; i < document->draw_matrices.count; i++) {
        const facet_j3d_draw_matrix *draw = &document->draw_matrices.items[i];
        facet_j3d_influences *to = &r->influences[i];
        facet_tally none_cut = {0, 0}, none_wrong = {0, 0};
        bool first = i < document->draw_matrices.effective_count; /* count each envelope once */
        if (draw->is_envelope) {
            blend(&document->envelopes, draw->index, to, first ? &cuts : &none_cut,
                  first ? &wrong : &none_wrong);
        } else {
            to->count = 1;
            to->joints[0] = draw->index;
            to->weights[0] = 1;
        }
    }
    facet_report_add_tally(r->report, "LOSS-SKIN", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &cuts,
                           "envelope %" PRIu64
                           " blends more than %d joints: the strongest are kept",
                           cuts.first, FACET_J3D_MAX_INFLUENCES);
    facet_report_add_tally(
        r->report, "J3D-EVP1-WEIGHTS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &wrong,
        "the weights of envelope %" PRIu64 " do not sum up to 1, and are scaled to do so",
        wrong.first);
}

/* -- Bind pose ---------------------------------------------------------- */

/* Mark the joints that envelopes blend. */
static void mark_blended(const facet_j3d *document, bool *blended)
{
    memset(blended, 0, document->joints.count * sizeof *blended);
    for (uint32_t i = 0; i < document->envelopes.influence_count; i++)
        blended[document->envelopes.influences[i].joint] = true;
}

facet_status facet_j3d_prepare_skin(facet_j3d_reading *r, facet_error *error)
{
    facet_arena *arena = r->document->arena;
    uint32_t joints = r->document->joints.count, draws = r->document->draw_matrices.count;
    r->influences = facet_arena_allocate(arena, draws, sizeof *r->influences);
    r->bind = facet_arena_allocate(arena, joints, sizeof *r->bind);
    r->inverse_bind = facet_arena_allocate(arena, joints, sizeof *r->inverse_bind);
    bool *blended = facet_arena_allocate(arena, joints, sizeof *blended);
    if (!r->influences || !r->bind || !r->inverse_bind || !blended)
        return facet_fail_arena(arena, error);
    facet_tally flat = {0, 0};
    fill_influences(r);
    mark_blended(r->document, blended);
    for (uint32_t i = 0; i < joints; i++) {
        /* A joint with only rigid vertices can use any matrix. */
        if (!facet_j3d_skeleton_bind(r->document, &r->skeleton, i, r->bind[i],
                                     r->inverse_bind[i]) &&
            blended[i])
            facet_tally_hit(&flat, i);
    }
    facet_report_add_tally(r->report, "J3D-EVP1-INVERSE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &flat,
                           "the inverse bind matrix of joint %" PRIu64
                           " cannot be inverted: the joint is bound at its rest transform",
                           flat.first);
    facet_arena_release(arena, blended, joints, sizeof *blended);
    return FACET_OK;
}

facet_status facet_j3d_add_skin(facet_j3d_reading *r, facet_error *error)
{
    facet_skin *skin;
    TRY(facet_scene_add_skin(r->scene, "", r->document->joints.count, &skin, error));
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        const double *m = r->inverse_bind[j];
        skin->joints[j] = j;
        for (int column = 0; column < 4; column++) {
            for (int row = 0; row < 3; row++)
                skin->inverse_bind[j * 16 + column * 4 + row] = (float)m[row * 4 + column];
        }
    }
    return FACET_OK;
}

/* -- Vertices ----------------------------------------------------------- */

/* A bind matrix, and the matrix for normals. */
typedef struct mover {
    const double *matrix;
    double normal[9];
} mover;

static void make_mover(const facet_j3d_reading *r, uint16_t draw, mover *m)
{
    const facet_j3d_draw_matrix *d = &r->document->draw_matrices.items[draw];
    m->matrix = d->is_envelope ? NULL : r->bind[d->index];
    if (!m->matrix)
        return;
    facet_j3d_matrix_cofactors(m->matrix, m->normal);
    const double *c = m->normal, *b = m->matrix;
    double determinant = b[0] * c[0] + b[1] * c[1] + b[2] * c[2];
    for (int i = 0; i < 9 && determinant < 0; i++)
        m->normal[i] = -m->normal[i];
}

static void turn_normal(const double m[9], float *n)
{
    double x = (double)n[0], y = (double)n[1], z = (double)n[2], v[3];
    for (int i = 0; i < 3; i++)
        v[i] = m[i * 3] * x + m[i * 3 + 1] * y + m[i * 3 + 2] * z;
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && length > 0; i++)
        n[i] = (float)(v[i] / length);
}

void facet_j3d_move_to_bind(const facet_j3d_reading *r, const facet_j3d_geometry *geometry,
                            float *positions, float *normals)
{
    mover m = {NULL, {0}};
    uint32_t known = UINT32_MAX; /* draw matrix of the mover */
    for (uint32_t i = 0; i < geometry->vertex_count; i++) {
        uint16_t draw = facet_j3d_geometry_draw_matrix(geometry, i);
        if (draw != known)
            make_mover(r, draw, &m);
        known = draw;
        if (!m.matrix)
            continue;
        float *p = positions + (size_t)i * 3;
        facet_j3d_matrix_point(m.matrix, p, p);
        if (normals)
            turn_normal(m.normal, normals + (size_t)i * 3);
    }
}
