/* bpx/format.c - BPX's line in the format table. */
#include "base/arena.h"
#include "base/error.h"
#include "bpx/bpx.h"

#include <string.h>

static int probe(const facet_source *source)
{
    return source->size >= 4 && memcmp(source->data, "BPX", 3) == 0 ? 100 : 0;
}

static facet_status read_scene(const facet_source *source, const facet_load_options *load,
                               const facet_options *options, facet_scene **scene,
                               facet_error *error)
{
    (void)load;
    facet_bpx_document *document;
    facet_status status = facet_bpx_read(source->data, source->size, options, &document, error);
    if (status)
        return status;
    if (document->view.type == 'T')
        status = facet_bpx_texture_to_scene(document, options, scene, error);
    else if (document->view.type == 'M')
        status = facet_bpx_model_to_scene(document, options, scene, error);
    else
        status = facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-TYPE-UNSPECIFIED", 3,
                            "a file of type %c holds no texture and no model; 'extract' takes out "
                            "what is in it",
                            document->view.type);
    facet_bpx_document_free(document);
    return status;
}

static facet_status write_scene(const facet_scene *scene, const facet_options *options,
                                facet_output *output, facet_error *error)
{
    if (scene->mesh_count == 0 && scene->image_count > 0)
        return facet_bpx_texture_from_scene(scene, options, output, error);
    return facet_bpx_model_from_scene(scene, options, output, error);
}

static facet_status copy_sections(const facet_bpx_document *document, const facet_options *options,
                                  facet_output *output, facet_error *error)
{
    const facet_bpx *bpx = &document->view;
    if (bpx->revision != FACET_BPX_0A)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-VERSION-LATER", 0x10,
                          "files of revision %s are read, but only 0-A is written",
                          facet_bpx_revision_name(bpx->revision));
    facet_bpx_part *parts =
        facet_arena_allocate(document->arena, bpx->section_count, sizeof *parts);
    if (!parts)
        return facet_fail_memory(error, bpx->section_count * sizeof *parts);
    for (uint32_t i = 0; i < bpx->section_count; i++) {
        facet_bpx_section s = facet_bpx_section_at(bpx, i);
        facet_bpx_part part = {s.type, s.compression == FACET_BPX_PLAIN, document->contents[i].data,
                               document->contents[i].size};
        parts[i] = part;
    }
    return facet_bpx_write(bpx->type, bpx->extension, parts, bpx->section_count, options, output,
                           error);
}

/* Every section survives, of any type, and is compressed if it was; what is
 * repaired is sizes, order, gaps and checksum. */
static facet_status copy(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error)
{
    facet_bpx_document *document;
    facet_status status = facet_bpx_read(source->data, source->size, options, &document, error);
    if (status)
        return status;
    status = copy_sections(document, options, output, error);
    facet_bpx_document_free(document);
    return status;
}

static const char *const extensions[] = {".bpx", NULL};

const facet_format facet_format_bpx = {
    .name = "bpx",
    .title = "BlockProject eXtended container",
    .extensions = extensions,
    .needs = FACET_NEED_TRIANGLES | FACET_NEED_NORMALS | FACET_NEED_FACING,
    .probe = probe,
    .read = read_scene,
    .write = write_scene,
    .check = facet_bpx_check,
    .describe = facet_bpx_describe,
    .copy = copy,
    .extract = facet_bpx_extract,
};
