/* formats/assimp/file/fbx_binds.c - bind poses of an FBX that assimp wrote.
 *
 * assimp writes the pose at rest as the bind pose. A cluster has the global transform of the bone
 * in the bind pose (TransformLink), and that of the mesh relative to the bone (Transform). Blender
 * also needs the global transform of the node above the bones (TransformAssociateModel). Without
 * it, Blender uses the transform of that node relative to its parent.
 *
 * Blender connects a bone to its parent if it begins where the parent ends, and does not move
 * connected bones. So a bone that is moved begins a little next to that point: 4 millionths of a
 * coordinate, or a millionth of its length, where Blender tolerates one millionth. */
#include "formats/assimp/file/fbx_edits.h"
#include "formats/assimp/file/file.h"
#include "scene/matrix.h"

#include <math.h>
#include <string.h>

#define COORDINATE_STEP 4e-6F
#define LENGTH_STEP 1e-6F

typedef struct binder {
    const struct aiScene *from;
    facet_fbx *fbx;
    facet_fbx_edits edits;
    const struct aiNode **nodes; /* parents first */
    uint32_t *parents;
    const char **names;
    float *places;            /* per node: global matrix, 16 floats */
    bool *is_bone, *is_moved; /* is_moved: by a pose or an animation */
    bool *is_odd;             /* the number of nodes above */
    uint32_t node_count;
    uint32_t *shown_by; /* per mesh: its node, or FACET_NONE */
    facet_assimp_names index;
} binder;

/* -- Nodes -------------------------------------------------------------- */

static uint32_t count_nodes(const struct aiNode *node)
{
    uint32_t count = 1;
    for (unsigned int i = 0; i < node->mNumChildren; i++)
        count += count_nodes(node->mChildren[i]);
    return count;
}

/* List all nodes with their global matrices, and the node of each mesh. False if out of memory. */
static bool list_nodes(binder *b)
{
    facet_arena *arena = b->fbx->arena;
    size_t count = count_nodes(b->from->mRootNode);
    b->nodes = facet_arena_allocate(arena, count, sizeof *b->nodes);
    b->parents = facet_arena_allocate(arena, count, sizeof *b->parents);
    b->names = facet_arena_allocate(arena, count, sizeof *b->names);
    b->places = facet_arena_allocate(arena, count, 16 * sizeof *b->places);
    b->is_bone = facet_arena_allocate_zeroed(arena, count, sizeof *b->is_bone);
    b->is_moved = facet_arena_allocate_zeroed(arena, count, sizeof *b->is_moved);
    b->is_odd = facet_arena_allocate_zeroed(arena, count, sizeof *b->is_odd);
    b->shown_by = facet_arena_allocate(arena, b->from->mNumMeshes, sizeof *b->shown_by);
    if (!b->nodes || !b->parents || !b->names || !b->places || !b->is_bone || !b->is_moved ||
        !b->is_odd || !b->shown_by)
        return false;
    for (uint32_t i = 0; i < b->from->mNumMeshes; i++)
        b->shown_by[i] = FACET_NONE;
    b->nodes[0] = b->from->mRootNode;
    b->parents[0] = FACET_NONE;
    b->node_count = 1;
    for (uint32_t i = 0; i < b->node_count; i++) {
        const struct aiNode *node = b->nodes[i];
        float local[16], *place = b->places + (size_t)i * 16;
        facet_assimp_get_matrix(&node->mTransformation, local);
        if (i == 0)
            memcpy(place, local, sizeof local);
        else
            facet_matrix_multiply(b->places + (size_t)b->parents[i] * 16, local, place);
        b->names[i] = node->mName.data;
        for (unsigned int k = 0; k < node->mNumMeshes; k++)
            b->shown_by[node->mMeshes[k]] = i;
        for (unsigned int k = 0; k < node->mNumChildren; k++) {
            b->parents[b->node_count] = i;
            b->is_odd[b->node_count] = !b->is_odd[i];
            b->nodes[b->node_count++] = node->mChildren[k];
        }
    }
    return facet_assimp_names_make(&b->index, arena, b->names, b->node_count);
}

static void mark_bones(binder *b)
{
    for (uint32_t i = 0; i < b->from->mNumMeshes; i++) {
        for (unsigned int k = 0; k < b->from->mMeshes[i]->mNumBones; k++) {
            const char *name = b->from->mMeshes[i]->mBones[k]->mName.data;
            uint32_t node = facet_assimp_names_find(&b->index, name);
            if (node != FACET_NONE)
                b->is_bone[node] = true;
        }
    }
}

static bool is_near(float a, float b, float size)
{
    return fabsf(a - b) <= 1e-5F * size;
}

/* Mark the nodes that a key moves. */
static void mark_moved(binder *b, const struct aiNodeAnim *channel)
{
    uint32_t node = facet_assimp_names_find(&b->index, channel->mNodeName.data);
    if (node == FACET_NONE || b->is_moved[node])
        return;
    const struct aiMatrix4x4 *rest = &b->nodes[node]->mTransformation;
    float size = fmaxf(fabsf(rest->a4), fmaxf(fabsf(rest->b4), fabsf(rest->c4)));
    for (unsigned int i = 0; i < channel->mNumPositionKeys && !b->is_moved[node]; i++) {
        const struct aiVector3D *at = &channel->mPositionKeys[i].mValue;
        b->is_moved[node] = !is_near(at->x, rest->a4, size) || !is_near(at->y, rest->b4, size) ||
                            !is_near(at->z, rest->c4, size);
    }
}

static void mark_all_moved(binder *b)
{
    for (unsigned int i = 0; i < b->from->mNumAnimations; i++) {
        const struct aiAnimation *animation = b->from->mAnimations[i];
        for (unsigned int k = 0; k < animation->mNumChannels; k++)
            mark_moved(b, animation->mChannels[k]);
    }
}

/* The nearest node above a bone that is not a bone. */
static uint32_t armature_of(const binder *b, uint32_t node)
{
    while (b->parents[node] != FACET_NONE && b->is_bone[node])
        node = b->parents[node];
    return node;
}

/* -- Clusters ----------------------------------------------------------- */

static bool make_matrix(const binder *b, const char *name, const float *matrix,
                        facet_fbx_edit *made)
{
    double numbers[16];
    for (int i = 0; i < 16; i++)
        numbers[i] = (double)matrix[i];
    made->bytes = facet_fbx_make_array(b->fbx, name, 'd', numbers, 16, &made->size);
    return made->bytes != NULL;
}

/* True if a joint rests where it is bound. */
static bool is_at_rest(const float *place, const float *bound)
{
    float size = 1;
    for (int i = 0; i < 16; i++)
        size = fmaxf(size, fabsf(place[i]));
    for (int i = 0; i < 16; i++) {
        if (!is_near(place[i], bound[i], size))
            return false;
    }
    return true;
}

/* Move the start of a bone a little in the coordinates of its armature, along the axis of its
 * smallest coordinate, and in the other direction than its parent. */
static void step_aside(const binder *b, uint32_t node, const float *armature, float *bound)
{
    float back[16], local[16];
    const struct aiMatrix4x4 *rest = &b->nodes[node]->mTransformation;
    float length = fmaxf(fabsf(rest->a4), fmaxf(fabsf(rest->b4), fabsf(rest->c4)));
    if (!facet_matrix_invert(armature, back))
        return;
    facet_matrix_multiply(back, bound, local);
    float *smallest = local + 12;
    for (int i = 13; i < 15; i++)
        smallest = fabsf(local[i]) < fabsf(*smallest) ? &local[i] : smallest;
    float step = fmaxf(COORDINATE_STEP * fabsf(*smallest), LENGTH_STEP * length);
    *smallest += b->is_odd[node] ? -step : step;
    facet_matrix_multiply(armature, local, bound);
}

/* Set the matrices of a cluster. False if out of memory. */
static bool set_cluster(binder *b, facet_fbx_span list, const struct aiBone *bone,
                        const float *place)
{
    float offset[16], back[16], bound[16];
    facet_fbx_edit transform, link, associate;
    facet_fbx_record records[2];
    uint32_t node = facet_assimp_names_find(&b->index, bone->mName.data);
    facet_assimp_get_matrix(&bone->mOffsetMatrix, offset);
    if (node == FACET_NONE || !facet_matrix_invert(offset, back) ||
        !facet_fbx_find(b->fbx, list, "Transform", &records[0]) ||
        !facet_fbx_find(b->fbx, list, "TransformLink", &records[1]))
        return true;
    facet_matrix_multiply(place, back, bound);
    const float *armature = b->places + (size_t)armature_of(b, node) * 16;
    if (b->is_moved[node] || !is_at_rest(b->places + (size_t)node * 16, bound))
        step_aside(b, node, armature, bound);
    return make_matrix(b, "Transform", offset, &transform) &&
           make_matrix(b, "TransformLink", bound, &link) &&
           make_matrix(b, "TransformAssociateModel", armature, &associate) &&
           facet_fbx_replace(&b->edits, &records[0], transform.bytes, transform.size) &&
           facet_fbx_replace(&b->edits, &records[1], link.bytes, link.size) &&
           facet_fbx_insert(&b->edits, facet_fbx_end(b->fbx, &records[1]), associate.bytes,
                            associate.size);
}

/* Find the bone of a cluster, by the name of its node; NULL if the mesh lacks it. False if out of
 * memory. */
static bool find_bone(binder *b, uint32_t cluster, const struct aiMesh *mesh,
                      facet_assimp_names *bones, const struct aiBone **bone)
{
    *bone = NULL;
    uint32_t link = facet_fbx_next_link(b->fbx, cluster, "Model", 0);
    if (link == FACET_NONE)
        return true;
    facet_fbx_span label = b->fbx->objects[b->fbx->links[link].from].label;
    const char *name =
        facet_arena_string(b->fbx->arena, (const char *)label.at, facet_fbx_size(label));
    uint32_t number = name ? facet_assimp_names_find(bones, name) : FACET_NONE;
    if (number != FACET_NONE)
        *bone = mesh->mBones[number];
    return name != NULL;
}

/* Set the clusters of a geometry. False if out of memory. */
static bool set_clusters(binder *b, uint32_t geometry, uint32_t number)
{
    const facet_fbx *fbx = b->fbx;
    const struct aiMesh *mesh = b->from->mMeshes[number];
    const char **names = facet_arena_allocate(fbx->arena, mesh->mNumBones, sizeof *names);
    facet_assimp_names bones;
    if (mesh->mNumBones == 0 || b->shown_by[number] == FACET_NONE)
        return true;
    for (unsigned int i = 0; names && i < mesh->mNumBones; i++)
        names[i] = mesh->mBones[i]->mName.data;
    if (!names || !facet_assimp_names_make(&bones, fbx->arena, names, mesh->mNumBones))
        return false;
    const float *place = b->places + (size_t)b->shown_by[number] * 16;
    for (uint32_t i = 0; (i = facet_fbx_next_link(fbx, geometry, "Deformer", i)) != FACET_NONE;
         i++) {
        uint32_t skin = fbx->links[i].from;
        for (uint32_t k = 0; (k = facet_fbx_next_link(fbx, skin, "Deformer", k)) != FACET_NONE;
             k++) {
            uint32_t cluster = fbx->links[k].from;
            const struct aiBone *bone;
            if (!find_bone(b, cluster, mesh, &bones, &bone) ||
                (bone && !set_cluster(b, fbx->objects[cluster].list, bone, place)))
                return false;
        }
    }
    return true;
}

bool facet_assimp_set_binds(facet_arena *arena, const struct aiScene *from, uint8_t **data,
                            size_t *size)
{
    facet_fbx fbx;
    facet_error ignored;
    binder b = {.from = from, .fbx = &fbx, .edits = {.fbx = &fbx}};
    const uint8_t *changed = *data;
    uint32_t number = 0, bones = 0;
    for (uint32_t i = 0; i < from->mNumMeshes; i++)
        bones += from->mMeshes[i]->mNumBones;
    if (bones == 0)
        return true;
    if (facet_fbx_open(&fbx, *data, *size, arena, &ignored) || !list_nodes(&b))
        return false;
    mark_bones(&b);
    mark_all_moved(&b);
    for (uint32_t i = 0; i < fbx.object_count && number < from->mNumMeshes; i++) {
        bool is_mesh = facet_fbx_is(fbx.objects[i].kind, "Geometry") &&
                       facet_fbx_is(fbx.objects[i].type, "Mesh");
        if (is_mesh && !set_clusters(&b, i, number++))
            return false;
    }
    if (facet_fbx_apply(&b.edits, &changed, size, &ignored))
        return false;
    *data = (uint8_t *)(uintptr_t)changed;
    return true;
}
