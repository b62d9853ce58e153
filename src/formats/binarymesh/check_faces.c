/* formats/binarymesh/check_faces.c - the rules for faces: indices, slots, shapes, and unused
 * elements. */
#include "formats/binarymesh/check.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Relative area of a face without area: the rounding error. */
#define FLAT 1e-12
/* Relative distance of an n-gon's corners from its mean plane. */
#define PLANAR 1e-3
/* float32 has 24 bits: beyond this coordinate, an edge has fewer than four of them. */
#define COARSE (1024.0 * 1024.0)

typedef struct face_check {
    facet_binarymesh_checker *checking;
    const facet_binarymesh *document;
    const facet_binarymesh_object *object;
    uint32_t *stamps; /* by position: number of the last face that used it, plus one */
    uint8_t *used_normals, *used_texcoords;
    double largest; /* largest coordinate */
    double smallest_edge;
} face_check;

/* -- Indices -------------------------------------------------------------- */

/* Check the optional indices of a face: in range, and all present or all missing. */
static void check_optional(const uint32_t *indices, uint32_t begin, uint32_t end, uint32_t count,
                           uint8_t *used, bool *range, bool *pseudo, bool *mixed)
{
    bool some = false, all = true;
    for (uint32_t corner = begin; corner < end; corner++) {
        uint32_t index = indices[corner];
        bool none = index == FACET_NONE || count == 0;
        some |= !none;
        all &= !none;
        *pseudo |= count == 0 && index != FACET_NONE;
        *range |= !none && index >= count;
        if (index < count)
            used[index] = 1;
    }
    *mixed = some && !all;
}

static void check_normals(face_check *f, uint32_t begin, uint32_t end, uint32_t face)
{
    bool range = false, pseudo = false, mixed = false;
    check_optional(f->object->normal_indices, begin, end, f->object->normal_count, f->used_normals,
                   &range, &pseudo, &mixed);
    if (range)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_NORMAL, face);
    if (pseudo)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_NORMAL_PSEUDO, face);
    if (mixed)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_NORMAL_MIXED, face);
}

static void check_texcoords(face_check *f, uint32_t begin, uint32_t end, uint32_t face)
{
    bool range = false, pseudo = false, mixed = false;
    check_optional(f->object->texcoord_indices, begin, end, f->object->texcoord_count,
                   f->used_texcoords, &range, &pseudo, &mixed);
    if (range)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_TEXCOORD, face);
    if (pseudo)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_TEXCOORD_PSEUDO, face);
    if (mixed)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_TEXCOORD_MIXED, face);
}

/* True if all positions of the face are valid. */
static bool check_positions(face_check *f, uint32_t begin, uint32_t end, uint32_t face)
{
    const facet_binarymesh_object *object = f->object;
    bool out = false, repeat = false;
    for (uint32_t corner = begin; corner < end; corner++) {
        uint32_t index = object->position_indices[corner];
        if (index >= object->position_count) {
            out = true;
            continue;
        }
        repeat |= f->stamps[index] == face + 1;
        f->stamps[index] = face + 1;
    }
    if (out)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_POSITION, face);
    if (repeat)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_REPEAT, face);
    return !out;
}

/* Check the slot of a face. Without slots, slot 0 means no slot. */
static void check_slot(face_check *f, uint32_t face)
{
    uint32_t slot = f->object->face_slots ? f->object->face_slots[face] : 0;
    if (slot == FACET_BINARYMESH_NO_SLOT)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_NO_SLOT, face);
    else if (slot >= f->object->slot_count && (slot != 0 || f->object->slot_count != 0))
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_SLOT, face);
}

/* -- Shapes --------------------------------------------------------------- */

static void get_position(const face_check *f, uint32_t corner, double *point)
{
    size_t at = (size_t)f->object->position_indices[corner] * 3;
    for (size_t axis = 0; axis < 3; axis++)
        point[axis] = facet_binarymesh_real(f->document, f->object->positions, at + axis);
}

static void add_cross(const double *a, const double *b, double *sum)
{
    sum[0] += a[1] * b[2] - a[2] * b[1];
    sum[1] += a[2] * b[0] - a[0] * b[2];
    sum[2] += a[0] * b[1] - a[1] * b[0];
}

/* Shape of a face, relative to its first corner. */
typedef struct shape {
    double normal[3]; /* Newell's normal: its length is twice the area */
    double middle[3]; /* mean of the corners */
    double size;      /* largest distance from the first corner */
} shape;

static shape measure(face_check *f, uint32_t begin, uint32_t end)
{
    shape s;
    memset(&s, 0, sizeof s);
    double first[3], before[3] = {0, 0, 0}, point[3], here[3], edge[3];
    get_position(f, begin, first);
    get_position(f, end - 1, point);
    facet_subtract(point, first, before);
    for (uint32_t corner = begin; corner < end; corner++) {
        get_position(f, corner, point);
        facet_subtract(point, first, here);
        add_cross(before, here, s.normal);
        facet_subtract(here, before, edge);
        double length = sqrt(facet_dot(edge, edge)), distance = sqrt(facet_dot(here, here));
        if (length > 0 && length < f->smallest_edge)
            f->smallest_edge = length;
        if (distance > s.size)
            s.size = distance;
        for (int axis = 0; axis < 3; axis++) {
            s.middle[axis] += here[axis] / (end - begin);
            f->largest = fmax(f->largest, fabs(point[axis]));
            before[axis] = here[axis];
        }
    }
    return s;
}

/* Report corners off the plane, and concave corners. */
static void check_polygon(face_check *f, uint32_t begin, uint32_t end, uint32_t face,
                          const shape *s, double length)
{
    double before[3], here[3], after[3], into[3], out[3], off[3];
    bool plane = true, convex = true;
    get_position(f, begin, off);
    get_position(f, end - 1, before);
    facet_subtract(before, off, before);
    for (uint32_t corner = begin; corner < end; corner++) {
        get_position(f, corner, here);
        facet_subtract(here, off, here);
        get_position(f, corner + 1 < end ? corner + 1 : begin, after);
        facet_subtract(after, off, after);
        double turn[3] = {0, 0, 0}, from_middle[3];
        facet_subtract(here, before, into);
        facet_subtract(after, here, out);
        add_cross(into, out, turn);
        convex &= facet_dot(turn, s->normal) >= -FLAT * s->size * s->size * length;
        facet_subtract(here, s->middle, from_middle);
        plane &= fabs(facet_dot(from_middle, s->normal)) <= PLANAR * s->size * length;
        memcpy(before, here, sizeof before);
    }
    if (!plane)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_NONPLANAR, face);
    if (!convex)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_CONCAVE, face);
}

/* Report corners whose normals point to the back. */
static void check_winding(face_check *f, uint32_t begin, uint32_t end, uint32_t face,
                          const shape *s)
{
    const facet_binarymesh_object *object = f->object;
    double sum = 0;
    for (uint32_t corner = begin; corner < end; corner++) {
        uint32_t index = object->normal_indices[corner];
        if (index >= object->normal_count)
            return;
        for (size_t axis = 0; axis < 3; axis++)
            sum += s->normal[axis] *
                   facet_binarymesh_real(f->document, object->normals, (size_t)index * 3 + axis);
    }
    if (sum < 0)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_WINDING, face);
}

static void check_shape(face_check *f, uint32_t begin, uint32_t end, uint32_t face)
{
    shape s = measure(f, begin, end);
    double length = sqrt(facet_dot(s.normal, s.normal));
    if (!isfinite(length))
        return; /* reported elsewhere */
    if (length <= FLAT * s.size * s.size) {
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_ZERO_AREA, face);
        return;
    }
    if (end - begin > 3)
        check_polygon(f, begin, end, face, &s, length);
    check_winding(f, begin, end, face, &s);
}

static void check_face(face_check *f, uint32_t face)
{
    uint32_t begin = facet_binarymesh_face_begin(f->object, face);
    uint32_t end = facet_binarymesh_face_end(f->object, face);
    f->checking->sizes[end - begin]++;
    if (end - begin > 3)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_NGON, face);
    check_normals(f, begin, end, face);
    check_texcoords(f, begin, end, face);
    check_slot(f, face);
    bool whole = check_positions(f, begin, end, face);
    if (end - begin < 3)
        facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_FACE_CORNERS, face);
    else if (whole)
        check_shape(f, begin, end, face);
}

/* -- All faces ------------------------------------------------------------ */

static void check_unused(face_check *f)
{
    for (uint32_t i = 0; i < f->object->position_count; i++) {
        if (f->stamps[i] == 0)
            facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_POSITION_UNUSED, i);
    }
    for (uint32_t i = 0; i < f->object->normal_count; i++) {
        if (!f->used_normals[i])
            facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_NORMAL_UNUSED, i);
    }
    for (uint32_t i = 0; i < f->object->texcoord_count; i++) {
        if (!f->used_texcoords[i])
            facet_binarymesh_hit(f->checking, FACET_BINARYMESH_RULE_TEXCOORD_UNUSED, i);
    }
}

facet_status facet_binarymesh_check_faces(facet_binarymesh_checker *c, facet_error *error)
{
    const facet_binarymesh_object *object = &c->document->objects[c->object];
    face_check f = {
        .checking = c, .document = c->document, .object = object, .smallest_edge = INFINITY};
    f.stamps = facet_arena_allocate_zeroed(c->scratch, object->position_count, sizeof *f.stamps);
    f.used_normals = facet_arena_allocate_zeroed(c->scratch, object->normal_count, 1);
    f.used_texcoords = facet_arena_allocate_zeroed(c->scratch, object->texcoord_count, 1);
    if (!f.stamps || !f.used_normals || !f.used_texcoords)
        return facet_fail_arena(c->scratch, error);
    for (uint32_t face = 0; face < object->face_count; face++)
        check_face(&f, face);
    check_unused(&f);
    if (c->document->version == 4 && isfinite(f.largest) && f.largest > f.smallest_edge * COARSE)
        facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_PRECISION, 0);
    return FACET_OK;
}
