/* cli/outputs.c - outputs, possibly in archives and compressed. */
#include "archive/codec.h"
#include "base/error.h"
#include "base/output.h"
#include "cli/record.h"
#include "scene/format.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { OFFICIAL = 1, BEST, FAST, NONE };

typedef struct settings {
    bool into;
    unsigned compress; /* OFFICIAL ... */
} settings;

static const char *const words[] = {"official", "best", "fast", "none", NULL};
static const cli_option options[] = {
    {"compress", "EFFORT",
     CLI_HELP("compress OUT: official (the usual effort), best, fast or none"), CLI_WORD,
     .default_text = CLI_HELP(
         "like the file it replaces, or by the extension: .szs .szp .gz .bz2 .xz .zst .lz4"),
     .offset = offsetof(settings, compress), .words = words,
     .fields =
         CLI_HELP("facet_archive_output_options.compression, facet_archive_output_options.effort")},
    {"into", NULL, CLI_HELP("add OUT to its archive if it is missing there"), CLI_FLAG,
     .offset = offsetof(settings, into), .fields = CLI_HELP("facet_archive_output_options.add")},
    {0}};
const cli_option_set cli_archives = {
    .heading = "Archives", .options = options, .settings_size = sizeof(settings)};

facet_archive_output_options cli_archive_output(const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &cli_archives);
    facet_archive_output_options how = {0};
    how.add = s->into;
    how.effort = s->compress == BEST   ? FACET_COMPRESSION_BEST
                 : s->compress == FAST ? FACET_COMPRESSION_FAST
                                       : FACET_COMPRESSION_OFFICIAL;
    how.compression = s->compress == NONE ? FACET_COMPRESS_NEVER
                      : s->compress       ? FACET_COMPRESS_ALWAYS
                                          : FACET_COMPRESS_AS_IT_WAS;
    return how;
}

static bool is_compressed_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return facet_codec_from_path(path) ||
           (dot && (strcasecmp(dot, ".szs") == 0 || strcasecmp(dot, ".szp") == 0));
}

facet_status cli_open_output(const cli_arguments *arguments, const char *path,
                             const facet_options *with, facet_output **output, facet_error *error)
{
    facet_archive_output_options how = cli_archive_output(arguments);
    if (strcmp(path, "-") == 0)
        return facet_output_open_descriptor(STDOUT_FILENO, output, error);
    if (cli_record_packs(arguments->record)) {
        if (how.compression == FACET_COMPRESS_ALWAYS || is_compressed_name(path))
            return facet_fail(
                error, FACET_ERROR_UNSUPPORTED, "OUTPUT-TAR", FACET_NO_OFFSET,
                "the name '%s' asks for compression, which outputs in a tar cannot have", path);
        return cli_open_file(arguments->record, path, true, output, error);
    }
    facet_status (*open)(const char *, const facet_archive_output_options *, const facet_options *,
                         facet_output **, facet_error *) = FACET_WRITER(facet_archive_open_output);
    if (!open && (how.add || how.compression == FACET_COMPRESS_ALWAYS || is_compressed_name(path)))
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-ABSENT", FACET_NO_OFFSET,
                          "this build only reads; it cannot compress outputs or change archives");
    facet_status status =
        open ? open(path, &how, with, output, error) : facet_output_open(path, output, error);
    if (!status && cli_is_silent(arguments->record))
        facet_output_begin_hash(*output);
    return status;
}
