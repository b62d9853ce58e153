/* base/error.h - raising errors. Every failure of the library passes through
 * facet_fail_v: a breakpoint there stops at any of them. */
#ifndef FACET_BASE_ERROR_H
#define FACET_BASE_ERROR_H

#include <facet/base.h>
#include <stdarg.h>

/* Fill *error (if not NULL) and return `status`. rule may be NULL. */
facet_status facet_fail_v(facet_error *error, facet_status status, const char *rule,
                          uint64_t offset, uint64_t line, const char *format, va_list arguments);

/* A fault at a byte offset (or FACET_NO_OFFSET). */
facet_status facet_fail(facet_error *error, facet_status status, const char *rule, uint64_t offset,
                        const char *format, ...) FACET_PRINTF(5, 6);
/* A fault at a line of a text file. */
facet_status facet_fail_line(facet_error *error, facet_status status, const char *rule,
                             uint64_t line, const char *format, ...) FACET_PRINTF(5, 6);
/* `size` bytes could not be had. */
facet_status facet_fail_memory(facet_error *error, size_t size);
/* A system call failed with errno `code` on `path`: "cannot open 'a.obj': ...". */
facet_status facet_fail_system(facet_error *error, int code, const char *verb, const char *path);

/* The character at text[0] as it may be shown on a terminal: as it is, or each
 * byte of a control character (C0, DEL, C1) and the first of broken UTF-8 as
 * \xNN. Returns the bytes of `text` that it stands for, 1 to 4; `length` is at
 * least 1. */
typedef struct facet_shown {
    char text[9];
} facet_shown;
size_t facet_show_character(facet_shown *shown, const char *text, size_t length);

/* Text from a file made fit for a message: characters as above, cut with "..."
 * when long. */
typedef struct facet_quoted {
    char text[100];
} facet_quoted;
const char *facet_quote(facet_quoted *quoted, const char *text, size_t length);

/* Length in bytes of the valid UTF-8 sequence at text[0], 1 to 4; 0 when it is
 * not one (overlong, surrogate, cut short). */
size_t facet_utf8_sequence(const char *text, size_t length);
/* True when all of text is valid UTF-8. */
bool facet_utf8_valid(const char *text, size_t length);

/* Ask the caller's progress callback; FACET_ERROR_CANCELED when it says stop.
 * options may be NULL. */
facet_status facet_step(const facet_options *options, const char *step, double fraction,
                        facet_error *error);

#endif
