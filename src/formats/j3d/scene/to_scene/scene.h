/* formats/j3d/scene/to_scene/scene.h - a document to a scene; to_scene.h describes the result. */
#ifndef FACET_J3D_TO_SCENE_SCENE_H
#define FACET_J3D_TO_SCENE_SCENE_H

#include <facet/j3d.h>
#include <facet/scene.h>

/* Convert a document to a scene; free it with facet_scene_free. Joints whose transform is not
 * finite are reset to the origin of their parent, with a warning. */
facet_status facet_j3d_to_scene(facet_j3d *document, const facet_options *options,
                                facet_scene **scene, facet_error *error);

#endif
