/* batch/errand.h - an item between two hooks: its input is brought into a folder of the batch, its
 * outputs are taken out of one. */
#ifndef FACET_BATCH_ERRAND_H
#define FACET_BATCH_ERRAND_H

#include "batch/batch.h"

/* An output on its way. */
typedef struct cli_parcel {
    const char *file, *out;
} cli_parcel;

typedef struct cli_errand {
    cli_batch_item item; /* as its process sees it */
    cli_batch_more more;
    struct facet_arena *arena; /* NULL: there is no errand */
    char *folder;
    cli_parcel *parcels;
    size_t count, stored;
    facet_json *line; /* of the item, while outputs are stored */
    pid_t process;    /* of the hook that runs; 0: none */
    int output;       /* what it prints */
} cli_errand;

/* Make the folder that errands are run in, when items have hooks. An exit status. */
int cli_errands_open(cli_batch *batch);
void cli_errands_close(cli_batch *batch);

/* Name the files of an item in the folder number `slot`. False without memory. */
bool cli_errand_begin(cli_errand *errand, const cli_batch *batch, unsigned slot,
                      const cli_batch_item *item);
/* Start the hook that brings the input, or takes the next output. False, and errno. */
bool cli_errand_fetch(cli_errand *errand, const cli_batch *batch, const cli_batch_item *item);
bool cli_errand_store(cli_errand *errand, const cli_batch *batch);
/* Give a line the names that the item has, and list the outputs to take. False without memory. */
bool cli_errand_restore(cli_errand *errand, const cli_batch *batch, const cli_batch_item *item,
                        facet_json *line);
/* Stop its hook, remove its files. */
void cli_errand_end(cli_errand *errand);

#endif
