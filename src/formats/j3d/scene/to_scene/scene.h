/* formats/j3d/scene/to_scene/scene.h - a document becomes a scene; to_scene.h tells what it looks
 * like. */
#ifndef FACET_J3D_TO_SCENE_SCENE_H
#define FACET_J3D_TO_SCENE_SCENE_H

#include <facet/j3d.h>
#include <facet/scene.h>

/* Free the scene with facet_scene_free. Joints of the document whose place is not
 * finite are put into the origin of their parent, with a warning. */
facet_status facet_j3d_to_scene(facet_j3d *document, const facet_options *options,
                                facet_scene **scene, facet_error *error);

#endif
