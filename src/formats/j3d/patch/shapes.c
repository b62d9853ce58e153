/* formats/j3d/patch/shapes.c - comparison of the plans of shapes with the original's shapes. Equal
 * shapes are unchanged. In others, equal vertices keep their elements of vertex arrays. */
#include "formats/j3d/patch/shapes.h"
#include "formats/j3d/patch/arrays.h"
#include "formats/j3d/patch/compare.h"
#include "formats/j3d/patch/draws.h"
#include "formats/j3d/patch/graft.h"
#include "formats/j3d/patch/slots.h"
#include "formats/j3d/patch/tree.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- The scene ---------------------------------------------------------- */

/* All triangles of one shape, with separate vertices. */
typedef struct gathered {
    uint32_t shape; /* of the original, or FACET_NONE */
    uint32_t arrays;
    bool is_unweighted; /* the shape has weights, and the scene has none */
    uint32_t *triangles, triangle_count;
    uint32_t *vertices, vertex_count; /* of the builder */
    facet_j3d_scene_vertex *seen;
    float *normals, *texcoords;
    uint8_t *colors;
} gathered;

typedef struct merging {
    facet_j3d_builder *builder;
    facet_j3d_skeleton skeleton; /* of the builder's document */
    facet_j3d_arrays arrays;
    facet_j3d_draws draws;
    uint32_t *next_plan, *first_plan; /* plans of each shape, + 1 */
    uint32_t kept, changed, added, hidden;
    uint64_t kept_normals;    /* number of spoiled normals, next to triangles without area */
    facet_tally bare;         /* shapes whose faces have no material in the scene */
    facet_tally stiff;        /* redrawn shapes whose vertices no longer have different weights */
    bool lacks_weights;       /* the scene has no skinned mesh */
    facet_tally unweighted;   /* skinned shapes that keep their weights because of that */
    uint64_t lent_weights;    /* number of their vertices with the weights of a neighbor */
    bool mixed_colors;        /* the colors of the scene are unusable */
    uint64_t kept_colors;     /* number of colors that the material cannot show as they are */
    uint8_t *shown_as_stored; /* per shape, bit k: the scene shows the red, green and blue of color
                                 k as stored; bit k + 2: its alpha */
    /* the redrawn shapes */
    facet_j3d_redrawn redrawn;
} merging;

/* True if the vertices of a shape had different draw matrices. */
static bool was_skinned(const facet_j3d_known_shape *known)
{
    for (uint32_t i = 1; i < known->vertex_count; i++) {
        if (known->draws[i] != known->draws[0])
            return true;
    }
    return false;
}

static facet_status gather(const merging *m, uint32_t shape, uint32_t first_plan, gathered *g)
{
    const facet_j3d_builder *b = m->builder;
    size_t triangles = 0, vertices = 0;
    *g = (gathered){.shape = shape, .arrays = UINT32_MAX};
    g->is_unweighted =
        m->lacks_weights && shape != FACET_NONE && was_skinned(&b->like->known[shape]);
    for (uint32_t p = first_plan; p; p = m->next_plan[p - 1]) {
        triangles += b->shapes[p - 1].triangle_count;
        vertices += b->shapes[p - 1].vertex_count;
    }
    g->triangles = facet_j3d_builder_scratch(b, triangles, 3 * sizeof *g->triangles);
    g->vertices = facet_j3d_builder_scratch(b, vertices, sizeof *g->vertices);
    g->seen = facet_j3d_builder_scratch(b, vertices, sizeof *g->seen);
    g->normals = facet_j3d_builder_scratch(b, vertices, 3 * sizeof *g->normals);
    g->texcoords = facet_j3d_builder_scratch(b, vertices, 16 * sizeof *g->texcoords);
    g->colors = facet_j3d_builder_scratch(b, vertices, 8);
    if (!g->triangles || !g->vertices || !g->seen || !g->normals || !g->texcoords || !g->colors)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t p = first_plan; p; p = m->next_plan[p - 1]) {
        const facet_j3d_shape_plan *plan = &b->shapes[p - 1];
        g->arrays &= plan->arrays;
        for (size_t k = 0; k < (size_t)plan->triangle_count * 3; k++)
            g->triangles[(size_t)g->triangle_count * 3 + k] = g->vertex_count + plan->triangles[k];
        memcpy(g->vertices + g->vertex_count, plan->vertices,
               plan->vertex_count * sizeof *g->vertices);
        g->triangle_count += plan->triangle_count;
        g->vertex_count += plan->vertex_count;
    }
    return FACET_OK;
}

static void load_texcoord(const facet_j3d_array *array, uint32_t index, float out[2])
{
    const uint8_t *at = array->bytes + (size_t)index * array->stride;
    for (int i = 0; i < 2; i++) {
        if (array->format->component == FACET_J3D_F32)
            out[i] = facet_load_f32be(at + 4 * i);
        else
            out[i] = (float)(int16_t)facet_load_u16be(at + 2 * i) /
                     (float)(1u << array->format->fraction_bits);
    }
}

static void see_vertex(const merging *m, const gathered *g, uint32_t i)
{
    const facet_j3d_builder *b = m->builder;
    const facet_j3d_vertices *vertices = &b->document->vertices;
    uint32_t v = g->vertices[i], arrays = g->arrays;
    facet_j3d_scene_vertex *seen = &g->seen[i];
    const double *matrix = facet_j3d_skeleton_draw_matrix(b->document, &m->skeleton, b->matrix[v]);
    const float *p = b->positions + (size_t)v * 3;
    for (int r = 0; r < 3; r++)
        seen->place[r] = matrix[r * 4] * (double)p[0] + matrix[r * 4 + 1] * (double)p[1] +
                         matrix[r * 4 + 2] * (double)p[2] + matrix[r * 4 + 3];
    seen->blend = m->draws.blend_of[b->matrix[v]];
    seen->is_unweighted = g->is_unweighted;
    if (b->normals && arrays >> FACET_J3D_ARRAY_NORMAL & 1) {
        double cofactors[9];
        facet_j3d_matrix_cofactors(matrix, cofactors);
        facet_j3d_like_turn_normal(matrix, cofactors, b->normals + (size_t)v * 3,
                                   g->normals + (size_t)i * 3);
        seen->normal = g->normals + (size_t)i * 3;
    }
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t array = FACET_J3D_ARRAY_COLOR0 + k;
        if (!(arrays >> array & 1) || !b->indices[array] || m->mixed_colors)
            continue;
        uint8_t *to = g->colors + (size_t)i * 8 + k * 4;
        memcpy(to, vertices->arrays[array].bytes + (size_t)b->indices[array][v] * 4, 4);
        seen->colors[k] = to;
        seen->is_stored[k] = b->color_is_stored[k] && b->color_is_stored[k][v];
    }
    for (uint32_t k = 0; k < 8; k++) {
        uint32_t array = FACET_J3D_ARRAY_TEXCOORD0 + k;
        if (!(arrays >> array & 1) || !b->indices[array])
            continue;
        float *to = g->texcoords + (size_t)i * 16 + (size_t)k * 2;
        load_texcoord(&vertices->arrays[array], b->indices[array][v], to);
        seen->texcoords[k] = to;
    }
}

/* -- Elements of vertices ----------------------------------------------- */

/* Vertices of a redrawn shape, with their new elements. */
typedef struct resolving {
    merging *m;
    const gathered *g;
    const facet_j3d_known_shape *known; /* NULL: a new shape */
    uint32_t arrays;
    uint32_t *twin;   /* per vertex: a known one at its position, or FACET_NONE */
    uint32_t *lender; /* its twin, or a neighbor */
    uint16_t *to[FACET_J3D_ARRAY_COUNT];
    uint32_t *draws;
} resolving;

/* Find a known vertex at the position of another that passes `test`; FACET_NONE if missing. */
typedef bool (*alike)(const resolving *r, uint32_t known, const facet_j3d_scene_vertex *seen,
                      uint32_t which);

static bool alike_blend(const resolving *r, uint32_t known, const facet_j3d_scene_vertex *seen,
                        uint32_t which)
{
    (void)which;
    return seen->is_unweighted ||
           r->m->builder->like->blend_of_draw[r->known->draws[known]] == seen->blend;
}

static bool alike_normal(const resolving *r, uint32_t known, const facet_j3d_scene_vertex *seen,
                         uint32_t which)
{
    (void)which;
    return !seen->normal || !r->known->normals ||
           facet_j3d_like_same_normal(r->known->normals + (size_t)known * 3, seen->normal);
}

static bool alike_color(const resolving *r, uint32_t known, const facet_j3d_scene_vertex *seen,
                        uint32_t which)
{
    const uint8_t *colors =
        seen->is_stored[which] ? r->known->colors[which] : r->known->shown[which];
    return !seen->colors[which] || !colors ||
           facet_j3d_like_same_color(colors + (size_t)known * 4, seen->colors[which]);
}

static bool alike_texcoord(const resolving *r, uint32_t known, const facet_j3d_scene_vertex *seen,
                           uint32_t which)
{
    return !seen->texcoords[which] || !r->known->texcoords[which] ||
           facet_j3d_like_same_texcoord(r->known->texcoords[which] + (size_t)known * 2,
                                        seen->texcoords[which]);
}

/* True if all properties are equal: without weights, several vertices at one position can be. */
static bool alike_in_all(const resolving *r, uint32_t known, const facet_j3d_scene_vertex *seen,
                         uint32_t which)
{
    bool same = alike_blend(r, known, seen, which) && alike_normal(r, known, seen, which);
    for (uint32_t k = 0; k < 2 && same; k++)
        same = alike_color(r, known, seen, k);
    for (uint32_t k = 0; k < 8 && same; k++)
        same = alike_texcoord(r, known, seen, k);
    return same;
}

static uint32_t find_alike(const resolving *r, uint32_t i, alike test, uint32_t which)
{
    enum { MAX_LOOKED_AT = 256 };
    uint32_t looked = 0;
    if (!r->known || r->twin[i] == FACET_NONE)
        return FACET_NONE;
    for (uint32_t v = r->twin[i]; v != FACET_NONE && looked < MAX_LOOKED_AT;
         v = r->known->next[v], looked++) {
        if (test(r, v, &r->g->seen[i], which))
            return v;
    }
    return FACET_NONE;
}

/* Let vertices without a source use that of another corner of a triangle. True if one changed. */
static bool lend(const gathered *g, uint32_t *lent)
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
    const gathered *g = r->g;
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
    merging *m = r->m;
    facet_j3d_builder *b = m->builder;
    const facet_j3d *o = b->like->document;
    uint32_t v = r->g->vertices[i], twin = find_alike(r, i, alike_in_all, 0);
    float p[3];
    if (twin == FACET_NONE)
        twin = find_alike(r, i, alike_blend, 0);
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

/* True if a known vertex next to a triangle without area equals one of the scene, except for the
 * normal, which such a triangle can spoil. */
static bool alike_but_normal(const resolving *r, uint32_t known, const facet_j3d_scene_vertex *seen,
                             uint32_t which)
{
    bool same = facet_j3d_like_is_flat(r->known, known) && alike_blend(r, known, seen, which);
    for (uint32_t k = 0; k < 8 && same; k++)
        same = alike_texcoord(r, known, seen, k);
    return same;
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

static facet_status resolve_normal(resolving *r, uint32_t i)
{
    const facet_j3d_builder *b = r->m->builder;
    const facet_j3d_array *array = &b->like->document->vertices.arrays[FACET_J3D_ARRAY_NORMAL];
    uint16_t *to = &r->to[FACET_J3D_ARRAY_NORMAL][i];
    uint32_t twin = find_alike(r, i, alike_normal, 0);
    bool with_tangents = array->format && array->format->count_code != 0;
    if (twin == FACET_NONE) {
        twin = find_alike(r, i, alike_but_normal, 0);
        r->m->kept_normals += twin != FACET_NONE;
    }
    if (twin != FACET_NONE && r->known->elements[FACET_J3D_ARRAY_NORMAL])
        *to = r->known->elements[FACET_J3D_ARRAY_NORMAL][twin];
    else if (!b->normals || with_tangents)
        *to = borrow(r, i, FACET_J3D_ARRAY_NORMAL);
    else
        return put_normal(r, i, to);
    return FACET_OK;
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
    uint32_t twin = find_alike(r, i, alike_color, which);
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
    uint32_t twin = find_alike(r, i, alike_texcoord, which);
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
        r->to[FACET_J3D_ARRAY_NBT][i] = borrow(r, i, FACET_J3D_ARRAY_NBT);
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

static facet_status resolve(merging *m, const gathered *g, uint32_t arrays,
                            facet_j3d_redrawn_shape *made)
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

/* -- Shapes ------------------------------------------------------------- */

/* Count the spoiled normals of a shape that is otherwise equal. */
static facet_status count_kept_normals(merging *m, const gathered *g)
{
    resolving r = {.m = m, .g = g, .known = &m->builder->like->known[g->shape]};
    TRY(find_twins(&r));
    for (uint32_t i = 0; i < g->vertex_count; i++)
        m->kept_normals += r.twin[i] != FACET_NONE &&
                           find_alike(&r, i, alike_normal, 0) == FACET_NONE &&
                           facet_j3d_like_is_flat(r.known, r.twin[i]);
    return FACET_OK;
}

static facet_status see(const merging *m, const gathered *g)
{
    for (uint32_t i = 0; i < g->vertex_count; i++)
        see_vertex(m, g, i);
    return FACET_OK;
}

static void note_shape(const merging *m, uint32_t shape, const char *what)
{
    const facet_j3d *o = m->builder->like->document;
    uint32_t slot = o->shapes.items[shape].material;
    const char *bytes = slot < o->materials.names.count ? o->materials.names.items[slot].bytes : "";
    char name[256] = "";
    facet_quoted quoted;
    facet_j3d_name_text(bytes, name, sizeof name);
    facet_report_add(facet_j3d_builder_report(m->builder), "J3D-LIKE-SHAPE", FACET_SEVERITY_NOTE,
                     FACET_NO_OFFSET, "shape %" PRIu32 " ('%s') %s", shape,
                     facet_quote(&quoted, name, strlen(name)), what);
}

static bool draws_vary(const uint32_t *draws, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (draws[i] != draws[0])
            return true;
    }
    return false;
}

static facet_status put_known(merging *m, uint32_t shape)
{
    facet_j3d_builder *b = m->builder;
    facet_j3d_like *like = b->like;
    const facet_j3d_known_shape *known = &like->known[shape];
    uint32_t material = like->material_of_shape[shape];
    gathered g;
    if (!m->first_plan[shape]) {
        bool draws = known->seen_count > 0;
        m->kept += !draws;
        m->hidden += draws;
        if (draws)
            note_shape(m, shape, "is not in the scene: it keeps its number, and is hidden");
        return draws ? facet_j3d_redraw_nothing(&m->redrawn, shape) : FACET_OK;
    }
    if (b->shapes[m->first_plan[shape] - 1].material >= b->scene->material_count)
        facet_tally_hit(&m->bare, shape);
    facet_status status = gather(m, shape, m->first_plan[shape], &g);
    if (!status)
        status = see(m, &g);
    bool same = false;
    if (!status)
        status = facet_j3d_like_same_shape(b, shape, g.triangles, g.triangle_count, g.seen,
                                           g.vertex_count, &same);
    if (g.is_unweighted)
        facet_tally_hit(&m->unweighted, shape);
    uint32_t arrays = known->arrays;
    bool replaced = material < b->scene->material_count;
    if (replaced) {
        uint32_t needs = facet_j3d_like_needs(b, material, g.arrays);
        same &= (needs & ~arrays) == 0;
        arrays |= needs;
        facet_status added =
            facet_j3d_like_add_slot(b, like->document->shapes.items[shape].material, material,
                                    &b->shapes[m->first_plan[shape] - 1]);
        status = status ? status : added;
    }
    if (status || same) {
        m->kept += same;
        return status ? status : count_kept_normals(m, &g);
    }
    m->changed++;
    note_shape(m, shape, "has changed: it is written again");
    if (known->has_three_normals)
        arrays &= ~(1u << FACET_J3D_ARRAY_NBT);
    facet_j3d_redrawn_shape *made = &m->redrawn.items[shape];
    made->type = like->document->shapes.items[shape].type;
    made->texture_matrices = known->texture_matrices;
    made->is_made = true;
    TRY(resolve(m, &g, arrays, made));
    if (was_skinned(known) && !draws_vary(made->draws, made->vertex_count))
        facet_tally_hit(&m->stiff, shape);
    return FACET_OK;
}

static facet_status put_new(merging *m, uint32_t index)
{
    facet_j3d_builder *b = m->builder;
    const facet_j3d_shape_plan *plan = &b->shapes[index];
    uint32_t number = b->like->shape_count + m->added, saved = m->next_plan[index];
    gathered g;
    m->next_plan[index] = 0;
    facet_status status = gather(m, FACET_NONE, index + 1, &g);
    m->next_plan[index] = saved;
    if (!status)
        status = see(m, &g);
    if (status)
        return status;
    facet_j3d_redrawn_shape *made = &m->redrawn.items[number];
    made->type = plan->type;
    made->joint = plan->joint;
    made->is_made = true;
    made->slot = b->like->slot_count + b->like->added_slots;
    status = facet_j3d_like_add_slot(b, made->slot, plan->material, plan);
    m->added++;
    return status ? status : resolve(m, &g, plan->arrays, made);
}

/* True for scenes with wrong colors: Blender 3.4 reads the color of a corner at the index of
 * another corner. */
static bool mixes_colors(const facet_j3d_builder *b)
{
    const char *generator = b->scene->generator;
    bool colored = b->indices[FACET_J3D_ARRAY_COLOR0] != NULL;
    if (!generator || !strstr(generator, "Blender") || !strstr(generator, " v3.4."))
        return false;
    if (colored)
        facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-COLORS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "Blender 3.4 mixes up the colors of vertices when it exports: those of "
                         "the original are kept");
    return colored;
}

/* Set shown_as_stored. */
static void find_exact_colors(const merging *m)
{
    const facet_j3d_like *like = m->builder->like;
    for (uint32_t s = 0; s < like->shape_count; s++) {
        const facet_j3d_known_shape *known = &like->known[s];
        for (uint32_t k = 0; k < 2; k++) {
            bool same = known->colors[k] && known->shown[k], same_alpha = same;
            for (size_t at = 0; (same || same_alpha) && at < (size_t)known->vertex_count * 4;
                 at++) {
                bool equal = facet_j3d_like_same_byte(known->colors[k][at], known->shown[k][at]);
                same &= equal || at % 4 == 3;
                same_alpha &= equal || at % 4 != 3;
            }
            m->shown_as_stored[s] =
                (uint8_t)(m->shown_as_stored[s] | same << k | same_alpha << (k + 2));
        }
    }
}

static facet_status open_merging(merging *m)
{
    facet_j3d_builder *b = m->builder;
    facet_j3d_like *like = b->like;
    m->arrays = (facet_j3d_arrays){.builder = b, .document = like->document};
    m->first_plan = facet_j3d_builder_scratch(b, like->shape_count, sizeof *m->first_plan);
    m->next_plan = facet_j3d_builder_scratch(b, b->shape_count, sizeof *m->next_plan);
    m->shown_as_stored = facet_j3d_builder_scratch(b, (size_t)like->shape_count + 1, 1);
    m->redrawn.builder = b;
    m->redrawn.items = facet_j3d_builder_scratch(b, (size_t)like->shape_count + b->shape_count,
                                                 sizeof *m->redrawn.items);
    like->new_slots = facet_j3d_builder_scratch(b, b->shape_count, sizeof *like->new_slots);
    if (!m->first_plan || !m->next_plan || !m->shown_as_stored || !m->redrawn.items ||
        !like->new_slots)
        return facet_j3d_builder_no_memory(b);
    m->mixed_colors = mixes_colors(b);
    m->lacks_weights = true;
    for (uint32_t i = 0; i < b->instance_count; i++)
        m->lacks_weights &= b->instances[i].skin == FACET_NONE;
    for (uint32_t i = b->shape_count; i-- > 0;) {
        uint32_t shape = b->shapes[i].like;
        if (shape == FACET_NONE)
            continue;
        m->next_plan[i] = m->first_plan[shape];
        m->first_plan[shape] = i + 1;
    }
    find_exact_colors(m);
    facet_status status =
        facet_j3d_skeleton_create(b->document, b->scratch, &m->skeleton, b->error);
    return status ? status : facet_j3d_draws_open(b, &m->draws);
}

static void report_unweighted(const merging *m)
{
    facet_report *report = facet_j3d_builder_report(m->builder);
    facet_report_add_tally(
        report, "J3D-LIKE-WEIGHTS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &m->unweighted,
        "the scene has no weights: shape %" PRIu64 " keeps those of the original",
        m->unweighted.first);
    if (m->lent_weights > 0)
        facet_report_add(report, "J3D-LIKE-WEIGHTS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%" PRIu64 " edited %s the weights of a neighbor: the scene has none",
                         m->lent_weights,
                         facet_plural(m->lent_weights, "vertex gets", "vertices get"));
}

facet_status facet_j3d_like_put_shapes(facet_j3d_builder *b)
{
    merging m = {.builder = b};
    facet_status status = open_merging(&m);
    for (uint32_t s = 0; s < b->like->shape_count && !status; s++)
        status = put_known(&m, s);
    for (uint32_t i = 0; i < b->shape_count && !status; i++) {
        if (b->shapes[i].like == FACET_NONE)
            status = put_new(&m, i);
    }
    if (status)
        return status;
    m.redrawn.count = b->like->shape_count + m.added;
    if (m.changed + m.added + m.hidden > 0) {
        status = facet_j3d_arrays_close(&m.arrays);
        if (!status)
            status = facet_j3d_draws_close(&m.draws);
        if (!status)
            status = facet_j3d_graft(&m.redrawn, m.draws.number);
        if (!status)
            status = facet_j3d_like_add_shapes(b);
    }
    facet_report_add_tally(facet_j3d_builder_report(b), "J3D-LIKE-MATERIAL", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &m.bare,
                           "faces of shape %" PRIu64 " have no material: the original's is kept",
                           m.bare.first);
    facet_report_add_tally(facet_j3d_builder_report(b), "J3D-LIKE-WEIGHTS", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &m.stiff,
                           "shape %" PRIu64 " is skinned in the original, and its vertices have no "
                           "different weights in the scene: it no longer bends",
                           m.stiff.first);
    report_unweighted(&m);
    if (m.kept_colors > 0)
        facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-COLORS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "%" PRIu64 " edited vertex colors keep values of the original: their "
                         "materials change colors, or show no alpha",
                         m.kept_colors);
    if (m.kept_normals > 0)
        facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-NORMALS", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET,
                         "%" PRIu64 " normal%s next to triangles without area %s from the "
                         "original, which is kept",
                         m.kept_normals, facet_plural(m.kept_normals, "", "s"),
                         facet_plural(m.kept_normals, "differs", "differ"));
    facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                     "shapes of the original: %" PRIu32 " of %" PRIu32 " kept, %" PRIu32
                     " written again, %" PRIu32 " hidden, %" PRIu32 " added",
                     m.kept, b->like->shape_count, m.changed, m.hidden, m.added);
    return status;
}
