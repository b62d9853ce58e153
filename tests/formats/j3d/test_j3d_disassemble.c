/* Disassembly of baked J3D materials, and packets of whole documents. */
#include "support/j3d_golden.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "formats/j3d/gpu/mdl3_bake.h"
#include "formats/j3d/gpu/mdl3_disassemble.h"

#include <stdlib.h>

/* -- Disassembly -------------------------------------------------------- */

static void expect_text(const uint8_t *bytes, uint32_t size, const char *expected)
{
    facet_j3d_load_list list = facet_j3d_loads_of(bytes, size);
    facet_j3d_load load;
    char text[1000];
    assert_true(facet_j3d_next_load(&list, &load));
    size_t length = facet_j3d_load_text(&load, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    assert_int_equal(facet_j3d_load_text(&load, text, 4), length); /* truncated like snprintf */
    assert_int_equal(strlen(text), 3);
    assert_int_equal(facet_j3d_load_text(&load, NULL, 0), length);
}

#define EXPECT_TEXT(expected, ...)                              \
    do {                                                        \
        static const uint8_t bytes_[] = {__VA_ARGS__};          \
        expect_text(bytes_, (uint32_t)sizeof bytes_, expected); \
    } while (0)

TEST(register_loads_disassemble_to_fields)
{
    EXPECT_TEXT("BP 0x80 TX_SETMODE0[0]: wrap_s=repeat wrap_t=repeat mag=linear min=linear "
                "diagonal_lod=yes bias_32nds=0 anisotropy=0 bias_clamp=no",
                0x61, 0x80, 0x00, 0x01, 0x95);
    EXPECT_TEXT("BP 0xB5 TX_SETIMAGE3[5]: texture=3", 0, 0, 0x61, 0xB5, 0, 0, 3);
    EXPECT_TEXT("BP 0xA9 TX_SETIMAGE0[5]: width=64 height=32 format=CMPR", 0x61, 0xA9, 0xE0, 0x7C,
                0x3F);
    EXPECT_TEXT("BP 0xC1 TEV_ALPHA_ENV[0]: raster_swap=0 texture_swap=0 a=ZERO b=TEXA c=RASA "
                "d=ZERO bias=0 op=add clamp=yes scale=x1 to=PREV",
                0x61, 0xC1, 0x08, 0xF2, 0xF0);
    EXPECT_TEXT("BP 0xE0 TEV_KONST_RA[0]: r=255 a=255", 0x61, 0xE0, 0x8F, 0xF0, 0xFF);
    EXPECT_TEXT("BP 0xE2 TEV_REGISTER_RA[1]: r=-1 a=-1024", 0x61, 0xE2, 0x40, 0x07, 0xFF);
    EXPECT_TEXT("BP 0x09 IND_MTX_A[1]: s=512 t=0 exponent_bits=2", 0x61, 0x09, 0x80, 0x02, 0x00);
    EXPECT_TEXT("BP 0x77 UNKNOWN: value=0x00000102", 0x61, 0x77, 0x00, 0x01, 0x02);
    EXPECT_TEXT("XF 0x1009 NUMCHANS: count=1", 0x10, 0, 0, 0x10, 0x09, 0, 0, 0, 1);
    EXPECT_TEXT("XF 0x100C MATERIAL[0]: r=255 g=255 b=255 a=255; MATERIAL[1]: r=1 g=2 b=3 a=4",
                0x10, 0, 1, 0x10, 0x0C, 255, 255, 255, 255, 1, 2, 3, 4);
    EXPECT_TEXT("XF 0x0084 TEXMTX[1][0][0]: 1 -0 0.5", 0x10, 0, 2, 0x00, 0x84, 0x3F, 0x80, 0, 0,
                0x80, 0, 0, 0, 0x3F, 0, 0, 0);
    EXPECT_TEXT("XF 0x062A LIGHT[2].POSITION_X: 1", 0x10, 0, 0, 0x06, 0x2A, 0x3F, 0x80, 0, 0);
    EXPECT_TEXT("CP 0x30 MATINDEX_A: position=0 tex0=60 tex1=60 tex2=60 tex3=60", 0x08, 0x30, 0x3C,
                0xF3, 0xCF, 0x00);
    /* All registers of the golden packet have names. */
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(golden);
    facet_j3d_load_list list = facet_j3d_loads_of(golden + TEST_J3D_GOLDEN_MDL3 + 0x60, 0x1C0);
    facet_j3d_load load;
    char text[400];
    int count = 0;
    for (; facet_j3d_next_load(&list, &load); count++) {
        facet_j3d_load_text(&load, text, sizeof text);
        assert_null(strstr(text, "UNKNOWN"));
    }
    /* 4 texture, 1 + 2 * 3 orders, 12 + 8 colors, 3 + 8 stage, 12 + 2 indirect, 14
     * pixel engine, 2 texgens, 2 colors, 3 control */
    assert_int_equal(list.position, list.size);
    assert_int_equal(count, 77);
}

static void disassemble_all(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_j3d_load_list list = facet_j3d_loads_of(data, (uint32_t)size);
    facet_j3d_load load;
    char text[300];
    while (facet_j3d_next_load(&list, &load))
        facet_j3d_load_text(&load, text, sizeof text);
    assert_true(list.position <= list.size);
}

TEST(disassembler_survives_every_mutation)
{
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(golden);
    test_every_mutation(golden + TEST_J3D_GOLDEN_MDL3 + 0x60, 0x1C0, disassemble_all, NULL);
    /* Every register has a text for every value. */
    char text[300];
    for (uint32_t address = 0; address < 0x1100; address++) {
        facet_j3d_load load = {FACET_J3D_SPACE_XF, 0, address, 1, 0xFFFFFFFF, NULL};
        for (int space = 0; space < 3; space++) {
            load.space = (facet_j3d_space)space;
            assert_true(facet_j3d_load_text(&load, text, sizeof text) > 8);
        }
    }
}

/* -- Whole documents ---------------------------------------------------- */

/* Baking a BMD without MDL3 gives the BDL that it was made from, byte for byte. */
TEST(baked_bmd_equals_the_golden_bdl)
{
    uint8_t golden[TEST_J3D_GOLDEN_SIZE], bmd[TEST_J3D_GOLDEN_SIZE];
    facet_j3d *document;
    facet_output *output;
    facet_error error;
    test_j3d_golden(golden);
    size_t size = test_j3d_golden_bmd(bmd);
    TEST_OK(facet_j3d_read(TEST_SOURCE(bmd, size), NULL, &document, &error), &error);
    assert_false(document->has_packets);
    TEST_OK(facet_j3d_bake_materials(document, NULL, &error), &error);
    assert_true(document->has_packets);
    assert_int_equal(document->kind, FACET_J3D_BDL4);
    assert_int_equal(document->packets.count, 1);
    assert_string_equal(document->packets.names.items[0].bytes, "mat0");
    assert_int_equal(document->packets.remap[0], 0);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), sizeof golden);
    assert_memory_equal(facet_output_data(output), golden, sizeof golden);
    facet_output_free(output);
    facet_j3d_free(document);
}

TEST(incomplete_documents_cannot_be_baked)
{
    facet_j3d document = {.kind = FACET_J3D_BMD3, .has_materials = true};
    facet_j3d *read;
    facet_error error;
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    assert_int_equal(facet_j3d_bake_materials(&document, NULL, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "J3D-MDL3-BAKE");
    test_j3d_golden(golden);
    TEST_OK(facet_j3d_read(TEST_SOURCE(golden, sizeof golden), NULL, &read, &error), &error);
    read->has_materials = false;
    assert_int_equal(facet_j3d_bake_materials(read, NULL, &error), FACET_ERROR_ARGUMENT);
    read->has_materials = true;
    read->kind = FACET_J3D_BMT3;
    assert_int_equal(facet_j3d_bake_materials(read, NULL, &error), FACET_ERROR_ARGUMENT);
    facet_j3d_free(read);
}

static facet_status bake_allocating(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_j3d *document;
    facet_status status =
        facet_j3d_read(TEST_SOURCE(user, TEST_J3D_GOLDEN_SIZE), &options, &document, NULL);
    if (status)
        return status;
    status = facet_j3d_bake_materials(document, &options, NULL);
    facet_j3d_free(document);
    return status;
}

TEST(baking_survives_failed_allocations)
{
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(golden);
    test_every_allocation(bake_allocating, golden);
}

/* Packets of a file of another writer differ only in the unused stage: it has 387, most files
 * have 007. */
TEST(other_packets_differ_only_in_unused_stage)
{
    facet_file *file;
    facet_j3d *document;
    facet_error error;
    TEST_NEEDS_CORPUS();
    TEST_OK(facet_file_open(test_corpus("j3d/greenman_skinned.bdl"), NULL, &file, &error), &error);
    TEST_OK(facet_j3d_read(TEST_SOURCE(facet_file_source(file).data, facet_file_source(file).size),
                           NULL, &document, &error),
            &error);
    facet_j3d_packets stored = document->packets;
    assert_true(stored.count > 0);
    TEST_OK(facet_j3d_bake_materials(document, NULL, &error), &error);
    assert_int_equal(document->packets.count, stored.count);
    for (uint32_t i = 0; i < stored.count; i++) {
        const facet_j3d_packet *a = &stored.items[i], *b = &document->packets.items[i];
        facet_j3d_load_list x = facet_j3d_loads_of(a->bytes, a->size);
        facet_j3d_load_list y = facet_j3d_loads_of(b->bytes, b->size);
        facet_j3d_load from, made;
        assert_int_equal(a->size, b->size);
        assert_int_equal(a->matrix_indices[0], b->matrix_indices[0]);
        assert_int_equal(a->channel_control, b->channel_control);
        while (facet_j3d_next_load(&x, &from)) {
            assert_true(facet_j3d_next_load(&y, &made));
            assert_int_equal(from.address, made.address);
            if (from.space == FACET_J3D_SPACE_BP && from.address == 0x28) {
                assert_int_equal(from.value >> 12, 0x387);
                assert_int_equal(made.value >> 12, 0x007);
                assert_int_equal(from.value & 0xFFF, made.value & 0xFFF);
            } else {
                assert_memory_equal(a->bytes + from.offset, b->bytes + made.offset,
                                    from.words ? 5 + 4 * from.count : 5);
            }
        }
        assert_false(facet_j3d_next_load(&y, &made));
    }
    facet_j3d_free(document);
    facet_file_close(file);
}
