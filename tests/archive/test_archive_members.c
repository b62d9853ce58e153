/* RARC and U8: the worked examples of their layouts; replacing, adding and removing members; and
 * invalid tables. */
#include "archive/archive.h"
#include "archive/describe.h"
#include "base/file.h"
#include "support/support.h"

#include <facet/archive.h>
#include <facet/convert.h>
#include <stdlib.h>
#include <time.h>

/* -- Worked examples ---------------------------------------------------- */

/* "tiny" with a.txt ("hello") and bck/b.bck ("J3D1"), in the layout of the console maker's tools.
 * Two other programs list it like this. */
enum { TINY = 352 };
static const uint8_t tiny[TINY] =
    {
        'R',  'A',  'R',  'C',  0,    0,   0x01, 0x60, 0,    0,    0,    0x20, 0,   0,
        0x01, 0x00, /* 000 */
        0,    0,    0,    0x40, 0,    0,   0,    0x40, 0,    0,    0,    0,    0,   0,
        0,    0, /* 010 */
        0,    0,    0,    2,    0,    0,   0,    0x20, 0,    0,    0,    7,    0,   0,
        0,    0x40, /* 020 */
        0,    0,    0,    0x20, 0,    0,   0,    0xE0, 0,    7,    1,    0,    0,   0,
        0,    0, /* 030 */
        'R',  'O',  'O',  'T',  0,    0,   0,    5,    0x11, 0xB0, 0,    4,    0,   0,
        0,    0, /* 040 */
        'B',  'C',  'K',  ' ',  0,    0,   0,    0x10, 0x05, 0x06, 0,    3,    0,   0,
        0,    4, /* 050 */
        0,    0,    0x29, 0x7B, 0x11, 0,   0,    0x0A, 0,    0,    0,    0,    0,   0,
        0,    5,    0,    0,    0,    0, /* a.txt */
        0xFF, 0xFF, 0x05, 0x06, 0x02, 0,   0,    0x10, 0,    0,    0,    1,    0,   0,
        0,    0x10, 0,    0,    0,    0, /* bck */
        0xFF, 0xFF, 0x00, 0x2E, 0x02, 0,   0,    0,    0,    0,    0,    0,    0,   0,
        0,    0x10, 0,    0,    0,    0, /* . */
        0xFF, 0xFF, 0x00, 0xB8, 0x02, 0,   0,    2,    0xFF, 0xFF, 0xFF, 0xFF, 0,   0,
        0,    0x10, 0,    0,    0,    0,   0,    4,    0x28, 0xE2, 0x11, 0,    0,   0x14,
        0,    0,    0,    0x20, 0,    0,   0,    4,    0,    0,    0,    0, /* b.bck */
        0xFF, 0xFF, 0x00, 0x2E, 0x02, 0,   0,    0,    0,    0,    0,    1,    0,   0,
        0,    0x10, 0,    0,    0,    0, /* . */
        0xFF, 0xFF, 0x00, 0xB8, 0x02, 0,   0,    2,    0,    0,    0,    0,    0,   0,
        0,    0x10, 0,    0,    0,    0, /* .. */
        0,    0,    0,    0,    0,    0,   0,    0,    0,    0,    0,    0,    0,   0,
        0,    0,    0,    0,    0,    0, /* 0EC */
        '.',  0,    '.',  '.',  0,    't', 'i',  'n',  'y',  0,    'a',  '.',  't', 'x',
        't',  0, /* 100 */
        'b',  'c',  'k',  0,    'b',  '.', 'b',  'c',  'k',  0,    0,    0,    0,   0,
        0,    0, /* 110 */
        'h',  'e',  'l',  'l',  'o',  0,   0,    0,    0,    0,    0,    0,    0,   0,
        0,    0, /* 120 */
        0,    0,    0,    0,    0,    0,   0,    0,    0,    0,    0,    0,    0,   0,
        0,    0, /* 130 */
        'J',  '3',  'D',  '1',  0,    0,   0,    0,    0,    0,    0,    0,    0,   0,
        0,    0, /* 140 */
        0,    0,    0,    0,    0,    0,   0,    0,    0,    0,    0,    0,    0,   0,
        0,    0, /* 150 */
};

/* A U8 of b ("B1") and d/a ("A"). Four nodes of 12 bytes and names of 1 + 2 + 2 + 2 bytes are 55.
 * 20 + 37 (hexadecimal) rounded up is 60. Data is in the order of the paths: b, d/a. */
enum { SMALL = 160 };
static const uint8_t small_u8[SMALL] = {
    0x55, 0xAA, 0x38, 0x2D, 0,    0,    0,    0x20, 0,    0,    0,    0x37, 0,    0,    0,
    0x60, /* 00 */
    0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC,
    0xCC, 1,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    4, /* root, up to node 4
                                                                                */
    0,    0,    0,    1,    0,    0,    0,    0x60, 0,    0,    0,    2, /* b: 2 bytes at 60 */
    1,    0,    0,    3,    0,    0,    0,    0,    0,    0,    0,    4, /* d in the root, up to
                                                                            node 4 */
    0,    0,    0,    5,    0,    0,    0,    0x80, 0,    0,    0,    1, /* a: a byte at 80 */
    0,    'b',  0,    'd',  0,    'a',  0,    0,    0,    0,    0,    0,    0,    0,    0,
    0, /* 50 */
    'B',  '1',  0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0,    0,    'A',  0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0,    0,    0,    0,
};

static facet_archive *read_archive(const uint8_t *data, size_t size)
{
    facet_archive *archive = NULL;
    facet_error error;
    TEST_OK(facet_archive_read(TEST_SOURCE(data, size), NULL, &archive, &error), &error);
    return archive;
}

static facet_output *write_archive(const facet_archive *archive)
{
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_archive_write(archive, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static void assert_written(const facet_archive *archive, const uint8_t *data, size_t size)
{
    facet_output *output = write_archive(archive);
    assert_int_equal(facet_output_size(output), size);
    assert_memory_equal(facet_output_data(output), data, size);
    facet_output_free(output);
}

static uint32_t word_at(const facet_output *output, size_t at)
{
    const uint8_t *b = facet_output_data(output) + at;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* -- Reading ------------------------------------------------------------ */

TEST(rarc_is_listed)
{
    facet_archive *archive = read_archive(tiny, TINY);
    assert_int_equal(archive->kind, FACET_ARCHIVE_RARC);
    assert_string_equal(archive->name, "tiny");
    assert_true(archive->synced);
    assert_int_equal(archive->next_id, 7);
    assert_int_equal(archive->member_count, 3);
    const facet_archive_member *m = archive->members;
    assert_string_equal(m[0].name, "a.txt");
    assert_int_equal(m[0].folder, FACET_NONE);
    assert_int_equal(m[0].size, 5);
    assert_memory_equal(m[0].data, "hello", 5);
    assert_string_equal(m[1].name, "bck");
    assert_int_equal(m[1].flags, FACET_ARCHIVE_FOLDER);
    assert_string_equal(m[2].name, "b.bck");
    assert_int_equal(m[2].folder, 1);
    assert_int_equal(m[2].id, 4);
    assert_int_equal(m[2].entry, 4);
    facet_archive_free(archive);
}

TEST(u8_is_listed)
{
    facet_archive *archive = read_archive(small_u8, SMALL);
    assert_int_equal(archive->kind, FACET_ARCHIVE_U8);
    assert_int_equal(archive->member_count, 3);
    assert_string_equal(archive->members[0].name, "b");
    assert_string_equal(archive->members[1].name, "d");
    assert_string_equal(archive->members[2].name, "a");
    assert_int_equal(archive->members[2].folder, 1);
    assert_memory_equal(archive->members[2].data, "A", 1);
    facet_archive_free(archive);
}

TEST(paths_lead_to_members)
{
    facet_archive *archive = read_archive(tiny, TINY);
    char path[16];
    assert_int_equal(facet_archive_find(archive, FACET_NONE, "bck/b.bck"), 2);
    assert_int_equal(facet_archive_find(archive, FACET_NONE, "/bck//./b.bck"), 2);
    assert_int_equal(facet_archive_find(archive, FACET_NONE, "BCK/B.bck"), 2);
    assert_int_equal(facet_archive_find(archive, 1, "b.bck"), 2);
    assert_int_equal(facet_archive_find(archive, 1, "../a.txt"), 0);
    assert_int_equal(facet_archive_find(archive, 1, "../../a.txt"), FACET_NONE);
    assert_int_equal(facet_archive_find(archive, FACET_NONE, "bck/a.txt"), FACET_NONE);
    assert_int_equal(facet_archive_find(archive, FACET_NONE, "a.txt/b.bck"), FACET_NONE);
    assert_int_equal(facet_archive_find(archive, FACET_NONE, ""), FACET_NONE);
    assert_int_equal(facet_archive_path(archive, 2, path, sizeof path), 9);
    assert_string_equal(path, "bck/b.bck");
    assert_int_equal(facet_archive_path(archive, 2, path, 9), 9);
    facet_archive_free(archive);
}

/* The source of a member finds siblings in the archive. */
TEST(members_find_siblings_in_the_archive)
{
    facet_archive *archive = read_archive(tiny, TINY);
    facet_source source, sibling;
    facet_error error;
    TEST_OK(facet_archive_open(archive, 2, "tiny.arc", NULL, &source, &error), &error);
    assert_string_equal(source.name, "tiny.arc/bck/b.bck");
    assert_int_equal(facet_source_open_sibling(&source, "a.txt", &sibling, &error), FACET_ERROR_IO);
    assert_int_equal(facet_source_open_sibling(&source, "../a.txt", &sibling, &error),
                     FACET_ERROR_IO); /* outside of its folder */
    source.allow_external = true;
    TEST_OK(facet_source_open_sibling(&source, "../a.txt", &sibling, &error), &error);
    assert_memory_equal(sibling.data, "hello", 5);
    facet_source_close(&sibling);
    facet_source_close(&source);
    facet_archive_free(archive);
}

/* -- Writing ------------------------------------------------------------ */

static facet_archive *make_tiny(facet_archive_kind kind)
{
    facet_archive *archive = NULL;
    facet_error error;
    uint32_t folder;
    TEST_OK(facet_archive_create(kind, "tiny", NULL, &archive, &error), &error);
    TEST_OK(facet_archive_append(archive, FACET_NONE, "a.txt", "hello", 5, NULL, &error), &error);
    TEST_OK(facet_archive_append(archive, FACET_NONE, "bck", NULL, 0, &folder, &error), &error);
    TEST_OK(facet_archive_append(archive, folder, "b.bck", "J3D1", 4, NULL, &error), &error);
    return archive;
}

TEST(built_archives_match_the_examples)
{
    facet_archive *archive = make_tiny(FACET_ARCHIVE_RARC);
    assert_written(archive, tiny, TINY);
    facet_archive_free(archive);
    facet_error error;
    uint32_t folder;
    TEST_OK(facet_archive_create(FACET_ARCHIVE_U8, "", NULL, &archive, &error), &error);
    memset(archive->reserved, 0xCC, sizeof archive->reserved);
    TEST_OK(facet_archive_append(archive, FACET_NONE, "b", "B1", 2, NULL, &error), &error);
    TEST_OK(facet_archive_append(archive, FACET_NONE, "d", NULL, 0, &folder, &error), &error);
    TEST_OK(facet_archive_append(archive, folder, "a", "A", 1, NULL, &error), &error);
    assert_written(archive, small_u8, SMALL);
    facet_archive_free(archive);
}

TEST(unchanged_archives_keep_their_bytes)
{
    facet_archive *archive = read_archive(tiny, TINY);
    assert_written(archive, tiny, TINY);
    archive->rearranged = true; /* a new layout is the same */
    assert_written(archive, tiny, TINY);
    facet_archive_free(archive);
    archive = read_archive(small_u8, SMALL);
    assert_written(archive, small_u8, SMALL);
    archive->rearranged = true;
    assert_written(archive, small_u8, SMALL);
    facet_archive_free(archive);
}

/* 33 bytes in place of 5 take 64 of the data area, so the next file moves by 32. */
TEST(replaced_member_moves_the_next_in_rarc)
{
    static const char longer[34] = "thirty-three bytes are one too mu";
    facet_archive *archive = read_archive(tiny, TINY);
    facet_error error;
    TEST_OK(facet_archive_replace(archive, 0, longer, 33, &error), &error);
    facet_output *output = write_archive(archive);
    uint8_t expected[TINY + 32] = {0};
    memcpy(expected, tiny, 0x120);
    expected[0x07] = 0x80; /* the file, */
    expected[0x13] = 0x60; /* its data, */
    expected[0x17] = 0x60; /* the data in MRAM, */
    expected[0x6F] = 33;   /* the file's size, */
    expected[0xBB] = 0x40; /* the offset of the next */
    memcpy(expected + 0x120, longer, 33);
    memcpy(expected + 0x160, "J3D1", 4);
    assert_int_equal(facet_output_size(output), sizeof expected);
    assert_memory_equal(facet_output_data(output), expected, sizeof expected);
    facet_output_free(output);
    /* Replacing it by the original restores the first archive. */
    TEST_OK(facet_archive_replace(archive, 0, "hello", 5, &error), &error);
    assert_written(archive, tiny, TINY);
    facet_archive_free(archive);
}

/* Games believe the flags of a member: they state the compression of new data. */
TEST(replaced_member_states_its_compression)
{
    static const uint8_t yaz0[20] = {'Y', 'a', 'z', '0', 0, 0, 0, 3, [16] = 0xE0, 'a', 'b', 'c'};
    uint8_t expected[TINY];
    facet_archive *archive = read_archive(tiny, TINY);
    facet_error error;
    TEST_OK(facet_archive_replace(archive, 0, yaz0, sizeof yaz0, &error), &error);
    memcpy(expected, tiny, TINY);
    expected[0x64] = 0x95; /* FILE, MRAM, compressed, Yaz0 */
    expected[0x6F] = sizeof yaz0;
    memcpy(expected + 0x120, yaz0, sizeof yaz0);
    assert_written(archive, expected, TINY);
    TEST_OK(facet_archive_replace(archive, 0, "hello", 5, &error), &error);
    assert_written(archive, tiny, TINY);
    facet_archive_free(archive);
}

TEST(replaced_member_moves_the_next_in_u8)
{
    facet_archive *archive = read_archive(small_u8, SMALL);
    facet_error error;
    static const uint8_t bytes[64] = {1};
    TEST_OK(facet_archive_replace(archive, 0, bytes, 64, &error), &error);
    facet_output *output = write_archive(archive);
    assert_int_equal(facet_output_size(output), SMALL + 32);
    assert_int_equal(word_at(output, 0x2C + 8), 64);
    assert_int_equal(word_at(output, 0x2C + 24 + 4), 0xA0);
    assert_memory_equal(facet_output_data(output), small_u8, 0x2C + 8);
    assert_memory_equal(facet_output_data(output) + 0x60, bytes, 64);
    assert_memory_equal(facet_output_data(output) + 0xA0, small_u8 + 0x80, 32);
    facet_output_free(output);
    facet_archive_free(archive);
}

/* Two files share their bytes. A replaced one gets separate bytes at the end, and the other keeps
 * them. Text between files also stays. */
TEST(replaced_member_leaves_shared_bytes)
{
    uint8_t bytes[TINY];
    memcpy(bytes, tiny, TINY);
    bytes[0xB8 + 3] = 0; /* b.bck has the offset of a.txt, */
    bytes[0xBC + 3] = 5; /* and as many bytes */
    memcpy(bytes + 0x125, "This is padding data", 20);
    facet_archive *archive = read_archive(bytes, TINY);
    facet_error error;
    assert_ptr_equal(archive->members[0].data, archive->members[2].data);
    assert_written(archive, bytes, TINY);
    TEST_OK(facet_archive_replace(archive, 2, "12345678", 8, &error), &error);
    facet_output *output = write_archive(archive);
    assert_int_equal(facet_output_size(output), TINY + 32);
    assert_int_equal(word_at(output, 0x04), TINY + 32);
    assert_int_equal(word_at(output, 0xB8), 0x40);
    assert_int_equal(word_at(output, 0xBC), 8);
    assert_memory_equal(facet_output_data(output) + 0x120, bytes + 0x120, 0x40);
    assert_memory_equal(facet_output_data(output) + 0x160, "12345678\0", 9);
    facet_output_free(output);
    facet_archive_free(archive);
}

/* Members that point to the same bytes are stored once. */
TEST(members_with_the_same_bytes_are_stored_once)
{
    facet_archive *archive = make_tiny(FACET_ARCHIVE_RARC);
    archive->members[2].data = archive->members[0].data;
    archive->members[2].size = archive->members[0].size;
    facet_output *output = write_archive(archive);
    assert_int_equal(facet_output_size(output), TINY - 32);
    assert_int_equal(word_at(output, 0xB8), 0);
    facet_output_free(output);
    facet_archive_free(archive);
}

/* The folders: a, b, and c in b. The bytes of each file are its name. */
static facet_archive *make_folders(void)
{
    facet_archive *archive = NULL;
    facet_error error;
    uint32_t a, b, c;
    TEST_OK(facet_archive_create(FACET_ARCHIVE_U8, "root", NULL, &archive, &error), &error);
    TEST_OK(facet_archive_append(archive, FACET_NONE, "a", NULL, 0, &a, &error), &error);
    TEST_OK(facet_archive_append(archive, a, "1", "1", 1, NULL, &error), &error);
    TEST_OK(facet_archive_append(archive, FACET_NONE, "b", NULL, 0, &b, &error), &error);
    TEST_OK(facet_archive_append(archive, b, "c", NULL, 0, &c, &error), &error);
    TEST_OK(facet_archive_append(archive, c, "2", "2", 1, NULL, &error), &error);
    return archive;
}

static void expect_paths(const facet_archive *archive, const char *const *paths, uint32_t count)
{
    char path[32];
    assert_int_equal(archive->member_count, count);
    for (uint32_t i = 0; i < count; i++) {
        facet_archive_path(archive, i, path, sizeof path);
        assert_string_equal(path, paths[i]);
    }
}

/* The files of later folders stay. */
TEST(removed_folder_takes_only_its_own_files)
{
    static const char *const without_a[] = {"b", "b/c", "b/c/2"}, *const without_b[] = {"a", "a/1"},
                             *const without_c[] = {"a", "a/1", "b"};
    facet_error error;
    facet_archive *archive = make_folders();
    TEST_OK(facet_archive_remove(archive, 0, &error), &error);
    expect_paths(archive, without_a, 3);
    facet_archive_free(archive);
    archive = make_folders();
    TEST_OK(facet_archive_remove(archive, 2, &error), &error);
    expect_paths(archive, without_b, 2);
    facet_archive_free(archive);
    archive = make_folders();
    TEST_OK(facet_archive_remove(archive, 3, &error), &error);
    expect_paths(archive, without_c, 3);
    facet_archive_free(archive);
}

/* A new folder is at the end of the folder that contains it, before the next one. */
TEST(added_folder_stays_before_the_next_folder)
{
    static const char *const paths[] = {"a", "a/1", "a/new", "a/new/3", "b", "b/c", "b/c/2", "b/4"};
    facet_archive *archive = make_folders();
    facet_error error;
    TEST_OK(facet_archive_add(archive, "a/new/3", "3", 1, NULL, &error), &error);
    TEST_OK(facet_archive_append(archive, 4, "4", "4", 1, NULL, &error), &error);
    expect_paths(archive, paths, 8);
    TEST_OK(facet_archive_check_order(archive, &error), &error);
    facet_archive_free(archive);
}

/* A new file follows the last file of its folder. Entry 4 becomes 5, and a finding reports this. */
TEST(removing_added_members_restores_the_archive)
{
    facet_archive *archive = read_archive(tiny, TINY);
    facet_error error;
    facet_report *report;
    facet_output *output;
    uint32_t member;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.report = report};
    TEST_OK(facet_archive_add(archive, "B.txt", "x", 1, &member, &error), &error);
    assert_int_equal(member, 1);
    assert_string_equal(archive->members[1].name, "b.txt");
    assert_int_equal(archive->members[3].folder, 2);
    assert_int_equal(facet_archive_find(archive, FACET_NONE, "bck/b.bck"), 3);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_archive_write(archive, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_non_null(test_finding(report, "ARCHIVE-NUMBERS"));
    facet_archive *again =
        read_archive(facet_output_data(output), (size_t)facet_output_size(output));
    assert_int_equal(again->member_count, 4);
    assert_int_equal(again->members[3].id, 5);
    facet_archive_free(again);
    facet_output_free(output);
    facet_report_free(report);
    assert_int_equal(facet_archive_add(archive, "bck/b.bck", "x", 1, NULL, &error),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_archive_add(archive, "a.txt/b", "x", 1, NULL, &error),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_archive_add(archive, "../b", "x", 1, NULL, &error),
                     FACET_ERROR_ARGUMENT);
    /* Add new folders and remove them: this restores the first archive. */
    TEST_OK(facet_archive_add(archive, "new/one/c.bin", "x", 1, &member, &error), &error);
    assert_int_equal(facet_archive_find(archive, FACET_NONE, "new/one/c.bin"), member);
    TEST_OK(facet_archive_remove(archive, member - 2, &error), &error);
    TEST_OK(facet_archive_remove(archive, 1, &error), &error);
    assert_int_equal(archive->member_count, 3);
    assert_written(archive, tiny, TINY);
    facet_archive_free(archive);
}

TEST(rarc_limits_names_and_entries)
{
    facet_archive *archive = make_tiny(FACET_ARCHIVE_RARC);
    facet_error error;
    char name[300];
    memset(name, 'n', sizeof name);
    name[256] = '\0';
    assert_int_equal(facet_archive_append(archive, FACET_NONE, name, "", 0, NULL, &error),
                     FACET_ERROR_LIMIT);
    name[255] = '\0';
    TEST_OK(facet_archive_append(archive, FACET_NONE, name, "", 0, NULL, &error), &error);
    facet_archive_free(archive);
    /* At most 0xFFFE entries, including "." and "..". */
    TEST_OK(facet_archive_create(FACET_ARCHIVE_RARC, "r", NULL, &archive, &error), &error);
    for (int i = 0; i < 0xFFFC; i++)
        TEST_OK(facet_archive_append(archive, FACET_NONE, "f", "", 0, NULL, &error), &error);
    facet_output_free(write_archive(archive));
    TEST_OK(facet_archive_append(archive, FACET_NONE, "f", "", 0, NULL, &error), &error);
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_archive_write(archive, NULL, output, &error), FACET_ERROR_LIMIT);
    facet_output_free(output);
    archive->members[3].folder = 2; /* the parent must be a folder before it */
    assert_int_equal(facet_archive_write(archive, NULL, output, &error), FACET_ERROR_ARGUMENT);
    facet_archive_free(archive);
}

/* -- Rules -------------------------------------------------------------- */

/* Check that the archive with one changed byte breaks only this rule. */
static int severity_of(const uint8_t *data, size_t size, size_t at, uint8_t value, const char *rule)
{
    uint8_t bytes[TINY];
    facet_report *report;
    facet_error error;
    memcpy(bytes, data, size);
    bytes[at] = value;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_archive_check(TEST_SOURCE(bytes, size), NULL, report, &error), &error);
    const facet_finding *finding = test_finding(report, rule);
    if (!finding)
        fail_msg("byte %zx as %x does not break %s", at, value, rule);
    int severity = finding ? (int)finding->severity : -1;
    facet_report_free(report);
    return severity;
}

TEST(changed_rarc_bytes_break_their_rule)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *rule;
    } faults[] = {
        {0x0B, 0x40, "AR10"},  /* a header of 64 bytes */
        {0x25, 0x01, "AR10"},  /* nodes past the end */
        {0x2D, 0x01, "AR10"},  /* entries */
        {0x35, 0x01, "AR10"},  /* strings */
        {0x0D, 0x01, "AR10"},  /* data */
        {0x07, 0x80, "AR11"},  /* 32 bytes more than the file has */
        {0x5F, 0x05, "AR12"},  /* entries 5 to 7 of 7 */
        {0x4B, 0x05, "AR12"},  /* entries 0 to 4; the last belongs also to the other node */
        {0x47, 0x20, "AR13"},  /* the root's name is at the end of the string table */
        {0x67, 0x20, "AR13"},  /* a.txt's name */
        {0x62, 0x00, "AR14"},  /* the hash of a.txt */
        {0x48, 0x00, "AR14"},  /* the hash of the root */
        {0x10A, 'A', "AR15"},  /* A.txt */
        {0x50, 'X', "AR16"},   /* "XCK " */
        {0x6D, 0x01, "AR17"},  /* 64 KiB of a.txt */
        {0x13, 0x20, "AR17"},  /* half of the data area */
        {0xBB, 0x24, "AR18"},  /* b.bck 4 bytes later */
        {0x7F, 0x02, "AR19"},  /* bck is node 2 */
        {0x7F, 0x00, "AR19"},  /* bck is the root */
        {0x78, 0x01, "AR19"},  /* bck is a file, so node 1 is in no folder */
        {0x93, 1, "AR20"},     /* "." is another node */
        {0x64, 0x01, "AR21"},  /* a file in no memory */
        {0x64, 0x31, "AR21"},  /* or in two */
        {0x64, 0x95, "AR22"},  /* a.txt compressed */
        {0xB1, 0x05, "AR23"},  /* b.bck is 5 */
        {0x17, 0x20, "AR25"},  /* half of MRAM */
        {0x17, 0x60, "AR25"},  /* more than MRAM */
        {0x130, 0x01, "AR28"}, /* after "hello" */
        {0x10B, '/', "AR29"},  /* "a/txt" */
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        severity_of(tiny, TINY, faults[i].at, faults[i].value, faults[i].rule);
    /* Games find a folder by its entry, so the hash of its node is not checked. */
    assert_int_equal(severity_of(tiny, TINY, 0x62, 0x00, "AR14"), FACET_SEVERITY_ERROR);
    assert_int_equal(severity_of(tiny, TINY, 0x48, 0x00, "AR14"), FACET_SEVERITY_WARNING);
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_archive_check(TEST_SOURCE(tiny, TINY), NULL, report, &error), &error);
    assert_int_equal(facet_report_count(report), 0);
    TEST_OK(facet_archive_check(TEST_SOURCE(small_u8, SMALL), NULL, report, &error), &error);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
}

static void expect_findings(const facet_archive *archive, const char *rule)
{
    facet_output *output = write_archive(archive);
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_archive_check(
                TEST_SOURCE(facet_output_data(output), (size_t)facet_output_size(output)), NULL,
                report, &error),
            &error);
    if (!test_finding(report, rule))
        fail_msg("%s is not found", rule);
    facet_report_free(report);
    facet_output_free(output);
}

TEST(members_break_their_rules)
{
    facet_archive *archive = make_tiny(FACET_ARCHIVE_RARC);
    facet_error error;
    uint32_t folder;
    TEST_OK(facet_archive_append(archive, FACET_NONE, "a.txt", "", 0, NULL, &error), &error);
    expect_findings(archive, "AR26");
    TEST_OK(facet_archive_append(archive, FACET_NONE, "bckx", NULL, 0, NULL, &error), &error);
    TEST_OK(facet_archive_append(archive, FACET_NONE, "bckxanm", NULL, 0, NULL, &error), &error);
    expect_findings(archive, "AR27"); /* both are BCKX */
    facet_archive_free(archive);
    archive = make_tiny(FACET_ARCHIVE_RARC);
    archive->synced = false;
    archive->members[0].id = 3;
    archive->members[2].id = 3;
    expect_findings(archive, "AR24");
    TEST_OK(facet_archive_append(archive, FACET_NONE, "btk", NULL, 0, &folder, &error), &error);
    TEST_OK(facet_archive_append(archive, folder, "a.btk", "", 0, NULL, &error), &error);
    TEST_OK(facet_archive_append(archive, FACET_NONE, "bdl", NULL, 0, &folder, &error), &error);
    TEST_OK(facet_archive_append(archive, folder, "a.bdl", "", 0, NULL, &error), &error);
    expect_findings(archive, "AR32");
    facet_archive_free(archive);
    archive = make_tiny(FACET_ARCHIVE_U8);
    TEST_OK(facet_archive_append(archive, FACET_NONE, "..", "", 0, NULL, &error), &error);
    expect_findings(archive, "AR29");
    facet_archive_free(archive);
}

TEST(changed_u8_bytes_break_their_rule)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *rule;
    } faults[] = {
        {0x07, 0x80, "AR30"}, /* nodes at 80 */
        {0x2B, 0x09, "AR30"}, /* nine nodes */
        {0x20, 0x00, "AR30"}, /* the root is a file */
        {0x2C, 0x02, "AR30"}, /* neither file nor folder */
        {0x33, 0xA0, "AR30"}, /* b past the end */
        {0x43, 0x05, "AR30"}, /* d ends after the root */
        {0x43, 0x02, "AR30"}, /* or at its beginning */
        {0x3F, 0x01, "AR30"}, /* its parent is b */
        {0x33, 0x64, "AR31"}, /* b 4 bytes later */
        {0x2F, 0x20, "AR13"}, /* its name */
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        (void)severity_of(small_u8, SMALL, faults[i].at, faults[i].value, faults[i].rule);
}

static void expect_stream_rule(const uint8_t *data, size_t size, const char *rule)
{
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_compression_check(TEST_SOURCE(data, size), NULL, report, &error), &error);
    if (!test_finding(report, rule))
        fail_msg("%zu bytes do not break %s", size, rule);
    facet_report_free(report);
}

/* A literal and a run of 17: 22 bytes, and the bytes that may follow. */
TEST(bytes_after_a_stream_are_reported)
{
    uint8_t bytes[96] = {'Y', 'a', 'z', '0', 0, 0, 0, 18, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 7, 0xF0, 0};
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_compression_check(TEST_SOURCE(bytes, 32), NULL, report, &error), &error);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
    expect_stream_rule(bytes, 19, "AR02");
    expect_stream_rule(bytes, 20, "AR07"); /* not a multiple of 32 */
    expect_stream_rule(bytes, 96, "AR06"); /* 76 zeros */
    bytes[25] = 1;
    expect_stream_rule(bytes, 32, "AR06");
    bytes[25] = 0;
    bytes[10] = 0x20; /* an alignment of 8192 */
    expect_stream_rule(bytes, 32, "AR05");
}

/* -- Untrusted bytes ---------------------------------------------------- */

static void attempt(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_archive *archive = NULL;
    facet_report *report = NULL;
    facet_description *description = NULL;
    facet_output *output = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_archive_check(TEST_SOURCE(data, size), NULL, report, NULL);
    facet_report_free(report);
    if (facet_describe(TEST_SOURCE(data, size), facet_format_named("rarc"), NULL, &description,
                       NULL) == FACET_OK)
        facet_description_free(description);
    if (facet_archive_read(TEST_SOURCE(data, size), NULL, &archive, NULL))
        return;
    for (uint32_t i = 0; i < archive->member_count; i++) {
        if (!(archive->members[i].flags & FACET_ARCHIVE_FOLDER) && i % 2 == 0)
            facet_archive_replace(archive, i, "other", 5, NULL);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(facet_output_open_memory(NULL, &output, NULL), FACET_OK);
        facet_archive_write(archive, NULL, output, NULL);
        facet_output_free(output);
        archive->rearranged = true;
    }
    facet_archive_free(archive);
}

TEST(archives_survive_any_byte_change)
{
    test_every_mutation(tiny, TINY, attempt, NULL);
    test_every_mutation(small_u8, SMALL, attempt, NULL);
}

static facet_status read_and_write(const facet_allocator *allocator, void *user)
{
    const facet_source *source = user;
    facet_options options = {.allocator = allocator};
    facet_archive *archive = NULL;
    facet_output *output = NULL;
    facet_report *report = NULL;
    facet_status status = facet_report_create(allocator, &report, NULL);
    if (!status)
        status = facet_archive_check(source, &options, report, NULL);
    if (!status)
        status = facet_archive_read(source, &options, &archive, NULL);
    if (!status)
        status = facet_archive_add(archive, "new/file", "x", 1, NULL, NULL);
    if (!status)
        status = facet_output_open_memory(allocator, &output, NULL);
    if (!status)
        status = facet_archive_write(archive, &options, output, NULL);
    facet_output_free(output);
    facet_archive_free(archive);
    facet_report_free(report);
    return status;
}

TEST(archives_report_failed_allocations)
{
    facet_source one = {.data = tiny, .size = TINY}, other = {.data = small_u8, .size = SMALL};
    test_every_allocation(read_and_write, &one);
    test_every_allocation(read_and_write, &other);
}

/* Seconds to read and check an archive of `count` equal names, and to find a name in it. */
static double time_of(int count)
{
    facet_archive *archive = NULL;
    facet_error error;
    facet_report *report;
    TEST_OK(facet_archive_create(FACET_ARCHIVE_U8, "r", NULL, &archive, &error), &error);
    for (int i = 0; i < count; i++)
        TEST_OK(facet_archive_append(archive, FACET_NONE, "same", "x", 1, NULL, &error), &error);
    facet_output *output = write_archive(archive);
    facet_archive_free(archive);
    facet_source source = {.data = facet_output_data(output),
                           .size = (size_t)facet_output_size(output)};
    clock_t begin = clock();
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_archive_check(&source, NULL, report, &error), &error);
    archive = read_archive(source.data, source.size);
    assert_int_equal(facet_archive_find(archive, FACET_NONE, "same"), 0);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    facet_archive_free(archive);
    facet_report_free(report);
    facet_output_free(output);
    return seconds;
}

/* Eight times the names are about eight times the work, not 64 times. */
TEST(archive_of_equal_names_takes_linear_time)
{
    double few = time_of(20000), many = time_of(160000);
    assert_true(many < 30 * few + 0.05);
}
