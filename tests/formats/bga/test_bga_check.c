/* BGA: `check` and `describe`; one file per rule of docs/reference/formats/bga.md. */
#include "support/support.h"

#include "base/bytes.h"
#include "scene/format.h"

#include <stdio.h>
#include <stdlib.h>

#define START "BGA 2.0\nlittle endian\n"

/* -- Helpers ------------------------------------------------------------ */

typedef struct bytes {
    uint8_t data[4096];
    size_t size;
} bytes;

static bytes file_of(const char *header, size_t data_size)
{
    bytes file = {{0}, strlen(header) + data_size};
    assert_true(file.size <= sizeof file.data);
    memcpy(file.data, header, strlen(header));
    return file;
}

static facet_report *check_by_threads(const uint8_t *data, size_t size, unsigned threads)
{
    facet_options options = {0};
    facet_source source = {0};
    facet_report *report;
    facet_error error;
    source.data = data;
    source.size = size;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_threads_create(threads, &options.threads, &error), &error);
    TEST_OK(facet_format_bga.check(&source, &options, report, &error), &error);
    facet_threads_free(options.threads);
    return report;
}

static facet_report *check(const uint8_t *data, size_t size)
{
    return check_by_threads(data, size, 1);
}

static void expect(const bytes *file, const char *rule, facet_severity severity, uint64_t count)
{
    facet_report *report = check(file->data, file->size);
    bool found = false;
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        found |= strcmp(finding->rule, rule) == 0 && finding->severity == severity &&
                 finding->count == count;
    }
    if (!found) {
        for (size_t i = 0; i < facet_report_count(report); i++)
            print_message("%s: %s\n", facet_report_get(report, i)->rule,
                          facet_report_get(report, i)->message);
        fail_msg("%s is missing", rule);
    }
    facet_report_free(report);
}

static void expect_header(const char *header, size_t data_size, const char *rule,
                          facet_severity severity)
{
    bytes file = file_of(header, data_size);
    expect(&file, rule, severity, 1);
}

/* -- Rules of the header ------------------------------------------------ */

TEST(header_rules_are_reported)
{
    static const struct {
        const char *header;
        size_t data_size;
        const char *rule;
        facet_severity severity;
    } cases[] = {
        {"PNG", 0, "BGA-MAGIC", FACET_SEVERITY_ERROR},
        {"BGA 3.0\nlittle endian\n\n", 0, "BGA-VERSION", FACET_SEVERITY_ERROR},
        {"BGA 1.0\nlittle endian\n\n", 0, "BGA-VERSION-1", FACET_SEVERITY_WARNING},
        {"BGA 2.7\nlittle endian\n\n", 0, "BGA-VERSION-MINOR", FACET_SEVERITY_NOTE},
        {START, 0, "BGA-HEADER-TERMINATOR", FACET_SEVERITY_ERROR},
        {"BGA 2.0\r\nlittle endian\r\n\r\n", 0, "BGA-HEADER-CRLF", FACET_SEVERITY_ERROR},
        {START "uint8 a.p\r\n1 a\n\n", 1, "BGA-HEADER-CRLF", FACET_SEVERITY_ERROR},
        {"\xEF\xBB\xBF" START "\n", 0, "BGA-HEADER-BOM", FACET_SEVERITY_ERROR},
        {START "caf\xC3 \n\n", 0, "BGA-HEADER-BYTES", FACET_SEVERITY_WARNING},
        {START "// caf\xC3\xA9\n\n", 0, "BGA-HEADER-BYTES", FACET_SEVERITY_NOTE},
        {START "// caf\xC3\n\n", 0, "BGA-HEADER-BYTES", FACET_SEVERITY_WARNING},
        {"BGA 2.0\n\n", 0, "BGA-ENDIAN-MISSING", FACET_SEVERITY_ERROR},
        {START "little endian\n\n", 0, "BGA-ENDIAN-DUP", FACET_SEVERITY_WARNING},
        {START "big endian\n\n", 0, "BGA-ENDIAN-DUP", FACET_SEVERITY_ERROR},
        {START "author somebody\n\n", 0, "BGA-LINE-UNKNOWN", FACET_SEVERITY_NOTE},
        {START " vec3 a.p\n\n", 0, "BGA-LINE-SUSPECT", FACET_SEVERITY_WARNING},
        {START "vec3 a\n\n", 0, "BGA-LINE-SUSPECT", FACET_SEVERITY_WARNING},
        {START "vec3 a.p[]\n\n", 0, "BGA-LINE-SUSPECT", FACET_SEVERITY_WARNING},
        {START "1  a\n\n", 0, "BGA-LINE-SUSPECT", FACET_SEVERITY_WARNING},
        {START "uint8 a.p\n1 a//n\n\n", 0, "BGA-LINE-SUSPECT", FACET_SEVERITY_WARNING},
        {START "attribute vec3 p\n\n", 0, "BGA-LINE-SUSPECT", FACET_SEVERITY_WARNING},
        {START "double a.p\n1 a\n\n", 8, "BGA-TYPE-UNKNOWN", FACET_SEVERITY_ERROR},
        {START "int16 a.p\n1 a\n\n", 2, "BGA-TYPE-SIGNED", FACET_SEVERITY_WARNING},
        {START "vec3 a.p[0]\n1 a\n\n", 0, "BGA-REPEAT-ZERO", FACET_SEVERITY_WARNING},
        {START "uint8 a.p\nuint8 a.p\n1 a\n\n", 2, "BGA-ATTR-DUP", FACET_SEVERITY_ERROR},
        {START "vec3 a.p-q\n\n", 0, "BGA-NAME-CHARS", FACET_SEVERITY_ERROR},
        {START "uint8 a.__proto__\n1 a\n\n", 1, "BGA-NAME-RESERVED", FACET_SEVERITY_WARNING},
        {START "uint8 constructor.p\n1 constructor\n\n", 1, "BGA-NAME-RESERVED",
         FACET_SEVERITY_WARNING},
        {START "uint8 a.p\n\n", 0, "BGA-COUNT-MISSING", FACET_SEVERITY_WARNING},
        {START "uint8 a.p\n1 a\n1 a\n\n", 1, "BGA-COUNT-DUP", FACET_SEVERITY_WARNING},
        {START "uint8 a.p\n1 a\n1 b\n\n", 1, "BGA-COUNT-ORPHAN", FACET_SEVERITY_NOTE},
        {START "vec3 a.p\n9 a\n\n", 12, "BGA-COUNT-RANGE", FACET_SEVERITY_ERROR},
        {START "uint8 a.p\nuint8 b.p\n1 b\n1 a\n\n", 2, "BGA-ORDER-MISMATCH",
         FACET_SEVERITY_WARNING},
        {START "vec3 a.p\n2 a\n\n", 23, "BGA-DATA-TRUNCATED", FACET_SEVERITY_ERROR},
        {START "uint8 a.p\n2 a\n\n", 3, "BGA-DATA-TRAILING", FACET_SEVERITY_NOTE},
        {START "uint8 a.p\nfloat a.q\n1 a\n\n", 8, "BGA-ALIGN-ATTR", FACET_SEVERITY_WARNING},
        {START "float a.q\nuint8 a.p\n2 a\n\n", 13, "BGA-ALIGN-ATTR", FACET_SEVERITY_WARNING},
        {START "\n", 0, "BGA-EMPTY", FACET_SEVERITY_WARNING},
        {START "uint8 a.p\n0 a\n\n", 0, "BGA-EMPTY", FACET_SEVERITY_WARNING},
        {START "vec3 vertex.position\n1 vertex\n\n", 16, "BGA-CELL-MISSING", FACET_SEVERITY_NOTE},
        {START "uint16 triangle.cell[3]\n1 triangle\n\n", 8, "BGA-VERTEX-MISSING",
         FACET_SEVERITY_WARNING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_header(cases[i].header, cases[i].data_size, cases[i].rule, cases[i].severity);
}

/* One pass reports all errors, not only the first. */
TEST(all_errors_are_told)
{
    bytes file = file_of("BGA 3.0\nvec3 a-b.p\ndouble a.p\n1 a\nvec3 c.d\nvec3 c.d\n9 c\n\n", 12);
    static const char *const rules[] = {"BGA-VERSION",        "BGA-NAME-CHARS", "BGA-TYPE-UNKNOWN",
                                        "BGA-ENDIAN-MISSING", "BGA-ATTR-DUP",   "BGA-COUNT-RANGE"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        expect(&file, rules[i], FACET_SEVERITY_ERROR, 1);
}

/* -- Rules of the data -------------------------------------------------- */

/* Four vertices with normals and two triangles, a flat square in z = 0. */
#define SQUARE_HEADER                                                                     \
    "BGA 2.0\n%s endian\nvec3 vertex.position\nvec3 vertex.normal\n%s triangle.cell[3]\n" \
    "4 vertex\n2 triangle\n\n"

typedef struct square {
    bytes file;
    size_t vertices, cells; /* offsets */
    bool big, narrow;
} square;

static void put_float(square *s, size_t at, float value)
{
    (s->big ? facet_store_f32be : facet_store_f32le)(s->file.data + at, value);
}

static void put_index(square *s, size_t i, uint32_t value)
{
    uint8_t *at = s->file.data + s->cells + i * (s->narrow ? 2 : 4);
    if (s->narrow)
        (s->big ? facet_store_u16be : facet_store_u16le)(at, (uint16_t)value);
    else
        (s->big ? facet_store_u32be : facet_store_u32le)(at, value);
}

static square make_square(bool big, bool narrow)
{
    static const float corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const uint32_t cells[6] = {0, 1, 2, 0, 2, 3};
    square s = {{{0}, 0}, 0, 0, big, narrow};
    int length = snprintf((char *)s.file.data, sizeof s.file.data, SQUARE_HEADER,
                          big ? "big" : "little", narrow ? "uint16" : "uint32");
    s.vertices = ((size_t)length + 3) / 4 * 4;
    s.cells = s.vertices + 4 * 24;
    s.file.size = s.cells + (narrow ? 12 : 24);
    memset(s.file.data + length, 0, s.vertices - (size_t)length);
    for (size_t i = 0; i < 4; i++) {
        put_float(&s, s.vertices + i * 24, corners[i][0]);
        put_float(&s, s.vertices + i * 24 + 4, corners[i][1]);
        put_float(&s, s.vertices + i * 24 + 20, 1);
    }
    for (size_t i = 0; i < 6; i++)
        put_index(&s, i, cells[i]);
    return s;
}

TEST(valid_square_has_no_findings)
{
    for (int kind = 0; kind < 4; kind++) {
        square s = make_square(kind & 1, kind & 2);
        facet_report *report = check(s.file.data, s.file.size);
        for (size_t i = 0; i < facet_report_count(report); i++)
            fail_msg("kind %d: %s", kind, facet_report_get(report, i)->message);
        facet_report_free(report);
    }
}

static const union {
    uint32_t bits;
    float value;
} infinity_bits = {0x7F800000}, nan_bits = {0x7FC00001};

/* Separate buffers of normals follow the same rules: one triangle in the plane z = 0,
 * counter-clockwise from +z. */
TEST(separate_normals_are_checked)
{
    static const char header[] = "BGA 2.0\nlittle endian\nvec3 vertex.position\n"
                                 "vec3 vertex_normal.normal\nuint16 triangle.cell[3]\n"
                                 "3 vertex\n3 vertex_normal\n1 triangle\n\n";
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float normals[] = {0, 0, -1, 0, 0, -2, 0, 0, -1};
    static const uint8_t cell[] = {0, 0, 1, 0, 2, 0};
    bytes file = {.size = (sizeof header - 1 + 3) & ~(size_t)3};
    memcpy(file.data, header, sizeof header - 1);
    for (int i = 0; i < 18; i++, file.size += 4)
        facet_store_f32le(file.data + file.size, i < 9 ? positions[i] : normals[i - 9]);
    memcpy(file.data + file.size, cell, sizeof cell);
    file.size += sizeof cell;
    expect(&file, "BGA-NORMAL-LENGTH", FACET_SEVERITY_WARNING, 1);
    expect(&file, "BGA-CELL-WINDING", FACET_SEVERITY_WARNING, 1);
}

TEST(data_rules_are_reported)
{
    for (int kind = 0; kind < 4; kind++) {
        bool big = kind & 1, narrow = kind & 2;
        square s = make_square(big, narrow);
        put_float(&s, s.vertices + 24, infinity_bits.value);
        expect(&s.file, "BGA-FLOAT-NONFINITE", FACET_SEVERITY_ERROR, 1);

        s = make_square(big, narrow);
        put_float(&s, s.vertices + 24 + 12, nan_bits.value);
        expect(&s.file, "BGA-FLOAT-NONFINITE", FACET_SEVERITY_WARNING, 1);
        expect(&s.file, "BGA-NORMAL-LENGTH", FACET_SEVERITY_WARNING, 1);

        s = make_square(big, narrow); /* 1.0011 is out of tolerance, 1.0009 is within */
        put_float(&s, s.vertices + 20, 1.0011F);
        put_float(&s, s.vertices + 44, 1.0009F);
        expect(&s.file, "BGA-NORMAL-LENGTH", FACET_SEVERITY_WARNING, 1);

        s = make_square(big, narrow);
        put_index(&s, 4, 4);
        expect(&s.file, "BGA-CELL-RANGE", FACET_SEVERITY_ERROR, 1);

        s = make_square(big, narrow);
        put_index(&s, 1, 2);
        expect(&s.file, "BGA-CELL-DEGENERATE", FACET_SEVERITY_WARNING, 1);
        expect(&s.file, "BGA-VERTEX-UNUSED", FACET_SEVERITY_NOTE, 1); /* vertex 1 */

        s = make_square(big, narrow); /* both triangles reversed */
        put_index(&s, 1, 2);
        put_index(&s, 2, 1);
        put_index(&s, 4, 3);
        put_index(&s, 5, 2);
        expect(&s.file, "BGA-CELL-WINDING", FACET_SEVERITY_WARNING, 2);
    }
}

/* Many triangles, to use the fast path and several threads, with scattered errors. Each error is
 * found at any position in a group of eight and in a thread's part. The first error, which is
 * after the first part, is named. */
#define SIDE 80
#define FIRST_OUTSIDE 5000
#define FAULTS_HEADER                                                                     \
    "BGA 2.0\n%s endian\nvec3 vertex.position\nvec3 vertex.normal\n%s triangle.cell[3]\n" \
    "6400 vertex\n12482 triangle\n\n"

static void expect_count(const facet_report *report, const char *rule, uint64_t count)
{
    const facet_finding *finding = test_finding(report, rule);
    if ((finding ? finding->count : 0) != count)
        fail_msg("%s: %d instead of %d", rule, (int)(finding ? finding->count : 0), (int)count);
}

TEST(scattered_errors_are_all_counted)
{
    static uint8_t data[320000];
    for (int kind = 0; kind < 8; kind++) {
        bool big = kind & 1, narrow = kind & 2;
        uint64_t turned = 0, repeated = 0, outside = 0, long_normals = 0, first_outside = 0;
        size_t header = (size_t)snprintf((char *)data, sizeof data, FAULTS_HEADER,
                                         big ? "big" : "little", narrow ? "uint16" : "uint32");
        size_t at = (header + 3) / 4 * 4;
        memset(data + header, 0, at - header);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            float length = i % 57 == 3 ? 1.002F : 1;
            float vertex[6] = {(float)(i % SIDE), (float)(i / SIDE), 0, 0, 0, length};
            long_normals += i % 57 == 3;
            for (int k = 0; k < 6; k++, at += 4)
                (big ? facet_store_f32be : facet_store_f32le)(data + at, vertex[k]);
        }
        for (uint32_t i = 0; i < (SIDE - 1) * (SIDE - 1) * 2; i++) {
            uint32_t quad = i / 2, a = quad / (SIDE - 1) * SIDE + quad % (SIDE - 1);
            uint32_t index[3] = {i % 2 ? a + 1 : a, i % 2 ? a + 1 + SIDE : a + 1, a + SIDE};
            if (i % 61 == 7) {
                index[1] = a + SIDE, index[2] = i % 2 ? a + 1 + SIDE : a + 1;
                turned++;
            } else if (i % 67 == 11) {
                index[2] = index[0];
                repeated++;
            } else if (i >= FIRST_OUTSIDE && i % 71 == 13) {
                index[i % 3] = i % 2 ? SIDE * SIDE : 65535;
                first_outside = outside++ ? first_outside : at;
            }
            for (int k = 0; k < 3; k++, at += narrow ? 2 : 4) {
                if (narrow)
                    (big ? facet_store_u16be : facet_store_u16le)(data + at, (uint16_t)index[k]);
                else
                    (big ? facet_store_u32be : facet_store_u32le)(data + at, index[k]);
            }
        }
        facet_report *report = check_by_threads(data, at, kind & 4 ? 3 : 1);
        expect_count(report, "BGA-CELL-WINDING", turned);
        expect_count(report, "BGA-CELL-DEGENERATE", repeated);
        expect_count(report, "BGA-CELL-RANGE", outside);
        assert_int_equal(test_finding(report, "BGA-CELL-RANGE")->offset, first_outside);
        expect_count(report, "BGA-NORMAL-LENGTH", long_normals);
        expect_count(report, "BGA-VERTEX-UNUSED", 0);
        expect_count(report, "BGA-FLOAT-NONFINITE", 0);
        facet_report_free(report);
    }
}

TEST(nonzero_padding_is_reported)
{
    bytes file = file_of(START "uint8 a.p\nfloat bb.p\n1 a\n1 bb\n\n", 12);
    size_t header = strlen((const char *)file.data);
    file.size = (header + 1 + 3) / 4 * 4 + 4;
    file.data[header + 1] = 'x';
    expect(&file, "BGA-PAD-NONZERO", FACET_SEVERITY_WARNING, 1);
}

TEST(strided_cells_are_reported)
{
    expect_header(START "vec3 vertex.position\nuint32 edge.cell[2]\nuint32 edge.crease\n"
                        "1 vertex\n1 edge\n\n",
                  24, "BGA-CELL-STRIDED", FACET_SEVERITY_WARNING);
}

TEST(narrow_cells_of_many_vertices)
{
    static uint8_t data[70000];
    int header = snprintf((char *)data, sizeof data,
                          START "uint8 vertex.x\nuint16 edge.cell[2]\n65537 vertex\n1 edge\n\n");
    facet_report *report = check(data, (size_t)header + 65537 + 1 + 4);
    assert_non_null(test_finding(report, "BGA-CELL-WIDTH"));
    facet_report_free(report);
}

/* -- Real files --------------------------------------------------------- */

/* The published sample: no rule is broken, and the winding of every triangle matches its
 * normals. */
TEST(teapot_is_clean)
{
    TEST_NEEDS_CORPUS();
    facet_file *file;
    facet_error error;
    TEST_OK(facet_file_open(test_corpus("bga/teapot.v2.bga"), NULL, &file, &error), &error);
    facet_report *report = check(facet_file_source(file).data, facet_file_source(file).size);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        print_message("%s: %s\n", finding->rule, finding->message);
        assert_int_equal(finding->severity, FACET_SEVERITY_NOTE);
    }
    facet_report_free(report);
    facet_file_close(file);
}

/* -- Describe ----------------------------------------------------------- */

static int64_t integer_at(const facet_tree *tree, const char *key)
{
    const facet_tree *found = facet_tree_find(tree, key);
    assert_non_null(found);
    return found->integer;
}

TEST(describe_lists_attributes_and_offsets)
{
    for (int big = 0; big < 2; big++) {
        square s = make_square(big, true);
        facet_source source = {0};
        facet_description *d;
        facet_error error;
        source.data = s.file.data;
        source.size = s.file.size;
        TEST_OK(facet_describe(&source, &facet_format_bga, NULL, &d, &error), &error);
        assert_string_equal(d->version, "2.0");
        assert_int_equal(d->meshes, 1);
        assert_int_equal(d->vertices, 4);
        assert_int_equal(d->triangles, 2);
        assert_true(d->has_bounds);
        assert_true(d->minimum[0] == 0 && d->maximum[0] == 1 && d->maximum[1] == 1);
        assert_true(d->minimum[2] == 0 && d->maximum[2] == 0);
        assert_string_equal(facet_tree_find(d->detail, "byte_order")->string,
                            big ? "big-endian" : "little-endian");
        const facet_tree *buffer = facet_tree_find(d->detail, "buffers")->first;
        assert_string_equal(facet_tree_find(buffer, "name")->string, "vertex");
        assert_int_equal(integer_at(buffer, "stride"), 24);
        assert_int_equal(integer_at(buffer, "offset"), s.vertices);
        const facet_tree *normal = facet_tree_find(buffer, "attributes")->last;
        assert_string_equal(facet_tree_find(normal, "type")->string, "vec3");
        assert_int_equal(integer_at(normal, "offset"), 12);
        facet_description_free(d);
    }
}

/* -- Untrusted input, failed allocations --------------------------------- */

static void check_anything(const uint8_t *data, size_t size, void *user)
{
    facet_source source = {0};
    facet_description *description;
    (void)user;
    source.data = data;
    source.size = size;
    facet_report_free(check(data, size));
    if (facet_describe(&source, &facet_format_bga, NULL, &description, NULL) == FACET_OK)
        facet_description_free(description);
}

TEST(check_survives_any_byte_change)
{
    for (int kind = 0; kind < 4; kind++) {
        square s = make_square(kind & 1, kind & 2);
        test_every_mutation(s.file.data, s.file.size, check_anything, NULL);
    }
    /* Vectors at the very end of the file. */
    static const char last[] = START "uint8 triangle.cell[3]\nvec3 vertex.normal\n"
                                     "vec3 vertex.position\n1 triangle\n1 vertex\n\n";
    bytes file = file_of(last, 30);
    file.size = (strlen(last) + 3 + 3) / 4 * 4 + 24;
    test_every_mutation(file.data, file.size, check_anything, NULL);
}

static facet_status check_with(const facet_allocator *allocator, void *user)
{
    square *s = user;
    facet_options options = {0};
    facet_report *report;
    facet_source source = {0};
    source.data = s->file.data;
    source.size = s->file.size;
    options.allocator = allocator;
    facet_status status = facet_report_create(allocator, &report, NULL);
    if (status)
        return status;
    status = facet_check(&source, &facet_format_bga, &options, report, NULL);
    facet_report_free(report);
    if (status)
        return status;
    facet_description *description;
    status = facet_describe(&source, &facet_format_bga, &options, &description, NULL);
    if (status == FACET_OK)
        facet_description_free(description);
    return status;
}

TEST(check_reports_failed_allocations)
{
    square s = make_square(true, false);
    put_float(&s, s.vertices + 20, 2); /* a normal that is too long, so that there is a finding */
    test_every_allocation(check_with, &s);
}
