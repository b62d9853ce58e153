/* cli/message.c - everything said on stderr, and how a finding looks. */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Set once by message_setup, before any thread is started. */
static bool quiet, verbose;

static bool colored(FILE *to)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(fileno(to));
}

void message_setup(const cli_settings *settings)
{
    quiet = settings->quiet;
    verbose = settings->verbose;
}

static void say(const char *format, va_list arguments)
{
    fputs("facet: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void remark(const char *format, ...)
{
    if (quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

/* A name may hold anything; what steers a terminal is not passed on. Four names
 * live at a time, more than any message has. */
const char *shown_name(const char *path)
{
    static char names[4][1024];
    static unsigned next;
    if (strcmp(path, "-") == 0)
        return "(stdin)";
    char *name = names[next++ % 4];
    size_t used = 0;
    for (; path[used] && used + 1 < sizeof names[0]; used++)
        name[used] = (unsigned char)path[used] < 0x20 || path[used] == 0x7F ? '?' : path[used];
    name[used] = '\0';
    return name;
}

/* -- Places and findings ------------------------------------------------ */

/* ":12" for a line, ":0x84" for a byte offset, nothing for neither. */
static const char *place(char *text, size_t space, uint64_t offset, uint64_t line)
{
    text[0] = '\0';
    if (line)
        snprintf(text, space, ":%" PRIu64, line);
    else if (offset != FACET_NO_OFFSET)
        snprintf(text, space, ":0x%" PRIX64, offset);
    return text;
}

static void print_message(FILE *to, const char *file, const char *where, facet_severity severity,
                          const char *rule, const char *sentence)
{
    static const char *const colors[] = {"\033[36m", "\033[33m", "\033[31m"};
    bool color = colored(to);
    fprintf(to, "%s%s: %s%s%s", file, where, color ? colors[severity] : "",
            facet_severity_name(severity), color ? "\033[0m" : "");
    if (rule && *rule)
        fprintf(to, " [%s]", rule);
    fprintf(to, ": %s\n", sentence);
}

int complain_error(const char *file, const facet_error *error)
{
    char where[32];
    place(where, sizeof where, error->offset, error->line);
    fputs("facet: ", stderr);
    print_message(stderr, shown_name(file), where, FACET_SEVERITY_ERROR, error->rule,
                  error->message);
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

void print_finding(FILE *to, const char *file, const facet_finding *finding)
{
    char where[32];
    place(where, sizeof where, finding->offset, finding->line);
    print_message(to, shown_name(file), where, finding->severity, finding->rule, finding->message);
}

/* Several meshes may give cause for the same sentence: once is enough. */
static bool said_before(const facet_report *report, size_t index)
{
    const facet_finding *finding = facet_report_get(report, index);
    for (size_t i = 0; i < index && i < 100; i++) {
        if (strcmp(facet_report_get(report, i)->message, finding->message) == 0)
            return true;
    }
    return false;
}

void print_report(const char *file, const facet_report *report)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity == FACET_SEVERITY_NOTE
                ? !verbose
                : quiet && finding->severity != FACET_SEVERITY_ERROR)
            continue;
        if (said_before(report, i))
            continue;
        fputs("facet: ", stderr);
        print_finding(stderr, file, finding);
    }
}
