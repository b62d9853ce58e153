/* Invalid lines of results are skipped, whatever bytes they contain. */
#include "batch/line.h"
#include "support/support.h"

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
