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

/* Make a scene of a document: one mesh per object, slots as materials by name.
 * `load` names the objects that become hulls and the occluder; it may be NULL, as
 * options. All is copied; numbers become single precision. See docs/reference/formats/binarymesh.md
 * for names, slots and normals.
 * Errors: FACET_ERROR_ARGUMENT as facet_binarymesh_write; FACET_ERROR_LIMIT with
 * BM-FLOAT-RANGE. */
facet_status facet_binarymesh_to_scene(const facet_binarymesh *document,
                                       const struct facet_load_options *load,
                                       const facet_options *options, struct facet_scene **scene,
                                       facet_error *error);

/* Make a document of a scene: one object per mesh, or per named part where a mesh
 * has several. What the format cannot hold is reported as LOSS-*. What needs no
 * change is not copied: the document points to it in the scene, which must
 * outlive it and stay as it is. Free with facet_binarymesh_free.
 * Errors: FACET_ERROR_UNSUPPORTED with BM-FILE-EMPTY, FACET_ERROR_MEMORY. */
facet_status facet_binarymesh_from_scene(const struct facet_scene *scene,
                                         const facet_options *options, facet_binarymesh **document,
                                         facet_error *error);

#endif
