/* mesh/surface.h - all triangles of a scene without nodes as one surface, in the
 * common frame (+Y up, right-handed, v from below), with a tree to ask for what is
 * near a point, and the attributes at any point of a triangle. */
#ifndef FACET_MESH_SURFACE_H
#define FACET_MESH_SURFACE_H

#include "mesh/surface_tree.h"

#include <facet/scene.h>

typedef struct facet_surface {
    const facet_scene *scene; /* whose streams hold the attributes */
    double *points;           /* x, y, z of every element of the position streams */
    uint32_t point_count;
    uint32_t *triangles; /* three points each */
    uint32_t triangle_count;
    uint32_t *first; /* triangle of each mesh, and triangle_count as last entry */
    facet_surface_tree tree;
    double low[3], high[3];
} facet_surface;

/* From meshes of triangles. Points are scaled by `scale`. Arrays come from `arena`;
 * with no triangle at all only triangle_count is set. The scene outlives it. Progress is told
 * as "compare", from fraction range[0] to range[1]. */
facet_status facet_surface_gather(const facet_scene *scene, double scale,
                                  const facet_options *options, const double range[2],
                                  facet_arena *arena, facet_surface *surface, facet_error *error);

/* A point of a triangle: shares of its corners, sum 1. */
typedef struct facet_surface_place {
    uint32_t triangle;
    double share[3];
} facet_surface_place;

/* The point as coordinates, and where a point of a triangle lies in it. */
void facet_surface_point(const facet_surface *surface, const facet_surface_place *place,
                         double point[3]);
void facet_surface_locate(const facet_surface *surface, uint32_t triangle, const double point[3],
                          facet_surface_place *place);

/* An attribute there, linear between the corners: up to 4 numbers, directions turned
 * to the common frame and unit length, v from below; w of a tangent is left out. The
 * count of numbers; 0 when a corner has none. */
int facet_surface_value(const facet_surface *surface, const facet_surface_place *place,
                        facet_semantic semantic, uint32_t set, double value[4]);

/* Weights of joints there, of all sets: of each joint once, `most` at most. The
 * streams are custom ones by these names, whose joints number what they will. */
#define FACET_SURFACE_JOINTS "facet: joints"
#define FACET_SURFACE_WEIGHTS "facet: weights"
typedef struct facet_surface_weight {
    uint32_t joint;
    double weight;
} facet_surface_weight;
int facet_surface_weights(const facet_surface *surface, const facet_surface_place *place,
                          facet_surface_weight *weights, int most);

/* The material of a triangle, or FACET_NONE. */
uint32_t facet_surface_material(const facet_surface *surface, uint32_t triangle);

#endif
