/* formats/iqm/file.h - declarations that the files of this folder share, without the scene. */
#ifndef FACET_IQM_FILE_H
#define FACET_IQM_FILE_H

#include "formats/iqm/view.h"

#include <facet/format.h>

/* -- Blocks (blocks.c) -------------------------------------------------- */

/* A run of bytes of the file that something is stored in. */
typedef struct facet_iqm_block {
    uint64_t begin, end;
    const char *name;
} facet_iqm_block;

/* Every section, vertex array and extension of a file that has bytes, by their offsets. What is not
 * inside the file is left out. */
facet_status facet_iqm_list_blocks(const facet_iqm_layout *layout, facet_arena *arena,
                                   facet_iqm_block **blocks, size_t *count, facet_error *error);

/* The first of `size` bytes that is not 0; `size` when all are. */
uint64_t facet_iqm_find_nonzero(const uint8_t *bytes, uint64_t size);

/* -- Writing (write.c) -------------------------------------------------- */

/* The file of a document, in an arena, and its layout, which is verified. Errors:
 * FACET_ERROR_ARGUMENT with the rule that the document breaks; FACET_ERROR_LIMIT; of the arena. */
facet_status facet_iqm_serialize(const facet_iqm *document, facet_arena *arena,
                                 facet_iqm_layout *layout, facet_error *error);

/* -- Check, description ------------------------------------------------- */

/* Apply every rule of the format to a file and add what is found to `report`, one finding for each
 * rule and section, with a count. Continues after an error wherever what follows still has a
 * meaning. Linear in the size of the file. options may be NULL. FACET_OK also for a file full of
 * errors. Errors: FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
facet_status facet_iqm_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_iqm_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

#endif
