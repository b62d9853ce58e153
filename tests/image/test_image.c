/* Images: literal PNG files, round trips, sizes and mip levels. */
#include "base/arena.h"
#include "base/bytes.h"
#include "image/image.h"
#include "image/literal_png.h"
#include "support/support.h"

#include <facet/convert.h>
#include <facet/image.h>
#include <stdlib.h>

/* -- Decoding ----------------------------------------------------------- */

static facet_scene *scene_of(const uint8_t *data, size_t size, facet_options *options)
{
    facet_source source = {.data = data, .size = size};
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_load(&source, facet_format_named("png"), NULL, options, &scene, &error), &error);
    assert_int_equal(scene->image_count, 1);
    return scene;
}

TEST(palette_and_transparency_are_decoded)
{
    bytes png = {.size = 0};
    begin_png(&png, 3, 1, 8, 3);
    const uint8_t palette[6] = {255, 0, 0, 0, 128, 64}, alpha[1] = {7}, row[4] = {0, 0, 1, 0};
    put_chunk(&png, "PLTE", palette, sizeof palette);
    put_chunk(&png, "tRNS", alpha, sizeof alpha);
    put_pixels(&png, row, sizeof row);
    put_chunk(&png, "IEND", "", 0);
    facet_scene *scene = scene_of(png.data, png.size, NULL);
    const facet_image *image = scene->images[0];
    assert_int_equal(image->width, 3);
    assert_int_equal(image->height, 1);
    assert_int_equal(image->channels, 4);
    const uint8_t expected[12] = {255, 0, 0, 7, 0, 128, 64, 255, 255, 0, 0, 7};
    assert_memory_equal(image->pixels, expected, sizeof expected);
    facet_scene_free(scene);
}

TEST(sixteen_bit_gray_is_decoded)
{
    bytes png = {.size = 0};
    begin_png(&png, 2, 1, 16, 0);
    const uint8_t row[5] = {0, 0xAB, 0x00, 0xFF, 0xFF};
    put_pixels(&png, row, sizeof row);
    put_chunk(&png, "IEND", "", 0);
    facet_options options = {0};
    facet_error error;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_scene *scene = scene_of(png.data, png.size, &options);
    assert_int_equal(scene->images[0]->channels, 1);
    assert_int_equal(((uint8_t *)scene->images[0]->pixels)[0], 0xAB);
    assert_int_equal(((uint8_t *)scene->images[0]->pixels)[1], 0xFF);
    assert_non_null(test_finding(options.report, "IMAGE-DEPTH"));
    facet_scene_free(scene);
    facet_report_free(options.report);
}

TEST(images_that_expand_too_much_are_refused)
{
    bytes png = {.size = 0};
    begin_png(&png, 60000, 60000, 8, 6);
    const uint8_t row[5] = {0};
    put_pixels(&png, row, sizeof row);
    put_chunk(&png, "IEND", "", 0);
    facet_source source = {.data = png.data, .size = png.size};
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "IMAGE-RATIO");
}

/* Black, one bit for each of 512 x 512 pixels: rows of 65 zeros, compressed by Python's zlib.
 * Exporters write such images for a material of one color. */
TEST(images_of_one_color_are_accepted)
{
    static const uint8_t packed[] = {
        0x78, 0xDA, 0xED, 0xC1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x82, 0x20, 0xFF, 0xAF, 0x6E,
        0x48, 0x40, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x7C, 0x1B, 0x82, 0x00, 0x00, 0x01};
    bytes png = {.size = 0};
    begin_png(&png, 512, 512, 1, 0);
    put_chunk(&png, "IDAT", packed, sizeof packed);
    put_chunk(&png, "IEND", "", 0);
    assert_true(png.size * 2048 < 512 * 512);
    facet_scene *scene = scene_of(png.data, png.size, NULL);
    const uint8_t *pixels = scene->images[0]->pixels;
    for (size_t i = 0; i < 512 * 512 * (size_t)scene->images[0]->channels; i++)
        assert_int_equal(pixels[i], 0);
    facet_scene_free(scene);
}

static void attempt_image(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_source source = {.data = data, .size = size};
    facet_scene *scene = NULL;
    facet_error error;
    if (facet_load(&source, facet_format_named("png"), NULL, NULL, &scene, &error) == FACET_OK)
        facet_scene_free(scene);
}

TEST(decoders_survive_damaged_images)
{
    bytes png = {.size = 0};
    begin_png(&png, 2, 2, 8, 2);
    const uint8_t rows[14] = {0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12};
    put_pixels(&png, rows, sizeof rows);
    put_chunk(&png, "IEND", "", 0);
    test_every_mutation(png.data, png.size, attempt_image, NULL);
    /* An uncompressed 2 x 1 TGA: 18 bytes of header, then blue, green, red. */
    const uint8_t targa[24] = {0, 0, 2, 0, 0,  0,    0, 0, 0, 0, 0, 0,
                               2, 0, 1, 0, 24, 0x20, 1, 2, 3, 4, 5, 6};
    assert_string_equal(facet_image_media_type(targa, sizeof targa), "image/x-tga");
    facet_scene *scene = scene_of(targa, sizeof targa, NULL);
    const uint8_t expected[6] = {3, 2, 1, 6, 5, 4};
    assert_memory_equal(scene->images[0]->pixels, expected, sizeof expected);
    facet_scene_free(scene);
    test_every_mutation(targa, sizeof targa, attempt_image, NULL);
}

static facet_scene *make_picture(uint32_t channels, bool is_float);

static facet_status load_as(const void *data, size_t size, const char *format, facet_report *report,
                            facet_error *error)
{
    facet_source source = {.data = data, .size = size};
    facet_options options = {.report = report};
    facet_scene *scene = NULL;
    facet_status status =
        facet_load(&source, facet_format_named(format), NULL, &options, &scene, error);
    facet_scene_free(scene);
    return status;
}

/* A PNG without pixels, a JPEG without a frame, one whose data end in the middle, which is shown,
 * and a Radiance picture whose second line has no encoding. */
TEST(errors_of_decoders_have_a_rule)
{
    facet_error error;
    facet_report *report;
    bytes png = {.size = 0};
    begin_png(&png, 2, 2, 8, 2);
    put_chunk(&png, "IEND", "", 0);
    assert_int_equal(load_as(png.data, png.size, "png", NULL, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "IMAGE-PNG");
    static const char radiance[] = "#?RADIANCE\nFORMAT=none\n\n-Y 1 +X 1\n\1\1\1\1";
    assert_int_equal(load_as(radiance, sizeof radiance - 1, "hdr", NULL, &error),
                     FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "IMAGE-DAMAGED");

    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = make_picture(3, false);
    facet_output *output = NULL;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named("jpeg"), NULL, output, &error), &error);
    const uint8_t *jpeg = facet_output_data(output);
    size_t size = (size_t)facet_output_size(output);
    assert_int_equal(load_as("\xFF\xD8\xFF\xD9", 4, "jpeg", NULL, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "IMAGE-JPEG");
    TEST_OK(load_as(jpeg, size - 40, "jpeg", report, &error), &error);
    assert_int_equal(test_finding(report, "IMAGE-JPEG")->severity, FACET_SEVERITY_WARNING);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* -- WebP --------------------------------------------------------------- */

static facet_status decode(facet_arena *arena, const void *data, size_t size, facet_image *image,
                           facet_error *error)
{
    *image = (facet_image){.name = "w", .media_type = "", .data = data, .size = size};
    return facet_image_decode(arena, image, NULL, error);
}

/* Files that libwebp 1.2.4 encoded losslessly: 2 x 2 pixels with alpha, and without. The bit for
 * alpha, 28 of the header, is cleared here. The third has 512 x 512 pixels of one color, 14,564
 * bytes of pixels for each byte of the file; it is not a bomb. */
static const uint8_t webp_with_alpha[68] = {
    0x52, 0x49, 0x46, 0x46, 0x3C, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50,
    0x38, 0x4C, 0x30, 0x00, 0x00, 0x00, 0x2F, 0x01, 0x40, 0x00, 0x10, 0x1F, 0x20, 0x10,
    0x48, 0x92, 0xD8, 0x1F, 0x75, 0x0D, 0x21, 0x01, 0x41, 0xF5, 0xFF, 0x2F, 0x81, 0x00,
    0xC1, 0x88, 0xFF, 0x4B, 0x02, 0x01, 0x62, 0x8D, 0x32, 0xE9, 0xC2, 0xCC, 0x1D, 0xA9,
    0x82, 0x9A, 0xB6, 0x0D, 0x58, 0xFC, 0x26, 0x1D, 0x11, 0xFD, 0x0F, 0x0E};
static const uint8_t webp_opaque[58] = {
    0x52, 0x49, 0x46, 0x46, 0x32, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38,
    0x4C, 0x26, 0x00, 0x00, 0x00, 0x2F, 0x01, 0x40, 0x00, 0x00, 0x1F, 0x20, 0x10, 0x20, 0x78,
    0xF0, 0xBF, 0x6A, 0x43, 0x48, 0x90, 0xD0, 0xFD, 0xBF, 0x57, 0x81, 0x00, 0xC1, 0x88, 0xFF,
    0x4B, 0xF3, 0x1F, 0xF8, 0xE4, 0xA8, 0xE0, 0x06, 0x0C, 0x11, 0xFD, 0x0F, 0x01};
static const uint8_t webp_plain[54] = {
    0x52, 0x49, 0x46, 0x46, 0x2E, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50,
    0x38, 0x4C, 0x22, 0x00, 0x00, 0x00, 0x2F, 0xFF, 0xC1, 0x7F, 0x00, 0x07, 0x50, 0xA8,
    0xA2, 0x14, 0xAF, 0xFF, 0x01, 0x81, 0x40, 0xB2, 0xBF, 0xF7, 0x0C, 0x45, 0xF4, 0x3F,
    0xE3, 0x3F, 0xFF, 0xF9, 0xCF, 0x7F, 0xFE, 0xF3, 0x9F, 0xFF, 0xFC, 0x1F};

TEST(webp_pixels_are_exact)
{
    static const uint8_t with_alpha[16] = {255, 0, 0,   255, 0,  255, 0,  128,
                                           0,   0, 255, 64,  10, 20,  30, 255};
    static const uint8_t opaque[12] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30};
    facet_arena *arena = NULL;
    facet_image image;
    facet_error error;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    if (!test_is_built("FACET_WEBP")) {
        assert_int_equal(decode(arena, webp_opaque, sizeof webp_opaque, &image, &error),
                         FACET_ERROR_UNSUPPORTED);
        assert_string_equal(error.rule, "IMAGE-UNSUPPORTED");
        assert_string_equal(error.message, "image 'w' is WebP, which this build does not decode");
        facet_arena_free(arena);
        return;
    }
    TEST_OK(decode(arena, webp_with_alpha, sizeof webp_with_alpha, &image, &error), &error);
    assert_int_equal(image.width, 2);
    assert_int_equal(image.height, 2);
    assert_int_equal(image.channels, 4);
    assert_memory_equal(image.pixels, with_alpha, sizeof with_alpha);
    TEST_OK(decode(arena, webp_opaque, sizeof webp_opaque, &image, &error), &error);
    assert_int_equal(image.channels, 3);
    assert_memory_equal(image.pixels, opaque, sizeof opaque);
    TEST_OK(decode(arena, webp_plain, sizeof webp_plain, &image, &error), &error);
    assert_int_equal(image.width, 512);
    const uint8_t *last = (const uint8_t *)image.pixels + (512 * 512 - 1) * 3;
    assert_true(last[0] == 40 && last[1] == 80 && last[2] == 120);
    facet_arena_free(arena);
}

static void attempt_webp(const uint8_t *data, size_t size, void *user)
{
    facet_arena *arena = user;
    facet_image image;
    facet_error error;
    facet_status status = decode(arena, data, size, &image, &error);
    assert_true(status == FACET_OK || status == FACET_ERROR_MALFORMED ||
                status == FACET_ERROR_UNSUPPORTED || status == FACET_ERROR_LIMIT);
}

/* The width and height of a lossless WebP are 14 bits each after its signature 2F. Two sides of
 * 16,383 would be 805 MB. */
TEST(webp_decoder_survives_damaged_files)
{
    facet_arena *arena = NULL;
    facet_image image;
    facet_error error;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    test_every_mutation(webp_opaque, sizeof webp_opaque, attempt_webp, arena);
    if (test_is_built("FACET_WEBP")) {
        uint8_t huge[sizeof webp_plain];
        memcpy(huge, webp_plain, sizeof huge);
        huge[21] = 0xFE, huge[22] = 0xBF, huge[23] = 0xFF, huge[24] = 0x0F;
        assert_int_equal(decode(arena, huge, sizeof huge, &image, &error), FACET_ERROR_LIMIT);
        assert_string_equal(error.rule, "IMAGE-RATIO");
        assert_int_equal(decode(arena, webp_plain, 40, &image, &error), FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, "IMAGE-WEBP");
    }
    facet_arena_free(arena);
}

/* First bytes by RFC 9649, ISO 14496-12 with the brands of AVIF, KTX 2.0 and the header of DDS, and
 * bytes that only resemble them. */
TEST(formats_of_textures_are_recognized)
{
    static const struct {
        const char *bytes, *type;
        size_t size;
    } cases[] = {
        {"RIFF\4\0\0\0WEBP", "image/webp", 12},
        {"RIFF\4\0\0\0WAVE", "", 12},
        {"\0\0\0\x14"
         "ftypavif",
         "image/avif", 12},
        {"\0\0\0\x14"
         "ftypavis",
         "image/avif", 12},
        {"\0\0\0\x14"
         "ftypmp42",
         "", 12},
        {"\xABKTX 20\xBB\r\n\x1A\n", "image/ktx2", 12},
        {"DDS |\0\0\0", "image/vnd-ms.dds", 8},
        {"#?RGBE\n", "image/vnd.radiance", 7},
        /* A header of 40 bytes follows the 14 of a BMP; one of 41 does not exist. */
        {"BM\0\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0\1\0\0\0\1\0\0\0", "image/bmp", 26},
        {"BM\0\0\0\0\0\0\0\0\0\0\0\0\x29\0\0\0\1\0\0\0\1\0\0\0", "", 26},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(facet_image_media_type((const uint8_t *)cases[i].bytes, cases[i].size),
                            cases[i].type);
}

/* Colors become sRGB: 255 * (1.055 * 0.5^(1 / 2.4) - 0.055) = 187.5. Alpha is linear: 127.5. */
TEST(only_colors_of_floats_become_srgb)
{
    static const float values[4] = {0.5F, 0.5F, 0.5F, 0.5F};
    static const uint8_t expected[4] = {188, 188, 188, 128};
    facet_image image = {.width = 1, .height = 1, .pixels = (void *)values};
    facet_arena *arena = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    for (image.channels = 3; image.channels <= 4; image.channels++) {
        const uint8_t *made = facet_image_to_bytes(arena, &image, NULL);
        assert_memory_equal(made, expected, image.channels);
    }
    facet_arena_free(arena);
}

/* -- Round trips -------------------------------------------------------- */

/* A scene with a picture of smooth colors and `channels` channels. */
static facet_scene *make_picture(uint32_t channels, bool is_float)
{
    facet_scene *scene = NULL;
    facet_image *image = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_image(scene, "picture", &image, &error), &error);
    image->width = 37;
    image->height = 21;
    image->channels = channels;
    image->is_float = is_float;
    size_t count = (size_t)image->width * image->height * channels;
    image->pixels = facet_scene_allocate(scene, count, is_float ? 4 : 1);
    for (size_t i = 0; i < count; i++) {
        size_t x = i / channels % 37, y = i / channels / 37, c = i % channels;
        if (is_float)
            ((float *)image->pixels)[i] = (float)(x * (c + 1)) * 0.25f;
        else
            ((uint8_t *)image->pixels)[i] = (uint8_t)(x * 3 + y * 5 + c * 40);
    }
    return scene;
}

static facet_scene *round_trip_with(const facet_scene *scene, const char *format,
                                    const facet_image_options *how, facet_report *report,
                                    uint64_t *size)
{
    facet_options options = {.report = report, .image = how};
    facet_output *output = NULL;
    facet_scene *back = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named(format), &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_source source = {.data = facet_output_data(output),
                           .size = (size_t)facet_output_size(output)};
    *size = facet_output_size(output);
    TEST_OK(facet_load(&source, NULL, NULL, &options, &back, &error), &error);
    facet_output_free(output);
    return back;
}

static facet_scene *round_trip(const facet_scene *scene, const char *format, facet_report *report)
{
    uint64_t size;
    return round_trip_with(scene, format, NULL, report, &size);
}

TEST(png_pixels_survive_the_round_trip)
{
    for (uint32_t channels = 1; channels <= 4; channels++) {
        facet_scene *scene = make_picture(channels, false), *back = round_trip(scene, "png", NULL);
        assert_int_equal(back->images[0]->channels, channels);
        assert_memory_equal(back->images[0]->pixels, scene->images[0]->pixels, 37 * 21 * channels);
        facet_scene_free(back);
        facet_scene_free(scene);
    }
}

/* For any effort and picture, libspng reads the same pixels. A smooth picture shrinks to a tenth,
 * and noise has at most its own size and a byte per row. */
TEST(png_of_any_effort_has_the_same_pixels)
{
    for (uint32_t channels = 1; channels <= 4; channels++) {
        for (int noise = 0; noise < 2; noise++) {
            facet_scene *scene = make_picture(channels, false);
            facet_image *image = scene->images[0];
            size_t count = (size_t)300 * 200 * channels;
            image->width = 300;
            image->height = 200;
            image->pixels = facet_scene_allocate(scene, count, 1);
            uint32_t random = 7;
            for (size_t i = 0; i < count; i++) {
                random = random * 1664525 + 1013904223;
                size_t x = i / channels % 300, y = i / channels / 300;
                ((uint8_t *)image->pixels)[i] = (uint8_t)(noise ? random >> 24 : x / 2 + y / 3);
            }
            for (int effort = FACET_PNG_DEFAULT; effort <= FACET_PNG_STORED; effort++) {
                const facet_image_options how = {.png = (facet_png_effort)effort};
                uint64_t size;
                facet_scene *back = round_trip_with(scene, "png", &how, NULL, &size);
                assert_memory_equal(back->images[0]->pixels, image->pixels, count);
                bool packed = !noise && effort != FACET_PNG_STORED;
                assert_true(size < (packed ? count / 10 : count + 200 + 200));
                assert_true(effort != FACET_PNG_STORED || size > count + 200);
                facet_scene_free(back);
            }
            facet_scene_free(scene);
        }
    }
}

TEST(jpeg_pixels_are_close)
{
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = make_picture(4, false), *back = round_trip(scene, "jpeg", report);
    assert_non_null(test_finding(report, "LOSS-PIXELS"));
    assert_int_equal(back->images[0]->channels, 3);
    const uint8_t *a = scene->images[0]->pixels, *b = back->images[0]->pixels;
    double squares = 0;
    for (size_t i = 0; i < 37 * 21; i++) {
        for (size_t c = 0; c < 3; c++)
            squares += (a[i * 4 + c] - b[i * 3 + c]) * (a[i * 4 + c] - b[i * 3 + c]);
    }
    assert_true(squares / (37 * 21 * 3) < 65025.0 / 3162); /* PSNR of 35 dB */
    facet_scene_free(back);
    facet_scene_free(scene);
    facet_report_free(report);
}

TEST(hdr_keeps_the_range)
{
    facet_scene *scene = make_picture(3, true), *back = round_trip(scene, "hdr", NULL);
    assert_true(back->images[0]->is_float);
    const float *a = scene->images[0]->pixels, *b = back->images[0]->pixels;
    for (size_t i = 0; i < 37 * 21; i++) {
        /* Eight bits with an exponent that the three colors share: the largest color decides. */
        float largest = 0;
        for (size_t c = 0; c < 3; c++)
            largest = a[i * 3 + c] > largest ? a[i * 3 + c] : largest;
        for (size_t c = 0; c < 3; c++)
            assert_true(b[i * 3 + c] >= a[i * 3 + c] - largest / 64 &&
                        b[i * 3 + c] <= a[i * 3 + c] + largest / 64);
    }
    facet_scene_free(back);
    facet_scene_free(scene);
}

/* -- Channels and sizes ------------------------------------------------- */

TEST(channels_are_added_and_removed)
{
    facet_scene *scene = make_picture(1, false);
    facet_image *image = scene->images[0];
    facet_error error;
    uint8_t first = ((uint8_t *)image->pixels)[5];
    TEST_OK(facet_image_set_channels(scene->arena, image, 4, &error), &error);
    const uint8_t wide[4] = {first, first, first, 255};
    assert_memory_equal((uint8_t *)image->pixels + 20, wide, 4);
    TEST_OK(facet_image_set_channels(scene->arena, image, 1, &error), &error);
    assert_int_equal(((uint8_t *)image->pixels)[5], first);
    facet_scene_free(scene);
}

TEST(images_are_resized_and_get_mip_levels)
{
    assert_int_equal(facet_image_nearest_power_of_two(1), 1);
    assert_int_equal(facet_image_nearest_power_of_two(3), 4);
    assert_int_equal(facet_image_nearest_power_of_two(5), 4);
    assert_int_equal(facet_image_nearest_power_of_two(6), 8);
    assert_int_equal(facet_image_nearest_power_of_two(640), 512);
    assert_int_equal(facet_image_nearest_power_of_two(UINT32_MAX), 1u << 31);
    assert_int_equal(facet_image_mip_count(1, 1), 1);
    assert_int_equal(facet_image_mip_count(512, 16), 10);
    assert_int_equal(facet_image_mip_count(37, 21), 6);

    facet_scene *scene = make_picture(4, false);
    facet_image *image = scene->images[0];
    memset(image->pixels, 200, 37 * 21 * 4); /* one color stays that color */
    facet_image mip = *image;
    facet_error error;
    for (uint32_t level = 1; level < facet_image_mip_count(37, 21); level++) {
        facet_image next;
        TEST_OK(facet_image_next_mip(scene->arena, &mip, true, &next, &error), &error);
        for (size_t i = 0; i < (size_t)next.width * next.height * 4; i++)
            assert_int_equal(((uint8_t *)next.pixels)[i], 200);
        mip = next;
    }
    assert_int_equal(mip.width, 1);
    assert_int_equal(mip.height, 1);
    assert_int_equal(facet_image_resize(scene->arena, image, 0, 4, false, &error),
                     FACET_ERROR_ARGUMENT);
    /* 1,024 x 1,024 pixels of 4 bytes are 2,048 times 2,048 bytes, and 4,096 times 1,024 bytes. */
    facet_options raised = {.growth_limit = 32};
    facet_image large = *image;
    TEST_OK(facet_image_allocate(scene->arena, &large, 1024, 1024, 4, false, 2048, NULL, &error),
            &error);
    assert_int_equal(
        facet_image_allocate(scene->arena, &large, 1024, 1024, 4, false, 1024, NULL, &error),
        FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "IMAGE-RATIO");
    TEST_OK(facet_image_allocate(scene->arena, &large, 1024, 1024, 4, false, 1024, &raised, &error),
            &error);
    assert_int_equal(facet_image_allocate(scene->arena, image, 3, 0, 4, false, 0, NULL, &error),
                     FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "IMAGE-SIZE");
    assert_int_equal(
        facet_image_allocate(scene->arena, image, INT32_MAX, INT32_MAX, 4, true, 0, NULL, &error),
        FACET_ERROR_MALFORMED); /* 2^66 bytes */
    assert_string_equal(error.rule, "IMAGE-SIZE");
    facet_scene_free(scene);
}

/* A picture of 16 x 16 pixels whose values are those of `value`. */
static facet_image make_pixels(facet_scene *scene, uint32_t channels,
                               uint8_t (*value)(uint32_t x, uint32_t y, uint32_t channel))
{
    facet_image image = {.name = "p", .width = 16, .height = 16, .channels = channels};
    uint8_t *pixels = facet_scene_allocate(scene, (size_t)256 * channels, 1);
    assert_non_null(pixels);
    for (uint32_t i = 0; i < 256 * channels; i++)
        pixels[i] = value(i / channels % 16, i / channels / 16, i % channels);
    image.pixels = pixels;
    return image;
}

static uint8_t ramp(uint32_t x, uint32_t y, uint32_t channel)
{
    (void)channel;
    return (uint8_t)(2 * x + 8 * y);
}

/* Opaque red and transparent green in turn; as the only channel, 255 and 0. */
static uint8_t chessboard(uint32_t x, uint32_t y, uint32_t channel)
{
    return (x + y) % 2 ? (channel == 1 ? 255 : 0) : (channel % 3 == 0 ? 255 : 0);
}

static void assert_pixel(const facet_image *image, uint32_t x, uint32_t y, uint32_t channel,
                         int expected)
{
    const uint8_t *pixels = image->pixels;
    int found = pixels[(y * image->width + x) * image->channels + channel];
    if (abs(found - expected) > 1)
        fail_msg("pixel %u %u has %d, expected %d", x, y, found, expected);
}

/* Pixel x of the half covers pixels 2 x and 2 x + 1. A ramp stays a ramp:
 * 2 (2 x + 0.5) + 8 (2 y + 0.5). A chessboard has half of the light, which in sRGB is
 * 255 (1.055 * 0.5 ^ (1 / 2.4) - 0.055) = 188. Transparent pixels add no color. Pixels at the
 * border depend on the filter. */
TEST(halved_images_have_the_mean_light)
{
    facet_scene *scene = make_picture(1, false);
    facet_image image = make_pixels(scene, 1, ramp), mip;
    facet_error error;
    if (!test_is_built("FACET_STB")) {
        facet_scene_free(scene);
        skip();
    }
    TEST_OK(facet_image_resize(scene->arena, &image, 8, 8, false, &error), &error);
    assert_int_equal(image.width, 8);
    assert_int_equal(image.height, 8);
    assert_pixel(&image, 2, 5, 0, 9 + 84);
    assert_pixel(&image, 5, 2, 0, 21 + 36);
    image = make_pixels(scene, 1, chessboard);
    for (int srgb = 0; srgb < 2; srgb++) {
        TEST_OK(facet_image_next_mip(scene->arena, &image, srgb, &mip, &error), &error);
        assert_pixel(&mip, 3, 4, 0, srgb ? 188 : 127);
    }
    image = make_pixels(scene, 4, chessboard);
    TEST_OK(facet_image_next_mip(scene->arena, &image, true, &mip, &error), &error);
    const int half_red[4] = {255, 0, 0, 127};
    for (uint32_t channel = 0; channel < 4; channel++)
        assert_pixel(&mip, 4, 3, channel, half_red[channel]);
    facet_scene_free(scene);
}

/* -- Real files --------------------------------------------------------- */

TEST(real_jpegs_have_the_size_of_their_header)
{
    TEST_NEEDS_CORPUS();
    /* Sizes in the SOF0 segments of the JPEG files. */
    const struct {
        const char *name;
        uint32_t width, height;
    } files[] = {{"obj/SpiderTex.jpg", 249, 250}, {"obj/engineflare1.jpg", 128, 128}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_file *file = NULL;
        facet_scene *scene = NULL;
        facet_error error;
        TEST_OK(facet_file_open(test_corpus(files[i].name), NULL, &file, &error), &error);
        facet_source source = facet_file_source(file);
        TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
        assert_int_equal(scene->images[0]->width, files[i].width);
        assert_int_equal(scene->images[0]->height, files[i].height);
        facet_scene_free(scene);
        facet_file_close(file);
    }
}
