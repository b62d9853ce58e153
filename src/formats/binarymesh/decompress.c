/* formats/binarymesh/decompress.c - one sub-block: LZO in version 2, LZ4 from version 3 on. */
#include "formats/binarymesh/binarymesh.h"
#include "formats/binarymesh/lz4.h"
#include "formats/binarymesh/lzo.h"

#ifdef FACET_HAVE_LZ4
#include <lz4.h>
#endif

bool facet_binarymesh_decompress(const facet_binarymesh_input *input, size_t index, uint8_t *to)
{
    const facet_binarymesh_block *block = &input->document->blocks[index];
    const uint8_t *from = input->file + block->offset + FACET_BINARYMESH_BLOCK_HEADER;
    if (block->size == 0)
        return true; /* appleseed skips it without reading */
    if (input->document->version == 2)
        return facet_lzo_decompress(from, block->compressed_size, to, block->size);
#ifdef FACET_HAVE_LZ4
    int size = LZ4_decompress_safe((const char *)from, (char *)to, (int)block->compressed_size,
                                   (int)block->size);
    return size >= 0 && (uint32_t)size == block->size;
#else
    return facet_lz4_decompress(from, block->compressed_size, to, block->size);
#endif
}
