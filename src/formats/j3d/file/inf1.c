/* formats/j3d/file/inf1.c - the hierarchy: parents of joints, and the shapes and materials of
 * each. */
#include "formats/j3d/file/display_list.h"
#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/writer.h"

#include "base/arena.h"

#include <inttypes.h>

#define HEAD 0x18
#define NODES 0x14 /* position of the nodes' offset */
#define NODE 4

/* -- Nodes -------------------------------------------------------------- */

static bool is_node_type(uint16_t type)
{
    return type <= FACET_J3D_NODE_CLOSE ||
           (type >= FACET_J3D_NODE_JOINT && type <= FACET_J3D_NODE_SHAPE);
}

/* Count the nodes before the END, and check their nesting depth. */
static facet_status count_nodes(const facet_j3d_reader *reader, uint32_t at, uint32_t *count)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_INF1];
    uint32_t depth = 0, begin = at;
    for (;; at += NODE) {
        if (!facet_range_fits(at, 1, NODE, section->size))
            return facet_j3d_fault(reader, FACET_J3D_INF1, begin < section->size ? begin : NODES,
                                   "J3D-INF1-END", "the list of nodes has no end in the section");
        uint16_t type = facet_load_u16be(section->bytes + at);
        if (!is_node_type(type))
            return facet_j3d_fault(reader, FACET_J3D_INF1, at, "J3D-INF1-NODE-TYPE",
                                   "0x%02X is not a type of node", (unsigned)type);
        if (type == FACET_J3D_NODE_END)
            break;
        if (type == FACET_J3D_NODE_CLOSE && depth == 0)
            return facet_j3d_fault(reader, FACET_J3D_INF1, at, "J3D-INF1-BALANCE",
                                   "a level is closed that was not opened");
        depth += type == FACET_J3D_NODE_OPEN;
        depth -= type == FACET_J3D_NODE_CLOSE;
    }
    if (depth > 0)
        return facet_j3d_fault(reader, FACET_J3D_INF1, at, "J3D-INF1-BALANCE",
                               "levels still open at the end: %" PRIu32, depth);
    *count = (at - begin) / NODE;
    return FACET_OK;
}

facet_status facet_j3d_read_inf1(facet_j3d_reader *reader)
{
    const uint8_t *bytes = reader->sections[FACET_J3D_INF1].bytes;
    facet_j3d_hierarchy *hierarchy = &reader->document->hierarchy;
    facet_status status = facet_j3d_need_head(reader, FACET_J3D_INF1, HEAD, "J3D-INF1-SIZE");
    if (status)
        return status;
    hierarchy->flags = facet_load_u16be(bytes + 0x08);
    hierarchy->unknown = facet_load_u16be(bytes + 0x0A);
    hierarchy->packet_count = facet_load_u32be(bytes + 0x0C);
    hierarchy->vertex_count = facet_load_u32be(bytes + 0x10);
    uint32_t begin = facet_load_u32be(bytes + NODES), count = 0;
    status = count_nodes(reader, begin, &count);
    if (!status)
        status = facet_j3d_make(reader, count, sizeof *hierarchy->nodes, &hierarchy->nodes);
    if (status)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        hierarchy->nodes[i].type = facet_load_u16be(bytes + begin + i * NODE);
        hierarchy->nodes[i].index = facet_load_u16be(bytes + begin + i * NODE + 2);
    }
    hierarchy->node_count = count;
    facet_j3d_learn_padding(reader, FACET_J3D_INF1, begin + ((size_t)count + 1) * NODE);
    return FACET_OK;
}

/* -- Binding ------------------------------------------------------------ */

/* Position of a node in the section. */
static uint64_t place_of(const facet_j3d_reader *reader, uint32_t node)
{
    return facet_load_u32be(reader->sections[FACET_J3D_INF1].bytes + NODES) + (uint64_t)node * NODE;
}

static facet_status check_index(const facet_j3d_reader *reader, uint32_t node, uint32_t count,
                                const char *what)
{
    uint16_t index = reader->document->hierarchy.nodes[node].index;
    if (index < count)
        return FACET_OK;
    return facet_j3d_fault(reader, FACET_J3D_INF1, place_of(reader, node), "J3D-INF1-INDEX",
                           "%s %u of %" PRIu32 " is named", what, (unsigned)index, count);
}

static facet_status bind_joint(const facet_j3d_reader *reader, uint32_t node, uint16_t parent,
                               uint8_t *seen)
{
    uint16_t index = reader->document->hierarchy.nodes[node].index;
    TRY(check_index(reader, node, reader->document->joints.count, "joint"));
    if (seen[index])
        return facet_j3d_fault(reader, FACET_J3D_INF1, place_of(reader, node),
                               "J3D-INF1-JOINT-TWICE", "joint %u is in the hierarchy twice",
                               (unsigned)index);
    seen[index] = 1;
    reader->document->joints.items[index].parent = parent;
    return FACET_OK;
}

static facet_status bind_shape(const facet_j3d_reader *reader, uint32_t node, uint16_t material,
                               uint16_t joint)
{
    facet_j3d_shapes *shapes = &reader->document->shapes;
    TRY(check_index(reader, node, shapes->count, "shape"));
    facet_j3d_shape *shape = &shapes->items[reader->document->hierarchy.nodes[node].index];
    shape->material = material;
    shape->joint = joint;
    return FACET_OK;
}

/* Visit the nodes with a stack of joints. A material or shape belongs to the joint that encloses
 * it. A shape uses the last material of its joint, which `materials` stores, as in games. If the
 * joint has no material yet, use the last material of the file. */
static facet_status walk(const facet_j3d_reader *reader, uint16_t *stack, uint8_t *seen,
                         uint16_t *materials)
{
    const facet_j3d *document = reader->document;
    uint16_t current = FACET_J3D_NONE, material = FACET_J3D_NONE;
    uint32_t depth = 0;
    facet_status status = FACET_OK;
    stack[0] = FACET_J3D_NONE;
    for (uint32_t i = 0; !status && i < document->hierarchy.node_count; i++) {
        const facet_j3d_node *node = &document->hierarchy.nodes[i];
        switch (node->type) {
        case FACET_J3D_NODE_OPEN:
            stack[++depth] = current;
            break;
        case FACET_J3D_NODE_CLOSE:
            current = stack[depth--];
            break;
        case FACET_J3D_NODE_JOINT:
            status = bind_joint(reader, i, stack[depth], seen);
            current = node->index;
            break;
        case FACET_J3D_NODE_MATERIAL:
            status = check_index(reader, i, document->materials.slot_count, "material");
            material = node->index;
            if (stack[depth] != FACET_J3D_NONE)
                materials[stack[depth]] = material;
            break;
        default:
            if (stack[depth] != FACET_J3D_NONE && materials[stack[depth]] != FACET_J3D_NONE)
                material = materials[stack[depth]];
            status = bind_shape(reader, i, material, stack[depth]);
        }
    }
    return status;
}

facet_status facet_j3d_bind(facet_j3d_reader *reader)
{
    facet_j3d *document = reader->document;
    size_t depth_limit = (size_t)document->hierarchy.node_count + 1;
    uint16_t *stack = facet_arena_allocate(reader->arena, depth_limit, sizeof *stack);
    uint8_t *seen = facet_arena_allocate_zeroed(reader->arena, document->joints.count, 1);
    uint16_t *materials =
        facet_arena_allocate(reader->arena, document->joints.count, sizeof *materials);
    if (!stack || !seen || !materials)
        return facet_fail_arena(reader->arena, reader->error);
    for (uint32_t i = 0; i < document->joints.count; i++)
        document->joints.items[i].parent = materials[i] = FACET_J3D_NONE;
    for (uint32_t i = 0; i < document->shapes.count; i++)
        document->shapes.items[i].material = document->shapes.items[i].joint = FACET_J3D_NONE;
    facet_status status = walk(reader, stack, seen, materials);
    for (uint32_t i = 0; !status && i < document->joints.count; i++) {
        if (!seen[i])
            status = facet_j3d_fault(reader, FACET_J3D_INF1, NODES, "J3D-INF1-JOINT-MISSING",
                                     "joint %" PRIu32 " is not in the hierarchy", i);
    }
    facet_arena_release(reader->arena, materials, document->joints.count, sizeof *materials);
    facet_arena_release(reader->arena, seen, document->joints.count, 1);
    facet_arena_release(reader->arena, stack, depth_limit, sizeof *stack);
    return status;
}

/* -- Writing ------------------------------------------------------------ */

facet_status facet_j3d_write_inf1(facet_j3d_writer *writer)
{
    const facet_j3d_hierarchy *hierarchy = &writer->document->hierarchy;
    facet_j3d_put_u16(writer, hierarchy->flags);
    facet_j3d_put_u16(writer, hierarchy->unknown);
    facet_j3d_put_u32(writer, hierarchy->packet_count);
    facet_j3d_put_u32(writer, hierarchy->vertex_count);
    facet_j3d_put_u32(writer, HEAD);
    for (uint32_t i = 0; i < hierarchy->node_count; i++) {
        facet_j3d_put_u16(writer, hierarchy->nodes[i].type);
        facet_j3d_put_u16(writer, hierarchy->nodes[i].index);
    }
    facet_j3d_put_u32(writer, FACET_J3D_NODE_END);
    return FACET_OK;
}

void facet_j3d_count_anew(facet_j3d_writer *writer, size_t inf1)
{
    uint32_t used[FACET_J3D_ARRAY_COUNT], packets;
    facet_error why; /* the check of the written bytes reports it */
    if (facet_j3d_count_drawn(writer->document, used, &packets, &why))
        return;
    writer->section = inf1;
    facet_j3d_patch(writer, 0x0C, packets);
    facet_j3d_patch(writer, 0x10, used[FACET_J3D_ARRAY_POSITION]);
}
