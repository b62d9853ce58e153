/* cli/convert_verify.c - checks of outputs before they are committed. */
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "base/written.h"
#include "cli/convert.h"
#include "cli/record.h"
#include "scene/axes.h"

#include <math.h>
#include <string.h>

/* -- Bounds ------------------------------------------------------------- */

/* Compute the box around the scene at rest, with +Y up. `unit` is the meters of a length of 1.
 * False if it is empty or too large. */
static bool measure(const facet_scene *scene, const facet_options *options, double unit,
                    double box[2][3])
{
    facet_error ignored;
    bool any;
    if (facet_scene_bounds(scene, options, box[0], box[1], &any, &ignored) || !any)
        return false;
    float ends[2][3];
    for (int i = 0; i < 6; i++)
        ends[i / 3][i % 3] = (float)(box[i / 3][i % 3] * unit);
    for (int i = 0; i < 2; i++)
        facet_axes_turn(&scene->axes, ends[i]);
    for (int i = 0; i < 3; i++) {
        box[0][i] = fmin((double)ends[0][i], (double)ends[1][i]);
        box[1][i] = fmax((double)ends[0][i], (double)ends[1][i]);
    }
    return true;
}

/* Compare the bounds of the written scene with those of the output. Losses can change them, so they
 * are then only a warning. An output that is not a model has no bounds. */
static void compare_bounds(const cli_conversion *c, const facet_source *source,
                           const facet_options *options, facet_report *report)
{
    facet_error ignored;
    facet_scene *made = NULL;
    double boxes[2][2][3], worst = 0, size = 0;
    if (facet_load(source, c->to, NULL, options, &made, &ignored))
        return;
    bool known = c->scene->axes.unit > 0 && made->axes.unit > 0;
    bool measured = measure(c->scene, options, known ? c->scene->axes.unit : 1, boxes[0]) &&
                    measure(made, options, known ? made->axes.unit : 1, boxes[1]);
    facet_scene_free(made);
    if (!measured)
        return;
    for (int i = 0; i < 6; i++)
        worst = fmax(worst, fabs(boxes[0][i / 3][i % 3] - boxes[1][i / 3][i % 3]));
    for (int i = 0; i < 3; i++)
        size = fmax(size, boxes[0][1][i] - boxes[0][0][i]);
    if (worst <= 0.01 * size)
        return;
    bool has_losses = facet_report_severity_count(c->options.report, FACET_SEVERITY_WARNING) > 0;
    facet_report_add(report, "CONVERT-BOUNDS",
                     has_losses ? FACET_SEVERITY_WARNING : FACET_SEVERITY_ERROR, FACET_NO_OFFSET,
                     "the bounds of the output differ by %.6g from those of the input, whose size "
                     "is %.6g",
                     worst, size);
    if (has_losses)
        cli_print_report(c->arguments->record, cli_output_name(c->out), report);
}

/* -- Outputs ------------------------------------------------------------ */

static facet_status verify_output(const cli_conversion *c, facet_output *output, const char *name,
                                  facet_error *error)
{
    facet_written written;
    facet_report *report;
    TRY(facet_report_create(NULL, &report, error));
    facet_status status = facet_written_open(output, name, &written, error);
    if (!status) {
        facet_options options = c->options;
        options.report = NULL;
        status = facet_check(&written.source, c->to, &options, report, error);
        bool is_whole = c->settings->verify && c->scene && c->piece_count == 0;
        if (!status && is_whole && facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0)
            compare_bounds(c, &written.source, &options, report);
        facet_written_close(&written);
    }
    size_t errors = facet_report_severity_count(report, FACET_SEVERITY_ERROR);
    if (errors > 0)
        cli_print_report(c->arguments->record, name, report);
    facet_report_free(report);
    if (!status && errors > 0)
        status = facet_fail(error, FACET_ERROR_MALFORMED, NULL, FACET_NO_OFFSET,
                            "not written: the output has %zu error%s; run facet check", errors,
                            facet_plural(errors, "", "s"));
    return status;
}

int cli_convert_verify(const cli_conversion *c, facet_error *error)
{
    facet_status status = FACET_OK;
    const char *name = cli_output_name(c->out);
    const cli_record *record = c->arguments->record;
    bool asked = c->settings->verify;
    if (!asked && !(cli_is_silent(record) && record->verifies && !c->copy && !record->packs))
        return EXIT_DONE;
    for (uint32_t i = 0; i < c->piece_count && !status; i++)
        status = verify_output(c, c->pieces[i], facet_output_name(c->pieces[i]), error);
    if (!status && c->output)
        status = verify_output(c, c->output, name, error);
    if (status == FACET_ERROR_UNSUPPORTED && !asked)
        return EXIT_DONE;
    if (status == FACET_ERROR_UNSUPPORTED) {
        cli_complain(c->arguments->record, "--verify needs OUT to be a file: %s", error->message);
        return EXIT_USAGE;
    }
    return status ? cli_complain_error(c->arguments->record, name, error) : EXIT_DONE;
}
