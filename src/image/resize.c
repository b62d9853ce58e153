/* image/resize.c - channels, sizes, mip levels. */
#include "base/arena.h"
#include "base/error.h"
#include "image/image.h"

#include <stb/stb_image_resize.h>
#include <string.h>

#define MOST_SIDE 16384

/* -- Channels ----------------------------------------------------------- */

/* One pixel from `from` channels to `to`, as numbers of 0 to `opaque`. */
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

/* Red, green and blue of bytes, with another alpha or none: what most images want. */
static void copy_colors(const uint8_t *from, uint32_t from_channels, uint8_t *to,
                        uint32_t to_channels, size_t count)
{
    for (size_t i = 0; i < count; i++, from += from_channels, to += to_channels) {
        to[0] = from[0];
        to[1] = from[1];
        to[2] = from[2];
        if (to_channels == 4)
            to[3] = from_channels == 4 ? from[3] : 255;
    }
}

facet_status facet_image_with_channels(facet_arena *arena, const facet_image *image,
                                       uint32_t channels, facet_image *made, facet_error *error)
{
    if (channels < 1 || channels > 4 || !image->pixels)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "an image has 1 to 4 channels, not %u", channels);
    *made = *image;
    facet_status status = facet_image_allocate(arena, made, image->width, image->height, channels,
                                               image->is_float, 0, error);
    if (status)
        return status;
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
    facet_status status = facet_image_with_channels(arena, image, channels, &made, error);
    if (status)
        return status;
    facet_arena_release(arena, image->pixels, facet_image_bytes(image), 1);
    *image = made;
    return FACET_OK;
}

/* -- Sizes -------------------------------------------------------------- */

/* Fill `to`, whose pixels are there, from `from`. */
static bool resample(const facet_image *from, facet_image *to, bool srgb)
{
    int channels = (int)from->channels;
    int alpha = channels % 2 == 0 ? channels - 1 : STBIR_ALPHA_CHANNEL_NONE;
    stbir_datatype type = from->is_float ? STBIR_TYPE_FLOAT : STBIR_TYPE_UINT8;
    stbir_colorspace space =
        srgb && !from->is_float ? STBIR_COLORSPACE_SRGB : STBIR_COLORSPACE_LINEAR;
    return stbir_resize(from->pixels, (int)from->width, (int)from->height, 0, to->pixels,
                        (int)to->width, (int)to->height, 0, type, channels, alpha, 0,
                        STBIR_EDGE_CLAMP, STBIR_EDGE_CLAMP, STBIR_FILTER_DEFAULT,
                        STBIR_FILTER_DEFAULT, space, NULL) != 0;
}

facet_status facet_image_with_size(facet_arena *arena, const facet_image *image, uint32_t width,
                                   uint32_t height, bool srgb, facet_image *made,
                                   facet_error *error)
{
    if (width < 1 || height < 1 || width > MOST_SIDE || height > MOST_SIDE || !image->pixels)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "%u x %u is no size to resample to: each side is 1 to %d pixels", width,
                          height, MOST_SIDE);
    *made = *image;
    facet_status status = facet_image_allocate(arena, made, width, height, image->channels,
                                               image->is_float, 0, error);
    if (!status && !resample(image, made, srgb))
        status = facet_fail_memory(error, facet_image_bytes(made));
    return status;
}

facet_status facet_image_resize(facet_arena *arena, facet_image *image, uint32_t width,
                                uint32_t height, bool srgb, facet_error *error)
{
    if (width == image->width && height == image->height)
        return FACET_OK;
    facet_image made;
    facet_status status = facet_image_with_size(arena, image, width, height, srgb, &made, error);
    if (status)
        return status;
    facet_arena_release(arena, image->pixels, facet_image_bytes(image), 1);
    *image = made;
    return FACET_OK;
}

uint32_t facet_image_nearest_power_of_two(uint32_t size)
{
    uint32_t below = 1;
    while (below <= size / 2)
        below *= 2;
    return size > below && size - below >= below - (size - below) && below <= UINT32_MAX / 2
               ? below * 2
               : below;
}

/* -- Mip levels --------------------------------------------------------- */

uint32_t facet_image_mip_count(uint32_t width, uint32_t height)
{
    uint32_t side = width > height ? width : height, count = 1;
    while (side > 1) {
        side /= 2;
        count++;
    }
    return count;
}

facet_status facet_image_next_mip(facet_arena *arena, const facet_image *image, bool srgb,
                                  facet_image *mip, facet_error *error)
{
    uint32_t width = image->width > 1 ? image->width / 2 : 1;
    uint32_t height = image->height > 1 ? image->height / 2 : 1;
    facet_image made;
    facet_status status = facet_image_with_size(arena, image, width, height, srgb, &made, error);
    if (status)
        return status;
    made.data = NULL;
    made.size = 0;
    *mip = made;
    return FACET_OK;
}
