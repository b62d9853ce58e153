/* batch/claim.h - shards that batches on several machines take out of one folder, one rename each:
 *
 *     FOLDER/NAME           to be claimed
 *     FOLDER/claimed/NAME   at work; its time is that of the claimant's last sign of life
 *     FOLDER/done/NAME      all of its items have a line that is final
 */
#ifndef FACET_BATCH_CLAIM_H
#define FACET_BATCH_CLAIM_H

#include "cli/record.h"

typedef struct cli_claim {
    const char *folder;
    char name[256];            /* of the shard that is claimed */
    char path[FACET_PATH_MAX]; /* where it is now */
    double touched;            /* cli_seconds of the last sign of life */
    cli_paths tried;           /* names that this process had before */
    bool failed;               /* the folder could not be read */
} cli_claim;

/* Make the folders. An exit status. */
int cli_claim_begin(cli_claim *claim, const char *folder);
/* Claim one that this process had not yet. False when there is none. */
bool cli_claim_next(cli_claim *claim);
/* Show from time to time that the claimant lives. NULL is fine. */
void cli_claim_touch(cli_claim *claim);
/* Give it away: `done`, or for others to claim. */
void cli_claim_end(cli_claim *claim, bool done);
void cli_claim_free(cli_claim *claim);

#endif
