/* mesh/hulls/part_geometry.c - cutting convex polygons and segments along a plane. */
#include "base/arena.h"
#include "base/error.h"
#include "mesh/hulls/decompose.h"
#include "mesh/vector.h"

#include <string.h>

facet_status facet_part_geometry_convert(const facet_soup *soup, facet_arena *arena,
                                         facet_part_geometry *geometry, facet_error *error)
{
    facet_part_geometry made = {0};
    made.point_count = soup->point_count;
    made.polygon_count = soup->triangle_count;
    made.corner_count = 3 * soup->triangle_count;
    made.points = facet_arena_allocate(arena, made.point_count, 3 * sizeof *made.points);
    made.corners = facet_arena_allocate(arena, made.corner_count, sizeof *made.corners);
    made.offsets =
        facet_arena_allocate(arena, (size_t)made.polygon_count + 1, sizeof *made.offsets);
    if (!made.points || !made.corners || !made.offsets)
        return facet_fail_arena(arena, error);
    memcpy(made.points, soup->points, (size_t)made.point_count * 3 * sizeof *made.points);
    memcpy(made.corners, soup->triangles, made.corner_count * sizeof *made.corners);
    for (uint32_t i = 0; i <= made.polygon_count; i++)
        made.offsets[i] = 3 * i;
    *geometry = made;
    return FACET_OK;
}

void facet_part_geometry_free(facet_arena *arena, facet_part_geometry *geometry)
{
    facet_arena_release(arena, geometry->offsets, (size_t)geometry->polygon_count + 1,
                        sizeof *geometry->offsets);
    facet_arena_release(arena, geometry->corners, geometry->corner_count,
                        sizeof *geometry->corners);
    facet_arena_release(arena, geometry->points, geometry->point_count,
                        3 * sizeof *geometry->points);
    memset(geometry, 0, sizeof *geometry);
}

/* -- Counting ----------------------------------------------------------- */

/* Number of edges of a polygon of n corners: a segment has 1, a point 0. */
static uint32_t edge_count(uint32_t corners)
{
    return corners > 2 ? corners : corners - 1;
}

/* Flags for the sides on which a polygon has corners. */
enum { LOWER = 1, UPPER = 2 };

/* A polygon in the plane belongs to the side behind it, where the solid is if one exists. A
 * segment in the plane belongs to both sides. */
static int sides_in_plane(const facet_part_geometry *g, const uint32_t *corners, uint32_t count,
                          const facet_plane *plane)
{
    if (count < 3)
        return LOWER | UPPER;
    double ab[3], ac[3], normal[3];
    const double *a = g->points + 3 * (size_t)corners[0];
    facet_subtract(g->points + 3 * (size_t)corners[1], a, ab);
    facet_subtract(g->points + 3 * (size_t)corners[2], a, ac);
    facet_cross(ab, ac, normal);
    return facet_dot(normal, plane->normal) < 0 ? UPPER : LOWER;
}

static int sides_of(const facet_part_geometry *g, uint32_t polygon, const facet_plane *plane,
                    const double *heights)
{
    const uint32_t *corners = g->corners + g->offsets[polygon];
    uint32_t count = g->offsets[polygon + 1] - g->offsets[polygon];
    int sides = 0;
    for (uint32_t i = 0; i < count; i++)
        sides |= heights[corners[i]] < 0 ? LOWER : heights[corners[i]] > 0 ? UPPER : 0;
    return sides ? sides : sides_in_plane(g, corners, count, plane);
}

/* -- One side ----------------------------------------------------------- */

typedef struct side {
    facet_part_geometry geometry;
    uint32_t *new_index; /* per point of the whole: its index here, or UINT32_MAX */
    double sign;         /* points with sign * height >= 0 belong to it */
} side;

static facet_status allocate_side(side *s, uint32_t point_count, uint32_t corner_count,
                                  uint32_t polygon_count, facet_arena *arena, facet_error *error)
{
    facet_part_geometry *g = &s->geometry;
    memset(g, 0, sizeof *g);
    g->points = facet_arena_allocate(arena, point_count, 3 * sizeof *g->points);
    g->corners = facet_arena_allocate(arena, corner_count, sizeof *g->corners);
    g->offsets = facet_arena_allocate(arena, (size_t)polygon_count + 1, sizeof *g->offsets);
    if (!g->points || !g->corners || !g->offsets)
        return facet_fail_arena(arena, error);
    return FACET_OK;
}

static uint32_t add_point(side *s, const double *point)
{
    memcpy(s->geometry.points + 3 * (size_t)s->geometry.point_count, point, 3 * sizeof *point);
    return s->geometry.point_count++;
}

static void add_corner(side *s, const facet_part_geometry *whole, uint32_t point)
{
    if (s->new_index[point] == UINT32_MAX)
        s->new_index[point] = add_point(s, whole->points + 3 * (size_t)point);
    s->geometry.corners[s->geometry.corner_count++] = s->new_index[point];
}

static void add_polygon(side *s, const facet_part_geometry *whole, uint32_t polygon,
                        const double *heights)
{
    const uint32_t *corners = whole->corners + whole->offsets[polygon];
    uint32_t count = whole->offsets[polygon + 1] - whole->offsets[polygon];
    uint32_t edges = edge_count(count);
    s->geometry.offsets[s->geometry.polygon_count++] = s->geometry.corner_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = corners[i], b = corners[(i + 1) % count];
        double ha = s->sign * heights[a], hb = s->sign * heights[b];
        if (ha >= 0)
            add_corner(s, whole, a);
        if (i < edges && ((ha > 0 && hb < 0) || (ha < 0 && hb > 0))) {
            double cut[3];
            /* Start from the same end on both sides, so that both compute the same point. */
            if (heights[a] < heights[b])
                facet_between(whole->points + 3 * (size_t)a, whole->points + 3 * (size_t)b,
                              heights[a] / (heights[a] - heights[b]), cut);
            else
                facet_between(whole->points + 3 * (size_t)b, whole->points + 3 * (size_t)a,
                              heights[b] / (heights[b] - heights[a]), cut);
            s->geometry.corners[s->geometry.corner_count++] = add_point(s, cut);
        }
    }
}

static void fill_side(side *s, int which, const facet_part_geometry *whole,
                      const facet_plane *plane, const double *heights,
                      const facet_segments *segments)
{
    s->sign = which == UPPER ? 1 : -1;
    memset(s->new_index, 0xFF, whole->point_count * sizeof *s->new_index);
    for (uint32_t p = 0; p < whole->polygon_count; p++) {
        if (sides_of(whole, p, plane, heights) & which)
            add_polygon(s, whole, p, heights);
    }
    for (uint32_t i = 0; i < segments->count; i++) {
        s->geometry.offsets[s->geometry.polygon_count++] = s->geometry.corner_count;
        for (size_t end = 0; end < 2; end++)
            s->geometry.corners[s->geometry.corner_count++] =
                add_point(s, segments->ends + 3 * (2 * (size_t)i + end));
    }
    s->geometry.offsets[s->geometry.polygon_count] = s->geometry.corner_count;
}

/* Shrink the arrays to their contents. This cannot fail: a block that cannot shrink stays as it
 * is. */
static facet_status trim_side(side *s, uint32_t point_capacity, uint32_t corner_capacity,
                              uint32_t polygon_capacity, facet_arena *arena, facet_error *error)
{
    facet_part_geometry *g = &s->geometry;
    double *points =
        facet_arena_resize(arena, g->points, point_capacity, g->point_count, 3 * sizeof *points);
    uint32_t *corners =
        facet_arena_resize(arena, g->corners, corner_capacity, g->corner_count, sizeof *corners);
    uint32_t *offsets = facet_arena_resize(arena, g->offsets, (size_t)polygon_capacity + 1,
                                           (size_t)g->polygon_count + 1, sizeof *offsets);
    if (!points || !corners || !offsets)
        return facet_fail_arena(arena, error);
    g->points = points;
    g->corners = corners;
    g->offsets = offsets;
    return FACET_OK;
}

/* -- Both sides --------------------------------------------------------- */

facet_status facet_part_geometry_cut(const facet_part_geometry *whole, const facet_plane *plane,
                                     const facet_segments *segments, facet_arena *arena,
                                     facet_part_geometry *lower, facet_part_geometry *upper,
                                     facet_error *error)
{
    double *heights = facet_arena_allocate(arena, whole->point_count, sizeof *heights);
    uint32_t *new_index = facet_arena_allocate(arena, whole->point_count, sizeof *new_index);
    if (!heights || !new_index)
        return facet_fail_arena(arena, error);
    for (uint32_t i = 0; i < whole->point_count; i++)
        heights[i] = facet_dot(plane->normal, whole->points + 3 * (size_t)i) - plane->offset;
    /* Each polygon that is cut adds at most two points and corners. */
    uint64_t cut = (uint64_t)segments[0].count + segments[1].count;
    uint32_t polygons[2] = {segments[0].count, segments[1].count};
    for (uint32_t p = 0; p < whole->polygon_count; p++) {
        int sides = sides_of(whole, p, plane, heights);
        polygons[0] += (sides & LOWER) != 0;
        polygons[1] += (sides & UPPER) != 0;
        cut += sides == (LOWER | UPPER);
    }
    uint64_t point_capacity = whole->point_count + 2 * cut,
             corner_capacity = whole->corner_count + 2 * cut;
    if (point_capacity > UINT32_MAX || corner_capacity > UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, "HULLS-SIZE", FACET_NO_OFFSET,
                          "the cut mesh has more than 2^32 corners");
    facet_status status = FACET_OK;
    side sides[2];
    for (int i = 0; i < 2 && !status; i++) {
        sides[i].new_index = new_index;
        status = allocate_side(&sides[i], (uint32_t)point_capacity, (uint32_t)corner_capacity,
                               polygons[i], arena, error);
        if (!status) {
            fill_side(&sides[i], i == 0 ? LOWER : UPPER, whole, plane, heights, &segments[i]);
            status = trim_side(&sides[i], (uint32_t)point_capacity, (uint32_t)corner_capacity,
                               polygons[i], arena, error);
        }
    }
    if (status)
        return status;
    facet_arena_release(arena, new_index, whole->point_count, sizeof *new_index);
    facet_arena_release(arena, heights, whole->point_count, sizeof *heights);
    *lower = sides[0].geometry;
    *upper = sides[1].geometry;
    return FACET_OK;
}
