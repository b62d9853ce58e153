/* mesh/vector.h - geometry of meshes, in double precision. */
#ifndef FACET_MESH_VECTOR_H
#define FACET_MESH_VECTOR_H

#include "base/vec.h"

#include <facet/scene.h>

/* Position of a corner; the first stream of a mesh holds the positions. */
static inline const float *facet_corner_position(const facet_mesh *mesh, uint32_t corner)
{
    const facet_stream *positions = &mesh->streams[0];
    return (const float *)positions->data + (size_t)positions->indices[corner] * 3;
}

/* Twice the area vector of the polygon whose corners are `begin` up to `end`. It is a sum over
 * the triangles of a fan. For every polygon it equals Newell's. */
static inline void facet_area_vector(const facet_mesh *mesh, uint32_t begin, uint32_t end,
                                     double area[3])
{
    area[0] = area[1] = area[2] = 0;
    if (end - begin < 3)
        return;
    const float *origin = facet_corner_position(mesh, begin);
    double before[3], edge[3], cross[3];
    facet_edge(origin, facet_corner_position(mesh, begin + 1), before);
    for (uint32_t corner = begin + 2; corner < end; corner++) {
        facet_edge(origin, facet_corner_position(mesh, corner), edge);
        facet_cross(before, edge, cross);
        for (int i = 0; i < 3; i++) {
            area[i] += cross[i];
            before[i] = edge[i];
        }
    }
}

/* Squared distance of a point from a triangle, and the nearest point of it. That is the
 * projection onto its plane, or a point of an edge if the projection is outside. Degenerate
 * triangles count as segments or points. */
double facet_triangle_distance(const double point[3], const double a[3], const double b[3],
                               const double c[3], double nearest[3]);

#endif
