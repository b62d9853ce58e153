/* formats/j3d/fifo/view.c - the camera of a model, and its projection. */
#include "base/error.h"
#include "base/exact.h"
#include "base/vec.h"
#include "formats/j3d/fifo/frame.h"
#include "formats/j3d/gpu/geometry.h"
#include "scene/fit_camera.h"

#include <math.h>
#include <string.h>

/* -- Visible vertices --------------------------------------------------- */

typedef struct gathering {
    facet_arena *arena;
    float (*points)[3];
    size_t count, capacity;
} gathering;

static bool extend(gathering *g, size_t more)
{
    if (more > g->capacity - g->count) {
        size_t capacity = g->capacity > more ? g->capacity * 2 : g->capacity + more;
        float(*points)[3] =
            facet_arena_resize(g->arena, g->points, g->capacity, capacity, sizeof *points);
        if (!points)
            return false;
        g->points = points;
        g->capacity = capacity;
    }
    return true;
}

/* Drop points that are not finite, because no camera shows them. Return the number of the others,
 * which move to the front. */
static uint32_t drop_infinite(float (*points)[3], uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (isfinite(points[i][0]) && isfinite(points[i][1]) && isfinite(points[i][2]))
            memmove(points[kept++], points[i], sizeof *points);
    }
    return kept;
}

static facet_status gather(const facet_j3d_posed *posed, const facet_j3d_skeleton *skeleton,
                           gathering *g, facet_error *error)
{
    facet_j3d_decoder decoder = {.document = &posed->document, .arena = g->arena};
    for (uint32_t i = 0; i < posed->document.shapes.count; i++) {
        facet_j3d_geometry geometry;
        if (posed->is_hidden[i])
            continue;
        TRY(facet_j3d_decode_shape(&decoder, i, &geometry, error));
        if (!facet_j3d_geometry_has(&geometry, FACET_J3D_POSITION))
            continue;
        if (!extend(g, geometry.vertex_count))
            return facet_fail_arena(g->arena, error);
        float(*points)[3] = g->points + g->count;
        facet_j3d_geometry_positions(&geometry, points[0]);
        for (uint32_t v = 0; v < geometry.vertex_count; v++) {
            uint16_t draw = facet_j3d_geometry_draw_matrix(&geometry, v);
            float point[3];
            memcpy(point, points[v], sizeof point);
            facet_j3d_matrix_point(facet_j3d_skeleton_draw_matrix(&posed->document, skeleton, draw),
                                   point, points[v]);
        }
        g->count += drop_infinite(points, geometry.vertex_count);
    }
    return FACET_OK;
}

/* -- The camera --------------------------------------------------------- */

/* Set right, up and toward the viewer. False if these are not valid directions. */
static bool set_axes(const facet_j3d_camera *camera, double matrix[12])
{
    double axes[3][3];
    if (!facet_camera_axes(camera->position, camera->target, camera->up, axes))
        return false;
    for (int row = 0; row < 3; row++) {
        memcpy(matrix + row * 4, axes[row], sizeof axes[row]);
        matrix[row * 4 + 3] = -facet_dot(axes[row], camera->position);
    }
    return true;
}

/* Find near and far planes around all points, to use the full range of depths. */
static void find_planes(const facet_j3d_view *view, const gathering *g, double *near_z,
                        double *far_z)
{
    double least = 1e300, most = -1e300;
    for (size_t i = 0; i < g->count; i++) {
        const float *p = g->points[i];
        double z = -view->matrix[11];
        for (int k = 0; k < 3; k++)
            z -= view->matrix[8 + k] * (double)p[k];
        least = z < least ? z : least;
        most = z > most ? z : most;
    }
    if (!(least <= most))
        least = 1, most = 2;
    double span = most > least ? most - least : 1;
    *far_z = most + span * 0.01;
    *near_z = least - span * 0.01;
    if (!view->is_orthographic) {
        *far_z = *far_z > 1e-30 ? *far_z : 1e-30;
        *near_z = *near_z > *far_z * 1e-4 ? *near_z : *far_z * 1e-4;
    }
}

/* Set the chip's projection: words 0 to 3 for x and y, 4 and 5 for z, from -1 (far) to 0 (near). */
static void set_projection(facet_j3d_view *view, const facet_j3d_camera *camera, const gathering *g)
{
    double near_z, far_z, k;
    double least = view->width < view->height ? view->width : view->height;
    find_planes(view, g, &near_z, &far_z);
    if (view->is_orthographic) {
        k = 2 / camera->height;
        view->projection[4] = (float)(-1 / (far_z - near_z));
        view->projection[5] = (float)(-far_z / (far_z - near_z));
    } else {
        double sine, cosine;
        facet_exact_sine_cosine(camera->field_of_view / 2, &sine, &cosine);
        k = cosine / sine;
        view->projection[4] = (float)(-near_z / (far_z - near_z));
        view->projection[5] = (float)(-far_z * near_z / (far_z - near_z));
    }
    view->projection[0] = (float)(k * least / view->width);
    view->projection[1] = 0;
    view->projection[2] = (float)(k * least / view->height);
    view->projection[3] = 0;
}

static void fit(const gathering *g, const facet_j3d_view *view, facet_j3d_camera *camera)
{
    facet_fitted_camera fitted;
    facet_fit_camera((const float(*)[3])g->points, NULL, g->count, view->width, view->height,
                     &(facet_fit_camera_options){0}, &fitted);
    memcpy(camera->position, fitted.position, sizeof camera->position);
    memcpy(camera->target, fitted.target, sizeof camera->target);
    memcpy(camera->up, fitted.up, sizeof camera->up);
    camera->field_of_view = fitted.field_of_view;
    camera->height = fitted.height;
}

facet_status facet_j3d_view_make(const facet_j3d_posed *posed, const facet_j3d_skeleton *skeleton,
                                 const facet_j3d_options *options, facet_arena *arena,
                                 facet_j3d_view *view, facet_error *error)
{
    gathering g = {.arena = arena};
    facet_j3d_camera camera = {0};
    memset(view, 0, sizeof *view);
    view->width = options && options->width ? options->width : FACET_J3D_FIFO_WIDTH;
    view->height = options && options->height ? options->height : FACET_J3D_FIFO_HEIGHT;
    TRY(gather(posed, skeleton, &g, error));
    if (options && options->camera)
        camera = *options->camera;
    else
        fit(&g, view, &camera);
    view->is_orthographic = !(camera.field_of_view > 0);
    bool valid = set_axes(&camera, view->matrix) && camera.field_of_view < 179 &&
                 (!view->is_orthographic || camera.height > 0);
    if (!valid)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-FIFO-CAMERA", FACET_NO_OFFSET,
                          "the camera needs a target away from its position, and a field of view "
                          "below 179 degrees or a height");
    set_projection(view, &camera, &g);
    return FACET_OK;
}
