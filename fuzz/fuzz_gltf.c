/* fuzz/fuzz_gltf.c - harness for glTF. An input is rejected with a message, or gives a valid scene.
 * That scene can be flattened and checked. If it is GPU-ready, it is written and read again with
 * the same number of faces. */
#include "base/tree.h"
#include "formats/gltf/format.h"
#include <facet/convert.h>
#include <facet/gltf.h>
#include <facet/pose.h>
#include <stdlib.h>

static facet_options limited(void)
{
    facet_options options = {0};
    options.memory_limit = (uint64_t)1 << 27;
    return options;
}

static facet_status read_bytes(const uint8_t *data, size_t size, facet_scene **scene)
{
    facet_source source = {0};
    source.data = data;
    source.size = size;
    facet_options options = limited();
    facet_error error;
    facet_status status = facet_gltf_read(&source, NULL, &options, scene, &error);
    if (status == FACET_OK ? facet_scene_check(*scene, NULL, &error) != FACET_OK
                           : !error.message[0])
        abort();
    return status;
}

static uint64_t face_count(const facet_scene *scene)
{
    uint64_t faces = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        faces += scene->meshes[i]->face_count;
    return faces;
}

static void write_and_read(const facet_scene *scene)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (!facet_mesh_is_indexed(scene->meshes[i]))
            return;
    }
    facet_output *output = NULL;
    facet_scene *again = NULL;
    if (facet_output_open_memory(NULL, &output, NULL) != FACET_OK)
        return;
    if (facet_gltf_write_binary(scene, NULL, output, NULL) != FACET_OK ||
        facet_output_commit(output, NULL) != FACET_OK)
        abort();
    facet_status status =
        read_bytes(facet_output_data(output), (size_t)facet_output_size(output), &again);
    if (status == FACET_OK ? face_count(scene) != face_count(again)
                           : status != FACET_ERROR_LIMIT && status != FACET_ERROR_MEMORY)
        abort();
    if (status == FACET_OK)
        facet_scene_free(again);
    facet_output_free(output);
}

static void check(const uint8_t *data, size_t size)
{
    facet_source source = {0};
    source.data = data;
    source.size = size;
    facet_options options = limited();
    facet_report *report = NULL;
    if (facet_report_create(NULL, &report, NULL) != FACET_OK)
        return;
    facet_gltf_check(&source, &options, report, NULL);
    facet_report_free(report);
}

static void describe(const uint8_t *data, size_t size)
{
    facet_source source = facet_source_from_memory(data, size, NULL);
    facet_options options = limited();
    facet_description *description = NULL;
    if (facet_description_make(&source, &options, facet_gltf_fill_description, &description,
                               NULL) == FACET_OK)
        facet_description_free(description);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_scene *scene = NULL;
    if (read_bytes(data, size, &scene) == FACET_OK) {
        facet_flatten_options flatten = {0};
        flatten.merge = true;
        write_and_read(scene);
        if (facet_scene_flatten(scene, &flatten, NULL, NULL) == FACET_OK &&
            facet_scene_check(scene, NULL, NULL) != FACET_OK)
            abort();
        facet_scene_free(scene);
    }
    check(data, size);
    describe(data, size);
    return 0;
}
