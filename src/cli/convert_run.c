/* cli/convert_run.c - the steps of a conversion: load, prepare, save. */
#include "base/arena.h"
#include "base/error.h"
#include "base/output.h"
#include "cli/convert.h"
#include "convert/save.h"
#include "scene/format.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

static facet_status open_output(cli_conversion *c, facet_error *error)
{
    return cli_open_output(c->arguments, c->out, &c->options, &c->output, error);
}

static facet_prepare_options preparation(cli_conversion *c)
{
    const cli_convert_settings *s = c->settings;
    facet_prepare_options prepare = {0};
    prepare.skip = s->no_optimize ? FACET_NEED_OPTIMIZED : 0;
    if (cli_wants_collision(c->arguments))
        prepare.extra = FACET_NEED_FLAT | FACET_NEED_ONE_MESH | FACET_NEED_TRIANGLES;
    prepare.tangents = s->tangents;
    if (c->options.gltf->compress && !s->no_optimize)
        prepare.extra |= FACET_NEED_STRIPS;
    prepare.keep_vertices = s->keep_vertices;
    prepare.weld_distance = (float)s->merge;
    c->normals.replace = s->new_normals || s->flat;
    c->normals.flat = s->flat;
    c->normals.crease_degrees = (float)s->crease;
    prepare.normals = &c->normals;
    if (cli_reduction(c->arguments, &c->reduce)) {
        prepare.reduce = &c->reduce;
        prepare.reduced = &c->reduced;
    } else if (cli_levels(c->arguments) > 0) {
        prepare.extra |= FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX;
    }
    return prepare;
}

/* -- Input ------------------------------------------------------------- */

/* Apply the frame of the command line instead of the file's. A scale can make numbers infinite. */
static facet_status override_frame(cli_conversion *c, facet_error *error)
{
    const cli_convert_settings *s = c->settings;
    if (s->up)
        c->scene->axes.up = (facet_axis)(s->up - 1);
    if (s->flip_v)
        c->scene->axes.uv_origin_top = !c->scene->axes.uv_origin_top;
    if (!(s->scale > 0))
        return FACET_OK;
    facet_scene_scale(c->scene, s->scale);
    return facet_scene_expect_finite(c->scene, FACET_ERROR_MALFORMED, error);
}

/* Turn the model for an output that does not store which axis is up. Its writer expects +Y up, so
 * the turned scene is declared as +Y up. */
static facet_status turn_output(cli_conversion *c, facet_error *error)
{
    if (!c->settings->output_up)
        return FACET_OK;
    facet_axes axes = c->scene->axes;
    axes.up = (facet_axis)(c->settings->output_up - 1);
    axes.left_handed = false;
    axes.unit = 0;
    TRY(facet_scene_set_axes(c->scene, &axes, error));
    c->scene->axes.up = FACET_AXIS_Y;
    return FACET_OK;
}

/* Resize images if there are only images, and textures of models whose format requires powers of
 * two. */
static facet_status resize_images(cli_conversion *c, facet_error *error)
{
    uint32_t most = facet_format_max_texture_side(c->to);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < c->scene->image_count && !status; i++) {
        facet_image *image = c->scene->images[i];
        if ((c->scene->mesh_count > 0 && most == 0) || (!image->data && !image->pixels))
            continue;
        status = facet_image_decode(c->scene->arena, image, &c->options, error);
        if (!status)
            status = cli_resize_to_power_of_two(c->scene, image, most ? most : UINT32_MAX, error);
    }
    return status;
}

static facet_status load(cli_conversion *c, const char **blamed, facet_error *error)
{
    facet_load_options how = {0};
    how.images = (facet_format_needs(c->to) & FACET_NEED_IMAGES) != 0;
    how.images_for = c->to;
    how.variant = c->settings->variant;
    how.max_clusters = cli_clusters(c->arguments);
    how.texture_folder = c->options.j3d ? c->options.j3d->texture_folder : NULL;
    how.keep_missing_images = c->options.j3d && c->options.j3d->like;
    cli_name_collision(c->arguments, &how);
    TRY(facet_load(&c->source, c->from, &how, &c->options, &c->scene, error));
    TRY(cli_add_animations(c, blamed, error));
    /* The scene does not point into the file, so its pages can be released. */
    facet_input_close(c->file);
    c->file = NULL;
    TRY(override_frame(c, error));
    TRY(turn_output(c, error));
    if (!how.images)
        TRY(facet_scene_move_paths(c->scene, c->in, c->out, error));
    return c->settings->resize ? resize_images(c, error) : FACET_OK;
}

/* Save a scene, and add the output's counts to the total. */
static facet_status save(cli_conversion *c, const facet_scene *scene, facet_output *output,
                         facet_error *error)
{
    facet_counts counts = {0};
    TRY(facet_save_counted(scene, c->to, &c->options, output, &counts, error));
    bool stores_meshes = !counts.known && facet_format_has_meshes(c->to);
    for (uint32_t i = 0; i < scene->mesh_count && stores_meshes; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        counts.faces += mesh->face_count;
        counts.vertices += mesh->stream_count > 0 ? mesh->streams[0].count : 0;
    }
    c->faces += counts.faces;
    c->vertices += counts.vertices;
    return FACET_OK;
}

/* -- Output: one file per mesh ----------------------------------------- */

#ifdef FACET_CORE_MODULE

static facet_status split_scene(cli_conversion *c, const facet_prepare_options *prepare,
                                facet_error *error)
{
    (void)c, (void)prepare;
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-ABSENT", FACET_NO_OFFSET,
                      "this build only reads; it writes one file");
}

#else

/* File name of a mesh: for "out/a.bsm", mesh 3 with the name "wheel/left" is
 * "out/a-3-wheel_left.bsm". */
static void name_piece(char *path, size_t space, const char *out, uint32_t index, const char *name)
{
    const char *slash = strrchr(out, '/'), *dot = strrchr(slash ? slash : out, '.');
    int stem = dot ? (int)(dot - out) : (int)strlen(out);
    char tame[64];
    size_t used = 0;
    for (; *name && used + 1 < sizeof tame; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9') || *name == '-' || *name == '.';
        tame[used++] = plain ? *name : '_';
    }
    tame[used] = '\0';
    snprintf(path, space, "%.*s-%" PRIu32 "%s%s%s", stem, out, index, used ? "-" : "", tame,
             dot ? dot : "");
}

static facet_status write_piece(cli_conversion *c, const facet_prepare_options *prepare,
                                uint32_t index, facet_error *error)
{
    char path[4096];
    facet_mesh *mesh = c->scene->meshes[index];
    facet_scene piece = *c->scene;
    piece.meshes = &mesh;
    piece.mesh_count = 1;
    if (index > 0) { /* hulls and occluder belong to the whole model: write them only with the
                      * first */
        piece.hull_count = 0;
        piece.occluder = NULL;
    }
    facet_passes passes;
    TRY(facet_prepare(&piece, c->to, prepare, &c->options, &passes, error));
    if (index == 0)
        c->passes = passes;
    name_piece(path, sizeof path, c->out, index, mesh->name);
    TRY(cli_open_output(c->arguments, path, &c->options, &c->pieces[index], error));
    c->piece_count = index + 1;
    facet_status status = save(c, &piece, c->pieces[index], error);
    /* Many outputs are open until all are committed: close their descriptors. */
    return status ? status : facet_output_finish(c->pieces[index], error);
}

static facet_status split_scene(cli_conversion *c, const facet_prepare_options *prepare,
                                facet_error *error)
{
    TRY(facet_scene_flatten(c->scene, NULL, &c->options, error));
    facet_status status = FACET_OK;
    c->pieces = facet_scene_allocate(c->scene, c->scene->mesh_count, sizeof *c->pieces);
    if (!c->pieces) {
        return facet_fail_arena(c->scene->arena, error);
    }
    for (uint32_t i = 0; i < c->scene->mesh_count && !status; i++)
        status = write_piece(c, prepare, i, error);
    return status;
}

#endif

/* -- Output: levels of detail ------------------------------------------ */

bool cli_holds_levels(const cli_conversion *c)
{
    return facet_format_can_hold_levels(c->to);
}

#ifdef FACET_CORE_MODULE

/* glTF holds the levels. */
static facet_status write_levels(cli_conversion *c, const facet_scene *read, uint32_t levels,
                                 facet_error *error)
{
    (void)c, (void)read, (void)levels, (void)error;
    return FACET_OK;
}

#else

/* Open the output of a level: level 2 of "out/a.bsm" is "out/a-lod2.bsm". */
static facet_status open_level(cli_conversion *c, uint32_t level, facet_error *error)
{
    char path[4096];
    const char *slash = strrchr(c->out, '/'), *dot = strrchr(slash ? slash : c->out, '.');
    int stem = dot ? (int)(dot - c->out) : (int)strlen(c->out);
    snprintf(path, sizeof path, "%.*s-lod%" PRIu32 "%s", stem, c->out, level, dot ? dot : "");
    facet_status status =
        cli_open_output(c->arguments, path, &c->options, &c->pieces[level - 1], error);
    c->piece_count += status == FACET_OK;
    return status;
}

/* Write a level. Each starts from the scene as it was read: computed data, such as normals of flat
 * faces, do not fit a coarser level. Only the finest level has hulls and occluder. */
static facet_status write_level(cli_conversion *c, const facet_scene *read, uint32_t level,
                                facet_error *error)
{
    facet_scene *scene = NULL;
    facet_reduce_options how = c->reduce;
    how.ratio = (how.ratio > 0 ? how.ratio : 1) / (float)(1U << level);
    how.max_triangles = how.max_triangles > 0 ? (how.max_triangles >> level) + 1 : 0;
    facet_prepare_options prepare = preparation(c);
    prepare.reduce = &how;
    prepare.reduced = NULL;
    TRY(facet_scene_copy(read, &c->options, &scene, error));
    scene->hull_count = 0;
    scene->occluder = NULL;
    facet_status status = facet_prepare(scene, c->to, &prepare, &c->options, NULL, error);
    if (!status)
        status = open_level(c, level, error);
    if (!status)
        status = facet_save(scene, c->to, &c->options, c->pieces[level - 1], error);
    facet_scene_free(scene);
    return status;
}

static facet_status write_levels(cli_conversion *c, const facet_scene *read, uint32_t levels,
                                 facet_error *error)
{
    facet_status status = FACET_OK;
    /* OUT and the depfile are added at the end when all are committed. */
    c->pieces = facet_scene_allocate(c->scene, levels + 2, sizeof *c->pieces);
    if (!c->pieces)
        return facet_fail_arena(c->scene->arena, error);
    for (uint32_t level = 1; level <= levels && !status; level++)
        status = write_level(c, read, level, error);
    return status;
}

#endif

/* -- Output: one file -------------------------------------------------- */

/* Write the whole scene to OUT. */
static facet_status write_whole(cli_conversion *c, const char **blamed, facet_error *error)
{
    facet_prepare_options prepare = preparation(c);
    facet_status status = facet_prepare(c->scene, c->to, &prepare, &c->options, &c->passes, error);
    if (!status)
        status = cli_add_collision(c->arguments, c->scene, &c->options, blamed, error);
    if (!status && cli_holds_levels(c))
        status = facet_scene_make_lods(c->scene, cli_levels(c->arguments), c->reduce.max_error,
                                       &c->options, error);
    if (status)
        return status;
    *blamed = cli_output_name(c->out);
    TRY(open_output(c, error));
    return save(c, c->scene, c->output, error);
}

static facet_status through_scene(cli_conversion *c, const char **blamed, facet_error *error)
{
    facet_scene *read = NULL;
    uint32_t levels = cli_holds_levels(c) ? 0 : cli_levels(c->arguments);
    facet_status status = load(c, blamed, error);
    if (!status && c->settings->split) {
        facet_prepare_options prepare = preparation(c);
        return split_scene(c, &prepare, error);
    }
#ifndef FACET_CORE_MODULE
    if (!status && levels > 0)
        status = facet_scene_copy(c->scene, &c->options, &read, error);
#endif
    if (!status)
        status = write_whole(c, blamed, error);
    if (!status && levels > 0)
        status = write_levels(c, read, levels, error);
    facet_scene_free(read);
    return status;
}

facet_status cli_convert_run(cli_conversion *c, const char **blamed, facet_error *error)
{
    *blamed = cli_input_name(c->in);
    if (!c->copy)
        return through_scene(c, blamed, error);
    TRY(cli_open_poses(c, blamed, error));
    *blamed = cli_output_name(c->out);
    TRY(open_output(c, error));
    *blamed = cli_input_name(c->in);
    return facet_copy(&c->source, c->to, &c->options, c->output, error);
}
