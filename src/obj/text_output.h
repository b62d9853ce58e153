/* obj/text_output.h - text out, for OBJ and MTL. */
#ifndef FACET_OBJ_TEXT_OUTPUT_H
#define FACET_OBJ_TEXT_OUTPUT_H

#include <facet/base.h>

/* Text on its way to an output. Zero-initialize, with the output; flush in the end. */
typedef struct facet_obj_text_output {
    facet_output *output;
    size_t used;
    char buffer[8192];
} facet_obj_text_output;

void facet_obj_text(facet_obj_text_output *out, const char *text);
/* Each number with a blank before it; they must be finite. */
void facet_obj_numbers(facet_obj_text_output *out, const float *values, uint32_t count);
void facet_obj_integer(facet_obj_text_output *out, uint64_t value);
void facet_obj_flush(facet_obj_text_output *out);

#endif
