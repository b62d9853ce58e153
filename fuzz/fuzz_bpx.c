/* fuzz/fuzz_bpx.c - harness for all functions that read BPX. A file that can be copied is copied,
 * and the copy is read. */
#include "scene/format.h"

#include <facet/bpx.h>
#include <facet/convert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition)
{
    if (!condition)
        abort();
}

static facet_status take(void *user, const char *name, const void *data, size_t size,
                         facet_error *error)
{
    (void)error;
    size_t *sum = user;
    *sum += strlen(name);
    for (size_t i = 0; i < size; i += 4096)
        *sum += ((const uint8_t *)data)[i];
    return FACET_OK;
}

static void copy(const facet_source *source, const facet_options *options)
{
    facet_output *output;
    facet_bpx_layout bpx, again;
    expect(facet_output_open_memory(NULL, &output, NULL) == FACET_OK);
    if (facet_copy(source, &facet_format_bpx, options, output, NULL) == FACET_OK &&
        facet_output_commit(output, NULL) == FACET_OK) {
        expect(facet_bpx_view(facet_output_data(output), (size_t)facet_output_size(output), &again,
                              NULL) == FACET_OK);
        /* The source may be compressed as a whole; the copy is not. */
        if (facet_bpx_view(source->data, source->size, &bpx, NULL) == FACET_OK) {
            expect(again.section_count == bpx.section_count);
            facet_bpx_verify(&bpx, NULL);
        }
        expect(facet_bpx_verify(&again, NULL) == FACET_OK);
    }
    facet_output_free(output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_source source = {0};
    facet_options options = {0};
    facet_scene *scene;
    facet_report *report;
    facet_description *description;
    size_t sum = 0;
    facet_extractor extractor = {take, &sum};
    source.data = data;
    source.size = size;
    options.memory_limit = 64 << 20;
    expect(facet_report_create(NULL, &report, NULL) == FACET_OK);
    facet_check(&source, &facet_format_bpx, &options, report, NULL);
    facet_report_free(report);
    if (facet_describe(&source, &facet_format_bpx, &options, &description, NULL) == FACET_OK)
        facet_description_free(description);
    facet_extract(&source, &facet_format_bpx, &options, &extractor, NULL);
    copy(&source, &options);
    if (facet_load(&source, &facet_format_bpx, NULL, &options, &scene, NULL) == FACET_OK) {
        facet_output *output;
        expect(facet_scene_check(scene, NULL, NULL) == FACET_OK);
        expect(facet_output_open_memory(NULL, &output, NULL) == FACET_OK);
        facet_save(scene, &facet_format_bpx, &options, output, NULL);
        facet_output_free(output);
        facet_scene_free(scene);
    }
    return 0;
}
