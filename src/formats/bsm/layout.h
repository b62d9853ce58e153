/* formats/bsm/layout.h - shared functions of this folder: positions in a file, and the arrays of a
 * document. */
#ifndef FACET_BSM_LAYOUT_H
#define FACET_BSM_LAYOUT_H

#include "formats/bsm/view.h"

#include <facet/format.h>

/* -- Bytes between the arrays (layout.c) -------------------------------- */

/* A range of bytes in the file. */
typedef struct facet_bsm_span {
    uint64_t begin, end;
} facet_bsm_span;

/* Store the numbers of the non-empty arrays in order[], sorted by offset. Returns their count. */
size_t facet_bsm_order(const facet_bsm_layout *layout,
                       facet_bsm_array order[FACET_BSM_ARRAY_COUNT]);
/* The byte range of an array. */
facet_bsm_span facet_bsm_array_span(const facet_bsm_layout *layout, facet_bsm_array array);
/* Find the byte ranges after the header that no array covers, in order. The last can extend to the
 * end of the file. Returns their count. */
size_t facet_bsm_find_gaps(const facet_bsm_layout *layout,
                           facet_bsm_span gaps[FACET_BSM_ARRAY_COUNT + 1]);

/* Sort numbers in ascending order, in place. Fast if they are already sorted. */
void facet_bsm_sort(uint64_t *numbers, size_t count);

/* -- Names (layout.c) --------------------------------------------------- */

/* Length of a name in a field of 256 bytes: up to its NUL, or 256. */
size_t facet_bsm_name_length(const char *name);
/* True if a byte after the NUL of a name field is not 0. */
bool facet_bsm_name_has_tail(const char *name);

/* -- Documents (document.c) --------------------------------------------- */

/* Arrays of a document, by number. */
typedef struct facet_bsm_arrays {
    uint32_t count[FACET_BSM_ARRAY_COUNT];
    const void *items[FACET_BSM_ARRAY_COUNT];
} facet_bsm_arrays;
facet_bsm_arrays facet_bsm_arrays_of(const facet_bsm *document);

/* Check a document filled by the caller: all arrays exist, indices and ranges are inside, numbers
 * are finite. Else FACET_ERROR_ARGUMENT, with the broken rule. */
facet_status facet_bsm_check_arrays(const facet_bsm *document, const facet_options *options,
                                    facet_error *error);

/* -- Writing (write.c) -------------------------------------------------- */

/* Set a mesh's material name. If it is longer than 255 bytes, it is cut before the first code point
 * that does not fit, and false is returned. */
bool facet_bsm_set_material(facet_bsm_mesh *mesh, const char *name);

/* -- Reading (read.c) --------------------------------------------------- */

/* Fill an all-zero document with copies of a verified layout's arrays, in an arena. All numbers
 * must be finite. */
facet_status facet_bsm_read_into(facet_arena *arena, const facet_bsm_layout *layout,
                                 facet_bsm *document, facet_error *error);

/* -- Describing (describe.c) -------------------------------------------- */

/* Check all rules of the format, and add findings to `report`: one per rule and array, with a
 * count. Continues after an error wherever the rest has a meaning. Linear in the file's size.
 * options can be NULL. Returns FACET_OK also for a file with errors. Errors: FACET_ERROR_MEMORY,
 * FACET_ERROR_CANCELED. */
facet_status facet_bsm_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Fill an existing description of a file. */
facet_status facet_bsm_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

#endif
