/* Any bytes as BinaryMesh: read, check, describe, to a scene. What was read is
 * written again and must come back the same; what was refused must be an error
 * for the check too. */
#include <facet/facet.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY ((uint64_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Write in its own precision, read back, write: the same bytes twice. */
static void write_twice(const facet_binarymesh *document, const facet_options *options)
{
    facet_binarymesh_write_options write = {document->double_precision ? 3 : 4};
    facet_binarymesh *back = NULL;
    facet_output *first = NULL, *second = NULL;
    require(!facet_output_open_memory(NULL, &first, NULL));
    require(!facet_output_open_memory(NULL, &second, NULL));
    require(!facet_binarymesh_write(document, &write, options, first, NULL));
    require(!facet_output_commit(first, NULL));
    require(!facet_binarymesh_read(facet_output_data(first), (size_t)facet_output_size(first), NULL,
                                   &back, NULL));
    require(!facet_binarymesh_write(back, &write, options, second, NULL));
    require(!facet_output_commit(second, NULL));
    require(facet_output_size(first) == facet_output_size(second));
    require(memcmp(facet_output_data(first), facet_output_data(second),
                   (size_t)facet_output_size(first)) == 0);
    facet_output_free(first);
    facet_output_free(second);
    facet_binarymesh_free(back);
}

static void through_scene(const uint8_t *data, size_t size, const facet_options *options)
{
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    if (facet_binarymesh_read_scene(data, size, options, &scene, NULL))
        return;
    require(!facet_scene_check(scene, NULL));
    require(!facet_output_open_memory(NULL, &output, NULL));
    facet_status status = facet_binarymesh_write_scene(scene, NULL, options, output, NULL);
    require(status == FACET_OK || scene->mesh_count == 0 || status == FACET_ERROR_MEMORY);
    facet_output_free(output);
    facet_scene_free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_options options = {.memory_limit = MEMORY};
    facet_source source = {.data = data, .size = size};
    const facet_format *format = facet_format_named("binarymesh");
    facet_binarymesh *document = NULL;
    facet_report *report = NULL;
    facet_description *description = NULL;
    require(!facet_report_create(NULL, &report, NULL));
    facet_status status = facet_binarymesh_read(data, size, &options, &document, NULL);
    if (!facet_binarymesh_check(data, size, &options, report, NULL) && status != FACET_ERROR_MEMORY)
        require((facet_report_count_of(report, FACET_SEVERITY_ERROR) > 0) == (status != FACET_OK));
    if (!facet_describe(&source, format, &options, &description, NULL))
        facet_description_free(description);
    if (!status) {
        write_twice(document, NULL);
        through_scene(data, size, &options);
    }
    facet_binarymesh_free(document);
    facet_report_free(report);
    return 0;
}
