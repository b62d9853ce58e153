/* base/output.h - outputs that tell what was written to them. */
#ifndef FACET_BASE_OUTPUT_H
#define FACET_BASE_OUTPUT_H

#include <facet/base.h>

/* Hash what is written from here on, before the first byte is; and to siblings that
 * are opened later. Only files need to be told. */
void facet_output_begin_hash(facet_output *output);
/* SHA-256 of all bytes, once they were committed, as 64 hexadecimal digits. False
 * when the output was not told, or hands its bytes on. */
bool facet_output_end_hash(const facet_output *output, char text[65]);

#endif
