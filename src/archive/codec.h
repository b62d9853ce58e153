/* archive/codec.h - compressed files of general purpose: gzip, bzip2, xz, zstd and LZ4. Each
 * codec is a file, and a line of the table in codec.c. */
#ifndef FACET_ARCHIVE_CODEC_H
#define FACET_ARCHIVE_CODEC_H

#include <facet/archive.h>

/* Takes decompressed bytes, piece by piece. */
typedef facet_status (*facet_codec_sink)(void *user, const uint8_t *data, size_t size,
                                         facet_error *error);

/* What a codec writes decompressed bytes to: a block in an arena that grows by doubling, or with
 * `sink` a block that is given away each time it is full. */
typedef struct facet_codec_buffer {
    facet_arena *arena;
    uint8_t *data;
    size_t size, capacity;
    size_t limit; /* size may not become larger */
    facet_codec_sink sink;
    void *user;
} facet_codec_buffer;

typedef struct facet_codec {
    const char *name;         /* "gzip" */
    const char *extension;    /* ".gz" */
    const char *library;      /* that does it */
    const char *build_switch; /* "FACET_ZLIB" */
    bool (*begins)(const uint8_t *data, size_t size);
    /* Both are NULL in a build without the library. The first decodes all streams that follow
     * one another. Linear; errors have the offset in `data`. */
    facet_status (*decode)(const uint8_t *data, size_t size, facet_codec_buffer *out,
                           facet_error *error);
    /* The same bytes for the same data, effort and version of the library. */
    facet_status (*encode)(const uint8_t *data, size_t size, facet_compression_effort effort,
                           facet_output *output, facet_error *error);
} facet_codec;

extern const facet_codec facet_codec_gzip, facet_codec_bzip2, facet_codec_xz, facet_codec_zstd,
    facet_codec_lz4;

/* -- The table (codec.c) ------------------------------------------------ */

/* NULL behind the last one. */
const facet_codec *facet_codec_get(size_t index);
/* The codec that bytes begin with, or NULL. */
const facet_codec *facet_codec_of(const uint8_t *data, size_t size);
/* The codec by the extension of a path, or NULL. */
const facet_codec *facet_codec_from_path(const char *path);
/* The length of a path without the extension of a codec. */
size_t facet_codec_stem(const char *path);

/* FACET_ERROR_UNSUPPORTED, FORMAT-ABSENT, in a build without the codec's library. */
facet_status facet_codec_check_present(const facet_codec *codec, facet_error *error);
/* Decode all of `data` with as much memory as the codec's window takes. An error of the sink ends
 * it, and is returned. */
facet_status facet_codec_decode_to(const facet_codec *codec, const uint8_t *data, size_t size,
                                   facet_codec_sink sink, void *user, facet_error *error);

/* -- For codecs (codec_buffer.c) ---------------------------------------- */

/* Space for at least one more byte, where the data is not beyond its limit. */
facet_status facet_codec_grow(facet_codec_buffer *out, facet_error *error);
/* Space for `size` bytes in total, and one more, where the limit and the memory allow it: a header
 * says so, which is not trusted. */
void facet_codec_reserve(facet_codec_buffer *out, uint64_t size);
/* The decoder took `produced` bytes of the space. */
facet_status facet_codec_add(facet_codec_buffer *out, size_t produced, facet_error *error);

/* Where the first frame of zstd or LZ4 is that is not skipped: programs such as pzstd begin a file
 * with one that is (RFC 8878, 3.1.2). Looks at 64 of them at most. */
size_t facet_codec_after_skipped(const uint8_t *data, size_t size);

/* Ways for a stream to be wrong. */
facet_status facet_codec_fail_cut(const facet_codec *codec, size_t size, facet_error *error);
facet_status facet_codec_fail_damaged(const facet_codec *codec, size_t offset, facet_error *error);
facet_status facet_codec_fail_tail(const facet_codec *codec, size_t offset, facet_error *error);
facet_status facet_codec_fail_library(const facet_codec *codec, facet_error *error);

/* -- Layers (layers.c) -------------------------------------------------- */

/* One layer of compression. */
typedef struct facet_layer {
    const facet_codec *codec;      /* or, when it is NULL, */
    facet_compression compression; /* Yaz0 or Yay0 */
    const uint8_t *data;           /* as stored */
    size_t size;
} facet_layer;

enum { FACET_MAX_LAYERS = 2 };
/* Outermost first. */
typedef struct facet_layers {
    facet_layer each[FACET_MAX_LAYERS];
    unsigned count;
} facet_layers;

/* Whether bytes are compressed in any way that Facet knows. */
bool facet_is_compressed(const uint8_t *data, size_t size);
/* "gzip" or "gzip, Yaz0". */
void facet_layers_name(const facet_layers *layers, char name[32]);
/* Undo all layers, into the arena. */
facet_status facet_layers_decode(facet_arena *arena, const uint8_t **data, size_t *size,
                                 facet_layers *layers, facet_error *error);

/* -- Sources (unpack.c) ------------------------------------------------- */

/* Undo all layers of a source, into the arena. Where a codec was among them, or the name has the
 * extension of one, siblings are found compressed or not: "a.mtl" or "a.mtl.gz". The source
 * lives as long as the arena, and as what it was. */
facet_status facet_unpack(facet_arena *arena, const facet_options *options, facet_source *source,
                          facet_layers *layers, facet_error *error);

#endif
