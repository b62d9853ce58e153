/* BGA: views, values, writing. Expected offsets and bytes are from the format's description and
 * its worked examples. */
#include "support/bga_file.h"

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
    assert_int_equal(facet_bga_read_values(&bga, facet_bga_find(&bga, "vertex", "position"), 0, 100,
                                           FACET_BGA_BASE_FLOAT32, positions),
                     3);
    assert_memory_equal(positions, triangle_positions, sizeof positions);
    facet_bga_read_values(&bga, facet_bga_find(&bga, "triangle", "cell"), 0, 1,
                          FACET_BGA_BASE_UINT32, cells);
    assert_memory_equal(cells, triangle_cells, sizeof cells);
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
    TEST_OK(facet_bga_view(facet_file_source(file).data, facet_file_source(file).size, NULL, bga,
                           &error),
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
    assert_int_equal(bga.data_end, facet_file_source(file).size);
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
    assert_int_equal(facet_bga_read_values(&bga, position, 0, 141, position->base, values), 141);
    for (size_t i = 0; i < 141 * 3; i++) {
        const uint8_t *at = position->data + i / 3 * position->stride + i % 3 * 4;
        assert_int_equal(facet_bits_of_float(values[i]), facet_load_u32be(at));
    }
    /* A part of it as well. */
    float some[6];
    assert_int_equal(facet_bga_read_values(&bga, position, 139, 5, position->base, some), 2);
    assert_memory_equal(some, values + 139 * 3, sizeof some);
    assert_int_equal(facet_bga_read_values(&bga, position, 141, 5, position->base, some), 0);
    facet_bga_read_values(&bga, cell, 0, 220, cell->base, indices);
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
            assert_int_equal(facet_bga_read_values(&bga, a, 0, a->count, a->base, values),
                             a->count);
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
