/* scene/fit_camera.h - cameras that show a whole model. */
#ifndef FACET_SCENE_FIT_CAMERA_H
#define FACET_SCENE_FIT_CAMERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct facet_fit_camera_options {
    bool has_direction;        /* false: from the front, the right and above; flat models from
                                  their visible side */
    double azimuth, elevation; /* in degrees */
    bool orthographic;
} facet_fit_camera_options;

typedef struct facet_fitted_camera {
    double position[3], target[3], up[3];
    double field_of_view; /* for the smaller side, in degrees; 0: orthographic */
    double height;        /* of an orthographic picture's smaller side */
} facet_fitted_camera;

/* Find the nearest camera that shows every point, with a margin of 5 percent, for a picture of this
 * size in pixels. `used` marks the points that count; NULL: all. Without points, the camera is one
 * unit in front of the origin. */
void facet_fit_camera(const float (*points)[3], const uint8_t *used, size_t count, uint32_t width,
                      uint32_t height, const facet_fit_camera_options *options,
                      facet_fitted_camera *camera);

/* Unit vectors to the right, up, and from the target to the camera. `up` may have any value. False
 * if camera and target are at the same position. */
bool facet_camera_axes(const double position[3], const double target[3], const double up[3],
                       double axes[3][3]);

#endif
