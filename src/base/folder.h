/* base/folder.h - names of the files in a folder. */
#ifndef FACET_BASE_FOLDER_H
#define FACET_BASE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct facet_folder {
    char **names; /* sorted by bytes, without . and .. */
    size_t count;
} facet_folder;

/* List a folder. False, with errno, if it is not a folder, cannot be read, or out of memory.
 * Release *folder in any case. */
bool facet_folder_list(const char *path, facet_folder *folder);
void facet_folder_free(facet_folder *folder);

#endif
