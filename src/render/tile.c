/* render/tile.c - the samples of one tile: the nearest surface at each, then its color, then layers
 * over it; finally pixels. */
#include "render/render.h"

#include <math.h>
#include <string.h>

enum { SIDE = FACET_RENDER_TILE, SAMPLES = SIDE * SIDE };
/* Maximal number of blended layers at a sample: farther layers are not visible. */
enum { MAX_LAYERS = 16 };
/* Number of prepared triangles that are kept while a tile is colored: a row crosses many. */
enum { KEPT = 256 };
#define NOTHING UINT32_MAX

/* Layers that are blended, from near to far. */
typedef struct peeling {
    float near_depth[SAMPLES]; /* depth of the layer before */
    uint32_t near_id[SAMPLES];
    float depth[SAMPLES]; /* depth of the next layer */
    uint32_t id[SAMPLES];
    float over[SAMPLES][4]; /* blended color of all layers so far */
    float tint[SAMPLES][3]; /* tint of surfaces behind them, which are weighted by 1 - alpha */
} peeling;

typedef struct tile {
    facet_render_view *view;
    uint32_t number, x, y; /* number and position of its first sample */
    uint32_t work;         /* not added to that of the view yet */
    float depth[SAMPLES];
    uint32_t ids[SAMPLES];
    float color[SAMPLES][4]; /* linear, premultiplied */
    facet_render_frame frame;
    uint32_t hint;
    facet_render_points points;
    /* Prepared triangles, by their number. */
    facet_render_ready kept[KEPT];
    peeling peeling;
} tile;

const size_t facet_render_tile_size = sizeof(tile);

/* -- Work --------------------------------------------------------------- */

/* Count work that the bins did not count. A block at a time is added to that of all threads. The
 * rest of a tile, less than a block, is dropped. */
static void add_work(tile *t, uint32_t work)
{
    t->work += work;
    if (t->work < FACET_RENDER_WORK_BLOCK)
        return;
    atomic_fetch_add(&t->view->work, t->work / FACET_RENDER_WORK_BLOCK);
    t->work %= FACET_RENDER_WORK_BLOCK;
}

static uint32_t area(const facet_render_triangle *triangle)
{
    return (uint32_t)((triangle->right - triangle->left) * (triangle->bottom - triangle->top));
}

/* Work to color a sample of a transparent layer. */
static uint32_t color_work(const tile *t, const facet_render_material *material)
{
    uint32_t work = material->coating ? FACET_RENDER_WORK_LOOK : FACET_RENDER_WORK_COLOR;
    uint32_t lamp = work / FACET_RENDER_WORK_COLOR * FACET_RENDER_WORK_LAMP;
    return work + lamp * t->view->lamp_count;
}

/* -- Iterating over triangles ------------------------------------------- */

typedef void visit(tile *t, const facet_render_triangle *triangle);

/* Call a function for each triangle of draws first to end, in order. */
static void each_triangle(tile *t, uint32_t first, uint32_t end, visit *what)
{
    const facet_render_view *view = t->view;
    size_t tiles = (size_t)view->tiles_x * view->tiles_y;
    if (first >= end)
        return;
    uint32_t low = view->draws[first].first_triangle;
    uint32_t high = end < view->draw_count ? view->draws[end].first_triangle : view->triangle_count;
    for (uint32_t chunk = low / FACET_RENDER_CHUNK; chunk < view->chunk_count; chunk++) {
        if (chunk * FACET_RENDER_CHUNK >= high)
            break;
        size_t cell = chunk * tiles + t->number;
        const uint32_t *entries = view->entries + view->offsets[cell];
        for (uint32_t i = 0; i < view->counts[cell]; i++) {
            facet_render_triangle triangle;
            uint32_t id = entries[i], whole = id;
            if (id >= view->triangle_count)
                whole = view->pieces[id - view->triangle_count].triangle;
            if (whole < low || whole >= high)
                continue;
            if (facet_render_works_too_long(t->view))
                return;
            if (facet_render_set_up(view, id, t->x, t->y, &t->hint, &triangle))
                what(t, &triangle);
        }
    }
}

/* -- Nearest surface ---------------------------------------------------- */

static facet_render_sample_at at_sample(const tile *t, const facet_render_triangle *triangle,
                                        int32_t x, int32_t y)
{
    facet_render_sample_at at = {t->view,
                                 triangle,
                                 (float)facet_render_sample_x(triangle, x, y) * (1.0f / 256),
                                 (float)facet_render_sample_y(triangle, x, y) * (1.0f / 256),
                                 {0, 0}};
    facet_render_shares(triangle, at.x, at.y, at.shares);
    return at;
}

static bool is_seen(tile *t, const facet_render_triangle *triangle, int32_t x, int32_t y)
{
    facet_render_sample_at at = at_sample(t, triangle, x, y);
    add_work(t, FACET_RENDER_WORK_ALPHA);
    return facet_render_alpha(&at) >= triangle->draw->material->cutoff;
}

/* True if the visible surfaces cover all of the triangle's box, and are nearer than the box's
 * nearest point on the plane. Rounding is monotonic, so that no visible sample is skipped. */
static bool is_hidden(const tile *t, const facet_render_triangle *triangle)
{
    int32_t x = triangle->depth_x > 0 ? triangle->right : triangle->left - 1;
    int32_t y = triangle->depth_y > 0 ? triangle->bottom : triangle->top - 1;
    float nearest = facet_render_plane_at(triangle, (float)x, (float)y);
    for (int32_t row = triangle->top; row < triangle->bottom; row++) {
        const float *depth = t->depth + row * SIDE;
        for (int32_t i = triangle->left; i < triangle->right; i++) {
            if (!(depth[i] >= nearest))
                return false;
        }
    }
    return true;
}

static void draw_solid(tile *t, const facet_render_triangle *triangle)
{
    if (is_hidden(t, triangle))
        return;
    bool masked = triangle->draw->material->masked && t->view->fill == FACET_RENDER_SHADED;
    /* Without shifts, the covered samples of a row are neighbors. */
    bool is_straight = t->view->grid == 1;
    int64_t right[3], down[4][3]; /* change to the next sample, and to the samples of a column */
    for (int i = 0; i < 3; i++) {
        right[i] = triangle->step_x[i] * 256;
        for (int k = 0; k < 4; k++)
            down[k][i] = -triangle->step_y[i] * triangle->shifts[k];
    }
    for (int32_t y = triangle->top; y < triangle->bottom; y++) {
        int64_t at_x = facet_render_sample_x(triangle, triangle->left, y), e[3];
        for (int i = 0; i < 3; i++)
            e[i] = triangle->start[i] + triangle->step_x[i] * at_x + triangle->step_y[i] * 256 * y;
        float *depth = t->depth + y * SIDE;
        bool is_inside = false;
        for (int32_t x = triangle->left; x < triangle->right; x++) {
            const int64_t *d = down[x & 3];
            if (((e[0] + d[0]) | (e[1] + d[1]) | (e[2] + d[2])) >= 0) {
                is_inside = is_straight;
                float z = facet_render_depth_at(triangle, x, y);
                if (z > depth[x] && (!masked || is_seen(t, triangle, x, y))) {
                    depth[x] = z;
                    t->ids[y * SIDE + x] = triangle->id;
                }
            } else if (is_inside) {
                break;
            }
            e[0] += right[0], e[1] += right[1], e[2] += right[2];
        }
    }
}

static void count_layers(tile *t, const facet_render_triangle *triangle)
{
    for (int32_t y = triangle->top; y < triangle->bottom; y++) {
        for (int32_t x = triangle->left; x < triangle->right; x++)
            t->ids[y * SIDE + x] += facet_render_covers(triangle, x, y);
    }
}

/* -- Colors ------------------------------------------------------------- */

static const facet_render_ready *ready(tile *t, uint32_t id)
{
    facet_render_ready *kept = &t->kept[id % KEPT];
    if (kept->triangle.id != id) {
        facet_render_set_up(t->view, id, t->x, t->y, &t->hint, &kept->triangle);
        facet_render_make_ready(t->view, kept);
    }
    return kept;
}

static bool is_lit(const facet_render_sample_at *at)
{
    return at->view->fill == FACET_RENDER_SHADED || at->triangle->draw->batch->modes;
}

static void color_sample(const facet_render_sample_at *at, float out[4], float tint[3])
{
    tint[0] = tint[1] = tint[2] = 1;
    if (is_lit(at))
        facet_render_shade(at, out, tint);
    else
        facet_render_inspect(at, out);
    if (at->view->how.modes & FACET_RENDER_WIREFRAME)
        facet_render_lay_wires(at, out);
}

/* Light the points of samples that were added. */
static void light_points(tile *t, const int32_t *samples)
{
    float colors[SIDE][4];
    uint32_t count = t->points.count;
    facet_render_light(t->view, &t->points, colors, NULL);
    for (uint32_t i = 0; i < count; i++)
        memcpy(t->color[samples[i]], colors[i], sizeof colors[i]);
}

/* Color a row of samples: they are lit together. */
static void shade_row(tile *t, int32_t y)
{
    bool wires = (t->view->how.modes & FACET_RENDER_WIREFRAME) != 0;
    int32_t lit[SIDE];
    for (int32_t x = 0; x < SIDE; x++) {
        int32_t i = y * SIDE + x;
        memset(t->color[i], 0, sizeof t->color[i]);
        if (t->ids[i] == NOTHING)
            continue;
        const facet_render_ready *of = ready(t, t->ids[i]);
        facet_render_sample_at at = at_sample(t, &of->triangle, x, y);
        float tint[3];
        if (wires || !is_lit(&at)) {
            color_sample(&at, t->color[i], tint);
        } else if (of->is_plain) {
            lit[t->points.count] = i;
            facet_render_add_plain(of, at.shares, &t->points);
        } else if (facet_render_add(&at, &t->points, t->color[i])) {
            lit[t->points.count - 1] = i;
        }
        if (t->points.look_count == FACET_RENDER_LOOKS)
            light_points(t, lit);
    }
    light_points(t, lit);
}

static void shade_solid(tile *t)
{
    facet_render_no_points(&t->points, SIDE);
    for (int32_t y = 0; y < SIDE; y++)
        shade_row(t, y);
}

static void shade_layers(tile *t)
{
    for (int32_t i = 0; i < SAMPLES; i++) {
        memset(t->color[i], 0, sizeof t->color[i]);
        if (t->ids[i] > 0)
            facet_render_overdraw_color(t->ids[i], t->color[i]);
    }
}

/* -- The shadow on the ground -------------------------------------------- */

/* Shadow behind a sample of the tile. */
static float shadow_at(const tile *t, int32_t sample)
{
    return facet_render_shadow_at(t->view, (float)(t->x + (uint32_t)sample % SIDE) + 0.5f,
                                  (float)(t->y + (uint32_t)sample / SIDE) + 0.5f);
}

/* Shadow behind a pixel of the tile. */
static float shadow_of_pixel(const tile *t, uint32_t x, uint32_t y)
{
    float grid = (float)t->view->grid;
    return facet_render_shadow_at(t->view, (float)t->x + ((float)x + 0.5f) * grid,
                                  (float)t->y + ((float)y + 0.5f) * grid);
}

static void darken(float shadow, uint8_t color[3])
{
    for (int c = 0; c < 3 && shadow > 0; c++)
        color[c] = facet_render_to_byte(facet_render_linear[color[c]] * (1 - shadow));
}

/* -- The console's frame ------------------------------------------------ */

/* Set the first samples of the frame to the solid surfaces and the background. */
static void fill_frame(tile *t, int32_t count)
{
    const uint8_t *background = t->view->background;
    bool opaque = background[3] == 255;
    for (int32_t i = 0; i < count; i++) {
        uint8_t *to = t->frame.color[i];
        for (int c = 0; c < 3; c++)
            to[c] = opaque ? background[c] : 0;
        if (opaque && t->view->ground)
            darken(shadow_at(t, i), to);
        to[3] = 255;
        t->frame.covered[i] = 0;
        if (t->color[i][3] <= 0)
            continue;
        for (int c = 0; c < 3; c++)
            to[c] = facet_render_to_byte(t->color[i][c]);
        t->frame.covered[i] = 255;
    }
}

static void draw_console(tile *t, const facet_render_triangle *triangle)
{
    uint32_t stages = triangle->draw->material->program.stage_count;
    uint32_t colored = facet_render_console_triangle(t->view, triangle, t->depth, &t->frame);
    add_work(t, colored * (FACET_RENDER_WORK_CONSOLE + FACET_RENDER_WORK_STAGE * stages));
}

/* -- Blended layers, from near to far ----------------------------------- */

/* Find the nearest sample behind the last layer and in front of solid surfaces. */
static void peel(tile *t, const facet_render_triangle *triangle)
{
    peeling *p = &t->peeling;
    add_work(t, FACET_RENDER_WORK_TILE + area(triangle) * FACET_RENDER_WORK_VISIT);
    for (int32_t y = triangle->top; y < triangle->bottom; y++) {
        for (int32_t x = triangle->left; x < triangle->right; x++) {
            int32_t i = y * SIDE + x;
            float z = facet_render_depth_at(triangle, x, y);
            if (!facet_render_covers(triangle, x, y) || z <= t->depth[i])
                continue;
            bool behind =
                z < p->near_depth[i] || (z == p->near_depth[i] && triangle->id < p->near_id[i]);
            bool nearest = p->id[i] == NOTHING || z > p->depth[i] ||
                           (z == p->depth[i] && triangle->id > p->id[i]);
            if (behind && nearest) {
                p->depth[i] = z;
                p->id[i] = triangle->id;
            }
        }
    }
}

static void peel_all(tile *t)
{
    peeling *p = &t->peeling;
    const facet_render_view *view = t->view;
    size_t tiles = (size_t)view->tiles_x * view->tiles_y;
    uint32_t low = view->draws[view->console_end].first_triangle;
    for (int32_t i = 0; i < SAMPLES; i++)
        p->id[i] = NOTHING;
    for (uint32_t chunk = low / FACET_RENDER_CHUNK; chunk < view->chunk_count; chunk++) {
        size_t cell = chunk * tiles + t->number;
        for (uint32_t k = 0; k < view->counts[cell]; k++) {
            facet_render_triangle triangle;
            uint32_t id = view->entries[view->offsets[cell] + k], whole = id;
            if (id >= view->triangle_count)
                whole = view->pieces[id - view->triangle_count].triangle;
            if (facet_render_works_too_long(t->view))
                return;
            if (whole >= low && facet_render_set_up(view, id, t->x, t->y, &t->hint, &triangle))
                peel(t, &triangle);
        }
    }
}

/* Blend the layer under those before it; true if a layer was found that is not hidden by them. */
static bool add_layer(tile *t)
{
    peeling *p = &t->peeling;
    bool any = false;
    for (int32_t i = 0; i < SAMPLES; i++) {
        if (p->id[i] == NOTHING)
            continue;
        p->near_depth[i] = p->depth[i];
        p->near_id[i] = p->id[i];
        if (p->over[i][3] >= 0.999f)
            continue;
        any = true;
        float color[4], tint[3];
        facet_render_sample_at at = at_sample(t, &ready(t, p->id[i])->triangle, i % SIDE, i / SIDE);
        add_work(t, color_work(t, at.triangle->draw->material));
        color_sample(&at, color, tint);
        float left = 1 - p->over[i][3];
        for (int c = 0; c < 3; c++) {
            p->over[i][c] += left * p->tint[i][c] * color[c];
            p->tint[i][c] *= tint[c];
        }
        p->over[i][3] += left * color[3];
    }
    return any;
}

/* Blend the background behind a sample seen through colored glass. Where the background is missing,
 * choose color and alpha so that the picture on white shows white through the glass. */
static void put_background(const tile *t, int32_t sample, const float tint[3], float color[4])
{
    const uint8_t *background = t->view->background;
    float behind = (float)background[3] / 255 * (1 - color[3]), none = 1 - color[3] - behind;
    float shadow = shadow_at(t, sample), light = 1 - shadow, dark = none * shadow;
    none -= dark;
    float least = tint[0] < tint[1] ? tint[0] : tint[1];
    least = least < tint[2] ? least : tint[2];
    for (int c = 0; c < 3; c++) {
        color[c] += behind * light * facet_render_linear[background[c]];
        /* divided by the tint, which multiplies it later */
        color[c] += tint[c] > 0 ? none * (tint[c] - least) / tint[c] : 0;
    }
    color[3] += behind + dark + none * (1 - least);
}

static void lay_over(tile *t)
{
    peeling *p = &t->peeling;
    memset(p->over, 0, sizeof p->over);
    for (int32_t i = 0; i < SAMPLES; i++) {
        p->near_depth[i] = HUGE_VALF;
        p->near_id[i] = NOTHING;
        p->tint[i][0] = p->tint[i][1] = p->tint[i][2] = 1;
    }
    for (int layer = 0; layer < MAX_LAYERS; layer++) {
        peel_all(t);
        if (!add_layer(t))
            break;
    }
    bool console = t->view->renderer->has_console && t->view->fill == FACET_RENDER_SHADED;
    for (int32_t i = 0; i < SAMPLES; i++) {
        float alpha = p->over[i][3], left = 1 - alpha;
        const float *tint = p->tint[i];
        bool tinted = tint[0] != 1 || tint[1] != 1 || tint[2] != 1;
        if (alpha <= 0 && !tinted)
            continue;
        if (tinted && !console)
            put_background(t, i, tint, t->color[i]);
        for (int c = 0; c < 3 && !console; c++)
            t->color[i][c] = p->over[i][c] + left * tint[c] * t->color[i][c];
        if (!console)
            t->color[i][3] = p->over[i][3] + left * t->color[i][3];
        for (int c = 0; c < 3 && console; c++) {
            uint8_t *to = &t->frame.color[i][c];
            *to = facet_render_to_byte(p->over[i][c] + left * tint[c] * facet_render_linear[*to]);
        }
        if (console)
            t->frame.covered[i] = (uint8_t)(255 - (float)(255 - t->frame.covered[i]) * left);
    }
}

/* -- Pixels ------------------------------------------------------------- */

/* Store a color that hides the background. */
static void put_opaque(const float color[4], uint8_t pixel[4])
{
    for (int c = 0; c < 3; c++)
        pixel[c] = facet_render_to_byte(color[c]);
    pixel[3] = 255;
}

static void put_linear(const tile *t, uint32_t x, uint32_t y, uint8_t pixel[4])
{
    uint32_t grid = t->view->grid;
    float sum[4] = {0, 0, 0, 0}, count = (float)(grid * grid);
    const uint8_t *background = t->view->background;
    for (uint32_t i = 0; i < grid * grid; i++) {
        const float *sample = t->color[(y * grid + i / grid) * SIDE + x * grid + i % grid];
        for (int c = 0; c < 4; c++)
            sum[c] += sample[c];
    }
    for (int c = 0; c < 4; c++)
        sum[c] /= count;
    if (sum[3] == 1) {
        put_opaque(sum, pixel);
        return;
    }
    float behind = (float)background[3] / 255 * (1 - sum[3]);
    float shadow = shadow_of_pixel(t, x, y), light = 1 - shadow;
    float alpha = sum[3] + behind + (1 - sum[3] - behind) * shadow;
    for (int c = 0; c < 3; c++) {
        float value = sum[c] + behind * light * facet_render_linear[background[c]];
        pixel[c] = alpha > 0 ? facet_render_to_byte(value / alpha) : 0;
    }
    pixel[3] = (uint8_t)(alpha * 255 + 0.5f);
}

/* Console bytes are screen values: average them directly. */
static void put_frame(const tile *t, uint32_t x, uint32_t y, uint8_t pixel[4])
{
    uint32_t grid = t->view->grid, count = grid * grid, sum[4] = {0, 0, 0, 0};
    const uint8_t *background = t->view->background;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (y * grid + i / grid) * SIDE + x * grid + i % grid;
        for (int c = 0; c < 3; c++)
            sum[c] += t->frame.color[at][c];
        sum[3] += t->frame.covered[at];
    }
    uint32_t alpha = (sum[3] + count / 2) / count;
    if (background[3] == 255) {
        for (int c = 0; c < 3; c++)
            pixel[c] = (uint8_t)((sum[c] + count / 2) / count);
        pixel[3] = 255;
        return;
    }
    /* without a background, the frame is premultiplied */
    uint32_t behind = background[3] * (255 - alpha) / 255, whole = alpha + behind;
    uint8_t ground[3] = {background[0], background[1], background[2]};
    float shadow = shadow_of_pixel(t, x, y);
    darken(shadow, ground);
    whole += (uint32_t)((float)(255 - whole) * shadow + 0.5f);
    for (int c = 0; c < 3; c++) {
        uint32_t value = sum[c] / count * 255 + behind * ground[c];
        value = whole ? (value + whole / 2) / whole : 0;
        pixel[c] = (uint8_t)(value < 255 ? value : 255);
    }
    pixel[3] = (uint8_t)whole;
}

/* True if no sample of the pixel was drawn. */
static bool is_clear(const tile *t, uint32_t x, uint32_t y)
{
    uint32_t grid = t->view->grid;
    float sum = 0;
    for (uint32_t i = 0; i < grid * grid; i++)
        sum += t->color[(y * grid + i / grid) * SIDE + x * grid + i % grid][3];
    return sum == 0;
}

static void put_pixels(const tile *t, bool console)
{
    const facet_render_view *view = t->view;
    uint8_t clear[4] = {0};
    bool has_clear = false, is_single = !console && view->grid == 1;
    uint32_t side = SIDE / view->grid, left = t->x / view->grid, top = t->y / view->grid;
    for (uint32_t y = 0; y < side && top + y < view->height; y++) {
        for (uint32_t x = 0; x < side && left + x < view->width; x++) {
            uint8_t *pixel = view->pixels + ((size_t)(top + y) * view->width + left + x) * 4;
            const float *color = t->color[y * SIDE + x];
            if (is_single && color[3] == 1) {
                put_opaque(color, pixel);
                continue;
            }
            bool clears = !console && !view->ground && is_clear(t, x, y);
            if (clears && has_clear)
                memcpy(pixel, clear, 4);
            else if (console)
                put_frame(t, x, y, pixel);
            else
                put_linear(t, x, y, pixel);
            if (clears && !has_clear) {
                memcpy(clear, pixel, 4);
                has_clear = true;
            }
        }
    }
}

/* -- A tile ------------------------------------------------------------- */

static bool is_empty(const tile *t)
{
    const facet_render_view *view = t->view;
    size_t tiles = (size_t)view->tiles_x * view->tiles_y;
    for (uint32_t chunk = 0; chunk < view->chunk_count; chunk++) {
        if (view->counts[chunk * tiles + t->number] > 0)
            return false;
    }
    return true;
}

/* Fill a tile with the background, as for pixels without drawn samples. */
static void clear_tile(tile *t, bool console)
{
    const facet_render_view *view = t->view;
    uint32_t side = SIDE / view->grid, left = t->x / view->grid, top = t->y / view->grid;
    uint32_t width = view->width - left < side ? view->width - left : side;
    uint8_t clear[4];
    memset(t->color, 0, view->grid * SIDE * sizeof *t->color);
    if (console) {
        fill_frame(t, (int32_t)view->grid * SIDE);
        put_frame(t, 0, 0, clear);
    } else {
        put_linear(t, 0, 0, clear);
    }
    for (uint32_t y = 0; y < side && top + y < view->height; y++) {
        uint8_t *row = view->pixels + ((size_t)(top + y) * view->width + left) * 4;
        for (uint32_t x = 0; x < width; x++)
            memcpy(row + (size_t)x * 4, clear, 4);
    }
}

void facet_render_tile(void *argument, size_t number)
{
    facet_render_view *view = argument;
    if (facet_render_works_too_long(view))
        return;
    tile *t = facet_scratch_take(&view->tile_scratch);
    t->view = view;
    t->work = 0;
    t->number = (uint32_t)number;
    t->x = (uint32_t)number % view->tiles_x * SIDE;
    t->y = (uint32_t)number / view->tiles_x * SIDE;
    t->hint = 0;
    bool layers = view->fill == FACET_RENDER_OVERDRAW;
    bool console = view->renderer->has_console && view->fill == FACET_RENDER_SHADED;
    if (!view->ground && is_empty(t)) {
        clear_tile(t, console);
        facet_scratch_return(&view->tile_scratch, t);
        return;
    }
    for (int i = 0; i < KEPT; i++)
        t->kept[i].triangle.id = NOTHING;
    for (int32_t i = 0; i < SAMPLES; i++) {
        t->depth[i] = -1;
        t->ids[i] = layers ? 0 : NOTHING;
    }
    each_triangle(t, 0, view->solid_end, layers ? count_layers : draw_solid);
    if (layers)
        shade_layers(t);
    else
        shade_solid(t);
    if (console) {
        fill_frame(t, SAMPLES);
        each_triangle(t, view->solid_end, view->console_end, draw_console);
    }
    if (view->console_end < view->draw_count)
        lay_over(t);
    put_pixels(t, console);
    facet_scratch_return(&view->tile_scratch, t);
}
