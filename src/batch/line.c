/* batch/line.c - a line of results: its values are found by their keys. */
#include "batch/line.h"

#include <stdlib.h>
#include <string.h>

#define NAME(text)                                                \
    {                                                             \
        text, sizeof(text) - 1, "\"" text "\":", sizeof(text) + 2 \
    }
static const struct {
    const char *text;
    size_t length;
    const char *written; /* as lines usually have it: in quotes, with its colon */
    size_t written_length;
} names[CLI_LINE_KEYS] = {
    NAME("id"),         NAME("status"),    NAME("code"),      NAME("retry"),
    NAME("attempt"),    NAME("run"),       NAME("in"),        NAME("columns"),
    NAME("reason"),     NAME("same_as"),   NAME("in_sha256"), NAME("in_bytes"),
    NAME("in_ns"),      NAME("sides"),     NAME("out"),       NAME("out_sha256"),
    NAME("out_bytes"),  NAME("outputs"),   NAME("findings"),  NAME("finding_count"),
    NAME("options"),    NAME("version"),   NAME("host"),      NAME("ms"),
    NAME("peak_bytes"), NAME("tar_bytes"), NAME("tar"),       NAME("tar_offset")};

const char *cli_line_key_name(cli_line_key key)
{
    return names[key].text;
}

/* -- Scanning ------------------------------------------------------------ */

/* End of a string that begins at `at`; NULL if it does not end. */
static const char *skip_string(const char *at, const char *end)
{
    while ((at = memchr(at + 1, '"', (size_t)(end - at) - 1))) {
        size_t escapes = 0;
        while (at[-1 - (ptrdiff_t)escapes] == '\\')
            escapes++;
        if (escapes % 2 == 0)
            return at + 1;
    }
    return NULL;
}

/* End of an array or object. */
static const char *skip_list(const char *at, const char *end)
{
    unsigned depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            if (!at)
                return NULL;
            continue;
        }
        depth += *at == '{' || *at == '[';
        if ((*at == '}' || *at == ']') && --depth == 0)
            return at + 1;
        at++;
    }
    return NULL;
}

/* End of any value. */
static const char *skip_value(const char *at, const char *end)
{
    const char *begin = at;
    if (at < end && *at == '"')
        return skip_string(at, end);
    if (at < end && (*at == '{' || *at == '['))
        return skip_list(at, end);
    while (at < end && *at != ',' && *at != '}' && *at != ']')
        at++;
    return at < end && at > begin ? at : NULL;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

/* `expected`: likely key, because keys are usually in the same order. */
static unsigned find_key(const char *text, size_t length, unsigned expected)
{
    for (unsigned i = 0; i < CLI_LINE_KEYS; i++) {
        unsigned key = (expected + i) % CLI_LINE_KEYS;
        if (names[key].length == length && memcmp(names[key].text, text, length) == 0)
            return key;
    }
    return CLI_LINE_KEYS;
}

/* The likely key, or one soon after it, if it begins at `at`. */
static unsigned match_key(const char *at, const char *end, unsigned expected)
{
    enum { TRIES = 6 };
    for (unsigned key = expected; key < expected + TRIES && key < CLI_LINE_KEYS; key++) {
        if ((size_t)(end - at) > names[key].written_length &&
            memcmp(at, names[key].written, names[key].written_length) == 0)
            return key;
    }
    return CLI_LINE_KEYS;
}

/* Read a key, and set `at` to its value. False if the text is not a key. */
static bool read_key(const char **at, const char *end, unsigned expected, unsigned *found)
{
    const char *key = skip_blanks(*at, end);
    *found = match_key(key, end, expected);
    if (*found < CLI_LINE_KEYS) {
        *at = skip_blanks(key + names[*found].written_length, end);
        return true;
    }
    const char *after = key < end && *key == '"' ? skip_string(key, end) : NULL;
    const char *colon = after ? skip_blanks(after, end) : end;
    if (colon == end || *colon != ':')
        return false;
    *found = find_key(key + 1, (size_t)(after - key) - 2, expected);
    *at = skip_blanks(colon + 1, end);
    return true;
}

bool cli_line_scan(const char *text, size_t length, cli_line *line)
{
    const char *end = text + length, *at = skip_blanks(text, end);
    unsigned expected = 0, found;
    *line = (cli_line){0};
    if (at == end || *at != '{')
        return false;
    do {
        const char *value = at + 1;
        if (!read_key(&value, end, expected, &found))
            return false;
        at = skip_value(value, end);
        if (!at)
            return false;
        if (found < CLI_LINE_KEYS) {
            line->values[found].text = value;
            line->values[found].length = (size_t)(at - value);
            expected = found + 1;
        }
        at = skip_blanks(at, end);
    } while (at < end && *at == ',');
    return at < end && *at == '}' && skip_blanks(at + 1, end) == end;
}

/* -- Values -------------------------------------------------------------- */

facet_json *cli_line_value(const cli_line *line, cli_line_key key)
{
    return line->values[key].text
               ? facet_json_read(line->values[key].text, line->values[key].length, 0, NULL)
               : NULL;
}

const char *cli_line_string(const cli_line *line, cli_line_key key, char space[CLI_LINE_SPACE],
                            size_t *length)
{
    const char *text = line->values[key].text;
    size_t size = line->values[key].length;
    *length = 0;
    if (!text || size < 2 || *text != '"')
        return "";
    if (!memchr(text, '\\', size)) {
        *length = size - 2;
        return text + 1;
    }
    facet_json *value = cli_line_value(line, key);
    size_t decoded = facet_json_string_length(value);
    if (value && decoded < CLI_LINE_SPACE) {
        memcpy(space, facet_json_string_value(value), decoded);
        *length = decoded;
    }
    facet_json_free(value);
    return space;
}

bool cli_line_is(const cli_line *line, cli_line_key key, const char *text)
{
    char space[CLI_LINE_SPACE];
    size_t length;
    const char *value = cli_line_string(line, key, space, &length);
    return strlen(text) == length && memcmp(value, text, length) == 0;
}

double cli_line_number(const cli_line *line, cli_line_key key)
{
    char digits[40] = "";
    size_t length = line->values[key].length;
    if (!line->values[key].text || length >= sizeof digits)
        return 0;
    memcpy(digits, line->values[key].text, length);
    return strtod(digits, NULL);
}

uint64_t cli_line_count(const cli_line *line, cli_line_key key)
{
    const char *text = line->values[key].text;
    uint64_t value = 0;
    for (size_t i = 0; text && i < line->values[key].length; i++) {
        if (text[i] < '0' || text[i] > '9' || value > UINT64_MAX / 10 - 1)
            return 0;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    return value;
}

bool cli_line_is_true(const cli_line *line, cli_line_key key)
{
    return line->values[key].length == 4 && memcmp(line->values[key].text, "true", 4) == 0;
}
