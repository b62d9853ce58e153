/* formats/obj/reader.c - shared functions of the reader: errors with line numbers, and space for
 * data. */
#include "formats/obj/reader.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <inttypes.h>
#include <string.h>

const char *const facet_obj_kind_names[FACET_OBJ_KINDS] = {"vertex", "texture coordinate",
                                                           "normal"};

/* -- Errors ------------------------------------------------------------- */

uint64_t facet_obj_line_of(facet_obj_reader *r, const uint8_t *at)
{
    bool is_after = r->counted && at >= r->counted;
    uint64_t line = facet_text_line_number(is_after ? r->counted : r->source->data, at);
    r->counted_line = is_after ? r->counted_line + line - 1 : line;
    r->counted = at;
    return r->counted_line;
}

facet_status facet_obj_fail(facet_obj_reader *r, facet_status status, const char *rule,
                            const uint8_t *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(r->error, status, rule, FACET_NO_OFFSET, facet_obj_line_of(r, at), format,
                 arguments);
    va_end(arguments);
    return status;
}

facet_status facet_obj_no_memory(facet_obj_reader *r)
{
    return facet_fail_arena(r->arena, r->error);
}

/* -- Space --------------------------------------------------------------- */

/* Store a capacity above `capacity` in *grown; FACET_ERROR_LIMIT at the maximum. */
static facet_status larger(facet_obj_reader *r, uint32_t capacity, const uint8_t *at,
                           uint32_t *grown)
{
    if (capacity >= FACET_OBJ_MAX)
        return facet_obj_fail(r, FACET_ERROR_LIMIT, "OBJ-LIMIT", at,
                              "there are more than %" PRIu32 " elements of one kind",
                              FACET_OBJ_MAX);
    uint32_t more = capacity / 2 + 16;
    *grown = more < FACET_OBJ_MAX - capacity ? capacity + more : FACET_OBJ_MAX;
    return FACET_OK;
}

facet_status facet_obj_resize(facet_obj_reader *r, facet_arena *arena, void **block,
                              uint32_t old_count, uint32_t new_count, size_t size)
{
    void *resized = facet_arena_resize(arena, *block, old_count, new_count, size);
    if (!resized)
        return facet_obj_no_memory(r);
    *block = resized;
    return FACET_OK;
}

/* Make space for one more item in a list of the scratch arena. */
facet_status facet_obj_space(facet_obj_reader *r, void **items, uint32_t count, uint32_t *capacity,
                             size_t size, const uint8_t *at)
{
    if (count < *capacity)
        return FACET_OK;
    uint32_t grown = 0;
    facet_status status = larger(r, *capacity, at, &grown);
    if (!status)
        status = facet_obj_resize(r, r->scratch, items, *capacity, grown, size);
    if (!status)
        *capacity = grown;
    return status;
}

facet_status facet_obj_space_for_element(facet_obj_reader *r, int kind, const uint8_t *at)
{
    const facet_obj_elements *e = &r->elements[kind];
    return e->count < e->capacity ? FACET_OK : facet_obj_grow_elements(r, kind, at);
}

facet_status facet_obj_grow_elements(facet_obj_reader *r, int kind, const uint8_t *at)
{
    facet_obj_elements *e = &r->elements[kind];
    uint32_t grown = 0;
    facet_status status = larger(r, e->capacity, at, &grown);
    float **beside = kind == FACET_OBJ_POSITION ? &r->colors : &r->depths;
    uint32_t width = kind == FACET_OBJ_POSITION ? 3 : 1;
    if (!status && kind != FACET_OBJ_NORMAL && *beside)
        status = facet_obj_resize(r, r->arena, (void **)beside, e->capacity, grown,
                                  width * sizeof(float));
    if (!status)
        status = facet_obj_resize(r, r->arena, (void **)&e->data, e->capacity, grown,
                                  e->width * sizeof(float));
    /* If the second resize fails, reading ends, and the capacities are not used again. */
    e->capacity = grown;
    return status;
}

facet_status facet_obj_space_for_corner(facet_obj_reader *r, const uint8_t *at)
{
    return r->corner_count < r->corner_capacity ? FACET_OK : facet_obj_grow_corners(r, at);
}

facet_status facet_obj_grow_corners(facet_obj_reader *r, const uint8_t *at)
{
    uint32_t grown = 0;
    facet_status status = larger(r, r->corner_capacity, at, &grown);
    for (int kind = 0; kind < FACET_OBJ_KINDS && !status; kind++) {
        if (r->indices[kind] || kind == FACET_OBJ_POSITION)
            status = facet_obj_resize(r, r->arena, (void **)&r->indices[kind], r->corner_capacity,
                                      grown, sizeof(uint32_t));
    }
    r->corner_capacity = grown;
    return status;
}

facet_status facet_obj_space_for_face(facet_obj_reader *r, const uint8_t *at)
{
    return r->face_count < r->face_capacity ? FACET_OK : facet_obj_grow_faces(r, at);
}

facet_status facet_obj_grow_faces(facet_obj_reader *r, const uint8_t *at)
{
    uint32_t grown = 0;
    facet_status status = larger(r, r->face_capacity, at, &grown);
    if (!status && r->offsets)
        status = facet_obj_resize(r, r->arena, (void **)&r->offsets, r->face_capacity + 1,
                                  grown + 1, sizeof(uint32_t));
    r->face_capacity = grown;
    return status;
}

/* -- Blocks ------------------------------------------------------------ */

#define BLOCK ((size_t)256 << 10)

void facet_obj_make_block(facet_obj_reader *r)
{
    uint8_t *bytes = NULL;
    if (facet_source_is_mapped(r->source))
        bytes = facet_arena_allocate(r->scratch, BLOCK, 1);
    r->block = facet_block_make(r->source, bytes, BLOCK);
}

/* -- Estimates ---------------------------------------------------------- */

/* Counts of a part of the file. */
typedef struct sample {
    uint64_t elements[FACET_OBJ_KINDS], corners, faces;
    uint64_t bytes; /* bytes that were counted */
} sample;

/* Count lines by their first letters, and words on face lines, between two line starts. Unusual
 * spellings can be missed: arrays grow if necessary. */
static void count_lines(sample *c, const uint8_t *at, const uint8_t *end)
{
    c->bytes += (uint64_t)(end - at);
    while (end - at > 2) {
        const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));
        const uint8_t *line_end = newline ? newline : end;
        if (at[0] == 'v') {
            c->elements[FACET_OBJ_POSITION] += facet_text_is_blank(at[1]);
            c->elements[FACET_OBJ_TEXCOORD] += at[1] == 't';
            c->elements[FACET_OBJ_NORMAL] += at[1] == 'n';
        } else if (at[0] == 'f') {
            c->faces++;
            for (const uint8_t *p = at + 1; p < line_end - 1; p++)
                c->corners += facet_text_is_blank(p[0]) & (p[1] > ' ');
        }
        at = newline ? newline + 1 : end;
    }
}

#define WINDOWS 256
#define WINDOW ((size_t)1024)

/* Scale a count to `size` bytes, and add `margin`. */
static uint32_t scaled(const sample *c, uint64_t count, uint64_t size, double margin)
{
    double estimate = (double)count;
    if (c->bytes < size)
        estimate = estimate * ((double)size / (double)c->bytes) * 1.06 + 1024 + margin;
    return estimate < FACET_OBJ_MAX ? (uint32_t)estimate : FACET_OBJ_MAX;
}

/* Margin for the error of sampling: lines of one kind are adjacent, and their start and end are
 * only known to the next window. So it is twice the lines between two windows. Unused space costs
 * no memory; too little costs a copy, or a thread the rest of its piece. */
static double lines_between_windows(const sample *c, uint64_t size)
{
    uint64_t lines = c->faces;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++)
        lines += c->elements[kind];
    return 2 * ((double)size / WINDOWS) * (double)lines / (double)c->bytes;
}

/* Estimate the amounts. Small files are counted; large files are sampled in windows at equal
 * distances. */
facet_obj_amounts facet_obj_estimate(const facet_source *source, const uint8_t *start,
                                     const uint8_t *end)
{
    sample c = {{0}, 0, 0, 0};
    size_t size = (size_t)(end - start);
    if (size <= 4 * WINDOWS * WINDOW) {
        count_lines(&c, start, end);
        c.bytes = size;
    } else {
        for (size_t i = 0; i < WINDOWS; i++) {
            const uint8_t *at = start + (size - WINDOW) / (WINDOWS - 1) * i;
            uint8_t window[WINDOW];
            facet_source_copy(source, (size_t)(at - source->data), window, WINDOW);
            const uint8_t *from = memchr(window, '\n', WINDOW), *to = window + WINDOW;
            if (!from)
                continue;
            while (to[-1] != '\n')
                to--;
            count_lines(&c, from + 1, to);
        }
    }
    if (c.bytes == 0)
        c.bytes = size; /* no line end found: nothing counted */
    facet_obj_amounts result;
    double margin = size > 0 ? lines_between_windows(&c, size) : 0;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++)
        result.elements[kind] = scaled(&c, c.elements[kind], size, margin);
    result.corners = scaled(&c, c.corners, size, margin * 4);
    result.faces = scaled(&c, c.faces, size, margin);
    return result;
}

facet_status facet_obj_make_space(facet_obj_reader *r, const facet_obj_amounts *amounts)
{
    facet_obj_amounts seem = amounts ? *amounts : facet_obj_estimate(r->source, r->start, r->end);
    facet_status status = FACET_OK;
    for (int kind = 0; kind < FACET_OBJ_KINDS && !status; kind++) {
        facet_obj_elements *e = &r->elements[kind];
        e->width = kind == FACET_OBJ_TEXCOORD ? 2 : 3;
        e->capacity = seem.elements[kind];
        status = facet_obj_resize(r, r->arena, (void **)&e->data, 0, e->capacity,
                                  e->width * sizeof(float));
    }
    r->corner_capacity = seem.corners;
    r->face_capacity = seem.faces;
    if (!status)
        status = facet_obj_resize(r, r->arena, (void **)&r->indices[FACET_OBJ_POSITION], 0,
                                  r->corner_capacity, sizeof(uint32_t));
    return status;
}
