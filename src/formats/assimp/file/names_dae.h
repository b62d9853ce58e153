/* formats/assimp/file/names_dae.h - equal names of nodes in a COLLADA.
 *
 * assimp identifies nodes by their names: an animation or a bone goes to the first node with a
 * name. Two skeletons often have the same names. */
#ifndef FACET_ASSIMP_FILE_NAMES_DAE_H
#define FACET_ASSIMP_FILE_NAMES_DAE_H

#include "base/arena.h"
#include "base/error.h"

/* Add FACET_ASSIMP_NUMBERED and a number to names that an earlier node has, or that are the id of
 * another node. Replace the joints of skins that assimp would look for in another skeleton by ids.
 * The lines keep their numbers. The new text is in `scratch`; a text without such names stays.
 * n log n. */
facet_status facet_dae_number_names(const uint8_t **data, size_t *size, facet_arena *scratch,
                                    facet_error *error);

#endif
