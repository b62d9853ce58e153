/* base/report.h - adding findings to a report. */
#ifndef FACET_BASE_REPORT_H
#define FACET_BASE_REPORT_H

#include <facet/base.h>
#include <stdarg.h>

/* Add a finding; rule and sentence are copied. report may be NULL: then nothing
 * happens. When memory runs out, findings are lost and facet_report_status fails:
 * a check asks that once, at its end. */
void facet_report_add(facet_report *report, const char *rule, facet_severity severity,
                      uint64_t offset, const char *format, ...) FACET_PRINTF(5, 6);
void facet_report_add_line(facet_report *report, const char *rule, facet_severity severity,
                           uint64_t line, const char *format, ...) FACET_PRINTF(5, 6);

/* A place in the file and in the model; the members are those of facet_finding. */
typedef struct facet_where {
    uint64_t offset, line, mesh, face, vertex;
} facet_where;

static inline facet_where facet_where_offset(uint64_t offset)
{
    return (facet_where){offset, 0, FACET_NO_INDEX, FACET_NO_INDEX, FACET_NO_INDEX};
}

static inline facet_where facet_where_line(uint64_t line)
{
    return (facet_where){FACET_NO_OFFSET, line, FACET_NO_INDEX, FACET_NO_INDEX, FACET_NO_INDEX};
}

static inline facet_where facet_where_mesh(uint64_t offset, uint64_t mesh)
{
    return (facet_where){offset, 0, mesh, FACET_NO_INDEX, FACET_NO_INDEX};
}

static inline facet_where facet_where_face(uint64_t offset, uint64_t face)
{
    return (facet_where){offset, 0, FACET_NO_INDEX, face, FACET_NO_INDEX};
}

static inline facet_where facet_where_vertex(uint64_t offset, uint64_t vertex)
{
    return (facet_where){offset, 0, FACET_NO_INDEX, FACET_NO_INDEX, vertex};
}

/* Add a finding about an element of the model. */
void facet_report_add_where(facet_report *report, const char *rule, facet_severity severity,
                            facet_where where, const char *format, ...) FACET_PRINTF(5, 6);

/* What is added from now on is in this file beside the source; NULL: in the source again. */
void facet_report_set_file(facet_report *report, const char *file);

/* Add a finding of another report as it is. */
void facet_report_repeat(facet_report *report, const facet_finding *finding);

/* Add what a reader says of its input, as an error. `otherwise` is the rule of a
 * fault that has none. */
void facet_report_add_fault(facet_report *report, const facet_error *fault, const char *otherwise);

/* Occurrences of one rule, counted in a loop over many elements and reported
 * once: "... (12 such)". Zero-initialize. */
typedef struct facet_tally {
    uint64_t count;
    uint64_t first; /* index of the first occurrence */
} facet_tally;

static inline void facet_tally_hit(facet_tally *tally, uint64_t index)
{
    if (tally->count++ == 0)
        tally->first = index;
}

/* Add what was counted further on. */
static inline void facet_tally_add(facet_tally *tally, const facet_tally *later)
{
    if (tally->count == 0)
        tally->first = later->first;
    tally->count += later->count;
}

/* Add a tally's finding if it counted anything; the sentence tells of the
 * first occurrence, and gets " (N such)" when there are more. */
void facet_report_add_tally(facet_report *report, const char *rule, facet_severity severity,
                            uint64_t offset, const facet_tally *tally, const char *format, ...)
    FACET_PRINTF(6, 7);
/* The same for a text file: `line` of the first occurrence. */
void facet_report_add_tally_line(facet_report *report, const char *rule, facet_severity severity,
                                 uint64_t line, const facet_tally *tally, const char *format, ...)
    FACET_PRINTF(6, 7);

/* The same about an element of the model: that of the first occurrence. */
void facet_report_add_tally_where(facet_report *report, const char *rule, facet_severity severity,
                                  facet_where where, const facet_tally *tally, const char *format,
                                  ...) FACET_PRINTF(6, 7);

/* FACET_ERROR_MEMORY when a finding was lost, else FACET_OK. NULL is fine. */
facet_status facet_report_status(const facet_report *report, facet_error *error);

#endif
