/* base/text_output.c - buffered text for an output. */
#include "base/text_output.h"

#include "base/numbers.h"

#include <string.h>

void facet_put_text(facet_text_output *out, const char *text)
{
    size_t length = strlen(text);
    if (length > sizeof out->buffer - out->used) {
        facet_output_write(out->output, out->buffer, out->used);
        out->used = 0;
    }
    if (length > sizeof out->buffer) {
        facet_output_write(out->output, text, length);
        return;
    }
    memcpy(out->buffer + out->used, text, length);
    out->used += length;
}

void facet_put_numbers(facet_text_output *out, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char text[FACET_NUMBER_LENGTH + 2] = " ";
        text[1 + facet_number_print(values[i], text + 1)] = '\0';
        facet_put_text(out, text);
    }
}

void facet_put_integer(facet_text_output *out, uint64_t value)
{
    char text[21];
    char *at = text + sizeof text - 1;
    *at = '\0';
    do
        *--at = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    facet_put_text(out, at);
}

void facet_put_flush(facet_text_output *out)
{
    facet_output_write(out->output, out->buffer, out->used);
    out->used = 0;
}
