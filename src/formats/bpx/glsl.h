/* formats/bpx/glsl.h - GLSL sources of shader packages. */
#ifndef FACET_BPX_GLSL_H
#define FACET_BPX_GLSL_H

#include <facet/bpx.h>

/* The stage of a shader. */
typedef enum facet_glsl_stage {
    FACET_GLSL_VERTEX,
    FACET_GLSL_GEOMETRY,
    FACET_GLSL_PIXEL
} facet_glsl_stage;

/* Check a GLSL source with glslang, and store its #version in *version as 10 * major + minor. Fails
 * with FACET_ERROR_MALFORMED (GLSL-SOURCE), with the line and message of the first error; or
 * FACET_ERROR_UNSUPPORTED in a build without glslang. Thread-safe. The first call initializes
 * glslang's global state, which is never freed. shader->data needs no NUL. */
facet_status facet_glsl_check(const facet_bpx_shader *shader, facet_glsl_stage stage,
                              uint32_t *version, facet_error *error);

#endif
