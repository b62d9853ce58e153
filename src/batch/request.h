/* batch/request.h - the requests that a worker reads. */
#ifndef FACET_BATCH_REQUEST_H
#define FACET_BATCH_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

/* All zero except the descriptor. */
typedef struct cli_requests {
    int descriptor;
    char *text;
    size_t taken, used, space;
    bool no_memory; /* out of memory: no more requests can be separated from the input */
    int fault;      /* errno if the input could not be read; then it ends */
} cli_requests;

/* Wait for the next request, which is valid until the next call. False at the end of the input. */
bool cli_requests_next(cli_requests *requests, const char **text, size_t *length);
/* Read the bytes after the last request and its line feed. They are in a block that the caller
 * frees. NULL if the input ends too early. */
void *cli_requests_bytes(cli_requests *requests, size_t size, const void **bytes);
void cli_requests_free(cli_requests *requests);

#endif
