/* base/report.c - the list of findings. */
#include "base/report.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct facet_report {
    facet_arena *arena;
    facet_finding *findings;
    size_t count, capacity;
    size_t by_severity[3];
    bool lost;
    const char *file; /* file of the next findings; NULL: the source */
    facet_report_callback callback;
    void *user;
};

const char *facet_severity_name(facet_severity severity)
{
    return severity == FACET_SEVERITY_ERROR     ? "error"
           : severity == FACET_SEVERITY_WARNING ? "warning"
                                                : "note";
}

facet_status facet_report_create(const facet_allocator *allocator, facet_report **report,
                                 facet_error *error)
{
    facet_options options = {0};
    options.allocator = allocator;
    facet_arena *arena = NULL;
    TRY(facet_arena_create(&options, &arena, error));
    facet_report *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    *report = made;
    return FACET_OK;
}

void facet_report_free(facet_report *report)
{
    if (report)
        facet_arena_free(report->arena);
}

size_t facet_report_count(const facet_report *report)
{
    return report ? report->count : 0;
}

const facet_finding *facet_report_get(const facet_report *report, size_t index)
{
    return &report->findings[index];
}

size_t facet_report_severity_count(const facet_report *report, facet_severity severity)
{
    return report->by_severity[severity];
}

void facet_report_set_callback(facet_report *report, facet_report_callback callback, void *user)
{
    report->callback = callback;
    report->user = user;
}

void facet_report_set_file(facet_report *report, const char *file)
{
    if (!report)
        return;
    report->file = file && *file ? facet_arena_string(report->arena, file, strlen(file)) : NULL;
    report->lost |= file && *file && !report->file;
}

void *facet_report_allocate(facet_report *report, size_t count, size_t size)
{
    void *block = facet_arena_allocate_zeroed(report->arena, count, size);
    report->lost |= !block;
    return block;
}

void facet_report_release(facet_report *report, void *block, size_t count, size_t size)
{
    facet_arena_release(report->arena, block, count, size);
}

facet_status facet_report_status(const facet_report *report, facet_error *error)
{
    return report && report->lost ? facet_fail_memory(error, sizeof(facet_finding)) : FACET_OK;
}

/* -- Adding ------------------------------------------------------------- */

/* Get the rule as a text owned by the report. Consecutive findings of one rule share it. */
static const char *keep_rule(const facet_report *report, const char *rule)
{
    const char *last = report->count > 0 ? report->findings[report->count - 1].rule : "";
    return strcmp(last, rule) == 0 ? last : facet_arena_string(report->arena, rule, strlen(rule));
}

/* Append a finding. Its message is in the report's arena, or NULL if out of memory. */
static void append(facet_report *report, facet_finding finding)
{
    finding.rule = keep_rule(report, finding.rule);
    if (!finding.file)
        finding.file = report->file;
    bool whole = finding.rule && finding.message;
    if (whole && report->count == report->capacity) {
        size_t capacity = report->capacity ? report->capacity * 2 : 16;
        facet_finding *grown = facet_arena_resize(report->arena, report->findings, report->capacity,
                                                  capacity, sizeof *grown);
        if (grown) {
            report->findings = grown;
            report->capacity = capacity;
        }
    }
    if (!whole || report->count == report->capacity) {
        report->lost = true;
        return;
    }
    report->findings[report->count++] = finding;
    report->by_severity[finding.severity]++;
    if (report->callback)
        report->callback(report->user, &report->findings[report->count - 1]);
}

static void add(facet_report *report, const char *rule, facet_severity severity, facet_where where,
                uint64_t count, const char *format, va_list arguments)
{
    if (!report || count == 0)
        return;
    facet_finding finding = {0};
    char sentence[500];
    finding.rule = rule;
    finding.severity = severity;
    finding.offset = where.offset;
    finding.line = where.line;
    finding.count = count;
    finding.mesh = where.mesh;
    finding.face = where.face;
    finding.vertex = where.vertex;
    vsnprintf(sentence, sizeof sentence, format, arguments);
    if (count > 1)
        finding.message =
            facet_arena_format(report->arena, "%s (%" PRIu64 " times)", sentence, count);
    else
        finding.message = facet_arena_string(report->arena, sentence, strlen(sentence));
    append(report, finding);
}

void facet_report_add(facet_report *report, const char *rule, facet_severity severity,
                      uint64_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(report, rule, severity, facet_where_offset(offset), 1, format, arguments);
    va_end(arguments);
}

void facet_report_add_line(facet_report *report, const char *rule, facet_severity severity,
                           uint64_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(report, rule, severity, facet_where_line(line), 1, format, arguments);
    va_end(arguments);
}

void facet_report_add_where(facet_report *report, const char *rule, facet_severity severity,
                            facet_where where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(report, rule, severity, where, 1, format, arguments);
    va_end(arguments);
}

void facet_report_repeat(facet_report *report, const facet_finding *finding)
{
    if (!report)
        return;
    facet_finding again = *finding;
    again.message = facet_arena_string(report->arena, finding->message, strlen(finding->message));
    if (finding->file)
        again.file = facet_arena_string(report->arena, finding->file, strlen(finding->file));
    append(report, again);
}

bool facet_report_has(const facet_report *report, const char *rule)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        if (strcmp(facet_report_get(report, i)->rule, rule) == 0)
            return true;
    }
    return false;
}

void facet_report_add_fault(facet_report *report, const facet_error *fault, const char *otherwise)
{
    const char *rule = fault->rule[0] ? fault->rule : otherwise;
    if (fault->line)
        facet_report_add_line(report, rule, FACET_SEVERITY_ERROR, fault->line, "%s",
                              fault->message);
    else
        facet_report_add(report, rule, FACET_SEVERITY_ERROR, fault->offset, "%s", fault->message);
}

void facet_report_add_tally(facet_report *report, const char *rule, facet_severity severity,
                            uint64_t offset, const facet_tally *tally, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(report, rule, severity, facet_where_offset(offset), tally->count, format, arguments);
    va_end(arguments);
}

void facet_report_add_tally_line(facet_report *report, const char *rule, facet_severity severity,
                                 uint64_t line, const facet_tally *tally, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(report, rule, severity, facet_where_line(line), tally->count, format, arguments);
    va_end(arguments);
}

void facet_report_add_tally_where(facet_report *report, const char *rule, facet_severity severity,
                                  facet_where where, const facet_tally *tally, const char *format,
                                  ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(report, rule, severity, where, tally->count, format, arguments);
    va_end(arguments);
}
