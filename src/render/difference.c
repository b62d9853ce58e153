/* render/difference.c - two scenes with the same camera, and their difference. */
#include "render/label.h"
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 512, LOUDER = 4 };

/* One of the two scenes. */
typedef struct side {
    facet_renderer *renderer;
    facet_picture picture;
} side;

static double diagonal_squared(const facet_picture *p)
{
    double sum = 0;
    for (int i = 0; i < 3 && p->any; i++)
        sum += (p->maximum[i] - p->minimum[i]) * (p->maximum[i] - p->minimum[i]);
    return sum;
}

/* Draw both scenes with the camera that fits the larger one. */
static facet_status draw(const facet_scene *const scenes[2], side sides[2],
                         const facet_options *options, facet_error *error)
{
    facet_render_options how = {.width = SIDE, .height = SIDE};
    facet_status status = FACET_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = facet_renderer_create(scenes[i], options, &sides[i].renderer, error);
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

/* Place the first picture, the second, and their difference on white. */
static void lay_out(const side sides[2], uint8_t *pixels, facet_picture_difference *difference)
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

/* Draw the labels, and a scale from no difference to the difference that is black. */
static void explain(const facet_image *image)
{
    static const char *const names[3] = {"FIRST", "SECOND", "DIFFERENCE X 4"};
    enum { LEFT = 2 * SIDE + 8, TOP = SIDE - 40, WIDTH = 256 / LOUDER * 2, HEIGHT = 12 };
    uint8_t *pixels = image->pixels;
    for (uint32_t i = 0; i < 3; i++)
        facet_render_label(image, i * SIDE, 0, SIDE, names[i]);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        size_t at = (size_t)(TOP + i / WIDTH) * image->width + LEFT + i % WIDTH;
        memset(pixels + at * 3, 255 - (int)(i % WIDTH) / 2 * LOUDER, 3);
    }
    facet_render_label(image, LEFT - 8, TOP + HEIGHT, SIDE, "0");
    facet_render_label(image, LEFT + WIDTH - 8, TOP + HEIGHT, SIDE, "64 OF 255");
}

static facet_status put_together(const side sides[2], const facet_options *options,
                                 facet_picture *picture, facet_picture_difference *difference,
                                 facet_error *error)
{
    TRY(facet_arena_create(options, &picture->arena, error));
    uint8_t *pixels = facet_arena_allocate(picture->arena, (size_t)SIDE * SIDE, 9);
    if (!pixels)
        return facet_fail_arena(picture->arena, error);
    picture->image = (facet_image){.name = "",
                                   .media_type = "",
                                   .pixels = pixels,
                                   .width = SIDE * 3,
                                   .height = SIDE,
                                   .channels = 3};
    picture->camera = sides[0].picture.camera;
    picture->any = sides[0].picture.any || sides[1].picture.any;
    lay_out(sides, pixels, difference);
    explain(&picture->image);
    return FACET_OK;
}

facet_status facet_render_difference(const facet_scene *const scenes[2],
                                     const facet_options *options, facet_picture *picture,
                                     facet_picture_difference *difference, facet_error *error)
{
    side sides[2] = {{0}, {0}};
    memset(picture, 0, sizeof *picture);
    *difference = (facet_picture_difference){0, 0};
    facet_status status = draw(scenes, sides, options, error);
    if (!status)
        status = put_together(sides, options, picture, difference, error);
    if (status)
        facet_picture_free(picture);
    for (int i = 0; i < 2; i++) {
        facet_picture_free(&sides[i].picture);
        facet_renderer_free(sides[i].renderer);
    }
    return status;
}
