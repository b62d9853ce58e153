/* overlays.c - collision hulls and the occluder of a file as triangles. A page needs them
 * separately, because glTF cannot store them. */
#include "base/json.h"
#include "render/render.h"

#include <facet/archive.h>
#include <facet/convert.h>
#include <stdlib.h>

static void add_point(const facet_renderer *r, const float p[3], facet_json *points)
{
    for (int k = 0; k < 3; k++)
        facet_json_append(points,
                          facet_json_real((double)(r->turn[k] * p[0] + r->turn[4 + k] * p[1] +
                                                   r->turn[8 + k] * p[2])));
}

/* {"occluder": false, "positions": [...], "indices": [...]}, in glTF axes. */
static facet_json *overlay(const facet_renderer *r, const facet_render_batch *batch)
{
    const facet_render_instance *instance = &r->instances[batch->instance];
    const float *points = instance->positions->data;
    facet_json *positions = facet_json_array(), *indices = facet_json_array();
    for (uint32_t i = 0; i < instance->vertex_count; i++)
        add_point(r, points + (size_t)i * 3, positions);
    for (size_t i = 0; i < (size_t)batch->face_count * 3; i++)
        facet_json_append(indices,
                          facet_json_integer(instance->corners[(size_t)batch->first_face * 3 + i]));
    facet_json *object = facet_json_object();
    facet_json_set(object, "occluder", facet_json_boolean(batch->modes == FACET_RENDER_OCCLUDER));
    facet_json_set(object, "positions", positions);
    facet_json_set(object, "indices", indices);
    return object;
}

static char *describe(facet_scene *scene)
{
    facet_renderer *renderer = NULL;
    facet_prepare_options prepare = {.skip = FACET_NEED_OPTIMIZED};
    if (facet_prepare(scene, NULL, &prepare, NULL, NULL, NULL) ||
        facet_renderer_create(scene, NULL, &renderer, NULL))
        return NULL;
    facet_json *array = facet_json_array();
    for (uint32_t i = 0; i < renderer->batch_count; i++) {
        if (renderer->batches[i].modes)
            facet_json_append(array, overlay(renderer, &renderer->batches[i]));
    }
    char *text = facet_json_print(array, &(facet_json_style){.digits = 9});
    facet_json_free(array);
    facet_renderer_free(renderer);
    return text;
}

/* Overlays of a file as a JSON array, or NULL if it cannot be read. The caller frees the text
 * with free. */
char *facet_overlays(const char *path);
char *facet_overlays(const char *path)
{
    facet_input *input = NULL;
    facet_source source;
    facet_scene *scene = NULL;
    char *result = NULL;
    if (facet_input_open(path, NULL, &input, NULL))
        return NULL;
    if (!facet_input_decompress(input, &source, NULL) &&
        !facet_load(&source, NULL, NULL, NULL, &scene, NULL))
        result = describe(scene);
    facet_scene_free(scene);
    facet_input_close(input);
    return result;
}
