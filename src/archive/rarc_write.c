/* archive/rarc_write.c - writer of RARC: in the layout of the console maker's tools, or in that of
 * the file with some data replaced. */
#include "archive/archive.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"

#include <inttypes.h>
#include <string.h>

enum {
    MAX_ENTRIES = 0xFFFE,   /* ids have 16 bits, and FFFF is unused */
    MAX_STRINGS = 0xFFFFFF, /* offsets of names have 24 bits */
    HEADERS = 2 * FACET_RARC_HEADER,
    KINDS = 3 /* kinds of memory for files, which determine the order of their data */
};

static int kind_of(uint8_t flags)
{
    return flags & FACET_ARCHIVE_MRAM   ? 0
           : flags & FACET_ARCHIVE_ARAM ? 1
           : flags & FACET_ARCHIVE_DVD  ? 2
                                        : 0;
}

/* -- New tables --------------------------------------------------------- */

/* Data of a folder before its entries are numbered. The root is node 0. */
typedef struct node {
    uint32_t member, parent; /* FACET_NONE: the root's */
    uint32_t name;
    uint32_t count, first, next;
} node;

typedef struct builder {
    const facet_archive *archive;
    facet_arena *arena;
    node *nodes;
    uint32_t node_count, entry_count;
    uint32_t *node_of;  /* per folder member */
    uint32_t *entry_of; /* per member */
    uint32_t *names;    /* per member */
    uint32_t *members;  /* per entry, or FACET_NONE */
    uint64_t *offsets;  /* per member: offset of its data */
    size_t entries_at, strings_at, strings_size, data_at;
    uint64_t kinds[KINDS]; /* size of the data of each kind of memory */
    uint8_t *tables;
} builder;

static uint32_t node_of(const builder *b, uint32_t folder)
{
    return folder == FACET_NONE ? 0 : b->node_of[folder];
}

static facet_status make_space(builder *b, facet_error *error)
{
    const facet_archive *archive = b->archive;
    size_t count = archive->member_count;
    b->node_count = 1;
    for (uint32_t i = 0; i < count; i++)
        b->node_count += facet_archive_is_folder(&archive->members[i]);
    uint64_t entries = (uint64_t)count + 2 * (uint64_t)b->node_count;
    if (entries > MAX_ENTRIES)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the archive has %" PRIu64 " entries, RARC allows %d", entries,
                          MAX_ENTRIES);
    b->entry_count = (uint32_t)entries;
    b->nodes = facet_arena_allocate_zeroed(b->arena, b->node_count, sizeof *b->nodes);
    b->node_of = facet_arena_allocate_zeroed(b->arena, count, sizeof *b->node_of);
    b->entry_of = facet_arena_allocate_zeroed(b->arena, count, sizeof *b->entry_of);
    b->names = facet_arena_allocate_zeroed(b->arena, count, sizeof *b->names);
    b->offsets = facet_arena_allocate_zeroed(b->arena, count, sizeof *b->offsets);
    b->members = facet_arena_allocate(b->arena, b->entry_count, sizeof *b->members);
    if (!b->nodes || !b->node_of || !b->entry_of || !b->names || !b->offsets || !b->members)
        return facet_fail_arena(b->arena, error);
    memset(b->members, 0xFF, b->entry_count * sizeof *b->members);
    return FACET_OK;
}

/* Number nodes in the order of the members. Number entries by node: its children, then "." and
 * "..". */
static void number_entries(builder *b)
{
    const facet_archive *archive = b->archive;
    b->nodes[0] = (node){.member = FACET_NONE, .parent = FACET_NONE, .count = 2};
    for (uint32_t i = 0, nodes = 1; i < archive->member_count; i++) {
        const facet_archive_member *member = &archive->members[i];
        uint32_t parent = node_of(b, member->folder);
        b->nodes[parent].count++;
        if (facet_archive_is_folder(member)) {
            b->node_of[i] = nodes;
            b->nodes[nodes++] = (node){.member = i, .parent = parent, .count = 2};
        }
    }
    for (uint32_t i = 0, first = 0; i < b->node_count; i++) {
        b->nodes[i].first = b->nodes[i].next = first;
        first += b->nodes[i].count;
    }
    for (uint32_t i = 0; i < archive->member_count; i++) {
        b->entry_of[i] = b->nodes[node_of(b, archive->members[i].folder)].next++;
        b->members[b->entry_of[i]] = i;
    }
}

/* Place the names: ".", "..", the root, then all names in the order of the members. So a folder's
 * name comes before those in it. */
static facet_status place_names(builder *b, facet_error *error)
{
    const facet_archive *archive = b->archive;
    size_t used = sizeof "." + sizeof "..";
    b->nodes[0].name = (uint32_t)used;
    used += strlen(archive->name) + 1;
    for (uint32_t i = 0; i < archive->member_count; i++) {
        b->names[i] = (uint32_t)used;
        used += strlen(archive->members[i].name) + 1;
        if (used > MAX_STRINGS)
            return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                              "more than %d bytes of names", MAX_STRINGS);
        if (facet_archive_is_folder(&archive->members[i]))
            b->nodes[b->node_of[i]].name = b->names[i];
    }
    b->strings_size = facet_align_up(used, FACET_ARCHIVE_ALIGNMENT);
    b->entries_at =
        HEADERS + facet_align_up((size_t)b->node_count * FACET_RARC_NODE, FACET_ARCHIVE_ALIGNMENT);
    b->strings_at = b->entries_at + facet_align_up((size_t)b->entry_count * FACET_RARC_ENTRY,
                                                   FACET_ARCHIVE_ALIGNMENT);
    b->data_at = b->strings_at + b->strings_size;
    return FACET_OK;
}

/* The file of an entry if it has this kind, or NULL. */
static const facet_archive_member *file_at(const builder *b, uint32_t entry, int kind)
{
    if (b->members[entry] == FACET_NONE)
        return NULL;
    const facet_archive_member *member = &b->archive->members[b->members[entry]];
    bool wanted = !facet_archive_is_folder(member) && kind_of(member->flags) == kind;
    return wanted ? member : NULL;
}

/* Place files by kind of memory, each kind in the order of the entries. */
static facet_status place_data(builder *b, facet_error *error)
{
    facet_places places;
    if (!facet_places_make(&places, b->arena, b->archive->member_count))
        return facet_fail_arena(b->arena, error);
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t start = places.end;
        for (uint32_t i = 0; i < b->entry_count; i++) {
            const facet_archive_member *member = file_at(b, i, kind);
            if (member &&
                !facet_places_take(&places, member, (size_t)kind, &b->offsets[b->members[i]]))
                return facet_fail_arena(b->arena, error);
        }
        b->kinds[kind] = places.end - start;
    }
    if (places.end + b->data_at > UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the archive has %" PRIu64 " bytes of data, RARC allows 4 GiB",
                          places.end);
    return FACET_OK;
}

/* -- New bytes ---------------------------------------------------------- */

static void put_header(const builder *b, uint16_t next_id)
{
    uint8_t *to = b->tables;
    uint64_t data = b->kinds[0] + b->kinds[1] + b->kinds[2];
    memcpy(to, "RARC", 4);
    facet_store_u32be(to + 0x04, (uint32_t)(b->data_at + data));
    facet_store_u32be(to + 0x08, FACET_RARC_HEADER);
    facet_store_u32be(to + 0x0C, (uint32_t)(b->data_at - FACET_RARC_HEADER));
    facet_store_u32be(to + 0x10, (uint32_t)data);
    facet_store_u32be(to + 0x14, (uint32_t)b->kinds[0]);
    facet_store_u32be(to + 0x18, (uint32_t)b->kinds[1]);
    facet_store_u32be(to + 0x20, b->node_count);
    facet_store_u32be(to + 0x24, HEADERS - FACET_RARC_HEADER);
    facet_store_u32be(to + 0x28, b->entry_count);
    facet_store_u32be(to + 0x2C, (uint32_t)(b->entries_at - FACET_RARC_HEADER));
    facet_store_u32be(to + 0x30, (uint32_t)b->strings_size);
    facet_store_u32be(to + 0x34, (uint32_t)(b->strings_at - FACET_RARC_HEADER));
    facet_store_u16be(to + 0x38, next_id);
    to[0x3A] = b->archive->synced;
}

static void put_entry(const builder *b, uint32_t index, uint16_t id, const char *name,
                      uint8_t flags, uint32_t name_at, uint32_t offset, uint32_t size)
{
    uint8_t *to = b->tables + b->entries_at + (size_t)index * FACET_RARC_ENTRY;
    facet_store_u16be(to, id);
    facet_store_u16be(to + 2, facet_rarc_hash(name));
    facet_store_u32be(to + 4, (uint32_t)flags << 24 | name_at);
    facet_store_u32be(to + 8, offset);
    facet_store_u32be(to + 12, size);
}

static void put_nodes(const builder *b)
{
    enum { FOLDER_SIZE = 0x10 };
    for (uint32_t i = 0; i < b->node_count; i++) {
        const node *n = &b->nodes[i];
        const char *name = i == 0 ? b->archive->name : b->archive->members[n->member].name;
        uint8_t *to = b->tables + HEADERS + (size_t)i * FACET_RARC_NODE;
        facet_rarc_type(i == 0 ? "root" : name, to);
        facet_store_u32be(to + 4, n->name);
        facet_store_u16be(to + 8, facet_rarc_hash(name));
        facet_store_u16be(to + 10, (uint16_t)n->count);
        facet_store_u32be(to + 12, n->first);
        uint32_t dots = n->first + n->count - 2;
        put_entry(b, dots, 0xFFFF, ".", FACET_ARCHIVE_FOLDER, 0, i, FOLDER_SIZE);
        put_entry(b, dots + 1, 0xFFFF, "..", FACET_ARCHIVE_FOLDER, sizeof ".", n->parent,
                  FOLDER_SIZE);
    }
}

static uint16_t put_members(const builder *b)
{
    const facet_archive *archive = b->archive;
    uint16_t next_id = archive->synced ? (uint16_t)b->entry_count : archive->next_id;
    for (uint32_t i = 0; i < archive->member_count; i++) {
        const facet_archive_member *member = &archive->members[i];
        uint32_t index = b->entry_of[i];
        if (facet_archive_is_folder(member)) {
            put_entry(b, index, 0xFFFF, member->name, member->flags, b->names[i], b->node_of[i],
                      0x10);
            continue;
        }
        uint16_t id = archive->synced                                       ? (uint16_t)index
                      : member->entry == FACET_NONE && member->id == 0xFFFF ? next_id++
                                                                            : member->id;
        put_entry(b, index, id, member->name, member->flags, b->names[i], (uint32_t)b->offsets[i],
                  (uint32_t)member->size);
    }
    return next_id;
}

static void put_strings(const builder *b)
{
    char *to = (char *)b->tables + b->strings_at;
    memcpy(to, ".\0..", sizeof ".\0..");
    memcpy(to + b->nodes[0].name, b->archive->name, strlen(b->archive->name));
    for (uint32_t i = 0; i < b->archive->member_count; i++)
        memcpy(to + b->names[i], b->archive->members[i].name, strlen(b->archive->members[i].name));
}

/* Write the data in the order of offsets, each once. */
static void put_data(const builder *b, facet_output *output)
{
    uint64_t at = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        for (uint32_t i = 0; i < b->entry_count; i++) {
            const facet_archive_member *member = file_at(b, i, kind);
            if (!member || member->size == 0 || b->offsets[b->members[i]] != at)
                continue;
            facet_archive_put_data(member, output);
            at += facet_align_up(member->size, FACET_ARCHIVE_ALIGNMENT);
        }
    }
}

static void tell_of_numbers(const builder *b, facet_report *report)
{
    facet_tally moved = {0};
    for (uint32_t i = 0; i < b->archive->member_count; i++) {
        const facet_archive_member *member = &b->archive->members[i];
        if (!facet_archive_is_folder(member) && member->entry != FACET_NONE &&
            member->entry != b->entry_of[i])
            facet_tally_hit(&moved, i);
    }
    if (moved.count == 0)
        return;
    const facet_archive_member *first = &b->archive->members[moved.first];
    facet_quoted quoted;
    facet_report_add_tally(
        report, "ARCHIVE-NUMBERS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &moved,
        "'%s' moves from entry %" PRIu32 " to %" PRIu32 "; games may refer to entries by number",
        facet_quote(&quoted, first->name, strlen(first->name)), first->entry,
        b->entry_of[moved.first]);
}

static facet_status write_new(const facet_archive *archive, facet_arena *arena,
                              facet_report *report, facet_output *output, facet_error *error)
{
    builder b = {.archive = archive, .arena = arena};
    TRY(make_space(&b, error));
    number_entries(&b);
    TRY(place_names(&b, error));
    TRY(place_data(&b, error));
    b.tables = facet_arena_allocate_zeroed(arena, b.data_at, 1);
    if (!b.tables)
        return facet_fail_arena(arena, error);
    put_nodes(&b);
    uint16_t next_id = put_members(&b);
    put_header(&b, next_id);
    put_strings(&b);
    facet_output_write(output, b.tables, b.data_at);
    put_data(&b, output);
    tell_of_numbers(&b, report);
    return FACET_OK;
}

/* -- Unchanged tables --------------------------------------------------- */

/* Collect every file of the table, also those outside of all folders. */
static facet_status collect(const facet_archive *archive, const facet_rarc *rarc,
                            facet_arena *arena, facet_extent **extents, size_t *count,
                            facet_error *error)
{
    facet_extent *all = facet_arena_allocate(arena, rarc->entry_count, sizeof *all);
    uint32_t *members = facet_arena_allocate(arena, rarc->entry_count, sizeof *members);
    if (!all || !members)
        return facet_fail_arena(arena, error);
    memset(members, 0xFF, rarc->entry_count * sizeof *members);
    for (uint32_t i = 0; i < archive->member_count; i++) {
        if (archive->members[i].entry < rarc->entry_count)
            members[archive->members[i].entry] = i;
    }
    *count = 0;
    for (uint32_t i = 0; i < rarc->entry_count; i++) {
        facet_rarc_entry entry = facet_rarc_entry_at(rarc, i);
        uint64_t offset = (uint64_t)entry.offset + rarc->start;
        const facet_archive_member *member =
            members[i] == FACET_NONE ? NULL : &archive->members[members[i]];
        if ((entry.flags & FACET_ARCHIVE_FOLDER) ||
            !facet_range_fits(offset, entry.size, 1, rarc->size))
            continue;
        bool replaced = member && member->replaced;
        all[(*count)++] = (facet_extent){.entry = i,
                                         .offset = offset,
                                         .size = entry.size,
                                         .replaced = replaced,
                                         .data = replaced ? member->data : NULL,
                                         .new_size = replaced ? member->size : entry.size};
    }
    *extents = all;
    return FACET_OK;
}

static void add_to(uint8_t *field, int64_t change)
{
    facet_store_u32be(field, (uint32_t)(facet_load_u32be(field) + change));
}

/* True if the tables are before the data and do not overlap. Otherwise a new number in one could
 * change another. No known program writes such files. */
static bool tables_stand_apart(const facet_rarc *rarc)
{
    const uint8_t *head_end = rarc->data + 2 * (size_t)FACET_RARC_HEADER;
    const uint8_t *files = rarc->data + rarc->start, *strings = (const uint8_t *)rarc->strings;
    const uint8_t *nodes_end = rarc->nodes + (size_t)rarc->node_count * FACET_RARC_NODE;
    const uint8_t *entries_end = rarc->entries + (size_t)rarc->entry_count * FACET_RARC_ENTRY;
    const uint8_t *strings_end = strings + rarc->strings_size;
    return nodes_end <= files && entries_end <= files && strings_end <= files &&
           rarc->nodes >= head_end && rarc->entries >= head_end && strings >= head_end &&
           (nodes_end <= rarc->entries || entries_end <= rarc->nodes) &&
           (strings_end <= rarc->entries || entries_end <= strings);
}

static facet_status write_patched(const facet_archive *archive, const facet_rarc *rarc,
                                  facet_arena *arena, facet_output *output, facet_error *error)
{
    facet_extent *extents = NULL;
    size_t count = 0;
    facet_data_area area;
    TRY(collect(archive, rarc, arena, &extents, &count, error));
    TRY(facet_extents_replace(extents, count, rarc->data, rarc->start, rarc->size, arena, &area,
                              error));
    if (area.end > UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the archive has %" PRIu64 " bytes, RARC allows 4 GiB", area.end);
    uint8_t *tables = facet_arena_allocate(arena, rarc->start, 1);
    if (!tables)
        return facet_fail_arena(arena, error);
    memcpy(tables, rarc->data, rarc->start);
    for (uint32_t i = 0; i < archive->member_count; i++) { /* the compression can change */
        const facet_archive_member *member = &archive->members[i];
        if (member->replaced && member->entry < rarc->entry_count)
            tables[(rarc->entries - rarc->data) + (size_t)member->entry * FACET_RARC_ENTRY + 4] =
                member->flags;
    }
    int64_t growth = (int64_t)area.end - (int64_t)rarc->size;
    add_to(tables + 0x04, growth);
    add_to(tables + 0x10, growth);
    for (size_t i = 0; i < count; i++) {
        const facet_extent *extent = &extents[i];
        uint8_t *to =
            tables + (rarc->entries - rarc->data) + (size_t)extent->entry * FACET_RARC_ENTRY;
        size_t kind = (size_t)kind_of(to[4]);
        facet_store_u32be(to + 8, (uint32_t)(extent->new_offset - rarc->start));
        facet_store_u32be(to + 12, (uint32_t)extent->new_size);
        /* Some tools store a third sum, where others have 0. */
        if (kind < 2 || facet_load_u32be(tables + 0x1C) != 0)
            add_to(tables + 0x14 + 4 * kind, extent->growth);
    }
    facet_output_write(output, tables, rarc->start);
    facet_data_area_write(&area, output);
    return FACET_OK;
}

facet_status facet_rarc_write(const facet_archive *archive, const facet_options *options,
                              facet_output *output, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_status status = FACET_OK;
    facet_rarc rarc;
    if (archive->bytes && !archive->rearranged &&
        facet_rarc_view(archive->bytes, archive->size, &rarc, NULL) == FACET_OK &&
        tables_stand_apart(&rarc))
        status = write_patched(archive, &rarc, arena, output, error);
    else
        status = write_new(archive, arena, options ? options->report : NULL, output, error);
    facet_arena_free(arena);
    return status;
}
