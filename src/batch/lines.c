/* batch/lines.c - groups of lines: the threads parse a group, then one thread takes it. */
#include "batch/lines.h"
#include "base/file.h"
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>

/* Lines of a group, and of the part of it that one task parses. */
enum { GROUP = 1024, PART = 64 };
/* Bytes of lines after which their pages are released. */
#define FORGET ((size_t)4 << 20)
/* From this size on, threads are faster. */
#define LONG ((size_t)256 << 10)

typedef struct group {
    const cli_line_steps *steps;
    uint8_t *records;
    size_t count;
    struct {
        const char *text;
        size_t length;
    } lines[GROUP];
} group;

static void parse_part(void *argument, size_t part)
{
    const group *g = argument;
    size_t end = (part + 1) * PART < g->count ? (part + 1) * PART : g->count;
    for (size_t i = part * PART; i < end; i++)
        g->steps->parse(g->records + i * g->steps->size, g->lines[i].text, g->lines[i].length);
}

/* Collect lines; the text after them. */
static const char *collect(group *g, const char *text, const char *end)
{
    for (g->count = 0; g->count < GROUP && text < end; g->count++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        g->lines[g->count].text = text;
        g->lines[g->count].length = (size_t)((stop ? stop : end) - text);
        text = stop ? stop + 1 : end;
    }
    return text;
}

static bool take_all(group *g)
{
    bool going = true;
    for (size_t i = 0; i < g->count; i++)
        going &= g->steps->take(g->steps->user, g->records + i * g->steps->size, g->lines[i].text,
                                g->lines[i].length);
    return going;
}

bool cli_each_line(const facet_source *source, size_t first, unsigned threads,
                   const cli_line_steps *steps, bool *lacks)
{
    const char *at = (const char *)source->data + first, *kept = at;
    const char *end = (const char *)source->data + source->size;
    facet_options options = {0};
    group *g = malloc(sizeof *g);
    uint8_t *records = malloc(GROUP * steps->size);
    bool made = g && records, going = made;
    *lacks = !made;
    /* Without further threads, this one parses. */
    if (made && threads != 1 && source->size >= LONG)
        facet_threads_create(threads, &options.threads, NULL);
    while (going && at < end) {
        g->steps = steps;
        g->records = records;
        at = collect(g, at, end);
        facet_run(&options, parse_part, g, (g->count + PART - 1) / PART);
        going = take_all(g);
        if ((size_t)(at - kept) >= FORGET || at == end) {
            (steps->once ? facet_source_discard
                         : facet_source_forget)(source, (const uint8_t *)kept, (const uint8_t *)at);
            kept = at;
        }
    }
    facet_threads_free(options.threads);
    free(records);
    free(g);
    return going;
}
