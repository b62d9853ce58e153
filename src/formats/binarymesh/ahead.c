/* formats/binarymesh/ahead.c - decompression of blocks on other threads while the caller's thread
 * parses earlier ones. The blocks form a ring. A free thread takes the next block; the reader does
 * also if its next block is not started. With two threads, it makes reading 1.35 times as fast: 23
 * ms instead of 31 ms. */
#include "base/arena.h"
#include "base/atomic.h"
#include "base/threads.h"
#include "formats/binarymesh/binarymesh.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

/* Blocks of the ring per thread: some are read or decompressed, others wait. */
#define BLOCKS_OF_THREAD 4
#define MAX_PLACES 64

/* Number of polls before a thread sleeps: about the time that waking it takes. */
#define MAX_LOOKS 64
/* Some milliseconds: the system can delay a running thread in favor of the one that woke it. */
#define MAX_LOOKS_FOR_READER 4096

/* State of the block in a slot: the block's number times two, plus two or three. */
#define MADE(block) ((block)*2 + 2)
#define DAMAGED(block) ((block)*2 + 3)

typedef struct facet_binarymesh_ahead {
    const facet_binarymesh_input *input;
    uint8_t *space;
    size_t place_size, places;
    atomic_size_t begun; /* number of blocks that threads have started */
    atomic_size_t read;  /* number of blocks that are read: their slots are free */
    atomic_size_t state[MAX_PLACES];
    atomic_uint sleeping;
    atomic_bool reading, over;
    pthread_mutex_t mutex;
    pthread_cond_t wake;

    pthread_t reader;
    void (*parse)(void *argument);
    void *argument;
} ahead;

/* -- Decompression of blocks ------------------------------------------- */

static uint8_t *place_of(const ahead *a, size_t block)
{
    return a->space + block % a->places * a->place_size;
}

static bool may_begin(const ahead *a, size_t block)
{
    return block < a->input->document->block_count && block < atomic_load(&a->read) + a->places;
}

/* Decompress the next block that is not started; false without a free slot or a block. */
static bool make_next(ahead *a)
{
    size_t block = atomic_load(&a->begun);
    do {
        if (!may_begin(a, block))
            return false;
    } while (!atomic_compare_exchange_weak(&a->begun, &block, block + 1));
    bool made = facet_binarymesh_decompress(a->input, block, place_of(a, block));
    atomic_store(&a->state[block % a->places], made ? MADE(block) : DAMAGED(block));
    return true;
}

/* Wait until a slot is free, or no work is left. */
static void wait_for_place(ahead *a)
{
    for (int look = 0; look < MAX_LOOKS; look++) {
        if (atomic_load(&a->over) || may_begin(a, atomic_load(&a->begun)))
            return;
        sched_yield();
    }
    pthread_mutex_lock(&a->mutex);
    atomic_fetch_add(&a->sleeping, 1);
    while (!atomic_load(&a->over) && !may_begin(a, atomic_load(&a->begun)))
        pthread_cond_wait(&a->wake, &a->mutex);
    atomic_fetch_sub(&a->sleeping, 1);
    pthread_mutex_unlock(&a->mutex);
}

static void wake_makers(ahead *a)
{
    if (atomic_load(&a->sleeping) == 0)
        return;
    pthread_mutex_lock(&a->mutex);
    pthread_cond_broadcast(&a->wake);
    pthread_mutex_unlock(&a->mutex);
}

/* True if the reader has started. It may never start if the caller runs tasks one after the
 * other. */
static bool wait_for_reader(const ahead *a)
{
    for (int look = 0; look < MAX_LOOKS_FOR_READER; look++) {
        if (atomic_load(&a->reading))
            return true;
        sched_yield();
    }
    return false;
}

/* The caller's thread reads; the others decompress blocks. */
static void take_part(void *argument, size_t index)
{
    ahead *a = (ahead *)argument;
    (void)index;
    if (pthread_equal(pthread_self(), a->reader)) {
        if (!atomic_exchange(&a->reading, true)) {
            a->parse(a->argument);
            atomic_store(&a->over, true);
            wake_makers(a);
        }
        return;
    }
    while (!atomic_load(&a->over) && atomic_load(&a->begun) < a->input->document->block_count) {
        if (make_next(a))
            continue;
        if (!wait_for_reader(a))
            return;
        wait_for_place(a);
    }
}

/* -- Reader ------------------------------------------------------------ */

const uint8_t *facet_binarymesh_ahead_take(ahead *a, size_t block)
{
    atomic_store(&a->read, block);
    /* Do not wake threads for each block: that takes as long as to decompress one. */
    if (atomic_load(&a->begun) <= block + a->places / 2)
        wake_makers(a);
    size_t state;
    while ((state = atomic_load(&a->state[block % a->places])) < MADE(block)) {
        if (!make_next(a))
            sched_yield();
    }
    return state == MADE(block) ? place_of(a, block) : NULL;
}

void facet_binarymesh_read_ahead(facet_binarymesh_input *input, void (*parse)(void *argument),
                                 void *argument)
{
    const facet_binarymesh *document = input->document;
    size_t threads = facet_thread_count(input->options), largest = input->largest;
    uint64_t places = largest > 0 ? document->data_size / largest : 0;
    if (places > threads * BLOCKS_OF_THREAD)
        places = threads * BLOCKS_OF_THREAD;
    if (places > MAX_PLACES)
        places = MAX_PLACES;
    uint8_t *space = NULL;
    if (threads > 1 && places > 1 && !input->straddles)
        space = (uint8_t *)facet_arena_allocate(document->arena, (size_t)places, largest);
    if (!space) {
        parse(argument);
        return;
    }
    ahead a;
    memset(&a, 0, sizeof a);
    a.input = input;
    a.space = space;
    a.place_size = largest;
    a.places = (size_t)places;
    a.parse = parse;
    a.argument = argument;
    a.reader = pthread_self();
    pthread_mutex_init(&a.mutex, NULL);
    pthread_cond_init(&a.wake, NULL);
    input->ahead = &a;
    facet_run(input->options, take_part, &a, threads);
    if (!a.reading)
        parse(argument);
    input->ahead = NULL;
    pthread_cond_destroy(&a.wake);
    pthread_mutex_destroy(&a.mutex);
    facet_arena_release(document->arena, space, (size_t)places, largest);
}
