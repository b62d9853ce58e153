/* convert/plain.c - sources that may be compressed. */
#include "convert/plain.h"

#include "archive/archive.h"
#include "base/arena.h"
#include "base/error.h"

facet_status facet_plain_open(const facet_source *source, const facet_options *options,
                              facet_plain *plain, facet_error *error)
{
    facet_status status = facet_check_options(options, error);
    *plain = (facet_plain){*source, NULL};
    if (status || facet_get_compression(source->data, source->size) == FACET_COMPRESSION_NONE)
        return status;
    status = facet_arena_create(options, &plain->arena, error);
    if (!status)
        status =
            facet_decompress_into(plain->arena, &plain->source.data, &plain->source.size, error);
    if (status)
        facet_plain_close(plain);
    return status;
}

void facet_plain_close(facet_plain *plain)
{
    facet_arena_free(plain->arena);
    plain->arena = NULL;
}
