/* formats/bpx/glsl_calls.h - the functions of glslang that we call, by a table: they are in a
 * module that facet_glsl_check opens. What includes this calls them by their own
 * names. */
#ifndef FACET_BPX_GLSL_CALLS_H
#define FACET_BPX_GLSL_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>

#define FACET_GLSL_CALLS(CALL) \
    CALL(default_resource)     \
    CALL(initialize_process)   \
    CALL(shader_create)        \
    CALL(shader_delete)        \
    CALL(shader_get_info_log)  \
    CALL(shader_parse)         \
    CALL(shader_preprocess)

typedef struct facet_glsl_calls {
#define CALL(name) __typeof__(&glslang_##name) name;
    FACET_GLSL_CALLS(CALL)
#undef CALL
} facet_glsl_calls;

#if defined(FACET_MODULES) && !defined(FACET_IS_MODULE)
static const facet_glsl_calls *glslang_table(void);
#define glslang_default_resource glslang_table()->default_resource
#define glslang_initialize_process glslang_table()->initialize_process
#define glslang_shader_create glslang_table()->shader_create
#define glslang_shader_delete glslang_table()->shader_delete
#define glslang_shader_get_info_log glslang_table()->shader_get_info_log
#define glslang_shader_parse glslang_table()->shader_parse
#define glslang_shader_preprocess glslang_table()->shader_preprocess
#endif

#endif
