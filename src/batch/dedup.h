/* batch/dedup.h - items of equal content: one is converted, and its outputs are copied for the
 * others. */
#ifndef FACET_BATCH_DEDUP_H
#define FACET_BATCH_DEDUP_H

#include "batch/batch.h"

/* Find equal items among `count` indices of items to run, in ascending order. False if out of
 * memory. */
bool cli_dedup_find(cli_batch *batch, const size_t *indices, size_t count);
/* True if an item is equal to an earlier one. */
bool cli_dedup_is_copy(const cli_batch *batch, size_t index);
/* Store the line of an item that has copies; call it before cli_batch_finish. Any thread. */
void cli_dedup_keep(cli_batch *batch, const cli_batch_item *item, facet_json *line);
/* Copy the outputs of the first equal item. The line of the item; NULL if the item itself must be
 * converted. Any thread. */
facet_json *cli_dedup_copy(cli_batch *batch, const cli_batch_item *item, cli_record *record);
void cli_dedup_free(struct cli_dedup *dedup);

#endif
