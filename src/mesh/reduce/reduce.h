/* mesh/reduce/reduce.h - fewer triangles of a mesh that keeps its attributes.
 *
 * - A *place* is a position, without the other data of its vertices.
 * - A *wedge* is a vertex as used by the triangles of one material and one part. A place has
 *   several wedges where normals, texture coordinates or materials change.
 * - A *collapse* moves a place, with all its wedges, to a neighboring place that already exists.
 *   So every vertex of the result is one of the mesh's. It keeps its tangent, its skin and its
 *   morph targets. */
#ifndef FACET_MESH_REDUCE_H
#define FACET_MESH_REDUCE_H

#include "base/floats.h"

#include <facet/mesh.h>

/* The ways in which a place may move. */
typedef enum facet_reduce_kind {
    FACET_REDUCE_INSIDE, /* triangles all around: in any direction */
    FACET_REDUCE_BORDER, /* along the border */
    FACET_REDUCE_SEAM,   /* two wedges: along the seam, both together */
    FACET_REDUCE_LOCKED
} facet_reduce_kind;

/* Sum of squared distances from planes, weighted by area: p A p + 2 b p + c. Here p is relative to
 * the place that owns the quadric. Every plane of a place at first passes through it, so b and c
 * begin at 0, and floats keep distances that are much smaller than the mesh. */
typedef struct facet_quadric {
    float squares[FACET_FLOATS];  /* xx, yy, zz of A, then the sum of the weights */
    float products[FACET_FLOATS]; /* xy, xz, yz of A, then c */
    float linear[FACET_FLOATS];   /* b, then 0 */
} facet_quadric;

typedef struct facet_reducer {
    facet_arena *arena;

    uint32_t vertex_count, wedge_count, place_count;
    uint32_t *vertices; /* per wedge: its vertex of the mesh */
    uint32_t *places;   /* per wedge: its place */
    uint32_t *siblings; /* per wedge: the next wedge of its place, in a ring */
    uint32_t *next; /* per wedge: end of its open edge; FACET_NONE: no open edge; itself: several */
    uint32_t *previous; /* per wedge: start of the open edge that ends at it */
    uint32_t *first;    /* per place: one of its wedges; only before the first collapse */
    uint8_t *kinds;     /* per place: facet_reduce_kind */

    float (*points)[3];       /* per place, scaled to a box whose longest side is 1 */
    double scale;             /* scaled units per unit of the mesh */
    uint32_t attribute_count; /* numbers of normal, texture coordinate and color */
    float *attributes;        /* per wedge: attribute_count numbers */

    facet_quadric *surfaces;  /* per place: error of the surface */
    facet_quadric *behaviors; /* per wedge: error of its attributes; 0 without attributes */
    /* Per wedge and attribute, weighted sums: its gradient, and its value at the wedge's place,
     * relative to the wedge's own value. */
    float (*gradients)[FACET_FLOATS];

    uint32_t triangle_count;
    uint32_t *triangles; /* three wedges per triangle */
    uint32_t *faces;     /* per triangle: its face of the mesh */
} facet_reducer;

/* gather.c: collect wedges, places and their kinds from the mesh. */
facet_status facet_reduce_gather(const facet_mesh *mesh, const facet_options *options,
                                 facet_reducer *r, facet_error *error);

/* Fractions of the whole that are done after the quadrics, and after all collapses, for
 * progress. */
#define FACET_REDUCE_MEASURED 0.25
#define FACET_REDUCE_COLLAPSED 0.95

/* quadrics.c: compute the quadrics. */
facet_status facet_reduce_measure(facet_reducer *r, const facet_options *options,
                                  facet_error *error);
/* Add the quadrics of one wedge or place to those of another. */
void facet_reduce_add_wedge(facet_reducer *r, uint32_t wedge, uint32_t to);
void facet_reduce_add_position(facet_reducer *r, uint32_t place, uint32_t to);

/* compact.c: remove the places that no triangle uses, and their wedges. The others get new numbers
 * in the same order. `numbers` has one element per wedge and per place. An open edge that leads to
 * a removed wedge is also removed. */
void facet_reduce_compact(facet_reducer *r, uint32_t *numbers);

/* collapse.c: collapse edges until at most `triangles` and `vertices` are left. It also ends if
 * every further collapse exceeds `limit` (squared, in units of the box). *worst becomes the
 * largest accepted squared error of the surface. */
facet_status facet_reduce_collapse(facet_reducer *r, uint32_t triangles, uint32_t vertices,
                                   double limit, const facet_options *options, double *worst,
                                   facet_error *error);

#endif
