/* formats/assimp/file/module.c - the module of assimp: the functions that we call. */
#define FACET_IS_MODULE
#include "formats/assimp/file/calls.h"

extern __attribute__((visibility("default"))) const facet_assimp_calls facet_assimp_table;
const facet_assimp_calls facet_assimp_table = {
#define CALL(name) .name = ai##name,
    FACET_ASSIMP_CALLS(CALL)
#undef CALL
};
