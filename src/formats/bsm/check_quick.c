/* formats/bsm/check_quick.c - a fast check that finds valid triangles, eight at a time. It exists
 * for x86 with AVX2; other processors use the exact check for each triangle. The maximum error of a
 * float sum is known, so triangles within it are left to the exact check, in doubles. */
#include "formats/bsm/check_quick.h"

#include "base/atomic.h"
#include "base/bytes.h"
#include "base/processor.h"
#include "formats/bsm/survey.h"

/* -- Hashes ------------------------------------------------------------- */

static FACET_ALWAYS_INLINE uint32_t mix(uint32_t vertex)
{
    uint32_t product = vertex * 0x9E3779B1;
    return product ^ product >> 15;
}

static FACET_ALWAYS_INLINE void hash_all(const uint8_t *at, uint32_t count, uint32_t step,
                                         uint32_t spread, uint32_t *hashes)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = facet_load_u32le(at + 12 * (size_t)i);
        uint32_t b = facet_load_u32le(at + 12 * (size_t)i + 4);
        uint32_t c = facet_load_u32le(at + 12 * (size_t)i + 8);
        uint32_t lowest = a < b ? a : b;
        lowest = c < lowest ? c : lowest;
        uint32_t any = (mix(a) + mix(b) + mix(c)) * 0x85EBCA77;
        hashes[i] = lowest * step + (uint32_t)((uint64_t)any * spread >> 32);
    }
}

static FACET_WIDE void hash_wide(const uint8_t *at, uint32_t count, uint32_t step, uint32_t spread,
                                 uint32_t *hashes)
{
    hash_all(at, count, step, spread, hashes);
}

void facet_bsm_hash_triangles(const uint8_t *at, uint32_t count, uint32_t vertices,
                              uint32_t *hashes)
{
    uint32_t step = UINT32_MAX / (vertices + 1);
    uint32_t spread = step < UINT32_MAX / 64 ? step * 64 : UINT32_MAX;
    if (facet_is_wide())
        hash_wide(at, count, step, spread, hashes);
    else
        hash_all(at, count, step, spread, hashes);
}

/* -- Geometry ----------------------------------------------------------- */

#if defined(__GNUC__) && (defined(__x86_64__))
#include <immintrin.h>

#define WIDE_INLINE static FACET_WIDE FACET_ALWAYS_INLINE

/* Half the distance from 1 to the next float: the maximum rounding error of a product of 1. */
#define ROUNDING 0x1p-24f
/* More than the total error of products that underflow. */
#define TINY 1e-30f

/* Load the vectors of two vertices. Lanes 0 and 4 contain the float before each. It adds nothing to
 * a cross product, but adds to the rounding bound. */
WIDE_INLINE __m256 load_two(const uint8_t *first, const uint8_t *second)
{
    __m128 low = _mm_loadu_ps((const float *)(const void *)(first - 4));
    __m128 high = _mm_loadu_ps((const float *)(const void *)(second - 4));
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

WIDE_INLINE __m128 load_texcoords(const uint8_t *first, const uint8_t *second)
{
    __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)first);
    return _mm_loadh_pi(_mm_castsi128_ps(low), (const __m64 *)(const void *)second);
}

/* The same corner of two triangles. */
typedef struct corner {
    __m256 position, normal;
    __m128 texcoord;
    uint32_t flags; /* one byte each */
} corner;

/* A vertex's flags, with the mark. Racing threads store the same value. */
WIDE_INLINE uint32_t mark(FACET_ATOMIC(uint8_t) *flags)
{
    uint32_t marked = atomic_load_explicit(flags, memory_order_relaxed) | FACET_BSM_USED;
    atomic_store_explicit(flags, (uint8_t)marked, memory_order_relaxed);
    return marked;
}

WIDE_INLINE corner load_corner(const facet_bsm_corners *corners, const uint8_t *at)
{
    size_t first = facet_load_u32le(at), second = facet_load_u32le(at + 12);
    const uint8_t *p = corners->positions, *n = corners->normals, *uv = corners->texcoords;
    corner c = {load_two(p + first * 12, p + second * 12),
                load_two(n + first * 12, n + second * 12),
                load_texcoords(uv + first * 8, uv + second * 8),
                mark(&corners->flags[first]) | mark(&corners->flags[second]) << 8};
    return c;
}

/* Terms for two triangles, which consider rounding. Their sum is above 0 only if the product of
 * winding normal and sum of vertex normals is. */
WIDE_INLINE __m256 shape_terms(__m256 a, __m256 b, __m256 normal, __m256 error)
{
    __m256 a_turned = _mm256_permute_ps(a, _MM_SHUFFLE(1, 3, 2, 0));
    __m256 b_turned = _mm256_permute_ps(b, _MM_SHUFFLE(1, 3, 2, 0));
    /* The cross product, with lanes rotated by one: (z, x, y). */
    __m256 cross = _mm256_sub_ps(_mm256_mul_ps(a, b_turned), _mm256_mul_ps(a_turned, b));
    __m256 product = _mm256_mul_ps(cross, _mm256_permute_ps(normal, _MM_SHUFFLE(2, 1, 3, 0)));
    __m256 squares = _mm256_add_ps(_mm256_mul_ps(a, a), _mm256_mul_ps(b, b));
    return _mm256_sub_ps(product, _mm256_mul_ps(squares, error));
}

/* Values of eight triangles, in pairs. */
typedef struct eight {
    __m256 shape[4];   /* results of shape_terms */
    __m128 texture[4]; /* two products whose difference is the area in texture space */
    uint64_t flags;    /* sums of the vertices' flags, one byte each */
} eight;

WIDE_INLINE void add_pair(eight *e, const facet_bsm_corners *corners, const uint8_t *at,
                          const int number, __m256 error)
{
    corner c = load_corner(corners, at + 24 * number);
    corner next = load_corner(corners, at + 24 * number + 4);
    __m256 normal = _mm256_add_ps(c.normal, next.normal);
    __m256 a = _mm256_sub_ps(next.position, c.position);
    __m128 u = _mm_sub_ps(next.texcoord, c.texcoord);
    uint32_t flags = c.flags + next.flags;
    next = load_corner(corners, at + 24 * number + 8);
    normal = _mm256_add_ps(normal, next.normal);
    __m256 b = _mm256_sub_ps(next.position, c.position);
    __m128 v = _mm_sub_ps(next.texcoord, c.texcoord);
    e->shape[number] = shape_terms(a, b, normal, error);
    e->texture[number] = _mm_mul_ps(u, _mm_permute_ps(v, _MM_SHUFFLE(2, 3, 0, 1)));
    e->flags |= (uint64_t)(flags + next.flags) << 16 * number;
}

/* Bits of the triangles that certainly have an area, and do not face away from their normals. */
WIDE_INLINE uint32_t good_shapes(const eight *e)
{
    __m256 sums = _mm256_hadd_ps(_mm256_hadd_ps(e->shape[0], e->shape[1]),
                                 _mm256_hadd_ps(e->shape[2], e->shape[3]));
    __m256 good = _mm256_cmp_ps(sums, _mm256_set1_ps(TINY), _CMP_GT_OQ);
    uint32_t bits = (uint32_t)_mm256_movemask_ps(good); /* bits of triangles 0, 2, 4, 6, 1, 3, 5,
                                                         * 7 */
    return _pdep_u32(bits, 0x55) | _pdep_u32(bits >> 4, 0xAA);
}

/* Bits of the triangles whose vertices all have the handedness of their texture, if that is
 * certain. */
WIDE_INLINE uint32_t good_hands(const eight *e)
{
    const __m256 sign = _mm256_set1_ps(-0.0f);
    __m256 low = _mm256_setr_m128(e->texture[0], e->texture[2]);
    __m256 high = _mm256_setr_m128(e->texture[1], e->texture[3]);
    __m256 area = _mm256_hsub_ps(low, high);
    __m256 extent = _mm256_hadd_ps(_mm256_andnot_ps(sign, low), _mm256_andnot_ps(sign, high));
    __m256 error =
        _mm256_add_ps(_mm256_mul_ps(extent, _mm256_set1_ps(16 * ROUNDING)), _mm256_set1_ps(TINY));
    const uint64_t positive = UINT64_C(0x0303030303030303);
    __m256i hands = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)(e->flags & positive)));
    __m256i none = _mm256_cmpeq_epi32(hands, _mm256_setzero_si256());
    __m256i all = _mm256_cmpeq_epi32(hands, _mm256_set1_epi32(3));
    area = _mm256_xor_ps(area, _mm256_and_ps(_mm256_castsi256_ps(none), sign));
    __m256 good = _mm256_and_ps(_mm256_cmp_ps(area, error, _CMP_GT_OQ),
                                _mm256_castsi256_ps(_mm256_or_si256(none, all)));
    return (uint32_t)_mm256_movemask_ps(good);
}

WIDE_INLINE bool all_below(const uint8_t *at, uint32_t count)
{
    const __m256i *indices = (const __m256i *)(const void *)at;
    __m256i last = _mm256_set1_epi32((int)(count - 1));
    __m256i largest = _mm256_max_epu32(
        _mm256_max_epu32(_mm256_loadu_si256(indices), last),
        _mm256_max_epu32(_mm256_loadu_si256(indices + 1), _mm256_loadu_si256(indices + 2)));
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(largest, last)) == -1;
}

WIDE_INLINE uint32_t good_of_eight(const facet_bsm_corners *corners, const uint8_t *at)
{
    eight e;
    if (!all_below(at, corners->count))
        return 0;
    e.flags = 0;
    __m256 error = _mm256_set1_ps(128 * ROUNDING * corners->longest_normal);
    add_pair(&e, corners, at, 0, error);
    add_pair(&e, corners, at, 1, error);
    add_pair(&e, corners, at, 2, error);
    add_pair(&e, corners, at, 3, error);
    return good_shapes(&e) & good_hands(&e);
}

static FACET_WIDE void find_good(const facet_bsm_corners *corners, const uint8_t *at,
                                 uint32_t count, uint8_t *good)
{
    /* A local copy: the compiler cannot assume that marks do not change *corners. */
    const facet_bsm_corners copy = *corners;
    for (uint32_t i = 0; i + 8 <= count; i += 8)
        good[i / 8] = (uint8_t)good_of_eight(&copy, at + (size_t)i * 12);
}
#else

static void find_good(const facet_bsm_corners *corners, const uint8_t *at, uint32_t count,
                      uint8_t *good)
{
    (void)corners, (void)at, (void)count, (void)good;
}
#endif

void facet_bsm_find_good(const facet_bsm_corners *corners, const uint8_t *triangles, uint32_t count,
                         uint8_t *good)
{
    memset(good, 0, (count + 7) / 8);
    if (corners->count > 0 && facet_is_wide() && corners->longest_normal < 1e3f)
        find_good(corners, triangles, count, good);
}
