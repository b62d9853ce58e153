/* base/report.h - functions that add findings to a report. */
#ifndef FACET_BASE_REPORT_H
#define FACET_BASE_REPORT_H

#include <facet/base.h>
#include <stdarg.h>

/* Add a finding; rule and sentence are copied. If report is NULL, nothing happens. If out of
 * memory, the finding is lost and facet_report_status fails: a check calls that once, at its end.
 */
void facet_report_add(facet_report *report, const char *rule, facet_severity severity,
                      uint64_t offset, const char *format, ...) FACET_PRINTF(5, 6);
void facet_report_add_line(facet_report *report, const char *rule, facet_severity severity,
                           uint64_t line, const char *format, ...) FACET_PRINTF(5, 6);

/* A location in the file and in the model; the members are those of facet_finding. */
typedef struct facet_where {
    uint64_t offset, line, mesh, face, vertex;
} facet_where;

static inline facet_where facet_where_offset(uint64_t offset)
{
    facet_where where = {offset, 0, FACET_NO_INDEX, FACET_NO_INDEX, FACET_NO_INDEX};
    return where;
}

static inline facet_where facet_where_line(uint64_t line)
{
    facet_where where = {FACET_NO_OFFSET, line, FACET_NO_INDEX, FACET_NO_INDEX, FACET_NO_INDEX};
    return where;
}

static inline facet_where facet_where_mesh(uint64_t offset, uint64_t mesh)
{
    facet_where where = {offset, 0, mesh, FACET_NO_INDEX, FACET_NO_INDEX};
    return where;
}

static inline facet_where facet_where_face(uint64_t offset, uint64_t face)
{
    facet_where where = {offset, 0, FACET_NO_INDEX, face, FACET_NO_INDEX};
    return where;
}

static inline facet_where facet_where_vertex(uint64_t offset, uint64_t vertex)
{
    facet_where where = {offset, 0, FACET_NO_INDEX, FACET_NO_INDEX, vertex};
    return where;
}

/* Add a finding about an element of the model. */
void facet_report_add_where(facet_report *report, const char *rule, facet_severity severity,
                            facet_where where, const char *format, ...) FACET_PRINTF(5, 6);

/* Set the file of the next findings, next to the source; NULL: the source again. */
void facet_report_set_file(facet_report *report, const char *file);

/* Add an unchanged finding of another report. */
void facet_report_repeat(facet_report *report, const facet_finding *finding);

/* True if the report has a finding of a rule. */
bool facet_report_has(const facet_report *report, const char *rule);

/* Add the error of a reader as a finding. `otherwise` is the rule if the error has none. */
void facet_report_add_fault(facet_report *report, const facet_error *fault, const char *otherwise);

/* Occurrences of one rule, counted in a loop over many elements and reported once: "... (12 such)".
 * Initialize with zeros. */
typedef struct facet_tally {
    uint64_t count;
    uint64_t first; /* index of the first occurrence */
} facet_tally;

static inline void facet_tally_hit(facet_tally *tally, uint64_t index)
{
    if (tally->count++ == 0)
        tally->first = index;
}

/* Add the counts of a later range. */
static inline void facet_tally_add(facet_tally *tally, const facet_tally *later)
{
    if (tally->count == 0)
        tally->first = later->first;
    tally->count += later->count;
}

/* Add a tally's finding if it counted anything. The sentence describes the first occurrence; " (N
 * such)" is appended if there are more. */
void facet_report_add_tally(facet_report *report, const char *rule, facet_severity severity,
                            uint64_t offset, const facet_tally *tally, const char *format, ...)
    FACET_PRINTF(6, 7);
/* Like facet_report_add_tally for a text file: `line` is that of the first occurrence. */
void facet_report_add_tally_line(facet_report *report, const char *rule, facet_severity severity,
                                 uint64_t line, const facet_tally *tally, const char *format, ...)
    FACET_PRINTF(6, 7);

/* Like facet_report_add_tally, about the element of the model of the first occurrence. */
void facet_report_add_tally_where(facet_report *report, const char *rule, facet_severity severity,
                                  facet_where where, const facet_tally *tally, const char *format,
                                  ...) FACET_PRINTF(6, 7);

/* Memory filled with zeros, for counting what to report. Release it before a finding is added; else
 * it may stay until the report is freed. NULL if out of memory: then a finding is lost. */
void *facet_report_allocate(facet_report *report, size_t count, size_t size);
void facet_report_release(facet_report *report, void *block, size_t count, size_t size);

/* FACET_ERROR_MEMORY if a finding was lost, otherwise FACET_OK. NULL is allowed. */
facet_status facet_report_status(const facet_report *report, facet_error *error);

#endif
