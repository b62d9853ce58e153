/* base/written.h - reading of an output before it is committed. */
#ifndef FACET_BASE_WRITTEN_H
#define FACET_BASE_WRITTEN_H

#include <facet/base.h>

/* Written bytes as a source. Its siblings are those of the output, and otherwise the files in the
 * folder. */
typedef struct facet_written {
    facet_source source;
    const facet_output *output;
    facet_file *file; /* for an output that is a file */
} facet_written;

/* Close the output for writing and open it for reading; `name` is used in messages.
 * FACET_ERROR_UNSUPPORTED for an output that keeps no bytes (a device, standard output, an
 * archive). Do not move the struct before facet_written_close. */
facet_status facet_written_open(facet_output *output, const char *name, facet_written *written,
                                facet_error *error);
void facet_written_close(facet_written *written);

#endif
