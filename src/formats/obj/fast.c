/* formats/obj/fast.c - a fast parser for the common spelling of lines: single blanks, plain
 * numbers, and faces of few corners of one form.
 *
 * There are three methods, tried in turn:
 * 1. Lines similar to an earlier one are read by their shape (shapes.c), on processors with wide
 * vectors.
 * 2. A line within a window of 64 bytes is split into words by the bits of the window, and words
 * are converted four at a time. A face can have a second window after its first corner. The start
 * of the next line is known early, so the processor works on several lines at once.
 * 3. Other lines are parsed word by word. */
#include "base/lanes.h"
#include "formats/obj/shapes.h"

/* Maximum number of consecutive blanks. */
#define FAST_BLANKS 3
/* Maximum number of corners of a face. */
#define FAST_CORNERS 8

static FACET_ALWAYS_INLINE bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t';
}

/* Skip one or a few blanks; NULL without a blank. */
static FACET_ALWAYS_INLINE const uint8_t *fast_blanks(const uint8_t *at)
{
    if (!is_blank(*at))
        return NULL;
    at++;
    for (int i = 1; i < FAST_BLANKS && is_blank(*at); i++)
        at++;
    return at;
}

/* Start of the next line; NULL if this line is not at its end. */
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

/* Read `count` numbers; NULL if they are not plain. */
static FACET_ALWAYS_INLINE const uint8_t *fast_numbers(const uint8_t *at, float *values, int count)
{
    for (int i = 0; i < count; i++) {
        at = fast_blanks(at);
        if (!at || !(at = facet_number_fast(at, &values[i])))
            return NULL;
    }
    return at;
}

/* Read a "v" line, from its second byte. */
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

/* Read a "vt" or "vn" line, from its third byte. */
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

/* Read an index of at most 8 digits at `at`, less 1. The lowest bit of `ends`, relative to `base`,
 * is its end. 0 becomes UINT32_MAX, which the test of the maxima rejects later. Returns the end. */
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

/* State that face lines change. It is in registers while a face is parsed. */
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

/* Fill the corners of a face that has no indices of this kind, if other faces have them. */
static FACET_ALWAYS_INLINE void fast_fill(facet_obj_reader *r, int kind, uint32_t first,
                                          uint32_t end)
{
    r->different[kind] = 1;
    for (uint32_t i = first; r->indices[kind] && i < end; i++)
        r->indices[kind][i] = FACET_NONE;
}

/* Read a face whose corners have the same form, from its second byte. */
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

/* Read a face of the same form as the previous one. read_face finds a new form. */
static FACET_ALWAYS_INLINE const uint8_t *fast_face_as_before(facet_obj_reader *r,
                                                              const uint8_t *at)
{
    if (r->face_has_texcoord)
        return r->face_has_normal ? fast_face(r, at, true, true) : fast_face(r, at, true, false);
    return r->face_has_normal ? fast_face(r, at, false, true) : fast_face(r, at, false, false);
}

/* -- Lines in a window -------------------------------------------------- */

/* A line and the position of its line feed: its words end before it. */
typedef struct walk {
    facet_digit_scanner words;
    size_t newline;
} walk;

/* Position if the line feed is beyond the window. */
#define NOT_SEEN 64

/* Start at `at` in a line, after the byte that ended the last word. */
static FACET_ALWAYS_INLINE walk walk_from(const uint8_t *at)
{
    facet_window window = facet_window_of(at);
    size_t newline = window.newlines == 0 ? NOT_SEEN : facet_lowest_bit(window.newlines);
    return (walk){{at, 0, window.others & ~UINT64_C(1)}, newline};
}

/* Move the window to the end of the last word; false if the line is longer than that. */
static FACET_ALWAYS_INLINE bool next_window(walk *w)
{
    *w = walk_from(w->words.text + w->words.at);
    return w->newline != NOT_SEEN;
}

/* True if the window has the ends of all words of a corner. */
static FACET_ALWAYS_INLINE bool has_corner(const walk *w)
{
    uint64_t others = w->words.others & (w->words.others - 1);
    return (others & (others - 1)) != 0;
}

/* True at the end of the line. */
static FACET_ALWAYS_INLINE bool walk_ends(const walk *w)
{
    const facet_digit_scanner *words = &w->words;
    return words->at == w->newline ||
           (words->text[words->at] == '\r' && words->at + 1 == w->newline);
}

/* Read the next number, after a blank. */
static FACET_ALWAYS_INLINE bool walk_number(walk *w, uint64_t *word, double *power)
{
    return w->words.text[w->words.at] == ' ' && facet_digit_scanner_number(&w->words, word, power);
}

/* Read the next index, after the byte `before`. */
static FACET_ALWAYS_INLINE bool walk_index(walk *w, uint8_t before, uint64_t *word)
{
    return w->words.text[w->words.at] == before && facet_digit_scanner_index(&w->words, word);
}

/* Read a "v", "vt" or "vn" line of `width` numbers; NULL if it is not plain. */
static FACET_ALWAYS_INLINE const uint8_t *window_element(facet_obj_reader *r, walk w, int kind,
                                                         int width)
{
    facet_obj_elements *e = &r->elements[kind];
    const float *beside = kind == FACET_OBJ_POSITION ? r->colors : r->depths;
    uint64_t words[4] = {0};
    double powers[4] = {0};
    /* Four floats are written, which overlaps the next element: it must have space. */
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

/* Maxima and differences of face indices, while many lines are parsed. */
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

/* Read the words of one corner. */
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
        w->words.at = facet_digit_scanner_next(&w->words);
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

/* Read a triangle or quad whose corners have the same form; NULL if the line is not one. */
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
    } else { /* repeat a corner in the fourth lane */
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

/* Read the line at `at` if it fits into 64 bytes, without its first byte (or a face's first
 * corner). NULL if it is not plain. */
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

/* Read a line word by word. */
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
        at = facet_block_original(&r->block, copy);
        if (copy < stop) {
            facet_block_note_odd(&r->block);
            return at;
        }
    }
    return at < limit ? facet_obj_run_fast(r, at, limit) : at;
}
