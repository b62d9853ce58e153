/* formats/obj/shapes.c - lines similar to an earlier one: only their digits differ.
 *
 * Adjacent lines of an OBJ mostly differ only in their digits, and a file has few arrangements of
 * signs, points and slashes. For each arrangement (shape), the lowest and highest value of each
 * byte and the position of the digits of each number are stored. A line of a known shape needs no
 * parsing: it is compared as a whole, and all its numbers are converted in parallel. The shape also
 * gives the start of the next line early.
 *
 * The result is the same, bit by bit, as that of formats/obj/fast.c, the version for other
 * processors, which also reads the first line of each shape. */
#include "formats/obj/shapes.h"

#include "base/arena.h"
#include "base/lanes.h"

#include <string.h>

#if defined(FACET_OBJ_HAS_SHAPES)

#include <immintrin.h>

/* Maximum lengths of lines with shapes: whole vectors. */
#define ELEMENT_LINE 64
#define FACE_LINE 96
/* One of this many lines without a shape creates one. Frequent shapes are found soon; rare ones
 * cost little. */
#define LEARNING 8
/* Cost of a line without a shape, in lines with one. */
#define MISS 4
/* When lines have cost this much more than they saved, this many are read without shapes. */
#define MEAN_LINE 32
#define MAX_CREDIT (16 * MISS)
#define PAUSE 512

/* A "v", "vt" or "vn" line. Each byte is between `low` and `high`: any digit for a digit, the same
 * byte for other bytes, and any value after the line. */
typedef struct element_shape {
    uint8_t low[ELEMENT_LINE], high[ELEMENT_LINE];
    uint8_t order[3][16]; /* shuffle from 16 bytes at `first` to eight digits each */
    double powers[4];     /* scale for the digits of each number */
    uint8_t first[3];     /* start of each number's digits */
    uint8_t kind, length; /* of the line; 0 if unused */
} element_shape;

/* A face of three or four corners with the same form. */
typedef struct face_shape {
    uint8_t low[FACE_LINE], high[FACE_LINE];
    uint8_t order[4][16];    /* shuffle of a corner's bytes to eight digits of its position index,
                              * and eight of its texcoord index */
    uint8_t first[4];        /* start of each corner */
    uint8_t normal_first[4]; /* start of the digits of each normal index */
    uint8_t normal_shift[4]; /* shift that aligns these digits to the end of eight */
    uint8_t corners, length;
    int32_t has_texcoord, has_normal; /* all bits set, or 0 */
} face_shape;

/* Minimum file size: clearing the table costs as much as reading a few hundred lines. */
#define LEAST_SIZE ((size_t)64 << 10)
/* Number of bits of the table index: one shape per hash value. */
#define PLACE_BITS 8

/* Decides whether shapes have a benefit: random numbers can make all lines different. */
typedef struct chance {
    uint32_t credit, pause;
} chance;

struct facet_obj_shapes {
    element_shape elements[1 << PLACE_BITS];
    face_shape faces[1 << PLACE_BITS];
    const element_shape *element; /* shape of the last line; NULL before the first */
    const face_shape *face;
    chance of_elements, of_faces;
    uint32_t misses;
};

/* -- Vectors ------------------------------------------------------------ */

static FACET_WIDE FACET_ALWAYS_INLINE __m256i load(const uint8_t *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

static FACET_WIDE FACET_ALWAYS_INLINE __m128i load_half(const uint8_t *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

/* Mask of all ones if each byte at `at` is between the bounds. */
static FACET_WIDE FACET_ALWAYS_INLINE __m256i between(const uint8_t *at, const uint8_t *low,
                                                      const uint8_t *high)
{
    __m256i bytes = load(at);
    __m256i bounded = _mm256_max_epu8(_mm256_min_epu8(bytes, load(high)), load(low));
    return _mm256_cmpeq_epi8(bytes, bounded);
}

static FACET_WIDE FACET_ALWAYS_INLINE bool all_true(__m256i bytes)
{
    return _mm256_movemask_epi8(bytes) == -1;
}

/* -- Lookup ------------------------------------------------------------ */

/* A hash key of a shape: the bits of all bytes that are not digits, up to the line feed. */
static FACET_WIDE FACET_ALWAYS_INLINE uint64_t others_of(const uint8_t *at)
{
    facet_window window = facet_window_of(at);
    return window.others & (window.newlines ^ (window.newlines - 1));
}

static FACET_ALWAYS_INLINE size_t place_of(uint64_t others)
{
    return others * UINT64_C(0x9E3779B97F4A7C15) >> (64 - PLACE_BITS);
}

static FACET_WIDE FACET_ALWAYS_INLINE size_t element_place(const uint8_t *at)
{
    return place_of(others_of(at) ^ (uint64_t)at[1] << 56);
}

static FACET_WIDE FACET_ALWAYS_INLINE size_t face_place(const uint8_t *at)
{
    uint64_t others = others_of(at);
    if (facet_window_of(at).newlines == 0)
        others ^= others_of(at + 32) << 7;
    return place_of(others);
}

static FACET_WIDE FACET_ALWAYS_INLINE bool is_element(const uint8_t *at, const element_shape *shape)
{
    return all_true(_mm256_and_si256(between(at, shape->low, shape->high),
                                     between(at + 32, shape->low + 32, shape->high + 32)));
}

static FACET_WIDE FACET_ALWAYS_INLINE bool is_face(const uint8_t *at, const face_shape *shape)
{
    __m256i is = _mm256_and_si256(between(at, shape->low, shape->high),
                                  between(at + 32, shape->low + 32, shape->high + 32));
    return all_true(_mm256_and_si256(is, between(at + 64, shape->low + 64, shape->high + 64)));
}

/* The shape of the line at `at`; NULL if unknown. */
static FACET_WIDE const element_shape *find_element(facet_obj_shapes *shapes, const uint8_t *at)
{
    const element_shape *shape = &shapes->elements[element_place(at)];
    return shape->length > 0 && is_element(at, shape) ? shape : NULL;
}

static FACET_WIDE const face_shape *find_face(facet_obj_shapes *shapes, const uint8_t *at)
{
    const face_shape *shape = &shapes->faces[face_place(at)];
    return shape->length > 0 && is_face(at, shape) ? shape : NULL;
}

/* -- Elements ----------------------------------------------------------- */

/* Convert the numbers of a line, up to four. False if one needs more precision to round. */
static FACET_WIDE FACET_ALWAYS_INLINE bool read_numbers(const uint8_t *at,
                                                        const element_shape *shape, __m128 *numbers)
{
    const __m128i digit = _mm_set1_epi8(0x0F), tens = _mm_set1_epi16(10 + (1 << 8));
    const __m128i hundreds = _mm_set1_epi32(100 + (1 << 16));
    const __m128i thousands = _mm_set1_epi32(10000 + (1 << 16));
    /* The same computation as facet_four_digits. */
    __m128i a = _mm_shuffle_epi8(load_half(at + shape->first[0]), load_half(shape->order[0]));
    __m128i b = _mm_shuffle_epi8(load_half(at + shape->first[1]), load_half(shape->order[1]));
    __m128i c = _mm_shuffle_epi8(load_half(at + shape->first[2]), load_half(shape->order[2]));
    a = _mm_maddubs_epi16(_mm_and_si128(_mm_or_si128(a, b), digit), tens);
    c = _mm_maddubs_epi16(_mm_and_si128(c, digit), tens);
    a = _mm_packs_epi32(_mm_madd_epi16(a, hundreds), _mm_madd_epi16(c, hundreds));
    a = _mm_madd_epi16(a, thousands);
    /* The same computation as facet_four_scale. */
    __m256d result = _mm256_mul_pd(_mm256_cvtepi32_pd(a), _mm256_loadu_pd(shape->powers));
    __m256i rest =
        _mm256_add_epi64(_mm256_castpd_si256(result), _mm256_set1_epi64x(8 - 0x10000000));
    rest = _mm256_and_si256(rest, _mm256_set1_epi64x(0x1FFFFFFF));
    __m256i unsafe = _mm256_cmpgt_epi32(_mm256_set1_epi64x(17), rest);
    *numbers = _mm256_cvtpd_ps(result);
    return _mm256_testz_si256(unsafe, unsafe);
}

static FACET_WIDE const uint8_t *run_elements(facet_obj_reader *r, const uint8_t *at,
                                              const uint8_t *limit)
{
    const element_shape *shape = r->shapes->element;
    while (at < limit && at[0] == 'v') {
        if (!shape || !is_element(at, shape))
            shape = find_element(r->shapes, at);
        if (!shape)
            break;
        facet_obj_elements *e = &r->elements[shape->kind];
        const float *beside = shape->kind == FACET_OBJ_POSITION ? r->colors : r->depths;
        __m128 numbers;
        /* Four floats are written, which overlaps the next element: it must have space. */
        if (e->capacity - e->count < 2 || (shape->kind != FACET_OBJ_NORMAL && beside) ||
            !read_numbers(at, shape, &numbers))
            break;
        _mm_storeu_ps(e->data + (size_t)e->count * e->width, numbers);
        e->count++;
        at += shape->length;
    }
    r->shapes->element = shape;
    return at;
}

/* -- Faces -------------------------------------------------------------- */

/* Sums of four digits each, of four words of at most eight digits. */
static FACET_WIDE FACET_ALWAYS_INLINE __m256i sum_digits(__m256i words)
{
    words = _mm256_and_si256(words, _mm256_set1_epi8(0x0F));
    words = _mm256_maddubs_epi16(words, _mm256_set1_epi16(10 + (1 << 8)));
    return _mm256_madd_epi16(words, _mm256_set1_epi32(100 + (1 << 16)));
}

/* Combine two times four of them, less 1. */
static FACET_WIDE FACET_ALWAYS_INLINE __m256i join_sums(__m256i a, __m256i b)
{
    __m256i both = _mm256_packs_epi32(a, b);
    both = _mm256_madd_epi16(both, _mm256_set1_epi32(10000 + (1 << 16)));
    return _mm256_add_epi32(both, _mm256_set1_epi32(-1));
}

/* Position and texcoord indices of two corners. */
static FACET_WIDE FACET_ALWAYS_INLINE __m256i two_corners(const uint8_t *at,
                                                          const face_shape *shape, int corner)
{
    __m256i text = _mm256_castsi128_si256(load_half(at + shape->first[corner]));
    text = _mm256_inserti128_si256(text, load_half(at + shape->first[corner + 1]), 1);
    return sum_digits(_mm256_shuffle_epi8(text, load(shape->order[corner])));
}

static FACET_WIDE FACET_ALWAYS_INLINE __m256i four_normals(const uint8_t *at,
                                                           const face_shape *shape)
{
    const uint8_t *first = shape->normal_first;
    __m128i low = _mm_set_epi64x((int64_t)facet_load_u64le(at + first[1]),
                                 (int64_t)facet_load_u64le(at + first[0]));
    __m128i high = _mm_set_epi64x((int64_t)facet_load_u64le(at + first[3]),
                                  (int64_t)facet_load_u64le(at + first[2]));
    int32_t shifts;
    memcpy(&shifts, shape->normal_shift, sizeof shifts);
    __m256i words = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    return sum_digits(_mm256_sllv_epi64(words, _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(shifts))));
}

/* Maxima and differences of face indices, while many lines are read: positions in the first four
 * lanes, texture coordinates in the last four. Normals use all lanes. */
typedef struct face_lanes {
    __m256i maxima, normal_maxima, different, normal_different;
} face_lanes;

static FACET_WIDE FACET_ALWAYS_INLINE void store_indices(uint32_t *indices, uint32_t corner,
                                                         __m128i four)
{
    if (indices)
        _mm_storeu_si128((__m128i *)(void *)(indices + corner), four);
}

static FACET_WIDE void end_lanes(facet_obj_reader *r, const face_lanes *lanes)
{
    const __m256i *maxima[2] = {&lanes->maxima, &lanes->normal_maxima};
    const __m256i *different[2] = {&lanes->different, &lanes->normal_different};
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++) {
        uint32_t most[8], any[8];
        _mm256_storeu_si256((__m256i *)(void *)most, *maxima[kind / 2]);
        _mm256_storeu_si256((__m256i *)(void *)any, *different[kind / 2]);
        for (int i = kind % 2 * 4, end = i + 4; i < end; i++) {
            r->maxima[kind] = most[i] > r->maxima[kind] ? most[i] : r->maxima[kind];
            r->different[kind] |= any[i];
        }
    }
}

static FACET_WIDE const uint8_t *run_faces(facet_obj_reader *r, const uint8_t *at,
                                           const uint8_t *limit)
{
    const __m256i by_kind = _mm256_setr_epi32(0, 4, 2, 6, 1, 5, 3, 7);
    const __m256i none = _mm256_setzero_si256();
    const __m256i is_position = _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0);
    const face_shape *shape = r->shapes->face;
    face_lanes lanes = {none, none, none, none};
    uint32_t *const positions = r->indices[FACET_OBJ_POSITION];
    uint32_t *const texcoords = r->indices[FACET_OBJ_TEXCOORD];
    uint32_t *const normals = r->indices[FACET_OBJ_NORMAL];
    uint32_t corner = r->corner_count, face = r->face_count;
    while (at < limit && at[0] == 'f') {
        if (!shape || !is_face(at, shape))
            shape = find_face(r->shapes, at);
        if (!shape || r->corner_capacity - corner < 4 || face == r->face_capacity)
            break;
        /* Indices of a missing kind have no digits: they become 0 - 1. */
        __m256i both = join_sums(two_corners(at, shape, 0), two_corners(at, shape, 2));
        __m256i of_normals = four_normals(at, shape);
        of_normals = join_sums(of_normals, of_normals);
        of_normals = _mm256_permute4x64_epi64(of_normals, 0x88);
        both = _mm256_permutevar8x32_epi32(both, by_kind);
        __m256i of_positions = _mm256_permute4x64_epi64(both, 0x44);
        store_indices(positions, corner, _mm256_castsi256_si128(both));
        store_indices(texcoords, corner, _mm256_extracti128_si256(both, 1));
        store_indices(normals, corner, _mm256_castsi256_si128(of_normals));
        __m256i there = _mm256_or_si256(is_position, _mm256_set1_epi32(shape->has_texcoord));
        lanes.maxima = _mm256_max_epu32(lanes.maxima, _mm256_and_si256(both, there));
        there = _mm256_set1_epi32(shape->has_normal);
        lanes.normal_maxima =
            _mm256_max_epu32(lanes.normal_maxima, _mm256_and_si256(of_normals, there));
        lanes.different = _mm256_or_si256(lanes.different, _mm256_xor_si256(both, of_positions));
        lanes.normal_different =
            _mm256_or_si256(lanes.normal_different, _mm256_xor_si256(of_normals, of_positions));
        corner += shape->corners;
        face++;
        if (r->offsets)
            r->offsets[face] = corner;
        at += shape->length;
    }
    r->shapes->face = shape;
    r->corner_count = corner;
    r->face_count = face;
    end_lanes(r, &lanes);
    return at;
}

/* -- Lines -------------------------------------------------------------- */

static chance *chance_of(facet_obj_shapes *shapes, const uint8_t *line)
{
    return line[0] == 'f' ? &shapes->of_faces : &shapes->of_elements;
}

/* Count a line without a shape, after `bytes` bytes with shapes. */
static void count_miss(chance *c, size_t bytes)
{
    size_t credit = c->credit + bytes / MEAN_LINE;
    if (credit < MISS) {
        c->pause = PAUSE;
        c->credit = MAX_CREDIT / 2;
    } else {
        c->credit = (uint32_t)(credit < MAX_CREDIT ? credit : MAX_CREDIT) - MISS;
    }
}

const uint8_t *facet_obj_run_shapes(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit)
{
    while (r->shapes && at < limit && (at[0] == 'f' || at[0] == 'v')) {
        chance *c = chance_of(r->shapes, at);
        if (c->pause > 0) {
            c->pause--;
            return at;
        }
        const uint8_t *from = at;
        at = at[0] == 'f' ? run_faces(r, at, limit) : run_elements(r, at, limit);
        if (at < limit && at[0] == from[0]) {
            count_miss(c, (size_t)(at - from));
            return at;
        }
    }
    return at;
}

/* -- Learning ----------------------------------------------------------- */

static bool is_digit(uint8_t byte)
{
    return (uint8_t)(byte - '0') <= 9;
}

/* Number of digits at `at`. */
static size_t count_digits(const uint8_t *at)
{
    size_t count = 0;
    while (is_digit(at[count]))
        count++;
    return count;
}

/* Set the bounds of a line's bytes, and allow any bytes after it. */
static void bound(uint8_t *low, uint8_t *high, size_t size, const uint8_t *line, size_t length)
{
    memset(low, 0, size);
    memset(high, 0xFF, size);
    for (size_t i = 0; i < length; i++) {
        low[i] = is_digit(line[i]) ? '0' : line[i];
        high[i] = is_digit(line[i]) ? '9' : line[i];
    }
}

static const uint8_t *skip_blanks(const uint8_t *at)
{
    while (facet_text_is_blank(*at))
        at++;
    return at;
}

/* True if the bytes after the last word of a line are valid. */
static bool ends(const uint8_t *at, const uint8_t *next)
{
    at = skip_blanks(at);
    return at + (*at == '\r') + 1 == next && next[-1] == '\n';
}

/* Learn a number of the line: one that facet_number_fast accepts, or one without a point. */
static const uint8_t *learn_number(element_shape *shape, int i, const uint8_t *line,
                                   const uint8_t *at)
{
    bool negative = *at == '-';
    at += negative;
    size_t count = count_digits(at), places = 0;
    bool has_point = at[count] == '.';
    if (has_point)
        places = count_digits(at + count + 1);
    if (count == 0 || count + places > 8 || (has_point && places == 0))
        return NULL;
    shape->first[i] = (uint8_t)(at - line);
    shape->powers[i] = facet_powers_of_ten[FACET_POWER_ZERO - places];
    if (negative)
        shape->powers[i] = -shape->powers[i];
    size_t to = i % 2 * 8 + 8 - count - places; /* two numbers per vector */
    for (size_t k = 0; k < count; k++)
        shape->order[i][to + k] = (uint8_t)k;
    for (size_t k = 0; k < places; k++)
        shape->order[i][to + count + k] = (uint8_t)(count + 1 + k);
    return at + count + has_point + places;
}

static bool learn_element(element_shape *shape, const uint8_t *line, const uint8_t *next)
{
    size_t length = (size_t)(next - line);
    const uint8_t *at = line + 1;
    shape->kind = *at == 't'   ? FACET_OBJ_TEXCOORD
                  : *at == 'n' ? FACET_OBJ_NORMAL
                               : FACET_OBJ_POSITION;
    at += shape->kind != FACET_OBJ_POSITION;
    memset(shape->order, 0x80, sizeof shape->order);
    for (int i = 0; i < (shape->kind == FACET_OBJ_TEXCOORD ? 2 : 3); i++) {
        const uint8_t *word = skip_blanks(at);
        at = word > at ? learn_number(shape, i, line, word) : NULL;
        if (!at)
            return false;
    }
    if (!ends(at, next))
        return false;
    bound(shape->low, shape->high, ELEMENT_LINE, line, length);
    shape->length = (uint8_t)length;
    return true;
}

/* Learn an index of the face with fewer than nine digits: they go into a word that ends at `to`. */
static const uint8_t *learn_index(uint8_t *order, size_t to, size_t from, const uint8_t *at)
{
    size_t count = count_digits(at);
    if (count - 1 >= 8 || from + count > 16)
        return NULL;
    for (size_t k = 0; k < count; k++)
        order[to - count + k] = (uint8_t)(from + k);
    return at + count;
}

/* Learn a corner of the face; it must be like the previous ones. */
static const uint8_t *learn_corner(face_shape *shape, int corner, const facet_obj_reader *r,
                                   const uint8_t *line, const uint8_t *at)
{
    uint8_t *order = shape->order[corner];
    const uint8_t *first = at;
    shape->first[corner] = (uint8_t)(at - line);
    at = learn_index(order, 8, 0, at);
    if (at && r->face_has_texcoord)
        at = *at == '/' ? learn_index(order, 16, (size_t)(at + 1 - first), at + 1) : NULL;
    else if (at && r->face_has_normal)
        at = *at == '/' ? at + 1 : NULL;
    if (!at || !r->face_has_normal)
        return at;
    size_t count = *at == '/' ? count_digits(at + 1) : 0;
    if (count - 1 >= 8)
        return NULL;
    shape->normal_first[corner] = (uint8_t)(at + 1 - line);
    shape->normal_shift[corner] = (uint8_t)(64 - 8 * count);
    return at + 1 + count;
}

static bool learn_face(face_shape *shape, const facet_obj_reader *r, const uint8_t *line,
                       const uint8_t *next)
{
    size_t length = (size_t)(next - line);
    int corners = 0;
    memset(shape->order, 0x80, sizeof shape->order);
    memset(shape->normal_shift, 64, sizeof shape->normal_shift); /* shifts out everything */
    for (const uint8_t *at = line + 1; !ends(at, next); corners++) {
        const uint8_t *word = skip_blanks(at);
        if (word == at || corners == 4)
            return false;
        at = learn_corner(shape, corners, r, line, word);
        if (!at)
            return false;
    }
    if (corners < 3 || (corners == 4 && !r->offsets))
        return false;
    if (corners == 3) { /* repeat a corner in the fourth lane */
        shape->first[3] = shape->first[0];
        memcpy(shape->order[3], shape->order[0], sizeof shape->order[0]);
        shape->normal_first[3] = shape->normal_first[0];
        shape->normal_shift[3] = shape->normal_shift[0];
    }
    bound(shape->low, shape->high, FACE_LINE, line, length);
    shape->has_texcoord = -(int32_t)r->face_has_texcoord;
    shape->has_normal = -(int32_t)r->face_has_normal;
    shape->corners = (uint8_t)corners;
    shape->length = (uint8_t)length;
    return true;
}

static FACET_WIDE void learn(facet_obj_reader *r, const uint8_t *at, const uint8_t *next)
{
    facet_obj_shapes *shapes = r->shapes;
    element_shape element = {0};
    face_shape face = {0};
    if (at[0] == 'v' && next - at <= ELEMENT_LINE && learn_element(&element, at, next))
        shapes->elements[element_place(at)] = element;
    if (at[0] == 'f' && next - at <= FACE_LINE && learn_face(&face, r, at, next))
        shapes->faces[face_place(at)] = face;
}

void facet_obj_learn_shape(facet_obj_reader *r, const uint8_t *at, const uint8_t *next)
{
    bool wanted = r->shapes && chance_of(r->shapes, at)->pause == 0;
    if (wanted && ++r->shapes->misses % LEARNING == 0)
        learn(r, at, next);
}

facet_obj_shapes *facet_obj_make_shapes(facet_arena *arena, size_t size)
{
    if (!facet_is_wide() || size < LEAST_SIZE)
        return NULL;
    return facet_arena_allocate_zeroed(arena, 1, sizeof(facet_obj_shapes));
}

#else

facet_obj_shapes *facet_obj_make_shapes(facet_arena *arena, size_t size)
{
    (void)arena, (void)size;
    return NULL;
}

const uint8_t *facet_obj_run_shapes(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit)
{
    (void)r, (void)limit;
    return at;
}

void facet_obj_learn_shape(facet_obj_reader *r, const uint8_t *at, const uint8_t *next)
{
    (void)r, (void)at, (void)next;
}

#endif
