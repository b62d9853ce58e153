/* formats/iqm/format.c - IQM's line in the format table. */
#include "scene/format.h"
#include "base/error.h"
#include "base/output.h"
#include "formats/iqm/scene.h"

#include <string.h>

static int probe(const facet_source *source)
{
    return source->size >= 16 && memcmp(source->data, "INTERQUAKEMODEL", 16) == 0 ? 100 : 0;
}

static facet_status copy(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error)
{
    facet_iqm *document = NULL;
    TRY(facet_iqm_read(source, options, &document, error));
    facet_status status = facet_iqm_write(document, options, output, error);
    facet_iqm_free(document);
    return status;
}

static facet_status write(const facet_scene *scene, const facet_options *options,
                          facet_output *output, facet_counts *counts, facet_error *error)
{
    facet_iqm *document = NULL;
    TRY(facet_iqm_from_scene(scene, options, &document, error));
    facet_status status = facet_iqm_write(document, options, output, error);
    if (counts)
        *counts = (facet_counts){true, document->triangle_count, document->vertex_count};
    facet_iqm_free(document);
    return status;
}

static const char *const extensions[] = {".iqm", NULL};

const facet_format facet_format_iqm = {
    .name = "iqm",
    .title = "Inter-Quake Model",
    .extensions = extensions,
    .needs = FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX | FACET_NEED_NORMALS |
             FACET_NEED_FACING | FACET_NEED_TANGENTS | FACET_NEED_SORTED | FACET_NEED_OPTIMIZED |
             FACET_NEED_FACES | FACET_NEED_METERS,
    .probe = probe,
    .read = facet_iqm_load,
    .add = facet_iqm_load_added,
    .write = FACET_WRITER(write),
    .copy = FACET_WRITER(copy),
    .check = facet_iqm_check,
    .describe = facet_iqm_fill_description,
};
