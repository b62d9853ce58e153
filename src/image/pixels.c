/* image/pixels.c - memory of pixels, their channels, and floats to bytes. */
#include "base/arena.h"
#include "base/budget.h"
#include "base/color.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "image/image.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

/* -- Memory ------------------------------------------------------------- */

/* Maximum number of pixel bytes per encoded byte, and per unit of the growth limit: 2,048. Deflate
 * expands a byte to at most 1032 bytes, and a JPEG needs two bits for a block of 64 samples. Small
 * images are an exception: with one color, a pixel takes one bit in a PNG. */
#define RATIO 128
#define SMALL_BYTES ((size_t)1 << 20) /* 512 x 512 pixels of four channels */

facet_status facet_image_allocate(facet_arena *arena, facet_image *image, uint32_t width,
                                  uint32_t height, uint32_t channels, bool is_float, size_t encoded,
                                  const facet_options *options, facet_error *error)
{
    size_t bytes;
    const uint64_t ratio = facet_budget_of(options, RATIO, 0).most;
    if (width == 0 || height == 0 || width > INT_MAX || height > INT_MAX ||
        !facet_size_multiply(width, height, &bytes) ||
        !facet_size_multiply(bytes, channels * (is_float ? sizeof(float) : 1), &bytes))
        return facet_fail(error, FACET_ERROR_MALFORMED, "IMAGE-SIZE", FACET_NO_OFFSET,
                          "an image of %u x %u pixels", width, height);
    if (encoded > 0 && bytes > SMALL_BYTES && bytes / ratio > encoded)
        return facet_fail(error, FACET_ERROR_LIMIT, "IMAGE-RATIO", FACET_NO_OFFSET,
                          "%zu bytes claim to hold %u x %u pixels, more than %" PRIu64
                          " bytes each",
                          encoded, width, height, ratio);
    void *pixels = facet_arena_allocate(arena, bytes, 1);
    if (!pixels)
        return facet_fail_arena(arena, error);
    if (width != image->width || height != image->height) { /* the old levels belong to the old
                                                               size */
        image->smaller = NULL;
        image->smaller_count = 0;
    }
    image->pixels = pixels;
    image->width = width;
    image->height = height;
    image->channels = channels;
    image->is_float = is_float;
    return FACET_OK;
}

/* -- Channels ----------------------------------------------------------- */

/* Convert a pixel from `from` channels to `to`; `opaque` is the largest value. */
static void convert_pixel(const float *in, uint32_t from, float *out, uint32_t to, float opaque)
{
    bool in_color = from >= 3, out_color = to >= 3;
    float alpha = from % 2 == 0 ? in[from - 1] : opaque;
    if (out_color) {
        for (uint32_t c = 0; c < 3; c++)
            out[c] = in[in_color ? c : 0];
    } else {
        out[0] = in_color ? 0.2126f * in[0] + 0.7152f * in[1] + 0.0722f * in[2] : in[0];
    }
    if (to % 2 == 0)
        out[to - 1] = alpha;
}

/* Add an alpha of 255 to red, green and blue. Pixels are copied with the byte after them, because
 * words are faster than bytes, and by fours, which compilers unroll. */
static void add_alpha(const uint8_t *restrict from, uint8_t *restrict to, size_t count)
{
    static const uint8_t bytes[4] = {0, 0, 0, 255};
    uint32_t alpha, word;
    memcpy(&alpha, bytes, sizeof alpha);
    for (; count > 4; count -= 4, from += 12, to += 16) {
        for (size_t i = 0; i < 4; i++) {
            memcpy(&word, from + i * 3, sizeof word);
            word |= alpha;
            memcpy(to + i * 4, &word, sizeof word);
        }
    }
    for (; count > 0; count--, from += 3, to += 4) {
        memcpy(to, from, 3);
        to[3] = 255;
    }
}

/* Remove alpha, in the same way. */
static void drop_alpha(const uint8_t *restrict from, uint8_t *restrict to, size_t count)
{
    for (; count > 4; count -= 4, from += 16, to += 12) {
        for (size_t i = 0; i < 4; i++)
            memcpy(to + i * 3, from + i * 4, 4);
    }
    for (; count > 0; count--, from += 4, to += 3)
        memcpy(to, from, 3);
}

/* Copy red, green and blue, with a new alpha or none: the most common case. */
static void copy_colors(const uint8_t *from, uint32_t from_channels, uint8_t *to,
                        uint32_t to_channels, size_t count)
{
    if (from_channels == to_channels)
        memcpy(to, from, count * to_channels);
    else if (to_channels == 4)
        add_alpha(from, to, count);
    else
        drop_alpha(from, to, count);
}

facet_status facet_image_with_channels(facet_arena *arena, const facet_image *image,
                                       uint32_t channels, facet_image *made, facet_error *error)
{
    if (channels < 1 || channels > 4 || !image->pixels)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "an image has 1 to 4 channels, not %u", channels);
    *made = *image;
    TRY(facet_image_allocate(arena, made, image->width, image->height, channels, image->is_float, 0,
                             NULL, error));
    size_t count = (size_t)image->width * image->height;
    if (!image->is_float && image->channels >= 3 && channels >= 3) {
        copy_colors(image->pixels, image->channels, made->pixels, channels, count);
        return FACET_OK;
    }
    for (size_t i = 0; i < count; i++) {
        float in[4] = {0}, out[4];
        for (uint32_t c = 0; c < image->channels; c++) {
            size_t at = i * image->channels + c;
            in[c] = image->is_float ? ((const float *)image->pixels)[at]
                                    : (float)((const uint8_t *)image->pixels)[at];
        }
        convert_pixel(in, image->channels, out, channels, image->is_float ? 1 : 255);
        for (uint32_t c = 0; c < channels; c++) {
            if (image->is_float)
                ((float *)made->pixels)[i * channels + c] = out[c];
            else
                ((uint8_t *)made->pixels)[i * channels + c] = (uint8_t)(out[c] + 0.5f);
        }
    }
    return FACET_OK;
}

facet_status facet_image_set_channels(facet_arena *arena, facet_image *image, uint32_t channels,
                                      facet_error *error)
{
    if (channels == image->channels)
        return FACET_OK;
    facet_image made;
    TRY(facet_image_with_channels(arena, image, channels, &made, error));
    facet_arena_release(arena, image->pixels, facet_image_bytes(image), 1);
    *image = made;
    return FACET_OK;
}

/* -- Floats to bytes ---------------------------------------------------- */

uint8_t *facet_image_to_bytes(facet_arena *arena, const facet_image *image, facet_report *report)
{
    size_t count = (size_t)image->width * image->height * image->channels;
    uint8_t *bytes = facet_arena_allocate(arena, count, 1);
    const float *values = image->pixels;
    facet_tally outside = {0};
    for (size_t i = 0; bytes && i < count; i++) {
        bool alpha = image->channels % 2 == 0 && i % image->channels == image->channels - 1;
        float value = values[i];
        if (!(value >= 0 && value <= 1))
            facet_tally_hit(&outside, i);
        bytes[i] = alpha ? (uint8_t)(fminf(fmaxf(value, 0), 1) * 255 + 0.5f)
                         : facet_srgb_byte((double)value);
    }
    facet_report_add_tally(report, "LOSS-PIXELS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &outside,
                           "a value of image '%s' lies outside 0 to 1 and was clamped",
                           image->name);
    return bytes;
}
