/* mesh/tangents/sums.c - sums around vertices in the order of triangles, and the vertices for
 * which they are all that MikkTSpace looks at.
 *
 * MikkTSpace adds up a group's corners in ascending order. Where all corners around a vertex
 * are one group and none are cut from it, adding each to the sum of its vertex as triangles
 * come is the same additions in the same order. They are one group if they are one closed ring
 * of one orientation. That is known without following it:
 *
 * - The next vertices of its corners are the previous ones, too (the balance), so that the
 *   corners make closed walks from neighbor to neighbor.
 * - Seen along the normal every corner turns the same way, by less than half a turn; a closed
 *   walk therefore goes around the vertex once or more often.
 * - The angles come to less than two full turns: there is one walk, and it meets no neighbor
 *   twice, or it could be taken apart into two.
 *
 * No two directions are opposite when their sum is longer than a sum with such two can be. */
#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "mesh/tangents/space.h"

#include <math.h>
#include <string.h>

/* Around more corners errors of their angles might add up to what counts. */
#define MAX_CORNERS 16
/* Two full turns, less what the errors of so many angles come to. */
#define TWO_TURNS 10.9f
/* Least angle that tells opposite directions from rounding. */
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
    uint32_t *left;      /* per task: corners that are not settled */
    uint8_t *has_unused; /* per task */
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

/* Vertices get the tangent of the first one that has their values. */
static void share_settled(const facet_tangent_mesh *mesh, float (*tangents)[4])
{
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        uint32_t id = mesh->ids[corner], vertex = mesh->vertices[corner];
        if (id != vertex && mesh->ends[id] == 0)
            memcpy(tangents[vertex], tangents[id], sizeof *tangents);
    }
}

facet_status facet_tangent_mesh_settle(facet_tangent_mesh *mesh, float (*tangents)[4],
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
