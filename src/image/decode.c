/* image/decode.c - encoded bytes to pixels. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "image/image.h"
#include "image/png.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef FACET_HAVE_STB
#include <stb/stb_image.h>
#endif
#ifdef FACET_HAVE_JPEG
#include <turbojpeg.h>
#endif
#ifdef FACET_HAVE_WEBP
#include <webp/decode.h>
#endif

/* -- Detection ---------------------------------------------------------- */

/* True for a TGA. It has no magic number, but its header permits few values. */
static bool is_targa(const uint8_t *data, size_t size)
{
    if (size < 18)
        return false;
    uint8_t map = data[1], type = data[2] & 0xF7u, depth = data[16];
    bool types = type == 1 || type == 2 || type == 3;
    bool depths = depth == 8 || depth == 15 || depth == 16 || depth == 24 || depth == 32;
    return map <= 1 && (map == 1) == (type == 1) && types && (data[2] & 0xF4u) == 0 && depths &&
           facet_load_u16le(data + 12) > 0 && facet_load_u16le(data + 14) > 0 &&
           (data[17] & 0xC0) == 0;
}

static bool begins(const uint8_t *data, size_t size, const char *magic, size_t length)
{
    return size >= length && memcmp(data, magic, length) == 0;
}

/* True for an AVIF: a box "ftyp" with its brand (ISO 14496-12, 4.3). */
static bool is_avif(const uint8_t *data, size_t size)
{
    return size >= 12 && memcmp(data + 4, "ftyp", 4) == 0 &&
           (memcmp(data + 8, "avif", 4) == 0 || memcmp(data + 8, "avis", 4) == 0);
}

/* True for a BMP. Two letters are not enough, so the size of the following header must be a known
 * one. */
static bool is_bitmap(const uint8_t *data, size_t size)
{
    static const uint8_t sizes[] = {12, 16, 40, 52, 56, 64, 108, 124};
    return begins(data, size, "BM", 2) && size >= 26 && data[15] == 0 && data[16] == 0 &&
           data[17] == 0 && memchr(sizes, data[14], sizeof sizes);
}

const char *facet_image_media_type(const uint8_t *data, size_t size)
{
    if (begins(data, size, "\x89PNG\r\n\x1A\n", 8))
        return "image/png";
    if (begins(data, size, "\xFF\xD8\xFF", 3))
        return "image/jpeg";
    if (begins(data, size, "8BPS", 4))
        return "image/vnd.adobe.photoshop";
    if (begins(data, size, "#?RADIANCE\n", 11) || begins(data, size, "#?RGBE\n", 7))
        return "image/vnd.radiance";
    if (begins(data, size, "RIFF", 4) && size >= 12 && memcmp(data + 8, "WEBP", 4) == 0)
        return "image/webp";
    if (is_avif(data, size))
        return "image/avif";
    if (begins(data, size, "\xABKTX 20\xBB\r\n\x1A\n", 12))
        return "image/ktx2";
    if (begins(data, size, "DDS |\0\0\0", 8))
        return "image/vnd-ms.dds";
    if (is_bitmap(data, size))
        return "image/bmp";
    return is_targa(data, size) ? "image/x-tga" : "";
}

/* -- JPEG --------------------------------------------------------------- */

#ifdef FACET_HAVE_JPEG
static facet_status fail_jpeg(tjhandle handle, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "IMAGE-JPEG", FACET_NO_OFFSET,
                      "damaged JPEG: %s", tjGetErrorStr2(handle));
}

/* Convert inverted CMYK, which all writers store, to RGB. */
static void cmyk_to_rgb(facet_image *image)
{
    uint8_t *pixels = image->pixels;
    size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++) {
        unsigned black = pixels[i * 4 + 3];
        for (size_t c = 0; c < 3; c++)
            pixels[i * 4 + c] = (uint8_t)((pixels[i * 4 + c] * black + 127) / 255);
        pixels[i * 4 + 3] = 255;
    }
}

static facet_status decode_jpeg_handle(tjhandle handle, facet_arena *arena, facet_image *image,
                                       const facet_options *options, facet_error *error)
{
    int width = 0, height = 0, subsampling, space = TJCS_RGB;
    if (image->size > ULONG_MAX ||
        tjDecompressHeader3(handle, image->data, (unsigned long)image->size, &width, &height,
                            &subsampling, &space) != 0)
        return fail_jpeg(handle, error);
    if (width == 0 || height == 0) /* only tables, which libjpeg-turbo reports as a header */
        return facet_fail(error, FACET_ERROR_MALFORMED, "IMAGE-JPEG", FACET_NO_OFFSET,
                          "damaged JPEG: it has no image");
    bool four = space == TJCS_CMYK || space == TJCS_YCCK;
    uint32_t channels = space == TJCS_GRAY ? 1 : four ? 4 : 3;
    int format = channels == 1 ? TJPF_GRAY : four ? TJPF_CMYK : TJPF_RGB;
    TRY(facet_image_allocate(arena, image, (uint32_t)width, (uint32_t)height, channels, false,
                             image->size, options, error));
    if (tjDecompress2(handle, image->data, (unsigned long)image->size, image->pixels, width, 0,
                      height, format, TJFLAG_LIMITSCANS) != 0) {
        if (tjGetErrorCode(handle) != TJERR_WARNING)
            return fail_jpeg(handle, error);
        facet_report_add(options ? options->report : NULL, "IMAGE-JPEG", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "image '%s' is damaged: %s", image->name,
                         tjGetErrorStr2(handle));
    }
    if (!four)
        return FACET_OK;
    cmyk_to_rgb(image);
    return facet_image_set_channels(arena, image, 3, error);
}

static facet_status decode_jpeg(facet_arena *arena, facet_image *image,
                                const facet_options *options, facet_error *error)
{
    tjhandle handle = tjInitDecompress();
    if (!handle)
        return facet_fail_memory(error, image->size);
    facet_status status = decode_jpeg_handle(handle, arena, image, options, error);
    tjDestroy(handle);
    return status;
}
#else
static facet_status decode_jpeg(facet_arena *arena, facet_image *image,
                                const facet_options *options, facet_error *error)
{
    (void)arena, (void)image, (void)options;
    return facet_fail_absent(error, "JPEG needs", "libturbojpeg", "FACET_JPEG");
}
#endif

/* -- WebP --------------------------------------------------------------- */

#ifdef FACET_HAVE_WEBP
static facet_status fail_webp(const facet_image *image, VP8StatusCode code, facet_error *error)
{
    if (code == VP8_STATUS_OUT_OF_MEMORY)
        return facet_fail_memory(error, image->size);
    return facet_fail(
        error, FACET_ERROR_MALFORMED, "IMAGE-WEBP", FACET_NO_OFFSET, "damaged WebP: %s",
        code == VP8_STATUS_NOT_ENOUGH_DATA       ? "it is truncated"
        : code == VP8_STATUS_UNSUPPORTED_FEATURE ? "it has a feature that libwebp does not decode"
                                                 : "its bytes are damaged");
}

/* An image of one color has about 40 bytes at any size. So add this many bytes to the limit of the
 * ratio: 512 x 512 pixels of one color are permitted. */
#define PLAIN_WEBP 512

static facet_status decode_webp(facet_arena *arena, facet_image *image,
                                const facet_options *options, facet_error *error)
{
    WebPBitstreamFeatures features;
    VP8StatusCode code = WebPGetFeatures(image->data, image->size, &features);
    if (code != VP8_STATUS_OK)
        return fail_webp(image, code, error);
    if (features.has_animation)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "IMAGE-UNSUPPORTED", FACET_NO_OFFSET,
                          "image '%s' is an animated WebP, which is not decoded", image->name);
    uint32_t channels = features.has_alpha ? 4 : 3;
    TRY(facet_image_allocate(arena, image, (uint32_t)features.width, (uint32_t)features.height,
                             channels, false, image->size + PLAIN_WEBP, options, error));
    size_t size = facet_image_bytes(image);
    int stride = features.width * (int)channels; /* at most 16,383 * 4 */
    uint8_t *decoded =
        features.has_alpha
            ? WebPDecodeRGBAInto(image->data, image->size, image->pixels, size, stride)
            : WebPDecodeRGBInto(image->data, image->size, image->pixels, size, stride);
    return decoded ? FACET_OK : fail_webp(image, VP8_STATUS_BITSTREAM_ERROR, error);
}
#endif

/* -- Other formats ------------------------------------------------------ */

/* The name of a format that is recognized but not decoded; NULL for others. */
static const char *undecoded(const char *type)
{
    static const char *const names[][2] = {
#ifndef FACET_HAVE_WEBP
        {"image/webp", "WebP"},
#endif
        {"image/avif", "AVIF"},
        {"image/ktx2", "KTX2"},
        {"image/vnd-ms.dds", "DDS"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(type, names[i][0]) == 0)
            return names[i][1];
    }
    return NULL;
}

#ifdef FACET_HAVE_STB
static facet_status fail_stb(facet_error *error, const char *type)
{
    /* stb_image stores its reason in a thread-local variable; the last call set it. */
    const char *reason = stbi_failure_reason();
    return facet_fail(error, FACET_ERROR_MALFORMED, "IMAGE-DAMAGED", FACET_NO_OFFSET,
                      "not a whole %s: %s", type + strlen("image/"),
                      reason ? reason : "unknown reason");
}

static facet_status decode_stb(facet_arena *arena, facet_image *image, const char *type,
                               const facet_options *options, facet_error *error)
{
    int width, height, channels;
    bool is_float = strcmp(type, "image/vnd.radiance") == 0;
    if (image->size > INT_MAX ||
        !stbi_info_from_memory(image->data, (int)image->size, &width, &height, &channels))
        return fail_stb(error, type);
    TRY(facet_image_allocate(arena, image, (uint32_t)width, (uint32_t)height, (uint32_t)channels,
                             is_float, image->size, options, error));
    void *decoded = is_float
                        ? (void *)stbi_loadf_from_memory(image->data, (int)image->size, &width,
                                                         &height, &channels, (int)image->channels)
                        : (void *)stbi_load_from_memory(image->data, (int)image->size, &width,
                                                        &height, &channels, (int)image->channels);
    if (!decoded || (uint32_t)width != image->width || (uint32_t)height != image->height) {
        stbi_image_free(decoded);
        return fail_stb(error, type);
    }
    memcpy(image->pixels, decoded, facet_image_bytes(image));
    stbi_image_free(decoded);
    return FACET_OK;
}
#else
static facet_status decode_stb(facet_arena *arena, facet_image *image, const char *type,
                               const facet_options *options, facet_error *error)
{
    (void)arena, (void)image, (void)type, (void)options;
    return facet_fail_absent(error, "TGA, BMP, PSD and HDR need", "stb", "FACET_STB");
}
#endif

/* -- Decoding ----------------------------------------------------------- */

facet_status facet_image_decode(facet_arena *arena, facet_image *image,
                                const facet_options *options, facet_error *error)
{
    if (image->pixels)
        return FACET_OK;
    const char *type = image->data ? facet_image_media_type(image->data, image->size) : "";
    facet_image decoded = *image; /* a failure leaves the image unchanged */
    facet_status status;
    if (strcmp(type, "image/png") == 0)
        status = facet_png_decode(arena, &decoded, options, error);
    else if (strcmp(type, "image/jpeg") == 0)
        status = decode_jpeg(arena, &decoded, options, error);
#ifdef FACET_HAVE_WEBP
    else if (strcmp(type, "image/webp") == 0)
        status = decode_webp(arena, &decoded, options, error);
#endif
    else if (undecoded(type))
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "IMAGE-UNSUPPORTED", FACET_NO_OFFSET,
                          "image '%s' is %s, which this build does not decode", image->name,
                          undecoded(type));
    else if (*type)
        status = decode_stb(arena, &decoded, type, options, error);
    else
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "IMAGE-UNKNOWN", 0,
                          "image '%s' is not a PNG, JPEG, WebP, TGA, BMP, PSD or HDR", image->name);
    if (status)
        facet_arena_release(arena, decoded.pixels, decoded.pixels ? facet_image_bytes(&decoded) : 0,
                            1);
    else
        *image = decoded;
    return status;
}
