/* formats/ply/values.c - the numbers of a property, independent of type, byte order and
 * position. */
#include "base/bytes.h"
#include "formats/ply/ply.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name, *sized;
} types[] = {{"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
             {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};

const char *facet_ply_type_name(facet_ply_type type)
{
    return types[type].name;
}

bool facet_ply_type_named(const char *name, size_t length, facet_ply_type *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if ((strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0) ||
            (strlen(types[i].sized) == length && memcmp(types[i].sized, name, length) == 0)) {
            *type = (facet_ply_type)i;
            return true;
        }
    }
    return false;
}

/* -- One number --------------------------------------------------------- */

static inline uint64_t bits_at(const uint8_t *at, size_t size, bool swapped)
{
    bool big = swapped != (bool)FACET_HOST_IS_BIG_ENDIAN;
    switch (size) {
    case 1:
        return *at;
    case 2:
        return big ? facet_load_u16be(at) : facet_load_u16le(at);
    case 4:
        return big ? facet_load_u32be(at) : facet_load_u32le(at);
    default:
        return big ? facet_load_u64be(at) : facet_load_u64le(at);
    }
}

/* Every type fits into a double. With a constant type, this compiles to a few instructions. */
static inline double number_at(const uint8_t *at, facet_ply_type type, bool swapped)
{
    switch (type) {
    case FACET_PLY_INT8:
        return (int8_t)*at;
    case FACET_PLY_UINT8:
        return *at;
    case FACET_PLY_INT16:
        return (int16_t)bits_at(at, 2, swapped);
    case FACET_PLY_UINT16:
        return (uint16_t)bits_at(at, 2, swapped);
    case FACET_PLY_INT32:
        return (int32_t)bits_at(at, 4, swapped);
    case FACET_PLY_UINT32:
        return (uint32_t)bits_at(at, 4, swapped);
    case FACET_PLY_FLOAT32:
        return (double)facet_float_of_bits((uint32_t)bits_at(at, 4, swapped));
    case FACET_PLY_FLOAT64:
        return facet_double_of_bits(bits_at(at, 8, swapped));
    }
    return 0;
}

/* -- Runs of numbers ---------------------------------------------------- */

/* Numbers at a distance of `stride` bytes. */
typedef struct run {
    const uint8_t *at;
    size_t stride;
    bool swapped;
} run;

static inline void floats_of(const run *r, facet_ply_type type, uint64_t count, float *values)
{
    if (r->swapped) {
        for (uint64_t i = 0; i < count; i++)
            values[i] = (float)number_at(r->at + i * r->stride, type, true);
    } else {
        for (uint64_t i = 0; i < count; i++)
            values[i] = (float)number_at(r->at + i * r->stride, type, false);
    }
}

/* Numbers of four bytes, bit for bit. */
static void run_of_words(const run *r, uint64_t count, void *values)
{
    uint8_t *to = values;
    for (uint64_t i = 0; i < count; i++, to += 4) {
        uint32_t word = (uint32_t)bits_at(r->at + i * r->stride, 4, r->swapped);
        memcpy(to, &word, 4);
    }
}

static void run_of_floats(const run *r, facet_ply_type type, uint64_t count, float *values)
{
    switch (type) {
    case FACET_PLY_UINT8:
        floats_of(r, FACET_PLY_UINT8, count, values);
        break;
    case FACET_PLY_FLOAT32:
        run_of_words(r, count, values);
        break;
    case FACET_PLY_FLOAT64:
        floats_of(r, FACET_PLY_FLOAT64, count, values);
        break;
    default:
        floats_of(r, type, count, values);
    }
}

static inline uint32_t index_of(double number)
{
    return number > -1 && number < (double)UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static void run_of_u32(const run *r, facet_ply_type type, uint64_t count, uint32_t *values)
{
    if ((type == FACET_PLY_INT32 || type == FACET_PLY_UINT32) && !r->swapped) {
        uint32_t signs = 0;
        for (uint64_t i = 0; i < count; i++) {
            values[i] = (uint32_t)bits_at(r->at + i * r->stride, 4, false);
            signs |= values[i];
        }
        if (type == FACET_PLY_UINT32 || !(signs >> 31))
            return;
    }
    for (uint64_t i = 0; i < count; i++)
        values[i] = index_of(number_at(r->at + i * r->stride, type, r->swapped));
}

/* Find a run from `first` on: all numbers, or those of one record. Returns its length, at most
 * `count`. */
static uint64_t next_run(const facet_ply_property *p, uint64_t first, uint64_t count, run *r)
{
    size_t size = facet_ply_type_size(p->type);
    r->swapped = p->swapped;
    r->stride = size;
    if (p->offsets || p->stride == (uint64_t)p->length * size) {
        r->at = p->data + first * size;
        return count;
    }
    if (p->length == 1) {
        r->at = p->data + first * p->stride;
        r->stride = (size_t)p->stride;
        return count;
    }
    uint64_t record = first / p->length, within = first % p->length;
    r->at = p->data + record * p->stride + within * size;
    uint64_t left = p->length - within;
    return count < left ? count : left;
}

/* Read triangles in the most common layout: three int each, 13 bytes apart. */
static bool read_triples(const facet_ply_property *p, uint64_t first, uint64_t count,
                         uint32_t *values)
{
    if (p->length != 3 || p->offsets || p->swapped || first % 3 || count % 3 ||
        (p->type != FACET_PLY_INT32 && p->type != FACET_PLY_UINT32))
        return false;
    const uint8_t *at = p->data + first / 3 * p->stride;
    uint32_t signs = 0;
    for (uint64_t i = 0; i < count; i += 3, at += p->stride) {
        memcpy(values + i, at, 12);
        signs |= values[i] | values[i + 1] | values[i + 2];
    }
    return p->type == FACET_PLY_UINT32 || !(signs >> 31);
}

static void read_floats(const facet_ply_property *property, uint64_t first, uint64_t count,
                        float *values)
{
    for (run r; count > 0;) {
        uint64_t taken = next_run(property, first, count, &r);
        run_of_floats(&r, property->type, taken, values);
        first += taken;
        count -= taken;
        values += taken;
    }
}

static void read_indices(const facet_ply_property *property, uint64_t first, uint64_t count,
                         uint32_t *values)
{
    if (count > 0 && read_triples(property, first, count, values))
        return;
    for (run r; count > 0;) {
        uint64_t taken = next_run(property, first, count, &r);
        run_of_u32(&r, property->type, taken, values);
        first += taken;
        count -= taken;
        values += taken;
    }
}

static void read_same(const facet_ply_property *property, uint64_t first, uint64_t count,
                      uint8_t *to)
{
    size_t size = facet_ply_type_size(property->type);
    for (run r; count > 0;) {
        uint64_t taken = next_run(property, first, count, &r);
        for (uint64_t i = 0; i < taken; i++, to += size) {
            const uint8_t *at = r.at + i * r.stride;
            for (size_t k = 0; k < size; k++)
                to[k] = at[r.swapped ? size - 1 - k : k];
        }
        first += taken;
        count -= taken;
    }
}

bool facet_ply_read_values(const facet_ply_property *property, uint64_t first, uint64_t count,
                           facet_ply_type type, void *values)
{
    if (type == FACET_PLY_FLOAT32)
        read_floats(property, first, count, values);
    else if (type == FACET_PLY_UINT32)
        read_indices(property, first, count, values);
    else if (type == property->type)
        read_same(property, first, count, values);
    else
        return false;
    return true;
}
