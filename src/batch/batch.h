/* batch/batch.h - facet batch: one command, run on many items.
 *
 *   - items.c       read items from manifests, lists and folders.
 *   - ids.c         find the item with an id.
 *   - match.c       choose the files of folders that are items.
 *   - split.c       split a streamed tar into samples.
 *   - stream.c      read the items of shards that can be read only once.
 *   - names.c       expand templates of names; find the shard of an item.
 *   - balance.c     distribute items to shards of about equal bytes.
 *   - identify.c    hash files and options.
 *   - line.c        read a line of results.
 *   - lines.c       read many lines by several threads.
 *   - check_line.c  check whether an earlier line is still valid.
 *   - item.c        run the command on one item, and create its line of JSON.
 *   - shell_words.c split --also, --fetch and --store into words.
 *   - hook.c        run the commands that fetch inputs and store outputs.
 *   - watchdog.c    end these commands if the batch is killed.
 *   - hooked_item.c hold the files of an item between two hooks.
 *   - command.c     run one command on one item.
 *   - products.c    run further commands on the same item.
 *   - filter.c      check conditions on items.
 *   - claim.c       claim shards from a folder.
 *   - dedup.c       find items of equal content.
 *   - clash.c       find outputs that are inputs.
 *   - plan.c        choose the remaining items, and sort them.
 *   - journal.c     record the items in progress.
 *   - header_line.c create the header line of a run.
 *   - results.c     write lines, and read them to resume.
 *   - tar_file.c    append outputs to one tar.
 *   - run.c         run all items in threads of this process.
 *   - request.c     read requests in a worker process.
 *   - worker.c      implement facet worker, a worker process.
 *   - isolate.c     run all items in processes that may crash.
 *   - progress.c    report the progress.
 *   - report.c      implement facet batch report.
 *   - batch.c       implement the command. */
#ifndef FACET_CLI_BATCH_H
#define FACET_CLI_BATCH_H

#include "base/atomic.h"
#include "base/table.h"
#include "batch/claim.h"
#include "batch/hook.h"
#include "batch/line.h"
#include "batch/tar_file.h"
#include "cli/record.h"

#include <pthread.h>
#include <signal.h>

/* -- The command that runs on each item ---------------------------------- */

/* A further output of each item (products.h). */
typedef struct cli_batch_product {
    const cli_command *command; /* NULL: write the line of the item */
    int count;                  /* number of options */
    char **words;
    const char *out; /* template of its path */
    char *text;      /* memory that `words` points into */
    const char *given;
} cli_batch_product;

/* A condition of --filter (filter.h). */
typedef struct cli_batch_condition {
    const char *given;
    const struct number *number;
    const cli_command *command; /* command that reports the number; NULL: the size of the file */
    const char *operator;
    double limit;
} cli_batch_condition;

typedef struct cli_batch_job {
    const cli_command *command;
    int count; /* number of its options */
    char **words;
    char options[17]; /* hash of the command and its options, and of those of the products */
    cli_batch_product *also;
    size_t also_count;
    cli_batch_condition *filters;
    size_t filter_count;
    unsigned memory_limit; /* MiB, of the command's --memory-limit; 0: half of the machine's */
    bool fetches, stores;  /* inputs, or outputs, are not local files: do not check them */
} cli_batch_job;

/* Split a text into words as a shell does: quotes and backslashes keep blanks. The number of words,
 * or -1 if a quote is not closed. `words` has space for one word per two bytes of text. */
int cli_batch_split_words(char *text, char **words);
/* Command with a name that items can be run with; NULL: not found. */
const cli_command *cli_batch_find_command(const cli_arguments *arguments, const char *name);
/* Choose the command from the words after "--" (default: convert). An exit status. */
int cli_batch_choose_job(const cli_arguments *arguments, const cli_texts *also,
                         const cli_texts *filters, cli_batch_job *job);
void cli_batch_job_free(cli_batch_job *job);

/* -- Items (items.c) ----------------------------------------------------- */

/* Members that few items need. */
typedef struct cli_batch_more {
    char *const *words;  /* options of this item only */
    char *const *also;   /* outputs of the job's products */
    const char *sha256;  /* required SHA-256 of the input; NULL: any */
    const char *columns; /* JSON of further manifest columns, copied into the line; NULL: none */
    size_t also_count;
    int word_count;
} cli_batch_more;

/* A batch has millions of items: the order of the members avoids padding. */
typedef struct cli_batch_item {
    const char *id, *in, *out;  /* out: NULL if the item has no output */
    const cli_batch_more *more; /* NULL: all members are empty */
    /* Line that an earlier run wrote about the item, in a mapped file; NULL: no such line. */
    const char *line;
    uint64_t bytes;  /* size of the input, if known */
    int64_t changed; /* last change of the input, in ns; 0: not known */
    uint32_t line_length;
    uint32_t in_archive; /* length of the archive in `in`; 0: a plain file, or not known yet */
    unsigned attempt;    /* 1 for the first attempt with these files, options and version */
    unsigned run;        /* 1 for the first run of this id */
    unsigned deaths;     /* number of runs that ended during this item */
    bool good : 1;       /* `line` reports success */
    bool named : 1;      /* the manifest names the output */
    bool begun : 1;      /* begun in this run */
    bool done : 1;       /* nothing is left to do */
    bool failed : 1;     /* failed permanently in an earlier run */
    bool endless : 1;    /* a pipe, a socket or a device: reading may never end */
    bool risky : 1;      /* it may crash, or must not run in this process */
    bool apart : 1;      /* equal to another item, but must run in a separate process */
} cli_batch_item;

static inline const cli_batch_more *cli_batch_more_of(const cli_batch_item *item)
{
    static const cli_batch_more none;
    return item->more ? item->more : &none;
}

typedef struct cli_batch_shard {
    uint64_t index, count; /* 0 of 1: all items */
} cli_batch_shard;

/* Kinds of files that a folder yields without --match. */
typedef enum cli_batch_takes {
    CLI_BATCH_TAKES_ALL, /* every file that can be read */
    CLI_BATCH_TAKES_MODELS,
    CLI_BATCH_TAKES_AS_OUT /* images if the output is an image, else models */
} cli_batch_takes;

/* Source of the items. */
typedef struct cli_batch_origin {
    const char *manifest, *list; /* path of the list, or NULL */
    bool null;                   /* names in the list end with a NUL byte */
    int count;
    char **paths;    /* files and folders */
    cli_texts match; /* patterns of --match for names in folders */
    cli_batch_takes takes;
    const char *out;          /* template of outputs; NULL: none */
    bool wants_out;           /* the command needs an output */
    bool packs;               /* outputs are written to a tar */
    const cli_batch_job *job; /* NULL: print a report */
    const cli_hook *fetch;    /* hook that prints a shard; NULL: shards are files */
    bool streams;             /* the paths are shards that can be read only once (stream.h) */
    cli_batch_shard shard;
    bool balances;         /* keep the items of all shards, for cli_batch_balance */
    bool may_be_empty;     /* one of many shards, which may have no items */
    uint64_t memory_limit; /* of the lists, in bytes; 0: none */
    unsigned threads;      /* that read a manifest; 0: one per processor */
} cli_batch_origin;

/* -- Files of folders (match.c) ------------------------------------------ */

typedef struct cli_batch_pattern {
    char *text;
    unsigned given; /* index of its --match option */
} cli_batch_pattern;
typedef struct cli_batch_match {
    facet_arena *arena;
    const cli_texts *given;
    cli_batch_pattern *patterns; /* without braces, in lower case */
    size_t count, space;
    uint64_t *hits; /* for each --match option */
    uint64_t left_out, archives;
} cli_batch_match;

/* An exit status, and a message if it is not EXIT_DONE. */
int cli_batch_match_begin(cli_batch_match *match, facet_arena *arena, const cli_texts *given);
/* True if an item exists for the file `below`, a path relative to the folder or archive. */
bool cli_batch_wants(cli_batch_match *match, const cli_batch_origin *origin, const char *below);
/* The same for a file that does not exist yet. */
bool cli_batch_would_want(const cli_batch_match *match, const cli_batch_origin *origin,
                          const char *below);
/* Report patterns without a match, and reject a batch without items. */
int cli_batch_match_end(const cli_batch_match *match, bool any);

/* -- Outputs that are inputs (clash.c) ----------------------------------- */

typedef struct cli_batch_folder {
    uint64_t key;     /* hash of the start of its files' paths */
    uint64_t own_key; /* hash of its path */
    uint64_t archive; /* hash of the file that it is in or is, such as an archive; 0: none */
    bool there;
} cli_batch_folder;
typedef struct cli_batch_entry {
    uint32_t high, low; /* hash of the path; the lowest bit is 0 for an output */
    uint32_t item;
} cli_batch_entry;
#define CLI_BATCH_ELSEWHERE UINT32_MAX /* an item of another shard */
/* Paths that all items read and write. */
typedef struct cli_batch_paths {
    facet_arena *arena;
    facet_names folders; /* as the items name them */
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
    facet_table ids;    /* value: index of the item */
    facet_name wanted;  /* id to find, as if of item `count` */
    bool remembers;     /* remember lines of items that are not known yet (stream.h) */
    cli_batch_paths paths;
    cli_batch_match match;
} cli_batch_items;

/* Store the paths that an item reads and writes; `out` may be NULL. False if out of memory. */
bool cli_batch_paths_note(cli_batch_paths *paths, size_t item, const char *in, const char *out,
                          bool packs);
/* Store a further output of the item. */
bool cli_batch_paths_note_out(cli_batch_paths *paths, size_t item, const char *out, bool packs);
/* Reject an output that is also an input or the output of another item. An exit status. Store no
 * more paths after this call. */
int cli_batch_check_conflicts(cli_batch_items *items);
/* Do the same for an item that names a link. */
int cli_batch_check_link(cli_batch_items *items, const cli_batch_item *item, bool in_is_link);
/* True if a path, or the target of a link, is read or written by an item; `outs_only`: only
 * written. */
bool cli_batch_paths_have(cli_batch_paths *paths, const char *path, bool outs_only);
/* Id of another item than `id` that reads or writes a path; NULL: none. `packs`: the path is a name
 * in a tar. Call cli_batch_check_conflicts before. */
const char *cli_batch_paths_owner(cli_batch_items *items, const char *path, const char *id,
                                  bool packs);
/* True if two paths lead to the same file, even if it does not exist yet. */
bool cli_batch_paths_are_same(cli_batch_paths *paths, const char *a, const char *b);
/* True if a path leads into a file, such as an archive. */
bool cli_batch_paths_in_file(cli_batch_paths *paths, const char *path);
void cli_batch_paths_free(cli_batch_paths *paths);

/* Keep only the items of one shard, after the items of all shards were read (balance.c). An exit
 * status. */
int cli_batch_balance(cli_batch_items *items, const cli_batch_shard *shard);
/* An exit status, and a message if it is not EXIT_DONE. Release the items either way. */
int cli_batch_items_read(const cli_batch_origin *origin, cli_batch_items *items);
void cli_batch_items_free(cli_batch_items *items);
/* Fill in the missing members of an item, its id and output, as copies in the arena; `where` is for
 * messages. An exit status. */
int cli_batch_item_complete(facet_arena *arena, const cli_batch_origin *origin, const char *where,
                            cli_batch_item *item, size_t below);
/* Index of the item with an id, or UINT32_MAX. */
uint32_t cli_batch_items_find(cli_batch_items *items, const char *id, size_t length);
/* Add an id for the item `count`. Index of the id's item: `count` if the id is new; UINT32_MAX if
 * out of memory. */
uint32_t cli_batch_items_put(cli_batch_items *items, const char *id, size_t length);
/* Item with an id, created if it is missing: for a stream, only facts about earlier runs are
 * stored. NULL if out of memory. */
cli_batch_item *cli_batch_items_remember(cli_batch_items *items, const char *id, size_t length);

/* Exit status of a worker that lacks memory for a request. */
enum { CLI_BATCH_WORKER_LACKS_MEMORY = 71 };
/* Exit status of a worker whose input was cut short while it was read. */
enum { CLI_BATCH_WORKER_LOST_INPUT = 72 };

/* -- Names (names.c) ----------------------------------------------------- */

/* Set a template for mkstemp and mkdtemp, in the folder for temporary files. */
void cli_temporary_template(char path[FACET_PATH_MAX]);

/* Expand {id}, {dir}, {name}, {stem} and {ext}; `below` is the length of the folder's path at the
 * start of `in`. NULL if out of memory. */
char *cli_batch_expand(facet_arena *arena, const char *template, const char *id, const char *in,
                       size_t below);
/* False, and a message, if a template has other names. */
bool cli_batch_template_suits(const char *option, const char *template);
/* Parse "3/16", "auto" or "auto/16". An exit status. */
int cli_batch_shard_parse(const char *text, cli_batch_shard *shard);
/* The first 8 bytes of the SHA-256 of an id, as a big-endian number. */
uint64_t cli_batch_number_of(const char *id);
/* True if a file would be the same for all shards, or if it is needed but not given. */
bool cli_batch_lacks_shard(const char *template, bool needed);
/* Expand {shard} in the name of the results or of the tar. False if the name is too long. */
bool cli_batch_name_file(const char *template, const char *shard, char *path, size_t space);
/* The name of a shard's file up to its first dot. */
facet_name cli_batch_name_of_shard(const char *path);
/* Reject shards with the same name: they would have the same tar. An exit status. */
int cli_batch_check_shard_names(char *const *paths, int count);
bool cli_batch_shard_has(const cli_batch_shard *shard, const char *id);

/* -- One item (item.c) --------------------------------------------------- */

/* Run the command on one item. Its line as JSON; NULL if it was canceled or out of memory. */
facet_json *cli_batch_run_item(const cli_batch_job *job, const cli_batch_item *item,
                               cli_record *record);
/* Parts of cli_batch_run_item, for a record that has begun. Run only the command, and write the
 * JSON that it prints to the item's output. An exit status. */
int cli_batch_run_command(const cli_batch_job *job, const cli_batch_item *item, cli_record *record);
/* Write bytes, or a JSON object, to an output. An exit status. */
int cli_batch_write_bytes(const char *out, const void *bytes, size_t size, cli_record *record);
int cli_batch_write_json(const char *out, const facet_json *object, cli_record *record);
/* True if a path has a scheme, as in "s3://...": it is not a local file. */
bool cli_batch_is_url(const char *path);
/* Line of an item with only a status and an error. */
facet_json *cli_batch_line(const cli_batch_item *item, const char *status, const char *code,
                           bool retry, const char *sentence);
/* Line of an item whose outputs, listed in the record, are copies of the outputs in the line
 * `first`. Takes ownership of `sides`. */
facet_json *cli_batch_copied_line(const cli_batch_job *job, const cli_batch_item *item,
                                  const facet_json *first, facet_json *sides, cli_record *record);
/* Add the columns of the manifest. */
void cli_batch_add_columns(facet_json *line, const cli_batch_item *item);
/* Add the hashes that --resume compares: of the input, which may be in `kept` (or NULL), and of the
 * options. */
void cli_batch_identify(facet_json *line, const cli_batch_job *job, const cli_batch_item *item,
                        cli_kept_archive *kept);
/* Action for an item that has a line from an earlier run. */
typedef enum cli_batch_verdict {
    CLI_BATCH_RUN,    /* no line, or the files, options or version changed */
    CLI_BATCH_RETRY,  /* failed, and another attempt may help */
    CLI_BATCH_FAILED, /* failed, and will fail again */
    CLI_BATCH_DONE
} cli_batch_verdict;
/* An archive that threads read, one at a time. */
typedef struct cli_shared_archive {
    pthread_mutex_t mutex;
    cli_kept_archive kept;
    bool in_memory; /* `kept` is a sample, which stays the same; set before threads use it */
} cli_shared_archive;
/* Checks that decide whether a line of an earlier run is still valid. */
typedef enum cli_batch_trust {
    CLI_BATCH_QUICK,  /* sizes and times of inputs, sizes of outputs */
    CLI_BATCH_SIZES,  /* SHA-256 of inputs, sizes of outputs */
    CLI_BATCH_SUMS,   /* also SHA-256 of outputs */
    CLI_BATCH_TRUSTED /* no checks of files */
} cli_batch_trust;
cli_batch_verdict cli_batch_check_line(const cli_batch_job *job, const cli_batch_item *item,
                                       const cli_tar *tar, cli_batch_trust trust,
                                       cli_shared_archive *shared);
/* Create the parent folders of a path. False, and errno. */
bool cli_batch_make_folders(const char *path);
/* Remove incomplete files of a process that ended. */
void cli_batch_remove_leftovers(const cli_batch_item *item, long process);

/* -- Results (results.c) ------------------------------------------------- */

/* Sums over the lines of results. */
typedef struct cli_batch_counts {
    uint64_t ok, skipped, failed; /* failed: neither ok nor skipped */
    uint64_t filtered;            /* skipped by a condition of --filter */
    uint64_t again;               /* failed, but another attempt may help */
    uint64_t bytes;               /* size of all inputs */
} cli_batch_counts;

typedef struct cli_results {
    int descriptor;
    const char *path;
    char *header; /* line to write before the first one, owned; NULL: none */
    bool created; /* the file did not exist before */
    bool sync;    /* write outputs to disk before their lines */
    cli_tar tar;  /* tar that the outputs are appended to, if any */
    pthread_mutex_t flushing, mutex;
    /* Lines that wait for their outputs. The paths of the outputs, each with a NUL, or the outputs
     * themselves. */
    cli_tar_bytes packed;
    char *lines, *paths;
    size_t line_bytes, line_space, path_bytes, path_space;
    size_t waiting; /* number of waiting lines */
    bool failed;    /* a line could not be written */
    int fault;      /* errno of the failed write, or 0 */
    cli_batch_counts counts;
    cli_batch_counts unwritten; /* the part of `counts` whose lines wait */
} cli_results;

/* The header line of a run; the caller frees it. NULL if out of memory. */
char *cli_batch_header(const cli_batch_job *job, const cli_batch_shard *shard);
bool cli_batch_is_header(const char *text, size_t length);

/* Open or create a file of results; "-" is standard output. An exit status. */
int cli_results_open(cli_results *results, const char *path, bool sync);
/* Add a line, and its outputs if they are written to a tar (else NULL). Takes ownership of the
 * line. Any thread. */
void cli_results_add(cli_results *results, facet_json *line, const cli_tar_bytes *packed);
/* Write outputs to disk, then append their lines. Any thread. */
void cli_results_flush(cli_results *results);
/* Flush and close. False if lines are lost. */
bool cli_results_close(cli_results *results);

/* Order of the lines of one id. The line of the last run counts. Within a run, as when a task ran
 * twice, the line of the successful attempt counts. */
typedef struct cli_batch_rank {
    unsigned run;
    bool good;
} cli_batch_rank;
cli_batch_rank cli_batch_rank_of(const cli_line *line);
/* True also if they are equal: the later line counts. */
bool cli_batch_outranks(cli_batch_rank a, cli_batch_rank b);
/* Release the memory pages of lines that were read; they can be read again. */
void cli_results_forget(const facet_file *file);
/* Call `take` for each line that is not empty and not a header, in order, until it returns false;
 * `line` is NULL if the line is truncated. Several threads scan the lines. False if `take` returned
 * false, or if out of memory. */
bool cli_results_each_line(const facet_file *file, unsigned threads,
                           bool (*take)(void *user, const cli_line *line, const char *text,
                                        size_t length),
                           void *user);
/* Find the lines that earlier runs wrote about the items in a file of results, and the length of
 * the tar that these lines cover. False if out of memory. */
bool cli_results_match(const facet_file *file, unsigned threads, cli_batch_items *items,
                       cli_tar *tar);

/* Check the number of items that may fail: "3", "0.5%"; NULL is 0. False, and a message, when it is
 * invalid. */
bool cli_batch_allowance_suits(const char *text);
bool cli_batch_allows(const char *text, uint64_t failed, uint64_t items);

/* -- Running ------------------------------------------------------------- */

/* Ways to run items, in this order. */
typedef enum cli_batch_way {
    CLI_BATCH_THREADS,
    CLI_BATCH_PROCESSES, /* in processes: items that may crash, or during which a run ended */
    CLI_BATCH_ALONE,     /* one process each, one at a time: items during which two runs ended */
    CLI_BATCH_COPIES,    /* in threads: copies of items of the ways above (dedup.h) */
    CLI_BATCH_WAYS
} cli_batch_way;

typedef struct cli_batch {
    const cli_batch_job *job;
    cli_batch_shard shard;
    cli_batch_items items;
    size_t *order; /* indices of the items to run */
    size_t todo;   /* end, in `order`, of the items to run now */
    size_t ends[CLI_BATCH_WAYS];
    int journal;                        /* file descriptor; -1: none */
    struct cli_batch_suspect *suspects; /* items during which the last run ended, sorted by key */
    size_t suspect_count;
    struct cli_claim *claim;   /* claim on the shard of the items; NULL: none */
    bool may_be_empty;         /* one of many shards, which may have no items */
    struct cli_dedup *dedup;   /* NULL: convert equal items as well */
    struct cli_stream *stream; /* NULL: all items are known */
    facet_file *earlier;       /* results that items of a stream point into, or NULL */
    cli_results results;
    const char *program;           /* path of this program, to start worker processes */
    const cli_hook *fetch, *store; /* commands for each item; NULL: none */
    char *folder;                  /* holds the files of items between their hooks */
    unsigned jobs, attempts;
    uint64_t most_failures; /* 0: no limit */
    /* Members for processes. */
    double timeout;   /* seconds; 0: no limit */
    unsigned memory;  /* limit per item, in MiB; 0: no limit */
    unsigned recycle; /* number of items after which a process is replaced */
    double grace;     /* seconds to finish items after SIGTERM */
    struct cli_progress *progress;
    bool isolate;        /* run all items in processes */
    bool dedups;         /* find equal items */
    bool copies;         /* items that run now have copies */
    atomic_size_t next;  /* index into `order` */
    atomic_bool stop;    /* begin no more items */
    atomic_bool cancel;  /* drop the running items */
    atomic_bool faulted; /* stopped because of a system error */
} cli_batch;

/* Store the path of the journal, the file of the items in progress (journal.c). */
void cli_batch_journal_name(const char *results, char path[FACET_PATH_MAX]);
/* Open the journal, and read during which items the last run ended. */
void cli_batch_journal_open(cli_batch *batch, const char *results);
/* Number of runs that ended during an item. */
unsigned cli_batch_journal_deaths(const cli_batch *batch, const cli_batch_item *item);
/* Note that an item begins. Slots are 0 to `jobs`. */
void cli_batch_journal_begin(const cli_batch *batch, unsigned slot, cli_batch_item *item);
/* Remove the journal after a run that ended normally, or leave the items that wait. */
void cli_batch_journal_close(cli_batch *batch, const char *results);
/* Stop: the system, not an item, caused the error, and a later run may succeed. */
void cli_batch_stop_for_system(cli_batch *batch, const char *sentence);

/* Rules for the results of earlier runs (plan.c). */
typedef struct cli_batch_policy {
    bool retry_failed, trust, verify, quick, skip_existing;
} cli_batch_policy;
/* Match the lines of a file of results with the items, and clean up after runs that were killed. An
 * exit status. */
int cli_batch_match_earlier(cli_batch *batch, const char *path, const cli_batch_policy *policy);
/* Decide from an earlier line whether an item runs; `tar` may have its outputs. Any thread. */
void cli_batch_decide(const cli_batch *batch, const cli_tar *tar, const cli_batch_policy *policy,
                      cli_batch_item *item, cli_shared_archive *shared);
/* Sort the remaining items into the order in which they run. An exit status. */
int cli_batch_plan(cli_batch *batch, const cli_batch_policy *policy);

/* Run the items, by threads of this process or by processes. `descriptor` is from
 * cli_batch_catch_signals. An exit status. */
int cli_batch_run(cli_batch *batch, int descriptor);
int cli_batch_isolate(cli_batch *batch, int descriptor);
/* The next item, or NULL. */
cli_batch_item *cli_batch_take(cli_batch *batch);
/* Count and write a line; `packed` as in cli_results_add. Any thread. */
void cli_batch_finish(cli_batch *batch, facet_json *line, const cli_tar_bytes *packed);

/* Signals that stop a batch: SIGTERM, SIGINT and SIGHUP. */
sigset_t cli_batch_stopping_signals(void);
/* From this call on, count the stopping signals; each makes the returned descriptor readable. -1 if
 * the descriptor cannot be created. */
int cli_batch_catch_signals(void);
/* Number of stopping signals so far. Empties the descriptor. */
unsigned cli_batch_signals(void);
/* Make the descriptor readable. Any thread. */
void cli_batch_wake(void);

/* -- Progress (progress.c) ----------------------------------------------- */

typedef enum cli_progress_kind {
    CLI_PROGRESS_AUTO, /* a bar on a terminal, otherwise lines */
    CLI_PROGRESS_BAR,
    CLI_PROGRESS_LINES, /* one line per minute */
    CLI_PROGRESS_JSON,  /* one line per second */
    CLI_PROGRESS_NONE
} cli_progress_kind;

typedef struct cli_progress {
    cli_progress_kind kind;
    uint64_t total; /* number of items to run */
    double began, said;
} cli_progress;

void cli_progress_begin(cli_progress *progress, cli_progress_kind kind, bool quiet, uint64_t total);
/* Print the progress if an update is due. */
void cli_progress_tick(cli_progress *progress, const cli_batch_counts *counts);
void cli_progress_end(cli_progress *progress);
/* Seconds since an arbitrary moment. */
double cli_seconds(void);

#endif
