/* mesh/tangents/triangles.c - data per triangle: its kind, the directions of increasing u and v,
 * and what its corners add to the sums around their vertices. */
#include "base/arena.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/threads.h"
#include "mesh/tangents/space.h"

#include <string.h>

static bool equal_points(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Gather the listed triangles; if `triangles` is NULL, those from `first` on. */
static inline void gather(const facet_tangent_mesh *mesh, const uint32_t *triangles, uint32_t first,
                          uint32_t count, facet_tangent_block *b, bool *degenerate)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *ids = mesh->ids + (size_t)(triangles ? triangles[i] : first + i) * 3;
        const float *p[3], *uv[3];
        for (int k = 0; k < 3; k++) {
            p[k] = mesh->positions + (size_t)ids[k] * 3;
            uv[k] = mesh->texcoords + (size_t)ids[k] * mesh->texcoord_stride;
        }
        for (int k = 0; k < 3; k++) {
            const float *normal = mesh->normals + (size_t)ids[k] * 3;
            for (int axis = 0; axis < 3; axis++) {
                b->position[k][axis][i] = p[k][axis];
                b->normal[k][axis][i] = normal[axis];
            }
        }
        for (int k = 0; k < 3; k++) {
            b->s[k][i] = p[1][k] - p[0][k];
            b->t[k][i] = p[2][k] - p[0][k];
        }
        b->u21[i] = uv[1][0] - uv[0][0];
        b->v21[i] = uv[1][1] - uv[0][1];
        b->u31[i] = uv[2][0] - uv[0][0];
        b->v31[i] = uv[2][1] - uv[0][1];
        /* Ids can be equal while points differ: the coordinates are NaN. */
        degenerate[i] = equal_points(p[0], p[1]) || equal_points(p[0], p[2]) ||
                        equal_points(p[1], p[2]) || ids[0] == ids[1] || ids[0] == ids[2] ||
                        ids[1] == ids[2];
    }
}

/* -- Sums --------------------------------------------------------------- */

/* A hash of a vertex: sums of hashes of different vertices are almost certainly different. */
static inline uint64_t hash_vertex(uint32_t id)
{
    uint64_t hash = (id + UINT64_C(1)) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ hash >> 29;
}

/* Convert four numbers of four triangles each to four rows. */
static inline void make_rows(const float *const v[4], uint32_t i, float rows[4][4])
{
#if defined(FACET_NUMBERS_SSE2)
    __m128 x = _mm_loadu_ps(v[0] + i), y = _mm_loadu_ps(v[1] + i);
    __m128 z = _mm_loadu_ps(v[2] + i), w = _mm_loadu_ps(v[3] + i);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    _mm_storeu_ps(rows[0], x);
    _mm_storeu_ps(rows[1], y);
    _mm_storeu_ps(rows[2], z);
    _mm_storeu_ps(rows[3], w);
#else
    for (uint32_t k = 0; k < 4; k++) {
        for (int axis = 0; axis < 4; axis++)
            rows[k][axis] = v[axis][i + k];
    }
#endif
}

static inline void add_row(float sum[4], const float row[4])
{
#if defined(FACET_NUMBERS_SSE2)
    _mm_storeu_ps(sum, _mm_add_ps(_mm_loadu_ps(sum), _mm_loadu_ps(row)));
#else
    for (int k = 0; k < 4; k++)
        sum[k] += row[k];
#endif
}

static void add_block(const facet_tangent_mesh *mesh, const facet_tangent_part *part,
                      uint32_t first, uint32_t count, const facet_tangent_block *b)
{
    const float *const turns[4] = {b->t[0], b->t[1], b->t[2], b->sign};
    const uint32_t *ids = mesh->ids + (size_t)first * 3;
    for (uint32_t begin = 0; begin < count; begin += 4) {
        float t[4][4], s[3][4][4];
        make_rows(turns, begin, t);
        for (int k = 0; k < 3; k++) {
            const float *const weighed[4] = {b->weighed[k][0], b->weighed[k][1], b->weighed[k][2],
                                             b->weighed[k][3]};
            make_rows(weighed, begin, s[k]);
        }
        for (uint32_t i = 0; i < 4 && begin + i < count; i++, ids += 3) {
            uint64_t hash[3] = {hash_vertex(ids[0]), hash_vertex(ids[1]), hash_vertex(ids[2])};
            uint64_t balance[3] = {hash[1] - hash[2], hash[2] - hash[0], hash[0] - hash[1]};
            for (int k = 0; k < 3; k++) {
                facet_tangent_sum *sum = &part->sums[ids[k] - part->first];
                float excess = b->excess[k][begin + i];
                add_row(sum->s, s[k][i]);
                add_row(sum->t, t[i]);
                sum->excess = excess > sum->excess ? excess : sum->excess;
                sum->count++;
                sum->balance += balance[k];
            }
        }
    }
}

/* -- Parts -------------------------------------------------------------- */

typedef struct triangles_job {
    facet_tangent_mesh *mesh;
    bool has_any[FACET_TANGENT_PARTS];
} triangles_job;

/* Find the first and the last id that the triangles of a part use. */
static void find_range(void *argument, size_t task)
{
    const triangles_job *job = argument;
    facet_tangent_part *part = &job->mesh->parts[task];
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t corner = (size_t)part->begin * 3; corner < (size_t)part->end * 3; corner++) {
        uint32_t id = job->mesh->ids[corner];
        least = id < least ? id : least;
        most = id > most ? id : most;
    }
    part->first = least;
    part->count = part->begin < part->end ? most - least + 1 : 0;
}

static void measure_part(void *argument, size_t task)
{
    triangles_job *job = argument;
    facet_tangent_mesh *mesh = job->mesh;
    const facet_tangent_part *part = &mesh->parts[task];
    facet_tangent_block b;
    bool degenerate[FACET_TANGENT_BLOCK];
    uint32_t seen = 0, end = part->end;
    memset(&b, 0, sizeof b);
    memset(part->sums, 0, part->count * sizeof *part->sums);
    for (uint32_t first = part->begin; first < end; first += FACET_TANGENT_BLOCK) {
        uint32_t count = end - first < FACET_TANGENT_BLOCK ? end - first : FACET_TANGENT_BLOCK;
        gather(mesh, NULL, first, count, &b, degenerate);
        facet_tangent_derive(&b, count);
        for (uint32_t i = 0; i < count; i++) {
            b.kind[i] = degenerate[i] ? TRIANGLE_DEGENERATE : b.kind[i];
            mesh->flags[first + i] = (uint8_t)b.kind[i];
            seen |= b.kind[i];
        }
        facet_tangent_weigh(&b, count);
        add_block(mesh, part, first, count, &b);
    }
    job->has_any[task] = (seen & TRIANGLE_ANY) != 0;
}

/* Number of triangles per part below which a second thread gains nothing. */
#define TRIANGLES_PER_PART 8192

/* Make a part for each thread. A vertex in several parts is not settled by sums, which is slow.
 * If there are many such vertices, make only one part. */
static bool make_parts(triangles_job *job, const facet_options *options)
{
    facet_tangent_mesh *mesh = job->mesh;
    uint32_t most = mesh->triangle_count / TRIANGLES_PER_PART + 1;
    most = most < FACET_TANGENT_PARTS ? most : FACET_TANGENT_PARTS;
    unsigned threads = facet_thread_count(options);
    uint32_t count = threads < most ? threads : most;
    size_t named = 0;
    for (uint32_t i = 0; i < count; i++) {
        mesh->parts[i].begin = (uint32_t)((uint64_t)mesh->triangle_count * i / count);
        mesh->parts[i].end = (uint32_t)((uint64_t)mesh->triangle_count * (i + 1) / count);
    }
    facet_run(options, find_range, job, count);
    for (uint32_t i = 0; i < count; i++)
        named += mesh->parts[i].count;
    if (named > mesh->vertex_count + (size_t)mesh->vertex_count / 4) {
        mesh->parts[0] = (facet_tangent_part){0, mesh->triangle_count, 0, mesh->vertex_count, NULL};
        count = 1;
    }
    bool fits = true;
    for (mesh->part_count = 0; mesh->part_count < count; mesh->part_count++) {
        facet_tangent_part *part = &mesh->parts[mesh->part_count];
        part->sums = facet_arena_allocate(mesh->arena, part->count, sizeof *part->sums);
        fits = fits && part->sums;
    }
    return fits;
}

facet_status facet_tangent_mesh_measure(facet_tangent_mesh *mesh, const facet_options *options,
                                        facet_error *error)
{
    triangles_job job = {mesh, {false}};
    mesh->flags = facet_arena_allocate(mesh->arena, mesh->triangle_count, sizeof *mesh->flags);
    if (!mesh->flags || !make_parts(&job, options))
        return facet_fail_arena(mesh->arena, error);
    facet_run(options, measure_part, &job, mesh->part_count);
    for (uint32_t i = 0; i < mesh->part_count; i++)
        mesh->has_any |= job.has_any[i];
    return FACET_OK;
}

/* -- Directions --------------------------------------------------------- */

#define LEAST_TRIANGLES ((size_t)8192)

typedef struct listing {
    facet_tangent_mesh *mesh;
    uint32_t places[FACET_MAX_PARTS]; /* per part: number of its entries, then index of the first
                                         one */
} listing;

static void mark_unsettled(void *argument, size_t part, size_t first, size_t end)
{
    listing *l = argument;
    const facet_tangent_mesh *mesh = l->mesh;
    uint32_t count = 0;
    for (size_t triangle = first; triangle < end; triangle++) {
        const uint32_t *ids = mesh->ids + triangle * 3;
        bool unsettled = (mesh->ends[ids[0]] | mesh->ends[ids[1]] | mesh->ends[ids[2]]) != 0;
        mesh->flags[triangle] |= unsettled ? TRIANGLE_UNSETTLED : 0;
        count += unsettled;
    }
    l->places[part] = count;
}

static void derive_listed(const facet_tangent_mesh *mesh, uint32_t first, uint32_t count)
{
    facet_tangent_block b;
    bool degenerate[FACET_TANGENT_BLOCK];
    gather(mesh, mesh->unsettled + first, 0, count, &b, degenerate);
    facet_tangent_derive(&b, count);
    for (uint32_t i = 0; i < count; i++) {
        facet_tangent_directions *d = &mesh->directions[first + i];
        for (int k = 0; k < 3; k++) {
            d->s[k] = b.s[k][i];
            d->t[k] = b.t[k][i];
        }
    }
}

static void list_unsettled(void *argument, size_t part, size_t first, size_t end)
{
    const listing *l = argument;
    const facet_tangent_mesh *mesh = l->mesh;
    uint32_t place = l->places[part], listed = place;
    for (size_t triangle = first; triangle < end; triangle++) {
        if (!(mesh->flags[triangle] & TRIANGLE_UNSETTLED))
            continue;
        mesh->flags[triangle] &= (uint8_t)~TRIANGLE_UNSETTLED;
        mesh->unsettled[listed++] = (uint32_t)triangle;
    }
    for (; place < listed; place += FACET_TANGENT_BLOCK)
        derive_listed(mesh, place,
                      listed - place < FACET_TANGENT_BLOCK ? listed - place : FACET_TANGENT_BLOCK);
}

facet_status facet_tangent_mesh_direct(facet_tangent_mesh *mesh, const facet_options *options,
                                       facet_error *error)
{
    listing l;
    l.mesh = mesh;
    uint32_t count = 0;
    size_t parts =
        facet_run_parts(options, mark_unsettled, &l, mesh->triangle_count, LEAST_TRIANGLES);
    for (size_t part = 0; part < parts; part++) {
        uint32_t own = l.places[part];
        l.places[part] = count;
        count += own;
    }
    mesh->unsettled_count = count;
    mesh->unsettled = facet_arena_allocate(mesh->arena, count, sizeof *mesh->unsettled);
    mesh->directions = facet_arena_allocate(mesh->arena, count, sizeof *mesh->directions);
    if (!mesh->unsettled || !mesh->directions)
        return facet_fail_arena(mesh->arena, error);
    facet_run_parts(options, list_unsettled, &l, mesh->triangle_count, LEAST_TRIANGLES);
    return FACET_OK;
}
