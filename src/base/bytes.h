/* base/bytes.h - numbers in a given byte order, independent of the host's, and a cursor that stays
 * within its bytes. */
#ifndef FACET_BASE_BYTES_H
#define FACET_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* -- Host order --------------------------------------------------------- */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FACET_HOST_IS_BIG_ENDIAN 1
#else
#define FACET_HOST_IS_BIG_ENDIAN 0
#endif

/* -- Loads -------------------------------------------------------------- */

static inline uint16_t facet_load_u16le(const void *at)
{
    const uint8_t *b = (const uint8_t *)at;
    return (uint16_t)(b[0] | b[1] << 8);
}
static inline uint16_t facet_load_u16be(const void *at)
{
    const uint8_t *b = (const uint8_t *)at;
    return (uint16_t)(b[0] << 8 | b[1]);
}
static inline uint32_t facet_load_u32le(const void *at)
{
#if FACET_HOST_IS_BIG_ENDIAN
    const uint8_t *b = (const uint8_t *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
#else
    /* Compilers vectorize loops over this form, but not over the previous one. */
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
#endif
}
static inline uint32_t facet_load_u32be(const void *at)
{
    const uint8_t *b = (const uint8_t *)at;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3];
}
static inline uint64_t facet_load_u64le(const void *at)
{
    return (uint64_t)facet_load_u32le(at) | (uint64_t)facet_load_u32le((const uint8_t *)at + 4)
                                                << 32;
}
static inline uint64_t facet_load_u64be(const void *at)
{
    return (uint64_t)facet_load_u32be(at) << 32 |
           (uint64_t)facet_load_u32be((const uint8_t *)at + 4);
}
static inline int32_t facet_load_i32le(const void *at)
{
    return (int32_t)facet_load_u32le(at);
}

static inline float facet_float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint32_t facet_bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline double facet_double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t facet_bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline float facet_load_f32le(const void *at)
{
    return facet_float_of_bits(facet_load_u32le(at));
}
static inline float facet_load_f32be(const void *at)
{
    return facet_float_of_bits(facet_load_u32be(at));
}
static inline double facet_load_f64le(const void *at)
{
    return facet_double_of_bits(facet_load_u64le(at));
}

/* -- Finite numbers ----------------------------------------------------- */

/* True for the bits of a float that is neither infinite nor NaN. */
static inline bool facet_is_finite_float(uint32_t bits)
{
    return (bits & 0x7F800000) != 0x7F800000;
}
static inline bool facet_is_finite_double(uint64_t bits)
{
    return (bits & UINT64_C(0x7FF0000000000000)) != UINT64_C(0x7FF0000000000000);
}
/* Index of the first of `count` floats that is infinite or NaN; `count` if all are finite. The
 * floats are in host byte order at any alignment. Runs at memory speed. */
size_t facet_find_nonfinite_float(const void *floats, size_t count);
/* Like facet_find_nonfinite_float, for floats in the other byte order. */
size_t facet_find_nonfinite_swapped_float(const void *floats, size_t count);
size_t facet_find_nonfinite_double(const void *doubles, size_t count);

/* -- Stores ------------------------------------------------------------- */

static inline void facet_store_u16le(void *at, uint16_t value)
{
    uint8_t *b = (uint8_t *)at;
    b[0] = (uint8_t)value;
    b[1] = (uint8_t)(value >> 8);
}
static inline void facet_store_u16be(void *at, uint16_t value)
{
    uint8_t *b = (uint8_t *)at;
    b[0] = (uint8_t)(value >> 8);
    b[1] = (uint8_t)value;
}
static inline void facet_store_u32le(void *at, uint32_t value)
{
    uint8_t *b = (uint8_t *)at;
    b[0] = (uint8_t)value;
    b[1] = (uint8_t)(value >> 8);
    b[2] = (uint8_t)(value >> 16);
    b[3] = (uint8_t)(value >> 24);
}
static inline void facet_store_u32be(void *at, uint32_t value)
{
    uint8_t *b = (uint8_t *)at;
    b[0] = (uint8_t)(value >> 24);
    b[1] = (uint8_t)(value >> 16);
    b[2] = (uint8_t)(value >> 8);
    b[3] = (uint8_t)value;
}
static inline void facet_store_u64le(void *at, uint64_t value)
{
    facet_store_u32le(at, (uint32_t)value);
    facet_store_u32le((uint8_t *)at + 4, (uint32_t)(value >> 32));
}
static inline void facet_store_f32le(void *at, float value)
{
    facet_store_u32le(at, facet_bits_of_float(value));
}
static inline void facet_store_f32be(void *at, float value)
{
    facet_store_u32be(at, facet_bits_of_float(value));
}
static inline void facet_store_f64le(void *at, double value)
{
    facet_store_u64le(at, facet_bits_of_double(value));
}

/* -- Cursor ------------------------------------------------------------- */

/* A position in a run of bytes. Reading more bytes than are left sets `failed`. From then on every
 * read returns 0, and `position` stays where the bytes were too few. A reader can therefore read a
 * whole record and check `failed` once. */
typedef struct facet_cursor {
    const uint8_t *data;
    size_t size;
    size_t position;
    bool failed;
} facet_cursor;

static inline facet_cursor facet_cursor_make(const uint8_t *data, size_t size)
{
    facet_cursor cursor = {data, size, 0, false};
    return cursor;
}

static inline size_t facet_cursor_left(const facet_cursor *cursor)
{
    return cursor->failed ? 0 : cursor->size - cursor->position;
}

/* Take the next `count` bytes; NULL if fewer are left. */
static inline const uint8_t *facet_cursor_take(facet_cursor *cursor, size_t count)
{
    if (cursor->failed || count > cursor->size - cursor->position) {
        cursor->failed = true;
        return NULL;
    }
    const uint8_t *at = cursor->data + cursor->position;
    cursor->position += count;
    return at;
}

static inline uint8_t facet_cursor_u8(facet_cursor *cursor)
{
    const uint8_t *at = facet_cursor_take(cursor, 1);
    return at ? *at : 0;
}
static inline uint16_t facet_cursor_u16le(facet_cursor *cursor)
{
    const uint8_t *at = facet_cursor_take(cursor, 2);
    return at ? facet_load_u16le(at) : 0;
}
static inline uint16_t facet_cursor_u16be(facet_cursor *cursor)
{
    const uint8_t *at = facet_cursor_take(cursor, 2);
    return at ? facet_load_u16be(at) : 0;
}
static inline uint32_t facet_cursor_u32le(facet_cursor *cursor)
{
    const uint8_t *at = facet_cursor_take(cursor, 4);
    return at ? facet_load_u32le(at) : 0;
}
static inline uint32_t facet_cursor_u32be(facet_cursor *cursor)
{
    const uint8_t *at = facet_cursor_take(cursor, 4);
    return at ? facet_load_u32be(at) : 0;
}
static inline uint64_t facet_cursor_u64le(facet_cursor *cursor)
{
    const uint8_t *at = facet_cursor_take(cursor, 8);
    return at ? facet_load_u64le(at) : 0;
}

#endif
