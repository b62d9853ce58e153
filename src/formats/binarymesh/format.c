/* formats/binarymesh/format.c - BinaryMesh's line in the format table. */
#include "scene/format.h"
#include "base/error.h"
#include "base/output.h"
#include "formats/binarymesh/binarymesh.h"
#include "formats/binarymesh/scene.h"

#include <string.h>

static int probe(const facet_source *source)
{
    return source->size >= FACET_BINARYMESH_SIGNATURE_SIZE &&
                   memcmp(source->data, FACET_BINARYMESH_SIGNATURE,
                          FACET_BINARYMESH_SIGNATURE_SIZE) == 0
               ? 100
               : 0;
}

static facet_status write(const facet_scene *scene, const facet_options *options,
                          facet_output *output, facet_counts *counts, facet_error *error)
{
    facet_binarymesh *document = NULL;
    TRY(facet_binarymesh_from_scene(scene, options, &document, error));
    facet_status status = facet_binarymesh_write(document, options, output, error);
    uint64_t faces = 0, positions = 0;
    for (uint32_t i = 0; i < document->object_count; i++) {
        faces += document->objects[i].face_count;
        positions += document->objects[i].position_count;
    }
    if (counts)
        *counts = (facet_counts){true, faces, positions};
    facet_binarymesh_free(document);
    return status;
}

/* Keep the version unless options select another. Version 2, which is not written, becomes 3 with
 * the same numbers. */
static facet_status copy(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error)
{
    facet_binarymesh *document = NULL;
    TRY(facet_binarymesh_read(source, options, &document, error));
    facet_options as_read = options ? *options : (facet_options){0};
    if (as_read.format_version == 0)
        as_read.format_version = document->version == 2 ? 3 : document->version;
    facet_status status = facet_binarymesh_write(document, &as_read, output, error);
    facet_binarymesh_free(document);
    return status;
}

static const char *const extensions[] = {".binarymesh", NULL};

const facet_format facet_format_binarymesh = {
    .name = "binarymesh",
    .title = "appleseed BinaryMesh",
    .extensions = extensions,
    .needs = FACET_NEED_FLAT | FACET_NEED_FACES,
    .compression = "blocks",
    .probe = probe,
    .read = facet_binarymesh_load,
    .write = FACET_WRITER(write),
    .check = facet_binarymesh_check,
    .describe = facet_binarymesh_fill_description,
    .copy = FACET_WRITER(copy),
};
