/* formats/gltf/file/parse_nodes.c - nodes, scenes, skins, cameras and lights. */
#include "formats/gltf/file/parse.h"

#include <string.h>

/* -- Nodes and scenes --------------------------------------------------- */

static const facet_gltf_instances *parse_instances(facet_gltf_parser *p, const facet_json *from,
                                                   size_t index)
{
    const facet_json *attributes = facet_json_object_get(from, "attributes");
    facet_gltf_instances *instances = facet_gltf_make(p, 1, sizeof *instances);
    if (!facet_json_is_object(attributes))
        facet_gltf_property_fault(
            p, "/nodes/%zu/extensions/EXT_mesh_gpu_instancing has no attributes", index);
    if (!instances)
        return NULL;
    *instances = (facet_gltf_instances){FACET_NONE, FACET_NONE, FACET_NONE, FACET_NONE};
    for (size_t i = 0; i < facet_json_object_size(attributes); i++) {
        const char *key = facet_json_object_key(attributes, i);
        uint32_t accessor = facet_gltf_index_of(facet_json_object_value(attributes, i));
        if (accessor == FACET_NONE)
            facet_gltf_property_fault(p,
                                      "/nodes/%zu/extensions/EXT_mesh_gpu_instancing has an "
                                      "attribute that is not an index",
                                      index);
        else if (strcmp(key, "TRANSLATION") == 0)
            instances->translation = accessor;
        else if (strcmp(key, "ROTATION") == 0)
            instances->rotation = accessor;
        else if (strcmp(key, "SCALE") == 0)
            instances->scale = accessor;
        else if (instances->other == FACET_NONE)
            instances->other = accessor;
    }
    return instances;
}

static void parse_node(facet_gltf_parser *p, const facet_json *from, size_t index,
                       facet_gltf_node *node)
{
    node->name = facet_gltf_text(p, from, "name", "");
    node->extras = facet_gltf_extras(p, from);
    node->extensions = facet_gltf_kept_extensions(p, from);
    node->mesh = facet_gltf_index(from, "mesh");
    node->skin = facet_gltf_index(from, "skin");
    node->camera = facet_gltf_index(from, "camera");
    node->light = facet_gltf_index(facet_gltf_extension(from, "KHR_lights_punctual"), "light");
    const facet_json *visible =
        facet_json_object_get(facet_gltf_extension(from, "KHR_node_visibility"), "visible");
    node->hidden = visible && !facet_json_is_true(visible);
    node->children = facet_gltf_indices(p, from, "children", &node->child_count);
    node->lods =
        facet_gltf_indices(p, facet_gltf_extension(from, "MSFT_lod"), "ids", &node->lod_count);
    node->transform = (facet_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    node->has_matrix = facet_gltf_fixed(p, from, "matrix", 16, node->matrix, "nodes", index);
    node->has_parts = node->has_matrix && (facet_json_object_get(from, "translation") ||
                                           facet_json_object_get(from, "rotation") ||
                                           facet_json_object_get(from, "scale"));
    if (!node->has_matrix) {
        facet_gltf_fixed(p, from, "translation", 3, node->transform.translation, "nodes", index);
        facet_gltf_fixed(p, from, "rotation", 4, node->transform.rotation, "nodes", index);
        facet_gltf_fixed(p, from, "scale", 3, node->transform.scale, "nodes", index);
    }
    node->weights = facet_gltf_reals(p, from, "weights", &node->weight_count);
    const facet_json *instancing = facet_gltf_extension(from, "EXT_mesh_gpu_instancing");
    if (instancing)
        node->instances = parse_instances(p, instancing, index);
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

/* -- Cameras and lights ------------------------------------------------- */

static void parse_camera(facet_gltf_parser *p, const facet_json *from, size_t index,
                         facet_camera *camera)
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
    camera->name = facet_gltf_text(p, from, "name", "");
    camera->extras = facet_gltf_extras(p, from);
    camera->is_orthographic = kind == 1;
    camera->field_of_view = facet_gltf_real(values, "yfov", 0);
    camera->aspect_ratio = facet_gltf_real(values, "aspectRatio", 0);
    camera->width = facet_gltf_real(values, "xmag", 0);
    camera->height = facet_gltf_real(values, "ymag", 0);
    camera->near_distance = facet_gltf_real(values, "znear", 0);
    camera->far_distance = facet_gltf_real(values, "zfar", 0);
}

static void parse_light(facet_gltf_parser *p, const facet_json *from, size_t index,
                        facet_light *light)
{
    static const char *const kinds[] = {"directional", "point", "spot"};
    const char *type = facet_json_string_value(facet_json_object_get(from, "type"));
    const facet_json *spot = facet_json_object_get(from, "spot");
    if (!type)
        facet_gltf_property_fault(p, "/extensions/KHR_lights_punctual/lights/%zu has no type",
                                  index);
    else if (strcmp(type, "spot") == 0 && !facet_json_is_object(spot))
        facet_gltf_property_fault(
            p, "/extensions/KHR_lights_punctual/lights/%zu/spot is not an object", index);
    light->name = facet_gltf_text(p, from, "name", "");
    light->extras = facet_gltf_extras(p, from);
    int kind = 0;
    while (kind < 3 && (!type || strcmp(type, kinds[kind]) != 0))
        kind++;
    if (type && kind == 3)
        facet_gltf_property_fault(p, "/extensions/KHR_lights_punctual/lights/%zu/type is unknown",
                                  index);
    light->kind = kind < 3 ? (facet_light_kind)kind : FACET_LIGHT_DIRECTIONAL;
    light->color[0] = light->color[1] = light->color[2] = 1;
    facet_gltf_fixed(p, from, "color", 3, light->color, "extensions/KHR_lights_punctual/lights",
                     index);
    light->intensity = facet_gltf_real(from, "intensity", 1);
    light->range = facet_gltf_real(from, "range", 0);
    light->inner_cone_angle = facet_gltf_real(spot, "innerConeAngle", 0);
    light->outer_cone_angle = facet_gltf_real(spot, "outerConeAngle", 0.78539816F);
}

static void parse_cameras_and_lights(facet_gltf_parser *p)
{
    facet_gltf_document *document = p->document;
    const facet_json *list = facet_gltf_objects(p, p->root, "cameras");
    size_t count = facet_json_array_size(list);
    document->cameras = facet_gltf_make(p, count, sizeof *document->cameras);
    document->camera_count = document->cameras ? (uint32_t)count : 0;
    for (uint32_t i = 0; i < document->camera_count; i++)
        parse_camera(p, facet_json_array_get(list, i), i, &document->cameras[i]);
    list = facet_json_object_get(facet_gltf_extension(p->root, "KHR_lights_punctual"), "lights");
    count = facet_json_array_size(list);
    document->lights = facet_gltf_make(p, count, sizeof *document->lights);
    document->light_count = document->lights ? (uint32_t)count : 0;
    for (uint32_t i = 0; i < document->light_count; i++)
        parse_light(p, facet_json_array_get(list, i), i, &document->lights[i]);
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
    parse_cameras_and_lights(p);
}
