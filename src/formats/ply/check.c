/* formats/ply/check.c - the rules of PLY (docs/reference/formats/ply.md): findings of the reader,
 * and those of vertices and faces. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/ply/ply.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct checker {
    const facet_ply *ply;
    const facet_ply_element *vertices;
    facet_report *report;
    facet_error *error;
    uint32_t *seen; /* per vertex: the last face that used it, from 1 */
    facet_tally range, small, repeated;
    const facet_ply_element *range_in;
} checker;

/* -- Vertices ----------------------------------------------------------- */

static void check_vertices(const checker *c)
{
    static const char *const names[] = {"x", "y", "z"};
    facet_tally nonfinite = {0};
    float tile[1024];
    for (int k = 0; k < 3; k++) {
        const facet_ply_property *p = facet_ply_find(c->vertices, names[k]);
        for (uint32_t first = 0; first < c->vertices->count; first += 1024) {
            uint32_t left = c->vertices->count - first, some = left < 1024 ? left : 1024;
            facet_ply_read_values(p, first, some, FACET_PLY_FLOAT32, tile);
            size_t found = facet_find_nonfinite_float(tile, some);
            if (found < some)
                facet_tally_hit(&nonfinite, first + found);
        }
    }
    uint64_t offset, line;
    facet_ply_locate(c->ply, c->vertices, (uint32_t)nonfinite.first, &offset, &line);
    facet_where where = facet_where_vertex(line > 0 ? FACET_NO_OFFSET : offset, nonfinite.first);
    where.line = line;
    if (nonfinite.count > 0)
        facet_report_add_where(c->report, "PLY-NONFINITE", FACET_SEVERITY_ERROR, where,
                               "vertex %" PRIu64
                               " is infinite, not a number, or too far away for a float",
                               nonfinite.first);
}

/* -- Faces -------------------------------------------------------------- */

static void check_list(checker *c, const facet_ply_element *element, const facet_ply_property *list,
                       bool strips)
{
    uint32_t tile[256];
    for (uint32_t i = 0; i < element->count; i++) {
        uint32_t length = facet_ply_list_length(list, i);
        uint64_t first = facet_ply_list_first(list, i);
        bool twice = false, beyond = false;
        for (uint32_t done = 0; done < length;) {
            uint32_t some = length - done < 256 ? length - done : 256;
            facet_ply_read_values(list, first + done, some, FACET_PLY_UINT32, tile);
            for (uint32_t k = 0; k < some; k++) {
                if (strips && tile[k] == UINT32_MAX)
                    continue;
                if (tile[k] >= c->vertices->count) {
                    beyond = true;
                    continue;
                }
                twice |= c->seen[tile[k]] == i + 1;
                c->seen[tile[k]] = i + 1;
            }
            done += some;
        }
        if (beyond && c->range.count == 0)
            c->range_in = element;
        if (beyond)
            facet_tally_hit(&c->range, i);
        if (length < 3)
            facet_tally_hit(&c->small, i);
        if (twice && !strips)
            facet_tally_hit(&c->repeated, i);
    }
}

static void say_index(const checker *c)
{
    uint64_t offset, line;
    if (c->range.count == 0)
        return;
    facet_ply_locate(c->ply, c->range_in, (uint32_t)c->range.first, &offset, &line);
    if (line > 0)
        facet_report_add_tally_line(c->report, "PLY-INDEX", FACET_SEVERITY_ERROR, line, &c->range,
                                    "record %" PRIu64 " of '%s' names a vertex that does not exist",
                                    c->range.first, c->range_in->name);
    else
        facet_report_add_tally(c->report, "PLY-INDEX", FACET_SEVERITY_ERROR, offset, &c->range,
                               "record %" PRIu64 " of '%s' names a vertex that does not exist",
                               c->range.first, c->range_in->name);
}

/* Report index lists of float: they are exact only up to 2^24, and many programs reject them. */
static void check_index_type(const checker *c, const facet_ply_element *element,
                             const facet_ply_property *list)
{
    if (list && list->type > FACET_PLY_UINT32)
        facet_report_add(c->report, "PLY-INDEX-TYPE", FACET_SEVERITY_ERROR, FACET_NO_OFFSET,
                         "the vertices of '%s' are numbers of type %s, expected an integer type",
                         element->name, list->type == FACET_PLY_FLOAT32 ? "float" : "double");
}

static facet_status check_faces(checker *c)
{
    const facet_ply_element *faces = facet_ply_find_element(c->ply, "face");
    const facet_ply_element *strips = facet_ply_find_element(c->ply, "tristrips");
    const facet_ply_property *face_list = faces ? facet_ply_find_indices(faces) : NULL;
    const facet_ply_property *strip_list = strips ? facet_ply_find_indices(strips) : NULL;
    uint32_t count = c->vertices->count;
    check_index_type(c, faces, face_list);
    check_index_type(c, strips, strip_list);
    c->seen = facet_arena_allocate_zeroed(c->ply->arena, count, sizeof *c->seen);
    if (!c->seen)
        return facet_fail_arena(c->ply->arena, c->error);
    if (face_list)
        check_list(c, faces, face_list, false);
    facet_tally small = c->small;
    if (strip_list)
        check_list(c, strips, strip_list, true);
    say_index(c);
    facet_report_add_tally_where(c->report, "PLY-FACE-SMALL", FACET_SEVERITY_WARNING,
                                 facet_where_face(FACET_NO_OFFSET, small.first), &small,
                                 "face %" PRIu64 " has fewer than three corners", small.first);
    facet_report_add_tally_where(c->report, "PLY-FACE-REPEATED", FACET_SEVERITY_WARNING,
                                 facet_where_face(FACET_NO_OFFSET, c->repeated.first), &c->repeated,
                                 "face %" PRIu64 " names a vertex more than once",
                                 c->repeated.first);
    uint64_t unused = 0;
    for (uint32_t i = 0; i < count; i++)
        unused += c->seen[i] == 0;
    bool any = (face_list && faces->count > 0) || (strip_list && strips->count > 0);
    if (!any)
        facet_report_add(c->report, count > 0 ? "PLY-POINTS" : "PLY-EMPTY", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "the file has no faces, only %" PRIu32 " points", count);
    else if (unused > 0)
        facet_report_add(c->report, "PLY-UNUSED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "%" PRIu64 " of %" PRIu32 " vertices %s used by no face", unused, count,
                         facet_plural(unused, "is", "are"));
    return FACET_OK;
}

/* -- Check -------------------------------------------------------------- */

static facet_status check_document(checker *c)
{
    static const char *const names[] = {"x", "y", "z"};
    c->vertices = facet_ply_find_element(c->ply, "vertex");
    for (int i = 0; i < 3; i++) {
        const facet_ply_property *p = c->vertices ? facet_ply_find(c->vertices, names[i]) : NULL;
        if (p && !p->is_list)
            continue;
        facet_report_add(c->report, "PLY-VERTEX-MISSING", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "no element 'vertex' with numbers x, y and z");
        return FACET_OK;
    }
    check_vertices(c);
    return check_faces(c);
}

facet_status facet_ply_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_options own = {0};
    if (options)
        own = *options;
    own.report = report;
    facet_ply *ply = NULL;
    facet_error fault = {0};
    facet_status status = facet_ply_read(source, &own, &ply, &fault);
    if (status == FACET_ERROR_MALFORMED || status == FACET_ERROR_LIMIT) {
        facet_report_add_fault(report, &fault, "PLY");
        return facet_report_status(report, error);
    }
    if (status) {
        if (error)
            *error = fault;
        return status;
    }
    checker c = {.ply = ply, .report = report, .error = error};
    status = check_document(&c);
    facet_ply_free(ply);
    return status ? status : facet_report_status(report, error);
}
