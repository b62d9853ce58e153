/* base/block.h - a copied part of a source, for readers that read everything once and in order.
 * Reading a file takes a fraction of the time that mapping its pages takes, and a block stays in
 * the processor's cache. Readers handle irregular parts in the source itself. */
#ifndef FACET_BASE_BLOCK_H
#define FACET_BASE_BLOCK_H

#include <facet/base.h>

typedef struct facet_block {
    const facet_source *source;
    uint8_t *bytes; /* NULL: nothing is copied */
    size_t size;
    const uint8_t *begin, *end; /* range of the source that is copied */
    uint64_t copied;            /* number of bytes copied so far */
    uint64_t odd;               /* number of reads in the source itself */
} facet_block;

/* Create a block that uses the caller's `size` bytes; NULL for none. Only mapped sources that are
 * large enough are copied. */
facet_block facet_block_make(const facet_source *source, uint8_t *bytes, size_t size);

/* Get a copy of at least `least` bytes from `at`, or of all that the source has left. NULL if
 * nothing is copied. *end is the end of the copy. */
const uint8_t *facet_block_find(facet_block *b, const uint8_t *at, size_t least,
                                const uint8_t **end);
/* Address in the source of an address in the copy. */
static inline const uint8_t *facet_block_original(const facet_block *b, const uint8_t *copy)
{
    return b->begin + (copy - b->bytes);
}
/* Note that the next part is read in the source itself. If that happens so frequently that most
 * pages are mapped anyway, copying stops. */
void facet_block_note_odd(facet_block *b);

#endif
