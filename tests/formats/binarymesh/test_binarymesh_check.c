/* BinaryMesh: every rule of the check, on files that break it. */
#include "formats/binarymesh/binarymesh.h"
#include "support/binarymesh.h"

#include <math.h>

/* -- Built files ----------------------------------------------------------------- */

/* One object of version 4 whose parts a test replaces. All zero: a right triangle with one
 * normal, one texture coordinate and one slot. */
typedef struct pieces {
    uint32_t version;
    const char *name;
    size_t name_length; /* in bytes; 0: strlen */
    uint32_t position_count, normal_count, texcoord_count;
    const double *positions, *normals, *texcoords;
    uint32_t slot_count;
    const char *slots[4];
    uint32_t face_count;
    struct {
        uint32_t count, slot;
        const uint32_t *indices;
    } faces[3];
    bool no_normals, no_texcoords, no_slots, no_faces;
} pieces;

static const double right_triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const double upward[3] = {0, 0, 1};
static const double corners_of_image[6] = {0, 0, 1, 0, 0, 1};
static const uint32_t plain_face[9] = {0, 0, 0, 1, 0, 1, 2, 0, 2};

static void put_object(bytes *data, const pieces *p)
{
    uint32_t version = p->version ? p->version : 4;
    const char *name = p->name ? p->name : "object";
    size_t length = p->name_length ? p->name_length : strlen(name);
    put_u16(data, (uint32_t)length);
    put(data, name, length);
    put_reals(data, version, p->positions ? p->position_count : 3, 3,
              p->positions ? p->positions : right_triangle);
    put_reals(data, version,
              p->no_normals ? 0
              : p->normals  ? p->normal_count
                            : 1,
              3, p->normals ? p->normals : upward);
    put_reals(data, version,
              p->no_texcoords ? 0
              : p->texcoords  ? p->texcoord_count
                              : 3,
              2, p->texcoords ? p->texcoords : corners_of_image);
    uint32_t slots = p->no_slots ? 0 : p->slot_count ? p->slot_count : 1;
    put_u16(data, slots);
    for (uint32_t i = 0; i < slots; i++)
        put_text(data, p->slot_count ? p->slots[i] : "default");
    uint32_t faces = p->no_faces ? 0 : p->face_count ? p->face_count : 1;
    put_u32(data, faces);
    for (uint32_t i = 0; i < faces; i++) {
        if (p->face_count)
            put_face(data, p->faces[i].count, p->faces[i].indices, p->faces[i].slot);
        else
            put_face(data, 3, plain_face, 0);
    }
}

static bytes file_of(const pieces *p)
{
    bytes data = {0};
    put_object(&data, p);
    bytes file = pack(p->version ? p->version : 4, data, 0);
    free(data.data);
    return file;
}

static facet_report *check(const bytes *file)
{
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_binarymesh_check(TEST_SOURCE(file->data, file->size), NULL, report, &error),
            &error);
    return report;
}

/* -- The table ---------------------------------------------------------------- */

static const double far_positions[9] = {4194304, 0, 0, 4194305, 0, 0, 4194304, 1, 0};
static const double nonfinite[9] = {0, 0, 0, 1, 0, INFINITY, 0, 1, 0};
static const double no_number[6] = {0, 0, 1, NAN, 0, 1};
static const double zero_normal[3] = {0, 0, 0};
static const double long_normal[3] = {0, 0, 32767};
static const double downward[3] = {0, 0, -1};
static const double five_positions[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.3, 0.3, 0};
static const double bent[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0.1, 0, 1, 0};
static const double in_line[9] = {0, 0, 0, 1, 0, 0, 3, 0, 0};
static const uint32_t position_3[9] = {0, 0, 0, 1, 0, 1, 3, 0, 2};
static const uint32_t normal_1[9] = {0, 0, 0, 1, 1, 1, 2, 0, 2};
static const uint32_t texcoord_3[9] = {0, 0, 0, 1, 0, 3, 2, 0, 2};
static const uint32_t some_normals[9] = {0, 0, 0, 1, FACET_NONE, 1, 2, 0, 2};
static const uint32_t some_texcoords[9] = {0, 0, 0, 1, 0, FACET_NONE, 2, 0, 2};
static const uint32_t repeated[9] = {0, 0, 0, 1, 0, 1, 0, 0, 2};
static const uint32_t square[12] = {0, 0, 0, 1, 0, 1, 2, 0, 2, 3, 0, 2};
/* The fifth point is inside of the square, nearer to its first corner. Instead of that corner it
 * keeps the quad convex; instead of the opposite corner it does not. */
static const uint32_t dented[12] = {4, 0, 0, 1, 0, 1, 2, 0, 2, 3, 0, 2};

static const uint32_t arrow[12] = {0, 0, 0, 1, 0, 1, 4, 0, 2, 3, 0, 2};

static const struct {
    const char *rule;
    facet_severity severity;
    uint64_t count;
    pieces file;
} cases[] = {
    {"BM-MESH-NAME-EMPTY", FACET_SEVERITY_NOTE, 1, {.name = ""}},
    {"BM-NAME-NUL", FACET_SEVERITY_WARNING, 1, {.name = "a\0b", .name_length = 3}},
    {"BM-NAME-UTF8", FACET_SEVERITY_WARNING, 1, {.name = "\xC3("}},
    {"BM-NAME-CONTROL", FACET_SEVERITY_WARNING, 1, {.name = "a\nb"}},
    {"BM-NAME-CONTROL", FACET_SEVERITY_WARNING, 1, {.slot_count = 1, .slots = {"\x7F"}}},
    {"BM-SLOT-DUP", FACET_SEVERITY_WARNING, 1, {.slot_count = 3, .slots = {"a", "b", "a"}}},
    {"BM-SLOT-EMPTY", FACET_SEVERITY_NOTE, 1, {.slot_count = 1, .slots = {""}}},
    {"BM-SLOT-UNUSED", FACET_SEVERITY_NOTE, 2, {.slot_count = 3, .slots = {"a", "b", "c"}}},
    {"BM-MESH-EMPTY", FACET_SEVERITY_WARNING, 1, {.no_faces = true}},
    {"BM-FLOAT-NONFINITE", FACET_SEVERITY_ERROR, 1, {.position_count = 3, .positions = nonfinite}},
    {"BM-FLOAT-NONFINITE", FACET_SEVERITY_ERROR, 1, {.texcoord_count = 3, .texcoords = no_number}},
    {"BM-FLOAT-NONFINITE",
     FACET_SEVERITY_ERROR,
     1,
     {.version = 3, .position_count = 3, .positions = nonfinite}},
    {"BM-NORMAL-ZERO", FACET_SEVERITY_WARNING, 1, {.normal_count = 1, .normals = zero_normal}},
    {"BM-NORMAL-LENGTH", FACET_SEVERITY_NOTE, 1, {.normal_count = 1, .normals = long_normal}},
    {"BM-FACE-CORNERS", FACET_SEVERITY_ERROR, 1, {.face_count = 1, .faces = {{2, 0, plain_face}}}},
    {"BM-FACE-CORNERS",
     FACET_SEVERITY_ERROR,
     2,
     {.face_count = 3, .faces = {{0, 0, plain_face}, {3, 0, plain_face}, {1, 0, plain_face}}}},
    {"BM-FACE-VERTEX-RANGE",
     FACET_SEVERITY_ERROR,
     1,
     {.face_count = 1, .faces = {{3, 0, position_3}}}},
    {"BM-FACE-NORMAL-RANGE",
     FACET_SEVERITY_ERROR,
     1,
     {.face_count = 1, .faces = {{3, 0, normal_1}}}},
    {"BM-FACE-UV-RANGE", FACET_SEVERITY_ERROR, 1, {.face_count = 1, .faces = {{3, 0, texcoord_3}}}},
    {"BM-FACE-NORMAL-PSEUDO", FACET_SEVERITY_WARNING, 1, {.no_normals = true}},
    {"BM-FACE-UV-PSEUDO", FACET_SEVERITY_WARNING, 1, {.no_texcoords = true}},
    {"BM-FACE-NORMAL-MIXED",
     FACET_SEVERITY_WARNING,
     1,
     {.face_count = 1, .faces = {{3, 0, some_normals}}}},
    {"BM-FACE-UV-MIXED",
     FACET_SEVERITY_WARNING,
     1,
     {.face_count = 1, .faces = {{3, 0, some_texcoords}}}},
    {"BM-FACE-MATERIAL-RANGE",
     FACET_SEVERITY_WARNING,
     1,
     {.face_count = 1, .faces = {{3, 1, plain_face}}}},
    {"BM-FACE-MATERIAL-RANGE",
     FACET_SEVERITY_WARNING,
     1,
     {.no_slots = true, .face_count = 1, .faces = {{3, 1, plain_face}}}},
    {"BM-FACE-MATERIAL-NONE",
     FACET_SEVERITY_NOTE,
     1,
     {.face_count = 1, .faces = {{3, 0xFFFF, plain_face}}}},
    {"BM-FACE-REPEAT", FACET_SEVERITY_WARNING, 1, {.face_count = 1, .faces = {{3, 0, repeated}}}},
    {"BM-FACE-ZERO-AREA", FACET_SEVERITY_NOTE, 1, {.position_count = 3, .positions = in_line}},
    {"BM-FACE-NGON",
     FACET_SEVERITY_NOTE,
     1,
     {.position_count = 4, .positions = bent, .face_count = 1, .faces = {{4, 0, square}}}},
    {"BM-FACE-NONPLANAR",
     FACET_SEVERITY_NOTE,
     1,
     {.position_count = 4, .positions = bent, .face_count = 1, .faces = {{4, 0, square}}}},
    {"BM-FACE-CONCAVE",
     FACET_SEVERITY_NOTE,
     1,
     {.position_count = 5, .positions = five_positions, .face_count = 1, .faces = {{4, 0, arrow}}}},
    {"BM-FACE-WINDING", FACET_SEVERITY_WARNING, 1, {.normal_count = 1, .normals = downward}},
    {"BM-VERTEX-UNUSED",
     FACET_SEVERITY_NOTE,
     1,
     {.position_count = 5,
      .positions = five_positions,
      .face_count = 1,
      .faces = {{4, 0, dented}}}},
    {"BM-PRECISION", FACET_SEVERITY_NOTE, 1, {.position_count = 3, .positions = far_positions}},
    {"BM-VERSION-2", FACET_SEVERITY_WARNING, 1, {.version = 2}},
};

TEST(every_rule_is_reported_once)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes file = file_of(&cases[i].file);
        facet_report *report = check(&file);
        const facet_finding *finding = test_finding(report, cases[i].rule);
        if (!finding || finding->severity != cases[i].severity || finding->count != cases[i].count)
            fail_msg("case %zu, %s: %s %d", i, cases[i].rule,
                     finding ? finding->message : "not found", finding ? (int)finding->count : 0);
        /* A reader refuses exactly the files in which the check finds an error. */
        facet_binarymesh *document = NULL;
        facet_error error;
        facet_status status =
            facet_binarymesh_read(TEST_SOURCE(file.data, file.size), NULL, &document, &error);
        assert_int_equal(status, cases[i].severity == FACET_SEVERITY_ERROR ? FACET_ERROR_MALFORMED
                                                                           : FACET_OK);
        if (status)
            assert_string_equal(error.rule, cases[i].rule);
        facet_binarymesh_free(document);
        facet_report_free(report);
        free(file.data);
    }
}

/* The plain object breaks no rule. */
TEST(nothing_to_find)
{
    for (uint32_t version = 1; version <= 4; version++) {
        pieces plain = {.version = version};
        bytes file = file_of(&plain);
        facet_report *report = check(&file);
        if (facet_report_count(report) != (version == 2))
            fail_msg("%s", facet_report_get(report, 0)->message);
        facet_report_free(report);
        free(file.data);
    }
    /* A flat and convex quad with its normal upward. */
    pieces flat = {.position_count = 5,
                   .positions = five_positions,
                   .face_count = 1,
                   .faces = {{4, 0, square}}};
    bytes file = file_of(&flat);
    facet_report *report = check(&file);
    assert_string_equal(test_finding(report, "BM-FACE-NGON")->message,
                        "face 0 of object 0 has more than 3 corners; of 4: 1");
    assert_null(test_finding(report, "BM-FACE-CONCAVE"));
    assert_null(test_finding(report, "BM-FACE-NONPLANAR"));
    assert_null(test_finding(report, "BM-FACE-WINDING"));
    facet_report_free(report);
    free(file.data);
}

/* -- Rules for files ----------------------------------------------------------- */

TEST(names_of_several_objects)
{
    pieces plain = {0};
    bytes data = {0};
    for (int i = 0; i < 3; i++)
        put_object(&data, &plain);
    bytes file = pack(4, data, 0);
    facet_report *report = check(&file);
    const facet_finding *finding = test_finding(report, "BM-MESH-NAME-DUP");
    assert_non_null(finding);
    assert_int_equal(finding->count, 2);
    assert_string_equal(finding->message, "object 1 has the name of another (2 times)");
    facet_report_free(report);
    free(data.data);
    free(file.data);
}

TEST(file_without_objects)
{
    bytes file = {0};
    put_header(&file, 3);
    facet_report *report = check(&file);
    assert_int_equal(facet_report_count(report), 1);
    assert_non_null(test_finding(report, "BM-FILE-EMPTY"));
    facet_report_free(report);
    free(file.data);
}

/* Complete objects before the error are still checked. */
TEST(check_goes_on)
{
    pieces nameless = {.name = ""};
    bytes data = {0};
    put_object(&data, &nameless);
    put(&data, "xyz", 3);
    bytes file = pack(4, data, 0);
    facet_report *report = check(&file);
    assert_non_null(test_finding(report, "BM-DATA-TRAILING"));
    assert_non_null(test_finding(report, "BM-MESH-NAME-EMPTY"));
    facet_report_free(report);
    free(data.data);
    free(file.data);
}

TEST(unusual_block_sizes_are_noted)
{
    /* 400,000 positions make a block of 4.8 MB. */
    uint32_t count = 400000;
    double *positions = calloc(count, 3 * sizeof *positions);
    assert_non_null(positions);
    memcpy(positions, right_triangle, sizeof right_triangle);
    pieces large = {.position_count = count, .positions = positions};
    bytes file = file_of(&large);
    put_number(&file, 0, 8);
    put_number(&file, 1, 8);
    put(&file, "", 1);
    facet_report *report = check(&file);
    assert_non_null(test_finding(report, "BM-BLOCK-LARGE"));
    assert_non_null(test_finding(report, "BM-BLOCK-EMPTY"));
    assert_int_equal(test_finding(report, "BM-VERTEX-UNUSED")->count, count - 3);
    facet_report_free(report);
    free(positions);
    free(file.data);
}

/* -- Real files ----------------------------------------------------------------- */

static facet_report *check_corpus(const char *name)
{
    facet_error error;
    facet_report *report = NULL;
    facet_file *file = open_corpus(name);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_binarymesh_check(
                TEST_SOURCE(facet_file_source(file).data, facet_file_source(file).size), NULL,
                report, &error),
            &error);
    facet_file_close(file);
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
    assert_null(test_finding(report, "BM-BLOCK-STRADDLE"));
    return report;
}

TEST(corpus_is_usable)
{
    TEST_NEEDS_CORPUS();
    static const char *const names[] = {
        "archive_84bd9df4.v4", "juice_00.v2",       "juice_00.v3",          "orennayar_Sphere.v3",
        "studio_teapot.v3",    "swatchRenderBg.v3", "swatchRenderSphere.v3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        facet_report_free(check_corpus(names[i]));
    facet_report *report = check_corpus("material_preview_lamp.v3");
    assert_non_null(test_finding(report, "BM-FACE-UV-PSEUDO"));
    assert_non_null(test_finding(report, "BM-FACE-NGON"));
    facet_report_free(report);
    report = check_corpus("archive_f36a07a9.v4");
    assert_non_null(test_finding(report, "BM-NORMAL-LENGTH")); /* they are 32767 long */
    facet_report_free(report);
}

/* -- Robustness ------------------------------------------------------------------ */

static facet_status check_once(const facet_allocator *allocator, void *user)
{
    const bytes *file = user;
    facet_options options = {.allocator = allocator};
    facet_report *report = NULL;
    facet_status status = facet_report_create(allocator, &report, NULL);
    if (!status)
        status =
            facet_binarymesh_check(TEST_SOURCE(file->data, file->size), &options, report, NULL);
    facet_report_free(report);
    return status;
}

TEST(check_reports_failed_allocations)
{
    for (uint32_t version = 1; version <= 4; version++) {
        bytes data = mixed_data(version), file = pack(version, data, 90);
        test_every_allocation(check_once, &file);
        free(data.data);
        free(file.data);
    }
}

/* A check finds an error exactly if a reader refuses the file. */
static void check_mutated(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_error error;
    facet_options options = {.memory_limit = (uint64_t)1 << 24};
    facet_binarymesh *document = NULL;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_status status =
        facet_binarymesh_read(TEST_SOURCE(data, size), &options, &document, &error);
    facet_binarymesh_free(document);
    if (status != FACET_ERROR_MEMORY) {
        TEST_OK(facet_binarymesh_check(TEST_SOURCE(data, size), &options, report, &error), &error);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0,
                         status != FACET_OK);
    }
    facet_report_free(report);
}

TEST(check_survives_any_byte_change)
{
    for (uint32_t version = 1; version <= 4; version++) {
        bytes data = mixed_data(version), file = pack(version, data, 0);
        test_every_mutation(file.data, file.size, check_mutated, NULL);
        free(data.data);
        free(file.data);
    }
}
