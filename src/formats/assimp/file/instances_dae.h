/* formats/assimp/file/instances_dae.h - instances of a COLLADA's shape with different materials or
 * skeletons. */
#ifndef FACET_ASSIMP_FILE_INSTANCES_DAE_H
#define FACET_ASSIMP_FILE_INSTANCES_DAE_H

#include "base/arena.h"
#include "base/error.h"

/* Copy geometries and controllers in the text for instances that bind only some materials like an
 * earlier one, or have another skeleton. For these, assimp reads primitives from wrong vertices, or
 * binds them to the joints of the earlier one. The lines keep their numbers. The new text is in
 * `scratch`; a text without such instances stays. Errors: FACET_ERROR_LIMIT if the copies are much
 * larger than the file. Linear, except for n log n in the copies. */
facet_status facet_dae_copy_shapes(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   facet_error *error);

#endif
