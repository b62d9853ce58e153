/* mesh/cluster/place.c - the vertex of each cell, and the mesh of all. */
#include "mesh/cluster/cluster.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/vec.h"
#include "mesh/eigenvectors.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Least share of the largest eigenvalue, after Lindstrom. In the directions of smaller ones the
 * surface is flat, and the vertex stays at the mean. */
#define LEAST_EIGENVALUE 1e-3
/* Smallest length of open edges in a cell, in cells: less is rounding of sums. */
#define LEAST_BORDER 1e-3

/* Squared distances around a point: x A x - 2 b x. */
typedef struct quadric {
    double squares[3][3], linear[3];
} quadric;

/* Add the distance from the line of the cell's open edges. The line has the sum of their directions
 * and moments. */
static void add_border(const facet_cell *cell, double size, const double mean[3], quadric *q)
{
    double along[3], foot[3], length = sqrt(facet_dot(cell->directions, cell->directions));
    if (!(length > LEAST_BORDER * size))
        return;
    facet_cross(cell->directions, cell->moments, foot);
    for (int k = 0; k < 3; k++) {
        along[k] = cell->directions[k] / length;
        foot[k] = foot[k] / (length * length) - mean[k];
    }
    double weight = length * size, across = facet_dot(along, foot);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            q->squares[i][k] += weight * ((i == k) - along[i] * along[k]);
        q->linear[i] += weight * (foot[i] - across * along[i]);
    }
}

/* The squared distances from the planes and the border, around the mean of the vertices. */
static void sum_quadric(const facet_cell *cell, double size, const double mean[3], quadric *q)
{
    int next = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = i; k < 3; k++)
            q->squares[i][k] = q->squares[k][i] = cell->squares[next++];
    }
    for (int i = 0; i < 3; i++)
        q->linear[i] = cell->linear[i] - facet_dot(q->squares[i], mean);
    add_border(cell, size, mean, q);
}

/* Step from the mean to the point that is nearest to all planes. */
static void find_step(const quadric *q, double step[3])
{
    double trace = q->squares[0][0] + q->squares[1][1] + q->squares[2][2], m[3][3], axes[3][3];
    step[0] = step[1] = step[2] = 0;
    if (!(trace > 0) || !isfinite(trace))
        return;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            m[i][k] = q->squares[i][k] / trace;
    }
    facet_eigenvectors(m, axes);
    double most = fmax(m[0][0], fmax(m[1][1], m[2][2]));
    for (int i = 0; i < 3; i++) {
        if (m[i][i] <= LEAST_EIGENVALUE * most)
            continue;
        double length = facet_dot(axes[i], q->linear) / trace / m[i][i];
        for (int k = 0; k < 3; k++)
            step[k] += length * axes[i][k];
    }
}

/* Place the vertex of a cell. It stays in its cell, because planes that are nearly parallel meet
 * far away. */
static void place(const facet_clusters *c, uint32_t number, float to[3])
{
    const facet_cell *cell = &c->cells[number];
    double mean[3], low[3], step[3], share = 1;
    quadric q;
    facet_cluster_corner(c, number, low);
    for (int k = 0; k < 3; k++)
        mean[k] = cell->positions[k] / (double)cell->count;
    sum_quadric(cell, c->size, mean, &q);
    find_step(&q, step);
    for (int k = 0; k < 3; k++) {
        double most = step[k] < 0 ? mean[k] - low[k] : low[k] + c->size - mean[k];
        if (fabs(step[k]) > most)
            share = fmin(share, fmax(most, 0) / fabs(step[k]));
    }
    for (int k = 0; k < 3; k++)
        to[k] = (float)(c->origin[k] + mean[k] + step[k] * share);
}

/* -- The mesh ----------------------------------------------------------- */

/* Number the cells that triangles use, in the order of the triangles. Returns their count. */
static uint32_t number_used(const facet_clusters *c, uint32_t *numbers)
{
    uint32_t used = 0;
    memset(numbers, 0xFF, c->cell_count * sizeof *numbers);
    for (uint32_t i = 0; i < c->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            uint32_t *number = &numbers[c->triangles[i][k]];
            if (*number == FACET_NONE)
                *number = used++;
        }
    }
    return used;
}

static facet_status add_positions(const facet_clusters *c, const uint32_t *numbers, uint32_t used,
                                  facet_mesh *mesh)
{
    facet_stream *stream = NULL;
    TRY(facet_mesh_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, used, &stream,
                              c->error));
    stream->indices =
        facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *stream->indices);
    if (!stream->indices)
        return facet_fail_arena(mesh->arena, c->error);
    for (uint32_t i = 0; i < mesh->corner_count; i++)
        stream->indices[i] = numbers[c->triangles[i / 3][i % 3]];
    float(*points)[3] = stream->data;
    for (uint32_t i = 0; i < c->cell_count; i++) {
        if (numbers[i] != FACET_NONE)
            place(c, i, points[numbers[i]]);
    }
    return FACET_OK;
}

static facet_status add_colors(const facet_clusters *c, const uint32_t *numbers, uint32_t used,
                               facet_mesh *mesh)
{
    facet_stream *stream = NULL;
    const uint32_t width = c->color_components;
    if (!c->has_colors)
        return FACET_OK;
    TRY(facet_mesh_add_stream(mesh, FACET_COLOR, 0, NULL, FACET_FLOAT32, width, used, &stream,
                              c->error));
    stream->indices = mesh->streams[0].indices;
    float *colors = stream->data;
    for (uint32_t i = 0; i < c->cell_count; i++) {
        for (uint32_t k = 0; k < width && numbers[i] != FACET_NONE; k++)
            colors[(size_t)numbers[i] * width + k] =
                (float)(c->cells[i].colors[k] / (double)c->cells[i].count);
    }
    return FACET_OK;
}

static facet_status add_materials(const facet_clusters *c, facet_mesh *mesh)
{
    if (!c->has_materials)
        return FACET_OK;
    mesh->face_materials =
        facet_arena_allocate(mesh->arena, mesh->face_count, sizeof *mesh->face_materials);
    if (!mesh->face_materials)
        return facet_fail_arena(mesh->arena, c->error);
    memcpy(mesh->face_materials, c->materials, mesh->face_count * sizeof *c->materials);
    return FACET_OK;
}

facet_status facet_clusters_to_mesh(facet_clusters *c, facet_mesh *mesh)
{
    TRY(facet_clusters_finish(c));
    if (c->triangle_count > FACET_NONE / 3 - 1)
        return facet_fail(c->error, FACET_ERROR_LIMIT, "CLUSTER-LIMIT", FACET_NO_OFFSET,
                          "the clusters have more corners than 32 bits can count");
    uint32_t *numbers = facet_arena_allocate(c->arena, c->cell_count, sizeof *numbers);
    if (!numbers)
        return facet_fail_arena(c->arena, c->error);
    uint32_t used = number_used(c, numbers);
    mesh->face_count = c->triangle_count;
    mesh->corner_count = c->triangle_count * 3;
    facet_status status = add_positions(c, numbers, used, mesh);
    if (!status)
        status = add_colors(c, numbers, used, mesh);
    if (!status)
        status = add_materials(c, mesh);
    facet_arena_release(c->arena, numbers, c->cell_count, sizeof *numbers);
    return status;
}

facet_status facet_clusters_add_to_scene(facet_clusters *c, facet_scene *scene,
                                         const facet_options *options)
{
    facet_report *report = options ? options->report : NULL;
    facet_mesh *mesh = NULL;
    TRY(facet_clusters_finish(c));
    if (c->triangle_count == 0) {
        facet_report_add(report, "CLUSTER-EMPTY", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         c->triangles_read == 0 ? "the file has no triangles to cluster"
                                                : "no triangle has corners in three clusters");
        return FACET_OK;
    }
    TRY(facet_scene_add_mesh(scene, &mesh, c->error));
    TRY(facet_clusters_to_mesh(c, mesh));
    /* A color such as 1e38 is infinite in linear space. */
    TRY(facet_scene_replace_nonfinite(scene, options, c->error));
    facet_report_add(report, "CLUSTER-READ", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                     "%" PRIu64 " triangles were clustered to %" PRIu32 ", with %" PRIu32
                     " vertices at distances of about %.3g",
                     c->triangles_read, mesh->face_count, mesh->streams[0].count, c->size);
    return FACET_OK;
}
