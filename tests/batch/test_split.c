/* A tar is split into the same samples for any partition of its bytes. A truncated tar never
 * returns its last sample. */
#include "batch/split.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct seen {
    char paths[256]; /* of all samples: "a b;c;" */
    size_t samples;
} seen;

static facet_status take(void *user, cli_tar_bytes *sample, facet_error *error)
{
    seen *s = user;
    facet_archive *archive = NULL;
    facet_source source = facet_source_from_memory(sample->data, sample->size, "sample");
    facet_status status = facet_archive_read(&source, NULL, &archive, error);
    for (uint32_t i = 0; !status && i < archive->member_count; i++) {
        size_t used = strlen(s->paths);
        if (!(archive->members[i].flags & FACET_ARCHIVE_FOLDER)) {
            facet_archive_path(archive, i, s->paths + used, sizeof s->paths - used);
            strcat(s->paths, " ");
        }
    }
    strcat(s->paths, ";");
    s->samples++;
    facet_archive_free(archive);
    return status;
}

static facet_status split_in(const cli_tar_bytes *tar, size_t size, size_t piece, cli_split_by by,
                             seen *found)
{
    facet_status status = FACET_OK;
    *found = (seen){0};
    cli_split split = {.limit = UINT64_MAX, .by = by, .take = take, .user = found};
    for (size_t at = 0; at < size && !status; at += piece)
        status =
            cli_split_feed(&split, tar->data + at, size - at < piece ? size - at : piece, NULL);
    if (!status)
        status = cli_split_end(&split, NULL);
    cli_split_free(&split);
    return status;
}

/* Five files. The second has two blocks of data, the third none, and the name of the fifth does not
 * fit into a header. */
static cli_tar_bytes five_files(void)
{
    static const uint8_t data[513], zeros[2 * CLI_TAR_BLOCK];
    cli_tar_bytes tar = {0};
    char name[140];
    memset(name, 'n', sizeof name);
    memcpy(name + sizeof name - 5, ".obj", 5);
    assert_true(cli_tar_add(&tar, "d/1.obj", data, 1));
    assert_true(cli_tar_add(&tar, "d/1.side.png", data, 513));
    assert_true(cli_tar_add(&tar, "d/2.obj", data, 0));
    assert_true(cli_tar_add(&tar, "e/2.obj", data, 512));
    assert_true(cli_tar_add(&tar, name, data, 1));
    assert_true(cli_tar_append(&tar, zeros, sizeof zeros));
    return tar;
}

TEST(samples_are_the_same_in_pieces_of_each_size)
{
    cli_tar_bytes tar = five_files();
    static const size_t pieces[] = {1, 7, 511, 512, 513, 4096, 1 << 20};
    seen found;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        assert_int_equal(split_in(&tar, tar.size, pieces[i], CLI_SPLIT_BY_STEM, &found), FACET_OK);
        assert_int_equal(found.samples, 4);
        assert_memory_equal(found.paths, "d/1.obj d/1.side.png ;d/2.obj ;e/2.obj ;nnn", 42);
        assert_int_equal(split_in(&tar, tar.size, pieces[i], CLI_SPLIT_BY_FOLDER, &found),
                         FACET_OK);
        assert_int_equal(found.samples, 3);
        assert_memory_equal(found.paths, "d/1.obj d/1.side.png d/2.obj ;e/2.obj ;nnn", 41);
    }
    cli_tar_free(&tar);
}

TEST(a_truncated_tar_does_not_return_its_last_sample)
{
    cli_tar_bytes tar = five_files();
    seen found;
    /* The end is recognized from its first block of zeros on. */
    for (size_t size = 1; size <= tar.size - CLI_TAR_BLOCK; size++) {
        facet_status status = split_in(&tar, size, 300, CLI_SPLIT_BY_STEM, &found);
        bool whole = size == tar.size - CLI_TAR_BLOCK;
        assert_int_equal(status, whole ? FACET_OK : FACET_ERROR_MALFORMED);
        assert_in_range(found.samples, whole ? 4 : 0, whole ? 4 : 3);
    }
    cli_tar_free(&tar);
}

TEST(a_changed_header_ends_the_samples)
{
    cli_tar_bytes tar = five_files();
    seen found;
    for (size_t at = 0; at < CLI_TAR_BLOCK; at++) {
        if (at >= 148 && at < 156) /* the checksum itself, whose blanks may differ */
            continue;
        tar.data[at] ^= 1;
        assert_int_equal(split_in(&tar, tar.size, 4096, CLI_SPLIT_BY_STEM, &found),
                         FACET_ERROR_MALFORMED);
        tar.data[at] ^= 1;
    }
    cli_tar_free(&tar);
}

/* Append a header with this data. `size` is the size in the header. */
static void add_raw(cli_tar_bytes *tar, char type, const char *name, uint64_t size,
                    const char *data)
{
    uint8_t blocks[2 * CLI_TAR_BLOCK] = {0};
    unsigned sum = 0;
    strcpy((char *)blocks, name);
    snprintf((char *)blocks + 124, 12, "%011llo", (unsigned long long)size);
    memset(blocks + 148, ' ', 8);
    blocks[156] = (uint8_t)type;
    memcpy(blocks + 257, "ustar\00000", 8);
    for (size_t i = 0; i < CLI_TAR_BLOCK; i++)
        sum += blocks[i];
    snprintf((char *)blocks + 148, 8, "%06o", sum);
    memcpy(blocks + CLI_TAR_BLOCK, data, strlen(data));
    assert_true(cli_tar_append(tar, blocks, *data ? sizeof blocks : CLI_TAR_BLOCK));
}

static facet_status split_whole(cli_tar_bytes *tar, seen *found, facet_error *error)
{
    static const uint8_t zeros[2 * CLI_TAR_BLOCK];
    assert_true(cli_tar_append(tar, zeros, sizeof zeros));
    *found = (seen){0};
    cli_split split = {.limit = UINT64_MAX, .take = take, .user = found};
    facet_status status = cli_split_feed(&split, tar->data, tar->size, error);
    if (!status)
        status = cli_split_end(&split, error);
    cli_split_free(&split);
    cli_tar_free(tar);
    return status;
}

/* pax, "size": it replaces the header's size, which is at most 8 GiB. */
TEST(a_pax_size_replaces_that_of_the_header)
{
    cli_tar_bytes tar = {0};
    seen found;
    add_raw(&tar, 'x', "pax", 9, "9 size=5\n");
    add_raw(&tar, '0', "a.obj", 0, "12345");
    add_raw(&tar, '0', "b.obj", 1, "1");
    assert_int_equal(split_whole(&tar, &found, NULL), FACET_OK);
    assert_string_equal(found.paths, "a.obj ;b.obj ;");
}

TEST(a_global_pax_record_keeps_the_path_of_a_file)
{
    cli_tar_bytes tar = {0};
    seen found;
    add_raw(&tar, 'x', "pax", 14, "14 path=b.obj\n");
    add_raw(&tar, 'g', "pax", 12, "12 comment=\n");
    add_raw(&tar, '0', "a.obj", 1, "1");
    assert_int_equal(split_whole(&tar, &found, NULL), FACET_OK);
    assert_string_equal(found.paths, "b.obj ;");
}

TEST(an_error_in_a_member_gives_its_offset_in_the_tar)
{
    cli_tar_bytes tar = {0};
    seen found;
    facet_error error = {0};
    add_raw(&tar, '0', "a.obj", 1, "1");
    add_raw(&tar, 'S', "b.obj", 1, "1"); /* sparse; after a header and a block */
    assert_int_equal(split_whole(&tar, &found, &error), FACET_ERROR_UNSUPPORTED);
    assert_int_equal(error.offset, 2 * CLI_TAR_BLOCK);
}

TEST(a_folder_in_the_old_form_is_not_a_link)
{
    cli_tar_bytes tar = {0};
    seen found = {0};
    add_raw(&tar, '0', "d/", 0, "");
    cli_split split = {.limit = UINT64_MAX, .take = take, .user = &found};
    assert_int_equal(cli_split_feed(&split, tar.data, tar.size, NULL), FACET_OK);
    assert_int_equal(split.links, 0);
    cli_split_free(&split);
    cli_tar_free(&tar);
}
