/* batch/request.c - requests of a worker. An object ends at its last closing brace, with or without
 * a line feed (Bazel before version 5 sends none). Other text ends at the end of its line. */
#include "batch/request.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Read more. False at the end of the input, or if out of memory. */
static bool fill(cli_requests *r)
{
    if (r->taken > 0) {
        memmove(r->text, r->text + r->taken, r->used - r->taken);
        r->used -= r->taken;
        r->taken = 0;
    }
    r->no_memory = !FACET_GROW_HEAP(r->text, r->used + 4096, r->space);
    if (r->no_memory)
        return false;
    ssize_t got;
    do
        got = read(r->descriptor, r->text + r->used, r->space - r->used);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        r->fault = errno;
    r->used += got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* State of find_end between calls. */
typedef struct scan {
    size_t at;
    unsigned depth;
    bool object, string, escaped;
} scan;

/* Advance to the end of a request; false if it is not complete. */
static bool find_end(scan *s, const char *text, size_t size)
{
    for (; s->at < size; s->at++) {
        char c = text[s->at];
        if (s->at == 0)
            s->object = c == '{';
        if (!s->object) {
            if (c == '\n')
                return true;
        } else if (s->string) {
            s->string = s->escaped || c != '"';
            s->escaped = !s->escaped && c == '\\';
        } else {
            s->string = c == '"';
            s->depth += c == '{' || c == '[';
            if ((c == '}' || c == ']') && --s->depth == 0) {
                s->at++;
                return true;
            }
        }
    }
    return false;
}

bool cli_requests_next(cli_requests *r, const char **text, size_t *length)
{
    scan s = {0};
    for (;;) {
        while (s.at == 0 && r->taken < r->used && strchr(" \t\r\n", r->text[r->taken]) &&
               r->text[r->taken])
            r->taken++;
        bool whole = find_end(&s, r->text + r->taken, r->used - r->taken);
        if (!whole && fill(r))
            continue;
        if (r->no_memory)
            return false;
        *text = r->text + r->taken;
        *length = s.at;
        r->taken += s.at;
        return s.at > 0; /* at the end of the input, the rest is the last request */
    }
}

void *cli_requests_bytes(cli_requests *r, size_t size, const void **bytes)
{
    while (r->used - r->taken < 1) {
        if (!fill(r))
            return NULL;
    }
    bool ended = r->text[r->taken] == '\n';
    r->taken += ended;
    while (ended && r->used - r->taken < size && fill(r))
        continue;
    if (!ended || r->used - r->taken < size)
        return NULL;
    size_t left = r->used - r->taken - size;
    char *block = r->text, *rest = malloc(left + 1);
    r->no_memory = !rest;
    if (!rest)
        return NULL;
    *bytes = block + r->taken;
    memcpy(rest, block + r->taken + size, left);
    r->text = rest;
    r->taken = 0;
    r->used = left;
    r->space = left + 1;
    return block;
}

void cli_requests_free(cli_requests *r)
{
    free(r->text);
    *r = (cli_requests){0};
}
