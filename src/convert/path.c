/* convert/path.c - loading a scene from a path and saving it to one. */
#include "base/error.h"
#include "base/text.h"

#include <facet/archive.h>
#include <facet/convert.h>
#include <string.h>

facet_status facet_load_path(const char *path, const facet_load_options *load,
                             const facet_options *options, facet_scene **scene, facet_error *error)
{
    facet_input *input = NULL;
    TRY(facet_input_open(path, options, &input, error));
    facet_source source = facet_input_source(input);
    facet_status status = facet_load(&source, NULL, load, options, scene, error);
    facet_input_close(input);
    return status;
}

facet_status facet_save_path(facet_scene *scene, const char *path,
                             const facet_prepare_options *prepare, const facet_options *options,
                             facet_error *error)
{
    facet_quoted quoted;
    const facet_format *format = facet_format_from_path(path);
    if (!format)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "FORMAT-UNKNOWN", FACET_NO_OFFSET,
                          "unknown extension of '%s', expected one such as .glb",
                          facet_quote(&quoted, path, strlen(path)));
    facet_output *output = NULL;
    facet_status status = facet_prepare(scene, format, prepare, options, NULL, error);
    if (!status)
        status = facet_archive_open_output(path, NULL, options, &output, error);
    if (!status)
        status = facet_save(scene, format, options, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    facet_output_free(output);
    return status;
}
