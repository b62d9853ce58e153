/* image/png_plain.c - the pixels of common PNG files, by libdeflate: a faster twin of libspng's
 * decoder. A PNG of 1,024 x 1,024 takes half of the instructions. A picture of a model with four of
 * them is 1.4 times as fast: 180 ms instead of 250 ms of user time.
 *
 * Specification: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)", 9 and 10.
 * Anything unusual is left to libspng. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/crc32.h"
#include "base/processor.h"
#include "base/size.h"
#include "image/image.h"
#include "image/png.h"

#include <string.h>
#ifdef FACET_HAVE_DEFLATE
#include <libdeflate.h>

/* -- Filters ------------------------------------------------------------ */

/* Bytes of a pixel. They are computed at once in a word, whose bytes do not carry into each other.
 * The fourth byte of pixels with three belongs to the next pixel; it is ignored. */
typedef uint32_t pixel;

static FACET_ALWAYS_INLINE pixel load_pixel(const uint8_t *from, size_t step)
{
    pixel loaded = 0;
    memcpy(&loaded, from, step == 3 ? 4 : step);
    return loaded;
}

/* Sums of the bytes modulo 256. */
static FACET_ALWAYS_INLINE pixel add_bytes(pixel a, pixel b)
{
    return ((a & 0x7F7F7F7F) + (b & 0x7F7F7F7F)) ^ ((a ^ b) & 0x80808080);
}

/* Means of the bytes, rounded down. */
static FACET_ALWAYS_INLINE pixel mean_bytes(pixel a, pixel b)
{
    return (a & b) + ((a ^ b) >> 1 & 0x7F7F7F7F);
}

/* Paeth's predictor of one byte: the one of a, b, c that is closest to a + b - c. */
static FACET_ALWAYS_INLINE int predict(int a, int b, int c)
{
    int from_a = b - c, from_b = a - c, from_c = from_a + from_b;
    from_a = from_a < 0 ? -from_a : from_a;
    from_b = from_b < 0 ? -from_b : from_b;
    from_c = from_c < 0 ? -from_c : from_c;
    int guess = from_b < from_a ? b : a;
    int least = from_b < from_a ? from_b : from_a;
    return from_c < least ? c : guess;
}

static FACET_ALWAYS_INLINE pixel predict_bytes(pixel a, pixel b, pixel c, size_t step)
{
    pixel predicted = 0;
    uint8_t left[4], above[4], corner[4], guess[4] = {0};
    memcpy(left, &a, 4), memcpy(above, &b, 4), memcpy(corner, &c, 4);
    for (size_t i = 0; i < step; i++)
        guess[i] = (uint8_t)predict(left[i], above[i], corner[i]);
    memcpy(&predicted, guess, 4);
    return predicted;
}

enum { NONE, LEFT, ABOVE, MEAN, PAETH, FILTERS };

/* Undo a filter that depends on the left pixel. All rows have readable bytes after them. Writes
 * past a pixel, except the last one, are overwritten by the next. */
static FACET_ALWAYS_INLINE void undo(int filter, const uint8_t *from, const uint8_t *above,
                                     size_t width, size_t step, uint8_t *to)
{
    pixel a = 0, c = 0;
    for (size_t i = 0; i < width; i++, from += step, above += step, to += step) {
        pixel x = load_pixel(from, step), b = filter == LEFT ? 0 : load_pixel(above, step);
        a = add_bytes(x, filter == LEFT   ? a
                         : filter == MEAN ? mean_bytes(a, b)
                                          : predict_bytes(a, b, c, step));
        c = b;
        memcpy(to, &a, step == 3 && i + 1 < width ? 4 : step);
    }
}

static FACET_ALWAYS_INLINE void undo_row(int filter, const uint8_t *from, const uint8_t *above,
                                         size_t width, size_t step, uint8_t *to)
{
    switch (filter) {
    case LEFT:
        undo(LEFT, from, above, width, step, to);
        break;
    case ABOVE:
        for (size_t i = 0; i < width * step; i++)
            to[i] = (uint8_t)(from[i] + above[i]);
        break;
    case MEAN:
        undo(MEAN, from, above, width, step, to);
        break;
    case PAETH:
        undo(PAETH, from, above, width, step, to);
        break;
    default:
        memcpy(to, from, width * step);
        break;
    }
}

/* -- Rows --------------------------------------------------------------- */

/* Undo the filters of all rows. `zeros` is the row above the first. False for an unknown filter. */
static bool undo_rows(const facet_image *image, const uint8_t *from, const uint8_t *zeros)
{
    size_t width = image->width, size = width * image->channels;
    uint8_t *to = image->pixels;
    const uint8_t *above = zeros;
    for (uint32_t y = 0; y < image->height; y++, from += size + 1, above = to, to += size) {
        int filter = from[0];
        if (filter >= FILTERS)
            return false;
        if (image->channels == 1)
            undo_row(filter, from + 1, above, width, 1, to);
        else if (image->channels == 3)
            undo_row(filter, from + 1, above, width, 3, to);
        else
            undo_row(filter, from + 1, above, width, 4, to);
    }
    return true;
}

/* -- Chunks ------------------------------------------------------------- */

/* The compressed pixels: `count` bytes in one chunk or several. */
typedef struct packed {
    const uint8_t *chunk; /* the first chunk */
    size_t chunks, count;
} packed;

enum { CHUNK_HEAD = 8, CHUNK_FRAME = 12 }; /* length and type; with the CRC */

static bool is_pixels(const uint8_t *chunk)
{
    return memcmp(chunk + 4, "IDAT", 4) == 0;
}

/* Find the chunks of pixels, and check their CRCs. False if damaged or cut. */
static bool find_packed(const uint8_t *data, size_t size, packed *found)
{
    size_t at = 8; /* after the signature */
    *found = (packed){NULL, 0, 0};
    while (size - at >= CHUNK_FRAME) {
        const uint8_t *chunk = data + at;
        uint32_t length = facet_load_u32be(chunk);
        if (length > size - at - CHUNK_FRAME)
            return false;
        if (!is_pixels(chunk) && found->chunk)
            return true;
        if (is_pixels(chunk)) {
            const uint8_t *check = chunk + CHUNK_HEAD + length;
            if (length == 0 ||
                facet_crc32(0, chunk + 4, (size_t)length + 4) != facet_load_u32be(check))
                return false;
            found->chunk = found->chunk ? found->chunk : chunk;
            found->chunks++;
            found->count += length;
        }
        at += CHUNK_FRAME + length;
    }
    return false;
}

/* Join the chunks into `to`. */
static void join_chunks(const packed *from, uint8_t *to)
{
    const uint8_t *chunk = from->chunk;
    for (size_t i = 0; i < from->chunks; i++) {
        uint32_t length = facet_load_u32be(chunk);
        memcpy(to, chunk + CHUNK_HEAD, length);
        to += length;
        chunk += CHUNK_FRAME + length;
    }
}

/* Decompress exactly `size` bytes of rows from all packed bytes. */
static bool decompress(const uint8_t *data, size_t count, uint8_t *rows, size_t size)
{
    size_t used = 0;
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    bool done = decompressor && libdeflate_zlib_decompress_ex(decompressor, data, count, rows, size,
                                                              &used, NULL) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(decompressor);
    return done && used == count;
}

bool facet_png_read_plain(facet_arena *arena, const facet_image *image)
{
    packed from;
    size_t row = (size_t)image->width * image->channels, size = 0;
    if (!find_packed(image->data, image->size, &from) ||
        !facet_size_multiply(row + 1, image->height, &size) || size > SIZE_MAX - 1)
        return false;
    /* One byte after the last row and the row of zeros, because pixels are read as words. */
    uint8_t *rows = facet_arena_allocate(arena, size + 1, 1);
    uint8_t *zeros = facet_arena_allocate_zeroed(arena, row + 1, 1);
    uint8_t *joined = from.chunks > 1 ? facet_arena_allocate(arena, from.count, 1) : NULL;
    bool done = rows && zeros && (joined || from.chunks == 1);
    if (!done)
        facet_arena_forget_failure(arena); /* libspng needs less */
    if (done) {
        rows[size] = 0;
        if (joined)
            join_chunks(&from, joined);
        done = decompress(joined ? joined : from.chunk + CHUNK_HEAD, from.count, rows, size) &&
               undo_rows(image, rows, zeros);
    }
    facet_arena_release(arena, joined, from.count, 1);
    facet_arena_release(arena, zeros, row + 1, 1);
    facet_arena_release(arena, rows, size + 1, 1);
    return done;
}
#else
bool facet_png_read_plain(facet_arena *arena, const facet_image *image)
{
    (void)arena, (void)image;
    return false;
}
#endif
