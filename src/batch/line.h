/* batch/line.h - a line of results, read without a tree. A million lines are read in a second. */
#ifndef FACET_BATCH_LINE_H
#define FACET_BATCH_LINE_H

#include "base/json.h"

/* Keys in the order in which a line usually has them: then they are found faster. */
typedef enum cli_line_key {
    CLI_LINE_ID,
    CLI_LINE_STATUS,
    CLI_LINE_CODE,
    CLI_LINE_RETRY,
    CLI_LINE_ATTEMPT,
    CLI_LINE_RUN,
    CLI_LINE_IN,
    CLI_LINE_COLUMNS,
    CLI_LINE_REASON,
    CLI_LINE_SAME_AS,
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
    CLI_LINE_OPTIONS,
    CLI_LINE_VERSION,
    CLI_LINE_HOST,
    CLI_LINE_MS,
    CLI_LINE_PEAK_BYTES,
    CLI_LINE_TAR_BYTES,
    CLI_LINE_TAR,
    CLI_LINE_TAR_OFFSET,
    CLI_LINE_KEYS
} cli_line_key;

/* Values as they are written, with quotes; text is NULL if the key is missing. */
typedef struct cli_line {
    struct {
        const char *text;
        size_t length;
    } values[CLI_LINE_KEYS];
} cli_line;

/* Size of the longest string that can be read, with its NUL. If a string is longer, the item runs
 * again. An example is a path of 4,096 bytes that are not UTF-8. */
#define CLI_LINE_SPACE 8192

const char *cli_line_key_name(cli_line_key key);
/* False if the text is not one complete object, for example because the line is truncated. */
bool cli_line_scan(const char *text, size_t length, cli_line *line);
/* A string, or "". It points into the line, without a NUL, if `space` is not needed. */
const char *cli_line_string(const cli_line *line, cli_line_key key, char space[CLI_LINE_SPACE],
                            size_t *length);
bool cli_line_is(const cli_line *line, cli_line_key key, const char *text);
/* 0 if the value is not a number, or is negative. */
uint64_t cli_line_count(const cli_line *line, cli_line_key key);
double cli_line_number(const cli_line *line, cli_line_key key);
bool cli_line_is_true(const cli_line *line, cli_line_key key);
/* A value as a tree, which the caller frees; NULL if the key is missing. */
facet_json *cli_line_value(const cli_line *line, cli_line_key key);

#endif
