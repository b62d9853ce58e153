/* mesh/triangulate.c - polygons become triangles.
 *
 * First, every face is checked. A face that cannot be cut as a fan from its first corner gets a
 * plan. Then the index arrays are rewritten one after the other, in a single pass each. Meshes
 * of triangles and convex quads need no plans. */
#include <facet/mesh.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "mesh/polygon.h"
#include "mesh/streams.h"
#include "mesh/vector.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct planner {
    facet_mesh *mesh;
    uint32_t largest_face; /* capacity in corners */
    facet_polygon_cutter *cutter;
    facet_tally crossing; /* faces whose triangles may overlap */

    uint32_t *faces; /* faces that are not fans, ascending */
    size_t face_count, face_capacity;
    uint32_t *corners; /* triangles of these faces: corner numbers within the face */
    size_t corner_count, corner_capacity;
} planner;

/* -- Planning ----------------------------------------------------------- */

static bool grow(facet_arena *arena, uint32_t **items, size_t *capacity, size_t needed)
{
    if (needed <= *capacity)
        return true;
    size_t wanted = *capacity * 2 > needed ? *capacity * 2 : needed;
    uint32_t *grown = facet_arena_resize(arena, *items, *capacity, wanted, sizeof **items);
    if (!grown)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

/* Space for the triangles of one more face; NULL if out of memory. */
static uint32_t *plan(planner *p, uint32_t face, uint32_t corners)
{
    size_t needed = (size_t)(corners - 2) * 3;
    if (!grow(p->mesh->arena, &p->faces, &p->face_capacity, p->face_count + 1) ||
        !grow(p->mesh->arena, &p->corners, &p->corner_capacity, p->corner_count + needed))
        return NULL;
    p->faces[p->face_count++] = face;
    p->corner_count += needed;
    return p->corners + p->corner_count - needed;
}

/* The smaller share of the area that the diagonal a-c cuts off, measured along the normal of the
 * quad a, b, c, d. Both shares add up to 1. Not above 0 if one of the triangles is empty or
 * faces the other way. */
static double smaller_half(const float *a, const float *b, const float *c, const float *d)
{
    double ab[3], ac[3], ad[3], first[3], second[3], whole[3];
    facet_edge(a, b, ab);
    facet_edge(a, c, ac);
    facet_edge(a, d, ad);
    facet_cross(ab, ac, first);
    facet_cross(ac, ad, second);
    for (int i = 0; i < 3; i++)
        whole[i] = first[i] + second[i];
    double share = facet_dot(first, whole) / facet_dot(whole, whole);
    return share < 1 - share ? share : 1 - share;
}

/* Cut a quad along its second diagonal if the first one makes a triangle that is (nearly) empty
 * or flipped, and the second diagonal is better. */
static bool plan_quad(planner *p, uint32_t face, uint32_t begin)
{
    const float *at[4];
    for (uint32_t i = 0; i < 4; i++)
        at[i] = facet_corner_position(p->mesh, begin + i);
    double first = smaller_half(at[0], at[1], at[2], at[3]);
    if (first > 1e-6 || !(smaller_half(at[1], at[2], at[3], at[0]) > first))
        return true;
    uint32_t *triangles = plan(p, face, 4);
    if (!triangles)
        return false;
    static const uint32_t second_diagonal[6] = {0, 1, 3, 1, 2, 3};
    memcpy(triangles, second_diagonal, sizeof second_diagonal);
    return true;
}

/* Project the polygon along the axis on which its normal is longest, seen from its front. This
 * keeps the coordinates exact. A planar polygon keeps its left and right turns. False if the
 * normal is not usable. */
static bool project(const planner *p, uint32_t begin, uint32_t end)
{
    double normal[3];
    facet_area_vector(p->mesh, begin, end, normal);
    int axis = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    axis = fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
    if (!isfinite(facet_dot(normal, normal)) || normal[axis] == 0)
        return false;
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    if (normal[axis] < 0) {
        int swap = x;
        x = y;
        y = swap;
    }
    float *points = facet_polygon_points(p->cutter);
    for (uint32_t corner = begin; corner < end; corner++) {
        const float *position = facet_corner_position(p->mesh, corner);
        *points++ = position[x];
        *points++ = position[y];
    }
    return true;
}

static bool plan_polygon(planner *p, uint32_t face, uint32_t begin, uint32_t end)
{
    if (!p->cutter)
        p->cutter = facet_polygon_cutter_create(p->mesh->arena, p->largest_face);
    if (!p->cutter)
        return false;
    uint32_t count = end - begin;
    if (!project(p, begin, end) || facet_polygon_is_fan(p->cutter, count))
        return true;
    uint32_t *triangles = plan(p, face, count);
    if (triangles && !facet_polygon_cut(p->cutter, count, triangles))
        facet_tally_hit(&p->crossing, face);
    return triangles != NULL;
}

static bool plan_faces(planner *p)
{
    const uint32_t *offsets = p->mesh->face_offsets;
    for (uint32_t face = 0; face < p->mesh->face_count; face++) {
        uint32_t begin = offsets[face], count = offsets[face + 1] - begin;
        if (count > 3 &&
            !(count == 4 ? plan_quad(p, face, begin) : plan_polygon(p, face, begin, begin + count)))
            return false;
    }
    return true;
}

/* -- Cutting ------------------------------------------------------------ */

static void cut_indices(const planner *p, const uint32_t *indices, uint32_t *cut)
{
    const uint32_t *offsets = p->mesh->face_offsets, *corners = p->corners;
    size_t planned = 0;
    for (uint32_t face = 0; face < p->mesh->face_count; face++) {
        const uint32_t *at = indices + offsets[face];
        uint32_t count = offsets[face + 1] - offsets[face];
        if (planned < p->face_count && p->faces[planned] == face) {
            planned++;
            for (size_t i = (size_t)(count - 2) * 3; i > 0; i--)
                *cut++ = at[*corners++];
            continue;
        }
        for (uint32_t i = 2; i < count; i++) {
            *cut++ = at[0];
            *cut++ = at[i - 1];
            *cut++ = at[i];
        }
    }
}

/* Repeat the value of each face for each of its triangles. */
static void spread(const facet_mesh *mesh, const uint32_t *values, uint32_t *spread_values)
{
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count = mesh->face_offsets[face + 1] - mesh->face_offsets[face];
        for (uint32_t i = 2; i < count; i++)
            *spread_values++ = values[face];
    }
}

/* Change the ranges of parts from faces to triangles. Parts are in face order. */
static void cut_parts(facet_mesh *mesh)
{
    uint32_t face = 0, triangle = 0;
    for (uint32_t i = 0; i < mesh->part_count; i++) {
        facet_part *part = &mesh->parts[i];
        uint32_t ends[2] = {part->first_face, part->first_face + part->face_count};
        for (int k = 0; k < 2; k++) {
            for (; face < ends[k]; face++) {
                uint32_t count = mesh->face_offsets[face + 1] - mesh->face_offsets[face];
                triangle += count > 2 ? count - 2 : 0;
            }
            ends[k] = triangle;
        }
        part->first_face = ends[0];
        part->face_count = ends[1] - ends[0];
    }
}

/* Allocate new arrays for the positions and the faces. The mesh needs both, so nothing changes
 * before all arrays exist. */
static bool cut_faces(planner *p, uint32_t triangle_count)
{
    facet_mesh *mesh = p->mesh;
    facet_arena *arena = mesh->arena;
    uint32_t *none = NULL;
    uint32_t **arrays[3] = {mesh->stream_count > 0 ? &mesh->streams[0].indices : &none,
                            &mesh->face_materials, &mesh->face_smoothing};
    size_t sizes[3] = {(size_t)triangle_count * 3, triangle_count, triangle_count};
    size_t old_sizes[3] = {mesh->corner_count, mesh->face_count, mesh->face_count};
    uint32_t *cut[3] = {0};
    bool have_all = true;
    for (int i = 0; i < 3 && have_all; i++) {
        if (*arrays[i])
            have_all = (cut[i] = facet_arena_allocate(arena, sizes[i], sizeof *cut[i])) != NULL;
    }
    for (int i = 2; i >= 0; i--) {
        if (!cut[i])
            continue;
        if (!have_all) {
            facet_arena_release(arena, cut[i], sizes[i], sizeof *cut[i]);
            continue;
        }
        uint32_t *old = *arrays[i];
        if (i == 0) {
            cut_indices(p, old, cut[0]);
            facet_mesh_swap_indices(mesh, old, cut[0]);
        } else {
            spread(mesh, old, cut[i]);
            *arrays[i] = cut[i];
        }
        facet_arena_release(arena, old, old_sizes[i], sizeof *old);
    }
    return have_all;
}

/* Cut the other streams, one index array after the other. Streams for which memory runs out are
 * removed. */
static facet_status cut_streams(planner *p, uint32_t triangle_count, facet_error *error)
{
    facet_mesh *mesh = p->mesh;
    facet_status status = FACET_OK;
    for (uint32_t i = 1; i < mesh->stream_count;) {
        if (!facet_stream_leads(mesh, i)) {
            i++;
            continue;
        }
        uint32_t *cut = facet_arena_allocate(mesh->arena, (size_t)triangle_count * 3, sizeof *cut);
        if (!cut) {
            facet_mesh_remove_stream(mesh, &mesh->streams[i]);
            status = facet_fail_arena(mesh->arena, error);
            continue;
        }
        uint32_t *old = mesh->streams[i].indices;
        cut_indices(p, old, cut);
        facet_mesh_swap_indices(mesh, old, cut);
        facet_arena_release(mesh->arena, old, mesh->corner_count, sizeof *old);
        i++;
    }
    return status;
}

/* -- The pass ----------------------------------------------------------- */

static void drop_offsets(facet_mesh *mesh)
{
    facet_arena_release(mesh->arena, mesh->face_offsets, (size_t)mesh->face_count + 1,
                        sizeof *mesh->face_offsets);
    mesh->face_offsets = NULL;
}

static facet_status triangulate(planner *p, uint32_t triangle_count, facet_error *error)
{
    facet_mesh *mesh = p->mesh;
    facet_status status = FACET_OK;
    bool done = plan_faces(p) && cut_faces(p, triangle_count);
    if (done) {
        status = cut_streams(p, triangle_count, error);
        cut_parts(mesh);
        drop_offsets(mesh);
        mesh->face_count = triangle_count;
        mesh->corner_count = triangle_count * 3;
    } else {
        status = facet_fail_arena(mesh->arena, error);
    }
    facet_arena_release(mesh->arena, p->corners, p->corner_capacity, sizeof *p->corners);
    facet_arena_release(mesh->arena, p->faces, p->face_capacity, sizeof *p->faces);
    facet_polygon_cutter_free(mesh->arena, p->cutter);
    return status;
}

facet_status facet_mesh_triangulate(facet_mesh *mesh, const facet_options *options, bool *changed,
                                    facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    facet_status status = facet_step(options, "triangulate", 0, error);
    if (status)
        return status;
    if (!mesh->face_offsets)
        return facet_pass_done(false, changed);
    planner p = {0};
    p.mesh = mesh;
    uint64_t triangle_count = 0;
    facet_tally small = {0};
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count = mesh->face_offsets[face + 1] - mesh->face_offsets[face];
        if (count < 3)
            facet_tally_hit(&small, face);
        else
            triangle_count += count - 2;
        p.largest_face = count > p.largest_face ? count : p.largest_face;
    }
    if (p.largest_face <= 3 && small.count == 0) {
        drop_offsets(mesh);
        return facet_pass_done(true, changed);
    }
    if (triangle_count > UINT32_MAX / 3)
        return facet_fail(error, FACET_ERROR_LIMIT, "MESH-SIZE", FACET_NO_OFFSET,
                          "cut into triangles the mesh has %" PRIu64
                          " of them, more than the %" PRIu32 " that 32-bit indices can count",
                          triangle_count, UINT32_MAX / 3);
    facet_report *report = options ? options->report : NULL;
    facet_report_add_tally(report, "MESH-FACE-SMALL", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &small, "face %" PRIu64 " has fewer than 3 corners and is dropped",
                           small.first);
    status = triangulate(&p, (uint32_t)triangle_count, error);
    facet_report_add_tally(
        report, "MESH-FACE-CROSSING", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &p.crossing,
        "face %" PRIu64 " crosses itself: its triangles may overlap", p.crossing.first);
    return status ? status : facet_pass_done(true, changed);
}
