/* mesh/tangents/sums.c - sums around vertices in the order of triangles, and the vertices that
 * these sums settle.
 *
 * MikkTSpace adds up the corners of a group in ascending order. Suppose that all corners around
 * a vertex are one group, and none are cut from it. Then adding each corner to the sum of its
 * vertex, triangle by triangle, gives the same additions in the same order. The corners are one
 * group if they form one closed ring of one orientation. Three tests prove this without
 * following the ring:
 *
 * - The next vertices of the corners are the same set as the previous ones (the balance). So the
 *   corners form closed loops from neighbor to neighbor.
 * - Seen along the normal, every corner turns the same way, by less than half a turn. So a
 *   closed loop goes around the vertex at least once.
 * - The sum of the angles is less than two full turns. So only one loop exists, and it visits no
 *   neighbor twice; otherwise it could be split into two loops.
 *
 * No two directions are opposite if their sum is longer than it could be with two opposite
 * directions. */
#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "mesh/tangents/space.h"

#include <math.h>
#include <string.h>

/* With more corners, the errors of their angles might add up to a significant amount. */
#define MAX_CORNERS 16
/* Two full turns, minus the sum of the errors of that many angles. */
#define TWO_TURNS 10.9f
/* Least angle at which opposite directions differ from rounding errors. */
#define LEAST_ANGLE 0.02f

static bool is_settled(const facet_tangent_sum *sum, const float normal[3], float tangent[4])
{
    float least = FACET_TANGENT_WIDEST - sum->excess, angles = sum->s[3];
    float length = sqrtf(sum->s[0] * sum->s[0] + sum->s[1] * sum->s[1] + sum->s[2] * sum->s[2]);
    float square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    bool is_ring = sum->balance == 0 && sum->count <= MAX_CORNERS && least > LEAST_ANGLE &&
                   angles < TWO_TURNS && fabsf(sum->t[3]) == (float)sum->count &&
                   fabsf(square - 1) < 1e-4f;
    if (!is_ring || !(length > angles - 1.9f * least) ||
        !facet_tangent_turns_agree(normal, sum->t, sum->count))
        return false;
    tangent[3] = sum->t[3] > 0 ? 1.0f : -1.0f;
    return facet_tangent_finish(sum->s, normal, tangent);
}

#define IDS_PER_TASK 8192

typedef struct settle_job {
    facet_tangent_mesh *mesh;
    float (*tangents)[4];
    uint32_t *left;      /* per task: number of corners that are not settled */
    uint8_t *has_unused; /* per task: true if a vertex has no corner */
} settle_job;

static void settle_ids(void *argument, size_t task)
{
    const settle_job *job = argument;
    facet_tangent_mesh *mesh = job->mesh;
    uint32_t begin = (uint32_t)task * IDS_PER_TASK, rest = mesh->vertex_count - begin;
    uint32_t end = begin + (rest < IDS_PER_TASK ? rest : IDS_PER_TASK), left = 0;
    for (uint32_t id = begin; id < end; id++) {
        const facet_tangent_sum *only = NULL;
        uint32_t corners = 0;
        for (uint32_t i = 0; i < mesh->part_count; i++) {
            const facet_tangent_part *part = &mesh->parts[i];
            if (id - part->first < part->count && part->sums[id - part->first].count > 0) {
                only = &part->sums[id - part->first];
                corners += only->count;
            }
        }
        bool settled = corners > 0 && only->count == corners &&
                       is_settled(only, mesh->normals + (size_t)id * 3, job->tangents[id]);
        if (!settled)
            memset(job->tangents[id], 0, sizeof *job->tangents);
        mesh->ends[id] = settled ? 0 : corners;
        left += settled ? 0 : corners;
        if (corners == 0)
            job->has_unused[task] = 1;
    }
    job->left[task] = left;
}

/* Copy the tangent of the first vertex of equal values to the others. */
static void share_settled(const facet_tangent_mesh *mesh, float (*tangents)[4])
{
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        uint32_t id = mesh->ids[corner], vertex = mesh->vertices[corner];
        if (id != vertex && mesh->ends[id] == 0)
            memcpy(tangents[vertex], tangents[id], sizeof *tangents);
    }
}

facet_status facet_tangent_mesh_finish(facet_tangent_mesh *mesh, float (*tangents)[4],
                                       const facet_options *options, facet_error *error)
{
    facet_arena *arena = mesh->arena;
    size_t tasks = ((size_t)mesh->vertex_count + IDS_PER_TASK - 1) / IDS_PER_TASK;
    settle_job job = {mesh, tangents, facet_arena_allocate(arena, tasks, sizeof *job.left),
                      facet_arena_allocate_zeroed(arena, tasks, 1)};
    mesh->ends = facet_arena_allocate(arena, mesh->vertex_count, sizeof *mesh->ends);
    bool fits = job.left && job.has_unused && mesh->ends;
    if (fits) {
        facet_run(options, settle_ids, &job, tasks);
        for (size_t task = 0; task < tasks; task++) {
            mesh->left += job.left[task];
            mesh->has_unused |= job.has_unused[task] != 0;
        }
        if (mesh->own_ids)
            share_settled(mesh, tangents);
    }
    facet_tangent_mesh_release_sums(mesh);
    facet_arena_release(arena, job.has_unused, tasks, 1);
    facet_arena_release(arena, job.left, tasks, sizeof *job.left);
    return fits ? FACET_OK : facet_fail_arena(arena, error);
}
