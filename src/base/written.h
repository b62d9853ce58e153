/* base/written.h - an output that is not committed yet, read again. */
#ifndef FACET_BASE_WRITTEN_H
#define FACET_BASE_WRITTEN_H

#include <facet/base.h>

/* What was written, as a source: it finds what was written beside it, and else what lies in the
 * folder. */
typedef struct facet_written {
    facet_source source;
    const facet_output *output;
    facet_file *file; /* of an output that is a file */
} facet_written;

/* Close the output for writing and open it for reading; `name` is for messages. An output that
 * hands its bytes on (a device, standard output, an archive) is FACET_ERROR_UNSUPPORTED. The
 * struct stays where it is until facet_written_close. */
facet_status facet_written_open(facet_output *output, const char *name, facet_written *written,
                                facet_error *error);
void facet_written_close(facet_written *written);

#endif
