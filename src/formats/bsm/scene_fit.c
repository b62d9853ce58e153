/* formats/bsm/scene_fit.c - the fit of hulls and occluder to their mesh: volumes, their ratio, and
 * parts outside. */
#include "base/tree.h"
#include "formats/bsm/scene.h"
#include "mesh/hulls/convex.h"
#include "mesh/occluder.h"

#include <facet/mesh.h>
#include <math.h>

/* Volume of a mesh by the divergence theorem: exact for a closed mesh, meaningless for an open
 * one. */
static double mesh_volume(const facet_mesh *mesh)
{
    const facet_stream *positions = &mesh->streams[0];
    double sum = 0;
    for (uint32_t corner = 0; corner + 2 < mesh->corner_count; corner += 3) {
        const float *p[3];
        for (uint32_t i = 0; i < 3; i++)
            p[i] = (const float *)positions->data + (size_t)positions->indices[corner + i] * 3;
        sum += (double)p[0][0] * ((double)p[1][1] * p[2][2] - (double)p[1][2] * p[2][1]) +
               (double)p[0][1] * ((double)p[1][2] * p[2][0] - (double)p[1][0] * p[2][2]) +
               (double)p[0][2] * ((double)p[1][0] * p[2][1] - (double)p[1][1] * p[2][0]);
    }
    return sum / 6;
}

/* The child of an object, without const. */
static facet_tree *child(facet_tree *object, const char *key)
{
    return (facet_tree *)(uintptr_t)facet_tree_find(object, key);
}

static void describe_hulls(const facet_scene *scene, facet_arena *arena, facet_tree *detail)
{
    double total = 0;
    facet_tree *hulls = child(detail, "hulls"), *line = hulls ? hulls->first : NULL;
    for (uint32_t i = 0; i < scene->hull_count; i++) {
        double volume = 0;
        const facet_hull *hull = scene->hulls[i];
        if (facet_convex_hull_volume(hull->points, hull->point_count, &volume, NULL))
            return;
        total += volume;
        if (line) {
            facet_tree_real(arena, line, "volume", volume);
            line = line->next;
        }
    }
    double enclosed = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        enclosed += mesh_volume(scene->meshes[i]);
    facet_tree *fit = facet_tree_object(arena, detail, "hull_fit");
    facet_tree_real(arena, fit, "hull_volume", total);
    facet_tree_real(arena, fit, "mesh_volume", enclosed);
    if (enclosed > 0 && isfinite(enclosed))
        facet_tree_real(arena, fit, "ratio", total / enclosed);
}

static void describe_occluder(const facet_scene *scene, const facet_options *options,
                              facet_arena *arena, facet_tree *detail)
{
    facet_occluder_fit fit;
    if (scene->mesh_count == 0 ||
        facet_occluder_measure(scene->meshes[0], scene->occluder, 0, options, &fit, NULL))
        return;
    facet_tree_real(arena, child(detail, "occluder"), "outside", fit.outside);
    facet_tree_real(arena, child(detail, "occluder"), "depth", fit.depth);
}

void facet_bsm_describe_fit(const facet_source *source, const facet_options *options,
                            facet_description *description)
{
    facet_options quiet = {0};
    if (options)
        quiet = *options;
    quiet.report = NULL; /* the check reports errors of the contents */
    facet_scene *scene = NULL;
    if (facet_bsm_load(source, NULL, &quiet, &scene, NULL))
        return;
    if (scene->hull_count > 0)
        describe_hulls(scene, description->arena, description->detail);
    if (scene->occluder)
        describe_occluder(scene, &quiet, description->arena, description->detail);
    facet_scene_free(scene);
}
