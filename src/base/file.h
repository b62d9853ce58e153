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
/* Copy `size` bytes of a source, from its byte `offset` on. Of a mapped file they are read: what
 * is looked at once costs several times as much when its pages are faulted in. */
void facet_source_copy(const facet_source *source, size_t offset, void *to, size_t size);
/* Is that so of this source? */
bool facet_source_is_mapped(const facet_source *source);

#endif
