/* formats/iqm/from_scene_bounds.c - the bounds of the vertices in every frame. Vertices that follow
 * the same joints with nearly the same weights move nearly as one body: the box around them leads
 * to the box that a frame makes of them. A tree of such boxes leads to the few vertices that reach
 * farthest. */
#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "formats/iqm/from_scene.h"
#include "scene/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Vertices ----------------------------------------------------------- */

enum { MAX_JOINTS = 4 };

/* Columns of matrices have four numbers, which compilers compute at once. */
enum { LANES = 4 };

typedef struct skinned_vertex {
    float position[LANES]; /* the last is 0 */
    float weights[MAX_JOINTS];
    uint32_t joints[MAX_JOINTS]; /* of the weights above 0, then FACET_NONE */
    uint32_t vertex;
} skinned_vertex;

/* Vertices that follow the same joints. The two halves of a node follow it: the second one is
 * `next` of the first. Positions in the base pose and weights are within `half` of the middle. */
typedef struct vertex_node {
    uint32_t first, count;
    uint32_t next; /* the node after those below this one */
    float center[LANES], half[LANES];
    float weights[MAX_JOINTS], spread[MAX_JOINTS];
} vertex_node;

typedef struct bounds_maker {
    const facet_iqm_scene_writer *w;
    const float *values;
    skinned_vertex *vertices;
    vertex_node *nodes; /* a tree for each group of vertices with the same joints */
    uint32_t node_count, root_count;
    facet_iqm_bounds *bounds;
    float *matrices; /* per part: two matrices a joint */
    float *reaches;  /* per part: MAX_REACHES a root */
} bounds_maker;

static int by_joints(const void *a, const void *b)
{
    const skinned_vertex *l = a, *r = b;
    for (int k = 0; k < MAX_JOINTS; k++) {
        if (l->joints[k] != r->joints[k])
            return l->joints[k] < r->joints[k] ? -1 : 1;
    }
    return l->vertex < r->vertex ? -1 : l->vertex > r->vertex;
}

static const facet_iqm_array *array_of(const facet_iqm *document, uint32_t type)
{
    uint32_t i = 0;
    while (document->arrays[i].type != type)
        i++;
    return &document->arrays[i];
}

/* As they are written: with weights of 8 bits. */
static void take_vertices(bounds_maker *b)
{
    const facet_iqm *d = b->w->document;
    const facet_iqm_array *indexes = array_of(d, FACET_IQM_BLEND_INDEXES);
    const float *positions = array_of(d, FACET_IQM_POSITION)->data;
    const uint8_t *weights = array_of(d, FACET_IQM_BLEND_WEIGHTS)->data;
    for (uint32_t v = 0; v < d->vertex_count; v++) {
        skinned_vertex *to = &b->vertices[v];
        to->vertex = v;
        memcpy(to->position, positions + (size_t)v * 3, 3 * sizeof *positions);
        to->position[3] = 0;
        for (size_t k = 0; k < MAX_JOINTS; k++) {
            size_t at = (size_t)v * MAX_JOINTS + k;
            to->weights[k] = (float)weights[at] / 255;
            to->joints[k] = weights[at] == 0 ? FACET_NONE
                            : indexes->format == FACET_IQM_UINT16
                                ? ((const uint16_t *)indexes->data)[at]
                                : ((const uint8_t *)indexes->data)[at];
        }
    }
    qsort(b->vertices, d->vertex_count, sizeof *b->vertices, by_joints);
}

/* -- Trees -------------------------------------------------------------- */

/* Smaller leaves are more nodes, larger ones more vertices to look at. */
#define LEAF_SIZE 8

static void find_range(const float *values, size_t stride, uint32_t count, float middle[LANES],
                       float half[LANES])
{
    float least[LANES], most[LANES];
    memcpy(least, values, sizeof least);
    memcpy(most, values, sizeof most);
    for (uint32_t i = 1; i < count; i++) {
        const float *value = values + i * stride;
        for (int k = 0; k < LANES; k++) {
            least[k] = value[k] < least[k] ? value[k] : least[k];
            most[k] = value[k] > most[k] ? value[k] : most[k];
        }
    }
    for (int k = 0; k < LANES; k++) {
        middle[k] = least[k] / 2 + most[k] / 2;
        half[k] = most[k] / 2 - least[k] / 2;
    }
}

static void box_node(const bounds_maker *b, vertex_node *node)
{
    const skinned_vertex *first = b->vertices + node->first;
    const size_t stride = sizeof *first / sizeof(float);
    find_range(first->position, stride, node->count, node->center, node->half);
    find_range(first->weights, stride, node->count, node->weights, node->spread);
}

/* Move the vertices of a node that are below the middle of its longest side to its beginning.
 * Returns their number, or half of all if that leaves too few on one side. */
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

/* Each half has a quarter of the vertices, rounded down: two or more, so that there are no more
 * nodes than vertices, and no more than 90 calls are open for 2^32 of them. */
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

/* How far something reaches: along the axes, squared from the z axis, against the axes, and squared
 * from the origin. */
enum { MAX_REACHES = 8, REACH_XY = 3, REACH_AGAINST = 4, REACH_ALL = 7 };

/* The matrices that take vertices from the base pose to a frame. */
static void find_matrices(const bounds_maker *b, size_t frame, float *global, float *skin)
{
    const facet_iqm_skeleton *s = &b->w->skeleton;
    const facet_iqm_joint *joints = b->w->document->joints;
    const float *value = b->values + frame * s->count * FACET_IQM_CHANNELS;
    for (uint32_t j = 0; j < s->count; j++, value += FACET_IQM_CHANNELS) {
        facet_transform transform;
        float local[16];
        memcpy(transform.translation, value, sizeof transform.translation);
        memcpy(transform.rotation, value + 3, sizeof transform.rotation);
        memcpy(transform.scale, value + 7, sizeof transform.scale);
        facet_matrix_of_transform(&transform, local);
        if (joints[j].parent < 0)
            memcpy(global + (size_t)j * 16, local, sizeof local);
        else
            facet_matrix_multiply(global + (size_t)joints[j].parent * 16, local,
                                  global + (size_t)j * 16);
        facet_matrix_multiply(global + (size_t)j * 16, s->undo + (size_t)j * 16,
                              skin + (size_t)j * 16);
    }
}

/* What moves the vertices of a tree in a frame. */
typedef struct tree_motion {
    const float *matrices[MAX_JOINTS];        /* of the joints that they follow */
    float differences[MAX_JOINTS - 1][16];    /* from the first one to the others */
    float slack[LANES];
    int count;
} tree_motion;

/* Less than 100 roundings are between a vertex and the bound of its node: in the vertex, the
 * differences of the matrices, the middle and the sides. Each is 2^-24 of the largest term. */
#define SLACK 1e-5F

/* The matrices without a joint are 0. */
static void find_motion(const bounds_maker *b, const vertex_node *root, const float *skin,
                        tree_motion *motion)
{
    static const float nothing[16];
    const uint32_t *joints = b->vertices[root->first].joints;
    float farthest[3], most[LANES] = {0};
    for (int axis = 0; axis < 3; axis++)
        farthest[axis] = fabsf(root->center[axis]) + root->half[axis];
    motion->count = 0;
    motion->matrices[0] = nothing;
    for (int k = 0; k < MAX_JOINTS && joints[k] != FACET_NONE; k++) {
        const float *m = motion->matrices[k] = skin + (size_t)joints[k] * 16;
        for (int i = 0; i < LANES; i++) {
            float terms = fabsf(m[i]) * farthest[0] + fabsf(m[4 + i]) * farthest[1] +
                          fabsf(m[8 + i]) * farthest[2] + fabsf(m[12 + i]);
            most[i] = terms > most[i] ? terms : most[i];
        }
        for (int i = 0; k > 0 && i < 16; i++)
            motion->differences[k - 1][i] = m[i] - motion->matrices[0][i];
        motion->count++;
    }
    for (int i = 0; i < LANES; i++)
        motion->slack[i] = SLACK * most[i];
}

/* What a node reaches at most. The sum of the weights is 1: a vertex is where the first joint has
 * it, and each other joint moves it from there by its weight of the difference of their matrices.
 * By the mean weights, this is one matrix, which makes a box of the box; what weights differ from
 * the mean moves a vertex as far as the difference of the matrices moves the box. */
static void reach_of_node(const vertex_node *node, const tree_motion *motion,
                          float reach[MAX_REACHES])
{
    const float *c = node->center, *h = node->half;
    float mean[16], center[LANES], half[LANES], far[LANES];
    memcpy(mean, motion->matrices[0], sizeof mean);
    memcpy(half, motion->slack, sizeof half);
    for (int k = 1; k < motion->count; k++) {
        const float *d = motion->differences[k - 1];
        const float weight = node->weights[k], spread = node->spread[k];
        for (int i = 0; i < 16; i++)
            mean[i] += weight * d[i];
        for (int i = 0; i < LANES; i++)
            half[i] += spread * (fabsf(d[i] * c[0] + d[4 + i] * c[1] + d[8 + i] * c[2] + d[12 + i]) +
                                 fabsf(d[i]) * h[0] + fabsf(d[4 + i]) * h[1] +
                                 fabsf(d[8 + i]) * h[2]);
    }
    for (int i = 0; i < LANES; i++) {
        center[i] = mean[i] * c[0] + mean[4 + i] * c[1] + mean[8 + i] * c[2] + mean[12 + i];
        half[i] +=
            fabsf(mean[i]) * h[0] + fabsf(mean[4 + i]) * h[1] + fabsf(mean[8 + i]) * h[2];
        far[i] = fabsf(center[i]) + half[i];
        reach[i] = half[i] + center[i];
        reach[REACH_AGAINST + i] = half[i] - center[i];
        far[i] *= far[i];
    }
    reach[REACH_XY] = far[0] + far[1];
    reach[REACH_ALL] = reach[REACH_XY] + far[2];
}

static void add_vertices(const bounds_maker *b, const vertex_node *node,
                         const tree_motion *motion, float reach[MAX_REACHES])
{
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const skinned_vertex *vertex = &b->vertices[i];
        const float *v = vertex->position;
        float p[LANES] = {0}, own[MAX_REACHES];
        for (int k = 0; k < motion->count; k++) {
            const float *m = motion->matrices[k];
            const float weight = vertex->weights[k];
            for (int l = 0; l < LANES; l++)
                p[l] += weight * (m[l] * v[0] + m[4 + l] * v[1] + m[8 + l] * v[2] + m[12 + l]);
        }
        for (int l = 0; l < LANES; l++) {
            own[l] = p[l];
            own[REACH_AGAINST + l] = -p[l];
        }
        own[REACH_XY] = p[0] * p[0] + p[1] * p[1];
        own[REACH_ALL] = own[REACH_XY] + p[2] * p[2];
        for (int k = 0; k < MAX_REACHES; k++)
            reach[k] = own[k] > reach[k] ? own[k] : reach[k];
    }
}

static bool reaches_beyond(const float *node, const float *found)
{
    bool beyond = false;
    for (int i = 0; i < MAX_REACHES; i++)
        beyond |= node[i] > found[i];
    return beyond;
}

/* Add the leaf of a tree that is found by going to the half that reaches farther. */
static void add_leaf(const bounds_maker *b, const vertex_node *root, const float *skin, int way,
                     float found[MAX_REACHES])
{
    const vertex_node *node = root;
    tree_motion motion;
    find_motion(b, root, skin, &motion);
    while (node->count > LEAF_SIZE) {
        const vertex_node *one = node + 1, *other = b->nodes + one->next;
        float reach[MAX_REACHES], other_reach[MAX_REACHES];
        reach_of_node(one, &motion, reach);
        reach_of_node(other, &motion, other_reach);
        node = other_reach[way] > reach[way] ? other : one;
    }
    add_vertices(b, node, &motion, found);
}

/* Raise what is found by the vertices of a tree that reach farther. */
static void search_tree(const bounds_maker *b, const vertex_node *root, const float *skin,
                        float found[MAX_REACHES])
{
    const vertex_node *node = root;
    tree_motion motion;
    find_motion(b, root, skin, &motion);
    while (node < b->nodes + root->next) {
        float reach[MAX_REACHES];
        reach_of_node(node, &motion, reach);
        bool beyond = reaches_beyond(reach, found);
        if (beyond && node->count <= LEAF_SIZE)
            add_vertices(b, node, &motion, found);
        node = beyond ? node + 1 : b->nodes + node->next;
    }
}

/* First a leaf that may reach farthest in each way, then all that may reach farther yet. */
static void bound_frame(const bounds_maker *b, const float *skin, float *reaches,
                        facet_iqm_bounds *bounds)
{
    const vertex_node *farthest[MAX_REACHES], *root = b->nodes;
    float found[MAX_REACHES], most[MAX_REACHES];
    for (int k = 0; k < MAX_REACHES; k++) {
        found[k] = most[k] = -INFINITY;
        farthest[k] = root;
    }
    for (uint32_t i = 0; i < b->root_count; i++, root = b->nodes + root->next) {
        float *reach = reaches + (size_t)i * MAX_REACHES;
        tree_motion motion;
        find_motion(b, root, skin, &motion);
        reach_of_node(root, &motion, reach);
        for (int k = 0; k < MAX_REACHES; k++) {
            farthest[k] = reach[k] > most[k] ? root : farthest[k];
            most[k] = reach[k] > most[k] ? reach[k] : most[k];
        }
    }
    for (int k = 0; k < MAX_REACHES; k++)
        add_leaf(b, farthest[k], skin, k, found);
    root = b->nodes;
    for (uint32_t i = 0; i < b->root_count; i++, root = b->nodes + root->next) {
        if (reaches_beyond(reaches + (size_t)i * MAX_REACHES, found))
            search_tree(b, root, skin, found);
    }
    for (int axis = 0; axis < 3; axis++) {
        bounds->maximum[axis] = found[axis];
        bounds->minimum[axis] = 0 - found[REACH_AGAINST + axis]; /* never -0 */
    }
    bounds->xy_radius = sqrtf(found[REACH_XY]);
    bounds->radius = sqrtf(found[REACH_ALL]);
}

/* -- The whole ---------------------------------------------------------- */

static void bound_part(void *argument, size_t part, size_t first, size_t end)
{
    const bounds_maker *b = argument;
    size_t joints = b->w->skeleton.count;
    float *global = b->matrices + part * joints * 32, *skin = global + joints * 16;
    float *reaches = b->reaches + part * b->root_count * MAX_REACHES;
    for (size_t f = first; f < end; f++) {
        find_matrices(b, f, global, skin);
        bound_frame(b, skin, reaches, &b->bounds[f]);
    }
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
    take_vertices(&b);
    grow_trees(&b);
    b.reaches =
        facet_arena_allocate(w->scratch, b.root_count * parts, MAX_REACHES * sizeof *b.reaches);
    if (!b.reaches)
        return facet_fail_arena(w->scratch, w->error);
    facet_run_parts(w->options, bound_part, &b, frame_count, 4);
    w->document->bounds = b.bounds;
    return FACET_OK;
}
