/* formats/iqm/scene.h - declarations that the files of this folder share about scenes. */
#ifndef FACET_IQM_SCENE_H
#define FACET_IQM_SCENE_H

#include "base/report.h"
#include "formats/iqm/file.h"

#include <facet/scene.h>

/* A scene that is made of a verified file. */
typedef struct facet_iqm_scene_reader {
    const facet_iqm_layout *layout;
    facet_scene *scene;
    facet_arena *scratch;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    uint32_t joint_count; /* nodes of joints; node i is joint i */
} facet_iqm_scene_reader;

/* The scene of a verified file. */
facet_status facet_iqm_scene_of_layout(const facet_iqm_layout *layout, const facet_options *options,
                                       facet_scene **scene, facet_error *error);

/* From a file to a scene, without a document between. */
facet_status facet_iqm_load(const facet_source *source, const facet_load_options *load,
                            const facet_options *options, facet_scene **scene, facet_error *error);

/* The animations of `source` for the scene that was read from `model` (to_scene_added.c). */
facet_status facet_iqm_load_added(const facet_source *source, const facet_source *model,
                                  const facet_options *options, facet_scene *scene,
                                  facet_error *error);

/* Report the extensions, which a scene has no place for. */
facet_status facet_iqm_report_extensions(const facet_iqm_scene_reader *r);

/* The string of a verified file. */
static inline const char *facet_iqm_name(const facet_iqm_layout *layout, uint32_t offset)
{
    const char *name = facet_iqm_text(layout, offset);
    return name ? name : "";
}

/* A name as UTF-8 in the arena of the scene (scene_names.c). */
facet_status facet_iqm_add_name(const facet_iqm_scene_reader *r, uint32_t offset,
                                const char **name);

/* The meshes with their materials (to_scene_mesh.c). */
facet_status facet_iqm_add_meshes(facet_iqm_scene_reader *r);

/* Joints, skin, and animations (to_scene_motion.c). */
facet_status facet_iqm_add_joints(facet_iqm_scene_reader *r);
facet_status facet_iqm_add_animations(facet_iqm_scene_reader *r);

/* Frames per second of an animation that gives none: those of iqm's tools. */
#define FACET_IQM_DEFAULT_RATE 24

/* Make a scene of a document: a mesh per mesh, materials by name, a node per joint, one skin,
 * and an animation per animation, with a key per frame. All is copied. `load` has no effect on an
 * IQM and may be NULL, as options.
 * Errors: FACET_ERROR_ARGUMENT as facet_iqm_write; FACET_ERROR_LIMIT when meshes share vertices or
 * triangles so often that they exceed the document. */
facet_status facet_iqm_to_scene(const facet_iqm *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* Make a document of a scene, whose meshes are what an IQM needs (facet_prepare): triangles of one
 * index. What an IQM does not hold is reported as LOSS-*. The document does not need the scene.
 * Free with facet_iqm_free.
 * Errors: FACET_ERROR_ARGUMENT with IQM-NOT-READY, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_iqm_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_iqm **document, facet_error *error);

#endif
