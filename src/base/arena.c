/* base/arena.c - memory with one owner. */
#include "base/arena.h"

#include "base/allocator.h"
#include "base/error.h"
#include "base/size.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- The arena ---------------------------------------------------------- */

#define BLOCK_ALIGNMENT 16
#define FIRST_CHUNK ((size_t)4 * 1024)
#define LAST_CHUNK ((size_t)256 * 1024)

/* The header of every chunk and of every large block. */
typedef struct block {
    struct block *previous, *next;
    size_t size;          /* of all that was allocated, this header included */
    struct block *region; /* that it is a part of, or NULL */
    size_t live;          /* parts of a region that are in use; of a part 1 or 0 */
} block;

#define BLOCK_HEADER 64 /* a cache line, so that large arrays start on one */

#define REGIONS 4                        /* that are searched for space */
#define REGIONS_FROM ((size_t)256 << 10) /* bytes in use, before blocks share regions */

struct facet_arena {
    facet_allocator allocator;
    size_t limit; /* bytes; SIZE_MAX is no limit */
    size_t used;
    block *blocks;           /* chunks, large blocks and regions in one list */
    block *regions[REGIONS]; /* the newest that parts are cut from, latest first */
    size_t regions_from;     /* bytes used */
    uint8_t *bump, *bump_end;
    size_t next_chunk;
    size_t failed; /* bytes of the first allocation that failed; 0: none did */
    bool was_limit;
};

facet_status facet_arena_create(const facet_options *options, facet_arena **arena,
                                facet_error *error)
{
    TRY(facet_check_options(options, error));
    const facet_allocator *allocator =
        facet_allocator_or_default(options ? options->allocator : NULL);
    facet_arena *made = (facet_arena *)allocator->allocate(allocator->user, sizeof *made);
    if (!made)
        return facet_fail_memory(error, sizeof *made);
    memset(made, 0, sizeof *made);
    made->allocator = *allocator;
    made->limit = SIZE_MAX;
    if (options && options->memory_limit && options->memory_limit < SIZE_MAX)
        made->limit = (size_t)options->memory_limit;
    made->regions_from = REGIONS_FROM;
    made->next_chunk = FIRST_CHUNK;
    *arena = made;
    return FACET_OK;
}

void facet_arena_free(facet_arena *arena)
{
    if (!arena)
        return;
    for (block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        arena->allocator.release(arena->allocator.user, b, b->size);
    }
    arena->allocator.release(arena->allocator.user, arena, sizeof *arena);
}

static block *link_block(facet_arena *arena, size_t size)
{
    block *b = (block *)arena->allocator.allocate(arena->allocator.user, size);
    if (!b)
        return NULL;
    memset(b, 0, sizeof *b);
    b->size = size;
    b->next = arena->blocks;
    if (arena->blocks)
        arena->blocks->previous = b;
    arena->blocks = b;
    arena->used += size;
    return b;
}

static void unlink_block(facet_arena *arena, block *b)
{
    if (b->previous)
        b->previous->next = b->next;
    else
        arena->blocks = b->next;
    if (b->next)
        b->next->previous = b->previous;
    arena->used -= b->size;
    arena->allocator.release(arena->allocator.user, b, b->size);
}

#ifdef FACET_HUGE_PAGES
static block *share_block(facet_arena *arena, size_t size);
static void release_part(facet_arena *arena, block *part);
#endif

static void *fail(facet_arena *arena, size_t bytes, bool was_limit)
{
    if (!arena->failed) {
        arena->failed = bytes > 0 ? bytes : 1;
        arena->was_limit = was_limit;
    }
    return NULL;
}

static block *add_block(facet_arena *arena, size_t payload)
{
    size_t size;
    bool counted = facet_size_add(payload, BLOCK_HEADER, &size);
    bool allowed = counted && size <= arena->limit - arena->used;
    block *b = NULL;
#ifdef FACET_HUGE_PAGES
    if (allowed)
        b = share_block(arena, size);
#endif
    if (allowed && !b)
        b = link_block(arena, size);
    if (!b)
        fail(arena, counted ? size : SIZE_MAX, counted && !allowed);
    return b;
}

static void remove_block(facet_arena *arena, block *b)
{
#ifdef FACET_HUGE_PAGES
    if (b->region) {
        release_part(arena, b);
        return;
    }
#endif
    unlink_block(arena, b);
}

/* The bytes that a block of `bytes` occupies; 0 when that overflows. An empty
 * block occupies some too, so that it has an address. */
static size_t block_capacity(size_t bytes)
{
#ifdef FACET_ARENA_EXACT
    if (bytes > 0)
        return bytes;
#endif
    if (bytes > SIZE_MAX - BLOCK_ALIGNMENT)
        return 0;
    return bytes == 0 ? BLOCK_ALIGNMENT : facet_align_up(bytes, BLOCK_ALIGNMENT);
}

bool facet_arena_adopt(facet_arena *arena, facet_arena *other)
{
    const facet_allocator *ours = &arena->allocator, *theirs = &other->allocator;
    if (ours->allocate != theirs->allocate || ours->user != theirs->user ||
        other->used > arena->limit - arena->used)
        return false;
    block *last = other->blocks;
    if (last) {
        while (last->next)
            last = last->next;
        last->next = arena->blocks;
        if (arena->blocks)
            arena->blocks->previous = last;
        arena->blocks = other->blocks;
        arena->used += other->used;
    }
    theirs->release(theirs->user, other, sizeof *other);
    return true;
}

void *facet_arena_allocate(facet_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (!facet_size_multiply(count, size, &bytes) || (bytes = block_capacity(bytes)) == 0)
        return fail(arena, SIZE_MAX, arena->limit < SIZE_MAX);
    if (bytes >= FACET_ARENA_LARGE) {
        block *b = add_block(arena, bytes);
        return b ? (uint8_t *)b + BLOCK_HEADER : NULL;
    }
    if (bytes > (size_t)(arena->bump_end - arena->bump)) {
        size_t chunk = arena->next_chunk > bytes ? arena->next_chunk : bytes;
        if (chunk > bytes && arena->limit - arena->used < chunk + BLOCK_HEADER)
            chunk = bytes;
        block *b = add_block(arena, chunk);
        if (!b)
            return NULL;
        arena->bump = (uint8_t *)b + BLOCK_HEADER;
        arena->bump_end = arena->bump + chunk;
        if (arena->next_chunk < LAST_CHUNK)
            arena->next_chunk *= 2;
    }
    uint8_t *result = arena->bump;
    arena->bump += bytes;
    return result;
}

void *facet_arena_allocate_zeroed(facet_arena *arena, size_t count, size_t size)
{
    void *result = facet_arena_allocate(arena, count, size);
    if (result)
        memset(result, 0, count * size);
    return result;
}

void facet_arena_release(facet_arena *arena, void *pointer, size_t count, size_t size)
{
    if (!pointer)
        return;
    size_t bytes = block_capacity(count * size);
    if (bytes >= FACET_ARENA_LARGE)
        remove_block(arena, (block *)((uint8_t *)pointer - BLOCK_HEADER));
    else if ((uint8_t *)pointer + bytes == arena->bump)
        arena->bump = (uint8_t *)pointer;
}

void *facet_arena_resize(facet_arena *arena, void *pointer, size_t old_count, size_t new_count,
                         size_t size)
{
    if (!pointer)
        return facet_arena_allocate(arena, new_count, size);
    size_t new_bytes;
    if (!facet_size_multiply(new_count, size, &new_bytes) ||
        (new_bytes = block_capacity(new_bytes)) == 0)
        return fail(arena, SIZE_MAX, arena->limit < SIZE_MAX);
    size_t old_bytes = block_capacity(old_count * size);
    if (old_bytes < FACET_ARENA_LARGE && (uint8_t *)pointer + old_bytes == arena->bump &&
        new_bytes < FACET_ARENA_LARGE &&
        new_bytes <= (size_t)(arena->bump_end - (uint8_t *)pointer)) {
        arena->bump = (uint8_t *)pointer + new_bytes;
        return pointer;
    }
    void *moved = facet_arena_allocate(arena, new_count, size);
    if (!moved)
        return NULL;
    memcpy(moved, pointer, (old_count < new_count ? old_count : new_count) * size);
    facet_arena_release(arena, pointer, old_count, size);
    return moved;
}

facet_status facet_fail_arena(const facet_arena *arena, facet_error *error)
{
    if (arena && arena->was_limit)
        return facet_fail_limit(error, arena->failed, arena->limit);
    return facet_fail_memory(error, arena && arena->failed ? arena->failed : 1);
}

facet_status facet_fail_arenas(const facet_arena *first, const facet_arena *second,
                               facet_error *error)
{
    return facet_fail_arena(first && first->failed ? first : second, error);
}

facet_status facet_arena_status(const facet_arena *arena, facet_error *error)
{
    return arena->failed ? facet_fail_arena(arena, error) : FACET_OK;
}

void facet_arena_forget_failure(facet_arena *arena)
{
    arena->failed = 0;
    arena->was_limit = false;
}

size_t facet_arena_used(const facet_arena *arena)
{
    return arena->used;
}

const facet_allocator *facet_arena_allocator(const facet_arena *arena)
{
    return &arena->allocator;
}

/* -- Regions ------------------------------------------------------------ */

void facet_arena_expect(facet_arena *arena, uint64_t size)
{
    const size_t much = (size_t)1 << 20;
    if (size >= much)
        arena->regions_from = 0;
}

/* Blocks of middle size share regions of huge pages once an arena is of some size: a fresh
 * huge page costs little more than a few small ones, and a model's streams are of that size. */
#ifdef FACET_HUGE_PAGES
#define REGIONS_LEFT 8 /* within a limit, or the gaps in regions would count */

/* A part becomes one with the free ones behind it. */
static void join_parts(block *part)
{
    const uint8_t *end = (uint8_t *)part->region + part->region->size;
    for (;;) {
        block *behind = (block *)(void *)((uint8_t *)part + part->size);
        if ((uint8_t *)behind == end || behind->live)
            return;
        part->size += behind->size;
    }
}

static void make_part(block *region, void *at, size_t size)
{
    block *part = (block *)at;
    memset(part, 0, sizeof *part);
    part->size = size;
    part->region = region;
}

/* The first free part that is large enough, or NULL. */
static block *cut_part(block *region, size_t size)
{
    uint8_t *at = (uint8_t *)region + BLOCK_HEADER, *end = (uint8_t *)region + region->size;
    for (block *part; at < end; at += part->size) {
        part = (block *)(void *)at;
        if (part->live)
            continue;
        join_parts(part);
        if (part->size < size)
            continue;
        if (part->size - size >= FACET_ARENA_LARGE) {
            make_part(region, at + size, part->size - size);
            part->size = size;
        }
        part->live = 1;
        region->live++;
        return part;
    }
    return NULL;
}

/* A block of middle size; NULL where it is not our memory, or its limit is near. */
static block *share_block(facet_arena *arena, size_t size)
{
    const size_t region_size = arena->regions_from == 0 ? 4 * FACET_HUGE_PAGE : FACET_HUGE_PAGE;
    size = facet_align_up(size, BLOCK_HEADER);
    if (!facet_is_default_allocator(&arena->allocator) || arena->used < arena->regions_from ||
        size < FACET_ARENA_LARGE || size > region_size - (size_t)2 * BLOCK_HEADER)
        return NULL;
    for (int i = 0; i < REGIONS && arena->regions[i]; i++) {
        block *part = cut_part(arena->regions[i], size);
        if (part)
            return part;
    }
    if ((arena->limit - arena->used) / REGIONS_LEFT < region_size)
        return NULL;
    block *region = link_block(arena, region_size);
    if (!region)
        return NULL;
    make_part(region, (uint8_t *)region + BLOCK_HEADER, region->size - BLOCK_HEADER);
    memmove(arena->regions + 1, arena->regions, (REGIONS - 1) * sizeof *arena->regions);
    arena->regions[0] = region;
    return cut_part(region, size);
}

/* An empty region goes, but for the newest, which the next block would ask for again. */
static void release_part(facet_arena *arena, block *part)
{
    block *region = part->region;
    part->live = 0;
    if (--region->live > 0 || region == arena->regions[0])
        return;
    int kept = 0;
    for (int i = 0; i < REGIONS; i++) {
        if (arena->regions[i] != region)
            arena->regions[kept++] = arena->regions[i];
    }
    for (; kept < REGIONS; kept++)
        arena->regions[kept] = NULL;
    unlink_block(arena, region);
}
#endif

/* -- Text --------------------------------------------------------------- */

char *facet_arena_string(facet_arena *arena, const char *text, size_t length)
{
    size_t bytes;
    if (!facet_size_add(length, 1, &bytes))
        return NULL;
    char *copy = facet_arena_allocate(arena, bytes, 1);
    if (copy) {
        if (length > 0)
            memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *facet_arena_utf8(facet_arena *arena, const char *text, size_t length)
{
    static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */
    size_t broken = 0, used = 0;
    for (size_t i = 0, taken; i < length; i += taken ? taken : 1) {
        taken = facet_utf8_sequence(text + i, length - i);
        broken += taken == 0;
    }
    char *copy = broken > (SIZE_MAX - 1 - length) / 2
                     ? NULL
                     : facet_arena_allocate(arena, length + broken * 2 + 1, 1);
    for (size_t i = 0, taken; i < length && copy; i += taken ? taken : 1) {
        taken = facet_utf8_sequence(text + i, length - i);
        memcpy(copy + used, taken ? text + i : replacement, taken ? taken : 3);
        used += taken ? taken : 3;
    }
    if (copy)
        copy[used] = '\0';
    return copy;
}

char *facet_arena_stem(facet_arena *arena, const char *path)
{
    const char *whole = path ? path : "", *slash = strrchr(whole, '/');
    const char *name = slash ? slash + 1 : whole, *dot = strrchr(name, '.');
    return facet_arena_utf8(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

char *facet_arena_format(facet_arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : facet_arena_allocate(arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
