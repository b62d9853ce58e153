/* render/camera.c - where the picture is taken from: given, or fitted so that all that
 * is seen fills it. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

/* -- Directions --------------------------------------------------------- */

static bool make_unit(double v[3])
{
    double length = sqrt(facet_dot(v, v));
    if (!(length > 1e-30))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

/* Right, up and toward the viewer, from the last and what is about up. */
static void make_axes(const double toward[3], const double up[3], double axes[3][3])
{
    static const double others[2][3] = {{0, 0, -1}, {1, 0, 0}};
    memcpy(axes[2], toward, 3 * sizeof *toward);
    facet_cross(up, axes[2], axes[0]);
    for (int i = 0; i < 2 && facet_dot(axes[0], axes[0]) < 1e-12; i++)
        facet_cross(others[i], axes[2], axes[0]);
    make_unit(axes[0]);
    facet_cross(axes[2], axes[0], axes[1]);
}

/* -- What is seen ------------------------------------------------------- */

/* The vertices that triangles, lines and points use, of what the mode shows. */
static void find_bounds(const facet_render_view *view, facet_picture *picture, uint8_t *used)
{
    const facet_renderer *r = view->renderer;
    picture->any = false;
    for (uint32_t d = 0; d < view->draw_count; d++) {
        const facet_render_draw *draw = &view->draws[d];
        const facet_render_instance *instance = draw->instance;
        const uint32_t *corners = instance->corners + (size_t)draw->batch->first_face * 3;
        uint32_t first =
            instance->ends ? r->instances[instance->source].first_vertex : instance->first_vertex;
        for (size_t i = 0; i < (size_t)draw->batch->face_count * 3; i++) {
            if (corners[i] < instance->vertex_count)
                used[first + facet_render_source_vertex(instance, corners[i])] = 1;
        }
    }
    for (uint32_t i = 0; i < r->vertex_count; i++) {
        if (!used[i])
            continue;
        for (int c = 0; c < 3; c++) {
            double value = (double)view->positions[i][c];
            if (!picture->any || value < picture->minimum[c])
                picture->minimum[c] = value;
            if (!picture->any || value > picture->maximum[c])
                picture->maximum[c] = value;
        }
        picture->any = true;
        picture->vertices++;
    }
}

/* Flat things are looked at along their thin axis, a little from the side. */
static void choose_direction(const facet_render_view *view, const facet_picture *picture,
                             double *azimuth, double *elevation)
{
    double size[3], most = 0;
    *azimuth = 32, *elevation = 22;
    if (view->how.has_direction) {
        *azimuth = view->how.azimuth, *elevation = view->how.elevation;
        return;
    }
    for (int c = 0; c < 3; c++) {
        size[c] = picture->maximum[c] - picture->minimum[c];
        most = size[c] > most ? size[c] : most;
    }
    if (size[1] < most * 0.02)
        *azimuth = 0, *elevation = 75;
    else if (size[2] < most * 0.02)
        *azimuth = 15, *elevation = 0;
    else if (size[0] < most * 0.02)
        *azimuth = 75, *elevation = 0;
}

/* The nearest camera that sees every vertex: for a slope t of the sides, x - c is at most t
 * times how far in front it is, so the extremes of x + t z and -x + t z say where the two
 * sides meet. */
static void fit(const facet_render_view *view, const facet_picture *picture, const uint8_t *used,
                facet_render_camera *camera)
{
    enum { FIELD = 30 };
    double azimuth, elevation, s, c, es, ec, axes[3][3], slopes[2], sine, cosine;
    static const double up[3] = {0, 1, 0};
    choose_direction(view, picture, &azimuth, &elevation);
    facet_exact_sine_cosine(azimuth, &s, &c);
    facet_exact_sine_cosine(elevation, &es, &ec);
    const double toward[3] = {s * ec, es, c * ec};
    make_axes(toward, up, axes);
    bool flat = view->how.orthographic;
    facet_exact_sine_cosine(FIELD / 2.0, &sine, &cosine);
    uint32_t least = view->width < view->height ? view->width : view->height;
    for (int i = 0; i < 2; i++)
        slopes[i] = flat ? 0 : sine / cosine * (i ? view->height : view->width) / least;
    double high[2] = {-1e300, -1e300}, low[2] = {-1e300, -1e300}, front = -1e300;
    for (uint32_t i = 0; i < view->renderer->vertex_count; i++) {
        if (!used[i])
            continue;
        const double p[3] = {(double)view->positions[i][0], (double)view->positions[i][1],
                             (double)view->positions[i][2]};
        double z = facet_dot(axes[2], p);
        front = z > front ? z : front;
        for (int k = 0; k < 2; k++) {
            double x = facet_dot(axes[k], p), a = x + slopes[k] * z, b = -x + slopes[k] * z;
            high[k] = a > high[k] ? a : high[k];
            low[k] = b > low[k] ? b : low[k];
        }
    }
    double z = front, extent = 0;
    for (int k = 0; k < 2; k++) {
        double size = high[k] + low[k];
        double needed = flat ? 0 : size / (2 * slopes[k]);
        z = k == 0 || needed > z ? needed : z;
        double side = size * least / (k ? view->height : view->width);
        extent = side > extent ? side : extent;
    }
    double diagonal = 0;
    for (int k = 0; k < 3; k++) {
        double size = picture->maximum[k] - picture->minimum[k];
        diagonal += size * size;
    }
    diagonal = sqrt(diagonal);
    diagonal = diagonal > 0 ? diagonal : 1;
    double middle[2] = {(high[0] - low[0]) / 2, (high[1] - low[1]) / 2};
    double target_z = 0;
    for (int k = 0; k < 3; k++)
        target_z += axes[2][k] * (picture->minimum[k] + picture->maximum[k]) / 2;
    double distance = flat ? front - target_z + diagonal : (z - target_z) * 1.05;
    distance = distance > diagonal * 1e-3 ? distance : diagonal * 1e-3;
    for (int k = 0; k < 3; k++) {
        camera->target[k] = axes[0][k] * middle[0] + axes[1][k] * middle[1] + axes[2][k] * target_z;
        camera->position[k] = camera->target[k] + axes[2][k] * distance;
        camera->up[k] = axes[1][k];
    }
    camera->field_of_view = flat ? 0 : FIELD;
    camera->height = flat ? (extent > 0 ? extent * 1.05 : 1) : 0;
}

/* -- The camera as numbers ---------------------------------------------- */

static facet_status apply(facet_render_view *view, const facet_render_camera *camera)
{
    double toward[3], axes[3][3], up[3];
    for (int i = 0; i < 3; i++) {
        toward[i] = camera->position[i] - camera->target[i];
        up[i] = camera->up[i];
    }
    bool valid = make_unit(toward) && camera->field_of_view >= 0 && camera->field_of_view < 179 &&
                 (camera->field_of_view > 0 || camera->height > 0);
    if (!valid)
        return facet_fail(view->error, FACET_ERROR_ARGUMENT, "RENDER-CAMERA", FACET_NO_OFFSET,
                          "the camera needs a target away from its position, and a field of view "
                          "below 179 degrees or a height");
    make_axes(toward, up, axes);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            view->camera[k][i] = (float)axes[k][i];
        view->camera[k][3] = (float)-facet_dot(axes[k], camera->position);
    }
    double least = (double)(view->width < view->height ? view->width : view->height) * view->grid;
    view->is_perspective = camera->field_of_view > 0;
    if (view->is_perspective) {
        double sine, cosine;
        facet_exact_sine_cosine(camera->field_of_view / 2, &sine, &cosine);
        view->scale = (float)(least / 2 * cosine / sine);
    } else {
        view->scale = (float)(least / camera->height);
    }
    return FACET_OK;
}

/* Planes round all that is seen: depths use their range. */
static void set_planes(facet_render_view *view, const facet_picture *picture)
{
    double near_z = 1e300, far_z = -1e300;
    for (int corner = 0; corner < 8; corner++) {
        double z = -(double)view->camera[2][3];
        for (int k = 0; k < 3; k++)
            z -= (double)view->camera[2][k] *
                 (corner >> k & 1 ? picture->maximum[k] : picture->minimum[k]);
        near_z = z < near_z ? z : near_z;
        far_z = z > far_z ? z : far_z;
    }
    double range = far_z - near_z > 0 ? far_z - near_z : 1;
    /* Of a flat thing that faces the camera the range is the rounding of its places. */
    double margin = fabs(far_z) * 1e-5 > range * 0.01 ? fabs(far_z) * 1e-5 : range * 0.01;
    far_z += margin;
    near_z -= margin;
    if (view->is_perspective) {
        far_z = far_z > 1e-30 ? far_z : 1e-30;
        near_z = near_z > far_z * 1e-4 ? near_z : far_z * 1e-4;
    }
    view->near_z = (float)near_z;
    view->far_z = (float)far_z;
}

static void set_light(facet_render_view *view)
{
    static const double standard[3] = {-0.4, 0.6, 0.69};
    double light[3];
    memcpy(light, view->how.light ? view->how.light : standard, sizeof light);
    if (!make_unit(light))
        memcpy(light, standard, sizeof light);
    double half[3] = {light[0], light[1], light[2] + 1};
    if (!make_unit(half))
        memcpy(half, light, sizeof half);
    for (int i = 0; i < 3; i++) {
        view->light[i] = (float)light[i];
        view->half[i] = (float)half[i];
    }
}

facet_status facet_render_place_camera(facet_render_view *view, facet_picture *picture)
{
    static const facet_render_camera standard = {{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 30, 0};
    uint32_t count = view->renderer->vertex_count;
    uint8_t *used = facet_arena_allocate_zeroed(view->arena, count, 1);
    if (!used)
        return facet_fail_arena(view->arena, view->error);
    find_bounds(view, picture, used);
    picture->camera = standard;
    if (view->how.camera)
        picture->camera = *view->how.camera;
    else if (picture->any)
        fit(view, picture, used, &picture->camera);
    facet_arena_release(view->arena, used, count, 1);
    facet_status status = apply(view, &picture->camera);
    set_planes(view, picture);
    set_light(view);
    return status;
}

facet_status facet_render_place_planes(facet_render_view *view)
{
    facet_picture bounds = {0};
    uint32_t count = view->renderer->vertex_count;
    uint8_t *used = facet_arena_allocate_zeroed(view->arena, count, 1);
    if (!used)
        return facet_fail_arena(view->arena, view->error);
    find_bounds(view, &bounds, used);
    facet_arena_release(view->arena, used, count, 1);
    set_planes(view, &bounds);
    return FACET_OK;
}
