/* mesh/weld_distance.c - positions within a distance of one another become one.
 *
 * Positions are taken in their order. Each joins the nearest earlier position that stayed, if
 * one is near enough; otherwise it stays. Positions that stay are farther apart than the
 * distance. So a grid cell of twice the distance contains only a few of them. The neighborhood
 * of a position covers eight cells. */
#include <facet/mesh.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "mesh/passes.h"
#include "mesh/streams.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct merger {
    const float *points;
    uint32_t count;
    double low[3], distance;
    facet_records cells; /* three numbers per cell */
    uint32_t *newest;    /* per cell: the last position there that stayed, or FACET_NONE */
    uint32_t *before;    /* per position that stayed: the one before it in its cell */
    uint32_t *numbers;   /* per position: the number of the position that replaces it */
    uint32_t *kept;      /* per number: its position */
    uint32_t kept_count;
} merger;

/* -- The grid ----------------------------------------------------------- */

static double distance_between(const merger *m, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (size_t k = 0; k < 3; k++) {
        double d = (double)m->points[(size_t)a * 3 + k] - (double)m->points[(size_t)b * 3 + k];
        sum += d * d;
    }
    return sqrt(sum);
}

/* The cell of a position, and on each axis the closer neighbor of that cell. */
static void find_cell(const merger *m, uint32_t point, uint32_t cell[3], uint32_t other[3])
{
    for (int k = 0; k < 3; k++) {
        double at =
            ((double)m->points[(size_t)point * 3 + (size_t)k] - m->low[k]) / (2 * m->distance) + 1;
        cell[k] = at < UINT32_MAX ? (uint32_t)at : 0; /* NaN is near nothing */
        other[k] = at - cell[k] < 0.5 ? cell[k] - 1 : cell[k] + 1;
    }
}

/* The nearest position that stayed, within the distance; FACET_NONE if all are farther. */
static uint32_t find_near(merger *m, uint32_t point, const uint32_t cell[3],
                          const uint32_t other[3])
{
    uint32_t nearest = FACET_NONE;
    double least = m->distance;
    for (uint32_t corner = 0; corner < 8; corner++) {
        uint32_t key[3];
        for (uint32_t k = 0; k < 3; k++)
            key[k] = corner >> k & 1 ? other[k] : cell[k];
        uint32_t found = facet_records_find(&m->cells, key);
        uint32_t at = found == UINT32_MAX ? FACET_NONE : m->newest[found];
        for (; at != FACET_NONE; at = m->before[at]) {
            double far = distance_between(m, at, point);
            if (far < least || (far <= least && (nearest == FACET_NONE || at < nearest))) {
                least = far;
                nearest = at;
            }
        }
    }
    return nearest;
}

static bool number_positions(merger *m)
{
    for (uint32_t point = 0; point < m->count; point++) {
        uint32_t cell[3], other[3];
        find_cell(m, point, cell, other);
        uint32_t near = find_near(m, point, cell, other);
        if (near != FACET_NONE) {
            m->numbers[point] = m->numbers[near];
            continue;
        }
        uint32_t cells = m->cells.count;
        uint32_t number = facet_records_put(&m->cells, cell);
        if (number == UINT32_MAX)
            return false;
        m->before[point] = number == cells ? FACET_NONE : m->newest[number];
        m->newest[number] = point;
        m->numbers[point] = m->kept_count;
        m->kept[m->kept_count++] = point;
    }
    return true;
}

/* -- The mesh ----------------------------------------------------------- */

/* Give the positions a separate index; other streams stay unchanged. */
static facet_status apply(facet_mesh *mesh, const merger *m, facet_error *error)
{
    facet_stream *positions = &mesh->streams[0];
    uint32_t *indices = facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *indices);
    if (!indices)
        return facet_fail_arena(mesh->arena, error);
    facet_status status = facet_stream_gather(mesh, positions, m->kept, m->kept_count, NULL, error);
    if (status) {
        facet_arena_release(mesh->arena, indices, mesh->corner_count, sizeof *indices);
        return status;
    }
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++)
        indices[corner] = m->numbers[positions->indices[corner]];
    facet_mesh_number_ends(mesh, m->numbers);
    uint32_t *old = positions->indices;
    bool shared = false;
    for (uint32_t i = 1; i < mesh->stream_count; i++)
        shared |= mesh->streams[i].indices == old;
    positions->indices = indices;
    if (!shared)
        facet_arena_release(mesh->arena, old, mesh->corner_count, sizeof *old);
    return FACET_OK;
}

static double find_box(const facet_stream *positions, double low[3])
{
    const float *points = positions->data;
    double sum = 0;
    for (size_t k = 0; k < 3; k++) {
        double high = low[k] = (double)points[k];
        for (size_t i = 1; i < positions->count; i++) {
            double value = (double)points[i * 3 + k];
            low[k] = value < low[k] ? value : low[k];
            high = value > high ? value : high;
        }
        sum += (high - low[k]) * (high - low[k]);
    }
    return sqrt(sum);
}

static facet_status merge(facet_mesh *mesh, merger *m, facet_error *error)
{
    facet_arena *arena = mesh->arena;
    uint32_t count = m->count;
    m->cells = facet_records_make(arena, 3 * sizeof(uint32_t));
    m->newest = facet_arena_allocate(arena, count, sizeof(uint32_t));
    m->before = facet_arena_allocate(arena, count, sizeof(uint32_t));
    m->numbers = facet_arena_allocate(arena, count, sizeof(uint32_t));
    m->kept = facet_arena_allocate(arena, count, sizeof(uint32_t));
    facet_status status = FACET_OK;
    if (!m->newest || !m->before || !m->numbers || !m->kept || !number_positions(m))
        status = facet_fail_arena(arena, error);
    if (!status && m->kept_count < count)
        status = apply(mesh, m, error);
    facet_records_free(&m->cells);
    facet_arena_release(arena, m->kept, count, sizeof(uint32_t));
    facet_arena_release(arena, m->numbers, count, sizeof(uint32_t));
    facet_arena_release(arena, m->before, count, sizeof(uint32_t));
    facet_arena_release(arena, m->newest, count, sizeof(uint32_t));
    return status;
}

facet_status facet_mesh_weld_distance(facet_mesh *mesh, float distance,
                                      const facet_options *options, bool *changed,
                                      facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    facet_status status = facet_step(options, "weld positions", 0, error);
    if (!status && !(distance >= 0 && distance <= 0.1F))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "a distance of %g, expected 0 to 0.1 of the diagonal", (double)distance);
    if (status || mesh->corner_count == 0 || !(distance > 0))
        return status ? status : facet_pass_done(false, changed);
    merger m = {.points = mesh->streams[0].data, .count = mesh->streams[0].count};
    /* Smaller distances would overflow the cell numbers, and are below the precision of floats. */
    double share = distance < 1e-8F ? 1e-8 : (double)distance;
    m.distance = share * find_box(&mesh->streams[0], m.low);
    if (!(m.distance > 0) || !isfinite(m.distance))
        return facet_pass_done(false, changed);
    status = merge(mesh, &m, error);
    bool any = !status && m.kept_count < m.count;
    if (any)
        facet_report_add(options ? options->report : NULL, "MESH-MERGED", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET,
                         "%" PRIu32 " of %" PRIu32 " positions were moved, by at most %g",
                         m.count - m.kept_count, m.count, m.distance);
    return status ? status : facet_pass_done(any, changed);
}
