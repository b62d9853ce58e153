/* base/error.c - status names, raising errors, quoting hostile text. */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

#define FACET_STRING_(x) #x
#define FACET_STRING(x) FACET_STRING_(x)

const char *facet_version(void)
{
    return FACET_STRING(FACET_VERSION_MAJOR) "." FACET_STRING(FACET_VERSION_MINOR) "." FACET_STRING(
        FACET_VERSION_PATCH);
}

const char *facet_status_name(facet_status status)
{
    switch (status) {
    case FACET_OK:
        return "done";
    case FACET_ERROR_ARGUMENT:
        return "wrong call";
    case FACET_ERROR_UNSUPPORTED:
        return "not supported";
    case FACET_ERROR_MALFORMED:
        return "malformed input";
    case FACET_ERROR_LOSS:
        return "would lose";
    case FACET_ERROR_LIMIT:
        return "limit exceeded";
    case FACET_ERROR_MEMORY:
        return "out of memory";
    case FACET_ERROR_IO:
        return "system error";
    case FACET_ERROR_CANCELED:
        return "canceled";
    }
    return "unknown status";
}

/* -- Raising ------------------------------------------------------------ */

facet_status facet_fail_v(facet_error *error, facet_status status, const char *rule,
                          uint64_t offset, uint64_t line, const char *format, va_list arguments)
{
    if (error) {
        memset(error, 0, sizeof *error);
        error->status = status;
        error->offset = offset;
        error->line = line;
        snprintf(error->rule, sizeof error->rule, "%s", rule ? rule : "");
        vsnprintf(error->message, sizeof error->message, format, arguments);
    }
    return status;
}

facet_status facet_fail(facet_error *error, facet_status status, const char *rule, uint64_t offset,
                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, status, rule, offset, 0, format, arguments);
    va_end(arguments);
    return status;
}

facet_status facet_fail_line(facet_error *error, facet_status status, const char *rule,
                             uint64_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, status, rule, FACET_NO_OFFSET, line, format, arguments);
    va_end(arguments);
    return status;
}

facet_status facet_fail_memory(facet_error *error, size_t size)
{
    return facet_fail(error, FACET_ERROR_MEMORY, NULL, FACET_NO_OFFSET,
                      "%zu bytes of memory could not be had", size);
}

facet_status facet_fail_system(facet_error *error, int code, const char *verb, const char *path)
{
    facet_quoted quoted;
    char reason[128];
    /* The XSI strerror_r, which is thread-safe; the GNU one has another type. */
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", code);
    return facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET, "cannot %s '%s': %s", verb,
                      facet_quote(&quoted, path, strlen(path)), reason);
}

/* -- Text --------------------------------------------------------------- */

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
    /* Overlong forms, surrogates, beyond U+10FFFF: told by the second byte. */
    if ((b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xED && b[1] > 0x9F) ||
        (b[0] == 0xF0 && b[1] < 0x90) || (b[0] == 0xF4 && b[1] > 0x8F))
        return 0;
    return need;
}

bool facet_utf8_valid(const char *text, size_t length)
{
    while (length > 0) {
        size_t taken = facet_utf8_sequence(text, length);
        if (taken == 0)
            return false;
        text += taken;
        length -= taken;
    }
    return true;
}

size_t facet_show_character(facet_shown *shown, const char *text, size_t length)
{
    const unsigned char *b = (const unsigned char *)text;
    size_t taken = facet_utf8_sequence(text, length);
    bool control = b[0] < 0x20 || b[0] == 0x7F || (taken == 2 && b[0] == 0xC2 && b[1] < 0xA0);
    if (taken > 0 && !control) {
        memcpy(shown->text, text, taken);
        shown->text[taken] = '\0';
        return taken;
    }
    if (taken == 2)
        snprintf(shown->text, sizeof shown->text, "\\x%02X\\x%02X", b[0], b[1]);
    else
        snprintf(shown->text, sizeof shown->text, "\\x%02X", b[0]);
    return taken == 2 ? 2 : 1;
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

/* -- Progress ----------------------------------------------------------- */

facet_status facet_step(const facet_options *options, const char *step, double fraction,
                        facet_error *error)
{
    if (!options || !options->progress || options->progress(options->progress_user, step, fraction))
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_CANCELED, NULL, FACET_NO_OFFSET, "canceled during %s",
                      step);
}
