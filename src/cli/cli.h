/* cli/cli.h - shared functions of the commands: exit status, messages, inputs, JSON. File names and
 * texts of files are untrusted: all text from outside is printed through cli_put. */
#ifndef FACET_CLI_CLI_H
#define FACET_CLI_CLI_H

#include "base/system.h"
#include "cli/options.h"

#include <facet/facet.h>
#include <stdio.h>

/* -- Exit status -------------------------------------------------------- */

enum {
    EXIT_DONE = 0,
    EXIT_INPUT = 1,   /* the input is invalid, or a check found errors */
    EXIT_USAGE = 2,   /* the command line is invalid */
    EXIT_SYSTEM = 3,  /* reading, writing or memory failed */
    EXIT_RESUME = 75, /* a batch was stopped, and can be resumed: EX_TEMPFAIL */
};

/* -- Messages (message.c) ----------------------------------------------- */

/* Apply --quiet and --verbose. */
void cli_message_setup(const cli_common *common);
/* True if notes of reports are printed. */
bool cli_is_verbose(void);
/* Print a text; control characters and invalid UTF-8 become \xNN. */
void cli_put(FILE *to, const char *text);
/* Print a formatted line through cli_put. */
void cli_print_line(FILE *to, const char *format, ...) FACET_PRINTF(2, 3);
/* `record`: the record of the command, from its arguments. If it is silent, messages and JSON go
 * into it. NULL: they are printed. */

/* Print "facet: ..." on stderr. */
void cli_complain(cli_record *record, const char *format, ...) FACET_PRINTF(2, 3);
/* The same, unless --quiet. */
void cli_remark(cli_record *record, const char *format, ...) FACET_PRINTF(2, 3);
/* Names in messages: "-" is "(stdin)" or "(stdout)". */
const char *cli_input_name(const char *path);
const char *cli_output_name(const char *path);
/* Print an error about a file. Returns its exit status. */
int cli_complain_error(cli_record *record, const char *name, const facet_error *error);
/* Report that memory allocation failed. Returns EXIT_SYSTEM. */
int cli_complain_memory(cli_record *record);
/* Print a rule with cause and remedy, in four lines (rule.c). */
void cli_print_rule(const facet_rule *rule);
/* Print a finding as "name:place: severity [RULE] sentence". */
void cli_print_finding(FILE *to, const char *name, const facet_finding *finding);
/* True if an earlier finding is equal: several meshes can cause the same one, which is printed
 * once. */
bool cli_said_before(const facet_report *report, size_t index);
/* Print a report's warnings (with --verbose also notes) on stderr. */
void cli_print_report(cli_record *record, const char *name, const facet_report *report);
/* The same for findings after the first `count`. */
void cli_print_findings_from(cli_record *record, const char *name, const facet_report *report,
                             size_t first);

/* -- Timings (timings.c) ------------------------------------------------ */

/* Start to measure steps. cli_timings_end prints them: a table on stderr, or an object on
 * stdout. */
void cli_timings_begin(bool json);
bool cli_timings_on(void);
/* Start a step, and end the previous one. Does nothing without cli_timings_begin. */
void cli_timings_step(const char *name);
void cli_timings_end(void);

/* -- Inputs (inputs.c) -------------------------------------------------- */

/* Run a parsed command, with the memory limit of its options. Returns an exit status. */
int cli_run_command(cli_arguments *arguments);
/* Open "-" or a path, possibly in archives, and decompress it, with at most `memory_limit` bytes
 * (0: no limit). On failure, prints a message, sets *exit_status and fills *error (can be NULL).
 * Close with facet_input_close. */
facet_input *cli_open_input(cli_record *record, const char *path, uint64_t memory_limit,
                            facet_source *source, int *exit_status, facet_error *error);
/* The same without decompression. */
facet_input *cli_open_stored(cli_record *record, const char *path, uint64_t memory_limit,
                             facet_source *source, int *exit_status, facet_error *error);
/* Print the findings about the archive that a path leads through, such as a tar that was cut. False
 * if out of memory. */
bool cli_print_origin(cli_record *record, const char *path, const facet_source *source);
/* True if two paths refer to the same existing file, including links. */
bool cli_is_same_file(const char *a, const char *b);
/* Open a file of an option. It is an input like others, for depfiles and results. */
facet_status cli_open_side(cli_record *record, const char *path, const facet_options *options,
                           facet_input **input, facet_error *error);
/* Read a camera from a JSON file of facet render --json: the camera, or an object with the key
 * "camera" (camera.c). */
facet_status cli_read_camera(const char *path, facet_render_camera *camera, facet_error *error);
/* The limit of --memory-limit in bytes; by default half of the machine's memory
 * (limits_posix.c). */
uint64_t cli_memory_limit(unsigned mebibytes);
/* The value of --memory-limit in MiB; 0 if it is not given. */
unsigned cli_memory_limit_given(const cli_arguments *arguments);
/* Limit the memory of the whole program by the system; 0: no limit. */
void cli_limit_memory(uint64_t bytes, unsigned threads);
/* Record whether --memory-limit was given: then messages attribute out-of-memory errors to it. */
void cli_note_memory_limit(bool given);
/* Keep freed memory for later allocations: returning it to the system takes a third of the time of
 * a small item. */
void cli_keep_memory(void);
/* Like cli_limit_memory, but with the limits for thumbnails, which include the time: file managers
 * can wait forever. */
void cli_limit_thumbnail(void);
/* Peak memory of the process in bytes since cli_forget_memory_peak, if the system can reset it;
 * else since the start. */
uint64_t cli_memory_peak(void);
void cli_forget_memory_peak(void);
/* Run `one` on every path. Returns the worst exit status. */
int cli_for_each_input(const cli_arguments *arguments,
                       int (*one)(const char *path, const cli_arguments *arguments));
/* Value of --growth-limit, for a command with cli_resources; 0: default. */
unsigned cli_growth_limit(const cli_arguments *arguments);
/* Set options for the library: limits, progress, report, threads. Undo with cli_end_options, and
 * free the report. False and a message if out of memory. */
bool cli_begin_options(const cli_arguments *arguments, facet_options *options);
void cli_end_options(const cli_arguments *arguments, facet_options *options);
/* Stop showing progress, before other output on the terminal. */
void cli_end_progress(facet_options *options);
/* Set a progress callback, for programs that call main. It ends commands by returning false. Not
 * used with --timings, or if progress is on a terminal. */
void cli_watch(facet_progress watcher);
/* Resize an image to the nearest powers of two, from 2 to `most`, which is a power of two. */
facet_status cli_resize_to_power_of_two(facet_scene *scene, facet_image *image, uint32_t most,
                                        facet_error *error);

/* -- Outputs (outputs.c) ------------------------------------------------ */

/* Options for archives, from those of cli_archives. */
facet_archive_output_options cli_archive_output(const cli_arguments *arguments);
/* Open "-" or a path, possibly in archives, for writing. `with` must outlive the output. */
facet_status cli_open_output(const cli_arguments *arguments, const char *path,
                             const facet_options *with, facet_output **output, facet_error *error);

/* -- Unique paths (output_folder.c) ------------------------------------- */

/* Unique paths below a directory for names from a file; no path leads out of it. Initially all zero
 * except the record and the directory. */
typedef struct cli_output_folder {
    char *path;
    unsigned next; /* number for the next name with this path */
} cli_output_folder;
#define CLI_FILES_AT_ONCE ((size_t)32)
typedef struct cli_places {
    cli_record *record;
    const char *directory;
    bool any_case; /* paths can differ only in case */
    cli_output_folder *table;
    size_t count, space;
    struct {
        facet_output *output;
        char *path;
        size_t size;
    } waiting[CLI_FILES_AT_ONCE]; /* files to commit together */
    size_t waiting_count;
} cli_places;
/* Choose a path for a name in `folder`: the directory, or a path that was chosen before. A / in the
 * name creates folders. False if out of memory. */
bool cli_output_folder_choose(cli_places *places, const char *folder, const char *name, char *path,
                              size_t space);
/* Offset of the name in a chosen path: the directory can end with a slash. */
size_t cli_output_folder_name_offset(const cli_places *places);
/* Create the folders of a path. Links are not followed: they can lead outside. */
bool cli_output_folder_make_folders(const cli_places *places, char *path);
/* Write a file completely, or not at all. It may appear only with cli_output_folder_end. */
facet_status cli_output_folder_write(cli_places *places, char *path, const void *data, size_t size,
                                     facet_error *error);
/* Commit files that wait, also after an error, and free the places. Returns `status` if that is an
 * error. */
facet_status cli_output_folder_end(cli_places *places, facet_status status, facet_error *error);
/* Fill *error from errno for a path. */
facet_status cli_output_folder_fail(facet_error *error, const char *path);

/* -- Archives as folders (extract_archive.c, pack_archive.c) ------------ */

/* A file next to the members, with data that a folder cannot store. */
#define CLI_ARCHIVE_JSON "archive.json"

/* Extract an archive. `stored` has its bytes as they are, `plain` decompressed. */
int cli_extract_archive(cli_record *record, const char *path, const facet_source *stored,
                        const facet_source *plain, const char *directory,
                        const facet_options *options);
/* Create an archive from a directory. Its kind is `kind`, or for FACET_NONE that of archive.json or
 * the name. */
int cli_pack_archive(const cli_arguments *arguments, const char *path, const char *directory,
                     uint32_t kind, const facet_options *options);

/* -- Collision (collision.c) -------------------------------------------- */

/* Set the names of hulls and occluder in the load options. */
void cli_name_collision(const cli_arguments *arguments, facet_load_options *load);
/* True if an option requests hulls or an occluder. */
bool cli_wants_collision(const cli_arguments *arguments);
/* Create hulls and occluder, or read them from files, after the scene is one mesh of triangles.
 * Prints progress and results on stderr. On failure, *blamed is the file. */
facet_status cli_add_collision(const cli_arguments *arguments, facet_scene *scene,
                               const facet_options *options, const char **blamed,
                               facet_error *error);

/* -- Reduction (reduction.c) -------------------------------------------- */

/* Get the reduction; false if there is nothing to reduce. */
bool cli_reduction(const cli_arguments *arguments, facet_reduce_options *reduce);
/* Number of requested levels of detail. */
uint32_t cli_levels(const cli_arguments *arguments);
/* Number of --cluster; 0: none. */
uint32_t cli_clusters(const cli_arguments *arguments);

/* -- JSON (json.c) ------------------------------------------------------ */

typedef struct facet_json facet_json;
facet_json *cli_json_of_tree(const facet_tree *tree);
facet_json *cli_json_of_finding(const facet_finding *finding);
/* An error as an object like that of a finding. */
facet_json *cli_json_of_error(const facet_error *error);
/* The object of facet rule --json (rule.c). */
facet_json *cli_json_of_rule(const facet_rule *rule);
/* The name of a format; null for NULL. */
facet_json *cli_json_of_format(const facet_format *format);
/* A UTF-8 string; invalid bytes become \xNN. */
facet_json *cli_json_text(const char *text);
/* A file name that cli_decode_name restores exactly. Bytes that are not UTF-8 become \xNN; a
 * backslash before text like that becomes \x5C. */
facet_json *cli_json_name(const char *name);
void cli_decode_name(char *name);
/* The string of a key; "" if it is missing. */
const char *cli_json_text_at(const facet_json *object, const char *key);
/* The decoded name of a key. False if it is longer than any path. */
bool cli_json_name_at(const facet_json *object, const char *key, char name[FACET_PATH_MAX]);
/* Three numbers as an array. */
facet_json *cli_json_vector(const double vector[3]);
/* An object on one line with a line feed; free it. NULL if memory is out, now or while the object
 * was created. */
char *cli_json_line(const facet_json *object);
/* The JSON line of an action, prepared before it: afterwards memory could be short. */
typedef struct cli_prepared_json {
    facet_json *object;
    char *line;
} cli_prepared_json;
/* Prepare a line; takes ownership of the object. False if out of memory. Print or free *prepared in
 * any case. */
bool cli_prepare_json(cli_record *record, facet_json *object, cli_prepared_json *prepared);
void cli_print_prepared(cli_record *record, FILE *to, cli_prepared_json *prepared); /* frees it */
void cli_free_prepared(cli_prepared_json *prepared);
/* Print an object on one line and free it. If out of memory, print a message; the program then ends
 * with EXIT_SYSTEM (message.c). */
void cli_print_json(cli_record *record, FILE *to, facet_json *object);
/* Record that output was lost because memory is out: the program ends with EXIT_SYSTEM. */
void cli_lack_memory_to_print(void);
/* False if output was lost. */
bool cli_printed_all(void);

#endif
