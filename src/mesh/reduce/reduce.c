/* mesh/reduce/reduce.c - the pass: reduce the mesh, then write the result back to it. */
#include "mesh/reduce/reduce.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "mesh/streams.h"
#include "scene/format.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Giving back -------------------------------------------------------- */

/* Shrink the parts: the remaining faces keep their order. */
static void shrink_parts(facet_mesh *mesh, const facet_reducer *r)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < mesh->part_count; i++) {
        facet_part *part = &mesh->parts[i];
        uint32_t end = part->first_face + part->face_count;
        while (left < r->triangle_count && r->faces[left] < part->first_face)
            left++;
        uint32_t first = left;
        while (left < r->triangle_count && r->faces[left] < end)
            left++;
        part->first_face = first;
        part->face_count = left - first;
    }
}

/* Copy a list of one number per face for the remaining faces. NULL if `list` is NULL, or if out
 * of memory. */
static uint32_t *keep_faces(facet_mesh *mesh, const facet_reducer *r, const uint32_t *list)
{
    uint32_t *kept =
        list ? facet_arena_allocate(mesh->arena, r->triangle_count, sizeof *kept) : NULL;
    for (uint32_t i = 0; kept && i < r->triangle_count; i++)
        kept[i] = list[r->faces[i]];
    return kept;
}

/* Allocate all lists first, so that the mesh stays valid if memory runs out. */
static facet_status give_back(facet_mesh *mesh, const facet_reducer *r, facet_error *error)
{
    size_t corners = (size_t)r->triangle_count * 3;
    uint32_t *old = mesh->streams[0].indices;
    uint32_t *indices = facet_arena_allocate(mesh->arena, corners, sizeof *indices);
    uint32_t *materials = keep_faces(mesh, r, mesh->face_materials);
    uint32_t *smoothing = keep_faces(mesh, r, mesh->face_smoothing);
    if (!indices || (mesh->face_materials && !materials) || (mesh->face_smoothing && !smoothing))
        return facet_fail_arena(mesh->arena, error);
    facet_arena_release(mesh->arena, mesh->face_materials, mesh->face_count, sizeof *materials);
    facet_arena_release(mesh->arena, mesh->face_smoothing, mesh->face_count, sizeof *smoothing);
    mesh->face_materials = materials;
    mesh->face_smoothing = smoothing;
    shrink_parts(mesh, r);
    for (size_t i = 0; i < corners; i++)
        indices[i] = r->vertices[r->triangles[i]];
    facet_mesh_swap_indices(mesh, old, indices);
    facet_arena_release(mesh->arena, old, mesh->corner_count, sizeof *old);
    mesh->face_count = r->triangle_count;
    mesh->corner_count = (uint32_t)corners;
    return facet_mesh_renumber(mesh, NULL, NULL, error);
}

/* -- The pass ----------------------------------------------------------- */

static double diagonal_of(const facet_reducer *r)
{
    float high[3] = {0};
    for (uint32_t place = 0; place < r->place_count; place++) {
        for (int k = 0; k < 3; k++)
            high[k] = fmaxf(high[k], r->points[place][k]);
    }
    return sqrt((double)high[0] * (double)high[0] + (double)high[1] * (double)high[1] +
                (double)high[2] * (double)high[2]);
}

/* Largest number of triangles that may remain. */
static uint32_t most_triangles(const facet_mesh *mesh, const facet_reduce_options *how)
{
    double most = how->max_triangles > 0 ? (double)how->max_triangles : (double)UINT32_MAX;
    if (how->ratio > 0)
        most = fmin(most, (double)how->ratio * (double)mesh->face_count);
    return (uint32_t)most;
}

static facet_status reduce(facet_mesh *mesh, const facet_reduce_options *how,
                           const facet_options *options, facet_arena *arena, double *moved,
                           facet_error *error)
{
    facet_reducer r = {.arena = arena};
    facet_status status;
    uint32_t triangles = most_triangles(mesh, how);
    uint32_t vertices = how->max_vertices > 0 ? how->max_vertices : UINT32_MAX;
    double limit = INFINITY, worst = 0;
    if ((status = facet_reduce_gather(mesh, options, &r, error)) ||
        (status = facet_reduce_measure(&r, options, error)))
        return status;
    if (how->max_error > 0)
        limit = pow((double)how->max_error * diagonal_of(&r), 2);
    status = facet_reduce_collapse(&r, triangles, vertices, limit, options, &worst, error);
    *moved = sqrt(worst) / r.scale;
    return status ? status : give_back(mesh, &r, error);
}

static facet_status check(const facet_mesh *mesh, const facet_reduce_options *how,
                          facet_error *error)
{
    facet_status status =
        facet_check_struct_size(how->struct_size, sizeof *how, "facet_reduce_options", error);
    if (status)
        return status;
    if (!facet_mesh_is_triangles(mesh) || !facet_mesh_is_indexed(mesh))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the mesh does not consist of triangles with a single index");
    if (!(how->ratio >= 0 && how->ratio <= 1) || !(how->max_error >= 0))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the ratio is %g and the error %g, expected 0 to 1 and no less than 0",
                          (double)how->ratio, (double)how->max_error);
    const float *positions = mesh->stream_count > 0 ? mesh->streams[0].data : NULL;
    for (size_t i = 0; positions && i < (size_t)mesh->streams[0].count * 3; i++) {
        if (!isfinite(positions[i]))
            return facet_fail(error, FACET_ERROR_ARGUMENT, "REDUCE-FINITE", FACET_NO_OFFSET,
                              "position %zu is not finite", i / 3);
    }
    return FACET_OK;
}

static void report_left(const facet_mesh *mesh, const facet_reduce_options *how, uint32_t most,
                        const facet_options *options)
{
    uint32_t vertices = mesh->streams[0].count;
    bool triangles_left = (double)mesh->face_count > 1.1 * (double)most;
    bool vertices_left = how->max_vertices > 0 && vertices > how->max_vertices;
    if (triangles_left || vertices_left)
        facet_report_add(
            options ? options->report : NULL, "REDUCE-LEFT", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
            "%" PRIu32 " %s are left, expected %" PRIu32
            ": borders, seams and triangles that would fold are kept",
            vertices_left ? vertices : mesh->face_count, vertices_left ? "vertices" : "triangles",
            vertices_left ? how->max_vertices : most);
}

facet_status facet_mesh_reduce(facet_mesh *mesh, const facet_reduce_options *how,
                               const facet_options *options, bool *changed,
                               facet_reduce_summary *summary, facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    facet_status (*run)(facet_mesh *, const facet_reduce_options *, const facet_options *,
                        facet_arena *, double *, facet_error *) = FACET_WRITER(reduce);
    if (!run)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-ABSENT", FACET_NO_OFFSET,
                          "this build only reads; it cannot reduce meshes");
    facet_status status = check(mesh, how, error);
    if (!status)
        status = facet_step(options, "reduce", 0, error);
    if (status)
        return status;
    uint32_t before = mesh->face_count, most = most_triangles(mesh, how);
    double moved = 0;
    bool enough =
        mesh->stream_count == 0 || before == 0 ||
        (before <= most && (how->max_vertices == 0 || mesh->streams[0].count <= how->max_vertices));
    if (!enough) {
        facet_arena *arena = NULL;
        status = facet_arena_create(options, &arena, error);
        if (!status)
            status = run(mesh, how, options, arena, &moved, error);
        facet_arena_free(arena);
        if (!status)
            report_left(mesh, how, most, options);
    }
    if (status)
        return status;
    if (summary)
        *summary = (facet_reduce_summary){
            mesh->face_count, mesh->stream_count > 0 ? mesh->streams[0].count : 0, moved};
    return facet_pass_done(mesh->face_count != before, changed);
}
