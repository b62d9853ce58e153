/* batch/request.h - the requests that a worker reads. */
#ifndef FACET_BATCH_REQUEST_H
#define FACET_BATCH_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

/* All zero but the descriptor. */
typedef struct cli_requests {
    int descriptor;
    char *text;
    size_t taken, used, space;
    bool no_memory; /* what comes cannot be told from requests any more: there are none */
} cli_requests;

/* Wait for the next one; it is valid until the next call. False at the end of the input. */
bool cli_requests_next(cli_requests *requests, const char **text, size_t *length);
/* The bytes after the last request and its line feed. They lie in a block that is the caller's to
 * free. NULL when the input ends before. */
void *cli_requests_bytes(cli_requests *requests, size_t size, const void **bytes);
void cli_requests_free(cli_requests *requests);

#endif
