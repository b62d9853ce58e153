/* Convert any file that Facet reads to any format that it writes, like `facet convert`.
 *
 *   compile IN OUT */
#include <facet/facet.h>
#include <inttypes.h>
#include <stdio.h>

static facet_status compile(const char *in, const char *out, facet_options *options,
                            facet_error *error)
{
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    const facet_format *format = facet_format_from_path(out);
    facet_status status = facet_file_open(in, NULL, &file, error);
    if (!status) {
        facet_source source = facet_file_source(file);
        status = facet_load(&source, NULL, NULL, options, &scene, error);
    }
    if (!status)
        status = facet_prepare(scene, format, NULL, options, NULL, error);
    if (!status)
        status = facet_output_open(out, &output, error);
    if (!status)
        status = facet_save(scene, format, options, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_file_close(file);
    return status;
}

int main(int count, char **words)
{
    if (count != 3 || !facet_format_from_path(words[2])) {
        fprintf(stderr, "usage: compile IN OUT\n");
        return 2;
    }
    facet_options options = {0};
    facet_error error;
    if (facet_report_create(NULL, &options.report, &error))
        return 3;
    facet_status status = compile(words[1], words[2], &options, &error);
    for (size_t i = 0; i < facet_report_count(options.report); i++)
        fprintf(stderr, "%s\n", facet_report_get(options.report, i)->message);
    if (status)
        fprintf(stderr, "%s: %s\n", words[1], error.message);
    facet_report_free(options.report);
    return status ? 1 : 0;
}
