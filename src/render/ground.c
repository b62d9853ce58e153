/* render/ground.c - the soft shadow of a model on the ground below it.
 *
 * The ground is the horizontal plane through the lowest vertex, under an even sky. The model is a
 * grid of columns, each from its lowest to its highest surface. A slice of area A at height h takes
 * some light of a point at distance d. The share is A h^2 / (pi (h^2 + d^2)^2), the form factor of
 * parallel surfaces. Half of that weight is within d = h. So the slice of each range of heights is
 * blurred with a radius near h. The slice that takes most is the shadow. Below one plate that is
 * right. It is also right next to a wall, whose edge at the top takes as much as all of it. The
 * blur is a bell curve, whose shares differ from those of the kernel by up to 0.07.
 *
 * Vertices are never below the ground. Seen from above, it is behind everything, so the shadow
 * changes only the background. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

enum {
    CELLS = 256, /* on each side of the grid */
    RANGES = 8,  /* heights below 1, 2, 4, ... 128 cells */
    BLURS = 3    /* passes of a box filter, which are close to a bell curve */
};

struct facet_render_ground {
    float height, left, near, cell; /* the plane; the corner of the grid, and the side of a cell */
    float eye[3];                   /* the viewer, in the model's axes */
    float shadow[CELLS * CELLS];
};

/* Memory that is only used while a shadow is made. */
typedef struct sketch {
    float lowest[CELLS * CELLS], highest[CELLS * CELLS]; /* heights in cells; infinite: nothing */
    float layer[CELLS * CELLS], blurred[CELLS * CELLS];
} sketch;

/* -- Heights ------------------------------------------------------------ */

static bool casts(const facet_render_draw *draw)
{
    return !draw->batch->modes && !draw->instance->ends &&
           draw->material->kind != FACET_RENDER_BLENDED;
}

static const float *corner_of(const facet_render_view *view, const facet_render_draw *draw,
                              size_t corner)
{
    const facet_render_instance *instance = draw->instance;
    size_t first = (size_t)draw->batch->first_face * 3;
    return view->positions[instance->first_vertex + instance->corners[first + corner]];
}

/* Bounds of the faces; false without faces. */
static bool find_bounds(const facet_render_view *view, float low[3], float high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (uint32_t d = 0; d < view->draw_count; d++) {
        const facet_render_draw *draw = &view->draws[d];
        size_t count = draw->instance->ends ? 0 : (size_t)draw->batch->face_count * 3;
        for (size_t i = 0; i < count; i++) {
            const float *p = corner_of(view, draw, i);
            for (int k = 0; k < 3; k++) {
                low[k] = p[k] < low[k] ? p[k] : low[k];
                high[k] = p[k] > high[k] ? p[k] : high[k];
            }
        }
    }
    return high[0] >= low[0] && high[1] >= low[1] && high[2] >= low[2];
}

/* Index of a cell, limited to the grid. NaN becomes 0. */
static int to_cell(float at)
{
    return at >= CELLS - 1 ? CELLS - 1 : at > 0 ? (int)at : 0;
}

static void add_height(sketch *s, int x, int z, float low, float high)
{
    float *lowest = &s->lowest[z * CELLS + x], *highest = &s->highest[z * CELLS + x];
    *lowest = low < *lowest ? low : *lowest;
    *highest = high > *highest ? high : *highest;
}

/* Bounds of a triangle: x, height, z. */
typedef struct box {
    float low[3], high[3];
} box;

static box box_of(float p[3][3])
{
    box b;
    for (int k = 0; k < 3; k++) {
        b.low[k] = b.high[k] = p[0][k];
        for (int i = 1; i < 3; i++) {
            b.low[k] = p[i][k] < b.low[k] ? p[i][k] : b.low[k];
            b.high[k] = p[i][k] > b.high[k] ? p[i][k] : b.high[k];
        }
    }
    return b;
}

/* Add a triangle that is narrower than a cell, such as a part of a wall, to the cells below its
 * longest edge. Returns the number of cells. */
static uint32_t add_narrow(sketch *s, float p[3][3], const box *b, int axis)
{
    int first = 0, last = 0, steps = to_cell(b->high[axis] - b->low[axis]) + 1;
    for (int i = 1; i < 3; i++) {
        first = p[i][axis] < p[first][axis] ? i : first;
        last = p[i][axis] > p[last][axis] ? i : last;
    }
    for (int i = 0; i <= steps; i++) {
        float part = (float)i / (float)steps;
        int x = to_cell(p[first][0] + part * (p[last][0] - p[first][0]));
        int z = to_cell(p[first][2] + part * (p[last][2] - p[first][2]));
        add_height(s, x, z, b->low[1], b->high[1]);
    }
    return (uint32_t)steps + 1;
}

/* Add a triangle to the cells whose middle is below it; corners are in cells. Returns the number of
 * tested cells. */
static uint32_t add_triangle(sketch *s, float p[3][3])
{
    const box bounds = box_of(p);
    float width = bounds.high[0] - bounds.low[0], depth = bounds.high[2] - bounds.low[2];
    float area =
        (p[1][0] - p[0][0]) * (p[2][2] - p[0][2]) - (p[2][0] - p[0][0]) * (p[1][2] - p[0][2]);
    float length = width > depth ? width : depth;
    if (!(length < 4 * CELLS)) /* not finite */
        return 0;
    if (!(area > length || area < -length))
        return add_narrow(s, p, &bounds, width > depth ? 0 : 2);
    int left = to_cell(bounds.low[0]), right = to_cell(bounds.high[0]);
    int first = to_cell(bounds.low[2]), last = to_cell(bounds.high[2]);
    for (int z = first; z <= last; z++) {
        for (int x = left; x <= right; x++) {
            float dx = (float)x + 0.5F - p[0][0], dz = (float)z + 0.5F - p[0][2];
            float b = (dx * (p[2][2] - p[0][2]) - (p[2][0] - p[0][0]) * dz) / area;
            float c = ((p[1][0] - p[0][0]) * dz - dx * (p[1][2] - p[0][2])) / area;
            float height = p[0][1] + b * (p[1][1] - p[0][1]) + c * (p[2][1] - p[0][1]);
            if (b >= 0 && c >= 0 && b + c <= 1)
                add_height(s, x, z, height, height);
        }
    }
    return (uint32_t)((right - left + 1) * (last - first + 1));
}

/* Count work; true if it exceeds the limit. */
static bool takes_too_long(facet_render_view *view, size_t *work)
{
    if (*work < FACET_RENDER_WORK_BLOCK)
        return false;
    atomic_fetch_add(&view->work, *work / FACET_RENDER_WORK_BLOCK);
    *work %= FACET_RENDER_WORK_BLOCK;
    return facet_render_works_too_long(view);
}

/* Fill the grid of heights, unless that takes too long. */
static void find_heights(facet_render_view *view, const facet_render_ground *g, sketch *s)
{
    const float origin[3] = {g->left, g->height, g->near};
    size_t work = 0;
    for (size_t i = 0; i < (size_t)CELLS * CELLS; i++) {
        s->lowest[i] = INFINITY;
        s->highest[i] = -INFINITY;
    }
    for (uint32_t d = 0; d < view->draw_count; d++) {
        const facet_render_draw *draw = &view->draws[d];
        for (uint32_t t = 0; casts(draw) && t < draw->batch->face_count; t++) {
            float p[3][3];
            for (size_t i = 0; i < 9; i++)
                p[i / 3][i % 3] =
                    (corner_of(view, draw, (size_t)t * 3 + i / 3)[i % 3] - origin[i % 3]) / g->cell;
            work += add_triangle(s, p) * FACET_RENDER_WORK_VISIT;
            if (takes_too_long(view, &work))
                return;
        }
    }
}

/* -- Blur --------------------------------------------------------------- */

/* Mean of 2 * radius + 1 values around each of a line; beyond the line are zeros. */
static void blur_line(const float *from, float *to, size_t step, int radius)
{
    float scale = 1 / (float)(2 * radius + 1), sum = 0;
    for (int i = 0; i < radius; i++)
        sum += from[(size_t)i * step];
    for (int i = 0; i < CELLS; i++) {
        sum += i + radius < CELLS ? from[(size_t)(i + radius) * step] : 0;
        to[(size_t)i * step] = sum * scale;
        sum -= i >= radius ? from[(size_t)(i - radius) * step] : 0;
    }
}

static void blur(sketch *s, int radius)
{
    for (int pass = 0; pass < BLURS; pass++) {
        for (size_t i = 0; i < CELLS; i++)
            blur_line(s->layer + i * CELLS, s->blurred + i * CELLS, 1, radius);
        for (size_t i = 0; i < CELLS; i++)
            blur_line(s->blurred + i, s->layer + i, CELLS, radius);
    }
}

/* Make the slice of the columns from `low` to `high`. Returns the mean height of its columns; 0:
 * none. */
static float cut_slice(sketch *s, float low, float high)
{
    float sum = 0, count = 0;
    for (size_t i = 0; i < (size_t)CELLS * CELLS; i++) {
        bool has = s->highest[i] >= low && s->lowest[i] < high;
        s->layer[i] = has ? 1.0F : 0.0F;
        sum += has ? s->highest[i] < high ? s->highest[i] : high : 0;
        count += s->layer[i];
    }
    return count > 0 ? sum / count : 0;
}

/* Find the largest share of light that a range of heights takes. A bell curve has half of its
 * weight within 1.18 deviations, and three boxes of a radius deviate by the radius and a half. */
static void compare_ranges(sketch *s, float *shadow)
{
    float low = 0, high = 1;
    for (int range = 0; range < RANGES; range++) {
        float height = cut_slice(s, low, high);
        int radius = (int)(height / 1.18F);
        if (height > 0)
            blur(s, radius > 1 ? radius : 1);
        for (size_t i = 0; i < (size_t)CELLS * CELLS && height > 0; i++)
            shadow[i] = s->layer[i] > shadow[i] ? s->layer[i] : shadow[i];
        low = high;
        high *= 2;
    }
}

/* Multiply the shares by the strength, and fade them out toward the sides. */
static void finish(float *shadow, float strength)
{
    const float fade = CELLS / 8;
    for (int z = 0; z < CELLS; z++) {
        for (int x = 0; x < CELLS; x++) {
            float *at = &shadow[z * CELLS + x];
            int side = x < CELLS - 1 - x ? x : CELLS - 1 - x;
            side = z < side ? z : side;
            side = CELLS - 1 - z < side ? CELLS - 1 - z : side;
            float share = *at < 1 ? *at : 1, near = (float)side / fade; /* sums are rounded */
            *at = share * strength * (near < 1 ? near : 1);
        }
    }
}

/* -- The shadow --------------------------------------------------------- */

facet_status facet_render_place_ground(facet_render_view *view)
{
    float low[3], high[3];
    bool wanted = view->how.shadow > 0 &&
                  (view->fill == FACET_RENDER_SHADED || view->fill == FACET_RENDER_CLAY);
    if (!wanted || !find_bounds(view, low, high))
        return FACET_OK;
    float width = high[0] - low[0], depth = high[2] - low[2];
    float side = (width > depth ? width : depth) * 1.75F; /* with space for the soft border */
    if (!(side > 0 && side < 1e30F))
        return FACET_OK;
    facet_render_ground *g = facet_arena_allocate_zeroed(view->arena, 1, sizeof *g);
    sketch *s = facet_arena_allocate(view->arena, 1, sizeof *s);
    if (!g || !s)
        return facet_fail_arena(view->arena, view->error);
    g->height = low[1];
    g->cell = side / CELLS;
    g->left = (low[0] + high[0] - side) / 2;
    g->near = (low[2] + high[2] - side) / 2;
    for (int k = 0; k < 3; k++) {
        g->eye[k] = 0;
        for (int i = 0; i < 3; i++)
            g->eye[k] -= view->camera[i][k] * view->camera[i][3];
    }
    find_heights(view, g, s);
    compare_ranges(s, g->shadow);
    finish(g->shadow, (float)view->how.shadow);
    facet_arena_release(view->arena, s, 1, sizeof *s);
    view->ground = g;
    return FACET_OK;
}

/* Shadow at a point of the grid, interpolated between the middles of cells. */
static float read_grid(const facet_render_ground *g, float x, float z)
{
    if (!(x > 0.5F && z > 0.5F && x < CELLS - 1 && z < CELLS - 1))
        return 0;
    x -= 0.5F, z -= 0.5F;
    int column = (int)x, row = (int)z;
    float a = x - (float)column, b = z - (float)row;
    const float *at = &g->shadow[row * CELLS + column];
    float one = at[0] + a * (at[1] - at[0]), other = at[CELLS] + a * (at[CELLS + 1] - at[CELLS]);
    return one + b * (other - one);
}

float facet_render_shadow_at(const facet_render_view *view, float x, float y)
{
    const facet_render_ground *g = view->ground;
    float right = (x - (float)view->columns / 2) / view->scale;
    float up = ((float)view->rows / 2 - y) / view->scale;
    float from[3], toward[3];
    if (!g)
        return 0;
    for (int k = 0; k < 3; k++) {
        float side = right * view->camera[0][k] + up * view->camera[1][k];
        from[k] = g->eye[k] + (view->is_perspective ? 0 : side);
        toward[k] = (view->is_perspective ? side : 0) - view->camera[2][k];
    }
    float distance = (g->height - from[1]) / toward[1];
    if (!(toward[1] < 0) || (view->is_perspective && !(distance > 0)))
        return 0;
    return read_grid(g, (from[0] + distance * toward[0] - g->left) / g->cell,
                     (from[2] + distance * toward[2] - g->near) / g->cell);
}
