/* cli/formats.c - facet formats: the format table. */
#include "base/json.h"
#include "cli/cli.h"

#include <string.h>

typedef struct settings {
    bool json;
} settings;
static const cli_option_set own;

static facet_json *json_of_line(const facet_format *format)
{
    facet_json *object = facet_json_object(), *extensions = facet_json_array(),
               *needs = facet_json_array();
    uint32_t most = facet_format_max_texture_side(format);
    for (const char *const *each = facet_format_extensions(format); *each; each++)
        facet_json_append(extensions, facet_json_string(*each));
    for (unsigned bit = 1; bit && bit <= FACET_NEED_LAST; bit <<= 1) {
        if (facet_format_needs(format) & bit)
            facet_json_append(needs, facet_json_string(facet_need_name((facet_need)bit)));
    }
    facet_json_set(object, "name", facet_json_string(facet_format_name(format)));
    facet_json_set(object, "title", facet_json_string(facet_format_title(format)));
    facet_json_set(object, "extensions", extensions);
    facet_json_set(object, "read", facet_json_boolean(facet_format_can_read(format)));
    facet_json_set(object, "write", facet_json_boolean(facet_format_can_write(format)));
    facet_json_set(object, "folder", facet_json_boolean(facet_format_is_folder(format)));
    facet_json_set(object, "levels", facet_json_boolean(facet_format_can_hold_levels(format)));
    facet_json_set(object, "zUp", facet_json_boolean(facet_format_is_z_up(format)));
    facet_json_set(object, "maxTextureSide", most ? facet_json_integer(most) : facet_json_null());
    facet_json_set(object, "needs", needs);
    return object;
}

/* Print words in columns 12 to 78, on as many lines as necessary. */
static void print_words(const char *const *words)
{
    size_t column = 78;
    for (const char *const *each = words; *each; each++) {
        if (column + 1 + strlen(*each) > 78) {
            printf("%s%11s", each == words ? "" : "\n", "");
            column = 11;
        }
        printf(" %s", *each);
        column += 1 + strlen(*each);
    }
    putchar('\n');
}

static void print_format(const facet_format *format)
{
    const char *const *all = facet_format_extensions(format);
    char extensions[15] = "", needs[256] = "";
    size_t column = 17; /* after "needs" */
    for (const char *const *each = all; *each; each++) {
        size_t used = strlen(extensions), more = strlen(*each) + (used ? 1 : 0);
        if (used + more >= sizeof extensions) {
            strcpy(extensions, "as below");
            break;
        }
        snprintf(extensions + used, sizeof extensions - used, "%s%s", used ? " " : "", *each);
    }
    for (unsigned bit = 1; bit && bit <= FACET_NEED_LAST; bit <<= 1) {
        size_t used = strlen(needs), length = strlen(facet_need_name((facet_need)bit));
        if (!(facet_format_needs(format) & bit))
            continue;
        bool wraps = column + 2 + length > 78;
        snprintf(needs + used, sizeof needs - used, "%s%s%s", used ? "," : "",
                 wraps  ? "\n                  "
                 : used ? " "
                        : "",
                 facet_need_name((facet_need)bit));
        column = (wraps ? 17 : column) + 2 + length;
    }
    bool folder = facet_format_is_folder(format);
    printf("%-10s  %-14s  %-4s  %-5s  %s\n", facet_format_name(format), extensions,
           folder                          ? "path"
           : facet_format_can_read(format) ? "yes"
                                           : "no",
           folder && facet_format_copies(format, format) ? "path"
           : facet_format_can_write(format)              ? "yes"
                                                         : "no",
           facet_format_title(format));
    if (*needs)
        printf("%-10s  needs %s\n", "", needs);
    if (strcmp(extensions, "as below") == 0)
        print_words(all);
}

static int run(const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    if (!s->json)
        printf("%-10s  %-14s  %-4s  %-5s  %s\n", "NAME", "EXTENSIONS", "READ", "WRITE", "TITLE");
    for (size_t i = 0; i < facet_format_count(); i++) {
        const facet_format *format = facet_format_get(i);
        if (s->json)
            cli_print_json(arguments->record, stdout, json_of_line(format));
        else
            print_format(format);
    }
    for (size_t i = 0; i < facet_missing_feature_count() && !s->json; i++) {
        const facet_missing_feature *absence = facet_missing_feature_get(i);
        printf("%swithout %s: %s (building with -D%s=ON brings it)\n", i == 0 ? "\n" : "",
               absence->name, absence->brings, absence->build_switch);
    }
    return EXIT_DONE;
}

static const cli_option options[] = {{"json", NULL, CLI_HELP("print one JSON object per line"),
                                      CLI_FLAG, .offset = offsetof(settings, json)},
                                     {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, NULL};

const cli_command cli_command_formats = {
    "formats",
    "",
    CLI_HELP("list the formats"),
    CLI_HELP(
        "List the formats that Facet reads and writes, and what each needs of a mesh; convert\n"
        "runs the passes that are missing. The last lines name what this build does not include,\n"
        "and the build switch that adds it."),
    sets,
    0,
    0,
    run,
    CLI_ITEMS_NONE,
    false,
    false};
