/* cli/render.c - facet render: a picture of any file. */
#include "cli/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/system.h"
#include "cli/record.h"
#include "cli/restrict.h"
#include "render/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* -- Options ------------------------------------------------------------- */

#define OFFSET(name) .offset = offsetof(cli_render_settings, name)

static const cli_option options[] = {
    {"turntable", "N", "draw N pictures in a full turn: OUT-000.png, OUT-001.png ...", CLI_COUNT,
     OFFSET(turntable), .most = 3600},
    {"sheet", NULL, "draw six views in one picture, each of --size", CLI_FLAG, OFFSET(sheet)},
    {"json", NULL, "print one JSON object: camera, bounds, counts, time", CLI_FLAG, OFFSET(json)},
    {"thumbnail", NULL,
     "make a desktop thumbnail: no warnings; limits: 10 seconds of processor time, 2 GiB, 100 MiB "
     "of IN",
     CLI_FLAG, OFFSET(thumbnail)},
    {"force", NULL, "write the bytes of the picture to a terminal", CLI_FLAG, OFFSET(force),
     .letter = 'f'},
    {0}};
static const cli_option_set own = {.options = options,
                                   .settings_size = sizeof(cli_render_settings)};
static const cli_option_set *const sets[] = {&cli_picture, &own, &cli_resources, &cli_archives,
                                             NULL};

/* -- The scene ---------------------------------------------------------- */

static facet_status load(cli_rendering *r, const char **blamed, facet_error *error)
{
    const char *const *more = (const char *const *)r->arguments->words + 1;
    cli_record_check_origin(&r->source, r->options.report);
    TRY(cli_load_picture(r->arguments->record, r->picture, &r->source, more, r->inputs - 1,
                         r->picture->mode != NULL, &r->options, &r->scene, blamed, error));
    TRY(facet_renderer_create(r->scene, &r->options, &r->renderer, error));
    return facet_render_series_create(r->renderer, &r->series, error);
}

/* -- The command -------------------------------------------------------- */

static void print_report(const cli_rendering *r)
{
    if (!r->settings->thumbnail)
        cli_print_report(r->arguments->record, cli_input_name(r->arguments->words[0]),
                         r->options.report);
}

static int draw_all(cli_rendering *r)
{
    facet_error error;
    const char *blamed = cli_input_name(r->arguments->words[0]);
    facet_status status = load(r, &blamed, &error);
    if (status) {
        cli_end_options(r->arguments, &r->options);
        print_report(r);
        return cli_render_complain(r, r->out, blamed, &error);
    }
    if (r->shows)
        cli_end_progress(&r->options);
    int result = cli_render_animation(r);
    if (result == EXIT_DONE)
        result = cli_render_pictures(r);
    cli_end_options(r->arguments, &r->options);
    print_report(r);
    return result;
}

static int check(cli_rendering *r)
{
    bool standard = strcmp(r->out, "-") == 0;
    if (standard && r->settings->json) {
        cli_complain(r->arguments->record,
                     "--json and the picture cannot both go to standard output");
        return EXIT_USAGE;
    }
    if (standard && r->settings->turntable) {
        cli_complain(r->arguments->record,
                     "--turntable writes several files; OUT cannot be standard output");
        return EXIT_USAGE;
    }
    if (r->settings->turntable && r->settings->sheet) {
        cli_complain(r->arguments->record, "--turntable and --sheet exclude each other");
        return EXIT_USAGE;
    }
    if (r->picture->camera && (r->settings->turntable || r->settings->sheet)) {
        cli_complain(r->arguments->record,
                     "--camera fixes the view; it cannot be used with --turntable or --sheet");
        return EXIT_USAGE;
    }
    if (!standard && !cli_is_picture_name(r->arguments->record, r->out))
        return EXIT_USAGE;
    r->shows = standard && isatty(STDOUT_FILENO) && !r->settings->force;
    return EXIT_DONE;
}

/* -- Thumbnails --------------------------------------------------------- */

/* Reject a large file before reading it: a file that is not mapped is read completely. */
static int refuse_large(const cli_rendering *r, const char *path)
{
    enum { MAX_BYTES = 100 << 20 };
    facet_file_info place;
    facet_error error;
    if (!facet_system_get_file_info(path, &place) || place.size <= MAX_BYTES)
        return EXIT_DONE;
    facet_fail(&error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET, "larger than 100 MiB");
    return cli_render_complain(r, r->out, path, &error);
}

static int draw_file(cli_rendering *r)
{
    int result = cli_render_options(r);
    if (result == EXIT_DONE && r->shows)
        result = cli_render_fit_terminal(r);
    if (result == EXIT_DONE && r->settings->thumbnail)
        result = refuse_large(r, r->arguments->words[0]);
    if (result != EXIT_DONE)
        return result;
    if (r->settings->thumbnail) {
        cli_limit_thumbnail();
        if (!cli_restrict_to_pictures((const char *const *)r->arguments->words, 1, r->out))
            return cli_complain_memory(r->arguments->record);
    }
    if (!cli_begin_options(r->arguments, &r->options))
        return EXIT_SYSTEM;
    facet_error error;
    r->file = cli_open_input(r->arguments->record, r->arguments->words[0], r->options.memory_limit,
                             &r->source, &result, &error);
    if (!r->file)
        cli_render_print_failure(r, r->out, &error);
    if (r->settings->thumbnail)
        r->options.progress = NULL;
    if (r->file)
        result = draw_all(r);
    cli_end_options(r->arguments, &r->options);
    return result;
}

int cli_render_run(cli_rendering *r)
{
    int result = draw_file(r);
    facet_render_series_free(r->series);
    facet_renderer_free(r->renderer);
    facet_scene_free(r->scene);
    facet_input_close(r->panorama);
    facet_input_close(r->file);
    facet_report_free(r->options.report);
    return result;
}

static int run(const cli_arguments *arguments)
{
    cli_rendering r = {.arguments = arguments,
                       .settings = cli_settings_of(arguments, &own),
                       .picture = cli_settings_of(arguments, &cli_picture),
                       .inputs = arguments->count - 1,
                       .out = arguments->words[arguments->count - 1]};
    int result = check(&r);
    if (result == EXIT_DONE && r.shows)
        result = cli_render_query_terminal(&r);
    if (result != EXIT_DONE)
        return result;
    arguments->record->guard = CLI_GUARD_ALL;
    return cli_render_run(&r);
}

const cli_command cli_command_render = {
    "render",
    "IN [ANIMATION...] OUT.png",
    "draw a picture of a file",
    "Draw IN, of any format, without a GPU. Console materials are drawn as the console draws\n"
    "them, all others physically based. OUT is a PNG, or - for standard output. The picture\n"
    "is the same on every machine.\n"
    "\n"
    "'--mode uv,wireframe' shows what a mesh contains. --turntable and --sheet draw several\n"
    "views. Animations of J3D and IQM are added to IN, their model. If OUT is a terminal, it\n"
    "shows the picture, like 'facet show'.",
    sets,
    2,
    -1,
    run,
    CLI_ITEMS_IN_OUT,
    false,
    true};
