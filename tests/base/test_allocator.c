/* Freed blocks that the default allocator keeps for reuse, and those that it returns to the
 * system. */
#define FACET_ARENA_SHARED 1
#include "base/allocator.c"
#include "base/threads.h"
#include "support/support.h"

#if defined(FACET_HUGE_PAGES) && defined(MADV_WIPEONFORK)
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static uint8_t *allocate(size_t size)
{
    const facet_allocator *a = facet_allocator_or_default(NULL);
    uint8_t *block = a->allocate(a->user, size);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % FACET_HUGE_PAGE, 0);
    block[0] = block[size - 1] = 1;
    return block;
}

static void release(void *block, size_t size)
{
    const facet_allocator *a = facet_allocator_or_default(NULL);
    a->release(a->user, block, size);
}

static bool is_mapped(const void *page)
{
    unsigned char resident;
    return mincore((void *)(uintptr_t)page, 4096, &resident) == 0 || errno != ENOMEM;
}

/* Allocate more than can be kept, which first returns all kept blocks. */
static void release_all(void)
{
    size_t most = FACET_KEPT_BYTES + 2 * MIB;
    release(allocate(most), most);
    assert_int_equal(kept_blocks.count, 0);
    assert_int_equal(kept_blocks.size, 0);
}

TEST(a_block_is_used_again)
{
    release_all();
    uint8_t *first = allocate(6 * MIB);
    release(first, 6 * MIB);
    assert_int_equal(kept_blocks.size, 6 * MIB);
    assert_ptr_equal(allocate(6 * MIB), first);
    assert_int_equal(kept_blocks.size, 0);
    release(first, 6 * MIB);
}

/* The unused part of a kept block is returned. The smallest sufficient block is reused. */
TEST(a_larger_block_is_cut)
{
    release_all();
    uint8_t *large = allocate(12 * MIB), *middle = allocate(8 * MIB), *small = allocate(4 * MIB);
    release(large, 12 * MIB);
    release(small, 4 * MIB);
    release(middle, 8 * MIB);
    uint8_t *block = allocate(6 * MIB);
    assert_ptr_equal(block, middle);
    assert_false(is_mapped(middle + 6 * MIB));
    assert_int_equal(kept_blocks.size, 16 * MIB);
    release(block, 6 * MIB);
    assert_int_equal(kept_blocks.size, 22 * MIB);
    assert_ptr_equal(allocate(12 * MIB), large);
    release(large, 12 * MIB);
}

/* Sizes that are not a multiple of huge pages: the cut size is the one that is returned. */
TEST(sizes_are_rounded_to_pages)
{
    const size_t size = 2 * MIB + 70000; /* 2,228,224 bytes with whole pages of 64 KiB */
    release_all();
    uint8_t *large = allocate(8 * MIB);
    release(large, 8 * MIB);
    assert_ptr_equal(allocate(size), large);
    assert_true(is_mapped(large + 2228223));
    assert_false(is_mapped(large + 2228224));
    release(large, size);
    assert_int_equal(kept_blocks.size, 2228224);
}

/* Before more memory is mapped, as much is returned. The total never exceeds the former maximum. */
TEST(blocks_that_do_not_fit_are_returned)
{
    release_all();
    uint8_t *blocks[4];
    for (int i = 0; i < 4; i++)
        blocks[i] = allocate(4 * MIB);
    for (int i = 0; i < 4; i++)
        release(blocks[i], 4 * MIB);
    uint8_t *large = allocate(6 * MIB);
    assert_int_equal(kept_blocks.count, 2);
    assert_int_equal(kept_blocks.size, 8 * MIB);
    release(large, 6 * MIB);
}

TEST(no_more_than_the_limit_is_kept)
{
    enum { BLOCKS = 20 };
    uint8_t *blocks[BLOCKS];
    release_all();
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = allocate(2 * MIB);
    for (int i = 0; i < BLOCKS; i++)
        release(blocks[i], 2 * MIB);
    assert_int_equal(kept_blocks.count, 16);
    assert_int_equal(kept_blocks.size, FACET_KEPT_BYTES);
    assert_false(is_mapped(blocks[BLOCKS - 1]));
    uint8_t *large = allocate(FACET_KEPT_BYTES + MIB);
    assert_int_equal(kept_blocks.count, 0);
    release(large, FACET_KEPT_BYTES + MIB);
    assert_int_equal(kept_blocks.count, 0);
}

/* A second thread does not wait: it works without kept blocks. */
TEST(second_thread_does_not_wait_for_kept_blocks)
{
    release_all();
    uint8_t *block = allocate(4 * MIB);
    assert_true(enter());
    release(block, 4 * MIB);
    assert_false(is_mapped(block));
    block = allocate(4 * MIB);
    leave();
    release(block, 4 * MIB);
    assert_int_equal(kept_blocks.size, 4 * MIB);
}

/* A child process has the blocks in use unchanged, and no copy of the kept ones. */
TEST(child_process_has_no_copy_of_kept_blocks)
{
    release_all();
    uint8_t *in_use = allocate(4 * MIB), *free_block = allocate(4 * MIB);
    in_use[MIB] = free_block[MIB] = 77;
    release(free_block, 4 * MIB);
    release(in_use, 4 * MIB);
    uint8_t *again = allocate(4 * MIB), *other = again == in_use ? free_block : in_use;
    assert_int_equal(again[MIB], 77);
    pid_t child = fork();
    if (child == 0)
        _exit(again[MIB] == 77 && other[MIB] == 0 && allocate(4 * MIB) == other ? 0 : 1);
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(other[MIB], 77);
    release(again, 4 * MIB);
}

/* Each thread fills its block, and the content stays until it releases the block. */
static void come_and_go(void *argument, size_t index)
{
    unsigned *wrong = argument;
    const facet_allocator *a = facet_allocator_or_default(NULL);
    uint32_t random = (uint32_t)index + 1;
    for (int step = 0; step < 200; step++) {
        random = random * 1664525 + 1013904223;
        size_t size = 2 * MIB + random % (6 * MIB);
        uint8_t *block = a->allocate(a->user, size), mark = (uint8_t)(index * 16 + step % 16);
        if (!block) {
            wrong[index]++;
            continue;
        }
        for (size_t i = 0; i < size; i += 65536)
            block[i] = mark;
        for (size_t i = 0; i < size; i += 65536)
            wrong[index] += block[i] != mark;
        a->release(a->user, block, size);
    }
}

TEST(threads_never_share_a_block)
{
    unsigned wrong[4] = {0};
    facet_options options = {0};
    facet_error error;
    release_all();
    TEST_OK(facet_threads_create(4, &options.threads, &error), &error);
    facet_run(&options, come_and_go, wrong, 4);
    facet_threads_free(options.threads);
    for (int i = 0; i < 4; i++)
        assert_int_equal(wrong[i], 0);
    assert_true(kept_blocks.size <= FACET_KEPT_BYTES);
    release_all();
}

#else

TEST(skipped_on_systems_that_keep_no_blocks)
{
    skip();
}

#endif
