/* batch/hooked_item.h - an item between two hooks: one fetches its input into a folder of the
 * batch, and one stores its outputs from such a folder. */
#ifndef FACET_BATCH_HOOKED_ITEM_H
#define FACET_BATCH_HOOKED_ITEM_H

#include "batch/batch.h"

/* An output that waits to be stored. */
typedef struct cli_parcel {
    const char *file, *out;
} cli_parcel;

typedef struct cli_hooked_item {
    cli_batch_item item; /* the item with the paths that its process uses */
    cli_batch_more more;
    struct facet_arena *arena; /* NULL: the item has no hooks */
    char *folder;
    cli_parcel *parcels;
    size_t count, stored;
    facet_json *line; /* line of the item, while its outputs are stored */
    pid_t process;    /* running hook; 0: none */
} cli_hooked_item;

/* Create the folder of the hooked items, if there are any. An exit status. */
int cli_hooked_items_open(cli_batch *batch);
void cli_hooked_items_close(cli_batch *batch);

/* Choose paths for the files of an item in the folder number `slot`. False if out of memory. */
bool cli_hooked_item_begin(cli_hooked_item *hooked, const cli_batch *batch, unsigned slot,
                           const cli_batch_item *item);
/* Start the hook that fetches the input, or stores the next output. False, and errno. */
bool cli_hooked_item_fetch(cli_hooked_item *hooked, const cli_batch *batch,
                           const cli_batch_item *item);
bool cli_hooked_item_store(cli_hooked_item *hooked, const cli_batch *batch);
/* Restore the item's own names in a line, and list the outputs to store. False if out of memory. */
bool cli_hooked_item_restore(cli_hooked_item *hooked, const cli_batch *batch,
                             const cli_batch_item *item, facet_json *line);
/* Stop the hook, and remove the files. */
void cli_hooked_item_end(cli_hooked_item *hooked);

#endif
