/* batch/filter.c - conditions on items, checked before conversion. "info" and "check" examine an
 * item, so that words and numbers are those of their JSON. */
#include "batch/filter.h"
#include "base/error.h"
#include "base/json.h"
#include "base/system.h"
#include "batch/identify.h"

#include <stdlib.h>
#include <string.h>

/* -- Conditions --------------------------------------------------------- */

/* For each number: the command that reports it, and its path in the JSON; NULL, NULL: the file
 * size. */
static const struct number {
    const char *name, *command, *object;
} numbers[] = {
    {"bytes", NULL, NULL},           {"meshes", "info", "counts"},
    {"vertices", "info", "counts"},  {"faces", "info", "counts"},
    {"triangles", "info", "counts"}, {"materials", "info", "counts"},
    {"images", "info", "counts"},    {"joints", "info", "counts"},
    {"hulls", "info", "counts"},     {"animations", "info", "counts"},
    {"size", "info", "bounds"},      {"errors", "check", NULL},
    {"warnings", "check", NULL},
};

/* longer operators first */
static const char *const operators[] = {"<=", ">=", "!=", "<", ">", "="};

static bool holds(double value, const char *operator, double limit)
{
    switch (operator[0]) {
    case '<':
        return operator[1] ? value <= limit : value<limit;
    case '>':
        return operator[1] ? value >= limit : value> limit;
    case '!':
        return value != limit;
    default:
        return value == limit;
    }
}

static int refuse(const char *text)
{
    cli_complain(NULL,
                 "--filter takes a condition as 'triangles<=100000' on bytes, meshes, vertices, "
                 "faces, triangles, materials, images, joints, hulls, animations, size, errors or "
                 "warnings, not '%s'",
                 text);
    return EXIT_USAGE;
}

static int parse(const char *text, cli_batch_condition *condition)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    *condition = (cli_batch_condition){.given = text};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strlen(numbers[i].name) == length && strncmp(numbers[i].name, text, length) == 0)
            condition->number = &numbers[i];
    }
    for (size_t i = 0; i < sizeof operators / sizeof *operators && !condition->operator; i++) {
        if (strncmp(text + length, operators[i], strlen(operators[i])) == 0)
            condition->operator= operators[i];
    }
    if (!condition->number || !condition->operator)
        return refuse(text);
    const char *limit = text + length + strlen(condition->operator);
    char *end;
    condition->limit = strtod(limit, &end);
    bool plain = *limit && strspn(limit, "0123456789.eE+-") == strlen(limit);
    return plain && end > limit && !*end ? EXIT_DONE : refuse(text);
}

int cli_batch_filter_parse(const cli_arguments *arguments, const cli_texts *given,
                           cli_batch_job *job)
{
    int result = EXIT_DONE;
    if (given->count == 0)
        return EXIT_DONE;
    job->filters = calloc(given->count, sizeof *job->filters);
    if (!job->filters) {
        cli_complain_memory(NULL);
        return EXIT_SYSTEM;
    }
    for (unsigned i = 0; i < given->count && result == EXIT_DONE; i++) {
        result = parse(given->items[i], &job->filters[i]);
        job->filter_count++;
        const struct number *number = job->filters[i].number;
        if (result == EXIT_DONE && number->command)
            job->filters[i].command = cli_batch_find_command(arguments, number->command);
    }
    return result;
}

void cli_batch_filter_free(cli_batch_job *job)
{
    free(job->filters);
    job->filters = NULL;
    job->filter_count = 0;
}

/* -- Numbers ------------------------------------------------------------ */

/* Longest side of the box around everything. False if the bounds are empty. */
static bool measure(const facet_json *bounds, double *size)
{
    const facet_json *least = facet_json_object_get(bounds, "min");
    const facet_json *most = facet_json_object_get(bounds, "max");
    *size = 0;
    for (size_t i = 0; i < facet_json_array_size(least); i++) {
        double side = facet_json_number_value(facet_json_array_get(most, i)) -
                      facet_json_number_value(facet_json_array_get(least, i));
        *size = side > *size ? side : *size;
    }
    return facet_json_array_size(least) > 0;
}

static bool find(const facet_json *result, const struct number *number, double *value)
{
    const facet_json *object =
        number->object ? facet_json_object_get(result, number->object) : result;
    if (strcmp(number->name, "size") == 0)
        return measure(object, value);
    const facet_json *found = facet_json_object_get(object, number->name);
    *value = facet_json_number_value(found);
    return facet_json_is_number(found);
}

static void explain(const cli_batch_condition *condition, bool known, double value,
                    char reason[200])
{
    const char *limit = condition->given + strlen(condition->number->name);
    if (known)
        snprintf(reason, 200, "%s is %.9g, expected %s", condition->number->name, value, limit);
    else
        snprintf(reason, 200, "%s is not known, expected %s", condition->number->name, limit);
}

/* -- Checks of conditions ----------------------------------------------- */

/* Forget the findings of a command; the files that it read stay. */
static void forget(cli_record *record)
{
    facet_json_free(record->findings);
    facet_json_free(record->result);
    record->findings = record->result = NULL;
    record->finding_count = 0;
    record->error = (facet_error){0};
}

/* True if nothing of a result is missing because memory lacked. */
static bool is_complete(const facet_json *result)
{
    bool complete = facet_json_is_complete(result);
    for (size_t i = 0; complete && i < facet_json_object_size(result); i++) {
        const facet_json *part = facet_json_object_value(result, i);
        complete = facet_json_is_complete(part);
        for (size_t k = 0; complete && k < facet_json_object_size(part); k++)
            complete = facet_json_is_complete(facet_json_object_value(part, k));
    }
    return complete;
}

/* Check all conditions that one command decides. */
static int decide(const cli_batch_job *job, const cli_command *command, const cli_batch_item *item,
                  cli_record *record, char reason[200])
{
    bool checks = strcmp(command->name, "check") == 0;
    cli_batch_job one = {.command = command};
    cli_batch_item its = *item;
    its.out = NULL;
    its.more = NULL;
    int result = cli_batch_run_command(&one, &its, record);
    /* A broken file is a valid result of "check", not an error. */
    if (checks && result == EXIT_INPUT && facet_json_object_get(record->result, "errors"))
        result = EXIT_DONE;
    /* The command does not report that it lacked memory for its result. */
    if (result == EXIT_DONE && !is_complete(record->result) &&
        !facet_lacks_memory(record->error.status))
        facet_fail_memory(&record->error, 1);
    if (result == EXIT_DONE && facet_lacks_memory(record->error.status))
        result = EXIT_SYSTEM;
    for (size_t i = 0; i < job->filter_count && result == EXIT_DONE && !*reason; i++) {
        const cli_batch_condition *condition = &job->filters[i];
        double value;
        if (condition->command != command)
            continue;
        bool known = find(record->result, condition->number, &value);
        if (!known || !holds(value, condition->operator, condition->limit))
            explain(condition, known, value, reason);
    }
    if (result == EXIT_DONE)
        forget(record);
    return result;
}

/* Check the conditions on the file size. */
static int decide_bytes(const cli_batch_job *job, const cli_batch_item *item, cli_record *record,
                        char reason[200])
{
    facet_file_info place;
    uint64_t bytes = 0;
    bool known = false, asked = false;
    for (size_t i = 0; i < job->filter_count; i++)
        asked |= !job->filters[i].command;
    if (!asked)
        return EXIT_DONE;
    if (cli_kept_in_memory(record->kept, item->in) == 0 &&
        facet_system_get_file_info(item->in, &place) && place.is_file) {
        bytes = place.size;
        known = true;
    } else {
        char sum[65];
        known = cli_identify_in(record->kept, item->in, sum, &bytes);
    }
    for (size_t i = 0; i < job->filter_count && known && !*reason; i++) {
        const cli_batch_condition *condition = &job->filters[i];
        if (!condition->command && !holds((double)bytes, condition->operator, condition->limit))
            explain(condition, true, (double)bytes, reason);
    }
    return EXIT_DONE; /* the command reports files that cannot be opened */
}

/* The command with this name, if a condition needs it, or NULL. */
static const cli_command *find_command(const cli_batch_job *job, const char *name)
{
    for (size_t i = 0; i < job->filter_count; i++) {
        if (job->filters[i].command && strcmp(job->filters[i].command->name, name) == 0)
            return job->filters[i].command;
    }
    return NULL;
}

int cli_batch_filter_run(const cli_batch_job *job, const cli_batch_item *item, cli_record *record,
                         char reason[200])
{
    *reason = '\0';
    int result = decide_bytes(job, item, record, reason);
    /* "check" is first: "info" cannot read broken files. */
    const char *const names[] = {"check", "info"};
    for (size_t i = 0; i < 2 && result == EXIT_DONE && !*reason; i++) {
        const cli_command *command = find_command(job, names[i]);
        if (!command)
            continue;
        result = decide(job, command, item, record, reason);
        /* The next command opens and hashes a file again, but not a sample. */
        if (result == EXIT_DONE && !*reason && !(record->kept && record->kept->in_memory))
            *record->in_sha256 = '\0';
    }
    if (*reason && !*record->in_sha256)
        cli_identify_in(record->kept, item->in, record->in_sha256, &record->in_bytes);
    return result;
}
