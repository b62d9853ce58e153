/* batch/plan.c - which items are left to run, and in which order: after what
 * earlier runs did, and the largest first. */
#include "base/arena.h"
#include "batch/batch.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- What earlier runs did ----------------------------------------------- */

typedef struct review {
    cli_batch *batch;
    const cli_batch_policy *policy;
    cli_shared_archive *shared;
} review;

/* One item; any thread. */
static void review_item(void *argument, size_t index)
{
    const review *r = argument;
    cli_batch_item *item = &r->batch->items.items[index];
    if (!item->line || cli_batch_signals() > 0)
        return;
    cli_batch_verdict verdict =
        cli_batch_review(r->batch->job, item, &r->batch->results.tar, r->policy->trust, r->shared);
    bool given_up = verdict == CLI_BATCH_FAILED ||
                    (verdict == CLI_BATCH_RETRY && item->attempt >= r->batch->attempts);
    item->failed = given_up && !r->policy->retry_failed;
    item->done = verdict == CLI_BATCH_DONE || item->failed;
    item->attempt += !item->done;
}

/* -- What earlier runs left ---------------------------------------------- */

/* The length of a path without ".PROCESS-NUMBER.tmp" or ".old" at its end, and without an
 * extension before that; 0 when it does not end so. */
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

/* Remove the half-written outputs of a run that was killed. Each folder is looked
 * through once. */
static void remove_leftovers(cli_batch_items *items)
{
    facet_names stems = facet_names_make(items->arena), folders = facet_names_make(items->arena);
    for (size_t i = 0; i < items->count; i++) {
        const char *out = items->items[i].out;
        if (items->items[i].done || !out)
            continue;
        const char *slash = strrchr(out, '/'), *dot = strrchr(slash ? slash : out, '.');
        const char *path = slash ? out : facet_arena_format(items->arena, "./%s", out);
        if (!path)
            return;
        facet_names_put(&stems, path, (dot ? (size_t)(dot - out) : strlen(out)) + (slash ? 0 : 2));
        char *folder = facet_arena_string(items->arena, path, (size_t)(strrchr(path, '/') - path));
        if (folder)
            facet_names_put(&folders, folder, strlen(folder));
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
        cli_complain("--resume needs --results FILE, which has the lines of the earlier run");
        return EXIT_USAGE;
    }
    if (stat(path, &info) != 0) /* there was none */
        return EXIT_DONE;
    if (facet_file_open(path, &file, &error))
        return cli_complain_error(path, &error);
    cli_results_match(file, &batch->items, &batch->results.tar);
    cli_shared_archive shared = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    review r = {batch, policy, &shared};
    const facet_threads *threads = NULL;
    if (!facet_threads_create(batch->jobs, &threads, NULL))
        threads->run(threads->user, review_item, &r, batch->items.count);
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

/* An item as it is sorted. */
typedef struct sized {
    uint64_t bytes;
    size_t index;
} sized;

static int compare_sized(const void *a, const void *b)
{
    const sized *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static void look_at_input(cli_batch_item *item)
{
    struct stat info;
    if (item->in_archive > 0)
        return;
    if (stat(item->in, &info) != 0)
        item->in_archive = facet_archive_in_path(item->in);
    else if (item->bytes == 0 && S_ISREG(info.st_mode))
        item->bytes = (uint64_t)info.st_size;
}

bool cli_batch_plan(cli_batch *batch, const cli_batch_policy *policy)
{
    size_t count = batch->items.count;
    sized *all = calloc(count + 1, sizeof *all);
    batch->order = calloc(count + 1, sizeof *batch->order);
    for (size_t i = 0; i < count && all && batch->order; i++) {
        cli_batch_item *item = &batch->items.items[i];
        struct stat info;
        if (!item->done && policy->skip_existing && item->out && stat(item->out, &info) == 0) {
            cli_results_add(&batch->results, cli_batch_line(item, "skipped", NULL, false, NULL),
                            NULL);
            item->done = true;
        }
        if (item->done)
            continue;
        look_at_input(item);
        /* One worker is as fast in any order. */
        all[batch->todo++] = (sized){batch->jobs > 1 ? item->bytes : 0, i};
    }
    bool planned = all && batch->order;
    if (planned)
        qsort(all, batch->todo, sizeof *all, compare_sized);
    for (size_t i = 0; i < batch->todo && planned; i++)
        batch->order[i] = all[i].index;
    free(all);
    return planned;
}
