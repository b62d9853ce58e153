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

/* An edge of a triangle, from a corner to the next corner of the triangle. */
typedef struct edge {
    uint32_t corner;
    uint32_t high; /* the higher of its two places */
} edge;

/* The edges between two places. */
typedef struct edge_sum {
    uint32_t count;
    uint32_t corners; /* sum modulo 2^32: of two, it gives one from the other */
} edge_sum;

typedef struct edge_joiner {
    const uint32_t *triangles, *places;
    uint32_t triangle_count, place_count;
    uint32_t *ends; /* per place: end of the edges whose lower place it is */
    edge *edges;    /* by the lower place */
    edge_sum *sums; /* per higher place */
    uint32_t *adjacency;
} edge_joiner;

static void load_places(const edge_joiner *e, uint32_t triangle, uint32_t places[4])
{
    for (size_t i = 0; i < 3; i++)
        places[i] = e->places[e->triangles[(size_t)triangle * 3 + i]];
    places[3] = places[0];
}

/* Sort the edges by their lower place, with a counting sort. */
static void sort_edges(const edge_joiner *e)
{
    uint32_t begin = 0, places[4];
    for (uint32_t t = 0; t < e->triangle_count; t++) {
        load_places(e, t, places);
        for (int i = 0; i < 3; i++)
            e->ends[places[i] < places[i + 1] ? places[i] : places[i + 1]]++;
    }
    for (uint32_t i = 0; i < e->place_count; i++) {
        uint32_t count = e->ends[i];
        e->ends[i] = begin;
        begin += count;
    }
    for (uint32_t t = 0; t < e->triangle_count; t++) {
        load_places(e, t, places);
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t a = places[i], b = places[i + 1], low = a < b ? a : b;
            e->edges[e->ends[low]++] = (edge){t * 3 + i, a < b ? b : a};
        }
    }
}

/* Join the two triangles of each edge. */
static void join_triangles(const edge_joiner *e)
{
    const edge *begin = e->edges;
    for (uint32_t low = 0; low < e->place_count; low++) {
        const edge *end = e->edges + e->ends[low];
        for (const edge *at = begin; at < end; at++) {
            e->sums[at->high].count++;
            e->sums[at->high].corners += at->corner;
        }
        for (const edge *at = begin; at < end; at++) {
            const edge_sum *sum = &e->sums[at->high];
            e->adjacency[at->corner] =
                sum->count == 2 ? (sum->corners - at->corner) / 3 : FACET_NONE;
        }
        for (; begin < end; begin++)
            e->sums[begin->high] = (edge_sum){0, 0};
    }
}

facet_status facet_iqm_make_adjacency(facet_iqm_scene_writer *w)
{
    const facet_iqm *d = w->document;
    edge_joiner e = {.triangles = d->triangles,
                     .triangle_count = d->triangle_count,
                     .place_count = d->vertex_count};
    uint32_t *places;
    size_t corner_count = (size_t)d->triangle_count * 3;
    if (corner_count == 0)
        return FACET_OK;
    e.ends = facet_arena_allocate_zeroed(w->scratch, e.place_count, sizeof *e.ends);
    e.edges = facet_arena_allocate(w->scratch, corner_count, sizeof *e.edges);
    e.sums = facet_arena_allocate_zeroed(w->scratch, e.place_count, sizeof *e.sums);
    e.adjacency = facet_arena_allocate(w->arena, corner_count, sizeof *e.adjacency);
    if (!e.ends || !e.edges || !e.sums || !e.adjacency)
        return facet_fail_arenas(w->scratch, w->arena, w->error);
    TRY(find_places(w, d->arrays[0].data, &places));
    e.places = places;
    sort_edges(&e);
    join_triangles(&e);
    w->document->adjacency = e.adjacency;
    return FACET_OK;
}
