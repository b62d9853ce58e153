/* formats/assimp/file/kind.c - the reader that assimp selects for a file. */
#include "formats/assimp/file/scan.h"

#include <string.h>
#include <strings.h>

/* Bytes at the start of a file in which assimp looks for the format. */
#define SEARCHED 1000

bool facet_assimp_is_format(const uint8_t *data, size_t size, const char *extension,
                            const char *extensions, const char *magic)
{
    size_t length = strlen(extension);
    for (const char *at = extensions; length > 0 && (at = strchr(at, '.')); at++) {
        if (strncasecmp(at, extension, length) == 0 && (at[length] == ' ' || at[length] == 0))
            return true;
    }
    if (!magic)
        return false;
    length = strlen(magic);
    for (size_t i = 0; i < SEARCHED && length <= size && i <= size - length; i++) {
        if (strncasecmp((const char *)data + i, magic, length) == 0)
            return true;
    }
    return false;
}
