/* formats/assimp/file/double_dae.h - double-sided effects and geometries of a COLLADA. */
#ifndef FACET_ASSIMP_FILE_DOUBLE_DAE_H
#define FACET_ASSIMP_FILE_DOUBLE_DAE_H

#include "base/arena.h"
#include "base/report.h"

/* Move each <double_sided> of an <effect> into its <profile_COMMON>: assimp reads it only there.
 * An effect also gets it if all geometries with one of its materials have it, as Maya writes it.
 * Report such geometries if others without it have the material. The lines keep their numbers. The
 * new text is in `scratch`; a text without such elements stays. n log n in the elements. */
facet_status facet_dae_move_double_sided(const uint8_t **data, size_t *size, facet_arena *scratch,
                                         facet_report *report, facet_error *error);

#endif
