/* formats/binarymesh/scene.h - what the files share that know the neutral scene. */
#ifndef FACET_BINARYMESH_SCENE_H
#define FACET_BINARYMESH_SCENE_H

#include "formats/binarymesh/binarymesh.h"

#include <facet/scene.h>

/* From a file to a scene, without the copy of facet_binarymesh_to_scene: the
 * document is read into the scene's arena. */
facet_status facet_binarymesh_load(const facet_source *source, const facet_load_options *load,
                                   const facet_options *options, facet_scene **scene,
                                   facet_error *error);

#endif
