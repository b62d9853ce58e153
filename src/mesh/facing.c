/* mesh/facing.c - repair of triangles that face away from their own normals.
 *
 * Smoothing over a thin edge, or an author's mistake, can leave a triangle whose normals point
 * to its back. A renderer then lights it as if seen from behind. */
#include <facet/mesh.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/threads.h"
#include "mesh/passes.h"
#include "mesh/streams.h"
#include "mesh/vector.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Least agreement, as a share of the area, that is significant. Below it, rounding in another
 * order of the corners could decide. */
#define LEAST_AGREEMENT 1e-9

/* True if triangle `face` faces away from the sum of its normals. area: twice its area vector. */
static bool faces_away(const facet_mesh *mesh, const facet_stream *normals, uint32_t face,
                       double area[3])
{
    facet_area_vector(mesh, face * 3, face * 3 + 3, area);
    double sum[3] = {0, 0, 0};
    for (uint32_t corner = face * 3; corner < face * 3 + 3; corner++) {
        uint32_t element = normals->indices[corner];
        if (element == FACET_NONE)
            return false;
        for (int i = 0; i < 3; i++)
            sum[i] += (double)((const float *)normals->data)[(size_t)element * 3 + i];
    }
    double length = sqrt(facet_dot(area, area));
    return length > 0 && isfinite(length) && facet_dot(area, sum) < length * LEAST_AGREEMENT;
}

#define FACES_PER_TASK 8192

typedef struct facing_job {
    const facet_mesh *mesh;
    const facet_stream *normals;
    facet_tally *away; /* one entry per task */
} facing_job;

static void count_away(void *argument, size_t task)
{
    const facing_job *job = argument;
    uint32_t begin = (uint32_t)task * FACES_PER_TASK, left = job->mesh->face_count - begin;
    uint32_t end = begin + (left < FACES_PER_TASK ? left : FACES_PER_TASK);
    double area[3];
    for (uint32_t face = begin; face < end; face++) {
        if (faces_away(job->mesh, job->normals, face, area))
            facet_tally_hit(&job->away[task], face);
    }
}

static facet_status find_away(const facet_mesh *mesh, const facet_stream *normals,
                              const facet_options *options, facet_tally *away, facet_error *error)
{
    size_t tasks = ((size_t)mesh->face_count + FACES_PER_TASK - 1) / FACES_PER_TASK;
    facing_job job = {mesh, normals,
                      facet_arena_allocate_zeroed(mesh->arena, tasks, sizeof *job.away)};
    if (!job.away)
        return facet_fail_arena(mesh->arena, error);
    facet_run(options, count_away, &job, tasks);
    for (size_t task = tasks; task-- > 0;) {
        away->count += job.away[task].count;
        away->first = job.away[task].count > 0 ? job.away[task].first : away->first;
    }
    facet_arena_release(mesh->arena, job.away, tasks, sizeof *job.away);
    return FACET_OK;
}

/* Make space for `extra` more normals, and an index that no other stream shares. */
static facet_status make_space(facet_mesh *mesh, facet_stream *normals, uint32_t extra,
                               facet_error *error)
{
    size_t indices_size = (size_t)mesh->corner_count * sizeof *normals->indices;
    if (extra > FACET_NONE - normals->count)
        return facet_fail(error, FACET_ERROR_LIMIT, "MESH-NORMALS", FACET_NO_OFFSET,
                          "more than %" PRIu32 " normals", FACET_NONE);
    uint32_t *indices = facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *indices);
    float *data = facet_arena_allocate(mesh->arena, (size_t)normals->count + extra, 12);
    if (!indices || !data) {
        facet_arena_release(mesh->arena, data, (size_t)normals->count + extra, 12);
        facet_arena_release(mesh->arena, indices, mesh->corner_count, sizeof *indices);
        return facet_fail_arena(mesh->arena, error);
    }
    memcpy(indices, normals->indices, indices_size);
    memcpy(data, normals->data, (size_t)normals->count * 12);
    facet_stream_release_indices(mesh, normals);
    facet_arena_release(mesh->arena, normals->data, normals->count, 12);
    normals->indices = indices;
    normals->data = data;
    return FACET_OK;
}

facet_status facet_mesh_facing(facet_mesh *mesh, const facet_options *options, bool *changed,
                               facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    if (!normals || !facet_mesh_is_triangles(mesh))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "MESH-FACING", FACET_NO_OFFSET,
                          "triangles with normals were expected");
    facet_tally away = {0};
    double area[3];
    facet_status status = find_away(mesh, normals, options, &away, error);
    if (status || away.count == 0)
        return status ? status : facet_pass_done(false, changed);
    TRY(make_space(mesh, normals, (uint32_t)away.count, error));
    for (uint32_t face = (uint32_t)away.first; face < mesh->face_count; face++) {
        if (!faces_away(mesh, normals, face, area))
            continue;
        double length = sqrt(facet_dot(area, area));
        for (int i = 0; i < 3; i++)
            ((float *)normals->data)[(size_t)normals->count * 3 + i] = (float)(area[i] / length);
        for (uint32_t corner = face * 3; corner < face * 3 + 3; corner++)
            normals->indices[corner] = normals->count;
        normals->count++;
    }
    facet_report_add_tally(
        options ? options->report : NULL, "MESH-FACING", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
        &away, "triangle %" PRIu64 " faces away from the normals of its vertices and gets its own",
        away.first);
    return facet_pass_done(true, changed);
}
