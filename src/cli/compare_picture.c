/* cli/compare_picture.c - facet compare --picture: both files with the same camera, and their
 * difference. */
#include "cli/compare.h"
#include "cli/record.h"

#include "base/error.h"

#include <facet/convert.h>
#include <facet/image.h>

static facet_status load(const facet_source *source, const facet_format *from,
                         const facet_options *options, facet_scene **scene, facet_error *error)
{
    facet_load_options how = {.image_files = true};
    facet_prepare_options prepare = {.skip = FACET_NEED_OPTIMIZED, .keep_vertices = true};
    TRY(facet_load(source, from, &how, options, scene, error));
    return facet_prepare(*scene, NULL, &prepare, options, NULL, error);
}

static facet_status write(cli_record *record, const char *path, const facet_picture *picture,
                          const facet_options *options, facet_error *error)
{
    facet_output *output = NULL;
    TRY(cli_open_file(record, path, true, &output, error));
    facet_status status =
        facet_image_encode(&picture->image, "image/png", 0, options, output, error);
    if (!status)
        status = cli_commit(record, path, output, error);
    facet_output_free(output);
    return status;
}

int cli_compare_picture(const cli_arguments *arguments, const facet_source sources[2],
                        const facet_format *from, const facet_options *options, const char *path,
                        facet_picture_difference *difference, facet_error *error)
{
    facet_scene *scenes[2] = {NULL, NULL};
    facet_picture picture = {0};
    facet_status status = FACET_OK;
    const char *blamed = NULL;
    for (int i = 0; i < 2 && !status; i++) {
        blamed = cli_input_name(arguments->words[i]);
        status = load(&sources[i], from, options, &scenes[i], error);
    }
    if (!status) {
        double first = scenes[0]->axes.unit, second = scenes[1]->axes.unit;
        if (first > 0 && second > 0 && first != second)
            facet_scene_scale(scenes[1], second / first);
        status = facet_render_difference((const facet_scene *const *)scenes, options, &picture,
                                         difference, error);
    }
    if (!status) {
        blamed = cli_output_name(path);
        status = write(arguments->record, path, &picture, options, error);
    }
    facet_picture_free(&picture);
    for (int i = 0; i < 2; i++)
        facet_scene_free(scenes[i]);
    return status ? cli_complain_error(arguments->record, blamed, error) : EXIT_DONE;
}
