/* formats/bpx/check_strings.c - the rules of a model's names: offsets into the Strings section, and
 * the strings themselves. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An offset into Strings, and its string. */
typedef struct reference {
    uint32_t offset;
    uint32_t index; /* index of the bone, or of the vertex array's section */
    bool is_bone;
    const char *text; /* "" if the string does not exist */
    size_t length;
} reference;

typedef struct names {
    reference *references;
    size_t count;
    facet_tally missing, range, unterminated, encoding, middle, unused;
} names;

/* -- One pass over the strings ----------------------------------------- */

static int by_offset(const void *a, const void *b)
{
    const reference *l = a, *r = b;
    return l->offset != r->offset     ? (l->offset < r->offset ? -1 : 1)
           : l->is_bone != r->is_bone ? (l->is_bone ? 1 : -1)
           : l->index != r->index     ? (l->index < r->index ? -1 : 1)
                                      : 0;
}

/* Offset from which the bytes up to `end` are valid UTF-8. */
static size_t sound_from(const uint8_t *data, size_t at, size_t end)
{
    size_t sound = at;
    while (at < end) {
        size_t taken = facet_utf8_sequence((const char *)data + at, end - at);
        at += taken ? taken : 1;
        sound = taken ? sound : at;
    }
    return sound;
}

/* Check the string from `at` to `end`, and the references into it. */
static void check_string(names *n, const uint8_t *data, size_t at, size_t end, bool ends,
                         reference *first, size_t count)
{
    size_t sound = count > 0 ? sound_from(data, at, end) : at;
    bool used = end == at;
    for (reference *r = first; r < first + count; r++) {
        used |= r->offset < end;
        if (!ends) {
            facet_tally_hit(&n->unterminated, r->offset);
            continue;
        }
        r->text = (const char *)data + r->offset;
        r->length = end - r->offset;
        /* A continuation byte is not the start of a character. */
        if (r->offset < end && (r->offset < sound || (data[r->offset] & 0xC0) == 0x80))
            facet_tally_hit(&n->encoding, r->offset);
        else if (r->offset > at)
            facet_tally_hit(&n->middle, r->offset);
    }
    if (!used)
        facet_tally_hit(&n->unused, at);
}

/* Iterate over references and strings in parallel: linear, even if they overlap. */
static void walk(names *n, const facet_bpx_contents *strings)
{
    size_t at = 0, next = 0;
    qsort(n->references, n->count, sizeof *n->references, by_offset);
    while (at < strings->size) {
        const uint8_t *zero = memchr(strings->data + at, 0, strings->size - at);
        size_t end = zero ? (size_t)(zero - strings->data) : strings->size, first = next;
        while (next < n->count && (size_t)n->references[next].offset < end + (zero != NULL))
            next++;
        check_string(n, strings->data, at, end, zero != NULL, n->references + first, next - first);
        at = end + 1;
    }
    for (; next < n->count; next++)
        facet_tally_hit(&n->range, n->references[next].offset);
}

/* -- Duplicate names --------------------------------------------------- */

static int compare_text(const reference *l, const reference *r)
{
    if (l->length != r->length)
        return l->length < r->length ? -1 : 1;
    return l->text == r->text ? 0 : memcmp(l->text, r->text, l->length);
}

static int by_name(const void *a, const void *b)
{
    const reference *l = a, *r = b;
    int order = l->is_bone != r->is_bone ? (l->is_bone ? 1 : -1) : compare_text(l, r);
    return order ? order : l->index < r->index ? -1 : l->index > r->index;
}

static void check_names(names *n, facet_report *report)
{
    facet_tally empty = {0}, bones = {0}, materials = {0};
    qsort(n->references, n->count, sizeof *n->references, by_name);
    for (size_t i = 0; i < n->count; i++) {
        const reference *r = &n->references[i];
        if (r->is_bone && r->length == 0)
            facet_tally_hit(&empty, r->index);
        else if (i > 0 && r[-1].is_bone == r->is_bone && compare_text(r - 1, r) == 0)
            facet_tally_hit(r->is_bone ? &bones : &materials, r->index);
    }
    facet_report_add_tally(report, "BPX-M-BONE-NAME", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &empty, "bone %" PRIu64 " has no name", empty.first);
    facet_report_add_tally(report, "BPX-M-BONE-NAME", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &bones, "bone %" PRIu64 " has the name of another bone", bones.first);
    facet_report_add_tally(
        report, "BPX-M-VA-MATERIAL-DUP", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &materials,
        "section %" PRIu64 " has the material of another vertex array", materials.first + 1);
}

/* -- All checks -------------------------------------------------------- */

static void add(names *n, uint32_t offset, uint32_t index, bool is_bone)
{
    reference r = {offset, index, is_bone, "", 0};
    n->references[n->count++] = r;
}

static void report_names(const names *n, uint64_t at, size_t size, facet_report *report)
{
    facet_report_add_tally(report, "BPX-STR-MISSING", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &n->missing, "a name is at %" PRIu64 ", but there are no Strings",
                           n->missing.first);
    facet_report_add_tally(report, "BPX-STR-RANGE", FACET_SEVERITY_ERROR, at, &n->range,
                           "a name is at %" PRIu64 ", outside the %zu bytes of Strings",
                           n->range.first, size);
    facet_report_add_tally(report, "BPX-STR-UNTERMINATED", FACET_SEVERITY_ERROR, at,
                           &n->unterminated, "the name at %" PRIu64 " has no end",
                           n->unterminated.first);
    facet_report_add_tally(report, "BPX-STR-UTF8", FACET_SEVERITY_WARNING, at, &n->encoding,
                           "the name at %" PRIu64 " is not UTF-8", n->encoding.first);
    facet_report_add_tally(report, "BPX-STR-MIDDLE", FACET_SEVERITY_NOTE, at, &n->middle,
                           "the name at %" PRIu64 " begins in the middle of a string",
                           n->middle.first);
    facet_report_add_tally(report, "BPX-STR-UNUSED", FACET_SEVERITY_NOTE, at, &n->unused,
                           "nothing refers to the string at %" PRIu64, n->unused.first);
}

facet_status facet_bpx_check_strings(const facet_bpx *document, const facet_bpx_model *model,
                                     facet_report *report, facet_error *error)
{
    names n = {0};
    uint32_t section = 0;
    uint64_t at = FACET_NO_OFFSET;
    size_t most = (size_t)model->array_count + model->bone_count;
    bool present = facet_bpx_count(document, FACET_BPX_STRINGS, &section) > 0;
    if (present && !model->strings.data)
        return FACET_OK; /* damaged, which is already reported */
    n.references = facet_arena_allocate(document->arena, most, sizeof *n.references);
    if (!n.references)
        return facet_fail_arena(document->arena, error);
    for (uint32_t i = 0; i < model->array_count; i++)
        add(&n, model->arrays[i].material, model->arrays[i].section, false);
    for (uint32_t i = 0; i < model->bone_count; i++)
        add(&n, facet_load_u32le(model->bones + (size_t)i * FACET_BPX_BONE_SIZE + 64), i, true);
    if (present) {
        at = document->sections[section].offset;
        walk(&n, &model->strings);
    }
    for (size_t i = 0; i < n.count && !present; i++) {
        if (n.references[i].offset != 0)
            facet_tally_hit(&n.missing, n.references[i].offset);
    }
    report_names(&n, at, model->strings.size, report);
    check_names(&n, report);
    facet_arena_release(document->arena, n.references, most, sizeof *n.references);
    return FACET_OK;
}
