/* shaders.c - everything that a page needs to draw console materials as the chip does: shaders,
 * uniforms and other state. */
#include "shaders.h"

#include "formats/j3d/scene/to_scene/gx.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

/* -- Input --------------------------------------------------------------- */

static const char *extras_of(facet_scene *scene, const facet_json *item)
{
    const facet_json *extras = facet_json_object_get(item, "extras");
    char *text = facet_json_is_object(extras) ? facet_json_print(extras, NULL) : NULL;
    const char *kept = text ? facet_scene_string(scene, text) : NULL;
    free(text);
    return kept;
}

static const char *name_of(const facet_json *item)
{
    const char *name = facet_json_string_value(facet_json_object_get(item, "name"));
    return name ? name : "";
}

static bool fill_scene(facet_scene *scene, const facet_json *root)
{
    const facet_json *materials = facet_json_object_get(root, "materials");
    const facet_json *images = facet_json_object_get(root, "images");
    size_t count = facet_json_array_size(materials);
    for (size_t i = 0; i < count; i++) {
        const facet_json *item = facet_json_array_get(materials, i);
        facet_material *material;
        if (facet_scene_add_material(scene, name_of(item), &material, NULL))
            return false;
        material->extras = extras_of(scene, item);
    }
    count = facet_json_array_size(images);
    for (size_t i = 0; i < count; i++) {
        const facet_json *item = facet_json_array_get(images, i);
        facet_image *image;
        if (facet_scene_add_image(scene, name_of(item), &image, NULL))
            return false;
        image->extras = extras_of(scene, item);
    }
    return true;
}

facet_scene *facet_web_read_materials(const facet_json *root)
{
    facet_scene *scene = NULL;
    if (facet_scene_create(NULL, &scene, NULL))
        return NULL;
    if (fill_scene(scene, root) && !facet_j3d_restore_gx(scene, NULL, NULL))
        return scene;
    facet_scene_free(scene);
    return NULL;
}

/* -- Output -------------------------------------------------------------- */

static facet_json *integers(const int32_t *values, size_t count)
{
    facet_json *array = facet_json_array();
    for (size_t i = 0; i < count; i++)
        facet_json_append(array, facet_json_integer(values[i]));
    return array;
}

static facet_json *floats(const float *values, size_t count)
{
    facet_json *array = facet_json_array();
    for (size_t i = 0; i < count; i++)
        facet_json_append(array, facet_json_real((double)values[i]));
    return array;
}

facet_json *facet_web_shader(const facet_gx_material *material, bool vertex)
{
    size_t length = vertex ? facet_gx_vertex_shader(material, NULL, 0)
                           : facet_gx_fragment_shader(material, false, NULL, 0);
    char *text = malloc(length + 1);
    if (!text)
        return NULL;
    if (vertex)
        facet_gx_vertex_shader(material, text, length + 1);
    else
        facet_gx_fragment_shader(material, false, text, length + 1);
    facet_json *value = facet_json_string(text);
    free(text);
    return value;
}

static facet_json *uniforms(const facet_render_material *material)
{
    facet_gx_shader_values values;
    float colors[8][4], cosines[8][4] = {{0}}, distances[8][4] = {{0}};
    facet_json *object = facet_json_object();
    facet_gx_material_shader_values(material->gx, &values);
    for (int i = 0; i < 8; i++) {
        const facet_gx_light *light = &material->lights[i];
        const float color[4] = {light->color.r, light->color.g, light->color.b, light->color.a};
        memcpy(colors[i], color, sizeof color);
        memcpy(cosines[i], light->cosine_attenuation, sizeof light->cosine_attenuation);
        memcpy(distances[i], light->distance_attenuation, sizeof light->distance_attenuation);
    }
    facet_json_set(object, "registers", integers(values.registers[0], 12));
    facet_json_set(object, "konst", integers(values.konst[0], 16));
    facet_json_set(object, "material_color", floats(values.material_color[0], 8));
    facet_json_set(object, "ambient_color", floats(values.ambient_color[0], 8));
    facet_json_set(object, "texture_rows", floats(values.texture_rows[0], 120));
    facet_json_set(object, "light_color", floats(colors[0], 32));
    facet_json_set(object, "light_cosine", floats(cosines[0], 32));
    facet_json_set(object, "light_distance", floats(distances[0], 32));
    return object;
}

facet_json *facet_web_map(const facet_gx_material *material, int map)
{
    static const char *const keys[] = {"image",     "wrapS",     "wrapT",
                                       "minFilter", "magFilter", "lodBias"};
    const facet_gx_sampler *s = &material->samplers[map];
    const int32_t values[] = {material->textures[map], s->wrap_s,     s->wrap_t,
                              s->min_filter,           s->mag_filter, s->lod_bias};
    if (material->textures[map] == FACET_GX_NO_TEXTURE)
        return facet_json_null();
    facet_json *object = facet_json_object();
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        facet_json_set(object, keys[k], facet_json_integer(values[k]));
    return object;
}

static facet_json *maps(const facet_gx_material *gx)
{
    facet_json *array = facet_json_array();
    for (int i = 0; i < 8; i++)
        facet_json_append(array, facet_web_map(gx, i));
    return array;
}

static facet_json *material_json(const facet_render_material *material)
{
    const facet_gx_material *gx = material->gx;
    if (!gx)
        return facet_json_null();
    facet_json *object = facet_json_object();
    const int32_t depth[3] = {gx->depth.test, gx->depth.comparison, gx->depth.write};
    const int32_t blend[4] = {gx->blend.type, gx->blend.source, gx->blend.destination,
                              gx->blend.logic};
    facet_json_set(object, "vertex", facet_web_shader(gx, true));
    facet_json_set(object, "fragment", facet_web_shader(gx, false));
    facet_json_set(object, "uniforms", uniforms(material));
    facet_json_set(object, "maps", maps(gx));
    facet_json_set(object, "depth", integers(depth, 3));
    facet_json_set(object, "blend", integers(blend, 4));
    facet_json_set(object, "culls", facet_json_boolean(material->culls));
    facet_json_set(object, "translucent", facet_json_boolean(gx->translucent != 0));
    facet_json_set(object, "skipped", facet_json_boolean(material->skipped));
    return object;
}

static char *describe(facet_scene *scene)
{
    facet_renderer *renderer = NULL;
    if (facet_renderer_create(scene, NULL, &renderer, NULL))
        return NULL;
    facet_json *array = facet_json_array();
    for (uint32_t i = 0; i < scene->material_count; i++)
        facet_json_append(array, material_json(&renderer->materials[i]));
    char *text = facet_json_print(array, &(facet_json_style){.digits = 9});
    facet_json_free(array);
    facet_renderer_free(renderer);
    return text;
}

/* Shaders as a JSON array, with one element per material: null if it is not a console material.
 * NULL if out of memory or if `text` is not JSON. The caller frees the text with free. */
char *facet_shaders(const char *text);
char *facet_shaders(const char *text)
{
    facet_json *root = facet_json_read_text(text);
    facet_scene *scene = root ? facet_web_read_materials(root) : NULL;
    char *result = scene ? describe(scene) : NULL;
    facet_scene_free(scene);
    facet_json_free(root);
    return result;
}
