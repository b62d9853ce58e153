/* Tests of J3D documents with unusual layouts, which are read and written unchanged: padding and
 * order of other exporters, unused data, older materials. */
#include "support/j3d_document.h"

#include "base/bytes.h"

#include <facet/convert.h>
#include <facet/format.h>

#define MDL3_SIZE 0x260

/* Expect that the file can be read, with a finding. */
static void expect_odd(const uint8_t *bytes, size_t size, const char *rule)
{
    facet_error error;
    facet_options options = {0};
    facet_j3d *document = NULL;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_j3d_read(TEST_SOURCE(bytes, size), &options, &document, &error), &error);
    if (!test_finding(options.report, rule))
        fail_msg("there is no finding %s", rule);
    facet_j3d_free(document);
    facet_report_free(options.report);
}

/* -- Other layouts ------------------------------------------------------ */

TEST(generation_a_pads_once)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    memcpy(bytes + TEST_J3D_GOLDEN_SHP1 + 0x56, "This is pa", 10);
    facet_j3d *document = read_file(bytes, size);
    assert_true(document->layout.generation_a);
    expect_written(document, bytes, size);
    facet_j3d_free(document);
    free(bytes);
}

/* The text and the signature of another exporter are kept. The longest run that defines the text
 * is the 23 bytes at the end of JNT1; longer runs repeat it. */
TEST(foreign_padding_is_kept)
{
    static const char usual[] = "This is padding data to alignme";
    static const char other[] = "Other text of 23 bytes.Other te";
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    memcpy(bytes + 0x10, "Another exporter", 16);
    bytes[TEST_J3D_GOLDEN_DRW1 + 0x15] = 'O';
    for (size_t at = 0x20; at + 2 < size; at++) {
        size_t run = 0;
        while (run < 31 && at + run < size && bytes[at + run] == (uint8_t)usual[run])
            run++;
        if (run >= 2)
            memcpy(bytes + at, other, run);
    }
    expect_same_copy(bytes, size);
    free(bytes);
}

/* Move MDL3 after TEX1. */
TEST(order_of_packets_and_textures)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, true), *swapped = malloc(size);
    assert_non_null(swapped);
    memcpy(swapped, bytes, TEST_J3D_GOLDEN_MDL3);
    memcpy(swapped + TEST_J3D_GOLDEN_MDL3, bytes + TEST_J3D_GOLDEN_TEX1, 0x80);
    memcpy(swapped + TEST_J3D_GOLDEN_MDL3 + 0x80, bytes + TEST_J3D_GOLDEN_MDL3, MDL3_SIZE);
    expect_same_copy(swapped, size);
    free(swapped);
    free(bytes);
}

TEST(section_count_may_be_wrong)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, true);
    for (uint8_t count = 0; count < 12; count++) {
        bytes[0x0F] = count;
        facet_j3d *document = read_file(bytes, size);
        assert_true(document->has_textures);
        facet_j3d_free(document);
        if (count != 9)
            expect_odd(bytes, size, "J3D-SECTION-COUNT");
    }
    free(bytes);
}

/* An unknown section is written again, at the end. */
TEST(unknown_section_is_kept)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, false), *more = malloc(size + 0x20);
    assert_non_null(more);
    memcpy(more, bytes, size);
    memset(more + size, 0xAB, 0x20);
    memcpy(more + size, "XYZ1\0\0\0\x20", 8);
    facet_store_u32be(more + 0x08, (uint32_t)size + 0x20);
    facet_store_u32be(more + 0x0C, 9);
    expect_same_copy(more, size + 0x20);
    expect_odd(more, size + 0x20, "J3D-SECTION-UNKNOWN");
    free(more);
    free(bytes);
}

/* Elements that no display list uses are kept, and so are the bytes after them. */
TEST(unused_elements_are_kept)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    facet_store_u32be(bytes + TEST_J3D_GOLDEN_VTX1 + 0xA0 + 36, 0x42280000);
    expect_same_copy(bytes, size);
    free(bytes);
}

/* Wrong counts in INF1 are kept while shapes and vertices stay the same. If a vertex moves, the
 * counts are those of the shapes and positions. */
TEST(counts_are_computed)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    facet_store_u32be(bytes + TEST_J3D_GOLDEN_INF1 + 0x0C, 77);
    facet_store_u32be(bytes + TEST_J3D_GOLDEN_INF1 + 0x10, 1);
    facet_j3d *document = read_file(bytes, size);
    assert_int_equal(document->hierarchy.packet_count, 77);
    expect_written(document, bytes, size);
    facet_j3d_array *positions = &document->vertices.arrays[FACET_J3D_ARRAY_POSITION];
    size_t place = (size_t)(positions->bytes - bytes);
    uint8_t moved[3 * 12 + 64];
    assert_true(positions->size <= sizeof moved);
    memcpy(moved, positions->bytes, positions->size);
    moved[0] ^= 0x80;
    positions->bytes = moved;
    uint8_t *expected = golden_copy(&size, false);
    expected[place] ^= 0x80;
    expect_written(document, expected, size);
    facet_j3d_free(document);
    free(expected);
    free(bytes);
}

/* One section has its own padding text and another has zeros: both are kept. If other data of the
 * section changes, its padding is that of the file. */
TEST(padding_changes_inside)
{
    size_t size, jnt1 = TEST_J3D_GOLDEN_JNT1;
    uint8_t *bytes = golden_copy(&size, false);
    size_t end = jnt1 + facet_load_u32be(bytes + jnt1 + 4);
    assert_memory_equal(bytes + end - 23, "This is padding data to", 23);
    memcpy(bytes + end - 23, "Twenty-three other byte", 23);
    memset(bytes + TEST_J3D_GOLDEN_SHP1 + 0x56, 0, 10);
    facet_j3d *document = read_file(bytes, size);
    expect_written(document, bytes, size);
    document->joints.items[0].translation[0] = 2;
    facet_store_u32be(bytes + jnt1 + 0x18 + 0x18, 0x40000000);
    memcpy(bytes + end - 23, document->layout.padding, 23);
    expect_written(document, bytes, size);
    facet_j3d_free(document);
    free(bytes);
}

/* A texture without an image has no texels, and is written with offset 0. */
TEST(headers_without_images)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    size_t header = size - 0x80 + 0x20;
    facet_store_u32be(bytes + header + 0x1C, 0);
    expect_odd(bytes, size, "J3D-TEX1-NO-IMAGE");
    facet_j3d *document = read_file(bytes, size);
    assert_int_equal(document->textures.items[0].image, FACET_J3D_NO_TEXELS);
    assert_int_equal(document->textures.texels_count, 0);
    facet_j3d_free(document);
    free(bytes);
}

/* Zeros between the arrays of MAT3, and the usual text elsewhere. */
TEST(zeros_between_arrays_are_kept)
{
    /* Padding after counts, the texture number and flags. */
    static const struct {
        uint16_t at, size;
    } gaps[] = {{0x32D, 3}, {0x345, 3}, {0x3B2, 2}, {0x3C5, 3}, {0x422, 2}, {0x426, 2}};
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        memset(bytes + TEST_J3D_GOLDEN_MAT3 + gaps[i].at, 0, gaps[i].size);
    facet_j3d *document = read_file(bytes, size);
    assert_int_equal(document->materials.texgen_count_count, 1);
    assert_int_equal(document->materials.texture_number_count, 1);
    assert_true(document->layout.zeros_between_materials);
    expect_written(document, bytes, size);
    facet_j3d_free(document);
    free(bytes);
}

/* Exporters store different offsets for tables without elements: 0, the end of the header, or the
 * offset of the next table. Nothing reads them. Here, a document without textures and envelopes. */
TEST(offsets_of_empty_tables_are_kept)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    facet_j3d *document = read_file(bytes, size);
    memset(&document->textures, 0, sizeof document->textures);
    memset(&document->envelopes, 0, sizeof document->envelopes);
    for (uint32_t i = 0; i < document->draw_matrices.count; i++)
        document->draw_matrices.items[i] = (facet_j3d_draw_matrix){0};
    document->materials.indirect_count = 0;
    memset(document->materials.entries[0].textures, 0xFF,
           sizeof document->materials.entries[0].textures);
    for (int i = 0; i < FACET_J3D_KNOWN_SECTIONS; i++)
        document->layout.sections[i].bytes = NULL;
    facet_error error;
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    uint8_t *written = (uint8_t *)facet_output_data(output);
    size_t total = (size_t)facet_output_size(output);
    uint32_t names = 0;
    for (size_t at = 0x20; at < total; at += facet_load_u32be(written + at + 4)) {
        if (memcmp(written + at, "EVP1", 4) == 0) { /* as if the tables began after the header */
            facet_store_u32be(written + at + 0x0C, 0x1C);
            facet_store_u32be(written + at + 0x18, 0x1C);
        } else if (memcmp(written + at, "TEX1", 4) == 0) {
            assert_int_equal(facet_load_u32be(written + at + 0x0C), 0);
            facet_store_u32be(written + at + 0x0C, 0x20);
        } else if (memcmp(written + at, "MAT3", 4) == 0) {
            names = facet_load_u32be(written + at + 0x14);
            assert_int_equal(facet_load_u32be(written + at + 0x18), names);
            facet_store_u32be(written + at + 0x18, names + 4);
        }
    }
    assert_true(names > 0);
    expect_same_copy(written, total);
    facet_output_free(output);
    facet_j3d_free(document);
    free(bytes);
}

/* The first exporters let the offset of ambient colors, and that of missing lights, point into
 * the channels. The runtime reads ambient colors there: the first four bytes of the second
 * channel. The golden model has one ambient color, at 0x340, after two channels at 0x330. */
TEST(hidden_ambient_colors)
{
    size_t size;
    uint8_t *bytes = golden_copy(&size, false), *section = bytes + TEST_J3D_GOLDEN_MAT3;
    assert_int_equal(facet_load_u32be(section + 0x2C), 0x340);
    assert_int_equal(facet_load_u32be(section + 0x34), 0x344);
    facet_store_u32be(section + 0x2C, 0x334);
    facet_store_u32be(section + 0x30, 0x334);
    facet_j3d *document = read_file(bytes, size);
    const facet_j3d_materials *m = &document->materials;
    assert_int_equal(m->channel_count, 2);
    assert_int_equal(m->light_count, 0);
    assert_int_equal(m->ambient_color_count, 1);
    assert_memory_equal(&m->ambient_colors[0], section + 0x334, 4);
    assert_int_equal(document->layout.hidden_ambient_color_count, 1);
    expect_written(document, bytes, size);
    /* A new ambient color is written where the runtime reads it. */
    m->ambient_colors[0].r = 0x77;
    facet_error error;
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_j3d *again = read_file(facet_output_data(output), (size_t)facet_output_size(output));
    assert_int_equal(again->layout.hidden_ambient_color_count, 0);
    assert_int_equal(again->materials.ambient_colors[0].r, 0x77);
    assert_int_equal(again->materials.channel_count, 2);
    facet_j3d_free(again);
    facet_output_free(output);
    facet_j3d_free(document);
    free(bytes);
}

/* A BMT without materials still announces two sections. */
TEST(texture_file_keeps_announced_section_count)
{
    uint8_t file[0x20 + 0x80] = "J3D2bmt3\0\0\0\xA0\0\0\0\2SVR3";
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    memset(file + 0x14, 0xFF, 12);
    memcpy(file + 0x20, bytes + size - 0x80, 0x80);
    facet_j3d *document = read_file(file, sizeof file);
    assert_int_equal(document->kind, FACET_J3D_BMT3);
    assert_false(document->has_materials);
    assert_int_equal(document->textures.count, 1);
    expect_written(document, file, sizeof file);
    facet_j3d_free(document);
    free(bytes);
}

/* -- SuperBMD ----------------------------------------------------------- */

/* SuperBMD writes no names into MDL3, only the count and the padding directly after it. */
TEST(bare_packet_names)
{
    static const char text[] = "This is padding data to alignme";
    size_t size;
    uint8_t *bytes = golden_copy(&size, true), *section = bytes + TEST_J3D_GOLDEN_MDL3;
    assert_memory_equal(section, "MDL3", 4);
    size_t names = facet_load_u32be(section + 0x20), end = facet_load_u32be(section + 4);
    facet_store_u16be(section + names, 0);
    memcpy(section + names + 2, text, end - names - 2);
    facet_j3d *document = read_file(bytes, size);
    assert_true(document->layout.bare_packet_names);
    assert_int_equal(document->packets.names.count, 0);
    expect_written(document, bytes, size);
    facet_j3d_free(document);
    free(bytes);
}

/* SuperBMD takes lights for 4-byte colors. The golden model has an ambient color at 0x340 and no
 * lights. Here the entry has no ambient color, and the four bytes are the "lights". */
TEST(four_byte_lights_keep_their_bytes)
{
    enum { AMBIENT = 0x84 + 0x14 };
    size_t size;
    facet_error error;
    facet_j3d_material material;
    uint8_t *bytes = golden_copy(&size, false), *section = bytes + TEST_J3D_GOLDEN_MAT3;
    facet_store_u32be(section + 0x2C, 0);
    facet_store_u32be(section + 0x30, 0x340);
    memset(section + AMBIENT, 0xFF, 4);
    facet_j3d *document = read_file(bytes, size);
    assert_int_equal(document->layout.short_light_size, 4);
    assert_int_equal(document->materials.light_count, 0);
    expect_written(document, bytes, size);
    /* Other materials remove these lights. */
    TEST_OK(facet_j3d_get_material(document, 0, &material, &error), &error);
    TEST_OK(facet_j3d_set_materials(document, &material, 1, &error), &error);
    assert_int_equal(document->layout.short_light_size, 0);
    facet_j3d_free(document);
    free(bytes);
}

static facet_output *write_file(const facet_j3d *document)
{
    facet_error error;
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* The data after the material names is aligned to 8 bytes. A table of one name has 8 bytes, the
 * letters and a NUL: the length of the name decides whether the alignment is visible. */
TEST(wide_material_names)
{
    size_t size, shown = 0;
    uint8_t *bytes = golden_copy(&size, false);
    for (size_t length = 1; length <= 8; length++) {
        char name[9] = "abcdefgh";
        name[length] = '\0';
        facet_j3d *document = read_file(bytes, size);
        document->materials.names.items[0].bytes = name;
        document->layout.wide_material_names = true;
        facet_output *output = write_file(document);
        const uint8_t *made = facet_output_data(output);
        size_t made_size = (size_t)facet_output_size(output);
        const uint8_t *section = made + TEST_J3D_GOLDEN_MAT3;
        size_t end = facet_load_u32be(section + 0x14) + 8 + length + 1;
        assert_int_equal(facet_load_u32be(section + 0x18), (end + 7) / 8 * 8);
        facet_j3d *again = read_file(made, made_size);
        assert_int_equal(again->layout.wide_material_names, (end + 3) / 4 * 4 % 8 != 0);
        shown += again->layout.wide_material_names;
        expect_written(again, made, made_size);
        facet_j3d_free(again);
        facet_output_free(output);
        facet_j3d_free(document);
    }
    assert_int_equal(shown, 4);
    free(bytes);
}

/* Some versions also align the weights of EVP1: n counts and n joints of two bytes follow a
 * header of 28 bytes. */
TEST(wide_envelope_weights_keep_their_bytes)
{
    size_t size, shown = 0;
    uint8_t *bytes = golden_copy(&size, false);
    float inverse[1][12] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    for (uint32_t n = 1; n <= 8; n++) {
        facet_j3d_envelope envelopes[8];
        facet_j3d_influence influences[8];
        for (uint32_t i = 0; i < n; i++) {
            envelopes[i] = (facet_j3d_envelope){i, 1};
            influences[i] = (facet_j3d_influence){0, 1};
        }
        facet_j3d *document = read_file(bytes, size);
        document->envelopes = (facet_j3d_envelopes){envelopes, n, influences, n, inverse, 1};
        document->layout.wide_weights = true;
        facet_output *output = write_file(document);
        const uint8_t *made = facet_output_data(output);
        size_t made_size = (size_t)facet_output_size(output);
        assert_int_equal(facet_load_u32be(made + TEST_J3D_GOLDEN_EVP1 + 0x14),
                         (28 + 3 * n + 7) / 8 * 8);
        facet_j3d *again = read_file(made, made_size);
        assert_int_equal(again->layout.wide_weights, (28 + 3 * n + 3) / 4 * 4 % 8 != 0);
        shown += again->layout.wide_weights;
        expect_written(again, made, made_size);
        facet_j3d_free(again);
        facet_output_free(output);
        facet_j3d_free(document);
    }
    assert_int_equal(shown, 4);
    free(bytes);
}

/* Two images of 8 by 8 texels, 32 bytes each. Then the first header gets 16 rows, so that its
 * image covers the second, and a header without palette gets an offset. All of this is kept until
 * an image changes. */
TEST(images_over_others)
{
    static const uint8_t texels[3][32] = {{0x11, 0x22}, {0x33}, {0x44}};
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    facet_j3d *document = read_file(bytes, size);
    facet_j3d_texture textures[2] = {document->textures.items[0], document->textures.items[0]};
    facet_j3d_texels runs[2] = {{texels[0], 32}, {texels[1], 32}};
    facet_j3d_name names[2] = {document->textures.names.items[0],
                               document->textures.names.items[0]};
    for (uint32_t i = 0; i < 2; i++) {
        textures[i].header.format = FACET_GX_I4;
        textures[i].header.width = textures[i].header.height = 8;
        textures[i].header.level_count = 1;
        textures[i].image = i;
    }
    document->textures.items = textures;
    document->textures.count = document->textures.texels_count = 2;
    document->textures.texels = runs;
    document->textures.names.items = names;
    document->textures.names.count = 2;
    facet_output *output = write_file(document);
    size_t made_size = (size_t)facet_output_size(output);
    uint8_t *made = malloc(made_size);
    assert_non_null(made);
    memcpy(made, facet_output_data(output), made_size);
    size_t tex1 = size - 0x80;
    assert_memory_equal(made + tex1, "TEX1", 4);
    facet_store_u16be(made + tex1 + 0x20 + 0x04, 16);
    facet_store_u32be(made + tex1 + 0x40 + 0x0C, 0x12340);
    facet_j3d *again = read_file(made, made_size);
    assert_int_equal(again->textures.texels[0].size, 64);
    assert_memory_equal(again->textures.texels[0].bytes + 32, texels[1], 32);
    expect_written(again, made, made_size);
    again->textures.texels[1].bytes = texels[2];
    facet_output *changed = write_file(again);
    facet_j3d *third = read_file(facet_output_data(changed), (size_t)facet_output_size(changed));
    assert_memory_equal(third->textures.texels[third->textures.items[0].image].bytes + 32,
                        texels[1], 32);
    assert_memory_equal(third->textures.texels[third->textures.items[1].image].bytes, texels[2],
                        32);
    facet_j3d_free(third);
    facet_output_free(changed);
    facet_j3d_free(again);
    free(made);
    facet_output_free(output);
    facet_j3d_free(document);
    free(bytes);
}

/* SuperBMD repeats an image for each header that shares it. */
TEST(texels_of_nothing)
{
    static const uint8_t stray[64] = {1, 2, 3};
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    facet_j3d *document = read_file(bytes, size);
    facet_j3d_texels texels[2] = {document->textures.texels[0], {stray, sizeof stray}};
    assert_int_equal(document->textures.texels_count, 1);
    document->textures.texels = texels;
    document->textures.texels_count = 2;
    facet_output *output = write_file(document);
    facet_j3d *again = read_file(facet_output_data(output), (size_t)facet_output_size(output));
    assert_int_equal(again->textures.texels_count, 2);
    assert_memory_equal(again->textures.texels[1].bytes, stray, sizeof stray);
    expect_written(again, facet_output_data(output), (size_t)facet_output_size(output));
    facet_j3d_free(again);
    facet_output_free(output);
    facet_j3d_free(document);
    free(bytes);
}

/* An indexed texture without palette: the rest of the file is readable. */
TEST(missing_palette_keeps_the_model_readable)
{
    facet_error error;
    facet_options options = {0};
    facet_j3d *document;
    facet_description *description;
    size_t size;
    uint8_t *bytes = golden_copy(&size, false);
    bytes[size - 0x80 + 0x20] = FACET_GX_C4;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_j3d_read(TEST_SOURCE(bytes, size), &options, &document, &error), &error);
    assert_non_null(test_finding(options.report, "J3D-TEX1-PALETTE"));
    assert_int_equal(document->textures.items[0].palette, FACET_J3D_NO_TEXELS);
    expect_written(document, bytes, size);
    TEST_OK(facet_describe(TEST_SOURCE(bytes, size), facet_format_named("bmd"), NULL, &description,
                           &error),
            &error);
    assert_int_equal(description->images, 1);
    facet_description_free(description);
    facet_report_free(options.report);
    facet_j3d_free(document);
    free(bytes);
}

/* HD re-releases removed the texels, but kept the offsets. Those of a C8 texture with 256 colors
 * can point to the names (at 0x60 of the section, which has 0x80 bytes) or beyond the end. The
 * model is read without the image, or without the palette. */
TEST(removed_palettes_keep_the_model_readable)
{
    for (int removed = 0; removed < 4; removed++) {
        size_t size;
        uint8_t *bytes = golden_copy(&size, false), *header = bytes + size - 0x80 + 0x20;
        bool image = removed % 2 == 1;
        header[0] = FACET_GX_C8;
        header[8] = 1;
        facet_store_u16be(header + 0x0A, 256);
        facet_store_u32be(header + 0x0C, removed < 2 ? 0x44 : 0x400); /* 0x44 + 0x20 = 0x64 */
        if (image)
            facet_store_u32be(header + 0x1C, 0x800);
        expect_odd(bytes, size, image ? "J3D-TEX1-NO-IMAGE" : "J3D-TEX1-PALETTE");
        facet_j3d *document = read_file(bytes, size);
        assert_int_equal(document->textures.items[0].palette, FACET_J3D_NO_TEXELS);
        facet_j3d_free(document);
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(
            facet_check(TEST_SOURCE(bytes, size), facet_format_named("bmd"), NULL, report, &error),
            &error);
        const facet_finding *finding = test_finding(report, "J3D-TEX1-PALETTE");
        assert_true((finding != NULL) == !image);
        facet_report_free(report);
        free(bytes);
    }
}

/* -- MAT2 --------------------------------------------------------------- */

/* The golden BMD as bmd2: the header of 0x78 bytes and the entry of 0x138 follow the format
 * description. The data after them moves by 0x20 bytes: 0x0C less in the header, 0x14 less in the
 * entry. */
static uint8_t *make_bmd2(size_t *size)
{
    static const struct {
        uint8_t from, to;
    } fields[] = {{0x10, 0x10}, {0x14, 0x14}, {0x1C, 0x18}, {0x20, 0x1C}, {0x24, 0x20},
                  {0x28, 0x24}, {0x34, 0x28}, {0x38, 0x2C}, {0x3C, 0x30}, {0x40, 0x34},
                  {0x44, 0x38}, {0x48, 0x3C}, {0x4C, 0x40}, {0x50, 0x44}, {0x54, 0x48},
                  {0x58, 0x4C}, {0x5C, 0x50}, {0x60, 0x54}, {0x64, 0x58}, {0x68, 0x5C},
                  {0x6C, 0x60}, {0x70, 0x64}, {0x74, 0x68}, {0x78, 0x6C}, {0x7C, 0x70},
                  {0x80, 0x74}};
    uint8_t *bytes = golden_copy(size, false), old[0x440];
    uint8_t *section = bytes + TEST_J3D_GOLDEN_MAT3, *entry = section + 0x78;
    memcpy(old, section, sizeof old);
    memcpy(bytes, "J3D2bmd2", 8);
    memset(bytes + 0x10, 0xFF, 16);
    memcpy(section, "MAT2", 4);
    memset(section + 0x0C, 0, 0x6C);
    facet_store_u32be(section + 0x0C, 0x78);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint32_t offset = facet_load_u32be(old + fields[i].from);
        facet_store_u32be(section + fields[i].to, offset ? offset - 0x20 : 0);
    }
    memcpy(entry, old + 0x84, 0x14);                /* everything before the channels */
    memcpy(entry + 0x14, old + 0x84 + 0x28, 0x124); /* without ambient colors and lights */
    memcpy(section + 0x1B0, old + 0x1D0, 0x440 - 0x1D0);
    /* Early files do not set these. */
    section[facet_load_u32be(section + 0x24) + 5] = 0xFF;
    memset(entry + 0x88, 0xFF, 16);
    memset(entry + 0x98, 0xFF, 16);
    return bytes;
}

TEST(bmd2_is_read)
{
    size_t size;
    uint8_t *bytes = make_bmd2(&size);
    facet_j3d *document = read_file(bytes, size);
    const facet_j3d_materials *m = &document->materials;
    const facet_j3d_material_entry *entry = &m->entries[0];
    assert_int_equal(document->kind, FACET_J3D_BMD2);
    assert_true(m->is_mat2);
    assert_string_equal(m->names.items[0].bytes, "mat0");
    assert_int_equal(m->cull_mode_count, 3);
    assert_int_equal(m->channel_count, 2);
    assert_int_equal(m->ambient_color_count, 0);
    assert_int_equal(m->indirect_count, 0);
    assert_int_equal(m->tev_stage_count, 1);
    assert_int_equal(m->tev_stages[0].color.inputs[1], 8);
    assert_int_equal(entry->ambient_colors[0], 0xFFFF);
    assert_int_equal(entry->lights[7], 0xFFFF);
    assert_int_equal(entry->texgens[0], 0);
    assert_int_equal(entry->textures[0], 0);
    assert_int_equal(entry->swap_tables[3], 0);
    assert_int_equal(entry->nbt_scale, 0);
    facet_j3d_free(document);
    free(bytes);
}

/* Written as bmd3, with the selections and sources that later runtimes need. */
TEST(bmd2_becomes_bmd3)
{
    facet_error error;
    facet_options options = {0};
    facet_output *output;
    size_t size;
    uint8_t *bytes = make_bmd2(&size);
    facet_j3d *document = read_file(bytes, size);
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_non_null(test_finding(options.report, "J3D-KIND"));
    facet_j3d *again = read_file(facet_output_data(output), (size_t)facet_output_size(output));
    assert_int_equal(again->kind, FACET_J3D_BMD3);
    assert_memory_equal(again->signature, "SVR3", 4);
    assert_false(again->materials.is_mat2);
    assert_int_equal(again->materials.entries[0].konst_color_selections[3], 0x0C);
    assert_int_equal(again->materials.entries[0].konst_alpha_selections[3], 0x1C);
    assert_int_equal(again->materials.channels[0].ambient_source, 0);
    assert_int_equal(again->materials.entries[0].texgens[0], 0);
    facet_j3d_free(again);
    facet_output_free(output);
    facet_report_free(options.report);
    facet_j3d_free(document);
    free(bytes);
}
