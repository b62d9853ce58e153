/* formats/j3d/scene/from_scene/strips.c - shapes to packets and display lists of triangle strips.
 *
 * Some games draw only strips, so a single triangle is a strip of three vertices. Front faces are
 * clockwise on GX. */
#include "formats/j3d/file/display_list.h"
#include "formats/j3d/scene/from_scene/builder.h"
#include "formats/j3d/scene/from_scene/packets.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "base/text.h"
#include "mesh/meshoptimizer.h"

#include <string.h>

#define MAX_STRIP 65535 /* maximum number of vertices of one command; odd */

typedef struct drawing {
    facet_j3d_builder *builder;
    const facet_meshoptimizer *meshoptimizer;
    facet_j3d_shapes *shapes;
    uint32_t group_capacity, table_capacity;
    /* of one packet */
    uint32_t *local, *stamp; /* per vertex of the shape: its number in the packet */
    uint32_t *vertices;      /* per vertex of the packet: its number in the shape */
    uint32_t *triangles, *ordered, *strips;
    uint32_t packets; /* number of packets so far, used as the stamp of the current one */
    uint64_t strip_vertices, triangle_count;
} drawing;

/* -- Vertex descriptors ------------------------------------------------- */

/* List the attributes of a shape's vertices, in the order of display lists. */
static uint32_t describe(const facet_j3d_shape_plan *shape, facet_j3d_descriptor *list)
{
    static const uint32_t attributes[FACET_J3D_ARRAY_COUNT] = {
        [FACET_J3D_ARRAY_POSITION] = FACET_J3D_POSITION,
        [FACET_J3D_ARRAY_NORMAL] = FACET_J3D_NORMAL,
        [FACET_J3D_ARRAY_NBT] = FACET_J3D_NBT,
        [FACET_J3D_ARRAY_COLOR0] = FACET_J3D_COLOR0,
        [FACET_J3D_ARRAY_COLOR0 + 1] = FACET_J3D_COLOR1,
        [FACET_J3D_ARRAY_TEXCOORD0] = FACET_J3D_TEXCOORD0,
    };
    uint32_t count = 0;
    if (shape->type == FACET_J3D_SHAPE_MULTI) {
        list[count++] = (facet_j3d_descriptor){FACET_J3D_POSITION_MATRIX, FACET_J3D_INPUT_DIRECT};
        for (uint32_t i = 0; i < 8; i++) {
            if (shape->texture_matrices & 1u << i)
                list[count++] =
                    (facet_j3d_descriptor){FACET_J3D_TEXTURE_MATRIX0 + i, FACET_J3D_INPUT_DIRECT};
        }
    }
    for (uint32_t array = 0; array < FACET_J3D_ARRAY_COUNT; array++) {
        uint32_t attribute = array < FACET_J3D_ARRAY_TEXCOORD0
                                 ? attributes[array]
                                 : FACET_J3D_TEXCOORD0 + array - FACET_J3D_ARRAY_TEXCOORD0;
        if (shape->arrays & 1u << array)
            list[count++] = (facet_j3d_descriptor){attribute, FACET_J3D_INPUT_INDEX16};
    }
    list[count++] = (facet_j3d_descriptor){FACET_J3D_ATTRIBUTE_END, FACET_J3D_INPUT_NONE};
    return count;
}

/* Store a descriptor list, or reuse an equal one. */
static facet_status put_descriptors(drawing *d, const facet_j3d_shape_plan *plan,
                                    facet_j3d_shape *shape)
{
    facet_j3d_shapes *shapes = d->shapes;
    facet_j3d_descriptor list[FACET_J3D_PARTS_MAX + 1];
    uint32_t count = describe(plan, list);
    for (uint32_t i = 0; i < d->builder->shape_count; i++) {
        const facet_j3d_shape *before = &shapes->items[i];
        if (before == shape)
            break;
        if (shapes->descriptor_count - before->first_descriptor >= count &&
            memcmp(shapes->descriptors + before->first_descriptor, list, count * sizeof *list) ==
                0) {
            shape->first_descriptor = before->first_descriptor;
            return FACET_OK;
        }
    }
    /* The file stores an offset in bytes, with eight per line. */
    TRY(facet_j3d_builder_limit(
        d->builder, "J3D-LIMIT-DESCRIPTORS", (uint64_t)shapes->descriptor_count * 8, UINT16_MAX,
        "bytes of vertex descriptors", "use the same attributes in more meshes"));
    shape->first_descriptor = (uint16_t)shapes->descriptor_count;
    memcpy(shapes->descriptors + shapes->descriptor_count, list, count * sizeof *list);
    shapes->descriptor_count += count;
    return FACET_OK;
}

/* -- Strips ------------------------------------------------------------- */

/* Number the vertices of a packet, and write its triangles clockwise. */
static uint32_t number_vertices(drawing *d, const facet_j3d_shape_plan *plan, const uint32_t *order,
                                uint32_t count)
{
    uint32_t vertex_count = 0;
    d->packets++;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *triangle = plan->triangles + (size_t)(order ? order[i] : i) * 3;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t v = triangle[k ? 3 - k : 0];
            if (d->stamp[v] != d->packets) {
                d->stamp[v] = d->packets;
                d->local[v] = vertex_count;
                d->vertices[vertex_count++] = v;
            }
            d->triangles[(size_t)i * 3 + k] = d->local[v];
        }
    }
    return vertex_count;
}

/* Convert the packet's triangles to strips, separated by FACET_NONE. */
static facet_status make_strips(drawing *d, uint32_t count, uint32_t vertex_count, size_t *length)
{
    if (!d->meshoptimizer->strips(d->strips, d->ordered, d->triangles, (size_t)count * 3,
                                  vertex_count, FACET_NONE, length))
        return facet_fail_memory(d->builder->error, (size_t)count * 12);
    return FACET_OK;
}

/* -- Display lists ------------------------------------------------------ */

/* The layout of a packet's vertices. */
typedef struct vertex_form {
    const uint16_t *parts[FACET_J3D_ARRAY_COUNT];
    uint32_t part_count;
    uint32_t texture_count; /* number of texture matrix indices */
    bool multi;
    uint32_t size;
    const facet_j3d_packet_plan *packet;
} vertex_form;

static void set_form(const facet_j3d_builder *b, const facet_j3d_shape_plan *plan,
                     vertex_form *form)
{
    memset(form, 0, sizeof *form);
    form->multi = plan->type == FACET_J3D_SHAPE_MULTI;
    for (int array = 0; array < FACET_J3D_ARRAY_COUNT; array++) {
        if (plan->arrays & 1u << array)
            form->parts[form->part_count++] = b->indices[array];
    }
    for (int i = 0; i < 8 && form->multi; i++)
        form->texture_count += plan->texture_matrices >> i & 1u;
    form->size = form->part_count * 2 + form->multi + form->texture_count;
}

static uint8_t *put_vertex(const facet_j3d_builder *b, const vertex_form *form, uint32_t v,
                           uint8_t *to)
{
    if (form->multi) {
        uint32_t slot = 0;
        while (form->packet->matrices[slot] != b->matrix[v])
            slot++;
        *to++ = (uint8_t)(slot * 3);
        for (uint32_t i = 0; i < form->texture_count; i++)
            *to++ = (uint8_t)(slot * 3 + 30);
    }
    for (uint32_t i = 0; i < form->part_count; i++, to += 2)
        facet_store_u16be(to, form->parts[i][v]);
    return to;
}

/* Number of commands for a strip. All except the last have MAX_STRIP - 1 vertices. This is even, so
 * that the next command has the same winding; it repeats two vertices. */
static size_t commands_of(size_t length)
{
    const size_t step = MAX_STRIP - 3;
    return length <= MAX_STRIP ? 1 : 1 + (length - MAX_STRIP + step - 1) / step;
}

/* Size in bytes of all strips, without padding. */
static size_t size_of_strips(const uint32_t *strips, size_t count, uint32_t vertex_size)
{
    size_t bytes = 0, length = 0;
    for (size_t i = 0; i <= count; i++) {
        if (i < count && strips[i] != FACET_NONE) {
            length++;
            continue;
        }
        size_t commands = length > 0 ? commands_of(length) : 0;
        bytes += commands * 3 + (commands ? length + (commands - 1) * 2 : 0) * vertex_size;
        length = 0;
    }
    return bytes;
}

static uint8_t *put_strip(const drawing *d, const facet_j3d_shape_plan *plan,
                          const vertex_form *form, const uint32_t *strip, size_t length,
                          uint8_t *to)
{
    for (size_t begin = 0;;) {
        size_t count = length - begin <= MAX_STRIP ? length - begin : MAX_STRIP - 1;
        *to = FACET_J3D_DRAW_STRIP;
        facet_store_u16be(to + 1, (uint16_t)count);
        to += 3;
        for (size_t i = 0; i < count; i++)
            to = put_vertex(d->builder, form, plan->vertices[d->vertices[strip[begin + i]]], to);
        if (begin + count == length)
            return to;
        begin += count - 2;
    }
}

static facet_status put_display_list(drawing *d, const facet_j3d_shape_plan *plan,
                                     vertex_form *form, size_t strip_count,
                                     facet_j3d_display_list *list)
{
    size_t used = size_of_strips(d->strips, strip_count, form->size);
    size_t size = facet_align_up(used, 32), begin = 0;
    uint8_t *bytes = facet_arena_allocate(d->builder->document->arena, size, 1), *to = bytes;
    if (!bytes || size > UINT32_MAX)
        return facet_fail_arena(d->builder->document->arena, d->builder->error);
    for (size_t i = 0; i <= strip_count; i++) {
        if (i < strip_count && d->strips[i] != FACET_NONE)
            continue;
        if (i > begin)
            to = put_strip(d, plan, form, d->strips + begin, i - begin, to);
        d->strip_vertices += i - begin;
        begin = i + 1;
    }
    memset(to, 0, size - (size_t)(to - bytes));
    list->bytes = bytes;
    list->size = (uint32_t)size;
    return FACET_OK;
}

/* -- Packets ------------------------------------------------------------ */

static facet_status grow(drawing *d, uint32_t groups, uint32_t entries)
{
    facet_j3d_shapes *s = d->shapes;
    facet_arena *arena = d->builder->document->arena;
    if (s->group_count + groups > d->group_capacity) {
        uint32_t space = (s->group_count + groups) * 2;
        facet_j3d_matrix_group *one =
            facet_arena_resize(arena, s->groups, d->group_capacity, space, sizeof *one);
        if (one)
            s->groups = one;
        facet_j3d_display_list *two =
            facet_arena_resize(arena, s->display_lists, d->group_capacity, space, sizeof *two);
        if (two)
            s->display_lists = two;
        if (!one || !two)
            return facet_fail_arena(arena, d->builder->error);
        d->group_capacity = space;
    }
    if (s->matrix_table_count + entries > d->table_capacity) {
        uint32_t space = (s->matrix_table_count + entries) * 2;
        uint16_t *made =
            facet_arena_resize(arena, s->matrix_table, d->table_capacity, space, sizeof *made);
        if (!made)
            return facet_fail_arena(arena, d->builder->error);
        s->matrix_table = made;
        d->table_capacity = space;
    }
    return FACET_OK;
}

/* Write one packet: its matrices, and its triangles as a display list. */
static facet_status put_packet(drawing *d, const facet_j3d_shape_plan *plan, const uint32_t *order,
                               const facet_j3d_packet_plan *packet)
{
    facet_j3d_shapes *s = d->shapes;
    vertex_form form;
    TRY(grow(d, 1, packet->matrix_count));
    facet_j3d_matrix_group *group = &s->groups[s->group_count++];
    group->count = (uint16_t)packet->matrix_count;
    group->first = s->matrix_table_count;
    for (uint32_t i = 0; i < packet->matrix_count; i++)
        s->matrix_table[s->matrix_table_count++] = (uint16_t)packet->matrices[i];
    group->use_matrix = s->matrix_table[group->first];
    uint32_t vertices =
        number_vertices(d, plan, order ? order + packet->first : NULL, packet->count);
    size_t strips;
    TRY(make_strips(d, packet->count, vertices, &strips));
    set_form(d->builder, plan, &form);
    form.packet = packet;
    d->triangle_count += packet->count;
    return put_display_list(d, plan, &form, strips, &s->display_lists[s->display_list_count++]);
}

static facet_status put_packets(drawing *d, const facet_j3d_shape_plan *plan,
                                facet_j3d_shape *shape)
{
    facet_j3d_builder *b = d->builder;
    uint32_t first = d->shapes->group_count;
    if (plan->type != FACET_J3D_SHAPE_MULTI) {
        facet_j3d_packet_plan whole = {.count = plan->triangle_count, .matrix_count = 1};
        whole.matrices[0] = b->matrix[plan->vertices[0]];
        shape->packet_count = 1;
        return put_packet(d, plan, NULL, &whole);
    }
    facet_j3d_packet_plans plans;
    uint32_t *matrix_of = facet_j3d_builder_scratch(b, plan->vertex_count, sizeof *matrix_of);
    if (!matrix_of)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t v = 0; v < plan->vertex_count; v++)
        matrix_of[v] = b->matrix[plan->vertices[v]];
    facet_status status =
        facet_j3d_make_packets(b->scratch, plan->triangles, plan->triangle_count, matrix_of,
                               b->document->draw_matrices.effective_count, &plans, b->error);
    for (uint32_t i = 0; i < plans.packet_count && !status; i++)
        status = put_packet(d, plan, plans.order, &plans.packets[i]);
    if (!status)
        status = facet_j3d_builder_limit(b, "J3D-LIMIT-PACKETS", d->shapes->group_count, UINT16_MAX,
                                         "packets of ten matrices",
                                         "let fewer joints move a vertex, or round the weights");
    shape->packet_count = (uint16_t)(d->shapes->group_count - first);
    return status;
}

static facet_status make_space(drawing *d)
{
    facet_j3d_builder *b = d->builder;
    uint32_t triangles = 0, vertices = 0;
    for (uint32_t i = 0; i < b->shape_count; i++) {
        if (b->shapes[i].triangle_count > triangles)
            triangles = b->shapes[i].triangle_count;
        if (b->shapes[i].vertex_count > vertices)
            vertices = b->shapes[i].vertex_count;
    }
    d->local = facet_arena_allocate(b->scratch, vertices, sizeof *d->local);
    d->stamp = facet_j3d_builder_scratch(b, vertices, sizeof *d->stamp);
    d->vertices = facet_arena_allocate(b->scratch, vertices, sizeof *d->vertices);
    d->triangles = facet_arena_allocate(b->scratch, triangles, 3 * sizeof *d->triangles);
    d->ordered = facet_arena_allocate(b->scratch, triangles, 3 * sizeof *d->ordered);
    d->strips = facet_arena_allocate(
        b->scratch, d->meshoptimizer->strip_bound((size_t)triangles * 3), sizeof *d->strips);
    d->shapes->items = facet_j3d_builder_keep(b, b->shape_count, sizeof *d->shapes->items);
    d->shapes->remap = facet_j3d_builder_keep(b, b->shape_count, sizeof *d->shapes->remap);
    d->shapes->descriptors = facet_j3d_builder_keep(
        b, (size_t)b->shape_count * (FACET_J3D_PARTS_MAX + 1), sizeof *d->shapes->descriptors);
    if (!d->local || !d->stamp || !d->vertices || !d->triangles || !d->ordered || !d->strips ||
        !d->shapes->items || !d->shapes->remap || !d->shapes->descriptors)
        return facet_fail_arena(b->scratch, b->error);
    return FACET_OK;
}

facet_status facet_j3d_build_display_lists(facet_j3d_builder *b)
{
    drawing d = {.builder = b, .shapes = &b->document->shapes};
    facet_status status = facet_meshoptimizer_open(&d.meshoptimizer, b->error);
    if (!status)
        status = make_space(&d);
    b->document->has_shapes = true;
    for (uint32_t i = 0; i < b->shape_count && !status; i++) {
        const facet_j3d_shape_plan *plan = &b->shapes[i];
        facet_j3d_shape *shape = &d.shapes->items[i];
        memset(d.stamp, 0, plan->vertex_count * sizeof *d.stamp);
        d.packets = 0;
        d.shapes->count = i + 1;
        d.shapes->remap[i] = (uint16_t)i;
        shape->type = plan->type;
        shape->unknown = 0xFF;
        shape->unknown2 = 0xFFFF;
        shape->first_group = shape->first_display_list = (uint16_t)d.shapes->group_count;
        shape->material = (uint16_t)plan->slot;
        shape->joint = (uint16_t)plan->joint;
        status = put_descriptors(&d, plan, shape);
        if (!status)
            status = put_packets(&d, plan, shape);
    }
    if (!status && d.triangle_count > 0)
        facet_report_add(facet_j3d_builder_report(b), "J3D-STRIPS", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET, "%u packet%s, %.2f vertices drawn per triangle",
                         (unsigned)d.shapes->group_count,
                         facet_plural(d.shapes->group_count, "", "s"),
                         (double)d.strip_vertices / (double)d.triangle_count);
    return status;
}
