/* scene/fit_camera.c - cameras that show a whole model: the axes of a picture, and the distance. */
#include "scene/fit_camera.h"

#include "base/exact.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

/* -- Directions --------------------------------------------------------- */

/* Compute the axes right, up and toward the viewer, from the last one and an approximate up. */
static void make_axes(const double toward[3], const double up[3], double axes[3][3])
{
    static const double others[2][3] = {{0, 0, -1}, {1, 0, 0}};
    memcpy(axes[2], toward, 3 * sizeof *toward);
    facet_cross(up, axes[2], axes[0]);
    for (int i = 0; i < 2 && facet_dot(axes[0], axes[0]) < 1e-12; i++)
        facet_cross(others[i], axes[2], axes[0]);
    facet_make_unit(axes[0]);
    facet_cross(axes[2], axes[0], axes[1]);
}

bool facet_camera_axes(const double position[3], const double target[3], const double up[3],
                       double axes[3][3])
{
    double toward[3];
    facet_subtract(position, target, toward);
    if (!facet_make_unit(toward))
        return false;
    make_axes(toward, up, axes);
    return true;
}

/* -- Visible points ----------------------------------------------------- */

/* Flat models are viewed along their thin axis, slightly from the side. */
static void choose_direction(const facet_fit_camera_options *options, const double minimum[3],
                             const double maximum[3], double *azimuth, double *elevation)
{
    double size[3], most = 0;
    *azimuth = 32, *elevation = 22;
    if (options->has_direction) {
        *azimuth = options->azimuth, *elevation = options->elevation;
        return;
    }
    for (int c = 0; c < 3; c++) {
        size[c] = maximum[c] - minimum[c];
        most = size[c] > most ? size[c] : most;
    }
    if (size[1] < most * 0.02)
        *azimuth = 0, *elevation = 75;
    else if (size[2] < most * 0.02)
        *azimuth = 15, *elevation = 0;
    else if (size[0] < most * 0.02)
        *azimuth = 75, *elevation = 0;
}

/* Find the nearest camera that shows every vertex. A side plane with slope t limits a point to |x -
 * c| <= t * (distance in front of the camera). So the maxima of x + t z and of -x + t z determine
 * both side planes, and the camera is where they meet. */
static void fit(const float (*points)[3], const uint8_t *used, size_t count, uint32_t width,
                uint32_t height, const facet_fit_camera_options *options, const double minimum[3],
                const double maximum[3], facet_fitted_camera *camera)
{
    enum { FIELD = 30 };
    double azimuth, elevation, s, c, es, ec, axes[3][3], slopes[2], sine, cosine;
    static const double up[3] = {0, 1, 0};
    choose_direction(options, minimum, maximum, &azimuth, &elevation);
    facet_exact_sine_cosine(azimuth, &s, &c);
    facet_exact_sine_cosine(elevation, &es, &ec);
    const double toward[3] = {s * ec, es, c * ec};
    make_axes(toward, up, axes);
    bool flat = options->orthographic;
    facet_exact_sine_cosine(FIELD / 2.0, &sine, &cosine);
    uint32_t least = width < height ? width : height;
    for (int i = 0; i < 2; i++)
        slopes[i] = flat ? 0 : sine / cosine * (i ? height : width) / least;
    double high[2] = {-1e300, -1e300}, low[2] = {-1e300, -1e300}, front = -1e300;
    for (size_t i = 0; i < count; i++) {
        if (used && !used[i])
            continue;
        const double p[3] = {(double)points[i][0], (double)points[i][1], (double)points[i][2]};
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
        double side = size * least / (k ? height : width);
        extent = side > extent ? side : extent;
    }
    double diagonal = 0;
    for (int k = 0; k < 3; k++) {
        double size = maximum[k] - minimum[k];
        diagonal += size * size;
    }
    diagonal = sqrt(diagonal);
    diagonal = diagonal > 0 ? diagonal : 1;
    double middle[2] = {(high[0] - low[0]) / 2, (high[1] - low[1]) / 2};
    double target_z = 0;
    for (int k = 0; k < 3; k++)
        target_z += axes[2][k] * (minimum[k] + maximum[k]) / 2;
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

void facet_fit_camera(const float (*points)[3], const uint8_t *used, size_t count, uint32_t width,
                      uint32_t height, const facet_fit_camera_options *options,
                      facet_fitted_camera *camera)
{
    double minimum[3], maximum[3];
    bool any = false;
    *camera = (facet_fitted_camera){{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 30, 0};
    for (size_t i = 0; i < count; i++) {
        if (used && !used[i])
            continue;
        for (int c = 0; c < 3; c++) {
            double value = (double)points[i][c];
            minimum[c] = any && minimum[c] < value ? minimum[c] : value;
            maximum[c] = any && maximum[c] > value ? maximum[c] : value;
        }
        any = true;
    }
    if (any)
        fit(points, used, count, width, height, options, minimum, maximum, camera);
}
