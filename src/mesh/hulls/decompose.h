/* mesh/hulls/decompose.h - a solid, cut into parts that are nearly convex.
 *
 * The measure of a decomposition is the sum of its hulls' volumes: a plane is
 * good when the hulls of the two sides have little volume together. Nothing
 * more is asked of the input: open, non-manifold and crossing surfaces have
 * hulls too. A plane cuts the triangles exactly, so that the hulls of both
 * sides meet in it and the size of the voxels adds no volume. */
#ifndef FACET_MESH_HULLS_DECOMPOSE_H
#define FACET_MESH_HULLS_DECOMPOSE_H

#include "mesh/hulls/convex.h"
#include "mesh/hulls/voxels.h"
#include "mesh/soup.h"

/* -- Parts -------------------------------------------------------------- */

/* Convex polygons, and segments as polygons of two corners. */
typedef struct facet_part_geometry {
    double *points; /* x, y, z; each is used */
    uint32_t point_count;
    uint32_t *corners; /* indices of points */
    uint32_t corner_count;
    uint32_t *offsets; /* first corner of each polygon, and corner_count at the end */
    uint32_t polygon_count;
} facet_part_geometry;

/* The triangles of a soup. */
facet_status facet_part_geometry_take(const facet_soup *soup, facet_arena *arena,
                                      facet_part_geometry *geometry, facet_error *error);
void facet_part_geometry_free(facet_arena *arena, facet_part_geometry *geometry);

typedef struct facet_plane {
    double normal[3], offset; /* normal . x > offset is the upper side */
} facet_plane;

/* Pairs of points. */
typedef struct facet_segments {
    double *ends;
    uint32_t count, capacity;
} facet_segments;

/* Cut along a plane, and add segments of the plane to the sides: the first
 * list to the lower one, the second to the upper. */
facet_status facet_part_geometry_cut(const facet_part_geometry *whole, const facet_plane *plane,
                                     const facet_segments *segments, facet_arena *arena,
                                     facet_part_geometry *lower, facet_part_geometry *upper,
                                     facet_error *error);

/* -- Cells -------------------------------------------------------------- */

/* What a part is the content of: the points below (or in) all its planes. The
 * corners of what a cell cuts out of a solid are points of its surface, which
 * the cut triangles have, and the corners of the cell that lie inside: ends of
 * the cell's edges. So the edges' inner segments go into the geometry. */
typedef struct facet_cell {
    facet_plane *planes;
    uint32_t plane_count;
} facet_cell;

/* A box around the soup. */
facet_status facet_cell_create(const facet_soup *soup, facet_arena *arena, facet_cell *cell,
                               facet_error *error);
void facet_cell_free(facet_arena *arena, facet_cell *cell);
/* The cell below a plane, or above it. */
facet_status facet_cell_cut(const facet_cell *whole, const facet_plane *plane, bool above,
                            facet_arena *arena, facet_cell *side, facet_error *error);
/* Where the edges between `plane` and the other planes of the cell have the
 * inside of the solid next to them, below the plane or above it. Segments are
 * appended to `segments`. */
facet_status facet_cell_edges(const facet_cell *cell, const facet_plane *plane, bool above,
                              const facet_voxels *voxels, facet_arena *arena,
                              facet_segments *segments, facet_error *error);
void facet_segments_free(facet_arena *arena, facet_segments *segments);

/* -- Extreme points ----------------------------------------------------- */

/* The farthest points in a fixed fan of directions stand for a set of points
 * where its hull's volume is only to be compared. */
#define FACET_DIRECTIONS 48

typedef struct facet_directions {
    float x[FACET_DIRECTIONS], y[FACET_DIRECTIONS], z[FACET_DIRECTIONS];
} facet_directions;

typedef struct facet_extremes {
    float reach[FACET_DIRECTIONS]; /* -INFINITY where there is no point yet */
    double points[FACET_DIRECTIONS][3];
    double low[3], high[3]; /* their box */
} facet_extremes;

/* Directions spread evenly over the sphere. */
void facet_directions_spread(facet_directions *directions);
/* The same for what is to be scaled to a cube first: a long thin part has its
 * corners told apart as well as a compact one. `extent` is its box's. */
void facet_directions_fit(const facet_directions *directions, const double *extent,
                          facet_directions *fitted);

/* -- Cutting ------------------------------------------------------------ */

/* A plane to cut along. */
typedef struct facet_cut {
    facet_plane plane;
    double volume; /* of both sides; INFINITY when there is no such plane */
    double score;  /* volume and a little more for sides that are not compact */
    double step;   /* how far off the best plane may be */
} facet_cut;

/* Slabs between the planes that are tried at once. */
#define FACET_SLABS 10

/* Memory for one search; worker tasks take none themselves. */
typedef struct facet_cut_scratch {
    facet_extremes slabs[FACET_SLABS], above[FACET_SLABS];
    uint8_t *slab_of_point; /* one per point of the part */
} facet_cut_scratch;

/* Try evenly spaced planes across `normal` (unit length). `solid` is what
 * volume the part holds, roughly; *whole is that of the hull of all extreme
 * points. */
void facet_cut_search(const facet_convex *convex, const facet_directions *directions,
                      const facet_part_geometry *part, double solid, const double *normal,
                      facet_cut_scratch *scratch, facet_cut *best, double *whole);
/* Try planes around the best one, and those through nearby points. */
void facet_cut_refine(const facet_convex *convex, const facet_directions *directions,
                      const facet_part_geometry *part, double solid, facet_cut_scratch *scratch,
                      facet_cut *best);

/* -- The whole way ------------------------------------------------------ */

/* A hull to be: the points that it encloses. */
typedef struct facet_cluster {
    double *points;
    uint32_t point_count;
} facet_cluster;

typedef struct facet_decompose_options {
    uint32_t most;       /* clusters wanted at most, at least 1 */
    uint32_t resolution; /* voxels along the longest side */
    double tolerance;    /* volume that may be added for one hull fewer, as a share of that of
                            all parts */
} facet_decompose_options;

/* What fraction of the hulls is done when there are clusters, for progress. */
#define FACET_DECOMPOSED 0.9

/* Cut the soup into parts, and merge what was cut too fine. At most
 * options->most clusters come from `arena`, as does what is needed on the way. */
facet_status facet_decompose(const facet_soup *soup, const facet_convex *convex,
                             const facet_decompose_options *decompose, const facet_options *options,
                             facet_arena *arena, facet_cluster **clusters, uint32_t *cluster_count,
                             facet_error *error);

#endif
