/* formats/gltf/from_scene/cameras.c - cameras, and lights (KHR_lights_punctual). */
#include "base/json.h"
#include "formats/gltf/from_scene/writer.h"

static void put_number(facet_gltf_writer *w, facet_json *object, const char *key, float value)
{
    facet_gltf_put(w, object, key, facet_gltf_number(w, (double)value));
}

static facet_json *camera_json(facet_gltf_writer *w, const facet_camera *camera)
{
    facet_json *object = facet_json_object_in(w->arena), *values = facet_json_object_in(w->arena);
    const char *kind = camera->is_orthographic ? "orthographic" : "perspective";
    facet_gltf_put_text(w, object, "name", camera->name);
    facet_gltf_put(w, object, "type", facet_json_string_in(w->arena, kind));
    if (camera->is_orthographic) {
        put_number(w, values, "xmag", camera->width);
        put_number(w, values, "ymag", camera->height);
    } else {
        put_number(w, values, "yfov", camera->field_of_view);
        if (camera->aspect_ratio > 0)
            put_number(w, values, "aspectRatio", camera->aspect_ratio);
    }
    put_number(w, values, "znear", camera->near_distance);
    if (camera->is_orthographic || camera->far_distance > 0)
        put_number(w, values, "zfar", camera->far_distance);
    facet_gltf_put(w, object, kind, values);
    facet_gltf_put_extras(w, object, camera->extras);
    return object;
}

static facet_json *light_json(facet_gltf_writer *w, const facet_light *light)
{
    static const char *const kinds[] = {"directional", "point", "spot"};
    const float *color = light->color;
    facet_json *object = facet_json_object_in(w->arena);
    facet_gltf_put_text(w, object, "name", light->name);
    facet_gltf_put(w, object, "type", facet_json_string_in(w->arena, kinds[light->kind]));
    if (color[0] != 1 || color[1] != 1 || color[2] != 1)
        facet_gltf_put(w, object, "color", facet_gltf_floats(w, color, 3));
    if (light->intensity != 1)
        put_number(w, object, "intensity", light->intensity);
    if (light->range > 0 && light->kind != FACET_LIGHT_DIRECTIONAL)
        put_number(w, object, "range", light->range);
    if (light->kind == FACET_LIGHT_SPOT) {
        facet_json *spot = facet_json_object_in(w->arena);
        put_number(w, spot, "innerConeAngle", light->inner_cone_angle);
        put_number(w, spot, "outerConeAngle", light->outer_cone_angle);
        facet_gltf_put(w, object, "spot", spot);
    }
    facet_gltf_put_extras(w, object, light->extras);
    return object;
}

void facet_gltf_cameras_from_scene(facet_gltf_writer *w)
{
    facet_json *cameras = facet_json_array_in(w->arena), *lights = facet_json_array_in(w->arena);
    for (uint32_t i = 0; i < w->scene->camera_count; i++)
        facet_gltf_append(w, cameras, camera_json(w, w->scene->cameras[i]));
    for (uint32_t i = 0; i < w->scene->light_count; i++)
        facet_gltf_append(w, lights, light_json(w, w->scene->lights[i]));
    facet_gltf_put_array(w, "cameras", cameras);
    w->uses_lights = w->scene->light_count > 0;
    if (!w->uses_lights)
        return;
    facet_json *extension = facet_json_object_in(w->arena);
    facet_gltf_put(w, extension, "lights", lights);
    facet_gltf_put(w, facet_gltf_extensions_of(w, w->root), "KHR_lights_punctual", extension);
}

void facet_gltf_put_light_of(facet_gltf_writer *w, facet_json *node, uint32_t light)
{
    facet_json *extension = facet_json_object_in(w->arena);
    facet_gltf_put(w, extension, "light", facet_json_integer_in(w->arena, light));
    facet_gltf_put(w, facet_gltf_extensions_of(w, node), "KHR_lights_punctual", extension);
}
