/* render/bins.c - assignment of triangles to tiles. Chunks of triangles are processed twice, to
 * count and to store. Triangles that are too near or extend too far are clipped. */
#include "render/render.h"

#include "base/arena.h"
#include "base/atomic.h"
#include "base/error.h"
#include "base/size.h"
#include "base/threads.h"

#include <string.h>

/* -- Clipping ----------------------------------------------------------- */

/* GUARD_SHARE is the distance of the side planes from the center, in picture widths. After
 * clipping, triangles larger than MAX_EXTENT (twice the largest picture, in 256ths of a sample) are
 * dropped, because their edges would exceed 32-bit integers. */
enum { MAX_CORNERS = 9, GUARD_SHARE = 1, MAX_EXTENT = (2 * FACET_RENDER_SAMPLES + 16) * 256 };

typedef struct corner {
    float place[3];
    float weights[2];
} corner;

/* Distance of a corner from a plane, positive inside. Plane 0 is the near plane, 1 to 4 are the
 * side planes, which are outside the picture. */
static float inside(const facet_render_view *view, const corner *c, int plane)
{
    float z = -c->place[2];
    float x_limit = (float)(view->width * view->grid) * GUARD_SHARE / view->scale;
    float y_limit = (float)(view->height * view->grid) * GUARD_SHARE / view->scale;
    float w = view->is_perspective ? z : 1;
    switch (plane) {
    case 0:
        return view->is_perspective ? z - view->near_z : 1;
    case 1:
        return x_limit * w + c->place[0];
    case 2:
        return x_limit * w - c->place[0];
    case 3:
        return y_limit * w + c->place[1];
    default:
        return y_limit * w - c->place[1];
    }
}

static int cut(const facet_render_view *view, int plane, const corner *from, int count, corner *to)
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        const corner *a = &from[i], *b = &from[(i + 1) % count];
        float da = inside(view, a, plane), db = inside(view, b, plane);
        if (da >= 0)
            to[made++] = *a;
        if ((da >= 0) == (db >= 0))
            continue;
        float t = da / (da - db);
        corner *c = &to[made++];
        for (int k = 0; k < 3; k++)
            c->place[k] = a->place[k] + t * (b->place[k] - a->place[k]);
        for (int k = 0; k < 2; k++)
            c->weights[k] = a->weights[k] + t * (b->weights[k] - a->weights[k]);
    }
    return made;
}

/* Clip a triangle to at most 6 pieces. */
static int cut_triangle(const facet_render_view *view, uint32_t triangle,
                        const uint32_t vertices[3], facet_render_piece pieces[6])
{
    corner corners[2][MAX_CORNERS] = {{{{0}, {0}}}};
    int count = 3, from = 0;
    for (int i = 0; i < 3; i++)
        memcpy(corners[0][i].place, view->places[vertices[i]], sizeof corners[0][i].place);
    corners[0][1].weights[0] = corners[0][2].weights[1] = 1;
    for (int plane = 0; plane < 5 && count > 0; plane++, from = !from)
        count = cut(view, plane, corners[from], count, corners[!from]);
    int made = 0;
    for (int i = 1; i + 1 < count; i++) {
        const int use[3] = {0, i, i + 1};
        facet_render_piece *piece = &pieces[made++];
        piece->triangle = triangle;
        for (int k = 0; k < 3; k++) {
            const corner *c = &corners[from][use[k]];
            piece->points[k] = facet_render_project_point(view, c->place);
            memcpy(piece->weights[k], c->weights, sizeof c->weights);
        }
    }
    return made;
}

/* -- Tiles -------------------------------------------------------------- */

typedef struct span {
    uint32_t left, top, right, bottom; /* tiles; right and bottom are exclusive */
    uint64_t samples;                  /* in the box */
} span;

/* Find the tiles of a triangle's box; false if it covers no sample. */
static bool find_span(const facet_render_view *view, const facet_render_point p[3],
                      const facet_render_draw *draw, span *s)
{
    int64_t area = ((int64_t)p[1].x - p[0].x) * ((int64_t)p[2].y - p[0].y) -
                   ((int64_t)p[2].x - p[0].x) * ((int64_t)p[1].y - p[0].y);
    bool culls = draw->material->culls && view->fill == FACET_RENDER_SHADED;
    if (area == 0 || (culls && facet_render_shows_back(draw, area)))
        return false;
    int32_t low_x = p[0].x, low_y = p[0].y, high_x = p[0].x, high_y = p[0].y;
    for (int i = 1; i < 3; i++) {
        low_x = p[i].x < low_x ? p[i].x : low_x;
        low_y = p[i].y < low_y ? p[i].y : low_y;
        high_x = p[i].x > high_x ? p[i].x : high_x;
        high_y = p[i].y > high_y ? p[i].y : high_y;
    }
    if ((int64_t)high_x - low_x > MAX_EXTENT || (int64_t)high_y - low_y > MAX_EXTENT)
        return false;
    int32_t first = 127 - facet_render_spread(view), last = first + 1;
    int32_t left = (low_x + first) >> 8, top = (low_y + first) >> 8;
    int32_t right = ((high_x - last) >> 8) + 1, bottom = ((high_y - last) >> 8) + 1;
    left = left > 0 ? left : 0;
    top = top > 0 ? top : 0;
    right = right < (int32_t)view->columns ? right : (int32_t)view->columns;
    bottom = bottom < (int32_t)view->rows ? bottom : (int32_t)view->rows;
    if (left >= right || top >= bottom)
        return false;
    s->left = (uint32_t)left / FACET_RENDER_TILE;
    s->top = (uint32_t)top / FACET_RENDER_TILE;
    s->right = ((uint32_t)right + FACET_RENDER_TILE - 1) / FACET_RENDER_TILE;
    s->bottom = ((uint32_t)bottom + FACET_RENDER_TILE - 1) / FACET_RENDER_TILE;
    s->samples = (uint64_t)(right - left) * (uint32_t)(bottom - top);
    return true;
}

/* -- Chunks ------------------------------------------------------------- */

/* The pass of a chunk: count triangles, or store them. */
typedef struct sink {
    facet_render_view *view;
    uint32_t *counts;  /* for each tile; NULL in the pass that stores */
    uint64_t *offsets; /* index of the next entry of each tile */
    uint32_t pieces;   /* number of pieces so far */
    uint32_t first_piece;
    uint64_t work; /* so far, when counting */
} sink;

static void put(sink *s, uint32_t id, const facet_render_point p[3], const facet_render_draw *draw)
{
    span tiles;
    if (!find_span(s->view, p, draw, &tiles))
        return;
    if (s->counts) {
        uint64_t covered = (uint64_t)(tiles.right - tiles.left) * (tiles.bottom - tiles.top);
        s->work += covered * FACET_RENDER_WORK_TILE + tiles.samples * FACET_RENDER_WORK_VISIT;
        if (s->work / FACET_RENDER_WORK_BLOCK > s->view->max_work)
            return; /* the picture is refused */
    }
    for (uint32_t y = tiles.top; y < tiles.bottom; y++) {
        for (uint32_t x = tiles.left; x < tiles.right; x++) {
            uint32_t tile = y * s->view->tiles_x + x;
            if (s->counts)
                s->counts[tile]++;
            else
                s->view->entries[s->offsets[tile]++] = id;
        }
    }
}

static void put_cut(sink *s, uint32_t triangle, const uint32_t vertices[3],
                    const facet_render_draw *draw)
{
    facet_render_piece pieces[6];
    int count = cut_triangle(s->view, triangle, vertices, pieces);
    for (int i = 0; i < count; i++) {
        uint32_t number = s->first_piece + s->pieces++;
        if (!s->counts)
            s->view->pieces[number] = pieces[i];
        put(s, s->view->triangle_count + number, pieces[i].points, draw);
    }
}

static void walk_chunk(sink *s, uint32_t chunk)
{
    facet_render_view *view = s->view;
    uint32_t begin = chunk * FACET_RENDER_CHUNK, end = begin + FACET_RENDER_CHUNK, hint = 0;
    end = end < view->triangle_count ? end : view->triangle_count;
    for (uint32_t t = begin; t < end; t++) {
        const facet_render_draw *draw = facet_render_draw_of(view, t, &hint);
        const facet_render_instance *instance = draw->instance;
        const uint32_t *corners =
            instance->corners + ((size_t)draw->batch->first_face + (t - draw->first_triangle)) * 3;
        uint32_t v[3];
        if (corners[0] >= instance->vertex_count || corners[1] >= instance->vertex_count ||
            corners[2] >= instance->vertex_count)
            continue; /* FACET_NONE */
        for (int i = 0; i < 3; i++)
            v[i] = instance->first_vertex + corners[i];
        uint8_t any = view->outside[v[0]] | view->outside[v[1]] | view->outside[v[2]];
        uint8_t all = view->outside[v[0]] & view->outside[v[1]] & view->outside[v[2]];
        if (all & 1)
            continue;
        if (any) {
            put_cut(s, t, v, draw);
            continue;
        }
        const facet_render_point p[3] = {view->points[v[0]], view->points[v[1]],
                                         view->points[v[2]]};
        put(s, t, p, draw);
    }
}

static void count_chunk(void *argument, size_t chunk)
{
    facet_render_view *view = argument;
    size_t tiles = (size_t)view->tiles_x * view->tiles_y;
    sink s = {.view = view, .counts = view->counts + chunk * tiles};
    view->piece_offsets[chunk] = 0;
    if (facet_render_works_too_long(view))
        return;
    walk_chunk(&s, (uint32_t)chunk);
    view->piece_offsets[chunk] = s.pieces;
    atomic_fetch_add(&view->work, (size_t)(s.work / FACET_RENDER_WORK_BLOCK));
}

static void fill_chunk(void *argument, size_t chunk)
{
    facet_render_view *view = argument;
    size_t tiles = (size_t)view->tiles_x * view->tiles_y;
    sink s = {.view = view,
              .offsets = view->offsets + chunk * tiles,
              .first_piece = view->piece_offsets[chunk]};
    walk_chunk(&s, (uint32_t)chunk);
}

/* Turn counts into offsets: by tile, then by chunk. */
static uint64_t lay_out(facet_render_view *view, uint32_t *pieces)
{
    size_t tiles = (size_t)view->tiles_x * view->tiles_y;
    uint64_t total = 0;
    for (size_t tile = 0; tile < tiles; tile++) {
        for (size_t chunk = 0; chunk < view->chunk_count; chunk++) {
            view->offsets[chunk * tiles + tile] = total;
            total += view->counts[chunk * tiles + tile];
        }
    }
    uint32_t before = 0;
    for (uint32_t chunk = 0; chunk < view->chunk_count; chunk++) {
        uint32_t here = view->piece_offsets[chunk];
        view->piece_offsets[chunk] = before;
        before += here;
    }
    *pieces = before;
    return total;
}

facet_status facet_render_fill_bins(facet_render_view *view)
{
    size_t tiles = (size_t)view->tiles_x * view->tiles_y;
    view->chunk_count = (view->triangle_count + FACET_RENDER_CHUNK - 1) / FACET_RENDER_CHUNK;
    size_t cells = tiles * view->chunk_count;
    view->counts = facet_arena_allocate_zeroed(view->arena, cells, sizeof *view->counts);
    view->offsets = facet_arena_allocate(view->arena, cells, sizeof *view->offsets);
    view->piece_offsets =
        facet_arena_allocate(view->arena, view->chunk_count, sizeof *view->piece_offsets);
    if (!view->counts || !view->offsets || !view->piece_offsets)
        return facet_fail_arena(view->arena, view->error);
    facet_render_limit_work(view);
    facet_run(view->options, count_chunk, view, view->chunk_count);
    if (facet_render_works_too_long(view))
        return facet_render_fail_work(view);
    uint32_t pieces;
    uint64_t total = lay_out(view, &pieces);
    if (total > SIZE_MAX / 8)
        return facet_fail_arena(view->arena, view->error);
    view->entries = facet_arena_allocate(view->arena, (size_t)total, sizeof *view->entries);
    view->pieces = facet_arena_allocate(view->arena, pieces, sizeof *view->pieces);
    if (!view->entries || !view->pieces)
        return facet_fail_arena(view->arena, view->error);
    facet_run(view->options, fill_chunk, view, view->chunk_count);
    /* The second pass moved each offset to the end of its entries; move it back. */
    for (size_t i = 0; i < cells; i++)
        view->offsets[i] -= view->counts[i];
    return FACET_OK;
}
