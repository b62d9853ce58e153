/* fuzz/fuzz_assimp_scan.c - harness for the scans that precede assimp, without assimp. The first
 * byte selects the file name. The scan succeeds or returns an error with a message. Only the
 * contents of a compressed X file are longer than the file. */
#include "base/arena.h"
#include "formats/assimp/file/scan.h"

#include <facet/base.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {
    "a.fbx", "a.dae",    "a.model", "a.x",   "a.bvh", "a.b3d", "a.ogex", "a.lwo", "a.lws", "a.ac",
    "a.3ds", "a.assbin", "a.ms3d",  "a.ase", "a.cob", "a.ifc", "a",      "a.x3d", "a.off", "a.smd"};
#define COUNT (sizeof names / sizeof *names)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    facet_options options = {.memory_limit = (uint64_t)256 << 20};
    facet_error error = {0};
    facet_dae_clips *clips = NULL;
    facet_fbx *fbx = NULL;
    facet_arena *scratch = NULL;
    facet_report *report = NULL;
    if (facet_arena_create(&options, &scratch, &error) ||
        facet_report_create(NULL, &report, &error))
        abort();
    /* A copy of exactly this size, so that AddressSanitizer finds an overrun of one byte. */
    uint8_t *copy = malloc(size - 1 ? size - 1 : 1);
    if (!copy)
        abort();
    for (size_t i = 1; i < size; i++)
        copy[i - 1] = data[i];
    const uint8_t *text = copy;
    size_t length = size - 1;
    facet_status status = facet_assimp_scan(&text, &length, names[data[0] % COUNT], scratch, NULL,
                                            report, &fbx, &clips, &error);
    bool is_packed = size > 12 && memcmp(copy, "xof ", 4) == 0;
    bool is_xml =
        memchr(copy, '<', size - 1) != NULL; /* a COLLADA gets values that it leaves out */
    if (status ? !error.message[0] : length > size - 1 && !is_packed && !is_xml && !fbx)
        abort();
    facet_report_free(report);
    facet_arena_free(scratch);
    free(copy);
    return 0;
}
