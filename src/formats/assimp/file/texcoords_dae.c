/* formats/assimp/file/texcoords_dae.c - the texture coordinates of a COLLADA's textures. */
#include "formats/assimp/file/texcoords_dae.h"

#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* Number of sets in assimp. */
#define MAX_SETS 8

/* -- Elements ----------------------------------------------------------- */

static facet_xml_part without_hash(facet_xml_part url)
{
    return url.size > 0 && *url.at == '#' ? (facet_xml_part){url.at + 1, url.size - 1}
                                          : (facet_xml_part){url.at, 0};
}

bool facet_dae_note_texcoord(facet_dae_texcoords *all, facet_xml_part name, facet_xml_part tag,
                             uint64_t line)
{
    if (!facet_dae_note_set(&all->sets, name, tag))
        return false;
    if (facet_xml_is(name, "instance_geometry") || facet_xml_is(name, "instance_controller")) {
        all->shape = without_hash(facet_xml_attribute(tag, "url"));
    } else if (facet_xml_is(name, "effect")) {
        all->effect = facet_xml_attribute(tag, "id");
    } else if (facet_xml_is(name, "material")) {
        all->material = facet_xml_attribute(tag, "id");
    } else if (facet_xml_is(name, "instance_material")) {
        all->target = without_hash(facet_xml_attribute(tag, "target"));
    } else if (facet_xml_is(name, "instance_effect")) {
        if (!FACET_GROW(all->arena, all->materials, all->material_count, all->material_capacity))
            return false;
        all->materials[all->material_count++] =
            (facet_dae_material){all->material, without_hash(facet_xml_attribute(tag, "url"))};
    } else if (facet_xml_is(name, "texture")) {
        facet_xml_part text = facet_xml_attribute(tag, "texcoord");
        if (!FACET_GROW(all->arena, all->textures, all->texture_count, all->texture_capacity))
            return false;
        all->textures[all->texture_count++] =
            (facet_dae_texcoord){.owner = all->effect, .name = text, .line = line};
    } else if (facet_xml_is(name, "bind_vertex_input") &&
               facet_xml_is(facet_xml_attribute(tag, "input_semantic"), "TEXCOORD")) {
        facet_xml_part text = facet_xml_attribute(tag, "semantic");
        uint32_t set = facet_dae_first_number(facet_xml_attribute(tag, "input_set"));
        if (!FACET_GROW(all->arena, all->bindings, all->binding_count, all->binding_capacity))
            return false;
        all->bindings[all->binding_count++] =
            (facet_dae_texcoord){all->target, text, set, all->shape, line};
    }
    return true;
}

/* -- Bindings ----------------------------------------------------------- */

/* A binding with numbers instead of texts. */
typedef struct bound {
    uint64_t key; /* effect, name */
    uint32_t number;
    bool is_used;
} bound;

static int by_key(const void *a, const void *b)
{
    const bound *l = a, *r = b;
    if (l->key != r->key)
        return l->key < r->key ? -1 : 1;
    return (l->number > r->number) - (l->number < r->number);
}

static uint32_t put(facet_names *names, facet_xml_part text)
{
    return facet_names_put(names, (const char *)text.at, text.size);
}

/* List the bindings by effect and name. NULL if out of memory. */
static bound *list_bindings(const facet_dae_texcoords *all, facet_names *names, uint32_t *count)
{
    facet_names ids = facet_names_make(all->arena);
    bound *list = facet_arena_allocate(all->arena, all->binding_count, sizeof *list);
    uint32_t *first = facet_arena_allocate(all->arena, all->material_count, sizeof *first);
    *count = 0;
    if (!list || !first)
        return NULL;
    for (uint32_t i = 0; i < all->material_count; i++) {
        uint32_t before = ids.count, id = put(&ids, all->materials[i].id);
        if (id == UINT32_MAX)
            return NULL;
        if (ids.count > before) /* the first with this id counts */
            first[id] = i;
    }
    for (uint32_t i = 0; i < all->binding_count; i++) {
        const facet_dae_texcoord *binding = &all->bindings[i];
        uint32_t id = facet_names_find(&ids, (const char *)binding->owner.at, binding->owner.size);
        facet_xml_part none = {binding->owner.at, 0};
        uint32_t effect = put(names, id == UINT32_MAX ? none : all->materials[first[id]].effect);
        uint32_t name = put(names, binding->name);
        if (effect == UINT32_MAX || name == UINT32_MAX)
            return NULL;
        list[(*count)++] = (bound){(uint64_t)effect << 32 | name, i, false};
    }
    if (*count > 0)
        qsort(list, *count, sizeof *list, by_key);
    return list;
}

/* The first binding with a key, or with a larger one. */
static uint32_t find(const bound *list, uint32_t count, uint64_t key)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Report bindings of textures to sets that assimp lacks, and to another set than the first binding
 * of the effect. */
static void find_lost(const facet_dae_texcoords *all, const bound *list, uint32_t count,
                      facet_tally *lost, uint64_t *line)
{
    for (uint32_t i = 0, first = 0; i < count; i++) {
        first = list[i].key == list[first].key ? first : i;
        const facet_dae_texcoord *binding = &all->bindings[list[i].number];
        if (!list[first].is_used ||
            (binding->set == all->bindings[list[first].number].set && binding->set < MAX_SETS))
            continue;
        if (lost->count == 0 || binding->line < *line)
            *line = binding->line;
        facet_tally_hit(lost, binding->line);
    }
}

facet_status facet_dae_bind_texcoords(facet_dae_texcoords *all, facet_dae_edits *edits,
                                      facet_tally *lost, uint64_t *line, facet_error *error)
{
    static const char *const names_of_sets[MAX_SETS] = {"CHANNEL0", "CHANNEL1", "CHANNEL2",
                                                        "CHANNEL3", "CHANNEL4", "CHANNEL5",
                                                        "CHANNEL6", "CHANNEL7"};
    facet_names names = facet_names_make(all->arena);
    uint32_t count;
    if (!facet_dae_number_sets(&all->sets, edits))
        return facet_fail_arena(all->arena, error);
    for (uint32_t i = 0; i < all->binding_count; i++)
        all->bindings[i].set =
            facet_dae_number_of_set(&all->sets, all->bindings[i].shape, all->bindings[i].set);
    bound *list = list_bindings(all, &names, &count);
    if (!list)
        return facet_fail_arena(all->arena, error);
    for (uint32_t i = 0; i < all->texture_count; i++) {
        const facet_dae_texcoord *texture = &all->textures[i];
        uint32_t effect =
            facet_names_find(&names, (const char *)texture->owner.at, texture->owner.size);
        uint32_t name =
            facet_names_find(&names, (const char *)texture->name.at, texture->name.size);
        uint64_t key = (uint64_t)effect << 32 | name;
        uint32_t at = find(list, count, key);
        if (texture->owner.size == 0 || at == count || list[at].key != key)
            continue;
        list[at].is_used = true;
        uint32_t set = all->bindings[list[at].number].set;
        if (set >= MAX_SETS || set == facet_dae_first_number(texture->name))
            continue;
        facet_xml_part replacement = {(const uint8_t *)names_of_sets[set], 8};
        if (!facet_dae_add_edit(edits, texture->name, replacement))
            return facet_fail_arena(all->arena, error);
    }
    find_lost(all, list, count, lost, line);
    return FACET_OK;
}
