/* batch/journal.c - the items in progress, in a file next to the results. A run that crashes leaves
 * this file, so that the next run finds the suspects.
 *
 * An entry is a line "KEY DEATHS STATE" of fixed length. KEY is the number of the item's id. DEATHS
 * is the number of runs that ended during the item. STATE is r (running) or w (waiting for another
 * attempt). */
#include "base/system.h"
#include "batch/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRY = 22, MAX_DEATHS = 99 };

void cli_batch_journal_name(const char *results, char path[FACET_PATH_MAX])
{
    snprintf(path, FACET_PATH_MAX, "%s.begun", results);
}

/* -- Opening the journal ------------------------------------------------- */

typedef struct cli_batch_suspect {
    uint64_t key;
    unsigned deaths;
    bool begun; /* begun in this run */
} suspect;

static int compare_suspects(const void *a, const void *b)
{
    const suspect *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Read the entries of an earlier run. */
static suspect *read_suspects(int descriptor, size_t *count)
{
    off_t size = lseek(descriptor, 0, SEEK_END);
    size_t entries = size > 0 ? (size_t)size / ENTRY : 0;
    suspect *suspects = calloc(entries + 1, sizeof *suspects);
    *count = 0;
    for (size_t i = 0; i < entries && suspects; i++) {
        char entry[ENTRY + 1] = "", state;
        unsigned long long key;
        unsigned deaths;
        if (pread(descriptor, entry, ENTRY, (off_t)(i * ENTRY)) == ENTRY &&
            sscanf(entry, "%16llx %2u %c", &key, &deaths, &state) == 3)
            suspects[(*count)++] = (suspect){key, deaths + (state == 'r'), false};
    }
    if (suspects)
        qsort(suspects, *count, sizeof *suspects, compare_suspects);
    return suspects;
}

/* First entry of an item, or NULL. An item that waited and began again has two entries. */
static suspect *find_suspect(const cli_batch *batch, const cli_batch_item *item)
{
    if (batch->suspect_count == 0)
        return NULL;
    suspect wanted = {.key = cli_batch_number_of(item->id)};
    suspect *found = bsearch(&wanted, batch->suspects, batch->suspect_count,
                             sizeof *batch->suspects, compare_suspects);
    while (found && found > batch->suspects && found[-1].key == found->key)
        found--;
    return found;
}

unsigned cli_batch_journal_deaths(const cli_batch *batch, const cli_batch_item *item)
{
    unsigned deaths = 0;
    const suspect *found = find_suspect(batch, item);
    const suspect *end = found ? batch->suspects + batch->suspect_count : NULL;
    for (const suspect *each = found; each && each < end && each->key == found->key; each++)
        deaths = each->deaths > deaths ? each->deaths : deaths;
    return deaths;
}

static void mark_suspects(cli_batch *batch)
{
    for (size_t i = 0; i < batch->items.count && batch->suspect_count > 0; i++) {
        cli_batch_item *item = &batch->items.items[i];
        item->deaths = item->done ? 0 : cli_batch_journal_deaths(batch, item);
    }
}

static void write_entry(const cli_batch *batch, size_t slot, uint64_t key, unsigned deaths,
                        char state)
{
    char entry[ENTRY + 16];
    snprintf(entry, sizeof entry, "%016llx %02u %c\n", (unsigned long long)key,
             deaths < MAX_DEATHS ? deaths : MAX_DEATHS, state);
    /* If the write fails, a crash only costs more runs. */
    if (pwrite(batch->journal, entry, ENTRY, (off_t)(slot * ENTRY)) < 0)
        return;
}

/* Write entries for the waiting items, after the slots of the workers. The number of entries. */
static size_t write_waiting(const cli_batch *batch)
{
    size_t slot = batch->jobs;
    for (size_t i = 0; i < batch->items.count; i++) {
        const cli_batch_item *item = &batch->items.items[i];
        if (!batch->items.remembers && item->deaths > 0 && !item->done && !item->begun)
            write_entry(batch, slot++, cli_batch_number_of(item->id), item->deaths, 'w');
    }
    /* For a stream, add the items that have not arrived. */
    for (size_t i = 0; i < batch->suspect_count && batch->items.remembers; i++) {
        if (!batch->suspects[i].begun)
            write_entry(batch, slot++, batch->suspects[i].key, batch->suspects[i].deaths, 'w');
    }
    return slot - batch->jobs;
}

void cli_batch_journal_open(cli_batch *batch, const char *results)
{
    char path[FACET_PATH_MAX];
    size_t count = 0;
    batch->journal = -1;
    struct stat info;
    if (fstat(batch->results.descriptor, &info) != 0 || !S_ISREG(info.st_mode) ||
        strcmp(results, "-") == 0) /* a pipe or a device has no file next to it */
        return;
    cli_batch_journal_name(results, path);
    batch->journal = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    batch->suspects = batch->journal >= 0 ? read_suspects(batch->journal, &count) : NULL;
    batch->suspect_count = batch->suspects ? count : 0;
    mark_suspects(batch);
    if (batch->journal >= 0 && ftruncate(batch->journal, 0) == 0)
        write_waiting(batch);
}

/* -- Recording items ----------------------------------------------------- */

void cli_batch_journal_begin(const cli_batch *batch, unsigned slot, cli_batch_item *item)
{
    item->begun = true;
    suspect *found = find_suspect(batch, item);
    const suspect *end = found ? batch->suspects + batch->suspect_count : NULL;
    for (suspect *each = found; each && each < end && each->key == found->key; each++)
        each->begun = true;
    if (batch->journal >= 0)
        write_entry(batch, slot, cli_batch_number_of(item->id), item->deaths, 'r');
}

/* -- Closing the journal ------------------------------------------------- */

void cli_batch_journal_close(cli_batch *batch, const char *results)
{
    char path[FACET_PATH_MAX];
    if (batch->journal < 0)
        return;
    if (batch->items.remembers && !atomic_load(&batch->stop)) /* all items have arrived */
        batch->suspect_count = 0;
    cli_batch_journal_name(results, path);
    if (ftruncate(batch->journal, 0) == 0 && write_waiting(batch) == 0)
        unlink(path);
    close(batch->journal);
    batch->journal = -1;
}
