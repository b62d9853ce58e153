/* Every rule of the BPX check: a file that breaks it and as few others as possible.
 *
 * The files are built from the layout tables by support/bpx.h. */
#include "support/bpx.h"

#include <lzma.h>
#include <math.h>
#include <stdio.h>

static const uint8_t unused[16] = {0};

/* -- A valid model ------------------------------------------------------- */

enum { FORMAT, ARRAY, BONES, FRAMES, ANIMATIONS, STRINGS, MORE, PARTS };

/* Position, normal, joints, weights: 12 + 12 + 16 + 16 bytes. */
enum { STRIDE = 56, NORMAL = 12, JOINTS = 24, WEIGHTS = 40 };

typedef struct model {
    bytes parts[PARTS];
    uint8_t types[PARTS];
    uint8_t extension[5];
} model;

static void put_vertex(bytes *b, float x, float y)
{
    /* In a left-handed frame, counter-clockwise x and y are seen from -z. */
    const float place[6] = {x, y, 0, 0, 0, -1}, weights[4] = {1, 0, 0, 0};
    put_floats(b, place, 6);
    for (int i = 0; i < 4; i++)
        put_u32(b, 0);
    put_floats(b, weights, 4);
}

static void put_bone(bytes *b, uint32_t name)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    put_floats(b, identity, 16);
    put_u32(b, name);
}

static void put_array(bytes *b, uint32_t material)
{
    put_u32(b, material);
    put_u32(b, 3);
    put_vertex(b, 0, 0);
    put_vertex(b, 1, 0);
    put_vertex(b, 0, 1);
}

/* "", "red.mat" at 1, "root" at 9, "tip" at 14. */
static void make_model(model *m)
{
    static const uint8_t format[] = {STRIDE, 0, 4, 0, 0x31, 0x31, 0x43, 0x41};
    memset(m, 0, sizeof *m);
    for (uint8_t i = 0; i < PARTS; i++)
        m->types[i] = i < MORE ? i : ARRAY;
    put_bytes(&m->parts[FORMAT], format, sizeof format);
    put_array(&m->parts[ARRAY], 1);
    put_u16(&m->parts[BONES], 2);
    put_bone(&m->parts[BONES], 9);
    put_bone(&m->parts[BONES], 14);
    put_bytes(&m->parts[STRINGS], "\0red.mat\0root\0tip", 18);
}

/* Sections without contents are left out. */
static bytes finish_model(model *m)
{
    section_of sections[PARTS];
    size_t count = 0;
    for (int i = 0; i < PARTS; i++) {
        section_of one = {m->types[i], 0, &m->parts[i]};
        if (m->parts[i].data)
            sections[count++] = one;
    }
    bytes file = build_file('M', m->extension, sections, count);
    for (int i = 0; i < PARTS; i++)
        drop(&m->parts[i]);
    return file;
}

/* -- One error each ------------------------------------------------------- */

static void none(model *m)
{
    (void)m;
}
static void no_format(model *m)
{
    drop(&m->parts[FORMAT]);
}
static void no_array(model *m)
{
    drop(&m->parts[ARRAY]);
}
static void format_twice(model *m)
{
    m->types[MORE] = FORMAT;
    put_bytes(&m->parts[MORE], m->parts[FORMAT].data, m->parts[FORMAT].size);
}
static void strings_twice(model *m)
{
    m->types[MORE] = STRINGS;
    put_bytes(&m->parts[MORE], "", 1);
}
static void empty_section(model *m)
{
    m->types[MORE] = ANIMATIONS;
    put_bytes(&m->parts[MORE], "", 0);
}
static void unknown_type(model *m)
{
    m->types[MORE] = 9;
    put_bytes(&m->parts[MORE], "?", 1);
}
static void extension(model *m)
{
    m->extension[4] = 1;
}
static void format_short(model *m)
{
    m->parts[FORMAT].size = 7;
}
static void format_tail(model *m)
{
    put_u8(&m->parts[FORMAT], 0);
}
static void no_components(model *m)
{
    set_number(&m->parts[FORMAT], 2, 0, 1);
}
static void type_4(model *m)
{
    set_number(&m->parts[FORMAT], 6, 0x44, 1);
}
static void no_elements(model *m)
{
    set_number(&m->parts[FORMAT], 6, 0x03, 1);
}
static void eight_elements(model *m)
{
    set_number(&m->parts[FORMAT], 2, 3, 1);
    set_number(&m->parts[FORMAT], 6, 0x81, 1);
    m->parts[FORMAT].size = 7;
}
static void vertex_size(model *m)
{
    set_number(&m->parts[FORMAT], 0, STRIDE + 4, 1);
}
/* Only the third component, of type 4, cannot be read low nibble first. */
static void nibbles(model *m)
{
    static const uint8_t swapped[] = {0x13, 0x13, 0x34, 0x14};
    memcpy(m->parts[FORMAT].data + 4, swapped, 4);
}
/* All but the last can be read in either order, and the last has no type 0. */
static void last_nibble(model *m)
{
    /* Low nibble first: 3 x 4, 3 x 4 and a component of type 0. Swapped: uint1
     * twice and float 12: 4 + 4 + 48 bytes. */
    static const uint8_t odd[] = {0x31, 0x31, 0x1C};
    memcpy(m->parts[FORMAT].data + 4, odd, 3);
    set_number(&m->parts[FORMAT], 2, 3, 1);
    m->parts[FORMAT].size = 7;
}
static void format_reserved(model *m)
{
    set_number(&m->parts[FORMAT], 3, 1, 1);
}
static void no_position(model *m)
{
    set_number(&m->parts[FORMAT], 4, 0x33, 1);
}
static void array_short(model *m)
{
    m->parts[ARRAY].size--;
}
static void array_tail(model *m)
{
    put_u8(&m->parts[ARRAY], 0);
}
static void four_vertices(model *m)
{
    put_vertex(&m->parts[ARRAY], 5, 5);
    set_number(&m->parts[ARRAY], 4, 4, 4);
}
static void no_vertices(model *m)
{
    set_number(&m->parts[ARRAY], 4, 0, 4);
    m->parts[ARRAY].size = 8;
}
static void nan_position(model *m)
{
    set_float(&m->parts[ARRAY], 8, NAN);
}
static void nan_weight(model *m)
{
    set_float(&m->parts[ARRAY], 8 + WEIGHTS, NAN);
}
/* One of three: the component is still recognized as the normal. */
static void long_normal(model *m)
{
    set_float(&m->parts[ARRAY], 8 + NORMAL + 8, -1.02F);
}
static void almost_unit(model *m)
{
    set_float(&m->parts[ARRAY], 8 + NORMAL + 8, -1.009F);
}
/* All of them: a custom component, but still reported. */
static void no_unit_normal(model *m)
{
    for (size_t i = 0; i < 3; i++)
        set_float(&m->parts[ARRAY], 8 + i * STRIDE + NORMAL, 7);
}
static void inside_out(model *m)
{
    for (size_t i = 0; i < 3; i++)
        set_float(&m->parts[ARRAY], 8 + i * STRIDE + NORMAL + 8, 1);
}
static void no_area(model *m)
{
    set_float(&m->parts[ARRAY], 8 + 2 * STRIDE, 2);
    set_float(&m->parts[ARRAY], 8 + 2 * STRIDE + 4, 0);
}
static void same_material(model *m)
{
    put_array(&m->parts[MORE], 1);
}
/* The same name at another offset. */
static void equal_material(model *m)
{
    put_bytes(&m->parts[STRINGS], "red.mat", 8);
    put_array(&m->parts[MORE], 18);
}
static void no_bones(model *m)
{
    set_number(&m->parts[BONES], 0, 0, 2);
}
static void bones_1025(model *m)
{
    set_number(&m->parts[BONES], 0, 1025, 2);
    for (int i = 2; i < 1025; i++)
        put_bone(&m->parts[BONES], 14);
}
static void bones_short(model *m)
{
    m->parts[BONES].size--;
}
static void bones_padded(model *m)
{
    bytes *b = &m->parts[BONES];
    put_u16(b, 0);
    memmove(b->data + 4, b->data + 2, b->size - 4);
}
static void last_row(model *m)
{
    set_float(&m->parts[BONES], 2 + 60, 2);
}
static void singular(model *m)
{
    set_float(&m->parts[BONES], 2 + 20, 0);
}
static void infinite_bone(model *m)
{
    set_float(&m->parts[BONES], 2 + 12, INFINITY);
}
static void transposed(model *m)
{
    set_float(&m->parts[BONES], 2 + 52, 3);
}
static void nameless_bone(model *m)
{
    set_number(&m->parts[BONES], 2 + 64, 0, 4);
}
static void same_bone(model *m)
{
    set_number(&m->parts[BONES], 2 + 68 + 64, 9, 4);
}
static void joint_2(model *m)
{
    set_number(&m->parts[ARRAY], 8 + JOINTS, 2, 4);
}
static void negative_weight(model *m)
{
    set_float(&m->parts[ARRAY], 8 + WEIGHTS, 1.5F);
    set_float(&m->parts[ARRAY], 8 + WEIGHTS + 4, -0.5F);
}
static void light_weight(model *m)
{
    set_float(&m->parts[ARRAY], 8 + WEIGHTS, 0.98F);
}
static void frames(model *m)
{
    put_bytes(&m->parts[FRAMES], "unknown", 7);
}
static void frames_without_bones(model *m)
{
    frames(m);
    drop(&m->parts[BONES]);
}
static void large_frames(model *m)
{
    put_fill(&m->parts[FRAMES], 0, 65537);
}
static void animations(model *m)
{
    put_bytes(&m->parts[ANIMATIONS], "unknown", 7);
}
static void material_outside(model *m)
{
    set_number(&m->parts[ARRAY], 0, 18, 4);
}
static void material_endless(model *m)
{
    put_bytes(&m->parts[STRINGS], "end", 3);
    set_number(&m->parts[ARRAY], 0, 18, 4);
}
static void latin_1(model *m)
{
    set_number(&m->parts[STRINGS], 3, 0xE9, 1);
}
/* A valid string that is the end of a string with invalid UTF-8. */
static void sound_tail(model *m)
{
    latin_1(m);
    set_number(&m->parts[ARRAY], 0, 5, 4);
}
/* An offset at the second byte of a character. */
static void inside_character(model *m)
{
    memcpy(m->parts[STRINGS].data + 3, "\xC3\xA9", 2);
    set_number(&m->parts[ARRAY], 0, 4, 4);
}
static void no_strings(model *m)
{
    drop(&m->parts[STRINGS]);
}
static void middle(model *m)
{
    set_number(&m->parts[ARRAY], 0, 5, 4);
}
static void unused_string(model *m)
{
    put_bytes(&m->parts[STRINGS], "nobody", 7);
}

TEST(each_model_rule_is_reported)
{
    static const struct {
        void (*break_it)(model *m);
        const char *rule;
        facet_severity severity;
    } cases[] = {
        {no_format, "BPX-SECTION-MISSING", FACET_SEVERITY_ERROR},
        {no_array, "BPX-SECTION-MISSING", FACET_SEVERITY_ERROR},
        {format_twice, "BPX-SECTION-DUP", FACET_SEVERITY_ERROR},
        {strings_twice, "BPX-SECTION-DUP", FACET_SEVERITY_WARNING},
        {empty_section, "BPX-SECTION-EMPTY", FACET_SEVERITY_WARNING},
        {unknown_type, "BPX-SECTION-TYPE", FACET_SEVERITY_WARNING},
        {extension, "BPX-EXT-UNUSED", FACET_SEVERITY_WARNING},
        {format_short, "BPX-M-VF-SIZE", FACET_SEVERITY_ERROR},
        {format_tail, "BPX-M-VF-TAIL", FACET_SEVERITY_WARNING},
        {no_components, "BPX-M-VF-COUNT", FACET_SEVERITY_ERROR},
        {type_4, "BPX-M-VF-TYPE", FACET_SEVERITY_ERROR},
        {no_elements, "BPX-M-VF-ELEMS", FACET_SEVERITY_ERROR},
        {eight_elements, "BPX-M-VF-ELEMS-LARGE", FACET_SEVERITY_WARNING},
        {vertex_size, "BPX-M-VF-VERTEXSIZE", FACET_SEVERITY_ERROR},
        {nibbles, "BPX-M-VF-NIBBLES", FACET_SEVERITY_WARNING},
        {last_nibble, "BPX-M-VF-NIBBLES", FACET_SEVERITY_WARNING},
        {format_reserved, "BPX-M-VF-RESERVED", FACET_SEVERITY_WARNING},
        {no_position, "BPX-M-VF-POSITION", FACET_SEVERITY_WARNING},
        {array_short, "BPX-M-VA-SIZE", FACET_SEVERITY_ERROR},
        {array_tail, "BPX-M-VA-TAIL", FACET_SEVERITY_WARNING},
        {four_vertices, "BPX-M-VA-MULTIPLE", FACET_SEVERITY_WARNING},
        {no_vertices, "BPX-M-VA-EMPTY", FACET_SEVERITY_WARNING},
        {nan_position, "BPX-M-VA-FLOAT", FACET_SEVERITY_ERROR},
        {nan_weight, "BPX-M-VA-FLOAT", FACET_SEVERITY_WARNING},
        {long_normal, "BPX-M-VA-NORMAL", FACET_SEVERITY_WARNING},
        {no_unit_normal, "BPX-M-VA-NORMAL", FACET_SEVERITY_WARNING},
        {inside_out, "BPX-M-VA-WINDING", FACET_SEVERITY_WARNING},
        {no_area, "BPX-M-VA-DEGENERATE", FACET_SEVERITY_NOTE},
        {same_material, "BPX-M-VA-MATERIAL-DUP", FACET_SEVERITY_NOTE},
        {equal_material, "BPX-M-VA-MATERIAL-DUP", FACET_SEVERITY_NOTE},
        {no_bones, "BPX-M-BONE-COUNT", FACET_SEVERITY_ERROR},
        {bones_1025, "BPX-M-BONE-COUNT", FACET_SEVERITY_ERROR},
        {bones_short, "BPX-M-BONE-SIZE", FACET_SEVERITY_ERROR},
        {bones_padded, "BPX-M-BONE-PADDED", FACET_SEVERITY_WARNING},
        {last_row, "BPX-M-BONE-MATRIX", FACET_SEVERITY_WARNING},
        {singular, "BPX-M-BONE-MATRIX", FACET_SEVERITY_WARNING},
        {infinite_bone, "BPX-M-BONE-MATRIX", FACET_SEVERITY_ERROR},
        {transposed, "BPX-M-BONE-TRANSPOSED", FACET_SEVERITY_WARNING},
        {nameless_bone, "BPX-M-BONE-NAME", FACET_SEVERITY_WARNING},
        {same_bone, "BPX-M-BONE-NAME", FACET_SEVERITY_WARNING},
        {joint_2, "BPX-M-BONE-INDEX", FACET_SEVERITY_ERROR},
        {negative_weight, "BPX-M-BONE-WEIGHT", FACET_SEVERITY_WARNING},
        {light_weight, "BPX-M-BONE-WEIGHT", FACET_SEVERITY_WARNING},
        {frames, "BPX-M-FRAME-OPAQUE", FACET_SEVERITY_NOTE},
        {frames_without_bones, "BPX-M-FRAME-NOBONES", FACET_SEVERITY_WARNING},
        {large_frames, "BPX-M-FRAME-RAW", FACET_SEVERITY_NOTE},
        {animations, "BPX-M-ANIM-OPAQUE", FACET_SEVERITY_NOTE},
        {material_outside, "BPX-STR-RANGE", FACET_SEVERITY_ERROR},
        {material_endless, "BPX-STR-UNTERMINATED", FACET_SEVERITY_ERROR},
        {latin_1, "BPX-STR-UTF8", FACET_SEVERITY_WARNING},
        {inside_character, "BPX-STR-UTF8", FACET_SEVERITY_WARNING},
        {no_strings, "BPX-STR-MISSING", FACET_SEVERITY_WARNING},
        {middle, "BPX-STR-MIDDLE", FACET_SEVERITY_NOTE},
        {sound_tail, "BPX-STR-MIDDLE", FACET_SEVERITY_NOTE},
        {unused_string, "BPX-STR-UNUSED", FACET_SEVERITY_NOTE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        model m;
        make_model(&m);
        cases[i].break_it(&m);
        bytes file = finish_model(&m);
        expect_finding(file.data, file.size, cases[i].rule, cases[i].severity);
        drop(&file);
    }
}

/* Valid models have no findings. */
TEST(sound_models_pass)
{
    static void (*const sound[])(model * m) = {none, almost_unit};
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        model m;
        make_model(&m);
        sound[i](&m);
        bytes file = finish_model(&m);
        facet_report *report = check_bytes(file.data, file.size);
        if (facet_report_count(report) > 0)
            fail_msg("%s", facet_report_get(report, 0)->message);
        facet_report_free(report);
        drop(&file);
    }
    model m;
    make_model(&m);
    sound_tail(&m);
    bytes file = finish_model(&m);
    assert_false(has_finding(file.data, file.size, "BPX-STR-UTF8"));
    drop(&file);
}

/* -- The container ------------------------------------------------------ */

/* A container with one section of unknown contents. */
static bytes scene_file(const bytes *contents, uint8_t flags)
{
    section_of section = {7, flags, contents};
    return build_file('C', unused, &section, 1);
}

/* The rule of facet_bpx_verify; "" if every sum is right. */
static const char *verified(const bytes *file)
{
    static facet_error error;
    facet_bpx_layout layout;
    TEST_OK(facet_bpx_view(file->data, file->size, &layout, &error), &error);
    return facet_bpx_verify(&layout, &error) ? error.rule : "";
}

TEST(wrong_checksums_are_reported)
{
    bytes contents = {0};
    put_bytes(&contents, "opaque", 6);
    bytes file = scene_file(&contents, 0);
    expect_finding(file.data, file.size, "BPX-TYPE-UNSPECIFIED", FACET_SEVERITY_NOTE);
    set_number(&file, 4, 0, 4);
    uLong zeroed = crc32(0, file.data, (uInt)file.size);
    expect_finding(file.data, file.size, "BPX-CRC-ABSENT", FACET_SEVERITY_WARNING);
    set_number(&file, 4, zeroed, 4);
    expect_finding(file.data, file.size, "BPX-CRC-ZEROED", FACET_SEVERITY_WARNING);
    assert_string_equal(verified(&file), "");
    set_number(&file, 4, zeroed + 1, 4);
    expect_finding(file.data, file.size, "BPX-CRC", FACET_SEVERITY_ERROR);
    drop(&file);
    file = build_file('C', unused, NULL, 0);
    expect_finding(file.data, file.size, "BPX-SECTION-MISSING", FACET_SEVERITY_NOTE);
    set_number(&file, 8, 99, 8);
    expect_finding(file.data, file.size, "BPX-FILESIZE", FACET_SEVERITY_ERROR);
    drop(&file);
    drop(&contents);
}

TEST(each_header_rule_is_reported)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *rule;
        facet_severity severity;
    } cases[] = {
        {1, 'Q', "BPX-SIGNATURE", FACET_SEVERITY_ERROR},
        {3, 'Q', "BPX-TYPE-UNKNOWN", FACET_SEVERITY_ERROR},
        {8, 46, "BPX-FILESIZE-FORM", FACET_SEVERITY_WARNING}, /* the whole file */
        {8, 6, "BPX-FILESIZE-FORM", FACET_SEVERITY_WARNING},  /* without the table */
        {0x10, 9, "BPX-TABLE-BOUNDS", FACET_SEVERITY_ERROR},
        {0x12, 7, "BPX-VERSION", FACET_SEVERITY_ERROR},
        {24, 24, "BPX-SECTION-IN-HEADER", FACET_SEVERITY_ERROR},
        {24 + 8, 7, "BPX-SECTION-BOUNDS", FACET_SEVERITY_ERROR},
        {24 + 8, 5, "BPX-SECTION-GAP", FACET_SEVERITY_NOTE},
        {24 + 13, 0x80, "BPX-SECTION-FLAGS", FACET_SEVERITY_WARNING},
        {24 + 14, 1, "BPX-SECTION-RESERVED", FACET_SEVERITY_WARNING},
    };
    bytes contents = {0};
    put_bytes(&contents, "opaque", 6);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes file = scene_file(&contents, 0);
        file.data[cases[i].at] = cases[i].value;
        expect_finding(file.data, file.size, cases[i].rule, cases[i].severity);
        drop(&file);
    }
    bytes file = scene_file(&contents, 0);
    expect_finding(file.data, 23, "BPX-SIZE-HEADER", FACET_SEVERITY_ERROR);
    drop(&file);
    section_of twice[] = {{7, 0, &contents}, {8, 0, &contents}};
    file = build_file('C', unused, twice, 2);
    set_number(&file, 24 + 16, 24 + 32 + 3, 8);
    expect_finding(file.data, file.size, "BPX-SECTION-OVERLAP", FACET_SEVERITY_WARNING);
    drop(&file);
    drop(&contents);
}

TEST(damaged_streams_are_reported)
{
    bytes contents = {0};
    for (int i = 0; i < 3000; i++)
        put_u8(&contents, (unsigned)i % 7);
    bytes stream = deflated(&contents);
    bytes file = scene_file(&stream, 2);
    expect_clean(file.data, file.size);
    set_number(&file, 24 + 8, 3000, 4);
    seal(&file);
    expect_finding(file.data, file.size, "BPX-ZLIB-SIZE", FACET_SEVERITY_WARNING);
    /* Neither the stored nor the inflated size, and out of bounds. */
    set_number(&file, 24 + 8, 2999, 4);
    expect_finding(file.data, file.size, "BPX-SECTION-BOUNDS", FACET_SEVERITY_ERROR);
    set_number(&file, 24 + 8, stream.size - 1, 4);
    expect_finding(file.data, file.size, "BPX-ZLIB", FACET_SEVERITY_ERROR);
    drop(&file);
    put_bytes(&stream, "tail", 4);
    file = scene_file(&stream, 2);
    expect_finding(file.data, file.size, "BPX-ZLIB-TAIL", FACET_SEVERITY_WARNING);
    /* Header, block and checksum of the stream, in turn. */
    const size_t damaged[] = {0, 5, stream.size - 5};
    for (size_t i = 0; i < 3; i++) {
        bytes copy = {0};
        put_bytes(&copy, file.data, file.size);
        copy.data[40 + damaged[i]] ^= 0x55;
        expect_finding(copy.data, copy.size, "BPX-ZLIB", FACET_SEVERITY_ERROR);
        drop(&copy);
    }
    drop(&file);
    drop(&stream);
    put_bytes(&stream, "\x1F\x8B\x08 gzip", 8);
    file = scene_file(&stream, 2);
    expect_finding(file.data, file.size, "BPX-ZLIB-FOREIGN", FACET_SEVERITY_ERROR);
    drop(&file);
    drop(&stream);
    put_bytes(&stream,
              "\xFD"
              "7zXZ\0 xz",
              9);
    file = scene_file(&stream, 2);
    expect_finding(file.data, file.size, "BPX-ZLIB-FOREIGN", FACET_SEVERITY_ERROR);
    drop(&file);
    drop(&stream);
    drop(&contents);
}

/* 8 MiB of zeros are 8 KiB of stream: harmless unless the limit is 1 MiB. Sixteen sections that
 * share those bytes are more than any single stream gives. */
TEST(bombs_are_refused)
{
    bytes contents = {0};
    contents.size = (size_t)8 << 20;
    contents.data = calloc(contents.size, 1);
    assert_non_null(contents.data);
    bytes stream = deflated(&contents);
    bytes file = scene_file(&stream, 2);
    facet_options options = {.memory_limit = 1 << 20};
    facet_source source = source_of_bytes(file.data, file.size);
    const facet_format *bpx = facet_format_named("bpx");
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_check(&source, bpx, &options, report, &error), &error);
    assert_non_null(test_finding(report, "BPX-ZLIB-BOMB"));
    facet_report_free(report);
    facet_description *description;
    assert_int_equal(facet_describe(&source, bpx, &options, &description, &error),
                     FACET_ERROR_MEMORY_LIMIT);
    assert_string_equal(error.rule, "BPX-ZLIB-BOMB");
    assert_false(has_finding(file.data, file.size, "BPX-ZLIB-BOMB"));
    drop(&file);

    section_of sections[16];
    for (size_t i = 0; i < 16; i++) {
        section_of one = {7, 2, &stream};
        sections[i] = one;
    }
    file = build_file('C', unused, sections, 16);
    for (size_t i = 0; i < 16; i++)
        set_number(&file, 24 + 16 * i, 24 + 16 * 16, 8);
    file.size = 24 + 16 * 16 + stream.size;
    seal(&file);
    expect_finding(file.data, file.size, "BPX-ZLIB-BOMB", FACET_SEVERITY_ERROR);
    source = source_of_bytes(file.data, file.size);
    assert_int_equal(facet_describe(&source, bpx, NULL, &description, &error), FACET_ERROR_LIMIT);
    drop(&file);
    drop(&stream);
    drop(&contents);
}

/* -- Textures ----------------------------------------------------------- */

TEST(each_texture_rule_is_reported)
{
    static const struct {
        uint8_t extension[5];
        size_t size;
        float first;
        const char *rule;
        facet_severity severity;
    } cases[] = {
        {{0, 0, 0x10, 0x05, 1}, 32, 0, "BPX-T-FORMAT", FACET_SEVERITY_ERROR},
        {{0, 0, 0x10, 0x82, 1}, 32, 0, "BPX-T-FLAGS", FACET_SEVERITY_WARNING},
        {{0, 0, 0x10, 0x02, 1}, 31, 0, "BPX-T-SIZE", FACET_SEVERITY_ERROR},
        {{3, 0, 0x10, 0x02, 1}, 32, 0, "BPX-T-ARRAY-FLAG", FACET_SEVERITY_WARNING}, /* ignored */
        {{3, 0, 0x10, 0x02, 1}, 96, 0, "BPX-T-ARRAY-FLAG", FACET_SEVERITY_WARNING}, /* used */
        {{0, 0, 0x10, 0x12, 1}, 32, 0, "BPX-T-ARRAY-FLAG", FACET_SEVERITY_WARNING},
        {{6, 0, 0x11, 0x52, 1},
         6 * 64,
         0,
         "BPX-T-ARRAY-FLAG",
         FACET_SEVERITY_WARNING}, /* cube flag as well */
        {{5, 0, 0x11, 0x42, 1}, 5 * 64, 0, "BPX-T-CUBE", FACET_SEVERITY_ERROR},
        {{0, 0, 0x11, 0x42, 1}, 6 * 64, 0, "BPX-T-CUBE", FACET_SEVERITY_ERROR},
        {{6, 0, 0x10, 0x42, 1}, 6 * 32, 0, "BPX-T-CUBE", FACET_SEVERITY_ERROR}, /* not squares */
        {{0, 0, 0x10, 0x02, 4}, 32, 0, "BPX-T-MIPS", FACET_SEVERITY_WARNING},
        {{0, 0, 0x10, 0x20, 1},
         32,
         0,
         "BPX-T-NIBBLES",
         FACET_SEVERITY_WARNING}, /* format and flags are wrong */
        {{0x10, 0x02, 1, 0, 0},
         32,
         0,
         "BPX-T-NIBBLES",
         FACET_SEVERITY_WARNING}, /* the previous day's order */
        {{0, 0, 0x00, 0x01, 1}, 12, 0, "BPX-T-ROWALIGN", FACET_SEVERITY_NOTE},
        {{0, 0, 0x00, 0x04, 1}, 16, NAN, "BPX-T-FLOAT", FACET_SEVERITY_WARNING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes pixels = {0};
        put_float(&pixels, cases[i].first);
        while (pixels.size < cases[i].size)
            put_u8(&pixels, 0);
        pixels.size = cases[i].size;
        section_of section = {0, 0, &pixels};
        bytes file = build_file('T', cases[i].extension, &section, 1);
        expect_finding(file.data, file.size, cases[i].rule, cases[i].severity);
        drop(&file);
        drop(&pixels);
    }
}

/* -- Shader packages ---------------------------------------------------- */

static void put_assembly(bytes *b, uint32_t version, unsigned vertex, unsigned pixel)
{
    put_u32(b, version);
    put_u16(b, vertex);
    put_u16(b, 0);
    put_u16(b, pixel);
    put_u16(b, 0);
}

/* Two shaders, an assembly of `size` bytes, and one changed byte in it. */
static bytes shader_file(uint8_t count, uint8_t flags, bytes *assembly)
{
    const uint8_t extension[5] = {count, 0, 0, 0, flags};
    bytes vertex = {0}, pixel = {0};
    put_bytes(&vertex, "VERT", 4);
    put_bytes(&pixel, "FRAG", 4);
    section_of sections[] = {{0, 0, &vertex}, {0, 0, &pixel}, {2, 0, assembly}};
    bytes file = build_file('S', extension, sections, 3);
    drop(&vertex);
    drop(&pixel);
    drop(assembly);
    return file;
}

TEST(each_shader_rule_is_reported)
{
    static const struct {
        uint8_t count, flags, version, vertex, pixel;
        int resize; /* change of the size of the assembly */
        uint8_t reserved;
        const char *rule;
        facet_severity severity;
    } cases[] = {
        {3, 2, 33, 1, 2, 0, 0, "BPX-S-COUNT", FACET_SEVERITY_WARNING},
        {2, 0x12, 33, 1, 2, 0, 0, "BPX-S-FLAGS", FACET_SEVERITY_WARNING},
        {2, 3, 33, 1, 2, 0, 0, "BPX-S-FLAGS-ASM", FACET_SEVERITY_WARNING},
        {2, 0, 33, 1, 2, 0, 0, "BPX-S-FLAGS-ASM", FACET_SEVERITY_WARNING},
        {2, 2, 33, 1, 2, -1, 0, "BPX-S-ASM-SIZE", FACET_SEVERITY_ERROR},
        {2, 2, 33, 1, 2, 1, 0, "BPX-S-ASM-SIZE", FACET_SEVERITY_WARNING},
        {2, 2, 33, 1, 3, 0, 0, "BPX-S-ASM-ID", FACET_SEVERITY_ERROR},
        {2, 2, 33, 0, 2, 0, 0, "BPX-S-ASM-VERTEX", FACET_SEVERITY_WARNING},
        {2, 2, 33, 1, 0, 0, 0, "BPX-S-ASM-VERTEX", FACET_SEVERITY_WARNING},
        {2, 2, 29, 1, 2, 0, 0, "BPX-S-ASM-VERSION", FACET_SEVERITY_WARNING},
        {2, 2, 47, 1, 2, 0, 0, "BPX-S-ASM-VERSION", FACET_SEVERITY_WARNING},
        {2, 2, 33, 1, 2, 0, 1, "BPX-S-ASM-RESERVED", FACET_SEVERITY_WARNING},
        {2, 2, 33, 1, 1, 0, 0, "BPX-S-SHADER-UNUSED", FACET_SEVERITY_NOTE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes assembly = {0};
        put_assembly(&assembly, cases[i].version, cases[i].vertex, cases[i].pixel);
        set_number(&assembly, 10, cases[i].reserved, 1);
        if (cases[i].resize > 0)
            put_u8(&assembly, 0);
        assembly.size -= cases[i].resize < 0;
        bytes file = shader_file(cases[i].count, cases[i].flags, &assembly);
        expect_finding(file.data, file.size, cases[i].rule, cases[i].severity);
        drop(&file);
    }
    /* If ids count from 0, they are 0 and 1, and "none" is 0xFFFF. */
    bytes assembly = {0};
    put_assembly(&assembly, 33, 0, 1);
    set_number(&assembly, 6, 0xFFFF, 2);
    bytes file = shader_file(2, 2, &assembly);
    expect_finding(file.data, file.size, "BPX-S-ASM-BASE0", FACET_SEVERITY_WARNING);
    drop(&file);
}

/* -- Later revisions ---------------------------------------------------- */

/* The table of the library of versions 1 and 2, as its source builds it. */
static uint32_t one_step_crc(const bytes *b)
{
    uint32_t table[256], r = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < 256; i++)
        table[i] = (i >> 1) ^ ((i & 1) ? 0xEDB88320u : 0);
    for (size_t i = 0; i < b->size; i++)
        r = (r >> 8) ^ table[(r ^ b->data[i]) & 255];
    return ~r;
}

static bytes xz(const bytes *contents)
{
    bytes b = {0};
    size_t space = lzma_stream_buffer_bound(contents->size);
    b.data = malloc(space);
    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_NONE, NULL, contents->data,
                                             contents->size, b.data, &b.size, space),
                     LZMA_OK);
    return b;
}

TEST(rules_of_later_versions_are_reported)
{
    bytes contents = {0};
    for (int i = 0; i < 1000; i++)
        put_u8(&contents, (unsigned)i % 11);
    bytes stored = xz(&contents), zlib = deflated(&contents);
    uint32_t size = (uint32_t)contents.size, sum = byte_sum(contents.data, size);
    for (uint32_t version = 1; version <= 2; version++) {
        later_section section = {1, 0x0A, &stored, size, sum};
        bytes file = build_later('P', version, unused, &section, 1);
        facet_report *report = check_bytes(file.data, file.size);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
        assert_int_equal(facet_report_count(report), 1);
        assert_non_null(test_finding(report, "BPX-VERSION-LATER"));
        facet_report_free(report);
        file.data[4] ^= 1;
        expect_finding(file.data, file.size, "BPX2-SUM", FACET_SEVERITY_ERROR);
        set_number(&file, 8, file.size - 1, 8);
        expect_finding(file.data, file.size, "BPX2-FILESIZE", FACET_SEVERITY_WARNING);
        set_number(&file, 8, 0, 8);
        assert_false(has_finding(file.data, file.size, "BPX2-FILESIZE"));
        drop(&file);

        section.flags = 0x06;
        section.checksum = (uint32_t)crc32(0, contents.data, size);
        file = build_later('P', version, unused, &section, 1);
        assert_false(has_finding(file.data, file.size, "BPX2-SECTION-SUM"));
        assert_false(has_finding(file.data, file.size, "BPX2-CRC-ONESTEP"));
        drop(&file);
        section.checksum = one_step_crc(&contents);
        file = build_later('P', version, unused, &section, 1);
        expect_finding(file.data, file.size, "BPX2-CRC-ONESTEP", FACET_SEVERITY_NOTE);
        assert_string_equal(verified(&file), "");
        drop(&file);
        section.checksum ^= 1;
        file = build_later('P', version, unused, &section, 1);
        expect_finding(file.data, file.size, "BPX2-SECTION-SUM", FACET_SEVERITY_ERROR);
        assert_string_equal(verified(&file), "BPX2-SECTION-SUM");
        drop(&file);
        section.flags = 0x0A;
        section.checksum = sum;
        for (uint32_t wrong = size - 1; wrong <= size + 1; wrong += 2) {
            section.size = wrong;
            file = build_later('P', version, unused, &section, 1);
            expect_finding(file.data, file.size, "BPX2-USIZE", FACET_SEVERITY_ERROR);
            drop(&file);
        }
        later_section by_zlib = {1, 0x09, &zlib, size, sum};
        file = build_later('P', version, unused, &by_zlib, 1);
        expect_finding(file.data, file.size, "BPX2-ZLIB", FACET_SEVERITY_WARNING);
        assert_false(has_finding(file.data, file.size, "BPX2-SECTION-SUM"));
        drop(&file);
    }
    drop(&zlib);
    drop(&stored);
    drop(&contents);
}

/* Damage in any byte of an XZ section is found: by its structure, by the size, or by the checksum
 * of the contents. */
TEST(xz_damage_is_found)
{
    bytes contents = {0};
    for (int i = 0; i < 400; i++)
        put_u8(&contents, (unsigned)(i * i) % 13);
    bytes stored = xz(&contents);
    later_section section = {1, 0x0A, &stored, 400, byte_sum(contents.data, 400)};
    bytes file = build_later('P', 2, unused, &section, 1);
    assert_int_equal(file.size, 64 + stored.size);
    for (size_t i = 64; i < file.size; i++) {
        file.data[i] ^= 0xFF;
        facet_report *report = check_bytes(file.data, file.size);
        if (facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0)
            fail_msg("byte %zu of %zu of the stream was changed", i - 64, stored.size);
        facet_report_free(report);
        file.data[i] ^= 0xFF;
    }
    drop(&file);
    drop(&stored);
    drop(&contents);
}

/* Headers of 0-B, 0-C and 0-D: 32 and 40 bytes, entries of 16, 16 and 24. */
TEST(revisions_between_are_recognized)
{
    static const struct {
        const char *name;
        int header, entry;
    } revisions[] = {{"0-B", 32, 16}, {"0-C", 40, 16}, {"0-D", 40, 24}};
    for (size_t i = 0; i < 3; i++) {
        bytes file = {0};
        int end = revisions[i].header + revisions[i].entry;
        put_bytes(&file, "BPXM", 4);
        put_number(&file, 0, 4);
        put_number(&file, (uint64_t)end + 4, 8);
        put_u32(&file, 1);
        put_u32(&file, 0);
        /* From 0-C on, the extension is a hash. */
        while (file.size < (size_t)revisions[i].header)
            put_u8(&file, i == 0 ? 0 : 0xAB);
        put_number(&file, (uint64_t)end, 8);
        put_u32(&file, 4);
        if (revisions[i].entry == 24)
            put_u32(&file, 0x12345678); /* the checksum: no type, flags and zeros of 0-C */
        put_u8(&file, 2);
        put_u8(&file, 0);
        put_u16(&file, 0);
        if (revisions[i].entry == 24)
            put_u32(&file, 0);
        put_bytes(&file, "data", 4);
        facet_report *report = check_bytes(file.data, file.size);
        const facet_finding *finding = test_finding(report, "BPX-VERSION-LATER");
        assert_non_null(finding);
        assert_non_null(strstr(finding->message, revisions[i].name));
        facet_report_free(report);
        drop(&file);
    }
}
