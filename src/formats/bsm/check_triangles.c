/* formats/bsm/check_triangles.c - the rules for triangles and their vertices: winding, handedness,
 * use. */
#include "base/arena.h"
#include "base/atomic.h"
#include "base/error.h"
#include "base/threads.h"
#include "formats/bsm/check.h"
#include "formats/bsm/check_quick.h"
#include "formats/bsm/duplicates.h"

#include <inttypes.h>
#include <math.h>
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
        facet_fail_arena(checker->arena, error);
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

typedef facet_bsm_triangle_tallies tallies;

/* The vertex data that the rules use; NULL if missing. */
typedef struct vertex_arrays {
    const uint8_t *positions, *normals, *texcoords, *tangents;
    int64_t count;
} vertex_arrays;

static inline facet_bsm_vector vertex_of(const uint8_t *records, triangle t, int corner)
{
    return facet_bsm_load_vector(records + (size_t)t.vertex[corner] * 12);
}

static inline void judge_shape(const vertex_arrays *v, triangle t, uint32_t index, tallies *found)
{
    facet_bsm_vector p = vertex_of(v->positions, t, 0);
    facet_bsm_vector a = facet_bsm_subtract(vertex_of(v->positions, t, 1), p);
    facet_bsm_vector b = facet_bsm_subtract(vertex_of(v->positions, t, 2), p);
    facet_bsm_vector face = facet_bsm_cross(a, b);
    if (face.x == 0 && face.y == 0 && face.z == 0)
        facet_tally_hit(&found->zero_area, index);
    if (!v->normals)
        return;
    double agreement = 0;
    for (int corner = 0; corner < 3; corner++)
        agreement += facet_bsm_dot(face, vertex_of(v->normals, t, corner));
    if (agreement < 0)
        facet_tally_hit(&found->winding, index);
}

/* Twice the signed area in texture space: positive if u, v and the normal form a right-handed
 * frame. */
static inline double uv_area(const uint8_t *texcoords, triangle t)
{
    double u[3], v[3];
    for (int corner = 0; corner < 3; corner++) {
        const uint8_t *at = texcoords + (size_t)t.vertex[corner] * 8;
        u[corner] = (double)facet_load_f32le(at);
        v[corner] = (double)facet_load_f32le(at + 4);
    }
    return (u[1] - u[0]) * (v[2] - v[0]) - (u[2] - u[0]) * (v[1] - v[0]);
}

static inline void judge_hand(const vertex_arrays *v, triangle t, uint32_t index, tallies *found)
{
    int positive = 0;
    for (int corner = 0; corner < 3; corner++)
        positive += facet_load_f32le(v->tangents + (size_t)t.vertex[corner] * 16 + 12) >= 0;
    if (positive == 1 || positive == 2)
        facet_tally_hit(&found->hand_mixed, index);
    if (!v->texcoords)
        return;
    double area = uv_area(v->texcoords, t);
    int contrary = area > 0 ? 3 - positive : area < 0 ? positive : 0;
    for (; contrary > 0; contrary--)
        facet_tally_hit(&found->hand_uv, index);
}

static void add_findings(const facet_bsm_checker *checker, const tallies *found)
{
    facet_report *report = checker->report;
    const facet_bsm_array array = FACET_BSM_TRIANGLES;
    facet_report_add_tally_where(
        report, "BSM-TRI-INDEX-RANGE", FACET_SEVERITY_ERROR,
        facet_where_face(facet_bsm_offset_of(checker, array, found->range.first),
                         found->range.first),
        &found->range, "triangle %" PRIu64 " has an index outside the %" PRId64 " vertices",
        found->range.first, checker->stated[FACET_BSM_POSITIONS]);
    facet_report_add_tally_where(
        report, "BSM-TRI-DEGENERATE", FACET_SEVERITY_WARNING,
        facet_where_face(facet_bsm_offset_of(checker, array, found->degenerate.first),
                         found->degenerate.first),
        &found->degenerate, "triangle %" PRIu64 " has two equal indices", found->degenerate.first);
    facet_report_add_tally_where(
        report, "BSM-TRI-ZERO-AREA", FACET_SEVERITY_NOTE,
        facet_where_face(facet_bsm_offset_of(checker, array, found->zero_area.first),
                         found->zero_area.first),
        &found->zero_area, "triangle %" PRIu64 " has no area", found->zero_area.first);
    facet_report_add_tally_where(
        report, "BSM-TRI-WINDING", FACET_SEVERITY_WARNING,
        facet_where_face(facet_bsm_offset_of(checker, array, found->winding.first),
                         found->winding.first),
        &found->winding, "triangle %" PRIu64 " faces away from its vertex normals",
        found->winding.first);
    facet_report_add_tally_where(
        report, "BSM-TANGENT-HAND-UV", FACET_SEVERITY_NOTE,
        facet_where_face(facet_bsm_offset_of(checker, array, found->hand_uv.first),
                         found->hand_uv.first),
        &found->hand_uv,
        "a corner of triangle %" PRIu64 " has a handedness that contradicts its "
        "texture coordinates",
        found->hand_uv.first);
    facet_report_add_tally_where(
        report, "BSM-TANGENT-HAND-MIXED", FACET_SEVERITY_NOTE,
        facet_where_face(facet_bsm_offset_of(checker, array, found->hand_mixed.first),
                         found->hand_mixed.first),
        &found->hand_mixed, "the vertices of triangle %" PRIu64 " differ in handedness",
        found->hand_mixed.first);
}

/* -- Single triangles -------------------------------------------------- */

/* Triangles per task of a thread: they fit into the cache twice. */
#define PIECE 65536
#define TILE 256

typedef struct pieces {
    facet_bsm_checker *checker;
    vertex_arrays vertices;
    facet_bsm_corners corners; /* count is 0 if some array is missing */
    tallies *found;            /* per piece */
} pieces;

/* Mark a vertex. Racing threads store the same value. */
static void mark(FACET_ATOMIC(uint8_t) *flags)
{
    unsigned before = atomic_load_explicit(flags, memory_order_relaxed);
    atomic_store_explicit(flags, (uint8_t)(before | FACET_BSM_USED), memory_order_relaxed);
}

static void check_one(const pieces *all, uint32_t index, tallies *found)
{
    const vertex_arrays *v = &all->vertices;
    triangle t = load_triangle(all->checker, index);
    if (!in_range(t, v->count)) {
        facet_tally_hit(&found->range, index);
        return;
    }
    for (int corner = 0; corner < 3 && v->positions; corner++)
        mark(&all->corners.flags[t.vertex[corner]]);
    if (repeats(t)) {
        facet_tally_hit(&found->degenerate, index);
        return;
    }
    if (v->positions)
        judge_shape(v, t, index, found);
    if (v->tangents)
        judge_hand(v, t, index, found);
}

static void check_tile(const pieces *all, uint32_t begin, uint32_t count, tallies *found)
{
    const uint8_t *at = facet_bsm_record(all->checker, FACET_BSM_TRIANGLES, begin);
    uint8_t good[TILE / 8];
    facet_bsm_find_good(&all->corners, at, count, good);
    for (uint32_t i = 0; i < count; i++) {
        if (i % 8 == 0 && good[i / 8] == 0xFF)
            i += 7;
        else if (!(good[i / 8] >> i % 8 & 1))
            check_one(all, begin + i, found);
    }
}

static void check_piece(const pieces *all, size_t piece)
{
    uint32_t begin = (uint32_t)piece * PIECE;
    uint32_t left = all->checker->layout.count[FACET_BSM_TRIANGLES] - begin;
    uint32_t end = begin + (left < PIECE ? left : PIECE);
    tallies found;
    memset(&found, 0, sizeof found);
    for (; begin < end; begin += TILE)
        check_tile(all, begin, end - begin < TILE ? end - begin : TILE, &found);
    all->found[piece] = found;
}

/* Run a task. The searches for duplicates take as long as several pieces. */
static void run_task(void *argument, size_t task)
{
    const pieces *all = argument;
    facet_bsm_checker *checker = all->checker;
    if (task == 0) {
        facet_bsm_hash_triangles(
            checker->layout.raw[FACET_BSM_TRIANGLES], checker->equal_triangles.count,
            checker->layout.count[FACET_BSM_POSITIONS], checker->triangle_hashes);
        facet_bsm_search_sift(&checker->equal_triangles);
    } else if (task == 1) {
        facet_bsm_search_sift(&checker->equal_vertices);
    } else {
        check_piece(all, task - 2);
    }
}

static void add_tallies(tallies *to, const tallies *later)
{
    facet_tally_add(&to->range, &later->range);
    facet_tally_add(&to->degenerate, &later->degenerate);
    facet_tally_add(&to->zero_area, &later->zero_area);
    facet_tally_add(&to->winding, &later->winding);
    facet_tally_add(&to->hand_uv, &later->hand_uv);
    facet_tally_add(&to->hand_mixed, &later->hand_mixed);
}

/* -- Duplicate triangles ----------------------------------------------- */

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

static bool counts(const void *user, uint32_t index)
{
    const facet_bsm_checker *checker = user;
    triangle t = load_triangle(checker, index);
    return in_range(t, checker->stated[FACET_BSM_POSITIONS]) && !repeats(t);
}

static facet_status check_duplicates(facet_bsm_checker *checker, facet_error *error)
{
    const facet_bsm_items items = {counts, compare_triangles, checker};
    facet_bsm_twice twice;
    TRY(facet_bsm_search_end(&checker->equal_triangles, checker->arena, &items, &twice, error));
    facet_tally tally = {twice.count, twice.item};
    facet_report_add_tally_where(
        checker->report, "BSM-TRI-DUPLICATE", FACET_SEVERITY_NOTE,
        facet_where_face(facet_bsm_offset_of(checker, FACET_BSM_TRIANGLES, twice.item),
                         tally.first),
        &tally, "triangle %" PRIu32 " has the vertices of triangle %" PRIu32, twice.item,
        twice.equals);
    return FACET_OK;
}

/* -- All triangles ----------------------------------------------------- */

static void check_unused(const facet_bsm_checker *checker)
{
    const facet_bsm_layout *layout = &checker->layout;
    const FACET_ATOMIC(uint8_t) *flags = checker->survey.flags;
    facet_tally unused = {0, 0};
    for (uint32_t i = 0; i < layout->count[FACET_BSM_POSITIONS]; i++) {
        if (!(flags[i] & FACET_BSM_USED))
            facet_tally_hit(&unused, i);
    }
    /* Not reported if the triangles are missing. */
    if (layout->count[FACET_BSM_TRIANGLES] == checker->stated[FACET_BSM_TRIANGLES])
        facet_report_add_tally_where(
            checker->report, "BSM-VERT-UNUSED", FACET_SEVERITY_NOTE,
            facet_where_vertex(facet_bsm_offset_of(checker, FACET_BSM_POSITIONS, unused.first),
                               unused.first),
            &unused, "vertex %" PRIu64 " is in no triangle", unused.first);
}

/* Run all expensive tasks. */
static void run_tasks(facet_bsm_checker *checker, tallies *found, size_t count)
{
    const uint8_t *const *raw = checker->layout.raw;
    const facet_bsm_survey *survey = &checker->survey;
    const vertex_arrays v = {raw[FACET_BSM_POSITIONS], raw[FACET_BSM_NORMALS],
                             raw[FACET_BSM_TEXCOORDS], raw[FACET_BSM_TANGENTS],
                             checker->stated[FACET_BSM_POSITIONS]};
    const facet_bsm_corners corners = {v.positions,   v.normals,
                                       v.texcoords,   survey->blocks ? (uint32_t)v.count : 0,
                                       survey->flags, (float)sqrt(checker->longest_normal)};
    pieces all = {checker, v, corners, found};
    facet_run(checker->options, run_task, &all, count + 2);
    for (size_t i = 0; i < count; i++)
        add_tallies(&checker->triangles, &found[i]);
}

facet_status facet_bsm_survey_triangles(facet_bsm_checker *checker, facet_error *error)
{
    uint32_t count = checker->layout.count[FACET_BSM_TRIANGLES];
    uint32_t vertices = checker->layout.count[FACET_BSM_POSITIONS];
    size_t piece_count = ((size_t)count + PIECE - 1) / PIECE;
    facet_bsm_survey *survey = &checker->survey;
    tallies *found = facet_bsm_table(&checker->tables, piece_count, sizeof *found);
    if (!survey->flags)
        survey->flags = facet_bsm_cleared_table(&checker->tables, vertices, sizeof *survey->flags);
    checker->triangle_hashes =
        facet_bsm_table(&checker->tables, count, sizeof *checker->triangle_hashes);
    if (!found || !survey->flags || !checker->triangle_hashes)
        return facet_fail_arena(checker->tables.arena, error);
    TRY(facet_bsm_search_begin(&checker->equal_triangles, &checker->tables,
                               checker->triangle_hashes, count, error));
    TRY(facet_bsm_search_begin(&checker->equal_vertices, &checker->tables, survey->hashes,
                               survey->hashes ? vertices : 0, error));
    run_tasks(checker, found, piece_count);
    return FACET_OK;
}

facet_status facet_bsm_check_triangles(facet_bsm_checker *checker, facet_error *error)
{
    if (checker->stated[FACET_BSM_POSITIONS] < 0)
        return FACET_OK;
    add_findings(checker, &checker->triangles);
    check_unused(checker);
    return check_duplicates(checker, error);
}
