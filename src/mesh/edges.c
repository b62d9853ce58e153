/* mesh/edges.c - edges sorted by their ends.
 *
 * A counting sort by the end point is followed by a stable one by the start point. */
#include "mesh/edges.h"

#include "base/arena.h"
#include "base/error.h"

/* Number of edges that are placed between two calls of the progress callback. */
#define AT_ONCE 262144

static uint32_t end_of(const uint32_t *triangles, size_t edge)
{
    return triangles[edge % 3 == 2 ? edge - 2 : edge + 1];
}

/* Turn counts into starts: starts[point + 1] holds the number of edges of each point. */
static void sum_up(uint32_t *starts, uint32_t point_count)
{
    for (uint32_t i = 0; i < point_count; i++)
        starts[i + 1] += starts[i];
}

/* After the edges are placed, starts[point] is the start of the next point: move all back by
 * one. */
static void step_back(uint32_t *starts, uint32_t point_count)
{
    for (uint32_t i = point_count; i > 0; i--)
        starts[i] = starts[i - 1];
    starts[0] = 0;
}

static facet_status tell(const facet_stretch *p, size_t done, size_t of, facet_error *error)
{
    return done % AT_ONCE == 0 ? facet_step_within(p->options, p->step, p->range, done, of, error)
                               : FACET_OK;
}

static facet_status sort(const uint32_t *triangles, uint32_t *by_end, const facet_stretch *progress,
                         facet_edges *edges, facet_error *error)
{
    size_t count = 3 * (size_t)edges->triangle_count;
    uint32_t *starts = edges->starts;
    facet_status status = FACET_OK;
    for (size_t i = 0; i < count; i++)
        starts[triangles[i] + 1]++; /* each point of a triangle is the end of one edge, and the
                                       start of another */
    sum_up(starts, edges->point_count);
    for (size_t i = 0; i < count && !status; i++) {
        status = tell(progress, i, 2 * count, error);
        by_end[starts[end_of(triangles, i)]++] = (uint32_t)i;
    }
    step_back(starts, edges->point_count);
    for (size_t i = 0; i < count && !status; i++) {
        status = tell(progress, count + i, 2 * count, error);
        edges->ends[starts[triangles[by_end[i]]]++] = end_of(triangles, by_end[i]);
    }
    step_back(starts, edges->point_count);
    return status;
}

facet_status facet_edges_sort(const uint32_t *triangles, uint32_t triangle_count,
                              uint32_t point_count, const facet_stretch *progress,
                              facet_arena *arena, facet_edges *edges, facet_error *error)
{
    size_t count = 3 * (size_t)triangle_count;
    if (count > UINT32_MAX || point_count == UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "%zu edges are too many to be numbered", count);
    facet_edges made = {.point_count = point_count, .triangle_count = triangle_count};
    uint32_t *by_end = facet_arena_allocate(arena, count, sizeof *by_end);
    made.starts = facet_arena_allocate_zeroed(arena, (size_t)point_count + 1, sizeof *made.starts);
    made.ends = facet_arena_allocate(arena, count, sizeof *made.ends);
    if (!by_end || !made.starts || !made.ends)
        return facet_fail_arena(arena, error);
    facet_status status = sort(triangles, by_end, progress, &made, error);
    facet_arena_release(arena, by_end, count, sizeof *by_end);
    if (!status)
        *edges = made;
    return status;
}

void facet_edges_free(facet_arena *arena, facet_edges *edges)
{
    facet_arena_release(arena, edges->ends, 3 * (size_t)edges->triangle_count, sizeof *edges->ends);
    facet_arena_release(arena, edges->starts, (size_t)edges->point_count + 1,
                        sizeof *edges->starts);
}

/* The first edge from `from` on whose end is at least `to`. */
static uint32_t lower_bound(const facet_edges *edges, uint32_t from, uint32_t to)
{
    uint32_t low = edges->starts[from], high = edges->starts[from + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edges->ends[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t facet_edges_count(const facet_edges *edges, uint32_t from, uint32_t to)
{
    return (to == UINT32_MAX ? edges->starts[from + 1] : lower_bound(edges, from, to + 1)) -
           lower_bound(edges, from, to);
}
