/* formats/stl/check.c - the rules of STL (docs/reference/formats/stl.md): findings of the reader,
 * and those of triangles. */
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/vec.h"
#include "formats/stl/stl.h"

#include <inttypes.h>
#include <math.h>

/* Tolerance of normals: the cosine of one degree. */
#define NORMAL_COSINE 0.99985

typedef struct tallies {
    facet_tally nonfinite, normal_nonfinite, flat, normal_zero, normal_wrong, attribute;
} tallies;

static void check_triangle(const facet_stl *stl, uint32_t index, tallies *t)
{
    facet_stl_triangle triangle = facet_stl_get(stl, index);
    float rgb[3];
    double a[3], b[3], n[3];
    if (triangle.attributes != 0 && !facet_stl_color(stl, triangle.attributes, rgb))
        facet_tally_hit(&t->attribute, index);
    bool normal_finite = facet_find_nonfinite_float(triangle.normal, 3) == 3;
    if (!normal_finite)
        facet_tally_hit(&t->normal_nonfinite, index);
    if (facet_find_nonfinite_float(triangle.corners, 9) < 9) {
        facet_tally_hit(&t->nonfinite, index);
        return;
    }
    for (int i = 0; i < 3; i++) {
        a[i] = (double)triangle.corners[1][i] - (double)triangle.corners[0][i];
        b[i] = (double)triangle.corners[2][i] - (double)triangle.corners[0][i];
        n[i] = (double)triangle.normal[i];
    }
    double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]};
    double area = sqrt(facet_dot(cross, cross)), length = normal_finite ? sqrt(facet_dot(n, n)) : 0;
    if (!(area > 0))
        facet_tally_hit(&t->flat, index);
    else if (normal_finite && !(length > 0))
        facet_tally_hit(&t->normal_zero, index);
    else if (normal_finite && facet_dot(cross, n) < NORMAL_COSINE * area * length)
        facet_tally_hit(&t->normal_wrong, index);
}

static uint64_t offset_of(const facet_stl *stl, const facet_tally *tally)
{
    return stl->encoding == FACET_STL_BINARY
               ? FACET_STL_PREFIX_SIZE + tally->first * FACET_STL_RECORD_SIZE
               : FACET_NO_OFFSET;
}

static void say(const facet_stl *stl, const tallies *t, facet_report *report)
{
    const struct {
        const facet_tally *tally;
        const char *rule;
        facet_severity severity;
        const char *what;
    } table[] = {
        {&t->nonfinite, "STL-NONFINITE", FACET_SEVERITY_ERROR,
         "has a corner that is infinite or not a number"},
        {&t->flat, "STL-DEGENERATE", FACET_SEVERITY_WARNING, "has no area"},
        {&t->normal_wrong, "STL-NORMAL", FACET_SEVERITY_WARNING,
         "has a normal that is more than a degree off that of its corners"},
        {&t->normal_nonfinite, "STL-NORMAL-NONFINITE", FACET_SEVERITY_WARNING,
         "has a normal that is not finite"},
        {&t->normal_zero, "STL-NORMAL-ZERO", FACET_SEVERITY_NOTE, "has a normal of zero"},
        {&t->attribute, "STL-ATTRIBUTES", FACET_SEVERITY_NOTE,
         "has attributes that are not a color of a known convention"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        facet_report_add_tally_where(
            report, table[i].rule, table[i].severity,
            facet_where_face(offset_of(stl, table[i].tally), table[i].tally->first), table[i].tally,
            "triangle %" PRIu64 " %s", table[i].tally->first, table[i].what);
}

facet_status facet_stl_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_options own = {0};
    if (options)
        own = *options;
    own.report = report;
    facet_stl *stl = NULL;
    facet_error fault = {0};
    facet_status status = facet_stl_read(source, &own, &stl, &fault);
    if (status == FACET_ERROR_MALFORMED || status == FACET_ERROR_LIMIT) {
        facet_report_add_fault(report, &fault, "STL");
        return facet_report_status(report, error);
    }
    if (status) {
        if (error)
            *error = fault;
        return status;
    }
    tallies t = {0};
    for (uint32_t i = 0; i < stl->triangle_count; i++)
        check_triangle(stl, i, &t);
    say(stl, &t, report);
    facet_stl_free(stl);
    return facet_report_status(report, error);
}
