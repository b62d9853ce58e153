/* base/arena.h - memory with one owner. Small blocks are cut from chunks one after the other and
 * live until the arena is freed. Large blocks are allocated individually and can be freed
 * immediately, so a pass that replaces an array frees the old one. */
#ifndef FACET_BASE_ARENA_H
#define FACET_BASE_ARENA_H

#include <facet/base.h>

/* With AddressSanitizer, every block is allocated individually with its exact size, so that an
 * access beyond its end is detected. Exception: tests of blocks that share pages. */
#if defined(FACET_ARENA_SHARED)
#elif defined(__SANITIZE_ADDRESS__)
#define FACET_ARENA_EXACT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FACET_ARENA_EXACT 1
#endif
#endif

/* Minimum size of blocks that are allocated individually. */
#ifdef FACET_ARENA_EXACT
#define FACET_ARENA_LARGE ((size_t)1) /* all blocks */
#else
#define FACET_ARENA_LARGE ((size_t)64 * 1024)
#endif

/* Create an arena with the allocator and the memory_limit of options, which may be NULL. */
facet_status facet_arena_create(const facet_options *options, facet_arena **arena,
                                facet_error *error);
/* Free an arena. NULL is allowed. */
void facet_arena_free(facet_arena *arena);

/* Status of the first failed allocation, or FACET_OK. The arena records it, so a function can make
 * many allocations and check once. FACET_ERROR_MEMORY_LIMIT means that facet_options.memory_limit
 * was exceeded, FACET_ERROR_MEMORY that the allocator failed. error may be NULL. */
facet_status facet_arena_status(const facet_arena *arena, facet_error *error);
/* Like facet_arena_status, after an allocation that failed, possibly outside of the arena. Never
 * FACET_OK. */
facet_status facet_fail_arena(const facet_arena *arena, facet_error *error);
/* Like facet_fail_arena for two arenas, either of which may be NULL. */
facet_status facet_fail_arenas(const facet_arena *first, const facet_arena *second,
                               facet_error *error);
/* Free an arena in which an allocation failed, and return its failure. */
facet_status facet_arena_abandon(facet_arena *arena, facet_error *error);
/* Bytes left within the memory limit; SIZE_MAX: no limit. */
size_t facet_arena_left(const facet_arena *arena);
/* Reset the recorded failure. The caller continues without the allocation. */
void facet_arena_forget_failure(facet_arena *arena);

/* Allocate a block of count * size bytes, aligned to 16 bytes, not cleared. NULL on overflow, out
 * of memory, or beyond the limit. A block of 0 bytes is not NULL. */
void *facet_arena_allocate(facet_arena *arena, size_t count, size_t size);
/* Like facet_arena_allocate, filled with zeros. */
void *facet_arena_allocate_zeroed(facet_arena *arena, size_t count, size_t size);
/* Release a block, given its original count and size. A large block is freed, the newest small
 * block is reused, others are kept until the arena is freed. NULL is allowed. */
void facet_arena_release(facet_arena *arena, void *block, size_t count, size_t size);
/* Resize a block from old_count to new_count items. Items that fit keep their content. On failure
 * returns NULL, and the old block is unchanged. A NULL block allocates a new one. */
void *facet_arena_resize(facet_arena *arena, void *block, size_t old_count, size_t new_count,
                         size_t size);
/* Make space for one more item in an array of `count` items. If it is full, its capacity doubles.
 * False if out of memory; the array is then unchanged. `items` points to the array. */
bool facet_arena_grow(facet_arena *arena, void *items, size_t count, uint32_t *space, size_t size);
#define FACET_GROW(arena, items, count, space) \
    facet_arena_grow(arena, &(items), count, &(space), sizeof *(items))
/* Copy `length` bytes of text and add a NUL. NULL on failure. */
char *facet_arena_string(facet_arena *arena, const char *text, size_t length);
/* Like facet_arena_string, with U+FFFD for each byte that is not part of valid UTF-8. */
char *facet_arena_utf8(facet_arena *arena, const char *text, size_t length);
/* Copy the base name of a path without its extension, with facet_arena_utf8. For NULL, "". */
char *facet_arena_stem(facet_arena *arena, const char *path);
/* Print a formatted string. NULL on failure. */
char *facet_arena_format(facet_arena *arena, const char *format, ...) FACET_PRINTF(2, 3);

/* Move everything that `other` owns to the arena, and free `other`. False, without any change, if
 * their allocators differ or the limit would be exceeded. */
bool facet_arena_adopt(facet_arena *arena, facet_arena *other);

/* Allocator of the arena; lives as long as the arena. */
const facet_allocator *facet_arena_allocator(const facet_arena *arena);
/* Bytes that the arena has allocated. */
size_t facet_arena_used(const facet_arena *arena);

#endif
