/* batch/batch.c - facet batch: one command on many files, in shards, resumable. */
#include "base/system.h"
#include "batch/dedup.h"
#include "batch/hooked_item.h"
#include "batch/products.h"
#include "batch/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct settings {
    const char *manifest, *list, *out, *shard, *results, *tar, *claim;
    const char *fetch, *store;
    cli_texts match, also, filters;
    const char *allow_failures;
    bool null, resume, isolate, stream, header, dedup;
    unsigned samples, part_items, part_size;
    cli_batch_policy policy;
    unsigned jobs, attempts, most_failures, memory, recycle, progress, sync, shard_by;
    double timeout, grace;
} settings;
static const cli_option_set own;

/* -- Choosing ----------------------------------------------------------- */

static int check_settings(const cli_arguments *arguments, const settings *s)
{
    bool named = s->manifest || s->list || arguments->count > 0;
    if (s->claim && (named || s->shard || cli_batch_lacks_shard(s->results, s->resume) ||
                     cli_batch_lacks_shard(s->tar, s->tar != NULL))) {
        cli_complain(NULL,
                     "--claim gets its shards from a folder: give no other items and no --shard; "
                     "--results (needed by --resume) and --output-tar need {shard} in their names");
        return EXIT_USAGE;
    }
    if (!named && !s->claim) {
        cli_complain(NULL,
                     "no items: name a --manifest, a --filelist, files or folders; see 'facet "
                     "batch --help'");
        return EXIT_USAGE;
    }
    if (s->tar && s->policy.skip_existing) {
        cli_complain(NULL, "--skip-existing looks for files; with an --output-tar use --resume");
        return EXIT_USAGE;
    }
    if (s->tar && strcmp(s->tar, "-") == 0 && (!s->results || strcmp(s->results, "-") == 0)) {
        cli_complain(NULL, "--output-tar - uses standard output; give --results a file");
        return EXIT_USAGE;
    }
    if (s->dedup && (s->stream || (s->tar && strcmp(s->tar, "-") == 0))) {
        cli_complain(
            NULL, "--dedup reads files again: it cannot be used with --stream or --output-tar -");
        return EXIT_USAGE;
    }
    int trusts = s->policy.verify + s->policy.trust + s->policy.quick;
    if (trusts > 1 || (trusts > 0 && !s->resume)) {
        cli_complain(NULL,
                     "--verify, --quick and --trust-results need --resume, and exclude each other");
        return EXIT_USAGE;
    }
    for (int i = 0; i < arguments->count && !s->stream; i++) {
        if (strcmp(arguments->words[i], "-") == 0) {
            cli_complain(NULL,
                         "'-' is a shard on standard input: add --stream; or give --manifest - or "
                         "--filelist -");
            return EXIT_USAGE;
        }
    }
    if (s->stream && (s->manifest || s->list || (arguments->count == 0 && !s->claim))) {
        cli_complain(NULL, "--stream takes shards, not --manifest or --filelist");
        return EXIT_USAGE;
    }
    const char *part = s->tar ? strstr(s->tar, "{part}") : NULL;
    bool parts = s->part_items > 0 || s->part_size > 0;
    if (parts != (part != NULL) || (part && strstr(part + 1, "{part}"))) {
        cli_complain(NULL,
                     "--part-size and --part-items need an --output-tar with one {part} in its "
                     "name, and {part} needs one of them");
        return EXIT_USAGE;
    }
    for (int i = 0; i < arguments->count && s->stream; i++) {
        /* If standard input is closed, facet_system_begin has opened it for writing only. */
        if (strcmp(arguments->words[i], "-") == 0 &&
            (fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_WRONLY) {
            cli_complain(NULL, "'-' is a shard on standard input, which is closed");
            return EXIT_USAGE;
        }
    }
    if (s->stream && (s->out || s->also.count > 0) && !s->tar) {
        cli_complain(NULL, "--stream needs an --output-tar for what --out and --also name");
        return EXIT_USAGE;
    }
    if (s->shard_by == 2 && (s->stream || !s->shard)) {
        cli_complain(NULL, s->stream
                               ? "--shard-by bytes needs the sizes of all items, which a --stream "
                                 "does not have"
                               : "--shard-by needs --shard I/N");
        return EXIT_USAGE;
    }
    if (!cli_batch_allowance_suits(s->allow_failures))
        return EXIT_USAGE;
    return !s->out || cli_batch_template_suits("out", s->out) ? EXIT_DONE : EXIT_USAGE;
}

static cli_batch_origin origin_of(const cli_arguments *arguments, const settings *s,
                                  const cli_batch_job *job, cli_batch_shard shard)
{
    return (cli_batch_origin){
        .manifest = s->manifest,
        .list = s->list,
        .null = s->null,
        .count = arguments->count,
        .paths = arguments->words,
        .match = s->match,
        .out = s->out,
        .wants_out = job->command->items == CLI_ITEMS_IN_OUT,
        .packs = s->tar != NULL,
        .job = job,
        .takes = strcmp(job->command->name, "convert") == 0  ? CLI_BATCH_TAKES_AS_OUT
                 : strcmp(job->command->name, "render") == 0 ? CLI_BATCH_TAKES_MODELS
                                                             : CLI_BATCH_TAKES_ALL,
        .shard = shard,
        .streams = s->stream,
        .balances = s->shard_by == 2,
        .memory_limit = arguments->memory_limit,
        .threads = s->jobs,
    };
}

/* -- Result of the batch ------------------------------------------------- */

static int conclude(const cli_batch *batch, const char *allowed, double began)
{
    const cli_batch_counts *counts = &batch->results.counts;
    uint64_t done = 0, failed = counts->failed;
    for (size_t i = 0; i < batch->items.count; i++) {
        failed += batch->items.items[i].failed;
        done += batch->items.items[i].done && !batch->items.items[i].failed;
    }
    uint64_t now = counts->ok + counts->skipped + counts->failed, items = batch->items.count;
    cli_stream_counts streamed = {.whole = true};
    if (batch->stream) {
        streamed = cli_stream_end(batch->stream);
        items = streamed.items;
        done = streamed.done;
        failed += streamed.failed;
    }
    uint64_t skipped = counts->skipped - counts->filtered; /* they are also counted as done */
    uint64_t left = items - (now - skipped) - done - (failed - counts->failed);
    char filtered[40] = "";
    if (counts->filtered > 0)
        snprintf(filtered, sizeof filtered, "%llu filtered, ",
                 (unsigned long long)counts->filtered);
    cli_remark(NULL, "%llu ok, %s%llu done before, %llu failed, %llu left; %.1f s",
               (unsigned long long)counts->ok, filtered, (unsigned long long)done,
               (unsigned long long)failed, (unsigned long long)left, cli_seconds() - began);
    if (streamed.result != EXIT_DONE)
        return streamed.result;
    if (!streamed.whole) {
        cli_remark(NULL, "some shards were not read completely: more items may be left");
        left++;
    } else if (batch->stream) {
        /* One of many shards may have no item. */
        bool any = items + streamed.elsewhere > 0 || batch->may_be_empty;
        if (cli_batch_match_end(&batch->items.match, any) != EXIT_DONE)
            return EXIT_USAGE;
    }
    if (batch->results.failed)
        return facet_system_is_at_fault(batch->results.fault) ? EXIT_RESUME : EXIT_SYSTEM;
    if (atomic_load(&batch->faulted) || (cli_batch_signals() > 0 && left > 0))
        return EXIT_RESUME;
    if (left > 0)
        return EXIT_SYSTEM;
    if (cli_batch_allows(allowed, failed, items))
        return EXIT_DONE;
    return counts->again > 0 ? EXIT_SYSTEM : EXIT_INPUT;
}

/* -- The command -------------------------------------------------------- */

/* Open the output files, and read what earlier runs wrote there. */
static int open_files(cli_batch *batch, const settings *s, const char *results, const char *tar)
{
    struct stat before;
    bool empty = stat(results, &before) == 0 && before.st_size == 0;
    int result = cli_results_open(&batch->results, results, s->sync != 2);
    const cli_tar limits = {
        .pattern = tar, .max_items = s->part_items, .max_bytes = (uint64_t)s->part_size << 20};
    if (result == EXIT_DONE && (s->part_items > 0 || s->part_size > 0))
        result = cli_tar_open_parts(&batch->results.tar, &limits, s->resume, s->sync != 2);
    else if (result == EXIT_DONE && s->tar)
        result = cli_tar_open(&batch->results.tar, tar, s->resume, s->sync != 2);
    if (result == EXIT_DONE && s->header) {
        batch->results.header = cli_batch_header(batch->job, &batch->shard);
        if (!batch->results.header) {
            cli_complain_memory(NULL);
            result = EXIT_SYSTEM;
        }
    }
    if (result == EXIT_DONE && s->resume)
        result = cli_batch_match_earlier(batch, results, &s->policy);
    if (result == EXIT_DONE && s->tar && s->resume)
        result = cli_tar_check_is_ours(&batch->results.tar, results, empty);
    if (result == EXIT_DONE && s->tar && !cli_tar_continue(&batch->results.tar)) {
        cli_complain(NULL, "%s: %s", tar, strerror(errno));
        result = EXIT_SYSTEM;
    }
    return result;
}

/* A file that the batch itself reads or writes. */
typedef struct own_file {
    const char *option, *path;
    bool written;
} own_file;

static int check_file(cli_batch *batch, const own_file *files, size_t index)
{
    const own_file *file = &files[index];
    cli_batch_paths *paths = &batch->items.paths;
    if (!file->path || strcmp(file->path, "-") == 0)
        return EXIT_DONE;
    if (file->written && cli_batch_is_url(file->path)) {
        cli_complain(NULL, "--%s: expected a file, not the URL '%s'", file->option, file->path);
        return EXIT_USAGE;
    }
    if (cli_batch_paths_have(paths, file->path, !file->written)) {
        cli_complain(NULL, "--%s: '%s' is an %s of an item; nothing is written", file->option,
                     file->path, file->written ? "input or output" : "output");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < index; i++) {
        if (files[i].path && (file->written || files[i].written) &&
            cli_batch_paths_are_same(paths, files[i].path, file->path)) {
            cli_complain(NULL, "--%s: '%s' is the file of --%s; nothing is written", file->option,
                         file->path, files[i].option);
            return EXIT_USAGE;
        }
    }
    return EXIT_DONE;
}

/* Check that no written file is also read or written by something else. */
static int check_files(cli_batch *batch, const settings *s, const char *results, const char *tar)
{
    char journal[FACET_PATH_MAX];
    cli_batch_journal_name(results, journal);
    const own_file files[] = {
        {"manifest", s->manifest, false},
        {"filelist", s->list, false},
        {"results", results, true},
        {"results", strcmp(results, "-") == 0 ? NULL : journal, true},
        {"output-tar", s->tar ? tar : NULL, true},
    };
    int result = EXIT_DONE;
    for (size_t i = 0; i < sizeof files / sizeof *files && result == EXIT_DONE; i++)
        result = check_file(batch, files, i);
    for (size_t i = 0; i < sizeof files / sizeof *files && result == EXIT_DONE; i++) {
        if (files[i].written && files[i].path && !cli_batch_make_folders(files[i].path)) {
            cli_complain(NULL, "%s: cannot create its folder: %s", files[i].path, strerror(errno));
            result = EXIT_SYSTEM;
        }
    }
    return result;
}

/* Run the items of a stream, and then, one at a time, those during which an earlier run ended. */
static int run_stream(cli_batch *batch, int descriptor)
{
    unsigned jobs = batch->jobs, recycle = batch->recycle;
    int result = cli_stream_start(batch->stream);
    if (result == EXIT_DONE)
        result = cli_batch_isolate(batch, descriptor);
    cli_stream_take_suspects(batch->stream);
    batch->jobs = batch->recycle = 1;
    if (result == EXIT_DONE)
        result = cli_batch_isolate(batch, descriptor);
    batch->jobs = jobs;
    batch->recycle = recycle;
    return result;
}

/* Select the items that could not be copied. True if there are any. */
static bool take_those_apart(cli_batch *batch)
{
    size_t count = 0;
    for (size_t i = batch->ends[CLI_BATCH_COPIES - 1]; i < batch->ends[CLI_BATCH_COPIES]; i++) {
        if (batch->items.items[batch->order[i]].apart)
            batch->order[count++] = batch->order[i];
    }
    atomic_store(&batch->next, 0);
    batch->todo = count;
    batch->copies = false;
    return count > 0;
}

/* Run the items, one way (cli_batch_way) after the other. */
static int run_ways(cli_batch *batch, int descriptor)
{
    unsigned jobs = batch->jobs, recycle = batch->recycle;
    int result = EXIT_DONE;
    size_t first = 0;
    if (cli_batch_signals() > 0) /* some finished items may not have been read yet */
        atomic_store(&batch->stop, true);
    for (unsigned way = 0; way < CLI_BATCH_WAYS && result == EXIT_DONE; way++) {
        atomic_store(&batch->next, first);
        batch->todo = batch->ends[way];
        bool alone = way == CLI_BATCH_ALONE;
        batch->jobs = alone ? 1 : jobs;
        batch->recycle = alone ? 1 : recycle;
        batch->copies = way == CLI_BATCH_COPIES;
        if (batch->todo > first && (way == CLI_BATCH_THREADS || batch->copies)) {
            cli_results_flush(&batch->results); /* copies are read from the tar */
            cli_keep_memory();
            result = cli_batch_run(batch, descriptor);
        } else if (batch->todo > first) {
            result = cli_batch_isolate(batch, descriptor);
        }
        first = batch->todo;
    }
    batch->jobs = jobs;
    if (result == EXIT_DONE && take_those_apart(batch))
        result = cli_batch_isolate(batch, descriptor);
    return result;
}

/* The parsed command line. */
typedef struct plan {
    const cli_arguments *arguments;
    const settings *settings;
    const cli_batch_job *job;
    const cli_hook *fetch, *store; /* or NULL */
    uint64_t *items;               /* number of items so far */
} plan;

/* The location of inputs and outputs decides what --fetch and --store apply to. */
static int parse_hooks(const settings *s, cli_batch_job *job, cli_hook *fetch, cli_hook *store)
{
    int result = cli_hook_parse(fetch, "fetch", s->fetch, s->stream ? "!in" : "!in,!file");
    if (result == EXIT_DONE)
        result = cli_hook_parse(store, "store", s->store, s->tar ? "!file" : "!out,!file");
    bool has_line = cli_batch_products_has_line(job);
    const char *wrong =
        !s->fetch && !s->store ? NULL
        : s->store && s->tar && strcmp(s->tar, "-") == 0
            ? "--store needs an --output-tar that is a file, not '-'"
        : s->dedup ? "--dedup compares local files: it cannot be used with --fetch or --store"
        : has_line ? "--also 'line' writes local files: it cannot be used with --fetch or --store"
                   : NULL;
    if (result == EXIT_DONE && wrong) {
        cli_complain(NULL, "%s", wrong);
        result = EXIT_USAGE;
    }
    job->fetches = s->fetch && !s->stream;
    job->stores = s->store && !s->tar;
    return result;
}

/* True if the tar has all items that a resumed run could add. */
static bool is_whole(const cli_batch *batch)
{
    if (atomic_load(&batch->stop))
        return false;
    const cli_stream_counts none = {.whole = true};
    cli_stream_counts counts = batch->stream ? cli_stream_end(batch->stream) : none;
    return counts.whole && counts.result == EXIT_DONE;
}

static int run_items(cli_batch *batch, const settings *s, const char *results, const char *tar,
                     const plan *p)
{
    double began = cli_seconds();
    int descriptor = cli_batch_catch_signals();
    if (descriptor < 0) {
        cli_complain(NULL, "cannot create a pipe");
        return EXIT_SYSTEM;
    }
    int result = cli_batch_check_conflicts(&batch->items);
    if (result == EXIT_DONE)
        result = check_files(batch, s, results, tar);
    if (result != EXIT_DONE)
        return result;
    result = open_files(batch, s, results, tar);
    if (result == EXIT_DONE)
        cli_batch_journal_open(batch, results);
    if (result == EXIT_DONE && !batch->stream)
        result = cli_batch_plan(batch, &s->policy);
    if (result != EXIT_DONE && batch->results.created)
        remove(results); /* a rejected command line leaves no files */
    cli_progress progress;
    batch->progress = &progress;
    cli_progress_begin(&progress, (cli_progress_kind)s->progress, p->arguments->common.quiet,
                       batch->ends[CLI_BATCH_WAYS - 1]);
    const cli_hook *tar_store = s->tar ? p->store : NULL;
    batch->results.tar.store = tar_store;
    if (result == EXIT_DONE)
        result = batch->stream ? run_stream(batch, descriptor) : run_ways(batch, descriptor);
    cli_progress_end(&progress);
    batch->results.tar.store = result == EXIT_DONE && is_whole(batch) ? tar_store : NULL;
    batch->results.failed |= !cli_results_close(&batch->results);
    if (!batch->results.failed)
        cli_batch_journal_close(batch, results);
    return result == EXIT_DONE ? conclude(batch, s->allow_failures, began) : result;
}

/* `file`: the shard is a claimed or named file; NULL: it has a number. */
static int run_shard(const plan *p, cli_batch_shard shard, cli_claim *claim, const char *file)
{
    const cli_arguments *arguments = p->arguments;
    const settings *s = p->settings;
    const cli_batch_job *job = p->job;
    char results[4096], tar[4096], name[256];
    if (file)
        snprintf(name, sizeof name, "%.*s", (int)cli_batch_name_of_shard(file).length,
                 cli_batch_name_of_shard(file).text);
    else
        snprintf(name, sizeof name, "%llu", (unsigned long long)shard.index);
    if (!cli_batch_name_file(s->results ? s->results : "-", name, results, sizeof results) ||
        !cli_batch_name_file(s->tar ? s->tar : "", name, tar, sizeof tar)) {
        cli_complain(NULL, "the name of --results or --output-tar is too long");
        return EXIT_USAGE;
    }
    cli_batch batch = {
        .job = job,
        .claim = claim,
        .may_be_empty = file != NULL,
        .program = arguments->program,
        .jobs = s->jobs ? s->jobs : facet_system_processors(),
        .attempts = s->attempts ? s->attempts : 3,
        .most_failures = s->most_failures,
        .timeout = s->timeout,
        .memory = s->memory,
        .recycle = s->recycle ? s->recycle : 500,
        .grace = s->grace > 0 ? s->grace : 5,
        .dedups = s->dedup,
        .fetch = job->fetches ? p->fetch : NULL,
        .store = job->stores ? p->store : NULL,
        .isolate = s->isolate || s->timeout > 0 || s->memory > 0 || job->fetches || job->stores,
        .journal = -1,
        .shard = shard,
    };
    cli_batch_origin origin = origin_of(arguments, s, job, shard);
    origin.fetch = s->stream ? p->fetch : NULL;
    origin.may_be_empty = file != NULL;
    int result = cli_batch_items_read(&origin, &batch.items);
    batch.items.remembers = s->stream;
    if (result == EXIT_DONE && s->stream) {
        batch.stream = cli_stream_create(
            &batch, &origin, s->samples == 2 ? CLI_SPLIT_BY_FOLDER : CLI_SPLIT_BY_STEM, &s->policy);
        result = batch.stream ? EXIT_DONE : EXIT_SYSTEM;
    }
    if (result == EXIT_DONE)
        result = cli_hooked_items_open(&batch);
    if (result == EXIT_DONE)
        result = run_items(&batch, s, results, tar, p);
    if (batch.stream)
        atomic_store(&batch.stop, true); /* after an error, nothing takes its other samples */
    *p->items += batch.stream ? cli_stream_end(batch.stream).items : batch.items.count;
    cli_hooked_items_close(&batch);
    cli_stream_free(batch.stream);
    facet_file_close(batch.earlier);
    free(batch.suspects);
    cli_dedup_free(batch.dedup);
    free(batch.order);
    cli_batch_items_free(&batch.items);
    return result;
}

/* Apply a claimed shard to the settings, and run it. */
static int run_claimed(const plan *p, cli_claim *claim)
{
    settings its = *p->settings;
    cli_arguments words = *p->arguments;
    char *paths[] = {claim->path, NULL};
    plan its_plan = *p;
    its_plan.settings = &its;
    its_plan.arguments = &words;
    if (its.stream) {
        words.words = paths;
        words.count = 1;
    } else {
        its.manifest = claim->path;
    }
    return run_shard(&its_plan, (cli_batch_shard){0, 1}, claim, claim->name);
}

/* The worse of two exit statuses. */
static int worse(int a, int b)
{
    static const int order[] = {EXIT_DONE, EXIT_INPUT, EXIT_USAGE, EXIT_SYSTEM, EXIT_RESUME};
    int result = a;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        result = order[i] == a || order[i] == b ? order[i] : result;
    return result;
}

/* Run one shard after another, until no shard is left. */
static int run_claims(const plan *p)
{
    cli_claim claim;
    int result = cli_claim_begin(&claim, p->settings->claim);
    size_t claimed = 0;
    if (result != EXIT_DONE)
        return result;
    while (result != EXIT_RESUME && claimed == claim.tried.count && cli_claim_next(&claim)) {
        int status = run_claimed(p, &claim);
        cli_claim_end(&claim, status == EXIT_DONE || status == EXIT_INPUT);
        result = worse(result, status);
        claimed++;
    }
    if (claim.failed)
        result = worse(result, EXIT_SYSTEM);
    if (claimed == 0 && result == EXIT_DONE)
        cli_remark(NULL, "%s: no shard is left to claim", p->settings->claim);
    cli_claim_free(&claim);
    return result;
}

/* True if each named file is a shard with its own tar. */
static bool names_shards(const cli_arguments *arguments, const settings *s)
{
    bool each = s->tar && strstr(s->tar, "{shard}") && !s->shard && !s->claim && !s->manifest &&
                !s->list && (s->stream || s->match.count > 0) && arguments->count > 0;
    for (int i = 0; i < arguments->count && each; i++) {
        facet_file_info info;
        each = strcmp(arguments->words[i], "-") != 0 &&
               !(facet_system_get_file_info(arguments->words[i], &info) && info.is_folder);
    }
    return each;
}

/* Run each named file as a shard. */
static int run_named(const plan *p)
{
    const cli_arguments *all = p->arguments;
    bool lacks =
        p->settings->resume && all->count > 1 && cli_batch_lacks_shard(p->settings->results, true);
    if (lacks)
        cli_complain(NULL,
                     "--resume needs --results with {shard} in its name, like the --output-tar");
    int result = lacks ? EXIT_USAGE : cli_batch_check_shard_names(all->words, all->count);
    for (int i = 0;
         i < all->count && (result == EXIT_DONE || result == EXIT_INPUT || result == EXIT_SYSTEM);
         i++) {
        cli_arguments words = *all;
        plan its_plan = *p;
        words.words += i;
        words.count = 1;
        its_plan.arguments = &words;
        result = worse(result, run_shard(&its_plan, (cli_batch_shard){0, 1}, NULL, words.words[0]));
    }
    if (result == EXIT_DONE && *p->items == 0) {
        cli_complain(NULL, "no items in any of the %d shards", all->count);
        result = EXIT_USAGE;
    }
    return result;
}

static int run(const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    cli_batch_job job = {0};
    cli_batch_shard shard = {0, 1};
    cli_hook fetch = {0}, store = {0};
    int result = check_settings(arguments, s);
    if (result == EXIT_DONE)
        result = cli_batch_choose_job(arguments, &s->also, &s->filters, &job);
    if (result == EXIT_DONE)
        result = parse_hooks(s, &job, &fetch, &store);
    if (result == EXIT_DONE && s->dedup && job.command->items != CLI_ITEMS_IN_OUT) {
        cli_complain(NULL, "--dedup copies outputs, which '%s' does not make", job.command->name);
        result = EXIT_USAGE;
    }
    if (result == EXIT_DONE && s->shard)
        result = cli_batch_shard_parse(s->shard, &shard);
    uint64_t items = 0;
    const plan p = {arguments, s, &job, s->fetch ? &fetch : NULL, s->store ? &store : NULL, &items};
    if (result == EXIT_DONE)
        result = s->claim                     ? run_claims(&p)
                 : names_shards(arguments, s) ? run_named(&p)
                                              : run_shard(&p, shard, NULL, NULL);
    cli_hook_free(&fetch);
    cli_hook_free(&store);
    cli_batch_job_free(&job);
    return result;
}

#define OFFSET(name) .offset = offsetof(settings, name)

/* Indexed by cli_progress_kind, from CLI_PROGRESS_BAR on. */
static const char *const progress_words[] = {"bar", "lines", "json", "none", NULL};
static const char *const sample_words[] = {"stem", "folder", NULL};
static const char *const shard_words[] = {"id", "bytes", NULL};
static const char *const sync_words[] = {"disk", "none", NULL};
static const cli_option options[] = {
    {"manifest", "FILE",
     "read items as JSON lines: {\"id\", \"in\", \"out\", \"args\"}; - is stdin", CLI_TEXT,
     OFFSET(manifest), .once = true},
    {"filelist", "FILE", "read names of inputs, one per line; - is stdin", CLI_TEXT, OFFSET(list),
     .once = true},
    {"null", NULL, "read a --filelist with NUL bytes after names, like 'find -print0'", CLI_FLAG,
     OFFSET(null), .letter = '0'},
    {"match", "PATTERN",
     "use files of folders and archives that match, '*.{obj,glb}', in any letter case; repeatable",
     CLI_TEXTS, .default_text = "the models or pictures that COMMAND takes", OFFSET(match)},
    {"stream", NULL, "read shards (tar, compressed tar, ZIP; - is stdin) once, sample by sample",
     CLI_FLAG, OFFSET(stream)},
    {"samples", "WORD",
     "group files of a --stream into samples: stem (the name up to the first dot) or folder",
     CLI_WORD, .default_text = "stem", OFFSET(samples), .words = sample_words},
    {"out", "TEMPLATE",
     "name outputs by {id}, {dir}, {name}, {stem}, {ext}, {id:N}, {sha:N}: 'out/{dir}/{stem}.bsm'",
     CLI_TEXT, OFFSET(out), .once = true},
    {"fetch", "COMMAND",
     "run COMMAND to get each input or shard: 'aws s3 cp {in} {file}'; no shell", CLI_TEXT,
     OFFSET(fetch), .once = true},
    {"store", "COMMAND",
     "run COMMAND to store each output or complete --output-tar: 'aws s3 cp {file} {out}'; no "
     "shell",
     CLI_TEXT, OFFSET(store), .once = true},
    {"also", "TEXT",
     "run another command for each item: 'render --size 64x64 {id}.png'; 'line {id}.json' stores "
     "its result line; repeatable",
     CLI_TEXTS, OFFSET(also)},
    {"filter", "CONDITION",
     "skip items that do not meet it: 'triangles<=100000', bytes, size, errors and others; "
     "repeatable",
     CLI_TEXTS, OFFSET(filters)},
    {"results", "FILE", "append one JSON line per item to FILE; {shard} is a number or a name",
     CLI_TEXT, .default_text = "stdout", OFFSET(results), .once = true},
    {"header", NULL, "write a header line for the run: command, options, version, host", CLI_FLAG,
     OFFSET(header)},
    {"output-tar", "FILE",
     "write all outputs to one tar, or to one for each {shard}; --resume continues it", CLI_TEXT,
     OFFSET(tar), .once = true},
    {"part-size", "MIB",
     "begin a new tar before one exceeds MIB; {part} in --output-tar is its number", CLI_COUNT,
     OFFSET(part_size)},
    {"part-items", "N", "begin a new tar after N items; {part} in --output-tar is its number",
     CLI_COUNT, OFFSET(part_items)},
    {"shard", "I/N", "process part I of N, from 0; auto or auto/N: as the engine says", CLI_TEXT,
     OFFSET(shard), .once = true},
    {"claim", "FOLDER",
     "claim one shard after another from FOLDER: manifests, or archives with --stream", CLI_TEXT,
     OFFSET(claim), .once = true},
    {"shard-by", "WORD", "split items by id, or by bytes for parts of equal size", CLI_WORD,
     .default_text = "id", OFFSET(shard_by), .words = shard_words},
    {"resume", NULL, "skip items that --results lists as done, if files and options are the same",
     CLI_FLAG, OFFSET(resume)},
    {"retry-failed", NULL, "with --resume, run failed items again", CLI_FLAG,
     OFFSET(policy.retry_failed)},
    {"trust-results", NULL, "with --resume, do not look at the files of finished items", CLI_FLAG,
     OFFSET(policy.trust)},
    {"verify", NULL, "with --resume, compare checksums of outputs, not only sizes", CLI_FLAG,
     OFFSET(policy.verify)},
    {"quick", NULL, "with --resume, treat inputs of the same size and time as unchanged", CLI_FLAG,
     OFFSET(policy.quick)},
    {"skip-existing", NULL, "skip items whose output exists, whatever wrote it", CLI_FLAG,
     OFFSET(policy.skip_existing)},
    {"jobs", "N", "run N items at once", CLI_COUNT_OR_ZERO,
     .default_text = "one per usable processor", OFFSET(jobs), .letter = 'j', .most = 1024},
    {"dedup", NULL, "convert identical inputs once and copy the output", CLI_FLAG, OFFSET(dedup)},
    {"isolate", NULL, "run items in separate processes, so that a crash costs one item", CLI_FLAG,
     OFFSET(isolate)},
    {"timeout", "SECONDS", "give up an item after SECONDS; implies --isolate", CLI_NUMBER,
     OFFSET(timeout)},
    {"memory", "MIB", "limit the memory of an item to MIB; implies --isolate", CLI_COUNT,
     OFFSET(memory)},
    {"recycle", "N", "with --isolate, start a new process after N items", CLI_COUNT,
     .default_text = "500", OFFSET(recycle)},
    {"attempts", "N", "try an item N times if it runs out of time or memory", CLI_COUNT,
     .default_text = "3", OFFSET(attempts)},
    {"max-failures", "N", "start no more items after N have failed", CLI_COUNT,
     OFFSET(most_failures)},
    {"allow-failures", "N|P%", "exit with status 0 if at most N items, or P percent, failed",
     CLI_TEXT, OFFSET(allow_failures)},
    {"grace", "SECONDS", "wait SECONDS for items to finish after SIGTERM", CLI_NUMBER,
     .default_text = "5", OFFSET(grace)},
    {"sync", "WORD",
     "disk: flush each output to the disk before its line; none: leave it to the system", CLI_WORD,
     OFFSET(sync), .words = sync_words},
    {"progress", "WORD", "show progress as bar, lines (one a minute), json (one a second) or none",
     CLI_WORD, OFFSET(progress), .words = progress_words},
    {0}};
static void release(void *given)
{
    free(((settings *)given)->match.items);
    free(((settings *)given)->also.items);
    free(((settings *)given)->filters.items);
}

static const cli_option_set own = {
    .options = options, .settings_size = sizeof(settings), .release = release};
static const cli_option_set *const sets[] = {&own, NULL};

const cli_command cli_command_batch = {
    "batch",
    "[IN...] -- COMMAND",
    "run a command over many files",
    "Run convert, render, check, info or extract over many items:\n"
    "\n"
    "  facet batch --manifest items.jsonl --results done.jsonl -- convert --strict\n"
    "  facet batch models --out 'out/{dir}/{stem}.bsm' -- convert\n"
    "\n"
    "Items are the lines of a manifest, the names of a list, files, or the files of folders.\n"
    "Each item gets one line of JSON. Outputs appear complete or not at all, or in one tar.\n"
    "\n"
    "Exit status:\n"
    "  0   all items are done, or at most --allow-failures failed\n"
    "  1   items failed for good\n"
    "  2   wrong command line or manifest; nothing was written\n"
    "  3   items are left, or may work with --resume\n"
    "  75  stopped by SIGTERM, SIGINT, a full disk or another system error; run it again\n"
    "      with --resume",
    sets,
    0,
    -1,
    run,
    CLI_ITEMS_NONE,
    true,
    false};
