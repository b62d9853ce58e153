/* cli/cli.h - what the commands share: settings, messages, exit status. */
#ifndef FACET_CLI_CLI_H
#define FACET_CLI_CLI_H

#include <facet/facet.h>
#include <stdio.h>

/* -- Exit status -------------------------------------------------------- */

enum {
    EXIT_DONE = 0,
    EXIT_INPUT = 1,  /* the input is at fault, or a check found errors */
    EXIT_USAGE = 2,  /* the command line is at fault */
    EXIT_SYSTEM = 3, /* reading, writing or memory failed */
};

/* -- Settings ----------------------------------------------------------- */

/* The values of every option of every command; zero is "not given". */
typedef struct cli_settings {
    bool help, quiet, verbose, json, strict, force, allow_external;
    unsigned threads;
    unsigned memory_limit; /* MiB */
    const char *from, *to;
    /* convert */
    bool no_optimize, flat, replace_normals;
    double crease;
    const char *hull_prefix, *occluder_name;
    const char *up, *endian, *interleave;
    const char *materials, *textures;
    double scale;
    bool flip_v, split;
    unsigned format_version;
    unsigned hulls, hull_vertices;
    double occluder;
    const char *hulls_from, *occluder_from;
    /* pack, and images in convert */
    bool cube, array, gpu_compress, resize;
    unsigned mips, gl, dx;
    const char *vertex, *geometry, *pixel;
    const char *container;
    double fps;
    /* images as GX textures, in convert */
    const char *texture_format, *texture_mips, *quantize;
    bool dither;
} cli_settings;

typedef enum cli_option_kind {
    OPTION_FLAG,  /* bool */
    OPTION_TEXT,  /* const char * */
    OPTION_COUNT, /* unsigned, above 0 */
    OPTION_COUNT_OR_ZERO,
    OPTION_NUMBER, /* double, above 0 */
} cli_option_kind;

typedef struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* 0 when there is none */
    const char *argument;
    const char *help;
    cli_option_kind kind;
    size_t offset; /* into settings */
} cli_option;

typedef struct cli_command {
    const char *name;
    const char *arguments;     /* "IN OUT" */
    const char *summary;       /* one line */
    const char *details;       /* paragraphs for its help */
    const cli_option *options; /* ended by a NULL name */
    int least, most;           /* positional arguments; most -1: any number */
    int (*run)(const cli_settings *settings, int count, char **arguments);
} cli_command;

extern const cli_command command_info, command_check, command_convert, command_extract,
    command_pack, command_formats;
extern const cli_command *const commands[]; /* ended by NULL */

/* Parse the words after the command's name. Positional arguments are moved to
 * the front of `words` and counted in *count. False, and a message, when the
 * command line is at fault. */
bool parse_options(const cli_command *command, char **words, int *count, cli_settings *settings);
/* An option that has an effect on some formats of OUT alone. */
typedef struct cli_option_scope {
    const char *option;
    const char *formats[4]; /* their names, NULL after the last */
} cli_option_scope;
/* False, and a message, when an option was given that has no effect on `to`.
 * `scopes` are ended by a NULL option. */
bool options_suit(const cli_command *command, const cli_option_scope *scopes,
                  const cli_settings *settings, const facet_format *to);
void print_help(FILE *to);
void print_command_help(FILE *to, const cli_command *command);
/* The manual page, in roff, from the same tables. */
void print_manual(FILE *to);

/* -- Messages (message.c) ----------------------------------------------- */

void message_setup(const cli_settings *settings);
/* "facet: ..." on stderr. */
void complain(const char *format, ...) FACET_PRINTF(1, 2);
/* The same, unless --quiet. */
void remark(const char *format, ...) FACET_PRINTF(1, 2);
/* Print an error about a file, and return the exit status it means. */
int complain_error(const char *file, const facet_error *error);
/* One finding as "file:place: severity [RULE] sentence". */
void print_finding(FILE *to, const char *file, const facet_finding *finding);
/* A report's warnings (and with --verbose its notes) on stderr. */
void print_report(const char *file, const facet_report *report);
/* Name of a file as messages show it: "-" is standard input. */
const char *shown_name(const char *path);

/* -- Files and options (common.c) --------------------------------------- */

/* Open "-" or a path; on failure complains, sets *exit_status and fills *error
 * (may be NULL). */
facet_file *open_input(const char *path, const cli_settings *settings, facet_source *source,
                       int *exit_status, facet_error *error);
/* Run `one` on every path, with the format that --from names or NULL; the worst
 * exit status. */
int for_each_input(const cli_settings *settings, int count, char **paths,
                   int (*one)(const char *path, const facet_format *format,
                              const cli_settings *settings));
/* The format an option names, or NULL and a complaint that lists them. */
const facet_format *named_format(const char *name, bool *known);
/* Options for the library: limits, progress, report, threads. Undo with
 * end_options. */
void begin_options(const cli_settings *settings, facet_options *options);
void end_options(facet_options *options);
/* Both sides of an image to the nearest power of two, at least 2 and at most
 * `most`, a power of two. */
facet_status resize_to_power_of_two(facet_scene *scene, facet_image *image, uint32_t most,
                                    facet_error *error);

/* -- Collision (collision.c) -------------------------------------------- */

/* True when an option asks for hulls or an occluder to be made or taken. */
bool wants_collision(const cli_settings *settings);
/* Make or take them, once the scene is one mesh of triangles; progress and
 * what came of it on stderr. On failure *blamed is the file at fault. */
facet_status add_collision(const cli_settings *settings, facet_scene *scene,
                           const facet_options *options, const char **blamed, facet_error *error);

/* -- JSON (json.c) ------------------------------------------------------ */

typedef struct json_t json_t;
json_t *json_of_tree(const facet_tree *tree);
json_t *json_of_finding(const facet_finding *finding);
/* In the form of a finding. */
json_t *json_of_error(const facet_error *error);
/* A UTF-8 string, whatever the bytes. */
json_t *json_text(const char *text);
/* Print one object on one line, and let go of it. */
bool print_json(FILE *to, json_t *object);

#endif
