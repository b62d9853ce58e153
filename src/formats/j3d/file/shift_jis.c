/* formats/j3d/file/shift_jis.c - names to UTF-8 and back. Single bytes are ASCII and, from 0xA1 to
 * 0xDF, half-width katakana. Pairs of bytes are rows and cells of JIS X 0208. */
#include "formats/j3d/file/shift_jis.h"

#include "base/error.h"

#include <facet/j3d.h>
#include <string.h>

#define HALF_KATAKANA 0xFF61u /* U+FF61 is the byte 0xA1 */
#define FIRST_KATAKANA 0xA1u
#define LAST_KATAKANA 0xDFu

/* -- Bounded text ------------------------------------------------------- */

/* Text output like that of snprintf: as much as fits, and the full length. */
typedef struct cut_text {
    char *bytes;
    size_t size, length;
} cut_text;

/* Append a whole character. If it does not fit, drop it and everything after it. */
static void append(cut_text *text, const char *bytes, size_t count)
{
    if (text->length + count < text->size)
        memcpy(text->bytes + text->length, bytes, count);
    else if (text->length < text->size)
        text->size = text->length + 1;
    text->length += count;
}

static size_t finish(const cut_text *text)
{
    if (text->size > 0)
        text->bytes[text->length < text->size ? text->length : text->size - 1] = 0;
    return text->length;
}

/* -- Rows and cells ----------------------------------------------------- */

static bool is_lead(uint8_t byte)
{
    return (byte >= 0x81 && byte <= 0x9F) || (byte >= 0xE0 && byte <= 0xFC);
}

/* The character of a pair of bytes, and its length in UTF-8; 0 if the pair is invalid. */
static size_t character_of(uint8_t lead, uint8_t trail, const char **character)
{
    if (trail < 0x40 || trail == 0x7F || trail > 0xFC)
        return 0;
    unsigned row = (unsigned)(lead - (lead >= 0xE0 ? 0xC1 : 0x81)) * 2, cell;
    if (trail >= 0x9F) {
        row++;
        cell = trail - 0x9Fu;
    } else {
        cell = trail - 0x40u - (trail > 0x7F);
    }
    if (row >= FACET_SHIFT_JIS_ROWS)
        return 0;
    const char *at = facet_shift_jis_row(row);
    for (; *at; cell--) {
        size_t length = facet_utf8_sequence(at, strlen(at));
        if (cell == 0) {
            *character = at;
            return *at == ' ' ? 0 : length;
        }
        at += length;
    }
    return 0;
}

static void pair_of_cell(unsigned row, unsigned cell, char pair[2])
{
    unsigned lead = 0x81 + row / 2;
    pair[0] = (char)(lead > 0x9F ? lead + 0x40 : lead);
    pair[1] = (char)(row % 2 ? 0x9F + cell : 0x40 + cell + (cell >= 63));
}

/* Find the pair of bytes of a character. False if it has none. Rows are searched as text: equal
 * characters have equal bytes in UTF-8. */
static bool find_pair(const char *character, size_t length, char pair[2])
{
    char wanted[4] = {0};
    if (length >= sizeof wanted) /* no row has such a character */
        return false;
    memcpy(wanted, character, length);
    for (unsigned row = 0; row < FACET_SHIFT_JIS_ROWS; row++) {
        const char *begin = facet_shift_jis_row(row), *found = strstr(begin, wanted);
        if (found) {
            unsigned cell = 0;
            for (const char *at = begin; at < found; at++)
                cell += (*at & 0xC0) != 0x80;
            pair_of_cell(row, cell, pair);
            return true;
        }
    }
    return false;
}

/* -- Names -------------------------------------------------------------- */

size_t facet_j3d_name_text(const char *bytes, char *text, size_t size)
{
    cut_text made = {text, size, 0};
    for (const uint8_t *at = (const uint8_t *)bytes; *at; at++) {
        const char *character = NULL;
        size_t length = is_lead(*at) ? character_of(at[0], at[1], &character) : 0;
        if (*at < 0x80) {
            append(&made, (const char *)at, 1);
        } else if (*at >= FIRST_KATAKANA && *at <= LAST_KATAKANA) {
            unsigned code = HALF_KATAKANA + (*at - FIRST_KATAKANA);
            char utf8[3] = {(char)(0xE0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3F)),
                            (char)(0x80 | (code & 0x3F))};
            append(&made, utf8, sizeof utf8);
        } else if (length > 0) {
            append(&made, character, length);
            at++;
        } else {
            append(&made, "\xEF\xBF\xBD", 3);
        }
    }
    return finish(&made);
}

size_t facet_j3d_name_bytes(const char *text, char *bytes, size_t size, size_t *lost)
{
    cut_text made = {bytes, size, 0};
    size_t left = strlen(text), gone = 0;
    while (left > 0) {
        size_t length = facet_utf8_sequence(text, left);
        unsigned code = 0;
        char pair[2];
        if (length == 3)
            code = (unsigned)(text[0] & 0x0F) << 12 | (unsigned)(text[1] & 0x3F) << 6 |
                   (unsigned)(text[2] & 0x3F);
        if (length == 1) {
            append(&made, text, 1);
        } else if (code >= HALF_KATAKANA &&
                   code <= HALF_KATAKANA + (LAST_KATAKANA - FIRST_KATAKANA)) {
            char byte = (char)(code - HALF_KATAKANA + FIRST_KATAKANA);
            append(&made, &byte, 1);
        } else if (length > 1 && find_pair(text, length, pair)) {
            append(&made, pair, 2);
        } else {
            append(&made, "_", 1);
            gone++;
        }
        text += length ? length : 1;
        left -= length ? length : 1;
    }
    if (lost)
        *lost = gone;
    return finish(&made);
}
