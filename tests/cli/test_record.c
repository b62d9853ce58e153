/* Paths that are kept once each, in time that grows with their number. */
#include "cli/record.h"
#include "support/support.h"

#include <stdio.h>
#include <time.h>

TEST(paths_are_kept_once_in_their_order)
{
    cli_paths paths = {0};
    char name[32];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 1000; i++) {
            snprintf(name, sizeof name, "%d", i);
            assert_true(cli_paths_add(&paths, name));
        }
    }
    assert_int_equal(paths.count, 1000);
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "%d", i);
        assert_string_equal(paths.items[i], name);
    }
    /* One that was appended counts, too. */
    assert_true(cli_paths_append(&paths, "x"));
    assert_true(cli_paths_add(&paths, "x"));
    assert_int_equal(paths.count, 1001);
    cli_paths_free(&paths);
}

static double time_of(int count)
{
    cli_paths paths = {0};
    char name[32];
    clock_t begin = clock();
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "missing-%d.png", i);
        assert_true(cli_paths_add(&paths, name));
    }
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    cli_paths_free(&paths);
    return seconds;
}

/* 16 times as many take 256 times as long when each is compared with all. */
TEST(paths_take_time_as_their_number)
{
    double few = time_of(4000), many = time_of(64000);
    assert_true(many < 64 * few + 0.05);
}
