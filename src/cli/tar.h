/* cli/tar.h - members of a tar by POSIX.1-2001: ustar, and pax for names or sizes that do not fit.
 * Users and times are not stored, so the bytes are reproducible.
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

/* Add a file: header, bytes, and zeros up to a whole block. False if out of memory. */
bool cli_tar_add(cli_tar_bytes *bytes, const char *name, const void *data, size_t size);
bool cli_tar_append(cli_tar_bytes *bytes, const void *data, size_t size);
void cli_tar_free(cli_tar_bytes *bytes);
/* True if a block is the header of a member. */
bool cli_tar_is_header(const uint8_t block[CLI_TAR_BLOCK]);
/* True for a header as cli_tar_add writes it: user and time are 0. */
bool cli_tar_is_own_header(const uint8_t block[CLI_TAR_BLOCK]);
/* Size of the data that follows a header; its 11 octal digits are the limit. */
uint64_t cli_tar_size_of(const uint8_t block[CLI_TAR_BLOCK]);
/* True if a header is that of a regular file. */
bool cli_tar_is_file(const uint8_t block[CLI_TAR_BLOCK]);
/* True for a name that tar extracts below its target folder. */
bool cli_tar_name_suits(const char *name);

#endif
