/* batch/command.c - one command that runs on one item, with the files that it writes. */
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "batch/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const cli_command *cli_batch_find_command(const cli_arguments *arguments, const char *name)
{
    const cli_command *const *commands = arguments->commands;
    for (size_t i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0 && commands[i]->items != CLI_ITEMS_NONE)
            return commands[i];
    }
    return NULL;
}

/* -- Folders ------------------------------------------------------------ */

bool cli_batch_make_folders(const char *path)
{
    char folder[4096];
    size_t length = strlen(path);
    if (length >= sizeof folder)
        return true; /* the error is reported when the file is opened */
    memcpy(folder, path, length + 1);
    /* Start with the nearest folder: it usually exists. */
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder)
        return true;
    *slash = '\0';
    if (mkdir(folder, 0777) == 0 || errno == EEXIST)
        return true;
    if (errno != ENOENT)
        return false;
    for (char *at = strchr(folder + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(folder, 0777);
        *at = '/';
    }
    return mkdir(folder, 0777) == 0 || errno == EEXIST;
}

/* The record's thread usually created the same folder for the item before. */
static int make_folders(const char *path, cli_record *record)
{
    facet_error error;
    size_t length = facet_path_folder_length(path);
    bool same = record->folder && strncmp(record->folder, path, length) == 0 &&
                record->folder[length] == '\0';
    if (cli_record_packs(record) || length == 0 || same)
        return EXIT_DONE;
    if (cli_batch_make_folders(path)) {
        free(record->folder);
        record->folder = strndup(path, length);
        return EXIT_DONE;
    }
    facet_fail_system(&error, errno, "create the folder of", path);
    return cli_complain_error(record, path, &error);
}

/* -- Running ------------------------------------------------------------ */

/* True if the command writes the item's output itself. */
static bool makes_output(const cli_batch_job *job)
{
    return job->command->items == CLI_ITEMS_IN_OUT;
}

/* Run the command with its words: options, options of the item, then the files. */
static int run_command(const cli_batch_job *job, const cli_batch_item *item, cli_record *record)
{
    bool in_out = makes_output(job);
    char **words =
        calloc((size_t)(job->count + cli_batch_more_of(item)->word_count) + 4, sizeof *words);
    if (!words)
        return cli_complain_memory(record);
    int count = 0;
    for (int i = 0; i < job->count; i++)
        words[count++] = job->words[i];
    for (int i = 0; i < cli_batch_more_of(item)->word_count; i++)
        words[count++] = cli_batch_more_of(item)->words[i];
    char json[] = "--json", end[] = "--";
    if (!in_out)
        words[count++] = json;
    words[count++] = end;
    words[count++] = (char *)item->in;
    if (in_out)
        words[count++] = (char *)item->out;
    cli_arguments arguments;
    int result = cli_parse(record, job->command, count, words, &arguments);
    if (result == EXIT_DONE && arguments.count != (in_out ? 2 : 1)) {
        cli_complain(record, "\"args\" are options, not files: '%s'", arguments.words[0]);
        result = EXIT_USAGE;
    }
    if (result == EXIT_DONE && in_out)
        result = make_folders(item->out, record);
    if (result == EXIT_DONE)
        result = cli_run_command(&arguments);
    cli_arguments_free(&arguments);
    free(words);
    return result;
}

int cli_batch_write_bytes(const char *out, const void *bytes, size_t size, cli_record *record)
{
    facet_output *output = NULL;
    facet_error error;
    if (make_folders(out, record) != EXIT_DONE)
        return EXIT_SYSTEM;
    facet_status status = cli_open_file(record, out, true, &output, &error);
    if (!status) {
        facet_output_write(output, bytes, size);
        status = cli_commit(record, out, output, &error);
    }
    facet_output_free(output);
    return status ? cli_complain_error(record, out, &error) : EXIT_DONE;
}

int cli_batch_write_json(const char *out, const facet_json *object, cli_record *record)
{
    char *line = cli_json_line(object);
    int result =
        line ? cli_batch_write_bytes(out, line, strlen(line), record) : cli_complain_memory(record);
    free(line);
    return result;
}

/* Move the findings from the output of "check" to the record: the line has the rest anyway. */
static void take_findings(cli_record *record)
{
    facet_json *findings = facet_json_object_get(record->result, "findings");
    if (!findings)
        return;
    facet_json_free(record->findings);
    record->findings = facet_json_keep(findings);
    record->finding_count = facet_json_array_size(findings);
}

int cli_batch_run_command(const cli_batch_job *job, const cli_batch_item *item, cli_record *record)
{
    int result = run_command(job, item, record);
    bool prints_result = !makes_output(job); /* the printed text is the only result */
    if (prints_result)
        take_findings(record);
    if (prints_result && record->result && item->out && result != EXIT_SYSTEM) {
        int written = cli_batch_write_json(item->out, record->result, record);
        facet_json_free(record->result);
        record->result = NULL;
        result = written > result ? written : result;
    }
    return result;
}
