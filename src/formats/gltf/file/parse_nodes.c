/* formats/gltf/file/parse_nodes.c - nodes, and what hangs on them: scenes, skins, cameras, lights.
 */
#include "formats/gltf/file/parse.h"

#include <string.h>

/* -- Nodes and scenes --------------------------------------------------- */

static void parse_node(facet_gltf_parser *p, const facet_json *from, size_t index,
                       facet_gltf_node *node)
{
    node->name = facet_gltf_text(p, from, "name", "");
    node->extras = facet_gltf_extras(p, from);
    node->mesh = facet_gltf_index(from, "mesh");
    node->skin = facet_gltf_index(from, "skin");
    node->camera = facet_gltf_index(from, "camera");
    node->light = facet_gltf_index(facet_gltf_extension(from, "KHR_lights_punctual"), "light");
    node->children = facet_gltf_indices(p, from, "children", &node->child_count);
    node->lods =
        facet_gltf_indices(p, facet_gltf_extension(from, "MSFT_lod"), "ids", &node->lod_count);
    node->transform = (facet_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    node->has_matrix = facet_gltf_fixed(p, from, "matrix", 16, node->matrix, "nodes", index);
    if (!node->has_matrix) {
        facet_gltf_fixed(p, from, "translation", 3, node->transform.translation, "nodes", index);
        facet_gltf_fixed(p, from, "rotation", 4, node->transform.rotation, "nodes", index);
        facet_gltf_fixed(p, from, "scale", 3, node->transform.scale, "nodes", index);
    }
    node->weights = facet_gltf_reals(p, from, "weights", &node->weight_count);
}

static void parse_scene(facet_gltf_parser *p, const facet_json *from, facet_gltf_scene *scene)
{
    scene->name = facet_gltf_text(p, from, "name", "");
    scene->extras = facet_gltf_extras(p, from);
    scene->roots = facet_gltf_indices(p, from, "nodes", &scene->root_count);
}

static void parse_skin(facet_gltf_parser *p, const facet_json *from, size_t index,
                       facet_gltf_skin *skin)
{
    if (!facet_json_is_array(facet_json_object_get(from, "joints")))
        facet_gltf_property_fault(p, "/skins/%zu has no joints", index);
    skin->name = facet_gltf_text(p, from, "name", "");
    skin->extras = facet_gltf_extras(p, from);
    skin->joints = facet_gltf_indices(p, from, "joints", &skin->joint_count);
    skin->inverse_bind = facet_gltf_index(from, "inverseBindMatrices");
    skin->skeleton = facet_gltf_index(from, "skeleton");
}

/* -- Cameras and lights: their names are kept --------------------------- */

static void check_camera(facet_gltf_parser *p, const facet_json *from, size_t index)
{
    static const char *const names[] = {"perspective", "orthographic"};
    static const char *const needed[][5] = {{"yfov", "znear", NULL},
                                            {"xmag", "ymag", "zfar", "znear", NULL}};
    const char *type = facet_json_string_value(facet_json_object_get(from, "type"));
    size_t kind = 0;
    while (kind < 2 && (!type || strcmp(type, names[kind]) != 0))
        kind++;
    if (kind == 2) {
        facet_gltf_property_fault(
            p, "/cameras/%zu/type is neither \"perspective\" nor \"orthographic\"", index);
        return;
    }
    const facet_json *values = facet_json_object_get(from, names[kind]);
    for (const char *const *key = needed[kind]; *key; key++) {
        if (!facet_json_is_number(facet_json_object_get(values, *key)))
            facet_gltf_property_fault(p, "/cameras/%zu/%s/%s is not a number", index, names[kind],
                                      *key);
    }
}

static void check_light(facet_gltf_parser *p, const facet_json *from, size_t index)
{
    const char *type = facet_json_string_value(facet_json_object_get(from, "type"));
    if (!type)
        facet_gltf_property_fault(p, "/extensions/KHR_lights_punctual/lights/%zu has no type",
                                  index);
    else if (strcmp(type, "spot") == 0 &&
             !facet_json_is_object(facet_json_object_get(from, "spot")))
        facet_gltf_property_fault(
            p, "/extensions/KHR_lights_punctual/lights/%zu/spot is not an object", index);
}

static const char **parse_names(facet_gltf_parser *p, const facet_json *list, uint32_t *count)
{
    const char **names = facet_gltf_make(p, facet_json_array_size(list), sizeof *names);
    *count = names ? (uint32_t)facet_json_array_size(list) : 0;
    for (uint32_t i = 0; i < *count; i++)
        names[i] = facet_gltf_text(p, facet_json_array_get(list, i), "name", "");
    return names;
}

void facet_gltf_parse_nodes(facet_gltf_parser *p)
{
    facet_gltf_document *document = p->document;
    const facet_json *list;
    document->nodes =
        facet_gltf_entries(p, "nodes", sizeof *document->nodes, &list, &document->node_count);
    for (uint32_t i = 0; i < document->node_count; i++)
        parse_node(p, facet_json_array_get(list, i), i, &document->nodes[i]);
    document->scenes =
        facet_gltf_entries(p, "scenes", sizeof *document->scenes, &list, &document->scene_count);
    for (uint32_t i = 0; i < document->scene_count; i++)
        parse_scene(p, facet_json_array_get(list, i), &document->scenes[i]);
    document->scene = facet_gltf_index(p->root, "scene");
    document->skins =
        facet_gltf_entries(p, "skins", sizeof *document->skins, &list, &document->skin_count);
    for (uint32_t i = 0; i < document->skin_count; i++)
        parse_skin(p, facet_json_array_get(list, i), i, &document->skins[i]);
    list = facet_gltf_objects(p, p->root, "cameras");
    document->camera_names = parse_names(p, list, &document->camera_count);
    for (uint32_t i = 0; i < document->camera_count; i++)
        check_camera(p, facet_json_array_get(list, i), i);
    list = facet_json_object_get(facet_gltf_extension(p->root, "KHR_lights_punctual"), "lights");
    document->light_names = parse_names(p, list, &document->light_count);
    for (uint32_t i = 0; i < document->light_count; i++)
        check_light(p, facet_json_array_get(list, i), i);
}
