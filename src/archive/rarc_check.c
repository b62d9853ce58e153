/* archive/rarc_check.c - rules of RARC's tables. */
#include "archive/archive.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

typedef struct checker {
    const facet_archive *archive;
    facet_rarc rarc;
    facet_report *report;
} checker;

static uint64_t entry_place(const checker *c, uint64_t index)
{
    return (uint64_t)(c->rarc.entries - c->rarc.data) + index * FACET_RARC_ENTRY;
}

static uint64_t node_place(const checker *c, uint64_t index)
{
    return (uint64_t)(c->rarc.nodes - c->rarc.data) + index * FACET_RARC_NODE;
}

/* -- Nodes -------------------------------------------------------------- */

/* The name of a node; "" if it has none. */
static const char *node_name(const checker *c, uint32_t index)
{
    const uint8_t *node = c->rarc.nodes + (size_t)index * FACET_RARC_NODE;
    const char *name = facet_rarc_string(&c->rarc, facet_load_u32be(node + 4));
    return name ? name : "";
}

static void check_nodes(const checker *c)
{
    facet_tally hashes = {0}, types = {0};
    for (uint32_t i = 0; i < c->rarc.node_count; i++) {
        const uint8_t *node = c->rarc.nodes + (size_t)i * FACET_RARC_NODE;
        const char *name = node_name(c, i);
        uint8_t type[4];
        facet_rarc_type(i == 0 ? "root" : name, type);
        if (memcmp(type, node, 4) != 0)
            facet_tally_hit(&types, i);
        if (facet_load_u16be(node + 8) != facet_rarc_hash(name))
            facet_tally_hit(&hashes, i);
    }
    facet_quoted quoted;
    const char *name = node_name(c, (uint32_t)types.first);
    facet_report_add_tally(c->report, "AR16", FACET_SEVERITY_WARNING, node_place(c, types.first),
                           &types, "the type of the folder '%s' is not the beginning of its name",
                           facet_quote(&quoted, name, strlen(name)));
    name = node_name(c, (uint32_t)hashes.first);
    facet_report_add_tally(c->report, "AR14", FACET_SEVERITY_WARNING,
                           node_place(c, hashes.first) + 8, &hashes,
                           "the hash of the folder '%s' is not %u; games find it by its entry",
                           facet_quote(&quoted, name, strlen(name)), facet_rarc_hash(name));
}

/* Report types that several folders share: games that search a type get the first folder. */
static facet_status check_types(const checker *c, facet_error *error)
{
    facet_records known = facet_records_make(c->archive->arena, 4);
    facet_tally same = {0}, sounds = {0};
    for (uint32_t i = 0; i < c->rarc.node_count; i++) {
        const uint8_t *type = c->rarc.nodes + (size_t)i * FACET_RARC_NODE;
        uint32_t count = known.count, place = facet_records_put(&known, type);
        if (place == UINT32_MAX)
            return facet_fail_arena(c->archive->arena, error);
        if (place != count)
            facet_tally_hit(memcmp(type, "BAS ", 4) == 0 ? &sounds : &same, i);
    }
    facet_records_free(&known);
    facet_report_add_tally(c->report, "AR27", FACET_SEVERITY_WARNING, node_place(c, same.first),
                           &same, "another folder has the same type, and games find that one");
    facet_report_add_tally(c->report, "AR27", FACET_SEVERITY_NOTE, node_place(c, sounds.first),
                           &sounds, "several folders of sounds have the same type");
    return FACET_OK;
}

/* Report nodes that are not reached. The reader visits the root and each folder member. */
static void check_reached(const checker *c)
{
    uint32_t reached = 1;
    for (uint32_t i = 0; i < c->archive->member_count; i++)
        reached += facet_archive_is_folder(&c->archive->members[i]);
    if (reached < c->rarc.node_count)
        facet_report_add(c->report, "AR19", FACET_SEVERITY_ERROR, 0x20,
                         "%" PRIu32 " of %" PRIu32 " nodes %s in no folder",
                         c->rarc.node_count - reached, c->rarc.node_count,
                         facet_plural(c->rarc.node_count - reached, "is", "are"));
}

/* -- "." and ".." ------------------------------------------------------- */

static bool are_dots(const checker *c, uint32_t entry, const char *name, uint32_t node)
{
    facet_rarc_entry e = facet_rarc_entry_at(&c->rarc, entry);
    const char *found = facet_rarc_string(&c->rarc, e.name);
    return found && (e.flags & FACET_ARCHIVE_FOLDER) && strcmp(found, name) == 0 &&
           e.offset == node && e.hash == facet_rarc_hash(name);
}

static facet_status check_dots(const checker *c, facet_error *error)
{
    const facet_rarc *rarc = &c->rarc;
    uint32_t *parents = facet_arena_allocate(c->archive->arena, rarc->node_count, sizeof *parents);
    uint8_t *reached = facet_arena_allocate_zeroed(c->archive->arena, rarc->node_count, 1);
    facet_tally wrong = {0};
    if (!parents || !reached)
        return facet_fail_arena(c->archive->arena, error);
    parents[0] = UINT32_MAX;
    reached[0] = 1;
    for (uint32_t i = 0; i < c->archive->member_count; i++) {
        const facet_archive_member *member = &c->archive->members[i];
        if (!facet_archive_is_folder(member))
            continue;
        uint32_t node = facet_rarc_entry_at(rarc, member->entry).offset, parent = 0;
        if (member->folder != FACET_NONE)
            parent = facet_rarc_entry_at(rarc, c->archive->members[member->folder].entry).offset;
        parents[node] = parent;
        reached[node] = 1;
    }
    for (uint32_t i = 0; i < rarc->node_count; i++) {
        const uint8_t *node = rarc->nodes + (size_t)i * FACET_RARC_NODE;
        uint32_t count = facet_load_u16be(node + 10), end = facet_load_u32be(node + 12) + count;
        if (reached[i] &&
            (count < 2 || !are_dots(c, end - 2, ".", i) || !are_dots(c, end - 1, "..", parents[i])))
            facet_tally_hit(&wrong, i);
    }
    facet_quoted quoted;
    const char *name = node_name(c, (uint32_t)wrong.first);
    facet_report_add_tally(c->report, "AR20", FACET_SEVERITY_WARNING, node_place(c, wrong.first),
                           &wrong,
                           "the folder '%s' does not end with '.' for itself and '..' for the one "
                           "that it is in",
                           facet_quote(&quoted, name, strlen(name)));
    return FACET_OK;
}

/* -- Entries ------------------------------------------------------------ */

static bool has_capitals(const char *name)
{
    for (; *name; name++) {
        if (*name >= 'A' && *name <= 'Z')
            return true;
    }
    return false;
}

static bool flags_are_wrong(uint8_t flags)
{
    bool file = flags & FACET_ARCHIVE_FILE, folder = flags & FACET_ARCHIVE_FOLDER;
    uint8_t memory = flags & (FACET_ARCHIVE_MRAM | FACET_ARCHIVE_ARAM | FACET_ARCHIVE_DVD);
    bool one = memory && !(memory & (memory - 1));
    return file == folder || (file && !one);
}

static bool is_miscompressed(const facet_archive_member *member)
{
    facet_compression said = !(member->flags & FACET_ARCHIVE_COMPRESSED) ? FACET_COMPRESSION_NONE
                             : member->flags & FACET_ARCHIVE_YAZ0        ? FACET_COMPRESSION_YAZ0
                                                                         : FACET_COMPRESSION_YAY0;
    return said != facet_get_compression(member->data, member->size);
}

/* Counts over all members, in the order of the rules. */
typedef struct tallies {
    facet_tally hash, capitals, outside, place, flags, compression, id, same_id;
} tallies;

static void count_file(const checker *c, const facet_archive_member *member,
                       const facet_rarc_entry *entry, uint8_t *ids, tallies *t)
{
    uint32_t index = member->entry;
    if (!facet_range_fits(entry->offset, entry->size, 1, facet_load_u32be(c->rarc.data + 0x10)))
        facet_tally_hit(&t->outside, index);
    if (entry->offset % FACET_ARCHIVE_ALIGNMENT != 0)
        facet_tally_hit(&t->place, index);
    if (is_miscompressed(member))
        facet_tally_hit(&t->compression, index);
    if (c->archive->synced && entry->id != index)
        facet_tally_hit(&t->id, index);
    if (!c->archive->synced && (entry->id == 0xFFFF || (ids[entry->id / 8] >> entry->id % 8 & 1)))
        facet_tally_hit(&t->same_id, index);
    ids[entry->id / 8] |= (uint8_t)(1 << entry->id % 8);
}

static void say(const checker *c, const char *rule, facet_severity severity,
                const facet_tally *tally, const char *sentence)
{
    facet_quoted quoted;
    const char *name = "";
    if (tally->count > 0) {
        facet_rarc_entry entry = facet_rarc_entry_at(&c->rarc, (uint32_t)tally->first);
        name = facet_rarc_string(&c->rarc, entry.name);
        name = name ? name : "";
    }
    facet_report_add_tally(c->report, rule, severity, entry_place(c, tally->first), tally,
                           "'%s' %s", facet_quote(&quoted, name, strlen(name)), sentence);
}

static void check_entries(const checker *c)
{
    tallies t = {0};
    uint8_t ids[0x10000 / 8] = {0};
    for (uint32_t i = 0; i < c->archive->member_count; i++) {
        const facet_archive_member *member = &c->archive->members[i];
        facet_rarc_entry entry = facet_rarc_entry_at(&c->rarc, member->entry);
        if (entry.hash != facet_rarc_hash(member->name))
            facet_tally_hit(&t.hash, member->entry);
        if (has_capitals(member->name))
            facet_tally_hit(&t.capitals, member->entry);
        if (flags_are_wrong(entry.flags))
            facet_tally_hit(&t.flags, member->entry);
        if (!facet_archive_is_folder(member))
            count_file(c, member, &entry, ids, &t);
    }
    say(c, "AR14", FACET_SEVERITY_ERROR, &t.hash,
        "has a hash that does not match its name, so that games do not find it");
    say(c, "AR15", FACET_SEVERITY_WARNING, &t.capitals,
        "has capital letters, but games look for small ones");
    say(c, "AR17", FACET_SEVERITY_ERROR, &t.outside,
        "is outside the data area by its stored length");
    say(c, "AR18", FACET_SEVERITY_WARNING, &t.place, "is not at a multiple of 32");
    say(c, "AR21", FACET_SEVERITY_ERROR, &t.flags,
        "has flags other than file or folder, and of a file one kind of memory");
    say(c, "AR22", FACET_SEVERITY_ERROR, &t.compression,
        "has flags that do not match the compression of its data");
    say(c, "AR23", FACET_SEVERITY_WARNING, &t.id,
        "has an id other than its number, although the header promises equal ones");
    say(c, "AR24", FACET_SEVERITY_ERROR, &t.same_id, "has the id of another file, or FFFF");
}

/* -- Sums --------------------------------------------------------------- */

/* Check the sums. Some tools count shared data each time, others once. */
static void check_sums(const checker *c)
{
    const uint8_t *data = c->rarc.data;
    uint64_t sums[2] = {0};
    uint32_t length = facet_load_u32be(data + 0x10), mram = facet_load_u32be(data + 0x14),
             aram = facet_load_u32be(data + 0x18);
    for (uint32_t i = 0; i < c->archive->member_count; i++) {
        const facet_archive_member *member = &c->archive->members[i];
        if (!facet_archive_is_folder(member) && !(member->flags & FACET_ARCHIVE_DVD))
            sums[!(member->flags & FACET_ARCHIVE_MRAM) && (member->flags & FACET_ARCHIVE_ARAM)] +=
                facet_align_up(member->size, FACET_ARCHIVE_ALIGNMENT);
    }
    if (facet_load_u32be(data + 4) != c->rarc.size)
        facet_report_add(c->report, "AR11", FACET_SEVERITY_WARNING, 4,
                         "the header gives a size of %" PRIu32 ", the file has %zu",
                         facet_load_u32be(data + 4), c->rarc.size);
    if (length != c->rarc.size - c->rarc.start)
        facet_report_add(c->report, "AR25", FACET_SEVERITY_WARNING, 0x10,
                         "the header gives %" PRIu32 " bytes of data, the file has %zu", length,
                         c->rarc.size - c->rarc.start);
    bool fewer = mram > sums[0] || aram > sums[1];
    bool rounded = mram % FACET_ARCHIVE_ALIGNMENT == 0 && aram % FACET_ARCHIVE_ALIGNMENT == 0;
    bool less = mram + (uint64_t)aram < sums[0] + sums[1] && mram + (uint64_t)aram != length;
    if (fewer || less || !rounded)
        facet_report_add(c->report, "AR25", FACET_SEVERITY_WARNING, 0x14,
                         "the header gives %" PRIu32 " and %" PRIu32
                         " bytes in MRAM and ARAM, expected %" PRIu64 " and %" PRIu64,
                         mram, aram, sums[0], sums[1]);
}

facet_status facet_rarc_check(const facet_archive *archive, facet_report *report,
                              facet_error *error)
{
    checker c = {.archive = archive, .report = report};
    TRY(facet_rarc_view(archive->bytes, archive->size, &c.rarc, error));
    check_nodes(&c);
    check_reached(&c);
    check_entries(&c);
    check_sums(&c);
    TRY(check_types(&c, error));
    return check_dots(&c, error);
}
