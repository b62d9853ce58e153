/* Reading of tar: headers by the rules of POSIX and GNU, long names, repeated names, and truncated
 * or damaged archives. */
#include "support/support.h"

#include <facet/archive.h>
#include <facet/format.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 512 };

/* A growing archive. */
typedef struct builder {
    uint8_t bytes[32 * BLOCK];
    size_t size;
} builder;

/* Append a POSIX header, and its data padded to a whole block. */
static void put(builder *b, const char *name, char type, const char *size, const char *data)
{
    uint8_t *h = b->bytes + b->size;
    unsigned sum = 0;
    memcpy(h, name, strlen(name));
    memcpy(h + 124, size, strlen(size));
    h[156] = (uint8_t)type;
    memcpy(h + 257,
           "ustar\0"
           "00",
           8);
    memcpy(h + 148, "        ", 8); /* the checksum counts its own field as spaces */
    for (int i = 0; i < BLOCK; i++)
        sum += h[i];
    snprintf((char *)h + 148, 8, "%06o", sum);
    size_t length = strlen(data);
    memcpy(h + BLOCK, data, length);
    b->size += BLOCK + (length + BLOCK - 1) / BLOCK * BLOCK;
}

static facet_status read(const builder *b, facet_archive **archive, facet_error *error)
{
    /* Two blocks of zeros end it. */
    return facet_archive_read(TEST_SOURCE(b->bytes, b->size + 2 * BLOCK), NULL, archive, error);
}

static void assert_file(facet_archive *archive, const char *path, const char *text)
{
    const uint8_t *data;
    size_t size;
    facet_error error;
    uint32_t member = facet_archive_find(archive, FACET_NONE, path);
    assert_int_not_equal(member, FACET_NONE);
    TEST_OK(facet_archive_get(archive, member, &data, &size, &error), &error);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(data, text, size);
}

TEST(tar_members_are_files_of_folders)
{
    builder b = {0};
    facet_archive *archive = NULL;
    facet_error error;
    put(&b, "./d/a.txt", '0', "00000000005", "hello");
    put(&b, "d/", '5', "00000000000", "");
    put(&b, "link", '2', "00000000000", "");
    put(&b, "/b.txt", '\0', "3 ", "ABC");
    TEST_OK(read(&b, &archive, &error), &error);
    assert_int_equal(archive->kind, FACET_ARCHIVE_TAR);
    assert_int_equal(archive->member_count, 3); /* d, d/a.txt, b.txt */
    assert_file(archive, "d/a.txt", "hello");
    assert_file(archive, "b.txt", "ABC");
    facet_archive_free(archive);
}

/* "path=" and its value, 8 bytes. "14 path=e.txt
 * " counts itself: 2 + 1 + 5 + 5 + 1. */
TEST(tar_reads_long_names_of_pax_and_gnu)
{
    builder b = {0};
    facet_archive *archive = NULL;
    facet_error error;
    put(&b, "pax", 'x', "00000000016", "14 path=e.txt\n");
    put(&b, "cut", '0', "00000000001", "1");
    put(&b, "././@LongLink", 'L', "00000000006", "f.txt\0");
    put(&b, "cut", '0', "00000000001", "2");
    put(&b, "cut", '0', "00000000001", "3");
    TEST_OK(read(&b, &archive, &error), &error);
    assert_file(archive, "e.txt", "1");
    assert_file(archive, "f.txt", "2");
    assert_file(archive, "cut", "3");
    facet_archive_free(archive);
}

/* Links to "d/a", by pax ("16 linkpath=d/a
 * " is 2 + 1 + 8 + 1 + 3 + 1 bytes) and by GNU. A link without an earlier file of that name is left
 * out. */
TEST(tar_hard_links_are_files)
{
    builder b = {0};
    facet_archive *archive = NULL;
    facet_error error;
    put(&b, "d/a", '0', "00000000001", "1");
    put(&b, "pax", 'x', "00000000020", "16 linkpath=d/a\n");
    put(&b, "b", '1', "00000000000", "");
    put(&b, "././@LongLink", 'K', "00000000006", "./d/a\0");
    put(&b, "c", '1', "00000000000", "");
    put(&b, "self", '1', "00000000000", "");
    put(&b, "pax", 'x', "00000000016", "14 linkpath=d\n");
    put(&b, "folder", '1', "00000000000", "");
    TEST_OK(read(&b, &archive, &error), &error);
    assert_int_equal(archive->member_count, 4); /* d, d/a, b, c */
    assert_file(archive, "b", "1");
    assert_file(archive, "c", "1");
    facet_archive_free(archive);
}

TEST(tar_uses_the_last_of_two_equal_names)
{
    builder b = {0};
    facet_archive *archive = NULL;
    facet_error error;
    put(&b, "d/a", '0', "00000000001", "1");
    put(&b, "./d/a", '0', "00000000001", "2");
    TEST_OK(read(&b, &archive, &error), &error);
    assert_int_equal(archive->member_count, 2);
    assert_file(archive, "d/a", "2");
    facet_archive_free(archive);
}

TEST(tar_errors_name_the_header)
{
    static const struct {
        size_t at; /* offset of the changed byte */
        uint8_t byte;
        size_t size; /* bytes to read; 0: all */
        uint64_t offset;
    } cases[] = {
        {2 * BLOCK + 5, 'X', 0, 2 * BLOCK}, /* the second checksum does not match its block */
        {0, 'a', 3 * BLOCK, 2 * BLOCK},     /* its data is missing */
        {2 * BLOCK + 124, '9', 0, 2 * BLOCK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        builder b = {0};
        facet_archive *archive = NULL;
        facet_error error;
        put(&b, "a", '0', "00000000001", "1");
        put(&b, "b", '0', "00000000001", "2");
        b.bytes[cases[i].at] = cases[i].byte;
        size_t size = cases[i].size ? cases[i].size : b.size;
        assert_int_equal(facet_archive_read(TEST_SOURCE(b.bytes, size), NULL, &archive, &error),
                         FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, "AR34");
        assert_int_equal(error.offset, cases[i].offset);
        assert_null(archive);
    }
}

/* A partial header is refused. With fewer bytes, the file looks like a complete archive. */
TEST(tar_cut_within_a_header_is_refused)
{
    builder b = {0};
    put(&b, "a", '0', "00000000001", "1");
    put(&b, "b", '0', "00000000001", "2");
    for (size_t size = 2 * BLOCK + 1; size < 3 * BLOCK; size++) {
        facet_archive *archive = NULL;
        facet_error error;
        assert_int_equal(facet_archive_read(TEST_SOURCE(b.bytes, size), NULL, &archive, &error),
                         FACET_ERROR_MALFORMED);
        assert_int_equal(error.offset, 2 * BLOCK);
    }
}

/* Truncated between members, it is read, and the check warns. With a block of zeros the check does
 * not warn. */
TEST(tar_without_an_end_gives_a_warning)
{
    builder b = {0};
    put(&b, "a", '0', "00000000001", "1");
    for (size_t more = 0; more <= BLOCK; more += BLOCK / 2) {
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_source source = facet_source_from_memory(b.bytes, b.size + more, "a.tar");
        TEST_OK(facet_check(&source, NULL, NULL, report, &error), &error);
        assert_int_equal(facet_report_count(report), more < BLOCK ? 1 : 0);
        if (more < BLOCK)
            assert_string_equal(facet_report_get(report, 0)->rule, "AR35");
        facet_report_free(report);
    }
}

/* A tar ends at its first block of zeros. Data after it may be a member whose header was lost. */
TEST(tar_with_data_after_its_end_gives_a_warning)
{
    static const struct {
        size_t first, zeros; /* first: blocks of the first tar, one member of one block */
        uint8_t last;        /* value of the last byte */
        size_t offset;       /* expected; 0: no warning */
    } cases[] = {{2, 20, 0, 0}, {2, 2, 1, 3 * BLOCK}, {2, 3, 1, 4 * BLOCK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        builder b = {0};
        facet_report *report = NULL;
        facet_error error;
        put(&b, "a", '0', "00000000001", "1");
        assert_int_equal(b.size, cases[i].first * BLOCK);
        size_t size = b.size + cases[i].zeros * BLOCK;
        b.bytes[size - 1] = cases[i].last;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_source source = facet_source_from_memory(b.bytes, size, "a.tar");
        TEST_OK(facet_check(&source, NULL, NULL, report, &error), &error);
        assert_int_equal(facet_report_count(report), cases[i].last);
        if (cases[i].last != 0) {
            assert_string_equal(facet_report_get(report, 0)->rule, "AR35");
            assert_int_equal(facet_report_get(report, 0)->offset, cases[i].offset);
        }
        facet_report_free(report);
    }
}

TEST(tar_refuses_wrong_sizes_and_paths)
{
    static const struct {
        const char *name, *size, *records;
    } cases[] = {{"a", "77777777777", NULL},
                 {"a", "00000000001", "99 path=x\n"},
                 {"a", "00000000001", "10 path=x;"},
                 {"a", "00000000001", "10-path=x\n"},
                 {"a", "00000000001", "15 size=9999999\n"},
                 {"a", "00000000001", "10 size=x\n"},
                 {"d", "00000000001", "12 path=d/x\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        builder b = {0};
        facet_archive *archive = NULL;
        facet_error error;
        char size[12];
        put(&b, cases[i].name, '0', "00000000001", "1");
        if (cases[i].records) {
            snprintf(size, sizeof size, "%011o", (unsigned)strlen(cases[i].records));
            put(&b, "pax", 'x', size, cases[i].records);
        }
        put(&b, "z", '0', cases[i].size, "2");
        assert_int_equal(read(&b, &archive, &error), FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, "AR34");
    }
}

/* With any byte changed, and for any prefix: read or refused. */
TEST(tar_damaged_anywhere_is_read_or_refused)
{
    builder b = {0};
    put(&b, "pax", 'x', "00000000016", "14 path=e.txt\n");
    put(&b, "d/a", '0', "00000000001", "1");
    for (size_t i = 0; i < b.size; i++) {
        for (int bit = 0; bit < 8; bit++) {
            facet_archive *archive = NULL;
            facet_error error;
            b.bytes[i] ^= (uint8_t)(1 << bit);
            if (facet_archive_read(TEST_SOURCE(b.bytes, b.size), NULL, &archive, &error))
                assert_null(archive);
            facet_archive_free(archive);
            archive = NULL;
            b.bytes[i] ^= (uint8_t)(1 << bit);
            if (bit == 0 && facet_archive_read(TEST_SOURCE(b.bytes, i), NULL, &archive, &error))
                assert_null(archive);
            facet_archive_free(archive);
        }
    }
}

static facet_status read_all(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_archive *archive = NULL;
    facet_source source;
    const builder *b = user;
    facet_status status =
        facet_archive_read(TEST_SOURCE(b->bytes, b->size), &options, &archive, NULL);
    if (!status)
        status = facet_archive_open(archive, 1, "a.tar", &options, &source, NULL);
    if (!status)
        facet_source_close(&source);
    facet_archive_free(archive);
    return status;
}

TEST(tar_reports_failed_allocations)
{
    builder b = {0};
    put(&b, "pax", 'x', "00000000016", "14 path=d/txt\n");
    put(&b, "cut", '0', "00000000001", "1");
    put(&b, "././@LongLink", 'L', "00000000006", "f.txt");
    put(&b, "cut", '0', "00000000001", "2");
    test_every_allocation(read_all, &b);
}

/* A tar is not a model, whatever its first member and its name are. */
TEST(tar_is_not_read_as_its_first_member)
{
    static const char *const names[] = {"v.obj", "solid.stl", "{asset.gltf",        "ply",
                                        "BGA ",  "; FBX ",    "Kaydara FBX Binary", "a.3ds"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        builder b = {0};
        put(&b, names[i], '0', "00000000020", "v 0 0 0\nv 1 0 0\n");
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            facet_source source = facet_source_from_memory(b.bytes, b.size + 2 * BLOCK, names[k]);
            assert_string_equal(facet_format_name(facet_format_probe(&source)), "tar");
        }
    }
}
