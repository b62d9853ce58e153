/* archive/codec.c - the table of codecs. */
#include "archive/codec.h"
#include "base/arena.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* -- The table ---------------------------------------------------------- */

static const facet_codec *const codecs[] = {&facet_codec_gzip, &facet_codec_bzip2, &facet_codec_xz,
                                            &facet_codec_zstd, &facet_codec_lz4,   NULL};

const facet_codec *facet_codec_get(size_t index)
{
    return codecs[index];
}

const facet_codec *facet_codec_of(const uint8_t *data, size_t size)
{
    const facet_codec *const *each = codecs;
    while (*each && !(*each)->begins(data, size))
        each++;
    return *each;
}

/* The extension of a path. A name such as ".gz" has none. */
static const char *extension_of(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && dot > path && dot[-1] != '/' ? dot : NULL;
}

const facet_codec *facet_codec_from_path(const char *path)
{
    const char *extension = extension_of(path);
    const facet_codec *const *each = codecs;
    while (extension && *each && strcasecmp((*each)->extension, extension) != 0)
        each++;
    return extension ? *each : NULL;
}

size_t facet_codec_stem(const char *path)
{
    return facet_codec_from_path(path) ? (size_t)(extension_of(path) - path) : strlen(path);
}

/* -- Decoding ----------------------------------------------------------- */

facet_status facet_codec_check_present(const facet_codec *codec, facet_error *error)
{
    char thing[64];
    if (codec->decode)
        return FACET_OK;
    snprintf(thing, sizeof thing, "files in %s's format need", codec->name);
    return facet_fail_absent(error, thing, codec->library, codec->build_switch);
}

facet_status facet_codec_decode_to(const facet_codec *codec, const uint8_t *data, size_t size,
                                   facet_codec_sink sink, void *user, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_codec_check_present(codec, error));
    TRY(facet_arena_create(NULL, &arena, error));
    facet_codec_buffer out = {.arena = arena, .limit = SIZE_MAX, .sink = sink, .user = user};
    facet_status status = codec->decode(data, size, &out, error);
    if (!status && out.size > 0)
        status = sink(user, out.data, out.size, error);
    facet_arena_free(arena);
    return status;
}
