/* cli/cli.h - what the commands share: exit status, messages, inputs, JSON.
 * What is printed comes from files and arguments in part, and may hold anything:
 * all text that is not the program's own goes through cli_put. */
#ifndef FACET_CLI_CLI_H
#define FACET_CLI_CLI_H

#include "cli/options.h"

#include <facet/facet.h>
#include <stdio.h>

/* -- Exit status -------------------------------------------------------- */

enum {
    EXIT_DONE = 0,
    EXIT_INPUT = 1,   /* the input is at fault, or a check found errors */
    EXIT_USAGE = 2,   /* the command line is at fault */
    EXIT_SYSTEM = 3,  /* reading, writing or memory failed */
    EXIT_RESUME = 75, /* a batch was told to stop, and can be resumed: EX_TEMPFAIL */
};

/* -- Messages (message.c) ----------------------------------------------- */

/* Take --quiet and --verbose to heart. */
void cli_message_setup(const cli_common *common);
/* Notes of reports are printed, too. */
bool cli_is_verbose(void);
/* Print a text with its control characters and broken UTF-8 as \xNN. */
void cli_put(FILE *to, const char *text);
/* Print a line in that way, the arguments' characters and the format's alike. */
void cli_print_line(FILE *to, const char *format, ...) FACET_PRINTF(2, 3);
/* "facet: ..." on stderr. */
void cli_complain(const char *format, ...) FACET_PRINTF(1, 2);
/* The same, unless --quiet. */
void cli_remark(const char *format, ...) FACET_PRINTF(1, 2);
/* Names as messages have them: "-" is "(stdin)", or "(stdout)". */
const char *cli_input_name(const char *path);
const char *cli_output_name(const char *path);
/* Print an error about a file of this name, and return the exit status it means. */
int cli_complain_error(const char *name, const facet_error *error);
/* There is no memory. EXIT_SYSTEM. */
int cli_complain_memory(void);
/* One finding as "name:place: severity [RULE] sentence". */
void cli_print_finding(FILE *to, const char *name, const facet_finding *finding);
/* Does an earlier finding say the same? Several meshes may give cause for one sentence: once
 * is enough. */
bool cli_said_before(const facet_report *report, size_t index);
/* A report's warnings (and with --verbose its notes) on stderr. */
void cli_print_report(const char *name, const facet_report *report);
/* The same of those that came after the first ones. */
void cli_print_findings_from(const char *name, const facet_report *report, size_t first);

/* -- Timings (timings.c) ------------------------------------------------ */

/* From here on steps are timed, and cli_timings_end prints them: a table on stderr, or an
 * object on stdout. */
void cli_timings_begin(bool json);
bool cli_timings_on(void);
/* The step that begins now; the one before ends. Nothing when nothing is timed. */
void cli_timings_step(const char *name);
void cli_timings_end(void);

/* -- Inputs (inputs.c) -------------------------------------------------- */

/* Run a command whose words were parsed: its limit of memory holds for the inputs that
 * this thread opens. An exit status. */
int cli_run_command(const cli_arguments *arguments);
/* Open "-" or a path, which may run through archives, and decompress what is
 * compressed; on failure complains, sets *exit_status and fills *error (may be
 * NULL). Close with facet_input_close. */
facet_input *cli_open_input(const char *path, facet_source *source, int *exit_status,
                            facet_error *error);
/* The same of the bytes as they are stored. */
facet_input *cli_open_stored(const char *path, facet_source *source, int *exit_status,
                             facet_error *error);
/* True of two paths of one file that is there, also by a link. */
bool cli_is_same_file(const char *a, const char *b);
/* Open a file that an option names, which is an input like others for depfiles and
 * results. */
facet_status cli_open_side(const char *path, const facet_options *options, facet_input **input,
                           facet_error *error);
/* The camera of a JSON file, as facet render --json prints it, alone or as the key "camera"
 * (camera.c). */
facet_status cli_read_camera(const char *path, facet_render_camera *camera, facet_error *error);
/* The bytes that --memory-limit stands for; without it half of the machine's memory
 * (limits_posix.c). */
uint64_t cli_memory_limit(unsigned mebibytes);
/* MiB that --memory-limit gives; 0: it is not given. */
unsigned cli_memory_limit_given(const cli_arguments *arguments);
/* Let the system hold the whole program to so many bytes; 0: no limit. */
void cli_limit_memory(uint64_t bytes, unsigned threads);
/* Whether --memory-limit was given: then messages call want of memory the limit's doing. */
void cli_tell_memory_limit(bool given);
/* Keep what is freed for what is allocated next, the next item's too: to give it back to the
 * system and ask for it again takes a third of the time of a small one. */
void cli_keep_memory(void);
/* The same as cli_limit_memory, and time, as far as a thumbnail needs them: who asks for one may
 * wait without end. */
void cli_limit_thumbnail(void);
/* The most bytes that the process had at once since cli_forget_memory_peak, where the
 * system can forget, and else since it began. */
uint64_t cli_memory_peak(void);
void cli_forget_memory_peak(void);
/* Run `one` on every path; the worst exit status. */
int cli_for_each_input(const cli_arguments *arguments,
                       int (*one)(const char *path, const cli_arguments *arguments));
/* --growth-limit, of a command with cli_resources; 0: the default. */
unsigned cli_growth_limit(const cli_arguments *arguments);
/* Options for the library: limits, progress, report, threads. Undo with
 * cli_end_options, and free the report. False, and a message, without memory. */
bool cli_begin_options(const cli_arguments *arguments, facet_options *options);
void cli_end_options(facet_options *options);
/* From here on no progress is shown: something else is to be printed on the terminal. */
void cli_end_progress(facet_options *options);
/* For who runs main inside of another program: it is told how far commands are, and ends
 * them by returning false. Neither with --timings nor where a terminal shows it. */
void cli_watch(facet_progress watcher);
/* Both sides of an image to the nearest power of two, at least 2 and at most
 * `most`, a power of two. */
facet_status cli_resize_to_power_of_two(facet_scene *scene, facet_image *image, uint32_t most,
                                        facet_error *error);

/* -- Outputs (outputs.c) ------------------------------------------------ */

/* What the options of cli_archives ask for. */
facet_archive_output_options cli_archive_output(const cli_arguments *arguments);
/* Open "-" or a path, which may run through archives, for writing. `with` outlives
 * the output. */
facet_status cli_open_output(const cli_arguments *arguments, const char *path,
                             const facet_options *with, facet_output **output, facet_error *error);

/* -- Places (places.c) -------------------------------------------------- */

/* Paths below a directory for names that come from a file: none leads out of it,
 * and no two are the same. All zero but the directory. */
typedef struct cli_place {
    char *path;
    unsigned next; /* number of the next one that would have this path */
} cli_place;
typedef struct cli_places {
    const char *directory;
    bool any_case; /* paths differ in more than the case of letters */
    cli_place *table;
    size_t count, space;
} cli_places;
/* A path for a name in `folder`, which is the directory or a path that was chosen
 * before; / in the name makes folders. False without memory. */
bool cli_place_choose(cli_places *places, const char *folder, const char *name, char *path,
                      size_t space);
/* Make the folders on the way to a path. Links are not followed: they could lead
 * anywhere. */
bool cli_place_make_folders(const cli_places *places, char *path);
/* Write a file there, whole or not at all. */
facet_status cli_place_write(const cli_places *places, char *path, const void *data, size_t size,
                             facet_error *error);
/* Fill *error of errno, about a path. */
facet_status cli_place_fail(facet_error *error, const char *path);
void cli_place_free(cli_places *places);

/* -- Archives as folders (extract_archive.c, pack_archive.c) ------------ */

/* The file beside the members that has what a folder cannot say. */
#define CLI_ARCHIVE_JSON "archive.json"

/* Extract an archive: `stored` is the file as it is, `plain` decompressed. */
int cli_extract_archive(const char *path, const facet_source *stored, const facet_source *plain,
                        const char *directory, const facet_options *options);
/* Make an archive of a directory: its kind from `kind` (FACET_NONE: what archive.json or
 * the name say). */
int cli_pack_archive(const cli_arguments *arguments, const char *path, const char *directory,
                     uint32_t kind, const facet_options *options);

/* -- Collision (collision.c) -------------------------------------------- */

/* Which objects of the input are hulls and occluder. */
void cli_name_collision(const cli_arguments *arguments, facet_load_options *load);
/* True when an option asks for hulls or an occluder to be made or taken. */
bool cli_wants_collision(const cli_arguments *arguments);
/* Make or take them, once the scene is one mesh of triangles; progress and
 * what came of it on stderr. On failure *blamed is the file at fault. */
facet_status cli_add_collision(const cli_arguments *arguments, facet_scene *scene,
                               const facet_options *options, const char **blamed,
                               facet_error *error);

/* -- Fewer triangles (reduction.c) -------------------------------------- */

/* What is to be reduced; false for nothing. */
bool cli_reduction(const cli_arguments *arguments, facet_reduce_options *reduce);
/* How many levels of detail are to be made. */
uint32_t cli_levels(const cli_arguments *arguments);

/* -- JSON (json.c) ------------------------------------------------------ */

typedef struct facet_json facet_json;
facet_json *cli_json_of_tree(const facet_tree *tree);
facet_json *cli_json_of_finding(const facet_finding *finding);
/* In the form of a finding. */
facet_json *cli_json_of_error(const facet_error *error);
/* The name of a format; null for NULL. */
facet_json *cli_json_of_format(const facet_format *format);
/* A UTF-8 string, whatever the bytes: broken ones as \xNN. */
facet_json *cli_json_text(const char *text);
/* The name of a file, whatever its bytes, so that cli_decode_name gives it back: bytes that are
 * not UTF-8 as \xNN, and a backslash before what would read as one of these as \x5C. */
facet_json *cli_json_name(const char *name);
void cli_decode_name(char *name);
/* One object on one line, with the line feed; to be freed. NULL without memory, also
 * when that was so while the object was made. */
char *cli_json_line(const facet_json *object);
/* The line of an action, prepared before the action: afterwards memory may be lacking.
 */
typedef struct cli_prepared_json {
    facet_json *object;
    char *line;
} cli_prepared_json;
/* Take over the object. False without memory. Print or free *prepared in any case. */
bool cli_prepare_json(facet_json *object, cli_prepared_json *prepared);
void cli_print_prepared(FILE *to, cli_prepared_json *prepared); /* frees it */
void cli_free_prepared(cli_prepared_json *prepared);
/* Print one object on one line, and let go of it; without memory complain, and see to
 * it that the program ends with EXIT_SYSTEM (message.c). */
void cli_print_json(FILE *to, facet_json *object);
/* There is no memory for something that is to be printed: the program ends with EXIT_SYSTEM. */
void cli_lack_memory_to_print(void);
/* False when that was so. */
bool cli_printed_all(void);

#endif
