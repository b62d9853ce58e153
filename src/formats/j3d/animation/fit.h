/* formats/j3d/animation/fit.h - keys for values that were sampled at every frame. */
#ifndef FACET_J3D_ANIMATION_FIT_H
#define FACET_J3D_ANIMATION_FIT_H

#include <stdbool.h>
#include <stdint.h>

/* Cover `count` (at least 1) samples, one per frame from frame 0 on, with as few cubic
 * pieces as a greedy search finds, so that no sample is off by more than `tolerance`:
 * end values are samples, tangents fit by least squares. With `whole`, values and
 * tangents are rounded to whole numbers, and that counts as part of the error, of
 * which half a step is always allowed; tangents fit into 16 bits. `elements` has space for 4 *
 * count numbers. Returns the number of keys; 1 is a constant, with one element. *type is 0 when
 * tangents in and out are alike, and elements are three per key, else 1 and four.
 * About count * log2 of the longest piece steps. */
uint32_t facet_j3d_fit_keys(const double *samples, uint32_t count, double tolerance, bool whole,
                            double *elements, uint16_t *type);

#endif
