/* Hash tables: results, and cost if all hashes are equal. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/table.h"
#include "support/support.h"

#include <stdio.h>

static facet_arena *make_arena(void)
{
    facet_arena *arena = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    return arena;
}

/* -- Numbered items ----------------------------------------------------- */

static int compare_values(const void *user, uint32_t a, uint32_t b)
{
    const uint32_t *values = user;
    return values[a] < values[b] ? -1 : values[a] > values[b];
}

static uint32_t honest_hash(uint32_t value)
{
    return facet_hash_end(facet_hash_word(0, value));
}

static uint32_t one_hash(uint32_t value)
{
    (void)value;
    return 7;
}

/* Different hashes for values below 2^16, but the same slot in all tables of up to 2^16 slots. */
static uint32_t one_slot(uint32_t value)
{
    return value << 16 | 5;
}

static uint32_t hostile_when_even(uint32_t value)
{
    return value % 2 ? honest_hash(value) : 7;
}

typedef uint32_t (*hasher)(uint32_t value);
static const hasher hashers[] = {honest_hash, one_hash, one_slot, hostile_when_even};

/* The first of equal values is found, for any hashes. */
TEST(first_of_equal_values_is_found)
{
    enum { COUNT = 6000, VALUES = 2500 };
    static uint32_t values[COUNT], first[VALUES];
    for (size_t h = 0; h < sizeof hashers / sizeof *hashers; h++) {
        facet_arena *arena = make_arena();
        facet_table table = facet_table_make(arena);
        uint32_t different = 0;
        memset(first, 0xFF, sizeof first);
        for (uint32_t i = 0; i < COUNT; i++) {
            values[i] = (uint32_t)((uint64_t)i * i * 31 % VALUES);
            uint32_t hash = hashers[h](values[i]), *expected = &first[values[i]];
            assert_int_equal(facet_table_find(&table, hash, i, compare_values, values), *expected);
            if (*expected == UINT32_MAX) {
                *expected = i;
                different++;
            }
            assert_int_equal(facet_table_put(&table, hash, i, compare_values, values), *expected);
        }
        assert_int_equal(table.count, different);
        assert_int_equal(table.overflow_count > 0, hashers[h] != honest_hash);
        facet_table_free(&table);
        assert_int_equal(facet_table_find(&table, 7, 0, compare_values, values), UINT32_MAX);
        facet_arena_free(arena);
    }
}

/* Number of steps to insert `count` values and to find them all. */
static uint64_t count_steps(hasher hash, const uint32_t *values, uint32_t count)
{
    facet_arena *arena = make_arena();
    facet_table table = facet_table_make(arena);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(facet_table_put(&table, hash(values[i]), i, compare_values, values),
                             i);
    }
    uint64_t steps = table.steps;
    facet_arena_free(arena);
    return steps;
}

/* Quadratic time would give the ratio 4. Values are ascending, descending and mixed (40503 is odd,
 * so it only permutes them). */
TEST(equal_slots_take_quasi_linear_time)
{
    enum { MAX = 1 << 15 };
    static uint32_t values[MAX];
    for (int order = 0; order < 3; order++) {
        for (uint32_t i = 0; i < MAX; i++)
            values[i] = order == 0 ? i : order == 1 ? MAX - 1 - i : i * 40503 % MAX;
        for (size_t h = 0; h < sizeof hashers / sizeof *hashers; h++) {
            uint64_t half = count_steps(hashers[h], values, MAX / 2);
            uint64_t whole = count_steps(hashers[h], values, MAX);
            if (whole > half * 5 / 2)
                fail_msg("order %d, hash %zu: %lu steps for %d values, %lu for %d", order, h,
                         (unsigned long)half, MAX / 2, (unsigned long)whole, MAX);
        }
    }
}

/* Typical values: consecutive numbers, multiples of powers of two, floats with few bits. Inserting
 * and finding takes a few steps each, and no table overflows. */
TEST(typical_values_take_few_steps)
{
    enum { COUNT = 50000 };
    static uint32_t values[COUNT];
    for (int kind = 0; kind < 5; kind++) {
        for (uint32_t i = 0; i < COUNT; i++)
            values[i] = kind == 0   ? i
                        : kind == 1 ? i << 16
                        : kind == 2 ? i * 4096
                        : kind == 3 ? facet_bits_of_float((float)i)
                                    : facet_bits_of_float((float)i / 1024 - 20);
        facet_arena *arena = make_arena();
        facet_table table = facet_table_make(arena);
        uint32_t different = 0;
        for (uint32_t i = 0; i < COUNT; i++)
            different +=
                facet_table_put(&table, honest_hash(values[i]), i, compare_values, values) == i;
        assert_int_equal(different, COUNT);
        assert_int_equal(table.overflow_count, 0);
        if (table.steps > 6 * (uint64_t)COUNT)
            fail_msg("kind %d: %lu steps", kind, (unsigned long)table.steps);
        facet_arena_free(arena);
    }
}

/* -- Records and names -------------------------------------------------- */

TEST(records_are_numbered_in_order)
{
    facet_arena *arena = make_arena();
    facet_records records = facet_records_make(arena, 3 * sizeof(uint16_t));
    assert_true(facet_records_reserve(&records, 100));
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 1000; i++) {
            const uint16_t record[3] = {(uint16_t)(i % 10), (uint16_t)(i / 10), 0xFFFF};
            assert_int_equal(facet_records_find(&records, record), round ? i : UINT32_MAX);
            assert_int_equal(facet_records_put(&records, record), i);
        }
    }
    assert_int_equal(records.count, 1000);
    const uint16_t last[3] = {9, 99, 0xFFFF};
    assert_memory_equal(records.items + 999 * sizeof last, last, sizeof last);
    facet_records_free(&records);
    assert_int_equal(records.count, 0);
    assert_int_equal(facet_records_put(&records, last), 0);
    facet_arena_free(arena);
}

TEST(names_are_compared_as_bytes)
{
    static const facet_name names[] = {{"", 0},        {"a", 1},         {"a\0", 2},
                                       {"a\0b", 3},    {"a\0c", 3},      {"12345678", 8},
                                       {"1234567", 7}, {"123456789", 9}, {"\xFF", 1}};
    enum { COUNT = sizeof names / sizeof *names };
    facet_arena *arena = make_arena();
    facet_names table = facet_names_make(arena);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(facet_names_find(&table, names[i].text, names[i].length), UINT32_MAX);
        assert_int_equal(facet_names_put(&table, names[i].text, names[i].length), i);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(facet_names_find(&table, names[i].text, names[i].length), i);
        assert_int_equal(facet_names_put(&table, names[i].text, names[i].length), i);
        assert_ptr_equal(table.items[i].text, names[i].text);
    }
    assert_int_equal(table.count, COUNT);
    facet_names_free(&table);
    assert_int_equal(facet_names_find(&table, "a", 1), UINT32_MAX);
    facet_arena_free(arena);
}

/* Equal on every machine: bytes form words of 8, lowest first, after the length. */
TEST(hash_of_bytes_is_the_same_everywhere)
{
    uint64_t hash = facet_hash_word(facet_hash_word(0, 2), 0x0201);
    assert_int_equal(facet_hash_bytes("\1\2", 2), facet_hash_end(hash));
    hash = facet_hash_word(facet_hash_word(0, 9), UINT64_C(0x0807060504030201));
    hash = facet_hash_word(hash, 9);
    assert_int_equal(facet_hash_bytes("\1\2\3\4\5\6\7\10\11", 9), facet_hash_end(hash));
}

/* -- Without memory ----------------------------------------------------- */

/* A failed call does not change the table. */
static facet_status fill_table(const facet_allocator *allocator, void *user)
{
    enum { COUNT = 2000 };
    static uint32_t values[COUNT];
    const hasher hash = *(const hasher *)user;
    facet_options options = {.allocator = allocator};
    facet_arena *arena = NULL;
    facet_error error;
    facet_status status = facet_arena_create(&options, &arena, &error);
    if (status)
        return status;
    facet_table table = facet_table_make(arena);
    uint32_t put = 0;
    for (; put < COUNT; put++) {
        values[put] = put * 3;
        if (facet_table_put(&table, hash(values[put]), put, compare_values, values) != put)
            break;
    }
    assert_int_equal(table.count, put);
    for (uint32_t i = 0; i < put; i++)
        assert_int_equal(facet_table_find(&table, hash(values[i]), i, compare_values, values), i);
    facet_arena_free(arena);
    return put == COUNT ? FACET_OK : FACET_ERROR_MEMORY;
}

TEST(tables_report_failed_allocations)
{
    for (size_t h = 0; h < sizeof hashers / sizeof *hashers; h++) {
        hasher hash = hashers[h];
        test_every_allocation(fill_table, &hash);
    }
}

static facet_status fill_records_and_names(const facet_allocator *allocator, void *user)
{
    static char texts[300][8];
    (void)user;
    facet_options options = {.allocator = allocator};
    facet_arena *arena = NULL;
    facet_error error;
    facet_status status = facet_arena_create(&options, &arena, &error);
    if (status)
        return status;
    facet_records records = facet_records_make(arena, sizeof texts[0]);
    facet_names names = facet_names_make(arena);
    for (uint32_t i = 0; i < 300 && !status; i++) {
        snprintf(texts[i], sizeof texts[i], "%u", i);
        uint32_t record = facet_records_put(&records, texts[i]);
        uint32_t name = facet_names_put(&names, texts[i], strlen(texts[i]));
        assert_true(record == i || record == UINT32_MAX);
        assert_true(name == i || name == UINT32_MAX);
        if (record != i || name != i)
            status = FACET_ERROR_MEMORY;
    }
    if (!status && !facet_records_reserve(&records, 5000))
        status = FACET_ERROR_MEMORY;
    if (!status)
        assert_int_equal(facet_names_find(&names, "299", 3), 299);
    facet_arena_free(arena);
    return status;
}

TEST(records_and_names_report_failed_allocations)
{
    test_every_allocation(fill_records_and_names, NULL);
}

TEST(names_that_are_copied_outlive_their_text)
{
    facet_arena *arena = make_arena();
    facet_names names = facet_names_make(arena);
    char text[] = "a";
    assert_int_equal(facet_names_put_copy(&names, text, 1), 0);
    text[0] = 'b';
    assert_int_equal(facet_names_put_copy(&names, text, 1), 1);
    assert_int_equal(facet_names_put_copy(&names, "a", 1), 0);
    assert_int_equal(names.count, 2);
    facet_arena_free(arena);
}
