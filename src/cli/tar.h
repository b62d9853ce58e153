/* cli/tar.h - members of a tar as POSIX.1-2001 has them (ustar, and pax where a name
 * or a size does not fit). The same bytes each time: of no user, at no time.
 *
 * Bytes of several members grow in memory; batch/tar_file.h appends such pieces to a
 * file. */
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
/* True of a name that tar takes out below the folder that it is told to. */
bool cli_tar_name_suits(const char *name);

#endif
