/* mesh/split.c - a vertex for each tangent: corners that share a vertex but differ in tangent
 * get copies of it. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "mesh/passes.h"
#include "mesh/streams.h"
#include "scene/scene.h"

#include <facet/mesh.h>
#include <string.h>

/* -- Vertices ----------------------------------------------------------- */

/* The vertices after the split: first the old ones, then the copies in the order of their first
 * corners. */
typedef struct splitter {
    facet_mesh *mesh;
    uint32_t *vertices;       /* per corner */
    const uint32_t *tangents; /* per corner */
    uint32_t old_count, count;
    uint32_t *from;       /* per vertex: itself, or the vertex that it copies */
    uint32_t *keeps;      /* per vertex: its tangent; FACET_NONE if no corner gives one */
    facet_records copies; /* vertex and tangent of each copy */
} splitter;

/* Give each vertex the tangent of its first corner that has one. Returns the number of corners
 * with another tangent. */
static uint32_t keep_first(splitter *s)
{
    uint32_t others = 0;
    for (uint32_t corner = 0; corner < s->mesh->corner_count; corner++) {
        uint32_t *kept = &s->keeps[s->vertices[corner]];
        if (*kept == FACET_NONE)
            *kept = s->tangents[corner];
    }
    for (uint32_t corner = 0; corner < s->mesh->corner_count; corner++)
        others += s->keeps[s->vertices[corner]] != s->tangents[corner];
    return others;
}

/* Make the copies for the `others` corners that need one. */
static facet_status add_copies(splitter *s, uint32_t others, facet_error *error)
{
    facet_arena *arena = s->mesh->arena;
    if (others > FACET_NONE - s->old_count)
        return facet_fail(error, FACET_ERROR_LIMIT, "MESH-SPLIT", FACET_NO_OFFSET,
                          "a mesh holds fewer than 2^32 vertices, and this one might get more");
    for (uint32_t corner = 0; corner < s->mesh->corner_count; corner++) {
        const uint32_t copy[2] = {s->vertices[corner], s->tangents[corner]};
        if (s->keeps[copy[0]] != copy[1] && facet_records_put(&s->copies, copy) == UINT32_MAX)
            return facet_fail_arena(arena, error);
    }
    uint32_t count = s->old_count + s->copies.count;
    uint32_t *keeps = facet_arena_resize(arena, s->keeps, s->old_count, count, sizeof *keeps);
    if (!keeps)
        return facet_fail_arena(arena, error);
    s->keeps = keeps;
    s->count = count;
    s->from = facet_arena_allocate(arena, count, sizeof *s->from);
    if (!s->from)
        return facet_fail_arena(arena, error);
    const uint32_t(*copies)[2] = (const uint32_t(*)[2])s->copies.items;
    for (uint32_t vertex = 0; vertex < s->old_count; vertex++)
        s->from[vertex] = vertex;
    for (uint32_t i = 0; i < s->copies.count; i++) {
        s->from[s->old_count + i] = copies[i][0];
        s->keeps[s->old_count + i] = copies[i][1];
    }
    return FACET_OK;
}

/* -- Streams ------------------------------------------------------------ */

/* Set missing tangents to a unit vector instead of zeros. */
static void fill_holes(const splitter *s, float (*tangents)[4])
{
    for (uint32_t vertex = 0; vertex < s->count; vertex++) {
        if (s->keeps[vertex] == FACET_NONE)
            tangents[vertex][0] = tangents[vertex][3] = 1;
    }
}

/* Keep the mesh valid until the last step. Streams grow by elements that no corner uses yet. The
 * tangents are replaced together with their index. */
static facet_status rebuild_streams(splitter *s, facet_stream *tangents,
                                    const facet_options *options, facet_error *error)
{
    facet_mesh *mesh = s->mesh;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; !status && s->from && i < mesh->stream_count; i++) {
        if (&mesh->streams[i] != tangents)
            status =
                facet_stream_gather(mesh, &mesh->streams[i], s->from, s->count, options, error);
    }
    if (!status)
        status = facet_stream_gather(mesh, tangents, s->keeps, s->count, options, error);
    if (status)
        return status;
    fill_holes(s, tangents->data);
    for (uint32_t corner = 0; s->from && corner < mesh->corner_count; corner++) {
        const uint32_t copy[2] = {s->vertices[corner], s->tangents[corner]};
        if (s->keeps[copy[0]] != copy[1])
            s->vertices[corner] = s->old_count + facet_records_find(&s->copies, copy);
    }
    facet_stream_release_indices(mesh, tangents);
    tangents->indices = s->vertices;
    return FACET_OK;
}

/* -- The pass ----------------------------------------------------------- */

/* Count the vertices of all streams except the tangents. FACET_ERROR_ARGUMENT if these streams
 * do not share an index, or differ in their counts. */
static facet_status count_vertices(const facet_mesh *mesh, const facet_stream *tangents,
                                   uint32_t *count, facet_error *error)
{
    *count = mesh->streams[0].count;
    for (uint32_t i = 1; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream == tangents)
            continue;
        if (!facet_streams_share_vertices(stream, &mesh->streams[0]))
            return facet_fail(error, FACET_ERROR_ARGUMENT, "MESH-SPLIT", FACET_NO_OFFSET,
                              "split needs an indexed mesh, and streams 0 and %lu of this one have "
                              "different indices or counts",
                              (unsigned long)i);
    }
    return FACET_OK;
}

facet_status facet_mesh_split(facet_mesh *mesh, const facet_options *options, bool *changed,
                              facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    facet_stream *tangents = facet_mesh_find(mesh, FACET_TANGENT, 0);
    if (!tangents || facet_mesh_is_indexed(mesh))
        return facet_pass_done(false, changed);
    splitter s = {.mesh = mesh,
                  .vertices = mesh->streams[0].indices,
                  .tangents = tangents->indices,
                  .copies = facet_records_make(mesh->arena, 2 * sizeof(uint32_t))};
    facet_status status = facet_step(options, "split", 0, error);
    if (!status)
        status = count_vertices(mesh, tangents, &s.old_count, error);
    if (status)
        return status;
    s.count = s.old_count;
    s.keeps = facet_arena_allocate(mesh->arena, s.count, sizeof *s.keeps);
    if (!s.keeps)
        return facet_fail_arena(mesh->arena, error);
    memset(s.keeps, 0xFF, s.count * sizeof *s.keeps);
    uint32_t others = keep_first(&s);
    if (others > 0)
        status = add_copies(&s, others, error);
    if (!status)
        status = rebuild_streams(&s, tangents, options, error);
    facet_records_free(&s.copies);
    facet_arena_release(mesh->arena, s.from, s.count, sizeof *s.from);
    facet_arena_release(mesh->arena, s.keeps, s.count, sizeof *s.keeps);
    return status ? status : facet_pass_done(true, changed);
}
