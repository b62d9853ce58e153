/* obj/blocks.c - plain lines, parsed in a copy of the file a block at a time: reading a file
 * takes a fraction of the time that its pages take to be mapped, and the block stays in the
 * cache. Lines that are not plain are left to be looked at where they are. */
#include "base/arena.h"
#include "base/file.h"
#include "obj/reader.h"

#define BLOCK ((size_t)256 << 10)
/* Smaller files are mapped before there is space for a block. */
#define LEAST_SIZE ((ptrdiff_t)1 << 20)
/* Where more than every so many bytes, and more than a few times, a line is looked at in the
 * file, most of its pages are mapped anyway. */
#define ODD_BYTES 65536
#define FEW_ODD 64

void facet_obj_make_block(facet_obj_reader *r)
{
    r->block = (facet_obj_block){0};
    if (r->end - r->start >= LEAST_SIZE && facet_source_is_mapped(r->source))
        r->block.bytes = facet_arena_allocate(r->scratch, BLOCK, 1);
}

static void fill(facet_obj_reader *r, const uint8_t *at)
{
    facet_obj_block *b = &r->block;
    size_t left = (size_t)(r->end - at), size = left < BLOCK ? left : BLOCK;
    facet_source_copy(r->source, (size_t)(at - r->source->data), b->bytes, size);
    b->begin = at;
    b->end = at + size;
    b->copied += size;
}

const uint8_t *facet_obj_run_plain(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit)
{
    facet_obj_block *b = &r->block;
    while (b->bytes && at < limit) {
        if (!b->end || at < b->begin || b->end - at <= FACET_OBJ_FAST_MARGIN)
            fill(r, at);
        const uint8_t *last = b->end - FACET_OBJ_FAST_MARGIN, *stop = limit < last ? limit : last;
        at = b->begin +
             (facet_obj_run_fast(r, b->bytes + (at - b->begin), b->bytes + (stop - b->begin)) -
              b->bytes);
        if (at >= stop)
            continue;
        if (++b->odd > FEW_ODD && b->odd > b->copied / ODD_BYTES)
            b->bytes = NULL; /* the arena has it */
        return at;
    }
    return at < limit ? facet_obj_run_fast(r, at, limit) : at;
}
