/* cli/tar.h - members of a tar by POSIX.1-2001: ustar, and pax for names or sizes that do not fit.
 * Without users and times, so that the bytes are reproducible.
 *
 * Members are collected in memory; batch/tar_file.h appends them to a file. */
#ifndef FACET_CLI_TAR_H
#define FACET_CLI_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_TAR_BLOCK = 512 };

typedef struct cli_tar_bytes {
    uint8_t *data;
    size_t size, space;
} cli_tar_bytes;

/* Add a plain file: its header, its bytes, zeros up to a whole block. False without
 * memory. */
bool cli_tar_add(cli_tar_bytes *bytes, const char *name, const void *data, size_t size);
bool cli_tar_append(cli_tar_bytes *bytes, const void *data, size_t size);
void cli_tar_free(cli_tar_bytes *bytes);
/* True when a block is the header of a member. */
bool cli_tar_is_header(const uint8_t block[CLI_TAR_BLOCK]);
/* Bytes of data behind a header, at most what 11 octal digits hold. */
uint64_t cli_tar_size_of(const uint8_t block[CLI_TAR_BLOCK]);
/* True of the header of a plain file. */
bool cli_tar_is_file(const uint8_t block[CLI_TAR_BLOCK]);
/* True for a name that tar extracts below its target folder. */
bool cli_tar_name_suits(const char *name);

#endif
