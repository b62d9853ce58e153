/* formats/assimp/to_scene/dae_targets.c - morph targets of a COLLADA in assimp's scene. Until then,
 * they are meshes of nodes at its end (file/targets_dae.h). */
#include "formats/assimp/to_scene/to_scene.h"

#include "base/error.h"
#include "base/numbers.h"

#include <string.h>

/* A node that shows a target. */
typedef struct target {
    const struct aiNode *node;
    uint32_t morph;
    bool is_relative;
    float weight;
    const char *name;
} target;

typedef struct attacher {
    facet_arena *arena;
    struct aiScene *scene;
    target *targets; /* by morph */
    uint32_t target_count;
} attacher;

/* Read the number after the mark in a name. *end is the rest. False without a mark. */
static bool read_mark(const char *name, uint32_t *number, char **end)
{
    const char *mark = strstr(name, FACET_ASSIMP_MORPH);
    if (!mark)
        return false;
    *number = (uint32_t)strtoul(mark + sizeof FACET_ASSIMP_MORPH - 1, end, 10);
    return true;
}

static bool read_target(attacher *a, const struct aiNode *node, target *to)
{
    char *end;
    *to = (target){.node = node};
    if (strncmp(node->mName.data, FACET_ASSIMP_MORPH, sizeof FACET_ASSIMP_MORPH - 1) != 0 ||
        !read_mark(node->mName.data, &to->morph, &end) || strlen(end) < 4)
        return false;
    to->is_relative = end[1] == 'r';
    const char *weight = end + 3, *rest = strchr(weight, ' ');
    const char *stop = rest ? rest : weight + strlen(weight);
    if (!facet_number_parse((const uint8_t *)weight, (const uint8_t *)stop, &to->weight))
        to->weight = 0;
    to->name = facet_assimp_without_number(a->arena, rest ? rest + 1 : stop);
    return to->name != NULL;
}

/* Find the nodes of targets: the last children of the root. */
static bool find_targets(attacher *a)
{
    const struct aiNode *root = a->scene->mRootNode;
    uint32_t count = root->mNumChildren, first = count;
    target ignored;
    while (first > 0 && read_target(a, root->mChildren[first - 1], &ignored))
        first--;
    a->target_count = count - first;
    a->targets = facet_arena_allocate(a->arena, a->target_count, sizeof *a->targets);
    for (uint32_t i = 0; a->targets && i < a->target_count; i++)
        read_target(a, root->mChildren[first + i], &a->targets[i]);
    return a->targets != NULL;
}

/* The first target of a morph; *count gets their number. */
static const target *targets_of(const attacher *a, uint32_t morph, uint32_t *count)
{
    uint32_t low = 0, high = a->target_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->targets[middle].morph < morph)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < a->target_count && a->targets[low + *count].morph == morph)
        ++*count;
    return &a->targets[low];
}

/* The mesh of a target for part `part` of the geometry; NULL if it does not match. */
static const struct aiMesh *mesh_of(const attacher *a, const target *of, uint32_t part,
                                    uint32_t vertices)
{
    if (of->node->mNumMeshes == 0)
        return NULL;
    const struct aiMesh *mesh = a->scene->mMeshes[of->node->mMeshes[part % of->node->mNumMeshes]];
    return mesh->mNumVertices == vertices ? mesh : NULL;
}

/* Attach the targets of a morph to a mesh, which is part `part` of its geometry. */
static bool attach(attacher *a, struct aiMesh *mesh, uint32_t morph, uint32_t part)
{
    uint32_t count;
    const target *targets = targets_of(a, morph, &count);
    struct aiAnimMesh *made = facet_arena_allocate_zeroed(a->arena, count, sizeof *made);
    struct aiAnimMesh **list = facet_arena_allocate(a->arena, count, sizeof *list);
    if (!made || !list)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct aiMesh *from = mesh_of(a, &targets[i], part, mesh->mNumVertices);
        if (!from)
            return true;
        list[i] = &made[i];
        facet_assimp_set_text(&made[i].mName, targets[i].name);
        made[i].mWeight = targets[i].weight;
        made[i].mNumVertices = from->mNumVertices;
        made[i].mVertices = from->mVertices;
        if (!targets[i].is_relative)
            continue;
        size_t vertices = from->mNumVertices;
        made[i].mVertices = facet_arena_allocate(a->arena, vertices, sizeof *made[i].mVertices);
        if (!made[i].mVertices)
            return false;
        for (size_t v = 0; v < vertices; v++) {
            made[i].mVertices[v].x = mesh->mVertices[v].x + from->mVertices[v].x;
            made[i].mVertices[v].y = mesh->mVertices[v].y + from->mVertices[v].y;
            made[i].mVertices[v].z = mesh->mVertices[v].z + from->mVertices[v].z;
        }
    }
    mesh->mNumAnimMeshes = count;
    mesh->mAnimMeshes = list;
    return true;
}

/* Remove the mark and its number from a name. */
static void clean_name(struct aiString *name)
{
    uint32_t number;
    char *end, *mark = strstr(name->data, FACET_ASSIMP_MORPH);
    if (!mark || !read_mark(name->data, &number, &end))
        return;
    memmove(mark, end, strlen(end) + 1);
    name->length = (ai_uint32)strlen(name->data);
}

/* Attach the targets to the meshes that a node shows. Those of a geometry are in the order of its
 * parts. */
static bool attach_to_node(attacher *a, const struct aiNode *node)
{
    uint32_t last = FACET_NONE, part = 0, morph;
    char *end;
    for (uint32_t i = 0; i < node->mNumMeshes; i++) {
        struct aiMesh *mesh = a->scene->mMeshes[node->mMeshes[i]];
        if (!read_mark(mesh->mName.data, &morph, &end))
            continue;
        part = morph == last ? part + 1 : 0;
        last = morph;
        clean_name(&mesh->mName);
        if (!attach(a, mesh, morph, part))
            return false;
    }
    return true;
}

/* Attach the targets to the meshes of all nodes, except those that show targets. False if out of
 * memory. */
static bool attach_to_all(attacher *a)
{
    const struct aiNode **nodes = NULL;
    uint32_t count = 0, capacity = 0;
    if (!FACET_GROW(a->arena, nodes, count, capacity))
        return false;
    nodes[count++] = a->scene->mRootNode;
    for (uint32_t i = 0; i < count; i++) {
        const struct aiNode *node = nodes[i];
        if (!attach_to_node(a, node))
            return false;
        for (uint32_t k = 0; k < node->mNumChildren; k++) {
            if (!FACET_GROW(a->arena, nodes, count, capacity))
                return false;
            nodes[count++] = node->mChildren[k];
        }
    }
    return true;
}

facet_status facet_assimp_attach_targets(const struct aiScene *imported, facet_arena *scratch,
                                         facet_assimp_attached *attached, facet_error *error)
{
    struct aiScene *scene = (struct aiScene *)(uintptr_t)imported;
    attacher a = {.arena = scratch, .scene = scene};
    *attached = (facet_assimp_attached){0};
    if (!scene->mRootNode || scene->mRootNode->mNumChildren == 0)
        return FACET_OK;
    *attached = (facet_assimp_attached){scene, scene->mRootNode->mNumChildren, scene->mNumMeshes};
    if (!find_targets(&a))
        return facet_fail_arena(scratch, error);
    if (a.target_count == 0)
        return FACET_OK;
    /* assimp makes the meshes of the last nodes last. */
    scene->mRootNode->mNumChildren -= a.target_count;
    for (uint32_t i = 0; i < a.target_count; i++) {
        const struct aiNode *node = a.targets[i].node;
        if (node->mNumMeshes > 0 && node->mMeshes[0] < scene->mNumMeshes)
            scene->mNumMeshes = node->mMeshes[0];
    }
    return attach_to_all(&a) ? FACET_OK : facet_fail_arena(scratch, error);
}

void facet_assimp_detach_targets(const facet_assimp_attached *attached)
{
    struct aiScene *scene = attached->scene;
    if (!scene || scene->mRootNode->mNumChildren == attached->nodes)
        return;
    scene->mRootNode->mNumChildren = attached->nodes;
    scene->mNumMeshes = attached->meshes;
    for (uint32_t i = 0; i < scene->mNumMeshes; i++) {
        scene->mMeshes[i]->mNumAnimMeshes = 0; /* a COLLADA has no others */
        scene->mMeshes[i]->mAnimMeshes = NULL;
    }
}
