/* mesh/reduce/reduce.h - fewer triangles of a mesh that keeps its attributes.
 *
 * Three things are told apart. A *place* is a position, whatever else its vertices
 * have. A *wedge* is a vertex as the triangles of one material and one part see it:
 * where normals, texture coordinates or materials change hand, a place has several.
 * A *collapse* moves a place, with all its wedges, to a neighboring one, which is
 * there already: so every vertex of the result is one of the mesh's, and keeps its
 * tangent, its skin and its morph targets. */
#ifndef FACET_MESH_REDUCE_H
#define FACET_MESH_REDUCE_H

#include <facet/mesh.h>

/* How a place may move. */
typedef enum facet_reduce_kind {
    FACET_REDUCE_INSIDE, /* triangles all around: anywhere */
    FACET_REDUCE_BORDER, /* along the border */
    FACET_REDUCE_SEAM,   /* two wedges: along the seam, both together */
    FACET_REDUCE_LOCKED
} facet_reduce_kind;

/* Squared distances from planes, weighted by area: p A p + 2 b p + c. */
typedef struct facet_quadric {
    double xx, yy, zz, xy, xz, yz, x, y, z, c, weight;
} facet_quadric;

typedef struct facet_reducer {
    facet_arena *arena;

    uint32_t vertex_count, wedge_count, place_count;
    uint32_t *vertices; /* per wedge: vertex of the mesh */
    uint32_t *places;   /* per wedge */
    uint32_t *siblings; /* per wedge: the next one of its place, in a ring */
    uint32_t *next; /* per wedge: where its open edge leads, FACET_NONE, or itself: to several */
    uint32_t *previous; /* and where one comes from */
    uint32_t *first;    /* per place: a wedge */
    uint8_t *kinds;     /* per place: facet_reduce_kind */

    float (*points)[3];       /* per place, in a box whose longest side is 1 */
    double scale;             /* such units per unit of the mesh */
    uint32_t attribute_count; /* of normal, texture coordinate and color */
    float *attributes;        /* per wedge */

    facet_quadric *surfaces;  /* per place */
    facet_quadric *behaviors; /* per wedge: what its attributes add; NULL without any */
    float (*gradients)[4];    /* per wedge and attribute: how it changes, and its value at 0 */

    uint32_t triangle_count;
    uint32_t *triangles; /* three wedges each */
    uint32_t *faces;     /* face of the mesh */
} facet_reducer;

/* gather.c: wedges, places and their kinds, from the mesh. */
facet_status facet_reduce_gather(const facet_mesh *mesh, const facet_options *options,
                                 facet_reducer *r, facet_error *error);

/* What fraction of the whole is done when the quadrics are there, and when all is
 * collapsed, for progress. */
#define FACET_REDUCE_MEASURED 0.25
#define FACET_REDUCE_COLLAPSED 0.95

/* quadrics.c */
facet_status facet_reduce_measure(facet_reducer *r, const facet_options *options,
                                  facet_error *error);
/* What moving a wedge's attributes, and what moving a place, costs: squared, of the box. */
double facet_reduce_attribute_error(const facet_reducer *r, uint32_t wedge, uint32_t to);
double facet_reduce_surface_error(const facet_reducer *r, uint32_t place, uint32_t to);
/* Add what belongs to one to that of another. */
void facet_reduce_add_wedge(facet_reducer *r, uint32_t wedge, uint32_t to);
void facet_reduce_add_place(facet_reducer *r, uint32_t place, uint32_t to);

/* collapse.c: collapse edges until at most so many triangles and vertices are left, or
 * nothing can move by less than `limit` (squared, of the box). *worst is the largest
 * squared error of the surface that was accepted. */
facet_status facet_reduce_collapse(facet_reducer *r, uint32_t triangles, uint32_t vertices,
                                   double limit, const facet_options *options, double *worst,
                                   facet_error *error);

#endif
