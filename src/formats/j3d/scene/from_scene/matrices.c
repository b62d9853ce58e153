/* formats/j3d/scene/from_scene/matrices.c - the draw matrix of each vertex: a joint's or an
 * envelope's. Vertices move to the space of that matrix: joint space, or the bind pose. */
#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/scene/from_scene/builder.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"
#include "formats/j3d/scene/from_scene/original.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Maximum number of joints of one vertex: eight sets of four. */
#define MAX_INFLUENCES 32

/* Distinct lists of influences, sorted by joint for comparison. During this step, a joint's matrix
 * has the number of the joint, and envelope e the number joints.count + e. */
typedef struct envelopes {
    facet_j3d_builder *builder;
    facet_j3d_envelope *items;
    uint32_t count, space;
    facet_j3d_influence *influences, *sorted;
    uint32_t influence_count, influence_capacity;
    facet_table table;
    facet_tally unequal; /* vertices whose weights have another sum than 1 */
    facet_tally unbound; /* vertices without weights */
    facet_tally limited; /* vertices with more weights than the options allow */
    double dropped;      /* the largest sum of dropped weights of a vertex */
} envelopes;

/* -- Distinct envelopes ------------------------------------------------- */

static uint32_t hash_of(const facet_j3d_influence *list, uint32_t count)
{
    uint64_t hash = facet_hash_word(0, count);
    for (uint32_t i = 0; i < count; i++)
        hash = facet_hash_word(hash,
                               (uint64_t)list[i].joint << 32 | facet_bits_of_float(list[i].weight));
    return facet_hash_end(hash);
}

static int compare_envelopes(const void *user, uint32_t a, uint32_t b)
{
    const envelopes *e = user;
    const facet_j3d_envelope *one = &e->items[a], *other = &e->items[b];
    int order = one->count - other->count;
    for (uint32_t i = 0; i < one->count && order == 0; i++) {
        facet_j3d_influence x = e->sorted[one->first + i], y = e->sorted[other->first + i];
        order = x.joint != y.joint     ? (x.joint < y.joint ? -1 : 1)
                : x.weight != y.weight ? (x.weight < y.weight ? -1 : 1)
                                       : 0;
    }
    return order;
}

static facet_status grow(envelopes *e, uint32_t more)
{
    facet_arena *arena = e->builder->scratch;
    if (!FACET_GROW(arena, e->items, e->count, e->space))
        return facet_fail_arena(arena, e->builder->error);
    if (e->influence_capacity - e->influence_count < more) {
        uint32_t old = e->influence_capacity, space = old * 2 + MAX_INFLUENCES;
        facet_j3d_influence *one =
            facet_arena_resize(arena, e->influences, old, space, sizeof *one);
        if (one)
            e->influences = one;
        facet_j3d_influence *two = facet_arena_resize(arena, e->sorted, old, space, sizeof *two);
        if (two)
            e->sorted = two;
        if (!one || !two)
            return facet_fail_arena(arena, e->builder->error);
        e->influence_capacity = space;
    }
    return FACET_OK;
}

static facet_status find_envelope(envelopes *e, const facet_j3d_influence *list, uint32_t count,
                                  uint32_t *found)
{
    TRY(grow(e, count));
    facet_j3d_influence *sorted = e->sorted + e->influence_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at > 0 && sorted[at - 1].joint > list[i].joint; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = list[i];
    }
    e->items[e->count].first = e->influence_count;
    e->items[e->count].count = (uint8_t)count;
    *found = facet_table_put(&e->table, hash_of(sorted, count), e->count, compare_envelopes, e);
    if (*found == FACET_NONE)
        return facet_fail_arena(e->builder->scratch, e->builder->error);
    if (*found == e->count) {
        memcpy(e->influences + e->influence_count, list, count * sizeof *list);
        e->influence_count += count;
        e->count++;
    }
    return FACET_OK;
}

/* -- Influences of a vertex --------------------------------------------- */

/* The streams of a skinned mesh, and its skin. */
typedef struct skinning {
    const facet_skin *skin;
    const facet_stream *joints[MAX_INFLUENCES / 4], *weights[MAX_INFLUENCES / 4];
    uint32_t set_count;
} skinning;

static void find_skinning(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                          skinning *s)
{
    memset(s, 0, sizeof *s);
    s->skin = b->scene->skins[instance->skin];
    for (uint32_t set = 0; set < MAX_INFLUENCES / 4; set++) {
        const facet_stream *joints = facet_mesh_find(instance->mesh, FACET_JOINTS, set);
        const facet_stream *weights = facet_mesh_find(instance->mesh, FACET_WEIGHTS, set);
        if (!joints || !weights)
            break;
        s->joints[set] = joints;
        s->weights[set] = weights;
        s->set_count = set + 1;
    }
}

static uint32_t joint_of(const facet_j3d_builder *b, const skinning *s, uint32_t number)
{
    uint32_t node = s->skin->joint_count ? s->skin->joints[number] : FACET_NONE;
    return node == FACET_NONE ? 0 : b->joint_of_node[node];
}

/* The uppermost joint of a skin: the one with the lowest number, as an index into the skin. */
static uint16_t uppermost_of(const facet_j3d_builder *b, const skinning *s)
{
    uint32_t top = 0;
    for (uint32_t i = 1; i < s->skin->joint_count; i++) {
        if (joint_of(b, s, i) < joint_of(b, s, top))
            top = i;
    }
    return (uint16_t)top;
}

/* Drop the smallest weights beyond the limit of the options, the last of equal ones. Return the
 * remaining number. */
static uint32_t limit_weights(envelopes *e, uint32_t v, facet_j3d_influence *list, uint32_t count,
                              double *sum)
{
    const facet_options *options = e->builder->options;
    uint32_t most = options && options->j3d ? options->j3d->weights : 0;
    double dropped = 0;
    if (most == 0 || count <= most)
        return count;
    for (; count > most; count--) {
        uint32_t least = 0;
        for (uint32_t i = 1; i < count; i++) {
            if (list[i].weight <= list[least].weight)
                least = i;
        }
        dropped += (double)list[least].weight;
        memmove(list + least, list + least + 1, (count - least - 1) * sizeof *list);
    }
    facet_tally_hit(&e->limited, v);
    e->dropped = fmax(e->dropped, dropped / *sum);
    *sum -= dropped;
    return count;
}

/* Get the joints that move vertex `v`, at least one. They are distinct, in the order of the scene,
 * as indices into the skin. Their weights have the sum 1. */
static uint32_t influences_of(envelopes *e, const skinning *s, uint32_t v,
                              facet_j3d_influence *list)
{
    uint32_t count = 0;
    double sum = 0;
    for (uint32_t set = 0; set < s->set_count; set++) {
        const uint16_t *joints = (const uint16_t *)s->joints[set]->data + (size_t)v * 4;
        const float *weights = (const float *)s->weights[set]->data + (size_t)v * 4;
        for (int i = 0; i < 4; i++) {
            if (!(weights[i] > 1e-6F) || joints[i] >= s->skin->joint_count)
                continue;
            uint32_t at = 0;
            while (at < count && list[at].joint != joints[i])
                at++;
            if (at == count)
                list[count++] = (facet_j3d_influence){joints[i], 0};
            list[at].weight += weights[i];
            sum += (double)weights[i];
        }
    }
    if (count == 0)
        facet_tally_hit(&e->unbound, v);
    else if (fabs(sum - 1) > 0.01)
        facet_tally_hit(&e->unequal, v);
    count = limit_weights(e, v, list, count, &sum);
    /* Keep a sum that differs from 1 only by float rounding. */
    for (uint32_t i = 0; i < count && fabs(sum - 1) > 1e-5; i++)
        list[i].weight = (float)((double)list[i].weight / sum);
    if (count == 0)
        list[count++] = (facet_j3d_influence){uppermost_of(e->builder, s), 1};
    if (count == 1)
        list[0].weight = 1;
    return count;
}

/* -- Vertex placement --------------------------------------------------- */

static void place_point(const facet_j3d_builder *b, const double m[12], const float *in, float *out)
{
    float v[3];
    facet_j3d_builder_point(b, in, v);
    facet_j3d_matrix_point(m, v, out);
}

/* Transform a normal by the cofactors `c` of a matrix, and normalize it. A zero vector stays
 * zero. */
static void place_normal(const facet_j3d_builder *b, const double c[9], double sign,
                         const float *in, float *out)
{
    double v[3], made[3], length = 0;
    for (int r = 0; r < 3; r++)
        v[r] = b->turn[r * 3] * (double)in[0] + b->turn[r * 3 + 1] * (double)in[1] +
               b->turn[r * 3 + 2] * (double)in[2];
    for (int r = 0; r < 3; r++) {
        made[r] = c[r * 3] * v[0] + c[r * 3 + 1] * v[1] + c[r * 3 + 2] * v[2];
        length += made[r] * made[r];
    }
    length = sqrt(length) * sign;
    for (int r = 0; r < 3; r++)
        out[r] = length != 0 ? (float)(made[r] / length) : 0;
}

/* A matrix that many vertices share, and its matrix for normals. */
typedef struct placing {
    facet_j3d_matrix matrix;
    double cofactors[9], sign;
} placing;

static void set_placing(placing *p, const double matrix[12])
{
    memcpy(p->matrix, matrix, sizeof p->matrix);
    facet_j3d_matrix_cofactors(matrix, p->cofactors);
    double determinant =
        matrix[0] * p->cofactors[0] + matrix[1] * p->cofactors[1] + matrix[2] * p->cofactors[2];
    p->sign = determinant < 0 ? -1 : 1;
}

static void place_vertex(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                         const facet_stream *positions, const facet_stream *normals, uint32_t v,
                         const placing *p)
{
    size_t to = (size_t)(instance->first_vertex + v) * 3;
    place_point(b, p->matrix, (const float *)positions->data + (size_t)v * 3, b->positions + to);
    if (normals)
        place_normal(b, p->cofactors, p->sign, (const float *)normals->data + (size_t)v * 3,
                     b->normals + to);
}

/* The sum of weight * joint transform * inverse bind. With `own`, both come from the scene and its
 * skin, else they are those of the document. */
static void blend(const facet_j3d_builder *b, const facet_j3d_instance *instance, const skinning *s,
                  const facet_j3d_influence *list, uint32_t count, bool own, double out[12])
{
    memset(out, 0, sizeof(facet_j3d_matrix));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = list[i].joint, joint = joint_of(b, s, number);
        uint32_t node = b->node_of_joint[joint];
        const double *place =
            own && node != FACET_NONE ? b->node_place[node] : b->joint_place[joint];
        facet_j3d_matrix moved;
        facet_j3d_matrix_multiply(
            place, own ? b->skin_bind[b->skin_first[instance->skin] + number] : b->bind[joint],
            moved);
        for (int k = 0; k < 12; k++)
            out[k] += (double)list[i].weight * moved[k];
    }
}

/* Find the matrix that moves a vertex to the space of its draw matrix. */
static void find_placing(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                         const skinning *s, const facet_j3d_influence *list, uint32_t count,
                         placing *p)
{
    facet_j3d_matrix made, back, there;
    bool conflict = b->conflict[instance->skin];
    if (b->like) {
        b->like->steps->placing(b, instance->skin, list, count, made);
        set_placing(p, made);
    } else if (conflict) {
        blend(b, instance, s, list, count, true, there);
        uint32_t joint = joint_of(b, s, list[0].joint);
        bool found = true;
        if (count == 1) {
            found = facet_j3d_matrix_invert(b->joint_place[joint], back);
        } else {
            blend(b, instance, s, list, count, false, made);
            found = facet_j3d_matrix_invert(made, back);
        }
        if (found)
            facet_j3d_matrix_multiply(back, there, made);
        set_placing(p, found ? made : there);
    } else if (count == 1) {
        facet_j3d_matrix_multiply(b->bind[joint_of(b, s, list[0].joint)], instance->place, made);
        set_placing(p, made);
    } else {
        set_placing(p, instance->place);
    }
}

/* -- Vertices ----------------------------------------------------------- */

static facet_status take_skinned(envelopes *e, const facet_j3d_instance *instance,
                                 const facet_stream *positions, const facet_stream *normals)
{
    facet_j3d_builder *b = e->builder;
    skinning s;
    placing placed;
    uint32_t last = FACET_NONE; /* joint of `placed` */
    find_skinning(b, instance, &s);
    for (uint32_t v = 0; v < instance->vertex_count; v++) {
        facet_j3d_influence list[MAX_INFLUENCES];
        uint32_t count = influences_of(e, &s, v, list), found;
        uint32_t single = count == 1 ? list[0].joint : MAX_INFLUENCES + UINT16_MAX;
        if (single != last || (b->conflict[instance->skin] && count > 1))
            find_placing(b, instance, &s, list, count, &placed);
        last = single;
        place_vertex(b, instance, positions, normals, v, &placed);
        for (uint32_t i = 0; i < count; i++)
            list[i].joint = (uint16_t)joint_of(b, &s, list[i].joint);
        if (count == 1) {
            b->matrix[instance->first_vertex + v] = list[0].joint;
            continue;
        }
        TRY(find_envelope(e, list, count, &found));
        b->matrix[instance->first_vertex + v] = b->document->joints.count + found;
    }
    return FACET_OK;
}

static void take_rigid(facet_j3d_builder *b, const facet_j3d_instance *instance,
                       const facet_stream *positions, const facet_stream *normals)
{
    placing placed;
    set_placing(&placed, instance->place);
    for (uint32_t v = 0; v < instance->vertex_count; v++) {
        place_vertex(b, instance, positions, normals, v, &placed);
        b->matrix[instance->first_vertex + v] = instance->joint;
    }
}

static facet_status not_ready(const facet_j3d_builder *b, const facet_mesh *mesh, const char *what)
{
    return facet_fail(b->error, FACET_ERROR_ARGUMENT, "J3D-NOT-READY", FACET_NO_OFFSET,
                      "mesh '%s' %s: call facet_prepare first", mesh->name, what);
}

/* Restore the lengths of normals of the source file. With an original, its own normals are used. */
static void lengthen_normals(const facet_j3d_builder *b, const facet_j3d_instance *instance)
{
    const facet_stream *lengths =
        facet_mesh_find_custom(instance->mesh, FACET_J3D_NORMAL_LENGTH, FACET_FLOAT32, 1);
    float *normals = b->normals + (size_t)instance->first_vertex * 3;
    for (uint32_t v = 0; lengths && !b->like && v < instance->vertex_count; v++) {
        for (int c = 0; c < 3; c++)
            normals[v * 3 + (uint32_t)c] *= ((const float *)lengths->data)[v];
    }
}

/* Number the vertices of all instances. */
static facet_status count_vertices(facet_j3d_builder *b, bool *any_normals)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < b->instance_count; i++) {
        facet_j3d_instance *instance = &b->instances[i];
        const facet_mesh *mesh = instance->mesh;
        const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
        if (!facet_mesh_is_triangles(mesh))
            return not_ready(b, mesh, "has polygons");
        if (!positions || !facet_mesh_is_indexed(mesh))
            return not_ready(b, mesh,
                             positions ? "has streams with separate indices" : "has no positions");
        *any_normals |= facet_mesh_find(mesh, FACET_NORMAL, 0) != NULL;
        instance->first_vertex = (uint32_t)total;
        instance->vertex_count = positions->count;
        total += instance->vertex_count;
        if (total > UINT32_MAX / 16)
            return facet_j3d_builder_limit(b, "J3D-LIMIT-VERTICES", total, UINT32_MAX / 16,
                                           "vertices", "split the model");
    }
    b->vertex_count = (uint32_t)total;
    return FACET_OK;
}

static facet_status place_vertices(facet_j3d_builder *b, envelopes *e)
{
    bool any_normals = false;
    TRY(count_vertices(b, &any_normals));
    facet_status status = FACET_OK;
    b->matrix = facet_j3d_builder_scratch(b, b->vertex_count, sizeof *b->matrix);
    b->positions = facet_j3d_builder_scratch(b, b->vertex_count, 3 * sizeof *b->positions);
    if (any_normals)
        b->normals = facet_j3d_builder_scratch(b, b->vertex_count, 3 * sizeof *b->normals);
    if (!b->matrix || !b->positions || (any_normals && !b->normals))
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < b->instance_count && !status; i++) {
        const facet_j3d_instance *instance = &b->instances[i];
        const facet_stream *positions = facet_mesh_find(instance->mesh, FACET_POSITION, 0);
        const facet_stream *normals = facet_mesh_find(instance->mesh, FACET_NORMAL, 0);
        if (instance->skin == FACET_NONE)
            take_rigid(b, instance, positions, normals);
        else
            status = take_skinned(e, instance, positions, normals);
        if (!status && normals)
            lengthen_normals(b, instance);
    }
    return status;
}

/* -- Sections ----------------------------------------------------------- */

/* List the joints that move vertices alone, in their order, then all envelopes, twice, as in
 * exporters. */
static facet_status list_draw_matrices(facet_j3d_builder *b, const envelopes *e)
{
    facet_j3d_draw_matrices *draw = &b->document->draw_matrices;
    uint32_t joint_count = b->document->joints.count, rigid = 0;
    uint32_t *number = facet_j3d_builder_scratch(b, joint_count, sizeof *number);
    if (!number)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t v = 0; v < b->vertex_count; v++) {
        if (b->matrix[v] < joint_count)
            number[b->matrix[v]] = 1;
    }
    for (uint32_t i = 0; i < joint_count; i++) {
        if (number[i])
            number[i] = rigid++;
    }
    TRY(facet_j3d_builder_limit(
        b, "J3D-LIMIT-ENVELOPES", (uint64_t)rigid + 2 * (uint64_t)e->count, UINT16_MAX,
        "draw matrices (a joint counts once, a blend of weights twice)",
        "round the weights, or let fewer joints move a vertex (--weights)"));
    draw->items = facet_j3d_builder_keep(b, rigid + 2 * (size_t)e->count, sizeof *draw->items);
    if (!draw->items)
        return facet_j3d_builder_no_memory(b);
    uint8_t *used = facet_j3d_builder_scratch(b, joint_count, 1);
    if (!used)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t v = 0; v < b->vertex_count; v++) {
        uint32_t m = b->matrix[v];
        b->matrix[v] = m < joint_count ? number[m] : rigid + m - joint_count;
        if (m < joint_count)
            used[m] = 1;
    }
    for (uint32_t i = 0; i < joint_count; i++) {
        if (used[i])
            draw->items[draw->count++].index = (uint16_t)i;
    }
    for (uint32_t i = 0; i < 2 * e->count; i++)
        draw->items[draw->count++] =
            (facet_j3d_draw_matrix){1, (uint16_t)(i < e->count ? i : i - e->count)};
    draw->effective_count = rigid + e->count;
    b->document->has_draw_matrices = true;
    return FACET_OK;
}

static facet_status list_envelopes(facet_j3d_builder *b, const envelopes *e)
{
    facet_j3d_envelopes *to = &b->document->envelopes;
    b->document->has_envelopes = true;
    if (e->count == 0)
        return FACET_OK;
    uint32_t joint_count = b->document->joints.count;
    to->items = facet_j3d_builder_keep(b, e->count, sizeof *to->items);
    to->influences = facet_j3d_builder_keep(b, e->influence_count, sizeof *to->influences);
    to->inverse_bind = facet_j3d_builder_keep(b, joint_count, sizeof *to->inverse_bind);
    if (!to->items || !to->influences || !to->inverse_bind)
        return facet_j3d_builder_no_memory(b);
    memcpy(to->items, e->items, e->count * sizeof *to->items);
    memcpy(to->influences, e->influences, e->influence_count * sizeof *to->influences);
    for (uint32_t i = 0; i < joint_count; i++) {
        for (int k = 0; k < 12; k++) {
            to->inverse_bind[i][k] = (float)b->bind[i][k];
            if (!isfinite(to->inverse_bind[i][k]))
                return facet_fail(b->error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                                  "the inverse bind matrix of joint %" PRIu32
                                  " has %g, which exceeds a float",
                                  i, b->bind[i][k]);
        }
    }
    to->count = e->count;
    to->influence_count = e->influence_count;
    to->inverse_bind_count = joint_count;
    return FACET_OK;
}

facet_status facet_j3d_build_matrices(facet_j3d_builder *b)
{
    envelopes e = {.builder = b, .table = facet_table_make(b->scratch)};
    facet_status status = place_vertices(b, &e);
    facet_report_add_tally(facet_j3d_builder_report(b), "J3D-WEIGHTS", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &e.unequal,
                           "the weights of vertex %" PRIu64 " do not sum to 1: they are scaled",
                           e.unequal.first);
    facet_report_add_tally(
        facet_j3d_builder_report(b), "J3D-UNWEIGHTED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
        &e.unbound, "vertex %" PRIu64 " has no weights: it follows the root bone", e.unbound.first);
    if (e.limited.count > 0)
        facet_report_add(
            facet_j3d_builder_report(b), "LOSS-SKIN", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "%" PRIu64 " %s only the %" PRIu32
            " largest weights: up to %.3g %% of a vertex moves with other joints",
            e.limited.count, facet_plural(e.limited.count, "vertex keeps", "vertices keep"),
            b->options->j3d->weights, e.dropped * 100);
    if (!status)
        status = list_draw_matrices(b, &e);
    return status ? status : list_envelopes(b, &e);
}
