/* formats/bsm/scene.h - functions of BSM that use scenes. */
#ifndef FACET_BSM_SCENE_H
#define FACET_BSM_SCENE_H

#include "formats/bsm/layout.h"

#include <facet/format.h>
#include <facet/scene.h>

/* Vectors shorter than this have no direction. */
#define FACET_BSM_NO_LENGTH 1e-12

/* Counts of the vectors of a stream, by what was changed. */
typedef struct facet_bsm_units {
    uint64_t zero;   /* without a direction; unchanged */
    uint64_t scaled; /* length was off by more than 1e-6; normalized */
    uint64_t wrong;  /* of these, off by more than 1e-3 */
    uint64_t hands;  /* handedness other than +1 and -1; corrected */
} facet_bsm_units;

/* Normalize `count` vectors of `components` floats: 3, or 4 with a handedness that becomes +1 or
 * -1, by its sign. `to` can equal `from`. If `to` is NULL, vectors are only counted. Uses the
 * threads of options. */
facet_bsm_units facet_bsm_normalize(const float *from, float *to, size_t count, size_t components,
                                    const facet_options *options);

/* Read a file to a scene without the copies of facet_bsm_to_scene: the document is in the scene's
 * arena. */
facet_status facet_bsm_load(const facet_source *source, const facet_load_options *load,
                            const facet_options *options, facet_scene **scene, facet_error *error);

/* Add the volumes of hulls and the fit of the occluder to a description. Adds nothing if the file's
 * contents are invalid. */
void facet_bsm_describe_fit(const facet_source *source, const facet_options *options,
                            facet_description *description);

/* Create a scene from a document: one mesh of four streams with a shared index, materials by name,
 * hulls, occluder. Vectors are normalized. All data are copied. `load` is ignored; it and options
 * can be NULL. Errors: FACET_ERROR_ARGUMENT as for facet_bsm_write; FACET_ERROR_LIMIT if hulls
 * share so many points that copies would be larger than the document. */
facet_status facet_bsm_to_scene(const facet_bsm *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* Create a document from a scene that facet_prepare made ready: triangles of one index, with
 * normals and tangents. Losses are reported as LOSS-*. Unchanged data are not copied: the document
 * points into the scene, which must outlive it unchanged. Free with facet_bsm_free. Errors:
 * FACET_ERROR_ARGUMENT with BSM-NOT-READY, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_bsm_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_bsm **document, facet_error *error);

#endif
