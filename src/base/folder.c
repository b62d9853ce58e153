/* base/folder.c - the names in a folder, sorted. */
#include "base/folder.h"
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
    if (l->folder->count == l->space) {
        size_t space = l->space ? l->space * 2 : 32;
        char **grown = realloc(l->folder->names, space * sizeof *grown);
        l->failed = !grown;
        if (!grown)
            return false;
        l->folder->names = grown;
        l->space = space;
    }
    char *copy = malloc(size);
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
