/* fuzz/fuzz_convert.c - harness for two conversions in a row. The first two bytes select the target
 * formats. A written file is checked, and can be read unless memory is exhausted. */
#include <facet/facet.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"obj",        "ply", "stl", "glb", "bsm",
                                    "binarymesh", "bga", "bpx", "bmd", "iqm"};
#define COUNT (sizeof names / sizeof *names)

static facet_options limited(void)
{
    facet_options options = {0};
    options.memory_limit = (uint64_t)256 << 20;
    return options;
}

/* The scene as a file in memory; NULL if the format cannot store it. */
static facet_output *save(facet_scene *scene, const facet_format *format)
{
    facet_options options = limited();
    facet_passes passes;
    facet_output *output = NULL;
    if (facet_prepare(scene, format, NULL, &options, &passes, NULL) != FACET_OK ||
        facet_output_open_memory(NULL, &output, NULL) != FACET_OK)
        return NULL;
    if (facet_save(scene, format, &options, output, NULL) == FACET_OK &&
        facet_output_commit(output, NULL) == FACET_OK)
        return output;
    facet_output_free(output);
    return NULL;
}

static void check(const facet_source *file, const facet_format *format)
{
    facet_options options = limited();
    facet_report *report = NULL;
    if (facet_report_create(NULL, &report, NULL) != FACET_OK)
        return;
    facet_status status = facet_check(file, format, &options, report, NULL);
    if (status == FACET_ERROR_MALFORMED)
        abort();
    facet_report_free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_scene *scene = NULL, *again = NULL;
    facet_options options = limited();
    if (size < 2)
        return 0;
    const facet_format *first = facet_format_named(names[data[0] % COUNT]);
    const facet_format *second = facet_format_named(names[data[1] % COUNT]);
    facet_source source = facet_source_from_memory(data + 2, size - 2, NULL);
    const facet_format *from = facet_format_probe(&source);
    /* Skip assimp: its own errors are not tested here. */
    if (!from || strcmp(facet_format_name(from), "assimp") == 0 ||
        facet_load(&source, from, NULL, &options, &scene, NULL) != FACET_OK)
        return 0;
    facet_output *output = save(scene, first);
    if (output) {
        facet_source file = facet_source_from_memory(facet_output_data(output),
                                                     (size_t)facet_output_size(output), NULL);
        check(&file, first);
        facet_status status = facet_load(&file, first, NULL, &options, &again, NULL);
        if (status != FACET_OK && status != FACET_ERROR_MEMORY)
            abort();
        if (status == FACET_OK) {
            facet_output_free(save(again, second));
            facet_scene_free(again);
        }
    }
    facet_output_free(output);
    facet_scene_free(scene);
    return 0;
}
