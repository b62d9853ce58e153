/* fuzz/fuzz_bsm.c - harness for BSM: view, verify, check, read, write, read the result; also
 * through a scene. */
#include "formats/bsm/layout.h"
#include "formats/bsm/scene.h"
#include "scene/format.h"
#include "threads.h"

#include <facet/bsm.h>
#include <facet/convert.h>
#include <stdint.h>
#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* Access all data that a view returns. */
static void view(const uint8_t *data, size_t size)
{
    facet_bsm_layout layout;
    volatile float sum = 0;
    if (facet_bsm_view(data, size, &layout, NULL))
        return;
    bool verified = !facet_bsm_verify(&layout, NULL);
    const float *positions = facet_bsm_floats(&layout, FACET_BSM_POSITIONS);
    const uint32_t *indices = facet_bsm_indices(&layout, FACET_BSM_TRIANGLES);
    require(verified || !indices);
    if (positions && indices)
        for (size_t i = 0; i < (size_t)layout.count[FACET_BSM_TRIANGLES] * 3; i++)
            sum = sum + positions[(size_t)indices[i] * 3 + 2];
    for (uint32_t i = 0; i < layout.count[FACET_BSM_MESHES]; i++) {
        facet_bsm_mesh mesh;
        require(!facet_bsm_copy(&layout, FACET_BSM_MESHES, i, 1, &mesh, NULL) == verified);
    }
}

static facet_output *write(const facet_bsm *document)
{
    facet_output *output = NULL;
    require(!facet_output_open_memory(NULL, &output, NULL));
    if (!facet_bsm_write(document, NULL, output, NULL))
        return output;
    facet_output_free(output);
    return NULL;
}

/* Read a written file, and write it again: the same bytes. */
static void again(facet_output *first)
{
    facet_bsm *document = NULL;
    size_t size = (size_t)facet_output_size(first);
    require(!facet_bsm_read(&(facet_source){.data = facet_output_data(first), .size = size}, NULL,
                            &document, NULL));
    facet_output *second = write(document);
    require(second && facet_output_size(second) == size);
    for (size_t i = 0; i < size; i++)
        require(facet_output_data(first)[i] == facet_output_data(second)[i]);
    facet_output_free(second);
    facet_bsm_free(document);
}

/* A scene that was read is valid, and the file written from it has no errors. */
static void by_scene(const uint8_t *data, size_t size)
{
    facet_source source = {0};
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_report *report = NULL;
    source.data = data;
    source.size = size;
    if (facet_format_bsm.read(&source, NULL, NULL, &scene, NULL))
        return;
    require(!facet_scene_check(scene, NULL, NULL));
    require(!facet_output_open_memory(NULL, &output, NULL));
    require(!facet_report_create(NULL, &report, NULL));
    if (!facet_format_bsm.write(scene, NULL, output, NULL, NULL)) {
        require(!facet_bsm_check(&(facet_source){.data = facet_output_data(output),
                                                 .size = (size_t)facet_output_size(output)},
                                 NULL, report, NULL));
        require(facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0);
    }
    facet_report_free(report);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Expect the same findings with several threads. */
static void check_by_threads(const facet_source *source, const facet_report *report)
{
    const facet_threads pool = threads_backwards(3);
    facet_options options = {.threads = &pool};
    facet_report *other = NULL;
    require(!facet_report_create(NULL, &other, NULL));
    require(!facet_bsm_check(source, &options, other, NULL));
    expect_same_findings(report, other);
    facet_report_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_report *report = NULL;
    facet_bsm *document = NULL;
    view(data, size);
    by_scene(data, size);
    require(!facet_report_create(NULL, &report, NULL));
    require(!facet_bsm_check(&(facet_source){.data = data, .size = size}, NULL, report, NULL));
    check_by_threads(&(facet_source){.data = data, .size = size}, report);
    if (!facet_bsm_read(&(facet_source){.data = data, .size = size}, NULL, &document, NULL)) {
        facet_scene *scene = NULL;
        facet_status status = facet_bsm_to_scene(document, NULL, NULL, &scene, NULL);
        require(status == FACET_OK || status == FACET_ERROR_LIMIT);
        require(!scene || !facet_scene_check(scene, NULL, NULL));
        facet_scene_free(scene);
        facet_output *output = write(document);
        if (output)
            again(output);
        facet_output_free(output);
        facet_bsm_free(document);
    }
    facet_report_free(report);
    return 0;
}
