/* formats/assimp/from_scene/unnamed_nodes.c - nodes of a COLLADA without names. assimp searches the
 * name of each node among the bones of all meshes, which takes nodes times meshes. Only the names
 * of joints, cameras and lights are found. Other nodes get their name as an id, which is not
 * searched; file/restore_dae.c sets the name again. */
#include "base/error.h"
#include "formats/assimp/from_scene/from_scene.h"

#include <assimp/ColladaMetaData.h>
#include <string.h>

/* Up to so many meshes and bones, the search is faster than the longer scene. */
#define MAX_SEARCHED 1000

typedef struct unnamer {
    facet_assimp_writer *w;
    facet_names searched; /* names that assimp has to find */
    const struct aiString **names;
    uint32_t count;
    struct aiString *key;
} unnamer;

static bool keep(unnamer *u, const struct aiString *name)
{
    return facet_names_put(&u->searched, name->data, name->length) != FACET_NONE;
}

static bool keep_searched(unnamer *u)
{
    const struct aiScene *scene = &u->w->to;
    bool done = true;
    for (uint32_t i = 0; i < scene->mNumMeshes; i++) {
        for (uint32_t k = 0; k < scene->mMeshes[i]->mNumBones && done; k++)
            done = keep(u, &scene->mMeshes[i]->mBones[k]->mName);
    }
    for (uint32_t i = 0; i < scene->mNumCameras && done; i++)
        done = keep(u, &scene->mCameras[i]->mName);
    for (uint32_t i = 0; i < scene->mNumLights && done; i++)
        done = keep(u, &scene->mLights[i]->mName);
    return done;
}

/* Move the name of a node to its id. An empty name stays, without an id. */
static bool unname(unnamer *u, struct aiNode *node)
{
    facet_arena *arena = u->w->scratch;
    if (facet_names_find(&u->searched, node->mName.data, node->mName.length) != FACET_NONE)
        return true;
    struct aiString *id = facet_arena_allocate(arena, 1, sizeof *id);
    if (!id)
        return false;
    *id = node->mName;
    u->names[u->count++] = id;
    if (id->length == 0)
        return true;
    node->mName = (struct aiString){0};
    node->mMetaData = facet_arena_allocate(arena, 1, sizeof *node->mMetaData);
    struct aiMetadataEntry *value = facet_arena_allocate(arena, 1, sizeof *value);
    if (!node->mMetaData || !value)
        return false;
    *value = (struct aiMetadataEntry){AI_AISTRING, id};
    *node->mMetaData = (struct aiMetadata){1, u->key, value};
    return true;
}

/* Number of nodes, bones and meshes. */
static void count_parts(const facet_assimp_writer *w, uint64_t *nodes, uint64_t *searched)
{
    *nodes = (uint64_t)w->scene->node_count + w->to.mNumMeshes + 2;
    *searched = w->to.mNumMeshes;
    for (uint32_t i = 0; i < w->to.mNumMeshes; i++)
        *searched += w->to.mMeshes[i]->mNumBones;
}

facet_status facet_assimp_unname_nodes(facet_assimp_writer *w)
{
    uint64_t most, searched;
    count_parts(w, &most, &searched);
    if (!w->target->unique_names || searched <= MAX_SEARCHED)
        return FACET_OK;
    unnamer u = {.w = w, .searched = facet_names_make(w->scratch)};
    struct aiNode **open = facet_arena_allocate(w->scratch, most, sizeof *open);
    u.names = facet_arena_allocate(w->scratch, most, sizeof *u.names);
    u.key = facet_arena_allocate(w->scratch, 1, sizeof *u.key);
    bool done = open && u.names && u.key && keep_searched(&u);
    if (done)
        facet_assimp_set_text(u.key, AI_METADATA_COLLADA_ID);
    uint32_t count = 0;
    for (struct aiNode *node = w->to.mRootNode; done; node = open[--count]) { /* parents first */
        done = node == w->to.mRootNode || unname(&u, node);
        for (uint32_t i = node->mNumChildren; i-- > 0;)
            open[count++] = node->mChildren[i];
        if (count == 0)
            break;
    }
    w->added.names = u.names;
    w->added.name_count = u.count;
    return done ? FACET_OK : facet_fail_arena(w->scratch, w->error);
}
