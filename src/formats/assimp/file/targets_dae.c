/* formats/assimp/file/targets_dae.c - morph targets of a COLLADA, as geometries that assimp reads.
 */
#include "formats/assimp/file/targets_dae.h"

#include "base/table.h"
#include "formats/assimp/file/edits_dae.h"
#include "formats/assimp/file/file.h"

#include <inttypes.h>
#include <string.h>

/* Bytes of all copies: a multiple of the file, and more for small ones. */
#define MAX_GROWTH 4
#define MAX_SMALL ((size_t)1 << 20)

/* Bytes of names and ids in the node of a target, and of the node. */
#define MAX_NAME 500
#define MAX_NODE (2 * MAX_NAME + 200)

#define NONE UINT32_MAX

/* A <source>, and the words of its array. */
typedef struct source {
    facet_xml_part id, words;
    bool is_text;
} source;

typedef struct geometry {
    facet_xml_part id, name, element;
    facet_xml_part positions; /* words; size 0: none, or no numbers */
} geometry;

/* A controller: of a morph, or of a skin. */
typedef struct controller {
    facet_xml_part id, element, source; /* source: in the attribute, with '#' */
    facet_xml_part targets, weights;    /* words */
    bool is_morph, is_relative, is_replaced;
} controller;

/* An <instance_controller>: the names of its tags. */
typedef struct instance {
    facet_xml_part url, names[2]; /* url: with '#' */
} instance;

typedef struct replacer {
    facet_arena *arena;
    geometry *geometries;
    controller *controllers;
    instance *instances;
    source *sources;        /* of the current geometry or controller */
    const uint8_t **scenes; /* the ends of <visual_scene> */
    uint32_t geometry_count, geometry_capacity, controller_count, controller_capacity,
        instance_count, instance_capacity, source_count, source_capacity, scene_count,
        scene_capacity;
    geometry *geometry;     /* the current one, or NULL */
    controller *controller; /* the current one, or NULL */
    bool in_vertices, in_instance;
    facet_xml_part inputs[3]; /* urls of POSITION, MORPH_TARGET and MORPH_WEIGHT */
    facet_names geometry_ids, controller_ids;
    char *nodes; /* that show targets */
    size_t node_size, node_space;
    facet_dae_edits edits;
    size_t left; /* bytes that copies may still have */
} replacer;

static facet_xml_part without_hash(facet_xml_part url)
{
    return url.size > 0 && *url.at == '#' ? (facet_xml_part){url.at + 1, url.size - 1} : url;
}

/* -- Elements ----------------------------------------------------------- */

static void begin_object(replacer *r)
{
    r->geometry = NULL;
    r->controller = NULL;
    r->source_count = 0;
    memset(r->inputs, 0, sizeof r->inputs);
}

/* The words of the source that an input names; empty if it is missing or of the other kind. */
static facet_xml_part words_of(const replacer *r, facet_xml_part url, bool is_text)
{
    facet_xml_part id = without_hash(url);
    for (uint32_t i = 0; i < r->source_count && id.size > 0; i++) {
        const source *s = &r->sources[i];
        if (s->id.size == id.size && memcmp(s->id.at, id.at, id.size) == 0)
            return s->is_text == is_text ? s->words : (facet_xml_part){NULL, 0};
    }
    return (facet_xml_part){NULL, 0};
}

static bool note_geometry(replacer *r, const facet_xml_tag *t)
{
    if (t->closes && r->geometry) {
        r->geometry->element.size = (size_t)(t->end - r->geometry->element.at);
        r->geometry->positions = words_of(r, r->inputs[0], false);
    }
    begin_object(r);
    if (t->closes || t->is_empty)
        return true;
    if (!FACET_GROW(r->arena, r->geometries, r->geometry_count, r->geometry_capacity))
        return false;
    r->geometry = &r->geometries[r->geometry_count++];
    *r->geometry = (geometry){.id = facet_xml_attribute(t->tag, "id"),
                              .name = facet_xml_attribute(t->tag, "name"),
                              .element = {t->begin, 0}};
    return true;
}

static bool note_controller(replacer *r, const facet_xml_tag *t)
{
    if (t->closes && r->controller) {
        r->controller->element.size = (size_t)(t->end - r->controller->element.at);
        r->controller->targets = words_of(r, r->inputs[1], true);
        r->controller->weights = words_of(r, r->inputs[2], false);
    }
    begin_object(r);
    if (t->closes || t->is_empty)
        return true;
    if (!FACET_GROW(r->arena, r->controllers, r->controller_count, r->controller_capacity))
        return false;
    r->controller = &r->controllers[r->controller_count++];
    *r->controller =
        (controller){.id = facet_xml_attribute(t->tag, "id"), .element = {t->begin, 0}};
    return true;
}

static bool note_instance(replacer *r, const facet_xml_tag *t)
{
    if (t->closes) {
        if (r->in_instance)
            r->instances[r->instance_count - 1].names[1] = t->name;
        r->in_instance = false;
        return true;
    }
    if (!FACET_GROW(r->arena, r->instances, r->instance_count, r->instance_capacity))
        return false;
    r->instances[r->instance_count++] = (instance){facet_xml_attribute(t->tag, "url"), {t->name}};
    r->in_instance = !t->is_empty;
    return true;
}

static bool note_source(replacer *r, const facet_xml_tag *t)
{
    if (!FACET_GROW(r->arena, r->sources, r->source_count, r->source_capacity))
        return false;
    r->sources[r->source_count++] = (source){.id = facet_xml_attribute(t->tag, "id")};
    return true;
}

/* Note what is inside of a geometry or controller. */
static bool note_inside(replacer *r, const facet_xml_tag *t)
{
    static const char *const semantics[] = {"POSITION", "MORPH_TARGET", "MORPH_WEIGHT"};
    source *last = r->source_count > 0 ? &r->sources[r->source_count - 1] : NULL;
    if (facet_xml_is(t->name, "vertices"))
        r->in_vertices = !t->closes;
    if (t->closes)
        return true;
    if (facet_xml_is(t->name, "source"))
        return note_source(r, t);
    bool is_text = facet_xml_is(t->name, "IDREF_array") || facet_xml_is(t->name, "Name_array");
    if (last && (is_text || facet_xml_is(t->name, "float_array"))) {
        last->words = t->content;
        last->is_text = is_text;
    } else if (facet_xml_is(t->name, "input")) {
        for (int i = r->in_vertices ? 0 : 1; i < 3; i++) {
            if (facet_xml_is(facet_xml_attribute(t->tag, "semantic"), semantics[i]))
                r->inputs[i] = facet_xml_attribute(t->tag, "source");
        }
    } else if (r->controller && (facet_xml_is(t->name, "morph") || facet_xml_is(t->name, "skin"))) {
        r->controller->is_morph = facet_xml_is(t->name, "morph");
        r->controller->source = facet_xml_attribute(t->tag, "source");
        r->controller->is_relative =
            facet_xml_is(facet_xml_attribute(t->tag, "method"), "RELATIVE");
    }
    return true;
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    replacer *r = user;
    if (facet_xml_is(t->name, "geometry"))
        return note_geometry(r, t);
    if (facet_xml_is(t->name, "controller"))
        return note_controller(r, t);
    if (facet_xml_is(t->name, "instance_controller"))
        return note_instance(r, t);
    if (facet_xml_is(t->name, "visual_scene") && t->closes) {
        if (!FACET_GROW(r->arena, r->scenes, r->scene_count, r->scene_capacity))
            return false;
        r->scenes[r->scene_count++] = t->begin;
        return true;
    }
    return r->geometry || r->controller ? note_inside(r, t) : true;
}

/* -- Copies ------------------------------------------------------------- */

static facet_xml_part part_of(const char *text)
{
    return (facet_xml_part){(const uint8_t *)text, text ? strlen(text) : 0};
}

static bool spend(replacer *r, size_t size)
{
    if (size > r->left)
        return false;
    r->left -= size;
    return true;
}

/* Add a copy of a geometry after it, with a suffix to its id, and with other positions if there are
 * some. Line ends become blanks. */
static bool copy_geometry(replacer *r, const geometry *from, const char *suffix,
                          facet_xml_part positions)
{
    facet_dae_edits made = {.arena = r->arena};
    facet_error ignored;
    const uint8_t *text = from->element.at;
    size_t size = from->element.size;
    if (!facet_dae_add_edit(&made, (facet_xml_part){from->id.at + from->id.size, 0},
                            part_of(suffix)) ||
        (positions.size > 0 && !facet_dae_add_edit(&made, from->positions, positions)) ||
        facet_dae_apply(&made, &text, &size, &ignored))
        return false;
    uint8_t *own = (uint8_t *)(uintptr_t)text; /* a copy, because it has edits */
    for (size_t i = 0; i < size; i++)
        own[i] = own[i] == '\n' || own[i] == '\r' ? ' ' : own[i];
    return facet_dae_add_edit(&r->edits, (facet_xml_part){from->element.at + from->element.size, 0},
                              (facet_xml_part){own, size});
}

static const geometry *geometry_of(const replacer *r, facet_xml_part id)
{
    uint32_t number =
        id.size > 0 ? facet_names_find(&r->geometry_ids, (const char *)id.at, id.size) : NONE;
    return number == NONE ? NULL : &r->geometries[number];
}

/* True if all targets of a morph have as many positions as its geometry, and if the copies are
 * within the limit. */
static bool is_replaceable(replacer *r, const controller *c, const geometry *base)
{
    facet_xml_part targets = c->targets, word;
    size_t count = 0, nodes = (size_t)r->scene_count * MAX_NODE;
    if (!c->is_morph || !base || base->element.size == 0 || base->positions.size == 0 ||
        base->id.size > MAX_NAME || !spend(r, base->element.size))
        return false;
    uint64_t words = facet_xml_count_words(base->positions);
    for (; (word = facet_xml_next_word(&targets)).size > 0; count++) {
        const geometry *target = geometry_of(r, word);
        if (!target || target->positions.size == 0 ||
            !spend(r, base->element.size + target->positions.size + nodes) ||
            facet_xml_count_words(target->positions) != words)
            return false;
    }
    return count > 0;
}

/* Add the node of a target. Its name has the number of the morph, how its positions are meant, its
 * weight, and its own name. */
static bool add_node(replacer *r, uint32_t number, const controller *c, const char *suffix,
                     facet_xml_part weight, const geometry *base, const geometry *target)
{
    facet_xml_part name = target->name.size > 0 ? target->name : target->id;
    if (name.size > MAX_NAME || memchr(name.at, '"', name.size))
        name.size = 0;
    if (weight.size == 0 || weight.size > 40)
        weight = part_of("0");
    char *made = facet_arena_format(r->arena,
                                    "<node name=\"" FACET_ASSIMP_MORPH "%" PRIu32
                                    " %c %.*s %.*s\"><instance_geometry "
                                    "url=\"#%.*s%s\"/></node>",
                                    number, c->is_relative ? 'r' : 'n', (int)weight.size,
                                    (const char *)weight.at, (int)name.size, (const char *)name.at,
                                    (int)base->id.size, (const char *)base->id.at, suffix);
    if (!made)
        return false;
    size_t size = strlen(made);
    if (r->node_space - r->node_size < size) {
        size_t more = (r->node_space + size) * 2;
        char *grown = facet_arena_resize(r->arena, r->nodes, r->node_space, more, 1);
        if (!grown)
            return false;
        r->nodes = grown;
        r->node_space = more;
    }
    memcpy(r->nodes + r->node_size, made, size);
    r->node_size += size;
    return true;
}

static bool replace_morph(replacer *r, uint32_t number, const geometry *base)
{
    controller *c = &r->controllers[number];
    facet_xml_part targets = c->targets, weights = c->weights, word;
    char *suffix = facet_arena_format(r->arena, FACET_ASSIMP_MORPH "%" PRIu32, number);
    c->is_replaced = true;
    if (!suffix || !copy_geometry(r, base, suffix, (facet_xml_part){NULL, 0}) ||
        !facet_dae_add_edit(&r->edits, c->element, (facet_xml_part){c->element.at, 0}))
        return false;
    for (uint32_t i = 0; (word = facet_xml_next_word(&targets)).size > 0; i++) {
        const geometry *target = geometry_of(r, word);
        suffix = facet_arena_format(r->arena, FACET_ASSIMP_MORPH "%" PRIu32 "t%" PRIu32, number, i);
        if (!suffix || !copy_geometry(r, base, suffix, target->positions) ||
            !add_node(r, number, c, suffix, facet_xml_next_word(&weights), base, target))
            return false;
    }
    return true;
}

/* -- References --------------------------------------------------------- */

static uint32_t controller_of(const replacer *r, facet_xml_part url)
{
    facet_xml_part id = without_hash(url);
    return id.size > 0 ? facet_names_find(&r->controller_ids, (const char *)id.at, id.size) : NONE;
}

/* The number of the replaced morph that a controller is, or that its skin is of; or NONE. */
static uint32_t morph_of(const replacer *r, uint32_t number)
{
    if (number != NONE && !r->controllers[number].is_morph)
        number = controller_of(r, r->controllers[number].source);
    return number != NONE && r->controllers[number].is_replaced ? number : NONE;
}

/* Let a reference name the geometry of a morph. */
static bool refer_to_geometry(replacer *r, facet_xml_part url, uint32_t morph)
{
    const geometry *base = geometry_of(r, without_hash(r->controllers[morph].source));
    char *made = facet_arena_format(r->arena, "#%.*s" FACET_ASSIMP_MORPH "%" PRIu32,
                                    (int)base->id.size, (const char *)base->id.at, morph);
    return made && facet_dae_add_edit(&r->edits, url, part_of(made));
}

/* Add the suffix of a morph to an id of its skin. */
static bool add_suffix(replacer *r, facet_xml_part id, uint32_t morph)
{
    char *made = facet_arena_format(r->arena, FACET_ASSIMP_MORPH "%" PRIu32, morph);
    return made &&
           facet_dae_add_edit(&r->edits, (facet_xml_part){id.at + id.size, 0}, part_of(made));
}

static bool replace_references(replacer *r)
{
    for (uint32_t i = 0; i < r->controller_count; i++) {
        const controller *c = &r->controllers[i];
        uint32_t morph = morph_of(r, i);
        if (morph != NONE && !c->is_morph &&
            (!refer_to_geometry(r, c->source, morph) || !add_suffix(r, c->id, morph)))
            return false;
    }
    for (uint32_t i = 0; i < r->instance_count; i++) {
        const instance *from = &r->instances[i];
        uint32_t number = controller_of(r, from->url), morph = morph_of(r, number);
        if (morph == NONE)
            continue;
        if (morph != number) {
            if (!add_suffix(r, from->url, morph))
                return false;
            continue;
        }
        for (int k = 0; k < 2; k++) {
            if (from->names[k].size > 0 &&
                !facet_dae_add_edit(&r->edits, from->names[k], part_of("instance_geometry")))
                return false;
        }
        if (!refer_to_geometry(r, from->url, morph))
            return false;
    }
    return true;
}

/* Give the first of equal ids its number. */
static bool index_ids(replacer *r)
{
    for (uint32_t i = 0; i < r->geometry_count; i++) {
        const facet_xml_part id = r->geometries[i].id;
        uint32_t known = r->geometry_ids.count,
                 number = facet_names_put(&r->geometry_ids, (const char *)id.at, id.size);
        if (number == NONE)
            return false;
        if (number == known)
            r->geometries[number] = r->geometries[i];
    }
    for (uint32_t i = 0; i < r->controller_count; i++) {
        const facet_xml_part id = r->controllers[i].id;
        uint32_t known = r->controller_ids.count,
                 number = facet_names_put(&r->controller_ids, (const char *)id.at, id.size);
        if (number == NONE)
            return false;
        if (number == known)
            r->controllers[number] = r->controllers[i];
    }
    r->controller_count = r->controller_ids.count;
    return true;
}

facet_status facet_dae_replace_morphs(const uint8_t **data, size_t *size, facet_arena *scratch,
                                      facet_error *error)
{
    replacer *r = facet_arena_allocate_zeroed(scratch, 1, sizeof *r);
    if (!r)
        return facet_fail_arena(scratch, error);
    r->arena = r->edits.arena = scratch;
    r->geometry_ids = r->controller_ids = facet_names_make(scratch);
    r->left = *size > SIZE_MAX / MAX_GROWTH - MAX_SMALL ? SIZE_MAX : *size * MAX_GROWTH + MAX_SMALL;
    bool done = facet_xml_each_tag(*data, *size, note_tag, r);
    bool has_morph = false;
    for (uint32_t i = 0; i < r->controller_count; i++)
        has_morph |= r->controllers[i].is_morph;
    if (done && !has_morph)
        return FACET_OK;
    done = done && index_ids(r);
    for (uint32_t i = 0; i < r->controller_count && done; i++) {
        const geometry *base = geometry_of(r, without_hash(r->controllers[i].source));
        if (is_replaceable(r, &r->controllers[i], base))
            done = replace_morph(r, i, base);
    }
    for (uint32_t i = 0; i < r->scene_count && done && r->node_size > 0; i++)
        done = facet_dae_add_edit(&r->edits, (facet_xml_part){r->scenes[i], 0},
                                  (facet_xml_part){(const uint8_t *)r->nodes, r->node_size});
    if (!done || !replace_references(r))
        return facet_fail_arena(scratch, error);
    return facet_dae_apply(&r->edits, data, size, error);
}
