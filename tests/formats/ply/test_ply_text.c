/* Text PLY gives the same document with plain and irregular lines, for any number of threads,
 * mapped or in memory.
 *
 * Compared are values, offsets of records, and errors with their lines. */
#include "formats/ply/ply.h"
#include "support/support.h"
#include "support/text.h"

#include <facet/ply.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Text --------------------------------------------------------------- */

/* Irregularities that a text has in addition to plain lines. */
typedef enum oddity {
    NOTHING,
    POLYGONS,  /* faces of 3, 4, 5 and 9 corners */
    SPELLINGS, /* exponents, many digits, signs, halves between two floats */
    BREAKS,    /* records of two lines, two of one line, empty lines */
    RETURNS,   /* CR LF, and a blank before it */
    KINDS
} oddity;

enum { VERTICES = 40000, FACES = 50000 };

static void put_number(text *t, uint32_t i, oddity odd)
{
    static const char *const spellings[] = {"1e-3",
                                            "-2.5E+2",
                                            "0.1234567890123",
                                            "+7",
                                            "16777217.5",
                                            "83886080.5",
                                            "8388608.5",
                                            "00000000012.5",
                                            "nan",
                                            ".5",
                                            "5.",
                                            "-0",
                                            "-0.0",
                                            "00.00001",
                                            "123456789",
                                            "0.00000000001",
                                            "340282346638528.9",
                                            "12345678.9",
                                            "-inf",
                                            "0.12345678"};
    if (odd == SPELLINGS && i % 7 == 0)
        put(t, "%s", spellings[i / 7 % (sizeof spellings / sizeof *spellings)]);
    else if (i % 5 == 0)
        put(t, "%u", i % 3);
    else
        put(t, "%s%u.%0*u", i % 2 ? "-" : "", i % 1000, 1 + (int)(i % 5), i % 9973 % 10);
}

/* `blank` between words, `end` after lines: with any other blank than " ", no line is plain. */
static text make_text(oddity odd, const char *blank, const char *fault)
{
    text t = {0};
    const char *end = odd == RETURNS ? " \r\n" : "\n";
    put(&t, "ply\nformat ascii 1.0\nelement vertex %d\n", VERTICES);
    put(&t, "property float x\nproperty float y\nproperty float z\nproperty float w\n"
            "property float s\nproperty uchar red\nproperty short green\nproperty uint blue\n");
    put(&t, "element face %d\nproperty list uchar int vertex_indices\nproperty char flag\n", FACES);
    put(&t, "element more 3\nproperty double a\nproperty int b\nend_header\n");
    for (uint32_t i = 0; i < VERTICES; i++) {
        for (uint32_t k = 0; k < 5; k++) {
            put_number(&t, i * 5 + k, odd);
            put(&t, "%s", odd == BREAKS && i % 3001 == 7 && k == 2 ? "\n" : blank);
        }
        put(&t, "%u%s%u%s%u", i % 256, blank, i % 30000, blank, i * 97);
        put(&t, "%s", odd == BREAKS && i % 7001 == 9 ? blank : end);
        if (odd == BREAKS && i % 9001 == 100)
            put(&t, "\n \n");
        if (fault && i == 30000)
            put(&t, "%s", fault);
    }
    for (uint32_t i = 0; i < FACES; i++) {
        static const uint32_t lengths[] = {3, 4, 5, 9};
        uint32_t length = odd == POLYGONS && i >= 20000 ? lengths[i % 4] : 3;
        put(&t, "%u", length);
        for (uint32_t k = 0; k < length; k++)
            put(&t, "%s%u", blank, (i + k * 7) % VERTICES);
        put(&t, "%s%u%s", blank, i % 128, end);
    }
    put(&t, "0.1%s-5%s1e300%s6%s-0%s7", blank, end, blank, end, blank);
    return t;
}

/* -- Reading ------------------------------------------------------------ */

static facet_status read_source(const facet_source *source, unsigned threads, facet_ply **ply,
                                facet_error *error)
{
    facet_options options = {0};
    if (threads > 1)
        TEST_OK(facet_threads_create(threads, &options.threads, error), error);
    facet_status status = facet_ply_read(source, &options, ply, error);
    facet_threads_free(options.threads);
    return status;
}

static facet_status read_text(const text *t, unsigned threads, facet_ply **ply, facet_error *error)
{
    facet_source source = facet_source_from_memory(t->at, t->size, "a.ply");
    return read_source(&source, threads, ply, error);
}

/* Read through a mapped file. The document of a text does not point into the file. */
static facet_status read_file(const text *t, unsigned threads, facet_ply **ply, facet_error *error)
{
    const char *path = test_temporary("a.ply");
    FILE *written = fopen(path, "wb");
    facet_file *file = NULL;
    assert_non_null(written);
    assert_int_equal(fwrite(t->at, 1, t->size, written), t->size);
    assert_int_equal(fclose(written), 0);
    TEST_OK(facet_file_open(path, NULL, &file, error), error);
    const facet_source source = facet_file_source(file);
    facet_status status = read_source(&source, threads, ply, error);
    facet_file_close(file);
    return status;
}

static void expect_same_values(const facet_ply_property *a, const facet_ply_property *b,
                               uint32_t count)
{
    uint64_t values = facet_ply_value_count(a, count);
    size_t size = facet_ply_type_size(a->type);
    assert_int_equal(values, facet_ply_value_count(b, count));
    assert_int_equal(a->length, b->length);
    assert_int_equal(a->offsets == NULL, b->offsets == NULL);
    if (a->offsets)
        assert_memory_equal(a->offsets, b->offsets, (count + 1) * sizeof *a->offsets);
    uint8_t *x = malloc((size_t)values * size), *y = malloc((size_t)values * size);
    assert_true(x && y);
    facet_ply_read_values(a, 0, values, a->type, x);
    facet_ply_read_values(b, 0, values, b->type, y);
    assert_memory_equal(x, y, (size_t)values * size);
    free(x);
    free(y);
}

static void expect_same(const facet_ply *a, const facet_ply *b, bool same_bytes)
{
    assert_int_equal(a->element_count, b->element_count);
    for (uint32_t i = 0; i < a->element_count; i++) {
        const facet_ply_element *x = &a->elements[i], *y = &b->elements[i];
        assert_int_equal(x->count, y->count);
        assert_int_equal(x->line, y->line);
        assert_int_equal(x->one_per_line, y->one_per_line);
        if (same_bytes)
            assert_int_equal(x->offset, y->offset);
        for (uint32_t k = 0; k < x->property_count; k++)
            expect_same_values(&x->properties[k], &y->properties[k], x->count);
    }
}

/* -- Tests -------------------------------------------------------------- */

TEST(document_is_equal_for_all_threads)
{
    facet_error error = {0};
    for (int odd = NOTHING; odd < KINDS; odd++) {
        text plain = make_text((oddity)odd, " ", NULL), wide = make_text((oddity)odd, "  ", NULL);
        assert_true(plain.size > (size_t)3 << 20); /* smaller texts are not divided */
        facet_ply *expected = NULL, *ply = NULL;
        TEST_OK(read_text(&wide, 1, &expected, &error), &error);
        assert_int_equal(expected->elements[0].line, 19);
        assert_int_equal(expected->elements[0].one_per_line, odd != BREAKS);
        static const unsigned threads[] = {1, 2, 5};
        for (size_t i = 0; i < 3; i++) {
            TEST_OK(read_text(&plain, threads[i], &ply, &error), &error);
            expect_same(expected, ply, false);
            facet_ply_free(ply);
            TEST_OK(read_text(&wide, threads[i], &ply, &error), &error);
            expect_same(expected, ply, true);
            facet_ply_free(ply);
            TEST_OK(read_file(&plain, threads[i], &ply, &error), &error);
            expect_same(expected, ply, false);
            facet_ply_free(ply);
            TEST_OK(read_file(&wide, threads[i], &ply, &error), &error);
            expect_same(expected, ply, true);
            facet_ply_free(ply);
        }
        facet_ply_free(expected);
        free(plain.at);
        free(wide.at);
    }
}

/* A few numbers, computed here, equal the ones that are read. */
TEST(text_values_equal_computed_values)
{
    facet_error error = {0};
    facet_ply *ply = NULL;
    text t = make_text(NOTHING, " ", NULL);
    TEST_OK(read_text(&t, 2, &ply, &error), &error);
    const uint32_t vertex = 31234, face = 43210;
    float x, s;
    uint32_t blue, corners[3];
    /* Number 156170: a multiple of 5 is written as its remainder by 3. */
    facet_ply_read_values(&ply->elements[0].properties[0], vertex, 1, FACET_PLY_FLOAT32, &x);
    assert_true(x == 156170 % 3);
    /* Number 156174 is even: no sign. It has 174 and five decimals for the remainder 4 of 5; the
     * last is 156174 % 9973 = 6579 modulo 10. */
    facet_ply_read_values(&ply->elements[0].properties[4], vertex, 1, FACET_PLY_FLOAT32, &s);
    assert_true(s == 174.00009f);
    facet_ply_read_values(&ply->elements[0].properties[7], vertex, 1, FACET_PLY_UINT32, &blue);
    assert_int_equal(blue, vertex * 97);
    facet_ply_read_values(&ply->elements[1].properties[0], face * 3, 3, FACET_PLY_UINT32, corners);
    assert_int_equal(corners[0], face - VERTICES);
    assert_int_equal(corners[2], face - VERTICES + 14);
    facet_ply_free(ply);
    free(t.at);
}

/* List i has the values i, i + 1 and i + 2, modulo 100, which every type can store. */
TEST(lists_of_every_type_have_their_values)
{
    enum { LISTS = 200 };
    static const char *const types[] = {"char", "uchar", "short", "ushort",
                                        "int",  "uint",  "float", "double"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        text t = {0};
        facet_ply *ply = NULL;
        facet_error error;
        float values[3 * LISTS];
        put(&t, "ply\nformat ascii 1.0\nelement face %d\nproperty list uchar %s x\nend_header\n",
            LISTS, types[k]);
        for (int i = 0; i < LISTS; i++)
            put(&t, "3 %d %d %d\n", i % 100, (i + 1) % 100, (i + 2) % 100);
        TEST_OK(read_text(&t, 1, &ply, &error), &error);
        const facet_ply_property *list = &ply->elements[0].properties[0];
        assert_int_equal(facet_ply_value_count(list, LISTS), 3 * LISTS);
        assert_true(facet_ply_read_values(list, 0, 3 * LISTS, FACET_PLY_FLOAT32, values));
        for (int i = 0; i < 3 * LISTS; i++)
            assert_true(values[i] == (float)((i / 3 + i % 3) % 100));
        facet_ply_free(ply);
        free(t.at);
    }
}

/* An invalid word after vertex 30000, whose line is 19 + 30000: the next line. */
TEST(errors_have_line_of_the_record)
{
    static const struct {
        const char *text, *id;
        uint64_t line;
    } faults[] = {
        {"1 2 3 4 x 1 1 1\n", "PLY-NUMBER", 19 + 30001},
        {"1 2 3\n 4 5 256 1 1\n", "PLY-NUMBER", 19 + 30002},
        {"1 2 3 4 5 6 32768 1\n", "PLY-NUMBER", 19 + 30001},
        {"1 2 3 4 5 6 7 8.5\n", "PLY-NUMBER", 19 + 30001},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        text t = make_text(NOTHING, " ", faults[i].text);
        static const unsigned threads[] = {1, 2, 5};
        facet_error first = {0};
        for (size_t k = 0; k < 3; k++) {
            facet_error error = {0};
            facet_ply *ply = NULL;
            assert_int_equal(read_text(&t, threads[k], &ply, &error), FACET_ERROR_MALFORMED);
            assert_string_equal(error.rule, faults[i].id);
            assert_int_equal(error.line, faults[i].line);
            if (k == 0)
                first = error;
            assert_string_equal(error.message, first.message);
        }
        free(t.at);
    }
    /* One record is missing. */
    text t = make_text(NOTHING, " ", NULL);
    t.size -= 10;
    facet_error error = {0};
    facet_ply *ply = NULL;
    assert_int_equal(read_text(&t, 2, &ply, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "PLY-SIZE");
    free(t.at);
}

/* Any byte of a small file is changed to each of these bytes. The result is the same with blanks
 * and with tabs; with tabs no line is plain. */
TEST(any_byte_change_equals_the_slow_path)
{
    static const char others[] = "07.-+e \t\n\rx,\xFF";
    text t = {0};
    put(&t, "ply\nformat ascii 1.0\nelement vertex 9\nproperty float x\nproperty float y\n"
            "property float z\nproperty uchar red\nproperty short k\nelement face 8\n"
            "property list uchar int vertex_indices\nproperty char flag\nelement more 60\n"
            "property float w\nend_header\n");
    size_t body = t.size;
    for (int i = 0; i < 9; i++)
        put(&t, "%d.5 -%d.25 0.1234567 %d %d\n", i, i * 11, i, i * 100);
    for (int i = 0; i < 8; i++)
        put(&t, i == 5 ? "4 1 2 3 %d 7\n" : "3 1 2 %d 12\n", i);
    for (int i = 0; i < 60; i++)
        put(&t, "%d.125\n", i);
    text tabs = {malloc(t.size), t.size, t.size};
    assert_non_null(tabs.at);
    for (size_t i = body; i + 300 < t.size; i++) {
        char before = t.at[i];
        for (size_t k = 0; k + 1 < sizeof others; k++) {
            facet_error one = {0}, other = {0};
            facet_ply *a = NULL, *b = NULL;
            t.at[i] = others[k];
            memcpy(tabs.at, t.at, t.size);
            for (size_t c = body; c < t.size; c++)
                tabs.at[c] = tabs.at[c] == ' ' ? '\t' : tabs.at[c];
            assert_int_equal(read_text(&t, 1, &a, &one), read_text(&tabs, 1, &b, &other));
            assert_string_equal(one.rule, other.rule);
            assert_string_equal(one.message, other.message);
            assert_int_equal(one.line, other.line);
            if (a && b)
                expect_same(a, b, true);
            facet_ply_free(a);
            facet_ply_free(b);
        }
        t.at[i] = before;
    }
    free(tabs.at);
    free(t.at);
}
