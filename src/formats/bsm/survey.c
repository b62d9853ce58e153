/* formats/bsm/survey.c - one pass over all vertices, eight at a time on x86 with AVX2. On other
 * processors, every block counts as doubtful. */
#include "formats/bsm/survey.h"

#include "base/arena.h"
#include "base/atomic.h"
#include "base/error.h"
#include "base/processor.h"
#include "base/table.h"
#include "base/threads.h"
#include "formats/bsm/check.h"

#include <math.h>

/* Input of the survey: the records of the first vertex, and the survey itself. */
typedef struct vertices {
    const uint8_t *positions, *normals, *texcoords, *tangents;
    float center[3];
    uint32_t count;
    facet_bsm_survey *survey;
} vertices;

/* -- Eight at a time ---------------------------------------------------- */

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#include <immintrin.h>

#define WIDE_INLINE static FACET_WIDE FACET_ALWAYS_INLINE

/* State of a block. Squared lengths and absolute numbers are compared as integers: in that order,
 * NaNs are above all numbers. */
typedef struct seen {
    __m256 low[3], high[3];
    __m256i farthest;
    __m256i least_number; /* doubled, less 1: subnormals are below all others; 0 wraps to the
                           * maximum */
    __m256i greatest_texcoord;
    __m256i least_square, greatest_square; /* of the lengths of normals and tangents */
    __m256i greatest_slant;                /* largest absolute dot product of a normal and its
                                            * tangent */
    __m256i hands;                         /* bits that no valid handedness has */
    __m256i hash;
} seen;

/* Load two groups of four floats. */
WIDE_INLINE __m256 load_halves(const uint8_t *low, const uint8_t *high)
{
    __m128 one = _mm_loadu_ps((const float *)(const void *)low);
    __m128 other = _mm_loadu_ps((const float *)(const void *)high);
    return _mm256_insertf128_ps(_mm256_castps128_ps256(one), other, 1);
}

/* Columns of eight records of two, three or four floats. */
WIDE_INLINE void load_twos(const uint8_t *at, __m256 columns[2])
{
    __m256 a = load_halves(at, at + 32), b = load_halves(at + 16, at + 48);
    columns[0] = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0));
    columns[1] = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1));
}

WIDE_INLINE void load_threes(const uint8_t *at, __m256 columns[3])
{
    __m256 a = load_halves(at, at + 48), b = load_halves(at + 16, at + 64);
    __m256 c = load_halves(at + 32, at + 80);
    __m256 late = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)); /* x y of 2, x y of 3 */
    __m256 soon = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1)); /* y z of 0, y z of 1 */
    columns[0] = _mm256_shuffle_ps(a, late, _MM_SHUFFLE(2, 0, 3, 0));
    columns[1] = _mm256_shuffle_ps(soon, late, _MM_SHUFFLE(3, 1, 2, 0));
    columns[2] = _mm256_shuffle_ps(soon, c, _MM_SHUFFLE(3, 0, 3, 1));
}

WIDE_INLINE void load_fours(const uint8_t *at, __m256 columns[4])
{
    __m256 a = load_halves(at, at + 64), b = load_halves(at + 16, at + 80);
    __m256 c = load_halves(at + 32, at + 96), d = load_halves(at + 48, at + 112);
    __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d);
    columns[0] = _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(1, 0, 1, 0));
    columns[1] = _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 2, 3, 2));
    ab = _mm256_unpackhi_ps(a, b), cd = _mm256_unpackhi_ps(c, d);
    columns[2] = _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(1, 0, 1, 0));
    columns[3] = _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 2, 3, 2));
}

WIDE_INLINE __m256 dot(const __m256 a[3], const __m256 b[3])
{
    __m256 sum = _mm256_add_ps(_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1]));
    return _mm256_add_ps(sum, _mm256_mul_ps(a[2], b[2]));
}

WIDE_INLINE void see_numbers(seen *s, const __m256 *columns, int count, const int16_t *factors)
{
    for (int i = 0; i < count; i++) {
        __m256i bits = _mm256_castps_si256(columns[i]);
        __m256i number = _mm256_add_epi32(_mm256_add_epi32(bits, bits), _mm256_set1_epi32(-1));
        s->least_number = _mm256_min_epu32(s->least_number, number);
        /* Multiply halves by factors: values that differ only in their upper bits get different
         * hashes. */
        __m256i pair = _mm256_set1_epi32((uint16_t)factors[2 * i] | factors[2 * i + 1] * 65536);
        s->hash = _mm256_add_epi32(s->hash, _mm256_madd_epi16(bits, pair));
    }
}

WIDE_INLINE void see_positions(seen *s, const __m256 position[3], const float *center)
{
    __m256 from_center[3];
    for (int i = 0; i < 3; i++) {
        s->low[i] = _mm256_min_ps(s->low[i], position[i]);
        s->high[i] = _mm256_max_ps(s->high[i], position[i]);
        from_center[i] = _mm256_sub_ps(position[i], _mm256_set1_ps(center[i]));
    }
    __m256i square = _mm256_castps_si256(dot(from_center, from_center));
    s->farthest = _mm256_max_epu32(s->farthest, square);
}

WIDE_INLINE void see_directions(seen *s, const __m256 normal[3], const __m256 tangent[4])
{
    const __m256i rest = _mm256_set1_epi32(0x7FFFFFFF);
    __m256i one = _mm256_castps_si256(dot(normal, normal));
    __m256i other = _mm256_castps_si256(dot(tangent, tangent));
    s->least_square = _mm256_min_epu32(s->least_square, _mm256_min_epu32(one, other));
    s->greatest_square = _mm256_max_epu32(s->greatest_square, _mm256_max_epu32(one, other));
    __m256i slant = _mm256_and_si256(_mm256_castps_si256(dot(normal, tangent)), rest);
    s->greatest_slant = _mm256_max_epu32(s->greatest_slant, slant);
    __m256i hand = _mm256_xor_si256(_mm256_castps_si256(tangent[3]), _mm256_set1_epi32(0x3F800000));
    s->hands = _mm256_or_si256(s->hands, _mm256_and_si256(hand, rest));
}

WIDE_INLINE void see_texcoords(seen *s, const __m256 texcoord[2])
{
    const __m256i rest = _mm256_set1_epi32(0x7FFFFFFF);
    for (int i = 0; i < 2; i++) {
        __m256i size = _mm256_and_si256(_mm256_castps_si256(texcoord[i]), rest);
        s->greatest_texcoord = _mm256_max_epu32(s->greatest_texcoord, size);
    }
}

WIDE_INLINE void see_eight(seen *s, const vertices *v, size_t first)
{
    static const int16_t factors[24] = {
        25717, -13339, 31469, 9551,   -27583, 17389, -7349,  29129, 21317, -19421, 11941,  -31957,
        14537, 26111,  -9001, -23567, 30211,  -5557, -28411, 12893, 18757, -15319, -21773, 7919};
    __m256 position[3], normal[3], texcoord[2], tangent[4];
    s->hash = _mm256_setzero_si256();
    load_threes(v->positions + first * 12, position);
    see_numbers(s, position, 3, factors);
    see_positions(s, position, v->center);
    load_twos(v->texcoords + first * 8, texcoord);
    see_numbers(s, texcoord, 2, factors + 6);
    see_texcoords(s, texcoord);
    load_threes(v->normals + first * 12, normal);
    see_numbers(s, normal, 3, factors + 10);
    load_fours(v->tangents + first * 16, tangent);
    see_numbers(s, tangent, 4, factors + 16);
    see_directions(s, normal, tangent);
    __m256i hash = _mm256_xor_si256(s->hash, _mm256_srli_epi32(s->hash, 15));
    hash = _mm256_mullo_epi32(hash, _mm256_set1_epi32((int)0x9E3779B1));
    _mm256_storeu_si256((__m256i *)(void *)(v->survey->hashes + first), hash);
    uint32_t negative = (uint32_t)_mm256_movemask_ps(tangent[3]);
    uint64_t hands =
        _pdep_u32(~negative, 0x01010101) | (uint64_t)_pdep_u32(~negative >> 4, 0x01010101) << 32;
    facet_store_u64le((uint8_t *)(void *)(v->survey->flags + first), hands);
}

WIDE_INLINE float least_of(__m256 numbers)
{
    float each[8];
    _mm256_storeu_ps(each, numbers);
    for (int i = 1; i < 8; i++)
        each[0] = each[i] < each[0] ? each[i] : each[0];
    return each[0];
}

WIDE_INLINE uint32_t greatest_of(__m256i words)
{
    uint32_t each[8];
    _mm256_storeu_si256((__m256i *)(void *)each, words);
    for (int i = 1; i < 8; i++)
        each[0] = each[i] > each[0] ? each[i] : each[0];
    return each[0];
}

static FACET_WIDE void survey_wide(const vertices *v, uint32_t begin, uint32_t end,
                                   facet_bsm_block *block)
{
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi32(-1);
    const __m256 infinite = _mm256_set1_ps(INFINITY), less = _mm256_set1_ps(-INFINITY);
    seen s = {.low = {infinite, infinite, infinite}, .high = {less, less, less}};
    s.farthest = s.greatest_texcoord = s.greatest_square = s.greatest_slant = s.hands = zero;
    s.least_number = s.least_square = ones;
    for (uint32_t i = begin; i < end; i += 8)
        see_eight(&s, v, end - i < 8 ? end - 8 : i);
    for (int i = 0; i < 3; i++) {
        block->low[i] = least_of(s.low[i]);
        block->high[i] = -least_of(_mm256_sub_ps(_mm256_setzero_ps(), s.high[i]));
    }
    uint32_t infinity = facet_bits_of_float(INFINITY), farthest = greatest_of(s.farthest);
    block->farthest = facet_float_of_bits(farthest);
    if (farthest >= infinity || greatest_of(s.greatest_texcoord) >= infinity ||
        ~greatest_of(_mm256_xor_si256(s.least_number, ones)) < 2 * 0x00800000 - 1)
        block->doubts |= FACET_BSM_DOUBT_NUMBERS;
    /* Half the tolerance of the rules, which is more than the rounding error of floats. */
    if (facet_float_of_bits(~greatest_of(_mm256_xor_si256(s.least_square, ones))) < 0.999f ||
        greatest_of(s.greatest_square) > facet_bits_of_float(1.001f) ||
        greatest_of(s.greatest_slant) > facet_bits_of_float(0.0099f) || greatest_of(s.hands) > 0)
        block->doubts |= FACET_BSM_DOUBT_DIRECTIONS;
}
#else

static void survey_wide(const vertices *v, uint32_t begin, uint32_t end, facet_bsm_block *block)
{
    (void)v, (void)begin, (void)end, (void)block;
}
#endif

/* -- One at a time ------------------------------------------------------ */

/* Add the weighted words of records to one sum per record. */
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

static void survey_plain(const vertices *v, uint32_t begin, uint32_t end, facet_bsm_block *block)
{
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t sums[2 * FACET_BSM_BLOCK] = {0}; /* the last block includes the rest */
    uint32_t count = end - begin;
    add_words(sums, v->positions + (size_t)begin * 12, count, 3, factor);
    add_words(sums, v->normals + (size_t)begin * 12, count, 3, factor + 2);
    add_words(sums, v->texcoords + (size_t)begin * 8, count, 2, factor + 4);
    add_words(sums, v->tangents + (size_t)begin * 16, count, 4, factor + 6);
    for (uint32_t i = 0; i < count; i++)
        v->survey->hashes[begin + i] = facet_hash_end(sums[i] ^ sums[i] >> 32);
    block->doubts = FACET_BSM_DOUBT_NUMBERS | FACET_BSM_DOUBT_DIRECTIONS;
}

/* -- The survey -------------------------------------------------------- */

/* Blocks per task of a thread. */
#define PIECE 32

static void survey_block(const vertices *v, uint32_t number)
{
    facet_bsm_block *block = &v->survey->blocks[number];
    uint32_t begin = number * FACET_BSM_BLOCK;
    uint32_t end = number + 1 == v->survey->block_count ? v->count : begin + FACET_BSM_BLOCK;
    if (end - begin >= 8 && facet_is_wide())
        survey_wide(v, begin, end, block);
    else
        survey_plain(v, begin, end, block);
    for (uint32_t i = begin; i < end && block->doubts & FACET_BSM_DOUBT_DIRECTIONS; i++)
        atomic_store_explicit(
            &v->survey->flags[i],
            facet_load_f32le(v->tangents + (size_t)i * 16 + 12) >= 0 ? FACET_BSM_POSITIVE : 0,
            memory_order_relaxed);
}

static void survey_piece(void *argument, size_t piece)
{
    const vertices *v = argument;
    uint32_t begin = (uint32_t)piece * PIECE, left = v->survey->block_count - begin;
    for (uint32_t i = begin; i < begin + (left < PIECE ? left : PIECE); i++)
        survey_block(v, i);
}

facet_status facet_bsm_survey_vertices(facet_bsm_checker *checker, facet_error *error)
{
    const facet_bsm_layout *layout = &checker->layout;
    const uint8_t *const *raw = layout->raw;
    facet_bsm_survey *survey = &checker->survey;
    const uint8_t *center = layout->data + FACET_BSM_AT_SPHERE;
    const vertices v = {
        raw[FACET_BSM_POSITIONS],
        raw[FACET_BSM_NORMALS],
        raw[FACET_BSM_TEXCOORDS],
        raw[FACET_BSM_TANGENTS],
        {facet_load_f32le(center), facet_load_f32le(center + 4), facet_load_f32le(center + 8)},
        layout->count[FACET_BSM_POSITIONS],
        survey};
    if (!v.positions || !v.normals || !v.texcoords || !v.tangents)
        return FACET_OK;
    uint32_t count = v.count < FACET_BSM_BLOCK ? 1 : v.count / FACET_BSM_BLOCK;
    survey->hashes = facet_bsm_table(&checker->tables, v.count, sizeof *survey->hashes);
    survey->blocks = facet_bsm_cleared_table(&checker->tables, count, sizeof *survey->blocks);
    survey->flags = facet_bsm_table(&checker->tables, v.count, sizeof *survey->flags);
    if (!survey->hashes || !survey->blocks || !survey->flags)
        return facet_fail_arena(checker->tables.arena, error);
    survey->block_count = count;
    facet_run(checker->options, survey_piece, (void *)(uintptr_t)&v, (count + PIECE - 1) / PIECE);
    return FACET_OK;
}

bool facet_bsm_next_doubtful(const facet_bsm_survey *survey, uint32_t doubts, uint32_t count,
                             facet_bsm_range *range)
{
    if (!survey->blocks) {
        range->begin = range->end;
        range->end = count;
        return range->begin < count;
    }
    uint32_t i = range->end / FACET_BSM_BLOCK;
    while (i < survey->block_count && !(survey->blocks[i].doubts & doubts))
        i++;
    if (range->end >= count || i >= survey->block_count)
        return false;
    range->begin = i * FACET_BSM_BLOCK;
    range->end = i + 1 == survey->block_count ? count : range->begin + FACET_BSM_BLOCK;
    return true;
}
