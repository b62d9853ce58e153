/* formats/binarymesh/check.c - the rules for the file, sub-blocks, names, slots and numbers. Rules
 * for faces are in check_faces.c. */
#include "formats/binarymesh/check.h"
#include "formats/binarymesh/binarymesh.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Larger sub-blocks are unusual: other readers need twice their size in memory. */
#define LARGE_BLOCK (UINT32_C(4) << 20)

/* -- File and sub-blocks -------------------------------------------------- */

static void check_blocks(const facet_binarymesh *document, facet_report *report)
{
    facet_tally empty = {0, 0}, large = {0, 0};
    for (size_t i = 0; i < document->block_count; i++) {
        if (document->blocks[i].size == 0)
            facet_tally_hit(&empty, i);
        if (document->blocks[i].size > LARGE_BLOCK)
            facet_tally_hit(&large, i);
    }
    facet_report_add_tally(report, "BM-BLOCK-EMPTY", FACET_SEVERITY_NOTE,
                           empty.count ? document->blocks[empty.first].offset : 0, &empty,
                           "sub-block %" PRIu64 " has no contents", empty.first);
    facet_report_add_tally(report, "BM-BLOCK-LARGE", FACET_SEVERITY_NOTE,
                           large.count ? document->blocks[large.first].offset : 0, &large,
                           "sub-block %" PRIu64 " holds %" PRIu32
                           " bytes, usual are 262,144 and a little",
                           large.first, large.count ? document->blocks[large.first].size : 0);
}

static void check_file(const facet_binarymesh *document, const facet_binarymesh_notes *notes,
                       facet_report *report)
{
    if (document->version == 2)
        facet_report_add(report, "BM-VERSION-2", FACET_SEVERITY_WARNING,
                         FACET_BINARYMESH_SIGNATURE_SIZE,
                         "version 2 is deprecated, and readers since 2013 refuse it");
    check_blocks(document, report);
    facet_report_add_tally(report, "BM-BLOCK-STRADDLE", FACET_SEVERITY_WARNING,
                           notes->straddles.first, &notes->straddles,
                           "a field begins in one sub-block and ends in the next: appleseed's "
                           "reader overruns its buffer on it");
}

/* -- Counted rules ----------------------------------------------------- */

/* Messages: "THING 12 of object 3 ...", or "object 3 ..." without a thing. */
static const struct {
    const char *rule;
    facet_severity severity;
    const char *thing;
    const char *what;
} rules[FACET_BINARYMESH_RULE_COUNT] = {
    [FACET_BINARYMESH_RULE_NAME_EMPTY] = {"BM-MESH-NAME-EMPTY", FACET_SEVERITY_NOTE, NULL,
                                          "has no name"},
    [FACET_BINARYMESH_RULE_NAME_REPEATED] = {"BM-MESH-NAME-DUP", FACET_SEVERITY_WARNING, NULL,
                                             "has the name of another"},
    [FACET_BINARYMESH_RULE_TEXT_NUL] = {"BM-NAME-NUL", FACET_SEVERITY_WARNING, NULL,
                                        "has a name with a NUL inside"},
    [RULE_TEXT_UTF8] = {"BM-NAME-UTF8", FACET_SEVERITY_WARNING, NULL,
                        "has a name that is not valid UTF-8"},
    [FACET_BINARYMESH_RULE_TEXT_CONTROL] = {"BM-NAME-CONTROL", FACET_SEVERITY_WARNING, NULL,
                                            "has a name with control characters"},
    [FACET_BINARYMESH_RULE_SLOT_REPEATED] = {"BM-SLOT-DUP", FACET_SEVERITY_WARNING, "slot",
                                             "has the name of another"},
    [FACET_BINARYMESH_RULE_SLOT_EMPTY] = {"BM-SLOT-EMPTY", FACET_SEVERITY_NOTE, "slot",
                                          "has no name"},
    [FACET_BINARYMESH_RULE_SLOT_UNUSED] = {"BM-SLOT-UNUSED", FACET_SEVERITY_NOTE, "slot",
                                           "is used by no face"},
    [FACET_BINARYMESH_RULE_OBJECT_EMPTY] = {"BM-MESH-EMPTY", FACET_SEVERITY_WARNING, NULL,
                                            "has no faces or no positions"},
    [FACET_BINARYMESH_RULE_POSITION_NONFINITE] = {"BM-FLOAT-NONFINITE", FACET_SEVERITY_ERROR,
                                                  "position", "is infinite or not a number"},
    [FACET_BINARYMESH_RULE_NORMAL_NONFINITE] = {"BM-FLOAT-NONFINITE", FACET_SEVERITY_ERROR,
                                                "normal", "is infinite or not a number"},
    [FACET_BINARYMESH_RULE_TEXCOORD_NONFINITE] = {"BM-FLOAT-NONFINITE", FACET_SEVERITY_ERROR,
                                                  "texture coordinate",
                                                  "is infinite or not a number"},
    [FACET_BINARYMESH_RULE_NORMAL_ZERO] = {"BM-NORMAL-ZERO", FACET_SEVERITY_WARNING, "normal",
                                           "has no direction: readers replace it by (1, 0, 0)"},
    [FACET_BINARYMESH_RULE_NORMAL_LENGTH] = {"BM-NORMAL-LENGTH", FACET_SEVERITY_NOTE, "normal",
                                             "is not of unit length"},
    [FACET_BINARYMESH_RULE_FACE_CORNERS] = {"BM-FACE-CORNERS", FACET_SEVERITY_ERROR, "face",
                                            "has fewer than 3 corners"},
    [FACET_BINARYMESH_RULE_FACE_NGON] = {"BM-FACE-NGON", FACET_SEVERITY_NOTE, "face",
                                         "has more than 3 corners"},
    [FACET_BINARYMESH_RULE_FACE_POSITION] = {"BM-FACE-VERTEX-RANGE", FACET_SEVERITY_ERROR, "face",
                                             "has a position that does not exist"},
    [FACET_BINARYMESH_RULE_FACE_NORMAL] = {"BM-FACE-NORMAL-RANGE", FACET_SEVERITY_ERROR, "face",
                                           "has a normal that does not exist"},
    [FACET_BINARYMESH_RULE_FACE_TEXCOORD] = {"BM-FACE-UV-RANGE", FACET_SEVERITY_ERROR, "face",
                                             "has a texture coordinate that does not exist"},
    [FACET_BINARYMESH_RULE_FACE_NORMAL_PSEUDO] =
        {"BM-FACE-NORMAL-PSEUDO", FACET_SEVERITY_WARNING, "face",
         "names a normal, but the object has none; expected 0xFFFFFFFF"},
    [FACET_BINARYMESH_RULE_FACE_TEXCOORD_PSEUDO] =
        {"BM-FACE-UV-PSEUDO", FACET_SEVERITY_WARNING, "face",
         "names a texture coordinate, but the object has none; expected 0xFFFFFFFF"},
    [FACET_BINARYMESH_RULE_FACE_NORMAL_MIXED] = {"BM-FACE-NORMAL-MIXED", FACET_SEVERITY_WARNING,
                                                 "face", "has normals at some of its corners only"},
    [FACET_BINARYMESH_RULE_FACE_TEXCOORD_MIXED] =
        {"BM-FACE-UV-MIXED", FACET_SEVERITY_WARNING, "face",
         "has texture coordinates at some of its corners only"},
    [FACET_BINARYMESH_RULE_FACE_SLOT] = {"BM-FACE-MATERIAL-RANGE", FACET_SEVERITY_WARNING, "face",
                                         "has a material slot that does not exist"},
    [FACET_BINARYMESH_RULE_FACE_NO_SLOT] = {"BM-FACE-MATERIAL-NONE", FACET_SEVERITY_NOTE, "face",
                                            "has no material (slot 65535)"},
    [FACET_BINARYMESH_RULE_FACE_REPEAT] = {"BM-FACE-REPEAT", FACET_SEVERITY_WARNING, "face",
                                           "has a position twice"},
    [FACET_BINARYMESH_RULE_FACE_ZERO_AREA] = {"BM-FACE-ZERO-AREA", FACET_SEVERITY_NOTE, "face",
                                              "has no area"},
    [FACET_BINARYMESH_RULE_FACE_NONPLANAR] =
        {"BM-FACE-NONPLANAR", FACET_SEVERITY_NOTE, "face",
         "is off its plane by more than a thousandth of its size"},
    [FACET_BINARYMESH_RULE_FACE_CONCAVE] = {"BM-FACE-CONCAVE", FACET_SEVERITY_NOTE, "face",
                                            "is concave"},
    [FACET_BINARYMESH_RULE_FACE_WINDING] = {"BM-FACE-WINDING", FACET_SEVERITY_WARNING, "face",
                                            "is wound against the normals of its corners"},
    [FACET_BINARYMESH_RULE_POSITION_UNUSED] = {"BM-VERTEX-UNUSED", FACET_SEVERITY_NOTE, "position",
                                               "is used by no face"},
    [FACET_BINARYMESH_RULE_NORMAL_UNUSED] = {"BM-VERTEX-UNUSED", FACET_SEVERITY_NOTE, "normal",
                                             "is used by no face"},
    [FACET_BINARYMESH_RULE_TEXCOORD_UNUSED] = {"BM-VERTEX-UNUSED", FACET_SEVERITY_NOTE,
                                               "texture coordinate", "is used by no face"},
    [FACET_BINARYMESH_RULE_PRECISION] =
        {"BM-PRECISION", FACET_SEVERITY_NOTE, NULL,
         "has coordinates above 2^20 times its shortest edge: single precision is "
         "too coarse for it"},
};

/* Append a list like "; of 4: 1200, of 5: 3", up to the available space. */
static void list_sizes(const facet_binarymesh_checker *c, char *text, size_t space)
{
    size_t used = 0;
    for (uint32_t size = 4; size <= c->most_corners && used + 40 < space; size++) {
        if (c->sizes[size] > 0)
            used += (size_t)snprintf(text + used, space - used, "%s of %" PRIu32 ": %" PRIu32,
                                     used ? "," : ";", size, c->sizes[size]);
    }
}

static void report_hits(const facet_binarymesh_checker *c, facet_report *report)
{
    char sizes[250] = "";
    if (c->hits[FACET_BINARYMESH_RULE_FACE_NGON].tally.count > 0)
        list_sizes(c, sizes, sizeof sizes);
    for (size_t i = 0; i < FACET_BINARYMESH_RULE_COUNT; i++) {
        const facet_tally *tally = &c->hits[i].tally;
        uint32_t object = c->hits[i].object;
        if (tally->count == 0)
            continue;
        uint64_t offset = c->document->objects[object].offset;
        if (rules[i].thing)
            facet_report_add_tally(report, rules[i].rule, rules[i].severity, offset, tally,
                                   "%s %" PRIu64 " of object %" PRIu32 " %s%s", rules[i].thing,
                                   tally->first, object, rules[i].what,
                                   i == FACET_BINARYMESH_RULE_FACE_NGON ? sizes : "");
        else
            facet_report_add_tally(report, rules[i].rule, rules[i].severity, offset, tally,
                                   "object %" PRIu32 " %s", object, rules[i].what);
    }
}

/* -- Names ---------------------------------------------------------------- */

static void check_text(facet_binarymesh_checker *c, facet_binarymesh_text text)
{
    bool control = false;
    for (uint32_t i = 0; i < text.length && !control; i++)
        control =
            text.text[i] != '\0' && ((unsigned char)text.text[i] < 0x20 || text.text[i] == 0x7F);
    if (memchr(text.text, '\0', text.length))
        facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_TEXT_NUL, 0);
    if (!facet_utf8_valid(text.text, text.length))
        facet_binarymesh_hit(c, RULE_TEXT_UTF8, 0);
    if (control)
        facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_TEXT_CONTROL, 0);
}

static facet_status check_slots(facet_binarymesh_checker *c, facet_error *error)
{
    const facet_binarymesh_object *object = &c->document->objects[c->object];
    facet_names names = facet_names_make(c->scratch);
    uint8_t *used = facet_arena_allocate_zeroed(c->scratch, object->slot_count, 1);
    if (!used)
        return facet_fail_arena(c->scratch, error);
    for (uint32_t face = 0; face < object->face_count; face++) {
        uint32_t slot = object->face_slots ? object->face_slots[face] : 0;
        if (slot < object->slot_count)
            used[slot] = 1;
    }
    for (uint32_t slot = 0; slot < object->slot_count; slot++) {
        const facet_binarymesh_text name = object->slots[slot];
        uint32_t before = names.count;
        if (facet_names_put(&names, name.text, name.length) == FACET_NONE)
            return facet_fail_arena(c->scratch, error);
        if (names.count == before)
            facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_SLOT_REPEATED, slot);
        if (name.length == 0)
            facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_SLOT_EMPTY, slot);
        if (!used[slot])
            facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_SLOT_UNUSED, slot);
        check_text(c, name);
    }
    return FACET_OK;
}

static facet_status check_name(facet_binarymesh_checker *c, facet_names *names, facet_error *error)
{
    facet_binarymesh_text name = c->document->objects[c->object].name;
    uint32_t before = names->count;
    if (facet_names_put(names, name.text, name.length) == FACET_NONE)
        return facet_fail_arena(names->table.arena, error);
    if (name.length == 0)
        facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_NAME_EMPTY, 0);
    else if (names->count == before)
        facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_NAME_REPEATED, 0);
    check_text(c, name);
    return FACET_OK;
}

/* -- Numbers -------------------------------------------------------------- */

static void check_finite(facet_binarymesh_checker *c, facet_binarymesh_rule rule, const void *reals,
                         size_t count, uint32_t width)
{
    const uint8_t *bytes = reals;
    size_t size = facet_binarymesh_real_size(c->document);
    for (size_t at = 0; at < count; at++) {
        at += facet_binarymesh_first_nonfinite(c->document, bytes + at * size, count - at);
        if (at < count)
            facet_binarymesh_hit(c, rule, at / width);
    }
}

static void check_normals(facet_binarymesh_checker *c)
{
    const facet_binarymesh_object *object = &c->document->objects[c->object];
    for (uint32_t i = 0; i < object->normal_count; i++) {
        double square = 0;
        for (size_t axis = 0; axis < 3; axis++) {
            double value =
                facet_binarymesh_real(c->document, object->normals, (size_t)i * 3 + axis);
            square += value * value;
        }
        double length = sqrt(square);
        if (length < FACET_BINARYMESH_ZERO_LENGTH)
            facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_NORMAL_ZERO, i);
        else if (fabs(length - 1) > FACET_BINARYMESH_UNIT_TOLERANCE)
            facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_NORMAL_LENGTH, i);
    }
}

/* -- All rules ------------------------------------------------------------ */

static facet_status check_object(facet_binarymesh_checker *c, facet_names *names,
                                 facet_error *error)
{
    const facet_binarymesh_object *object = &c->document->objects[c->object];
    if (object->face_count == 0 || object->position_count == 0)
        facet_binarymesh_hit(c, FACET_BINARYMESH_RULE_OBJECT_EMPTY, 0);
    check_finite(c, FACET_BINARYMESH_RULE_POSITION_NONFINITE, object->positions,
                 (size_t)object->position_count * 3, 3);
    check_finite(c, FACET_BINARYMESH_RULE_NORMAL_NONFINITE, object->normals,
                 (size_t)object->normal_count * 3, 3);
    check_finite(c, FACET_BINARYMESH_RULE_TEXCOORD_NONFINITE, object->texcoords,
                 (size_t)object->texcoord_count * 2, 2);
    check_normals(c);
    TRY(check_name(c, names, error));
    TRY(check_slots(c, error));
    return facet_binarymesh_check_faces(c, error);
}

static facet_status check_objects(const facet_binarymesh *document, const facet_options *options,
                                  facet_report *report, facet_error *error)
{
    facet_binarymesh_checker c;
    memset(&c, 0, sizeof c);
    c.document = document;
    c.most_corners = facet_binarymesh_max_corners(document);
    size_t sizes = (size_t)c.most_corners + 1;
    c.sizes = facet_arena_allocate_zeroed(document->arena, sizes, sizeof *c.sizes);
    if (!c.sizes)
        return facet_fail_arena(document->arena, error);
    facet_names names = facet_names_make(document->arena);
    facet_status status = FACET_OK;
    for (; c.object < document->object_count && !status; c.object++) {
        status =
            facet_step(options, "check", (double)c.object / (double)document->object_count, error);
        if (!status)
            status = facet_arena_create(options, &c.scratch, error);
        if (status)
            break;
        status = check_object(&c, &names, error);
        facet_arena_free(c.scratch);
    }
    report_hits(&c, report);
    return status;
}

/* Report the findings of the reader. */
static facet_status check_reading(facet_status status, const facet_error *fault,
                                  facet_report *report, facet_error *error)
{
    if (status && fault->rule[0] && !facet_lacks_memory(status)) {
        facet_report_add_fault(report, fault, "BM");
        return FACET_OK;
    }
    if (status && error)
        *error = *fault;
    return status;
}

facet_status facet_binarymesh_check(const facet_source *source, const facet_options *options,
                                    facet_report *report, facet_error *error)
{
    /* Use one thread, so that fields that cross blocks are counted. */
    facet_options alone = options ? *options : (facet_options){0};
    alone.threads = NULL;
    facet_binarymesh_notes notes;
    memset(&notes, 0, sizeof notes);
    facet_arena *arena = NULL;
    facet_binarymesh *document = NULL;
    facet_error fault;
    TRY(facet_arena_create(&alone, &arena, error));
    facet_status status = facet_binarymesh_read_into(arena, source->data, source->size, &alone,
                                                     &notes, &document, &fault);
    bool whole = status == FACET_OK;
    status = check_reading(status, &fault, report, error);
    if (!status && document) {
        if (whole && document->object_count == 0)
            facet_report_add(report, "BM-FILE-EMPTY", FACET_SEVERITY_WARNING,
                             FACET_BINARYMESH_HEADER_SIZE, "the file has no object");
        check_file(document, &notes, report);
        status = check_objects(document, &alone, report, error);
    }
    facet_arena_free(arena);
    return status ? status : facet_report_status(report, error);
}
