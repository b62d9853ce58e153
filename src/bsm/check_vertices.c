/* bsm/check_vertices.c - rules for every float, and for normals and tangents. */
#include "base/arena.h"
#include "bsm/check.h"
#include "bsm/duplicates.h"

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

/* Add a block's hits; only the first block that has any is gone through again. */
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

static void check_floats(facet_bsm_checker *checker, const char *name, uint64_t offset,
                         size_t count)
{
    const uint8_t *raw = checker->layout.data + offset;
    facet_tally nonfinite = {0, 0}, subnormal = {0, 0};
    for (size_t begin = 0, end; begin < count; begin = end) {
        uint32_t wild = 0, small = 0;
        end = count - begin < 1024 ? count : begin + 1024;
        for (size_t i = begin; i < end; i++) {
            uint32_t bits = facet_load_u32le(raw + 4 * i);
            wild += is_nonfinite(bits);
            small += is_subnormal(bits);
        }
        add_block(&nonfinite, raw, begin, wild, is_nonfinite);
        add_block(&subnormal, raw, begin, small, is_subnormal);
    }
    facet_report_add_tally(
        checker->report, "BSM-FLOAT-NONFINITE", FACET_SEVERITY_ERROR, offset + nonfinite.first * 4,
        &nonfinite, "number %" PRIu64 " of the %s is NaN or infinite", nonfinite.first, name);
    facet_report_add_tally(checker->report, "BSM-FLOAT-DENORMAL", FACET_SEVERITY_NOTE,
                           offset + subnormal.first * 4, &subnormal,
                           "number %" PRIu64 " of the %s is subnormal", subnormal.first, name);
}

static void check_all_floats(facet_bsm_checker *checker)
{
    check_floats(checker, "bounding sphere", FACET_BSM_AT_SPHERE, 4);
    check_floats(checker, "bounding box", FACET_BSM_AT_BOX, 6);
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT; array++) {
        const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
        if (checker->layout.count[array] > 0 && info->words > 0 && !info->is_index)
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
    for (uint32_t i = 0; i < checker->layout.count[FACET_BSM_NORMALS]; i++) {
        facet_bsm_vector n = facet_bsm_load_vector(facet_bsm_record(checker, FACET_BSM_NORMALS, i));
        judge_length(facet_bsm_dot(n, n), i, &zero, &wrong);
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
    for (uint32_t i = 0; i < checker->layout.count[FACET_BSM_TANGENTS]; i++) {
        const uint8_t *at = facet_bsm_record(checker, FACET_BSM_TANGENTS, i);
        facet_bsm_vector t = facet_bsm_load_vector(at);
        float w = facet_load_f32le(at + 12);
        judge_length(facet_bsm_dot(t, t), i, &zero, &wrong);
        if (w != 1 && w != -1)
            facet_tally_hit(&hand, i);
        if (normals) {
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

/* -- Vertices that occur twice ------------------------------------------ */

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

/* Words of records at once, each times a factor of its own: no product waits for another. */
#define TILE 256

/* Add the words of records of `words` words to sums of theirs. */
static inline void add_words(uint64_t *sums, const uint8_t *records, uint32_t count,
                             const uint32_t words, uint64_t factor)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *at = records + (size_t)i * words * 4;
        sums[i] += facet_load_u64le(at) * factor;
        if (words > 2)
            sums[i] += (words > 3 ? facet_load_u64le(at + 8) : facet_load_u32le(at + 8)) *
                       (factor * UINT64_C(0xD6E8FEB86659FD93));
    }
}

static void hash_vertices(const void *user, uint32_t first, uint32_t count, uint32_t *hashes)
{
    const facet_bsm_checker *checker = user;
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t sums[TILE];
    for (uint32_t end = first + count, tile; first < end; first += tile, hashes += tile) {
        tile = end - first < TILE ? end - first : TILE;
        memset(sums, 0, sizeof sums);
        add_words(sums, facet_bsm_record(checker, FACET_BSM_POSITIONS, first), tile, 3, factor);
        add_words(sums, facet_bsm_record(checker, FACET_BSM_NORMALS, first), tile, 3, factor + 2);
        add_words(sums, facet_bsm_record(checker, FACET_BSM_TEXCOORDS, first), tile, 2, factor + 4);
        add_words(sums, facet_bsm_record(checker, FACET_BSM_TANGENTS, first), tile, 4, factor + 6);
        for (uint32_t i = 0; i < tile; i++)
            hashes[i] = facet_hash_end(sums[i] ^ sums[i] >> 32);
    }
}

static facet_status check_duplicates(facet_bsm_checker *checker, facet_error *error)
{
    const facet_bsm_items items = {checker->layout.count[FACET_BSM_POSITIONS], hash_vertices, NULL,
                                   compare_vertices, checker};
    facet_bsm_twice twice;
    for (int array = FACET_BSM_POSITIONS; array <= FACET_BSM_TANGENTS; array++) {
        if (!checker->layout.raw[array])
            return FACET_OK;
    }
    facet_status status =
        facet_bsm_find_twice(checker->options, checker->arena, &items, &twice, error);
    if (status)
        return status;
    facet_tally tally = {twice.count, twice.item};
    facet_report_add_tally(checker->report, "BSM-VERT-DUPLICATE", FACET_SEVERITY_NOTE,
                           facet_bsm_offset_of(checker, FACET_BSM_POSITIONS, twice.item), &tally,
                           "vertex %" PRIu32 " equals vertex %" PRIu32 " bit for bit", twice.item,
                           twice.equals);
    return FACET_OK;
}

facet_status facet_bsm_check_vertices(facet_bsm_checker *checker, facet_error *error)
{
    check_all_floats(checker);
    check_normals(checker);
    check_tangents(checker);
    return check_duplicates(checker, error);
}
