/* mesh/tangents/triangles.c - of each triangle: its kind, and the directions in which
 * u and v increase. */
#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "mesh/tangents/space.h"

#include <string.h>

#define TRIANGLES_PER_TASK 8192

static bool equal_points(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void gather(const facet_tangent_mesh *mesh, uint32_t first, uint32_t count,
                   facet_tangent_block *b, bool *degenerate)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *ids = mesh->ids + (size_t)(first + i) * 3;
        const float *p[3], *uv[3];
        for (int k = 0; k < 3; k++) {
            p[k] = mesh->positions + (size_t)ids[k] * 3;
            uv[k] = mesh->texcoords + (size_t)ids[k] * mesh->texcoord_stride;
        }
        for (int k = 0; k < 3; k++) {
            b->s[k][i] = p[1][k] - p[0][k];
            b->t[k][i] = p[2][k] - p[0][k];
        }
        b->u21[i] = uv[1][0] - uv[0][0];
        b->v21[i] = uv[1][1] - uv[0][1];
        b->u31[i] = uv[2][0] - uv[0][0];
        b->v31[i] = uv[2][1] - uv[0][1];
        /* Equal ids of unequal points: coordinates that are not numbers. */
        degenerate[i] = equal_points(p[0], p[1]) || equal_points(p[0], p[2]) ||
                        equal_points(p[1], p[2]) || ids[0] == ids[1] || ids[0] == ids[2] ||
                        ids[1] == ids[2];
    }
}

typedef struct triangles_job {
    facet_tangent_mesh *mesh;
    uint8_t *has_any; /* per task */
} triangles_job;

static void measure_triangles(void *argument, size_t task)
{
    triangles_job *job = argument;
    facet_tangent_mesh *mesh = job->mesh;
    uint32_t first = (uint32_t)task * TRIANGLES_PER_TASK, left = mesh->triangle_count - first;
    uint32_t end = first + (left < TRIANGLES_PER_TASK ? left : TRIANGLES_PER_TASK), seen = 0;
    facet_tangent_block b;
    bool degenerate[FACET_TANGENT_BLOCK];
    for (; first < end; first += FACET_TANGENT_BLOCK) {
        uint32_t count = end - first < FACET_TANGENT_BLOCK ? end - first : FACET_TANGENT_BLOCK;
        gather(mesh, first, count, &b, degenerate);
        facet_tangent_derive(&b, count);
        for (uint32_t i = 0; i < count; i++) {
            facet_tangent_directions *d = &mesh->directions[first + i];
            for (int k = 0; k < 3; k++) {
                d->s[k] = b.s[k][i];
                d->t[k] = b.t[k][i];
            }
            uint32_t kind = degenerate[i] ? TRIANGLE_DEGENERATE : b.kind[i];
            mesh->flags[first + i] = (uint8_t)kind;
            seen |= kind;
        }
    }
    job->has_any[task] = (seen & TRIANGLE_ANY) != 0;
}

facet_status facet_tangent_mesh_measure(facet_tangent_mesh *mesh, const facet_options *options,
                                        bool *has_any, facet_error *error)
{
    size_t tasks = ((size_t)mesh->triangle_count + TRIANGLES_PER_TASK - 1) / TRIANGLES_PER_TASK;
    triangles_job job = {mesh, facet_arena_allocate_zeroed(mesh->arena, tasks, 1)};
    mesh->flags = facet_arena_allocate(mesh->arena, mesh->triangle_count, sizeof *mesh->flags);
    mesh->directions =
        facet_arena_allocate(mesh->arena, mesh->triangle_count, sizeof *mesh->directions);
    bool fits = job.has_any && mesh->flags && mesh->directions;
    if (fits) {
        facet_run(options, measure_triangles, &job, tasks);
        *has_any = memchr(job.has_any, 1, tasks) != NULL;
    }
    facet_arena_release(mesh->arena, job.has_any, tasks, 1);
    return fits ? FACET_OK
                : facet_fail_memory(error, mesh->triangle_count * sizeof *mesh->directions);
}
