/* mesh/weld.c - vertices of equal value become one. */
#include <facet/mesh.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "mesh/streams.h"
#include "mesh/values.h"
#include "scene/scene.h"

#include <inttypes.h>

#define LEAST_PART ((size_t)65536)

typedef struct renumbering {
    uint32_t *indices;
    const uint32_t *numbers;
} renumbering;

static void renumber_part(void *argument, size_t part, size_t first, size_t end)
{
    const renumbering *r = argument;
    (void)part;
    for (size_t corner = first; corner < end; corner++)
        r->indices[corner] = r->numbers[r->indices[corner]];
}

/* Gather the positions first: if memory runs out there, nothing has changed. Other streams for
 * which memory runs out are removed, as in index.c. */
static facet_status weld(facet_mesh *mesh, const uint32_t *numbers, const uint32_t *from,
                         uint32_t distinct, const facet_options *options, facet_error *error)
{
    facet_status status =
        facet_stream_gather(mesh, &mesh->streams[0], from, distinct, options, error);
    if (status)
        return status;
    renumbering corners = {mesh->streams[0].indices, numbers};
    facet_run_parts(options, renumber_part, &corners, mesh->corner_count, LEAST_PART);
    facet_mesh_number_ends(mesh, numbers);
    for (uint32_t i = 1; i < mesh->stream_count;) {
        facet_status one =
            facet_stream_gather(mesh, &mesh->streams[i], from, distinct, options, error);
        if (one) {
            status = one;
            facet_mesh_remove_stream(mesh, &mesh->streams[i]);
        } else {
            i++;
        }
    }
    return status;
}

/* Join the vertices of equal number; the first vertex of each number stays. */
static facet_status join_numbered(facet_mesh *mesh, const uint32_t *numbers, uint32_t distinct,
                                  const facet_options *options, facet_error *error)
{
    uint32_t *from = facet_arena_allocate(mesh->arena, distinct, sizeof *from);
    if (!from)
        return facet_fail_arena(mesh->arena, error);
    for (uint32_t vertex = 0, next = 0; next < distinct; vertex++) {
        if (numbers[vertex] == next)
            from[next++] = vertex;
    }
    facet_status status = weld(mesh, numbers, from, distinct, options, error);
    facet_arena_release(mesh->arena, from, distinct, sizeof *from);
    return status;
}

facet_status facet_mesh_weld(facet_mesh *mesh, const facet_options *options, bool *changed,
                             facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    facet_status status = facet_step(options, "weld", 0, error);
    if (status || mesh->corner_count == 0 || mesh->stream_count == 0)
        return status ? status : facet_pass_done(false, changed);
    uint32_t count = mesh->streams[0].count, distinct = 0;
    if (!facet_mesh_is_indexed(mesh))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the mesh has several index arrays, expected one");
    const facet_stretch numbering = {options, "weld", {0, 0.8}};
    facet_arena *arena = mesh->arena;
    uint32_t stream_count = mesh->stream_count;
    facet_column *columns = facet_arena_allocate(arena, stream_count, sizeof *columns);
    uint32_t *numbers = facet_arena_allocate(arena, count, sizeof *numbers);
    if (!columns || !numbers)
        status = facet_fail_arena(arena, error);
    for (uint32_t i = 0; i < mesh->stream_count && !status; i++) {
        const facet_stream *stream = &mesh->streams[i];
        columns[i] = (facet_column){stream->data, stream->component, stream->components};
    }
    if (!status)
        status = facet_values_number(columns, mesh->stream_count, count, arena, &numbering, numbers,
                                     &distinct, error);
    if (!status && distinct < count)
        status = join_numbered(mesh, numbers, distinct, options, error);
    facet_arena_release(arena, numbers, count, sizeof *numbers);
    facet_arena_release(arena, columns, stream_count, sizeof *columns);
    return status ? status : facet_pass_done(distinct < count, changed);
}
