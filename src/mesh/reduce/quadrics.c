/* mesh/reduce/quadrics.c - the cost of a collapse. Algorithms: M. Garland, P. Heckbert, "Surface
 * Simplification Using Quadric Error Metrics", 1997; for attributes H. Hoppe, "New Quadric
 * Metric for Simplifying Meshes with Appearance Attributes", 1999. */
#include "mesh/reduce/reduce.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <math.h>

/* Weight of the plane through a border edge, perpendicular to the surface, in squares of the
 * edge's length. */
#define BORDER_WEIGHT 10.0
#define SEAM_WEIGHT 1.0

/* -- Quadrics ----------------------------------------------------------- */

/* weight * (n p + d)^2 */
static facet_quadric of_plane(const double n[3], double d, double weight)
{
    return (facet_quadric){weight * n[0] * n[0],
                           weight * n[1] * n[1],
                           weight * n[2] * n[2],
                           weight * n[0] * n[1],
                           weight * n[0] * n[2],
                           weight * n[1] * n[2],
                           weight * n[0] * d,
                           weight * n[1] * d,
                           weight * n[2] * d,
                           weight * d * d,
                           weight};
}

static void add(facet_quadric *q, const facet_quadric *more)
{
    q->xx += more->xx;
    q->yy += more->yy;
    q->zz += more->zz;
    q->xy += more->xy;
    q->xz += more->xz;
    q->yz += more->yz;
    q->x += more->x;
    q->y += more->y;
    q->z += more->z;
    q->c += more->c;
    q->weight += more->weight;
}

static double value(const facet_quadric *q, const float p[3])
{
    double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    return q->xx * x * x + q->yy * y * y + q->zz * z * z +
           2 * (q->xy * x * y + q->xz * x * z + q->yz * y * z + q->x * x + q->y * y + q->z * z) +
           q->c;
}

/* -- A triangle --------------------------------------------------------- */

typedef struct triangle {
    double p[3][3];
    double normal[3]; /* of unit length */
    double area;      /* twice the area */
} triangle;

static bool look_at(const facet_reducer *r, const uint32_t *wedges, triangle *t)
{
    double a[3], b[3];
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            t->p[c][k] = (double)r->points[r->places[wedges[c]]][k];
    }
    for (int k = 0; k < 3; k++) {
        a[k] = t->p[1][k] - t->p[0][k];
        b[k] = t->p[2][k] - t->p[0][k];
    }
    facet_cross(a, b, t->normal);
    t->area = sqrt(facet_dot(t->normal, t->normal));
    if (!(t->area > 0))
        return false;
    for (int k = 0; k < 3; k++)
        t->normal[k] /= t->area;
    return true;
}

/* Add the plane through an open edge that is perpendicular to the triangle; it keeps the edge in
 * place. */
static void add_edge(facet_reducer *r, const uint32_t *wedges, const triangle *t, int corner)
{
    uint32_t from = wedges[corner], to = wedges[(corner + 1) % 3];
    if (r->next[from] != to && r->previous[to] != from)
        return;
    uint32_t places[2] = {r->places[from], r->places[to]};
    bool border =
        r->kinds[places[0]] == FACET_REDUCE_BORDER || r->kinds[places[1]] == FACET_REDUCE_BORDER;
    const double *p = t->p[corner], *q = t->p[(corner + 1) % 3];
    double along[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, upright[3];
    double length = sqrt(facet_dot(along, along));
    if (!(length > 0))
        return;
    facet_cross(along, t->normal, upright);
    for (int k = 0; k < 3; k++)
        upright[k] /= length;
    facet_quadric plane = of_plane(upright, -facet_dot(upright, p),
                                   length * length * (border ? BORDER_WEIGHT : SEAM_WEIGHT));
    /* The plane adds to the error, but not to its divisor, which is area. */
    plane.weight = 0;
    add(&r->surfaces[places[0]], &plane);
    add(&r->surfaces[places[1]], &plane);
}

/* Add each attribute as a linear function of the position: gradient * p + d. */
static void add_attributes(facet_reducer *r, const uint32_t *wedges, const triangle *t)
{
    double a[3], b[3], to_a[3], to_b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = t->p[1][k] - t->p[0][k];
        b[k] = t->p[2][k] - t->p[0][k];
    }
    facet_cross(b, t->normal, to_a);
    facet_cross(t->normal, a, to_b);
    for (uint32_t i = 0; i < r->attribute_count; i++) {
        double s[3], gradient[3];
        for (int c = 0; c < 3; c++)
            s[c] = (double)r->attributes[(size_t)wedges[c] * r->attribute_count + i];
        for (int k = 0; k < 3; k++)
            gradient[k] = ((s[1] - s[0]) * to_a[k] + (s[2] - s[0]) * to_b[k]) / t->area;
        double d = s[0] - facet_dot(gradient, t->p[0]);
        facet_quadric squares = of_plane(gradient, d, t->area);
        squares.weight = i == 0 ? t->area : 0;
        for (int c = 0; c < 3; c++) {
            float *sum = r->gradients[(size_t)wedges[c] * r->attribute_count + i];
            add(&r->behaviors[wedges[c]], &squares);
            for (int k = 0; k < 3; k++)
                sum[k] += (float)(gradient[k] * t->area);
            sum[3] += (float)(d * t->area);
        }
    }
}

/* Number of triangles that are processed between two calls of the progress callback. */
#define AT_ONCE 65536

facet_status facet_reduce_measure(facet_reducer *r, const facet_options *options,
                                  facet_error *error)
{
    const double range[2] = {0.15, FACET_REDUCE_MEASURED};
    size_t attributes = r->attribute_count;
    r->surfaces = facet_arena_allocate_zeroed(r->arena, r->place_count, sizeof *r->surfaces);
    r->behaviors = facet_arena_allocate_zeroed(r->arena, r->wedge_count, sizeof *r->behaviors);
    r->gradients =
        facet_arena_allocate_zeroed(r->arena, r->wedge_count, attributes * sizeof *r->gradients);
    if (!r->surfaces || !r->behaviors || !r->gradients)
        return facet_fail_arena(r->arena, error);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->triangle_count && !status; i++) {
        const uint32_t *wedges = r->triangles + (size_t)i * 3;
        triangle t;
        if (i % AT_ONCE == 0)
            status = facet_step_within(options, "reduce", range, i, r->triangle_count, error);
        if (!look_at(r, wedges, &t))
            continue;
        facet_quadric plane = of_plane(t.normal, -facet_dot(t.normal, t.p[0]), t.area);
        for (int c = 0; c < 3; c++) {
            add(&r->surfaces[r->places[wedges[c]]], &plane);
            add_edge(r, wedges, &t, c);
        }
        add_attributes(r, wedges, &t);
    }
    return status;
}

/* -- Errors ------------------------------------------------------------- */

double facet_reduce_surface_error(const facet_reducer *r, uint32_t place, uint32_t to)
{
    const facet_quadric *q = &r->surfaces[place];
    double error = fabs(value(q, r->points[to]));
    return q->weight > 0 ? error / q->weight : 0;
}

double facet_reduce_attribute_error(const facet_reducer *r, uint32_t wedge, uint32_t to)
{
    const facet_quadric *q = &r->behaviors[wedge];
    const float *p = r->points[r->places[to]];
    if (!(q->weight > 0))
        return 0;
    double error = value(q, p);
    for (uint32_t i = 0; i < r->attribute_count; i++) {
        const float *g = r->gradients[(size_t)wedge * r->attribute_count + i];
        double s = (double)r->attributes[(size_t)to * r->attribute_count + i];
        double there = (double)g[0] * (double)p[0] + (double)g[1] * (double)p[1] +
                       (double)g[2] * (double)p[2] + (double)g[3];
        error += s * (s * q->weight - 2 * there);
    }
    return fmax(error, 0) / q->weight;
}

void facet_reduce_add_position(facet_reducer *r, uint32_t place, uint32_t to)
{
    add(&r->surfaces[to], &r->surfaces[place]);
}

void facet_reduce_add_wedge(facet_reducer *r, uint32_t wedge, uint32_t to)
{
    size_t from_first = (size_t)wedge * r->attribute_count;
    size_t to_first = (size_t)to * r->attribute_count;
    add(&r->behaviors[to], &r->behaviors[wedge]);
    for (size_t i = 0; i < r->attribute_count; i++) {
        for (size_t k = 0; k < 4; k++)
            r->gradients[to_first + i][k] += r->gradients[from_first + i][k];
    }
}
