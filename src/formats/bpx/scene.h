/* formats/bpx/scene.h - what the files share that know the neutral scene. */
#ifndef FACET_BPX_SCENE_H
#define FACET_BPX_SCENE_H

#include "formats/bpx/bpx.h"

#include <facet/scene.h>

/* Sets of texture coordinates that are written. */
#define FACET_BPX_MAX_TEXCOORDS 4

facet_status facet_bpx_model_to_scene(const facet_bpx *document, const facet_options *options,
                                      facet_scene **scene, facet_error *error);
facet_status facet_bpx_model_from_scene(const facet_scene *scene, const facet_options *options,
                                        facet_bpx **document, facet_error *error);
/* What a model does not hold of a scene, as warnings. */
void facet_bpx_report_model_losses(const facet_scene *scene, bool has_bones,
                                   const facet_options *options);

/* Make a scene of a document: images of a texture, meshes, bones and frames of a
 * model. All is copied. `load` says nothing to BPX, and may be NULL, as options.
 * Errors: those of facet_bpx_get_texture or facet_bpx_get_model;
 * FACET_ERROR_UNSUPPORTED with BPX-TYPE-UNSPECIFIED for other types;
 * FACET_ERROR_ARGUMENT with BPX-DOCUMENT. */
facet_status facet_bpx_to_scene(const facet_bpx *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* Make a document of a scene: a texture when it has images and no meshes, else a
 * model, of triangles with normals (facet_prepare). What a model does not hold is
 * reported as LOSS-*. The document does not need the scene. Free with
 * facet_bpx_free. Errors: FACET_ERROR_ARGUMENT for polygons,
 * FACET_ERROR_UNSUPPORTED, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_bpx_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_bpx **document, facet_error *error);

#endif
