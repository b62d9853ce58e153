/* base/file.h - files at a path. */
#ifndef FACET_BASE_FILE_H
#define FACET_BASE_FILE_H

#include <facet/base.h>

/* Length of the part of a path that is a file, if the path continues after it. For "a/b.arc/c/d",
 * where b.arc is a file, it is the length of "a/b.arc". 0 if the whole path exists, or no part of
 * it is a file. */
size_t facet_file_in_path(const char *path);
/* The same, and whether the path itself is a regular file. Pipes and devices must not be opened for
 * probing. */
size_t facet_file_look(const char *path, bool *is_regular);
/* Maximum size of a file that is read instead of mapped for a parser. */
#define FACET_STEADY_SIZE ((size_t)64 * 1024 * 1024)
/* Open a file for a parser. Its bytes stay the same while others write to the file; a mapped file
 * could change between the check of a count and its use. Files up to FACET_STEADY_SIZE are read,
 * and so are the files that they name. Larger files, and files above an eighth of the memory limit
 * of `options` (NULL: none), are mapped as in facet_file_open. Errors: those of facet_file_open. */
facet_status facet_file_open_steady(const char *path, const facet_options *options,
                                    facet_file **file, facet_error *error);
facet_status facet_file_open_descriptor_steady(int descriptor, const char *name,
                                               const facet_options *options, facet_file **file,
                                               facet_error *error);
/* Allow the system to drop bytes of a mapped file that a reader no longer needs. They can still be
 * read again. */
void facet_source_forget(const facet_source *source, const uint8_t *from, const uint8_t *to);
/* Like facet_source_forget, for bytes that nobody reads again: pages of a file that was read into
 * memory are also released. */
void facet_source_discard(const facet_source *source, const uint8_t *from, const uint8_t *to);
/* Copy `size` bytes of a source from byte `offset`. A mapped file is read instead: for bytes that
 * are used once, loading mapped pages takes several times as long. */
void facet_source_copy(const facet_source *source, size_t offset, void *to, size_t size);
/* True if the source is a mapped file. */
bool facet_source_is_mapped(const facet_source *source);

/* Open a file next to a source. `name` is from a file and is not trusted. Absolute names, and names
 * that leave the source's directory, are rejected (rule FILE-EXTERNAL) unless
 * source->allow_external is set. \\ is treated as /. Close *sibling with facet_source_close.
 * FACET_ERROR_IO if the file does not exist. */
facet_status facet_source_open_sibling(const facet_source *source, const char *name,
                                       facet_source *sibling, facet_error *error);
/* Like facet_source_open_sibling, for a path that may end in the query or fragment of a URI
 * ("a.png?v=2", "a.png#top"). If no file has the whole name, the file without them is opened. The
 * error is that of the whole name. */
facet_status facet_source_open_uri(const facet_source *source, const char *path,
                                   facet_source *sibling, facet_error *error);
/* Open the file of a path of another machine by an end of that path: its name, or its name with its
 * last folders. The longest end that exists next to `source` is opened, and *used becomes it.
 * Returns false without a file. */
bool facet_source_open_end(const facet_source *source, const char *path, facet_source *sibling,
                           const char **used);
/* Most ends of a path that are tried: its base name, and with up to three folders. */
enum { FACET_PATH_ENDS = 4 };
/* Find the ends of a path that are shorter than the path, the longest first. Returns their number.
 */
size_t facet_path_ends(const char *path, const char *ends[FACET_PATH_ENDS]);
/* A path without its folders, including those of Windows. */
const char *facet_path_base(const char *path);

#endif
