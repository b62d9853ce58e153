/* fuzz/fuzz_assimp.c - harness for files that assimp reads. The first byte selects the file name.
 *
 * Errors inside assimp are not tested (tools/fuzz continues after them). The result is a valid
 * scene or an error with a message. */
#include <facet/convert.h>

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"a.fbx", "a.dae", "a.3ds", "a.x",   "a.lwo", "a.off",
                                    "a.dxf", "a.b3d", "a.md2", "a.ac",  "a.ase", "a.smd",
                                    "a.nff", "a.raw", "a.bvh", "a.amf", "a.3mf", "a.blend"};
#define COUNT (sizeof names / sizeof *names)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"fbx", "dae", "3ds", "assimp"};
    if (size < 1)
        return 0;
    size_t name = data[0] % COUNT;
    facet_source source = facet_source_from_memory(data + 1, size - 1, names[name]);
    facet_options options = {.memory_limit = (uint64_t)256 << 20};
    const facet_format *format = facet_format_named(formats[name < 3 ? name : 3]);
    facet_scene *scene = NULL;
    facet_error error = {0};
    facet_status status = facet_load(&source, format, NULL, &options, &scene, &error);
    if (status == FACET_OK ? facet_scene_check(scene, NULL, &error) != FACET_OK
                           : !error.message[0]) {
        /* tools/fuzz searches for this line. */
        fprintf(stderr, "fuzz_assimp: our fault: %s\n", error.message);
        abort();
    }
    facet_scene_free(scene);
    return 0;
}
