/* formats/assimp/file/wraps_dae.h - wrap modes of a COLLADA's textures. */
#ifndef FACET_ASSIMP_FILE_WRAPS_DAE_H
#define FACET_ASSIMP_FILE_WRAPS_DAE_H

#include "base/arena.h"
#include "base/error.h"

/* Give each <texture> the wrap modes of its sampler as an <extra>: assimp reads them only there.
 * BORDER and NONE become CLAMP. The lines keep their numbers. The new text is in `scratch`. n log n
 * in the textures. */
facet_status facet_dae_set_wraps(const uint8_t **data, size_t *size, facet_arena *scratch,
                                 facet_error *error);

#endif
