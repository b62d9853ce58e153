/* convert/plain.h - sources that may be compressed, or text in UTF-16. */
#ifndef FACET_CONVERT_PLAIN_H
#define FACET_CONVERT_PLAIN_H

#include "archive/codec.h"

/* A source as formats see it: none is compressed, text is UTF-8, and "a.obj.gz" is "a.obj". */
typedef struct facet_plain {
    facet_source source;
    facet_layers layers; /* of compression that it was in */
    facet_arena *arena;  /* of what was made of it; NULL: nothing was */
} facet_plain;

/* To be closed with facet_plain_close when it succeeds. */
facet_status facet_plain_open(const facet_source *source, const facet_options *options,
                              facet_plain *plain, facet_error *error);
void facet_plain_close(facet_plain *plain);

#endif
