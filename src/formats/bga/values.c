/* formats/bga/values.c - types, and reading of values: byte order and stride. Plain C99 and
 * C++11. */
#include "base/bytes.h"
#include "formats/bga/bga.h"

#include <string.h>

/* -- Types -------------------------------------------------------------- */

typedef struct type_entry {
    const char *name;
    facet_bga_base base;
    uint32_t components;
} type_entry;

/* In the order of facet_bga_type. */
static const type_entry types[] = {
    {"float", FACET_BGA_BASE_FLOAT32, 1}, {"vec2", FACET_BGA_BASE_FLOAT32, 2},
    {"vec3", FACET_BGA_BASE_FLOAT32, 3},  {"vec4", FACET_BGA_BASE_FLOAT32, 4},
    {"mat2", FACET_BGA_BASE_FLOAT32, 4},  {"mat3", FACET_BGA_BASE_FLOAT32, 9},
    {"mat4", FACET_BGA_BASE_FLOAT32, 16}, {"uint8", FACET_BGA_BASE_UINT8, 1},
    {"int8", FACET_BGA_BASE_INT8, 1},     {"uint16", FACET_BGA_BASE_UINT16, 1},
    {"int16", FACET_BGA_BASE_INT16, 1},   {"uint32", FACET_BGA_BASE_UINT32, 1},
    {"int32", FACET_BGA_BASE_INT32, 1},
};

const char *facet_bga_type_name(facet_bga_type type)
{
    return types[type].name;
}

facet_bga_base facet_bga_type_base(facet_bga_type type)
{
    return types[type].base;
}

uint32_t facet_bga_type_components(facet_bga_type type)
{
    return types[type].components;
}

/* -- Byte order --------------------------------------------------------- */

static uint32_t swap_u32(uint32_t value)
{
    return value << 24 | (value & 0xFF00) << 8 | (value >> 8 & 0xFF00) | value >> 24;
}

/* Swap one value at a time, with memcpy, because neither side has to be aligned. */
static void swap_each_2(uint8_t *target, const uint8_t *source, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t value;
        memcpy(&value, source + i * 2, 2);
        value = (uint16_t)(value << 8 | value >> 8);
        memcpy(target + i * 2, &value, 2);
    }
}

static void swap_each_4(uint8_t *target, const uint8_t *source, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t value;
        memcpy(&value, source + i * 4, 4);
        value = swap_u32(value);
        memcpy(target + i * 4, &value, 4);
    }
}

/* -- Vectors ------------------------------------------------------------ */

/* Other processors use the compiler's vectorization. */
#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define HAVE_SWAP_AVX2 1

/* Swap 64 bytes per step; `size` is that of a value. Returns the number of bytes done. */
__attribute__((target("avx2"))) static size_t swap_avx2(uint8_t *target, const uint8_t *source,
                                                        size_t bytes, size_t size)
{
    const __m128i two = _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    const __m128i four = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    const __m256i order = _mm256_broadcastsi128_si256(size == 2 ? two : four);
    size_t done = 0;
    for (; bytes - done >= 64; done += 64) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(source + done));
        __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(source + done + 32));
        _mm256_storeu_si256((__m256i *)(void *)(target + done), _mm256_shuffle_epi8(a, order));
        _mm256_storeu_si256((__m256i *)(void *)(target + done + 32), _mm256_shuffle_epi8(b, order));
    }
    return done;
}
#endif

/* -- Swapping ----------------------------------------------------------- */

void facet_bga_swap(void *target, const void *source, size_t count, size_t size)
{
    uint8_t *to = (uint8_t *)target;
    const uint8_t *from = (const uint8_t *)source;
    if (size == 1) {
        if (to != from && count > 0)
            memcpy(to, from, count);
        return;
    }
#ifdef HAVE_SWAP_AVX2
    if (__builtin_cpu_supports("avx2")) {
        size_t done = swap_avx2(to, from, count * size, size);
        to += done;
        from += done;
        count -= done / size;
    }
#endif
    if (size == 2)
        swap_each_2(to, from, count);
    else
        swap_each_4(to, from, count);
}

bool facet_bga_is_host_order(const facet_bga *bga)
{
    return bga->big_endian == (FACET_HOST_IS_BIG_ENDIAN != 0);
}

/* -- Strides ----------------------------------------------------------- */

void facet_bga_copy_elements(void *target, size_t target_stride, const void *source,
                             size_t source_stride, size_t count, size_t size)
{
    uint8_t *to = (uint8_t *)target;
    const uint8_t *from = (const uint8_t *)source;
    /* For common sizes the size is a constant, so that a copy is a load and a store. */
#define COPY_ELEMENTS(bytes)                                             \
    for (size_t i = 0; i < count; i++)                                   \
        memcpy(to + i * target_stride, from + i * source_stride, bytes); \
    break
    switch (size) {
    case 4:
        COPY_ELEMENTS(4);
    case 8:
        COPY_ELEMENTS(8);
    case 12:
        COPY_ELEMENTS(12);
    case 16:
        COPY_ELEMENTS(16);
    default:
        COPY_ELEMENTS(size);
    }
#undef COPY_ELEMENTS
}

/* Copy `count` records without a conversion. They are within the attribute. */
static void read_same(const facet_bga *bga, const facet_bga_attribute *attribute, uint64_t first,
                      uint64_t count, void *values)
{
    size_t base_size = facet_bga_base_size(attribute->base);
    /* The file is in memory, so sizes fit into size_t. */
    size_t size = attribute->components * base_size, stride = (size_t)attribute->stride;
    const uint8_t *from = attribute->data + (size_t)first * stride;
    uint8_t *to = (uint8_t *)values;
    bool swaps = base_size > 1 && !facet_bga_is_host_order(bga);
    size_t left = (size_t)count;
    if (stride == size) {
        if (swaps)
            facet_bga_swap(to, from, left * attribute->components, base_size);
        else
            memcpy(to, from, left * size);
        return;
    }
    while (left > 0) {
        size_t tile = size < FACET_BGA_TILE ? FACET_BGA_TILE / size : 1;
        tile = tile < left ? tile : left;
        facet_bga_copy_elements(to, size, from, stride, tile, size);
        if (swaps)
            facet_bga_swap(to, to, tile * attribute->components, base_size);
        to += tile * size;
        from += tile * stride;
        left -= tile;
    }
}

/* -- Numbers of any type ------------------------------------------------ */

/* A number in host order as a double, which is exact for all types. */
static double number_at(const uint8_t *at, facet_bga_base base)
{
    uint16_t half;
    uint32_t word;
    float real;
    switch (base) {
    case FACET_BGA_BASE_UINT8:
        return *at;
    case FACET_BGA_BASE_INT8:
        return *at < 0x80 ? *at : *at - 256;
    case FACET_BGA_BASE_UINT16:
        memcpy(&half, at, 2);
        return half;
    case FACET_BGA_BASE_INT16:
        memcpy(&half, at, 2);
        return half < 0x8000 ? half : half - 65536;
    case FACET_BGA_BASE_UINT32:
        memcpy(&word, at, 4);
        return word;
    case FACET_BGA_BASE_INT32:
        memcpy(&word, at, 4);
        return word < 0x80000000U ? (double)word : (double)word - 4294967296.0;
    default:
        memcpy(&real, at, 4);
        return (double)real;
    }
}

/* Read values of at most 4 bytes to the end of the space for `count` records of 4-byte numbers.
 * From there they are widened in ascending order, so that no value is overwritten before its
 * use. */
static const uint8_t *read_narrow(const facet_bga *bga, const facet_bga_attribute *attribute,
                                  uint64_t first, uint64_t count, void *space)
{
    size_t values = (size_t)count * attribute->components;
    uint8_t *narrow = (uint8_t *)space + values * (4 - facet_bga_base_size(attribute->base));
    read_same(bga, attribute, first, count, narrow);
    return narrow;
}

static void widen_to_float(facet_bga_base base, const uint8_t *narrow, size_t total, float *values)
{
    size_t size = facet_bga_base_size(base);
    for (size_t i = 0; i < total; i++)
        values[i] = (float)number_at(narrow + i * size, base);
}

static void widen_to_u32(facet_bga_base base, const uint8_t *narrow, size_t total, uint32_t *values)
{
    size_t size = facet_bga_base_size(base);
    for (size_t i = 0; i < total && base == FACET_BGA_BASE_UINT8; i++)
        values[i] = narrow[i];
    for (size_t i = 0; i < total && base == FACET_BGA_BASE_UINT16; i++) {
        uint16_t half;
        memcpy(&half, narrow + i * 2, 2);
        values[i] = half;
    }
    if (base == FACET_BGA_BASE_UINT8 || base == FACET_BGA_BASE_UINT16)
        return;
    for (size_t i = 0; i < total; i++) {
        double number = number_at(narrow + i * size, base);
        values[i] = number > -1 && number < 4294967296.0 ? (uint32_t)number : UINT32_MAX;
    }
}

uint64_t facet_bga_read_values(const facet_bga *bga, const facet_bga_attribute *attribute,
                               uint64_t first, uint64_t count, facet_bga_base base, void *values)
{
    if (first >= attribute->count)
        return 0;
    if (count > attribute->count - first)
        count = attribute->count - first;
    size_t total = (size_t)count * attribute->components;
    if (base == attribute->base)
        read_same(bga, attribute, first, count, values);
    else if (base == FACET_BGA_BASE_FLOAT32)
        widen_to_float(attribute->base, read_narrow(bga, attribute, first, count, values), total,
                       (float *)values);
    else if (base == FACET_BGA_BASE_UINT32)
        widen_to_u32(attribute->base, read_narrow(bga, attribute, first, count, values), total,
                     (uint32_t *)values);
    else
        return 0;
    return count;
}
