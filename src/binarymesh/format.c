/* binarymesh/format.c - the line of this format in the format table. */
#include "scene/format.h"
#include "base/error.h"
#include "binarymesh/binarymesh.h"
#include "scene/scene.h"

#include <string.h>

static int probe(const facet_source *source)
{
    return source->size >= FACET_BINARYMESH_SIGNATURE_SIZE &&
                   memcmp(source->data, FACET_BINARYMESH_SIGNATURE,
                          FACET_BINARYMESH_SIGNATURE_SIZE) == 0
               ? 100
               : 0;
}

static facet_binarymesh_write_options write_options(const facet_options *options)
{
    facet_binarymesh_write_options write = {options ? options->format_version : 0};
    return write;
}

static facet_status read_scene(const facet_source *source, const facet_load_options *load,
                               const facet_options *options, facet_scene **scene,
                               facet_error *error)
{
    facet_scene *made = NULL;
    facet_status status =
        facet_binarymesh_read_scene(source->data, source->size, options, &made, error);
    if (status)
        return status;
    status = facet_scene_extract_collision(made, load, options, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}

static facet_status write_scene(const facet_scene *scene, const facet_options *options,
                                facet_output *output, facet_error *error)
{
    facet_binarymesh_write_options write = write_options(options);
    return facet_binarymesh_write_scene(scene, &write, options, output, error);
}

static facet_status check(const facet_source *source, const facet_options *options,
                          facet_report *report, facet_error *error)
{
    return facet_binarymesh_check(source->data, source->size, options, report, error);
}

static facet_status describe(const facet_source *source, const facet_options *options,
                             facet_description *description, facet_error *error)
{
    return facet_binarymesh_describe(source->data, source->size, options, description, error);
}

/* The version stays as it is unless another is asked for; 2, which is not
 * written, becomes 3: the same numbers. */
static facet_status copy(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error)
{
    facet_binarymesh *document = NULL;
    facet_status status =
        facet_binarymesh_read(source->data, source->size, options, &document, error);
    if (status)
        return status;
    facet_binarymesh_write_options write = write_options(options);
    if (write.version == 0)
        write.version = document->version == 2 ? 3 : document->version;
    status = facet_binarymesh_write(document, &write, options, output, error);
    facet_binarymesh_free(document);
    return status;
}

static const char *const extensions[] = {".binarymesh", NULL};

const facet_format facet_format_binarymesh = {
    .name = "binarymesh",
    .title = "appleseed BinaryMesh",
    .extensions = extensions,
    .needs = FACET_NEED_FLAT,
    .probe = probe,
    .read = read_scene,
    .write = write_scene,
    .check = check,
    .describe = describe,
    .copy = copy,
};
