/* j3d/from_scene/binds.c - one bind pose for all skins, and what hangs on the
 * joints. */
#include "j3d/from_scene/joints.h"
#include "j3d/json/json.h"

#include "base/error.h"
#include "base/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Bind pose ---------------------------------------------------------- */

static uint32_t joint_of_skin(const j3d_build *w, const facet_skin *skin, uint32_t index)
{
    return skin->joints[index] == FACET_NONE ? 0 : w->joint_of_node[skin->joints[index]];
}

/* The inverse bind matrices of a skin as the scene has them, in J3D's frame. */
static void take_skin_binds(const j3d_build *w, uint32_t index)
{
    const facet_skin *skin = &w->scene->skins[index];
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        double *bind = w->skin_bind[w->skin_first[index] + j];
        if (skin->inverse_bind)
            facet_j3d_convert_matrix(w, skin->inverse_bind + (size_t)j * 16, bind);
        else
            memcpy(bind, facet_j3d_identity, sizeof facet_j3d_identity);
    }
}

/* One bind pose for all skins: the first skin's. Others that differ from it by
 * one matrix for all joints give way; *move is that matrix. False when they
 * differ in more. */
static bool join_skin(const j3d_build *w, uint32_t index, bool *known, double move[12])
{
    const facet_skin *skin = &w->scene->skins[index];
    const facet_j3d_matrix *own = w->skin_bind + w->skin_first[index];
    facet_j3d_matrix back, there;
    bool found = false, same = true;
    memcpy(move, facet_j3d_identity, sizeof facet_j3d_identity);
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = joint_of_skin(w, skin, j);
        if (!known[joint])
            continue;
        if (!found) {
            found = true;
            if (facet_j3d_matrix_distance(own[j], w->bind[joint],
                                          1 + facet_j3d_translation_size(own[j])) < 1e-5)
                continue;
            if (!facet_j3d_matrix_invert(w->bind[joint], back))
                return false;
            facet_j3d_matrix_multiply(back, own[j], move);
        }
        facet_j3d_matrix_multiply(w->bind[joint], move, there);
        same &=
            facet_j3d_matrix_distance(there, own[j], 1 + facet_j3d_translation_size(own[j])) < 1e-4;
    }
    if (!same || !facet_j3d_matrix_invert(move, back))
        return false;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        uint32_t joint = joint_of_skin(w, skin, j);
        if (!known[joint])
            facet_j3d_matrix_multiply(own[j], back, w->bind[joint]);
        known[joint] = true;
    }
    return true;
}

/* A skin may be bound lying on its back, far away or in another unit, and its
 * joints take it to where it is seen. Culling and other programs look at vertices
 * as they are bound: they are put to where the uppermost joint has them at rest. */
static void set_upright(const j3d_build *w, const bool *known, facet_j3d_matrix *moves)
{
    facet_j3d_matrix upright, back, made;
    uint32_t top = 0, count = w->document->joints.count;
    while (top < count && !known[top])
        top++;
    if (top == count || w->is_j3d || w->node_of_joint[top] == FACET_NONE)
        return;
    facet_j3d_matrix_multiply(w->node_place[w->node_of_joint[top]], w->bind[top], upright);
    if (facet_j3d_matrix_distance(upright, facet_j3d_identity,
                                  1 + facet_j3d_translation_size(w->bind[top])) < 1e-5 ||
        !facet_j3d_matrix_invert(upright, back))
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (!known[i])
            continue;
        facet_j3d_matrix_multiply(w->bind[i], back, made);
        memcpy(w->bind[i], made, sizeof made);
    }
    for (uint32_t i = 0; i < w->scene->skin_count; i++) {
        facet_j3d_matrix_multiply(upright, moves[i], made);
        memcpy(moves[i], made, sizeof made);
    }
}

/* Joints without a skin are bound where they rest; the others' inverse bind
 * matrices make up for what the joint as it is written lacks. */
static void finish_binds(j3d_build *w, const bool *known)
{
    for (uint32_t i = 0; i < w->document->joints.count; i++) {
        facet_j3d_matrix back, change, made;
        uint32_t node = w->node_of_joint[i];
        if (!facet_j3d_matrix_invert(w->joint_place[i], back)) {
            if (!known[i])
                memcpy(w->bind[i], facet_j3d_identity, sizeof facet_j3d_identity);
            continue;
        }
        if (!known[i] || node == FACET_NONE) {
            memcpy(w->bind[i], back, sizeof back);
            continue;
        }
        facet_j3d_matrix_multiply(back, w->node_place[node], change);
        if (facet_j3d_matrix_distance(change, facet_j3d_identity,
                                      1 + facet_j3d_translation_size(w->bind[i])) < 1e-5)
            continue;
        facet_j3d_matrix_multiply(change, w->bind[i], made);
        memcpy(w->bind[i], made, sizeof made);
    }
}

facet_status facet_j3d_bind_skins(j3d_build *w, const bool *seen, facet_j3d_matrix **moves)
{
    const facet_scene *scene = w->scene;
    bool *known = facet_j3d_writer_scratch(w, w->document->joints.count, sizeof *known);
    bool *used = facet_j3d_writer_scratch(w, scene->skin_count, sizeof *used);
    uint32_t total = 0;
    w->skin_first = facet_j3d_writer_scratch(w, scene->skin_count, sizeof *w->skin_first);
    w->conflict = facet_j3d_writer_scratch(w, scene->skin_count, sizeof *w->conflict);
    *moves = facet_j3d_writer_scratch(w, scene->skin_count, sizeof **moves);
    for (uint32_t i = 0; i < scene->skin_count && w->skin_first; i++) {
        w->skin_first[i] = total;
        total += scene->skins[i].joint_count;
    }
    w->skin_bind = facet_j3d_writer_scratch(w, total, sizeof *w->skin_bind);
    if (!known || !used || !w->skin_first || !w->conflict || !*moves || !w->skin_bind)
        return FACET_ERROR_MEMORY;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (seen[i] && facet_j3d_is_skinned(scene, &scene->nodes[i]))
            used[scene->nodes[i].skin] = true;
    }
    facet_tally conflicts = {0, 0};
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        if (!used[i])
            continue;
        take_skin_binds(w, i);
        w->conflict[i] = !join_skin(w, i, known, (*moves)[i]);
        if (w->conflict[i])
            facet_tally_hit(&conflicts, i);
    }
    facet_report_add_tally(facet_j3d_writer_report(w), "LOSS-BIND-POSE", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &conflicts,
                           "skin %" PRIu64 " is bound in another pose than the skins before it, "
                           "and J3D has one for all: its vertices are right at rest, and may move "
                           "otherwise",
                           conflicts.first);
    set_upright(w, known, *moves);
    finish_binds(w, known);
    return FACET_OK;
}

/* -- Instances ---------------------------------------------------------- */

/* Where a rigid mesh hangs: on its node's joint, or the nearest above. */
static void hang(const j3d_build *w, uint32_t node, j3d_instance *instance)
{
    facet_j3d_matrix back;
    uint32_t joint = w->joint_of_node[node];
    if (joint == FACET_NONE)
        joint = facet_j3d_joint_above(w, node);
    instance->joint = joint == FACET_NONE ? 0 : joint;
    if (facet_j3d_matrix_invert(w->joint_place[instance->joint], back))
        facet_j3d_matrix_multiply(back, w->node_place[node], instance->place);
    else
        memcpy(instance->place, facet_j3d_identity, sizeof facet_j3d_identity);
    if (facet_j3d_matrix_distance(instance->place, facet_j3d_identity, 1) < 1e-6)
        memcpy(instance->place, facet_j3d_identity, sizeof facet_j3d_identity);
}

/* A billboard is what the extras of the node or the mesh say was one. */
static facet_status find_billboard(const j3d_build *w, const facet_node *node,
                                   j3d_instance *instance)
{
    facet_j3d_shape shape;
    bool found = false;
    facet_status status =
        facet_j3d_shape_from_extras(instance->mesh->extras, &shape, &found, w->error);
    if (!status && !found && node)
        status = facet_j3d_shape_from_extras(node->extras, &shape, &found, w->error);
    status = facet_j3d_writer_extras(w, status, &found);
    if (!status && found &&
        (shape.type == FACET_J3D_SHAPE_BILLBOARD || shape.type == FACET_J3D_SHAPE_Y_BILLBOARD))
        instance->billboard = shape.type;
    return status;
}

static facet_status add_instance(j3d_build *w, uint32_t node, const facet_j3d_matrix *moves)
{
    const facet_scene *scene = w->scene;
    const facet_node *n = &scene->nodes[node];
    j3d_instance *instance = &w->instances[w->instance_count++];
    double side = facet_j3d_matrix_determinant(w->node_place[node]);
    instance->mesh = scene->meshes[n->mesh];
    instance->skin = FACET_NONE;
    hang(w, node, instance);
    if (facet_j3d_is_skinned(scene, n)) {
        const facet_skin *skin = &scene->skins[n->skin];
        facet_j3d_matrix rest;
        instance->skin = n->skin;
        memcpy(instance->place, w->conflict[n->skin] ? facet_j3d_identity : moves[n->skin],
               sizeof instance->place);
        if (skin->joint_count > 0 && skin->joints[0] != FACET_NONE) {
            facet_j3d_matrix_multiply(w->node_place[skin->joints[0]],
                                      w->skin_bind[w->skin_first[n->skin]], rest);
            side = facet_j3d_matrix_determinant(rest);
        }
    }
    instance->flip = (side < 0) != scene->frame.left_handed;
    return find_billboard(w, n, instance);
}

facet_status facet_j3d_find_instances(j3d_build *w, const bool *seen, const facet_j3d_matrix *moves)
{
    const facet_scene *scene = w->scene;
    uint32_t most = scene->node_count > 0 ? scene->node_count : scene->mesh_count;
    w->instances = facet_j3d_writer_scratch(w, most, sizeof *w->instances);
    if (!w->instances)
        return FACET_ERROR_MEMORY;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->node_count && !status; i++) {
        if (seen[i] && scene->nodes[i].mesh != FACET_NONE &&
            scene->meshes[scene->nodes[i].mesh]->face_count > 0)
            status = add_instance(w, i, moves);
    }
    for (uint32_t i = 0; i < scene->mesh_count && scene->node_count == 0 && !status; i++) {
        if (scene->meshes[i]->face_count == 0)
            continue;
        j3d_instance *instance = &w->instances[w->instance_count++];
        instance->mesh = scene->meshes[i];
        instance->skin = FACET_NONE;
        instance->flip = scene->frame.left_handed;
        memcpy(instance->place, facet_j3d_identity, sizeof facet_j3d_identity);
        status = find_billboard(w, NULL, instance);
    }
    if (!status && w->instance_count == 0)
        return facet_fail(w->error, FACET_ERROR_LIMIT, "J3D-NO-MESH", FACET_NO_OFFSET,
                          "the scene has no triangles, and a J3D model needs at least one");
    return status;
}
