/* archive/codec_xz.c - xz, by liblzma. */
#include "archive/codec.h"
#include "base/error.h"

#include <string.h>

static bool begins(const uint8_t *data, size_t size)
{
    return size >= 12 && memcmp(data,
                                "\xFD"
                                "7zXZ\0",
                                6) == 0;
}

#ifdef FACET_HAVE_LZMA
#include <inttypes.h>
#include <lzma.h>

/* -- Decoding ----------------------------------------------------------- */

/* The size by the index at the end of the file; 0 if it is damaged. */
static uint64_t announced_size(const uint8_t *data, size_t size)
{
    lzma_stream_flags footer;
    lzma_index *index = NULL;
    uint64_t memory = UINT64_MAX, plain = 0;
    size_t at = 0;
    if (size < 2 * LZMA_STREAM_HEADER_SIZE ||
        lzma_stream_footer_decode(&footer, data + size - LZMA_STREAM_HEADER_SIZE) != LZMA_OK ||
        footer.backward_size > size - LZMA_STREAM_HEADER_SIZE)
        return 0;
    at = size - LZMA_STREAM_HEADER_SIZE - (size_t)footer.backward_size;
    /* The memory of the index depends on its records, which need bytes in the file. */
    if (lzma_index_buffer_decode(&index, &memory, NULL, data, &at, size) == LZMA_OK)
        plain = lzma_index_uncompressed_size(index);
    lzma_index_end(index, NULL);
    return plain;
}

/* Memory limit for the decoder's dictionary: that of level 9 (64 MiB), or the size of the output,
 * which is always enough. */
static uint64_t decoder_memory(const facet_codec_buffer *out)
{
    enum { MINIMUM = 80 << 20 };
    if (out->sink) /* the output is not in memory */
        return MINIMUM;
    uint64_t needed = (uint64_t)out->limit / 2 + (1 << 20);
    return needed < MINIMUM ? MINIMUM : needed;
}

/* Decode one stream, and move *at after it. */
static facet_status decode_stream(lzma_stream *stream, size_t size, size_t *at,
                                  facet_codec_buffer *out, facet_error *error)
{
    size_t first = *at;
    lzma_ret result = LZMA_OK;
    while (result != LZMA_STREAM_END) {
        TRY(facet_codec_grow(out, error));
        size_t space = out->capacity - out->size;
        stream->next_out = out->data + out->size;
        stream->avail_out = space;
        result = lzma_code(stream, LZMA_FINISH);
        *at = first + (size_t)stream->total_in;
        TRY(facet_codec_add(out, space - stream->avail_out, error));
        switch (result) {
        case LZMA_OK:
        case LZMA_STREAM_END:
            break;
        case LZMA_MEM_ERROR:
            return facet_codec_fail_library(&facet_codec_xz, error);
        case LZMA_MEMLIMIT_ERROR:
            return facet_fail(error, FACET_ERROR_LIMIT, "AR37", *at,
                              "the xz stream needs a dictionary of more than %" PRIu64 " bytes",
                              decoder_memory(out));
        case LZMA_BUF_ERROR:
            return facet_codec_fail_cut(&facet_codec_xz, size, error);
        default:
            return facet_codec_fail_damaged(&facet_codec_xz, *at, error);
        }
    }
    return FACET_OK;
}

/* Skip zeros, which fill words between streams and after the last one. */
static size_t skip_padding(const uint8_t *data, size_t size, size_t at)
{
    while (size - at >= 4 && memcmp(data + at, "\0\0\0", 4) == 0)
        at += 4;
    return at;
}

static facet_status decode(const uint8_t *data, size_t size, facet_codec_buffer *out,
                           facet_error *error)
{
    facet_codec_reserve(out, announced_size(data, size));
    for (size_t at = 0; at < size; at = skip_padding(data, size, at)) {
        lzma_stream stream = LZMA_STREAM_INIT;
        if (data[at] != 0xFD)
            return facet_codec_fail_tail(&facet_codec_xz, at, error);
        if (lzma_stream_decoder(&stream, decoder_memory(out), 0) != LZMA_OK)
            return facet_codec_fail_library(&facet_codec_xz, error);
        stream.next_in = data + at;
        stream.avail_in = size - at;
        facet_status status = decode_stream(&stream, size, &at, out, error);
        lzma_end(&stream);
        if (status)
            return status;
    }
    return FACET_OK;
}

/* -- Encoding ----------------------------------------------------------- */

static lzma_ret begin_encoding(lzma_stream *stream, size_t size, facet_compression_effort effort)
{
    lzma_options_lzma how;
    uint32_t preset = effort == FACET_COMPRESSION_BEST   ? 9 | LZMA_PRESET_EXTREME
                      : effort == FACET_COMPRESSION_FAST ? 0
                                                         : LZMA_PRESET_DEFAULT;
    if (lzma_lzma_preset(&how, preset))
        return LZMA_OPTIONS_ERROR;
    /* A dictionary larger than the data wastes memory. */
    if (how.dict_size > size)
        how.dict_size = size < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : (uint32_t)size;
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &how}, {LZMA_VLI_UNKNOWN, NULL}};
    return lzma_stream_encoder(stream, filters, LZMA_CHECK_CRC64);
}

static facet_status encode(const uint8_t *data, size_t size, facet_compression_effort effort,
                           facet_output *output, facet_error *error)
{
    uint8_t buffer[8 * 1024];
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_ret result = begin_encoding(&stream, size, effort);
    stream.next_in = data;
    stream.avail_in = size;
    while (result == LZMA_OK) {
        stream.next_out = buffer;
        stream.avail_out = sizeof buffer;
        result = lzma_code(&stream, LZMA_FINISH);
        facet_output_write(output, buffer, sizeof buffer - stream.avail_out);
    }
    lzma_end(&stream);
    return result == LZMA_STREAM_END ? FACET_OK : facet_codec_fail_library(&facet_codec_xz, error);
}

#define CALLS decode, encode
#else
#define CALLS NULL, NULL
#endif

const facet_codec facet_codec_xz = {"xz", ".xz", "liblzma", "FACET_LZMA", begins, CALLS};
