/* view/difference.c - a scene whose colors are its distances from another one. Distances are
 * computed at vertices, and interpolated in triangles. */
#include "view/state.h"

#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "base/threads.h"
#include "mesh/surface.h"
#include "scene/axes.h"
#include "scene/scene.h"

#include <facet/pose.h>
#include <math.h>
#include <string.h>

/* From blue (distance 0) through green and yellow to red. */
void facet_view_difference_color(double share, uint8_t rgb[3])
{
    static const double stops[5][3] = {
        {38, 70, 180}, {40, 160, 200}, {70, 190, 90}, {240, 210, 60}, {215, 40, 40}};
    double at = fmin(fmax(share, 0), 1) * 4;
    int i = at < 3 ? (int)at : 3;
    for (int c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(stops[i][c] + (stops[i + 1][c] - stops[i][c]) * (at - i) + 0.5);
}

static float linear_of(uint8_t byte)
{
    return (float)facet_srgb_decode(byte / 255.0);
}

/* -- Distances ---------------------------------------------------------- */

typedef struct measuring {
    const facet_surface *surface;
    const facet_stream *positions;
    const float *turn; /* matrix to the common axes */
    double *distances;
    facet_surface_effort *effort;
} measuring;

enum { VERTICES = 1024 };

static void measure_some(void *argument, size_t task)
{
    const measuring *m = argument;
    uint32_t begin = (uint32_t)task * VERTICES, end = begin + VERTICES;
    end = end < m->positions->count ? end : m->positions->count;
    uint64_t left = VERTICES * m->effort->visits;
    for (uint32_t i = begin; i < end; i++) {
        const float *p = (const float *)m->positions->data + (size_t)i * 3;
        double point[3];
        facet_surface_hit hit;
        bool exact; /* if not, the color is that of a near triangle */
        for (int k = 0; k < 3; k++)
            point[k] = (double)m->turn[k] * (double)p[0] + (double)m->turn[4 + k] * (double)p[1] +
                       (double)m->turn[8 + k] * (double)p[2];
        facet_surface_near(&m->surface->tree, point, 0, &hit, 1, m->effort, &left, &exact);
        m->distances[i] = hit.distance;
    }
}

static facet_status measure(facet_scene *scene, const facet_surface *other, double **distances,
                            const facet_options *options, facet_view_distances *found,
                            facet_error *error)
{
    float turn[16];
    facet_surface_effort effort;
    facet_surface_effort_init(&effort, options);
    facet_axes_matrix(&scene->axes, turn);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_stream *positions = facet_mesh_find(scene->meshes[i], FACET_POSITION, 0);
        if (!positions)
            continue;
        distances[i] = facet_arena_allocate(scene->arena, positions->count, sizeof **distances);
        if (!distances[i])
            return facet_fail_arena(scene->arena, error);
        measuring m = {other, positions, turn, distances[i], &effort};
        facet_run(options, measure_some, &m, (positions->count + VERTICES - 1) / VERTICES);
        for (uint32_t k = 0; k < positions->count; k++)
            found->greatest =
                fmax(found->greatest, isfinite(distances[i][k]) ? distances[i][k] : 0);
    }
    found->given_up = atomic_load(&effort.given_up);
    return FACET_OK;
}

/* -- Colors ------------------------------------------------------------- */

static facet_status color_mesh(facet_mesh *mesh, const double *distances, double limit,
                               facet_error *error)
{
    facet_stream *stream = NULL;
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    uint32_t count = positions->count, *indices = positions->indices;
    facet_stream *old = facet_mesh_find(mesh, FACET_COLOR, 0);
    if (old)
        facet_mesh_remove_stream(mesh, old);
    TRY(facet_mesh_add_stream(mesh, FACET_COLOR, 0, NULL, FACET_FLOAT32, 4, count, &stream, error));
    stream->indices = indices;
    float *colors = stream->data;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t rgb[3];
        facet_view_difference_color(limit > 0 ? distances[i] / limit : 0, rgb);
        for (int c = 0; c < 3; c++)
            colors[(size_t)i * 4 + c] = linear_of(rgb[c]);
        colors[(size_t)i * 4 + 3] = 1;
    }
    return FACET_OK;
}

static facet_status color(facet_scene *scene, double *const *distances, double limit,
                          facet_error *error)
{
    facet_material *material = NULL;
    TRY(facet_scene_add_material(scene, "distance", &material, error));
    material->unlit = true;
    material->double_sided = true;
    uint32_t index = scene->material_count - 1;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        facet_mesh *mesh = scene->meshes[i];
        if (!distances[i] || mesh->face_count == 0)
            continue;
        mesh->face_materials =
            facet_arena_allocate(scene->arena, mesh->face_count, sizeof *mesh->face_materials);
        if (!mesh->face_materials)
            return facet_fail_arena(scene->arena, error);
        for (uint32_t f = 0; f < mesh->face_count; f++)
            mesh->face_materials[f] = index;
        TRY(color_mesh(mesh, distances[i], limit, error));
    }
    return FACET_OK;
}

/* -- All ---------------------------------------------------------------- */

/* Copy of a scene at rest, without nodes. */
static facet_status flat_copy(const facet_scene *scene, const facet_options *options,
                              facet_scene **copy, facet_error *error)
{
    TRY(facet_scene_copy(scene, options, copy, error));
    facet_status status = facet_scene_flatten(*copy, NULL, options, error);
    if (status) {
        facet_scene_free(*copy);
        *copy = NULL;
    }
    return status;
}

static facet_status make(facet_scene *first, const facet_scene *second,
                         const facet_options *options, facet_view_distances *found,
                         facet_arena *arena, facet_error *error)
{
    static const double range[2] = {0, 1};
    facet_surface surface = {0};
    double a = first->axes.unit, b = second->axes.unit;
    TRY(facet_surface_gather(second, a > 0 && b > 0 ? b / a : 1, options, range, arena, &surface,
                             error));
    if (surface.triangle_count == 0)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the other file has no triangles to measure from");
    double **distances =
        facet_arena_allocate_zeroed(first->arena, first->mesh_count, sizeof *distances);
    if (!distances)
        return facet_fail_arena(first->arena, error);
    TRY(measure(first, &surface, distances, options, found, error));
    return color(first, distances, found->greatest, error);
}

facet_status facet_view_make_difference(const facet_scene *first, const facet_scene *second,
                                        const facet_options *options, facet_view_model **model,
                                        facet_view_distances *found, facet_error *error)
{
    facet_options quiet = *options;
    facet_scene *one = NULL, *other = NULL;
    facet_arena *arena = NULL;
    quiet.report = NULL;
    *found = (facet_view_distances){0};
    facet_status status = flat_copy(first, &quiet, &one, error);
    if (!status)
        status = flat_copy(second, &quiet, &other, error);
    if (!status)
        status = facet_arena_create(&quiet, &arena, error);
    if (!status)
        status = make(one, other, &quiet, found, arena, error);
    facet_arena_free(arena);
    facet_scene_free(other);
    if (status) {
        facet_scene_free(one);
        return status;
    }
    return facet_view_model_create(one, &quiet, model, error);
}
