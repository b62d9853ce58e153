/* The floor: sizes, arenas, errors, reports, files. */
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "support/support.h"

static void test_ranges_never_wrap(void **state)
{
    (void)state;
    assert_true(facet_range_fits(0, 0, 12, 0));
    assert_true(facet_range_fits(4, 2, 12, 28));
    assert_false(facet_range_fits(5, 2, 12, 28));
    assert_false(facet_range_fits(29, 0, 12, 28));
    assert_false(facet_range_fits(UINT64_MAX, 1, 1, 28));
    assert_false(facet_range_fits(1, UINT64_MAX, 264, 28));
    size_t result = 7;
    assert_false(facet_size_multiply(SIZE_MAX / 2, 3, &result));
    assert_false(facet_size_add(SIZE_MAX, 1, &result));
    assert_int_equal(result, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges_never_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
