/* Images of a scene as GX textures with mip levels, and back, and the reported losses. */
#include "support/gx.h"

#include <facet/image.h>

static facet_status encode_image(facet_scene *scene, uint32_t width, uint32_t height,
                                 uint32_t channels, uint8_t *pixels,
                                 const facet_gx_texture_options *how, const facet_options *options,
                                 facet_gx_texture *texture, facet_error *error)
{
    facet_image image = {
        .name = "a", .pixels = pixels, .width = width, .height = height, .channels = channels};
    return facet_gx_encode_image(scene->arena, &image, how, options, texture, error);
}

TEST(images_get_mip_levels)
{
    facet_error error;
    facet_scene *scene = NULL;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    static uint8_t pixels[64 * 64 * 3];
    memset(pixels, 85, sizeof pixels); /* a gray that I4 represents */
    static const struct {
        uint32_t width, height, levels, expected;
    } cases[] = {{64, 32, 0, 1},  {64, 32, 3, 3}, {64, 32, FACET_GX_ALL_LEVELS, 7},
                 {64, 32, 50, 7}, {48, 32, 2, 2}, {48, 32, FACET_GX_ALL_LEVELS, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_gx_texture texture;
        facet_gx_texture_options how = {
            .has_format = true, .format = FACET_GX_IA4, .levels = cases[i].levels};
        TEST_OK(encode_image(scene, cases[i].width, cases[i].height, 3, pixels, &how, NULL,
                             &texture, &error),
                &error);
        assert_int_equal(texture.levels, cases[i].expected);
        assert_int_equal(texture.size,
                         size_of(FACET_GX_IA4, cases[i].width, cases[i].height, cases[i].expected));
        for (size_t k = 0; k < texture.size; k++)
            assert_int_equal(texture.data[k], 0xF5); /* opaque, and 5 * 17 at every level */
    }
    facet_scene_free(scene);
}

/* A level has the texels of the file, not the mean of the level above. I8 of 8 x 4, all 10, then 4
 * x 2, in a block of 8 x 4, all 200, then 2 x 1 of 30. If the bytes of the last level are
 * incomplete, it is ignored. */
TEST(smaller_levels_are_read_from_the_file)
{
    uint8_t data[96];
    memset(data, 10, 32);
    memset(data + 32, 200, 32);
    memset(data + 64, 30, 32);
    for (size_t size = 32; size <= 96; size += 16) {
        facet_error error;
        facet_scene *scene = NULL;
        facet_image *image;
        facet_gx_texture texture = {FACET_GX_I8, 8, 4, 3, data, size, {0}};
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        TEST_OK(facet_scene_add_image(scene, "a", &image, &error), &error);
        TEST_OK(facet_gx_decode_image(scene->arena, &texture, NULL, image, &error), &error);
        assert_int_equal(image->smaller_count, size / 32 - 1);
        for (size_t i = 0; i < 4 * 2 * 4 && image->smaller_count > 0; i++)
            assert_int_equal(image->smaller[i], 200);
        for (size_t i = 0; i < 2 * 4 && image->smaller_count > 1; i++)
            assert_int_equal(image->smaller[4 * 2 * 4 + i], 30);
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        facet_scene *copy = NULL;
        TEST_OK(facet_scene_copy(scene, NULL, &copy, &error), &error);
        facet_scene_free(scene);
        assert_int_equal(copy->images[0]->smaller_count, size / 32 - 1);
        if (size == 96)
            assert_int_equal(copy->images[0]->smaller[4 * 2 * 4 + 7], 30);
        copy->images[0]->smaller_count = 4; /* 4 x 2, 2 x 1 and 1 x 1 are all possible levels */
        assert_int_equal(facet_scene_check(copy, NULL, &error), FACET_ERROR_ARGUMENT);
        facet_scene_free(copy);
    }
}

TEST(losses_of_an_image_are_reported)
{
    static const struct {
        uint32_t texel;
        facet_gx_format format;
        const char *rule;
    } cases[] = {{0xFF0000FF, FACET_GX_IA8, "LOSS-PIXELS"},
                 {0x80808080, FACET_GX_RGB565, "LOSS-PIXELS"},
                 {0x80808080, FACET_GX_CMPR, "LOSS-PIXELS"},
                 {0x81808080, FACET_GX_I8, "LOSS-PIXELS"},
                 {0x80808080, FACET_GX_I8, NULL},
                 {0xFF0000FF, FACET_GX_CMPR, NULL},
                 {0x000000FF, FACET_GX_CMPR, NULL},
                 {0x800000FF, FACET_GX_C8, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_scene *scene = NULL;
        facet_report *report = NULL;
        uint8_t pixels[4];
        facet_store_u32le(pixels, cases[i].texel);
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_options options = {.report = report};
        facet_gx_texture_options how = {.has_format = true, .format = cases[i].format};
        facet_gx_texture texture;
        TEST_OK(encode_image(scene, 1, 1, 4, pixels, &how, &options, &texture, &error), &error);
        assert_int_equal(facet_report_count(report),
                         (cases[i].rule != NULL) + (test_finding(report, "GX-ROUNDED") != NULL));
        assert_true(!cases[i].rule || test_finding(report, cases[i].rule));
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

TEST(rounded_channels_are_reported)
{
    /* Five bits store 99 = 12 << 3 | 12 >> 2 and 107 = 13 << 3 | 13 >> 2, six bits 101 = 25 << 2 |
     * 25 >> 4. 103 is 4 away from both of its neighbors. */
    static const struct {
        uint8_t texel[4];
        facet_gx_format format;
        const char *rule, *said;
    } cases[] = {{{99, 101, 107, 255}, FACET_GX_RGB565, NULL, NULL},
                 {{100, 101, 107, 255}, FACET_GX_RGB565, "GX-ROUNDED", "off by 1 of 255"},
                 {{100, 101, 103, 255}, FACET_GX_RGB565, "GX-ROUNDED", "off by 4 of 255"},
                 {{100, 101, 103, 255}, FACET_GX_RGBA32, NULL, NULL},
                 {{100, 101, 103, 0}, FACET_GX_RGB5A3, NULL, NULL},
                 {{17, 17, 17, 1}, FACET_GX_IA4, "GX-ROUNDED", "off by 1 of 255"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_scene *scene = NULL;
        facet_report *report = NULL;
        uint8_t pixels[4];
        memcpy(pixels, cases[i].texel, 4);
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_gx_texture texture;
        facet_gx_texture_options how = {.has_format = true, .format = cases[i].format};
        facet_options options = {.report = report};
        TEST_OK(encode_image(scene, 1, 1, 4, pixels, &how, &options, &texture, &error), &error);
        assert_int_equal(facet_report_count(report), cases[i].rule != NULL);
        const facet_finding *finding = cases[i].rule ? test_finding(report, cases[i].rule) : NULL;
        assert_true(!cases[i].rule || (finding && strstr(finding->message, cases[i].said)));
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

TEST(invalid_sizes_are_refused)
{
    facet_error error;
    facet_scene *scene = NULL;
    static uint8_t pixels[1025];
    facet_gx_texture texture;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    assert_int_equal(encode_image(scene, 1025, 1, 1, pixels, NULL, NULL, &texture, &error),
                     FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "GX-SIZE");
    assert_int_equal(encode_image(scene, 4, 4, 1, NULL, NULL, NULL, &texture, &error),
                     FACET_ERROR_ARGUMENT);
    TEST_OK(encode_image(scene, 1024, 1, 1, pixels, NULL, NULL, &texture, &error), &error);
    /* A larger size than the data: no memory is allocated. */
    facet_gx_texture huge = {FACET_GX_RGBA32, 65535, 65535, 1, pixels, sizeof pixels, {0}};
    facet_image image = {0};
    assert_int_equal(facet_gx_decode_image(scene->arena, &huge, NULL, &image, &error),
                     FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "GX-TRUNCATED");
    assert_null(image.pixels);
    facet_scene_free(scene);
}

/* PNG pixels of 1, 2, 3 and 4 channels, returned as 3 or 4. */
TEST(image_channels_survive_the_round_trip)
{
    static const uint8_t pixels[8] = {10, 20, 30, 255, 40, 50, 60, 255};
    static const uint32_t expected[4][2] = {{0xFF0A0A0A, 0xFF141414},
                                            {0x140A0A0A, 0xFF1E1E1E},
                                            {0xFF1E140A, 0xFF3228FF},
                                            {0xFF1E140A, 0xFF3C3228}};
    for (uint32_t channels = 1; channels <= 4; channels++) {
        facet_error error;
        facet_scene *scene = NULL;
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        facet_gx_texture_options how = {.has_format = true, .format = FACET_GX_RGBA32};
        facet_gx_texture texture;
        uint8_t copy[8];
        memcpy(copy, pixels, 8);
        TEST_OK(encode_image(scene, 2, 1, channels, copy, &how, NULL, &texture, &error), &error);
        facet_image image = {.name = "kept"};
        TEST_OK(facet_gx_decode_image(scene->arena, &texture, NULL, &image, &error), &error);
        assert_string_equal(image.name, "kept");
        assert_int_equal(image.channels, channels == 2 ? 4 : 3);
        for (uint32_t i = 0; i < 2; i++) {
            for (uint32_t c = 0; c < image.channels; c++)
                assert_int_equal(((uint8_t *)image.pixels)[i * image.channels + c],
                                 expected[channels - 1][i] >> (c * 8) & 255);
        }
        facet_scene_free(scene);
    }
}

static facet_status attempt_all(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_error error;
    facet_scene *scene = NULL;
    facet_status status = facet_scene_create(&options, &scene, &error);
    if (status)
        return status;
    facet_gx_texture_options how = {.has_format = true,
                                    .format = FACET_GX_C4,
                                    .levels = FACET_GX_ALL_LEVELS,
                                    .encode = {0, true}};
    facet_gx_texture texture;
    facet_image image = {0};
    status = encode_image(scene, 16, 16, 3, user, &how, &options, &texture, &error);
    if (!status)
        status = facet_gx_decode_image(scene->arena, &texture, &options, &image, &error);
    facet_scene_free(scene);
    return status;
}

TEST(images_report_failed_allocations)
{
    uint8_t pixels[16 * 16 * 3];
    fill(pixels, sizeof pixels, 6);
    test_every_allocation(attempt_all, pixels);
}
