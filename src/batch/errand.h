/* batch/errand.h - an item between two hooks: a hook fetches its input into a folder of the batch,
 * and a hook stores its outputs from such a folder. */
#ifndef FACET_BATCH_ERRAND_H
#define FACET_BATCH_ERRAND_H

#include "batch/batch.h"

/* An output that waits to be stored. */
typedef struct cli_parcel {
    const char *file, *out;
} cli_parcel;

typedef struct cli_errand {
    cli_batch_item item; /* the item with the paths that its process uses */
    cli_batch_more more;
    struct facet_arena *arena; /* NULL: no errand */
    char *folder;
    cli_parcel *parcels;
    size_t count, stored;
    facet_json *line; /* line of the item, while its outputs are stored */
    pid_t process;    /* running hook; 0: none */
    int output;       /* descriptor of the hook's standard output */
} cli_errand;

/* Create the folder of the errands, if items have hooks. An exit status. */
int cli_errands_open(cli_batch *batch);
void cli_errands_close(cli_batch *batch);

/* Choose paths for the files of an item in the folder number `slot`. False if out of memory. */
bool cli_errand_begin(cli_errand *errand, const cli_batch *batch, unsigned slot,
                      const cli_batch_item *item);
/* Start the hook that fetches the input, or stores the next output. False, and errno. */
bool cli_errand_fetch(cli_errand *errand, const cli_batch *batch, const cli_batch_item *item);
bool cli_errand_store(cli_errand *errand, const cli_batch *batch);
/* Restore the item's own names in a line, and list the outputs to store. False if out of memory. */
bool cli_errand_restore(cli_errand *errand, const cli_batch *batch, const cli_batch_item *item,
                        facet_json *line);
/* Stop the hook, and remove the files. */
void cli_errand_end(cli_errand *errand);

#endif
