/* formats/assimp/file/targets_dae.h - morph targets of a COLLADA. assimp reads no mesh of a file
 * with a <morph>.
 *
 * A morph becomes a geometry. Each target becomes a copy of it with other positions, and a node
 * that shows it. In assimp's scene, these nodes become targets (to_scene/dae_targets.c). */
#ifndef FACET_ASSIMP_FILE_TARGETS_DAE_H
#define FACET_ASSIMP_FILE_TARGETS_DAE_H

#include "base/arena.h"
#include "base/error.h"

/* Replace each <morph> of a geometry whose targets have as many positions. Others stay. The lines
 * keep their numbers. The new text is in `scratch`. n log n in the elements. */
facet_status facet_dae_replace_morphs(const uint8_t **data, size_t *size, facet_arena *scratch,
                                      facet_error *error);

#endif
