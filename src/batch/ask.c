/* batch/ask.c - the request that sends an item to a process. */
#include "base/json.h"
#include "batch/also.h"

#include <stdlib.h>
#include <string.h>

char *cli_batch_make_request(const cli_batch_job *job, const cli_batch_item *item,
                             const cli_tar_bytes *sample, bool follows)
{
    facet_json *request = facet_json_object(), *words = facet_json_array();
    for (int i = 0; i < cli_batch_more_of(item)->word_count; i++)
        facet_json_append(words, cli_json_name(cli_batch_more_of(item)->words[i]));
    facet_json_set(request, "id", facet_json_string(item->id));
    facet_json_set(request, "in", cli_json_name(item->in));
    if (item->out)
        facet_json_set(request, "out", cli_json_name(item->out));
    facet_json_set(request, "args", words);
    facet_json_set(request, "attempt", facet_json_integer((int64_t)item->attempt));
    if (cli_batch_more_of(item)->sha256)
        facet_json_set(request, "sha256", facet_json_string(cli_batch_more_of(item)->sha256));
    if (item->changed > 0)
        facet_json_set(request, "in_ns", facet_json_integer(item->changed));
    facet_json_set(request, "run", facet_json_integer((int64_t)item->run));
    size_t also_count = cli_batch_more_of(item)->also_count;
    facet_json *also = also_count > 0 ? facet_json_array() : NULL;
    for (size_t i = 0; i < also_count; i++)
        facet_json_append(also, cli_json_name(cli_batch_more_of(item)->also[i]));
    if (also_count > 0)
        facet_json_set(request, "also", also);
    if (cli_batch_also_has_line(job))
        cli_batch_add_columns(request, item);
    /* A request that lost a name has no line: the worker would read the sample as requests. */
    char *archive = sample ? strndup(item->in, item->in_archive) : NULL;
    if (sample)
        facet_json_set(request, "archive", archive ? cli_json_name(archive) : NULL);
    if (sample && follows)
        facet_json_set(request, "archive_bytes", facet_json_integer((int64_t)sample->size));
    free(archive);
    char *line = cli_json_line(request);
    facet_json_free(request);
    return line;
}
