/* formats/j3d/gpu/geometry_streams.c - vertex arrays to streams, by the records of unique
 * vertices. */
#include "base/processor.h"
#include "base/vec.h"
#include "formats/j3d/gpu/geometry.h"

#include <math.h>

/* -- Elements ----------------------------------------------------------- */

/* The elements of an attribute. */
typedef struct elements {
    const uint8_t *records; /* at the attribute's index in the first record */
    size_t record_size;
    uint32_t count;
    const uint8_t *bytes;
    size_t stride;
    unsigned component, count_code;
    float scale; /* of integer components */
} elements;

static const facet_j3d_part *find(const facet_j3d_geometry *g, uint32_t attribute)
{
    for (uint32_t i = 0; i < g->layout.part_count; i++) {
        uint32_t found = g->layout.parts[i].attribute;
        if (found == attribute || (attribute == FACET_J3D_NORMAL && found == FACET_J3D_NBT))
            return &g->layout.parts[i];
    }
    return NULL;
}

/* `which` selects the index of the part: normals can have three. */
static elements elements_of(const facet_j3d_geometry *g, uint32_t attribute, uint32_t which)
{
    const facet_j3d_part *part = find(g, attribute);
    const facet_j3d_array *array = &g->document->vertices.arrays[part->array];
    elements e;
    e.records = g->records + part->offset - g->skipped + (size_t)which * part->width;
    e.record_size = g->record_size;
    e.count = g->vertex_count;
    e.bytes = array->bytes;
    e.stride = array->stride;
    e.component = array->format->component;
    e.count_code = array->format->count_code;
    e.scale = ldexpf(1, -(int)array->format->fraction_bits);
    return e;
}

static unsigned width_of(const facet_j3d_geometry *g, uint32_t attribute)
{
    return find(g, attribute)->width;
}

bool facet_j3d_geometry_has(const facet_j3d_geometry *g, uint32_t attribute)
{
    const facet_j3d_part *part = find(g, attribute);
    if (!part || part->array >= FACET_J3D_ARRAY_COUNT || g->vertex_count == 0)
        return false;
    const facet_j3d_array *array = &g->document->vertices.arrays[part->array];
    return array->bytes && array->format && array->count > 0;
}

bool facet_j3d_geometry_has_tangents(const facet_j3d_geometry *g)
{
    if (!facet_j3d_geometry_has(g, FACET_J3D_NORMAL))
        return false;
    const facet_j3d_part *part = find(g, FACET_J3D_NORMAL);
    const facet_j3d_array *array = &g->document->vertices.arrays[part->array];
    return array->format->count_code != 0;
}

/* -- Numbers ------------------------------------------------------------ */

/* `component`, `width` and `index_width` are constants in each copy of the functions below, which
 * read one number, one element, or all elements. */
static inline float number(const uint8_t *at, unsigned component)
{
    switch (component) {
    case FACET_J3D_U8:
        return (float)*at;
    case FACET_J3D_S8:
        return (float)(int8_t)*at;
    case FACET_J3D_U16:
        return (float)facet_load_u16be(at);
    case FACET_J3D_S16:
        return (float)(int16_t)facet_load_u16be(at);
    default:
        return facet_load_f32be(at);
    }
}

static inline size_t size_of(unsigned component)
{
    return component == FACET_J3D_F32 ? 4 : component >= FACET_J3D_U16 ? 2 : 1;
}

static inline const uint8_t *element(const elements *e, const uint8_t *record, unsigned index_width)
{
    uint32_t index = index_width == 2 ? facet_load_u16be(record) : *record;
    return e->bytes + index * e->stride;
}

#define AT_ONCE 64

/* Convert a number from the file's byte order to the host's. */
static inline uint16_t host_order(uint16_t value)
{
    return FACET_HOST_IS_BIG_ENDIAN ? value : (uint16_t)(value >> 8 | value << 8);
}

static inline void decode(const elements *e, unsigned component, unsigned width,
                          unsigned index_width, float *out, unsigned out_width)
{
    const uint8_t *record = e->records;
    bool scaled = component != FACET_J3D_F32;
    for (uint32_t i = 0; i < e->count; i++, record += e->record_size, out += out_width) {
        const uint8_t *at = element(e, record, index_width);
        for (unsigned c = 0; c < out_width; c++) {
            float value = c < width ? number(at + c * size_of(component), component) : 0;
            out[c] = scaled ? value * e->scale : value;
        }
    }
}

/* The same for 16 bits, several elements at a time: first all bytes, then all numbers, so that
 * compilers vectorize the loop. */
static FACET_ALWAYS_INLINE void decode_16(const elements *e, bool is_signed, unsigned width,
                                          unsigned index_width, float *out)
{
    const uint8_t *record = e->records;
    const float scale = e->scale;
    uint16_t numbers[AT_ONCE * 3];
    for (uint32_t first = 0; first < e->count; first += AT_ONCE) {
        uint32_t count = e->count - first < AT_ONCE ? e->count - first : AT_ONCE;
        for (uint32_t i = 0; i < count; i++, record += e->record_size)
            memcpy(numbers + i * width, element(e, record, index_width), width * sizeof *numbers);
        for (uint32_t i = 0; i < count * width; i++) {
            uint16_t value = host_order(numbers[i]);
            *out++ = (is_signed ? (float)(int16_t)value : (float)value) * scale;
        }
    }
}

static inline void decode_any(const elements *e, unsigned width, unsigned index_width, float *out,
                              unsigned out_width)
{
    if (width == out_width && (e->component == FACET_J3D_U16 || e->component == FACET_J3D_S16)) {
        if (e->component == FACET_J3D_S16)
            decode_16(e, true, width, index_width, out);
        else
            decode_16(e, false, width, index_width, out);
        return;
    }
    switch (e->component) {
    case FACET_J3D_U8:
        decode(e, FACET_J3D_U8, width, index_width, out, out_width);
        break;
    case FACET_J3D_S8:
        decode(e, FACET_J3D_S8, width, index_width, out, out_width);
        break;
    case FACET_J3D_U16:
        decode(e, FACET_J3D_U16, width, index_width, out, out_width);
        break;
    case FACET_J3D_S16:
        decode(e, FACET_J3D_S16, width, index_width, out, out_width);
        break;
    default:
        decode(e, FACET_J3D_F32, width, index_width, out, out_width);
    }
}

/* -- Positions, texture coordinates ------------------------------------- */

void facet_j3d_geometry_positions(const facet_j3d_geometry *g, float *out)
{
    elements e = elements_of(g, FACET_J3D_POSITION, 0);
    unsigned width = e.count_code == 0 ? 2 : 3;
    if (width_of(g, FACET_J3D_POSITION) == 1)
        decode_any(&e, width, 1, out, 3);
    else if (width == 3)
        decode_any(&e, 3, 2, out, 3);
    else
        decode_any(&e, 2, 2, out, 3);
}

void facet_j3d_geometry_texcoords(const facet_j3d_geometry *g, uint32_t texcoord,
                                  const float *matrix, float *out)
{
    elements e = elements_of(g, FACET_J3D_TEXCOORD0 + texcoord, 0);
    unsigned width = e.count_code == 0 ? 1 : 2;
    if (width_of(g, FACET_J3D_TEXCOORD0 + texcoord) == 1)
        decode_any(&e, width, 1, out, 2);
    else if (width == 2)
        decode_any(&e, 2, 2, out, 2);
    else
        decode_any(&e, 1, 2, out, 2);
    for (uint32_t i = 0; matrix && i < e.count; i++) {
        float s = out[i * 2], t = out[i * 2 + 1];
        out[i * 2] = matrix[0] * s + matrix[1] * t + matrix[2] + matrix[3];
        out[i * 2 + 1] = matrix[4] * s + matrix[5] * t + matrix[6] + matrix[7];
    }
}

bool facet_j3d_geometry_texture_matrices(const facet_j3d_geometry *g, uint32_t texcoord,
                                         uint8_t *out)
{
    const facet_j3d_part *part = find(g, FACET_J3D_TEXTURE_MATRIX0 + texcoord);
    if (!part || g->layout.has_position_matrix || g->vertex_count == 0)
        return false;
    const uint8_t *record = g->records + part->offset;
    for (uint32_t i = 0; out && i < g->vertex_count; i++, record += g->record_size)
        out[i] = *record;
    return true;
}

/* -- Normals ------------------------------------------------------------ */

/* Normalize a vector. Floats whose length is 1 within float precision stay unchanged. */
static inline bool normalize(float v[3])
{
    float square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    /* Far from 1, squares of floats can overflow or become 0. */
    if (!(square > 1e-30F && square < 1e30F)) {
        double x = (double)v[0], y = (double)v[1], z = (double)v[2];
        double length = sqrt(x * x + y * y + z * z);
        if (!(length > 0) || isinf(length)) {
            v[0] = v[1] = v[2] = 0;
            return false;
        }
        v[0] = (float)(x / length);
        v[1] = (float)(y / length);
        v[2] = (float)(z / length);
        return true;
    }
    if (fabsf(square - 1) > 1e-6F) {
        float length = sqrtf(square);
        v[0] /= length;
        v[1] /= length;
        v[2] /= length;
    }
    return true;
}

/* Normalize up to AT_ONCE vectors: together if all have usual lengths, else one by one. Same
 * results as normalize(). */
static FACET_ALWAYS_INLINE uint32_t normalize_some(float *v, uint32_t count)
{
    float lengths[AT_ONCE];
    uint32_t unusual = 0, zeros = 0;
    for (uint32_t i = 0; i < count; i++) {
        float x = v[i * 3], y = v[i * 3 + 1], z = v[i * 3 + 2];
        float square = x * x + y * y + z * z;
        unusual |= (uint32_t) !(square > 1e-30F) | (uint32_t) !(square < 1e30F);
        lengths[i] = fabsf(square - 1) > 1e-6F ? sqrtf(square) : 1; /* division by 1 changes
                                                                       nothing */
    }
    if (!unusual) {
        for (uint32_t i = 0; i < count; i++) {
            v[i * 3] /= lengths[i];
            v[i * 3 + 1] /= lengths[i];
            v[i * 3 + 2] /= lengths[i];
        }
        return 0;
    }
    for (uint32_t i = 0; i < count; i++)
        zeros += !normalize(v + (size_t)i * 3);
    return zeros;
}

static FACET_ALWAYS_INLINE uint32_t normalize_block(float *v, uint32_t count)
{
    uint32_t zeros = 0;
    for (uint32_t first = 0; first < count; first += AT_ONCE)
        zeros += normalize_some(v + (size_t)first * 3,
                                count - first < AT_ONCE ? count - first : AT_ONCE);
    return zeros;
}

static FACET_WIDE uint32_t normalize_wide(float *v, uint32_t count)
{
    return normalize_block(v, count);
}

/* Normalize all vectors. Return the number without direction. */
static uint32_t normalize_all(float *v, uint32_t count)
{
    return facet_is_wide() ? normalize_wide(v, count) : normalize_block(v, count);
}

/* Decode three numbers of each element from number `first` on. The chip reads integers as 64ths or
 * 16384ths, regardless of the format's fraction bits. */
static inline void decode_vectors(elements e, unsigned first, unsigned index_width, float *out)
{
    e.bytes += first * size_of(e.component);
    e.scale = ldexpf(1, e.component <= FACET_J3D_S8 ? -6 : -14);
    decode_any(&e, 3, index_width, out, 3);
}

static void decode_frame_vectors(const facet_j3d_geometry *g, uint32_t which, float *out)
{
    elements e = elements_of(g, FACET_J3D_NORMAL, 0);
    bool apart = find(g, FACET_J3D_NORMAL)->indices == 3;
    unsigned first = which * 3;
    if (apart) {
        e = elements_of(g, FACET_J3D_NORMAL, which);
        first = 0;
    }
    if (width_of(g, FACET_J3D_NORMAL) == 1)
        decode_vectors(e, first, 1, out);
    else
        decode_vectors(e, first, 2, out);
}

uint32_t facet_j3d_geometry_normals(const facet_j3d_geometry *g, float *out)
{
    decode_frame_vectors(g, 0, out);
    return normalize_all(out, g->vertex_count);
}

static float length_of(const float v[3])
{
    double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    float length = (float)sqrt(x * x + y * y + z * z);
    return isfinite(length) ? length : 0;
}

bool facet_j3d_geometry_normal_lengths(const facet_j3d_geometry *g, float *out)
{
    float normals[AT_ONCE * 3];
    facet_j3d_geometry part = *g;
    bool any = false;
    for (uint32_t first = 0; first < g->vertex_count; first += AT_ONCE) {
        uint32_t left = g->vertex_count - first;
        part.vertex_count = left < AT_ONCE ? left : AT_ONCE;
        part.records = g->records + (size_t)first * g->record_size;
        decode_frame_vectors(&part, 0, normals);
        for (uint32_t i = 0; i < part.vertex_count; i++) {
            float length = length_of(normals + (size_t)i * 3);
            any |= length > 0 && fabsf(length - 1) > 1.0F / 64;
            if (out)
                out[first + i] = length;
        }
    }
    return any;
}

/* A unit vector perpendicular to `normal`. */
static void across(const float *normal, float out[3])
{
    const float x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    facet_cross_f(normal, fabsf(normal[0]) < 0.8F ? x : y, out);
    if (!normalize(out))
        out[0] = 1;
}

void facet_j3d_geometry_tangents(const facet_j3d_geometry *g, const float *normals, float *out)
{
    uint32_t count = g->vertex_count;
    float chunk[64 * 3], binormals[64 * 3];
    facet_j3d_geometry part = *g;
    for (uint32_t first = 0; first < count; first += 64) {
        part.vertex_count = count - first < 64 ? count - first : 64;
        part.records = g->records + (size_t)first * g->record_size;
        decode_frame_vectors(&part, 1, binormals);
        decode_frame_vectors(&part, 2, chunk);
        for (uint32_t i = 0; i < part.vertex_count; i++) {
            const float *normal = normals + (size_t)(first + i) * 3, *b = binormals + i * 3;
            float *tangent = chunk + i * 3, *to = out + (size_t)(first + i) * 4, turned[3];
            if (!normalize(tangent))
                across(normal, tangent);
            facet_cross_f(normal, tangent, turned);
            memcpy(to, tangent, 3 * sizeof *to);
            to[3] = turned[0] * b[0] + turned[1] * b[1] + turned[2] * b[2] < 0 ? -1.0F : 1.0F;
        }
    }
}

/* -- Colors ------------------------------------------------------------ */

static inline uint8_t five_bits(uint32_t value)
{
    return (uint8_t)((value & 31) << 3 | (value & 31) >> 2);
}
static inline uint8_t six_bits(uint32_t value)
{
    return (uint8_t)((value & 63) << 2 | (value & 63) >> 4);
}

static inline void color(const uint8_t *at, unsigned type, uint8_t out[4])
{
    uint32_t v;
    out[3] = 255;
    switch (type) {
    case FACET_J3D_RGB565:
        v = facet_load_u16be(at);
        out[0] = five_bits(v >> 11);
        out[1] = six_bits(v >> 5);
        out[2] = five_bits(v);
        break;
    case FACET_J3D_RGBA4:
        v = facet_load_u16be(at);
        for (int i = 0; i < 4; i++)
            out[i] = (uint8_t)((v >> (12 - 4 * i) & 15) * 17);
        break;
    case FACET_J3D_RGBA6:
        v = (uint32_t)at[0] << 16 | facet_load_u16be(at + 1);
        for (int i = 0; i < 4; i++)
            out[i] = six_bits(v >> (18 - 6 * i));
        break;
    case FACET_J3D_RGBA8:
        memcpy(out, at, 4);
        break;
    default: /* RGB8, RGBX8 */
        memcpy(out, at, 3);
    }
}

/* Decode colors. The chip uses their type and ignores the count, RGB or RGBA. `type` is a constant
 * in the copy for the most common one. */
static inline void decode_colors(const elements *e, unsigned type, unsigned index_width,
                                 uint8_t *out)
{
    const uint8_t *record = e->records;
    for (uint32_t i = 0; i < e->count; i++, record += e->record_size, out += 4)
        color(element(e, record, index_width), type, out);
}

void facet_j3d_geometry_colors(const facet_j3d_geometry *g, uint32_t which, uint8_t *out)
{
    elements e = elements_of(g, FACET_J3D_COLOR0 + which, 0);
    unsigned width = width_of(g, FACET_J3D_COLOR0 + which);
    if (e.component == FACET_J3D_RGBA8 && width == 2)
        decode_colors(&e, FACET_J3D_RGBA8, 2, out);
    else
        decode_colors(&e, e.component, width, out);
}
