/* formats/gltf/to_scene/nodes.c - nodes and skins to the scene. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/gltf/to_scene/to_scene.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

static facet_status bad_node(uint32_t node, const char *what, uint32_t number, uint32_t count,
                             facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-NODE", FACET_NO_OFFSET,
                      "node %" PRIu32 " names %s %" PRIu32 " of %" PRIu32, node, what, number,
                      count);
}

/* -- One node ----------------------------------------------------------- */

static facet_status read_weights(const facet_scene *scene, uint32_t index,
                                 const facet_gltf_node *from, facet_node *node, facet_error *error)
{
    if (from->weight_count == 0)
        return FACET_OK;
    uint32_t expected = node->mesh == FACET_NONE ? 0 : scene->meshes[node->mesh]->morph_count;
    if (from->weight_count != expected)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-NODE", FACET_NO_OFFSET,
                          "node %" PRIu32 " has %" PRIu32 " morph weights, its mesh has %" PRIu32
                          " targets",
                          index, from->weight_count, expected);
    node->weights = facet_arena_allocate(scene->arena, expected, sizeof *node->weights);
    if (!node->weights)
        return facet_fail_arena(scene->arena, error);
    memcpy(node->weights, from->weights, expected * sizeof *node->weights);
    return FACET_OK;
}

/* Read the levels of detail of a node (MSFT_lod). */
static facet_status read_levels(const facet_gltf_file *file, facet_scene *scene, uint32_t index,
                                facet_error *error)
{
    const facet_gltf_node *from = &file->document.nodes[index];
    facet_node *node = scene->nodes[index];
    if (from->lod_count == 0)
        return FACET_OK;
    for (uint32_t i = 0; i < from->lod_count; i++) {
        if (from->lods[i] >= file->document.node_count || from->lods[i] == index)
            return bad_node(index, "as its level of detail node", from->lods[i],
                            file->document.node_count, error);
    }
    node->lods = facet_arena_allocate(scene->arena, from->lod_count, sizeof *node->lods);
    if (!node->lods)
        return facet_fail_arena(scene->arena, error);
    memcpy(node->lods, from->lods, from->lod_count * sizeof *node->lods);
    node->lod_count = from->lod_count;
    return FACET_OK;
}

/* Copy a matrix. A projection has no place in a scene: the fourth row becomes 0 0 0 1. */
static void read_matrix(const facet_gltf_file *file, uint32_t index, const float *from, float *to)
{
    static const float last[4] = {0, 0, 0, 1};
    bool projects = false;
    memcpy(to, from, 16 * sizeof *to);
    for (int column = 0; column < 4; column++) {
        projects |= to[4 * column + 3] != last[column];
        to[4 * column + 3] = last[column];
    }
    if (projects)
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-NODE",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the fourth row of the matrix of node %" PRIu32
                         " is not 0 0 0 1; it is read as that",
                         index);
}

static facet_status read_node(const facet_gltf_file *file, facet_scene *scene, uint32_t index,
                              facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    const facet_gltf_node *from = &document->nodes[index];
    if (from->mesh != FACET_NONE && from->mesh >= document->mesh_count)
        return bad_node(index, "mesh", from->mesh, document->mesh_count, error);
    if (from->skin != FACET_NONE && from->skin >= document->skin_count)
        return bad_node(index, "skin", from->skin, document->skin_count, error);
    if (from->camera != FACET_NONE && from->camera >= document->camera_count)
        return bad_node(index, "camera", from->camera, document->camera_count, error);
    if (from->light != FACET_NONE && from->light >= document->light_count)
        return bad_node(index, "light", from->light, document->light_count, error);
    facet_node *node = NULL;
    TRY(facet_scene_add_node(scene, from->name, &node, error));
    node->mesh = from->mesh;
    node->skin = from->skin;
    node->camera = from->camera;
    node->light = from->light;
    node->hidden = from->hidden;
    node->has_matrix = from->has_matrix;
    node->transform = from->transform;
    if (from->has_matrix)
        read_matrix(file, index, from->matrix, node->matrix);
    facet_gltf_correct_node(file, index, node);
    TRY(facet_gltf_copy_text(scene, from->extras, &node->extras, error));
    TRY(facet_gltf_copy_text(scene, from->extensions, &node->extensions, error));
    return read_weights(scene, index, from, node, error);
}

/* -- Cameras and lights ------------------------------------------------- */

static facet_status read_cameras(const facet_gltf_document *document, facet_scene *scene,
                                 facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < document->camera_count && !status; i++) {
        const facet_camera *from = &document->cameras[i];
        facet_camera *camera = NULL;
        status = facet_scene_add_camera(scene, from->name ? from->name : "", &camera, error);
        if (status)
            return status;
        const char *name = camera->name;
        *camera = *from;
        camera->name = name;
        status = facet_gltf_copy_text(scene, from->extras, &camera->extras, error);
    }
    return status;
}

static facet_status read_lights(const facet_gltf_document *document, facet_scene *scene,
                                facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < document->light_count && !status; i++) {
        const facet_light *from = &document->lights[i];
        facet_light *light = NULL;
        TRY(facet_scene_add_light(scene, from->name, &light, error));
        const char *name = light->name;
        *light = *from;
        light->name = name;
        status = facet_gltf_copy_text(scene, from->extras, &light->extras, error);
    }
    return status;
}

/* -- The tree ----------------------------------------------------------- */

static facet_status link_children(const facet_gltf_file *file, facet_scene *scene,
                                  facet_error *error)
{
    for (uint32_t i = 0; i < file->document.node_count; i++) {
        const facet_gltf_node *from = &file->document.nodes[i];
        for (uint32_t c = 0; c < from->child_count; c++) {
            uint32_t child = from->children[c];
            if (child >= scene->node_count)
                return bad_node(i, "child", child, scene->node_count, error);
            if (scene->nodes[child]->parent != FACET_NONE)
                return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-NODE-PARENT", FACET_NO_OFFSET,
                                  "node %" PRIu32 " is a child of node %" PRIu32
                                  " and of node %" PRIu32,
                                  child, scene->nodes[child]->parent, i);
            scene->nodes[child]->parent = i;
        }
    }
    return FACET_OK;
}

static facet_status refuse_cycles(const facet_gltf_file *file, const facet_scene *scene,
                                  facet_error *error)
{
    uint32_t *depth = facet_arena_allocate(file->arena, scene->node_count, sizeof *depth);
    uint32_t *order = facet_arena_allocate(file->arena, scene->node_count, sizeof *order);
    facet_error reason;
    if (!depth || !order)
        return facet_fail_arena(file->arena, error);
    if (facet_scene_order(scene, depth, order, &reason) == FACET_OK)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-NODE-CYCLE", FACET_NO_OFFSET, "%s",
                      reason.message);
}

/* Check that roots exist and are listed once. A root with a parent is detached from it, like in
 * renderers. */
static facet_status free_roots(const facet_gltf_file *file, facet_scene *scene,
                               const facet_gltf_scene *from, facet_error *error)
{
    bool *listed = facet_arena_allocate_zeroed(file->arena, scene->node_count, sizeof *listed);
    if (!listed)
        return facet_fail_arena(file->arena, error);
    for (uint32_t i = 0; i < from->root_count; i++) {
        uint32_t root = from->roots[i];
        if (root >= scene->node_count || listed[root])
            return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-SCENE", FACET_NO_OFFSET,
                              "root %" PRIu32 " of the scene is node %" PRIu32 ", which %s", i,
                              root,
                              root >= scene->node_count ? "does not exist" : "is listed twice");
        listed[root] = true;
        if (scene->nodes[root]->parent == FACET_NONE)
            continue;
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-SCENE",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "root %" PRIu32 " of the scene is node %" PRIu32
                         ", a child of node %" PRIu32 ": it is read without its parent",
                         i, root, scene->nodes[root]->parent);
        scene->nodes[root]->parent = FACET_NONE;
    }
    return FACET_OK;
}

/* True if the listed roots are those of a scene without a list. Each is listed once. */
static bool are_implied(const facet_scene *scene, const facet_gltf_scene *from, const bool *implied)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        count += implied[i];
    bool all = count == from->root_count;
    for (uint32_t i = 0; i < from->root_count && all; i++)
        all = implied[from->roots[i]];
    return all;
}

static facet_status read_roots(const facet_gltf_file *file, facet_scene *scene, facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    uint32_t shown = document->scene == FACET_NONE ? 0 : document->scene;
    if (document->scene != FACET_NONE && shown >= document->scene_count)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-SCENE", FACET_NO_OFFSET,
                          "the default scene has index %" PRIu32
                          ", expected an index below %" PRIu32,
                          shown, document->scene_count);
    if (document->scene_count == 0)
        return FACET_OK;
    const facet_gltf_scene *from = &document->scenes[shown];
    TRY(free_roots(file, scene, from, error));
    facet_status status = FACET_OK;
    if (document->scene_count > 1)
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-SCENE",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "scene %" PRIu32 " of %" PRIu32
                         " is read; nodes that only other scenes show are kept hidden",
                         shown, document->scene_count);
    if (*from->name)
        status = facet_gltf_copy_text(scene, from->name, &scene->name, error);
    if (status)
        return status;
    bool *implied = facet_arena_allocate(file->arena, scene->node_count, sizeof *implied);
    if (!implied)
        return facet_fail_arena(file->arena, error);
    facet_scene_mark_roots(scene, implied);
    if (are_implied(scene, from, implied))
        return FACET_OK;
    scene->roots = facet_arena_allocate(scene->arena, from->root_count, sizeof *scene->roots);
    if (!scene->roots)
        return facet_fail_arena(scene->arena, error);
    scene->root_count = from->root_count;
    for (uint32_t i = 0; i < from->root_count; i++)
        scene->roots[i] = from->roots[i];
    return FACET_OK;
}

facet_status facet_gltf_nodes_to_scene(facet_gltf_file *file, facet_scene *scene,
                                       facet_error *error)
{
    facet_status status = read_cameras(&file->document, scene, error);
    if (!status)
        status = read_lights(&file->document, scene, error);
    for (uint32_t i = 0; i < file->document.node_count && !status; i++)
        status = read_node(file, scene, i, error);
    if (!status)
        status = link_children(file, scene, error);
    for (uint32_t i = 0; i < file->document.node_count && !status; i++)
        status = read_levels(file, scene, i, error);
    if (!status)
        status = refuse_cycles(file, scene, error);
    return status ? status : read_roots(file, scene, error);
}

/* -- Skins -------------------------------------------------------------- */

static facet_status read_skin(const facet_gltf_file *file, facet_scene *scene, uint32_t index,
                              facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    const facet_gltf_skin *from = &document->skins[index];
    facet_skin *skin = NULL;
    TRY(facet_scene_add_skin(scene, from->name, from->joint_count, &skin, error));
    TRY(facet_gltf_copy_text(scene, from->extras, &skin->extras, error));
    for (uint32_t i = 0; i < from->joint_count; i++) {
        if (from->joints[i] >= document->node_count)
            return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-SKIN", FACET_NO_OFFSET,
                              "joint %" PRIu32 " of skin %" PRIu32 " is node %" PRIu32
                              " of %" PRIu32,
                              i, index, from->joints[i], document->node_count);
        skin->joints[i] = from->joints[i];
    }
    if (from->skeleton != FACET_NONE && from->skeleton >= document->node_count)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-SKIN", FACET_NO_OFFSET,
                          "the skeleton of skin %" PRIu32 " is node %" PRIu32 " of %" PRIu32, index,
                          from->skeleton, document->node_count);
    skin->skeleton = from->skeleton;
    if (from->inverse_bind == FACET_NONE)
        return FACET_OK;
    const facet_gltf_accessor *accessor = from->inverse_bind < document->accessor_count
                                              ? &document->accessors[from->inverse_bind]
                                              : NULL;
    if (!accessor || accessor->type != FACET_GLTF_FLOAT || !accessor->matrix ||
        accessor->components != 16 || accessor->count < from->joint_count)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-SKIN", FACET_NO_OFFSET,
                          "the inverse bind matrices of skin %" PRIu32
                          " are not an accessor of %" PRIu32 " 4x4 matrices of floats",
                          index, from->joint_count);
    facet_gltf_accessor cut = *accessor;
    cut.count = from->joint_count;
    facet_gltf_read_floats(file, &cut, 16, 0, skin->inverse_bind);
    facet_gltf_correct_binds(file, index, skin);
    return FACET_OK;
}

/* Reject joint numbers beyond the skin, except where their weight is zero: some exporters write
 * those. */
static facet_status check_joints(const facet_scene *scene, uint32_t index, facet_error *error)
{
    const facet_node *node = scene->nodes[index];
    if (node->mesh == FACET_NONE || node->skin == FACET_NONE)
        return FACET_OK;
    const facet_mesh *mesh = scene->meshes[node->mesh];
    uint32_t count = scene->skins[node->skin]->joint_count;
    for (uint32_t s = 0; s < mesh->stream_count; s++) {
        const facet_stream *stream = &mesh->streams[s];
        if (stream->semantic != FACET_JOINTS)
            continue;
        uint16_t *joints = stream->data;
        const facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, stream->set);
        bool paired = weights && facet_streams_share_vertices(weights, stream);
        for (size_t i = 0; i < (size_t)stream->count * 4; i++) {
            if (joints[i] < count)
                continue;
            if (!paired || ((const float *)weights->data)[i] != 0)
                return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-JOINT", FACET_NO_OFFSET,
                                  "vertex %zu of mesh %" PRIu32 " is bound to joint %u of %" PRIu32,
                                  i / 4, node->mesh, joints[i], count);
            joints[i] = 0;
        }
    }
    return FACET_OK;
}

facet_status facet_gltf_skins_to_scene(facet_gltf_file *file, facet_scene *scene,
                                       facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < file->document.skin_count && !status; i++)
        status = read_skin(file, scene, i, error);
    for (uint32_t i = 0; i < scene->node_count && !status; i++)
        status = check_joints(scene, i, error);
    if (!status)
        facet_gltf_correct_skins(file, scene);
    return status;
}
