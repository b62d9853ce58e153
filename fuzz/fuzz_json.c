/* fuzz/fuzz_json.c - harness for JSON. A document that can be read is printed; the printed text can
 * be read and prints the same again. */
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (unsigned flags = 0; flags < 4; flags++) {
        facet_json_fault fault = {0};
        facet_json *value = facet_json_read((const char *)data, size, flags, &fault);
        if (!value) {
            require(fault.text[0] && fault.position <= size && fault.line >= 1);
            continue;
        }
        facet_json_style style = {.indent = flags, .sorted = flags & 1};
        char *text = facet_json_print(value, &style);
        require(text != NULL);
        facet_json *back = facet_json_read(text, strlen(text), flags, NULL);
        require(back != NULL);
        char *again = facet_json_print(back, &style);
        require(again && strcmp(text, again) == 0);
        free(text);
        free(again);
        facet_json_free(value);
        facet_json_free(back);
    }
    return 0;
}
