/* base/arena.h - memory with one owner. Small blocks are bumped out of chunks
 * and live until the arena is freed; large ones stand alone and can be given
 * back at once, so that a pass which replaces an array costs no second copy. */
#ifndef FACET_BASE_ARENA_H
#define FACET_BASE_ARENA_H

#include <facet/base.h>

/* Under AddressSanitizer every block stands alone and has its exact size, so
 * that a step over its end is seen. */
#if defined(__SANITIZE_ADDRESS__)
#define FACET_ARENA_EXACT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FACET_ARENA_EXACT 1
#endif
#endif

/* From this size on a block stands alone. */
#ifdef FACET_ARENA_EXACT
#define FACET_ARENA_LARGE ((size_t)1) /* that is, always */
#else
#define FACET_ARENA_LARGE ((size_t)64 * 1024)
#endif

/* The allocator to use where the caller gave none: malloc, and for blocks of
 * several MiB fresh pages, huge ones where the system has them. */
const facet_allocator *facet_allocator_or_default(const facet_allocator *allocator);

/* options may be NULL; its allocator and memory_limit are taken. */
facet_status facet_arena_create(const facet_options *options, facet_arena **arena,
                                facet_error *error);
/* NULL is fine. */
void facet_arena_free(facet_arena *arena);

/* count * size bytes, 16-byte aligned, not cleared; NULL when the product
 * overflows or memory (or the limit) is used up. A block of 0 bytes is not NULL. */
void *facet_arena_allocate(facet_arena *arena, size_t count, size_t size);
/* The same, cleared. */
void *facet_arena_allocate_zeroed(facet_arena *arena, size_t count, size_t size);
/* Give back a block of count * size bytes as it was asked for: large ones are
 * freed, the newest small one is reused, others stay. NULL is fine. */
void facet_arena_release(facet_arena *arena, void *block, size_t count, size_t size);
/* Make a block of old_count items one of new_count; the contents up to the
 * smaller count move along. NULL, and the old block still there, on failure. */
void *facet_arena_resize(facet_arena *arena, void *block, size_t old_count, size_t new_count,
                         size_t size);
/* A NUL-terminated copy of `length` bytes, or NULL. */
char *facet_arena_string(facet_arena *arena, const char *text, size_t length);
/* The same, where each byte that is not part of valid UTF-8 becomes U+FFFD. */
char *facet_arena_utf8(facet_arena *arena, const char *text, size_t length);
/* A formatted string, or NULL. */
char *facet_arena_format(facet_arena *arena, const char *format, ...) FACET_PRINTF(2, 3);

/* The allocator that the arena draws from; lives as long as the arena. */
const facet_allocator *facet_arena_allocator(const facet_arena *arena);
/* Bytes the arena holds from its allocator. */
size_t facet_arena_used(const facet_arena *arena);

#endif
