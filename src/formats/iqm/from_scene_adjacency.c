/* formats/iqm/from_scene_adjacency.c - the neighbor of each triangle across each of its edges.
 * Vertices at the same position are the same; an edge of more than two triangles has no neighbors,
 * as in the files of other exporters. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/iqm/from_scene.h"

#include <string.h>

typedef struct edge {
    uint32_t ends[2]; /* the smaller one first */
    uint32_t triangles[2];
    uint32_t count;
} edge;

static int compare_positions(const void *user, uint32_t a, uint32_t b)
{
    const float *positions = user;
    return memcmp(positions + (size_t)a * 3, positions + (size_t)b * 3, 3 * sizeof *positions);
}

static int compare_edges(const void *user, uint32_t a, uint32_t b)
{
    const edge *edges = user;
    return memcmp(edges[a].ends, edges[b].ends, sizeof edges[a].ends);
}

/* The first vertex at the position of each. */
static facet_status find_places(const facet_iqm_scene_writer *w, const float *positions,
                                uint32_t **places)
{
    uint32_t count = w->document->vertex_count, found = 0;
    facet_table table = facet_table_make(w->scratch);
    *places = facet_arena_allocate(w->scratch, count, sizeof **places);
    for (uint32_t v = 0; *places && v < count && found != FACET_NONE; v++) {
        found = facet_table_put(
            &table,
            facet_hash_bytes((const char *)(positions + (size_t)v * 3), 3 * sizeof *positions), v,
            compare_positions, positions);
        (*places)[v] = found;
    }
    facet_table_free(&table);
    return *places && found != FACET_NONE ? FACET_OK : facet_fail_arena(w->scratch, w->error);
}

/* The edge of each corner, by the number of the first one like it. */
static facet_status find_edges(const facet_iqm_scene_writer *w, const uint32_t *places, edge *edges,
                               uint32_t *numbers)
{
    const uint32_t *triangles = w->document->triangles;
    uint32_t corners = w->document->triangle_count * 3, found = 0;
    facet_table table = facet_table_make(w->scratch);
    for (uint32_t c = 0; c < corners && found != FACET_NONE; c++) {
        uint32_t a = places[triangles[c]], b = places[triangles[c % 3 == 2 ? c - 2 : c + 1]];
        edges[c] = (edge){{a < b ? a : b, a < b ? b : a}, {0, 0}, 0};
        found = facet_table_put(&table,
                                facet_hash_bytes((const char *)edges[c].ends, sizeof edges[c].ends),
                                c, compare_edges, edges);
        if (found == FACET_NONE)
            break;
        numbers[c] = found;
        edge *first = &edges[found];
        if (first->count < 2)
            first->triangles[first->count] = c / 3;
        first->count++;
    }
    facet_table_free(&table);
    return found != FACET_NONE ? FACET_OK : facet_fail_arena(w->scratch, w->error);
}

facet_status facet_iqm_make_adjacency(facet_iqm_scene_writer *w)
{
    uint32_t *places, corners = w->document->triangle_count * 3;
    if (corners == 0)
        return FACET_OK;
    edge *edges = facet_arena_allocate(w->scratch, corners, sizeof *edges);
    uint32_t *numbers = facet_arena_allocate(w->scratch, corners, sizeof *numbers);
    uint32_t *adjacency = facet_arena_allocate(w->arena, corners, sizeof *adjacency);
    if (!edges || !numbers || !adjacency)
        return facet_fail_arenas(w->scratch, w->arena, w->error);
    TRY(find_places(w, w->document->arrays[0].data, &places));
    TRY(find_edges(w, places, edges, numbers));
    for (uint32_t c = 0; c < corners; c++) {
        const edge *e = &edges[numbers[c]];
        adjacency[c] = e->count == 2 ? e->triangles[e->triangles[0] == c / 3] : FACET_NONE;
    }
    w->document->adjacency = adjacency;
    return FACET_OK;
}
