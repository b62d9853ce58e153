/* formats/assimp/assimp.h - what the format table asks of this folder, for any of the
 * formats that assimp knows. `extension` says which one a file is (".fbx"); NULL
 * leaves that to its name and to assimp. */
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
