/* Lists of paths without duplicates. */
#include "cli/record.h"
#include "support/support.h"

#include <stdio.h>

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
    /* cli_paths_add also finds a path that cli_paths_append stored. */
    assert_true(cli_paths_append(&paths, "x"));
    assert_true(cli_paths_add(&paths, "x"));
    assert_int_equal(paths.count, 1001);
    cli_paths_free(&paths);
}
