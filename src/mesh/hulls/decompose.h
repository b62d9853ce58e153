/* mesh/hulls/decompose.h - a solid, cut into parts that are nearly convex.
 *
 * The measure of a decomposition is the sum of its hulls' volumes: a plane is good if the hulls
 * of its two sides have little volume together. The input can have any topology: open,
 * non-manifold and self-crossing surfaces also have hulls. A plane cuts the triangles exactly.
 * So the hulls of both sides meet in it, and the size of the voxels adds no volume. */
#ifndef FACET_MESH_HULLS_DECOMPOSE_H
#define FACET_MESH_HULLS_DECOMPOSE_H

#include "mesh/hulls/convex.h"
#include "mesh/hulls/voxels.h"
#include "mesh/soup.h"

/* -- Parts -------------------------------------------------------------- */

/* Convex polygons; a segment is a polygon of two corners. */
typedef struct facet_part_geometry {
    double *points; /* x, y, z; each point is used */
    uint32_t point_count;
    uint32_t *corners; /* indices of points */
    uint32_t corner_count;
    uint32_t *offsets; /* first corner of each polygon; the last entry is corner_count */
    uint32_t polygon_count;
} facet_part_geometry;

/* Convert the triangles of a soup. */
facet_status facet_part_geometry_convert(const facet_soup *soup, facet_arena *arena,
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

/* Cut along a plane. Add segments in the plane to the sides: the first list to the lower side,
 * the second to the upper side. */
facet_status facet_part_geometry_cut(const facet_part_geometry *whole, const facet_plane *plane,
                                     const facet_segments *segments, facet_arena *arena,
                                     facet_part_geometry *lower, facet_part_geometry *upper,
                                     facet_error *error);

/* -- Cells -------------------------------------------------------------- */

/* A convex cell: the points below or in all its planes; a part is the content of a cell. The
 * corners of the content of a cell are of two kinds. Some are points of the solid's surface,
 * which the cut triangles have. The others are corners of the cell inside the solid, which are
 * ends of the cell's edges. So the inner segments of these edges are added to the geometry. */
typedef struct facet_cell {
    facet_plane *planes;
    uint32_t plane_count;
} facet_cell;

/* Create a box around the soup. */
facet_status facet_cell_create(const facet_soup *soup, facet_arena *arena, facet_cell *cell,
                               facet_error *error);
void facet_cell_free(facet_arena *arena, facet_cell *cell);
/* Create the cell below a plane, or above it. */
facet_status facet_cell_cut(const facet_cell *whole, const facet_plane *plane, bool above,
                            facet_arena *arena, facet_cell *side, facet_error *error);
/* Find the segments of the edges between `plane` and the other planes of the cell that are next
 * to the inside of the solid, below the plane or above it. They are appended to `segments`. */
facet_status facet_cell_edges(const facet_cell *cell, const facet_plane *plane, bool above,
                              const facet_voxels *voxels, facet_arena *arena,
                              facet_segments *segments, facet_error *error);
void facet_segments_free(facet_arena *arena, facet_segments *segments);

/* -- Extreme points ----------------------------------------------------- */

/* Number of fixed directions. The farthest points in them represent a set of points when only
 * its hull's volume is compared. */
#define FACET_DIRECTIONS 48

typedef struct facet_directions {
    float x[FACET_DIRECTIONS], y[FACET_DIRECTIONS], z[FACET_DIRECTIONS];
} facet_directions;

typedef struct facet_extremes {
    float reach[FACET_DIRECTIONS]; /* -INFINITY while no point was added */
    double points[FACET_DIRECTIONS][3];
    double low[3], high[3]; /* box of all points */
} facet_extremes;

/* Spread directions evenly over the sphere. */
void facet_directions_spread(facet_directions *directions);
/* Scale the directions for a box of size `extent`, as if it were scaled to a cube. So a long
 * thin part has its corners separated as well as a compact one. */
void facet_directions_fit(const facet_directions *directions, const double *extent,
                          facet_directions *fitted);

/* -- Cutting ------------------------------------------------------------ */

/* A plane to cut along. */
typedef struct facet_cut {
    facet_plane plane;
    double volume; /* volume of the hulls of both sides; INFINITY if no plane was found */
    double score;  /* volume, slightly more for sides that are not compact */
    double step;   /* greatest distance from the best plane */
} facet_cut;

/* Number of slabs between the planes that are tried at once. */
#define FACET_SLABS 10

/* Memory for one search; worker tasks do not allocate. */
typedef struct facet_cut_scratch {
    facet_extremes slabs[FACET_SLABS], above[FACET_SLABS];
    uint8_t *slab_of_point; /* one entry per point of the part */
} facet_cut_scratch;

/* Try evenly spaced planes across `normal` (unit length). `solid` is the approximate volume of
 * the part's content. *whole becomes the volume of the hull of all extreme points. */
void facet_cut_search(const facet_convex *convex, const facet_directions *directions,
                      const facet_part_geometry *part, double solid, const double *normal,
                      facet_cut_scratch *scratch, facet_cut *best, double *whole);
/* Try planes near the best one, and those through nearby points. */
void facet_cut_refine(const facet_convex *convex, const facet_directions *directions,
                      const facet_part_geometry *part, double solid, facet_cut_scratch *scratch,
                      facet_cut *best);

/* -- The whole way ------------------------------------------------------ */

/* The points that one future hull encloses. */
typedef struct facet_cluster {
    double *points;
    uint32_t point_count;
} facet_cluster;

typedef struct facet_decompose_options {
    uint32_t most;       /* most clusters, at least 1 */
    uint32_t resolution; /* voxels along the longest side */
    double tolerance;    /* volume that one hull fewer may add, as a share of the volume of all
                            parts */
} facet_decompose_options;

/* Fraction of the hulls pass that is done when the clusters exist, for progress. */
#define FACET_DECOMPOSED 0.9

/* Cut the soup into parts, and merge those that were cut too fine. At most options->most
 * clusters are made. They and all working memory come from `arena`. */
facet_status facet_decompose(const facet_soup *soup, const facet_convex *convex,
                             const facet_decompose_options *decompose, const facet_options *options,
                             facet_arena *arena, facet_cluster **clusters, uint32_t *cluster_count,
                             facet_error *error);

#endif
