/* formats/assimp/file/symbols_dae.h - symbols of materials in a COLLADA that are also ids. */
#ifndef FACET_ASSIMP_FILE_SYMBOLS_DAE_H
#define FACET_ASSIMP_FILE_SYMBOLS_DAE_H

#include "base/arena.h"
#include "base/error.h"

/* Rename each symbol of a material that is the id of another one. assimp gives its faces the
 * material with that id. The lines keep their numbers. The new text is in `scratch`. A text without
 * such symbols stays. n log n in the symbols. */
facet_status facet_dae_rename_symbols(const uint8_t **data, size_t *size, facet_arena *scratch,
                                      facet_error *error);

#endif
