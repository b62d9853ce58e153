/* cli/record.h - a command that runs in silence: what it would print, and which
 * files it reads and writes, is kept instead.
 *
 * A record belongs to the thread that begins it: from then on the commands that
 * run on this thread say nothing. So any command can run over the items of a
 * batch, several at once, without knowing. */
#ifndef FACET_CLI_RECORD_H
#define FACET_CLI_RECORD_H

#include "cli/cli.h"
#include "cli/kept_archive.h"
#include "cli/tar.h"

#include <stdarg.h>

/* Paths, in the order they came. */
typedef struct cli_paths {
    char **items;
    size_t count, space;
    /* For cli_paths_add, once there are many: numbers from 1 on by a hash, 0 is free. */
    size_t *slots, slot_count, known;
} cli_paths;
/* False without memory. */
bool cli_paths_append(cli_paths *paths, const char *path);
/* The same, unless it is there already. */
bool cli_paths_add(cli_paths *paths, const char *path);
void cli_paths_free(cli_paths *paths);

/* Files that were written. */
typedef struct cli_written {
    char *path;
    char sha256[65]; /* empty when it is to be found out */
    uint64_t bytes;
} cli_written;
typedef struct cli_outputs {
    cli_written *items;
    size_t count, space;
} cli_outputs;

typedef struct cli_record {
    /* What the commands are to work with. */
    const facet_threads *threads;     /* shared by all; NULL: the calling thread alone */
    const facet_allocator *allocator; /* NULL: the library's */
    facet_progress progress;
    void *progress_user;
    bool unsynced;      /* files are committed without waiting for the disk */
    bool aloud;         /* only files are recorded; commands print as ever */
    bool verifies;      /* what a conversion writes is checked, as by --verify, where it can be */
    bool refuses_pipes; /* and sockets and devices, as inputs: to read them may take for ever */
    bool packs;         /* no files are written: outputs go into `tar` */
    const char *in;     /* a path that is hashed when it is opened; or NULL */
    const char *in_sum; /* the SHA-256 that it must have; NULL: any */
    size_t in_archive;  /* how much of it is an archive, which is kept; 0: nothing */
    cli_kept_archive *kept;
    char *folder; /* that a batch made last; the caller frees it */
    /* What came of it. */
    facet_error error;    /* the first that was complained of; FACET_OK: none */
    facet_json *findings; /* an array; NULL: none */
    size_t finding_count; /* also those that are too many to be kept */
    facet_json *result;   /* what would have been printed as JSON; NULL: nothing */
    cli_paths sides;      /* files and folders that were read besides the input */
    cli_paths absent;     /* files that were looked for, and could not be opened */
    cli_outputs outputs;
    cli_tar_bytes tar;  /* with `packs`: the outputs, as they stand in a tar */
    char in_sha256[65]; /* of `in` as it is stored; empty when it was not opened */
    uint64_t in_bytes;
    struct cli_recorded_source *sources;
} cli_record;

/* Findings of one item that are kept. */
#define CLI_RECORD_MAX_FINDINGS 64

/* Record this thread's commands from here on. What is given stays, what came of
 * earlier ones is released. */
void cli_record_begin(cli_record *record);
/* Print again. What was recorded stays until cli_record_free. */
void cli_record_end(void);
void cli_record_free(cli_record *record);
/* This thread's record when it runs in silence, or NULL. */
cli_record *cli_record_here(void);
/* The same, aloud or not. */
cli_record *cli_record_of_files(void);

/* -- For what the commands share ----------------------------------------- */

/* These are for a thread that has a record. */
void cli_record_sentence(const char *format, va_list arguments);
void cli_record_error(const facet_error *error);
/* Its errors and warnings, from the finding `first` on. */
void cli_record_report(const facet_report *report, size_t first);
/* Takes the object over. */
void cli_record_result(facet_json *object);
/* Put what the record gives into options. */
void cli_record_options(facet_options *options);

/* These do nothing on a thread without a record. */

/* Keep the paths of what is opened beside a source. The source is valid as long
 * as before, and as long as the record. It fails only without memory. */
facet_status cli_record_source(facet_source *source, facet_error *error);
/* True for threads that the record lends. */
bool cli_record_owns(const facet_threads *threads);

/* Open the record's input out of the archive that is kept; NULL when it is none. */
facet_input *cli_record_open_kept(const char *path, const facet_options *options);
/* Hash what was opened, when it is the record's input; another file is one of its sides.
 * False without memory. */
bool cli_record_input(const char *path, const facet_source *stored);
/* Refuse the record's input when its SHA-256 is not the one it must have. */
facet_status cli_record_check_sum(const char *path, facet_error *error);
/* Keep the path of a file or folder that an option names; `found`: it could be opened.
 * False without memory. */
bool cli_record_side(const char *path, bool found);
/* The same of a folder of which all files of a kind are read: the path ends in "/". */
bool cli_record_folder(const char *path);
/* True when inputs are files only. What is said of others is the error INPUT-KIND. */
bool cli_record_refuses_pipes(void);
#define CLI_ENDLESS_INPUT "the input is a pipe, a socket or a device, expected a file"
/* True when no files and folders are to be made. */
bool cli_record_packs(void);
/* Open an output that is a file of its own; `follow`: a link that stands there. */
facet_status cli_open_file(const char *path, bool follow, facet_output **output,
                           facet_error *error);
/* Commit outputs of a path, or with the names of pieces in its folder, all or none;
 * keep the paths of them and of their siblings. `beside`, or NULL, is committed with them and has
 * its place behind them in `outputs`. */
facet_status cli_commit_beside(const char *path, facet_output **outputs, size_t count,
                               facet_output *beside, facet_error *error);
facet_status cli_commit(const char *path, facet_output *output, facet_error *error);

#endif
