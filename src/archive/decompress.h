/* archive/decompress.h - a decoder that returns the end of the stream. */
#ifndef FACET_ARCHIVE_DECOMPRESS_H
#define FACET_ARCHIVE_DECOMPRESS_H

#include <facet/archive.h>

/* The same as facet_decompress; *end is the offset after the last byte of the stream. */
facet_status facet_decompress_to_end(const uint8_t *data, size_t size, uint8_t *out,
                                     size_t decompressed, size_t *end, facet_error *error);

#endif
