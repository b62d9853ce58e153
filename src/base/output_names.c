/* base/output_names.c - names of outputs that are written together. */
#include "base/output_names.h"

#include <limits.h>
#include <string.h>

typedef struct identity {
    uint64_t device, number;
} identity;

/* Copy a path in lower case; false if it is too long. ASCII, like strcasecmp. */
static bool fold(char folded[PATH_MAX], const char *path, size_t *length)
{
    *length = strlen(path);
    if (*length >= PATH_MAX)
        return false;
    for (size_t i = 0; i <= *length; i++)
        folded[i] = (char)(path[i] >= 'A' && path[i] <= 'Z' ? path[i] + ('a' - 'A') : path[i]);
    return true;
}

facet_output_names facet_output_names_make(facet_arena *arena)
{
    return (facet_output_names){facet_names_make(arena),
                                facet_records_make(arena, sizeof(identity))};
}

/* True if the replaced file of an output is known. */
static bool identify(const facet_new_file *file, identity *replaced)
{
    if (!file || !file->replaces || file->number == 0)
        return false;
    *replaced = (identity){file->device, file->number};
    return true;
}

bool facet_output_names_has(facet_output_names *names, const char *path, const facet_new_file *file)
{
    char folded[PATH_MAX];
    identity replaced;
    size_t length;
    return (fold(folded, path, &length) &&
            facet_names_find(&names->paths, folded, length) != UINT32_MAX) ||
           (identify(file, &replaced) &&
            facet_records_find(&names->files, &replaced) != UINT32_MAX);
}

bool facet_output_names_put(facet_output_names *names, const char *path, const facet_new_file *file)
{
    char folded[PATH_MAX];
    identity replaced;
    size_t length;
    return (!fold(folded, path, &length) ||
            facet_names_put_copy(&names->paths, folded, length) != UINT32_MAX) &&
           (!identify(file, &replaced) ||
            facet_records_put(&names->files, &replaced) != UINT32_MAX);
}
