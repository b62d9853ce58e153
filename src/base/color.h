/* base/color.h - the transfer function of sRGB: linear light, and values as shown on a screen.
 * Source: IEC 61966-2-1. */
#ifndef FACET_BASE_COLOR_H
#define FACET_BASE_COLOR_H

#include <stddef.h>
#include <stdint.h>

/* One component. Values above 1 follow the same curve, values below 0 its straight part. */
double facet_srgb_encode(double linear);
double facet_srgb_decode(double encoded);

/* The nearest byte of sRGB of a linear component, which is clamped to 0 and 1. */
uint8_t facet_srgb_byte(double linear);

/* The linear components of all bytes. */
void facet_srgb_linear_of_bytes(float linear[256]);

/* Decode or encode `count` colors of `width` components in place; a fourth, alpha, stays. Decoded
 * bytes, and nearly all values of six decimals, are encoded to the same float. */
void facet_srgb_decode_colors(float *colors, size_t count, uint32_t width);
void facet_srgb_encode_colors(float *colors, size_t count, uint32_t width);

/* The largest of the first `used` of each `width` values, if all are whole numbers from 0 to 255,
 * where one is 32 at least: bytes where 0 to 1 is meant. Small ones alone are no bytes: they would
 * be a black model. Else 0. */
float facet_color_bytes(const float *values, size_t count, uint32_t width, uint32_t used);

#endif
