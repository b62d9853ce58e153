/* j3d/from_scene/scene.h - a scene becomes a document; from_scene.h tells how. */
#ifndef FACET_J3D_FROM_SCENE_SCENE_H
#define FACET_J3D_FROM_SCENE_SCENE_H

#include <facet/j3d.h>
#include <facet/scene.h>

/* With its packets for FACET_J3D_BDL4. Free it with facet_j3d_free. */
facet_status facet_j3d_from_scene(const facet_scene *scene, facet_j3d_kind kind,
                                  const facet_options *options, facet_j3d **document,
                                  facet_error *error);

#endif
