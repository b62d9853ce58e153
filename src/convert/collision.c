/* convert/collision.c - hulls and an occluder from another scene. */
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "convert/hint.h"
#include "scene/scene.h"

#include <facet/convert.h>
#include <facet/pose.h>
#include <string.h>

/* -- Names -------------------------------------------------------------- */

static bool is_almost(const char *name, const char *occluder)
{
    return name && strncmp(name, occluder, strlen(occluder)) == 0 && name[strlen(occluder)];
}

static const char *find_almost(const facet_scene *scene, const char *occluder)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (is_almost(scene->nodes[i]->name, occluder))
            return scene->nodes[i]->name;
    }
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        if (is_almost(mesh->name, occluder))
            return mesh->name;
        for (uint32_t k = 0; k < mesh->part_count; k++) {
            if (is_almost(mesh->parts[k].name, occluder))
                return mesh->parts[k].name;
        }
    }
    return NULL;
}

void facet_collision_hint(const facet_scene *scene, const facet_load_options *load,
                          const facet_options *options)
{
    facet_quoted quoted;
    facet_report *report = options ? options->report : NULL;
    const char *occluder = load && load->occluder_name ? load->occluder_name : "occlusion_mesh";
    const char *name = report && !scene->occluder ? find_almost(scene, occluder) : NULL;
    if (name)
        facet_report_add(
            report, "COLLISION-NAME", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
            "'%s' is visible geometry: an occluder is named '%s', or given by --occluder",
            facet_quote(&quoted, name, strlen(name)), occluder);
}

/* -- Axes and units ----------------------------------------------------- */

/* Check that the axes are the same; otherwise the coordinates of two scenes cannot be combined. */
static facet_status same_axes(const facet_scene *scene, const facet_scene *from, facet_error *error)
{
    static const char *const names[] = {"y", "z", "x"};
    if (scene->axes.up == from->axes.up && scene->axes.left_handed == from->axes.left_handed)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_ARGUMENT, "COLLISION-FRAME", FACET_NO_OFFSET,
                      "the %s axis points up in the collision file, but the %s axis in the scene",
                      names[from->axes.up], names[scene->axes.up]);
}

/* Units of `scene` per unit of `from`. 1 if one is unknown, because then only the numbers are
 * known. */
static double units_per_unit(const facet_scene *scene, const facet_scene *from,
                             const facet_options *options)
{
    double to = scene->axes.unit, of = from->axes.unit;
    if (!(to > 0) || !(of > 0) || to == of)
        return 1;
    facet_report_add(options ? options->report : NULL, "COLLISION-UNIT", FACET_SEVERITY_NOTE,
                     FACET_NO_OFFSET,
                     "the unit of the collision file is %g m and that of the scene %g m: its "
                     "numbers are multiplied by %g",
                     of, to, of / to);
    return of / to;
}

static void scale(float *values, size_t count, double factor)
{
    for (size_t i = 0; i < count && factor != 1; i++)
        values[i] = (float)((double)values[i] * factor);
}

/* -- Hulls -------------------------------------------------------------- */

facet_status facet_scene_take_hulls(facet_scene *scene, facet_scene *from,
                                    const facet_options *options, facet_error *error)
{
    facet_status status = same_axes(scene, from, error);
    if (!status && from->hull_count == 0) {
        status = facet_scene_flatten(from, NULL, options, error);
        if (!status)
            status = facet_scene_make_hulls(from, options, error);
    }
    if (status)
        return status;
    double factor = from->hull_count > 0 ? units_per_unit(scene, from, options) : 1;
    scene->hull_count = 0;
    for (uint32_t i = 0; i < from->hull_count && !status; i++) {
        const facet_hull *hull = from->hulls[i];
        facet_hull *copy = NULL;
        status = facet_scene_add_hull(scene, hull->name, hull->point_count, &copy, error);
        if (status || hull->point_count == 0)
            continue;
        memcpy(copy->points, hull->points, (size_t)hull->point_count * 3 * sizeof(float));
        scale(copy->points, (size_t)hull->point_count * 3, factor);
    }
    return status;
}

/* -- Occluder ----------------------------------------------------------- */

/* Copy the positions and triangles of a mesh to the scene's occluder. */
static facet_status copy_occluder(facet_scene *scene, const facet_mesh *mesh, double factor,
                                  const facet_options *options, facet_error *error)
{
    const facet_stream *positions = &mesh->streams[0];
    facet_mesh *occluder = NULL;
    facet_stream *stream = NULL;
    TRY(facet_scene_add_occluder(scene, &occluder, error));
    occluder->face_count = mesh->face_count;
    occluder->corner_count = mesh->corner_count;
    facet_status status = facet_mesh_add_stream_copy(
        occluder, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, positions->count, positions->data,
        positions->indices, &stream, error);
    if (status) {
        scene->occluder = NULL;
        return status;
    }
    scale(stream->data, (size_t)positions->count * 3, factor);
    return facet_mesh_index(occluder, options, NULL, error);
}

facet_status facet_scene_take_occluder(facet_scene *scene, facet_scene *from,
                                       const facet_options *options, facet_error *error)
{
    facet_flatten_options together = {0};
    together.merge = true;
    facet_status status = same_axes(scene, from, error);
    if (!status && !from->occluder)
        status = facet_scene_flatten(from, &together, options, error);
    if (status)
        return status;
    facet_mesh *mesh = from->occluder;
    if (!mesh && from->mesh_count > 0)
        mesh = from->meshes[0];
    if (!mesh || mesh->corner_count == 0)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "COLLISION-EMPTY", FACET_NO_OFFSET,
                          "no mesh can be used as the occluder");
    TRY(facet_mesh_triangulate(mesh, options, NULL, error));
    return copy_occluder(scene, mesh, units_per_unit(scene, from, options), options, error);
}
