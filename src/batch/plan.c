/* batch/plan.c - the items that are left to run, after the results of earlier runs, and their
 * order: the largest first. */
#include "base/arena.h"
#include "base/system.h"
#include "batch/dedup.h"
#include "scene/format.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- Earlier results ----------------------------------------------------- */

typedef struct line_checker {
    size_t first;        /* first item of the current group */
    const uint8_t *text; /* all lines, in a mapped file */
    cli_batch *batch;
    const cli_batch_policy *policy;
    cli_shared_archive *shared;
} line_checker;

/* Number of items between two checks for signals. */
enum { AT_ONCE = 1 << 13 };

void cli_batch_decide(const cli_batch *batch, const cli_tar *tar, const cli_batch_policy *policy,
                      cli_batch_item *item, cli_shared_archive *shared)
{
    if (!item->line)
        return;
    cli_batch_verdict verdict = cli_batch_check_line(batch->job, item, tar,
                                                     policy->trust    ? CLI_BATCH_TRUSTED
                                                     : policy->verify ? CLI_BATCH_SUMS
                                                     : policy->quick  ? CLI_BATCH_QUICK
                                                                      : CLI_BATCH_SIZES,
                                                     shared);
    bool given_up = verdict == CLI_BATCH_FAILED ||
                    (verdict == CLI_BATCH_RETRY && item->attempt >= batch->attempts);
    item->failed = given_up && !policy->retry_failed;
    item->done = verdict == CLI_BATCH_DONE || item->failed;
    /* Count only attempts with the same files, options and version. */
    item->attempt = verdict == CLI_BATCH_RUN ? 1 : item->attempt + !item->done;
    item->run += !item->done;
}

/* Items of a task, and the size of the text around their lines that is read at once. */
enum { TASK = 64, SPAN = 1 << 18 };

/* Read a part of the lines. They are in the order in which items ended. In the order of the items,
 * the mapped file would be read here and there, and each place would map 64 KiB. */
static bool read_text(const line_checker *r, const uint8_t *at, char *space, size_t size)
{
    off_t offset = (off_t)(at - r->text);
    return pread(r->batch->results.descriptor, space, size, offset) == (ssize_t)size;
}

/* The text from the first to the last line of some items, whose begin is *first. NULL if they are
 * far from each other. */
static char *read_together(const line_checker *r, const cli_batch_item *items, size_t count,
                           const char **first)
{
    const char *begin = NULL, *end = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *line = items[i].line;
        if (!line)
            continue;
        begin = begin && begin < line ? begin : line;
        end = end && end > line + items[i].line_length ? end : line + items[i].line_length;
    }
    size_t size = begin ? (size_t)(end - begin) : 0;
    char *text = size > 0 && size <= SPAN ? malloc(size) : NULL;
    *first = begin;
    if (text && !read_text(r, (const uint8_t *)begin, text, size)) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Decide about one item. `text`: the text from `first` on, or NULL. */
static void decide_item(const line_checker *r, cli_batch_item *item, const char *text,
                        const char *first)
{
    char *own = NULL;
    if (item->line && text)
        item->line = text + (item->line - first);
    else if (item->line && (own = malloc(item->line_length)) &&
             read_text(r, (const uint8_t *)item->line, own, item->line_length))
        item->line = own;
    cli_batch_decide(r->batch, &r->batch->results.tar, r->policy, item, r->shared);
    item->line = NULL;
    free(own);
}

/* Decide about the items of a task; any thread. */
static void decide_items(void *argument, size_t task)
{
    const line_checker *r = argument;
    size_t begin = r->first + task * TASK, left = r->batch->items.count - begin;
    cli_batch_item *items = r->batch->items.items + begin;
    size_t count = left < TASK ? left : TASK;
    const char *first;
    char *text = read_together(r, items, count, &first);
    for (size_t i = 0; i < count; i++)
        decide_item(r, &items[i], text, first);
    free(text);
}

/* -- Incomplete outputs of earlier runs ---------------------------------- */

/* Length of a path before ".PROCESS-NUMBER.tmp" or ".old" and before an extension in front of that;
 * 0 if the path has no such end. */
static size_t stem_of_leftover(const char *path)
{
    size_t length = strlen(path), at = length < 4 ? 0 : length - 4;
    if (at == 0 || (strcmp(path + at, ".tmp") != 0 && strcmp(path + at, ".old") != 0))
        return 0;
    for (const char *before = "-."; *before; before++) {
        size_t end = at;
        while (at > 0 && path[at - 1] >= '0' && path[at - 1] <= '9')
            at--;
        if (at == end || at == 0 || path[at - 1] != *before)
            return 0;
        at--;
    }
    while (at > 0 && path[at - 1] != '/' && path[at - 1] != '.')
        at--;
    return at > 0 && path[at - 1] == '.' ? at - 1 : 0;
}

static void clean_folder(const char *folder, facet_names *stems)
{
    char path[8192];
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        size_t stem = stem_of_leftover(path);
        if (stem > 0 && facet_names_find(stems, path, stem) != UINT32_MAX)
            unlink(path);
    }
    if (directory)
        closedir(directory);
}

/* Store the folder of an output, and its path without extension, for remove_leftovers. */
static void look_for(cli_batch_items *items, const char *out, facet_names *stems,
                     facet_names *folders)
{
    const char *slash = strrchr(out, '/'), *dot = strrchr(slash ? slash : out, '.');
    const char *path = slash ? out : facet_arena_format(items->arena, "./%s", out);
    if (!path)
        return;
    facet_names_put(stems, path, (dot ? (size_t)(dot - out) : strlen(out)) + (slash ? 0 : 2));
    char *folder = facet_arena_string(items->arena, path, (size_t)(strrchr(path, '/') - path));
    if (folder)
        facet_names_put(folders, folder, strlen(folder));
}

/* Remove incomplete outputs of a run that was killed. Read each folder only once. */
static void remove_leftovers(cli_batch_items *items)
{
    facet_names stems = facet_names_make(items->arena), folders = facet_names_make(items->arena);
    for (size_t i = 0; i < items->count; i++) {
        const cli_batch_item *item = &items->items[i];
        if (!item->done && item->out)
            look_for(items, item->out, &stems, &folders);
        for (size_t k = 0; k < cli_batch_more_of(item)->also_count && !item->done; k++)
            look_for(items, cli_batch_more_of(item)->also[k], &stems, &folders);
    }
    for (uint32_t i = 0; i < folders.count; i++)
        clean_folder(folders.items[i].text, &stems);
    facet_names_free(&stems);
    facet_names_free(&folders);
}

int cli_batch_match_earlier(cli_batch *batch, const char *path, const cli_batch_policy *policy)
{
    facet_file *file = NULL;
    facet_error error;
    struct stat info;
    if (strcmp(path, "-") == 0) {
        cli_complain(NULL, "--resume needs --results FILE, which has the lines of the earlier run");
        return EXIT_USAGE;
    }
    if (stat(path, &info) != 0) /* no earlier results exist */
        return EXIT_DONE;
    if (facet_file_open(path, NULL, &file, &error))
        return cli_complain_error(NULL, path, &error);
    if (!cli_results_match(file, batch->jobs, &batch->items, &batch->results.tar)) {
        facet_file_close(file);
        cli_complain_memory(NULL);
        return EXIT_SYSTEM;
    }
    if (batch->items.remembers) { /* items of a stream are checked when they arrive */
        batch->earlier = file;
        return EXIT_DONE;
    }
    cli_shared_archive shared = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    line_checker r = {0, facet_file_source(file).data, batch, policy, &shared};
    const facet_threads *threads = NULL;
    bool created = !facet_threads_create(batch->jobs, &threads, NULL);
    for (; created && r.first < batch->items.count && cli_batch_signals() == 0;
         r.first += AT_ONCE) {
        size_t left = batch->items.count - r.first;
        size_t count = left < AT_ONCE ? left : AT_ONCE;
        threads->run(threads->user, decide_items, &r, (count + TASK - 1) / TASK);
    }
    facet_threads_free(threads);
    cli_kept_close(&shared.kept);
    for (size_t i = 0; i < batch->items.count; i++)
        batch->items.items[i].line = NULL;
    facet_file_close(file);
    if (!batch->results.tar.path)
        remove_leftovers(&batch->items);
    return EXIT_DONE;
}

/* -- Order -------------------------------------------------------------- */

/* Sort record of an item. */
typedef struct sized {
    cli_batch_way way;
    uint32_t archive; /* number of the item's archive; 0: not in an archive */
    uint64_t bytes;
    size_t index;
} sized;

static int compare_sized(const void *a, const void *b)
{
    const sized *x = a, *y = b;
    if (x->way != y->way)
        return x->way < y->way ? -1 : 1;
    /* A worker keeps one archive open, so keep the items of an archive together. */
    if (x->archive != y->archive)
        return x->archive < y->archive ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static int look_at_files(cli_batch_items *items, cli_batch_item *item, bool packs)
{
    facet_file_info place;
    if (item->in_archive > 0)
        return EXIT_DONE;
    bool there = facet_system_get_link_info(item->in, &place);
    bool is_link = there && !place.is_file && !place.is_folder;
    if (is_link) /* a link or a pipe */
        there = facet_system_get_file_info(item->in, &place);
    if (!there)
        item->in_archive = (uint32_t)facet_archive_in_path(item->in);
    item->endless = there && !place.is_file && !place.is_folder;
    if (there && place.is_file)
        item->changed = place.changed;
    if (there && place.is_file && item->bytes == 0)
        item->bytes = place.size;
    return packs ? EXIT_DONE : cli_batch_check_link(items, item, is_link);
}

/* True for files that assimp may read: a broken one can crash it. These are files of its formats,
 * and files whose name does not show the format. */
static bool may_crash(const char *path)
{
    const facet_format *format = facet_format_from_path(path);
    return !format || format == &facet_format_fbx || format == &facet_format_dae ||
           format == &facet_format_3ds || format == &facet_format_assimp;
}

static cli_batch_way way_of(const cli_batch *batch, const cli_batch_item *item)
{
    if (item->deaths > 1)
        return CLI_BATCH_ALONE;
    bool risky = item->deaths > 0 || batch->isolate || may_crash(item->in);
    return risky ? CLI_BATCH_PROCESSES : CLI_BATCH_THREADS;
}

/* Move items that are equal to earlier ones to the end. An exit status. */
static int put_copies_last(cli_batch *batch, sized *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        batch->order[i] = all[i].index;
    if (!cli_dedup_find(batch, batch->order, count)) {
        cli_complain_memory(NULL);
        return EXIT_SYSTEM;
    }
    for (size_t i = 0; i < count; i++)
        batch->items.items[all[i].index].risky = all[i].way != CLI_BATCH_THREADS;
    for (size_t i = 0; i < count; i++)
        all[i].way = cli_dedup_is_copy(batch, all[i].index) ? CLI_BATCH_COPIES : all[i].way;
    return EXIT_DONE;
}

/* 0 if out of memory: still correct, but slower. */
static uint32_t archive_of(facet_names *archives, const cli_batch_item *item)
{
    return item->in_archive > 0 ? facet_names_put(archives, item->in, item->in_archive) + 1 : 0;
}

/* True if the item has outputs, and all of them exist. */
static bool has_outputs(const cli_batch_item *item)
{
    struct stat info;
    bool there = !item->out || stat(item->out, &info) == 0;
    for (size_t i = 0; i < cli_batch_more_of(item)->also_count && there; i++)
        there = stat(cli_batch_more_of(item)->also[i], &info) == 0;
    return there && (item->out || cli_batch_more_of(item)->also_count > 0);
}

int cli_batch_plan(cli_batch *batch, const cli_batch_policy *policy)
{
    size_t count = batch->items.count, todo = 0, left = 0;
    facet_names archives = facet_names_make(batch->items.arena);
    /* Few of a million items may be left. */
    for (size_t i = 0; i < count; i++)
        left += !batch->items.items[i].done;
    sized *all = calloc(left + 1, sizeof *all);
    batch->order = calloc(left + 1, sizeof *batch->order);
    int result = all && batch->order ? EXIT_DONE : EXIT_SYSTEM;
    if (result != EXIT_DONE)
        cli_complain_memory(NULL);
    for (size_t i = 0; i < count && result == EXIT_DONE; i++) {
        cli_batch_item *item = &batch->items.items[i];
        if (!item->done && policy->skip_existing && has_outputs(item)) {
            cli_results_add(&batch->results, cli_batch_line(item, "skipped", NULL, false, NULL),
                            NULL);
            item->done = true;
        }
        if (item->done)
            continue;
        result = look_at_files(&batch->items, item, batch->results.tar.path != NULL);
        /* One worker is equally fast in any order. */
        all[todo++] = (sized){way_of(batch, item), archive_of(&archives, item),
                              batch->jobs > 1 ? item->bytes : 0, i};
    }
    if (result == EXIT_DONE && batch->dedups)
        result = put_copies_last(batch, all, todo);
    if (result == EXIT_DONE && todo > 0)
        qsort(all, todo, sizeof *all, compare_sized);
    for (size_t i = 0; i < todo && result == EXIT_DONE; i++) {
        batch->order[i] = all[i].index;
        for (unsigned way = all[i].way; way < CLI_BATCH_WAYS; way++)
            batch->ends[way] = i + 1;
    }
    free(all);
    facet_names_free(&archives);
    return result;
}
