/* cli/info.c - facet info: the description of a file. */
#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/info_sizes.h"

#include <inttypes.h>
#include <string.h>

typedef struct settings {
    bool json, sizes;
    const facet_format *from;
} settings;
static const cli_option_set own;

/* -- JSON --------------------------------------------------------------- */

static void print_object(cli_record *record, const char *path, const facet_description *d)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"meshes", d->meshes},       {"vertices", d->vertices},   {"faces", d->faces},
        {"triangles", d->triangles}, {"materials", d->materials}, {"images", d->images},
        {"joints", d->joints},       {"hulls", d->hulls},         {"animations", d->animations}};
    facet_json *object = facet_json_object(), *numbers = facet_json_object(),
               *bounds = facet_json_null();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        facet_json_set(numbers, counts[i].name, facet_json_integer((int64_t)counts[i].value));
    if (d->has_bounds) {
        bounds = facet_json_object();
        facet_json_set(bounds, "min", cli_json_vector(d->minimum));
        facet_json_set(bounds, "max", cli_json_vector(d->maximum));
    }
    facet_json_set(object, "file", cli_json_text(path));
    facet_json_set(object, "format", cli_json_of_format(d->format));
    facet_json_set(object, "version", cli_json_text(d->version));
    facet_json_set(object, "bytes", facet_json_integer((int64_t)d->bytes));
    facet_json_set(object, "counts", numbers);
    facet_json_set(object, "bounds", bounds);
    facet_json_set(object, "detail", cli_json_of_tree(d->detail));
    cli_print_json(record, stdout, object);
}

/* Print a line also for a file that cannot be described. */
static void print_failure(cli_record *record, const char *path, const facet_format *format,
                          const facet_error *error)
{
    facet_json *object = facet_json_object();
    facet_json_set(object, "file", cli_json_text(path));
    facet_json_set(object, "format", cli_json_of_format(format));
    facet_json_set(object, "error", cli_json_of_error(error));
    cli_print_json(record, stdout, object);
}

/* -- Text --------------------------------------------------------------- */

static void print_value(const facet_tree *node)
{
    switch (node->kind) {
    case FACET_TREE_STRING:
        fputc('"', stdout);
        cli_put(stdout, node->string);
        fputc('"', stdout);
        break;
    case FACET_TREE_INTEGER:
        printf("%" PRId64, node->integer);
        break;
    case FACET_TREE_REAL:
        printf("%.9g", node->real);
        break;
    case FACET_TREE_BOOLEAN:
        fputs(node->integer ? "yes" : "no", stdout);
        break;
    case FACET_TREE_OBJECT:
    case FACET_TREE_ARRAY:
        break;
    }
}

static bool is_leaf(const facet_tree *node)
{
    return node->kind != FACET_TREE_OBJECT && node->kind != FACET_TREE_ARRAY;
}

/* True for arrays and objects of a few plain values, which are printed on one line; false for
 * sentences. */
static bool fits_line(const facet_tree *node)
{
    int count = 0;
    for (const facet_tree *child = node->first; child; child = child->next) {
        if (!is_leaf(child) || ++count > 9)
            return false;
        if (!child->key && child->kind == FACET_TREE_STRING && strchr(child->string, ' '))
            return false;
    }
    return true;
}

/* True for lists that only --verbose prints, because they are long. */
static bool is_long_list(const facet_tree *node)
{
    return node->kind == FACET_TREE_ARRAY && node->key && strcmp(node->key, "registers") == 0;
}

static int count_children(const facet_tree *node)
{
    int count = 0;
    for (const facet_tree *child = node->first; child; child = child->next)
        count++;
    return count;
}

static void print_line(const facet_tree *node)
{
    for (const facet_tree *child = node->first; child; child = child->next) {
        if (child != node->first)
            fputs(child->key ? ", " : " ", stdout);
        if (child->key) {
            cli_put(stdout, child->key);
            fputc(' ', stdout);
        }
        print_value(child);
    }
}

static void print_children(const facet_tree *node, int depth, bool verbose)
{
    int index = 0;
    for (const facet_tree *child = node->first; child; child = child->next, index++) {
        if (!verbose && is_long_list(child)) {
            printf("%*s%s: %d (listed with --verbose)\n", depth * 2, "", child->key,
                   count_children(child));
            continue;
        }
        printf("%*s", depth * 2, "");
        if (child->key) {
            cli_put(stdout, child->key);
            fputc(':', stdout);
        } else {
            printf("[%d]", index);
        }
        if (is_leaf(child) || (child->first && fits_line(child)))
            fputc(' ', stdout);
        if (is_leaf(child))
            print_value(child);
        else if (fits_line(child))
            print_line(child);
        fputc('\n', stdout);
        if (!is_leaf(child) && !fits_line(child))
            print_children(child, depth + 1, verbose);
    }
}

static void print_count(uint64_t count, const char *one, const char *many, bool *first)
{
    if (count == 0)
        return;
    printf("%s%" PRIu64 " %s", *first ? "  " : ", ", count, facet_plural(count, one, many));
    *first = false;
}

static void print_text(const char *path, const facet_description *d, bool verbose)
{
    cli_print_line(stdout, "%s: %s%s%s, %" PRIu64 " bytes", cli_input_name(path),
                   facet_format_title(d->format), *d->version ? " " : "", d->version, d->bytes);
    bool first = true;
    print_count(d->meshes, "mesh", "meshes", &first);
    print_count(d->vertices, "vertex", "vertices", &first);
    print_count(d->faces, "face", "faces", &first);
    print_count(d->triangles, "triangle", "triangles", &first);
    print_count(d->materials, "material", "materials", &first);
    print_count(d->images, "image", "images", &first);
    print_count(d->joints, "joint", "joints", &first);
    print_count(d->hulls, "hull", "hulls", &first);
    print_count(d->animations, "animation", "animations", &first);
    if (!first)
        putchar('\n');
    else if (!d->detail->first)
        puts("  contains nothing");
    if (d->has_bounds)
        printf("  bounds: %.9g %.9g %.9g to %.9g %.9g %.9g\n", d->minimum[0], d->minimum[1],
               d->minimum[2], d->maximum[0], d->maximum[1], d->maximum[2]);
    print_children(d->detail, 1, verbose);
}

/* -- The command -------------------------------------------------------- */

static int describe_file(const char *path, const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    int result = EXIT_DONE;
    facet_source source;
    facet_error error;
    facet_input *file =
        cli_open_stored(arguments->record, path, arguments->memory_limit, &source, &result, &error);
    if (!file) {
        if (s->json)
            print_failure(arguments->record, path, s->from, &error);
        return result;
    }
    facet_options options;
    facet_description *description;
    bool has_memory = cli_print_origin(arguments->record, path, &source);
    if (!has_memory)
        cli_complain_memory(arguments->record);
    if (!has_memory || !cli_begin_options(arguments, &options)) {
        facet_input_close(file);
        return EXIT_SYSTEM;
    }
    facet_status status = facet_describe(&source, s->from, &options, &description, &error);
    cli_end_options(arguments, &options);
    if (status) {
        result = cli_complain_error(arguments->record, cli_input_name(path), &error);
        if (s->json)
            print_failure(arguments->record, path, s->from ? s->from : facet_format_probe(&source),
                          &error);
    } else {
        bool fits = true;
        if (s->sizes && s->json)
            fits = cli_print_sizes_json(arguments->record, path, description);
        else if (s->sizes)
            fits = cli_print_sizes(path, description);
        else if (s->json)
            print_object(arguments->record, path, description);
        else
            print_text(path, description, arguments->common.verbose);
        if (!fits) {
            cli_complain_memory(arguments->record);
            result = EXIT_SYSTEM;
        }
        facet_description_free(description);
    }
    facet_report_free(options.report);
    facet_input_close(file);
    return result;
}

static int run(const cli_arguments *arguments)
{
    return cli_for_each_input(arguments, describe_file);
}

static const cli_option options[] = {
    {"json", NULL, CLI_HELP("print one JSON object per file, one per line"), CLI_FLAG,
     .offset = offsetof(settings, json)},
    {"sizes", NULL, CLI_HELP("list sizes: sections, and the largest J3D textures and shapes"),
     CLI_FLAG, .offset = offsetof(settings, sizes)},
    {"from", "FORMAT", CLI_HELP("read the files as this format"), CLI_FORMAT,
     .default_text = CLI_HELP("by content"), .offset = offsetof(settings, from)},
    {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, &cli_resources, NULL};

const cli_command cli_command_info = {
    "info",
    "FILE...",
    CLI_HELP("print what is in a file"),
    CLI_HELP("Print what is in each file: counts, bounds, and the tree of its format."),
    sets,
    1,
    -1,
    run,
    CLI_ITEMS_IN,
    false,
    false};
