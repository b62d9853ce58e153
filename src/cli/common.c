/* cli/common.c - opening inputs, naming formats, options for the library. */
#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

facet_file *open_input(const char *path, const cli_settings *settings, facet_source *source,
                       int *exit_status, facet_error *error)
{
    facet_error own;
    facet_file *file = NULL;
    facet_status status = strcmp(path, "-") == 0
                              ? facet_file_open_descriptor(STDIN_FILENO, path, &file, &own)
                              : facet_file_open(path, &file, &own);
    if (status) {
        *exit_status = complain_error(path, &own);
        if (error)
            *error = own;
        return NULL;
    }
    *source = facet_file_source(file);
    source->allow_external = settings->allow_external;
    return file;
}

const facet_format *named_format(const char *name, bool *known)
{
    const facet_format *format = facet_format_named(name[0] == '.' ? name + 1 : name);
    *known = format != NULL;
    if (!format)
        complain("unknown format '%s'; 'facet formats' lists them", name);
    return format;
}

int for_each_input(const cli_settings *settings, int count, char **paths,
                   int (*one)(const char *path, const facet_format *format,
                              const cli_settings *settings))
{
    bool known = true;
    const facet_format *format = settings->from ? named_format(settings->from, &known) : NULL;
    if (!known)
        return EXIT_USAGE;
    int worst = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        int result = one(paths[i], format, settings);
        worst = result > worst ? result : worst;
    }
    return worst;
}

/* -- Options for the library -------------------------------------------- */

static bool show_progress(void *user, const char *step, double fraction)
{
    (void)user;
    fprintf(stderr, "\r\033[K%s %3.0f %%", step, fraction * 100);
    return true;
}

void begin_options(const cli_settings *settings, facet_options *options)
{
    memset(options, 0, sizeof *options);
    options->memory_limit = (uint64_t)settings->memory_limit << 20;
    if (isatty(STDERR_FILENO) && !settings->quiet)
        options->progress = show_progress;
    /* Without memory for these the work goes on without them. */
    facet_report_create(NULL, &options->report, NULL);
    if (settings->threads != 1)
        facet_threads_create(settings->threads, &options->threads, NULL);
}

void end_options(facet_options *options)
{
    if (options->progress)
        fputs("\r\033[K", stderr);
    options->progress = NULL;
    facet_threads_free(options->threads);
    options->threads = NULL;
}

/* -- Images ------------------------------------------------------------- */

static uint32_t fitting_side(uint32_t side, uint32_t most)
{
    uint32_t power = facet_image_nearest_power_of_two(side);
    return power < 2 ? 2 : power > most ? most : power;
}

facet_status resize_to_power_of_two(facet_scene *scene, facet_image *image, uint32_t most,
                                    facet_error *error)
{
    return facet_image_resize(scene->arena, image, fitting_side(image->width, most),
                              fitting_side(image->height, most), true, error);
}
