/* cli/inputs.c - opening of inputs, and options for the library. */
#include "archive/archive.h"
#include "base/error.h"
#include "base/system.h"
#include "cli/cli.h"
#include "cli/record.h"

#include <string.h>
#include <unistd.h>

typedef struct resources {
    unsigned threads;
    unsigned memory_limit; /* MiB */
    unsigned growth_limit;
} resources;

/* -- Files -------------------------------------------------------------- */

unsigned cli_memory_limit_given(const cli_arguments *arguments)
{
    const resources *given = cli_settings_of(arguments, &cli_resources);
    return given ? given->memory_limit : 0;
}

/* Run a command that prints, with a record of the files that its outputs must not replace. */
static int run_guarded(const cli_arguments *arguments)
{
    cli_record files = {.aloud = true};
    cli_arguments recorded = *arguments;
    recorded.record = &files;
    int result = recorded.command->run(&recorded);
    cli_record_free(&files);
    return result;
}

int cli_run_command(cli_arguments *arguments)
{
    const resources *given = cli_settings_of(arguments, &cli_resources);
    arguments->memory_limit = given ? cli_memory_limit(given->memory_limit) : 0;
    /* Items of a batch share the process. Then each item has its limit, not the process. */
    if (!cli_is_silent(arguments->record)) {
        cli_note_memory_limit(given && given->memory_limit > 0);
        cli_limit_memory(arguments->memory_limit, given ? given->threads : 0);
        if (given) /* without the option, workers of a batch decide themselves */
            cli_keep_memory();
    }
    return arguments->record || !arguments->command->guards_inputs
               ? arguments->command->run(arguments)
               : run_guarded(arguments);
}

static facet_status refuse_pipe(cli_record *record, const char *path, facet_error *error)
{
    facet_file_info place;
    if (!cli_record_refuses_pipes(record) || !facet_system_get_file_info(path, &place) ||
        place.is_file || place.is_folder)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_MALFORMED, "INPUT-KIND", FACET_NO_OFFSET, "%s",
                      CLI_ENDLESS_INPUT);
}

static facet_input *open_path(cli_record *record, const char *path, bool plain,
                              uint64_t memory_limit, facet_source *source, int *exit_status,
                              facet_error *error)
{
    facet_error own = {0};
    const facet_options limits = {.memory_limit = memory_limit};
    cli_timings_step("open");
    facet_input *input = cli_record_open_kept(record, path, &limits);
    facet_status status = refuse_pipe(record, path, &own);
    if (!status && strcmp(path, "-") == 0)
        status = facet_input_open_descriptor(STDIN_FILENO, path, &limits, &input, &own);
    else if (!status && !input)
        status = facet_input_open(path, &limits, &input, &own);
    if (!status) {
        *source = facet_input_source(input);
        if (!cli_record_input(record, path, source))
            status = facet_fail_memory(&own, strlen(path));
        else
            status = cli_record_check_sum(record, path, &own);
    } else if (!cli_record_side(record, path, false)) {
        status = facet_fail_memory(&own, strlen(path));
    }
    if (!status && plain)
        status = facet_input_decompress(input, source, &own);
    if (!status)
        status = cli_record_source(record, source, &own);
    if (!status)
        return input;
    facet_input_close(input);
    *exit_status = cli_complain_error(record, cli_input_name(path), &own);
    if (error)
        *error = own;
    return NULL;
}

facet_input *cli_open_input(cli_record *record, const char *path, uint64_t memory_limit,
                            facet_source *source, int *exit_status, facet_error *error)
{
    return open_path(record, path, true, memory_limit, source, exit_status, error);
}

facet_input *cli_open_stored(cli_record *record, const char *path, uint64_t memory_limit,
                             facet_source *source, int *exit_status, facet_error *error)
{
    return open_path(record, path, false, memory_limit, source, exit_status, error);
}

facet_status cli_open_side(cli_record *record, const char *path, const facet_options *options,
                           facet_input **input, facet_error *error)
{
    facet_status status = refuse_pipe(record, path, error);
    if (!status)
        status = facet_input_open(path, options, input, error);
    return cli_record_side(record, path, status == FACET_OK)
               ? status
               : facet_fail_memory(error, strlen(path));
}

bool cli_print_origin(cli_record *record, const char *path, const facet_source *source)
{
    facet_report *report = NULL;
    facet_error error;
    if (facet_report_create(NULL, &report, &error))
        return false;
    facet_archive_check_origin(source, report);
    cli_record_check_origin(source, report);
    cli_print_report(record, cli_input_name(path), report);
    facet_report_free(report);
    return true;
}

bool cli_is_same_file(const char *a, const char *b)
{
    facet_file_info x, y;
    /* On Windows these numbers are 0, and only paths are compared. An output, b, is usually new. */
    return strcmp(a, b) == 0 ||
           (facet_system_get_file_info(b, &y) && facet_system_get_file_info(a, &x) && x.is_file &&
            x.number != 0 && x.device == y.device && x.number == y.number);
}

int cli_for_each_input(const cli_arguments *arguments,
                       int (*one)(const char *path, const cli_arguments *arguments))
{
    int worst = EXIT_DONE;
    for (int i = 0; i < arguments->count; i++) {
        int result = one(arguments->words[i], arguments);
        worst = result > worst ? result : worst;
    }
    return worst;
}

/* -- Options for the library -------------------------------------------- */

static bool show_progress(void *user, const char *step, double fraction)
{
    (void)user;
    fprintf(stderr, "\r\033[K%s %3.0f %%", step, fraction * 100);
    fflush(stderr);
    return true;
}

/* Progress callback for --timings; it still shows progress. */
static bool time_progress(void *user, const char *step, double fraction)
{
    cli_timings_step(step);
    return *(const bool *)user ? show_progress(NULL, step, fraction) : true;
}

static facet_progress watching;

void cli_watch(facet_progress watcher)
{
    watching = watcher;
}

unsigned cli_growth_limit(const cli_arguments *arguments)
{
    const resources *given = cli_settings_of(arguments, &cli_resources);
    return given->growth_limit;
}

bool cli_begin_options(const cli_arguments *arguments, facet_options *options)
{
    const resources *given = cli_settings_of(arguments, &cli_resources);
    *options = (facet_options){0};
    options->memory_limit = arguments->memory_limit;
    options->growth_limit = cli_growth_limit(arguments);
    options->progress = watching;
    static const bool shown[2] = {false, true};
    bool show =
        !cli_is_silent(arguments->record) && isatty(STDERR_FILENO) && !arguments->common.quiet;
    if (show)
        options->progress = show_progress;
    if (cli_timings_on() && !cli_is_silent(arguments->record)) {
        options->progress = time_progress;
        options->progress_user = (void *)(uintptr_t)&shown[show];
    }
    if (cli_is_silent(arguments->record))
        cli_record_options(arguments->record, options);
    /* Continue without threads, but report why. */
    facet_error error;
    if (facet_report_create(NULL, &options->report, &error)) {
        cli_complain_error(arguments->record,
                           cli_input_name(arguments->count ? arguments->words[0] : ""), &error);
        return false;
    }
    if (given->threads != 1 && !cli_is_silent(arguments->record))
        facet_threads_create(given->threads, &options->threads, NULL);
    return true;
}

void cli_end_progress(facet_options *options)
{
    bool shown = options->progress == time_progress ? *(const bool *)options->progress_user
                                                    : options->progress == show_progress;
    if (shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    options->progress = NULL;
}

void cli_end_options(const cli_arguments *arguments, facet_options *options)
{
    cli_end_progress(options);
    if (!cli_record_owns(arguments->record, options->threads))
        facet_threads_free(options->threads);
    options->threads = NULL;
}

static const cli_option options[] = {
    {"memory-limit", "MIB", CLI_HELP("limit memory use to MIB"), CLI_COUNT_OR_ZERO,
     .default_text = CLI_HELP("half of the machine's"), .offset = offsetof(resources, memory_limit),
     .fields = CLI_HELP("facet_options.memory_limit")},
    {"growth-limit", "TIMES", CLI_HELP("limit output and extracted data to TIMES the input's size"),
     CLI_COUNT, .default_text = CLI_HELP("16"), .offset = offsetof(resources, growth_limit),
     .fields = CLI_HELP("facet_options.growth_limit")},
    {"threads", "N", CLI_HELP("use N threads"), CLI_COUNT_OR_ZERO,
     .default_text = CLI_HELP("one per processor"), .offset = offsetof(resources, threads),
     .letter = 'j', .fields = CLI_HELP("facet_options.threads")},
    {0}};
const cli_option_set cli_resources = {.options = options, .settings_size = sizeof(resources)};

/* -- Images ------------------------------------------------------------- */

static uint32_t fitting_side(uint32_t side, uint32_t most)
{
    uint32_t power = facet_image_nearest_power_of_two(side);
    return power < 2 ? 2 : power > most ? most : power;
}

facet_status cli_resize_to_power_of_two(facet_scene *scene, facet_image *image, uint32_t most,
                                        facet_error *error)
{
    return facet_image_resize(scene->arena, image, fitting_side(image->width, most),
                              fitting_side(image->height, most), true, error);
}
