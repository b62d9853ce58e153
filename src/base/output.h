/* base/output.h - internal functions of outputs, in addition to facet/base.h. */
#ifndef FACET_BASE_OUTPUT_H
#define FACET_BASE_OUTPUT_H

#include <facet/base.h>

/* Like facet_output_open, but replace a symbolic link at `path` itself, and reject everything
 * except links and regular files. For names that are from a file. */
facet_status facet_output_open_unlinked(const char *path, facet_output **output,
                                        facet_error *error);
/* Finish writing an output and its siblings: pass the bytes to the system and close the
 * descriptors. Nothing is visible before the commit. Call this for each of many outputs that are
 * committed together. */
facet_status facet_output_finish(facet_output *output, facet_error *error);
/* Path of the file's bytes until it is committed; NULL for other outputs. */
const char *facet_output_temporary(const facet_output *output);
/* Commit several outputs, all or none of them. */
facet_status facet_outputs_commit(facet_output *const *outputs, size_t count, facet_error *error);
/* True if a write to the output or a sibling failed. */
bool facet_output_failed(const facet_output *output);
/* Hash the bytes of the output, and of siblings opened later. Call it before the first byte is
 * written. Only files are hashed. */
void facet_output_begin_hash(facet_output *output);
/* Get the SHA-256 of all bytes after the commit, as 64 hexadecimal digits. False if hashing was not
 * started, or the output is not a file. */
bool facet_output_end_hash(const facet_output *output, char text[65]);
/* Restore or remove everything that is not committed, because the process ends by a signal. For a
 * signal handler, which then ends the process. */
void facet_outputs_abandon(void);

/* Open a second file in the folder of the output, like facet_output_open_sibling, but with any name
 * without a slash. */
facet_status facet_output_open_beside(facet_output *output, const char *name,
                                      facet_output **sibling, facet_error *error);

/* Open a second file next to the output, with the same name and another extension (".mtl").
 * Characters that a reference in the output cannot hold become '_'. The sibling is committed and
 * freed together with `output`. In memory, it is another buffer; for a descriptor,
 * FACET_ERROR_UNSUPPORTED. A name that the output or another sibling already has is
 * FACET_ERROR_ARGUMENT. */
facet_status facet_output_open_sibling(facet_output *output, const char *extension,
                                       facet_output **sibling, facet_error *error);

/* The name of the output with the characters that its siblings have; NULL if out of memory. */
char *facet_output_sibling_name(const facet_output *output, facet_arena *arena);
/* True if the output has siblings, and their names have other characters than its own. */
bool facet_output_renames_siblings(const facet_output *output);

#endif
