/* render/triangle.c - one triangle among the samples of a tile: integer edges, and planes for depth
 * and the shares of its corners. */
#include "render/render.h"

#include <string.h>

/* -- Corners ------------------------------------------------------------ */

static void gather(const facet_render_view *view, uint32_t id, uint32_t *hint,
                   facet_render_triangle *t, facet_render_point points[3])
{
    uint32_t triangle = id;
    t->id = id;
    t->is_piece = id >= view->triangle_count;
    if (t->is_piece) {
        const facet_render_piece *piece = &view->pieces[id - view->triangle_count];
        triangle = piece->triangle;
        memcpy(points, piece->points, 3 * sizeof *points);
        memcpy(t->weights, piece->weights, sizeof t->weights);
    }
    t->draw = facet_render_draw_of(view, triangle, hint);
    const facet_render_instance *instance = t->draw->instance;
    const uint32_t *corners =
        instance->corners +
        ((size_t)t->draw->batch->first_face + (triangle - t->draw->first_triangle)) * 3;
    for (int i = 0; i < 3; i++) {
        t->corners[i] = instance->first_vertex + corners[i];
        if (!t->is_piece)
            points[i] = view->points[t->corners[i]];
    }
}

/* -- Edges -------------------------------------------------------------- */

/* Set the edge from a to b, in squares of 256ths: positive inside. Edges that are neither top nor
 * left exclude samples exactly on them. */
static void set_edge(facet_render_triangle *t, int i, const facet_render_point *a,
                     const facet_render_point *b, int64_t left, int64_t top)
{
    int64_t dx = (int64_t)b->x - a->x, dy = (int64_t)b->y - a->y;
    bool keeps = dy < 0 || (dy == 0 && dx > 0);
    t->start[i] = dx * (top - a->y) - dy * (left - a->x) - (keeps ? 0 : 1);
    t->step_x[i] = -dy;
    t->step_y[i] = dx;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Find the samples of the tile that the box may cover. */
static bool set_box(const facet_render_view *view, const facet_render_point p[3], uint32_t x,
                    uint32_t y, facet_render_triangle *t)
{
    int32_t low_x = least(least(p[0].x, p[1].x), p[2].x);
    int32_t low_y = least(least(p[0].y, p[1].y), p[2].y);
    int32_t high_x = most(most(p[0].x, p[1].x), p[2].x);
    int32_t high_y = most(most(p[0].y, p[1].y), p[2].y);
    int32_t columns = (int32_t)view->columns - (int32_t)x, rows = (int32_t)view->rows - (int32_t)y;
    int32_t first = 127 - facet_render_spread(view), last = first + 1;
    t->left = most(((low_x + first) >> 8) - (int32_t)x, 0);
    t->top = most(((low_y + first) >> 8) - (int32_t)y, 0);
    t->right = least(least(((high_x - last) >> 8) + 1 - (int32_t)x, FACET_RENDER_TILE), columns);
    t->bottom = least(least(((high_y - last) >> 8) + 1 - (int32_t)y, FACET_RENDER_TILE), rows);
    return t->left < t->right && t->top < t->bottom;
}

bool facet_render_set_up(const facet_render_view *view, uint32_t id, uint32_t x, uint32_t y,
                         uint32_t *hint, facet_render_triangle *t)
{
    facet_render_point p[3];
    gather(view, id, hint, t, p);
    if (!set_box(view, p, x, y, t))
        return false;
    int64_t area = ((int64_t)p[1].x - p[0].x) * ((int64_t)p[2].y - p[0].y) -
                   ((int64_t)p[2].x - p[0].x) * ((int64_t)p[1].y - p[0].y);
    if (area == 0)
        return false;
    t->is_back = facet_render_shows_back(t->draw, area);
    t->shifts = view->shifts;
    int64_t left = (int64_t)x * 256 + 128, top = (int64_t)y * 256 + 128;
    static const int orders[2][3] = {{0, 2, 1}, {0, 1, 2}};
    const int *o = orders[area > 0];
    for (int i = 0; i < 3; i++)
        set_edge(t, i, &p[o[i]], &p[o[(i + 1) % 3]], left, top);
    /* Shares of corners 1 and 2, in samples from the first one of the tile. */
    double scale = 256.0 / (double)area;
    double x0 = (double)(left - p[0].x) / 256, y0 = (double)(top - p[0].y) / 256;
    double x1 = (double)(p[1].x - p[0].x), y1 = (double)(p[1].y - p[0].y);
    double x2 = (double)(p[2].x - p[0].x), y2 = (double)(p[2].y - p[0].y);
    t->l1_x = (float)(y2 * scale);
    t->l1_y = (float)(-x2 * scale);
    t->l2_x = (float)(-y1 * scale);
    t->l2_y = (float)(x1 * scale);
    t->l1 = (float)((x0 * y2 - y0 * x2) * scale);
    t->l2 = (float)((y0 * x1 - x0 * y1) * scale);
    float d1 = p[1].depth - p[0].depth, d2 = p[2].depth - p[0].depth;
    t->depth = p[0].depth + (d1 * t->l1 + d2 * t->l2);
    t->depth_x = d1 * t->l1_x + d2 * t->l2_x;
    t->depth_y = d1 * t->l1_y + d2 * t->l2_y;
    for (int i = 0; i < 3; i++)
        t->reciprocals[i] = p[i].reciprocal;
    return true;
}

void facet_render_set_front(const facet_render_view *view, facet_render_triangle *t)
{
    if (t->draw->instance->ends) { /* toward the viewer */
        memcpy(t->front, view->camera[2], sizeof t->front);
        return;
    }
    const float *origin = view->positions[t->corners[0]];
    const float *second = view->positions[t->corners[1]], *third = view->positions[t->corners[2]];
    float a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = second[i] - origin[i];
        b[i] = third[i] - origin[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        float component = a[j] * b[k] - a[k] * b[j];
        t->front[i] = t->draw->mirrored ? -component : component;
    }
}
