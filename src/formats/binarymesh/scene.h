/* formats/binarymesh/scene.h - functions of BinaryMesh that use scenes. */
#ifndef FACET_BINARYMESH_SCENE_H
#define FACET_BINARYMESH_SCENE_H

#include "formats/binarymesh/binarymesh.h"

#include <facet/scene.h>

/* Read a file to a scene without the copies of facet_binarymesh_to_scene: the document is in the
 * scene's arena. */
facet_status facet_binarymesh_load(const facet_source *source, const facet_load_options *load,
                                   const facet_options *options, facet_scene **scene,
                                   facet_error *error);

/* Create a scene from a document: one mesh per object, slots as materials by name. `load` has the
 * names of hulls and occluder; it and options can be NULL. All data are copied and converted to
 * single precision. Names, slots and normals: see docs/reference/formats/binarymesh.md. Errors:
 * FACET_ERROR_ARGUMENT as for facet_binarymesh_write; FACET_ERROR_LIMIT with BM-FLOAT-RANGE. */
facet_status facet_binarymesh_to_scene(const facet_binarymesh *document,
                                       const struct facet_load_options *load,
                                       const facet_options *options, struct facet_scene **scene,
                                       facet_error *error);

/* Create a document from a scene: one object per mesh, or per named part of a mesh with several.
 * Losses are reported as LOSS-*. Unchanged data are not copied: the document points into the scene,
 * which must outlive it unchanged. Free with facet_binarymesh_free. Errors: FACET_ERROR_UNSUPPORTED
 * with BM-FILE-EMPTY, FACET_ERROR_MEMORY. */
facet_status facet_binarymesh_from_scene(const struct facet_scene *scene,
                                         const facet_options *options, facet_binarymesh **document,
                                         facet_error *error);

#endif
