/* convert/decoded_source.h - sources that may be compressed, or text in UTF-16. */
#ifndef FACET_CONVERT_DECODED_SOURCE_H
#define FACET_CONVERT_DECODED_SOURCE_H

#include "archive/codec.h"

/* A source in the form that formats read: decompressed, text in UTF-8, and named "a.obj" instead of
 * "a.obj.gz". */
typedef struct facet_plain {
    facet_source source;
    facet_layers layers; /* compression layers that were removed */
    facet_arena *arena;  /* owner of the converted bytes; NULL: none */
} facet_plain;

/* If it succeeds, close with facet_plain_close. */
facet_status facet_plain_open(const facet_source *source, const facet_options *options,
                              facet_plain *plain, facet_error *error);
void facet_plain_close(facet_plain *plain);

#endif
