/* gzip, bzip2, xz, zstd and LZ4: streams of the codecs' programs decoded, truncated, damaged and
 * concatenated; Facet's streams decoded again; limits. */
#include "archive/codec.h"
#include "base/arena.h"
#include "support/iqm.h"
#include "support/support.h"

#include <facet/archive.h>
#include <facet/convert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Streams of the programs -------------------------------------------- */

static const char plain[] = "hello, hello, hello, hello\n";

/* Output of "gzip -n", "bzip2", "xz", "zstd" and "lz4" for that text. */
static const char gzip_hex[] = "1f8b0800000000000003cb48cdc9c9d751c8c0a4b8004b21a1291b000000";
static const char bzip2_hex[] =
    "425a68393141592653593d595d730000075100001040040244a000310c0092189796"
    "280d38140f1772453850903d595d73";
static const char xz_hex[] =
    "fd377a585a000004e6d6b4460200210116000000742fe5a3e0001a000e5d00341949ee8def8c8a713c097b000000"
    "00008da5c46bcb90a32300012a1befb088c51fb6f37d010000000004595a";
static const char zstd_hex[] = "28b52ffd241b7500004068656c6c6f2c200a01004a8a11f0977b2a";
/* The same without the size, as from a pipe. */
static const char zstd_pipe_hex[] = "28b52ffd04587500004068656c6c6f2c200a01004a8a11f0977b2a";
static const char lz4_hex[] =
    "04224d186440a7100000007b68656c6c6f2c20070050656c6c6f0a000000004d6e79d3";

enum { SPACE = 512 };
typedef struct bytes {
    uint8_t data[SPACE];
    size_t size;
} bytes;

static void append(bytes *to, const char *hex)
{
    char pair[3] = {0};
    for (; *hex; hex += 2) {
        memcpy(pair, hex, 2);
        to->data[to->size++] = (uint8_t)strtoul(pair, NULL, 16);
    }
}

/* -- Decoding ----------------------------------------------------------- */

/* Decode and compare with `times` copies of the text. */
static facet_status decode(const uint8_t *data, size_t size, size_t times, facet_error *error)
{
    facet_arena *arena = NULL;
    facet_layers layers;
    assert_int_equal(facet_arena_create(NULL, &arena, NULL), FACET_OK);
    facet_status status = facet_layers_decode(arena, NULL, &data, &size, &layers, error);
    if (!status) {
        assert_int_equal(size, times * (sizeof plain - 1));
        for (size_t i = 0; i < times; i++)
            assert_memory_equal(data + i * (sizeof plain - 1), plain, sizeof plain - 1);
    }
    facet_arena_free(arena);
    return status;
}

static void expect_streams(const facet_codec *codec, const char *hex)
{
    facet_error error = {0};
    bytes b = {0};
    if (!codec->decode)
        skip();
    append(&b, hex);
    size_t one = b.size;
    assert_ptr_equal(facet_codec_of(b.data, b.size), codec);
    TEST_OK(decode(b.data, b.size, 1, &error), &error);
    append(&b, hex);
    TEST_OK(decode(b.data, b.size, 2, &error), &error);

    /* Every prefix that is recognized as a stream is reported as truncated. */
    for (size_t size = 0; size < one; size++) {
        uint8_t *exact = malloc(size + 1);
        assert_non_null(exact);
        memcpy(exact, b.data, size);
        if (facet_codec_of(exact, size)) {
            assert_int_equal(decode(exact, size, 1, &error), FACET_ERROR_MALFORMED);
            assert_string_equal(error.rule, "AR36");
            assert_int_equal(error.offset, size);
        }
        free(exact);
    }
    /* A second stream that is truncated, and bytes that are not a stream. */
    assert_int_equal(decode(b.data, b.size - 1, 2, &error), FACET_ERROR_MALFORMED);
    assert_int_equal(error.offset, b.size - 1);
    memcpy(b.data + one, "tail", 4);
    assert_int_equal(decode(b.data, one + 4, 1, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "AR36");
    assert_int_equal(error.offset, one);
}

/* After a skippable frame of four bytes (RFC 8878, 3.1.2; LZ4 Frame Format, "Skippable Frames"),
 * and an empty one with another number. */
static void expect_skipped(const facet_codec *codec, const char *hex)
{
    char longer[2 * SPACE];
    snprintf(longer, sizeof longer, "502a4d180400000001020304%s%s", "5f2a4d1800000000", hex);
    expect_streams(codec, longer);
}

/* A checksum detects a changed byte. The bytes before `first` have no meaning (gzip's time and
 * system). */
static void expect_damage_is_found(const char *hex, size_t first)
{
    facet_error error = {0};
    bytes b = {0};
    append(&b, hex);
    for (size_t i = first; i < b.size; i++) {
        b.data[i] ^= 0x55;
        facet_status status = decode(b.data, b.size, 1, &error);
        assert_true(status == FACET_ERROR_MALFORMED || status == FACET_ERROR_LIMIT);
        assert_true(error.offset <= b.size);
        b.data[i] ^= 0x55;
    }
}

/* -- Encoding ----------------------------------------------------------- */

static const facet_compression_effort efforts[] = {FACET_COMPRESSION_OFFICIAL,
                                                   FACET_COMPRESSION_FAST, FACET_COMPRESSION_BEST};

static facet_output *encode(const facet_codec *codec, const uint8_t *data, size_t size,
                            facet_compression_effort effort)
{
    facet_error error = {0};
    facet_output *output = NULL;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(codec->encode(data, size, effort, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static void expect_round_trip(const facet_codec *codec, const uint8_t *data, size_t size)
{
    facet_error error = {0};
    for (size_t i = 0; i < sizeof efforts / sizeof *efforts; i++) {
        facet_output *once = encode(codec, data, size, efforts[i]),
                     *twice = encode(codec, data, size, efforts[i]);
        const uint8_t *stream = facet_output_data(once);
        size_t length = (size_t)facet_output_size(once);
        assert_int_equal(length, facet_output_size(twice));
        assert_memory_equal(stream, facet_output_data(twice), length);
        facet_arena *arena = NULL;
        facet_layers layers;
        TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
        TEST_OK(facet_layers_decode(arena, NULL, &stream, &length, &layers, &error), &error);
        assert_int_equal(layers.count, 1);
        assert_ptr_equal(layers.each[0].codec, codec);
        assert_int_equal(length, size);
        if (size > 0)
            assert_memory_equal(stream, data, size);
        facet_arena_free(arena);
        facet_output_free(once);
        facet_output_free(twice);
    }
}

/* No bytes, one byte, and more than the largest block of the format: noise, most of which repeats
 * the bytes 4,096 before it. */
static void expect_round_trips(const facet_codec *codec, size_t block)
{
    size_t size = block + block / 8 + 3;
    uint8_t *data = malloc(size);
    uint32_t state = 1;
    assert_non_null(data);
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525 + 1013904223; /* Numerical Recipes */
        data[i] = i % 65536 < 4096 ? (uint8_t)(state >> 24) : data[i - 4096];
    }
    expect_round_trip(codec, data, 0);
    expect_round_trip(codec, data, 1);
    expect_round_trip(codec, data, size);
    free(data);
}

/* -- One test per codec ------------------------------------------------- */

TEST(codec_gzip_decodes_gzip)
{
    expect_streams(&facet_codec_gzip, gzip_hex);
    expect_damage_is_found(gzip_hex, 10);          /* after time and system */
    expect_round_trips(&facet_codec_gzip, 300000); /* libdeflate's */
}

TEST(codec_bzip2_decodes_bzip2)
{
    expect_streams(&facet_codec_bzip2, bzip2_hex);
    expect_damage_is_found(bzip2_hex, 10);
    expect_round_trips(&facet_codec_bzip2, 900000);
}

/* A stream begins with "BZh", a digit and the number of a block. */
TEST(only_all_bytes_of_its_start_make_a_bzip2_stream)
{
    uint8_t start[10] = {'B', 'Z', 'h', '9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
    assert_ptr_equal(facet_codec_of(start, 10), &facet_codec_bzip2);
    assert_ptr_not_equal(facet_codec_of(start, 9), &facet_codec_bzip2);
    for (size_t i = 0; i < sizeof start; i++) {
        start[i] ^= 0x40;
        assert_ptr_not_equal(facet_codec_of(start, 10), &facet_codec_bzip2);
        start[i] ^= 0x40;
    }
}

TEST(codec_xz_decodes_xz)
{
    expect_streams(&facet_codec_xz, xz_hex);
    expect_damage_is_found(xz_hex, 6);
    expect_round_trips(&facet_codec_xz, 2 << 20); /* a chunk of LZMA2 */
}

TEST(codec_zstd_decodes_zstd)
{
    expect_streams(&facet_codec_zstd, zstd_hex);
    expect_streams(&facet_codec_zstd, zstd_pipe_hex);
    expect_skipped(&facet_codec_zstd, zstd_hex);
    expect_damage_is_found(zstd_hex, 6);
    expect_round_trips(&facet_codec_zstd, 128 << 10);
}

TEST(codec_lz4_decodes_lz4)
{
    expect_streams(&facet_codec_lz4, lz4_hex);
    expect_skipped(&facet_codec_lz4, lz4_hex);
    expect_damage_is_found(lz4_hex, 5);
    expect_round_trips(&facet_codec_lz4, 4 << 20);
}

TEST(codec_gzip_writes_neither_time_nor_system)
{
    if (!facet_codec_gzip.encode)
        skip();
    facet_output *output = encode(&facet_codec_gzip, (const uint8_t *)plain, 5, efforts[0]);
    /* RFC 1952: method 8, no flags (so no name), time 0, XFL 0, system 255. */
    assert_memory_equal(facet_output_data(output), "\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10);
    facet_output_free(output);
}

TEST(codec_gzip_ends_before_zeros)
{
    facet_error error = {0};
    bytes b = {0};
    if (!facet_codec_gzip.decode)
        skip();
    append(&b, gzip_hex);
    TEST_OK(decode(b.data, SPACE, 1, &error), &error); /* the rest of the array is 0 */
}

/* -- Names -------------------------------------------------------------- */

TEST(codec_extension_is_not_part_of_the_format)
{
    assert_ptr_equal(facet_codec_from_path("d.x/a.obj.GZ"), &facet_codec_gzip);
    assert_ptr_equal(facet_codec_from_path("a.lz4"), &facet_codec_lz4);
    assert_null(facet_codec_from_path("a.xz/b"));
    assert_null(facet_codec_from_path("d/.gz"));
    assert_null(facet_codec_from_path(NULL));
    assert_int_equal(facet_codec_stem("a.obj.zst"), 5);
    assert_int_equal(facet_codec_stem("a.obj"), 5);
    assert_ptr_equal(facet_format_from_path("d/spider.bsm.bz2"), facet_format_named("bsm"));
    assert_ptr_equal(facet_format_from_path("spider.OBJ"), facet_format_named("obj"));
    assert_null(facet_format_from_path("obj.gz"));
    assert_null(facet_format_from_path("a.ob"));
    assert_null(facet_format_from_path("a.gz"));
}

/* -- Limits ------------------------------------------------------------- */

static facet_status decode_with(const facet_options *options, const facet_output *stream,
                                facet_error *error)
{
    facet_arena *arena = NULL;
    facet_layers layers;
    const uint8_t *data = facet_output_data(stream);
    size_t size = (size_t)facet_output_size(stream);
    assert_int_equal(facet_arena_create(options, &arena, NULL), FACET_OK);
    facet_status status = facet_layers_decode(arena, options, &data, &size, &layers, error);
    facet_arena_free(arena);
    return status;
}

/* 16 MiB of zeros: bzip2, xz and zstd compress them to less than 16 MiB / 1,032 = 16,257 bytes.
 * Results of at most 1 MiB are allowed with any ratio. */
static void expect_bomb_is_refused(const facet_codec *codec)
{
    enum { LARGE = 16 << 20, SMALL = 1 << 20 };
    facet_error error = {0};
    if (!codec->encode)
        return;
    uint8_t *zeros = calloc(LARGE, 1);
    assert_non_null(zeros);
    facet_output *bomb = encode(codec, zeros, LARGE, FACET_COMPRESSION_BEST),
                 *small = encode(codec, zeros, SMALL, FACET_COMPRESSION_BEST);
    assert_true(facet_output_size(bomb) < LARGE / 1032);
    assert_int_equal(decode_with(NULL, bomb, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "AR37");
    TEST_OK(decode_with(NULL, small, &error), &error);
    facet_output_free(bomb);
    facet_output_free(small);
    free(zeros);
}

TEST(codec_output_is_bounded_by_the_file)
{
    expect_bomb_is_refused(&facet_codec_bzip2);
    expect_bomb_is_refused(&facet_codec_xz);
    expect_bomb_is_refused(&facet_codec_zstd);
}

TEST(codec_limit_of_the_output_grows_with_the_growth_limit)
{
    enum { SIZE = 4 << 20 };
    facet_error error = {0};
    facet_options options = {.struct_size = sizeof options};
    const facet_codec *codec = &facet_codec_xz;
    if (!codec->encode)
        skip();
    uint8_t *zeros = calloc(SIZE, 1);
    assert_non_null(zeros);
    facet_output *bomb = encode(codec, zeros, SIZE, FACET_COMPRESSION_BEST);
    /* A growth limit of g allows 64.5 g times the stored size, and 1,032 times at least. */
    uint64_t stored = facet_output_size(bomb), needed = (uint64_t)SIZE * 2 / (129 * stored) + 1;
    assert_true(needed > 17);
    options.growth_limit = (uint32_t)needed;
    TEST_OK(decode_with(&options, bomb, &error), &error);
    options.growth_limit = (uint32_t)needed - 2;
    assert_int_equal(decode_with(&options, bomb, &error), FACET_ERROR_LIMIT);
    facet_output_free(bomb);
    free(zeros);
}

TEST(codec_growth_limit_does_not_lower_the_limit_of_the_output)
{
    enum { SIZE = 4 << 20 };
    facet_error error = {0};
    facet_options options = {.struct_size = sizeof options, .growth_limit = 1};
    const facet_codec *codec = &facet_codec_gzip;
    if (!codec->encode)
        skip();
    uint8_t *zeros = calloc(SIZE, 1);
    assert_non_null(zeros);
    facet_output *packed = encode(codec, zeros, SIZE, FACET_COMPRESSION_BEST);
    TEST_OK(decode_with(&options, packed, &error), &error);
    facet_output_free(packed);
    free(zeros);
}

TEST(codec_layers_are_bounded_together)
{
    enum { LARGE = 16 << 20 };
    facet_error error = {0};
    const facet_codec *codec = &facet_codec_gzip;
    if (!codec->encode)
        skip();
    uint8_t *zeros = calloc(LARGE, 1);
    assert_non_null(zeros);
    facet_output *once = encode(codec, zeros, LARGE, FACET_COMPRESSION_BEST),
                 *twice = encode(codec, facet_output_data(once), (size_t)facet_output_size(once),
                                 FACET_COMPRESSION_BEST);
    /* DEFLATE needs at least one byte per 1,032. One layer is allowed, two are not. */
    TEST_OK(decode_with(NULL, once, &error), &error);
    assert_int_equal(decode_with(NULL, twice, &error), FACET_ERROR_LIMIT);
    facet_output_free(once);
    facet_output_free(twice);
    free(zeros);
}

TEST(codec_layers_are_two_at_most)
{
    facet_error error = {0};
    const facet_codec *codec = &facet_codec_gzip;
    if (!codec->encode)
        skip();
    facet_output *layers[3] = {0};
    const uint8_t *data = (const uint8_t *)plain;
    size_t size = sizeof plain - 1;
    for (int i = 0; i < 3; i++) {
        layers[i] = encode(codec, data, size, FACET_COMPRESSION_FAST);
        data = facet_output_data(layers[i]);
        size = (size_t)facet_output_size(layers[i]);
    }
    TEST_OK(decode_with(NULL, layers[1], &error), &error);
    assert_int_equal(decode_with(NULL, layers[2], &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "AR37");
    for (int i = 0; i < 3; i++)
        facet_output_free(layers[i]);
}

TEST(codec_output_counts_against_the_memory_limit)
{
    enum { SIZE = 4 << 20 };
    facet_error error = {0};
    facet_options options = {.memory_limit = SIZE / 2};
    uint8_t *data = malloc(SIZE);
    assert_non_null(data);
    uint32_t state = 1;
    for (size_t i = 0; i < SIZE; i++) {
        state = state * 1664525 + 1013904223;
        data[i] = (uint8_t)(state >> 24);
    }
    for (size_t i = 0; facet_codec_get(i); i++) {
        const facet_codec *codec = facet_codec_get(i);
        if (!codec->encode)
            continue;
        facet_output *stream = encode(codec, data, SIZE, FACET_COMPRESSION_FAST);
        assert_int_equal(decode_with(&options, stream, &error), FACET_ERROR_MEMORY_LIMIT);
        facet_output_free(stream);
    }
    free(data);
}

/* -- Checking ----------------------------------------------------------- */

static const facet_finding *check(const facet_output *stream, size_t size, facet_report *report)
{
    facet_error error;
    facet_source source =
        facet_source_from_memory(facet_output_data(stream), size, "triangle.obj.gz");
    facet_check(&source, NULL, NULL, report, &error);
    return facet_report_get(report, 0);
}

TEST(check_reports_compression_and_damage)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    facet_error error;
    facet_report *report = NULL;
    if (!facet_codec_gzip.encode)
        skip();
    facet_output *stream =
        encode(&facet_codec_gzip, (const uint8_t *)obj, sizeof obj - 1, FACET_COMPRESSION_BEST);
    size_t size = (size_t)facet_output_size(stream);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    assert_string_equal(check(stream, size, report)->rule, "AR38");
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
    facet_report_free(report);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    const facet_finding *finding = check(stream, size - 3, report);
    assert_string_equal(finding->rule, "AR36");
    assert_int_equal(finding->severity, FACET_SEVERITY_ERROR);
    assert_int_equal(finding->offset, size - 3);
    facet_report_free(report);
    facet_output_free(stream);
}

/* Add an animation to a model when both files are compressed. */
TEST(animations_and_models_may_be_compressed)
{
    uint8_t file[IQM_SIZE];
    facet_scene *scene = NULL;
    facet_error error;
    if (!facet_codec_gzip.encode)
        skip();
    iqm_build(file);
    facet_output *stream = encode(&facet_codec_gzip, file, sizeof file, FACET_COMPRESSION_BEST);
    facet_source source =
        facet_source_from_memory(facet_output_data(stream), (size_t)facet_output_size(stream), "a");
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    assert_int_equal(scene->animation_count, 1);
    TEST_OK(facet_load_animation(&source, NULL, &source, NULL, scene, &error), &error);
    assert_int_equal(scene->animation_count, 2);
    facet_scene_free(scene);
    facet_output_free(stream);
}
