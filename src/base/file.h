/* base/file.h - what a path leads to. */
#ifndef FACET_BASE_FILE_H
#define FACET_BASE_FILE_H

#include <facet/base.h>

/* How much of a path names a file, when a part before its end does: of
 * "a/b.arc/c/d", where b.arc is a file, the length of "a/b.arc". 0 when the whole
 * path is there, or nothing of it is a file. */
size_t facet_file_in_path(const char *path);
/* False also of pipes and devices, which must not be opened to look what is in them. */
bool facet_file_is_regular(const char *path);
/* What a reader is done with: where the source is a file that is mapped, these bytes need not
 * stay in memory. They can be looked at again. */
void facet_source_forget(const facet_source *source, const uint8_t *from, const uint8_t *to);

#endif
