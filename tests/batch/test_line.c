/* Invalid lines of results are skipped, whatever bytes they contain. */
#include "batch/line.h"
#include "support/support.h"

#include <string.h>

/* A key is compared in its full length. The name of a key with a NUL and more bytes is another
 * key. */
TEST(line_keys_with_nul_are_other_keys)
{
    static const char text[] = "{\"id\0________________________\":\"a\",\"status\":\"ok\"}";
    cli_line line;
    assert_true(cli_line_scan(text, sizeof text - 1, &line));
    assert_true(line.values[CLI_LINE_ID].text == NULL);
    assert_true(cli_line_is(&line, CLI_LINE_STATUS, "ok"));
}

/* Keys in the usual order are found faster; every order gives the same values. */
TEST(line_keys_are_found_in_any_order)
{
    static const char *const texts[] = {
        "{\"id\":\"a\",\"status\":\"ok\",\"in_bytes\":12,\"outputs\":[{\"id\":\"]\"}],\"tar\":"
        "\"t\"}",
        "{\"tar\":\"t\",\"outputs\":[{\"id\":\"]\"}],\"in_bytes\":12,\"status\":\"ok\",\"id\":"
        "\"a\"}",
        "{\"x\":{\"id\":1},\"status\" : \"ok\" ,\"id\": \"a\", \"in_bytes\":12, \"y\":null,"
        "\"outputs\":[{\"id\":\"]\"}] ,\"tar\":\"t\"}",
        "{\"i\\u0064\":\"b\",\"id\":\"a\",\"status\":\"ok\",\"in_bytes\":12,"
        "\"outputs\":[{\"id\":\"]\"}],\"tar\":\"t\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cli_line line;
        assert_true(cli_line_scan(texts[i], strlen(texts[i]), &line));
        assert_true(cli_line_is(&line, CLI_LINE_ID, "a"));
        assert_true(cli_line_is(&line, CLI_LINE_STATUS, "ok"));
        assert_true(cli_line_is(&line, CLI_LINE_TAR, "t"));
        assert_int_equal(cli_line_count(&line, CLI_LINE_IN_BYTES), 12);
        assert_int_equal(line.values[CLI_LINE_OUTPUTS].length, strlen("[{\"id\":\"]\"}]"));
    }
}

/* A line that a crash cut at any byte is not a line. */
TEST(line_is_refused_at_each_length)
{
    static const char text[] =
        "{\"id\":\"a\\\"\",\"retry\":false,\"in_bytes\":12,\"sides\":[{\"b\":[]}],"
        "\"findings\":[]}";
    cli_line line;
    for (size_t length = 0; length < sizeof text - 1; length++)
        assert_false(cli_line_scan(text, length, &line));
    assert_true(cli_line_scan(text, sizeof text - 1, &line));
    assert_false(cli_line_is_true(&line, CLI_LINE_RETRY));
}
