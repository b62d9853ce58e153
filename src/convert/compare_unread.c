/* convert/compare_unread.c - data of two files that their readers report and a scene does not have,
 * so that they cannot be compared. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "convert/compare.h"

#include <string.h>

static uint32_t key_of(facet_names *names, const facet_finding *finding, bool add)
{
    size_t length = strlen(finding->message);
    return add ? facet_names_put(names, finding->message, length)
               : facet_names_find(names, finding->message, length);
}

/* Number the warnings of a report. */
static facet_status list_warnings(const facet_comparing *c, const facet_report *report,
                                  facet_names *names, facet_error *error)
{
    *names = facet_names_make(c->arena);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity == FACET_SEVERITY_WARNING &&
            key_of(names, finding, true) == UINT32_MAX)
            return facet_fail_arena(c->arena, error);
    }
    return FACET_OK;
}

/* Report the warnings of one file. Those that the other file has as well are left to the first. */
static void add_warnings(const facet_comparing *c, const facet_report *report, facet_names *other,
                         bool is_second, bool of_one_family)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity != FACET_SEVERITY_WARNING)
            continue;
        bool in_both = key_of(other, finding, false) != UINT32_MAX;
        if (in_both && is_second)
            continue;
        const char *file = is_second ? "second" : "first";
        if (in_both)
            facet_compare_add_absent(c, FACET_COMPARE_DOCUMENT, "COMPARE-UNREAD",
                                     "not compared, in both files: %.300s [%.40s]",
                                     finding->message, finding->rule);
        else if (of_one_family)
            facet_compare_add(c, FACET_COMPARE_DOCUMENT, "COMPARE-UNREAD", FACET_NO_OFFSET,
                              "only in the %s file: %.300s [%.40s]", file, finding->message,
                              finding->rule);
        else
            facet_compare_add_absent(c, FACET_COMPARE_DOCUMENT, "COMPARE-UNREAD",
                                     "not compared, in the %s file: %.300s [%.40s]", file,
                                     finding->message, finding->rule);
    }
}

facet_status facet_compare_unread(const facet_comparing *c, const facet_report *a,
                                  const facet_report *b, bool of_one_family, facet_error *error)
{
    facet_names here, there;
    TRY(list_warnings(c, a, &here, error));
    TRY(list_warnings(c, b, &there, error));
    add_warnings(c, a, &there, false, of_one_family);
    add_warnings(c, b, &here, true, of_one_family);
    return FACET_OK;
}
