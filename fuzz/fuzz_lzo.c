/* Any bytes as an LZO1X stream: the first two are the size to make. A stream that
 * makes so much makes no other size. */
#include "binarymesh/lzo.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In memory of exactly the sizes, so that one byte too far is found. */
static bool decompress(const uint8_t *data, size_t size, size_t to_size, uint8_t **made)
{
    uint8_t *from = malloc(size + 1), *to = malloc(to_size + 1);
    if (!from || !to)
        abort();
    if (size > 0)
        memcpy(from + 1, data, size);
    bool valid = facet_lzo_decompress(from + 1, size, to + 1, to_size);
    free(from);
    *made = to;
    return valid;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t to_size = (size_t)data[0] | (size_t)data[1] << 8;
    uint8_t *made, *more, *less;
    bool valid = decompress(data + 2, size - 2, to_size, &made);
    if (valid && decompress(data + 2, size - 2, to_size + 1, &more))
        abort();
    else if (valid)
        free(more);
    if (valid && to_size > 0 && decompress(data + 2, size - 2, to_size - 1, &less))
        abort();
    else if (valid && to_size > 0)
        free(less);
    free(made);
    return 0;
}
