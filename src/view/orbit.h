/* view/orbit.h - a camera that is moved by hand: it looks at a point from a distance. */
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
    double up[3];  /* of a camera that was given; {0, 1, 0} once it is turned */
    bool is_given; /* `given` is the camera, until it is moved */
    facet_render_camera given;
} facet_orbit;

/* To look as this camera does, exactly until it is moved. */
void facet_orbit_set(facet_orbit *orbit, const facet_render_camera *camera);
/* As numbers for a picture. */
facet_render_camera facet_orbit_camera(const facet_orbit *orbit);

/* By degrees; elevation stays within 89.9 of level. */
void facet_orbit_turn(facet_orbit *orbit, double azimuth, double elevation);
void facet_orbit_look_from(facet_orbit *orbit, double azimuth, double elevation);
/* The target moves by these shares of what the smaller side shows, right and up. */
void facet_orbit_pan(facet_orbit *orbit, double right, double up);
/* The distance becomes so many times what it was. */
void facet_orbit_zoom(facet_orbit *orbit, double factor);
/* Camera and target move by shares of the distance: right, up, forward. */
void facet_orbit_walk(facet_orbit *orbit, double right, double up, double forward);
void facet_orbit_set_orthographic(facet_orbit *orbit, bool orthographic);
/* Look at the middle of a box, and see all of it. */
void facet_orbit_frame(facet_orbit *orbit, const double minimum[3], const double maximum[3]);

/* Where a point of the model is on a picture of so many pixels; false when it is behind. */
bool facet_orbit_project(const facet_render_camera *camera, const double point[3], int width,
                         int height, double screen[2]);

#endif
