/* formats/assimp/from_scene/unique_names.c - unique names for a COLLADA. assimp makes ids of names.
 * For each equal id, it tries the numbers from 1 on, which takes quadratic time. This file adds
 * numbers to names in linear time; file/restore_dae.c removes them again. */
#include "base/error.h"
#include "base/unique.h"
#include "formats/assimp/from_scene/from_scene.h"

#include <assimp/material.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes of "_" and a number of 32 bits. */
#define MAX_ADDED 11

typedef struct namer {
    facet_assimp_writer *w;
    facet_unique names;
} namer;

/* A free name: `name`, or the name with the first free number. Each number of a name is tried once.
 * *added is the number of bytes after the name. NULL if out of memory. */
static const char *free_name(namer *n, const char *name, uint8_t *added)
{
    bool fresh;
    uint32_t number = facet_unique_take(&n->names, name, &fresh);
    *added = 0;
    if (number == FACET_NONE || fresh || !*name)
        return number == FACET_NONE ? NULL : name;
    size_t length = strlen(name);
    size_t most = FACET_ASSIMP_TEXT_CAPACITY - 1 - MAX_ADDED;
    while (length > most || (length > 0 && !facet_utf8_valid(name, length)))
        length--;
    while (!fresh) {
        char *made = facet_arena_format(n->w->scratch, "%.*s_%" PRIu32, (int)length, name,
                                        n->names.next[number]++);
        if (!made || facet_unique_take(&n->names, made, &fresh) == FACET_NONE)
            return NULL;
        if (fresh) {
            *added = (uint8_t)(strlen(made) - length);
            name = made;
        }
    }
    return name;
}

static bool rename_text(namer *n, struct aiString *name, uint8_t *added)
{
    const char *made = free_name(n, name->data, added);
    if (made && *added > 0)
        facet_assimp_set_text(name, made);
    return made != NULL;
}

/* The names of a scene's nodes are unique. Without nodes, those below the root have the names of
 * meshes. */
static bool name_nodes(namer *n, uint8_t *added, uint32_t count)
{
    struct aiNode *root = n->w->to.mRootNode;
    bool fresh;
    if (facet_unique_take(&n->names, root->mName.data, &fresh) == FACET_NONE)
        return false;
    for (uint32_t i = 0; i < n->w->scene->node_count; i++) {
        if (facet_unique_take(&n->names, n->w->node_names[i], &fresh) == FACET_NONE)
            return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!rename_text(n, &root->mChildren[i]->mName, &added[i]))
            return false;
    }
    return true;
}

static bool name_materials(namer *n, uint8_t *added)
{
    facet_assimp_writer *w = n->w;
    for (uint32_t i = 0; i <= w->scene->material_count; i++) {
        const char *name =
            i < w->scene->material_count ? w->scene->materials[i]->name : AI_DEFAULT_MATERIAL_NAME;
        w->material_names[i] = w->target->unique_names ? free_name(n, name, &added[i]) : name;
        if (!w->material_names[i])
            return false;
    }
    return true;
}

static bool name_meshes(namer *n, uint8_t *added)
{
    for (uint32_t i = 0; i < n->w->to.mNumMeshes; i++) {
        if (!rename_text(n, &n->w->to.mMeshes[i]->mName, &added[i]))
            return false;
    }
    return true;
}

facet_status facet_assimp_name_uniquely(facet_assimp_writer *w)
{
    namer n = {.w = w, .names = facet_unique_make(w->scratch)};
    uint32_t nodes = w->scene->node_count > 0 ? 0 : w->to.mRootNode->mNumChildren;
    uint32_t materials = w->scene->material_count + 1, meshes = w->to.mNumMeshes;
    uint8_t *of_nodes = facet_arena_allocate_zeroed(w->scratch, nodes, 1);
    uint8_t *of_materials = facet_arena_allocate_zeroed(w->scratch, materials, 1);
    uint8_t *of_meshes = facet_arena_allocate_zeroed(w->scratch, meshes, 1);
    w->material_names = facet_arena_allocate(w->scratch, materials, sizeof *w->material_names);
    bool done = of_nodes && of_materials && of_meshes && w->material_names;
    /* assimp names nodes first, then materials, then meshes. */
    done = done && (!w->target->unique_names || name_nodes(&n, of_nodes, nodes));
    done = done && name_materials(&n, of_materials);
    done = done && (!w->target->unique_names || name_meshes(&n, of_meshes));
    w->added.nodes = (facet_assimp_bytes){of_nodes, nodes};
    w->added.materials = (facet_assimp_bytes){of_materials, materials};
    w->added.meshes = (facet_assimp_bytes){of_meshes, meshes};
    return done ? FACET_OK : facet_fail_arena(w->scratch, w->error);
}
