/* mesh/tangents/tangents.c - tangents as MikkTSpace computes them: M. S. Mikkelsen, "Simulation
 * of Wrinkled Surfaces Revisited", 2008. space.h describes the steps. */
#include "mesh/tangents/tangents.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/scratch.h"
#include "base/threads.h"
#include "mesh/streams.h"
#include "mesh/tangents/space.h"
#include "scene/scene.h"

#include <string.h>

/* -- Without texture coordinates ---------------------------------------- */

/* One tangent per normal: the stream shares the normals' index. */
static facet_status tangents_of_normals(facet_mesh *mesh, const facet_options *options,
                                        facet_error *error)
{
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    uint32_t count = normals->count, *indices = normals->indices;
    const float *normal = normals->data;
    facet_stream *stream;
    TRY(facet_mesh_add_stream(mesh, FACET_TANGENT, 0, NULL, FACET_FLOAT32, 4, count, &stream,
                              error));
    stream->indices = indices;
    float *tangent = stream->data;
    for (size_t i = 0; i < count; i++) {
        facet_tangent_fallback(normal + 3 * i, tangent + 4 * i);
        tangent[4 * i + 3] = 1;
    }
    facet_report_add(options ? options->report : NULL, "MESH-TANGENT-NO-UV", FACET_SEVERITY_NOTE,
                     FACET_NO_OFFSET,
                     "mesh \"%s\" has no texture coordinates: its tangents are any unit vectors "
                     "orthogonal to the normals",
                     mesh->name ? mesh->name : "");
    return FACET_OK;
}

/* -- Around the vertices ------------------------------------------------ */

/* The first tangent at a vertex becomes the element with the number of the vertex. Further
 * tangents (extras) are appended after all of these. The first round writes first tangents and
 * counts the extras. If there are any, a second round writes them. */
typedef struct tangent_job {
    const facet_tangent_mesh *mesh;
    float (*tangents)[4]; /* w is 0 while the element has no tangent */
    uint32_t *indices;    /* per corner; NULL in the first round */
    uint32_t *extras;     /* per task: number of extras in the first round, index of the first one
                             in the second */
    uint8_t *has_extras;  /* per id */
    facet_scratch fans;   /* memory for the fan of each task */
    facet_status status;
    facet_error *error;
} tangent_job;

/* Ids per task, and corners per block. Ids with more corners than a block are processed after
 * the tasks. */
#define IDS_PER_TASK 4096
#define BLOCK 256

/* The element of extra (vertex, result): one of the `count` extras of this fan, or a new one
 * after them. */
static uint32_t find_extra(facet_fan *fan, uint32_t *count, uint32_t vertex, uint32_t result)
{
    for (uint32_t i = *count, tries = BLOCK; i-- > 0 && tries-- > 0;) {
        if (fan->extras[i][0] == vertex && fan->extras[i][1] == result)
            return i;
    }
    fan->extras[*count][0] = vertex;
    fan->extras[*count][1] = result;
    return (*count)++;
}

/* Write one tangent for all corners of an id, to every vertex with its values. */
static void emit_one(const tangent_job *job, const facet_fan *fan, uint32_t begin, uint32_t count)
{
    const facet_tangent_mesh *mesh = job->mesh;
    uint32_t different = mesh->own_ids ? count : 1;
    for (uint32_t i = begin; i < begin + different; i++)
        memcpy(job->tangents[mesh->vertices[fan->corner[i]]], fan->results[0],
               sizeof *job->tangents);
}

/* Write the results of an id's corners. Returns the number of its extras. */
static uint32_t emit(tangent_job *job, facet_fan *fan, uint32_t begin, uint32_t count,
                     uint32_t first_extra)
{
    uint32_t extras = 0;
    if (fan->result_count == 1 && !job->indices) {
        emit_one(job, fan, begin, count);
        return 0;
    }
    for (uint32_t i = begin; i < begin + count; i++) {
        uint32_t corner = fan->corner[i], vertex = job->mesh->vertices[corner];
        const float *result = fan->results[fan->result[i]];
        float *own = job->tangents[vertex];
        uint32_t element = vertex;
        if (own[3] == 0) {
            memcpy(own, result, sizeof *job->tangents);
        } else if (memcmp(own, result, sizeof *job->tangents) != 0) {
            uint32_t known = extras, extra = find_extra(fan, &extras, vertex, fan->result[i]);
            element = first_extra + extra;
            if (job->indices && extra == known)
                memcpy(job->tangents[element], result, sizeof *job->tangents);
        }
        if (job->indices)
            job->indices[corner] = element;
    }
    return extras;
}

/* Compute and write the results of a fan that holds the corners of `ids`. Empties the fan, and
 * returns the number of extras. */
static uint32_t finish_block(tangent_job *job, facet_fan *fan, const uint32_t *ids,
                             uint32_t id_count, uint32_t first_extra)
{
    uint32_t begin = 0, extras = 0;
    facet_fan_measure(fan);
    for (uint32_t i = 0; i < id_count; i++) {
        uint32_t count = facet_tangent_valence(job->mesh, ids[i]);
        facet_fan_resolve(fan, job->mesh, begin, count);
        uint32_t more = emit(job, fan, begin, count, first_extra + extras);
        if (!job->indices)
            job->has_extras[ids[i]] = more > 0;
        extras += more;
        begin += count;
    }
    fan->count = 0;
    return extras;
}

static void tangent_task(void *argument, size_t task)
{
    tangent_job *job = argument;
    const facet_tangent_mesh *mesh = job->mesh;
    uint8_t *memory = facet_scratch_take(&job->fans);
    facet_fan fan;
    facet_fan_init(&fan, memory, BLOCK);
    uint32_t ids[BLOCK], id_count = 0, extras = 0;
    uint32_t first_extra = job->indices ? job->extras[task] : 0;
    uint32_t begin = (uint32_t)task * IDS_PER_TASK, left = mesh->vertex_count - begin;
    uint32_t end = begin + (left < IDS_PER_TASK ? left : IDS_PER_TASK);
    for (uint32_t id = begin; id < end; id++) {
        uint32_t count = facet_tangent_valence(mesh, id);
        if (count == 0 || count > BLOCK || (job->indices && !job->has_extras[id]))
            continue;
        if (count > BLOCK - fan.count) {
            extras += finish_block(job, &fan, ids, id_count, first_extra + extras);
            id_count = 0;
        }
        facet_fan_add(&fan, mesh, id);
        ids[id_count++] = id;
    }
    extras += finish_block(job, &fan, ids, id_count, first_extra + extras);
    if (!job->indices)
        job->extras[task] = extras;
    facet_scratch_return(&job->fans, memory);
}

/* Process the ids that have too many corners for the tasks, with separate memory. */
static bool finish_wide(tangent_job *job, uint32_t first_extra, uint32_t *extras)
{
    const facet_tangent_mesh *mesh = job->mesh;
    *extras = 0;
    if (mesh->widest <= BLOCK)
        return true;
    size_t space = FACET_FAN_CAPACITY(mesh->widest);
    void *memory = facet_arena_allocate(mesh->arena, space, FACET_FAN_BYTES);
    if (!memory)
        return false;
    facet_fan fan;
    facet_fan_init(&fan, memory, mesh->widest);
    for (uint32_t id = 0; id < mesh->vertex_count; id++) {
        if (facet_tangent_valence(mesh, id) <= BLOCK || (job->indices && !job->has_extras[id]))
            continue;
        facet_fan_add(&fan, mesh, id);
        *extras += finish_block(job, &fan, &id, 1, first_extra + *extras);
    }
    facet_arena_release(mesh->arena, memory, space, FACET_FAN_BYTES);
    return true;
}

/* -- The stream --------------------------------------------------------- */

/* The first round. *extras becomes the number of elements beyond one per vertex. */
static bool count_extras(tangent_job *job, const facet_options *options, size_t tasks,
                         uint32_t *extras)
{
    uint32_t wide, next = job->mesh->vertex_count;
    if ((job->status = facet_run_steps(options, tangent_task, job, tasks, "tangents",
                                       (const double[2]){0.4, 0.9}, job->error)))
        return false;
    if (!finish_wide(job, 0, &wide))
        return false;
    for (size_t task = 0; task < tasks; task++) {
        uint32_t own = job->extras[task];
        job->extras[task] = next;
        next += own;
    }
    job->extras[tasks] = next;
    *extras = next + wide - job->mesh->vertex_count;
    return true;
}

/* The second round: allocate the extras, and a separate index for the stream. */
static bool place_extras(tangent_job *job, const facet_options *options, size_t tasks,
                         facet_stream *stream, uint32_t extras)
{
    const facet_tangent_mesh *mesh = job->mesh;
    void *grown = facet_arena_resize(mesh->arena, stream->data, stream->count,
                                     (size_t)stream->count + extras, sizeof *job->tangents);
    if (!grown)
        return false;
    stream->data = job->tangents = grown;
    stream->count += extras;
    stream->indices =
        facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *stream->indices);
    if (!stream->indices)
        return false;
    memcpy(stream->indices, mesh->vertices, mesh->corner_count * sizeof *stream->indices);
    job->indices = stream->indices;
    uint32_t wide;
    facet_run(options, tangent_task, job, tasks);
    return finish_wide(job, job->extras[tasks], &wide);
}

/* Give a tangent to vertices that no corner uses. */
static void fill_unused(const facet_tangent_mesh *mesh, float (*tangents)[4])
{
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (tangents[vertex][3] == 0) {
            facet_tangent_fallback(mesh->normals + (size_t)vertex * 3, tangents[vertex]);
            tangents[vertex][3] = 1;
        }
    }
}

/* Only FACET_ERROR_CANCELED is passed on; any other failure means out of memory. */
static facet_status fill_stream(facet_tangent_mesh *mesh, facet_stream *stream,
                                const facet_options *options, facet_error *error)
{
    facet_arena *arena = mesh->arena;
    size_t tasks = ((size_t)mesh->vertex_count + IDS_PER_TASK - 1) / IDS_PER_TASK;
    tangent_job job = {.mesh = mesh,
                       .tangents = stream->data,
                       .extras = facet_arena_allocate(arena, tasks + 1, sizeof *job.extras),
                       .has_extras = facet_arena_allocate(arena, mesh->vertex_count, 1),
                       .error = error};
    uint32_t extras = 0;
    bool fits = facet_scratch_make(&job.fans, arena, options,
                                   FACET_FAN_CAPACITY(BLOCK) * FACET_FAN_BYTES) &&
                job.extras && job.has_extras;
    if (fits)
        job.status = facet_tangent_mesh_finish(mesh, job.tangents, options, error);
    if (fits && !job.status && mesh->left > 0)
        job.status = facet_tangent_mesh_direct(mesh, options, error);
    if (fits && !job.status && mesh->left > 0)
        job.status = facet_tangent_mesh_connect(mesh, error);
    fits = fits && !job.status;
    if (fits && mesh->left > 0)
        fits = count_extras(&job, options, tasks, &extras);
    if (fits && (mesh->has_unused || mesh->own_ids))
        fill_unused(mesh, job.tangents);
    if (fits && extras > 0)
        fits = place_extras(&job, options, tasks, stream, extras);
    facet_scratch_release(&job.fans, arena);
    facet_arena_release(arena, job.has_extras, mesh->vertex_count, 1);
    facet_arena_release(arena, job.extras, tasks + 1, sizeof *job.extras);
    if (!fits && !job.status)
        job.status = facet_fail_arena(arena, error);
    return job.status;
}

static facet_status add_tangents(facet_mesh *mesh, facet_tangent_mesh *space,
                                 const facet_options *options, facet_error *error)
{
    facet_stream *stream;
    TRY(facet_mesh_add_stream(mesh, FACET_TANGENT, 0, NULL, FACET_FLOAT32, 4, space->vertex_count,
                              &stream, error));
    facet_status status = fill_stream(space, stream, options, error);
    if (status) {
        facet_mesh_remove_stream(mesh, stream);
        return status;
    }
    if (!stream->indices && space->own_vertices) {
        stream->indices = space->own_vertices;
        space->own_vertices = NULL;
    } else if (!stream->indices) {
        stream->indices = facet_mesh_find(mesh, FACET_POSITION, 0)->indices;
    }
    return FACET_OK;
}

static facet_status check_mesh(const facet_mesh *mesh, facet_error *error)
{
    if (!facet_mesh_is_triangles(mesh))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "MESH-TANGENT", FACET_NO_OFFSET,
                          "tangents need triangles, and the mesh has other polygons");
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    if (!positions || !facet_mesh_find(mesh, FACET_NORMAL, 0))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "MESH-TANGENT", FACET_NO_OFFSET,
                          "tangents need positions and normals, and the mesh has no %s",
                          positions ? "normals" : "positions");
    if (mesh->corner_count > INT32_MAX || positions->count > INT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, "MESH-TANGENT", FACET_NO_OFFSET,
                          "tangents are computed for up to %d corners and vertices, and the mesh "
                          "has %lu and %lu",
                          INT32_MAX, (unsigned long)mesh->corner_count,
                          (unsigned long)positions->count);
    return FACET_OK;
}

static facet_status compute_tangents(facet_mesh *mesh, bool distinct, const facet_options *options,
                                     facet_error *error)
{
    facet_tangent_mesh space;
    facet_status status = facet_step(options, "tangents", 0, error);
    if (status)
        return status;
    const facet_options own = facet_options_within(
        options, mesh->arena,
        mesh->corner_count * (uint64_t)192 + facet_thread_count(options) * (uint64_t)32768);
    options = &own;
    status = facet_tangent_mesh_weld(&space, mesh, distinct, options, error);
    if (!status)
        status = facet_step(options, "tangents", 0.2, error);
    if (!status)
        status = facet_tangent_mesh_measure(&space, options, error);
    if (!status)
        status = add_tangents(mesh, &space, options, error);
    facet_tangent_mesh_free(&space);
    return status;
}

static facet_status run(facet_mesh *mesh, bool distinct, const facet_options *options,
                        bool *changed, facet_error *error)
{
    if (facet_mesh_find(mesh, FACET_TANGENT, 0))
        return facet_pass_done(false, changed);
    TRY(check_mesh(mesh, error));
    facet_status status = facet_mesh_find(mesh, FACET_TEXCOORD, 0)
                              ? compute_tangents(mesh, distinct, options, error)
                              : tangents_of_normals(mesh, options, error);
    return status ? status : facet_pass_done(true, changed);
}

facet_status facet_mesh_tangents(facet_mesh *mesh, const facet_options *options, bool *changed,
                                 facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    return run(mesh, false, options, changed, error);
}

facet_status facet_mesh_tangents_distinct(facet_mesh *mesh, const facet_options *options,
                                          bool *changed, facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    return run(mesh, true, options, changed, error);
}
