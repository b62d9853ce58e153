/* cli/collision.c - hulls and an occluder, made or taken from other files. */
#include "cli/cli.h"

#include <inttypes.h>

bool wants_collision(const cli_settings *settings)
{
    return settings->hulls || settings->hulls_from || settings->occluder > 0 ||
           settings->occluder_from;
}

/* -- From other files --------------------------------------------------- */

typedef facet_status (*taker)(facet_scene *scene, facet_scene *from, const facet_options *options,
                              facet_error *error);

static facet_status take_from(const char *path, taker take, facet_scene *scene,
                              const facet_options *options, const char **blamed, facet_error *error)
{
    facet_file *file = NULL;
    facet_scene *from = NULL;
    *blamed = path;
    facet_status status = facet_file_open(path, &file, error);
    if (!status) {
        facet_source source = facet_file_source(file);
        status = facet_load(&source, NULL, NULL, options, &from, error);
    }
    if (!status)
        status = take(scene, from, options, error);
    facet_scene_free(from);
    facet_file_close(file);
    return status;
}

/* -- Made --------------------------------------------------------------- */

static facet_status make_hulls(const cli_settings *settings, facet_scene *scene,
                               const facet_options *options, facet_error *error)
{
    facet_hulls_options how = {0};
    facet_hulls_summary summary;
    how.max_hulls = settings->hulls;
    how.max_vertices = settings->hull_vertices;
    scene->hull_count = 0; /* those that came with the file make way */
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++) {
        status = facet_mesh_hulls(scene->meshes[i], &how, options, scene, &summary, error);
        if (!status)
            remark("%" PRIu32 " hulls of volume %.6g; a vertex lies at most %.3g of the diagonal "
                   "outside",
                   summary.hulls, summary.volume, summary.distance);
    }
    return status;
}

static facet_status make_occluder(const cli_settings *settings, facet_scene *scene,
                                  const facet_options *options, facet_error *error)
{
    facet_occluder_options how = {0};
    facet_occluder_fit fit;
    how.simplify.ratio = (float)settings->occluder;
    facet_status status = FACET_OK;
    scene->occluder = NULL;
    if (scene->mesh_count > 0)
        status = facet_mesh_occluder(scene->meshes[0], &how, options, scene, &fit, error);
    if (!status && scene->occluder)
        remark("occluder of %" PRIu32 " triangles; %.3g of its area sticks out", fit.triangles,
               fit.outside);
    return status;
}

facet_status add_collision(const cli_settings *settings, facet_scene *scene,
                           const facet_options *options, const char **blamed, facet_error *error)
{
    facet_status status = FACET_OK;
    const char *input = *blamed;
    if (settings->hulls_from)
        status = take_from(settings->hulls_from, facet_take_hulls, scene, options, blamed, error);
    if (!status && settings->occluder_from)
        status =
            take_from(settings->occluder_from, facet_take_occluder, scene, options, blamed, error);
    if (status)
        return status;
    *blamed = input;
    if (settings->hulls)
        status = make_hulls(settings, scene, options, error);
    if (!status && settings->occluder > 0)
        status = make_occluder(settings, scene, options, error);
    return status;
}
