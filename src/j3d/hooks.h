/* j3d/hooks.h - what the files of this folder share beside the document: the
 * hooks of the format table, each in the file that is named. */
#ifndef FACET_J3D_HOOKS_H
#define FACET_J3D_HOOKS_H

#include <facet/format.h>
#include <facet/j3d.h>
#include <facet/scene.h>

/* Model to scene (scene_read.c). */
facet_status facet_j3d_read_scene(const facet_source *source, const facet_load_options *load,
                                  const facet_options *options, facet_scene **scene,
                                  facet_error *error);
/* Scene to document, with its packets for FACET_J3D_BDL4 (scene_write.c). Free
 * it with facet_j3d_free. */
facet_status facet_j3d_from_scene(const facet_scene *scene, facet_j3d_kind kind,
                                  const facet_options *options, facet_j3d **document,
                                  facet_error *error);
/* All there is to tell of a file (describe.c). */
facet_status facet_j3d_describe(const facet_source *source, const facet_options *options,
                                facet_description *description, facet_error *error);
/* Textures, materials and hierarchy as files (extract.c). */
facet_status facet_j3d_extract(const facet_source *source, const facet_options *options,
                               const facet_extractor *extractor, facet_error *error);

/* What facet_j3d_check calls for the bytes of a file (check.c). */
facet_status facet_j3d_check_source(const facet_source *source, const facet_options *options,
                                    facet_report *report, facet_error *error);

#endif
