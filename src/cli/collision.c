/* cli/collision.c - hulls and an occluder: named, computed, or read from other files. */
#include "base/error.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/record.h"

#include <inttypes.h>

typedef struct settings {
    unsigned hulls, hull_vertices;
    double occluder;
    const char *hulls_from, *occluder_from;
    const char *hull_prefix, *occluder_name;
} settings;

void cli_name_collision(const cli_arguments *arguments, facet_load_options *load)
{
    const settings *s = cli_settings_of(arguments, &cli_collision);
    load->hull_prefix = s->hull_prefix;
    load->occluder_name = s->occluder_name;
}

bool cli_wants_collision(const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &cli_collision);
    return s->hulls || s->hulls_from || s->occluder > 0 || s->occluder_from;
}

/* A read-only build must be small: the code that computes hulls has 28 KB. */
#ifdef FACET_READ_ONLY

facet_status cli_add_collision(const cli_arguments *arguments, facet_scene *scene,
                               const facet_options *options, const char **blamed,
                               facet_error *error)
{
    (void)scene, (void)options, (void)blamed;
    if (!cli_wants_collision(arguments))
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-ABSENT", FACET_NO_OFFSET,
                      "this build only reads; it cannot make hulls and occluders");
}

#else

/* -- From other files --------------------------------------------------- */

typedef facet_status (*taker)(facet_scene *scene, facet_scene *from, const facet_options *options,
                              facet_error *error);

static facet_status take_from(cli_record *record, const char *path, taker take, facet_scene *scene,
                              const facet_options *options, const char **blamed, facet_error *error)
{
    facet_input *input = NULL;
    facet_scene *from = NULL;
    *blamed = path;
    facet_status status = cli_open_side(record, path, options, &input, error);
    if (!status) {
        facet_source source = facet_input_source(input);
        status = cli_record_source(record, &source, error);
        if (!status)
            status = facet_load(&source, NULL, NULL, options, &from, error);
    }
    if (!status)
        status = take(scene, from, options, error);
    facet_scene_free(from);
    facet_input_close(input);
    return status;
}

/* -- Computed hulls and occluder --------------------------------------- */

static facet_status make_hulls(cli_record *record, const settings *s, facet_scene *scene,
                               const facet_options *options, facet_error *error)
{
    facet_hulls_options how = {0};
    facet_hulls_summary summary;
    how.max_hulls = s->hulls;
    how.max_vertices = s->hull_vertices;
    scene->hull_count = 0; /* replace those of the file */
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++) {
        status = facet_mesh_hulls(scene->meshes[i], &how, options, scene, &summary, error);
        if (!status)
            cli_remark(record,
                       "%" PRIu32
                       " hull%s of volume %.6g; a vertex is at most %.3g of the diagonal "
                       "outside",
                       summary.hulls, facet_plural(summary.hulls, "", "s"), summary.volume,
                       summary.distance);
    }
    return status;
}

static facet_status make_occluder(cli_record *record, const settings *s, facet_scene *scene,
                                  const facet_options *options, facet_error *error)
{
    const facet_simplify_options simplify = {.ratio = (float)s->occluder};
    const facet_occluder_options how = {.simplify = &simplify};
    facet_occluder_fit fit;
    facet_status status = FACET_OK;
    scene->occluder = NULL;
    if (scene->mesh_count > 0)
        status = facet_mesh_occluder(scene->meshes[0], &how, options, scene, &fit, error);
    if (!status && scene->occluder)
        cli_remark(record, "occluder of %" PRIu32 " triangle%s; %.3g of its area sticks out",
                   fit.triangles, facet_plural(fit.triangles, "", "s"), fit.outside);
    return status;
}

facet_status cli_add_collision(const cli_arguments *arguments, facet_scene *scene,
                               const facet_options *options, const char **blamed,
                               facet_error *error)
{
    const settings *s = cli_settings_of(arguments, &cli_collision);
    facet_status status = FACET_OK;
    const char *input = *blamed;
    if (s->hulls_from)
        status = take_from(arguments->record, s->hulls_from, facet_scene_take_hulls, scene, options,
                           blamed, error);
    if (!status && s->occluder_from)
        status = take_from(arguments->record, s->occluder_from, facet_scene_take_occluder, scene,
                           options, blamed, error);
    if (status)
        return status;
    *blamed = input;
    if (s->hulls)
        status = make_hulls(arguments->record, s, scene, options, error);
    if (!status && s->occluder > 0)
        status = make_occluder(arguments->record, s, scene, options, error);
    return status;
}

#endif

/* -- The options -------------------------------------------------------- */

static const cli_option options[] = {
    {"hulls", "N", CLI_HELP("make up to N convex collision hulls, 1 to 256"), CLI_COUNT,
     .offset = offsetof(settings, hulls), .most = 256, .needs_scene = true,
     .fields = CLI_HELP("facet_hulls_options.max_hulls")},
    {"hull-vertices", "N", CLI_HELP("limit the points of a hull to N, 8 to 65536"), CLI_COUNT,
     .default_text = CLI_HELP("64"), .offset = offsetof(settings, hull_vertices), .least = 8,
     .most = 65536, .fields = CLI_HELP("facet_hulls_options.max_vertices")},
    {"hulls-from", "FILE", CLI_HELP("use the hulls of FILE, or its objects as hulls"), CLI_TEXT,
     .offset = offsetof(settings, hulls_from), .needs_scene = true},
    {"occluder", "RATIO", CLI_HELP("make an occluder with this fraction of the triangles (0.02)"),
     CLI_NUMBER, .offset = offsetof(settings, occluder), .most = 1, .needs_scene = true,
     .fields = CLI_HELP("facet_simplify_options.ratio")},
    {"occluder-from", "FILE", CLI_HELP("use the occluder of FILE, or its mesh"), CLI_TEXT,
     .offset = offsetof(settings, occluder_from), .needs_scene = true},
    {"hull-prefix", "NAME", CLI_HELP("convert objects whose names begin with NAME to hulls"),
     CLI_TEXT, .default_text = CLI_HELP("collision_mesh"),
     .offset = offsetof(settings, hull_prefix), .needs_scene = true,
     .fields = CLI_HELP("facet_load_options.hull_prefix")},
    {"occluder-name", "NAME", CLI_HELP("use the object NAME as the occluder"), CLI_TEXT,
     .default_text = CLI_HELP("occlusion_mesh"), .offset = offsetof(settings, occluder_name),
     .needs_scene = true, .fields = CLI_HELP("facet_load_options.occluder_name")},
    {0}};
const cli_option_set cli_collision = {
    .heading = "Hulls and occluder", .options = options, .settings_size = sizeof(settings)};
