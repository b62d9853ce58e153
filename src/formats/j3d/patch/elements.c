/* formats/j3d/patch/elements.c - elements of the vertices of shapes that changed. */
#include "formats/j3d/patch/elements.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vertices of a redrawn shape, with their new elements. */
typedef struct resolving {
    facet_j3d_merging *m;
    const facet_j3d_gathered *g;
    const facet_j3d_known_shape *known; /* NULL: a new shape */
    uint32_t arrays;
    uint32_t *twin;   /* per vertex: a known one at its position, or FACET_NONE */
    uint32_t *lender; /* its twin, or a neighbor */
    uint16_t *to[FACET_J3D_ARRAY_COUNT];
    uint32_t *draws;
} resolving;

/* Measure the difference of a known vertex from another at its position; INFINITY if they are not
 * alike. */
typedef double (*difference)(const resolving *r, uint32_t known, const facet_j3d_scene_vertex *seen,
                             uint32_t which);

static double blend_difference(const resolving *r, uint32_t known,
                               const facet_j3d_scene_vertex *seen, uint32_t which)
{
    (void)which;
    bool same = seen->is_unweighted ||
                r->m->builder->like->blend_of_draw[r->known->draws[known]] == seen->blend;
    return same ? 0 : INFINITY;
}

static double farthest(const float *a, const float *b, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs((double)a[i] - (double)b[i]));
    return most;
}

static double normal_difference(const resolving *r, uint32_t known,
                                const facet_j3d_scene_vertex *seen, uint32_t which)
{
    (void)which;
    if (!seen->normal || !r->known->normals)
        return 0;
    const float *normal = r->known->normals + (size_t)known * 3;
    return facet_j3d_like_same_normal(normal, seen->normal) ? farthest(normal, seen->normal, 3)
                                                            : INFINITY;
}

static double color_difference(const resolving *r, uint32_t known,
                               const facet_j3d_scene_vertex *seen, uint32_t which)
{
    const uint8_t *colors =
        seen->is_stored[which] ? r->known->colors[which] : r->known->shown[which];
    if (!seen->colors[which] || !colors)
        return 0;
    colors += (size_t)known * 4;
    if (!facet_j3d_like_same_color(colors, seen->colors[which]))
        return INFINITY;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += abs(colors[i] - seen->colors[which][i]);
    return sum / 255.0;
}

static double texcoord_difference(const resolving *r, uint32_t known,
                                  const facet_j3d_scene_vertex *seen, uint32_t which)
{
    if (!seen->texcoords[which] || !r->known->texcoords[which])
        return 0;
    const float *texcoord = r->known->texcoords[which] + (size_t)known * 2;
    return facet_j3d_like_same_texcoord(texcoord, seen->texcoords[which])
               ? farthest(texcoord, seen->texcoords[which], 2)
               : INFINITY;
}

/* Add the differences of all properties: without weights, several vertices at one position can be
 * alike. */
static double whole_difference(const resolving *r, uint32_t known,
                               const facet_j3d_scene_vertex *seen, uint32_t which)
{
    double sum = blend_difference(r, known, seen, which) + normal_difference(r, known, seen, which);
    for (uint32_t k = 0; k < 2; k++)
        sum += color_difference(r, known, seen, k);
    for (uint32_t k = 0; k < 8; k++)
        sum += texcoord_difference(r, known, seen, k);
    return sum;
}

/* Find the nearest of the known vertices that are alike; FACET_NONE if missing. */
static uint32_t find_alike(const resolving *r, uint32_t i, difference measure, uint32_t which)
{
    enum { MAX_LOOKED_AT = 256 };
    uint32_t looked = 0, found = FACET_NONE;
    double least = INFINITY;
    if (!r->known || r->twin[i] == FACET_NONE)
        return FACET_NONE;
    for (uint32_t v = r->twin[i]; v != FACET_NONE && looked < MAX_LOOKED_AT && least > 0;
         v = r->known->next[v], looked++) {
        double distance = measure(r, v, &r->g->seen[i], which);
        if (distance < least) {
            least = distance;
            found = v;
        }
    }
    return found;
}

/* Let vertices without a source use that of another corner of a triangle. True if one changed. */
static bool lend(const facet_j3d_gathered *g, uint32_t *lent)
{
    bool changed = false;
    for (uint32_t t = 0; t < g->triangle_count; t++) {
        const uint32_t *corners = g->triangles + (size_t)t * 3;
        for (int k = 0; k < 6; k++) {
            uint32_t *to = &lent[corners[k % 3]], from = lent[corners[(k + 1) % 3]];
            if (*to != FACET_NONE || from == FACET_NONE)
                continue;
            *to = from;
            changed = true;
        }
    }
    return changed;
}

/* Find sources for data that the scene lost: the known vertex at the same position, or one at
 * another corner of the same triangle. Weights can come from farther corners. */
static facet_status find_twins(resolving *r)
{
    enum { MAX_PASSES = 32 };
    const facet_j3d_builder *b = r->m->builder;
    const facet_j3d_gathered *g = r->g;
    r->twin = facet_j3d_builder_scratch(b, g->vertex_count, sizeof *r->twin);
    uint32_t *lent = facet_j3d_builder_scratch(b, g->vertex_count, sizeof *lent);
    if (!r->twin || !lent)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < g->vertex_count; i++) {
        r->twin[i] =
            r->known ? facet_j3d_like_group(b->like, g->shape, g->seen[i].place) : FACET_NONE;
        lent[i] = r->twin[i];
    }
    bool changed = r->known && lend(g, lent);
    for (int pass = 1; pass < MAX_PASSES && changed && g->is_unweighted; pass++)
        changed = lend(g, lent);
    r->lender = lent;
    return FACET_OK;
}

/* The element of an array that a vertex copies from its source. */
static uint16_t borrow(const resolving *r, uint32_t i, int array)
{
    uint32_t lender = r->lender[i] == FACET_NONE ? 0 : r->lender[i];
    return r->known && r->known->elements[array] && r->known->vertex_count > 0
               ? r->known->elements[array][lender]
               : 0;
}

/* Get the matrix from the rest pose to the space of a draw matrix of the original. */
static bool draw_from_rest(const resolving *r, uint32_t draw, double out[12])
{
    const facet_j3d_like *like = r->m->builder->like;
    return draw < like->draw_count &&
           facet_j3d_matrix_invert(
               facet_j3d_skeleton_draw_matrix(like->document, &like->skeleton, draw), out);
}

/* Let a vertex without weights follow the draw matrix of its lender. False if missing. */
static bool follow_lender(resolving *r, uint32_t i, float p[3])
{
    facet_j3d_matrix back;
    if (!r->g->is_unweighted || r->lender[i] == FACET_NONE ||
        !draw_from_rest(r, r->known->draws[r->lender[i]], back))
        return false;
    for (int k = 0; k < 3; k++)
        p[k] = (float)r->g->seen[i].place[k];
    facet_j3d_matrix_point(back, p, p);
    r->draws[i] = r->known->draws[r->lender[i]];
    r->m->lent_weights++;
    return true;
}

/* Get the draw matrix of a vertex, and its position in that space. */
static facet_status resolve_place(resolving *r, uint32_t i)
{
    facet_j3d_merging *m = r->m;
    facet_j3d_builder *b = m->builder;
    const facet_j3d *o = b->like->document;
    uint32_t v = r->g->vertices[i], twin = find_alike(r, i, whole_difference, 0);
    float p[3];
    if (twin == FACET_NONE)
        twin = find_alike(r, i, blend_difference, 0);
    if (twin != FACET_NONE) {
        r->draws[i] = r->known->draws[twin];
        r->to[FACET_J3D_ARRAY_POSITION][i] = r->known->elements[FACET_J3D_ARRAY_POSITION][twin];
        return FACET_OK;
    }
    if (follow_lender(r, i, p))
        return facet_j3d_arrays_put(&m->arrays, FACET_J3D_ARRAY_POSITION, p,
                                    &r->to[FACET_J3D_ARRAY_POSITION][i]);
    uint32_t draw = facet_j3d_draws_add(&m->draws, b->matrix[v]);
    const facet_j3d_draw_matrix *from = &b->document->draw_matrices.items[b->matrix[v]];
    memcpy(p, b->positions + (size_t)v * 3, sizeof p);
    r->draws[i] = draw;
    if (draw < b->like->draw_count &&
        o->draw_matrices.items[draw].is_envelope != from->is_envelope) {
        facet_j3d_matrix back, both;
        if (facet_j3d_matrix_invert(facet_j3d_skeleton_draw_matrix(o, &b->like->skeleton, draw),
                                    back)) {
            facet_j3d_matrix_multiply(
                back, facet_j3d_skeleton_draw_matrix(b->document, &m->skeleton, b->matrix[v]),
                both);
            facet_j3d_matrix_point(both, p, p);
        }
    }
    return facet_j3d_arrays_put(&m->arrays, FACET_J3D_ARRAY_POSITION, p,
                                &r->to[FACET_J3D_ARRAY_POSITION][i]);
}

/* Without the normal, next to a triangle without area: such a triangle can spoil it. */
static double flat_difference(const resolving *r, uint32_t known,
                              const facet_j3d_scene_vertex *seen, uint32_t which)
{
    if (!facet_j3d_like_is_flat(r->known, known))
        return INFINITY;
    double sum = blend_difference(r, known, seen, which);
    for (uint32_t k = 0; k < 8; k++)
        sum += texcoord_difference(r, known, seen, k);
    return sum;
}

/* Store the normal of the scene. Without weights there, its draw matrix is not the builder's. */
static facet_status put_normal(resolving *r, uint32_t i, uint16_t *to)
{
    const float *normal = r->m->builder->normals + (size_t)r->g->vertices[i] * 3;
    facet_j3d_matrix back;
    double cofactors[9];
    float turned[3];
    if (r->g->is_unweighted && r->g->seen[i].normal && draw_from_rest(r, r->draws[i], back)) {
        facet_j3d_matrix_cofactors(back, cofactors);
        facet_j3d_like_turn_normal(back, cofactors, r->g->seen[i].normal, turned);
        normal = turned;
    }
    return facet_j3d_arrays_put(&r->m->arrays, FACET_J3D_ARRAY_NORMAL, normal, to);
}

/* Count a vertex that copies a normal with tangents, if the scene has another normal. */
static void count_kept(const resolving *r, uint32_t i)
{
    const float *seen = r->g->seen[i].normal;
    uint32_t lender = r->lender[i] == FACET_NONE ? 0 : r->lender[i];
    bool is_kept = r->known && r->known->normals && r->known->vertex_count > 0;
    if (seen && is_kept)
        r->m->kept_tangents +=
            !facet_j3d_like_same_normal(r->known->normals + (size_t)lender * 3, seen);
}

static facet_status resolve_normal(resolving *r, uint32_t i)
{
    const facet_j3d_builder *b = r->m->builder;
    const facet_j3d_array *array = &b->like->document->vertices.arrays[FACET_J3D_ARRAY_NORMAL];
    uint16_t *to = &r->to[FACET_J3D_ARRAY_NORMAL][i];
    uint32_t twin = find_alike(r, i, normal_difference, 0);
    bool with_tangents = array->format && array->format->count_code != 0;
    if (twin == FACET_NONE) {
        twin = find_alike(r, i, flat_difference, 0);
        r->m->kept_normals += twin != FACET_NONE;
    }
    if (twin != FACET_NONE && r->known->elements[FACET_J3D_ARRAY_NORMAL])
        *to = r->known->elements[FACET_J3D_ARRAY_NORMAL][twin];
    else if (!b->normals || with_tangents)
        *to = borrow(r, i, FACET_J3D_ARRAY_NORMAL);
    else
        return put_normal(r, i, to);
    if (with_tangents && twin == FACET_NONE)
        count_kept(r, i);
    return FACET_OK;
}

/* Elements with tangents are copied: the scene has no tangents like theirs. */
static void resolve_tangents(resolving *r, uint32_t i)
{
    uint16_t *to = &r->to[FACET_J3D_ARRAY_NBT][i];
    uint32_t twin = find_alike(r, i, normal_difference, 0);
    if (twin == FACET_NONE)
        twin = find_alike(r, i, flat_difference, 0);
    bool is_known = twin != FACET_NONE && r->known->elements[FACET_J3D_ARRAY_NBT];
    *to = is_known ? r->known->elements[FACET_J3D_ARRAY_NBT][twin]
                   : borrow(r, i, FACET_J3D_ARRAY_NBT);
    if (!is_known)
        count_kept(r, i);
}

/* Get a new color. Red, green and blue that the scene does not show as stored cannot be converted
 * back, and neither can alpha: they are copied from a source, the known vertex `lender`. */
static void mix_color(const resolving *r, uint32_t i, uint32_t which, uint8_t out[4])
{
    const facet_j3d_scene_vertex *seen = &r->g->seen[i];
    uint32_t lender = r->lender[i] == FACET_NONE ? 0 : r->lender[i];
    const uint8_t *stored = r->known->colors[which] + (size_t)lender * 4;
    const uint8_t *shown = r->known->shown[which] + (size_t)lender * 4;
    uint32_t known = r->m->shown_as_stored[r->g->shape] >> which;
    bool lost = false;
    for (int c = 0; c < 4; c++) {
        bool exact = known >> (c == 3 ? 2 : 0) & 1;
        out[c] = exact ? seen->colors[which][c] : stored[c];
        lost |= !exact && !facet_j3d_like_same_byte(shown[c], seen->colors[which][c]);
    }
    r->m->kept_colors += lost;
}

/* If the material changes colors, compare the shown colors. */
static facet_status resolve_color(resolving *r, uint32_t i, uint32_t which)
{
    int array = FACET_J3D_ARRAY_COLOR0 + (int)which;
    const facet_j3d_scene_vertex *seen = &r->g->seen[i];
    uint32_t twin = find_alike(r, i, color_difference, which);
    uint8_t color[4];
    if (twin != FACET_NONE && r->known->elements[array]) {
        r->to[array][i] = r->known->elements[array][twin];
        return FACET_OK;
    }
    if (!seen->colors[which]) {
        r->to[array][i] = borrow(r, i, array);
        return FACET_OK;
    }
    memcpy(color, seen->colors[which], sizeof color);
    if (!seen->is_stored[which] && r->known && r->known->shown[which] && r->known->vertex_count > 0)
        mix_color(r, i, which, color);
    return facet_j3d_arrays_put_color(&r->m->arrays, array, color, &r->to[array][i]);
}

static facet_status resolve_texcoord(resolving *r, uint32_t i, uint32_t which)
{
    int array = FACET_J3D_ARRAY_TEXCOORD0 + (int)which;
    const facet_j3d_scene_vertex *seen = &r->g->seen[i];
    uint32_t twin = find_alike(r, i, texcoord_difference, which);
    if (twin != FACET_NONE && r->known->elements[array]) {
        r->to[array][i] = r->known->elements[array][twin];
        return FACET_OK;
    }
    if (seen->texcoords[which])
        return facet_j3d_arrays_put(&r->m->arrays, array, seen->texcoords[which], &r->to[array][i]);
    r->to[array][i] = borrow(r, i, array);
    return FACET_OK;
}

static facet_status resolve_vertex(resolving *r, uint32_t i)
{
    facet_status status = resolve_place(r, i);
    if (!status && r->to[FACET_J3D_ARRAY_NORMAL])
        status = resolve_normal(r, i);
    if (r->to[FACET_J3D_ARRAY_NBT])
        resolve_tangents(r, i);
    for (uint32_t k = 0; k < 2 && !status; k++) {
        if (r->to[FACET_J3D_ARRAY_COLOR0 + k])
            status = resolve_color(r, i, k);
    }
    for (uint32_t k = 0; k < 8 && !status; k++) {
        if (r->to[FACET_J3D_ARRAY_TEXCOORD0 + k])
            status = resolve_texcoord(r, i, k);
    }
    return status;
}

facet_status facet_j3d_resolve_elements(facet_j3d_merging *m, const facet_j3d_gathered *g,
                                        uint32_t arrays, facet_j3d_redrawn_shape *made)
{
    const facet_j3d_builder *b = m->builder;
    resolving r = {.m = m, .g = g, .arrays = arrays};
    if (g->shape != FACET_NONE)
        r.known = &b->like->known[g->shape];
    for (int i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        if (!(arrays >> i & 1))
            continue;
        r.to[i] = facet_j3d_builder_scratch(b, g->vertex_count, sizeof *r.to[i]);
        if (!r.to[i])
            return facet_j3d_builder_no_memory(b);
        made->indices[i] = r.to[i];
    }
    r.draws = facet_j3d_builder_scratch(b, g->vertex_count, sizeof *r.draws);
    if (!r.draws)
        return facet_j3d_builder_no_memory(b);
    facet_status status = find_twins(&r);
    for (uint32_t i = 0; i < g->vertex_count && !status; i++)
        status = resolve_vertex(&r, i);
    made->draws = r.draws;
    made->arrays = arrays;
    made->triangles = g->triangles;
    made->triangle_count = g->triangle_count;
    made->vertex_count = g->vertex_count;
    return status;
}

facet_status facet_j3d_count_kept_normals(facet_j3d_merging *m, const facet_j3d_gathered *g)
{
    resolving r = {.m = m, .g = g, .known = &m->builder->like->known[g->shape]};
    TRY(find_twins(&r));
    for (uint32_t i = 0; i < g->vertex_count; i++)
        m->kept_normals += r.twin[i] != FACET_NONE &&
                           find_alike(&r, i, normal_difference, 0) == FACET_NONE &&
                           facet_j3d_like_is_flat(r.known, r.twin[i]);
    return FACET_OK;
}
