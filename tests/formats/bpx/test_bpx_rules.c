/* Every rule of the BPX check: a file that breaks it and as few others as possible.
 *
 * The files are built from the layout tables by support/bpx.h. */
#include "support/bpx.h"

#include <lzma.h>
#include <math.h>
#include <stdio.h>

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
