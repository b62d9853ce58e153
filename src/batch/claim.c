/* batch/claim.c - shards that are claimed from a folder. Only one claimant's rename succeeds. */
#include "batch/claim.h"
#include "base/folder.h"
#include "batch/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Seconds between updates of a claim's time, which show that the claimant is alive. */
#define PULSE 30

static bool path_of(const cli_claim *claim, const char *state, const char *name,
                    char path[FACET_PATH_MAX])
{
    int length = snprintf(path, FACET_PATH_MAX, "%s%s/%s", claim->folder, state, name);
    return length >= 0 && length < FACET_PATH_MAX;
}

static int make_folder(const cli_claim *claim, const char *state)
{
    char path[FACET_PATH_MAX];
    struct stat info;
    if (path_of(claim, state, "", path) && (mkdir(path, 0777) == 0 || errno == EEXIST) &&
        stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return EXIT_DONE;
    cli_complain(NULL, "--claim: %s%s: %s", claim->folder, state, strerror(errno));
    return EXIT_SYSTEM;
}

int cli_claim_begin(cli_claim *claim, const char *folder)
{
    struct stat info;
    *claim = (cli_claim){.folder = folder};
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
        cli_complain(NULL, "--claim: expected a folder of shards, found no folder '%s'", folder);
        return EXIT_USAGE;
    }
    int result = make_folder(claim, "/claimed");
    return result == EXIT_DONE ? make_folder(claim, "/done") : result;
}

/* Each claimant starts at a different place in the list, so that few try the same name at once. */
static uint64_t own_number(void)
{
    char text[300] = "";
    gethostname(text, 255);
    text[255] = '\0';
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, " %ld", (long)getpid());
    return cli_batch_number_of(text);
}

static bool is_new(const cli_claim *claim, const char *name)
{
    bool known = false;
    for (size_t i = 0; i < claim->tried.count && !known; i++)
        known = strcmp(claim->tried.items[i], name) == 0;
    return !known;
}

static bool claim_one(cli_claim *claim, const char *name)
{
    char path[FACET_PATH_MAX];
    struct stat info;
    if (*name == '.' || strlen(name) >= sizeof claim->name || !is_new(claim, name) ||
        !path_of(claim, "", name, path) || !path_of(claim, "/claimed", name, claim->path) ||
        stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    if (!cli_paths_append(&claim->tried, name)) {
        claim->failed = true;
        return cli_complain_memory(NULL) == EXIT_DONE;
    }
    /* Set the time before the rename: with an old time, the claimant would seem dead. */
    bool claimed = utimensat(AT_FDCWD, path, NULL, 0) == 0 && rename(path, claim->path) == 0;
    if (!claimed)
        free(claim->tried.items[--claim->tried.count]);
    strcpy(claim->name, name);
    claim->touched = cli_seconds();
    return claimed;
}

bool cli_claim_next(cli_claim *claim)
{
    facet_folder folder;
    bool claimed = false;
    if (!facet_folder_list(claim->folder, &folder)) {
        cli_complain(NULL, "--claim: %s: %s", claim->folder, strerror(errno));
        facet_folder_free(&folder);
        claim->failed = true;
        return false;
    }
    size_t start = folder.count > 0 ? (size_t)(own_number() % folder.count) : 0;
    for (size_t i = 0; i < folder.count && !claimed; i++)
        claimed = claim_one(claim, folder.names[(start + i) % folder.count]);
    facet_folder_free(&folder);
    return claimed;
}

void cli_claim_touch(cli_claim *claim)
{
    if (!claim || cli_seconds() - claim->touched < PULSE)
        return;
    claim->touched = cli_seconds();
    /* Another process took over the shard, because this claimant seemed dead. */
    if (utimensat(AT_FDCWD, claim->path, NULL, 0) != 0)
        return;
}

void cli_claim_end(cli_claim *claim, bool done)
{
    char path[FACET_PATH_MAX];
    if (!path_of(claim, done ? "/done" : "", claim->name, path))
        return;
    if (rename(claim->path, path) != 0)
        cli_remark(NULL, "%s: %s", claim->path,
                   errno == ENOENT ? "another claimant has taken it" : strerror(errno));
}

void cli_claim_free(cli_claim *claim)
{
    cli_paths_free(&claim->tried);
}
