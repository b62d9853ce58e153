/* gx/glsl.h - functions that append shader text to a buffer. */
#ifndef FACET_GX_GLSL_H
#define FACET_GX_GLSL_H

#include <facet/base.h>

typedef struct facet_gx_text {
    char *text;
    size_t size, length; /* length counts all text, also beyond size */
} facet_gx_text;

void facet_gx_put(facet_gx_text *out, const char *format, ...) FACET_PRINTF(2, 3);

#endif
