/* formats/j3d/patch/compare.c - comparison of the scene's triangles with a shape of the original.
 *
 * Vertices match by their position at rest, so their storage does not matter. Other programs change
 * the last bits of numbers, and more bits of normals, so each kind has a tolerance. */
#include "formats/j3d/patch/compare.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/j3d/patch/blends.h"

#include <math.h>
#include <string.h>

#define PLACE_TOLERANCE 2e-5 /* relative to the model's size */
#define NORMAL_TOLERANCE 0.06
#define TEXCOORD_TOLERANCE 2e-4
#define COLOR_TOLERANCE 3
#define MAX_LOOKED_AT 64 /* in one cell or list; limits the time for malicious files */

/* -- Cells -------------------------------------------------------------- */

static double tolerance_of(const facet_j3d_like *like)
{
    return like->size > 0 ? like->size * PLACE_TOLERANCE : 1e-6;
}

static uint32_t hash_cell(const int64_t cell[3])
{
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++)
        hash = facet_hash_word(hash, (uint64_t)cell[i]);
    return facet_hash_end(hash);
}

static int64_t cell_at(double value, double side)
{
    double cell = floor(value / side);
    return fabs(cell) < 1e15 ? (int64_t)cell : 0;
}

static uint32_t nearest_in(const facet_j3d_known_shape *known, const int64_t cell[3],
                           const double place[3], double *best)
{
    uint32_t found = FACET_NONE, looked = 0;
    uint32_t at = known->cells[hash_cell(cell) & (known->cell_count - 1)];
    for (; at && looked < MAX_LOOKED_AT; at = known->next_in_cell[at - 1], looked++) {
        const float *there = known->places + (size_t)(at - 1) * 3;
        double most = 0;
        for (int i = 0; i < 3; i++)
            most = fmax(most, fabs((double)there[i] - place[i]));
        if (most <= *best) {
            *best = most;
            found = at - 1;
        }
    }
    return found;
}

/* The nearest group whose distance is at most `most`, which is at most `tolerance`. */
static uint32_t group_near(const facet_j3d_known_shape *known, double tolerance, double most,
                           const double place[3])
{
    double side = tolerance * 2; /* a cell is as wide as the search range */
    uint32_t found = FACET_NONE;
    for (int k = 0; k < 8; k++) {
        int64_t cell[3];
        for (int i = 0; i < 3; i++)
            cell[i] = cell_at(place[i] + (k >> i & 1 ? tolerance : -tolerance), side);
        uint32_t one = nearest_in(known, cell, place, &most);
        found = one != FACET_NONE ? one : found;
    }
    return found;
}

uint32_t facet_j3d_like_group(const facet_j3d_like *like, uint32_t shape, const double place[3])
{
    const facet_j3d_known_shape *known = &like->known[shape];
    double tolerance = tolerance_of(like);
    return known->vertex_count > 0 ? group_near(known, tolerance, tolerance, place) : FACET_NONE;
}

/* Group the vertices at one position. Matrices have rounding errors: one position computed by
 * several matrices gives several positions, a few millionths apart. Later it is unknown which one
 * is meant. */
static facet_status sort_into_cells(facet_j3d_builder *b, facet_j3d_known_shape *known)
{
    double tolerance = tolerance_of(b->like);
    facet_records places = facet_records_make(b->scratch, 3 * sizeof(float));
    known->cell_count = 1;
    while (known->cell_count < known->vertex_count && known->cell_count < 1u << 30)
        known->cell_count *= 2;
    known->cells = facet_j3d_builder_scratch(b, known->cell_count, sizeof *known->cells);
    known->next_in_cell =
        facet_j3d_builder_scratch(b, known->vertex_count, sizeof *known->next_in_cell);
    known->group = facet_j3d_builder_scratch(b, known->vertex_count, sizeof *known->group);
    known->next = facet_j3d_builder_scratch(b, known->vertex_count, sizeof *known->next);
    uint32_t *group_of = facet_j3d_builder_scratch(b, known->vertex_count, sizeof *group_of);
    uint32_t *last = facet_j3d_builder_scratch(b, known->vertex_count, sizeof *last);
    if (!last || !group_of || !known->cells || !known->next_in_cell || !known->group ||
        !known->next)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t v = 0; v < known->vertex_count; v++) {
        const float *at = known->places + (size_t)v * 3;
        uint32_t before = places.count, place = facet_records_put(&places, at);
        if (place == UINT32_MAX)
            return facet_fail_arena(b->scratch, b->error);
        if (place == before) {
            const double exact[3] = {(double)at[0], (double)at[1], (double)at[2]};
            group_of[place] = group_near(known, tolerance, tolerance / 8, exact);
            if (group_of[place] == FACET_NONE) {
                int64_t cell[3];
                for (int i = 0; i < 3; i++)
                    cell[i] = cell_at(exact[i], tolerance * 2);
                uint32_t *head = &known->cells[hash_cell(cell) & (known->cell_count - 1)];
                known->next_in_cell[v] = *head;
                *head = v + 1;
                group_of[place] = v;
            }
        }
        uint32_t group = group_of[place];
        if (group != v)
            known->next[last[group]] = v;
        known->group[v] = group;
        known->next[v] = FACET_NONE;
        last[group] = v;
    }
    facet_records_free(&places);
    return FACET_OK;
}

/* -- Decoding ----------------------------------------------------------- */

static uint16_t index_of(const facet_j3d_geometry *g, const facet_j3d_part *part, uint32_t v)
{
    const uint8_t *at = g->records + (size_t)v * g->record_size + part->offset - g->skipped;
    return part->width == 2 ? facet_load_u16be(at) : *at;
}

static facet_status take_elements(const facet_j3d_builder *b, const facet_j3d_geometry *g,
                                  facet_j3d_known_shape *known)
{
    for (uint32_t p = 0; p < g->layout.part_count; p++) {
        const facet_j3d_part *part = &g->layout.parts[p];
        if (part->attribute >= FACET_J3D_TEXTURE_MATRIX0 &&
            part->attribute < FACET_J3D_TEXTURE_MATRIX0 + 8)
            known->texture_matrices |=
                (uint8_t)(1u << (part->attribute - FACET_J3D_TEXTURE_MATRIX0));
        if (part->array >= FACET_J3D_ARRAY_COUNT)
            continue;
        known->has_three_normals |= part->indices == 3;
        uint16_t *to = facet_j3d_builder_scratch(b, g->vertex_count, sizeof *to);
        if (!to)
            return facet_j3d_builder_no_memory(b);
        for (uint32_t v = 0; v < g->vertex_count; v++)
            to[v] = index_of(g, part, v);
        known->elements[part->array] = to;
        known->arrays |= 1u << part->array;
    }
    return FACET_OK;
}

static facet_status take_attributes(const facet_j3d_builder *b, const facet_j3d_geometry *g,
                                    facet_j3d_known_shape *known)
{
    uint32_t count = g->vertex_count;
    known->places = facet_j3d_builder_scratch(b, count, 3 * sizeof *known->places);
    known->draws = facet_j3d_builder_scratch(b, count, sizeof *known->draws);
    if (!known->places || !known->draws)
        return facet_j3d_builder_no_memory(b);
    if (facet_j3d_geometry_has(g, FACET_J3D_NORMAL)) {
        known->normals = facet_j3d_builder_scratch(b, count, 3 * sizeof *known->normals);
        if (!known->normals)
            return facet_j3d_builder_no_memory(b);
        facet_j3d_geometry_normals(g, known->normals);
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (!facet_j3d_geometry_has(g, FACET_J3D_COLOR0 + i))
            continue;
        known->colors[i] = facet_j3d_builder_scratch(b, count, 4);
        if (!known->colors[i])
            return facet_j3d_builder_no_memory(b);
        facet_j3d_geometry_colors(g, i, known->colors[i]);
    }
    for (uint32_t i = 0; i < 8; i++) {
        if (!facet_j3d_geometry_has(g, FACET_J3D_TEXCOORD0 + i))
            continue;
        known->texcoords[i] = facet_j3d_builder_scratch(b, count, 2 * sizeof(float));
        if (!known->texcoords[i])
            return facet_j3d_builder_no_memory(b);
        facet_j3d_geometry_texcoords(g, i, NULL, known->texcoords[i]);
    }
    return FACET_OK;
}

/* Compute positions and normals at rest. */
static void place_vertices(const facet_j3d_like *like, const facet_j3d_geometry *g,
                           facet_j3d_known_shape *known)
{
    double cofactors[9];
    uint32_t last = FACET_NONE;
    const double *m = NULL;
    facet_j3d_geometry_positions(g, known->places);
    for (uint32_t v = 0; v < g->vertex_count; v++) {
        float *p = known->places + (size_t)v * 3;
        known->draws[v] = facet_j3d_geometry_draw_matrix(g, v);
        if (known->draws[v] != last) {
            last = known->draws[v];
            m = facet_j3d_skeleton_draw_matrix(like->document, &like->skeleton, last);
            facet_j3d_matrix_cofactors(m, cofactors);
        }
        facet_j3d_matrix_point(m, p, p);
        for (int i = 0; i < 3; i++)
            p[i] = isfinite(p[i]) ? p[i] + 0.0f : 0; /* also replaces -0 */
        if (known->normals)
            facet_j3d_like_turn_normal(m, cofactors, known->normals + (size_t)v * 3,
                                       known->normals + (size_t)v * 3);
    }
}

void facet_j3d_like_turn_normal(const double m[12], const double c[9], const float in[3],
                                float out[3])
{
    double determinant = m[0] * c[0] + m[1] * c[1] + m[2] * c[2], made[3], length = 0;
    for (int r = 0; r < 3; r++) {
        made[r] =
            c[r * 3] * (double)in[0] + c[r * 3 + 1] * (double)in[1] + c[r * 3 + 2] * (double)in[2];
        length += made[r] * made[r];
    }
    length = determinant < 0 ? -sqrt(length) : sqrt(length);
    for (int r = 0; r < 3; r++)
        out[r] = length != 0 ? (float)(made[r] / length) : 0;
}

/* Get the colors in bytes that the original's scene shows. */
static facet_status take_shown(const facet_j3d_builder *b, const facet_mesh *mesh, uint32_t which,
                               facet_j3d_known_shape *known)
{
    const facet_stream *stream = facet_mesh_find(mesh, FACET_COLOR, which);
    if (!stream || stream->count != known->vertex_count || !known->colors[which])
        return FACET_OK;
    uint8_t *to = facet_j3d_builder_scratch(b, stream->count, 4);
    if (!to)
        return facet_j3d_builder_no_memory(b);
    known->shown[which] = to;
    for (uint32_t v = 0; v < stream->count; v++)
        facet_store_u32be(to + (size_t)v * 4, facet_j3d_color_of((const float *)stream->data +
                                                                     (size_t)v * stream->components,
                                                                 stream->components));
    return FACET_OK;
}

static facet_status know_shape(facet_j3d_builder *b, facet_j3d_decoder *decoder, uint32_t shape)
{
    facet_j3d_like *like = b->like;
    facet_j3d_known_shape *known = &like->known[shape];
    facet_j3d_geometry g;
    TRY(facet_j3d_decode_shape(decoder, shape, &g, b->error));
    known->vertex_count = g.vertex_count;
    known->triangle_count = g.triangle_count;
    known->corners = facet_j3d_builder_scratch(b, g.triangle_count, 3 * sizeof *known->corners);
    if (!known->corners)
        return facet_j3d_builder_no_memory(b);
    if (g.triangle_count > 0)
        memcpy(known->corners, g.corners, (size_t)g.triangle_count * 3 * sizeof *known->corners);
    TRY(take_elements(b, &g, known));
    TRY(take_attributes(b, &g, known));
    place_vertices(like, &g, known);
    bool single = g.draw_matrix < like->draw_count &&
                  !like->document->draw_matrices.items[g.draw_matrix].is_envelope;
    like->single_joint[shape] =
        single ? like->document->draw_matrices.items[g.draw_matrix].index : FACET_NONE;
    return FACET_OK;
}

static void measure(facet_j3d_like *like)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t s = 0; s < like->shape_count; s++) {
        for (size_t k = 0; k < (size_t)like->known[s].vertex_count * 3; k++) {
            low[k % 3] = fmin(low[k % 3], (double)like->known[s].places[k]);
            high[k % 3] = fmax(high[k % 3], (double)like->known[s].places[k]);
        }
    }
    double farthest = 0;
    for (int i = 0; i < 3; i++) {
        if (!(high[i] >= low[i]))
            continue;
        like->size += (high[i] - low[i]) * (high[i] - low[i]);
        farthest = fmax(farthest, fmax(fabs(low[i]), fabs(high[i])));
    }
    /* For a small model far from the origin, rounding errors depend on the distance. */
    like->size = fmax(sqrt(like->size), farthest / 20);
}

static bool has_area(const facet_j3d_known_shape *known, uint32_t triangle)
{
    const uint32_t *c = known->corners + (size_t)triangle * 3;
    uint32_t a = known->group[c[0]], b = known->group[c[1]], d = known->group[c[2]];
    return a != b && b != d && d != a;
}

/* Meshes of the scene are in the order of the shapes, without those that draw nothing. */
static facet_status take_all_shown(facet_j3d_builder *b)
{
    const facet_scene *scene = b->like->scene;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++) {
        uint32_t shape = facet_j3d_shape_number(scene->meshes[i]->name);
        for (uint32_t k = 0; k < 2 && !status && shape < b->like->shape_count; k++)
            status = take_shown(b, scene->meshes[i], k, &b->like->known[shape]);
    }
    return status;
}

facet_status facet_j3d_like_decode(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    facet_j3d_decoder decoder = {.document = like->document, .arena = b->scratch};
    facet_status status = FACET_OK;
    like->known = facet_j3d_builder_scratch(b, like->shape_count, sizeof *like->known);
    if (!like->known)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < like->shape_count && !status; i++)
        status = know_shape(b, &decoder, i);
    facet_j3d_decoder_free(&decoder);
    if (!status)
        measure(like);
    for (uint32_t i = 0; i < like->shape_count && !status; i++) {
        facet_j3d_known_shape *known = &like->known[i];
        status = sort_into_cells(b, known);
        for (uint32_t t = 0; t < known->triangle_count && !status; t++)
            known->seen_count += has_area(known, t);
        if (!status)
            status = facet_j3d_like_find_flat(b, known);
    }
    return status ? status : take_all_shown(b);
}

/* -- Vertices ----------------------------------------------------------- */

bool facet_j3d_like_same_normal(const float *known, const float *seen)
{
    double most = 0;
    for (int i = 0; i < 3; i++)
        most = fmax(most, fabs((double)known[i] - (double)seen[i]));
    return most <= NORMAL_TOLERANCE || (known[0] == 0 && known[1] == 0 && known[2] == 0);
}

bool facet_j3d_like_same_byte(uint8_t known, uint8_t seen)
{
    return known <= seen + COLOR_TOLERANCE && seen <= known + COLOR_TOLERANCE;
}

bool facet_j3d_like_same_color(const uint8_t *known, const uint8_t *seen)
{
    bool same = true;
    for (int i = 0; i < 4; i++)
        same &= facet_j3d_like_same_byte(known[i], seen[i]);
    return same;
}

bool facet_j3d_like_same_texcoord(const float *known, const float *seen)
{
    double most =
        fmax(fabs((double)known[0] - (double)seen[0]), fabs((double)known[1] - (double)seen[1]));
    double size = 1 + fmax(fabs((double)known[0]), fabs((double)known[1]));
    return most <= TEXCOORD_TOLERANCE * size;
}

static bool same_vertex(const facet_j3d_like *like, uint32_t shape, uint32_t v,
                        const facet_j3d_scene_vertex *seen)
{
    const facet_j3d_known_shape *known = &like->known[shape];
    bool same = seen->is_unweighted || like->blend_of_draw[known->draws[v]] == seen->blend;
    if (same && known->normals && seen->normal && !facet_j3d_like_is_flat(known, v))
        same = facet_j3d_like_same_normal(known->normals + (size_t)v * 3, seen->normal);
    for (int i = 0; i < 2 && same; i++) {
        const uint8_t *colors = seen->is_stored[i] ? known->colors[i] : known->shown[i];
        if (colors && seen->colors[i])
            same = facet_j3d_like_same_color(colors + (size_t)v * 4, seen->colors[i]);
    }
    for (int i = 0; i < 8 && same; i++) {
        if (known->texcoords[i] && seen->texcoords[i])
            same = facet_j3d_like_same_texcoord(known->texcoords[i] + (size_t)v * 2,
                                                seen->texcoords[i]);
    }
    return same;
}

/* -- Triangles ---------------------------------------------------------- */

typedef struct comparing {
    const facet_j3d_like *like;
    uint32_t shape;
    const facet_j3d_known_shape *known;
    uint32_t *heads, *next, head_count; /* triangles by their groups, + 1 */
    bool *covered;
    const facet_j3d_scene_vertex *vertices;
    const uint32_t *groups; /* of the vertices */
} comparing;

/* A hash that is equal for the three rotations of a triangle. */
static uint32_t hash_triangle(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t least = a < b ? (a < c ? a : c) : (b < c ? b : c);
    uint32_t most = a > b ? (a > c ? a : c) : (b > c ? b : c);
    uint64_t hash = facet_hash_word(least, most);
    return facet_hash_end(facet_hash_word(hash, (uint64_t)a + b + c));
}

static bool same_from(const comparing *c, const uint32_t *known, const uint32_t *seen, int from)
{
    for (int i = 0; i < 3; i++) {
        uint32_t k = known[(i + from) % 3], v = seen[i];
        if (c->known->group[k] != c->groups[v] ||
            !same_vertex(c->like, c->shape, k, &c->vertices[v]))
            return false;
    }
    return true;
}

/* True if the shape has this triangle. Mark equal ones as covered. */
static bool find_triangle(comparing *c, const uint32_t *seen)
{
    uint32_t g[3], looked = 0;
    bool found = false;
    for (int i = 0; i < 3; i++) {
        g[i] = c->groups[seen[i]];
        if (g[i] == FACET_NONE)
            return false;
    }
    uint32_t at = c->heads[hash_triangle(g[0], g[1], g[2]) & (c->head_count - 1)];
    for (; at && looked < MAX_LOOKED_AT; at = c->next[at - 1], looked++) {
        const uint32_t *known = c->known->corners + (size_t)(at - 1) * 3;
        bool same = same_from(c, known, seen, 0) || same_from(c, known, seen, 1) ||
                    same_from(c, known, seen, 2);
        c->covered[at - 1] |= same;
        found |= same;
    }
    return found || g[0] == g[1] || g[1] == g[2] || g[2] == g[0];
}

static bool equal_at(const void *values, uint32_t a, uint32_t b, size_t size)
{
    const char *bytes = values;
    return !bytes || memcmp(bytes + a * size, bytes + b * size, size) == 0;
}

/* True if two vertices are equal in all visible properties, for example those of two strips. */
static bool same_known(const facet_j3d_like *like, const facet_j3d_known_shape *known, uint32_t a,
                       uint32_t b)
{
    bool same = known->group[a] == known->group[b] &&
                like->blend_of_draw[known->draws[a]] == like->blend_of_draw[known->draws[b]] &&
                equal_at(known->normals, a, b, 3 * sizeof *known->normals) &&
                equal_at(known->colors[0], a, b, 4) && equal_at(known->colors[1], a, b, 4);
    for (int i = 0; i < 8 && same; i++)
        same = equal_at(known->texcoords[i], a, b, 2 * sizeof *known->texcoords[i]);
    return same;
}

/* True for a duplicate triangle with the same vertices, which programs drop. */
static bool is_covered(const comparing *c, uint32_t triangle)
{
    const uint32_t *k = c->known->corners + (size_t)triangle * 3;
    if (c->covered[triangle] || !has_area(c->known, triangle))
        return true;
    uint32_t g[3] = {c->known->group[k[0]], c->known->group[k[1]], c->known->group[k[2]]};
    uint32_t at = c->heads[hash_triangle(g[0], g[1], g[2]) & (c->head_count - 1)], looked = 0;
    for (; at && looked < MAX_LOOKED_AT; at = c->next[at - 1], looked++) {
        const uint32_t *other = c->known->corners + (size_t)(at - 1) * 3;
        bool same = true;
        for (int i = 0; i < 3; i++)
            same &= same_known(c->like, c->known, k[i], other[0]) ||
                    same_known(c->like, c->known, k[i], other[1]) ||
                    same_known(c->like, c->known, k[i], other[2]);
        if (same && c->covered[at - 1])
            return true;
    }
    return false;
}

static facet_status list_known(const facet_j3d_builder *b, comparing *c)
{
    const facet_j3d_known_shape *known = c->known;
    c->head_count = 1;
    while (c->head_count < known->triangle_count)
        c->head_count *= 2;
    c->heads = facet_j3d_builder_scratch(b, c->head_count, sizeof *c->heads);
    c->next = facet_j3d_builder_scratch(b, known->triangle_count, sizeof *c->next);
    c->covered = facet_j3d_builder_scratch(b, known->triangle_count, sizeof *c->covered);
    if (!c->heads || !c->next || !c->covered)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t t = 0; t < known->triangle_count; t++) {
        const uint32_t *k = known->corners + (size_t)t * 3;
        uint32_t hash = hash_triangle(known->group[k[0]], known->group[k[1]], known->group[k[2]]);
        uint32_t *head = &c->heads[hash & (c->head_count - 1)];
        c->next[t] = *head;
        *head = t + 1;
    }
    return FACET_OK;
}

facet_status facet_j3d_like_same_shape(const facet_j3d_builder *b, uint32_t shape,
                                       const uint32_t *triangles, uint32_t count,
                                       const facet_j3d_scene_vertex *vertices,
                                       uint32_t vertex_count, bool *same)
{
    comparing c = {.like = b->like, .shape = shape, .known = &b->like->known[shape]};
    uint32_t *groups = facet_j3d_builder_scratch(b, vertex_count, sizeof *groups);
    facet_status status = list_known(b, &c);
    if (status || !groups)
        return status ? status : facet_j3d_builder_no_memory(b);
    c.vertices = vertices;
    c.groups = groups;
    *same = true;
    for (uint32_t v = 0; v < vertex_count; v++)
        groups[v] = facet_j3d_like_group(b->like, shape, vertices[v].place);
    for (uint32_t t = 0; t < count && *same; t++)
        *same = find_triangle(&c, triangles + (size_t)t * 3);
    for (uint32_t t = 0; t < c.known->triangle_count && *same; t++)
        *same = is_covered(&c, t);
    facet_arena_release(b->scratch, groups, vertex_count, sizeof *groups);
    return FACET_OK;
}
