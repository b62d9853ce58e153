/* cli/render_pictures.c - pictures drawn and written: one, a turntable, or a sheet. */
#include "base/error.h"
#include "base/json.h"
#include "cli/record.h"
#include "cli/render.h"
#include "render/label.h"
#include "render/series.h"

#include <facet/image.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* -- Errors ------------------------------------------------------------- */

static facet_json *begin_object(const char *file, const char *path)
{
    facet_json *object = facet_json_object();
    facet_json_set(object, "file", cli_json_text(file));
    facet_json_set(object, "picture", cli_json_text(path));
    return object;
}

void cli_render_print_failure(const cli_rendering *r, const char *path, const facet_error *error)
{
    if (!r->settings->json)
        return;
    facet_json *object = begin_object(r->arguments->words[0], path);
    facet_json_set(object, "error", cli_json_of_error(error));
    cli_print_json(r->arguments->record, stdout, object);
}

int cli_render_complain(const cli_rendering *r, const char *path, const char *blamed,
                        const facet_error *error)
{
    int result = cli_complain_error(r->arguments->record, blamed, error);
    if (result != EXIT_USAGE)
        cli_render_print_failure(r, path, error);
    return result;
}

/* -- Names --------------------------------------------------------------- */

bool cli_is_picture_name(cli_record *record, const char *path)
{
    static const char said[] = "the picture is a PNG, but '%s' has the extension of another format";
    static const char *const pictures[] = {".jpg", ".jpeg", ".webp", ".avif", ".bmp",
                                           ".tga", ".gif",  ".tif",  ".tiff", ".hdr",
                                           ".exr", ".psd",  ".svg",  ".dds"};
    const char *base = strrchr(path, '/'), *dot = strrchr(base ? base : path, '.');
    bool is_other = false;
    for (size_t i = 0; dot && i < sizeof pictures / sizeof *pictures; i++) {
        is_other |= strcasecmp(dot, pictures[i]) == 0;
    }
    is_other |= facet_format_from_path(path) && (!dot || strcasecmp(dot, ".png") != 0);
    if (is_other)
        cli_complain(record, said, path);
    return !is_other;
}

/* -- Writing ------------------------------------------------------------ */

static int write_picture(const cli_rendering *r, const char *path, const facet_image *image)
{
    facet_error error;
    facet_output *output = NULL;
    facet_status status = r->shows
                              ? facet_output_open_descriptor(STDOUT_FILENO, &output, &error)
                              : cli_open_output(r->arguments, path, &r->options, &output, &error);
    if (!status && r->shows)
        status = facet_terminal_put(&r->terminal, image, &r->options, output, &error);
    else if (!status)
        status = facet_image_encode(image, "image/png", 0, &r->options, output, &error);
    if (!status)
        status = cli_commit(r->arguments->record, path, output, &error);
    facet_output_free(output);
    return status ? cli_render_complain(r, path, cli_output_name(path), &error) : EXIT_DONE;
}

static facet_json *bounds_of(const facet_picture *picture)
{
    facet_json *object = facet_json_object();
    facet_json_set(object, "minimum", cli_json_vector(picture->minimum));
    facet_json_set(object, "maximum", cli_json_vector(picture->maximum));
    return object;
}

static facet_json *camera_of(const facet_render_camera *camera)
{
    facet_json *object = facet_json_object();
    facet_json_set(object, "position", cli_json_vector(camera->position));
    facet_json_set(object, "target", cli_json_vector(camera->target));
    facet_json_set(object, "up", cli_json_vector(camera->up));
    if (camera->field_of_view > 0)
        facet_json_set(object, "fieldOfView", facet_json_real(camera->field_of_view));
    else
        facet_json_set(object, "height", facet_json_real(camera->height));
    return object;
}

facet_json *cli_picture_json(const char *file, const char *path, const facet_picture *picture,
                             bool has_camera)
{
    facet_json *object = begin_object(file, path);
    facet_json_set(object, "width", facet_json_integer(picture->image.width));
    facet_json_set(object, "height", facet_json_integer(picture->image.height));
    facet_json_set(object, "camera", has_camera ? camera_of(&picture->camera) : facet_json_null());
    if (picture->any)
        facet_json_set(object, "bounds", bounds_of(picture));
    facet_json_set(object, "vertices", facet_json_integer((int64_t)picture->vertices));
    facet_json_set(object, "triangles", facet_json_integer((int64_t)picture->triangles));
    return object;
}

/* Write the picture, and report it with --json. A sheet has no camera. */
static int write_and_report(const cli_rendering *r, const char *path, const facet_picture *picture,
                            double milliseconds)
{
    cli_prepared_json prepared;
    if (!r->settings->json)
        return write_picture(r, path, &picture->image);
    facet_json *object =
        cli_picture_json(r->arguments->words[0], path, picture, !r->settings->sheet);
    facet_json_set(object, "milliseconds", facet_json_real(milliseconds));
    int result = cli_prepare_json(r->arguments->record, object, &prepared)
                     ? write_picture(r, path, &picture->image)
                     : cli_complain_memory(r->arguments->record);
    if (result == EXIT_DONE)
        cli_print_prepared(r->arguments->record, stdout, &prepared);
    else
        cli_free_prepared(&prepared);
    return result;
}

/* -- Drawing ------------------------------------------------------------ */

static int draw(const cli_rendering *r, const facet_render_options *how, const char *path,
                facet_picture *picture)
{
    facet_error error;
    const char *blamed = cli_input_name(r->arguments->words[0]);
    if (facet_render_series_draw(r->series, how, &r->options, picture, &error))
        return cli_render_complain(r, path, *error.file ? error.file : blamed, &error);
    /* An animation can hide the whole model for a time, which is not an error. */
    if (picture->any || how->has_time)
        return EXIT_DONE;
    facet_picture_free(picture);
    facet_fail(&error, FACET_ERROR_MALFORMED, "RENDER-EMPTY", FACET_NO_OFFSET,
               "the scene has no faces with an area from 1e-44 to 1e38, no lines and no points");
    return cli_render_complain(r, path, blamed, &error);
}

static int draw_one(const cli_rendering *r, const facet_render_options *how, const char *path)
{
    facet_picture picture;
    double begin = now();
    int result = draw(r, how, path, &picture);
    if (result != EXIT_DONE)
        return result;
    double end = now();
    result = write_and_report(r, path, &picture, end - begin);
    if (result == EXIT_DONE && !r->settings->json && !picture.any)
        cli_remark(r->arguments->record, "%s: the picture shows nothing",
                   cli_input_name(r->arguments->words[0]));
    facet_picture_free(&picture);
    return result;
}

/* Path of a numbered picture: "a/b.png" and 7 give "a/b-007.png". */
static void number_path(char *path, size_t space, const char *out, unsigned number)
{
    const char *slash = strrchr(out, '/'), *dot = strrchr(slash ? slash : out, '.');
    int stem = dot ? (int)(dot - out) : (int)strlen(out);
    snprintf(path, space, "%.*s-%03u%s", stem, out, number, dot ? dot : "");
}

static int turn(const cli_rendering *r)
{
    facet_render_options how = r->how;
    int result = EXIT_DONE;
    if (!how.has_direction)
        how.azimuth = 32, how.elevation = 22;
    how.has_direction = true;
    double first = how.azimuth;
    for (unsigned i = 0; i < r->settings->turntable && result == EXIT_DONE; i++) {
        char path[4096];
        how.azimuth = first + 360.0 * i / r->settings->turntable;
        number_path(path, sizeof path, r->out, i);
        result = draw_one(r, &how, path);
    }
    return result;
}

/* -- A sheet ------------------------------------------------------------ */

static int draw_sheet(const cli_rendering *r)
{
    enum { ACROSS = 3, DOWN = 2, MAX_SIDE = 16384 };
    static const double views[ACROSS * DOWN][2] = {{0, 0},   {90, 0}, {32, 22},
                                                   {180, 0}, {0, 90}, {212, 22}};
    facet_render_options how = r->how;
    uint32_t width = how.width ? how.width : 512, height = how.height ? how.height : 512;
    if (width > MAX_SIDE / ACROSS || height > MAX_SIDE / DOWN) {
        cli_complain(r->arguments->record,
                     "a sheet has at most %d pixels on a side: --size is at most %dx%d, not %ux%u",
                     MAX_SIDE, MAX_SIDE / ACROSS, MAX_SIDE / DOWN, (unsigned)width,
                     (unsigned)height);
        return EXIT_USAGE;
    }
    size_t line = (size_t)width * 4;
    uint8_t *pixels = malloc(line * ACROSS * height * DOWN);
    int result = EXIT_DONE;
    if (!pixels) {
        cli_complain(r->arguments->record, "out of memory for the sheet");
        return EXIT_SYSTEM;
    }
    how.has_direction = true;
    facet_picture all = {0};
    double begin = now();
    for (uint32_t i = 0; i < ACROSS * DOWN && result == EXIT_DONE; i++) {
        facet_picture picture;
        how.azimuth = views[i][0];
        how.elevation = views[i][1];
        result = draw(r, &how, r->out, &picture);
        if (result != EXIT_DONE)
            break;
        for (uint32_t y = 0; y < height; y++)
            memcpy(pixels + ((size_t)(i / ACROSS) * height + y) * line * ACROSS +
                       (i % ACROSS) * line,
                   (const uint8_t *)picture.image.pixels + y * line, line);
        all = picture;
        facet_picture_free(&picture);
    }
    facet_image sheet = {.name = "",
                         .media_type = "",
                         .pixels = pixels,
                         .width = width * ACROSS,
                         .height = height * DOWN,
                         .channels = 4};
    static const char *const names[ACROSS * DOWN] = {"FRONT", "LEFT", "FROM 32,22",
                                                     "BACK",  "TOP",  "FROM 212,22"};
    for (uint32_t i = 0; i < ACROSS * DOWN && height >= 32; i++)
        facet_render_label(&sheet, i % ACROSS * width, i / ACROSS * height, width, names[i]);
    double end = now();
    all.image = sheet; /* counts and bounds are those of the last view */
    if (result == EXIT_DONE)
        result = write_and_report(r, r->out, &all, end - begin);
    free(pixels);
    return result;
}

int cli_render_pictures(cli_rendering *r)
{
    if (r->settings->turntable)
        return turn(r);
    return r->settings->sheet ? draw_sheet(r) : draw_one(r, &r->how, r->out);
}
