/* archive/codec_lz4.c - LZ4's frames, by liblz4. */
#include "archive/codec.h"
#include "base/bytes.h"
#include "base/error.h"

/* True for version 1 of frames without reserved bits. */
static bool begins(const uint8_t *data, size_t size)
{
    size_t at = facet_codec_after_skipped(data, size);
    return size - at >= 7 && facet_load_u32le(data + at) == 0x184D2204 &&
           (data[at + 4] & 0xC2) == 0x40;
}

#ifdef FACET_HAVE_LZ4
#include <lz4frame.h>
#include <stdlib.h>

enum { BLOCK = 4 << 20 };

/* -- Decoding ----------------------------------------------------------- */

/* Decode one frame, and move *at after it. */
static facet_status decode_frame(LZ4F_dctx *context, const uint8_t *data, size_t size, size_t *at,
                                 facet_codec_buffer *out, facet_error *error)
{
    for (size_t more = 1; more > 0;) {
        TRY(facet_codec_grow(out, error));
        size_t space = out->capacity - out->size, made = space, used = size - *at;
        more = LZ4F_decompress(context, out->data + out->size, &made, data + *at, &used, NULL);
        if (LZ4F_isError(more))
            return facet_codec_fail_damaged(&facet_codec_lz4, *at, error);
        *at += used;
        TRY(facet_codec_add(out, made, error));
        if (more > 0 && *at == size && made < space)
            return facet_codec_fail_cut(&facet_codec_lz4, size, error);
    }
    return FACET_OK;
}

static bool is_frame(const uint8_t *data, size_t size)
{
    uint32_t magic = size < 4 ? 0 : facet_load_u32le(data);
    return magic == 0x184D2204 || (magic & 0xFFFFFFF0) == 0x184D2A50;
}

/* Reserve the size of the first frame's content, which is usually unknown. */
static facet_status reserve(LZ4F_dctx *context, const uint8_t *data, size_t size, size_t *at,
                            facet_codec_buffer *out, facet_error *error)
{
    LZ4F_frameInfo_t info = {0};
    size_t used = size;
    size_t result = LZ4F_getFrameInfo(context, &info, data, &used);
    if (LZ4F_isError(result))
        return facet_codec_fail_damaged(&facet_codec_lz4, 0, error);
    *at = used;
    /* Meshes rarely expand by more than a factor of four. Growing would take as long as
     * decoding. */
    facet_codec_reserve(out, info.contentSize > 0 ? info.contentSize : (uint64_t)size * 4);
    return FACET_OK;
}

static facet_status decode(const uint8_t *data, size_t size, facet_codec_buffer *out,
                           facet_error *error)
{
    LZ4F_dctx *context = NULL;
    size_t at = 0;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
        return facet_codec_fail_library(&facet_codec_lz4, error);
    facet_status status = reserve(context, data, size, &at, out, error);
    if (!status)
        status = decode_frame(context, data, size, &at, out, error);
    while (!status && at < size) {
        if (!is_frame(data + at, size - at))
            status = facet_codec_fail_tail(&facet_codec_lz4, at, error);
        else
            status = decode_frame(context, data, size, &at, out, error);
    }
    LZ4F_freeDecompressionContext(context);
    return status;
}

/* -- Encoding ----------------------------------------------------------- */

static LZ4F_preferences_t preferences(size_t size, facet_compression_effort effort)
{
    LZ4F_preferences_t how = {0};
    how.frameInfo.blockSizeID = LZ4F_max4MB;
    how.frameInfo.blockMode = LZ4F_blockIndependent;
    how.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
    how.frameInfo.contentSize = size;
    /* Negative levels are faster and compress less. */
    how.compressionLevel = effort == FACET_COMPRESSION_BEST   ? 12
                           : effort == FACET_COMPRESSION_FAST ? -8
                                                              : 0;
    how.autoFlush = 1;
    return how;
}

static size_t encode_blocks(LZ4F_cctx *context, const LZ4F_preferences_t *how, const uint8_t *data,
                            size_t size, uint8_t *buffer, size_t space, facet_output *output)
{
    size_t used = LZ4F_compressBegin(context, buffer, space, how);
    while (size > 0 && !LZ4F_isError(used)) {
        size_t block = size < BLOCK ? size : BLOCK;
        facet_output_write(output, buffer, used);
        used = LZ4F_compressUpdate(context, buffer, space, data, block, NULL);
        data += block;
        size -= block;
    }
    if (LZ4F_isError(used))
        return used;
    facet_output_write(output, buffer, used);
    used = LZ4F_compressEnd(context, buffer, space, NULL);
    if (!LZ4F_isError(used))
        facet_output_write(output, buffer, used);
    return used;
}

static facet_status encode(const uint8_t *data, size_t size, facet_compression_effort effort,
                           facet_output *output, facet_error *error)
{
    LZ4F_preferences_t how = preferences(size, effort);
    LZ4F_cctx *context = NULL;
    size_t space = LZ4F_compressBound(size < BLOCK ? size : BLOCK, &how) + LZ4F_HEADER_SIZE_MAX;
    uint8_t *buffer = malloc(space);
    bool ok = buffer && !LZ4F_isError(LZ4F_createCompressionContext(&context, LZ4F_VERSION)) &&
              !LZ4F_isError(encode_blocks(context, &how, data, size, buffer, space, output));
    LZ4F_freeCompressionContext(context);
    free(buffer);
    return ok ? FACET_OK : facet_codec_fail_library(&facet_codec_lz4, error);
}

#define CALLS decode, encode
#else
#define CALLS NULL, NULL
#endif

const facet_codec facet_codec_lz4 = {"LZ4", ".lz4", "liblz4", "FACET_LZ4", begins, CALLS};
