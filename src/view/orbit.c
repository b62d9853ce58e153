/* view/orbit.c - a camera that the user moves. */
#include "view/orbit.h"

#include "base/vec.h"
#include "scene/fit_camera.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static double radians(double degrees)
{
    return degrees * PI / 180;
}

/* Direction from the target to the camera. */
static void direction(const facet_orbit *o, double out[3])
{
    double a = radians(o->azimuth), e = radians(o->elevation);
    out[0] = cos(e) * sin(a);
    out[1] = sin(e);
    out[2] = cos(e) * cos(a);
}

/* Size of the smaller side of the picture at the target. */
static double height_of(const facet_orbit *o)
{
    return 2 * o->distance * tan(radians(o->field_of_view) / 2);
}

void facet_orbit_set(facet_orbit *orbit, const facet_render_camera *camera)
{
    double away[3];
    for (int i = 0; i < 3; i++)
        away[i] = camera->position[i] - camera->target[i];
    double distance = sqrt(facet_dot(away, away));
    memset(orbit, 0, sizeof *orbit);
    memcpy(orbit->target, camera->target, sizeof orbit->target);
    orbit->up[1] = 1;
    orbit->is_given = true;
    orbit->given = *camera;
    orbit->orthographic = !(camera->field_of_view > 0);
    orbit->field_of_view = orbit->orthographic ? 30 : camera->field_of_view;
    orbit->distance = distance;
    if (orbit->orthographic)
        orbit->distance = camera->height / 2 / tan(radians(15));
    double level = sqrt(away[0] * away[0] + away[2] * away[2]);
    orbit->elevation = atan2(away[1], level) * 180 / PI;
    /* For a view straight down, `up` gives the direction. */
    orbit->azimuth = level > 1e-9 * distance ? atan2(away[0], away[2]) * 180 / PI
                                             : atan2(-camera->up[0], -camera->up[2]) * 180 / PI +
                                                   (away[1] < 0 ? 180 : 0);
}

facet_render_camera facet_orbit_camera(const facet_orbit *orbit)
{
    if (orbit->is_given)
        return orbit->given;
    facet_render_camera camera = {.up = {0, 1, 0}};
    double away[3];
    direction(orbit, away);
    for (int i = 0; i < 3; i++) {
        camera.target[i] = orbit->target[i];
        camera.position[i] = orbit->target[i] + away[i] * orbit->distance;
    }
    if (orbit->orthographic)
        camera.height = height_of(orbit);
    else
        camera.field_of_view = orbit->field_of_view;
    return camera;
}

/* From now on the angles define the camera. */
static void move(facet_orbit *orbit)
{
    orbit->is_given = false;
    orbit->azimuth = remainder(orbit->azimuth, 360);
    orbit->elevation = fmin(fmax(orbit->elevation, -89.9), 89.9);
}

void facet_orbit_turn(facet_orbit *orbit, double azimuth, double elevation)
{
    facet_orbit_look_from(orbit, orbit->azimuth + azimuth, orbit->elevation + elevation);
}

void facet_orbit_look_from(facet_orbit *orbit, double azimuth, double elevation)
{
    orbit->azimuth = azimuth;
    orbit->elevation = elevation;
    move(orbit);
}

static void shift(facet_orbit *orbit, double right, double up, double forward)
{
    facet_render_camera camera;
    double axes[3][3];
    move(orbit);
    camera = facet_orbit_camera(orbit);
    if (!facet_camera_axes(camera.position, camera.target, camera.up, axes))
        return;
    for (int i = 0; i < 3; i++)
        orbit->target[i] += axes[0][i] * right + axes[1][i] * up - axes[2][i] * forward;
}

void facet_orbit_pan(facet_orbit *orbit, double right, double up)
{
    double height = height_of(orbit);
    shift(orbit, right * height, up * height, 0);
}

void facet_orbit_walk(facet_orbit *orbit, double right, double up, double forward)
{
    double d = orbit->distance;
    shift(orbit, right * d, up * d, forward * d);
}

void facet_orbit_zoom(facet_orbit *orbit, double factor)
{
    double distance = orbit->distance * factor;
    move(orbit);
    if (distance > 1e-12 && distance < 1e12)
        orbit->distance = distance;
}

void facet_orbit_set_orthographic(facet_orbit *orbit, bool orthographic)
{
    move(orbit);
    orbit->orthographic = orthographic;
}

void facet_orbit_frame(facet_orbit *orbit, const double minimum[3], const double maximum[3])
{
    double squared = 0;
    move(orbit);
    for (int i = 0; i < 3; i++) {
        double side = maximum[i] - minimum[i];
        orbit->target[i] = (minimum[i] + maximum[i]) / 2;
        squared += side * side;
    }
    double radius = sqrt(squared) / 2;
    if (radius > 0)
        orbit->distance = radius * 1.05 / sin(radians(orbit->field_of_view) / 2);
}

bool facet_orbit_project(const facet_render_camera *camera, const double point[3], int width,
                         int height, double screen[2])
{
    double axes[3][3], away[3], at[3];
    if (!facet_camera_axes(camera->position, camera->target, camera->up, axes))
        return false;
    for (int i = 0; i < 3; i++)
        away[i] = point[i] - camera->position[i];
    for (int k = 0; k < 3; k++)
        at[k] = facet_dot(axes[k], away);
    double least = width < height ? width : height, scale = least;
    if (camera->field_of_view > 0) {
        if (!(at[2] < 0))
            return false;
        scale = least / 2 / tan(radians(camera->field_of_view) / 2) / -at[2];
    } else {
        scale = least / camera->height;
    }
    screen[0] = width / 2.0 + at[0] * scale;
    screen[1] = height / 2.0 - at[1] * scale;
    return true;
}
