/* formats/iqm/check_triangles.c - the rules of meshes, triangles and their neighbors. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/threads.h"
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
    facet_report_add_tally_where(
        c->report, "IQM-MESH-OVERLAP", FACET_SEVERITY_WARNING,
        facet_where_mesh(c->layout.offset[FACET_IQM_MESHES], overlaps.first), &overlaps,
        "mesh %" PRIu64 " has triangles of another mesh", overlaps.first);
    facet_report_add_tally_where(
        c->report, "IQM-MESH-COVERAGE", FACET_SEVERITY_WARNING,
        facet_where_face(c->layout.offset[FACET_IQM_TRIANGLES], loose.first), &loose,
        "triangle %" PRIu64 " is in no mesh", loose.first);
}

/* Count the triangles from `first` to `end` (exclusive) with a vertex outside the mesh. */
static void count_outside(const facet_iqm_checker *c, const facet_iqm_mesh *mesh, uint32_t first,
                          uint32_t end, facet_tally *outside)
{
    const uint8_t *raw = facet_iqm_record(&c->layout, FACET_IQM_TRIANGLES, first);
    size_t whole = facet_iqm_find_outside(raw, ((size_t)end - first) * 3, mesh->first_vertex,
                                          mesh->vertex_count);
    for (uint32_t t = first + (uint32_t)(whole / 3); t < end; t++) {
        uint32_t corners[3];
        load_triangle(c, FACET_IQM_TRIANGLES, t, corners);
        if (corners[0] - mesh->first_vertex >= mesh->vertex_count ||
            corners[1] - mesh->first_vertex >= mesh->vertex_count ||
            corners[2] - mesh->first_vertex >= mesh->vertex_count)
            facet_tally_hit(outside, t);
    }
}

/* Check the corners. Overlapping meshes are only checked until their triangles exceed those of the
 * file. */
static void check_corners(facet_iqm_checker *c, const mesh_range *ranges, uint32_t count)
{
    facet_tally outside = {0, 0};
    uint32_t reached = 0;
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_mesh mesh;
        facet_iqm_load_mesh(&c->layout, ranges[i].mesh, &mesh);
        uint32_t end = mesh.first_triangle + mesh.triangle_count;
        if (end > reached && mesh.triangle_count > 0) {
            count_outside(c, &mesh, mesh.first_triangle > reached ? mesh.first_triangle : reached,
                          end, &outside);
            reached = end;
        }
    }
    facet_report_add_tally_where(
        c->report, "IQM-MESH-VERTEX", FACET_SEVERITY_WARNING,
        facet_where_face(c->layout.offset[FACET_IQM_TRIANGLES], outside.first), &outside,
        "triangle %" PRIu64 " has a vertex that is not of its mesh", outside.first);
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

/* The first three components of an array. */
typedef struct vectors {
    const uint8_t *data;
    size_t stride;
    uint32_t format, component;
} vectors;

static bool find_vectors(const facet_iqm_checker *c, uint32_t type, vectors *found)
{
    facet_iqm_array array;
    if (!facet_iqm_find_array(&c->layout, type, &array) || array.size < 3)
        return false;
    found->data = array.data;
    found->format = array.format;
    found->component = facet_iqm_component_size(array.format);
    found->stride = (size_t)array.size * found->component;
    return true;
}

typedef struct vector {
    double x, y, z;
} vector;

static vector load_vector(const vectors *from, uint32_t vertex)
{
    const uint8_t *at = from->data + vertex * from->stride;
    if (from->format == FACET_IQM_FLOAT32)
        return (vector){(double)facet_load_f32le(at), (double)facet_load_f32le(at + 4),
                        (double)facet_load_f32le(at + 8)};
    double out[3];
    facet_iqm_components(at, from->format, false, out, 3);
    return (vector){out[0], out[1], out[2]};
}

static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Cosine of the angle for a triangle seen edge-on. */
#define EDGE_ON 1e-3

/* True if a clockwise triangle points away from the sum of its normals. */
static bool faces_away(const vectors *positions, const vectors *normals, const uint32_t corners[3])
{
    vector p = load_vector(positions, corners[0]), q = load_vector(positions, corners[1]),
           r = load_vector(positions, corners[2]), l = load_vector(normals, corners[0]),
           m = load_vector(normals, corners[1]), n = load_vector(normals, corners[2]);
    vector sum = {l.x + m.x + n.x, l.y + m.y + n.y, l.z + m.z + n.z};
    vector a = {q.x - p.x, q.y - p.y, q.z - p.z}, b = {r.x - p.x, r.y - p.y, r.z - p.z};
    /* The outside of a clockwise triangle is in the direction b x a. */
    vector out = {b.y * a.z - b.z * a.y, b.z * a.x - b.x * a.z, b.x * a.y - b.y * a.x};
    double along = dot(out, sum);
    return along < 0 && along < -EDGE_ON * sqrt(dot(out, out) * dot(sum, sum));
}

/* Minimum number of triangles per thread. */
#define PART_TRIANGLES 16384

/* Check of all triangles or neighbors, with the findings of each part. */
typedef struct triangle_job {
    const facet_iqm_checker *checker;
    vectors positions, normals;
    bool shaped; /* positions and normals exist */
    facet_tally found[FACET_MAX_PARTS][2];
} triangle_job;

/* Check all records of a section. found[0] becomes the total. */
static void look_at(const facet_iqm_checker *c, facet_iqm_section section, facet_part_task task,
                    triangle_job *job)
{
    job->checker = c;
    size_t parts = facet_run_parts(c->options, task, job, c->layout.count[section], PART_TRIANGLES);
    for (size_t part = 1; part < parts; part++) {
        for (int k = 0; k < 2; k++)
            facet_tally_add(&job->found[0][k], &job->found[part][k]);
    }
}

static void look_at_triangles(void *argument, size_t part, size_t first, size_t end)
{
    triangle_job *job = argument;
    facet_tally degenerate = {0, 0}, winding = {0, 0};
    for (size_t t = first; t < end; t++) {
        uint32_t v[3];
        load_triangle(job->checker, FACET_IQM_TRIANGLES, (uint32_t)t, v);
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            facet_tally_hit(&degenerate, t);
        else if (job->shaped && faces_away(&job->positions, &job->normals, v))
            facet_tally_hit(&winding, t);
    }
    job->found[part][0] = degenerate;
    job->found[part][1] = winding;
}

static void check_triangles(facet_iqm_checker *c)
{
    triangle_job job = {.checker = c};
    job.shaped = c->whole[FACET_IQM_PART_ARRAYS] &&
                 find_vectors(c, FACET_IQM_POSITION, &job.positions) &&
                 find_vectors(c, FACET_IQM_NORMAL, &job.normals);
    look_at(c, FACET_IQM_TRIANGLES, look_at_triangles, &job);
    const facet_tally degenerate = job.found[0][0], winding = job.found[0][1];
    facet_report_add_tally_where(
        c->report, "IQM-TRIANGLE-DEGENERATE", FACET_SEVERITY_WARNING,
        facet_where_face(c->layout.offset[FACET_IQM_TRIANGLES], degenerate.first), &degenerate,
        "triangle %" PRIu64 " has a vertex twice", degenerate.first);
    facet_report_add_tally_where(
        c->report, "IQM-TRIANGLE-WINDING", FACET_SEVERITY_WARNING,
        facet_where_face(c->layout.offset[FACET_IQM_TRIANGLES], winding.first), &winding,
        "triangle %" PRIu64
        " is counter-clockwise when seen against its normals, expected clockwise",
        winding.first);
}

/* -- Neighbors ---------------------------------------------------------- */

static void look_at_neighbors(void *argument, size_t part, size_t first, size_t end)
{
    triangle_job *job = argument;
    facet_tally single = {0, 0};
    for (size_t t = first; t < end; t++) {
        uint32_t neighbors[3], back[3];
        load_triangle(job->checker, FACET_IQM_ADJACENCY, (uint32_t)t, neighbors);
        for (int k = 0; k < 3; k++) {
            if (neighbors[k] == FACET_NONE)
                continue;
            load_triangle(job->checker, FACET_IQM_ADJACENCY, neighbors[k], back);
            if (back[0] != t && back[1] != t && back[2] != t)
                facet_tally_hit(&single, t);
        }
    }
    job->found[part][0] = single;
}

static void check_adjacency(facet_iqm_checker *c)
{
    triangle_job job = {.checker = c};
    look_at(c, FACET_IQM_ADJACENCY, look_at_neighbors, &job);
    const facet_tally single = job.found[0][0];
    facet_report_add_tally_where(
        c->report, "IQM-ADJACENCY-MUTUAL", FACET_SEVERITY_WARNING,
        facet_where_face(c->layout.offset[FACET_IQM_ADJACENCY], single.first), &single,
        "triangle %" PRIu64 " has a neighbor that does not name it", single.first);
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
