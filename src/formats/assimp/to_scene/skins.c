/* formats/assimp/to_scene/skins.c - bones, which list their vertices, become joints and weights per
 * vertex. */
#include "base/error.h"
#include "formats/assimp/to_scene/to_scene.h"
#include "scene/matrix.h"

#include <math.h>
#include <string.h>

#define MAX_SETS 8 /* more than 32 weights of a vertex are an error in the file */
#define MAX_WEIGHTS (4 * MAX_SETS)

/* -- Joints ------------------------------------------------------------- */

typedef struct joint {
    uint32_t place;
    uint32_t next; /* another joint of the same place with another matrix, or FACET_NONE */
    float inverse_bind[16];
} joint;

/* A skin under construction. */
typedef struct binding {
    facet_assimp_reader *r;
    const facet_assimp_group *group;
    facet_mesh *mesh;
    struct aiMatrix4x4 geometry; /* geometric transform of an FBX */
    bool has_geometry;
    joint *joints;
    uint32_t joint_count;
    uint32_t *joint_of; /* per place: its first joint, or FACET_NONE */
    uint32_t sets;      /* number of sets of four weights */
    uint16_t *joint_data[MAX_SETS];
    float *weight_data[MAX_SETS];
    uint8_t *counts; /* per vertex: current number of weights */
} binding;

static const struct aiMesh *member(const binding *b, uint32_t i)
{
    return b->r->from->mMeshes[b->r->members[b->group->first + i]];
}

/* The joint of a place with this matrix; added if it is new. The space exists. */
static uint32_t joint_at(binding *b, uint32_t place, const float *inverse_bind)
{
    uint32_t *link = &b->joint_of[place];
    while (*link != FACET_NONE) {
        if (memcmp(b->joints[*link].inverse_bind, inverse_bind, 16 * sizeof(float)) == 0)
            return *link;
        link = &b->joints[*link].next;
    }
    uint32_t made = b->joint_count++;
    *link = made;
    b->joints[made].place = place;
    b->joints[made].next = FACET_NONE;
    memcpy(b->joints[made].inverse_bind, inverse_bind, 16 * sizeof(float));
    return made;
}

/* -- Weights ------------------------------------------------------------ */

static bool counts(const struct aiVertexWeight *weight)
{
    return weight->mWeight > 0 && isfinite(weight->mWeight);
}

/* Count the sets that the vertex with most weights needs. */
static facet_status count_weights(binding *b)
{
    uint32_t base = 0, most = 0;
    for (uint32_t i = 0; i < b->group->count; i++) {
        const struct aiMesh *from = member(b, i);
        for (uint32_t k = 0; k < from->mNumBones; k++) {
            const struct aiBone *bone = from->mBones[k];
            if (bone->mNumWeights > 0 && !bone->mWeights)
                return facet_fail(b->r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE",
                                  FACET_NO_OFFSET, "bone %u lacks its weights", k);
            for (uint32_t n = 0; n < bone->mNumWeights; n++) {
                if (bone->mWeights[n].mVertexId >= from->mNumVertices)
                    return facet_fail(b->r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE",
                                      FACET_NO_OFFSET, "bone %u moves vertex %u of %u", k,
                                      bone->mWeights[n].mVertexId, from->mNumVertices);
                uint8_t *count = &b->counts[base + bone->mWeights[n].mVertexId];
                if (counts(&bone->mWeights[n]) && *count < MAX_WEIGHTS)
                    ++*count;
                most = *count > most ? *count : most;
            }
        }
        base += from->mNumVertices;
    }
    b->sets = most > 4 ? (most + 3U) / 4 : 1;
    memset(b->counts, 0, base);
    return FACET_OK;
}

static facet_status add_streams(binding *b)
{
    uint32_t count = b->mesh->streams[0].count;
    for (uint32_t set = 0; set < b->sets; set++) {
        facet_stream *joints = NULL, *weights = NULL;
        TRY(facet_mesh_add_stream(b->mesh, FACET_JOINTS, set, NULL, FACET_UINT16, 4, count, &joints,
                                  b->r->error));
        joints->indices = b->mesh->streams[0].indices;
        b->joint_data[set] = joints->data;
        memset(joints->data, 0, (size_t)count * 4 * sizeof(uint16_t));
        TRY(facet_mesh_add_stream(b->mesh, FACET_WEIGHTS, set, NULL, FACET_FLOAT32, 4, count,
                                  &weights, b->r->error));
        weights->indices = b->mesh->streams[0].indices;
        b->weight_data[set] = weights->data;
        memset(weights->data, 0, (size_t)count * 4 * sizeof(float));
    }
    return FACET_OK;
}

static void put_weight(binding *b, uint32_t vertex, uint32_t slot, uint32_t joint_number,
                       float weight)
{
    b->joint_data[slot / 4][(size_t)vertex * 4 + slot % 4] = (uint16_t)joint_number;
    b->weight_data[slot / 4][(size_t)vertex * 4 + slot % 4] = weight;
}

/* Add a weight. If the vertex has the maximum, replace its smallest weight by a larger one. */
static void add_weight(binding *b, uint32_t vertex, uint32_t joint_number, float weight)
{
    if (b->counts[vertex] < MAX_WEIGHTS) {
        put_weight(b, vertex, b->counts[vertex]++, joint_number, weight);
        return;
    }
    facet_tally_hit(&b->r->weights_cut, vertex);
    uint32_t smallest = 0;
    float least = INFINITY;
    for (uint32_t slot = 0; slot < MAX_WEIGHTS; slot++) {
        float there = b->weight_data[slot / 4][(size_t)vertex * 4 + slot % 4];
        if (there < least) {
            least = there;
            smallest = slot;
        }
    }
    if (weight > least)
        put_weight(b, vertex, smallest, joint_number, weight);
}

/* Apply the geometric transform of the mesh's node before the joints: the node's own transform does
 * not count for a skin. */
static void place_geometry(const binding *b, float inverse_bind[16])
{
    float matrix[16], bind[16];
    memcpy(bind, inverse_bind, sizeof bind);
    facet_assimp_get_matrix(&b->geometry, matrix);
    facet_matrix_multiply(bind, matrix, inverse_bind);
}

static void add_bones(binding *b)
{
    uint32_t base = 0;
    for (uint32_t i = 0; i < b->group->count; i++) {
        const struct aiMesh *from = member(b, i);
        for (uint32_t k = 0; k < from->mNumBones; k++) {
            const struct aiBone *bone = from->mBones[k];
            const char *name = facet_assimp_text(b->r->scratch, &bone->mName);
            uint32_t place = name ? facet_assimp_names_find(&b->r->place_names, name) : FACET_NONE;
            if (place == FACET_NONE) {
                facet_tally_hit(&b->r->bones_lost, k);
                continue;
            }
            float inverse_bind[16];
            facet_assimp_get_matrix(&bone->mOffsetMatrix, inverse_bind);
            if (b->has_geometry)
                place_geometry(b, inverse_bind);
            uint32_t number = joint_at(b, place, inverse_bind);
            for (uint32_t n = 0; n < bone->mNumWeights; n++) {
                if (counts(&bone->mWeights[n]))
                    add_weight(b, base + bone->mWeights[n].mVertexId, number,
                               bone->mWeights[n].mWeight);
            }
        }
        base += from->mNumVertices;
    }
}

/* Normalize the weights of every vertex. A vertex without bones follows the mesh's node: it gets a
 * joint for that node, with the identity matrix or the geometric transform. */
static void finish_weights(binding *b)
{
    float own[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    if (b->has_geometry)
        place_geometry(b, own);
    uint32_t shown_by = b->r->shown_by[b->r->members[b->group->first]];
    for (uint32_t v = 0; v < b->mesh->streams[0].count; v++) {
        double sum = 0;
        for (uint32_t slot = 0; slot < b->sets * 4; slot++)
            sum += (double)b->weight_data[slot / 4][(size_t)v * 4 + slot % 4];
        if (sum <= 0) {
            put_weight(b, v, 0, joint_at(b, shown_by == FACET_NONE ? 0 : shown_by, own), 1);
            continue;
        }
        if (fabs(sum - 1) > 0.001)
            facet_tally_hit(&b->r->weights_scaled, v);
        for (uint32_t slot = 0; slot < b->sets * 4 && fabs(sum - 1) > 1e-6; slot++) {
            float *weight = &b->weight_data[slot / 4][(size_t)v * 4 + slot % 4];
            *weight = (float)((double)*weight / sum);
        }
    }
}

/* -- Skins -------------------------------------------------------------- */

static facet_status allocate(binding *b)
{
    uint64_t bones = 1; /* one for vertices without bones */
    for (uint32_t i = 0; i < b->group->count; i++) {
        const struct aiMesh *from = member(b, i);
        bones += from->mNumBones;
        if (from->mNumBones > 0 && !from->mBones)
            return facet_fail(b->r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE", FACET_NO_OFFSET,
                              "a mesh lacks its bones");
    }
    if (bones > UINT16_MAX)
        return facet_fail(b->r->error, FACET_ERROR_LIMIT, "ASSIMP-SIZE", FACET_NO_OFFSET,
                          "a mesh has more bones than 16-bit numbers reach");
    facet_arena *scratch = b->r->scratch;
    b->joints = facet_arena_allocate(scratch, (size_t)bones, sizeof *b->joints);
    b->joint_of = facet_arena_allocate(scratch, b->r->place_count, sizeof *b->joint_of);
    b->counts = facet_arena_allocate_zeroed(scratch, b->mesh->streams[0].count, 1);
    if (!b->joints || !b->joint_of || !b->counts)
        return facet_assimp_no_memory(b->r->error, bones, sizeof *b->joints);
    memset(b->joint_of, 0xFF, b->r->place_count * sizeof *b->joint_of);
    return FACET_OK;
}

static facet_status read_skin(facet_assimp_reader *r, facet_assimp_group *group)
{
    binding b = {.r = r, .group = group, .mesh = r->scene->meshes[group->mesh]};
    uint32_t place = r->shown_by[r->members[group->first]];
    b.has_geometry = place != FACET_NONE && facet_assimp_place_geometry(r, place, &b.geometry);
    facet_status status = allocate(&b);
    if (!status)
        status = count_weights(&b);
    if (!status)
        status = add_streams(&b);
    if (status)
        return status;
    add_bones(&b);
    finish_weights(&b);
    facet_skin *skin = NULL;
    TRY(facet_scene_add_skin(r->scene, b.mesh->name, b.joint_count, &skin, r->error));
    group->skin = r->scene->skin_count - 1;
    for (uint32_t i = 0; i < b.joint_count; i++) {
        skin->joints[i] = b.joints[i].place;
        memcpy(skin->inverse_bind + (size_t)i * 16, b.joints[i].inverse_bind, 16 * sizeof(float));
    }
    facet_arena_release(r->scratch, b.counts, b.mesh->streams[0].count, 1);
    facet_arena_release(r->scratch, b.joint_of, r->place_count, sizeof *b.joint_of);
    return FACET_OK;
}

facet_status facet_assimp_skins_to_scene(facet_assimp_reader *r)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->group_count && !status; i++) {
        const facet_assimp_group *group = &r->groups[i];
        if (r->from->mMeshes[r->members[group->first]]->mNumBones > 0)
            status = read_skin(r, &r->groups[i]);
    }
    for (uint32_t i = 0; i < r->scene->node_count && !status; i++) {
        facet_node *node = r->scene->nodes[i];
        if (node->mesh != FACET_NONE) /* meshes have the numbers of their groups */
            node->skin = r->groups[node->mesh].skin;
    }
    return status;
}
