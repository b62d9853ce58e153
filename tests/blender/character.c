/* character FILE.bdl [s16]: write the model that the tests with Blender use. */
#include "support/j3d_character.h"

#include <facet/convert.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    const test_j3d_kind_of_character floats = {FACET_J3D_F32, 0}, shorts = {FACET_J3D_S16, 6};
    test_j3d *model = test_j3d_character(argc > 2 ? &shorts : &floats);
    test_bytes bytes = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    facet_source source = facet_source_from_memory(bytes.data, bytes.size, "character.bmd");
    facet_output *output = NULL;
    facet_error error;
    bool written =
        facet_output_open(argv[1], &output, &error) == FACET_OK &&
        facet_copy(&source, facet_format_named("bdl"), NULL, output, &error) == FACET_OK &&
        facet_output_commit(output, &error) == FACET_OK;
    if (!written)
        fprintf(stderr, "%s\n", error.message);
    facet_output_free(output);
    test_bytes_free(&bytes);
    return written ? 0 : 1;
}
