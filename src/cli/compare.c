/* cli/compare.c - facet compare: differences between two files. */
#include "cli/compare.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "base/tree.h"
#include "cli/record.h"
#include "cli/render.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

typedef struct settings {
    bool json;
    const char *ignore, *picture;
    double tolerance;
    unsigned samples;
    const facet_format *from;
} settings;
static const cli_option_set own;

/* -- Options ------------------------------------------------------------ */

/* Bits of a list of parts, like "names,nodes"; 0 and a message for an unknown part. */
static unsigned parts_of(cli_record *record, const char *list)
{
    unsigned parts = 0;
    while (*list) {
        size_t length = strcspn(list, ",");
        unsigned found = 0;
        for (unsigned bit = 1; facet_compare_part_name((facet_compare_part)bit); bit <<= 1) {
            const char *name = facet_compare_part_name((facet_compare_part)bit);
            if (strlen(name) == length && memcmp(name, list, length) == 0)
                found = bit;
        }
        if (!found) {
            cli_nearest nearest = {.given = list, .length = length};
            for (unsigned bit = 1; facet_compare_part_name((facet_compare_part)bit); bit <<= 1)
                cli_nearest_try(&nearest, facet_compare_part_name((facet_compare_part)bit));
            cli_complain(
                record, "--ignore has no part '%.*s'%s%s%s; 'facet compare --help' lists the parts",
                (int)length, list, nearest.name ? "; did you mean '" : "",
                nearest.name ? nearest.name : "", nearest.name ? "'?" : "");
            return 0;
        }
        parts |= found;
        list += length + (list[length] == ',');
    }
    return parts;
}

/* -- JSON --------------------------------------------------------------- */

static void add_distance(facet_arena *arena, facet_tree *parent, const char *key,
                         const facet_distance *d)
{
    facet_tree *tree = facet_tree_object(arena, parent, key);
    facet_tree_integer(arena, tree, "samples", (int64_t)d->samples);
    facet_tree_real(arena, tree, "greatest", d->greatest);
    facet_tree_real(arena, tree, "greatestBound", d->greatest_bound);
    facet_tree_real(arena, tree, "mean", d->mean);
    facet_tree_real(arena, tree, "rms", d->rms);
    facet_tree_real(arena, tree, "median", d->median);
    facet_tree_real(arena, tree, "percentile90", d->percentile90);
    facet_tree_real(arena, tree, "percentile99", d->percentile99);
}

static void add_deviation(facet_arena *arena, facet_tree *parent, const char *key,
                          const facet_deviation *d)
{
    if (d->samples == 0)
        return;
    facet_tree *tree = facet_tree_object(arena, parent, key);
    facet_tree_integer(arena, tree, "samples", (int64_t)d->samples);
    facet_tree_integer(arena, tree, "beyond", (int64_t)d->beyond);
    facet_tree_real(arena, tree, "allowed", d->allowed);
    facet_tree_real(arena, tree, "mean", d->mean);
    facet_tree_real(arena, tree, "greatest", d->greatest);
}

static void add_surfaces(facet_arena *arena, facet_tree *root, const facet_comparison *r)
{
    facet_tree_boolean(arena, root, "sameTriangles", r->same_triangles);
    facet_tree_real(arena, root, "diagonal", r->diagonal);
    add_distance(arena, root, "firstToSecond", &r->forward);
    add_distance(arena, root, "secondToFirst", &r->backward);
    facet_tree *attributes = facet_tree_object(arena, root, "attributes");
    add_deviation(arena, attributes, "normals", &r->normals);
    add_deviation(arena, attributes, "tangents", &r->tangents);
    add_deviation(arena, attributes, "texcoords", &r->texcoords);
    add_deviation(arena, attributes, "colors", &r->colors);
    add_deviation(arena, attributes, "weights", &r->weights);
}

static void add_findings(facet_arena *arena, facet_tree *root, const facet_report *report)
{
    facet_tree *findings = facet_tree_array(arena, root, "findings");
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        facet_tree *tree = facet_tree_object(arena, findings, NULL);
        facet_tree_string(arena, tree, "rule", finding->rule);
        facet_tree_string(arena, tree, "severity", facet_severity_name(finding->severity));
        if (finding->offset != FACET_NO_OFFSET)
            facet_tree_integer(arena, tree, "offset", (int64_t)finding->offset);
        facet_tree_integer(arena, tree, "count", (int64_t)finding->count);
        facet_tree_string(arena, tree, "message", finding->message);
    }
}

static void add_picture(facet_arena *arena, facet_tree *root, const char *path,
                        const facet_picture_difference *difference)
{
    facet_tree *tree = facet_tree_object(arena, root, "picture");
    facet_tree_string(arena, tree, "file", path);
    facet_tree_integer(arena, tree, "differentPixels", difference->pixels);
    facet_tree_integer(arena, tree, "greatestDifference", difference->greatest);
}

/* Print an object also for files that cannot be compared. */
static void print_failure(const cli_arguments *arguments, const facet_error *error)
{
    facet_json *object = facet_json_object();
    facet_json_set(object, "first", cli_json_text(arguments->words[0]));
    facet_json_set(object, "second", cli_json_text(arguments->words[1]));
    facet_json_set(object, "error", cli_json_of_error(error));
    cli_print_json(arguments->record, stdout, object);
}

static int print_object(const cli_arguments *arguments, const facet_comparison *r,
                        const facet_report *report, const char *picture,
                        const facet_picture_difference *difference)
{
    facet_arena *arena = NULL;
    facet_error error;
    if (facet_arena_create(NULL, &arena, &error))
        return cli_complain_error(arguments->record, cli_input_name(arguments->words[0]), &error);
    facet_tree *root = facet_tree_root(arena);
    facet_tree_string(arena, root, "first", arguments->words[0]);
    facet_tree_string(arena, root, "second", arguments->words[1]);
    bool is_complete = facet_report_severity_count(report, FACET_SEVERITY_WARNING) == 0;
    facet_tree_boolean(arena, root, "equal",
                       is_complete &&
                           facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0);
    facet_tree_boolean(arena, root, "complete", is_complete);
    facet_tree_boolean(arena, root, "sameBytes", r->same_bytes);
    if (r->has_surfaces)
        add_surfaces(arena, root, r);
    if (picture)
        add_picture(arena, root, picture, difference);
    add_findings(arena, root, report);
    facet_status status = facet_arena_status(arena, &error);
    if (!status)
        cli_print_json(arguments->record, stdout, cli_json_of_tree(root));
    facet_arena_free(arena);
    return status
               ? cli_complain_error(arguments->record, cli_input_name(arguments->words[0]), &error)
               : EXIT_DONE;
}

/* -- Text --------------------------------------------------------------- */

static void print_distance(const char *title, const facet_distance *d, double diagonal)
{
    double percent = diagonal > 0 ? 100 / diagonal : 0;
    printf("  %-16s greatest %.6g", title, d->greatest);
    if (d->greatest_bound > d->greatest)
        printf(" to %.6g", d->greatest_bound);
    printf(" (%.4g %%), mean %.4g, rms %.4g, half below %.4g, 90 %% below %.4g, 99 %% below %.4g\n",
           d->greatest * percent, d->mean, d->rms, d->median, d->percentile90, d->percentile99);
}

static void print_deviation(const char *title, const char *unit, const facet_deviation *d)
{
    if (d->samples > 0)
        printf("  %-16s mean %.4g%s, greatest %.4g%s, beyond %g%s at %.3g %% of %" PRIu64
               " samples\n",
               title, d->mean, unit, d->greatest, unit, d->allowed, unit,
               100.0 * (double)d->beyond / (double)d->samples, d->samples);
}

static void print_text(const cli_arguments *arguments, const facet_comparison *r,
                       const facet_report *report, const char *picture,
                       const facet_picture_difference *difference)
{
    const char *a = cli_input_name(arguments->words[0]), *b = cli_input_name(arguments->words[1]);
    size_t errors = facet_report_severity_count(report, FACET_SEVERITY_ERROR);
    if (r->has_surfaces && !arguments->common.quiet) {
        puts(r->same_triangles ? "surfaces: the same triangles"
                               : "surfaces: distances in units of the first file");
        if (!r->same_triangles) {
            print_distance("first to second", &r->forward, r->diagonal);
            print_distance("second to first", &r->backward, r->diagonal);
            print_deviation("normals", " degrees", &r->normals);
            print_deviation("tangents", " degrees", &r->tangents);
            print_deviation("texcoords", "", &r->texcoords);
            print_deviation("colors", "", &r->colors);
            print_deviation("weights", "", &r->weights);
        }
    }
    if (picture && !arguments->common.quiet)
        cli_print_line(stdout, "%s: %u of 262144 pixels differ, by at most %d of 255",
                       cli_output_name(picture), difference->pixels, difference->greatest);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity == FACET_SEVERITY_ERROR || !arguments->common.quiet)
            cli_print_finding(stdout, a, finding);
    }
    if (arguments->common.quiet)
        return;
    if (errors == 0 && facet_report_severity_count(report, FACET_SEVERITY_WARNING) > 0)
        cli_print_line(stdout, "%s and %s: no difference in what is compared", a, b);
    else if (r->same_bytes)
        cli_print_line(stdout, "%s and %s: the same bytes", a, b);
    else if (errors == 0)
        cli_print_line(stdout, "%s and %s: equal", a, b);
    else
        cli_print_line(stdout, "%s and %s: different, %zu difference%s", a, b, errors,
                       facet_plural(errors, "", "s"));
}

/* -- The command -------------------------------------------------------- */

static int compare(const cli_arguments *arguments, const facet_source sources[2],
                   facet_options *options, facet_report *report)
{
    const settings *s = cli_settings_of(arguments, &own);
    facet_compare_options with = {.tolerance = s->tolerance, .samples = s->samples};
    facet_comparison result = {0};
    facet_picture_difference difference = {0, 0};
    facet_error error;
    if (s->picture && strcmp(s->picture, "-") == 0) {
        cli_complain(arguments->record,
                     "--picture needs a file, because findings go to standard output");
        return EXIT_USAGE;
    }
    if (s->picture && !cli_is_picture_name(arguments->record, s->picture))
        return EXIT_USAGE;
    if (s->ignore) {
        with.ignore = parts_of(arguments->record, s->ignore);
        if (!with.ignore)
            return EXIT_USAGE;
    }
    facet_status status = facet_compare(&sources[0], s->from, &sources[1], s->from, &with, options,
                                        report, &result, &error);
    int drawn = EXIT_DONE;
    if (status)
        drawn = cli_complain_error(arguments->record,
                                   *error.file ? error.file : cli_input_name(arguments->words[0]),
                                   &error);
    else if (s->picture)
        drawn = cli_compare_picture(arguments, sources, s->from, options, s->picture, &difference,
                                    &error);
    if (drawn != EXIT_DONE) {
        if (s->json && drawn != EXIT_USAGE)
            print_failure(arguments, &error);
        return drawn;
    }
    if (!s->json)
        print_text(arguments, &result, report, s->picture, &difference);
    else if (print_object(arguments, &result, report, s->picture, &difference) != EXIT_DONE)
        return EXIT_SYSTEM;
    return facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0 ? EXIT_INPUT : EXIT_DONE;
}

static int compare_files(const cli_arguments *arguments)
{
    facet_source sources[2];
    facet_options options;
    facet_report *report = NULL;
    facet_error error;
    int result = EXIT_DONE;
    const settings *s = cli_settings_of(arguments, &own);
    facet_input *first = cli_open_input(arguments->record, arguments->words[0],
                                        arguments->memory_limit, &sources[0], &result, &error);
    facet_input *second =
        first ? cli_open_input(arguments->record, arguments->words[1], arguments->memory_limit,
                               &sources[1], &result, &error)
              : NULL;
    if (!second && s->json)
        print_failure(arguments, &error);
    if (second && (!cli_print_origin(arguments->record, arguments->words[0], &sources[0]) ||
                   !cli_print_origin(arguments->record, arguments->words[1], &sources[1])))
        result = cli_complain_memory(arguments->record);
    else if (second && facet_report_create(NULL, &report, &error))
        result = cli_complain_error(arguments->record, cli_input_name(arguments->words[0]), &error);
    if (report) {
        result = cli_begin_options(arguments, &options)
                     ? compare(arguments, sources, &options, report)
                     : EXIT_SYSTEM;
        cli_end_options(arguments, &options);
        facet_report_free(options.report);
        facet_report_free(report);
    }
    facet_input_close(second);
    facet_input_close(first);
    return result;
}

static int run(const cli_arguments *arguments)
{
    arguments->record->guard = CLI_GUARD_ALL;
    return compare_files(arguments);
}

static const cli_option options[] = {
    {"json", NULL, "print one JSON object", CLI_FLAG, .offset = offsetof(settings, json)},
    {"tolerance", "DISTANCE", "ignore distances up to this, in units of A", CLI_NUMBER,
     .default_text = "a millionth of its diagonal", .offset = offsetof(settings, tolerance),
     .fields = "facet_compare_options.tolerance"},
    {"ignore", "PART,...",
     "ignore differences of positions, normals, tangents, texcoords, colors, weights, counts, "
     "names, materials, nodes, animations, images or document",
     CLI_TEXT, .offset = offsetof(settings, ignore), .fields = "facet_compare_options.ignore"},
    {"samples", "N", "sample N points of each surface", CLI_COUNT, .default_text = "20,000",
     .offset = offsetof(settings, samples), .most = 10000000,
     .fields = "facet_compare_options.samples"},
    {"picture", "FILE", "write a PNG: both files, and their difference times four", CLI_TEXT,
     .offset = offsetof(settings, picture)},
    {"from", "FORMAT", "read both files as this format", CLI_FORMAT, .default_text = "by content",
     .offset = offsetof(settings, from)},
    {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, &cli_resources, NULL};

const cli_command cli_command_compare = {
    "compare",
    "A B",
    "report what differs between two files",
    "Compare two files of any formats: bytes, triangles in any order, counts, names, materials,\n"
    "nodes, animations, pixels of images. Surfaces are compared by distance in both\n"
    "directions, from the largest distance found to a proven upper bound; normals, texture\n"
    "coordinates, colors and weights at the nearest points. Two files of one family are also\n"
    "compared field by field. Axes and units are aligned first.\n"
    "\n"
    "The exit status is 0 if no difference is found, and 1 if the files differ in something\n"
    "that is not ignored. Data that a reader leaves out cannot be compared: warnings name it,\n"
    "and such files are not called equal.",
    sets,
    2,
    2,
    run,
    CLI_ITEMS_NONE,
    false,
    true};
