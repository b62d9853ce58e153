/* view/orbit.h - a camera that the user moves: it looks at a point from a distance. */
#ifndef FACET_VIEW_ORBIT_H
#define FACET_VIEW_ORBIT_H

#include <facet/render.h>

typedef struct facet_orbit {
    double target[3];
    double azimuth, elevation; /* degrees: 0, 0 from the front, 90 from the model's left */
    double distance;
    double field_of_view; /* degrees, of the smaller side; what is seen at the target stays when
                             the camera becomes orthographic */
    bool orthographic;
    double up[3];  /* of the given camera; {0, 1, 0} after the first turn */
    bool is_given; /* `given` is the camera, until the first move */
    facet_render_camera given;
} facet_orbit;

/* Look as the given camera does, exactly until the first move. */
void facet_orbit_set(facet_orbit *orbit, const facet_render_camera *camera);
/* Camera for a picture. */
facet_render_camera facet_orbit_camera(const facet_orbit *orbit);

/* Turn by degrees; elevation stays within 89.9 degrees of level. */
void facet_orbit_turn(facet_orbit *orbit, double azimuth, double elevation);
void facet_orbit_look_from(facet_orbit *orbit, double azimuth, double elevation);
/* Move the target right and up, by shares of the picture's smaller side at the target. */
void facet_orbit_pan(facet_orbit *orbit, double right, double up);
/* Multiply the distance by a factor. */
void facet_orbit_zoom(facet_orbit *orbit, double factor);
/* Move camera and target right, up and forward, by shares of the distance. */
void facet_orbit_walk(facet_orbit *orbit, double right, double up, double forward);
void facet_orbit_set_orthographic(facet_orbit *orbit, bool orthographic);
/* Look at the center of a box, so that all of it is visible. */
void facet_orbit_frame(facet_orbit *orbit, const double minimum[3], const double maximum[3]);

/* Project a point of the model to a picture of the given size; false if it is behind the camera. */
bool facet_orbit_project(const facet_render_camera *camera, const double point[3], int width,
                         int height, double screen[2]);

#endif
