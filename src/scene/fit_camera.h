/* scene/fit_camera.h - cameras that see all of a model. */
#ifndef FACET_SCENE_FIT_CAMERA_H
#define FACET_SCENE_FIT_CAMERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct facet_fit_camera_options {
    bool has_direction;        /* else the front, from the right and above; flat things from
                                  where they are seen */
    double azimuth, elevation; /* degrees */
    bool orthographic;
} facet_fit_camera_options;

typedef struct facet_fitted_camera {
    double position[3], target[3], up[3];
    double field_of_view; /* of the smaller side, in degrees; 0: orthographic */
    double height;        /* of an orthographic picture's smaller side */
} facet_fitted_camera;

/* The nearest camera that sees every point, with 5 percent around them, for a picture of so many
 * pixels. `used` is NULL, or says which of the points count. Without any, a camera one unit in
 * front of the origin. */
void facet_fit_camera(const float (*points)[3], const uint8_t *used, size_t count, uint32_t width,
                      uint32_t height, const facet_fit_camera_options *options,
                      facet_fitted_camera *camera);

/* Unit vectors to the right, up, and from the target to the camera. False when those are in one
 * place; `up` may be anything. */
bool facet_camera_axes(const double position[3], const double target[3], const double up[3],
                       double axes[3][3]);

#endif
