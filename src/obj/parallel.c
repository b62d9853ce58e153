/* obj/parallel.c - one large OBJ on several threads.
 *
 * The file is cut at line starts, and each thread parses the plain lines of its piece
 * (fast.c) into arrays of its own. Statements that hold no numbers (groups, materials) are
 * put off, with the count of faces before them. Afterwards the pieces are put together in
 * order, and whatever a thread did not understand is read by the full grammar then: what
 * comes out is the same to the last bit. */
#include "base/arena.h"
#include "base/file.h"
#include "base/threads.h"
#include "obj/shapes.h"

#include <string.h>

/* Smaller pieces are not worth a thread. */
#define LEAST_PIECE ((ptrdiff_t)2 << 20)
#define MOST_PIECES 16
/* Statements that a piece may put off. */
#define MOST_LATER 16384

typedef struct later {
    const uint8_t *line;
    uint32_t faces; /* of the piece, before it */
} later;

typedef struct piece {
    facet_obj_reader reader; /* what run_fast fills in; of the first piece the reader itself */
    facet_obj_reader *r;
    const uint8_t *begin, *stop, *end; /* parsed up to `stop` */
    later *later;
    uint32_t later_count;
} piece;

/* -- A piece ------------------------------------------------------------ */

static bool has_numbers(facet_text word)
{
    return facet_text_is(word, "v") || facet_text_is(word, "vt") || facet_text_is(word, "vn") ||
           facet_text_is(word, "f") || facet_text_is(word, "fo");
}

static void parse_piece(void *argument, size_t index)
{
    piece *p = (piece *)argument + index;
    const uint8_t *limit =
        p->r->end - p->end < FACET_OBJ_FAST_MARGIN ? p->r->end - FACET_OBJ_FAST_MARGIN : p->end;
    const uint8_t *kept = p->begin; /* what is before it may go */
    while (p->stop < limit) {
        const uint8_t *stop = limit - kept > FACET_OBJ_STRIDE ? kept + FACET_OBJ_STRIDE : limit;
        p->stop = facet_obj_run_plain(p->r, p->stop, stop);
        if (p->stop >= stop) {
            facet_source_forget(p->r->source, kept, p->stop);
            kept = p->stop;
            continue;
        }
        const uint8_t *at = facet_text_skip_blanks(p->stop, p->r->end);
        bool empty = facet_text_at_end(at, p->r->end);
        if (!empty && (p->later_count == MOST_LATER || has_numbers(facet_text_word(at, p->r->end))))
            return;
        if (!empty)
            p->later[p->later_count++] = (later){p->stop, p->r->face_count};
        p->stop = facet_text_next_line(at, p->r->end);
    }
}

/* -- Cutting ------------------------------------------------------------ */

/* The start of the first line behind `at` that continues none. */
static const uint8_t *next_start(const uint8_t *at, const uint8_t *end)
{
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        const uint8_t *before = at[-1] == '\r' ? at - 2 : at - 1;
        at++;
        if (*before != '\\')
            return at;
    }
    return end;
}

/* Some face of a piece, if there is one in a few windows of it. */
static bool find_face(const piece *p, facet_obj_faces *faces)
{
    enum { WINDOWS = 5, WINDOW = 16384 };
    for (ptrdiff_t i = 0; i < WINDOWS; i++) {
        const uint8_t *from = p->begin + (p->end - p->begin - WINDOW) / (WINDOWS - 1) * i;
        *faces = (facet_obj_faces){next_start(from + 1, p->end), from + WINDOW, NULL, NULL};
        if (faces->next < faces->end && facet_obj_next_face(faces))
            return true;
    }
    return false;
}

/* The form of a face of a piece, as the others will most likely have it. */
static facet_status learn_faces(facet_obj_reader *r, piece *p)
{
    facet_obj_faces faces;
    facet_obj_corner corner;
    uint32_t corners = 0;
    facet_status status = FACET_OK;
    if (!find_face(p, &faces))
        return FACET_OK;
    for (const uint8_t *at = faces.corners;
         (at = facet_obj_next_corner(at, faces.end, &corner)) != NULL; corners++) {
        p->r->face_has_texcoord = corner.index[FACET_OBJ_TEXCOORD] != 0;
        p->r->face_has_normal = corner.index[FACET_OBJ_NORMAL] != 0;
    }
    if (corners > 0 && p->r->face_has_texcoord && !r->indices[FACET_OBJ_TEXCOORD])
        status = facet_obj_begin_indices(r, FACET_OBJ_TEXCOORD);
    if (!status && corners > 0 && p->r->face_has_normal && !r->indices[FACET_OBJ_NORMAL])
        status = facet_obj_begin_indices(r, FACET_OBJ_NORMAL);
    if (!status && corners > 3 && !r->offsets)
        status = facet_obj_begin_offsets(r);
    return status;
}

/* Arrays of its own for a piece, as many as the reader has. False without memory. */
static bool give_arrays(const facet_obj_reader *r, piece *p)
{
    facet_obj_reader *own = &p->reader;
    facet_obj_amounts seem = facet_obj_estimate(r->source, p->begin, p->end);
    bool whole = true;
    own->corner_count = own->face_count = 0;
    own->corner_capacity = seem.corners;
    own->face_capacity = seem.faces;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++) {
        facet_obj_elements *e = &own->elements[kind];
        e->count = 0;
        e->capacity = seem.elements[kind];
        e->data = facet_arena_allocate(r->arena, e->capacity, e->width * sizeof(float));
        own->maxima[kind] = own->different[kind] = 0;
        if (r->indices[kind])
            own->indices[kind] = facet_arena_allocate(r->arena, seem.corners, sizeof(uint32_t));
        whole &= e->data && (own->indices[kind] || !r->indices[kind]);
    }
    if (r->offsets) {
        own->offsets = facet_arena_allocate(r->arena, (size_t)seem.faces + 1, sizeof(uint32_t));
        whole &= own->offsets != NULL;
        if (own->offsets)
            own->offsets[0] = 0;
    }
    return whole;
}

static void take_arrays(const facet_obj_reader *r, piece *p)
{
    facet_obj_reader *own = &p->reader;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++) {
        const facet_obj_elements *e = &own->elements[kind];
        facet_arena_release(r->arena, e->data, e->capacity, e->width * sizeof(float));
        facet_arena_release(r->arena, own->indices[kind], own->corner_capacity, sizeof(uint32_t));
    }
    facet_arena_release(r->arena, own->offsets, (size_t)own->face_capacity + 1, sizeof(uint32_t));
}

/* -- Putting together --------------------------------------------------- */

/* Space for what a piece has, once for all of it. */
static facet_status make_space(facet_obj_reader *r, const facet_obj_reader *own, const uint8_t *at)
{
    facet_status status = FACET_OK;
    for (int kind = 0; kind < FACET_OBJ_KINDS && !status; kind++) {
        facet_obj_elements *e = &r->elements[kind];
        while (!status && e->capacity - e->count < own->elements[kind].count)
            status = facet_obj_grow_elements(r, kind, at);
    }
    while (!status && r->corner_capacity - r->corner_count < own->corner_count)
        status = facet_obj_grow_corners(r, at);
    while (!status && r->face_capacity - r->face_count < own->face_count)
        status = facet_obj_grow_faces(r, at);
    return status;
}

/* A piece has no color and no depth, but the lines before it may have had one. */
static void fill_beside(facet_obj_reader *r, int kind, uint32_t count)
{
    size_t at = r->elements[kind].count;
    if (kind == FACET_OBJ_POSITION && r->colors) {
        for (size_t i = at * 3; i < (at + count) * 3; i++)
            r->colors[i] = 1;
        r->colorless += count;
    }
    if (kind == FACET_OBJ_TEXCOORD && r->depths)
        memset(r->depths + at, 0, count * sizeof *r->depths);
}

static facet_status append(facet_obj_reader *r, const piece *p)
{
    const facet_obj_reader *own = &p->reader;
    facet_status status = make_space(r, own, p->begin);
    if (status)
        return status;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++) {
        facet_obj_elements *e = &r->elements[kind];
        const facet_obj_elements *more = &own->elements[kind];
        memcpy(e->data + (size_t)e->count * e->width, more->data,
               (size_t)more->count * e->width * sizeof(float));
        fill_beside(r, kind, more->count);
        e->count += more->count;
        if (r->indices[kind])
            memcpy(r->indices[kind] + r->corner_count, own->indices[kind],
                   own->corner_count * sizeof(uint32_t));
        r->maxima[kind] = own->maxima[kind] > r->maxima[kind] ? own->maxima[kind] : r->maxima[kind];
        r->different[kind] |= own->different[kind];
    }
    for (uint32_t i = 1; r->offsets && i <= own->face_count; i++)
        r->offsets[r->face_count + i] = r->corner_count + own->offsets[i];
    r->corner_count += own->corner_count;
    r->face_count += own->face_count;
    r->face_has_texcoord = own->face_has_texcoord;
    r->face_has_normal = own->face_has_normal;
    return FACET_OK;
}

/* Statements that were put off, each where it stands among the faces. */
static facet_status run_later(facet_obj_reader *r, const piece *p, uint32_t faces_before)
{
    uint32_t faces = r->face_count;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < p->later_count && !status; i++) {
        const uint8_t *next;
        r->face_count = faces_before + p->later[i].faces;
        status = facet_obj_run_statement(r, p->later[i].line, &next);
    }
    r->face_count = faces;
    return status;
}

/* -- All of it ---------------------------------------------------------- */

static bool begin_piece(facet_obj_reader *r, piece *p, bool first)
{
    p->later = facet_arena_allocate(r->scratch, MOST_LATER, sizeof *p->later);
    p->stop = p->begin;
    if (first || !p->later)
        return p->later != NULL;
    bool has_texcoord = p->r->face_has_texcoord, has_normal = p->r->face_has_normal;
    p->reader = *r;
    p->reader.shapes = facet_obj_make_shapes(r->scratch, (size_t)(p->end - p->begin));
    facet_obj_make_block(&p->reader);
    p->r = &p->reader;
    p->reader.face_has_texcoord = has_texcoord;
    p->reader.face_has_normal = has_normal;
    memset(p->reader.indices, 0, sizeof p->reader.indices);
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++)
        p->reader.elements[kind].data = NULL;
    p->reader.offsets = NULL;
    return give_arrays(r, p);
}

static uint32_t cut(facet_obj_reader *r, const uint8_t *at, piece *pieces)
{
    uint32_t count = facet_thread_count(r->options), used = 0;
    ptrdiff_t left = r->end - at;
    count = count < MOST_PIECES ? count : MOST_PIECES;
    if (left / LEAST_PIECE < (ptrdiff_t)count)
        count = (uint32_t)(left / LEAST_PIECE);
    for (uint32_t i = 0; i < count && at < r->end; i++) {
        const uint8_t *aim = r->end - left + left / (ptrdiff_t)count * (ptrdiff_t)(i + 1);
        const uint8_t *end = i + 1 == count || aim <= at ? r->end : next_start(aim, r->end);
        pieces[used] = (piece){.begin = at, .end = end};
        pieces[used].r = used == 0 ? r : &pieces[used].reader;
        used++;
        at = end;
    }
    return used;
}

facet_status facet_obj_run_pieces(facet_obj_reader *r, const uint8_t **at)
{
    piece pieces[MOST_PIECES];
    uint32_t count = r->colors || r->depths ? 0 : cut(r, *at, pieces);
    facet_status status = FACET_OK;
    bool whole = count > 1;
    if (!whole)
        return FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++)
        status = learn_faces(r, &pieces[i]);
    for (uint32_t i = 0; i < count && whole && !status; i++)
        whole = begin_piece(r, &pieces[i], i == 0);
    uint32_t faces_before = r->face_count;
    if (whole && !status)
        facet_run(r->options, parse_piece, pieces, count);
    for (uint32_t i = 0; i < count && whole && !status; i++) {
        piece *p = &pieces[i];
        if (i > 0) {
            faces_before = r->face_count;
            status = append(r, p);
            take_arrays(r, p);
        }
        if (!status)
            status = run_later(r, p, faces_before);
        if (!status)
            status = facet_obj_run_lines(r, p->stop, p->end);
        *at = p->end;
    }
    for (uint32_t i = 1; i < count && !whole; i++) {
        if (pieces[i].later)
            take_arrays(r, &pieces[i]);
    }
    return status;
}
