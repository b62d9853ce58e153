/* batch/products.h - further outputs of an item: other commands that run on the same input. */
#ifndef FACET_BATCH_PRODUCTS_H
#define FACET_BATCH_PRODUCTS_H

#include "batch/batch.h"

/* Parse the texts of --also, "COMMAND [OPTIONS] TEMPLATE" each, into the job. An exit status.
 * Release the job either way. */
int cli_batch_products_parse(const cli_arguments *arguments, const cli_texts *given,
                             cli_batch_job *job);
void cli_batch_products_free(cli_batch_job *job);
/* Expand the paths of an item's further outputs from the templates of the job; `below` as in
 * cli_batch_expand. False if out of memory. */
bool cli_batch_products_expand(facet_arena *arena, const cli_batch_job *job,
                               const cli_batch_item *item, cli_batch_more *more, size_t below);
/* Run the further commands of an item; `result` and the findings of the main command stay. An exit
 * status. */
int cli_batch_products_run(const cli_batch_job *job, const cli_batch_item *item,
                           cli_record *record);
/* True when the line is one of the outputs. */
bool cli_batch_products_has_line(const cli_batch_job *job);
/* Write the line with only the keys that are the same in every run. An exit status. */
int cli_batch_products_write_line(const cli_batch_job *job, const cli_batch_item *item,
                                  const facet_json *line, cli_record *record);

#endif
