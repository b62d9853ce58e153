/* formats/j3d/scene/from_scene/packets.c - triangles to packets of at most ten matrices.
 *
 * A packet begins with a triangle and grows by one matrix at a time. Each time, it takes the matrix
 * that completes most triangles, that is, whose other matrices are all present. All triangles that
 * a packet can draw are added to it at once. */
#include "formats/j3d/scene/from_scene/packets.h"

#include "base/arena.h"
#include "base/error.h"

#include <facet/scene.h>

#include <string.h>

#define MAX_MATRICES 10

typedef struct packing {
    const uint32_t *triangles, *matrix_of;
    uint32_t count;
    /* triangles of each matrix; drawn ones are removed when found */
    uint32_t *first, *left, *lists;
    bool *drawn;
    /* the growing packet */
    uint32_t packet; /* its number + 1, used as the stamp of this packet */
    uint32_t *stamp; /* per triangle */
    uint8_t *missing;
    uint32_t *in_packet; /* per matrix: stamp */
    uint32_t *gain_stamp, *gain;
    uint32_t *candidates; /* matrices with a gain, without duplicates */
    uint32_t candidate_count;
    uint32_t far;  /* a triangle that lacks two matrices, or FACET_NONE */
    uint32_t next; /* all triangles before it are drawn */
    uint32_t drawn_count;
    facet_j3d_packet_plans *out;
} packing;

/* Get the distinct matrices of a triangle. */
static uint32_t matrices_of(const packing *p, uint32_t triangle, uint32_t found[3])
{
    uint32_t count = 0;
    for (int corner = 0; corner < 3; corner++) {
        uint32_t matrix = p->matrix_of[p->triangles[(size_t)triangle * 3 + corner]];
        bool known = false;
        for (uint32_t i = 0; i < count; i++)
            known |= found[i] == matrix;
        if (!known)
            found[count++] = matrix;
    }
    return count;
}

/* -- Preparation -------------------------------------------------------- */

static facet_status list_triangles(packing *p, facet_arena *arena, uint32_t matrix_count,
                                   facet_error *error)
{
    uint32_t found[3];
    size_t entries = 0;
    p->first = facet_arena_allocate(arena, (size_t)matrix_count + 1, sizeof *p->first);
    p->left = facet_arena_allocate_zeroed(arena, matrix_count, sizeof *p->left);
    p->drawn = facet_arena_allocate_zeroed(arena, p->count, sizeof *p->drawn);
    p->stamp = facet_arena_allocate_zeroed(arena, p->count, sizeof *p->stamp);
    p->missing = facet_arena_allocate(arena, p->count, sizeof *p->missing);
    p->in_packet = facet_arena_allocate_zeroed(arena, matrix_count, sizeof *p->in_packet);
    p->gain_stamp = facet_arena_allocate_zeroed(arena, matrix_count, sizeof *p->gain_stamp);
    p->gain = facet_arena_allocate(arena, matrix_count, sizeof *p->gain);
    p->candidates = facet_arena_allocate(arena, matrix_count, sizeof *p->candidates);
    if (!p->first || !p->left || !p->drawn || !p->stamp || !p->missing || !p->in_packet ||
        !p->gain_stamp || !p->gain || !p->candidates)
        return facet_fail_arena(arena, error);
    for (uint32_t t = 0; t < p->count; t++) {
        uint32_t n = matrices_of(p, t, found);
        entries += n;
        for (uint32_t i = 0; i < n; i++)
            p->left[found[i]]++;
    }
    p->lists = facet_arena_allocate(arena, entries, sizeof *p->lists);
    if (!p->lists)
        return facet_fail_arena(arena, error);
    p->first[0] = 0;
    for (uint32_t m = 0; m < matrix_count; m++) {
        p->first[m + 1] = p->first[m] + p->left[m];
        p->left[m] = 0;
    }
    for (uint32_t t = 0; t < p->count; t++) {
        uint32_t n = matrices_of(p, t, found);
        for (uint32_t i = 0; i < n; i++)
            p->lists[p->first[found[i]] + p->left[found[i]]++] = t;
    }
    return FACET_OK;
}

/* -- Growing ------------------------------------------------------------ */

/* Count a triangle that lacks one matrix as a gain of this matrix. */
static void count_gain(packing *p, uint32_t triangle)
{
    uint32_t found[3], n = matrices_of(p, triangle, found), matrix = FACET_NONE;
    for (uint32_t i = 0; i < n; i++) {
        if (p->in_packet[found[i]] != p->packet)
            matrix = found[i];
    }
    if (p->gain_stamp[matrix] != p->packet) {
        p->gain_stamp[matrix] = p->packet;
        p->gain[matrix] = 0;
        p->candidates[p->candidate_count++] = matrix;
    }
    p->gain[matrix]++;
}

static void add_matrix(packing *p, facet_j3d_packet_plan *plan, uint32_t matrix)
{
    uint32_t *list = p->lists + p->first[matrix], kept = 0, found[3];
    plan->matrices[plan->matrix_count++] = matrix;
    p->in_packet[matrix] = p->packet;
    for (uint32_t i = 0; i < p->left[matrix]; i++) {
        uint32_t t = list[i];
        if (p->drawn[t])
            continue;
        if (p->stamp[t] != p->packet) {
            p->stamp[t] = p->packet;
            p->missing[t] = (uint8_t)matrices_of(p, t, found);
        }
        if (--p->missing[t] == 0) {
            p->drawn[t] = true;
            p->out->order[p->drawn_count++] = t;
            continue;
        }
        list[kept++] = t;
        if (p->missing[t] == 1)
            count_gain(p, t);
        else
            p->far = t;
    }
    p->left[matrix] = kept;
}

/* The matrix that completes most triangles. Among equals it is the one with the fewest triangles
 * left, so that later packets need it less, then the first. FACET_NONE: no candidate. */
static uint32_t best_candidate(packing *p)
{
    uint32_t best = FACET_NONE, kept = 0;
    for (uint32_t i = 0; i < p->candidate_count; i++) {
        uint32_t m = p->candidates[i];
        if (p->in_packet[m] == p->packet)
            continue;
        p->candidates[kept++] = m;
        if (best == FACET_NONE || p->gain[m] > p->gain[best] ||
            (p->gain[m] == p->gain[best] &&
             (p->left[m] < p->left[best] || (p->left[m] == p->left[best] && m < best))))
            best = m;
    }
    p->candidate_count = kept;
    return best;
}

static void add_triangle(packing *p, facet_j3d_packet_plan *plan, uint32_t triangle)
{
    uint32_t found[3], n = matrices_of(p, triangle, found);
    for (uint32_t i = 0; i < n; i++) {
        if (p->in_packet[found[i]] != p->packet)
            add_matrix(p, plan, found[i]);
    }
}

/* True if the packet has space for all matrices of a triangle. */
static bool has_space(const packing *p, const facet_j3d_packet_plan *plan, uint32_t triangle)
{
    uint32_t found[3], n = matrices_of(p, triangle, found), more = 0;
    for (uint32_t i = 0; i < n; i++)
        more += p->in_packet[found[i]] != p->packet;
    return plan->matrix_count + more <= MAX_MATRICES;
}

static uint32_t next_triangle(packing *p)
{
    while (p->next < p->count && p->drawn[p->next])
        p->next++;
    return p->next < p->count ? p->next : FACET_NONE;
}

static void grow_packet(packing *p, facet_j3d_packet_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->first = p->drawn_count;
    p->packet++;
    p->candidate_count = 0;
    p->far = FACET_NONE;
    add_triangle(p, plan, next_triangle(p));
    while (plan->matrix_count < MAX_MATRICES) {
        uint32_t matrix = best_candidate(p), triangle = p->far;
        if (matrix != FACET_NONE) {
            add_matrix(p, plan, matrix);
            continue;
        }
        if (triangle == FACET_NONE || p->drawn[triangle] || !has_space(p, plan, triangle))
            triangle = next_triangle(p); /* no neighbor of the packet fits: continue elsewhere */
        if (triangle == FACET_NONE || !has_space(p, plan, triangle))
            break;
        add_triangle(p, plan, triangle);
    }
    plan->count = p->drawn_count - plan->first;
}

facet_status facet_j3d_make_packets(facet_arena *arena, const uint32_t *triangles, uint32_t count,
                                    const uint32_t *matrix_of, uint32_t matrix_count,
                                    facet_j3d_packet_plans *plans, facet_error *error)
{
    packing p = {.triangles = triangles, .matrix_of = matrix_of, .count = count, .out = plans};
    uint32_t space = 0;
    memset(plans, 0, sizeof *plans);
    plans->order = facet_arena_allocate(arena, count, sizeof *plans->order);
    if (!plans->order)
        return facet_fail_arena(arena, error);
    facet_status status = list_triangles(&p, arena, matrix_count, error);
    while (!status && p.drawn_count < count) {
        if (!FACET_GROW(arena, plans->packets, plans->packet_count, space))
            return facet_fail_arena(arena, error);
        grow_packet(&p, &plans->packets[plans->packet_count++]);
    }
    return status;
}
