/* mesh/split.c - a vertex for each tangent: corners that share a vertex and
 * differ in tangent get copies of it. */
#include "base/arena.h"
#include "base/error.h"
#include "scene/scene.h"

#include <facet/mesh.h>
#include <string.h>

/* -- Copies ------------------------------------------------------------- */

/* Pairs of vertex and tangent that need a vertex of their own, in order of
 * their first corner, and an open hash table to find them by. */
typedef struct copies {
    facet_arena *arena;
    uint32_t (*pairs)[2];
    uint32_t count, capacity;
    uint32_t *slots; /* 1 + pair; 0 is free */
    size_t slot_count;
} copies;

/* Room for as many pairs as there are corners that ask for one. */
static bool make_room(copies *c, facet_arena *arena, uint32_t capacity)
{
    c->arena = arena;
    c->count = 0;
    c->capacity = capacity;
    c->slot_count = 16;
    while (c->slot_count / 2 < capacity)
        c->slot_count *= 2;
    c->pairs = facet_arena_allocate(arena, capacity, sizeof *c->pairs);
    c->slots = facet_arena_allocate_zeroed(arena, c->slot_count, sizeof *c->slots);
    return c->pairs && c->slots;
}

static void release_room(copies *c)
{
    facet_arena_release(c->arena, c->slots, c->slot_count, sizeof *c->slots);
    facet_arena_release(c->arena, c->pairs, c->capacity, sizeof *c->pairs);
}

static uint32_t find_or_add(copies *c, uint32_t vertex, uint32_t tangent)
{
    uint64_t hash = ((uint64_t)vertex << 32 | tangent) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 32) & (c->slot_count - 1);
    for (; c->slots[at] != 0; at = (at + 1) & (c->slot_count - 1)) {
        const uint32_t *pair = c->pairs[c->slots[at] - 1];
        if (pair[0] == vertex && pair[1] == tangent)
            return c->slots[at] - 1;
    }
    c->pairs[c->count][0] = vertex;
    c->pairs[c->count][1] = tangent;
    c->slots[at] = ++c->count;
    return c->count - 1;
}

/* -- Splitting ---------------------------------------------------------- */

/* owners[v] = the tangent that vertex v keeps: that of its first corner that
 * has one. Returns how many corners have another. */
static uint32_t find_owners(const facet_mesh *mesh, const uint32_t *vertices,
                            const uint32_t *tangents, uint32_t *owners, uint32_t vertex_count)
{
    uint32_t others = 0;
    for (uint32_t vertex = 0; vertex < vertex_count; vertex++)
        owners[vertex] = FACET_NONE;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        uint32_t *owner = &owners[vertices[corner]];
        if (*owner == FACET_NONE)
            *owner = tangents[corner];
    }
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++)
        others += owners[vertices[corner]] != tangents[corner];
    return others;
}

/* Lengthen a stream that counts `vertex_count` elements by the copies. */
static bool copy_vertices(facet_mesh *mesh, facet_stream *stream, uint32_t vertex_count,
                          const copies *c)
{
    size_t size = facet_stream_element_size(stream);
    uint8_t *data = facet_arena_resize(mesh->arena, stream->data, stream->count,
                                       (size_t)vertex_count + c->count, size);
    if (!data)
        return false;
    stream->data = data;
    stream->count = vertex_count + c->count;
    for (uint32_t i = 0; i < c->count; i++)
        memcpy(data + (vertex_count + (size_t)i) * size, data + c->pairs[i][0] * size, size);
    return true;
}

/* The tangents in vertex order; a vertex without corner gets the x axis. */
static float *order_tangents(facet_mesh *mesh, const facet_stream *stream, const uint32_t *owners,
                             uint32_t vertex_count, const copies *c)
{
    static const float nothing[4] = {1, 0, 0, 1};
    const float *old = stream->data;
    float *ordered =
        facet_arena_allocate(mesh->arena, (size_t)vertex_count + c->count, 4 * sizeof *ordered);
    for (size_t i = 0; ordered && i < (size_t)vertex_count + c->count; i++) {
        uint32_t element = i < vertex_count ? owners[i] : c->pairs[i - vertex_count][1];
        memcpy(ordered + 4 * i, element == FACET_NONE ? nothing : old + 4 * (size_t)element,
               4 * sizeof *ordered);
    }
    return ordered;
}

static facet_status split(facet_mesh *mesh, uint32_t vertex_count, uint32_t *owners,
                          facet_error *error)
{
    uint32_t *vertices = mesh->streams[0].indices;
    facet_stream *tangents = facet_mesh_find(mesh, FACET_TANGENT, 0);
    uint32_t others = find_owners(mesh, vertices, tangents->indices, owners, vertex_count);
    copies c;
    bool fits = make_room(&c, mesh->arena, others);
    for (uint32_t corner = 0; fits && others > 0 && corner < mesh->corner_count; corner++) {
        if (owners[vertices[corner]] != tangents->indices[corner])
            find_or_add(&c, vertices[corner], tangents->indices[corner]);
    }
    if (fits && c.count > FACET_NONE - vertex_count) {
        release_room(&c);
        return facet_fail(error, FACET_ERROR_LIMIT, "MESH-SPLIT", FACET_NO_OFFSET,
                          "a mesh holds up to 4,294,967,295 vertices, and this one would get more");
    }
    float *ordered = fits ? order_tangents(mesh, tangents, owners, vertex_count, &c) : NULL;
    fits = ordered != NULL;
    for (uint32_t i = 0; fits && c.count > 0 && i < mesh->stream_count; i++)
        fits = &mesh->streams[i] == tangents ||
               copy_vertices(mesh, &mesh->streams[i], vertex_count, &c);
    if (fits) {
        for (uint32_t corner = 0; others > 0 && corner < mesh->corner_count; corner++) {
            uint32_t tangent = tangents->indices[corner];
            if (owners[vertices[corner]] != tangent)
                vertices[corner] = vertex_count + find_or_add(&c, vertices[corner], tangent);
        }
        facet_stream_release_indices(mesh, tangents);
        facet_arena_release(mesh->arena, tangents->data, tangents->count, 4 * sizeof(float));
        tangents->data = ordered;
        tangents->count = vertex_count + c.count;
        tangents->indices = vertices;
    } else {
        facet_arena_release(mesh->arena, ordered, (size_t)vertex_count + c.count,
                            4 * sizeof *ordered);
    }
    release_room(&c);
    return fits ? FACET_OK : facet_fail_memory(error, (size_t)vertex_count * 4 * sizeof(float));
}

facet_status facet_mesh_split(facet_mesh *mesh, const facet_options *options, facet_error *error)
{
    const facet_stream *tangents = facet_mesh_find(mesh, FACET_TANGENT, 0);
    if (!tangents || facet_mesh_is_welded(mesh))
        return FACET_OK;
    facet_status status = facet_step(options, "split", 0, error);
    if (status)
        return status;
    uint32_t vertex_count = 0;
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream == tangents)
            continue;
        if (stream->indices != mesh->streams[0].indices)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "MESH-SPLIT", FACET_NO_OFFSET,
                              "split needs a welded mesh, and streams 0 and %lu of this one have "
                              "different indices",
                              (unsigned long)i);
        if (i == 0 || stream->count < vertex_count)
            vertex_count = stream->count;
    }
    uint32_t *owners = facet_arena_allocate(mesh->arena, vertex_count, sizeof *owners);
    if (!owners)
        return facet_fail_memory(error, vertex_count * sizeof *owners);
    status = split(mesh, vertex_count, owners, error);
    facet_arena_release(mesh->arena, owners, vertex_count, sizeof *owners);
    return status;
}
