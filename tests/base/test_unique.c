/* Unique names and their cost. */
#include "base/arena.h"
#include "base/unique.h"
#include "support/support.h"

TEST(repeated_file_names_get_numbers)
{
    facet_arena *arena = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    facet_unique names = facet_unique_make(arena);
    assert_string_equal(facet_unique_file(&names, "eye", "png"), "eye.png");
    assert_string_equal(facet_unique_file(&names, "eye.001", "png"), "eye.001.png");
    assert_string_equal(facet_unique_file(&names, "Eye", "png"), "Eye.002.png");
    assert_string_equal(facet_unique_file(&names, "eye", "jpg"), "eye.003.jpg");
    assert_string_equal(facet_unique_file(&names, "", "png"), ".png");
    facet_arena_free(arena);
}

/* Each of 100,000 equal names takes two searches in the table. */
TEST(equal_names_take_linear_time)
{
    facet_arena *arena = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    facet_unique names = facet_unique_make(arena);
    const uint32_t count = 100000;
    for (uint32_t i = 0; i < count; i++)
        assert_non_null(facet_unique_file(&names, "eye", "png"));
    assert_int_equal(names.taken.count, count);
    assert_true(names.taken.table.steps < 10 * (uint64_t)count);
    facet_arena_free(arena);
}
