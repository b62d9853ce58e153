/* formats/gltf/from_scene/order.c - an order of vertices for EXT_meshopt_compression.
 *
 * The codec of triangles predicts that a new vertex has the next index, from 0 in each primitive.
 * So the vertices of a primitive have to begin its range, in the order of their first use. A vertex
 * of several primitives belongs to the last one. For the others it is after their own vertices. */
#include "base/arena.h"
#include "formats/gltf/from_scene/writer.h"
#include "mesh/streams.h"
#include "scene/scene.h"

#include <string.h>

/* Set the owner of each vertex: the end of the last run of faces that uses it, or 0. Returns the
 * number of runs. */
static uint32_t find_owners(const facet_mesh *mesh, uint32_t *owners)
{
    const uint32_t *indices = mesh->streams[0].indices;
    uint32_t count = 0, part = 0;
    for (uint32_t face = 0, end; face < mesh->face_count; face = end, count++) {
        end = facet_mesh_end_of_run(mesh, face, &part);
        for (size_t corner = (size_t)face * 3; corner < (size_t)end * 3; corner++)
            owners[indices[corner]] = end;
    }
    return count;
}

/* Number the vertices by owner and first use, and the others after them. from[number] is the old
 * number. */
static void number_vertices(const facet_mesh *mesh, const uint32_t *owners, uint32_t *numbers,
                            uint32_t *from)
{
    const uint32_t *indices = mesh->streams[0].indices;
    uint32_t count = mesh->streams[0].count, used = 0, part = 0;
    memset(numbers, 0xFF, count * sizeof *numbers);
    for (uint32_t face = 0, end; face < mesh->face_count; face = end) {
        end = facet_mesh_end_of_run(mesh, face, &part);
        for (size_t corner = (size_t)face * 3; corner < (size_t)end * 3; corner++) {
            uint32_t vertex = indices[corner];
            if (owners[vertex] != end || numbers[vertex] != FACET_NONE)
                continue;
            numbers[vertex] = used;
            from[used++] = vertex;
        }
    }
    for (uint32_t vertex = 0; vertex < count; vertex++) {
        if (numbers[vertex] == FACET_NONE) {
            numbers[vertex] = used;
            from[used++] = vertex;
        }
    }
}

static uint32_t *renumber(facet_arena *arena, const uint32_t *indices, size_t count,
                          const uint32_t *numbers)
{
    uint32_t *made = facet_arena_allocate(arena, count, sizeof *made);
    for (size_t i = 0; made && i < count; i++)
        made[i] = numbers[indices[i]];
    return made;
}

/* Copy a mesh, with its vertices in another order; NULL if out of memory. */
static const facet_mesh *copy_mesh(facet_arena *arena, const facet_mesh *mesh,
                                   const uint32_t *numbers, const uint32_t *from)
{
    facet_mesh *copy = facet_arena_allocate(arena, 1, sizeof *copy);
    facet_stream *streams = facet_arena_allocate(arena, mesh->stream_count, sizeof *streams);
    uint32_t *indices = renumber(arena, mesh->streams[0].indices, mesh->corner_count, numbers);
    if (!copy || !streams || !indices)
        return NULL;
    *copy = *mesh;
    copy->streams = streams;
    copy->lines = renumber(arena, mesh->lines, (size_t)mesh->line_count * 2, numbers);
    copy->points = renumber(arena, mesh->points, mesh->point_count, numbers);
    if (!copy->lines || !copy->points)
        return NULL;
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        size_t size = facet_stream_element_size(&mesh->streams[i]);
        const uint8_t *data = mesh->streams[i].data;
        uint8_t *made = facet_arena_allocate(arena, mesh->streams[i].count, size);
        for (uint32_t v = 0; made && v < mesh->streams[i].count; v++)
            memcpy(made + v * size, data + from[v] * size, size);
        if (!made)
            return NULL;
        streams[i] = mesh->streams[i];
        streams[i].indices = indices;
        streams[i].data = made;
    }
    return copy;
}

const facet_mesh *facet_gltf_order_vertices(facet_gltf_writer *w, const facet_mesh *mesh)
{
    uint32_t count = mesh->streams[0].count;
    uint32_t *owners = facet_arena_allocate_zeroed(w->arena, count, sizeof *owners);
    uint32_t *numbers = facet_arena_allocate(w->arena, count, sizeof *numbers);
    uint32_t *from = facet_arena_allocate(w->arena, count, sizeof *from);
    const facet_mesh *copy = owners && numbers && from ? mesh : NULL;
    if (copy && find_owners(mesh, owners) > 1) {
        number_vertices(mesh, owners, numbers, from);
        copy = copy_mesh(w->arena, mesh, numbers, from);
    }
    facet_arena_release(w->arena, from, count, sizeof *from);
    facet_arena_release(w->arena, numbers, count, sizeof *numbers);
    facet_arena_release(w->arena, owners, count, sizeof *owners);
    w->failed |= !copy;
    return copy ? copy : mesh;
}
