/* formats/assimp/file/keys_dae.h - steps and curves between the keys of a COLLADA's animations.
 * assimp reads them as straight lines. */
#ifndef FACET_ASSIMP_FILE_KEYS_DAE_H
#define FACET_ASSIMP_FILE_KEYS_DAE_H

#include "base/arena.h"
#include "base/report.h"

/* Add keys a millisecond before the end of each step, and on each curve of one value (BEZIER or
 * HERMITE), in copies of the arrays of its sampler. Reports the steps as a note. Other curves, and
 * samplers whose arrays contradict one another, stay as they are. The lines keep their numbers. The
 * new text is in `scratch`. Linear, except for n log n in the changes. */
facet_status facet_dae_expand_keys(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   facet_report *report, facet_error *error);

#endif
