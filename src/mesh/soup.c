/* mesh/soup.c - gathering the triangles of a mesh, welded by position. */
#include "mesh/soup.h"

#include "base/arena.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

/* -- Welding by position ------------------------------------------------ */

static uint32_t hash_of(const double *point)
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        uint64_t bits;
        memcpy(&bits, &point[k], sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 16);
}

/* The index of the point with these coordinates, appended when it is new. */
static uint32_t find_point(facet_soup *soup, uint32_t *table, uint32_t mask, const double *point)
{
    uint32_t slot = hash_of(point) & mask;
    while (table[slot] != UINT32_MAX &&
           memcmp(soup->points + 3 * (size_t)table[slot], point, 3 * sizeof *point) != 0)
        slot = (slot + 1) & mask;
    if (table[slot] == UINT32_MAX) {
        memcpy(soup->points + 3 * (size_t)soup->point_count, point, 3 * sizeof *point);
        table[slot] = soup->point_count++;
    }
    return table[slot];
}

/* The number of elements that corners use, marked 0 in `of_element`; the
 * others get UINT32_MAX. */
static facet_status mark_used(const facet_mesh *mesh, const facet_stream *positions,
                              uint32_t *of_element, uint32_t *used, facet_error *error)
{
    const float *values = positions->data;
    memset(of_element, 0xFF, positions->count * sizeof *of_element);
    *used = 0;
    for (uint32_t c = 0; c < mesh->corner_count; c++) {
        uint32_t element = positions->indices[c];
        if (element >= positions->count)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "HULLS-POSITION", FACET_NO_OFFSET,
                              "corner %u has no position", c);
        if (of_element[element] == 0)
            continue;
        for (int k = 0; k < 3; k++) {
            float x = values[3 * (size_t)element + k];
            if (!isfinite(x))
                return facet_fail(error, FACET_ERROR_ARGUMENT, "HULLS-FINITE", FACET_NO_OFFSET,
                                  "position %u is not finite: its coordinate %d is %g", element, k,
                                  (double)x);
        }
        of_element[element] = 0;
        ++*used;
    }
    return FACET_OK;
}

static void weld(facet_soup *soup, const facet_mesh *mesh, const facet_stream *positions,
                 uint32_t *of_element, uint32_t *table, uint32_t mask)
{
    const float *values = positions->data;
    memset(table, 0xFF, ((size_t)mask + 1) * sizeof *table);
    /* Elements in their own order, so that neighbors stay neighbors. */
    for (uint32_t e = 0; e < positions->count; e++) {
        if (of_element[e] == UINT32_MAX)
            continue;
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = (double)values[3 * (size_t)e + k] + 0.0; /* -0 becomes 0 */
        of_element[e] = find_point(soup, table, mask, point);
    }
    for (uint32_t c = 0; c < mesh->corner_count; c++)
        soup->triangles[c] = of_element[positions->indices[c]];
}

/* -- Scaling ------------------------------------------------------------ */

static void normalize(facet_soup *soup)
{
    double low[3], high[3], largest = 0, squares = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (uint32_t i = 0; i < soup->point_count; i++) {
            double x = soup->points[3 * (size_t)i + k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
        if (soup->point_count == 0)
            low[k] = high[k] = 0;
        soup->center[k] = (double)(float)(low[k] / 2 + high[k] / 2);
        largest += fmax(fabs(low[k]), fabs(high[k]));
        squares += (high[k] - low[k]) * (high[k] - low[k]);
    }
    int exponent = 0;
    if (squares > 0)
        frexp(sqrt(squares), &exponent);
    soup->scale = ldexp(1, -exponent);
    soup->diagonal = sqrt(squares) * soup->scale;
    /* Half a unit in the last place of the largest coordinates. */
    soup->resolution = 3 * ldexp(largest * soup->scale, -24);
    for (size_t i = 0; i < 3 * (size_t)soup->point_count; i++)
        soup->points[i] = (soup->points[i] - soup->center[i % 3]) * soup->scale;
}

/* -- Gathering ---------------------------------------------------------- */

facet_status facet_soup_gather(const facet_mesh *mesh, facet_arena *arena, facet_soup *soup,
                               facet_error *error)
{
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    if (!positions || positions->component != FACET_FLOAT32 || positions->components != 3)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "HULLS-POSITION", FACET_NO_OFFSET,
                          "the mesh has no positions of three floats");
    if (!facet_mesh_is_triangles(mesh))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "HULLS-TRIANGLES", FACET_NO_OFFSET,
                          "the mesh has faces that are not triangles");
    facet_soup made;
    memset(&made, 0, sizeof made);
    uint32_t used, slots = 16;
    uint32_t *of_element = facet_arena_allocate(arena, positions->count, sizeof *of_element);
    if (!of_element)
        return facet_fail_memory(error, positions->count * sizeof *of_element);
    facet_status status = mark_used(mesh, positions, of_element, &used, error);
    if (status)
        return status;
    while (slots / 2 < used && slots < UINT32_C(1) << 31)
        slots *= 2;
    made.points = facet_arena_allocate(arena, used, 3 * sizeof *made.points);
    made.triangles = facet_arena_allocate(arena, mesh->corner_count, sizeof *made.triangles);
    uint32_t *table = facet_arena_allocate(arena, slots, sizeof *table);
    if (!made.points || !made.triangles || !table)
        return facet_fail_memory(error, (size_t)used * 3 * sizeof *made.points);
    weld(&made, mesh, positions, of_element, table, slots - 1);
    made.triangle_count = mesh->corner_count / 3;
    facet_arena_release(arena, table, slots, sizeof *table);
    facet_arena_release(arena, of_element, positions->count, sizeof *of_element);
    normalize(&made);
    *soup = made;
    return FACET_OK;
}
