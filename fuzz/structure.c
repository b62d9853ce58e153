/* fuzz/structure.c - a mutator for structured files. It changes the contents of a file and
 * then corrects the sizes, checksums and compression around them.
 *
 * It is linked to each harness. libFuzzer mutates files of unknown structure and half of the
 * others. Compressed contents are stored again, mostly as literals in the format's own encoding;
 * the decompressors have separate harnesses or seeds. */
#include "structure.h"

#include "archive/codec.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "formats/binarymesh/binarymesh.h"

#include <facet/archive.h>
#include <facet/bpx.h>
#include <stdlib.h>
#include <string.h>

/* Maximum size of decompressed contents. Larger files are mutated as plain bytes. */
#define LARGEST ((size_t)1 << 20)

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define FACET_FUZZ_MEMORY
#endif
#endif

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* -- Contents ----------------------------------------------------------- */

/* LLVMFuzzerMutate is not compiled with MemorySanitizer, which takes its bytes as uninitialized. */
static size_t mutate(uint8_t *data, size_t size, size_t most)
{
    size = LLVMFuzzerMutate(data, size, most);
#ifdef FACET_FUZZ_MEMORY
    __msan_unpoison(data, size);
#endif
    return size;
}

uint32_t structure_next(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    return *random >> 8;
}

static uint32_t next(uint32_t *random)
{
    return structure_next(random);
}

void structure_change_window(uint8_t *data, size_t size, uint32_t *random)
{
    size_t length = (size_t)1 << next(random) % 6;
    if (length > size)
        length = size;
    size_t at = next(random) % (size - length + 1);
    if (next(random) % 4)
        at -= at % length;
    uint8_t bytes[32];
    memcpy(bytes, data + at, length);
    mutate(bytes, length, length);
    memcpy(data + at, bytes, length);
}

/* Change `size` bytes of contents in a buffer of `most` bytes; returns the new size. */
static size_t change_contents(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    if (size == 0 || next(random) % 4 == 0)
        return mutate(data, size, most);
    for (uint32_t i = next(random) % 3 + 1; i > 0; i--)
        structure_change_window(data, size, random);
    return size;
}

/* Allocate `size` bytes with space to grow. */
static uint8_t *new_contents(size_t size, size_t *most)
{
    *most = size + 64;
    uint8_t *contents = calloc(*most, 1);
    if (!contents)
        abort();
    return contents;
}

static uint8_t *copy_of(const uint8_t *data, size_t size, size_t *most)
{
    uint8_t *copy = new_contents(size, most);
    if (size > 0)
        memcpy(copy, data, size);
    return copy;
}

/* Change a part of the file and move the data after it. Returns the new size of the file, or 0 if
 * it exceeds `most`. The part is padded with `fill` until its end is a multiple of `unit`. */
static size_t change_part(uint8_t *data, size_t size, size_t most, size_t at, size_t length,
                          size_t unit, uint8_t fill, size_t *new_length, uint32_t *random)
{
    size_t space;
    uint8_t *part = copy_of(data + at, length, &space);
    size_t changed = change_contents(part, length, space - unit, random), total = 0;
    while ((at + changed) % unit != 0)
        part[changed++] = fill;
    if (size - length + changed <= most) {
        memmove(data + at + changed, data + at + length, size - at - length);
        memcpy(data + at, part, changed);
        *new_length = changed;
        total = size - length + changed;
    }
    free(part);
    return total;
}

/* Replace the file by the output. Returns the new size, or 0 if it exceeds `most`. */
static size_t take_output(facet_output *output, uint8_t *data, size_t most)
{
    size_t size = 0;
    if (facet_output_commit(output, NULL) == FACET_OK && facet_output_size(output) <= most) {
        size = (size_t)facet_output_size(output);
        memcpy(data, facet_output_data(output), size);
    }
    facet_output_free(output);
    return size;
}

/* -- J3D: sizes of the file and of its sections --------------------------- */

static bool is_j3d(const uint8_t *data, size_t size)
{
    return size >= 0x28 && memcmp(data, "J3D", 3) == 0;
}

static size_t change_j3d(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    size_t starts[64], count = 0;
    for (size_t at = 0x20; count < 64 && size - at >= 8; count++) {
        size_t length = facet_load_u32be(data + at + 4);
        if (length < 8 || length > size - at)
            break;
        starts[count] = at;
        at += length;
    }
    if (count == 0)
        return 0;
    size_t at = starts[next(random) % count], length = facet_load_u32be(data + at + 4);
    size = change_part(data, size, most, at + 8, length - 8, 32, 0, &length, random);
    if (size > 0) {
        facet_store_u32be(data + at + 4, (uint32_t)length + 8);
        facet_store_u32be(data + 8, (uint32_t)size);
    }
    return size;
}

/* -- GLB: sizes of the file and of its chunks ----------------------------- */

static bool is_glb(const uint8_t *data, size_t size)
{
    return size >= 20 && memcmp(data, "glTF", 4) == 0;
}

static size_t change_glb(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    size_t at = 12, length = facet_load_u32le(data + at);
    if (length > size - at - 8)
        return 0;
    size_t second = at + 8 + length;
    bool is_text = second + 8 > size || next(random) % 2;
    if (!is_text) {
        at = second;
        length = facet_load_u32le(data + at);
        if (length > size - at - 8)
            return 0;
    }
    size = change_part(data, size, most, at + 8, length, 4, is_text ? ' ' : 0, &length, random);
    if (size > 0) {
        facet_store_u32le(data + at, (uint32_t)length);
        facet_store_u32le(data + 8, (uint32_t)size);
    }
    return size;
}

/* -- BPX: contents, sizes, checksums --------------------------------------- */

static bool is_bpx(const uint8_t *data, size_t size)
{
    return size >= 40 && memcmp(data, "BPX", 3) == 0;
}

static uint32_t crc32(uint32_t crc, const uint8_t *data, size_t size)
{
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* Correct the size and checksum of the file, and the checksums of uncompressed sections. */
static void mend_bpx(uint8_t *data, size_t size)
{
    facet_bpx_layout layout;
    if (facet_bpx_view(data, size, &layout, NULL) != FACET_OK)
        return;
    facet_store_u64le(data + 8, layout.revision == FACET_BPX_0A ? size - 24 : size);
    uint32_t sum = 0;
    if (layout.revision < FACET_BPX_0D) {
        sum = crc32(crc32(0, data, 4), data + 8, size - 8);
    } else {
        for (uint32_t i = 0; i < layout.section_count; i++) {
            facet_bpx_section s = facet_bpx_section_at(&layout, i);
            if (s.compression == FACET_BPX_PLAIN && s.flags & 0x04)
                facet_store_u32le(data + layout.table_offset + i * layout.entry_size + 16,
                                  crc32(0, s.stored, s.available));
        }
        size_t end = layout.table_offset + (size_t)layout.section_count * layout.entry_size;
        for (size_t i = 0; i < end; i++)
            sum += i < 4 || i >= 8 ? data[i] : 0;
    }
    facet_store_u32le(data + 4, sum);
}

/* Decompress a section, change it, and compress it again. */
static size_t change_section(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    facet_source source = facet_source_from_memory(data, size, NULL);
    facet_options options = {.memory_limit = LARGEST};
    facet_bpx *document = NULL;
    facet_output *output = NULL;
    if (facet_bpx_read(&source, &options, &document, NULL) != FACET_OK)
        return 0;
    size = 0;
    if (document->revision == FACET_BPX_0A && document->section_count > 0 &&
        facet_output_open_memory(NULL, &output, NULL) == FACET_OK) {
        facet_bpx_contents *section = &document->sections[next(random) % document->section_count];
        size_t space;
        uint8_t *contents = copy_of(section->data, section->size, &space);
        section->size = change_contents(contents, section->size, space, random);
        section->data = contents;
        if (facet_bpx_write(document, &options, output, NULL) == FACET_OK)
            size = take_output(output, data, most);
        else
            facet_output_free(output);
        free(contents);
    }
    facet_bpx_free(document);
    return size;
}

static size_t change_bpx(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    size_t changed = next(random) % 2 ? change_section(data, size, most, random) : 0;
    if (changed > 0)
        return changed;
    size = change_contents(data, size, most, random);
    if (size >= 40)
        mend_bpx(data, size);
    return size;
}

/* -- BinaryMesh: the blocks around the data --------------------------------- */

static bool is_binarymesh(const uint8_t *data, size_t size)
{
    return size >= FACET_BINARYMESH_HEADER_SIZE &&
           memcmp(data, FACET_BINARYMESH_SIGNATURE, FACET_BINARYMESH_SIGNATURE_SIZE) == 0;
}

/* All data of the file, decompressed, with space to grow; NULL if the file is damaged. */
static uint8_t *data_of(const uint8_t *file, size_t size, uint32_t *version, size_t *length,
                        size_t *space)
{
    facet_binarymesh document = {0};
    facet_binarymesh_input input;
    uint8_t *data = NULL;
    if (facet_arena_create(NULL, &document.arena, NULL) != FACET_OK)
        abort();
    if (facet_binarymesh_scan(file, size, &document, NULL) == FACET_OK &&
        document.data_size < LARGEST) {
        facet_options options = {0};
        *version = document.version;
        *length = (size_t)document.data_size;
        data = new_contents(*length, space);
        facet_binarymesh_input_open(&input, file, size, &document, &options);
        if (facet_binarymesh_input_copy(&input, data, *length, 1, NULL) != FACET_OK) {
            free(data);
            data = NULL;
        }
        facet_binarymesh_input_close(&input);
    }
    facet_arena_free(document.arena);
    return data;
}

/* Store a length of literals that does not fit into the token. The last byte is below 255 for LZ4,
 * and not 0 for LZO. */
static size_t put_length(uint8_t *to, size_t length, bool lzo)
{
    size_t used = 0;
    for (; length > (lzo ? 255 : 254); length -= 255)
        to[used++] = lzo ? 0 : 255;
    to[used++] = (uint8_t)length;
    return used;
}

static size_t put_lz4(uint8_t *to, const uint8_t *data, size_t size)
{
    size_t used = 0;
    to[used++] = (uint8_t)((size < 15 ? size : 15) << 4);
    if (size >= 15)
        used += put_length(to + used, size - 15, false);
    memcpy(to + used, data, size);
    return used + size;
}

static size_t put_lzo(uint8_t *to, const uint8_t *data, size_t size)
{
    size_t used = 0;
    if (size > 238)
        to[used++] = 0, used += put_length(to + used, size - 18, true);
    else if (size > 0)
        to[used++] = (uint8_t)(17 + size);
    memcpy(to + used, data, size);
    used += size;
    memcpy(to + used, "\x11\0", 3); /* end of the stream */
    return used + 3;
}

/* Store a block. The caller reserves 1% more than `size` at `to`. */
static size_t put_block(uint8_t *to, const uint8_t *data, size_t size, uint32_t version)
{
    size_t stored = version == 2 ? put_lzo(to + 16, data, size) : put_lz4(to + 16, data, size);
    facet_store_u64le(to, size);
    facet_store_u64le(to + 8, stored);
    return 16 + stored;
}

/* Change the data, and sometimes the version, which gives the same data another meaning. */
static size_t change_binarymesh(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    uint32_t version;
    size_t length, space, used = FACET_BINARYMESH_HEADER_SIZE;
    uint8_t *contents = data_of(data, size, &version, &length, &space);
    if (!contents)
        return 0;
    length = change_contents(contents, length, space, random);
    if (next(random) % 16 == 0)
        version = next(random) % 4 + 1;
    uint8_t *file = malloc(length + length / 100 + 100);
    if (!file)
        abort();
    memcpy(file, data, used);
    facet_store_u16le(file + FACET_BINARYMESH_SIGNATURE_SIZE, (uint16_t)version);
    if (version == 1) {
        memcpy(file + used, contents, length);
        used += length;
    } else {
        size_t first = length > 1 && next(random) % 4 == 0 ? next(random) % length : length;
        used += put_block(file + used, contents, first, version);
        if (first < length)
            used += put_block(file + used, contents + first, length - first, version);
    }
    if (used <= most)
        memcpy(data, file, used);
    free(file);
    free(contents);
    return used <= most ? used : 0;
}

/* -- Yaz0 and Yay0: the decompressed file ----------------------------------- */

static size_t change(uint8_t *data, size_t size, size_t most, uint32_t *random);

static bool is_compressed(const uint8_t *data, size_t size)
{
    return size >= 16 && memcmp(data, "Ya", 2) == 0;
}

static size_t change_compressed(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    size_t plain = 0, space;
    facet_output *output = NULL;
    if (facet_decompressed_size(data, size, &plain, NULL) || plain > LARGEST)
        return 0;
    if (facet_output_open_memory(NULL, &output, NULL) != FACET_OK)
        return 0;
    uint8_t *contents = new_contents(plain, &space);
    bool is_whole = facet_decompress(data, size, contents, plain, NULL) == FACET_OK;
    if (is_whole)
        plain = change(contents, plain, space, random);
    if (is_whole && plain > 0 &&
        facet_compress(contents, plain,
                       data[3] == 'z' ? FACET_COMPRESSION_YAZ0 : FACET_COMPRESSION_YAY0,
                       FACET_COMPRESSION_FAST, 1, NULL, output, NULL) == FACET_OK)
        size = take_output(output, data, most);
    else
        size = 0, facet_output_free(output);
    free(contents);
    return size;
}

/* -- gzip, bzip2, xz, zstd, LZ4: the decompressed file ------------------------- */

static bool is_coded(const uint8_t *data, size_t size)
{
    return facet_codec_of(data, size) != NULL;
}

/* Change the contents, and encode them with the same codec, which stores sizes and checksums. */
static size_t change_coded(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    const facet_codec *codec = facet_codec_of(data, size);
    facet_codec_buffer plain = {.limit = LARGEST};
    facet_output *output = NULL;
    if (!codec->decode)
        return 0;
    if (facet_arena_create(NULL, &plain.arena, NULL) ||
        facet_output_open_memory(NULL, &output, NULL))
        abort();
    size_t changed = 0, space;
    if (codec->decode(data, size, &plain, NULL) == FACET_OK) {
        uint8_t *contents = copy_of(plain.data, plain.size, &space);
        changed = change(contents, plain.size, space, random);
        if (changed > 0 && codec->encode(contents, changed, FACET_COMPRESSION_FAST, output, NULL))
            changed = 0;
        free(contents);
    }
    if (changed > 0)
        changed = take_output(output, data, most);
    else
        facet_output_free(output);
    facet_arena_free(plain.arena);
    return changed;
}

/* -- All ------------------------------------------------------------------- */

static size_t change(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    static const struct {
        bool (*is)(const uint8_t *data, size_t size);
        size_t (*change)(uint8_t *data, size_t size, size_t most, uint32_t *random);
    } kinds[] = {{is_j3d, change_j3d},
                 {is_glb, change_glb},
                 {is_bpx, change_bpx},
                 {is_binarymesh, change_binarymesh},
                 {structure_is_iqm, structure_change_iqm},
                 {is_compressed, change_compressed},
                 {is_coded, change_coded}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].is(data, size))
            return kinds[i].change(data, size, most, random);
    }
    return change_contents(data, size, most, random);
}

/* A command and its input file; see fuzz_command.c. */
#define COMMAND_HEAD 16
static bool is_command(const uint8_t *data, size_t size)
{
    return size > COMMAND_HEAD && memcmp(data, "FCMD", 4) == 0;
}

static size_t change_command(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    if (next(random) % 4 == 0) {
        structure_change_window(data + 4, COMMAND_HEAD - 4, random);
        return size;
    }
    size_t changed = change(data + COMMAND_HEAD, size - COMMAND_HEAD, most - COMMAND_HEAD, random);
    return changed > 0 ? changed + COMMAND_HEAD : 0;
}

static bool is_known(const uint8_t *data, size_t size)
{
    return is_command(data, size) || is_j3d(data, size) || is_glb(data, size) ||
           is_bpx(data, size) || is_binarymesh(data, size) || structure_is_iqm(data, size) ||
           is_compressed(data, size) || is_coded(data, size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint32_t random = seed;
    bool is_plain = next(&random) % 2;
    if (is_command(data, size)) {
        size_t changed = change_command(data, size, most, &random);
        return changed > 0 ? changed : size;
    }
    /* The first two bytes of an input of fuzz_convert select formats. */
    for (size_t head = 0; head <= 2 && head < size && !is_plain; head += 2) {
        if (is_known(data + head, size - head)) {
            size_t changed = change(data + head, size - head, most - head, &random);
            return changed > 0 ? changed + head : mutate(data, size, most);
        }
    }
    return mutate(data, size, most);
}
