/* formats/assimp/check.c - rules of files that assimp reads: valid, with a consistent scene. */
#include "formats/assimp/assimp.h"
#include "scene/scene.h"

#include <string.h>

facet_status facet_assimp_check(const facet_source *source, const char *extension,
                                const facet_options *options, facet_report *report,
                                facet_error *error)
{
    facet_options reading = {0};
    if (options)
        reading = *options;
    reading.report = report;
    facet_scene *scene = NULL;
    facet_error found = {0};
    facet_status status = facet_assimp_read(source, extension, NULL, &reading, &scene, &found);
    bool is_fbx = extension && strcmp(extension, ".fbx") == 0; /* its reader reports it */
    if (!status && !is_fbx)
        facet_scene_report_rounding(scene, source, &reading);
    facet_scene_free(scene);
    if (status == FACET_ERROR_MALFORMED || status == FACET_ERROR_UNSUPPORTED) {
        facet_report_add_fault(report, &found, "ASSIMP");
        return FACET_OK;
    }
    if (status && error)
        *error = found;
    return status;
}
