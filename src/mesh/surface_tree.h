/* mesh/surface_tree.h - a tree of boxes over triangles, for the nearest point of a surface and
 * the winding number around a point. */
#ifndef FACET_MESH_SURFACE_TREE_H
#define FACET_MESH_SURFACE_TREE_H

#include "base/atomic.h"

#include <facet/base.h>

typedef struct facet_surface_node {
    double low[3], high[3];
    uint32_t first; /* first child, the other is first + 1; in a leaf, its first entry in `order` */
    uint32_t count; /* triangles of a leaf; 0: the node has children */
} facet_surface_node;

typedef struct facet_surface_tree {
    const double *points;
    const uint32_t *triangles; /* three point indices per triangle */
    uint32_t *order;           /* triangles in the order of the leaves */
    uint32_t triangle_count;
    facet_surface_node *nodes; /* the root is first */
    uint32_t node_count;
} facet_surface_tree;

/* Build a tree over at least one triangle. Points and triangles must outlive it. Memory comes
 * from `arena`. O(n log n). Progress is reported as `step`, from fraction range[0] to range[1]. */
facet_status facet_surface_tree_build(const double *points, const uint32_t *triangles,
                                      uint32_t triangle_count, const facet_options *options,
                                      const char *step, const double range[2], facet_arena *arena,
                                      facet_surface_tree *tree, facet_error *error);

void facet_surface_tree_free(facet_arena *arena, facet_surface_tree *tree);

/* Check whether every edge is used equally often in both directions. */
facet_status facet_surface_is_closed(const facet_surface_tree *tree, const facet_options *options,
                                     const char *step, const double range[2], facet_arena *arena,
                                     bool *closed, facet_error *error);

/* Triangles that were nearest to nearby points, the last one first. A search that begins with them
 * has little left to visit. Set count to 0 before the first search. */
typedef struct facet_surface_hints {
    uint32_t triangles[4], count;
} facet_surface_hints;
void facet_surface_hint(facet_surface_hints *hints, uint32_t triangle);
/* True if one of these triangles is at most `enough` away. */
bool facet_surface_hints_suffice(const facet_surface_tree *tree, const facet_surface_hints *hints,
                                 const double point[3], double enough);

/* Distance from the surface, and its nearest point. The search ends at a distance of at most
 * `enough`, which need not be the least one. It begins with the hints, and adds the triangle that
 * it finds. *visits grows by the number of visited nodes. That is few for a surface, and nearly all
 * for randomly placed triangles. */
double facet_surface_distance(const facet_surface_tree *tree, const double point[3], double enough,
                              facet_surface_hints *hints, double nearest[3], uint64_t *visits);

/* A triangle near a point. */
typedef struct facet_surface_hit {
    uint32_t triangle;
    double distance;
    double nearest[3]; /* point of the triangle */
} facet_surface_hit;

/* Limit of the work of searches, and the number that reached it. Searches in a row share their
 * visits to nodes, in blocks that do not depend on the number of threads. */
typedef struct facet_surface_effort {
    uint64_t visits; /* mean per search */
    FACET_ATOMIC(uint64_t) given_up;
} facet_surface_effort;
/* facet_options.growth_limit raises the limit. */
void facet_surface_effort_init(facet_surface_effort *effort, const facet_options *options);

/* Find the nearest triangle, and others that are at most `slack` farther, up to `most` in all.
 * The nearest comes first, the others in the order of the tree. Returns the number found. *left is
 * the number of visits that are left for this search and the next ones of its block. Surfaces need
 * less; among randomly placed or equally far triangles, the search gives up. *exact is then false,
 * and nearer triangles may exist. */
int facet_surface_near(const facet_surface_tree *tree, const double point[3], double slack,
                       facet_surface_hit *hits, int most, facet_surface_effort *effort,
                       uint64_t *left, bool *exact);

/* Winding number of a closed surface around a point; not 0 inside. Points on the surface may
 * count as inside or outside. *visits as above. */
int facet_surface_winding(const facet_surface_tree *tree, const double point[3], uint64_t *visits);

#endif
