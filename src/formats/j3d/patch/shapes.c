/* formats/j3d/patch/shapes.c - comparison of the plans of shapes with the original's shapes. Equal
 * shapes are unchanged. In others, equal vertices keep their elements of vertex arrays. */
#include "formats/j3d/patch/shapes.h"
#include "formats/j3d/patch/elements.h"
#include "formats/j3d/patch/material_slots.h"
#include "formats/j3d/patch/tree.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/j3d/file/display_list.h"
#include "formats/j3d/file/sections.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- The scene ---------------------------------------------------------- */

/* True if the vertices of a shape had different draw matrices. */
static bool was_skinned(const facet_j3d_known_shape *known)
{
    for (uint32_t i = 1; i < known->vertex_count; i++) {
        if (known->draws[i] != known->draws[0])
            return true;
    }
    return false;
}

static facet_status gather(const facet_j3d_merging *m, uint32_t shape, uint32_t first_plan,
                           facet_j3d_gathered *g)
{
    const facet_j3d_builder *b = m->builder;
    size_t triangles = 0, vertices = 0;
    *g = (facet_j3d_gathered){.shape = shape, .arrays = UINT32_MAX};
    g->is_unweighted = m->lacks_weights && shape != FACET_NONE &&
                       (b->is_flat || was_skinned(&b->like->known[shape]));
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

static void see_vertex(const facet_j3d_merging *m, const facet_j3d_gathered *g, uint32_t i)
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

/* -- Shapes ------------------------------------------------------------- */

static facet_status see(const facet_j3d_merging *m, const facet_j3d_gathered *g)
{
    for (uint32_t i = 0; i < g->vertex_count; i++)
        see_vertex(m, g, i);
    return FACET_OK;
}

static void note_shape(const facet_j3d_merging *m, uint32_t shape, const char *what)
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

/* -- Data that the scene lacks ------------------------------------------ */

typedef struct array_kind {
    uint32_t arrays; /* bit i: array i */
    const char *name;
} array_kind;

static const array_kind kinds[] = {
    {1u << FACET_J3D_ARRAY_NORMAL, "normals"},
    {3u << FACET_J3D_ARRAY_COLOR0, "colors"},
    {0xFFu << FACET_J3D_ARRAY_TEXCOORD0, "texture coordinates"},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* Count a shape that keeps data of the original because the scene has none. Colors that are not
 * used have their own finding. */
static void count_lacking(facet_j3d_merging *m, const facet_j3d_gathered *g)
{
    uint32_t lacking = m->builder->like->known[g->shape].arrays & ~g->arrays;
    for (int k = 0; k < KIND_COUNT; k++) {
        if (lacking & kinds[k].arrays)
            facet_tally_hit(&m->lacking[k], g->shape);
    }
    m->lost_arrays |= lacking & m->scene_arrays;
}

static void report_lacking(const facet_j3d_merging *m)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        bool lost = (m->lost_arrays & kinds[k].arrays) != 0;
        facet_report_add_tally(
            facet_j3d_builder_report(m->builder), "J3D-LIKE-STREAMS",
            lost ? FACET_SEVERITY_WARNING : FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &m->lacking[k],
            "the scene lacks %s of shape %" PRIu64 ": those of the original are kept",
            kinds[k].name, m->lacking[k].first);
    }
}

/* -- Redrawn shapes ------------------------------------------------------ */

static bool draws_vary(const uint32_t *draws, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (draws[i] != draws[0])
            return true;
    }
    return false;
}

static facet_status put_known(facet_j3d_merging *m, uint32_t shape)
{
    facet_j3d_builder *b = m->builder;
    facet_j3d_like *like = b->like;
    const facet_j3d_known_shape *known = &like->known[shape];
    uint32_t material = like->material_of_shape[shape];
    facet_j3d_gathered g;
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
    if (g.is_unweighted && was_skinned(known))
        facet_tally_hit(&m->unweighted, shape);
    if (!status)
        count_lacking(m, &g);
    uint32_t arrays = known->arrays;
    bool replaced = material < b->scene->material_count;
    if (replaced) {
        uint32_t needs = facet_j3d_like_needs(b, material, g.arrays);
        if (known->normals) /* also those with tangents */
            needs &= ~(1u << FACET_J3D_ARRAY_NORMAL);
        same &= (needs & ~arrays) == 0;
        arrays |= needs;
        facet_status added =
            facet_j3d_like_add_slot(b, like->document->shapes.items[shape].material, material,
                                    &b->shapes[m->first_plan[shape] - 1]);
        status = status ? status : added;
    }
    if (status || same) {
        m->kept += same;
        return status ? status : facet_j3d_count_kept_normals(m, &g);
    }
    m->changed++;
    note_shape(m, shape, "has changed: it is written again");
    if (known->has_three_normals) {
        arrays &= ~(1u << FACET_J3D_ARRAY_NORMAL | 1u << FACET_J3D_ARRAY_NBT);
        facet_tally_hit(&m->three_indices, shape);
    }
    facet_j3d_redrawn_shape *made = &m->redrawn.items[shape];
    made->type = like->document->shapes.items[shape].type;
    made->texture_matrices = known->texture_matrices;
    made->is_made = true;
    TRY(facet_j3d_resolve_elements(m, &g, arrays, made));
    if (was_skinned(known) && !draws_vary(made->draws, made->vertex_count))
        facet_tally_hit(&m->stiff, shape);
    return FACET_OK;
}

static facet_status put_new(facet_j3d_merging *m, uint32_t index)
{
    facet_j3d_builder *b = m->builder;
    const facet_j3d_shape_plan *plan = &b->shapes[index];
    uint32_t number = b->like->shape_count + m->added, saved = m->next_plan[index];
    facet_j3d_gathered g;
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
    return status ? status : facet_j3d_resolve_elements(m, &g, plan->arrays, made);
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
static void find_exact_colors(const facet_j3d_merging *m)
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

static facet_status open_merging(facet_j3d_merging *m)
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
        m->scene_arrays |= b->shapes[i].arrays;
        if (shape == FACET_NONE)
            continue;
        m->next_plan[i] = m->first_plan[shape];
        m->first_plan[shape] = i + 1;
    }
    find_exact_colors(m);
    TRY(facet_j3d_skeleton_create(b->document, b->scratch, &m->skeleton, b->error));
    return facet_j3d_draws_open(b, &m->draws);
}

static void report_unweighted(const facet_j3d_merging *m)
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

/* Get the number of elements of each array whose last one the original draws; of others 0. */
static facet_status count_tight(const facet_j3d_builder *b, uint32_t counts[FACET_J3D_ARRAY_COUNT])
{
    const facet_j3d *o = b->like->document;
    uint32_t packets;
    TRY(facet_j3d_count_drawn(o, counts, &packets, b->error));
    for (int k = 0; k < FACET_J3D_ARRAY_COUNT; k++)
        counts[k] = counts[k] == o->vertices.arrays[k].count ? counts[k] : 0;
    return FACET_OK;
}

/* Remove elements at the end of arrays that were drawn before and are no longer: readers take them
 * for padding. */
static facet_status drop_tails(const facet_j3d_builder *b,
                               const uint32_t before[FACET_J3D_ARRAY_COUNT])
{
    facet_j3d *o = b->like->document;
    uint32_t used[FACET_J3D_ARRAY_COUNT], packets;
    TRY(facet_j3d_count_drawn(o, used, &packets, b->error));
    for (int k = 0; k < FACET_J3D_ARRAY_COUNT; k++) {
        facet_j3d_array *array = &o->vertices.arrays[k];
        if (before[k] == 0 || used[k] == 0 || used[k] >= array->count)
            continue;
        array->count = used[k];
        array->size = (size_t)used[k] * array->stride;
        o->layout.sections[FACET_J3D_VTX1].bytes = NULL; /* they would come back as padding */
    }
    return FACET_OK;
}

facet_status facet_j3d_like_put_shapes(facet_j3d_builder *b)
{
    facet_j3d_merging m = {.builder = b};
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
        uint32_t before[FACET_J3D_ARRAY_COUNT];
        status = count_tight(b, before);
        if (!status)
            status = facet_j3d_arrays_close(&m.arrays);
        if (!status)
            status = facet_j3d_draws_close(&m.draws);
        if (!status)
            status = facet_j3d_graft(&m.redrawn, m.draws.number);
        if (!status)
            status = drop_tails(b, before);
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
    report_lacking(&m);
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
    facet_report_add_tally(facet_j3d_builder_report(b), "J3D-LIKE-TANGENTS", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &m.three_indices,
                           "shape %" PRIu64
                           " has three indices for normal, binormal and tangent: it is written "
                           "without normals",
                           m.three_indices.first);
    if (m.kept_tangents > 0)
        facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-TANGENTS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "%" PRIu64
                         " changed normal%s tangents in the original, whose elements are "
                         "kept",
                         m.kept_tangents, facet_plural(m.kept_tangents, " has", "s have"));
    facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                     "shapes of the original: %" PRIu32 " of %" PRIu32 " kept, %" PRIu32
                     " written again, %" PRIu32 " hidden, %" PRIu32 " added",
                     m.kept, b->like->shape_count, m.changed, m.hidden, m.added);
    return status;
}
