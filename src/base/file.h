/* base/file.h - what a path leads to. */
#ifndef FACET_BASE_FILE_H
#define FACET_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* How much of a path names a file, when a part before its end does: of
 * "a/b.arc/c/d", where b.arc is a file, the length of "a/b.arc". 0 when the whole
 * path is there, or nothing of it is a file. */
size_t facet_file_in_path(const char *path);
/* False also of pipes and devices, which must not be opened to look what is in them. */
bool facet_file_is_regular(const char *path);

#endif
