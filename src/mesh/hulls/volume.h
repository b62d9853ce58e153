/* mesh/hulls/volume.h - the volume of the hull of a few points. */
#ifndef FACET_MESH_HULLS_VOLUME_H
#define FACET_MESH_HULLS_VOLUME_H

#include <facet/base.h>

#define FACET_FEW_POINTS 64

/* Volume of the hull of `count` points (x, y, z), to about 12 digits; 0 if they are flat. False
 * if there are more than FACET_FEW_POINTS, or rounding has broken the surface; use qhull then.
 * Time grows with the square of `count`. */
bool facet_few_points_volume(const double *points, uint32_t count, double *volume);

#endif
