/* archive/codec_buffer.c - shared code of codecs: skippable frames, output buffers, errors. */
#include "archive/codec.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

/* -- Skippable frames ---------------------------------------------------- */

size_t facet_codec_after_skipped(const uint8_t *data, size_t size)
{
    enum { MAX_SKIPPED = 64, HEADER = 8 };
    size_t at = 0;
    for (int i = 0; i < MAX_SKIPPED && size - at >= HEADER; i++) {
        if ((facet_load_u32le(data + at) & 0xFFFFFFF0) != 0x184D2A50)
            break;
        uint32_t length = facet_load_u32le(data + at + 4);
        if (length > size - at - HEADER)
            break;
        at += HEADER + (size_t)length;
    }
    return at;
}

/* -- Growth ------------------------------------------------------------- */

/* Minimum capacity of a block. */
#define MIN_CAPACITY ((size_t)64 * 1024)

static facet_status resize(facet_codec_buffer *out, size_t capacity, facet_error *error)
{
    uint8_t *grown = facet_arena_resize(out->arena, out->data, out->capacity, capacity, 1);
    if (!grown)
        return facet_fail_arena(out->arena, error);
    out->data = grown;
    out->capacity = capacity;
    return FACET_OK;
}

/* One byte beyond the limit shows whether a stream exceeds it. */
static size_t most(const facet_codec_buffer *out)
{
    return out->limit < SIZE_MAX ? out->limit + 1 : SIZE_MAX;
}

facet_status facet_codec_grow(facet_codec_buffer *out, facet_error *error)
{
    if (out->size < out->capacity)
        return FACET_OK;
    if (out->sink && out->capacity > 0) {
        out->size = 0;
        return out->sink(out->user, out->data, out->capacity, error);
    }
    size_t capacity = out->capacity <= most(out) / 2 ? out->capacity * 2 : most(out);
    if (capacity < MIN_CAPACITY)
        capacity = MIN_CAPACITY < most(out) ? MIN_CAPACITY : most(out);
    return resize(out, capacity, error);
}

void facet_codec_reserve(facet_codec_buffer *out, uint64_t size)
{
    size_t capacity = out->capacity <= SIZE_MAX / 2 ? out->capacity * 2 : SIZE_MAX;
    /* If a header exceeds the limit, decoding finds out whether that is true. */
    if (size > out->limit || size < out->capacity || out->sink)
        return;
    /* A decoder finds the end of its stream only if space is left. Doubling keeps many frames
     * linear. */
    if (capacity <= size)
        capacity = size < SIZE_MAX ? (size_t)size + 1 : SIZE_MAX;
    if (capacity > most(out))
        capacity = most(out);
    if (resize(out, capacity, NULL))
        facet_arena_forget_failure(out->arena);
}

facet_status facet_codec_add(facet_codec_buffer *out, size_t produced, facet_error *error)
{
    out->size += produced;
    if (out->size <= out->limit)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_LIMIT, "AR37", 0,
                      "the file decompresses to more than %zu bytes, the limit for its size",
                      out->limit);
}

/* -- Errors ------------------------------------------------------------- */

facet_status facet_codec_fail_cut(const facet_codec *codec, size_t size, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "AR36", size,
                      "the %s stream ends too early: the file is truncated", codec->name);
}

facet_status facet_codec_fail_damaged(const facet_codec *codec, size_t offset, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "AR36", offset,
                      "the %s stream is damaged here or in the block before", codec->name);
}

facet_status facet_codec_fail_tail(const facet_codec *codec, size_t offset, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "AR36", offset,
                      "bytes follow the %s stream, expected its end or another %s stream",
                      codec->name, codec->name);
}

facet_status facet_codec_fail_library(const facet_codec *codec, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MEMORY, NULL, FACET_NO_OFFSET, "out of memory in %s, %s",
                      codec->library, codec->name);
}
