/* image/png.c - pixels to PNG, by libdeflate.
 *
 * Specification: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)". Each row is
 * stored as differences from the left pixel, the one above, their mean or Paeth's predictor. The
 * filter whose differences, as signed bytes, have the smallest sum is used, as the specification
 * recommends (12.7). */
#include "image/png.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/crc32.h"
#include "base/error.h"
#include "base/size.h"
#include "image/image.h"

#include <stdlib.h>
#include <string.h>
#ifdef FACET_HAVE_DEFLATE
#include <libdeflate.h>

enum { NONE, LEFT, ABOVE, MEAN, PAETH, FILTERS };

/* -- Filters ------------------------------------------------------------ */

/* `step` is the number of bytes per pixel. Loops without branches let compilers vectorize. */
static void filter_left(const uint8_t *restrict row, size_t size, size_t step, uint8_t *restrict to)
{
    memcpy(to, row, step);
    for (size_t i = step; i < size; i++)
        to[i] = (uint8_t)(row[i] - row[i - step]);
}

static void filter_above(const uint8_t *restrict row, const uint8_t *restrict above, size_t size,
                         uint8_t *restrict to)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(row[i] - above[i]);
}

static void filter_mean(const uint8_t *restrict row, const uint8_t *restrict above, size_t size,
                        size_t step, uint8_t *restrict to)
{
    for (size_t i = 0; i < step; i++)
        to[i] = (uint8_t)(row[i] - above[i] / 2);
    for (size_t i = step; i < size; i++)
        to[i] = (uint8_t)(row[i] - (row[i - step] + above[i]) / 2);
}

static void filter_paeth(const uint8_t *restrict row, const uint8_t *restrict above, size_t size,
                         size_t step, uint8_t *restrict to)
{
    for (size_t i = 0; i < step; i++)
        to[i] = (uint8_t)(row[i] - above[i]);
    for (size_t i = step; i < size; i++) {
        int16_t a = row[i - step], b = above[i], c = above[i - step];
        int16_t from_a = (int16_t)(b - c), from_b = (int16_t)(a - c);
        int16_t from_c = (int16_t)(from_a + from_b);
        from_a = from_a < 0 ? (int16_t)-from_a : from_a;
        from_b = from_b < 0 ? (int16_t)-from_b : from_b;
        from_c = from_c < 0 ? (int16_t)-from_c : from_c;
        int16_t second = from_b <= from_c ? b : c;
        int16_t guess = from_a <= from_b && from_a <= from_c ? a : second;
        to[i] = (uint8_t)(row[i] - guess);
    }
}

static uint64_t cost_of(const uint8_t *values, size_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size;) {
        /* The sum of 128 values up to 255 fits into 16 bits. */
        uint16_t part = 0;
        size_t end = size - i < 255 ? size : i + 255;
        for (; i < end; i++) {
            int8_t value = (int8_t)values[i];
            part = (uint16_t)(part + (value < 0 ? -value : value));
        }
        sum += part;
    }
    return sum;
}

/* -- Rows --------------------------------------------------------------- */

typedef struct rows {
    const uint8_t *pixels;
    size_t size, count, step; /* bytes per row, number of rows, bytes per pixel */
    const uint8_t *zeros;     /* the row above the first */
    uint8_t *work;            /* one row */
    int filters;              /* number of filters to try */
} rows;

static void apply(const rows *r, int filter, const uint8_t *row, const uint8_t *above, uint8_t *to)
{
    switch (filter) {
    case LEFT:
        filter_left(row, r->size, r->step, to);
        break;
    case ABOVE:
        filter_above(row, above, r->size, to);
        break;
    case MEAN:
        filter_mean(row, above, r->size, r->step, to);
        break;
    case PAETH:
        filter_paeth(row, above, r->size, r->step, to);
        break;
    default:
        memcpy(to, row, r->size);
        break;
    }
}

/* Write a row, after the number of its filter. */
static void filter_row(const rows *r, size_t index, uint8_t *to)
{
    const uint8_t *row = r->pixels + index * r->size, *above = index > 0 ? row - r->size : r->zeros;
    uint64_t least = UINT64_MAX;
    if (r->filters == 1) {
        to[0] = NONE;
        memcpy(to + 1, row, r->size);
        return;
    }
    for (int filter = NONE; filter < FILTERS; filter++) {
        if (filter == MEAN && r->filters < FILTERS)
            continue;
        apply(r, filter, row, above, r->work);
        uint64_t cost = cost_of(r->work, r->size);
        if (cost >= least)
            continue;
        least = cost;
        to[0] = (uint8_t)filter;
        memcpy(to + 1, r->work, r->size);
    }
}

/* -- Chunks ------------------------------------------------------------- */

static void put_chunk(facet_output *output, const char type[4], const void *data, size_t size)
{
    uint8_t head[8], tail[4];
    facet_store_u32be(head, (uint32_t)size);
    memcpy(head + 4, type, 4);
    uint32_t check = facet_crc32(facet_crc32(0, head + 4, 4), data, size);
    facet_store_u32be(tail, check);
    facet_output_write(output, head, sizeof head);
    facet_output_write(output, data, size);
    facet_output_write(output, tail, sizeof tail);
}

static void put_file(facet_output *output, const facet_image *image, const uint8_t *data,
                     size_t size)
{
    static const uint8_t signature[8] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n'};
    static const uint8_t color_types[] = {0, 4, 2, 6}; /* gray, gray with alpha, RGB, RGBA */
    const size_t most = 0x7FFFFFFF;
    uint8_t header[13] = {0};
    facet_store_u32be(header, image->width);
    facet_store_u32be(header + 4, image->height);
    header[8] = 8;
    header[9] = color_types[image->channels - 1];
    facet_output_write(output, signature, sizeof signature);
    put_chunk(output, "IHDR", header, sizeof header);
    for (size_t at = 0; at < size; at += most)
        put_chunk(output, "IDAT", data + at, size - at < most ? size - at : most);
    put_chunk(output, "IEND", "", 0);
}

/* -- The file ----------------------------------------------------------- */

/* A read-only build must be small: with a constant level for all efforts, the linker drops the
 * other algorithms of libdeflate, which have 16 KB. */
#ifdef FACET_READ_ONLY
#define LEVEL_OF(effort) 4
#else
static const int levels[] = {5, 1, 12, 0};
#define LEVEL_OF(effort) levels[effort]
#endif

facet_status facet_png_encode(const facet_image *image, const uint8_t *pixels,
                              facet_png_effort effort, facet_arena *arena, facet_output *output,
                              facet_error *error)
{
    rows r = {.pixels = pixels,
              .size = (size_t)image->width * image->channels,
              .count = image->height,
              .step = image->channels,
              .filters = effort == FACET_PNG_STORED ? 1
                         : effort == FACET_PNG_FAST ? FILTERS - 1
                                                    : FILTERS};
    size_t filtered_size = 0;
    if (!facet_size_multiply(r.size + 1, r.count, &filtered_size))
        return facet_fail_memory(error, SIZE_MAX);
    uint8_t *filtered = facet_arena_allocate(arena, filtered_size, 1);
    r.zeros = facet_arena_allocate_zeroed(arena, r.size, 1);
    r.work = facet_arena_allocate(arena, r.size, 1);
    struct libdeflate_compressor *deflate = libdeflate_alloc_compressor(LEVEL_OF(effort));
    size_t space = deflate ? libdeflate_zlib_compress_bound(deflate, filtered_size) : 0, size = 0;
    uint8_t *data = space ? facet_arena_allocate(arena, space, 1) : NULL;
    if (filtered && r.zeros && r.work && data) {
        for (size_t row = 0; row < r.count; row++)
            filter_row(&r, row, filtered + row * (r.size + 1));
        size = libdeflate_zlib_compress(deflate, filtered, filtered_size, data, space);
    }
    libdeflate_free_compressor(deflate);
    if (size == 0)
        return facet_fail_arena(arena, error);
    put_file(output, image, data, size);
    facet_arena_release(arena, data, space, 1);
    facet_arena_release(arena, filtered, filtered_size, 1);
    return FACET_OK;
}
#else
facet_status facet_png_encode(const facet_image *image, const uint8_t *pixels,
                              facet_png_effort effort, facet_arena *arena, facet_output *output,
                              facet_error *error)
{
    (void)image, (void)pixels, (void)effort, (void)arena, (void)output;
    return facet_fail_absent(error, "writing PNG needs", "libdeflate", "FACET_DEFLATE");
}
#endif
