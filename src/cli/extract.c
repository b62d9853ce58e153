/* cli/extract.c - facet extract: the contents of a file as files. */
#include "base/system.h"
#include "cli/record.h"
#include "scene/format.h"

#include <errno.h>
#include <string.h>

typedef struct settings {
    const facet_format *from;
} settings;
static const cli_option_set own;

static facet_status put(void *user, const char *name, const void *data, size_t size,
                        facet_error *error)
{
    cli_places *places = user;
    char path[4096];
    if (!cli_output_folder_choose(places, places->directory, name, path, sizeof path))
        return cli_output_folder_fail(error, path);
    return cli_output_folder_write(places, path, data, size, error);
}

/* -- The command -------------------------------------------------------- */

/* True for archives that 'facet pack' creates. Others are only extracted. */
static bool is_packed(const facet_format *format)
{
    return format && format->pack == FACET_PACK_ARCHIVE;
}

static int extract(cli_record *record, const char *in, const facet_source *plain, const settings *s,
                   const char *directory, const facet_options *options)
{
    facet_error error;
    cli_places places = {.record = record, .directory = directory};
    facet_extractor extractor = {put, &places};
    int result = EXIT_DONE;
    facet_status status = facet_extract(plain, s->from, options, &extractor, &error);
    if (cli_output_folder_end(&places, status, &error)) {
        result = cli_complain_error(record, cli_input_name(in), &error);
    } else {
        cli_print_report(record, cli_input_name(in), options->report);
        if (places.count == 0)
            cli_remark(record, "%s: contains nothing to extract", cli_input_name(in));
    }
    return result;
}

static int run(const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    const char *in = arguments->words[0], *directory = arguments->words[1];
    int result = EXIT_DONE;
    facet_source plain;
    facet_error error;
    if (strlen(directory) > 2048) {
        cli_complain(arguments->record, "the name of the directory is too long");
        return EXIT_USAGE;
    }
    facet_input *input =
        cli_open_input(arguments->record, in, arguments->memory_limit, &plain, &result, NULL);
    if (!input)
        return result;
    facet_source stored = facet_input_source(input);
    facet_options options;
    result = cli_begin_options(arguments, &options) ? cli_apply_options(arguments, &options, &error)
                                                    : EXIT_SYSTEM;
    bool is_made = result == EXIT_DONE && !cli_record_packs(arguments->record) &&
                   facet_system_make_folder(directory);
    if (result != EXIT_DONE) {
        ;
    } else if (!is_made && !cli_record_packs(arguments->record) && errno != EEXIST) {
        cli_output_folder_fail(&error, directory);
        result = cli_complain_error(arguments->record, directory, &error);
    } else if (is_packed(s->from ? s->from : facet_format_probe(&plain))) {
        result = cli_extract_archive(arguments->record, in, &stored, &plain, directory, &options);
    } else {
        result = extract(arguments->record, in, &plain, s, directory, &options);
    }
    if (is_made && result != EXIT_DONE)
        facet_system_remove_folder(directory); /* fails if some files were extracted */
    cli_end_options(arguments, &options);
    facet_report_free(options.report);
    facet_input_close(input);
    return result;
}

static const cli_option options[] = {{"from", "FORMAT", "read FILE as this format", CLI_FORMAT,
                                      .default_text = "by content",
                                      .offset = offsetof(settings, from)},
                                     {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, &cli_resources, &cli_image, NULL};

const cli_command cli_command_extract = {
    "extract",
    "FILE DIR",
    "extract what is inside a file",
    "Write the contents of FILE to the directory DIR, which is created if it is missing:\n"
    "\n"
    "  textures              as PNG (floats: HDR); J3D textures also as BTI\n"
    "  J3D materials         as materials.json and textures.json for 'facet convert'\n"
    "  shaders               as source text\n"
    "  archives              all files, and archive.json for 'facet pack'\n"
    "  containers            packed files by name, other sections as they are\n"
    "\n"
    "Existing files of these names are replaced. Nothing is written outside DIR.",
    sets,
    2,
    2,
    run,
    CLI_ITEMS_IN_OUT,
    false,
    false};
