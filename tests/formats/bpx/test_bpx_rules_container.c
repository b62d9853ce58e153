/* Rules of BPX containers, textures and shader packages: a file that breaks one and as few others
 * as possible.
 *
 * The files are built from the layout tables by support/bpx.h. */
#include "support/bpx.h"

#include <lzma.h>
#include <math.h>
#include <stdio.h>

static const uint8_t unused[16] = {0};

/* -- The container ------------------------------------------------------ */

/* A container with one section of unknown contents. */
static bytes scene_file(const bytes *contents, uint8_t flags)
{
    section_of section = {7, flags, contents};
    return build_file('C', unused, &section, 1);
}

/* The rule of facet_bpx_verify; "" if every sum is right. */
static const char *verified(const bytes *file)
{
    static facet_error error;
    facet_bpx_layout layout;
    TEST_OK(facet_bpx_view(file->data, file->size, &layout, &error), &error);
    return facet_bpx_verify(&layout, &error) ? error.rule : "";
}

TEST(wrong_checksums_are_reported)
{
    bytes contents = {0};
    put_bytes(&contents, "opaque", 6);
    bytes file = scene_file(&contents, 0);
    expect_finding(file.data, file.size, "BPX-TYPE-UNSPECIFIED", FACET_SEVERITY_NOTE);
    set_number(&file, 4, 0, 4);
    uLong zeroed = crc32(0, file.data, (uInt)file.size);
    expect_finding(file.data, file.size, "BPX-CRC-ABSENT", FACET_SEVERITY_WARNING);
    set_number(&file, 4, zeroed, 4);
    expect_finding(file.data, file.size, "BPX-CRC-ZEROED", FACET_SEVERITY_WARNING);
    assert_string_equal(verified(&file), "");
    set_number(&file, 4, zeroed + 1, 4);
    expect_finding(file.data, file.size, "BPX-CRC", FACET_SEVERITY_ERROR);
    drop(&file);
    file = build_file('C', unused, NULL, 0);
    expect_finding(file.data, file.size, "BPX-SECTION-MISSING", FACET_SEVERITY_NOTE);
    set_number(&file, 8, 99, 8);
    expect_finding(file.data, file.size, "BPX-FILESIZE", FACET_SEVERITY_ERROR);
    drop(&file);
    drop(&contents);
}

TEST(each_header_rule_is_reported)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *rule;
        facet_severity severity;
    } cases[] = {
        {1, 'Q', "BPX-SIGNATURE", FACET_SEVERITY_ERROR},
        {3, 'Q', "BPX-TYPE-UNKNOWN", FACET_SEVERITY_ERROR},
        {8, 46, "BPX-FILESIZE-FORM", FACET_SEVERITY_WARNING}, /* the whole file */
        {8, 6, "BPX-FILESIZE-FORM", FACET_SEVERITY_WARNING},  /* without the table */
        {0x10, 9, "BPX-TABLE-BOUNDS", FACET_SEVERITY_ERROR},
        {0x12, 7, "BPX-VERSION", FACET_SEVERITY_ERROR},
        {24, 24, "BPX-SECTION-IN-HEADER", FACET_SEVERITY_ERROR},
        {24 + 8, 7, "BPX-SECTION-BOUNDS", FACET_SEVERITY_ERROR},
        {24 + 8, 5, "BPX-SECTION-GAP", FACET_SEVERITY_NOTE},
        {24 + 13, 0x80, "BPX-SECTION-FLAGS", FACET_SEVERITY_WARNING},
        {24 + 14, 1, "BPX-SECTION-RESERVED", FACET_SEVERITY_WARNING},
    };
    bytes contents = {0};
    put_bytes(&contents, "opaque", 6);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes file = scene_file(&contents, 0);
        file.data[cases[i].at] = cases[i].value;
        expect_finding(file.data, file.size, cases[i].rule, cases[i].severity);
        drop(&file);
    }
    bytes file = scene_file(&contents, 0);
    expect_finding(file.data, 23, "BPX-SIZE-HEADER", FACET_SEVERITY_ERROR);
    drop(&file);
    section_of twice[] = {{7, 0, &contents}, {8, 0, &contents}};
    file = build_file('C', unused, twice, 2);
    set_number(&file, 24 + 16, 24 + 32 + 3, 8);
    expect_finding(file.data, file.size, "BPX-SECTION-OVERLAP", FACET_SEVERITY_WARNING);
    drop(&file);
    drop(&contents);
}

TEST(damaged_streams_are_reported)
{
    bytes contents = {0};
    for (int i = 0; i < 3000; i++)
        put_u8(&contents, (unsigned)i % 7);
    bytes stream = deflated(&contents);
    bytes file = scene_file(&stream, 2);
    expect_clean(file.data, file.size);
    set_number(&file, 24 + 8, 3000, 4);
    seal(&file);
    expect_finding(file.data, file.size, "BPX-ZLIB-SIZE", FACET_SEVERITY_WARNING);
    /* Neither the stored nor the inflated size, and out of bounds. */
    set_number(&file, 24 + 8, 2999, 4);
    expect_finding(file.data, file.size, "BPX-SECTION-BOUNDS", FACET_SEVERITY_ERROR);
    set_number(&file, 24 + 8, stream.size - 1, 4);
    expect_finding(file.data, file.size, "BPX-ZLIB", FACET_SEVERITY_ERROR);
    drop(&file);
    put_bytes(&stream, "tail", 4);
    file = scene_file(&stream, 2);
    expect_finding(file.data, file.size, "BPX-ZLIB-TAIL", FACET_SEVERITY_WARNING);
    /* Header, block and checksum of the stream, in turn. */
    const size_t damaged[] = {0, 5, stream.size - 5};
    for (size_t i = 0; i < 3; i++) {
        bytes copy = {0};
        put_bytes(&copy, file.data, file.size);
        copy.data[40 + damaged[i]] ^= 0x55;
        expect_finding(copy.data, copy.size, "BPX-ZLIB", FACET_SEVERITY_ERROR);
        drop(&copy);
    }
    drop(&file);
    drop(&stream);
    put_bytes(&stream, "\x1F\x8B\x08 gzip", 8);
    file = scene_file(&stream, 2);
    expect_finding(file.data, file.size, "BPX-ZLIB-FOREIGN", FACET_SEVERITY_ERROR);
    drop(&file);
    drop(&stream);
    put_bytes(&stream,
              "\xFD"
              "7zXZ\0 xz",
              9);
    file = scene_file(&stream, 2);
    expect_finding(file.data, file.size, "BPX-ZLIB-FOREIGN", FACET_SEVERITY_ERROR);
    drop(&file);
    drop(&stream);
    drop(&contents);
}

/* 8 MiB of zeros are 8 KiB of stream: harmless unless the limit is 1 MiB. Sixteen sections that
 * share those bytes are more than any single stream gives. */
TEST(bombs_are_refused)
{
    bytes contents = {0};
    contents.size = (size_t)8 << 20;
    contents.data = calloc(contents.size, 1);
    assert_non_null(contents.data);
    bytes stream = deflated(&contents);
    bytes file = scene_file(&stream, 2);
    facet_options options = {.memory_limit = 1 << 20};
    facet_source source = source_of_bytes(file.data, file.size);
    const facet_format *bpx = facet_format_named("bpx");
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_check(&source, bpx, &options, report, &error), &error);
    assert_non_null(test_finding(report, "BPX-ZLIB-BOMB"));
    facet_report_free(report);
    facet_description *description;
    assert_int_equal(facet_describe(&source, bpx, &options, &description, &error),
                     FACET_ERROR_MEMORY_LIMIT);
    assert_string_equal(error.rule, "BPX-ZLIB-BOMB");
    assert_false(has_finding(file.data, file.size, "BPX-ZLIB-BOMB"));
    drop(&file);

    section_of sections[16];
    for (size_t i = 0; i < 16; i++) {
        section_of one = {7, 2, &stream};
        sections[i] = one;
    }
    file = build_file('C', unused, sections, 16);
    for (size_t i = 0; i < 16; i++)
        set_number(&file, 24 + 16 * i, 24 + 16 * 16, 8);
    file.size = 24 + 16 * 16 + stream.size;
    seal(&file);
    expect_finding(file.data, file.size, "BPX-ZLIB-BOMB", FACET_SEVERITY_ERROR);
    source = source_of_bytes(file.data, file.size);
    assert_int_equal(facet_describe(&source, bpx, NULL, &description, &error), FACET_ERROR_LIMIT);
    drop(&file);
    drop(&stream);
    drop(&contents);
}

/* -- Textures ----------------------------------------------------------- */

TEST(each_texture_rule_is_reported)
{
    static const struct {
        uint8_t extension[5];
        size_t size;
        float first;
        const char *rule;
        facet_severity severity;
    } cases[] = {
        {{0, 0, 0x10, 0x05, 1}, 32, 0, "BPX-T-FORMAT", FACET_SEVERITY_ERROR},
        {{0, 0, 0x10, 0x82, 1}, 32, 0, "BPX-T-FLAGS", FACET_SEVERITY_WARNING},
        {{0, 0, 0x10, 0x02, 1}, 31, 0, "BPX-T-SIZE", FACET_SEVERITY_ERROR},
        {{3, 0, 0x10, 0x02, 1}, 32, 0, "BPX-T-ARRAY-FLAG", FACET_SEVERITY_WARNING}, /* ignored */
        {{3, 0, 0x10, 0x02, 1}, 96, 0, "BPX-T-ARRAY-FLAG", FACET_SEVERITY_WARNING}, /* used */
        {{0, 0, 0x10, 0x12, 1}, 32, 0, "BPX-T-ARRAY-FLAG", FACET_SEVERITY_WARNING},
        {{6, 0, 0x11, 0x52, 1},
         6 * 64,
         0,
         "BPX-T-ARRAY-FLAG",
         FACET_SEVERITY_WARNING}, /* cube flag as well */
        {{5, 0, 0x11, 0x42, 1}, 5 * 64, 0, "BPX-T-CUBE", FACET_SEVERITY_ERROR},
        {{0, 0, 0x11, 0x42, 1}, 6 * 64, 0, "BPX-T-CUBE", FACET_SEVERITY_ERROR},
        {{6, 0, 0x10, 0x42, 1}, 6 * 32, 0, "BPX-T-CUBE", FACET_SEVERITY_ERROR}, /* not squares */
        {{0, 0, 0x10, 0x02, 4}, 32, 0, "BPX-T-MIPS", FACET_SEVERITY_WARNING},
        {{0, 0, 0x10, 0x20, 1},
         32,
         0,
         "BPX-T-NIBBLES",
         FACET_SEVERITY_WARNING}, /* format and flags are wrong */
        {{0x10, 0x02, 1, 0, 0},
         32,
         0,
         "BPX-T-NIBBLES",
         FACET_SEVERITY_WARNING}, /* the previous day's order */
        {{0, 0, 0x00, 0x01, 1}, 12, 0, "BPX-T-ROWALIGN", FACET_SEVERITY_NOTE},
        {{0, 0, 0x00, 0x04, 1}, 16, NAN, "BPX-T-FLOAT", FACET_SEVERITY_WARNING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes pixels = {0};
        put_float(&pixels, cases[i].first);
        while (pixels.size < cases[i].size)
            put_u8(&pixels, 0);
        pixels.size = cases[i].size;
        section_of section = {0, 0, &pixels};
        bytes file = build_file('T', cases[i].extension, &section, 1);
        expect_finding(file.data, file.size, cases[i].rule, cases[i].severity);
        drop(&file);
        drop(&pixels);
    }
}

/* -- Shader packages ---------------------------------------------------- */

static void put_assembly(bytes *b, uint32_t version, unsigned vertex, unsigned pixel)
{
    put_u32(b, version);
    put_u16(b, vertex);
    put_u16(b, 0);
    put_u16(b, pixel);
    put_u16(b, 0);
}

/* Two shaders, an assembly of `size` bytes, and one changed byte in it. */
static bytes shader_file(uint8_t count, uint8_t flags, bytes *assembly)
{
    const uint8_t extension[5] = {count, 0, 0, 0, flags};
    bytes vertex = {0}, pixel = {0};
    put_bytes(&vertex, "VERT", 4);
    put_bytes(&pixel, "FRAG", 4);
    section_of sections[] = {{0, 0, &vertex}, {0, 0, &pixel}, {2, 0, assembly}};
    bytes file = build_file('S', extension, sections, 3);
    drop(&vertex);
    drop(&pixel);
    drop(assembly);
    return file;
}

TEST(each_shader_rule_is_reported)
{
    static const struct {
        uint8_t count, flags, version, vertex, pixel;
        int resize; /* change of the size of the assembly */
        uint8_t reserved;
        const char *rule;
        facet_severity severity;
    } cases[] = {
        {3, 2, 33, 1, 2, 0, 0, "BPX-S-COUNT", FACET_SEVERITY_WARNING},
        {2, 0x12, 33, 1, 2, 0, 0, "BPX-S-FLAGS", FACET_SEVERITY_WARNING},
        {2, 3, 33, 1, 2, 0, 0, "BPX-S-FLAGS-ASM", FACET_SEVERITY_WARNING},
        {2, 0, 33, 1, 2, 0, 0, "BPX-S-FLAGS-ASM", FACET_SEVERITY_WARNING},
        {2, 2, 33, 1, 2, -1, 0, "BPX-S-ASM-SIZE", FACET_SEVERITY_ERROR},
        {2, 2, 33, 1, 2, 1, 0, "BPX-S-ASM-SIZE", FACET_SEVERITY_WARNING},
        {2, 2, 33, 1, 3, 0, 0, "BPX-S-ASM-ID", FACET_SEVERITY_ERROR},
        {2, 2, 33, 0, 2, 0, 0, "BPX-S-ASM-VERTEX", FACET_SEVERITY_WARNING},
        {2, 2, 33, 1, 0, 0, 0, "BPX-S-ASM-VERTEX", FACET_SEVERITY_WARNING},
        {2, 2, 29, 1, 2, 0, 0, "BPX-S-ASM-VERSION", FACET_SEVERITY_WARNING},
        {2, 2, 47, 1, 2, 0, 0, "BPX-S-ASM-VERSION", FACET_SEVERITY_WARNING},
        {2, 2, 33, 1, 2, 0, 1, "BPX-S-ASM-RESERVED", FACET_SEVERITY_WARNING},
        {2, 2, 33, 1, 1, 0, 0, "BPX-S-SHADER-UNUSED", FACET_SEVERITY_NOTE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes assembly = {0};
        put_assembly(&assembly, cases[i].version, cases[i].vertex, cases[i].pixel);
        set_number(&assembly, 10, cases[i].reserved, 1);
        if (cases[i].resize > 0)
            put_u8(&assembly, 0);
        assembly.size -= cases[i].resize < 0;
        bytes file = shader_file(cases[i].count, cases[i].flags, &assembly);
        expect_finding(file.data, file.size, cases[i].rule, cases[i].severity);
        drop(&file);
    }
    /* If ids count from 0, they are 0 and 1, and "none" is 0xFFFF. */
    bytes assembly = {0};
    put_assembly(&assembly, 33, 0, 1);
    set_number(&assembly, 6, 0xFFFF, 2);
    bytes file = shader_file(2, 2, &assembly);
    expect_finding(file.data, file.size, "BPX-S-ASM-BASE0", FACET_SEVERITY_WARNING);
    drop(&file);
}

/* -- Later revisions ---------------------------------------------------- */

/* The table of the library of versions 1 and 2, as its source builds it. */
static uint32_t one_step_crc(const bytes *b)
{
    uint32_t table[256], r = 0xFFFFFFFFu;
    for (uint32_t i = 0; i < 256; i++)
        table[i] = (i >> 1) ^ ((i & 1) ? 0xEDB88320u : 0);
    for (size_t i = 0; i < b->size; i++)
        r = (r >> 8) ^ table[(r ^ b->data[i]) & 255];
    return ~r;
}

static bytes xz(const bytes *contents)
{
    bytes b = {0};
    size_t space = lzma_stream_buffer_bound(contents->size);
    b.data = malloc(space);
    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_NONE, NULL, contents->data,
                                             contents->size, b.data, &b.size, space),
                     LZMA_OK);
    return b;
}

TEST(rules_of_later_versions_are_reported)
{
    bytes contents = {0};
    for (int i = 0; i < 1000; i++)
        put_u8(&contents, (unsigned)i % 11);
    bytes stored = xz(&contents), zlib = deflated(&contents);
    uint32_t size = (uint32_t)contents.size, sum = byte_sum(contents.data, size);
    for (uint32_t version = 1; version <= 2; version++) {
        later_section section = {1, 0x0A, &stored, size, sum};
        bytes file = build_later('P', version, unused, &section, 1);
        facet_report *report = check_bytes(file.data, file.size);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
        assert_int_equal(facet_report_count(report), 1);
        assert_non_null(test_finding(report, "BPX-VERSION-LATER"));
        facet_report_free(report);
        file.data[4] ^= 1;
        expect_finding(file.data, file.size, "BPX2-SUM", FACET_SEVERITY_ERROR);
        set_number(&file, 8, file.size - 1, 8);
        expect_finding(file.data, file.size, "BPX2-FILESIZE", FACET_SEVERITY_WARNING);
        set_number(&file, 8, 0, 8);
        assert_false(has_finding(file.data, file.size, "BPX2-FILESIZE"));
        drop(&file);

        section.flags = 0x06;
        section.checksum = (uint32_t)crc32(0, contents.data, size);
        file = build_later('P', version, unused, &section, 1);
        assert_false(has_finding(file.data, file.size, "BPX2-SECTION-SUM"));
        assert_false(has_finding(file.data, file.size, "BPX2-CRC-ONESTEP"));
        drop(&file);
        section.checksum = one_step_crc(&contents);
        file = build_later('P', version, unused, &section, 1);
        expect_finding(file.data, file.size, "BPX2-CRC-ONESTEP", FACET_SEVERITY_NOTE);
        assert_string_equal(verified(&file), "");
        drop(&file);
        section.checksum ^= 1;
        file = build_later('P', version, unused, &section, 1);
        expect_finding(file.data, file.size, "BPX2-SECTION-SUM", FACET_SEVERITY_ERROR);
        assert_string_equal(verified(&file), "BPX2-SECTION-SUM");
        drop(&file);
        section.flags = 0x0A;
        section.checksum = sum;
        for (uint32_t wrong = size - 1; wrong <= size + 1; wrong += 2) {
            section.size = wrong;
            file = build_later('P', version, unused, &section, 1);
            expect_finding(file.data, file.size, "BPX2-USIZE", FACET_SEVERITY_ERROR);
            drop(&file);
        }
        later_section by_zlib = {1, 0x09, &zlib, size, sum};
        file = build_later('P', version, unused, &by_zlib, 1);
        expect_finding(file.data, file.size, "BPX2-ZLIB", FACET_SEVERITY_WARNING);
        assert_false(has_finding(file.data, file.size, "BPX2-SECTION-SUM"));
        drop(&file);
    }
    drop(&zlib);
    drop(&stored);
    drop(&contents);
}

/* Damage in any byte of an XZ section is found: by its structure, by the size, or by the checksum
 * of the contents. */
TEST(xz_damage_is_found)
{
    bytes contents = {0};
    for (int i = 0; i < 400; i++)
        put_u8(&contents, (unsigned)(i * i) % 13);
    bytes stored = xz(&contents);
    later_section section = {1, 0x0A, &stored, 400, byte_sum(contents.data, 400)};
    bytes file = build_later('P', 2, unused, &section, 1);
    assert_int_equal(file.size, 64 + stored.size);
    for (size_t i = 64; i < file.size; i++) {
        file.data[i] ^= 0xFF;
        facet_report *report = check_bytes(file.data, file.size);
        if (facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0)
            fail_msg("byte %zu of %zu of the stream was changed", i - 64, stored.size);
        facet_report_free(report);
        file.data[i] ^= 0xFF;
    }
    drop(&file);
    drop(&stored);
    drop(&contents);
}

/* Headers of 0-B, 0-C and 0-D: 32 and 40 bytes, entries of 16, 16 and 24. */
TEST(revisions_between_are_recognized)
{
    static const struct {
        const char *name;
        int header, entry;
    } revisions[] = {{"0-B", 32, 16}, {"0-C", 40, 16}, {"0-D", 40, 24}};
    for (size_t i = 0; i < 3; i++) {
        bytes file = {0};
        int end = revisions[i].header + revisions[i].entry;
        put_bytes(&file, "BPXM", 4);
        put_number(&file, 0, 4);
        put_number(&file, (uint64_t)end + 4, 8);
        put_u32(&file, 1);
        put_u32(&file, 0);
        /* From 0-C on, the extension is a hash. */
        while (file.size < (size_t)revisions[i].header)
            put_u8(&file, i == 0 ? 0 : 0xAB);
        put_number(&file, (uint64_t)end, 8);
        put_u32(&file, 4);
        if (revisions[i].entry == 24)
            put_u32(&file, 0x12345678); /* the checksum: no type, flags and zeros of 0-C */
        put_u8(&file, 2);
        put_u8(&file, 0);
        put_u16(&file, 0);
        if (revisions[i].entry == 24)
            put_u32(&file, 0);
        put_bytes(&file, "data", 4);
        facet_report *report = check_bytes(file.data, file.size);
        const facet_finding *finding = test_finding(report, "BPX-VERSION-LATER");
        assert_non_null(finding);
        assert_non_null(strstr(finding->message, revisions[i].name));
        facet_report_free(report);
        drop(&file);
    }
}
