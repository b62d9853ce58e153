/* image/encode.c - pixels to PNG, JPEG and Radiance HDR. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "image/image.h"
#include "image/png.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FACET_HAVE_JPEG
#include <turbojpeg.h>
#endif

/* -- JPEG --------------------------------------------------------------- */

#ifdef FACET_HAVE_JPEG
static facet_status encode_jpeg(facet_arena *arena, const facet_image *image, const uint8_t *pixels,
                                int quality, facet_report *report, facet_output *output,
                                facet_error *error)
{
    facet_image plain = *image;
    plain.pixels = (void *)(uintptr_t)pixels;
    plain.is_float = false;
    if (image->channels % 2 == 0) {
        facet_report_add(report, "LOSS-PIXELS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "JPEG has no alpha: that of image '%s' is dropped", image->name);
        facet_image opaque;
        facet_status status =
            facet_image_with_channels(arena, &plain, image->channels - 1, &opaque, error);
        if (status)
            return status;
        plain = opaque;
    }
    tjhandle handle = tjInitCompress();
    if (!handle)
        return facet_fail_memory(error, facet_image_bytes(image));
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    bool gray = plain.channels == 1;
    int failed = tjCompress2(handle, plain.pixels, (int)image->width, 0, (int)image->height,
                             gray ? TJPF_GRAY : TJPF_RGB, &bytes, &size,
                             gray ? TJSAMP_GRAY : TJSAMP_444, quality > 0 ? quality : 92, 0);
    facet_status status = FACET_OK;
    const char *said = failed ? tjGetErrorStr2(handle) : "";
    if (strstr(said, "emory")) /* "Insufficient memory (case 4)", "Memory allocation failure" */
        status = facet_fail_memory(error, facet_image_bytes(image));
    else if (failed)
        status = facet_fail(error, FACET_ERROR_LIMIT, "IMAGE-JPEG", FACET_NO_OFFSET,
                            "cannot write the JPEG: %s", said);
    else
        facet_output_write(output, bytes, size);
    tjFree(bytes);
    tjDestroy(handle);
    return status;
}
#else
static facet_status encode_jpeg(facet_arena *arena, const facet_image *image, const uint8_t *pixels,
                                int quality, facet_report *report, facet_output *output,
                                facet_error *error)
{
    (void)arena, (void)image, (void)pixels, (void)quality, (void)report, (void)output;
    return facet_fail_absent(error, "JPEG needs", "libturbojpeg", "FACET_JPEG");
}
#endif

/* -- Radiance HDR ------------------------------------------------------- */

/* Convert to three mantissas with a shared exponent. Source: G. Ward, "Real Pixels" (Graphics Gems
 * II, 1991); the range goes up to 2^127. Negative values and NaN become 0. */
static void to_shared_exponent(const float color[3], uint8_t pixel[4])
{
    const float top = 0x1.FEp126F, least = 1e-32F;
    float held[3], most = 0;
    int exponent;
    for (int k = 0; k < 3; k++) {
        held[k] = color[k] > top ? top : color[k] > 0 ? color[k] : 0;
        most = held[k] > most ? held[k] : most;
    }
    memset(pixel, 0, 4);
    if (most < least)
        return;
    float scale = frexpf(most, &exponent) * 256 / most;
    for (int k = 0; k < 3; k++) {
        float mantissa = held[k] * scale;
        pixel[k] = mantissa < 255 ? (uint8_t)mantissa : 255;
    }
    pixel[3] = (uint8_t)(exponent + 128);
}

/* Write a row. Gray fills three channels; alpha is dropped. */
static void put_row(const facet_image *image, uint32_t row, uint8_t *pixels)
{
    uint32_t channels = image->channels;
    for (uint32_t x = 0; x < image->width; x++) {
        size_t at = ((size_t)row * image->width + x) * channels;
        float color[3];
        for (uint32_t k = 0; k < 3; k++) {
            size_t from = at + (channels > 2 ? k : 0);
            color[k] = image->is_float ? ((const float *)image->pixels)[from]
                                       : (float)((const uint8_t *)image->pixels)[from] / 255;
        }
        to_shared_exponent(color, pixels + (size_t)x * 4);
    }
}

/* Write a row, channel by channel. A byte above 128 repeats the next byte; a smaller one is the
 * number of literal bytes. */
static void write_row(const uint8_t *pixels, uint32_t width, facet_output *output)
{
    const uint8_t head[4] = {2, 2, (uint8_t)(width >> 8), (uint8_t)width};
    facet_output_write(output, head, sizeof head);
    for (uint32_t channel = 0; channel < 4; channel++) {
        const uint8_t *at = pixels + channel;
        for (uint32_t x = 0, run; x < width; x += run) {
            uint8_t packet[129];
            for (run = 1; run < 127 && x + run < width && at[(x + run) * 4] == at[x * 4];)
                run++;
            packet[0] = (uint8_t)(128 + run);
            packet[1] = at[x * 4];
            if (run < 3) { /* literal bytes, up to the next three equal ones */
                for (run = 0; run < 128 && x + run < width; run++) {
                    const uint8_t *next = at + (size_t)(x + run) * 4;
                    if (run > 0 && x + run + 2 < width && next[0] == next[4] && next[0] == next[8])
                        break;
                    packet[1 + run] = *next;
                }
                packet[0] = (uint8_t)run;
            }
            facet_output_write(output, packet, packet[0] > 128 ? 2 : run + 1);
        }
    }
}

static facet_status encode_hdr(facet_arena *arena, const facet_image *image, facet_output *output,
                               facet_error *error)
{
    enum {
        MIN_RUN_WIDTH = 8,
        MAX_RUN_WIDTH = 32767
    }; /* widths that the run-length format permits */
    uint8_t *pixels = facet_arena_allocate(arena, image->width, 4);
    char head[96];
    if (!pixels)
        return facet_fail_arena(arena, error);
    int length = snprintf(head, sizeof head,
                          "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %" PRIu32 " +X %" PRIu32 "\n",
                          image->height, image->width);
    facet_output_write(output, head, (size_t)length);
    for (uint32_t row = 0; row < image->height; row++) {
        put_row(image, row, pixels);
        if (image->width >= MIN_RUN_WIDTH && image->width <= MAX_RUN_WIDTH)
            write_row(pixels, image->width, output);
        else
            facet_output_write(output, pixels, (size_t)image->width * 4);
    }
    return FACET_OK;
}

/* -- Encoding ----------------------------------------------------------- */

facet_status facet_image_encode(const facet_image *image, const char *media_type, int quality,
                                const facet_options *options, facet_output *output,
                                facet_error *error)
{
    if (!image->pixels || image->channels < 1 || image->channels > 4)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "image '%s' has no pixels to write", image->name);
    facet_report *report = options ? options->report : NULL;
    const facet_image_options *how = options ? options->image : NULL;
    facet_arena *scratch = NULL;
    facet_status status = FACET_OK;
    status = FACET_CHECK_STRUCT(how, facet_image_options, error);
    if (!status)
        status = facet_arena_create(options, &scratch, error);
    if (status)
        return status;
    if (strcmp(media_type, "image/vnd.radiance") == 0) {
        status = encode_hdr(scratch, image, output, error);
    } else {
        const uint8_t *pixels =
            image->is_float ? facet_image_to_bytes(scratch, image, report) : image->pixels;
        if (!pixels)
            status = facet_fail_arena(scratch, error);
        else if (strcmp(media_type, "image/png") == 0)
            status = facet_png_encode(image, pixels, how ? how->png : FACET_PNG_DEFAULT, scratch,
                                      output, error);
        else if (strcmp(media_type, "image/jpeg") == 0)
            status = encode_jpeg(scratch, image, pixels, quality, report, output, error);
        else
            status = facet_fail(error, FACET_ERROR_UNSUPPORTED, NULL, FACET_NO_OFFSET,
                                "images cannot be written as %s", media_type);
    }
    facet_arena_free(scratch);
    return status;
}
