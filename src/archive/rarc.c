/* archive/rarc.c - RARC: its tables, and the members in them. */
#include "archive/archive.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"

#include <inttypes.h>
#include <string.h>

/* -- Tables ------------------------------------------------------------- */

bool facet_rarc_begins(const uint8_t *data, size_t size)
{
    return size >= 4 && memcmp(data, "RARC", 4) == 0;
}

/* Find a table. The info block has its offset, relative to itself. */
static facet_status take_table(const facet_rarc *rarc, const char *what, size_t at, uint64_t count,
                               uint64_t size, const uint8_t **table, facet_error *error)
{
    uint64_t offset = (uint64_t)facet_load_u32be(rarc->data + at) + FACET_RARC_HEADER;
    if (!facet_range_fits(offset, count, size, rarc->size))
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR10", at,
                          "%" PRIu64 " %s of %" PRIu64 " bytes at %" PRIu64
                          " do not fit into %zu bytes",
                          count, what, size, offset, rarc->size);
    *table = rarc->data + offset;
    return FACET_OK;
}

facet_status facet_rarc_view(const uint8_t *data, size_t size, facet_rarc *rarc, facet_error *error)
{
    facet_rarc r = {.data = data, .size = size};
    const uint8_t *strings = NULL, *files = NULL;
    if (!facet_rarc_begins(data, size))
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-UNKNOWN", 0,
                          "the file does not begin with 'RARC'");
    if (size < 2 * FACET_RARC_HEADER)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR10", size,
                          "the file has %zu bytes, expected at least %d for its headers", size,
                          2 * FACET_RARC_HEADER);
    if (facet_load_u32be(data + 8) != FACET_RARC_HEADER)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR10", 8,
                          "the header has %" PRIu32 " bytes, expected %d",
                          facet_load_u32be(data + 8), FACET_RARC_HEADER);
    r.node_count = facet_load_u32be(data + 0x20);
    r.entry_count = facet_load_u32be(data + 0x28);
    r.strings_size = facet_load_u32be(data + 0x30);
    TRY(take_table(&r, "nodes", 0x24, r.node_count, FACET_RARC_NODE, &r.nodes, error));
    TRY(take_table(&r, "entries", 0x2C, r.entry_count, FACET_RARC_ENTRY, &r.entries, error));
    TRY(take_table(&r, "strings", 0x34, r.strings_size, 1, &strings, error));
    TRY(take_table(&r, "files", 0x0C, 0, 1, &files, error));
    if (r.node_count == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR10", 0x20, "the root node is missing");
    r.strings = (const char *)strings;
    r.start = (size_t)(files - data);
    *rarc = r;
    return FACET_OK;
}

facet_rarc_entry facet_rarc_entry_at(const facet_rarc *rarc, uint32_t index)
{
    const uint8_t *at = rarc->entries + (size_t)index * FACET_RARC_ENTRY;
    return (facet_rarc_entry){.id = facet_load_u16be(at),
                              .hash = facet_load_u16be(at + 2),
                              .flags = at[4],
                              .name = facet_load_u32be(at + 4) & 0xFFFFFF,
                              .offset = facet_load_u32be(at + 8),
                              .size = facet_load_u32be(at + 12)};
}

const char *facet_rarc_string(const facet_rarc *rarc, uint32_t offset)
{
    if (offset >= rarc->strings_size)
        return NULL;
    const char *text = rarc->strings + offset;
    return memchr(text, '\0', rarc->strings_size - offset) ? text : NULL;
}

bool facet_rarc_is_dots(const facet_rarc_entry *entry, const char *name)
{
    return (entry->flags & FACET_ARCHIVE_FOLDER) &&
           (strcmp(name, ".") == 0 || strcmp(name, "..") == 0);
}

uint16_t facet_rarc_hash(const char *name)
{
    uint16_t hash = 0;
    for (; *name; name++)
        hash = (uint16_t)(hash * 3 + (uint8_t)*name);
    return hash;
}

void facet_rarc_type(const char *name, uint8_t type[4])
{
    for (int i = 0; i < 4; i++) {
        type[i] = (uint8_t)(*name ? *name : ' ');
        if (type[i] >= 'a' && type[i] <= 'z')
            type[i] = (uint8_t)(type[i] - 'a' + 'A');
        name += *name != '\0';
    }
}

/* -- Members ------------------------------------------------------------ */

/* A folder whose entries are being read. */
typedef struct frame {
    uint32_t next, end;
    uint32_t folder; /* its member */
} frame;

typedef struct reader {
    facet_rarc rarc;
    facet_archive *archive;
    uint8_t *node_seen, *entry_seen;
    uint32_t strings_known; /* size of the table up to its last NUL */
    frame frames[FACET_ARCHIVE_MAX_DEPTH + 1];
    unsigned depth;
} reader;

static facet_status name_at(const reader *r, uint32_t offset, uint64_t at, const char **name,
                            facet_error *error)
{
    /* Every string before the last NUL ends inside the table. */
    if (offset >= r->strings_known)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR13", at,
                          "the name at %" PRIu32 " does not end in a string table of %zu bytes",
                          offset, r->rarc.strings_size);
    *name = r->rarc.strings + offset;
    return FACET_OK;
}

static facet_status enter(reader *r, uint32_t node, uint32_t folder, uint64_t at,
                          facet_error *error)
{
    const facet_rarc *rarc = &r->rarc;
    if (node >= rarc->node_count || r->node_seen[node])
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR19", at,
                          "a folder refers to node %" PRIu32 ", %s", node,
                          node < rarc->node_count ? "like another folder" : "which does not exist");
    if (r->depth > FACET_ARCHIVE_MAX_DEPTH)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, at,
                          "folders are nested more than %d deep", FACET_ARCHIVE_MAX_DEPTH);
    const uint8_t *record = rarc->nodes + (size_t)node * FACET_RARC_NODE;
    uint32_t count = facet_load_u16be(record + 10), first = facet_load_u32be(record + 12);
    if (!facet_range_fits(first, count, 1, rarc->entry_count))
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR12", (uint64_t)(record - rarc->data),
                          "node %" PRIu32 " has %" PRIu32 " entries from %" PRIu32
                          " on, but there are %" PRIu32,
                          node, count, first, rarc->entry_count);
    r->node_seen[node] = 1;
    r->frames[r->depth++] = (frame){first, first + count, folder};
    return FACET_OK;
}

static facet_status take_file(const reader *r, const facet_rarc_entry *entry, uint64_t at,
                              facet_archive_member *member, facet_error *error)
{
    uint64_t offset = (uint64_t)entry->offset + r->rarc.start;
    if (!facet_range_fits(offset, entry->size, 1, r->rarc.size)) {
        facet_quoted quoted;
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR17", at,
                          "'%s' has %" PRIu32 " bytes at %" PRIu64 ", but there are %zu",
                          facet_quote(&quoted, member->name, strlen(member->name)), entry->size,
                          offset, r->rarc.size);
    }
    member->data = r->rarc.data + offset;
    member->size = entry->size;
    return FACET_OK;
}

static facet_status take_entry(reader *r, frame *in, facet_error *error)
{
    uint32_t index = in->next++;
    uint64_t at = (uint64_t)(r->rarc.entries - r->rarc.data) + (uint64_t)index * FACET_RARC_ENTRY;
    facet_rarc_entry entry = facet_rarc_entry_at(&r->rarc, index);
    const char *name = NULL;
    if (r->entry_seen[index])
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR12", at,
                          "entry %" PRIu32 " is in two folders", index);
    r->entry_seen[index] = 1;
    facet_status status = name_at(r, entry.name, at, &name, error);
    if (status || facet_rarc_is_dots(&entry, name))
        return status;
    facet_archive_member *member = facet_archive_push(r->archive);
    if (!member)
        return facet_fail_arena(r->archive->arena, error);
    member->name = name;
    member->folder = in->folder;
    member->entry = index;
    member->id = entry.id;
    member->flags = entry.flags;
    if (facet_archive_is_folder(member))
        return enter(r, entry.offset, r->archive->member_count - 1, at, error);
    return take_file(r, &entry, at, member, error);
}

static facet_status take_all(reader *r, facet_error *error)
{
    const facet_rarc *rarc = &r->rarc;
    facet_archive *archive = r->archive;
    r->node_seen = facet_arena_allocate_zeroed(archive->arena, rarc->node_count, 1);
    r->entry_seen = facet_arena_allocate_zeroed(archive->arena, rarc->entry_count, 1);
    if (!r->node_seen || !r->entry_seen)
        return facet_fail_arena(archive->arena, error);
    size_t known = rarc->strings_size;
    while (known > 0 && rarc->strings[known - 1] != '\0')
        known--;
    r->strings_known = (uint32_t)known;
    uint64_t root = (uint64_t)(rarc->nodes - rarc->data);
    facet_status status =
        name_at(r, facet_load_u32be(rarc->nodes + 4), root + 4, &archive->name, error);
    if (!status)
        status = enter(r, 0, FACET_NONE, root, error);
    while (!status && r->depth > 0) {
        frame *in = &r->frames[r->depth - 1];
        if (in->next == in->end)
            r->depth--;
        else
            status = take_entry(r, in, error);
    }
    facet_arena_release(archive->arena, r->entry_seen, rarc->entry_count, 1);
    facet_arena_release(archive->arena, r->node_seen, rarc->node_count, 1);
    return status;
}

facet_status facet_rarc_read(facet_archive *archive, facet_error *error)
{
    reader r = {.archive = archive};
    TRY(facet_rarc_view(archive->bytes, archive->size, &r.rarc, error));
    archive->next_id = facet_load_u16be(archive->bytes + 0x38);
    archive->synced = archive->bytes[0x3A] != 0;
    return take_all(&r, error);
}
