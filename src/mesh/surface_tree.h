/* mesh/surface_tree.h - a tree of boxes over triangles, to ask for the nearest
 * point of a surface and how often it winds around a point. */
#ifndef FACET_MESH_SURFACE_TREE_H
#define FACET_MESH_SURFACE_TREE_H

#include <facet/base.h>

typedef struct facet_surface_node {
    double low[3], high[3];
    uint32_t first; /* child, the other is first + 1; or the first of its triangles */
    uint32_t count; /* of its triangles; 0: it has children */
} facet_surface_node;

typedef struct facet_surface_tree {
    const double *points;
    const uint32_t *triangles; /* three indices each */
    uint32_t *order;           /* triangles as the leaves have them */
    uint32_t triangle_count;
    facet_surface_node *nodes; /* the root first */
    uint32_t node_count;
} facet_surface_tree;

/* Over at least one triangle; points and triangles must live as long. Memory
 * comes from `arena`. O(n log n). Progress is told as that of `step`, from fraction range[0] to
 * range[1]. */
facet_status facet_surface_tree_build(const double *points, const uint32_t *triangles,
                                      uint32_t triangle_count, const facet_options *options,
                                      const char *step, const double range[2], facet_arena *arena,
                                      facet_surface_tree *tree, facet_error *error);

void facet_surface_tree_free(facet_arena *arena, facet_surface_tree *tree);

/* Whether every edge is used as often in one direction as in the other. */
facet_status facet_surface_is_closed(const facet_surface_tree *tree, const facet_options *options,
                                     const char *step, const double range[2], facet_arena *arena,
                                     bool *closed, facet_error *error);

/* Distance from the surface, and its nearest point. *visits grows by the nodes
 * that were looked at: few of a surface, nearly all of triangles that lie about
 * at random. */
double facet_surface_distance(const facet_surface_tree *tree, const double point[3],
                              double nearest[3], uint64_t *visits);

/* A triangle near a point. */
typedef struct facet_surface_hit {
    uint32_t triangle;
    double distance;
    double nearest[3]; /* point of the triangle */
} facet_surface_hit;
/* The nearest triangle, and others that are at most `slack` farther, up to `most` in
 * all; the nearest stands first, the others as the tree has them. Returns how many.
 * Among triangles that lie about at random it gives up after a thousand looks:
 * *exact is then false, and there may be nearer ones. */
int facet_surface_near(const facet_surface_tree *tree, const double point[3], double slack,
                       facet_surface_hit *hits, int most, bool *exact);

/* How often a closed surface winds around a point: not 0 inside. Points of the
 * surface may count as either. */
int facet_surface_winding(const facet_surface_tree *tree, const double point[3]);

#endif
