/* base/block.h - a part of a source, copied, for readers that look at everything once and in
 * order: to read a file takes a fraction of the time that its pages take to be mapped, and a
 * block stays in the processor's cache. What is no plain case is looked at in the source. */
#ifndef FACET_BASE_BLOCK_H
#define FACET_BASE_BLOCK_H

#include <facet/base.h>

typedef struct facet_block {
    const facet_source *source;
    uint8_t *bytes; /* NULL: nothing is copied */
    size_t size;
    const uint8_t *begin, *end; /* of the source: what they are a copy of */
    uint64_t copied;            /* bytes so far */
    uint64_t odd;               /* times that the source was looked at all the same */
} facet_block;

/* A block in `size` bytes of the caller's, NULL for none; for sources that are mapped alone,
 * and not for small ones. */
facet_block facet_block_make(const facet_source *source, uint8_t *bytes, size_t size);

/* The copy of what begins at `at`, which has `least` bytes, or all that the source has left;
 * NULL when nothing is copied. *end is where the copy ends. */
const uint8_t *facet_block_find(facet_block *b, const uint8_t *at, size_t least,
                                const uint8_t **end);
/* The place in the source that a place in the copy stands for. */
static inline const uint8_t *facet_block_place(const facet_block *b, const uint8_t *copy)
{
    return b->begin + (copy - b->bytes);
}
/* What comes next is looked at in the source. Where that is so often that most of its pages
 * are mapped anyway, nothing is copied any more. */
void facet_block_note_odd(facet_block *b);

#endif
