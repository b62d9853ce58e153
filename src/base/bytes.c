/* base/bytes.c - search for numbers that are not finite. */
#include "base/bytes.h"

#include "base/processor.h"

/* Numbers that are checked without a branch, so that compilers vectorize the loop. */
#define BLOCK 64

static uint32_t load_u32(const uint8_t *at)
{
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    return bits;
}

static uint64_t load_u64(const uint8_t *at)
{
    uint64_t bits;
    memcpy(&bits, at, sizeof bits);
    return bits;
}

/* `exponent`: mask of the bits that are all set in a number that is not finite. */
static FACET_ALWAYS_INLINE size_t find_float(const uint8_t *bytes, size_t count,
                                             const uint32_t exponent)
{
    size_t i = 0;
    for (uint32_t found = 0; count - i >= BLOCK; i += BLOCK) {
        for (size_t k = i; k < i + BLOCK; k++)
            found |= (load_u32(bytes + k * 4) & exponent) == exponent;
        if (found)
            break;
    }
    while (i < count && (load_u32(bytes + i * 4) & exponent) != exponent)
        i++;
    return i;
}

static size_t find_float_plain(const uint8_t *bytes, size_t count, uint32_t exponent)
{
    return find_float(bytes, count, exponent);
}

static FACET_WIDE size_t find_float_wide(const uint8_t *bytes, size_t count, uint32_t exponent)
{
    return find_float(bytes, count, exponent);
}

size_t facet_find_nonfinite_float(const void *floats, size_t count)
{
    const uint8_t *bytes = (const uint8_t *)floats;
    return facet_is_wide() ? find_float_wide(bytes, count, 0x7F800000)
                           : find_float_plain(bytes, count, 0x7F800000);
}

size_t facet_find_nonfinite_swapped_float(const void *floats, size_t count)
{
    const uint8_t *bytes = (const uint8_t *)floats;
    return facet_is_wide() ? find_float_wide(bytes, count, 0x0000807F)
                           : find_float_plain(bytes, count, 0x0000807F);
}

size_t facet_find_nonfinite_double(const void *doubles, size_t count)
{
    const uint8_t *bytes = (const uint8_t *)doubles;
    size_t i = 0;
    for (uint64_t found = 0; count - i >= BLOCK; i += BLOCK) {
        for (size_t k = i; k < i + BLOCK; k++)
            found |= !facet_is_finite_double(load_u64(bytes + k * 8));
        if (found)
            break;
    }
    while (i < count && facet_is_finite_double(load_u64(bytes + i * 8)))
        i++;
    return i;
}
