/* formats/assimp/file/shown_dae.c - geometries of a COLLADA that no node of its scene shows, and
 * instances that assimp does not find. */
#include "formats/assimp/file/shown_dae.h"

#include "base/error.h"
#include "base/table.h"
#include "formats/assimp/file/scan.h"
#include "formats/assimp/file/xml.h"

#include <string.h>

#define NONE UINT32_MAX

/* A reference between objects, by the numbers of their ids. The object <scene> has number 0. */
typedef struct reference {
    uint32_t from, to;
} reference;

typedef struct geometry {
    uint32_t id;
    const uint8_t *at;
} geometry;

typedef struct finder {
    facet_arena *arena;
    facet_names ids;
    reference *references;
    geometry *geometries;
    uint32_t reference_count, reference_capacity, geometry_count, geometry_capacity;
    uint32_t open[FACET_ASSIMP_MAX_DEPTH + 1]; /* objects around the current tag, or NONE */
    size_t depth;
    bool in_library;           /* in <library_nodes> */
    uint32_t nodes;            /* number of nodes around the current tag */
    facet_names nested;        /* ids of nodes inside a node of a library */
    facet_names defined;       /* ids of objects that have instances */
    facet_xml_part *instances; /* targets of <instance_node> and the like */
    uint32_t instance_count, instance_capacity;
} finder;

/* -- References --------------------------------------------------------- */

static uint32_t number_of(finder *f, facet_xml_part id)
{
    return facet_names_put(&f->ids, (const char *)id.at, id.size);
}

/* Add a reference from the current object, if there is one. */
static bool refer(finder *f, facet_xml_part to)
{
    uint32_t from = f->open[f->depth];
    if (from == NONE || to.size == 0)
        return true;
    uint32_t number = number_of(f, to);
    if (number == NONE ||
        !FACET_GROW(f->arena, f->references, f->reference_count, f->reference_capacity))
        return false;
    f->references[f->reference_count++] = (reference){from, number};
    return true;
}

static bool refer_to_url(finder *f, facet_xml_part url)
{
    return url.size < 2 || *url.at != '#' || refer(f, (facet_xml_part){url.at + 1, url.size - 1});
}

static bool put_id(facet_names *names, facet_xml_part id)
{
    return id.size == 0 || facet_names_put(names, (const char *)id.at, id.size) != UINT32_MAX;
}

static bool is_one_of(facet_xml_part name, const char *const names[])
{
    while (*names && !facet_xml_is(name, *names))
        names++;
    return *names != NULL;
}

/* Note the ids of objects, those that assimp does not find for an <instance_node>, and the
 * instances. */
static bool note_instance(finder *f, const facet_xml_tag *t)
{
    static const char *const objects[] = {"geometry", "controller", "camera", "light", NULL};
    static const char *const uses[] = {"instance_node",       "instance_geometry",
                                       "instance_controller", "instance_camera",
                                       "instance_light",      NULL};
    facet_xml_part id = facet_xml_attribute(t->tag, "id"), url = facet_xml_attribute(t->tag, "url");
    if (facet_xml_is(t->name, "library_nodes"))
        f->in_library = !t->closes && !t->is_empty;
    if (facet_xml_is(t->name, "node")) {
        bool is_nested = f->nodes > 0 && f->in_library && !t->closes;
        f->nodes += !t->closes && !t->is_empty;
        f->nodes -= t->closes && f->nodes > 0;
        return t->closes || ((!is_nested || put_id(&f->nested, id)) && put_id(&f->defined, id) &&
                             put_id(&f->defined, facet_xml_attribute(t->tag, "name")));
    }
    if (t->closes)
        return true;
    if (is_one_of(t->name, objects))
        return put_id(&f->defined, id);
    if (!is_one_of(t->name, uses) || url.size < 2 || *url.at != '#')
        return true;
    if (!FACET_GROW(f->arena, f->instances, f->instance_count, f->instance_capacity))
        return false;
    f->instances[f->instance_count++] = (facet_xml_part){url.at + 1, url.size - 1};
    return true;
}

/* Note an element. *object is the object that its content belongs to. False if out of memory. */
static bool note_element(finder *f, const facet_xml_tag *t, uint32_t *object)
{
    facet_xml_part id = facet_xml_attribute(t->tag, "id");
    bool is_node = facet_xml_is(t->name, "node");
    if (facet_xml_is(t->name, "scene")) {
        *object = 0;
    } else if (is_node || facet_xml_is(t->name, "visual_scene") ||
               facet_xml_is(t->name, "controller")) {
        if (id.size == 0)
            return true; /* nothing refers to it: its content belongs to the object around it */
        if (is_node && !refer(f, id))
            return false;
        *object = number_of(f, id);
        return *object != NONE;
    } else if (facet_xml_is(t->name, "geometry")) {
        uint32_t number = number_of(f, id);
        if (number == NONE ||
            !FACET_GROW(f->arena, f->geometries, f->geometry_count, f->geometry_capacity))
            return false;
        f->geometries[f->geometry_count++] = (geometry){number, t->begin};
    } else if (facet_xml_is(t->name, "instance_visual_scene") ||
               facet_xml_is(t->name, "instance_node") ||
               facet_xml_is(t->name, "instance_geometry") ||
               facet_xml_is(t->name, "instance_controller")) {
        return refer_to_url(f, facet_xml_attribute(t->tag, "url"));
    } else if (facet_xml_is(t->name, "skin") || facet_xml_is(t->name, "morph")) {
        return refer_to_url(f, facet_xml_attribute(t->tag, "source"));
    } else if (facet_xml_is(t->name, "IDREF_array")) { /* morph targets */
        facet_xml_part words = t->content;
        for (facet_xml_part word = facet_xml_next_word(&words); word.size > 0;
             word = facet_xml_next_word(&words)) {
            if (!refer(f, word))
                return false;
        }
    }
    return true;
}

/* Elements deeper than the limit are an error of the scan that follows. */
static bool note_tag(void *user, const facet_xml_tag *t)
{
    finder *f = user;
    if (!note_instance(f, t))
        return false;
    if (t->closes) {
        f->depth -= f->depth > 0;
        return true;
    }
    uint32_t object = f->open[f->depth];
    if (!note_element(f, t, &object))
        return false;
    if (!t->is_empty && f->depth < FACET_ASSIMP_MAX_DEPTH)
        f->open[++f->depth] = object;
    return true;
}

/* -- Reachable objects --------------------------------------------------- */

/* Mark the objects that <scene> reaches. False if out of memory. */
static bool reach(const finder *f, bool *reached)
{
    uint32_t count = f->ids.count;
    uint32_t *first = facet_arena_allocate_zeroed(f->arena, (size_t)count + 1, sizeof *first);
    uint32_t *targets = facet_arena_allocate(f->arena, f->reference_count, sizeof *targets);
    uint32_t *waiting = facet_arena_allocate(f->arena, count, sizeof *waiting);
    if (!first || !targets || !waiting)
        return false;
    for (uint32_t i = 0; i < f->reference_count; i++)
        first[f->references[i].from + 1]++;
    for (uint32_t i = 0; i < count; i++)
        first[i + 1] += first[i];
    for (uint32_t i = f->reference_count; i-- > 0;)
        targets[--first[f->references[i].from + 1]] = f->references[i].to;
    /* Now first[n + 1] begins the targets of n; they end where those of n + 1 begin. */
    uint32_t waiting_count = 1;
    waiting[0] = 0;
    reached[0] = true;
    while (waiting_count > 0) {
        uint32_t at = waiting[--waiting_count];
        uint32_t end = at + 2 <= count ? first[at + 2] : f->reference_count;
        for (uint32_t i = first[at + 1]; i < end; i++) {
            if (!reached[targets[i]])
                waiting[waiting_count++] = targets[i];
            reached[targets[i]] = true;
        }
    }
    return true;
}

/* Report the instances of nodes that assimp looks for only among the outer nodes of a library, or
 * those of missing objects. A character reference can stand for any text. */
static void report_instances(const finder *f, const uint8_t *data, bool of_missing,
                             const char *reason, facet_report *report)
{
    facet_tally lost = {0, 0};
    const facet_xml_part *first = NULL;
    for (uint32_t i = 0; i < f->instance_count; i++) {
        const facet_xml_part *target = &f->instances[i];
        const facet_names *names = of_missing ? &f->defined : &f->nested;
        bool is_known = facet_names_find(names, (const char *)target->at, target->size) != NONE;
        if (is_known == of_missing || memchr(target->at, '&', target->size))
            continue;
        first = first ? first : target;
        facet_tally_hit(&lost, i);
    }
    facet_quoted quoted;
    if (first)
        facet_report_add_tally_line(
            report, "LOSS-NODES", FACET_SEVERITY_WARNING, facet_xml_line(data, first->at), &lost,
            "the instance of '%s' is not read: %s",
            facet_quote(&quoted, (const char *)first->at, first->size), reason);
}

facet_status facet_dae_report_unshown(const uint8_t *data, size_t size, facet_arena *scratch,
                                      facet_report *report, facet_error *error)
{
    finder *f = facet_arena_allocate_zeroed(scratch, 1, sizeof *f);
    if (!f)
        return facet_fail_arena(scratch, error);
    f->arena = scratch;
    f->ids = facet_names_make(scratch);
    f->open[0] = NONE;
    f->nested = f->defined = facet_names_make(scratch);
    if (facet_names_put(&f->ids, "", 0) == NONE || !facet_xml_each_tag(data, size, note_tag, f))
        return facet_fail_arena(scratch, error);
    bool *reached = facet_arena_allocate_zeroed(scratch, f->ids.count, sizeof *reached);
    if (!reached || !reach(f, reached))
        return facet_fail_arena(scratch, error);
    report_instances(f, data, false, "the node is inside another node of a library", report);
    report_instances(f, data, true, "nothing has this id", report);
    facet_tally lost = {0, 0};
    const geometry *first = NULL;
    for (uint32_t i = 0; i < f->geometry_count; i++) {
        const geometry *g = &f->geometries[i];
        if (reached[g->id] && g->id != 0)
            continue;
        first = first ? first : g;
        facet_tally_hit(&lost, i);
    }
    if (!first)
        return FACET_OK;
    facet_quoted quoted;
    const facet_name *id = &f->ids.items[first->id];
    facet_report_add_tally_line(report, "LOSS-MESHES", FACET_SEVERITY_WARNING,
                                facet_xml_line(data, first->at), &lost,
                                "the geometry '%s' is not read: no node of the scene shows it",
                                facet_quote(&quoted, id->text, id->length));
    return FACET_OK;
}
