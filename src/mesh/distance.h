/* mesh/distance.h - how far one surface is from another, and how their attributes
 * differ. */
#ifndef FACET_MESH_DISTANCE_H
#define FACET_MESH_DISTANCE_H

#include "mesh/surface.h"

#include <facet/compare.h>

/* Points of a surface, spread evenly by area and without chance: place i of count. */
typedef struct facet_surface_samples {
    facet_surface_place *places;
    uint32_t count;
} facet_surface_samples;
facet_status facet_surface_sample(const facet_surface *surface, uint32_t count,
                                  const facet_options *options, const double range[2],
                                  facet_arena *arena, facet_surface_samples *samples,
                                  facet_error *error);

/* The distance of `from` from `to`, by samples of `from` and all its corners, and its
 * bound from above. Cutting ends where the two are closer than `precision`. `range`
 * is what this is of a whole comparison, for progress. */
facet_status facet_surface_measure(const facet_surface *from, const facet_surface *to,
                                   const facet_surface_samples *samples, double precision,
                                   const facet_options *options, const double range[2],
                                   facet_arena *arena, facet_distance *distance,
                                   facet_error *error);

/* How the attributes of `from` at its samples differ from those of `to` at the nearest
 * points. Where several triangles of `to` are as near (within `slack`), the one that
 * differs least counts: surfaces that lie on one another, edges, seams. Both sides
 * number a joint alike (facet_surface_weights). All results are filled in. `range` as
 * above. */
typedef struct facet_surface_deviations {
    facet_deviation *normals, *tangents, *texcoords, *colors, *weights;
} facet_surface_deviations;
facet_status facet_surface_deviate(const facet_surface *from, const facet_surface *to,
                                   const facet_surface_samples *samples, double slack,
                                   const facet_options *options, const double range[2],
                                   facet_arena *arena, const facet_surface_deviations *results,
                                   facet_error *error);

#endif
