/* bpx/describe.c - what `facet info` says of a BPX file. */
#include "base/arena.h"
#include "base/error.h"
#include "bpx/bpx.h"

/* -- Sections ----------------------------------------------------------- */

static facet_tree *describe_section(facet_arena *arena, facet_tree *array,
                                    const facet_bpx_document *document, uint32_t index)
{
    static const char *const compressions[] = {"none", "zlib", "xz"};
    static const char *const sums[] = {"wrong", "right", "absent", "zeroed", "one-step"};
    const facet_bpx *bpx = &document->view;
    const facet_bpx_contents *contents = &document->contents[index];
    facet_bpx_section s = facet_bpx_section_at(bpx, index);
    const char *name = facet_bpx_section_name(bpx, s.type);
    facet_tree *node = facet_tree_object(arena, array, NULL);
    if (name)
        facet_tree_string(arena, node, "name", name);
    facet_tree_integer(arena, node, "type", s.type);
    facet_tree_integer(arena, node, "flags", s.flags);
    facet_tree_string(arena, node, "compression", compressions[s.compression]);
    facet_tree_integer(arena, node, "offset", (int64_t)s.offset);
    facet_tree_integer(arena, node, "stored_bytes", s.stored_size);
    facet_tree_integer(arena, node, "bytes", (int64_t)contents->size);
    if (bpx->entry_size != FACET_BPX_ENTRY_SIZE)
        facet_tree_string(arena, node, "checksum",
                          sums[facet_bpx_verify_section(bpx, &s, contents->data, contents->size)]);
    return facet_tree_real(arena, node, "ratio",
                           contents->size ? (double)s.stored_size / (double)contents->size : 1);
}

/* -- Packages ----------------------------------------------------------- */

typedef struct listing {
    facet_arena *arena;
    facet_tree *files;
} listing;

static facet_status list_file(void *user, const char *name, const void *data, size_t size,
                              facet_error *error)
{
    const listing *l = user;
    (void)data;
    facet_tree *node = facet_tree_object(l->arena, l->files, NULL);
    facet_tree_string(l->arena, node, "name", name);
    return facet_tree_integer(l->arena, node, "bytes", (int64_t)size)
               ? FACET_OK
               : facet_fail_memory(error, sizeof *node);
}

/* A package whose table is at fault is still listed up to there. */
static facet_status describe_package(const facet_bpx_document *document,
                                     facet_description *description, facet_error *error)
{
    listing l = {description->arena,
                 facet_tree_array(description->arena, description->detail, "files")};
    facet_extractor lister = {list_file, &l};
    return facet_bpx_extract_package(document, &lister, error) == FACET_ERROR_MEMORY
               ? FACET_ERROR_MEMORY
               : FACET_OK;
}

/* -- The whole ---------------------------------------------------------- */

facet_status facet_bpx_describe(const facet_source *source, const facet_options *options,
                                facet_description *description, facet_error *error)
{
    static const char *const sums[] = {"wrong", "right", "absent", "zeroed", "one-step"};
    facet_arena *arena = description->arena;
    facet_bpx_document *document;
    facet_status status = facet_bpx_read(source->data, source->size, options, &document, error);
    if (status)
        return status;
    const facet_bpx *bpx = &document->view;
    facet_tree *detail = description->detail;
    description->version = facet_bpx_revision_name(bpx->revision);
    facet_tree_text(arena, detail, "type", &bpx->type, 1);
    facet_tree_string(arena, detail, "checksum", sums[facet_bpx_verify(bpx)]);
    facet_tree *sections = facet_tree_array(arena, detail, "sections"), *last = sections;
    for (uint32_t i = 0; i < bpx->section_count && last; i++)
        last = describe_section(arena, sections, document, i);
    if (bpx->revision == FACET_BPX_0A && bpx->type == 'T')
        facet_bpx_describe_texture(document, description);
    else if (bpx->revision == FACET_BPX_0A && bpx->type == 'M')
        status = facet_bpx_describe_model(document, description, error);
    else if (bpx->revision == FACET_BPX_0A && bpx->type == 'S')
        facet_bpx_describe_shaders(document, description);
    else if (bpx->revision >= FACET_BPX_1 && bpx->type == 'P')
        status = describe_package(document, description, error);
    facet_bpx_document_free(document);
    return status || last ? status : facet_fail_memory(error, sizeof(facet_tree));
}
