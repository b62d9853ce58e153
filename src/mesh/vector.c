/* mesh/vector.c - the distance of a point from a triangle. */
#include "mesh/vector.h"

static double segment_distance(const double point[3], const double a[3], const double b[3],
                               double *nearest)
{
    double along[3], to[3];
    facet_subtract(b, a, along);
    facet_subtract(point, a, to);
    double length = facet_dot(along, along);
    double t = length > 0 ? facet_dot(to, along) / length : 0;
    facet_between(a, b, t < 0 ? 0 : t > 1 ? 1 : t, nearest);
    facet_subtract(point, nearest, to);
    return facet_dot(to, to);
}

double facet_triangle_distance(const double point[3], const double a[3], const double b[3],
                               const double c[3], double nearest[3])
{
    const double *corners[3] = {a, b, c};
    double ab[3], ac[3], normal[3], to[3];
    facet_subtract(b, a, ab);
    facet_subtract(c, a, ac);
    facet_cross(ab, ac, normal);
    double area = facet_dot(normal, normal);
    bool inside = area > 0;
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double *from = corners[i], *till = corners[(i + 1) % 3];
        double edge[3], across[3], candidate[3];
        facet_subtract(till, from, edge);
        facet_cross(normal, edge, across);
        facet_subtract(point, from, to);
        if (area > 0 && facet_dot(across, to) >= 0)
            continue;
        inside = false;
        double distance = segment_distance(point, from, till, candidate);
        if (distance < best) {
            best = distance;
            for (int k = 0; k < 3; k++)
                nearest[k] = candidate[k];
        }
    }
    if (!inside)
        return best;
    facet_subtract(point, a, to);
    double height = facet_dot(to, normal) / area;
    for (int k = 0; k < 3; k++)
        nearest[k] = point[k] - height * normal[k];
    return height * height * area;
}
