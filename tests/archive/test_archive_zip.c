/* Reading of ZIP: a literal archive, siblings in it, and wrong sizes. */
#include "archive/describe.h"
#include "support/support.h"

#include <facet/archive.h>
#include <stdlib.h>

/* One stored file "d/a.txt": "hello", whose CRC-32 is 3610A686. */
enum { LOCAL = 30 + 7 + 5, CENTRAL = 46 + 7, SIZE = LOCAL + CENTRAL + 22 };
static const uint8_t one[SIZE] = {
    'P',  'K',  3,       4,   10,  0,   0,     0,   0,   0,   0,   0,    0x21, 0,    0x86,
    0xA6, 0x10, 0x36,    5,   0,   0,   0,     5,   0,   0,   0,   7,    0,    0,    0,
    'd',  '/',  'a',     '.', 't', 'x', 't',   'h', 'e', 'l', 'l', 'o',  'P',  'K',  1,
    2,    10,   0,       10,  0,   0,   0,     0,   0,   0,   0,   0x21, 0,    0x86, 0xA6,
    0x10, 0x36, 5,       0,   0,   0,   5,     0,   0,   0,   7,   0,    0,    0,    0,
    0,    0,    0,       0,   0,   0,   0,     0,   0,   0,   0,   0,    0,    'd',  '/',
    'a',  '.',  't',     'x', 't', 'P', 'K',   5,   6,   0,   0,   0,    0,    1,    0,
    1,    0,    CENTRAL, 0,   0,   0,   LOCAL, 0,   0,   0,   0,   0,
};

static bool is_absent(void)
{
    facet_archive *archive = NULL;
    facet_error error = {0};
    bool absent = facet_archive_read(TEST_SOURCE(one, SIZE), NULL, &archive, &error) ==
                      FACET_ERROR_UNSUPPORTED &&
                  strcmp(error.rule, "FORMAT-ABSENT") == 0;
    facet_archive_free(archive);
    return absent;
}

TEST(zip_members_and_siblings_are_read)
{
    facet_archive *archive = NULL;
    facet_error error;
    facet_source source;
    const uint8_t *data;
    size_t size;
    if (is_absent())
        skip();
    TEST_OK(facet_archive_read(TEST_SOURCE(one, SIZE), NULL, &archive, &error), &error);
    assert_int_equal(archive->kind, FACET_ARCHIVE_ZIP);
    assert_int_equal(archive->member_count, 2);
    assert_string_equal(archive->members[0].name, "d");
    assert_int_equal(archive->members[0].flags, FACET_ARCHIVE_FOLDER);
    assert_string_equal(archive->members[1].name, "a.txt");
    assert_int_equal(archive->members[1].folder, 0);
    assert_int_equal(archive->members[1].size, 5);
    assert_int_equal(facet_archive_find(archive, FACET_NONE, "d/a.txt"), 1);
    TEST_OK(facet_archive_get(archive, 1, &data, &size, &error), &error);
    assert_int_equal(size, 5);
    assert_memory_equal(data, "hello", 5);
    TEST_OK(facet_archive_open(archive, 1, NULL, NULL, &source, &error), &error);
    assert_string_equal(source.name, "d/a.txt");
    assert_memory_equal(source.data, "hello", 5);
    facet_source_close(&source);
    assert_int_equal(facet_archive_get(archive, 0, &data, &size, &error), FACET_ERROR_ARGUMENT);
    facet_archive_free(archive);
}

/* Check that changing a byte gives the finding AR33, and that the file is refused. */
static void expect_refused(size_t at, uint8_t value, size_t also_at)
{
    uint8_t bytes[SIZE];
    facet_archive *archive = NULL;
    facet_report *report;
    facet_error error;
    memcpy(bytes, one, SIZE);
    bytes[at] = value;
    if (also_at > 0)
        bytes[also_at] = value;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_archive_check(TEST_SOURCE(bytes, SIZE), NULL, report, &error), &error);
    if (!test_finding(report, "AR33"))
        fail_msg("byte %zu as %x does not break AR33", at, value);
    facet_report_free(report);
    if (facet_archive_read(TEST_SOURCE(bytes, SIZE), NULL, &archive, &error) == FACET_OK) {
        const uint8_t *data;
        size_t size;
        assert_int_not_equal(facet_archive_get(archive, 1, &data, &size, &error), FACET_OK);
        assert_string_equal(error.rule, "AR33");
        facet_archive_free(archive);
    }
}

TEST(zip_refuses_wrong_sizes_and_checksums)
{
    if (is_absent())
        skip();
    expect_refused(37, 'j', 0);             /* "jello" has another checksum */
    expect_refused(LOCAL + 27, 0x7F, 25);   /* 2 * 10^9 bytes in five */
    expect_refused(LOCAL + 23, 0x7F, 21);   /* as many bytes of the archive for one file */
    expect_refused(LOCAL + 10, 12, 8);      /* packed by bzip2 */
    expect_refused(LOCAL + 10, 8, 8);       /* "hello" is not a DEFLATE stream */
    expect_refused(SIZE - 6, LOCAL + 1, 0); /* the list of files begins elsewhere */
}

static void attempt(const uint8_t *data, size_t size, void *user)
{
    facet_archive *archive = NULL;
    facet_report *report = NULL;
    facet_options options = {.memory_limit = 1 << 20};
    (void)user;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_archive_check(TEST_SOURCE(data, size), &options, report, NULL);
    facet_report_free(report);
    if (facet_archive_read(TEST_SOURCE(data, size), &options, &archive, NULL) == FACET_OK)
        facet_archive_free(archive);
}

/* Write a ZIP of two empty files. Returns its size. */
static size_t make_empty_files(uint8_t *zip, const char *const names[2])
{
    size_t at = 0, first[3] = {0};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(names[i]);
        memcpy(zip + at, "PK\3\4\12", 5);
        zip[at + 26] = (uint8_t)length;
        memcpy(zip + at + 30, names[i], length);
        at += 30 + length;
        first[i + 1] = at;
    }
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(names[i]);
        memcpy(zip + at, "PK\1\2\12\0\12", 7);
        zip[at + 28] = (uint8_t)length;
        zip[at + 42] = (uint8_t)first[i];
        memcpy(zip + at + 46, names[i], length);
        at += 46 + length;
    }
    memcpy(zip + at, "PK\5\6", 4);
    zip[at + 8] = zip[at + 10] = 2;
    zip[at + 12] = (uint8_t)(at - first[2]);
    zip[at + 16] = (uint8_t)first[2];
    return at + 22;
}

/* Such an archive can be extracted only in part. Two files of one name are both members. */
TEST(zip_refuses_a_name_of_a_file_and_a_folder)
{
    static const struct {
        const char *names[2];
        uint32_t members; /* 0: refused */
    } cases[] = {{{"a", "a/b"}, 0}, {{"a/b", "a"}, 0},   {{"a", "a/"}, 0},
                 {{"a", "a"}, 2},   {{"a/b", "a/b"}, 3}, {{"a/b", "b"}, 3}};
    if (is_absent())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t zip[256] = {0};
        facet_archive *archive = NULL;
        facet_error error = {0};
        size_t size = make_empty_files(zip, cases[i].names);
        facet_status status = facet_archive_read(TEST_SOURCE(zip, size), NULL, &archive, &error);
        if (cases[i].members == 0) {
            assert_int_equal(status, FACET_ERROR_MALFORMED);
            assert_string_equal(error.rule, "AR34");
            continue;
        }
        TEST_OK(status, &error);
        assert_int_equal(archive->member_count, cases[i].members);
        facet_archive_free(archive);
    }
}

TEST(zip_survives_any_byte_change)
{
    test_every_mutation(one, SIZE, attempt, NULL);
}

static facet_status read_all(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_archive *archive = NULL;
    facet_source source;
    (void)user;
    facet_status status = facet_archive_read(TEST_SOURCE(one, SIZE), &options, &archive, NULL);
    if (!status)
        status = facet_archive_open(archive, 1, "a.zip", &options, &source, NULL);
    if (!status)
        facet_source_close(&source);
    facet_archive_free(archive);
    return status;
}

TEST(zip_reports_failed_allocations)
{
    if (is_absent())
        skip();
    test_every_allocation(read_all, NULL);
}
