/* cli/message.c - messages on stderr, and the text of findings. */
#include "base/atomic.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Set once by cli_message_setup, before any thread is started. */
static bool quiet, verbose;

void cli_message_setup(const cli_common *common)
{
    quiet = common->quiet;
    verbose = common->verbose;
}

bool cli_is_verbose(void)
{
    return verbose;
}

/* -- Lines -------------------------------------------------------------- */

void cli_put(FILE *to, const char *text)
{
    size_t length = strlen(text);
    while (length > 0) {
        facet_shown shown;
        size_t taken = facet_show_character(&shown, text, length);
        fputs(shown.text, to);
        text += taken;
        length -= taken;
    }
}

static void put_line(FILE *to, const char *format, va_list arguments)
{
    char text[12288]; /* longer than two long paths; the rest is truncated */
    vsnprintf(text, sizeof text, format, arguments);
    cli_put(to, text);
    fputc('\n', to);
}

void cli_print_line(FILE *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_line(to, format, arguments);
    va_end(arguments);
}

void cli_complain(cli_record *record, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (cli_is_silent(record)) {
        cli_record_sentence(record, format, arguments);
    } else {
        fputs("facet: ", stderr);
        put_line(stderr, format, arguments);
    }
    va_end(arguments);
}

void cli_remark(cli_record *record, const char *format, ...)
{
    if (quiet || cli_is_silent(record))
        return;
    va_list arguments;
    va_start(arguments, format);
    fputs("facet: ", stderr);
    put_line(stderr, format, arguments);
    va_end(arguments);
}

const char *cli_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "(stdin)" : path;
}

const char *cli_output_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "(stdout)" : path;
}

/* -- Findings ----------------------------------------------------------- */

static bool colored(FILE *to)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(fileno(to));
}

static void print_message(FILE *to, const char *name, uint64_t offset, uint64_t line,
                          facet_severity severity, const char *rule, const char *sentence)
{
    static const char *const colors[] = {"\033[36m", "\033[33m", "\033[31m"};
    bool color = colored(to);
    cli_put(to, name);
    if (line)
        fprintf(to, ":%" PRIu64, line);
    else if (offset != FACET_NO_OFFSET)
        fprintf(to, ":0x%" PRIX64, offset);
    fprintf(to, ": %s%s%s", color ? colors[severity] : "", facet_severity_name(severity),
            color ? "\033[0m" : "");
    if (*rule)
        fprintf(to, " [%s]", rule);
    fputs(": ", to);
    cli_put(to, sentence);
    fputc('\n', to);
}

/* A remedy on the command line, or NULL. */
static const char *remedy(const facet_error *error)
{
    if (strcmp(error->rule, "GROWTH-LIMIT") == 0 || strcmp(error->rule, "RENDER-LIMIT") == 0 ||
        strcmp(error->rule, "IMAGE-RATIO") == 0)
        return "; --growth-limit raises it";
    return strcmp(error->rule, "ARCHIVE-MEMBER") == 0 ? "; --into adds it" : "";
}

static bool memory_is_limited;

void cli_note_memory_limit(bool given)
{
    memory_is_limited = given;
}

int cli_complain_memory(cli_record *record)
{
    facet_error error;
    facet_fail_memory(&error, 1);
    if (cli_is_silent(record))
        cli_record_error(record, &error);
    else
        cli_complain(record, "out of memory");
    return EXIT_SYSTEM;
}

int cli_complain_error(cli_record *record, const char *name, const facet_error *given)
{
    facet_error helped = *given;
    const facet_error *error = &helped;
    /* Thread timing decides whether the arena's or the process's limit is reached first; both come
     * from the option. */
    if (helped.status == FACET_ERROR_MEMORY && memory_is_limited) {
        helped.status = FACET_ERROR_MEMORY_LIMIT;
        snprintf(helped.rule, sizeof helped.rule, "MEMORY-LIMIT");
    }
    size_t length = strlen(helped.message);
    snprintf(helped.message + length, sizeof helped.message - length, "%s", remedy(given));
    if (cli_is_silent(record)) {
        cli_record_error(record, error);
    } else {
        fputs("facet: ", stderr);
        print_message(stderr, name, error->offset, error->line, FACET_SEVERITY_ERROR, error->rule,
                      error->message);
    }
    if (facet_lacks_memory(error->status))
        cli_remark(
            record,
            "--memory-limit MIB sets how much memory may be used (default: half of the machine's)");
    switch (error->status) {
    case FACET_ERROR_MEMORY:
    case FACET_ERROR_IO:
    case FACET_ERROR_CANCELED:
        return EXIT_SYSTEM;
    case FACET_ERROR_ARGUMENT:
        return EXIT_USAGE;
    default:
        return EXIT_INPUT;
    }
}

void cli_print_finding(FILE *to, const char *name, const facet_finding *finding)
{
    print_message(to, finding->file ? finding->file : name, finding->offset, finding->line,
                  finding->severity, finding->rule, finding->message);
}

bool cli_said_before(const facet_report *report, size_t index)
{
    const facet_finding *finding = facet_report_get(report, index);
    for (size_t i = 0; i < index && i < 100; i++) {
        if (strcmp(facet_report_get(report, i)->message, finding->message) == 0)
            return true;
    }
    return false;
}

void cli_print_report(cli_record *record, const char *name, const facet_report *report)
{
    cli_print_findings_from(record, name, report, 0);
}

void cli_print_findings_from(cli_record *record, const char *name, const facet_report *report,
                             size_t first)
{
    if (cli_is_silent(record)) {
        cli_record_report(record, report, first);
        return;
    }
    for (size_t i = first; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity == FACET_SEVERITY_NOTE
                ? !verbose
                : quiet && finding->severity != FACET_SEVERITY_ERROR)
            continue;
        if (cli_said_before(report, i))
            continue;
        fputs("facet: ", stderr);
        cli_print_finding(stderr, name, finding);
    }
}

/* -- JSON --------------------------------------------------------------- */

static atomic_bool incomplete;

void cli_lack_memory_to_print(void)
{
    atomic_store(&incomplete, true);
}

bool cli_prepare_json(cli_record *record, facet_json *object, cli_prepared_json *prepared)
{
    *prepared = (cli_prepared_json){.object = object};
    if (cli_is_silent(record))
        return true;
    prepared->line = cli_json_line(object);
    return prepared->line != NULL;
}

void cli_free_prepared(cli_prepared_json *prepared)
{
    facet_json_free(prepared->object);
    free(prepared->line);
    *prepared = (cli_prepared_json){0};
}

void cli_print_prepared(cli_record *record, FILE *to, cli_prepared_json *prepared)
{
    if (cli_is_silent(record)) {
        cli_record_result(record, prepared->object);
        prepared->object = NULL;
    } else if (prepared->line) {
        fputs(prepared->line, to);
    } else {
        cli_lack_memory_to_print();
    }
    cli_free_prepared(prepared);
}

void cli_print_json(cli_record *record, FILE *to, facet_json *object)
{
    cli_prepared_json prepared;
    cli_prepare_json(record, object, &prepared);
    cli_print_prepared(record, to, &prepared);
}

bool cli_printed_all(void)
{
    return !atomic_load(&incomplete);
}
