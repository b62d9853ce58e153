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

#endif
