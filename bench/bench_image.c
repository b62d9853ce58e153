/* bench/bench_image.c - benchmark of the PNG encoder, compared with libspng, which uses zlib. */
#include "support/bench.h"

#include <facet/facet.h>
#include <math.h>
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 512, PICTURES = 20, CHANNELS = 3 };

/* Paint a picture similar to a texture: smooth colors, edges, and grain of a few steps. */
static void paint(uint8_t *pixels, uint32_t seed)
{
    uint32_t random = seed + 1;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            random = random * 1664525 + 1013904223;
            double grain = (double)(random >> 28) / 2;
            double wave = sin(x * 0.03 + (double)seed) + cos(y * 0.05 - (double)seed);
            int edge = (x / 64 + y / 96) % 2 * 40;
            uint8_t *to = pixels + ((size_t)y * SIDE + (size_t)x) * CHANNELS;
            to[0] = (uint8_t)(90 + 25 * wave + edge + grain);
            to[1] = (uint8_t)(110 + 20 * wave + grain);
            to[2] = (uint8_t)(70 + edge + grain);
        }
    }
}

typedef struct work {
    uint8_t *pixels[PICTURES];
    facet_png_effort effort;
    int level;
} work;

static long with_facet(void *user)
{
    const work *w = user;
    facet_image_options how = {0};
    facet_options options = {0};
    long bytes = 0;
    how.png = w->effort;
    options.image = &how;
    for (int i = 0; i < PICTURES; i++) {
        facet_image image = {0};
        facet_output *output = NULL;
        facet_error error;
        image.name = "";
        image.width = image.height = SIDE;
        image.channels = CHANNELS;
        image.pixels = w->pixels[i];
        if (facet_output_open_memory(NULL, &output, &error) ||
            facet_image_encode(&image, "image/png", 0, &options, output, &error))
            return -1;
        bytes += (long)facet_output_size(output);
        facet_output_free(output);
    }
    return bytes;
}

static long with_spng(void *user)
{
    const work *w = user;
    long bytes = 0;
    for (int i = 0; i < PICTURES; i++) {
        spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
        struct spng_ihdr header = {SIDE, SIDE, 8, SPNG_COLOR_TYPE_TRUECOLOR, 0, 0, 0};
        size_t size = 0;
        int code = 0;
        spng_set_ihdr(context, &header);
        spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, w->level);
        spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
        code = spng_encode_image(context, w->pixels[i], (size_t)SIDE * SIDE * CHANNELS,
                                 SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
        void *buffer = code ? NULL : spng_get_png_buffer(context, &size, &code);
        free(buffer);
        spng_ctx_free(context);
        if (code)
            return -1;
        bytes += (long)size;
    }
    return bytes;
}

int main(void)
{
    static work efforts[3], levels[2];
    for (int i = 0; i < PICTURES; i++) {
        uint8_t *pixels = malloc((size_t)SIDE * SIDE * CHANNELS);
        if (!pixels)
            return 1;
        paint(pixels, (uint32_t)i);
        for (int k = 0; k < 3; k++)
            efforts[k].pixels[i] = pixels;
        for (int k = 0; k < 2; k++)
            levels[k].pixels[i] = pixels;
    }
    efforts[0].effort = FACET_PNG_DEFAULT;
    efforts[1].effort = FACET_PNG_FAST;
    efforts[2].effort = FACET_PNG_SMALL;
    levels[0].level = 4;
    levels[1].level = 1;
    bench_job jobs[] = {{.name = "facet", .run = with_facet, .user = &efforts[0]},
                        {.name = "facet, fast", .run = with_facet, .user = &efforts[1]},
                        {.name = "facet, small", .run = with_facet, .user = &efforts[2]},
                        {.name = "libspng, level 4", .run = with_spng, .user = &levels[0]},
                        {.name = "libspng, level 1", .run = with_spng, .user = &levels[1]}};
    bench_compare("20 pictures of 512 x 512 to PNG, one thread", jobs, sizeof jobs / sizeof *jobs,
                  3, (double)PICTURES * SIDE * SIDE * CHANNELS);
    for (size_t i = 0; i < 3; i++)
        printf("  %-40s %8.1f KB\n", jobs[i].name, (double)with_facet(&efforts[i]) / 1e3);
    for (size_t i = 0; i < 2; i++)
        printf("  %-40s %8.1f KB\n", jobs[i + 3].name, (double)with_spng(&levels[i]) / 1e3);
    return 0;
}
