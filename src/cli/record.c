/* cli/record.c - a record of the messages, inputs and outputs of a command. */
#include "cli/record.h"

#include "archive/archive.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/json.h"
#include "base/output.h"
#include "base/sha256.h"
#include "base/system.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* -- Paths -------------------------------------------------------------- */

bool cli_paths_append(cli_paths *paths, const char *path)
{
    char *copy =
        FACET_GROW_HEAP(paths->items, paths->count + 1, paths->space) ? strdup(path) : NULL;
    if (copy)
        paths->items[paths->count++] = copy;
    return copy != NULL;
}

/* The slot of the path, or the free slot for it. At least half of the slots are free. */
static size_t *find_slot(const cli_paths *paths, const char *path)
{
    size_t at = facet_hash_bytes(path, strlen(path)) % paths->slot_count;
    while (paths->slots[at] > 0 && strcmp(paths->items[paths->slots[at] - 1], path) != 0)
        at = (at + 1) % paths->slot_count;
    return &paths->slots[at];
}

/* Enter all paths that are not in the slots yet. False if out of memory. */
static bool index_paths(cli_paths *paths)
{
    if (paths->count + 1 > paths->slot_count / 2) {
        size_t count = 4 * (paths->count + 16);
        size_t *grown = calloc(count, sizeof *grown);
        if (!grown)
            return false;
        free(paths->slots);
        paths->slots = grown;
        paths->slot_count = count;
        paths->known = 0;
    }
    for (; paths->known < paths->count; paths->known++)
        *find_slot(paths, paths->items[paths->known]) = paths->known + 1;
    return true;
}

bool cli_paths_add(cli_paths *paths, const char *path)
{
    return index_paths(paths) && (*find_slot(paths, path) > 0 || cli_paths_append(paths, path));
}

void cli_paths_free(cli_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->items[i]);
    free(paths->items);
    free(paths->slots);
    *paths = (cli_paths){0};
}

/* -- Sources ------------------------------------------------------------ */

/* The original of a wrapped source. The wrapped source calls it, and records opened siblings. */
struct cli_recorded_source {
    facet_source source;
    cli_record *record;
    struct cli_recorded_source *next;
};

static bool wrap(cli_record *record, facet_source *source);

static void close_wrapped(facet_source *source)
{
    struct cli_recorded_source *wrapped = source->user;
    facet_source_close(&wrapped->source);
}

/* Add the path of a sibling that could not be opened. The file can exist in a later run. */
static bool add_absent(cli_record *record, const facet_source *source, const char *name)
{
    char path[FACET_PATH_MAX];
    size_t folder =
        source->name && !facet_path_is_absolute(name) ? facet_path_folder_length(source->name) : 0;
    int length =
        snprintf(path, sizeof path, "%.*s%s", (int)folder, folder ? source->name : "", name);
    return length < 0 || length >= (int)sizeof path || cli_paths_add(&record->absent, path);
}

/* True if `name` is a part of a path: its end, or one of several names separated by blanks. */
static bool is_part(const char *path, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(path, name); length > 0 && at; at = strstr(at + 1, name)) {
        bool begins = at == path || at[-1] == '/' || at[-1] == ' ';
        if (begins && (at[length] == '\0' || at[length] == ' '))
            return true;
    }
    return false;
}

/* Add new files of `absent` to `missing`, except those that a found file replaced. A reader tries
 * the names of one file in a row: "textures/a.png", then "a.png"; "a.mtl b.mtl", then "a.mtl".
 * `found`: the name that exists; NULL: none. False if out of memory. */
static bool settle(cli_record *record, const char *found)
{
    bool added = true;
    for (; record->settled < record->absent.count && added; record->settled++) {
        const char *path = record->absent.items[record->settled];
        if (!found || !is_part(path, found))
            added = cli_paths_append(&record->missing, path);
    }
    return added;
}

const cli_paths *cli_record_missing(cli_record *record)
{
    return settle(record, NULL) ? &record->missing : NULL;
}

static facet_status open_wrapped(const facet_source *source, const char *name,
                                 facet_source *sibling, facet_error *error)
{
    struct cli_recorded_source *wrapped = source->user;
    facet_source opened = {0};
    wrapped->source.allow_external = source->allow_external;
    facet_status status = wrapped->source.open_sibling(&wrapped->source, name, &opened, error);
    if (status && !add_absent(wrapped->record, source, name))
        return facet_fail_memory(error, strlen(name));
    if (status)
        return status;
    if ((opened.name && (!cli_paths_add(&wrapped->record->sides, opened.name) ||
                         !cli_paths_add(&wrapped->record->found, opened.name))) ||
        !settle(wrapped->record, name) || !wrap(wrapped->record, &opened)) {
        facet_source_close(&opened);
        return facet_fail_memory(error, sizeof *wrapped);
    }
    *sibling = opened;
    sibling->close = close_wrapped;
    return FACET_OK;
}

static bool wrap(cli_record *record, facet_source *source)
{
    struct cli_recorded_source *wrapped = malloc(sizeof *wrapped);
    if (!wrapped)
        return false;
    *wrapped = (struct cli_recorded_source){*source, record, record->sources};
    record->sources = wrapped;
    source->user = wrapped;
    if (source->open_sibling)
        source->open_sibling = open_wrapped;
    return true;
}

facet_status cli_record_source(cli_record *record, facet_source *source, facet_error *error)
{
    bool recorded = !record || !source->open_sibling || wrap(record, source);
    return recorded ? FACET_OK : facet_fail_memory(error, sizeof(struct cli_recorded_source));
}

void cli_record_check_origin(const facet_source *source, facet_report *report)
{
    const struct cli_recorded_source *wrapped =
        source->open_sibling == open_wrapped ? source->user : NULL;
    if (wrapped) /* facet_load reports it for other sources */
        facet_archive_check_origin(&wrapped->source, report);
}

/* -- The record --------------------------------------------------------- */

bool cli_is_silent(const cli_record *record)
{
    return record && !record->aloud;
}

void cli_record_free(cli_record *record)
{
    cli_paths_free(&record->sides);
    cli_paths_free(&record->absent);
    cli_paths_free(&record->missing);
    record->settled = 0;
    cli_paths_free(&record->found);
    record->guard = CLI_GUARD_FOUND;
    for (size_t i = 0; i < record->outputs.count; i++)
        free(record->outputs.items[i].path);
    free(record->outputs.items);
    record->outputs = (cli_outputs){0};
    cli_tar_free(&record->tar);
    *record->in_sha256 = '\0';
    record->in_bytes = 0;
    facet_json_free(record->findings);
    facet_json_free(record->result);
    record->findings = record->result = NULL;
    record->finding_count = 0;
    record->error = (facet_error){0};
    while (record->sources) {
        struct cli_recorded_source *next = record->sources->next;
        free(record->sources);
        record->sources = next;
    }
}

/* -- Messages ----------------------------------------------------------- */

static void add(cli_record *record, facet_json *finding)
{
    if (!record->findings)
        record->findings = facet_json_array();
    if (record->finding_count++ < CLI_RECORD_MAX_FINDINGS)
        facet_json_append(record->findings, finding);
    else
        facet_json_free(finding);
}

void cli_record_error(cli_record *record, const facet_error *error)
{
    if (record->error.status == FACET_OK)
        record->error = *error;
    add(record, cli_json_of_error(error));
}

void cli_record_sentence(cli_record *record, const char *format, va_list arguments)
{
    facet_error error = {.status = FACET_ERROR_ARGUMENT, .offset = FACET_NO_OFFSET};
    vsnprintf(error.message, sizeof error.message, format, arguments);
    snprintf(error.rule, sizeof error.rule, "%s", "REFUSED");
    cli_record_error(record, &error);
}

void cli_record_report(cli_record *record, const facet_report *report, size_t first)
{
    for (size_t i = first; i < facet_report_count(report); i++) {
        if (facet_report_get(report, i)->severity != FACET_SEVERITY_NOTE)
            add(record, cli_json_of_finding(facet_report_get(report, i)));
    }
}

void cli_record_result(cli_record *record, facet_json *object)
{
    if (!object) {
        facet_error error;
        facet_fail_memory(&error, 1);
        cli_record_error(record, &error);
    }
    facet_json_free(record->result);
    record->result = object;
}

/* -- Options ------------------------------------------------------------ */

void cli_record_options(const cli_record *record, facet_options *options)
{
    options->allocator = record->allocator;
    options->threads = record->threads;
    options->progress = record->progress;
    options->progress_user = record->progress_user;
}

bool cli_record_owns(const cli_record *record, const facet_threads *threads)
{
    return cli_is_silent(record) && threads == record->threads;
}

/* -- Inputs ------------------------------------------------------------- */

facet_input *cli_record_open_kept(cli_record *record, const char *path,
                                  const facet_options *options)
{
    facet_input *input = NULL;
    if (!record || !record->kept || !record->in || strcmp(path, record->in) != 0)
        return NULL;
    /* A checksum means that a command of this item opened the path before. The path is then opened
     * as a file, since the archive may have been replaced. */
    if (*record->in_sha256 && !record->kept->in_memory)
        return NULL;
    return cli_kept_open(record->kept, path, record->in_archive, options, &input) ? input : NULL;
}

bool cli_record_input(cli_record *record, const char *path, const facet_source *stored)
{
    if (!record || !record->in || strcmp(path, record->in) != 0)
        return cli_record_side(record, path, true);
    if (*record->in_sha256)
        return true;
    facet_sha256_text(stored->data, stored->size, record->in_sha256);
    record->in_bytes = stored->size;
    return true;
}

facet_status cli_record_check_sum(cli_record *record, const char *path, facet_error *error)
{
    if (!record || !record->in || !record->in_sum || strcmp(path, record->in) != 0 ||
        strcmp(record->in_sha256, record->in_sum) == 0)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_MALFORMED, "INPUT-SUM", FACET_NO_OFFSET,
                      "the SHA-256 is %s, expected %s", record->in_sha256, record->in_sum);
}

bool cli_record_side(cli_record *record, const char *path, bool found)
{
    if (!record || strcmp(path, "-") == 0 || (record->in && strcmp(path, record->in) == 0))
        return true;
    if (!found)
        return cli_paths_add(&record->absent, path);
    return cli_paths_add(&record->sides, path) && settle(record, facet_path_name(path));
}

bool cli_record_folder(cli_record *record, const char *path)
{
    char whole[FACET_PATH_MAX];
    size_t length = strlen(path);
    bool ended = length > 0 && path[length - 1] == '/';
    return length + 2 > sizeof whole ||
           (snprintf(whole, sizeof whole, "%s%s", path, ended ? "" : "/"),
            cli_record_side(record, whole, true));
}

/* -- Outputs ------------------------------------------------------------ */

bool cli_record_refuses_pipes(const cli_record *record)
{
    return record && record->refuses_pipes;
}

bool cli_record_packs(const cli_record *record)
{
    return record && record->packs;
}

facet_status cli_open_file(cli_record *record, const char *path, bool follow, facet_output **output,
                           facet_error *error)
{
    if (!cli_record_packs(record)) {
        facet_status status = follow ? facet_output_open(path, output, error)
                                     : facet_output_open_unlinked(path, output, error);
        if (!status && cli_is_silent(record))
            facet_output_begin_hash(*output);
        return status;
    }
    facet_status status = facet_output_open_memory(record->allocator, output, error);
    return status ? status : facet_output_set_name(*output, path, error);
}

/* A file that an output would replace. */
typedef struct replaced_file {
    uint64_t device, number;
} replaced_file;

static int by_file(const void *a, const void *b)
{
    const replaced_file *l = a, *r = b;
    if (l->device != r->device)
        return l->device < r->device ? -1 : 1;
    return l->number < r->number ? -1 : l->number > r->number;
}

/* Find the existing files that outputs of the record, from `first`, would replace. NULL with count
 * 0 if no file exists, and with count 1 if out of memory. */
static replaced_file *find_replaced(cli_record *record, size_t first, size_t *count)
{
    const cli_outputs *outputs = &record->outputs;
    size_t all = outputs->count - first;
    replaced_file *files = NULL;
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        facet_file_info place;
        if (!facet_system_get_file_info(outputs->items[first + i].path, &place) || !place.is_file ||
            place.number == 0)
            continue;
        if (!files && !(files = malloc(all * sizeof *files))) {
            *count = 1;
            return NULL;
        }
        files[(*count)++] = (replaced_file){place.device, place.number};
    }
    if (files)
        qsort(files, *count, sizeof *files, by_file);
    return files;
}

static facet_status refuse_read(const char *path, const replaced_file *files, size_t count,
                                facet_error *error)
{
    facet_file_info place;
    facet_quoted quoted;
    if (!facet_system_get_file_info(path, &place) || !place.is_file)
        return FACET_OK;
    const replaced_file file = {place.device, place.number};
    if (!bsearch(&file, files, count, sizeof *files, by_file))
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_ARGUMENT, "OUTPUT-INPUT", FACET_NO_OFFSET,
                      "the output would replace '%s', which is an input; nothing is written",
                      facet_quote(&quoted, path, strlen(path)));
}

/* Refuse outputs of the record, from `first`, that would replace a guarded file. */
static facet_status refuse_inputs(cli_record *record, size_t first, facet_error *error)
{
    const cli_paths *read = record->guard == CLI_GUARD_ALL ? &record->sides : &record->found;
    size_t count;
    bool has_in = record->guard == CLI_GUARD_ALL && record->in;
    if (record->guard == CLI_GUARD_NONE || record->packs || (read->count == 0 && !has_in))
        return FACET_OK;
    replaced_file *files = find_replaced(record, first, &count);
    if (!files)
        return count > 0 ? facet_fail_memory(error, sizeof *files) : FACET_OK;
    facet_status status = has_in ? refuse_read(record->in, files, count, error) : FACET_OK;
    for (size_t i = 0; i < read->count && !status; i++)
        status = refuse_read(read->items[i], files, count, error);
    free(files);
    return status;
}

/* Add an output that is about to be committed. False if out of memory. */
static bool add_output(cli_record *record, const char *path)
{
    cli_outputs *outputs = &record->outputs;
    if (!FACET_GROW_HEAP(outputs->items, outputs->count + 1, outputs->space))
        return false;
    cli_written *made = &outputs->items[outputs->count];
    *made = (cli_written){.path = strdup(path)};
    outputs->count += made->path != NULL;
    return made->path != NULL;
}

/* Record the outputs of `path` before the commit, since nothing must fail after it. */
static facet_status add_outputs(cli_record *record, const char *path, facet_output *const *outputs,
                                size_t count, facet_error *error)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    for (size_t i = 0; i < count; i++) {
        for (const facet_output *each = outputs[i]; each; each = facet_output_next_sibling(each)) {
            char place[4096];
            snprintf(place, sizeof place, "%.*s%s", folder, path, facet_output_name(each));
            if (!add_output(record, place))
                return facet_fail_memory(error, strlen(place));
        }
    }
    return FACET_OK;
}

/* Complete the records after the commit. A tar is in memory: if memory runs out, nothing of it is
 * written. */
static facet_status finish_outputs(cli_record *record, cli_written *made,
                                   facet_output *const *outputs, size_t count, facet_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const facet_output *each = outputs[i];
        for (; each; each = facet_output_next_sibling(each), made++) {
            if (facet_output_end_hash(each, made->sha256))
                made->bytes = facet_output_size(each);
            if (record->packs && !cli_tar_add(&record->tar, made->path, facet_output_data(each),
                                              (size_t)facet_output_size(each)))
                return facet_fail_memory(error, strlen(made->path));
        }
    }
    return FACET_OK;
}

facet_status cli_commit_beside(cli_record *record, const char *path, facet_output **outputs,
                               size_t count, facet_output *beside, facet_error *error)
{
    size_t all = count + (beside != NULL);
    bool records = record && strcmp(path, "-") != 0;
    size_t before = records ? record->outputs.count : 0;
    facet_status status = records ? add_outputs(record, path, outputs, count, error) : FACET_OK;
    if (!status && records)
        status = refuse_inputs(record, before, error);
    if (beside)
        outputs[count] = beside;
    for (size_t i = 0; i < all && record; i++)
        facet_output_set_sync(outputs[i], !record->unsynced);
    if (!status)
        status = facet_outputs_commit(outputs, all, error);
    if (!status && records)
        return finish_outputs(record, record->outputs.items + before, outputs, count, error);
    while (records && record->outputs.count > before)
        free(record->outputs.items[--record->outputs.count].path);
    return status;
}

facet_status cli_commit(cli_record *record, const char *path, facet_output *output,
                        facet_error *error)
{
    return cli_commit_beside(record, path, &output, 1, NULL, error);
}
