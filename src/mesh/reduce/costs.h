/* mesh/reduce/costs.h - costs of moving a place and its wedges along an edge. Both directions of
 * the edge, and all quadrics at its ends, share the products of its coordinates. */
#ifndef FACET_MESH_REDUCE_COSTS_H
#define FACET_MESH_REDUCE_COSTS_H

#include "base/processor.h"
#include "mesh/reduce/reduce.h"

#include <math.h>

/* The way from one place to another. */
typedef struct facet_reduce_way {
    facet_floats once;     /* x, y, z, 1 */
    facet_floats squares;  /* xx, yy, zz, 0 */
    facet_floats products; /* 2xy, 2xz, 2yz, 1 */
    facet_floats linear;   /* 2x, 2y, 2z, 0 */
} facet_reduce_way;

static FACET_ALWAYS_INLINE facet_reduce_way facet_reduce_way_between(const facet_reducer *r,
                                                                     uint32_t place, uint32_t to)
{
    const float *from = r->points[place], *end = r->points[to];
    const float x = end[0] - from[0], y = end[1] - from[1], z = end[2] - from[2];
    return (facet_reduce_way){facet_floats_of(x, y, z, 1), facet_floats_of(x * x, y * y, z * z, 0),
                              facet_floats_of(2 * x * y, 2 * x * z, 2 * y * z, 1),
                              facet_floats_of(2 * x, 2 * y, 2 * z, 0)};
}

static FACET_ALWAYS_INLINE facet_reduce_way facet_reduce_way_back(facet_reduce_way way)
{
    const facet_floats turn = facet_floats_of(-1, -1, -1, 1);
    way.once = facet_floats_multiply(way.once, turn);
    way.linear = facet_floats_multiply(way.linear, turn);
    return way;
}

/* The value of a quadric at the end of a way from its own place. */
static FACET_ALWAYS_INLINE float facet_reduce_value(const facet_quadric *q,
                                                    const facet_reduce_way *way)
{
    facet_floats sum = facet_floats_multiply(facet_floats_load(q->squares), way->squares);
    sum = facet_floats_add_product(sum, facet_floats_load(q->products), way->products);
    return facet_floats_sum(
        facet_floats_add_product(sum, facet_floats_load(q->linear), way->linear));
}

/* Squared distance from the planes of a place, in units of the box. */
static FACET_ALWAYS_INLINE float facet_reduce_surface_error(const facet_reducer *r, uint32_t place,
                                                            const facet_reduce_way *way)
{
    const facet_quadric *q = &r->surfaces[place];
    float weight = q->squares[3];
    return weight > 0 ? fabsf(facet_reduce_value(q, way)) / weight : 0;
}

/* Sum of the gradients of a wedge, each times the difference of its attribute to another wedge.
 * *squares becomes the sum of the squared differences. */
static FACET_ALWAYS_INLINE facet_floats facet_reduce_slopes(const facet_reducer *r, uint32_t wedge,
                                                            uint32_t to, float *squares)
{
    uint32_t count = r->attribute_count;
    const float *own = r->attributes + (size_t)wedge * count;
    const float *other = r->attributes + (size_t)to * count;
    const float *gradient = r->gradients[(size_t)wedge * count];
    facet_floats sum = facet_floats_all(0);
    float all = 0;
    for (uint32_t i = 0; i < count; i++, gradient += FACET_FLOATS) {
        float difference = other[i] - own[i];
        sum = facet_floats_add_product(sum, facet_floats_load(gradient),
                                       facet_floats_all(difference));
        all += difference * difference;
    }
    *squares = all;
    return sum;
}

/* Weighted error of the attributes of another wedge at the end of a way. */
static FACET_ALWAYS_INLINE float facet_reduce_attribute_value(const facet_quadric *q,
                                                              const facet_reduce_way *way,
                                                              facet_floats slopes, float squares)
{
    return facet_reduce_value(q, way) + squares * q->squares[3] -
           2 * facet_floats_sum(facet_floats_multiply(slopes, way->once));
}

/* The same as a squared distance in units of the box. */
static FACET_ALWAYS_INLINE float facet_reduce_attribute_error(const facet_reducer *r,
                                                              uint32_t wedge, uint32_t to,
                                                              const facet_reduce_way *way)
{
    const facet_quadric *q = &r->behaviors[wedge];
    float squares;
    if (!(q->squares[3] > 0))
        return 0;
    facet_floats slopes = facet_reduce_slopes(r, wedge, to, &squares);
    float error = facet_reduce_attribute_value(q, way, slopes, squares);
    return (error > 0 ? error : 0) / q->squares[3];
}

#endif
