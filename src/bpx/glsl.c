/* bpx/glsl.c - GLSL sources checked by glslang. */
#include "base/error.h"
#include "bpx/bpx.h"

#include <stdlib.h>
#include <string.h>

/* "#version 330 core": 33, or 0 when there is none. */
static uint32_t version_of(const char *source)
{
    const char *at = strstr(source, "#version");
    unsigned long number = at ? strtoul(at + 8, NULL, 10) : 0;
    return number >= 100 && number < 1000 ? (uint32_t)(number / 10) : 0;
}

#ifdef FACET_HAVE_GLSLANG
#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>

/* OpenGL 3.0 to 3.2 speak GLSL 1.30 to 1.50. */
static uint32_t api_version(uint32_t glsl)
{
    return glsl >= 13 && glsl <= 15 ? glsl + 17 : glsl;
}

/* "ERROR: 0:12: 'x' : undeclared identifier": the line, and the sentence after it. */
static facet_status refuse(const char *name, const char *log, facet_error *error)
{
    const char *at = strstr(log, "ERROR: ");
    uint64_t line = 0;
    if (at) {
        at += 7;
        const char *colon = strchr(at, ':');
        if (colon && at[0] >= '0' && at[0] <= '9') {
            char *end;
            line = strtoul(colon + 1, &end, 10);
            at = *end == ':' ? end + 1 : end;
        }
    } else {
        at = log;
    }
    at += strspn(at, " ");
    return facet_fail_line(error, FACET_ERROR_MALFORMED, "GLSL-SOURCE", line, "%s: %.*s", name,
                           (int)strcspn(at, "\n"), at);
}

static facet_status check_source(const char *name, const char *source, facet_glsl_stage stage,
                                 facet_error *error)
{
    static const glslang_stage_t stages[] = {GLSLANG_STAGE_VERTEX, GLSLANG_STAGE_GEOMETRY,
                                             GLSLANG_STAGE_FRAGMENT};
    glslang_input_t input = {0};
    input.language = GLSLANG_SOURCE_GLSL;
    input.stage = stages[stage];
    input.client = GLSLANG_CLIENT_OPENGL;
    input.client_version = GLSLANG_TARGET_OPENGL_450;
    input.target_language = GLSLANG_TARGET_NONE;
    input.target_language_version = GLSLANG_TARGET_SPV_1_0;
    input.code = source;
    input.default_version = 110;
    input.default_profile = GLSLANG_NO_PROFILE;
    input.messages = GLSLANG_MSG_DEFAULT_BIT;
    input.resource = glslang_default_resource();
    glslang_shader_t *shader = glslang_shader_create(&input);
    if (!shader)
        return facet_fail_memory(error, strlen(source));
    facet_status status = FACET_OK;
    if (!glslang_shader_preprocess(shader, &input) || !glslang_shader_parse(shader, &input))
        status = refuse(name, glslang_shader_get_info_log(shader), error);
    glslang_shader_delete(shader);
    return status;
}

facet_status facet_glsl_check(const facet_bpx_shader *shader, facet_glsl_stage stage,
                              uint32_t *version, facet_error *error)
{
    char *source = malloc(shader->size + 1);
    if (!source)
        return facet_fail_memory(error, shader->size + 1);
    memcpy(source, shader->data, shader->size);
    source[shader->size] = '\0';
    facet_status status;
    uint32_t found = version_of(source);
    if (found == 0)
        status = facet_fail_line(error, FACET_ERROR_MALFORMED, "GLSL-SOURCE", 1,
                                 "%s: there is no #version line", shader->name);
    else if (!glslang_initialize_process())
        status = facet_fail_memory(error, 0);
    else {
        status = check_source(shader->name, source, stage, error);
        glslang_finalize_process();
    }
    free(source);
    if (!status)
        *version = api_version(found);
    return status;
}
#else
facet_status facet_glsl_check(const facet_bpx_shader *shader, facet_glsl_stage stage,
                              uint32_t *version, facet_error *error)
{
    (void)stage, (void)version, (void)version_of;
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "GLSL-SOURCE", FACET_NO_OFFSET,
                      "%s: this library was built without glslang", shader->name);
}
#endif
