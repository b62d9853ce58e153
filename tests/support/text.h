/* tests/support/text.h - a growing text. Free `at`. */
#ifndef FACET_TESTS_TEXT_H
#define FACET_TESTS_TEXT_H

#include "support/support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct text {
    char *at;
    size_t size, space;
} text;

static inline void put(text *t, const char *format, ...)
{
    if (t->space - t->size < 512) {
        t->space = t->space * 2 + 65536;
        t->at = realloc(t->at, t->space);
        assert_non_null(t->at);
    }
    va_list arguments;
    va_start(arguments, format);
    t->size += (size_t)vsnprintf(t->at + t->size, t->space - t->size, format, arguments);
    va_end(arguments);
}

#endif
