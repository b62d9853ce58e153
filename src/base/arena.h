/* base/arena.h - memory with one owner. Small blocks are cut from chunks one
 * after the other and live until the arena is freed. Large blocks are allocated
 * one by one and can be freed at once: a pass that replaces an array does not
 * keep the old one. */
#ifndef FACET_BASE_ARENA_H
#define FACET_BASE_ARENA_H

#include <facet/base.h>

/* With AddressSanitizer every block is allocated by itself in its exact size, so
 * that an access behind its end is found; not in tests of how blocks share pages. */
#if defined(FACET_ARENA_SHARED)
#elif defined(__SANITIZE_ADDRESS__)
#define FACET_ARENA_EXACT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FACET_ARENA_EXACT 1
#endif
#endif

/* Blocks of at least this size are allocated by themselves. */
#ifdef FACET_ARENA_EXACT
#define FACET_ARENA_LARGE ((size_t)1) /* all of them */
#else
#define FACET_ARENA_LARGE ((size_t)64 * 1024)
#endif

/* Uses the allocator and the memory_limit of options, which may be NULL. */
facet_status facet_arena_create(const facet_options *options, facet_arena **arena,
                                facet_error *error);
/* NULL is fine. */
void facet_arena_free(facet_arena *arena);

/* The first allocation that failed, or FACET_OK: the arena remembers it, so that a function can
 * allocate all that it needs and ask once. Of FACET_ERROR_MEMORY_LIMIT facet_options.memory_limit
 * is the reason, of FACET_ERROR_MEMORY the allocator. error may be NULL. */
facet_status facet_arena_status(const facet_arena *arena, facet_error *error);
/* The same where an allocation is known to have failed, maybe past the arena: never FACET_OK. */
facet_status facet_fail_arena(const facet_arena *arena, facet_error *error);
/* The same of two arenas; either may be NULL. */
facet_status facet_fail_arenas(const facet_arena *first, const facet_arena *second,
                               facet_error *error);
/* Free an arena in which an allocation failed, and return its failure. */
facet_status facet_arena_abandon(facet_arena *arena, facet_error *error);
/* Bytes that the memory limit leaves; SIZE_MAX: there is none. */
size_t facet_arena_left(const facet_arena *arena);
/* The caller does without what could not be allocated. */
void facet_arena_forget_failure(facet_arena *arena);

/* A block of count * size bytes, aligned to 16 bytes, not cleared; NULL when the
 * product overflows, or without memory, or beyond the limit. A block of 0 bytes
 * is not NULL. */
void *facet_arena_allocate(facet_arena *arena, size_t count, size_t size);
/* The same, filled with zeros. */
void *facet_arena_allocate_zeroed(facet_arena *arena, size_t count, size_t size);
/* Release a block, with the count and the size that it was allocated with. Large
 * blocks are freed, the newest small one is reused, others stay. NULL is fine. */
void facet_arena_release(facet_arena *arena, void *block, size_t count, size_t size);
/* Change a block of old_count items into one of new_count items. As many items
 * as fit keep their contents. On failure it returns NULL, and the old block is
 * unchanged. A NULL block is a new one. */
void *facet_arena_resize(facet_arena *arena, void *block, size_t old_count, size_t new_count,
                         size_t size);
/* Make space for one item more in an array of `count` items: where there is none, it has twice as
 * many afterwards. False without memory: then the array stays. `items` points to the array. */
bool facet_arena_grow(facet_arena *arena, void *items, size_t count, uint32_t *space, size_t size);
#define FACET_GROW(arena, items, count, space) \
    facet_arena_grow(arena, &(items), count, &(space), sizeof *(items))
/* A NUL-terminated copy of `length` bytes, or NULL. */
char *facet_arena_string(facet_arena *arena, const char *text, size_t length);
/* The same, where each byte that is not part of valid UTF-8 becomes U+FFFD. */
char *facet_arena_utf8(facet_arena *arena, const char *text, size_t length);
/* The base name of a path without its extension, as the line before; "" of NULL. */
char *facet_arena_stem(facet_arena *arena, const char *path);
/* A formatted string, or NULL. */
char *facet_arena_format(facet_arena *arena, const char *format, ...) FACET_PRINTF(2, 3);

/* Everything that `other` holds becomes the arena's, and `other` is freed; false, and
 * nothing is changed, when their allocators differ or it would be beyond the limit. */
bool facet_arena_adopt(facet_arena *arena, facet_arena *other);

/* The allocator that the arena uses; lives as long as the arena. */
const facet_allocator *facet_arena_allocator(const facet_arena *arena);
/* Bytes that the arena has allocated. */
size_t facet_arena_used(const facet_arena *arena);

#endif
