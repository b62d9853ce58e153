/* cli/convert_result.c - what is said of a conversion, done or failed. */
#include "base/output.h"
#include "cli/convert.h"

#include <inttypes.h>
#include <string.h>

/* Writing fails while the input is still read, in a copy. */
static bool writing_failed(const cli_conversion *c)
{
    bool failed = c->output && facet_output_failed(c->output);
    for (uint32_t i = 0; i < c->piece_count; i++)
        failed = failed || facet_output_failed(c->pieces[i]);
    return failed;
}

int cli_convert_complain(const cli_conversion *c, const char *blamed, const facet_error *error)
{
    const char *file = cli_file_at_fault(c->arguments, error);
    if (writing_failed(c))
        blamed = cli_output_name(c->out);
    int result = cli_complain_error(file ? file : blamed, error);
    if (file && error->status == FACET_ERROR_ARGUMENT) /* an input like IN */
        return EXIT_INPUT;
    /* A format or a version that is never written was asked for by the command
     * line; what a format cannot hold of this input is the input's affair. */
    bool asked = strcmp(error->rule, "FORMAT-DIRECTION") == 0 || c->settings->format_version;
    return error->status == FACET_ERROR_UNSUPPORTED && asked ? EXIT_USAGE : result;
}

int cli_convert_refuse_losses(const cli_conversion *c)
{
    size_t losses = facet_report_count_of(c->options.report, FACET_SEVERITY_WARNING);
    if (!c->settings->strict || losses == 0)
        return EXIT_DONE;
    cli_complain("%s: not written: %zu warning%s, and --strict was given", cli_output_name(c->out),
                 losses, losses == 1 ? "" : "s");
    return EXIT_INPUT;
}

void cli_convert_summarize(const cli_conversion *c)
{
    const char *out = cli_output_name(c->out);
    if (c->copy) {
        bool changed = c->options.j3d->materials || c->options.j3d->textures ||
                       c->options.j3d->material_file_count > 0;
        cli_remark("%s: %s to %s, %" PRIu64 " bytes", cli_input_name(c->in),
                   changed ? "changed" : "copied", out, facet_output_size(c->output));
        return;
    }
    if (c->reduced.triangles > 0)
        cli_remark("%s: simplified to %" PRIu32 " triangles and %" PRIu32
                   " vertices; the surface moved by about %.3g",
                   out, c->reduced.triangles, c->reduced.vertices, c->reduced.error);
    char passes[256] = "";
    for (size_t i = 0; i < c->passes.count; i++) {
        size_t used = strlen(passes);
        snprintf(passes + used, sizeof passes - used, "%s%s", i ? ", " : "", c->passes.names[i]);
    }
    uint64_t bytes = c->output ? facet_output_size(c->output) : 0;
    for (uint32_t i = 0; i < c->piece_count; i++)
        bytes += facet_output_size(c->pieces[i]);
    char files[32] = "";
    if (c->pieces)
        snprintf(files, sizeof files, "%" PRIu32 " files, ", c->piece_count + (c->output != NULL));
    cli_remark("%s: %s, %s%" PRIu64 " faces, %" PRIu64 " vertices, %" PRIu64 " bytes; passes: %s",
               out, facet_format_name(c->to), files, c->faces, c->vertices, bytes,
               *passes ? passes : "none");
}
