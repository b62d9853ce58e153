/* bsm/layout.h - where things lie in a BSM; shared by the files of this folder. */
#ifndef FACET_BSM_LAYOUT_H
#define FACET_BSM_LAYOUT_H

#include "bsm/view.h"

/* -- Bytes between the arrays (layout.c) -------------------------------- */

/* A run of bytes of the file. */
typedef struct facet_bsm_span {
    uint64_t begin, end;
} facet_bsm_span;

/* The non-empty arrays, by where they begin; the arrays' numbers in order[].
 * Returns how many there are. */
size_t facet_bsm_order(const facet_bsm_layout *layout,
                       facet_bsm_array order[FACET_BSM_ARRAY_COUNT]);
/* The bytes of an array. */
facet_bsm_span facet_bsm_array_span(const facet_bsm_layout *layout, facet_bsm_array array);
/* The runs of bytes after the header that no array covers, in order; the last
 * one may reach to the end of the file. Returns how many there are. */
size_t facet_bsm_find_gaps(const facet_bsm_layout *layout,
                           facet_bsm_span gaps[FACET_BSM_ARRAY_COUNT + 1]);

/* Sort numbers upwards, in place; quickly done when they are sorted already. */
void facet_bsm_sort(uint64_t *numbers, size_t count);

/* -- Names (layout.c) --------------------------------------------------- */

/* Length of a name in a field of 256 bytes: up to its NUL, or 256. */
size_t facet_bsm_name_length(const char *name);
/* True when a byte after the NUL of a name field is not 0. */
bool facet_bsm_name_has_tail(const char *name);

/* -- Numbers (read.c) --------------------------------------------------- */

/* The first of `count` floats that is NaN or infinite; count when none is. */
size_t facet_bsm_find_nonfinite(const float *values, size_t count);
/* facet_bsm_copy of a whole array of floats that refuses what is not finite
 * (BSM-FLOAT-NONFINITE). */
facet_status facet_bsm_copy_finite(const facet_bsm_layout *layout, facet_bsm_array array,
                                   float *destination, facet_error *error);

/* -- Describing (describe.c) -------------------------------------------- */

/* Fill `detail` with the header's fields, the arrays, meshes and hulls. False
 * without memory. */
bool facet_bsm_describe(const facet_bsm_layout *layout, facet_arena *arena, facet_tree *detail);

#endif
