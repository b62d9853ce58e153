/* formats/gltf/file/meshopt.c - vertices of version 1, and colors, by appendices A and B of
 * KHR_meshopt_compression.
 *
 * Elements are stored in blocks of up to 8 KiB. In a block, each byte of the elements has its own
 * run of differences, in groups of 16. After the blocks come the start values of the differences,
 * and the kind of difference for each group of four bytes. */
#include "formats/gltf/file/meshopt.h"

#include "base/bytes.h"

#include <math.h>
#include <string.h>

#define BLOCK_BYTES 8192
#define BLOCK_ELEMENTS 256
#define GROUP 16
#define LEAST_TAIL 24

typedef struct stream {
    const uint8_t *at, *end; /* the bytes of the blocks */
} stream;

/* -- Differences -------------------------------------------------------- */

/* Read a group of differences of 1, 2 or 4 bits. The largest value means that a full byte
 * follows. */
static bool read_packed(stream *s, unsigned bits, uint8_t *to)
{
    const uint8_t *packed = s->at;
    unsigned largest = (1U << bits) - 1, per_byte = 8 / bits;
    if ((size_t)(s->end - s->at) < GROUP * bits / 8)
        return false;
    s->at += GROUP * bits / 8;
    for (unsigned i = 0; i < GROUP; i++) {
        unsigned within = i % per_byte;
        unsigned shift = bits == 1 ? within : 8 - bits * (within + 1);
        unsigned value = packed[i / per_byte] >> shift & largest;
        if (value == largest) {
            if (s->at == s->end)
                return false;
            value = *s->at++;
        }
        to[i] = (uint8_t)value;
    }
    return true;
}

static bool read_group(stream *s, unsigned bits, uint8_t *to)
{
    if (bits == 0) {
        memset(to, 0, GROUP);
        return true;
    }
    if (bits < 8)
        return read_packed(s, bits, to);
    if (s->end - s->at < GROUP)
        return false;
    memcpy(to, s->at, GROUP);
    s->at += GROUP;
    return true;
}

/* Read the differences of one byte of `count` elements. `to` has space for whole groups. */
static bool read_run(stream *s, unsigned control, size_t count, uint8_t *to)
{
    static const uint8_t widths[2][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}};
    size_t groups = (count + GROUP - 1) / GROUP, heads = (groups + 3) / 4;
    if (control == 2) {
        memset(to, 0, count);
        return true;
    }
    size_t first = control == 3 ? count : heads;
    if ((size_t)(s->end - s->at) < first)
        return false;
    const uint8_t *head = s->at;
    s->at += first;
    if (control == 3) {
        memcpy(to, head, count);
        return true;
    }
    for (size_t i = 0; i < groups; i++) {
        if (!read_group(s, widths[control][head[i / 4] >> i % 4 * 2 & 3], to + i * GROUP))
            return false;
    }
    return true;
}

/* -- Values ------------------------------------------------------------- */

static uint32_t from_zigzag(uint32_t value, uint32_t mask)
{
    return (value & 1 ? ~(value >> 1) : value >> 1) & mask;
}

/* Add a difference to four bytes of the previous element, in place. */
static void add_difference(uint8_t last[4], const uint8_t difference[4], uint8_t channel)
{
    if (channel == 0) {
        for (int i = 0; i < 4; i++)
            last[i] = (uint8_t)(last[i] + from_zigzag(difference[i], 0xFF));
    } else if (channel == 1) {
        for (int i = 0; i < 4; i += 2) {
            uint32_t step = from_zigzag(facet_load_u16le(difference + i), 0xFFFF);
            facet_store_u16le(last + i, (uint16_t)(facet_load_u16le(last + i) + step));
        }
    } else {
        uint32_t value = facet_load_u32le(difference);
        unsigned turn = channel >> 4; /* the encoder rotated to the left */
        value = value >> turn | value << ((32 - turn) & 31);
        facet_store_u32le(last, facet_load_u32le(last) ^ value);
    }
}

static bool decode_block(stream *s, const uint8_t *channels, size_t count, size_t stride,
                         uint8_t *last, uint8_t *to)
{
    uint8_t runs[4][BLOCK_ELEMENTS];
    const uint8_t *control = s->at;
    if ((size_t)(s->end - s->at) < stride / 4)
        return false;
    s->at += stride / 4;
    for (size_t k = 0; k < stride; k += 4) {
        for (unsigned i = 0; i < 4; i++) {
            if (!read_run(s, control[k / 4] >> 2 * i & 3, count, runs[i]))
                return false;
        }
        for (size_t e = 0; e < count; e++) {
            const uint8_t difference[4] = {runs[0][e], runs[1][e], runs[2][e], runs[3][e]};
            add_difference(last + k, difference, channels[k / 4]);
            memcpy(to + e * stride + k, last + k, 4);
        }
    }
    return true;
}

bool facet_meshopt_decode_vertices(uint8_t *to, size_t count, size_t stride, const uint8_t *from,
                                   size_t size)
{
    uint8_t last[256];
    size_t tail = stride + stride / 4, space = tail < LEAST_TAIL ? LEAST_TAIL : tail;
    if (size < 1 + space || from[0] != 0xA1)
        return false;
    const uint8_t *channels = from + size - stride / 4;
    for (size_t i = 0; i < stride / 4; i++) {
        if ((channels[i] & 15) > 2 || ((channels[i] & 15) < 2 && channels[i] > 15))
            return false;
    }
    memcpy(last, from + size - tail, stride);
    size_t most = BLOCK_BYTES / stride & ~(size_t)(GROUP - 1);
    most = most < BLOCK_ELEMENTS ? most : BLOCK_ELEMENTS;
    stream s = {from + 1, from + size - space};
    for (size_t done = 0; done < count;) {
        size_t block = count - done < most ? count - done : most;
        if (!decode_block(&s, channels, block, stride, last, to + done * stride))
            return false;
        done += block;
    }
    return s.at == s.end;
}

/* -- Colors ------------------------------------------------------------- */

static int32_t component_at(const uint8_t *at, bool wide, bool has_sign)
{
    if (wide)
        return has_sign ? (int16_t)facet_load_u16le(at) : facet_load_u16le(at);
    return has_sign ? (int8_t)*at : *at;
}

static void put_component(uint8_t *at, bool wide, int32_t value, float scale)
{
    float most = wide ? 65535 : 255, scaled = roundf((float)value * scale);
    scaled = scaled < 0 ? 0 : scaled > most ? most : scaled;
    if (wide)
        facet_store_u16le(at, (uint16_t)scaled);
    else
        *at = (uint8_t)scaled;
}

void facet_meshopt_decode_colors(uint8_t *colors, size_t count, size_t stride)
{
    bool wide = stride == 8;
    size_t step = stride / 4;
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = colors + i * stride;
        int32_t y = component_at(at, wide, false), alpha = component_at(at + 3 * step, wide, false);
        int32_t co = component_at(at + step, wide, true),
                cg = component_at(at + 2 * step, wide, true);
        int32_t most = 1; /* 2^K - 1; the highest bit of alpha determines K */
        while (most < alpha)
            most = most * 2 + 1;
        float scale = (wide ? 65535.0F : 255.0F) / (float)most;
        alpha &= most >> 1;
        put_component(at, wide, y + co - cg, scale);
        put_component(at + step, wide, y + cg, scale);
        put_component(at + 2 * step, wide, y - co - cg, scale);
        put_component(at + 3 * step, wide, alpha * 2 + (alpha & 1), scale);
    }
}
