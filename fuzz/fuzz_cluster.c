/* fuzz/fuzz_cluster.c - harness for facet_load_options.max_clusters: OBJ, PLY or STL. The first
 * byte selects the format, the second the limit. A file is rejected with a message, or gives a
 * valid scene within the limit. */
#include "scene/format.h"

#include <facet/convert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const facet_format *const formats[] = {&facet_format_obj, &facet_format_ply,
                                                  &facet_format_stl};
    if (size < 2)
        return 0;
    facet_source source = {.data = data + 2, .size = size - 2};
    facet_load_options load = {.max_clusters = 64 + (uint32_t)data[1] * 4};
    facet_options options = {.memory_limit = 64 << 20};
    facet_scene *scene = NULL;
    facet_error error;
    if (facet_load(&source, formats[data[0] % 3], &load, &options, &scene, &error)) {
        require(error.message[0] && error.rule[0]);
        return 0;
    }
    require(!facet_scene_check(scene, NULL, NULL));
    require(scene->mesh_count <= 1);
    if (scene->mesh_count == 1)
        require(scene->meshes[0]->streams[0].count <= load.max_clusters);
    facet_scene_free(scene);
    return 0;
}
