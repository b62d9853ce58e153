/* fuzz/fuzz_j3d_json.c - harness for materials.json and textures.json of a model. The first byte
 * selects which, the next two are the size of the text; the model follows the text. The text is
 * rejected with a message, or applied; then the model is written and read. */
#include "formats/j3d/json/json.h"

#include <facet/j3d.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY ((uint64_t)64 << 20)

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void write_and_read(const facet_j3d *document, const facet_options *options)
{
    facet_output *output = NULL;
    facet_j3d *again = NULL;
    require(facet_output_open_memory(NULL, &output, NULL) == FACET_OK);
    if (facet_j3d_write(document, options, output, NULL) == FACET_OK) {
        require(facet_output_commit(output, NULL) == FACET_OK);
        facet_source source = facet_source_from_memory(facet_output_data(output),
                                                       (size_t)facet_output_size(output), NULL);
        facet_status status = facet_j3d_read(&source, options, &again, NULL);
        require(status == FACET_OK || status == FACET_ERROR_MEMORY);
        facet_j3d_free(again);
    }
    facet_output_free(output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_j3d *document = NULL;
    facet_error error = {0};
    if (size < 3)
        return 0;
    size_t length = (size_t)data[1] | (size_t)data[2] << 8;
    length = length < size - 3 ? length : size - 3;
    facet_source source = facet_source_from_memory(data + 3 + length, size - 3 - length, NULL);
    facet_options options = {.memory_limit = MEMORY};
    if (facet_j3d_read(&source, &options, &document, NULL) != FACET_OK)
        return 0;
    char *text = malloc(length + 1);
    require(text != NULL);
    memcpy(text, data + 3, length);
    text[length] = '\0';
    facet_j3d_options how = {0};
    facet_options with = options;
    *(data[0] % 2 ? &how.textures : &how.materials) = text;
    with.j3d = &how;
    bool changed = false;
    facet_status status = facet_j3d_apply_json(document, &with, &changed, &error);
    require(status == FACET_OK || error.message[0] != '\0');
    if (status == FACET_OK && changed) {
        facet_status baked = facet_j3d_bake_materials(document, &options, NULL);
        bool has_none = !document->has_materials || document->kind == FACET_J3D_BMT3;
        require(baked == FACET_OK || baked == FACET_ERROR_MEMORY ||
                (has_none && baked == FACET_ERROR_ARGUMENT));
        write_and_read(document, &options);
    }
    free(text);
    facet_j3d_free(document);
    return 0;
}
