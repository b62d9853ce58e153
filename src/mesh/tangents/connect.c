/* mesh/tangents/connect.c - the corners around each vertex, and an orientation for triangles
 * without one. */
#include "base/arena.h"
#include "base/error.h"
#include "mesh/tangents/space.h"

/* -- Corners by vertex -------------------------------------------------- */

/* A counting sort of the corners whose ids are not settled. Before an entry is placed, ends[id]
 * is the index of the next one; FACET_NONE if the id has no such corners. */
static void sort_corners(facet_tangent_mesh *mesh)
{
    uint32_t sum = 0;
    for (uint32_t id = 0; id < mesh->vertex_count; id++) {
        uint32_t valence = mesh->ends[id];
        mesh->ends[id] = valence > 0 ? sum : FACET_NONE;
        sum += valence;
        if (valence > mesh->widest)
            mesh->widest = valence;
    }
    for (uint32_t place = 0; place < mesh->unsettled_count; place++) {
        const uint32_t *ids = mesh->ids + (size_t)mesh->unsettled[place] * 3;
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t *end = &mesh->ends[ids[i]];
            if (*end != FACET_NONE)
                mesh->corners[(*end)++] = place * 3 + i;
        }
    }
    sum = 0;
    for (uint32_t id = 0; id < mesh->vertex_count; id++)
        sum = mesh->ends[id] = mesh->ends[id] == FACET_NONE ? sum : mesh->ends[id];
}

/* -- Orientation of triangles without one ------------------------------- */

/* Triangles without area in texture space get an orientation from a group. It is the first group
 * that reaches them at any of their corners, where groups start in the order of corners. Only
 * here does the result at a vertex depend on other vertices. So the groups around such triangles
 * are followed once, in that order. Afterwards every triangle has its final orientation. */
typedef struct adoption {
    facet_tangent_mesh *mesh;
    uint8_t *affected;      /* per id: a triangle around it has no orientation */
    uint8_t *assigned;      /* per corner: belongs to a group */
    uint32_t *left, *right; /* per corner of affected ids: neighbors, or FACET_NONE */
} adoption;

/* Extend a group from one of its corners to the corners on one side. */
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

facet_status facet_tangent_mesh_connect(facet_tangent_mesh *mesh, facet_error *error)
{
    mesh->corners = facet_arena_allocate(mesh->arena, mesh->left, sizeof *mesh->corners);
    if (!mesh->corners)
        return facet_fail_arena(mesh->arena, error);
    sort_corners(mesh);
    if (mesh->has_any && !adopt_orientations(mesh))
        return facet_fail_arena(mesh->arena, error);
    return FACET_OK;
}
