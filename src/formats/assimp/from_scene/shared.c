/* formats/assimp/from_scene/shared.c - meshes that nodes show with several skins, or with and
 * without a skin. Such a mesh becomes one mesh per skin, because assimp's meshes own their
 * bones. */
#include "base/error.h"
#include "formats/assimp/from_scene/from_scene.h"

#include <stdlib.h>
#include <string.h>

typedef struct use {
    uint32_t mesh, skin, node;
} use;

static int by_mesh_and_skin(const void *a, const void *b)
{
    const use *left = a, *right = b;
    if (left->mesh != right->mesh)
        return left->mesh < right->mesh ? -1 : 1;
    if (left->skin != right->skin)
        return left->skin < right->skin ? -1 : 1;
    return left->node < right->node ? -1 : 1;
}

/* The uses of meshes, sorted; NULL if out of memory. */
static use *find_uses(facet_assimp_writer *w, uint32_t *count, uint32_t *more)
{
    const facet_scene *scene = w->scene;
    use *uses = facet_arena_allocate(w->scratch, scene->node_count, sizeof *uses);
    if (!uses)
        return NULL;
    *count = *more = 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh != FACET_NONE)
            uses[(*count)++] = (use){scene->nodes[i]->mesh, scene->nodes[i]->skin, i};
    }
    qsort(uses, *count, sizeof *uses, by_mesh_and_skin);
    for (uint32_t i = 1; i < *count; i++)
        *more += uses[i].mesh == uses[i - 1].mesh && uses[i].skin != uses[i - 1].skin;
    return uses;
}

/* Append `more` copies of meshes, and change the nodes that show them. */
static facet_status make_copies(facet_assimp_writer *w, const use *uses, uint32_t count,
                                uint32_t more)
{
    const facet_scene *from = w->scene;
    facet_scene *to = facet_arena_allocate(w->scratch, 1, sizeof *to);
    facet_mesh **meshes =
        facet_arena_allocate(w->scratch, (size_t)from->mesh_count + more, sizeof(facet_mesh *));
    facet_node **nodes = facet_arena_allocate(w->scratch, from->node_count, sizeof(facet_node *));
    if (!to || !meshes || !nodes)
        return facet_assimp_no_memory(w->error, from->node_count, sizeof *nodes);
    *to = *from;
    memcpy(meshes, from->meshes, from->mesh_count * sizeof(facet_mesh *));
    memcpy(nodes, from->nodes, from->node_count * sizeof(facet_node *));
    to->meshes = meshes;
    to->nodes = nodes;
    uint32_t now = FACET_NONE;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || uses[i].mesh != uses[i - 1].mesh)
            now = uses[i].mesh;
        else if (uses[i].skin != uses[i - 1].skin) {
            now = to->mesh_count++;
            meshes[now] = from->meshes[uses[i].mesh];
        }
        if (now == uses[i].mesh)
            continue;
        facet_node *node = facet_arena_allocate(w->scratch, 1, sizeof *node);
        if (!node)
            return facet_assimp_no_memory(w->error, 1, sizeof *node);
        *node = *from->nodes[uses[i].node];
        node->mesh = now;
        nodes[uses[i].node] = node;
    }
    w->scene = to;
    return FACET_OK;
}

facet_status facet_assimp_split_shared(facet_assimp_writer *w)
{
    uint32_t count, more;
    const use *uses = find_uses(w, &count, &more);
    if (!uses)
        return facet_assimp_no_memory(w->error, w->scene->node_count, sizeof *uses);
    return more > 0 ? make_copies(w, uses, count, more) : FACET_OK;
}
