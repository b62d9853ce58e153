/* Lines are parsed by several threads, and taken once each and in order. */
#include "batch/lines.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 40000, STOP = 5000 };

typedef struct taken {
    unsigned long next, last;
    bool in_order;
} taken;

static void parse(void *record, const char *line, size_t length)
{
    char digits[32] = "";
    memcpy(digits, line, length < sizeof digits ? length : sizeof digits - 1);
    *(unsigned long *)record = strtoul(digits, NULL, 10);
}

static bool take(void *user, void *record, const char *line, size_t length)
{
    taken *t = user;
    (void)line;
    t->in_order &= length > 0 && *(unsigned long *)record == t->next;
    t->next++;
    return t->next < t->last;
}

/* Numbers of 9 digits. The text has several groups of lines and is long enough for threads. The
 * last line has no line feed. */
static char *make_text(size_t *size)
{
    char *text = malloc((size_t)LINES * 10 + 1);
    assert_non_null(text);
    for (unsigned long i = 0; i < LINES; i++)
        sprintf(text + i * 10, "%09lu\n", i);
    *size = (size_t)LINES * 10 - 1;
    return text;
}

TEST(lines_are_taken_in_order)
{
    facet_source source = {0};
    char *text = make_text(&source.size);
    source.data = (const uint8_t *)text;
    for (unsigned threads = 1; threads <= 4; threads++) {
        taken t = {.last = LINES + 1, .in_order = true};
        bool lacks;
        const cli_line_steps steps = {sizeof(unsigned long), parse, take, &t, false};
        assert_true(cli_each_line(&source, 0, threads, &steps, &lacks));
        assert_true(t.in_order && !lacks);
        assert_int_equal(t.next, LINES);
    }
    free(text);
}

/* All records of the group are taken, so that they can be freed. A group has 1,024 lines. */
TEST(lines_end_soon_after_a_refusal)
{
    facet_source source = {0};
    char *text = make_text(&source.size);
    source.data = (const uint8_t *)text;
    taken t = {.last = STOP, .in_order = true};
    bool lacks;
    const cli_line_steps steps = {sizeof(unsigned long), parse, take, &t, false};
    assert_false(cli_each_line(&source, 0, 2, &steps, &lacks));
    assert_true(t.in_order && !lacks);
    assert_in_range(t.next, STOP, STOP + 1024);
    free(text);
}
