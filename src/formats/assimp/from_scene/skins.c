/* formats/assimp/from_scene/skins.c - weights listed per vertex become bones that list vertices;
 * offsets of morph targets become complete targets. */
#include "base/error.h"
#include "formats/assimp/from_scene/from_scene.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/* -- Bones -------------------------------------------------------------- */

/* Nodes become bones if a mesh has weights for them. Therefore, one mesh per skin lists all joints,
 * also those without weights. */

/* Per mesh: the skin of the first node that shows the mesh with a skin, or FACET_NONE. */
static uint32_t *find_skins(const facet_assimp_writer *w)
{
    const facet_scene *scene = w->scene;
    uint32_t *skins = facet_arena_allocate(w->scratch, scene->mesh_count, sizeof *skins);
    if (!skins)
        return NULL;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        skins[i] = FACET_NONE;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        if (node->mesh != FACET_NONE && skins[node->mesh] == FACET_NONE)
            skins[node->mesh] = node->skin;
    }
    return skins;
}

/* Let a vertex without weights follow its first joint, like readers of glTF. */
static void follow_first(const facet_mesh *mesh, const facet_skin *skin,
                         const facet_assimp_piece *piece, const struct aiMesh *to,
                         struct aiBone *bones, const double *sums, bool fill)
{
    const facet_stream *joints = facet_mesh_find(mesh, FACET_JOINTS, 0);
    const uint16_t *joint = joints ? joints->data : NULL;
    for (uint32_t v = 0; joint && v < to->mNumVertices; v++) {
        uint32_t first = joint[(size_t)piece->from[v] * 4];
        if (sums[v] > 0 || first >= skin->joint_count)
            continue;
        struct aiBone *bone = &bones[first];
        if (fill)
            bone->mWeights[bone->mNumWeights] = (struct aiVertexWeight){v, 1};
        bone->mNumWeights++;
    }
}

/* Count the nonzero weights of a piece per joint, or write them. They are divided by their sum,
 * because editors clamp larger sums to 1. */
static void walk_weights(const facet_mesh *mesh, const facet_skin *skin,
                         const facet_assimp_piece *piece, struct aiMesh *to, struct aiBone *bones,
                         double *sums, bool fill)
{
    for (uint32_t s = 0; s < mesh->stream_count; s++) {
        const facet_stream *joints = &mesh->streams[s];
        const facet_stream *weights = joints->semantic == FACET_JOINTS
                                          ? facet_mesh_find(mesh, FACET_WEIGHTS, joints->set)
                                          : NULL;
        if (!weights)
            continue;
        const uint16_t *joint = joints->data;
        const float *weight = weights->data;
        for (uint32_t v = 0; v < to->mNumVertices; v++) {
            for (uint32_t k = 0; k < 4; k++) {
                size_t at = (size_t)piece->from[v] * 4 + k;
                if (!(weight[at] > 0) || joint[at] >= skin->joint_count)
                    continue;
                struct aiBone *bone = &bones[joint[at]];
                if (fill) {
                    bool whole = fabs(sums[v] - 1) < 1e-5;
                    bone->mWeights[bone->mNumWeights].mVertexId = v;
                    bone->mWeights[bone->mNumWeights].mWeight =
                        whole ? weight[at] : (float)((double)weight[at] / sums[v]);
                } else {
                    sums[v] += (double)weight[at];
                }
                bone->mNumWeights++;
            }
        }
    }
    follow_first(mesh, skin, piece, to, bones, sums, fill);
}

static facet_status write_bones(facet_assimp_writer *w, const facet_skin *skin, uint32_t number,
                                bool is_first)
{
    const facet_assimp_piece *piece = &w->pieces[number];
    struct aiMesh *to = w->to.mMeshes[number];
    struct aiBone *bones =
        facet_arena_allocate_zeroed(w->scratch, skin->joint_count, sizeof *bones);
    to->mBones = facet_arena_allocate(w->scratch, skin->joint_count, sizeof *to->mBones);
    double *sums = facet_arena_allocate_zeroed(w->scratch, to->mNumVertices, sizeof *sums);
    if (!bones || !to->mBones || !sums)
        return facet_assimp_no_memory(w->error, skin->joint_count, sizeof *bones);
    walk_weights(w->scene->meshes[piece->mesh], skin, piece, to, bones, sums, false);
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        struct aiBone *bone = &bones[i];
        if (bone->mNumWeights == 0 && !is_first)
            continue;
        facet_assimp_set_text(&bone->mName, w->node_names[skin->joints[i]]);
        facet_assimp_set_matrix(&bone->mOffsetMatrix, skin->inverse_bind
                                                          ? skin->inverse_bind + (size_t)i * 16
                                                          : identity);
        bone->mWeights =
            facet_arena_allocate(w->scratch, bone->mNumWeights, sizeof *bone->mWeights);
        if (!bone->mWeights)
            return facet_assimp_no_memory(w->error, bone->mNumWeights, sizeof *bone->mWeights);
        bone->mNumWeights = 0;
        to->mBones[to->mNumBones++] = bone;
    }
    walk_weights(w->scene->meshes[piece->mesh], skin, piece, to, bones, sums, true);
    facet_arena_release(w->scratch, sums, to->mNumVertices, sizeof *sums);
    return FACET_OK;
}

/* -- Rigid meshes ------------------------------------------------------- */

/* The inverse bind matrix of each node in the first skin that binds it, or NULL. */
static const float **find_binds(const facet_assimp_writer *w)
{
    const facet_scene *scene = w->scene;
    const float **binds = facet_arena_allocate_zeroed(w->scratch, scene->node_count, sizeof *binds);
    for (uint32_t i = 0; binds && i < w->first_rigid_skin && i < scene->skin_count; i++) {
        const facet_skin *skin = scene->skins[i];
        for (uint32_t k = 0; k < skin->joint_count && skin->inverse_bind; k++) {
            if (!binds[skin->joints[k]])
                binds[skin->joints[k]] = skin->inverse_bind + (size_t)k * 16;
        }
    }
    return binds;
}

/* Bind all vertices to the joint of a rigid mesh. The bind shape matrix puts the mesh where it is
 * in the bind pose of the joint. Blender makes that the rest pose of the bone. */
static facet_status write_bone(facet_assimp_writer *w, const facet_skin *skin, uint32_t number,
                               const float *bind, const float *place, const float **bind_shape)
{
    float back[16], offset[16];
    struct aiMesh *to = w->to.mMeshes[number];
    struct aiBone *bone = facet_arena_allocate_zeroed(w->scratch, 1, sizeof *bone);
    float *shape = facet_arena_allocate(w->scratch, 16, sizeof *shape);
    to->mBones = facet_arena_allocate(w->scratch, 1, sizeof *to->mBones);
    if (!bone || !shape || !to->mBones)
        return facet_assimp_no_memory(w->error, 1, sizeof *bone);
    bone->mWeights = facet_arena_allocate(w->scratch, to->mNumVertices, sizeof *bone->mWeights);
    if (!bone->mWeights)
        return facet_assimp_no_memory(w->error, to->mNumVertices, sizeof *bone->mWeights);
    for (uint32_t v = 0; v < to->mNumVertices; v++)
        bone->mWeights[v] = (struct aiVertexWeight){v, FACET_ASSIMP_RIGID_WEIGHT};
    bone->mNumWeights = to->mNumVertices;
    memcpy(offset, skin->inverse_bind, sizeof offset);
    if (bind && facet_matrix_invert(bind, back)) {
        memcpy(offset, bind, sizeof offset);
        facet_matrix_multiply(back, skin->inverse_bind, shape);
        *bind_shape = shape;
    } else if (facet_matrix_invert(place, back)) {
        facet_matrix_multiply(skin->inverse_bind, back, offset);
        *bind_shape = place;
    }
    facet_assimp_set_text(&bone->mName, w->node_names[skin->joints[0]]);
    facet_assimp_set_matrix(&bone->mOffsetMatrix, offset);
    to->mBones[0] = bone;
    to->mNumBones = 1;
    return FACET_OK;
}

/* -- Skins -------------------------------------------------------------- */

static facet_status write_skin(facet_assimp_writer *w, uint32_t skin, uint32_t number,
                               const float *const *binds, const float **bind_shape, bool is_first)
{
    const facet_skin *from = w->scene->skins[skin];
    if (skin < w->first_rigid_skin)
        return write_bones(w, from, number, is_first || !w->target->has_mesh_places);
    return write_bone(w, from, number, binds[from->joints[0]],
                      w->rigid_places + (size_t)(skin - w->first_rigid_skin) * 16, bind_shape);
}

facet_status facet_assimp_skins_from_scene(facet_assimp_writer *w)
{
    facet_status status = FACET_OK;
    if (w->scene->skin_count == 0)
        return FACET_OK;
    const float **binds = find_binds(w);
    const float **shapes =
        facet_arena_allocate_zeroed(w->scratch, w->to.mNumMeshes, sizeof *shapes);
    bool *is_listed =
        facet_arena_allocate_zeroed(w->scratch, w->scene->skin_count, sizeof *is_listed);
    uint32_t *skins = find_skins(w);
    if (!binds || !shapes || !is_listed || !skins)
        return facet_assimp_no_memory(w->error, w->to.mNumMeshes, sizeof *shapes);
    w->added.bind_shapes = shapes;
    for (uint32_t mesh = 0; mesh < w->scene->mesh_count; mesh++) {
        /* assimp's FBX exporter follows bones to the node of their mesh, which must exist. */
        bool is_shown = w->is_shown && w->is_shown[mesh];
        uint32_t skin = is_shown ? skins[mesh] : FACET_NONE;
        for (uint32_t i = w->first_piece[mesh];
             skin != FACET_NONE && i < w->first_piece[mesh + 1] && !status; i++) {
            status = write_skin(w, skin, i, binds, &shapes[i], !is_listed[skin]);
            is_listed[skin] = true;
        }
    }
    return status;
}

/* -- Morph targets ------------------------------------------------------ */

/* The base positions or normals plus the offsets of one target; only the base if the target has
 * none. */
static struct aiVector3D *moved(const facet_assimp_writer *w, const facet_stream *differences,
                                const struct aiVector3D *base, const facet_assimp_piece *piece,
                                uint32_t count)
{
    struct aiVector3D *made = facet_arena_allocate(w->scratch, count, sizeof *made);
    const float *data = differences ? differences->data : NULL;
    for (size_t i = 0; made && i < count; i++) {
        made[i] = base[i];
        if (data) {
            made[i].x += data[(size_t)piece->from[i] * 3];
            made[i].y += data[(size_t)piece->from[i] * 3 + 1];
            made[i].z += data[(size_t)piece->from[i] * 3 + 2];
        }
    }
    return made;
}

static facet_status write_targets(facet_assimp_writer *w, uint32_t number)
{
    const facet_assimp_piece *piece = &w->pieces[number];
    const facet_mesh *mesh = w->scene->meshes[piece->mesh];
    struct aiMesh *to = w->to.mMeshes[number];
    struct aiAnimMesh *targets =
        facet_arena_allocate_zeroed(w->scratch, mesh->morph_count, sizeof *targets);
    to->mAnimMeshes = facet_arena_allocate(w->scratch, mesh->morph_count, sizeof *to->mAnimMeshes);
    if (!targets || !to->mAnimMeshes)
        return facet_assimp_no_memory(w->error, mesh->morph_count, sizeof *targets);
    to->mMethod = aiMorphingMethod_MORPH_RELATIVE;
    for (uint32_t i = 0; i < mesh->morph_count; i++) {
        struct aiAnimMesh *target = &targets[i];
        const facet_stream *normals = facet_mesh_find(mesh, FACET_MORPH_NORMAL, i);
        facet_assimp_set_text(&target->mName, mesh->morphs[i].name);
        target->mWeight = mesh->morphs[i].weight;
        target->mNumVertices = to->mNumVertices;
        target->mVertices = moved(w, facet_mesh_find(mesh, FACET_MORPH_POSITION, i), to->mVertices,
                                  piece, to->mNumVertices);
        if (normals && to->mNormals)
            target->mNormals = moved(w, normals, to->mNormals, piece, to->mNumVertices);
        if (!target->mVertices || (normals && to->mNormals && !target->mNormals))
            return facet_assimp_no_memory(w->error, to->mNumVertices, sizeof *to->mVertices);
        to->mAnimMeshes[to->mNumAnimMeshes++] = target;
    }
    return FACET_OK;
}

facet_status facet_assimp_morphs_from_scene(facet_assimp_writer *w)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < w->to.mNumMeshes && !status; i++) {
        if (w->scene->meshes[w->pieces[i].mesh]->morph_count > 0)
            status = write_targets(w, i);
    }
    return status;
}
