/* formats/binarymesh/faces.c - reading of faces: three indices per corner, interleaved in the file,
 * go to three arrays. Faces are most of a file, so this loop determines the speed of reading. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/binarymesh/binarymesh.h"

#include <inttypes.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bytes of a face without corners: count and slot. It breaks a rule, but is readable. */
#define EMPTY_FACE ((size_t)4)
#define CORNER ((size_t)12)
#define TRIANGLE (EMPTY_FACE + 3 * CORNER)

typedef struct faces {
    facet_binarymesh_input *input;
    facet_arena *arena;
    facet_binarymesh_object *object;
    bool lenient;
    bool has_normals, has_texcoords;
    facet_error *error;

    uint32_t count;    /* number of faces in the object */
    uint32_t face;     /* faces read so far */
    size_t corner;     /* corners read so far */
    size_t capacity;   /* capacity of the index arrays, in corners */
    uint64_t limit;    /* maximum number of corners that the remaining data can have */
    bool out_of_range; /* some index is out of range */
} faces;

static facet_status malformed(const faces *f, const char *rule, const char *format, ...)
    FACET_PRINTF(3, 4);

static facet_status malformed(const faces *f, const char *rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(f->error, FACET_ERROR_MALFORMED, rule, facet_binarymesh_input_offset(f->input), 0,
                 format, arguments);
    va_end(arguments);
    return FACET_ERROR_MALFORMED;
}

/* -- Corners ----------------------------------------------------------- */

/* Copy `count` corners. Optional indices are compared plus one: FACET_NONE becomes 0, which is
 * never too large. With constant has_* the loop has no branch. */
static inline void copy_corners_as(faces *f, const uint8_t *at, size_t count, bool has_normals,
                                   bool has_texcoords)
{
    const facet_binarymesh_object *object = f->object;
    bool bad = false;
    for (size_t end = f->corner + count; f->corner < end; f->corner++, at += CORNER) {
        uint32_t position = facet_load_u32le(at);
        object->position_indices[f->corner] = position;
        bad |= position >= object->position_count;
        if (has_normals) {
            uint32_t normal = facet_load_u32le(at + 4);
            object->normal_indices[f->corner] = normal;
            bad |= normal + 1 > object->normal_count;
        }
        if (has_texcoords) {
            uint32_t texcoord = facet_load_u32le(at + 8);
            object->texcoord_indices[f->corner] = texcoord;
            bad |= texcoord + 1 > object->texcoord_count;
        }
    }
    f->out_of_range |= bad;
}

/* True if the next face is a triangle whose slot can be stored; the slot is then stored. */
static inline bool begin_triangle(const faces *f, const uint8_t *at, uint16_t *slots, size_t index)
{
    uint16_t slot = facet_load_u16le(at + TRIANGLE - 2);
    if (facet_load_u16le(at) != 3 || (slot != 0 && !slots))
        return false;
    if (slots)
        slots[f->face + index] = slot;
    return true;
}

#ifdef __SSE2__
/* All ones in lanes of `index` above a limit, unsigned. The limit has its sign bit flipped. */
static inline __m128i above(__m128i index, __m128i limit)
{
    return _mm_cmpgt_epi32(_mm_xor_si128(index, _mm_set1_epi32(INT32_MIN)), limit);
}

static inline __m128i flipped(uint32_t limit)
{
    return _mm_set1_epi32((int32_t)(limit ^ 0x80000000u));
}

#define PICK(low, high, lanes) \
    _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(low), _mm_castsi128_ps(high), lanes))

/* Copy up to `count` triangles except the last; returns their number. Three indices are stored as
 * four; the next triangle overwrites the fourth. */
static inline size_t copy_triangles_sse2(faces *f, const uint8_t *at, size_t count,
                                         bool has_normals, bool has_texcoords)
{
    const facet_binarymesh_object *object = f->object;
    uint32_t *positions = object->position_indices + f->corner;
    uint32_t *normals = has_normals ? object->normal_indices + f->corner : NULL;
    uint32_t *texcoords = has_texcoords ? object->texcoord_indices + f->corner : NULL;
    uint16_t *slots = object->face_slots;
    const __m128i one = _mm_set1_epi32(1);
    const __m128i position_limit = flipped(object->position_count - 1);
    const __m128i normal_limit = flipped(object->normal_count);
    const __m128i texcoord_limit = flipped(object->texcoord_count);
    __m128i bad = _mm_setzero_si128();
    size_t done = 0;
    if (object->position_count == 0)
        return 0;
    for (; done + 1 < count && begin_triangle(f, at, slots, done); done++, at += TRIANGLE) {
        /* p0 n0 t0 p1 | n1 t1 p2 n2 | and, four bytes later, t1 p2 n2 t2 */
        __m128i first = _mm_loadu_si128((const __m128i *)(const void *)(at + 2));
        __m128i second = _mm_loadu_si128((const __m128i *)(const void *)(at + 18));
        __m128i third = _mm_loadu_si128((const __m128i *)(const void *)(at + 22));
        __m128i picked = PICK(first, second, _MM_SHUFFLE(2, 2, 3, 0));
        _mm_storeu_si128((__m128i *)(void *)(positions + done * 3), picked);
        bad = _mm_or_si128(bad, above(picked, position_limit));
        if (has_normals) {
            picked = _mm_srli_si128(PICK(first, second, _MM_SHUFFLE(3, 0, 1, 1)), 4);
            _mm_storeu_si128((__m128i *)(void *)(normals + done * 3), picked);
            bad = _mm_or_si128(bad, above(_mm_add_epi32(picked, one), normal_limit));
        }
        if (has_texcoords) {
            picked = _mm_srli_si128(PICK(first, third, _MM_SHUFFLE(3, 0, 2, 2)), 4);
            _mm_storeu_si128((__m128i *)(void *)(texcoords + done * 3), picked);
            bad = _mm_or_si128(bad, above(_mm_add_epi32(picked, one), texcoord_limit));
        }
    }
    f->out_of_range |= _mm_movemask_epi8(bad) != 0;
    return done;
}
#endif

static inline void copy_triangles_as(faces *f, size_t count, bool has_normals, bool has_texcoords)
{
    const uint8_t *at = f->input->at;
    size_t done = 0;
#ifdef __SSE2__
    done = copy_triangles_sse2(f, at, count, has_normals, has_texcoords);
    f->corner += done * 3;
    at += done * TRIANGLE;
#endif
    for (; done < count && begin_triangle(f, at, f->object->face_slots, done); done++) {
        copy_corners_as(f, at + 2, 3, has_normals, has_texcoords);
        at += TRIANGLE;
    }
    f->face += (uint32_t)done;
    f->input->at = at;
}

/* Copy consecutive triangles that are complete in the current bytes. */
static void copy_triangles(faces *f)
{
    size_t count = (size_t)(f->input->end - f->input->at) / TRIANGLE;
    size_t space = (f->capacity - f->corner) / 3;
    if (f->object->face_offsets)
        return;
    if (count > f->count - f->face)
        count = f->count - f->face;
    if (count > space)
        count = space;
    if (f->has_normals && f->has_texcoords)
        copy_triangles_as(f, count, true, true);
    else if (f->has_normals)
        copy_triangles_as(f, count, true, false);
    else if (f->has_texcoords)
        copy_triangles_as(f, count, false, true);
    else
        copy_triangles_as(f, count, false, false);
}

/* -- Space ---------------------------------------------------------------- */

static facet_status resize_indices(faces *f, size_t capacity)
{
    uint32_t **arrays[3] = {&f->object->position_indices,
                            f->has_normals ? &f->object->normal_indices : NULL,
                            f->has_texcoords ? &f->object->texcoord_indices : NULL};
    for (int i = 0; i < 3; i++) {
        if (!arrays[i])
            continue;
        uint32_t *resized =
            facet_arena_resize(f->arena, *arrays[i], f->capacity, capacity, sizeof *resized);
        if (!resized)
            return facet_fail_arena(f->arena, f->error);
        *arrays[i] = resized;
    }
    f->capacity = capacity;
    return FACET_OK;
}

/* Make space for `count` more corners. Estimates the total from the faces so far, up to the maximum
 * for the data. */
static facet_status make_space(faces *f, size_t count)
{
    uint64_t needed = f->corner + count;
    if (needed <= f->capacity)
        return FACET_OK;
    if (needed >= UINT32_MAX)
        return facet_fail(f->error, FACET_ERROR_LIMIT, "BM-LIMIT", f->object->offset,
                          "an object has more than 4,294,967,294 corners");
    uint64_t guess = needed * f->count / (f->face + 1);
    guess += guess / 16;
    if (guess < f->capacity + f->capacity / 2)
        guess = f->capacity + f->capacity / 2;
    if (guess > f->limit)
        guess = f->limit;
    if (guess >= UINT32_MAX)
        guess = UINT32_MAX - 1;
    return resize_indices(f, (size_t)(guess < needed ? needed : guess));
}

/* Start face offsets at the first face that is not a triangle. */
static facet_status begin_offsets(faces *f)
{
    size_t count = (size_t)f->count + 1;
    uint32_t *offsets = facet_arena_allocate(f->arena, count, sizeof *offsets);
    if (!offsets)
        return facet_fail_arena(f->arena, f->error);
    for (uint32_t face = 0; face <= f->face; face++)
        offsets[face] = face * 3;
    f->object->face_offsets = offsets;
    return FACET_OK;
}

/* Start face slots at the first face with a slot other than 0. */
static facet_status begin_slots(faces *f)
{
    uint16_t *slots = facet_arena_allocate(f->arena, f->count, sizeof *slots);
    if (!slots)
        return facet_fail_arena(f->arena, f->error);
    memset(slots, 0, f->face * sizeof *slots);
    f->object->face_slots = slots;
    return FACET_OK;
}

/* -- Single faces ------------------------------------------------------ */

static facet_status take_corners(faces *f, uint32_t count)
{
    facet_binarymesh_input *input = f->input;
    facet_status status = make_space(f, count);
    while (count > 0 && !status) {
        uint8_t corner[CORNER];
        size_t whole = (size_t)(input->end - input->at) / CORNER;
        if (whole > count)
            whole = count;
        if (whole > 0) {
            copy_corners_as(f, input->at, whole, f->has_normals, f->has_texcoords);
            input->at += whole * CORNER;
        } else {
            whole = 1;
            status = facet_binarymesh_input_copy(input, corner, CORNER, 4, f->error);
            if (!status)
                copy_corners_as(f, corner, 1, f->has_normals, f->has_texcoords);
        }
        count -= (uint32_t)whole;
    }
    return status;
}

/* Read a face that crosses blocks, is not a triangle, or has the first slot other than 0. */
static facet_status take_face(faces *f)
{
    uint32_t count = 0, slot = 0;
    TRY(facet_binarymesh_input_u16(f->input, &count, f->error));
    facet_status status = FACET_OK;
    if (count < 3 && !f->lenient)
        return malformed(f, "BM-FACE-CORNERS",
                         "face %" PRIu32 " has %" PRIu32 " corners, a face has 3 at least", f->face,
                         count);
    if (count * CORNER + 2 > facet_binarymesh_input_left(f->input))
        return malformed(f, "BM-DATA-TRUNCATED",
                         "the data ends inside face %" PRIu32 ", which has %" PRIu32 " corners",
                         f->face, count);
    if (count != 3 && !f->object->face_offsets)
        status = begin_offsets(f);
    if (!status)
        status = take_corners(f, count);
    if (!status)
        status = facet_binarymesh_input_u16(f->input, &slot, f->error);
    if (!status && slot != 0 && !f->object->face_slots)
        status = begin_slots(f);
    if (status)
        return status;
    if (f->object->face_slots)
        f->object->face_slots[f->face] = (uint16_t)slot;
    f->face++;
    if (f->object->face_offsets)
        f->object->face_offsets[f->face] = (uint32_t)f->corner;
    return FACET_OK;
}

/* -- All faces ----------------------------------------------------------- */

/* Find the corner with a too large index, and fail. */
static facet_status find_bad_index(const faces *f, const char *rule, const char *thing,
                                   const uint32_t *indices, uint32_t count, bool optional)
{
    const facet_binarymesh_object *object = f->object;
    facet_quoted quoted;
    for (uint32_t corner = 0; indices && corner < object->corner_count; corner++) {
        if (indices[corner] < count || (optional && indices[corner] == FACET_NONE))
            continue;
        return facet_fail(f->error, FACET_ERROR_MALFORMED, rule, object->offset,
                          "corner %" PRIu32 " of object '%s' has %s %" PRIu32 " of %" PRIu32,
                          corner, facet_quote(&quoted, object->name.text, object->name.length),
                          thing, indices[corner], count);
    }
    return FACET_OK;
}

static facet_status find_out_of_range(const faces *f)
{
    const facet_binarymesh_object *object = f->object;
    TRY(find_bad_index(f, "BM-FACE-VERTEX-RANGE", "position", object->position_indices,
                       object->position_count, false));
    TRY(find_bad_index(f, "BM-FACE-NORMAL-RANGE", "normal", object->normal_indices,
                       object->normal_count, true));
    return find_bad_index(f, "BM-FACE-UV-RANGE", "texture coordinate", object->texcoord_indices,
                          object->texcoord_count, true);
}

facet_status facet_binarymesh_read_faces(facet_binarymesh_input *input, facet_arena *arena,
                                         facet_binarymesh_object *object, bool lenient,
                                         facet_error *error)
{
    faces f = {0};
    f.input = input;
    f.arena = arena;
    f.object = object;
    f.lenient = lenient;
    f.error = error;
    facet_status status = facet_binarymesh_input_count(input, "faces", EMPTY_FACE, &f.count, error);
    if (status)
        return status;
    /* An index into an empty array means "none", whatever its value. */
    f.has_normals = lenient || object->normal_count > 0;
    f.has_texcoords = lenient || object->texcoord_count > 0;
    f.limit = (facet_binarymesh_input_left(input) - (uint64_t)f.count * EMPTY_FACE) / CORNER;
    /* Most meshes have triangles; the size of the last object limits its corners. */
    uint64_t guess = (uint64_t)f.count * (f.limit / 4 <= f.count ? 4 : 3);
    if (guess > f.limit)
        guess = f.limit;
    status = resize_indices(&f, (size_t)(guess < UINT32_MAX ? guess : UINT32_MAX - 1));
    while (!status && f.face < f.count) {
        copy_triangles(&f);
        if (f.face < f.count)
            status = take_face(&f);
    }
    if (!status && f.capacity != f.corner)
        status = resize_indices(&f, f.corner);
    if (status)
        return status;
    object->face_count = f.count;
    object->corner_count = (uint32_t)f.corner;
    return f.out_of_range && !lenient ? find_out_of_range(&f) : FACET_OK;
}
