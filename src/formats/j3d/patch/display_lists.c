/* formats/j3d/patch/display_lists.c - display lists of redrawn shapes, and the unchanged ones. */
#include "formats/j3d/patch/display_lists.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/j3d/file/display_list.h"
#include "formats/j3d/patch/bounds.h"

#include <math.h>
#include <string.h>

facet_status facet_j3d_redraw_nothing(facet_j3d_redrawn *r, uint32_t shape)
{
    r->items[shape] = (facet_j3d_redrawn_shape){.is_made = true, .is_hidden = true};
    return FACET_OK;
}

/* -- Redrawn shapes ----------------------------------------------------- */

static bool is_single(const facet_j3d_redrawn *r, const facet_j3d_redrawn_shape *shape,
                      const uint32_t *number)
{
    const facet_j3d_draw_matrices *draws = &r->builder->like->document->draw_matrices;
    bool single = !draws->items[number[shape->draws[0]]].is_envelope;
    for (uint32_t i = 1; i < shape->vertex_count && single; i++)
        single = shape->draws[i] == shape->draws[0];
    return single;
}

/* Plan all redrawn shapes, with vertices numbered in sequence. */
static facet_status plan_all(facet_j3d_redrawn *r, const uint32_t *number, facet_j3d_builder *draw,
                             uint32_t *plan_of)
{
    facet_j3d_builder *b = r->builder;
    uint32_t total = 0, plans = 0, at = 0, arrays = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        bool drawn = r->items[i].is_made && !r->items[i].is_hidden;
        plan_of[i] = drawn ? plans++ : FACET_NONE;
        total += drawn ? r->items[i].vertex_count : 0;
        arrays |= drawn ? r->items[i].arrays : 0;
    }
    draw->shapes = facet_j3d_builder_scratch(b, plans, sizeof *draw->shapes);
    draw->matrix = facet_j3d_builder_scratch(b, total, sizeof *draw->matrix);
    uint32_t *vertices = facet_j3d_builder_scratch(b, total, sizeof *vertices);
    for (int k = 0; k < FACET_J3D_ARRAY_COUNT; k++)
        draw->indices[k] =
            arrays >> k & 1 ? facet_j3d_builder_scratch(b, total, sizeof(uint16_t)) : NULL;
    if (!draw->shapes || !draw->matrix || !vertices)
        return facet_j3d_builder_no_memory(b);
    draw->shape_count = plans;
    for (uint32_t i = 0; i < r->count; i++) {
        facet_j3d_redrawn_shape *shape = &r->items[i];
        if (plan_of[i] == FACET_NONE)
            continue;
        facet_j3d_shape_plan *plan = &draw->shapes[plan_of[i]];
        if (!is_single(r, shape, number))
            shape->type = FACET_J3D_SHAPE_MULTI;
        *plan = (facet_j3d_shape_plan){.type = shape->type,
                                       .arrays = shape->arrays,
                                       .texture_matrices = shape->texture_matrices,
                                       .triangles = shape->triangles,
                                       .triangle_count = shape->triangle_count,
                                       .vertex_count = shape->vertex_count,
                                       .vertices = vertices + at};
        for (uint32_t v = 0; v < shape->vertex_count; v++, at++) {
            vertices[at] = at;
            draw->matrix[at] = number[shape->draws[v]];
            for (int k = 0; k < FACET_J3D_ARRAY_COUNT; k++) {
                if (shape->arrays >> k & 1) {
                    if (!draw->indices[k])
                        return facet_j3d_builder_no_memory(b);
                    draw->indices[k][at] = shape->indices[k][v];
                }
            }
        }
    }
    return FACET_OK;
}

/* -- Assembly ----------------------------------------------------------- */

typedef struct grafting {
    facet_j3d_builder *builder;
    const facet_j3d_shapes *old, *drawn;
    facet_j3d_shapes made;
    const uint32_t *number;
    uint16_t *list_at; /* per old descriptor that begins the list of a kept shape: its new place */
} grafting;

/* Copy a packet of `from`. Old draw matrices get their new numbers. */
static void put_packet(grafting *g, const facet_j3d_shapes *from, uint32_t group, uint32_t list)
{
    facet_j3d_shapes *to = &g->made;
    facet_j3d_matrix_group *made = &to->groups[to->group_count++];
    *made = from->groups[group];
    made->first = to->matrix_table_count;
    for (uint32_t i = 0; i < made->count; i++) {
        uint16_t draw = from->matrix_table[from->groups[group].first + i];
        bool renumber = from == g->old && draw < g->builder->like->draw_count;
        to->matrix_table[to->matrix_table_count++] = renumber ? (uint16_t)g->number[draw] : draw;
    }
    if (from == g->old && made->use_matrix < g->builder->like->draw_count)
        made->use_matrix = (uint16_t)g->number[made->use_matrix];
    to->display_lists[to->display_list_count++] = from->display_lists[list];
}

static facet_status put_packets(grafting *g, const facet_j3d_shapes *from,
                                const facet_j3d_shape *source, facet_j3d_shape *shape)
{
    shape->first_group = (uint16_t)g->made.group_count;
    shape->first_display_list = (uint16_t)g->made.display_list_count;
    shape->packet_count = source->packet_count;
    facet_status status = facet_j3d_builder_limit(
        g->builder, "J3D-LIMIT-PACKETS", (uint64_t)g->made.group_count + source->packet_count,
        UINT16_MAX, "packets of ten matrices",
        "let fewer joints move a vertex, or round the weights");
    for (uint32_t k = 0; k < source->packet_count && !status; k++)
        put_packet(g, from, source->first_group + k, source->first_display_list + k);
    return status;
}

static uint32_t length_of(const facet_j3d_descriptor *list)
{
    uint32_t count = 0;
    while (list[count].attribute != FACET_J3D_ATTRIBUTE_END)
        count++;
    return count + 1;
}

/* Store a descriptor list, or reuse an equal one. */
static facet_status put_descriptors(grafting *g, const facet_j3d_descriptor *list,
                                    facet_j3d_shape *shape)
{
    facet_j3d_shapes *to = &g->made;
    uint32_t count = length_of(list);
    for (uint32_t at = 0; at + count <= to->descriptor_count;
         at += length_of(to->descriptors + at)) {
        if (memcmp(to->descriptors + at, list, count * sizeof *list) == 0) {
            shape->first_descriptor = (uint16_t)at;
            return FACET_OK;
        }
    }
    shape->first_descriptor = (uint16_t)to->descriptor_count;
    memcpy(to->descriptors + to->descriptor_count, list, count * sizeof *list);
    to->descriptor_count += count;
    return facet_j3d_builder_limit(
        g->builder, "J3D-LIMIT-DESCRIPTORS", (uint64_t)to->descriptor_count * 8, UINT16_MAX,
        "bytes of vertex descriptors", "use the same attributes in more meshes");
}

/* Write one packet that draws the first vertex of the shape three times. */
static facet_status put_nothing(grafting *g, uint32_t index, facet_j3d_shape *shape)
{
    facet_j3d *o = g->builder->like->document;
    const facet_j3d_shape *source = &g->old->items[index];
    facet_j3d_vertex_layout layout;
    facet_j3d_primitive primitive;
    facet_status status =
        facet_j3d_vertex_layout_make(o, source, FACET_NO_OFFSET, &layout, g->builder->error);
    if (status)
        return status;
    facet_j3d_commands commands =
        facet_j3d_commands_of(&g->old->display_lists[source->first_display_list], &layout);
    facet_j3d_shape one = *source;
    one.packet_count = 1;
    status = put_packets(g, g->old, &one, shape);
    if (status || facet_j3d_next(&commands, &primitive) != FACET_J3D_STEP_DRAW ||
        primitive.count == 0)
        return status;
    size_t size = (3 + 3 * (size_t)layout.size + 31) / 32 * 32;
    uint8_t *bytes = facet_arena_allocate_zeroed(o->arena, size, 1);
    if (!bytes)
        return facet_fail_arena(o->arena, g->builder->error);
    bytes[0] = FACET_J3D_DRAW_STRIP;
    bytes[2] = 3;
    for (size_t i = 0; i < 3; i++)
        memcpy(bytes + 3 + i * layout.size, primitive.vertices, layout.size);
    g->made.display_lists[g->made.display_list_count - 1] =
        (facet_j3d_display_list){bytes, (uint32_t)size};
    return FACET_OK;
}

static facet_status make_space(grafting *g, uint32_t count, uint32_t new_groups)
{
    facet_arena *arena = g->builder->like->document->arena;
    const facet_j3d_shapes *old = g->old;
    size_t groups = new_groups;
    uint64_t table = g->drawn->matrix_table_count;
    for (uint32_t i = 0; i < old->count; i++) {
        groups += old->items[i].packet_count;
        for (uint32_t k = 0; k < old->items[i].packet_count; k++)
            table += old->groups[old->items[i].first_group + k].count;
    }
    if (table > SIZE_MAX / sizeof *g->made.matrix_table)
        return facet_fail_memory(g->builder->error, SIZE_MAX);
    g->made.items = facet_arena_allocate_zeroed(arena, count, sizeof *g->made.items);
    g->made.remap = facet_arena_allocate(arena, count, sizeof *g->made.remap);
    g->made.descriptors =
        facet_arena_allocate(arena, (size_t)old->descriptor_count + g->drawn->descriptor_count,
                             sizeof *old->descriptors);
    g->made.groups = facet_arena_allocate(arena, groups, sizeof *g->made.groups);
    g->made.display_lists = facet_arena_allocate(arena, groups, sizeof *g->made.display_lists);
    g->made.matrix_table = facet_arena_allocate(arena, (size_t)table, sizeof *g->made.matrix_table);
    if (!g->made.items || !g->made.remap || !g->made.descriptors || !g->made.groups ||
        !g->made.display_lists || !g->made.matrix_table)
        return facet_fail_arena(arena, g->builder->error);
    return FACET_OK;
}

/* Copy the lists of kept shapes. If the last shape with a list was redrawn, the others move
 * together: a list of no shape would be taken for padding. */
static facet_status keep_descriptors(grafting *g, const facet_j3d_redrawn *r)
{
    const facet_j3d_shapes *old = g->old;
    facet_j3d_shapes *to = &g->made;
    bool *was = facet_j3d_builder_scratch(g->builder, old->descriptor_count, sizeof *was);
    bool *is = facet_j3d_builder_scratch(g->builder, old->descriptor_count, sizeof *is);
    g->list_at = facet_j3d_builder_scratch(g->builder, old->descriptor_count, sizeof *g->list_at);
    if (!was || !is || !g->list_at)
        return facet_j3d_builder_no_memory(g->builder);
    for (uint32_t i = 0; i < old->count; i++) {
        was[old->items[i].first_descriptor] = true;
        is[old->items[i].first_descriptor] |= !r->items[i].is_made || r->items[i].is_hidden;
    }
    bool is_lost = false;
    size_t total = 0;
    for (uint32_t at = 0; at < old->descriptor_count; at++) {
        is_lost |= was[at] && !is[at];
        total += is[at] ? length_of(old->descriptors + at) : 0;
        g->list_at[at] = (uint16_t)at;
    }
    if (!is_lost || total > old->descriptor_count) { /* lists that overlap stay where they are */
        if (old->descriptor_count > 0)
            memcpy(to->descriptors, old->descriptors,
                   old->descriptor_count * sizeof *old->descriptors);
        to->descriptor_count = old->descriptor_count;
        return FACET_OK;
    }
    for (uint32_t at = 0; at < old->descriptor_count; at++) {
        if (!is[at])
            continue;
        uint32_t count = length_of(old->descriptors + at);
        g->list_at[at] = (uint16_t)to->descriptor_count;
        memcpy(to->descriptors + to->descriptor_count, old->descriptors + at,
               count * sizeof *old->descriptors);
        to->descriptor_count += count;
    }
    return FACET_OK;
}

static facet_status put_all(grafting *g, facet_j3d_redrawn *r, const uint32_t *plan_of)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->count && !status; i++) {
        facet_j3d_shape *shape = &g->made.items[i];
        const facet_j3d_redrawn_shape *redrawn = &r->items[i];
        bool is_old = i < g->old->count;
        g->made.remap[i] = is_old ? g->old->remap[i] : (uint16_t)i;
        g->made.count = i + 1;
        if (is_old) {
            *shape = g->old->items[i];
            shape->first_descriptor = g->list_at[shape->first_descriptor];
        } else {
            *shape = (facet_j3d_shape){.unknown = 0xFF,
                                       .unknown2 = 0xFFFF,
                                       .material = (uint16_t)redrawn->slot,
                                       .joint = (uint16_t)redrawn->joint};
        }
        if (!redrawn->is_made) {
            status = put_packets(g, g->old, &g->old->items[i], shape);
        } else if (redrawn->is_hidden) {
            status = put_nothing(g, i, shape);
        } else {
            const facet_j3d_shape *drawn = &g->drawn->items[plan_of[i]];
            shape->type = redrawn->type;
            status = put_packets(g, g->drawn, drawn, shape);
            if (!status)
                status = put_descriptors(g, g->drawn->descriptors + drawn->first_descriptor, shape);
        }
    }
    return status;
}

facet_status facet_j3d_graft(facet_j3d_redrawn *r, const uint32_t *number)
{
    facet_j3d_builder *b = r->builder, draw = *b;
    facet_j3d *o = b->like->document;
    facet_j3d drawn = {.arena = o->arena, .kind = o->kind};
    uint32_t *plan_of = facet_j3d_builder_scratch(b, r->count, sizeof *plan_of);
    if (!plan_of)
        return facet_j3d_builder_no_memory(b);
    drawn.draw_matrices = o->draw_matrices;
    draw.document = &drawn;
    facet_status status = plan_all(r, number, &draw, plan_of);
    if (!status)
        status = facet_j3d_build_display_lists(&draw);
    grafting g = {.builder = b, .old = &o->shapes, .drawn = &drawn.shapes, .number = number};
    if (!status)
        status = make_space(&g, r->count, drawn.shapes.group_count);
    if (!status)
        status = keep_descriptors(&g, r);
    if (!status)
        status = put_all(&g, r, plan_of);
    if (status)
        return status;
    const facet_j3d_shapes before = o->shapes;
    uint32_t old_groups = before.group_count;
    bool counted = o->hierarchy.packet_count == old_groups;
    o->shapes = g.made;
    if (counted)
        o->hierarchy.packet_count = o->shapes.group_count;
    else
        o->hierarchy.packet_count += o->shapes.group_count - old_groups;
    if (o->hierarchy.vertex_count < o->vertices.arrays[FACET_J3D_ARRAY_POSITION].count)
        o->hierarchy.vertex_count = o->vertices.arrays[FACET_J3D_ARRAY_POSITION].count;
    return facet_j3d_like_bounds(r, number, &before);
}
