/* formats/bpx/from_scene_bones.c - nodes and skins as the bones of a model. */
#include "base/error.h"
#include "formats/bpx/from_scene_model.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void *allocate(const facet_bpx_writer *w, size_t count, size_t size)
{
    return facet_arena_allocate_zeroed(w->arena, count, size);
}

static void set_identity(float *m)
{
    memset(m, 0, 16 * sizeof *m);
    m[0] = m[5] = m[10] = m[15] = 1;
}

/* Find or add the bone for a node with this bind transform. Skins that share joints share bones. */
static facet_status find_bone(facet_bpx_writer *w, uint32_t node, const float *bind,
                              uint32_t *index)
{
    for (*index = 0; *index < w->bone_count; ++*index) {
        const facet_bpx_bone *b = &w->bones[*index];
        if (b->node == node && memcmp(b->bind, bind, sizeof b->bind) == 0)
            return FACET_OK;
    }
    if (w->bone_count == FACET_BPX_MAX_BONES)
        return facet_fail(w->error, FACET_ERROR_LIMIT, "BPX-M-BONE-COUNT", FACET_NO_OFFSET,
                          "a BPX model has at most %d bones", FACET_BPX_MAX_BONES);
    facet_bpx_bone *b = &w->bones[w->bone_count++];
    b->node = node;
    memcpy(b->bind, bind, sizeof b->bind);
    return FACET_OK;
}

static const float *inverse_bind_of(const facet_skin *skin, uint32_t joint)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    return skin->inverse_bind ? skin->inverse_bind + (size_t)joint * 16 : identity;
}

/* Distance, over all joints, between the skin at rest and the skin placed by `stand`. */
static double misfit(const facet_bpx_writer *w, const facet_skin *skin, const float *stand)
{
    double sum = 0;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        float moved[16];
        facet_matrix_multiply(w->pose.global + (size_t)skin->joints[j] * 16,
                              inverse_bind_of(skin, j), moved);
        for (int i = 0; i < 16; i++)
            sum += ((double)moved[i] - (double)stand[i]) * ((double)moved[i] - (double)stand[i]);
    }
    return skin->joint_count ? sum / skin->joint_count : 0;
}

/* Choose the transform of a skin's vertices. Their space can have any orientation, which the bones
 * undo. The candidate nearest to the skin at rest wins: identity, that of the mesh's node, or that
 * of the first joint. */
static void choose_stand(const facet_bpx_writer *w, uint32_t skin_index, float *stand)
{
    const facet_skin *skin = w->scene->skins[skin_index];
    float candidates[2][16];
    uint32_t count = 0;
    set_identity(stand);
    double best = misfit(w, skin, stand);
    for (uint32_t i = 0; i < w->scene->node_count && count == 0; i++) {
        const facet_node *node = w->scene->nodes[i];
        if (node->skin == skin_index && node->mesh != FACET_NONE && w->pose.seen[i])
            memcpy(candidates[count++], w->pose.global + (size_t)i * 16, sizeof *candidates);
    }
    if (skin->joint_count > 0)
        facet_matrix_multiply(w->pose.global + (size_t)skin->joints[0] * 16,
                              inverse_bind_of(skin, 0), candidates[count++]);
    for (uint32_t i = 0; i < count && best > 1e-6; i++) {
        /* A mirrored candidate would flip triangles, which bones do not flip back. */
        float determinant = facet_matrix_determinant(candidates[i]);
        double found = misfit(w, skin, candidates[i]);
        if (isfinite(determinant) && determinant > 0 && found < best * 0.99) {
            best = found;
            memcpy(stand, candidates[i], sizeof candidates[i]);
        }
    }
}

/* True if the skin at rest is where `stand` places it, except for rounding. */
static bool rests_as_bound(const facet_bpx_writer *w, const facet_skin *skin, const float *stand)
{
    double size = 1;
    for (int i = 12; i < 15; i++)
        size += (double)stand[i] * (double)stand[i];
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        const float *global = w->pose.global + (size_t)skin->joints[j] * 16;
        size = fmax(size, (double)global[12] * (double)global[12] +
                              (double)global[13] * (double)global[13] +
                              (double)global[14] * (double)global[14]);
    }
    return misfit(w, skin, stand) <= 1e-8 * size;
}

/* Add the bones of a skin; its bind pose is the inverse of its inverse bind matrices. */
static facet_status add_body(facet_bpx_writer *w, uint32_t index)
{
    const facet_skin *skin = w->scene->skins[index];
    facet_bpx_body *made = &w->bodies[index];
    facet_status status = FACET_OK;
    made->bones = allocate(w, skin->joint_count, sizeof *made->bones);
    if (!made->bones)
        return facet_fail_arena(w->arena, w->error);
    choose_stand(w, index, made->stand);
    if (skin->joint_count > 0 && !rests_as_bound(w, skin, made->stand))
        facet_report_add(w->options ? w->options->report : NULL, "LOSS-SKIN",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "skin %" PRIu32 " rests in another pose than its bind pose: only the bind "
                         "pose is written",
                         index);
    for (uint32_t j = 0; j < skin->joint_count && !status; j++) {
        float inverse[16], bind[16];
        if (!facet_matrix_invert(inverse_bind_of(skin, j), inverse))
            facet_report_add(w->options ? w->options->report : NULL, "BPX-M-BONE-MATRIX",
                             FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "the inverse bind matrix of joint %" PRIu32 " has no inverse", j);
        facet_matrix_multiply(made->stand, inverse, bind);
        status = find_bone(w, skin->joints[j], bind, &made->bones[j]);
    }
    return status;
}

static facet_status add_instance(facet_bpx_writer *w, uint32_t node)
{
    const facet_node *n = w->scene->nodes[node];
    facet_bpx_instance *i = &w->instances[w->instance_count++];
    const float *global = w->pose.global + (size_t)node * 16;
    i->mesh = w->scene->meshes[n->mesh];
    i->skinned = n->skin != FACET_NONE && w->scene->skins[n->skin]->joint_count > 0 &&
                 facet_mesh_find(i->mesh, FACET_JOINTS, 0) &&
                 facet_mesh_find(i->mesh, FACET_WEIGHTS, 0);
    memcpy(i->place, i->skinned ? w->bodies[n->skin].stand : global, sizeof i->place);
    float identity[16];
    set_identity(identity);
    i->placed = memcmp(i->place, identity, sizeof identity) != 0;
    if (i->skinned) {
        i->bones = w->bodies[n->skin].bones;
        i->bone_count = w->scene->skins[n->skin]->joint_count;
        return FACET_OK;
    }
    uint32_t *own = allocate(w, 1, sizeof *own);
    i->bones = own;
    i->bone_count = 1;
    if (!own)
        return facet_fail_arena(w->arena, w->error);
    return w->skin ? find_bone(w, node, global, own) : FACET_OK;
}

facet_status facet_bpx_find_instances(facet_bpx_writer *w)
{
    const facet_scene *scene = w->scene;
    uint32_t most = scene->node_count > scene->mesh_count ? scene->node_count : scene->mesh_count;
    w->instances = allocate(w, most, sizeof *w->instances);
    w->bones = allocate(w, FACET_BPX_MAX_BONES, sizeof *w->bones);
    w->bodies = allocate(w, scene->skin_count, sizeof *w->bodies);
    if (!w->instances || !w->bones || !w->bodies)
        return facet_fail_arena(w->arena, w->error);
    w->skin = scene->node_count > 0 && (scene->skin_count > 0 || scene->animation_count > 0);
    for (uint32_t i = 0; i < scene->mesh_count && scene->node_count == 0; i++) {
        w->instances[i].mesh = scene->meshes[i];
        set_identity(w->instances[i].place);
        w->instance_count++;
    }
    if (scene->node_count == 0)
        return FACET_OK;
    facet_status status = facet_scene_pose(w->scene, FACET_NONE, 0, w->options, &w->pose, w->error);
    facet_report *report = w->options ? w->options->report : NULL;
    if (!status) {
        facet_scene_report_hidden(scene, w->pose.seen, report);
        facet_scene_report_moved(scene, &w->pose, report);
    }
    if (!status)
        status = facet_scene_check_growth(scene, w->pose.seen, w->options, w->error);
    for (uint32_t i = 0; i < scene->skin_count && !status; i++)
        status = add_body(w, i);
    for (uint32_t i = 0; i < scene->node_count && !status; i++) {
        if (w->pose.seen[i] && scene->nodes[i]->mesh != FACET_NONE)
            status = add_instance(w, i);
    }
    w->skin = w->bone_count > 0;
    return status;
}
