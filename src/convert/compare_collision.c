/* convert/compare_collision.c - comparison of collision hulls and occluders. */
#include "base/error.h"
#include "base/table.h"
#include "base/text.h"
#include "convert/compare.h"
#include "scene/axes.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Points of a scene. Every `group` of them is one item: 1, or 3 for triangles. */
typedef struct cloud {
    const facet_axes *axes;
    const float *points;
    const uint32_t *indices; /* NULL: in order */
    uint32_t count;
    uint32_t group;
} cloud;

static void get_point(const cloud *from, uint32_t index, float out[3])
{
    size_t at = from->indices ? from->indices[index] : index;
    memcpy(out, from->points + 3 * at, 3 * sizeof *out);
    facet_axes_turn(from->axes, out);
}

/* Sum of the hashes of all items. It does not depend on the order of items, nor on the order of the
 * points of an item. */
static uint64_t sum_of(const cloud *from)
{
    uint64_t sum = 0, item = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        float point[3];
        get_point(from, i, point);
        for (int k = 0; k < 3; k++)
            point[k] += 0.0F; /* -0 becomes 0 */
        item += facet_hash_word(0, facet_hash_bytes(point, sizeof point));
        if ((i + 1) % from->group == 0) {
            sum += facet_hash_word(1, item);
            item = 0;
        }
    }
    return sum;
}

/* In the same order, points may differ by the tolerance; in another order, they must be equal to
 * the last bit. */
static bool differ(const facet_comparing *c, const cloud *a, const cloud *b)
{
    bool near = a->count == b->count;
    for (uint32_t i = 0; i < a->count && near; i++) {
        float x[3], y[3];
        double squares = 0;
        get_point(a, i, x);
        get_point(b, i, y);
        for (int k = 0; k < 3; k++)
            squares += pow((double)x[k] - c->scale * (double)y[k], 2);
        near = sqrt(squares) <= c->tolerance;
    }
    return !near && (a->count != b->count || sum_of(a) != sum_of(b));
}

static cloud points_of(const facet_scene *scene, const facet_hull *hull)
{
    return (cloud){&scene->axes, hull->points, NULL, hull->point_count, 1};
}

static cloud triangles_of(const facet_scene *scene)
{
    const facet_mesh *mesh = scene->occluder;
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    if (!positions)
        return (cloud){&scene->axes, NULL, NULL, 0, 3};
    return (cloud){&scene->axes, positions->data, positions->indices, mesh->corner_count, 3};
}

static uint64_t hull_content(const void *item)
{
    const facet_hull *hull = item;
    return facet_hash_bytes(hull->points, 3 * sizeof(float) * (size_t)hull->point_count);
}

facet_status facet_compare_collision(const facet_comparing *c, const facet_scene *a,
                                     const facet_scene *b, facet_error *error)
{
    uint32_t *pairs = NULL;
    TRY(facet_compare_pair(c, "hulls", a->hulls, a->hull_count, b->hulls, b->hull_count,
                           offsetof(facet_hull, name), hull_content, &pairs, error));
    for (uint32_t i = 0; i < a->hull_count; i++) {
        if (pairs[i] == FACET_NONE)
            continue;
        cloud here = points_of(a, a->hulls[i]), there = points_of(b, b->hulls[pairs[i]]);
        facet_quoted quoted;
        if (differ(c, &here, &there))
            facet_compare_add(c, FACET_COMPARE_POSITIONS, "COMPARE-DISTANCE", FACET_NO_OFFSET,
                              "hull %" PRIu32 ", '%s', has other points in the second file", i,
                              facet_quote(&quoted, a->hulls[i]->name, strlen(a->hulls[i]->name)));
    }
    if (!a->occluder || !b->occluder)
        return FACET_OK;
    cloud here = triangles_of(a), there = triangles_of(b);
    if (differ(c, &here, &there))
        facet_compare_add(c, FACET_COMPARE_POSITIONS, "COMPARE-DISTANCE", FACET_NO_OFFSET,
                          "the occluder of the second file has other triangles");
    return FACET_OK;
}
