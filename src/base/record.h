/* base/record.h - conversion of records of numbers between a big-endian file and memory. */
#ifndef FACET_BASE_RECORD_H
#define FACET_BASE_RECORD_H

#include "base/bytes.h"

/* Copy a record from the file into memory or back. `layout` lists its bytes (b), halves (h) and
 * words (w) in order, with their counts: "b4h2w3". In memory, the struct has the same members
 * without padding, in host byte order. */
static inline void facet_record_move(const char *layout, const void *from, void *to)
{
    const uint8_t *in = (const uint8_t *)from;
    uint8_t *out = (uint8_t *)to;
    for (const char *at = layout; *at;) {
        char width = *at++;
        unsigned count = 0;
        for (; *at >= '0' && *at <= '9'; at++)
            count = count * 10 + (unsigned)(*at - '0');
        unsigned bytes = width == 'b' ? 1 : width == 'h' ? 2 : 4;
        for (unsigned i = 0; i < count; i++, in += bytes, out += bytes) {
            uint16_t half;
            uint32_t word;
            switch (width) {
            case 'b':
                *out = *in;
                break;
            case 'h':
                half = facet_load_u16be(in);
                memcpy(out, &half, sizeof half);
                break;
            default:
                word = facet_load_u32be(in);
                memcpy(out, &word, sizeof word);
            }
        }
    }
}

#endif
