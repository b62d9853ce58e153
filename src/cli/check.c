/* cli/check.c - facet check: every rule of a file's format. */
#include "cli/cli.h"

#include <jansson.h>

static void print_object(const char *path, const facet_format *format, const facet_report *report)
{
    json_t *object = json_object(), *findings = json_array();
    for (size_t i = 0; i < facet_report_count(report); i++)
        json_array_append_new(findings, json_of_finding(facet_report_get(report, i)));
    json_object_set_new(object, "file", json_text(path));
    json_object_set_new(object, "format",
                        format ? json_string(facet_format_name(format)) : json_null());
    json_object_set_new(
        object, "errors",
        json_integer((json_int_t)facet_report_count_of(report, FACET_SEVERITY_ERROR)));
    json_object_set_new(
        object, "warnings",
        json_integer((json_int_t)facet_report_count_of(report, FACET_SEVERITY_WARNING)));
    json_object_set_new(object, "findings", findings);
    print_json(stdout, object);
}

/* A file that cannot be checked at all still gets its line of JSON. */
static void print_failure(const char *path, const facet_format *format, const facet_error *error)
{
    json_t *object = json_object(), *findings = json_array();
    json_array_append_new(findings, json_of_error(error));
    json_object_set_new(object, "file", json_text(path));
    json_object_set_new(object, "format",
                        format ? json_string(facet_format_name(format)) : json_null());
    json_object_set_new(object, "errors", json_integer(1));
    json_object_set_new(object, "warnings", json_integer(0));
    json_object_set_new(object, "findings", findings);
    print_json(stdout, object);
}

static void print_text(const char *path, const facet_format *format, const facet_report *report,
                       const cli_settings *settings)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (!settings->quiet || finding->severity == FACET_SEVERITY_ERROR)
            print_finding(stdout, path, finding);
    }
    if (settings->quiet)
        return;
    printf("%s: %s, %zu errors, %zu warnings, %zu notes\n", shown_name(path),
           facet_format_name(format), facet_report_count_of(report, FACET_SEVERITY_ERROR),
           facet_report_count_of(report, FACET_SEVERITY_WARNING),
           facet_report_count_of(report, FACET_SEVERITY_NOTE));
}

static int check_source(const char *path, const facet_source *source, const facet_format *format,
                        const cli_settings *settings, facet_options *options, facet_report *report)
{
    facet_error error;
    facet_status status = facet_check(source, format, options, report, &error);
    if (!format)
        format = facet_format_probe(source);
    if (status) {
        if (settings->json)
            print_failure(path, format, &error);
        return complain_error(path, &error);
    }
    if (settings->json)
        print_object(path, format, report);
    else
        print_text(path, format, report, settings);
    bool failed = facet_report_count_of(report, FACET_SEVERITY_ERROR) > 0 ||
                  (settings->strict && facet_report_count_of(report, FACET_SEVERITY_WARNING) > 0);
    return failed ? EXIT_INPUT : EXIT_DONE;
}

static int check_file(const char *path, const facet_format *format, const cli_settings *settings)
{
    int result = EXIT_DONE;
    facet_source source;
    facet_error error;
    facet_file *file = open_input(path, settings, &source, &result, &error);
    if (!file) {
        if (settings->json)
            print_failure(path, format, &error);
        return result;
    }
    facet_report *report;
    if (facet_report_create(NULL, &report, &error)) {
        facet_file_close(file);
        return complain_error(path, &error);
    }
    facet_options options;
    begin_options(settings, &options);
    result = check_source(path, &source, format, settings, &options, report);
    end_options(&options);
    facet_report_free(options.report);
    facet_report_free(report);
    facet_file_close(file);
    return result;
}

static int run(const cli_settings *settings, int count, char **paths)
{
    return for_each_input(settings, count, paths, check_file);
}

static const cli_option options[] = {
    {"json", 0, NULL, "one JSON object per file, one per line", OPTION_FLAG,
     offsetof(cli_settings, json)},
    {"strict", 0, NULL, "warnings count as errors", OPTION_FLAG, offsetof(cli_settings, strict)},
    {"from", 0, "FORMAT", "take the files as this format, whatever their content", OPTION_TEXT,
     offsetof(cli_settings, from)},
    {"threads", 'j', "N", "threads to use; default: one per processor", OPTION_COUNT_OR_ZERO,
     offsetof(cli_settings, threads)},
    {0}};

const cli_command command_check = {
    "check",
    "FILE...",
    "apply every rule of the file's format",
    "Apply every rule of each file's format and print what is found: place, severity,\n"
    "rule id and a sentence. Exit status 1 when any file has errors.",
    options,
    1,
    -1,
    run};
