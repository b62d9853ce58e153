/* batch/batch.h - facet batch: many items, put through one command.
 *
 *     batch_items.c    the items: from manifests, lists and folders
 *     ids.c            which item has an id
 *     batch_match.c    which files of folders are items
 *     split.c          samples of a tar as it comes
 *     stream.c         items of shards that are read once
 *     batch_names.c    names made by a template; which shard an item is in
 *     balance.c        shards of about equal bytes
 *     batch_identify.c sums of files and options
 *     batch_review.c   what earlier lines say, and whether it is still so
 *     batch_item.c     one item put through the command: its line of JSON
 *     words.c          words of --also, --fetch and --store
 *     hook.c           commands that bring inputs and take outputs
 *     errand.c         an item between two hooks
 *     command.c        one command over one item
 *     also.c           further commands over the same item
 *     filter.c         conditions on what an item is
 *     claim.c          shards out of a folder
 *     dedup.c          items of equal content
 *     batch_clash.c    outputs that are inputs
 *     batch_plan.c     what is left to do, and in which order
 *     batch_journal.c  which items are at work
 *     header.c         the line before those of a run
 *     batch_results.c  lines written, and read again to resume
 *     tar.c, tar_file.c  outputs as members of one file
 *     batch_run.c      all items, by threads of this process
 *     ask.c            requests of those
 *     batch_isolate.c  the same by processes that may crash
 *     batch_progress.c how far it is
 *     batch.c          the command
 */
#ifndef FACET_CLI_BATCH_H
#define FACET_CLI_BATCH_H

#include "base/table.h"
#include "batch/claim.h"
#include "batch/hook.h"
#include "batch/line.h"
#include "batch/tar_file.h"
#include "cli/record.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

/* -- The command that items are put through ------------------------------ */

/* A further output of each item (also.h). */
typedef struct cli_batch_product {
    const cli_command *command; /* NULL: the line of the item */
    int count;                  /* of its options */
    char **words;
    const char *out; /* template */
    char *text;      /* that the words are in */
    const char *given;
} cli_batch_product;

/* A condition of --filter (filter.h). */
typedef struct cli_batch_condition {
    const char *given;
    const struct number *number;
    const cli_command *command; /* that finds the number; NULL: the size of the file */
    const char *operator;
    double limit;
} cli_batch_condition;

typedef struct cli_batch_job {
    const cli_command *command;
    int count; /* of its options */
    char **words;
    char options[17]; /* hash of the command and its options, and of those of the products */
    cli_batch_product *also;
    size_t also_count;
    cli_batch_condition *filters;
    size_t filter_count;
    unsigned memory_limit; /* MiB, of the command's --memory-limit; 0: half of the machine's */
    bool fetches, stores;  /* inputs, and outputs, are elsewhere: they cannot be looked at */
} cli_batch_job;

/* Cut a text into words as a shell does: quotes and backslashes keep blanks. The number of words,
 * or -1: a quote is not closed. `words` has a place for every second byte. */
int cli_batch_cut_words(char *text, char **words);
/* A command that items can be put through, by its name; NULL: there is none. */
const cli_command *cli_batch_find_command(const cli_arguments *arguments, const char *name);
/* From the words after "--"; without any it is convert. An exit status. */
int cli_batch_choose_job(const cli_arguments *arguments, const cli_texts *also,
                         const cli_texts *filters, cli_batch_job *job);
void cli_batch_job_free(cli_batch_job *job);

/* "3", "0.5%": how many items may fail. False, and a message, when it is neither; NULL is 0. */
bool cli_batch_allowance_suits(const char *text);
bool cli_batch_allows(const char *text, uint64_t failed, uint64_t items);

/* -- Items (batch_items.c) ----------------------------------------------- */

/* Members that few items need. */
typedef struct cli_batch_more {
    char *const *words;  /* options of its own */
    char *const *also;   /* outputs of the products of the job */
    const char *sha256;  /* that its input must have; NULL: any */
    const char *columns; /* of the manifest, carried into the line: JSON; NULL: none */
    size_t also_count;
    int word_count;
} cli_batch_more;

/* A batch has millions of them: the order of members leaves no gaps. */
typedef struct cli_batch_item {
    const char *id, *in, *out;  /* out NULL: none */
    const cli_batch_more *more; /* NULL: none of it */
    /* What an earlier run wrote about it, in a file that is mapped; NULL: nothing. */
    const char *line;
    uint64_t bytes;  /* of the input, where they are known */
    int64_t changed; /* when it was changed last, in ns; 0: not known */
    uint32_t line_length;
    uint32_t in_archive; /* how much of `in` is an archive; 0: it is a file, or not known yet */
    unsigned attempt;    /* 1 for the first with these files, options and version */
    unsigned run;        /* 1 for the first of this id */
    unsigned deaths;     /* of runs that ended while it was at work */
    bool good : 1;       /* the line is of an item that went well */
    bool named : 1;      /* the output, by the manifest */
    bool begun : 1;      /* in this run */
    bool done : 1;       /* nothing is left to do */
    bool failed : 1;     /* for good, in an earlier run */
    bool endless : 1;    /* a pipe, a socket or a device: to read it may take for ever */
    bool risky : 1;      /* it may crash, or must not run in this process */
    bool apart : 1;      /* equal to another one, but must run in a process of its own */
} cli_batch_item;

static inline const cli_batch_more *cli_batch_more_of(const cli_batch_item *item)
{
    static const cli_batch_more none;
    return item->more ? item->more : &none;
}

typedef struct cli_batch_shard {
    uint64_t index, count; /* 0 of 1: everything */
} cli_batch_shard;

/* Files that are taken of a folder without --match. */
typedef enum cli_batch_takes {
    CLI_BATCH_TAKES_ALL, /* what can be read */
    CLI_BATCH_TAKES_MODELS,
    CLI_BATCH_TAKES_AS_OUT /* pictures where the output is one, else models */
} cli_batch_takes;

/* Where items come from. */
typedef struct cli_batch_origin {
    const char *manifest, *list; /* or NULL */
    bool null;                   /* names of the list end with a NUL byte */
    int count;
    char **paths;    /* files and folders */
    cli_texts match; /* names in folders that are taken */
    cli_batch_takes takes;
    const char *out;          /* template; NULL: none */
    bool wants_out;           /* the command needs one */
    bool packs;               /* outputs go into a tar */
    const cli_batch_job *job; /* NULL: a report */
    const cli_hook *fetch;    /* that prints a shard; NULL: shards are files */
    bool streams;             /* the paths are shards that are read once (stream.h) */
    cli_batch_shard shard;
    bool balances; /* items of all shards are kept, for cli_batch_balance */
} cli_batch_origin;

/* -- Files of folders (batch_match.c) ------------------------------------ */

typedef struct cli_batch_pattern {
    char *text;
    unsigned given; /* number of the --match that it comes from */
} cli_batch_pattern;
typedef struct cli_batch_match {
    facet_arena *arena;
    const cli_texts *given;
    cli_batch_pattern *patterns; /* without braces, in small letters */
    size_t count, space;
    uint64_t *hits; /* of each that was given */
    uint64_t left_out, archives;
} cli_batch_match;

/* The exit status, and a message where it is not EXIT_DONE. */
int cli_batch_match_begin(cli_batch_match *match, facet_arena *arena, const cli_texts *given);
/* `below`: a path below the folder or archive that was named. */
bool cli_batch_wants(cli_batch_match *match, const cli_batch_origin *origin, const char *below);
/* Report patterns that matched nothing, and refuse a batch without any item. */
int cli_batch_match_end(const cli_batch_match *match, bool any);

/* -- Outputs that are inputs (batch_clash.c) ----------------------------- */

typedef struct cli_batch_folder {
    uint64_t key;     /* what those of its files begin with */
    uint64_t own_key; /* as a path */
    uint64_t archive; /* the file that it is in, or is: an archive with members; 0: none */
    bool there;
} cli_batch_folder;
typedef struct cli_batch_entry {
    uint32_t high, low; /* a hash of the path; the lowest bit is 0 of an output */
    uint32_t item;
} cli_batch_entry;
#define CLI_BATCH_ELSEWHERE UINT32_MAX /* an item of another shard */
/* What all items read and write. */
typedef struct cli_batch_paths {
    facet_arena *arena;
    facet_names folders; /* as items name them */
    cli_batch_folder *resolved;
    size_t space;
    cli_batch_entry *entries;
    size_t count, entry_space;
    uint64_t last_archive;
} cli_batch_paths;

typedef struct cli_batch_items {
    facet_arena *arena;
    cli_batch_item *items;
    size_t count, space;
    uint64_t elsewhere; /* items of other shards */
    facet_table ids;    /* the number of an id is that of its item */
    facet_name wanted;  /* the id that is looked for: the item `count` */
    bool remembers;     /* lines are of items that are not known yet (stream.h) */
    cli_batch_paths paths;
    cli_batch_match match;
} cli_batch_items;

/* Keep what an item reads and writes; `out` may be NULL. False without memory. */
bool cli_batch_paths_note(cli_batch_paths *paths, size_t item, const char *in, const char *out,
                          bool packs);
/* Keep another output of it. */
bool cli_batch_paths_note_out(cli_batch_paths *paths, size_t item, const char *out, bool packs);
/* Refuse an output that is an input, or another's output. An exit status. From here on no
 * more are noted. */
int cli_batch_refuse_clashes(cli_batch_items *items);
/* The same of an item that names a link. */
int cli_batch_refuse_link(cli_batch_items *items, const cli_batch_item *item, bool in_is_link);
/* True of a path, or a link, to what an item reads or writes, or only writes. */
bool cli_batch_paths_have(cli_batch_paths *paths, const char *path, bool outs_only);
/* True of two paths of one file, also of one that is not there yet. */
bool cli_batch_paths_are_same(cli_batch_paths *paths, const char *a, const char *b);
/* True of a path into a file, an archive. */
bool cli_batch_paths_in_file(cli_batch_paths *paths, const char *path);
void cli_batch_paths_free(cli_batch_paths *paths);

/* Keep the items of a shard, when those of all have been read (balance.c). An exit status. */
int cli_batch_balance(cli_batch_items *items, const cli_batch_shard *shard);
/* An exit status, and a message when it is not EXIT_DONE. Release either way. */
int cli_batch_items_read(const cli_batch_origin *origin, cli_batch_items *items);
void cli_batch_items_free(cli_batch_items *items);
/* What an item has besides what was given: its id, its output, copies in the arena; `where` is
 * for messages. An exit status. */
int cli_batch_item_complete(facet_arena *arena, const cli_batch_origin *origin, const char *where,
                            cli_batch_item *item, size_t below);
/* The number of the item of an id, or UINT32_MAX. */
uint32_t cli_batch_items_find(cli_batch_items *items, const char *id, size_t length);
/* The same, where the item `count` is about to be added: its number when the id is new; UINT32_MAX
 * without memory. */
uint32_t cli_batch_items_put(cli_batch_items *items, const char *id, size_t length);
/* The item of an id, made when there is none: of a stream only what is known of earlier runs is
 * kept. NULL without memory. */
cli_batch_item *cli_batch_items_remember(cli_batch_items *items, const char *id, size_t length);

/* The exit status of a worker that has no memory for a request. */
enum { CLI_BATCH_WORKER_LACKS_MEMORY = 71 };
/* That of a worker whose input was cut short while it was read. */
enum { CLI_BATCH_WORKER_LOST_INPUT = 72 };

/* -- Names (batch_names.c) ----------------------------------------------- */

/* Expand {id}, {dir}, {name}, {stem} and {ext}; `below` is how much of `in` is the
 * folder that it was found in. NULL without memory. */
char *cli_batch_expand(facet_arena *arena, const char *template, const char *id, const char *in,
                       size_t below);
/* False, and a message, when a template has other names in it. */
bool cli_batch_template_suits(const char *option, const char *template);
/* "3/16", "auto", "auto/16". An exit status. */
int cli_batch_shard_parse(const char *text, cli_batch_shard *shard);
/* The first 8 bytes of the SHA-256 of an id, big-endian. */
uint64_t cli_batch_number_of(const char *id);
bool cli_batch_shard_has(const cli_batch_shard *shard, const char *id);

/* -- One item (batch_item.c) --------------------------------------------- */

/* Put one item through the command: its line as JSON. NULL when it was canceled,
 * or without memory. */
facet_json *cli_batch_run_item(const cli_batch_job *job, const cli_batch_item *item,
                               cli_record *record);
/* Parts of that, for a record that has begun. Run a command alone, and write what it prints as
 * JSON to the item's output. An exit status. */
int cli_batch_run_command(const cli_batch_job *job, const cli_batch_item *item, cli_record *record);
/* Write an output, or an object to one. An exit status. */
int cli_batch_write_bytes(const char *out, const void *bytes, size_t size, cli_record *record);
int cli_batch_write_json(const char *out, const facet_json *object, cli_record *record);
/* True of a path with a scheme, "s3://...": it is not a file. */
bool cli_batch_is_url(const char *path);
/* A line for an item that nothing can be said of but this. */
facet_json *cli_batch_line(const cli_batch_item *item, const char *status, const char *code,
                           bool retry, const char *sentence);
/* The line of an item whose outputs, which the record has, are copies of those that the line
 * `first` is about. Takes `sides` over. */
facet_json *cli_batch_copied_line(const cli_batch_job *job, const cli_batch_item *item,
                                  const facet_json *first, facet_json *sides, cli_record *record);
/* Add the columns of the manifest. */
void cli_batch_add_columns(facet_json *line, const cli_batch_item *item);
/* Add what the item is, for --resume: the hashes of its input, which may be in `kept` (or NULL),
 * and of its options. */
void cli_batch_identify(facet_json *line, const cli_batch_job *job, const cli_batch_item *item,
                        cli_kept_archive *kept);
/* What is to be done about an item that an earlier run has a line of. */
typedef enum cli_batch_verdict {
    CLI_BATCH_RUN,    /* there is none, or files, options or version are others now */
    CLI_BATCH_RETRY,  /* it failed, and another attempt may help */
    CLI_BATCH_FAILED, /* it failed, and will again */
    CLI_BATCH_DONE
} cli_batch_verdict;
/* An archive that threads look into, one at once. */
typedef struct cli_shared_archive {
    pthread_mutex_t mutex;
    cli_kept_archive kept;
} cli_shared_archive;
/* How far a line of an earlier run is believed. */
typedef enum cli_batch_trust {
    CLI_BATCH_QUICK,  /* inputs have their sizes and times, and outputs their sizes */
    CLI_BATCH_SIZES,  /* inputs have their SHA-256, and outputs their sizes */
    CLI_BATCH_SUMS,   /* outputs have their SHA-256 */
    CLI_BATCH_TRUSTED /* files are not looked at */
} cli_batch_trust;
cli_batch_verdict cli_batch_review(const cli_batch_job *job, const cli_batch_item *item,
                                   const cli_tar *tar, cli_batch_trust trust,
                                   cli_shared_archive *shared);
/* Make the folders on the way to a path. False, and errno. */
bool cli_batch_make_folders(const char *path);
/* Remove what a process that ended left half-written. */
void cli_batch_remove_leftovers(const cli_batch_item *item, long process);

/* -- Results (batch_results.c) ------------------------------------------- */

/* What lines say, counted. */
typedef struct cli_batch_counts {
    uint64_t ok, skipped, failed; /* failed: all others */
    uint64_t filtered;            /* of those skipped: by a condition */
    uint64_t again;               /* of those failed: another attempt may help */
    uint64_t bytes;               /* of inputs */
} cli_batch_counts;

typedef struct cli_results {
    int descriptor;
    const char *path;
    char *header; /* written before the first line, and freed; NULL: none */
    bool created; /* it was not there */
    bool sync;    /* outputs reach the disk before their lines do */
    cli_tar tar;  /* of the outputs, if they go into one */
    pthread_mutex_t flushing, mutex;
    /* Lines that wait for their outputs, and the paths of those, NUL after each, or
     * the outputs themselves. */
    cli_tar_bytes packed;
    char *lines, *paths;
    size_t line_bytes, line_space, path_bytes, path_space;
    size_t waiting; /* lines */
    bool failed;    /* a line could not be written */
    int fault;      /* errno of that, or 0 */
    cli_batch_counts counts;
} cli_results;

/* The line before those of a run; to be freed. NULL without memory. */
char *cli_batch_header(const cli_batch_job *job, const cli_batch_shard *shard);
bool cli_batch_is_header(const char *text, size_t length);

/* Open or create; "-" is standard output. An exit status. */
int cli_results_open(cli_results *results, const char *path, bool sync);
/* Add a line, and its outputs where they go into a tar (else NULL); takes the line
 * over. Any thread. */
void cli_results_add(cli_results *results, facet_json *line, const cli_tar_bytes *packed);
/* Bring outputs to the disk, then append the lines of theirs. Any thread. */
void cli_results_flush(cli_results *results);
/* Flush and close. False when lines are lost. */
bool cli_results_close(cli_results *results);

/* Which of several lines of one id counts: that of the last run; of two of the same, as when
 * a task ran twice, the one that went well. */
typedef struct cli_batch_rank {
    unsigned run;
    bool good;
} cli_batch_rank;
cli_batch_rank cli_batch_rank_of(const cli_line *line);
/* True also when they are equal: then the later one counts. */
bool cli_batch_outranks(cli_batch_rank a, cli_batch_rank b);
/* Lines that were looked at need not stay in memory; they can be looked at again. */
void cli_results_forget(const facet_file *file);
/* Each line that is not empty, until `each` returns false; their pages need not stay in memory.
 * False when it did. */
bool cli_results_each_line(const facet_file *file,
                           bool (*each)(void *user, const char *line, size_t length), void *user);
/* Find what earlier runs wrote about the items in a file of results, and how much
 * of the tar it tells of. */
void cli_results_match(const facet_file *file, cli_batch_items *items, cli_tar *tar);

/* -- Running ------------------------------------------------------------- */

/* How items run, in this order. */
typedef enum cli_batch_way {
    CLI_BATCH_THREADS,
    CLI_BATCH_PROCESSES, /* by what may crash, and those that a run ended with */
    CLI_BATCH_ALONE,     /* a process for each, one at once: those that two runs ended with */
    CLI_BATCH_COPIES,    /* by threads: equal to one of those (dedup.h) */
    CLI_BATCH_WAYS
} cli_batch_way;

typedef struct cli_batch {
    const cli_batch_job *job;
    cli_batch_shard shard;
    cli_batch_items items;
    size_t *order; /* indices of the items to run */
    size_t todo;   /* the end, in it, of those to run now */
    size_t ends[CLI_BATCH_WAYS];
    int journal;                        /* a descriptor; -1: none */
    struct cli_batch_suspect *suspects; /* that the last run ended with, by their keys */
    size_t suspect_count;
    struct cli_claim *claim;   /* that the items are of; NULL: none */
    struct cli_dedup *dedup;   /* NULL: equal items are converted, too */
    struct cli_stream *stream; /* NULL: all items are known */
    facet_file *earlier;       /* results that items of a stream point into, or NULL */
    cli_results results;
    const char *program;           /* this one, for processes of its own */
    const cli_hook *fetch, *store; /* of each item; NULL: none */
    char *folder;                  /* where items are between them */
    unsigned jobs, attempts;
    uint64_t most_failures; /* 0: any number */
    /* Processes. */
    double timeout;   /* seconds; 0: none */
    unsigned memory;  /* MiB that an item may use; 0: no limit */
    unsigned recycle; /* items after which a process is replaced */
    double grace;     /* seconds to finish items in after SIGTERM */
    struct cli_progress *progress;
    bool isolate;        /* all items run in processes */
    bool dedups;         /* equal items are looked for */
    bool copies;         /* those that run now have equals */
    atomic_size_t next;  /* into order */
    atomic_bool stop;    /* begin no more items */
    atomic_bool cancel;  /* drop those that run */
    atomic_bool faulted; /* stopped: the system is at fault */
} cli_batch;

/* Which items are at work (batch_journal.c). */
void cli_batch_journal_name(const char *results, char path[FACET_PATH_MAX]);
/* Look up which ones the last run ended with. */
void cli_batch_journal_open(cli_batch *batch, const char *results);
/* How many runs ended while an item was at work. */
unsigned cli_batch_journal_deaths(const cli_batch *batch, const cli_batch_item *item);
/* Slots count from 0 to `jobs`. */
void cli_batch_journal_begin(const cli_batch *batch, unsigned slot, cli_batch_item *item);
/* After a run that ended in order. */
void cli_batch_journal_close(cli_batch *batch, const char *results);
/* Stop: not an item but the system is at fault, and running it again may help. */
void cli_batch_stop_for_system(cli_batch *batch, const char *sentence);

/* What earlier runs mean to this one (batch_plan.c). */
typedef struct cli_batch_policy {
    bool retry_failed, trust, verify, quick, skip_existing;
} cli_batch_policy;
/* Look up what the file of results says about the items, and clean up after runs
 * that were killed. An exit status. */
int cli_batch_match_earlier(cli_batch *batch, const char *path, const cli_batch_policy *policy);
/* Decide what an earlier line means to an item, of which `tar` may have the outputs; any thread. */
void cli_batch_judge(const cli_batch *batch, const cli_tar *tar, const cli_batch_policy *policy,
                     cli_batch_item *item, cli_shared_archive *shared);
/* Put the items that are left into an order. An exit status. */
int cli_batch_plan(cli_batch *batch, const cli_batch_policy *policy);

/* The request that gives an item to a process, a line to be freed; NULL without memory. `sample`:
 * that the item is in, or NULL; `follows`: its bytes come after the request. */
char *cli_batch_make_request(const cli_batch_job *job, const cli_batch_item *item,
                             const cli_tar_bytes *sample, bool follows);

/* By threads of this process, and by processes. `descriptor` is that of
 * cli_batch_catch_signals. An exit status. */
int cli_batch_run(cli_batch *batch, int descriptor);
int cli_batch_isolate(cli_batch *batch, int descriptor);
/* The next item, or NULL. */
cli_batch_item *cli_batch_take(cli_batch *batch);
/* Count a line and write it; `packed` as in cli_results_add. Any thread. */
void cli_batch_finish(cli_batch *batch, facet_json *line, const cli_tar_bytes *packed);

/* What tells a batch to stop: SIGTERM, SIGINT and SIGHUP. */
sigset_t cli_batch_stopping_signals(void);
/* Those from here on wake the descriptor that is returned
 * and are counted; -1 when it cannot be made. */
int cli_batch_catch_signals(void);
/* How many came. Empties the descriptor. */
unsigned cli_batch_signals(void);
/* Wake the descriptor. Any thread. */
void cli_batch_wake(void);

/* -- Progress (batch_progress.c) ----------------------------------------- */

typedef enum cli_progress_kind {
    CLI_PROGRESS_AUTO, /* a bar on a terminal, else lines */
    CLI_PROGRESS_BAR,
    CLI_PROGRESS_LINES, /* one a minute */
    CLI_PROGRESS_JSON,  /* one a second */
    CLI_PROGRESS_NONE
} cli_progress_kind;

typedef struct cli_progress {
    cli_progress_kind kind;
    uint64_t total; /* items to run */
    double began, said;
} cli_progress;

void cli_progress_begin(cli_progress *progress, cli_progress_kind kind, bool quiet, uint64_t total);
/* Say how far it is, when it is time to. */
void cli_progress_tick(cli_progress *progress, const cli_batch_counts *counts);
void cli_progress_end(cli_progress *progress);
/* Seconds since some moment. */
double cli_seconds(void);

#endif
