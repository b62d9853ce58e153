/* bsm/format.c - the line of BSM in the format table. */
#include "scene/format.h"
#include "base/arena.h"
#include "base/error.h"
#include "bsm/scene.h"

#include <math.h>
#include <string.h>

static int probe(const facet_source *source)
{
    return source->size >= 16 && memcmp(source->data, "BINARYSTATICMESH", 16) == 0 ? 100 : 0;
}

static facet_status copy(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error)
{
    facet_bsm *document = NULL;
    facet_status status = facet_bsm_read(source->data, source->size, options, &document, error);
    if (status)
        return status;
    status = facet_bsm_write(document, options, output, error);
    facet_bsm_free(document);
    return status;
}

static facet_status check(const facet_source *source, const facet_options *options,
                          facet_report *report, facet_error *error)
{
    return facet_bsm_check(source->data, source->size, options, report, error);
}

static void take_bounds(const facet_bsm_layout *layout, facet_description *description)
{
    description->has_bounds = layout->count[FACET_BSM_POSITIONS] > 0;
    for (int axis = 0; axis < 3; axis++) {
        description->minimum[axis] = (double)layout->minimum[axis];
        description->maximum[axis] = (double)layout->maximum[axis];
        if (!isfinite(layout->minimum[axis]) || !isfinite(layout->maximum[axis]))
            description->has_bounds = false;
    }
}

static facet_status describe(const facet_source *source, const facet_options *options,
                             facet_description *description, facet_error *error)
{
    facet_bsm_layout layout;
    facet_status status = facet_bsm_view(source->data, source->size, &layout, error);
    if (status)
        return status;
    char *version = facet_arena_format(description->arena, "%d", (int)layout.version);
    if (!version || !facet_bsm_describe(&layout, description->arena, description->detail))
        return facet_fail_memory(error, sizeof(facet_tree));
    description->version = version;
    description->meshes = layout.count[FACET_BSM_MESHES];
    description->vertices = layout.count[FACET_BSM_POSITIONS];
    description->faces = layout.count[FACET_BSM_TRIANGLES];
    description->triangles = layout.count[FACET_BSM_TRIANGLES];
    description->materials = layout.count[FACET_BSM_MESHES];
    description->hulls = layout.count[FACET_BSM_HULLS];
    take_bounds(&layout, description);
    if (description->hulls > 0 || layout.count[FACET_BSM_OCCLUDER_TRIANGLES] > 0)
        facet_bsm_describe_fit(source, options, description->arena, description->detail);
    return FACET_OK;
}

static const char *const extensions[] = {".bsm", NULL};

const facet_format facet_format_bsm = {
    .name = "bsm",
    .title = "Binary Static Mesh",
    .extensions = extensions,
    .needs = FACET_NEED_FLAT | FACET_NEED_ONE_MESH | FACET_NEED_TRIANGLES |
             FACET_NEED_SINGLE_INDEX | FACET_NEED_NORMALS | FACET_NEED_FACING |
             FACET_NEED_TANGENTS | FACET_NEED_SORTED | FACET_NEED_OPTIMIZED,
    .probe = probe,
    .read = facet_bsm_read_scene,
    .write = facet_bsm_write_scene,
    .copy = copy,
    .check = check,
    .describe = describe,
};
