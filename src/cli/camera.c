/* cli/camera.c - cameras in JSON files, as facet render --json prints them. */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/cli.h"

#include <string.h>

static bool read_vector(const facet_json *object, const char *key, double out[3])
{
    const facet_json *list = facet_json_object_get(object, key);
    for (size_t i = 0; i < 3; i++) {
        if (!facet_json_is_number(facet_json_array_get(list, i)))
            return false;
        out[i] = facet_json_number_value(facet_json_array_get(list, i));
    }
    return facet_json_array_size(list) == 3;
}

/* The JSON of a file, or NULL and the error. */
static facet_json *read_json(const char *path, facet_error *error)
{
    facet_file *file;
    facet_json_fault fault;
    if (facet_file_open_steady(path, NULL, &file, error))
        return NULL;
    const facet_source source = facet_file_source(file);
    facet_json *root = facet_json_read((const char *)source.data, source.size, 0, &fault);
    facet_file_close(file);
    if (!root && fault.memory)
        facet_fail_memory(error, 0);
    else if (!root)
        facet_fail(error, FACET_ERROR_MALFORMED, NULL, FACET_NO_OFFSET, "not a camera: %s",
                   fault.text);
    return root;
}

facet_status cli_read_camera(const char *path, facet_render_camera *camera, facet_error *error)
{
    static const double up[3] = {0, 1, 0};
    facet_json *root = read_json(path, error);
    if (!root)
        return error->status;
    const facet_json *found = facet_json_object_get(root, "camera");
    found = found ? found : root;
    memcpy(camera->up, up, sizeof up);
    bool valid = read_vector(found, "position", camera->position) &&
                 read_vector(found, "target", camera->target) &&
                 (!facet_json_object_get(found, "up") || read_vector(found, "up", camera->up));
    camera->field_of_view = facet_json_number_value(facet_json_object_get(found, "fieldOfView"));
    camera->height = facet_json_number_value(facet_json_object_get(found, "height"));
    facet_json_free(root);
    if (valid)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_MALFORMED, NULL, FACET_NO_OFFSET,
                      "not a camera, expected {\"position\": [x, y, z], \"target\": [x, y, z], "
                      "\"fieldOfView\": degrees} or, with \"height\", orthographic");
}
