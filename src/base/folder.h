/* base/folder.h - the names in a folder. */
#ifndef FACET_BASE_FOLDER_H
#define FACET_BASE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct facet_folder {
    char **names; /* in the order of their bytes, without . and .. */
    size_t count;
} facet_folder;

/* False, and errno, when it is no folder, cannot be read, or without memory. What is
 * in *folder is to be released in any case. */
bool facet_folder_list(const char *path, facet_folder *folder);
void facet_folder_free(facet_folder *folder);

#endif
