/* fuzz/fuzz_stl.c - harness for STL: read, check, describe, write in both encodings and read again;
 * also through a scene. */
#include "base/tree.h"
#include "formats/stl/stl.h"
#include "scene/format.h"

#include <facet/convert.h>
#include <facet/stl.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static facet_output *new_output(void)
{
    facet_output *output = NULL;
    require(!facet_output_open_memory(NULL, &output, NULL));
    return output;
}

/* Write in an encoding and read again: the same triangles. Text keeps neither attributes nor all
 * normals, so only the number of triangles is compared. */
static void rewrite(const facet_stl *stl, facet_stl_encoding encoding)
{
    facet_stl_options how = {.encoding = encoding};
    facet_options options = {.stl = &how};
    facet_output *output = new_output();
    facet_stl *again = NULL;
    facet_status status = facet_stl_write(stl, &options, output, NULL);
    require(status == FACET_OK || encoding == FACET_STL_ASCII); /* infinite or NaN corners */
    if (status == FACET_OK) {
        facet_source source = {.data = facet_output_data(output),
                               .size = (size_t)facet_output_size(output)};
        require(!facet_stl_read(&source, NULL, &again, NULL));
        require(again->triangle_count == stl->triangle_count);
        for (uint32_t i = 0; i < stl->triangle_count && encoding == FACET_STL_BINARY; i++)
            require(memcmp(again->triangles + (size_t)i * 50, stl->triangles + (size_t)i * 50,
                           50) == 0);
        facet_stl_free(again);
    }
    facet_output_free(output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_source source = {.data = data, .size = size, .name = "a.stl"};
    facet_options options = {.memory_limit = 64 << 20};
    facet_stl *stl = NULL;
    facet_scene *scene = NULL;
    facet_report *report = NULL;
    facet_description *description = NULL;
    if (!facet_stl_read(&source, &options, &stl, NULL)) {
        rewrite(stl, FACET_STL_BINARY);
        rewrite(stl, FACET_STL_ASCII);
        facet_stl_free(stl);
    }
    require(!facet_report_create(NULL, &report, NULL));
    facet_stl_check(&source, &options, report, NULL);
    facet_report_free(report);
    if (!facet_description_make(&source, &options, facet_stl_fill_description, &description, NULL))
        facet_description_free(description);
    if (!facet_load(&source, &facet_format_stl, NULL, &options, &scene, NULL)) {
        facet_output *output = new_output();
        require(!facet_scene_check(scene, NULL, NULL));
        facet_save(scene, &facet_format_stl, &options, output, NULL);
        facet_output_free(output);
        facet_scene_free(scene);
    }
    return 0;
}
