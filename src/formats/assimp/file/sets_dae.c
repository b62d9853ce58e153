/* formats/assimp/file/sets_dae.c - numbers of the sets of texture coordinates in a COLLADA. */
#include "formats/assimp/file/sets_dae.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of controllers between an instance and its geometry: a skin of a morph. */
#define MAX_CONTROLLERS 4

static facet_xml_part without_hash(facet_xml_part url)
{
    return url.size > 0 && *url.at == '#' ? (facet_xml_part){url.at + 1, url.size - 1}
                                          : (facet_xml_part){url.at, 0};
}

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

uint32_t facet_dae_first_number(facet_xml_part text)
{
    size_t i = 0;
    uint32_t number = 0;
    while (i < text.size && !is_digit(text.at[i]))
        i++;
    for (; i < text.size && is_digit(text.at[i]); i++)
        number = number < 100000000 ? number * 10 + (text.at[i] - (uint32_t)'0') : UINT32_MAX;
    return number;
}

bool facet_dae_note_set(facet_dae_sets *sets, facet_xml_part name, facet_xml_part tag)
{
    bool is_controller = facet_xml_is(name, "skin") || facet_xml_is(name, "morph");
    if (facet_xml_is(name, "geometry") || facet_xml_is(name, "controller")) {
        if (!FACET_GROW(sets->arena, sets->shapes, sets->shape_count, sets->shape_capacity))
            return false;
        sets->shapes[sets->shape_count++] =
            (facet_dae_shape){facet_xml_attribute(tag, "id"), {tag.at, 0}};
    } else if (is_controller && sets->shape_count > 0) {
        sets->shapes[sets->shape_count - 1].source =
            without_hash(facet_xml_attribute(tag, "source"));
    } else if (facet_xml_is(name, "input") && sets->shape_count > 0 &&
               facet_xml_is(facet_xml_attribute(tag, "semantic"), "TEXCOORD")) {
        facet_xml_part value = facet_xml_attribute(tag, "set");
        if (!FACET_GROW(sets->arena, sets->items, sets->count, sets->capacity))
            return false;
        sets->items[sets->count++] =
            (facet_dae_set){sets->shape_count - 1, facet_dae_first_number(value), 0, value};
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    const facet_dae_set *l = a, *r = b;
    if (l->geometry != r->geometry)
        return l->geometry < r->geometry ? -1 : 1;
    return (l->set > r->set) - (l->set < r->set);
}

/* Number of different sets of the same geometry before this one. The sets are sorted. */
static uint32_t next_rank(const facet_dae_set *sets, uint32_t i, uint32_t rank)
{
    if (i == 0 || sets[i].geometry != sets[i - 1].geometry)
        return 0;
    return rank + (sets[i].set != sets[i - 1].set);
}

static bool index_shapes(facet_dae_sets *sets)
{
    sets->names = facet_names_make(sets->arena);
    sets->first = facet_arena_allocate(sets->arena, sets->shape_count, sizeof *sets->first);
    for (uint32_t i = 0; sets->first && i < sets->shape_count; i++) {
        facet_xml_part id = sets->shapes[i].id;
        uint32_t before = sets->names.count;
        uint32_t number = facet_names_put(&sets->names, (const char *)id.at, id.size);
        if (number == UINT32_MAX)
            return false;
        if (sets->names.count > before)
            sets->first[number] = i;
    }
    return sets->first != NULL;
}

bool facet_dae_number_sets(facet_dae_sets *sets, facet_dae_edits *edits)
{
    if (!index_shapes(sets))
        return false;
    if (sets->count > 0)
        qsort(sets->items, sets->count, sizeof *sets->items, by_number);
    for (uint32_t i = 0, rank = 0; i < sets->count; i++) {
        const facet_dae_set *set = &sets->items[i];
        rank = next_rank(sets->items, i, rank);
        sets->items[i].rank = rank;
        if (rank == set->set || set->value.size == 0)
            continue;
        char *made = facet_arena_format(sets->arena, "%u", rank);
        if (!made ||
            !facet_dae_add_edit(edits, set->value, (facet_xml_part){(uint8_t *)made, strlen(made)}))
            return false;
    }
    return true;
}

uint32_t facet_dae_number_of_set(const facet_dae_sets *sets, facet_xml_part id, uint32_t set)
{
    uint32_t shape = UINT32_MAX;
    for (int i = 0; i <= MAX_CONTROLLERS && id.size > 0; i++) {
        uint32_t number = facet_names_find(&sets->names, (const char *)id.at, id.size);
        if (number == UINT32_MAX)
            return set;
        shape = sets->first[number];
        id = sets->shapes[shape].source;
    }
    const facet_dae_set key = {.geometry = shape, .set = set};
    const facet_dae_set *found =
        sets->count > 0 ? bsearch(&key, sets->items, sets->count, sizeof *sets->items, by_number)
                        : NULL;
    return found ? found->rank : set;
}
