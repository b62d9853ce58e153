/* formats/assimp/file/double_dae.c - double-sided effects and geometries of a COLLADA. The format
 * has no such flag. Programs write it as an <extra> of the profiles MAYA, MAX3D or GOOGLEEARTH. */
#include "formats/assimp/file/double_dae.h"

#include "base/error.h"
#include "base/table.h"
#include "formats/assimp/file/edits_dae.h"

#include <string.h>

#define NONE UINT32_MAX
#define SIDES                                                                              \
    "<extra><technique profile=\"GOOGLEEARTH\"><double_sided>1</double_sided></technique>" \
    "</extra>"

/* Maximum number of controllers between an instance and its geometry: a skin of a morph. */
#define MAX_CONTROLLERS 4

/* An <effect>, <material>, <geometry> or <controller>. */
typedef struct object {
    facet_xml_part link; /* id of the effect or geometry that it refers to */
    const uint8_t *end;  /* of an effect: its </profile_COMMON>, or NULL */
    bool is_double;
    uint32_t uses, double_uses; /* of an effect: bindings of its materials */
} object;

typedef struct objects {
    facet_names ids;
    object *items;
    uint32_t capacity;
} objects;

/* A material of an instance. */
typedef struct binding {
    facet_xml_part shape, material;
    const uint8_t *at;
} binding;

typedef struct mover {
    facet_arena *arena;
    objects effects, materials, shapes;
    object *effect, *material, *shape; /* the current ones, or NULL */
    object ignored;                    /* a second object with an id */
    bool in_profile;
    facet_xml_part url; /* of the current instance */
    binding *bindings;
    uint32_t binding_count, binding_capacity;
    bool has_any;
} mover;

static facet_xml_part without_hash(facet_xml_part url)
{
    return url.size > 0 && *url.at == '#' ? (facet_xml_part){url.at + 1, url.size - 1} : url;
}

static bool begins_with(facet_xml_part name, const char *start)
{
    return name.size >= strlen(start) && memcmp(name.at, start, strlen(start)) == 0;
}

/* -- Elements ----------------------------------------------------------- */

/* Begin or end an object. False if out of memory. */
static bool set_object(mover *m, objects *all, const facet_xml_tag *t, object **current)
{
    *current = NULL;
    if (t->closes || t->is_empty)
        return true;
    facet_xml_part id = facet_xml_attribute(t->tag, "id");
    uint32_t known = all->ids.count,
             number = facet_names_put(&all->ids, (const char *)id.at, id.size);
    if (number == NONE)
        return false;
    *current = &m->ignored;
    if (number < known) /* the first of equal ids counts */
        return true;
    if (!FACET_GROW(m->arena, all->items, number, all->capacity))
        return false;
    all->items[number] = (object){.link = {id.at, 0}};
    *current = &all->items[number];
    return true;
}

static bool note_binding(mover *m, const facet_xml_tag *t)
{
    facet_xml_part target = without_hash(facet_xml_attribute(t->tag, "target"));
    if (m->url.size == 0 || target.size == 0)
        return true;
    if (!FACET_GROW(m->arena, m->bindings, m->binding_count, m->binding_capacity))
        return false;
    m->bindings[m->binding_count++] = (binding){m->url, target, t->begin};
    return true;
}

static void note_flag(mover *m, const facet_xml_tag *t)
{
    facet_xml_part content = t->content, word = facet_xml_next_word(&content);
    object *of = m->shape ? m->shape : m->in_profile ? NULL : m->effect;
    if (of && (facet_xml_is(word, "1") || facet_xml_is(word, "true"))) {
        of->is_double = true;
        m->has_any = true;
    }
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    mover *m = user;
    bool is_controller = facet_xml_is(t->name, "skin") || facet_xml_is(t->name, "morph");
    if (facet_xml_is(t->name, "effect"))
        return set_object(m, &m->effects, t, &m->effect);
    if (facet_xml_is(t->name, "material"))
        return set_object(m, &m->materials, t, &m->material);
    if (facet_xml_is(t->name, "geometry") || facet_xml_is(t->name, "controller"))
        return set_object(m, &m->shapes, t, &m->shape);
    if (begins_with(t->name, "profile_")) {
        m->in_profile = !t->closes && !t->is_empty;
        if (t->closes && m->effect && facet_xml_is(t->name, "profile_COMMON"))
            m->effect->end = t->begin;
        return true;
    }
    if (t->closes)
        return true;
    if (facet_xml_is(t->name, "instance_effect") && m->material)
        m->material->link = without_hash(facet_xml_attribute(t->tag, "url"));
    else if (is_controller && m->shape)
        m->shape->link = without_hash(facet_xml_attribute(t->tag, "source"));
    else if (facet_xml_is(t->name, "instance_geometry") ||
             facet_xml_is(t->name, "instance_controller"))
        m->url = without_hash(facet_xml_attribute(t->tag, "url"));
    else if (facet_xml_is(t->name, "instance_material"))
        return note_binding(m, t);
    else if (facet_xml_is(t->name, "double_sided"))
        note_flag(m, t);
    return true;
}

/* -- Effects ------------------------------------------------------------ */

static object *find(const objects *all, facet_xml_part id)
{
    uint32_t number =
        id.size > 0 ? facet_names_find(&all->ids, (const char *)id.at, id.size) : NONE;
    return number == NONE ? NULL : &all->items[number];
}

/* True if the geometry of an instance is double-sided. */
static bool is_double(const mover *m, facet_xml_part id)
{
    const object *shape = find(&m->shapes, id);
    for (int i = 0; i < MAX_CONTROLLERS && shape && shape->link.size > 0; i++)
        shape = find(&m->shapes, shape->link);
    return shape && shape->is_double;
}

static object *effect_of(const mover *m, const binding *b)
{
    const object *material = find(&m->materials, b->material);
    return material ? find(&m->effects, material->link) : NULL;
}

/* Report geometries that are double-sided, while others with their materials are not. */
static void report_mixed(const mover *m, const uint8_t *data, facet_report *report)
{
    facet_tally lost = {0, 0};
    const binding *first = NULL;
    for (uint32_t i = 0; i < m->binding_count; i++) {
        const object *effect = effect_of(m, &m->bindings[i]);
        if (!effect || effect->is_double || !is_double(m, m->bindings[i].shape))
            continue;
        first = first ? first : &m->bindings[i];
        facet_tally_hit(&lost, i);
    }
    if (first)
        facet_report_add_tally_line(report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING,
                                    facet_xml_line(data, first->at), &lost,
                                    "the <double_sided> of a geometry is not used: others with "
                                    "its material are not double-sided");
}

facet_status facet_dae_move_double_sided(const uint8_t **data, size_t *size, facet_arena *scratch,
                                         facet_report *report, facet_error *error)
{
    mover m = {.arena = scratch};
    facet_dae_edits edits = {.arena = scratch};
    const facet_xml_part sides = {(const uint8_t *)SIDES, sizeof SIDES - 1};
    m.effects.ids = m.materials.ids = m.shapes.ids = facet_names_make(scratch);
    if (!facet_xml_each_tag(*data, *size, note_tag, &m))
        return facet_fail_arena(scratch, error);
    if (!m.has_any)
        return FACET_OK;
    for (uint32_t i = 0; i < m.binding_count; i++) {
        object *effect = effect_of(&m, &m.bindings[i]);
        if (!effect)
            continue;
        effect->uses++;
        effect->double_uses += is_double(&m, m.bindings[i].shape);
    }
    for (uint32_t i = 0; i < m.effects.ids.count; i++) {
        object *effect = &m.effects.items[i];
        effect->is_double |= effect->uses > 0 && effect->double_uses == effect->uses;
        if (effect->is_double && effect->end &&
            !facet_dae_add_edit(&edits, (facet_xml_part){effect->end, 0}, sides))
            return facet_fail_arena(scratch, error);
    }
    report_mixed(&m, *data, report);
    return facet_dae_apply(&edits, data, size, error);
}
