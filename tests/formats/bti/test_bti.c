/* BTI files: headers, scenes and back. */
#include "formats/bti/describe.h"
#include "support/support.h"

#include "base/bytes.h"
#include "gx/bti_texture.h"

#include <facet/bti.h>
#include <facet/convert.h>
#include <facet/image.h>
#include <stdio.h>
#include <stdlib.h>

/* A checker of 8 x 8 texels in I4: the header and the texels of the smallest complete file,
 * written from the description of the format. */
static const uint8_t checker[64] = {
    0x00, 0x00, 0x00, 0x08, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20,
    0x00, 0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20,
    0xF0, 0xF0, 0xF0, 0xF0, 0x0F, 0x0F, 0x0F, 0x0F, 0xF0, 0xF0, 0xF0, 0xF0, 0x0F, 0x0F, 0x0F, 0x0F,
    0xF0, 0xF0, 0xF0, 0xF0, 0x0F, 0x0F, 0x0F, 0x0F, 0xF0, 0xF0, 0xF0, 0xF0, 0x0F, 0x0F, 0x0F, 0x0F};

static const facet_format *bti(void)
{
    return facet_format_named("bti");
}

static facet_scene *load(const uint8_t *data, size_t size, facet_report *report)
{
    facet_source source = facet_source_from_memory(data, size, "folder/brick.wall.bti");
    facet_options options = {.report = report};
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_load(&source, bti(), NULL, &options, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

/* The bytes of a scene as BTI. The caller frees *output. */
static const uint8_t *save(const facet_scene *scene, const facet_options *options,
                           facet_output **output, size_t *size)
{
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, output, &error), &error);
    TEST_OK(facet_save(scene, bti(), options, *output, &error), &error);
    TEST_OK(facet_output_commit(*output, &error), &error);
    *size = (size_t)facet_output_size(*output);
    return facet_output_data(*output);
}

/* -- Headers ------------------------------------------------------------ */

TEST(header_load_and_store_are_inverse)
{
    /* All bytes differ. */
    uint8_t bytes[32], again[32];
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(0x81 + i * 7);
    facet_bti_header h;
    facet_bti_header_load(bytes, &h);
    facet_bti_header_store(&h, again);
    assert_memory_equal(bytes, again, 32);
    assert_int_equal(h.format, bytes[0]);
    assert_int_equal(h.width, bytes[2] << 8 | bytes[3]);
    assert_int_equal(h.palette_count, bytes[10] << 8 | bytes[11]);
    assert_int_equal(h.min_lod, (int8_t)bytes[0x16]);
    assert_int_equal(h.unused, bytes[0x19]);
    assert_int_equal(h.lod_bias, (int16_t)(bytes[0x1A] << 8 | bytes[0x1B]));
    assert_int_equal(h.image_offset, facet_load_u32be(bytes + 0x1C));
}

/* -- Scenes ------------------------------------------------------------- */

TEST(checker_survives_a_round_trip)
{
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = load(checker, sizeof checker, report);
    assert_int_equal(facet_report_count(report), 0);
    assert_int_equal(scene->image_count, 1);
    const facet_image *image = scene->images[0];
    assert_string_equal(image->name, "brick.wall");
    assert_int_equal(image->width, 8);
    assert_int_equal(image->height, 8);
    assert_int_equal(image->channels, 4); /* intensity is also alpha */
    for (int i = 0; i < 64; i++) {
        int expected = (i / 8 + i % 8) % 2 ? 0 : 255;
        for (int c = 0; c < 4; c++)
            assert_int_equal(((uint8_t *)image->pixels)[i * 4 + c], expected);
    }
    /* The file is written back to the same bytes. */
    facet_output *output;
    size_t size;
    const uint8_t *data = save(scene, NULL, &output, &size);
    assert_int_equal(size, sizeof checker);
    assert_memory_equal(data, checker, sizeof checker);
    facet_output_free(output);
    facet_scene_free(scene);

    facet_source source = facet_source_from_memory(checker, sizeof checker, "a.bti");
    assert_ptr_equal(facet_format_probe(&source), bti());
    TEST_OK(facet_check(&source, NULL, NULL, report, &error), &error);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
}

/* Keep the sampler fields that a scene cannot represent. */
TEST(sampler_and_unset_bytes_are_kept)
{
    /* Wrap, filters, LOD, bias, anisotropy, and bytes that writers leave unset. */
    static const uint8_t places[][2] = {
        {0x01, 0xCC}, {0x06, 2}, {0x07, 0},    {0x11, 1},    {0x12, 1},    {0x13, 2},   {0x14, 0},
        {0x15, 0},    {0x16, 8}, {0x17, 0xF8}, {0x19, 0x5A}, {0x1A, 0xFF}, {0x1B, 0x85}};
    uint8_t bytes[64];
    memcpy(bytes, checker, 64);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        bytes[places[i][0]] = places[i][1];
    facet_scene *scene = load(bytes, 64, NULL);
    assert_non_null(scene->images[0]->gx_file);
    facet_output *output;
    size_t size;
    const uint8_t *data = save(scene, NULL, &output, &size);
    assert_int_equal(size, 64);
    assert_memory_equal(data, bytes, 64);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* A scene with one image that was not read from a BTI file. */
static facet_scene *picture(uint32_t width, uint32_t height, uint32_t channels)
{
    facet_scene *scene = NULL;
    facet_image *image = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_image(scene, "picture", &image, &error), &error);
    uint8_t *pixels = facet_scene_allocate(scene, (size_t)width * height, channels);
    for (uint32_t i = 0; i < width * height; i++) {
        for (uint32_t c = 0; c < channels; c++)
            pixels[i * channels + c] = (uint8_t)(c == 3 ? i * 37 : i * (c + 3));
    }
    image->pixels = pixels;
    image->width = width;
    image->height = height;
    image->channels = channels;
    return scene;
}

TEST(new_texture_gets_default_fields)
{
    static const struct {
        uint32_t width, height, channels;
        facet_bti_options options;
        uint8_t format, transparency, wrap, mipmaps, min_filter, max_lod, levels;
        size_t size;
    } cases[] = {
        /* Opaque colors: CMPR, repeated. */
        {32, 16, 3, {0}, 14, 1, 1, 0, 1, 0, 1, 256},
        {32, 16, 3, {.levels = 2}, 14, 1, 1, 1, 5, 8, 2, 256 + 64},
        /* 32 x 16, 16 x 8, 8 x 4, and three more levels of one block each. */
        {32, 16, 3, {.levels = UINT32_MAX}, 14, 1, 1, 1, 5, 40, 6, 256 + 64 + 4 * 32},
        /* Sides that are not powers of two: clamped, one level. */
        {20, 12, 3, {.levels = UINT32_MAX}, 14, 1, 0, 0, 1, 0, 1, 6 * 32},
        {32, 16, 1, {0}, 3, 2, 1, 0, 1, 0, 1, 1024},
        {32, 16, 4, {0}, 6, 2, 1, 0, 1, 0, 1, 2048},
        {32, 16, 3, {.format = "RGB565"}, 4, 0, 1, 0, 1, 0, 1, 1024},
        {32, 16, 3, {.format = "auto"}, 14, 1, 1, 0, 1, 0, 1, 256},
        /* Palettes come first, with space for 16 or 256 entries. */
        {32, 16, 3, {.format = "C4"}, 8, 0, 1, 0, 1, 0, 1, 32 + 256},
        {32, 16, 3, {.format = "ci8"}, 9, 0, 1, 0, 1, 0, 1, 512 + 512},
        {32, 16, 4, {.format = "C8"}, 9, 2, 1, 0, 1, 0, 1, 512 + 512},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene = picture(cases[i].width, cases[i].height, cases[i].channels);
        facet_output *output;
        size_t size;
        const uint8_t *data =
            save(scene, &(facet_options){.bti = &cases[i].options}, &output, &size);
        assert_int_equal(data[0x00], cases[i].format);
        assert_int_equal(data[0x01], cases[i].transparency);
        assert_int_equal(facet_load_u16be(data + 2), cases[i].width);
        assert_int_equal(facet_load_u16be(data + 4), cases[i].height);
        assert_int_equal(data[0x06], cases[i].wrap);
        assert_int_equal(data[0x07], cases[i].wrap);
        assert_int_equal(data[0x08], cases[i].format >= 8 && cases[i].format <= 10);
        assert_int_equal(data[0x10], cases[i].mipmaps);
        assert_int_equal(data[0x14], cases[i].min_filter);
        assert_int_equal(data[0x15], 1);
        assert_int_equal(data[0x17], cases[i].max_lod);
        assert_int_equal(data[0x18], cases[i].levels);
        assert_int_equal(size, 32 + cases[i].size);
        /* The written file breaks no rule. */
        facet_report *report = NULL;
        facet_error error;
        facet_source source = facet_source_from_memory(data, size, NULL);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_check(&source, bti(), NULL, report, &error), &error);
        assert_int_equal(facet_report_count(report), 0);
        facet_report_free(report);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* If the format or the number of levels changes, the dependent fields change with it. */
TEST(changed_format_updates_dependent_fields)
{
    facet_scene *scene = load(checker, sizeof checker, NULL);
    facet_bti_options how = {.format = "IA8", .levels = 3};
    facet_options options = {.bti = &how};
    facet_output *output;
    size_t size;
    const uint8_t *data = save(scene, &options, &output, &size);
    assert_int_equal(size, 32 + 128 + 32 + 32);
    assert_int_equal(data[0x00], 3);
    assert_int_equal(data[0x01], 2);
    assert_int_equal(data[0x06], 1); /* kept */
    assert_int_equal(data[0x10], 1);
    assert_int_equal(data[0x14], 5);
    assert_int_equal(data[0x17], 16);
    assert_int_equal(data[0x18], 3);
    facet_scene *again = load(data, size, NULL);
    assert_memory_equal(again->images[0]->pixels, scene->images[0]->pixels, 8 * 8 * 4);
    /* Back to one level: the filter does not use several levels. */
    how.levels = 1;
    facet_output *other;
    data = save(again, &options, &other, &size);
    assert_int_equal(data[0x10], 0);
    assert_int_equal(data[0x14], 1);
    assert_int_equal(data[0x17], 0);
    facet_output_free(other);
    facet_output_free(output);
    facet_scene_free(again);
    facet_scene_free(scene);

    how.format = "DXT5";
    scene = picture(4, 4, 3);
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_save(scene, bti(), &options, output, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "GX-FORMAT");
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(save_refuses_unsupported_scenes)
{
    facet_scene *scene = NULL;
    facet_output *output;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_save(scene, bti(), NULL, output, &error), FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "IMAGE-SCENE");
    facet_scene_free(scene);
    scene = picture(1025, 1, 1);
    assert_int_equal(facet_save(scene, bti(), NULL, output, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "GX-SIZE");
    facet_scene_free(scene);
    facet_output_free(output);
}

/* -- Copy --------------------------------------------------------------- */

TEST(copy_keeps_every_byte)
{
    uint8_t bytes[80];
    memcpy(bytes, checker, 64);
    memset(bytes + 64, 0xEE, 16); /* after the texels */
    bytes[0x19] = 0x77;
    facet_source source = facet_source_from_memory(bytes, sizeof bytes, NULL);
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_copy(&source, bti(), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), sizeof bytes);
    assert_memory_equal(facet_output_data(output), bytes, sizeof bytes);
    facet_output_free(output);
}

/* -- Documents ---------------------------------------------------------- */

TEST(document_points_to_the_texels)
{
    uint8_t bytes[80];
    memcpy(bytes, checker, 64);
    memset(bytes + 64, 0xEE, 16);
    facet_source source = facet_source_from_memory(bytes, sizeof bytes,
                                                   "folder/a\xFF"
                                                   "b.c.bti");
    facet_bti *document = NULL;
    facet_gx_texture texture;
    facet_error error;
    TEST_OK(facet_bti_read(&source, NULL, &document, &error), &error);
    assert_string_equal(document->name, "a\xEF\xBF\xBD"
                                        "b.c"); /* a byte that is not UTF-8 */
    assert_int_equal(document->header.width, 8);
    assert_ptr_equal(document->data, bytes + 32);
    assert_int_equal(document->size, 48);
    TEST_OK(facet_bti_get_texture(document, &texture, &error), &error);
    assert_int_equal(texture.format, FACET_GX_I4);
    assert_int_equal(texture.levels, 1);
    assert_ptr_equal(texture.data, bytes + 32);
    facet_bti_free(document);
    facet_bti_free(NULL);
}

/* A document that a program fills in is written if it is a texture, else refused. */
TEST(document_by_hand)
{
    facet_bti document = {.data = checker + 32, .size = 32};
    facet_output *output;
    facet_scene *scene = NULL;
    facet_error error;
    facet_bti_header_load(checker, &document.header);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    static const struct {
        uint32_t image_offset;
        size_t size;
    } wrong[] = {{31, 32}, {33, 32}, {32, 31}, {UINT32_MAX, 32}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        facet_bti broken = document;
        broken.header.image_offset = wrong[i].image_offset;
        broken.size = wrong[i].size;
        assert_int_equal(facet_bti_write(&broken, NULL, output, &error), FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "BTI-IMAGE");
        assert_int_equal(facet_bti_to_scene(&broken, NULL, NULL, &scene, &error),
                         FACET_ERROR_MALFORMED);
        assert_null(scene);
    }
    facet_bti empty = document;
    empty.data = NULL;
    assert_int_equal(facet_bti_write(&empty, NULL, output, &error), FACET_ERROR_ARGUMENT);
    TEST_OK(facet_bti_write(&document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), sizeof checker);
    assert_memory_equal(facet_output_data(output), checker, sizeof checker);
    facet_output_free(output);
    TEST_OK(facet_bti_to_scene(&document, NULL, NULL, &scene, &error), &error);
    assert_string_equal(scene->images[0]->name, "");
    facet_scene_free(scene);
}

/* -- Errors ------------------------------------------------------------- */

static void set16(uint8_t *bytes, size_t at, uint16_t value)
{
    facet_store_u16be(bytes + at, value);
}

TEST(read_errors_have_rule_and_offset)
{
    static const struct {
        size_t at;
        uint32_t value; /* 4 bytes, big-endian */
        size_t size;
        const char *rule;
        uint64_t offset;
    } cases[] = {
        {0x00, 0x07000008, 64, "BTI-FORMAT", 0},   {0x00, 0x00000000, 64, "BTI-SIZE", 2},
        {0x04, 0x00000101, 64, "BTI-SIZE", 2},     {0x1C, 0, 64, "BTI-IMAGE", 0x1C},
        {0x1C, 0x1F, 64, "BTI-IMAGE", 0x1C},       {0x1C, 0x21, 64, "BTI-IMAGE", 0x1C},
        {0x1C, 0xFFFFFFFF, 64, "BTI-IMAGE", 0x1C}, {0x1C, 0x20, 63, "BTI-IMAGE", 0x1C},
        {0x00, 0x0000FFFF, 64, "BTI-IMAGE", 0x1C}, {0x00, 0x08000008, 64, "BTI-PALETTE", 8},
        {0x1C, 0x20, 31, "BTI-HEADER", 31},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *bytes = malloc(cases[i].size), whole[64];
        memcpy(whole, checker, 64);
        facet_store_u32be(whole + cases[i].at, cases[i].value);
        memcpy(bytes, whole, cases[i].size);
        facet_source source = facet_source_from_memory(bytes, cases[i].size, NULL);
        facet_scene *scene = NULL;
        facet_error error;
        assert_int_equal(facet_load(&source, bti(), NULL, NULL, &scene, &error),
                         FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, cases[i].rule);
        assert_int_equal(error.offset, cases[i].offset);
        assert_null(scene);
        /* The check reports the same as an error. */
        facet_report *report = NULL;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_check(&source, bti(), NULL, report, &error), &error);
        const facet_finding *finding = test_finding(report, cases[i].rule);
        assert_non_null(finding);
        assert_int_equal(finding->severity, FACET_SEVERITY_ERROR);
        facet_report_free(report);
        free(bytes);
    }
}

TEST(check_reports_unusual_fields)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *rule;
        facet_severity severity;
    } cases[] = {
        {0x06, 3, "BTI-WRAP", FACET_SEVERITY_WARNING},
        {0x14, 6, "BTI-FILTER", FACET_SEVERITY_WARNING},
        {0x15, 2, "BTI-FILTER", FACET_SEVERITY_WARNING},
        {0x13, 3, "BTI-ANISOTROPY", FACET_SEVERITY_WARNING},
        {0x17, 8, "BTI-LOD", FACET_SEVERITY_WARNING},
        {0x18, 5, "BTI-LEVELS", FACET_SEVERITY_WARNING},
        {0x08, 1, "BTI-PALETTE", FACET_SEVERITY_WARNING},
        {0x03, 7, "BTI-SIZE", FACET_SEVERITY_WARNING},
        {0x01, 3, "BTI-TRANSPARENCY", FACET_SEVERITY_NOTE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[64];
        facet_report *report = NULL;
        facet_error error;
        memcpy(bytes, checker, 64);
        bytes[cases[i].at] = cases[i].value;
        facet_source source = facet_source_from_memory(bytes, 64, NULL);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_check(&source, bti(), NULL, report, &error), &error);
        const facet_finding *finding = test_finding(report, cases[i].rule);
        if (!finding)
            fail_msg("no finding %s", cases[i].rule);
        assert_int_equal(finding->severity, cases[i].severity);
        assert_true(finding->offset <= cases[i].at && finding->offset + 2 >= cases[i].at);
        facet_report_free(report);
    }
}

/* The console loads texels and palettes from multiples of 32. */
TEST(check_reports_misaligned_offsets)
{
    for (int moved = 0; moved < 2; moved++) { /* the palette, then the texels */
        uint8_t bytes[32 + 32 + 40] = {0};
        facet_report *report = NULL;
        facet_error error;
        memcpy(bytes, checker, 32);
        bytes[0x00] = FACET_GX_C4;
        bytes[0x08] = 1;
        set16(bytes, 0x0A, 16);
        facet_store_u32be(bytes + 0x0C, moved == 0 ? 72 : 32);
        facet_store_u32be(bytes + 0x1C, moved == 0 ? 32 : 72);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_check(TEST_SOURCE(bytes, sizeof bytes), bti(), NULL, report, &error), &error);
        const facet_finding *finding = test_finding(report, "BTI-ALIGNMENT");
        assert_non_null(finding);
        assert_int_equal(finding->severity, FACET_SEVERITY_ERROR);
        assert_int_equal(finding->offset, moved == 0 ? 0x0C : 0x1C);
        facet_report_free(report);
    }
}

/* Sides are judged one by one: only one that repeats must be a power of two. */
TEST(check_judges_each_side)
{
    static const struct {
        uint8_t width, height, wrap_s, wrap_t;
        bool is_found;
    } cases[] = {
        {7, 8, 0, 1, false}, {7, 8, 1, 0, true},  {8, 7, 1, 0, false}, {8, 7, 0, 2, true},
        {7, 7, 0, 0, false}, {8, 8, 1, 2, false}, {7, 7, 0, 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[64];
        facet_report *report = NULL;
        facet_error error;
        memcpy(bytes, checker, 64);
        bytes[0x03] = cases[i].width;
        bytes[0x05] = cases[i].height;
        bytes[0x06] = cases[i].wrap_s;
        bytes[0x07] = cases[i].wrap_t;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_check(TEST_SOURCE(bytes, 64), bti(), NULL, report, &error), &error);
        assert_int_equal(test_finding(report, "BTI-SIZE") != NULL, cases[i].is_found);
        facet_report_free(report);
    }
}

/* The header promises levels that the file does not have. */
TEST(missing_levels_are_reported)
{
    uint8_t bytes[64];
    facet_report *report = NULL;
    facet_error error;
    memcpy(bytes, checker, 64);
    bytes[0x18] = 2;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = load(bytes, 64, report);
    assert_non_null(test_finding(report, "BTI-LEVELS"));
    facet_scene_free(scene);
    facet_report_free(report);
}

/* C8 with three palette entries; one texel refers to a fourth. */
TEST(palette_index_beyond_entries_is_reported)
{
    uint8_t bytes[32 + 32 + 32] = {0};
    static const uint8_t entries[] = {0xFF, 0x10, 0x80, 0x20, 0x00, 0x30};
    bytes[0x00] = 9;
    set16(bytes, 0x02, 8);
    set16(bytes, 0x04, 4);
    bytes[0x08] = 1;
    set16(bytes, 0x0A, 3);
    facet_store_u32be(bytes + 0x0C, 0x20);
    bytes[0x18] = 1;
    facet_store_u32be(bytes + 0x1C, 0x40);
    memcpy(bytes + 0x20, entries, 6);
    for (int i = 0; i < 32; i++)
        bytes[0x40 + i] = (uint8_t)(i % 3);
    bytes[0x40 + 5] = 3;
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = load(bytes, sizeof bytes, report);
    assert_non_null(test_finding(report, "GX-PALETTE-INDEX"));
    const uint8_t *pixels = scene->images[0]->pixels;
    assert_memory_equal(pixels, "\x10\x10\x10\xFF\x20\x20\x20\x80\x30\x30\x30\0", 12);
    assert_memory_equal(pixels + 20, "\0\0\0\0", 4);
    facet_report_free(report);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_source source = facet_source_from_memory(bytes, sizeof bytes, NULL);
    TEST_OK(facet_check(&source, bti(), NULL, report, &error), &error);
    assert_int_equal(facet_report_count(report), 1);
    assert_int_equal(test_finding(report, "GX-PALETTE-INDEX")->count, 1);
    facet_report_free(report);
    /* The formats of image and palette are kept, and so is the image. */
    facet_output *output;
    size_t size;
    const uint8_t *data = save(scene, NULL, &output, &size);
    assert_int_equal(data[0x00], 9);
    assert_int_equal(data[0x09], 0);
    assert_int_equal(facet_load_u16be(data + 0x0A), 4);
    facet_scene *again = load(data, size, NULL);
    assert_memory_equal(again->images[0]->pixels, pixels, 8 * 4 * 4);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- Untrusted input ---------------------------------------------------- */

static void attempt(const uint8_t *data, size_t size, void *user)
{
    facet_source source = facet_source_from_memory(data, size, NULL);
    facet_options options = {.report = user};
    facet_scene *scene = NULL;
    facet_report *report = NULL;
    facet_description *description = NULL;
    facet_error error;
    facet_format_probe(&source);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_check(&source, bti(), NULL, report, &error), &error);
    options.report = report;
    facet_status status = facet_load(&source, bti(), NULL, &options, &scene, &error);
    if (status == FACET_OK) {
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    } else {
        assert_int_equal(status, FACET_ERROR_MALFORMED);
        assert_true(facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0);
    }
    facet_scene_free(scene);
    facet_report_free(report);
    assert_int_equal(facet_describe(&source, bti(), NULL, &description, &error), status);
    facet_description_free(description);
}

TEST(any_byte_change_is_safe)
{
    test_every_mutation(checker, sizeof checker, attempt, NULL);
    for (int i = 0; i < 2; i++) {
        facet_bti_options how = {.format = i ? "C8" : "C4", .levels = 3};
        facet_options options = {.bti = &how};
        facet_scene *scene = picture(12, 9, 3);
        facet_output *output;
        size_t size;
        const uint8_t *data = save(scene, &options, &output, &size);
        test_every_mutation(data, size, attempt, NULL);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

static facet_status attempt_all(const facet_allocator *allocator, void *user)
{
    (void)user;
    facet_options options = {.allocator = allocator};
    facet_source source = facet_source_from_memory(checker, sizeof checker, "a.bti");
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_error error;
    facet_description *description = NULL;
    facet_status status = facet_load(&source, bti(), NULL, &options, &scene, &error);
    if (!status)
        status = facet_bti_check(&source, &options, NULL, &error);
    if (!status)
        status = facet_describe(&source, facet_format_named("bti"), &options, &description, &error);
    facet_description_free(description);
    if (!status)
        status = facet_output_open_memory(allocator, &output, &error);
    if (!status)
        status = facet_save(scene, bti(), &options, output, &error);
    if (!status)
        status = facet_output_commit(output, &error);
    facet_output_free(output);
    facet_scene_free(scene);
    return status;
}

TEST(any_failed_allocation_is_reported)
{
    test_every_allocation(attempt_all, NULL);
}
