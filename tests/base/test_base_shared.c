/* The same with small blocks in shared chunks, also with sanitizers. */
#define FACET_ARENA_SHARED 1
#include "base/allocator.c"
#include "base/arena.c"
#include "test_base.c"
