/* formats/j3d/fifo/stream.h - commands for the graphics chip, one after another in memory. */
#ifndef FACET_J3D_FIFO_STREAM_H
#define FACET_J3D_FIFO_STREAM_H

#include "base/arena.h"

#include <stdint.h>

/* The arena remembers that memory ran out: ask it once, at the end. */
typedef struct facet_j3d_stream {
    facet_arena *arena;
    uint8_t *bytes;
    size_t size, capacity;
} facet_j3d_stream;

/* Bytes as they are, for example a display list. */
void facet_j3d_stream_raw(facet_j3d_stream *stream, const uint8_t *bytes, size_t size);
/* A register of the rasterizer: 24 bits. */
void facet_j3d_stream_bp(facet_j3d_stream *stream, uint32_t address, uint32_t value);
/* A register of the command processor. */
void facet_j3d_stream_cp(facet_j3d_stream *stream, uint32_t address, uint32_t value);
/* Words of the transform unit from `address` on. */
void facet_j3d_stream_xf(facet_j3d_stream *stream, uint32_t address, const uint32_t *words,
                         uint32_t count);
void facet_j3d_stream_xf_word(facet_j3d_stream *stream, uint32_t address, uint32_t word);
void facet_j3d_stream_xf_floats(facet_j3d_stream *stream, uint32_t address, const float *values,
                                uint32_t count);

#endif
