/* archive/codec_bzip2.c - bzip2, by libbz2. */
#include "archive/codec.h"
#include "base/error.h"

#include <string.h>

/* True for "BZh", the block size, and the start of a block or the end of an empty stream. */
static bool begins(const uint8_t *data, size_t size)
{
    return size >= 10 && memcmp(data, "BZh", 3) == 0 && data[3] >= '1' && data[3] <= '9' &&
           (memcmp(data + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0 ||
            memcmp(data + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

#ifdef FACET_HAVE_BZIP2
#include <bzlib.h>
#include <limits.h>

static unsigned piece(size_t size)
{
    return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

/* libbz2 reads through pointers that are not const, but does not write to the data. */
static char *as_input(const uint8_t *data)
{
    return (char *)(uintptr_t)data;
}

/* -- Decoding ----------------------------------------------------------- */

/* Decode one stream, and move *at after it. */
static facet_status decode_blocks(bz_stream *stream, const uint8_t *data, size_t size, size_t *at,
                                  facet_codec_buffer *out, facet_error *error)
{
    int result = BZ_OK;
    while (result != BZ_STREAM_END) {
        TRY(facet_codec_grow(out, error));
        unsigned in = piece(size - *at), space = piece(out->capacity - out->size);
        stream->next_in = as_input(data + *at);
        stream->avail_in = in;
        stream->next_out = (char *)out->data + out->size;
        stream->avail_out = space;
        result = BZ2_bzDecompress(stream);
        *at += in - stream->avail_in;
        TRY(facet_codec_add(out, space - stream->avail_out, error));
        if (result == BZ_MEM_ERROR)
            return facet_codec_fail_library(&facet_codec_bzip2, error);
        if (result == BZ_OK && *at == size && stream->avail_out > 0)
            return facet_codec_fail_cut(&facet_codec_bzip2, size, error);
        if (result != BZ_OK && result != BZ_STREAM_END)
            return facet_codec_fail_damaged(&facet_codec_bzip2, *at, error);
    }
    return FACET_OK;
}

static facet_status decode(const uint8_t *data, size_t size, facet_codec_buffer *out,
                           facet_error *error)
{
    size_t at = 0;
    while (at < size) {
        bz_stream stream = {0};
        if (data[at] != 'B')
            return facet_codec_fail_tail(&facet_codec_bzip2, at, error);
        if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK)
            return facet_codec_fail_library(&facet_codec_bzip2, error);
        facet_status status = decode_blocks(&stream, data, size, &at, out, error);
        BZ2_bzDecompressEnd(&stream);
        if (status)
            return status;
    }
    return FACET_OK;
}

/* -- Encoding ----------------------------------------------------------- */

static facet_status encode(const uint8_t *data, size_t size, facet_compression_effort effort,
                           facet_output *output, facet_error *error)
{
    char buffer[8 * 1024];
    bz_stream stream = {0};
    int blocks = effort == FACET_COMPRESSION_FAST ? 1 : 9;
    if (BZ2_bzCompressInit(&stream, blocks, 0, 0) != BZ_OK)
        return facet_codec_fail_library(&facet_codec_bzip2, error);
    int result = BZ_RUN_OK;
    while (result == BZ_RUN_OK || result == BZ_FINISH_OK) {
        if (stream.avail_in == 0 && size > 0) {
            stream.next_in = as_input(data);
            stream.avail_in = piece(size);
            data += stream.avail_in;
            size -= stream.avail_in;
        }
        stream.next_out = buffer;
        stream.avail_out = sizeof buffer;
        result = BZ2_bzCompress(&stream, size > 0 ? BZ_RUN : BZ_FINISH);
        facet_output_write(output, buffer, sizeof buffer - stream.avail_out);
    }
    BZ2_bzCompressEnd(&stream);
    return result == BZ_STREAM_END ? FACET_OK : facet_codec_fail_library(&facet_codec_bzip2, error);
}

#define CALLS decode, encode
#else
#define CALLS NULL, NULL
#endif

const facet_codec facet_codec_bzip2 = {"bzip2", ".bz2", "libbz2", "FACET_BZIP2", begins, CALLS};
