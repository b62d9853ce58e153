/* image/png_write.c - pixels to PNG. libdeflate packs as tightly as zlib in a
 * third of the time. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "image/image.h"

#include <libdeflate.h>
#include <stdlib.h>

#define LEVEL 6
/* A chunk tells its length in 31 bits. */
#define MOST_CHUNK ((size_t)1 << 30)

/* -- Filters ------------------------------------------------------------ */

enum { NONE, SUB, UP, AVERAGE, PAETH, FILTER_COUNT };

/* Of left, above and above left the one that is nearest to their gradient. */
static inline uint8_t paeth(uint8_t left, uint8_t above, uint8_t corner)
{
    int16_t a = (int16_t)(above - corner), b = (int16_t)(left - corner);
    int16_t to_left = (int16_t)abs(a), to_above = (int16_t)abs(b), to_corner = (int16_t)abs(a + b);
    uint8_t nearer = to_above <= to_corner ? above : corner;
    return to_left <= to_above && to_left <= to_corner ? left : nearer;
}

/* What a filter leaves of a row; `step` bytes to the left is the same channel of
 * the pixel before, zero before the first. */
static void filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t size,
                       size_t step, uint8_t *out)
{
    const uint8_t *left = row - step, *corner = above - step;
    switch (filter) {
    case SUB:
        for (size_t i = 0; i < size; i++)
            out[i] = (uint8_t)(row[i] - left[i]);
        break;
    case UP:
        for (size_t i = 0; i < size; i++)
            out[i] = (uint8_t)(row[i] - above[i]);
        break;
    case AVERAGE:
        for (size_t i = 0; i < size; i++)
            out[i] = (uint8_t)(row[i] - (left[i] + above[i]) / 2);
        break;
    case PAETH:
        for (size_t i = 0; i < size; i++)
            out[i] = (uint8_t)(row[i] - paeth(left[i], above[i], corner[i]));
        break;
    default:
        memcpy(out, row, size);
    }
}

/* The sum of the bytes as signed numbers without their sign: small ones pack well. */
static size_t cost_of(const uint8_t *bytes, size_t count)
{
    size_t sum = 0;
    for (size_t first = 0; first < count; first += 4096) {
        size_t end = count - first < 4096 ? count : first + 4096;
        uint32_t part = 0;
        for (size_t i = first; i < end; i++)
            part += (uint32_t)(bytes[i] < 128 ? bytes[i] : 256 - bytes[i]);
        sum += part;
    }
    return sum;
}

/* Every row behind the number of the filter that suits it. `padded` has room for
 * two rows with a pixel of zeros before each, `trial` for one. */
static void filter_all(const uint8_t *pixels, size_t rows, size_t size, size_t step,
                       uint8_t *padded, uint8_t *trial, uint8_t *out)
{
    uint8_t *row = padded + step, *above = row + size + step;
    memset(padded, 0, (size + step) * 2);
    for (size_t y = 0; y < rows; y++, out += size + 1) {
        size_t least = SIZE_MAX;
        memcpy(row, pixels + y * size, size);
        for (int filter = 0; filter < FILTER_COUNT; filter++) {
            filter_row(filter, row, above, size, step, trial);
            size_t cost = cost_of(trial, size);
            if (cost < least) {
                least = cost;
                out[0] = (uint8_t)filter;
                memcpy(out + 1, trial, size);
            }
        }
        uint8_t *swapped = row;
        row = above;
        above = swapped;
    }
}

/* -- Chunks ------------------------------------------------------------- */

static void put_chunk(facet_output *output, const char *type, const uint8_t *data, size_t size)
{
    uint8_t word[8];
    uint32_t sum = libdeflate_crc32(0, type, 4);
    facet_store_u32be(word, (uint32_t)size);
    memcpy(word + 4, type, 4);
    facet_output_write(output, word, 8);
    if (size > 0) {
        facet_output_write(output, data, size);
        sum = libdeflate_crc32(sum, data, size);
    }
    facet_store_u32be(word, sum);
    facet_output_write(output, word, 4);
}

static void put_file(facet_output *output, const facet_image *image, const uint8_t *data,
                     size_t size)
{
    static const uint8_t types[] = {0, 4, 2, 6}; /* grey, grey and alpha, RGB, RGBA */
    uint8_t header[13] = {0};
    facet_store_u32be(header, image->width);
    facet_store_u32be(header + 4, image->height);
    header[8] = 8;
    header[9] = types[image->channels - 1];
    facet_output_write(output, "\x89PNG\r\n\x1A\n", 8);
    put_chunk(output, "IHDR", header, sizeof header);
    for (size_t at = 0; at < size; at += MOST_CHUNK)
        put_chunk(output, "IDAT", data + at, size - at < MOST_CHUNK ? size - at : MOST_CHUNK);
    put_chunk(output, "IEND", NULL, 0);
}

/* -- Writing ------------------------------------------------------------ */

facet_status facet_png_write(facet_arena *scratch, const facet_image *image, const uint8_t *pixels,
                             facet_output *output, facet_error *error)
{
    size_t step = image->channels, rows = image->height, size, filtered_size;
    if (image->width == 0 || rows == 0 || image->width > INT32_MAX || rows > INT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, "IMAGE-PNG", FACET_NO_OFFSET,
                          "image '%s' of %u x %u pixels fits no PNG", image->name, image->width,
                          image->height);
    if (!facet_size_multiply(image->width, step, &size) || size > SIZE_MAX / 4 - step ||
        !facet_size_multiply(size + 1, rows, &filtered_size))
        return facet_fail_memory(error, SIZE_MAX);
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    if (!compressor)
        return facet_fail_memory(error, filtered_size);
    size_t room = libdeflate_zlib_compress_bound(compressor, filtered_size);
    uint8_t *padded = facet_arena_allocate(scratch, (size + step) * 2, 1);
    uint8_t *trial = facet_arena_allocate(scratch, size, 1);
    uint8_t *filtered = facet_arena_allocate(scratch, filtered_size, 1);
    uint8_t *packed = facet_arena_allocate(scratch, room, 1);
    facet_status status = FACET_OK;
    if (!padded || !trial || !filtered || !packed) {
        status = facet_fail_memory(error, room);
    } else {
        filter_all(pixels, rows, size, step, padded, trial, filtered);
        size_t used = libdeflate_zlib_compress(compressor, filtered, filtered_size, packed, room);
        put_file(output, image, packed, used);
    }
    libdeflate_free_compressor(compressor);
    return status;
}
