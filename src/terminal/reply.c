/* terminal/reply.c - the answers of a terminal, parsed. */
#include "terminal/terminal.h"

#include <string.h>

/* The bytes between "ESC x" and the end of an answer. */
typedef struct answer {
    char kind; /* '[', ']', 'P' or '_' */
    const char *text;
    size_t length;
    char final; /* for '[': the letter that identifies the answer */
} answer;

/* Read the next answer from *at on; false if no complete answer is left. Bytes between answers were
 * typed by the user. */
static bool next_answer(const char *bytes, size_t size, size_t *at, answer *a)
{
    for (; *at + 2 <= size; ++*at) {
        if (bytes[*at] != '\033' || !memchr("[]P_", bytes[*at + 1], 4))
            continue;
        size_t begin = *at + 2, end = begin;
        bool is_control = bytes[*at + 1] == '[';
        while (end < size && (is_control ? bytes[end] < '@' || bytes[end] > '~'
                                         : bytes[end] != '\a' && bytes[end] != '\033'))
            end++;
        if (end == size)
            return false;
        *a = (answer){bytes[*at + 1], bytes + begin, end - begin, bytes[end]};
        /* "ESC \" ends a string; another ESC begins the next answer */
        bool is_ended = bytes[end] != '\033' || (end + 1 < size && bytes[end + 1] == '\\');
        *at = is_ended && bytes[end] == '\033' ? end + 2 : is_ended ? end + 1 : end;
        return true;
    }
    return false;
}

static bool begins(const answer *a, const char *with)
{
    size_t length = strlen(with);
    return a->length >= length && memcmp(a->text, with, length) == 0;
}

/* Read a number of at most four digits in the base; *at moves past it. */
static bool read_number(const answer *a, size_t *at, uint32_t base, uint32_t *number)
{
    static const char digits[] = "0123456789abcdef";
    size_t begin = *at;
    *number = 0;
    for (; *at < a->length && *at < begin + 4; ++*at) {
        char c = a->text[*at];
        if (c >= 'A' && c <= 'F')
            c = (char)(c - 'A' + 'a');
        const char *digit = c ? strchr(digits, c) : NULL;
        if (!digit || digit - digits >= (int)base)
            break;
        *number = *number * base + (uint32_t)(digit - digits);
    }
    return *at > begin;
}

/* True for "?62;4;22" with the letter c. */
static bool is_attributes(const answer *a)
{
    return a->kind == '[' && a->final == 'c' && begins(a, "?");
}

static bool lists_sixels(const answer *a)
{
    uint32_t number;
    for (size_t at = 1; at < a->length && read_number(a, &at, 10, &number); at++) {
        if (number == 4 && at > 2) /* the first number is the class of the terminal */
            return true;
    }
    return false;
}

/* Read "6;HEIGHT;WIDTH" with the letter t. */
static void read_cell(facet_terminal *terminal, const answer *a)
{
    size_t at = 2;
    uint32_t height, width;
    if (read_number(a, &at, 10, &height) && at < a->length && a->text[at++] == ';' &&
        read_number(a, &at, 10, &width) && at == a->length && height > 0 && width > 0) {
        terminal->cell_height = height;
        terminal->cell_width = width;
    }
}

/* Read "11;rgb:RRRR/GGGG/BBBB", each of 1 to 4 digits. */
static void read_background(facet_terminal *terminal, const answer *a)
{
    uint8_t color[3];
    size_t at = strlen("11;rgb:");
    for (int i = 0; i < 3; i++, at++) {
        size_t begin = at;
        uint32_t number, largest = 0;
        if (!read_number(a, &at, 16, &number) || (i < 2 && (at == a->length || a->text[at] != '/')))
            return;
        for (size_t digit = begin; digit < at; digit++)
            largest = largest * 16 + 15;
        color[i] = (uint8_t)((number * 255 + largest / 2) / largest);
    }
    memcpy(terminal->background, color, 3);
    terminal->has_background = true;
}

/* True if an answer such as "1$r0;48:2:1:2:3m" has the color that was set. */
static bool keeps_color(const answer *a)
{
    char text[64];
    size_t length = 0;
    for (size_t i = 0; i < a->length && length + 1 < sizeof text; i++)
        text[length++] = a->text[i] == ':' ? ';' : a->text[i];
    text[length] = '\0';
    /* with colons, an empty number for the color space may follow */
    return strstr(text, "48;2;1;2;3") || strstr(text, "48;2;;1;2;3");
}

bool facet_terminal_is_answered(const char *bytes, size_t size)
{
    answer a;
    for (size_t at = 0; next_answer(bytes, size, &at, &a);) {
        if (is_attributes(&a))
            return true;
    }
    return false;
}

void facet_terminal_read_reply(facet_terminal *terminal, const char *bytes, size_t size,
                               bool has_colors, bool has_unicode)
{
    bool has_kitty = false, has_iterm = false, has_sixels = false;
    answer a;
    for (size_t at = 0; next_answer(bytes, size, &at, &a);) {
        if (a.kind == '_' && begins(&a, "Gi=31;OK"))
            has_kitty = true;
        else if (a.kind == 'P' && (begins(&a, ">|iTerm2") || begins(&a, ">|WezTerm")))
            has_iterm = true;
        else if (a.kind == 'P' && begins(&a, "1$r"))
            has_colors |= keeps_color(&a);
        else if (a.kind == '[' && a.final == 't' && begins(&a, "6;"))
            read_cell(terminal, &a);
        else if (a.kind == ']' && begins(&a, "11;rgb:"))
            read_background(terminal, &a);
        else if (is_attributes(&a))
            has_sixels = lists_sixels(&a);
    }
    terminal->protocol = has_kitty                   ? FACET_TERMINAL_KITTY
                         : has_iterm                 ? FACET_TERMINAL_ITERM
                         : has_sixels                ? FACET_TERMINAL_SIXEL
                         : has_colors && has_unicode ? FACET_TERMINAL_BLOCKS
                                                     : FACET_TERMINAL_NONE;
}
