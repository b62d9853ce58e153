/* formats/assimp/assimp.h - functions for the format table, for all formats that assimp supports.
 * `extension` selects the format of a file (".fbx"). If it is NULL, the file's name and assimp
 * determine the format. */
#ifndef FACET_ASSIMP_ASSIMP_H
#define FACET_ASSIMP_ASSIMP_H

#include "formats/assimp/from_scene/from_scene.h"

#include <facet/format.h>

facet_status facet_assimp_read(const facet_source *source, const char *extension,
                               const facet_load_options *load, const facet_options *options,
                               facet_scene **scene, facet_error *error);
facet_status facet_assimp_check(const facet_source *source, const char *extension,
                                const facet_options *options, facet_report *report,
                                facet_error *error);
facet_status facet_assimp_describe(const facet_source *source, const char *extension,
                                   const facet_options *options, facet_description *description,
                                   facet_error *error);
facet_status facet_assimp_write(const facet_scene *scene, const facet_assimp_target *target,
                                const facet_options *options, facet_output *output,
                                facet_error *error);

#endif
