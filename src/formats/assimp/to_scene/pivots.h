/* formats/assimp/to_scene/pivots.h - the nodes that assimp makes of one node of an FBX.
 *
 * An FBX places a node by T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1,
 * and its mesh by a geometric transform more, which its children do not have
 * (https://help.autodesk.com, FbxNode, "Computing transformation matrices"). Of each factor
 * assimp makes a node of its own, one below the other, called as the node with this in it: */
#ifndef FACET_ASSIMP_TO_SCENE_PIVOTS_H
#define FACET_ASSIMP_TO_SCENE_PIVOTS_H

#include "formats/assimp/to_scene/to_scene.h"

#define FACET_ASSIMP_PIVOT "_$AssimpFbx$_"

/* The place whose first factor `node` is, or that which it is itself. */
facet_assimp_place facet_assimp_place_at(const struct aiNode *node);
/* The last node before the place's children. */
const struct aiNode *facet_assimp_place_tail(const facet_assimp_place *place);
/* The place in its parent, and that of its mesh in it: false when that is none. */
void facet_assimp_place_matrix(const facet_assimp_place *place, struct aiMatrix4x4 *matrix);
bool facet_assimp_geometry_matrix(const facet_assimp_place *place, struct aiMatrix4x4 *matrix);

/* The channels that move the factors of a place become those of the place: `list` has
 * `count` of them. The animation has space for three channels more. */
facet_status facet_assimp_pivots_to_channels(facet_assimp_reader *r, uint32_t place,
                                             const struct aiNodeAnim *const *list, uint32_t count,
                                             double ticks, facet_animation *animation);
/* What assimp's rotation of a whole place is to be followed by: it has Rpost for Rpost^-1. */
bool facet_assimp_rotation_mend(const facet_assimp_place *place, float mend[4]);

#endif
