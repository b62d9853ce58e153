/* formats/j3d/scene/from_scene/instances.c - the joint of each instance of a mesh. */
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/from_scene/builder.h"
#include "formats/j3d/scene/from_scene/original.h"

#include "base/error.h"
#include "base/report.h"
#include "base/text.h"

#include <string.h>

/* Attach a rigid mesh to its node's joint, or to the nearest one above. */
static void hang(const facet_j3d_builder *b, uint32_t node, facet_j3d_instance *instance)
{
    facet_j3d_matrix back, place;
    uint32_t joint = b->joint_of_node[node];
    if (joint == FACET_NONE)
        joint = facet_j3d_joint_above(b, node);
    instance->joint = joint == FACET_NONE ? 0 : joint;
    facet_j3d_matrix_multiply(b->node_place[node], b->node_turn[node], place);
    if (facet_j3d_matrix_invert(b->joint_place[instance->joint], back))
        facet_j3d_matrix_multiply(back, place, instance->place);
    else
        facet_j3d_matrix_identity(instance->place);
    if (facet_j3d_matrix_distance_from_identity(instance->place, 1) < 1e-6)
        facet_j3d_matrix_identity(instance->place);
}

static void find_named_billboard(const facet_j3d_builder *b, facet_j3d_instance *instance)
{
    const char *name = instance->mesh->name;
    facet_quoted quoted;
    uint8_t type = facet_j3d_billboard_of_name(name);
    if (!type && instance->node != FACET_NONE) {
        name = b->scene->nodes[instance->node]->name;
        type = facet_j3d_billboard_of_name(name);
    }
    if (!type)
        return;
    instance->billboard = type;
    facet_report_add(facet_j3d_builder_report(b), "J3D-BILLBOARD", FACET_SEVERITY_NOTE,
                     FACET_NO_OFFSET, "'%s' becomes a billboard that turns %s, because of its name",
                     facet_quote(&quoted, name, strlen(name)),
                     type == FACET_J3D_SHAPE_BILLBOARD ? "to the camera" : "around its y axis");
}

/* Make a mesh a billboard if its own data, that of its node's shape, or a name requires it. */
static void find_billboard(const facet_j3d_builder *b, uint32_t mesh, facet_j3d_instance *instance)
{
    const facet_gx_file_part *file = b->mesh_files[mesh];
    if (!(file && (file->shape || file->wrong_shape)) && instance->node != FACET_NONE)
        file = b->node_files[instance->node];
    if (file)
        facet_j3d_builder_report_wrong(b, file->wrong_shape);
    if (file && file->shape &&
        (file->shape->type == FACET_J3D_SHAPE_BILLBOARD ||
         file->shape->type == FACET_J3D_SHAPE_Y_BILLBOARD))
        instance->billboard = file->shape->type;
    if (instance->mesh->billboard == FACET_BILLBOARD_ALL)
        instance->billboard = FACET_J3D_SHAPE_BILLBOARD;
    else if (instance->mesh->billboard == FACET_BILLBOARD_Y)
        instance->billboard = FACET_J3D_SHAPE_Y_BILLBOARD;
    if (!instance->billboard)
        find_named_billboard(b, instance);
}

static void add_instance(facet_j3d_builder *b, uint32_t node)
{
    const facet_scene *scene = b->scene;
    const facet_node *n = scene->nodes[node];
    facet_j3d_instance *instance = &b->instances[b->instance_count++];
    double side = facet_j3d_matrix_determinant(b->node_place[node]);
    instance->mesh = scene->meshes[n->mesh];
    instance->node = node;
    instance->skin = FACET_NONE;
    if (b->like)
        b->like->steps->hang(b, node, instance);
    else
        hang(b, node, instance);
    if (facet_j3d_is_skinned(scene, n)) {
        const facet_skin *skin = scene->skins[n->skin];
        facet_j3d_matrix rest;
        instance->skin = n->skin;
        if (b->conflict[n->skin] || b->like)
            facet_j3d_matrix_identity(instance->place);
        else
            memcpy(instance->place, b->skin_move[n->skin], sizeof instance->place);
        if (skin->joint_count > 0 && skin->joints[0] != FACET_NONE) {
            facet_j3d_matrix_multiply(b->node_place[skin->joints[0]],
                                      b->skin_bind[b->skin_first[n->skin]], rest);
            side = facet_j3d_matrix_determinant(rest);
        }
    }
    instance->flip = (side < 0) != scene->axes.left_handed;
    find_billboard(b, n->mesh, instance);
}

facet_status facet_j3d_build_instances(facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene;
    uint32_t most = scene->node_count > 0 ? scene->node_count : scene->mesh_count;
    b->instances = facet_j3d_builder_scratch(b, most, sizeof *b->instances);
    if (!b->instances)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (b->seen[i] && scene->nodes[i]->mesh != FACET_NONE &&
            scene->meshes[scene->nodes[i]->mesh]->face_count > 0)
            add_instance(b, i);
    }
    for (uint32_t i = 0; i < scene->mesh_count && scene->node_count == 0; i++) {
        if (scene->meshes[i]->face_count == 0)
            continue;
        facet_j3d_instance *instance = &b->instances[b->instance_count++];
        instance->mesh = scene->meshes[i];
        instance->node = FACET_NONE;
        instance->skin = FACET_NONE;
        instance->flip = scene->axes.left_handed;
        facet_j3d_matrix_identity(instance->place);
        find_billboard(b, i, instance);
    }
    if (b->instance_count == 0)
        return facet_fail(b->error, FACET_ERROR_LIMIT, "J3D-NO-MESH", FACET_NO_OFFSET,
                          "the scene has no triangles, which a J3D model needs");
    return FACET_OK;
}
