/* j3d/file/names.c - name tables and their hashes. */
#include "j3d/file/reader.h"
#include "j3d/file/writer.h"

#include <inttypes.h>
#include <string.h>

#define HEAD 4
#define ENTRY 4

uint16_t facet_j3d_hash(const char *bytes)
{
    uint16_t hash = 0;
    for (; *bytes; bytes++)
        hash = (uint16_t)(hash * 3 + (int8_t)*bytes);
    return hash;
}

/* -- Reading ------------------------------------------------------------ */

/* Names may share their bytes: with this limit all of them together are still
 * linear in the file. */
#define LONGEST_NAME 1023

static bool ends(const uint8_t *table, size_t offset, size_t size)
{
    if (offset >= size)
        return false;
    size_t left = size - offset;
    return memchr(table + offset, 0, left > LONGEST_NAME ? LONGEST_NAME + 1 : left) != NULL;
}

facet_status facet_j3d_read_names(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                  uint32_t field, facet_j3d_names *names)
{
    const facet_j3d_section *section = &reader->sections[kind];
    uint32_t table = facet_load_u32be(section->bytes + field);
    if (table == 0)
        return FACET_OK;
    if (!facet_range_fits(table, 1, HEAD, section->size))
        return facet_j3d_fault(reader, kind, field, "J3D-NAMES-TABLE",
                               "the table of names at 0x%" PRIX32 " is outside the section", table);
    const uint8_t *at = section->bytes + table;
    uint16_t count = facet_load_u16be(at);
    size_t left = section->size - table;
    if (!facet_range_fits(HEAD, count, ENTRY, left))
        return facet_j3d_fault(reader, kind, table, "J3D-NAMES-TABLE",
                               "a table of %u names runs over the end of the section",
                               (unsigned)count);
    facet_status status = facet_j3d_make(reader, count, sizeof *names->items, &names->items);
    for (uint32_t i = 0; !status && i < count; i++) {
        const uint8_t *entry = at + HEAD + (size_t)i * ENTRY;
        uint16_t offset = facet_load_u16be(entry + 2);
        if (!ends(at, offset, left))
            return facet_j3d_fault(reader, kind, table + HEAD + i * ENTRY, "J3D-NAMES-STRING",
                                   "name %" PRIu32 " does not end in the section, or has more than "
                                   "%d bytes",
                                   i, LONGEST_NAME);
        names->items[i].hash = facet_load_u16be(entry);
        names->items[i].bytes = (const char *)at + offset;
    }
    if (!status)
        names->count = count;
    return status;
}

/* -- Writing ------------------------------------------------------------ */

facet_status facet_j3d_put_names(facet_j3d_writer *writer, const facet_j3d_names *names,
                                 size_t field)
{
    facet_status status = facet_j3d_fits_u16(writer, names->count, "J3D-NAMES-TABLE", "names");
    if (status)
        return status;
    facet_j3d_patch_here(writer, field);
    facet_j3d_put_u16(writer, (uint16_t)names->count);
    facet_j3d_put_u16(writer, 0xFFFF);
    size_t offset = HEAD + (size_t)names->count * ENTRY;
    for (uint32_t i = 0; i < names->count; i++) {
        if (offset > UINT16_MAX)
            return facet_fail(writer->error, FACET_ERROR_LIMIT, "J3D-NAMES-SIZE", FACET_NO_OFFSET,
                              "the names of one table have more than 65,535 bytes together");
        facet_j3d_put_u16(writer, names->items[i].hash);
        facet_j3d_put_u16(writer, (uint16_t)offset);
        offset += strlen(names->items[i].bytes) + 1;
    }
    for (uint32_t i = 0; i < names->count; i++)
        facet_j3d_put(writer, names->items[i].bytes, strlen(names->items[i].bytes) + 1);
    return FACET_OK;
}
