/* formats/assimp/write.c - writer of COLLADA and FBX. */
#include "formats/assimp/assimp.h"

#include "base/error.h"

static facet_status write_once(facet_assimp_writer *w, facet_output *output, bool *images_refused)
{
    *images_refused = false;
    TRY(facet_arena_create(w->options, &w->scratch, w->error));
    facet_status status = facet_assimp_from_scene(w);
    if (!status)
        status = facet_assimp_export(&w->to, &w->added, w->target->id, w->target->name, w->scratch,
                                     output, images_refused, w->error);
    facet_arena_free(w->scratch);
    return status;
}

facet_status facet_assimp_write(const facet_scene *scene, const facet_assimp_target *target,
                                const facet_options *options, facet_output *output,
                                facet_error *error)
{
    facet_report *report = options ? options->report : NULL;
    facet_assimp_writer w = {
        .target = target, .scene = scene, .options = options, .report = report, .error = error};
    bool images_refused;
    facet_status status = write_once(&w, output, &images_refused);
    if (status && images_refused) {
        /* A stream cannot have files next to it. */
        facet_report_add(
            report, "LOSS-IMAGES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "images are written by name only: a stream cannot have a second file next to it");
        facet_assimp_writer again = {
            .target = target, .scene = scene, .options = options, .error = error};
        again.drop_images = true;
        status = write_once(&again, output, &images_refused);
    }
    return status;
}
