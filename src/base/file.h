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
/* A file up to here is read, where it is parsed. */
#define FACET_STEADY_SIZE ((size_t)64 * 1024 * 1024)
/* Open a file for a parser. Its bytes stay the same while others write to the file: a mapped file
 * may change between the check of a count and its use. Files up to FACET_STEADY_SIZE are read, and
 * so are those that they name.
 * Larger ones, and those above an eighth of the memory limit of `options` (NULL: none), are mapped
 * as facet_file_open does it. Errors: those of facet_file_open. */
facet_status facet_file_open_steady(const char *path, const facet_options *options,
                                    facet_file **file, facet_error *error);
facet_status facet_file_open_descriptor_steady(int descriptor, const char *name,
                                               const facet_options *options, facet_file **file,
                                               facet_error *error);
/* What a reader is done with: where the source is a file that is mapped, these bytes need not
 * stay in memory. They can be looked at again. */
void facet_source_forget(const facet_source *source, const uint8_t *from, const uint8_t *to);
/* Copy `size` bytes of a source, from its byte `offset` on. Of a mapped file they are read: what
 * is looked at once costs several times as much when its pages are faulted in. */
void facet_source_copy(const facet_source *source, size_t offset, void *to, size_t size);
/* Is that so of this source? */
bool facet_source_is_mapped(const facet_source *source);

/* Open what stands beside a source. `name` comes from a file and is not
 * trusted: absolute names, and names that climb out of the source's directory,
 * are refused (rule FILE-EXTERNAL) unless source->allow_external is set; \\
 * counts as /. *sibling is to be closed with facet_source_close. What is not
 * there gives FACET_ERROR_IO. */
facet_status facet_source_open_sibling(const facet_source *source, const char *name,
                                       facet_source *sibling, facet_error *error);

#endif
