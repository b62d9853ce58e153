/* cli/options.h - commands and their options as tables: the parser, the help and
 * the manual page are made from these.
 *
 * A command has sets of options: its own, and those that it shares with other
 * commands (how much of the machine to use, how a family of formats is written).
 * Each set has its table and its struct of settings, which nobody else knows but
 * the file that declares it. */
#ifndef FACET_CLI_OPTIONS_H
#define FACET_CLI_OPTIONS_H

#include <facet/facet.h>
#include <stdio.h>

/* -- Options ------------------------------------------------------------ */

/* What an option takes, and the type of its setting. All zero is "not given". */
typedef enum cli_option_kind {
    CLI_FLAG,          /* bool */
    CLI_TEXT,          /* const char * */
    CLI_TEXTS,         /* cli_texts: it may be given many times */
    CLI_FORMAT,        /* const facet_format *, by its name */
    CLI_WORD,          /* unsigned: 1 for the first of `words`, 2 for the second ... */
    CLI_COUNT,         /* unsigned, from `least` (or 1) to `most` (or any) */
    CLI_COUNT_OR_ZERO, /* unsigned; 0 is as good as not given */
    CLI_COUNT_OR_AUTO, /* as CLI_COUNT; UINT_MAX for the word "auto" */
    CLI_NUMBER,        /* double, above 0, up to `most` (or any) */
} cli_option_kind;

/* What an option was given, each time; the items are to be freed. */
typedef struct cli_texts {
    const char **items;
    unsigned count;
} cli_texts;

typedef struct cli_option {
    const char *name;     /* without the dashes */
    const char *argument; /* as the help names it; NULL for a flag */
    const char *help;     /* ends in "; default: ..." when there is a default */
    cli_option_kind kind;
    size_t offset; /* into the settings of the set */
    char letter;   /* "-j"; 0 when there is none */
    bool once;     /* a second one would silently replace the first */
    unsigned least;
    double most;              /* 0: any */
    const char *const *words; /* ended by NULL; letter case does not matter */
    /* What it asks for is done to a scene: files are not copied as they are then. */
    bool needs_scene;
    /* Names of options, "texture, texture-dir", beside which it is done to a copy after all. */
    const char *unless;
    /* Names of formats of OUT that it has an effect on, "bmd, bdl"; NULL: those of
     * its set. */
    const char *formats;
    /* Members of the library's structs that it sets, "facet_bga_options.big_endian", for
     * libraries in other languages; NULL: none. */
    const char *fields;
    unsigned first_word;      /* number that the first of `words` has there */
    const char *default_text; /* the default, for the help; NULL: none, or not worth a word */
} cli_option;

/* Options that stand together in the help. */
typedef struct cli_option_set {
    const char *heading;       /* NULL: none, they stand first */
    const char *formats;       /* as in cli_option; NULL: all */
    const cli_option *options; /* ended by a NULL name */
    size_t settings_size;
    /* Make the library's options of the settings, which they may point into: an
     * exit status, and a message when it is not EXIT_DONE; the error, when it is not
     * the command line's, is in *error too. NULL: nothing to do. */
    int (*apply)(void *settings, facet_options *options, facet_error *error);
    /* What an error is about: a file that an option names, or the option; NULL: neither. */
    const char *(*at_fault)(const void *settings, const facet_error *error);
    void (*release)(void *settings);
} cli_option_set;

/* How much of the machine to use (inputs.c), outputs in archives (outputs.c),
 * hulls and an occluder (collision.c), and fewer triangles (reduction.c); then how a
 * family is written, a file for each. */
extern const cli_option_set cli_resources, cli_archives, cli_collision, cli_reduced;
extern const cli_option_set cli_bga, cli_bti, cli_gltf, cli_image, cli_j3d, cli_ply, cli_stl;

/* -- Commands ----------------------------------------------------------- */

/* Options that every command takes. */
typedef struct cli_common {
    bool help, quiet, verbose, timings;
    double time_limit; /* seconds; 0: none */
} cli_common;
extern const cli_option_set cli_common_options;

typedef struct cli_command cli_command;

/* What a command was called with. */
typedef struct cli_arguments {
    const cli_command *command;
    cli_common common;
    int count;
    char **words; /* what is no option */
    int rest_count;
    char **rest;     /* what follows "--", of a command that takes another one */
    void **settings; /* of each of the command's sets */
    /* For commands that run others: all of them, ended by NULL, and the program. */
    const cli_command *const *commands;
    const char *program;
} cli_arguments;

/* What an item of a batch stands for among a command's arguments. */
typedef enum cli_command_items {
    CLI_ITEMS_NONE,   /* it is no command for a batch */
    CLI_ITEMS_IN,     /* one of its files; what it prints as JSON is the result */
    CLI_ITEMS_IN_OUT, /* its input and its output */
} cli_command_items;

struct cli_command {
    const char *name;                  /* "convert", "batch report" */
    const char *arguments;             /* "IN OUT" */
    const char *summary;               /* one line */
    const char *details;               /* paragraphs for its help */
    const cli_option_set *const *sets; /* ended by NULL */
    int least, most;                   /* arguments that are no option; most -1: any number */
    int (*run)(const cli_arguments *arguments); /* an exit status */
    cli_command_items items;
    bool takes_command; /* what follows "--" is a command with its options */
};

/* Each in the file of its name; main.c lists them. */
extern const cli_command cli_command_info, cli_command_check, cli_command_convert,
    cli_command_extract, cli_command_pack, cli_command_formats, cli_command_show, cli_command_batch,
    cli_command_batch_report, cli_command_render, cli_command_worker, cli_command_deps,
    cli_command_compare, cli_command_rule, cli_command_view;

/* Parse the words after the command's name. An exit status, and a message when
 * it is not EXIT_DONE; either way cli_arguments_free is to be called. */
int cli_parse(const cli_command *command, int count, char **words, cli_arguments *arguments);
void cli_arguments_free(cli_arguments *arguments);

/* The settings of one of the command's sets; NULL when it does not have it. */
void *cli_settings_of(const cli_arguments *arguments, const cli_option_set *set);
/* False, and a message, when an option was given that has no effect on `to`. */
bool cli_options_suit(const cli_arguments *arguments, const facet_format *to);
/* True when an option of this name was given. */
bool cli_option_given(const cli_arguments *arguments, const char *name);
/* True when an option was given that has needs_scene set. */
bool cli_needs_scene(const cli_arguments *arguments);
/* Let every set make the library's options of its settings. */
int cli_apply_options(const cli_arguments *arguments, facet_options *options, facet_error *error);
/* What an error is about: a file that an option names, or the option; NULL: neither. */
const char *cli_at_fault(const cli_arguments *arguments, const facet_error *error);

/* The nearest of the names so far, for "did you mean": all zero but the word
 * that was given. */
typedef struct cli_nearest {
    const char *given;
    size_t length;    /* of what was given */
    const char *name; /* NULL: none is near */
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

/* Every option of every command, a JSON object each: what the libraries in other
 * languages and docs/reference/options.md are made from (tools/options). */
void cli_print_options(FILE *to, const cli_command *const *commands);

/* -- Completion (completion.c) ------------------------------------------- */

/* What bash, zsh or fish is to read; false for any other shell. */
bool cli_print_completion(FILE *to, const char *shell, const cli_command *const *commands);

#endif
