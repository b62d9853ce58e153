/* formats/j3d/scene/from_scene/hierarchy.c - the tree of joints, materials and shapes, and the
 * bounds of joints and shapes.
 *
 * The tree is nested as in the console makers' exporters. Below a joint is its first material,
 * below that its shape, below that the next material. Child joints are at the bottom of this
 * chain. */
#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/scene/from_scene/builder.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

/* -- Nodes -------------------------------------------------------------- */

typedef struct tree {
    facet_j3d_builder *builder;
    uint32_t *first_child, *next_sibling; /* per joint; FACET_NONE: none */
    uint32_t *first_shape, *next_shape;   /* per joint; per shape */
    uint32_t *stack;
    facet_j3d_hierarchy *hierarchy;
} tree;

static facet_status link_joints(tree *t)
{
    facet_j3d_builder *b = t->builder;
    uint32_t joints = b->document->joints.count, shapes = b->document->shapes.count;
    t->first_child = facet_j3d_builder_scratch(b, joints, sizeof *t->first_child);
    t->next_sibling = facet_j3d_builder_scratch(b, joints, sizeof *t->next_sibling);
    t->first_shape = facet_j3d_builder_scratch(b, joints, sizeof *t->first_shape);
    t->next_shape = facet_j3d_builder_scratch(b, shapes, sizeof *t->next_shape);
    t->stack = facet_j3d_builder_scratch(b, joints, sizeof *t->stack);
    /* A joint opens and closes one level; a shape and its material open and close one each. */
    t->hierarchy->nodes = facet_j3d_builder_keep(b, (size_t)joints * 3 + (size_t)shapes * 6,
                                                 sizeof *t->hierarchy->nodes);
    if (!t->first_child || !t->next_sibling || !t->first_shape || !t->next_shape || !t->stack ||
        !t->hierarchy->nodes)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < joints; i++)
        t->first_child[i] = t->next_sibling[i] = t->first_shape[i] = FACET_NONE;
    for (uint32_t i = joints; i-- > 0;) {
        uint32_t parent = b->document->joints.items[i].parent;
        if (parent == FACET_J3D_NONE)
            continue;
        t->next_sibling[i] = t->first_child[parent];
        t->first_child[parent] = i;
    }
    for (uint32_t i = shapes; i-- > 0;) {
        uint32_t joint = b->document->shapes.items[i].joint;
        t->next_shape[i] = t->first_shape[joint];
        t->first_shape[joint] = i;
    }
    return FACET_OK;
}

static void add(tree *t, uint16_t type, uint32_t index)
{
    t->hierarchy->nodes[t->hierarchy->node_count++] = (facet_j3d_node){type, (uint16_t)index};
}

/* Open a joint, the chain of its shapes, and a level for its children. */
static void open_joint(tree *t, uint32_t joint)
{
    add(t, FACET_J3D_NODE_JOINT, joint);
    for (uint32_t s = t->first_shape[joint]; s != FACET_NONE; s = t->next_shape[s]) {
        add(t, FACET_J3D_NODE_OPEN, 0);
        add(t, FACET_J3D_NODE_MATERIAL, t->builder->document->shapes.items[s].material);
        add(t, FACET_J3D_NODE_OPEN, 0);
        add(t, FACET_J3D_NODE_SHAPE, s);
    }
    if (t->first_child[joint] != FACET_NONE)
        add(t, FACET_J3D_NODE_OPEN, 0);
}

static void close_joint(tree *t, uint32_t joint)
{
    if (t->first_child[joint] != FACET_NONE)
        add(t, FACET_J3D_NODE_CLOSE, 0);
    for (uint32_t s = t->first_shape[joint]; s != FACET_NONE; s = t->next_shape[s]) {
        add(t, FACET_J3D_NODE_CLOSE, 0);
        add(t, FACET_J3D_NODE_CLOSE, 0);
    }
}

facet_status facet_j3d_build_hierarchy(facet_j3d_builder *b)
{
    facet_j3d *document = b->document;
    tree t = {.builder = b, .hierarchy = &document->hierarchy};
    TRY(link_joints(&t));
    uint32_t depth = 0;
    for (uint32_t root = 0; root < document->joints.count; root++) {
        if (document->joints.items[root].parent != FACET_J3D_NONE)
            continue;
        uint32_t at = root;
        do {
            if (at != FACET_NONE) {
                open_joint(&t, at);
                t.stack[depth++] = at;
                at = t.first_child[at];
                continue;
            }
            uint32_t done = t.stack[--depth];
            close_joint(&t, done);
            at = done == root ? FACET_NONE : t.next_sibling[done];
        } while (depth > 0 || at != FACET_NONE);
    }
    document->hierarchy.unknown = 0xFFFF;
    document->hierarchy.packet_count = document->shapes.group_count;
    document->hierarchy.vertex_count = document->vertices.arrays[FACET_J3D_ARRAY_POSITION].count;
    document->has_hierarchy = true;
    return FACET_OK;
}

/* -- Bounds ------------------------------------------------------------- */

static void load_position(const facet_j3d_array *array, uint32_t index, float out[3])
{
    const uint8_t *at = array->bytes + (size_t)index * array->stride;
    for (int i = 0; i < 3; i++) {
        if (array->format->component == FACET_J3D_F32)
            out[i] = facet_load_f32be(at + 4 * i);
        else
            out[i] = (float)(int16_t)facet_load_u16be(at + 2 * i) /
                     (float)(1u << array->format->fraction_bits);
    }
}

/* Compute the box and radius of a shape: in joint space if it has one matrix, else in model
 * space. */
static void bound_shape(const facet_j3d_builder *b, const facet_j3d_skeleton *skeleton,
                        const facet_j3d_shape_plan *plan, facet_j3d_shape *shape)
{
    const facet_j3d_array *array = &b->document->vertices.arrays[FACET_J3D_ARRAY_POSITION];
    double most = 0;
    for (size_t k = 0; k < (size_t)plan->triangle_count * 3; k++) {
        uint32_t v = plan->vertices[plan->triangles[k]];
        float p[3];
        load_position(array, b->indices[FACET_J3D_ARRAY_POSITION][v], p);
        if (plan->type == FACET_J3D_SHAPE_MULTI)
            facet_j3d_matrix_point(
                facet_j3d_skeleton_draw_matrix(b->document, skeleton, b->matrix[v]), p, p);
        for (int i = 0; i < 3; i++) {
            shape->minimum[i] = k ? fminf(shape->minimum[i], p[i]) : p[i];
            shape->maximum[i] = k ? fmaxf(shape->maximum[i], p[i]) : p[i];
        }
        most = fmax(most, (double)p[0] * (double)p[0] + (double)p[1] * (double)p[1] +
                              (double)p[2] * (double)p[2]);
    }
    shape->radius = (float)sqrt(most);
}

/* Set the kind of joints: with shapes, of a skeleton, or of a group. A joint keeps its earlier kind
 * unless it gained or lost all shapes. */
static void set_kinds(facet_j3d *document, const bool *owns)
{
    enum { WITH_SHAPES = 0, SKELETON = 1, GROUP = 2 };
    uint16_t without = document->envelopes.count > 0 ? SKELETON : GROUP;
    for (uint32_t i = 0; i < document->joints.count; i++) {
        uint16_t *kind = &document->joints.items[i].kind;
        bool owned = (*kind & 15) == WITH_SHAPES;
        if (owned != owns[i])
            *kind = (uint16_t)((*kind & ~15) | (owns[i] ? WITH_SHAPES : without));
    }
}

facet_status facet_j3d_build_bounds(facet_j3d_builder *b)
{
    facet_j3d *document = b->document;
    facet_j3d_skeleton skeleton;
    TRY(facet_j3d_skeleton_create(document, b->scratch, &skeleton, b->error));
    bool *owns = facet_j3d_builder_scratch(b, document->joints.count, sizeof *owns);
    if (!owns)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < document->shapes.count; i++) {
        facet_j3d_shape *shape = &document->shapes.items[i];
        facet_j3d_joint *joint = &document->joints.items[shape->joint];
        bool first = !owns[shape->joint];
        bound_shape(b, &skeleton, &b->shapes[i], shape);
        for (int k = 0; k < 3; k++) {
            joint->minimum[k] =
                first ? shape->minimum[k] : fminf(joint->minimum[k], shape->minimum[k]);
            joint->maximum[k] =
                first ? shape->maximum[k] : fmaxf(joint->maximum[k], shape->maximum[k]);
        }
        joint->radius = first ? shape->radius : fmaxf(joint->radius, shape->radius);
        owns[shape->joint] = true;
    }
    set_kinds(document, owns);
    return FACET_OK;
}
