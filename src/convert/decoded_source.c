/* convert/decoded_source.c - sources that may be compressed, or text in UTF-16. */
#include "convert/decoded_source.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/utf16.h"

static facet_status decode(facet_plain *plain, const facet_options *options, facet_error *error)
{
    if (!plain->arena)
        TRY(facet_arena_create(options, &plain->arena, error));
    plain->source.data = facet_text_from_utf16(plain->arena, plain->source.data, plain->source.size,
                                               &plain->source.size);
    return plain->source.data ? FACET_OK : facet_fail_arena(plain->arena, error);
}

static facet_status unpack(facet_plain *plain, const facet_options *options, facet_error *error)
{
    facet_source *source = &plain->source;
    TRY(facet_arena_create(options, &plain->arena, error));
    TRY(facet_unpack(plain->arena, options, source, &plain->layers, error));
    if (facet_codec_from_path(source->name))
        source->name =
            facet_arena_string(plain->arena, source->name, facet_codec_stem(source->name));
    return facet_arena_status(plain->arena, error);
}

facet_status facet_plain_open(const facet_source *source, const facet_options *options,
                              facet_plain *plain, facet_error *error)
{
    facet_status status = facet_check_options(options, error);
    *plain = (facet_plain){.source = *source};
    if (status)
        return status;
    if (facet_is_compressed(source->data, source->size) || facet_codec_from_path(source->name))
        status = unpack(plain, options, error);
    if (!status && facet_is_utf16(plain->source.data, plain->source.size))
        status = decode(plain, options, error);
    if (status)
        facet_plain_close(plain);
    return status;
}

void facet_plain_close(facet_plain *plain)
{
    facet_arena_free(plain->arena);
    plain->arena = NULL;
}
