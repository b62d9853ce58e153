/* batch/header_line.c - the line before those of a run: command, options and host. It has no id, so
 * that it is not the line of an item. */
#include "base/json.h"
#include "batch/batch.h"

#include <string.h>
#include <unistd.h>

/* A manifest may have a column with this name: a header begins exactly like this. */
static const char begins[] = "{\"header\":{\"command\":[";

bool cli_batch_is_header(const char *text, size_t length)
{
    return length > sizeof begins && memcmp(text, begins, sizeof begins - 1) == 0;
}

static facet_json *texts_of(const char *first, char *const *words, size_t count)
{
    facet_json *list = facet_json_array();
    facet_json_append(list, facet_json_string(first));
    for (size_t i = 0; i < count; i++)
        facet_json_append(list, cli_json_name(words[i]));
    return list;
}

char *cli_batch_header(const cli_batch_job *job, const cli_batch_shard *shard)
{
    char host[256] = "";
    facet_json *line = facet_json_object(), *header = facet_json_object();
    facet_json *also = facet_json_array(), *filters = facet_json_array();
    if (gethostname(host, sizeof host - 1) != 0)
        *host = '\0';
    for (size_t i = 0; i < job->also_count; i++)
        facet_json_append(also, cli_json_name(job->also[i].given));
    for (size_t i = 0; i < job->filter_count; i++)
        facet_json_append(filters, cli_json_name(job->filters[i].given));
    facet_json_set(header, "command", texts_of(job->command->name, job->words, (size_t)job->count));
    facet_json_set(header, "also", also);
    facet_json_set(header, "filter", filters);
    facet_json_set(header, "options", facet_json_string(job->options));
    facet_json_set(header, "shard", facet_json_integer((int64_t)shard->index));
    facet_json_set(header, "shards", facet_json_integer((int64_t)shard->count));
    facet_json_set(header, "version", facet_json_string(facet_version()));
    facet_json_set(header, "host", cli_json_text(host));
    facet_json_set(line, "header", header);
    char *text = cli_json_line(line);
    facet_json_free(line);
    return text;
}
