/* base/folder.c - sorted names of the files in a folder. */
#include "base/folder.h"
#include "base/grow.h"
#include "base/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct listing {
    facet_folder *folder;
    size_t space;
    bool failed;
} listing;

static bool keep(void *user, const char *name)
{
    listing *l = user;
    size_t size = strlen(name) + 1;
    bool grown = FACET_GROW_HEAP(l->folder->names, l->folder->count + 1, l->space);
    char *copy = grown ? malloc(size) : NULL;
    l->failed = !copy;
    if (!copy)
        return false;
    memcpy(copy, name, size);
    l->folder->names[l->folder->count++] = copy;
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool facet_folder_list(const char *path, facet_folder *folder)
{
    listing l = {.folder = folder};
    *folder = (facet_folder){0};
    if (!facet_system_list(path, keep, &l))
        return false;
    if (l.failed) {
        errno = ENOMEM;
        return false;
    }
    if (folder->count > 0)
        qsort(folder->names, folder->count, sizeof *folder->names, compare_names);
    return true;
}

void facet_folder_free(facet_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++)
        free(folder->names[i]);
    free(folder->names);
    *folder = (facet_folder){0};
}
