/* obj/fast.c - lines in the spelling that nearly every file uses: single
 * blanks, plain numbers, faces of few corners and of one form. */
#include "obj/numbers.h"
#include "obj/reader.h"

/* Blanks in a row that it takes. */
#define FAST_BLANKS 3
/* Corners of a face that it takes. */
#define FAST_CORNERS 8

#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* A blank, or a few; NULL when there is none. */
static ALWAYS_INLINE const uint8_t *fast_blanks(const uint8_t *at)
{
    if (*at != ' ')
        return NULL;
    at++;
    for (int i = 1; i < FAST_BLANKS && *at == ' '; i++)
        at++;
    return at;
}

/* The start of the next line, or NULL when this one goes on. */
static ALWAYS_INLINE const uint8_t *fast_line_end(const uint8_t *at)
{
    if (*at == '\n')
        return at + 1;
    if (*at == ' ')
        at = fast_blanks(at);
    if (*at == '\r')
        at++;
    return *at == '\n' ? at + 1 : NULL;
}

/* `count` numbers; NULL when they are not plain. */
static ALWAYS_INLINE const uint8_t *fast_numbers(const uint8_t *at, float *values, int count)
{
    for (int i = 0; i < count; i++) {
        at = fast_blanks(at);
        if (!at || !(at = facet_number_fast(at, &values[i])))
            return NULL;
    }
    return at;
}

/* A "v" line, from its second byte. */
static ALWAYS_INLINE const uint8_t *fast_position(facet_obj_reader *r, const uint8_t *at)
{
    facet_obj_elements *e = &r->elements[FACET_OBJ_POSITION];
    if (e->count == e->capacity)
        return NULL;
    at = fast_numbers(at, e->data + (size_t)e->count * 3, 3);
    if (at && r->colors)
        at = fast_numbers(at, r->colors + (size_t)e->count * 3, 3);
    at = at ? fast_line_end(at) : NULL;
    e->count += at != NULL;
    return at;
}

/* A "vt" or "vn" line, from its third byte. */
static ALWAYS_INLINE const uint8_t *fast_element(facet_obj_reader *r, const uint8_t *at, int kind,
                                                 int width)
{
    facet_obj_elements *e = &r->elements[kind];
    if (e->count == e->capacity || (kind == FACET_OBJ_TEXCOORD && r->depths))
        return NULL;
    at = fast_numbers(at, e->data + (size_t)e->count * (size_t)width, width);
    at = at ? fast_line_end(at) : NULL;
    e->count += at != NULL;
    return at;
}

/* One index of at most 8 digits, less 1, at `at`; it ends where the lowest bit
 * of `ends` says, counted from `base`. 0 becomes UINT32_MAX, which the test of
 * the maxima at the end finds. Returns where it ends. */
static ALWAYS_INLINE const uint8_t *fast_index(const uint8_t *base, const uint8_t *at,
                                               uint64_t ends, uint32_t *index)
{
    const uint8_t *end = base + facet_lowest_bit(ends);
    size_t count = (size_t)(end - at);
    if (count - 1 >= 8)
        return NULL;
    *index = facet_digits_value(at, count) - 1;
    return end;
}

/* What face lines change, in registers while one is parsed. */
typedef struct fast_indices {
    uint32_t *indices; /* of this kind */
    uint32_t maximum, different;
} fast_indices;

static ALWAYS_INLINE void fast_store(fast_indices *i, uint32_t corner, uint32_t index,
                                     uint32_t position)
{
    i->indices[corner] = index;
    i->maximum = index > i->maximum ? index : i->maximum;
    i->different |= index ^ position;
}

static ALWAYS_INLINE fast_indices fast_begin(const facet_obj_reader *r, int kind)
{
    fast_indices i = {r->indices[kind], r->maxima[kind], r->different[kind]};
    return i;
}

static ALWAYS_INLINE void fast_commit(facet_obj_reader *r, int kind, const fast_indices *i)
{
    r->maxima[kind] = i->maximum;
    r->different[kind] = i->different;
}

/* The corners of a face lack this kind, of which others have indices. */
static ALWAYS_INLINE void fast_fill(facet_obj_reader *r, int kind, uint32_t first, uint32_t end)
{
    r->different[kind] = 1;
    for (uint32_t i = first; r->indices[kind] && i < end; i++)
        r->indices[kind][i] = FACET_NONE;
}

/* A face whose corners all have the same form, from its second byte. */
static ALWAYS_INLINE const uint8_t *fast_face(facet_obj_reader *r, const uint8_t *at,
                                              const bool has_texcoord, const bool has_normal)
{
    fast_indices positions = fast_begin(r, FACET_OBJ_POSITION),
                 texcoords = fast_begin(r, FACET_OBJ_TEXCOORD),
                 normals = fast_begin(r, FACET_OBJ_NORMAL);
    const uint32_t first = r->corner_count;
    uint32_t corner = first;
    const uint8_t *next = NULL;
    if (r->corner_capacity - first < FAST_CORNERS || r->face_count == r->face_capacity ||
        (has_texcoord && !texcoords.indices) || (has_normal && !normals.indices))
        return NULL;
    do {
        uint32_t position, index;
        const uint8_t *base = fast_blanks(at);
        if (!base || corner - first == FAST_CORNERS)
            return NULL;
        uint64_t ends = facet_digits_ends(base);
        at = fast_index(base, base, ends, &position);
        if (!at)
            return NULL;
        fast_store(&positions, corner, position, position);
        if (has_texcoord) {
            ends &= ends - 1;
            if (*at != '/' || !(at = fast_index(base, at + 1, ends, &index)))
                return NULL;
            fast_store(&texcoords, corner, index, position);
        } else if (has_normal) {
            ends &= ends - 1;
            if (*at++ != '/')
                return NULL;
        }
        if (has_normal) {
            ends &= ends - 1;
            if (*at != '/' || !(at = fast_index(base, at + 1, ends, &index)))
                return NULL;
            fast_store(&normals, corner, index, position);
        }
        corner++;
        next = fast_line_end(at);
    } while (!next);
    if (corner - first != 3 && (corner - first < 3 || !r->offsets))
        return NULL;
    fast_commit(r, FACET_OBJ_POSITION, &positions);
    if (has_texcoord)
        fast_commit(r, FACET_OBJ_TEXCOORD, &texcoords);
    else
        fast_fill(r, FACET_OBJ_TEXCOORD, first, corner);
    if (has_normal)
        fast_commit(r, FACET_OBJ_NORMAL, &normals);
    else
        fast_fill(r, FACET_OBJ_NORMAL, first, corner);
    r->corner_count = corner;
    r->face_count++;
    if (r->offsets)
        r->offsets[r->face_count] = corner;
    return next;
}

/* A face of the form of the one before; read_face learns another. */
static ALWAYS_INLINE const uint8_t *fast_face_as_before(facet_obj_reader *r, const uint8_t *at)
{
    if (r->face_has_texcoord)
        return r->face_has_normal ? fast_face(r, at, true, true) : fast_face(r, at, true, false);
    return r->face_has_normal ? fast_face(r, at, false, true) : fast_face(r, at, false, false);
}

const uint8_t *facet_obj_run_fast(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit)
{
    while (at < limit) {
        const uint8_t *next = NULL;
        if (at[0] == 'f')
            next = fast_face_as_before(r, at + 1);
        else if (at[0] == 'v' && at[1] == ' ')
            next = fast_position(r, at + 1);
        else if (at[0] == 'v' && at[1] == 't')
            next = fast_element(r, at + 2, FACET_OBJ_TEXCOORD, 2);
        else if (at[0] == 'v' && at[1] == 'n')
            next = fast_element(r, at + 2, FACET_OBJ_NORMAL, 3);
        if (!next)
            break;
        at = next;
    }
    return at;
}
