/* gx/texels_scalar.c - rows of GX blocks to texels, one texel at a time. The vector decoders must
 * give equal results. */
#include "gx/texels.h"

/* -- One block ---------------------------------------------------------- */

static inline void put(uint8_t *out, size_t stride, uint32_t x, uint32_t y, uint32_t texel)
{
    facet_store_u32le(out + y * stride + x * 4, texel);
}

static inline void block_i4(const uint8_t *in, uint8_t *out, size_t stride, const uint32_t *table)
{
    (void)table;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t v = in[i / 2] >> (i % 2 ? 0 : 4) & 15;
        put(out, stride, i % 8, i / 8, facet_gx_widen4(v) * 0x01010101u);
    }
}

static inline void block_i8(const uint8_t *in, uint8_t *out, size_t stride, const uint32_t *table)
{
    (void)table;
    for (uint32_t i = 0; i < 32; i++)
        put(out, stride, i % 8, i / 8, in[i] * 0x01010101u);
}

static inline void block_ia4(const uint8_t *in, uint8_t *out, size_t stride, const uint32_t *table)
{
    (void)table;
    for (uint32_t i = 0; i < 32; i++)
        put(out, stride, i % 8, i / 8,
            facet_gx_widen4(in[i] & 15u) * 0x010101u | facet_gx_widen4(in[i] >> 4) << 24);
}

static inline void block_ia8(const uint8_t *in, uint8_t *out, size_t stride, const uint32_t *table)
{
    (void)table;
    for (uint32_t i = 0; i < 16; i++)
        put(out, stride, i % 4, i / 4, facet_gx_decode_ia8(facet_load_u16be(in + i * 2)));
}

static inline void block_rgb565(const uint8_t *in, uint8_t *out, size_t stride,
                                const uint32_t *table)
{
    (void)table;
    for (uint32_t i = 0; i < 16; i++)
        put(out, stride, i % 4, i / 4, facet_gx_decode_rgb565(facet_load_u16be(in + i * 2)));
}

static inline void block_rgb5a3(const uint8_t *in, uint8_t *out, size_t stride,
                                const uint32_t *table)
{
    (void)table;
    for (uint32_t i = 0; i < 16; i++)
        put(out, stride, i % 4, i / 4, facet_gx_decode_rgb5a3(facet_load_u16be(in + i * 2)));
}

/* Alpha and red of 16 texels, then green and blue. */
static inline void block_rgba32(const uint8_t *in, uint8_t *out, size_t stride,
                                const uint32_t *table)
{
    (void)table;
    for (uint32_t i = 0; i < 16; i++)
        put(out, stride, i % 4, i / 4,
            facet_gx_texel(in[i * 2 + 1], in[32 + i * 2], in[33 + i * 2], in[i * 2]));
}

static inline void block_c4(const uint8_t *in, uint8_t *out, size_t stride, const uint32_t *table)
{
    for (uint32_t i = 0; i < 64; i++)
        put(out, stride, i % 8, i / 8, table[in[i / 2] >> (i % 2 ? 0 : 4) & 15]);
}

static inline void block_c8(const uint8_t *in, uint8_t *out, size_t stride, const uint32_t *table)
{
    for (uint32_t i = 0; i < 32; i++)
        put(out, stride, i % 8, i / 8, table[in[i]]);
}

/* Four sub-blocks of 4x4: two colors, then 2 bits per texel, leftmost texel first. */
static inline void block_cmpr(const uint8_t *in, uint8_t *out, size_t stride, const uint32_t *table)
{
    (void)table;
    for (uint32_t part = 0; part < 4; part++, in += 8) {
        uint32_t colors[4];
        facet_gx_cmpr_colors(facet_load_u16be(in), facet_load_u16be(in + 2), colors);
        for (uint32_t i = 0; i < 16; i++)
            put(out, stride, part % 2 * 4 + i % 4, part / 2 * 4 + i / 4,
                colors[in[4 + i / 4] >> (6 - i % 4 * 2) & 3]);
    }
}

/* -- Rows --------------------------------------------------------------- */

#define ROW_DECODER(row, block, bytes, width)                                         \
    static void row(const uint8_t *blocks, size_t count, uint8_t *out, size_t stride, \
                    const uint32_t *table)                                            \
    {                                                                                 \
        for (size_t i = 0; i < count; i++)                                            \
            block(blocks + i * (bytes), out + i * (width)*4, stride, table);          \
    }

ROW_DECODER(row_i4, block_i4, 32, 8)
ROW_DECODER(row_i8, block_i8, 32, 8)
ROW_DECODER(row_ia4, block_ia4, 32, 8)
ROW_DECODER(row_ia8, block_ia8, 32, 4)
ROW_DECODER(row_rgb565, block_rgb565, 32, 4)
ROW_DECODER(row_rgb5a3, block_rgb5a3, 32, 4)
ROW_DECODER(row_rgba32, block_rgba32, 64, 4)
ROW_DECODER(row_c4, block_c4, 32, 8)
ROW_DECODER(row_c8, block_c8, 32, 8)
ROW_DECODER(row_cmpr, block_cmpr, 32, 8)

facet_gx_row_decoder *facet_gx_plain_decoder(facet_gx_format format)
{
    switch (format) {
    case FACET_GX_I4:
        return row_i4;
    case FACET_GX_I8:
        return row_i8;
    case FACET_GX_IA4:
        return row_ia4;
    case FACET_GX_IA8:
        return row_ia8;
    case FACET_GX_RGB565:
        return row_rgb565;
    case FACET_GX_RGB5A3:
        return row_rgb5a3;
    case FACET_GX_RGBA32:
        return row_rgba32;
    case FACET_GX_C4:
        return row_c4;
    case FACET_GX_C8:
        return row_c8;
    case FACET_GX_CMPR:
        return row_cmpr;
    case FACET_GX_C14X2:
        break;
    }
    return NULL;
}
