/* formats/bpx/format.c - BPX's line in the format table. */
#include "base/error.h"
#include "base/output.h"
#include "formats/bpx/bpx.h"
#include "formats/bpx/scene.h"
#include "image/image.h"
#include "scene/document.h"

#include <facet/image.h>
#include <string.h>

static int probe(const facet_source *source)
{
    return source->size >= 4 && memcmp(source->data, "BPX", 3) == 0 ? 100 : 0;
}

FACET_DOCUMENT_READ(bpx)

/* Each triangle has three separate vertices. */
static facet_status count(const facet_bpx *document, facet_counts *counts, facet_error *error)
{
    facet_bpx_model model;
    uint64_t vertices = 0;
    facet_error why;
    facet_status status = facet_bpx_get_model(document, &model, &why);
    if (facet_lacks_memory(status)) {
        if (error)
            *error = why;
        return status;
    }
    if (status)
        return FACET_OK; /* a texture */
    for (uint32_t i = 0; i < model.array_count; i++)
        vertices += model.arrays[i].vertex_count;
    *counts = (facet_counts){true, vertices / 3, vertices};
    return FACET_OK;
}

static facet_status write(const facet_scene *scene, const facet_options *options,
                          facet_output *output, facet_counts *counts, facet_error *error)
{
    facet_bpx *document = NULL;
    TRY(facet_bpx_from_scene(scene, options, &document, error));
    facet_status status = facet_bpx_write(document, options, output, error);
    if (!status && counts)
        status = count(document, counts, error);
    facet_bpx_free(document);
    return status;
}

/* A copy keeps every section of any type, and its compression. It corrects only sizes, order, gaps
 * and checksum. */
FACET_DOCUMENT_COPY(bpx)

/* Extract a texture's images as common image files. */
static facet_status extract(const facet_source *source, const facet_options *options,
                            const facet_extractor *extractor, facet_error *error)
{
    facet_bpx *document = NULL;
    facet_scene *scene = NULL;
    TRY(facet_bpx_read(source, options, &document, error));
    facet_status status = FACET_OK;
    if (document->revision == FACET_BPX_0A && document->type == 'T') {
        status = facet_bpx_to_scene(document, NULL, options, &scene, error);
        if (!status)
            status = facet_extract_images(scene, options, extractor, error);
        facet_scene_free(scene);
    } else {
        status = facet_bpx_extract(document, extractor, error);
    }
    facet_bpx_free(document);
    return status;
}

static const char *const extensions[] = {".bpx", NULL};

const facet_format facet_format_bpx = {
    .name = "bpx",
    .title = "BlockProject eXtended container",
    .extensions = extensions,
    .pack = FACET_PACK_CONTAINER,
    .needs = FACET_NEED_TRIANGLES | FACET_NEED_NORMALS | FACET_NEED_FACING | FACET_NEED_FACES,
    .probe = probe,
    .read = read,
    .write = FACET_WRITER(write),
    .check = facet_bpx_check,
    .describe = facet_bpx_fill_description,
    .copy = FACET_WRITER(copy),
    .extract = FACET_WRITER(extract),
};
