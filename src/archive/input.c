/* archive/input.c - the target of a path, through archives and compression. */
#include "archive/chain.h"
#include "archive/codec.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <string.h>

struct facet_input {
    facet_arena *arena; /* owns this struct, and decompressed data */
    facet_file *file;   /* if the target is a file */
    facet_chain chain;  /* if the target is a member */
    facet_source source;
    facet_options options; /* for siblings that are decompressed */
};

static facet_status create(const facet_options *options, facet_input **input, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_check_options(options, error));
    TRY(facet_arena_create(options, &arena, error));
    facet_input *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    if (options) {
        made->options.allocator = options->allocator;
        made->options.memory_limit = options->memory_limit;
    }
    *input = made;
    return FACET_OK;
}

static facet_status open_member(facet_input *input, const char *path, size_t length,
                                const facet_options *options, facet_error *error)
{
    facet_error own = {0};
    facet_status status = facet_chain_open(path, length, options, &input->chain, &own);
    if (!status) {
        const facet_chain_link *last = facet_chain_last(&input->chain);
        status = last->member == FACET_NONE
                     ? facet_chain_fail(&input->chain, &own)
                     : facet_archive_open_member(last->archive, last->member, last->path, true,
                                                 options, &input->source, &own);
    }
    if (status && error)
        *error = own;
    return status;
}

static facet_status take_file(facet_input *input, facet_status status)
{
    if (!status)
        input->source = facet_file_source(input->file);
    return status;
}

facet_status facet_input_open(const char *path, const facet_options *options, facet_input **input,
                              facet_error *error)
{
    facet_input *made = NULL;
    TRY(create(options, &made, error));
    /* Usually the path is a file, which opening it shows. */
    facet_error own = {0};
    facet_status status = take_file(made, facet_file_open_steady(path, options, &made->file, &own));
    size_t length = status ? facet_file_in_path(path) : 0;
    if (length > 0)
        status = open_member(made, path, length, options, error);
    else if (status && error)
        *error = own;
    if (status)
        facet_input_close(made);
    else
        *input = made;
    return status;
}

facet_status facet_input_open_descriptor(int descriptor, const char *name,
                                         const facet_options *options, facet_input **input,
                                         facet_error *error)
{
    facet_input *made = NULL;
    TRY(create(options, &made, error));
    facet_status status = take_file(
        made, facet_file_open_descriptor_steady(descriptor, name, options, &made->file, error));
    if (status)
        facet_input_close(made);
    else
        *input = made;
    return status;
}

facet_status facet_input_open_member(const facet_archive *archive, uint32_t member,
                                     const char *prefix, const facet_options *options,
                                     facet_input **input, facet_error *error)
{
    facet_input *made = NULL;
    TRY(create(options, &made, error));
    facet_status status = FACET_OK;
    status =
        facet_archive_open_member(archive, member, prefix, true, options, &made->source, error);
    if (status)
        facet_input_close(made);
    else
        *input = made;
    return status;
}

facet_source facet_input_source(const facet_input *input)
{
    facet_source source = input->source;
    source.close = NULL; /* the input owns it */
    return source;
}

facet_status facet_input_decompress(facet_input *input, facet_source *source, facet_error *error)
{
    facet_source found = facet_input_source(input);
    facet_layers layers;
    facet_status status = facet_unpack(input->arena, &input->options, &found, &layers, error);
    if (!status)
        *source = found;
    return status;
}

void facet_input_close(facet_input *input)
{
    if (!input)
        return;
    if (input->source.close)
        facet_source_close(&input->source);
    facet_chain_close(&input->chain);
    facet_file_close(input->file);
    facet_arena_free(input->arena);
}
