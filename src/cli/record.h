/* cli/record.h - a silent run of a command: its messages, and the files that it reads and writes,
 * are recorded.
 *
 * The arguments of a command have its record. A batch runs any command for its items this way, on
 * several threads, each with its record. */
#ifndef FACET_CLI_RECORD_H
#define FACET_CLI_RECORD_H

#include "cli/cli.h"
#include "cli/kept_archive.h"
#include "cli/tar.h"

#include <stdarg.h>

/* Paths, in the order in which they were added. */
typedef struct cli_paths {
    char **items;
    size_t count, space;
    /* Hash slots for cli_paths_add, if there are many paths: numbers from 1; 0 is free. */
    size_t *slots, slot_count, known;
} cli_paths;
/* Append a path. False if out of memory. */
bool cli_paths_append(cli_paths *paths, const char *path);
/* The same, unless the list has the path. */
bool cli_paths_add(cli_paths *paths, const char *path);
void cli_paths_free(cli_paths *paths);

/* Files that were written. */
typedef struct cli_written {
    char *path;
    char sha256[65]; /* empty until it is computed */
    uint64_t bytes;
} cli_written;
typedef struct cli_outputs {
    cli_written *items;
    size_t count, space;
} cli_outputs;

/* Files that were read and that no output may replace. */
typedef enum cli_guard {
    CLI_GUARD_FOUND, /* those that inputs name: textures, materials, buffers */
    CLI_GUARD_ALL,   /* inputs too */
    CLI_GUARD_NONE   /* a file is converted in its place */
} cli_guard;

struct cli_record {
    /* Input of the commands. */
    const facet_threads *threads;     /* shared by all; NULL: only the calling thread */
    const facet_allocator *allocator; /* NULL: the library's */
    facet_progress progress;
    void *progress_user;
    bool unsynced;      /* commit files without waiting for the disk */
    bool aloud;         /* record only files; commands print as usual */
    bool verifies;      /* check outputs of a conversion, as with --verify, where possible */
    bool refuses_pipes; /* reject pipes, sockets and devices as inputs: reading them may never
                         * end */
    bool packs;         /* write no files: outputs go into `tar` */
    cli_guard guard;    /* set by the command */
    const char *in;     /* a path that is hashed when it is opened; or NULL */
    const char *in_sum; /* its required SHA-256; NULL: any */
    size_t in_archive;  /* length of the part that is a kept archive; 0: none */
    cli_kept_archive *kept;
    char *folder; /* last folder that a batch created; the caller frees it */
    /* Results of the commands. */
    facet_error error;    /* the first reported error; FACET_OK: no error */
    facet_json *findings; /* an array; NULL: none */
    size_t finding_count; /* includes findings beyond the maximum */
    facet_json *result;   /* the JSON that would be printed; NULL: none */
    cli_paths sides;      /* other files and folders that were read */
    cli_paths found;      /* those of them that inputs name */
    cli_paths absent;     /* files that could not be opened */
    cli_paths missing;    /* those of them that no other file replaced; see cli_record_missing */
    size_t settled;       /* files of `absent` that are in `missing`, or that were replaced */
    cli_outputs outputs;
    cli_tar_bytes tar;  /* with `packs`: the outputs as a tar */
    char in_sha256[65]; /* of the stored bytes of `in`; "": not opened */
    uint64_t in_bytes;
    struct cli_recorded_source *sources;
};

/* Findings of one item that are kept. */
#define CLI_RECORD_MAX_FINDINGS 64

/* Release the results of earlier commands. Input members stay. */
void cli_record_free(cli_record *record);

/* -- Functions for shared code ----------------------------------------- */

/* True if messages and results are recorded instead of printed; false for NULL. */
bool cli_is_silent(const cli_record *record);

/* These need a record. */
void cli_record_sentence(cli_record *record, const char *format, va_list arguments);
void cli_record_error(cli_record *record, const facet_error *error);
/* Record errors and warnings, starting at finding `first`. */
void cli_record_report(cli_record *record, const facet_report *report, size_t first);
/* Store the JSON result of a command; takes ownership. NULL: record an error. */
void cli_record_result(cli_record *record, facet_json *object);
/* Set options from the record. */
void cli_record_options(const cli_record *record, facet_options *options);

/* These take NULL if the command has no record. */

/* Record the files opened next to a source. The source stays valid until its end or the end of the
 * record. Fails only if out of memory. */
facet_status cli_record_source(cli_record *record, facet_source *source, facet_error *error);
/* Report AR35 for a recorded source in a tar without an end. */
void cli_record_check_origin(const facet_source *source, facet_report *report);
/* True if the record suppresses output and uses these threads. */
bool cli_record_owns(const cli_record *record, const facet_threads *threads);

/* Open the record's input from the kept archive; NULL if it is not in it. */
facet_input *cli_record_open_kept(cli_record *record, const char *path,
                                  const facet_options *options);
/* Hash an opened file if it is the record's input; record others as sides. False if out of
 * memory. */
bool cli_record_input(cli_record *record, const char *path, const facet_source *stored);
/* Fail if the SHA-256 of the record's input is not the required one. */
facet_status cli_record_check_sum(cli_record *record, const char *path, facet_error *error);
/* Record a file or folder of an option; `found`: it could be opened. False if out of memory. */
bool cli_record_side(cli_record *record, const char *path, bool found);
/* The same for a folder whose files of a kind are all read; recorded with a "/" at the end. */
bool cli_record_folder(cli_record *record, const char *path);
/* The files that inputs name and that do not exist under any name that was tried. NULL if out of
 * memory. */
const cli_paths *cli_record_missing(cli_record *record);
/* True if inputs must be files. Other inputs cause the error INPUT-KIND. */
bool cli_record_refuses_pipes(const cli_record *record);
#define CLI_ENDLESS_INPUT "the input is a pipe, a socket or a device, expected a file"
/* True if outputs go into the record's tar, so no files and folders are created. */
bool cli_record_packs(const cli_record *record);
/* Open an output that is a separate file. `follow`: if the path is a link, write to its target. */
facet_status cli_open_file(cli_record *record, const char *path, bool follow, facet_output **output,
                           facet_error *error);
/* Commit outputs, all or none, and record them with their siblings. They belong to `path`, or are
 * files in its folder. `beside`, or NULL, is one more output; `outputs` has space for it at the
 * end. Fails with OUTPUT-INPUT if one of them would replace a file that the record guards. */
facet_status cli_commit_beside(cli_record *record, const char *path, facet_output **outputs,
                               size_t count, facet_output *beside, facet_error *error);
facet_status cli_commit(cli_record *record, const char *path, facet_output *output,
                        facet_error *error);

#endif
