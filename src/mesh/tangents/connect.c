/* mesh/tangents/connect.c - of what kind each triangle is, the corners around
 * each vertex, and the orientation of triangles that have none. */
#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "mesh/tangents/space.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* -- Triangles ---------------------------------------------------------- */

/* Singles throughout, and in MikkTSpace's order of operations: which vectors
 * count as zero, and what cancels, then agrees with it. */

static bool not_zero(float value)
{
    return fabsf(value) > FLT_MIN;
}

static bool equal_points(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static float length_of(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The same arithmetic as derive in tangent_fan.c. */
static uint8_t flags_of(const facet_tangent_mesh *mesh, uint32_t triangle)
{
    const uint32_t *ids = mesh->ids + (size_t)triangle * 3;
    const float *p[3], *uv[3];
    for (int i = 0; i < 3; i++) {
        p[i] = mesh->positions + (size_t)ids[i] * 3;
        uv[i] = mesh->texcoords + (size_t)ids[i] * mesh->texcoord_stride;
    }
    /* Equal ids of unequal points: coordinates that are not numbers. */
    if (equal_points(p[0], p[1]) || equal_points(p[0], p[2]) || equal_points(p[1], p[2]) ||
        ids[0] == ids[1] || ids[0] == ids[2] || ids[1] == ids[2])
        return TRIANGLE_DEGENERATE;
    float u21 = uv[1][0] - uv[0][0], v21 = uv[1][1] - uv[0][1];
    float u31 = uv[2][0] - uv[0][0], v31 = uv[2][1] - uv[0][1];
    float area = u21 * v31 - v21 * u31; /* signed, doubled */
    float s[3], t[3];
    for (int k = 0; k < 3; k++) {
        float d1 = p[1][k] - p[0][k], d2 = p[2][k] - p[0][k];
        s[k] = v31 * d1 - v21 * d2;
        t[k] = -u31 * d1 + u21 * d2;
    }
    float extent = fabsf(area);
    bool is_good =
        not_zero(area) && not_zero(length_of(s) / extent) && not_zero(length_of(t) / extent);
    return (uint8_t)((area > 0 ? TRIANGLE_POSITIVE : 0) | (is_good ? 0 : TRIANGLE_ANY));
}

#define TRIANGLES_PER_TASK 8192

typedef struct flags_job {
    facet_tangent_mesh *mesh;
    uint8_t *has_any; /* per task */
} flags_job;

static void flags_task(void *argument, size_t task)
{
    flags_job *job = argument;
    facet_tangent_mesh *mesh = job->mesh;
    uint32_t begin = (uint32_t)task * TRIANGLES_PER_TASK;
    uint32_t left = mesh->triangle_count - begin;
    uint32_t end = begin + (left < TRIANGLES_PER_TASK ? left : TRIANGLES_PER_TASK);
    uint32_t seen = 0;
    for (uint32_t i = begin; i < end; i++) {
        mesh->flags[i] = flags_of(mesh, i);
        seen |= mesh->flags[i];
    }
    job->has_any[task] = (seen & TRIANGLE_ANY) != 0;
}

static bool find_flags(facet_tangent_mesh *mesh, const facet_options *options, bool *has_any)
{
    size_t tasks = ((size_t)mesh->triangle_count + TRIANGLES_PER_TASK - 1) / TRIANGLES_PER_TASK;
    flags_job job = {mesh, facet_arena_allocate_zeroed(mesh->arena, tasks, 1)};
    if (!job.has_any)
        return false;
    facet_run(options, flags_task, &job, tasks);
    *has_any = memchr(job.has_any, 1, tasks) != NULL;
    facet_arena_release(mesh->arena, job.has_any, tasks, 1);
    return true;
}

/* -- Corners by vertex -------------------------------------------------- */

/* A counting sort. While it places, ends[id] is where the next corner goes. */
static void sort_corners(facet_tangent_mesh *mesh)
{
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++)
        mesh->ends[mesh->ids[corner]]++;
    uint32_t sum = 0;
    for (uint32_t id = 0; id < mesh->vertex_count; id++) {
        uint32_t valence = mesh->ends[id];
        mesh->ends[id] = sum;
        sum += valence;
        mesh->has_unused |= valence == 0;
        if (valence > mesh->widest)
            mesh->widest = valence;
    }
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++)
        mesh->corners[mesh->ends[mesh->ids[corner]]++] = corner;
}

/* -- Orientation of triangles without one ------------------------------- */

/* A triangle without area in texture space takes the orientation of the first
 * group that reaches it at any of its corners, groups starting in the order of
 * corners. That is the one place where what happens at a vertex depends on
 * what happened at others; so the groups around such triangles are walked
 * here, once, in that order, and afterwards every triangle has its orientation
 * for good. */
typedef struct adoption {
    facet_tangent_mesh *mesh;
    uint8_t *affected;      /* per id: some triangle around it has no orientation */
    uint8_t *assigned;      /* per corner: in a group */
    uint32_t *left, *right; /* per corner of affected ids: neighbors, or FACET_NONE */
} adoption;

/* Walk from a corner that is in a group to those beyond it on one side. */
static void extend_group(adoption *a, const uint32_t *side, uint32_t corner, uint32_t orientation)
{
    while ((corner = side[corner]) != FACET_NONE && !a->assigned[corner]) {
        uint8_t *flags = &a->mesh->flags[corner / 3];
        const uint8_t *siblings = a->assigned + corner / 3 * 3;
        if ((*flags & TRIANGLE_ANY) && !siblings[0] && !siblings[1] && !siblings[2])
            *flags = (uint8_t)(TRIANGLE_ANY | orientation);
        if ((*flags & TRIANGLE_POSITIVE) != orientation)
            return;
        a->assigned[corner] = 1;
    }
}

static void walk_groups(adoption *a)
{
    const facet_tangent_mesh *mesh = a->mesh;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        if (!a->affected[mesh->ids[corner]] || a->assigned[corner])
            continue;
        uint32_t flags = mesh->flags[corner / 3];
        if (flags & (TRIANGLE_ANY | TRIANGLE_DEGENERATE))
            continue;
        a->assigned[corner] = 1;
        extend_group(a, a->left, corner, flags & TRIANGLE_POSITIVE);
        extend_group(a, a->right, corner, flags & TRIANGLE_POSITIVE);
    }
}

static void link_affected(adoption *a, facet_fan *fan)
{
    const facet_tangent_mesh *mesh = a->mesh;
    for (uint32_t triangle = 0; triangle < mesh->triangle_count; triangle++) {
        for (uint32_t i = 0; mesh->flags[triangle] & TRIANGLE_ANY && i < 3; i++)
            a->affected[mesh->ids[(size_t)triangle * 3 + i]] = 1;
    }
    for (uint32_t id = 0; id < mesh->vertex_count; id++) {
        if (!a->affected[id])
            continue;
        fan->count = 0;
        facet_fan_add(fan, mesh, id);
        facet_fan_link(fan, 0, fan->count);
        for (uint32_t i = 0; i < fan->count; i++) {
            uint32_t l = fan->left[i], r = fan->right[i];
            a->left[fan->corner[i]] = l == FACET_NONE ? l : fan->corner[l];
            a->right[fan->corner[i]] = r == FACET_NONE ? r : fan->corner[r];
        }
    }
}

static bool adopt_orientations(facet_tangent_mesh *mesh)
{
    facet_arena *arena = mesh->arena;
    size_t corners = mesh->corner_count, space = FACET_FAN_CAPACITY(mesh->widest);
    adoption a = {mesh, facet_arena_allocate_zeroed(arena, mesh->vertex_count, 1),
                  facet_arena_allocate_zeroed(arena, corners, 1),
                  facet_arena_allocate(arena, corners, sizeof *a.left),
                  facet_arena_allocate(arena, corners, sizeof *a.right)};
    void *memory = facet_arena_allocate(arena, space, FACET_FAN_BYTES);
    bool fits = a.affected && a.assigned && a.left && a.right && memory;
    if (fits) {
        facet_fan fan;
        facet_fan_init(&fan, memory, mesh->widest);
        link_affected(&a, &fan);
        walk_groups(&a);
    }
    facet_arena_release(arena, memory, space, FACET_FAN_BYTES);
    facet_arena_release(arena, a.right, corners, sizeof *a.right);
    facet_arena_release(arena, a.left, corners, sizeof *a.left);
    facet_arena_release(arena, a.assigned, corners, 1);
    facet_arena_release(arena, a.affected, mesh->vertex_count, 1);
    return fits;
}

facet_status facet_tangent_mesh_connect(facet_tangent_mesh *mesh, const facet_options *options,
                                        facet_error *error)
{
    facet_arena *arena = mesh->arena;
    bool has_any = false;
    mesh->flags = facet_arena_allocate(arena, mesh->triangle_count, sizeof *mesh->flags);
    mesh->ends = facet_arena_allocate_zeroed(arena, mesh->vertex_count, sizeof *mesh->ends);
    mesh->corners = facet_arena_allocate(arena, mesh->corner_count, sizeof *mesh->corners);
    if (!mesh->flags || !mesh->ends || !mesh->corners || !find_flags(mesh, options, &has_any))
        return facet_fail_memory(error, mesh->corner_count * sizeof *mesh->corners);
    sort_corners(mesh);
    if (has_any && !adopt_orientations(mesh))
        return facet_fail_memory(error, (size_t)mesh->corner_count * 2 * sizeof(uint32_t));
    return FACET_OK;
}
