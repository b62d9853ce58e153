/* formats/assimp/file/marks_dae.h - the character that begins Facet's own names in a COLLADA. */
#ifndef FACET_ASSIMP_FILE_MARKS_DAE_H
#define FACET_ASSIMP_FILE_MARKS_DAE_H

#include "base/arena.h"
#include "base/error.h"

/* Replace U+0001 by blanks, also as a character reference. XML 1.0 forbids both, but assimp's
 * reader accepts them. The size stays. The new text is in `scratch`; a text without them stays.
 * Linear. */
facet_status facet_dae_clear_marks(const uint8_t **data, size_t size, facet_arena *scratch,
                                   facet_error *error);

#endif
