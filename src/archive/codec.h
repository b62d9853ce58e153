/* archive/codec.h - general compression formats: gzip, bzip2, xz, zstd and LZ4. Each codec has a
 * file, and a line of the table in codec.c. */
#ifndef FACET_ARCHIVE_CODEC_H
#define FACET_ARCHIVE_CODEC_H

#include <facet/archive.h>

/* Receives decompressed bytes, one piece at a time. */
typedef facet_status (*facet_codec_sink)(void *user, const uint8_t *data, size_t size,
                                         facet_error *error);

/* The output of a decoder: a block in an arena that grows by doubling. With `sink`, the full block
 * goes to the sink and is used again. */
typedef struct facet_codec_buffer {
    facet_arena *arena;
    uint8_t *data;
    size_t size, capacity;
    size_t limit; /* maximum size */
    facet_codec_sink sink;
    void *user;
} facet_codec_buffer;

typedef struct facet_codec {
    const char *name;         /* for example "gzip" */
    const char *extension;    /* for example ".gz" */
    const char *library;      /* name of the library */
    const char *build_switch; /* for example "FACET_ZLIB" */
    bool (*begins)(const uint8_t *data, size_t size);
    /* Both are NULL in a build without the library. decode reads all consecutive streams. Linear;
     * errors have the offset in `data`. */
    facet_status (*decode)(const uint8_t *data, size_t size, facet_codec_buffer *out,
                           facet_error *error);
    /* The output is the same for the same data, effort and version of the library. */
    facet_status (*encode)(const uint8_t *data, size_t size, facet_compression_effort effort,
                           facet_output *output, facet_error *error);
} facet_codec;

extern const facet_codec facet_codec_gzip, facet_codec_bzip2, facet_codec_xz, facet_codec_zstd,
    facet_codec_lz4;

/* -- The table (codec.c) ------------------------------------------------ */

/* The codec with this index; NULL after the last one. */
const facet_codec *facet_codec_get(size_t index);
/* The codec of compressed bytes, or NULL. */
const facet_codec *facet_codec_of(const uint8_t *data, size_t size);
/* The codec by the extension of a path, or NULL. */
const facet_codec *facet_codec_from_path(const char *path);
/* The length of a path without a codec's extension. */
size_t facet_codec_stem(const char *path);

/* Fail with FACET_ERROR_UNSUPPORTED, FORMAT-ABSENT, in a build without the codec's library. */
facet_status facet_codec_check_present(const facet_codec *codec, facet_error *error);
/* Decode all of `data`; the codec's window determines the memory. An error of the sink ends it and
 * is returned. */
facet_status facet_codec_decode_to(const facet_codec *codec, const uint8_t *data, size_t size,
                                   facet_codec_sink sink, void *user, facet_error *error);

/* -- Functions for codecs (codec_buffer.c) ------------------------------ */

/* Make space for at least one more byte, unless the data exceeds its limit. */
facet_status facet_codec_grow(facet_codec_buffer *out, facet_error *error);
/* Make space for `size` bytes in total plus one, if limit and memory permit. The size comes from a
 * header, which can be wrong. */
void facet_codec_reserve(facet_codec_buffer *out, uint64_t size);
/* Record that the decoder wrote `produced` bytes. */
facet_status facet_codec_add(facet_codec_buffer *out, size_t produced, facet_error *error);

/* Offset of the first zstd or LZ4 frame that is not skippable. Programs such as pzstd write a
 * skippable one first (RFC 8878, 3.1.2). At most 64 are skipped. */
size_t facet_codec_after_skipped(const uint8_t *data, size_t size);

/* Fail with an error in a stream. */
facet_status facet_codec_fail_cut(const facet_codec *codec, size_t size, facet_error *error);
facet_status facet_codec_fail_damaged(const facet_codec *codec, size_t offset, facet_error *error);
facet_status facet_codec_fail_tail(const facet_codec *codec, size_t offset, facet_error *error);
facet_status facet_codec_fail_library(const facet_codec *codec, facet_error *error);

/* -- Layers (layers.c) -------------------------------------------------- */

/* One layer of compression. */
typedef struct facet_layer {
    const facet_codec *codec;      /* if NULL, `compression` is used */
    facet_compression compression; /* Yaz0 or Yay0 */
    const uint8_t *data;           /* compressed bytes */
    size_t size;
} facet_layer;

enum { FACET_MAX_LAYERS = 2 };
/* Outermost first. */
typedef struct facet_layers {
    facet_layer each[FACET_MAX_LAYERS];
    unsigned count;
} facet_layers;

/* True if bytes are compressed in a way that Facet knows. */
bool facet_is_compressed(const uint8_t *data, size_t size);
/* Get the names of the layers, for example "gzip" or "gzip, Yaz0". */
void facet_layers_name(const facet_layers *layers, char name[32]);
/* Decompress all layers into the arena. facet_options.growth_limit raises the limit of the size. */
facet_status facet_layers_decode(facet_arena *arena, const facet_options *options,
                                 const uint8_t **data, size_t *size, facet_layers *layers,
                                 facet_error *error);

/* -- Sources (unpack.c) ------------------------------------------------- */

/* Decompress all layers of a source into the arena. If it has a codec's compression or extension,
 * siblings can be compressed also: "a.mtl" or "a.mtl.gz". The source is valid as long as the arena
 * and the original source. */
facet_status facet_unpack(facet_arena *arena, const facet_options *options, facet_source *source,
                          facet_layers *layers, facet_error *error);

#endif
