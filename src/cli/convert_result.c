/* cli/convert_result.c - messages and JSON about the result of a conversion. */
#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/convert.h"
#include "scene/format.h"

#include <inttypes.h>
#include <string.h>

/* True if writing failed: a copy can fail while it still reads the input. */
static bool writing_failed(const cli_conversion *c)
{
    bool failed = c->output && facet_output_failed(c->output);
    for (uint32_t i = 0; i < c->piece_count; i++)
        failed = failed || facet_output_failed(c->pieces[i]);
    return failed;
}

int cli_convert_complain(const cli_conversion *c, const char *blamed, const facet_error *error)
{
    const char *file = cli_at_fault(c->arguments, error);
    if (writing_failed(c))
        blamed = cli_output_name(c->out);
    int result = cli_complain_error(c->arguments->record, file ? file : blamed, error);
    bool is_file = file && strncmp(file, "--", 2) != 0;
    if (is_file && error->status == FACET_ERROR_ARGUMENT) /* a file of an option is an input also */
        return EXIT_INPUT;
    /* The command line selects a format or version that is not writable. Other limits depend on the
     * input. */
    bool asked = strcmp(error->rule, "FORMAT-DIRECTION") == 0 || c->settings->format_version;
    return error->status == FACET_ERROR_UNSUPPORTED && asked ? EXIT_USAGE : result;
}

int cli_convert_check_losses(const cli_conversion *c, facet_error *error)
{
    size_t losses = facet_report_severity_count(c->options.report, FACET_SEVERITY_WARNING);
    if (!c->settings->strict || losses == 0)
        return EXIT_DONE;
    facet_fail(error, FACET_ERROR_LOSS, NULL, FACET_NO_OFFSET,
               "not written: %zu warning%s, and --strict was given", losses,
               facet_plural(losses, "", "s"));
    cli_complain(c->arguments->record, "%s: %s", cli_output_name(c->out), error->message);
    return EXIT_INPUT;
}

static uint64_t bytes_written(const cli_conversion *c)
{
    uint64_t bytes = c->output ? facet_output_size(c->output) : 0;
    for (uint32_t i = 0; i < c->piece_count; i++)
        bytes += facet_output_size(c->pieces[i]);
    return bytes;
}

static uint32_t files_written(const cli_conversion *c)
{
    return c->piece_count + (c->output != NULL);
}

/* Report which parts of an existing file were kept or repaired. */
static void summarize_original(const cli_conversion *c, const char *out)
{
    const facet_report *report = c->options.report;
    for (size_t i = 0; i < facet_report_count(report) && !cli_is_verbose(); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity == FACET_SEVERITY_NOTE &&
            (strcmp(finding->rule, "J3D-LIKE") == 0 ||
             strcmp(finding->rule, "J3D-LIKE-TEXTURE") == 0 ||
             strcmp(finding->rule, "BTI-KEPT") == 0 ||
             strcmp(finding->rule, "J3D-KEYS-KEPT") == 0 ||
             strcmp(finding->rule, "J3D-REPAIRED") == 0 ||
             strcmp(finding->rule, "J3D-UNREPAIRED") == 0))
            cli_remark(c->arguments->record, "%s: %s", out, finding->message);
    }
}

void cli_convert_summarize(const cli_conversion *c)
{
    const char *out = cli_output_name(c->out);
    summarize_original(c, out);
    if (c->copy) {
        bool changed = c->options.j3d->materials || c->options.j3d->textures ||
                       c->options.j3d->material_file_count > 0;
        cli_remark(c->arguments->record, "%s: %s to %s, %" PRIu64 " bytes", cli_input_name(c->in),
                   changed ? "changed" : "copied", out, bytes_written(c));
        return;
    }
    if (c->reduced.triangles > 0)
        cli_remark(c->arguments->record,
                   "%s: simplified to %" PRIu32 " triangle%s and %" PRIu32
                   " vertices; the surface moved by about %.3g",
                   out, c->reduced.triangles, facet_plural(c->reduced.triangles, "", "s"),
                   c->reduced.vertices, c->reduced.error);
    char passes[256] = "";
    for (size_t i = 0; i < c->passes.count; i++) {
        size_t used = strlen(passes);
        snprintf(passes + used, sizeof passes - used, "%s%s", i ? ", " : "", c->passes.names[i]);
    }
    char files[32] = "", counts[64] = "";
    if (c->pieces)
        snprintf(files, sizeof files, "%" PRIu32 " file%s, ", files_written(c),
                 facet_plural(files_written(c), "", "s"));
    if (facet_format_has_meshes(c->to))
        snprintf(counts, sizeof counts, "%" PRIu64 " face%s, %" PRIu64 " %s, ", c->faces,
                 facet_plural(c->faces, "", "s"), c->vertices,
                 facet_plural(c->vertices, "vertex", "vertices"));
    cli_remark(c->arguments->record, "%s: %s, %s%s%" PRIu64 " bytes; passes: %s", out,
               facet_format_name(c->to), files, counts, bytes_written(c),
               *passes ? passes : "none");
}

/* -- JSON --------------------------------------------------------------- */

static void set_count(facet_json *object, const char *key, uint64_t count)
{
    facet_json_set(object, key, facet_json_integer((int64_t)count));
}

/* Set the passes, counts and reduction. Counts of a copy are null, as is a reduction that did not
 * happen. */
static void set_work(facet_json *object, const cli_conversion *c)
{
    facet_json *passes = facet_json_array(), *counts = facet_json_null(),
               *simplified = facet_json_null();
    for (size_t i = 0; i < c->passes.count; i++)
        facet_json_append(passes, facet_json_string(c->passes.names[i]));
    if (!c->copy) {
        counts = facet_json_object();
        set_count(counts, "faces", c->faces);
        set_count(counts, "vertices", c->vertices);
    }
    if (c->reduced.triangles > 0) {
        simplified = facet_json_object();
        set_count(simplified, "triangles", c->reduced.triangles);
        set_count(simplified, "vertices", c->reduced.vertices);
        facet_json_set(simplified, "moved", facet_json_real(c->reduced.error));
    }
    facet_json_set(object, "copied", facet_json_boolean(c->copy));
    set_count(object, "files", files_written(c));
    set_count(object, "bytes", bytes_written(c));
    facet_json_set(object, "counts", counts);
    facet_json_set(object, "passes", passes);
    facet_json_set(object, "simplified", simplified);
}

static facet_json *json_of(const cli_conversion *c, const facet_error *error)
{
    facet_json *object = facet_json_object(), *findings = facet_json_array();
    for (size_t i = 0; i < facet_report_count(c->options.report); i++) {
        if (!cli_said_before(c->options.report, i))
            facet_json_append(findings,
                              cli_json_of_finding(facet_report_get(c->options.report, i)));
    }
    facet_json_set(object, "in", cli_json_text(c->in));
    facet_json_set(object, "out", cli_json_text(c->out));
    facet_json_set(object, "from", cli_json_of_format(c->from));
    facet_json_set(object, "to", cli_json_of_format(c->to));
    if (error)
        facet_json_set(object, "error", cli_json_of_error(error));
    else
        set_work(object, c);
    facet_json_set(object, "findings", findings);
    return object;
}

int cli_convert_prepare_json(cli_conversion *c, facet_error *error)
{
    if (!c->settings->json)
        return EXIT_DONE;
    c->prepared_findings = facet_report_count(c->options.report);
    c->prepared_bytes = bytes_written(c);
    if (cli_prepare_json(c->arguments->record, json_of(c, NULL), &c->prepared))
        return EXIT_DONE;
    facet_fail_memory(error, 1);
    return cli_complain_error(c->arguments->record, cli_output_name(c->out), error);
}

void cli_convert_print(cli_conversion *c, const facet_error *error)
{
    bool holds = !error && c->prepared_findings == facet_report_count(c->options.report) &&
                 c->prepared_bytes == bytes_written(c);
    if (holds)
        cli_print_prepared(c->arguments->record, stdout, &c->prepared);
    else
        cli_print_json(c->arguments->record, stdout, json_of(c, error));
}
