/* image/resize.c - resizing and mip levels. */
#include "base/arena.h"
#include "base/error.h"
#include "image/image.h"

#ifdef FACET_HAVE_STB
#include <stb/stb_image_resize.h>
#endif

#define MAX_SIDE 16384

/* -- Sizes -------------------------------------------------------------- */

#ifdef FACET_HAVE_STB
/* Resample `from` into `to`, which has its size and pixels. */
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
#endif

facet_status facet_image_with_size(facet_arena *arena, const facet_image *image, uint32_t width,
                                   uint32_t height, bool srgb, facet_image *made,
                                   facet_error *error)
{
    if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE || !image->pixels)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "%u x %u is not a valid size: each side is 1 to %d pixels", width, height,
                          MAX_SIDE);
    *made = *image;
#ifdef FACET_HAVE_STB
    TRY(facet_image_allocate(arena, made, width, height, image->channels, image->is_float, 0, NULL,
                             error));
    if (!resample(image, made, srgb))
        TRY(facet_fail_memory(error, facet_image_bytes(made)));
    return FACET_OK;
#else
    (void)arena, (void)srgb;
    return facet_fail_absent(error, "resampling images needs", "stb", "FACET_STB");
#endif
}

facet_status facet_image_resize(facet_arena *arena, facet_image *image, uint32_t width,
                                uint32_t height, bool srgb, facet_error *error)
{
    if (width == image->width && height == image->height)
        return FACET_OK;
    facet_image made;
    TRY(facet_image_with_size(arena, image, width, height, srgb, &made, error));
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
    TRY(facet_image_with_size(arena, image, width, height, srgb, &made, error));
    made.data = NULL;
    made.size = 0;
    *mip = made;
    return FACET_OK;
}
