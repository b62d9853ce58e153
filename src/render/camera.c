/* render/camera.c - the camera: given, of the scene, or fitted so that the visible objects fill the
 * picture. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/vec.h"
#include "gx/default_lights.h"
#include "scene/fit_camera.h"

#include <math.h>
#include <string.h>

/* -- Visible vertices --------------------------------------------------- */

/* True if some triangle has an area that floats can hold, or if there are lines or points. */
static bool has_area(const facet_render_view *view, const facet_render_draw *draw)
{
    const facet_render_instance *instance = draw->instance;
    const uint32_t *corners = instance->corners + (size_t)draw->batch->first_face * 3;
    const float(*positions)[3] = (const float(*)[3])view->positions + instance->first_vertex;
    for (size_t i = 0; i < (size_t)draw->batch->face_count && !instance->ends; i++, corners += 3) {
        uint32_t count = instance->vertex_count;
        if (corners[0] >= count || corners[1] >= count || corners[2] >= count)
            continue;
        double sides[2][3], normal[3];
        for (int c = 0; c < 3; c++) {
            double first = (double)positions[corners[0]][c];
            sides[0][c] = (double)positions[corners[1]][c] - first;
            sides[1][c] = (double)positions[corners[2]][c] - first;
        }
        facet_cross(sides[0], sides[1], normal);
        double squared = facet_dot(normal, normal);
        if (squared > 1e-88 && squared < 1e77)
            return true;
    }
    return instance->ends && draw->batch->face_count > 0;
}

/* Find the bounds of the vertices that the triangles, lines and points of the mode use. */
static void find_bounds(const facet_render_view *view, facet_picture *picture, uint8_t *used)
{
    const facet_renderer *r = view->renderer;
    bool any = false, is_visible = false;
    for (uint32_t d = 0; d < view->draw_count; d++) {
        const facet_render_draw *draw = &view->draws[d];
        const facet_render_instance *instance = draw->instance;
        const uint32_t *corners = instance->corners + (size_t)draw->batch->first_face * 3;
        uint32_t first =
            instance->ends ? r->instances[instance->source].first_vertex : instance->first_vertex;
        is_visible = is_visible || has_area(view, draw);
        for (size_t i = 0; i < (size_t)draw->batch->face_count * 3; i++) {
            if (corners[i] < instance->vertex_count)
                used[first + facet_render_source_vertex(instance, corners[i])] = 1;
        }
    }
    for (uint32_t i = 0; i < r->vertex_count; i++) {
        if (!used[i])
            continue;
        for (int c = 0; c < 3; c++) {
            double value = (double)view->positions[i][c] + (double)view->origin[c];
            if (!any || value < picture->minimum[c])
                picture->minimum[c] = value;
            if (!any || value > picture->maximum[c])
                picture->maximum[c] = value;
        }
        any = true;
        picture->vertices++;
    }
    picture->any = any && is_visible;
}

/* The nearest camera that sees every vertex. */
static void fit(const facet_render_view *view, const uint8_t *used, facet_render_camera *camera)
{
    facet_fitted_camera fitted;
    const facet_fit_camera_options how = {view->how.has_direction, view->how.azimuth,
                                          view->how.elevation, view->how.orthographic};
    facet_fit_camera((const float(*)[3])view->positions, used, view->renderer->vertex_count,
                     view->width, view->height, &how, &fitted);
    for (int k = 0; k < 3; k++) {
        camera->position[k] = fitted.position[k] + (double)view->origin[k];
        camera->target[k] = fitted.target[k] + (double)view->origin[k];
    }
    memcpy(camera->up, fitted.up, sizeof camera->up);
    camera->field_of_view = fitted.field_of_view;
    camera->height = fitted.height;
}

/* -- Camera axes and planes --------------------------------------------- */

static facet_status apply(facet_render_view *view, const facet_render_camera *camera)
{
    double axes[3][3];
    bool valid = facet_camera_axes(camera->position, camera->target, camera->up, axes) &&
                 camera->field_of_view >= 0 && camera->field_of_view < 179 &&
                 (camera->field_of_view > 0 || camera->height > 0);
    if (!valid)
        return facet_fail(view->error, FACET_ERROR_ARGUMENT, "RENDER-CAMERA", FACET_NO_OFFSET,
                          "the camera needs a target away from its position, and a field of view "
                          "below 179 degrees or a height");
    double position[3];
    for (int k = 0; k < 3; k++)
        position[k] = camera->position[k] - (double)view->origin[k];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            view->camera[k][i] = (float)axes[k][i];
        view->camera[k][3] = (float)-facet_dot(axes[k], position);
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

/* Set the near and far planes around the bounds of all visible vertices, so that depths use the
 * full range between them. */
static void set_planes(facet_render_view *view, const facet_picture *picture)
{
    double near_z = 1e300, far_z = -1e300;
    for (int corner = 0; corner < 8; corner++) {
        double z = -(double)view->camera[2][3];
        for (int k = 0; k < 3; k++)
            z -= (double)view->camera[2][k] *
                 ((corner >> k & 1 ? picture->maximum[k] : picture->minimum[k]) -
                  (double)view->origin[k]);
        near_z = z < near_z ? z : near_z;
        far_z = z > far_z ? z : far_z;
    }
    double range = far_z - near_z > 0 ? far_z - near_z : 1;
    /* If a flat object faces the camera, the range is only rounding error, so the margin also
     * depends on the distance. */
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

static void take_bounds(const facet_picture *from, facet_picture *to)
{
    to->any = from->any;
    to->vertices = from->vertices;
    memcpy(to->minimum, from->minimum, sizeof to->minimum);
    memcpy(to->maximum, from->maximum, sizeof to->maximum);
}

static facet_status finish(facet_render_view *view, const facet_picture *picture)
{
    facet_status status = apply(view, &picture->camera);
    set_planes(view, picture);
    facet_gx_default_light_direction(view->how.light, view->light, view->half);
    return status;
}

facet_status facet_render_place_camera(facet_render_view *view, facet_picture *picture)
{
    static const facet_render_camera standard = {{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 30, 0};
    uint32_t count = view->renderer->vertex_count;
    if (view->bounds && view->how.camera) {
        take_bounds(view->bounds, picture);
        picture->camera = *view->how.camera;
        return finish(view, picture);
    }
    uint8_t *used = facet_arena_allocate_zeroed(view->arena, count, 1);
    if (!used)
        return facet_fail_arena(view->arena, view->error);
    find_bounds(view, picture, used);
    picture->camera = standard;
    facet_status status = FACET_OK;
    if (view->how.camera)
        picture->camera = *view->how.camera;
    else if (view->how.scene_camera)
        status = facet_render_find_camera(view, picture, &picture->camera);
    else if (picture->any)
        fit(view, used, &picture->camera);
    facet_arena_release(view->arena, used, count, 1);
    return status ? status : finish(view, picture);
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
