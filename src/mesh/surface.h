/* mesh/surface.h - all triangles of a scene without nodes as one surface.
 *
 * It is in the common frame (+Y up, right-handed, v from below). A tree finds the triangles near
 * a point. Attributes can be computed at any point of a triangle. */
#ifndef FACET_MESH_SURFACE_H
#define FACET_MESH_SURFACE_H

#include "mesh/surface_tree.h"

#include <facet/scene.h>

typedef struct facet_surface {
    const facet_scene *scene; /* its streams hold the attributes */
    double *points;           /* x, y, z of every element of the position streams */
    uint32_t point_count;
    uint32_t *triangles; /* three point indices per triangle */
    uint32_t triangle_count;
    uint32_t *first;           /* first triangle of each mesh; the last entry is triangle_count */
    const uint32_t *materials; /* number of each material of the scene; NULL: its index */
    const uint32_t *parts;     /* number of the part of each triangle; NULL: unknown */
    facet_surface_tree tree;
    double low[3], high[3];
} facet_surface;

/* Gather meshes of triangles. Points are multiplied by `scale`. Arrays come from `arena`. If no
 * mesh has a triangle, only triangle_count is set. The scene must outlive the surface. Progress
 * is reported as "compare", from fraction range[0] to range[1]. */
facet_status facet_surface_gather(const facet_scene *scene, double scale,
                                  const facet_options *options, const double range[2],
                                  facet_arena *arena, facet_surface *surface, facet_error *error);

/* Number of sets of texture coordinates and colors that are compared. */
enum { FACET_SURFACE_SETS = 8 };

/* A point of a triangle, as shares of its corners whose sum is 1. */
typedef struct facet_surface_location {
    uint32_t triangle;
    double share[3];
} facet_surface_location;

/* Convert a place to coordinates, and a point of a triangle to a place. */
void facet_surface_point(const facet_surface *surface, const facet_surface_location *place,
                         double point[3]);
void facet_surface_locate(const facet_surface *surface, uint32_t triangle, const double point[3],
                          facet_surface_location *place);

/* Compute an attribute at a place, linear between the corners. Gives up to 4 numbers: directions
 * in the common frame with unit length, v from below, w of tangents in that frame. Returns the
 * count of numbers; 0 if a corner lacks the attribute. */
int facet_surface_value(const facet_surface *surface, const facet_surface_location *place,
                        facet_semantic semantic, uint32_t set, double value[4]);

/* Weights of joints at a place, summed over all sets: one entry per joint, at most `most`. They
 * are read from custom streams with these names, whose joint numbers are up to the caller. */
#define FACET_SURFACE_JOINTS "facet: joints"
#define FACET_SURFACE_WEIGHTS "facet: weights"
typedef struct facet_surface_weight {
    uint32_t joint;
    double weight;
} facet_surface_weight;
int facet_surface_weights(const facet_surface *surface, const facet_surface_location *place,
                          facet_surface_weight *weights, int most);

/* Compute the direction in which the front of a triangle faces, times twice its area. */
void facet_surface_front(const facet_surface *surface, uint32_t triangle, double front[3]);

/* Number of the material of a triangle, or FACET_NONE. */
uint32_t facet_surface_material(const facet_surface *surface, uint32_t triangle);

#endif
