/* cli/check.c - facet check: every rule of a file's format. */
#include "cli/cli.h"

#include <jansson.h>

typedef struct settings {
    bool json, strict;
    const facet_format *from;
} settings;
static const cli_option_set own;

/* -- JSON --------------------------------------------------------------- */

static void print_object(const char *path, const facet_format *format, size_t errors,
                         size_t warnings, json_t *findings)
{
    json_t *object = json_object();
    json_object_set_new(object, "file", cli_json_text(path));
    json_object_set_new(object, "format", cli_json_of_format(format));
    json_object_set_new(object, "errors", json_integer((json_int_t)errors));
    json_object_set_new(object, "warnings", json_integer((json_int_t)warnings));
    json_object_set_new(object, "findings", findings);
    cli_print_json(stdout, object);
}

static void print_report_object(const char *path, const facet_format *format,
                                const facet_report *report)
{
    json_t *findings = json_array();
    for (size_t i = 0; i < facet_report_count(report); i++)
        json_array_append_new(findings, cli_json_of_finding(facet_report_get(report, i)));
    print_object(path, format, facet_report_count_of(report, FACET_SEVERITY_ERROR),
                 facet_report_count_of(report, FACET_SEVERITY_WARNING), findings);
}

/* A file that cannot be checked at all still gets its line of JSON. */
static void print_failure(const char *path, const facet_format *format, const facet_error *error)
{
    json_t *findings = json_array();
    json_array_append_new(findings, cli_json_of_error(error));
    print_object(path, format, 1, 0, findings);
}

/* -- Text --------------------------------------------------------------- */

static void print_text(const char *path, const facet_format *format, const facet_report *report,
                       bool quiet)
{
    const char *name = cli_input_name(path);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (!quiet || finding->severity == FACET_SEVERITY_ERROR)
            cli_print_finding(stdout, name, finding);
    }
    if (!quiet)
        cli_print_line(stdout, "%s: %s, %zu errors, %zu warnings, %zu notes", name,
                       facet_format_name(format),
                       facet_report_count_of(report, FACET_SEVERITY_ERROR),
                       facet_report_count_of(report, FACET_SEVERITY_WARNING),
                       facet_report_count_of(report, FACET_SEVERITY_NOTE));
}

/* -- The command -------------------------------------------------------- */

static int check_source(const char *path, const facet_source *source,
                        const cli_arguments *arguments, facet_options *options,
                        facet_report *report)
{
    const settings *s = cli_settings_of(arguments, &own);
    const facet_format *format = s->from;
    facet_error error;
    facet_status status = facet_check(source, format, options, report, &error);
    if (!format)
        format = facet_format_probe(source);
    if (status) {
        if (s->json)
            print_failure(path, format, &error);
        return cli_complain_error(cli_input_name(path), &error);
    }
    if (s->json)
        print_report_object(path, format, report);
    else
        print_text(path, format, report, arguments->common.quiet);
    bool failed = facet_report_count_of(report, FACET_SEVERITY_ERROR) > 0 ||
                  (s->strict && facet_report_count_of(report, FACET_SEVERITY_WARNING) > 0);
    return failed ? EXIT_INPUT : EXIT_DONE;
}

static int check_file(const char *path, const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    int result = EXIT_DONE;
    facet_source source;
    facet_error error;
    facet_file *file = cli_open_input(path, &source, &result, &error);
    if (!file) {
        if (s->json)
            print_failure(path, s->from, &error);
        return result;
    }
    facet_report *report;
    if (facet_report_create(NULL, &report, &error)) {
        facet_file_close(file);
        return cli_complain_error(cli_input_name(path), &error);
    }
    facet_options options;
    cli_begin_options(arguments, &options);
    result = check_source(path, &source, arguments, &options, report);
    cli_end_options(&options);
    facet_report_free(options.report);
    facet_report_free(report);
    facet_file_close(file);
    return result;
}

static int run(const cli_arguments *arguments)
{
    return cli_for_each_input(arguments, check_file);
}

static const cli_option options[] = {
    {"json", NULL, "one JSON object per file, one per line", CLI_FLAG,
     .offset = offsetof(settings, json)},
    {"strict", NULL, "warnings count as errors", CLI_FLAG, .offset = offsetof(settings, strict)},
    {"from", "FORMAT", "take the files as this format, whatever their content", CLI_FORMAT,
     .offset = offsetof(settings, from)},
    {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, &cli_resources, NULL};

const cli_command cli_command_check = {
    "check",
    "FILE...",
    "apply every rule of the file's format",
    "Apply every rule of each file's format and print what is found: place, severity,\n"
    "rule id and a sentence. Exit status 1 when any file has errors.",
    sets,
    1,
    -1,
    run,
    CLI_ITEMS_IN,
    false};
