/* formats/bpx/glsl_calls.h - the C interface to glslang, which is in a module that facet_glsl_check
 * opens. */
#ifndef FACET_BPX_GLSL_CALLS_H
#define FACET_BPX_GLSL_CALLS_H

#include "formats/bpx/glsl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum facet_glsl_result {
    FACET_GLSL_OK,
    FACET_GLSL_REFUSED,
    FACET_GLSL_NO_MEMORY /* glslang's global state can be incomplete or locked */
} facet_glsl_result;

typedef struct facet_glsl_calls {
    /* Call once per process, before all others. */
    facet_glsl_result (*prepare)(void);
    /* `report` receives the log if glslang rejects a source. */
    facet_glsl_result (*check)(const char *source, facet_glsl_stage stage,
                               void (*report)(const char *log, void *user), void *user);
} facet_glsl_calls;

#ifdef __cplusplus
}
#endif

#endif
