/* mesh/streams.c - moving the elements of streams. */
#include "mesh/streams.h"

#include "base/arena.h"
#include "base/error.h"
#include "scene/scene.h"

#include <string.h>

/* -- Gathering ---------------------------------------------------------- */

/* One element's bytes are a constant in each copy of this loop, so that the
 * compiler makes a few moves of it instead of a call. */
static inline void gather_sized(uint8_t *to, const uint8_t *data, const uint32_t *from,
                                uint32_t count, const uint8_t *missing, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *element = from[i] == FACET_NONE ? missing : data + from[i] * size;
        memcpy(to + i * size, element, size);
    }
}

static void gather(uint8_t *to, const uint8_t *data, const uint32_t *from, uint32_t count,
                   const uint8_t *missing, size_t size)
{
    switch (size) {
    case 4:
        gather_sized(to, data, from, count, missing, 4);
        break;
    case 8:
        gather_sized(to, data, from, count, missing, 8);
        break;
    case 12:
        gather_sized(to, data, from, count, missing, 12);
        break;
    case 16:
        gather_sized(to, data, from, count, missing, 16);
        break;
    default:
        gather_sized(to, data, from, count, missing, size);
        break;
    }
}

static bool is_identity(const uint32_t *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (from[i] != i)
            return false;
    }
    return true;
}

facet_status facet_stream_gather(facet_mesh *mesh, facet_stream *stream, const uint32_t *from,
                                 uint32_t count, facet_error *error)
{
    if (count == stream->count && is_identity(from, count))
        return FACET_OK;
    size_t size = facet_stream_element_size(stream);
    uint8_t *data = facet_arena_allocate(mesh->arena, count, size);
    if (!data)
        return facet_fail_memory(error, count * size);
    /* 16 components of 8 bytes are the widest element. */
    uint8_t missing[128] = {0};
    if (stream->semantic == FACET_COLOR) {
        for (uint32_t i = 0; i < stream->components; i++)
            memcpy(missing + i * sizeof(float), &(float){1}, sizeof(float));
    }
    gather(data, stream->data, from, count, missing, size);
    facet_arena_release(mesh->arena, stream->data, stream->count, size);
    stream->data = data;
    stream->count = count;
    return FACET_OK;
}

/* -- Renumbering -------------------------------------------------------- */

static uint32_t largest_count(const facet_mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (mesh->streams[i].count > count)
            count = mesh->streams[i].count;
    }
    return count;
}

/* indices become numbers by first use, from[number] what they were. */
static uint32_t number_by_first_use(uint32_t *indices, uint32_t corner_count, uint32_t *numbers,
                                    uint32_t *from)
{
    uint32_t used = 0;
    for (uint32_t corner = 0; corner < corner_count; corner++) {
        uint32_t old = indices[corner];
        if (numbers[old] == FACET_NONE) {
            numbers[old] = used;
            from[used++] = old;
        }
        indices[corner] = numbers[old];
    }
    return used;
}

static facet_status gather_all(facet_mesh *mesh, const uint32_t *from, uint32_t used,
                               facet_error *error)
{
    facet_status status = facet_stream_gather(mesh, &mesh->streams[0], from, used, error);
    if (status) {
        uint32_t *indices = mesh->streams[0].indices;
        for (uint32_t corner = 0; corner < mesh->corner_count; corner++)
            indices[corner] = from[indices[corner]];
        return status;
    }
    for (uint32_t i = 1; i < mesh->stream_count;) {
        facet_status one = facet_stream_gather(mesh, &mesh->streams[i], from, used, error);
        if (one) {
            facet_mesh_remove_stream(mesh, &mesh->streams[i]);
            status = one;
        } else {
            i++;
        }
    }
    return status;
}

facet_status facet_mesh_renumber(facet_mesh *mesh, facet_error *error)
{
    uint32_t count = largest_count(mesh);
    uint32_t most = count < mesh->corner_count ? count : mesh->corner_count;
    uint32_t *numbers = facet_arena_allocate(mesh->arena, count, sizeof *numbers);
    uint32_t *from = facet_arena_allocate(mesh->arena, most, sizeof *from);
    facet_status status;
    if (numbers && from) {
        memset(numbers, 0xFF, count * sizeof *numbers);
        uint32_t used =
            number_by_first_use(mesh->streams[0].indices, mesh->corner_count, numbers, from);
        status = gather_all(mesh, from, used, error);
    } else {
        status = facet_fail_memory(error, ((size_t)count + most) * sizeof *numbers);
    }
    facet_arena_release(mesh->arena, from, most, sizeof *from);
    facet_arena_release(mesh->arena, numbers, count, sizeof *numbers);
    return status;
}
