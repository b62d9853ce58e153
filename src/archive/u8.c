/* archive/u8.c - U8: one table of nodes in depth-first order. */
#include "archive/archive.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STRINGS = 0xFFFFFF }; /* offsets of names have 24 bits */

static const uint8_t magic[4] = {0x55, 0xAA, 0x38, 0x2D};

bool facet_u8_begins(const uint8_t *data, size_t size)
{
    return size >= 4 && memcmp(data, magic, 4) == 0;
}

/* -- Reading ------------------------------------------------------------ */

static facet_status fail_node(const uint8_t *node, const uint8_t *data, const char *what,
                              facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "AR30", (uint64_t)(node - data), "%s", what);
}

typedef struct reader {
    facet_archive *archive;
    const uint8_t *nodes;
    uint32_t node_count;
    const char *strings;
    size_t strings_known; /* all names that begin before this end inside the table */
    uint32_t ends[FACET_ARCHIVE_MAX_DEPTH + 1], folders[FACET_ARCHIVE_MAX_DEPTH + 1];
    unsigned depth; /* depth of the folder of the next node; 0: the root */
} reader;

static facet_status view(reader *r, facet_error *error)
{
    const uint8_t *data = r->archive->bytes;
    size_t size = r->archive->size;
    if (size < FACET_U8_HEADER + FACET_U8_NODE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR30", size,
                          "the file has %zu bytes, expected at least %d for header and root", size,
                          FACET_U8_HEADER + FACET_U8_NODE);
    uint32_t root = facet_load_u32be(data + 4), length = facet_load_u32be(data + 8);
    if (root < FACET_U8_HEADER || length < FACET_U8_NODE ||
        !facet_range_fits(root, length, 1, size))
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR30", 4,
                          "%" PRIu32 " bytes of nodes and names at %" PRIu32
                          " do not fit into %zu bytes",
                          length, root, size);
    r->nodes = data + root;
    r->node_count = facet_load_u32be(r->nodes + 8);
    if (r->nodes[0] != 1 || r->node_count == 0 ||
        !facet_range_fits(0, r->node_count, FACET_U8_NODE, length))
        return fail_node(r->nodes, data,
                         "the root's number of nodes does not match the nodes that follow", error);
    r->strings = (const char *)r->nodes + (size_t)r->node_count * FACET_U8_NODE;
    r->strings_known = length - (size_t)r->node_count * FACET_U8_NODE;
    while (r->strings_known > 0 && r->strings[r->strings_known - 1] != '\0')
        r->strings_known--;
    memcpy(r->archive->reserved, data + 0x10, sizeof r->archive->reserved);
    return FACET_OK;
}

static facet_status take_node(reader *r, uint32_t index, facet_error *error)
{
    const uint8_t *data = r->archive->bytes, *node = r->nodes + (size_t)index * FACET_U8_NODE;
    uint32_t name = facet_load_u32be(node) & 0xFFFFFF, a = facet_load_u32be(node + 4),
             b = facet_load_u32be(node + 8);
    while (r->depth > 0 && r->ends[r->depth] == index)
        r->depth--;
    if (name >= r->strings_known)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR13", (uint64_t)(node - data),
                          "the name at %" PRIu32 " does not end in %zu bytes of names", name,
                          r->strings_known);
    facet_archive_member *member = facet_archive_push(r->archive);
    if (!member)
        return facet_fail_arena(r->archive->arena, error);
    member->name = r->strings + name;
    member->folder = r->folders[r->depth];
    member->entry = index;
    if (node[0] == 0) {
        member->flags = FACET_ARCHIVE_FILE;
        member->data = data + a;
        member->size = b;
        return facet_range_fits(a, b, 1, r->archive->size)
                   ? FACET_OK
                   : fail_node(node, data, "the data of a file lies outside the archive", error);
    }
    member->flags = FACET_ARCHIVE_FOLDER;
    if (node[0] != 1)
        return fail_node(node, data, "a node is neither a file (0) nor a folder (1)", error);
    if (a >= index || b <= index || b > r->ends[r->depth])
        return fail_node(node, data, "a folder is not after its parent, or ends after it", error);
    if (r->depth == FACET_ARCHIVE_MAX_DEPTH)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, (uint64_t)(node - data),
                          "folders are nested more than %d deep", FACET_ARCHIVE_MAX_DEPTH);
    r->depth++;
    r->ends[r->depth] = b;
    r->folders[r->depth] = r->archive->member_count - 1;
    return FACET_OK;
}

facet_status facet_u8_read(facet_archive *archive, facet_error *error)
{
    reader r = {.archive = archive};
    facet_status status = view(&r, error);
    r.ends[0] = r.node_count;
    r.folders[0] = FACET_NONE;
    for (uint32_t i = 1; !status && i < r.node_count; i++)
        status = take_node(&r, i, error);
    return status;
}

/* -- A new archive ------------------------------------------------------ */

/* Key to sort files by path: the text of all paths, and the start of each. */
typedef struct by_path {
    const char *path;
    uint32_t member;
} by_path;

static int compare_paths(const void *a, const void *b)
{
    const by_path *x = a, *y = b;
    const uint8_t *p = (const uint8_t *)x->path, *q = (const uint8_t *)y->path;
    for (;; p++, q++) {
        int one = *p >= 'A' && *p <= 'Z' ? *p + 32 : *p,
            other = *q >= 'A' && *q <= 'Z' ? *q + 32 : *q;
        if (one != other)
            return one - other;
        if (one == 0)
            return x->member < y->member ? -1 : 1;
    }
}

typedef struct builder {
    const facet_archive *archive;
    facet_arena *arena;
    by_path *files;
    uint32_t file_count;
    uint64_t *offsets; /* per member: offset of its data in the data area */
    size_t names_size, tables_size, start;
    uint8_t *tables;
} builder;

static facet_status sort_files(builder *b, facet_error *error)
{
    const facet_archive *archive = b->archive;
    b->files = facet_arena_allocate(b->arena, archive->member_count, sizeof *b->files);
    b->offsets = facet_arena_allocate_zeroed(b->arena, archive->member_count, sizeof *b->offsets);
    if (!b->files || !b->offsets)
        return facet_fail_arena(b->arena, error);
    for (uint32_t i = 0; i < archive->member_count; i++) {
        if (facet_archive_is_folder(&archive->members[i]))
            continue;
        size_t length = facet_archive_path(archive, i, NULL, 0) + 1;
        char *path = facet_arena_allocate(b->arena, length, 1);
        if (!path)
            return facet_fail_arena(b->arena, error);
        facet_archive_path(archive, i, path, length);
        b->files[b->file_count++] = (by_path){path, i};
    }
    qsort(b->files, b->file_count, sizeof *b->files, compare_paths);
    return FACET_OK;
}

static facet_status place(builder *b, facet_error *error)
{
    const facet_archive *archive = b->archive;
    facet_places places;
    b->names_size = 1; /* the root has no name */
    for (uint32_t i = 0; i < archive->member_count && b->names_size <= MAX_STRINGS; i++)
        b->names_size += strlen(archive->members[i].name) + 1;
    if (b->names_size > MAX_STRINGS)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "more than %d bytes of names", MAX_STRINGS);
    b->tables_size = ((size_t)archive->member_count + 1) * FACET_U8_NODE + b->names_size;
    b->start = facet_align_up(FACET_U8_HEADER + b->tables_size, FACET_ARCHIVE_ALIGNMENT);
    if (!facet_places_make(&places, b->arena, archive->member_count))
        return facet_fail_arena(b->arena, error);
    for (uint32_t i = 0; i < b->file_count; i++) {
        uint32_t member = b->files[i].member;
        if (!facet_places_take(&places, &archive->members[member], 0, &b->offsets[member]))
            return facet_fail_arena(b->arena, error);
    }
    if (b->start + places.end > UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the archive has %" PRIu64 " bytes of data, U8 allows 4 GiB", places.end);
    return FACET_OK;
}

static void put_node(const builder *b, uint32_t index, bool folder, size_t name, uint32_t first,
                     uint32_t second)
{
    uint8_t *to = b->tables + FACET_U8_HEADER + (size_t)index * FACET_U8_NODE;
    facet_store_u32be(to, (folder ? 1u << 24 : 0) | (uint32_t)name);
    facet_store_u32be(to + 4, first);
    facet_store_u32be(to + 8, second);
}

/* Write the tables. Node i + 1 is member i. */
static void put_tables(const builder *b)
{
    const facet_archive *archive = b->archive;
    uint8_t *to = b->tables;
    char *names =
        (char *)to + FACET_U8_HEADER + (archive->member_count + (size_t)1) * FACET_U8_NODE;
    memcpy(to, magic, sizeof magic);
    facet_store_u32be(to + 4, FACET_U8_HEADER);
    facet_store_u32be(to + 8, (uint32_t)b->tables_size);
    facet_store_u32be(to + 12, (uint32_t)b->start);
    memcpy(to + 16, archive->reserved, sizeof archive->reserved);
    put_node(b, 0, true, 0, 0, archive->member_count + 1);
    size_t used = 1;
    for (uint32_t i = 0; i < archive->member_count; i++) {
        const facet_archive_member *member = &archive->members[i];
        if (facet_archive_is_folder(member))
            put_node(b, i + 1, true, used, member->folder == FACET_NONE ? 0 : member->folder + 1,
                     0);
        else
            put_node(b, i + 1, false, used, (uint32_t)(b->offsets[i] + b->start),
                     (uint32_t)member->size);
        size_t length = strlen(member->name) + 1;
        memcpy(names + used, member->name, length);
        used += length;
    }
    /* A folder ends where its last member ends. Going backward, each end is known before its parent
     * needs it. */
    for (uint32_t i = archive->member_count; i-- > 0;) {
        uint8_t *node = to + FACET_U8_HEADER + ((size_t)i + 1) * FACET_U8_NODE;
        if (node[0] == 1 && facet_load_u32be(node + 8) == 0)
            facet_store_u32be(node + 8, i + 2);
        uint32_t folder = archive->members[i].folder;
        uint32_t end = node[0] == 1 ? facet_load_u32be(node + 8) : i + 2;
        if (folder == FACET_NONE)
            continue;
        uint8_t *parent = to + FACET_U8_HEADER + ((size_t)folder + 1) * FACET_U8_NODE;
        if (facet_load_u32be(parent + 8) < end)
            facet_store_u32be(parent + 8, end);
    }
}

static facet_status write_new(const facet_archive *archive, facet_arena *arena,
                              facet_output *output, facet_error *error)
{
    builder b = {.archive = archive, .arena = arena};
    TRY(sort_files(&b, error));
    TRY(place(&b, error));
    b.tables = facet_arena_allocate_zeroed(arena, b.start, 1);
    if (!b.tables)
        return facet_fail_arena(arena, error);
    put_tables(&b);
    facet_output_write(output, b.tables, b.start);
    uint64_t at = 0;
    for (uint32_t i = 0; i < b.file_count; i++) {
        const facet_archive_member *member = &archive->members[b.files[i].member];
        if (member->size == 0 || b.offsets[b.files[i].member] != at)
            continue;
        facet_archive_put_data(member, output);
        at += facet_align_up(member->size, FACET_ARCHIVE_ALIGNMENT);
    }
    return FACET_OK;
}

/* -- An existing archive ------------------------------------------------ */

static facet_status write_patched(const facet_archive *archive, size_t start, facet_arena *arena,
                                  facet_output *output, facet_error *error)
{
    facet_extent *extents = facet_arena_allocate(arena, archive->member_count, sizeof *extents);
    uint8_t *tables = facet_arena_allocate(arena, start, 1);
    size_t count = 0;
    facet_data_area area;
    if (!extents || !tables)
        return facet_fail_arena(arena, error);
    memcpy(tables, archive->bytes, start);
    uint8_t *nodes = tables + facet_load_u32be(tables + 4);
    for (uint32_t i = 0; i < archive->member_count; i++) {
        const facet_archive_member *member = &archive->members[i];
        const uint8_t *node = nodes + (size_t)member->entry * FACET_U8_NODE;
        if (facet_archive_is_folder(member))
            continue;
        extents[count++] = (facet_extent){.entry = member->entry,
                                          .offset = facet_load_u32be(node + 4),
                                          .size = facet_load_u32be(node + 8),
                                          .replaced = member->replaced,
                                          .data = member->data,
                                          .new_size = member->size};
    }
    facet_status status = facet_extents_replace(extents, count, archive->bytes, start,
                                                archive->size, arena, &area, error);
    if (!status && area.end > UINT32_MAX)
        status = facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                            "the archive has %" PRIu64 " bytes, U8 allows 4 GiB", area.end);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        uint8_t *node = nodes + (size_t)extents[i].entry * FACET_U8_NODE;
        facet_store_u32be(node + 4, (uint32_t)extents[i].new_offset);
        facet_store_u32be(node + 8, (uint32_t)extents[i].new_size);
    }
    facet_output_write(output, tables, start);
    facet_data_area_write(&area, output);
    return FACET_OK;
}

/* The start of the data area: after the tables and before all data. 0 if the tables and data
 * overlap. */
static size_t start_of_data(const facet_archive *archive)
{
    if (!archive->bytes || archive->rearranged)
        return 0;
    size_t tables =
        facet_load_u32be(archive->bytes + 4) + (size_t)facet_load_u32be(archive->bytes + 8);
    size_t start = archive->size;
    for (uint32_t i = 0; i < archive->member_count; i++) {
        const uint8_t *node = archive->bytes + facet_load_u32be(archive->bytes + 4) +
                              (size_t)archive->members[i].entry * FACET_U8_NODE;
        size_t offset = facet_load_u32be(node + 4);
        if (node[0] == 0 && facet_load_u32be(node + 8) > 0 && offset < start)
            start = offset;
    }
    return start >= tables ? start : 0;
}

facet_status facet_u8_write(const facet_archive *archive, const facet_options *options,
                            facet_output *output, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    size_t start = start_of_data(archive);
    facet_status status = start > 0 ? write_patched(archive, start, arena, output, error)
                                    : write_new(archive, arena, output, error);
    facet_arena_free(arena);
    return status;
}

/* -- Check -------------------------------------------------------------- */

void facet_u8_check(const facet_archive *archive, facet_report *report)
{
    facet_tally places = {0}, parents = {0};
    size_t nodes = facet_load_u32be(archive->bytes + 4);
    for (uint32_t i = 0; i < archive->member_count; i++) {
        const facet_archive_member *member = &archive->members[i];
        uint32_t first =
            facet_load_u32be(archive->bytes + nodes + (size_t)member->entry * FACET_U8_NODE + 4);
        uint32_t parent = member->folder == FACET_NONE ? 0 : archive->members[member->folder].entry;
        if (facet_archive_is_folder(member) && first != parent)
            facet_tally_hit(&parents, member->entry);
        else if (!facet_archive_is_folder(member) && first % FACET_ARCHIVE_ALIGNMENT != 0)
            facet_tally_hit(&places, member->entry);
    }
    facet_report_add_tally(report, "AR30", FACET_SEVERITY_ERROR,
                           nodes + parents.first * FACET_U8_NODE, &parents,
                           "a folder names a parent other than the one that contains it");
    facet_report_add_tally(report, "AR31", FACET_SEVERITY_WARNING,
                           nodes + places.first * FACET_U8_NODE, &places,
                           "the data of a file is not at a multiple of 32");
}
