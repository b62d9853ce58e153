/* base/output.h - outputs: what the program knows of them beyond facet/base.h. */
#ifndef FACET_BASE_OUTPUT_H
#define FACET_BASE_OUTPUT_H

#include <facet/base.h>

/* As facet_output_open, but a symbolic link at `path` itself is replaced, and what is
 * neither that nor a regular file is refused: for names that come from a file. */
facet_status facet_output_open_unlinked(const char *path, facet_output **output,
                                        facet_error *error);
/* All of an output and its siblings is written: give the bytes to the system and let
 * go of the descriptors. Nothing is visible before it is committed. Who opens many
 * outputs and commits them together says this of each. */
facet_status facet_output_finish(facet_output *output, facet_error *error);
/* Where the bytes of a file lie until it is committed; NULL for other outputs. */
const char *facet_output_temporary(const facet_output *output);
/* Commit several outputs, all or none of them. */
facet_status facet_outputs_commit(facet_output *const *outputs, size_t count, facet_error *error);
/* True when a write to the output or a sibling failed. */
bool facet_output_failed(const facet_output *output);
/* Hash what is written from here on, before the first byte is; and to siblings that
 * are opened later. Only files need to be told. */
void facet_output_begin_hash(facet_output *output);
/* SHA-256 of all bytes, once they were committed, as 64 hexadecimal digits. False
 * when the output was not told, or hands its bytes on. */
bool facet_output_end_hash(const facet_output *output, char text[65]);
/* The process ends by a signal: put back or remove all that is not committed. For a
 * handler of signals, which then lets the process end. */
void facet_outputs_abandon(void);

/* A second file in the folder of the output, as facet_output_open_sibling opens one, but of
 * a name of its own, which holds no slash. */
facet_status facet_output_open_beside(facet_output *output, const char *name,
                                      facet_output **sibling, facet_error *error);

/* A second file beside the output, named like it with another extension
 * (".mtl"); committed and freed together with `output`. In memory it is another
 * buffer; on a descriptor it is FACET_ERROR_UNSUPPORTED. A name that the output
 * or another sibling has is FACET_ERROR_ARGUMENT. */
facet_status facet_output_open_sibling(facet_output *output, const char *extension,
                                       facet_output **sibling, facet_error *error);

#endif
