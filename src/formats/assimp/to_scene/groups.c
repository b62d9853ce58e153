/* formats/assimp/to_scene/groups.c - assimp's tree as a list, and the groups of assimp's meshes
 * that become one mesh: assimp cuts a mesh at each change of material. */
#include "base/error.h"
#include "formats/assimp/to_scene/pivots.h"
#include "formats/assimp/to_scene/to_scene.h"

#include <string.h>

/* -- Places ------------------------------------------------------------- */

static facet_status add_place(facet_assimp_reader *r, uint32_t *capacity, const struct aiNode *node,
                              uint32_t parent)
{
    if (!node)
        return facet_fail(r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE", FACET_NO_OFFSET,
                          "a node is missing");
    if (r->place_count == *capacity) {
        uint32_t more = *capacity ? *capacity * 2 : 64;
        facet_assimp_chain *grown =
            more > *capacity
                ? facet_arena_resize(r->scratch, r->places, *capacity, more, sizeof *grown)
                : NULL;
        if (!grown)
            return facet_assimp_no_memory(r->error, more, sizeof *grown);
        r->places = grown;
        *capacity = more;
    }
    facet_assimp_chain place = {node, node, parent};
    if (r->is_fbx)
        place = facet_assimp_chain_at(node);
    place.parent = parent;
    r->places[r->place_count++] = place;
    return FACET_OK;
}

const char *facet_assimp_without_number(facet_arena *arena, const char *name)
{
    const char *mark = strstr(name, FACET_ASSIMP_NUMBERED), *next = mark;
    while (next) {
        mark = next;
        next = strstr(mark + 1, FACET_ASSIMP_NUMBERED);
    }
    return mark ? facet_arena_string(arena, name, (size_t)(mark - name)) : name;
}

/* The name in the file of a node that has been renamed for assimp. NULL if out of memory. */
static const char *name_in_file(const facet_assimp_reader *r, const char *name)
{
    if (!r->is_fbx)
        return facet_assimp_without_number(r->scratch, name);
    uint32_t number =
        r->fbx ? facet_names_find(&r->fbx->new_names, name, strlen(name)) : UINT32_MAX;
    if (number == UINT32_MAX)
        return name;
    facet_fbx_span label = r->fbx->objects[r->fbx->renamed[number]].label;
    return facet_arena_utf8(r->scratch, (const char *)label.at, facet_fbx_size(label));
}

facet_status facet_assimp_find_places(facet_assimp_reader *r)
{
    uint32_t capacity = 0;
    facet_status status = FACET_OK;
    if (r->from->mRootNode)
        status = add_place(r, &capacity, r->from->mRootNode, FACET_NONE);
    for (uint32_t i = 0; i < r->place_count && !status; i++) {
        const struct aiNode *node = facet_assimp_chain_end(&r->places[i]);
        for (uint32_t child = 0; child < node->mNumChildren && !status; child++)
            status = add_place(r, &capacity, node->mChildren[child], i);
    }
    if (status)
        return status;
    const char **names = facet_arena_allocate(r->scratch, r->place_count, sizeof *names);
    r->node_names = facet_arena_allocate(r->scratch, r->place_count, sizeof *names);
    r->animated = facet_arena_allocate_zeroed(r->scratch, r->place_count, sizeof(bool));
    if (!names || !r->node_names || !r->animated)
        return facet_assimp_no_memory(r->error, r->place_count, 2 * sizeof *names);
    for (uint32_t i = 0; i < r->place_count; i++) {
        names[i] = facet_assimp_text(r->scratch, &r->places[i].from->mName);
        if (!names[i])
            return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
        /* For files without a root node, assimp makes one and calls it "<OFFRoot>", for example. */
        bool is_made = r->places[i].parent == FACET_NONE && names[i][0] == '<';
        r->is_off |= is_made && strcmp(names[i], "<OFFRoot>") == 0;
        names[i] = is_made ? "" : names[i];
        r->node_names[i] = name_in_file(r, names[i]);
        if (!r->node_names[i])
            return facet_assimp_no_memory(r->error, strlen(names[i]), 1);
    }
    if (!facet_assimp_names_make(&r->place_names, r->scratch, names, r->place_count))
        return facet_assimp_no_memory(r->error, r->place_count, 2 * sizeof(uint32_t));
    /* assimp makes the root of an FBX, which no channel or bone of the file moves. A node can have
     * its name, which is the first in the index. */
    for (uint32_t i = r->place_count; r->is_fbx && i-- > 1;) {
        if (strcmp(names[i], names[0]) == 0)
            r->place_names.first[0] = i;
    }
    return FACET_OK;
}

/* -- Groups ------------------------------------------------------------- */

/* True if both have the same streams, so that they can share one mesh. */
static bool same_layout(const struct aiMesh *a, const struct aiMesh *b)
{
    bool same = !a->mNormals == !b->mNormals && !a->mTangents == !b->mTangents &&
                (a->mNumBones == 0) == (b->mNumBones == 0) &&
                a->mNumAnimMeshes == b->mNumAnimMeshes;
    for (int i = 0; i < AI_MAX_NUMBER_OF_TEXTURECOORDS && same; i++)
        same = !a->mTextureCoords[i] == !b->mTextureCoords[i] &&
               (a->mNumUVComponents[i] == 3) == (b->mNumUVComponents[i] == 3);
    for (int i = 0; i < AI_MAX_NUMBER_OF_COLOR_SETS && same; i++)
        same = !a->mColors[i] == !b->mColors[i];
    for (uint32_t i = 0; i < a->mNumAnimMeshes && same; i++)
        same = !a->mAnimMeshes[i]->mVertices == !b->mAnimMeshes[i]->mVertices &&
               !a->mAnimMeshes[i]->mNormals == !b->mAnimMeshes[i]->mNormals &&
               !a->mAnimMeshes[i]->mTangents == !b->mAnimMeshes[i]->mTangents;
    return same;
}

/* Maximum number of a node's groups that are searched for the layout of a mesh. */
#define LAYOUTS_OF_A_NODE 16

/* The newest group from `of_node` to `count` with the layout of this mesh; `count` if none has
 * it. */
static uint32_t group_like(const facet_assimp_reader *r, const struct aiMesh *mesh,
                           const uint32_t *first_of, uint32_t of_node, uint32_t count)
{
    uint32_t oldest = count > of_node + LAYOUTS_OF_A_NODE ? count - LAYOUTS_OF_A_NODE : of_node;
    for (uint32_t group = count; group > oldest; group--) {
        if (same_layout(r->from->mMeshes[first_of[group - 1]], mesh))
            return group - 1;
    }
    return count;
}

/* Group the meshes that a node is the first to show, by layout. */
static facet_status propose_groups(facet_assimp_reader *r, uint32_t *sizes, uint32_t *first_of)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->place_count; i++) {
        const struct aiNode *node = r->places[i].from;
        uint32_t of_node = count;
        for (uint32_t k = 0; k < node->mNumMeshes; k++) {
            uint32_t mesh = node->mMeshes[k];
            if (mesh >= r->from->mNumMeshes)
                return facet_fail(r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE", FACET_NO_OFFSET,
                                  "a node names mesh %u of %u", mesh, r->from->mNumMeshes);
            if (r->group_of[mesh] != FACET_NONE)
                continue;
            uint32_t group = group_like(r, r->from->mMeshes[mesh], first_of, of_node, count);
            if (group == count) {
                sizes[group] = 0;
                first_of[count++] = mesh;
            }
            r->group_of[mesh] = group;
            r->shown_by[mesh] = i;
            sizes[group]++;
        }
    }
    for (uint32_t mesh = 0; mesh < r->from->mNumMeshes; mesh++) {
        if (r->group_of[mesh] == FACET_NONE) {
            r->group_of[mesh] = count;
            sizes[count++] = 1;
        }
    }
    r->group_count = count;
    return FACET_OK;
}

/* Mark the groups of which a node shows only some meshes; they are split. `hits` must be all
 * zero. */
static void mark_torn(const facet_assimp_reader *r, const uint32_t *sizes, uint32_t *hits,
                      bool *torn)
{
    for (uint32_t i = 0; i < r->place_count; i++) {
        const struct aiNode *node = r->places[i].from;
        for (uint32_t k = 0; k < node->mNumMeshes; k++)
            hits[r->group_of[node->mMeshes[k]]]++;
        for (uint32_t k = 0; k < node->mNumMeshes; k++) {
            uint32_t group = r->group_of[node->mMeshes[k]];
            torn[group] |= hits[group] != 0 && hits[group] != sizes[group];
            hits[group] = 0;
        }
    }
}

facet_status facet_assimp_group_meshes(facet_assimp_reader *r)
{
    uint32_t count = r->from->mNumMeshes;
    uint32_t *sizes = facet_arena_allocate_zeroed(r->scratch, count, sizeof *sizes);
    uint32_t *hits = facet_arena_allocate_zeroed(r->scratch, count, sizeof *hits);
    uint32_t *first_of = facet_arena_allocate(r->scratch, count, sizeof *first_of);
    bool *torn = facet_arena_allocate_zeroed(r->scratch, count, sizeof *torn);
    r->group_of = facet_arena_allocate(r->scratch, count, sizeof *r->group_of);
    r->members = facet_arena_allocate(r->scratch, count, sizeof *r->members);
    r->shown_by = facet_arena_allocate(r->scratch, count, sizeof *r->shown_by);
    r->groups = facet_arena_allocate_zeroed(r->scratch, count, sizeof *r->groups);
    if (!sizes || !hits || !first_of || !torn || !r->group_of || !r->members || !r->groups ||
        !r->shown_by)
        return facet_assimp_no_memory(r->error, count, sizeof *r->groups);
    memset(r->group_of, 0xFF, count * sizeof *r->group_of);
    memset(r->shown_by, 0xFF, count * sizeof *r->shown_by);
    TRY(propose_groups(r, sizes, first_of));
    mark_torn(r, sizes, hits, torn);

    /* A group's number is that of its first mesh. Meshes of split groups form their own groups. */
    uint32_t *number = first_of;
    memset(number, 0xFF, count * sizeof *number);
    uint32_t made = 0;
    for (uint32_t mesh = 0; mesh < count; mesh++) {
        uint32_t group = r->group_of[mesh];
        if (torn[group] || number[group] == FACET_NONE) {
            number[group] = made++;
            r->groups[number[group]].mesh = r->groups[number[group]].skin = FACET_NONE;
        }
        r->group_of[mesh] = number[group];
        r->groups[number[group]].count++;
    }
    r->group_count = made;
    for (uint32_t group = 1; group < made; group++)
        r->groups[group].first = r->groups[group - 1].first + r->groups[group - 1].count;
    uint32_t *filled = hits;
    for (uint32_t mesh = 0; mesh < count; mesh++) {
        uint32_t group = r->group_of[mesh];
        r->members[r->groups[group].first + filled[group]++] = mesh;
    }
    return FACET_OK;
}
