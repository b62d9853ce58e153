/* cli/render.c - facet render: a picture of any file. */
#include "cli/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/system.h"
#include "cli/record.h"
#include "cli/restrict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- What is asked for --------------------------------------------------- */

#define OFFSET(name) .offset = offsetof(cli_render_settings, name)

static const cli_option looks[] = {
    {"size", "WxH", "pixels; default: 512x512", CLI_TEXT, OFFSET(size),
     .fields = "facet_render_options.width, facet_render_options.height"},
    {"view", "VIEW", "front, back, left, right, top, bottom, iso, or AZIMUTH,ELEVATION in degrees",
     CLI_TEXT, OFFSET(view),
     .fields = "facet_render_options.azimuth, facet_render_options.elevation"},
    {"orthographic", NULL, "without perspective", CLI_FLAG, OFFSET(orthographic),
     .fields = "facet_render_options.orthographic"},
    {"camera", "FILE", "take the camera from a JSON file, as --json prints it", CLI_TEXT,
     OFFSET(camera), .fields = "facet_render_options.camera"},
    {"sheet", NULL, "six views in one picture, each of the size", CLI_FLAG, OFFSET(sheet)},
    {"background", "COLOR", "#RRGGBB, #RRGGBBAA, or transparent, which is the default", CLI_TEXT,
     OFFSET(background), .fields = "facet_render_options.background"},
    {"animation", "NAME", "in the pose of this animation, by name or number", CLI_TEXT,
     OFFSET(animation), .fields = "facet_render_options.animation"},
    {"time", "SECONDS", "the time of the pose; default: 0", CLI_TEXT, OFFSET(time),
     .fields = "facet_render_options.time"},
    {"mode", "MODE,...",
     "shaded, clay, normals, tangents, uv, weights, joints, facing, overdraw, material or "
     "texture=N, and over it wireframe, hulls and occluder",
     CLI_TEXT, OFFSET(mode), .fields = "facet_render_options.modes, facet_render_options.texture"},
    {"samples", "N", "samples a pixel: 1, 4 or 16; default: 4", CLI_COUNT, OFFSET(samples),
     .most = 16, .fields = "facet_render_options.samples"},
    {"line-width", "PIXELS", "width of lines; points are twice as wide; default: 1.5", CLI_TEXT,
     OFFSET(line_width), .fields = "facet_render_options.line_width"},
    {"light", "X,Y,Z", "direction to the light: right, up, toward the viewer", CLI_TEXT,
     OFFSET(light), .fields = "facet_render_options.light"},
    {"fog", NULL, "with the fog of console materials", CLI_FLAG, OFFSET(fog),
     .fields = "facet_render_options.fog"},
    {"file-order", NULL, "console materials in the order of the file, unsorted", CLI_FLAG,
     OFFSET(file_order), .fields = "facet_render_options.file_order"},
    {"from", "FORMAT", "read IN as this format; default: by its content", CLI_FORMAT, OFFSET(from)},
    {"up", "AXIS", "the axis that points up in IN, x, y or z, whatever IN says; default for STL: z",
     CLI_WORD, OFFSET(up), .words = (const char *const[]){"y", "z", "x", NULL},
     .fields = "facet_axes.up"},
    {"variant", "NAME", "with materials as they are in this variant", CLI_TEXT, OFFSET(variant),
     .fields = "facet_load_options.variant"},
    {0}};
const cli_option_set cli_looks = {.options = looks, .settings_size = sizeof(cli_render_settings)};

#undef OFFSET
#define OFFSET(name) .offset = offsetof(cli_render_files, name)

static const cli_option files[] = {
    {"turntable", "N", "N pictures once around: OUT-000.png, OUT-001.png ...", CLI_COUNT,
     OFFSET(turntable), .most = 3600},
    {"json", NULL, "print what was drawn: camera, bounds, counts, time", CLI_FLAG, OFFSET(json)},
    {"thumbnail", NULL,
     "for a desktop: without warnings, and no more than 10 seconds, 2 GiB and 100 MiB of IN",
     CLI_FLAG, OFFSET(thumbnail)},
    {"force", NULL, "write the bytes of the picture to a terminal", CLI_FLAG, OFFSET(force),
     .letter = 'f'},
    {0}};
static const cli_option_set own = {.options = files, .settings_size = sizeof(cli_render_files)};
static const cli_option_set *const sets[] = {&cli_looks, &own, &cli_resources, &cli_archives, NULL};

/* -- The scene ---------------------------------------------------------- */

static facet_status add(cli_rendering *r, const char *path, facet_error *error)
{
    facet_input *input = NULL;
    facet_source source;
    facet_status status = facet_input_open(path, &r->options, &input, error);
    if (!status)
        status = facet_input_decompress(input, &source, error);
    if (!status)
        status = cli_record_source(&source, error);
    if (!status)
        status = facet_load_animation(&source, NULL, &r->source, &r->options, r->scene, error);
    facet_input_close(input);
    return status;
}

static facet_status load(cli_rendering *r, const char **blamed, facet_error *error)
{
    facet_load_options how = {.image_files = true, .variant = r->settings->variant};
    /* Vertices of equal value do no harm to a picture. */
    facet_prepare_options prepare = {.skip = FACET_NEED_OPTIMIZED, .keep_vertices = true};
    facet_passes passes;
    facet_status status =
        facet_load(&r->source, r->settings->from, &how, &r->options, &r->scene, error);
    for (int i = 1; i < r->inputs && !status; i++) {
        *blamed = r->arguments->words[i];
        status = add(r, r->arguments->words[i], error);
    }
    if (status)
        return status;
    *blamed = cli_input_name(r->arguments->words[0]);
    const facet_format *from =
        r->settings->from ? r->settings->from : facet_format_probe(&r->source);
    if (r->settings->up)
        r->scene->axes.up = (facet_axis)(r->settings->up - 1);
    else if (facet_format_is_z_up(from))
        r->scene->axes.up = FACET_AXIS_Z;
    if (!r->settings->mode) /* other modes show the shape, which needs normals */
        prepare.skip |= FACET_NEED_NORMALS;
    status = facet_prepare(r->scene, NULL, &prepare, &r->options, &passes, error);
    return status ? status : facet_renderer_create(r->scene, &r->options, &r->renderer, error);
}

/* -- The command -------------------------------------------------------- */

static void print_report(const cli_rendering *r)
{
    if (!r->files->thumbnail)
        cli_print_report(cli_input_name(r->arguments->words[0]), r->options.report);
}

static int draw_all(cli_rendering *r)
{
    facet_error error;
    const char *blamed = cli_input_name(r->arguments->words[0]);
    facet_status status = load(r, &blamed, &error);
    if (status) {
        cli_end_options(&r->options);
        print_report(r);
        return cli_render_complain(r, r->out, blamed, &error);
    }
    if (r->shows)
        cli_end_progress(&r->options);
    int result = cli_render_animation(r);
    if (result == EXIT_DONE)
        result = cli_render_pictures(r);
    cli_end_options(&r->options);
    print_report(r);
    return result;
}

static int check(cli_rendering *r)
{
    bool standard = strcmp(r->out, "-") == 0;
    if (standard && r->files->json) {
        cli_complain("--json and the picture cannot both go to standard output");
        return EXIT_USAGE;
    }
    if (standard && r->files->turntable) {
        cli_complain("--turntable makes several files; standard output takes one");
        return EXIT_USAGE;
    }
    if (r->files->turntable && r->settings->sheet) {
        cli_complain("--turntable and --sheet do not go together");
        return EXIT_USAGE;
    }
    r->shows = standard && isatty(STDOUT_FILENO) && !r->files->force;
    return EXIT_DONE;
}

/* -- Thumbnails --------------------------------------------------------- */

/* Before a byte of it is read: what is not mapped would be read whole. */
static int refuse_large(const cli_rendering *r, const char *path)
{
    enum { MAX_BYTES = 100 << 20 };
    facet_place place;
    facet_error error;
    if (!facet_system_look(path, &place) || place.size <= MAX_BYTES)
        return EXIT_DONE;
    facet_fail(&error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET, "larger than 100 MiB");
    return cli_render_complain(r, r->out, path, &error);
}

int cli_render_run(cli_rendering *r)
{
    int result = cli_render_options(r);
    if (result == EXIT_DONE && r->shows)
        result = cli_render_fit_terminal(r);
    if (result != EXIT_DONE)
        return result;
    if (r->files->thumbnail) {
        result = refuse_large(r, r->arguments->words[0]);
        if (result != EXIT_DONE)
            return result;
        cli_limit_thumbnail();
        cli_restrict_to_picture(r->arguments->words[0], r->out);
    }
    if (!cli_begin_options(r->arguments, &r->options))
        return EXIT_SYSTEM;
    facet_error error;
    r->file = cli_open_input(r->arguments->words[0], &r->source, &result, &error);
    if (!r->file)
        cli_render_print_failure(r, r->out, &error);
    if (r->files->thumbnail)
        r->options.progress = NULL;
    if (r->file)
        result = draw_all(r);
    cli_end_options(&r->options);
    facet_renderer_free(r->renderer);
    facet_scene_free(r->scene);
    facet_input_close(r->file);
    facet_report_free(r->options.report);
    return result;
}

static int run(const cli_arguments *arguments)
{
    cli_rendering r = {.arguments = arguments,
                       .settings = cli_settings_of(arguments, &cli_looks),
                       .files = cli_settings_of(arguments, &own),
                       .inputs = arguments->count - 1,
                       .out = arguments->words[arguments->count - 1]};
    int result = check(&r);
    if (result == EXIT_DONE && r.shows)
        result = cli_render_ask_terminal(&r);
    return result == EXIT_DONE ? cli_render_run(&r) : result;
}

const cli_command cli_command_render = {
    "render",
    "IN [ANIMATION...] OUT.png",
    "draw a picture of a file",
    "Draw IN, of any format, without a GPU: console materials as the console does, all\n"
    "others physically based, under a light that goes with the camera. OUT is a PNG, or -\n"
    "for standard output. The picture is the same on every machine. 'facet render IN\n"
    "OUT.png --mode uv,wireframe' shows what a mesh holds; --turntable and --sheet make\n"
    "several views. Animations of J3D are added to IN, their model. A terminal shows\n"
    "the picture that goes to it, as 'facet show' does.",
    sets,
    2,
    -1,
    run,
    CLI_ITEMS_IN_OUT,
    false};
