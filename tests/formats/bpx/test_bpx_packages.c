/* BPX: packages, files of unknown version, and real files. */
#include "support/bpx_files.h"

#include <facet/facet.h>
#include <stdio.h>

/* -- Packages ----------------------------------------------------------- */

static facet_status expect_file(void *user, const char *name, const void *data, size_t size,
                                facet_error *error)
{
    (void)error;
    assert_string_equal(name, "folder/file.txt");
    assert_int_equal(size, 3000);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(((const uint8_t *)data)[i], 'x');
    ++*(int *)user;
    return FACET_OK;
}

TEST(files_run_through_sections)
{
    for (uint32_t version = 1; version <= 2; version++) {
        bytes file = package(version, "folder/file.txt", 3000);
        facet_error error;
        facet_report *report = check_bytes(file.data, file.size);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
        facet_report_free(report);
        int count = 0;
        facet_extractor extractor = {expect_file, &count};
        facet_source source = source_of_bytes(file.data, file.size);
        TEST_OK(facet_extract(&source, NULL, NULL, &extractor, &error), &error);
        assert_int_equal(count, 1);
        facet_description *description;
        TEST_OK(facet_describe(&source, NULL, NULL, &description, &error), &error);
        const facet_tree *files = facet_tree_find(description->detail, "files");
        assert_string_equal(facet_tree_find(files->first, "name")->string, "folder/file.txt");
        assert_int_equal(facet_tree_find(files->first, "bytes")->integer, 3000);
        facet_description_free(description);
        drop(&file);
    }
}

/* Sizes and offsets that are not in the sections. */
TEST(packages_that_lie_are_refused)
{
    static const struct {
        size_t at; /* in the table of version 2, after "n\0" */
        uint64_t value;
        int size;
    } lies[] = {{0, 100, 8}, {0, UINT64_MAX, 8}, {8, 2, 4}, {12, 1, 4}, {12, 9, 4}, {16, 21, 4}};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        bytes file = package(2, "n", 60);
        facet_error error;
        size_t taken = 0;
        facet_extractor extractor = {add_size, &taken};
        set_number(&file, 40 + 4 * 24 + 2 + lies[i].at, lies[i].value, lies[i].size);
        facet_source source = source_of_bytes(file.data, file.size);
        facet_status status = facet_extract(&source, NULL, NULL, &extractor, &error);
        assert_true(status == FACET_ERROR_MALFORMED || status == FACET_ERROR_LIMIT);
        assert_true(*error.rule != '\0');
        /* Sizes, and the offset of the bytes; the third is the offset of the name. */
        if (i != 2)
            assert_string_equal(error.rule, "BPX-P-SIZE");
        assert_int_equal(taken, 0);
        drop(&file);
    }
}

/* -- Detection of the version ------------------------------------------ */

/* A container of version 0 whose extension looks like "version 1". Its table is also valid as one
 * of version 1: three empty sections. A written file is recognized as what it is; without its
 * checksum it is not. */
TEST(extensions_that_look_like_versions)
{
    facet_error error;
    facet_output *output;
    facet_bpx_contents sections[3] = {{.plain = true}, {.plain = true}, {.plain = true}};
    facet_bpx made = {.type = 'P', .extension = {0, 1}, .sections = sections};
    facet_bpx_layout bpx;
    for (uint32_t count = 0; count <= 3; count++) {
        made.section_count = count;
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_OK(facet_bpx_write(&made, NULL, output, &error), &error);
        TEST_OK(facet_output_commit(output, &error), &error);
        TEST_OK(facet_bpx_view(facet_output_data(output), (size_t)facet_output_size(output), &bpx,
                               &error),
                &error);
        assert_int_equal(bpx.revision, FACET_BPX_0A);
        assert_int_equal(bpx.section_count, count);
        TEST_OK(facet_bpx_verify(&bpx, &error), &error);
        facet_output_free(output);
    }
    /* A file of version 1 is still recognized with a wrong checksum. */
    bytes file = package(1, "n", 60);
    for (int broken = 0; broken < 2; broken++) {
        TEST_OK(facet_bpx_view(file.data, file.size, &bpx, &error), &error);
        assert_int_equal(bpx.revision, FACET_BPX_1);
        file.data[4] ^= 1;
    }
    drop(&file);
}
