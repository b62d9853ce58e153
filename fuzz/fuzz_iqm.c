/* fuzz/fuzz_iqm.c - harness for IQM: view, verify, check, read, write, read the result; also
 * through a scene. */
#include "formats/iqm/file.h"
#include "scene/format.h"

#include <facet/convert.h>
#include <facet/iqm.h>
#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static facet_options limited(void)
{
    facet_options options = {0};
    options.memory_limit = (uint64_t)256 << 20;
    return options;
}

/* Access all data that a view returns. */
static void view(const uint8_t *data, size_t size)
{
    facet_iqm_layout layout;
    volatile float sum = 0;
    if (facet_iqm_view(data, size, &layout, NULL))
        return;
    bool verified = !facet_iqm_verify(&layout, NULL);
    const uint32_t *triangles = facet_iqm_indices(&layout, FACET_IQM_TRIANGLES);
    require(verified || !triangles);
    for (size_t i = 0; triangles && i < (size_t)layout.count[FACET_IQM_TRIANGLES] * 3; i++)
        require(triangles[i] < layout.vertex_count);
    for (uint32_t i = 0; i < layout.count[FACET_IQM_JOINTS]; i++) {
        facet_iqm_joint joint;
        require(!facet_iqm_get(&layout, FACET_IQM_JOINTS, i, &joint, sizeof joint, NULL) ==
                verified);
        if (verified)
            sum = sum + joint.rotation[3] + (float)*facet_iqm_text(&layout, joint.name);
    }
    for (uint32_t i = 0; verified && i < layout.count[FACET_IQM_ARRAYS]; i++) {
        facet_iqm_array array;
        require(!facet_iqm_get(&layout, FACET_IQM_ARRAYS, i, &array, sizeof array, NULL));
        size_t bytes = (size_t)layout.vertex_count * array.size;
        if (bytes > 0)
            sum = sum + ((const uint8_t *)array.data)[bytes - 1];
    }
}

static facet_output *write(const facet_iqm *document)
{
    facet_output *output = NULL;
    require(!facet_output_open_memory(NULL, &output, NULL));
    if (!facet_iqm_write(document, NULL, output, NULL))
        return output;
    facet_output_free(output);
    return NULL;
}

static facet_source source_of(const facet_output *output)
{
    return (facet_source){.data = facet_output_data(output),
                          .size = (size_t)facet_output_size(output)};
}

/* A document that was read can be written and read; writing it again gives the same bytes. */
static void by_document(const facet_source *source)
{
    facet_options options = limited();
    facet_iqm *document = NULL, *again = NULL;
    if (facet_iqm_read(source, &options, &document, NULL))
        return;
    facet_output *first = write(document);
    require(first != NULL);
    facet_source written = source_of(first);
    require(!facet_iqm_read(&written, NULL, &again, NULL));
    facet_output *second = write(again);
    require(second && facet_output_size(first) == facet_output_size(second));
    for (size_t i = 0; i < (size_t)facet_output_size(first); i++)
        require(facet_output_data(first)[i] == facet_output_data(second)[i]);
    facet_output_free(second);
    facet_output_free(first);
    facet_iqm_free(again);
    facet_iqm_free(document);
}

/* A scene that was read is valid, and the file written from it has no errors. */
static void by_scene(const facet_source *source)
{
    facet_options options = limited();
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_report *report = NULL;
    if (facet_format_iqm.read(source, NULL, &options, &scene, NULL))
        return;
    require(!facet_scene_check(scene, NULL, NULL));
    require(!facet_output_open_memory(NULL, &output, NULL));
    require(!facet_report_create(NULL, &report, NULL));
    if (!facet_format_iqm.write(scene, &options, output, NULL, NULL)) {
        facet_source written = source_of(output);
        require(!facet_iqm_check(&written, NULL, report, NULL));
        require(facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0);
    }
    facet_report_free(report);
    facet_output_free(output);
    facet_scene_free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const facet_source source = {.data = data, .size = size};
    facet_report *report = NULL;
    view(data, size);
    require(!facet_report_create(NULL, &report, NULL));
    require(!facet_iqm_check(&source, NULL, report, NULL));
    facet_report_free(report);
    by_document(&source);
    by_scene(&source);
    return 0;
}
