/* formats/iqm/from_scene_bounds.c - the bounds of the vertices in every frame. Vertices that follow
 * the same joints with similar weights move nearly as a rigid body. So a frame's box is bounded by
 * the transform of the box around them. A tree of boxes finds the few vertices that reach
 * farthest. */
#include "base/arena.h"
#include "base/error.h"
#include "base/floats.h"
#include "base/processor.h"
#include "base/table.h"
#include "base/threads.h"
#include "formats/iqm/from_scene.h"
#include "scene/matrix.h"

#include <math.h>
#include <string.h>

/* -- Vertices ----------------------------------------------------------- */

enum { MAX_JOINTS = 4 };

typedef struct skinned_vertex {
    float position[FACET_FLOATS]; /* the last is 0 */
    float weights[MAX_JOINTS];
    uint32_t joints[MAX_JOINTS]; /* those with a weight above 0, then FACET_NONE */
} skinned_vertex;

/* A node of vertices that follow the same joints. Its first half is the next node; the second is
 * `next` of the first. Base positions and weights are within `half` of the middle. */
typedef struct vertex_node {
    uint32_t first, count;
    uint32_t next; /* the node after the subtree */
    float center[FACET_FLOATS], half[FACET_FLOATS];
    float weights[MAX_JOINTS], spread[MAX_JOINTS];
} vertex_node;

/* Extents of vertices. */
typedef struct reach {
    facet_floats ahead;   /* maximum along each axis, then squared distance from the z axis */
    facet_floats against; /* negative minimum along each axis, then squared distance from 0 */
} reach;

enum { MAX_REACHES = 2 * FACET_FLOATS };

typedef struct bounds_maker {
    const facet_iqm_scene_writer *w;
    const float *values;
    skinned_vertex *vertices;
    vertex_node *nodes; /* one tree per group of vertices with the same joints */
    uint32_t node_count, root_count;
    facet_iqm_bounds *bounds;
    float *matrices; /* per part: two matrices per joint */
    reach *reaches;  /* per part: one per root */
} bounds_maker;

static const facet_iqm_array *array_of(const facet_iqm *document, uint32_t type)
{
    uint32_t i = 0;
    while (document->arrays[i].type != type)
        i++;
    return &document->arrays[i];
}

/* Vertices as they are written, with 8-bit weights. */
typedef struct written_vertices {
    const float *positions;
    const uint8_t *weights;
    const facet_iqm_array *indexes;
} written_vertices;

static void read_joints(const written_vertices *from, uint32_t vertex, uint32_t joints[MAX_JOINTS])
{
    for (size_t k = 0; k < MAX_JOINTS; k++) {
        size_t at = (size_t)vertex * MAX_JOINTS + k;
        joints[k] = from->weights[at] == 0 ? FACET_NONE
                    : from->indexes->format == FACET_IQM_UINT16
                        ? ((const uint16_t *)from->indexes->data)[at]
                        : ((const uint8_t *)from->indexes->data)[at];
    }
}

/* Number the groups of vertices that have the same joints, and count their vertices. False if out
 * of memory. */
static bool find_groups(const written_vertices *from, uint32_t count, facet_records *groups,
                        uint32_t *group_of, uint32_t *sizes)
{
    memset(sizes, 0, count * sizeof *sizes);
    uint32_t joints[2][MAX_JOINTS]; /* of this vertex and the one before */
    for (uint32_t v = 0; v < count; v++) {
        read_joints(from, v, joints[v % 2]);
        bool same = v > 0 && memcmp(joints[0], joints[1], sizeof joints[0]) == 0;
        group_of[v] = same ? group_of[v - 1] : facet_records_put(groups, joints[v % 2]);
        if (group_of[v] == FACET_NONE)
            return false;
        sizes[group_of[v]]++;
    }
    return true;
}

/* Sort the vertices by group, with a counting sort. */
static void place_vertices(const bounds_maker *b, const written_vertices *from,
                           const uint32_t *group_of, uint32_t *begins)
{
    for (uint32_t v = 0; v < b->w->document->vertex_count; v++) {
        skinned_vertex *to = &b->vertices[begins[group_of[v]]++];
        memcpy(to->position, from->positions + (size_t)v * 3, 3 * sizeof *from->positions);
        to->position[3] = 0;
        read_joints(from, v, to->joints);
        for (size_t k = 0; k < MAX_JOINTS; k++)
            to->weights[k] = (float)from->weights[(size_t)v * MAX_JOINTS + k] / 255;
    }
}

/* Read the vertices, sorted by group. False if out of memory. */
static bool take_vertices(const bounds_maker *b)
{
    const facet_iqm *d = b->w->document;
    facet_arena *scratch = b->w->scratch;
    const written_vertices from = {array_of(d, FACET_IQM_POSITION)->data,
                                   array_of(d, FACET_IQM_BLEND_WEIGHTS)->data,
                                   array_of(d, FACET_IQM_BLEND_INDEXES)};
    facet_records groups = facet_records_make(scratch, MAX_JOINTS * sizeof(uint32_t));
    uint32_t *group_of = facet_arena_allocate(scratch, d->vertex_count, sizeof *group_of);
    uint32_t *begins = facet_arena_allocate(scratch, d->vertex_count, sizeof *begins);
    bool done =
        group_of && begins && find_groups(&from, d->vertex_count, &groups, group_of, begins);
    /* Replace each size by the sum of those before it. */
    for (uint32_t g = 0, begin = 0; done && g < groups.count; g++) {
        uint32_t size = begins[g];
        begins[g] = begin;
        begin += size;
    }
    if (done)
        place_vertices(b, &from, group_of, begins);
    facet_arena_release(scratch, begins, d->vertex_count, sizeof *begins);
    facet_arena_release(scratch, group_of, d->vertex_count, sizeof *group_of);
    facet_records_free(&groups);
    return done;
}

/* -- Trees -------------------------------------------------------------- */

/* Smaller leaves mean more nodes, larger ones more vertices to test. */
#define LEAF_SIZE 8

static void find_range(const float *values, size_t stride, uint32_t count, float *middle,
                       float *half)
{
    const facet_floats by_half = facet_floats_all(0.5F), minus = facet_floats_all(-1);
    facet_floats most = facet_floats_load(values), least = facet_floats_multiply(most, minus);
    for (uint32_t i = 1; i < count; i++) {
        facet_floats value = facet_floats_load(values + i * stride);
        most = facet_floats_larger(value, most);
        least = facet_floats_larger(facet_floats_multiply(value, minus), least);
    }
    most = facet_floats_multiply(most, by_half);
    least = facet_floats_multiply(least, by_half);
    facet_floats_store(middle, facet_floats_subtract(most, least));
    facet_floats_store(half, facet_floats_add(most, least));
}

static void box_node(const bounds_maker *b, vertex_node *node)
{
    const skinned_vertex *first = b->vertices + node->first;
    const size_t stride = sizeof *first / sizeof(float);
    find_range(first->position, stride, node->count, node->center, node->half);
    find_range(first->weights, stride, node->count, node->weights, node->spread);
}

/* Partition a node's vertices: those below the middle of its longest side come first. Returns their
 * number, or half of all if one side has too few. */
static uint32_t part_vertices(const bounds_maker *b, const vertex_node *node)
{
    skinned_vertex *vertices = b->vertices + node->first;
    uint32_t below = 0;
    int axis = node->half[1] > node->half[0] ? 1 : 0;
    axis = node->half[2] > node->half[axis] ? 2 : axis;
    for (uint32_t i = 0; i < node->count; i++) {
        if (vertices[i].position[axis] < node->center[axis]) {
            skinned_vertex moved = vertices[i];
            vertices[i] = vertices[below];
            vertices[below++] = moved;
        }
    }
    return below < node->count / 4 || below > node->count - node->count / 4 ? node->count / 2
                                                                            : below;
}

/* Add a node and its halves. Each half has at least a quarter of the vertices and two: there are
 * fewer nodes than vertices, and the recursion for 2^32 vertices is at most 90 deep. */
static void add_nodes(bounds_maker *b, uint32_t first, uint32_t count)
{
    vertex_node *node = &b->nodes[b->node_count++];
    node->first = first;
    node->count = count;
    box_node(b, node);
    if (count > LEAF_SIZE) {
        uint32_t below = part_vertices(b, node);
        add_nodes(b, first, below);
        add_nodes(b, first + below, count - below);
    }
    node->next = b->node_count;
}

static void grow_trees(bounds_maker *b)
{
    uint32_t count = b->w->document->vertex_count, first = 0;
    while (first < count) {
        uint32_t end = first + 1;
        while (end < count && memcmp(b->vertices[first].joints, b->vertices[end].joints,
                                     sizeof b->vertices->joints) == 0)
            end++;
        add_nodes(b, first, end - first);
        b->root_count++;
        first = end;
    }
}

/* -- One frame ---------------------------------------------------------- */

/* The columns of a matrix. */
typedef struct columns {
    facet_floats x, y, z, w;
} columns;

static FACET_ALWAYS_INLINE columns load_columns(const float *m)
{
    return (columns){facet_floats_load(m), facet_floats_load(m + 4), facet_floats_load(m + 8),
                     facet_floats_load(m + 12)};
}

static FACET_ALWAYS_INLINE facet_floats combine(const columns *m, const float *p)
{
    facet_floats sum = facet_floats_multiply(m->x, facet_floats_all(p[0]));
    sum = facet_floats_add_product(sum, m->y, facet_floats_all(p[1]));
    return facet_floats_add_product(sum, m->z, facet_floats_all(p[2]));
}

/* Same result as facet_matrix_point. */
static FACET_ALWAYS_INLINE facet_floats move_point(const columns *m, const float *p)
{
    return facet_floats_add(combine(m, p), m->w);
}

/* Store the product of two matrices, neither of which has a projection. */
static FACET_ALWAYS_INLINE void store_product(const float *a, const float *b, float *product)
{
    const columns m = load_columns(a);
    for (int column = 0; column < 3; column++)
        facet_floats_store(product + (size_t)column * 4, combine(&m, b + (size_t)column * 4));
    facet_floats_store(product + 12, move_point(&m, b + 12));
}

/* Compute the matrices from the base pose to a frame. */
static FACET_ALWAYS_INLINE void find_matrices(const bounds_maker *b, size_t frame, float *global,
                                              float *skin)
{
    const facet_iqm_skeleton *s = &b->w->skeleton;
    const facet_iqm_joint *joints = b->w->document->joints;
    const float *value = b->values + frame * s->count * FACET_IQM_CHANNELS;
    for (size_t j = 0; j < s->count; j++, value += FACET_IQM_CHANNELS) {
        facet_transform transform;
        float local[16];
        memcpy(transform.translation, value, sizeof transform.translation);
        memcpy(transform.rotation, value + 3, sizeof transform.rotation);
        memcpy(transform.scale, value + 7, sizeof transform.scale);
        facet_matrix_of_transform(&transform, local);
        if (joints[j].parent < 0)
            memcpy(global + j * 16, local, sizeof local);
        else
            store_product(global + (size_t)joints[j].parent * 16, local, global + j * 16);
        store_product(global + j * 16, s->undo + j * 16, skin + j * 16);
    }
}

/* Half sides of the box around a transformed box. */
static FACET_ALWAYS_INLINE facet_floats turn_half(const columns *m, const float *half)
{
    const columns sides = {facet_floats_magnitude(m->x), facet_floats_magnitude(m->y),
                           facet_floats_magnitude(m->z), m->w};
    return combine(&sides, half);
}

/* Motion of a tree's vertices in a frame. */
typedef struct tree_motion {
    columns matrices[MAX_JOINTS];    /* of the joints that they follow */
    columns differences[MAX_JOINTS]; /* of each joint to the first one */
    facet_floats slack;
    int count;
} tree_motion;

/* Relative bound of the rounding error: less than 100 roundings of 2^-24 of the largest term each.
 * They are in the vertex, the differences of matrices, the middle and the sides. */
#define SLACK 1e-5F

/* Compute the motion of a tree. The first matrix is 0 without a joint. */
static FACET_ALWAYS_INLINE void find_motion(const bounds_maker *b, const vertex_node *root,
                                            const float *skin, tree_motion *motion)
{
    static const float nothing[16];
    const uint32_t *joints = b->vertices[root->first].joints;
    float farthest[3];
    facet_floats most = facet_floats_all(0);
    for (int axis = 0; axis < 3; axis++)
        farthest[axis] = fabsf(root->center[axis]) + root->half[axis];
    motion->matrices[0] = load_columns(nothing);
    motion->count = 0;
    for (int k = 0; k < MAX_JOINTS && joints[k] != FACET_NONE; k++) {
        const columns m = load_columns(skin + (size_t)joints[k] * 16);
        motion->matrices[k] = m;
        const columns *first = &motion->matrices[0];
        motion->differences[k] =
            (columns){facet_floats_subtract(m.x, first->x), facet_floats_subtract(m.y, first->y),
                      facet_floats_subtract(m.z, first->z), facet_floats_subtract(m.w, first->w)};
        most = facet_floats_larger(
            facet_floats_add(turn_half(&m, farthest), facet_floats_magnitude(m.w)), most);
        motion->count++;
    }
    motion->slack = facet_floats_multiply(most, facet_floats_all(SLACK));
}

/* Extents of a box with a middle and half sides. */
static FACET_ALWAYS_INLINE reach reach_of_box(facet_floats middle, facet_floats half)
{
    facet_floats far = facet_floats_add(facet_floats_magnitude(middle), half);
    facet_floats squares = facet_floats_multiply(far, far);
    float xy = facet_floats_lane(squares, 0) + facet_floats_lane(squares, 1);
    return (reach){facet_floats_with_last(facet_floats_add(half, middle), xy),
                   facet_floats_with_last(facet_floats_subtract(half, middle),
                                          xy + facet_floats_lane(squares, 2))};
}

/* Upper bound of a node's extents. The weights sum to 1, so a vertex moves with the first joint,
 * plus each other joint's weight times the difference of matrices. With the middle weights, this is
 * one matrix for the box. The deviation of weights moves a vertex at most as far as the difference
 * moves the box. */
static FACET_ALWAYS_INLINE reach reach_of_node(const vertex_node *node, const tree_motion *motion)
{
    columns mean = motion->matrices[0];
    facet_floats half = motion->slack;
    for (int k = 1; k < motion->count; k++) {
        const columns *d = &motion->differences[k];
        const facet_floats weight = facet_floats_all(node->weights[k]),
                           spread = facet_floats_all(node->spread[k]);
        mean.x = facet_floats_add_product(mean.x, weight, d->x);
        mean.y = facet_floats_add_product(mean.y, weight, d->y);
        mean.z = facet_floats_add_product(mean.z, weight, d->z);
        mean.w = facet_floats_add_product(mean.w, weight, d->w);
        facet_floats moved = facet_floats_magnitude(move_point(d, node->center));
        moved = facet_floats_add(moved, turn_half(d, node->half));
        half = facet_floats_add_product(half, spread, moved);
    }
    half = facet_floats_add(half, turn_half(&mean, node->half));
    return reach_of_box(move_point(&mean, node->center), half);
}

static FACET_ALWAYS_INLINE void extend(reach *found, const reach *more)
{
    found->ahead = facet_floats_larger(more->ahead, found->ahead);
    found->against = facet_floats_larger(more->against, found->against);
}

static FACET_ALWAYS_INLINE bool reaches_beyond(const reach *node, const reach *found)
{
    return facet_floats_any_larger(node->ahead, found->ahead) ||
           facet_floats_any_larger(node->against, found->against);
}

/* One of the extents. */
static FACET_ALWAYS_INLINE float reach_along(const reach *r, int way)
{
    return way < FACET_FLOATS ? facet_floats_lane(r->ahead, way)
                              : facet_floats_lane(r->against, way - FACET_FLOATS);
}

static FACET_ALWAYS_INLINE void add_vertices(const bounds_maker *b, const vertex_node *leaf,
                                             const tree_motion *motion, reach *found)
{
    for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++) {
        const skinned_vertex *v = &b->vertices[i];
        facet_floats p = facet_floats_all(0);
        for (int k = 0; k < motion->count; k++)
            p = facet_floats_add_product(p, facet_floats_all(v->weights[k]),
                                         move_point(&motion->matrices[k], v->position));
        const reach own = reach_of_box(p, facet_floats_all(0));
        extend(found, &own);
    }
}

/* Add the leaf that is found by descending to the half with the larger extent. */
static FACET_ALWAYS_INLINE void add_leaf(const bounds_maker *b, const vertex_node *root,
                                         const float *skin, int way, reach *found)
{
    const vertex_node *node = root;
    tree_motion motion;
    find_motion(b, root, skin, &motion);
    while (node->count > LEAF_SIZE) {
        const vertex_node *one = node + 1, *other = b->nodes + one->next;
        const reach first = reach_of_node(one, &motion), second = reach_of_node(other, &motion);
        node = reach_along(&second, way) > reach_along(&first, way) ? other : one;
    }
    add_vertices(b, node, &motion, found);
}

/* Search a tree for vertices with larger extents than found so far. */
static FACET_ALWAYS_INLINE void search_tree(const bounds_maker *b, const vertex_node *root,
                                            const float *skin, reach *found)
{
    const vertex_node *node = root;
    tree_motion motion;
    find_motion(b, root, skin, &motion);
    while (node < b->nodes + root->next) {
        const reach bound = reach_of_node(node, &motion);
        bool beyond = reaches_beyond(&bound, found);
        if (beyond && node->count <= LEAF_SIZE)
            add_vertices(b, node, &motion, found);
        node = beyond ? node + 1 : b->nodes + node->next;
    }
}

/* Find the bounds of a frame: first with a leaf that probably has the maximum of each extent, then
 * with all nodes that can exceed it. */
static FACET_ALWAYS_INLINE void bound_frame(const bounds_maker *b, const float *skin,
                                            reach *reaches, facet_iqm_bounds *bounds)
{
    const reach nothing = {facet_floats_all(-INFINITY), facet_floats_all(-INFINITY)};
    const vertex_node *farthest[MAX_REACHES], *root = b->nodes;
    float ahead[FACET_FLOATS], against[FACET_FLOATS];
    reach most = nothing, found = nothing;
    for (int k = 0; k < MAX_REACHES; k++)
        farthest[k] = root;
    for (uint32_t i = 0; i < b->root_count; i++, root = b->nodes + root->next) {
        tree_motion motion;
        find_motion(b, root, skin, &motion);
        reaches[i] = reach_of_node(root, &motion);
        if (!reaches_beyond(&reaches[i], &most))
            continue;
        for (int k = 0; k < MAX_REACHES; k++)
            farthest[k] = reach_along(&reaches[i], k) > reach_along(&most, k) ? root : farthest[k];
        extend(&most, &reaches[i]);
    }
    for (int k = 0; k < MAX_REACHES; k++)
        add_leaf(b, farthest[k], skin, k, &found);
    root = b->nodes;
    for (uint32_t i = 0; i < b->root_count; i++, root = b->nodes + root->next) {
        if (reaches_beyond(&reaches[i], &found))
            search_tree(b, root, skin, &found);
    }
    facet_floats_store(ahead, found.ahead);
    facet_floats_store(against, found.against);
    for (int axis = 0; axis < 3; axis++) {
        bounds->maximum[axis] = ahead[axis];
        bounds->minimum[axis] = 0 - against[axis]; /* avoid -0 */
    }
    bounds->xy_radius = sqrtf(ahead[3]);
    bounds->radius = sqrtf(against[3]);
}

/* -- All frames -------------------------------------------------------- */

static FACET_ALWAYS_INLINE void bound_frames(void *argument, size_t part, size_t first, size_t end)
{
    const bounds_maker *b = argument;
    size_t joints = b->w->skeleton.count;
    float *global = b->matrices + part * joints * 32, *skin = global + joints * 16;
    reach *reaches = b->reaches + part * b->root_count;
    for (size_t f = first; f < end; f++) {
        find_matrices(b, f, global, skin);
        bound_frame(b, skin, reaches, &b->bounds[f]);
    }
}

static void bound_part(void *argument, size_t part, size_t first, size_t end)
{
    bound_frames(argument, part, first, end);
}

static FACET_WIDE void bound_part_wide(void *argument, size_t part, size_t first, size_t end)
{
    bound_frames(argument, part, first, end);
}

facet_status facet_iqm_make_bounds(facet_iqm_scene_writer *w, const float *values,
                                   uint32_t frame_count)
{
    bounds_maker b = {.w = w, .values = values};
    size_t count = w->document->vertex_count, parts = FACET_MAX_PARTS;
    if (count == 0)
        return FACET_OK;
    b.bounds = facet_arena_allocate_zeroed(w->arena, frame_count, sizeof *b.bounds);
    b.vertices = facet_arena_allocate(w->scratch, count, sizeof *b.vertices);
    b.nodes = facet_arena_allocate(w->scratch, count, sizeof *b.nodes);
    b.matrices =
        facet_arena_allocate(w->scratch, w->skeleton.count * parts, 32 * sizeof *b.matrices);
    if (!b.bounds || !b.vertices || !b.nodes || !b.matrices)
        return facet_fail_arenas(w->arena, w->scratch, w->error);
    if (!take_vertices(&b))
        return facet_fail_arena(w->scratch, w->error);
    grow_trees(&b);
    b.reaches = facet_arena_allocate(w->scratch, b.root_count * parts, sizeof *b.reaches);
    if (!b.reaches)
        return facet_fail_arena(w->scratch, w->error);
    facet_run_parts(w->options, facet_is_wide() ? bound_part_wide : bound_part, &b, frame_count, 4);
    w->document->bounds = b.bounds;
    return FACET_OK;
}
