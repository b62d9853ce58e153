/* gx/pixel.h - steps from a fragment's color to the frame: comparison of alpha, fog, depth,
 * blending. The numbers of comparisons, factors and operations are those of facet/gx_material.h. */
#ifndef FACET_GX_PIXEL_H
#define FACET_GX_PIXEL_H

#include <facet/gx_material.h>

/* True if a comparison holds: NEVER, LESS, EQUAL, LEQUAL, GREATER, NEQUAL, GEQUAL, ALWAYS. */
bool facet_gx_compare(uint8_t comparison, uint32_t value, uint32_t reference);
bool facet_gx_alpha_passes(const facet_gx_alpha_compare *compare, uint8_t alpha);

/* Fog in the form of the chip's registers. */
typedef struct facet_gx_fog_registers {
    uint8_t type; /* 2 linear, 4 exponential, 5 exponential squared, 6 and 7 reversed */
    bool orthographic;
    float a, c;
    uint32_t b, shift;
    uint8_t color[3];
} facet_gx_fog_registers;

/* Compute the registers of a material's fog. False if it has no fog. */
bool facet_gx_fog_make(const facet_gx_fog *fog, facet_gx_fog_registers *registers);
/* Amount of fog at a depth of 24 bits: 0 to 256. */
uint32_t facet_gx_fog_amount(const facet_gx_fog_registers *registers, uint32_t depth);
void facet_gx_fog_apply(const facet_gx_fog_registers *registers, uint32_t depth, uint8_t color[4]);

/* Write a color into the frame: blend, apply a logical operation, or subtract. */
void facet_gx_blend_into(const facet_gx_blend *blend, const uint8_t source[4], uint8_t frame[4]);
/* Dither a component to 6 bits, by its position in the frame. */
uint8_t facet_gx_dither(uint8_t value, uint32_t x, uint32_t y);

#endif
