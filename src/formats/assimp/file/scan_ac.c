/* formats/assimp/file/scan_ac.c - two-sided surfaces of an AC3D, which assimp reads as one-sided,
 * and locations of objects that it misreads.
 *
 * assimp adds the location of an object with surfaces to the vertices of its polygons. It does not
 * add it to lines and children, and rotates it with the object. Such an object gets a group with
 * its location and rotation around it. */
#include "base/report.h"
#include "formats/assimp/file/edits_dae.h"
#include "formats/assimp/file/scan.h"

#include <string.h>

/* Maximum number of added groups: assimp reads nested groups by recursion. */
#define MAX_GROUPS 500

static const char surface[] = "SURF 0x";

/* The lines of an object before its children. */
typedef struct ac_object {
    facet_xml_part first, location, rotation;
    bool is_poly, has_surface, has_line;
} ac_object;

typedef struct ac_scanner {
    ac_object object;
    facet_dae_edits edits;
    uint32_t groups;
    uint64_t line, first_sided, first_lost;
    facet_tally two_sided, lost;
} ac_scanner;

static uint32_t digit_of(uint8_t byte)
{
    return byte >= '0' && byte <= '9'                     ? byte - (uint32_t)'0'
           : (byte | 0x20) >= 'a' && (byte | 0x20) <= 'f' ? (byte | 0x20u) - 'a' + 10
                                                          : 16;
}

static bool begins(facet_xml_part line, const char *text)
{
    return line.size > strlen(text) && memcmp(line.at, text, strlen(text)) == 0;
}

static uint32_t surface_flags(facet_xml_part line)
{
    uint32_t flags = 0;
    for (size_t i = sizeof surface - 1; i < line.size && digit_of(line.at[i]) < 16; i++)
        flags = flags << 4 | digit_of(line.at[i]);
    return flags;
}

/* True if a number in the line is not 0. */
static bool has_number(facet_xml_part line)
{
    for (size_t i = 0; i < line.size; i++) {
        if (line.at[i] >= '1' && line.at[i] <= '9')
            return true;
    }
    return false;
}

/* Add a group around an object, at the line of its children. False if out of memory. */
static bool add_group(ac_scanner *s, facet_xml_part kids)
{
    static const char group[] = "OBJECT group\n", one[] = "kids 1\n";
    const ac_object *o = &s->object;
    if (!o->is_poly || !o->has_surface || !has_number(o->location) ||
        !(o->has_line || o->rotation.size > 0 || has_number(kids)))
        return true;
    if (s->groups++ >= MAX_GROUPS) {
        s->first_lost = s->lost.count == 0 ? s->line : s->first_lost;
        facet_tally_hit(&s->lost, s->line);
        return true;
    }
    size_t space = sizeof group + sizeof one + o->location.size + o->rotation.size;
    uint8_t *made = facet_arena_allocate(s->edits.arena, space, 1), *to = made;
    if (!made)
        return false;
    memcpy(to, group, sizeof group - 1);
    to += sizeof group - 1;
    memcpy(to, o->location.at, o->location.size);
    to += o->location.size;
    if (o->rotation.size > 0)
        memcpy(to, o->rotation.at, o->rotation.size);
    to += o->rotation.size;
    memcpy(to, one, sizeof one - 1);
    to += sizeof one - 1;
    const facet_xml_part before = {o->first.at, 0}, none = {made, 0};
    return facet_dae_add_edit(&s->edits, before, (facet_xml_part){made, (size_t)(to - made)}) &&
           facet_dae_add_edit(&s->edits, o->location, none) &&
           (o->rotation.size == 0 || facet_dae_add_edit(&s->edits, o->rotation, none));
}

static bool note_line(ac_scanner *s, facet_xml_part line)
{
    if (begins(line, "OBJECT ")) {
        s->object = (ac_object){.first = line, .is_poly = begins(line, "OBJECT poly")};
    } else if (begins(line, "loc ")) {
        s->object.location = line;
    } else if (begins(line, "rot ")) {
        s->object.rotation = line;
    } else if (begins(line, "kids ")) {
        bool added = add_group(s, line);
        s->object = (ac_object){0};
        return added;
    } else if (begins(line, surface)) {
        uint32_t flags = surface_flags(line);
        s->object.has_surface = true;
        s->object.has_line |= (flags & 0xF) == 1 || (flags & 0xF) == 2;
        if (flags & 0x20) {
            s->first_sided = s->two_sided.count == 0 ? s->line : s->first_sided;
            facet_tally_hit(&s->two_sided, s->line);
        }
    }
    return true;
}

facet_status facet_assimp_scan_ac(const uint8_t **data, size_t *size, facet_arena *scratch,
                                  facet_report *report, facet_error *error)
{
    const uint8_t *end = *data + *size, *at = *data;
    ac_scanner s = {.edits = {.arena = scratch}};
    for (s.line = 1; at < end; s.line++) {
        const uint8_t *next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next + 1 : end;
        if (!note_line(&s, (facet_xml_part){at, (size_t)(next - at)}))
            return facet_fail_arena(scratch, error);
        at = next;
    }
    facet_report_add_tally_line(report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, s.first_sided,
                                &s.two_sided, "a two-sided surface is one-sided");
    facet_report_add_tally_line(report, "LOSS-NODES", FACET_SEVERITY_WARNING, s.first_lost, &s.lost,
                                "the location of an object is not read for its lines and children");
    return facet_dae_apply(&s.edits, data, size, error);
}
