/* mesh/polygon.c - ear clipping.
 *
 * A corner is an ear if it is convex and no other corner is in the triangle with its two
 * neighbors. Only corners that are not convex (obstacles) need to be tested. Clipping an ear
 * changes only its two neighbors (G. H. Meisters, "Polygons have ears", 1975; D. Eberly,
 * "Triangulation by ear clipping", 2002). So corners wait in queues. Each is tested once, and
 * again only after a neighbor was clipped. Signs of areas are exact, so that collinear and
 * touching corners are detected reliably. */
#include "mesh/polygon.h"

#include "base/arena.h"
#include "base/bytes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

/* -- Which side --------------------------------------------------------- */

/* The exact sign of a sum of six doubles. They are added into an expansion of parts that do not
 * overlap; the last part that is not zero gives the sign. J. R. Shewchuk, "Adaptive precision
 * floating-point arithmetic", 1997. */
static double exact_sign(const double terms[6])
{
    double parts[6];
    for (int n = 0; n < 6; n++) {
        double sum = terms[n];
        for (int i = 0; i < n; i++) {
            double a = sum, b = parts[i];
            sum = a + b;
            double b_seen = sum - a, a_seen = sum - b_seen;
            parts[i] = (a - a_seen) + (b - b_seen);
        }
        parts[n] = sum;
    }
    for (int i = 6; i-- > 0;) {
        if (parts[i] != 0)
            return parts[i];
    }
    return 0;
}

/* Positive when a, b, c turn to the left, negative to the right, 0 when they
 * are collinear; the sign is exact. Products of floats are exact in double. */
static double turn(const float *a, const float *b, const float *c)
{
    double ax = a[0], ay = a[1], bx = b[0], by = b[1], cx = c[0], cy = c[1];
    double left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx);
    double difference = left - right, magnitude = fabs(left) + fabs(right);
    if (fabs(difference) > 3.3306690738754716e-16 * magnitude || magnitude == 0)
        return difference;
    double terms[6] = {ax * by, -ay * bx, bx * cy, -by * cx, cx * ay, -cy * ax};
    return exact_sign(terms);
}

/* -- The cutter --------------------------------------------------------- */

/* Queues, ordered by how certain it is that their corners can be clipped. All corners begin as
 * candidate ears. A corner that fails moves to the next queue, which is used when the queues
 * before it are empty. */
enum queue {
    QUEUE_EAR,      /* convex, and no corner in the triangle or on its border */
    QUEUE_TOUCHING, /* not reflex, and no corner inside the triangle */
    QUEUE_CONVEX,   /* the polygon crosses itself: any convex corner */
    QUEUE_ANY,
    QUEUE_COUNT
};

typedef struct obstacle {
    uint64_t code; /* index on a Z-order curve */
    uint32_t corner;
} obstacle;

/* A node of the tree over the obstacles: the box of the obstacles below it, and the number of
 * them that remain. */
typedef struct node {
    float minimum[2], maximum[2];
    uint32_t left;
} node;

#define LEAF_SIZE 16 /* obstacles per leaf */

/* Limit of the average number of tree nodes visited per corner; ordinary polygons need a few
 * dozen. */
#define NODES_PER_CORNER 2048

struct facet_polygon_cutter {
    uint32_t capacity;
    float (*points)[2];
    uint32_t *previous, *next;             /* the remaining corners, as a ring */
    uint32_t *queue_previous, *queue_next; /* the queues; their heads come after the corners */
    uint8_t *queue_of;
    uint32_t count;

    obstacle *obstacles; /* in Z-order; the corner is NONE if the obstacle was removed */
    uint32_t obstacle_count;
    uint32_t *place; /* per corner: its index among the obstacles, or NONE */
    node *nodes;     /* binary tree in an array: 1 is the root, 2n and 2n + 1 are below n */
    uint32_t leaf_count;
    uint64_t patience; /* number of nodes that the searches may still visit */
};

typedef struct piece {
    void *address; /* address of a pointer in the cutter */
    size_t count, size;
} piece;

#define PIECE_COUNT 9

static void list_pieces(facet_polygon_cutter *c, piece pieces[PIECE_COUNT])
{
    size_t n = c->capacity;
    const piece all[PIECE_COUNT] = {
        {&c->points, n, sizeof *c->points},
        {&c->previous, n, sizeof *c->previous},
        {&c->next, n, sizeof *c->next},
        {&c->queue_previous, n + QUEUE_COUNT, sizeof *c->queue_previous},
        {&c->queue_next, n + QUEUE_COUNT, sizeof *c->queue_next},
        {&c->queue_of, n, sizeof *c->queue_of},
        {&c->obstacles, n, sizeof *c->obstacles},
        {&c->place, n, sizeof *c->place},
        {&c->nodes, n / 4 + 4, sizeof *c->nodes},
    };
    memcpy(pieces, all, sizeof all);
}

facet_polygon_cutter *facet_polygon_cutter_create(facet_arena *arena, uint32_t capacity)
{
    facet_polygon_cutter *cutter = facet_arena_allocate_zeroed(arena, 1, sizeof *cutter);
    if (!cutter)
        return NULL;
    cutter->capacity = capacity;
    piece pieces[PIECE_COUNT];
    list_pieces(cutter, pieces);
    for (int i = 0; i < PIECE_COUNT; i++) {
        void *block = facet_arena_allocate(arena, pieces[i].count, pieces[i].size);
        if (!block) {
            facet_polygon_cutter_free(arena, cutter);
            return NULL;
        }
        memcpy(pieces[i].address, &block, sizeof block);
    }
    return cutter;
}

void facet_polygon_cutter_free(facet_arena *arena, facet_polygon_cutter *cutter)
{
    if (!cutter)
        return;
    piece pieces[PIECE_COUNT];
    list_pieces(cutter, pieces);
    for (int i = PIECE_COUNT; i-- > 0;) {
        void *block;
        memcpy(&block, pieces[i].address, sizeof block);
        facet_arena_release(arena, block, pieces[i].count, pieces[i].size);
    }
    facet_arena_release(arena, cutter, 1, sizeof *cutter);
}

float *facet_polygon_points(facet_polygon_cutter *cutter)
{
    return cutter->points[0];
}

bool facet_polygon_is_fan(const facet_polygon_cutter *cutter, uint32_t count)
{
    const float(*p)[2] = (const float(*)[2])cutter->points;
    for (uint32_t i = 1; i + 1 < count; i++) {
        /* The second test keeps all corners on one side of the first edge, so the fan makes at
         * most one turn. */
        if (!(turn(p[0], p[i], p[i + 1]) > 0) || !(turn(p[0], p[1], p[i + 1]) > 0))
            return false;
    }
    return true;
}

/* -- Obstacles ---------------------------------------------------------- */

static uint64_t spread_bits(uint32_t value)
{
    uint64_t x = value;
    x = (x | x << 16) & UINT64_C(0x0000FFFF0000FFFF);
    x = (x | x << 8) & UINT64_C(0x00FF00FF00FF00FF);
    x = (x | x << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    x = (x | x << 2) & UINT64_C(0x3333333333333333);
    return (x | x << 1) & UINT64_C(0x5555555555555555);
}

static void grow_box(node *box, const float *minimum, const float *maximum)
{
    for (int i = 0; i < 2; i++) {
        box->minimum[i] = minimum[i] < box->minimum[i] ? minimum[i] : box->minimum[i];
        box->maximum[i] = maximum[i] > box->maximum[i] ? maximum[i] : box->maximum[i];
    }
}

static const node empty_box = {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}, 0};

/* A number that increases with the float and differs for different floats, however close. */
static uint32_t ordered_bits(float value)
{
    uint32_t bits = facet_bits_of_float(value + 0.0f); /* -0 becomes 0 */
    return bits >> 31 ? ~bits : bits | 0x80000000;
}

static void find_obstacles(facet_polygon_cutter *c)
{
    c->obstacle_count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const float *point = c->points[i];
        c->place[i] = NONE;
        if (turn(c->points[c->previous[i]], point, c->points[c->next[i]]) > 0)
            continue;
        obstacle *o = &c->obstacles[c->obstacle_count++];
        o->corner = i;
        o->code = spread_bits(ordered_bits(point[0])) | spread_bits(ordered_bits(point[1])) << 1;
    }
}

static void sift_down(obstacle *heap, uint32_t root, uint32_t count)
{
    obstacle moved = heap[root];
    for (uint64_t child; (child = 2 * (uint64_t)root + 1) < count; root = (uint32_t)child) {
        if (child + 1 < count && heap[child + 1].code > heap[child].code)
            child++;
        if (heap[child].code <= moved.code)
            break;
        heap[root] = heap[child];
    }
    heap[root] = moved;
}

/* Heap sort: in place, and O(n log n) in the worst case. */
static void sort_obstacles(obstacle *obstacles, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(obstacles, i, count);
    for (uint32_t i = count; i-- > 1;) {
        obstacle largest = obstacles[0];
        obstacles[0] = obstacles[i];
        obstacles[i] = largest;
        sift_down(obstacles, 0, i);
    }
}

static void build_tree(facet_polygon_cutter *c)
{
    c->leaf_count = 1;
    while ((uint64_t)c->leaf_count * LEAF_SIZE < c->obstacle_count)
        c->leaf_count *= 2;
    if (c->leaf_count > 1)
        sort_obstacles(c->obstacles, c->obstacle_count);
    for (uint32_t i = 1; i < 2 * c->leaf_count; i++)
        c->nodes[i] = empty_box;
    for (uint32_t i = 0; i < c->obstacle_count; i++) {
        uint32_t corner = c->obstacles[i].corner;
        node *leaf = &c->nodes[c->leaf_count + i / LEAF_SIZE];
        c->place[corner] = i;
        grow_box(leaf, c->points[corner], c->points[corner]);
        leaf->left++;
    }
    for (uint32_t i = c->leaf_count; i-- > 1;) {
        for (uint32_t child = 2 * i; child <= 2 * i + 1; child++) {
            grow_box(&c->nodes[i], c->nodes[child].minimum, c->nodes[child].maximum);
            c->nodes[i].left += c->nodes[child].left;
        }
    }
}

static void remove_obstacle(facet_polygon_cutter *c, uint32_t corner)
{
    uint32_t place = c->place[corner];
    if (place == NONE)
        return;
    c->place[corner] = NONE;
    c->obstacles[place].corner = NONE;
    for (uint32_t i = c->leaf_count + place / LEAF_SIZE; i > 0; i /= 2)
        c->nodes[i].left--;
}

/* The triangle of a search: corners counter-clockwise, and its box. */
typedef struct probe {
    uint32_t corners[3];
    const float *points[3];
    node box;
    bool closed; /* obstacles on the border also count */
} probe;

/* True if the box is certainly outside of the triangle. */
static bool box_is_outside(const probe *p, const node *box)
{
    for (int i = 0; i < 2; i++) {
        if (box->maximum[i] < p->box.minimum[i] || box->minimum[i] > p->box.maximum[i])
            return true;
    }
    /* The box is outside an edge if its corner farthest to the left is right of the edge. The
     * margin for rounding avoids false results. */
    for (int i = 0; i < 3; i++) {
        const float *a = p->points[i], *b = p->points[i == 2 ? 0 : i + 1];
        double ex = (double)b[0] - a[0], ey = (double)b[1] - a[1];
        double dx = (double)(ey > 0 ? box->minimum[0] : box->maximum[0]) - a[0];
        double dy = (double)(ex > 0 ? box->maximum[1] : box->minimum[1]) - a[1];
        double left = ex * dy, right = ey * dx;
        if (left - right < -1e-15 * (fabs(left) + fabs(right)))
            return true;
    }
    return false;
}

static bool same_point(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

/* True if the box is a single point, at a corner of the triangle. */
static bool box_is_corner(const probe *p, const node *box)
{
    if (!same_point(box->minimum, box->maximum))
        return false;
    return same_point(box->minimum, p->points[0]) || same_point(box->minimum, p->points[1]) ||
           same_point(box->minimum, p->points[2]);
}

static bool is_in_the_way(const probe *p, uint32_t corner, const float *point)
{
    for (int i = 0; i < 3; i++) {
        /* A corner at the same point, where a polygon touches itself, does not block. Its
         * neighbors block if their edges lead into the triangle. */
        if (corner == p->corners[i] || same_point(point, p->points[i]))
            return false;
    }
    for (int i = 0; i < 3; i++) {
        double side = turn(p->points[i], p->points[i == 2 ? 0 : i + 1], point);
        if (p->closed ? side < 0 : side <= 0)
            return false;
    }
    return true;
}

static bool leaf_blocks(const facet_polygon_cutter *c, const probe *p, uint32_t leaf)
{
    uint32_t begin = leaf * LEAF_SIZE;
    uint32_t end = c->obstacle_count - begin < LEAF_SIZE ? c->obstacle_count : begin + LEAF_SIZE;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t corner = c->obstacles[i].corner;
        if (corner != NONE && is_in_the_way(p, corner, c->points[corner]))
            return true;
    }
    return false;
}

/* True if an obstacle is in the triangle at `corner`. */
static bool is_blocked(facet_polygon_cutter *c, uint32_t corner, bool closed)
{
    probe p = {{c->previous[corner], corner, c->next[corner]}, {0}, empty_box, closed};
    for (int i = 0; i < 3; i++) {
        p.points[i] = c->points[p.corners[i]];
        grow_box(&p.box, p.points[i], p.points[i]);
    }
    uint32_t stack[64], depth = 0; /* the tree is at most 29 deep */
    stack[depth++] = 1;
    while (depth > 0) {
        uint32_t at = stack[--depth];
        const node *box = &c->nodes[at];
        if (box->left == 0 || box_is_outside(&p, box) || box_is_corner(&p, box))
            continue;
        if (c->patience == 0)
            return false;
        c->patience--;
        if (at >= c->leaf_count) {
            if (leaf_blocks(c, &p, at - c->leaf_count))
                return true;
        } else {
            stack[depth++] = 2 * at + 1;
            stack[depth++] = 2 * at;
        }
    }
    return false;
}

/* -- Queues ------------------------------------------------------------- */

static void leave_queue(facet_polygon_cutter *c, uint32_t corner)
{
    c->queue_next[c->queue_previous[corner]] = c->queue_next[corner];
    c->queue_previous[c->queue_next[corner]] = c->queue_previous[corner];
}

static void enter_queue(facet_polygon_cutter *c, uint32_t corner, int queue)
{
    uint32_t head = c->count + (uint32_t)queue, last = c->queue_previous[head];
    c->queue_next[last] = corner;
    c->queue_previous[corner] = last;
    c->queue_next[corner] = head;
    c->queue_previous[head] = corner;
    c->queue_of[corner] = (uint8_t)queue;
}

/* The first corner of the first queue that is not empty; requires that the ring is not empty. */
static uint32_t next_candidate(const facet_polygon_cutter *c)
{
    for (uint32_t head = c->count;; head++) {
        if (c->queue_next[head] != head)
            return c->queue_next[head];
    }
}

static double turn_at(const facet_polygon_cutter *c, uint32_t corner)
{
    return turn(c->points[c->previous[corner]], c->points[corner], c->points[c->next[corner]]);
}

static bool can_be_clipped(facet_polygon_cutter *c, uint32_t corner)
{
    double side = turn_at(c, corner);
    switch (c->queue_of[corner]) {
    case QUEUE_EAR:
        return side > 0 && !is_blocked(c, corner, true);
    case QUEUE_TOUCHING:
        return side >= 0 && !is_blocked(c, corner, false);
    case QUEUE_CONVEX:
        return side > 0;
    default:
        return true;
    }
}

/* -- Cutting ------------------------------------------------------------ */

static void look_again(facet_polygon_cutter *c, uint32_t corner)
{
    leave_queue(c, corner);
    enter_queue(c, corner, QUEUE_EAR);
    if (c->place[corner] != NONE && turn_at(c, corner) > 0)
        remove_obstacle(c, corner);
}

static uint32_t *clip(facet_polygon_cutter *c, uint32_t corner, uint32_t *triangles)
{
    uint32_t before = c->previous[corner], after = c->next[corner];
    triangles[0] = before;
    triangles[1] = corner;
    triangles[2] = after;
    c->next[before] = after;
    c->previous[after] = before;
    leave_queue(c, corner);
    remove_obstacle(c, corner);
    look_again(c, before);
    look_again(c, after);
    return triangles + 3;
}

static void begin_cut(facet_polygon_cutter *c, uint32_t count)
{
    c->count = count;
    c->patience = (uint64_t)count * NODES_PER_CORNER;
    for (uint32_t queue = 0; queue < QUEUE_COUNT; queue++)
        c->queue_next[count + queue] = c->queue_previous[count + queue] = count + queue;
    for (uint32_t i = 0; i < count; i++) {
        c->previous[i] = i == 0 ? count - 1 : i - 1;
        c->next[i] = i == count - 1 ? 0 : i + 1;
        enter_queue(c, i, QUEUE_EAR);
    }
    find_obstacles(c);
    build_tree(c);
}

bool facet_polygon_cut(facet_polygon_cutter *c, uint32_t count, uint32_t *triangles)
{
    bool clean = true;
    begin_cut(c, count);
    for (uint32_t left = count; left >= 3;) {
        uint32_t corner = next_candidate(c);
        if (left == 3 || can_be_clipped(c, corner)) {
            clean &= c->queue_of[corner] < QUEUE_CONVEX && (left > 3 || turn_at(c, corner) >= 0);
            triangles = clip(c, corner, triangles);
            left--;
        } else {
            leave_queue(c, corner);
            enter_queue(c, corner, c->queue_of[corner] + 1);
        }
    }
    return clean && c->patience > 0;
}
