/* formats/iqm/check_triangles.c - the rules of meshes, triangles and their neighbors. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/iqm/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void load_triangle(const facet_iqm_checker *c, facet_iqm_section section, uint32_t index,
                          uint32_t corners[3])
{
    const uint8_t *record = facet_iqm_record(&c->layout, section, index);
    for (int k = 0; k < 3; k++)
        corners[k] = facet_load_u32le(record + 4 * k);
}

/* -- Meshes ------------------------------------------------------------- */

typedef struct mesh_range {
    uint32_t first, count, mesh;
} mesh_range;

static int by_first(const void *a, const void *b)
{
    const mesh_range *l = a, *r = b;
    if (l->first != r->first)
        return l->first < r->first ? -1 : 1;
    return l->mesh < r->mesh ? -1 : l->mesh > r->mesh;
}

static void check_ranges(facet_iqm_checker *c, const mesh_range *ranges, uint32_t count)
{
    facet_tally overlaps = {0, 0}, loose = {0, 0};
    uint32_t reached = 0, total = c->layout.count[FACET_IQM_TRIANGLES];
    for (uint32_t i = 0; i < count; i++) {
        if (ranges[i].count == 0)
            continue;
        if (ranges[i].first < reached)
            facet_tally_hit(&overlaps, ranges[i].mesh);
        else if (ranges[i].first > reached)
            facet_tally_add(&loose, &(facet_tally){ranges[i].first - reached, reached});
        if (ranges[i].first + ranges[i].count > reached)
            reached = ranges[i].first + ranges[i].count;
    }
    if (reached < total)
        facet_tally_add(&loose, &(facet_tally){total - reached, reached});
    facet_report_add_tally(c->report, "IQM-MESH-OVERLAP", FACET_SEVERITY_WARNING,
                           c->layout.offset[FACET_IQM_MESHES], &overlaps,
                           "mesh %" PRIu64 " has triangles of another mesh", overlaps.first);
    facet_report_add_tally(c->report, "IQM-MESH-COVERAGE", FACET_SEVERITY_WARNING,
                           c->layout.offset[FACET_IQM_TRIANGLES], &loose,
                           "triangle %" PRIu64 " is in no mesh", loose.first);
}

/* Overlapping meshes are looked at only as far as they do not multiply the triangles. */
static void check_corners(facet_iqm_checker *c, const mesh_range *ranges, uint32_t count)
{
    facet_tally outside = {0, 0};
    uint32_t reached = 0;
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_mesh mesh;
        facet_iqm_load_mesh(&c->layout, ranges[i].mesh, &mesh);
        uint32_t end = mesh.first_triangle + mesh.triangle_count;
        uint32_t t = mesh.first_triangle > reached ? mesh.first_triangle : reached;
        for (; t < end; t++) {
            uint32_t corners[3];
            load_triangle(c, FACET_IQM_TRIANGLES, t, corners);
            for (int k = 0; k < 3; k++) {
                if (corners[k] - mesh.first_vertex >= mesh.vertex_count) {
                    facet_tally_hit(&outside, t);
                    break;
                }
            }
        }
        reached = end > reached ? end : reached;
    }
    facet_report_add_tally(
        c->report, "IQM-MESH-VERTEX", FACET_SEVERITY_WARNING, c->layout.offset[FACET_IQM_TRIANGLES],
        &outside, "triangle %" PRIu64 " has a vertex that is not of its mesh", outside.first);
}

static facet_status check_meshes(facet_iqm_checker *c)
{
    uint32_t count = c->layout.count[FACET_IQM_MESHES];
    mesh_range *ranges = facet_arena_allocate(c->arena, count, sizeof *ranges);
    if (!ranges)
        return facet_fail_arena(c->arena, c->error);
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_mesh mesh;
        facet_iqm_load_mesh(&c->layout, i, &mesh);
        ranges[i] = (mesh_range){mesh.first_triangle, mesh.triangle_count, i};
    }
    qsort(ranges, count, sizeof *ranges, by_first);
    check_ranges(c, ranges, count);
    if (c->whole[FACET_IQM_PART_TRIANGLES])
        check_corners(c, ranges, count);
    return FACET_OK;
}

/* -- Triangles ---------------------------------------------------------- */

static void load_vector(const facet_iqm_array *array, uint32_t vertex, double out[3])
{
    uint32_t component = facet_iqm_component_size(array->format);
    const uint8_t *at = (const uint8_t *)array->data + (size_t)vertex * array->size * component;
    for (int k = 0; k < 3; k++)
        out[k] = facet_iqm_component(at + (size_t)k * component, array->format, false);
}

/* The cosine of the angle at which a triangle is still edge-on. */
#define EDGE_ON 1e-3

/* True when a clockwise triangle faces away from the sum of its normals. */
static bool faces_away(const facet_iqm_array *positions, const facet_iqm_array *normals,
                       const uint32_t corners[3])
{
    double p[3][3], a[3], b[3], sum[3] = {0, 0, 0}, out[3], along = 0, sizes[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
        double normal[3];
        load_vector(positions, corners[k], p[k]);
        load_vector(normals, corners[k], normal);
        for (int axis = 0; axis < 3; axis++)
            sum[axis] += normal[axis];
    }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = p[1][axis] - p[0][axis];
        b[axis] = p[2][axis] - p[0][axis];
    }
    /* The outside of a clockwise triangle is along b x a. */
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        out[axis] = b[next] * a[last] - b[last] * a[next];
        along += out[axis] * sum[axis];
        sizes[0] += out[axis] * out[axis];
        sizes[1] += sum[axis] * sum[axis];
    }
    return along < -EDGE_ON * sqrt(sizes[0] * sizes[1]);
}

static void check_triangles(facet_iqm_checker *c)
{
    facet_iqm_array positions, normals;
    facet_tally degenerate = {0, 0}, winding = {0, 0};
    bool shaped = c->whole[FACET_IQM_PART_ARRAYS] &&
                  facet_iqm_find_array(&c->layout, FACET_IQM_POSITION, &positions) &&
                  facet_iqm_find_array(&c->layout, FACET_IQM_NORMAL, &normals) &&
                  positions.size >= 3 && normals.size >= 3;
    for (uint32_t t = 0; t < c->layout.count[FACET_IQM_TRIANGLES]; t++) {
        uint32_t v[3];
        load_triangle(c, FACET_IQM_TRIANGLES, t, v);
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            facet_tally_hit(&degenerate, t);
        else if (shaped && faces_away(&positions, &normals, v))
            facet_tally_hit(&winding, t);
    }
    facet_report_add_tally(c->report, "IQM-TRIANGLE-DEGENERATE", FACET_SEVERITY_WARNING,
                           c->layout.offset[FACET_IQM_TRIANGLES], &degenerate,
                           "triangle %" PRIu64 " has a vertex twice", degenerate.first);
    facet_report_add_tally(c->report, "IQM-TRIANGLE-WINDING", FACET_SEVERITY_WARNING,
                           c->layout.offset[FACET_IQM_TRIANGLES], &winding,
                           "triangle %" PRIu64
                           " is counter-clockwise as its normals have it, expected clockwise",
                           winding.first);
}

/* -- Neighbors ---------------------------------------------------------- */

static void check_adjacency(facet_iqm_checker *c)
{
    facet_tally single = {0, 0};
    for (uint32_t t = 0; t < c->layout.count[FACET_IQM_ADJACENCY]; t++) {
        uint32_t neighbors[3], back[3];
        load_triangle(c, FACET_IQM_ADJACENCY, t, neighbors);
        for (int k = 0; k < 3; k++) {
            if (neighbors[k] == FACET_NONE)
                continue;
            load_triangle(c, FACET_IQM_ADJACENCY, neighbors[k], back);
            if (back[0] != t && back[1] != t && back[2] != t)
                facet_tally_hit(&single, t);
        }
    }
    facet_report_add_tally(c->report, "IQM-ADJACENCY-MUTUAL", FACET_SEVERITY_WARNING,
                           c->layout.offset[FACET_IQM_ADJACENCY], &single,
                           "triangle %" PRIu64 " has a neighbor that does not name it",
                           single.first);
}

facet_status facet_iqm_check_triangles(facet_iqm_checker *c)
{
    if (c->whole[FACET_IQM_PART_MESHES])
        TRY(check_meshes(c));
    if (c->whole[FACET_IQM_PART_TRIANGLES])
        check_triangles(c);
    if (c->whole[FACET_IQM_PART_ADJACENCY])
        check_adjacency(c);
    return FACET_OK;
}
