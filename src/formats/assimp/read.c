/* formats/assimp/read.c - reader of any file that assimp supports, to a scene. */
#include "formats/assimp/assimp.h"
#include "formats/assimp/file/calls.h"
#include "formats/assimp/file/scan.h"
#include "formats/assimp/probe.h"
#include "formats/assimp/to_scene/to_scene.h"

#include "base/error.h"

#include <string.h>

facet_status facet_assimp_read(const facet_source *source, const char *extension,
                               const facet_load_options *load, const facet_options *options,
                               facet_scene **scene, facet_error *error)
{
    facet_arena *scratch = NULL;
    TRY(facet_arena_create(options, &scratch, error));
    const struct aiScene *imported = NULL;
    facet_status status = FACET_OK;
    bool is_dae = facet_assimp_probe_dae(source) > 0 || (extension && !strcmp(extension, ".dae"));
    if (is_dae && source->size > 0)
        status = facet_assimp_scan_dae(source, scratch, options ? options->report : NULL, error);
    if (source->size > 0 && facet_assimp_probe_fbx(source) > 0)
        facet_assimp_scan_fbx(source, options ? options->report : NULL);
    if (!status)
        status = facet_assimp_import(source, extension, options, scratch, &imported, error);
    if (!status)
        status = facet_assimp_to_scene(imported, load, options, scratch, scene, error);
    if (imported)
        aiReleaseImport(imported);
    facet_arena_free(scratch);
    return status;
}
