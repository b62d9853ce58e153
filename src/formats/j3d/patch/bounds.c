/* formats/j3d/patch/bounds.c - boxes and radii.
 *
 * Exporters use different rules. Boxes are in joint space, in model space or of the stored numbers;
 * radii are around the origin or around the middle of the box. The rule used is the one that gives
 * the original's numbers for the original shape. */
#include "formats/j3d/patch/bounds.h"

#include "base/bytes.h"
#include "base/error.h"
#include "formats/j3d/patch/compare.h"

#include <math.h>
#include <string.h>

typedef struct box {
    float minimum[3], maximum[3];
    double radius; /* around the origin */
    bool any;
} box;

static void grow(box *to, const float p[3])
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        to->minimum[i] = to->any ? fminf(to->minimum[i], p[i]) : p[i];
        to->maximum[i] = to->any ? fmaxf(to->maximum[i], p[i]) : p[i];
        square += (double)p[i] * (double)p[i];
    }
    to->radius = fmax(to->radius, sqrt(square));
    to->any = true;
}

static double half_diagonal(const box *of)
{
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += ((double)of->maximum[i] - (double)of->minimum[i]) *
                  ((double)of->maximum[i] - (double)of->minimum[i]);
    return sqrt(square) / 2;
}

static void load_position(const facet_j3d_array *array, uint32_t index, float out[3])
{
    const uint8_t *at = array->bytes + (size_t)index * array->stride;
    float scale = ldexpf(1, -(int)(array->format->fraction_bits & 31));
    int width = array->format->count_code == 0 ? 2 : 3;
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        if (i >= width)
            continue;
        switch (array->format->component) {
        case FACET_J3D_U8:
            out[i] = (float)at[i] * scale;
            break;
        case FACET_J3D_S8:
            out[i] = (float)(int8_t)at[i] * scale;
            break;
        case FACET_J3D_U16:
            out[i] = (float)facet_load_u16be(at + 2 * i) * scale;
            break;
        case FACET_J3D_S16:
            out[i] = (float)(int16_t)facet_load_u16be(at + 2 * i) * scale;
            break;
        default:
            out[i] = facet_load_f32be(at + 4 * i);
        }
    }
}

/* Compute the boxes of a shape: of stored numbers, and in model space. */
static void measure(const facet_j3d *o, const facet_j3d_skeleton *skeleton,
                    const uint16_t *elements, const uint16_t *draws, const uint32_t *numbers,
                    const uint32_t *new_draws, uint32_t count, box *stored, box *placed)
{
    const facet_j3d_array *array = &o->vertices.arrays[FACET_J3D_ARRAY_POSITION];
    *stored = *placed = (box){.any = false};
    for (uint32_t v = 0; v < count; v++) {
        float p[3];
        uint32_t draw = numbers[draws ? draws[v] : new_draws[v]];
        load_position(array, elements[v], p);
        grow(stored, p);
        facet_j3d_matrix_point(facet_j3d_skeleton_draw_matrix(o, skeleton, draw), p, p);
        grow(placed, p);
    }
}

static bool is_box(const box *a, const float minimum[3], const float maximum[3], double size)
{
    bool same = a->any;
    for (int i = 0; i < 3 && same; i++)
        same = fabs((double)a->minimum[i] - (double)minimum[i]) <= size &&
               fabs((double)a->maximum[i] - (double)maximum[i]) <= size;
    return same;
}

static void bound_shape(const facet_j3d_redrawn *r, const facet_j3d_skeleton *skeleton,
                        const uint32_t *number, const facet_j3d_shapes *before, uint32_t index)
{
    const facet_j3d_like *like = r->builder->like;
    facet_j3d *o = like->document;
    const facet_j3d_redrawn_shape *made = &r->items[index];
    facet_j3d_shape *shape = &o->shapes.items[index];
    box now[2], was[2];
    bool from_middle = false;
    measure(o, skeleton, made->indices[FACET_J3D_ARRAY_POSITION], NULL, number, made->draws,
            made->vertex_count, &now[0], &now[1]);
    const box *chosen = &now[shape->type == FACET_J3D_SHAPE_MULTI];
    if (index < before->count) {
        const facet_j3d_shape *old = &before->items[index];
        const facet_j3d_known_shape *known = &like->known[index];
        static const float zero[3];
        double near = 1e-3 * like->size;
        measure(o, skeleton, known->elements[FACET_J3D_ARRAY_POSITION], known->draws, number, NULL,
                known->vertex_count, &was[0], &was[1]);
        int ours = old->type == FACET_J3D_SHAPE_MULTI;
        int rule = is_box(&was[ours], old->minimum, old->maximum, near) ? ours : !ours;
        if (is_box(&was[rule], old->minimum, old->maximum, near)) {
            chosen = &now[rule];
            from_middle = fabs((double)old->radius - was[rule].radius) > near &&
                          fabs((double)old->radius - half_diagonal(&was[rule])) <= near;
        } else if (memcmp(old->minimum, zero, sizeof zero) == 0 &&
                   memcmp(old->maximum, zero, sizeof zero) == 0) {
            return; /* an exporter without bounds */
        }
    }
    memcpy(shape->minimum, chosen->minimum, sizeof shape->minimum);
    memcpy(shape->maximum, chosen->maximum, sizeof shape->maximum);
    shape->radius = (float)(from_middle ? half_diagonal(chosen) : chosen->radius);
}

/* Compute bounds of joints from the shapes that they own. */
static void unite(const facet_j3d_shapes *shapes, box *boxes, double *radii, uint32_t joints)
{
    for (uint32_t i = 0; i < shapes->count; i++) {
        const facet_j3d_shape *shape = &shapes->items[i];
        if (shape->joint >= joints)
            continue;
        grow(&boxes[shape->joint], shape->minimum);
        grow(&boxes[shape->joint], shape->maximum);
        radii[shape->joint] = fmax(radii[shape->joint], (double)shape->radius);
    }
}

static facet_status bound_joints(const facet_j3d_redrawn *r, const facet_j3d_shapes *before)
{
    const facet_j3d_builder *b = r->builder;
    facet_j3d *o = b->like->document;
    uint32_t count = o->joints.count;
    box *was = facet_j3d_builder_scratch(b, count, sizeof *was);
    box *now = facet_j3d_builder_scratch(b, count, sizeof *now);
    double *radii = facet_j3d_builder_scratch(b, (size_t)count * 2, sizeof *radii);
    if (!was || !now || !radii)
        return facet_j3d_builder_no_memory(b);
    unite(before, was, radii, count);
    unite(&o->shapes, now, radii + count, count);
    for (uint32_t j = 0; j < count; j++) {
        facet_j3d_joint *joint = &o->joints.items[j];
        double near = 1e-3 * b->like->size;
        bool own = is_box(&was[j], joint->minimum, joint->maximum, near);
        if (!now[j].any || (was[j].any && !own))
            continue;
        if (!own || !is_box(&now[j], was[j].minimum, was[j].maximum, 0)) {
            memcpy(joint->minimum, now[j].minimum, sizeof joint->minimum);
            memcpy(joint->maximum, now[j].maximum, sizeof joint->maximum);
        }
        if (!own ||
            (fabs((double)joint->radius - radii[j]) <= near && radii[j] != radii[count + j]))
            joint->radius = (float)radii[count + j];
    }
    return FACET_OK;
}

facet_status facet_j3d_like_bounds(const facet_j3d_redrawn *r, const uint32_t *number,
                                   const facet_j3d_shapes *before)
{
    facet_j3d *o = r->builder->like->document;
    facet_j3d_skeleton skeleton;
    facet_status status =
        facet_j3d_skeleton_create(o, r->builder->scratch, &skeleton, r->builder->error);
    for (uint32_t i = 0; i < r->count && !status; i++) {
        if (r->items[i].is_made && !r->items[i].is_hidden)
            bound_shape(r, &skeleton, number, before, i);
    }
    return status ? status : bound_joints(r, before);
}
