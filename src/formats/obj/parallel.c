/* formats/obj/parallel.c - reading of one large OBJ on several threads.
 *
 * The file is cut at line starts. Each thread parses the plain lines of its piece (fast.c) into its
 * part of the reader's arrays. The size of a part is estimated. Statements without numbers (groups,
 * materials) are postponed, with the number of faces before them. Finally the parts move together,
 * and lines that a thread did not parse are read by the full grammar. The result is the same to the
 * last bit. */
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/threads.h"
#include "formats/obj/shapes.h"

#include <string.h>

/* Minimum size of a piece, except in fuzzing. */
#ifndef FACET_OBJ_LEAST_PIECE
#define FACET_OBJ_LEAST_PIECE ((ptrdiff_t)2 << 20)
#endif
#define MAX_PIECES 16
/* Maximum number of postponed statements per piece. */
#define MAX_LATER 16384

typedef struct later {
    const uint8_t *line;
    uint32_t faces; /* number of the piece's faces before the statement */
} later;

typedef struct piece {
    facet_obj_reader reader; /* filled by run_fast; the reader itself for the first piece */
    facet_obj_reader *r;
    const uint8_t *begin, *stop, *end; /* parsed up to `stop` */
    facet_obj_amounts seem;            /* estimated amounts, which give the size of its part */
    later *later;
    uint32_t later_count;
    uint32_t faces_before; /* faces of the file before the piece */
} piece;

/* -- Pieces ------------------------------------------------------------ */

static bool has_numbers(facet_text word)
{
    return facet_text_is(word, "v") || facet_text_is(word, "vt") || facet_text_is(word, "vn") ||
           facet_text_is(word, "f") || facet_text_is(word, "fo") || facet_text_is(word, "l") ||
           facet_text_is(word, "p");
}

static void parse_piece(void *argument, size_t index)
{
    piece *p = (piece *)argument + index;
    const uint8_t *limit =
        p->r->end - p->end < FACET_OBJ_FAST_MARGIN ? p->r->end - FACET_OBJ_FAST_MARGIN : p->end;
    const uint8_t *kept = p->begin; /* pages before it can be released */
    while (p->stop < limit) {
        const uint8_t *stop = limit - kept > FACET_OBJ_STRIDE ? kept + FACET_OBJ_STRIDE : limit;
        p->stop = facet_obj_run_plain(p->r, p->stop, stop);
        if (p->stop >= stop) {
            facet_source_forget(p->r->source, kept, p->stop);
            kept = p->stop;
            continue;
        }
        const uint8_t *at = facet_text_skip_blanks(p->stop, p->r->end);
        bool empty = facet_text_at_end(at, p->r->end) && !facet_obj_is_painted(at, p->r->end);
        if (!empty && (p->later_count == MAX_LATER || has_numbers(facet_text_word(at, p->r->end))))
            return;
        if (!empty)
            p->later[p->later_count++] = (later){p->stop, p->r->face_count};
        p->stop = facet_text_next_line(at, p->r->end);
    }
}

/* -- Cutting ------------------------------------------------------------ */

/* Start of the first line after `at` that is not a continuation. `begin`, before `at`, is a line
 * start. */
static const uint8_t *next_start(const uint8_t *begin, const uint8_t *at, const uint8_t *end)
{
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        const uint8_t *before = at - begin > 1 && at[-1] == '\r' ? at - 2 : at - 1;
        at++;
        while (before > begin && facet_text_is_blank(*before))
            before--;
        if (*before != '\\')
            return at;
    }
    return end;
}

/* Find a face in the first windows of a piece; false if they have none. */
static bool find_face(const piece *p, facet_obj_faces *faces)
{
    enum { WINDOWS = 5, WINDOW = 16384 };
    ptrdiff_t size = p->end - p->begin, window = size < WINDOW ? size : WINDOW;
    for (ptrdiff_t i = 0; i < WINDOWS; i++) {
        const uint8_t *from = p->begin + (size - window) / (WINDOWS - 1) * i;
        *faces =
            (facet_obj_faces){next_start(p->begin, from + 1, p->end), from + window, NULL, NULL};
        if (faces->next < faces->end && facet_obj_next_face(faces))
            return true;
    }
    return false;
}

/* Find the form of a piece's faces, which is probably the same for all. */
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

/* -- Space -------------------------------------------------------------- */

static uint32_t sum(uint32_t a, uint32_t b)
{
    return b < FACET_OBJ_MAX - a ? a + b : FACET_OBJ_MAX;
}

/* Reserve adjacent parts for the estimated amounts of all pieces. False if an array would exceed
 * its maximum count. */
static bool estimate_pieces(const facet_obj_reader *r, piece *pieces, uint32_t count,
                            facet_obj_amounts *all)
{
    *all = (facet_obj_amounts){{0, 0, 0}, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        facet_obj_amounts *seem = &pieces[i].seem;
        *seem = facet_obj_estimate(r->source, pieces[i].begin, pieces[i].end);
        for (int kind = 0; kind < FACET_OBJ_KINDS; kind++)
            all->elements[kind] = sum(all->elements[kind], seem->elements[kind]);
        all->corners = sum(all->corners, seem->corners);
        all->faces = sum(all->faces, sum(seem->faces, 1)); /* one more offset than faces */
    }
    bool fits = all->corners < FACET_OBJ_MAX && all->faces < FACET_OBJ_MAX;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++)
        fits &= all->elements[kind] < FACET_OBJ_MAX;
    return fits;
}

/* Let a piece's part of the arrays begin after that of the previous piece. */
static void give_part(piece *p, const piece *before)
{
    facet_obj_reader *own = &p->reader;
    const facet_obj_reader *last = before->r;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++) {
        const facet_obj_elements *e = &last->elements[kind];
        own->elements[kind] = (facet_obj_elements){e->data + (size_t)e->capacity * e->width, 0,
                                                   p->seem.elements[kind], e->width};
        own->indices[kind] =
            last->indices[kind] ? last->indices[kind] + last->corner_capacity : NULL;
        own->maxima[kind] = own->different[kind] = 0;
    }
    own->offsets = last->offsets ? last->offsets + last->face_capacity + 1 : NULL;
    if (own->offsets)
        own->offsets[0] = 0;
    own->corner_count = own->face_count = 0;
    own->corner_capacity = p->seem.corners;
    own->face_capacity = p->seem.faces;
}

static void set_capacities(facet_obj_reader *r, const facet_obj_amounts *amounts)
{
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++)
        r->elements[kind].capacity = amounts->elements[kind];
    r->corner_capacity = amounts->corners;
    r->face_capacity = amounts->faces;
}

/* -- Moving together ---------------------------------------------------- */

/* The arrays: elements of each kind, indices of each kind, and offsets. */
enum { ELEMENT_ARRAYS = 0, INDEX_ARRAYS = FACET_OBJ_KINDS, OFFSETS = 2 * FACET_OBJ_KINDS, ARRAYS };

typedef struct moving {
    piece *pieces;
    uint32_t count;
} moving;

/* Move offsets, adding the corners of previous pieces. A piece without offsets has triangles. */
static void move_offsets(uint32_t *to, const uint32_t *from, uint32_t count, uint32_t corners)
{
    for (uint32_t i = 1; to && i <= count; i++)
        to[i] = corners + (from ? from[i] : i * 3);
}

/* Move indices. A piece without indices has FACET_NONE at its corners. */
static void move_indices(uint32_t *to, const uint32_t *from, uint32_t count)
{
    if (to && from && count > 0)
        memmove(to, from, count * sizeof *to);
    else if (to)
        memset(to, 0xFF, count * sizeof *to);
}

static void move_values(void *to, const void *from, size_t count, size_t size)
{
    if (count > 0)
        memmove(to, from, count * size);
}

static void move_array(void *argument, size_t array)
{
    const moving *m = argument;
    const facet_obj_reader *r = m->pieces->r;
    int kind = (int)(array % FACET_OBJ_KINDS);
    const facet_obj_elements *e = &r->elements[kind];
    uint32_t elements = e->count, corners = r->corner_count, faces = r->face_count;
    for (uint32_t i = 1; i < m->count; i++) {
        const facet_obj_reader *own = &m->pieces[i].reader;
        const facet_obj_elements *more = &own->elements[kind];
        if (array == OFFSETS)
            move_offsets(r->offsets ? r->offsets + faces : NULL, own->offsets, own->face_count,
                         corners);
        else if (array >= INDEX_ARRAYS)
            move_indices(r->indices[kind] ? r->indices[kind] + corners : NULL, own->indices[kind],
                         own->corner_count);
        else
            move_values(e->data + (size_t)elements * e->width, more->data, more->count,
                        e->width * sizeof(float));
        elements += more->count;
        corners += own->corner_count;
        faces += own->face_count;
    }
}

/* Add a piece's counts to the reader. */
static void take_counts(facet_obj_reader *r, piece *p)
{
    const facet_obj_reader *own = &p->reader;
    p->faces_before = r->face_count;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++) {
        r->elements[kind].count += own->elements[kind].count;
        r->maxima[kind] = own->maxima[kind] > r->maxima[kind] ? own->maxima[kind] : r->maxima[kind];
        bool lacks = r->indices[kind] && !own->indices[kind] && own->corner_count > 0;
        r->different[kind] |= own->different[kind] | lacks;
    }
    r->corner_count += own->corner_count;
    r->face_count += own->face_count;
    r->face_has_texcoord = own->face_has_texcoord;
    r->face_has_normal = own->face_has_normal;
}

/* Move the parts of pieces together. All pieces, except possibly the last, are parsed
 * completely. */
static void move_together(facet_obj_reader *r, piece *pieces, uint32_t count)
{
    moving m = {pieces, count};
    facet_run(r->options, move_array, &m, ARRAYS);
    for (uint32_t i = 1; i < count; i++)
        take_counts(r, &pieces[i]);
}

/* -- After an incomplete piece ----------------------------------------- */

/* Copy a piece to separate arrays, because the lines before it will overwrite its part. */
static facet_status move_apart(facet_obj_reader *r, piece *p)
{
    facet_obj_reader *own = &p->reader;
    bool whole = true;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++) {
        facet_obj_elements *e = &own->elements[kind];
        const float *values = e->data;
        const uint32_t *indices = own->indices[kind];
        e->data = facet_arena_allocate(r->scratch, e->count, e->width * sizeof(float));
        if (e->data)
            move_values(e->data, values, e->count, e->width * sizeof(float));
        if (indices)
            own->indices[kind] =
                facet_arena_allocate(r->scratch, own->corner_count, sizeof *indices);
        if (indices && own->indices[kind])
            move_values(own->indices[kind], indices, own->corner_count, sizeof *indices);
        whole &= e->data && (!indices || own->indices[kind]);
    }
    const uint32_t *offsets = own->offsets;
    if (offsets)
        own->offsets =
            facet_arena_allocate(r->scratch, (size_t)own->face_count + 1, sizeof *offsets);
    if (offsets && own->offsets)
        move_values(own->offsets, offsets, (size_t)own->face_count + 1, sizeof *offsets);
    whole &= !offsets || own->offsets;
    return whole ? FACET_OK : facet_obj_no_memory(r);
}

/* Make space once for all data of a piece. */
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

/* Fill colors and depths for a piece, if earlier lines have some: a piece has none. */
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

/* Append a piece that was copied to separate arrays. */
static facet_status append(facet_obj_reader *r, piece *p)
{
    TRY(make_space(r, &p->reader, p->begin));
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++)
        fill_beside(r, kind, p->reader.elements[kind].count);
    piece both[2] = {{.r = r}, *p};
    moving m = {both, 2};
    for (size_t array = 0; array < ARRAYS; array++)
        move_array(&m, array);
    take_counts(r, p);
    return FACET_OK;
}

/* -- Merging ----------------------------------------------------------- */

/* Run postponed statements, each at its position among the faces. */
static facet_status run_later(facet_obj_reader *r, const piece *p)
{
    uint32_t faces = r->face_count;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < p->later_count && !status; i++) {
        const uint8_t *next;
        r->face_count = p->faces_before + p->later[i].faces;
        status = facet_obj_run_statement(r, p->later[i].line, &next);
    }
    r->face_count = faces;
    return status;
}

static bool begin_piece(facet_obj_reader *r, piece *p, const piece *before)
{
    p->later = facet_arena_allocate(r->scratch, MAX_LATER, sizeof *p->later);
    p->stop = p->begin;
    if (!before) {
        set_capacities(r, &p->seem);
        return p->later != NULL;
    }
    bool has_texcoord = p->r->face_has_texcoord, has_normal = p->r->face_has_normal;
    p->reader = *r;
    p->reader.shapes = facet_obj_make_shapes(r->scratch, (size_t)(p->end - p->begin));
    facet_obj_make_block(&p->reader);
    p->r = &p->reader;
    p->reader.face_has_texcoord = has_texcoord;
    p->reader.face_has_normal = has_normal;
    give_part(p, before);
    return p->later != NULL;
}

static uint32_t cut(facet_obj_reader *r, const uint8_t *at, piece *pieces)
{
    uint32_t count = facet_thread_count(r->options), used = 0;
    ptrdiff_t left = r->end - at;
    count = count < MAX_PIECES ? count : MAX_PIECES;
    if (left / FACET_OBJ_LEAST_PIECE < (ptrdiff_t)count)
        count = (uint32_t)(left / FACET_OBJ_LEAST_PIECE);
    for (uint32_t i = 0; i < count && at < r->end; i++) {
        const uint8_t *aim = r->end - left + left / (ptrdiff_t)count * (ptrdiff_t)(i + 1);
        const uint8_t *end = i + 1 == count || aim <= at ? r->end : next_start(at, aim, r->end);
        pieces[used] = (piece){.begin = at, .end = end};
        pieces[used].r = used == 0 ? r : &pieces[used].reader;
        used++;
        at = end;
    }
    return used;
}

/* Merge the pieces into the reader in order, and read the lines that they skipped. */
static facet_status put_together(facet_obj_reader *r, piece *pieces, uint32_t count)
{
    uint32_t together = 1;
    facet_status status = FACET_OK;
    while (together < count && pieces[together - 1].stop == pieces[together - 1].end)
        together++;
    for (uint32_t i = together; i < count && !status; i++)
        status = move_apart(r, &pieces[i]);
    move_together(r, pieces, together);
    for (uint32_t i = 0; i < count && !status; i++) {
        if (i >= together)
            status = append(r, &pieces[i]);
        if (!status)
            status = run_later(r, &pieces[i]);
        if (!status)
            status = facet_obj_run_lines(r, pieces[i].stop, pieces[i].end);
    }
    return status;
}

static facet_status run_pieces(facet_obj_reader *r, const uint8_t **at, piece *pieces)
{
    uint32_t count = cut(r, *at, pieces);
    facet_obj_amounts all;
    if (count < 2 || !estimate_pieces(r, pieces, count, &all))
        return facet_obj_make_space(r, NULL);
    facet_status status = facet_obj_make_space(r, &all);
    for (uint32_t i = 0; i < count && !status; i++)
        status = learn_faces(r, &pieces[i]);
    bool begun = !status;
    for (uint32_t i = 0; i < count && begun; i++)
        begun = begin_piece(r, &pieces[i], i > 0 ? &pieces[i - 1] : NULL);
    if (begun)
        facet_run(r->options, parse_piece, pieces, count);
    set_capacities(r, &all);
    if (begun) {
        *at = pieces[count - 1].end;
        status = put_together(r, pieces, count);
    }
    return status;
}

facet_status facet_obj_run_pieces(facet_obj_reader *r, const uint8_t **at)
{
    piece *pieces = facet_arena_allocate(r->scratch, MAX_PIECES, sizeof *pieces);
    return pieces ? run_pieces(r, at, pieces) : facet_fail_arena(r->scratch, r->error);
}
