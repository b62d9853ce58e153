/* base/allocator.c - malloc for small blocks, pages of the system for large ones. */
#include "base/allocator.h"

#include "base/atomic.h"
#include "base/size.h"

#include <stdlib.h>

#ifdef FACET_HUGE_PAGES
#include <sys/mman.h>

/* -- Pages -------------------------------------------------------------- */

/* Pages have 4, 16 or 64 KiB. */
#define LARGEST_PAGE ((size_t)64 << 10)

/* Blocks of this size or more get all their pages at once. Getting pages one by one takes longer
 * than filling them, and several times that in virtual machines. */
#define PAGED_BLOCK ((size_t)64 << 10)

/* Blocks of this size or more are mapped directly: with huge pages, the first access is faster. */
#define HUGE_BLOCK FACET_HUGE_PAGE

static void populate(void *block, size_t size)
{
#ifdef MADV_POPULATE_WRITE
    const uintptr_t page = 4096; /* with larger pages, the call has no effect */
    uintptr_t begin = ((uintptr_t)block + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)block + size) & ~(page - 1);
    madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
#else
    (void)block, (void)size;
#endif
}

/* Size of a block, rounded up to huge pages if that adds at most a quarter. Without rounding, the
 * end of the block costs up to 512 requests for small pages. With rounding, the system clears a
 * whole huge page, even if part of it is unused. */
static size_t huge_block_size(size_t size)
{
    size_t whole = facet_align_up(size, FACET_HUGE_PAGE);
    return whole - size <= size / 4 ? whole : facet_align_up(size, LARGEST_PAGE);
}

static void *map(size_t size)
{
    size_t padded = size + FACET_HUGE_PAGE;
    uint8_t *base = mmap(NULL, padded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    uint8_t *aligned =
        base + ((FACET_HUGE_PAGE - (uintptr_t)base % FACET_HUGE_PAGE) % FACET_HUGE_PAGE);
    if (aligned > base)
        munmap(base, (size_t)(aligned - base));
    size_t tail = (size_t)(base + padded - (aligned + size));
    if (tail > 0)
        munmap(aligned + size, tail);
#ifdef MADV_HUGEPAGE
    madvise(aligned, size, MADV_HUGEPAGE);
#endif
    return aligned;
}

/* -- Cached blocks ------------------------------------------------------ */

/* Only where a child process does not inherit cached blocks: it would have to copy their pages
 * before it could use them. */
#if defined(MADV_WIPEONFORK) && defined(MADV_KEEPONFORK) && defined(__GNUC__)
#define MAX_KEPT 16

typedef struct kept_block {
    void *block;
    size_t size;
} kept_block;

static struct {
    atomic_flag busy;
    unsigned count;
    size_t size; /* sum of all blocks */
    kept_block blocks[MAX_KEPT];
} kept_blocks = {.busy = ATOMIC_FLAG_INIT};

/* Try to take the lock. No thread waits: if it is taken, the caller does not use the cache. */
static bool enter(void)
{
    return !atomic_flag_test_and_set_explicit(&kept_blocks.busy, memory_order_acquire);
}

static void leave(void)
{
    atomic_flag_clear_explicit(&kept_blocks.busy, memory_order_release);
}

static kept_block remove_kept(unsigned index)
{
    kept_block removed = kept_blocks.blocks[index];
    kept_blocks.blocks[index] = kept_blocks.blocks[--kept_blocks.count];
    kept_blocks.size -= removed.size;
    return removed;
}

/* Find the smallest block that is large enough. */
static kept_block find_kept(size_t size)
{
    unsigned best = MAX_KEPT;
    for (unsigned i = 0; i < kept_blocks.count; i++) {
        if (kept_blocks.blocks[i].size >= size &&
            (best == MAX_KEPT || kept_blocks.blocks[i].size < kept_blocks.blocks[best].size))
            best = i;
    }
    return best < MAX_KEPT ? remove_kept(best) : (kept_block){NULL, 0};
}

static void *take_kept(size_t size)
{
    kept_block leaving[MAX_KEPT];
    unsigned count = 0;
    if (!enter())
        return NULL;
    kept_block found = find_kept(size);
    for (size_t left = size; !found.block && kept_blocks.count > 0;) {
        leaving[count] = remove_kept(kept_blocks.count - 1);
        if (leaving[count++].size >= left)
            break;
        left -= leaving[count - 1].size;
    }
    leave();
    for (unsigned i = 0; i < count; i++)
        munmap(leaving[i].block, leaving[i].size);
    if (!found.block)
        return NULL;
    bool usable = madvise(found.block, found.size, MADV_KEEPONFORK) == 0;
    size_t used = usable ? size : 0;
    if (found.size > used)
        munmap((uint8_t *)found.block + used, found.size - used);
    return usable ? found.block : NULL;
}

static bool keep(void *block, size_t size)
{
    if (size > FACET_KEPT_BYTES || madvise(block, size, MADV_WIPEONFORK) != 0 || !enter())
        return false;
    bool fits = kept_blocks.count < MAX_KEPT && size <= FACET_KEPT_BYTES - kept_blocks.size;
    if (fits) {
        kept_blocks.blocks[kept_blocks.count++] = (kept_block){block, size};
        kept_blocks.size += size;
    }
    leave();
    return fits;
}

/* Free the cache when the process ends or a host unloads the library. */
__attribute__((destructor)) static void release_kept(void)
{
    if (!enter())
        return;
    while (kept_blocks.count > 0) {
        kept_block last = remove_kept(kept_blocks.count - 1);
        munmap(last.block, last.size);
    }
    leave();
}
#else

static void *take_kept(size_t size)
{
    (void)size;
    return NULL;
}

static bool keep(void *block, size_t size)
{
    (void)block, (void)size;
    return false;
}
#endif

/* -- The allocator ------------------------------------------------------ */

static void *allocate_huge(size_t size)
{
    size_t padded;
    if (!facet_size_add(size, 2 * FACET_HUGE_PAGE, &padded))
        return NULL;
    size = huge_block_size(size);
    void *block = take_kept(size);
    return block ? block : map(size);
}
#endif

static void *default_allocate(void *user, size_t size)
{
    (void)user;
#ifdef FACET_HUGE_PAGES
    if (size >= HUGE_BLOCK)
        return allocate_huge(size);
#endif
    void *block = malloc(size);
#ifdef FACET_HUGE_PAGES
    if (block && size >= PAGED_BLOCK)
        populate(block, size);
#endif
    return block;
}

static void default_release(void *user, void *pointer, size_t size)
{
    (void)user;
#ifdef FACET_HUGE_PAGES
    if (size >= HUGE_BLOCK) {
        if (!keep(pointer, huge_block_size(size)))
            munmap(pointer, huge_block_size(size));
        return;
    }
#else
    (void)size;
#endif
    free(pointer);
}

const facet_allocator *facet_allocator_or_default(const facet_allocator *allocator)
{
    static const facet_allocator standard = {default_allocate, default_release, NULL};
    return allocator ? allocator : &standard;
}
