/* formats/bpx/glsl.h - GLSL sources of shader packages. */
#ifndef FACET_BPX_GLSL_H
#define FACET_BPX_GLSL_H

#include <facet/bpx.h>

/* The stage a GLSL source is checked as. */
typedef enum facet_glsl_stage {
    FACET_GLSL_VERTEX,
    FACET_GLSL_GEOMETRY,
    FACET_GLSL_PIXEL
} facet_glsl_stage;

/* Check a GLSL source with glslang and read its #version, as 10 * major + minor,
 * to *version. FACET_ERROR_MALFORMED (GLSL-SOURCE) with the line of the first
 * error and the compiler's sentence; FACET_ERROR_UNSUPPORTED in a library built
 * without glslang. Any threads may call it at once. glslang's own state is the
 * process's: the first call sets it up, and it stays. shader->data need not end
 * in NUL. */
facet_status facet_glsl_check(const facet_bpx_shader *shader, facet_glsl_stage stage,
                              uint32_t *version, facet_error *error);

#endif
