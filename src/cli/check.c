/* cli/check.c - facet check: all rules of a file's format, and of files in an archive. */
#include "cli/check.h"
#include "archive/archive.h"
#include "base/budget.h"
#include "base/json.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    bool json, strict, deep, explain;
    unsigned profile; /* facet_j3d_profile */
    const facet_format *from;
} settings;
static const cli_option_set own;

/* -- Explanations ------------------------------------------------------- */

/* A build that only reads leaves out the texts of the rules, which are a tenth of its size. */
#ifdef FACET_READ_ONLY
#define HAS_RULES false
#else
#define HAS_RULES true
#endif

/* Rules to explain, by their index. A text explains each once, after all files; JSON explains those
 * of a file in its object. */
typedef struct explanations {
    bool *wanted; /* NULL without --explain */
} explanations;

static void explain_later(const explanations *e, const char *id)
{
    const facet_rule *rule = HAS_RULES && e->wanted ? facet_rule_find(id) : NULL;
    if (rule)
        e->wanted[rule - facet_rule_get(0)] = true;
}

static void explain_in_text(const explanations *e)
{
    for (size_t i = 0; HAS_RULES && e->wanted && i < facet_rule_count(); i++) {
        if (e->wanted[i])
            cli_print_rule(facet_rule_get(i));
    }
}

/* The objects of the rules, which are then no longer wanted. */
static facet_json *explain_in_json(const explanations *e)
{
    facet_json *rules = facet_json_array();
    for (size_t i = 0; HAS_RULES && i < facet_rule_count(); i++) {
        if (e->wanted[i])
            facet_json_append(rules, cli_json_of_rule(facet_rule_get(i)));
        e->wanted[i] = false;
    }
    return rules;
}

/* -- JSON --------------------------------------------------------------- */

static void print_object(cli_record *record, const char *path, const facet_format *format,
                         size_t errors, size_t warnings, facet_json *findings,
                         const explanations *e)
{
    facet_json *object = facet_json_object();
    facet_json_set(object, "file", cli_json_text(path));
    facet_json_set(object, "format", cli_json_of_format(format));
    facet_json_set(object, "errors", facet_json_integer((int64_t)errors));
    facet_json_set(object, "warnings", facet_json_integer((int64_t)warnings));
    facet_json_set(object, "findings", findings);
    if (e->wanted)
        facet_json_set(object, "rules", explain_in_json(e));
    cli_print_json(record, stdout, object);
}

static void print_report_object(cli_record *record, const char *path, const facet_format *format,
                                const facet_report *report, const explanations *e)
{
    facet_json *findings = facet_json_array();
    for (size_t i = 0; i < facet_report_count(report); i++) {
        facet_json_append(findings, cli_json_of_finding(facet_report_get(report, i)));
        explain_later(e, facet_report_get(report, i)->rule);
    }
    print_object(record, path, format, facet_report_severity_count(report, FACET_SEVERITY_ERROR),
                 facet_report_severity_count(report, FACET_SEVERITY_WARNING), findings, e);
}

/* Print a line of JSON also for a file that cannot be checked. */
static void print_failure(cli_record *record, const char *path, const facet_format *format,
                          const facet_error *error, const explanations *e)
{
    facet_json *findings = facet_json_array();
    facet_json_append(findings, cli_json_of_error(error));
    explain_later(e, error->rule);
    print_object(record, path, format, 1, 0, findings, e);
}

/* -- Text --------------------------------------------------------------- */

static void print_counts(const char *name, const facet_format *format, const facet_report *report)
{
    size_t errors = facet_report_severity_count(report, FACET_SEVERITY_ERROR);
    size_t warnings = facet_report_severity_count(report, FACET_SEVERITY_WARNING);
    size_t notes = facet_report_severity_count(report, FACET_SEVERITY_NOTE);
    cli_print_line(stdout, "%s: %s, %zu error%s, %zu warning%s, %zu note%s", name,
                   format ? facet_format_name(format) : "compressed", errors,
                   facet_plural(errors, "", "s"), warnings, facet_plural(warnings, "", "s"), notes,
                   facet_plural(notes, "", "s"));
}

static void print_text(const char *path, const facet_format *format, const facet_report *report,
                       bool quiet, const explanations *e)
{
    const char *name = cli_input_name(path);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (quiet && finding->severity != FACET_SEVERITY_ERROR)
            continue;
        cli_print_finding(stdout, name, finding);
        explain_later(e, finding->rule);
    }
    if (!quiet)
        print_counts(name, format, report);
}

/* -- One file ----------------------------------------------------------- */

/* Work for all files in the outermost file. It is limited, because nested archives can refer to one
 * another endlessly. */
typedef struct effort {
    facet_budget budget;
    bool is_over;
} effort;

/* A file to check: as stored, and decompressed. */
typedef struct subject {
    const char *path;
    facet_source stored, plain;
    const cli_model *model; /* model for animations and BMT files */
    unsigned depth;         /* number of archives around it that --deep has opened */
    effort *effort;         /* for all files in the outermost file */
    const explanations *explanations;
} subject;

/* True if the format is unknown: files of an archive can have any format. */
static bool is_no_format(const subject *file, facet_status status)
{
    return file->depth > 0 && status == FACET_ERROR_UNSUPPORTED;
}

/* Report a file that cannot be checked. Returns an exit status. */
static int fail(const subject *file, const facet_format *format, const facet_error *error,
                const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    if (s->json)
        print_failure(arguments->record, file->path, format, error, file->explanations);
    else
        explain_later(file->explanations, error->rule);
    return cli_complain_error(arguments->record, cli_input_name(file->path), error);
}

static int check_subject(const subject *file, const cli_arguments *arguments,
                         facet_options *options, facet_report *report)
{
    const settings *s = cli_settings_of(arguments, &own);
    const facet_format *format = s->from;
    facet_error error;
    const facet_j3d_options j3d = {.profile = (facet_j3d_profile)s->profile};
    options->j3d = &j3d;
    if (file->depth == 0) /* the archive that the path leads through */
        facet_archive_check_origin(&file->stored, report);
    facet_status status = facet_check(&file->stored, format, options, report, &error);
    if (!status)
        status = cli_check_fit(file->model, &file->plain, options, report, &error);
    if (!format)
        format = facet_format_probe(&file->plain);
    if (is_no_format(file, status))
        return EXIT_DONE;
    if (status)
        return fail(file, format, &error, arguments);
    if (s->json)
        print_report_object(arguments->record, file->path, format, report, file->explanations);
    else
        print_text(file->path, format, report, arguments->common.quiet, file->explanations);
    bool failed = facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0 ||
                  (s->strict && facet_report_severity_count(report, FACET_SEVERITY_WARNING) > 0);
    return failed ? EXIT_INPUT : EXIT_DONE;
}

static int report_on(const subject *file, const cli_arguments *arguments)
{
    facet_error error;
    facet_report *report;
    facet_options options;
    if (facet_report_create(NULL, &report, &error))
        return cli_complain_error(arguments->record, cli_input_name(file->path), &error);
    int result = cli_begin_options(arguments, &options)
                     ? check_subject(file, arguments, &options, report)
                     : EXIT_SYSTEM;
    cli_end_options(arguments, &options);
    facet_report_free(options.report);
    facet_report_free(report);
    return result;
}

/* -- Files of an archive ------------------------------------------------ */

/* Work for each file in bytes, in addition to its size. */
#define MEMBER_WORK 64

static int check_deep(const subject *file, const cli_arguments *arguments);

static int check_member(const subject *file, const facet_archive *archive, uint32_t member,
                        const cli_arguments *arguments)
{
    const facet_archive_member *m = &archive->members[member];
    facet_error error, over;
    facet_source opened = {0};
    size_t prefix = strlen(file->path) + 1, length = facet_archive_path(archive, member, NULL, 0);
    char *path = malloc(prefix + length + 1);
    if (!path) {
        cli_complain_memory(arguments->record);
        return EXIT_SYSTEM;
    }
    memcpy(path, file->path, prefix - 1);
    path[prefix - 1] = '/';
    facet_archive_path(archive, member, path + prefix, length + 1);
    /* A file that cannot be decompressed is checked as it is stored. */
    facet_status status = facet_archive_open(archive, member, file->path, NULL, &opened, &error);
    subject inner = {
        path, opened, opened, file->model, file->depth + 1, file->effort, file->explanations};
    if (m->data) {
        inner.stored.data = m->data;
        inner.stored.size = m->size;
    }
    int result = EXIT_DONE;
    file->effort->is_over = facet_budget_spend(&file->effort->budget,
                                               MEMBER_WORK + inner.plain.size + inner.stored.size,
                                               "files in the archive and in archives in it", &over);
    if (file->effort->is_over)
        error = over;
    if (!file->effort->is_over && (!status || m->data)) {
        result = check_deep(&inner, arguments);
    } else {
        result = fail(&inner, NULL, &error, arguments);
    }
    facet_source_close(&opened);
    free(path);
    return result;
}

/* Check a file, and with --deep the files in it, to the maximum depth of paths. */
static int check_deep(const subject *file, const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    facet_archive *archive = NULL;
    int worst = report_on(file, arguments);
    if (!s->deep || file->depth >= FACET_ARCHIVE_MAX_NESTING ||
        facet_archive_read(&file->plain, NULL, &archive, NULL))
        return worst;
    for (uint32_t i = 0; i < archive->member_count && !file->effort->is_over; i++) {
        if (archive->members[i].flags & FACET_ARCHIVE_FOLDER)
            continue;
        int result = check_member(file, archive, i, arguments);
        worst = result > worst ? result : worst;
    }
    facet_archive_free(archive);
    return worst;
}

/* -- The command -------------------------------------------------------- */

static int check_file(const char *path, const cli_arguments *arguments, const cli_model *model,
                      const explanations *e)
{
    const settings *s = cli_settings_of(arguments, &own);
    int result = EXIT_DONE;
    effort all = {0};
    subject file = {.path = path, .model = model, .effort = &all, .explanations = e};
    facet_error error;
    facet_input *input = cli_open_stored(arguments->record, path, arguments->memory_limit,
                                         &file.stored, &result, &error);
    if (!input) {
        if (s->json)
            print_failure(arguments->record, path, s->from, &error, e);
        else
            explain_later(e, error.rule);
        return result;
    }
    facet_input_decompress(input, &file.plain, NULL);
    facet_options limits = {.growth_limit = cli_growth_limit(arguments)};
    all.budget = facet_budget_of(&limits, file.plain.size, FACET_BUDGET_FILES);
    result = check_deep(&file, arguments);
    facet_input_close(input);
    return result;
}

static int run(const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    cli_model model = {0};
    explanations e = {0};
    int worst = EXIT_DONE;
    if (HAS_RULES && s->explain && !(e.wanted = calloc(facet_rule_count(), sizeof *e.wanted)))
        return cli_complain_memory(arguments->record);
    cli_find_model(arguments, &model);
    for (int i = 0; i < arguments->count; i++) {
        int result = check_file(arguments->words[i], arguments, &model, &e);
        worst = result > worst ? result : worst;
    }
    explain_in_text(&e);
    free(e.wanted);
    cli_release_model(&model);
    return worst;
}

static const char *const profile_words[] = {"console", "superbmd", "wind-waker",
                                            NULL}; /* facet_j3d_profile */
static const cli_option options[] = {
    {"json", NULL, CLI_HELP("print one JSON object per file, one per line"), CLI_FLAG,
     .offset = offsetof(settings, json)},
    {"strict", NULL, CLI_HELP("treat warnings as errors"), CLI_FLAG,
     .offset = offsetof(settings, strict)},
    {"deep", NULL, CLI_HELP("check the files inside archives as well"), CLI_FLAG,
     .offset = offsetof(settings, deep)},
#ifndef FACET_READ_ONLY
    {"explain", NULL, CLI_HELP("explain the rule of each finding, as facet rule does"), CLI_FLAG,
     .offset = offsetof(settings, explain)},
#endif
    {"profile", "WRITER", CLI_HELP("check J3D models for superbmd, wind-waker or console"),
     CLI_WORD, .default_text = CLI_HELP("by the signature"), .offset = offsetof(settings, profile),
     .words = profile_words, .fields = CLI_HELP("facet_j3d_options.profile"), .first_word = 1},
    {"from", "FORMAT", CLI_HELP("read the files as this format"), CLI_FORMAT,
     .default_text = CLI_HELP("by content"), .offset = offsetof(settings, from)},
    {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, &cli_resources, NULL};

const cli_command cli_command_check = {
    "check",
    "FILE...",
    CLI_HELP("apply every rule of the file's format"),
    CLI_HELP(
        "Check each file against every rule of its format. Each finding has a place, a severity,\n"
        "a rule id and a sentence. The exit status is 1 if a file has errors. With --explain, the\n"
        "cause and the remedy of each rule follow, as 'facet rule' prints them.\n"
        "\n"
        "If a file is an archive, it is checked itself; --deep also checks its members. If one\n"
        "of the files is a J3D model, the animations and BMT files are checked against it."),
    sets,
    1,
    -1,
    run,
    CLI_ITEMS_IN,
    false,
    false};
