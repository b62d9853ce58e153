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

/* An edge is from a corner to the next corner of the triangle. */
typedef struct edge_sorter {
    const uint32_t *triangles, *places;
    uint32_t corner_count, place_count;
    uint32_t *begins; /* place_count + 1 */
} edge_sorter;

typedef struct edge_ends {
    uint32_t low, high;
} edge_ends;

static edge_ends ends_of(const edge_sorter *s, uint32_t corner)
{
    uint32_t a = s->places[s->triangles[corner]];
    uint32_t b = s->places[s->triangles[corner % 3 == 2 ? corner - 2 : corner + 1]];
    return a < b ? (edge_ends){a, b} : (edge_ends){b, a};
}

/* Sort corners by one end of their edges, with a stable counting sort. */
static void sort_edges(const edge_sorter *s, bool by_high, const uint32_t *from, uint32_t *to)
{
    memset(s->begins, 0, ((size_t)s->place_count + 1) * sizeof *s->begins);
    for (uint32_t i = 0; i < s->corner_count; i++) {
        edge_ends ends = ends_of(s, i);
        s->begins[(by_high ? ends.high : ends.low) + 1]++;
    }
    for (uint32_t i = 0; i < s->place_count; i++)
        s->begins[i + 1] += s->begins[i];
    for (uint32_t i = 0; i < s->corner_count; i++) {
        uint32_t corner = from ? from[i] : i;
        edge_ends ends = ends_of(s, corner);
        to[s->begins[by_high ? ends.high : ends.low]++] = corner;
    }
}

/* Join triangles, from corners sorted so that equal edges are adjacent. */
static void join_triangles(const edge_sorter *s, const uint32_t *order, uint32_t *adjacency)
{
    for (uint32_t i = 0, end; i < s->corner_count; i = end) {
        const edge_ends ends = ends_of(s, order[i]);
        for (end = i + 1; end < s->corner_count; end++) {
            edge_ends next = ends_of(s, order[end]);
            if (next.low != ends.low || next.high != ends.high)
                break;
        }
        for (uint32_t k = i; k < end; k++)
            adjacency[order[k]] = end - i == 2 ? order[i + end - 1 - k] / 3 : FACET_NONE;
    }
}

facet_status facet_iqm_make_adjacency(facet_iqm_scene_writer *w)
{
    const facet_iqm *d = w->document;
    edge_sorter s = {d->triangles, NULL, d->triangle_count * 3, d->vertex_count, NULL};
    uint32_t *places;
    if (s.corner_count == 0)
        return FACET_OK;
    s.begins = facet_arena_allocate(w->scratch, (size_t)s.place_count + 1, sizeof *s.begins);
    uint32_t *by_high = facet_arena_allocate(w->scratch, s.corner_count, sizeof *by_high);
    uint32_t *order = facet_arena_allocate(w->scratch, s.corner_count, sizeof *order);
    uint32_t *adjacency = facet_arena_allocate(w->arena, s.corner_count, sizeof *adjacency);
    if (!s.begins || !by_high || !order || !adjacency)
        return facet_fail_arenas(w->scratch, w->arena, w->error);
    TRY(find_places(w, d->arrays[0].data, &places));
    s.places = places;
    sort_edges(&s, true, NULL, by_high);
    sort_edges(&s, false, by_high, order);
    join_triangles(&s, order, adjacency);
    w->document->adjacency = adjacency;
    return FACET_OK;
}
