/* cli/options.h - commands and their options as tables, which drive the parser, the help and the
 * manual page.
 *
 * A command has several sets of options: its own and shared ones, such as resources or the settings
 * of a format family. Each set has a table and a struct of settings, which is private to its
 * file. */
#ifndef FACET_CLI_OPTIONS_H
#define FACET_CLI_OPTIONS_H

#include <facet/facet.h>
#include <stdio.h>

/* Texts that only the help, manual pages and bindings show. The core module of the web prints none
 * of them. */
#ifdef FACET_CORE_MODULE
#define CLI_HELP(text) NULL
#else
#define CLI_HELP(text) text
#endif

/* Messages, inputs and outputs of a command (record.h). */
typedef struct cli_record cli_record;

/* -- Options ------------------------------------------------------------ */

/* Kind of an option, with the type of its setting. All zero means "not given". */
typedef enum cli_option_kind {
    CLI_FLAG,           /* bool */
    CLI_TEXT,           /* const char * */
    CLI_TEXTS,          /* cli_texts: can be given several times */
    CLI_FORMAT,         /* const facet_format *, by its name */
    CLI_WORD,           /* unsigned: 1 for the first of `words`, 2 for the second ... */
    CLI_COUNT,          /* unsigned, from `least` (or 1) to `most` (or any) */
    CLI_COUNT_OR_ZERO,  /* unsigned; 0 means not given */
    CLI_COUNT_OR_AUTO,  /* like CLI_COUNT; UINT_MAX for the word "auto" */
    CLI_NUMBER,         /* double, above 0, up to `most` (or any) */
    CLI_NUMBER_OR_ZERO, /* like CLI_NUMBER; 0 means not given */
} cli_option_kind;

/* All values of an option; free the items. */
typedef struct cli_texts {
    const char **items;
    unsigned count;
} cli_texts;

typedef struct cli_option {
    const char *name;     /* without the dashes */
    const char *argument; /* name of the value in the help; NULL for a flag */
    const char *help;     /* ends in "; default: ..." if it has a default */
    cli_option_kind kind;
    size_t offset; /* in the settings of the set */
    char letter;   /* "-j"; 0 without a short form */
    bool once;     /* rejects a second use, which would silently replace the first */
    unsigned least;
    double most;              /* 0: any */
    const char *const *words; /* ended by NULL; case is ignored */
    /* The option changes a scene, so files are not copied. */
    bool needs_scene;
    /* Names of options, like "texture, texture-dir", with which it applies to a copy also. */
    const char *unless;
    /* Formats of OUT on which it has an effect, like "bmd, bdl"; NULL: those of its set. */
    const char *formats;
    /* Members of the library's structs that it sets, like "facet_bga_options.big_endian", for
     * bindings; NULL: none. */
    const char *fields;
    unsigned first_word;      /* member's value for the first of `words` */
    const char *default_text; /* default for the help; NULL: no default, or not interesting */
} cli_option;

/* Options under one heading of the help. */
typedef struct cli_option_set {
    const char *heading;       /* NULL: no heading, printed first */
    const char *formats;       /* like in cli_option; NULL: all */
    const cli_option *options; /* ended by a NULL name */
    size_t settings_size;
    /* Set the library's options from the settings, which must outlive them. Returns an exit status;
     * unless EXIT_DONE, a message is printed. *error is set if the error is not in the command
     * line. NULL: nothing to set. */
    int (*apply)(cli_record *record, void *settings, facet_options *options, facet_error *error);
    /* The file of an option, or the option, that caused an error; NULL: neither. */
    const char *(*at_fault)(const void *settings, const facet_error *error);
    void (*release)(void *settings);
} cli_option_set;

/* Resources (inputs.c), outputs in archives (outputs.c), hulls and an occluder (collision.c),
 * reduction of triangles (reduction.c); then one file per format family. */
extern const cli_option_set cli_resources, cli_archives, cli_collision, cli_reduced;
extern const cli_option_set cli_bga, cli_bti, cli_gltf, cli_image, cli_j3d, cli_ply, cli_stl;

/* -- Commands ----------------------------------------------------------- */

/* Options that every command takes. */
typedef struct cli_common {
    bool help, quiet, verbose, timings;
    double time_limit; /* seconds; 0: no limit */
} cli_common;
extern const cli_option_set cli_common_options;

typedef struct cli_command cli_command;

/* The arguments of a command. */
typedef struct cli_arguments {
    const cli_command *command;
    cli_record *record; /* NULL: messages are printed */
    cli_common common;
    int count;
    char **words; /* arguments that are not options */
    int rest_count;
    char **rest;           /* words after "--", for a command that takes another one */
    void **settings;       /* one per set of the command */
    uint64_t memory_limit; /* bytes, for the library's calls; 0: none. Set by cli_run_command */
    /* For commands that run others: all commands, ended by NULL, and the program. */
    const cli_command *const *commands;
    const char *program;
} cli_arguments;

/* Use of a batch item as a command's arguments. */
typedef enum cli_command_items {
    CLI_ITEMS_NONE,   /* not possible in a batch */
    CLI_ITEMS_IN,     /* one of its files; its JSON output is the result */
    CLI_ITEMS_IN_OUT, /* input and output */
} cli_command_items;

struct cli_command {
    const char *name;                  /* "convert", "batch report" */
    const char *arguments;             /* "IN OUT" */
    const char *summary;               /* one line */
    const char *details;               /* paragraphs of its help */
    const cli_option_set *const *sets; /* ended by NULL */
    int least, most;                   /* number of arguments that are not options; most -1: any */
    int (*run)(const cli_arguments *arguments); /* an exit status */
    cli_command_items items;
    bool takes_command; /* a command with its options follows "--" */
    bool guards_inputs; /* no output may replace a file that it reads; it then has a record */
};

/* Each is defined in the file of its name; main.c lists them. */
extern const cli_command cli_command_info, cli_command_check, cli_command_convert,
    cli_command_extract, cli_command_pack, cli_command_formats, cli_command_show, cli_command_batch,
    cli_command_batch_report, cli_command_render, cli_command_worker, cli_command_deps,
    cli_command_compare, cli_command_rule, cli_command_view;

/* Parse the words after the command's name. Returns an exit status; unless EXIT_DONE, a message is
 * printed. Call cli_arguments_free in all cases. */
int cli_parse(cli_record *record, const cli_command *command, int count, char **words,
              cli_arguments *arguments);
void cli_arguments_free(cli_arguments *arguments);

/* Settings of one of the command's sets; NULL if it does not have the set. */
void *cli_settings_of(const cli_arguments *arguments, const cli_option_set *set);
/* False and a message if a given option has no effect on `to`. */
bool cli_options_suit(const cli_arguments *arguments, const facet_format *to);
/* True if an option of this name is given. */
bool cli_option_given(const cli_arguments *arguments, const char *name);
/* True if a given option has needs_scene set. */
bool cli_needs_scene(const cli_arguments *arguments);
/* Set the library's options from all sets. */
int cli_apply_options(const cli_arguments *arguments, facet_options *options, facet_error *error);
/* The file of an option, or the option, that caused an error; NULL: neither. */
const char *cli_at_fault(const cli_arguments *arguments, const facet_error *error);

/* The nearest name so far, for "did you mean". Initially all zero except the given word. */
typedef struct cli_nearest {
    const char *given;
    size_t length;    /* of the given word */
    const char *name; /* NULL: no similar name */
    size_t distance;
} cli_nearest;
void cli_nearest_try(cli_nearest *nearest, const char *name);

/* -- Help (help.c) ------------------------------------------------------ */

/* `commands` are ended by NULL. */
void cli_print_help(FILE *to, const cli_command *const *commands);
void cli_print_command_help(FILE *to, const cli_command *command);
/* The manual page, in roff; that of one command. */
void cli_print_manual(FILE *to, const cli_command *const *commands);
void cli_print_command_manual(FILE *to, const cli_command *command);

/* -- Export (options_json.c) --------------------------------------------- */

/* Print every option of every command as a JSON object. tools/options generates bindings and
 * docs/reference/options.md from it. */
void cli_print_options(FILE *to, const cli_command *const *commands);

/* -- Completion (completion.c) ------------------------------------------- */

/* Print the completion script for bash, zsh or fish; false for other shells. */
bool cli_print_completion(FILE *to, const char *shell, const cli_command *const *commands);

#endif
