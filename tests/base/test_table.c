/* Hash tables: what they answer, and what they cost when all hashes are equal. */
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

/* Different hashes of values below 2^16, but one slot in all tables of up to
 * 2^16 slots. */
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

/* Of equal values the first is found, whatever the hashes are. */
TEST(first_of_equal_values)
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

/* The steps of putting in `count` values and finding all of them again. */
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

/* Steps that grow with the square would make the ratio 4. Values come upwards,
 * downwards and mixed (40503 is odd, so that it only shuffles them). */
TEST(time_is_quasi_linear)
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

/* Values as they are met: numbers in a row, multiples of powers of two, floats
 * of few bits. Put in and found again, each costs a few steps, and none overflows. */
TEST(plain_values_spread)
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

TEST(records_are_numbered_as_they_come)
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

TEST(names_are_bytes)
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

/* The same on every machine: bytes are words of 8, lowest first, after the length. */
TEST(hash_of_bytes)
{
    uint64_t hash = facet_hash_word(facet_hash_word(0, 2), 0x0201);
    assert_int_equal(facet_hash_bytes("\1\2", 2), facet_hash_end(hash));
    hash = facet_hash_word(facet_hash_word(0, 9), UINT64_C(0x0807060504030201));
    hash = facet_hash_word(hash, 9);
    assert_int_equal(facet_hash_bytes("\1\2\3\4\5\6\7\10\11", 9), facet_hash_end(hash));
}

/* -- Without memory ----------------------------------------------------- */

/* What a table has it keeps: a failing call changes nothing. */
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

TEST(tables_without_memory)
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

TEST(records_and_names_without_memory)
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
