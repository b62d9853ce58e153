/* base/color.h - the transfer function of sRGB, between linear light and the values of a screen.
 * Source: IEC 61966-2-1. */
#ifndef FACET_BASE_COLOR_H
#define FACET_BASE_COLOR_H

#include <stddef.h>
#include <stdint.h>

/* Convert one component. Values above 1 continue the curve, values below 0 its linear part. */
double facet_srgb_encode(double linear);
double facet_srgb_decode(double encoded);

/* Nearest sRGB byte of a linear component, which is clamped to 0 and 1. */
uint8_t facet_srgb_byte(double linear);

/* Compute the linear components of all bytes. */
void facet_srgb_linear_of_bytes(float linear[256]);

/* Decode or encode `count` colors of `width` components in place; a fourth component, alpha, is
 * unchanged. Encoding restores the exact floats of decoded bytes, and of nearly all values of six
 * decimals. */
void facet_srgb_decode_colors(float *colors, size_t count, uint32_t width);
void facet_srgb_encode_colors(float *colors, size_t count, uint32_t width);

/* Detect bytes in a format with colors from 0 to 1. If the first `used` of each `width` values are
 * all integers from 0 to 255, and one is at least 32, return the largest. Otherwise return 0. Only
 * small values do not count as bytes: they would be a black model. */
float facet_color_bytes(const float *values, size_t count, uint32_t width, uint32_t used);

#endif
