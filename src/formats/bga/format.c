/* formats/bga/format.c - BGA's line in the format table. */
#include "scene/format.h"
#include "formats/bga/document.h"

#include "base/error.h"

#include <string.h>

static int probe(const facet_source *source)
{
    return source->size >= 4 && memcmp(source->data, "BGA ", 4) == 0 ? 100 : 0;
}

static facet_status read(const facet_source *source, const facet_load_options *load,
                         const facet_options *options, facet_scene **scene, facet_error *error)
{
    facet_bga *document = NULL;
    TRY(facet_bga_read(source, options, &document, error));
    facet_status status = facet_bga_to_scene(document, load, options, scene, error);
    facet_bga_free(document);
    return status;
}

static facet_status write(const facet_scene *scene, const facet_options *options,
                          facet_output *output, facet_counts *counts, facet_error *error)
{
    (void)counts;
    facet_bga *document = NULL;
    TRY(facet_bga_from_scene(scene, options, &document, error));
    facet_status status = facet_bga_write(document, options, output, error);
    facet_bga_free(document);
    return status;
}

/* Within the family nothing passes through a scene: every buffer and every name
 * survives, and comments do. */
static facet_status copy(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error)
{
    facet_bga *document = NULL;
    TRY(facet_bga_read(source, options, &document, error));
    facet_status status = facet_bga_write(document, options, output, error);
    facet_bga_free(document);
    return status;
}

static const char *const extensions[] = {".bga", NULL};

const facet_format facet_format_bga = {
    .name = "bga",
    .title = "Binary GPU Attributes",
    .extensions = extensions,
    .needs = FACET_NEED_FLAT | FACET_NEED_ONE_MESH | FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX,
    .probe = probe,
    .read = read,
    .write = FACET_WRITER(write),
    .check = facet_bga_check,
    .describe = facet_bga_fill_description,
    .copy = FACET_WRITER(copy),
};
