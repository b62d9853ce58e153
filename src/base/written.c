/* base/written.c - reading of an output before it is committed. */
#include "base/written.h"
#include "base/file.h"

#include "base/error.h"
#include "base/output.h"

#include <string.h>

/* Get the bytes of one output; a file is opened for this. */
static facet_status open_bytes(const facet_output *output, facet_file **file, facet_source *source,
                               facet_error *error)
{
    const char *path = facet_output_temporary(output);
    const uint8_t *data = facet_output_data(output);
    *file = NULL;
    if (data) {
        *source = facet_source_from_memory(data, (size_t)facet_output_size(output), NULL);
        return FACET_OK;
    }
    if (!path)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, NULL, FACET_NO_OFFSET,
                          "an output cannot be read before it is committed");
    TRY(facet_file_open(path, NULL, file, error));
    *source = facet_file_source(*file);
    return FACET_OK;
}

static void close_sibling(facet_source *source)
{
    facet_file_close(source->user);
    memset(source, 0, sizeof *source);
}

static facet_status open_sibling(const facet_source *source, const char *name,
                                 facet_source *sibling, facet_error *error)
{
    const facet_written *written = source->user;
    for (const facet_output *each = written->output; each; each = facet_output_next_sibling(each)) {
        if (strcmp(facet_output_name(each), name) != 0)
            continue;
        facet_file *file;
        TRY(open_bytes(each, &file, sibling, error));
        sibling->name = facet_output_name(each);
        sibling->open_sibling = NULL;
        sibling->user = file;
        sibling->close = close_sibling;
        return FACET_OK;
    }
    if (!written->file)
        return facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET, "'%s' does not exist",
                          name);
    facet_source whole = facet_file_source(written->file);
    whole.allow_external = source->allow_external;
    return facet_source_open_sibling(&whole, name, sibling, error);
}

facet_status facet_written_open(facet_output *output, const char *name, facet_written *written,
                                facet_error *error)
{
    memset(written, 0, sizeof *written);
    written->output = output;
    TRY(facet_output_finish(output, error));
    TRY(open_bytes(output, &written->file, &written->source, error));
    written->source.name = name;
    written->source.open_sibling = open_sibling;
    written->source.user = written;
    return FACET_OK;
}

void facet_written_close(facet_written *written)
{
    facet_file_close(written->file);
    memset(written, 0, sizeof *written);
}
