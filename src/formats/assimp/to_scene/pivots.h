/* formats/assimp/to_scene/pivots.h - the chain of nodes that assimp creates for one FBX node.
 *
 * The transform of an FBX node is T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S *
 * Sp^-1. Its mesh has an additional geometric transform, unlike its children. The source is
 * https://help.autodesk.com, FbxNode, "Computing transformation matrices". assimp creates a
 * separate node for each factor, each the child of the previous one. The name is the node's name
 * followed by this: */
#ifndef FACET_ASSIMP_TO_SCENE_PIVOTS_H
#define FACET_ASSIMP_TO_SCENE_PIVOTS_H

#include "formats/assimp/to_scene/to_scene.h"

#define FACET_ASSIMP_PIVOT FACET_ASSIMP_MARK "_"

/* The place whose first factor is `node`, or that is only `node`. */
facet_assimp_chain facet_assimp_chain_at(const struct aiNode *node);
/* The last node before the children of the place. */
const struct aiNode *facet_assimp_chain_end(const facet_assimp_chain *place);
/* Matrix of a place relative to its parent, and of its mesh relative to the place: false if that is
 * the identity. */
void facet_assimp_chain_matrix(const facet_assimp_chain *place, struct aiMatrix4x4 *matrix);
bool facet_assimp_geometry_matrix(const facet_assimp_chain *place, struct aiMatrix4x4 *matrix);

/* Convert the channels of a place's factors to channels of the place. `list` has `count` of them.
 * The animation must have space for three more channels. */
facet_status facet_assimp_pivots_to_channels(facet_assimp_reader *r, uint32_t place,
                                             const struct aiNodeAnim *const *list, uint32_t count,
                                             double ticks, facet_animation *animation);
/* Correction that follows assimp's rotation of a whole transform, which uses Rpost instead of
 * Rpost^-1. False if no correction is necessary. */
bool facet_assimp_rotation_repair(const facet_assimp_chain *place, float repair[4]);

#endif
