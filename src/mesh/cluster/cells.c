/* mesh/cluster/cells.c - the cells, and what is summed in them. */
#include "mesh/cluster/cluster.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "mesh/values.h"

#include <math.h>
#include <string.h>

/* Bits of a coordinate in a key, and the most cells from the origin on each side. */
#define KEY_BITS 21
#define FAR ((int64_t)1 << (KEY_BITS - 1))
/* Cells along the extent of the first vertices: they should all have different cells. */
#define FIRST_CELLS 65536
/* A surface of n cells has about two triangles per cell. With more per cell, triangles repeat, or
 * connect cells that are far apart. */
#define TRIANGLES_PER_CELL 8
/* Vertices after which the limits are met. */
#define PIECE 4096

facet_clusters facet_clusters_make(facet_arena *arena, uint32_t limit, facet_error *error)
{
    return (facet_clusters){.arena = arena,
                            .limit = limit,
                            .error = error,
                            .table = facet_table_make(arena),
                            .color_components = 3};
}

/* -- Keys --------------------------------------------------------------- */

static uint64_t pack(const int64_t at[3])
{
    uint64_t key = 0;
    for (int k = 0; k < 3; k++)
        key = key << KEY_BITS | (uint64_t)(at[k] + FAR);
    return key;
}

/* Key of the cell that contains this cell after joining: its coordinates are halved, rounded
 * down. */
static uint64_t halved(uint64_t key)
{
    uint64_t joined = 0;
    for (int shift = 0; shift < 3 * KEY_BITS; shift += KEY_BITS) {
        uint64_t coordinate = key >> shift & (((uint64_t)1 << KEY_BITS) - 1);
        joined |= ((coordinate >> 1) + FAR / 2) << shift;
    }
    return joined;
}

void facet_cluster_corner(const facet_clusters *c, uint32_t cell, double low[3])
{
    for (int k = 0; k < 3; k++) {
        uint64_t coordinate = c->keys[cell] >> (2 - k) * KEY_BITS & (((uint64_t)1 << KEY_BITS) - 1);
        low[k] = (double)((int64_t)coordinate - FAR) * c->size;
    }
}

static uint32_t hash_of(uint64_t key)
{
    return facet_hash_end(facet_hash_word(0, key));
}

static int compare_keys(const void *user, uint32_t a, uint32_t b)
{
    const facet_clusters *c = user;
    return c->keys[a] < c->keys[b] ? -1 : c->keys[a] > c->keys[b];
}

/* Number of the cell with a key, which is added empty if it is new; FACET_NONE if out of memory. */
static uint32_t find_cell(facet_clusters *c, uint64_t key)
{
    if (!FACET_GROW(c->arena, c->keys, c->cell_count, c->key_space) ||
        !FACET_GROW(c->arena, c->cells, c->cell_count, c->cell_space))
        return FACET_NONE;
    c->keys[c->cell_count] = key;
    uint32_t cell = facet_table_put(&c->table, hash_of(key), c->cell_count, compare_keys, c);
    if (cell == c->cell_count)
        memset(&c->cells[c->cell_count++], 0, sizeof *c->cells);
    return cell;
}

/* -- Joining ------------------------------------------------------------ */

static void add_cell(facet_cell *to, const facet_cell *from)
{
    for (int k = 0; k < 6; k++)
        to->squares[k] += from->squares[k];
    for (int k = 0; k < 3; k++) {
        to->linear[k] += from->linear[k];
        to->positions[k] += from->positions[k];
        to->directions[k] += from->directions[k];
        to->moments[k] += from->moments[k];
    }
    for (int k = 0; k < 4; k++)
        to->colors[k] += from->colors[k];
    to->count += from->count;
}

/* Give the triangles the new numbers of their cells, and drop those that are no longer triangles.
 */
static void renumber_triangles(facet_clusters *c, const uint32_t *numbers)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->triangle_count; i++) {
        uint32_t cells[3];
        for (int k = 0; k < 3; k++)
            cells[k] = numbers[c->triangles[i][k]];
        if (cells[0] == cells[1] || cells[1] == cells[2] || cells[2] == cells[0])
            continue;
        memcpy(c->triangles[kept], cells, sizeof cells);
        c->materials[kept] = c->materials[i];
        kept++;
    }
    c->triangle_count = kept;
}

/* Join each cell with its neighbors into cells of twice the size. */
static facet_status join_cells(facet_clusters *c)
{
    uint32_t count = c->cell_count;
    uint32_t *numbers = facet_arena_allocate(c->arena, count, sizeof *numbers);
    if (!numbers)
        return facet_fail_arena(c->arena, c->error);
    facet_table_free(&c->table);
    c->table = facet_table_make(c->arena);
    c->cell_count = 0;
    bool has_memory = true;
    for (uint32_t i = 0; i < count && has_memory; i++) {
        /* The number of the joined cell is at most i, so its record is no longer needed. */
        const facet_cell cell = c->cells[i];
        numbers[i] = find_cell(c, halved(c->keys[i]));
        has_memory = numbers[i] != FACET_NONE;
        if (has_memory)
            add_cell(&c->cells[numbers[i]], &cell);
    }
    if (has_memory) {
        c->size *= 2;
        renumber_triangles(c, numbers);
        for (uint32_t i = 0; i < c->vertex_count; i++)
            c->cell_of[i] = numbers[c->cell_of[i]];
    }
    facet_arena_release(c->arena, numbers, count, sizeof *numbers);
    return has_memory ? FACET_OK : facet_fail_arena(c->arena, c->error);
}

/* Drop triangles that repeat another with the same direction and material. */
static facet_status drop_repeated(facet_clusters *c)
{
    if (c->triangle_count == 0)
        return FACET_OK;
    for (uint32_t i = 0; i < c->triangle_count; i++) {
        uint32_t *t = c->triangles[i], from[3] = {t[0], t[1], t[2]};
        int first = from[1] < from[0] ? (from[2] < from[1] ? 2 : 1) : (from[2] < from[0] ? 2 : 0);
        for (int k = 0; k < 3; k++)
            t[k] = from[(first + k) % 3];
    }
    const facet_column columns[2] = {{c->triangles, FACET_UINT32, 3},
                                     {c->materials, FACET_UINT32, 1}};
    uint32_t distinct = 0;
    uint32_t *numbers = facet_arena_allocate(c->arena, c->triangle_count, sizeof *numbers);
    if (!numbers)
        return facet_fail_arena(c->arena, c->error);
    facet_status status = facet_values_number(columns, 2, c->triangle_count, c->arena, NULL,
                                              numbers, &distinct, c->error);
    /* The first of equal triangles has the next number. */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->triangle_count && !status; i++) {
        if (numbers[i] != kept)
            continue;
        memmove(c->triangles[kept], c->triangles[i], sizeof *c->triangles);
        c->materials[kept] = c->materials[i];
        kept++;
    }
    facet_arena_release(c->arena, numbers, c->triangle_count, sizeof *numbers);
    if (!status)
        c->triangle_count = kept;
    return status;
}

/* Meet the limits of cells and triangles. Eight cells around the origin can never be joined. If
 * their triangles differ in their materials, more of them remain than the limit. */
static facet_status settle(facet_clusters *c)
{
    const uint64_t most = (uint64_t)c->limit * TRIANGLES_PER_CELL;
    if (c->triangle_count > most / 2)
        TRY(drop_repeated(c));
    while (c->cell_count > c->limit || (c->triangle_count > most / 2 && c->cell_count > 8)) {
        TRY(join_cells(c));
        if (c->triangle_count > most / 2)
            TRY(drop_repeated(c));
    }
    c->triangle_limit = c->triangle_count > most / 2 ? 2 * (uint64_t)c->triangle_count : most;
    return FACET_OK;
}

facet_status facet_clusters_finish(facet_clusters *c)
{
    TRY(settle(c));
    return drop_repeated(c);
}

/* -- Vertices ----------------------------------------------------------- */

/* Set the origin to the first vertex, and the size by the extent of the first ones. A size that is
 * too small is doubled later. */
static void begin_grid(facet_clusters *c, const float (*points)[3], uint32_t count)
{
    double extent = 0, largest = 0;
    for (int k = 0; k < 3; k++)
        c->origin[k] = (double)points[0][k];
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            extent = fmax(extent, fabs((double)points[i][k] - c->origin[k]));
            largest = fmax(largest, fabs((double)points[i][k]));
        }
    }
    if (extent == 0)
        extent = largest;
    c->size = extent > 0 ? extent / FIRST_CELLS : 1;
}

/* Double the size until the vertices have keys. */
static facet_status reach(facet_clusters *c, const float (*points)[3], uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs((double)points[i][k] - c->origin[k]));
    }
    while (most / c->size >= (double)(FAR - 1)) {
        if (c->cell_count > 0)
            TRY(join_cells(c));
        else
            c->size *= 2;
    }
    return FACET_OK;
}

static facet_status check_finite(const facet_clusters *c, const float (*points)[3], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            if (!isfinite(points[i][k]))
                return facet_fail(c->error, FACET_ERROR_MALFORMED, "SCENE-NONFINITE",
                                  FACET_NO_OFFSET,
                                  "a position is infinite or not a number, expected a number");
        }
    }
    return FACET_OK;
}

static void add_colors(facet_clusters *c, facet_cell *cell, const float *color, uint32_t components)
{
    static const float white[4] = {1, 1, 1, 1};
    if (!c->has_colors)
        return;
    if (!color)
        color = white;
    for (uint32_t k = 0; k < 4; k++)
        cell->colors[k] += k < components ? (double)color[k] : 1;
}

/* Begin with colors: the vertices so far are white. */
static void begin_colors(facet_clusters *c)
{
    c->has_colors = true;
    for (uint32_t i = 0; i < c->cell_count; i++) {
        for (int k = 0; k < 4; k++)
            c->cells[i].colors[k] = (double)c->cells[i].count;
    }
}

facet_status facet_clusters_reserve(facet_clusters *c, uint32_t count)
{
    float(*points)[3] =
        facet_arena_resize(c->arena, c->points, c->vertex_space, count, sizeof *points);
    if (!points)
        return facet_fail_arena(c->arena, c->error);
    c->points = points;
    uint32_t *cell_of =
        facet_arena_resize(c->arena, c->cell_of, c->vertex_space, count, sizeof *cell_of);
    if (!cell_of)
        return facet_fail_arena(c->arena, c->error);
    c->cell_of = cell_of;
    c->vertex_space = count;
    return FACET_OK;
}

/* Make space for `count` vertices in total; the space grows by at least half. */
static facet_status make_space(facet_clusters *c, uint32_t count)
{
    uint64_t half = (uint64_t)c->vertex_space + c->vertex_space / 2;
    if (count <= c->vertex_space)
        return FACET_OK;
    if (half > count)
        count = half < FACET_NONE ? (uint32_t)half : FACET_NONE - 1;
    return facet_clusters_reserve(c, count);
}

static facet_status add_vertex(facet_clusters *c, const float at[3], const float *color,
                               uint32_t components)
{
    int64_t coordinates[3];
    double point[3];
    for (int k = 0; k < 3; k++) {
        point[k] = (double)at[k] - c->origin[k];
        coordinates[k] = (int64_t)floor(point[k] / c->size);
    }
    uint32_t number = find_cell(c, pack(coordinates));
    if (number == FACET_NONE)
        return facet_fail_arena(c->arena, c->error);
    facet_cell *cell = &c->cells[number];
    for (int k = 0; k < 3; k++)
        cell->positions[k] += point[k];
    cell->count++;
    add_colors(c, cell, color, components);
    memcpy(c->points[c->vertex_count], at, sizeof *c->points);
    c->cell_of[c->vertex_count++] = number;
    return FACET_OK;
}

/* Add so few vertices that the limit is exceeded by little. */
static facet_status add_piece(facet_clusters *c, const float (*points)[3], const float *colors,
                              uint32_t components, uint32_t count)
{
    TRY(settle(c));
    TRY(reach(c, points, count));
    for (uint32_t i = 0; i < count; i++)
        TRY(add_vertex(c, points[i], colors ? colors + (size_t)i * components : NULL, components));
    return FACET_OK;
}

facet_status facet_clusters_add_vertices(facet_clusters *c, const float (*points)[3],
                                         const float *colors, uint32_t components, uint32_t count)
{
    if (count == 0)
        return FACET_OK;
    if (count > FACET_NONE - 1 - c->vertex_count)
        return facet_fail(c->error, FACET_ERROR_LIMIT, "CLUSTER-LIMIT", FACET_NO_OFFSET,
                          "the mesh has more vertices than 32 bits can count");
    TRY(check_finite(c, points, count));
    if (c->size == 0)
        begin_grid(c, points, count);
    if (colors && !c->has_colors)
        begin_colors(c);
    if (colors && components > c->color_components)
        c->color_components = components;
    TRY(make_space(c, c->vertex_count + count));
    for (uint32_t first = 0; first < count; first += PIECE)
        TRY(add_piece(c, points + first, colors ? colors + (size_t)first * components : NULL,
                      components, count - first < PIECE ? count - first : PIECE));
    return FACET_OK;
}

void facet_clusters_forget_vertices(facet_clusters *c)
{
    c->vertex_count = 0;
}

/* -- Triangles ---------------------------------------------------------- */

/* Add the plane of a triangle to a cell. */
static void add_plane(facet_cell *cell, const double normal[3], double distance, double area)
{
    int next = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++)
            cell->squares[next++] += area * normal[i] * normal[j];
        cell->linear[i] += area * normal[i] * distance;
    }
}

static void add_edge(facet_cell *cell, const double direction[3], const double moment[3])
{
    for (int k = 0; k < 3; k++) {
        cell->directions[k] += direction[k];
        cell->moments[k] += moment[k];
    }
}

/* Add planes and edges of a triangle to the cells of its corners. */
static void add_sums(facet_clusters *c, const uint32_t vertices[3], const uint32_t cells[3])
{
    double corners[3][3], along[2][3], normal[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            corners[i][k] = (double)c->points[vertices[i]][k] - c->origin[k];
    }
    facet_subtract(corners[1], corners[0], along[0]);
    facet_subtract(corners[2], corners[0], along[1]);
    facet_cross(along[0], along[1], normal);
    double area = sqrt(facet_dot(normal, normal)) / 2;
    for (int k = 0; k < 3 && area > 0; k++)
        normal[k] /= 2 * area;
    double distance = facet_dot(normal, corners[0]);
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        double direction[3], moment[3];
        add_plane(&c->cells[cells[i]], normal, distance, area);
        facet_subtract(corners[next], corners[i], direction);
        facet_cross(corners[i], corners[next], moment);
        add_edge(&c->cells[cells[i]], direction, moment);
        if (cells[next] != cells[i])
            add_edge(&c->cells[cells[next]], direction, moment);
    }
}

facet_status facet_clusters_add_triangle(facet_clusters *c, const uint32_t vertices[3],
                                         uint32_t material)
{
    uint32_t cells[3];
    if (c->triangle_count >= c->triangle_limit && c->triangle_count > 0)
        TRY(settle(c));
    for (int k = 0; k < 3; k++)
        cells[k] = c->cell_of[vertices[k]];
    c->triangles_read++;
    add_sums(c, vertices, cells);
    if (cells[0] == cells[1] || cells[1] == cells[2] || cells[2] == cells[0])
        return FACET_OK;
    if (!FACET_GROW(c->arena, c->triangles, c->triangle_count, c->triangle_space) ||
        !FACET_GROW(c->arena, c->materials, c->triangle_count, c->material_space))
        return facet_fail_arena(c->arena, c->error);
    c->has_materials |= material != FACET_NONE;
    c->materials[c->triangle_count] = material;
    memcpy(c->triangles[c->triangle_count++], cells, sizeof cells);
    return FACET_OK;
}
