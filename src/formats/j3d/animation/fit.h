/* formats/j3d/animation/fit.h - fit of keys to values at every frame. */
#ifndef FACET_J3D_ANIMATION_FIT_H
#define FACET_J3D_ANIMATION_FIT_H

#include <stdbool.h>
#include <stdint.h>

/* Fit `count` (at least 1) samples, one per frame from frame 0 on, with few cubic pieces found by
 * greedy search. No sample differs by more than `tolerance`; end values are samples, and tangents
 * come from least squares. With `whole`, values and tangents are rounded to integers, and tangents
 * fit into 16 bits. Rounding is part of the error, and half a step is always permitted. `elements`
 * must have space for 4 * count numbers. Returns the number of keys; 1 means a constant with one
 * element. *type is 0 for three elements per key, because both tangents are equal, and 1 for four.
 * Time: about count * log2(longest piece). */
uint32_t facet_j3d_fit_keys(const double *samples, uint32_t count, double tolerance, bool whole,
                            double *elements, uint16_t *type);

#endif
