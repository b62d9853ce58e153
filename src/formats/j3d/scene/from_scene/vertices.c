/* formats/j3d/scene/from_scene/vertices.c - streams to vertex arrays: 16-bit numbers if they are
 * precise enough, and each distinct value once. */
#include "formats/j3d/scene/from_scene/builder.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/color.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "formats/j3d/scene/from_scene/original.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_ELEMENTS 65535 /* index FFFF makes the hardware skip the vertex */
#define MAX_WORDS 3
/* Maximum rounding error of positions, times two, relative to the model's size. */
#define POSITION_TOLERANCE 1e-4
#define NORMAL_BITS 14
#define MAX_ROUGH 8 /* maximum number of low bits to round away from normals: half a degree */

/* -- Distinct values ---------------------------------------------------- */

/* Distinct elements of up to three words, as stored: big-endian in every word. */
typedef struct distinct {
    facet_records values;
    bool has_no_memory;
} distinct;

static distinct start(const facet_j3d_builder *b, uint32_t words)
{
    distinct d = {.values = facet_records_make(b->scratch, words * sizeof(uint32_t))};
    d.has_no_memory = !facet_records_reserve(&d.values, b->vertex_count);
    return d;
}

static uint32_t put(distinct *d, const uint32_t value[MAX_WORDS])
{
    uint32_t index = facet_records_put(&d->values, value);
    d->has_no_memory |= index == UINT32_MAX;
    return index;
}

/* -- Precision ---------------------------------------------------------- */

/* The range of a stream's values, and their storage type. */
typedef struct measure {
    double most;              /* largest magnitude */
    double low[3], high[3];   /* bounding box */
    facet_j3d_component type; /* FACET_J3D_S16 or FACET_J3D_F32 */
    uint8_t bits;             /* fraction bits */
} measure;

static void begin_measure(measure *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < 3; i++) {
        m->low[i] = INFINITY;
        m->high[i] = -INFINITY;
    }
}

/* Extend the range. False if a value is not finite. */
static bool add_measure(measure *m, const float *values, size_t count, size_t components,
                        size_t stride)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < components; k++) {
            double value = (double)values[i * stride + k];
            if (!isfinite(value))
                return false;
            m->most = fmax(m->most, fabs(value));
            m->low[k] = fmin(m->low[k], value);
            m->high[k] = fmax(m->high[k], value);
        }
    }
    return true;
}

/* Use 16 bits, with as many fraction bits as the largest value permits. If steps exceed
 * `tolerance`, use floats. */
static void choose_type(const facet_j3d_builder *b, int array, measure *m, double tolerance)
{
    facet_j3d_quantize how =
        b->options && b->options->j3d ? b->options->j3d->quantize : FACET_J3D_QUANTIZE_AUTO;
    m->type = FACET_J3D_F32;
    m->bits = 0;
    if (b->like) { /* compare values in the precision of the original */
        const facet_j3d_vertex_format *format = b->like->document->vertices.arrays[array].format;
        if (!format || format->component != FACET_J3D_S16 ||
            m->most * ldexp(1, format->fraction_bits & 31) >= 32767.5)
            return;
        m->type = FACET_J3D_S16;
        m->bits = format->fraction_bits & 31;
        return;
    }
    if (how == FACET_J3D_QUANTIZE_NONE || m->most >= 32767.5)
        return;
    uint8_t bits = 0;
    while (bits < 31 && m->most * (double)(1u << (bits + 1)) < 32767.5)
        bits++;
    if (how == FACET_J3D_QUANTIZE_AUTO && 1 / (double)(1u << bits) > tolerance)
        return;
    m->type = FACET_J3D_S16;
    m->bits = bits;
}

static uint16_t quantize(float value, uint8_t bits)
{
    double scaled = round((double)value * (double)(1u << bits));
    return (uint16_t)(int16_t)fmin(fmax(scaled, -32768), 32767);
}

static uint32_t bits_of(float value)
{
    return facet_bits_of_float(value == 0 ? 0 : value);
}

/* -- The arrays --------------------------------------------------------- */

static void set_format(const facet_j3d_builder *b, int array, uint32_t attribute,
                       uint32_t count_code, uint32_t component, uint8_t bits)
{
    facet_j3d_vertices *vertices = &b->document->vertices;
    facet_j3d_vertex_format *format = &vertices->formats[vertices->format_count++];
    *format = (facet_j3d_vertex_format){attribute, count_code, component, bits, {0xFF, 0xFF, 0xFF}};
    vertices->arrays[array].format = format;
}

/* Store the distinct values as an array of the document. */
static facet_status store(facet_j3d_builder *b, int array, const distinct *d, uint32_t stride,
                          const char *what)
{
    facet_j3d_array *to = &b->document->vertices.arrays[array];
    uint32_t count = d->values.count, words = (uint32_t)(d->values.size / sizeof(uint32_t));
    if (d->has_no_memory)
        return facet_fail_arena(b->scratch, b->error);
    TRY(facet_j3d_builder_limit(
        b, "J3D-LIMIT-ELEMENTS", count, MAX_ELEMENTS, what,
        "simplify the model, split it into several, or store it with --quantize s16, where more "
        "values are equal"));
    uint8_t *bytes = facet_j3d_builder_keep(b, count, stride);
    if (!bytes)
        return facet_j3d_builder_no_memory(b);
    const uint32_t *value = (const void *)d->values.items;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t last[4], *at = bytes + (size_t)i * stride;
        for (uint32_t word = 0; word < words; word++) {
            uint32_t left = stride - word * 4;
            facet_store_u32be(last, *value++);
            memcpy(at + (size_t)word * 4, last, left < 4 ? left : 4);
        }
    }
    to->bytes = bytes;
    to->count = count;
    to->stride = stride;
    to->size = (size_t)count * stride;
    return FACET_OK;
}

/* Report the precision. `scale` is the factor from stored lengths to lengths in the model. */
static void note_precision(const facet_j3d_builder *b, const char *what, const measure *m,
                           double scale)
{
    if (m->type == FACET_J3D_S16 && !b->like)
        facet_report_add(
            facet_j3d_builder_report(b), "J3D-QUANTIZED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
            "%s are stored in 16 bits with %u fraction bits: the largest error is %.3g", what,
            (unsigned)m->bits, scale * 0.5 / (double)(1u << m->bits));
}

/* Collect the distinct vectors of all vertices. The lowest `rough` of 16 bits are rounded away. */
static void collect_vectors(const facet_j3d_builder *b, int array, const float *values,
                            const measure *m, uint8_t rough, distinct *d)
{
    for (uint32_t v = 0; v < b->vertex_count; v++) {
        const float *at = values + (size_t)v * 3;
        uint32_t key[MAX_WORDS] = {0};
        if (m->type == FACET_J3D_S16) {
            uint16_t q[3];
            for (int i = 0; i < 3; i++)
                q[i] = (uint16_t)(quantize(at[i], (uint8_t)(m->bits - rough)) << rough);
            key[0] = (uint32_t)q[0] << 16 | q[1];
            key[1] = (uint32_t)q[2] << 16;
        } else {
            for (int i = 0; i < 3; i++)
                key[i] = bits_of(at[i]);
        }
        b->indices[array][v] = (uint16_t)put(d, key);
    }
}

static facet_status store_vectors(facet_j3d_builder *b, int array, const float *values,
                                  const measure *m, uint8_t rough, const char *what)
{
    distinct d = start(b, m->type == FACET_J3D_S16 ? 2 : 3);
    if (!b->indices[array])
        b->indices[array] = facet_j3d_builder_scratch(b, b->vertex_count, sizeof **b->indices);
    if (!b->indices[array])
        return facet_j3d_builder_no_memory(b);
    collect_vectors(b, array, values, m, rough, &d);
    facet_status status = store(b, array, &d, m->type == FACET_J3D_S16 ? 6 : 12, what);
    facet_records_free(&d.values);
    return status;
}

static facet_status not_finite(const facet_j3d_builder *b, const char *what)
{
    return facet_fail(b->error, FACET_ERROR_LIMIT, "J3D-VTX1-FINITE", FACET_NO_OFFSET,
                      "one of the %s is infinite or not a number, which a J3D model must not hold",
                      what);
}

/* The largest scale factor of a matrix. Vertices of one joint are stored in joint space. */
static double scale_of(const double m[12])
{
    double most = 0;
    for (int c = 0; c < 3; c++)
        most = fmax(most, m[c] * m[c] + m[4 + c] * m[4 + c] + m[8 + c] * m[8 + c]);
    return sqrt(most);
}

/* Compute the size of the model. *step is the largest scale from stored numbers to the model. */
static double size_of_model(const facet_j3d_builder *b, double *step)
{
    const facet_j3d_draw_matrices *draw = &b->document->draw_matrices;
    measure m;
    begin_measure(&m);
    *step = 0;
    for (uint32_t v = 0; v < b->vertex_count; v++) {
        const facet_j3d_draw_matrix *item = &draw->items[b->matrix[v]];
        float p[3] = {b->positions[v * 3], b->positions[v * 3 + 1], b->positions[v * 3 + 2]};
        double scale = 1;
        if (!item->is_envelope) {
            const double *place = b->joint_place[item->index];
            scale = scale_of(place);
            facet_j3d_matrix_point(place, p, p);
        }
        *step = fmax(*step, scale);
        add_measure(&m, p, 1, 3, 3);
    }
    double size = 0;
    for (int i = 0; i < 3 && b->vertex_count > 0; i++)
        size += (m.high[i] - m.low[i]) * (m.high[i] - m.low[i]);
    if (!(*step > 0) || !isfinite(*step))
        *step = 1;
    return isfinite(size) ? sqrt(size) : 0;
}

static facet_status build_positions(facet_j3d_builder *b)
{
    measure m;
    double step, size;
    begin_measure(&m);
    if (!add_measure(&m, b->positions, b->vertex_count, 3, 3))
        return not_finite(b, "positions");
    size = size_of_model(b, &step);
    choose_type(b, FACET_J3D_ARRAY_POSITION, &m, POSITION_TOLERANCE * size / step);
    set_format(b, FACET_J3D_ARRAY_POSITION, FACET_J3D_POSITION, 1, m.type, m.bits);
    note_precision(b, "positions", &m, step);
    return store_vectors(b, FACET_J3D_ARRAY_POSITION, b->positions, &m, 0, "different positions");
}

static facet_status build_normals(facet_j3d_builder *b)
{
    measure m = {.type = FACET_J3D_S16, .bits = NORMAL_BITS};
    if (!b->normals)
        return FACET_OK;
    if (b->options && b->options->j3d && b->options->j3d->quantize == FACET_J3D_QUANTIZE_NONE)
        m = (measure){.type = FACET_J3D_F32};
    if (!add_measure(&m, b->normals, b->vertex_count, 3, 3))
        return not_finite(b, "normals");
    if (m.most * (1 << NORMAL_BITS) >= 32767.5) /* of the source file */
        m = (measure){.type = FACET_J3D_F32};
    set_format(b, FACET_J3D_ARRAY_NORMAL, FACET_J3D_NORMAL, 0, m.type, m.bits);
    /* If there are too many normals, round them until they fit: an error of one degree is not
     * visible. */
    facet_status status = FACET_ERROR_LIMIT;
    uint8_t rough = 0;
    for (; rough <= MAX_ROUGH && status == FACET_ERROR_LIMIT; rough++)
        status = store_vectors(b, FACET_J3D_ARRAY_NORMAL, b->normals, &m,
                               m.type == FACET_J3D_S16 ? rough : 0, "different normals");
    if (!status && rough > 1)
        facet_report_add(facet_j3d_builder_report(b), "LOSS-PRECISION", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET,
                         "normals are rounded to %d fraction bits, so that there are at most %d",
                         NORMAL_BITS - rough + 1, MAX_ELEMENTS);
    return status;
}

/* -- Colors ------------------------------------------------------------ */

static uint32_t alpha_byte(float alpha)
{
    return alpha >= 1 ? 255 : alpha > 0 ? (uint32_t)((double)alpha * 255 + 0.5) : 0;
}

uint32_t facet_j3d_color_of(const float *color, uint32_t components)
{
    /* GX multiplies gamma-encoded colors. */
    uint32_t value = components == 4 ? alpha_byte(color[3]) : 255;
    for (int i = 0; i < 3; i++)
        value |= (uint32_t)facet_srgb_byte((double)color[i]) << (24 - 8 * i);
    return value;
}

static void add_colors(const facet_j3d_instance *instance, const facet_stream *stream,
                       uint16_t *indices, distinct *d)
{
    uint32_t key[MAX_WORDS] = {0}, index = FACET_NONE;
    size_t size = stream->components * facet_component_size(stream->component);
    const uint8_t *last = NULL;
    for (uint32_t v = 0; v < instance->vertex_count; v++) {
        const uint8_t *color = (const uint8_t *)stream->data + v * size;
        if (!last || memcmp(color, last, size) != 0) {
            key[0] =
                stream->semantic == FACET_CUSTOM
                    ? facet_load_u32be(color)
                    : facet_j3d_color_of((const float *)(const void *)color, stream->components);
            index = put(d, key);
        }
        last = color;
        indices[instance->first_vertex + v] = (uint16_t)index;
    }
}

/* Count the vertices of a mesh with a color that is not within 0 to 1. */
static void count_clamped(const facet_j3d_instance *instance, const facet_stream *stream,
                          facet_tally *clamped)
{
    const float *values = stream->data;
    uint32_t width = stream->components;
    for (uint32_t v = 0; v < instance->vertex_count; v++) {
        bool is_inside = true;
        for (uint32_t i = 0; i < width; i++)
            is_inside &= values[(size_t)v * width + i] >= 0 && values[(size_t)v * width + i] <= 1;
        if (!is_inside)
            facet_tally_hit(clamped, instance->first_vertex + v);
    }
}

/* Take the shown color of vertices whose stored color is no longer shown as in the original. */
static void add_recolored(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                          uint32_t set, const facet_stream *stored, distinct *d)
{
    const facet_stream *shown = facet_mesh_find(instance->mesh, FACET_COLOR, set);
    bool *is_stored = b->color_is_stored[set] + instance->first_vertex;
    memset(is_stored, true, instance->vertex_count);
    if (!shown || shown->count != stored->count)
        return;
    for (uint32_t v = 0; v < instance->vertex_count; v++) {
        uint32_t key[MAX_WORDS] = {0};
        key[0] = facet_j3d_color_of((const float *)shown->data + (size_t)v * shown->components,
                                    shown->components);
        uint32_t kept = facet_load_u32be((const uint8_t *)stored->data + (size_t)v * 4);
        if (!b->like->steps->is_recolored(b, instance->node, set, kept, key[0]))
            continue;
        is_stored[v] = false;
        b->indices[FACET_J3D_ARRAY_COLOR0 + set][instance->first_vertex + v] =
            (uint16_t)put(d, key);
    }
}

static facet_status build_colors(facet_j3d_builder *b, uint32_t set)
{
    int array = FACET_J3D_ARRAY_COLOR0 + (int)set;
    bool any = false;
    for (uint32_t i = 0; i < b->instance_count; i++)
        any |= facet_j3d_color_stream(b->instances[i].mesh, set) != NULL;
    if (!any)
        return FACET_OK;
    distinct d = start(b, 1);
    facet_tally clamped = {0};
    b->indices[array] = facet_j3d_builder_scratch(b, b->vertex_count, sizeof **b->indices);
    if (b->like)
        b->color_is_stored[set] = facet_j3d_builder_scratch(b, b->vertex_count, sizeof(bool));
    if (!b->indices[array] || (b->like && !b->color_is_stored[set]))
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < b->instance_count; i++) {
        const facet_stream *stream = facet_j3d_color_stream(b->instances[i].mesh, set);
        if (stream)
            add_colors(&b->instances[i], stream, b->indices[array], &d);
        if (stream && stream->semantic == FACET_COLOR)
            count_clamped(&b->instances[i], stream, &clamped);
        if (stream && b->like && stream->semantic == FACET_CUSTOM)
            add_recolored(b, &b->instances[i], set, stream, &d);
    }
    facet_report_add_tally(facet_j3d_builder_report(b), "LOSS-COLORS", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &clamped,
                           "the color of vertex %" PRIu64 " is not within 0 to 1, and is clamped",
                           clamped.first);
    set_format(b, array, FACET_J3D_COLOR0 + set, 1, FACET_J3D_RGBA8, 0);
    facet_status status = store(b, array, &d, 4, "different colors");
    facet_records_free(&d.values);
    return status;
}

/* -- Texture coordinates ------------------------------------------------ */

static bool has_texcoords(const facet_j3d_builder *b, uint32_t set)
{
    for (uint32_t i = 0; i < b->instance_count; i++) {
        if (facet_mesh_find(b->instances[i].mesh, FACET_TEXCOORD, set))
            return true;
    }
    return false;
}

static float turned(const facet_j3d_builder *b, float v)
{
    return b->flip_v ? 1 - v : v;
}

static facet_status measure_texcoords(const facet_j3d_builder *b, uint32_t set, measure *m)
{
    begin_measure(m);
    for (uint32_t i = 0; i < b->instance_count; i++) {
        const facet_stream *stream = facet_mesh_find(b->instances[i].mesh, FACET_TEXCOORD, set);
        if (!stream)
            continue;
        if (!add_measure(m, stream->data, b->instances[i].vertex_count, 2, stream->components))
            return not_finite(b, "texture coordinates");
    }
    /* v becomes 1 - v, which can be larger. */
    if (b->flip_v)
        m->most = fmax(m->most, fmax(fabs(1 - m->low[1]), fabs(1 - m->high[1])));
    choose_type(b, FACET_J3D_ARRAY_TEXCOORD0 + (int)set, m,
                1 / (8 * (double)(b->largest_texture ? b->largest_texture : 1024)));
    return FACET_OK;
}

static void add_texcoords(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                          const facet_stream *stream, const measure *m, uint16_t *indices,
                          distinct *d)
{
    for (uint32_t i = 0; i < instance->vertex_count; i++) {
        const float *uv = (const float *)stream->data + (size_t)i * stream->components;
        float u = uv[0], v = turned(b, uv[1]);
        uint32_t key[MAX_WORDS] = {0};
        if (m->type == FACET_J3D_S16) {
            key[0] = (uint32_t)quantize(u, m->bits) << 16 | quantize(v, m->bits);
        } else {
            key[0] = bits_of(u);
            key[1] = bits_of(v);
        }
        indices[instance->first_vertex + i] = (uint16_t)put(d, key);
    }
}

static facet_status build_texcoords(facet_j3d_builder *b, uint32_t set)
{
    int array = FACET_J3D_ARRAY_TEXCOORD0 + (int)set;
    measure m;
    char what[32];
    if (!has_texcoords(b, set))
        return FACET_OK;
    TRY(measure_texcoords(b, set, &m));
    distinct d = start(b, m.type == FACET_J3D_S16 ? 1 : 2);
    b->indices[array] = facet_j3d_builder_scratch(b, b->vertex_count, sizeof **b->indices);
    if (!b->indices[array])
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < b->instance_count; i++) {
        const facet_stream *stream = facet_mesh_find(b->instances[i].mesh, FACET_TEXCOORD, set);
        if (stream)
            add_texcoords(b, &b->instances[i], stream, &m, b->indices[array], &d);
    }
    set_format(b, array, FACET_J3D_TEXCOORD0 + set, 1, m.type, m.bits);
    snprintf(what, sizeof what, "texture coordinates %" PRIu32, set);
    note_precision(b, what, &m, 1);
    facet_status status =
        store(b, array, &d, m.type == FACET_J3D_S16 ? 4 : 8, "different texture coordinates");
    facet_records_free(&d.values);
    return status;
}

facet_status facet_j3d_build_vertices(facet_j3d_builder *b)
{
    facet_j3d_vertices *vertices = &b->document->vertices;
    vertices->formats = facet_j3d_builder_keep(b, FACET_J3D_ARRAY_COUNT, sizeof *vertices->formats);
    if (!vertices->formats)
        return facet_j3d_builder_no_memory(b);
    b->document->has_vertices = true;
    facet_status status = build_positions(b);
    if (!status)
        status = build_normals(b);
    for (uint32_t set = 0; set < 2 && !status; set++)
        status = build_colors(b, set);
    for (uint32_t set = 0; set < 8 && !status; set++)
        status = build_texcoords(b, set);
    return status;
}

/* -- Used elements ------------------------------------------------------ */

/* Mark the elements of an array that triangles of any shape use. */
static void mark_used(const facet_j3d_builder *b, int array, uint8_t *used)
{
    for (uint32_t i = 0; i < b->shape_count; i++) {
        const facet_j3d_shape_plan *shape = &b->shapes[i];
        size_t corners = (size_t)shape->triangle_count * 3;
        for (size_t k = 0; k < corners && shape->arrays & 1u << array; k++)
            used[b->indices[array][shape->vertices[shape->triangles[k]]]] = 1;
    }
}

/* Remove the formats of arrays that are empty now. */
static void drop_formats(facet_j3d_vertices *vertices)
{
    facet_j3d_vertex_format *kept = vertices->formats;
    for (int i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        facet_j3d_array *array = &vertices->arrays[i];
        if (!array->bytes)
            continue;
        *kept = *array->format; /* formats are in the order of the arrays */
        array->format = kept++;
    }
    vertices->format_count = (uint32_t)(kept - vertices->formats);
}

facet_status facet_j3d_drop_unused_elements(facet_j3d_builder *b)
{
    uint16_t *number = facet_j3d_builder_scratch(b, UINT16_MAX + 1, sizeof *number);
    uint8_t *used = facet_j3d_builder_scratch(b, UINT16_MAX + 1, 1);
    if (!number || !used)
        return facet_j3d_builder_no_memory(b);
    for (int i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        facet_j3d_array *array = &b->document->vertices.arrays[i];
        uint8_t *bytes = (uint8_t *)array->bytes; /* allocated in this file */
        uint32_t kept = 0;
        if (!bytes)
            continue;
        memset(used, 0, array->count);
        mark_used(b, i, used);
        for (uint32_t e = 0; e < array->count; e++) {
            if (!used[e])
                continue;
            memmove(bytes + (size_t)kept * array->stride, bytes + (size_t)e * array->stride,
                    array->stride);
            number[e] = (uint16_t)kept++;
        }
        if (kept == array->count)
            continue;
        for (uint32_t v = 0; v < b->vertex_count; v++)
            b->indices[i][v] = used[b->indices[i][v]] ? number[b->indices[i][v]] : 0;
        array->count = kept;
        array->size = (size_t)kept * array->stride;
        if (kept == 0)
            *array = (facet_j3d_array){0};
    }
    drop_formats(&b->document->vertices);
    return FACET_OK;
}
