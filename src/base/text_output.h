/* base/text_output.h - buffered text for an output. */
#ifndef FACET_BASE_TEXT_OUTPUT_H
#define FACET_BASE_TEXT_OUTPUT_H

#include <facet/base.h>

/* A buffer for text. Initialize it with zeros and the output; flush it at the end. */
typedef struct facet_text_output {
    facet_output *output;
    size_t used;
    char buffer[8192];
} facet_text_output;

void facet_put_text(facet_text_output *out, const char *text);
/* Write each number with a space before it; they must be finite. */
void facet_put_numbers(facet_text_output *out, const float *values, uint32_t count);
void facet_put_integer(facet_text_output *out, uint64_t value);
void facet_put_flush(facet_text_output *out);

#endif
