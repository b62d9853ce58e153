/* mesh/hulls/voxels.h - a triangle soup in a grid of cubes: which of them the surface
 * touches, and which lie inside of it. */
#ifndef FACET_MESH_HULLS_VOXELS_H
#define FACET_MESH_HULLS_VOXELS_H

#include "mesh/surface_tree.h"

typedef enum facet_voxel {
    FACET_VOXEL_INSIDE = 0, /* cut off from the outside by the surface */
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

/* Fill a grid whose longest side has `resolution` voxels (and one more at each
 * end) from triangles over `points` (x, y, z), which must live as long. All indices are in
 * range and all points finite, and they span some length. Memory comes from `arena`.
 * Time goes with the voxels touched and the size of the grid; nothing is
 * inside of an open surface. */
facet_status facet_voxels_fill(const double *points, uint32_t point_count,
                               const uint32_t *triangles, uint32_t triangle_count,
                               uint32_t resolution, const facet_options *options,
                               facet_arena *arena, facet_voxels *voxels, facet_error *error);
void facet_voxels_free(facet_arena *arena, facet_voxels *voxels);

/* True when a point is inside: by its voxel, and where the surface passes
 * through that, by the winding number. */
bool facet_voxels_contain(const facet_voxels *voxels, const double *point);

/* Centers of all voxels that are inside, three floats each, from `arena`. */
facet_status facet_voxels_inside(const facet_voxels *voxels, facet_arena *arena, float **centers,
                                 uint32_t *count, facet_error *error);

#endif
