/* facet/archive.h - archives and compression around J3D: Yaz0 and Yay0.
 *
 * Layout: the formats as the runtimes of the console and its tools have them;
 * docs/archives.md has the details and what was decided.
 *
 * Stability: experimental. */
#ifndef FACET_ARCHIVE_H
#define FACET_ARCHIVE_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Compression -------------------------------------------------------- */

typedef enum facet_compression {
    FACET_COMPRESSION_NONE = 0,
    FACET_COMPRESSION_YAZ0, /* flags and items in one stream; .szs */
    FACET_COMPRESSION_YAY0  /* flags, links and bytes in three; .szp */
} facet_compression;

/* How hard an encoder searches. */
typedef enum facet_compression_effort {
    FACET_COMPRESSION_OFFICIAL = 0, /* the bytes that the console makers' encoder writes: greedy,
                                       looking one byte ahead */
    FACET_COMPRESSION_FAST,         /* for trying things out: some per cent larger */
    FACET_COMPRESSION_BEST /* the fewest bits there are in this format, by optimal parsing */
} facet_compression_effort;

/* The compression that bytes begin with, by their magic number; NONE when it is
 * neither. */
FACET_API facet_compression facet_compression_of(const uint8_t *data, size_t size);

/* Bytes of what is compressed, as the header says. It is checked: neither 0 nor
 * more than the stream can hold (273 bytes for each 3, and a flag for each).
 * Errors: FACET_ERROR_MALFORMED with AR01, AR02 or AR08; FACET_ERROR_UNSUPPORTED when the bytes
 * begin with neither magic number. */
FACET_API facet_status facet_decompressed_size(const uint8_t *data, size_t size,
                                               size_t *decompressed, facet_error *error);

/* Decompress into `out`, which has exactly facet_decompressed_size bytes. Bytes
 * after the stream are not read. Allocates nothing; linear in the output.
 * Errors: FACET_ERROR_MALFORMED with AR01, AR02 (the stream ends early), AR03 (a
 * copy from before the beginning), AR04 (the last copy runs past the end) or AR08,
 * and the offset in the stream; what `out` holds then is undefined. */
FACET_API facet_status facet_decompress(const uint8_t *data, size_t size, uint8_t *out,
                                        size_t decompressed, facet_error *error);

/* Compress `size` bytes, 1 to 2^32 - 1, to an output: the stream, and with
 * `alignment` above 1 zeros up to a multiple of it (32 is usual). Working memory
 * comes from options->allocator: 128 KiB, with BEST 6 bytes for each byte, and
 * with YAY0 as much again as the result. Deterministic. Linear in the size, with
 * a factor of at most the window of 4,096 bytes.
 * Errors: FACET_ERROR_ARGUMENT, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY,
 * FACET_ERROR_CANCELED. */
FACET_API facet_status facet_compress(const uint8_t *data, size_t size,
                                      facet_compression compression,
                                      facet_compression_effort effort, size_t alignment,
                                      const facet_options *options, facet_output *output,
                                      facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
