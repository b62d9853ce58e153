/* fuzz/fuzz_blocks.c - harness for a compressed block of BinaryMesh, LZO1X and LZ4. The first two
 * bytes are the decompressed size. A block that is valid with one size is invalid with any other
 * size. */
#include "formats/binarymesh/lz4.h"
#include "formats/binarymesh/lzo.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef bool decompressor(const uint8_t *from, size_t from_size, uint8_t *to, size_t to_size);

/* Use buffers of exactly these sizes, so that AddressSanitizer finds an overrun of one byte. */
static bool makes(decompressor *decompress, const uint8_t *data, size_t size, size_t to_size)
{
    uint8_t *from = malloc(size + 1), *to = malloc(to_size + 1);
    if (!from || !to)
        abort();
    if (size > 0)
        memcpy(from + 1, data, size);
    bool valid = decompress(from + 1, size, to + 1, to_size);
    free(from);
    free(to);
    return valid;
}

static void attempt(decompressor *decompress, const uint8_t *data, size_t size, size_t to_size)
{
    if (!makes(decompress, data, size, to_size))
        return;
    if (makes(decompress, data, size, to_size + 1) ||
        (to_size > 0 && makes(decompress, data, size, to_size - 1)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t to_size = (size_t)data[0] | (size_t)data[1] << 8;
    attempt(facet_lzo_decompress, data + 2, size - 2, to_size);
    attempt(facet_lz4_decompress, data + 2, size - 2, to_size);
    return 0;
}
