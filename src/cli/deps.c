/* cli/deps.c - facet deps: the files that a file depends on, and rules for make and ninja. */
#include "cli/deps.h"
#include "base/error.h"
#include "base/json.h"

#include <string.h>

typedef struct settings {
    bool json, null;
} settings;
static const cli_option_set own;

/* -- Search ------------------------------------------------------------ */

/* Find the files by reading: every file that the reader opens next to the input is recorded. */
static facet_status find(const char *path, const cli_arguments *arguments, cli_record *record,
                         facet_error *error)
{
    facet_source source;
    facet_input *file = NULL;
    int exit_status = EXIT_DONE;
    record->in = path; /* the record's input is not a side file */
    file = cli_open_input(record, path, arguments->memory_limit, &source, &exit_status, error);
    facet_status status = file ? FACET_OK : error->status;
    if (file) {
        facet_scene *scene = NULL;
        facet_load_options how = {.images = true};
        status = facet_load(&source, NULL, &how, NULL, &scene, error);
        facet_scene_free(scene);
        facet_input_close(file);
    }
    return status;
}

/* -- The command -------------------------------------------------------- */

/* Print a line also for a file that cannot be read. */
static void print_failure(cli_record *record, const char *path, const facet_error *error)
{
    facet_json *object = facet_json_object();
    facet_json_set(object, "file", cli_json_text(path));
    facet_json_set(object, "error", cli_json_of_error(error));
    cli_print_json(record, stdout, object);
}

static void print(const cli_arguments *arguments, const char *path, const cli_paths *sides)
{
    const settings *s = cli_settings_of(arguments, &own);
    if (s->json) {
        facet_json *object = facet_json_object(), *names = facet_json_array();
        for (size_t i = 0; i < sides->count; i++)
            facet_json_append(names, cli_json_text(sides->items[i]));
        facet_json_set(object, "file", cli_json_text(path));
        facet_json_set(object, "sides", names);
        cli_print_json(arguments->record, stdout, object);
        return;
    }
    for (size_t i = 0; i < sides->count; i++) {
        if (s->null)
            fwrite(sides->items[i], 1, strlen(sides->items[i]) + 1, stdout);
        else
            cli_print_line(stdout, "%s", sides->items[i]);
    }
}

static int list_sides(const char *path, const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    cli_record record = {0};
    facet_error error;
    int result = EXIT_DONE;
    facet_status status = find(path, arguments, &record, &error);
    if (status)
        result = cli_complain_error(arguments->record, cli_input_name(path), &error);
    if (status && s->json)
        print_failure(arguments->record, path, &error);
    else if (!status)
        print(arguments, path, &record.sides);
    cli_record_free(&record);
    return result;
}

static int run(const cli_arguments *arguments)
{
    return cli_for_each_input(arguments, list_sides);
}

static const cli_option options[] = {{"json", NULL, "print one JSON object per file, one per line",
                                      CLI_FLAG, .offset = offsetof(settings, json)},
                                     {"null", NULL, "end names with a NUL byte", CLI_FLAG,
                                      .offset = offsetof(settings, null), .letter = '0'},
                                     {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, NULL};

const cli_command cli_command_deps = {
    "deps",
    "FILE...",
    "list the files that a file is read together with",
    "List the files that are read together with each file: material libraries, buffers,\n"
    "textures. Facet finds them by reading the file, and lists only those that exist. Use it\n"
    "for build systems that need all inputs declared. For make and ninja, use\n"
    "'facet convert --depfile', which also lists missing files.",
    sets,
    1,
    -1,
    run,
    CLI_ITEMS_NONE,
    false,
    false};

/* -- Files for make ------------------------------------------------------ */

/* True for bytes that make and ninja read unchanged. '=' makes a variable of a prerequisite, ';'
 * begins a command, '*', '?' and '[' are patterns. Versions of ninja before 1.12 end names at
 * quotes, '&' and the others that are missing here. */
static bool is_plain(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte >= 0x80 ||
           (byte && strchr("+,/_.~(){}%@]!-", byte));
}

/* The escape for a byte, or NULL. */
static const char *escape_of(unsigned char byte)
{
    if (byte == '$')
        return "$";
    return byte == ' ' || byte == '#' || byte == ':' ? "\\" : NULL;
}

/* True if the byte at `at` of a name can be written. */
static bool is_expressible(const char *name, const char *at, bool is_target)
{
    if (*at == '~') /* a home directory */
        return at > name;
    if (*at == '\\') /* make and ninja count backslashes differently before escapes */
        return is_plain((unsigned char)at[1]) || at[1] == '\\';
    if (is_target && *at == '%') /* a pattern rule */
        return false;
    if (!at[1] && strchr(" :)", *at)) /* stripped, or part of syntax */
        return false;
    return is_plain((unsigned char)*at) || escape_of((unsigned char)*at);
}

/* The first byte of a name that cannot be written, or NULL. */
static const char *find_inexpressible(const char *name, bool is_target)
{
    for (const char *at = name; *at; at++) {
        if (!is_expressible(name, at, is_target))
            return at;
    }
    return NULL;
}

/* True for names like .PHONY and .WAIT, which are special to make at any position. */
static bool is_special(const char *name)
{
    return name[0] == '.' && name[1] &&
           name[1 + strspn(name + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")] == '\0';
}

/* Write a name for make and ninja. Fails if they would read it as another. */
static facet_status write_name(facet_output *output, const char *name, bool is_target,
                               facet_error *error)
{
    if (is_special(name))
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "DEPFILE-NAME", FACET_NO_OFFSET,
                          "the name '%s' has a special meaning for make; rename the file", name);
    const char *wrong = find_inexpressible(name, is_target);
    if (wrong)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "DEPFILE-NAME", FACET_NO_OFFSET,
                          "the name '%s' has byte 0x%02X at %zu, which a depfile cannot "
                          "express there; rename the file",
                          name, (unsigned char)*wrong, (size_t)(wrong - name));
    for (const char *at = name; *at; at++) {
        const char *escape = escape_of((unsigned char)*at);
        if (escape)
            facet_output_write(output, escape, 1);
        facet_output_write(output, at, 1);
    }
    return FACET_OK;
}

/* True for files. Folders are excluded: an output in a folder makes it newer. */
static bool is_prerequisite(const char *side, const char *in)
{
    return strcmp(side, in) != 0 && side[strlen(side) - 1] != '/';
}

/* Write prerequisites, each after a blank. */
static facet_status write_prerequisites(facet_output *output, const cli_paths *paths,
                                        const char *in, facet_error *error)
{
    for (size_t i = 0; i < paths->count; i++) {
        if (!is_prerequisite(paths->items[i], in))
            continue;
        facet_output_write(output, " ", 1);
        TRY(write_name(output, paths->items[i], false, error));
    }
    return FACET_OK;
}

/* Write a rule without prerequisites for each path, like gcc -MP: make continues if the file does
 * not exist. */
static facet_status write_rules(facet_output *output, const cli_paths *paths, const char *in,
                                facet_error *error)
{
    for (size_t i = 0; i < paths->count; i++) {
        if (!is_prerequisite(paths->items[i], in) || find_inexpressible(paths->items[i], true))
            continue;
        TRY(write_name(output, paths->items[i], true, error));
        facet_output_write(output, ":\n", 2);
    }
    return FACET_OK;
}

facet_status cli_write_depfile(const char *path, const char *target, const char *in,
                               cli_record *record, facet_output **output, facet_error *error)
{
    const cli_paths *missing = cli_record_missing(record);
    if (!missing)
        return facet_fail_memory(error, strlen(in));
    TRY(facet_output_open(path, output, error));
    TRY(write_name(*output, target, true, error));
    facet_output_write(*output, ": ", 2);
    TRY(write_name(*output, in, false, error));
    TRY(write_prerequisites(*output, &record->sides, in, error));
    TRY(write_prerequisites(*output, missing, in, error));
    facet_output_write(*output, "\n", 1);
    TRY(write_rules(*output, &record->sides, in, error));
    return write_rules(*output, missing, in, error);
}
