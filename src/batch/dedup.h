/* batch/dedup.h - items of equal content: one is converted, and the outputs of the others are
 * copies of its outputs. */
#ifndef FACET_BATCH_DEDUP_H
#define FACET_BATCH_DEDUP_H

#include "batch/batch.h"

/* Find equal items among `count` indices of items that run, in ascending order. False without
 * memory. */
bool cli_dedup_find(cli_batch *batch, const size_t *indices, size_t count);
/* True of an item that is equal to an earlier one. */
bool cli_dedup_is_copy(const cli_batch *batch, size_t index);
/* Keep the line of an item that others are equal to; before cli_batch_finish. Any thread. */
void cli_dedup_keep(cli_batch *batch, const cli_batch_item *item, facet_json *line);
/* Copy the outputs of the first of its equals. The line of the item; NULL when it must be
 * converted itself. Any thread. */
facet_json *cli_dedup_copy(cli_batch *batch, const cli_batch_item *item, cli_record *record);
void cli_dedup_free(struct cli_dedup *dedup);

#endif
