/* formats/bsm/check_vertices.c - the rules for floats, normals and tangents. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/bsm/check.h"
#include "formats/bsm/duplicates.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Floats ------------------------------------------------------------- */

static bool is_nonfinite(uint32_t bits)
{
    return !facet_is_finite_float(bits);
}

static bool is_subnormal(uint32_t bits)
{
    return (bits & 0x7F800000) == 0 && (bits & 0x007FFFFF) != 0;
}

/* Add the errors of a block; only the first block with errors is searched again. */
static void add_block(facet_tally *tally, const uint8_t *raw, size_t begin, uint32_t hits,
                      bool (*is_hit)(uint32_t bits))
{
    if (hits > 0 && tally->count == 0) {
        tally->first = begin;
        while (!is_hit(facet_load_u32le(raw + 4 * tally->first)))
            tally->first++;
    }
    tally->count += hits;
}

typedef struct tallies {
    facet_tally nonfinite, subnormal;
} tallies;

/* Check the floats with indices `begin` to `end`. */
static void look_at(const uint8_t *raw, size_t begin, size_t end, tallies *found)
{
    for (size_t next; begin < end; begin = next) {
        uint32_t wild = 0, small = 0;
        next = end - begin < 1024 ? end : begin + 1024;
        for (size_t i = begin; i < next; i++) {
            uint32_t bits = facet_load_u32le(raw + 4 * i);
            wild += is_nonfinite(bits);
            small += is_subnormal(bits);
        }
        add_block(&found->nonfinite, raw, begin, wild, is_nonfinite);
        add_block(&found->subnormal, raw, begin, small, is_subnormal);
    }
}

static void report_floats(const facet_bsm_checker *checker, const char *name, uint64_t offset,
                          const tallies *found)
{
    facet_report_add_tally(checker->report, "BSM-FLOAT-NONFINITE", FACET_SEVERITY_ERROR,
                           offset + found->nonfinite.first * 4, &found->nonfinite,
                           "number %" PRIu64 " of the %s is NaN or infinite",
                           found->nonfinite.first, name);
    facet_report_add_tally(checker->report, "BSM-FLOAT-DENORMAL", FACET_SEVERITY_NOTE,
                           offset + found->subnormal.first * 4, &found->subnormal,
                           "number %" PRIu64 " of the %s is subnormal", found->subnormal.first,
                           name);
}

static void check_floats(const facet_bsm_checker *checker, const char *name, uint64_t offset,
                         size_t count)
{
    tallies found = {{0, 0}, {0, 0}};
    look_at(checker->layout.data + offset, 0, count, &found);
    report_floats(checker, name, offset, &found);
}

/* Check an array of vertex data. */
static void check_surveyed_floats(const facet_bsm_checker *checker, facet_bsm_array array)
{
    const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
    tallies found = {{0, 0}, {0, 0}};
    facet_bsm_range range = {0, 0};
    while (facet_bsm_next_doubtful(&checker->survey,
                                   FACET_BSM_DOUBT_NUMBERS | FACET_BSM_DOUBT_DIRECTIONS,
                                   checker->layout.count[array], &range))
        look_at(checker->layout.raw[array], (size_t)range.begin * info->words,
                (size_t)range.end * info->words, &found);
    report_floats(checker, info->name, checker->layout.offset[array], &found);
}

static void check_all_floats(const facet_bsm_checker *checker)
{
    check_floats(checker, "bounding sphere", FACET_BSM_AT_SPHERE, 4);
    check_floats(checker, "bounding box", FACET_BSM_AT_BOX, 6);
    for (int i = 0; i < FACET_BSM_ARRAY_COUNT; i++) {
        facet_bsm_array array = (facet_bsm_array)i;
        const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
        if (checker->layout.count[array] == 0 || info->words == 0 || info->is_index)
            continue;
        if (array <= FACET_BSM_TANGENTS)
            check_surveyed_floats(checker, array);
        else
            check_floats(checker, info->name, checker->layout.offset[array],
                         (size_t)checker->layout.count[array] * info->words);
    }
}

/* -- Normals and tangents ----------------------------------------------- */

/* Squares of 1e-12, 1 - 1e-3 and 1 + 1e-3. */
#define ZERO_SQUARED 1e-24
#define SHORT_SQUARED 0.998001
#define LONG_SQUARED 1.002001

static void judge_length(double squared, uint64_t index, facet_tally *zero, facet_tally *wrong)
{
    if (squared < ZERO_SQUARED)
        facet_tally_hit(zero, index);
    else if (squared < SHORT_SQUARED || squared > LONG_SQUARED)
        facet_tally_hit(wrong, index);
}

static double length_of(const facet_bsm_checker *checker, facet_bsm_array array, uint64_t index)
{
    if (index >= checker->layout.count[array])
        return 0;
    facet_bsm_vector v = facet_bsm_load_vector(facet_bsm_record(checker, array, (size_t)index));
    return sqrt(facet_bsm_dot(v, v));
}

static void check_normals(facet_bsm_checker *checker)
{
    facet_tally zero = {0, 0}, wrong = {0, 0};
    facet_bsm_range range = {0, 0};
    checker->longest_normal = LONG_SQUARED;
    while (facet_bsm_next_doubtful(&checker->survey, FACET_BSM_DOUBT_DIRECTIONS,
                                   checker->layout.count[FACET_BSM_NORMALS], &range)) {
        for (uint32_t i = range.begin; i < range.end; i++) {
            const uint8_t *at = facet_bsm_record(checker, FACET_BSM_NORMALS, i);
            facet_bsm_vector n = facet_bsm_load_vector(at);
            double squared = facet_bsm_dot(n, n);
            judge_length(squared, i, &zero, &wrong);
            if (squared > checker->longest_normal)
                checker->longest_normal = squared;
        }
    }
    facet_report_add_tally(checker->report, "BSM-NORMAL-ZERO", FACET_SEVERITY_ERROR,
                           facet_bsm_offset_of(checker, FACET_BSM_NORMALS, zero.first), &zero,
                           "normal %" PRIu64 " has no length, expected 1", zero.first);
    facet_report_add_tally(checker->report, "BSM-NORMAL-LENGTH", FACET_SEVERITY_WARNING,
                           facet_bsm_offset_of(checker, FACET_BSM_NORMALS, wrong.first), &wrong,
                           "normal %" PRIu64 " has length %g, expected 1", wrong.first,
                           length_of(checker, FACET_BSM_NORMALS, wrong.first));
}

static void check_tangents(facet_bsm_checker *checker)
{
    facet_tally zero = {0, 0}, wrong = {0, 0}, slanted = {0, 0}, hand = {0, 0};
    bool normals = checker->layout.raw[FACET_BSM_NORMALS] != NULL;
    facet_bsm_range range = {0, 0};
    while (facet_bsm_next_doubtful(&checker->survey, FACET_BSM_DOUBT_DIRECTIONS,
                                   checker->layout.count[FACET_BSM_TANGENTS], &range)) {
        for (uint32_t i = range.begin; i < range.end; i++) {
            const uint8_t *at = facet_bsm_record(checker, FACET_BSM_TANGENTS, i);
            facet_bsm_vector t = facet_bsm_load_vector(at);
            float w = facet_load_f32le(at + 12);
            judge_length(facet_bsm_dot(t, t), i, &zero, &wrong);
            if (w != 1 && w != -1)
                facet_tally_hit(&hand, i);
            if (!normals)
                continue;
            const uint8_t *normal = facet_bsm_record(checker, FACET_BSM_NORMALS, i);
            if (fabs(facet_bsm_dot(facet_bsm_load_vector(normal), t)) > 1e-2)
                facet_tally_hit(&slanted, i);
        }
    }
    facet_report *report = checker->report;
    const facet_bsm_array array = FACET_BSM_TANGENTS;
    facet_report_add_tally(report, "BSM-TANGENT-ZERO", FACET_SEVERITY_WARNING,
                           facet_bsm_offset_of(checker, array, zero.first), &zero,
                           "tangent %" PRIu64 " has no length, expected 1", zero.first);
    facet_report_add_tally(report, "BSM-TANGENT-LENGTH", FACET_SEVERITY_WARNING,
                           facet_bsm_offset_of(checker, array, wrong.first), &wrong,
                           "tangent %" PRIu64 " has length %g, expected 1", wrong.first,
                           length_of(checker, array, wrong.first));
    facet_report_add_tally(report, "BSM-TANGENT-ORTHO", FACET_SEVERITY_WARNING,
                           facet_bsm_offset_of(checker, array, slanted.first), &slanted,
                           "tangent %" PRIu64 " is not orthogonal to its normal", slanted.first);
    facet_report_add_tally(report, "BSM-TANGENT-HAND", FACET_SEVERITY_WARNING,
                           facet_bsm_offset_of(checker, array, hand.first) + 12, &hand,
                           "the handedness of tangent %" PRIu64 " is not +1 or -1", hand.first);
}

/* -- Duplicate vertices ------------------------------------------------ */

static int compare_vertices(const void *user, uint32_t a, uint32_t b)
{
    const facet_bsm_checker *checker = user;
    int order = 0;
    for (int array = FACET_BSM_POSITIONS; array <= FACET_BSM_TANGENTS && order == 0; array++)
        order = memcmp(facet_bsm_record(checker, (facet_bsm_array)array, a),
                       facet_bsm_record(checker, (facet_bsm_array)array, b),
                       facet_bsm_array_infos[array].record_size);
    return order;
}

facet_status facet_bsm_check_equal_vertices(facet_bsm_checker *checker, facet_error *error)
{
    const facet_bsm_items items = {NULL, compare_vertices, checker};
    facet_bsm_twice twice;
    TRY(facet_bsm_search_end(&checker->equal_vertices, checker->arena, &items, &twice, error));
    facet_tally tally = {twice.count, twice.item};
    facet_report_add_tally_where(
        checker->report, "BSM-VERT-DUPLICATE", FACET_SEVERITY_NOTE,
        facet_where_vertex(facet_bsm_offset_of(checker, FACET_BSM_POSITIONS, twice.item),
                           tally.first),
        &tally, "vertex %" PRIu32 " equals vertex %" PRIu32 " bit for bit", twice.item,
        twice.equals);
    return FACET_OK;
}

void facet_bsm_check_vertices(facet_bsm_checker *checker)
{
    check_all_floats(checker);
    check_normals(checker);
    check_tangents(checker);
}
