/* mesh/values.c - elements of equal value, found by a hash of their bits.
 *
 * A tile of elements is hashed column by column, in loops of a fixed width. Only elements whose
 * hash may occur twice are searched in a table, whose slots are prefetched. */
#include "mesh/values.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/repeats.h"
#include "base/table.h"
#include "base/threads.h"
#include "scene/scene.h"

#include <string.h>

#define TILE 64

typedef struct table_of_values {
    const facet_column *columns;
    uint32_t column_count;
} table_of_values;

/* -- Words -------------------------------------------------------------- */

/* The bits of a float; -0 gives those of 0. */
static inline uint32_t plain_float(uint32_t bits)
{
    return bits == UINT32_C(0x80000000) ? 0 : bits;
}

static inline uint64_t plain_double(uint64_t bits)
{
    return bits == UINT64_C(1) << 63 ? 0 : bits;
}

static inline uint32_t float_bits_at(const uint8_t *at)
{
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    return plain_float(bits);
}

static inline uint64_t double_bits_at(const uint8_t *at)
{
    uint64_t bits;
    memcpy(&bits, at, sizeof bits);
    return plain_double(bits);
}

static size_t column_size(const facet_column *c)
{
    return facet_component_size(c->component) * c->components;
}

/* -- Hashes ------------------------------------------------------------- */

static inline void hash_floats(const uint8_t *at, uint32_t width, uint32_t count, uint64_t *hashes)
{
    for (uint32_t i = 0; i < count; i++, at += (size_t)width * 4) {
        uint64_t hash = hashes[i];
        uint32_t k = 0;
        for (; k + 2 <= width; k += 2)
            hash = facet_hash_word(hash, (uint64_t)float_bits_at(at + k * 4) << 32 |
                                             float_bits_at(at + k * 4 + 4));
        if (k < width)
            hash = facet_hash_word(hash, float_bits_at(at + k * 4));
        hashes[i] = hash;
    }
}

/* Mix one column of the elements from `first` on into the hashes of the elements. */
static void hash_column(const facet_column *c, uint32_t first, uint32_t count, uint64_t *hashes)
{
    size_t size = column_size(c);
    const uint8_t *at = (const uint8_t *)c->data + first * size;
    if (c->component == FACET_FLOAT32) {
        switch (c->components) {
        case 2:
            hash_floats(at, 2, count, hashes);
            break;
        case 3:
            hash_floats(at, 3, count, hashes);
            break;
        case 4:
            hash_floats(at, 4, count, hashes);
            break;
        default:
            hash_floats(at, c->components, count, hashes);
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++, at += size) {
        if (c->component == FACET_FLOAT64) {
            for (uint32_t k = 0; k < c->components; k++)
                hashes[i] = facet_hash_word(hashes[i], double_bits_at(at + k * 8));
        } else {
            hashes[i] = facet_hash_word(hashes[i], facet_hash_bytes(at, size));
        }
    }
}

/* -- Order -------------------------------------------------------------- */

static int compare_words(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_in_column(const facet_column *c, uint32_t a, uint32_t b)
{
    size_t size = column_size(c);
    const uint8_t *x = (const uint8_t *)c->data + a * size;
    const uint8_t *y = (const uint8_t *)c->data + b * size;
    int order = 0;
    if (c->component == FACET_FLOAT32) {
        for (uint32_t k = 0; k < c->components && order == 0; k++)
            order = compare_words(float_bits_at(x + k * 4), float_bits_at(y + k * 4));
    } else if (c->component == FACET_FLOAT64) {
        for (uint32_t k = 0; k < c->components && order == 0; k++)
            order = compare_words(double_bits_at(x + k * 8), double_bits_at(y + k * 8));
    } else {
        order = memcmp(x, y, size);
    }
    return order;
}

static int compare(const void *user, uint32_t a, uint32_t b)
{
    const table_of_values *values = user;
    int order = 0;
    for (uint32_t i = 0; i < values->column_count && order == 0; i++)
        order = compare_in_column(&values->columns[i], a, b);
    return order;
}

/* -- Numbers ------------------------------------------------------------ */

#define TILES_PER_TASK 256

typedef struct hash_job {
    const table_of_values *values;
    uint32_t count;
    uint32_t *hashes;
} hash_job;

static void hash_task(void *argument, size_t task)
{
    const hash_job *job = argument;
    uint64_t tile_hashes[TILE];
    uint32_t begin = (uint32_t)task * (TILE * TILES_PER_TASK), left = job->count - begin;
    uint32_t end = begin + (left < TILE * TILES_PER_TASK ? left : TILE * TILES_PER_TASK);
    for (uint32_t first = begin; first < end; first += TILE) {
        uint32_t tile = end - first < TILE ? end - first : TILE;
        memset(tile_hashes, 0, sizeof tile_hashes);
        for (uint32_t i = 0; i < job->values->column_count; i++)
            hash_column(&job->values->columns[i], first, tile, tile_hashes);
        for (uint32_t i = 0; i < tile; i++)
            job->hashes[first + i] = facet_hash_end(tile_hashes[i]);
    }
}

static facet_status hash_all(const hash_job *hashing, const facet_stretch *job, facet_error *error)
{
    size_t tasks = ((size_t)hashing->count + TILE * TILES_PER_TASK - 1) / (TILE * TILES_PER_TASK);
    hash_job h = *hashing;
    if (job && job->step) {
        const double half[2] = {job->range[0], (job->range[0] + job->range[1]) / 2};
        return facet_run_steps(job->options, hash_task, &h, tasks, job->step, half, error);
    }
    facet_run(job ? job->options : NULL, hash_task, &h, tasks);
    return FACET_OK;
}

/* Number of elements that are processed between two calls of the progress callback, a multiple
 * of TILE. */
#define AT_ONCE 262144

/* Report progress in the second half of the job. */
static facet_status tell(const facet_stretch *job, uint32_t done, uint32_t count,
                         facet_error *error)
{
    return job && job->step && done % AT_ONCE == 0
               ? facet_step_within(job->options, job->step, job->range, (uint64_t)count + done,
                                   2 * (uint64_t)count, error)
               : FACET_OK;
}

/* Number the elements. At the start, `numbers` holds their hashes. An element whose hash occurs
 * once equals no other. */
static facet_status number_all(const table_of_values *values, uint32_t count,
                               const facet_stretch *job, facet_table *table,
                               const facet_repeats *repeats, uint32_t *numbers, uint32_t *distinct,
                               facet_error *error)
{
    uint32_t hashes[TILE];
    bool may_repeat[TILE];
    for (uint32_t first = 0; first < count; first += TILE) {
        TRY(tell(job, first, count, error));
        uint32_t tile = count - first < TILE ? count - first : TILE;
        memcpy(hashes, numbers + first, tile * sizeof *hashes);
        for (uint32_t i = 0; i < tile; i++) {
            may_repeat[i] = facet_repeats_has(repeats, hashes[i]);
            if (may_repeat[i])
                facet_table_prefetch(table, hashes[i]);
        }
        for (uint32_t i = 0; i < tile; i++) {
            uint32_t item = first + i, found = item;
            if (may_repeat[i])
                found = facet_table_put(table, hashes[i], item, compare, values);
            if (found == UINT32_MAX)
                return facet_fail_arena(table->arena, error);
            numbers[item] = found == item ? (*distinct)++ : numbers[found];
        }
    }
    return FACET_OK;
}

facet_status facet_values_number(const facet_column *columns, uint32_t column_count, uint32_t count,
                                 facet_arena *arena, const facet_stretch *job, uint32_t *numbers,
                                 uint32_t *distinct, facet_error *error)
{
    const table_of_values values = {columns, column_count};
    facet_table table = facet_table_make(arena);
    facet_repeats repeats;
    *distinct = 0;
    facet_status status = FACET_OK;
    if (!facet_repeats_make(&repeats, arena, count))
        status = facet_fail_arena(arena, error);
    if (!status) {
        hash_job hashing = {&values, count, numbers};
        status = hash_all(&hashing, job, error);
    }
    if (!status) {
        for (uint32_t i = 0; i < count; i++)
            facet_repeats_note(&repeats, numbers[i]);
        status = number_all(&values, count, job, &table, &repeats, numbers, distinct, error);
    }
    facet_table_free(&table);
    facet_repeats_free(&repeats, arena);
    return status;
}
