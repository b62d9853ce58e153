/* batch/stream.h - items of shards that are read once, from beginning to end: a thread reads, and
 * waits while enough samples wait. */
#ifndef FACET_BATCH_STREAM_H
#define FACET_BATCH_STREAM_H

#include "batch/batch.h"
#include "batch/split.h"

typedef struct cli_stream cli_stream;

/* Both outlive the stream. NULL, and a message, without memory. */
cli_stream *cli_stream_create(cli_batch *batch, const cli_batch_origin *origin, cli_split_by by,
                              const cli_batch_policy *policy);
/* Begin to read. An exit status. */
int cli_stream_start(cli_stream *stream);
/* The next item, its to cli_stream_release; NULL: none is there yet, or ever. */
cli_batch_item *cli_stream_take(cli_stream *stream);
/* True when no more come. */
bool cli_stream_is_over(cli_stream *stream);
/* From now on those that an earlier run ended with. */
void cli_stream_take_suspects(cli_stream *stream);
/* The bytes of an item's sample, a tar; *number, which may be NULL: which of all samples it is,
 * from 1. */
const cli_tar_bytes *cli_stream_sample(const cli_batch_item *item, uint64_t *number);
void cli_stream_release(cli_batch_item *item);
/* Items found, of these done or failed for good in earlier runs; and those of other shards. */
typedef struct cli_stream_counts {
    uint64_t items, done, failed, elsewhere;
    bool whole; /* all shards were read to their end */
    int result; /* EXIT_DONE, or an exit status */
} cli_stream_counts;
/* After the last item: wait until nothing is read any more. */
cli_stream_counts cli_stream_end(cli_stream *stream);
/* Stops reading. NULL is fine. */
void cli_stream_free(cli_stream *stream);

#endif
