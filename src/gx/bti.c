/* gx/bti.c - the 32-byte header of a GX texture. */
#include "base/record.h"

#include <facet/gx_bti.h>

#define LAYOUT "b2h2b4h1w1b10h1w1"

_Static_assert(sizeof(facet_bti_header) == FACET_BTI_HEADER_SIZE,
               "the file's record is the struct, but for the order of bytes");

void facet_bti_header_load(const uint8_t bytes[FACET_BTI_HEADER_SIZE], facet_bti_header *header)
{
    facet_record_move(LAYOUT, bytes, header);
}

void facet_bti_header_store(const facet_bti_header *header, uint8_t bytes[FACET_BTI_HEADER_SIZE])
{
    facet_record_move(LAYOUT, header, bytes);
}
