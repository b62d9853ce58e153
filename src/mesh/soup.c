/* mesh/soup.c - gathering the triangles of a mesh, welded by position. */
#include "mesh/soup.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/table.h"

#include <math.h>
#include <string.h>

/* -- Welding by position ------------------------------------------------ */

/* Count the elements that corners use. Their entries in `of_element` become 0, all others
 * UINT32_MAX. */
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

static int compare_points(const void *user, uint32_t a, uint32_t b)
{
    const double(*points)[3] = (const double(*)[3])user;
    return memcmp(points[a], points[b], sizeof *points);
}

/* Number the points in the order of their elements, so that neighbors stay neighbors. There is
 * space for all of them; false if the table runs out of memory. */
static bool weld(facet_soup *soup, const facet_mesh *mesh, const facet_stream *positions,
                 uint32_t *of_element, facet_table *table)
{
    const float(*values)[3] = positions->data;
    double(*points)[3] = (void *)soup->points;
    for (uint32_t e = 0; e < positions->count; e++) {
        if (of_element[e] == UINT32_MAX)
            continue;
        uint64_t hash = 0;
        for (int k = 0; k < 3; k++) {
            points[soup->point_count][k] = (double)values[e][k] + 0.0; /* -0 becomes 0 */
            hash = facet_hash_word(hash, facet_bits_of_float(values[e][k] + 0.0f));
        }
        of_element[e] =
            facet_table_put(table, facet_hash_end(hash), soup->point_count, compare_points, points);
        if (of_element[e] == UINT32_MAX)
            return false;
        soup->point_count += of_element[e] == soup->point_count;
    }
    for (uint32_t c = 0; c < mesh->corner_count; c++)
        soup->triangles[c] = of_element[positions->indices[c]];
    return true;
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
    /* Three half units in the last place of the sum of the largest coordinates. */
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
    uint32_t used;
    uint32_t *of_element = facet_arena_allocate(arena, positions->count, sizeof *of_element);
    if (!of_element)
        return facet_fail_arena(arena, error);
    TRY(mark_used(mesh, positions, of_element, &used, error));
    facet_table table = facet_table_make(arena);
    made.points = facet_arena_allocate(arena, used, 3 * sizeof *made.points);
    made.triangles = facet_arena_allocate(arena, mesh->corner_count, sizeof *made.triangles);
    if (!made.points || !made.triangles ||
        !facet_table_reserve(&table, used, compare_points, made.points) ||
        !weld(&made, mesh, positions, of_element, &table))
        return facet_fail_arena(arena, error);
    made.triangle_count = mesh->corner_count / 3;
    facet_table_free(&table);
    facet_arena_release(arena, of_element, positions->count, sizeof *of_element);
    normalize(&made);
    *soup = made;
    return FACET_OK;
}
