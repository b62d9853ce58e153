/* formats/bpx/check_model.c - the rules of models. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Vertices ----------------------------------------------------------- */

typedef struct vertex_tallies {
    facet_tally position, other, normal, joint, weight, degenerate, winding;
} vertex_tallies;

static void load(const uint8_t *at, uint32_t count, float *values)
{
    for (uint32_t i = 0; i < count; i++)
        values[i] = facet_load_f32le(at + 4 * i);
}

static void check_component(const facet_bpx_model *model, const facet_bpx_component *c,
                            const uint8_t *at, uint64_t vertex, vertex_tallies *t)
{
    float v[15], sum = 0;
    for (uint32_t k = 0; c->meaning == FACET_BPX_JOINTS && k < c->elements; k++) {
        if (facet_load_u32le(at + 4 * k) >= model->bone_count && model->bone_count > 0)
            facet_tally_hit(&t->joint, vertex);
    }
    if (c->type != FACET_BPX_COMPONENT_FLOAT)
        return;
    if (c->assumed == FACET_BPX_NORMAL && !facet_bpx_is_unit(at))
        facet_tally_hit(&t->normal, vertex);
    load(at, c->elements, v);
    bool finite = true, negative = false;
    for (uint32_t k = 0; k < c->elements; k++) {
        finite &= isfinite(v[k]) != 0;
        negative |= v[k] < 0;
        sum += v[k];
    }
    if (!finite)
        facet_tally_hit(c->meaning == FACET_BPX_POSITION ? &t->position : &t->other, vertex);
    else if (c->meaning == FACET_BPX_WEIGHTS && (negative || fabsf(sum - 1) > 1e-2F))
        facet_tally_hit(&t->weight, vertex);
}

/* BPX's frame is left-handed: for a triangle that is counter-clockwise for the viewer, the cross
 * product of the edges points away from the viewer. */
static void check_triangle(const uint8_t *at, size_t stride, const facet_bpx_component *position,
                           const facet_bpx_component *normal, uint64_t triangle, vertex_tallies *t)
{
    float p[3][3], n[3] = {0, 0, 0};
    for (size_t i = 0; i < 3; i++) {
        load(at + i * stride + position->offset, 3, p[i]);
        float one[3] = {0, 0, 0};
        if (normal)
            load(at + i * stride + normal->offset, 3, one);
        for (int k = 0; k < 3; k++)
            n[k] += one[k];
    }
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)p[1][k] - (double)p[0][k];
        b[k] = (double)p[2][k] - (double)p[0][k];
    }
    double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]};
    if (cross[0] == 0 && cross[1] == 0 && cross[2] == 0)
        facet_tally_hit(&t->degenerate, triangle);
    else if (normal &&
             cross[0] * (double)n[0] + cross[1] * (double)n[1] + cross[2] * (double)n[2] > 0)
        facet_tally_hit(&t->winding, triangle);
}

static void check_array(const facet_bpx *document, const facet_bpx_model *model,
                        const facet_bpx_vertex_array *array, facet_report *report)
{
    vertex_tallies t = {0};
    const facet_bpx_component *position = NULL, *normal = NULL;
    const facet_bpx_contents *c = &document->sections[array->section];
    uint64_t at = document->sections[array->section].offset;
    uint32_t stated = facet_load_u32le(c->data + 4);
    for (uint32_t i = 0; i < model->component_count; i++) {
        if (model->components[i].meaning == FACET_BPX_POSITION)
            position = &model->components[i];
        else if (model->components[i].meaning == FACET_BPX_NORMAL)
            normal = &model->components[i];
    }
    for (uint32_t v = 0; v < array->vertex_count; v++) {
        const uint8_t *vertex = array->vertices + (size_t)v * model->vertex_size;
        for (uint32_t i = 0; i < model->component_count; i++)
            check_component(model, &model->components[i], vertex + model->components[i].offset, v,
                            &t);
        if (v % 3 == 0 && position)
            check_triangle(vertex, model->vertex_size, position, normal, v / 3, &t);
    }
    unsigned section = array->section + 1;
    uint64_t mesh = (uint64_t)(array - model->arrays);
    if (c->size - 8 > (size_t)stated * model->vertex_size)
        facet_report_add(report, "BPX-M-VA-TAIL", FACET_SEVERITY_WARNING, at,
                         "bytes follow the vertices of section %u", section);
    if (stated % 3 != 0)
        facet_report_add(report, "BPX-M-VA-MULTIPLE", FACET_SEVERITY_WARNING, at + 4,
                         "section %u has %" PRIu32 " vertices, not a multiple of 3", section,
                         stated);
    if (stated == 0)
        facet_report_add(report, "BPX-M-VA-EMPTY", FACET_SEVERITY_WARNING, at + 4,
                         "section %u has no vertices", section);
    facet_report_add_tally_where(report, "BPX-M-VA-FLOAT", FACET_SEVERITY_ERROR,
                                 (facet_where){at, 0, mesh, FACET_NO_INDEX, t.position.first},
                                 &t.position,
                                 "the position of vertex %" PRIu64 " of section %u is not finite",
                                 t.position.first, section);
    facet_report_add_tally_where(
        report, "BPX-M-VA-FLOAT", FACET_SEVERITY_WARNING,
        (facet_where){at, 0, mesh, FACET_NO_INDEX, t.other.first}, &t.other,
        "vertex %" PRIu64 " of section %u has a value that is not finite", t.other.first, section);
    facet_report_add_tally_where(
        report, "BPX-M-VA-NORMAL", FACET_SEVERITY_WARNING,
        (facet_where){at, 0, mesh, FACET_NO_INDEX, t.normal.first}, &t.normal,
        "what seems to be the normal of vertex %" PRIu64 " of section %u is not of unit length",
        t.normal.first, section);
    facet_report_add_tally_where(
        report, "BPX-M-BONE-INDEX", FACET_SEVERITY_ERROR,
        (facet_where){at, 0, mesh, FACET_NO_INDEX, t.joint.first}, &t.joint,
        "vertex %" PRIu64 " of section %u names a bone that does not exist", t.joint.first,
        section);
    facet_report_add_tally_where(
        report, "BPX-M-BONE-WEIGHT", FACET_SEVERITY_WARNING,
        (facet_where){at, 0, mesh, FACET_NO_INDEX, t.weight.first}, &t.weight,
        "the weights of vertex %" PRIu64 " of section %u do not sum up to 1", t.weight.first,
        section);
    facet_report_add_tally_where(report, "BPX-M-VA-DEGENERATE", FACET_SEVERITY_NOTE,
                                 (facet_where){at, 0, mesh, t.degenerate.first, FACET_NO_INDEX},
                                 &t.degenerate, "triangle %" PRIu64 " of section %u has no area",
                                 t.degenerate.first, section);
    facet_report_add_tally_where(
        report, "BPX-M-VA-WINDING", FACET_SEVERITY_WARNING,
        (facet_where){at, 0, mesh, t.winding.first, FACET_NO_INDEX}, &t.winding,
        "triangle %" PRIu64 " of section %u faces away from its normals", t.winding.first, section);
}

/* -- Bones and frames --------------------------------------------------- */

/* True if the determinant is negligible compared with the lengths of the axes. */
static bool is_singular(const float *m)
{
    double x[3] = {(double)m[0], (double)m[4], (double)m[8]},
           y[3] = {(double)m[1], (double)m[5], (double)m[9]},
           z[3] = {(double)m[2], (double)m[6], (double)m[10]};
    double determinant = x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) +
                         x[2] * (y[0] * z[1] - y[1] * z[0]);
    double lengths = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) *
                     (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) *
                     (z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
    return fabs(determinant) <= 1e-7 * sqrt(lengths);
}

static void check_bones(const facet_bpx_model *model, facet_report *report)
{
    facet_tally row = {0}, odd = {0}, transposed = {0}, singular = {0};
    for (uint32_t i = 0; i < model->bone_count; i++) {
        float m[16];
        bool finite = true;
        load(model->bones + (size_t)i * FACET_BPX_BONE_SIZE, 16, m);
        for (int k = 0; k < 16; k++)
            finite &= isfinite(m[k]) != 0;
        bool last_row = m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1;
        bool last_column = m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1;
        if (!finite)
            facet_tally_hit(&odd, i);
        else if (!last_row)
            facet_tally_hit(last_column ? &transposed : &row, i);
        else if (is_singular(m))
            facet_tally_hit(&singular, i);
    }
    facet_report_add_tally(report, "BPX-M-BONE-MATRIX", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &odd,
                           "the matrix of bone %" PRIu64 " is not finite", odd.first);
    facet_report_add_tally(report, "BPX-M-BONE-MATRIX", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &row, "the last row of bone %" PRIu64 " is not 0 0 0 1", row.first);
    facet_report_add_tally(report, "BPX-M-BONE-MATRIX", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &singular, "the matrix of bone %" PRIu64 " has no inverse",
                           singular.first);
    facet_report_add_tally(report, "BPX-M-BONE-TRANSPOSED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &transposed, "the matrix of bone %" PRIu64 " seems to be transposed",
                           transposed.first);
}

static void check_frames(const facet_bpx *document, const facet_bpx_layout *layout,
                         const facet_bpx_model *model, facet_report *report)
{
    uint32_t index = 0;
    if (facet_bpx_count(document, FACET_BPX_ANIMATIONS, &index) > 0)
        facet_report_add(report, "BPX-M-ANIM-OPAQUE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "the AnimationArray has no defined layout");
    if (facet_bpx_count(document, FACET_BPX_FRAMES, &index) == 0)
        return;
    facet_bpx_section s = facet_bpx_section_at(layout, index);
    facet_report_add(report, "BPX-M-FRAME-OPAQUE", FACET_SEVERITY_NOTE, s.offset,
                     "the FrameArray has no defined layout%s",
                     model->frame_count > 0 ? "; it fits the private profile" : "");
    if (model->bone_count == 0)
        facet_report_add(report, "BPX-M-FRAME-NOBONES", FACET_SEVERITY_WARNING, s.offset,
                         "there are frames but no bones");
    if (s.compression == FACET_BPX_PLAIN && s.stored_size > 65536)
        facet_report_add(report, "BPX-M-FRAME-RAW", FACET_SEVERITY_NOTE, s.offset,
                         "%" PRIu32 " bytes of frames are not compressed", s.stored_size);
}

/* -- All checks -------------------------------------------------------- */

static void check_format(const facet_bpx *document, const facet_bpx_model *model,
                         facet_report *report)
{
    uint32_t index = 0;
    facet_bpx_count(document, FACET_BPX_VERTEX_FORMAT, &index);
    const facet_bpx_contents *c = &document->sections[index];
    uint64_t at = document->sections[index].offset;
    if (c->data[3] != 0)
        facet_report_add(report, "BPX-M-VF-RESERVED", FACET_SEVERITY_WARNING, at + 3,
                         "the reserved byte of the vertex format is not 0");
    if (c->size > 4u + model->component_count)
        facet_report_add(report, "BPX-M-VF-TAIL", FACET_SEVERITY_WARNING, at,
                         "bytes follow the components of the vertex format");
    if (model->swapped)
        facet_report_add(report, "BPX-M-VF-NIBBLES", FACET_SEVERITY_WARNING, at + 4,
                         "only the other order of nibbles fits the components");
    const facet_bpx_component *first = &model->components[0];
    if (first->type != FACET_BPX_COMPONENT_FLOAT || first->elements < 2 || first->elements > 3)
        facet_report_add(report, "BPX-M-VF-POSITION", FACET_SEVERITY_WARNING, at + 4,
                         "the vertex format does not begin with two or three floats");
    for (uint32_t i = 0; i < model->component_count; i++) {
        if (model->components[i].elements > 4)
            facet_report_add(report, "BPX-M-VF-ELEMS-LARGE", FACET_SEVERITY_WARNING, at + 4 + i,
                             "component %" PRIu32 " has %" PRIu32 " elements", i,
                             model->components[i].elements);
    }
    if (model->bone_count > 0) {
        facet_bpx_count(document, FACET_BPX_BONES, &index);
        if (model->bones == document->sections[index].data + 4)
            facet_report_add(report, "BPX-M-BONE-PADDED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "the bones begin after two bytes of padding");
    }
}

facet_status facet_bpx_check_model(const facet_bpx *document, const facet_bpx_layout *layout,
                                   facet_report *report, facet_error *error)
{
    static const uint8_t unused[5] = {0};
    facet_bpx_model model;
    facet_error fault;
    if (memcmp(document->extension, unused, 5) != 0)
        facet_report_add(report, "BPX-EXT-UNUSED", FACET_SEVERITY_WARNING, 0x13,
                         "the type extension of a model is not all zero");
    facet_status status = facet_bpx_get_model(document, &model, &fault);
    if (status == FACET_ERROR_MALFORMED) {
        if (strcmp(fault.rule, "BPX-SECTION-MISSING") != 0) /* check.c reports it for all
                                                             * sections */
            facet_report_add_fault(report, &fault, "BPX");
        return FACET_OK;
    }
    if (status) {
        if (error)
            *error = fault;
        return status;
    }
    check_format(document, &model, report);
    for (uint32_t i = 0; i < model.array_count; i++)
        check_array(document, &model, &model.arrays[i], report);
    check_bones(&model, report);
    check_frames(document, layout, &model, report);
    return facet_bpx_check_strings(document, &model, report, error);
}
