/* cli/extract.c - facet extract: what is inside a file, as files. */
#include "base/error.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef struct settings {
    const facet_format *from;
} settings;
static const cli_option_set own;

/* Everything one extraction holds. */
typedef struct extraction {
    const char *directory;
    char **written; /* paths by hash, so that no file of this run replaces another */
    size_t count, space;
} extraction;

/* -- Names -------------------------------------------------------------- */

/* Longer parts are cut: file systems take 255 bytes. */
#define MOST_PART 200

/* "con", "NUL.txt", "lpt1": on Windows no file, whatever the folder. */
static bool is_device(const char *part, size_t length)
{
    static const char *const names[] = {"con", "prn", "aux", "nul", "com", "lpt"};
    size_t stem = strcspn(part, ".");
    stem = stem < length ? stem : length;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool numbered = i >= 4;
        if (stem == (numbered ? 4u : 3u) && strncasecmp(part, names[i], 3) == 0 &&
            (!numbered || (part[3] >= '0' && part[3] <= '9')))
            return true;
    }
    return false;
}

/* Append the parts of a name that comes from a file to `path`: no part climbs,
 * none is empty, none has broken UTF-8 or characters that steer a terminal or a
 * shell, or that some system takes for something else. */
static void append_name(char *path, size_t space, const char *name)
{
    size_t used = strlen(path);
    for (const char *at = name; *at && used + 2 < space;) {
        size_t length = strcspn(at, "/\\"), kept = length < MOST_PART ? length : MOST_PART;
        bool skipped = length == 0 || strncmp(at, ".", length) == 0 ||
                       (length == 2 && at[0] == '.' && at[1] == '.');
        if (!skipped) {
            path[used++] = '/';
            if (is_device(at, length) && used + 1 < space)
                path[used++] = '_';
            for (size_t i = 0, taken; i < kept; i += taken) {
                facet_shown shown;
                taken = facet_show_character(&shown, at + i, kept - i);
                bool last = i + taken == kept && (at[i] == '.' || at[i] == ' ');
                bool plain =
                    memcmp(shown.text, at + i, taken) == 0 && !last && !strchr(":*?\"<>|", at[i]);
                size_t wanted = plain ? taken : 1;
                if (used + wanted >= space)
                    break;
                memcpy(path + used, plain ? at + i : "_", wanted);
                used += wanted;
            }
        }
        at += length + (at[length] != '\0');
    }
    path[used] = '\0';
}

/* Make the folders on the way to `path` that lie below the directory. Links are
 * not followed: they could lead anywhere. */
static bool make_folders(const extraction *x, char *path)
{
    for (char *slash = strchr(path + strlen(x->directory) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        struct stat info;
        *slash = '\0';
        bool made = mkdir(path, 0777) == 0 ||
                    (errno == EEXIST && lstat(path, &info) == 0 && S_ISDIR(info.st_mode));
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

/* Where a path stands in the table, or would stand. */
static size_t place_of(char *const *table, size_t space, const char *path)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *at = path; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    size_t place = (size_t)(hash ^ hash >> 29) & (space - 1);
    while (table[place] && strcmp(table[place], path) != 0)
        place = (place + 1) & (space - 1);
    return place;
}

/* Keep half of the table empty. */
static bool grow(extraction *x)
{
    if (x->count < x->space / 2)
        return true;
    size_t space = x->space ? x->space * 2 : 128;
    char **table = calloc(space, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < x->space; i++) {
        if (x->written[i])
            table[place_of(table, space, x->written[i])] = x->written[i];
    }
    free(x->written);
    x->written = table;
    x->space = space;
    return true;
}

/* A path that this run has not written yet: "a.png", "a-2.png". */
static bool choose_path(extraction *x, const char *name, char *path, size_t space)
{
    snprintf(path, space, "%s", x->directory);
    size_t base = strlen(path);
    append_name(path, space - 16, name);
    if (strlen(path) == base)
        snprintf(path + base, space - base, "/unnamed");
    char *slash = strrchr(path, '/'), *dot = strrchr(slash, '.'), tail[256] = "";
    if (dot && dot > slash + 1 && strlen(dot) < sizeof tail)
        memcpy(tail, dot, strlen(dot) + 1);
    size_t stem = strlen(path) - strlen(tail);
    if (!grow(x))
        return false;
    size_t place = place_of(x->written, x->space, path);
    for (unsigned number = 2; x->written[place] && number; number++) {
        snprintf(path + stem, space - stem, "-%u%s", number, tail);
        place = place_of(x->written, x->space, path);
    }
    x->written[place] = strdup(path);
    x->count += x->written[place] != NULL;
    return x->written[place] != NULL;
}

/* -- The files ---------------------------------------------------------- */

static facet_status fail(facet_error *error, const char *path)
{
    memset(error, 0, sizeof *error);
    error->status = FACET_ERROR_IO;
    error->offset = FACET_NO_OFFSET;
    snprintf(error->message, sizeof error->message, "cannot make '%.300s': %s", path,
             strerror(errno));
    return error->status;
}

static facet_status put(void *user, const char *name, const void *data, size_t size,
                        facet_error *error)
{
    extraction *x = user;
    char path[4096];
    facet_output *output = NULL;
    if (!choose_path(x, name, path, sizeof path) || !make_folders(x, path))
        return fail(error, path);
    facet_status status = facet_output_open(path, &output, error);
    if (!status) {
        facet_output_write(output, data, size);
        status = facet_output_commit(output, error);
    }
    facet_output_free(output);
    if (!status)
        cli_remark("%s: %zu bytes", path, size);
    return status;
}

/* -- The command -------------------------------------------------------- */

static int run(const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    const char *in = arguments->words[0], *directory = arguments->words[1];
    int result = EXIT_DONE;
    facet_source source;
    facet_error error;
    extraction x = {directory, NULL, 0, 0};
    if (strlen(directory) > 2048) {
        cli_complain("the name of the directory is too long");
        return EXIT_USAGE;
    }
    facet_file *file = cli_open_input(in, &source, &result, NULL);
    if (!file)
        return result;
    facet_options options;
    cli_begin_options(arguments, &options);
    facet_extractor extractor = {put, &x};
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        fail(&error, directory);
        result = cli_complain_error(directory, &error);
    } else if (facet_extract(&source, s->from, &options, &extractor, &error)) {
        result = cli_complain_error(cli_input_name(in), &error);
    } else {
        cli_print_report(cli_input_name(in), options.report);
        if (x.count == 0)
            cli_remark("%s: nothing in it to extract", cli_input_name(in));
    }
    cli_end_options(&options);
    for (size_t i = 0; i < x.space; i++)
        free(x.written[i]);
    free(x.written);
    facet_report_free(options.report);
    facet_file_close(file);
    return result;
}

static const cli_option options[] = {{"from", "FORMAT",
                                      "read FILE as this format; default: by its content",
                                      CLI_FORMAT, .offset = offsetof(settings, from)},
                                     {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, &cli_resources, NULL};

const cli_command cli_command_extract = {
    "extract",
    "FILE DIR",
    "take out what is inside a file",
    "Write what is inside FILE to the directory DIR, which is made if it is not there:\n"
    "textures as PNG (of floats: HDR), those of J3D models as BTI, too, with materials.json\n"
    "and textures.json for 'facet convert'; shaders as their sources, packed files under\n"
    "their names, other sections of a container as they are. Files of these names are\n"
    "replaced; nothing is written outside DIR.",
    sets,
    2,
    2,
    run,
    CLI_ITEMS_IN_OUT,
    false};
