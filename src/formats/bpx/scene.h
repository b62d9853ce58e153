/* formats/bpx/scene.h - functions of BPX that use scenes. */
#ifndef FACET_BPX_SCENE_H
#define FACET_BPX_SCENE_H

#include "formats/bpx/bpx.h"

#include <facet/scene.h>

/* Maximum number of texture coordinate sets that are written. */
#define FACET_BPX_MAX_TEXCOORDS 4

facet_status facet_bpx_model_to_scene(const facet_bpx *document, const facet_options *options,
                                      facet_scene **scene, facet_error *error);
facet_status facet_bpx_model_from_scene(const facet_scene *scene, const facet_options *options,
                                        facet_bpx **document, facet_error *error);
/* Report losses of a scene that a model cannot store, as warnings. */
void facet_bpx_report_model_losses(const facet_scene *scene, bool has_bones,
                                   const facet_options *options);

/* Create a scene from a document: a texture's images, or a model's meshes, bones and frames. All
 * data are copied. `load` is ignored; it and options can be NULL. Errors: those of
 * facet_bpx_get_texture or facet_bpx_get_model; FACET_ERROR_UNSUPPORTED with BPX-TYPE-UNSPECIFIED
 * for other types; FACET_ERROR_ARGUMENT with BPX-DOCUMENT. */
facet_status facet_bpx_to_scene(const facet_bpx *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* Create a document from a scene: a texture if it has images and no meshes, else a model of
 * triangles with normals (see facet_prepare). Losses are reported as LOSS-*. The document does not
 * refer to the scene. Free with facet_bpx_free. Errors: FACET_ERROR_ARGUMENT for polygons,
 * FACET_ERROR_UNSUPPORTED, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_bpx_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_bpx **document, facet_error *error);

#endif
