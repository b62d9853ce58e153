/* formats/j3d/check/hierarchy.c - INF1, read like the decompiled loaders of games (makeHierarchy,
 * then setupBBoardInfo and createMatPacket). */
#include "formats/j3d/check/check.h"

#include <inttypes.h>
#include <string.h>

/* -- INF1 --------------------------------------------------------------- */

typedef struct hierarchy {
    const uint8_t *nodes;
    uint32_t count;                       /* without the END */
    uint16_t *parents;                    /* joint of each open level */
    uint8_t *joints, *materials, *shapes; /* number of occurrences of each, at most 2 */
    facet_tally types, indices, joint_twice, repeated, order;

    /* Data that a loader builds: each joint has a list of materials, last one first, and each
     * material one shape. */
    uint16_t *first, *next, *shape_of;
    uint32_t root_count;
    facet_tally more_roots, outside, no_material, replaced;
} hierarchy;

/* Count the nodes up to END. It is missing if they exceed the section. */
static uint32_t count_nodes(facet_j3d_checker *c, uint32_t begin)
{
    const facet_j3d_section *section = &c->sections[FACET_J3D_INF1];
    uint32_t count = 0;
    for (;; count++) {
        if (!facet_range_fits(begin + (uint64_t)count * 4, 1, 4, section->size)) {
            facet_j3d_say(c, FACET_SEVERITY_ERROR, FACET_J3D_INF1,
                          begin < section->size ? begin : 0x14, "J3D-INF1-END",
                          "the list of nodes has no end in the section");
            return count;
        }
        if (facet_load_u16be(section->bytes + begin + (size_t)count * 4) == FACET_J3D_NODE_END)
            break;
    }
    facet_j3d_note_used(c, FACET_J3D_INF1, begin, ((uint64_t)count + 1) * 4);
    return count;
}

/* True for the first occurrence. */
static bool see(hierarchy *h, uint8_t *seen, uint32_t count, uint16_t index, uint64_t at,
                facet_tally *again)
{
    if (index >= count) {
        facet_tally_hit(&h->indices, at);
        return false;
    }
    if (seen[index]++ > 0) {
        seen[index] = 2;
        facet_tally_hit(again, at);
        return false;
    }
    return true;
}

/* -- The loader's data -------------------------------------------------- */

static bool has_counts(const facet_j3d_checker *c)
{
    return c->joint_count > 0 && c->slot_count > 0 && c->shape_count > 0;
}

/* Insert a material at the front of its joint's list. */
static void hang_material(facet_j3d_checker *c, hierarchy *h, uint16_t joint, uint16_t material,
                          uint64_t at)
{
    if (joint == FACET_J3D_NONE) {
        facet_tally_hit(&h->outside, at);
    } else if (has_counts(c) && joint < c->joint_count && material < c->slot_count) {
        if (h->first[joint] != FACET_J3D_NONE)
            h->next[material] = h->first[joint];
        h->first[joint] = material;
    }
}

/* Assign a shape to the material at the front. */
static void hang_shape(facet_j3d_checker *c, hierarchy *h, uint16_t joint, uint16_t shape,
                       uint64_t at)
{
    if (joint == FACET_J3D_NONE) {
        facet_tally_hit(&h->outside, at);
    } else if (has_counts(c) && joint < c->joint_count && shape < c->shape_count) {
        uint16_t material = h->first[joint];
        if (material == FACET_J3D_NONE) {
            facet_tally_hit(&h->no_material, at);
            return;
        }
        if (h->shape_of[material] != FACET_J3D_NONE && h->shape_of[material] != shape)
            facet_tally_hit(&h->replaced, at);
        h->shape_of[material] = shape;
    }
}

/* Find joints whose list of materials has no end. `walks` has, per material, the joint that reached
 * it first, + 1. A list that reaches an earlier one ends like it. */
static void find_loops(facet_j3d_checker *c, const hierarchy *h, facet_tally *loops)
{
    uint32_t *walks = facet_arena_allocate_zeroed(c->arena, c->slot_count, sizeof *walks);
    if (!walks) {
        c->has_no_memory = true;
        return;
    }
    for (uint32_t joint = 0; joint < c->joint_count; joint++) {
        uint16_t material = h->first[joint];
        while (material != FACET_J3D_NONE && walks[material] == 0) {
            walks[material] = joint + 1;
            material = h->next[material];
        }
        if (material != FACET_J3D_NONE && walks[material] == joint + 1)
            facet_tally_hit(loops, joint);
    }
}

/* -- Nodes -------------------------------------------------------------- */

static void walk_joint(facet_j3d_checker *c, hierarchy *h, uint16_t parent, uint16_t index,
                       uint64_t at)
{
    if (parent == FACET_J3D_NONE && h->root_count++ > 0)
        facet_tally_hit(&h->more_roots, at);
    if (c->joint_count > 0 && see(h, h->joints, c->joint_count, index, at, &h->joint_twice) &&
        parent != FACET_J3D_NONE && index <= parent)
        facet_tally_hit(&h->order, at);
}

static void walk_nodes(facet_j3d_checker *c, hierarchy *h)
{
    uint16_t current = FACET_J3D_NONE;
    uint32_t depth = 0;
    h->parents[0] = FACET_J3D_NONE;
    for (uint32_t i = 0; i < h->count; i++) {
        const uint8_t *node = h->nodes + 4 * (size_t)i;
        uint64_t at = facet_j3d_offset_of(c, FACET_J3D_INF1, node);
        uint16_t index = facet_load_u16be(node + 2);
        switch (facet_load_u16be(node)) {
        case FACET_J3D_NODE_OPEN:
            h->parents[++depth] = current;
            break;
        case FACET_J3D_NODE_CLOSE:
            if (depth == 0) {
                facet_j3d_say(c, FACET_SEVERITY_ERROR, FACET_J3D_INF1, at, "J3D-INF1-BALANCE",
                              "a level is closed that was not opened");
                return;
            }
            current = h->parents[depth--];
            break;
        case FACET_J3D_NODE_JOINT:
            walk_joint(c, h, h->parents[depth], index, at);
            current = index;
            break;
        case FACET_J3D_NODE_MATERIAL:
            if (c->slot_count > 0)
                see(h, h->materials, c->slot_count, index, at, &h->repeated);
            hang_material(c, h, h->parents[depth], index, at);
            break;
        case FACET_J3D_NODE_SHAPE:
            if (c->shape_count > 0)
                see(h, h->shapes, c->shape_count, index, at, &h->repeated);
            hang_shape(c, h, h->parents[depth], index, at);
            break;
        default:
            facet_tally_hit(&h->types, at);
        }
    }
    if (depth > 0)
        facet_j3d_say(c, FACET_SEVERITY_ERROR, FACET_J3D_INF1,
                      facet_j3d_offset_of(c, FACET_J3D_INF1, h->nodes) + (uint64_t)h->count * 4,
                      "J3D-INF1-BALANCE", "levels still open at the end: %" PRIu32, depth);
}

/* Add the finding of a tally whose indices are joints, materials or shapes. */
static void say_numbered(facet_j3d_checker *c, facet_tally tally, facet_severity severity,
                         const char *rule, const char *what, const char *fault)
{
    uint64_t first = tally.first;
    tally.first = 0x14; /* offset for the finding */
    facet_j3d_say_tally(c, severity, FACET_J3D_INF1, &tally, rule, "%s %" PRIu64 " %s", what, first,
                        fault);
}

static void say_unseen(facet_j3d_checker *c, const uint8_t *seen, uint32_t count,
                       facet_severity severity, const char *rule, const char *what)
{
    facet_tally unseen = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!seen[i])
            facet_tally_hit(&unseen, i);
    }
    say_numbered(c, unseen, severity, rule, what, "is not in the hierarchy");
}

/* Report errors that crash a game, or hide a part of the model. */
static void say_built(facet_j3d_checker *c, const hierarchy *h)
{
    const facet_j3d_section_kind kind = FACET_J3D_INF1;
    facet_tally loops = {0}, no_shape = {0};
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &h->more_roots, "J3D-INF1-ROOTS",
                        "a second joint has no parent");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &h->outside, "J3D-INF1-OUTSIDE",
                        "a material or shape is not below a joint");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &h->no_material, "J3D-INF1-SHAPE-MATERIAL",
                        "a shape comes before any material of its joint");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &h->replaced, "J3D-INF1-REPLACED",
                        "a material has a second shape; only the last one is drawn");
    if (!has_counts(c))
        return;
    for (uint32_t i = 0; i < c->slot_count; i++) {
        if (h->shape_of[i] == FACET_J3D_NONE)
            facet_tally_hit(&no_shape, i);
    }
    say_numbered(c, no_shape, FACET_SEVERITY_ERROR, "J3D-INF1-NO-SHAPE", "material",
                 "has no shape in the hierarchy");
    find_loops(c, h, &loops);
    say_numbered(c, loops, FACET_SEVERITY_ERROR, "J3D-INF1-LOOP", "joint",
                 "has a list of materials without an end: one of them is in it twice");
}

static void say_hierarchy(facet_j3d_checker *c, const hierarchy *h)
{
    const facet_j3d_section_kind kind = FACET_J3D_INF1;
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &h->types, "J3D-INF1-NODE-TYPE",
                        "a node is of an unknown type");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &h->indices, "J3D-INF1-INDEX",
                        "a node names something beyond the %" PRIu32 " joints, %" PRIu32
                        " materials or %" PRIu32 " shapes",
                        c->joint_count, c->slot_count, c->shape_count);
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &h->joint_twice, "J3D-INF1-JOINT-TWICE",
                        "a joint is in the hierarchy twice");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &h->repeated, "J3D-INF1-REPEATED",
                        "a material or shape is in the hierarchy twice");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &h->order, "J3D-INF1-ORDER",
                        "the number of a joint is not above its parent's");
    say_unseen(c, h->joints, c->joint_count, FACET_SEVERITY_ERROR, "J3D-INF1-JOINT-MISSING",
               "joint");
    say_unseen(c, h->shapes, c->shape_count, FACET_SEVERITY_WARNING, "J3D-INF1-UNUSED", "shape");
    say_built(c, h);
}

static void look_at_counts(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_INF1;
    const uint8_t *bytes = c->sections[kind].bytes;
    uint32_t packets = facet_load_u32be(bytes + 0x0C), vertices = facet_load_u32be(bytes + 0x10);
    uint16_t flags = facet_load_u16be(bytes + 0x08);
    if ((flags & 15) > 2)
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, 0x08, "J3D-INF1-SCALING",
                      "the scaling rule is %u, expected 0 to 2", flags & 15u);
    else if (flags > 2)
        facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, 0x08, "J3D-INF1-FLAGS",
                      "the flags are 0x%04X, expected 0 to 2", (unsigned)flags);
    if (c->shape_count > 0 && packets != c->packet_total)
        facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, 0x0C, "J3D-INF1-PACKETS",
                      "the header gives %" PRIu32 " packets, the shapes have %" PRIu64, packets,
                      c->packet_total);
    if (c->has_vertices && c->shape_count > 0 && vertices != c->used[FACET_J3D_ARRAY_POSITION])
        facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, 0x10, "J3D-INF1-VERTICES",
                      "the header gives %" PRIu32 " vertices, but %" PRIu32 " positions are used",
                      vertices, c->used[FACET_J3D_ARRAY_POSITION]);
}

void facet_j3d_check_inf1(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_INF1;
    hierarchy h = {0};
    if (!facet_j3d_has_head(c, kind, 0x18, "J3D-INF1-SIZE"))
        return;
    const uint8_t *bytes = c->sections[kind].bytes;
    uint32_t begin = facet_load_u32be(bytes + 0x14);
    h.count = count_nodes(c, begin);
    h.nodes = bytes + (begin <= c->sections[kind].size ? begin : 0);
    h.parents = facet_arena_allocate(c->arena, (size_t)h.count + 1, sizeof *h.parents);
    h.joints = facet_arena_allocate_zeroed(c->arena, c->joint_count, 1);
    h.materials = facet_arena_allocate_zeroed(c->arena, c->slot_count, 1);
    h.shapes = facet_arena_allocate_zeroed(c->arena, c->shape_count, 1);
    h.first = facet_arena_allocate(c->arena, c->joint_count, sizeof *h.first);
    h.next = facet_arena_allocate(c->arena, c->slot_count, sizeof *h.next);
    h.shape_of = facet_arena_allocate(c->arena, c->slot_count, sizeof *h.shape_of);
    if (!h.parents || !h.joints || !h.materials || !h.shapes || !h.first || !h.next ||
        !h.shape_of) {
        c->has_no_memory = true;
        return;
    }
    memset(h.first, 0xFF, c->joint_count * sizeof *h.first); /* FACET_J3D_NONE */
    memset(h.next, 0xFF, c->slot_count * sizeof *h.next);
    memset(h.shape_of, 0xFF, c->slot_count * sizeof *h.shape_of);
    look_at_counts(c);
    walk_nodes(c, &h);
    say_hierarchy(c, &h);
}
