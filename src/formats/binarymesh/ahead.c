/* formats/binarymesh/ahead.c - blocks that other threads decompress while the caller's reads the
 * ones before: a ring of them, each in a place of its own. Whoever is free takes the next block,
 * the reader too when the one that it needs is not begun. */
#include "base/arena.h"
#include "base/threads.h"
#include "formats/binarymesh/binarymesh.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* Blocks of the ring for each thread: some that are read or being made, some that wait. */
#define BLOCKS_OF_THREAD 4
#define MAX_PLACES 64

/* How often a thread looks before it sleeps: about as long as it takes to wake one. */
#define MAX_LOOKS 64
/* Some milliseconds: the system may let a thread that is awake wait for the one that woke it. */
#define MAX_LOOKS_FOR_READER 4096

/* What became of the block in a place: its number twice, and two or three more. */
#define MADE(block) ((block)*2 + 2)
#define DAMAGED(block) ((block)*2 + 3)

typedef struct facet_binarymesh_ahead {
    const facet_binarymesh_input *input;
    uint8_t *space;
    size_t place_size, places;
    atomic_size_t begun; /* blocks that some thread has taken */
    atomic_size_t read;  /* blocks that are done with: their places are free */
    atomic_size_t state[MAX_PLACES];
    atomic_uint sleeping;
    atomic_bool reading, over;
    pthread_mutex_t mutex;
    pthread_cond_t wake;

    pthread_t reader;
    void (*parse)(void *argument);
    void *argument;
} ahead;

/* -- Making blocks ------------------------------------------------------- */

static uint8_t *place_of(const ahead *a, size_t block)
{
    return a->space + block % a->places * a->place_size;
}

static bool may_begin(const ahead *a, size_t block)
{
    return block < a->input->document->block_count && block < atomic_load(&a->read) + a->places;
}

/* Make the next block that nobody has begun; false when there is no place or no block. */
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

/* Until there is a place, or nothing more to do. */
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

/* It may never begin: where the caller waits for its tasks, or runs one after the other. */
static bool wait_for_reader(const ahead *a)
{
    for (int look = 0; look < MAX_LOOKS_FOR_READER; look++) {
        if (atomic_load(&a->reading))
            return true;
        sched_yield();
    }
    return false;
}

/* The caller's thread reads, others make blocks. */
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

/* -- For the reader ------------------------------------------------------ */

const uint8_t *facet_binarymesh_ahead_take(ahead *a, size_t block)
{
    atomic_store(&a->read, block);
    /* Threads are not woken for each block, which takes as long as to make one. */
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
