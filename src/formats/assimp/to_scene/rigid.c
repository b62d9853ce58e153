/* formats/assimp/to_scene/rigid.c - meshes that Facet's writer bound to one joint, because
 * Blender's importer of COLLADA does not show rigid meshes below joints (from_scene/rigid.c). They
 * become rigid meshes below the joint again. */
#include "base/error.h"
#include "formats/assimp/to_scene/to_scene.h"
#include "scene/scene.h"

#include <string.h>

typedef struct finder {
    const facet_assimp_reader *r;
    uint32_t *uses;      /* per mesh: number of nodes that show it */
    uint32_t *is_parent; /* per node: number of children */
} finder;

/* True if all weights of a mesh are the writer's mark. */
static bool is_marked(const facet_mesh *mesh)
{
    const facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, 0);
    if (!weights || facet_mesh_find(mesh, FACET_WEIGHTS, 1) || weights->count == 0)
        return false;
    for (size_t v = 0; v < weights->count; v++) {
        const float *weight = (const float *)weights->data + v * 4;
        if (weight[0] != FACET_ASSIMP_RIGID_WEIGHT || weight[1] != 0)
            return false;
    }
    return true;
}

static bool is_rigid(const finder *f, uint32_t i)
{
    const facet_scene *scene = f->r->scene;
    const facet_node *node = scene->nodes[i];
    if (node->mesh == FACET_NONE || node->skin == FACET_NONE || f->uses[node->mesh] > 1 ||
        f->is_parent[i] > 0 || (i < f->r->place_count && f->r->animated[i]) ||
        node->camera != FACET_NONE || node->light != FACET_NONE)
        return false;
    const facet_skin *skin = scene->skins[node->skin];
    return skin->joint_count == 1 && skin->joints[0] != i && is_marked(scene->meshes[node->mesh]);
}

facet_status facet_assimp_release_rigid(facet_assimp_reader *r)
{
    static const facet_transform origin = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    facet_scene *scene = r->scene;
    finder f = {.r = r};
    uint32_t *number_of = facet_arena_allocate(r->scratch, scene->skin_count, sizeof *number_of);
    bool *is_gone = facet_arena_allocate_zeroed(r->scratch, scene->skin_count, sizeof *is_gone);
    f.uses = facet_arena_allocate_zeroed(r->scratch, scene->mesh_count, sizeof *f.uses);
    f.is_parent = facet_arena_allocate_zeroed(r->scratch, scene->node_count, sizeof *f.is_parent);
    if (!number_of || !is_gone || !f.uses || !f.is_parent)
        return facet_assimp_no_memory(r->error, scene->node_count, sizeof *f.is_parent);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh != FACET_NONE)
            f.uses[scene->nodes[i]->mesh]++;
        if (scene->nodes[i]->parent != FACET_NONE)
            f.is_parent[scene->nodes[i]->parent]++;
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        facet_node *node = scene->nodes[i];
        if (!is_rigid(&f, i))
            continue;
        const facet_skin *skin = scene->skins[node->skin];
        facet_mesh *mesh = scene->meshes[node->mesh];
        node->parent = skin->joints[0];
        node->transform = origin;
        node->has_matrix = false;
        facet_assimp_set_place(r, skin->inverse_bind, false, node);
        is_gone[node->skin] = true;
        node->skin = FACET_NONE;
        facet_mesh_remove_stream(mesh, facet_mesh_find(mesh, FACET_JOINTS, 0));
        facet_mesh_remove_stream(mesh, facet_mesh_find(mesh, FACET_WEIGHTS, 0));
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        number_of[i] = is_gone[i] ? FACET_NONE : kept;
        if (!is_gone[i])
            scene->skins[kept++] = scene->skins[i];
    }
    scene->skin_count = kept;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->skin != FACET_NONE)
            scene->nodes[i]->skin = number_of[scene->nodes[i]->skin];
    }
    for (uint32_t i = 0; i < r->group_count; i++) {
        if (r->groups[i].skin != FACET_NONE)
            r->groups[i].skin = number_of[r->groups[i].skin];
    }
    return FACET_OK;
}
