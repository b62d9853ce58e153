/* formats/iqm/from_scene_adjacency.c - the neighbor of each triangle across each edge. Vertices at
 * the same position count as one. Like in the files of other exporters, an edge of more than two
 * triangles has no neighbors. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/iqm/from_scene.h"

#include <string.h>

static int compare_positions(const void *user, uint32_t a, uint32_t b)
{
    const float *positions = user;
    return memcmp(positions + (size_t)a * 3, positions + (size_t)b * 3, 3 * sizeof *positions);
}

static uint32_t hash_position(const float *position)
{
    uint32_t words[3];
    memcpy(words, position, sizeof words);
    return facet_hash_end(
        facet_hash_word(facet_hash_word(0, words[0] | (uint64_t)words[1] << 32), words[2]));
}

/* Find the first vertex at the position of each vertex. */
static facet_status find_places(const facet_iqm_scene_writer *w, const float *positions,
                                uint32_t **places)
{
    uint32_t count = w->document->vertex_count, found = 0;
    facet_table table = facet_table_make(w->scratch);
    *places = facet_arena_allocate(w->scratch, count, sizeof **places);
    if (!facet_table_reserve(&table, count, compare_positions, positions))
        found = FACET_NONE;
    for (uint32_t v = 0; *places && v < count && found != FACET_NONE; v++) {
        found = facet_table_put(&table, hash_position(positions + (size_t)v * 3), v,
                                compare_positions, positions);
        (*places)[v] = found;
    }
    facet_table_free(&table);
    return *places && found != FACET_NONE ? FACET_OK : facet_fail_arena(w->scratch, w->error);
}

/* The corners at whose edge a place is the higher end. An edge is from a corner to the next corner
 * of the triangle. */
typedef struct edge {
    uint32_t count;
    uint32_t sum; /* of the corners, modulo 2^32: of two, it gives one from the other */
} edge;

typedef struct edge_joiner {
    const uint32_t *triangles, *places;
    uint32_t corner_count, place_count;
    uint32_t *ends;  /* per place: end of the corners whose lower end it is */
    uint32_t *order; /* corners by the lower end of their edges */
    edge *edges;     /* per place */
    uint32_t *adjacency;
} edge_joiner;

typedef struct edge_ends {
    uint32_t low, high;
} edge_ends;

static edge_ends ends_of(const edge_joiner *e, uint32_t corner)
{
    uint32_t a = e->places[e->triangles[corner]];
    uint32_t b = e->places[e->triangles[corner % 3 == 2 ? corner - 2 : corner + 1]];
    return a < b ? (edge_ends){a, b} : (edge_ends){b, a};
}

/* Sort corners by the lower end of their edges, with a counting sort. */
static void sort_edges(const edge_joiner *e)
{
    uint32_t begin = 0;
    for (uint32_t c = 0; c < e->corner_count; c++)
        e->ends[ends_of(e, c).low]++;
    for (uint32_t i = 0; i < e->place_count; i++) {
        uint32_t count = e->ends[i];
        e->ends[i] = begin;
        begin += count;
    }
    for (uint32_t c = 0; c < e->corner_count; c++)
        e->order[e->ends[ends_of(e, c).low]++] = c;
}

/* Join the two triangles of each edge. */
static void join_triangles(const edge_joiner *e)
{
    for (uint32_t low = 0, begin = 0; low < e->place_count; begin = e->ends[low++]) {
        uint32_t end = e->ends[low];
        for (uint32_t i = begin; i < end; i++) {
            edge *at = &e->edges[ends_of(e, e->order[i]).high];
            at->count++;
            at->sum += e->order[i];
        }
        for (uint32_t i = begin; i < end; i++) {
            uint32_t corner = e->order[i];
            const edge *at = &e->edges[ends_of(e, corner).high];
            e->adjacency[corner] = at->count == 2 ? (at->sum - corner) / 3 : FACET_NONE;
        }
        for (uint32_t i = begin; i < end; i++)
            e->edges[ends_of(e, e->order[i]).high] = (edge){0, 0};
    }
}

facet_status facet_iqm_make_adjacency(facet_iqm_scene_writer *w)
{
    const facet_iqm *d = w->document;
    edge_joiner e = {.triangles = d->triangles,
                     .corner_count = d->triangle_count * 3,
                     .place_count = d->vertex_count};
    uint32_t *places;
    if (e.corner_count == 0)
        return FACET_OK;
    e.ends = facet_arena_allocate_zeroed(w->scratch, e.place_count, sizeof *e.ends);
    e.order = facet_arena_allocate(w->scratch, e.corner_count, sizeof *e.order);
    e.edges = facet_arena_allocate_zeroed(w->scratch, e.place_count, sizeof *e.edges);
    e.adjacency = facet_arena_allocate(w->arena, e.corner_count, sizeof *e.adjacency);
    if (!e.ends || !e.order || !e.edges || !e.adjacency)
        return facet_fail_arenas(w->scratch, w->arena, w->error);
    TRY(find_places(w, d->arrays[0].data, &places));
    e.places = places;
    sort_edges(&e);
    join_triangles(&e);
    w->document->adjacency = e.adjacency;
    return FACET_OK;
}
