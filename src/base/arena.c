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

/* Header of every chunk and of every large block. */
typedef struct block {
    struct block *previous, *next;
    size_t size; /* size of the whole allocation, including this header */
} block;

#define BLOCK_HEADER 64 /* one cache line, so that large arrays begin on a cache line */

struct facet_arena {
    facet_allocator allocator;
    size_t limit; /* in bytes; SIZE_MAX: no limit */
    size_t used;
    block *blocks; /* list of all chunks and large blocks */
    uint8_t *bump, *bump_end;
    size_t next_chunk;
    size_t failed; /* size in bytes of the first failed allocation; 0: none */
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
    block *b = allowed ? link_block(arena, size) : NULL;
    if (!b)
        fail(arena, counted ? size : SIZE_MAX, counted && !allowed);
    return b;
}

/* Number of bytes that a block of `bytes` occupies; 0 on overflow. An empty block also occupies
 * bytes, so that it has an address. */
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
        unlink_block(arena, (block *)((uint8_t *)pointer - BLOCK_HEADER));
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

bool facet_arena_grow(facet_arena *arena, void *items, size_t count, uint32_t *space, size_t size)
{
    if (count < *space)
        return true;
    void *old, *grown = NULL;
    uint32_t more = *space ? *space * 2 : 16;
    memcpy(&old, items, sizeof old);
    if (*space <= UINT32_MAX / 2)
        grown = facet_arena_resize(arena, old, *space, more, size);
    if (!grown)
        return false;
    memcpy(items, &grown, sizeof grown);
    *space = more;
    return true;
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

facet_status facet_arena_abandon(facet_arena *arena, facet_error *error)
{
    facet_status status = facet_fail_arena(arena, error);
    facet_arena_free(arena);
    return status;
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

size_t facet_arena_left(const facet_arena *arena)
{
    return arena->limit == SIZE_MAX ? SIZE_MAX : arena->limit - arena->used;
}

size_t facet_arena_used(const facet_arena *arena)
{
    return arena->used;
}

const facet_allocator *facet_arena_allocator(const facet_arena *arena)
{
    return &arena->allocator;
}

/* -- Text --------------------------------------------------------------- */

/* Allocate a string. Strings need no alignment: they fill the chunk from its end, without gaps. */
static char *take_unaligned(facet_arena *arena, size_t bytes)
{
#ifndef FACET_ARENA_EXACT
    if (bytes < FACET_ARENA_LARGE && bytes <= (size_t)(arena->bump_end - arena->bump)) {
        arena->bump_end -= bytes;
        return (char *)arena->bump_end;
    }
#endif
    return facet_arena_allocate(arena, bytes, 1);
}

char *facet_arena_string(facet_arena *arena, const char *text, size_t length)
{
    size_t bytes;
    if (!facet_size_add(length, 1, &bytes))
        return NULL;
    char *copy = take_unaligned(arena, bytes);
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
    char *text = NULL;
    if (length >= 0)
        text = facet_arena_allocate(arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
