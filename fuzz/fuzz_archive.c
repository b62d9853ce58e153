/* fuzz/fuzz_archive.c - harness for compressed streams and archives. An input is rejected with a
 * message, or what is read can be written and is then the same. */
#include "archive/codec.h"
#include "archive/describe.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/tree.h"
#include <facet/archive.h>
#include <facet/convert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition)
{
    if (!condition)
        abort();
}

static facet_options limited(void)
{
    facet_options options = {0};
    options.memory_limit = (uint64_t)1 << 26;
    return options;
}

/* -- Compression -------------------------------------------------------- */

static void compress(const uint8_t *data, size_t size, unsigned how)
{
    facet_output *output = NULL;
    size_t plain = 0;
    expect(facet_output_open_memory(NULL, &output, NULL) == FACET_OK);
    expect(facet_compress(data, size, how & 1 ? FACET_COMPRESSION_YAZ0 : FACET_COMPRESSION_YAY0,
                          (facet_compression_effort)(how / 2 % 3), how & 8 ? 32 : 1, NULL, output,
                          NULL) == FACET_OK);
    expect(facet_output_commit(output, NULL) == FACET_OK);
    const uint8_t *stream = facet_output_data(output);
    size_t length = (size_t)facet_output_size(output);
    expect(facet_decompressed_size(stream, length, &plain, NULL) == FACET_OK && plain == size);
    uint8_t *back = malloc(size);
    expect(back && facet_decompress(stream, length, back, size, NULL) == FACET_OK);
    expect(memcmp(back, data, size) == 0);
    free(back);
    facet_output_free(output);
}

static void decompress(const uint8_t *data, size_t size)
{
    size_t plain = 0;
    facet_error error = {0};
    if (facet_decompressed_size(data, size, &plain, &error) || plain > (size_t)1 << 24)
        return;
    uint8_t *out = malloc(plain);
    expect(out != NULL);
    if (facet_decompress(data, size, out, plain, &error))
        expect(error.rule[0] != '\0' && error.message[0] != '\0');
    free(out);
}

/* gzip and similar formats. The size of decoded data is bounded. */
static void unpack(const uint8_t *data, size_t size)
{
    facet_options options = limited();
    facet_arena *arena = NULL;
    facet_layers layers;
    facet_error error = {0};
    size_t stored = size;
    expect(facet_arena_create(&options, &arena, NULL) == FACET_OK);
    if (facet_layers_decode(arena, NULL, &data, &size, &layers, &error))
        expect(error.message[0] != '\0');
    else if (layers.count > 0 && layers.each[0].codec && layers.each[0].codec->decode)
        expect(size <= (size_t)1 << 20 || size / 1032 <= stored);
    facet_arena_free(arena);
}

/* -- Archives ----------------------------------------------------------- */

static bool is_file(const facet_archive_member *member)
{
    return !(member->flags & FACET_ARCHIVE_FOLDER);
}

/* Expect the members of `a` and their bytes, including replaced ones, in the written archive. */
static void expect_same(const facet_archive *a, const facet_output *written)
{
    facet_archive *b = NULL;
    facet_source source = facet_source_from_memory(facet_output_data(written),
                                                   (size_t)facet_output_size(written), NULL);
    expect(facet_archive_read(&source, NULL, &b, NULL) == FACET_OK);
    expect(a->member_count == b->member_count);
    for (uint32_t i = 0; i < a->member_count; i++) {
        const facet_archive_member *x = &a->members[i], *y = &b->members[i];
        expect(strcmp(x->name, y->name) == 0 && x->folder == y->folder && x->size == y->size);
        expect(!is_file(x) || memcmp(x->data, y->data, x->size) == 0);
    }
    facet_archive_free(b);
}

static void write(const facet_archive *archive)
{
    facet_output *output = NULL;
    facet_options options = limited();
    facet_error error = {0};
    expect(facet_output_open_memory(NULL, &output, NULL) == FACET_OK);
    facet_status status = facet_archive_write(archive, &options, output, &error);
    expect(status == FACET_OK || error.message[0] != '\0');
    if (status == FACET_OK && facet_output_commit(output, NULL) == FACET_OK)
        expect_same(archive, output);
    facet_output_free(output);
}

static void change(facet_archive *archive, unsigned how)
{
    static const uint8_t other[100] = {1, 2, 3};
    for (uint32_t i = how % 7; i < archive->member_count; i += 7) {
        if (is_file(&archive->members[i]))
            facet_archive_replace(archive, i, other, how % 101, NULL);
    }
    write(archive);
    archive->rearranged = true;
    write(archive);
    facet_archive_add(archive, "new/name", other, 10, NULL, NULL);
    if (archive->member_count > 0)
        facet_archive_remove(archive, how % archive->member_count, NULL);
    write(archive);
}

static void open_members(const facet_archive *archive)
{
    facet_options options = limited();
    for (uint32_t i = 0; i < archive->member_count && i < 100; i++) {
        facet_source source, sibling;
        facet_error error = {0};
        char path[600];
        facet_archive_path(archive, i, path, sizeof path);
        if (facet_archive_open(archive, i, "a", &options, &source, &error)) {
            expect(error.message[0] != '\0');
            continue;
        }
        if (facet_source_open_sibling(&source, "a.mtl", &sibling, NULL) == FACET_OK)
            facet_source_close(&sibling);
        facet_source_close(&source);
    }
    facet_archive_find(archive, FACET_NONE, "./a/../b/c.bdl");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_source source = facet_source_from_memory(data, size, "a.arc");
    facet_options options = limited();
    facet_archive *archive = NULL;
    facet_report *report = NULL;
    facet_description *description = NULL;
    facet_error error = {0};
    if (size == 0)
        return 0;
    decompress(data, size);
    unpack(data, size);
    if (size < 1 << 14)
        compress(data, size, data[size - 1]);
    expect(facet_report_create(NULL, &report, NULL) == FACET_OK);
    /* Skip assimp: its own errors are not tested here. */
    const facet_format *format = facet_format_probe(&source);
    if (format && strcmp(facet_format_name(format), "assimp") != 0)
        facet_check(&source, format, &options, report, NULL);
    facet_archive_check(&source, &options, report, NULL);
    facet_compression_check(&source, &options, report, NULL);
    facet_report_free(report);
    if (facet_description_make(&source, &options, facet_archive_fill_description, &description,
                               NULL) == FACET_OK)
        facet_description_free(description);
    if (facet_archive_read(&source, &options, &archive, &error)) {
        expect(error.message[0] != '\0');
        return 0;
    }
    open_members(archive);
    if (archive->kind != FACET_ARCHIVE_ZIP) {
        write(archive);
        change(archive, data[size - 1]);
    }
    facet_archive_free(archive);
    return 0;
}
