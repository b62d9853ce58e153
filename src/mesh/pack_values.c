/* mesh/pack_values.c - numbers in the formats of vertex buffers. */
#include "mesh/pack_values.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* -- Formats ------------------------------------------------------------ */

size_t facet_pack_format_size(facet_pack_format format)
{
    switch (format) {
    case FACET_PACK_UINT8:
    case FACET_PACK_SINT8:
    case FACET_PACK_UNORM8:
    case FACET_PACK_SNORM8:
    case FACET_PACK_OCTAHEDRAL8:
        return 1;
    case FACET_PACK_FLOAT16:
    case FACET_PACK_UINT16:
    case FACET_PACK_SINT16:
    case FACET_PACK_UNORM16:
    case FACET_PACK_SNORM16:
    case FACET_PACK_OCTAHEDRAL16:
        return 2;
    case FACET_PACK_FLOAT32:
    case FACET_PACK_UINT32:
    case FACET_PACK_SINT32:
        return 4;
    }
    return 0;
}

bool facet_pack_is_octahedral(facet_pack_format format)
{
    return format == FACET_PACK_OCTAHEDRAL8 || format == FACET_PACK_OCTAHEDRAL16;
}

bool facet_pack_is_signed(facet_pack_format format)
{
    return format == FACET_PACK_SNORM8 || format == FACET_PACK_SNORM16 ||
           facet_pack_is_octahedral(format);
}

int32_t facet_pack_max_value(facet_pack_format format)
{
    switch (format) {
    case FACET_PACK_UNORM8:
        return 255;
    case FACET_PACK_UNORM16:
        return 65535;
    case FACET_PACK_SNORM8:
    case FACET_PACK_OCTAHEDRAL8:
        return 127;
    case FACET_PACK_SNORM16:
    case FACET_PACK_OCTAHEDRAL16:
        return 32767;
    default:
        return 0;
    }
}

double facet_pack_load(const facet_stream *stream, size_t index)
{
    switch (stream->component) {
    case FACET_FLOAT32:
        return ((const float *)stream->data)[index];
    case FACET_FLOAT64:
        return ((const double *)stream->data)[index];
    case FACET_INT8:
        return ((const int8_t *)stream->data)[index];
    case FACET_UINT8:
        return ((const uint8_t *)stream->data)[index];
    case FACET_INT16:
        return ((const int16_t *)stream->data)[index];
    case FACET_UINT16:
        return ((const uint16_t *)stream->data)[index];
    case FACET_INT32:
        return ((const int32_t *)stream->data)[index];
    case FACET_UINT32:
        return ((const uint32_t *)stream->data)[index];
    }
    return 0;
}

/* -- Numbers ------------------------------------------------------------ */

static bool store_whole(double value, double least, double most, size_t size, uint8_t *to)
{
    if (!(value >= least && value <= most) || value != floor(value))
        return false;
    uint32_t bits = value < 0 ? (uint32_t)(int32_t)value : (uint32_t)value;
    uint8_t byte = (uint8_t)bits;
    uint16_t half = (uint16_t)bits;
    memcpy(to, size == 1 ? (const void *)&byte : size == 2 ? (const void *)&half : &bits, size);
    return true;
}

/* Store a normalized number; it is in range if the nearest integer is. */
static bool store_normalized(facet_pack_format format, double value, uint8_t *to)
{
    double most = facet_pack_max_value(format);
    return store_whole(nearbyint(value * most), facet_pack_is_signed(format) ? -most : 0, most,
                       facet_pack_format_size(format), to);
}

/* A double holds every bit that matters for rounding, and powers of two scale it exactly. Steps
 * of binary16 are 2^-24 below 2^-14. From there on, they are 2^-10 times the power of two below
 * the number. */
static bool store_half(double value, uint8_t *to)
{
    double size = fabs(value);
    if (!(size < 65520)) /* halfway between 65504, the largest value, and the next step */
        return false;
    int exponent = -14;
    if (size >= 0x1p-14)
        exponent = ilogb(size);
    /* The number in steps. From 1024 on this includes the leading bit, which adds one to the
     * stored exponent. A number that rounds up to 2048 carries over without extra code. */
    uint32_t steps = (uint32_t)nearbyint(ldexp(size, 10 - exponent));
    uint16_t bits = (uint16_t)(((uint32_t)(exponent + 14) << 10) + steps);
    bits = (uint16_t)(bits | (signbit(value) ? 0x8000 : 0));
    memcpy(to, &bits, 2);
    return true;
}

static bool store_float(double value, uint8_t *to)
{
    if (!(fabs(value) <= FLT_MAX))
        return false;
    float single = (float)value;
    memcpy(to, &single, 4);
    return true;
}

bool facet_pack_store(facet_pack_format format, double value, uint8_t *to)
{
    switch (format) {
    case FACET_PACK_FLOAT32:
        return store_float(value, to);
    case FACET_PACK_FLOAT16:
        return store_half(value, to);
    case FACET_PACK_UINT8:
        return store_whole(value, 0, UINT8_MAX, 1, to);
    case FACET_PACK_SINT8:
        return store_whole(value, INT8_MIN, INT8_MAX, 1, to);
    case FACET_PACK_UINT16:
        return store_whole(value, 0, UINT16_MAX, 2, to);
    case FACET_PACK_SINT16:
        return store_whole(value, INT16_MIN, INT16_MAX, 2, to);
    case FACET_PACK_UINT32:
        return store_whole(value, 0, UINT32_MAX, 4, to);
    case FACET_PACK_SINT32:
        return store_whole(value, INT32_MIN, INT32_MAX, 4, to);
    default:
        return store_normalized(format, value, to);
    }
}

/* -- Directions --------------------------------------------------------- */

static double sign(double value)
{
    return value < 0 ? -1 : 1;
}

/* Cosine of the angle between a direction and the one that x and y encode, times the length of
 * the direction. */
static double nearness(double x, double y, const double direction[3])
{
    double z = 1 - fabs(x) - fabs(y), u = x, v = y;
    if (z < 0) {
        u = (1 - fabs(y)) * sign(x);
        v = (1 - fabs(x)) * sign(y);
    }
    double length = sqrt(u * u + v * v + z * z);
    return (u * direction[0] + v * direction[1] + z * direction[2]) / length;
}

void facet_pack_store_direction(facet_pack_format format, const double direction[3], uint8_t *to)
{
    double sum = fabs(direction[0]) + fabs(direction[1]) + fabs(direction[2]);
    double most = facet_pack_max_value(format), best = -INFINITY, found[2] = {0, 0};
    double x = sum > 0 ? direction[0] / sum : 0, y = sum > 0 ? direction[1] / sum : 0;
    if (sum > 0 && direction[2] < 0) {
        double u = (1 - fabs(y)) * sign(x);
        y = (1 - fabs(x)) * sign(y);
        x = u;
    }
    for (int corner = 0; corner < 4 && sum > 0; corner++) {
        double a = fmin(floor(x * most) + (corner & 1), most);
        double b = fmin(floor(y * most) + (corner >> 1), most);
        double near_it = nearness(a / most, b / most, direction);
        if (near_it > best) {
            best = near_it;
            found[0] = a;
            found[1] = b;
        }
    }
    size_t size = facet_pack_format_size(format);
    store_whole(found[0], -most, most, size, to);
    store_whole(found[1], -most, most, size, to + size);
}
