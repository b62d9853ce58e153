/* fuzz/fuzz_bga.c - harness for BGA: view, verify, check, describe and load any bytes. Values do
 * not change when they are written and read again. */
#include "scene/format.h"
#include "threads.h"

#include <facet/bga.h>
#include <facet/convert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static facet_output *new_output(void)
{
    facet_output *output;
    expect(facet_output_open_memory(NULL, &output, NULL) == FACET_OK);
    return output;
}

/* All values of an attribute, tightly packed; NULL if the count is 0 or too large here. */
static uint8_t *values_of(const facet_bga *bga, const facet_bga_attribute *attribute, size_t *size)
{
    size_t element = (size_t)attribute->components * facet_bga_base_size(attribute->base);
    if (attribute->count == 0 || attribute->count > 1 << 20)
        return NULL;
    *size = element * (size_t)attribute->count;
    uint8_t *values = malloc(*size);
    expect(values != NULL);
    expect(facet_bga_read_values(bga, attribute, 0, attribute->count, attribute->base, values) ==
           attribute->count);
    return values;
}

/* Write in the other byte order: no value changes. */
static void rewrite(const facet_bga *bga)
{
    static facet_bga again;
    facet_options options = {0};
    facet_bga_options how = {.big_endian = !bga->big_endian};
    options.bga = &how;
    facet_output *output = new_output();
    facet_status status = facet_bga_write(bga, &options, output, NULL);
    expect(status != FACET_ERROR_ARGUMENT); /* a view that succeeded is complete */
    if (status == FACET_OK) {
        expect(facet_output_commit(output, NULL) == FACET_OK);
        expect(facet_bga_view(facet_output_data(output), (size_t)facet_output_size(output), NULL,
                              &again, NULL) == FACET_OK);
        expect(again.attribute_count == bga->attribute_count);
        for (uint32_t i = 0; i < bga->attribute_count; i++) {
            size_t before_size, after_size;
            uint8_t *before = values_of(bga, &bga->attributes[i], &before_size);
            uint8_t *after = values_of(&again, &again.attributes[i], &after_size);
            expect(!before == !after);
            expect(!before ||
                   (before_size == after_size && memcmp(before, after, before_size) == 0));
            free(before);
            free(after);
        }
    }
    facet_output_free(output);
}

/* Expect the same findings with several threads. */
static void check_by_threads(const facet_source *source, const facet_options *options,
                             const facet_report *report)
{
    const facet_threads pool = threads_backwards(3);
    facet_options several = *options;
    facet_report *other;
    several.threads = &pool;
    expect(facet_report_create(NULL, &other, NULL) == FACET_OK);
    facet_check(source, &facet_format_bga, &several, other, NULL);
    expect_same_findings(report, other);
    facet_report_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static facet_bga bga;
    facet_source source = {0};
    facet_options options = {0};
    facet_scene *scene;
    facet_report *report;
    facet_description *description;
    source.data = data;
    source.size = size;
    options.memory_limit = 64 << 20;
    for (int order = 0; order <= FACET_BGA_ORDER_DECLARATION; order++) {
        facet_bga_view_options view = {.order = (facet_bga_order)order, .tolerant = order == 1};
        if (facet_bga_view(data, size, &view, &bga, NULL) == FACET_OK && !bga.order_differs)
            rewrite(&bga);
        facet_bga_verify(&bga, NULL);
    }
    expect(facet_report_create(NULL, &report, NULL) == FACET_OK);
    facet_check(&source, &facet_format_bga, &options, report, NULL);
    check_by_threads(&source, &options, report);
    facet_report_free(report);
    if (facet_describe(&source, &facet_format_bga, &options, &description, NULL) == FACET_OK)
        facet_description_free(description);
    if (facet_load(&source, &facet_format_bga, NULL, &options, &scene, NULL) == FACET_OK) {
        facet_output *output = new_output();
        expect(facet_scene_check(scene, NULL, NULL) == FACET_OK);
        facet_save(scene, &facet_format_bga, &options, output, NULL);
        facet_output_free(output);
        facet_scene_free(scene);
    }
    return 0;
}
