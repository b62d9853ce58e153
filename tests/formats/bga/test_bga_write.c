/* BGA: documents of every type, written and read again; refused documents. */
#include "support/bga_file.h"

/* -- Every type, every option of the writer -------------------------------- */

typedef struct kinds {
    float matrix[9];
    uint16_t shorts[2];
    uint8_t bytes[3];
    int8_t signed_byte;
    int16_t signed_short;
    uint32_t word;
    int32_t signed_word;
    float vector[2];
} kinds;
#define KIND_COUNT 1500

static void make_kinds(facet_bga *bga, kinds *records)
{
    facet_error error;
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        kinds *k = &records[i];
        memset(k, 0, sizeof *k);
        for (uint32_t m = 0; m < 9; m++)
            k->matrix[m] = (float)i * 0.5F - (float)m;
        k->shorts[0] = (uint16_t)(i * 77);
        k->shorts[1] = (uint16_t)~i;
        k->bytes[0] = (uint8_t)i;
        k->bytes[2] = (uint8_t)(i >> 3);
        k->signed_byte = (int8_t)(uint8_t)(i * 3);
        k->signed_short = (int16_t)(uint16_t)(i * 99);
        k->word = i * 2654435761U;
        k->signed_word = -(int32_t)i * 1000;
        k->vector[0] = 1.0F / (float)(i + 1);
    }
    static const struct {
        const char *name;
        facet_bga_type type;
        uint32_t repeat;
        size_t offset;
    } members[] = {
        {"matrix", FACET_BGA_MAT3, 1, offsetof(kinds, matrix)},
        {"shorts", FACET_BGA_UINT16, 2, offsetof(kinds, shorts)},
        {"bytes", FACET_BGA_UINT8, 3, offsetof(kinds, bytes)},
        {"signed_byte", FACET_BGA_INT8, 1, offsetof(kinds, signed_byte)},
        {"signed_short", FACET_BGA_INT16, 1, offsetof(kinds, signed_short)},
        {"word", FACET_BGA_UINT32, 1, offsetof(kinds, word)},
        {"signed_word", FACET_BGA_INT32, 1, offsetof(kinds, signed_word)},
        {"vector", FACET_BGA_VEC2, 1, offsetof(kinds, vector)},
    };
    facet_bga_begin(bga);
    TEST_OK(facet_bga_add_buffer(bga, "all", KIND_COUNT, &error), &error);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        TEST_OK(facet_bga_add_attribute(bga, members[i].name, members[i].type, members[i].repeat,
                                        (const uint8_t *)records + members[i].offset,
                                        sizeof *records, &error),
                &error);
}

/* Every attribute of `read`, found by its name in `original`, has the values of the original
 * document. */
static void expect_same_values(const facet_bga *original, const facet_bga *read, bool separate)
{
    for (uint32_t i = 0; i < original->attribute_count; i++) {
        const facet_bga_attribute *from = &original->attributes[i];
        char buffer[64], name[64];
        snprintf(name, sizeof name, "%.*s", (int)from->name_length, from->name);
        snprintf(buffer, sizeof buffer, separate && i > 0 ? "all_%s" : "all", name);
        const facet_bga_attribute *to = facet_bga_find(read, buffer, name);
        assert_non_null(to);
        assert_int_equal(to->type, from->type);
        assert_int_equal(to->repeat, from->repeat);
        size_t size = from->components * facet_bga_base_size(from->base);
        assert_true(!separate || to->stride == size);
        uint8_t *values = malloc(size * KIND_COUNT);
        assert_int_equal(facet_bga_read_values(read, to, 0, KIND_COUNT, to->base, values),
                         KIND_COUNT);
        for (size_t k = 0; k < KIND_COUNT; k++)
            assert_memory_equal(values + k * size, from->data + k * from->stride, size);
        free(values);
    }
}

TEST(every_kind_survives_a_round_trip)
{
    static kinds records[KIND_COUNT];
    static facet_bga original, read, again;
    make_kinds(&original, records);
    for (int mode = 0; mode < 4; mode++) {
        facet_options options = {0};
        facet_bga_options how = {0};
        options.bga = &how;
        facet_error error;
        facet_output *output, *second;
        how.big_endian = mode & 1;
        how.separate_buffers = mode & 2;
        write_document(&original, &options, &output);
        TEST_OK(facet_bga_view(facet_output_data(output), facet_output_size(output), NULL, &read,
                               &error),
                &error);
        assert_int_equal(read.big_endian, how.big_endian);
        assert_int_equal(read.data_end, facet_output_size(output));
        if (!how.separate_buffers)
            assert_int_equal(read.buffers[0].stride, 36 + 4 + 3 + 1 + 2 + 4 + 4 + 8);
        expect_same_values(&original, &read, how.separate_buffers);

        /* A document that was read is written to the same bytes, and also after two changes of
         * the byte order. */
        facet_bga_options same_how = {.big_endian = how.big_endian};
        facet_bga_options other_how = {.big_endian = !how.big_endian};
        facet_options same = {.bga = &same_how}, other = {.bga = &other_how};
        write_document(&read, &same, &second);
        assert_int_equal(facet_output_size(second), facet_output_size(output));
        assert_memory_equal(facet_output_data(second), facet_output_data(output),
                            facet_output_size(output));
        facet_output_free(second);
        write_document(&read, &other, &second);
        TEST_OK(facet_bga_view(facet_output_data(second), facet_output_size(second), NULL, &again,
                               &error),
                &error);
        expect_same_values(&original, &again, how.separate_buffers);
        facet_output_free(second);
        facet_output_free(output);
    }
}

/* A record that is larger than any tile, in the other byte order. */
TEST(large_records_are_swapped_completely)
{
    static uint32_t values[2][10000];
    static uint16_t shorts[2][3];
    facet_bga bga, read;
    facet_error error;
    facet_output *output;
    facet_options options = {0};
    facet_bga_options how = {0};
    options.bga = &how;
    for (uint32_t i = 0; i < 20000; i++)
        values[i / 10000][i % 10000] = i * 2654435761U;
    for (uint16_t i = 0; i < 6; i++)
        shorts[i / 3][i % 3] = (uint16_t)(i * 1000);
    facet_bga_begin(&bga);
    TEST_OK(facet_bga_add_buffer(&bga, "big", 2, &error), &error);
    TEST_OK(facet_bga_add_attribute(&bga, "w", FACET_BGA_UINT32, 10000, values, 0, &error), &error);
    TEST_OK(facet_bga_add_attribute(&bga, "s", FACET_BGA_UINT16, 3, shorts, 0, &error), &error);
    how.big_endian = true;
    write_document(&bga, &options, &output);
    TEST_OK(
        facet_bga_view(facet_output_data(output), facet_output_size(output), NULL, &read, &error),
        &error);
    static uint32_t back[2][10000];
    uint16_t back_shorts[2][3];
    facet_bga_read_values(&read, facet_bga_find(&read, "big", "w"), 0, 2, FACET_BGA_BASE_UINT32,
                          back);
    facet_bga_read_values(&read, facet_bga_find(&read, "big", "s"), 0, 2, FACET_BGA_BASE_UINT16,
                          back_shorts);
    assert_memory_equal(back, values, sizeof back);
    assert_memory_equal(back_shorts, shorts, sizeof back_shorts);
    facet_output_free(output);
}

TEST(invalid_document_arguments_are_refused)
{
    facet_bga bga;
    facet_error error;
    float value = 1;
    facet_bga_begin(&bga);
    assert_int_equal(facet_bga_add_attribute(&bga, "x", FACET_BGA_FLOAT, 1, &value, 0, &error),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_bga_add_buffer(&bga, "a b", 1, &error), FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_bga_add_buffer(&bga, "", 1, &error), FACET_ERROR_ARGUMENT);
    TEST_OK(facet_bga_add_buffer(&bga, "a", 1, &error), &error);
    assert_int_equal(facet_bga_add_buffer(&bga, "a", 1, &error), FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_bga_add_attribute(&bga, "x", FACET_BGA_FLOAT, 1, NULL, 0, &error),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_bga_add_attribute(&bga, "x", FACET_BGA_FLOAT, 0, &value, 0, &error),
                     FACET_ERROR_ARGUMENT);
    TEST_OK(facet_bga_add_attribute(&bga, "x", FACET_BGA_FLOAT, 1, &value, 0, &error), &error);
    assert_int_equal(facet_bga_add_attribute(&bga, "x", FACET_BGA_FLOAT, 1, &value, 0, &error),
                     FACET_ERROR_ARGUMENT);
    /* "a_y" is already used when every attribute gets a separate buffer. */
    TEST_OK(facet_bga_add_attribute(&bga, "y", FACET_BGA_FLOAT, 1, &value, 0, &error), &error);
    TEST_OK(facet_bga_add_buffer(&bga, "a_y", 1, &error), &error);
    TEST_OK(facet_bga_add_attribute(&bga, "z", FACET_BGA_FLOAT, 1, &value, 0, &error), &error);
    facet_options options = {0};
    facet_bga_options how = {0};
    options.bga = &how;
    facet_output *output;
    how.separate_buffers = true;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_REFUSED(facet_bga_write(&bga, &options, output, &error), FACET_ERROR_UNSUPPORTED,
                 "BGA-NAMES", &error);
    facet_output_free(output);
}

/* -- Numbers of any type --------------------------------------------------- */

#define FLOATS 6

TEST(typed_reads_convert_or_refuse_values)
{
    static const float reals[FLOATS] = {0.75F, -0.5F, -1, 4294967040.0F, 4294967296.0F, NAN};
    static const uint8_t bytes[FLOATS] = {0, 1, 127, 128, 254, 255};
    static const int8_t signed_bytes[FLOATS] = {0, 1, 127, -128, -2, -1};
    static const uint16_t shorts[FLOATS] = {0, 1, 32767, 32768, 65534, 65535};
    static const int16_t signed_shorts[FLOATS] = {0, 1, 32767, -32768, -2, -1};
    static const uint32_t words[FLOATS] = {0,          16777217,   2147483647,
                                           2147483648, 4294967294, 4294967295};
    static const int32_t signed_words[FLOATS] = {0, 16777217, 2147483647, -2147483647 - 1, -2, -1};
    const uint32_t none = UINT32_MAX;
    const struct {
        const char *name;
        facet_bga_type type;
        const void *values;
        float floats[FLOATS];
        uint32_t numbers[FLOATS];
    } cases[] = {
        {"f",
         FACET_BGA_FLOAT,
         reals,
         {0.75F, -0.5F, -1, 4294967040.0F, 4294967296.0F, NAN},
         {0, 0, none, 4294967040, none, none}},
        {"u8", FACET_BGA_UINT8, bytes, {0, 1, 127, 128, 254, 255}, {0, 1, 127, 128, 254, 255}},
        {"i8",
         FACET_BGA_INT8,
         signed_bytes,
         {0, 1, 127, -128, -2, -1},
         {0, 1, 127, none, none, none}},
        {"u16",
         FACET_BGA_UINT16,
         shorts,
         {0, 1, 32767, 32768, 65534, 65535},
         {0, 1, 32767, 32768, 65534, 65535}},
        {"i16",
         FACET_BGA_INT16,
         signed_shorts,
         {0, 1, 32767, -32768, -2, -1},
         {0, 1, 32767, none, none, none}},
        /* Floats have 24 bits: 2^24 + 1 is between two of them. */
        {"u32",
         FACET_BGA_UINT32,
         words,
         {0, 16777216, 2147483648.0F, 2147483648.0F, 4294967296.0F, 4294967296.0F},
         {0, 16777217, 2147483647, 2147483648, 4294967294, none}},
        {"i32",
         FACET_BGA_INT32,
         signed_words,
         {0, 16777216, 2147483648.0F, -2147483648.0F, -2, -1},
         {0, 16777217, 2147483647, none, none, none}},
    };
    static facet_bga made, read;
    facet_error error;
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        facet_bga_options how = {.big_endian = big_endian != 0};
        facet_options options = {.bga = &how};
        facet_output *output;
        facet_bga_begin(&made);
        TEST_OK(facet_bga_add_buffer(&made, "all", 3, &error), &error);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            TEST_OK(facet_bga_add_attribute(&made, cases[i].name, cases[i].type, 2, cases[i].values,
                                            0, &error),
                    &error);
        write_document(&made, &options, &output);
        TEST_OK(facet_bga_view(facet_output_data(output), (size_t)facet_output_size(output), NULL,
                               &read, &error),
                &error);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const facet_bga_attribute *a = facet_bga_find(&read, "all", cases[i].name);
            float *floats = malloc(FLOATS * sizeof *floats); /* exact size, so that a read past the
                                                              * end is detected */
            uint32_t *numbers = malloc(FLOATS * sizeof *numbers);
            assert_int_equal(facet_bga_read_values(&read, a, 0, 9, FACET_BGA_BASE_FLOAT32, floats),
                             3);
            assert_int_equal(facet_bga_read_values(&read, a, 0, 9, FACET_BGA_BASE_UINT32, numbers),
                             3);
            for (size_t k = 0; k < FLOATS; k++) {
                assert_true(floats[k] == cases[i].floats[k] ||
                            (isnan(floats[k]) && isnan(cases[i].floats[k])));
                assert_int_equal(numbers[k], cases[i].numbers[k]);
            }
            assert_int_equal(facet_bga_read_values(&read, a, 2, 1, FACET_BGA_BASE_UINT32, numbers),
                             1);
            assert_int_equal(numbers[1], cases[i].numbers[5]);
            assert_int_equal(facet_bga_read_values(&read, a, 3, 1, FACET_BGA_BASE_FLOAT32, floats),
                             0);
            free(floats);
            free(numbers);
        }
        facet_output_free(output);
    }
}

/* -- Cell indices ---------------------------------------------------------- */

TEST(verify_finds_indices_out_of_range)
{
    static const float positions[3][3] = {{0}};
    static const int8_t edges[2][2] = {{0, 1}, {2, 0}};
    uint16_t cells[1500][3] = {{0}};
    facet_bga bga;
    facet_error error = {0};
    facet_bga_begin(&bga);
    TEST_OK(facet_bga_add_buffer(&bga, "vertex", 3, &error), &error);
    TEST_OK(facet_bga_add_attribute(&bga, "position", FACET_BGA_VEC3, 1, positions, 0, &error),
            &error);
    TEST_OK(facet_bga_add_buffer(&bga, "edge", 2, &error), &error);
    TEST_OK(facet_bga_add_attribute(&bga, "cell", FACET_BGA_INT8, 2, edges, 0, &error), &error);
    TEST_OK(facet_bga_add_buffer(&bga, "triangle_red", 1500, &error), &error);
    TEST_OK(facet_bga_add_attribute(&bga, "cell", FACET_BGA_UINT16, 3, cells, 0, &error), &error);
    TEST_OK(facet_bga_verify(&bga, &error), &error);
    static const uint32_t bad[] = {0, 340, 341, 342, 1499}; /* 341 cells are a tile */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cells[bad[i]][2] = 3;
        bga.attributes[2].offset = 1000;
        assert_int_equal(facet_bga_verify(&bga, &error), FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, "BGA-CELL-RANGE");
        assert_int_equal(error.offset, 1000 + bad[i] * 6);
        cells[bad[i]][2] = 0;
    }
    /* -1 is not a vertex; other attributes may have any value. */
    static const int8_t negative[2][2] = {{0, 1}, {-1, 0}};
    bga.attributes[1].data = (const uint8_t *)negative;
    assert_int_equal(facet_bga_verify(&bga, &error), FACET_ERROR_MALFORMED);
    bga.attributes[1].name = "next";
    TEST_OK(facet_bga_verify(&bga, &error), &error);
    bga.buffers[0].name = "points";
    assert_int_equal(facet_bga_verify(&bga, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "BGA-VERTEX-MISSING");
}

/* Negative indices are printed as stored, of each signed type. */
TEST(negative_indices_are_printed)
{
    static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const int8_t bytes[2][2] = {{0, 1}, {1, -2}};
    static const int16_t halves[2][2] = {{0, 1}, {-300, 0}};
    static const int32_t words[2][2] = {{0, 1}, {0, INT32_MIN}};
    static const struct {
        facet_bga_type type;
        const void *indices;
        const char *value;
    } signed_types[] = {{FACET_BGA_INT8, bytes, "-2"},
                        {FACET_BGA_INT16, halves, "-300"},
                        {FACET_BGA_INT32, words, "-2147483648"}};
    for (size_t i = 0; i < sizeof signed_types / sizeof *signed_types; i++) {
        facet_bga bga;
        facet_error error;
        char expected[80];
        facet_bga_begin(&bga);
        TEST_OK(facet_bga_add_buffer(&bga, "vertex", 3, &error), &error);
        TEST_OK(facet_bga_add_attribute(&bga, "position", FACET_BGA_VEC3, 1, positions, 0, &error),
                &error);
        TEST_OK(facet_bga_add_buffer(&bga, "edge", 2, &error), &error);
        TEST_OK(facet_bga_add_attribute(&bga, "cell", signed_types[i].type, 2,
                                        signed_types[i].indices, 0, &error),
                &error);
        assert_int_equal(facet_bga_verify(&bga, &error), FACET_ERROR_MALFORMED);
        snprintf(expected, sizeof expected,
                 "edge 1 uses vertex %s, expected at least 0 and less than 3",
                 signed_types[i].value);
        assert_string_equal(error.message, expected);
    }
}

/* -- Incomplete documents -------------------------------------------------- */

static void expect_document_refusal(const facet_bga *bga, const char *rule)
{
    facet_output *output;
    facet_scene *scene = NULL;
    facet_error error = {0};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_bga_write(bga, NULL, output, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, rule);
    assert_int_equal(facet_output_size(output), 0);
    facet_output_free(output);
    assert_int_equal(facet_bga_to_scene(bga, NULL, NULL, &scene, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, rule);
}

TEST(documents_that_are_not_whole)
{
    static const float values[2][4] = {{0}};
    static facet_bga whole, bga;
    facet_error error;
    facet_bga_begin(&whole);
    for (int i = 0; i < 2; i++) {
        TEST_OK(facet_bga_add_buffer(&whole, i ? "other" : "vertex", 2, &error), &error);
        TEST_OK(facet_bga_add_attribute(&whole, "position", FACET_BGA_VEC3, 1, values, 16, &error),
                &error);
        TEST_OK(facet_bga_add_attribute(&whole, "w", FACET_BGA_FLOAT, 1, &values[0][3], 16, &error),
                &error);
    }
#define REFUSED(change, rule)                \
    do {                                     \
        bga = whole;                         \
        change;                              \
        expect_document_refusal(&bga, rule); \
    } while (0)
    REFUSED(bga.attributes[0].data = NULL, "BGA-DOCUMENT");
    REFUSED(bga.attributes[3].data = NULL, "BGA-DOCUMENT");
    REFUSED(bga.attributes[1].count = 3, "BGA-DOCUMENT");
    REFUSED(bga.attributes[1].buffer = 1, "BGA-DOCUMENT");
    REFUSED(bga.attributes[1].buffer = 7, "BGA-DOCUMENT");
    REFUSED(bga.attributes[1].components = 2, "BGA-DOCUMENT");
    REFUSED(bga.attributes[1].repeat = 0, "BGA-DOCUMENT");
    REFUSED(bga.attributes[1].base = FACET_BGA_BASE_UINT8, "BGA-DOCUMENT");
    REFUSED(bga.attributes[1].type = (facet_bga_type)13, "BGA-DOCUMENT");
    REFUSED(bga.attributes[1].name = NULL, "BGA-NAME-CHARS");
    REFUSED(bga.attributes[1].name_length = 0, "BGA-NAME-CHARS");
    REFUSED(bga.attributes[1].name = "\n", "BGA-NAME-CHARS");
    REFUSED((bga.attributes[1].name = "position", bga.attributes[1].name_length = 8),
            "BGA-ATTR-DUP");
    REFUSED(bga.buffers[1].name = NULL, "BGA-NAME-CHARS");
    REFUSED((bga.buffers[1].name = "vertex", bga.buffers[1].name_length = 6), "BGA-COUNT-DUP");
    REFUSED(bga.buffers[1].attribute_count = 3, "BGA-DOCUMENT");
    REFUSED(bga.buffers[1].first_attribute = UINT32_MAX, "BGA-DOCUMENT");
    REFUSED(bga.buffer_count = FACET_BGA_MAX_BUFFERS + 1, "BGA-DOCUMENT");
    REFUSED(bga.attribute_count = FACET_BGA_MAX_ATTRIBUTES + 1, "BGA-DOCUMENT");
    REFUSED(bga.comment_count = 1, "BGA-DOCUMENT");
    static const char *const nothing[] = {NULL};
    REFUSED((bga.comments = nothing, bga.comment_count = 1), "BGA-DOCUMENT");
#undef REFUSED
    facet_output *output;
    write_document(&whole, NULL, &output);
    facet_output_free(output);
}

TEST(comments_are_written_line_by_line)
{
    facet_bga bga;
    facet_error error;
    facet_output *output;
    static const char *const comments[] = {"made by hand", "two\nlines"};
    facet_bga_begin(&bga);
    bga.comments = comments;
    bga.comment_count = 2;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_bga_write(&bga, NULL, output, &error), &error);
    static const char expected[] = START "// made by hand\n// two lines\n\n";
    assert_int_equal(facet_output_size(output), sizeof expected - 1);
    assert_memory_equal(facet_output_data(output), expected, sizeof expected - 1);
    facet_output_free(output);
}

/* Unknown lines are kept unchanged, after the known ones. Known lines and comments, which a
 * document stores separately, are not written twice. */
TEST(unknown_lines_are_kept_once)
{
    static const char file[] = "BGA 2.1\nlittle endian\njoint 0 hip \n// remark\n\t\n"
                               "float vertex.weight\n0 vertex\nlod 345\r\n\n";
    static const char expected[] = "BGA 2.0\nlittle endian\nfloat vertex.weight\n0 vertex\n"
                                   "joint 0 hip\nlod 345\n\n";
    const facet_bga_view_options options = {.tolerant = true};
    facet_bga bga;
    facet_error error;
    facet_output *output;
    TEST_OK(facet_bga_view((const uint8_t *)file, sizeof file - 1, &options, &bga, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_bga_write(&bga, NULL, output, &error), &error);
    assert_int_equal(facet_output_size(output), sizeof expected - 1);
    assert_memory_equal(facet_output_data(output), expected, sizeof expected - 1);
    facet_output_free(output);
}
