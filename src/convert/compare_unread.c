/* convert/compare_unread.c - data of two files that their readers report and a scene does not have,
 * so that they cannot be compared. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "convert/compare.h"
#include "scene/format.h"

#include <facet/convert.h>

#include <inttypes.h>
#include <string.h>

/* True for a finding that names data which the scene does not have. Rounding is within the
 * tolerance. */
static bool is_unread(const facet_finding *finding)
{
    const char *rule = finding->rule;
    if (finding->severity != FACET_SEVERITY_NOTE)
        return finding->severity == FACET_SEVERITY_WARNING;
    return strcmp(rule, "OBJ-MATERIAL-UNUSED") == 0 || strcmp(rule, "OBJ-MTL-STATEMENT") == 0 ||
           strcmp(rule, "STL-ATTRIBUTES") == 0 ||
           (strncmp(rule, "LOSS-", 5) == 0 && strcmp(rule, "LOSS-PRECISION") != 0);
}

static uint32_t key_of(facet_names *names, const facet_finding *finding, bool add)
{
    size_t length = strlen(finding->message);
    return add ? facet_names_put(names, finding->message, length)
               : facet_names_find(names, finding->message, length);
}

/* Number the findings of a report that name data. */
static facet_status list_warnings(const facet_comparing *c, const facet_report *report,
                                  facet_names *names, facet_error *error)
{
    *names = facet_names_make(c->arena);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (is_unread(finding) && key_of(names, finding, true) == UINT32_MAX)
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
        if (!is_unread(finding))
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

facet_status facet_compare_check_unread(const facet_source *source, const facet_format *format,
                                        const facet_options *options, facet_report *report,
                                        facet_error *error)
{
    facet_report *found = NULL;
    if (!format->unread_rules)
        return FACET_OK;
    TRY(facet_report_create(options->allocator, &found, error));
    facet_status status = facet_check(source, format, options, found, error);
    for (size_t i = 0; i < facet_report_count(found); i++) {
        const facet_finding *finding = facet_report_get(found, i);
        for (const char *const *rule = format->unread_rules; *rule; rule++) {
            if (strcmp(finding->rule, *rule) == 0)
                facet_report_add(report, finding->rule, finding->severity, finding->offset,
                                 "%s (%" PRIu64 " times)", finding->message, finding->count);
        }
    }
    if (!status)
        status = facet_report_status(found, error);
    facet_report_free(found);
    return status;
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
