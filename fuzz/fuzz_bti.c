/* fuzz/fuzz_bti.c - harness for all functions that read BTI. The picture does not change when it is
 * written in a lossless format. */
#include "scene/format.h"

#include <facet/bti.h>
#include <facet/convert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition)
{
    if (!condition)
        abort();
}

/* True if the picture did not change. Formats with a palette are not compared: a new palette may
 * select another of several equal colors. */
static bool is_same(const facet_scene *before, const facet_scene *after)
{
    const facet_image *a = before->images[0], *b = after->images[0];
    return a->width == b->width && a->height == b->height && a->channels == b->channels &&
           memcmp(a->pixels, b->pixels, (size_t)a->width * a->height * a->channels) == 0;
}

static void write(const facet_scene *scene, const facet_options *options, bool same)
{
    facet_output *output;
    facet_scene *again;
    expect(facet_output_open_memory(NULL, &output, NULL) == FACET_OK);
    if (facet_save(scene, &facet_format_bti, options, output, NULL) == FACET_OK &&
        facet_output_commit(output, NULL) == FACET_OK) {
        facet_source source = {0};
        source.data = facet_output_data(output);
        source.size = (size_t)facet_output_size(output);
        expect(facet_load(&source, &facet_format_bti, NULL, NULL, &again, NULL) == FACET_OK);
        expect(!same || is_same(scene, again));
        facet_scene_free(again);
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
    source.data = data;
    source.size = size;
    options.memory_limit = 64 << 20;
    facet_format_bti.probe(&source);
    expect(facet_report_create(NULL, &report, NULL) == FACET_OK);
    facet_check(&source, &facet_format_bti, &options, report, NULL);
    if (facet_describe(&source, &facet_format_bti, &options, &description, NULL) == FACET_OK)
        facet_description_free(description);
    options.report = report;
    if (facet_load(&source, &facet_format_bti, NULL, &options, &scene, NULL) == FACET_OK) {
        options.report = NULL;
        expect(facet_scene_check(scene, NULL, NULL) == FACET_OK);
        write(scene, &options, data[0] < 8 || data[0] == 14);
        facet_bti_options how = {.format = "RGBA32"};
        options.bti = &how;
        write(scene, &options, true);
        how.format = data[size - 1] & 1 ? "C4" : "auto";
        how.levels = data[size - 1] & 2 ? UINT32_MAX : 2;
        how.dither = data[size - 1] & 4;
        write(scene, &options, false);
        facet_scene_free(scene);
    }
    facet_report_free(report);
    return 0;
}
