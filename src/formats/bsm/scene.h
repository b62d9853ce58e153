/* formats/bsm/scene.h - what the files share that know the neutral scene. */
#ifndef FACET_BSM_SCENE_H
#define FACET_BSM_SCENE_H

#include "formats/bsm/layout.h"

#include <facet/format.h>
#include <facet/scene.h>

/* Vectors shorter than this have no direction. */
#define FACET_BSM_NO_LENGTH 1e-12

/* What was found and done to a stream of unit vectors. */
typedef struct facet_bsm_units {
    uint64_t zero;   /* without a length, left alone */
    uint64_t scaled; /* off by more than 1e-6, made to have length 1 */
    uint64_t wrong;  /* of these, off by more than 1e-3 */
    uint64_t hands;  /* fourth components other than +1 and -1, made so */
} facet_bsm_units;

/* Give `count` vectors of `components` floats (3, or 4 with a handedness that
 * becomes +1 or -1, by its sign) length 1. `to` may be `from`; when it is NULL
 * nothing is changed, only found. The threads of options are used. */
facet_bsm_units facet_bsm_normalize(const float *from, float *to, size_t count, size_t components,
                                    const facet_options *options);

/* From a file to a scene, without the copy of facet_bsm_to_scene: the document
 * is read into the scene's arena. */
facet_status facet_bsm_load(const facet_source *source, const facet_load_options *load,
                            const facet_options *options, facet_scene **scene, facet_error *error);

/* Add to a file's description the volumes of its hulls and how its occluder
 * fits; nothing when its contents cannot be read. */
void facet_bsm_describe_fit(const facet_source *source, const facet_options *options,
                            facet_description *description);

/* Make a scene of a document: one mesh with four streams of one index, materials
 * by name, hulls, occluder. Vectors get unit length. All is copied. `load` says
 * nothing to a BSM, and may be NULL, as options.
 * Errors: FACET_ERROR_ARGUMENT as facet_bsm_write; FACET_ERROR_LIMIT when hulls
 * share points so often that they would outgrow the document. */
facet_status facet_bsm_to_scene(const facet_bsm *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* Make a document of a scene, whose meshes are what a BSM needs (facet_prepare):
 * triangles of one index with normals and tangents. What a BSM does not hold is
 * reported as LOSS-*. What needs no change is not copied: the document points to
 * it in the scene, which must outlive it and stay as it is. Free with
 * facet_bsm_free.
 * Errors: FACET_ERROR_ARGUMENT with BSM-NOT-READY, FACET_ERROR_LIMIT,
 * FACET_ERROR_MEMORY. */
facet_status facet_bsm_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_bsm **document, facet_error *error);

#endif
