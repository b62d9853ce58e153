/* formats/obj/check.c - the rules of OBJ (docs/reference/formats/obj.md): findings of the reader,
 * and those that need the complete mesh. */
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "formats/obj/obj.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Faces -------------------------------------------------------------- */

static const float *point_of(const facet_mesh *mesh, uint32_t corner)
{
    return (const float *)mesh->streams[0].data + (size_t)mesh->streams[0].indices[corner] * 3;
}

/* True if the polygon has no area, by Newell's sum of cross products. Coordinates are relative to
 * the first corner, to be exact far from the origin. */
static bool is_degenerate(const facet_mesh *mesh, uint32_t from, uint32_t to)
{
    double sum[3] = {0, 0, 0};
    const float *origin = point_of(mesh, from);
    for (uint32_t c = from + 1; c + 1 < to; c++) {
        double a[3], b[3];
        for (int k = 0; k < 3; k++) {
            a[k] = (double)point_of(mesh, c)[k] - (double)origin[k];
            b[k] = (double)point_of(mesh, c + 1)[k] - (double)origin[k];
        }
        sum[0] += a[1] * b[2] - a[2] * b[1];
        sum[1] += a[2] * b[0] - a[0] * b[2];
        sum[2] += a[0] * b[1] - a[1] * b[0];
    }
    return sum[0] == 0 && sum[1] == 0 && sum[2] == 0;
}

/* True if the face uses a vertex twice. `seen` has, per vertex, the last face that used it, from
 * 1. */
static bool repeats(const facet_mesh *mesh, uint32_t face, uint32_t *seen)
{
    bool repeated = false;
    for (uint32_t c = facet_face_begin(mesh, face); c < facet_face_end(mesh, face); c++) {
        uint32_t *last = &seen[mesh->streams[0].indices[c]];
        repeated |= *last == face + 1;
        *last = face + 1;
    }
    return repeated;
}

static facet_status check_faces(const facet_source *source, const facet_mesh *mesh,
                                facet_report *report, facet_error *error)
{
    uint32_t count = mesh->streams[0].count, unused = 0;
    uint32_t *seen = facet_arena_allocate_zeroed(mesh->arena, count, sizeof *seen);
    if (!seen)
        return facet_fail_arena(mesh->arena, error);
    facet_tally repeated = {0, 0}, flat = {0, 0};
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        if (repeats(mesh, face, seen))
            facet_tally_hit(&repeated, face);
        if (is_degenerate(mesh, facet_face_begin(mesh, face), facet_face_end(mesh, face)))
            facet_tally_hit(&flat, face);
    }
    for (uint32_t i = 0; i < count; i++)
        unused += seen[i] == 0;
    if (repeated.count > 0)
        facet_report_add_tally_line(report, "OBJ-FACE-REPEATED", FACET_SEVERITY_WARNING,
                                    facet_obj_line_of_face(source, (uint32_t)repeated.first),
                                    &repeated, "a face names a vertex more than once");
    if (flat.count > 0)
        facet_report_add_tally_line(report, "OBJ-FACE-DEGENERATE", FACET_SEVERITY_WARNING,
                                    facet_obj_line_of_face(source, (uint32_t)flat.first), &flat,
                                    "a face has no area");
    if (unused > 0 && mesh->face_count > 0)
        facet_report_add(report, "OBJ-UNUSED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "%" PRIu32 " of %" PRIu32 " vertices %s used by no face", unused, count,
                         facet_plural(unused, "is", "are"));
    return FACET_OK;
}

/* -- Normals ------------------------------------------------------------ */

static void check_normals(const facet_mesh *mesh, facet_report *report)
{
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    facet_tally zero = {0, 0}, length = {0, 0};
    for (uint32_t i = 0; normals && i < normals->count; i++) {
        const float *n = (const float *)normals->data + (size_t)i * 3;
        double squared = (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2];
        if (squared == 0)
            facet_tally_hit(&zero, i);
        else if (fabs(squared - 1) > 0.02)
            facet_tally_hit(&length, i);
    }
    facet_report_add_tally(report, "OBJ-NORMAL-ZERO", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &zero, "normal %" PRIu64 " has no length", zero.first + 1);
    facet_report_add_tally(report, "OBJ-NORMAL-LENGTH", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &length, "the length of normal %" PRIu64 " is not 1", length.first + 1);
}

/* -- Check -------------------------------------------------------------- */

facet_status facet_obj_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_options own = {0};
    if (options)
        own = *options;
    own.report = report;
    /* Names that no object can have: all objects stay in the mesh. */
    static const facet_load_options load = {.hull_prefix = "\n", .occluder_name = "\n"};
    size_t errors = facet_report_severity_count(report, FACET_SEVERITY_ERROR);
    facet_scene *scene = NULL;
    facet_error failure = {0};
    facet_status status = facet_obj_read_all(source, &load, &own, report, &scene, &failure);
    if (status == FACET_ERROR_LIMIT) {
        /* An error in the file is a finding, not a failure of the check. */
        facet_report_add_line(report, "OBJ-LIMIT", FACET_SEVERITY_ERROR, failure.line, "%s",
                              failure.message);
        return FACET_OK;
    }
    if (status) {
        if (error)
            *error = failure;
        return status;
    }
    bool whole = facet_report_severity_count(report, FACET_SEVERITY_ERROR) == errors;
    for (uint32_t i = 0; i < scene->mesh_count && whole && !status; i++) {
        status = check_faces(source, scene->meshes[i], report, error);
        check_normals(scene->meshes[i], report);
    }
    if (whole && !status)
        facet_scene_report_rounding(scene, source, &own);
    facet_scene_free(scene);
    return status;
}
