/* BPX textures: every format, arrays, cube maps, and five header bytes with several possible
 * meanings. */
#include "support/bpx.h"

#include <facet/facet.h>
#include <math.h>
#include <stdio.h>

/* -- Round trips ------------------------------------------------------ */

/* Fill the images with bytes that all differ from one another. */
static void fill_images(facet_image *images, uint32_t count, uint32_t width, uint32_t height,
                        uint32_t channels, bool is_float)
{
    memset(images, 0, count * sizeof *images);
    for (uint32_t i = 0; i < count; i++) {
        size_t texels = (size_t)width * height * channels;
        images[i].name = "image";
        images[i].width = width;
        images[i].height = height;
        images[i].channels = channels;
        images[i].is_float = is_float;
        images[i].pixels = malloc(texels * (is_float ? 4 : 1));
        for (size_t k = 0; k < texels; k++) {
            if (is_float)
                ((float *)images[i].pixels)[k] = (float)k / 7 - 1.25F * (float)i;
            else
                ((uint8_t *)images[i].pixels)[k] = (uint8_t)(k * 37 + i * 11 + 1);
        }
    }
}

static void free_images(facet_image *images, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(images[i].pixels);
}

static facet_output *write_texture(const facet_image *images, uint32_t count,
                                   const facet_bpx_texture_options *how)
{
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    facet_bpx *made;
    const facet_image **pointers = malloc(count * sizeof *pointers);
    assert_non_null(pointers);
    for (uint32_t i = 0; i < count; i++)
        pointers[i] = &images[i];
    TEST_OK(facet_bpx_from_images(pointers, count, how, NULL, &made, &error), &error);
    free(pointers);
    TEST_OK(facet_bpx_write(made, NULL, output, &error), &error);
    facet_bpx_free(made);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* TypeExt as in the layout table, and the same pixels. */
TEST(pixels_come_back)
{
    static const struct {
        uint32_t width, height, channels, count;
        bool is_float;
        facet_bpx_texture_options how;
        uint8_t extension[5];
    } cases[] = {
        {4, 2, 3, 1, false, {0}, {0, 0, 0x01, 0x01, 0}},
        {2, 64, 4, 1, false, {.mip_count = 3}, {0, 0, 0x50, 0x02, 3}},
        {8, 8, 1, 1, false, {.gpu_compress = true}, {0, 0, 0x22, 0x23, 0}},
        {16, 4, 1, 1, true, {0}, {0, 0, 0x13, 0x04, 0}},
        {4, 4, 1, 3, true, {.array = true}, {3, 0, 0x11, 0x14, 0}},
        {4, 2, 4, 1, false, {.array = true}, {1, 0, 0x01, 0x12, 0}},
        {2, 2, 3, 300, false, {.array = true}, {0x2C, 1, 0, 0x11, 0}},
        {8, 8, 3, 6, false, {.cube = true, .mip_count = 4}, {6, 0, 0x22, 0x41, 4}},
        {4, 4, 1, 6, true, {.cube = true}, {6, 0, 0x11, 0x44, 0}},
    };
    static facet_image images[300];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t count = cases[i].count;
        fill_images(images, count, cases[i].width, cases[i].height, cases[i].channels,
                    cases[i].is_float);
        facet_output *output = write_texture(images, count, &cases[i].how);
        const uint8_t *file = facet_output_data(output);
        size_t size = (size_t)facet_output_size(output);
        expect_clean(file, size);
        assert_memory_equal(file + 0x13, cases[i].extension, 5);
        bytes contents = section_contents(file, 0);
        size_t one = (size_t)cases[i].width * cases[i].height * cases[i].channels *
                     (cases[i].is_float ? 4 : 1);
        assert_int_equal(contents.size, one * count);
        for (uint32_t k = 0; k < count; k++)
            assert_memory_equal(contents.data + k * one, images[k].pixels, one);
        drop(&contents);
        facet_scene *scene = load_bpx(file, size);
        assert_int_equal(scene->image_count, count);
        for (uint32_t k = 0; k < count; k++) {
            assert_int_equal(scene->images[k]->width, cases[i].width);
            assert_int_equal(scene->images[k]->is_float, cases[i].is_float);
            assert_memory_equal(scene->images[k]->pixels, images[k].pixels, one);
        }
        /* Again through the scene: exactly the same file. */
        facet_output *again = save_bpx(scene, NULL);
        assert_int_equal(facet_output_size(again), size);
        assert_memory_equal(facet_output_data(again), file, size);
        facet_output_free(again);
        facet_scene_free(scene);
        facet_output_free(output);
        free_images(images, count);
    }
}

TEST(gray_with_alpha_becomes_rgba)
{
    static uint8_t pixels[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const uint8_t expected[16] = {1, 1, 1, 2, 3, 3, 3, 4, 5, 5, 5, 6, 7, 7, 7, 8};
    facet_image image = {.name = "", .pixels = pixels, .width = 2, .height = 2, .channels = 2};
    facet_output *output = write_texture(&image, 1, NULL);
    assert_memory_equal(facet_output_data(output) + 40, expected, 16);
    facet_output_free(output);
}

/* Radiance HDR has three channels: three equal ones become one. */
TEST(equal_floats_are_one_channel)
{
    static float pixels[12] = {1, 1, 1, 2, 2, 2, 3, 3, 3, -4, -4, -4};
    facet_error error;
    facet_output *output;
    facet_image image = {.name = "h", .pixels = pixels, .width = 2, .height = 2, .channels = 3};
    image.is_float = true;
    output = write_texture(&image, 1, NULL);
    for (int i = 0; i < 4; i++)
        assert_true(get_float(facet_output_data(output) + 40 + i * 4) == pixels[i * 3]);
    facet_output_free(output);
    pixels[4] = 2.5F;
    facet_bpx *made;
    const facet_image *images[1] = {&image};
    assert_int_equal(facet_bpx_from_images(images, 1, NULL, NULL, &made, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "BPX-T-FORMAT");
}

/* -- Refused images ---------------------------------------------------- */

TEST(what_does_not_fit_is_refused)
{
    static const struct {
        uint32_t width, height, count, odd_width; /* odd_width: of the last image; 0: as others */
        facet_bpx_texture_options how;
        const char *rule;
    } cases[] = {
        {3, 4, 1, 0, {0}, "BPX-T-POWER"},           {4, 1, 1, 0, {0}, "BPX-T-POWER"},
        {4, 4, 2, 8, {0}, "BPX-T-ALIKE"},           {4, 4, 5, 0, {.cube = true}, "BPX-T-CUBE"},
        {4, 2, 6, 0, {.cube = true}, "BPX-T-CUBE"}, {4, 4, 1, 0, {.mip_count = 4}, "BPX-T-MIPS"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_image images[6];
        const facet_image *pointers[6];
        facet_bpx *made;
        facet_error error;
        fill_images(images, cases[i].count, cases[i].width, cases[i].height, 3, false);
        if (cases[i].odd_width)
            images[cases[i].count - 1].width = cases[i].odd_width;
        for (uint32_t k = 0; k < cases[i].count; k++)
            pointers[k] = &images[k];
        assert_int_equal(
            facet_bpx_from_images(pointers, cases[i].count, &cases[i].how, NULL, &made, &error),
            FACET_ERROR_UNSUPPORTED);
        assert_string_equal(error.rule, cases[i].rule);
        free_images(images, cases[i].count);
    }
}

/* -- Ambiguous headers -------------------------------------------------- */

static facet_bpx_texture read_texture(const uint8_t extension[5], size_t size,
                                      const char **deviation)
{
    bytes pixels = {0};
    while (pixels.size < size)
        put_u8(&pixels, (unsigned)pixels.size & 255);
    section_of section = {0, 0, &pixels};
    bytes file = build_file('T', extension, &section, 1);
    facet_bpx *document;
    facet_bpx_texture texture;
    facet_error error;
    TEST_OK(facet_bpx_read(TEST_SOURCE(file.data, file.size), NULL, &document, &error), &error);
    TEST_OK(facet_bpx_get_texture(document, &texture, deviation, &error), &error);
    assert_memory_equal(texture.pixels, pixels.data, size);
    texture.pixels = NULL;
    facet_bpx_free(document);
    drop(&file);
    drop(&pixels);
    return texture;
}

/* 16 x 2 RGBA in every spelling that the reader accepts. */
TEST(every_reading_is_taken)
{
    static const struct {
        uint8_t extension[5];
        size_t images;
        const char *deviation;
    } cases[] = {
        {{0, 0, 0x03, 0x02, 5}, 1, NULL},               /* the specified layout */
        {{0, 0, 0x30, 0x20, 5}, 1, "BPX-T-NIBBLES"},    /* first field in the high nibble */
        {{0x03, 0x02, 5, 0, 0}, 1, "BPX-T-NIBBLES"},    /* the previous day's order */
        {{0x03, 0x12, 5, 2, 0}, 2, "BPX-T-NIBBLES"},    /* the same, an array */
        {{7, 0, 0x03, 0x02, 5}, 1, NULL},               /* a count without a flag: ignored */
        {{7, 0, 0x03, 0x02, 5}, 7, "BPX-T-ARRAY-FLAG"}, /* unless only it fits */
        {{0, 0, 0x03, 0x12, 5}, 1, NULL},               /* a flag without a count */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *deviation = "unset";
        facet_bpx_texture t =
            read_texture(cases[i].extension, cases[i].images * 16 * 2 * 4, &deviation);
        assert_int_equal(t.width, 16);
        assert_int_equal(t.height, 2);
        assert_int_equal(t.format, FACET_BPX_RGBA);
        assert_int_equal(t.mip_count, 5);
        assert_int_equal(t.image_count, cases[i].images);
        if (cases[i].deviation)
            assert_string_equal(deviation, cases[i].deviation);
        else
            assert_null(deviation);
    }
}

/* -- Real images -------------------------------------------------------- */

/* The texture as PNG; textures of floats as Radiance HDR. */
static facet_status keep_first(void *user, const char *name, const void *data, size_t size,
                               facet_error *error)
{
    bytes *kept = user;
    (void)error;
    assert_non_null(strchr(name, '.'));
    if (!kept->data)
        put_bytes(kept, data, size);
    return FACET_OK;
}

TEST(real_images_come_back)
{
    static const char *const names[] = {"gltf/Fox.glb", "gltf/CesiumMan.glb"};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        facet_file *file;
        facet_scene *scene, *back;
        facet_error error;
        TEST_OK(facet_file_open(test_corpus(names[i]), NULL, &file, &error), &error);
        facet_source source = facet_file_source(file);
        TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
        facet_image *image = scene->images[0];
        TEST_OK(facet_image_decode(scene->arena, image, NULL, &error), &error);
        /* Both textures of these files are square powers of two. */
        facet_output *output = write_texture(image, 1, NULL);
        bytes png = {0};
        facet_extractor extractor = {keep_first, &png};
        source = source_of_bytes(facet_output_data(output), (size_t)facet_output_size(output));
        TEST_OK(facet_extract(&source, NULL, NULL, &extractor, &error), &error);
        source = source_of_bytes(png.data, png.size);
        TEST_OK(facet_load(&source, facet_format_named("png"), NULL, NULL, &back, &error), &error);
        TEST_OK(facet_image_decode(back->arena, back->images[0], NULL, &error), &error);
        assert_int_equal(back->images[0]->channels, image->channels);
        assert_memory_equal(back->images[0]->pixels, image->pixels,
                            (size_t)image->width * image->height * image->channels);
        drop(&png);
        facet_output_free(output);
        facet_scene_free(back);
        facet_scene_free(scene);
        facet_file_close(file);
    }
}
