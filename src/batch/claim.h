/* batch/claim.h - shards that batches on several machines claim from one folder, by a rename each.
 *
 *   - FOLDER/NAME          a shard that can be claimed.
 *   - FOLDER/claimed/NAME  a shard in progress; its time shows when the claimant was last alive.
 *   - FOLDER/done/NAME     a shard whose items all have a final line.
 */
#ifndef FACET_BATCH_CLAIM_H
#define FACET_BATCH_CLAIM_H

#include "cli/record.h"

typedef struct cli_claim {
    const char *folder;
    char name[256];            /* name of the claimed shard */
    char path[FACET_PATH_MAX]; /* current path of the shard */
    double touched;            /* cli_seconds of the last update */
    cli_paths tried;           /* names that this process has claimed before */
    bool failed;               /* the folder could not be read */
} cli_claim;

/* Create the folders. An exit status. */
int cli_claim_begin(cli_claim *claim, const char *folder);
/* Claim a shard that this process has not claimed before. False if no shard is left. */
bool cli_claim_next(cli_claim *claim);
/* Show at intervals that the claimant is alive. `claim` may be NULL. */
void cli_claim_touch(cli_claim *claim);
/* End a claim: as `done`, or so that others can claim the shard. */
void cli_claim_end(cli_claim *claim, bool done);
void cli_claim_free(cli_claim *claim);

#endif
