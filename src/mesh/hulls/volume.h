/* mesh/hulls/volume.h - the volume of the hull of a few points. */
#ifndef FACET_MESH_HULLS_VOLUME_H
#define FACET_MESH_HULLS_VOLUME_H

#include <facet/base.h>

#define FACET_FEW_POINTS 64

/* The volume of the hull of `count` points (x, y, z), 0 when they are flat; to about
 * 12 digits. False when there are more than FACET_FEW_POINTS, or rounding has spoilt
 * the surface: qhull is asked then. Time grows with the square of `count`. */
bool facet_few_points_volume(const double *points, uint32_t count, double *volume);

#endif
