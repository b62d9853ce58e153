/* bsm/check_triangles.c - rules for triangles, and for what they say of their
 * vertices: winding, handedness, use. */
#include "base/arena.h"
#include "base/error.h"
#include "bsm/check.h"
#include "bsm/duplicates.h"

#include <inttypes.h>
#include <string.h>

typedef struct triangle {
    uint32_t vertex[3];
} triangle;

static triangle load_triangle(const facet_bsm_checker *checker, uint32_t index)
{
    const uint8_t *at = facet_bsm_record(checker, FACET_BSM_TRIANGLES, index);
    triangle t = {{facet_load_u32le(at), facet_load_u32le(at + 4), facet_load_u32le(at + 8)}};
    return t;
}

static bool in_range(triangle t, int64_t vertices)
{
    return t.vertex[0] < vertices && t.vertex[1] < vertices && t.vertex[2] < vertices;
}

static bool repeats(triangle t)
{
    return t.vertex[0] == t.vertex[1] || t.vertex[1] == t.vertex[2] || t.vertex[2] == t.vertex[0];
}

/* -- Marks -------------------------------------------------------------- */

uint64_t *facet_bsm_marks_create(facet_bsm_checker *checker, uint32_t count, facet_error *error)
{
    size_t words = (size_t)count / 64 + 1;
    uint64_t *marks = facet_arena_allocate_zeroed(checker->arena, words, sizeof *marks);
    if (!marks)
        facet_fail_memory(error, words * sizeof *marks);
    return marks;
}

facet_tally facet_bsm_marks_finish(facet_bsm_checker *checker, uint64_t *marks, uint32_t count)
{
    facet_tally unmarked = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        if (i % 64 == 0 && count - i >= 64 && marks[i / 64] == UINT64_MAX)
            i += 63;
        else if (!(marks[i / 64] >> i % 64 & 1))
            facet_tally_hit(&unmarked, i);
    }
    facet_arena_release(checker->arena, marks, (size_t)count / 64 + 1, sizeof *marks);
    return unmarked;
}

/* -- Geometry ----------------------------------------------------------- */

typedef struct tallies {
    facet_tally range, degenerate, zero_area, winding, hand_uv, hand_mixed;
} tallies;

static facet_bsm_vector vertex_of(const facet_bsm_checker *checker, facet_bsm_array array,
                                  triangle t, int corner)
{
    return facet_bsm_load_vector(facet_bsm_record(checker, array, t.vertex[corner]));
}

static void judge_shape(const facet_bsm_checker *checker, triangle t, uint32_t index,
                        tallies *found)
{
    facet_bsm_vector p = vertex_of(checker, FACET_BSM_POSITIONS, t, 0);
    facet_bsm_vector a = facet_bsm_subtract(vertex_of(checker, FACET_BSM_POSITIONS, t, 1), p);
    facet_bsm_vector b = facet_bsm_subtract(vertex_of(checker, FACET_BSM_POSITIONS, t, 2), p);
    facet_bsm_vector face = facet_bsm_cross(a, b);
    if (face.x == 0 && face.y == 0 && face.z == 0)
        facet_tally_hit(&found->zero_area, index);
    if (!checker->layout.raw[FACET_BSM_NORMALS])
        return;
    double agreement = 0;
    for (int corner = 0; corner < 3; corner++)
        agreement += facet_bsm_dot(face, vertex_of(checker, FACET_BSM_NORMALS, t, corner));
    if (agreement < 0)
        facet_tally_hit(&found->winding, index);
}

/* Twice the signed area in texture space: positive when u, v and the normal
 * make a right-handed frame. */
static double uv_area(const facet_bsm_checker *checker, triangle t)
{
    double u[3], v[3];
    for (int corner = 0; corner < 3; corner++) {
        const uint8_t *at = facet_bsm_record(checker, FACET_BSM_TEXCOORDS, t.vertex[corner]);
        u[corner] = (double)facet_load_f32le(at);
        v[corner] = (double)facet_load_f32le(at + 4);
    }
    return (u[1] - u[0]) * (v[2] - v[0]) - (u[2] - u[0]) * (v[1] - v[0]);
}

static void judge_hand(const facet_bsm_checker *checker, triangle t, uint32_t index, tallies *found)
{
    int positive = 0;
    for (int corner = 0; corner < 3; corner++) {
        const uint8_t *at = facet_bsm_record(checker, FACET_BSM_TANGENTS, t.vertex[corner]);
        positive += facet_load_f32le(at + 12) >= 0;
    }
    if (positive == 1 || positive == 2)
        facet_tally_hit(&found->hand_mixed, index);
    if (!checker->layout.raw[FACET_BSM_TEXCOORDS])
        return;
    double area = uv_area(checker, t);
    int contrary = area > 0 ? 3 - positive : area < 0 ? positive : 0;
    for (; contrary > 0; contrary--)
        facet_tally_hit(&found->hand_uv, index);
}

static void add_findings(const facet_bsm_checker *checker, const tallies *found)
{
    facet_report *report = checker->report;
    const facet_bsm_array array = FACET_BSM_TRIANGLES;
    facet_report_add_tally(report, "BSM-TRI-INDEX-RANGE", FACET_SEVERITY_ERROR,
                           facet_bsm_offset_of(checker, array, found->range.first), &found->range,
                           "triangle %" PRIu64 " has an index outside the %" PRId64 " vertices",
                           found->range.first, checker->stated[FACET_BSM_POSITIONS]);
    facet_report_add_tally(report, "BSM-TRI-DEGENERATE", FACET_SEVERITY_WARNING,
                           facet_bsm_offset_of(checker, array, found->degenerate.first),
                           &found->degenerate, "triangle %" PRIu64 " has two equal indices",
                           found->degenerate.first);
    facet_report_add_tally(report, "BSM-TRI-ZERO-AREA", FACET_SEVERITY_NOTE,
                           facet_bsm_offset_of(checker, array, found->zero_area.first),
                           &found->zero_area, "triangle %" PRIu64 " has no area",
                           found->zero_area.first);
    facet_report_add_tally(
        report, "BSM-TRI-WINDING", FACET_SEVERITY_WARNING,
        facet_bsm_offset_of(checker, array, found->winding.first), &found->winding,
        "triangle %" PRIu64 " faces away from its vertex normals", found->winding.first);
    facet_report_add_tally(report, "BSM-TANGENT-HAND-UV", FACET_SEVERITY_NOTE,
                           facet_bsm_offset_of(checker, array, found->hand_uv.first),
                           &found->hand_uv,
                           "a corner of triangle %" PRIu64 " has a handedness that contradicts its "
                           "texture coordinates",
                           found->hand_uv.first);
    facet_report_add_tally(
        report, "BSM-TANGENT-HAND-MIXED", FACET_SEVERITY_NOTE,
        facet_bsm_offset_of(checker, array, found->hand_mixed.first), &found->hand_mixed,
        "the vertices of triangle %" PRIu64 " differ in handedness", found->hand_mixed.first);
}

/* Each triangle in turn. Marks the vertices that are used. */
static void check_each(const facet_bsm_checker *checker, uint64_t *used)
{
    tallies found;
    const bool positions = checker->layout.raw[FACET_BSM_POSITIONS] != NULL;
    memset(&found, 0, sizeof found);
    for (uint32_t i = 0; i < checker->layout.count[FACET_BSM_TRIANGLES]; i++) {
        triangle t = load_triangle(checker, i);
        if (!in_range(t, checker->stated[FACET_BSM_POSITIONS])) {
            facet_tally_hit(&found.range, i);
            continue;
        }
        if (positions) {
            for (int corner = 0; corner < 3; corner++)
                facet_bsm_mark(used, t.vertex[corner]);
        }
        if (repeats(t)) {
            facet_tally_hit(&found.degenerate, i);
            continue;
        }
        if (positions)
            judge_shape(checker, t, i, &found);
        if (checker->layout.raw[FACET_BSM_TANGENTS])
            judge_hand(checker, t, i, &found);
    }
    add_findings(checker, &found);
}

/* -- Triangles that occur twice ----------------------------------------- */

static triangle load_sorted(const facet_bsm_checker *checker, uint32_t index)
{
    triangle t = load_triangle(checker, index);
    uint32_t *v = t.vertex, swap;
    if (v[0] > v[1])
        swap = v[0], v[0] = v[1], v[1] = swap;
    if (v[1] > v[2])
        swap = v[1], v[1] = v[2], v[2] = swap;
    if (v[0] > v[1])
        swap = v[0], v[0] = v[1], v[1] = swap;
    return t;
}

static int compare_triangles(const void *user, uint32_t a, uint32_t b)
{
    triangle one = load_sorted(user, a), other = load_sorted(user, b);
    return memcmp(&one, &other, sizeof one);
}

static bool hash_triangle(const void *user, uint32_t index, uint32_t *hash)
{
    const facet_bsm_checker *checker = user;
    triangle t = load_sorted(checker, index);
    uint64_t mixed = facet_hash_word(0, t.vertex[0] | (uint64_t)t.vertex[1] << 32);
    *hash = facet_hash_end(facet_hash_word(mixed, t.vertex[2]));
    return in_range(t, checker->stated[FACET_BSM_POSITIONS]) && !repeats(t);
}

static facet_status check_duplicates(facet_bsm_checker *checker, facet_error *error)
{
    const facet_bsm_items items = {checker->layout.count[FACET_BSM_TRIANGLES], hash_triangle,
                                   compare_triangles, checker};
    facet_bsm_twice twice;
    facet_status status = facet_bsm_find_twice(checker->arena, &items, &twice, error);
    if (status)
        return status;
    facet_tally tally = {twice.count, twice.item};
    facet_report_add_tally(checker->report, "BSM-TRI-DUPLICATE", FACET_SEVERITY_NOTE,
                           facet_bsm_offset_of(checker, FACET_BSM_TRIANGLES, twice.item), &tally,
                           "triangle %" PRIu32 " has the vertices of triangle %" PRIu32, twice.item,
                           twice.equals);
    return FACET_OK;
}

facet_status facet_bsm_check_triangles(facet_bsm_checker *checker, facet_error *error)
{
    const facet_bsm_layout *layout = &checker->layout;
    if (checker->stated[FACET_BSM_POSITIONS] < 0)
        return FACET_OK;
    uint32_t vertices = layout->count[FACET_BSM_POSITIONS];
    uint64_t *used = facet_bsm_marks_create(checker, vertices, error);
    if (!used)
        return facet_memory_status();
    check_each(checker, used);
    facet_tally unused = facet_bsm_marks_finish(checker, used, vertices);
    /* Not to be told when the triangles are not there. */
    if (layout->count[FACET_BSM_TRIANGLES] == checker->stated[FACET_BSM_TRIANGLES])
        facet_report_add_tally(checker->report, "BSM-VERT-UNUSED", FACET_SEVERITY_NOTE,
                               facet_bsm_offset_of(checker, FACET_BSM_POSITIONS, unused.first),
                               &unused, "vertex %" PRIu64 " is in no triangle", unused.first);
    return check_duplicates(checker, error);
}
