/* formats/assimp/file/shared_dae.h - parameters of a COLLADA's effects that all profiles share. */
#ifndef FACET_ASSIMP_FILE_SHARED_DAE_H
#define FACET_ASSIMP_FILE_SHARED_DAE_H

#include "base/arena.h"
#include "base/error.h"

/* Copy each <newparam> of an <effect> into its <profile_COMMON>: assimp reads only those, so it
 * does not find the samplers of textures. The lines keep their numbers. The new text is in
 * `scratch`; a text without such parameters stays. Linear, except for n log n in the effects. */
facet_status facet_dae_copy_params(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   facet_error *error);

#endif
