/* bpx/view.c - which revision a file is, its header, its table, its checksums. */
#include "base/error.h"
#include "base/size.h"
#include "bpx/bpx.h"

#include <inttypes.h>
#include <libdeflate.h>
#include <string.h>

/* -- Revisions ---------------------------------------------------------- */

typedef struct layout {
    const char *name;
    uint8_t header_size, entry_size;
    uint8_t extension_at, extension_size;
} layout;

static const layout layouts[] = {
    {"0-A", 24, 16, 0x13, 5},  {"0-B", 32, 16, 0x18, 8}, {"0-C", 40, 16, 0x18, 16},
    {"0-D", 40, 24, 0x18, 16}, {"1", 40, 24, 0x18, 16},  {"2", 40, 24, 0x18, 16},
};

const char *facet_bpx_revision_name(facet_bpx_revision revision)
{
    return layouts[revision].name;
}

static uint32_t count_in(const uint8_t *data, facet_bpx_revision revision)
{
    return revision == FACET_BPX_0A ? facet_load_u16le(data + 0x10) : facet_load_u32le(data + 0x10);
}

/* Fill *bpx for a revision; false when its table does not fit. */
static bool take(const uint8_t *data, size_t size, facet_bpx_revision revision, facet_bpx *bpx)
{
    const layout *l = &layouts[revision];
    if (size < l->header_size)
        return false;
    memset(bpx, 0, sizeof *bpx);
    bpx->data = data;
    bpx->size = size;
    bpx->revision = revision;
    bpx->type = (char)data[3];
    bpx->checksum = facet_load_u32le(data + 4);
    bpx->file_size = facet_load_u64le(data + 8);
    bpx->section_count = count_in(data, revision);
    bpx->table_offset = l->header_size;
    bpx->entry_size = l->entry_size;
    bpx->extension_size = l->extension_size;
    memcpy(bpx->extension, data + l->extension_at, l->extension_size);
    return facet_range_fits(l->header_size, bpx->section_count, l->entry_size, size);
}

/* -- Sections ----------------------------------------------------------- */

static bool is_xz(const uint8_t *bytes, size_t size)
{
    return size >= 6 && memcmp(bytes,
                               "\xFD"
                               "7zXZ\0",
                               6) == 0;
}

/* Bit 0x02 is zlib in version 0 up to 0-D and XZ later; 0x01 is zlib from 0-F. */
static facet_bpx_compression compression_of(const facet_bpx *bpx, const facet_bpx_section *s)
{
    if (bpx->entry_size == FACET_BPX_ENTRY_SIZE)
        return s->flags & FACET_BPX_FLAG_COMPRESSED ? FACET_BPX_ZLIB : FACET_BPX_PLAIN;
    if (!(s->flags & 0x03))
        return FACET_BPX_PLAIN;
    if (is_xz(s->stored, s->available))
        return FACET_BPX_XZ;
    return s->flags & 0x01 || bpx->revision == FACET_BPX_0D ? FACET_BPX_ZLIB : FACET_BPX_XZ;
}

facet_bpx_section facet_bpx_section_at(const facet_bpx *bpx, uint32_t index)
{
    const uint8_t *entry = bpx->data + bpx->table_offset + (size_t)index * bpx->entry_size;
    facet_bpx_section s = {.index = index};
    s.offset = facet_load_u64le(entry);
    s.stored_size = facet_load_u32le(entry + 8);
    if (bpx->entry_size == FACET_BPX_ENTRY_SIZE) {
        s.type = entry[12];
        s.flags = entry[13];
        s.reserved = facet_load_u16le(entry + 14);
    } else {
        s.size = facet_load_u32le(entry + 12);
        s.checksum = facet_load_u32le(entry + 16);
        s.type = entry[20];
        s.flags = entry[21];
        s.reserved = facet_load_u16le(entry + 22);
    }
    uint64_t start = s.offset < bpx->size ? s.offset : bpx->size;
    uint64_t left = bpx->size - start;
    s.stored = bpx->data + start;
    s.available = (size_t)(s.stored_size < left ? s.stored_size : left);
    s.compression = compression_of(bpx, &s);
    return s;
}

bool facet_bpx_find(const facet_bpx *bpx, uint8_t type, facet_bpx_section *section)
{
    for (uint32_t i = 0; i < bpx->section_count; i++) {
        facet_bpx_section s = facet_bpx_section_at(bpx, i);
        if (s.type == type) {
            *section = s;
            return true;
        }
    }
    return false;
}

static uint64_t end_of_table(const facet_bpx *bpx)
{
    return bpx->table_offset + (uint64_t)bpx->section_count * bpx->entry_size;
}

/* Only a compressed section of 0-A may state more than the file has: its inflated
 * size. */
static bool leaves_file(const facet_bpx *bpx, const facet_bpx_section *s)
{
    bool inflated =
        bpx->revision == FACET_BPX_0A && s->compression == FACET_BPX_ZLIB && s->available > 0;
    return s->offset > bpx->size || (s->available < s->stored_size && !inflated);
}

const char *facet_bpx_place_fault(const facet_bpx *bpx, uint32_t index, facet_error *error)
{
    facet_bpx_section s = facet_bpx_section_at(bpx, index);
    uint64_t at = bpx->table_offset + (uint64_t)index * bpx->entry_size;
    if (leaves_file(bpx, &s)) {
        facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SECTION-BOUNDS", at,
                   "section %" PRIu32 " has %" PRIu32 " bytes at offset %" PRIu64
                   ", which leave the file's %zu bytes",
                   index + 1, s.stored_size, s.offset, bpx->size);
        return "BPX-SECTION-BOUNDS";
    }
    if (s.stored_size > 0 && s.offset < end_of_table(bpx)) {
        facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SECTION-IN-HEADER", at,
                   "section %" PRIu32 " begins at offset %" PRIu64
                   ", inside header and table, which end at %" PRIu64,
                   index + 1, s.offset, end_of_table(bpx));
        return "BPX-SECTION-IN-HEADER";
    }
    return NULL;
}

/* -- Checksums ---------------------------------------------------------- */

uint32_t facet_bpx_byte_sum(const uint8_t *data, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += data[i];
    return sum;
}

/* The table of the library of versions 1 and 2 is built with one shift instead
 * of eight. */
uint32_t facet_bpx_crc_one_step(const uint8_t *data, size_t size)
{
    uint32_t r = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        uint32_t index = (r ^ data[i]) & 255;
        r = (r >> 8) ^ (index >> 1) ^ (index & 1 ? 0xEDB88320u : 0);
    }
    return ~r;
}

static facet_bpx_sum verify_crc(const facet_bpx *bpx)
{
    static const uint8_t zeros[4] = {0};
    uint32_t head = libdeflate_crc32(0, bpx->data, 4);
    uint32_t crc = libdeflate_crc32(head, bpx->data + 8, bpx->size - 8);
    if (crc == bpx->checksum)
        return FACET_BPX_SUM_RIGHT;
    if (bpx->checksum == 0)
        return FACET_BPX_SUM_ABSENT;
    head = libdeflate_crc32(head, zeros, 4);
    crc = libdeflate_crc32(head, bpx->data + 8, bpx->size - 8);
    return crc == bpx->checksum ? FACET_BPX_SUM_ZEROED : FACET_BPX_SUM_WRONG;
}

facet_bpx_sum facet_bpx_verify(const facet_bpx *bpx)
{
    if (bpx->revision < FACET_BPX_0D)
        return verify_crc(bpx);
    size_t table = (size_t)bpx->section_count * bpx->entry_size;
    uint32_t sum = facet_bpx_byte_sum(bpx->data, 4) +
                   facet_bpx_byte_sum(bpx->data + 8, bpx->table_offset - 8 + table);
    if (sum == bpx->checksum)
        return FACET_BPX_SUM_RIGHT;
    return bpx->checksum == 0 ? FACET_BPX_SUM_ABSENT : FACET_BPX_SUM_WRONG;
}

facet_bpx_sum facet_bpx_verify_section(const facet_bpx *bpx, const facet_bpx_section *section,
                                       const uint8_t *contents, size_t size)
{
    if (bpx->revision < FACET_BPX_1 || !(section->flags & 0x0C))
        return FACET_BPX_SUM_RIGHT;
    if (section->flags & 0x08)
        return facet_bpx_byte_sum(contents, size) == section->checksum ? FACET_BPX_SUM_RIGHT
                                                                       : FACET_BPX_SUM_WRONG;
    if (libdeflate_crc32(0, contents, size) == section->checksum)
        return FACET_BPX_SUM_RIGHT;
    return facet_bpx_crc_one_step(contents, size) == section->checksum ? FACET_BPX_SUM_ONE_STEP
                                                                       : FACET_BPX_SUM_WRONG;
}

/* -- Recognition -------------------------------------------------------- */

/* A table in order. Empty sections too stand behind it: zeros in a longer header
 * are no entries. */
static bool whole(const facet_bpx *bpx)
{
    uint64_t end = end_of_table(bpx);
    for (uint32_t i = 0; i < bpx->section_count; i++) {
        facet_bpx_section s = facet_bpx_section_at(bpx, i);
        if (s.offset < end || s.reserved != 0 || leaves_file(bpx, &s))
            return false;
    }
    return true;
}

/* Version 0 with a table in order, and whole by its own account. */
static bool is_first(const uint8_t *data, size_t size, facet_bpx *bpx)
{
    return data[0x12] == 0 && take(data, size, FACET_BPX_0A, bpx) && whole(bpx) &&
           bpx->file_size == size - FACET_BPX_HEADER_SIZE;
}

/* Versions 1 and 2 announce themselves; their checksum, or else a table in
 * order, tells them from a version 0 whose extension looks like one. Where both
 * readings fit, the first one's checksum over the whole file decides: a file of
 * version 1 or 2 states another size, so that it is seldom computed. */
static bool is_later(const uint8_t *data, size_t size, facet_bpx *bpx)
{
    facet_bpx first;
    uint32_t version = size >= 40 ? facet_load_u32le(data + 0x14) : 0;
    if (version != 1 && version != 2)
        return false;
    if (!take(data, size, version == 1 ? FACET_BPX_1 : FACET_BPX_2, bpx))
        return false;
    if (facet_bpx_verify(bpx) != FACET_BPX_SUM_RIGHT && !whole(bpx))
        return false;
    return !is_first(data, size, &first) || facet_bpx_verify(&first) != FACET_BPX_SUM_RIGHT;
}

facet_status facet_bpx_view_header(const uint8_t *data, size_t size, facet_bpx *bpx,
                                   facet_error *error)
{
    if (size >= 3 && memcmp(data, "BPX", 3) != 0) {
        facet_quoted quoted;
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SIGNATURE", 0,
                          "the file begins with \"%s\", expected \"BPX\"",
                          facet_quote(&quoted, (const char *)data, 3));
    }
    if (size < FACET_BPX_HEADER_SIZE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SIZE-HEADER", size,
                          "the file ends after %zu bytes, expected a header of %d", size,
                          FACET_BPX_HEADER_SIZE);
    if (is_later(data, size, bpx))
        return FACET_OK;
    for (int revision = FACET_BPX_0A; revision <= FACET_BPX_0D; revision++) {
        if (revision == FACET_BPX_0A && data[0x12] != 0)
            continue;
        if (take(data, size, (facet_bpx_revision)revision, bpx) && whole(bpx))
            return FACET_OK;
    }
    /* A version 0 with a fault: the file's own size says that it means to be one. */
    if (data[0x12] != 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-VERSION", 0x12,
                          "no known revision has this header: version %u, and no table of a later "
                          "one fits",
                          data[0x12]);
    if (!take(data, size, FACET_BPX_0A, bpx))
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-TABLE-BOUNDS", 0x10,
                          "a table of %" PRIu32 " sections does not fit into the file's %zu bytes",
                          bpx->section_count, size);
    return FACET_OK;
}

facet_status facet_bpx_view(const void *data, size_t size, facet_bpx *bpx, facet_error *error)
{
    facet_bpx found;
    facet_status status = facet_bpx_view_header(data, size, &found, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < found.section_count; i++) {
        if (facet_bpx_place_fault(&found, i, error))
            return FACET_ERROR_MALFORMED;
    }
    *bpx = found;
    return FACET_OK;
}

/* -- Names -------------------------------------------------------------- */

const char *facet_bpx_section_name(const facet_bpx *bpx, uint8_t type)
{
    static const char *const model[] = {"VertexFormat", "VertexArray",    "BoneArray",
                                        "FrameArray",   "AnimationArray", "Strings"};
    static const char *const shader[] = {"Shader", "AssemblyDX", "AssemblyGL", "AssemblyVGL",
                                         "AssemblyMSL"};
    if (bpx->revision >= FACET_BPX_1) {
        if (type >= 0xFE)
            return type == 0xFF ? "Strings" : "StructuredData";
        if (bpx->type == 'P' && (type == 1 || (type == 2 && bpx->revision == FACET_BPX_2)))
            return type == 1 ? "Data" : "ObjectTable";
        return NULL;
    }
    if (bpx->revision != FACET_BPX_0A)
        return NULL;
    if (bpx->type == 'T')
        return type == FACET_BPX_PIXELS ? "PixelArray" : NULL;
    if (bpx->type == 'M')
        return type < sizeof model / sizeof *model ? model[type] : NULL;
    if (bpx->type == 'S')
        return type < sizeof shader / sizeof *shader ? shader[type] : NULL;
    return NULL;
}
