/* mesh/reduce/quadrics.c - the cost of a collapse. Algorithms: M. Garland, P. Heckbert, "Surface
 * Simplification Using Quadric Error Metrics", 1997; for attributes H. Hoppe, "New Quadric
 * Metric for Simplifying Meshes with Appearance Attributes", 1999. */
#include "mesh/reduce/costs.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/processor.h"
#include "base/vec.h"

#include <math.h>

/* Weight of the plane through a border edge, perpendicular to the surface, in squares of the
 * edge's length. */
#define BORDER_WEIGHT 10.0
#define SEAM_WEIGHT 1.0

/* -- Quadrics ----------------------------------------------------------- */

static FACET_ALWAYS_INLINE void add_to(float *sum, facet_floats more)
{
    facet_floats_store(sum, facet_floats_add(facet_floats_load(sum), more));
}

static FACET_ALWAYS_INLINE facet_floats floats_of(const double v[3])
{
    return facet_floats_of((float)v[0], (float)v[1], (float)v[2], 0);
}

/* The products xy, xz, yz. */
static FACET_ALWAYS_INLINE facet_floats mixed_products(facet_floats v)
{
    float lane[FACET_FLOATS];
    facet_floats_store(lane, v);
    return facet_floats_of(lane[0] * lane[1], lane[0] * lane[2], lane[1] * lane[2], 0);
}

/* Add weight * (n p)^2, of a plane through the quadric's own place, and `area` to its divisor. */
static FACET_ALWAYS_INLINE void add_plane(facet_quadric *q, const double n[3], double weight,
                                          double area)
{
    facet_floats normal = floats_of(n), by_weight = facet_floats_all((float)weight);
    add_to(q->squares, facet_floats_add_product(facet_floats_of(0, 0, 0, (float)area), by_weight,
                                                facet_floats_multiply(normal, normal)));
    add_to(q->products, facet_floats_multiply(by_weight, mixed_products(normal)));
}

/* Add a quadric to one of the place at the end of a way. There, its value is `constant`, and
 * `slopes` is taken from its linear part. */
static FACET_ALWAYS_INLINE void add_shifted(facet_quadric *to, const facet_quadric *q,
                                            const facet_reduce_way *way, float constant,
                                            facet_floats slopes)
{
    const float *s = q->squares, *m = q->products;
    float p[FACET_FLOATS];
    facet_floats_store(p, way->once);
    facet_floats turned = facet_floats_of(s[0] * p[0] + m[0] * p[1] + m[1] * p[2],
                                          m[0] * p[0] + s[1] * p[1] + m[2] * p[2],
                                          m[1] * p[0] + m[2] * p[1] + s[2] * p[2], 0);
    facet_floats linear = facet_floats_add(facet_floats_load(q->linear), turned);
    add_to(to->squares, facet_floats_load(s));
    add_to(to->products, facet_floats_of(m[0], m[1], m[2], constant));
    add_to(to->linear, facet_floats_subtract(linear, slopes));
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
    double weight = length * length * (border ? BORDER_WEIGHT : SEAM_WEIGHT);
    /* The plane adds to the error, but not to its divisor, which is area. */
    add_plane(&r->surfaces[places[0]], upright, weight, 0);
    add_plane(&r->surfaces[places[1]], upright, weight, 0);
}

/* Smallest area of a triangle whose gradients are finite in floats. */
#define LEAST_AREA 1e-30

/* Add each attribute as a linear function of the position. In each corner, the function has the
 * corner's own value, so only its gradient counts. `slope` is the gradient times the area. */
static void add_attributes(facet_reducer *r, const uint32_t *wedges, const triangle *t)
{
    double a[3], b[3], to_a[3], to_b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = t->p[1][k] - t->p[0][k];
        b[k] = t->p[2][k] - t->p[0][k];
    }
    facet_cross(b, t->normal, to_a);
    facet_cross(t->normal, a, to_b);
    const facet_floats first = floats_of(to_a), second = floats_of(to_b);
    facet_floats squares = facet_floats_all(0), products = squares;
    const float *values[3];
    float *sums[3];
    for (int c = 0; c < 3; c++) {
        values[c] = r->attributes + (size_t)wedges[c] * r->attribute_count;
        sums[c] = r->gradients[(size_t)wedges[c] * r->attribute_count];
    }
    for (uint32_t i = 0; i < r->attribute_count; i++) {
        float s = values[0][i];
        facet_floats slope =
            facet_floats_add(facet_floats_multiply(first, facet_floats_all(values[1][i] - s)),
                             facet_floats_multiply(second, facet_floats_all(values[2][i] - s)));
        squares = facet_floats_add_product(squares, slope, slope);
        products = facet_floats_add(products, mixed_products(slope));
        for (int c = 0; c < 3; c++)
            add_to(sums[c] + (size_t)i * FACET_FLOATS, slope);
    }
    const facet_floats by_area = facet_floats_all(t->area > LEAST_AREA ? (float)(1 / t->area) : 0);
    squares = facet_floats_add(facet_floats_multiply(squares, by_area),
                               facet_floats_of(0, 0, 0, (float)t->area));
    products = facet_floats_multiply(products, by_area);
    for (int c = 0; c < 3; c++) {
        add_to(r->behaviors[wedges[c]].squares, squares);
        add_to(r->behaviors[wedges[c]].products, products);
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
        for (int c = 0; c < 3; c++) {
            add_plane(&r->surfaces[r->places[wedges[c]]], t.normal, t.area, t.area);
            add_edge(r, wedges, &t, c);
        }
        add_attributes(r, wedges, &t);
    }
    return status;
}

/* -- Collapses ---------------------------------------------------------- */

void facet_reduce_add_position(facet_reducer *r, uint32_t place, uint32_t to)
{
    const facet_quadric *q = &r->surfaces[place];
    facet_reduce_way way = facet_reduce_way_between(r, place, to);
    add_shifted(&r->surfaces[to], q, &way, facet_reduce_value(q, &way), facet_floats_all(0));
}

void facet_reduce_add_wedge(facet_reducer *r, uint32_t wedge, uint32_t to)
{
    size_t count = r->attribute_count;
    const facet_quadric *q = &r->behaviors[wedge];
    const float *own = r->attributes + wedge * count, *other = r->attributes + to * count;
    const float weight = q->squares[3];
    float squares;
    facet_reduce_way way = facet_reduce_way_between(r, r->places[wedge], r->places[to]);
    facet_floats slopes = facet_reduce_slopes(r, wedge, to, &squares);
    const facet_floats distance = facet_floats_with_last(way.once, 0);
    add_shifted(&r->behaviors[to], q, &way, facet_reduce_attribute_value(q, &way, slopes, squares),
                slopes);
    for (size_t i = 0; i < count; i++) {
        facet_floats g = facet_floats_load(r->gradients[wedge * count + i]);
        float change =
            facet_floats_sum(facet_floats_multiply(g, distance)) - weight * (other[i] - own[i]);
        add_to(r->gradients[to * count + i], facet_floats_add(g, facet_floats_of(0, 0, 0, change)));
    }
}
