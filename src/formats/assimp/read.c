/* formats/assimp/read.c - reader of any file that assimp supports, to a scene. */
#include "formats/assimp/assimp.h"
#include "formats/assimp/file/calls.h"
#include "formats/assimp/to_scene/to_scene.h"

#include "base/error.h"

facet_status facet_assimp_read(const facet_source *source, const char *extension,
                               const facet_load_options *load, const facet_options *options,
                               facet_scene **scene, facet_error *error)
{
    facet_arena *scratch = NULL;
    TRY(facet_arena_create(options, &scratch, error));
    const struct aiScene *imported = NULL;
    facet_fbx *fbx = NULL;
    facet_dae_clips *clips = NULL;
    facet_status status =
        facet_assimp_import(source, extension, options, scratch, &imported, &fbx, &clips, error);
    facet_assimp_attached attached = {0};
    if (!status && facet_assimp_is_dae(imported))
        status = facet_assimp_attach_targets(imported, scratch, &attached, error);
    if (!status)
        status = facet_assimp_to_scene(imported, fbx, clips, load, options, scratch, scene, error);
    facet_assimp_detach_targets(&attached);
    if (imported)
        aiReleaseImport(imported);
    facet_arena_free(scratch);
    return status;
}
