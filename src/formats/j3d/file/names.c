/* formats/j3d/file/names.c - name tables and their hashes. */
#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/sections.h"
#include "formats/j3d/file/writer.h"

#include "base/arena.h"

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

/* Names can share bytes. This limit keeps the total size linear in the file size. */
#define LONGEST_NAME 1023

static bool ends(const uint8_t *table, size_t offset, size_t size)
{
    if (offset >= size)
        return false;
    size_t left = size - offset;
    return memchr(table + offset, 0, left > LONGEST_NAME ? LONGEST_NAME + 1 : left) != NULL;
}

facet_status facet_j3d_load_names(facet_arena *arena, const uint8_t *table, size_t size,
                                  uint64_t offset, const facet_j3d_name_rules *rules,
                                  facet_j3d_names *names, facet_error *error)
{
    uint16_t count = size >= HEAD ? facet_load_u16be(table) : 0;
    if (size < HEAD || !facet_range_fits(HEAD, count, ENTRY, size))
        return facet_fail(error, FACET_ERROR_MALFORMED, rules->table, offset,
                          "a table of %u names runs over the end of the section", (unsigned)count);
    facet_j3d_name *items = facet_arena_allocate(arena, count, sizeof *items);
    if (!items)
        return facet_fail_arena(arena, error);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = table + HEAD + (size_t)i * ENTRY;
        uint16_t place = facet_load_u16be(entry + 2);
        if (!ends(table, place, size))
            return facet_fail(error, FACET_ERROR_MALFORMED, rules->string,
                              offset + HEAD + (uint64_t)i * ENTRY,
                              "name %" PRIu32 " does not end in the section, or has more than "
                              "%d bytes",
                              i, LONGEST_NAME);
        items[i].hash = facet_load_u16be(entry);
        items[i].bytes = (const char *)table + place;
    }
    names->items = count > 0 ? items : NULL;
    names->count = count;
    return FACET_OK;
}

facet_status facet_j3d_read_names(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                  uint32_t field, facet_j3d_names *names)
{
    static const facet_j3d_name_rules rules = {"J3D-NAMES-TABLE", "J3D-NAMES-STRING"};
    const facet_j3d_section *section = &reader->sections[kind];
    uint32_t table = facet_load_u32be(section->bytes + field);
    if (table == 0)
        return FACET_OK;
    if (!facet_range_fits(table, 1, HEAD, section->size))
        return facet_j3d_fault(reader, kind, field, rules.table,
                               "the table of names at 0x%" PRIX32 " is outside the section", table);
    return facet_j3d_load_names(reader->arena, section->bytes + table, section->size - table,
                                section->offset + table, &rules, names, reader->error);
}

/* -- Writing ------------------------------------------------------------ */

facet_status facet_j3d_put_names(facet_j3d_writer *writer, const facet_j3d_names *names,
                                 size_t field)
{
    TRY(facet_j3d_fits_u16(writer, names->count, "J3D-NAMES-TABLE", "names"));
    facet_j3d_patch_to_position(writer, field);
    facet_j3d_put_u16(writer, (uint16_t)names->count);
    facet_j3d_put_u16(writer, 0xFFFF);
    size_t offset = HEAD + (size_t)names->count * ENTRY;
    for (uint32_t i = 0; i < names->count; i++) {
        size_t size = strlen(names->items[i].bytes);
        if (size > LONGEST_NAME)
            return facet_fail(writer->error, FACET_ERROR_LIMIT, "J3D-NAMES-SIZE", FACET_NO_OFFSET,
                              "name %" PRIu32 " of a table has %zu bytes, expected at most %d", i,
                              size, LONGEST_NAME);
        if (offset > UINT16_MAX)
            return facet_fail(writer->error, FACET_ERROR_LIMIT, "J3D-NAMES-SIZE", FACET_NO_OFFSET,
                              "the names of one table have more than 65,535 bytes together");
        facet_j3d_put_u16(writer, names->items[i].hash);
        facet_j3d_put_u16(writer, (uint16_t)offset);
        offset += size + 1;
    }
    for (uint32_t i = 0; i < names->count; i++)
        facet_j3d_put(writer, names->items[i].bytes, strlen(names->items[i].bytes) + 1);
    return FACET_OK;
}
