/* formats/bpx/module.cpp - the module of glslang. No exception leaves this file. */
#include "formats/bpx/glsl_calls.h"

#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>

namespace
{

facet_glsl_result prepare()
{
    try {
        return glslang_initialize_process() ? FACET_GLSL_OK : FACET_GLSL_NO_MEMORY;
    } catch (...) {
        return FACET_GLSL_NO_MEMORY;
    }
}

glslang_input_t input_of(const char *source, facet_glsl_stage stage)
{
    static const glslang_stage_t stages[] = {GLSLANG_STAGE_VERTEX, GLSLANG_STAGE_GEOMETRY,
                                             GLSLANG_STAGE_FRAGMENT};
    glslang_input_t input = {};
    input.language = GLSLANG_SOURCE_GLSL;
    input.stage = stages[stage];
    /* GLSL as a driver compiles it. With the client OpenGL, glslang uses the rules of SPIR-V, which
     * require a location for each uniform. */
    input.client = GLSLANG_CLIENT_NONE;
    input.client_version = GLSLANG_TARGET_OPENGL_450;
    input.target_language = GLSLANG_TARGET_NONE;
    input.target_language_version = GLSLANG_TARGET_SPV_1_0;
    input.code = source;
    input.default_version = 110;
    input.default_profile = GLSLANG_NO_PROFILE;
    input.messages = GLSLANG_MSG_DEFAULT_BIT;
    input.resource = glslang_default_resource();
    return input;
}

/* glslang throws only if out of memory. Then the shader is not freed, since its state is
 * undefined. */
facet_glsl_result check(const char *source, facet_glsl_stage stage,
                        void (*report)(const char *log, void *user), void *user)
{
    try {
        const glslang_input_t input = input_of(source, stage);
        glslang_shader_t *shader = glslang_shader_create(&input);
        if (!shader)
            return FACET_GLSL_NO_MEMORY;
        bool right = glslang_shader_preprocess(shader, &input) != 0 &&
                     glslang_shader_parse(shader, &input) != 0;
        if (!right)
            report(glslang_shader_get_info_log(shader), user);
        glslang_shader_delete(shader);
        return right ? FACET_GLSL_OK : FACET_GLSL_REFUSED;
    } catch (...) {
        return FACET_GLSL_NO_MEMORY;
    }
}

} // namespace

extern "C" __attribute__((visibility("default"))) const facet_glsl_calls facet_glslang_table;
extern "C" const facet_glsl_calls facet_glslang_table = {prepare, check};
