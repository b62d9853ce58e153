/* cli/render_load.c - loading of the scene for pictures. */
#include "cli/record.h"
#include "cli/render.h"

#include <facet/convert.h>

static facet_status add(cli_record *record, const char *path, const facet_source *model,
                        const facet_options *options, facet_scene *scene, facet_error *error)
{
    facet_input *input = NULL;
    facet_source source;
    facet_status status = facet_input_open(path, options, &input, error);
    if (!status)
        status = facet_input_decompress(input, &source, error);
    if (!status)
        status = cli_record_source(record, &source, error);
    if (!status)
        status = facet_load_animation(&source, NULL, model, options, scene, error);
    facet_input_close(input);
    return status;
}

facet_status cli_load_picture(cli_record *record, const cli_picture_settings *settings,
                              const facet_source *source, const char *const *more, int count,
                              bool normals, const facet_options *options, facet_scene **scene,
                              const char **blamed, facet_error *error)
{
    const char *file = *blamed;
    facet_load_options how = {.image_files = true, .variant = settings->variant};
    /* Equal vertices do not change a picture, so they are not joined. */
    facet_prepare_options prepare = {.skip = FACET_NEED_OPTIMIZED, .keep_vertices = true};
    facet_status status = facet_load(source, settings->from, &how, options, scene, error);
    for (int i = 0; i < count && !status; i++) {
        *blamed = more[i];
        status = add(record, more[i], source, options, *scene, error);
    }
    if (status)
        return status;
    *blamed = file;
    const facet_format *from = settings->from ? settings->from : facet_format_probe(source);
    if (settings->up)
        (*scene)->axes.up = (facet_axis)(settings->up - 1);
    else if (facet_format_is_z_up(from))
        (*scene)->axes.up = FACET_AXIS_Z;
    if (!normals) /* the default mode does not use them */
        prepare.skip |= FACET_NEED_NORMALS;
    return facet_prepare(*scene, NULL, &prepare, options, NULL, error);
}
