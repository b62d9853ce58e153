/* formats/obj/shapes.h - lines that look like one before. */
#ifndef FACET_OBJ_SHAPES_H
#define FACET_OBJ_SHAPES_H

#include "base/processor.h"
#include "formats/obj/reader.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define FACET_OBJ_HAS_SHAPES 1
#endif

/* Space for the shapes of lines of `size` bytes; NULL without memory, or where there is
 * nothing to gain by them. Each thread has its own. */
facet_obj_shapes *facet_obj_make_shapes(facet_arena *arena, size_t size);

/* Parse lines from `at` up to `limit` whose shape is known; returns the first that is
 * of another, or begins at `limit` or after. */
const uint8_t *facet_obj_run_shapes(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit);

/* The line at `at` was parsed, and ended at `next`: others may look like it. */
void facet_obj_learn_shape(facet_obj_reader *r, const uint8_t *at, const uint8_t *next);

#endif
