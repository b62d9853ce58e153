/* batch/item.c - one item: the command runs without messages, and a line of JSON has its
 * results. */
#include "base/allocator.h"
#include "base/error.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/system.h"
#include "base/text.h"
#include "batch/filter.h"
#include "batch/identify.h"
#include "batch/products.h"
#include "cli/convert.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- The command -------------------------------------------------------- */

int cli_batch_choose_job(const cli_arguments *arguments, const cli_texts *also,
                         const cli_texts *filters, cli_batch_job *job)
{
    const char *name = arguments->rest_count > 0 ? arguments->rest[0] : "convert";
    *job = (cli_batch_job){.command = cli_batch_find_command(arguments, name)};
    if (!job->command) {
        cli_complain(NULL, "'%s' is not a command for the items of a batch", name);
        return EXIT_USAGE;
    }
    if (arguments->rest_count > 1) {
        job->count = arguments->rest_count - 1;
        job->words = arguments->rest + 1;
    }
    /* Report errors once, here, and not for every item. cli_parse changes the order of the words,
     * so it gets a copy. */
    char **words = calloc((size_t)job->count + 1, sizeof *words);
    if (!words) {
        cli_complain_memory(NULL);
        return EXIT_SYSTEM;
    }
    for (int i = 0; i < job->count; i++)
        words[i] = job->words[i];
    cli_arguments parsed;
    int result = cli_parse(NULL, job->command, job->count, words, &parsed);
    if (result == EXIT_DONE && parsed.count > 0) {
        cli_complain(NULL, "files are named by the batch, not after '%s': '%s'", name,
                     parsed.words[0]);
        result = EXIT_USAGE;
    }
    if (result == EXIT_DONE && cli_convert_writes_depfile(&parsed)) {
        cli_complain(NULL,
                     "--depfile names one file, which every item would replace; give it to single "
                     "items as \"args\"");
        result = EXIT_USAGE;
    }
    if (result == EXIT_DONE)
        job->memory_limit = cli_memory_limit_given(&parsed);
    cli_arguments_free(&parsed);
    free(words);
    if (result == EXIT_DONE)
        result = cli_batch_products_parse(arguments, also, job);
    if (result == EXIT_DONE)
        result = cli_batch_filter_parse(arguments, filters, job);
    if (result != EXIT_DONE)
        return result;
    char options[65];
    cli_identify_options(job, NULL, options);
    memcpy(job->options, options, sizeof job->options);
    return EXIT_DONE;
}

void cli_batch_job_free(cli_batch_job *job)
{
    cli_batch_products_free(job);
    cli_batch_filter_free(job);
}

/* -- Files -------------------------------------------------------------- */

/* "PATH.PROCESS-NUMBER.tmp" or ".old": base/new_file_posix.c names incomplete and replaced files
 * this way. */
static bool is_leftover(const char *name, const char *stem, long process)
{
    char middle[32];
    size_t length = strlen(stem);
    int size = snprintf(middle, sizeof middle, ".%ld-", process);
    if (strncmp(name, stem, length) != 0)
        return false;
    for (const char *at = strstr(name + length, middle); at; at = strstr(at + 1, middle)) {
        size_t digits = strspn(at + size, "0123456789");
        if (digits > 0 &&
            (strcmp(at + size + digits, ".tmp") == 0 || strcmp(at + size + digits, ".old") == 0))
            return true;
    }
    return false;
}

static void remove_leftovers(const char *out, long process)
{
    char path[4096], child[8192];
    if (!out || strlen(out) >= sizeof path)
        return;
    strcpy(path, out);
    char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path, *dot = strrchr(stem, '.');
    if (dot && dot > stem) /* files next to the output have its stem */
        *dot = '\0';
    if (slash)
        *slash = '\0';
    const char *folder = !slash ? "." : slash == path ? "/" : path;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (!is_leftover(entry->d_name, stem, process))
            continue;
        snprintf(child, sizeof child, "%s/%s", folder, entry->d_name);
        unlink(child);
    }
    if (directory)
        closedir(directory);
}

void cli_batch_remove_leftovers(const cli_batch_item *item, long process)
{
    remove_leftovers(item->out, process);
    for (size_t i = 0; i < cli_batch_more_of(item)->also_count; i++)
        remove_leftovers(cli_batch_more_of(item)->also[i], process);
}

/* -- Memory ------------------------------------------------------------- */

/* An allocator that counts bytes. */
typedef struct meter {
    const facet_allocator *under;
    uint64_t now, peak;
} meter;

static void *allocate_metered(void *user, size_t size)
{
    meter *m = user;
    void *block = m->under->allocate(m->under->user, size);
    if (block) {
        m->now += size;
        m->peak = m->now > m->peak ? m->now : m->peak;
    }
    return block;
}

static void release_metered(void *user, void *block, size_t size)
{
    meter *m = user;
    m->under->release(m->under->user, block, size);
    m->now -= block ? size : 0;
}

/* -- The line ----------------------------------------------------------- */

void cli_batch_add_columns(facet_json *line, const cli_batch_item *item)
{
    const char *text = cli_batch_more_of(item)->columns;
    if (text)
        facet_json_set(line, "columns", facet_json_read(text, strlen(text), 0, NULL));
}

static facet_json *begin_line(const cli_batch_item *item, const char *status, const char *code,
                              bool retry)
{
    facet_json *line = facet_json_object();
    facet_json_set(line, "id", facet_json_string(item->id));
    facet_json_set(line, "status", facet_json_string(status));
    facet_json_set(line, "code", code ? cli_json_text(code) : facet_json_null());
    facet_json_set(line, "retry", facet_json_boolean(retry));
    facet_json_set(line, "attempt", facet_json_integer((int64_t)item->attempt));
    facet_json_set(line, "run", facet_json_integer((int64_t)item->run));
    facet_json_set(line, "in", cli_json_name(item->in));
    cli_batch_add_columns(line, item);
    return line;
}

/* Add the version and host that ran the item: "report" counts them. */
static void add_program(facet_json *line)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        *host = '\0';
    facet_json_set(line, "version", facet_json_string(facet_version()));
    facet_json_set(line, "host", cli_json_text(host));
}

facet_json *cli_batch_line(const cli_batch_item *item, const char *status, const char *code,
                           bool retry, const char *sentence)
{
    facet_json *line = begin_line(item, status, code, retry);
    if (item->out)
        facet_json_set(line, "out", cli_json_name(item->out));
    facet_json *findings = facet_json_array();
    if (sentence) {
        facet_error error = {.status = FACET_ERROR_IO, .offset = FACET_NO_OFFSET};
        snprintf(error.rule, sizeof error.rule, "%s", code ? code : "");
        snprintf(error.message, sizeof error.message, "%s", sentence);
        facet_json_append(findings, cli_json_of_error(&error));
    }
    facet_json_set(line, "findings", findings);
    add_program(line);
    return line;
}

static void add_file(facet_json *object, const char *prefix, const char *sha256, uint64_t bytes)
{
    char key[32];
    snprintf(key, sizeof key, "%ssha256", prefix);
    facet_json_set(object, key, *sha256 ? facet_json_string(sha256) : facet_json_null());
    snprintf(key, sizeof key, "%sbytes", prefix);
    facet_json_set(object, key, *sha256 ? facet_json_integer((int64_t)bytes) : facet_json_null());
}

void cli_batch_identify(facet_json *line, const cli_batch_job *job, const cli_batch_item *item,
                        cli_kept_archive *kept)
{
    char sha256[65] = "", options[65];
    uint64_t bytes = 0;
    cli_identify_in(kept, item->in, sha256, &bytes);
    add_file(line, "in_", sha256, bytes);
    cli_identify_options(job, item, options);
    facet_json_set(line, "options", facet_json_string(options));
}

/* Add a file next to the input or output to an array. */
static void list_file(facet_json *list, const char *path, const char *sha256, uint64_t bytes)
{
    facet_json *file = facet_json_object();
    facet_json_set(file, "path", cli_json_name(path));
    add_file(file, "", sha256, bytes);
    facet_json_append(list, file);
}

/* Side files that were read, and those that were missing. */
static facet_json *list_sides(const cli_record *record)
{
    facet_json *list = facet_json_array();
    for (size_t i = 0; i < record->sides.count; i++) {
        const char *path = record->sides.items[i];
        char sha256[65] = "";
        uint64_t bytes = 0;
        if (cli_is_folder_name(path))
            cli_identify_folder(path, sha256);
        else
            cli_identify_in(record->kept, path, sha256, &bytes);
        list_file(list, path, sha256, bytes);
        facet_file_info place;
        if (cli_kept_in_memory(record->kept, path) == 0 &&
            facet_system_get_file_info(path, &place) && place.is_file)
            facet_json_set(facet_json_array_get(list, i), "ns", facet_json_integer(place.changed));
    }
    for (size_t i = 0; i < record->absent.count; i++)
        list_file(list, record->absent.items[i], "", 0);
    return list;
}

static void add_outputs(facet_json *line, const cli_batch_item *item, cli_record *record)
{
    cli_outputs *outputs = &record->outputs;
    static const cli_written none;
    const cli_written *main = &none;
    size_t first =
        outputs->count > 0 && item->out && strcmp(outputs->items[0].path, item->out) == 0;
    for (size_t i = 0; i < outputs->count; i++) {
        cli_written *written = &outputs->items[i];
        if (!*written->sha256) /* the bytes were changed on their way to the output */
            cli_identify_file(written->path, written->sha256, &written->bytes);
    }
    if (first)
        main = &outputs->items[0];
    if (item->out) {
        facet_json_set(line, "out", cli_json_name(item->out));
        add_file(line, "out_", main->sha256, main->bytes);
    }
    if (outputs->count == first)
        return;
    facet_json *list = facet_json_array();
    for (size_t i = first; i < outputs->count; i++)
        list_file(list, outputs->items[i].path, outputs->items[i].sha256, outputs->items[i].bytes);
    facet_json_set(line, "outputs", list);
}

static const char *code_of(const cli_record *record, int result)
{
    if (record->error.status != FACET_OK)
        return *record->error.rule ? record->error.rule : facet_status_name(record->error.status);
    /* The first error is the most useful finding of a check. */
    for (size_t i = 0; i < facet_json_array_size(record->findings); i++) {
        const facet_json *finding = facet_json_array_get(record->findings, i);
        const char *severity = facet_json_string_value(facet_json_object_get(finding, "severity"));
        if (severity && strcmp(severity, "error") == 0)
            return facet_json_string_value(facet_json_object_get(finding, "rule"));
    }
    return result == EXIT_DONE ? NULL : "failed";
}

/* Add the line itself to the outputs that it lists. */
static void add_line_itself(facet_json *line, const cli_batch_job *job, const cli_batch_item *item,
                            cli_record *record)
{
    if (cli_batch_products_write_line(job, item, line, record) == EXIT_DONE) {
        add_outputs(line, item, record);
        return;
    }
    cli_tar_free(&record->tar);
    facet_json_set(line, "status", facet_json_string("failed"));
    facet_json_set(line, "code", cli_json_text(code_of(record, EXIT_SYSTEM)));
    facet_json_set(line, "retry", facet_json_boolean(true));
    facet_json_set(line, "findings",
                   record->findings ? facet_json_keep(record->findings) : facet_json_array());
}

/* True if memory did not suffice to store all findings. */
static bool lost_findings(const cli_record *record)
{
    size_t kept = record->finding_count < CLI_RECORD_MAX_FINDINGS ? record->finding_count
                                                                  : CLI_RECORD_MAX_FINDINGS;
    return facet_json_array_size(record->findings) < kept;
}

facet_json *cli_batch_copied_line(const cli_batch_job *job, const cli_batch_item *item,
                                  const facet_json *first, facet_json *sides, cli_record *record)
{
    char options[65];
    char *findings = cli_json_line(facet_json_object_get(first, "findings"));
    facet_json *count = facet_json_object_get(first, "finding_count");
    facet_json *line = begin_line(item, "ok", NULL, false);
    const char *id = facet_json_string_value(facet_json_object_get(first, "id"));
    facet_json_set(line, "same_as", facet_json_string(id ? id : ""));
    add_file(line, "in_", record->in_sha256, record->in_bytes);
    if (item->changed > 0)
        facet_json_set(line, "in_ns", facet_json_integer(item->changed));
    /* List side files only if the first item does. A list that was lost for lack of memory is also
     * missing here. */
    if (facet_json_array_size(facet_json_object_get(first, "sides")) > 0)
        facet_json_set(line, "sides", sides);
    else
        facet_json_free(sides);
    add_outputs(line, item, record);
    facet_json_set(line, "findings",
                   findings ? facet_json_read(findings, strlen(findings), 0, NULL) : NULL);
    if (count)
        facet_json_set(line, "finding_count", facet_json_integer(facet_json_integer_value(count)));
    cli_identify_options(job, item, options);
    facet_json_set(line, "options", facet_json_string(options));
    add_program(line);
    if (cli_batch_products_has_line(job))
        add_line_itself(line, job, item, record);
    free(findings);
    return line;
}

facet_json *cli_batch_run_item(const cli_batch_job *job, const cli_batch_item *item,
                               cli_record *record)
{
    char options[65];
    struct stat info;
    double began = cli_seconds();
    meter m = {.under = facet_allocator_or_default(NULL)};
    const facet_allocator metered = {allocate_metered, release_metered, &m};
    record->allocator = &metered;
    record->in = item->in;
    record->in_sum = cli_batch_more_of(item)->sha256;
    record->in_archive = item->in_archive;
    cli_record_free(record);
    char reason[200];
    int result = cli_batch_filter_run(job, item, record, reason);
    bool filtered = *reason;
    if (result == EXIT_DONE && !filtered)
        result = cli_batch_run_command(job, item, record);
    if (result == EXIT_DONE && !filtered)
        result = cli_batch_products_run(job, item, record);
    /* The command does not report that it lacked memory for its result. */
    if (facet_lacks_memory(record->error.status) && result == EXIT_DONE)
        result = EXIT_SYSTEM;
    if (lost_findings(record) && result != EXIT_SYSTEM) {
        result = EXIT_SYSTEM;
        facet_fail_memory(&record->error, 1);
    }
    bool prints_result =
        job->command->items == CLI_ITEMS_IN; /* the printed text is the only result */
    facet_status fault = record->error.status;
    bool memory = facet_lacks_memory(fault);
    if (result != EXIT_DONE)
        cli_tar_free(&record->tar);
    record->allocator = NULL;
    record->in = record->in_sum = NULL;
    if (fault == FACET_ERROR_CANCELED)
        return NULL;
    bool done = result == EXIT_DONE;
    const char *status = filtered ? "skipped" : done ? "ok" : memory ? "memory" : "failed";
    /* The system does not know paths into archives. */
    bool missing = result == EXIT_SYSTEM && stat(item->in, &info) != 0 &&
                   (errno == ENOENT || errno == ENOTDIR);
    bool retry = memory || (result == EXIT_SYSTEM && !missing);
    facet_json *line = begin_line(item, status,
                                  filtered ? "FILTER"
                                  : done   ? NULL
                                           : code_of(record, result),
                                  retry);
    if (filtered)
        facet_json_set(line, "reason", cli_json_text(reason));
    add_file(line, "in_", record->in_sha256, record->in_bytes);
    if (item->changed > 0)
        facet_json_set(line, "in_ns", facet_json_integer(item->changed));
    if (record->sides.count + record->absent.count > 0)
        facet_json_set(line, "sides", list_sides(record));
    add_outputs(line, item, record);
    facet_json_set(line, "findings",
                   record->findings ? facet_json_keep(record->findings) : facet_json_array());
    if (record->finding_count > facet_json_array_size(record->findings))
        facet_json_set(line, "finding_count", facet_json_integer((int64_t)record->finding_count));
    if (record->result && !(prints_result && facet_json_object_get(record->result, "findings")))
        facet_json_set(line, "result", facet_json_keep(record->result));
    cli_identify_options(job, item, options);
    facet_json_set(line, "options", facet_json_string(options));
    add_program(line);
    if (done && !filtered && cli_batch_products_has_line(job))
        add_line_itself(line, job, item, record);
    facet_json_set(line, "ms",
                   facet_json_real((double)(int64_t)((cli_seconds() - began) * 1e5) / 100));
    facet_json_set(line, "peak_bytes", facet_json_integer((int64_t)m.peak));
    if (record->tar.size > 0)
        facet_json_set(line, "tar_bytes", facet_json_integer((int64_t)record->tar.size));
    return line;
}
