/* batch/filter.h - conditions on what an item is, decided before it is converted. */
#ifndef FACET_BATCH_FILTER_H
#define FACET_BATCH_FILTER_H

#include "batch/batch.h"

/* Parse the texts of --filter, "triangles<=100000" each, into the job. An exit status, and a
 * message. Release the job either way. */
int cli_batch_filter_parse(const cli_arguments *arguments, const cli_texts *given,
                           cli_batch_job *job);
void cli_batch_filter_free(cli_batch_job *job);
/* Examine an item. The record has begun; it keeps only the files that were read. *reason, at least
 * 200 bytes, is why the item is skipped, or empty. An exit status: except for EXIT_DONE, the item
 * cannot be examined. */
int cli_batch_filter_run(const cli_batch_job *job, const cli_batch_item *item, cli_record *record,
                         char reason[200]);

#endif
