/* scene/bounds.c - the box around a scene. A node whose own box is inside it is not visited.
 * Positions that no face, line or point uses are not in the box: formats drop them. */
#include "base/arena.h"
#include "base/budget.h"
#include "base/error.h"
#include "scene/placement.h"
#include "scene/scene.h"

#include <facet/pose.h>
#include <string.h>

/* Work for nodes that share a mesh and cannot be left out, in bytes of positions: about a second.
 */
#define WORK (16 * FACET_BUDGET_WORK)

typedef struct box {
    double low[3], high[3];
    bool any;
} box;

typedef struct bounds_finder {
    const facet_scene *scene;
    facet_pose pose;
    float **skins;   /* matrices of each skin, or NULL */
    box *meshes;     /* of each mesh, in its own axes */
    uint8_t **shown; /* of each mesh: 1 for a position that is used; NULL: all are */
    bool *visited;   /* of each node */
    box whole;
    facet_budget budget;
    facet_error *error;
} bounds_finder;

static void grow_by_points(box *b, const float *points, const uint8_t *shown, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (shown && !shown[i])
            continue;
        for (int c = 0; c < 3; c++) {
            double value = (double)points[(size_t)i * 3 + c];
            if (!b->any || value < b->low[c])
                b->low[c] = value;
            if (!b->any || value > b->high[c])
                b->high[c] = value;
        }
        b->any = true;
    }
}

/* Mark positions, and count those that were not marked. Other indices are missing values. */
static uint32_t mark(uint8_t *shown, uint32_t count, const uint32_t *indices, size_t index_count)
{
    uint32_t fresh = 0;
    for (size_t k = 0; k < index_count; k++) {
        if (indices[k] >= count || shown[indices[k]])
            continue;
        shown[indices[k]] = 1;
        fresh++;
    }
    return fresh;
}

/* Mark the positions of a mesh that faces, lines and points use. False if all of them are. */
static bool mark_shown(const facet_mesh *mesh, const facet_stream *base, uint8_t *shown)
{
    uint32_t count = base->count;
    uint32_t used = base->indices ? mark(shown, count, base->indices, mesh->corner_count) : 0;
    if (mesh->lines && used < count)
        used += mark(shown, count, mesh->lines, (size_t)mesh->line_count * 2);
    if (mesh->points && used < count)
        used += mark(shown, count, mesh->points, mesh->point_count);
    return used < count;
}

/* Set the box of each mesh. */
static facet_status find_meshes(bounds_finder *f, facet_arena *arena)
{
    const facet_scene *scene = f->scene;
    f->meshes = facet_arena_allocate_zeroed(arena, scene->mesh_count, sizeof *f->meshes);
    f->shown = facet_arena_allocate_zeroed(arena, scene->mesh_count, sizeof *f->shown);
    if (!f->meshes || !f->shown)
        return facet_fail_arena(arena, f->error);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_stream *base = facet_mesh_find(scene->meshes[i], FACET_POSITION, 0);
        if (!base)
            continue;
        uint8_t *shown = facet_arena_allocate_zeroed(arena, base->count, 1);
        if (!shown)
            return facet_fail_arena(arena, f->error);
        if (mark_shown(scene->meshes[i], base, shown))
            f->shown[i] = shown;
        else
            facet_arena_release(arena, shown, base->count, 1);
        grow_by_points(&f->meshes[i], base->data, f->shown[i], base->count);
    }
    return FACET_OK;
}

static const facet_stream *positions_of(const facet_scene *scene, uint32_t node)
{
    return facet_mesh_find(scene->meshes[scene->nodes[node]->mesh], FACET_POSITION, 0);
}

/* Number of morph targets that change the node's mesh. */
static uint32_t count_morphs(const bounds_finder *f, uint32_t node)
{
    const float *weights = f->pose.weights[node];
    const facet_mesh *mesh = f->scene->meshes[f->scene->nodes[node]->mesh];
    uint32_t count = 0;
    for (uint32_t m = 0; weights && m < mesh->morph_count; m++)
        count += weights[m] != 0;
    return count;
}

/* A box that has all vertices of the node: rounding is monotonic, so that no vertex is outside of
 * the corners. False if only the vertices themselves show it. */
static bool outer_box(const bounds_finder *f, uint32_t node, box *outer)
{
    const facet_node *from = f->scene->nodes[node];
    const box *own = &f->meshes[from->mesh];
    if (from->skin != FACET_NONE || count_morphs(f, node) > 0)
        return false;
    *outer = (box){.any = false};
    facet_placement placement = facet_placement_of(f->pose.global + (size_t)node * 16);
    for (int corner = 0; own->any && corner < 8; corner++) {
        float point[3];
        for (int c = 0; c < 3; c++)
            point[c] = (float)(corner >> c & 1 ? own->high[c] : own->low[c]);
        facet_placement_apply(&placement, FACET_POSITION, point);
        grow_by_points(outer, point, NULL, 1);
    }
    return true;
}

static bool contains(const box *whole, const box *part)
{
    bool inside = whole->any || !part->any;
    for (int c = 0; c < 3 && inside && part->any; c++)
        inside = part->low[c] >= whole->low[c] && part->high[c] <= whole->high[c];
    return inside;
}

static facet_status visit(bounds_finder *f, uint32_t node)
{
    const facet_stream *base = positions_of(f->scene, node);
    facet_arena *scratch = f->pose.arena;
    uint64_t size = (uint64_t)base->count * 3 * sizeof(float);
    if (f->visited[node])
        return FACET_OK;
    f->visited[node] = true;
    TRY(facet_budget_spend(&f->budget, size * (1 + count_morphs(f, node)), "bounds of instances",
                           f->error));
    float *positions = facet_arena_allocate(scratch, base->count, 3 * sizeof *positions);
    if (!positions)
        return facet_fail_arena(scratch, f->error);
    facet_status status =
        facet_node_values(f->scene, &f->pose, node, base, scratch, f->skins, positions, f->error);
    if (!status)
        grow_by_points(&f->whole, positions, f->shown[f->scene->nodes[node]->mesh], base->count);
    facet_arena_release(scratch, positions, base->count, 3 * sizeof *positions);
    return status;
}

static bool is_shown(const bounds_finder *f, uint32_t node)
{
    return f->pose.seen[node] && f->scene->nodes[node]->mesh != FACET_NONE &&
           positions_of(f->scene, node) != NULL;
}

/* Visit the nodes that seem to be the outermost, so that their box has most of the others. */
static facet_status visit_outermost(bounds_finder *f)
{
    uint32_t first[6];
    box outer, seen = {.any = false};
    for (uint32_t i = 0; i < f->scene->node_count; i++) {
        if (!is_shown(f, i) || !outer_box(f, i, &outer) || !outer.any)
            continue;
        for (int c = 0; c < 3; c++) {
            if (!seen.any || outer.low[c] < seen.low[c]) {
                seen.low[c] = outer.low[c];
                first[c] = i;
            }
            if (!seen.any || outer.high[c] > seen.high[c]) {
                seen.high[c] = outer.high[c];
                first[3 + c] = i;
            }
        }
        seen.any = true;
    }
    facet_status status = FACET_OK;
    for (int i = 0; i < 6 && seen.any && !status; i++)
        status = visit(f, first[i]);
    return status;
}

static facet_status find(bounds_finder *f, const facet_options *options)
{
    const facet_scene *scene = f->scene;
    uint64_t stored = (uint64_t)scene->node_count * sizeof(facet_node);
    TRY(facet_scene_pose(scene, FACET_NONE, 0, options, &f->pose, f->error));
    facet_arena *arena = f->pose.arena;
    f->skins = facet_arena_allocate_zeroed(arena, scene->skin_count, sizeof *f->skins);
    f->visited = facet_arena_allocate_zeroed(arena, scene->node_count, sizeof *f->visited);
    if (!f->skins || !f->visited)
        return facet_fail_arena(arena, f->error);
    TRY(find_meshes(f, arena));
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_stream *base = facet_mesh_find(scene->meshes[i], FACET_POSITION, 0);
        if (!base)
            continue;
        stored += (uint64_t)base->count * 3 * sizeof(float);
    }
    f->budget = facet_budget_of(options, stored, WORK);
    TRY(visit_outermost(f));
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->node_count && !status; i++) {
        box outer;
        if (is_shown(f, i) && !(outer_box(f, i, &outer) && contains(&f->whole, &outer)))
            status = visit(f, i);
    }
    return status;
}

static void grow_by_box(box *b, const box *part)
{
    if (!part->any)
        return;
    for (int c = 0; c < 3; c++) {
        b->low[c] = b->any && b->low[c] < part->low[c] ? b->low[c] : part->low[c];
        b->high[c] = b->any && b->high[c] > part->high[c] ? b->high[c] : part->high[c];
    }
    b->any = true;
}

static facet_status find_without_nodes(bounds_finder *f, const facet_options *options)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, f->error));
    facet_status status = find_meshes(f, arena);
    for (uint32_t i = 0; i < f->scene->mesh_count && !status; i++)
        grow_by_box(&f->whole, &f->meshes[i]);
    facet_arena_free(arena);
    return status;
}

facet_status facet_scene_bounds(const facet_scene *scene, const facet_options *options,
                                double minimum[3], double maximum[3], bool *any, facet_error *error)
{
    bounds_finder f = {.scene = scene, .error = error};
    facet_status status =
        scene->node_count > 0 ? find(&f, options) : find_without_nodes(&f, options);
    facet_pose_free(&f.pose);
    if (status)
        return status;
    memcpy(minimum, f.whole.low, sizeof f.whole.low);
    memcpy(maximum, f.whole.high, sizeof f.whole.high);
    *any = f.whole.any;
    return FACET_OK;
}
