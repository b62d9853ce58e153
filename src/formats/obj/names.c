/* formats/obj/names.c - names of objects and materials in an OBJ. */
#include "formats/obj/names.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* -- Characters --------------------------------------------------------- */

/* True for a byte that does not read back as a part of the name. These are control characters,
 * blanks at the ends, and a backslash at the end, which continues the line. */
static bool is_bad(const char *name, size_t length, size_t at)
{
    bool is_edge = at == 0 || at == length - 1;
    return (unsigned char)name[at] < ' ' || (is_edge && name[at] == ' ') ||
           (at == length - 1 && name[at] == '\\');
}

/* The clean name, without a finding. */
static const char *clean_name(facet_arena *scratch, const char *name)
{
    size_t length = strlen(name), first = 0;
    while (first < length && !is_bad(name, length, first))
        first++;
    if (first == length)
        return name;
    char *copy = facet_arena_string(scratch, name, length);
    for (size_t i = first; copy && i < length; i++)
        copy[i] = is_bad(name, length, i) ? '_' : name[i];
    return copy;
}

static void report_clean(facet_report *report, const char *name, const char *clean)
{
    facet_quoted quoted;
    if (clean && clean != name)
        facet_report_add(report, "OBJ-NAME", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the name '%s' is written with '_' for what a line cannot hold",
                         facet_quote(&quoted, name, strlen(name)));
}

const char *facet_obj_clean_name(facet_arena *scratch, facet_report *report, const char *name)
{
    const char *clean = clean_name(scratch, name);
    report_clean(report, name, clean);
    return clean;
}

/* -- Materials ---------------------------------------------------------- */

typedef struct material_namer {
    const facet_scene *scene;
    facet_arena *scratch;
    facet_report *report;
    facet_names known;
    uint32_t
        next; /* after a number was not free, the next one: all materials together are linear */
} material_namer;

/* Add a name to the table. False without memory, or if the table has it. */
static bool take_name(facet_names *known, const char *name)
{
    uint32_t before = known->count;
    return facet_names_put(known, name, strlen(name)) == before;
}

/* Choose a free name for a material without a name, or whose name another has. */
static const char *free_name(material_namer *n, const char *wanted, uint32_t index)
{
    const char *name = NULL;
    for (uint32_t k = index > n->next ? index : n->next;; n->next = ++k) {
        name = *wanted ? facet_arena_format(n->scratch, "%s_%" PRIu32, wanted, k)
                       : facet_arena_format(n->scratch, "material_%" PRIu32, k);
        if (!name || facet_names_find(&n->known, name, strlen(name)) == FACET_NONE)
            break;
    }
    const char *old = n->scene->materials[index]->name;
    facet_quoted quoted;
    if (name)
        facet_report_add(n->report, "OBJ-NAME", *old ? FACET_SEVERITY_WARNING : FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET, "material %" PRIu32 ", called '%s', is written as '%s'",
                         index, facet_quote(&quoted, old, strlen(old)), name);
    return name && take_name(&n->known, name) ? name : NULL;
}

facet_status facet_obj_name_materials(const facet_scene *scene, facet_arena *scratch,
                                      facet_report *report, const char *const **to,
                                      facet_error *error)
{
    material_namer n = {scene, scratch, report, facet_names_make(scratch), 0};
    const char **names = facet_arena_allocate_zeroed(scratch, scene->material_count, sizeof *names);
    const char **wanted = facet_arena_allocate(scratch, scene->material_count, sizeof *wanted);
    if (!names || !wanted)
        return facet_fail_arena(scratch, error);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        wanted[i] = facet_obj_clean_name(scratch, report, scene->materials[i]->name);
        if (!wanted[i])
            return facet_fail_arena(scratch, error);
        if (*wanted[i] && take_name(&n.known, wanted[i]))
            names[i] = wanted[i];
    }
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (!names[i])
            names[i] = free_name(&n, wanted[i], i);
        if (!names[i])
            return facet_fail_arena(scratch, error);
    }
    *to = names;
    return FACET_OK;
}

/* -- Objects ------------------------------------------------------------ */

/* Owners of names. Meshes follow. */
enum { NOBODY, OCCLUDER };

/* The number of a name in the tables; FACET_NONE if out of memory. */
static uint32_t number_of(facet_obj_objects *o, const char *name)
{
    bool fresh;
    uint32_t number = facet_unique_take(&o->names, name, &fresh);
    if (number == FACET_NONE || !fresh)
        return number;
    if (!FACET_GROW(o->names.taken.table.arena, o->uses, number, o->capacity))
        return FACET_NONE;
    o->uses[number] = (facet_obj_object){NOBODY, o->names.taken.items[number].text};
    return number;
}

/* Reserve a name. Its number, or FACET_NONE. */
static uint32_t reserve(facet_obj_objects *o, const char *name)
{
    const char *clean = clean_name(o->names.taken.table.arena, name);
    return clean ? number_of(o, clean) : FACET_NONE;
}

facet_status facet_obj_objects_init(facet_obj_objects *o, const facet_scene *scene,
                                    facet_arena *scratch, facet_report *report, facet_error *error)
{
    *o = (facet_obj_objects){
        .names = facet_unique_make(scratch), .report = report, .last = OCCLUDER};
    bool done = true;
    if (scene->occluder) {
        uint32_t number = reserve(o, facet_obj_occluder_name(scene->occluder));
        done = number != FACET_NONE;
        if (done)
            o->uses[number].owner = OCCLUDER;
    }
    for (uint32_t i = 0; done && i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        done = reserve(o, mesh->name) != FACET_NONE;
        for (uint32_t k = 0; done && k < mesh->part_count; k++)
            done = reserve(o, mesh->parts[k].name) != FACET_NONE;
    }
    return done ? FACET_OK : facet_fail_arena(scratch, error);
}

void facet_obj_objects_next(facet_obj_objects *o)
{
    o->owner = ++o->last;
}

void facet_obj_objects_occluder(facet_obj_objects *o)
{
    o->owner = OCCLUDER;
}

/* The name, "_" and the first number that makes a free name; NULL if out of memory. */
static const char *free_object(facet_obj_objects *o, const char *name, uint32_t number)
{
    for (;;) {
        const char *made = facet_arena_format(o->names.taken.table.arena, "%s_%" PRIu32,
                                              *name ? name : "mesh", o->names.next[number]++);
        uint32_t count = o->names.taken.count;
        uint32_t taken = made ? number_of(o, made) : FACET_NONE;
        if (taken == FACET_NONE)
            return NULL;
        if (taken == count) {
            o->uses[taken].owner = o->owner;
            return made;
        }
    }
}

const char *facet_obj_objects_name(facet_obj_objects *o, const char *name)
{
    const char *clean = clean_name(o->names.taken.table.arena, name);
    uint32_t number = clean ? number_of(o, clean) : FACET_NONE;
    if (number == FACET_NONE || o->uses[number].owner == o->owner)
        return number == FACET_NONE ? NULL : o->uses[number].name;
    if (o->owner == OCCLUDER) /* a mesh with its name was renamed */
        return clean;
    /* Programs ignore an "o" without a name: only the first mesh needs none. */
    bool is_free = o->uses[number].owner == NOBODY && (*name || o->owner == OCCLUDER + 1);
    const char *used = is_free ? clean : free_object(o, clean, number);
    if (!used)
        return NULL;
    report_clean(o->report, name, clean);
    o->uses[number] = (facet_obj_object){o->owner, used};
    if (!is_free && o->repeated.count == 0 && *clean) {
        o->first = clean;
        o->first_used = used;
    } else if (!is_free && o->unnamed.count == 0 && !*clean) {
        o->first_unnamed = used;
    }
    if (!is_free)
        facet_tally_hit(*clean ? &o->repeated : &o->unnamed, 0);
    return used;
}

void facet_obj_objects_report(const facet_obj_objects *o)
{
    facet_quoted quoted;
    if (o->repeated.count > 0)
        /* A note: each instance of a mesh is an object, and nothing refers to objects by name. */
        facet_report_add_tally(o->report, "OBJ-NAME", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                               &o->repeated,
                               "the object '%s' is written as '%s', because another mesh has the "
                               "name",
                               facet_quote(&quoted, o->first, strlen(o->first)), o->first_used);
    facet_report_add_tally(o->report, "OBJ-NAME", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &o->unnamed,
                           "a mesh without a name is written as '%s'", o->first_unnamed);
}
