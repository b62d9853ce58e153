/* formats/assimp/file/nodes_dae.c - the nodes of a COLLADA. assimp copies the tree of a node for
 * each instance of it, by recursion. */
#include "formats/assimp/file/nodes_dae.h"
#include "formats/assimp/file/links.h"

#include <string.h>

bool facet_dae_begin_node(facet_dae_nodes *all, facet_xml_part id, facet_xml_part name,
                          uint64_t line)
{
    uint32_t parent = all->depth > 0 ? all->open[all->depth - 1] : 0;
    if (!FACET_GROW(all->arena, all->nodes, all->count, all->capacity))
        return false;
    all->nodes[all->count++] = (facet_dae_node){id, name, parent, line};
    if (all->depth <= FACET_ASSIMP_MAX_DEPTH) /* elements nested deeper are an error later */
        all->open[all->depth++] = all->count;
    return true;
}

void facet_dae_end_node(facet_dae_nodes *all)
{
    all->depth -= all->depth > 0;
}

bool facet_dae_note_instance(facet_dae_nodes *all, facet_xml_part url, uint64_t line)
{
    uint32_t node = all->depth > 0 ? all->open[all->depth - 1] : 0;
    if (url.size == 0 || *url.at != '#')
        return true;
    if (!FACET_GROW(all->arena, all->instances, all->instance_count, all->instance_capacity))
        return false;
    facet_xml_part target = {url.at + 1, url.size - 1};
    all->instances[all->instance_count++] = (facet_dae_instance){target, node, line};
    return true;
}

/* -- Check -------------------------------------------------------------- */

/* Keys of the graph: nodes by number, and the texts by which instances name them. One text can name
 * several nodes: then the instance counts as one of each. assimp searches names only if no node has
 * the id. A character reference can stand for any letters, so that a text with one may be equal to
 * each target. */
enum { BY_ID, BY_NAME, BY_CODED_ID, BY_CODED_NAME, KINDS };

typedef struct dae_graph {
    facet_assimp_links links;
    facet_names targets; /* of all instances */
    bool *has_id;        /* per target: a node has it as id */
} dae_graph;

static uint64_t key_of(uint32_t target, int kind)
{
    return ((uint64_t)target * KINDS + (uint64_t)kind) << 32 | UINT32_MAX;
}

static bool add(dae_graph *g, uint64_t from, uint64_t to, uint64_t line)
{
    return facet_assimp_links_add_numbers(&g->links, from, to, line);
}

static bool is_coded(facet_xml_part text)
{
    return text.size > 0 && memchr(text.at, '&', text.size);
}

static uint32_t find(dae_graph *g, facet_xml_part text)
{
    return text.size > 0 ? facet_names_find(&g->targets, (const char *)text.at, text.size)
                         : FACET_NONE;
}

/* Refer from a target to a node that has it as id or name. */
static bool add_target(dae_graph *g, facet_xml_part text, int kind, uint32_t number, uint64_t line)
{
    uint32_t target = find(g, text);
    if (is_coded(text))
        return add(g, key_of(0, kind + BY_CODED_ID), number, line);
    return target == FACET_NONE || add(g, key_of(target, kind), number, line);
}

static bool add_instance(dae_graph *g, const facet_dae_instance *instance)
{
    uint32_t target = find(g, instance->target);
    if (target == FACET_NONE)
        return true;
    int kind = g->has_id[target] ? BY_ID : BY_NAME;
    return add(g, instance->node, key_of(target, kind), instance->line) &&
           add(g, instance->node, key_of(0, BY_CODED_ID), instance->line) &&
           (kind == BY_ID || add(g, instance->node, key_of(0, BY_CODED_NAME), instance->line));
}

static bool add_all(const facet_dae_nodes *all, dae_graph *g)
{
    for (uint32_t i = 0; i < all->instance_count; i++) {
        facet_xml_part target = all->instances[i].target;
        if (facet_names_put(&g->targets, (const char *)target.at, target.size) == FACET_NONE)
            return false;
    }
    g->has_id = facet_arena_allocate_zeroed(all->arena, g->targets.count, 1);
    if (!g->has_id)
        return false;
    for (uint32_t i = 0; i < all->count; i++) {
        const facet_dae_node *node = &all->nodes[i];
        uint32_t target = find(g, node->id);
        if (target != FACET_NONE)
            g->has_id[target] = true;
        if (!add(g, node->parent, i + 1, node->line) ||
            !add_target(g, node->id, BY_ID, i + 1, node->line) ||
            !add_target(g, node->name, BY_NAME, i + 1, node->line))
            return false;
    }
    for (uint32_t i = 0; i < all->instance_count; i++) {
        if (!add_instance(g, &all->instances[i]))
            return false;
    }
    return true;
}

facet_status facet_dae_check_nodes(const facet_dae_nodes *all, facet_error *error)
{
    dae_graph g = {.targets = facet_names_make(all->arena)};
    if (all->instance_count == 0)
        return FACET_OK;
    if (!facet_assimp_links_begin(&g.links, all->arena) || !add_all(all, &g))
        return facet_fail_arena(all->arena, error);
    g.links.is_counted = true;
    return facet_assimp_links_check(&g.links, error);
}
