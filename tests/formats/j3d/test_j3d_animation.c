/* Tests of J3D animations: documents, copies, JSON, invalid files. */
#include "formats/j3d/animation/animation.h"
#include "support/j3d_animation.h"
#include "support/support.h"

#include "base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Calls -------------------------------------------------------------- */

static facet_j3d_animation *read_bytes(const uint8_t *data, size_t size)
{
    facet_source source = facet_source_from_memory(data, size, "folder/walk.bck");
    facet_j3d_animation *document = NULL;
    facet_error error;
    TEST_OK(facet_j3d_animation_read(&source, NULL, &document, &error), &error);
    return document;
}

static facet_output *write_document(const facet_j3d_animation *document)
{
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_animation_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static void expect_bytes(const facet_j3d_animation *document, const uint8_t *data, size_t size)
{
    facet_output *output = write_document(document);
    const uint8_t *written = facet_output_data(output);
    assert_int_equal(facet_output_size(output), size);
    for (size_t i = 0; i < size; i++) {
        if (written[i] != data[i])
            fail_msg("byte 0x%zX is %02X, expected %02X", i, written[i], data[i]);
    }
    facet_output_free(output);
}

static facet_j3d_animation *parse(const char *text)
{
    facet_j3d_animation *document = NULL;
    facet_error error;
    TEST_OK(facet_j3d_animation_from_json(text, strlen(text), NULL, &document, &error), &error);
    return document;
}

/* Expect the same bytes after a conversion to JSON and back. *text lives as long as the
 * document. */
static void expect_json_bytes(facet_j3d_animation *document, const uint8_t *data, size_t size)
{
    const char *text = facet_j3d_animation_to_json(document, document->arena);
    assert_non_null(text);
    facet_j3d_animation *again = parse(text);
    expect_bytes(again, data, size);
    facet_j3d_animation_free(again);
}

static facet_report *check(const uint8_t *data, size_t size)
{
    facet_report *report = NULL;
    facet_error error;
    facet_source source = facet_source_from_memory(data, size, NULL);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_j3d_animation_check(&source, NULL, report, &error), &error);
    return report;
}

/* -- All kinds ---------------------------------------------------------- */

TEST(animations_of_every_kind_are_recognized)
{
    for (unsigned kind = 0; kind < TEST_ANIMATION_KINDS; kind++) {
        size_t size;
        const uint8_t *data = test_animation(kind, &size);
        facet_source source = facet_source_from_memory(data, size, "a.xyz");
        facet_j3d_animation *document = read_bytes(data, size);
        assert_int_equal(document->kind, kind + 1);
        assert_string_equal(facet_j3d_animation_kind_name(document->kind),
                            test_animation_names[kind]);
        assert_string_equal(document->name, "walk");
        assert_null(document->layout.bytes); /* the layout of the exporters */
        expect_bytes(document, data, size);
        expect_json_bytes(document, data, size);
        const char *text = facet_j3d_animation_to_json(document, document->arena);
        if (strstr(text, "\"file\"")) /* the values are enough to write the file */
            fail_msg("%s", text);
        facet_j3d_animation_free(document);

        const facet_format *format = facet_format_probe(&source);
        assert_string_equal(facet_format_name(format), test_animation_names[kind]);
        facet_report *report = check(data, size);
        for (size_t i = 0; i < facet_report_count(report); i++)
            print_message("%s: %s %s\n", test_animation_names[kind],
                          facet_report_get(report, i)->rule, facet_report_get(report, i)->message);
        assert_int_equal(facet_report_count(report), 0);
        facet_report_free(report);

        facet_description *description;
        facet_error error;
        TEST_OK(facet_describe(&source, NULL, NULL, &description, &error), &error);
        assert_int_equal(description->animations, 1);
        facet_description_free(description);
    }
}

/* The fields are at the offsets of the format description. */
TEST(fields_have_the_documented_values)
{
    size_t size;
    const uint8_t *data = test_animation(0, &size);
    assert_int_equal(size, 320);
    facet_j3d_animation *a = read_bytes(data, size);
    assert_int_equal(a->loop, FACET_J3D_LOOP_REPEAT);
    assert_int_equal(a->rotation_shift, 1);
    assert_int_equal(a->frames, 20);
    assert_int_equal(a->sets[0].count, 2);
    assert_int_equal(a->sets[0].elements[1].count, 10);
    assert_int_equal(a->sets[0].tracks[16].count, 3);
    assert_int_equal(a->sets[0].tracks[16].first, 1);
    assert_int_equal(a->sets[0].elements[1].integers[9], -0x333);
    assert_float_equal(a->sets[0].elements[2].reals[1], 10, 0);
    facet_j3d_animation_free(a);

    data = test_animation(2, &size);
    assert_int_equal(size, 288);
    assert_int_equal(facet_load_u32be(data + 0x24), 0xE8);
    a = read_bytes(data, size);
    assert_string_equal(a->sets[0].names.items[0].bytes, "mat0");
    assert_int_equal(a->sets[0].slots[0], 0);
    assert_float_equal(a->sets[0].centers[0][1], 0.5, 0);
    facet_j3d_animation_free(a);

    data = test_animation(3, &size);
    a = read_bytes(data, size);
    assert_int_equal(a->sets[0].count, 0);
    assert_int_equal(a->sets[1].count, 1);
    assert_int_equal(a->sets[1].slots[0], 2);
    assert_int_equal(a->sets[1].elements[1].integers[1], 10);
    facet_j3d_animation_free(a);

    data = test_animation(8, &size);
    a = read_bytes(data, size);
    assert_int_equal(a->sets[0].count, 3); /* no field stores the count */
    assert_int_equal(a->cluster_count, 1);
    facet_j3d_animation_free(a);

    data = test_animation(10, &size);
    a = read_bytes(data, size);
    assert_int_equal(a->sets[0].color_index_count, 3);
    assert_int_equal(a->sets[0].color_indices[2], 9);
    facet_j3d_animation_free(a);
}

/* -- Layouts ------------------------------------------------------------ */

static void expect_exact(const uint8_t *data, size_t size, bool keeps)
{
    facet_j3d_animation *document = read_bytes(data, size);
    if ((document->layout.bytes != NULL) != keeps)
        fail_msg("%s: layout", facet_j3d_animation_kind_name(document->kind));
    expect_bytes(document, data, size);
    expect_json_bytes(document, data, size);
    facet_j3d_animation_free(document);
}

/* Variants that community tools and old exporters write. */
TEST(animations_of_other_tools_keep_bytes)
{
    for (unsigned kind = 0; kind < TEST_ANIMATION_KINDS; kind++) {
        uint8_t copy[4096 + 64];
        size_t size;
        const uint8_t *data = test_animation(kind, &size);
        /* Text in the header, other sizes, other bytes between and after the parts. */
        memcpy(copy, data, size);
        memcpy(copy + 0x10, "made by hand", 12);
        expect_exact(copy, size, false);
        copy[0x24 + 3] ^= 4;
        copy[0x08 + 3] ^= 8;
        expect_exact(copy, size, true);
        memcpy(copy, data, size);
        memset(copy + size, 0xA5, 40);
        expect_exact(copy, size + 40, true);
        memcpy(copy, data, size);
        /* Except for clusters: only the padding shows their count of tracks. */
        for (size_t i = 0; i + 4 <= size && kind != 8 && kind != 9; i++) {
            if (memcmp(copy + i, "This", 4) == 0)
                memset(copy + i, 0, 4);
        }
        expect_exact(copy, size, memcmp(copy, data, size) != 0);
        if (kind != 0 && kind != 2)
            continue;
        /* The table moves to the end. */
        memcpy(copy, data, size);
        size_t table = 0x20 + facet_load_u32be(copy + 0x34), length = kind == 0 ? 108 : 54;
        memcpy(copy + size, copy + table, length);
        memset(copy + table, 0x77, length);
        facet_store_u32be(copy + 0x34, (uint32_t)size - 0x20);
        expect_exact(copy, size + length, true);
    }
}

/* A table of sounds after the section. */
TEST(animation_sounds_survive_a_round_trip)
{
    uint8_t copy[512] = {0};
    size_t size;
    const uint8_t *data = test_animation(0, &size);
    memcpy(copy, data, size);
    facet_store_u32be(copy + 0x1C, (uint32_t)size);
    facet_store_u16be(copy + size, 1);
    facet_store_u16be(copy + size + 2, 0x0C00);
    facet_store_u32be(copy + size + 8, 0x1234);
    facet_store_u32be(copy + size + 12, 0x40A00000); /* 5.0 */
    copy[size + 8 + 20] = 127;
    size_t whole = (size + 40 + 31) / 32 * 32;
    facet_store_u32be(copy + 0x08, (uint32_t)whole);
    facet_j3d_animation *document = read_bytes(copy, whole);
    assert_int_equal(document->sound_count, 1);
    assert_int_equal(document->sounds[0].id, 0x1234);
    assert_float_equal(document->sounds[0].start, 5, 0);
    assert_int_equal(document->sounds[0].rest[0], 127);
    facet_j3d_animation_free(document);
    expect_exact(copy, whole, false);
    facet_report *report = check(copy, whole);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
}

/* A remap table, a wrong hash, a type of a constant, an unused element, words that games ignore:
 * all of them are kept, also in JSON. */
TEST(odd_animation_fields_keep_their_bytes)
{
    uint8_t copy[4096];
    size_t size;
    size = test_animation_copy(2, copy);
    copy[0xB9] = 7;     /* remap */
    copy[0xC1] ^= 1;    /* hash */
    copy[0x80 + 5] = 0; /* type of the first track */
    facet_store_u32be(copy + 0x7C, 0x801514A8);
    expect_exact(copy, size, false);
    /* Padding with a nonzero byte. */
    copy[size - 1] = 0x5A;
    expect_exact(copy, size, true);

    size = test_animation_copy(0, copy);
    facet_store_u16be(copy + 0x60 + 5 * 6 + 2, 0); /* nothing uses the value 10 any more */
    expect_exact(copy, size, false);
    size = test_animation_copy(6, copy);
    copy[0x29] = 0;
    expect_exact(copy, size, false);
}

/* -- JSON --------------------------------------------------------------- */

static char *replaced(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    assert_non_null(at);
    char *made = malloc(strlen(text) + strlen(new) + 1);
    memcpy(made, text, (size_t)(at - text));
    strcpy(made + (at - text), new);
    strcat(made, at + strlen(old));
    return made;
}

/* An edit of one number changes its bytes and no others. */
TEST(json_edit_changes_only_its_bytes)
{
    uint8_t copy[4096];
    size_t size;
    size = test_animation_copy(0, copy);
    memset(copy + 0x44, 0x20, 28); /* a layout that must be kept */
    facet_j3d_animation *document = read_bytes(copy, size);
    const char *text = facet_j3d_animation_to_json(document, document->arena);
    assert_non_null(strstr(text, "\"file\""));
    char *edited = replaced(text, "\"translation\": [0, 10, 0]", "\"translation\": [0, 11, 0]");
    facet_j3d_animation *again = parse(edited);
    facet_store_u32be(copy + 0x124, 0x41300000); /* 11.0 */
    expect_bytes(again, copy, size);
    facet_j3d_animation_free(again);
    free(edited);
    /* One key more: the array grows, and the file gets a new layout. */
    edited = replaced(text, "[20, 0, -8.998077]", "[15, 45, 0], [20, 0, -8.998077]");
    again = parse(edited);
    assert_int_equal(again->sets[0].tracks[16].count, 4);
    /* 45 degrees are 45 * 32767 / 180 / 2 = 4095.9 */
    assert_int_equal(again->sets[0].elements[1].integers[again->sets[0].tracks[16].first + 7],
                     4096);
    facet_output *output = write_document(again);
    facet_report *report = check(facet_output_data(output), (size_t)facet_output_size(output));
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
    facet_output_free(output);
    facet_j3d_animation_free(again);
    free(edited);
    facet_j3d_animation_free(document);
}

TEST(faulty_animation_json_is_rejected)
{
    static const char *const faults[] = {
        "",
        "[]",
        "{\"format\": \"facet-j3d-materials\"}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"bcx\"}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"bck\"}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"bva\", \"shapes\": 1}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"bva\", \"shapes\": [1]}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"bva\", \"shapes\": [{\"visible\": []}]}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"bva\", \"shapes\": [{\"visible\": "
        "null}]}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"bva\", \"shapes\": [{\"visible\": "
        "[\"\"]}]}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"bva\", \"frames\": 40000, \"shapes\": "
        "[]}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"bva\", \"loop\": \"x\", \"shapes\": []}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"blk\", \"cluster_keys\": [{\"weight\": "
        "[[0, 1, 2]]}]}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"blk\", \"cluster_keys\": [{\"weight\": "
        "[[0, 1, 2], [3, 4]]}]}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"blk\", \"cluster_keys\": [{\"weight\": "
        "[[0, 1], [3, 4]]}]}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"btp\", \"texture_maps\": "
        "[{\"textures\": "
        "[1]}]}",
        "{\"format\": \"facet-j3d-animation\", \"kind\": \"bva\", \"shapes\": [], \"file\": \"=\"}",
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        facet_j3d_animation *document = NULL;
        facet_error error;
        facet_status status =
            facet_j3d_animation_from_json(faults[i], strlen(faults[i]), NULL, &document, &error);
        if (status != FACET_ERROR_MALFORMED || strcmp(error.rule, "J3D-JSON") != 0)
            fail_msg("%s: status %d, %s", faults[i], (int)status, error.rule);
    }
    static const char too_large[] = "{\"format\": \"facet-j3d-animation\", \"kind\": \"bva\", "
                                    "\"shapes\": [{\"visible\": 256}]}";
    facet_j3d_animation *document = NULL;
    facet_error error;
    assert_int_equal(
        facet_j3d_animation_from_json(too_large, strlen(too_large), NULL, &document, &error),
        FACET_ERROR_LIMIT);
}

/* -- The other storage -------------------------------------------------- */

static facet_j3d_animation *convert(const facet_j3d_animation *from, facet_j3d_animation_kind kind)
{
    facet_j3d_animation *document = NULL;
    facet_error error;
    TEST_OK(facet_j3d_animation_convert(from, kind, 1e-4, NULL, &document, &error), &error);
    return document;
}

/* The converted file has the same values at whole frames. */
TEST(converted_animations_keep_frame_values)
{
    static const unsigned pairs[][2] = {{0, 1}, {4, 5}, {8, 9}, {10, 11}};
    for (unsigned i = 0; i < 8; i++) {
        unsigned kind = pairs[i / 2][i % 2], other = pairs[i / 2][1 - i % 2];
        size_t size;
        const uint8_t *data = test_animation(kind, &size);
        facet_j3d_animation *a = read_bytes(data, size);
        facet_j3d_animation *b = convert(a, (facet_j3d_animation_kind)(other + 1));
        facet_output *output = write_document(b);
        facet_report *report = check(facet_output_data(output), (size_t)facet_output_size(output));
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
        assert_int_equal(b->frames, a->frames);
        for (int frame = 0; frame <= a->frames; frame++) {
            facet_j3d_moment moment = {.frame = frame};
            if (kind < 2) {
                facet_j3d_joint_pose one[2], two[2];
                facet_j3d_animation_joints(a, &moment, one);
                facet_j3d_animation_joints(b, &moment, two);
                for (int axis = 0; axis < 3; axis++) {
                    assert_true(fabsf(one[0].translation[axis] - two[0].translation[axis]) < 2e-4F);
                    /* half a step of the stored angle; the console truncates the rest */
                    int step = (int16_t)(uint16_t)(one[0].rotation[axis] - two[0].rotation[axis]);
                    assert_true(abs(step) <= 2 << (kind == 1 ? b->rotation_shift : 0));
                }
            } else if (kind == 8 || kind == 9) {
                assert_true(fabsf(facet_j3d_animation_weight(a, 1, &moment) -
                                  facet_j3d_animation_weight(b, 1, &moment)) < 2e-4F);
            } else {
                int16_t one[4], two[4];
                facet_j3d_animation_color(a, 0, 0, &moment, one);
                facet_j3d_animation_color(b, 0, 0, &moment, two);
                for (int c = 0; c < 4; c++)
                    assert_true(abs(one[c] - two[c]) <= 1);
            }
        }
        facet_report_free(report);
        facet_output_free(output);
        facet_j3d_animation_free(b);
        facet_j3d_animation_free(a);
    }
    size_t size;
    const uint8_t *data = test_animation(6, &size);
    facet_j3d_animation *a = read_bytes(data, size), *none = NULL;
    facet_error error;
    assert_int_equal(facet_j3d_animation_convert(a, FACET_J3D_BCK, 0, NULL, &none, &error),
                     FACET_ERROR_UNSUPPORTED);
    facet_j3d_animation_free(a);
}

/* -- Handwritten documents ---------------------------------------------- */

static void expect_refusal(const facet_j3d_animation *document, facet_status status,
                           const char *rule)
{
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_j3d_animation_write(document, NULL, output, &error), status);
    assert_string_equal(error.rule, rule);
    facet_output_free(output);
}

TEST(invalid_animation_documents_are_not_written)
{
    float one = 1;
    int32_t zero = 0;
    facet_j3d_track tracks[9] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0},
                                 {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    facet_j3d_animation a = {.kind = FACET_J3D_BCK, .frames = 1};
    facet_j3d_animation_set *set = &a.sets[0];
    set->count = 1;
    expect_refusal(&a, FACET_ERROR_ARGUMENT, "J3D-DOCUMENT");
    set->tracks = tracks;
    expect_refusal(&a, FACET_ERROR_ARGUMENT, "JA07");
    set->elements[0] = (facet_j3d_elements){.reals = &one, .count = 1};
    set->elements[1] = (facet_j3d_elements){.integers = &zero, .count = 1};
    set->elements[2] = (facet_j3d_elements){.count = 1};
    expect_refusal(&a, FACET_ERROR_ARGUMENT, "J3D-DOCUMENT");
    set->elements[2].reals = &one;
    facet_output_free(write_document(&a));
    zero = 40000;
    expect_refusal(&a, FACET_ERROR_LIMIT, "J3D-LIMIT");
    zero = 0;
    one = NAN;
    expect_refusal(&a, FACET_ERROR_ARGUMENT, "JA11");
    one = 1;
    tracks[4].first = 1;
    expect_refusal(&a, FACET_ERROR_ARGUMENT, "JA07");
    tracks[4].first = 0;
    a.sound_count = 1;
    expect_refusal(&a, FACET_ERROR_ARGUMENT, "J3D-DOCUMENT");
    a.sound_count = 0;
    a.kind = FACET_J3D_BTK;
    expect_refusal(&a, FACET_ERROR_ARGUMENT, "JA22");
    a.kind = 0;
    expect_refusal(&a, FACET_ERROR_ARGUMENT, "J3D-KIND");
}

/* -- Hostile ------------------------------------------------------------ */

static void use_values(const facet_j3d_animation *a)
{
    static const double frames[] = {-1e9, 0, 0.25, 3, 1e9};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        facet_j3d_moment moment = {.frame = frames[i], .exact = i % 2, .interpolate = i % 2};
        facet_j3d_joint_pose *joints;
        facet_j3d_texture_pose texture;
        int16_t color[4];
        switch (a->kind) {
        case FACET_J3D_BCK:
        case FACET_J3D_BCA:
            joints = malloc(a->sets[0].count * sizeof *joints + 1);
            facet_j3d_animation_joints(a, &moment, joints);
            free(joints);
            break;
        case FACET_J3D_BTK:
            for (uint32_t e = 0; e < a->sets[0].count; e++)
                facet_j3d_animation_texture(a, 0, e, &moment, &texture);
            break;
        case FACET_J3D_BTP:
            for (uint32_t e = 0; e < a->sets[0].count; e++)
                facet_j3d_animation_texture_number(a, e, &moment);
            break;
        case FACET_J3D_BVA:
            for (uint32_t e = 0; e < a->sets[0].count; e++)
                facet_j3d_animation_visible(a, e, &moment);
            break;
        case FACET_J3D_BLK:
        case FACET_J3D_BLA:
            for (uint32_t e = 0; e < a->sets[0].count; e++)
                facet_j3d_animation_weight(a, e, &moment);
            break;
        default:
            for (uint32_t s = 0; s < 2; s++) {
                for (uint32_t e = 0; e < a->sets[s].count; e++)
                    facet_j3d_animation_color(a, s, e, &moment, color);
            }
        }
    }
}

static void use(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_source source = facet_source_from_memory(data, size, NULL);
    facet_j3d_animation *document = NULL;
    facet_report *report = NULL;
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_j3d_animation_check(&source, NULL, report, &error), &error);
    facet_status status = facet_j3d_animation_read(&source, NULL, &document, &error);
    /* A file without errors in its check can be read. */
    assert_true(!status || facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0);
    facet_report_free(report);
    if (status)
        return;
    use_values(document);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_animation_write(document, NULL, output, &error), &error);
    facet_output_free(output);
    const char *text = facet_j3d_animation_to_json(document, document->arena);
    assert_non_null(text);
    facet_j3d_animation *again = NULL;
    if (!facet_j3d_animation_from_json(text, strlen(text), NULL, &again, &error))
        facet_j3d_animation_free(again);
    for (int kind = FACET_J3D_BCK; kind <= FACET_J3D_BXA; kind++) {
        if (!facet_j3d_animation_convert(document, (facet_j3d_animation_kind)kind, 0, NULL, &again,
                                         &error))
            facet_j3d_animation_free(again);
    }
    facet_j3d_animation_free(document);
}

TEST(animations_without_errors_can_be_read)
{
    for (unsigned kind = 0; kind < TEST_ANIMATION_KINDS; kind++) {
        uint8_t copy[4096];
        size_t size;
        size = test_animation_copy(kind, copy);
        test_every_mutation(copy, size, use, NULL);
    }
}

static facet_status attempt(const facet_allocator *allocator, void *user)
{
    facet_source source = *(const facet_source *)user;
    facet_options options = {.allocator = allocator};
    facet_j3d_animation *document = NULL, *other = NULL;
    facet_output *output = NULL;
    facet_error error;
    facet_status status = facet_j3d_animation_read(&source, &options, &document, &error);
    if (!status)
        status = facet_output_open_memory(allocator, &output, &error);
    if (!status)
        status = facet_j3d_animation_write(document, &options, output, &error);
    if (!status)
        status = facet_output_commit(output, &error);
    static const facet_j3d_animation_kind others[] = {0, 2, 1, 0, 0, 6, 5, 0, 0, 10, 9, 12, 11};
    if (!status && others[document->kind])
        status = facet_j3d_animation_convert(document, others[document->kind], 0, &options, &other,
                                             &error);
    facet_output_free(output);
    facet_j3d_animation_free(other);
    facet_j3d_animation_free(document);
    return status;
}

TEST(animations_survive_failed_allocations)
{
    for (unsigned kind = 0; kind < TEST_ANIMATION_KINDS; kind++) {
        size_t size;
        const uint8_t *data = test_animation(kind, &size);
        facet_source source = facet_source_from_memory(data, size, "a.bck");
        test_every_allocation(attempt, &source);
    }
}

/* -- Rules -------------------------------------------------------------- */

enum { E = FACET_SEVERITY_ERROR, W = FACET_SEVERITY_WARNING, N = FACET_SEVERITY_NOTE };
enum { BCK, BCA, BTK, BRK, BPK, BPA, BTP, BVA, BLK, BLA, BXK, BXA };

/* A number to change in a file of a kind, and the finding that it causes. */
static const struct {
    unsigned kind, at, bytes;
    uint32_t value;
    const char *rule;
    int severity;
} rules[] = {
    {BCK, 0x00, 4, 0, "JA01", E},
    {BCK, 0x20, 4, 0, "JA02", E},
    {BCK, 0x0C, 4, 2, "JA03", W},
    {BCK, 0x08, 4, 99, "JA04", W},
    {BCK, 0x24, 4, 99, "JA05", W},
    {BCK, 0x34, 4, 0x10000, "JA06", E},
    {BCK, 0x30, 2, 9, "JA07", E},
    {BCK, 0x60 + 16 * 6 + 4, 2, 2, "JA07", E}, /* four elements for one key are too many */
    {BRK, 0x80 + 6 + 4, 2, 2, "JA08", W},
    {BCK, 0x102 + 6, 2, 0xFFFF, "JA09", E},
    {BCK, 0x102 + 6, 2, 0, "JA10", N},
    {BCK, 0xE0, 4, 0x7F800000, "JA11", E},
    {BCK, 0x28, 1, 5, "JA12", W},
    {BCK, 0x2A, 2, 0, "JA13", E},
    {BPK, 0x2C, 2, 0x8000, "JA13", E},
    {BCK, 0x29, 1, 16, "JA14", W},
    {BTK, 0x29, 1, 0, "JA14", W},
    {BCK, 0x60, 2, 0, "JA15", W},
    {BCK, 0x60 + 5 * 6 + 2, 2, 0, "JA16", W},
    {BCA, 0x60, 2, 0, "JA17", E},
    {BCA, 0x2A, 2, 9, "JA18", W},
    {BRK, 0x2A, 2, 5, "JA19", W},
    {BTK, 0xC2, 2, 0x8000, "JA20", E},
    {BTK, 0xC0, 2, 1, "JA21", W},
    {BTK, 0xBC, 2, 0, "JA22", E},
    {BTK, 0xB8, 2, 1, "JA23", N},
    {BTP, 0x44, 1, 8, "JA25", E},
    {BRK, 0x98, 1, 4, "JA25", E},
    {BTK, 0x7C, 4, 2, "JA27", W},
    {BRK, 0x9C, 2, 256, "JA29", W},
    {BCK, 0x1C, 4, 0x1000, "JA30", E},
    {BCK, 0x10E, 2, 9999, "JA32", W},
};

static const facet_finding *find_in(const uint8_t *data, size_t size, const char *rule,
                                    int severity)
{
    static facet_report *report;
    facet_report_free(report);
    report = check(data, size);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (strcmp(finding->rule, rule) == 0 && finding->severity == (facet_severity)severity)
            return finding;
    }
    for (size_t i = 0; i < facet_report_count(report); i++)
        print_message("%s: %s\n", facet_report_get(report, i)->rule,
                      facet_report_get(report, i)->message);
    return NULL;
}

TEST(animation_faults_name_their_rule)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        uint8_t copy[4096];
        size_t size;
        size = test_animation_copy(rules[i].kind, copy);
        for (unsigned k = 0; k < rules[i].bytes; k++)
            copy[rules[i].at + k] = (uint8_t)(rules[i].value >> 8 * (rules[i].bytes - 1 - k));
        if (!find_in(copy, size, rules[i].rule, rules[i].severity))
            fail_msg("%s (line %zu) is not said", rules[i].rule, i);
    }
}

/* A tool wrote its name over the signature and over the offset of sounds at the end of it. A
 * shorter name has zeros after it. */
TEST(name_of_the_writer_is_reported)
{
    static const char *const names[] = {"MadeByATool v1.0", "MadeByATool 1.0", "Tool"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint8_t copy[4096];
        char quoted[32];
        size_t size = test_animation_copy(BCK, copy);
        memset(copy + 0x10, 0, 0x10);
        memcpy(copy + 0x10, names[i], strlen(names[i]));
        snprintf(quoted, sizeof quoted, "'%s'", names[i]);
        const facet_finding *finding = find_in(copy, size, "JA30", W);
        assert_non_null(finding);
        assert_non_null(strstr(finding->message, quoted));
    }
}

/* The signature of exporters, or none, with an offset of 0: the table would begin in the header. */
TEST(offset_of_sounds_is_not_0)
{
    static const char *const signatures[] = {"SVR1", ""};
    for (size_t i = 0; i < 2; i++) {
        uint8_t copy[4096];
        size_t size = test_animation_copy(BCK, copy);
        memset(copy + 0x10, 0, 0x10);
        memcpy(copy + 0x10, signatures[i], strlen(signatures[i]));
        assert_non_null(find_in(copy, size, "JA30", E));
    }
}

/* Rules that need more than one changed number. */
TEST(faults_of_several_fields_are_found)
{
    uint8_t copy[4096];
    size_t size;
    /* Both entries of a BTP for map 0 of mat0. */
    size = test_animation_copy(BTP, copy);
    size_t names = 0x20 + facet_load_u32be(copy + 0x3C);
    copy[0x4C] = 0;
    memcpy(copy + names + 8, copy + names + 4, 4);
    assert_non_null(find_in(copy, size, "JA24", W));
    /* A register color: the two sets of the BRK are exchanged. */
    size = test_animation_copy(BRK, copy);
    facet_store_u16be(copy + 0x2C, 1);
    facet_store_u16be(copy + 0x2E, 0);
    static const uint8_t moved[][2] = {{0x44, 0x40}, {0x4C, 0x48}, {0x54, 0x50}, {0x68, 0x58},
                                       {0x6C, 0x5C}, {0x70, 0x60}, {0x74, 0x64}};
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        uint32_t offset = facet_load_u32be(copy + moved[i][0]);
        facet_store_u32be(copy + moved[i][0],
                          moved[i][0] == 0x54 ? facet_load_u32be(copy + moved[i][1]) : 0);
        facet_store_u32be(copy + moved[i][1], offset);
    }
    for (int i = 0; i < 4; i++) {
        facet_store_u16be(copy + 0x30 + 2 * i, facet_load_u16be(copy + 0x38 + 2 * i));
        facet_store_u16be(copy + 0x38 + 2 * i, 0);
    }
    copy[0x98] = 3;
    assert_non_null(find_in(copy, size, "JA26", W));
    copy[0x98] = 0;
    facet_store_u16be(copy + 0x9C, 1024);
    assert_non_null(find_in(copy, size, "JA29", W));
    /* The angles of a truncated BCA. */
    size = test_animation_copy(BCA, copy);
    assert_non_null(find_in(copy, size - 2, "JA31", W));
    facet_j3d_animation *document = read_bytes(copy, size - 2);
    assert_float_equal(document->sets[0].elements[2].reals[4], 0, 0);
    facet_j3d_animation_free(document);
    /* Post matrices: a copy of those of the texture. */
    size = test_animation_copy(BTK, copy);
    memcpy(copy + 0x54, copy + 0x2C, 8);
    memcpy(copy + 0x5C, copy + 0x34, 32);
    assert_non_null(find_in(copy, size, "JA28", N));
}
