/* archive/extents.c - the data area of an archive: rearranged around replaced data, or new. */
#include "archive/archive.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"

#include <stdlib.h>

/* Compare by offset; empty extents have no position and come last. */
static int compare(const void *a, const void *b)
{
    const facet_extent *x = a, *y = b;
    if ((x->size == 0) != (y->size == 0))
        return x->size == 0 ? 1 : -1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* State of the new area, with the current offset. */
typedef struct layout {
    const uint8_t *data;
    uint64_t at;
    facet_data_area *area;
} layout;

static void put(layout *l, const uint8_t *data, uint64_t size, uint64_t zeros)
{
    if (size == 0 && zeros == 0)
        return;
    l->area->pieces[l->area->piece_count++] = (facet_piece){data, (size_t)size, (size_t)zeros};
    l->at += size + zeros;
}

/* Number of zeros from `at` to an offset with the same remainder by 32 as `like`. */
static uint64_t zeros_to(uint64_t at, uint64_t like)
{
    return (like - at) & (FACET_ARCHIVE_ALIGNMENT - 1);
}

/* Place overlapping extents, with the bytes up to `next`, where others begin. True if a replaced
 * extent stays here; false if it must move. */
static bool place_run(layout *l, facet_extent *first, size_t count, uint64_t end, uint64_t next)
{
    if (count > 1 || !first->replaced) {
        for (size_t i = 0; i < count; i++)
            first[i].new_offset = first[i].offset - first->offset + l->at;
        put(l, l->data + first->offset, next - first->offset, 0);
        return false;
    }
    uint64_t start = l->at, padding = next - end;
    first->new_offset = l->at;
    put(l, first->data, first->new_size, 0);
    if (first->new_size == first->size)
        put(l, l->data + end, padding, 0);
    else if (padding > 0)
        put(l, NULL, 0, zeros_to(l->at, next));
    first->growth = (int64_t)(l->at - start) - (int64_t)(next - first->offset);
    return true;
}

/* Place a replaced extent that had to move at the end. */
static void place_behind(layout *l, facet_extent *extent)
{
    uint64_t start = l->at;
    put(l, NULL, 0, zeros_to(l->at, 0));
    extent->new_offset = l->at;
    put(l, extent->data, extent->new_size, 0);
    put(l, NULL, 0, zeros_to(l->at, 0));
    extent->growth = (int64_t)(l->at - start);
}

facet_status facet_extents_replace(facet_extent *extents, size_t count, const uint8_t *data,
                                   size_t start, size_t size, facet_arena *arena,
                                   facet_data_area *area, facet_error *error)
{
    *area =
        (facet_data_area){facet_arena_allocate(arena, count * 3 + 1, sizeof *area->pieces), 0, 0};
    bool *placed = facet_arena_allocate_zeroed(arena, count, sizeof *placed);
    if (!area->pieces || !placed)
        return facet_fail_arena(arena, error);
    layout l = {data, start, area};
    qsort(extents, count, sizeof *extents, compare);
    size_t solid = 0;
    while (solid < count && extents[solid].size > 0)
        solid++;
    put(&l, data + start, (solid > 0 ? extents[0].offset : size) - start, 0);
    for (size_t i = 0, next; i < solid; i = next) {
        uint64_t end = extents[i].offset + extents[i].size;
        for (next = i + 1; next < solid && extents[next].offset < end; next++) {
            if (extents[next].offset + extents[next].size > end)
                end = extents[next].offset + extents[next].size;
        }
        placed[i] =
            place_run(&l, &extents[i], next - i, end, next < solid ? extents[next].offset : size);
    }
    for (size_t i = 0; i < count; i++) {
        facet_extent *extent = &extents[i];
        if (extent->replaced && !placed[i])
            place_behind(&l, extent);
        else if (extent->size == 0)
            extent->new_offset = extent->offset < l.at ? extent->offset : l.at;
    }
    area->end = l.at;
    return FACET_OK;
}

/* -- A new area --------------------------------------------------------- */

/* Shared data is identified by its address. */
typedef struct shared {
    const uint8_t *data;
    size_t size, kind;
} shared;

bool facet_places_make(facet_places *places, facet_arena *arena, size_t members)
{
    places->known = facet_records_make(arena, sizeof(shared));
    places->of_known = facet_arena_allocate(arena, members, sizeof *places->of_known);
    places->end = 0;
    return places->of_known != NULL;
}

bool facet_places_take(facet_places *places, const facet_archive_member *member, size_t kind,
                       uint64_t *offset)
{
    *offset = places->end;
    if (member->size == 0)
        return true;
    shared data = {member->data, member->size, kind};
    uint32_t count = places->known.count, place = facet_records_put(&places->known, &data);
    if (place == UINT32_MAX)
        return false;
    if (place == count) {
        places->of_known[place] = places->end;
        places->end += facet_align_up(member->size, FACET_ARCHIVE_ALIGNMENT);
    }
    *offset = places->of_known[place];
    return true;
}

/* -- Writing ------------------------------------------------------------ */

/* Write zeros. */
static void fill(facet_output *output, uint64_t count)
{
    static const uint8_t zeros[64] = {0};
    for (uint64_t left = count; left > 0;) {
        size_t now = left < sizeof zeros ? (size_t)left : sizeof zeros;
        facet_output_write(output, zeros, now);
        left -= now;
    }
}

void facet_archive_put_data(const facet_archive_member *member, facet_output *output)
{
    facet_output_write(output, member->data, member->size);
    fill(output, facet_align_up(member->size, FACET_ARCHIVE_ALIGNMENT) - member->size);
}

void facet_data_area_write(const facet_data_area *area, facet_output *output)
{
    for (size_t i = 0; i < area->piece_count; i++) {
        facet_output_write(output, area->pieces[i].data, area->pieces[i].size);
        fill(output, area->pieces[i].zeros);
    }
}
