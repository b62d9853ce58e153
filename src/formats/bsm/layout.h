/* formats/bsm/layout.h - what the files of this folder share: where things lie in a
 * file, and the arrays of a document. */
#ifndef FACET_BSM_LAYOUT_H
#define FACET_BSM_LAYOUT_H

#include "formats/bsm/view.h"

#include <facet/format.h>

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

/* -- Documents (document.c) --------------------------------------------- */

/* A document's arrays by number. */
typedef struct facet_bsm_arrays {
    uint32_t count[FACET_BSM_ARRAY_COUNT];
    const void *items[FACET_BSM_ARRAY_COUNT];
} facet_bsm_arrays;
facet_bsm_arrays facet_bsm_arrays_of(const facet_bsm *document);

/* Look at what a document filled in by hand points to: every array is there,
 * every index and range inside, every number finite; or FACET_ERROR_ARGUMENT with
 * the rule that is broken. */
facet_status facet_bsm_check_arrays(const facet_bsm *document, const facet_options *options,
                                    facet_error *error);

/* -- Reading (read.c) --------------------------------------------------- */

/* Fill in a document, which is all zero, with copies in an arena of the arrays
 * of a verified layout, all finite. */
facet_status facet_bsm_read_into(facet_arena *arena, const facet_bsm_layout *layout,
                                 facet_bsm *document, facet_error *error);

/* -- Describing (describe.c) -------------------------------------------- */

/* Apply every rule of the format to a file and add what is found to `report`,
 * one finding for each rule and array, with a count. Carries on after an error
 * wherever what follows still has a meaning. Linear in the file's size. options
 * may be NULL. FACET_OK also for a file full of errors.
 * Errors: FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
facet_status facet_bsm_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_bsm_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

#endif
