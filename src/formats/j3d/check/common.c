/* formats/j3d/check/common.c - checks for all sections: offsets, names, floats, padding. */
#include "formats/j3d/check/check.h"
#include "formats/j3d/file/sections.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Findings ----------------------------------------------------------- */

void facet_j3d_say(facet_j3d_checker *c, facet_severity severity, facet_j3d_section_kind kind,
                   uint64_t at, const char *rule, const char *format, ...)
{
    char sentence[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    facet_report_add(c->report, rule, severity, c->sections[kind].offset + at, "%s", sentence);
}

void facet_j3d_say_tally(facet_j3d_checker *c, facet_severity severity, facet_j3d_section_kind kind,
                         const facet_tally *tally, const char *rule, const char *format, ...)
{
    char sentence[400];
    va_list arguments;
    if (tally->count == 0)
        return;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    facet_report_add_tally(c->report, rule, severity, c->sections[kind].offset + tally->first,
                           tally, "%s", sentence);
}

/* -- Offsets ------------------------------------------------------------ */

/* Maximum number of parts of a section whose padding is checked. */
#define MAX_EXTENTS ((size_t)1 << 18)

void facet_j3d_note_used(facet_j3d_checker *c, facet_j3d_section_kind kind, uint64_t begin,
                         uint64_t size)
{
    facet_j3d_extents *extents = &c->extents[kind];
    uint64_t end = c->sections[kind].size;
    if (extents->count == MAX_EXTENTS || begin > end)
        return;
    if (size < end - begin)
        end = begin + size;
    if (extents->count == extents->space) {
        size_t space = extents->space ? extents->space * 2 : 64;
        facet_j3d_extent *grown = facet_arena_resize(c->arena, extents->items, extents->space,
                                                     space, sizeof *extents->items);
        if (!grown) {
            c->has_no_memory = true;
            return;
        }
        extents->items = grown;
        extents->space = space;
    }
    extents->items[extents->count].begin = (size_t)begin;
    extents->items[extents->count++].end = (size_t)end;
}

bool facet_j3d_has_head(facet_j3d_checker *c, facet_j3d_section_kind kind, size_t size,
                        const char *rule)
{
    if (!c->sections[kind].bytes)
        return false;
    if (c->sections[kind].size < size) {
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, 0, rule,
                      "the section has %zu bytes, but its header needs %zu", c->sections[kind].size,
                      size);
        return false;
    }
    facet_j3d_note_used(c, kind, 0, size);
    return true;
}

const uint8_t *facet_j3d_check_records(facet_j3d_checker *c, facet_j3d_section_kind kind,
                                       uint32_t field, uint64_t count, uint32_t size,
                                       const char *rule, const char *what)
{
    const facet_j3d_section *section = &c->sections[kind];
    uint32_t offset = facet_load_u32be(section->bytes + field);
    if (count == 0)
        return NULL;
    if (offset == 0) {
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, field, rule,
                      "there are no %s, but %" PRIu64 " are needed", what, count);
        return NULL;
    }
    if (!facet_range_fits(offset, count, size, section->size)) {
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, field, rule,
                      "%" PRIu64 " %s at 0x%" PRIX32 " run over the end of the section of %zu "
                      "bytes",
                      count, what, offset, section->size);
        return NULL;
    }
    facet_j3d_note_used(c, kind, offset, count * size);
    return section->bytes + offset;
}

/* -- Floats ------------------------------------------------------------- */

void facet_j3d_look_at_floats(facet_j3d_checker *c, facet_j3d_section_kind kind, const uint8_t *at,
                              size_t count, facet_tally *tally)
{
    for (size_t i = 0; i < count; i++) {
        if ((facet_load_u32be(at + 4 * i) & 0x7F800000) == 0x7F800000)
            facet_tally_hit(tally, facet_j3d_offset_of(c, kind, at + 4 * i));
    }
}

void facet_j3d_say_floats(facet_j3d_checker *c, facet_j3d_section_kind kind,
                          const facet_tally *tally, const char *what)
{
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, tally, "J3D-FLOAT",
                        "a number of the %s is infinite or not a number", what);
}

/* -- Remap tables ------------------------------------------------------- */

void facet_j3d_look_at_remap(facet_j3d_checker *c, facet_j3d_section_kind kind, uint32_t field,
                             uint32_t count, uint32_t limit, bool identity, const char *rule)
{
    facet_tally wrong = {0}, other = {0};
    if (facet_load_u32be(c->sections[kind].bytes + field) == 0)
        return;
    const uint8_t *table =
        facet_j3d_check_records(c, kind, field, count, 2, rule, "entries of the remap table");
    for (uint32_t i = 0; table && i < count; i++) {
        uint16_t value = facet_load_u16be(table + 2 * (size_t)i);
        if (value >= limit)
            facet_tally_hit(&wrong, facet_j3d_offset_of(c, kind, table) + 2 * (uint64_t)i);
        else if (value != i)
            facet_tally_hit(&other, facet_j3d_offset_of(c, kind, table) + 2 * (uint64_t)i);
    }
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &wrong, rule,
                        "the remap table points beyond the %" PRIu32 " entries", limit);
    if (identity)
        facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &other, rule,
                            "the remap table does not leave everything where it is");
}

/* -- Names -------------------------------------------------------------- */

static bool look_at_name(facet_j3d_checker *c, facet_j3d_section_kind kind, const uint8_t *table,
                         size_t left, uint32_t index, facet_tally *wrong)
{
    const uint8_t *entry = table + 4 + 4 * (size_t)index;
    uint16_t offset = facet_load_u16be(entry + 2);
    const uint8_t *end = offset < left ? memchr(table + offset, 0, left - offset) : NULL;
    if (!end) {
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, facet_j3d_offset_of(c, kind, entry),
                      "J3D-NAMES-STRING", "name %" PRIu32 " does not end in the section", index);
        return false;
    }
    facet_j3d_note_used(c, kind, facet_j3d_offset_of(c, kind, table + offset),
                        (uint64_t)(end + 1 - (table + offset)));
    if (facet_j3d_hash((const char *)table + offset) != facet_load_u16be(entry))
        facet_tally_hit(wrong, facet_j3d_offset_of(c, kind, entry));
    return true;
}

void facet_j3d_look_at_names(facet_j3d_checker *c, facet_j3d_section_kind kind, uint32_t field,
                             uint32_t count)
{
    const facet_j3d_section *section = &c->sections[kind];
    uint32_t offset = facet_load_u32be(section->bytes + field);
    facet_tally wrong = {0};
    if (offset == 0)
        return;
    const uint8_t *table =
        facet_j3d_check_records(c, kind, field, 1, 4, "J3D-NAMES-TABLE", "tables of names");
    if (!table)
        return;
    uint16_t stored = facet_load_u16be(table);
    size_t left = section->size - offset;
    if (!facet_range_fits(4, stored, 4, left)) {
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, offset, "J3D-NAMES-TABLE",
                      "a table of %u names runs over the end of the section", (unsigned)stored);
        return;
    }
    facet_j3d_note_used(c, kind, offset, 4 + 4 * (uint64_t)stored);
    if (stored != count)
        facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, offset, "J3D-NAMES-COUNT",
                      "there are %u names for %" PRIu32 " entries", (unsigned)stored, count);
    for (uint32_t i = 0; i < stored; i++) {
        if (!look_at_name(c, kind, table, left, i, &wrong))
            break;
    }
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &wrong, "J3D-NAMES-HASH",
                        "the hash of a name is not that of its bytes");
}

/* -- Alignment ---------------------------------------------------------- */

void facet_j3d_look_at_alignment(facet_j3d_checker *c, facet_j3d_section_kind kind, uint64_t at,
                                 facet_tally *tally)
{
    if ((c->sections[kind].offset + at) % FACET_J3D_ALIGNMENT != 0)
        facet_tally_hit(tally, at);
}

void facet_j3d_say_alignment(facet_j3d_checker *c, facet_severity severity,
                             facet_j3d_section_kind kind, const facet_tally *tally,
                             const char *what)
{
    facet_j3d_say_tally(c, severity, kind, tally, "J3D-ALIGNMENT",
                        "%s does not begin at a multiple of %d bytes", what, FACET_J3D_ALIGNMENT);
}

/* -- Padding ------------------------------------------------------------ */

static int by_begin(const void *a, const void *b)
{
    const facet_j3d_extent *left = a, *right = b;
    return left->begin < right->begin ? -1 : left->begin > right->begin;
}

/* True for repetitions of the exporters' text, each from its start. */
static bool is_text(const uint8_t *at, size_t size)
{
    size_t in_text = 0;
    for (size_t i = 0; i < size; i++) {
        if (in_text < sizeof FACET_J3D_PADDING - 1 && at[i] == (uint8_t)FACET_J3D_PADDING[in_text])
            in_text++;
        else if (at[i] == (uint8_t)FACET_J3D_PADDING[0])
            in_text = 1;
        else
            return false;
    }
    return true;
}

static bool is_all(const uint8_t *at, size_t size, uint8_t value)
{
    for (size_t i = 0; i < size; i++) {
        if (at[i] != value)
            return false;
    }
    return true;
}

typedef struct padding_tally {
    facet_tally tally;
    const uint8_t *first;
    size_t first_size;
} padding_tally;

/* Check a gap between two ranges. It is padding if it is shorter than the largest alignment; a
 * longer one is unused data. */
static void look_at_gap(facet_j3d_checker *c, facet_j3d_section_kind kind, size_t begin, size_t end,
                        padding_tally *found)
{
    const uint8_t *at = c->sections[kind].bytes + begin;
    if (end <= begin || end - begin >= 32 || is_text(at, end - begin))
        return;
    if (found->tally.count == 0) {
        found->first = at;
        found->first_size = end - begin;
    }
    facet_tally_hit(&found->tally, c->sections[kind].offset + begin);
}

void facet_j3d_look_at_padding(facet_j3d_checker *c)
{
    padding_tally found = {{0}, NULL, 0};
    for (int kind = 0; kind < FACET_J3D_SECTION_COUNT; kind++) {
        facet_j3d_extents *extents = &c->extents[kind];
        size_t reached = 0;
        if (extents->count == 0 || extents->count == MAX_EXTENTS)
            continue;
        qsort(extents->items, extents->count, sizeof *extents->items, by_begin);
        for (size_t i = 0; i < extents->count; i++) {
            look_at_gap(c, (facet_j3d_section_kind)kind, reached, extents->items[i].begin, &found);
            if (extents->items[i].end > reached)
                reached = extents->items[i].end;
        }
        look_at_gap(c, (facet_j3d_section_kind)kind, reached, c->sections[kind].size, &found);
    }
    if (found.tally.count == 0)
        return;
    facet_quoted quoted;
    const char *what = "text";
    if (is_all(found.first, found.first_size, 0))
        what = "zeros";
    else if (is_all(found.first, found.first_size, 0xFF))
        what = "0xFF";
    else
        what = facet_quote(&quoted, (const char *)found.first, found.first_size);
    facet_report_add_tally(c->report, "J3D-PADDING", FACET_SEVERITY_WARNING, found.tally.first,
                           &found.tally,
                           "the padding is not \"This is padding data to alignme\", but %s", what);
}
