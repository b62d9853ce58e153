/* mesh/index.c - one index for all streams.
 *
 * Each corner has a tuple of indices, one per index array (lane). Corners with equal tuples
 * become one vertex. The position index is the bucket of a tuple, so no hash is needed, and
 * neighbors in the mesh are neighbors in memory. Most positions have one to three tuples.
 *
 * All work is done in place. A vertex never has a larger number than the corner that created it.
 * So its tuple is kept in the part of the lanes that has already been read, and the lane of the
 * positions becomes the index.
 *
 * A mesh with thousands of tuples at one position would make long chains. When following them
 * costs more than a few steps per corner, the tuples move into a hash table. The table would
 * make ordinary meshes ten times as slow. */
#include <facet/mesh.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "mesh/streams.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

/* Limit of the average number of chain steps per corner. */
#define STEPS_PER_CORNER 24

typedef struct welder {
    facet_mesh *mesh;
    uint32_t **lanes; /* distinct index arrays; positions are first */
    uint32_t lane_count;

    uint32_t vertex_count;
    uint32_t capacity;
    uint32_t *links; /* per vertex: in a chain, the next vertex of its position; later, and in the
                        table, its position */
    bool chained;

    uint32_t *heads; /* per position: its newest vertex */
    uint32_t position_count;
    uint32_t corner_vertices; /* vertices from this number on are used only by lines and points */
    uint32_t **sources;       /* per lane, an entry per vertex; the lane itself if all vertices have
                                 corners */
    uint64_t steps;
} welder;

/* -- Lanes -------------------------------------------------------------- */

/* Merge index arrays with the same contents; the OBJ form "f 1/1/1" is common. Arrays that
 * differ do so early, so the comparison is short. Returns whether any were merged. */
static bool merge_equal_lanes(facet_mesh *mesh)
{
    bool merged = false;
    for (uint32_t i = 1; i < mesh->stream_count; i++) {
        for (uint32_t j = 0; j < i && facet_stream_leads(mesh, i); j++) {
            uint32_t *kept = mesh->streams[j].indices, *dropped = mesh->streams[i].indices;
            if (mesh->corner_count > 0 &&
                memcmp(kept, dropped, mesh->corner_count * sizeof *kept) != 0)
                continue;
            facet_mesh_swap_indices(mesh, dropped, kept);
            facet_arena_release(mesh->arena, dropped, mesh->corner_count, sizeof *dropped);
            merged = true;
        }
    }
    return merged;
}

/* -- Chains ------------------------------------------------------------- */

static inline bool same_tuple(uint32_t *const *lanes, uint32_t lane_count, uint32_t vertex,
                              uint32_t corner)
{
    for (uint32_t lane = 1; lane < lane_count; lane++) {
        if (lanes[lane][vertex] != lanes[lane][corner])
            return false;
    }
    return true;
}

/* Weld from `corner` on. Returns the corner at which space ran out or the chains became too
 * long, or corner_count when all are welded. lane_count is a constant in every copy of this
 * function. */
static inline uint32_t weld_chains(welder *w, uint32_t lane_count, uint32_t corner)
{
    uint32_t *lanes[8];
    uint32_t *const *all = lanes;
    if (lane_count <= 8)
        memcpy(lanes, w->lanes, lane_count * sizeof *lanes);
    else
        all = w->lanes;
    uint32_t *heads = w->heads, *links = w->links, *positions = w->lanes[0];
    uint32_t vertex_count = w->vertex_count, corner_count = w->mesh->corner_count;
    uint64_t steps = w->steps, most_steps = (uint64_t)corner_count * STEPS_PER_CORNER;
    for (; corner < corner_count; corner++) {
        uint32_t *head = &heads[positions[corner]];
        uint32_t vertex = *head;
        while (vertex != FACET_NONE && !same_tuple(all, lane_count, vertex, corner)) {
            vertex = links[vertex];
            steps++;
        }
        if (steps > most_steps)
            break;
        if (vertex == FACET_NONE) {
            if (vertex_count == w->capacity)
                break;
            vertex = vertex_count++;
            links[vertex] = *head;
            *head = vertex;
            for (uint32_t lane = 1; lane < lane_count; lane++)
                all[lane][vertex] = all[lane][corner];
        }
        positions[corner] = vertex;
    }
    w->vertex_count = vertex_count;
    w->steps = steps;
    return corner;
}

static uint32_t weld_some_chains(welder *w, uint32_t corner)
{
    switch (w->lane_count) {
    case 2:
        return weld_chains(w, 2, corner);
    case 3:
        return weld_chains(w, 3, corner);
    case 4:
        return weld_chains(w, 4, corner);
    default:
        return weld_chains(w, w->lane_count, corner);
    }
}

/* Replace the links of each chain by its position. */
static void end_chains(welder *w)
{
    for (uint32_t position = 0; w->chained && position < w->position_count; position++) {
        for (uint32_t vertex = w->heads[position], next; vertex != FACET_NONE; vertex = next) {
            next = w->links[vertex];
            w->links[vertex] = position;
        }
    }
    w->chained = false;
    facet_arena_release(w->mesh->arena, w->heads, w->position_count, sizeof *w->heads);
    w->heads = NULL;
}

/* -- Table -------------------------------------------------------------- */

static int compare_tuples(const void *user, uint32_t a, uint32_t b)
{
    const welder *w = user;
    if (w->links[a] != w->links[b])
        return w->links[a] < w->links[b] ? -1 : 1;
    for (uint32_t lane = 1; lane < w->lane_count; lane++) {
        const uint32_t *indices = w->lanes[lane];
        if (indices[a] != indices[b])
            return indices[a] < indices[b] ? -1 : 1;
    }
    return 0;
}

/* The vertex that has the tuple of `vertex`; FACET_NONE if out of memory. */
static uint32_t put_vertex(const welder *w, facet_table *table, uint32_t vertex)
{
    uint64_t hash = facet_hash_word(0, w->links[vertex]);
    for (uint32_t lane = 1; lane < w->lane_count; lane++)
        hash = facet_hash_word(hash, w->lanes[lane][vertex]);
    return facet_table_put(table, facet_hash_end(hash), vertex, compare_tuples, w);
}

static bool grow(welder *w)
{
    uint64_t wanted = (uint64_t)w->capacity + w->capacity / 2 + 16;
    uint32_t capacity = wanted < w->mesh->corner_count ? (uint32_t)wanted : w->mesh->corner_count;
    uint32_t *links =
        facet_arena_resize(w->mesh->arena, w->links, w->capacity, capacity, sizeof *links);
    if (!links)
        return false;
    w->links = links;
    w->capacity = capacity;
    return true;
}

/* Store the tuple of a corner as the next vertex, and keep that vertex if the tuple is new. */
static bool weld_corner(welder *w, facet_table *table, uint32_t corner)
{
    uint32_t next = w->vertex_count;
    if (next == w->capacity && !grow(w))
        return false;
    w->links[next] = w->lanes[0][corner];
    for (uint32_t lane = 1; lane < w->lane_count; lane++)
        w->lanes[lane][next] = w->lanes[lane][corner];
    uint32_t vertex = put_vertex(w, table, next);
    if (vertex == FACET_NONE)
        return false;
    w->vertex_count += vertex == next;
    w->lanes[0][corner] = vertex;
    return true;
}

/* Weld from `corner` on. Returns the corner at which memory ran out, or corner_count when all
 * are welded. */
static uint32_t weld_table(welder *w, uint32_t corner)
{
    facet_table table = facet_table_make(w->mesh->arena);
    bool fits = facet_table_reserve(&table, w->vertex_count, compare_tuples, w);
    for (uint32_t vertex = 0; vertex < w->vertex_count && fits; vertex++)
        fits = put_vertex(w, &table, vertex) == vertex;
    while (corner < w->mesh->corner_count && fits && weld_corner(w, &table, corner))
        corner++;
    facet_table_free(&table);
    return corner;
}

/* -- Welding ------------------------------------------------------------ */

/* Restore the tuples of the first `corner_count` corners. The tuple of a corner is stored at its
 * vertex, which never comes after the corner. So going backwards overwrites nothing that is
 * still needed. */
static void unweld(welder *w, uint32_t corner_count)
{
    end_chains(w);
    for (uint32_t corner = corner_count; corner-- > 0;) {
        uint32_t vertex = w->lanes[0][corner];
        for (uint32_t lane = 1; lane < w->lane_count; lane++)
            w->lanes[lane][corner] = w->lanes[lane][vertex];
        w->lanes[0][corner] = w->links[vertex];
    }
}

static bool weld_lanes(welder *w)
{
    uint32_t corner = 0, corner_count = w->mesh->corner_count;
    bool fits = true;
    while (w->chained && corner < corner_count && fits) {
        corner = weld_some_chains(w, corner);
        if (corner < corner_count && w->vertex_count == w->capacity)
            fits = grow(w);
        else if (corner < corner_count)
            end_chains(w); /* the chains are too long */
    }
    if (corner < corner_count && fits)
        corner = weld_table(w, corner);
    if (corner < corner_count) {
        unweld(w, corner);
        return false;
    }
    end_chains(w);
    return true;
}

/* -- Lines and points --------------------------------------------------- */

/* Change lines and points from positions to the first vertices that have these positions. A
 * position that no corner uses gets a vertex without data in the other streams; `loose` lists
 * these. */
static uint32_t number_ends(welder *w, uint32_t *vertices, uint32_t *loose)
{
    uint32_t count = 0;
    memset(vertices, 0xFF, w->position_count * sizeof *vertices);
    for (uint32_t vertex = w->vertex_count; vertex-- > 0;)
        vertices[w->links[vertex]] = vertex;
    for (int kind = 0; kind < FACET_END_KINDS; kind++) {
        facet_ends ends = facet_mesh_ends(w->mesh, kind);
        for (size_t i = 0; i < ends.count; i++) {
            uint32_t position = ends.indices[i];
            if (vertices[position] == FACET_NONE) {
                vertices[position] = w->vertex_count + count;
                loose[count++] = position;
            }
        }
    }
    return count;
}

static bool add_loose(welder *w, const uint32_t *loose, uint32_t count)
{
    facet_mesh *mesh = w->mesh;
    uint32_t corners = w->vertex_count, all = corners + count;
    uint32_t *links = facet_arena_resize(mesh->arena, w->links, w->capacity, all, sizeof *w->links);
    if (!links)
        return false;
    w->links = links;
    w->capacity = all;
    memcpy(links + corners, loose, count * sizeof *loose);
    for (uint32_t lane = 1; lane < w->lane_count; lane++) {
        uint32_t *from = facet_arena_allocate(mesh->arena, all, sizeof *from);
        if (!from)
            return false;
        memcpy(from, w->lanes[lane], corners * sizeof *from);
        memset(from + corners, 0xFF, count * sizeof *from);
        w->sources[lane] = from;
    }
    w->vertex_count = all;
    return true;
}

static bool weld_ends(welder *w)
{
    facet_mesh *mesh = w->mesh;
    w->corner_vertices = w->vertex_count;
    memcpy(w->sources, w->lanes, w->lane_count * sizeof *w->sources);
    if (mesh->line_count == 0 && mesh->point_count == 0)
        return true;
    uint32_t *vertices = facet_arena_allocate(mesh->arena, w->position_count, sizeof *vertices);
    uint32_t *loose = facet_arena_allocate(mesh->arena, w->position_count, sizeof *loose);
    bool fits = vertices && loose;
    uint32_t count = fits ? number_ends(w, vertices, loose) : 0;
    if (count > 0)
        fits = add_loose(w, loose, count);
    if (fits)
        facet_mesh_number_ends(mesh, vertices);
    facet_arena_release(mesh->arena, loose, w->position_count, sizeof *loose);
    facet_arena_release(mesh->arena, vertices, w->position_count, sizeof *vertices);
    return fits;
}

/* -- Streams ------------------------------------------------------------ */

static void report_holes(const facet_stream *stream, const uint32_t *from, uint32_t count,
                         facet_report *report)
{
    facet_tally holes = {0};
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        if (from[vertex] == FACET_NONE)
            facet_tally_hit(&holes, vertex);
    }
    facet_quoted quoted;
    facet_report_add_tally(
        report, "MESH-STREAM-HOLES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &holes,
        "vertex %" PRIu64 " of %" PRIu32 " has no %s %s%" PRIu32 ": it gets %s", holes.first, count,
        facet_semantic_name(stream->semantic),
        stream->name ? facet_quote(&quoted, stream->name, strlen(stream->name)) : "", stream->set,
        stream->semantic == FACET_COLOR ? "ones" : "zeros");
}

/* Streams that share the index of the positions may have fewer elements. Vertices of lines and
 * points beyond these have no element. `own` needs space for all vertices. */
static const uint32_t *within(const welder *w, const uint32_t *from, uint32_t count, uint32_t *own)
{
    for (uint32_t vertex = 0; vertex < w->vertex_count; vertex++)
        own[vertex] = from[vertex] < count ? from[vertex] : FACET_NONE;
    return own;
}

static facet_status gather_stream(welder *w, facet_stream *stream, const uint32_t *from,
                                  const facet_options *options, facet_error *error)
{
    facet_arena *arena = w->mesh->arena;
    report_holes(stream, from, w->corner_vertices, options ? options->report : NULL);
    if (stream->count >= w->position_count || w->vertex_count == w->corner_vertices)
        return facet_stream_gather(w->mesh, stream, from, w->vertex_count, options, error);
    uint32_t *own = facet_arena_allocate(arena, w->vertex_count, sizeof *own);
    if (!own)
        return facet_fail_arena(arena, error);
    facet_status status = facet_stream_gather(w->mesh, stream, within(w, from, stream->count, own),
                                              w->vertex_count, options, error);
    facet_arena_release(arena, own, w->vertex_count, sizeof *own);
    return status;
}

/* Gather the streams of one lane, except the positions: each gets the elements that the tuples
 * name, and the common index. Streams for which memory runs out are removed. */
static facet_status gather_lane(welder *w, const uint32_t *lane, const uint32_t *from,
                                const facet_options *options, facet_error *error)
{
    facet_mesh *mesh = w->mesh;
    facet_status status = FACET_OK;
    for (uint32_t i = 1; i < mesh->stream_count;) {
        facet_stream *stream = &mesh->streams[i];
        facet_status one = FACET_OK;
        if (stream->indices == lane) {
            stream->indices = w->lanes[0];
            one = gather_stream(w, stream, from, options, error);
        }
        if (one) {
            status = one;
            facet_mesh_remove_stream(mesh, stream);
        } else {
            i++;
        }
    }
    return status;
}

static facet_status gather_streams(welder *w, const facet_options *options, facet_error *error)
{
    facet_mesh *mesh = w->mesh;
    facet_status status =
        facet_stream_gather(mesh, &mesh->streams[0], w->links, w->vertex_count, options, error);
    if (status) {
        facet_mesh_number_ends(mesh, w->links);
        unweld(w, mesh->corner_count);
        return status;
    }
    status = gather_lane(w, w->lanes[0], w->links, options, error);
    for (uint32_t lane = 1; lane < w->lane_count; lane++) {
        facet_status one = gather_lane(w, w->lanes[lane], w->sources[lane], options, error);
        status = status ? status : one;
        if (w->sources[lane] != w->lanes[lane])
            facet_arena_release(mesh->arena, w->sources[lane], w->vertex_count, sizeof(uint32_t));
        facet_arena_release(mesh->arena, w->lanes[lane], mesh->corner_count, sizeof(uint32_t));
    }
    return status;
}

/* -- The pass ----------------------------------------------------------- */

static facet_status prepare_welder(welder *w, facet_error *error)
{
    facet_mesh *mesh = w->mesh;
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (facet_stream_leads(mesh, i))
            w->lanes[w->lane_count++] = mesh->streams[i].indices;
        /* Estimate the number of vertices: rarely less than the elements of the largest stream,
         * and seldom many more. */
        if (mesh->streams[i].count > w->capacity)
            w->capacity = mesh->streams[i].count;
    }
    uint64_t guess = (uint64_t)w->capacity + w->capacity / 8;
    w->capacity = guess < mesh->corner_count ? (uint32_t)guess : mesh->corner_count;
    w->position_count = mesh->streams[0].count;
    w->chained = true;
    w->heads = facet_arena_allocate(mesh->arena, w->position_count, sizeof *w->heads);
    w->links = facet_arena_allocate(mesh->arena, w->capacity, sizeof *w->links);
    if (!w->heads || !w->links)
        return facet_fail_arena(mesh->arena, error);
    memset(w->heads, 0xFF, w->position_count * sizeof *w->heads);
    return FACET_OK;
}

static facet_status weld_streams(facet_mesh *mesh, const facet_options *options, facet_error *error)
{
    welder w = {0};
    w.mesh = mesh;
    uint32_t most = mesh->stream_count;
    w.lanes = facet_arena_allocate(mesh->arena, most, sizeof *w.lanes);
    w.sources = facet_arena_allocate(mesh->arena, most, sizeof *w.sources);
    if (!w.lanes || !w.sources)
        return facet_fail_arena(mesh->arena, error);
    facet_status status = prepare_welder(&w, error);
    bool fits = !status && weld_lanes(&w);
    if (fits && !weld_ends(&w)) {
        unweld(&w, mesh->corner_count);
        fits = false;
    }
    if (fits)
        status = gather_streams(&w, options, error);
    else if (!status)
        status = facet_fail_arena(mesh->arena, error);
    facet_arena_release(mesh->arena, w.links, w.capacity, sizeof *w.links);
    facet_arena_release(mesh->arena, w.heads, w.position_count, sizeof *w.heads);
    facet_arena_release(mesh->arena, w.sources, most, sizeof *w.sources);
    facet_arena_release(mesh->arena, w.lanes, most, sizeof *w.lanes);
    return status;
}

/* Set *unused if an indexed mesh has a vertex that no corner, line or point uses. */
static facet_status find_unused(const facet_mesh *mesh, bool *unused, facet_error *error)
{
    uint32_t count = mesh->streams[0].count;
    *unused = count > mesh->corner_count + (uint64_t)mesh->line_count * 2 + mesh->point_count;
    if (*unused)
        return FACET_OK;
    uint8_t *used = facet_arena_allocate_zeroed(mesh->arena, count, 1);
    if (!used)
        return facet_fail_arena(mesh->arena, error);
    const uint32_t *indices = mesh->streams[0].indices;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++)
        used[indices[corner]] = 1;
    for (int kind = 0; kind < FACET_END_KINDS; kind++) {
        facet_ends ends = facet_mesh_ends(mesh, kind);
        for (size_t i = 0; i < ends.count; i++)
            used[ends.indices[i]] = 1;
    }
    *unused = memchr(used, 0, count) != NULL;
    facet_arena_release(mesh->arena, used, count, 1);
    return FACET_OK;
}

facet_status facet_mesh_index(facet_mesh *mesh, const facet_options *options, bool *changed,
                              facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    facet_status status = facet_step(options, "index", 0, error);
    if (status)
        return status;
    if (mesh->stream_count == 0)
        return facet_pass_done(false, changed);
    bool merged = merge_equal_lanes(mesh), unused = false;
    if (!facet_mesh_is_indexed(mesh)) {
        status = weld_streams(mesh, options, error);
        return status ? status : facet_pass_done(true, changed);
    }
    status = find_unused(mesh, &unused, error);
    if (!status && unused)
        status = facet_mesh_renumber(mesh, options, NULL, error);
    return status ? status : facet_pass_done(merged || unused, changed);
}
