/* batch/stream.h - items of shards that are read once, from beginning to end. A thread reads, and
 * pauses while enough samples wait. */
#ifndef FACET_BATCH_STREAM_H
#define FACET_BATCH_STREAM_H

#include "batch/batch.h"
#include "batch/split.h"

typedef struct cli_stream cli_stream;

/* Both arguments outlive the stream. NULL, and a message, if out of memory. */
cli_stream *cli_stream_create(cli_batch *batch, const cli_batch_origin *origin, cli_split_by by,
                              const cli_batch_policy *policy);
/* Start to read. An exit status. */
int cli_stream_start(cli_stream *stream);
/* The next item, which stays valid until cli_stream_release; NULL: none yet, or no more. */
cli_batch_item *cli_stream_take(cli_stream *stream);
/* True if no more items will arrive. */
bool cli_stream_is_over(cli_stream *stream);
/* From now on, take the items during which an earlier run ended. */
void cli_stream_take_suspects(cli_stream *stream);
/* Bytes of an item's sample, a tar. *number, which may be NULL: the sample's number, from 1. */
const cli_tar_bytes *cli_stream_sample(const cli_batch_item *item, uint64_t *number);
void cli_stream_release(cli_batch_item *item);
/* Number of items found; those that were done, or failed permanently in earlier runs or because an
 * earlier item has their id or output; items of other shards. */
typedef struct cli_stream_counts {
    uint64_t items, done, failed, elsewhere;
    bool whole; /* all shards were read to their ends */
    int result; /* an exit status */
} cli_stream_counts;
/* Wait until reading ends, after the last item. */
cli_stream_counts cli_stream_end(cli_stream *stream);
/* Stop reading. `stream` may be NULL. */
void cli_stream_free(cli_stream *stream);

#endif
