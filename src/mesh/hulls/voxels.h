/* mesh/hulls/voxels.h - a triangle soup in a grid of cubes: the cubes that touch the surface,
 * and those inside of it. */
#ifndef FACET_MESH_HULLS_VOXELS_H
#define FACET_MESH_HULLS_VOXELS_H

#include "mesh/surface_tree.h"

typedef enum facet_voxel {
    FACET_VOXEL_INSIDE = 0, /* separated from the outside by the surface */
    FACET_VOXEL_SURFACE = 1,
    FACET_VOXEL_OUTSIDE = 2
} facet_voxel;

typedef struct facet_voxels {
    double origin[3];  /* lower corner of voxel 0, 0, 0 */
    double size;       /* edge of a voxel */
    uint32_t count[3]; /* the outermost layer on every side is outside */
    uint8_t *cells;    /* facet_voxel, x fastest */

    facet_surface_tree surface;
} facet_voxels;

/* Fill a grid from triangles over `points` (x, y, z), which must outlive it. Its longest side
 * has `resolution` voxels, and one more at each end. All indices must be in range, all points
 * finite, and their box must not be empty. Memory comes from `arena`. Time is proportional to
 * the touched voxels and the size of the grid. Open surfaces have no inside. */
facet_status facet_voxels_fill(const double *points, uint32_t point_count,
                               const uint32_t *triangles, uint32_t triangle_count,
                               uint32_t resolution, const facet_options *options,
                               facet_arena *arena, facet_voxels *voxels, facet_error *error);
void facet_voxels_free(facet_arena *arena, facet_voxels *voxels);

/* True if a point is inside. Its voxel decides; if the surface passes through that, the winding
 * number decides. */
bool facet_voxels_contain(const facet_voxels *voxels, const double *point);

/* Centers of all voxels inside the surface, three floats each, from `arena`. */
facet_status facet_voxels_inside(const facet_voxels *voxels, facet_arena *arena, float **centers,
                                 uint32_t *count, facet_error *error);

#endif
