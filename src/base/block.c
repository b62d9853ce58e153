/* base/block.c - copied parts of a source. */
#include "base/block.h"

#include "base/file.h"

/* Minimum size of a source for blocks. The system maps a smaller source before a block would be
 * copied. */
#define LEAST_SOURCE ((size_t)1 << 20)
/* Number of bytes that the system maps around an access. */
#define MAPPED_AROUND 65536
#define FEW_ODD 64

facet_block facet_block_make(const facet_source *source, uint8_t *bytes, size_t size)
{
    bool helps = source->size >= LEAST_SOURCE && facet_source_is_mapped(source);
    return (facet_block){.source = source, .bytes = helps ? bytes : NULL, .size = size};
}

const uint8_t *facet_block_find(facet_block *b, const uint8_t *at, size_t least,
                                const uint8_t **end)
{
    if (!b->bytes)
        return NULL;
    size_t offset = (size_t)(at - b->source->data), left = b->source->size - offset;
    bool holds = b->end && at >= b->begin && at <= b->end &&
                 ((size_t)(b->end - at) >= least || (size_t)(b->end - at) == left);
    if (!holds) {
        size_t size = left < b->size ? left : b->size;
        facet_source_copy(b->source, offset, b->bytes, size);
        b->begin = at;
        b->end = at + size;
        b->copied += size;
    }
    *end = b->bytes + (b->end - b->begin);
    return b->bytes + (at - b->begin);
}

void facet_block_note_odd(facet_block *b)
{
    if (++b->odd > FEW_ODD && b->odd > b->copied / MAPPED_AROUND)
        b->bytes = NULL;
}
