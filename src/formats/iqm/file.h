/* formats/iqm/file.h - shared functions of this folder that do not use scenes. */
#ifndef FACET_IQM_FILE_H
#define FACET_IQM_FILE_H

#include "base/report.h"
#include "formats/iqm/view.h"

#include <facet/format.h>

/* -- Blocks (blocks.c) -------------------------------------------------- */

/* A byte range of the file with some content. */
typedef struct facet_iqm_block {
    uint64_t begin, end;
    const char *name;
} facet_iqm_block;

/* List all sections, vertex arrays and extensions with bytes, by offset. Ranges outside the file
 * are ignored. */
facet_status facet_iqm_list_blocks(const facet_iqm_layout *layout, facet_arena *arena,
                                   facet_iqm_block **blocks, size_t *count, facet_error *error);

/* Index of the first of `size` bytes that is not 0; `size` if all are 0. */
uint64_t facet_iqm_find_nonzero(const uint8_t *bytes, uint64_t size);

/* -- Frames (check_motion.c) -------------------------------------------- */

/* Count the frames that are in no animation. Errors: those of the arena. n log n in the number of
 * animations. */
facet_status facet_iqm_find_loose_frames(const facet_iqm_layout *layout, facet_arena *arena,
                                         facet_tally *loose, facet_error *error);

/* -- Names (name_growth.c) ---------------------------------------------- */

/* Check the total length of the names of all records: records can share a long name. Also for a
 * file that is not verified. FACET_ERROR_LIMIT (GROWTH-LIMIT) if facet_options.growth_limit does
 * not allow it. */
facet_status facet_iqm_check_name_growth(const facet_iqm_layout *layout,
                                         const facet_options *options, facet_error *error);

/* -- Writing (write.c) -------------------------------------------------- */

/* Write a document as a file in an arena, with its verified layout. Errors: FACET_ERROR_ARGUMENT
 * with the rule that the document breaks; FACET_ERROR_LIMIT; those of the arena. */
facet_status facet_iqm_serialize(const facet_iqm *document, facet_arena *arena,
                                 facet_iqm_layout *layout, facet_error *error);

/* -- Check, description ------------------------------------------------- */

/* Check all rules of the format, and add findings to `report`: one per rule and section, with a
 * count. Continues after an error wherever the rest has a meaning. Linear in the size of the file.
 * options can be NULL. Returns FACET_OK also for a file with errors. Errors: FACET_ERROR_MEMORY,
 * FACET_ERROR_CANCELED. */
facet_status facet_iqm_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Fill an existing description of a file. */
facet_status facet_iqm_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

#endif
