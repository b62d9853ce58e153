/* formats/j3d/gpu/geometry.c - display lists to triangles over unique vertices.
 *
 * The key of a vertex is its bytes in the display list, with the draw matrix in place of the matrix
 * index. Its bucket is the index of its position. So no hash is needed, and neighbors on the
 * surface are neighbors in memory. Most positions have one to three vertices. Shapes with thousands
 * of vertices at one position switch to a hash table. */
#include "formats/j3d/gpu/geometry.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/processor.h"

#include <inttypes.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Average number of steps along chains allowed for each drawn vertex. */
#define STEPS_PER_VERTEX 24
/* Up to 9 + 28 bytes of a vertex, in words. */
#define MAX_WORDS 5

/* -- Space --------------------------------------------------------------- */

/* Make scratch space for `count` items; old content is lost. Packets can share vertices, so sizes
 * can exceed 32 bits. */
static facet_status reserve(facet_arena *arena, void *pointer, size_t *space, uint64_t count,
                            size_t size, facet_error *error)
{
    void **array = (void **)pointer;
    if (count <= *space)
        return FACET_OK;
    /* Reserve more, so that shapes of growing size do not allocate each time. */
    uint64_t wanted = count + count / 4;
    if (wanted > SIZE_MAX / size)
        return facet_fail_memory(error, SIZE_MAX);
    size_t more = (size_t)wanted;
    facet_arena_release(arena, *array, *space, size);
    *space = 0;
    *array = facet_arena_allocate(arena, more, size);
    if (!*array)
        return facet_fail_arena(arena, error);
    *space = more;
    return FACET_OK;
}

void facet_j3d_decoder_free(facet_j3d_decoder *d)
{
    if (d->table.arena)
        facet_table_free(&d->table);
    facet_arena_release(d->arena, d->lines, d->line_capacity, sizeof *d->lines);
    facet_arena_release(d->arena, d->corners, d->corner_capacity, sizeof *d->corners);
    facet_arena_release(d->arena, d->ids, d->id_capacity, sizeof *d->ids);
    facet_arena_release(d->arena, d->records, d->record_capacity, 1);
    facet_arena_release(d->arena, d->heads, d->head_count, sizeof *d->heads);
    facet_j3d_decoder cleared = {0};
    cleared.document = d->document;
    cleared.arena = d->arena;
    *d = cleared;
}

/* -- Sizes of a shape --------------------------------------------------- */

/* Sizes that the commands of a shape require. */
typedef struct extent {
    uint64_t vertices, triangles, lines;
    uint64_t points;    /* vertices of point primitives */
    uint64_t left_over; /* vertices of incomplete primitives */
    uint32_t longest;   /* vertices of the longest primitive */
} extent;

static const facet_j3d_display_list *list_of(const facet_j3d *document,
                                             const facet_j3d_shape *shape, uint32_t packet)
{
    return &document->shapes.display_lists[shape->first_display_list + packet];
}

static void add_extent(extent *e, const facet_j3d_primitive *primitive)
{
    uint32_t n = primitive->count;
    e->vertices += n;
    e->longest = n > e->longest ? n : e->longest;
    switch (primitive->opcode) {
    case FACET_J3D_DRAW_QUADS:
    case FACET_J3D_DRAW_QUADS2:
        e->triangles += n / 4 * 2;
        e->left_over += n % 4;
        break;
    case FACET_J3D_DRAW_TRIANGLES:
        e->triangles += n / 3;
        e->left_over += n % 3;
        break;
    case FACET_J3D_DRAW_STRIP:
    case FACET_J3D_DRAW_FAN:
        e->triangles += n < 3 ? 0 : n - 2;
        e->left_over += n < 3 ? n : 0;
        break;
    case FACET_J3D_DRAW_LINES:
        e->lines += n / 2;
        e->left_over += n % 2;
        break;
    case FACET_J3D_DRAW_LINE_STRIP:
        e->lines += n < 2 ? 0 : n - 1;
        e->left_over += n < 2 ? n : 0;
        break;
    default:
        e->points += n;
        break;
    }
}

/* Measure a shape. *own_matrices is true if every vertex has the texture matrices that belong to
 * its position matrix. All exporters write them so; they then have no information. */
static extent measure(const facet_j3d *document, const facet_j3d_shape *shape,
                      const facet_j3d_vertex_layout *layout, bool *own_matrices)
{
    extent e = {0};
    facet_j3d_primitive primitive;
    bool looks = layout->has_position_matrix && layout->direct_count > 1;
    *own_matrices = true;
    for (uint32_t k = 0; k < shape->packet_count; k++) {
        facet_j3d_commands commands = facet_j3d_commands_of(list_of(document, shape, k), layout);
        while (facet_j3d_next(&commands, &primitive) == FACET_J3D_STEP_DRAW) {
            add_extent(&e, &primitive);
            const uint8_t *v = primitive.vertices;
            for (uint32_t i = 0; looks && i < primitive.count; i++, v += layout->size) {
                for (uint32_t t = 1; t < layout->direct_count; t++)
                    *own_matrices &= v[t] == v[0] + 30;
            }
        }
    }
    if (layout->direct_count > 0 && !layout->has_position_matrix)
        *own_matrices = false;
    return e;
}

/* -- Unique vertices ---------------------------------------------------- */

/* Layout of a record: `words` words, the draw matrix in 32 bits, and the number of the next vertex
 * in the bucket. */
typedef struct vertex_form {
    uint64_t masks[MAX_WORDS]; /* the bytes of each word that belong to the vertex */
    uint32_t skipped, vertex_size;
    uint32_t position, position_width; /* offset after the skipped bytes, and width */
    uint32_t words;
    bool has_matrix; /* the first byte of a vertex is a matrix index */
} vertex_form;

typedef struct welder {
    vertex_form form;
    uint16_t draw_by_index[256]; /* draw matrix for each matrix index */
    uint16_t draw;               /* draw matrix of all vertices without matrix index */
    uint8_t *records;
    uint32_t *heads;
    uint32_t base, count; /* vertex numbers begin at base */
    uint64_t drawn, steps;
    bool has_table; /* all vertices are in the decoder's table instead of buckets */
} welder;

/* The key of a vertex. */
typedef struct key {
    uint64_t words[MAX_WORDS];
    uint32_t draw;
} key;

static inline uint32_t record_size(uint32_t words)
{
    return words * 8 + 8;
}

/* Bytes of a record that form the key. */
static inline uint32_t key_size(uint32_t words)
{
    return words * 8 + 4;
}

static inline uint32_t *next_of(uint8_t *record, uint32_t words)
{
    return (uint32_t *)(void *)(record + key_size(words));
}

/* Load the key of a vertex. `whole` allows reading full words. Here and below, data is copied word
 * by word to stay in registers: a vector load of words just stored waits for the stores. */
static FACET_ALWAYS_INLINE key load_key(const vertex_form *f, const uint8_t *v, uint32_t words,
                                        uint16_t draw, bool whole)
{
    const uint8_t *at = v + f->skipped;
    uint8_t copy[MAX_WORDS * 8];
    key k;
    k.draw = draw;
    if (!whole) {
        memset(copy, 0, sizeof copy);
        memcpy(copy, at, f->vertex_size - f->skipped);
        at = copy;
    }
    for (uint32_t i = 0; i < words; i++) {
        memcpy(&k.words[i], at + i * 8, sizeof *k.words);
        k.words[i] &= f->masks[i];
    }
    return k;
}

static FACET_ALWAYS_INLINE bool has_key(const uint8_t *record, const key *k, uint32_t words)
{
    uint32_t draw;
    for (uint32_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, record + i * 8, sizeof word);
        if (word != k->words[i])
            return false;
    }
    memcpy(&draw, record + words * 8, sizeof draw);
    return draw == k->draw;
}

static FACET_ALWAYS_INLINE void put_key(uint8_t *record, const key *k, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        memcpy(record + i * 8, &k->words[i], sizeof *k->words);
    memcpy(record + words * 8, &k->draw, sizeof k->draw);
}

static inline uint32_t bucket_of(const vertex_form *f, const uint8_t *record)
{
    const uint8_t *at = record + f->position;
    return f->position_width == 2 ? facet_load_u16be(at) : *at;
}

/* Number of vertices whose full words are inside the display list. */
static uint32_t whole_vertices(const vertex_form *f, const facet_j3d_primitive *primitive,
                               const uint8_t *end)
{
    size_t left = (size_t)(end - primitive->vertices), most = f->skipped + f->words * 8;
    size_t count = left < most ? 0 : (left - most) / f->vertex_size + 1;
    return count < primitive->count ? (uint32_t)count : primitive->count;
}

/* Number the vertices of a primitive from `i` to `last`. Return the first without a number: `last`,
 * or an earlier one if chains are too long. `words` and the next three parameters are constants in
 * each copy. `usual` means that the position is first and has 16 bits. */
static FACET_ALWAYS_INLINE uint32_t weld(welder *w, const facet_j3d_primitive *primitive,
                                         uint32_t i, uint32_t last, uint32_t *ids, uint32_t words,
                                         bool has_matrix, bool usual, bool whole)
{
    const vertex_form f = w->form; /* local copies, because stores could alias the originals */
    const uint16_t draw = w->draw;
    const uint32_t size = record_size(words), base = w->base;
    uint32_t *heads = w->heads, *to = ids + i, *end = ids + last;
    uint8_t *records = w->records, *fresh = records + (size_t)w->count * size;
    uint32_t count = w->count;
    uint64_t steps = w->steps, most_steps = (w->drawn + primitive->count) * STEPS_PER_VERTEX;
    const uint8_t *v = primitive->vertices + (size_t)i * f.vertex_size;
    for (; to < end; to++, v += f.vertex_size) {
        key k = load_key(&f, v, words, has_matrix ? w->draw_by_index[v[0]] : draw, whole);
        const uint8_t *at = v + f.skipped;
        uint32_t *head = &heads[usual ? facet_load_u16be(at) : bucket_of(&f, at)];
        uint32_t id = *head - base; /* less than count if it is of this shape */
        while (id < count) {
            const uint8_t *record = records + (size_t)id * size;
            if (has_key(record, &k, words))
                break;
            id = *next_of((uint8_t *)record, words) - base;
            steps++;
        }
        if (id >= count) {
            if (steps > most_steps)
                break;
            put_key(fresh, &k, words);
            *next_of(fresh, words) = *head;
            fresh += size;
            id = count++;
            *head = id + base;
        }
        *to = id;
    }
    w->count = count;
    w->steps = steps;
    return (uint32_t)(to - ids);
}

static uint32_t weld_whole(welder *w, const facet_j3d_primitive *primitive, uint32_t last,
                           uint32_t *ids)
{
    const vertex_form *f = &w->form;
    bool usual = f->position == 0 && f->position_width == 2;
    switch (usual ? f->words * 2 + f->has_matrix : 0) {
    case 2:
        return weld(w, primitive, 0, last, ids, 1, false, true, true);
    case 3:
        return weld(w, primitive, 0, last, ids, 1, true, true, true);
    case 4:
        return weld(w, primitive, 0, last, ids, 2, false, true, true);
    case 5:
        return weld(w, primitive, 0, last, ids, 2, true, true, true);
    default:
        return weld(w, primitive, 0, last, ids, f->words, f->has_matrix, false, true);
    }
}

static uint32_t weld_some(welder *w, const facet_j3d_primitive *primitive, const uint8_t *end,
                          uint32_t *ids)
{
    uint32_t whole = whole_vertices(&w->form, primitive, end);
    uint32_t done = weld_whole(w, primitive, whole, ids);
    if (done < whole || done == primitive->count)
        return done;
    return weld(w, primitive, done, primitive->count, ids, w->form.words, w->form.has_matrix, false,
                false);
}

static int compare_records(const void *user, uint32_t a, uint32_t b)
{
    const welder *w = (const welder *)user;
    size_t size = record_size(w->form.words);
    return memcmp(w->records + a * size, w->records + b * size, key_size(w->form.words));
}

/* Add a record to the table and return its vertex number; UINT32_MAX if out of memory. */
static uint32_t put_record(facet_j3d_decoder *d, const welder *w, uint32_t id)
{
    const uint8_t *record = w->records + (size_t)id * record_size(w->form.words);
    uint32_t hash = facet_hash_bytes(record, key_size(w->form.words));
    return facet_table_put(&d->table, hash, id, compare_records, w);
}

/* Number the vertices of a primitive from `i` on with the table. First move the vertices of the
 * buckets into it. */
static facet_status weld_by_table(facet_j3d_decoder *d, welder *w,
                                  const facet_j3d_primitive *primitive, const uint8_t *end,
                                  uint32_t i, facet_error *error)
{
    bool fits = true;
    if (!w->has_table) {
        d->table = facet_table_make(d->arena);
        w->has_table = true;
        for (uint32_t id = 0; id < w->count && fits; id++)
            fits = put_record(d, w, id) == id;
    }
    const vertex_form *f = &w->form;
    uint32_t whole = whole_vertices(f, primitive, end);
    for (; i < primitive->count && fits; i++) {
        const uint8_t *v = primitive->vertices + (size_t)i * f->vertex_size;
        uint16_t draw = f->has_matrix ? w->draw_by_index[v[0]] : w->draw;
        key k = load_key(f, v, f->words, draw, i < whole);
        put_key(w->records + (size_t)w->count * record_size(f->words), &k, f->words);
        d->ids[i] = put_record(d, w, w->count);
        w->count += d->ids[i] == w->count;
        fits = d->ids[i] != UINT32_MAX;
    }
    return fits ? FACET_OK : facet_fail_arena(d->arena, error);
}

/* -- Primitives --------------------------------------------------------- */

/* Write a triangle. If vertices are equal, the next triangle overwrites it. */
static inline uint32_t *put_triangle(uint32_t *to, uint32_t a, uint32_t b, uint32_t c)
{
    to[0] = a;
    to[1] = b;
    to[2] = c;
    return to + (a != b && b != c && a != c ? 3 : 0);
}

/* Write four triangles of a strip from its next six vertices; the first triangle is even. False if
 * vertices can be equal: the output is then invalid. */
static inline bool put_four(const uint32_t *ids, uint32_t *to)
{
#ifdef __SSE2__
    __m128i first = _mm_loadu_si128((const __m128i *)(const void *)ids);      /* a b c d */
    __m128i last = _mm_loadu_si128((const __m128i *)(const void *)(ids + 2)); /* c d e f */
    __m128i same = _mm_cmpeq_epi32(first, last);
    same = _mm_or_si128(same, _mm_cmpeq_epi32(first, _mm_shuffle_epi32(first, 0x39)));
    same = _mm_or_si128(same, _mm_cmpeq_epi32(last, _mm_shuffle_epi32(last, 0x39)));
    __m128 middle = _mm_shuffle_ps(_mm_castsi128_ps(first), _mm_castsi128_ps(last), 0x87);
    _mm_storeu_si128((__m128i *)(void *)to, _mm_shuffle_epi32(first, 0x98));      /* a c b c */
    _mm_storeu_ps((float *)(void *)(to + 4), middle);                             /* d b c e */
    _mm_storeu_si128((__m128i *)(void *)(to + 8), _mm_shuffle_epi32(last, 0x79)); /* d e f d */
    return _mm_movemask_epi8(same) == 0;
#else
    uint32_t a = ids[0], b = ids[1], c = ids[2], d = ids[3], e = ids[4], f = ids[5];
    to[0] = a;
    to[1] = to[3] = c;
    to[2] = to[5] = b;
    to[4] = d;
    to[6] = c;
    to[7] = to[9] = e;
    to[8] = to[11] = d;
    to[10] = f;
    return !((a == b) | (a == c) | (b == c) | (b == d) | (c == d) | (c == e) | (d == e) | (d == f) |
             (e == f));
#endif
}

/* Write a strip. Every second triangle has reversed winding. */
static uint32_t *put_strip(const uint32_t *ids, uint32_t count, uint32_t *to)
{
    for (uint32_t i = 0; i + 2 < count;) {
        for (; i % 2 == 0 && i + 5 < count && put_four(ids + i, to); i += 4)
            to += 12;
        if (i + 2 < count) {
            uint32_t odd = i % 2;
            to = put_triangle(to, ids[i + odd], ids[i + 2], ids[i + 1 - odd]);
            i++;
        }
    }
    return to;
}

/* Write triangles and return the end of the output. The front of GX is clockwise, so the last two
 * vertices of each triangle are swapped. */
static uint32_t *put_triangles(uint8_t opcode, const uint32_t *ids, uint32_t count, uint32_t *to)
{
    switch (opcode) {
    case FACET_J3D_DRAW_QUADS:
    case FACET_J3D_DRAW_QUADS2:
        for (uint32_t i = 0; i + 3 < count; i += 4) {
            to = put_triangle(to, ids[i], ids[i + 2], ids[i + 1]);
            to = put_triangle(to, ids[i], ids[i + 3], ids[i + 2]);
        }
        break;
    case FACET_J3D_DRAW_TRIANGLES:
        for (uint32_t i = 0; i + 2 < count; i += 3)
            to = put_triangle(to, ids[i], ids[i + 2], ids[i + 1]);
        break;
    case FACET_J3D_DRAW_STRIP:
        to = put_strip(ids, count, to);
        break;
    default: /* fan */
        for (uint32_t i = 1; i + 1 < count; i++)
            to = put_triangle(to, ids[0], ids[i + 1], ids[i]);
    }
    return to;
}

/* Write lines and return the end of the output. */
static uint32_t *put_lines(uint8_t opcode, const uint32_t *ids, uint32_t count, uint32_t *to)
{
    uint32_t step = opcode == FACET_J3D_DRAW_LINES ? 2 : 1;
    for (uint32_t i = 0; i + 1 < count; i += step) {
        to[0] = ids[i];
        to[1] = ids[i + 1];
        to += 2;
    }
    return to;
}

/* -- Shapes ------------------------------------------------------------- */

static const facet_j3d_part *part_of(const facet_j3d_vertex_layout *layout, uint32_t attribute)
{
    for (uint32_t i = 0; i < layout->part_count; i++) {
        if (layout->parts[i].attribute == attribute)
            return &layout->parts[i];
    }
    return NULL;
}

static facet_status start(facet_j3d_decoder *d, const facet_j3d_vertex_layout *layout,
                          const facet_j3d_part *position, const extent *e, bool own_matrices,
                          welder *w, facet_error *error)
{
    memset(w, 0, sizeof *w);
    vertex_form *f = &w->form;
    f->has_matrix = layout->has_position_matrix;
    f->vertex_size = layout->size;
    f->skipped = own_matrices ? layout->direct_count : layout->has_position_matrix;
    f->position = position->offset - f->skipped;
    f->position_width = position->width;
    uint32_t bytes = layout->size - f->skipped;
    f->words = (bytes + 7) / 8;
    uint8_t mask[MAX_WORDS * 8] = {0};
    memset(mask, 0xFF, bytes);
    memcpy(f->masks, mask, sizeof mask);

    uint32_t positions = d->document->vertices.arrays[FACET_J3D_ARRAY_POSITION].count;
    if (e->triangles > UINT32_MAX / 3 || e->vertices >= UINT32_MAX || e->lines > UINT32_MAX / 2)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "a shape draws %" PRIu64 " vertices, more than a mesh can count",
                          e->vertices);
    if (!d->heads) {
        d->heads = facet_arena_allocate_zeroed(d->arena, positions, sizeof *d->heads);
        if (!d->heads)
            return facet_fail_arena(d->arena, error);
        d->head_count = positions;
        d->base = 1;
    }
    /* Vertex numbers of earlier shapes must be smaller than those of this one. */
    if (d->base > UINT32_MAX - (uint32_t)e->vertices) {
        memset(d->heads, 0, d->head_count * sizeof *d->heads);
        d->base = 1;
    }
    facet_status status = reserve(d->arena, &d->records, &d->record_capacity,
                                  e->vertices * record_size(f->words), 1, error);
    if (!status)
        status = reserve(d->arena, &d->ids, &d->id_capacity, e->longest, sizeof *d->ids, error);
    /* One extra triangle, because degenerate ones are written and then overwritten. */
    if (!status)
        status = reserve(d->arena, &d->corners, &d->corner_capacity, e->triangles * 3 + 3,
                         sizeof *d->corners, error);
    if (!status)
        status =
            reserve(d->arena, &d->lines, &d->line_capacity, e->lines * 2, sizeof *d->lines, error);
    w->records = d->records;
    w->heads = d->heads;
    w->base = d->base;
    return status;
}

static void load_matrices(const facet_j3d *document, const facet_j3d_shape *shape, uint32_t packet,
                          uint16_t slots[FACET_J3D_SLOTS], welder *w)
{
    facet_j3d_load_slots(document, shape, packet, slots);
    w->draw = slots[0];
    for (uint32_t i = 0; i < FACET_J3D_SLOTS; i++)
        w->draw_by_index[3 * i] = slots[i];
}

static facet_status decode(facet_j3d_decoder *d, const facet_j3d_shape *shape, welder *w,
                           const extent *e, facet_j3d_geometry *g, facet_error *error)
{
    uint16_t slots[FACET_J3D_SLOTS];
    uint32_t *corners = d->corners, *lines = d->lines;
    memset(slots, 0xFF, sizeof slots);
    for (uint32_t k = 0; k < shape->packet_count; k++) {
        const facet_j3d_display_list *list = list_of(d->document, shape, k);
        facet_j3d_commands commands = facet_j3d_commands_of(list, &g->layout);
        facet_j3d_primitive primitive;
        load_matrices(d->document, shape, k, slots, w);
        while (facet_j3d_next(&commands, &primitive) == FACET_J3D_STEP_DRAW) {
            uint32_t n = primitive.count;
            if (primitive.opcode == FACET_J3D_DRAW_POINTS)
                continue;
            uint32_t done = w->has_table ? 0 : weld_some(w, &primitive, commands.end, d->ids);
            facet_status status =
                done < n ? weld_by_table(d, w, &primitive, commands.end, done, error) : FACET_OK;
            if (status)
                return status;
            w->drawn += n;
            if (primitive.opcode < FACET_J3D_DRAW_LINES)
                corners = put_triangles(primitive.opcode, d->ids, n, corners);
            else
                lines = put_lines(primitive.opcode, d->ids, n, lines);
        }
    }
    g->triangle_count = (uint32_t)(corners - d->corners) / 3;
    g->line_count = (uint32_t)(lines - d->lines) / 2;
    g->degenerate = e->triangles - g->triangle_count;
    g->points = e->points;
    g->left_over = e->left_over;
    g->drawn = e->vertices;
    return FACET_OK;
}

/* The draw matrix of all vertices, or FACET_J3D_NONE if they differ. */
static uint32_t common_draw_matrix(const facet_j3d_geometry *g, const facet_j3d_shape *shape)
{
    if (!g->layout.has_position_matrix && shape->packet_count == 1 && g->vertex_count > 0)
        return facet_j3d_geometry_draw_matrix(g, 0);
    uint32_t draw = g->vertex_count > 0 ? facet_j3d_geometry_draw_matrix(g, 0) : FACET_J3D_NONE;
    for (uint32_t i = 1; i < g->vertex_count; i++) {
        if (facet_j3d_geometry_draw_matrix(g, i) != draw)
            return FACET_J3D_NONE;
    }
    return draw;
}

facet_status facet_j3d_decode_shape(facet_j3d_decoder *d, uint32_t index,
                                    facet_j3d_geometry *geometry, facet_error *error)
{
    const facet_j3d_shape *shape = &d->document->shapes.items[index];
    facet_j3d_geometry g = {0};
    welder w;
    bool own_matrices;
    g.document = d->document;
    g.draw_matrix = FACET_J3D_NONE;
    facet_status status =
        facet_j3d_vertex_layout_make(d->document, shape, FACET_NO_OFFSET, &g.layout, error);
    if (status)
        return status;
    const facet_j3d_part *position = part_of(&g.layout, FACET_J3D_POSITION);
    if (!position || !d->document->vertices.arrays[FACET_J3D_ARRAY_POSITION].bytes) {
        *geometry = g;
        return FACET_OK;
    }
    extent e = measure(d->document, shape, &g.layout, &own_matrices);
    status = start(d, &g.layout, position, &e, own_matrices, &w, error);
    if (!status)
        status = decode(d, shape, &w, &e, &g, error);
    if (!status && w.has_table)
        facet_table_free(&d->table);
    if (status)
        return status;
    d->base += w.count;
    g.vertex_count = w.count;
    g.records = d->records;
    g.record_size = record_size(w.form.words);
    g.skipped = w.form.skipped;
    g.draw_offset = w.form.words * 8;
    g.corners = d->corners;
    g.lines = d->lines;
    g.draw_matrix = common_draw_matrix(&g, shape);
    *geometry = g;
    return FACET_OK;
}
