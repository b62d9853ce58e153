/* assimp/file/ply.c - what assimp does not check before it reads a PLY: the
 * header ends, and the file is long enough for the elements that it promises. */
#include "assimp/file/file.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

/* -- Words of a header -------------------------------------------------- */

typedef struct word {
    const char *at;
    size_t length;
} word;

/* The next word of a line, which ends at `end`; of length 0 after the last. */
static word next_word(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t' || **at == '\r'))
        ++*at;
    word found = {*at, 0};
    while (*at < end && **at != ' ' && **at != '\t' && **at != '\r')
        ++*at;
    found.length = (size_t)(*at - found.at);
    return found;
}

static bool is(word w, const char *text)
{
    return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

/* Bytes of a scalar type; 1 for those that we do not know. */
static uint64_t bytes_of(word type)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } known[] = {{"short", 2}, {"ushort", 2},  {"int16", 2},  {"uint16", 2},
                 {"int", 4},   {"uint", 4},    {"int32", 4},  {"uint32", 4},
                 {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (is(type, known[i].name))
            return known[i].bytes;
    }
    return 1;
}

/* A decimal number, UINT64_MAX when it is none or does not fit. */
static uint64_t number_of(word w)
{
    uint64_t value = 0;
    for (size_t i = 0; i < w.length; i++) {
        if (w.at[i] < '0' || w.at[i] > '9' || value > UINT64_MAX / 10 - 1)
            return UINT64_MAX;
        value = value * 10 + (uint64_t)(w.at[i] - '0');
    }
    return w.length > 0 ? value : UINT64_MAX;
}

/* -- The header --------------------------------------------------------- */

typedef struct header {
    bool text;
    uint64_t count, bytes; /* of the element that the properties belong to */
    uint64_t needed;       /* bytes that all elements take at least */
    uint64_t line;
} header;

static facet_status too_many(const header *h, uint64_t left, facet_error *error)
{
    return facet_fail_line(
        error, FACET_ERROR_MALFORMED, "PLY-SIZE", h->line,
        "the elements of the header take more than the %" PRIu64 " bytes that follow it", left);
}

/* Add what the element before takes; false when all take more than the `left`
 * bytes behind the header. */
static bool end_element(header *h, uint64_t left)
{
    uint64_t bytes = h->bytes > 0 ? h->bytes : 1;
    if (h->needed > left || h->count > (left - h->needed) / bytes)
        return false;
    h->needed += h->count * bytes;
    h->count = h->bytes = 0;
    return true;
}

/* One line; *done at the last. */
static facet_status read_line(header *h, const char *at, const char *end, uint64_t left, bool *done,
                              facet_error *error)
{
    word first = next_word(&at, end);
    if (is(first, "format")) {
        h->text = is(next_word(&at, end), "ascii");
    } else if (is(first, "property")) {
        word type = next_word(&at, end);
        /* A list may be empty; a number in text is a digit at least. */
        if (is(type, "list"))
            type = next_word(&at, end);
        h->bytes += h->text ? 1 : bytes_of(type);
    } else if (is(first, "element") || is(first, "end_header")) {
        if (!end_element(h, left))
            return too_many(h, left, error);
        *done = is(first, "end_header");
        next_word(&at, end);
        h->count = *done ? 0 : number_of(next_word(&at, end));
    }
    return FACET_OK;
}

facet_status facet_assimp_guard_ply(const facet_source *source, facet_error *error)
{
    const char *begin = (const char *)source->data, *end = begin + source->size;
    if (source->size < 4 || memcmp(begin, "ply", 3) != 0 || (begin[3] != '\n' && begin[3] != '\r'))
        return FACET_OK;
    header h = {.line = 1};
    bool done = false;
    for (const char *at = begin; at < end && !done; h.line++) {
        const char *stop = at;
        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        const char *next = stop < end ? stop + 1 : stop;
        if (next < end && *stop == '\r' && *next == '\n')
            next++;
        facet_status status = read_line(&h, at, stop, (uint64_t)(end - next), &done, error);
        if (status)
            return status;
        at = next;
    }
    return done ? FACET_OK
                : facet_fail_line(error, FACET_ERROR_MALFORMED, "PLY-HEADER", h.line,
                                  "the header of the PLY has no end");
}
