/* archive/layers.c - decompression of bytes with one or more layers. */
#include "archive/archive.h"
#include "archive/codec.h"
#include "base/arena.h"
#include "base/budget.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

/* Maximum expansion of a byte by all layers together. It is the maximum of DEFLATE. bzip2, xz and
 * zstd expand a file of zeros much more, but not a mesh. */
enum { MAX_RATIO = 1032 };
/* The growth limit raises that: 64.5 times each unit, of which there are 16 by default. */
enum { HALF_RATIO_PER_GROWTH = 129 };
/* Size that is always permitted. A small file can have a large blank image. */
#define FREE_SIZE ((size_t)1 << 20)

static facet_layer layer_of(const uint8_t *data, size_t size)
{
    facet_compression compression = facet_get_compression(data, size);
    return (facet_layer){compression ? NULL : facet_codec_of(data, size), compression, data, size};
}

static bool is_layer(const facet_layer *layer)
{
    return layer->codec || layer->compression;
}

bool facet_is_compressed(const uint8_t *data, size_t size)
{
    facet_layer layer = layer_of(data, size);
    return is_layer(&layer);
}

static const char *layer_name(const facet_layer *layer)
{
    return layer->codec                                   ? layer->codec->name
           : layer->compression == FACET_COMPRESSION_YAZ0 ? "Yaz0"
                                                          : "Yay0";
}

void facet_layers_name(const facet_layers *layers, char name[32])
{
    int used = 0;
    name[0] = '\0';
    for (unsigned i = 0; i < layers->count && used >= 0 && used < 32; i++)
        used += snprintf(name + used, (size_t)(32 - used), "%s%s", i > 0 ? ", " : "",
                         layer_name(&layers->each[i]));
}

static size_t output_limit(size_t stored, const facet_options *options)
{
    uint64_t raised = facet_budget_of(options, HALF_RATIO_PER_GROWTH, 0).most / 2;
    size_t ratio = raised < MAX_RATIO ? MAX_RATIO : raised < SIZE_MAX ? (size_t)raised : SIZE_MAX;
    size_t limit = stored <= SIZE_MAX / ratio ? stored * ratio : SIZE_MAX;
    return limit < FREE_SIZE ? FREE_SIZE : limit;
}

static facet_status decode_codec(const facet_layer *layer, facet_arena *arena, size_t limit,
                                 const uint8_t **data, size_t *size, facet_error *error)
{
    const facet_codec *codec = layer->codec;
    facet_codec_buffer out = {.arena = arena, .limit = limit};
    TRY(facet_codec_check_present(codec, error));
    TRY(codec->decode(layer->data, layer->size, &out, error));
    static const uint8_t nothing[1];
    *data = out.data ? out.data : nothing;
    *size = out.size;
    return FACET_OK;
}

static facet_status decode_yaz0(facet_arena *arena, const uint8_t **data, size_t *size,
                                facet_error *error)
{
    size_t plain;
    TRY(facet_decompressed_size(*data, *size, &plain, error));
    uint8_t *out = facet_arena_allocate(arena, plain, 1);
    if (!out)
        return facet_fail_arena(arena, error);
    facet_status status = facet_decompress(*data, *size, out, plain, error);
    *data = out;
    *size = plain;
    return status;
}

facet_status facet_layers_decode(facet_arena *arena, const facet_options *options,
                                 const uint8_t **data, size_t *size, facet_layers *layers,
                                 facet_error *error)
{
    size_t limit = output_limit(*size, options);
    *layers = (facet_layers){0};
    for (;;) {
        facet_layer layer = layer_of(*data, *size);
        if (!is_layer(&layer))
            return FACET_OK;
        if (layers->count == FACET_MAX_LAYERS)
            return facet_fail(error, FACET_ERROR_LIMIT, "AR37", FACET_NO_OFFSET,
                              "the file is compressed more than %d times", FACET_MAX_LAYERS);
        layers->each[layers->count++] = layer;
        TRY(layer.codec ? decode_codec(&layer, arena, limit, data, size, error)
                        : decode_yaz0(arena, data, size, error));
    }
}

facet_status facet_decompress_into(facet_arena *arena, const facet_options *options,
                                   const uint8_t **data, size_t *size, facet_error *error)
{
    facet_layers layers;
    return facet_layers_decode(arena, options, data, size, &layers, error);
}
