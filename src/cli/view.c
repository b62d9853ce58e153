/* cli/view.c - facet view: a window that shows files of any format. */
#include "cli/view.h"

#include "base/error.h"
#include "base/json.h"
#include "base/module.h"
#include "cli/restrict.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined FACET_MODULES
static facet_module module = {"sdl", "windows", NULL};
#elif defined FACET_HAVE_SDL
extern const facet_window_functions facet_sdl_table;
static facet_module module = {"sdl", "", &facet_sdl_table};
#else
static facet_module module = {"sdl", "", NULL};
#endif

/* -- Options ------------------------------------------------------------- */

#define OFFSET(name) .offset = offsetof(cli_view_settings, name)

static const cli_option options[] = {
    {"compare", NULL, "begin with two files side by side; 'c' switches to flicker and distance",
     CLI_FLAG, OFFSET(compare)},
    {"play", NULL, "play the animation at once", CLI_FLAG, OFFSET(play)},
    {"screenshot", "OUT.png", "save here with the key 'p'", CLI_TEXT,
     .default_text = "facet-000.png, facet-001.png ...", OFFSET(screenshot)},
    {"once", NULL, "save the first picture to --screenshot without a window", CLI_FLAG,
     OFFSET(once)},
    {"frames", "N", "draw N frames without a window and print their time", CLI_COUNT,
     OFFSET(frames), .most = 100000},
    {"json", NULL, "print one JSON object, with --frames or on an error", CLI_FLAG, OFFSET(json)},
    {"untrusted", NULL,
     "restrict the process: read only next to the files, write only next to --screenshot, start no "
     "program, open no connection",
     CLI_FLAG, OFFSET(untrusted)},
    {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(cli_view_settings)};
static const cli_option_set *const sets[] = {&own, &cli_picture, &cli_resources, NULL};

enum { WIDTH = 1280, HEIGHT = 720 };

static int check(cli_record *record, const cli_view_settings *s)
{
    if (s->once && !s->screenshot) {
        cli_complain(record, "--once saves a picture: add --screenshot OUT.png");
        return EXIT_USAGE;
    }
    if (s->once && s->frames) {
        cli_complain(record, "--once and --frames exclude each other");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* Report an error of a file, with --json also as an object. Returns an exit status. */
static int fail(const cli_viewing *v, const char *blamed, const facet_error *error)
{
    if (v->settings->json) {
        facet_json *object = facet_json_object();
        facet_json_set(object, "file", cli_json_text(v->arguments->words[0]));
        facet_json_set(object, "error", cli_json_of_error(error));
        cli_print_json(v->arguments->record, stdout, object);
    }
    return cli_complain_error(v->arguments->record, blamed, error);
}

/* -- Measuring frames ---------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_frames(const cli_viewing *v, facet_viewer *viewer, double first, double *times,
                         uint32_t width, uint32_t height)
{
    unsigned count = v->settings->frames;
    qsort(times, count, sizeof *times, compare_numbers);
    double median = times[count / 2], worst = times[count - 1];
    if (!v->settings->json) {
        printf("%s: %u frames of %u x %u, median %.1f ms (%.0f a second), longest %.1f ms; the "
               "first picture %.0f ms after the start\n",
               v->arguments->words[0], count, width, height, median, 1000 / median, worst, first);
        return;
    }
    facet_json *object = facet_json_object();
    facet_json_set(object, "file", cli_json_text(v->arguments->words[0]));
    facet_json_set(object, "width", facet_json_integer(width));
    facet_json_set(object, "height", facet_json_integer(height));
    facet_json_set(object, "triangles",
                   facet_json_integer((int64_t)facet_viewer_triangles(viewer)));
    facet_json_set(object, "frames", facet_json_integer(count));
    facet_json_set(object, "firstMilliseconds", facet_json_real(first));
    facet_json_set(object, "medianMilliseconds", facet_json_real(median));
    facet_json_set(object, "longestMilliseconds", facet_json_real(worst));
    facet_json_set(object, "framesPerSecond", facet_json_real(1000 / median));
    cli_print_json(v->arguments->record, stdout, object);
}

static int measure(const cli_viewing *v, facet_viewer *viewer, double begin, uint32_t width,
                   uint32_t height)
{
    unsigned count = v->settings->frames;
    facet_error error;
    double *times = calloc(count, sizeof *times);
    uint8_t *pixels = malloc((size_t)width * height * 4);
    facet_status status = FACET_OK;
    double first = 0;
    if (!times || !pixels)
        status = facet_fail_memory(&error, (size_t)width * height * 4);
    if (!status)
        status = facet_viewer_measure(viewer, pixels, (int)width, (int)height, 1, &first, &error);
    facet_view_host host = cli_view_host(NULL);
    first = host.now(NULL) - begin;
    if (!status)
        status =
            facet_viewer_measure(viewer, pixels, (int)width, (int)height, count, times, &error);
    int result = status ? fail(v, v->arguments->words[0], &error) : EXIT_DONE;
    if (!status)
        print_frames(v, viewer, first, times, width, height);
    free(pixels);
    free(times);
    return result;
}

/* -- Running ------------------------------------------------------------- */

static int show_all(cli_viewing *v, const facet_render_options *how, facet_window *window,
                    double begin)
{
    const cli_view_settings *s = v->settings;
    const facet_window_functions *functions = facet_module_table(&module);
    facet_viewer *viewer = NULL;
    facet_error error;
    facet_view_host host = cli_view_host(v);
    facet_view_settings settings = {.render = *how,
                                    .clip = v->picture->animation,
                                    .rests = !v->picture->animation && !v->picture->time,
                                    .plays = s->play,
                                    .compares = s->compare,
                                    .watches = window != NULL,
                                    .screenshot = s->screenshot};
    if (facet_viewer_create(&host, &settings, &v->options, &viewer, &error))
        return fail(v, v->arguments->words[0], &error);
    int result = cli_view_add_words(v, viewer);
    if (result == EXIT_DONE && facet_viewer_open(viewer, &error))
        result = fail(v, *error.file ? error.file : v->arguments->words[0], &error);
    if (result != EXIT_DONE) {
        /* The error is printed. */
    } else if (s->frames) {
        result = measure(v, viewer, begin, how->width, how->height);
    } else if (s->once) {
        if (facet_viewer_save(viewer, s->screenshot, (int)how->width, (int)how->height, &error))
            result = fail(v, s->screenshot, &error);
    } else {
        facet_view_run(viewer, functions, window);
    }
    facet_viewer_free(viewer);
    return result;
}

static int open_window(const cli_viewing *v, const facet_render_options *how, facet_window **window)
{
    facet_error error;
    char reason[200] = "";
    if (facet_module_open(&module, &error))
        return fail(v, "facet view", &error);
    const facet_window_functions *functions = facet_module_table(&module);
    if (!functions) {
        facet_fail(&error, FACET_ERROR_UNSUPPORTED, "MODULE-ABSENT", FACET_NO_OFFSET,
                   "this build has no windows (FACET_SDL); --once and facet render need none");
        return fail(v, "facet view", &error);
    }
    *window = functions->open(v->arguments->words[0], how->width, how->height, reason);
    if (*window)
        return EXIT_DONE;
    cli_complain(v->arguments->record,
                 "cannot open a window: %s; --once and facet render need none", reason);
    return EXIT_SYSTEM;
}

/* Set the picture options, by the functions of facet render. */
static int read_options(cli_viewing *v, cli_rendering *r)
{
    static const cli_render_settings none;
    static uint8_t slate[4] = {48, 52, 58, 255};
    r->arguments = v->arguments;
    r->settings = &none;
    r->picture = v->picture;
    r->out = "";
    int result = cli_render_options(r);
    r->how.width = r->how.width ? r->how.width : WIDTH;
    r->how.height = r->how.height ? r->how.height : HEIGHT;
    if (!v->picture->background)
        r->how.background = slate;
    return result;
}

static int look(cli_viewing *v, const facet_render_options *how, double begin)
{
    const cli_arguments *arguments = v->arguments;
    facet_window *window = NULL;
    int result = EXIT_DONE;
    if (!v->settings->once && !v->settings->frames)
        result = open_window(v, how, &window);
    if (result != EXIT_DONE)
        return result;
    if (v->settings->untrusted &&
        !cli_restrict_to_pictures((const char *const *)arguments->words, (size_t)arguments->count,
                                  v->settings->screenshot ? v->settings->screenshot : "-")) {
        result = cli_complain_memory(v->arguments->record);
    } else if (cli_begin_options(arguments, &v->options)) {
        v->options.progress = NULL;
        result = show_all(v, how, window, begin);
        cli_end_options(v->arguments, &v->options);
        facet_report_free(v->options.report);
    } else {
        result = EXIT_SYSTEM;
    }
    if (window)
        ((const facet_window_functions *)facet_module_table(&module))->close(window);
    return result;
}

static int run(const cli_arguments *arguments)
{
    cli_viewing v = {.arguments = arguments,
                     .settings = cli_settings_of(arguments, &own),
                     .picture = cli_settings_of(arguments, &cli_picture)};
    cli_rendering picture = {0};
    facet_view_host host = cli_view_host(&v);
    double begin = host.now(&v);
    int result = check(arguments->record, v.settings);
    if (result == EXIT_DONE)
        result = read_options(&v, &picture);
    if (result == EXIT_DONE)
        result = look(&v, &picture.how, begin);
    facet_input_close(picture.panorama);
    return result;
}

const cli_command cli_command_view = {
    "view",
    "FILE...",
    "show files in a window",
    "Show files of any format in a window, without a GPU, drawn like 'facet render'. Drag to\n"
    "turn, drag with the right button to move, turn the wheel to zoom. F1 lists all keys:\n"
    "modes, animations, nodes, textures, findings, the next file.\n"
    "\n"
    "A folder or archive adds the models in it. Animations of J3D and IQM are added to the\n"
    "model before them. A file is read again when it changes. 'p' saves a picture and prints\n"
    "the 'facet render' command that draws it again. --compare A B shows two files with one\n"
    "camera.",
    sets,
    1,
    -1,
    run,
    CLI_ITEMS_NONE,
    false,
    false};
