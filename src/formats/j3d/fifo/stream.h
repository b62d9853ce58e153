/* formats/j3d/fifo/stream.h - commands for the graphics chip, in sequence in memory. */
#ifndef FACET_J3D_FIFO_STREAM_H
#define FACET_J3D_FIFO_STREAM_H

#include "base/arena.h"

#include <stdint.h>

/* The arena records that memory ran out: check it once at the end. */
typedef struct facet_j3d_stream {
    facet_arena *arena;
    uint8_t *bytes;
    size_t size, capacity;
} facet_j3d_stream;

/* Append bytes unchanged, for example a display list. */
void facet_j3d_stream_raw(facet_j3d_stream *stream, const uint8_t *bytes, size_t size);
/* Write a register of the rasterizer: 24 bits. */
void facet_j3d_stream_bp(facet_j3d_stream *stream, uint32_t address, uint32_t value);
/* Write a register of the command processor. */
void facet_j3d_stream_cp(facet_j3d_stream *stream, uint32_t address, uint32_t value);
/* Write words of the transform unit from `address` on. */
void facet_j3d_stream_xf(facet_j3d_stream *stream, uint32_t address, const uint32_t *words,
                         uint32_t count);
void facet_j3d_stream_xf_word(facet_j3d_stream *stream, uint32_t address, uint32_t word);
void facet_j3d_stream_xf_floats(facet_j3d_stream *stream, uint32_t address, const float *values,
                                uint32_t count);

#endif
