/* obj/census.c - how much of what a file seems to hold, without reading it all. */
#include "obj/reader.h"

#include <string.h>

typedef struct census {
    uint64_t elements[FACET_OBJ_KINDS], corners, faces;
    uint64_t bytes; /* that were looked at */
} census;

/* Count lines by their first letters, and words on face lines, between two
 * line starts. Odd spellings may be missed: arrays grow when they must. */
static void count_lines(census *c, const uint8_t *at, const uint8_t *end)
{
    c->bytes += (uint64_t)(end - at);
    while (end - at > 2) {
        const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));
        const uint8_t *line_end = newline ? newline : end;
        if (at[0] == 'v') {
            c->elements[FACET_OBJ_POSITION] += facet_text_is_blank(at[1]);
            c->elements[FACET_OBJ_TEXCOORD] += at[1] == 't';
            c->elements[FACET_OBJ_NORMAL] += at[1] == 'n';
        } else if (at[0] == 'f') {
            c->faces++;
            for (const uint8_t *p = at + 1; p < line_end - 1; p++)
                c->corners += facet_text_is_blank(p[0]) & (p[1] > ' ');
        }
        at = newline ? newline + 1 : end;
    }
}

#define WINDOWS 256
#define WINDOW ((size_t)1024)

static uint32_t scaled(const census *c, uint64_t count, uint64_t size)
{
    double estimate = (double)count;
    if (c->bytes < size)
        estimate = estimate * ((double)size / (double)c->bytes) * 1.06 + 1024;
    return estimate < FACET_OBJ_MOST ? (uint32_t)estimate : FACET_OBJ_MOST;
}

/* Small files are counted, large ones sampled in windows spread evenly. */
facet_obj_census facet_obj_take_census(const uint8_t *start, const uint8_t *end)
{
    census c = {{0}, 0, 0, 0};
    size_t size = (size_t)(end - start);
    if (size <= 4 * WINDOWS * WINDOW) {
        count_lines(&c, start, end);
        c.bytes = size;
    } else {
        for (size_t i = 0; i < WINDOWS; i++) {
            const uint8_t *from = start + (size - WINDOW) / (WINDOWS - 1) * i;
            const uint8_t *to = from + WINDOW;
            from = memchr(from, '\n', WINDOW);
            if (!from)
                continue;
            while (to[-1] != '\n')
                to--;
            count_lines(&c, from + 1, to);
        }
    }
    if (c.bytes == 0)
        c.bytes = size; /* no line ends anywhere: nothing counted */
    facet_obj_census result;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++)
        result.elements[kind] = scaled(&c, c.elements[kind], size);
    result.corners = scaled(&c, c.corners, size);
    result.faces = scaled(&c, c.faces, size);
    return result;
}
