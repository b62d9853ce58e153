/* formats/bsm/format.c - BSM's line in the format table. */
#include "base/error.h"
#include "base/output.h"
#include "formats/bsm/layout.h"
#include "formats/bsm/scene.h"
#include "scene/document.h"

#include <string.h>

static int probe(const facet_source *source)
{
    return source->size >= 16 && memcmp(source->data, "BINARYSTATICMESH", 16) == 0 ? 100 : 0;
}

FACET_DOCUMENT_COPY(bsm)

static facet_status write(const facet_scene *scene, const facet_options *options,
                          facet_output *output, facet_counts *counts, facet_error *error)
{
    facet_bsm *document = NULL;
    TRY(facet_bsm_from_scene(scene, options, &document, error));
    facet_status status = facet_bsm_write(document, options, output, error);
    if (counts)
        *counts = (facet_counts){true, document->triangle_count, document->vertex_count};
    facet_bsm_free(document);
    return status;
}

/* Describe the file, and how well hulls and occluder fit the mesh. */
static facet_status describe(const facet_source *source, const facet_options *options,
                             facet_description *description, facet_error *error)
{
    facet_status status = facet_bsm_fill_description(source, options, description, error);
    const facet_tree *occluder = facet_tree_find(description->detail, "occluder");
    const facet_tree *triangles = occluder ? facet_tree_find(occluder, "triangles") : NULL;
    if (!status && (description->hulls > 0 || (triangles && triangles->integer > 0)))
        facet_bsm_describe_fit(source, options, description);
    return status;
}

static const char *const extensions[] = {".bsm", NULL};

const facet_format facet_format_bsm = {
    .name = "bsm",
    .title = "Binary Static Mesh",
    .extensions = extensions,
    .needs = FACET_NEED_FLAT | FACET_NEED_ONE_MESH | FACET_NEED_TRIANGLES |
             FACET_NEED_SINGLE_INDEX | FACET_NEED_NORMALS | FACET_NEED_FACING |
             FACET_NEED_TANGENTS | FACET_NEED_SORTED | FACET_NEED_OPTIMIZED | FACET_NEED_FACES,
    .probe = probe,
    .read = facet_bsm_load,
    .write = FACET_WRITER(write),
    .copy = FACET_WRITER(copy),
    .check = facet_bsm_check,
    .describe = describe,
};
