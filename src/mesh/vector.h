/* mesh/vector.h - the little geometry that passes share, in double. */
#ifndef FACET_MESH_VECTOR_H
#define FACET_MESH_VECTOR_H

#include <facet/scene.h>
#include <float.h>
#include <math.h>

static inline double facet_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void facet_cross(const double a[3], const double b[3], double cross[3])
{
    cross[0] = a[1] * b[2] - a[2] * b[1];
    cross[1] = a[2] * b[0] - a[0] * b[2];
    cross[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void facet_edge(const float *from, const float *to, double edge[3])
{
    for (int i = 0; i < 3; i++)
        edge[i] = (double)to[i] - from[i];
}

/* Position of a corner; a mesh has positions in its first stream. */
static inline const float *facet_corner_position(const facet_mesh *mesh, uint32_t corner)
{
    const facet_stream *positions = &mesh->streams[0];
    return (const float *)positions->data + (size_t)positions->indices[corner] * 3;
}

/* Twice the area vector of the polygon of the corners from begin up to end: a
 * sum over the triangles of a fan, equal to Newell's for every polygon. */
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

static inline void facet_subtract(const double a[3], const double b[3], double difference[3])
{
    difference[0] = a[0] - b[0];
    difference[1] = a[1] - b[1];
    difference[2] = a[2] - b[2];
}

/* a + t * (b - a). */
static inline void facet_between(const double a[3], const double b[3], double t, double between[3])
{
    for (int i = 0; i < 3; i++)
        between[i] = a[i] + t * (b[i] - a[i]);
}

/* Make a vector unit length; a zero vector stays. */
static inline void facet_normalize(double a[3])
{
    double length = sqrt(facet_dot(a, a));
    for (int i = 0; i < 3 && length > 0; i++)
        a[i] /= length;
}

/* Squared distance of a point from a triangle, and the nearest point of it: the
 * foot on its plane, or a point of an edge that `point` is beyond. Degenerate
 * triangles are segments or points. */
double facet_triangle_distance(const double point[3], const double a[3], const double b[3],
                               const double c[3], double nearest[3]);

/* The angle, from 0 to pi, whose sine and cosine are in this proportion; to 1e-9, which
 * is enough for a weight. 0 when both are 0 or one is not finite. The C libraries differ
 * in the last bits of atan2; this is the same everywhere. */
static inline double facet_angle(double sine, double cosine)
{
    const double quarter = 0.78539816339744831, half = 1.5707963267948966; /* of pi */
    double width = fabs(cosine), least = sine < width ? sine : width;
    double most = sine < width ? width : sine;
    if (!(most > 0) || most > DBL_MAX)
        return 0;
    /* Up to tan(pi / 8), where Gregory's series is short: atan t = t - t^3 / 3 + ... */
    double t = least / most, begin = 0;
    if (t > 0.41421356237309503) {
        begin = quarter;
        t = (t - 1) / (t + 1);
    }
    double square = t * t, sum = 0;
    for (int odd = 21; odd > 0; odd -= 2)
        sum = 1.0 / odd - square * sum;
    double angle = begin + t * sum;
    angle = sine > width ? half - angle : angle;
    return cosine < 0 ? 2 * half - angle : angle;
}

#endif
