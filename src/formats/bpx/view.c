/* formats/bpx/view.c - detection of the revision; header, table and checksums. */
#include "base/crc32.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <string.h>

/* -- Revisions ---------------------------------------------------------- */

typedef struct header {
    const char *name;
    uint8_t header_size, entry_size;
    uint8_t extension_at, extension_size;
} header;

static const header headers[] = {
    {"0-A", 24, 16, 0x13, 5},  {"0-B", 32, 16, 0x18, 8}, {"0-C", 40, 16, 0x18, 16},
    {"0-D", 40, 24, 0x18, 16}, {"1", 40, 24, 0x18, 16},  {"2", 40, 24, 0x18, 16},
};

const char *facet_bpx_revision_name(facet_bpx_revision revision)
{
    return headers[revision].name;
}

static uint32_t count_in(const uint8_t *data, facet_bpx_revision revision)
{
    return revision == FACET_BPX_0A ? facet_load_u16le(data + 0x10) : facet_load_u32le(data + 0x10);
}

/* Fill *layout for a revision; false if its table does not fit. */
static bool take(const uint8_t *data, size_t size, facet_bpx_revision revision,
                 facet_bpx_layout *layout)
{
    const header *l = &headers[revision];
    if (size < l->header_size)
        return false;
    memset(layout, 0, sizeof *layout);
    layout->data = data;
    layout->size = size;
    layout->revision = revision;
    layout->type = (char)data[3];
    layout->checksum = facet_load_u32le(data + 4);
    layout->file_size = facet_load_u64le(data + 8);
    layout->section_count = count_in(data, revision);
    layout->table_offset = l->header_size;
    layout->entry_size = l->entry_size;
    layout->extension_size = l->extension_size;
    memcpy(layout->extension, data + l->extension_at, l->extension_size);
    return facet_range_fits(l->header_size, layout->section_count, l->entry_size, size);
}

/* -- Sections ----------------------------------------------------------- */

static bool is_xz(const uint8_t *bytes, size_t size)
{
    return size >= 6 && memcmp(bytes,
                               "\xFD"
                               "7zXZ\0",
                               6) == 0;
}

/* Bit 0x02 is zlib in version 0 up to 0-D, and XZ later; 0x01 is zlib from 0-F. */
static facet_bpx_compression compression_of(const facet_bpx_layout *layout,
                                            const facet_bpx_section *s)
{
    if (layout->entry_size == FACET_BPX_ENTRY_SIZE)
        return s->flags & FACET_BPX_FLAG_COMPRESSED ? FACET_BPX_ZLIB : FACET_BPX_PLAIN;
    if (!(s->flags & 0x03))
        return FACET_BPX_PLAIN;
    if (is_xz(s->stored, s->available))
        return FACET_BPX_XZ;
    return s->flags & 0x01 || layout->revision == FACET_BPX_0D ? FACET_BPX_ZLIB : FACET_BPX_XZ;
}

facet_bpx_section facet_bpx_section_at(const facet_bpx_layout *layout, uint32_t index)
{
    const uint8_t *entry = layout->data + layout->table_offset + (size_t)index * layout->entry_size;
    facet_bpx_section s;
    memset(&s, 0, sizeof s);
    s.index = index;
    s.offset = facet_load_u64le(entry);
    s.stored_size = facet_load_u32le(entry + 8);
    if (layout->entry_size == FACET_BPX_ENTRY_SIZE) {
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
    uint64_t start = s.offset < layout->size ? s.offset : layout->size;
    uint64_t left = layout->size - start;
    s.stored = layout->data + start;
    s.available = (size_t)(s.stored_size < left ? s.stored_size : left);
    s.compression = compression_of(layout, &s);
    return s;
}

static uint64_t end_of_table(const facet_bpx_layout *layout)
{
    return layout->table_offset + (uint64_t)layout->section_count * layout->entry_size;
}

/* True for an invalid section size. Only a compressed section of 0-A can have a size beyond the
 * file: its inflated size. */
static bool leaves_file(const facet_bpx_layout *layout, const facet_bpx_section *s)
{
    bool inflated =
        layout->revision == FACET_BPX_0A && s->compression == FACET_BPX_ZLIB && s->available > 0;
    return s->offset > layout->size || (s->available < s->stored_size && !inflated);
}

const char *facet_bpx_place_fault(const facet_bpx_layout *layout, uint32_t index,
                                  facet_error *error)
{
    facet_bpx_section s = facet_bpx_section_at(layout, index);
    uint64_t at = layout->table_offset + (uint64_t)index * layout->entry_size;
    if (leaves_file(layout, &s)) {
        facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SECTION-BOUNDS", at,
                   "section %" PRIu32 " has %" PRIu32 " bytes at offset %" PRIu64
                   ", which leave the file's %zu bytes",
                   index + 1, s.stored_size, s.offset, layout->size);
        return "BPX-SECTION-BOUNDS";
    }
    if (s.stored_size > 0 && s.offset < end_of_table(layout)) {
        facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SECTION-IN-HEADER", at,
                   "section %" PRIu32 " begins at offset %" PRIu64
                   ", inside header and table, which end at %" PRIu64,
                   index + 1, s.offset, end_of_table(layout));
        return "BPX-SECTION-IN-HEADER";
    }
    return NULL;
}

/* -- Checksums ---------------------------------------------------------- */

static uint32_t byte_sum(const uint8_t *data, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += data[i];
    return sum;
}

/* A CRC by the table of the library of versions 1 and 2, which uses one shift instead of eight. */
static uint32_t crc_one_step(const uint8_t *data, size_t size)
{
    uint32_t r = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        uint32_t index = (r ^ data[i]) & 255;
        r = (r >> 8) ^ (index >> 1) ^ (index & 1 ? 0xEDB88320u : 0);
    }
    return ~r;
}

static facet_bpx_sum verify_crc(const facet_bpx_layout *layout)
{
    static const uint8_t zeros[4] = {0};
    uint32_t head = facet_crc32(0, layout->data, 4);
    uint32_t crc = facet_crc32(head, layout->data + 8, layout->size - 8);
    if (crc == layout->checksum)
        return FACET_BPX_SUM_RIGHT;
    if (layout->checksum == 0)
        return FACET_BPX_SUM_ABSENT;
    head = facet_crc32(head, zeros, 4);
    crc = facet_crc32(head, layout->data + 8, layout->size - 8);
    return crc == layout->checksum ? FACET_BPX_SUM_ZEROED : FACET_BPX_SUM_WRONG;
}

facet_bpx_sum facet_bpx_file_sum(const facet_bpx_layout *layout)
{
    if (layout->revision < FACET_BPX_0D)
        return verify_crc(layout);
    size_t table = (size_t)layout->section_count * layout->entry_size;
    uint32_t sum =
        byte_sum(layout->data, 4) + byte_sum(layout->data + 8, layout->table_offset - 8 + table);
    if (sum == layout->checksum)
        return FACET_BPX_SUM_RIGHT;
    return layout->checksum == 0 ? FACET_BPX_SUM_ABSENT : FACET_BPX_SUM_WRONG;
}

facet_bpx_sum facet_bpx_section_sum(const facet_bpx_layout *layout,
                                    const facet_bpx_section *section, const uint8_t *contents,
                                    size_t size)
{
    if (layout->revision < FACET_BPX_1 || !(section->flags & 0x0C))
        return FACET_BPX_SUM_RIGHT;
    if (section->flags & 0x08)
        return byte_sum(contents, size) == section->checksum ? FACET_BPX_SUM_RIGHT
                                                             : FACET_BPX_SUM_WRONG;
    if (facet_crc32(0, contents, size) == section->checksum)
        return FACET_BPX_SUM_RIGHT;
    return crc_one_step(contents, size) == section->checksum ? FACET_BPX_SUM_ONE_STEP
                                                             : FACET_BPX_SUM_WRONG;
}

/* -- Detection --------------------------------------------------------- */

/* True if the table is valid. Empty sections must be after it also: zeros in a longer header are
 * not entries. */
static bool whole(const facet_bpx_layout *layout)
{
    uint64_t end = end_of_table(layout);
    for (uint32_t i = 0; i < layout->section_count; i++) {
        facet_bpx_section s = facet_bpx_section_at(layout, i);
        if (s.offset < end || s.reserved != 0 || leaves_file(layout, &s))
            return false;
    }
    return true;
}

/* True for version 0 with a valid table and the stated size. */
static bool is_first(const uint8_t *data, size_t size, facet_bpx_layout *layout)
{
    return data[0x12] == 0 && take(data, size, FACET_BPX_0A, layout) && whole(layout) &&
           layout->file_size == size - FACET_BPX_HEADER_SIZE;
}

/* True for versions 1 and 2, which have a magic. A version 0 with a similar extension has a wrong
 * checksum, or else an invalid table. If both fit, version 0's checksum of the whole file decides.
 * This is rare, because a file of version 1 or 2 has another size at that position. */
static bool is_later(const uint8_t *data, size_t size, facet_bpx_layout *layout)
{
    facet_bpx_layout first;
    uint32_t version = size >= 40 ? facet_load_u32le(data + 0x14) : 0;
    if (version != 1 && version != 2)
        return false;
    if (!take(data, size, version == 1 ? FACET_BPX_1 : FACET_BPX_2, layout))
        return false;
    if (facet_bpx_file_sum(layout) != FACET_BPX_SUM_RIGHT && !whole(layout))
        return false;
    return !is_first(data, size, &first) || facet_bpx_file_sum(&first) != FACET_BPX_SUM_RIGHT;
}

facet_status facet_bpx_view_header(const uint8_t *data, size_t size, facet_bpx_layout *layout,
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
    if (is_later(data, size, layout))
        return FACET_OK;
    for (int revision = FACET_BPX_0A; revision <= FACET_BPX_0D; revision++) {
        if (revision == FACET_BPX_0A && data[0x12] != 0)
            continue;
        if (take(data, size, (facet_bpx_revision)revision, layout) && whole(layout))
            return FACET_OK;
    }
    /* A damaged version 0: the stated file size matches. */
    if (data[0x12] != 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-VERSION", 0x12,
                          "unknown revision: version %u, and no later table layout fits",
                          data[0x12]);
    if (!take(data, size, FACET_BPX_0A, layout))
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-TABLE-BOUNDS", 0x10,
                          "a table of %" PRIu32 " sections does not fit into the file's %zu bytes",
                          layout->section_count, size);
    return FACET_OK;
}

facet_status facet_bpx_view(const uint8_t *data, size_t size, facet_bpx_layout *layout,
                            facet_error *error)
{
    facet_bpx_layout found;
    TRY(facet_bpx_view_header(data, size, &found, error));
    for (uint32_t i = 0; i < found.section_count; i++) {
        if (facet_bpx_place_fault(&found, i, error))
            return FACET_ERROR_MALFORMED;
    }
    *layout = found;
    return FACET_OK;
}

/* -- Names -------------------------------------------------------------- */

const char *facet_bpx_section_name(facet_bpx_revision revision, char file_type, uint8_t type)
{
    static const char *const model[] = {"VertexFormat", "VertexArray",    "BoneArray",
                                        "FrameArray",   "AnimationArray", "Strings"};
    static const char *const shader[] = {"Shader", "AssemblyDX", "AssemblyGL", "AssemblyVGL",
                                         "AssemblyMSL"};
    if (revision >= FACET_BPX_1) {
        if (type >= 0xFE)
            return type == 0xFF ? "Strings" : "StructuredData";
        if (file_type == 'P' && (type == 1 || (type == 2 && revision == FACET_BPX_2)))
            return type == 1 ? "Data" : "ObjectTable";
        return NULL;
    }
    if (revision != FACET_BPX_0A)
        return NULL;
    if (file_type == 'T')
        return type == FACET_BPX_PIXELS ? "PixelArray" : NULL;
    if (file_type == 'M')
        return type < sizeof model / sizeof *model ? model[type] : NULL;
    if (file_type == 'S')
        return type < sizeof shader / sizeof *shader ? shader[type] : NULL;
    return NULL;
}
