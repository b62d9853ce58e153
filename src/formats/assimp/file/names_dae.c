/* formats/assimp/file/names_dae.c - numbers for equal names of nodes in a COLLADA. */
#include "formats/assimp/file/names_dae.h"

#include "base/table.h"
#include "formats/assimp/file/edits_dae.h"
#include "formats/assimp/file/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A <node>. Nodes are in the order of the file, so those of a subtree follow its root. */
typedef struct node {
    facet_xml_part name, id, sid;
    const uint8_t *after; /* the name of the element */
    uint32_t end;         /* number after the last node of the subtree */
    bool is_renamed, has_new_id;
} node;

/* A text that a node has, as a number. */
typedef struct mention {
    uint32_t text, node;
} mention;

typedef struct mentions {
    mention *items;
    uint32_t count, capacity;
} mentions;

/* A <source> of a controller. */
typedef struct source {
    facet_xml_part id, array_id, accessed, words;
} source;

/* A <controller>, its joints, and the nodes below its skeletons. */
typedef struct controller {
    facet_xml_part id;
    source joints;
    facet_xml_part inputs[2]; /* that name the source: of <joints> and <vertex_weights> */
    uint32_t first, end;      /* range of nodes; empty: no skeleton */
    uint32_t instance;        /* that has the skeletons, or NONE */
} controller;

/* A <skeleton> of an <instance_controller>. */
typedef struct skeleton {
    facet_xml_part controller, root; /* without '#' */
    uint32_t instance;
} skeleton;

typedef struct numbering {
    facet_arena *arena;
    node *nodes;
    controller *controllers;
    skeleton *skeletons;
    source *sources;
    uint32_t node_count, node_capacity, controller_count, controller_capacity, skeleton_count,
        skeleton_capacity, source_count, source_capacity;
    uint32_t *open; /* nodes around the current tag */
    uint32_t open_count, open_capacity;
    uint32_t instance;  /* number of the current <instance_controller> */
    facet_xml_part url; /* its controller */
    bool in_controller, in_joints;
    facet_names texts;
    mentions names, ids, sids;
    facet_dae_edits edits;
} numbering;

/* -- Elements ----------------------------------------------------------- */

static facet_xml_part without_hash(facet_xml_part url)
{
    return url.size > 0 && *url.at == '#' ? (facet_xml_part){url.at + 1, url.size - 1} : url;
}

static bool note_node(numbering *n, const facet_xml_tag *t)
{
    if (t->closes) {
        if (n->open_count > 0)
            n->nodes[n->open[--n->open_count]].end = n->node_count;
        return true;
    }
    if (!FACET_GROW(n->arena, n->nodes, n->node_count, n->node_capacity) ||
        !FACET_GROW(n->arena, n->open, n->open_count, n->open_capacity))
        return false;
    if (!t->is_empty)
        n->open[n->open_count++] = n->node_count;
    n->nodes[n->node_count] = (node){.name = facet_xml_attribute(t->tag, "name"),
                                     .id = facet_xml_attribute(t->tag, "id"),
                                     .sid = facet_xml_attribute(t->tag, "sid"),
                                     .after = t->name.at + t->name.size,
                                     .end = n->node_count + 1};
    n->node_count++;
    return true;
}

/* Note an input with joints, and their source: inputs[0] is of <joints>. */
static void note_joints(numbering *n, facet_xml_part url)
{
    controller *c = &n->controllers[n->controller_count - 1];
    facet_xml_part id = without_hash(url);
    if (id.size == 0 || c->inputs[!n->in_joints].size > 0)
        return;
    c->inputs[!n->in_joints] = id;
    for (uint32_t i = 0; i < n->source_count && n->in_joints; i++) {
        if (n->sources[i].id.size == id.size && memcmp(n->sources[i].id.at, id.at, id.size) == 0)
            c->joints = n->sources[i];
    }
}

static bool note_in_controller(numbering *n, const facet_xml_tag *t)
{
    source *last = n->source_count > 0 ? &n->sources[n->source_count - 1] : NULL;
    if (facet_xml_is(t->name, "joints"))
        n->in_joints = !t->closes && !t->is_empty;
    if (t->closes)
        return true;
    if (facet_xml_is(t->name, "source")) {
        if (!FACET_GROW(n->arena, n->sources, n->source_count, n->source_capacity))
            return false;
        n->sources[n->source_count++] = (source){.id = facet_xml_attribute(t->tag, "id")};
    } else if (last &&
               (facet_xml_is(t->name, "Name_array") || facet_xml_is(t->name, "IDREF_array"))) {
        last->array_id = facet_xml_attribute(t->tag, "id");
        last->words = t->content;
    } else if (last && facet_xml_is(t->name, "accessor")) {
        last->accessed = without_hash(facet_xml_attribute(t->tag, "source"));
    } else if (facet_xml_is(t->name, "input") &&
               facet_xml_is(facet_xml_attribute(t->tag, "semantic"), "JOINT")) {
        note_joints(n, facet_xml_attribute(t->tag, "source"));
    }
    return true;
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    numbering *n = user;
    if (facet_xml_is(t->name, "node"))
        return note_node(n, t);
    if (facet_xml_is(t->name, "controller")) {
        n->in_controller = !t->closes && !t->is_empty;
        n->in_joints = false;
        n->source_count = 0;
        if (t->closes)
            return true;
        if (!FACET_GROW(n->arena, n->controllers, n->controller_count, n->controller_capacity))
            return false;
        n->controllers[n->controller_count++] =
            (controller){.id = facet_xml_attribute(t->tag, "id"), .instance = NONE};
        return true;
    }
    if (n->in_controller)
        return note_in_controller(n, t);
    if (facet_xml_is(t->name, "instance_controller") && !t->closes) {
        n->instance++;
        n->url = without_hash(facet_xml_attribute(t->tag, "url"));
    } else if (facet_xml_is(t->name, "skeleton") && !t->closes && n->instance > 0) {
        facet_xml_part content = t->content;
        if (!FACET_GROW(n->arena, n->skeletons, n->skeleton_count, n->skeleton_capacity))
            return false;
        n->skeletons[n->skeleton_count++] =
            (skeleton){n->url, without_hash(facet_xml_next_word(&content)), n->instance};
    }
    return true;
}

/* -- Texts of nodes ----------------------------------------------------- */

/* The name of a node for assimp: its id, if it has no name. */
static facet_xml_part shown_name(const node *of)
{
    return of->name.size > 0 ? of->name : of->id;
}

static bool mention_text(numbering *n, mentions *all, facet_xml_part text, uint32_t of)
{
    if (text.size == 0)
        return true;
    uint32_t number = facet_names_put(&n->texts, (const char *)text.at, text.size);
    if (number == NONE || !FACET_GROW(n->arena, all->items, all->count, all->capacity))
        return false;
    all->items[all->count++] = (mention){number, of};
    return true;
}

static int by_text(const void *a, const void *b)
{
    const mention *l = a, *r = b;
    if (l->text != r->text)
        return l->text < r->text ? -1 : 1;
    return l->node < r->node ? -1 : l->node > r->node;
}

static void sort(mentions *all)
{
    if (all->count > 1)
        qsort(all->items, all->count, sizeof *all->items, by_text);
}

/* The first node from `first` with this text, or NONE. */
static uint32_t find(const mentions *all, uint32_t text, uint32_t first)
{
    uint32_t low = 0, high = all->count;
    const mention wanted = {text, first};
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_text(&all->items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->count && all->items[low].text == text ? all->items[low].node : NONE;
}

/* -- Names -------------------------------------------------------------- */

/* Rename a node. */
static bool rename_node(numbering *n, uint32_t number)
{
    node *of = &n->nodes[number];
    facet_xml_part name = shown_name(of);
    char *made;
    of->is_renamed = true;
    if (of->name.size > 0) {
        made = facet_arena_format(n->arena, FACET_ASSIMP_NUMBERED "%" PRIu32, number);
        return made && facet_dae_add_edit(&n->edits, (facet_xml_part){name.at + name.size, 0},
                                          (facet_xml_part){(uint8_t *)made, strlen(made)});
    }
    size_t size = name.size + 64;
    made = facet_arena_allocate(n->arena, size, 1);
    if (!made)
        return false;
    size_t used = sizeof " name=\"" - 1;
    memcpy(made, " name=\"", used);
    memcpy(made + used, name.at, name.size);
    used += name.size;
    used +=
        (size_t)snprintf(made + used, size - used, FACET_ASSIMP_NUMBERED "%" PRIu32 "\"", number);
    return facet_dae_add_edit(&n->edits, (facet_xml_part){of->after, 0},
                              (facet_xml_part){(uint8_t *)made, used});
}

/* Collect the texts of nodes, and rename nodes. */
static bool number_names(numbering *n)
{
    mentions all = {NULL, 0, 0};
    for (uint32_t i = 0; i < n->node_count; i++) {
        if (!mention_text(n, &n->ids, n->nodes[i].id, i) ||
            !mention_text(n, &n->sids, n->nodes[i].sid, i) ||
            !mention_text(n, &all, shown_name(&n->nodes[i]), i))
            return false;
    }
    sort(&n->ids);
    sort(&n->sids);
    sort(&all);
    for (uint32_t i = 0; i < all.count; i++) {
        const mention *m = &all.items[i];
        uint32_t with_id = find(&n->ids, m->text, 0);
        bool is_first = i == 0 || all.items[i - 1].text != m->text;
        bool is_id = with_id != NONE && with_id != m->node;
        facet_xml_part quoted = shown_name(&n->nodes[m->node]);
        if ((is_first && !is_id) || memchr(quoted.at, '"', quoted.size))
            continue;
        if (!rename_node(n, m->node))
            return false;
    }
    for (uint32_t i = 0; i < all.count; i++) { /* sorted already */
        if (n->nodes[all.items[i].node].is_renamed)
            continue;
        if (!FACET_GROW(n->arena, n->names.items, n->names.count, n->names.capacity))
            return false;
        n->names.items[n->names.count++] = all.items[i];
    }
    return true;
}

/* -- Joints ------------------------------------------------------------- */

/* Give each controller the range of nodes below the skeletons of its first instance. */
static bool find_skeletons(numbering *n)
{
    facet_names ids = facet_names_make(n->arena);
    for (uint32_t i = 0; i < n->controller_count; i++) {
        const facet_xml_part id = n->controllers[i].id;
        uint32_t known = ids.count, number = facet_names_put(&ids, (const char *)id.at, id.size);
        if (number == NONE)
            return false;
        if (number == known)
            n->controllers[number] = n->controllers[i];
    }
    n->controller_count = ids.count;
    for (uint32_t i = 0; i < n->skeleton_count; i++) {
        const skeleton *s = &n->skeletons[i];
        uint32_t number =
            facet_names_find(&ids, (const char *)s->controller.at, s->controller.size);
        uint32_t text = facet_names_find(&n->texts, (const char *)s->root.at, s->root.size);
        uint32_t root = text == NONE ? NONE : find(&n->ids, text, 0);
        controller *c = number == NONE ? NULL : &n->controllers[number];
        if (!c || root == NONE || (c->instance != NONE && c->instance != s->instance))
            continue;
        bool is_first = c->instance == NONE;
        c->first = is_first || root < c->first ? root : c->first;
        c->end = is_first || n->nodes[root].end > c->end ? n->nodes[root].end : c->end;
        c->instance = s->instance;
    }
    return true;
}

/* The node that assimp finds for a joint: by name or id, else by sid. */
static uint32_t found_by_assimp(const numbering *n, uint32_t text)
{
    uint32_t name = find(&n->names, text, 0), id = find(&n->ids, text, 0);
    uint32_t found = name < id ? name : id;
    return found != NONE ? found : find(&n->sids, text, 0);
}

/* Replace the name of a joint by the id of its node. */
static bool replace_joint(numbering *n, facet_xml_part word, uint32_t by)
{
    node *of = &n->nodes[by];
    if (of->id.size > 0)
        return facet_dae_add_edit(&n->edits, word, of->id);
    char *made = facet_arena_format(n->arena, FACET_ASSIMP_NUMBERED "%" PRIu32, by);
    if (!made ||
        !facet_dae_add_edit(&n->edits, word, (facet_xml_part){(uint8_t *)made, strlen(made)}))
        return false;
    if (of->has_new_id)
        return true;
    of->has_new_id = true;
    made = facet_arena_format(n->arena, " id=\"" FACET_ASSIMP_NUMBERED "%" PRIu32 "\"", by);
    return made && facet_dae_add_edit(&n->edits, (facet_xml_part){of->after, 0},
                                      (facet_xml_part){(uint8_t *)made, strlen(made)});
}

/* Give the joints of a controller other ids. Copies of a controller have equal ids, and assimp
 * keeps one source per id. */
static bool rename_source(numbering *n, const controller *c)
{
    const facet_xml_part sources[] = {c->joints.id, c->inputs[0], c->inputs[1]},
                         arrays[] = {c->joints.array_id, c->joints.accessed};
    uint32_t number = (uint32_t)(c - n->controllers);
    char *source_id = facet_arena_format(n->arena, FACET_ASSIMP_NUMBERED "s%" PRIu32, number);
    char *array_id = facet_arena_format(n->arena, FACET_ASSIMP_NUMBERED "a%" PRIu32, number);
    bool done = source_id && array_id;
    for (size_t i = 0; i < 3 && done; i++)
        done = sources[i].size == 0 ||
               facet_dae_add_edit(&n->edits, sources[i],
                                  (facet_xml_part){(uint8_t *)source_id, strlen(source_id)});
    for (size_t i = 0; i < 2 && done; i++)
        done = arrays[i].size == 0 ||
               facet_dae_add_edit(&n->edits, arrays[i],
                                  (facet_xml_part){(uint8_t *)array_id, strlen(array_id)});
    return done;
}

static bool bind_joints(numbering *n, const controller *c)
{
    facet_xml_part words = c->joints.words;
    bool changed = false;
    for (facet_xml_part word = facet_xml_next_word(&words); word.size > 0;
         word = facet_xml_next_word(&words)) {
        const mentions *const all[] = {&n->sids, &n->ids, &n->names};
        uint32_t text = facet_names_find(&n->texts, (const char *)word.at, word.size), found = NONE;
        for (size_t i = 0; i < 3 && text != NONE && found == NONE; i++) {
            found = find(all[i], text, c->first);
            found = found < c->end ? found : NONE;
        }
        if (found == NONE || found_by_assimp(n, text) == found)
            continue;
        changed = true;
        if (!replace_joint(n, word, found))
            return false;
    }
    return !changed || rename_source(n, c);
}

facet_status facet_dae_number_names(const uint8_t **data, size_t *size, facet_arena *scratch,
                                    facet_error *error)
{
    numbering *n = facet_arena_allocate_zeroed(scratch, 1, sizeof *n);
    if (!n)
        return facet_fail_arena(scratch, error);
    n->arena = n->edits.arena = scratch;
    n->texts = facet_names_make(scratch);
    bool done =
        facet_xml_each_tag(*data, *size, note_tag, n) && number_names(n) && find_skeletons(n);
    for (uint32_t i = 0; i < n->controller_count && done; i++)
        done = bind_joints(n, &n->controllers[i]);
    return done ? facet_dae_apply(&n->edits, data, size, error) : facet_fail_arena(scratch, error);
}
