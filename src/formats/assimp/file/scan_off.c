/* formats/assimp/file/scan_off.c - colors of faces in an OFF, which assimp drops without a message.
 * Like assimp, this scan reads a vertex or a face per line. */
#include "base/report.h"
#include "formats/assimp/file/scan.h"

#include <string.h>

typedef struct off_scanner {
    const uint8_t *at, *end;
    uint64_t line; /* of the last line that was returned */
} off_scanner;

typedef struct span {
    const uint8_t *at, *end;
} span;

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* The next line that is not empty, without its comment. False at the end. */
static bool next_line(off_scanner *s, span *line)
{
    while (s->at < s->end) {
        const uint8_t *stop = memchr(s->at, '\n', (size_t)(s->end - s->at));
        *line = (span){s->at, stop ? stop : s->end};
        s->at = stop ? stop + 1 : s->end;
        s->line++;
        const uint8_t *comment = memchr(line->at, '#', (size_t)(line->end - line->at));
        line->end = comment ? comment : line->end;
        while (line->at < line->end && is_blank(*line->at))
            line->at++;
        if (line->at < line->end)
            return true;
    }
    return false;
}

/* The next word of a line; empty at its end. */
static span next_word(span *line)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
    span word = {line->at, line->at};
    while (line->at < line->end && !is_blank(*line->at))
        line->at++;
    word.end = line->at;
    return word;
}

/* A whole number; UINT32_MAX if a word is not one. */
static uint32_t number_of(span word)
{
    uint64_t number = 0;
    if (word.at == word.end || word.end - word.at > 9)
        return UINT32_MAX;
    for (; word.at < word.end; word.at++) {
        if (*word.at < '0' || *word.at > '9')
            return UINT32_MAX;
        number = number * 10 + (uint64_t)(*word.at - '0');
    }
    return (uint32_t)number;
}

/* True if words follow the indices of a face. */
static bool has_color(span line)
{
    uint32_t count = number_of(next_word(&line));
    for (uint32_t i = 0; i < count && line.at < line.end; i++)
        next_word(&line);
    span color = next_word(&line);
    return count != UINT32_MAX && color.at < color.end;
}

void facet_assimp_scan_off(const uint8_t *data, size_t size, facet_report *report)
{
    off_scanner s = {data, data + size, 0};
    span line, head;
    facet_tally colors = {0, 0};
    uint64_t first = 0;
    if (!next_line(&s, &line))
        return;
    head = next_word(&line);
    bool has_head = head.end - head.at >= 3 && memcmp(head.end - 3, "OFF", 3) == 0;
    if (!has_head || next_word(&line).at < line.end || !next_line(&s, &line))
        return;
    uint32_t vertices = number_of(next_word(&line)), faces = number_of(next_word(&line));
    if (vertices == UINT32_MAX || faces == UINT32_MAX)
        return;
    for (uint32_t i = 0; i < vertices && next_line(&s, &line); i++)
        ;
    for (uint32_t i = 0; i < faces && next_line(&s, &line); i++) {
        if (!has_color(line))
            continue;
        first = colors.count == 0 ? s.line : first;
        facet_tally_hit(&colors, i);
    }
    facet_report_add_tally_line(report, "LOSS-COLORS", FACET_SEVERITY_WARNING, first, &colors,
                                "the color of a face is not read");
}
