/* cli/info.c - facet info: what is in a file. */
#include "cli/cli.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

/* -- JSON --------------------------------------------------------------- */

static json_t *json_of_corner(const double corner[3])
{
    json_t *array = json_array();
    for (int i = 0; i < 3; i++)
        json_array_append_new(array, json_real(corner[i]));
    return array;
}

static void print_object(const char *path, const facet_description *d)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"meshes", d->meshes},       {"vertices", d->vertices},   {"faces", d->faces},
        {"triangles", d->triangles}, {"materials", d->materials}, {"images", d->images},
        {"joints", d->joints},       {"hulls", d->hulls},         {"animations", d->animations}};
    json_t *object = json_object(), *numbers = json_object(), *bounds = json_null();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_object_set_new(numbers, counts[i].name, json_integer((json_int_t)counts[i].value));
    if (d->has_bounds) {
        bounds = json_object();
        json_object_set_new(bounds, "min", json_of_corner(d->minimum));
        json_object_set_new(bounds, "max", json_of_corner(d->maximum));
    }
    json_object_set_new(object, "file", json_text(path));
    json_object_set_new(object, "format", json_string(facet_format_name(d->format)));
    json_object_set_new(object, "version", json_text(d->version));
    json_object_set_new(object, "bytes", json_integer((json_int_t)d->bytes));
    json_object_set_new(object, "counts", numbers);
    json_object_set_new(object, "bounds", bounds);
    json_object_set_new(object, "detail", json_of_tree(d->detail));
    print_json(stdout, object);
}

/* A file that cannot be described still gets its line. */
static void print_failure(const char *path, const facet_format *format, const facet_error *error)
{
    json_t *object = json_object();
    json_object_set_new(object, "file", json_text(path));
    json_object_set_new(object, "format",
                        format ? json_string(facet_format_name(format)) : json_null());
    json_object_set_new(object, "error", json_of_error(error));
    print_json(stdout, object);
}

/* -- Text --------------------------------------------------------------- */

static void print_value(const facet_tree *node)
{
    switch (node->kind) {
    case FACET_TREE_STRING:
        /* Names come from files: nothing in them may steer the terminal. */
        fputc('"', stdout);
        for (const char *c = node->string; *c; c++)
            fputc((unsigned char)*c < 0x20 || *c == 0x7F ? '?' : *c, stdout);
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

/* Arrays and objects of a few plain values stand on one line, sentences do not. */
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

/* Lists that only --verbose prints, as they are longer than all the rest. */
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
        if (child->key)
            printf("%s ", child->key);
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
        if (child->key)
            printf("%*s%s:", depth * 2, "", child->key);
        else
            printf("%*s[%d]", depth * 2, "", index);
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
    printf("%s%" PRIu64 " %s", *first ? "  " : ", ", count, count == 1 ? one : many);
    *first = false;
}

static void print_text(const char *path, const facet_description *d, bool verbose)
{
    printf("%s: %s%s%s, %" PRIu64 " bytes\n", shown_name(path), facet_format_title(d->format),
           *d->version ? " " : "", d->version, d->bytes);
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
        puts("  nothing in it");
    if (d->has_bounds)
        printf("  bounds: %.9g %.9g %.9g to %.9g %.9g %.9g\n", d->minimum[0], d->minimum[1],
               d->minimum[2], d->maximum[0], d->maximum[1], d->maximum[2]);
    print_children(d->detail, 1, verbose);
}

/* -- The command -------------------------------------------------------- */

static int describe_file(const char *path, const facet_format *format, const cli_settings *settings)
{
    int result = EXIT_DONE;
    facet_source source;
    facet_error error;
    facet_file *file = open_input(path, settings, &source, &result, &error);
    if (!file) {
        if (settings->json)
            print_failure(path, format, &error);
        return result;
    }
    facet_options options;
    facet_description *description;
    begin_options(settings, &options);
    facet_status status = facet_describe(&source, format, &options, &description, &error);
    end_options(&options);
    if (status) {
        result = complain_error(path, &error);
        if (settings->json)
            print_failure(path, format ? format : facet_format_probe(&source), &error);
    } else {
        if (settings->json)
            print_object(path, description);
        else
            print_text(path, description, settings->verbose);
        facet_description_free(description);
    }
    facet_report_free(options.report);
    facet_file_close(file);
    return result;
}

static int run(const cli_settings *settings, int count, char **paths)
{
    return for_each_input(settings, count, paths, describe_file);
}

static const cli_option options[] = {
    {"json", 0, NULL, "one JSON object per file, one per line", OPTION_FLAG,
     offsetof(cli_settings, json)},
    {"from", 0, "FORMAT", "take the files as this format, whatever their content", OPTION_TEXT,
     offsetof(cli_settings, from)},
    {"threads", 'j', "N", "threads to use; default: one per processor", OPTION_COUNT_OR_ZERO,
     offsetof(cli_settings, threads)},
    {0}};

const cli_command command_info = {
    "info",
    "FILE...",
    "print what is in a file",
    "Print what is in each file: counts, bounds, and the format's own tree.",
    options,
    1,
    -1,
    run};
