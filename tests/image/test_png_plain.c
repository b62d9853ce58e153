/* The pixels of common PNG files, by libdeflate and by libspng. */
#include "base/arena.h"
#include "image/image.h"
#include "image/literal_png.h"
#include "image/png.h"
#include "support/support.h"

#include <facet/image.h>
#include <stdlib.h>

enum { WIDTH = 7, HEIGHT = 10, MAX_CHANNELS = 4, ROW = WIDTH * MAX_CHANNELS };

/* Bytes of all values, in large and small steps. */
static void make_pixels(uint8_t *pixels, size_t count)
{
    uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525 + 1013904223;
        pixels[i] = (uint8_t)(i % 3 == 0 ? state >> 24 : i * 9 + (state >> 28));
    }
}

/* Paeth's predictor as the specification defines it (9.4). */
static int paeth(int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    if (pa <= pb && pa <= pc)
        return a;
    return pb <= pc ? b : c;
}

/* Filter row y with filter y modulo 5 (9.2). Returns the size of the rows. */
static size_t filter(const uint8_t *pixels, size_t channels, uint8_t *rows)
{
    size_t size = WIDTH * channels, at = 0;
    for (size_t y = 0; y < HEIGHT; y++) {
        rows[at++] = (uint8_t)(y % 5);
        for (size_t i = 0; i < size; i++) {
            const uint8_t *here = pixels + y * size + i;
            int a = i >= channels ? here[-(ptrdiff_t)channels] : 0, b = y > 0 ? *(here - size) : 0;
            int c = i >= channels && y > 0 ? *(here - size - channels) : 0;
            const int guesses[5] = {0, a, b, (a + b) / 2, paeth(a, b, c)};
            rows[at++] = (uint8_t)(*here - guesses[y % 5]);
        }
    }
    return at;
}

static uint8_t color_type(size_t channels)
{
    return channels == 1 ? 0 : channels == 3 ? 2 : 6;
}

static void make_png(bytes *png, const uint8_t *rows, size_t size, size_t channels)
{
    png->size = 0;
    begin_png(png, WIDTH, HEIGHT, 8, color_type(channels));
    put_pixels(png, rows, size);
    put_chunk(png, "IEND", "", 0);
}

/* Read the pixels by libdeflate only. */
static bool read_plain(facet_arena *arena, const uint8_t *data, size_t size, size_t channels,
                       uint8_t *pixels)
{
    facet_image image = {.data = data,
                         .size = size,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .channels = (uint32_t)channels,
                         .pixels = pixels};
    return facet_png_read_plain(arena, &image);
}

static facet_status decode(facet_arena *arena, const uint8_t *data, size_t size, facet_image *image)
{
    facet_error error;
    *image = (facet_image){.name = "p", .media_type = "", .data = data, .size = size};
    return facet_image_decode(arena, image, NULL, &error);
}

static const size_t channel_counts[] = {1, 3, 4};

static void skip_without_libraries(void)
{
    if (!test_is_built("FACET_PNG") || !test_is_built("FACET_DEFLATE"))
        skip();
}

TEST(each_filter_returns_the_pixels)
{
    facet_arena *arena = NULL;
    facet_error error;
    skip_without_libraries();
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    for (size_t k = 0; k < sizeof channel_counts / sizeof *channel_counts; k++) {
        size_t channels = channel_counts[k], count = WIDTH * HEIGHT * channels;
        uint8_t pixels[ROW * HEIGHT], rows[(ROW + 1) * HEIGHT], found[ROW * HEIGHT];
        bytes png;
        facet_image image;
        make_pixels(pixels, count);
        make_png(&png, rows, filter(pixels, channels, rows), channels);
        assert_true(read_plain(arena, png.data, png.size, channels, found));
        assert_memory_equal(found, pixels, count);
        assert_int_equal(decode(arena, png.data, png.size, &image), FACET_OK);
        assert_int_equal(image.channels, channels);
        assert_memory_equal(image.pixels, pixels, count);
    }
    facet_arena_free(arena);
}

/* A transparent color that no pixel has makes libspng decode the file. */
TEST(libspng_returns_the_same_pixels)
{
    facet_arena *arena = NULL;
    facet_error error;
    skip_without_libraries();
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    uint8_t pixels[ROW * HEIGHT], rows[(ROW + 1) * HEIGHT], found[ROW * HEIGHT];
    static const uint8_t other[6] = {1, 1, 1, 1, 1, 1}; /* 257 is not a byte */
    bytes plain, png = {.size = 0};
    facet_image image;
    make_pixels(pixels, WIDTH * HEIGHT * 3);
    size_t size = filter(pixels, 3, rows);
    make_png(&plain, rows, size, 3);
    assert_true(read_plain(arena, plain.data, plain.size, 3, found));
    begin_png(&png, WIDTH, HEIGHT, 8, 2);
    put_chunk(&png, "tRNS", other, sizeof other);
    put_pixels(&png, rows, size);
    put_chunk(&png, "IEND", "", 0);
    assert_int_equal(decode(arena, png.data, png.size, &image), FACET_OK);
    assert_int_equal(image.channels, 4);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_memory_equal((const uint8_t *)image.pixels + i * 4, found + i * 3, 3);
    facet_arena_free(arena);
}

/* The compressed data in chunks of 1, 2, ... bytes. */
TEST(pixels_in_many_chunks_are_joined)
{
    facet_arena *arena = NULL;
    facet_error error;
    skip_without_libraries();
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    uint8_t pixels[ROW * HEIGHT], rows[(ROW + 1) * HEIGHT], found[ROW * HEIGHT];
    bytes whole, png = {.size = 0};
    make_pixels(pixels, WIDTH * HEIGHT * 4);
    make_png(&whole, rows, filter(pixels, 4, rows), 4);
    const uint8_t *packed = whole.data + 8 + 25 + 8; /* after the signature, IHDR and a header */
    size_t left = facet_load_u32be(packed - 8), length = 1;
    begin_png(&png, WIDTH, HEIGHT, 8, 6);
    while (left > 0) {
        put_chunk(&png, "IDAT", packed, length);
        packed += length;
        left -= length;
        length = length + 1 < left ? length + 1 : left;
    }
    put_chunk(&png, "IEND", "", 0);
    assert_true(read_plain(arena, png.data, png.size, 4, found));
    assert_memory_equal(found, pixels, WIDTH * HEIGHT * 4);
    facet_arena_free(arena);
}

/* libdeflate refuses what it does not read completely, and libspng then reports it. */
TEST(damage_is_left_to_libspng)
{
    facet_arena *arena = NULL;
    facet_error error;
    skip_without_libraries();
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    uint8_t pixels[ROW * HEIGHT], rows[(ROW + 1) * HEIGHT], found[ROW * HEIGHT];
    bytes png;
    facet_image image;
    make_pixels(pixels, WIDTH * HEIGHT * 3);
    size_t size = filter(pixels, 3, rows);
    make_png(&png, rows, size, 3);
    const size_t first = 8 + 25 + 8 + 7; /* the filter of the first row, after the stored block's
                                          * header */
    png.data[first + 1]++;
    assert_false(read_plain(arena, png.data, png.size, 3, found)); /* the CRC differs */
    assert_false(read_plain(arena, png.data, first + 9, 3, found));
    rows[0] = 5; /* an unknown filter */
    make_png(&png, rows, size, 3);
    assert_false(read_plain(arena, png.data, png.size, 3, found));
    assert_int_equal(decode(arena, png.data, png.size, &image), FACET_ERROR_MALFORMED);
    rows[0] = 0;
    make_png(&png, rows, size - 1, 3); /* a byte is missing */
    assert_false(read_plain(arena, png.data, png.size, 3, found));
    assert_int_equal(decode(arena, png.data, png.size, &image), FACET_ERROR_MALFORMED);
    facet_arena_free(arena);
}
