/* mesh/distance.h - the distance between two surfaces, and the differences of their attributes. */
#ifndef FACET_MESH_DISTANCE_H
#define FACET_MESH_DISTANCE_H

#include "mesh/surface.h"

#include <facet/compare.h>

/* Points of a surface, spread evenly by area and without randomness: place i of count. */
typedef struct facet_surface_samples {
    facet_surface_location *places;
    uint32_t count;
} facet_surface_samples;
facet_status facet_surface_sample(const facet_surface *surface, uint32_t count,
                                  const facet_options *options, const double range[2],
                                  facet_arena *arena, facet_surface_samples *samples,
                                  facet_error *error);

/* Measure the distance of `from` from `to`, by samples of `from` and all its corners, and an
 * upper bound of it. Cutting ends when distance and bound differ by less than `precision`.
 * `range` is the part of the whole comparison that this call covers, for progress. */
facet_status facet_surface_measure(const facet_surface *from, const facet_surface *to,
                                   const facet_surface_samples *samples, double precision,
                                   facet_surface_effort *effort, const facet_options *options,
                                   const double range[2], facet_arena *arena,
                                   facet_distance *distance, facet_error *error);

/* Compare the attributes of `from` at its samples with those of `to` at the nearest points. If
 * several triangles of `to` are equally near (within `slack`), the one that differs least is
 * used. This happens at edges, at seams and where surfaces coincide. Both sides must number
 * joints in the same way (facet_surface_weights). All results are filled in. `range` as above. */
typedef struct facet_surface_deviations {
    facet_deviation *normals, *tangents, *texcoords, *colors, *weights;
    facet_deviation *materials; /* 1: another material number */
    facet_deviation *fronts;    /* 1: the front faces the other way */
    facet_deviation *parts;     /* 1: another part number */
} facet_surface_deviations;
facet_status facet_surface_deviate(const facet_surface *from, const facet_surface *to,
                                   const facet_surface_samples *samples, double slack,
                                   facet_surface_effort *effort, const facet_options *options,
                                   const double range[2], facet_arena *arena,
                                   const facet_surface_deviations *results, facet_error *error);

#endif
