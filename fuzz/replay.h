/* fuzz/replay.h - the harnesses of a program that replays files. */
#ifndef FACET_FUZZ_REPLAY_H
#define FACET_FUZZ_REPLAY_H

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_harness {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
} fuzz_harness;

/* Ends with one without a name. The build makes it. */
extern const fuzz_harness fuzz_harnesses[];

#endif
