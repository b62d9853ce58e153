/* formats/assimp/file/params_dae.c - parameters of a COLLADA's effects. */
#include "formats/assimp/file/params_dae.h"

#include <stdlib.h>
#include <string.h>

static bool is_one_of(facet_xml_part name, const char *const *names)
{
    for (; *names; names++) {
        if (facet_xml_is(name, *names))
            return true;
    }
    return false;
}

static bool is_shader(facet_xml_part name)
{
    static const char *const names[] = {"constant", "lambert", "phong", "blinn", NULL};
    return is_one_of(name, names);
}

static bool is_color(facet_xml_part name)
{
    static const char *const names[] = {"emission",   "ambient",     "diffuse", "specular",
                                        "reflective", "transparent", NULL};
    return is_one_of(name, names);
}

/* -- Elements ----------------------------------------------------------- */

void facet_dae_begin_params(facet_dae_params *params, facet_arena *arena)
{
    *params = (facet_dae_params){.arena = arena};
    params->effects = facet_names_make(arena);
    params->names = facet_names_make(arena);
}

static bool put(facet_names *names, facet_xml_part text, uint32_t *number)
{
    *number = facet_names_put(names, (const char *)text.at, text.size);
    return *number != UINT32_MAX;
}

static bool add(facet_dae_params *params, facet_dae_param_list *list, facet_dae_param param)
{
    if (!FACET_GROW(params->arena, list->items, list->count, list->capacity))
        return false;
    list->items[list->count++] = param;
    return true;
}

/* Set the key of a parameter of the current effect. */
static bool set_key(facet_dae_params *params, facet_xml_part name)
{
    uint32_t number;
    if (!put(&params->names, name, &number))
        return false;
    params->key = (uint64_t)params->effect << 32 | number;
    return true;
}

bool facet_dae_note_param(facet_dae_params *params, facet_xml_part name, facet_xml_part parent,
                          facet_xml_part outer, facet_xml_part tag, facet_xml_part content,
                          uint64_t line)
{
    static const char *const values[] = {"float", "float3", "float4", NULL};
    static const char *const others[] = {"semantic", "modifier", "annotate", NULL};
    if (facet_xml_is(name, "effect"))
        return put(&params->effects, facet_xml_attribute(tag, "id"), &params->effect);
    if (facet_xml_is(name, "instance_effect")) {
        facet_xml_part url = facet_xml_attribute(tag, "url");
        if (url.size > 0)
            url.at++, url.size--; /* '#' */
        return put(&params->effects, url, &params->effect) &&
               add(params, &params->instances, (facet_dae_param){.key = params->effect});
    }
    if (facet_xml_is(name, "newparam"))
        return set_key(params, facet_xml_attribute(tag, "sid"));
    if (facet_xml_is(name, "setparam"))
        return set_key(params, facet_xml_attribute(tag, "ref"));
    bool is_new = facet_xml_is(parent, "newparam");
    if (is_new && is_one_of(name, values))
        return add(params, &params->made, (facet_dae_param){params->key, content, line, false});
    if (facet_xml_is(parent, "setparam") && facet_xml_is(outer, "instance_effect") &&
        !is_one_of(name, others)) {
        content.size = is_one_of(name, values) ? content.size : 0;
        return add(params, &params->changed, (facet_dae_param){params->key, content, line, false});
    }
    if (!facet_xml_is(name, "param") || !is_shader(outer))
        return true;
    facet_dae_param use = {0, {tag.at - 1, 0}, line, is_color(parent)};
    if (!set_key(params, facet_xml_attribute(tag, "ref")))
        return false;
    use.key = params->key;
    return add(params, &params->used, use);
}

/* -- Values ------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const facet_dae_param *l = a, *r = b;
    if (l->key != r->key)
        return l->key < r->key ? -1 : 1;
    return (l->value.at > r->value.at) - (l->value.at < r->value.at);
}

static void sort(facet_dae_param_list *list)
{
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, by_key);
}

/* The first item with a key, or NULL. *count gets the number of items with it, up to 2. */
static const facet_dae_param *find(const facet_dae_param_list *list, uint64_t key, int *count)
{
    uint32_t low = 0, high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    for (uint32_t i = low; i < list->count && *count < 2 && list->items[i].key == key; i++)
        ++*count;
    return *count > 0 ? &list->items[low] : NULL;
}

static void lose(facet_tally *lost, uint64_t *line, uint64_t at)
{
    if (lost->count == 0 || at < *line)
        *line = at;
    facet_tally_hit(lost, at);
}

/* Write the value of a <param> before it. *known is false for a value of another type. */
static bool write_value(facet_dae_params *params, facet_dae_edits *edits,
                        const facet_dae_param *use, facet_xml_part value, bool *known)
{
    facet_xml_part rest = value;
    int words = 0;
    while (words < 5 && facet_xml_next_word(&rest).size > 0)
        words++;
    *known = value.size < 1000 && (use->is_color ? words == 3 || words == 4 : words == 1);
    if (!*known)
        return true;
    const char *name = use->is_color ? "color" : "float";
    char *made = facet_arena_format(params->arena, "<%s>%.*s%s</%s>", name, (int)value.size,
                                    (const char *)value.at, words == 3 ? " 1" : "", name);
    return made &&
           facet_dae_add_edit(edits, use->value, (facet_xml_part){(uint8_t *)made, strlen(made)});
}

/* Report the values of <setparam> that are not used: another material has the effect, or they are
 * not numbers. */
static void find_lost(const facet_dae_params *params, facet_tally *lost, uint64_t *line)
{
    for (uint32_t i = 0; i < params->changed.count; i++) {
        const facet_dae_param *change = &params->changed.items[i];
        int uses, instances;
        find(&params->used, change->key, &uses);
        find(&params->instances, change->key >> 32, &instances);
        if (change->value.size == 0 || (uses > 0 && instances > 1))
            lose(lost, line, change->line);
    }
}

facet_status facet_dae_apply_params(facet_dae_params *params, facet_dae_edits *edits,
                                    facet_tally *lost, uint64_t *line, facet_error *error)
{
    sort(&params->made);
    sort(&params->changed);
    sort(&params->used);
    sort(&params->instances);
    for (uint32_t i = 0; i < params->used.count; i++) {
        const facet_dae_param *use = &params->used.items[i];
        int count, instances;
        const facet_dae_param *value = find(&params->changed, use->key, &count);
        find(&params->instances, use->key >> 32, &instances);
        if (!value || value->value.size == 0 || instances != 1)
            value = find(&params->made, use->key, &count);
        bool known = false;
        if (value && !write_value(params, edits, use, value->value, &known))
            return facet_fail_arena(params->arena, error);
        if (!known)
            lose(lost, line, use->line);
    }
    find_lost(params, lost, line);
    return FACET_OK;
}
