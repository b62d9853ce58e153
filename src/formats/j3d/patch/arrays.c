/* formats/j3d/patch/arrays.c - new elements of vertex arrays, stored like the old ones. */
#include "formats/j3d/patch/arrays.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/file/display_list.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAX_ELEMENTS 65535 /* index FFFF makes the hardware skip the vertex */
#define MAX_STRIDE 36

static uint32_t attribute_of(int array)
{
    static const uint32_t first[] = {FACET_J3D_POSITION, FACET_J3D_NORMAL, FACET_J3D_NBT,
                                     FACET_J3D_COLOR0, FACET_J3D_COLOR0 + 1};
    return array < FACET_J3D_ARRAY_TEXCOORD0
               ? first[array]
               : FACET_J3D_TEXCOORD0 + (uint32_t)(array - FACET_J3D_ARRAY_TEXCOORD0);
}

static bool is_color(int array)
{
    return array >= FACET_J3D_ARRAY_COLOR0 && array < FACET_J3D_ARRAY_TEXCOORD0;
}

/* -- Numbers ------------------------------------------------------------ */

static unsigned width_of(const facet_j3d_vertex_format *format, int array)
{
    if (array >= FACET_J3D_ARRAY_TEXCOORD0)
        return format->count_code == 0 ? 1 : 2;
    return array == FACET_J3D_ARRAY_POSITION && format->count_code == 0 ? 2 : 3;
}

static size_t size_of(uint32_t component)
{
    return component == FACET_J3D_F32 ? 4 : component >= FACET_J3D_U16 ? 2 : 1;
}

/* Store a number. False if it does not fit. */
static bool store_number(uint8_t *to, const facet_j3d_vertex_format *format, float value)
{
    static const double least[] = {0, -128, 0, -32768}, most[] = {255, 127, 65535, 32767};
    if (format->component >= FACET_J3D_F32) {
        facet_store_u32be(to, facet_bits_of_float(value == 0 ? 0 : value));
        return true;
    }
    double scaled = round(ldexp((double)value, format->fraction_bits & 31));
    bool fits = scaled >= least[format->component] && scaled <= most[format->component];
    int32_t whole = fits ? (int32_t)scaled : 0;
    if (size_of(format->component) == 2)
        facet_store_u16be(to, (uint16_t)whole);
    else
        *to = (uint8_t)whole;
    return fits;
}

static float load_number(const uint8_t *at, const facet_j3d_vertex_format *format)
{
    double value = 0;
    switch (format->component) {
    case FACET_J3D_U8:
        value = *at;
        break;
    case FACET_J3D_S8:
        value = (int8_t)*at;
        break;
    case FACET_J3D_U16:
        value = facet_load_u16be(at);
        break;
    case FACET_J3D_S16:
        value = (int16_t)facet_load_u16be(at);
        break;
    default:
        return facet_load_f32be(at);
    }
    return (float)ldexp(value, -(int)(format->fraction_bits & 31));
}

static void store_color(uint8_t *to, uint32_t component, const uint8_t c[4])
{
    switch (component) {
    case FACET_J3D_RGB565:
        facet_store_u16be(to, (uint16_t)(c[0] >> 3 << 11 | c[1] >> 2 << 5 | c[2] >> 3));
        break;
    case FACET_J3D_RGB8:
        memcpy(to, c, 3);
        break;
    case FACET_J3D_RGBX8:
        memcpy(to, c, 3);
        to[3] = 255;
        break;
    case FACET_J3D_RGBA4:
        facet_store_u16be(
            to, (uint16_t)(c[0] >> 4 << 12 | c[1] >> 4 << 8 | c[2] >> 4 << 4 | c[3] >> 4));
        break;
    case FACET_J3D_RGBA6: {
        uint32_t bits = (uint32_t)c[0] >> 2 << 18 | (uint32_t)c[1] >> 2 << 12 |
                        (uint32_t)c[2] >> 2 << 6 | (uint32_t)c[3] >> 2;
        to[0] = (uint8_t)(bits >> 16);
        to[1] = (uint8_t)(bits >> 8);
        to[2] = (uint8_t)bits;
        break;
    }
    default:
        memcpy(to, c, 4);
    }
}

/* -- Growing arrays ----------------------------------------------------- */

static facet_status add(facet_j3d_arrays *a, facet_j3d_growing *g, const uint8_t *bytes,
                        uint16_t *index)
{
    facet_j3d_builder *b = a->builder;
    uint32_t before = g->distinct.count, record = facet_records_put(&g->distinct, bytes);
    if (record == UINT32_MAX)
        return facet_fail_arena(b->scratch, b->error);
    if (record < before) {
        *index = (uint16_t)g->index_of[record];
        return FACET_OK;
    }
    TRY(facet_j3d_builder_limit(
        b, "J3D-LIMIT-ELEMENTS", (uint64_t)g->count + 1, MAX_ELEMENTS,
        "different values in one vertex array, those of the original included",
        "simplify what is new"));
    if (g->count == g->capacity || record >= g->index_capacity) {
        uint32_t space = (g->count > record ? g->count : record) * 2 + 64;
        uint8_t *grown =
            facet_arena_resize(a->document->arena, g->bytes, g->capacity, space, g->stride);
        if (grown) {
            g->bytes = grown;
            g->capacity = space;
        }
        uint32_t *more =
            facet_arena_resize(b->scratch, g->index_of, g->index_capacity, space, sizeof *more);
        if (!grown || !more)
            return facet_fail_arena(b->scratch, b->error);
        g->index_of = more;
        g->index_capacity = space;
    }
    memcpy(g->bytes + (size_t)g->count * g->stride, bytes, g->stride);
    g->index_of[record] = g->count;
    *index = (uint16_t)g->count++;
    return FACET_OK;
}

/* Copy the existing elements, with the same indices. */
static facet_status take_known(facet_j3d_arrays *a, facet_j3d_growing *g,
                               const facet_j3d_array *from)
{
    uint32_t count = from->bytes ? from->count : 0;
    if (count == 0)
        return FACET_OK;
    g->capacity = g->index_capacity = count + count / 4 + 64;
    g->bytes = facet_arena_allocate(a->document->arena, g->capacity, g->stride);
    g->index_of = facet_arena_allocate(a->builder->scratch, g->index_capacity, sizeof *g->index_of);
    if (!g->bytes || !g->index_of)
        return facet_fail_arena(a->builder->scratch, a->builder->error);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *at = from->bytes + (size_t)i * from->stride;
        uint32_t before = g->distinct.count, record = facet_records_put(&g->distinct, at);
        if (record == UINT32_MAX)
            return facet_fail_arena(a->builder->scratch, a->builder->error);
        if (record == before)
            g->index_of[record] = i;
        memcpy(g->bytes + (size_t)i * g->stride, at, g->stride);
    }
    g->count = count;
    return FACET_OK;
}

static facet_status open_array(facet_j3d_arrays *a, int array)
{
    facet_j3d_growing *g = &a->items[array];
    const facet_j3d_array *from = &a->document->vertices.arrays[array];
    if (g->open)
        return FACET_OK;
    g->open = true;
    if (from->format)
        g->format = *from->format;
    else
        g->format = (facet_j3d_vertex_format){attribute_of(array),
                                              array != FACET_J3D_ARRAY_NORMAL,
                                              is_color(array) ? FACET_J3D_RGBA8 : FACET_J3D_F32,
                                              0,
                                              {0xFF, 0xFF, 0xFF}};
    g->stride = from->bytes ? from->stride : facet_j3d_element_size(&g->format, (uint32_t)array);
    g->distinct = facet_records_make(a->builder->scratch, g->stride);
    return take_known(a, g, from);
}

/* Convert all elements to floats; their indices stay the same. */
static facet_status widen(facet_j3d_arrays *a, int array)
{
    facet_j3d_growing *g = &a->items[array];
    const facet_j3d_growing old = *g;
    unsigned width = width_of(&old.format, array);
    facet_j3d_array as = {.count = old.count, .stride = width * 4};
    uint8_t *bytes = facet_arena_allocate(a->builder->scratch, old.count, as.stride);
    if (!bytes)
        return facet_fail_arena(a->builder->scratch, a->builder->error);
    for (uint32_t i = 0; i < old.count; i++) {
        for (unsigned k = 0; k < width; k++) {
            float value =
                load_number(old.bytes + (size_t)i * old.stride + k * size_of(old.format.component),
                            &old.format);
            facet_store_u32be(bytes + (size_t)i * as.stride + k * 4, facet_bits_of_float(value));
        }
    }
    facet_records_free(&g->distinct);
    *g = (facet_j3d_growing){.open = true, .format = old.format, .stride = as.stride};
    g->format.component = FACET_J3D_F32;
    g->format.fraction_bits = 0;
    g->distinct = facet_records_make(a->builder->scratch, g->stride);
    as.bytes = bytes;
    facet_report_add(facet_j3d_builder_report(a->builder), "J3D-LIKE-FLOATS",
                     FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "%s no longer fit the integers that the original stores them in: all become "
                     "floats",
                     array == FACET_J3D_ARRAY_POSITION ? "positions"
                     : array == FACET_J3D_ARRAY_NORMAL ? "normals"
                                                       : "texture coordinates");
    return take_known(a, g, &as);
}

facet_status facet_j3d_arrays_put(facet_j3d_arrays *a, int array, const float *values,
                                  uint16_t *index)
{
    uint8_t bytes[MAX_STRIDE] = {0};
    facet_j3d_growing *g = &a->items[array];
    facet_status status = open_array(a, array);
    bool fits = true;
    if (status)
        return status;
    unsigned width = width_of(&g->format, array);
    for (unsigned k = 0; k < width && fits; k++) {
        if (!isfinite(values[k]))
            return facet_fail(a->builder->error, FACET_ERROR_LIMIT, "J3D-VTX1-FINITE",
                              FACET_NO_OFFSET,
                              "a vertex of the scene is infinite or not a number, which a J3D "
                              "model must not hold");
        fits = store_number(bytes + k * size_of(g->format.component), &g->format, values[k]);
    }
    if (fits)
        return add(a, g, bytes, index);
    status = widen(a, array);
    return status ? status : facet_j3d_arrays_put(a, array, values, index);
}

facet_status facet_j3d_arrays_put_color(facet_j3d_arrays *a, int array, const uint8_t color[4],
                                        uint16_t *index)
{
    uint8_t bytes[MAX_STRIDE] = {0};
    TRY(open_array(a, array));
    store_color(bytes, a->items[array].format.component, color);
    return add(a, &a->items[array], bytes, index);
}

/* -- Storage in the document -------------------------------------------- */

/* Add the format of a new array, in the order of attributes. */
static facet_status add_format(facet_j3d_arrays *a, int array)
{
    facet_j3d_vertices *v = &a->document->vertices;
    facet_j3d_vertex_format *made =
        facet_arena_allocate(a->document->arena, (size_t)v->format_count + 1, sizeof *made);
    uint32_t at = 0;
    if (!made)
        return facet_fail_arena(a->document->arena, a->builder->error);
    while (at < v->format_count && v->formats[at].attribute < a->items[array].format.attribute)
        at++;
    memcpy(made, v->formats, at * sizeof *made);
    made[at] = a->items[array].format;
    memcpy(made + at + 1, v->formats + at, (v->format_count - at) * sizeof *made);
    for (int i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        if (!v->arrays[i].format)
            continue;
        size_t line = (size_t)(v->arrays[i].format - v->formats);
        v->arrays[i].format = made + line + (line >= at);
    }
    v->arrays[array].format = made + at;
    v->formats = made;
    v->format_count++;
    return FACET_OK;
}

facet_status facet_j3d_arrays_close(facet_j3d_arrays *a)
{
    facet_status status = FACET_OK;
    for (int i = 0; i < FACET_J3D_ARRAY_COUNT && !status; i++) {
        const facet_j3d_growing *g = &a->items[i];
        facet_j3d_array *to = &a->document->vertices.arrays[i];
        if (!g->open || (g->count == to->count && g->stride == to->stride && to->bytes))
            continue;
        if (!to->format)
            status = add_format(a, i);
        if (status)
            return status;
        *(facet_j3d_vertex_format *)to->format = g->format;
        to->bytes = g->bytes;
        to->count = g->count;
        to->stride = g->stride;
        to->size = (size_t)g->count * g->stride;
    }
    return status;
}
