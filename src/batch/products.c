/* batch/products.c - further outputs of an item: other commands that run on the same input. */
#include "batch/products.h"
#include "base/arena.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

/* -- Parsing ------------------------------------------------------------ */

static int refuse(const char *text, const char *sentence)
{
    cli_complain(NULL, "--also '%s': %s", text, sentence);
    return EXIT_USAGE;
}

/* Parse the options once here, so that an error is reported once and not for every item. */
static int check_options(const cli_batch_product *product, const char *text)
{
    char **words = calloc((size_t)product->count + 1, sizeof *words);
    cli_arguments parsed;
    if (!words)
        return cli_complain_memory(NULL), EXIT_SYSTEM;
    for (int i = 0; i < product->count; i++)
        words[i] = product->words[i];
    int result = cli_parse(NULL, product->command, product->count, words, &parsed);
    if (result == EXIT_DONE && parsed.count > 0)
        result = refuse(text, "expected COMMAND, its options, and one output");
    cli_arguments_free(&parsed);
    free(words);
    return result;
}

static int parse(const cli_arguments *arguments, const char *text, cli_batch_product *product)
{
    product->given = text;
    product->text = strdup(text);
    product->words = calloc(strlen(text) / 2 + 2, sizeof *product->words);
    if (!product->text || !product->words)
        return cli_complain_memory(NULL), EXIT_SYSTEM;
    int count = cli_batch_split_words(product->text, product->words);
    if (count < 0)
        return refuse(text, "a quote is not closed");
    if (count < 2)
        return refuse(text, "expected COMMAND, its options, and one output");
    product->out = product->words[count - 1];
    if (!cli_batch_template_suits("also", product->out))
        return EXIT_USAGE;
    if (strcmp(product->words[0], "line") == 0)
        return count == 2 ? EXIT_DONE : refuse(text, "line has no options");
    product->command = cli_batch_find_command(arguments, product->words[0]);
    if (!product->command)
        return refuse(text, "expected convert, render, check, info, extract or line");
    product->words++;
    product->count = count - 2;
    return check_options(product, text);
}

int cli_batch_products_parse(const cli_arguments *arguments, const cli_texts *given,
                             cli_batch_job *job)
{
    int result = EXIT_DONE;
    unsigned lines = 0;
    if (given->count == 0)
        return EXIT_DONE;
    job->also = calloc((size_t)given->count, sizeof *job->also);
    if (!job->also)
        return cli_complain_memory(NULL), EXIT_SYSTEM;
    for (size_t i = 0; i < (size_t)given->count && result == EXIT_DONE; i++) {
        job->also_count++;
        result = parse(arguments, given->items[i], &job->also[i]);
        lines += !job->also[i].command;
    }
    if (result == EXIT_DONE && lines > 1)
        result = refuse("line", "it is given twice");
    return result;
}

void cli_batch_products_free(cli_batch_job *job)
{
    for (size_t i = 0; i < job->also_count; i++) {
        cli_batch_product *product = &job->also[i];
        free(product->words ? product->words - (product->command ? 1 : 0) : NULL);
        free(product->text);
    }
    free(job->also);
    job->also = NULL;
    job->also_count = 0;
}

bool cli_batch_products_expand(facet_arena *arena, const cli_batch_job *job,
                               const cli_batch_item *item, cli_batch_more *more, size_t below)
{
    if (!job || job->also_count == 0)
        return true;
    char **names = facet_arena_allocate(arena, job->also_count, sizeof *names);
    for (size_t i = 0; i < job->also_count && names; i++) {
        names[i] = cli_batch_expand(arena, job->also[i].out, item->id, item->in, below);
        if (!names[i])
            return false;
    }
    more->also = names;
    more->also_count = job->also_count;
    return names != NULL;
}

/* -- Running ------------------------------------------------------------ */

static bool has(const facet_json *findings, size_t count, const char *text)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        char *other = cli_json_line(facet_json_array_get(findings, i));
        found = other && strcmp(other, text) == 0;
        free(other);
    }
    return found;
}

/* Merge the findings of two commands without duplicates. Takes ownership of `before`. */
static void merge_findings(cli_record *record, facet_json *before, size_t before_count)
{
    facet_json *found = record->findings;
    size_t count = record->finding_count, kept = facet_json_array_size(before);
    record->findings = before;
    record->finding_count = before_count;
    for (size_t i = 0; i < facet_json_array_size(found); i++) {
        facet_json *finding = facet_json_array_get(found, i);
        char *text = cli_json_line(finding);
        bool again = text && has(before, kept, text);
        free(text);
        count--;
        if (again)
            continue;
        if (!record->findings)
            record->findings = facet_json_array();
        record->finding_count++;
        if (facet_json_array_size(record->findings) < CLI_RECORD_MAX_FINDINGS)
            facet_json_append(record->findings, facet_json_keep(finding));
    }
    if (before_count <= kept) /* some findings were not stored: they may be duplicates */
        record->finding_count += count;
    facet_json_free(found);
}

static int run_product(const cli_batch_product *product, const char *out,
                       const cli_batch_item *item, cli_record *record)
{
    cli_batch_job job = {
        .command = product->command, .count = product->count, .words = product->words};
    cli_batch_item its = *item;
    its.out = out;
    its.more = NULL; /* the item's options apply only to the main command */
    facet_json *result = record->result, *findings = record->findings;
    size_t count = record->finding_count;
    char sum[65];
    memcpy(sum, record->in_sha256, sizeof sum);
    record->result = record->findings = NULL;
    record->finding_count = 0;
    if (!(record->kept && record->kept->in_memory)) /* a file is opened and hashed again */
        *record->in_sha256 = '\0';
    int status = cli_batch_run_command(&job, &its, record);
    if (status == EXIT_DONE && *sum && *record->in_sha256 && strcmp(sum, record->in_sha256) != 0) {
        cli_complain(record, "%s: it was changed while its outputs were made", item->in);
        status = EXIT_INPUT;
    }
    memcpy(record->in_sha256, *sum ? sum : record->in_sha256, sizeof sum);
    facet_json_free(record->result);
    record->result = result;
    merge_findings(record, findings, count);
    return status;
}

int cli_batch_products_run(const cli_batch_job *job, const cli_batch_item *item, cli_record *record)
{
    int result = EXIT_DONE;
    for (size_t i = 0; i < job->also_count && result == EXIT_DONE; i++) {
        if (job->also[i].command)
            result = run_product(&job->also[i], cli_batch_more_of(item)->also[i], item, record);
    }
    return result;
}

/* -- The line ----------------------------------------------------------- */

bool cli_batch_products_has_line(const cli_batch_job *job)
{
    bool found = false;
    for (size_t i = 0; i < job->also_count; i++)
        found |= !job->also[i].command;
    return found;
}

/* Copy of side files without their times. */
static facet_json *without_times(const facet_json *sides)
{
    facet_json *list = facet_json_array();
    for (size_t i = 0; i < facet_json_array_size(sides); i++) {
        facet_json *side = facet_json_array_get(sides, i), *copy = facet_json_object();
        for (size_t k = 0; k < facet_json_object_size(side); k++) {
            const char *key = facet_json_object_key(side, k);
            if (strcmp(key, "ns") != 0)
                facet_json_set(copy, key, facet_json_keep(facet_json_object_value(side, k)));
        }
        facet_json_append(list, copy);
    }
    return list;
}

/* Keys of a line that depend only on the input, the options and the version. */
static facet_json *lasting(const facet_json *line)
{
    static const char *const keys[] = {"id",        "in",      "columns",  "in_sha256",
                                       "in_bytes",  "sides",   "out",      "out_sha256",
                                       "out_bytes", "outputs", "findings", "finding_count",
                                       "result",    "options", "version"};
    facet_json *copy = facet_json_object();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        facet_json *value = facet_json_object_get(line, keys[i]);
        if (value)
            facet_json_set(copy, keys[i],
                           strcmp(keys[i], "sides") == 0 ? without_times(value)
                                                         : facet_json_keep(value));
    }
    return copy;
}

int cli_batch_products_write_line(const cli_batch_job *job, const cli_batch_item *item,
                                  const facet_json *line, cli_record *record)
{
    int result = EXIT_DONE;
    for (size_t i = 0; i < job->also_count; i++) {
        if (job->also[i].command)
            continue;
        facet_json *object = lasting(line);
        result = cli_batch_write_json(cli_batch_more_of(item)->also[i], object, record);
        facet_json_free(object);
    }
    return result;
}
