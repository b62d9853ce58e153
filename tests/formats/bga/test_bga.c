/* BGA: views, values, writing. Expected offsets and bytes are from the format's description and
 * its worked examples. */
#include "formats/bga/bga.h"
#include "formats/bga/document.h"
#include "support/support.h"

#include "base/bytes.h"

#include <facet/bga.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Helpers ------------------------------------------------------------ */

/* A header and `data_size` zero bytes after it, in a static block. */
static const uint8_t *file_of(const char *header, size_t data_size, size_t *size)
{
    static uint8_t bytes[200000];
    size_t length = strlen(header);
    assert_true(length + data_size <= sizeof bytes);
    memcpy(bytes, header, length);
    memset(bytes + length, 0, data_size);
    *size = length + data_size;
    return bytes;
}

static void view_header(const char *header, size_t data_size, facet_bga *bga)
{
    size_t size;
    facet_error error;
    const uint8_t *data = file_of(header, data_size, &size);
    TEST_OK(facet_bga_view(data, size, NULL, bga, &error), &error);
}

static void expect_attribute(const facet_bga *bga, const char *buffer, const char *name,
                             facet_bga_base base, uint32_t components, uint64_t offset,
                             uint64_t stride, uint64_t count)
{
    const facet_bga_attribute *attribute = facet_bga_find(bga, buffer, name);
    assert_non_null(attribute);
    assert_int_equal(attribute->base, base);
    assert_int_equal(attribute->components, components);
    assert_int_equal(attribute->offset, offset);
    assert_int_equal(attribute->stride, stride);
    assert_int_equal(attribute->count, count);
    if (count > 0)
        assert_ptr_equal(attribute->data, bga->data + offset);
    else
        assert_null(attribute->data);
}

static void expect_rule(const char *header, size_t data_size, const char *rule)
{
    size_t size;
    facet_error error = {0};
    facet_bga bga;
    const uint8_t *data = file_of(header, data_size, &size);
    facet_status status = facet_bga_view(data, size, NULL, &bga, &error);
    if (status == FACET_OK || strcmp(error.rule, rule) != 0)
        fail_msg("expected %s, got '%s' (%s)", rule, error.rule, error.message);
    assert_int_equal(bga.buffer_count, 0);
}

/* -- Worked examples ---------------------------------------------------- */

/* One triangle, 136 bytes. */
static const uint8_t triangle_file[] =
    "BGA 2.0\nlittle endian\nvec3 vertex.position\nuint32 triangle.cell[3]\n3 vertex\n"
    "1 triangle\n\n"
    "\0\0\0\0\0\0\0\0\0\0\0\0"
    "\0\0\x80\x3F\0\0\0\0\0\0\0\0"
    "\0\0\0\0\0\0\x80\x3F\0\0\0\0"
    "\0\0\0\0\1\0\0\0\2\0\0";
static const float triangle_positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const uint32_t triangle_cells[3] = {0, 1, 2};

TEST(triangle_is_viewed)
{
    facet_bga bga;
    facet_error error;
    assert_int_equal(sizeof triangle_file, 136);
    TEST_OK(facet_bga_view(triangle_file, sizeof triangle_file, NULL, &bga, &error), &error);
    assert_int_equal(bga.header_size, 88);
    assert_int_equal(bga.data_end, 136);
    assert_false(bga.big_endian);
    assert_false(bga.order_differs);
    assert_int_equal(bga.buffer_count, 2);
    expect_attribute(&bga, "vertex", "position", FACET_BGA_BASE_FLOAT32, 3, 88, 12, 3);
    expect_attribute(&bga, "triangle", "cell", FACET_BGA_BASE_UINT32, 3, 124, 12, 1);
    assert_null(facet_bga_find(&bga, "vertex", "normal"));
    assert_null(facet_bga_find_buffer(&bga, "vert"));
    float positions[9];
    uint32_t cells[3];
    assert_int_equal(
        facet_bga_read_values(&bga, facet_bga_find(&bga, "vertex", "position"), 0, 100, positions),
        3);
    assert_memory_equal(positions, triangle_positions, sizeof positions);
    facet_bga_read_values(&bga, facet_bga_find(&bga, "triangle", "cell"), 0, 1, cells);
    assert_memory_equal(cells, triangle_cells, sizeof cells);
}

static void write_document(const facet_bga *bga, const facet_options *options,
                           facet_output **output)
{
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, output, &error), &error);
    TEST_OK(facet_bga_write(bga, options, *output, &error), &error);
    TEST_OK(facet_output_commit(*output, &error), &error);
}

TEST(triangle_is_written)
{
    facet_bga bga;
    facet_error error;
    facet_output *output;
    facet_bga_begin(&bga);
    TEST_OK(facet_bga_add_buffer(&bga, "vertex", 3, &error), &error);
    TEST_OK(
        facet_bga_add_attribute(&bga, "position", FACET_BGA_VEC3, 1, triangle_positions, 0, &error),
        &error);
    TEST_OK(facet_bga_add_buffer(&bga, "triangle", 1, &error), &error);
    TEST_OK(facet_bga_add_attribute(&bga, "cell", FACET_BGA_UINT32, 3, triangle_cells, 0, &error),
            &error);
    write_document(&bga, NULL, &output);
    assert_int_equal(facet_output_size(output), sizeof triangle_file);
    assert_memory_equal(facet_output_data(output), triangle_file, sizeof triangle_file);
    facet_output_free(output);
}

/* The published pyramid, 344 bytes: 133 of header, 3 of padding, 4 records of
 * 28 bytes, 6 of 8, 4 of 12. */
static const float pyramid_positions[] = {-1, -1, 1, 1, -1, 1, 0, -1, -1, 0, 1, 0};
static const float pyramid_colors[] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1};
static const uint32_t pyramid_edges[] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3};
static const uint32_t pyramid_triangles[] = {0, 1, 2, 0, 1, 3, 1, 2, 3, 2, 0, 3};

static void make_pyramid(facet_bga *bga)
{
    facet_error error;
    facet_bga_begin(bga);
    TEST_OK(facet_bga_add_buffer(bga, "vertex", 4, &error), &error);
    TEST_OK(
        facet_bga_add_attribute(bga, "position", FACET_BGA_VEC3, 1, pyramid_positions, 0, &error),
        &error);
    TEST_OK(facet_bga_add_attribute(bga, "color", FACET_BGA_VEC4, 1, pyramid_colors, 0, &error),
            &error);
    TEST_OK(facet_bga_add_buffer(bga, "edge", 6, &error), &error);
    TEST_OK(facet_bga_add_attribute(bga, "cell", FACET_BGA_UINT32, 2, pyramid_edges, 0, &error),
            &error);
    TEST_OK(facet_bga_add_buffer(bga, "triangle", 4, &error), &error);
    TEST_OK(facet_bga_add_attribute(bga, "cell", FACET_BGA_UINT32, 3, pyramid_triangles, 0, &error),
            &error);
}

TEST(published_pyramid_is_written_exactly)
{
    static const char header[] =
        "BGA 2.0\nlittle endian\nvec3 vertex.position\nvec4 vertex.color\nuint32 edge.cell[2]\n"
        "uint32 triangle.cell[3]\n4 vertex\n6 edge\n4 triangle\n\n";
    /* Bytes 0x80 to 0xAF. */
    static const uint8_t excerpt[] = "gle\n\n\0\0\0\0\0\x80\xBF\0\0\x80\xBF"
                                     "\0\0\x80\x3F\0\0\x80\x3F\0\0\0\0\0\0\0\0"
                                     "\0\0\x80\x3F\0\0\x80\x3F\0\0\x80\xBF\0\0\x80\x3F";
    facet_bga bga, read;
    facet_error error;
    facet_output *output;
    make_pyramid(&bga);
    write_document(&bga, NULL, &output);
    const uint8_t *data = facet_output_data(output);
    assert_int_equal(facet_output_size(output), 344);
    assert_memory_equal(data, header, 133);
    assert_memory_equal(data + 0x80, excerpt, sizeof excerpt - 1);
    TEST_OK(facet_bga_view(data, 344, NULL, &read, &error), &error);
    expect_attribute(&read, "vertex", "position", FACET_BGA_BASE_FLOAT32, 3, 136, 28, 4);
    expect_attribute(&read, "vertex", "color", FACET_BGA_BASE_FLOAT32, 4, 148, 28, 4);
    expect_attribute(&read, "edge", "cell", FACET_BGA_BASE_UINT32, 2, 248, 8, 6);
    expect_attribute(&read, "triangle", "cell", FACET_BGA_BASE_UINT32, 3, 296, 12, 4);
    assert_memory_equal(data + 248, pyramid_edges, sizeof pyramid_edges);
    assert_memory_equal(data + 296, pyramid_triangles, sizeof pyramid_triangles);
    facet_output_free(output);
}

TEST(padding_in_sequence)
{
    facet_bga bga;
    view_header("BGA 2.0\nlittle endian\nuint8 a.p\nvec2 b.p\nuint16 c.q\n1 a\n1 b\n1 c\n\n", 13,
                &bga);
    assert_int_equal(bga.header_size, 65);
    expect_attribute(&bga, "a", "p", FACET_BGA_BASE_UINT8, 1, 65, 1, 1);
    expect_attribute(&bga, "b", "p", FACET_BGA_BASE_FLOAT32, 2, 68, 8, 1);
    expect_attribute(&bga, "c", "q", FACET_BGA_BASE_UINT16, 1, 76, 2, 1);
    assert_int_equal(bga.data_end, 78);
}

TEST(empty_buffer_aligns)
{
    facet_bga bga;
    view_header("BGA 2.0\nlittle endian\nfloat a.p\nuint8 bb.q\n0 a\n3 bb\n\n", 6, &bga);
    assert_int_equal(bga.header_size, 53);
    expect_attribute(&bga, "a", "p", FACET_BGA_BASE_FLOAT32, 1, 56, 4, 0);
    expect_attribute(&bga, "bb", "q", FACET_BGA_BASE_UINT8, 1, 56, 1, 3);
    assert_int_equal(bga.data_end, 59);
}

/* -- Real files --------------------------------------------------------- */

static facet_file *open_corpus(const char *name, facet_bga *bga)
{
    facet_file *file;
    facet_error error;
    TEST_OK(facet_file_open(test_corpus(name), NULL, &file, &error), &error);
    TEST_OK(facet_bga_view(facet_file_data(file), facet_file_size(file), NULL, bga, &error),
            &error);
    return file;
}

TEST(teapot_version_2_has_expected_layout)
{
    TEST_NEEDS_CORPUS();
    facet_bga bga;
    facet_file *file = open_corpus("bga/teapot.v2.bga", &bga);
    assert_int_equal(bga.header_size, 111);
    expect_attribute(&bga, "vertex", "position", FACET_BGA_BASE_FLOAT32, 3, 112, 24, 792);
    expect_attribute(&bga, "vertex", "normal", FACET_BGA_BASE_FLOAT32, 3, 124, 24, 792);
    expect_attribute(&bga, "triangle", "cell", FACET_BGA_BASE_UINT32, 3, 19120, 12, 992);
    assert_int_equal(bga.data_end, facet_file_size(file));
    facet_file_close(file);
}

TEST(teapot_version_1_has_expected_layout)
{
    TEST_NEEDS_CORPUS();
    facet_bga bga;
    facet_file *file = open_corpus("bga/teapot.v1.bga", &bga);
    assert_int_equal(bga.header_size, 92);
    assert_memory_equal(bga.version, "1.0", 3);
    expect_attribute(&bga, "vertex", "position", FACET_BGA_BASE_FLOAT32, 3, 92, 12, 792);
    expect_attribute(&bga, "edge", "cell", FACET_BGA_BASE_UINT16, 2, 9596, 4, 0);
    expect_attribute(&bga, "triangle", "cell", FACET_BGA_BASE_UINT16, 3, 9596, 6, 992);
    assert_int_equal(bga.data_end, 15548);
    facet_file_close(file);
}

TEST(big_endian_fish)
{
    TEST_NEEDS_CORPUS();
    facet_bga bga;
    facet_file *file = open_corpus("bga/fish.big-endian.v2.bga", &bga);
    assert_true(bga.big_endian);
    const facet_bga_attribute *position = facet_bga_find(&bga, "vertex", "position");
    const facet_bga_attribute *cell = facet_bga_find(&bga, "triangle", "cell");
    assert_int_equal(position->count, 141);
    assert_int_equal(cell->count, 220);
    assert_int_equal(facet_bga_find(&bga, "edge", "cell")->count, 248);
    float values[141 * 3];
    uint32_t indices[220 * 3];
    assert_int_equal(facet_bga_read_values(&bga, position, 0, 141, values), 141);
    for (size_t i = 0; i < 141 * 3; i++) {
        const uint8_t *at = position->data + i / 3 * position->stride + i % 3 * 4;
        assert_int_equal(facet_bits_of_float(values[i]), facet_load_u32be(at));
    }
    /* A part of it as well. */
    float some[6];
    assert_int_equal(facet_bga_read_values(&bga, position, 139, 5, some), 2);
    assert_memory_equal(some, values + 139 * 3, sizeof some);
    assert_int_equal(facet_bga_read_values(&bga, position, 141, 5, some), 0);
    facet_bga_read_values(&bga, cell, 0, 220, indices);
    for (size_t i = 0; i < 220 * 3; i++)
        assert_true(indices[i] < 141);
    facet_file_close(file);
}

/* -- Version 1.0 -------------------------------------------------------- */

/* Nothing is padded, edges count two indices each, and the order of the count lines is
 * irrelevant. */
TEST(version_1_layout)
{
    facet_bga bga;
    view_header("BGA 1.0\nbig endian\n2 triangle uint32\nattribute vec2 uv\n5 vertex\n"
                "attribute float w\n3 edge uint16\n\n",
                96, &bga);
    uint64_t start = bga.header_size;
    assert_true(bga.big_endian);
    assert_int_equal(bga.buffer_count, 3);
    expect_attribute(&bga, "vertex", "uv", FACET_BGA_BASE_FLOAT32, 2, start, 12, 5);
    expect_attribute(&bga, "vertex", "w", FACET_BGA_BASE_FLOAT32, 1, start + 8, 12, 5);
    expect_attribute(&bga, "edge", "cell", FACET_BGA_BASE_UINT16, 2, start + 60, 4, 3);
    expect_attribute(&bga, "triangle", "cell", FACET_BGA_BASE_UINT32, 3, start + 72, 12, 2);
    assert_int_equal(bga.data_end, start + 96);
    expect_rule("BGA 1.0\nlittle endian\nattribute uint8 x\n1 vertex\n\n", 4, "BGA-TYPE-UNKNOWN");
}

/* -- The two orders ----------------------------------------------------- */

#define ORDER_HEADER                                                                        \
    "BGA 2.0\nlittle endian\nvec3 vertex.position\nuint32 triangle.cell[3]\n1 triangle\n3 " \
    "vertex\n\n"

TEST(plausible_order_of_buffers_is_chosen)
{
    uint8_t file[136] = ORDER_HEADER;
    facet_bga bga;
    facet_error error;
    facet_bga_view_options options = {0};
    assert_int_equal(sizeof ORDER_HEADER - 1, 88);

    /* All zeros: both orders are plausible, so that of the specification is used. */
    TEST_OK(facet_bga_view(file, sizeof file, NULL, &bga, &error), &error);
    assert_true(bga.order_differs);
    assert_false(bga.declaration_order);
    expect_attribute(&bga, "triangle", "cell", FACET_BGA_BASE_UINT32, 3, 88, 12, 1);
    expect_attribute(&bga, "vertex", "position", FACET_BGA_BASE_FLOAT32, 3, 100, 12, 3);
    /* Buffers are in the order of their data, attributes next to their buffer. */
    assert_memory_equal(bga.buffers[0].name, "triangle", 8);
    assert_int_equal(bga.attributes[bga.buffers[1].first_attribute].buffer, 1);

    options.order = FACET_BGA_ORDER_DECLARATION;
    TEST_OK(facet_bga_view(file, sizeof file, &options, &bga, &error), &error);
    expect_attribute(&bga, "vertex", "position", FACET_BGA_BASE_FLOAT32, 3, 88, 12, 3);
    expect_attribute(&bga, "triangle", "cell", FACET_BGA_BASE_UINT32, 3, 124, 12, 1);

    /* A float where the specification expects an index: only the other order is plausible. */
    facet_store_f32le(file + 88, 1.0F);
    TEST_OK(facet_bga_view(file, sizeof file, NULL, &bga, &error), &error);
    assert_true(bga.declaration_order);
    options.order = FACET_BGA_ORDER_COUNT;
    TEST_OK(facet_bga_view(file, sizeof file, &options, &bga, &error), &error);
    assert_false(bga.declaration_order);

    /* Neither is plausible: that of the specification again. */
    facet_store_f32le(file + 124, 1.0F);
    TEST_OK(facet_bga_view(file, sizeof file, NULL, &bga, &error), &error);
    assert_false(bga.declaration_order);
}

/* -- Spellings of lines -------------------------------------------------- */

/* Lines that the JavaScript parser accepts or ignores, each after a header with "vec3 a.q".
 * Expected: the components of a.p. */
TEST(attribute_lines_match_the_javascript_parser)
{
    static const struct {
        const char *line;
        uint32_t components; /* 0: ignored */
    } cases[] = {
        {"vec3 a.p", 3},       {"vec3\ta.p", 3},       {"vec3  a.p", 3},     {"vec3 a.p [2]", 6},
        {"vec3 a.p[2]", 6},    {"vec3 a.p//c", 3},     {"vec3 a.p // c", 3}, {"vec3 a.p   ", 3},
        {"mat3 a.p[2]", 18},   {"uint8 a.p[3] //", 3}, {"vec3 a.p\r", 3},    {" vec3 a.p", 0},
        {"vec3 a.p[]", 0},     {"vec3 a.p[0]", 0},     {"vec3 a", 0},        {"vec3 a.p x", 0},
        {"Vec3 a.p", 0},       {"vec3 a.p[2", 0},      {"double a.p", 0},    {"// vec3 a.p", 0},
        {"float a.p[16]", 16}, {"mat4 a.p", 16},       {"vec3a.p", 0},       {"vec3 a .p", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char header[200];
        facet_bga bga;
        snprintf(header, sizeof header, "BGA 2.0\nlittle endian\nvec3 a.q\n%s\n0 a\n\n",
                 cases[i].line);
        view_header(header, 0, &bga);
        const facet_bga_attribute *found = facet_bga_find(&bga, "a", "p");
        if ((found ? found->components : 0) != cases[i].components)
            fail_msg("'%s': %u components", cases[i].line, found ? found->components : 0);
    }
}

TEST(count_lines_match_the_javascript_parser)
{
    static const struct {
        const char *lines;
        uint64_t count;
    } cases[] =
        {
            {"2 a", 2},    {"2 a // n", 2}, {"2 a   ", 2},   {"2  a", 0},
            {"2 a//n", 0}, {" 2 a", 0},     {"2\ta", 0},     {"2 a\n1 a", 1},
            {"002 a", 2},  {"2 a b", 0},    {"2 a//n x", 2}, /* the expression backtracks */
            {"2 A", 0},    {"-2 a", 0},     {"", 0},         {"2 b\n2 a", 2},
        };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char header[200];
        facet_bga bga;
        snprintf(header, sizeof header, "BGA 2.0\nlittle endian\nuint8 a.q\n%s%s\n", cases[i].lines,
                 cases[i].lines[0] ? "\n" : "");
        view_header(header, 8, &bga);
        if (facet_bga_find_buffer(&bga, "a")->count != cases[i].count)
            fail_msg("'%s': %d records", cases[i].lines, (int)bga.buffers[0].count);
    }
}

TEST(version_and_endian_lines_are_checked)
{
    facet_bga bga;
    view_header("BGA 2.0 // x\nlittle endian\n\n", 0, &bga);
    assert_int_equal(bga.version_length, 3);
    assert_int_equal(bga.buffer_count, 0);
    view_header("BGA 2.1\nbig endian // why not\n\n", 0, &bga);
    assert_true(bga.big_endian);
    view_header("BGA 2.0\nbig endian//c\nbig endian\n\n", 0, &bga);
    expect_rule("BGA 2\nlittle endian\n\n", 0, "BGA-VERSION");
    expect_rule("BGA \nlittle endian\n\n", 0, "BGA-VERSION");
    expect_rule("BGA 3.0\nlittle endian\n\n", 0, "BGA-VERSION");
}

/* -- Malformed files ---------------------------------------------------- */

#define START "BGA 2.0\nlittle endian\n"

TEST(broken_headers_have_their_rule)
{
    static const struct {
        const char *header;
        size_t data_size;
        const char *rule;
    } cases[] = {
        {"", 0, "BGA-MAGIC"},
        {"BGA", 0, "BGA-MAGIC"},
        {"bga 2.0\n\n", 0, "BGA-MAGIC"},
        {"\xEF\xBB\xBF" START "\n", 0, "BGA-HEADER-BOM"},
        {START, 0, "BGA-HEADER-TERMINATOR"},
        {START "vec3 a.p\n1 a\n", 12, "BGA-HEADER-TERMINATOR"},
        {START, 100000, "BGA-HEADER-TERMINATOR"},
        {"BGA 2.0\r\nlittle endian\r\n\r\n", 0, "BGA-HEADER-CRLF"},
        {"BGA 2.0\n\n", 0, "BGA-ENDIAN-MISSING"},
        {START "big endian\n\n", 0, "BGA-ENDIAN-DUP"},
        {START "double a.p\n1 a\n\n", 8, "BGA-TYPE-UNKNOWN"},
        {START "vec3 a.p\nvec2 a.p\n1 a\n\n", 20, "BGA-ATTR-DUP"},
        {START "vec3 a-b.p\n\n", 0, "BGA-NAME-CHARS"},
        {START "vec3 a.b.p\n\n", 0, "BGA-NAME-CHARS"},
        {START "vec3 a.p\xC3\xA4\n\n", 0, "BGA-NAME-CHARS"},
        {START "vec3 a.p\n9007199254740993 a\n\n", 12, "BGA-COUNT-RANGE"},
        {START "vec3 a.p\n99999999999999999999999 a\n\n", 12, "BGA-COUNT-RANGE"},
        {START "vec3 a.p\n9007199254740992 a\n\n", 12, "BGA-COUNT-RANGE"},
        {START "vec3 a.p[4294967296]\n0 a\n\n", 12, "BGA-COUNT-RANGE"},
        {START "mat4 a.p[4294967295]\n0 a\n\n", 12, "BGA-COUNT-RANGE"},
        {START "float a.p[4294967295]\n4294967295 a\n\n", 12, "BGA-COUNT-RANGE"},
        {START "vec3 a.p\n2 a\n\n", 23, "BGA-DATA-TRUNCATED"},
        {START "vec3 a.p\nuint8 b.p\n1 a\n1 b\n\n", 12, "BGA-DATA-TRUNCATED"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_rule(cases[i].header, cases[i].data_size, cases[i].rule);
}

/* An error gives the position: the contradicting line is line 4, at byte 31. */
TEST(errors_have_line_and_offset)
{
    facet_bga bga;
    facet_error error = {0};
    static const char file[] = START "// x.y.z\nbig endian\n\n";
    assert_int_equal(facet_bga_view((const uint8_t *)file, sizeof file - 1, NULL, &bga, &error),
                     FACET_ERROR_MALFORMED);
    assert_int_equal(error.line, 4);
    assert_int_equal(error.offset, 31);
}

TEST(tolerant_view_accepts_crlf_and_missing_lines)
{
    facet_bga bga;
    facet_error error;
    facet_bga_view_options options = {.order = FACET_BGA_ORDER_AUTO, .tolerant = true};
    static const char crlf[] = "BGA 2.0\r\nbig endian\r\nuint8 a.p\r\n2 a\r\n\r\nxy";
    TEST_OK(facet_bga_view((const uint8_t *)crlf, sizeof crlf - 1, &options, &bga, &error), &error);
    assert_true(bga.big_endian);
    expect_attribute(&bga, "a", "p", FACET_BGA_BASE_UINT8, 1, sizeof crlf - 3, 1, 2);
    static const char silent[] = "BGA 2.0\nuint8 a.p\n1 a\n\nx";
    TEST_OK(facet_bga_view((const uint8_t *)silent, sizeof silent - 1, &options, &bga, &error),
            &error);
    assert_false(bga.big_endian);
}

TEST(view_reads_at_most_256_attributes)
{
    static char header[40000];
    for (int attributes = 0; attributes < 2; attributes++) {
        for (int count = 256; count <= 257; count++) {
            char *at = header + sprintf(header, START);
            for (int i = 0; i < count; i++)
                at += attributes ? sprintf(at, "uint8 a.p%d\n", i) : sprintf(at, "%d b%d\n", i, i);
            sprintf(at, "\n");
            if (count == 257) {
                expect_rule(header, 0, "BGA-LIMIT");
                continue;
            }
            facet_bga bga;
            view_header(header, 0, &bga);
            assert_int_equal(bga.attribute_count, attributes ? 256 : 0);
        }
    }
}

/* -- Byte order --------------------------------------------------------- */

TEST(swap_changes_exactly_the_given_bytes)
{
    uint8_t source[700], target[700], expected[700];
    for (size_t i = 0; i < sizeof source; i++)
        source[i] = (uint8_t)(i * 167 + 13);
    for (size_t size = 1; size <= 4; size *= 2) {
        for (size_t shift = 0; shift < 4; shift++) {
            for (size_t count = 0; count <= 150; count++) {
                memset(target, 0xAA, sizeof target);
                memset(expected, 0xAA, sizeof expected);
                for (size_t i = 0; i < count * size; i++)
                    expected[shift + i] = source[1 + i / size * size + (size - 1 - i % size)];
                facet_bga_swap(target + shift, source + 1, count, size);
                assert_memory_equal(target, expected, sizeof target);
                /* In place. */
                memcpy(target + shift, source + 1, count * size);
                facet_bga_swap(target + shift, target + shift, count, size);
                assert_memory_equal(target, expected, sizeof target);
            }
        }
    }
}

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
        assert_int_equal(facet_bga_read_values(read, to, 0, KIND_COUNT, values), KIND_COUNT);
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
    facet_bga_read_values(&read, facet_bga_find(&read, "big", "w"), 0, 2, back);
    facet_bga_read_values(&read, facet_bga_find(&read, "big", "s"), 0, 2, back_shorts);
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
            assert_int_equal(facet_bga_read_float(&read, a, 0, 9, floats), 3);
            assert_int_equal(facet_bga_read_u32(&read, a, 0, 9, numbers), 3);
            for (size_t k = 0; k < FLOATS; k++) {
                assert_true(floats[k] == cases[i].floats[k] ||
                            (isnan(floats[k]) && isnan(cases[i].floats[k])));
                assert_int_equal(numbers[k], cases[i].numbers[k]);
            }
            assert_int_equal(facet_bga_read_u32(&read, a, 2, 1, numbers), 1);
            assert_int_equal(numbers[1], cases[i].numbers[5]);
            assert_int_equal(facet_bga_read_float(&read, a, 3, 1, floats), 0);
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

/* -- Untrusted input ----------------------------------------------------- */

/* Read every value of every attribute. */
static void read_everything(const uint8_t *data, size_t size, void *user)
{
    facet_bga bga;
    (void)user;
    for (int order = 0; order <= FACET_BGA_ORDER_DECLARATION; order++) {
        facet_bga_view_options options = {.order = (facet_bga_order)order, .tolerant = order == 1};
        if (facet_bga_view(data, size, &options, &bga, NULL) != FACET_OK)
            continue;
        for (uint32_t i = 0; i < bga.attribute_count; i++) {
            const facet_bga_attribute *a = &bga.attributes[i];
            size_t record = a->components * facet_bga_base_size(a->base);
            if (a->count == 0)
                continue;
            void *values = malloc(record * (size_t)a->count);
            assert_non_null(values);
            assert_int_equal(facet_bga_read_values(&bga, a, 0, a->count, values), a->count);
            free(values);
        }
    }
}

TEST(every_mutation_is_survived)
{
    static uint8_t mixed[136] = ORDER_HEADER;
    test_every_mutation(triangle_file, sizeof triangle_file, read_everything, NULL);
    test_every_mutation(mixed, sizeof mixed, read_everything, NULL);
    static const char old[] = "BGA 1.0\nbig endian\nattribute vec2 p\n1 vertex\n1 edge uint16\n"
                              "1 triangle uint32\n\n012345670123012345678901";
    test_every_mutation((const uint8_t *)old, sizeof old - 1, read_everything, NULL);
}
