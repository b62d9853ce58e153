/* base/text.c - UTF-8, and untrusted text from files. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* -- UTF-8 -------------------------------------------------------------- */

size_t facet_utf8_sequence(const char *text, size_t length)
{
    if (length == 0)
        return 0;
    const unsigned char *b = (const unsigned char *)text;
    if (b[0] < 0x80)
        return 1;
    size_t need = b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : 2;
    if (b[0] < 0xC2 || b[0] > 0xF4 || need > length)
        return 0;
    for (size_t i = 1; i < need; i++) {
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    }
    /* The second byte reveals overlong forms, surrogates, and code points beyond U+10FFFF. */
    if ((b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xED && b[1] > 0x9F) ||
        (b[0] == 0xF0 && b[1] < 0x90) || (b[0] == 0xF4 && b[1] > 0x8F))
        return 0;
    return need;
}

size_t facet_text_plain_run(const char *text, size_t length)
{
    const uint64_t ones = UINT64_MAX / 255, highs = ones * 0x80;
    size_t run = 0;
    for (; run + 8 <= length; run += 8) {
        uint64_t word, quote, slash;
        memcpy(&word, text + run, sizeof word);
        quote = word ^ ones * '"';
        slash = word ^ ones * '\\';
        /* A byte below 0x20, or one that is now 0, borrows from its highest bit. */
        if ((word | (word - ones * 0x20) | (quote - ones) | (slash - ones)) & highs)
            break;
    }
    return run;
}

bool facet_utf8_valid(const char *text, size_t length)
{
    while (length > 0) {
        size_t plain = facet_text_plain_run(text, length);
        text += plain;
        length -= plain;
        if (length == 0)
            return true;
        size_t taken = facet_utf8_sequence(text, length);
        if (taken == 0)
            return false;
        text += taken;
        length -= taken;
    }
    return true;
}

/* -- Messages ----------------------------------------------------------- */

uint32_t facet_utf8_code_point(const char *sequence, size_t length)
{
    static const unsigned char first_bits[] = {0x7F, 0x1F, 0x0F, 0x07};
    uint32_t point = (unsigned char)sequence[0] & first_bits[length - 1];
    for (size_t i = 1; i < length; i++)
        point = point << 6 | ((unsigned char)sequence[i] & 0x3F);
    return point;
}

bool facet_steers_terminal(uint32_t c)
{
    bool control = c < 0x20 || (c >= 0x7F && c < 0xA0), line = c == 0x2028 || c == 0x2029;
    /* Unicode 15, Bidi_Control: text is displayed in another order than it is stored. */
    bool order = c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                 (c >= 0x2066 && c <= 0x2069);
    return control || line || order;
}

size_t facet_show_character(facet_shown *shown, const char *text, size_t length)
{
    const unsigned char *b = (const unsigned char *)text;
    size_t taken = facet_utf8_sequence(text, length);
    if (taken > 0 && !facet_steers_terminal(facet_utf8_code_point(text, taken))) {
        memcpy(shown->text, text, taken);
        shown->text[taken] = '\0';
        return taken;
    }
    taken = taken ? taken : 1;
    for (size_t i = 0; i < taken; i++)
        snprintf(shown->text + 4 * i, sizeof shown->text - 4 * i, "\\x%02X", b[i]);
    return taken;
}

const char *facet_quote(facet_quoted *quoted, const char *text, size_t length)
{
    const size_t space = sizeof quoted->text - 4; /* for "..." and the NUL */
    size_t used = 0;
    while (length > 0) {
        facet_shown shown;
        size_t taken = facet_show_character(&shown, text, length);
        size_t wanted = strlen(shown.text);
        if (used + wanted > space) {
            memcpy(quoted->text + used, "...", 3);
            used += 3;
            break;
        }
        memcpy(quoted->text + used, shown.text, wanted);
        used += wanted;
        text += taken;
        length -= taken;
    }
    quoted->text[used] = '\0';
    return quoted->text;
}

/* -- Names from Blender ------------------------------------------------- */

size_t facet_bare_length(const char *name)
{
    size_t length = strlen(name), digits = 0;
    while (digits < length && name[length - digits - 1] >= '0' && name[length - digits - 1] <= '9')
        digits++;
    if (digits >= 3 && digits + 1 < length && name[length - digits - 1] == '.')
        return length - digits - 1;
    return length;
}
