/* cli/reduction.c - reduction of triangles, budgets, and levels of detail. */
#include "cli/cli.h"

#include <math.h>

typedef struct settings {
    double simplify, simplify_error;
    unsigned max_vertices, lods, clusters;
} settings;

bool cli_reduction(const cli_arguments *arguments, facet_reduce_options *reduce)
{
    const settings *s = cli_settings_of(arguments, &cli_reduced);
    *reduce = (facet_reduce_options){0};
    if (s->simplify > 1)
        reduce->max_triangles = (uint32_t)s->simplify;
    else
        reduce->ratio = (float)s->simplify;
    reduce->max_vertices = s->max_vertices;
    reduce->max_error = (float)s->simplify_error;
    return s->simplify > 0 || s->max_vertices > 0;
}

/* Reject a number of triangles with a fraction. */
static int apply(cli_record *record, void *given, facet_options *options, facet_error *error)
{
    const settings *s = given;
    (void)options, (void)error;
    if (s->simplify <= 1 || (s->simplify <= UINT32_MAX && floor(s->simplify) == s->simplify))
        return EXIT_DONE;
    cli_complain(record,
                 "--simplify takes a fraction up to 1, or a whole number of triangles, not %.15g",
                 s->simplify);
    return EXIT_USAGE;
}

uint32_t cli_levels(const cli_arguments *arguments)
{
    return ((const settings *)cli_settings_of(arguments, &cli_reduced))->lods;
}

uint32_t cli_clusters(const cli_arguments *arguments)
{
    return ((const settings *)cli_settings_of(arguments, &cli_reduced))->clusters;
}

static const cli_option options[] = {
    {"simplify", "RATIO|N",
     CLI_HELP("reduce to this fraction of the triangles (0.5), or to N triangles"), CLI_NUMBER,
     .offset = offsetof(settings, simplify), .needs_scene = true,
     .fields = CLI_HELP("facet_reduce_options.ratio, facet_reduce_options.max_triangles")},
    {"max-vertices", "N", CLI_HELP("simplify until at most N vertices are left"), CLI_COUNT,
     .offset = offsetof(settings, max_vertices), .needs_scene = true,
     .fields = CLI_HELP("facet_reduce_options.max_vertices")},
    {"simplify-error", "SHARE",
     CLI_HELP("limit the surface error to this fraction of the diagonal (0.01)"), CLI_NUMBER,
     .offset = offsetof(settings, simplify_error), .most = 1, .needs_scene = true,
     .fields = CLI_HELP("facet_reduce_options.max_error")},
    {"lods", "N",
     CLI_HELP("make N levels of detail, each with half the triangles; GLB and glTF hold them, "
              "others get "
              "files OUT-lod1 ..."),
     CLI_COUNT, .offset = offsetof(settings, lods), .most = FACET_MAX_LODS, .needs_scene = true},
    {"cluster", "N",
     CLI_HELP("join vertices while IN is read, to at most N: for an OBJ, PLY or STL that is larger "
              "than memory"),
     CLI_COUNT, .offset = offsetof(settings, clusters), .least = 64, .needs_scene = true,
     .fields = CLI_HELP("facet_load_options.max_clusters")},
    {0}};
const cli_option_set cli_reduced = {.heading = "Fewer triangles",
                                    .options = options,
                                    .settings_size = sizeof(settings),
                                    .apply = apply};
