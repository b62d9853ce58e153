/* batch/line.h - a line of results looked at without making a tree of it: a million of them are
 * read in a second. */
#ifndef FACET_BATCH_LINE_H
#define FACET_BATCH_LINE_H

#include "base/json.h"

typedef enum cli_line_key {
    CLI_LINE_ID,
    CLI_LINE_STATUS,
    CLI_LINE_CODE,
    CLI_LINE_RETRY,
    CLI_LINE_ATTEMPT,
    CLI_LINE_RUN,
    CLI_LINE_IN,
    CLI_LINE_IN_SHA256,
    CLI_LINE_IN_BYTES,
    CLI_LINE_IN_CHANGED,
    CLI_LINE_SIDES,
    CLI_LINE_OUT,
    CLI_LINE_OUT_SHA256,
    CLI_LINE_OUT_BYTES,
    CLI_LINE_OUTPUTS,
    CLI_LINE_FINDINGS,
    CLI_LINE_FINDING_COUNT,
    CLI_LINE_MS,
    CLI_LINE_PEAK_BYTES,
    CLI_LINE_OPTIONS,
    CLI_LINE_VERSION,
    CLI_LINE_HOST,
    CLI_LINE_TAR,
    CLI_LINE_TAR_OFFSET,
    CLI_LINE_TAR_BYTES,
    CLI_LINE_KEYS
} cli_line_key;

/* Values as they are written, quotes included; a NULL text: the key is not there. */
typedef struct cli_line {
    struct {
        const char *text;
        size_t length;
    } values[CLI_LINE_KEYS];
} cli_line;

/* The text of the longest string that is taken, with its NUL: of a longer one, as a path of 4,096
 * bytes that are no UTF-8, the item runs again. */
#define CLI_LINE_SPACE 8192

const char *cli_line_key_name(cli_line_key key);
/* False when it is not one whole object: it was cut short, or is something else. */
bool cli_line_scan(const char *text, size_t length, cli_line *line);
/* A string, or "": in the line itself when `space` is not needed, without a NUL. */
const char *cli_line_string(const cli_line *line, cli_line_key key, char space[CLI_LINE_SPACE],
                            size_t *length);
bool cli_line_is(const cli_line *line, cli_line_key key, const char *text);
/* 0 when it is not a number, or below 0. */
uint64_t cli_line_count(const cli_line *line, cli_line_key key);
double cli_line_number(const cli_line *line, cli_line_key key);
bool cli_line_is_true(const cli_line *line, cli_line_key key);
/* A value as a tree, NULL when it is not there; to be freed. */
facet_json *cli_line_value(const cli_line *line, cli_line_key key);

#endif
