/* cli/tar.c - members of a tar as bytes.
 *
 * Source: IEEE Std 1003.1-2017, pax, "ustar Interchange Format" and "pax Interchange
 * Format". */
#include "cli/tar.h"
#include "base/grow.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Bytes -------------------------------------------------------------- */

static uint8_t *reserve(cli_tar_bytes *bytes, size_t size)
{
    if (size > SIZE_MAX - bytes->size)
        return NULL;
    size_t needed = bytes->size + size;
    if (!FACET_GROW_HEAP(bytes->data, needed, bytes->space))
        return NULL;
    uint8_t *to = bytes->data + bytes->size;
    bytes->size = needed;
    return to;
}

bool cli_tar_append(cli_tar_bytes *bytes, const void *data, size_t size)
{
    uint8_t *to = size > 0 ? reserve(bytes, size) : NULL;
    if (to)
        memcpy(to, data, size);
    return to || size == 0;
}

void cli_tar_free(cli_tar_bytes *bytes)
{
    free(bytes->data);
    *bytes = (cli_tar_bytes){0};
}

/* -- Headers ------------------------------------------------------------ */

/* A header block in the layout of the file; numbers are octal digits. */
typedef struct header {
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type;
    char linkname[100], magic[6], version[2], uname[32], gname[32], devmajor[8], devminor[8];
    char prefix[155], unused[12];
} header;
_Static_assert(sizeof(header) == CLI_TAR_BLOCK, "a header is a block");

/* Maximum of 11 octal digits. */
#define MAX_SIZE ((uint64_t)077777777777)

/* Compute the checksum: the sum of all bytes, with spaces in place of the checksum itself. */
static unsigned sum_of(const header *h)
{
    const uint8_t *bytes = (const uint8_t *)h;
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof *h; i++) {
        bool own = i >= offsetof(header, checksum) && i < offsetof(header, type);
        sum += own ? ' ' : bytes[i];
    }
    return sum;
}

bool cli_tar_is_header(const uint8_t block[CLI_TAR_BLOCK])
{
    header h;
    memcpy(&h, block, sizeof h);
    char digits[sizeof h.checksum + 1] = "";
    memcpy(digits, h.checksum, sizeof h.checksum);
    return memcmp(h.magic, "ustar", 6) == 0 && strtoul(digits, NULL, 8) == sum_of(&h);
}

bool cli_tar_is_own_header(const uint8_t block[CLI_TAR_BLOCK])
{
    header h;
    memcpy(&h, block, sizeof h);
    return cli_tar_is_header(block) && memcmp(h.mtime, "00000000000", sizeof h.mtime) == 0 &&
           memcmp(h.uid, "0000000", sizeof h.uid) == 0 && !*h.uname && !*h.gname &&
           (cli_tar_is_file(block) || h.type == 'x');
}

uint64_t cli_tar_size_of(const uint8_t block[CLI_TAR_BLOCK])
{
    header h;
    memcpy(&h, block, sizeof h);
    char digits[sizeof h.size + 1] = "";
    memcpy(digits, h.size, sizeof h.size);
    return strtoull(digits, NULL, 8) & MAX_SIZE;
}

bool cli_tar_is_file(const uint8_t block[CLI_TAR_BLOCK])
{
    char type = (char)block[offsetof(header, type)];
    return type == '0' || type == '\0';
}

/* Find the slash that splits a name into a prefix and a name that both fit. False without it. */
static bool part_name(const char *name, size_t length, size_t *prefix)
{
    *prefix = 0;
    if (length <= sizeof((header *)0)->name)
        return true;
    for (size_t at = length - 1; at > 0; at--) {
        bool fits = at <= sizeof((header *)0)->prefix &&
                    length - at - 1 <= sizeof((header *)0)->name && length - at - 1 > 0;
        if (name[at] == '/' && fits) {
            *prefix = at;
            return true;
        }
    }
    return false;
}

/* A long `name` is truncated; a record before the header has the full name. */
static bool add_header(cli_tar_bytes *bytes, const char *name, char type, uint64_t size)
{
    header h = {.mode = "0000644", .uid = "0000000", .gid = "0000000", .mtime = "00000000000"};
    size_t length = strlen(name), prefix;
    if (!part_name(name, length, &prefix))
        length = length < sizeof h.name ? length : sizeof h.name;
    size_t first = prefix > 0 ? prefix + 1 : 0;
    memcpy(h.prefix, name, prefix);
    memcpy(h.name, name + first, length - first);
    char digits[24];
    snprintf(digits, sizeof digits, "%011llo", (unsigned long long)(size <= MAX_SIZE ? size : 0));
    memcpy(h.size, digits, sizeof h.size);
    memcpy(h.magic, "ustar", 6);
    memcpy(h.version, "00", 2);
    memcpy(h.devmajor, "0000000", 8);
    memcpy(h.devminor, "0000000", 8);
    h.type = type;
    snprintf(digits, sizeof digits, "%06o", sum_of(&h));
    memcpy(h.checksum, digits, 7);
    h.checksum[7] = ' ';
    return cli_tar_append(bytes, &h, sizeof h);
}

static bool pad(cli_tar_bytes *bytes)
{
    size_t zeros = (CLI_TAR_BLOCK - bytes->size % CLI_TAR_BLOCK) % CLI_TAR_BLOCK;
    uint8_t *to = zeros > 0 ? reserve(bytes, zeros) : NULL;
    if (to)
        memset(to, 0, zeros);
    return to || zeros == 0;
}

/* -- Members ------------------------------------------------------------ */

static size_t digits_of(size_t number)
{
    size_t digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Add "LENGTH KEY=VALUE\n", where the length includes its own digits. */
static bool add_record(cli_tar_bytes *bytes, const char *key, const char *value)
{
    char begin[64];
    size_t rest = strlen(key) + strlen(value) + 3, length = rest + digits_of(rest);
    length = rest + digits_of(length);
    snprintf(begin, sizeof begin, "%zu %s=", length, key);
    return cli_tar_append(bytes, begin, strlen(begin)) &&
           cli_tar_append(bytes, value, strlen(value)) && cli_tar_append(bytes, "\n", 1);
}

static bool is_ascii(const char *name)
{
    while (*name && (unsigned char)*name < 0x80)
        name++;
    return !*name;
}

/* Write a pax header, if the name or the size does not fit the ustar header. */
static bool add_records(cli_tar_bytes *bytes, const char *name, uint64_t size)
{
    cli_tar_bytes records = {0};
    char digits[24];
    size_t prefix;
    bool done = true;
    if (!is_ascii(name) || !part_name(name, strlen(name), &prefix))
        done = (facet_utf8_valid(name, strlen(name)) ||
                add_record(&records, "hdrcharset", "BINARY")) &&
               add_record(&records, "path", name);
    snprintf(digits, sizeof digits, "%" PRIu64, size);
    if (size > MAX_SIZE)
        done = done && add_record(&records, "size", digits);
    if (done && records.size > 0)
        done = add_header(bytes, "pax-header", 'x', records.size) &&
               cli_tar_append(bytes, records.data, records.size) && pad(bytes);
    cli_tar_free(&records);
    return done;
}

bool cli_tar_add(cli_tar_bytes *bytes, const char *name, const void *data, size_t size)
{
    return add_records(bytes, name, size) && add_header(bytes, name, '0', size) &&
           cli_tar_append(bytes, data, size) && pad(bytes);
}

bool cli_tar_name_suits(const char *name)
{
    for (const char *at = name; *at;) {
        size_t length = strcspn(at, "/");
        if (length == 0 || (length == 2 && at[0] == '.' && at[1] == '.'))
            return false;
        at += length + (at[length] == '/');
    }
    return *name && name[strlen(name) - 1] != '/';
}
