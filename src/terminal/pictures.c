/* terminal/pictures.c - a picture for kitty, iTerm2 and terminals with 24-bit colors. */
#include "terminal/terminal.h"

#include "base/arena.h"
#include "base/base64.h"
#include "base/error.h"
#include "base/text_output.h"

#include <facet/image.h>
#include <stdio.h>
#include <string.h>

/* -- Terminals that take a PNG ------------------------------------------ */

/* Encode the picture as base64 in `arena`. */
static facet_status encode(facet_arena *arena, const facet_image *image,
                           const facet_options *options, char **text, size_t *png_size,
                           facet_error *error)
{
    facet_output *output = NULL;
    facet_bytes png = {0};
    facet_status status = facet_output_open_memory(options->allocator, &output, error);
    if (!status)
        status = facet_image_encode(image, "image/png", 0, options, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    if (!status)
        status = facet_output_take(output, &png, error);
    if (!status) {
        *png_size = png.size;
        *text = facet_base64_encode(arena, png.data, png.size);
        if (!*text)
            status = facet_fail_arena(arena, error);
    }
    facet_bytes_free(&png);
    facet_output_free(output);
    return status;
}

/* Send pieces of at most 4096 characters, as the protocol requires. q=2: the terminal must not
 * answer, because nobody reads the answer. */
static void put_kitty(const char *text, facet_output *output)
{
    enum { PIECE = 4096 };
    size_t left = strlen(text);
    for (const char *at = text; left > 0;) {
        size_t size = left > PIECE ? PIECE : left;
        char head[48];
        left -= size;
        int length = snprintf(head, sizeof head, "\033_G%sm=%d;",
                              at == text ? "a=T,f=100,q=2," : "", left > 0);
        facet_output_write(output, head, (size_t)length);
        facet_output_write(output, at, size);
        facet_output_write(output, "\033\\", 2);
        at += size;
    }
}

static void put_iterm(const char *text, size_t png_size, const facet_image *image,
                      facet_output *output)
{
    char head[96];
    int length = snprintf(head, sizeof head,
                          "\033]1337;File=inline=1;size=%zu;width=%upx;height=%upx:", png_size,
                          image->width, image->height);
    facet_output_write(output, head, (size_t)length);
    facet_output_write(output, text, strlen(text));
    facet_output_write(output, "\a", 1);
}

static facet_status put_png(const facet_terminal *terminal, const facet_image *image,
                            const facet_options *options, facet_output *output, facet_error *error)
{
    facet_arena *arena = NULL;
    char *text = NULL;
    size_t size = 0;
    facet_status status = facet_arena_create(options, &arena, error);
    if (!status)
        status = encode(arena, image, options, &text, &size, error);
    if (!status && terminal->protocol == FACET_TERMINAL_KITTY)
        put_kitty(text, output);
    else if (!status)
        put_iterm(text, size, image, output);
    facet_arena_free(arena);
    return status;
}

/* -- Half blocks -------------------------------------------------------- */

/* Current colors of the terminal: -1 is its default. */
typedef struct colors {
    int32_t text, background;
} colors;

static int32_t color_at(const facet_terminal *terminal, const facet_image *image, uint32_t x,
                        uint32_t y)
{
    uint8_t rgb[3];
    const uint8_t *pixel = (const uint8_t *)image->pixels + ((size_t)y * image->width + x) * 4;
    if (y >= image->height || !facet_terminal_blend(terminal, pixel, rgb))
        return -1;
    return rgb[0] << 16 | rgb[1] << 8 | rgb[2];
}

static void set_color(facet_text_output *out, const char *what, int32_t color, int32_t *now)
{
    char text[40];
    if (color == *now)
        return;
    *now = color;
    if (color < 0)
        snprintf(text, sizeof text, "\033[%s9m", what);
    else
        snprintf(text, sizeof text, "\033[%s8;2;%d;%d;%dm", what, color >> 16 & 255,
                 color >> 8 & 255, color & 255);
    facet_put_text(out, text);
}

/* Print two pixels, one above the other. A half block has the text color of the upper pixel; if
 * that is transparent, of the lower pixel. */
static void put_pair(facet_text_output *out, int32_t upper, int32_t lower, colors *now)
{
    const char *block = upper >= 0 ? "\u2580" : lower >= 0 ? "\u2584" : " ";
    int32_t background = upper >= 0 ? lower : -1;
    if (upper >= 0 || lower >= 0)
        set_color(out, "3", upper >= 0 ? upper : lower, &now->text);
    set_color(out, "4", background, &now->background);
    facet_put_text(out, block);
}

static void put_blocks(const facet_terminal *terminal, const facet_image *image,
                       facet_output *output)
{
    facet_text_output out = {.output = output};
    for (uint32_t y = 0; y < image->height; y += 2) {
        colors now = {-1, -1};
        for (uint32_t x = 0; x < image->width; x++)
            put_pair(&out, color_at(terminal, image, x, y), color_at(terminal, image, x, y + 1),
                     &now);
        facet_put_text(&out, y + 2 < image->height ? "\033[0m\n" : "\033[0m");
    }
    facet_put_flush(&out);
}

/* -- All ---------------------------------------------------------------- */

facet_status facet_terminal_put(const facet_terminal *terminal, const facet_image *image,
                                const facet_options *options, facet_output *output,
                                facet_error *error)
{
    facet_status status = FACET_OK;
    switch (terminal->protocol) {
    case FACET_TERMINAL_NONE:
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the terminal shows no pictures");
    case FACET_TERMINAL_KITTY:
    case FACET_TERMINAL_ITERM:
        status = put_png(terminal, image, options, output, error);
        break;
    case FACET_TERMINAL_SIXEL:
        status = facet_terminal_put_sixels(terminal, image, options, output, error);
        break;
    case FACET_TERMINAL_BLOCKS:
        put_blocks(terminal, image, output);
        break;
    }
    if (!status)
        facet_output_write(output, "\n", 1);
    return status;
}
