/* image/png_read.c - PNG to pixels, by libspng. The pixels of common files are decompressed by
 * png_plain.c. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "image/image.h"
#include "image/png.h"

#include <stdlib.h>
#include <string.h>
#ifdef FACET_HAVE_PNG
#include <spng.h>

static facet_status fail_png(facet_error *error, const facet_image *image, int code)
{
    if (code == SPNG_EMEM || code == SPNG_EZLIB_INIT)
        return facet_fail_memory(error, image->size);
    return facet_fail(error, FACET_ERROR_MALFORMED, "IMAGE-PNG", FACET_NO_OFFSET, "damaged PNG: %s",
                      spng_strerror(code));
}

/* The format in which libspng decodes with the least widening. */
static enum spng_format png_format(spng_ctx *context, const struct spng_ihdr *header,
                                   uint32_t *channels)
{
    struct spng_trns transparency;
    bool has_transparency = spng_get_trns(context, &transparency) == 0;
    switch (header->color_type) {
    case SPNG_COLOR_TYPE_GRAYSCALE:
        if (header->bit_depth <= 8) {
            *channels = has_transparency ? 2 : 1;
            return has_transparency ? SPNG_FMT_GA8 : SPNG_FMT_G8;
        }
        break;
    case SPNG_COLOR_TYPE_TRUECOLOR:
    case SPNG_COLOR_TYPE_INDEXED:
        if (!has_transparency) {
            *channels = 3;
            return SPNG_FMT_RGB8;
        }
        break;
    default:
        break;
    }
    *channels = 4;
    return SPNG_FMT_RGBA8;
}

/* True if png_plain.c can read the pixels: bytes that need no conversion. The chunks before the
 * pixels are read, so that libspng still reports their damage. */
static bool is_plain(spng_ctx *context, const struct spng_ihdr *header)
{
    struct spng_trns none;
    bool stored = header->color_type == SPNG_COLOR_TYPE_GRAYSCALE ||
                  header->color_type == SPNG_COLOR_TYPE_TRUECOLOR ||
                  header->color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
    return stored && header->bit_depth == 8 && header->interlace_method == 0 &&
           spng_get_trns(context, &none) == SPNG_ECHUNKAVAIL;
}

static facet_status decode_png_context(spng_ctx *context, facet_arena *arena, facet_image *image,
                                       const facet_options *options, facet_error *error)
{
    struct spng_ihdr header;
    int code = spng_set_png_buffer(context, image->data, image->size);
    if (!code)
        code = spng_get_ihdr(context, &header);
    if (code)
        return fail_png(error, image, code);
    uint32_t channels;
    enum spng_format format = png_format(context, &header, &channels);
    TRY(facet_image_allocate(arena, image, header.width, header.height, channels, false,
                             image->size, options, error));
    if (is_plain(context, &header) && facet_png_read_plain(arena, image))
        return FACET_OK;
    code = spng_decode_image(context, image->pixels, facet_image_bytes(image), format,
                             SPNG_DECODE_TRNS);
    if (code)
        return fail_png(error, image, code);
    if (header.bit_depth == 16)
        facet_report_add(options ? options->report : NULL, "IMAGE-DEPTH", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "16-bit samples of image '%s' become 8-bit", image->name);
    bool gray = header.color_type == SPNG_COLOR_TYPE_GRAYSCALE ||
                header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA;
    if (gray && channels == 4) {
        struct spng_trns none;
        bool alpha = header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ||
                     spng_get_trns(context, &none) == 0;
        return facet_image_set_channels(arena, image, alpha ? 2 : 1, error);
    }
    return FACET_OK;
}

/* Text and color profiles are not used, so limit their memory. NULL if out of memory. */
static spng_ctx *create_png_context(void)
{
    spng_ctx *context = spng_ctx_new(0);
    if (context)
        spng_set_chunk_limits(context, (size_t)1 << 20, (size_t)4 << 20);
    return context;
}

static facet_status decode_deep_context(spng_ctx *context, facet_arena *arena, facet_image *deep,
                                        facet_error *error)
{
    enum { CHANNELS = 4, WIDER = 8 }; /* up to 16 bytes a pixel instead of 2 */
    struct spng_ihdr header;
    int code = spng_set_png_buffer(context, deep->data, deep->size);
    if (!code)
        code = spng_get_ihdr(context, &header);
    if (code)
        return fail_png(error, deep, code);
    size_t encoded = deep->size < SIZE_MAX / WIDER ? deep->size * WIDER : SIZE_MAX;
    TRY(facet_image_allocate(arena, deep, header.width, header.height, CHANNELS, true, encoded,
                             NULL, error));
    size_t count = (size_t)header.width * header.height * CHANNELS;
    uint16_t *samples = facet_arena_allocate(arena, count, sizeof *samples);
    if (!samples)
        return facet_fail_arena(arena, error);
    code = spng_decode_image(context, samples, count * sizeof *samples, SPNG_FMT_RGBA16,
                             SPNG_DECODE_TRNS);
    for (size_t i = 0; i < count && !code; i++)
        ((float *)deep->pixels)[i] = (float)(samples[i] / 65535.0);
    facet_arena_release(arena, samples, count, sizeof *samples);
    return code ? fail_png(error, deep, code) : FACET_OK;
}

facet_status facet_image_decode_deep(facet_arena *arena, const facet_image *image,
                                     facet_image *deep, facet_error *error)
{
    spng_ctx *context = create_png_context();
    if (!context)
        return facet_fail_memory(error, image->size);
    *deep = *image;
    deep->pixels = NULL;
    facet_status status = decode_deep_context(context, arena, deep, error);
    spng_ctx_free(context);
    return status;
}

static facet_status try_png(facet_arena *arena, facet_image *image, const facet_options *options,
                            facet_error *error)
{
    spng_ctx *context = create_png_context();
    if (!context)
        return facet_fail_memory(error, image->size);
    facet_status status = decode_png_context(context, arena, image, options, error);
    spng_ctx_free(context);
    return status;
}

/* Decode a PNG. libspng reports a failed allocation of zlib as damage, so decode again in that
 * case. Real damage occurs again. A failed allocation does not, unless memory for zlib's window is
 * still missing. */
facet_status facet_png_decode(facet_arena *arena, facet_image *image, const facet_options *options,
                              facet_error *error)
{
    const size_t zlib_needs = (size_t)64 << 10;
    facet_status status = try_png(arena, image, options, error);
    if (status != FACET_ERROR_MALFORMED)
        return status;
    void *probe = malloc(zlib_needs);
    free(probe);
    if (!probe)
        return facet_fail_memory(error, zlib_needs);
    if (image->pixels)
        facet_arena_release(arena, image->pixels, facet_image_bytes(image), 1);
    image->pixels = NULL;
    return try_png(arena, image, options, error);
}
#else
facet_status facet_png_decode(facet_arena *arena, facet_image *image, const facet_options *options,
                              facet_error *error)
{
    (void)arena, (void)image, (void)options;
    return facet_fail_absent(error, "PNG needs", "libspng", "FACET_PNG");
}

facet_status facet_image_decode_deep(facet_arena *arena, const facet_image *image,
                                     facet_image *deep, facet_error *error)
{
    (void)arena, (void)image, (void)deep;
    return facet_fail_absent(error, "PNG needs", "libspng", "FACET_PNG");
}
#endif

bool facet_image_is_deep(const facet_image *image)
{
    enum { DEPTH = 24 }; /* offset of the bit depth in the first chunk, IHDR */
    return image->data && image->size > DEPTH && image->data[DEPTH] == 16 &&
           memcmp(image->data, "\x89PNG\r\n\x1A\n", 8) == 0;
}
