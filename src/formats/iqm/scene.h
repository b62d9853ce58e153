/* formats/iqm/scene.h - functions of IQM that use scenes. */
#ifndef FACET_IQM_SCENE_H
#define FACET_IQM_SCENE_H

#include "base/report.h"
#include "formats/iqm/file.h"

#include <facet/scene.h>

/* Conversion of a verified file to a scene. */
typedef struct facet_iqm_scene_reader {
    const facet_iqm_layout *layout;
    facet_scene *scene;
    facet_arena *scratch;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    uint32_t joint_count; /* number of nodes of joints; node i is joint i */
} facet_iqm_scene_reader;

/* Create the scene of a verified file. */
facet_status facet_iqm_scene_of_layout(const facet_iqm_layout *layout, const facet_options *options,
                                       facet_scene **scene, facet_error *error);

/* Read a file to a scene, without a document. */
facet_status facet_iqm_load(const facet_source *source, const facet_load_options *load,
                            const facet_options *options, facet_scene **scene, facet_error *error);

/* Read the animations of `source` for the scene of `model` (to_scene_added.c). */
facet_status facet_iqm_load_added(const facet_source *source, const facet_source *model,
                                  const facet_options *options, facet_scene *scene,
                                  facet_error *error);

/* Report extensions, which a scene cannot store. */
facet_status facet_iqm_report_extensions(const facet_iqm_scene_reader *r);

/* A string of a verified file. */
static inline const char *facet_iqm_name(const facet_iqm_layout *layout, uint32_t offset)
{
    const char *name = facet_iqm_text(layout, offset);
    return name ? name : "";
}

/* Copy a name as UTF-8 to the arena of the scene (scene_names.c). */
facet_status facet_iqm_add_name(const facet_iqm_scene_reader *r, uint32_t offset,
                                const char **name);

/* Add the meshes with their materials (to_scene_mesh.c). */
facet_status facet_iqm_add_meshes(facet_iqm_scene_reader *r);

/* Add joints, skin and animations (to_scene_motion.c). */
facet_status facet_iqm_add_joints(facet_iqm_scene_reader *r);
facet_status facet_iqm_add_animations(facet_iqm_scene_reader *r);

/* Frame rate of an animation without one: that of iqm's tools. */
#define FACET_IQM_DEFAULT_RATE 24

/* Create a scene from a document: a mesh per mesh, materials by name, a node per joint, one skin,
 * and an animation per animation, with a key per frame. All data are copied. `load` is ignored; it
 * and options can be NULL. Errors: FACET_ERROR_ARGUMENT as for facet_iqm_write; FACET_ERROR_LIMIT
 * if meshes share so many vertices or triangles that copies would be larger than the document. */
facet_status facet_iqm_to_scene(const facet_iqm *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* Create a document from a scene that facet_prepare made ready: triangles of one index. Losses are
 * reported as LOSS-*. The document does not refer to the scene. Free with facet_iqm_free. Errors:
 * FACET_ERROR_ARGUMENT with IQM-NOT-READY, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_iqm_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_iqm **document, facet_error *error);

#endif
