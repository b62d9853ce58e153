/* archive/codec_zstd.c - Zstandard (RFC 8878), by libzstd. */
#include "archive/codec.h"
#include "base/bytes.h"
#include "base/error.h"

static bool begins(const uint8_t *data, size_t size)
{
    size_t at = facet_codec_after_skipped(data, size);
    return size - at >= 6 && facet_load_u32le(data + at) == 0xFD2FB528;
}

#ifdef FACET_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

/* -- Decoding ----------------------------------------------------------- */

static facet_status fail(size_t code, size_t at, facet_error *error)
{
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation:
        return facet_codec_fail_library(&facet_codec_zstd, error);
    case ZSTD_error_frameParameter_windowTooLarge:
        return facet_fail(
            error, FACET_ERROR_LIMIT, "AR37", at,
            "the zstd frame needs a window of more than 128 MiB and does not give its size");
    default:
        return facet_codec_fail_damaged(&facet_codec_zstd, at, error);
    }
}

/* Decode a frame of unknown size, and move *at after it. */
static facet_status decode_stream(ZSTD_DCtx *context, const uint8_t *data, size_t size, size_t *at,
                                  facet_codec_buffer *out, facet_error *error)
{
    ZSTD_inBuffer in = {data, size, *at};
    for (size_t more = 1; more > 0;) {
        TRY(facet_codec_grow(out, error));
        ZSTD_outBuffer space = {out->data + out->size, out->capacity - out->size, 0};
        more = ZSTD_decompressStream(context, &space, &in);
        TRY(facet_codec_add(out, space.pos, error));
        if (ZSTD_isError(more))
            return fail(more, in.pos, error);
        if (more > 0 && in.pos == size && space.pos < space.size)
            return facet_codec_fail_cut(&facet_codec_zstd, size, error);
    }
    *at = in.pos;
    return FACET_OK;
}

/* Decode the frame at *at. If its size is known, it is decoded at once, without a window. */
static facet_status decode_frame(ZSTD_DCtx *context, const uint8_t *data, size_t size, size_t *at,
                                 facet_codec_buffer *out, facet_error *error)
{
    size_t left = size - *at, packed = ZSTD_findFrameCompressedSize(data + *at, left);
    if (ZSTD_isError(packed)) {
        switch (ZSTD_getErrorCode(packed)) {
        case ZSTD_error_prefix_unknown:
            return facet_codec_fail_tail(&facet_codec_zstd, *at, error);
        case ZSTD_error_srcSize_wrong:
            return facet_codec_fail_cut(&facet_codec_zstd, size, error);
        default:
            return fail(packed, *at, error);
        }
    }
    unsigned long long plain = ZSTD_getFrameContentSize(data + *at, left);
    bool is_known = plain != ZSTD_CONTENTSIZE_UNKNOWN && plain != ZSTD_CONTENTSIZE_ERROR;
    if (is_known)
        facet_codec_reserve(out, out->size + plain);
    if (!is_known || plain > out->capacity - out->size)
        return decode_stream(context, data, *at + packed, at, out, error);
    size_t made = ZSTD_decompressDCtx(context, out->data + out->size, out->capacity - out->size,
                                      data + *at, packed);
    if (ZSTD_isError(made))
        return fail(made, *at, error);
    *at += packed;
    return facet_codec_add(out, made, error);
}

static facet_status decode(const uint8_t *data, size_t size, facet_codec_buffer *out,
                           facet_error *error)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    facet_status status = context ? FACET_OK : facet_codec_fail_library(&facet_codec_zstd, error);
    for (size_t at = 0; at < size && !status;)
        status = decode_frame(context, data, size, &at, out, error);
    ZSTD_freeDCtx(context);
    return status;
}

/* -- Encoding ----------------------------------------------------------- */

static facet_status encode(const uint8_t *data, size_t size, facet_compression_effort effort,
                           facet_output *output, facet_error *error)
{
    uint8_t buffer[8 * 1024];
    ZSTD_CCtx *context = ZSTD_createCCtx();
    int level = effort == FACET_COMPRESSION_BEST ? 19 : effort == FACET_COMPRESSION_FAST ? 1 : 3;
    size_t more = 1;
    if (!context)
        return facet_codec_fail_library(&facet_codec_zstd, error);
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setPledgedSrcSize(context, size);
    ZSTD_inBuffer in = {data, size, 0};
    while (more > 0 && !ZSTD_isError(more)) {
        ZSTD_outBuffer space = {buffer, sizeof buffer, 0};
        more = ZSTD_compressStream2(context, &space, &in, ZSTD_e_end);
        facet_output_write(output, buffer, space.pos);
    }
    ZSTD_freeCCtx(context);
    return more == 0 ? FACET_OK : facet_codec_fail_library(&facet_codec_zstd, error);
}

#define CALLS decode, encode
#else
#define CALLS NULL, NULL
#endif

const facet_codec facet_codec_zstd = {"zstd", ".zst", "libzstd", "FACET_ZSTD", begins, CALLS};
