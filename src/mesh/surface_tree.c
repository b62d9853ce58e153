/* mesh/surface_tree.c - a tree of boxes over the triangles of a surface. */
#include "mesh/surface_tree.h"

#include "base/arena.h"
#include "base/budget.h"
#include "base/error.h"
#include "mesh/edges.h"
#include "mesh/vector.h"

#include <string.h>

/* Most triangles per leaf, and greatest depth of the tree. */
#define LEAF 4
#define DEEPEST 64

/* Limits of nodes that a search for near triangles visits. Surfaces need about a hundred. Each
 * search may visit the first ones, and others from what its block has left. */
#define MAX_VISITS 8192
#define MIN_VISITS 64
#define VISITS 64 /* per search and unit of the growth limit */

/* -- Closed or not ------------------------------------------------------ */

/* Number of edges that are checked between two calls of the progress callback. */
#define EDGES_AT_ONCE 262144

facet_status facet_surface_is_closed(const facet_surface_tree *tree, const facet_options *options,
                                     const char *step, const double range[2], facet_arena *arena,
                                     bool *closed, facet_error *error)
{
    const double middle = (range[0] + range[1]) / 2, looking[2] = {middle, range[1]};
    const facet_stretch progress = {options, step, {range[0], middle}};
    size_t count = 3 * (size_t)tree->triangle_count;
    uint32_t points = 0;
    facet_edges edges;
    for (size_t i = 0; i < count; i++)
        points = tree->triangles[i] >= points ? tree->triangles[i] + 1 : points;
    TRY(facet_edges_sort(tree->triangles, tree->triangle_count, points, &progress, arena, &edges,
                         error));
    facet_status status = FACET_OK;
    bool paired = true;
    for (size_t i = 0; i < count && paired && !status; i++) {
        uint32_t from = tree->triangles[i], to = tree->triangles[i % 3 == 2 ? i - 2 : i + 1];
        if (i % EDGES_AT_ONCE == 0)
            status = facet_step_within(options, step, looking, i, count, error);
        paired = facet_edges_count(&edges, from, to) == facet_edges_count(&edges, to, from);
    }
    facet_edges_free(arena, &edges);
    *closed = paired;
    return status;
}

/* -- Building ----------------------------------------------------------- */

static const double *corner(const facet_surface_tree *tree, uint32_t triangle, int c)
{
    return tree->points + 3 * (size_t)tree->triangles[3 * (size_t)triangle + c];
}

static double middle(const facet_surface_tree *tree, uint32_t triangle, int axis)
{
    return corner(tree, triangle, 0)[axis] + corner(tree, triangle, 1)[axis] +
           corner(tree, triangle, 2)[axis];
}

static void fit_box(const facet_surface_tree *tree, facet_surface_node *node)
{
    for (int k = 0; k < 3; k++) {
        node->low[k] = INFINITY;
        node->high[k] = -INFINITY;
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            for (int c = 0; c < 3; c++) {
                double x = corner(tree, tree->order[i], c)[k];
                node->low[k] = x < node->low[k] ? x : node->low[k];
                node->high[k] = x > node->high[k] ? x : node->high[k];
            }
        }
    }
}

/* Split the triangles of a node at the median of their middles: the lower ones come first. Equal
 * middles are ordered by index. */
static void halve(facet_surface_tree *tree, uint32_t first, uint32_t count, int axis)
{
    uint32_t low = first, high = first + count - 1, goal = first + count / 2;
    uint32_t *order = tree->order;
    while (low < high) {
        uint32_t pivot = order[low + (high - low) / 2];
        double value = middle(tree, pivot, axis);
        uint32_t i = low, j = high;
        for (;;) {
            while (middle(tree, order[i], axis) < value ||
                   (middle(tree, order[i], axis) == value && order[i] < pivot))
                i++;
            while (middle(tree, order[j], axis) > value ||
                   (middle(tree, order[j], axis) == value && order[j] > pivot))
                j--;
            if (i >= j)
                break;
            uint32_t swapped = order[i];
            order[i++] = order[j];
            order[j--] = swapped;
        }
        if (j < goal)
            low = j + 1;
        else
            high = j;
    }
}

/* Number of triangles that are sorted between two calls of the progress callback. */
#define AT_ONCE 262144

/* Number of times that triangles are sorted, in all: each triangle once per level. */
static uint64_t work_of(const facet_surface_tree *tree)
{
    uint64_t levels = 1;
    for (uint32_t count = tree->triangle_count; count > LEAF; count = (count + 1) / 2)
        levels++;
    return levels * tree->triangle_count;
}

static facet_status split(facet_surface_tree *tree, const facet_options *options, const char *step,
                          const double range[2], facet_error *error)
{
    uint64_t done = 0, told = 0, all = work_of(tree);
    facet_status status = facet_step(options, step, range[0], error);
    /* Nodes are split in the order of their creation, so the node list is also the queue. */
    for (uint32_t n = 0; n < tree->node_count && !status; n++) {
        facet_surface_node *node = &tree->nodes[n];
        if (done - told >= AT_ONCE) {
            status = facet_step_within(options, step, range, done, all, error);
            told = done;
        }
        done += node->count;
        fit_box(tree, node);
        if (node->count <= LEAF)
            continue;
        if (node->count >= AT_ONCE && !status) /* computing the box has taken time */
            status = facet_step_within(options, step, range, done, all, error);
        int axis = 0;
        for (int k = 1; k < 3; k++) {
            if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis])
                axis = k;
        }
        halve(tree, node->first, node->count, axis);
        facet_surface_node *children = &tree->nodes[tree->node_count];
        children[0].first = node->first;
        children[0].count = node->count / 2;
        children[1].first = node->first + children[0].count;
        children[1].count = node->count - children[0].count;
        node->first = tree->node_count;
        node->count = 0;
        tree->node_count += 2;
    }
    return status;
}

facet_status facet_surface_tree_build(const double *points, const uint32_t *triangles,
                                      uint32_t triangle_count, const facet_options *options,
                                      const char *step, const double range[2], facet_arena *arena,
                                      facet_surface_tree *tree, facet_error *error)
{
    facet_surface_tree made = {0};
    made.points = points;
    made.triangles = triangles;
    made.triangle_count = triangle_count;
    made.order = facet_arena_allocate(arena, triangle_count, sizeof *made.order);
    made.nodes = facet_arena_allocate(arena, triangle_count, 2 * sizeof *made.nodes);
    if (!made.order || !made.nodes)
        return facet_fail_arena(arena, error);
    for (uint32_t i = 0; i < triangle_count; i++)
        made.order[i] = i;
    made.nodes[0].first = 0;
    made.nodes[0].count = triangle_count;
    made.node_count = 1;
    facet_status status = split(&made, options, step, range, error);
    if (!status)
        *tree = made;
    return status;
}

void facet_surface_tree_free(facet_arena *arena, facet_surface_tree *tree)
{
    facet_arena_release(arena, tree->nodes, tree->triangle_count, 2 * sizeof *tree->nodes);
    facet_arena_release(arena, tree->order, tree->triangle_count, sizeof *tree->order);
    memset(tree, 0, sizeof *tree);
}

/* -- The nearest point -------------------------------------------------- */

static double box_distance(const facet_surface_node *node, const double *point)
{
    double squared = 0;
    for (int k = 0; k < 3; k++) {
        double below = node->low[k] - point[k], above = point[k] - node->high[k];
        double beyond = below > above ? below : above; /* fmax is a call */
        squared += beyond > 0 ? beyond * beyond : 0;
    }
    return squared;
}

typedef struct nearest_search {
    const facet_surface_tree *tree;
    const double *point;
    double best; /* squared distance */
    double *nearest;
    uint32_t triangle; /* that `nearest` is a point of */
} nearest_search;

static void try_triangle(nearest_search *s, uint32_t triangle)
{
    double candidate[3];
    double squared = facet_triangle_distance(s->point, corner(s->tree, triangle, 0),
                                             corner(s->tree, triangle, 1),
                                             corner(s->tree, triangle, 2), candidate);
    if (squared < s->best) {
        s->best = squared;
        s->triangle = triangle;
        memcpy(s->nearest, candidate, sizeof candidate);
    }
}

void facet_surface_hint(facet_surface_hints *hints, uint32_t triangle)
{
    const uint32_t most = sizeof hints->triangles / sizeof *hints->triangles;
    uint32_t at = 0;
    while (at < hints->count && hints->triangles[at] != triangle)
        at++;
    if (at == hints->count && hints->count < most)
        hints->count++;
    for (at = at < most ? at : most - 1; at > 0; at--)
        hints->triangles[at] = hints->triangles[at - 1];
    hints->triangles[0] = triangle;
}

bool facet_surface_hints_suffice(const facet_surface_tree *tree, const facet_surface_hints *hints,
                                 const double point[3], double enough)
{
    double nearest[3];
    nearest_search s = {tree, point, INFINITY, nearest, 0};
    for (uint32_t i = 0; i < hints->count && s.best > enough * enough; i++)
        try_triangle(&s, hints->triangles[i]);
    return s.best <= enough * enough;
}

double facet_surface_distance(const facet_surface_tree *tree, const double point[3], double enough,
                              facet_surface_hints *hints, double nearest[3], uint64_t *visits)
{
    struct {
        uint32_t node;
        double distance; /* squared */
    } stack[DEEPEST];
    nearest_search s = {tree, point, INFINITY, nearest, 0};
    uint32_t depth = 0;
    for (uint32_t i = 0; i < hints->count; i++)
        try_triangle(&s, hints->triangles[i]);
    stack[depth].node = 0;
    stack[depth++].distance = box_distance(&tree->nodes[0], point);
    while (depth > 0 && s.best > enough * enough) {
        if (stack[--depth].distance >= s.best)
            continue;
        ++*visits;
        const facet_surface_node *node = &tree->nodes[stack[depth].node];
        if (node->count == 0) {
            double left = box_distance(&tree->nodes[node->first], point);
            double right = box_distance(&tree->nodes[node->first + 1], point);
            /* Push the nearer child last, so that it is visited first. */
            uint32_t second = right < left ? 1 : 0;
            stack[depth].node = node->first + 1 - second;
            stack[depth++].distance = second ? left : right;
            stack[depth].node = node->first + second;
            stack[depth++].distance = second ? right : left;
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            try_triangle(&s, tree->order[i]);
    }
    if (s.best < INFINITY)
        facet_surface_hint(hints, s.triangle);
    return sqrt(s.best);
}

/* Add a hit, and drop hits that are now too far. */
static int add_hit(facet_surface_hit *hits, int count, int most, double slack,
                   const facet_surface_hit *hit)
{
    if (count == 0) {
        hits[0] = *hit;
        return 1;
    }
    if (hit->distance >= hits[0].distance) {
        if (hit->distance <= hits[0].distance + slack && count < most)
            hits[count++] = *hit;
        return count;
    }
    facet_surface_hit before = hits[0];
    int kept = 1;
    hits[0] = *hit;
    for (int i = 1; i < count; i++) {
        if (hits[i].distance <= hit->distance + slack)
            hits[kept++] = hits[i];
    }
    if (kept < most && before.distance <= hit->distance + slack)
        hits[kept++] = before;
    return kept;
}

void facet_surface_effort_init(facet_surface_effort *effort, const facet_options *options)
{
    uint64_t most = facet_budget_of(options, VISITS, 0).most;
    effort->visits = most < UINT32_MAX ? most : UINT32_MAX;
    atomic_init(&effort->given_up, 0);
}

/* True if no triangle in a box can change the hits. With all hits found, only a nearer one can. */
static bool is_beyond(const facet_surface_node *node, const double *point, double slack,
                      const facet_surface_hit *hits, int count, int most)
{
    if (count == 0)
        return false;
    double squared = box_distance(node, point), reach = hits[0].distance + slack;
    return count < most ? squared > reach * reach : squared >= hits[0].distance * hits[0].distance;
}

int facet_surface_near(const facet_surface_tree *tree, const double point[3], double slack,
                       facet_surface_hit *hits, int most, facet_surface_effort *effort,
                       uint64_t *left, bool *exact)
{
    uint32_t stack[DEEPEST], depth = 0;
    uint64_t visits = 0, limit = MIN_VISITS + *left;
    int count = 0;
    if (limit > MAX_VISITS && effort->visits < MAX_VISITS)
        limit = MAX_VISITS;
    stack[depth++] = 0;
    while (depth > 0 && visits < limit) {
        visits++;
        const facet_surface_node *node = &tree->nodes[stack[--depth]];
        if (is_beyond(node, point, slack, hits, count, most))
            continue;
        if (node->count == 0) {
            bool second = box_distance(&tree->nodes[node->first + 1], point) <
                          box_distance(&tree->nodes[node->first], point);
            stack[depth++] = node->first + (second ? 0 : 1);
            stack[depth++] = node->first + (second ? 1 : 0);
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            facet_surface_hit hit = {.triangle = tree->order[i]};
            hit.distance = sqrt(facet_triangle_distance(
                point, corner(tree, hit.triangle, 0), corner(tree, hit.triangle, 1),
                corner(tree, hit.triangle, 2), hit.nearest));
            count = add_hit(hits, count, most, slack, &hit);
        }
    }
    *left -= visits > MIN_VISITS ? visits - MIN_VISITS : 0;
    *exact = depth == 0;
    if (!*exact)
        atomic_fetch_add(&effort->given_up, 1);
    return count;
}

/* -- Winding ------------------------------------------------------------ */

/* Twice the area of the triangle p, a, b seen along x. *side is the side of the line from a to b
 * on which p is, 1 or -1. The same two points in reverse order give exactly the opposite, so
 * rays through a shared edge count it once. */
static double area_of(const double *p, const double *a, const double *b, int *side)
{
    bool swap = a[1] > b[1] || (a[1] == b[1] && a[2] > b[2]);
    const double *from = swap ? b : a, *to = swap ? a : b;
    double area = (to[1] - from[1]) * (p[2] - from[2]) - (to[2] - from[2]) * (p[1] - from[1]);
    double sign = area;
    if (sign == 0) /* as if p were slightly farther along z, or y */
        sign = to[1] != from[1] ? to[1] - from[1] : from[2] - to[2];
    *side = (sign > 0) != swap ? 1 : -1;
    return swap ? -area : area;
}

/* Contribution of a triangle to the winding number around p. The ray from p along +x crosses it
 * from inside (1) or from outside (-1), or misses it (0). */
static int crossing(const double p[3], const double a[3], const double b[3], const double c[3])
{
    int side_ab, side_bc, side_ca;
    double ab = area_of(p, a, b, &side_ab), bc = area_of(p, b, c, &side_bc);
    double ca = area_of(p, c, a, &side_ca), sum = ab + bc + ca;
    if (side_ab != side_bc || side_bc != side_ca || sum == 0)
        return 0;
    double x = (a[0] * bc + b[0] * ca + c[0] * ab) / sum;
    return x > p[0] ? side_ab : 0;
}

int facet_surface_winding(const facet_surface_tree *tree, const double point[3], uint64_t *visits)
{
    uint32_t stack[DEEPEST], depth = 0;
    int number = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        ++*visits;
        const facet_surface_node *node = &tree->nodes[stack[--depth]];
        if (point[0] > node->high[0] || point[1] < node->low[1] || point[1] > node->high[1] ||
            point[2] < node->low[2] || point[2] > node->high[2])
            continue;
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            uint32_t t = tree->order[i];
            number += crossing(point, corner(tree, t, 0), corner(tree, t, 1), corner(tree, t, 2));
        }
    }
    return number;
}
