/* image/encode.c - from pixels to PNG, JPEG and Radiance HDR. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "image/image.h"
#include "image/png.h"

#include <stdlib.h>
#include <string.h>
#ifdef FACET_HAVE_STB
#include <stb/stb_image_write.h>
#endif
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
    if (failed)
        status = facet_fail(error, FACET_ERROR_LIMIT, "IMAGE-JPEG", FACET_NO_OFFSET,
                            "the JPEG could not be made: %s", tjGetErrorStr2(handle));
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
    return facet_fail_absent(error, "JPEG takes", "libturbojpeg", "FACET_JPEG");
}
#endif

/* -- Radiance HDR ------------------------------------------------------- */

#ifdef FACET_HAVE_STB
static void write_hdr(void *user, void *data, int length)
{
    facet_output_write(user, data, (size_t)length);
}

static facet_status encode_hdr(facet_arena *arena, const facet_image *image, facet_output *output,
                               facet_error *error)
{
    const float *values = image->pixels;
    if (!image->is_float) {
        size_t count = facet_image_bytes(image);
        float *made = facet_arena_allocate(arena, count, sizeof *made);
        if (!made)
            return facet_fail_arena(arena, error);
        for (size_t i = 0; i < count; i++)
            made[i] = (float)((const uint8_t *)image->pixels)[i] / 255;
        values = made;
    }
    if (!stbi_write_hdr_to_func(write_hdr, output, (int)image->width, (int)image->height,
                                (int)image->channels, values))
        return facet_fail_arena(arena, error);
    return FACET_OK;
}
#else
static facet_status encode_hdr(facet_arena *arena, const facet_image *image, facet_output *output,
                               facet_error *error)
{
    (void)arena, (void)image, (void)output;
    return facet_fail_absent(error, "HDR takes", "stb", "FACET_STB");
}
#endif

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
