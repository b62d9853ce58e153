/* formats/j3d/scene/from_scene/binds.c - one bind pose for all skins. */
#include "formats/j3d/scene/from_scene/builder.h"
#include "formats/j3d/scene/from_scene/original.h"

#include "base/error.h"
#include "base/report.h"

#include <inttypes.h>
#include <string.h>

/* -- The pose of one skin ----------------------------------------------- */

static uint32_t joint_of_skin(const facet_j3d_builder *b, const facet_skin *skin, uint32_t index)
{
    return skin->joints[index] == FACET_NONE ? 0 : b->joint_of_node[skin->joints[index]];
}

/* Read the inverse bind matrices of a skin as stored in the scene, and convert them to J3D's
 * frame. */
static void take_skin_binds(const facet_j3d_builder *b, uint32_t index)
{
    const facet_skin *skin = b->scene->skins[index];
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        double *bind = b->skin_bind[b->skin_first[index] + j];
        if (skin->inverse_bind)
            facet_j3d_builder_matrix(b, skin->inverse_bind + (size_t)j * 16, bind);
        else
            facet_j3d_matrix_identity(bind);
    }
}

/* Join a skin to the common bind pose, which is the first skin's. It joins if one matrix, `move`,
 * moves its vertices there for every joint. False if no matrix does. */
static bool join_skin(const facet_j3d_builder *b, uint32_t index, bool *known, double move[12])
{
    const facet_skin *skin = b->scene->skins[index];
    facet_j3d_matrix *own = b->skin_bind + b->skin_first[index];
    facet_j3d_matrix back, there;
    bool found = false, same = true;
    facet_j3d_matrix_identity(move);
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = joint_of_skin(b, skin, j);
        if (!known[joint])
            continue;
        if (!found) {
            found = true;
            if (facet_j3d_matrix_distance(own[j], b->bind[joint],
                                          1 + facet_j3d_matrix_translation_size(own[j])) < 1e-5)
                continue;
            if (!facet_j3d_matrix_invert(b->bind[joint], back))
                return false;
            facet_j3d_matrix_multiply(back, own[j], move);
        }
        facet_j3d_matrix_multiply(b->bind[joint], move, there);
        same &= facet_j3d_matrix_distance(there, own[j],
                                          1 + facet_j3d_matrix_translation_size(own[j])) < 1e-4;
    }
    if (!same || !facet_j3d_matrix_invert(move, back))
        return false;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = joint_of_skin(b, skin, j);
        if (!known[joint])
            facet_j3d_matrix_multiply(own[j], back, b->bind[joint]);
        known[joint] = true;
    }
    return true;
}

/* Bind the model upright. A skin can be bound lying on its back, far away or in another unit; its
 * joints then move it to its visible position. But culling and other programs use the bind pose. So
 * bind the vertices at the rest pose of the uppermost joint. */
static void set_upright(const facet_j3d_builder *b, const bool *known)
{
    facet_j3d_matrix upright, back, made;
    uint32_t top = 0, count = b->document->joints.count;
    while (top < count && !known[top])
        top++;
    if (top == count || b->is_j3d || b->node_of_joint[top] == FACET_NONE)
        return;
    facet_j3d_matrix_multiply(b->node_place[b->node_of_joint[top]], b->bind[top], upright);
    if (facet_j3d_matrix_distance_from_identity(
            upright, 1 + facet_j3d_matrix_translation_size(b->bind[top])) < 1e-5 ||
        !facet_j3d_matrix_invert(upright, back))
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (!known[i])
            continue;
        facet_j3d_matrix_multiply(b->bind[i], back, made);
        memcpy(b->bind[i], made, sizeof made);
    }
    for (uint32_t i = 0; i < b->scene->skin_count; i++) {
        facet_j3d_matrix_multiply(upright, b->skin_move[i], made);
        memcpy(b->skin_move[i], made, sizeof made);
    }
}

/* Bind joints without a skin at rest. For other joints, inverse bind matrices compensate for
 * transforms that a stored joint cannot hold. */
static void finish_binds(facet_j3d_builder *b, const bool *known)
{
    for (uint32_t i = 0; i < b->document->joints.count; i++) {
        facet_j3d_matrix back, change, made;
        uint32_t node = b->node_of_joint[i];
        if (!facet_j3d_matrix_invert(b->joint_place[i], back)) {
            if (!known[i])
                facet_j3d_matrix_identity(b->bind[i]);
            continue;
        }
        if (!known[i] || node == FACET_NONE) {
            memcpy(b->bind[i], back, sizeof back);
            continue;
        }
        facet_j3d_matrix_multiply(back, b->node_place[node], change);
        if (facet_j3d_matrix_distance_from_identity(
                change, 1 + facet_j3d_matrix_translation_size(b->bind[i])) < 1e-5)
            continue;
        facet_j3d_matrix_multiply(change, b->bind[i], made);
        memcpy(b->bind[i], made, sizeof made);
    }
}

facet_status facet_j3d_build_binds(facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene;
    bool *known = facet_j3d_builder_scratch(b, b->document->joints.count, sizeof *known);
    bool *used = facet_j3d_builder_scratch(b, scene->skin_count, sizeof *used);
    uint32_t total = 0;
    b->skin_first = facet_j3d_builder_scratch(b, scene->skin_count, sizeof *b->skin_first);
    b->conflict = facet_j3d_builder_scratch(b, scene->skin_count, sizeof *b->conflict);
    b->skin_move = facet_j3d_builder_scratch(b, scene->skin_count, sizeof *b->skin_move);
    for (uint32_t i = 0; i < scene->skin_count && b->skin_first; i++) {
        b->skin_first[i] = total;
        total += scene->skins[i]->joint_count;
    }
    b->skin_bind = facet_j3d_builder_scratch(b, total, sizeof *b->skin_bind);
    if (!known || !used || !b->skin_first || !b->conflict || !b->skin_move || !b->skin_bind)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (b->seen[i] && facet_j3d_is_skinned(scene, scene->nodes[i]))
            used[scene->nodes[i]->skin] = true;
    }
    facet_tally conflicts = {0, 0};
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        if (!used[i])
            continue;
        take_skin_binds(b, i);
        if (b->like)
            continue;
        b->conflict[i] = !join_skin(b, i, known, b->skin_move[i]);
        if (b->conflict[i])
            facet_tally_hit(&conflicts, i);
    }
    if (b->like)
        return b->like->steps->binds(b, used);
    facet_report_add_tally(facet_j3d_builder_report(b), "LOSS-SKIN", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &conflicts,
                           "skin %" PRIu64
                           " is bound in another pose than the skins before it, but J3D has one "
                           "bind pose: its vertices are right at rest, but may move differently",
                           conflicts.first);
    set_upright(b, known);
    finish_binds(b, known);
    return FACET_OK;
}
