/* archive/codec_gzip.c - gzip (RFC 1952), by zlib. */
#include "archive/codec.h"
#include "base/bytes.h"
#include "base/error.h"

/* True if the method is DEFLATE and reserved flags are 0. */
static bool begins(const uint8_t *data, size_t size)
{
    return size >= 10 && data[0] == 0x1F && data[1] == 0x8B && data[2] == 8 && data[3] < 0x20;
}

#ifdef FACET_HAVE_ZLIB
#include <limits.h>
#define ZLIB_CONST /* zlib does not write to the input */
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16 }; /* 32 KiB, with gzip's header and trailer */

static uInt piece(size_t size)
{
    return size < UINT_MAX ? (uInt)size : UINT_MAX;
}

/* -- Decoding ----------------------------------------------------------- */

/* Decode one member, and move *at after it. */
static facet_status decode_member(z_stream *stream, const uint8_t *data, size_t size, size_t *at,
                                  facet_codec_buffer *out, facet_error *error)
{
    int result = Z_OK;
    while (result != Z_STREAM_END) {
        TRY(facet_codec_grow(out, error));
        uInt in = piece(size - *at), space = piece(out->capacity - out->size);
        stream->next_in = data + *at;
        stream->avail_in = in;
        stream->next_out = out->data + out->size;
        stream->avail_out = space;
        result = inflate(stream, Z_NO_FLUSH);
        *at += in - stream->avail_in;
        TRY(facet_codec_add(out, space - stream->avail_out, error));
        if (result == Z_MEM_ERROR)
            return facet_codec_fail_library(&facet_codec_gzip, error);
        if (result == Z_BUF_ERROR || (result == Z_OK && *at == size && stream->avail_out > 0))
            return facet_codec_fail_cut(&facet_codec_gzip, size, error);
        if (result != Z_OK && result != Z_STREAM_END)
            return facet_codec_fail_damaged(&facet_codec_gzip, *at, error);
    }
    return FACET_OK;
}

/* True for zeros that fill the last block on tapes and in some downloads; gzip ignores them. */
static bool is_padding(const uint8_t *data, size_t size)
{
    size_t at = 0;
    while (at < size && data[at] == 0)
        at++;
    return at == size;
}

static facet_status decode_members(z_stream *stream, const uint8_t *data, size_t size,
                                   facet_codec_buffer *out, facet_error *error)
{
    size_t at = 0;
    while (at < size && !is_padding(data + at, size - at)) {
        bool magic = data[at] == 0x1F && (at + 1 == size || data[at + 1] == 0x8B);
        if (!magic)
            return facet_codec_fail_tail(&facet_codec_gzip, at, error);
        inflateReset(stream);
        TRY(decode_member(stream, data, size, &at, out, error));
    }
    return FACET_OK;
}

static facet_status decode(const uint8_t *data, size_t size, facet_codec_buffer *out,
                           facet_error *error)
{
    z_stream stream = {0};
    /* The trailer has the size of the last member, which is usually the only one. */
    facet_codec_reserve(out, facet_load_u32le(data + size - 4));
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
        return facet_codec_fail_library(&facet_codec_gzip, error);
    facet_status status = decode_members(&stream, data, size, out, error);
    inflateEnd(&stream);
    return status;
}

/* -- Encoding ----------------------------------------------------------- */

static facet_status encode(const uint8_t *data, size_t size, facet_compression_effort effort,
                           facet_output *output, facet_error *error)
{
    enum { MEMORY_LEVEL = 8, UNKNOWN_SYSTEM = 255 };
    uint8_t buffer[8 * 1024];
    z_stream stream = {0};
    /* No time, no name, and no system, because zlib's system differs between platforms. */
    gz_header header = {.os = UNKNOWN_SYSTEM};
    int level = effort == FACET_COMPRESSION_BEST ? 9 : effort == FACET_COMPRESSION_FAST ? 1 : 6;
    if (deflateInit2(&stream, level, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return facet_codec_fail_library(&facet_codec_gzip, error);
    deflateSetHeader(&stream, &header);
    int result = Z_OK;
    while (result == Z_OK) {
        if (stream.avail_in == 0 && size > 0) {
            stream.next_in = data;
            stream.avail_in = piece(size);
            data += stream.avail_in;
            size -= stream.avail_in;
        }
        stream.next_out = buffer;
        stream.avail_out = sizeof buffer;
        result = deflate(&stream, size > 0 ? Z_NO_FLUSH : Z_FINISH);
        facet_output_write(output, buffer, sizeof buffer - stream.avail_out);
    }
    deflateEnd(&stream);
    return result == Z_STREAM_END ? FACET_OK : facet_codec_fail_library(&facet_codec_gzip, error);
}

#define CALLS decode, encode
#else
#define CALLS NULL, NULL
#endif

const facet_codec facet_codec_gzip = {"gzip", ".gz", "zlib", "FACET_ZLIB", begins, CALLS};
