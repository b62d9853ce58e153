/* formats/bpx/module.c - the module of glslang: the functions that we call. */
#define FACET_IS_MODULE
#include "formats/bpx/glsl_calls.h"

extern __attribute__((visibility("default"))) const facet_glsl_calls facet_glslang_table;
const facet_glsl_calls facet_glslang_table = {
#define CALL(name) .name = glslang_##name,
    FACET_GLSL_CALLS(CALL)
#undef CALL
};
