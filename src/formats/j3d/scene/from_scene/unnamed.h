/* formats/j3d/scene/from_scene/unnamed.h - nodes without names for joints of a model. */
#ifndef FACET_J3D_FROM_SCENE_UNNAMED_H
#define FACET_J3D_FROM_SCENE_UNNAMED_H

#include "base/arena.h"

#include <facet/j3d.h>
#include <facet/scene.h>

/* Set the joint (FACET_NONE: unknown so far) of nodes without names, for joints whose names the
 * writer of models made. Linear. */
facet_status facet_j3d_match_unnamed(const facet_scene *scene, const facet_j3d *model,
                                     uint32_t *joint_of_node, facet_arena *scratch,
                                     facet_error *error);

#endif
