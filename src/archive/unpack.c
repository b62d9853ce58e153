/* archive/unpack.c - compressed sources, and their siblings. */
#include "archive/codec.h"
#include "base/arena.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

/* Data of an unpacked source. */
typedef struct unpacked {
    facet_source stored;
    facet_options options; /* for siblings */
    facet_arena *arena;    /* a sibling's arena owns this struct; NULL: another arena does */
} unpacked;

static facet_status open_sibling(const facet_source *source, const char *name,
                                 facet_source *sibling, facet_error *error);

static void close_sibling(facet_source *source)
{
    unpacked *u = source->user;
    facet_source_close(&u->stored);
    facet_arena_free(u->arena);
}

static unpacked *keep(facet_arena *arena, const facet_options *options, const facet_source *stored)
{
    unpacked *u = facet_arena_allocate_zeroed(arena, 1, sizeof *u);
    if (!u)
        return NULL;
    u->stored = *stored;
    u->options.allocator = options ? options->allocator : NULL;
    u->options.memory_limit = options ? options->memory_limit : 0;
    return u;
}

static void wrap(unpacked *u, facet_source *source)
{
    source->user = u;
    source->close = NULL; /* its owner closes the compressed source */
    if (source->open_sibling)
        source->open_sibling = open_sibling;
}

/* -- Siblings ----------------------------------------------------------- */

static facet_status unpack_sibling(const facet_options *options, facet_source *opened,
                                   facet_error *error)
{
    facet_arena *arena = NULL;
    facet_source made = *opened;
    facet_layers layers;
    TRY(facet_arena_create(options, &arena, error));
    unpacked *u = keep(arena, options, opened);
    facet_status status =
        u ? facet_layers_decode(arena, options, &made.data, &made.size, &layers, error)
          : facet_fail_arena(arena, error);
    if (status) {
        facet_arena_free(arena);
        return status;
    }
    u->arena = arena;
    wrap(u, &made);
    made.close = close_sibling;
    *opened = made;
    return FACET_OK;
}

/* Find the sibling with that name, or with that name and a codec's extension. */
static facet_status find_sibling(const facet_source *stored, const char *name, facet_source *opened,
                                 facet_error *error)
{
    enum { MAX_NAME = 4096 };
    char longer[MAX_NAME];
    facet_status status = stored->open_sibling(stored, name, opened, error);
    for (size_t i = 0; status == FACET_ERROR_IO && facet_codec_get(i); i++) {
        int used = snprintf(longer, sizeof longer, "%s%s", name, facet_codec_get(i)->extension);
        if (used < 0 || (size_t)used >= sizeof longer)
            return status;
        *opened = (facet_source){0};
        status = stored->open_sibling(stored, longer, opened, NULL);
    }
    return status;
}

/* Open a sibling. Decompress it only if its name has a codec's extension, because the numbers of a
 * buffer can look like a stream. */
static facet_status open_sibling(const facet_source *source, const char *name,
                                 facet_source *sibling, facet_error *error)
{
    const unpacked *u = source->user;
    facet_source stored = u->stored, opened = {0};
    stored.allow_external = source->allow_external;
    TRY(find_sibling(&stored, name, &opened, error));
    facet_status status = FACET_OK;
    if (facet_codec_from_path(opened.name) && facet_codec_of(opened.data, opened.size))
        status = unpack_sibling(&u->options, &opened, error);
    if (status) {
        facet_error_set_file(error, opened.name);
        facet_source_close(&opened);
    } else {
        *sibling = opened;
    }
    return status;
}

/* -- Sources ------------------------------------------------------------ */

facet_status facet_unpack(facet_arena *arena, const facet_options *options, facet_source *source,
                          facet_layers *layers, facet_error *error)
{
    facet_source stored = *source;
    TRY(facet_layers_decode(arena, options, &source->data, &source->size, layers, error));
    bool codec = facet_codec_from_path(source->name) != NULL;
    for (unsigned i = 0; i < layers->count; i++)
        codec |= layers->each[i].codec != NULL;
    if (!codec || !source->open_sibling || source->open_sibling == open_sibling)
        return FACET_OK;
    unpacked *u = keep(arena, options, &stored);
    if (!u)
        return facet_fail_arena(arena, error);
    wrap(u, source);
    return FACET_OK;
}
