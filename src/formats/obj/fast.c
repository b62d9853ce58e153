/* formats/obj/fast.c - lines in the spelling that nearly every file uses: single
 * blanks, plain numbers, faces of few corners and of one form.
 *
 * Three ways, tried in turn. Lines that look like one before are read by their shape
 * (shapes.c), where the processor is wide. A line that ends within a window of 64 bytes (a face
 * with long indices may have another behind its first corner) is cut into words
 * by the bits of the window: where the next line begins is known
 * before this one is parsed, so that the processor works on several at once,
 * and the words become values four at a time. Other lines go word by word. */
#include "base/lanes.h"
#include "formats/obj/shapes.h"

/* Blanks in a row that it takes. */
#define FAST_BLANKS 3
/* Corners of a face that it takes. */
#define FAST_CORNERS 8

static FACET_ALWAYS_INLINE bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t';
}

/* A blank, or a few; NULL when there is none. */
static FACET_ALWAYS_INLINE const uint8_t *fast_blanks(const uint8_t *at)
{
    if (!is_blank(*at))
        return NULL;
    at++;
    for (int i = 1; i < FAST_BLANKS && is_blank(*at); i++)
        at++;
    return at;
}

/* The start of the next line, or NULL when this one goes on. */
static FACET_ALWAYS_INLINE const uint8_t *fast_line_end(const uint8_t *at)
{
    if (*at == '\n')
        return at + 1;
    if (is_blank(*at))
        at = fast_blanks(at);
    if (*at == '\r')
        at++;
    return *at == '\n' ? at + 1 : NULL;
}

/* `count` numbers; NULL when they are not plain. */
static FACET_ALWAYS_INLINE const uint8_t *fast_numbers(const uint8_t *at, float *values, int count)
{
    for (int i = 0; i < count; i++) {
        at = fast_blanks(at);
        if (!at || !(at = facet_number_fast(at, &values[i])))
            return NULL;
    }
    return at;
}

/* A "v" line, from its second byte. */
static FACET_ALWAYS_INLINE const uint8_t *fast_position(facet_obj_reader *r, const uint8_t *at)
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
static FACET_ALWAYS_INLINE const uint8_t *fast_element(facet_obj_reader *r, const uint8_t *at,
                                                       int kind, int width)
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
static FACET_ALWAYS_INLINE const uint8_t *fast_index(const uint8_t *base, const uint8_t *at,
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

static FACET_ALWAYS_INLINE void fast_store(fast_indices *i, uint32_t corner, uint32_t index,
                                           uint32_t position)
{
    i->indices[corner] = index;
    i->maximum = index > i->maximum ? index : i->maximum;
    i->different |= index ^ position;
}

static FACET_ALWAYS_INLINE fast_indices fast_begin(const facet_obj_reader *r, int kind)
{
    fast_indices i = {r->indices[kind], r->maxima[kind], r->different[kind]};
    return i;
}

static FACET_ALWAYS_INLINE void fast_commit(facet_obj_reader *r, int kind, const fast_indices *i)
{
    r->maxima[kind] = i->maximum;
    r->different[kind] = i->different;
}

/* The corners of a face lack this kind, of which others have indices. */
static FACET_ALWAYS_INLINE void fast_fill(facet_obj_reader *r, int kind, uint32_t first,
                                          uint32_t end)
{
    r->different[kind] = 1;
    for (uint32_t i = first; r->indices[kind] && i < end; i++)
        r->indices[kind][i] = FACET_NONE;
}

/* A face whose corners all have the same form, from its second byte. */
static FACET_ALWAYS_INLINE const uint8_t *fast_face(facet_obj_reader *r, const uint8_t *at,
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
static FACET_ALWAYS_INLINE const uint8_t *fast_face_as_before(facet_obj_reader *r,
                                                              const uint8_t *at)
{
    if (r->face_has_texcoord)
        return r->face_has_normal ? fast_face(r, at, true, true) : fast_face(r, at, true, false);
    return r->face_has_normal ? fast_face(r, at, false, true) : fast_face(r, at, false, false);
}

/* -- Lines in a window -------------------------------------------------- */

/* A line, and where its line feed is: its words are followed by other bytes up to there. */
typedef struct walk {
    facet_walk words;
    size_t newline;
} walk;

/* The newline of a line whose end is beyond the window. */
#define NOT_SEEN 64

/* A line from `at` on, where a byte ended the last word. */
static FACET_ALWAYS_INLINE walk walk_from(const uint8_t *at)
{
    facet_window window = facet_window_of(at);
    size_t newline = window.newlines == 0 ? NOT_SEEN : facet_lowest_bit(window.newlines);
    return (walk){{at, 0, window.others & ~UINT64_C(1)}, newline};
}

/* Look on from the end of the last word; false when the line is longer still. */
static FACET_ALWAYS_INLINE bool next_window(walk *w)
{
    *w = walk_from(w->words.text + w->words.at);
    return w->newline != NOT_SEEN;
}

/* Do words end here, as many as a corner has? */
static FACET_ALWAYS_INLINE bool has_corner(const walk *w)
{
    uint64_t others = w->words.others & (w->words.others - 1);
    return (others & (others - 1)) != 0;
}

/* Is the line over? */
static FACET_ALWAYS_INLINE bool walk_ends(const walk *w)
{
    const facet_walk *words = &w->words;
    return words->at == w->newline ||
           (words->text[words->at] == '\r' && words->at + 1 == w->newline);
}

/* The next number, after a blank. */
static FACET_ALWAYS_INLINE bool walk_number(walk *w, uint64_t *word, double *power)
{
    return w->words.text[w->words.at] == ' ' && facet_walk_number(&w->words, word, power);
}

/* The next index, after the byte `before`. */
static FACET_ALWAYS_INLINE bool walk_index(walk *w, uint8_t before, uint64_t *word)
{
    return w->words.text[w->words.at] == before && facet_walk_index(&w->words, word);
}

/* A "v", "vt" or "vn" line of `width` numbers; NULL when it is not plain. */
static FACET_ALWAYS_INLINE const uint8_t *window_element(facet_obj_reader *r, walk w, int kind,
                                                         int width)
{
    facet_obj_elements *e = &r->elements[kind];
    const float *beside = kind == FACET_OBJ_POSITION ? r->colors : r->depths;
    uint64_t words[4] = {0};
    double powers[4] = {0};
    /* Four floats are written: the next element is there as well. */
    if (e->capacity - e->count < 2 || (kind != FACET_OBJ_NORMAL && beside))
        return NULL;
    for (int i = 0; i < width; i++) {
        if (!walk_number(&w, &words[i], &powers[i]))
            return NULL;
    }
    if (!walk_ends(&w) ||
        !facet_four_scale(words, powers, e->data + (size_t)e->count * (size_t)width))
        return NULL;
    e->count++;
    return w.words.text + w.newline + 1;
}

/* Of the indices of faces, while many lines are parsed. */
typedef struct face_lanes {
    facet_four maxima[FACET_OBJ_KINDS], different[FACET_OBJ_KINDS];
} face_lanes;

static void commit_lanes(facet_obj_reader *r, const face_lanes *lanes)
{
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++) {
        uint32_t maxima[4], different[4];
        facet_four_store(maxima, lanes->maxima[kind]);
        facet_four_store(different, lanes->different[kind]);
        for (int i = 0; i < 4; i++) {
            r->maxima[kind] = maxima[i] > r->maxima[kind] ? maxima[i] : r->maxima[kind];
            r->different[kind] |= different[i];
        }
    }
}

/* The words of one corner. */
static FACET_ALWAYS_INLINE bool walk_corner(walk *w, uint64_t words[FACET_OBJ_KINDS][4], int corner,
                                            const bool has_texcoord, const bool has_normal)
{
    if (!walk_index(w, ' ', &words[FACET_OBJ_POSITION][corner]))
        return false;
    if (has_texcoord && !walk_index(w, '/', &words[FACET_OBJ_TEXCOORD][corner]))
        return false;
    if (has_normal && !has_texcoord) {
        if (w->words.text[w->words.at] != '/' || w->words.text[w->words.at + 1] != '/')
            return false;
        w->words.at = facet_walk_other(&w->words);
    }
    return !has_normal || walk_index(w, '/', &words[FACET_OBJ_NORMAL][corner]);
}

static FACET_ALWAYS_INLINE facet_four store_lanes(facet_obj_reader *r, face_lanes *lanes, int kind,
                                                  const uint64_t words[4], facet_four positions)
{
    facet_four indices = facet_four_add(facet_four_digits(words), facet_four_of(UINT32_MAX));
    facet_four_store(r->indices[kind] + r->corner_count, indices);
    lanes->maxima[kind] = facet_four_max(lanes->maxima[kind], indices);
    if (kind != FACET_OBJ_POSITION)
        lanes->different[kind] =
            facet_four_or_different(lanes->different[kind], indices, positions);
    return indices;
}

/* A triangle or quad whose corners all have the same form; NULL when it is none. */
static FACET_ALWAYS_INLINE const uint8_t *window_face(facet_obj_reader *r, walk w,
                                                      face_lanes *lanes, const bool has_texcoord,
                                                      const bool has_normal)
{
    uint64_t words[FACET_OBJ_KINDS][4];
    const uint32_t first = r->corner_count;
    uint32_t count = 3;
    if (r->corner_capacity - first < 4 || r->face_count == r->face_capacity ||
        (has_texcoord && !r->indices[FACET_OBJ_TEXCOORD]) ||
        (has_normal && !r->indices[FACET_OBJ_NORMAL]))
        return NULL;
    for (int corner = 0; corner < 3; corner++) {
        if (!walk_corner(&w, words, corner, has_texcoord, has_normal) ||
            (w.newline == NOT_SEEN && !next_window(&w)))
            return NULL;
    }
    if (w.words.text[w.words.at] == ' ') {
        count = 4;
        if (!r->offsets || !walk_corner(&w, words, 3, has_texcoord, has_normal))
            return NULL;
    } else { /* the fourth lane repeats another */
        for (int kind = 0; kind < FACET_OBJ_KINDS; kind++)
            words[kind][3] = words[kind][0];
    }
    if (!walk_ends(&w))
        return NULL;
    facet_four positions =
        store_lanes(r, lanes, FACET_OBJ_POSITION, words[FACET_OBJ_POSITION], facet_four_of(0));
    if (has_texcoord)
        store_lanes(r, lanes, FACET_OBJ_TEXCOORD, words[FACET_OBJ_TEXCOORD], positions);
    else
        fast_fill(r, FACET_OBJ_TEXCOORD, first, first + count);
    if (has_normal)
        store_lanes(r, lanes, FACET_OBJ_NORMAL, words[FACET_OBJ_NORMAL], positions);
    else
        fast_fill(r, FACET_OBJ_NORMAL, first, first + count);
    r->corner_count += count;
    r->face_count++;
    if (r->offsets)
        r->offsets[r->face_count] = r->corner_count;
    return w.words.text + w.newline + 1;
}

static FACET_ALWAYS_INLINE const uint8_t *window_face_as_before(facet_obj_reader *r, walk w,
                                                                face_lanes *lanes)
{
    if (r->face_has_texcoord)
        return r->face_has_normal ? window_face(r, w, lanes, true, true)
                                  : window_face(r, w, lanes, true, false);
    return r->face_has_normal ? window_face(r, w, lanes, false, true)
                              : window_face(r, w, lanes, false, false);
}

/* The line at `at`, if 64 bytes hold it but for its first, or of a face but for its first
 * corner; NULL when it is not plain. */
static FACET_ALWAYS_INLINE const uint8_t *window_line(facet_obj_reader *r, const uint8_t *at,
                                                      face_lanes *lanes)
{
    walk w = walk_from(at + 1);
    if (at[0] == 'f')
        return w.newline != NOT_SEEN || has_corner(&w) ? window_face_as_before(r, w, lanes) : NULL;
    if (at[0] != 'v' || w.newline == NOT_SEEN)
        return NULL;
    if (at[1] == ' ')
        return window_element(r, w, FACET_OBJ_POSITION, 3);
    w.words.at = 1;
    w.words.others &= ~UINT64_C(3);
    if (at[1] == 'n')
        return window_element(r, w, FACET_OBJ_NORMAL, 3);
    return at[1] == 't' ? window_element(r, w, FACET_OBJ_TEXCOORD, 2) : NULL;
}

/* -- Lines -------------------------------------------------------------- */

/* The same word by word. */
static FACET_ALWAYS_INLINE const uint8_t *fast_line(facet_obj_reader *r, const uint8_t *at)
{
    if (at[0] == 'f')
        return fast_face_as_before(r, at + 1);
    if (at[0] != 'v')
        return NULL;
    if (is_blank(at[1]))
        return fast_position(r, at + 1);
    if (at[1] == 't')
        return fast_element(r, at + 2, FACET_OBJ_TEXCOORD, 2);
    return at[1] == 'n' ? fast_element(r, at + 2, FACET_OBJ_NORMAL, 3) : NULL;
}

static FACET_ALWAYS_INLINE const uint8_t *run(facet_obj_reader *r, const uint8_t *at,
                                              const uint8_t *limit)
{
    face_lanes lanes;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++)
        lanes.maxima[kind] = lanes.different[kind] = facet_four_of(0);
    while ((at = facet_obj_run_shapes(r, at, limit)) < limit) {
        const uint8_t *next = window_line(r, at, &lanes);
        if (!next)
            next = fast_line(r, at);
        if (!next)
            break;
        facet_obj_learn_shape(r, at, next);
        at = next;
    }
    commit_lanes(r, &lanes);
    return at;
}

static FACET_WIDE const uint8_t *run_wide(facet_obj_reader *r, const uint8_t *at,
                                          const uint8_t *limit)
{
    return run(r, at, limit);
}

static const uint8_t *run_plain(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit)
{
    return run(r, at, limit);
}

const uint8_t *facet_obj_run_fast(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit)
{
    return facet_is_wide() ? run_wide(r, at, limit) : run_plain(r, at, limit);
}

/* -- Blocks ------------------------------------------------------------- */

const uint8_t *facet_obj_run_plain(facet_obj_reader *r, const uint8_t *at, const uint8_t *limit)
{
    const uint8_t *copy, *end;
    while (at < limit &&
           (copy = facet_block_find(&r->block, at, FACET_OBJ_FAST_MARGIN + 1, &end)) != NULL) {
        ptrdiff_t reach = end - copy - FACET_OBJ_FAST_MARGIN, left = limit - at;
        const uint8_t *stop = copy + (left < reach ? left : reach);
        copy = facet_obj_run_fast(r, copy, stop);
        at = facet_block_place(&r->block, copy);
        if (copy < stop) {
            facet_block_note_odd(&r->block);
            return at;
        }
    }
    return at < limit ? facet_obj_run_fast(r, at, limit) : at;
}
