/* cli/compare_picture.c - facet compare --picture: both files from one place, and beside
 * them where their pictures differ. */
#include "cli/compare.h"
#include "cli/label.h"
#include "cli/record.h"

#include "base/error.h"

#include <facet/convert.h>
#include <facet/image.h>
#include <facet/render.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 512, LOUDER = 4 };

/* One of the two files. */
typedef struct side {
    facet_scene *scene;
    facet_renderer *renderer;
    facet_picture picture;
} side;

static facet_status load(const facet_source *source, const facet_format *from,
                         const facet_options *options, side *to, facet_error *error)
{
    facet_load_options how = {.image_files = true};
    facet_prepare_options prepare = {.skip = FACET_NEED_OPTIMIZED, .keep_vertices = true};
    facet_status status = facet_load(source, from, &how, options, &to->scene, error);
    return status ? status : facet_prepare(to->scene, NULL, &prepare, options, NULL, error);
}

static double diagonal_squared(const facet_picture *p)
{
    double sum = 0;
    for (int i = 0; i < 3 && p->any; i++)
        sum += (p->maximum[i] - p->minimum[i]) * (p->maximum[i] - p->minimum[i]);
    return sum;
}

/* Both by the camera that the larger of the two asks for. */
static facet_status draw(side sides[2], const facet_options *options, facet_error *error)
{
    facet_render_options how = {.width = SIDE, .height = SIDE};
    facet_status status = FACET_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = facet_renderer_create(sides[i].scene, options, &sides[i].renderer, error);
    for (int i = 0; i < 2 && !status; i++)
        status = facet_renderer_draw(sides[i].renderer, &how, options, &sides[i].picture, error);
    if (status)
        return status;
    int smaller = diagonal_squared(&sides[0].picture) < diagonal_squared(&sides[1].picture) ? 0 : 1;
    facet_picture_free(&sides[smaller].picture);
    how.camera = &sides[!smaller].picture.camera;
    return facet_renderer_draw(sides[smaller].renderer, &how, options, &sides[smaller].picture,
                               error);
}

/* First, second, and by how much they differ, on white. */
static void lay_out(const side sides[2], uint8_t *pixels, cli_picture_difference *difference)
{
    const size_t line = (size_t)SIDE * 3 * 3;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        uint8_t *at = pixels + i / SIDE * line + i % SIDE * 3;
        int most = 0;
        for (int c = 0; c < 3; c++) {
            int shown[2];
            for (int s = 0; s < 2; s++) {
                const uint8_t *pixel = (const uint8_t *)sides[s].picture.image.pixels + i * 4;
                shown[s] = (pixel[c] * pixel[3] + 255 * (255 - pixel[3]) + 127) / 255;
                at[s * SIDE * 3 + c] = (uint8_t)shown[s];
            }
            int apart = abs(shown[0] - shown[1]);
            most = apart > most ? apart : most;
            int quiet = 255 - apart * LOUDER;
            at[2 * SIDE * 3 + c] = (uint8_t)(quiet > 0 ? quiet : 0);
        }
        difference->pixels += most > 0;
        difference->greatest = most > difference->greatest ? most : difference->greatest;
    }
}

/* What the three are, and how dark a difference is: a bar from none to the one that is black. */
static void explain(const facet_image *image)
{
    static const char *const names[3] = {"FIRST", "SECOND", "DIFFERENCE X 4"};
    enum { LEFT = 2 * SIDE + 8, TOP = SIDE - 40, WIDTH = 256 / LOUDER * 2, HEIGHT = 12 };
    uint8_t *pixels = image->pixels;
    for (uint32_t i = 0; i < 3; i++)
        cli_label(image, i * SIDE, 0, SIDE, names[i]);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        size_t at = (size_t)(TOP + i / WIDTH) * image->width + LEFT + i % WIDTH;
        memset(pixels + at * 3, 255 - (int)(i % WIDTH) / 2 * LOUDER, 3);
    }
    cli_label(image, LEFT - 8, TOP + HEIGHT, SIDE, "0");
    cli_label(image, LEFT + WIDTH - 8, TOP + HEIGHT, SIDE, "64 OF 255");
}

static facet_status write(const char *path, const side sides[2], const facet_options *options,
                          cli_picture_difference *difference, facet_error *error)
{
    facet_output *output = NULL;
    TRY(cli_open_file(path, true, &output, error));
    facet_status status = FACET_OK;
    facet_image image = {
        .name = "", .media_type = "", .width = SIDE * 3, .height = SIDE, .channels = 3};
    image.pixels = malloc((size_t)SIDE * SIDE * 9);
    if (image.pixels) {
        lay_out(sides, image.pixels, difference);
        explain(&image);
        status = facet_image_encode(&image, "image/png", 0, options, output, error);
        if (!status)
            status = cli_commit(path, &output, 1, error);
    } else {
        error->status = status = FACET_ERROR_MEMORY;
        snprintf(error->message, sizeof error->message, "there is no memory for the picture");
    }
    free(image.pixels);
    facet_output_free(output);
    return status;
}

int cli_compare_picture(const cli_arguments *arguments, const facet_source sources[2],
                        const facet_format *from, const facet_options *options, const char *path,
                        cli_picture_difference *difference, facet_error *error)
{
    side sides[2] = {{0}, {0}};
    facet_status status = FACET_OK;
    const char *blamed = NULL;
    for (int i = 0; i < 2 && !status; i++) {
        blamed = cli_input_name(arguments->words[i]);
        status = load(&sources[i], from, options, &sides[i], error);
    }
    if (!status) {
        double first = sides[0].scene->axes.unit, second = sides[1].scene->axes.unit;
        if (first > 0 && second > 0 && first != second)
            facet_scene_scale(sides[1].scene, second / first);
        status = draw(sides, options, error);
    }
    if (!status) {
        blamed = cli_output_name(path);
        status = write(path, sides, options, difference, error);
    }
    for (int i = 0; i < 2; i++) {
        facet_picture_free(&sides[i].picture);
        facet_renderer_free(sides[i].renderer);
        facet_scene_free(sides[i].scene);
    }
    return status ? cli_complain_error(blamed, error) : EXIT_DONE;
}
